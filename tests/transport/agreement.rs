//! `naive` finds by chance what `path` looks for: their pictures must agree, and the test must see an error of 1 %.

use std::path::Path;

use scrutineer::film::Film;
use scrutineer::integrator::Integrator;
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::chi_square::sidak;
use crate::scene::{Shot, render};
use crate::stage::{DELTA_SUN, LIGHTS, lights, stage};

/// All the tests of one pair of pictures together reject two right ones with this probability. Seeds are fixed: they
/// either do so always or never.
const SIGNIFICANCE: f64 = 1e-2;

/// A mean with the variance of that mean and its degrees of freedom.
#[derive(Clone, Copy, Default)]
struct Value {
    mean: f64,
    variance: f64,
    /// Σ variance²/degrees of its parts: Welch and Satterthwaite.
    spread: f64,
}

impl Value {
    fn of_pixel(film: &Film, x: i32, y: i32, channel: usize) -> Self {
        let estimate = film.estimate(x, y).unwrap();
        let degrees = f64::from(film.counters(x, y).unwrap().batches) - 1.0;
        let variance = estimate.standard_error[channel].powi(2);
        Self { mean: estimate.mean[channel], variance, spread: variance * variance / degrees }
    }

    fn mean_of(values: &[Self]) -> Self {
        let n = values.len() as f64;
        let sum = |f: fn(&Self) -> f64| values.iter().map(f).sum::<f64>();
        Self {
            mean: sum(|v| v.mean) / n,
            variance: sum(|v| v.variance) / n.powi(2),
            spread: sum(|v| v.spread) / n.powi(4),
        }
    }

    fn scaled(self, factor: f64) -> Self {
        let square = factor * factor;
        Self { mean: self.mean * factor, variance: self.variance * square, spread: self.spread * square * square }
    }

    /// Probability of a difference at least as large between two estimates of one number (Welch's test).
    fn p_value(self, other: Self) -> f64 {
        // Rounding of f32 radiances is part of the error.
        let rounding = (1e-5 * self.mean.abs().max(other.mean.abs())).powi(2);
        let variance = self.variance + other.variance + rounding;
        if self.mean == other.mean {
            return 1.0;
        }
        let degrees = (variance * variance / (self.spread + other.spread).max(1e-300)).clamp(1.0, 1e6);
        let t = (self.mean - other.mean).abs() / variance.sqrt();
        2.0 * StudentsT::new(0.0, 1.0, degrees).unwrap().sf(t)
    }
}

/// What is compared: the whole picture and regions of it, each channel for itself.
///
/// Single pixels do not decide. What `naive` brings to a pixel by a few very bright samples has no normal mean after a
/// few thousand of them: until it has met one, it is as sure as it is wrong. The worst pixel is shown all the same.
struct Comparison {
    whole: f64,
    regions: f64,
    pixels: f64,
    /// The pixel of that p-value: place, channel, what the films hold.
    worst: String,
}

impl Comparison {
    /// The smallest p-value at each level, corrected for their number. `factor` scales the second film.
    fn new(a: &Film, b: &Film, factor: f64) -> Self {
        const REGIONS: usize = 3;
        let window = a.window();
        let (mut whole, mut regions) = (vec![], vec![vec![]; REGIONS * REGIONS * 3]);
        let mut lowest = [1f64; 3];
        let mut worst = String::new();
        for channel in 0..3 {
            for (x, y) in (0..window.height).flat_map(|y| (0..window.width).map(move |x| (x, y))) {
                let (px, py) = (window.x + x as i32, window.y + y as i32);
                let pair = [Value::of_pixel(a, px, py, channel), Value::of_pixel(b, px, py, channel).scaled(factor)];
                let cell = |at: u32, size: u32| at as usize * REGIONS / size as usize;
                regions[(channel * REGIONS + cell(y, window.height)) * REGIONS + cell(x, window.width)].push(pair);
                whole.push(pair);
                let p = pair[0].p_value(pair[1]);
                if p < lowest[2] {
                    let show = |v: Value| format!("{:.5} ± {:.5}", v.mean, v.variance.sqrt());
                    worst = format!("({px}, {py}), channel {channel}: {} and {}", show(pair[0]), show(pair[1]));
                    lowest[2] = p;
                }
            }
        }
        let p = |pairs: &[[Value; 2]]| {
            let [a, b] = [0, 1].map(|i| Value::mean_of(&pairs.iter().map(|pair| pair[i]).collect::<Vec<_>>()));
            a.p_value(b)
        };
        let pixels = window.area();
        lowest[0] = (0..3).map(|c| p(&whole[c * pixels..(c + 1) * pixels])).fold(1.0, f64::min);
        lowest[1] = regions.iter().map(|pairs| p(pairs)).fold(1.0, f64::min);
        Self { whole: lowest[0], regions: lowest[1], pixels: lowest[2], worst }
    }

    fn rejects(&self) -> bool {
        let levels = [(self.whole, 3), (self.regions, 27)];
        levels.iter().any(|(p, tests)| *p < sidak(SIGNIFICANCE / 2.0, *tests))
    }
}

