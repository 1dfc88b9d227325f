//! `scrutineer diff`: planted errors are found and named, equal pictures are equal whatever their layout, company changes
//! nothing, and no file makes it panic.

#[path = "diff/pictures.rs"]
mod pictures;
#[path = "support/random.rs"]
mod random;
#[path = "diff/scenes.rs"]
mod scenes;
#[path = "support/mod.rs"]
mod support;

#[path = "diff/bless.rs"]
mod bless;
#[path = "diff/display.rs"]
mod display;
#[path = "diff/files.rs"]
mod files;
#[path = "diff/layouts.rs"]
mod layouts;
#[path = "diff/limits.rs"]
mod limits;
#[path = "diff/memory.rs"]
mod memory;
#[path = "diff/noise.rs"]
mod noise;
#[path = "diff/peers.rs"]
mod peers;
#[path = "diff/planted.rs"]
mod planted;

use std::path::{Path, PathBuf};

use pictures::Pic;
use scrutineer::compare::limits::Limits;
use scrutineer::compare::report::{AovReport, PictureReport};
use scrutineer::compare::{self, Options};

/// A folder for the files of one test.
pub struct Desk(tempfile::TempDir);

impl Desk {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        path
    }

    pub fn put(&self, name: &str, pic: &Pic) -> PathBuf {
        let path = self.path(name);
        pic.write(&path);
        path
    }

    pub fn text(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file in the temporary folder");
        path
    }
}

/// Compares two files.
pub fn diff_files(test: &Path, reference: &Path, limits: Limits) -> PictureReport {
    let options = Options { limits, ..Options::default() };
    compare::compare("picture", test, reference, &options).map(|(report, _)| report).unwrap_or_else(|e| panic!("{e}"))
}

/// Compares two pictures through files.
pub fn diff_with(test: &Pic, reference: &Pic, limits: Limits) -> PictureReport {
    let desk = Desk::empty();
    diff_files(&desk.put("test.exr", test), &desk.put("reference.exr", reference), limits)
}

pub fn diff(test: &Pic, reference: &Pic) -> PictureReport {
    diff_with(test, reference, Limits::default())
}

/// Limits as a file says them.
pub fn limits(text: &str) -> Limits {
    let desk = Desk::empty();
    compare::limits::parse(&desk.text("limits.toml", text)).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn aov<'a>(report: &'a PictureReport, name: &str) -> &'a AovReport {
    report.aovs.iter().find(|aov| aov.reference_name == name).unwrap_or_else(|| panic!("{name} in {report:#?}"))
}

/// All codes that a report gives: of faults, notices, diagnoses and broken rules.
pub fn codes(report: &PictureReport) -> Vec<String> {
    let faults = report.faults.iter().map(|fault| fault.code.to_owned());
    let notices = report.notices.iter().map(|notice| notice.code.to_owned());
    let named = report.aovs.iter().flat_map(|aov| aov.diagnosis.iter().map(|notice| notice.code.to_owned()));
    let broken = report.aovs.iter().flat_map(|aov| {
        aov.rules.iter().filter(|rule| !rule.passed).map(move |rule| format!("{}:{}", aov.reference_name, rule.rule))
    });
    faults.chain(notices).chain(named).chain(broken).collect()
}
