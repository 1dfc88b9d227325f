//! A coarse irradiance of a distant environment, for choosing between it and other lights.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

/// The nine spherical-harmonic coefficients of a luminance over directions.
///
/// Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps" (SIGGRAPH 2001): nine
/// coefficients give the irradiance within a few percent. Only probabilities depend on it, so that is plenty.
#[derive(Clone, Copy, Debug, Default)]
pub struct IrradianceEstimate {
    coefficients: [f64; 9],
}

impl IrradianceEstimate {
    /// Adds light of `flux` (luminance times solid angle) from `direction` (unit).
    pub fn add(&mut self, direction: DVec3, flux: f64) {
        let basis = basis(direction);
        for (sum, y) in self.coefficients.iter_mut().zip(basis) {
            *sum += flux * y;
        }
    }

    /// Adds another environment's light.
    pub fn merge(&mut self, other: &Self) {
        for (sum, more) in self.coefficients.iter_mut().zip(other.coefficients) {
            *sum += more;
        }
    }

    /// The solid-angle integral of the luminance.
    pub fn total(&self) -> f64 {
        self.coefficients[0] / Y00
    }

    /// Freezes it into what is evaluated at shading points.
    pub fn finish(&self) -> Irradiance {
        // The cosine lobe's own coefficients: π, 2π/3, π/4 for degree 0, 1, 2.
        const LOBE: [f64; 9] = {
            let (a, b) = (2.0 * PI / 3.0, PI / 4.0);
            [PI, a, a, a, b, b, b, b, b]
        };
        let average = self.total() / 4.0;
        let coefficients = std::array::from_fn(|i| self.coefficients[i] * LOBE[i]);
        Irradiance { coefficients, average: average as f32 }
    }
}

/// Irradiance by normal; never zero where the environment is not black.
#[derive(Clone, Copy, Debug, Default)]
pub struct Irradiance {
    coefficients: [f64; 9],
    /// The mean over all normals.
    average: f32,
}

impl Irradiance {
    /// That of a constant luminance.
    pub fn constant(luminance: f32) -> Self {
        let mut estimate = IrradianceEstimate::default();
        estimate.coefficients[0] = 4.0 * PI * f64::from(luminance) * Y00;
        estimate.finish()
    }

    /// W/m², luminance, on a surface of normal `n`; the mean without one.
    pub fn at(&self, n: Option<Vec3>) -> f32 {
        let Some(n) = n else { return self.average };
        let sum: f64 = self.coefficients.iter().zip(basis(n.as_dvec3())).map(|(c, y)| c * y).sum();
        // The truncated series undershoots, even below zero, opposite a small bright light.
        (sum as f32).max(0.05 * self.average)
    }
}

const Y00: f64 = 0.282_094_791_773_878_14;
const Y1: f64 = 0.488_602_511_902_919_9;
const Y2: f64 = 1.092_548_430_592_079_2;
const Y20: f64 = 0.315_391_565_252_520_05;
const Y22: f64 = 0.546_274_215_296_039_6;

fn basis(d: DVec3) -> [f64; 9] {
    let DVec3 { x, y, z } = d;
    let second = [Y2 * x * y, Y2 * y * z, Y20 * (3.0 * z * z - 1.0), Y2 * x * z, Y22 * (x * x - y * y)];
    [Y00, Y1 * y, Y1 * z, Y1 * x, second[0], second[1], second[2], second[3], second[4]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_sky_gives_pi_times_its_radiance() {
        for n in [None, Some(Vec3::Y), Some(Vec3::new(0.6, 0.0, -0.8))] {
            assert!((Irradiance::constant(2.0).at(n) - 2.0 * PI as f32).abs() < 1e-5);
        }
    }

    #[test]
    fn one_small_light_is_seen_from_the_front_and_never_lost() {
        let mut estimate = IrradianceEstimate::default();
        estimate.add(DVec3::Y, 1.0);
        let irradiance = estimate.finish();
        assert!((irradiance.at(Some(Vec3::Y)) - 1.0).abs() < 0.1);
        assert!(irradiance.at(Some(-Vec3::Y)) > 0.0);
    }
}
