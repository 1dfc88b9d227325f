//! Small glTF files, built in the test that needs them.

use scrutineer::scene::gltf::{self, Document, GltfError};
use serde_json::{Value, json};

pub const U8: u32 = 5121;
pub const I8: u32 = 5120;
pub const U16: u32 = 5123;
pub const I16: u32 = 5122;
pub const F32: u32 = 5126;

/// A glTF in the making: its JSON, and one buffer.
pub struct Asset {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Asset {
    pub fn new() -> Self {
        let json = json!({"asset": {"version": "2.0"}, "bufferViews": [], "accessors": [], "meshes": [], "nodes": []});
        Self { json, bin: vec![] }
    }

    /// The unit quad in z = 0, facing +Z, as indexed triangles without normals, and a node `quad` that places it.
    pub fn quad() -> Self {
        let mut asset = Self::new();
        let positions = asset.floats(&QUAD);
        let indices = asset.accessor(&[0, 1, 2, 0, 2, 3], U8, "SCALAR", 6, false);
        asset.push(
            "meshes",
            json!({"name": "quad", "primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}),
        );
        asset.push("nodes", json!({"name": "quad", "mesh": 0}));
        asset
    }

    /// Appends to a top-level array; the new element's index.
    pub fn push(&mut self, list: &str, element: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(element);
        list.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, normalized: bool) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count, "normalized": normalized}),
        )
    }

    pub fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][N];
        self.accessor(&float_bytes(values), F32, kind, values.len(), false)
    }

    /// The first primitive of the first mesh.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    pub fn attribute(&mut self, name: &str, accessor: usize) {
        self.primitive()["attributes"][name] = json!(accessor);
    }

    /// The JSON with its buffer declared.
    fn finished(&self) -> Value {
        let mut json = self.json.clone();
        if !self.bin.is_empty() {
            json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        json
    }

    pub fn glb(&self) -> Vec<u8> {
        let bin = (!self.bin.is_empty()).then_some(&self.bin[..]);
        glb(self.finished().to_string().as_bytes(), bin)
    }

    pub fn load(&self) -> Result<Document, GltfError> {
        load(&self.glb(), "glb")
    }
}

pub const QUAD: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

pub fn float_bytes<const N: usize>(values: &[[f32; N]]) -> Vec<u8> {
    values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect()
}

/// A GLB of a JSON text and, if any, a BIN chunk. Chunks are padded to 4 bytes.
pub fn glb(json: &[u8], bin: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = vec![];
    let mut chunk = |kind: &[u8; 4], data: &[u8], padding: u8| {
        let length = data.len().next_multiple_of(4);
        chunks.extend((length as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(data);
        chunks.extend(std::iter::repeat_n(padding, length - data.len()));
    };
    chunk(b"JSON", json, b' ');
    if let Some(bin) = bin {
        chunk(b"BIN\0", bin, 0);
    }
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((12 + chunks.len() as u32).to_le_bytes());
    file.extend(chunks);
    file
}

/// Writes `bytes` to a file with that extension and reads it.
pub fn load(bytes: &[u8], extension: &str) -> Result<Document, GltfError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asset").with_extension(extension);
    std::fs::write(&path, bytes).unwrap();
    gltf::read(&path)
}

/// Whether any warning contains `text`.
pub fn warned(document: &Document, text: &str) -> bool {
    document.warnings.iter().any(|warning| warning.contains(text))
}
