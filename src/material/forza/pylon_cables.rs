//! `pylon_cables`: overhead lines of a constant colour, lit by a baked lightmap where one is on.
//!
//! Documentation 001, "Albedo and opacity", "Roughness, metalness and normal", row pylon_cables; "Emissive".
//!
//! ```text
//! albedo = Color       roughness = 1       metalness = 0       normal = LineInner ? (0, 0, −1) : vertex normal
//! emission = LightmapActive ? Lightmap(uv1).rgb · Color · 0.96 : 0         emission_seed = emission · g(d)
//! ```
//!
//! Tokens: `LineInner` (a constant game-frame normal, no tangent frame). `Standard` has no effect.
//!
//! Decided: the albedo is Color also where the surface emits; Lightmap is read at uv1 as it is.

use glam::{Vec3, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::emissive::g;
use crate::material::ops::view;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// A bound `pylon_cables` material.
pub struct PylonCables {
    /// Token `LineInner`.
    line_inner: bool,
    /// `Lightmap`: rgb light; black.
    lightmap: Slot,
    /// `Color`, linear; default black.
    color: Vec3,
    /// `LightmapActive`, default false.
    lightmap_active: bool,
}

/// The registry entry of `pylon_cables`.
pub const FAMILY: Family = Family {
    name: "pylon_cables",
    summary: "Overhead lines of a constant colour.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: row pylon_cables; Emissive",
    permutations: Permutations::Tokens { acting: &["LineInner"], inert: &["Standard"], prefixes: &[] },
    inputs: &["position", "normal", "uv1"],
    world: &["camera"],
    decisions: &["The albedo is Color also where the surface emits; Lightmap is read at uv1 as it is."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(PylonCables {
        line_inner: tokens.has("LineInner"),
        lightmap: binder.texture("Lightmap", [0.0, 0.0, 0.0, 1.0]),
        color: binder.vec3("Color", [0.0, 0.0, 0.0]),
        lightmap_active: binder.boolean("LightmapActive", false),
    })
}

impl PylonCables {
    fn emission(&self, point: &Point, context: &Context) -> Vec3 {
        match self.lightmap_active {
            true => self.lightmap.sample(point.uv[1], point, context).xyz() * self.color * 0.96,
            false => Vec3::ZERO,
        }
    }
}

impl Material for PylonCables {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let normal = if self.line_inner { Vec3::NEG_Z } else { point.normal };
        let emission = self.emission(point, context);
        let d = view::distance(point, context);
        GBuffer { emission, emission_seed: emission * g(d), ..GBuffer::new(self.color, normal) }
    }

    fn may_emit(&self) -> bool {
        let dark = self.lightmap.as_constant().is_some_and(|value| value.xyz() * self.color == Vec3::ZERO);
        self.lightmap_active && self.color != Vec3::ZERO && !dark
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, sampled};
    use super::*;
    use crate::scene::world::World;
    use serde_json::json;

    #[test]
    fn the_inner_line_faces_game_minus_z_whatever_the_vertex_says() {
        let normal =
            |permutation| evaluate(&FAMILY, permutation, json!({}), &Point::default(), &World::default()).normal;
        assert_eq!(normal("_LineInner"), Vec3::NEG_Z);
        assert_eq!(normal("_Standard"), Vec3::Y);
    }

    #[test]
    fn the_lightmap_is_read_only_when_it_is_active() {
        let values =
            |active| json!({ "LightmapActive": active, "Color": [0.5, 0.5, 0.5], "Lightmap": [1.0, 2.0, 0.0, 1.0] });
        assert!(sampled(&FAMILY, "", values(false)).is_empty());
        assert_eq!(sampled(&FAMILY, "", values(true)), ["Lightmap"]);
        assert!(!bound(&FAMILY, "", values(false)).may_emit());
        assert!(bound(&FAMILY, "", values(true)).may_emit());
        let lit = evaluate(&FAMILY, "", values(true), &Point::default(), &World::default());
        assert!(lit.emission.abs_diff_eq(Vec3::new(0.48, 0.96, 0.0), 1e-6));
    }
}
