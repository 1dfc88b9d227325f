//! Exposures and tone mapping of HDR-ꟻLIP (Andersson et al. 2021, "Visualizing Errors in Rendered High Dynamic Range
//! Images"): the range of exposures in which the reference is worth looking at, a step a stop.

use serde::{Deserialize, Serialize};

/// How light becomes display values; each maps 0..∞ to about 0..1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToneMapper {
    /// The fit to the ACES filmic curve by K. Narkowicz (2016), without its exposure of 0.6: the metric's default.
    #[default]
    Aces,
    /// J. Hable's filmic curve (2010).
    Hable,
    /// E. Reinhard's x/(1 + luminance) (2002).
    Reinhard,
}

/// The exposures that were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exposures {
    /// Stops.
    pub start: f64,
    pub stop: f64,
    /// How many, evenly from start to stop; 0 where both pictures are black.
    pub count: u32,
}

/// The luminance at which a tone mapper has nearly reached white.
const NEARLY_WHITE: f64 = 0.85;

/// Luminances below this count as this: the least that float tells from 1.
const LEAST: f64 = f32::EPSILON as f64;

/// Beyond this every curve has reached its end, and float squares are still finite.
const BRIGHTEST: f32 = 1e6;

impl ToneMapper {
    /// (a x² + b x)/(c x² + d x + e).
    fn curve(self) -> [f64; 5] {
        match self {
            Self::Aces => [0.36 * 2.51, 0.6 * 0.03, 0.36 * 2.43, 0.6 * 0.59, 0.14],
            Self::Hable => [0.231_683, 0.013_791, 0.18, 0.3, 0.018],
            Self::Reinhard => [0.0, 1.0, 0.0, 1.0, 1.0],
        }
    }

    /// The luminance that maps to [`NEARLY_WHITE`].
    fn nearly_white(self) -> f64 {
        let [a, b, c, d, e] = self.curve();
        let (square, linear, constant) = (a - c * NEARLY_WHITE, b - d * NEARLY_WHITE, -e * NEARLY_WHITE);
        if square == 0.0 {
            return -constant / linear;
        }
        let half = -0.5 * linear / square;
        half + (half * half - constant / square).sqrt()
    }

    /// Linear light, each ≥ 0 → linear display values 0..1.
    pub fn map(self, rgb: [f32; 3]) -> [f32; 3] {
        let rgb = rgb.map(|v| v.clamp(0.0, BRIGHTEST));
        let mapped = match self {
            Self::Reinhard => rgb.map(|v| v / (1.0 + luminance(rgb))),
            _ => {
                let [a, b, c, d, e] = self.curve().map(|v| v as f32);
                rgb.map(|x| (x * (a * x + b)) / (x * (c * x + d) + e))
            }
        };
        mapped.map(|v| v.min(1.0))
    }
}

/// Rec. 709 luminance with the metric's rounding.
pub fn luminance(rgb: [f32; 3]) -> f32 {
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
}

impl Exposures {
    /// From the luminances of the reference: at `start` its brightest pixel is nearly white, at `stop` its median. Of a
    /// black reference there is nothing to expose: then the luminances of the test serve.
    pub fn of(mapper: ToneMapper, reference: &mut [f32], test: &mut [f32]) -> Self {
        let black = |list: &[f32]| list.iter().all(|l| f64::from(*l) <= LEAST);
        let luminances = if black(reference) { test } else { reference };
        if black(luminances) {
            return Self { start: 0.0, stop: 0.0, count: 0 };
        }
        let brightest = luminances.iter().copied().fold(0.0f32, f32::max);
        let middle = luminances.len() / 2;
        let median = *luminances.select_nth_unstable_by(middle, f32::total_cmp).1;
        let stops = |luminance: f32| (mapper.nearly_white() / f64::from(luminance).max(LEAST)).log2();
        let (start, stop) = (stops(brightest), stops(median));
        Self { start, stop, count: (stop - start).ceil().max(2.0) as u32 }
    }

    /// The factors of light.
    pub fn factors(&self) -> impl Iterator<Item = f32> + use<> {
        let step = (self.stop - self.start) / f64::from(self.count.max(2) - 1);
        let start = self.start;
        (0..self.count).map(move |i| (start + f64::from(i) * step).exp2() as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_white_is_mapped_nearly_white() {
        for mapper in [ToneMapper::Aces, ToneMapper::Hable, ToneMapper::Reinhard] {
            let mapped = mapper.map([mapper.nearly_white() as f32; 3]);
            assert!(mapped.iter().all(|v| (v - 0.85).abs() < 1e-4), "{mapper:?} {mapped:?}");
            assert!(mapper.map([f32::MAX; 3]).iter().all(|v| *v > 0.9 && *v <= 1.0));
            assert_eq!(mapper.map([-1.0, 0.0, -0.0]), [0.0; 3]);
        }
    }

    #[test]
    fn exposures_span_from_the_brightest_to_the_median() {
        let mut list = [16.0, 1.0, 2.0, 8.0, 4.0];
        let exposures = Exposures::of(ToneMapper::Aces, &mut list, &mut []);
        let white = ToneMapper::Aces.nearly_white();
        assert!((exposures.start - (white / 16.0).log2()).abs() < 1e-9);
        assert!((exposures.stop - (white / 4.0).log2()).abs() < 1e-9);
        assert_eq!(exposures.count, 2);
        assert_eq!(exposures.factors().count(), 2);
    }

    #[test]
    fn a_black_reference_takes_the_exposures_of_the_test() {
        let exposures = Exposures::of(ToneMapper::Aces, &mut [0.0; 4], &mut [1.0, 0.5, 2.0, 4.0]);
        assert!(exposures.count == 2 && exposures.start < exposures.stop);
        assert_eq!(Exposures::of(ToneMapper::Aces, &mut [0.0; 4], &mut [0.0; 4]).count, 0);
    }
}
