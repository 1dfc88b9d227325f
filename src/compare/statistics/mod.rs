//! Noise-aware comparison of one AOV of two renders: is the difference noise, bias, or a few wrong pixels?
//!
//! Rows go in from the top, a report comes out; memory is a few rows and the tiles of one row. Three questions are asked:
//!
//! 1. **Regions** (`region`): do the residuals of the picture, of tiles of 64 and of tiles of 16 pixels lean to one side?
//!    That is bias. The bound needs no errors and no law of the noise, only that the renders could be swapped.
//! 2. **Pixels** (`pixel`): is a single value off by more than its noise? That is an outlier.
//! 3. **Bias**: how much brighter is the test, with an interval?
//!
//! All tests of an AOV share one family-wise error rate by Bonferroni's inequality: a half goes to the pixels, a sixth to
//! each size of region.
//!
//! What is assumed, and what changes where it does not hold ([`Settings`]):
//!
//! - *Pixels are independent.* Ours are: a pixel owns its samples. A renderer that splats over a filter's width correlates
//!   neighbours; its region scores grow by up to the filter's width in pixels.
//! - *Test and reference can be swapped* (same renderer, equal samples, other seed). With unequal sample counts or errors
//!   on one side only, noise of unequal skew is left in the residuals: regions are judged by their plain sums alone, and
//!   thresholds are widened by [`UNEQUAL`]; measured on real renders, not a theorem. Means over *hits* must not be compared
//!   so at all: a pixel that no sample hit is 0, which is the likelier the fewer samples there are.
//! - Renders of the *same* seed share their noise: residuals are far smaller than the errors say ([`NoiseReport::spread`]).

mod found;
mod law;
mod limits;
mod pixel;
mod region;
mod report;
mod window;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use found::{Found, Seen};
use limits::Limits;
pub use limits::UNEQUAL;
use pixel::Candidate;
use region::{Pyramid, Residual, TILE};
pub use report::{Bias, NoiseReport, PixelFailure, PixelReport, RegionFailure, RegionReport, Verdict};
use window::{Neighbours, REACH, Row};

/// How the values were stored: what rounding alone may change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rounding {
    /// Of the larger of the two values.
    pub relative: f64,
    pub absolute: f64,
}

impl Rounding {
    /// Float on both sides: eight units in the last place, which another order of sums or another processor may change.
    pub const FLOAT: Self = Self { relative: 1e-6, absolute: 1e-30 };
    /// Half on one side or both: half a unit in the last place on each side, or half the least subnormal.
    pub const HALF: Self = Self { relative: 1.0 / 1024.0, absolute: 6e-8 };
}

/// The scales of a row's values.
#[derive(Default)]
struct Scale {
    /// How far storage may round the difference.
    rounding: Vec<f32>,
    /// One over the difference's standard deviation: by its error where that is known, by its neighbours where not.
    inverse: Vec<f32>,
}

impl Scale {
    fn fill(&mut self, row: &Row, around: &Neighbours, rounding: &Rounding) {
        let (relative, absolute) = (rounding.relative as f32, rounding.absolute as f32);
        self.rounding.clear();
        let largest = row.test.iter().zip(&row.reference).map(|(t, r)| t.abs().max(r.abs()));
        self.rounding.extend(largest.map(|largest| relative * largest + absolute));
        self.inverse.clear();
        // The mean of a normal law's |d| is 0.8 of its σ.
        let spreads = around.spread.iter().map(|spread| 1.25 * spread);
        self.inverse.extend(spreads.zip(&self.rounding).map(|(sigma, r)| 1.0 / sigma.max(*r).max(f32::MIN_POSITIVE)));
        if around.variance.is_empty() {
            return;
        }
        let own = row.variance.iter().zip(&row.known).zip(&around.variance).zip(&self.rounding);
        for (inverse, (((own, known), pooled), rounding)) in self.inverse.iter_mut().zip(own) {
            let by_error = 1.0 / own.max(*pooled).sqrt().max(*rounding).max(f32::MIN_POSITIVE);
            *inverse = if *known > 0.0 { by_error } else { *inverse };
        }
    }
}

/// What is known about the two renders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The probability that any test of the AOV fails by chance; within (0, 1).
    pub family_wise_error: f64,
    pub rounding: Rounding,
    /// Batches behind the standard errors of test and reference; 0: exact, no error; `None`: not known, counts as 4.
    pub batches: [Option<u32>; 2],
    /// Test and reference are renders of equal sample counts that differ by seed.
    pub exchangeable: bool,
    /// The span that one sample may bring into a value: 1 for albedo, roughness, coverage; 2 for a normal. A value
    /// without an error is then an outlier where it lies further than this outside the range of the reference's 3×3
    /// neighbourhood. `None`: no bound is known (light), and single values without errors are not tested: a firefly
    /// looks like a hot pixel.
    pub span: Option<f64>,
    /// Image coordinates of the first pixel: what the report's places count from.
    pub corner: [i32; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            family_wise_error: 1e-4,
            rounding: Rounding::FLOAT,
            batches: [None; 2],
            exchangeable: true,
            span: None,
            corner: [0, 0],
        }
    }
}

/// The comparison of one AOV, row by row.
pub struct NoiseTest {
    width: u32,
    height: u32,
    channels: usize,
    settings: Settings,
    rows: VecDeque<Row>,
    spare: Vec<Row>,
    /// Rows that came and rows that are done.
    came: u32,
    done: u32,
    around: Neighbours,
    scale: Scale,
    pyramid: Pyramid,
    found: Found,
    limits: Limits,
    errors: [bool; 2],
}

