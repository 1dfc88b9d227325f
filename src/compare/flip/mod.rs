//! ꟻLIP: the difference that a viewer would see who flips between two pictures.
//!
//! P. Andersson, J. Nilsson, T. Akenine-Möller, M. Oskarsson, K. Åström, M. D. Fairchild, "FLIP: A Difference Evaluator for
//! Alternating Images", PACMCGIT 3(2), 2020 ([`ldr`]); P. Andersson, J. Nilsson, P. Shirley, T. Akenine-Möller, "Visualizing
//! Errors in Rendered High Dynamic Range Images", Eurographics Short Papers 2021 ([`hdr`]): the maximum over exposures. In
//! float throughout: nothing is quantised to 8 bits.
//!
//! Where the papers are silent:
//!
//! - A value that is not finite counts as 0 (+inf: as very bright) in the filters; a pixel where only one picture is not
//!   finite, or both in different ways, has error 1. Such pixels are counted ([`Map::non_finite`]).
//! - Negative light counts as 0.
//! - A black reference is looked at with the exposures of the test; two black pictures have error 0.

mod band;
mod colour;
mod filter;
mod hdr;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Plane;
use band::{Band, ROWS, View};
use filter::Filters;
pub use hdr::{Exposures, ToneMapper};

/// Pixels per degree of visual angle at 0.7 m from a display 0.7 m and 3840 pixels wide.
pub const DEFAULT_PPD: f64 = 0.7 * (3840.0 / 0.7) * std::f64::consts::PI / 180.0;

/// Allowed pixels per degree: from a wall of lamps to far beyond any display.
const PPD: std::ops::RangeInclusive<f64> = 1.0..=2000.0;

/// Error of each pixel, 0 (equal) to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub width: usize,
    pub height: usize,
    /// Row by row.
    pub values: Vec<f32>,
    /// Pixels of which a value in either picture is not finite.
    pub non_finite: u64,
}

/// The map of [`hdr`].
#[derive(Clone, Debug, PartialEq)]
pub struct HdrMap {
    /// The largest error over the exposures.
    pub map: Map,
    pub exposures: Exposures,
    /// Which exposure, counted from 0, has the largest error of each pixel.
    pub worst_exposure: Vec<u8>,
}

/// A map in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub mean: f64,
    pub min: f64,
    pub max: f64,
    /// Weighted percentiles: the error at which the smaller errors sum to 25, 50 and 75 % of all error.
    pub weighted_quartiles: [f64; 3],
}

/// ꟻLIP of display-encoded (sRGB) pictures; values outside 0..1 are clipped. Errors: sizes that differ, other than three
/// channels, `ppd` outside 1..2000.
pub fn ldr(reference: &Plane, test: &Plane, ppd: f64) -> Result<Map, String> {
    check(reference, test, ppd)?;
    let display = |rgb: [f32; 3]| rgb.map(|v| colour::decode_srgb(finite(v).clamp(0.0, 1.0)));
    let mut map = Map::new(reference);
    let filters = Filters::new(ppd);
    errors(reference, test, &filters, &mut map.values, |band, views, from, to, put| {
        for (side, values) in views.into_iter().enumerate() {
            band.load(side, View { values, display }, from, to, reference.height, &filters);
        }
        (from..to).for_each(|y| band.errors(y, reference.height, &filters, |x, error| put(x, y, 0, error)));
    });
    map.mark_non_finite(reference, test);
    Ok(map)
}

/// ꟻLIP of light (linear Rec.709, any range): the largest error over the exposures that the reference asks for. Errors as
/// [`ldr`].
pub fn hdr(reference: &Plane, test: &Plane, ppd: f64, mapper: ToneMapper) -> Result<HdrMap, String> {
    check(reference, test, ppd)?;
    let exposures = Exposures::of(mapper, &mut luminances(reference), &mut luminances(test));
    let factors: Vec<f32> = exposures.factors().collect();
    let filters = Filters::new(ppd);
    // Error and exposure side by side, so that one pass over the bands writes both.
    let mut pairs = vec![(0.0f32, 0u8); reference.width * reference.height];
    errors(reference, test, &filters, &mut pairs, |band, views, from, to, put| {
        for (index, factor) in factors.iter().enumerate() {
            let display = |rgb: [f32; 3]| mapper.map(rgb.map(|v| finite(v) * factor));
            for (side, values) in views.into_iter().enumerate() {
                band.load(side, View { values, display }, from, to, reference.height, &filters);
            }
            (from..to).for_each(|y| band.errors(y, reference.height, &filters, |x, e| put(x, y, index, e)));
        }
    });
    let mut map = Map { values: pairs.iter().map(|(error, _)| *error).collect(), ..Map::new(reference) };
    map.mark_non_finite(reference, test);
    Ok(HdrMap { map, exposures, worst_exposure: pairs.into_iter().map(|(_, exposure)| exposure).collect() })
}

