//! Where to divide a set of lights: binned splits by the surface-area-orientation heuristic, section 4.4 of the paper.

use glam::Vec3;

use super::bounds::{LightBounds, extent_measure, orientation_measure};

/// What the heuristic needs to know of a set: cheap to add up, where exact cones are not.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    min: Vec3,
    max: Vec3,
    intensity: f32,
    /// Σ intensity · axis · (1 + cos θₒ)/2. Normals spread evenly over a cap of half angle θ have a mean of that length, so
    /// the sum's length tells the spread of the whole set.
    resultant: Vec3,
    theta_e: f32,
}

impl From<&LightBounds> for Summary {
    fn from(light: &LightBounds) -> Self {
        let cone = &light.cone;
        let resultant = cone.axis * (light.intensity * 0.5 * (1.0 + cone.theta_o.cos()));
        Self { min: light.min, max: light.max, intensity: light.intensity, resultant, theta_e: cone.theta_e }
    }
}

impl Summary {
    const EMPTY: Self =
        Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, intensity: 0.0, resultant: Vec3::ZERO, theta_e: 0.0 };

    fn add(&mut self, more: &Self) {
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
        self.intensity += more.intensity;
        self.resultant += more.resultant;
        self.theta_e = self.theta_e.max(more.theta_e);
    }

    fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Equation 1 of the paper for one side of a split; not a number for an empty one.
    fn cost(&self) -> f32 {
        let length = (self.resultant.length() / self.intensity).min(1.0);
        let theta_o = (2.0 * length - 1.0).acos();
        self.intensity * orientation_measure(theta_o, self.theta_e) * extent_measure(self.max - self.min)
    }
}

const BINS: usize = 12;
/// From this depth on sets are halved, so that no arrangement of lights makes a tree much deeper.
const DEEPEST_BINNED: u32 = 40;

/// Reorders a set (two lights or more) and returns where its right part begins: never at an end.
pub fn split(lights: &[Summary], set: &mut [u32], depth: u32) -> usize {
    let center = |light: u32| lights[light as usize].center();
    let (low, high) = set.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &light| {
        let center = center(light);
        (low.min(center), high.max(center))
    });
    let size = high - low;
    let longest = size.max_position();
    let candidates = (0..3).filter(|&axis| size[axis] > 0.0 && depth < DEEPEST_BINNED);
    // Long thin sets are split across: the paper's regularisation.
    let best = candidates
        .filter_map(|axis| {
            let (cost, bin) = cheapest_bin(lights, set, (low[axis], size[axis]), axis)?;
            Some((cost * size[longest] / size[axis], axis, bin))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((_, axis, bin)) => partition(set, |light| bin_of(center(light)[axis], (low[axis], size[axis])) <= bin),
        // All centres coincide, or the tree grows too deep: two equal parts.
        None => {
            let middle = set.len() / 2;
            let key = |light: u32| center(light)[longest];
            set.select_nth_unstable_by(middle, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
            middle
        }
    }
}

fn bin_of(at: f32, (low, size): (f32, f32)) -> usize {
    (((at - low) / size * BINS as f32) as usize).min(BINS - 1)
}

/// The cheapest last bin of a left part along an axis, with its cost; `None` where all splits leave a side empty.
fn cheapest_bin(lights: &[Summary], set: &[u32], range: (f32, f32), axis: usize) -> Option<(f32, usize)> {
    let mut bins = [Summary::EMPTY; BINS];
    for &light in set {
        let light = &lights[light as usize];
        bins[bin_of(light.center()[axis], range)].add(light);
    }
    let mut left_costs = [0.0; BINS];
    let mut left = Summary::EMPTY;
    for (bin, cost) in bins.iter().zip(&mut left_costs) {
        left.add(bin);
        *cost = left.cost();
    }
    let mut right = Summary::EMPTY;
    let splits = (0..BINS - 1).rev().map(|last| {
        right.add(&bins[last + 1]);
        (left_costs[last] + right.cost(), last)
    });
    splits.filter(|(cost, _)| cost.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Moves those that satisfy `left` to the front; returns their number.
fn partition(set: &mut [u32], left: impl Fn(u32) -> bool) -> usize {
    let mut count = 0;
    for i in 0..set.len() {
        if left(set[i]) {
            set.swap(i, count);
            count += 1;
        }
    }
    count
}
