//! The diffuse term of the forward light loop.

use super::fresnel::schlick_weight;

/// Burley, "Physically-Based Shading at Disney", SIGGRAPH 2012 course notes, section 5.3, without albedo and 1/π:
/// (1 + (F90 − 1)(1 − n·l)⁵)(1 + (F90 − 1)(1 − n·v)⁵), F90 = 0.5 + 2 r (l·h)².
///
/// `r` is the saturated perceptual roughness, not raised to 0.05 as the specular one is.
pub fn diffuse_factor(r: f32, nl: f32, nv: f32, lh: f32) -> f32 {
    let f90 = 0.5 + 2.0 * r * lh * lh;
    (1.0 + (f90 - 1.0) * schlick_weight(nl)) * (1.0 + (f90 - 1.0) * schlick_weight(nv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_lambert_at_normal_incidence_and_darkens_or_brightens_at_the_rim() {
        assert_eq!(diffuse_factor(0.7, 1.0, 1.0, 1.0), 1.0);
        // Smooth: F90 = 0.5 at both ends. Rough retro-reflection: F90 = 2.5 at both ends.
        assert_eq!(diffuse_factor(0.0, 0.0, 0.0, 0.3), 0.25);
        assert_eq!(diffuse_factor(1.0, 0.0, 0.0, 1.0), 6.25);
    }
}
