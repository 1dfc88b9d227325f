//! GLB chunks, JSON text, buffers and URIs.

use std::path::Path;

use scrutineer::scene::gltf::{self, Document, GltfError, Image};
use serde_json::json;

use crate::builder::{Asset, QUAD, float_bytes, glb, load, warned};

/// A `.gltf` that takes a triangle's positions from `uri`.
fn triangle_from(uri: &str) -> String {
    json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": uri, "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}]
    })
    .to_string()
}

fn read_in(folder: &Path, text: &str) -> Result<Document, GltfError> {
    let path = folder.join("asset.gltf");
    std::fs::write(&path, text).unwrap();
    gltf::read(&path)
}

#[test]
fn trap_3_bytes_that_are_not_utf8_are_an_error_with_their_place() {
    let mut text = br#"{"asset":{"version":"2.0"},"nodes":[{"name":"x"}]}"#.to_vec();
    let at = text.iter().position(|byte| *byte == b'x').unwrap();
    text[at] = 0xff;
    let error = load(&glb(&text, None), "glb").unwrap_err();
    assert!(error.message.contains(&format!("not UTF-8: byte {at}")), "{error}");
}

#[test]
fn trap_5_a_bin_chunk_may_be_longer_than_its_buffer_but_not_shorter() {
    let with_length = |length: usize| {
        let mut asset = Asset::quad();
        asset.json["buffers"] = json!([{"byteLength": length}]);
        let bin = std::mem::take(&mut asset.bin);
        load(&glb(asset.json.to_string().as_bytes(), Some(&bin)), "glb")
    };
    // 48 bytes of positions and 6 of indices: padded to 56.
    let document = with_length(54).unwrap();
    assert_eq!((document.meshes.len(), document.warnings.len()), (1, 0));
    let error = with_length(57).unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.message.as_str()),
        ("/buffers/0/byteLength", "57 bytes are stated, 56 are there")
    );
}

#[test]
fn trap_7_a_glb_needs_no_bin_chunk_and_may_have_an_empty_one() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"name":"empty"}]}"#;
    for bin in [None, Some(&[][..])] {
        let document = load(&glb(text, bin), "glb").unwrap();
        assert!(document.placements.is_empty());
        assert!(warned(&document, "places no triangles"));
    }
}

#[test]
fn trap_9_uris_are_percent_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let bytes = float_bytes(&QUAD[..3]);
    for (name, uris) in [
        ("my tex.bin", &["my%20tex.bin", "my tex.bin"][..]),
        ("größe.bin", &["gr%C3%B6%C3%9Fe.bin", "größe.bin"]),
        ("../outside.bin", &["../outside.bin", "%2E%2E/outside.bin"]),
        ("100%25.bin", &["100%25.bin"]), // A name that is on disk only as it stands.
    ] {
        std::fs::write(inner.join(name), &bytes).unwrap();
        for uri in uris {
            let document = read_in(&inner, &triangle_from(uri)).unwrap();
            assert_eq!(document.meshes[0].mesh.positions[1], glam::Vec3::X, "{uri}");
        }
    }
}

#[test]
fn trap_9_data_uris_need_no_padding() {
    // Three times (0, 0, 0): 36 zero bytes are exactly 48 digits; 37 leave one that wants padding.
    let digits = "A".repeat(50);
    let document = load(triangle_from(&format!("data:application/octet-stream;base64,{digits}")).as_bytes(), "gltf");
    assert_eq!(document.unwrap().meshes[0].mesh.indices, [[0, 1, 2]], "degenerate triangles are kept");
}

#[test]
fn a_missing_buffer_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_in(folder.path(), &triangle_from("gone.bin")).unwrap_err();
    assert_eq!(error.pointer, "/buffers/0/uri");
    assert!(error.message.contains("gone.bin"), "{error}");
}

#[test]
fn a_device_is_not_read_for_ever() {
    let error = load(triangle_from("/dev/zero").as_bytes(), "gltf").unwrap_err();
    assert!(error.message.contains("not a regular file"), "{error}");
}

#[test]
fn a_wrong_json_type_is_named_by_its_pointer() {
    let mut asset = Asset::quad();
    asset.json["accessors"][1]["byteOffset"] = json!("four");
    let error = asset.load().unwrap_err();
    assert_eq!(error.pointer, "/accessors/1/byteOffset");
    assert!(error.message.contains("invalid type: string \"four\""), "{error}");
}

#[test]
fn required_extensions_must_be_read_and_used_ones_warn() {
    let mut asset = Asset::quad();
    asset.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression", "KHR_texture_transform"]);
    let document = asset.load().unwrap();
    assert_eq!(document.warnings.len(), 1);
    assert!(warned(&document, "KHR_draco_mesh_compression"));
    asset.json["extensionsRequired"] = json!(["KHR_texture_transform", "KHR_mesh_quantisation"]);
    let error = asset.load().unwrap_err();
    assert_eq!(error.pointer, "/extensionsRequired/1");
    assert!(error.message.contains("did you mean \"KHR_mesh_quantization\"?"), "{error}");
    assert!(error.message.contains("EXT_mesh_gpu_instancing"), "{error}");
}

#[test]
fn embedded_images_are_named_and_not_copied_about() {
    let mut asset = Asset::quad();
    let view = asset.view(b"\x89PNG");
    asset.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    let document = asset.load().unwrap();
    let Image::Embedded { name, bytes } = &document.images[0] else { panic!("{:?}", document.images) };
    assert!(name.ends_with("asset.glb#/images/0"), "{name}");
    assert_eq!(&bytes[..], b"\x89PNG");
}
