//! The documented BRDF, written a second time: in f64, letter by letter, grey, in a local frame with n = Ng = z.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;

use crate::chi_square::SphereGrid;
use crate::quadrature::Tolerance;

/// One channel of a surface; all in 0..1 except `albedo` ≥ 0.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    pub albedo: f64,
    pub metalness: f64,
    pub roughness: f64,
}

impl Reference {
    /// [diffuse, specular] part of f, 1/sr, for unit directions with z > 0.
    pub fn eval(&self, l: DVec3, v: DVec3) -> [f64; 2] {
        let r = self.roughness;
        let a4 = r.max(0.05).powi(4);
        let h = (l + v).normalize();
        let (nl, nv, nh, lh) = (l.z, v.z, h.z, l.dot(h));
        let d = a4 / (PI * (nh * nh * (a4 - 1.0) + 1.0).powi(2));
        let k = r * r / 2.0;
        let g1 = |nx: f64| nx / (nx * (1.0 - k) + k);
        let f0 = 0.04 + (self.albedo - 0.04) * self.metalness;
        let f = f0 + (1.0 - f0) * (1.0 - lh).powi(5);
        let f90 = 0.5 + 2.0 * r * lh * lh;
        let burley = |nx: f64| 1.0 + (f90 - 1.0) * (1.0 - nx).powi(5);
        let diffuse = (1.0 - self.metalness) * self.albedo / PI * burley(nl) * burley(nv);
        [diffuse, d * g1(nl) * g1(nv) * f / (4.0 * nl * nv)]
    }

    /// Directional albedo ∫ f n·l dω, [diffuse, specular], for a viewer at polar angle `theta`.
    pub fn directional_albedo(&self, theta: f64) -> [f64; 2] {
        let v = DVec3::new(theta.sin(), 0.0, theta.cos());
        let tolerance = Tolerance { absolute: 1e-8, relative: 1e-6 };
        let grid = mirror_grid(DVec3::X, DVec3::Z, theta, self.roughness);
        [0, 1].map(|lobe| {
            let integrand = |l: DVec3| if l.z > 0.0 { self.eval(l, v)[lobe] * l.z } else { 0.0 };
            grid.integrate(integrand, tolerance).iter().sum()
        })
    }
}

/// A grid around the normal `z` that is fine about the mirror direction of a viewer at polar angle `theta` in the
/// direction of `x`.
pub fn mirror_grid(x: DVec3, z: DVec3, theta: f64, roughness: f64) -> SphereGrid {
    let alpha = roughness.max(0.05).powi(2);
    SphereGrid::focused(x, z, theta.min(FRAC_PI_2), PI, (2.0 * alpha).min(0.3))
}
