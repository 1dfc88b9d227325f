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

mod law;
mod pixel;
mod region;
mod report;
mod window;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use pixel::{Candidate, Excesses, Worst, outside};
use region::{Change, Closed, Level, Pyramid, Residual, TILE};
pub use report::{Bias, NoiseReport, PixelFailure, PixelReport, RegionFailure, RegionReport, Verdict};
use window::{Neighbours, REACH, Row};

/// Thresholds of regions grow by this where test and reference cannot be swapped.
pub const UNEQUAL: f64 = 1.5;

/// Degrees of freedom that each one of a pixel's own is worth once its error is pooled with its 5×5 neighbourhood: 25
/// pixels, counted as 3 because neighbours are not alike and batch means not normal. Measured: with 5, the largest of
/// 900 pairs' residuals came to 0.98 of the threshold.
const POOLING: f64 = 3.0;

/// Batches where nothing is said of them.
const UNKNOWN_BATCHES: u32 = 4;

/// Batches a side below which an error says too little to be pooled.
const FEW_BATCHES: u32 = 4;

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

/// Thresholds, fixed before the first row.
struct Limits {
    /// In standard errors.
    pixel: f64,
    /// Tiles, groups, whole.
    regions: [f64; 3],
    tested: [u64; 3],
    exchangeable: bool,
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    seen: Seen,
    failing_by_error: u64,
    worst: Worst,
    /// Largest score of a region over its threshold.
    largest_score: f64,
    excesses: Excesses,
    regions: Vec<RegionFailure>,
    failing_regions: [u64; 3],
    bias: Vec<Bias>,
}

/// Counts and sums of values.
#[derive(Clone, Copy, Default)]
struct Seen {
    non_finite: u64,
    by_error: u64,
    residual_squares: f64,
    error_squares: f64,
    /// Largest residual in standard errors.
    largest_z: f64,
}

impl Seen {
    /// Notes a value whose error is known; returns its residual in standard errors, beyond rounding.
    fn by_error(&mut self, difference: f64, own: f64, rounding: f64, inverse: f64) -> f64 {
        self.by_error += 1;
        self.residual_squares += difference * difference;
        self.error_squares += own;
        let z = (difference - rounding).max(0.0) * inverse;
        self.largest_z = self.largest_z.max(z);
        z
    }

    fn merge(&mut self, other: &Self) {
        self.non_finite += other.non_finite;
        self.by_error += other.by_error;
        self.residual_squares += other.residual_squares;
        self.error_squares += other.error_squares;
        self.largest_z = self.largest_z.max(other.largest_z);
    }
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

/// The comparison of an AOV without standard errors.
pub struct ResidualTest(NoiseTest);

impl ResidualTest {
    /// As [`NoiseTest::new`].
    pub fn new(width: u32, height: u32, channels: usize, settings: Settings) -> Self {
        Self(NoiseTest::new(width, height, channels, settings))
    }

    /// As [`NoiseTest::row`].
    pub fn row(&mut self, test: &[f32], reference: &[f32]) -> Result<(), String> {
        self.0.row(test, reference, None, None)
    }

    /// As [`NoiseTest::finish`].
    pub fn finish(self, channel_name: impl Fn(usize) -> String) -> Result<NoiseReport, String> {
        self.0.finish(channel_name)
    }
}

impl Limits {
    fn new(width: u32, height: u32, channels: usize, settings: &Settings) -> Self {
        let rate = settings.family_wise_error.clamp(1e-12, 0.5);
        let values = f64::from(width) * f64::from(height) * channels as f64;
        let batches = settings.batches.map(|b| b.unwrap_or(UNKNOWN_BATCHES));
        // Of unequal errors the worse known one decides (Welch): its degrees alone are sure.
        let own = match batches {
            [a, b] if a == b => 2 * a.saturating_sub(1),
            [a, b] => batches.into_iter().filter(|b| *b > 0).min().unwrap_or(a.max(b)).saturating_sub(1),
        };
        let pooling = if batches.iter().any(|b| (1..FEW_BATCHES).contains(b)) { 1.0 } else { POOLING };
        let tested = Pyramid::regions(width, height, channels);
        let wider = if settings.exchangeable { 1.0 } else { UNEQUAL };
        Self {
            pixel: law::student(rate / 2.0 / values, pooling * f64::from(own.max(1))),
            // Two statistics a region.
            regions: tested.map(|count| wider * law::sign_bound(rate / 6.0 / (2.0 * count as f64))),
            tested,
            exchangeable: settings.exchangeable,
        }
    }
}

impl Found {
    #[cold]
    fn fails_by_error(&mut self, pixel: Candidate) {
        self.failing_by_error += 1;
        self.worst.offer(pixel);
    }

