//! Nodes, instances, cameras and lights.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::time::Instant;

use glam::{DAffine3, DQuat, DVec3};
use scrutineer::scene::gltf::{Lens, LightKind};
use serde_json::{Value, json};

use crate::builder::{Asset, I8, I16, U8, warned};

fn near(a: DVec3, b: DVec3) -> bool {
    (a - b).length() < 1e-6
}

/// A quad mesh of two primitives under a node turned a quarter about Y and moved to x = 10, with three instances.
fn instanced(attributes: Value) -> Asset {
    let mut asset = Asset::quad();
    let primitive = asset.primitive().clone();
    asset.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    let half = (FRAC_PI_4).sin();
    asset.json["nodes"] = json!([
        {"name": "parent", "translation": [10, 0, 0], "rotation": [0, half, 0, half], "children": [1]},
        {"name": "trees", "mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}}
    ]);
    asset.json["scenes"] = json!([{"nodes": [0]}]);
    asset
}

fn parent() -> DAffine3 {
    DAffine3::from_rotation_translation(DQuat::from_rotation_y(FRAC_PI_2), DVec3::new(10.0, 0.0, 0.0))
}

#[test]
fn trap_13_instances_keep_the_nodes_transform_and_every_primitive() {
    let mut asset = instanced(json!({}));
    let translation = asset.floats(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]);
    let scale = asset.floats(&[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [-1.0, 1.0, 1.0]]);
    let variation = asset.accessor(&[255, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0], U8, "VEC3", 3, false);
    asset.json["bufferViews"].as_array_mut().unwrap().last_mut().unwrap()["byteStride"] = json!(4);
    asset.json["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] =
        json!({"TRANSLATION": translation, "SCALE": scale, "_INSTANCE_VARIATION": variation});
    let document = asset.load().unwrap();
    let meshes: Vec<_> = document.placements.iter().map(|placement| placement.mesh).collect();
    assert_eq!(meshes, [0, 1, 0, 1, 0, 1]);
    assert!(document.placements.iter().all(|placement| &*placement.node_name == "trees"));
    // Instance x turns to −z, instance z to x.
    let origins = [0, 2, 4].map(|index| document.placements[index].transform.translation);
    assert!(near(origins[0], DVec3::new(10.0, 0.0, -1.0)), "{origins:?}");
    assert!(near(origins[1], DVec3::new(10.0, 2.0, 0.0)), "{origins:?}");
    assert!(near(origins[2], DVec3::new(13.0, 0.0, 0.0)), "{origins:?}");
    let determinants = [0, 2, 4].map(|index| document.placements[index].transform.matrix3.determinant().round());
    assert_eq!(determinants, [1.0, 8.0, -1.0]);
    assert_eq!(document.placements[0].variation, Some([1.0, 0.0, 0.2]));
}

#[test]
fn trap_13_rotations_alone_as_normalised_bytes_and_shorts() {
    // A quarter turn about X: (sin 45°, 0, 0, cos 45°), 90 of 127 and 23170 of 32767; then none; then a half about Z.
    let bytes = [90i8, 0, 0, 90, 0, 0, 0, 127, 0, 0, 127, 0].map(|value| value as u8);
    let shorts: Vec<u8> =
        [23170i16, 0, 0, 23170, 0, 0, 0, 32767, 0, 0, 32767, 0].iter().flat_map(|v| v.to_le_bytes()).collect();
    for (component, data) in [(I8, &bytes[..]), (I16, &shorts[..])] {
        let mut asset = instanced(json!({}));
        let rotation = asset.accessor(data, component, "VEC4", 3, true);
        asset.json["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = json!({"ROTATION": rotation});
        let document = asset.load().unwrap();
        assert_eq!(document.placements.len(), 6);
        let turns = [DQuat::from_rotation_x(FRAC_PI_2), DQuat::IDENTITY, DQuat::from_rotation_z(2.0 * FRAC_PI_2)];
        for (index, turn) in turns.into_iter().enumerate() {
            let expected = parent() * DAffine3::from_quat(turn);
            let found = document.placements[2 * index].transform;
            assert!(found.abs_diff_eq(expected, 1e-6), "{component} {index}: {found:?}");
        }
    }
}

#[test]
fn instance_attributes_must_have_one_length() {
    let mut asset = instanced(json!({}));
    let (translation, scale) = (asset.floats(&[[0.0; 3]; 3]), asset.floats(&[[1.0; 3]; 2]));
    asset.json["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] =
        json!({"TRANSLATION": translation, "SCALE": scale});
    let error = asset.load().unwrap_err();
    assert_eq!(error.message, "TRANSLATION has 3 instances, SCALE has 2");
}

#[test]
fn world_transforms_are_double_precision_and_keep_negative_scale() {
    let mut asset = Asset::quad();
    asset.json["nodes"] = json!([
        {"translation": [5000000.125, 0, 0], "scale": [-2, 1, 1], "children": [1]},
        {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.0625, 0, 7, 1]}
    ]);
    let document = asset.load().unwrap();
    let placement = &document.placements[0];
    assert_eq!(placement.transform.translation, DVec3::new(5000000.0, 0.0, 7.0));
    assert_eq!(placement.transform.matrix3.determinant(), -2.0);
    assert_eq!(&*placement.node_name, "node 1");
}

#[test]
fn trap_23_cycles_and_second_parents_are_errors() {
    let error = |nodes: Value| {
        let mut asset = Asset::quad();
        asset.json["nodes"] = nodes;
        asset.json["scenes"] = json!([{"nodes": [0]}]);
        asset.load().unwrap_err().to_string()
    };
    assert!(error(json!([{"children": [1]}, {"children": [0]}])).contains("is its own ancestor"));
    assert!(error(json!([{"children": [0]}])).contains("is its own ancestor"));
    // A diamond would grow without bound when stacked.
    assert!(
        error(json!([{"children": [1, 2]}, {"children": [3]}, {"children": [3]}, {}])).contains("one parent at most")
    );
    assert!(error(json!([{"children": [4]}])).contains("node 4 does not exist"));
}

#[test]
fn long_chains_and_many_nodes_load_fast() {
    let mut asset = Asset::quad();
    let count = 100_000;
    let mut nodes: Vec<Value> =
        (0..count).map(|i| json!({"name": format!("n{i}"), "mesh": 0, "translation": [0.5, 0, 0]})).collect();
    for (index, node) in nodes.iter_mut().enumerate().take(count / 2) {
        node["children"] = json!([index + 1]);
    }
    asset.json["nodes"] = Value::Array(nodes);
    let bytes = asset.glb();
    let start = Instant::now();
    let document = crate::builder::load(&bytes, "glb").unwrap();
    let elapsed = start.elapsed();
    println!("{count} nodes, {} bytes: {elapsed:?}", bytes.len());
    assert_eq!(document.placements.len(), count);
    assert_eq!(document.placements[1000].transform.translation.x, 500.5);
    assert!(elapsed.as_secs() < 10, "{elapsed:?}");
}

#[test]
fn the_default_scene_is_the_one_read() {
    let mut asset = Asset::quad();
    asset.push("nodes", json!({"name": "other", "mesh": 0}));
    asset.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [1]}]);
    let names =
        |asset: &Asset| asset.load().unwrap().placements.iter().map(|p| p.node_name.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&asset), ["quad"]);
    asset.json["scene"] = json!(1);
    assert_eq!(names(&asset), ["other"]);
    asset.json.as_object_mut().unwrap().remove("scene");
    asset.json.as_object_mut().unwrap().remove("scenes");
    assert_eq!(names(&asset), ["quad", "other"]);
}

