//! Film → OpenEXR files.
//!
//! One part with dotted, sorted channel names, in scan lines of increasing y: what every reader opens. The crate's own
//! defaults (tiles, a part a layer) are not. Files appear whole or not at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ::exr::image::{AnyChannel, AnyChannels, Blocks, Encoding, FlatSamples, Image, Layer};
use ::exr::math::Vec2;
use ::exr::meta::attribute::{AttributeValue, Chromaticities, IntegerBounds, LineOrder};
use ::exr::meta::header::{ImageAttributes, LayerAttributes};
use ::exr::prelude::WritableImage;
use half::f16;
use rayon::prelude::*;

use super::aov::Pixel;
use super::atomic::Pending;
use super::metadata::{self, Metadata, text};
use super::output::{Arrangement, Compression, Output, Precision};
use super::resolve::Plane;
use super::selection::AovId;
use super::{Film, cryptomatte};

pub use super::describe::describe;

/// Rec. ITU-R BT.709-6, table 1, items 1.3 and 1.4.
const REC709: Chromaticities = Chromaticities {
    red: Vec2(0.64, 0.33),
    green: Vec2(0.30, 0.60),
    blue: Vec2(0.15, 0.06),
    white: Vec2(0.3127, 0.3290),
};

/// The longest name that readers take without the header's long-names flag.
const SHORT_NAME: usize = 31;

/// Writes all that the film keeps; returns the files. Nothing is replaced before every file is complete on disk. Errors
/// name the file.
pub fn write(film: &Film, path: &Path, output: &Output, metadata: &Metadata) -> Result<Vec<PathBuf>, String> {
    let aovs: Vec<AovId> = film.aovs().collect();
    let files: Vec<(PathBuf, Vec<AovId>)> = match output.layout {
        Arrangement::Layers => vec![(path.to_owned(), aovs)],
        Arrangement::Files => aovs.iter().map(|id| (file_of(path, &aov_name(film, *id)), vec![*id])).collect(),
    };
    if files.iter().all(|(_, aovs)| aovs.is_empty()) {
        return Err(format!("cannot write {}: no AOV is asked for", path.display()));
    }
    let pending = files
        .iter()
        .map(|(path, aovs)| write_one(film, path, aovs, output, metadata))
        .collect::<Result<Vec<_>, _>>()?;
    pending.into_iter().map(Pending::commit).collect()
}

/// OUT.exr for the beauty, OUT.NAME.exr for others.
fn file_of(path: &Path, name: &str) -> PathBuf {
    if name == "beauty" {
        return path.to_owned();
    }
    let mut file = path.file_stem().map(OsString::from).unwrap_or_default();
    file.push(format!(".{name}.exr"));
    path.with_file_name(file)
}

fn aov_name(film: &Film, id: AovId) -> String {
    id.name(&film.settings().light_groups)
}

fn write_one(
    film: &Film,
    path: &Path,
    aovs: &[AovId],
    output: &Output,
    metadata: &Metadata,
) -> Result<Pending, String> {
    let channels: Vec<AnyChannel<FlatSamples>> =
        aovs.par_iter().flat_map_iter(|id| channels_of(film, *id, output.precision, metadata)).collect();
    let attributes = layer_attributes(film, aovs, &channels, metadata);
    let encoding = Encoding {
        compression: Compression::to_exr(output.compression),
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let window = film.window();
    let size = Vec2(window.width as usize, window.height as usize);
    let layer = Layer::new(size, attributes, encoding, AnyChannels::sort(channels.into_iter().collect()));
    let mut image = Image::from_layer(layer);
    image.attributes = image_attributes(film);
    Pending::write(path, |file| image.write().to_buffered(file).map_err(|error| error.to_string()))
}

fn channels_of(film: &Film, id: AovId, precision: Precision, metadata: &Metadata) -> Vec<AnyChannel<FlatSamples>> {
    let names = metadata::matte_names(&metadata.ids, &aov_name(film, id)).unwrap_or_default();
    let hashes: Vec<f32> = names.iter().map(|name| cryptomatte::id_of(name)).collect();
    // An id without a name cannot come from a loaded scene; its number is then its name.
    let hash_of = |id: u32| {
        let named = (id as usize).checked_sub(1).and_then(|index| hashes.get(index)).copied();
        named.unwrap_or_else(|| cryptomatte::id_of(&id.to_string()))
    };
    let planes = film.planes(id, &hash_of).unwrap_or_default();
    let names = id.channels(&film.settings().light_groups);
    let half = id.pixel() == Pixel::Colour && precision == Precision::Half;
    let channel = |(name, plane): (String, Plane)| AnyChannel::new(text(&name), samples(plane, half));
    names.into_iter().zip(planes).map(channel).collect()
}

fn samples(plane: Plane, half: bool) -> FlatSamples {
    match plane {
        Plane::Uint(values) => FlatSamples::U32(values),
        Plane::Float(values) if half => FlatSamples::F16(values.into_iter().map(to_half).collect()),
        Plane::Float(values) => FlatSamples::F32(values),
    }
}

/// A colour brighter than the largest half is stored as that: an infinity would spoil every filter that meets it.
fn to_half(value: f32) -> f16 {
    match value.is_finite() {
        true => f16::from_f32(value.clamp(f16::MIN.to_f32(), f16::MAX.to_f32())),
        false => f16::from_f32(value),
    }
}

fn image_attributes(film: &Film) -> ImageAttributes {
    let [width, height] = film.settings().resolution;
    let display = IntegerBounds::from_dimensions(Vec2(width as usize, height as usize));
    ImageAttributes { chromaticities: Some(REC709), pixel_aspect: 1.0, ..ImageAttributes::new(display) }
}

fn layer_attributes(
    film: &Film,
    aovs: &[AovId],
    channels: &[AnyChannel<FlatSamples>],
    metadata: &Metadata,
) -> LayerAttributes {
    let names: Vec<String> = aovs.iter().map(|id| aov_name(film, *id)).collect();
    let mut other = metadata::attributes(film, metadata, &names);
    if channels.iter().any(|channel| channel.name.as_slice().len() > SHORT_NAME) {
        // The crate raises the long-names flag for attributes only; without it readers refuse long channel names.
        let flag = text("scrutineer/some_channel_names_are_long");
        other.insert(flag, AttributeValue::I32(1));
    }
    let matrices = metadata.camera.as_ref().map(metadata::standard_matrices);
    LayerAttributes {
        layer_position: Vec2(film.window().x, film.window().y),
        software_name: Some(text(&format!("scrutineer {}", metadata.version))),
        world_to_camera: matrices.map(|(camera, _)| camera),
        world_to_normalized_device: matrices.and_then(|(_, ndc)| ndc),
        other,
        ..LayerAttributes::default()
    }
}
