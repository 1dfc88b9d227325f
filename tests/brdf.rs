//! The BRDF's promises: f is the documented model, samples have the density that `pdf` says, and their mean weight is the
//! integral of f. Judged by chi-square tests and f64 quadrature, with fixed seeds.

#[path = "support/brdf_reference.rs"]
mod brdf_reference;
#[path = "support/chi_square.rs"]
mod chi_square;
#[path = "support/quadrature.rs"]
mod quadrature;
#[path = "support/random.rs"]
mod random;

use brdf_reference::{Reference, mirror_grid};
use chi_square::{ChiSquare, chi_square, sidak};
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use quadrature::Tolerance;
use random::Random;
use scrutineer::brdf::{Brdf, BrdfSample};

/// Probability that a whole grid of tests fails by chance (of a seed; the seeds are fixed).
const SIGNIFICANCE: f64 = 0.01;
/// Quadrature of f32 densities: the noise of rounding is above this only at the sharpest peaks.
const TOLERANCE: Tolerance = Tolerance { absolute: 1e-7, relative: 1e-5 };
const MASS_ERROR: f64 = 2e-4;

const THETAS: [f64; 4] = [0.0, 0.7, 1.3, 1.54];
const ROUGHNESSES: [f32; 4] = [0.0, 0.05, 0.3, 1.0];
const METALNESSES: [f32; 3] = [0.0, 0.5, 1.0];

/// A viewer over a surface that is not aligned with any axis.
#[derive(Clone, Copy, Debug)]
struct View {
    theta: f64,
    x: DVec3,
    z: DVec3,
}

impl View {
    fn new(theta: f64) -> Self {
        let z = DVec3::new(0.48, -0.6, 0.64);
        Self { theta, x: z.cross(DVec3::new(0.1, 0.9, 0.3)).normalize(), z }
    }

    fn wo(&self) -> DVec3 {
        self.x * self.theta.sin() + self.z * self.theta.cos()
    }

    fn opaque(&self, albedo: f32, metalness: f32, roughness: f32) -> Brdf {
        let n = self.z.as_vec3();
        Brdf::opaque(Vec3::splat(albedo), metalness, roughness, n, n, self.wo().as_vec3())
    }

    fn local(&self, v: Vec3) -> DVec3 {
        let v = v.as_dvec3().normalize();
        DVec3::new(v.dot(self.x), v.dot(self.z.cross(self.x)), v.dot(self.z))
    }
}

fn grid() -> impl Iterator<Item = (View, f32, f32)> {
    let views = THETAS.into_iter().map(View::new);
    views.flat_map(|view| ROUGHNESSES.into_iter().flat_map(move |r| METALNESSES.into_iter().map(move |m| (view, r, m))))
}

/// Tests `samples` draws of `brdf` against `density`, in cells around the viewer's mirror direction.
fn test_density(
    brdf: &Brdf,
    view: &View,
    roughness: f32,
    samples: u64,
    density: impl Fn(&Brdf, Vec3) -> f32,
) -> ChiSquare {
    let cells = mirror_grid(view.x, view.z, view.theta, roughness.into());
    let mass = cells.integrate(|wi| density(brdf, wi.as_vec3()).into(), TOLERANCE);
    let (mut random, mut counts) =
        (Random::new(view.theta.to_bits() ^ u64::from(roughness.to_bits())), vec![0; cells.cells()]);
    for _ in 0..samples {
        if let Some(sample) = brdf.sample(random.next()) {
            counts[cells.cell(sample.wi.as_dvec3().normalize())] += 1;
        }
    }
    chi_square(&counts, &mass, samples, MASS_ERROR)
}

#[test]
fn samples_have_the_density_that_pdf_says() {
    let significance = sidak(SIGNIFICANCE, grid().count());
    for (view, roughness, metalness) in grid() {
        let outcome = test_density(&view.opaque(0.5, metalness, roughness), &view, roughness, 200_000, Brdf::pdf);
        assert!(outcome.p_value > significance, "{view:?}, roughness {roughness}, metalness {metalness}: {outcome:?}");
    }
}

