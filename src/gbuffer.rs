//! What a material family writes: the one hand-over between the formulas and the light transport.
//!
//! The values stand as the documented pixel program writes them: nothing is clamped, nothing is normalised that the
//! program does not normalise. `brdf::Brdf::new` makes them safe for transport.

use glam::{Vec3, Vec4};

/// One evaluation of a material family at one point. Vectors are in the game frame (left-handed, Y up).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GBuffer {
    /// The pixel program discards this pixel: alpha test or decal threshold.
    pub discard: bool,
    /// The alpha-test value before its comparison, 0..1; 1 where the family tests nothing.
    pub coverage: f32,
    /// RT0.rgb, linear Rec.709.
    pub albedo: Vec3,
    /// RT0.w.
    pub metalness: f32,
    /// RT1.w, perceptual roughness as written.
    pub roughness: f32,
    /// RT2, the world-space normal in the game frame, raw.
    pub normal: Vec3,
    /// Emitted colour before any distance encoding; radiance is this times `[world] emission_scale`.
    pub emission: Vec3,
    /// RT1.xyz as stored: `emission · g(d)`, or the stored emissive scalar of the MAD families.
    pub emission_seed: Vec3,
    /// The family's own ambient-occlusion value; 1 where it has none. An output only: it never scales traced light.
    pub ambient_occlusion: f32,
    /// Present on glass only.
    pub glass: Option<Glass>,
    /// Present on deferred decals only.
    pub decal: Option<DecalTargets>,
}

/// The forward pass of glass: `dst = reflection(f0) + dst · transmittance`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glass {
    /// Target 1, per channel, as documented (may leave 0..1).
    pub transmittance: Vec3,
    /// Reflectance at normal incidence of the reflected term.
    pub f0: f32,
}

/// The three targets of the deferred-decal pass, as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecalTargets {
    pub target0: Vec4,
    pub target1: Vec4,
    pub target2: Vec4,
}

impl GBuffer {
    /// Nothing written yet.
    pub const BLANK: Self = Self::new(Vec3::ZERO, Vec3::ZERO);

    /// What a family writes where its page says nothing: metalness 0, roughness 1, no emission, occlusion 1, coverage 1.
    pub const fn new(albedo: Vec3, normal: Vec3) -> Self {
        Self {
            discard: false,
            coverage: 1.0,
            albedo,
            metalness: 0.0,
            roughness: 1.0,
            normal,
            emission: Vec3::ZERO,
            emission_seed: Vec3::ZERO,
            ambient_occlusion: 1.0,
            glass: None,
            decal: None,
        }
    }
}
