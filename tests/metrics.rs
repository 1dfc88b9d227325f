//! Metrics against other people's programs: ꟻLIP against NVIDIA's flip-evaluator, SSIM against scikit-image.
//!
//! Both are on PyPI; `SCRUTINEER_PYTHON` names a Python that has them and numpy. Without it the tests say that they are
//! skipped, and fail under `SCRUTINEER_NO_SKIP=1`.

use std::path::Path;
use std::process::Command;

use scrutineer::compare::flip::{self, DEFAULT_PPD, ToneMapper};
use scrutineer::compare::{Plane, ssim};
use serde_json::{Value, json};

/// A way to spoil a picture.
struct Spoil {
    name: &'static str,
    apply: fn(&mut Plane),
}

const SPOILS: [Spoil; 6] = [
    Spoil { name: "darker", apply: |plane| plane.values.iter_mut().for_each(|v| *v *= 0.93) },
    Spoil { name: "shifted", apply: |plane| plane.values.rotate_right(3) },
    Spoil { name: "swapped", apply: |plane| plane.values.chunks_exact_mut(3).for_each(|rgb| rgb.swap(0, 2)) },
    Spoil { name: "gamma", apply: |plane| plane.values.iter_mut().for_each(|v| *v = v.powf(1.1)) },
    Spoil {
        name: "hot",
        apply: |plane| {
            let at = (plane.height / 2 * plane.width + plane.width / 3) * 3;
            plane.values[at..at + 3].fill(1.0);
        },
    },
    Spoil {
        name: "noisy",
        apply: |plane| {
            let mut state = 12_345u32;
            for value in &mut plane.values {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *value *= 0.8 + 0.4 * (state >> 8) as f32 / 16_777_216.0;
            }
        },
    },
];

/// Gradients, edges, thin lines and a coloured chequer, 0..1.
fn scene(width: usize, height: usize) -> Plane {
    let mut plane = Plane::new(width, height, 3);
    for (i, rgb) in plane.values.chunks_exact_mut(3).enumerate() {
        let (x, y) = (i % width, i / width);
        let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
        let disc: f32 = if (u - 0.4).hypot(v - 0.5) < 0.25 { 0.55 } else { 0.1 };
        let line: f32 = if x % 13 == 0 { 0.3 } else { 0.0 };
        let chequer = if (x / 4 + y / 4) % 2 == 0 { 0.25 } else { 0.0 };
        rgb.copy_from_slice(&[(disc + line).min(1.0), 0.15 + 0.6 * v + chequer * u, (0.2 + 0.7 * u - line).max(0.0)]);
    }
    plane
}

/// Display values → light of a few stops more, with a lamp of 400.
fn light(mut plane: Plane) -> Plane {
    plane.values.iter_mut().for_each(|v| *v = 8.0 * v.powf(2.4));
    let at = (plane.height / 4 * plane.width + plane.width / 5) * 3;
    plane.values[at..at + 3].fill(400.0);
    plane
}

