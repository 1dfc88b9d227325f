//! Fresnel reflectance.

use glam::Vec3;

/// `(1 − c)⁵`, with c clamped to 0..1: rounding may carry a cosine past 1.
pub fn schlick_weight(c: f32) -> f32 {
    let m = (1.0 - c).clamp(0.0, 1.0);
    let m2 = m * m;
    m2 * m2 * m
}

/// F = F0 + (1 − F0)(1 − l·h)⁵. Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Eurographics 1994.
/// `f0` ≥ 0 per channel; above 1 it falls to 1 at grazing incidence.
pub fn schlick(f0: Vec3, l_dot_h: f32) -> Vec3 {
    f0 + (Vec3::ONE - f0) * schlick_weight(l_dot_h)
}

/// F0 = lerp(0.04, albedo, metalness).
pub fn f0(albedo: Vec3, metalness: f32) -> Vec3 {
    Vec3::splat(0.04) * (1.0 - metalness) + albedo * metalness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_curve() {
        let f = Vec3::new(0.04, 0.5, 1.0);
        assert_eq!(schlick(f, 1.0), f);
        assert_eq!(schlick(f, 0.0), Vec3::ONE);
        assert_eq!(schlick(f, 1.0 + 1e-7), f);
        assert!((schlick(Vec3::ZERO, 0.5).x - 0.03125).abs() < 1e-7);
        assert_eq!(f0(Vec3::splat(0.8), 0.0), Vec3::splat(0.04));
        assert_eq!(f0(Vec3::splat(0.8), 1.0), Vec3::splat(0.8));
    }
}
