//! `uberlod`: clusters of the far heightfield.
//!
//! Documentation 001, "Heightfield far view (uberlod)"; the weather terms after 000, uber_asset_animated.
//!
//! ```text
//! _Default   D = DiffuseATexture(uv0)   RM = RoughnessMetalnessATexture(uv0)   wf = sat(N.y + 1)   w = cb7[3] = weather
//!   k = lerp(1 + wf(w.x − 1), 1 + wf(w.z − 1), sat(1 − RM.r))                  L = dot(D.rgb, (0.3, 0.59, 0.11))
//!   albedo = (1 + (1 − k)·0.2)(D.rgb·k − L) + L
//!   metalness = RM.g          roughness = RM.r^(1 + wf(w.y − 1))               normal = vertex normal
//!   emission = EmissiveTexture(uv0).rgb · EmissiveScale                        emission_seed = emission · g(d)
//! _Rock_NM   albedo = D.rgb    metalness = Metalness    roughness = Roughness    normal = standard decode of NormalATexture(uv0)
//! ```
//!
//! Tokens: `Rock` with `NM`; without them it is `_Default`. Nothing is alpha tested.
//!
//! Decided: 001 says which channels the weather terms read, not their form; they are taken to be uber_asset_animated's with
//! WetRoughnessScale 1, the final scene constant 1. At weather (1, 1, 1) they are the identity.

use glam::{Vec3, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::LUMA;
use crate::material::ops::emissive::g;
use crate::material::ops::math::{lerp, sat};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::view;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// A bound `uberlod` material.
pub struct UberLod {
    /// Tokens `Rock` and `NM` together.
    rock_nm: bool,
    /// `DiffuseATexture`: rgb albedo; white.
    diffuse_a: Slot,
    /// `RoughnessMetalnessATexture`: r, g; (1, 0).
    roughness_metalness_a: Slot,
    /// `EmissiveTexture`: rgb; black.
    emissive_texture: Slot,
    /// `NormalATexture`: rg; flat.
    normal_a: Slot,
    /// `Roughness` of `_Rock_NM`, default 0.8.
    roughness: f32,
    /// `Metalness` of `_Rock_NM`, default 0.
    metalness: f32,
    /// `EmissiveScale`, default 1.
    emissive_scale: f32,
}

/// The registry entry of `uberlod`.
pub const FAMILY: Family = Family {
    name: "uberlod",
    summary: "Clusters of the far heightfield.",
    source: "001, Heightfield far view (uberlod); 000, uber_asset_animated",
    permutations: Permutations::Tokens { acting: &["Rock", "NM"], inert: &["Default"], prefixes: &[] },
    inputs: &["position", "normal", "tangent", "uv0"],
    world: &["camera", "weather"],
    decisions: &[
        "The weather terms of _Default are uber_asset_animated's with WetRoughnessScale 1; _Rock_NM has none.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(UberLod {
        rock_nm: tokens.has("Rock") && tokens.has("NM"),
        diffuse_a: binder.texture("DiffuseATexture", [1.0, 1.0, 1.0, 1.0]),
        roughness_metalness_a: binder.texture("RoughnessMetalnessATexture", [1.0, 0.0, 0.0, 1.0]),
        emissive_texture: binder.texture("EmissiveTexture", [0.0, 0.0, 0.0, 1.0]),
        normal_a: binder.texture("NormalATexture", [0.5, 0.5, 1.0, 1.0]),
        roughness: binder.number("Roughness", 0.8),
        metalness: binder.number("Metalness", 0.0),
        emissive_scale: binder.number("EmissiveScale", 1.0),
    })
}

impl UberLod {
    fn rock_nm(&self, d: Vec3, point: &Point, context: &Context) -> GBuffer {
        let sample = self.normal_a.sample(point.uv[0], point, context);
        let normal = Frame::uv0(point).to_world_green_down(decode(sample));
        GBuffer { metalness: self.metalness, roughness: self.roughness, ..GBuffer::new(d, normal) }
    }

    fn default(&self, d: Vec3, point: &Point, context: &Context) -> GBuffer {
        let rm = self.roughness_metalness_a.sample(point.uv[0], point, context);
        let wf = sat(point.normal.y + 1.0);
        let weather = 1.0 + wf * (context.world.weather - 1.0);
        let k = lerp(weather.x, weather.z, sat(1.0 - rm.x));
        let l = LUMA.dot(d);
        let albedo = (1.0 + (1.0 - k) * 0.2) * (d * k - l) + l;
        let roughness = rm.x.powf(weather.y);

        let emission = self.emissive_texture.sample(point.uv[0], point, context).xyz() * self.emissive_scale;
        let emission_seed = emission * g(view::distance(point, context));
        GBuffer { metalness: rm.y, roughness, emission, emission_seed, ..GBuffer::new(albedo, point.normal) }
    }
}

impl Material for UberLod {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let d = self.diffuse_a.sample(point.uv[0], point, context).xyz();
        if self.rock_nm { self.rock_nm(d, point, context) } else { self.default(d, point, context) }
    }

    fn may_emit(&self) -> bool {
        let dark = self.emissive_texture.as_constant().is_some_and(|value| value.xyz() == Vec3::ZERO);
        !self.rock_nm && self.emissive_scale != 0.0 && !dark
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, sampled};
    use super::*;
    use crate::scene::world::World;
    use serde_json::json;

    #[test]
    fn dry_weather_is_the_identity() {
        let values =
            json!({ "DiffuseATexture": [0.7, 0.2, 0.4, 1.0], "RoughnessMetalnessATexture": [0.3, 0.6, 0.0, 1.0] });
        let g = evaluate(&FAMILY, "_Default", values, &Point::default(), &World::default());
        assert!(g.albedo.abs_diff_eq(Vec3::new(0.7, 0.2, 0.4), 1e-6));
        assert_eq!((g.roughness, g.metalness), (0.3, 0.6));
    }

    #[test]
    fn weather_reaches_upward_faces_of_default_only() {
        let world = World { weather: Vec3::new(0.5, 0.5, 0.5), ..World::default() };
        let lod = |permutation, normal| {
            let values = json!({ "RoughnessMetalnessATexture": [0.25, 0.0, 0.0, 1.0] });
            evaluate(&FAMILY, permutation, values, &Point { normal, ..Point::default() }, &world)
        };
        assert_eq!(lod("_Default", Vec3::Y).roughness, 0.5);
        assert_eq!(lod("_Default", Vec3::NEG_Y).roughness, 0.25);
        assert_eq!(lod("_Rock_NM", Vec3::Y).albedo, Vec3::ONE);
        assert!(lod("_Default", Vec3::Y).albedo.x < 1.0);
    }

    #[test]
    fn each_permutation_reads_its_own_maps() {
        assert_eq!(sampled(&FAMILY, "_Rock_NM", json!({})), ["DiffuseATexture", "NormalATexture"]);
        let default = ["DiffuseATexture", "RoughnessMetalnessATexture", "EmissiveTexture"];
        assert_eq!(sampled(&FAMILY, "_Default", json!({})), default);
        let glowing = || json!({ "EmissiveTexture": [1.0, 1.0, 1.0, 1.0] });
        assert!(bound(&FAMILY, "_Default", glowing()).may_emit());
        assert!(!bound(&FAMILY, "_Rock_NM", glowing()).may_emit());
    }
}
