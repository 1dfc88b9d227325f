//! The error of a pixel as the page shows it, and the ends of its colour scales.

use rayon::prelude::*;

use super::look::Look;
use crate::compare::{AovReport, Kind};

/// What can be seen of a difference. `web/paint.js` computes the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Largest |t − r| of the channels.
    Absolute,
    /// Largest |t − r| / (|r| + 0.01) of the channels.
    Relative,
    /// t − r: of the luminance for light, else of the channel where it is largest.
    Signed,
    /// Degrees.
    Angle,
    /// Of the first three channels.
    Distance,
    /// 1 where ids differ.
    Ids,
    Flip,
}

impl Metric {
    pub fn word(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::Signed => "signed",
            Self::Angle => "angle",
            Self::Distance => "distance",
            Self::Ids => "ids",
            Self::Flip => "flip",
        }
    }

    /// The metrics of an AOV, the one to begin with first.
    pub fn of(aov: &AovReport, flip: bool) -> Vec<Self> {
        let mut list = match aov.kind {
            Kind::Id | Kind::Cryptomatte => vec![Self::Ids],
            Kind::Normal => vec![Self::Angle, Self::Absolute, Self::Signed],
            Kind::Position => vec![Self::Distance, Self::Absolute, Self::Signed],
            _ => vec![Self::Absolute, Self::Relative, Self::Signed],
        };
        if flip {
            list.push(Self::Flip);
        }
        list
    }

    /// The size of a pixel's error; NaN where only one of two values is finite.
    pub fn at(self, look: &Look, test: &[f32], reference: &[f32]) -> f64 {
        let deltas = || test.iter().zip(reference).map(|(t, r)| delta(*t, *r));
        match self {
            Self::Ids => f64::from(u8::from(test[0].to_bits() != reference[0].to_bits())),
            Self::Absolute => deltas().map(f64::abs).fold(0.0, larger),
            Self::Relative => {
                let scaled = |(d, r): (f64, &f32)| if d == 0.0 { 0.0 } else { d.abs() / (f64::from(r.abs()) + 0.01) };
                deltas().zip(reference).map(scaled).fold(0.0, larger)
            }
            Self::Distance => deltas().take(3).map(|d| d * d).sum::<f64>().sqrt(),
            Self::Signed if matches!(look, Look::Light { .. }) && test.len() >= 3 => {
                deltas().zip([0.2126, 0.7152, 0.0722]).map(|(d, w)| d * w).sum::<f64>().abs()
            }
            Self::Signed => deltas().take(3).map(f64::abs).fold(0.0, larger),
            Self::Angle => angle(test, reference),
            Self::Flip => 0.0,
        }
    }
}

/// The larger of two, or NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// t − r; 0 where both are the same (also both NaN), NaN where only one is finite.
fn delta(t: f32, r: f32) -> f64 {
    match () {
        () if t == r || (t.is_nan() && r.is_nan()) => 0.0,
        () if t.is_finite() && r.is_finite() => f64::from(t) - f64::from(r),
        () => f64::NAN,
    }
}

/// Degrees between two vectors of any length, by W. Kahan's half-angle formula ("How Futile are Mindless Assessments of
/// Roundoff", 2006, §12); 180 where only one has a direction.
fn angle(test: &[f32], reference: &[f32]) -> f64 {
    let vector = |v: &[f32]| glam::DVec3::from_array(std::array::from_fn(|k| v.get(k).copied().map_or(0.0, f64::from)));
    if test.iter().zip(reference).take(3).all(|(t, r)| delta(*t, *r) == 0.0) {
        return 0.0;
    }
    let (a, b) = (vector(test), vector(reference));
    let (la, lb) = (a.length(), b.length());
    match () {
        () if !(la + lb).is_finite() => f64::NAN,
        () if la == 0.0 || lb == 0.0 => 180.0,
        () => (2.0 * (a / la - b / lb).length().atan2((a / la + b / lb).length())).to_degrees(),
    }
}

/// The ends of a metric's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Where the colour scale ends: the round number above 99.9 % of the pixels.
    pub top: f64,
    /// The largest error.
    pub max: f64,
}

