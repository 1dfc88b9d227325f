//! `MAD_Fake`: simple cut-out props, an albedo map and a packed normal map.
//!
//! Documentation 004, "Fake and Tex1" and "Normal frame":
//!
//! ```text
//! colour albedo.rgb;   roughness normal.A;   metalness normal.B;   AO 1;   discard albedo.A < cb2[18].y
//! back faces: −N stands for N, in cross(N, T) too; w stays
//! ```
//!
//! No permutations, no parameters, no uv rows.

use glam::Vec4Swizzles;

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::mad;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Fake",
    summary: "cut-out props: albedo with alpha test, packed normal map, flipped on back faces",
    source: "004 Surface formulas and texture roles, Fake and Tex1",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "front_facing"],
    world: &["alpha_reference"],
    decisions: &["The negated normal of back faces stands in the bitangent too, without flipping w."],
    bind,
};

struct MadFake {
    albedo: Slot,
    normal: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(MadFake { albedo: b.texture("albedo", mad::DIFFUSE), normal: b.texture("normal", mad::NORMAL) })
}

impl Material for MadFake {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let albedo = self.albedo.sample(point.uv[0], point, context);
        let normal = self.normal.sample(point.uv[0], point, context);
        let facing = Point { normal: if point.front_facing { point.normal } else { -point.normal }, ..*point };
        let Opacity { discard, coverage } = mad::alpha_test(albedo.w, context);
        GBuffer {
            discard,
            coverage,
            metalness: normal.z,
            roughness: normal.w,
            ..GBuffer::new(albedo.xyz(), mad::world_normal(normal, &facing))
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        mad::alpha_test(self.albedo.sample(point.uv[0], point, context).w, context)
    }

    fn may_discard(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::world::World;
    use glam::{Vec3, Vec4};

    #[test]
    fn back_faces_negate_the_normal_and_with_it_the_bitangent() {
        let material = MadFake {
            albedo: Slot::constant("albedo", Vec4::ONE),
            normal: Slot::constant("normal", Vec4::new(0.5, 0.8, 0.0, 0.5)),
        };
        let normal = |front_facing| {
            let point = Point { front_facing, ..Point::default() };
            material.evaluate(&point, &Context::new(&World::default())).normal
        };
        assert!(normal(true).abs_diff_eq(Vec3::new(0.0, 0.8, -0.6), 1e-6));
        assert!(normal(false).abs_diff_eq(Vec3::new(0.0, -0.8, 0.6), 1e-6));
    }
}
