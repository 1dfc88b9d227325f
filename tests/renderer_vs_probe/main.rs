//! The renderer's G-buffer is the probe's answer: on the whole chart, and by hand arithmetic on awkwardly placed quads.

mod chart;
mod quads;
#[path = "../support/random.rs"]
mod random;

use std::sync::atomic::AtomicBool;

use scrutineer::cli::progress::Progress;
use scrutineer::film::{Film, FilmSettings, Plane, Selection};
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::probe::Answer;
use scrutineer::scene::Scene;
use serde_json::Value;

const TOLERANCE: f32 = 1e-5;

/// RT0…RT2 of a picture: eleven planes of floats, row by row.
struct Targets {
    width: usize,
    planes: Vec<Vec<f32>>,
}

impl Targets {
    /// What `--integrator gbuffer` writes.
    fn render(scene: &Scene) -> Self {
        let names = ["RT0", "RT1", "RT2"].map(str::to_owned);
        let aovs = Selection::parse(&names, &[]).expect("the AOVs exist").into_ids();
        let resolution = scene.render.resolution;
        let settings =
            FilmSettings { resolution, crop: None, aovs, light_groups: Vec::new(), batch: 1, track_error: false };
        let mut film = Film::new(settings).expect("the film is small");
        let job = Job::new(scene, 0, Integrator::Gbuffer, None, None);
        let (progress, stop) = (Progress::new(1, "test"), AtomicBool::new(false));
        integrator::render(scene, &job, &mut film, &Watch { progress: &progress, stop: &stop });
        let planes = film.aovs().flat_map(|id| film.planes(id, &|_| 0.0).expect("the film holds it"));
        let floats = |plane| match plane {
            Plane::Float(values) => values,
            Plane::Uint(_) => panic!("RT0…RT2 are floats"),
        };
        Self { width: resolution[0] as usize, planes: planes.map(floats).collect() }
    }

    fn at(&self, [x, y]: [i32; 2]) -> Vec<f32> {
        self.planes.iter().map(|plane| plane[y as usize * self.width + x as usize]).collect()
    }
}

/// The channels of RT0…RT2 in an answer.
fn targets_of(answer: &Answer) -> Vec<f32> {
    let rt0 = answer.albedo.iter().chain([&answer.metalness]);
    let rt1 = answer.emission_seed.iter().chain([&answer.roughness]);
    rt0.chain(rt1).chain(&answer.normal).map(|number| number.0).collect()
}

fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= TOLERANCE * b.abs().max(1.0), "{what}:\n{found:?}\n{expected:?}");
    }
}

/// Every number of two answers.
fn assert_same_answer(found: &Answer, expected: &Answer, what: &str) {
    fn compare(found: &Value, expected: &Value, what: &str) {
        match (found, expected) {
            (Value::Number(a), Value::Number(b)) => {
                assert_near(&[a.as_f64().unwrap() as f32], &[b.as_f64().unwrap() as f32], what);
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| compare(a, b, what));
            }
            (Value::Object(a), Value::Object(b)) => {
                assert!(a.keys().eq(b.keys()), "{what}: {found}\n{expected}");
                a.iter().for_each(|(key, a)| compare(a, &b[key], &format!("{what}, {key}")));
            }
            (a, b) => assert_eq!(a, b, "{what}"),
        }
    }
    let json = |answer| serde_json::to_value(answer).expect("an answer is JSON");
    compare(&json(found), &json(expected), what);
}
