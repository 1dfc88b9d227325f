//! The contract of a material family: bound once from a scene file, then evaluated at points.
//!
//! A family knows textures, parameters and a [`Point`]; it knows no rays, lights or random numbers.
//! Files: [`bind`] (typed reads of a `[materials.*]` table), [`registry`] (the one list of families),
//! [`ops`] (formulas shared by two families or more), `forza/` and `mad/` (one family a file), [`gltf`].

pub mod bind;
pub mod forza;
pub mod gltf;
pub mod mad;
pub mod ops;
pub mod point;
pub mod registry;
pub mod slot;

pub use point::{Context, Point, TextureSample};
pub use slot::Slot;

use glam::Vec3;

use crate::gbuffer::GBuffer;

/// A bound material: typed parameters and texture slots, ready to be evaluated from many threads.
pub trait Material: Send + Sync {
    /// Everything that the pixel program writes at `point`. Infallible; no allocation, no lock.
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer;

    /// Only what decides whether the surface is there. The default evaluates everything; a family with an alpha test
    /// overrides it to read only the textures that the test needs.
    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        let g = self.evaluate(point, context);
        Opacity { discard: g.discard, coverage: g.coverage }
    }

    /// False where no point of this material can be discarded: rays then never ask for its opacity.
    fn may_discard(&self) -> bool {
        false
    }

    /// True where `discard` is the documented screen dither of the coverage while `[world] dither` is on. A ray without a
    /// pixel then takes the surface to be there with probability `ops::dither::keep_probability(coverage)`.
    fn dithered(&self) -> bool {
        false
    }

    /// False where emission is surely zero at every point: such surfaces never enter the light tree.
    fn may_emit(&self) -> bool {
        false
    }

    /// The emission, as `evaluate` writes it, where that is the same at every point: lights are then asked for it without an
    /// evaluation.
    fn constant_emission(&self) -> Option<Vec3> {
        None
    }

    /// True where the surface is there with probability sat([`GBuffer::coverage`]) at every point that is not discarded:
    /// glTF's BLEND. False: it is there wherever it is not discarded.
    fn stochastic_coverage(&self) -> bool {
        false
    }

    /// False where deferred decals (meshes, boxes) have no effect on an opaque surface of this material: water.
    fn receives_decals(&self) -> bool {
        true
    }

    /// How the light transport treats surfaces of this material.
    fn class(&self) -> Class {
        Class::Opaque
    }
}

/// Whether a surface is there at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opacity {
    /// As [`GBuffer::discard`].
    pub discard: bool,
    /// As [`GBuffer::coverage`].
    pub coverage: f32,
}

/// How the light transport treats a surface (TRANSPORT.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Reflects; possibly with holes.
    Opaque,
    /// Dual-source: reflects and lets straight light through.
    Glass,
    /// Replaces the G-buffer of what it paints (`uber_roaddecal*`).
    RoadDecal,
    /// Edits the receiving G-buffer (`environmentdeferreddecal`, mesh permutations).
    MeshDecal,
    /// Edits the receiving G-buffer inside unit boxes (`environmentdeferreddecal`, projected permutations).
    ProjectedDecal,
}
