//! The scalar functions of the pixel programs, with the special values of the GPU.
//!
//! x/0 = ±∞, 0/0 = NaN, sat(NaN) = 0, max(NaN, x) = x, x⁰ = 1. Hard steps at zero ranges follow from these: no division
//! is guarded anywhere.

use glam::{Vec3, Vec4};

/// `clamp(x, 0, 1)`, with sat(NaN) = 0 (`f32::max` returns its other operand for NaN).
#[inline]
#[expect(clippy::manual_clamp, reason = "f32::clamp keeps NaN")]
pub fn sat(x: f32) -> f32 {
    x.max(0.0).min(1.0)
}

/// [`sat`] per channel. Not `Vec3::clamp`, which keeps NaN.
#[inline]
pub fn sat3(v: Vec3) -> Vec3 {
    v.map(sat)
}

/// `a + (b − a)·t`, not clamped.
#[inline]
pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// [`lerp`] of colours and vectors.
#[inline]
pub fn lerp3(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    a + (b - a) * t
}

/// [`lerp`] of all four channels.
#[inline]
pub fn lerp4(a: Vec4, b: Vec4, t: f32) -> Vec4 {
    a + (b - a) * t
}

/// `x²(3 − 2x)` of an `x` that is already saturated; documentation 004 calls it S.
#[inline]
pub fn smoothstep(x: f32) -> f32 {
    x * x * (3.0 - 2.0 * x)
}

/// The linear ramp `sat((x − lo) / (hi − lo))`; `lo = hi` makes it a hard step (0 at the edge itself).
#[inline]
pub fn step_range(x: f32, lo: f32, hi: f32) -> f32 {
    sat((x - lo) / (hi - lo))
}

/// `x − floor(x)`, in \[0, 1) for negative `x` too. Not `f32::fract`, which truncates.
#[inline]
pub fn frac(x: f32) -> f32 {
    x - x.floor()
}

/// `x^y` per channel; x⁰ = 1 for every x, as `f32::powf` has it.
#[inline]
pub fn pow3(v: Vec3, y: f32) -> Vec3 {
    v.map(|x| x.powf(y))
}

/// The linear-to-display exponent of the colour blends, as float32.
pub const ENCODE: f32 = 1.0 / 2.2;
/// Its inverse.
pub const DECODE: f32 = 2.2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sat_maps_nan_to_zero_and_infinities_to_the_ends() {
        assert_eq!([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.25].map(sat), [0.0, 1.0, 0.0, 0.25]);
        assert_eq!(sat3(Vec3::new(f32::NAN, 2.0, -1.0)), Vec3::new(0.0, 1.0, 0.0));
    }

    #[test]
    fn a_zero_range_is_a_hard_step_that_is_zero_at_its_edge() {
        assert_eq!([0.4, 0.5, 0.6].map(|x| step_range(x, 0.5, 0.5)), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_reversed_range_falls() {
        assert_eq!(step_range(0.25, 1.0, 0.0), 0.75);
    }

    #[test]
    fn frac_is_positive_for_negative_numbers() {
        assert_eq!(frac(-0.25), 0.75);
        assert_eq!(frac(-2.0), 0.0);
    }

    #[test]
    fn anything_to_the_zero_is_one() {
        assert_eq!(pow3(Vec3::new(0.0, f32::NAN, -3.0), 0.0), Vec3::ONE);
    }

    #[test]
    fn smoothstep_passes_its_three_fixed_points() {
        assert_eq!([0.0, 0.5, 1.0].map(smoothstep), [0.0, 0.5, 1.0]);
    }
}
