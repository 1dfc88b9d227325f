//! Every kind of file that the film writes, read back: by this program, and by OpenEXR and OpenImageIO.
//!
//! The second needs a Python with `OpenEXR`, `OpenImageIO` and `numpy` (all on PyPI); `SCRUTINEER_PYTHON` names it. Without
//! it that test says that it is skipped, and fails under `SCRUTINEER_NO_SKIP=1`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{Mat4, Vec2, Vec3, Vec4};
use scrutineer::film::metadata::{CameraMatrices, IdNames};
use scrutineer::film::sample::{FirstHit, FirstSurface, Ids, PathSample};
use scrutineer::film::{
    AovId, Arrangement, Compression, Film, FilmSettings, Metadata, Output, Plane, Precision, Selection, TABLE,
    cryptomatte, exr,
};
use scrutineer::gbuffer::GBuffer;
use serde_json::{Map, Value, json};

const OBJECTS: [&str; 3] = ["kerb", "gantry \"north\"", "Straße"];
const MATERIALS: [&str; 2] = ["asphalt", "paint"];

fn surface(x: i32, y: i32, sample: i32) -> FirstHit {
    let value = (x * 7 + y * 3 + sample) as f32;
    let mut gbuffer = GBuffer::new(Vec3::new(0.1, 0.2, 0.3) * value, Vec3::new(0.0, 1.0, value));
    (gbuffer.metalness, gbuffer.roughness) = (0.25, value / 100.0);
    let object = 1 + (x + y + sample).rem_euclid(3) as u32;
    FirstHit {
        surface: FirstSurface {
            gbuffer,
            bare: Some(GBuffer::new(Vec3::ONE, Vec3::Z)),
            decal_weight: 0.5,
            ids: Ids { instance: 70_000 + object, object, mesh: 3, material: 1 + object % 2, primitive: 9_000_000 },
        },
        n: Vec3::Y,
        ng: Vec3::X,
        p: Vec3::new(2000.123, -1.5, value),
        // 100 km: an infinity in half (trap 51).
        z: 100_000.0 + value,
        distance: 100_001.0 + value,
        uv: [Vec2::new(0.5, value); 5],
        tangent: Vec4::new(1.0, 0.0, 0.0, -1.0),
        color: Vec4::ONE,
    }
}

/// Deterministic, with misses in the last row and radiance beyond the largest half in the first pixel.
fn film(names: &[&str], crop: Option<[i32; 4]>) -> Film {
    let light_groups: Vec<String> =
        ["sun", "Fluchtweg-Beleuchtung über der Boxengasse, Nordseite"].map(str::to_owned).to_vec();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let aovs = Selection::parse(&names, &light_groups).unwrap().into_ids();
    let settings = FilmSettings { resolution: [7, 5], crop, aovs, light_groups, batch: 2, track_error: false };
    let mut film = Film::new(settings).unwrap();
    let window = film.window();
    let mut tile = film.tile(window);
    for (x, y) in (0..window.height as i32).flat_map(|y| (0..window.width as i32).map(move |x| (x, y))) {
        let mut pixel = tile.pixel(x + window.x, y + window.y);
        for sample in 0..5 {
            let light = Vec3::new(1.0, 0.5, 0.25) * if x + y == 0 { 1e6 } else { (sample + x) as f32 };
            let path = PathSample { direct_diffuse: light, emission: light, alpha: 1.0, ..PathSample::default() };
            let hit = (y + 1 < window.height as i32).then(|| surface(x, y, sample));
            pixel.add(&path, hit.as_ref().map(|hit| &hit.surface), &[light, light]);
            pixel.centre(hit.as_ref());
        }
        pixel.end_batch();
    }
    film.merge(tile);
    film
}

fn metadata() -> Metadata {
    let owned = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Metadata {
        scene_hash: "0123abcd".to_owned(),
        seed: u64::MAX,
        samples: 5,
        filter: "blackman-harris".to_owned(),
        integrator: "path".to_owned(),
        backend: "bvh".to_owned(),
        instruction_path: "avx2".to_owned(),
        max_depth: 12,
        settings: "samples = 5\nsky = \"constant\"".to_owned(),
        camera: Some(CameraMatrices {
            view: Mat4::from_rotation_y(0.5) * Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)),
            projection: Some(Mat4::from_cols_array(&[
                2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, -1.5, -1.0, 0.0, 0.0, -0.25, 0.0,
            ])),
        }),
        ids: IdNames {
            instances: owned(&["kerb/0"]),
            objects: owned(&OBJECTS),
            meshes: owned(&["kerb_lod0"]),
            materials: owned(&MATERIALS),
        },
        host: "garage".to_owned(),
        wall_seconds: 1.5,
        extra: vec![("shard".to_owned(), "1/2".to_owned())],
        ..Metadata::default()
    }
}

