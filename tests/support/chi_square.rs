//! Pearson's chi-square test of a sampler of directions against its density.
//!
//! 1. A [`SphereGrid`] cuts the sphere in cells, finely where the density is sharp.
//! 2. [`SphereGrid::integrate`] gives the density's mass in each cell, [`SphereGrid::cell`] the cell of a sample.
//! 3. [`chi_square`] compares counts with masses; samples that were drawn as "none" are a category of their own, whose
//!    mass is what the density lacks to one.
//! 4. The significance of one test among many is [`sidak`]'s.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::quadrature::{Tolerance, integrate_2d};

/// Cells between polar angles and azimuths around an axis.
pub struct SphereGrid {
    x: DVec3,
    y: DVec3,
    z: DVec3,
    /// Ascending, from 0 to π, with π/2 among them: densities may jump at the horizon.
    theta: Vec<f64>,
    /// Ascending, from −π to π.
    phi: Vec<f64>,
}

impl SphereGrid {
    /// Around the unit axis `z`; azimuths count from `x` (unit, across z). Cells grow from about `width` radians at
    /// (`theta`, `phi`) to coarse ones.
    pub fn focused(x: DVec3, z: DVec3, theta: f64, phi: f64, width: f64) -> Self {
        let mut polar = edges(theta, width, 0.0, FRAC_PI_2);
        polar.push(PI);
        // Near the pole every azimuth is near.
        let azimuthal_width = (width / theta.sin().max(1e-9)).min(PI / 6.0);
        // Edges are symmetric about phi on a circle cut opposite to it, then turned back into −π..π.
        let mut azimuth: Vec<f64> = edges(0.0, azimuthal_width, -PI, PI).iter().map(|e| wrapped(e + phi)).collect();
        azimuth.extend([-PI, PI]);
        azimuth.sort_by(f64::total_cmp);
        azimuth.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        Self { x, y: z.cross(x), z, theta: polar, phi: azimuth }
    }

    pub fn cells(&self) -> usize {
        (self.theta.len() - 1) * (self.phi.len() - 1)
    }

    /// The cell that the unit direction lies in.
    pub fn cell(&self, direction: DVec3) -> usize {
        let (x, y, z) = (direction.dot(self.x), direction.dot(self.y), direction.dot(self.z));
        let (theta, phi) = (x.hypot(y).atan2(z), y.atan2(x));
        let slot = |edges: &[f64], value: f64| edges.partition_point(|e| *e <= value).clamp(1, edges.len() - 1) - 1;
        slot(&self.theta, theta) * (self.phi.len() - 1) + slot(&self.phi, phi)
    }

    /// ∫ density dω over each cell.
    pub fn integrate(&self, density: impl Fn(DVec3) -> f64, tolerance: Tolerance) -> Vec<f64> {
        let integrand = |theta: f64, phi: f64| {
            let (sin, cos) = theta.sin_cos();
            density((self.x * phi.cos() + self.y * phi.sin()) * sin + self.z * cos) * sin
        };
        let rows = self.theta.windows(2);
        let cell = |t: &[f64], p: &[f64]| integrate_2d(integrand, [t[0], t[1]], [p[0], p[1]], tolerance).value;
        rows.flat_map(|t| self.phi.windows(2).map(move |p| cell(t, p))).collect()
    }
}

