//! How the beauty is split: by bounce and lobe, by light group, by depth.

use glam::{DVec3, Vec3};
use scrutineer::integrator::Integrator;
use serde_json::json;

use crate::brdf_reference::Reference;
use crate::scene::{Asset, Shape, Shot, orthographic, pbr, render, scene, vectors};
use crate::stage::{EMISSIVE, LIGHTS, Surfaces, lights, stage};

const PARTS: [&str; 5] =
    ["visible_emission", "direct_diffuse", "direct_specular", "indirect_diffuse", "indirect_specular"];

fn mean(values: &[DVec3]) -> DVec3 {
    values.iter().sum::<DVec3>() / values.len() as f64
}

#[test]
fn parts_and_light_groups_sum_to_the_beauty() {
    for integrator in [Integrator::Path, Integrator::Naive] {
        let scene = stage(&lights(|_| true), Surfaces::Emissive, 32, 4, 5);
        let film = render(&scene, &Shot { integrator, ..Shot::default() }, &["all"]);
        let beauty = vectors(&film, "beauty");
        let groups: Vec<String> = scene.names.light_groups.iter().map(|group| format!("light_{group}")).collect();
        assert_eq!(groups.len(), 6, "{groups:?}");
        for names in [PARTS.map(str::to_owned).to_vec(), groups] {
            let layers: Vec<Vec<DVec3>> = names.iter().map(|name| vectors(&film, name)).collect();
            for (i, beauty) in beauty.iter().enumerate() {
                let sum: DVec3 = layers.iter().map(|layer| layer[i]).sum();
                assert!(
                    (sum - *beauty).abs().max_element() < 1e-5 * (1.0 + beauty.max_element()),
                    "{sum} {beauty} {names:?}"
                );
            }
            assert!(layers.iter().all(|layer| mean(layer).max_element() > 1e-3), "all of {names:?} have light");
        }
    }
}

/// The mean of an AOV's picture over several seeds, with its standard error, by channel.
fn over_seeds(name: &str, lights: &str, surfaces: Surfaces) -> (DVec3, DVec3) {
    const SEEDS: u64 = 16;
    let one = |seed| mean(&vectors(&render(&stage(lights, surfaces, 96, 3, seed), &Shot::default(), &[name]), name));
    let means: Vec<DVec3> = (100..100 + SEEDS).map(one).collect();
    let centre = mean(&means);
    let square: DVec3 = means.iter().map(|m| (*m - centre) * (*m - centre)).sum();
    (centre, (square / (SEEDS * (SEEDS - 1)) as f64).map(f64::sqrt))
}

#[test]
fn a_light_group_is_the_picture_with_that_light_alone() {
    let all = lights(|_| true);
    for name in LIGHTS.iter().map(|light| light.name).chain([EMISSIVE]) {
        let (group, group_error) = over_seeds(&format!("light_{name}"), &all, Surfaces::Emissive);
        let surfaces = if name == EMISSIVE { Surfaces::Emissive } else { Surfaces::Dark };
        // The others are dark but still in the way.
        let (alone, alone_error) = over_seeds("beauty", &lights(|other| other == name), surfaces);
        for c in 0..3 {
            // 5.2 standard errors of 15 degrees of freedom each: about 1e-4.
            let tolerance = 5.2 * group_error[c].hypot(alone_error[c]) + 1e-5;
            assert!((group[c] - alone[c]).abs() < tolerance, "{name}: {group} {alone} ± {tolerance}");
            assert!(tolerance < 0.12 * alone[c], "{name}: {alone} ± {tolerance}");
        }
    }
}

/// A pane before a sky of radiance 2, and nothing else: the sky through the pane and the sky in the pane.
#[test]
fn a_pane_adds_its_reflection_to_what_it_lets_through() {
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["KHR_materials_transmission"]);
    let mut pane = pbr([0.9, 0.8, 0.5, 1.0], 0.0, 0.6);
    pane["extensions"] = json!({"KHR_materials_transmission": {"transmissionFactor": 0.5}});
    let pane = asset.material("pane", pane);
    asset.add("pane", &Shape::quad(Vec3::ZERO, Vec3::X, Vec3::Y), pane);
    let camera = orthographic(DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), 0.01);
    let toml = format!(
        "[render]\nresolution = [8, 8]\nsamples = 1024\nmax_depth = 2\n{camera}\
         [sky]\nkind = \"constant\"\nradiance = [2, 2, 2]\n[[geometry]]\nfile = \"a.glb\"\n"
    );
    let scene = scene(&toml, &asset);
    let glass = Reference { albedo: 0.0, metalness: 0.0, roughness: 0.6 };
    let reflected = DVec3::splat(2.0 * glass.directional_albedo(std::f64::consts::FRAC_PI_4)[1]);
    let through = DVec3::new(0.45, 0.4, 0.25);
    for integrator in [Integrator::Path, Integrator::Naive] {
        let shot = Shot { integrator, ..Shot::default() };
        let film = render(&scene, &shot, &["beauty", "glass_reflection", "glass_transmittance", "visible_emission"]);
        let near = |name: &str, expected: DVec3, relative: f64| {
            let mean = mean(&vectors(&film, name));
            assert!(
                (mean / expected - 1.0).abs().max_element() < relative,
                "{integrator:?} {name}: {mean}, {expected}"
            );
        };
        near("glass_transmittance", through, 1e-6);
        near("visible_emission", through * 2.0, 0.02);
        near("glass_reflection", reflected, 0.03);
        near("beauty", through * 2.0 + reflected, 0.02);
    }
}

#[test]
fn depth_counts_segments() {
    let by_depth =
        |depth| render(&stage(&lights(|_| true), Surfaces::Emissive, 64, depth, 9), &Shot::default(), &["all"]);
    let part = |film, name| mean(&vectors(film, name)).max_element();
    let films = [1, 2, 3].map(by_depth);
    assert!(PARTS[1..].iter().all(|name| part(&films[0], name) == 0.0), "depth 1: emitters alone");
    assert!(PARTS[1..3].iter().all(|name| part(&films[1], name) > 1e-3), "depth 2: direct light");
    assert!(PARTS[3..].iter().all(|name| part(&films[1], name) == 0.0), "depth 2: nothing indirect");
    assert!(PARTS[3..].iter().all(|name| part(&films[2], name) > 1e-3), "depth 3: one bounce");
    // More depth takes no numbers away from the first segments.
    for name in &PARTS[..3] {
        assert_eq!(vectors(&films[1], name), vectors(&films[2], name), "{name}");
    }
}