/// What the film holds, as bits, for the files that hold `aovs`.
fn expectation(film: &Film, aovs: &[AovId], output: &Output) -> Value {
    let groups = &film.settings().light_groups;
    let (mut channels, mut mattes) = (Map::new(), Map::new());
    for id in aovs {
        let matte = match id.name(groups).as_str() {
            "crypto_object" => Some(&OBJECTS[..]),
            "crypto_material" => Some(&MATERIALS[..]),
            _ => None,
        };
        let names = matte.unwrap_or_default();
        matte.iter().for_each(|names| drop(mattes.insert(id.name(groups), json!(names))));
        let planes = film.planes(*id, &|id| cryptomatte::id_of(names[id as usize - 1])).unwrap();
        let half = output.precision == Precision::Half && id.pixel() == scrutineer::film::aov::Pixel::Colour;
        for (name, plane) in id.channels(groups).into_iter().zip(planes) {
            channels.insert(name, channel(plane, half));
        }
    }
    let w = film.window();
    json!({
        "resolution": film.settings().resolution,
        "data_window": [w.x, w.y, w.width as i32, w.height as i32],
        "channels": channels,
        "mattes": mattes,
        "attributes": attributes(),
    })
}

fn channel(plane: Plane, half: bool) -> Value {
    match plane {
        Plane::Uint(values) => json!({ "type": "uint", "bits": values }),
        Plane::Float(values) if half => {
            let bits = |v: &f32| half::f16::from_f32(v.min(65504.0)).to_bits();
            json!({ "type": "half", "bits": values.iter().map(bits).collect::<Vec<_>>() })
        }
        Plane::Float(values) => {
            json!({ "type": "float", "bits": values.iter().map(|v| v.to_bits()).collect::<Vec<_>>() })
        }
    }
}

fn attributes() -> Value {
    let m = metadata();
    let camera = m.camera.unwrap();
    let flip = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
    json!({
        "software": format!("scrutineer {}", env!("CARGO_PKG_VERSION")),
        "scrutineer/version": m.version, "scrutineer/scene_hash": m.scene_hash,
        "scrutineer/seed": m.seed.to_string(), "scrutineer/samples": 5, "scrutineer/max_depth": 12,
        "scrutineer/filter": m.filter, "scrutineer/integrator": m.integrator, "scrutineer/backend": m.backend,
        "scrutineer/instruction_path": m.instruction_path, "scrutineer/settings": m.settings,
        "scrutineer/host": m.host, "scrutineer/wall_seconds": m.wall_seconds, "scrutineer/shard": "1/2",
        "scrutineer/view": camera.view.to_cols_array(),
        "scrutineer/projection": camera.projection.unwrap().to_cols_array(),
        "worldToCamera": (flip * camera.view).to_cols_array(),
        "worldToNDC": (camera.projection.unwrap() * camera.view).to_cols_array(),
        "chromaticities": [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329],
        "pixelAspectRatio": 1.0,
    })
}

fn write_with_expectation(film: &Film, path: &Path, output: &Output) -> Vec<PathBuf> {
    let files = exr::write(film, path, output, &metadata()).unwrap();
    let aovs: Vec<AovId> = film.aovs().collect();
    for (index, file) in files.iter().enumerate() {
        let held = match output.layout {
            Arrangement::Layers => &aovs[..],
            Arrangement::Files => &aovs[index..=index],
        };
        let json = serde_json::to_string(&expectation(film, held, output)).unwrap();
        std::fs::write(format!("{}.json", file.display()), json).unwrap();
    }
    files
}

