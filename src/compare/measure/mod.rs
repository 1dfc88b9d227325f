//! Measures of one AOV, row by row: nothing here holds a picture.

mod angle;
mod sums;
mod worst;

use super::kind::Kind;
use super::limits::{Key, Rules, Run};
use super::report::{Angle, Bias, Histogram, Metrics, NonFinite};
pub use sums::Sums;
use worst::Candidates;
pub use worst::{Candidate, LABELS, Labels};

/// A stored value that compares as a number.
pub trait Value: Copy {
    /// Exactly.
    fn number(self) -> f64;
}

impl Value for f32 {
    fn number(self) -> f64 {
        f64::from(self)
    }
}

impl Value for u32 {
    fn number(self) -> f64 {
        f64::from(self)
    }
}

/// The octave of the histogram's first and last bin: 2⁻³⁴ … 2¹⁶.
const OCTAVES: std::ops::Range<i32> = -34..17;
const BINS: usize = (OCTAVES.end - OCTAVES.start) as usize;

/// How values are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Number,
    /// Numbers, and the angle of the first three.
    Direction,
    /// Equal or not.
    Identity,
}

/// What one set of rules has met.
#[derive(Clone, Debug, Default)]
pub struct Zone {
    pub pixels: u64,
    /// Pixels over `absolute` and `relative`, or (ids) that differ.
    pub over: u64,
    /// Pixels over `angle`.
    pub turned: u64,
    /// Largest |t − r| of a value, and where.
    pub max: f64,
    pub max_at: [i32; 2],
    /// One a channel.
    pub sums: Vec<Sums>,
    /// What counts as over.
    thresholds: Thresholds,
}

#[derive(Clone, Copy, Debug, Default)]
struct Thresholds {
    absolute: f64,
    relative: f64,
    angle: f64,
}

impl Thresholds {
    fn of(rules: &Rules) -> Self {
        let (absolute, relative) = (rules.get(Key::Absolute), rules.get(Key::Relative));
        // Of two limits, one that is absent is always passed over; without any, nothing is over.
        let (absolute, relative) = match (absolute, relative) {
            (None, None) => (f64::INFINITY, 0.0),
            (absolute, relative) => (absolute.unwrap_or(-1.0), relative.unwrap_or(-1.0)),
        };
        Self { absolute, relative, angle: rules.get(Key::Angle).unwrap_or(f64::INFINITY) }
    }
}

/// The measures of one AOV.
pub struct Measure {
    way: Way,
    channels: usize,
    nan_equal: bool,
    pub zones: Vec<Zone>,
    pub non_finite: NonFinite,
    differing: u64,
    angle_sum: f64,
    angle_max: f64,
    histogram: [[u64; BINS]; 2],
    zero: u64,
    peak: f64,
    worst: Candidates,
    scratch: Scratch,
}

/// Of the current run, a place a pixel.
#[derive(Default)]
struct Scratch {
    /// Largest |t − r|.
    errors: Vec<f64>,
    /// What pixels are ranked by.
    ranks: Vec<f64>,
    over: Vec<bool>,
}

impl Measure {
    /// `rules`: those of the picture, then of each region.
    pub fn new(kind: Kind, channels: usize, uint: bool, rules: &[Rules], nan_equal: bool) -> Self {
        let way = match kind {
            Kind::Id | Kind::Cryptomatte => Way::Identity,
            Kind::Normal if channels >= 3 && !uint => Way::Direction,
            _ => Way::Number,
        };
        let zone = |rules: &Rules| Zone {
            sums: vec![Sums::default(); channels],
            thresholds: Thresholds::of(rules),
            ..Zone::default()
        };
        Self {
            way,
            channels,
            nan_equal,
            zones: rules.iter().map(zone).collect(),
            non_finite: NonFinite::default(),
            differing: 0,
            angle_sum: 0.0,
            angle_max: 0.0,
            histogram: [[0; BINS]; 2],
            zero: 0,
            peak: 0.0,
            worst: Candidates::default(),
            scratch: Scratch::default(),
        }
    }

