//! glTF files: real ones, faulty ones, and small ones built here for each trap.

#[path = "gltf/builder.rs"]
mod builder;
#[path = "gltf/container.rs"]
mod container;
#[path = "gltf/geometry.rs"]
mod geometry;
#[path = "gltf/material.rs"]
mod material;
#[path = "gltf/scene.rs"]
mod scene;
mod support;

use std::path::{Path, PathBuf};

use scrutineer::scene::gltf;
use serde_json::json;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => found.extend(files(&entry)),
            false => found.push(entry),
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb"));
    found.sort();
    found
}

#[test]
fn the_samples_load_with_their_known_counts() {
    let Some(samples) = support::samples() else { return };
    let describe = |name: &str| gltf::describe(&samples.join("gltf").join(name)).unwrap();
    let helmet = describe("FlightHelmet/FlightHelmet.gltf");
    assert_eq!((helmet.counts.placements, helmet.counts.triangles, helmet.materials.len()), (6, 94722, 6));
    assert!(helmet.warnings.is_empty());
    let boom_box = describe("BoomBox-dds/BoomBox.gltf");
    assert!(boom_box.materials[0].textures[0].contains("BoomBox_baseColor.dds"));
    let mountains = describe("terrain/Mountains.gltf");
    assert_eq!((mountains.counts.placements, mountains.counts.triangles), (2, 12800));
    assert_eq!(describe("terrain/terrain.glb").meshes[0].triangles, 31422);
    let ball = describe("GolfBall.glb");
    assert!(ball.to_string().contains("KHR_materials_clearcoat is not read"), "{ball}");
}

#[test]
fn the_teapots_are_all_there() {
    let Some(samples) = support::samples() else { return };
    let document = gltf::read(&samples.join("gltf/Teapots-instancing/teapots_galore.gltf")).unwrap();
    let of_node = |name: &str| document.placements.iter().filter(|placement| &*placement.node_name == name).count();
    assert_eq!((of_node("teapot"), of_node("teapot0"), of_node("plane")), (958, 941, 1));
    // Its first instance is scaled by 1.4027 along Y and moved; the node's own matrix stretches by 1.3 along Y after that.
    let first = document.placements.iter().find(|placement| &*placement.node_name == "teapot").unwrap();
    let moved = glam::DVec3::new(201.44766235351562, 0.0, -116.4378662109375);
    assert_eq!(first.transform.translation, moved);
    assert!((first.transform.matrix3.y_axis.length() - 1.3 * 1.4026999473571777).abs() < 1e-6);
}

#[test]
fn every_faulty_file_loads_or_says_what_is_wrong_and_where() {
    let Some(samples) = support::samples() else { return };
    let faulty = files(&samples.join("gltf/faults"));
    assert!(faulty.len() > 100, "{} files", faulty.len());
    for path in faulty {
        let outcome = gltf::read(&path);
        println!("{}: {:?}", path.display(), outcome.as_ref().map(|document| &document.warnings));
        let name = path.file_stem().unwrap().to_string_lossy();
        if let Err(error) = &outcome {
            assert_eq!(error.file, path);
            assert!(!error.message.is_empty() && !error.to_string().contains('\n'), "{error}");
        }
        // Files without a fault, and with faults that do no harm.
        if ["valid", "custom_property", "empty_array", "data_uri", "extra_data", "bom"].contains(&&*name) {
            outcome.unwrap();
        } else if name.contains("loop") || name.contains("truncated") || name.contains("not_found") {
            outcome.unwrap_err();
        }
    }
}

/// A file with something of everything, for damage.
fn rich() -> builder::Asset {
    let mut asset = builder::Asset::quad();
    let normals = asset.floats(&[[0.0, 0.0, 1.0]; 4]);
    let uvs = asset.floats(&builder::QUAD.map(|[x, y, _]| [x, 1.0 - y]));
    let colors = asset.accessor(&[200; 16], builder::U8, "VEC4", 4, true);
    asset.attribute("NORMAL", normals);
    asset.attribute("TEXCOORD_0", uvs);
    asset.attribute("COLOR_0", colors);
    let (indices, values) = (asset.view(&[1, 3]), asset.view(&[0; 24]));
    asset.json["accessors"][0]["sparse"] = json!({
        "count": 2, "indices": {"bufferView": indices, "componentType": 5121}, "values": {"bufferView": values}
    });
    let translation = asset.floats(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    let attributes = json!({"TRANSLATION": translation});
    asset.json["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    asset.push("nodes", json!({"camera": 0, "children": [0], "rotation": [0, 0, 0, 1]}));
    asset.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}));
    asset.push("images", json!({"bufferView": 0}));
    asset.push("textures", json!({"source": 0, "sampler": 0}));
    asset.push("samplers", json!({"wrapS": 33071}));
    asset.push("materials", json!({"alphaMode": "MASK", "normalTexture": {"index": 0, "texCoord": 0}}));
    asset.primitive()["material"] = json!(0);
    asset
}

/// Bytes are set at random (a fixed generator, so that a failure repeats): digits become other digits, floats become
/// enormous or NaN, chunk lengths lie. Whatever comes of it is a document without NaN or an error.
#[test]
fn no_damage_panics_or_hangs_the_loader() {
    let asset = rich();
    let (sound, binary) = (asset.glb(), asset.bin.len());
    assert_eq!(builder::load(&sound, "glb").unwrap().placements.len(), 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asset.glb");
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let (mut loaded, start) = (0, std::time::Instant::now());
    for _ in 0..3000 {
        let mut bytes = sound.clone();
        for _ in 0..=random(3) {
            // Half of the damage goes into the BIN chunk: in the JSON most of it is fatal.
            let at = if random(2) == 0 { bytes.len() - 1 - random(binary) } else { random(bytes.len()) };
            bytes[at] = match bytes[at].is_ascii_digit() {
                true => b'0' + random(10) as u8,
                false => [0x00, 0x7f, 0x80, 0xff, b'9', b'-', random(256) as u8][random(7)],
            };
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(document) = gltf::read(&path) {
            loaded += 1;
            let meshes = document.meshes.iter().map(|named| &named.mesh);
            for mesh in meshes {
                assert!(mesh.normals.iter().all(|normal| normal.is_finite()));
                assert!(mesh.tangents.iter().all(|tangent| tangent.is_finite()));
                assert!(mesh.indices.iter().flatten().all(|vertex| (*vertex as usize) < mesh.positions.len()));
            }
        }
    }
    assert!(loaded > 300, "{loaded} loaded: the damage should leave many files readable");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
