//! Fronts and backs: emission, culling, shadows.

use glam::{DVec3, Vec3};
use serde_json::json;

use crate::scene::{Asset, Shape, Shot, orthographic, render, scene, vectors};

/// A quad in z = 0 that faces +Z and emits 2 W/(m² sr); its node is mirrored if asked.
fn lamp(double_sided: bool, mirrored: bool) -> Asset {
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["KHR_materials_emissive_strength"]);
    let material = asset.material(
        "lamp",
        json!({"emissiveFactor": [1, 1, 1], "doubleSided": double_sided,
        "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]},
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 2.0}}}),
    );
    let mesh = asset.mesh("lamp", &Shape::quad(Vec3::ZERO, Vec3::X, Vec3::Y), material);
    asset.push("nodes", json!({"mesh": mesh, "scale": [if mirrored { -1 } else { 1 }, 1, 1]}));
    asset
}

/// Radiance and coverage toward a camera in direction `from`.
fn seen(asset: &Asset, from: DVec3, render_keys: &str, tables: &str) -> [f64; 2] {
    let camera = orthographic(DVec3::ZERO, from, 0.1);
    let toml = format!(
        "[render]\nresolution = [1, 1]\nsamples = 64\nmax_depth = 2\n{render_keys}\n{camera}{tables}\n[[geometry]]\nfile = \"a.glb\"\n"
    );
    let film = render(&scene(&toml, asset), &Shot::default(), &["beauty"]);
    let planes = crate::scene::planes(&film, "beauty");
    let alpha = match &planes[3] {
        scrutineer::film::Plane::Float(values) => f64::from(values[0]),
        scrutineer::film::Plane::Uint(_) => unreachable!("coverage is a float"),
    };
    [vectors(&film, "beauty")[0].x, alpha]
}

#[test]
fn emission_is_the_fronts_unless_double_sided() {
    for mirrored in [false, true] {
        assert_eq!(seen(&lamp(false, mirrored), DVec3::Z, "", ""), [2.0, 1.0]);
        assert_eq!(seen(&lamp(false, mirrored), DVec3::NEG_Z, "", ""), [0.0, 1.0], "the back is there, but dark");
        assert_eq!(seen(&lamp(true, mirrored), DVec3::NEG_Z, "", ""), [2.0, 1.0]);
    }
    assert_eq!(seen(&lamp(false, false), DVec3::Z, "", "[world]\nemission_scale = 1.5"), [3.0, 1.0]);
}

#[test]
fn culling_hides_backs_that_are_not_double_sided_from_the_camera() {
    let sky = "[sky]\nkind = \"constant\"\nradiance = [0.25, 0, 0]";
    assert_eq!(seen(&lamp(false, false), DVec3::NEG_Z, "cull = true", sky), [0.25, 0.0]);
    assert_eq!(seen(&lamp(false, true), DVec3::NEG_Z, "cull = true", sky), [0.25, 0.0]);
    assert_eq!(seen(&lamp(false, false), DVec3::Z, "cull = true", sky)[1], 1.0);
    assert_eq!(seen(&lamp(true, false), DVec3::NEG_Z, "cull = true", sky)[1], 1.0);
}

#[test]
fn emissive_surfaces_light_what_their_front_faces() {
    // A wall 1 m in front of the lamp and one 1 m behind it, both seen past its edge.
    let lit = |z: f32, double_sided: bool, mirrored: bool| {
        let mut asset = lamp(double_sided, mirrored);
        let white = asset.plain("wall", 0.8, 0.0, 1.0);
        asset.add("wall", &Shape::quad(Vec3::new(1.5, 0.0, z), Vec3::X * 0.3, Vec3::Y), white);
        let camera = orthographic(DVec3::new(1.5, 0.0, f64::from(z)), DVec3::new(1.0, 0.0, -f64::from(z)), 0.1);
        let toml = format!(
            "[render]\nresolution = [1, 1]\nsamples = 256\nmax_depth = 2\n{camera}[[geometry]]\nfile = \"a.glb\"\n"
        );
        vectors(&render(&scene(&toml, &asset), &Shot::default(), &["beauty"]), "beauty")[0].x
    };
    for mirrored in [false, true] {
        assert!(lit(1.0, false, mirrored) > 0.05);
        assert_eq!(lit(-1.0, false, mirrored), 0.0);
        assert!((lit(-1.0, true, mirrored) / lit(1.0, true, mirrored) - 1.0).abs() < 0.1);
    }
}

#[test]
fn a_culled_back_still_casts_its_shadow() {
    // The floor's centre lies in the shadow of a quad that shows its back to camera and sun alike.
    let mut asset = Asset::default();
    let white = asset.plain("white", 0.8, 0.0, 1.0);
    asset.add("floor", &Shape::quad(Vec3::ZERO, Vec3::Z, Vec3::X), white);
    asset.add("roof", &Shape::quad(Vec3::Y * 0.5, Vec3::X * 0.3, Vec3::Z * 0.3), white);
    let sun = "[sun]\ndirection = [0, 1, 0]\nirradiance = [5, 5, 5]\nangular_diameter = 0";
    assert_eq!(seen(&asset, DVec3::Y, "cull = true", sun), [0.0, 1.0]);
    assert!(seen(&asset, DVec3::Y, "cull = false", sun)[0] > 0.5, "the roof itself is lit on its back");
}

#[test]
fn a_rectangle_light_keeps_its_radiance_whatever_the_emission_scale() {
    let empty = {
        let mut asset = Asset::default();
        let black = asset.plain("black", 0.0, 0.0, 1.0);
        asset.add("far", &Shape::quad(Vec3::new(50.0, 0.0, 0.0), Vec3::X, Vec3::Y), black);
        asset
    };
    let light =
        "[[lights]]\nkind = \"rectangle\"\ncenter = [0, 0, 0]\nu = [1, 0, 0]\nv = [0, 1, 0]\nradiance = [7, 7, 7]";
    for scale in ["0.0", "1e-3", "5.0"] {
        let tables = format!("[world]\nemission_scale = {scale}\n{light}");
        assert_eq!(seen(&empty, DVec3::Z, "", &tables), [7.0, 1.0], "{scale}");
        assert_eq!(seen(&empty, DVec3::NEG_Z, "", &tables), [0.0, 1.0], "{scale}");
    }
}