    /// Takes in one run: interleaved values of its pixels.
    pub fn run<T: Value, R: Value>(&mut self, y: i32, run: Run, test: &[T], reference: &[R], labels: &Labels) {
        let pixels = (run.end - run.start) as usize;
        self.scratch.errors.clear();
        self.scratch.errors.resize(pixels, 0.0);
        self.scratch.over.clear();
        self.scratch.over.resize(pixels, false);
        match self.way {
            Way::Identity => self.identities(test, reference),
            _ => (0..self.channels).for_each(|channel| self.channel(y, run, channel, test, reference)),
        }
        self.scratch.ranks.clone_from(&self.scratch.errors);
        if self.way == Way::Direction {
            self.directions(run.zone, test, reference);
        }
        self.close(y, run, test, reference, labels);
    }

    fn identities<T: Value, R: Value>(&mut self, test: &[T], reference: &[R]) {
        let pixels = test.chunks_exact(self.channels).zip(reference.chunks_exact(self.channels));
        let places = self.scratch.errors.iter_mut().zip(&mut self.scratch.over);
        for ((t, r), (error, over)) in pixels.zip(places) {
            // Bits of numbers that hashes are read as: all are finite by Cryptomatte's rule.
            if t.iter().zip(r).any(|(t, r)| t.number() != r.number() && !(t.number().is_nan() && r.number().is_nan())) {
                (*error, *over) = (1.0, true);
            }
        }
    }

    /// One channel of a run.
    fn channel<T: Value, R: Value>(&mut self, y: i32, run: Run, channel: usize, test: &[T], reference: &[R]) {
        let zone = &mut self.zones[run.zone];
        let limits = zone.thresholds;
        let mut sums = Sums::default();
        let mut peak = self.peak;
        let places = self.scratch.errors.iter_mut().zip(&mut self.scratch.over);
        let values =
            test[channel..].iter().step_by(self.channels).zip(reference[channel..].iter().step_by(self.channels));
        for (index, ((t, r), (largest, over))) in values.zip(places).enumerate() {
            let (t, r) = (t.number(), r.number());
            let d = t - r;
            if !d.is_finite() {
                if self.non_finite.count(t, r, [run.start + index as i32, y], self.nan_equal) {
                    (*largest, *over) = (f64::INFINITY, true);
                }
                continue;
            }
            let error = d.abs();
            sums.add(t, r, d);
            peak = peak.max(r.abs());
            if error > 0.0 {
                let octave = (error.to_bits() >> 52) as i32 - 1023;
                let bin = (octave.clamp(OCTAVES.start, OCTAVES.end - 1) - OCTAVES.start) as usize;
                self.histogram[usize::from(d > 0.0)][bin] += 1;
                *largest = largest.max(error);
                *over |= error > limits.absolute && error > limits.relative * r.abs();
            } else {
                self.zero += 1;
            }
        }
        self.peak = peak;
        zone.sums[channel].join(&sums);
    }

    /// Angles of the first three channels rank the pixels; a fourth is a sign.
    fn directions<T: Value, R: Value>(&mut self, zone: usize, test: &[T], reference: &[R]) {
        let limit = self.zones[zone].thresholds.angle;
        let pixels = test.chunks_exact(self.channels).zip(reference.chunks_exact(self.channels));
        for (index, (t, r)) in pixels.enumerate().filter(|(index, _)| self.scratch.errors[*index] > 0.0) {
            if self.scratch.errors[index].is_infinite() {
                continue;
            }
            let vector = |v: [f64; 3]| v;
            let degrees = angle::degrees(
                vector([t[0].number(), t[1].number(), t[2].number()]),
                vector([r[0].number(), r[1].number(), r[2].number()]),
            );
            let flipped = t[3..].iter().zip(&r[3..]).any(|(t, r)| (t.number() - r.number()).abs() > 0.5);
            self.angle_sum += degrees;
            self.angle_max = self.angle_max.max(degrees);
            self.scratch.ranks[index] = degrees;
            if degrees > limit || (flipped && limit.is_finite()) {
                self.zones[zone].turned += 1;
            }
        }
    }

