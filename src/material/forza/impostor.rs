//! The view atlas of the foliage impostors: a 4 × 4 grid of pictures of one tree, laid out hemi-octahedrally.
//!
//! Documentation 001, "Foliage, branch and facade-LOD permutations", impostor paragraph. A frame at (u, v), both in
//! {−1, −⅓, ⅓, 1}, shows the tree from the object-space direction
//!
//! ```text
//! dir = (x, (1 − |x| − |z|)^p, z),   x = (u + v)/2,   z = (v − u)/2,   p = HemiOctahedronRemapYPower
//! ```
//!
//! [`encode`] is its exact inverse: a unit direction (x, y, z) is t⁻¹·dir for the t with (1 − t·s)^p = t·y, s = |x| + |z|, and
//! then u = t(x − z), v = t(x + z).

use glam::{Vec2, Vec3, Vec4};

use crate::material::ops::math::lerp4;
use crate::material::{Context, Point, Slot};

/// Frames along one side of the atlas (`FramesXY_Colour`).
const FRAMES: f32 = 4.0;

/// (u, v), each in −1..1, of an object-space direction, game axes. Below the horizon counts as the horizon; straight up
/// (and no direction at all) is (0, 0). `p` ≥ 0.
pub(super) fn encode(direction: Vec3, p: f32) -> Vec2 {
    let s = direction.x.abs() + direction.z.abs();
    // NaN is the direction of a camera at the instance's origin.
    if s.is_nan() || s <= f32::MIN_POSITIVE {
        return Vec2::ZERO;
    }
    let t = scale(direction.y.max(0.0), s, p);
    Vec2::new(direction.x - direction.z, direction.x + direction.z) * t
}

/// The t in 0..1/s with (1 − t·s)^p = t·y; 1/s where the direction never leaves the horizon.
fn scale(y: f32, s: f32, p: f32) -> f32 {
    if y <= f32::MIN_POSITIVE {
        return 1.0 / s;
    }
    if p == 0.0 {
        return (1.0 / y).min(1.0 / s);
    }
    // With q = 1 − t·s and m = y/s this is q^p = m(1 − q). Solved for q where p ≥ 1 and for q^p else, it is increasing and
    // convex, so that Newton's method falls to the root from above. t is then taken from the side that does not cancel.
    let m = y / s;
    if p < 1.0 {
        return root(m, 1.0 / p, m) / y;
    }
    let q = root(1.0 / m, p, 1.0);
    if q < 0.5 { (1.0 - q) / s } else { q.powf(p) / y }
}

/// The positive root of x + a·x^k = b, for a, b > 0 and k ≥ 1, to float32 precision.
fn root(a: f32, k: f32, b: f32) -> f32 {
    // Neither term alone can exceed b.
    let mut x = b.min((b / a).powf(1.0 / k));
    // Quadratic: two steps are common, eight the most that was seen. The bound is for a last step that rounding repeats.
    for _ in 0..16 {
        let power = a * x.powf(k - 1.0);
        let step = (x + power * x - b) / (1.0 + k * power);
        x -= step;
        if step.abs() <= 2.0 * f32::EPSILON * x {
            break;
        }
    }
    x
}

/// The four frames around a direction, in the order (i, j), (i+1, j), (i, j+1), (i+1, j+1), and how far it is from the first.
pub(super) struct Views {
    coordinates: [Vec2; 4],
    /// The bilinear weights of column i + 1 and row j + 1.
    weight: Vec2,
}

impl Views {
    /// The views of an encoded direction for a point at `uv0` of the card.
    pub(super) fn new(encoded: Vec2, uv0: Vec2) -> Self {
        let grid = (encoded + 1.0) / 2.0 * (FRAMES - 1.0);
        let first = grid.floor().clamp(Vec2::ZERO, Vec2::splat(FRAMES - 2.0));
        let frame = |column: f32, row: f32| (first + Vec2::new(column, row) + uv0) / FRAMES;
        Self { coordinates: [frame(0.0, 0.0), frame(1.0, 0.0), frame(0.0, 1.0), frame(1.0, 1.0)], weight: grid - first }
    }

