//! What a G-buffer holds, made safe for light transport.
//!
//! A family writes what the documented pixel program writes, and that may leave 0..1. AOVs show those values;
//! transport clamps them here, as the lighting pass does when it consumes the G-buffer. NaN follows HLSL's `max` and
//! `saturate`: it becomes 0.

use glam::Vec3;

/// HLSL's `saturate`, as the families have it: transmittances, metalness, roughness.
pub use crate::material::ops::math::{sat, sat3};

/// The largest albedo that transport takes: the largest finite half, more than any G-buffer format can hold. It keeps
/// every product of the BRDF finite in f32.
pub const MAX_ALBEDO: f32 = 65504.0;

/// `max(x, 0)` per channel, NaN to 0: emission.
pub fn non_negative(x: Vec3) -> Vec3 {
    Vec3::new(x.x.max(0.0), x.y.max(0.0), x.z.max(0.0))
}

/// `max(albedo, 0)` per channel, at most [`MAX_ALBEDO`].
pub fn albedo(x: Vec3) -> Vec3 {
    non_negative(x).min(Vec3::splat(MAX_ALBEDO))
}

/// Luminance of a linear Rec.709 colour (ITU-R BT.709-6, item 3.2).
pub fn luminance(c: Vec3) -> f32 {
    c.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_a_number_becomes_zero_and_the_rest_is_clamped() {
        assert_eq!([sat(f32::NAN), sat(-1.0), sat(0.25), sat(7.0), sat(f32::INFINITY)], [0.0, 0.0, 0.25, 1.0, 1.0]);
        assert_eq!(albedo(Vec3::new(f32::NAN, -2.0, f32::INFINITY)), Vec3::new(0.0, 0.0, MAX_ALBEDO));
        assert_eq!(non_negative(Vec3::new(-0.5, f32::NAN, 1e9)), Vec3::new(0.0, 0.0, 1e9));
        assert_eq!(luminance(Vec3::ONE), 1.0);
    }
}