/// A cell of the result, which takes the larger of its errors.
trait Cell: Send + Default {
    fn take(&mut self, exposure: usize, error: f32);
}

impl Cell for f32 {
    fn take(&mut self, _: usize, error: f32) {
        *self = error.max(*self);
    }
}

impl Cell for (f32, u8) {
    fn take(&mut self, exposure: usize, error: f32) {
        if error > self.0 {
            // Float's range of luminances is below 256 stops.
            *self = (error, exposure.min(255) as u8);
        }
    }
}

/// Runs `work` on every band: it loads both views (reference, test) and puts errors at (x, y, exposure).
fn errors<C: Cell>(
    reference: &Plane,
    test: &Plane,
    filters: &Filters,
    cells: &mut [C],
    work: impl Fn(&mut Band, [&[f32]; 2], usize, usize, &mut dyn FnMut(usize, usize, usize, f32)) + Sync,
) {
    let (width, height) = (reference.width, reference.height);
    let one = |band: &mut Band, (index, cells): (usize, &mut [C])| {
        let (from, to) = (index * ROWS, (index * ROWS + ROWS).min(height));
        let views = [reference.values.as_slice(), test.values.as_slice()];
        work(band, views, from, to, &mut |x, y, exposure, error| cells[(y - from) * width + x].take(exposure, error));
    };
    cells.par_chunks_mut(width.max(1) * ROWS).enumerate().for_each_init(|| Band::new(width, height, filters), one);
}

fn check(reference: &Plane, test: &Plane, ppd: f64) -> Result<(), String> {
    let size = |plane: &Plane| format!("{}×{} of {} channels", plane.width, plane.height, plane.channels);
    if (reference.width, reference.height) != (test.width, test.height) || reference.channels != 3 || test.channels != 3
    {
        return Err(format!(
            "FLIP compares pictures of equal size and three channels, not {} with {}",
            size(test),
            size(reference)
        ));
    }
    match PPD.contains(&ppd) {
        true => Ok(()),
        false => Err(format!("{ppd} pixels per degree are not within {} to {}", PPD.start(), PPD.end())),
    }
}

/// What the filters see of a value that is no number.
fn finite(value: f32) -> f32 {
    match value {
        v if v.is_finite() => v,
        v if v == f32::INFINITY => f32::MAX,
        _ => 0.0,
    }
}

fn luminances(plane: &Plane) -> Vec<f32> {
    let of = |rgb: &[f32]| {
        let luminance = hdr::luminance([finite(rgb[0]), finite(rgb[1]), finite(rgb[2])]);
        // An infinite pixel must not set the exposures of all.
        if rgb.iter().all(|v| v.is_finite()) { luminance } else { 0.0 }
    };
    plane.values.chunks_exact(3).map(of).collect()
}

impl Map {
    fn new(like: &Plane) -> Self {
        let values = vec![0.0; like.width * like.height];
        Self { width: like.width, height: like.height, values, non_finite: 0 }
    }

    fn mark_non_finite(&mut self, reference: &Plane, test: &Plane) {
        let pixels = reference.values.chunks_exact(3).zip(test.values.chunks_exact(3));
        for (error, (r, t)) in self.values.iter_mut().zip(pixels) {
            if r.iter().chain(t).all(|v| v.is_finite()) {
                continue;
            }
            self.non_finite += 1;
            let alike = |(r, t): (&f32, &f32)| (r.is_finite() && t.is_finite()) || r == t || (r.is_nan() && t.is_nan());
            if !r.iter().zip(t).all(alike) {
                *error = 1.0;
            }
        }
    }

    /// Mean error; 0 of an empty map.
    pub fn mean(&self) -> f64 {
        self.values.iter().map(|v| f64::from(*v)).sum::<f64>() / self.values.len().max(1) as f64
    }

    /// Mean, extremes and weighted quartiles.
    pub fn summary(&self) -> Summary {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f32::total_cmp);
        let total: f64 = sorted.iter().map(|v| f64::from(*v)).sum();
        let mut weighted_quartiles = [0.0; 3];
        let (mut sum, mut next) = (0.0, 0);
        for value in &sorted {
            sum += f64::from(*value);
            while next < 3 && sum > 0.25 * (next + 1) as f64 * total {
                weighted_quartiles[next] = f64::from(*value);
                next += 1;
            }
        }
        let end = |value: Option<&f32>| value.map_or(0.0, |v| f64::from(*v));
        Summary { mean: self.mean(), min: end(sorted.first()), max: end(sorted.last()), weighted_quartiles }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
