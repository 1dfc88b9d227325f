//! Pixel filters, importance sampled: a sample's offset from the pixel's centre has the filter's own density, so that
//! each sample belongs to one pixel and counts one (Ernst et al., "Filter Importance Sampling", IEEE RT 2006).
//!
//! All filters are non-negative, separable and symmetric.

use std::f64::consts::PI;

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Bins of the tabulated half filter. The cumulative distribution is exact at their bounds, 1/340 of a pixel apart.
const BINS: usize = 512;

/// `[render] filter`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FilterKind {
    /// The 4-term Blackman–Harris window (Harris, "On the Use of Windows for Harmonic Analysis with the Discrete Fourier
    /// Transform", Proc. IEEE 66(1), 1978, table 1: 92 dB), 3 pixels wide.
    #[default]
    BlackmanHarris,
    /// The pixel itself.
    Box,
    /// σ = 0.5 pixels, cut at 1.5.
    Gaussian,
}

impl FilterKind {
    /// The name in scene files and EXR headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlackmanHarris => "blackman-harris",
            Self::Box => "box",
            Self::Gaussian => "gaussian",
        }
    }

    /// Half width, pixels.
    pub fn radius(self) -> f64 {
        match self {
            Self::Box => 0.5,
            Self::BlackmanHarris | Self::Gaussian => 1.5,
        }
    }

    /// The filter along one axis at `x` pixels from the centre, |x| ≤ radius; not normalised.
    fn weight(self, x: f64) -> f64 {
        match self {
            Self::Box => 1.0,
            Self::Gaussian => (-2.0 * x * x).exp(),
            Self::BlackmanHarris => {
                // Harris counts from the window's edge; from its centre the odd terms change sign.
                let phase = PI * x / self.radius();
                0.35875 + 0.48829 * phase.cos() + 0.14128 * (2.0 * phase).cos() + 0.01168 * (3.0 * phase).cos()
            }
        }
    }
}

/// A filter, ready to be sampled.
#[derive(Clone, Debug)]
pub struct Filter {
    kind: FilterKind,
    /// Mass of the half filter between its edge and each bin bound, from 0 at the edge to 1 at the centre.
    cumulative: Box<[f32]>,
    /// How many of these are at most `i / GUIDES`: where a search begins.
    guide: Box<[u16]>,
}

/// Equal parts of the mass for which the guide knows the bin or one close by; a power of two, so that a part is exact.
const GUIDES: usize = 1024;

impl Filter {
    pub fn new(kind: FilterKind) -> Self {
        let width = kind.radius() / BINS as f64;
        // Simpson's rule a bin; counting from the edge keeps the digits of the tail, where a bin holds about 1e-7.
        let mass = |bin: usize| {
            let at = |x: f64| kind.weight(kind.radius() - width * (bin as f64 + x));
            at(0.0) + 4.0 * at(0.5) + at(1.0)
        };
        let mut sum = 0.0;
        let sums: Vec<f64> = std::iter::once(0.0)
            .chain((0..BINS).map(|bin| {
                sum += mass(bin);
                sum
            }))
            .collect();
        let total = sums[BINS];
        let cumulative: Box<[f32]> = sums.into_iter().map(|s| (s / total) as f32).collect();
        let bounds_below = |mass: f32| cumulative.partition_point(|c| *c <= mass) as u16;
        let guide = (0..=GUIDES).map(|part| bounds_below(part as f32 / GUIDES as f32)).collect();
        Self { kind, cumulative, guide }
    }

    pub fn kind(&self) -> FilterKind {
        self.kind
    }

    /// An offset from the pixel's centre, pixels (x right, y down), from two numbers in [0, 1).
    pub fn sample(&self, u: [f32; 2]) -> Vec2 {
        Vec2::from(u.map(|u| self.sample_axis(u)))
    }

