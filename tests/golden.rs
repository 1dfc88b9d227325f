//! Every registered family against numbers from elsewhere: `tests/golden/NAME.{scene.toml, points.jsonl, expected.jsonl}`.
//!
//! Tolerance: 2e-5 relative to max(1, |value|); `discard` exact. Expected keys that begin with `_` are helpers of the
//! vectors and no part of an answer.

use std::fs;
use std::path::{Path, PathBuf};

use scrutineer::material::bind::NoTextures;
use scrutineer::material::registry::FAMILIES;
use scrutineer::probe::{ProbeScene, Session};
use serde_json::{Map, Value};

const TOLERANCE: f64 = 2e-5;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// The greatest error seen, and all that are beyond the tolerance.
#[derive(Default)]
struct Report {
    worst: (f64, String),
    failures: Vec<String>,
}

impl Report {
    fn number(&mut self, at: &str, actual: f64, expected: f64) {
        let error = (actual - expected).abs() / expected.abs().max(1.0);
        if error > self.worst.0 {
            self.worst = (error, at.to_owned());
        }
        if error.is_nan() || error > TOLERANCE {
            self.failures.push(format!("{at}: {actual} for {expected}"));
        }
    }

    fn value(&mut self, at: &str, actual: &Value, expected: &Value) {
        match (actual, expected) {
            (Value::Number(a), Value::Number(e)) => {
                self.number(at, a.as_f64().unwrap_or(f64::NAN), e.as_f64().unwrap_or(f64::NAN));
            }
            (Value::Array(a), Value::Array(e)) if a.len() == e.len() => {
                for (index, (a, e)) in a.iter().zip(e).enumerate() {
                    self.value(&format!("{at}[{index}]"), a, e);
                }
            }
            (Value::Object(a), Value::Object(e)) => self.object(at, a, e),
            (a, e) if a == e => {}
            (a, e) => self.failures.push(format!("{at}: {a} for {e}")),
        }
    }

    /// Both must have the same keys; an absent `uv` is an empty one.
    fn object(&mut self, at: &str, actual: &Map<String, Value>, expected: &Map<String, Value>) {
        for (key, e) in expected.iter().filter(|(key, _)| !key.starts_with('_')) {
            match actual.get(key) {
                Some(a) => self.value(&format!("{at}.{key}"), a, e),
                None => self.failures.push(format!("{at}.{key}: missing")),
            }
        }
        for key in actual.keys().filter(|key| !expected.contains_key(*key)) {
            if key != "uv" || actual[key] != Value::Object(Map::new()) {
                self.failures.push(format!("{at}.{key}: {} for nothing", actual[key]));
            }
        }
    }
}

fn compare(name: &str) -> Report {
    let file = |kind: &str| golden().join(format!("{name}.{kind}"));
    let scene = ProbeScene::load(&file("scene.toml")).unwrap_or_else(|errors| panic!("{errors}"));
    let (points, expected) = (lines(&file("points.jsonl")), lines(&file("expected.jsonl")));
    assert_eq!(points.len(), expected.len(), "{name}: as many points as answers");
    assert!(!points.is_empty(), "{name}: no points");

    let mut source = NoTextures;
    let mut session = Session::new(scene, &mut source);
    let mut report = Report::default();
    for (index, (point, expected)) in points.iter().zip(&expected).enumerate() {
        let at = format!("{name} line {}", index + 1);
        match session.line(point.as_bytes()) {
            Ok(answer) => {
                let actual = serde_json::to_value(answer).expect("an answer is JSON");
                report.value(&at, &actual, &serde_json::from_str(expected).expect("expected lines are JSON"));
            }
            Err(failure) => report.failures.push(format!("{at}: {failure}")),
        }
    }
    report
}

#[test]
fn every_registered_family_has_its_numbers_and_meets_them() {
    let mut failures = Vec::new();
    for family in FAMILIES {
        let report = compare(family.name);
        let (worst, at) = &report.worst;
        println!("{:36} worst {worst:.1e} at {at}; {} beyond", family.name, report.failures.len());
        failures.extend(report.failures);
    }
    assert!(
        failures.is_empty(),
        "{} values differ:\n{}",
        failures.len(),
        failures[..failures.len().min(60)].join("\n")
    );
}