#[test]
fn cameras_are_named_by_their_node_and_keep_what_the_file_says() {
    let mut asset = Asset::quad();
    asset.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": FRAC_PI_2, "aspectRatio": 16.0 / 9.0, "znear": 0.1}},
        {"type": "perspective", "name": "free", "perspective": {"yfov": FRAC_PI_2, "znear": 0.1, "zfar": 9}},
        {"type": "orthographic", "orthographic": {"xmag": 8, "ymag": 2, "znear": 0, "zfar": 10}}
    ]);
    asset.json["nodes"] = json!([
        {"mesh": 0}, {"name": "eye", "camera": 0, "translation": [1, 2, 3]}, {"camera": 1}, {"camera": 2}
    ]);
    let cameras = asset.load().unwrap().cameras;
    let names: Vec<_> = cameras.iter().map(|camera| &*camera.name).collect();
    assert_eq!(names, ["eye", "free", "node 3"]);
    assert_eq!(cameras[0].transform.translation, DVec3::new(1.0, 2.0, 3.0));
    assert!(matches!(cameras[0].lens, Lens::Perspective { aspect: Some(aspect), .. } if aspect == 16.0 / 9.0));
    assert!(matches!(cameras[1].lens, Lens::Perspective { aspect: None, zfar: Some(9.0), .. }));
    assert!(matches!(cameras[2].lens, Lens::Orthographic { xmag: 8.0, ymag: 2.0, .. }));
}

#[test]
fn lights_shine_along_their_nodes_negative_z() {
    let mut asset = Asset::quad();
    asset.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "name": "lamp", "color": [1, 0.5, 0], "intensity": 8, "range": 5,
         "spot": {"innerConeAngle": 0.25, "outerConeAngle": 1}},
        {"type": "directional"}
    ]}});
    let half = FRAC_PI_4.sin();
    let light = |index: u32| json!({"KHR_lights_punctual": {"light": index}});
    asset.json["nodes"] = json!([
        {"mesh": 0},
        {"extensions": light(0), "translation": [0, 4, 0], "rotation": [-half, 0, 0, half], "scale": [3, 3, 3]},
        {"extensions": light(1), "name": "moon"}
    ]);
    let lights = asset.load().unwrap().lights;
    assert_eq!((&*lights[0].name, lights[0].intensity, lights[0].range), ("lamp", [8.0, 4.0, 0.0], Some(5.0)));
    assert_eq!(lights[0].kind, LightKind::Spot { inner: 0.25, outer: 1.0 });
    assert!(near(lights[0].position(), DVec3::Y * 4.0) && near(lights[0].direction(), -DVec3::Y));
    assert_eq!((&*lights[1].name, lights[1].intensity), ("moon", [1.0; 3]));
    assert_eq!(lights[1].direction(), -DVec3::Z);
    asset.json["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["innerConeAngle"] = json!(1.2);
    assert_eq!(asset.load().unwrap_err().pointer, "/extensions/KHR_lights_punctual/lights/0/spot");
}

#[test]
fn skins_and_morph_targets_are_in_rest_pose_with_a_warning() {
    let mut asset = Asset::quad();
    asset.primitive()["targets"] = json!([{"POSITION": 0}]);
    asset.json["nodes"][0]["skin"] = json!(0);
    asset.json["skins"] = json!([{"joints": [0]}]);
    let document = asset.load().unwrap();
    assert_eq!(document.placements.len(), 1);
    assert!(warned(&document, "morph targets") && warned(&document, "rest pose"));
}
