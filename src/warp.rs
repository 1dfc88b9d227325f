//! The unit square → shapes, by area: equal parts of the square land on equal parts of the shape.
//!
//! Mappings are continuous where a continuous one exists, so that stratified points stay stratified. Numbers are in
//! [0, 1); local directions have z as their axis.

use std::f32::consts::{FRAC_1_PI, FRAC_PI_4, PI};

use glam::{Vec2, Vec3};

/// Uniform over the unit disc: Shirley and Chiu, "A Low Distortion Map Between Disk and Square", JGT 2(3), 1997.
pub fn disc(u: [f32; 2]) -> Vec2 {
    let (a, b) = (2.0 * u[0] - 1.0, 2.0 * u[1] - 1.0);
    if a == 0.0 && b == 0.0 {
        return Vec2::ZERO;
    }
    // Wedges of the square between its diagonals go to quarters of the disc.
    if a.abs() > b.abs() {
        let (sin, cos) = sin_cos_eighth(FRAC_PI_4 * (b / a));
        a * Vec2::new(cos, sin)
    } else {
        let (sin, cos) = sin_cos_eighth(FRAC_PI_4 * (a / b));
        b * Vec2::new(sin, cos)
    }
}

/// Sine and cosine of |x| ≤ π/4, to the last bit or two: Taylor's series, whose next terms are below 2⁻²⁵.
fn sin_cos_eighth(x: f32) -> (f32, f32) {
    let x2 = x * x;
    let sin = x + x * x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 + x2 * (1.0 / 362_880.0))));
    let cos = 1.0 + x2 * (-0.5 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0 + x2 * (1.0 / 40_320.0))));
    (sin, cos)
}

/// Density cos/π over the hemisphere around +z: the disc, lifted (Malley's method).
pub fn cosine_hemisphere(u: [f32; 2]) -> Vec3 {
    let p = disc(u);
    p.extend((1.0 - p.length_squared()).max(0.0).sqrt())
}

/// Density of [`cosine_hemisphere`], 1/sr; `cos` ≥ 0.
pub fn cosine_hemisphere_pdf(cos: f32) -> f32 {
    cos * FRAC_1_PI
}

/// Uniform over the unit sphere: density 1/(4π).
pub fn sphere(u: [f32; 2]) -> Vec3 {
    // 1 − z and 1 + z are taken from u directly, so that the poles keep their digits.
    let (sin, cos) = (2.0 * PI * u[1]).sin_cos();
    let radius = 2.0 * (u[0] * (1.0 - u[0])).sqrt();
    Vec3::new(radius * cos, radius * sin, 1.0 - 2.0 * u[0])
}

/// Uniform over the directions within an angle of +z, given as `one_minus_cos` = 1 − cos(angle) in (0, 2]: that form
/// keeps the digits of a cone as thin as the sun's. Density [`cone_pdf`].
pub fn cone(u: [f32; 2], one_minus_cos: f32) -> Vec3 {
    let p = disc(u);
    // Lambert's equal-area map: the squared radius of the disc is linear in 1 − cos.
    let r2 = p.length_squared().min(1.0);
    let height = one_minus_cos * r2;
    (p * (one_minus_cos * (2.0 - height)).sqrt()).extend(1.0 - height)
}

/// Density of [`cone`], 1/sr.
pub fn cone_pdf(one_minus_cos: f32) -> f32 {
    1.0 / (2.0 * PI * one_minus_cos)
}

/// Uniform over a triangle, as the barycentrics (b1, b2) of its second and third corner: Heitz, "A Low-Distortion Map
/// Between Triangle and Square", 2019.
pub fn triangle(u: [f32; 2]) -> Vec2 {
    let (mut x, mut y) = (u[0], u[1]);
    if y > x {
        x *= 0.5;
        y -= x;
    } else {
        y *= 0.5;
        x -= y;
    }
    Vec2::new(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 256;

    /// Midpoints of a regular grid over the square.
    fn grid() -> impl Iterator<Item = [f32; 2]> {
        (0..N * N).map(|i| [(i % N) as f32 + 0.5, (i / N) as f32 + 0.5].map(|x| x / N as f32))
    }

    fn mean<T: std::ops::Add<Output = T> + std::ops::Div<f32, Output = T>>(values: impl Iterator<Item = T>) -> T {
        let sum = values.reduce(|a, b| a + b).expect("the grid is not empty");
        sum / (N * N) as f32
    }

    #[test]
    fn moments_are_those_of_the_shapes() {
        let disc2 = mean(grid().map(|u| disc(u) * disc(u)));
        assert!(disc2.distance(Vec2::splat(0.25)) < 1e-4, "{disc2}");
        let hemisphere = mean(grid().map(cosine_hemisphere));
        // Midpoints see too little of the rim, where the height falls like a square root.
        assert!(hemisphere.distance(Vec3::new(0.0, 0.0, 2.0 / 3.0)) < 3e-4, "{hemisphere}");
        let sphere2 = mean(grid().map(|u| sphere(u) * sphere(u)));
        assert!(sphere2.distance(Vec3::splat(1.0 / 3.0)) < 1e-4, "{sphere2}");
        let corner = mean(grid().map(triangle));
        assert!(corner.distance(Vec2::splat(1.0 / 3.0)) < 1e-4, "{corner}");
    }

    #[test]
    fn an_eighth_of_the_circle_is_exact_to_the_last_bits() {
        for i in -10_000..=10_000 {
            let x = FRAC_PI_4 * i as f32 * 1e-4;
            let (sin, cos) = sin_cos_eighth(x);
            let expected = f64::from(x).sin_cos();
            assert!((f64::from(sin) - expected.0).abs() < 1e-7 && (f64::from(cos) - expected.1).abs() < 1.2e-7, "{x}");
        }
    }

    #[test]
    fn directions_are_unit_and_within_their_shape() {
        for u in grid().chain([[0.0, 0.0], [1.0 - f32::EPSILON / 2.0; 2], [0.5, 0.5], [0.0, 0.5]]) {
            assert!((sphere(u).length() - 1.0).abs() < 1e-6);
            assert!((cosine_hemisphere(u).length() - 1.0).abs() < 1e-6 && cosine_hemisphere(u).z >= 0.0);
            assert!((cone(u, 0.3).length() - 1.0).abs() < 1e-6 && cone(u, 0.3).z >= 0.7 - 1e-6);
            let t = triangle(u);
            assert!(t.x >= 0.0 && t.y >= 0.0 && t.x + t.y <= 1.0);
        }
    }

    #[test]
    fn a_thin_cone_is_uniform_over_its_disc() {
        // The sun: 1 − cos of 0.265 degrees is 1.07e-5; sin² of the sampled angle is then uniform up to 2.14e-5.
        let one_minus_cos = 2.0 * (0.265f32.to_radians() / 2.0).sin().powi(2);
        let sin2 = mean(grid().map(|u| cone(u, one_minus_cos).truncate().length_squared()));
        assert!((sin2 / one_minus_cos - 1.0).abs() < 1e-3, "{sin2}");
        assert!((cone_pdf(2.0) - 0.25 * FRAC_1_PI).abs() < 1e-8);
    }
}