impl NoiseTest {
    /// A test of `width` × `height` pixels of `channels` channels, each at least 1.
    pub fn new(width: u32, height: u32, channels: usize, settings: Settings) -> Self {
        Self {
            width,
            height,
            channels,
            settings,
            rows: VecDeque::with_capacity(2 * REACH + 1),
            spare: Vec::new(),
            came: 0,
            done: 0,
            around: Neighbours::default(),
            scale: Scale::default(),
            pyramid: Pyramid::new(width, channels),
            found: Found::default(),
            limits: Limits::new(width, height, channels, &settings),
            errors: [false; 2],
        }
    }

    /// One row of interleaved values, rows in order from the top. Errors are standard errors of the row's values, the
    /// same layout; a side without is exact or not known. What is not a finite number ≥ 0 among them is not known (ours
    /// are +inf below two batches), and such a pixel is tested as without errors.
    pub fn row(
        &mut self,
        test: &[f32],
        reference: &[f32],
        test_se: Option<&[f32]>,
        reference_se: Option<&[f32]>,
    ) -> Result<(), String> {
        let expected = self.width as usize * self.channels;
        let lengths = [test.len(), reference.len()]
            .into_iter()
            .chain([test_se, reference_se].into_iter().flatten().map(<[f32]>::len));
        if let Some(wrong) = lengths.clone().find(|length| *length != expected) {
            return Err(format!("a row of the noise test holds {wrong} values in place of {expected}"));
        }
        if self.came == self.height {
            return Err(format!("the noise test has had all of its {} rows", self.height));
        }
        let mut row = self.spare.pop().unwrap_or_default();
        row.fill(test, reference, test_se, reference_se);
        self.errors = [self.errors[0] | test_se.is_some(), self.errors[1] | reference_se.is_some()];
        self.rows.push_back(row);
        self.came += 1;
        if self.came as usize > REACH {
            self.process();
        }
        Ok(())
    }

    /// Tests the next row, whose neighbours are all there.
    fn process(&mut self) {
        let y = self.done;
        let first = self.came as usize - self.rows.len();
        let middle = y as usize - first;
        let errors = self.errors != [false; 2];
        self.around.pool(&self.rows, self.channels, errors);
        let row = &self.rows[middle];
        let unknown = || row.known.iter().zip(&row.finite).any(|(known, finite)| known < finite);
        if self.settings.span.is_some() && unknown() {
            let near = self.rows.iter().skip(middle.saturating_sub(1)).take(if middle == 0 { 2 } else { 3 });
            self.around.ranges(near, self.channels);
        }
        self.test_row(y, middle);
        self.close_regions(y);
        self.done += 1;
        if middle == REACH {
            self.spare.extend(self.rows.pop_front());
        }
    }

    fn test_row(&mut self, y: u32, middle: usize) {
        let row = &self.rows[middle];
        self.scale.fill(row, &self.around, &self.settings.rounding);
        let (channels, limit) = (self.channels, self.limits.pixel);
        let ranged = self.settings.span.is_some();
        // A tile and channel at a time: its sums stay in registers.
        for (index, tile) in self.pyramid.tiles().iter_mut().enumerate() {
            let (first, channel) = (index / channels * TILE as usize, index % channels);
            let (mut sums, mut seen) = (*tile, Seen::default());
            for x in first..(first + TILE as usize).min(self.width as usize) {
                let i = x * channels + channel;
                if row.finite[i] == 0.0 {
                    seen.non_finite += 1;
                    continue;
                }
                let (test, reference) = (f64::from(row.test[i]), f64::from(row.reference[i]));
                let (rounding, inverse) = (f64::from(self.scale.rounding[i]), f64::from(self.scale.inverse[i]));
                sums.add(Residual { test, reference, inverse, rounding });
                let pixel =
                    || Candidate { x: x as u32, y, channel, test: row.test[i], reference: row.reference[i], size: 0.0 };
                if row.known[i] > 0.0 {
                    let (difference, own) = ((test - reference).abs(), f64::from(row.variance[i]));
                    let z = seen.by_error(difference, own, rounding, inverse);
                    if z > limit {
                        self.found.fails_by_error(Candidate { size: z, ..pixel() });
                    }
                } else if ranged {
                    self.found.by_range(pixel(), &self.around, i, rounding);
                }
            }
            *tile = sums;
            self.found.seen.merge(&seen);
        }
    }

    fn close_regions(&mut self, y: u32) {
        let (found, limits) = (&mut self.found, &self.limits);
        self.pyramid.end_row(y, self.height, &mut |region| found.region(&region, limits));
    }

    /// The report; `channel_name` names channels in its sentence. Error: rows are missing.
    pub fn finish(mut self, channel_name: impl Fn(usize) -> String) -> Result<NoiseReport, String> {
        if self.came < self.height {
            return Err(format!("the noise test had {} of its {} rows", self.came, self.height));
        }
        while self.done < self.height {
            self.process();
        }
        let range_threshold = self.found.excesses.threshold(self.settings.span);
        let values = u64::from(self.width) * u64::from(self.height) * self.channels as u64;
        let mut report = self.found.report(&self.settings, &self.limits, range_threshold, values);
        report.line = report::line(&report, channel_name);
        Ok(report)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
