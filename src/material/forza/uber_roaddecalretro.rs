//! `uber_roaddecalretro`: retro-reflective road paint. The formula is that of `roaddecal.rs`.
//!
//! Documentation 001, rows uber_roaddecalretro; "Road decals"; 002 for what they are.
//!
//! Every permutation tests its mask: s = mask·fade, or with `HA` s = sat((mask + fade − 1)/MaxHeightAlpha), times the
//! camera-distance smoothstep `retro_distance_fade`. Metalness is 0.
//!
//! Tokens: `T` (overlay with COLOR.b), `M` or `Modulate`, `HA`. `decal`, `winter`, `POM` and `S` have no effect.
//!
//! Open: the retro-reflective term of RT1.xyz. Decided: emission 0; `RetroReflectivity`, `RetroReflectivityFalloff` and
//! `Hardness` are accepted and unused, as is `Enabled`.

use super::roaddecal::{RoadDecal, Test};
use crate::material::Material;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `uber_roaddecalretro`.
pub const FAMILY: Family = Family {
    name: "uber_roaddecalretro",
    summary: "Retro-reflective road paint: opaque cut-outs.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows uber_roaddecalretro; Road decals; 002",
    permutations: Permutations::Tokens {
        acting: &["T", "M", "Modulate", "HA"],
        inert: &["decal", "winter", "POM", "S"],
        prefixes: &[],
    },
    inputs: &["normal", "tangent", "uv0", "uv1", "uv2", "color", "pixel", "uv0_footprint"],
    world: &["alpha_reference", "dither", "frame_index", "dither_temporal", "retro_distance_fade"],
    decisions: &[
        "As uber_roaddecal; the test value is multiplied by retro_distance_fade.",
        "The retro-reflective term has no formula: emission 0, its three parameters are unused.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    let max_height_alpha = binder.number("MaxHeightAlpha", 1.0);
    binder.number("RetroReflectivity", 0.0);
    binder.number("RetroReflectivityFalloff", 1.0);
    binder.number("Hardness", 1.0);
    let test = Test::Retro { max_height_alpha: tokens.has("HA").then_some(max_height_alpha) };
    Box::new(RoadDecal::bind(binder, &tokens, test, None))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, try_bind};
    use super::*;
    use crate::material::Point;
    use crate::scene::world::World;
    use glam::Vec4;
    use serde_json::{Value, json};

    fn coverage(permutation: &str, mut values: Value, mask: f32, world: &World) -> f32 {
        values["DecalMaskATexture"] = json!([mask, 0.0, 0.0, 1.0]);
        values["AlphaFadeOnOff"] = json!(true);
        let point = Point { color: Vec4::new(1.0, 0.75, 1.0, 1.0), ..Point::default() };
        evaluate(&FAMILY, permutation, values, &point, world).coverage
    }

    #[test]
    fn ha_subtracts_where_the_plain_form_multiplies() {
        let world = World::default();
        assert_eq!(coverage("_decal", json!({}), 0.5, &world), 0.375);
        assert_eq!(coverage("_HA", json!({}), 0.5, &world), 0.25);
        assert_eq!(coverage("_HA", json!({ "MaxHeightAlpha": 0.5 }), 0.5, &world), 0.5);
        // A zero height is a hard step.
        assert_eq!(coverage("_HA", json!({ "MaxHeightAlpha": 0.0 }), 0.5, &world), 1.0);
        assert_eq!(coverage("_HA", json!({ "MaxHeightAlpha": 0.0 }), 0.25, &world), 0.0);
    }

    #[test]
    fn the_distance_fade_comes_after_either_form() {
        let world = World { retro_distance_fade: 0.5, ..World::default() };
        assert_eq!(coverage("_decal", json!({}), 0.5, &world), 0.1875);
        assert_eq!(coverage("_HA", json!({ "MaxHeightAlpha": 0.1 }), 0.5, &world), 0.5);
    }

    #[test]
    fn metal_belongs_to_the_other_family_and_every_permutation_is_dithered() {
        assert!(try_bind(&FAMILY, "_metal", &json!({})).is_err());
        assert!(try_bind(&FAMILY, "", &json!({ "Mask_MetalnessATexture": [1.0, 1.0, 1.0, 1.0] })).is_err());
        assert!(bound(&FAMILY, "", json!({})).dithered());
    }
}
