//! Calibrates the noise tests on real renders: how often pairs that differ by seed alone are called different, and how
//! small a change is found.
//!
//! ```text
//! for seed in $(seq 1 46); do
//!   scrutineer render scenes/cornell/cornell.toml -o noise/cornell_64_$seed.exr --resolution 160x90 --samples 64 --seed $seed
//! done
//! cargo run --release --example calibrate-noise -- noise [SCENE_SAMPLES …]
//! ```
//!
//! Files are called SCENE_SAMPLES_SEED.exr; each pair of one scene and sample count is compared in every sampled AOV.

mod changes;
mod pictures;

use std::collections::BTreeMap;

use rayon::prelude::*;
use scrutineer::compare::statistics::{NoiseReport, NoiseTest, Settings, Verdict};

use pictures::{Picture, Sampled, read_folder, sampled};

/// All sampled AOVs of a picture share this.
const FAMILY_WISE_ERROR: f64 = 1e-3;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: calibrate-noise FOLDER [SCENE_SAMPLES …]");
        std::process::exit(2);
    };
    let wanted: Vec<String> = arguments.collect();
    let groups = read_folder(std::path::Path::new(&folder), &wanted).unwrap_or_else(|message| {
        eprintln!("{message}");
        std::process::exit(2);
    });
    let mut total = [0usize; 2];
    for (name, pictures) in &groups {
        let (pairs, different) = false_alarms(name, pictures);
        total = [total[0] + pairs, total[1] + different];
    }
    println!("all: {} of {} pairs that differ by seed alone are called different", total[1], total[0]);
    unequal_samples(&groups);
    for (name, pictures) in &groups {
        changes::power(name, pictures);
    }
}

/// The settings of one AOV of a pair.
pub fn settings(test: &Picture, reference: &Picture, aov: &Sampled) -> Settings {
    Settings {
        family_wise_error: FAMILY_WISE_ERROR / sampled().len() as f64,
        batches: [Some(test.samples / 16), Some(reference.samples / 16)],
        exchangeable: test.samples == reference.samples,
        span: aov.span,
        ..Settings::default()
    }
}

/// Compares one AOV; `None` where the pictures lack it.
pub fn compare(test: &Picture, reference: &Picture, aov: &Sampled) -> Option<NoiseReport> {
    let (t, r) = (test.plane(aov.channels)?, reference.plane(aov.channels)?);
    compare_planes(&t, &r, test, reference, aov)
}

/// The same with planes that are not the pictures' own.
pub fn compare_planes(t: &[f32], r: &[f32], test: &Picture, reference: &Picture, aov: &Sampled) -> Option<NoiseReport> {
    let (width, height, channels) = (test.width, test.height, aov.channels.len());
    let rows = |plane: &'_ [f32], y: u32| {
        let length = width as usize * channels;
        plane[y as usize * length..][..length].to_vec()
    };
    let settings = settings(test, reference, aov);
    let errors = match aov.errors.is_empty() {
        true => None,
        false => Some((test.plane(aov.errors)?, reference.plane(aov.errors)?)),
    };
    let mut run = NoiseTest::new(width, height, channels, settings);
    for y in 0..height {
        let [te, re] = match &errors {
            Some((te, re)) => [Some(rows(te, y)), Some(rows(re, y))],
            None => [None, None],
        };
        run.row(&rows(t, y), &rows(r, y), te.as_deref(), re.as_deref()).ok()?;
    }
    run.finish(|channel| aov.channels[channel].to_owned()).ok()
}

/// What the null pairs of one AOV said.
#[derive(Default)]
struct Null {
    biased: usize,
    outliers: usize,
    /// Largest scores in units of their thresholds.
    pixel: f64,
    region: f64,
    example: String,
}

impl Null {
    fn line(&self, aov: &str) -> String {
        let mark = match self.biased + self.outliers {
            0 => String::new(),
            _ => format!("  {} bias, {} outliers: {}", self.biased, self.outliers, self.example),
        };
        format!("{aov:<20} pixel {:.2}, region {:.2} of the threshold at most{mark}", self.pixel, self.region)
    }
}

fn false_alarms(name: &str, pictures: &[Picture]) -> (usize, usize) {
    let pairs: Vec<(usize, usize)> = (0..pictures.len()).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let reports = |&(i, j): &(usize, usize)| {
        let of = |aov: &Sampled| compare(&pictures[i], &pictures[j], aov).map(|report| (aov.name, report));
        sampled().iter().filter_map(of).collect::<Vec<_>>()
    };
    let mut nulls: BTreeMap<&str, Null> = BTreeMap::new();
    let all: Vec<Vec<(&str, NoiseReport)>> = pairs.par_iter().map(reports).collect();
    let different = all.iter().filter(|pair| pair.iter().any(|(_, report)| report.verdict != Verdict::Noise)).count();
    for (aov, report) in all.into_iter().flatten() {
        note(nulls.entry(aov).or_default(), &report);
    }
    println!("{name}: {different} of {} pairs are called different", pairs.len());
    for (aov, null) in nulls {
        println!("  {}", null.line(aov));
    }
    (pairs.len(), different)
}

fn note(null: &mut Null, report: &NoiseReport) {
    match report.verdict {
        Verdict::Noise => {}
        Verdict::Bias => null.biased += 1,
        Verdict::Outliers => null.outliers += 1,
    }
    if report.verdict != Verdict::Noise {
        null.example.clone_from(&report.line);
    }
    null.pixel = null.pixel.max(report.pixels.largest);
    null.region = null.region.max(report.regions.largest);
}

/// Null pairs of unequal sample counts: the theorem does not cover them, and means over hits are not compared so.
fn unequal_samples(groups: &BTreeMap<String, Vec<Picture>>) {
    for (a, tests) in groups {
        for (b, references) in groups.iter().filter(|(b, _)| *b > a) {
            if tests[0].scene != references[0].scene {
                continue;
            }
            let pairs: Vec<(usize, usize)> = (0..tests.len())
                .flat_map(|i| (0..references.len()).filter(move |j| i != *j).map(move |j| (i, j)))
                .collect();
            for aov in sampled().into_iter().filter(|aov| !aov.hits) {
                let reports = pairs.par_iter().filter_map(|(i, j)| compare(&tests[*i], &references[*j], &aov));
                let reports: Vec<NoiseReport> = reports.collect();
                let mut null = Null::default();
                reports.iter().for_each(|report| note(&mut null, report));
                if null.biased + null.outliers > 0 {
                    println!("  {}", null.line(aov.name));
                }
            }
            let pair = |(i, j): (usize, usize)| {
                let of = |aov: &Sampled| compare(&tests[i], &references[j], aov);
                sampled().iter().filter(|aov| !aov.hits).filter_map(of).any(|report| report.verdict != Verdict::Noise)
            };
            let different = pairs.par_iter().filter(|p| pair(**p)).count();
            println!("{a} against {b}: {different} of {} pairs are called different", pairs.len());
        }
    }
}