/// Every arrangement, precision, compression and window.
fn all_kinds(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let default = Output::default();
    let full = film(&["all"], None);
    for (name, compression) in [
        ("none", Compression::None),
        ("rle", Compression::Rle),
        ("zips", Compression::Zips),
        ("zip", Compression::Zip),
        ("piz", Compression::Piz),
    ] {
        let output = Output { compression, ..default };
        files.extend(write_with_expectation(&full, &folder.join(format!("{name}.exr")), &output));
    }
    let half = Output { precision: Precision::Half, ..default };
    files.extend(write_with_expectation(&full, &folder.join("half.exr"), &half));
    let apart = Output { layout: Arrangement::Files, ..default };
    files.extend(write_with_expectation(&full, &folder.join("apart.exr"), &apart));
    for (name, crop) in [("crop", [2, 1, 3, 4]), ("overscan", [-3, -2, 13, 9]), ("outside", [20, 30, 2, 2])] {
        let cropped = film(&["default"], Some(crop));
        files.extend(write_with_expectation(&cropped, &folder.join(format!("{name}.exr")), &default));
    }
    files
}

#[test]
fn openexr_and_openimageio_read_every_kind_of_file() {
    let no_skip = std::env::var_os("SCRUTINEER_NO_SKIP").is_some_and(|value| value == "1");
    let Some(python) = std::env::var_os("SCRUTINEER_PYTHON") else {
        assert!(!no_skip, "SCRUTINEER_PYTHON is not set and SCRUTINEER_NO_SKIP=1");
        println!("skipped: SCRUTINEER_PYTHON names no Python with OpenEXR, OpenImageIO and numpy");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_exr.py");
    let output = Command::new(python).arg(script).args(all_kinds(folder.path())).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    println!("{}", text(&output.stdout));
}

fn described(path: &Path) -> Value {
    exr::describe(path).unwrap()["parts"][0].clone()
}

fn channel_types(part: &Value) -> Map<String, Value> {
    let list = part["channels"].as_array().unwrap();
    list.iter().map(|c| (c["name"].as_str().unwrap().to_owned(), c["type"].clone())).collect()
}

#[test]
fn one_file_has_one_part_with_the_tables_channels_in_sorted_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.exr");
    let written = exr::write(&film(&["all"], None), &path, &Output::default(), &metadata()).unwrap();
    assert_eq!(written.as_slice(), std::slice::from_ref(&path));
    let parts = exr::describe(&path).unwrap()["parts"].clone();
    assert_eq!(parts.as_array().unwrap().len(), 1);
    let part = &parts[0];
    assert_eq!((&part["storage"], &part["compression"]), (&json!("scan lines"), &json!("ZIP16")));
    let names: Vec<&str> = part["channels"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted());
    for row in TABLE {
        assert!(row.channels.iter().all(|channel| names.contains(channel)), "{}", row.name);
    }
    assert!(["R", "G", "B", "A", "Z", "light_sun.R"].iter().all(|name| names.contains(name)));
    assert_eq!(part["attributes"]["scrutineer/seed"], json!("18446744073709551615"));
    let ids: Value = serde_json::from_str(part["attributes"]["scrutineer/ids"].as_str().unwrap()).unwrap();
    assert_eq!(ids["object"], json!(OBJECTS));
}

#[test]
fn half_is_for_colours_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.exr");
    let output = Output { precision: Precision::Half, ..Output::default() };
    exr::write(&film(&["all"], None), &path, &output, &metadata()).unwrap();
    let types = channel_types(&described(&path));
    for (channel, kind) in [("R", "half"), ("A", "half"), ("albedo.G", "half"), ("light_sun.B", "half")] {
        assert_eq!(types[channel], json!(kind), "{channel}");
    }
    for channel in ["Z", "P.X", "N.Y", "uv0.U", "distance.V", "beauty_stderr.R", "crypto_object00.r", "RT2.R"] {
        assert_eq!(types[channel], json!("float"), "{channel}");
    }
    for channel in ["instance.V", "mesh.V", "material.V", "primitive.V", "samples.V", "object.V"] {
        assert_eq!(types[channel], json!("uint"), "{channel}");
    }
}

#[test]
fn a_depth_of_a_hundred_kilometres_and_a_light_beyond_half_stay_finite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.exr");
    let output = Output { precision: Precision::Half, ..Output::default() };
    exr::write(&film(&["beauty", "Z"], None), &path, &output, &metadata()).unwrap();
    let read = ::exr::prelude::read_first_flat_layer_from_file(&path).unwrap();
    let first = |name: &str| {
        let list = &read.layer_data.channel_data.list;
        let channel = list.iter().find(|channel| channel.name.to_string() == name).unwrap();
        channel.sample_data.values_as_f32().next().unwrap()
    };
    assert_eq!(first("Z"), 100_004.0);
    assert_eq!(first("R"), 65504.0);
}

