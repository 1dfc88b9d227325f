//! The separable filters of ꟻLIP: contrast sensitivity (colour) and edges and points (features).
//!
//! Sums of Gaussians separate into one pair of passes a Gaussian; derivatives of a Gaussian into a derivative across and
//! the Gaussian along. Pictures go on beyond their edges with their last pixel.

use std::f64::consts::PI;

/// Weights relative to the largest below which a tap changes no float.
const NEGLIGIBLE: f64 = 1e-9;

/// A symmetric or antisymmetric filter of one dimension: weights of the offsets −radius..=radius.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub weights: Vec<f32>,
}

impl Kernel {
    /// Cuts what is negligible off both ends alike.
    fn new(weights: &[f64]) -> Self {
        let largest = weights.iter().fold(0.0f64, |max, w| max.max(w.abs()));
        let kept = weights.iter().position(|w| w.abs() > NEGLIGIBLE * largest).unwrap_or(0).min(weights.len() / 2);
        Self { weights: weights[kept..weights.len() - kept].iter().map(|w| *w as f32).collect() }
    }

    pub fn radius(&self) -> usize {
        self.weights.len() / 2
    }

    /// Filters a row that was widened by `margin` ≥ radius pixels on both sides.
    pub fn across(&self, widened: &[f32], margin: usize, into: &mut [f32]) {
        let first = margin - self.radius();
        into.fill(0.0);
        for (tap, weight) in self.weights.iter().enumerate() {
            add(into, &widened[first + tap..], *weight);
        }
    }

    /// Filters a column of rows: `row(k)` is the row of tap k.
    pub fn along<'a>(&self, row: impl Fn(isize) -> &'a [f32], into: &mut [f32]) {
        into.fill(0.0);
        let radius = self.radius() as isize;
        for (tap, weight) in self.weights.iter().enumerate() {
            add(into, row(tap as isize - radius), *weight);
        }
    }
}

fn add(into: &mut [f32], from: &[f32], weight: f32) {
    into.iter_mut().zip(from).for_each(|(sum, value)| *sum += weight * value);
}

/// All filters at one number of pixels per degree.
#[derive(Clone, Debug)]
pub struct Filters {
    /// Contrast sensitivity of the achromatic and the red-green channel.
    pub y: Kernel,
    pub cx: Kernel,
    /// The two Gaussians of the blue-yellow channel: their responses add.
    pub cz: [Kernel; 2],
    /// Gaussian, first and second derivative.
    pub smooth: Kernel,
    pub edge: Kernel,
    pub point: Kernel,
}

/// Contrast sensitivity: a √(π/b) exp(−π² x²/b), x in degrees (Andersson et al. 2020, table 1).
const Y: (f64, f64) = (1.0, 0.0047);
const CX: (f64, f64) = (1.0, 0.0053);
const CZ: [(f64, f64); 2] = [(34.1, 0.04), (13.5, 0.025)];

/// Width of the feature detectors, degrees.
const FEATURE: f64 = 0.082;

impl Filters {
    /// For a display of `ppd` pixels per degree of visual angle, > 0.
    pub fn new(ppd: f64) -> Self {
        let widest = CZ[0].1.max(CZ[1].1);
        let radius = (3.0 * (widest / (2.0 * PI * PI)).sqrt() * ppd).ceil() as i64;
        let gaussian = |(a, b): (f64, f64)| -> Vec<f64> {
            (-radius..=radius).map(|x| a * (PI / b).sqrt() * (-PI * PI * (x as f64 / ppd).powi(2) / b).exp()).collect()
        };
        let normalised = |list: Vec<f64>| {
            let sum: f64 = list.iter().sum();
            Kernel::new(&list.iter().map(|w| w / sum).collect::<Vec<_>>())
        };
        let [smooth, edge, point] = features(ppd);
        Self {
            y: normalised(gaussian(Y)),
            cx: normalised(gaussian(CX)),
            cz: blue_yellow(gaussian),
            smooth,
            edge,
            point,
        }
    }

    /// The largest radius of all.
    pub fn radius(&self) -> usize {
        let kernels = [&self.y, &self.cx, &self.cz[0], &self.cz[1], &self.smooth, &self.edge, &self.point];
        kernels.iter().map(|kernel| kernel.radius()).max().unwrap_or(0)
    }
}

/// In two dimensions the amplitude of each Gaussian counts once: its root in each pass. Both together sum to one.
fn blue_yellow(gaussian: impl Fn((f64, f64)) -> Vec<f64>) -> [Kernel; 2] {
    let root = |(a, b): (f64, f64)| {
        let amplitude = (a * (PI / b).sqrt()).sqrt();
        gaussian((1.0, b)).iter().map(|w| w / (PI / b).sqrt() * amplitude).collect::<Vec<f64>>()
    };
    let lists = CZ.map(root);
    let total: f64 = lists.iter().map(|list| list.iter().sum::<f64>().powi(2)).sum::<f64>().sqrt();
    lists.map(|list| Kernel::new(&list.iter().map(|w| w / total).collect::<Vec<_>>()))
}

/// A Gaussian and its derivatives; the positive weights of each sum to 1, the negative ones of the derivatives to −1.
fn features(ppd: f64) -> [Kernel; 3] {
    let sigma = 0.5 * FEATURE * ppd;
    let radius = (3.0 * sigma).ceil() as i64;
    let offsets: Vec<f64> = (-radius..=radius).map(|x| x as f64).collect();
    let gauss = |x: f64| (-x * x / (2.0 * sigma * sigma)).exp();
    let normalised = |weight: &dyn Fn(f64) -> f64| {
        let list: Vec<f64> = offsets.iter().map(|x| weight(*x)).collect();
        let (mut positive, mut negative) = (0.0, 0.0);
        list.iter().for_each(|w| if *w > 0.0 { positive += w } else { negative -= w });
        let scaled = |w: &f64| match *w {
            w if w > 0.0 => w / positive,
            w if w < 0.0 => w / negative,
            _ => 0.0,
        };
        Kernel::new(&list.iter().map(scaled).collect::<Vec<_>>())
    };
    [normalised(&gauss), normalised(&|x| -x * gauss(x)), normalised(&|x| (x * x / (sigma * sigma) - 1.0) * gauss(x))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(kernel: &Kernel) -> f32 {
        kernel.weights.iter().sum()
    }

    #[test]
    fn a_flat_picture_stays_what_it_is_and_has_no_features() {
        for ppd in [0.5, 10.0, 67.0, 300.0] {
            let filters = Filters::new(ppd);
            assert!((sum(&filters.y) - 1.0).abs() < 1e-5 && (sum(&filters.cx) - 1.0).abs() < 1e-5, "{ppd}");
            let blue_yellow: f32 = filters.cz.iter().map(|kernel| sum(kernel).powi(2)).sum();
            assert!((blue_yellow - 1.0).abs() < 1e-5, "{ppd}: {blue_yellow}");
            assert!((sum(&filters.smooth) - 1.0).abs() < 1e-5, "{ppd}");
            assert!(sum(&filters.edge).abs() < 1e-5, "{ppd}");
        }
        assert!(sum(&Filters::new(67.0).point).abs() < 1e-5);
    }

    #[test]
    fn the_reach_is_three_deviations_of_the_widest() {
        assert_eq!(Filters::new(67.0).radius(), 10);
    }
}