/// A Python with the peers, or `None` (with a line that says so).
fn python() -> Option<String> {
    let python = std::env::var("SCRUTINEER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let asked = Command::new(&python).args(["-c", "import numpy, flip_evaluator, skimage"]).output();
    if asked.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    let no_skip = std::env::var_os("SCRUTINEER_NO_SKIP").is_some_and(|value| value == "1");
    assert!(!no_skip, "{python} lacks numpy, flip-evaluator or scikit-image and SCRUTINEER_NO_SKIP=1");
    println!("skipped: {python} lacks numpy, flip-evaluator or scikit-image (SCRUTINEER_PYTHON names another)");
    None
}

/// What the peers say of each pair, in order: (JSON, map of FLIP).
fn peers(python: &str, jobs: &[(&Plane, &Plane, Value)]) -> Vec<(Value, Vec<f32>)> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, plane: &Plane| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytemuck::cast_slice::<f32, u8>(&plane.values)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let out = |i: usize| folder.path().join(format!("out{i}"));
    let list: Vec<Value> = jobs
        .iter()
        .enumerate()
        .map(|(i, (reference, test, what))| {
            let mut job = what.clone();
            job["reference"] = write(format!("r{i}"), reference).into();
            job["test"] = write(format!("t{i}"), test).into();
            job["width"] = reference.width.into();
            job["height"] = reference.height.into();
            job["channels"] = reference.channels.into();
            job["out"] = out(i).to_str().unwrap().into();
            job
        })
        .collect();
    let file = folder.path().join("jobs.json");
    std::fs::write(&file, serde_json::to_string(&list).unwrap()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/metrics.py");
    let output = Command::new(python).arg(script).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = |i: usize| {
        let text = std::fs::read_to_string(out(i).with_extension("json")).unwrap();
        let map = std::fs::read(out(i).with_extension("f32")).unwrap_or_default();
        (
            serde_json::from_str(&text).unwrap(),
            map.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect(),
        )
    };
    (0..jobs.len()).map(result).collect()
}

fn flip_job(metric: &str, ppd: f64) -> Value {
    json!({ "metric": metric, "ppd": ppd, "parameters": {} })
}

/// The largest difference of a map from the peer's; panics where it is 1e-3 or the means differ by as much.
fn assert_close(name: &str, map: &flip::Map, (json, peer): &(Value, Vec<f32>)) -> f32 {
    assert_eq!(map.values.len(), peer.len(), "{name}");
    let worst = map.values.iter().zip(peer).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let mean = json["mean"].as_f64().unwrap();
    assert!(worst < 1e-3, "{name}: a pixel differs by {worst} from flip-evaluator's");
    assert!((map.mean() - mean).abs() < 1e-3, "{name}: mean {} in place of {mean}", map.mean());
    worst
}

#[test]
fn ldr_flip_agrees_with_its_authors_in_every_pixel() {
    let Some(python) = python() else { return };
    let mut pairs = Vec::new();
    for (size, ppd) in [((90, 140), DEFAULT_PPD), ((33, 21), 30.0), ((1, 1), DEFAULT_PPD), ((8, 1), DEFAULT_PPD)] {
        for spoil in &SPOILS {
            let reference = scene(size.0, size.1);
            let mut test = reference.clone();
            (spoil.apply)(&mut test);
            pairs.push((format!("{} {size:?}", spoil.name), reference, test, ppd));
        }
    }
    let jobs: Vec<_> = pairs.iter().map(|(_, r, t, ppd)| (r, t, flip_job("LDR", *ppd))).collect();
    let mut worst = 0.0f32;
    for ((name, reference, test, ppd), peer) in pairs.iter().zip(peers(&python, &jobs)) {
        let map = flip::ldr(reference, test, *ppd).unwrap();
        worst = worst.max(assert_close(name, &map, &peer));
    }
    println!("largest difference of a pixel: {worst:.1e}");
}

#[test]
fn hdr_flip_agrees_with_its_authors_in_every_pixel() {
    let Some(python) = python() else { return };
    let mut pairs = Vec::new();
    for size in [(70, 100), (8, 1)] {
        for spoil in &SPOILS {
            let reference = light(scene(size.0, size.1));
            let mut test = reference.clone();
            (spoil.apply)(&mut test);
            pairs.push((format!("{} {size:?}", spoil.name), reference, test, "aces"));
        }
    }
    let dim = |mut plane: Plane| {
        plane.values.iter_mut().for_each(|v| *v *= 0.2);
        plane
    };
    // Within 0..1; and mostly black, so that the median is 0 (trap 67).
    pairs.push(("dim".into(), scene(40, 40), dim(scene(40, 40)), "aces"));
    let mut black = Plane::new(40, 40, 3);
    black.values[1200..1290].fill(3.0);
    let mut other = black.clone();
    other.values[3000..3030].fill(0.02);
    pairs.push(("mostly black".into(), black, other, "aces"));
    for mapper in ["hable", "reinhard"] {
        pairs.push((mapper.into(), light(scene(40, 30)), dim(light(scene(40, 30))), mapper));
    }
    let job = |mapper: &str| {
        let mut job = flip_job("HDR", DEFAULT_PPD);
        job["parameters"]["tonemapper"] = mapper.into();
        job
    };
    let jobs: Vec<_> = pairs.iter().map(|(_, r, t, mapper)| (r, t, job(mapper))).collect();
    let mut worst = 0.0f32;
    for ((name, reference, test, mapper), peer) in pairs.iter().zip(peers(&python, &jobs)) {
        let mapper = serde_json::from_value(json!(mapper)).unwrap_or(ToneMapper::Aces);
        let hdr = flip::hdr(reference, test, DEFAULT_PPD, mapper).unwrap();
        let stated = |key: &str| peer.0[key].as_f64().unwrap();
        assert_eq!(f64::from(hdr.exposures.count), stated("numExposures"), "{name}");
        assert!((hdr.exposures.start - stated("startExposure")).abs() < 1e-4, "{name}");
        assert!((hdr.exposures.stop - stated("stopExposure")).abs() < 1e-4, "{name}");
        worst = worst.max(assert_close(name, &hdr.map, &peer));
    }
    println!("largest difference of a pixel: {worst:.1e}");
}

#[test]
fn ssim_agrees_with_scikit_image() {
    let Some(python) = python() else { return };
    let mut pairs = Vec::new();
    for (size, range) in [((50, 150), 1.0), ((11, 11), 1.0), ((12, 70), 255.0)] {
        for spoil in &SPOILS {
            let mut reference = scene(size.0, size.1);
            let mut test = reference.clone();
            (spoil.apply)(&mut test);
            let values = reference.values.iter_mut().chain(&mut test.values);
            values.for_each(|v| *v *= range as f32);
            pairs.push((spoil.name, reference, test, range));
        }
    }
    let jobs: Vec<_> =
        pairs.iter().map(|(_, r, t, range)| (r, t, json!({ "metric": "SSIM", "range": range }))).collect();
    for ((name, reference, test, range), (peer, _)) in pairs.iter().zip(peers(&python, &jobs)) {
        let ours = ssim::ssim(reference, test, *range).unwrap();
        let close = |a: f64, b: &Value| assert!((a - b.as_f64().unwrap()).abs() < 1e-6, "{name}: {a} in place of {b}");
        close(ours.mean, &peer["mean"]);
        ours.channels.iter().zip(peer["channels"].as_array().unwrap()).for_each(|(a, b)| close(*a, b));
    }
}
