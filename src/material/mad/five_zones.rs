//! `5Zones`: clothes of one cut in five zones, each a colour and a metalness.
//!
//! Documentation 004, "Character surfaces":
//!
//! ```text
//! zone = 1 for Mask1.R < ¼, 2 for ¼ ≤ R < ¾, 3 for R ≥ ¾;   then 4 for ¼ ≤ Mask1.G < ¾, 5 for G ≥ ¾
//! colour, metalness: the zone's;   Mask2: RG normal, A roughness
//! ```
//!
//! No permutations, no alpha test, no emission. Variance (Mask1.A), motifs, details and mud are not established and left
//! out. Open and decided: see [`FAMILY`]'s decisions.

use glam::{Vec3, Vec4};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::mad;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "5Zones",
    summary: "clothes in five zones of a mask, each with a colour and a metalness",
    source: "004 Surface formulas and texture roles, Character surfaces",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0"],
    world: &[],
    decisions: &[
        "A mask value that equals a threshold belongs to the higher zone; the choice is hard.",
        "Metalness comes from the zone, not from Mask2.B.",
    ],
    bind,
};

struct FiveZones {
    /// `Zone1Colour` … `Zone5Colour`, default (½, ½, ½).
    colour: [Vec3; 5],
    /// `Zone1Metalness` … `Zone5Metalness`, default 0.
    metalness: [f32; 5],
    mask1: Slot,
    mask2: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    const COLOUR: [&str; 5] = ["Zone1Colour", "Zone2Colour", "Zone3Colour", "Zone4Colour", "Zone5Colour"];
    const METALNESS: [&str; 5] =
        ["Zone1Metalness", "Zone2Metalness", "Zone3Metalness", "Zone4Metalness", "Zone5Metalness"];
    Box::new(FiveZones {
        colour: COLOUR.map(|name| b.vec3(name, [0.5; 3])),
        metalness: METALNESS.map(|name| b.number(name, 0.0)),
        mask1: b.texture("Mask1", [0.0, 0.0, 0.0, 1.0]),
        mask2: b.texture("Mask2", mad::NORMAL),
    })
}

/// The zone's index, 0 for zone 1.
fn zone(mask1: Vec4) -> usize {
    match (mask1.x, mask1.y) {
        (_, g) if g >= 0.75 => 4,
        (_, g) if g >= 0.25 => 3,
        (r, _) if r >= 0.75 => 2,
        (r, _) if r >= 0.25 => 1,
        _ => 0,
    }
}

impl Material for FiveZones {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let zone = zone(self.mask1.sample(point.uv[0], point, context));
        let mask2 = self.mask2.sample(point.uv[0], point, context);
        GBuffer {
            metalness: self.metalness[zone],
            roughness: mask2.w,
            ..GBuffer::new(self.colour[zone], mad::world_normal(mask2, point))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_chooses_green_overrides_and_an_equal_value_belongs_to_the_higher_zone() {
        let at = |r, g| zone(Vec4::new(r, g, 0.0, 1.0)) + 1;
        assert_eq!([at(0.24, 0.0), at(0.25, 0.0), at(0.74, 0.24), at(0.75, 0.0)], [1, 2, 2, 3]);
        assert_eq!([at(1.0, 0.25), at(0.0, 0.74), at(1.0, 0.75)], [4, 4, 5]);
    }
}