#[test]
fn glass_samples_have_the_density_that_pdf_says() {
    for roughness in ROUGHNESSES {
        let view = View::new(1.1);
        let n = view.z.as_vec3();
        let brdf = Brdf::glass(0.04, roughness, n, -n, view.wo().as_vec3());
        let outcome = test_density(&brdf, &view, roughness, 200_000, Brdf::pdf);
        assert!(outcome.p_value > sidak(SIGNIFICANCE, ROUGHNESSES.len()), "roughness {roughness}: {outcome:?}");
    }
}

#[test]
fn samples_have_their_density_where_the_normals_disagree() {
    // Ng cuts the hemisphere of n; and a normal that faces away is rotated into view first.
    let cases = [(0.5, 0.6, 0.2), (1.2, 0.5, 0.3), (1.2, -0.4, 0.6), (0.9, 0.3, 1.0)];
    for (theta, tilt, roughness) in cases {
        let view = View::new(theta);
        // Ng leans by `tilt` from n, toward the viewer or away.
        let ng = (view.z * f64::cos(tilt) + view.x * f64::sin(tilt)).as_vec3();
        let brdf = Brdf::opaque(Vec3::splat(0.5), 0.5, roughness, view.z.as_vec3(), ng, view.wo().as_vec3());
        let outcome = test_density(&brdf, &view, roughness, 100_000, Brdf::pdf);
        assert!(outcome.p_value > sidak(SIGNIFICANCE, cases.len() + 1), "{theta} {tilt} {roughness}: {outcome:?}");
    }
    let view = View::new(0.4);
    let wo = (view.x + 0.05 * view.z).normalize().as_vec3();
    let brdf = Brdf::opaque(Vec3::splat(0.5), 0.2, 0.4, (view.z - 0.5 * view.x).as_vec3(), view.z.as_vec3(), wo);
    assert!((brdf.n().dot(wo) - 1e-3).abs() < 1e-6);
    let outcome = test_density(&brdf, &view, 0.4, 100_000, Brdf::pdf);
    assert!(outcome.p_value > sidak(SIGNIFICANCE, cases.len() + 1), "rotated: {outcome:?}");
}

#[test]
fn planted_errors_in_the_density_are_rejected() {
    let significance = sidak(SIGNIFICANCE, grid().count());
    for (theta, roughness, metalness) in [(0.7, 0.0, 0.5), (1.3, 0.3, 0.0), (1.54, 1.0, 1.0)] {
        let view = View::new(theta);
        let brdf = view.opaque(0.5, metalness, roughness);
        let rejects = |what: &str, density: &dyn Fn(&Brdf, Vec3) -> f32| {
            let outcome = test_density(&brdf, &view, roughness, 400_000, density);
            assert!(outcome.p_value < significance, "{what} at {theta}, {roughness}: {outcome:?}");
        };
        rejects("1 % too much", &|brdf, wi| 1.01 * brdf.pdf(wi));
        rejects("1 % too little", &|brdf, wi| 0.99 * brdf.pdf(wi));
        // The mass is right, the shape is not: more on one side of the plane of incidence.
        let side = view.z.cross(view.x).as_vec3();
        rejects("a lean of 4 %", &|brdf, wi| brdf.pdf(wi) * (1.0 + 0.04 * wi.dot(side).signum()));
    }
    let view = View::new(0.7);
    let rougher = view.opaque(0.5, 1.0, 0.31);
    let outcome = test_density(&view.opaque(0.5, 1.0, 0.3), &view, 0.3, 400_000, |_, wi| rougher.pdf(wi));
    assert!(outcome.p_value < significance, "another roughness: {outcome:?}");
}

#[test]
fn a_sample_is_what_eval_and_pdf_say_of_its_direction() {
    let mut random = Random::new(3);
    for (view, roughness, metalness) in grid() {
        let brdf = view.opaque(0.7, metalness, roughness);
        for _ in 0..2000 {
            let Some(BrdfSample { wi, lobes_weight, pdf }) = brdf.sample(random.next()) else { continue };
            assert!((wi.length() - 1.0).abs() < 2e-7);
            assert_eq!(pdf, brdf.pdf(wi));
            assert_eq!((brdf.eval(wi), pdf), brdf.eval_with_pdf(wi));
            let expected = brdf.eval(wi) * (wi.dot(brdf.n()) / pdf);
            assert_eq!(lobes_weight, expected);
        }
    }
}

