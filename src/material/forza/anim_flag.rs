//! `anim_flag`: flags of an atlas, whose creases wander with the wind.
//!
//! Documentation 001, "Albedo and opacity" and "Roughness, metalness and normal", row anim_flag.
//!
//! ```text
//! D  = DiffuseATexture(uv0 + DiffuseUVOffset)       albedo = D.rgb       AlphaTest: coverage = D.a
//! RM = RoughnessMetalnessATexture(uv0)              roughness = RM.r     metalness = RM.g
//! nA = world normal of NormalATexture(uv0)          nAnim = that of NormalAnimTexture((uv2 + 1 − t)·NormalAnimUVTiling)
//! normal = normalize(nA + COLOR.r·COLOR.a·nAnim)
//! ```
//!
//! Tokens: `AlphaTest`. `Standard` has no effect.
//!
//! Open: what t is at run time ("time and wind scroll"; verified at t = 0 only). Decided: t = NormalAnimScroll · time, both
//! components; the uv is not wrapped before the tiling. Both normals are unit before they are added.

use glam::{Vec2, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::cutout::{SOLID, alpha_test, alpha_test_if};
use crate::material::ops::normal::{Frame, decode};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// A bound `anim_flag` material.
pub struct AnimFlag {
    /// Token `AlphaTest`.
    alpha_test: bool,
    /// `DiffuseATexture`: rgb albedo, a coverage; white.
    diffuse_a: Slot,
    /// `RoughnessMetalnessATexture`: r, g; (1, 0).
    roughness_metalness_a: Slot,
    /// `NormalATexture` (our name): the cloth; flat.
    normal_a: Slot,
    /// `NormalAnimTexture`: the moving creases; flat.
    normal_anim: Slot,
    /// `DiffuseUVOffset`: picks a flag of the atlas, default (0, 0).
    diffuse_uv_offset: Vec2,
    /// `NormalAnimUVTiling`, default (1, 1).
    normal_anim_uv_tiling: Vec2,
    /// `NormalAnimScroll` (our name): uv a second, default (0, 0).
    normal_anim_scroll: Vec2,
}

/// The registry entry of `anim_flag`.
pub const FAMILY: Family = Family {
    name: "anim_flag",
    summary: "Flags of an atlas, with creases that scroll in the wind.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: row anim_flag",
    permutations: Permutations::Tokens { acting: &["AlphaTest"], inert: &["Standard"], prefixes: &[] },
    inputs: &["normal", "tangent", "uv0", "uv2", "color"],
    world: &["alpha_reference", "time"],
    decisions: &[
        "The scroll t is NormalAnimScroll · time, 0 in the verified state; the uv is not wrapped before the tiling.",
        "The cloth's own normal is NormalATexture at uv0; both normals are unit before they are added.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(AnimFlag {
        alpha_test: tokens.has("AlphaTest"),
        diffuse_a: binder.texture("DiffuseATexture", [1.0, 1.0, 1.0, 1.0]),
        roughness_metalness_a: binder.texture("RoughnessMetalnessATexture", [1.0, 0.0, 0.0, 1.0]),
        normal_a: binder.texture("NormalATexture", [0.5, 0.5, 1.0, 1.0]),
        normal_anim: binder.texture("NormalAnimTexture", [0.5, 0.5, 1.0, 1.0]),
        diffuse_uv_offset: binder.vec2("DiffuseUVOffset", [0.0, 0.0]),
        normal_anim_uv_tiling: binder.vec2("NormalAnimUVTiling", [1.0, 1.0]),
        normal_anim_scroll: binder.vec2("NormalAnimScroll", [0.0, 0.0]),
    })
}

impl Material for AnimFlag {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let d = self.diffuse_a.sample(point.uv[0] + self.diffuse_uv_offset, point, context);
        let Opacity { discard, coverage } = alpha_test_if(self.alpha_test, d.w, context);
        let rm = self.roughness_metalness_a.sample(point.uv[0], point, context);

        let frame = Frame::uv0(point);
        let n_a = frame.to_world_green_down(decode(self.normal_a.sample(point.uv[0], point, context)));
        let t = self.normal_anim_scroll * context.world.time;
        let uv_anim = (point.uv[2] + 1.0 - t) * self.normal_anim_uv_tiling;
        let n_anim = frame.to_world_green_down(decode(self.normal_anim.sample(uv_anim, point, context)));
        let normal = (n_a + point.color.x * point.color.w * n_anim).normalize();

        GBuffer { discard, coverage, metalness: rm.y, roughness: rm.x, ..GBuffer::new(d.xyz(), normal) }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        if !self.alpha_test {
            return SOLID;
        }
        alpha_test(self.diffuse_a.sample(point.uv[0] + self.diffuse_uv_offset, point, context).w, context)
    }

    fn may_discard(&self) -> bool {
        self.alpha_test
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluate, samples};
    use super::*;
    use crate::scene::world::World;
    use glam::{Vec3, Vec4};
    use serde_json::json;

    #[test]
    fn no_vertex_colour_means_no_creases() {
        let values = json!({ "NormalAnimTexture": [1.0, 0.5, 1.0, 1.0] });
        let normal = |color| {
            let point = Point { color, ..Point::default() };
            evaluate(&FAMILY, "_Standard", values.clone(), &point, &World::default()).normal
        };
        assert_eq!(normal(Vec4::new(0.0, 1.0, 1.0, 1.0)), Vec3::Y);
        assert_eq!(normal(Vec4::new(1.0, 1.0, 1.0, 0.0)), Vec3::Y);
        assert!(normal(Vec4::ONE).abs_diff_eq(Vec3::new(1.0, 1.0, 0.0).normalize(), 1e-6));
    }

    #[test]
    fn the_anim_map_moves_by_whole_tiles_before_the_tiling() {
        let mut point = Point::default();
        point.uv[2] = Vec2::new(0.25, 0.5);
        let taken = samples(&FAMILY, "", json!({ "NormalAnimUVTiling": [2.0, 3.0] }), &point);
        let anim = taken.iter().find(|sample| sample.name == "NormalAnimTexture").unwrap();
        assert_eq!(anim.uv, Some(Vec2::new(2.5, 4.5)));
    }
}
