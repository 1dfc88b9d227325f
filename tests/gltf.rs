//! glTF files: real ones, faulty ones, and small ones built here for each trap.

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
fn every_sample_loads() {
    let Some(samples) = support::samples() else { return };
    for path in files(&samples.join("gltf")).iter().filter(|path| !path.components().any(|c| c.as_os_str() == "faults")) {
        let start = std::time::Instant::now();
        let d = gltf::describe(path).unwrap();
        println!("{:?}\n{d}", start.elapsed());
    }
}

#[test]
fn every_faulty_file_loads_or_says_what_is_wrong() {
    let Some(samples) = support::samples() else { return };
    for path in files(&samples.join("gltf/faults")) {
        match gltf::read(&path) {
            Ok(d) => println!("OK {} {:?}", path.file_name().unwrap().display(), d.warnings),
            Err(error) => println!("ER {}", error.to_string().replace("/work/shared/samples/gltf/faults/", "")),
        }
    }
}
