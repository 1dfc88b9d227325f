//! Accessors, attributes, primitive modes, generated normals and tangents.

use glam::{Vec2, Vec3, Vec4};
use scrutineer::geometry::mesh::Mesh;
use serde_json::json;

use crate::builder::{Asset, F32, I8, I16, QUAD, U8, U16, float_bytes, warned};

fn mesh(asset: &Asset) -> Mesh {
    asset.load().unwrap().meshes.remove(0).mesh
}

/// The quad with normals, so that its four vertices stay as they are.
fn smooth_quad() -> Asset {
    let mut asset = Asset::quad();
    let normals = asset.floats(&[[0.0, 0.0, 1.0]; 4]);
    asset.attribute("NORMAL", normals);
    asset
}

#[test]
fn trap_1_sparse_elements_replace_those_of_the_buffer_view() {
    let mut asset = smooth_quad();
    let indices = asset.view(&[1, 3]);
    let values = asset.view(&float_bytes(&[[5.0, 0.0, 0.0], [0.0, 7.0, 0.0]]));
    asset.json["accessors"][0]["sparse"] = json!({
        "count": 2, "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}
    });
    let moved = [Vec3::ZERO, Vec3::X * 5.0, Vec3::new(1.0, 1.0, 0.0), Vec3::Y * 7.0];
    assert_eq!(mesh(&asset).positions, moved);
    asset.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(mesh(&asset).positions, [Vec3::ZERO, moved[1], Vec3::ZERO, moved[3]], "zeros where no base is");
}

#[test]
fn sparse_indices_are_checked() {
    let mut asset = smooth_quad();
    let indices = asset.view(&[9, 0]);
    let values = asset.view(&[0; 12]);
    asset.json["accessors"][0]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": indices, "componentType": U16}, "values": {"bufferView": values}
    });
    let error = asset.load().unwrap_err();
    assert_eq!(error.pointer, "/accessors/0/sparse/indices");
    assert_eq!(error.message, "sparse index 9 exceeds the accessor's 4 elements");
}

#[test]
fn trap_11_interleaved_attributes_follow_the_stride() {
    let mut asset = Asset::quad();
    let vertices: Vec<[f32; 8]> =
        QUAD.iter().map(|[x, y, z]| [*x, *y, *z, 0.0, 0.0, 1.0, *x * 0.5, 1.0 - *y]).collect();
    let view = asset.view(&float_bytes(&vertices));
    asset.json["bufferViews"][view]["byteStride"] = json!(32);
    for (name, kind, offset) in [("POSITION", "VEC3", 0), ("NORMAL", "VEC3", 12), ("TEXCOORD_0", "VEC2", 24)] {
        let accessor =
            json!({"bufferView": view, "byteOffset": offset, "componentType": F32, "type": kind, "count": 4});
        let accessor = asset.push("accessors", accessor);
        asset.attribute(name, accessor);
    }
    let mesh = mesh(&asset);
    assert_eq!(mesh.positions, QUAD.map(Vec3::from));
    assert_eq!(mesh.normals, [Vec3::Z; 4]);
    assert_eq!(mesh.uvs[0], QUAD.map(|[x, y, _]| Vec2::new(x * 0.5, 1.0 - y)));
}

#[test]
fn trap_15_tangents_without_normals_are_ignored() {
    let mut asset = Asset::quad();
    let tangents = asset.floats(&[[0.0, 0.0, 1.0, 1.0]; 4]);
    let uvs = asset.floats(&QUAD.map(|[x, y, _]| [x, 1.0 - y]));
    asset.attribute("TANGENT", tangents);
    asset.attribute("TEXCOORD_0", uvs);
    let document = asset.load().unwrap();
    assert!(warned(&document, "TANGENT without NORMAL"));
    let mesh = &document.meshes[0].mesh;
    assert_eq!(mesh.normals, [Vec3::Z; 6]);
    assert_eq!(mesh.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 6]);
}

