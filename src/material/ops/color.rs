//! Luma, and the HSV tint of the MAD families (documentation 004, "Fake and Tex1").

use glam::Vec3;

use super::math::{frac, lerp3, sat, sat3};

/// (0.3, 0.59, 0.11): the weights of uber_asset_animated and of the glass.
pub const LUMA: Vec3 = Vec3::new(0.3, 0.59, 0.11);
/// (0.299, 0.587, 0.114): the weights of the environment families' modulate.
pub const LUMA_601: Vec3 = Vec3::new(0.299, 0.587, 0.114);

/// Hue, saturation and luminosity added to a colour in HSV.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HsvTint {
    /// In turns.
    pub hue: f32,
    pub saturation: f32,
    pub luminosity: f32,
}

impl HsvTint {
    /// `lerp(c, tinted(c), weight)`, the weight unclamped.
    #[inline]
    pub fn apply(&self, c: Vec3, weight: f32) -> Vec3 {
        lerp3(c, self.tinted(c), weight)
    }

    fn tinted(&self, c: Vec3) -> Vec3 {
        let hsv = rgb_to_hsv(c);
        let turned = hsv.x + self.hue;
        // The program keeps the sign of the sum and does not wrap it into [0, 1). sign(0) = 0, but so is its fraction.
        let h = frac(turned.abs()).copysign(turned);
        hsv_to_rgb(Vec3::new(h, sat(hsv.y + self.saturation), sat(hsv.z + self.luminosity)))
    }
}

/// The hexcone: h in \[0, 1) turns (0 for grey; red, then green, wins a tie of the maximum), s = 0 for black, v.
pub fn rgb_to_hsv(c: Vec3) -> Vec3 {
    let (v, low) = (c.max_element(), c.min_element());
    let chroma = v - low;
    if chroma == 0.0 {
        return Vec3::new(0.0, 0.0, v);
    }
    let sixth = if c.x == v {
        (c.y - c.z) / chroma
    } else if c.y == v {
        (c.z - c.x) / chroma + 2.0
    } else {
        (c.x - c.y) / chroma + 4.0
    };
    Vec3::new(frac(sixth / 6.0), if v == 0.0 { 0.0 } else { chroma / v }, v)
}

/// HSV → RGB with the ramps *without wrap*: every negative hue is pure red, which is how the kept sign shows.
pub fn hsv_to_rgb(hsv: Vec3) -> Vec3 {
    let h = 6.0 * hsv.x;
    let ramp = sat3(Vec3::new((h - 3.0).abs() - 1.0, 2.0 - (h - 2.0).abs(), 2.0 - (h - 4.0).abs()));
    ((ramp - 1.0) * hsv.y + 1.0) * hsv.z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_tint_returns_the_colour() {
        for c in
            [Vec3::ZERO, Vec3::splat(0.3), Vec3::new(0.1, 0.7, 0.4), Vec3::new(0.9, 0.2, 0.5), Vec3::new(0.2, 0.1, 0.8)]
        {
            assert!(HsvTint::default().apply(c, 1.0).abs_diff_eq(c, 1e-6), "{c}");
        }
    }

    #[test]
    fn a_third_of_a_turn_takes_red_to_green() {
        let tint = HsvTint { hue: 1.0 / 3.0, ..HsvTint::default() };
        assert!(tint.apply(Vec3::X, 1.0).abs_diff_eq(Vec3::Y, 1e-6));
    }

    #[test]
    fn a_negative_hue_is_pure_red_where_wrapping_would_give_blue() {
        let tint = HsvTint { hue: -2.0 / 3.0, ..HsvTint::default() };
        assert_eq!(tint.apply(Vec3::Y, 1.0), Vec3::X);
        assert_eq!(tint.apply(Vec3::X, 1.0), Vec3::X);
    }

    #[test]
    fn red_then_green_wins_a_tie_of_the_maximum() {
        assert_eq!(rgb_to_hsv(Vec3::new(1.0, 1.0, 0.0)).x, 1.0 / 6.0);
        assert_eq!(rgb_to_hsv(Vec3::new(1.0, 0.0, 1.0)).x, 5.0 / 6.0);
        assert_eq!(rgb_to_hsv(Vec3::new(0.0, 1.0, 1.0)).x, 0.5);
        assert_eq!(rgb_to_hsv(Vec3::splat(0.4)), Vec3::new(0.0, 0.0, 0.4));
    }

    #[test]
    fn saturation_and_value_saturate_and_a_zero_weight_ignores_them() {
        let tint = HsvTint { hue: 0.2, saturation: -5.0, luminosity: 5.0 };
        assert_eq!(tint.apply(Vec3::new(0.9, 0.2, 0.5), 1.0), Vec3::ONE);
        assert_eq!(tint.apply(Vec3::new(0.9, 0.2, 0.5), 0.0), Vec3::new(0.9, 0.2, 0.5));
    }
}
