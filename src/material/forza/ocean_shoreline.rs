//! `ocean_shoreline`: the sea at its shore.
//!
//! Documentation 001, "Albedo and opacity", row ocean, ocean_shoreline: RT0 holds water data, not colour; the global
//! ocean renderer colours the surface later.
//!
//! No permutations. Open: everything but that; the water page is not among the documentation. Decided: albedo 0, `Roughness`
//! a parameter with 0 (a mirror) by default, the vertex normal.

use glam::Vec3;

use super::water::Water;
use crate::material::Material;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `ocean_shoreline`.
pub const FAMILY: Family = Family {
    name: "ocean_shoreline",
    summary: "The sea at its shore: black, with a constant roughness.",
    source: "001, Albedo and opacity: row ocean, ocean_shoreline",
    permutations: Permutations::None,
    inputs: &["normal"],
    world: &[],
    decisions: &["RT0 holds data, not colour: albedo 0; roughness is a parameter, the normal is the vertex normal."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    Box::new(Water { albedo: Vec3::ZERO, roughness: binder.number("Roughness", 0.0) })
}
