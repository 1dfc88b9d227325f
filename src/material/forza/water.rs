//! What `uber_water`, `ocean` and `ocean_shoreline` have in common: a constant surface on the vertex normal.
//!
//! Their own page is not among the documentation. Table rows of 001 say only what RT0 is; Decided: `Roughness` is a
//! parameter, a mirror by default, and the normal is the vertex normal.

use glam::Vec3;

use crate::gbuffer::GBuffer;
use crate::material::{Context, Material, Point};

/// A bound water material of either kind.
pub(super) struct Water {
    /// RT0.rgb, linear.
    pub albedo: Vec3,
    /// `Roughness`, 0..1, default 0 (a mirror).
    pub roughness: f32,
}

impl Material for Water {
    fn evaluate(&self, point: &Point, _: &Context) -> GBuffer {
        GBuffer { roughness: self.roughness, ..GBuffer::new(self.albedo, point.normal) }
    }

    /// Water does not receive (families/world-glass-decals.md, last section).
    fn receives_decals(&self) -> bool {
        false
    }
}
