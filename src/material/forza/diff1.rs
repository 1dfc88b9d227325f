//! `diff1`: one diffuse map, fully rough.
//!
//! Documentation 001, "Albedo and opacity" and "Roughness, metalness and normal", row diff1.
//!
//! ```text
//! albedo = DiffuseA(uv0 · UVTilingA).rgb     roughness = 1     metalness = 0     normal = vertex normal
//! ```
//!
//! No permutations; nothing is open.

use glam::{Vec2, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// A bound `diff1` material.
pub struct Diff1 {
    /// `DiffuseA`: rgb albedo; white.
    diffuse_a: Slot,
    /// `UVTilingA`, default (1, 1).
    uv_tiling_a: Vec2,
}

/// The registry entry of `diff1`.
pub const FAMILY: Family = Family {
    name: "diff1",
    summary: "One diffuse map, fully rough.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: row diff1",
    permutations: Permutations::None,
    inputs: &["normal", "uv0"],
    world: &[],
    decisions: &[],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    Box::new(Diff1 {
        diffuse_a: binder.texture("DiffuseA", [1.0, 1.0, 1.0, 1.0]),
        uv_tiling_a: binder.vec2("UVTilingA", [1.0, 1.0]),
    })
}

impl Material for Diff1 {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let albedo = self.diffuse_a.sample(point.uv[0] * self.uv_tiling_a, point, context).xyz();
        GBuffer::new(albedo, point.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::samples;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_tiling_multiplies_component_by_component() {
        let mut point = Point::default();
        point.uv[0] = Vec2::new(0.5, -1.5);
        let taken = samples(&FAMILY, "", json!({ "UVTilingA": [2.0, 3.0] }), &point);
        assert_eq!(taken.len(), 1);
        assert_eq!(taken[0].uv, Some(Vec2::new(1.0, -4.5)));
    }
}
