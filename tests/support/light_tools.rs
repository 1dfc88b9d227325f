//! Random numbers, estimates with their errors, and closed forms for the tests of lights.

use glam::{DVec3, Vec3};
use scrutineer::light::{LightFrom, LightSample, Lights, SampleKind};

/// SplitMix64: reproducible and independent of the renderer's own sampler.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn four(&mut self) -> [f32; 4] {
        std::array::from_fn(|_| self.unit())
    }

    pub fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::from(std::array::from_fn(|_| self.within(-size, size)))
    }

    /// Uniform on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        self.direction_near(Vec3::Z, 2.0)
    }

    /// Uniform in the cone about `axis` (unit) of this height on the unit sphere (1 − cos of its half angle).
    pub fn direction_near(&mut self, axis: Vec3, height: f32) -> Vec3 {
        let h = height * self.unit();
        let (sin, cos) = (std::f32::consts::TAU * self.unit()).sin_cos();
        let (t, b) = axis.any_orthonormal_pair();
        (axis * (1.0 - h) + (t * cos + b * sin) * (h * (2.0 - h)).sqrt()).normalize()
    }
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub mean: f64,
    pub error: f64,
}

impl Estimate {
    pub fn of(count: usize, mut value: impl FnMut() -> f64) -> Self {
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..count {
            let v = value();
            sum += v;
            squares += v * v;
        }
        let (n, mean) = (count as f64, sum / count as f64);
        // Rounding of f32 light quantities is part of the error.
        let error = ((squares / n - mean * mean).max(0.0) / (n - 1.0)).sqrt() + 2e-5 * mean.abs();
        Self { mean, error }
    }

    pub fn agrees_with(&self, expected: f64) -> bool {
        (self.mean - expected).abs() <= 4.5 * self.error
    }

    /// Fails unless the estimate agrees, and is sharp enough to refute values that are 1 % off.
    #[track_caller]
    pub fn assert_is(&self, expected: f64, what: &str) {
        assert!(self.agrees_with(expected), "{what}: {self:?}, expected {expected}");
        for wrong in [0.99, 1.01] {
            assert!(!self.agrees_with(wrong * expected), "{what}: {self:?} does not refute {wrong} of {expected}");
        }
    }
}

/// Irradiance (red channel) on an unoccluded surface, by sampling. `emitted` is the radiance of emissive triangles.
pub fn irradiance(lights: &Lights, from: &LightFrom, n: Vec3, emitted: f32, count: usize) -> Estimate {
    let mut random = Random(7);
    Estimate::of(count, || lights.sample(from, random.four()).map_or(0.0, |sample| contribution(&sample, n, emitted)))
}

fn contribution(sample: &LightSample, n: Vec3, emitted: f32) -> f64 {
    let value = match sample.kind {
        SampleKind::Radiance(value) => value.x,
        SampleKind::Emitter { .. } => emitted,
    };
    f64::from(value) * f64::from(n.dot(sample.wi).max(0.0)) / f64::from(sample.pdf)
}

/// Lambert's formula: irradiance at the origin, on a surface of normal `n`, from a polygon of radiance 1 that lies above
/// the surface; positive if it runs clockwise as seen from there.
pub fn polygon_irradiance(corners: &[DVec3], n: DVec3) -> f64 {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let sum: f64 = edges
        .map(|(a, b)| {
            let cross = a.cross(*b);
            cross.length().atan2(a.dot(*b)) * cross.normalize_or_zero().dot(n)
        })
        .sum();
    (0.5 * sum).abs()
}

/// Integrates a function of direction over the sphere with the midpoint rule.
pub fn integrate_sphere(mut f: impl FnMut(Vec3) -> f64) -> f64 {
    let (rows, columns) = (720, 1440);
    let (dz, dphi) = (2.0 / f64::from(rows), std::f64::consts::TAU / f64::from(columns));
    let mut sum = 0.0;
    for row in 0..rows {
        let z = (f64::from(row) + 0.5) * dz - 1.0;
        let r = (1.0 - z * z).sqrt();
        for column in 0..columns {
            let (sin, cos) = ((f64::from(column) + 0.5) * dphi).sin_cos();
            sum += f(DVec3::new(r * sin, z, -r * cos).as_vec3());
        }
    }
    sum * dz * dphi
}