    fn by_range(&mut self, pixel: Candidate, around: &Neighbours, i: usize, rounding: f64) {
        let [low, high] = &around.range;
        self.excesses.add(Candidate { size: outside(pixel.test, low[i], high[i], rounding), ..pixel });
    }

    fn region(&mut self, region: &Closed, limits: &Limits) {
        let (level, score) = (region.level as usize, region.sums.score(limits.exchangeable));
        let difference = region.sums.mean_difference();
        let reference = region.sums.reference / region.sums.count.max(1.0);
        if region.level == Level::Whole {
            self.bias.push(bias(region, difference, reference, score, limits.exchangeable));
        }
        let threshold = limits.regions[level];
        self.largest_score = self.largest_score.max(score.abs() / threshold);
        if score.abs() > threshold {
            self.failing_regions[level] += 1;
            let failure = RegionFailure {
                rect: region.rect.map(|side| side as i32),
                channel: region.channel,
                z: score,
                threshold,
                difference: difference.value,
                reference,
            };
            self.regions.push(failure);
            self.regions.sort_by(|a, b| (b.z.abs() / b.threshold).total_cmp(&(a.z.abs() / a.threshold)));
            self.regions.truncate(pixel::WORST);
        }
    }

    fn report(&mut self, settings: &Settings, limits: &Limits, range_threshold: f64, values: u64) -> NoiseReport {
        let seen = self.seen;
        let failing = self.failing_by_error + self.excesses.failing(range_threshold);
        let verdict = match (self.failing_regions.iter().sum::<u64>(), failing) {
            (0, 0) => Verdict::Noise,
            (0, _) => Verdict::Outliers,
            _ => Verdict::Bias,
        };
        let mut report = NoiseReport {
            verdict,
            line: String::new(),
            family_wise_error: settings.family_wise_error,
            tests: seen.by_error + self.excesses.count + limits.tested.iter().sum::<u64>(),
            exchangeable: settings.exchangeable,
            compared: values - seen.non_finite,
            non_finite: seen.non_finite,
            spread: (seen.error_squares > 0.0).then(|| seen.residual_squares / seen.error_squares),
            pixels: PixelReport {
                by_error: seen.by_error,
                error_threshold: limits.pixel,
                by_range: self.excesses.count,
                range_threshold,
                failing,
                largest: self.largest_pixel(limits, range_threshold),
                worst: self.worst_pixels(limits, range_threshold),
            },
            regions: RegionReport {
                tested: limits.tested,
                thresholds: limits.regions,
                failing: self.failing_regions,
                largest: self.largest_score,
                worst: std::mem::take(&mut self.regions),
            },
            bias: std::mem::take(&mut self.bias),
        };
        report.count_from(settings.corner);
        report
    }

    fn largest_pixel(&self, limits: &Limits, range_threshold: f64) -> f64 {
        let excess =
            self.excesses.worst.list().first().map_or(0.0, |c| c.size / range_threshold.max(f64::MIN_POSITIVE));
        (self.seen.largest_z / limits.pixel).max(excess.min(1e9))
    }

    fn worst_pixels(&self, limits: &Limits, range_threshold: f64) -> Vec<PixelFailure> {
        let failure = |c: &Candidate, excess: f64, z: Option<f64>| PixelFailure {
            x: c.x as i32,
            y: c.y as i32,
            channel: c.channel,
            test: c.test,
            reference: c.reference,
            excess,
            z,
        };
        let by_error = self.worst.list().iter().map(|c| failure(c, c.size / limits.pixel, Some(c.size)));
        let beyond = self.excesses.worst.list().iter().filter(|c| c.size > range_threshold);
        let by_range = beyond.map(|c| failure(c, (c.size / range_threshold.max(f64::MIN_POSITIVE)).min(1e9), None));
        let mut all: Vec<PixelFailure> = by_error.chain(by_range).collect();
        all.sort_by(|a, b| b.excess.total_cmp(&a.excess));
        all.truncate(pixel::WORST);
        all
    }
}

fn bias(region: &Closed, difference: Change, reference: f64, sigma: f64, exchangeable: bool) -> Bias {
    // A mean that the interval of the difference is no small part of says nothing relative.
    let relative =
        |value: f64| (reference.abs() > 10.0 * difference.error && reference != 0.0).then(|| value / reference);
    let brightness = region.sums.brightness().filter(|_| exchangeable);
    let half_width = law::NORMAL_95 * difference.error;
    Bias {
        channel: region.channel,
        reference,
        difference: difference.value,
        half_width,
        relative: relative(difference.value),
        relative_half_width: relative(half_width).map(f64::abs),
        brightness: brightness.map(|change| change.value),
        brightness_half_width: brightness.map(|change| law::NORMAL_95 * change.error),
        sigma,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