#[test]
fn f_is_the_documented_model() {
    let mut random = Random::new(5);
    for (view, roughness, metalness) in grid() {
        let brdf = view.opaque(0.7, metalness, roughness);
        let reference = Reference { albedo: 0.7, metalness: metalness.into(), roughness: roughness.into() };
        let v = view.local(brdf.wo());
        for _ in 0..2000 {
            // Sampled directions cover the peak, uniform ones the tail.
            let [a, b, c] = random.next();
            let uniform = (Vec3::new(a, b, c) - 0.5).normalize_or(Vec3::X);
            for wi in [uniform, brdf.sample([a, b, c]).map_or(-brdf.n(), |s| s.wi)] {
                let l = view.local(wi);
                if l.z < 0.01 {
                    continue;
                }
                // A direction is known to 1e-7; the half vector to that over |l + v|, and D changes by 2/α of it.
                let alpha = f64::from(roughness).max(0.05).powi(2);
                let relative = 1e-5 + 1e-6 / ((l + v).length() * alpha) + 1e-7 / v.z + 1e-7 / l.z;
                let [diffuse, specular] = reference.eval(l, v);
                let f = brdf.eval(wi);
                let close = |x: f32, y: f64| (f64::from(x) - y).abs() <= relative * y + 1e-12;
                assert!(
                    close(f.diffuse.x, diffuse) && close(f.specular.y, specular),
                    "{view:?}, roughness {roughness}, metalness {metalness}, {l}: {f:?}, {diffuse} {specular}"
                );
            }
        }
    }
}

#[test]
fn f_is_the_same_when_light_and_viewer_are_exchanged() {
    let mut random = Random::new(9);
    let n = View::new(0.0).z.as_vec3();
    for roughness in ROUGHNESSES {
        for _ in 0..2000 {
            let [l, v] = [0; 2].map(|_| {
                let d = (Vec3::from(random.next()) - 0.5).normalize_or(n);
                if d.dot(n) < 0.0 { -d } else { d }
            });
            if l.dot(n).min(v.dot(n)) < 0.01 {
                continue;
            }
            let f = |from: Vec3, to: Vec3| {
                Brdf::opaque(Vec3::new(0.9, 0.5, 0.1), 0.4, roughness, n, n, to).eval(from).total()
            };
            let (there, back) = (f(l, v), f(v, l));
            assert!((there - back).abs().max_element() <= 1e-4 * there.max_element(), "{l} {v}: {there} {back}");
        }
    }
}

/// Mean and its standard error.
fn mean_weight(brdf: &Brdf, seed: u64, samples: u32) -> [(f64, f64); 2] {
    let mut random = Random::new(seed);
    let (mut sum, mut squares) = ([0.0; 2], [0.0; 2]);
    for _ in 0..samples {
        let weight = brdf
            .sample(random.next())
            .map_or([0.0; 2], |s| [f64::from(s.lobes_weight.diffuse.x), f64::from(s.lobes_weight.specular.x)]);
        for lobe in 0..2 {
            sum[lobe] += weight[lobe];
            squares[lobe] += weight[lobe] * weight[lobe];
        }
    }
    let n = f64::from(samples);
    [0, 1].map(|lobe| {
        let mean = sum[lobe] / n;
        (mean, ((squares[lobe] / n - mean * mean).max(0.0) / n).sqrt())
    })
}

#[test]
fn mean_weight_is_the_directional_albedo_by_quadrature() {
    // 96 comparisons: 4 standard errors each are passed by chance with probability 0.6 %.
    for (view, roughness, metalness) in grid() {
        let brdf = view.opaque(0.7, metalness, roughness);
        let reference = Reference { albedo: 0.7, metalness: metalness.into(), roughness: roughness.into() };
        let expected = reference.directional_albedo(view.theta);
        for (lobe, (mean, error)) in mean_weight(&brdf, 21, 100_000).into_iter().enumerate() {
            let z = (mean - expected[lobe]).abs() / (error + 2e-5 * expected[lobe] + 1e-12);
            assert!(
                z < 4.0,
                "lobe {lobe} at {}, roughness {roughness}, metalness {metalness}: {mean} ± {error}, {}",
                view.theta,
                expected[lobe]
            );
        }
    }
}

