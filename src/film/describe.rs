//! What an EXR file says about itself, from its header alone: `scrutineer inspect FILE.exr`.

use std::path::Path;

use ::exr::meta::attribute::{AttributeValue, ChannelDescription, IntegerBounds, SampleType, Text};
use ::exr::meta::header::{Header, LayerAttributes};
use ::exr::meta::{BlockDescription, MetaData};
use serde_json::{Map, Value, json};

use crate::quiet;

/// The parts of a file: channels with types, windows as x, y, width, height, compression, arrangement, attributes.
/// Errors: not an EXR, or one whose header is damaged.
pub fn describe(path: &Path) -> Result<Value, String> {
    let fail = |error: String| format!("{}: {error}", path.display());
    // The reader asserts on some damaged headers: that is an input error here, not a crash.
    let read = || MetaData::read_from_file(path, false).map_err(|error| error.to_string());
    let meta = quiet::catch(read).unwrap_or_else(|| Err("the header is damaged".to_owned()));
    let meta = meta.map_err(fail)?;
    let parts: Vec<Value> = meta.headers.iter().map(part).collect();
    Ok(json!({ "file": path.display().to_string(), "parts": parts }))
}

fn part(header: &Header) -> Value {
    let channels: Vec<Value> = header.channels.list.iter().map(channel).collect();
    let window = IntegerBounds::new(header.own_attributes.layer_position, header.layer_size);
    json!({
        "name": header.own_attributes.layer_name.as_ref().map(readable),
        "channels": channels,
        "display_window": bounds(&header.shared_attributes.display_window),
        "data_window": bounds(&window),
        "compression": format!("{:?}", header.compression),
        "storage": match header.blocks {
            BlockDescription::ScanLines => "scan lines",
            BlockDescription::Tiles(_) => "tiles",
        },
        "deep": header.deep,
        "line_order": format!("{:?}", header.line_order),
        "pixel_aspect_ratio": header.shared_attributes.pixel_aspect,
        "attributes": attributes(header),
    })
}

fn channel(channel: &ChannelDescription) -> Value {
    let kind = match channel.sample_type {
        SampleType::F16 => "half",
        SampleType::F32 => "float",
        SampleType::U32 => "uint",
    };
    json!({ "name": readable(&channel.name), "type": kind, "sampling": [channel.sampling.0, channel.sampling.1] })
}

fn bounds(window: &IntegerBounds) -> Value {
    json!([window.position.0, window.position.1, window.size.0, window.size.1])
}

/// Those that the crate keeps in fields of their own and that renderers write, then all that it does not know.
fn attributes(header: &Header) -> Value {
    let mut all = Map::new();
    let own: &LayerAttributes = &header.own_attributes;
    if let Some(c) = header.shared_attributes.chromaticities {
        let points = [c.red, c.green, c.blue, c.white].map(|p| json!([p.0, p.1]));
        all.insert("chromaticities".to_owned(), json!(points));
    }
    let texts = [("software", &own.software_name), ("owner", &own.owner), ("comments", &own.comments)];
    for (name, value) in texts {
        value.iter().for_each(|value| drop(all.insert(name.to_owned(), json!(readable(value)))));
    }
    let matrices = [("worldToCamera", own.world_to_camera), ("worldToNDC", own.world_to_normalized_device)];
    for (name, matrix) in matrices {
        matrix.iter().for_each(|matrix| drop(all.insert(name.to_owned(), json!(matrix))));
    }
    for (name, value) in header.shared_attributes.other.iter().chain(&own.other) {
        all.insert(readable(name), attribute(value));
    }
    all.sort_keys();
    Value::Object(all)
}

fn attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Text(text) => json!(readable(text)),
        AttributeValue::I32(number) => json!(number),
        AttributeValue::F32(number) => json!(number),
        AttributeValue::F64(number) => json!(number),
        AttributeValue::Matrix4x4(matrix) => json!(matrix),
        AttributeValue::Matrix3x3(matrix) => json!(matrix),
        AttributeValue::IntVec2(v) => json!([v.0, v.1]),
        AttributeValue::FloatVec2(v) => json!([v.0, v.1]),
        AttributeValue::IntegerBounds(window) => bounds(window),
        AttributeValue::TextVector(list) => json!(list.iter().map(readable).collect::<Vec<_>>()),
        AttributeValue::Bytes { type_hint: kind, bytes } | AttributeValue::Custom { kind, bytes } => {
            json!(format!("{} bytes of {}", bytes.len(), readable(kind)))
        }
        other => json!(format!("{other:?}")),
    }
}

fn readable(text: &Text) -> String {
    String::from_utf8_lossy(text.as_slice()).into_owned()
}
