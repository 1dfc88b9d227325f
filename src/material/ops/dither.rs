//! The dithered coverage test of the road decals (documentation 001, "Road decals").
//!
//! With `s` the test value, a pixel is kept where `s·sat(5(s − 0.2)) − 1 + n ≥ 0`, `n` being an interleaved gradient
//! noise of the pixel coordinates. `n` is close to uniform in 0..1, so the share of kept pixels is
//! `sat(s·sat(5(s − 0.2)))`: what a renderer uses where a ray has no pixel.

use super::math::{frac, sat};

/// The constants as the documentation prints them (the usual noise has 52.9829189, 0.06711056, 0.00583715, 5.588238).
const SCALE: f32 = 52.98;
const STEP_X: f32 = 0.0671;
const STEP_Y: f32 = 0.00584;
const FRAME_SHIFT: f32 = 5.588;

/// `s·sat(5(s − 0.2))`: equal to `s` from 0.4 up, 0 up to 0.2.
fn sharpened(s: f32) -> f32 {
    s * sat(5.0 * (s - 0.2))
}

/// The probability 0..1 that a pixel of test value `s` is kept: the expected value of [`screen_keep`].
pub fn keep_probability(s: f32) -> f32 {
    sat(sharpened(s))
}

/// Whether the screen dither keeps the pixel at integer coordinates `pixel` for the test value `s`.
///
/// `temporal` is the second scene flag: it shifts the noise by the low six bits of `frame_index`.
pub fn screen_keep(s: f32, pixel: [i32; 2], frame_index: i64, temporal: bool) -> bool {
    let shift = if temporal { (frame_index & 63) as f32 * FRAME_SHIFT } else { 0.0 };
    let x = pixel[0] as f32 + shift;
    let y = pixel[1] as f32 + shift;
    let n = frac(SCALE * frac(STEP_X * x + STEP_Y * y));
    sharpened(s) - 1.0 + n >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_share(s: f32) -> f32 {
        let pixels = (0..256).flat_map(|y| (0..256).map(move |x| [x, y]));
        pixels.filter(|pixel| screen_keep(s, *pixel, 0, false)).count() as f32 / 65536.0
    }

    #[test]
    fn a_hard_mask_is_exact_either_way() {
        for pixel in [[0, 0], [1, 0], [827, 15], [1919, 1079]] {
            assert!(screen_keep(1.0, pixel, 0, false));
            assert!(!screen_keep(0.0, pixel, 0, false));
        }
        assert_eq!((keep_probability(1.0), keep_probability(0.0)), (1.0, 0.0));
    }

    #[test]
    fn the_share_of_kept_pixels_is_the_keep_probability() {
        for s in [0.1, 0.25, 0.3, 0.5, 0.75, 0.9] {
            assert!((kept_share(s) - keep_probability(s)).abs() < 5e-3, "{s}: {}", kept_share(s));
        }
    }

    #[test]
    fn only_six_bits_of_the_frame_shift_the_noise_and_only_when_temporal() {
        let keep =
            |frame, temporal| -> Vec<bool> { (0..512).map(|x| screen_keep(0.5, [x, 7], frame, temporal)).collect() };
        assert_eq!(keep(3, true), keep(67, true));
        assert_ne!(keep(3, true), keep(4, true));
        assert_eq!(keep(3, false), keep(4, false));
    }
}
