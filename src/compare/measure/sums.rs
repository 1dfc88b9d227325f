//! Running sums of one channel, in f64, and the measures that they make.

use crate::compare::report::Bias;

/// ε of the relative squared error: (t − r)² / (r² + ε).
pub const EPSILON: f64 = 0.01;

/// Sums over values that are finite in both pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    pub count: u64,
    pub test: f64,
    pub reference: f64,
    pub difference: f64,
    pub absolute: f64,
    pub square: f64,
    pub relative_square: f64,
}

impl Sums {
    /// One pair of values, `d` = t − r.
    #[inline]
    pub fn add(&mut self, t: f64, r: f64, d: f64) {
        let square = d * d;
        self.count += 1;
        self.test += t;
        self.reference += r;
        self.difference += d;
        self.absolute += d.abs();
        self.square += square;
        self.relative_square += square / (r * r + EPSILON);
    }

    pub fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.test += other.test;
        self.reference += other.reference;
        self.difference += other.difference;
        self.absolute += other.absolute;
        self.square += other.square;
        self.relative_square += other.relative_square;
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.count.max(1) as f64
    }

    pub fn mae(&self) -> f64 {
        self.mean(self.absolute)
    }

    pub fn mse(&self) -> f64 {
        self.mean(self.square)
    }

    pub fn relative_mse(&self) -> f64 {
        self.mean(self.relative_square)
    }

    pub fn bias(&self) -> f64 {
        self.mean(self.difference)
    }

    pub fn test_mean(&self) -> f64 {
        self.mean(self.test)
    }

    pub fn reference_mean(&self) -> f64 {
        self.mean(self.reference)
    }

    /// Standard error of the mean difference, if differences are independent.
    pub fn bias_error(&self) -> f64 {
        let variance = (self.mse() - self.bias().powi(2)).max(0.0);
        (variance / self.count.saturating_sub(1).max(1) as f64).sqrt()
    }

    /// The mean difference over the reference's mean; `None` where that is 0.
    pub fn relative_bias(&self) -> Option<f64> {
        let relative = self.bias() / self.reference_mean().abs();
        relative.is_finite().then_some(relative)
    }

    pub fn described(&self, channel: &str) -> Bias {
        let (mean, half) = (self.bias(), 1.96 * self.bias_error());
        Bias { channel: channel.to_owned(), mean, interval: [mean - half, mean + half], relative: self.relative_bias() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pixels by hand: r = 1 and 3, t = 1.5 and 2.
    #[test]
    fn two_pixels_by_hand() {
        let mut sums = Sums::default();
        [(1.5, 1.0), (2.0, 3.0)].iter().for_each(|(t, r)| sums.add(*t, *r, t - r));
        assert_eq!((sums.mae(), sums.mse(), sums.bias()), (0.75, 0.625, -0.25));
        // (0.25 / 1.01 + 1 / 9.01) / 2
        assert!((sums.relative_mse() - 0.179_256_271_909).abs() < 1e-11, "{}", sums.relative_mse());
        assert_eq!(sums.relative_bias(), Some(-0.125));
        // The spread of +0.5 and −1 about their mean is 0.75; its mean's error 0.75/√1.
        assert!((sums.bias_error() - 0.75).abs() < 1e-12);
    }
}
