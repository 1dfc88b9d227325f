//! What a batch's samples add up to, before it is added to the pixel.
//!
//! All fields are summed, each once, by straight vector code; the rows of the AOV table then pick theirs of the sums, once
//! a batch. A row's value is therefore linear in the fields.

use glam::{DVec3, DVec4};

use super::sample::{FirstSurface, PathSample};
use crate::gbuffer::GBuffer;

/// Sums of [`PathSample`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathSums {
    /// xyz beauty, w alpha.
    pub beauty_alpha: DVec4,
    pub emission: DVec3,
    pub direct_diffuse: DVec3,
    pub direct_specular: DVec3,
    pub indirect_diffuse: DVec3,
    pub indirect_specular: DVec3,
    pub glass_reflection: DVec3,
    pub glass_transmittance: DVec3,
}

impl PathSums {
    /// Adds a sample, unless a value of it is not finite: then false.
    #[inline]
    pub fn add(&mut self, sample: &PathSample) -> bool {
        let beauty_alpha = sample.beauty().extend(sample.alpha);
        if !(beauty_alpha.is_finite() && (sample.glass_reflection + sample.glass_transmittance).is_finite()) {
            return false;
        }
        self.beauty_alpha += beauty_alpha.as_dvec4();
        self.emission += sample.emission.as_dvec3();
        self.direct_diffuse += sample.direct_diffuse.as_dvec3();
        self.direct_specular += sample.direct_specular.as_dvec3();
        self.indirect_diffuse += sample.indirect_diffuse.as_dvec3();
        self.indirect_specular += sample.indirect_specular.as_dvec3();
        self.glass_reflection += sample.glass_reflection.as_dvec3();
        self.glass_transmittance += sample.glass_transmittance.as_dvec3();
        true
    }
}

/// Collects [`FirstSurface`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surfaces {
    /// Of surfaces without decals, which are their own receivers.
    unpainted: GBufferSums,
    /// Of surfaces with decals: with, and without them.
    painted: GBufferSums,
    bare: GBufferSums,
    decal_weight: f64,
}

/// Sums of [`FirstSurface`]s.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceSums {
    /// Of what is seen, after decals.
    pub gbuffer: GBufferSums,
    /// Of the receivers, before decals.
    pub receiver: GBufferSums,
    pub decal_weight: f64,
}

impl Surfaces {
    /// Adds a surface, unless a value of it is not finite: then false.
    #[inline]
    pub fn add(&mut self, surface: &FirstSurface) -> bool {
        let seen = Fields::of(&surface.gbuffer);
        match &surface.bare {
            None if seen.are_finite() => self.unpainted.add(&seen),
            Some(bare) if seen.are_finite() && Fields::of(bare).are_finite() && surface.decal_weight.is_finite() => {
                self.painted.add(&seen);
                self.bare.add(&Fields::of(bare));
                self.decal_weight += f64::from(surface.decal_weight);
            }
            _ => return false,
        }
        true
    }

    pub fn sums(&self) -> SurfaceSums {
        SurfaceSums {
            gbuffer: self.unpainted.plus(&self.painted),
            receiver: self.unpainted.plus(&self.bare),
            decal_weight: self.decal_weight,
        }
    }
}

/// A G-buffer's values, side by side.
struct Fields {
    rt0: glam::Vec4,
    rt1: glam::Vec4,
    rt2_coverage: glam::Vec4,
    emission_occlusion: glam::Vec4,
}

impl Fields {
    #[inline]
    fn of(g: &GBuffer) -> Self {
        Self {
            rt0: g.albedo.extend(g.metalness),
            rt1: g.emission_seed.extend(g.roughness),
            rt2_coverage: g.normal.extend(g.coverage),
            emission_occlusion: g.emission.extend(g.ambient_occlusion),
        }
    }

    #[inline]
    fn are_finite(&self) -> bool {
        self.rt0.is_finite()
            & self.rt1.is_finite()
            & self.rt2_coverage.is_finite()
            & self.emission_occlusion.is_finite()
    }
}

/// Sums of G-buffers.
#[derive(Clone, Copy, Debug, Default)]
pub struct GBufferSums {
    /// Albedo, metalness.
    pub rt0: DVec4,
    /// Emission seed, roughness.
    pub rt1: DVec4,
    /// Normal, coverage.
    pub rt2_coverage: DVec4,
    /// Emission, ambient occlusion.
    pub emission_occlusion: DVec4,
}

impl GBufferSums {
    #[inline]
    fn add(&mut self, fields: &Fields) {
        self.rt0 += fields.rt0.as_dvec4();
        self.rt1 += fields.rt1.as_dvec4();
        self.rt2_coverage += fields.rt2_coverage.as_dvec4();
        self.emission_occlusion += fields.emission_occlusion.as_dvec4();
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            rt0: self.rt0 + other.rt0,
            rt1: self.rt1 + other.rt1,
            rt2_coverage: self.rt2_coverage + other.rt2_coverage,
            emission_occlusion: self.emission_occlusion + other.emission_occlusion,
        }
    }
}