#[test]
fn weights_stay_near_the_albedo() {
    // The lobes cover f: no direction is drawn so rarely for what it carries that it would be a firefly.
    for (view, roughness, metalness) in grid().chain([(View::new(1.5698), 0.05, 0.5), (View::new(1.5698), 1.0, 0.0)]) {
        let (brdf, mut random) = (view.opaque(1.0, metalness, roughness), Random::new(4));
        let weights = (0..50_000).filter_map(|_| brdf.sample(random.next())).map(|s| s.lobes_weight.total().x);
        let largest = weights.fold(0.0, f32::max);
        assert!(largest < 4.0, "{view:?}, roughness {roughness}, metalness {metalness}: {largest}");
    }
}

#[test]
fn a_planted_error_in_the_weight_is_seen() {
    // The comparison above, of a surface whose albedo is 1 % off.
    let view = View::new(0.7);
    let expected = Reference { albedo: 0.7, metalness: 0.0, roughness: 1.0 }.directional_albedo(view.theta)[0];
    let (mean, error) = mean_weight(&view.opaque(0.707, 0.0, 1.0), 21, 100_000)[0];
    assert!((mean - expected).abs() / error > 4.0, "{mean} ± {error}, {expected}");
}

#[test]
fn a_white_surface_reflects_more_than_it_gets_as_documented() {
    // The diffuse lobe is not scaled by 1 − F: this is the model, and a change of it must not pass unseen.
    let albedo = |theta, roughness| {
        let lobes = Reference { albedo: 1.0, metalness: 0.0, roughness }.directional_albedo(theta);
        lobes[0] + lobes[1]
    };
    let values: Vec<f64> = [0.0, 0.7, 1.3].into_iter().flat_map(|t| [0.0, 0.3, 1.0].map(|r| albedo(t, r))).collect();
    assert!(values.iter().all(|v| (0.95..1.55).contains(v)), "{values:?}");
    assert!(albedo(0.0, 1.0) > 1.03, "{values:?}");
}

fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![-2.0f32..2.0, proptest::num::f32::NORMAL, proptest::num::f32::SUBNORMAL, Just(0.0)]
}

fn any_vector() -> impl Strategy<Value = Vec3> {
    [any_finite(), any_finite(), any_finite()].prop_map(Vec3::from)
}

fn any_direction() -> impl Strategy<Value = Vec3> {
    let general = [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0].prop_map(|v| Vec3::from(v).normalize_or(Vec3::X));
    prop_oneof![general, Just(Vec3::X), Just(Vec3::Z), Just(-Vec3::Z), Just(Vec3::new(1.0, 0.0, 1e-7))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn no_finite_input_gives_a_value_that_is_not_finite(
        albedo in any_vector(), metalness in any_finite(), roughness in any_finite(), n in any_vector(),
        ng in any_direction(), wo in any_direction(), wi in any_direction(), u in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
        glass in any::<bool>(),
    ) {
        let brdf = if glass {
            Brdf::glass(albedo.x, roughness, n, ng, wo)
        } else {
            Brdf::opaque(albedo, metalness, roughness, n, ng, wo)
        };
        prop_assert!((brdf.n().length() - 1.0).abs() < 1e-6 && brdf.n().dot(wo) > 9.9e-4);
        prop_assert!(brdf.ng().dot(wo) >= 0.0);
        for wi in [wi, wo, -wo, brdf.n(), brdf.ng()] {
            let (f, pdf) = (brdf.eval(wi), brdf.pdf(wi));
            prop_assert!(f.diffuse.is_finite() && f.specular.is_finite() && pdf.is_finite(), "{f:?} {pdf}");
            prop_assert!(f.diffuse.min_element() >= 0.0 && f.specular.min_element() >= 0.0 && pdf >= 0.0);
            // Nothing can contribute that sampling cannot reach.
            prop_assert!(pdf > 0.0 || f.total() == Vec3::ZERO, "{f:?}");
            if wi.dot(brdf.ng()) <= 0.0 || wi.dot(brdf.n()) < -1e-6 {
                prop_assert!(pdf == 0.0 && f.total() == Vec3::ZERO);
            }
        }
        if let Some(sample) = brdf.sample(u) {
            prop_assert!(sample.wi.is_finite() && sample.pdf > 0.0 && sample.pdf.is_finite());
            prop_assert!(sample.lobes_weight.total().is_finite() && sample.lobes_weight.total().min_element() >= 0.0);
        }
    }
}