/// Renders both ways, `naive` with `effort` times the samples. An `error` planted in one of the films must be seen.
#[track_caller]
fn check(what: &str, scene: &mut Scene, crop: Option<[i32; 4]>, effort: u32, error: f64) {
    let path = render(scene, &Shot { crop, ..Shot::default() }, &["beauty"]);
    scene.render.samples *= effort;
    // Another seed: the two must not share their errors.
    scene.render.seed += 1000;
    let naive = render(scene, &Shot { integrator: Integrator::Naive, crop, ..Shot::default() }, &["beauty"]);
    let same = Comparison::new(&naive, &path, 1.0);
    let line = |c: &Comparison| {
        format!("whole {:.2e}, regions {:.2e}, pixels {:.2e} {}", c.whole, c.regions, c.pixels, c.worst)
    };
    assert!(!same.rejects(), "{what}: {}", line(&same));
    println!("{what}: {}", line(&same));
    for factor in [1.0 - error, 1.0 + error] {
        let planted = Comparison::new(&naive, &path, factor);
        println!("{what} × {factor}: {}", line(&planted));
        assert!(planted.rejects(), "{what}: {factor} is not seen: {}", line(&planted));
    }
}

#[test]
fn each_light_alone_over_a_stage_with_holes_and_panes() {
    for light in &LIGHTS {
        let [samples, effort] = light.effort;
        check(light.name, &mut stage(&light.alone(), false, samples, 4, 11), None, effort, 0.01);
    }
    check("delta sun", &mut stage(DELTA_SUN, false, 1024, 4, 1), None, 1, 0.01);
    check("emissive surfaces", &mut stage("", true, 1024, 4, 1), None, 3, 0.01);
}

#[test]
fn all_lights_together() {
    check("all", &mut stage(&lights(|_| true), true, 1024, 5, 2), None, 3, 0.01);
}

/// Deep enough that roulette plays.
#[test]
fn a_long_path() {
    check("depth 9", &mut stage(&LIGHTS[1].alone(), false, 768, 9, 3), None, 2, 0.01);
}

/// One of the scenes in `scenes/`, the sun as a delta light: half a degree is what `naive` does not find by chance.
fn committed(name: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(folder.join(format!("{name}.glb")), copy.path().join(format!("{name}.glb"))).unwrap();
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("angular_diameter")).collect();
    let text = kept.join("\n").replace("[sun]", "[sun]\nangular_diameter = 0");
    std::fs::write(copy.path().join("scene.toml"), text).unwrap();
    load::load(&copy.path().join("scene.toml"), &Options::default()).unwrap()
}

/// Cornell's lamp is small: `naive` meets it too rarely to tell 1 % in a test's time.
#[test]
fn the_committed_cornell_box() {
    let mut scene = committed("cornell");
    (scene.render.resolution, scene.render.samples, scene.render.max_depth) = ([8, 8], 2048, 5);
    check("cornell", &mut scene, None, 8, 0.05);
}

/// The rougher half of the spheres, direct light: what smooth metal reflects comes by a few very bright samples, of which
/// no test of means is sure.
#[test]
fn the_committed_spheres() {
    let mut scene = committed("spheres");
    (scene.render.resolution, scene.render.samples, scene.render.max_depth) = ([24, 10], 1024, 2);
    check("spheres", &mut scene, Some([13, 0, 11, 10]), 2, 0.01);
}

/// Diagnostic.
#[test]
#[ignore]
fn diagnose_spheres() {
    let mut scene = committed("spheres");
    (scene.render.resolution, scene.render.samples, scene.render.max_depth) = ([24, 10], 4096, 5);
    scene.render.filter = scrutineer::film::filter::FilterKind::Box;
    let path = render(&scene, &Shot::default(), &["beauty"]);
    let pixels: Vec<[i32; 2]> = (0..10).flat_map(|y| (0..24).map(move |x| [x, y])).collect();
    use rayon::prelude::*;
    let third: Vec<_> = pixels.par_iter().map(|p| crate::by_brdf::pixel(&scene, *p, 16384, 5)).collect();
    let mut zs = vec![];
    let mut sums = [[0.0; 2]; 3];
    for (p, t) in pixels.iter().zip(&third) {
        let e = path.estimate(p[0], p[1]).unwrap();
        for c in 0..3 {
            let z = (e.mean[c] - t[c].0) / (e.standard_error[c].powi(2) + t[c].1.powi(2)).sqrt();
            zs.push((z, *p, c, e.mean[c], e.standard_error[c], t[c]));
            sums[c][0] += e.mean[c];
            sums[c][1] += t[c].0;
        }
    }
    zs.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    println!("sums {sums:?} rms z {}", (zs.iter().map(|z| z.0 * z.0).sum::<f64>() / zs.len() as f64).sqrt());
    for z in &zs[..25] {
        println!("{z:.4?}");
    }
    for z in zs.iter().filter(|z| z.1 == [4, 3] || z.1 == [3, 4]) {
        println!("{z:.4?}");
    }
}
