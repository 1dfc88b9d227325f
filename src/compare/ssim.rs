//! SSIM: structural similarity, with a Gaussian window of 11×11 pixels and σ = 1.5.
//!
//! Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image Quality Assessment: From Error Visibility to Structural
//! Similarity", IEEE TIP 13(4), 2004. Means and (biased) covariances under the window; pictures go on beyond their edges
//! mirrored, and the mean leaves out the five pixels at each edge, as scikit-image does. A picture with a side below 11
//! pixels has no such inside: then the mean is over all of it.
//!
//! The measure is made for display values. Light must go through a view first; the caller says which, and the range.
//! Windows that touch a value that is not finite are left out and counted.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Plane;

const RADIUS: usize = 5;
const TAPS: usize = 2 * RADIUS + 1;
const SIGMA: f64 = 1.5;

/// The constants that keep the quotient finite, relative to the range (Wang et al. 2004, section III.B).
const K1: f64 = 0.01;
const K2: f64 = 0.03;

/// Rows that one thread does at a time.
const BAND: usize = 64;

/// Structural similarity of two pictures, −1 to 1; 1 is equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ssim {
    /// Mean of the channels.
    pub mean: f64,
    /// Mean of each channel over the counted windows; 1 where there are none.
    pub channels: Vec<f64>,
    /// The least similar window: x and y of its centre, channel, value. `None` where no window counts.
    pub lowest: Option<(usize, usize, usize, f64)>,
    /// Windows × channels left out because a value in them is not finite.
    pub non_finite: u64,
}

/// Compares planes of equal size and channels whose values span `range` (1 for display values 0..1, 255 for bytes).
/// Errors: sizes that differ, an empty picture, a range that is not a number above 0.
pub fn ssim(reference: &Plane, test: &Plane, range: f64) -> Result<Ssim, String> {
    let shape = |plane: &Plane| (plane.width, plane.height, plane.channels);
    if shape(reference) != shape(test) || reference.values.is_empty() {
        return Err(format!("SSIM compares pictures of one shape, not {:?} with {:?}", shape(test), shape(reference)));
    }
    if !(range > 0.0 && range.is_finite()) {
        return Err(format!("the range of SSIM's values must be above 0, not {range}"));
    }
    let bands: Vec<usize> = (0..reference.height.div_ceil(BAND)).collect();
    let parts = bands.par_iter().map(|band| Part::of(reference, test, range, band * BAND));
    // Sums of bands are added in their order: threads change no bit.
    let total = parts.collect::<Vec<_>>().into_iter().fold(Part::new(reference.channels), Part::merge);
    let channels: Vec<f64> =
        total.sums.iter().map(|(sum, count)| if *count > 0 { sum / *count as f64 } else { 1.0 }).collect();
    let mean = channels.iter().sum::<f64>() / channels.len() as f64;
    Ok(Ssim { mean, channels, lowest: total.lowest, non_finite: total.non_finite })
}

/// What a band of rows yields.
struct Part {
    /// Sum and count of each channel.
    sums: Vec<(f64, u64)>,
    lowest: Option<(usize, usize, usize, f64)>,
    non_finite: u64,
}

/// Windowed x, y, x², y², xy.
const MOMENTS: usize = 5;

impl Part {
    fn new(channels: usize) -> Self {
        Self { sums: vec![(0.0, 0); channels], lowest: None, non_finite: 0 }
    }

    fn merge(mut self, other: Self) -> Self {
        for (mine, theirs) in self.sums.iter_mut().zip(other.sums) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        let lower = |a: &(usize, usize, usize, f64), b: &(usize, usize, usize, f64)| a.3.total_cmp(&b.3);
        self.lowest = [self.lowest, other.lowest].into_iter().flatten().min_by(lower);
        self.non_finite += other.non_finite;
        self
    }

    /// Rows `from..from + BAND`.
    fn of(reference: &Plane, test: &Plane, range: f64, from: usize) -> Self {
        let (height, to) = (reference.height, (from + BAND).min(reference.height));
        let length = reference.width * reference.channels;
        let weights = weights();
        let mut part = Self::new(reference.channels);
        // The rows within reach, each filtered across once.
        let first = from.saturating_sub(RADIUS);
        let rows: Vec<[Vec<f64>; MOMENTS]> =
            (first..(to + RADIUS).min(height)).map(|y| across(reference, test, y, &weights)).collect();
        let mut sums: [Vec<f64>; MOMENTS] = std::array::from_fn(|_| vec![0.0; length]);
        for y in from..to {
            sums.iter_mut().for_each(|sum| sum.fill(0.0));
            for (tap, weight) in weights.iter().enumerate() {
                // Where the picture is shorter than the window, a mirrored row may lie outside the band's rows.
                let source = mirror(y as isize + tap as isize - RADIUS as isize, height);
                let row = &rows[source - first];
                for (sum, moment) in sums.iter_mut().zip(row) {
                    sum.iter_mut().zip(moment).for_each(|(sum, value)| *sum += weight * value);
                }
            }
            part.add_row(&sums, reference, y, range);
        }
        part
    }

