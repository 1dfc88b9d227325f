//! What the header says about how a picture came to be.

use std::collections::HashMap;

use ::exr::meta::attribute::{AttributeValue, Text};
use glam::{Mat4, Vec3};
use serde_json::json;

use super::{Film, cryptomatte};

/// Attributes that differ between two runs of one job: `diff` ignores them.
pub const IGNORED_BY_DIFF: [&str; 2] = ["scrutineer/host", "scrutineer/wall_seconds"];

/// What made an image. Text that is not known is left empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// Of this program.
    pub version: String,
    /// Digest of the scene and all its files.
    pub scene_hash: String,
    pub seed: u64,
    /// Samples per pixel that were asked for.
    pub samples: u32,
    /// Pixel filter, as in `[render] filter`.
    pub filter: String,
    pub integrator: String,
    /// Ray-tracing backend.
    pub backend: String,
    /// The instruction-set path that the backend chose.
    pub instruction_path: String,
    pub max_depth: u32,
    /// All settings that are in force, as text.
    pub settings: String,
    pub camera: Option<CameraMatrices>,
    pub ids: IdNames,
    /// Name of the machine.
    pub host: String,
    /// Rendering time, seconds.
    pub wall_seconds: f64,
    /// Further attributes (`scrutineer/` is put before the name, at most 31 bytes with it): shard, clamp, …
    pub extra: Vec<(String, String)>,
}

impl Default for Metadata {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene_hash: String::new(),
            seed: 0,
            samples: 0,
            filter: String::new(),
            integrator: String::new(),
            backend: String::new(),
            instruction_path: String::new(),
            max_depth: 0,
            settings: String::new(),
            camera: None,
            ids: IdNames::default(),
            host: String::new(),
            wall_seconds: 0.0,
            extra: Vec::new(),
        }
    }
}

/// The camera as matrices for column vectors, scene frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraMatrices {
    /// Scene → camera; the camera is right-handed, Y up, and looks along −Z (glTF's).
    pub view: Mat4,
    /// Camera → clip space; `None` where the projection is no matrix (panorama).
    pub projection: Option<Mat4>,
}

/// Names of the ids; the name of id 1 stands first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdNames {
    pub instances: Vec<String>,
    pub objects: Vec<String>,
    pub meshes: Vec<String>,
    pub materials: Vec<String>,
}

impl IdNames {
    /// The names as the JSON object of the attribute `scrutineer/ids`.
    pub fn to_json(&self) -> String {
        json!({
            "instance": self.instances,
            "object": self.objects,
            "mesh": self.meshes,
            "material": self.materials,
        })
        .to_string()
    }
}

/// The Cryptomatte layers of a film and whose names they hash.
pub(super) fn matte_names<'a>(ids: &'a IdNames, layer: &str) -> Option<&'a [String]> {
    match layer {
        "crypto_object" => Some(&ids.objects),
        "crypto_material" => Some(&ids.materials),
        _ => None,
    }
}

/// Attribute name → value for a file that holds `layers` (AOV names).
pub(super) fn attributes(film: &Film, metadata: &Metadata, layers: &[String]) -> HashMap<Text, AttributeValue> {
    let mut list = text_attributes(metadata);
    let held = |names: &[&str]| layers.iter().any(|layer| names.contains(&layer.as_str()));
    if held(&["instance", "mesh", "material", "object"]) {
        list.push(("ids".to_owned(), metadata.ids.to_json()));
    }
    list.push(("non_finite".to_owned(), film.non_finite().to_string()));
    let ours = list.into_iter().filter(|(_, value)| !value.is_empty());
    let mut all: Vec<_> = ours.map(|(name, value)| (format!("scrutineer/{name}"), value)).collect();
    for layer in layers {
        if let Some(names) = matte_names(&metadata.ids, layer) {
            all.extend(cryptomatte::attributes(layer, names));
        }
    }
    let mut attributes: HashMap<_, _> =
        all.into_iter().map(|(name, value)| (text(&name), AttributeValue::Text(text(&value)))).collect();
    let number = |name: &str, value: u32| (text(name), AttributeValue::I32(value.min(i32::MAX as u32) as i32));
    attributes.extend([
        number("scrutineer/samples", metadata.samples),
        number("scrutineer/max_depth", metadata.max_depth),
        number("scrutineer/batch", film.settings().batch),
        (text("scrutineer/wall_seconds"), AttributeValue::F64(metadata.wall_seconds)),
    ]);
    if let Some(camera) = metadata.camera {
        attributes.insert(text("scrutineer/view"), AttributeValue::Matrix4x4(camera.view.to_cols_array()));
        if let Some(projection) = camera.projection {
            let matrix = AttributeValue::Matrix4x4(projection.to_cols_array());
            attributes.insert(text("scrutineer/projection"), matrix);
        }
    }
    attributes
}

fn text_attributes(m: &Metadata) -> Vec<(String, String)> {
    let fixed = [
        ("version", m.version.clone()),
        ("scene_hash", m.scene_hash.clone()),
        ("seed", m.seed.to_string()),
        ("filter", m.filter.clone()),
        ("integrator", m.integrator.clone()),
        ("backend", m.backend.clone()),
        ("instruction_path", m.instruction_path.clone()),
        ("settings", m.settings.clone()),
        ("host", m.host.clone()),
    ];
    let fixed = fixed.into_iter().map(|(name, value)| (name.to_owned(), value));
    fixed.chain(m.extra.iter().cloned()).collect()
}

/// The format's standard camera matrices, `(worldToCamera, worldToNDC)`. They are for row vectors, row by row, which is
/// the memory order of column vectors' columns; the standard camera is left-handed and looks along +Z.
pub(super) fn standard_matrices(camera: &CameraMatrices) -> ([f32; 16], Option<[f32; 16]>) {
    let world_to_camera = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)) * camera.view;
    let world_to_ndc = camera.projection.map(|projection| (projection * camera.view).to_cols_array());
    (world_to_camera.to_cols_array(), world_to_ndc)
}

/// UTF-8, as OpenEXR 3 has it in names and strings.
pub(super) fn text(value: &str) -> Text {
    Text::from_slice_unchecked(value.as_bytes())
}