    /// Monotone in u, so that strata of u are strata of the pixel.
    fn sample_axis(&self, u: f32) -> f32 {
        let radius = self.kind.radius() as f32;
        let from_edge = 2.0 * u.min(1.0 - u);
        let part = (from_edge * GUIDES as f32) as usize;
        let [first, last] = [part, part + 1].map(|part| usize::from(self.guide[part.min(GUIDES)]));
        let bound = first + self.cumulative[first..last].partition_point(|c| *c <= from_edge);
        let bound = bound.clamp(1, BINS);
        let (below, above) = (self.cumulative[bound - 1], self.cumulative[bound]);
        let bins = (bound - 1) as f32 + (from_edge - below) / (above - below);
        let distance = radius * (1.0 - bins / BINS as f32);
        if u < 0.5 { -distance } else { distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use statrs::function::erf::erf;

    const KINDS: [FilterKind; 3] = [FilterKind::BlackmanHarris, FilterKind::Box, FilterKind::Gaussian];

    /// The distribution in closed form.
    fn distribution(kind: FilterKind, x: f64) -> f64 {
        match kind {
            FilterKind::Box => x + 0.5,
            FilterKind::Gaussian => 0.5 + 0.5 * erf(x * 2f64.sqrt()) / erf(1.5 * 2f64.sqrt()),
            FilterKind::BlackmanHarris => {
                let t = x / 3.0 + 0.5;
                let term = |a: f64, n: f64| a * (2.0 * PI * n * t).sin() / (2.0 * PI * n);
                t - (term(0.48829, 1.0) - term(0.14128, 2.0) + term(0.01168, 3.0)) / 0.35875
            }
        }
    }

    #[test]
    fn offsets_invert_the_distribution() {
        for kind in KINDS {
            let filter = Filter::new(kind);
            for i in 0..4096 {
                let u = i as f32 / 4096.0;
                let offset = filter.sample([u, 0.5]);
                assert!(f64::from(offset.x.abs()) <= kind.radius() && offset.y.abs() < 1e-5);
                let error = distribution(kind, offset.x.into()) - f64::from(u);
                assert!(error.abs() < 4e-6, "{kind:?} at {u}: {error}");
            }
        }
    }

    #[test]
    fn the_guide_finds_what_a_search_of_all_finds() {
        for kind in KINDS {
            let filter = Filter::new(kind);
            let bounds = filter.cumulative.iter().map(|mass| 0.5 * mass);
            for u in bounds.chain((0..4096).map(|i| i as f32 / 4096.0)).filter(|u| *u < 1.0) {
                let from_edge = 2.0 * u.min(1.0 - u);
                let bound = filter.cumulative.partition_point(|c| *c <= from_edge).clamp(1, BINS);
                let (below, above) = (filter.cumulative[bound - 1], filter.cumulative[bound]);
                let bins = (bound - 1) as f32 + (from_edge - below) / (above - below);
                let distance = kind.radius() as f32 * (1.0 - bins / BINS as f32);
                assert_eq!(filter.sample([u, 0.5]).x.abs(), distance, "{kind:?} at {u}");
            }
        }
    }

    #[test]
    fn moments_are_the_filters() {
        // Variance by axis: ∫ x² w / ∫ w. Box 1/12; the others by the midpoint rule on their formulas.
        for kind in KINDS {
            let n = 20_000;
            let x = |i: i32| kind.radius() * ((f64::from(i) + 0.5) / f64::from(n) * 2.0 - 1.0);
            let mass: f64 = (0..n).map(|i| kind.weight(x(i))).sum();
            let expected = (0..n).map(|i| x(i) * x(i) * kind.weight(x(i))).sum::<f64>() / mass;
            let filter = Filter::new(kind);
            let offsets = (0..n).map(|i| f64::from(filter.sample([0.5, (i as f32 + 0.5) / n as f32]).y));
            let (sum, squares) = offsets.fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
            assert!((sum / f64::from(n)).abs() < 1e-5);
            assert!((squares / f64::from(n) - expected).abs() < 1e-5, "{kind:?}: {expected}");
        }
        let mean = |kind: FilterKind| distribution(kind, 0.5) - distribution(kind, -0.5);
        assert!(mean(FilterKind::Box) == 1.0 && mean(FilterKind::BlackmanHarris) > 0.6);
    }

    #[test]
    fn ends_stay_inside_and_names_are_those_of_scene_files() {
        for kind in KINDS {
            let filter = Filter::new(kind);
            let last = 1.0 - f32::EPSILON / 2.0;
            let [low, high] = [filter.sample([0.0, 0.0]), filter.sample([last, last])];
            assert_eq!(f64::from(low.x), -kind.radius());
            assert!(f64::from(high.x) <= kind.radius() && high.x > 0.49);
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name()));
        }
    }
}