    /// Counts pixels, once their channels are done.
    fn close<T: Value, R: Value>(&mut self, y: i32, run: Run, test: &[T], reference: &[R], labels: &Labels) {
        let zone = &mut self.zones[run.zone];
        zone.pixels += self.scratch.errors.len() as u64;
        for (index, error) in self.scratch.errors.iter().enumerate() {
            if *error == 0.0 {
                continue;
            }
            self.differing += 1;
            zone.over += u64::from(self.scratch.over[index]);
            let x = run.start + index as i32;
            if *error > zone.max {
                (zone.max, zone.max_at) = (*error, [x, y]);
            }
            let rank = self.scratch.ranks[index];
            if self.worst.wants(rank) {
                let at = index * self.channels..(index + 1) * self.channels;
                self.worst.put(rank, x, y, &test[at.clone()], &reference[at], labels);
            }
        }
    }

    /// The pixels of the largest error, worst first.
    pub fn worst(&self) -> &[Candidate] {
        self.worst.list()
    }

    /// Sums over all zones, a channel each.
    pub fn totals(&self) -> Vec<Sums> {
        let mut totals = vec![Sums::default(); self.channels];
        for zone in &self.zones {
            totals.iter_mut().zip(&zone.sums).for_each(|(total, sums)| total.join(sums));
        }
        totals
    }

    /// Whether no value differs.
    pub fn is_equal(&self) -> bool {
        self.differing == 0 && self.non_finite.unequal() == 0
    }

    pub fn metrics(&self) -> Metrics {
        let mut all = Sums::default();
        self.totals().iter().for_each(|sums| all.join(sums));
        let pixels: u64 = self.zones.iter().map(|zone| zone.pixels).sum();
        let angle = (self.way == Way::Direction)
            .then(|| Angle { mean: self.angle_sum / (pixels.max(1) as f64), max: self.angle_max });
        // Errors that are infinite are values that are not numbers: counted elsewhere.
        let worst = self.zones.iter().map(|zone| zone.max).fold(0.0, f64::max);
        Metrics {
            pixels,
            differing: self.differing,
            mae: all.mae(),
            rmse: all.mse().sqrt(),
            relative_mse: all.relative_mse(),
            psnr: (all.mse() > 0.0).then(|| 10.0 * (self.peak.max(1.0).powi(2) / all.mse()).log10()),
            max: worst,
            bias: all.bias(),
            test_mean: all.test_mean(),
            reference_mean: all.reference_mean(),
            angle,
            ids_differing: (self.way == Way::Identity).then_some(self.differing),
            ssim: None,
            flip: None,
        }
    }

    pub fn histogram(&self) -> Histogram {
        Histogram {
            lowest: f64::from(OCTAVES.start).exp2(),
            ratio: 2.0,
            negative: self.histogram[0].to_vec(),
            zero: self.zero,
            positive: self.histogram[1].to_vec(),
        }
    }

    /// The signed mean difference of each channel.
    pub fn bias(&self, channels: &[String]) -> Vec<Bias> {
        if self.way == Way::Identity {
            return Vec::new();
        }
        channels.iter().zip(self.totals()).map(|(name, sums)| sums.described(name)).collect()
    }
}

impl NonFinite {
    /// Counts a pair of which one value at least is not finite; whether they are unequal.
    fn count(&mut self, t: f64, r: f64, place: [i32; 2], nan_equal: bool) -> bool {
        if (t.is_nan() && r.is_nan() && nan_equal) || t == r {
            self.equal += 1;
            return false;
        }
        self.nan_in_test += u64::from(t.is_nan());
        self.nan_in_reference += u64::from(r.is_nan());
        self.inf_in_test += u64::from(t.is_infinite());
        self.inf_in_reference += u64::from(r.is_infinite());
        self.first.get_or_insert(place);
        true
    }
}