#[test]
fn trap_19_vertex_colours_are_linear_fractions_of_any_type() {
    let colors = |bytes: &[u8], component, kind| {
        let mut asset = smooth_quad();
        let accessor = asset.accessor(bytes, component, kind, 4, component != F32);
        if component == U8 && kind == "VEC3" {
            asset.json["bufferViews"].as_array_mut().unwrap().last_mut().unwrap()["byteStride"] = json!(4);
        }
        asset.attribute("COLOR_0", accessor);
        mesh(&asset).colors[0]
    };
    let grey = 128.0 / 255.0;
    assert_eq!(colors(&[128, 128, 128, 0].repeat(4), U8, "VEC3"), Vec4::new(grey, grey, grey, 1.0));
    assert_eq!(colors(&[255, 0, 51, 102].repeat(4), U8, "VEC4"), Vec4::new(1.0, 0.0, 0.2, 0.4));
    let shorts = [65535u16, 13107, 0].map(u16::to_le_bytes).concat();
    let padded: Vec<u8> = shorts.repeat(4);
    assert_eq!(colors(&padded, U16, "VEC3"), Vec4::new(1.0, 0.2, 0.0, 1.0));
    assert_eq!(colors(&float_bytes(&[[0.5, 2.0, 0.25, 0.75]; 4]), F32, "VEC4"), Vec4::new(0.5, 2.0, 0.25, 0.75));
}

#[test]
fn trap_23_positions_that_are_not_finite_name_mesh_and_accessor() {
    for bad in [f32::INFINITY, f32::NAN] {
        let mut asset = Asset::quad();
        asset.bin[12..16].copy_from_slice(&bad.to_le_bytes());
        let error = asset.load().unwrap_err();
        assert_eq!(error.pointer, "/accessors/0");
        assert!(error.message.contains("POSITION of vertex 1 of the mesh \"quad\""), "{error}");
    }
}

