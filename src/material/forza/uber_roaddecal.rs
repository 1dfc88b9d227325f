//! `uber_roaddecal`: patches, seams, kerb grills and paint on the road. The formula is that of `roaddecal.rs`.
//!
//! Documentation 001, rows uber_roaddecal; "Road decals"; 002 for what they are.
//!
//! Tokens: `T` (overlay with COLOR.b), `M` or `Modulate`, `AM` (the mask is tested per pixel; without it the decal covers its
//! whole mesh), `metal` (metalness = Mask_MetalnessATexture(uv0·RoadUVMultiplierA).r, else 0). `decal`, `winter`, `POM` and `S`
//! have no effect. `Enabled` changes nothing in the program.
//!
//! Decided: where kept, the decal's G-buffer replaces the surface below; nothing blends.

use super::roaddecal::{RoadDecal, Test};
use crate::material::Material;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `uber_roaddecal`.
pub const FAMILY: Family = Family {
    name: "uber_roaddecal",
    summary: "Patches, seams, grills and paint on the road: opaque cut-outs.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows uber_roaddecal; Road decals; 002",
    permutations: Permutations::Tokens {
        acting: &["T", "M", "Modulate", "AM", "metal"],
        inert: &["decal", "winter", "POM", "S"],
        prefixes: &[],
    },
    inputs: &["normal", "tangent", "uv0", "uv1", "uv2", "color", "pixel", "uv0_footprint"],
    world: &["alpha_reference", "dither", "frame_index", "dither_temporal"],
    decisions: &[
        "Order on albedo: object tint, COLOR.b overlay, modulate, far fade; the overlays test the linear colour so far.",
        "The dither takes integer pixel coordinates and the constants as printed.",
        "The screen derivative of uv0.x is the input uv0_footprint; without ray differentials it is 0: no far fade.",
        "Without AM the coverage is 1, so that a reference above 1 drops the draw.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    let test = if tokens.has("AM") { Test::Mask } else { Test::Draw };
    let mask_metalness = binder.texture("Mask_MetalnessATexture", [0.0, 0.0, 0.0, 1.0]);
    let metalness = tokens.has("metal").then_some(mask_metalness);
    Box::new(RoadDecal::bind(binder, &tokens, test, metalness))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, sampled};
    use super::*;
    use crate::gbuffer::GBuffer;
    use crate::material::{Class, Context, Point};
    use crate::scene::world::{Dither, World};
    use glam::{Vec3, Vec4};
    use serde_json::{Value, json};

    fn decal(permutation: &str, values: Value, point: &Point) -> GBuffer {
        evaluate(&FAMILY, permutation, values, point, &World::default())
    }

    #[test]
    fn the_default_object_tint_and_a_half_vertex_blue_are_neutral() {
        let point = Point { color: Vec4::new(1.0, 1.0, 0.5, 1.0), ..Point::default() };
        let d = || json!({ "DecalDiffuseATexture": [0.7, 0.2, 0.4, 0.3], "PerObjectTint0OnOff": true });
        let g = decal("_T", d(), &point);
        assert!(g.albedo.abs_diff_eq(Vec3::new(0.7, 0.2, 0.4), 1e-6));
        assert_eq!(g.roughness, 0.3);
    }

    #[test]
    fn the_diffuse_alpha_is_never_opacity() {
        let values =
            || json!({ "DecalDiffuseATexture": [1.0, 1.0, 1.0, 0.0], "DecalMaskATexture": [0.0, 1.0, 1.0, 1.0] });
        let whole = decal("_decal", values(), &Point::default());
        assert_eq!((whole.discard, whole.coverage), (false, 1.0));
        let masked = decal("_decal_AM", values(), &Point::default());
        assert_eq!((masked.discard, masked.coverage), (true, 0.0));
    }

    #[test]
    fn a_reference_above_one_drops_the_draw_that_tests_nothing() {
        let world = World { alpha_reference: 1.5, dither: Dither::Screen, ..World::default() };
        assert!(evaluate(&FAMILY, "_metal_T", json!({}), &Point::default(), &world).discard);
    }

    #[test]
    fn the_dithered_test_value_is_plus_or_minus_a_half() {
        let discard = |mask: f32, alpha_reference: f32| {
            let world = World { dither: Dither::Screen, alpha_reference, ..World::default() };
            let values = json!({ "DecalMaskATexture": [mask, 0.0, 0.0, 1.0] });
            evaluate(&FAMILY, "_AM", values, &Point::default(), &world).discard
        };
        assert_eq!(
            [discard(1.0, 0.5), discard(1.0, 0.51), discard(0.1, 0.5), discard(0.0, -0.5)],
            [false, true, true, false]
        );
    }

    #[test]
    fn the_expected_dither_compares_as_if_it_were_off() {
        let world = World { dither: Dither::Expected, ..World::default() };
        let values = json!({ "DecalMaskATexture": [0.6, 0.0, 0.0, 1.0] });
        let material = bound(&FAMILY, "_AM", values);
        let opacity = material.opacity(&Point::default(), &Context::new(&world));
        assert!(!opacity.discard && opacity.coverage == 0.6 && material.dithered());
        assert!(!bound(&FAMILY, "_decal", json!({})).dithered());
    }

    #[test]
    fn vertex_red_and_height_weigh_the_modulate() {
        let values = |influence: f32| json!({ "ModulateTexture": [0.5, 0.5, 0.5, 0.25], "HeightInfluence": influence, "DecalNormalA": [0.5, 0.5, 1.0, 0.0] });
        let with = |red: f32, influence: f32| {
            let point = Point { color: Vec4::new(red, 1.0, 1.0, 1.0), ..Point::default() };
            let g = decal("_M", values(influence), &point);
            (g.albedo.x, g.roughness)
        };
        assert_eq!(with(0.0, 0.0), (1.0, 1.0));
        assert_eq!(with(1.0, 1.0), (1.0, 1.0));
        assert_eq!(with(1.0, 0.0), (0.25, 0.5));
    }

    #[test]
    fn frost_pulls_the_roughness_to_0_43_and_far_decals_to_the_fade_colour() {
        let point = Point { uv0_footprint: 2.0, ..Point::default() };
        let values = json!({ "FrostAmount": 1.0, "FadeStart": 0.0, "FadeEnd": 1.0, "FadeColor": [0.1, 0.2, 0.3] });
        let g = decal("_decal_winter", values, &point);
        assert!((g.roughness - 0.43).abs() < 1e-6 && g.albedo.abs_diff_eq(Vec3::new(0.1, 0.2, 0.3), 1e-6));
    }

    #[test]
    fn only_the_permutations_own_textures_are_sampled() {
        assert_eq!(sampled(&FAMILY, "_decal", json!({})), ["DecalDiffuseATexture", "DecalNormalA"]);
        let all = sampled(&FAMILY, "_metal_AM_Modulate", json!({}));
        assert_eq!(all.len(), 5);
        assert_eq!(bound(&FAMILY, "", json!({})).class(), Class::RoadDecal);
    }
}
