//! Two files, or two folders of files that belong together by their relative names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::engine::{Couple, compare};
use super::limits::Limits;
use super::options::Options;
use super::report::{Formula, PictureReport, Report, SCHEMA, Settings, Verdict};

/// Endings of the files that are compared.
pub const ENDINGS: [&str; 6] = ["exr", "hdr", "png", "jpg", "jpeg", "tga"];

/// Folders deeper than this are no folders of pictures.
const DEEPEST: usize = 64;

/// Which files are to be compared, by relative name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    /// (name, test, reference).
    pub pairs: Vec<(String, PathBuf, PathBuf)>,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
}

/// Files of `test` and `reference`: two files; a file and a folder that has one of its name; or two folders.
///
/// # Errors
/// A path that is not there, a folder that cannot be read, or two folders without any picture.
pub fn pictures_of(test: &Path, reference: &Path) -> Result<Files, String> {
    for path in [test, reference] {
        std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match (test.is_dir(), reference.is_dir()) {
        (true, true) => folders(test, reference),
        (false, true) => Ok(single(name(test), test.to_owned(), reference.join(name(test)))),
        (true, false) => Ok(single(name(reference), test.join(name(reference)), reference.to_owned())),
        (false, false) => Ok(single(name(test), test.to_owned(), reference.to_owned())),
    }
}

fn single(name: String, test: PathBuf, reference: PathBuf) -> Files {
    Files { pairs: vec![(name, test, reference)], ..Files::default() }
}

fn folders(test: &Path, reference: &Path) -> Result<Files, String> {
    let (in_test, in_reference) = (pictures(test)?, pictures(reference)?);
    if in_test.is_empty() && in_reference.is_empty() {
        let endings = ENDINGS.join(", ");
        return Err(format!("neither {} nor {} holds a picture ({endings})", test.display(), reference.display()));
    }
    let both = in_test.intersection(&in_reference);
    Ok(Files {
        pairs: both.map(|name| (name.clone(), test.join(name), reference.join(name))).collect(),
        missing: in_reference.difference(&in_test).cloned().collect(),
        extra: in_test.difference(&in_reference).cloned().collect(),
    })
}

/// Relative names, with `/`, of all pictures in and below a folder.
fn pictures(folder: &Path) -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    let mut left = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = left.pop() {
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
            if path.is_dir() {
                if depth < DEEPEST {
                    left.push((path, format!("{name}/"), depth + 1));
                }
            } else if ENDINGS.contains(&ending.as_str()) {
                names.insert(name);
            }
        }
    }
    Ok(names)
}

/// Compares all pairs. `each` gets every picture as soon as it is done, with its pixels where it could be read.
pub fn compare_all(
    files: &Files,
    paths: [&Path; 2],
    options: &Options,
    mut each: impl FnMut(&PictureReport, Option<&Couple>) -> Result<(), String>,
) -> Result<Report, String> {
    let mut report = Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: Verdict::Equal,
        settings: settings(paths, &options.limits),
        pictures: Vec::new(),
        missing: files.missing.clone(),
        extra: files.extra.clone(),
    };
    for (name, test, reference) in &files.pairs {
        let (picture, couple) = match compare(name, test, reference, options) {
            Ok((picture, couple)) => (picture, Some(couple)),
            Err(error) => (unreadable(name, test, reference, error), None),
        };
        each(&picture, couple.as_ref())?;
        report.pictures.push(picture);
    }
    report.judge();
    Ok(report)
}

fn unreadable(name: &str, test: &Path, reference: &Path, error: String) -> PictureReport {
    PictureReport {
        name: name.to_owned(),
        test: test.display().to_string(),
        reference: reference.display().to_string(),
        verdict: Verdict::Different,
        error: Some(error),
        ..PictureReport::default()
    }
}

/// What the reader of a report must know to read its numbers.
const FORMULAS: [Formula; 6] = [
    Formula { metric: "mae", formula: "mean |t − r|" },
    Formula { metric: "rmse", formula: "√ mean (t − r)²" },
    Formula { metric: "relative_mse", formula: "mean (t − r)² / (r² + ε), ε = 0.01" },
    Formula { metric: "psnr", formula: "10 log₁₀ (p² / mean (t − r)²), p = max(1, max |r|)" },
    Formula {
        metric: "flip",
        formula: "mean ꟻLIP error at 67 pixels per degree; of light: the largest over exposures (ACES)",
    },
    Formula {
        metric: "ssim", formula: "mean SSIM, Gaussian 11×11, σ = 1.5, range 1; of light: after the sRGB curve"
    },
];

fn settings([test, reference]: [&Path; 2], limits: &Limits) -> Settings {
    Settings {
        test: test.display().to_string(),
        reference: reference.display().to_string(),
        limits: limits.file.as_ref().map(|file| file.display().to_string()),
        family_wise_error: limits.family_wise_error,
        ignore: limits.ignore.clone(),
        map: limits.map.clone(),
        allow: limits.allow.clone(),
        formulas: FORMULAS.to_vec(),
    }
}