#[test]
fn quantised_attributes_are_decoded() {
    let mut asset = Asset::quad();
    asset.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    asset.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let shorts = |values: &[i16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let positions = shorts(&[0, 0, 0, 0, 2, 0, 0, 0, 2, 2, 0, 0, 0, 2, -3, 0]);
    let normals = [0u8, 0, 127, 0].repeat(4);
    let uvs = shorts(&[0, 32767, 32767, 32767, 32767, 0, -32768, 0]);
    for (name, bytes, component, kind, normalized, stride) in [
        ("POSITION", positions, I16, "VEC3", false, 8),
        ("NORMAL", normals, I8, "VEC3", true, 4),
        ("TEXCOORD_0", uvs, I16, "VEC2", true, 4),
    ] {
        let accessor = asset.accessor(&bytes, component, kind, 4, normalized);
        asset.json["bufferViews"].as_array_mut().unwrap().last_mut().unwrap()["byteStride"] = json!(stride);
        asset.attribute(name, accessor);
    }
    let document = asset.load().unwrap();
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    let mesh = &document.meshes[0].mesh;
    assert_eq!(mesh.positions[1..], [Vec3::X * 2.0, Vec3::new(2.0, 2.0, 0.0), Vec3::new(0.0, 2.0, -3.0)]);
    assert_eq!(mesh.normals, [Vec3::Z; 4]);
    assert_eq!(mesh.uvs[0], [Vec2::Y, Vec2::ONE, Vec2::X, Vec2::new(-1.0, 0.0)]);
}

#[test]
fn strips_fans_and_bare_vertices_make_triangles() {
    let triangles = |mode: u32| {
        let mut asset = Asset::quad();
        asset.primitive()["mode"] = json!(mode);
        asset.primitive().as_object_mut().unwrap().remove("indices");
        let mesh = mesh(&asset);
        let corner = |vertex: u32| QUAD.iter().position(|p| Vec3::from(*p) == mesh.positions[vertex as usize]).unwrap();
        mesh.indices.iter().map(|triangle| triangle.map(corner)).collect::<Vec<_>>()
    };
    assert_eq!(triangles(4), [[0, 1, 2]], "the fourth vertex is left over");
    assert_eq!(triangles(5), [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(triangles(6), [[1, 2, 0], [2, 3, 0]]);
}

#[test]
fn points_and_lines_are_skipped_and_unknown_modes_refused() {
    for mode in 0..4 {
        let mut asset = Asset::quad();
        asset.primitive()["mode"] = json!(mode);
        let document = asset.load().unwrap();
        assert!(document.meshes.is_empty() && warned(&document, "only triangles are rendered"));
    }
    let mut asset = Asset::quad();
    asset.primitive()["mode"] = json!(7);
    assert_eq!(asset.load().unwrap_err().pointer, "/meshes/0/primitives/0/mode");
}

#[test]
fn vertices_that_no_index_reaches_are_left_out() {
    let mut asset = smooth_quad();
    let indices = asset.accessor(&[3, 1, 2], U8, "SCALAR", 3, false);
    asset.primitive()["indices"] = json!(indices);
    let mesh = mesh(&asset);
    assert_eq!(mesh.positions, [QUAD[1], QUAD[2], QUAD[3]].map(Vec3::from));
    assert_eq!(mesh.indices, [[2, 0, 1]]);
}

#[test]
fn generated_tangents_follow_the_normal_maps_uv_set() {
    let mut asset = smooth_quad();
    let upright = asset.floats(&QUAD.map(|[x, y, _]| [x, 1.0 - y]));
    let turned = asset.floats(&QUAD.map(|[x, y, _]| [y, x]));
    asset.attribute("TEXCOORD_0", upright);
    asset.attribute("TEXCOORD_2", turned);
    assert_eq!(mesh(&asset).tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    asset.push("images", json!({"uri": "normal.png"}));
    asset.push("textures", json!({"source": 0}));
    asset.push("materials", json!({"normalTexture": {"index": 0, "texCoord": 2}}));
    asset.primitive()["material"] = json!(0);
    assert_eq!(mesh(&asset).tangents, [Vec4::new(0.0, 1.0, 0.0, 1.0); 4]);
}

#[test]
fn second_tangents_and_five_uv_sets_are_read_and_others_named() {
    let mut asset = smooth_quad();
    let tangents = asset.floats(&[[0.0, 2.0, 0.0, -1.0]; 4]);
    asset.attribute("_TANGENT1", tangents);
    for set in 0..6 {
        let uvs = asset.floats(&[[set as f32, 0.5]; 4]);
        asset.attribute(&format!("TEXCOORD_{set}"), uvs);
    }
    let document = asset.load().unwrap();
    let mesh = &document.meshes[0].mesh;
    assert_eq!(mesh.tangents1, [Vec4::new(0.0, 1.0, 0.0, -1.0); 4]);
    assert_eq!([0, 1, 2, 3, 4].map(|set| mesh.uvs[set][3]), [0.0, 1.0, 2.0, 3.0, 4.0].map(|set| Vec2::new(set, 0.5)));
    assert!(warned(&document, "\"TEXCOORD_5\" is not read"));
}

/// Each fault is set into a sound file; the error must name its place.
#[test]
fn every_index_range_stride_count_and_type_is_checked() {
    type Break = fn(&mut Asset);
    let cases: [(&str, Break); 13] = [
        ("/accessors/0/byteOffset", |a| a.json["accessors"][0]["count"] = json!(5)),
        ("/accessors/0/byteOffset", |a| a.json["accessors"][0]["byteOffset"] = json!(u64::MAX)),
        ("/accessors/0/count", |a| a.json["accessors"][0]["count"] = json!(u64::MAX)),
        ("/accessors/0/componentType", |a| a.json["accessors"][0]["componentType"] = json!(5124)),
        ("/accessors/0/type", |a| a.json["accessors"][0]["type"] = json!("VEC5")),
        ("/accessors/0/type", |a| a.json["accessors"][0]["type"] = json!("VEC2")),
        ("/accessors/0/bufferView", |a| a.json["accessors"][0]["bufferView"] = json!(9)),
        ("/bufferViews/0/byteStride", |a| a.json["bufferViews"][0]["byteStride"] = json!(8)),
        ("/bufferViews/0/byteLength", |a| a.json["bufferViews"][0]["byteLength"] = json!(u64::MAX)),
        ("/bufferViews/0/buffer", |a| a.json["bufferViews"][0]["buffer"] = json!(1)),
        ("/accessors/1", |a| a.bin[50] = 4),
        ("/meshes/0/primitives/0/indices", |a| a.primitive()["indices"] = json!(7)),
        ("/meshes/0/primitives/0/material", |a| a.primitive()["material"] = json!(0)),
    ];
    for (pointer, damage) in cases {
        let mut asset = Asset::quad();
        damage(&mut asset);
        assert_eq!(asset.load().unwrap_err().pointer, pointer);
    }
}

#[test]
fn zeros_without_a_buffer_view_cannot_ask_for_all_memory() {
    let mut asset = Asset::quad();
    asset.json["accessors"][0] = json!({"componentType": F32, "type": "VEC3", "count": 4_000_000_000u32});
    assert_eq!(asset.load().unwrap_err().pointer, "/accessors/0/count");
}

#[test]
fn attributes_of_another_length_are_refused() {
    let mut asset = Asset::quad();
    let normals = asset.floats(&[[0.0, 0.0, 1.0]; 3]);
    asset.attribute("NORMAL", normals);
    let error = asset.load().unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.message.as_str()),
        ("/accessors/2/count", "NORMAL has 3 elements, POSITION has 4")
    );
}
