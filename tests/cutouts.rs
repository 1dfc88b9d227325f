//! Cut-outs: holes for camera, bounce and shadow rays alike (TRANSPORT.md, "Cut-outs").

#[path = "support/pictures.rs"]
mod pictures;

use pictures::shapes::floor;
use pictures::{Stage, channel, mean, render};
use scrutineer::integrator::Integrator::{Naive, Path};
use scrutineer::scene::Scene;
use serde_json::json;

/// Looks straight down from `height`, one metre wide; the picture's x and y are the scene's x and z.
fn looking_down(height: f64, resolution: u32, samples: u32) -> String {
    format!(
        "camera = {{ kind = \"orthographic\", position = [0, {height}, 0], target = [0, 0, 0], up = [0, 0, -1], height = 1 }}\n\
         [render]\nresolution = [{resolution}, {resolution}]\nfilter = \"box\"\nsamples = {samples}\nmax_depth = 2\n\
         [[geometry]]\nfile = \"stage.glb\"\n"
    )
}

const NOON: &str = "[sun]\ndirection = [0, 1, 0]\nirradiance = [10, 10, 10]\nangular_diameter = 0\n";

/// A glTF leaf card of one square metre at height `y` whose picture is `leaf.png`.
fn add_leaf(stage: &mut Stage, y: f32, mode: &str, size: u32, linear: bool, alpha: impl Fn(u32, u32) -> u8) {
    stage.image("leaf.png", size, alpha);
    let texture = stage.glb.texture("leaf.png");
    let material = stage.glb.material(
        "leaf",
        json!({ "alphaMode": mode, "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture }, "metallicFactor": 0.0 } }),
    );
    stage.add_with("leaf", &floor(1.0, 1.0).at(0.0, y, 0.0), material);
    if !linear {
        stage.glb.nearest_filter();
    }
}

/// 30 of 100 texels.
fn thirty_percent(x: u32, y: u32) -> u8 {
    if (x * 7 + y * 3) % 10 < 3 { 255 } else { 0 }
}

#[test]
fn a_checker_of_30_percent_lets_exactly_70_percent_through() {
    let picture = |with_leaf: bool| {
        let mut stage = Stage::new();
        stage.add("ground", &floor(4.0, 4.0));
        if with_leaf {
            add_leaf(&mut stage, 1.0, "MASK", 10, false, thirty_percent);
        }
        let scene = stage.load(&format!("{}{NOON}", looking_down(0.5, 10, 16)));
        channel(&render(&scene, Path, &[]), "beauty", 1)
    };
    let (bare, shaded) = (picture(false), picture(true));
    let lit = shaded.iter().zip(&bare).filter(|(a, b)| (*a - *b).abs() < 1e-6).count();
    let dark = shaded.iter().filter(|value| **value == 0.0).count();
    assert_eq!((lit, dark), (70, 30));
}

#[test]
fn a_mask_leafs_shadow_is_its_picture() {
    let disc = |x: u32, y: u32| {
        let (dx, dy) = (x as f32 - 11.5, y as f32 - 17.5);
        (255.0 * (1.5 - 0.1 * dx.hypot(dy)).clamp(0.0, 1.0)) as u8
    };
    let stage = |ground: bool| {
        let mut stage = Stage::new();
        if ground {
            stage.add("ground", &floor(4.0, 4.0));
        }
        add_leaf(&mut stage, 1.0, "MASK", 32, true, disc);
        stage
    };
    let seen = stage(false).load(&format!("{}{NOON}", looking_down(2.0, 48, 64)));
    let picture = channel(&render(&seen, Path, &[]), "beauty", 3);
    let under = stage(true).load(&format!("{}{NOON}", looking_down(0.5, 48, 64)));
    let ground = channel(&render(&under, Path, &[]), "beauty", 1);
    let lit = ground.iter().copied().fold(0.0, f32::max);
    let shadow: Vec<f32> = ground.iter().map(|value| 1.0 - value / lit).collect();
    let covered: f32 = picture.iter().sum::<f32>() / picture.len() as f32;
    assert!((0.1..0.9).contains(&covered), "{covered}");
    for (a, b) in picture.iter().zip(&shadow) {
        assert!((a - b).abs() < 0.04, "picture {a}, shadow {b}");
    }
}

/// A road decal that floats out of reach of everything: an ordinary surface with the mask `s`.
fn floating(s: f64, dither: &str, extra: &str, resolution: u32, height: f64, ground: bool) -> Scene {
    let mut stage = Stage::new();
    if ground {
        stage.add("ground", &floor(4.0, 4.0));
    }
    stage.add("patch", &floor(2.0, 2.0).at(0.0, 1.0, 0.0));
    let material = format!(
        "[materials.patch]\nfamily = \"uber_roaddecal\"\npermutation = \"_decal_AM\"\n\
         [materials.patch.textures]\nDecalMaskATexture = {{ constant = [{s}, 0, 0, 1] }}\n"
    );
    let world = format!("[world]\ndither = {dither}\n{extra}");
    stage.load(&format!("{}{NOON}{world}{material}", looking_down(height, resolution, 64)))
}

fn coverage(scene: &Scene) -> f64 {
    let alpha = channel(&render(scene, Path, &[]), "beauty", 3);
    alpha.iter().map(|a| f64::from(*a)).sum::<f64>() / alpha.len() as f64
}

#[test]
fn the_expected_dither_is_the_mean_of_the_screen_dither_over_pixels() {
    for s in [0.15, 0.3, 0.6, 0.95] {
        let share: f64 = s * (5.0 * (s - 0.2f64)).clamp(0.0, 1.0);
        let screen = coverage(&floating(s, "true", "", 64, 2.0, false));
        let expected = coverage(&floating(s, "\"expected\"", "", 64, 2.0, false));
        assert!((screen - share).abs() < 0.02, "screen {screen}, documented {share}");
        assert!((expected - share).abs() < 0.005, "expected {expected}, documented {share}");
        let off = coverage(&floating(s, "false", "", 8, 2.0, false));
        assert_eq!(off, if s >= 0.5 { 1.0 } else { 0.0 });
    }
}

#[test]
fn the_expected_dither_respects_the_reference_as_the_screen_dither_does() {
    for (reference, share) in [(-0.5, 1.0), (0.5, 0.6), (0.75, 0.0)] {
        let extra = format!("alpha_reference = {reference}\n");
        for dither in ["true", "\"expected\""] {
            let seen = coverage(&floating(0.6, dither, &extra, 64, 2.0, false));
            assert!((seen - share).abs() < 0.02, "{dither} with reference {reference}: {seen}");
        }
    }
}

#[test]
fn shadows_take_the_expected_dither_exactly() {
    let lit = mean(&render(&floating(0.0, "true", "", 8, 0.5, true), Path, &[])).value[1];
    for dither in ["true", "\"expected\""] {
        for integrator in [Path, Naive] {
            let shaded = mean(&render(&floating(0.6, dither, "", 8, 0.5, true), integrator, &[])).value[1];
            assert!((shaded / lit - 0.4).abs() < 1e-5, "{dither}: {}", shaded / lit);
        }
    }
}

#[test]
fn a_shadow_through_64_blended_cards_is_the_product() {
    let shaded = |cards: u32| {
        let mut stage = Stage::new();
        stage.add("ground", &floor(4.0, 4.0));
        let film = stage.glb.material(
            "film",
            json!({ "alphaMode": "BLEND",
            "pbrMetallicRoughness": { "baseColorFactor": [1.0, 1.0, 1.0, 0.03], "metallicFactor": 0.0 } }),
        );
        for k in 0..cards {
            stage.add_with("film", &floor(3.0, 3.0).at(0.0, 1.0 + 0.001 * k as f32, 0.0), film);
        }
        let scene = stage.load(&format!("{}{NOON}", looking_down(0.5, 8, 16)));
        mean(&render(&scene, Path, &[])).value[1]
    };
    let ratio = shaded(64) / shaded(0);
    assert!((ratio / 0.97f64.powi(64) - 1.0).abs() < 1e-4, "{ratio}");
}

#[test]
fn a_shadow_through_64_masked_cards_is_that_of_one() {
    let shaded = |cards: u32| {
        let mut stage = Stage::new();
        stage.add("ground", &floor(4.0, 4.0));
        for k in 0..cards {
            add_leaf(&mut stage, 1.0 + 0.001 * k as f32, "MASK", 10, false, thirty_percent);
        }
        let scene = stage.load(&format!("{}{NOON}", looking_down(0.5, 10, 16)));
        channel(&render(&scene, Path, &[]), "beauty", 1)
    };
    assert_eq!(shaded(1), shaded(64));
}