#[test]
fn files_are_one_an_aov_with_the_beauty_under_the_plain_name() {
    let folder = tempfile::tempdir().unwrap();
    let output = Output { layout: Arrangement::Files, ..Output::default() };
    let film = film(&["beauty", "N", "instance", "light_sun", "crypto_object"], None);
    let files = exr::write(&film, &folder.path().join("lap 1.v2.exr"), &output, &metadata()).unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    let expected = [
        "lap 1.v2.exr",
        "lap 1.v2.N.exr",
        "lap 1.v2.instance.exr",
        "lap 1.v2.crypto_object.exr",
        "lap 1.v2.light_sun.exr",
    ];
    assert_eq!(names, expected);
    assert_eq!(channel_types(&described(&files[1])).keys().collect::<Vec<_>>(), ["N.X", "N.Y", "N.Z"]);
    let has = |file: &Path, prefix: &str| {
        described(file)["attributes"].as_object().unwrap().keys().any(|name| name.starts_with(prefix))
    };
    assert!(has(&files[2], "scrutineer/ids") && !has(&files[2], "cryptomatte/"));
    assert!(has(&files[3], "cryptomatte/") && !has(&files[3], "scrutineer/ids"));
}

#[test]
fn windows_are_the_crop_and_the_full_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.exr");
    exr::write(&film(&["beauty"], Some([-3, -2, 13, 9])), &path, &Output::default(), &metadata()).unwrap();
    let part = described(&path);
    assert_eq!(part["data_window"], json!([-3, -2, 13, 9]));
    assert_eq!(part["display_window"], json!([0, 0, 7, 5]));
}

#[test]
fn a_failed_write_names_the_file_and_keeps_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.exr");
    std::fs::write(&path, b"old").unwrap();
    let nothing = film(&["light_*"], None);
    let empty = Film::new(FilmSettings { aovs: vec![], ..nothing.settings().clone() }).unwrap();
    assert!(exr::write(&empty, &path, &Output::default(), &metadata()).unwrap_err().contains("out.exr"));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    let nowhere = folder.path().join("no such folder/out.exr");
    assert!(exr::write(&nothing, &nowhere, &Output::default(), &metadata()).unwrap_err().contains("no such folder"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn files_made_by_others_are_described_and_damaged_ones_are_errors() {
    let Some(samples) = support::samples() else { return };
    let parts = |name: &str| exr::describe(&samples.join("exr").join(name)).map(|all| all["parts"].clone());
    assert!(parts("multipart.0001.exr").unwrap().as_array().unwrap().len() > 1);
    assert_eq!(parts("Rec709_YC.exr").unwrap()[0]["channels"][0]["sampling"], json!([2, 2]));
    for entry in std::fs::read_dir(samples.join("exr/damaged")).unwrap() {
        // Whether the header or only the pixels are damaged, the answer is a value, not a crash.
        let path = entry.unwrap().path();
        if let Err(error) = exr::describe(&path) {
            assert!(error.contains(path.file_name().unwrap().to_str().unwrap()), "{error}");
        }
    }
}

/// Not a benchmark, a tripwire: a 720p frame with the default set is written in a few seconds on a busy machine.
#[test]
fn a_frame_with_the_default_set_is_written_quickly() {
    let mut settings = film(&["default"], None).settings().clone();
    settings.resolution = [1280, 720];
    let mut film = Film::new(settings).unwrap();
    let mut tile = film.tile(film.window());
    for (x, y) in (0..720).flat_map(|y| (0..1280).map(move |x| (x, y))) {
        let mut pixel = tile.pixel(x, y);
        let noise = ((x * 7919 + y * 104_729) % 9973) as f32 / 9973.0;
        let path = PathSample { direct_diffuse: Vec3::splat(noise), alpha: 1.0, ..PathSample::default() };
        let hit = surface(x / 64, y / 64, 0);
        (0..4).for_each(|_| pixel.add(&path, Some(&hit.surface), &[]));
        pixel.centre(Some(&hit));
    }
    film.merge(tile);
    let folder = tempfile::tempdir().unwrap();
    let start = std::time::Instant::now();
    exr::write(&film, &folder.path().join("out.exr"), &Output::default(), &metadata()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds:.2} s, {} bytes a pixel of film", film.bytes_per_pixel());
    assert!(seconds < 60.0, "{seconds:.1} s");
}
