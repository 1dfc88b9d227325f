//! What the rows have shown so far, and the report that it makes.

use super::limits::Limits;
use super::pixel::{self, Candidate, Excesses, Worst, outside};
use super::region::{Change, Closed, Level};
use super::window::Neighbours;
use super::{Bias, NoiseReport, PixelFailure, PixelReport, RegionFailure, RegionReport, Settings, Verdict, law};

/// What has been found so far.
#[derive(Default)]
pub struct Found {
    pub seen: Seen,
    pub failing_by_error: u64,
    pub worst: Worst,
    /// Largest score of a region over its threshold.
    pub largest_score: f64,
    pub excesses: Excesses,
    pub regions: Vec<RegionFailure>,
    pub failing_regions: [u64; 3],
    pub bias: Vec<Bias>,
}

/// Counts and sums of values.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    pub non_finite: u64,
    pub by_error: u64,
    pub residual_squares: f64,
    pub error_squares: f64,
    /// Largest residual in standard errors.
    pub largest_z: f64,
}

impl Seen {
    /// Notes a value whose error is known; returns its residual in standard errors, beyond rounding.
    pub fn by_error(&mut self, difference: f64, own: f64, rounding: f64, inverse: f64) -> f64 {
        self.by_error += 1;
        self.residual_squares += difference * difference;
        self.error_squares += own;
        let z = (difference - rounding).max(0.0) * inverse;
        self.largest_z = self.largest_z.max(z);
        z
    }

    pub fn merge(&mut self, other: &Self) {
        self.non_finite += other.non_finite;
        self.by_error += other.by_error;
        self.residual_squares += other.residual_squares;
        self.error_squares += other.error_squares;
        self.largest_z = self.largest_z.max(other.largest_z);
    }
}

impl Found {
    #[cold]
    pub fn fails_by_error(&mut self, pixel: Candidate) {
        self.failing_by_error += 1;
        self.worst.offer(pixel);
    }

    pub fn by_range(&mut self, pixel: Candidate, around: &Neighbours, i: usize, rounding: f64) {
        let [low, high] = &around.range;
        self.excesses.add(Candidate { size: outside(pixel.test, low[i], high[i], rounding), ..pixel });
    }

    pub fn region(&mut self, region: &Closed, limits: &Limits) {
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

    pub fn report(&mut self, settings: &Settings, limits: &Limits, range_threshold: f64, values: u64) -> NoiseReport {
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

    pub fn largest_pixel(&self, limits: &Limits, range_threshold: f64) -> f64 {
        let excess =
            self.excesses.worst.list().first().map_or(0.0, |c| c.size / range_threshold.max(f64::MIN_POSITIVE));
        (self.seen.largest_z / limits.pixel).max(excess.min(1e9))
    }

    pub fn worst_pixels(&self, limits: &Limits, range_threshold: f64) -> Vec<PixelFailure> {
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
