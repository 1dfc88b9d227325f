//! The glTF 2.0 JSON as typed structs: what this loader reads, exactly as it stands in the file.
//!
//! Nothing is validated here beyond JSON types. Unknown members are skipped, as the specification asks of clients.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::error::{Checked, Fault};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Root {
    pub asset: Option<Asset>,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub samplers: Vec<Sampler>,
    pub cameras: Vec<Camera>,
    pub skins: Vec<IgnoredAny>,
    pub animations: Vec<IgnoredAny>,
    pub extensions: RootExtensions,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: Option<String>,
    pub min_version: Option<String>,
    pub generator: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Option<Lights>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Lights {
    pub lights: Vec<Light>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub mesh: Option<usize>,
    pub camera: Option<usize>,
    pub skin: Option<usize>,
    pub extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub light: Option<NodeLight>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<Instancing>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeLight {
    pub light: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instancing {
    pub attributes: BTreeMap<String, usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    pub targets: Vec<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub sampler: Option<usize>,
    pub source: Option<usize>,
    pub extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextureExtensions {
    #[serde(rename = "MSFT_texture_dds")]
    pub dds: Option<TextureSource>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TextureSource {
    pub source: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Sampler {
    pub mag_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: MetallicRoughness,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: MaterialExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MetallicRoughness {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

/// textureInfo, normalTextureInfo and occlusionTextureInfo in one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
    pub scale: Option<f32>,
    pub strength: Option<f32>,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive_strength: Option<EmissiveStrength>,
    #[serde(rename = "KHR_materials_transmission")]
    pub transmission: Option<Transmission>,
    #[serde(rename = "KHR_materials_ior")]
    pub ior: Option<Ior>,
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct EmissiveStrength {
    pub emissive_strength: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Transmission {
    pub transmission_factor: Option<f32>,
    pub transmission_texture: Option<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Ior {
    pub ior: Option<f32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Light {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub color: Option<[f64; 3]>,
    pub intensity: Option<f64>,
    pub range: Option<f64>,
    pub spot: Option<Spot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Spot {
    pub inner_cone_angle: Option<f64>,
    pub outer_cone_angle: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Camera {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Perspective {
    pub aspect_ratio: Option<f64>,
    pub yfov: f64,
    pub znear: f64,
    pub zfar: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Orthographic {
    pub xmag: f64,
    pub ymag: f64,
    pub znear: f64,
    pub zfar: f64,
}

/// Parses the JSON text. A type error names its JSON pointer.
pub(super) fn parse(text: &str) -> Checked<Root> {
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(document)) => locate(document, &error.to_string()),
        Ok(_) => Fault::file(error.to_string()),
        Err(syntax) => Fault::file(format!("the JSON does not parse: {syntax}")),
    })
}

/// Finds the element that `Root` refuses by giving it one element at a time: `serde_json` knows lines and columns only,
/// and one-line files (all GLBs) need a better place than that.
fn locate(document: serde_json::Map<String, Value>, whole: &str) -> Fault {
    for (key, value) in document {
        let Some(message) = refusal(&key, &value) else { continue };
        let Value::Array(elements) = value else { return Fault::new(format!("/{key}"), message) };
        for (index, element) in elements.into_iter().enumerate() {
            if let Some(message) = refusal(&key, &Value::Array(vec![element.clone()])) {
                let member = culprit(&key, element, &message).map_or(String::new(), |member| format!("/{member}"));
                return Fault::new(format!("/{key}/{index}{member}"), message);
            }
        }
        return Fault::new(format!("/{key}"), message);
    }
    Fault::file(whole)
}

/// The member without which the complaint changes.
fn culprit(key: &str, element: Value, message: &str) -> Option<String> {
    let Value::Object(members) = element else { return None };
    members.keys().find_map(|member| {
        let mut rest = members.clone();
        rest.remove(member);
        let complaint = refusal(key, &Value::Array(vec![Value::Object(rest)]));
        (complaint.as_deref() != Some(message)).then(|| member.clone())
    })
}

fn refusal(key: &str, value: &Value) -> Option<String> {
    let document = Value::Object([(key.to_owned(), value.clone())].into_iter().collect());
    serde_json::from_value::<Root>(document).err().map(|error| error.to_string())
}
