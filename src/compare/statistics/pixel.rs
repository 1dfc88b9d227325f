//! Tests of single pixels.
//!
//! *By error*, where standard errors are known: |d| against the larger of the pixel's own error and the mean of its 5×5
//! neighbourhood. Errors from a few batch means are themselves noisy: too small by far in some pixel among thousands. But
//! a firefly that fell into one batch of a pixel raises that pixel's own error to its own size, so that |d| beyond many
//! errors is no firefly.
//!
//! *By range*, where they are not: how far a test value lies outside the range of the reference's 3×3 neighbourhood. Noise
//! alone may put it there: a pixel whose few hits fell on a fence's wire shows the wire and not the wall of its
//! neighbours. So the distance is held against the span that a sample may bring, or the range of the whole reference
//! where that is more. Light has no such span and is not tested.

/// Excesses are counted in bins of a quarter octave from 2⁻⁶⁴ to 2⁶⁴.
const BINS: usize = 512;

/// Spans are stated in round numbers: a little more is allowed.
const MARGIN: f64 = 1.01;

/// Room for the worst pixels.
pub const WORST: usize = 16;

/// A pixel that may be one of the worst.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub x: u32,
    pub y: u32,
    pub channel: usize,
    pub test: f32,
    pub reference: f32,
    /// What it is ranked by.
    pub size: f64,
}

/// Keeps the few largest of many.
#[derive(Clone, Debug, Default)]
pub struct Worst(Vec<Candidate>);

impl Worst {
    /// Ties keep the one that came first.
    pub fn offer(&mut self, candidate: Candidate) {
        if self.0.len() == WORST && candidate.size <= self.0[WORST - 1].size {
            return;
        }
        let at = self.0.partition_point(|kept| kept.size >= candidate.size);
        self.0.truncate(WORST - 1);
        self.0.insert(at.min(self.0.len()), candidate);
    }

    pub fn list(&self) -> &[Candidate] {
        &self.0
    }
}

/// How far values lie outside the range of the other picture's neighbourhood.
#[derive(Clone, Debug)]
pub struct Excesses {
    pub count: u64,
    bins: Vec<u64>,
    pub worst: Worst,
    /// Least and largest value of the reference.
    pub range: [f64; 2],
}

impl Default for Excesses {
    fn default() -> Self {
        Self { count: 0, bins: vec![0; BINS], worst: Worst::default(), range: [f64::INFINITY, f64::NEG_INFINITY] }
    }
}

/// How far a value lies outside a range, beyond `rounding`; 0 inside, and where the range is empty.
pub fn outside(value: f32, low: f32, high: f32, rounding: f64) -> f64 {
    let beyond = (f64::from(value) - f64::from(high)).max(f64::from(low) - f64::from(value)) - rounding;
    if beyond.is_finite() { beyond.max(0.0) } else { 0.0 }
}

impl Excesses {
    /// Counts one value; its size is its excess.
    pub fn add(&mut self, candidate: Candidate) {
        self.count += 1;
        let reference = f64::from(candidate.reference);
        self.range = [self.range[0].min(reference), self.range[1].max(reference)];
        if candidate.size > 0.0 {
            self.bins[bin(candidate.size)] += 1;
            self.worst.offer(candidate);
        }
    }

    /// How far outside a value may be: the span, or the reference's own range where that is more.
    pub fn threshold(&self, span: Option<f64>) -> f64 {
        MARGIN * span.unwrap_or(0.0).max(self.range[1] - self.range[0])
    }

    /// Values beyond the threshold, to the nearest quarter octave; never 0 where the worst is beyond it.
    pub fn failing(&self, threshold: f64) -> u64 {
        let listed = self.worst.list().iter().filter(|candidate| candidate.size > threshold).count() as u64;
        match listed < WORST as u64 {
            true => listed,
            false => self.bins[(bin(threshold) + 1).min(BINS)..].iter().sum::<u64>().max(listed),
        }
    }
}

fn bin(size: f64) -> usize {
    (4.0 * (size.max(f64::MIN_POSITIVE).log2() + 64.0)).clamp(0.0, (BINS - 1) as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(size: f64) -> Candidate {
        Candidate { x: 0, y: 0, channel: 0, test: size as f32, reference: 0.0, size }
    }

    #[test]
    fn the_worst_are_kept_in_order() {
        let mut worst = Worst::default();
        (0..100).for_each(|i| worst.offer(candidate(f64::from(i * 37 % 100))));
        let sizes: Vec<f64> = worst.list().iter().map(|c| c.size).collect();
        assert_eq!(sizes, (84..100).rev().map(f64::from).collect::<Vec<_>>());
    }

    #[test]
    fn an_excess_is_measured_from_the_nearer_end_and_is_nothing_inside() {
        assert_eq!(outside(3.0, 0.0, 2.0, 0.25), 0.75);
        assert_eq!(outside(-3.0, 0.0, 2.0, 0.25), 2.75);
        assert_eq!(outside(1.0, 0.0, 2.0, 0.25), 0.0);
        assert_eq!(outside(1.0, f32::INFINITY, f32::NEG_INFINITY, 0.0), 0.0);
    }

    #[test]
    fn a_value_beyond_the_span_is_an_outlier_and_one_within_is_not() {
        let mut excesses = Excesses::default();
        (0..1000)
            .for_each(|i| excesses.add(Candidate { reference: (i % 2) as f32, ..candidate(f64::from(i % 10) * 0.1) }));
        assert_eq!(excesses.failing(excesses.threshold(Some(1.0))), 0);
        excesses.add(candidate(50.0));
        assert_eq!(excesses.failing(excesses.threshold(Some(1.0))), 1);
        assert_eq!(excesses.failing(excesses.threshold(Some(60.0))), 0);
    }

    #[test]
    fn many_outliers_are_counted() {
        let mut excesses = Excesses::default();
        (0..1000).for_each(|_| excesses.add(candidate(50.0)));
        assert_eq!(excesses.failing(excesses.threshold(Some(1.0))), 1000);
    }
}