    fn add_row(&mut self, sums: &[Vec<f64>; MOMENTS], plane: &Plane, y: usize, range: f64) {
        let inside = |at: usize, side: usize| side < TAPS || (RADIUS..side - RADIUS).contains(&at);
        let small = plane.width < TAPS || plane.height < TAPS;
        if !small && !inside(y, plane.height) {
            return;
        }
        let moments = |i: usize| std::array::from_fn(|moment| sums[moment][i]);
        for i in 0..plane.width * plane.channels {
            let (x, channel) = (i / plane.channels, i % plane.channels);
            if !small && !inside(x, plane.width) {
                continue;
            }
            let value = index(moments(i), range);
            if !value.is_finite() {
                self.non_finite += 1;
                continue;
            }
            self.sums[channel] = (self.sums[channel].0 + value, self.sums[channel].1 + 1);
            if self.lowest.is_none_or(|lowest| value < lowest.3) {
                self.lowest = Some((x, y, channel, value));
            }
        }
    }
}

/// The similarity of one window from its moments.
fn index([x, y, xx, yy, xy]: [f64; MOMENTS], range: f64) -> f64 {
    let (c1, c2) = ((K1 * range).powi(2), (K2 * range).powi(2));
    let (vx, vy, vxy) = (xx - x * x, yy - y * y, xy - x * y);
    (2.0 * x * y + c1) * (2.0 * vxy + c2) / ((x * x + y * y + c1) * (vx + vy + c2))
}

fn weights() -> [f64; TAPS] {
    let raw: [f64; TAPS] = std::array::from_fn(|i| (-0.5 * ((i as f64 - RADIUS as f64) / SIGMA).powi(2)).exp());
    let sum: f64 = raw.iter().sum();
    raw.map(|w| w / sum)
}

/// Half-sample symmetric: … 1 0 | 0 1 2 … n−1 | n−1 n−2 …
fn mirror(at: isize, side: usize) -> usize {
    let period = 2 * side as isize;
    let folded = at.rem_euclid(period);
    folded.min(period - 1 - folded) as usize
}

/// The five moments of row `y`, filtered across.
fn across(reference: &Plane, test: &Plane, y: usize, weights: &[f64; TAPS]) -> [Vec<f64>; MOMENTS] {
    let (width, channels) = (reference.width, reference.channels);
    let (a, b) = (widened(reference, y), widened(test, y));
    let mut out: [Vec<f64>; MOMENTS] = std::array::from_fn(|_| vec![0.0; width * channels]);
    for (tap, weight) in weights.iter().enumerate() {
        let pairs = a[tap * channels..].iter().zip(&b[tap * channels..]);
        let [x, y, xx, yy, xy] = &mut out;
        let lists = x.iter_mut().zip(y).zip(xx.iter_mut().zip(yy)).zip(xy);
        for ((((x, y), (xx, yy)), xy), (a, b)) in lists.zip(pairs) {
            *x += weight * a;
            *y += weight * b;
            *xx += weight * (a * a);
            *yy += weight * (b * b);
            *xy += weight * (a * b);
        }
    }
    out
}

/// A row with its mirrored continuation on both sides.
fn widened(plane: &Plane, y: usize) -> Vec<f64> {
    let (row, channels) = (plane.row(y), plane.channels);
    let pixels = -(RADIUS as isize)..(plane.width + RADIUS) as isize;
    pixels.flat_map(|x| &row[mirror(x, plane.width) * channels..][..channels]).map(|v| f64::from(*v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(width: usize, height: usize, value: impl Fn(usize, usize) -> f32) -> Plane {
        let values = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| value(x, y)).collect();
        Plane { width, height, channels: 1, values }
    }

    #[test]
    fn equal_pictures_are_alike_at_any_size() {
        for (width, height) in [(1, 1), (8, 1), (3, 200), (40, 150)] {
            let picture = plane(width, height, |x, y| ((x * 3 + y * 5) % 7) as f32 / 6.0);
            let result = ssim(&picture, &picture, 1.0).unwrap();
            assert!((result.mean - 1.0).abs() < 1e-12, "{width}×{height}: {result:?}");
        }
    }

    #[test]
    fn flat_pictures_differ_by_luminance_alone() {
        // (2·0.2·0.6 + c1)/(0.04 + 0.36 + c1), c1 = 1e-4: by hand.
        let result = ssim(&plane(30, 30, |_, _| 0.2), &plane(30, 30, |_, _| 0.6), 1.0).unwrap();
        assert!((result.mean - (0.24 + 1e-4) / (0.4 + 1e-4)).abs() < 1e-6, "{result:?}");
    }

    #[test]
    fn the_lowest_window_is_where_the_change_is_and_nan_is_left_out() {
        let reference = plane(60, 90, |x, y| ((x ^ y) % 5) as f32 / 4.0);
        let mut test = reference.clone();
        test.values[70 * 60 + 33] += 0.9;
        let lowest = ssim(&reference, &test, 1.0).unwrap().lowest.unwrap();
        assert!(lowest.0.abs_diff(33) <= 5 && lowest.1.abs_diff(70) <= 5 && lowest.3 < 0.9, "{lowest:?}");
        test.values[70 * 60 + 33] = f32::NAN;
        let result = ssim(&reference, &test, 1.0).unwrap();
        assert_eq!(result.non_finite, 121);
        assert!((result.mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn shapes_and_ranges_are_checked() {
        let picture = plane(12, 12, |_, _| 0.5);
        assert!(ssim(&picture, &plane(13, 12, |_, _| 0.5), 1.0).is_err());
        assert!(ssim(&picture, &picture, 0.0).is_err() && ssim(&picture, &picture, f64::NAN).is_err());
        assert!(ssim(&Plane::new(0, 0, 1), &Plane::new(0, 0, 1), 1.0).is_err());
    }
}
