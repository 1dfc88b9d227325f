//! `snow`: lying snow.
//!
//! Documentation 001, "Albedo and opacity" and "Roughness, metalness and normal", row snow.
//!
//! ```text
//! uv = uv0 · UVTiling
//! albedo = BaseColor(uv).rgb          roughness = RoughMetalAO(uv).r          metalness = 0
//! normal = normalize(T·x + B·y + N·z),   (x, y, z) = NormalTexture(uv).rgb as sampled
//! ```
//!
//! No permutations.
//!
//! Decided: "used raw (no 2v − 1, no flip)" is read as above, so an empty map is (0, 0, 1) and not mid-grey, and green
//! points along +B. Occlusion is the blue of RoughMetalAO and only an output.

use glam::{Vec2, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::normal::Frame;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// A bound `snow` material.
pub struct Snow {
    /// `BaseColor`: rgb albedo; white.
    base_color: Slot,
    /// `RoughMetalAO`: r roughness, b occlusion; (1, 0, 1).
    rough_metal_ao: Slot,
    /// `NormalTexture`: tangent-space normal, signed as sampled; (0, 0, 1).
    normal: Slot,
    /// `UVTiling`, default (1, 1).
    uv_tiling: Vec2,
}

/// The registry entry of `snow`.
pub const FAMILY: Family = Family {
    name: "snow",
    summary: "Lying snow; its normal map is used raw.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: row snow",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0"],
    world: &[],
    decisions: &["The raw normal sample is T·x + B·y + N·z, without decode or flip; occlusion is RoughMetalAO.b."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    Box::new(Snow {
        base_color: binder.texture("BaseColor", [1.0, 1.0, 1.0, 1.0]),
        rough_metal_ao: binder.texture("RoughMetalAO", [1.0, 0.0, 1.0, 1.0]),
        normal: binder.texture("NormalTexture", [0.0, 0.0, 1.0, 1.0]),
        uv_tiling: binder.vec2("UVTiling", [1.0, 1.0]),
    })
}

impl Material for Snow {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = point.uv[0] * self.uv_tiling;
        let albedo = self.base_color.sample(uv, point, context).xyz();
        let rma = self.rough_metal_ao.sample(uv, point, context);
        let raw = self.normal.sample(uv, point, context).xyz();
        let normal = Frame::uv0(point).to_world(raw);
        GBuffer { roughness: rma.x, ambient_occlusion: rma.z, ..GBuffer::new(albedo, normal) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::evaluate;
    use super::*;
    use crate::scene::world::World;
    use glam::Vec3;
    use serde_json::json;

    #[test]
    fn the_normal_map_is_neither_decoded_nor_flipped() {
        let normal = |rgba: [f32; 4]| {
            let values = json!({ "NormalTexture": rgba });
            evaluate(&FAMILY, "", values, &Point::default(), &World::default()).normal
        };
        assert_eq!(normal([0.0, 0.0, 1.0, 1.0]), Vec3::Y);
        assert_eq!(normal([0.0, 0.0, 0.2, 1.0]), Vec3::Y);
        // B = cross(Y, X) = −Z: green goes along it.
        assert_eq!(normal([0.0, 1.0, 0.0, 1.0]), Vec3::NEG_Z);
    }
}
