//! `emissiveonly`: a constant colour that may shine.
//!
//! Documentation 001, "Albedo and opacity", "Roughness, metalness and normal", row emissiveonly; "Emissive".
//!
//! ```text
//! albedo = Color          roughness = 1          metalness = 0          normal = vertex normal
//! emission = Color · EmissiveMultiplier          emission_seed = emission · g(d)
//! ```
//!
//! No permutations.
//!
//! Decided: the albedo is Color also where the surface emits.

use glam::Vec3;

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::emissive::g;
use crate::material::ops::view;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point};

/// A bound `emissiveonly` material.
pub struct EmissiveOnly {
    /// `Color`, linear; default black.
    color: Vec3,
    /// `EmissiveMultiplier`, default 0.
    emissive_multiplier: f32,
}

/// The registry entry of `emissiveonly`.
pub const FAMILY: Family = Family {
    name: "emissiveonly",
    summary: "A constant colour that may shine.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: row emissiveonly; Emissive",
    permutations: Permutations::None,
    inputs: &["position", "normal"],
    world: &["camera"],
    decisions: &["The albedo is Color also where the surface emits."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    Box::new(EmissiveOnly {
        color: binder.vec3("Color", [0.0, 0.0, 0.0]),
        emissive_multiplier: binder.number("EmissiveMultiplier", 0.0),
    })
}

impl EmissiveOnly {
    fn emission(&self) -> Vec3 {
        self.color * self.emissive_multiplier
    }
}

impl Material for EmissiveOnly {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let emission = self.emission();
        let d = view::distance(point, context);
        GBuffer { emission, emission_seed: emission * g(d), ..GBuffer::new(self.color, point.normal) }
    }

    fn may_emit(&self) -> bool {
        self.emission() != Vec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::bound;
    use super::*;
    use crate::scene::world::World;
    use serde_json::json;

    #[test]
    fn only_the_seed_is_encoded_by_distance() {
        let world = World { camera: Vec3::new(0.0, 2.0, 0.0), ..World::default() };
        let material = bound(&FAMILY, "", json!({ "Color": [0.5, 0.25, 0.0], "EmissiveMultiplier": 4.0 }));
        let g = material.evaluate(&Point::default(), &Context::new(&world));
        assert_eq!(g.emission, Vec3::new(2.0, 1.0, 0.0));
        assert!(g.emission_seed.abs_diff_eq(Vec3::new(0.5, 0.25, 0.0), 1e-5));
        assert_eq!(g.albedo, Vec3::new(0.5, 0.25, 0.0));
        assert!(material.may_emit());
    }

    #[test]
    fn the_default_multiplier_emits_nothing() {
        assert!(!bound(&FAMILY, "", json!({ "Color": [1.0, 1.0, 1.0] })).may_emit());
    }
}
