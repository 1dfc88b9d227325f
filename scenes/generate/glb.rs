//! A small GLB writer: enough glTF for our own scenes.

use std::path::Path;

use glam::{Quat, Vec2, Vec3, Vec4};
use serde_json::{Value, json};

/// Triangles with normals and texture coordinates.
#[derive(Clone, Default, PartialEq)]
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    /// TEXCOORD_1 and on; of each vertex.
    pub more_uvs: Vec<Vec<Vec2>>,
    /// COLOR_0; none, or of each vertex.
    pub colors: Vec<Vec4>,
    pub indices: Vec<u32>,
}

/// A glTF file in the making.
#[derive(Default)]
pub struct Glb {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    materials: Vec<Value>,
    textures: Vec<Value>,
    images: Vec<Value>,
    samplers: Vec<Value>,
    /// Shapes written already, with their accessors: equal shapes are stored once.
    shapes: Vec<(Shape, Value)>,
}

/// Index of a material.
#[derive(Clone, Copy)]
pub struct Material(usize);

/// Index of a mesh.
#[derive(Clone, Copy)]
pub struct Mesh(usize);

impl Glb {
    /// Adds a material as glTF JSON; its `name` is `name`.
    pub fn material(&mut self, name: &str, mut body: Value) -> Material {
        body["name"] = json!(name);
        self.materials.push(body);
        Material(self.materials.len() - 1)
    }

