//! The `M` permutations of `environment_plot`, which `glass` follows (documentation 001, "Albedo and opacity" and
//! "Roughness, metalness and normal", row environment_plot).
//!
//! One map moves three things around one half: red the brightness, green the saturation, blue the roughness.
//!
//! ```text
//! b   = sat((M.r − ½)·_BrightnessStrength + ½)      s = sat((M.g − ½)·_SaturationStrength + ½)
//! c1  = overlay(b, D^(1/2.2))                       L = luma(c1)
//! mod = sat(L + (c1 − L)·2s)^2.2                    albedo = D + (mod − D)(1 − metalness)
//! m   = sat((M.b − ½)·_RoughnessStrength + ½)       roughness = sat(r − 1 + 2m)
//! ```

use glam::{Vec3, Vec4};

use super::color::LUMA_601;
use super::math::{DECODE, ENCODE, lerp3, pow3, sat, sat3};
use super::overlay::overlay3;
use crate::material::bind::Binder;

/// How strongly a modulate map acts; a map of exactly ½ is the identity at every strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modulate {
    /// `_BrightnessStrength`, default 1.
    pub brightness: f32,
    /// `_SaturationStrength`, default 1.
    pub saturation: f32,
    /// `_RoughnessStrength`, default 1.
    pub roughness: f32,
}

/// `(x − ½)·strength + ½`, saturated.
#[inline]
fn around_half(x: f32, strength: f32) -> f32 {
    sat((x - 0.5) * strength + 0.5)
}

impl Modulate {
    /// Reads the three strengths.
    pub fn bind(binder: &mut Binder) -> Self {
        Self {
            brightness: binder.number("_BrightnessStrength", 1.0),
            saturation: binder.number("_SaturationStrength", 1.0),
            roughness: binder.number("_RoughnessStrength", 1.0),
        }
    }

    /// The modulated albedo of the linear colour `d`; metal keeps its colour. `m` is the map's sample.
    pub fn albedo(&self, d: Vec3, m: Vec4, metalness: f32) -> Vec3 {
        let b = around_half(m.x, self.brightness);
        let s = around_half(m.y, self.saturation);
        let c1 = overlay3(Vec3::splat(b), pow3(d, ENCODE));
        let l = Vec3::splat(LUMA_601.dot(c1));
        let modulated = pow3(sat3(lerp3(l, c1, 2.0 * s)), DECODE);
        lerp3(d, modulated, 1.0 - metalness)
    }

    /// The modulated roughness of `r`, saturated.
    pub fn roughness(&self, r: f32, m: Vec4) -> f32 {
        sat(r - 1.0 + 2.0 * around_half(m.z, self.roughness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Modulate = Modulate { brightness: 1.0, saturation: 1.0, roughness: 1.0 };

    #[test]
    fn grey_is_the_identity_at_exactly_one_half() {
        let d = Vec3::new(0.7, 0.2, 0.4);
        assert!(FULL.albedo(d, Vec4::splat(0.5), 0.0).abs_diff_eq(d, 1e-6));
        assert_eq!(FULL.roughness(0.3, Vec4::splat(0.5)), 0.3);
        // 8 bits cannot store one half: 128/255 shifts the roughness.
        let shift = FULL.roughness(0.3, Vec4::splat(128.0 / 255.0)) - 0.3;
        assert!((shift - 0.0039).abs() < 1e-4, "{shift}");
    }

    #[test]
    fn zero_strength_is_the_identity_for_every_map() {
        let off = Modulate { brightness: 0.0, saturation: 0.0, roughness: 0.0 };
        let (d, m) = (Vec3::new(0.7, 0.2, 0.4), Vec4::new(0.9, 0.1, 0.8, 1.0));
        assert!(off.albedo(d, m, 0.0).abs_diff_eq(d, 1e-6));
        assert_eq!(off.roughness(0.25, m), 0.25);
    }

    #[test]
    fn the_overlay_condition_is_on_the_map_and_metal_keeps_its_colour() {
        // b = 1 whitens fully where a condition on D would double the dark channel.
        let d = Vec3::splat(0.1);
        assert!(FULL.albedo(d, Vec4::new(1.0, 0.5, 0.5, 1.0), 0.0).abs_diff_eq(Vec3::ONE, 1e-6));
        assert_eq!(FULL.albedo(d, Vec4::new(1.0, 0.5, 0.5, 1.0), 1.0), d);
    }

    #[test]
    fn no_green_is_grey() {
        let grey = FULL.albedo(Vec3::new(0.7, 0.2, 0.4), Vec4::new(0.5, 0.0, 0.5, 1.0), 0.0);
        assert!((grey.x - grey.y).abs() < 1e-6 && (grey.y - grey.z).abs() < 1e-6);
    }
}
