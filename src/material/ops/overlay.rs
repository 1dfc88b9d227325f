//! The overlay blend (documentation 001, head: "always a > .5").

use glam::Vec3;

/// `a > ½ ? 1 − 2(1 − a)(1 − b) : 2ab`. The condition is on the *first* operand, which makes it a hard light of `b` seen
/// from `a`; the two operands do not commute. Not clamped.
#[inline]
pub fn overlay(a: f32, b: f32) -> f32 {
    if a > 0.5 { 1.0 - 2.0 * (1.0 - a) * (1.0 - b) } else { 2.0 * a * b }
}

/// [`overlay`] per channel.
#[inline]
pub fn overlay3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(overlay(a.x, b.x), overlay(a.y, b.y), overlay(a.z, b.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_is_on_the_first_operand() {
        // A condition on b would swap these two.
        assert_eq!(overlay(0.25, 0.75), 0.375);
        assert_eq!(overlay(0.75, 0.25), 0.625);
    }

    #[test]
    fn a_grey_second_operand_is_the_identity() {
        for a in [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5] {
            assert_eq!(overlay(a, 0.5), a);
        }
    }

    #[test]
    fn channels_are_independent_and_the_result_is_not_clamped() {
        assert_eq!(overlay3(Vec3::new(0.25, 0.75, 0.75), Vec3::new(0.75, 0.25, 2.0)), Vec3::new(0.375, 0.625, 1.5));
    }
}