fn wrapped(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

/// `from`, `to` and, between them, centre ± width·{½, 1, 2, 4, …}, in steps of at most 0.35.
fn edges(centre: f64, width: f64, from: f64, to: f64) -> Vec<f64> {
    let mut edges = vec![from, to];
    for side in [-1.0, 1.0] {
        let (mut distance, mut step) = (0.5 * width, 0.5 * width);
        while distance < to - from {
            edges.push(centre + side * distance);
            distance += step;
            step = (2.0 * step).min(0.35);
        }
    }
    edges.retain(|e| (from..=to).contains(e));
    edges.sort_by(f64::total_cmp);
    edges.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    edges
}

/// The outcome of a test.
#[allow(dead_code, reason = "a failing test prints all of it")]
#[derive(Clone, Copy, Debug)]
pub struct ChiSquare {
    pub statistic: f64,
    pub degrees: usize,
    /// Probability of a statistic at least as large where the sampler has the density. 0 where the density's mass is
    /// above one.
    pub p_value: f64,
}

/// Compares `observed` counts of `samples` draws with the `mass` of each cell. Draws that are in no cell are counted
/// against 1 − Σ mass. Categories that expect fewer than 5 draws are pooled (Cochran's rule). `mass_error` is how far
/// Σ mass may exceed one by quadrature and rounding.
pub fn chi_square(observed: &[u64], mass: &[f64], samples: u64, mass_error: f64) -> ChiSquare {
    let (n, total) = (samples as f64, mass.iter().sum::<f64>());
    let none = (samples - observed.iter().sum::<u64>(), (1.0 - total).max(0.0));
    let mut categories: Vec<(f64, f64)> = observed
        .iter()
        .copied()
        .zip(mass.iter().copied())
        .chain([none])
        .map(|(count, mass)| (count as f64, mass * n))
        .collect();
    categories.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut statistic, mut degrees) = (0.0, 0usize);
    let mut pool = (0.0, 0.0);
    for (count, expected) in categories {
        pool = (pool.0 + count, pool.1 + expected);
        if pool.1 >= 5.0 {
            statistic += (pool.0 - pool.1) * (pool.0 - pool.1) / pool.1;
            degrees += 1;
            pool = (0.0, 0.0);
        }
    }
    let degrees = degrees.saturating_sub(1).max(1);
    let law = ChiSquared::new(degrees as f64).expect("degrees of freedom are positive");
    let p_value = if total > 1.0 + mass_error { 0.0 } else { law.sf(statistic) };
    ChiSquare { statistic, degrees, p_value }
}

/// The significance of each of `tests` independent tests, so that all together have `significance` (Šidák, 1967).
pub fn sidak(significance: f64, tests: usize) -> f64 {
    -((-significance).ln_1p() / tests as f64).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const TOLERANCE: Tolerance = Tolerance { absolute: 1e-9, relative: 1e-9 };

    /// Counts and masses of 400,000 uniform directions in a grid that is fine somewhere.
    fn uniform() -> (Vec<u64>, Vec<f64>) {
        let z = DVec3::new(0.6, 0.0, 0.8);
        let grid = SphereGrid::focused(DVec3::new(0.8, 0.0, -0.6), z, 1.1, 2.9, 0.05);
        let mass = grid.integrate(|_| 0.25 / PI, TOLERANCE);
        let (mut random, mut counts) = (Random::new(11), vec![0; grid.cells()]);
        for _ in 0..400_000 {
            let [u, v] = random.next().map(f64::from);
            let radius = 2.0 * (u * (1.0 - u)).sqrt();
            let phi = 2.0 * PI * v;
            counts[grid.cell(DVec3::new(radius * phi.cos(), radius * phi.sin(), 1.0 - 2.0 * u))] += 1;
        }
        (counts, mass)
    }

    #[test]
    fn accepts_the_uniform_sphere_and_rejects_one_percent() {
        let (counts, mass) = uniform();
        assert!((mass.iter().sum::<f64>() - 1.0).abs() < 1e-8);
        assert!(chi_square(&counts, &mass, 400_000, 1e-6).p_value > 0.001);
        let scaled = |factor: f64| mass.iter().map(|m| m * factor).collect::<Vec<_>>();
        assert!(chi_square(&counts, &scaled(0.99), 400_000, 1e-6).p_value < 1e-9);
        assert!(chi_square(&counts, &scaled(1.01), 400_000, 1e-6).p_value < 1e-9);
        // Draws that are missing without the density saying so.
        assert!(chi_square(&counts, &mass, 404_000, 1e-6).p_value < 1e-9);
    }

    #[test]
    fn sidak_corrects() {
        assert!((sidak(0.05, 1) - 0.05).abs() < 1e-12);
        assert!((1.0 - (1.0 - sidak(0.05, 40)).powi(40) - 0.05).abs() < 1e-12);
    }
}
