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
    // The node's own matrix stretches the first kind by 1.3 along Y, after the instances' transforms.
    let stretched = document.placements.iter().find(|placement| &*placement.node_name == "teapot").unwrap();
    let axes = stretched.transform.matrix3;
    assert!((axes.y_axis.length() / axes.x_axis.length() - 1.3).abs() < 1e-3, "{axes}");
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
