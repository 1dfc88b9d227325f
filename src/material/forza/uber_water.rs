//! `uber_water`: rivers, lakes and pools.
//!
//! Documentation 001, "Albedo and opacity", row uber_water.
//!
//! ```text
//! albedo = InScatterColourA
//! ```
//!
//! No permutations. Open: the forward pass that colours it; the water page is not among the documentation. Decided:
//! `Roughness` is a parameter, 0 (a mirror) by default, and the normal is the vertex normal.

use super::water::Water;
use crate::material::Material;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `uber_water`.
pub const FAMILY: Family = Family {
    name: "uber_water",
    summary: "Rivers, lakes and pools: a constant colour and roughness.",
    source: "001, Albedo and opacity: row uber_water",
    permutations: Permutations::None,
    inputs: &["normal"],
    world: &[],
    decisions: &["The forward pass is not documented: roughness is a parameter, the normal is the vertex normal."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    Box::new(Water {
        albedo: binder.vec3("InScatterColourA", [0.0, 0.0, 0.0]),
        roughness: binder.number("Roughness", 0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::evaluate;
    use super::*;
    use crate::material::Point;
    use crate::scene::world::World;
    use glam::Vec3;
    use serde_json::json;

    #[test]
    fn water_is_a_mirror_of_its_scatter_colour_by_default() {
        let values = json!({ "InScatterColourA": [0.1, 0.2, 0.3] });
        let g = evaluate(&FAMILY, "", values, &Point::default(), &World::default());
        assert_eq!((g.albedo, g.roughness, g.normal), (Vec3::new(0.1, 0.2, 0.3), 0.0, Vec3::Y));
    }
}