impl Scale {
    /// Of `count` pixels whose error is `error(i)`.
    pub fn measure(count: usize, error: impl Fn(usize) -> f64 + Sync) -> Self {
        let empty = || (vec![0_u64; BINS], 0.0_f64);
        let fold = |(mut bins, max): (Vec<u64>, f64), i: usize| {
            let e = error(i);
            if e.is_finite() {
                bins[bin(e)] += 1;
            }
            (bins, if e.is_finite() { max.max(e) } else { max })
        };
        let join = |(mut a, x): (Vec<u64>, f64), (b, y): (Vec<u64>, f64)| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            (a, x.max(y))
        };
        let (bins, max) = (0..count).into_par_iter().with_min_len(1 << 14).fold(empty, fold).reduce(empty, join);
        Self { top: round_up(top(&bins).filter(|top| *top > 0.0).unwrap_or(max).min(max)), max }
    }
}

const BINS: usize = 1 << 12;

/// Bins of an eighth of a power of two: the leading bits of the float.
fn bin(error: f64) -> usize {
    ((error as f32).to_bits() >> 20) as usize & (BINS - 1)
}

/// The upper end of the bin below which 99.9 % lie; 0 where that is the bin of 0.
fn top(bins: &[u64]) -> Option<f64> {
    let total: u64 = bins.iter().sum();
    let mut below = 0;
    let found = bins.iter().position(|count| {
        below += count;
        below as f64 >= 0.999 * total as f64
    })?;
    (total > 0).then(|| if found == 0 { 0.0 } else { f64::from(f32::from_bits((found as u32 + 1) << 20)) })
}

/// The next of 1, 2, 5, 10, …; 1 for 0.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let decade = 10_f64.powf(value.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|step| step * decade >= value * (1.0 - 1e-9));
    decade * step.unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIGHT: Look = Look::Light { exposure: 0.0 };

    #[test]
    fn errors_are_those_of_their_definitions() {
        let (t, r) = ([1.5, 0.0, 2.0], [1.0, 0.0, 4.0]);
        assert_eq!(Metric::Absolute.at(&LIGHT, &t, &r), 2.0);
        assert!((Metric::Relative.at(&LIGHT, &t, &r) - 2.0 / 4.01).abs() < 1e-6);
        assert!((Metric::Signed.at(&LIGHT, &t, &r) - (0.5_f64 * 0.2126 - 2.0 * 0.0722).abs()).abs() < 1e-12);
        assert!((Metric::Angle.at(&Look::Direction, &[0.0, 0.0, 2.0], &[0.0, 1.0, 1.0]) - 45.0).abs() < 1e-9);
        assert_eq!(Metric::Angle.at(&Look::Direction, &[0.0; 3], &[0.0, 1.0, 0.0]), 180.0);
        let id = |id: u32| [f32::from_bits(id)];
        assert_eq!(Metric::Ids.at(&Look::Ids, &id(0x7fc0_0001), &id(0x7fc0_0001)), 0.0);
        assert_eq!(Metric::Ids.at(&Look::Ids, &id(16_777_216), &id(16_777_217)), 1.0);
    }

    #[test]
    fn nan_against_a_number_is_an_error_and_nan_against_nan_is_none() {
        let nan = f32::NAN;
        assert!(Metric::Absolute.at(&LIGHT, &[nan, 0.0, 0.0], &[0.5, 0.0, 0.0]).is_nan());
        assert_eq!(Metric::Absolute.at(&LIGHT, &[nan, 0.0, 0.0], &[nan, 0.0, 0.0]), 0.0);
        assert_eq!(delta(f32::INFINITY, f32::INFINITY), 0.0);
        assert!(delta(f32::INFINITY, f32::NEG_INFINITY).is_nan());
    }

    #[test]
    fn the_scale_ends_above_nearly_all_errors_and_a_single_hot_pixel_is_its_end() {
        let scale = Scale::measure(10_000, |i| if i < 5 { 100.0 } else { 0.04 });
        assert_eq!(scale, Scale { top: 0.05, max: 100.0 });
        let hot = Scale::measure(10_000, |i| if i == 7 { 3.0 } else { 0.0 });
        assert_eq!(hot, Scale { top: 5.0, max: 3.0 });
        assert_eq!(Scale::measure(4, |_| f64::NAN), Scale { top: 1.0, max: 0.0 });
    }
}
