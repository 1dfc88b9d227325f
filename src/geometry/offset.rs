//! Where rays that leave a surface start: off it by what rounding can do, and no more.
//!
//! Pharr, Jakob, Humphreys, *Physically Based Rendering*, 4th edition, section 6.8 ("Managing Rounding Error"): a bound
//! of the error of a computed point, carried along, instead of a fixed distance that is too small for one scene and too
//! large for another. Our bound also covers what [`accel`](super::accel) does with the new ray: it is taken into the
//! instance's object space again and meets the triangle's corners there, each of which rounds.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// γₙ, the relative error that n roundings can add up to: pbrt, equation 6.16.
const fn gamma(n: u32) -> f32 {
    const HALF_ULP: f32 = f32::EPSILON * 0.5;
    n as f32 * HALF_ULP / (1.0 - n as f32 * HALF_ULP)
}

/// A bound, component by component and in world space, of how far a hit's position may be from the triangle as the
/// tracer sees it.
///
/// The position must have been interpolated from the triangle's corners (object space, `corners`) with the hit's
/// barycentrics and then transformed, not computed as origin + t · direction: its error is then independent of the
/// hit's distance.
pub fn position_error(corners: [Vec3; 3], transform: &Affine3A) -> Vec3 {
    let inverse = transform.matrix3.inverse().transpose();
    error_bound(corners.map(Vec3A::from), transform, &[inverse.x_axis, inverse.y_axis, inverse.z_axis]).into()
}

/// As [`position_error`], where the rows of the inverse of the transform's linear part are known already.
pub(super) fn error_bound(corners: [Vec3A; 3], transform: &Affine3A, inverse: &[Vec3A; 3]) -> Vec3A {
    // Interpolation makes 9 roundings of at most a corner.
    const OBJECT: f32 = gamma(9);
    // `accel`'s shear makes 6 of at most an edge (two corners) and mixes the axes.
    const SHEAR: f32 = gamma(2 * 6);
    // To the world and back: 4 roundings each, of the products' absolute sum.
    const WORLD: f32 = gamma(4);
    let [a, b, c] = corners.map(Vec3A::abs);
    let extent = a.max(b).max(c);
    let forward = absolute(transform.matrix3);
    let reach = forward * extent;
    let [x, y, z] = inverse;
    let back = Vec3A::new(x.abs().dot(reach), y.abs().dot(reach), z.abs().dot(reach));
    let object = OBJECT * extent + Vec3A::splat(SHEAR * extent.max_element());
    let error = forward * object + WORLD * (reach + transform.translation.abs() + forward * back);
    // What the sums above round themselves.
    error * (1.0 + gamma(8))
}

fn absolute(m: Mat3A) -> Mat3A {
    Mat3A::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

/// `p` moved along the unit geometric normal `ng`, to the side that `direction` goes to, until it surely lies outside
/// the box p ± `error` on that side: pbrt, section 6.8.6.
pub fn spawn_origin(p: Vec3, error: Vec3, ng: Vec3, direction: Vec3) -> Vec3 {
    let away = if direction.dot(ng) < 0.0 { -ng } else { ng };
    let moved = p + away * away.abs().dot(error);
    // Rounding the sum must not bring it back.
    Vec3::new(beyond(moved.x, away.x), beyond(moved.y, away.y), beyond(moved.z, away.z))
}

/// The float next to `x` on the side that `step` goes to; `x` itself where `step` is 0 or there is none.
///
/// By selections alone, since the signs of directions are random and branches on them are mispredicted.
fn beyond(x: f32, step: f32) -> f32 {
    const SIGN: u32 = 1 << 31;
    let magnitude = x.to_bits() & !SIGN;
    let toward = step.to_bits() & SIGN;
    // A zero has the sign that it is about to get.
    let sign = if magnitude == 0 { toward } else { x.to_bits() & SIGN };
    let next = if sign == toward { magnitude + 1 } else { magnitude.wrapping_sub(1) };
    if step != 0.0 && x.is_finite() { f32::from_bits(sign | next) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn beyond_is_the_next_float() {
        let numbers =
            [0.0, f32::from_bits(1), f32::MIN_POSITIVE, 1.0, 1.0 - f32::EPSILON / 2.0, 4096.3, 3e38, f32::MAX];
        for x in numbers.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(beyond(x, 0.3), x.next_up(), "{x}");
            assert_eq!(beyond(x, -2.0), x.next_down(), "{x}");
            assert_eq!(beyond(x, 0.0), x);
        }
        assert_eq!(beyond(f32::INFINITY, 1.0), f32::INFINITY);
    }

    #[test]
    fn the_bound_follows_the_coordinates() {
        let near = [Vec3::ZERO, Vec3::X, Vec3::Z];
        let at_origin = position_error(near, &Affine3A::IDENTITY);
        assert!(at_origin.max_element() < 3e-6, "{at_origin}");
        assert!(at_origin.y > 0.0, "the shear mixes axes: {at_origin}");
        let far = position_error(near, &Affine3A::from_translation(Vec3::new(1e4, 0.0, 0.0)));
        assert!(far.x > 1e-3 && far.x < 5e-3, "{far}");
        let scaled = position_error(near, &Affine3A::from_scale(Vec3::splat(1e-4)));
        assert!((scaled.x / at_origin.x / 1e-4 - 1.0).abs() < 1e-3, "{scaled}");
    }

    #[test]
    fn the_origin_moves_to_the_side_of_the_direction() {
        let (p, error) = (Vec3::new(1.0, 2.0, 3.0), Vec3::splat(1e-5));
        let ng = Quat::from_rotation_x(0.4) * Vec3::Y;
        for direction in [ng, Vec3::new(0.3, 0.8, 0.1).normalize(), -ng] {
            let moved = spawn_origin(p, error, ng, direction) - p;
            let along = moved.dot(ng) * direction.dot(ng).signum();
            assert!((1e-5..3e-5).contains(&along), "{along}");
        }
    }

    #[test]
    fn a_step_below_an_ulp_still_leaves_the_point() {
        let p = Vec3::splat(1e6);
        let moved = spawn_origin(p, Vec3::splat(1e-9), Vec3::Y, Vec3::Y);
        assert!(moved.y > p.y);
        assert_eq!(moved.x, p.x);
    }
}
