//! Comparing pictures: a test against a reference, AOV by AOV, by rules.
//!
//! `picture` opens files by their headers and hands out bands of rows; `pair` says which AOVs and channels belong
//! together; `measure` takes in band after band; `judge` holds the measures against `limits`; [`report`] is what comes of
//! it, for text, JSON, JUnit and HTML ([`page`]). [`kind`] is what an AOV means.

pub mod bless;
mod diagnosis;
mod engine;
pub mod flip;
mod folder;
mod judge;
pub mod junit;
pub mod kind;
pub mod limits;
mod lines;
mod measure;
mod noise;
mod options;
pub mod page;
mod pair;
mod perceptual;
pub mod picture;
pub mod plane;
mod planes;
pub mod report;
pub mod ssim;
pub mod statistics;
pub mod text;
mod tone;

pub use engine::{Couple, compare};
pub use folder::{compare_all, pictures_of};
use std::collections::BTreeMap;

pub use kind::Kind;
pub use options::Options;
pub use plane::{Plane, Rows, Samples};
pub use report::{AovReport, PictureReport, Report, Verdict};

/// The pixels of a compared pair, an AOV at a time, for reports that show them.
///
/// Planes are as compared: cut to [`AovReport::window`], the AOV's compared channels in [`AovReport::channels`]' order,
/// and, where a tone was applied, display values.
pub trait Planes {
    /// The test's plane. Errors: the file changed or cannot be read any more.
    fn test(&self, aov: &AovReport) -> Result<Plane, String>;
    /// The reference's plane, of the same size.
    fn reference(&self, aov: &AovReport) -> Result<Plane, String>;
    /// The ids of test and reference exactly (a [`Plane`] rounds above 2²⁴), in the planes' order; `None` where the AOV's
    /// values are not ids.
    fn ids(&self, _aov: &AovReport) -> Result<Option<[Vec<u32>; 2]>, String> {
        Ok(None)
    }
    /// Names of the AOV's ids, where a header has them.
    fn names(&self, _aov: &AovReport) -> BTreeMap<u32, String> {
        BTreeMap::new()
    }
    /// The AOV's ꟻLIP error, one channel, 0..1, where it was measured.
    fn flip(&self, _aov: &AovReport) -> Result<Option<Plane>, String> {
        Ok(None)
    }
    /// Whether the AOV's values are display values (0..1, encoded) and not light.
    fn displayed(&self, _aov: &AovReport) -> bool {
        false
    }
}
