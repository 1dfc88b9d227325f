//! The microfacet terms of the specular lobe, and the sampling of its visible normals.
//!
//! The model pairs the GGX distribution with the Smith-Schlick masking of the game's light loop. Sampling uses GGX's
//! own Smith masking: a density has only to be exact for itself, and the two agree to a factor of about two.

use std::f32::consts::PI;

use glam::Vec3;

/// The smallest `a`: the documented max(r, 0.05).
pub const MIN_A: f32 = 0.05;

/// The half vector of a pair of directions, by the quantities that the terms need.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// (n·h)².
    pub cos2: f32,
    /// 1 − (n·h)² = |n × h|².
    pub sin2: f32,
    /// l·h = v·h.
    pub l_dot_h: f32,
}

impl Half {
    /// Of two unit directions in a local frame (z = n) that are not opposite.
    ///
    /// All three come from the sum s = l + v without cancellation. `sin2` is |n × s|²/|s|², whose cross product is
    /// (−s.y, s.x, 0) in the local frame: at a = 0.05 the lobe is decided by sin² of about 6e-6, of which 1 − (n·h)²
    /// keeps one digit in f32. l·h is |s|/2 because both are unit.
    pub fn new(l: Vec3, v: Vec3) -> Self {
        let s = l + v;
        let (across2, along2) = (s.x * s.x + s.y * s.y, s.z * s.z);
        let length2 = across2 + along2;
        Self { cos2: along2 / length2, sin2: across2 / length2, l_dot_h: (0.5 * length2.sqrt()).min(1.0) }
    }
}

/// The specular lobe's parameters, from the saturated perceptual roughness r: α = a², a = max(r, 0.05), k = r²/2.
#[derive(Clone, Copy, Debug)]
pub struct Ggx {
    alpha: f32,
    k: f32,
}

impl Ggx {
    pub fn new(r: f32) -> Self {
        let a = r.max(MIN_A);
        Self { alpha: a * a, k: 0.5 * r * r }
    }

    /// D = a⁴ / (π((n·h)²(a⁴ − 1) + 1)²), 1/sr. Walter et al., "Microfacet Models for Refraction through Rough
    /// Surfaces", EGSR 2007, equation 33, with a⁴ = α². The bracket is written as α²cos² + sin².
    pub fn d(&self, h: &Half) -> f32 {
        let alpha2 = self.alpha * self.alpha;
        let bracket = alpha2 * h.cos2 + h.sin2;
        alpha2 / (PI * bracket * bracket)
    }

    /// G / (4 n·l n·v) with G = G1(l)·G1(v), G1(x) = n·x / (n·x(1 − k) + k): the cosines cancel, so that grazing angles
    /// divide nothing by nothing. Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013 course notes, "Specular G"
    /// (his k is another one).
    pub fn visibility(&self, nl: f32, nv: f32) -> f32 {
        let g1_over_cos = |c: f32| 1.0 / (c * (1.0 - self.k) + self.k);
        0.25 * g1_over_cos(nl) * g1_over_cos(nv)
    }

    /// Density (1/sr) of the directions l that reflect the viewer `v` (local, v.z > 0) in a visible normal:
    /// G1(v)·D / (4 n·v) with GGX's own Smith G1. Heitz, "Sampling the GGX Distribution of Visible Normals", JCGT 7(4),
    /// 2018 (the density after reflection), with n·v cancelled.
    pub fn pdf(&self, v: Vec3, h: &Half) -> f32 {
        let across2 = v.x * v.x + v.y * v.y;
        0.5 * self.d(h) / (v.z + (v.z * v.z + self.alpha * self.alpha * across2).sqrt())
    }

    /// A visible normal (local, unit) for the viewer `v` (local, v.z > 0), from two numbers in [0, 1). Dupuy and Benyoub,
    /// "Sampling Visible GGX Normals with Spherical Caps", Computer Graphics Forum 42(8), 2023.
    ///
    /// In the stretched space the normal is c + v, c uniform over the cap z ≥ −v.z. The paper's sums that cancel are
    /// taken apart: c.z + v.z is (1 − u)(1 + v.z), 1 − c.z is u(1 + v.z), 1 + c.z is (1 − v.z) + (1 − u)(1 + v.z).
    pub fn sample_visible_normal(&self, v: Vec3, u: [f32; 2]) -> Vec3 {
        let stretched = Vec3::new(self.alpha * v.x, self.alpha * v.y, v.z);
        let length2 = stretched.length_squared();
        let w = stretched / length2.sqrt();
        let above = 1.0 + w.z;
        let below = (stretched.x * stretched.x + stretched.y * stretched.y) / (length2 * above);
        let height = (1.0 - u[1]) * above;
        let radius = (u[1] * above * (below + height)).max(0.0).sqrt();
        let (sin, cos) = (2.0 * PI * u[0]).sin_cos();
        Vec3::new(self.alpha * (radius * cos + w.x), self.alpha * (radius * sin + w.y), height).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_the_sharpest_lobe_is_the_documented_value() {
        // n·h = 1: D = 1/(π a⁴); half a lobe away (sin² = a⁴) a quarter of it, to first order.
        let ggx = Ggx::new(0.0);
        let peak = 1.0 / (PI * MIN_A.powi(4));
        let at = |sin2: f32| ggx.d(&Half { cos2: 1.0 - sin2, sin2, l_dot_h: 1.0 });
        assert!((at(0.0) / peak - 1.0).abs() < 1e-5);
        assert!((at(MIN_A.powi(4)) / peak - 0.25).abs() < 1e-4);
    }

    #[test]
    fn the_half_vector_keeps_its_digits_near_the_normal() {
        for tilt in [1e-5f64, 1e-4, 1e-3, 1e-2] {
            let (l, v) = (0.7 + 2.0 * tilt, 0.7f64);
            let l = Vec3::new(-l.sin() as f32, 0.0, l.cos() as f32);
            let v = Vec3::new(v.sin() as f32, 0.0, v.cos() as f32);
            let sin = (Half::new(l, v).sin2 as f64).sqrt();
            assert!((sin - tilt.sin()).abs() < 6e-8, "{sin} {tilt}");
        }
    }

    #[test]
    fn extreme_numbers_give_unit_normals_above_the_surface() {
        // At the last number and the azimuth of the viewer, c + v is 0 up to rounding: the normal may be any, but is one.
        let last = 1.0 - f32::EPSILON / 2.0;
        for r in [0.0, 0.3, 1.0] {
            for z in [1e-3f32, 0.5, 1.0] {
                let v = Vec3::new((1.0 - z * z).sqrt(), 0.0, z);
                for u in [[0.0, 0.0], [0.5, last], [last, last], [0.5, 0.0], [0.25, 0.5]] {
                    let h = Ggx::new(r).sample_visible_normal(v, u);
                    assert!((h.length() - 1.0).abs() < 1e-6 && h.z > 0.0, "{r} {v} {u:?}: {h}");
                }
            }
        }
    }
}
