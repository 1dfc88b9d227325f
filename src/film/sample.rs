//! What the integrator hands to the film.

use glam::{Vec2, Vec3, Vec4};

use crate::gbuffer::GBuffer;

/// One camera path's contribution. Radiances in W/(m² sr), linear Rec.709; the five parts sum to the beauty.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathSample {
    pub emission: Vec3,
    pub direct_diffuse: Vec3,
    pub direct_specular: Vec3,
    pub indirect_diffuse: Vec3,
    pub indirect_specular: Vec3,
    /// 1 where the camera ray met a surface (glass: by what it reflects or by what is behind it), 0 where it left the scene.
    pub alpha: f32,
    /// Glass along the camera ray: its reflected radiance, and the product of the transmittances.
    pub glass_reflection: Vec3,
    pub glass_transmittance: Vec3,
}

impl PathSample {
    /// The radiance of the path.
    pub fn beauty(&self) -> Vec3 {
        self.emission + self.direct_diffuse + self.direct_specular + self.indirect_diffuse + self.indirect_specular
    }
}

/// The first surface that a camera ray met, as the filtered AOVs show it.
#[derive(Clone, Copy, Debug)]
pub struct FirstSurface {
    /// What the family wrote (game frame), after decals.
    pub gbuffer: GBuffer,
    /// The receiver's own values where decals painted it; else they are `gbuffer`.
    pub bare: Option<GBuffer>,
    /// How much of the surface decals wrote, 0..1; 0 without `bare`.
    pub decal_weight: f32,
    pub ids: Ids,
}

impl FirstSurface {
    /// Nothing yet.
    pub const BLANK: Self = Self {
        gbuffer: GBuffer::BLANK,
        bare: None,
        decal_weight: 0.0,
        ids: Ids { instance: 0, object: 0, mesh: 0, material: 0, primitive: 0 },
    };
}

/// The first surface on the ray through a pixel's centre, as the unfiltered AOVs show it.
#[derive(Clone, Copy, Debug)]
pub struct FirstHit {
    pub surface: FirstSurface,
    /// Shading normal, scene frame, unit.
    pub n: Vec3,
    /// Geometric normal, scene frame, unit, toward the viewer.
    pub ng: Vec3,
    /// Absolute position, scene frame, metres.
    pub p: Vec3,
    /// Planar depth along the camera's axis, metres.
    pub z: f32,
    /// Distance along the ray, metres.
    pub distance: f32,
    pub uv: [Vec2; 5],
    /// Scene frame; w = ±1.
    pub tangent: Vec4,
    pub color: Vec4,
}

/// What was hit; each counts from 1, 0 is the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    pub instance: u32,
    /// The named object (glTF node or placements entry) that the instance belongs to.
    pub object: u32,
    pub mesh: u32,
    pub material: u32,
    pub primitive: u32,
}
