//! Files made by others: they load, render, and show what they should.

#[path = "support/mod.rs"]
mod files;
#[path = "support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod support;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use support::{Shot, render, vectors};

/// A glTF file under a picture of a beach, seen by its own camera or by one that frames it.
fn load(samples: &Path, file: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let (geometry, sky) = (samples.join("gltf").join(file), samples.join("environment/spiaggia_di_mondello_1k.hdr"));
    let toml = format!(
        "[render]\nresolution = [64, 64]\nsamples = 4\n[sky]\nkind = \"image\"\nfile = {sky:?}\n\
         [[geometry]]\nfile = {geometry:?}\n"
    );
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, toml).unwrap();
    load::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Renders at 4 samples; the share of pixels whose centre shows a surface, and the mean radiance there.
fn look(scene: &Scene) -> (f64, f64) {
    let film = render(scene, &Shot::default(), &["beauty", "Z", "N"]);
    let (beauty, depth) = (vectors(&film, "beauty"), vectors(&film, "Z"));
    assert!(beauty.iter().all(|v| v.is_finite() && v.min_element() >= 0.0));
    let covered: Vec<_> = (0..depth.len()).filter(|i| depth[*i].x.is_finite()).collect();
    let normals = vectors(&film, "N");
    assert!(covered.iter().all(|i| (normals[*i].length() - 1.0).abs() < 1e-5), "N is unit where there is a surface");
    let mean = covered.iter().map(|i| beauty[*i].element_sum() / 3.0).sum::<f64>() / covered.len().max(1) as f64;
    (covered.len() as f64 / depth.len() as f64, mean)
}

fn triangles(scene: &Scene) -> usize {
    scene.instances.iter().map(|instance| scene.meshes[instance.mesh as usize].indices.len()).sum()
}

#[track_caller]
fn check(file: &str, instances: usize, placed: usize, coverage: std::ops::Range<f64>) {
    let Some(samples) = files::samples() else { return };
    let scene = load(&samples, file);
    assert_eq!((scene.instances.len(), triangles(&scene)), (instances, placed), "{file}: instances, triangles");
    // What is not supported is said; nothing else is wrong with these files.
    let strange = scene.warnings.iter().find(|warning| !warning.contains("KHR_materials_"));
    assert_eq!(strange, None, "{file}");
    let (covered, mean) = look(&scene);
    assert!(coverage.contains(&covered), "{file} covers {covered}");
    assert!((0.01..20.0).contains(&mean), "{file}: mean radiance {mean}");
}

#[test]
fn flight_helmet() {
    check("FlightHelmet/FlightHelmet.gltf", 6, 94_722, 0.1..0.6);
}

#[test]
fn boom_box_with_dds_textures() {
    check("BoomBox-dds/BoomBox.gltf", 1, 6_036, 0.1..0.7);
}

#[test]
fn teapots_by_gpu_instancing() {
    check("Teapots-instancing/teapots_galore.gltf", 1_900, 7_656_770, 0.05..1.0);
}

#[test]
fn golf_ball() {
    check("GolfBall.glb", 1, 356, 0.1..0.7);
}

#[test]
fn terrain() {
    check("terrain/Mountains.gltf", 2, 25_600, 0.1..0.9);
    check("terrain/terrain.glb", 1, 31_422, 0.05..0.9);
}

/// The sky alone: a panorama of the panorama is the panorama.
#[test]
fn a_panorama_as_the_sky() {
    let Some(samples) = files::samples() else { return };
    let picture = image::open(samples.join("environment/spiaggia_di_mondello_1k.hdr")).unwrap().into_rgb32f();
    let (width, height) = picture.dimensions();
    let folder = tempfile::tempdir().unwrap();
    let sky = samples.join("environment/spiaggia_di_mondello_1k.hdr");
    let toml = format!(
        "[render]\nresolution = [{width}, {height}]\nsamples = 4\nfilter = \"box\"\n[camera]\nkind = \"panorama\"\n\
         [sky]\nkind = \"image\"\nfile = {sky:?}\n"
    );
    std::fs::write(folder.path().join("scene.toml"), toml).unwrap();
    let scene = load::load(&folder.path().join("scene.toml"), &Options::default()).unwrap();
    let crop = Some([width as i32 / 2 - 32, height as i32 / 2 - 40, 64, 64]);
    let film = render(&scene, &Shot { crop, ..Shot::default() }, &["beauty"]);
    let mut difference = 0.0;
    let mut total = 0.0;
    for (index, seen) in vectors(&film, "beauty").iter().enumerate() {
        let window = film.window();
        let (x, y) = (window.x as u32 + index as u32 % 64, window.y as u32 + index as u32 / 64);
        let texel = picture.get_pixel(x, y).0.map(f64::from);
        difference += (0..3).map(|c| (seen[c] - texel[c]).abs()).sum::<f64>();
        total += texel.iter().sum::<f64>();
    }
    assert!(difference < 0.15 * total, "the picture's neighbours differ less than that: {}", difference / total);
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "gltf" || ending == "glb") {
            found.push(path);
        }
    }
}

/// Every faulty glTF loads or is refused with its name, and soon; what loads renders.
#[test]
fn faulty_files() {
    let Some(samples) = files::samples() else { return };
    let mut found = vec![];
    walk(&samples.join("gltf/faults"), &mut found);
    assert!(found.len() >= 60, "{} files", found.len());
    let mut refused = 0;
    for path in found {
        let (sender, receiver) = mpsc::channel();
        let file = path.clone();
        std::thread::spawn(move || {
            let loaded = load::load(&file, &Options::default()).map(|mut scene| {
                (scene.render.resolution, scene.render.samples) = ([8, 8], 2);
                let film = render(&scene, &Shot::default(), &["beauty"]);
                vectors(&film, "beauty").iter().all(|v| v.is_finite())
            });
            // The test may have given up on this file.
            let _ = sender.send(loaded);
        });
        match receiver.recv_timeout(Duration::from_secs(20)) {
            Ok(Ok(finite)) => assert!(finite, "{}", path.display()),
            Ok(Err(error)) => {
                refused += 1;
                let text = error.to_string();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                assert!(text.contains(&name) && text.len() > name.len() + 10, "{}: {text}", path.display());
            }
            Err(why) => panic!("{}: {why} (a panic or a hang)", path.display()),
        }
    }
    assert!(refused >= 20, "{refused} refused");
}
