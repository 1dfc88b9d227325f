//! `uber_branch`: trunks and branches.
//!
//! Documentation 001, rows uber_branch; "Foliage, branch and facade-LOD permutations: uber_branch".
//!
//! ```text
//! D = DiffuseA(uv0·DiffuseAUVTiling)          albedo = D.rgb · F(ao)          roughness = D.a          metalness = 0
//! NA = NormalA(uv0·NormalAUVTiling)           (x, y) = 2·NA.rg − 1,  z = √sat(1 − x² − y²)
//! normal = normalize(T·x·k − B·y·k + N·z),    k = NormalAIntensity: z is taken before the scaling
//! ao = lerp(1, (NA.a·COLOR.a)^MediumDOPower, MediumDOIntensity)
//! ```
//!
//! Tokens: `NormalAlpha` with `AO`: NormalA's alpha is occlusion (else it counts as 1). `BranchHiQ`, `MS`, `Fuzz` and `Tint`
//! have no effect. The surface is opaque: its only discard compares a constant, which is left out.
//!
//! Open: the fuzz, micro and B maps. Decided: the form of ao, of which the text names the inputs only.

use glam::{Vec2, Vec3, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::math::lerp;
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion::albedo_factor;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// A bound `uber_branch` material.
pub struct UberBranch {
    /// Tokens `NormalAlpha` and `AO` together.
    normal_alpha_ao: bool,
    /// `DiffuseA`: rgb albedo, a roughness; white.
    diffuse_a: Slot,
    /// `NormalA`: rg normal, a occlusion; flat.
    normal_a: Slot,
    /// `DiffuseAUVTiling`, default (1, 1).
    diffuse_a_uv_tiling: Vec2,
    /// `NormalAUVTiling`, default (1, 1).
    normal_a_uv_tiling: Vec2,
    /// `NormalAIntensity`, default 1.
    normal_a_intensity: f32,
    /// `MediumDOPower`, default 1.
    medium_do_power: f32,
    /// `MediumDOIntensity`, 0..1, default 1.
    medium_do_intensity: f32,
}

/// The registry entry of `uber_branch`.
pub const FAMILY: Family = Family {
    name: "uber_branch",
    summary: "Trunks and branches.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows uber_branch; Foliage, branch and facade-LOD",
    permutations: Permutations::Tokens {
        acting: &["NormalAlpha", "AO"],
        inert: &["BranchHiQ", "MS", "Fuzz", "Tint"],
        prefixes: &[],
    },
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &["ao_minimum", "ao_into_albedo"],
    decisions: &[
        "Occlusion is lerp(1, (NormalA.a · COLOR.a)^MediumDOPower, MediumDOIntensity); only the inputs are documented.",
        "The discard on a constant of the draw is left out: the surface is opaque.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(UberBranch {
        normal_alpha_ao: tokens.has("NormalAlpha") && tokens.has("AO"),
        diffuse_a: binder.texture("DiffuseA", [1.0, 1.0, 1.0, 1.0]),
        normal_a: binder.texture("NormalA", [0.5, 0.5, 1.0, 1.0]),
        diffuse_a_uv_tiling: binder.vec2("DiffuseAUVTiling", [1.0, 1.0]),
        normal_a_uv_tiling: binder.vec2("NormalAUVTiling", [1.0, 1.0]),
        normal_a_intensity: binder.number("NormalAIntensity", 1.0),
        medium_do_power: binder.number("MediumDOPower", 1.0),
        medium_do_intensity: binder.number("MediumDOIntensity", 1.0),
    })
}

impl Material for UberBranch {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let d = self.diffuse_a.sample(point.uv[0] * self.diffuse_a_uv_tiling, point, context);
        let na = self.normal_a.sample(point.uv[0] * self.normal_a_uv_tiling, point, context);

        let occlusion = if self.normal_alpha_ao { na.w } else { 1.0 };
        let ao = lerp(1.0, (occlusion * point.color.w).powf(self.medium_do_power), self.medium_do_intensity);
        let albedo = d.xyz() * albedo_factor(context.world, ao);

        let k = Vec3::new(self.normal_a_intensity, self.normal_a_intensity, 1.0);
        let normal = Frame::uv0(point).to_world_green_down(decode(na) * k);

        GBuffer { roughness: d.w, ambient_occlusion: ao, ..GBuffer::new(albedo, normal) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::evaluate;
    use super::*;
    use crate::scene::world::World;
    use glam::Vec4;
    use serde_json::{Value, json};

    fn branch(permutation: &str, values: Value) -> GBuffer {
        let point = Point { color: Vec4::new(1.0, 1.0, 1.0, 0.5), ..Point::default() };
        let world = World { ao_into_albedo: 1.0, ..World::default() };
        evaluate(&FAMILY, permutation, values, &point, &world)
    }

    #[test]
    fn z_comes_from_the_unscaled_normal() {
        let values = json!({ "NormalA": [0.8, 0.5, 0.0, 1.0], "NormalAIntensity": 2.0 });
        assert!(branch("", values).normal.abs_diff_eq(Vec3::new(1.2, 0.8, 0.0).normalize(), 1e-6));
    }

    #[test]
    fn normal_alpha_is_occlusion_only_with_both_tokens() {
        let values = || json!({ "NormalA": [0.5, 0.5, 0.0, 0.5], "MediumDOPower": 2.0 });
        assert_eq!(branch("_BranchHiQ", values()).ambient_occlusion, 0.25);
        assert_eq!(branch("_BranchHiQ_NormalAlpha", values()).ambient_occlusion, 0.25);
        let both = branch("_BranchHiQ_NormalAlpha_AO_MS", values());
        assert_eq!((both.ambient_occlusion, both.albedo), (0.0625, Vec3::splat(0.0625)));
    }

    #[test]
    fn zero_power_or_zero_intensity_is_no_occlusion() {
        for values in [json!({ "MediumDOPower": 0.0 }), json!({ "MediumDOIntensity": 0.0 })] {
            assert_eq!(branch("", values).ambient_occlusion, 1.0);
        }
    }
}
