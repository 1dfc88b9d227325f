//! The tree's nodes, and what a set of lights may contribute at a point.

use glam::Vec3;

use super::bounds::LightBounds;
use crate::light::{Choice, cos_of_difference};

/// A point to be lit, in the tree's own space.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    pub p: Vec3,
    /// Unit.
    pub n: Option<Vec3>,
    /// How far `p` may be wrong through rounding: bounds are taken this much larger.
    pub slack: f32,
}

/// A set of lights: a leaf's single light, or a pair of children that lie side by side.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    center: Vec3,
    /// Of the bounding sphere.
    radius: f32,
    axis: Vec3,
    intensity: f32,
    cos_o: f32,
    sin_o: f32,
    cos_e: f32,
    /// [`LEAF`] and [`TWO_SIDED`] flags; below them the light's index, or the first child's.
    link: u32,
}

const LEAF: u32 = 1 << 31;
const TWO_SIDED: u32 = 1 << 30;
/// More lights than this do not fit into a tree.
pub const MAX_LIGHTS: usize = (TWO_SIDED / 2) as usize;

/// Cosines are bounded with f32 arithmetic: nothing is called impossible unless it is so by this margin.
const MARGIN: f32 = 2e-3;
/// The least cosine factor of what is possible: bounds say little at grazing angles.
const LEAST_COSINE: f32 = 1e-2;
/// The least squared distance, m²: a lamp at the point itself is no reason for an infinite weight.
const LEAST_DISTANCE2: f32 = 1e-12;

impl Node {
    /// A leaf with light `index`.
    pub fn leaf(bounds: &LightBounds, index: usize) -> Self {
        Self::new(bounds, LEAF | index as u32)
    }

    /// An inner node whose children are `first` and `first + 1`.
    pub fn inner(bounds: &LightBounds, first: usize) -> Self {
        Self::new(bounds, first as u32)
    }

    fn new(bounds: &LightBounds, link: u32) -> Self {
        let (sin_o, cos_o) = bounds.cone.theta_o.sin_cos();
        Self {
            center: bounds.center(),
            radius: 0.5 * (bounds.max - bounds.min).length(),
            axis: bounds.cone.axis,
            intensity: bounds.intensity,
            cos_o,
            sin_o,
            cos_e: bounds.cone.theta_e.cos(),
            link: if bounds.cone.two_sided { link | TWO_SIDED } else { link },
        }
    }

    /// An estimate of the irradiance that the lights bring to a point; zero only where none of them can bring any.
    ///
    /// Section 4.2 of the paper, equation 3: intensity · cos θ' · cos θᵢ' / d², with both cosines bounded over the
    /// bounding sphere. Inside the sphere nothing is excluded, and its radius stands for the distance.
    pub fn importance(&self, query: &Query, two_sided: bool) -> f32 {
        let from_center = query.p - self.center;
        let distance2 = from_center.length_squared();
        let radius = self.radius + query.slack;
        let radius2 = radius * radius;
        if distance2 <= radius2 {
            return self.intensity / radius2.max(LEAST_DISTANCE2);
        }
        let inverse = distance2.sqrt().recip();
        // Half the angle under which the sphere is seen.
        let sin_b = radius * inverse;
        let cos_b = (1.0 - sin_b * sin_b).max(0.0).sqrt();
        let cos_w = self.axis.dot(from_center) * inverse;
        let cos_w = if two_sided || self.link & TWO_SIDED != 0 { cos_w.abs() } else { cos_w };
        let cos_x = cos_of_difference(cos_w.clamp(-1.0, 1.0), self.cos_o, self.sin_o);
        let cos_emission = cos_of_difference(cos_x, cos_b, sin_b);
        if cos_emission < self.cos_e - MARGIN {
            return 0.0;
        }
        let mut importance = self.intensity * cos_emission.max(LEAST_COSINE) / distance2.max(LEAST_DISTANCE2);
        if let Some(n) = query.n {
            let cos_i = (-n.dot(from_center) * inverse).clamp(-1.0, 1.0);
            let cos_incidence = cos_of_difference(cos_i, cos_b, sin_b);
            if cos_incidence < -MARGIN {
                return 0.0;
            }
            importance *= cos_incidence.max(LEAST_COSINE);
        }
        importance
    }

    fn is_leaf(&self) -> bool {
        self.link & LEAF != 0
    }

    fn index(&self) -> usize {
        (self.link & (TWO_SIDED - 1)) as usize
    }
}

/// Walks down from the root, at each pair by importance. Returns the light and its probability; `None` where no light of
/// the pair reached can contribute. `two_sided` lets all lights shine from both sides.
pub fn descend(nodes: &[Node], query: &Query, two_sided: bool, choice: &mut Choice) -> Option<(usize, f32)> {
    let mut node = nodes.first()?;
    let mut probability = 1.0;
    while !node.is_leaf() {
        let first = node.index();
        let [left, right] = [&nodes[first], &nodes[first + 1]];
        let (l, r) = (left.importance(query, two_sided), right.importance(query, two_sided));
        if l + r <= 0.0 {
            return None;
        }
        let taken = choice.take(l, l + r);
        probability *= if taken { l } else { r } / (l + r);
        node = if taken { left } else { right };
    }
    Some((node.index(), probability))
}

/// The probability with which [`descend`] reaches the light at the end of `trail`: bit d is set where the way goes right
/// at depth d.
pub fn probability(nodes: &[Node], query: &Query, two_sided: bool, trail: u64) -> f32 {
    let Some(mut node) = nodes.first() else { return 0.0 };
    let (mut probability, mut trail) = (1.0, trail);
    while !node.is_leaf() {
        let first = node.index();
        let [left, right] = [&nodes[first], &nodes[first + 1]];
        let (l, r) = (left.importance(query, two_sided), right.importance(query, two_sided));
        let (importance, next) = if trail & 1 == 0 { (l, left) } else { (r, right) };
        if importance <= 0.0 {
            return 0.0;
        }
        probability *= importance / (l + r);
        (node, trail) = (next, trail >> 1);
    }
    probability
}