    /// A plain metallic-roughness material.
    pub fn plain(&mut self, name: &str, colour: [f32; 3], metalness: f32, roughness: f32) -> Material {
        let [r, g, b] = colour;
        self.material(
            name,
            json!({ "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": metalness, "roughnessFactor": roughness } }),
        )
    }

    /// A black surface that emits `colour` times `strength`.
    pub fn emissive(&mut self, name: &str, colour: [f32; 3], strength: f32) -> Material {
        self.material(
            name,
            json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.02, 0.02, 0.02, 1.0], "metallicFactor": 0.0 },
                    "emissiveFactor": colour,
                    "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": strength } } }),
        )
    }

    /// The index of a texture that reads an image file beside the GLB.
    pub fn texture(&mut self, file: &str) -> usize {
        self.images.push(json!({ "uri": file }));
        self.textures.push(json!({ "source": self.images.len() - 1 }));
        self.textures.len() - 1
    }

    /// Every texture so far is read without filtering.
    #[allow(dead_code)] // for the scenes of tests
    pub fn nearest_filter(&mut self) {
        self.samplers = vec![json!({ "magFilter": 9728, "minFilter": 9728 })];
        self.textures.iter_mut().for_each(|texture| texture["sampler"] = json!(0));
    }

    /// Adds a mesh of (shape, material) primitives.
    pub fn mesh(&mut self, name: &str, parts: &[(&Shape, Material)]) -> Mesh {
        let primitives: Vec<Value> = parts.iter().map(|(shape, material)| self.primitive(shape, *material)).collect();
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        Mesh(self.meshes.len() - 1)
    }

    /// Places a mesh.
    pub fn place(&mut self, name: &str, mesh: Mesh, translation: Vec3, rotation: Quat, scale: Vec3) {
        self.nodes.push(json!({ "name": name, "mesh": mesh.0, "translation": translation.to_array(),
            "rotation": rotation.to_array(), "scale": scale.to_array() }));
    }

    /// Places a mesh where it was modelled.
    pub fn place_here(&mut self, name: &str, mesh: Mesh) {
        self.place(name, mesh, Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    }

    /// Places copies of a mesh under one node (`EXT_mesh_gpu_instancing`).
    pub fn instances(&mut self, name: &str, mesh: Mesh, placements: &[(Vec3, Quat, Vec3)]) {
        let translations: Vec<f32> = placements.iter().flat_map(|p| p.0.to_array()).collect();
        let rotations: Vec<f32> = placements.iter().flat_map(|p| p.1.to_array()).collect();
        let scales: Vec<f32> = placements.iter().flat_map(|p| p.2.to_array()).collect();
        let attributes = json!({
            "TRANSLATION": self.floats(&translations, "VEC3", 3),
            "ROTATION": self.floats(&rotations, "VEC4", 4),
            "SCALE": self.floats(&scales, "VEC3", 3) });
        self.nodes.push(json!({ "name": name, "mesh": mesh.0,
            "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } } }));
    }

    /// Places a mesh with the bytes of a placement record, 0..1 (`_INSTANCE_VARIATION`).
    pub fn place_varied(&mut self, name: &str, mesh: Mesh, at: Vec3, rotation: Quat, variation: Vec3) {
        let attributes = json!({
            "TRANSLATION": self.floats(&at.to_array(), "VEC3", 3),
            "ROTATION": self.floats(&rotation.to_array(), "VEC4", 4),
            "_INSTANCE_VARIATION": self.floats(&variation.to_array(), "VEC3", 3) });
        self.nodes.push(json!({ "name": name, "mesh": mesh.0,
            "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } } }));
    }

    /// Writes the file.
    pub fn write(mut self, path: &Path) -> std::io::Result<()> {
        let mut used = vec![];
        let text = format!("{:?}{:?}", self.materials, self.nodes);
        for extension in [
            "KHR_materials_emissive_strength",
            "EXT_mesh_gpu_instancing",
            "KHR_texture_transform",
            "KHR_materials_unlit",
            "KHR_materials_transmission",
            "KHR_materials_ior",
        ] {
            if text.contains(extension) {
                used.push(extension);
            }
        }
        pad(&mut self.binary, 0);
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        let mut root = json!({
            "asset": { "version": "2.0", "generator": "scrutineer scenes/generate" },
            "scene": 0, "scenes": [{ "nodes": nodes }], "nodes": self.nodes, "meshes": self.meshes,
            "materials": self.materials, "accessors": self.accessors, "bufferViews": self.views,
            "buffers": [{ "byteLength": self.binary.len() }] });
        for (key, values) in [("textures", &self.textures), ("images", &self.images), ("samplers", &self.samplers)] {
            if !values.is_empty() {
                root[key] = json!(values);
            }
        }
        if !used.is_empty() {
            root["extensionsUsed"] = json!(used);
        }
        let mut text = serde_json::to_vec(&root)?;
        pad(&mut text, b' ');
        let mut file = Vec::new();
        let length = 12 + 8 + text.len() + 8 + self.binary.len();
        file.extend(b"glTF");
        file.extend(2u32.to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.binary)] {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        std::fs::write(path, file)
    }

    fn primitive(&mut self, shape: &Shape, material: Material) -> Value {
        let known = self.shapes.iter().find(|(other, _)| other == shape).map(|(_, primitive)| primitive.clone());
        let mut primitive = known.unwrap_or_else(|| {
            let primitive = self.geometry(shape);
            self.shapes.push((shape.clone(), primitive.clone()));
            primitive
        });
        primitive["material"] = json!(material.0);
        primitive
    }

    fn geometry(&mut self, shape: &Shape) -> Value {
        let flat3 = |values: &[Vec3]| values.iter().flat_map(|v| v.to_array()).collect::<Vec<f32>>();
        let uvs: Vec<f32> = shape.uvs.iter().flat_map(|v| v.to_array()).collect();
        let position = self.floats(&flat3(&shape.positions), "VEC3", 3);
        let (low, high) = shape
            .positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        self.accessors[position]["min"] = json!(low.to_array());
        self.accessors[position]["max"] = json!(high.to_array());
        let mut attributes = json!({ "POSITION": position, "NORMAL": self.floats(&flat3(&shape.normals), "VEC3", 3),
            "TEXCOORD_0": self.floats(&uvs, "VEC2", 2) });
        for (index, set) in shape.more_uvs.iter().enumerate() {
            let uvs: Vec<f32> = set.iter().flat_map(|v| v.to_array()).collect();
            attributes[format!("TEXCOORD_{}", index + 1)] = json!(self.floats(&uvs, "VEC2", 2));
        }
        if !shape.colors.is_empty() {
            let colors: Vec<f32> = shape.colors.iter().flat_map(|v| v.to_array()).collect();
            attributes["COLOR_0"] = json!(self.floats(&colors, "VEC4", 4));
        }
        json!({ "attributes": attributes, "indices": self.indices(&shape.indices) })
    }

    fn floats(&mut self, values: &[f32], kind: &str, width: usize) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, json!({ "componentType": 5126, "type": kind, "count": values.len() / width }))
    }

    fn indices(&mut self, indices: &[u32]) -> usize {
        let small = indices.iter().all(|index| *index < 0xffff);
        let bytes: Vec<u8> = match small {
            true => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            false => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        };
        let component = if small { 5123 } else { 5125 };
        self.accessor(&bytes, json!({ "componentType": component, "type": "SCALAR", "count": indices.len() }))
    }

    fn accessor(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        pad(&mut self.binary, 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len() }));
        self.binary.extend(bytes);
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    while !bytes.len().is_multiple_of(4) {
        bytes.push(with);
    }
}
