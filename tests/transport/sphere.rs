//! Inside a closed ball of one material and constant emission.
//!
//! A chord of a ball meets it under the same angle at both ends, so the radiance that leaves a point depends on its angle
//! θ to the normal alone: L₀ = E and L_k(θ) = ∫ f(θ', θ, φ) L_{k−1}(θ') cos θ' dω'. A path of at most K segments brings
//! Σ_{k<K} L_k. The equation is solved by Nyström's method.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use serde_json::json;

use crate::brdf_reference::Reference;
use crate::scene::{Asset, Shape, Shot, orthographic, pbr, render, scene};

/// Nodes of the angle and of the azimuth (half a turn: f is even in it).
const ANGLES: usize = 96;
const AZIMUTHS: usize = 96;

fn direction(theta: f64, phi: f64) -> DVec3 {
    DVec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos())
}

/// Weights of the operator at `theta`: L_k(theta) = Σ_j w_j L_{k−1}(θ_j). Midpoint rules; both the integrand's ends are
/// smooth (sin θ cos θ vanishes there).
fn row(surface: &Reference, theta: f64) -> Vec<f64> {
    let v = direction(theta, 0.0);
    let (d_theta, d_phi) = (0.5 * PI / ANGLES as f64, PI / AZIMUTHS as f64);
    let weight = |j: usize| {
        let lit = (j as f64 + 0.5) * d_theta;
        let f = |k: usize| surface.eval(direction(lit, (k as f64 + 0.5) * d_phi), v).iter().sum::<f64>();
        (0..AZIMUTHS).map(f).sum::<f64>() * 2.0 * d_phi * d_theta * lit.sin() * lit.cos()
    };
    (0..ANGLES).map(weight).collect()
}

/// L_0, L_1, … toward `theta` for E = 1.
fn bounces(surface: &Reference, theta: f64, count: usize) -> Vec<f64> {
    let node = |j: usize| (j as f64 + 0.5) * 0.5 * PI / ANGLES as f64;
    let operator: Vec<Vec<f64>> = (0..ANGLES).map(|j| row(surface, node(j))).collect();
    let apply = |row: &Vec<f64>, l: &[f64]| row.iter().zip(l).map(|(w, l)| w * l).sum::<f64>();
    let last = row(surface, theta);
    let mut everywhere = vec![1.0; ANGLES];
    let mut seen = vec![1.0];
    for _ in 1..count {
        seen.push(apply(&last, &everywhere));
        everywhere = operator.iter().map(|row| apply(row, &everywhere)).collect();
    }
    seen
}

/// The ball's inside at angle `theta` with paths of at most `depth` segments: mean and standard error.
fn rendered(surface: &Reference, theta: f64, depth: u32) -> (f64, f64) {
    let mut asset = Asset::default();
    let mut body = pbr([surface.albedo, surface.albedo, surface.albedo, 1.0], surface.metalness, surface.roughness);
    body["emissiveFactor"] = json!([1.0, 1.0, 1.0]);
    body["doubleSided"] = json!(true);
    let material = asset.material("ball", body);
    // The camera stands 1 m from the point that it sees: the ball must be larger. Facets are 1.4° wide.
    asset.add("ball", &Shape::sphere(Vec3::ZERO, 4.0, 6), material);
    // Not at a vertex of the subdivision, but a facet's centre: its plane is nearest to the ball's there.
    let n = -DVec3::new(0.61, 0.37, 0.53).normalize();
    let (t, _) = n.any_orthonormal_pair();
    let toward = n * theta.cos() + t * theta.sin();
    let camera = orthographic(-n * 4.0, toward, 0.05);
    let toml = format!(
        "[render]\nresolution = [4, 4]\nsamples = 2048\nmax_depth = {depth}\n{camera}[[geometry]]\nfile = \"a.glb\"\n"
    );
    let film = render(&scene(&toml, &asset), &Shot::default(), &["beauty"]);
    let pixels = (0..16).map(|i| film.estimate(i % 4, i / 4).unwrap());
    let sums = pixels.fold((0.0, 0.0), |sum, p| (sum.0 + p.mean[0], sum.1 + p.standard_error[0].powi(2)));
    (sums.0 / 16.0, f64::sqrt(sums.1) / 16.0)
}

#[test]
fn radiance_inside_a_glowing_ball_bounce_by_bounce() {
    let surfaces = [
        Reference { albedo: 0.7, metalness: 0.0, roughness: 0.6 },
        Reference { albedo: 0.9, metalness: 1.0, roughness: 0.5 },
        Reference { albedo: 0.5, metalness: 0.5, roughness: 1.0 },
    ];
    for (surface, theta) in surfaces.iter().flat_map(|surface| [0.3, 1.1].map(|theta| (surface, theta))) {
        let bounces = bounces(surface, theta, 6);
        assert!(bounces[1] > 0.2 && bounces[5] > 0.005, "{bounces:?}");
        for depth in [1, 2, 3, 4, 6] {
            let expected: f64 = bounces[..depth as usize].iter().sum();
            let (mean, error) = rendered(surface, theta, depth);
            // Facets are not a ball: normals are off by up to 0.7°, and what lies below a facet's plane but above the
            // ball's is lost, of order sin²(0.7°).
            let tolerance = 4.5 * error + 1.5e-3 * (expected - 1.0) + 1e-6;
            let what = format!("{surface:?}, θ = {theta}, depth {depth}: {mean} ± {error}, expected {expected}");
            assert!((mean - expected).abs() < tolerance, "{what}");
            assert!(tolerance < 0.01 * expected, "would not see 1 %: {what}");
        }
    }
}