    /// The blended sample of a texture in the atlas layout; all four channels.
    pub(super) fn sample(&self, slot: &Slot, point: &Point, context: &Context) -> Vec4 {
        let [a, b, c, d] = self.coordinates.map(|uv| slot.sample(uv, point, context));
        // Nested lerps leave a constant as it is, to the last bit.
        lerp4(lerp4(a, b, self.weight.x), lerp4(c, d, self.weight.x), self.weight.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documentation's dir, normalised.
    fn decode(uv: Vec2, p: f32) -> Vec3 {
        let (x, z) = ((uv.x + uv.y) / 2.0, (uv.y - uv.x) / 2.0);
        Vec3::new(x, (1.0 - x.abs() - z.abs()).max(0.0).powf(p), z).normalize()
    }

    #[test]
    fn encode_inverts_the_documented_direction_for_every_power() {
        for p in [0.3, 0.5, 0.9, 1.0, 1.1, 1.7, 2.0, 4.0, 12.0] {
            for (i, j) in (0..=40).flat_map(|i| (0..=40).map(move |j| (i, j))) {
                // Powers of two apart, so that 1 − |x| − |z| is exact: at the rim a small p magnifies its rounding.
                let uv = Vec2::new(i as f32 - 20.0, j as f32 - 20.0) / 32.0;
                let encoded = encode(decode(uv, p), p);
                assert!(encoded.abs_diff_eq(uv, 2e-6), "p {p}, uv {uv}: {encoded}");
            }
        }
    }

    #[test]
    fn at_power_one_the_octahedron_has_its_closed_form() {
        let d = Vec3::new(0.3, 0.8, -0.2).normalize();
        let t = 1.0 / (d.x.abs() + d.z.abs() + d.y);
        assert!(encode(d, 1.0).abs_diff_eq(Vec2::new(d.x - d.z, d.x + d.z) * t, 1e-6));
    }

    #[test]
    fn up_is_the_centre_and_below_the_horizon_is_the_rim() {
        for p in [0.0, 0.5, 1.0, 2.0] {
            assert_eq!(encode(Vec3::Y, p), Vec2::ZERO);
            assert_eq!(encode(Vec3::NAN, p), Vec2::ZERO);
            assert_eq!(encode(Vec3::X, p), Vec2::ONE);
            assert_eq!(encode(Vec3::new(0.6, -0.8, 0.0), p), Vec2::ONE);
            let nearly_up = encode(Vec3::new(1e-6, 1.0, 0.0), p);
            assert!(nearly_up.abs_diff_eq(Vec2::splat(1e-6), 1e-9) || p == 0.0, "{p}: {nearly_up}");
        }
    }

    #[test]
    fn grazing_and_near_vertical_directions_stay_in_the_atlas_at_every_power() {
        for p in [0.01, 0.1, 0.9, 1.0, 1.1, 7.0, 50.0] {
            for exponent in -40..=0 {
                let little = 10f32.powi(exponent);
                for direction in [Vec3::new(0.6, little, -0.7), Vec3::new(little, 1.0, 0.0)] {
                    let uv = encode(direction.normalize(), p);
                    assert!(uv.is_finite() && uv.abs().max_element() <= 1.0 + 1e-6, "p {p}, {direction}: {uv}");
                }
            }
        }
    }

    #[test]
    fn a_frames_own_direction_shows_that_frame_and_the_rim_stays_in_the_atlas() {
        let corner = Views::new(Vec2::new(1.0, -1.0), Vec2::splat(0.5));
        assert_eq!((corner.coordinates[1], corner.weight), (Vec2::new(3.5, 0.5) / 4.0, Vec2::X));
        let between = Views::new(Vec2::new(0.1, 0.7), Vec2::ZERO);
        assert_eq!(between.coordinates[0], Vec2::new(1.0, 2.0) / 4.0);
        assert!(between.weight.abs_diff_eq(Vec2::new(0.65, 0.55), 1e-6));
    }
}
