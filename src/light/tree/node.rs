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

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;
    use crate::light::tree::bounds::Cone;
    use crate::light::tree::build::Tree;

    fn fraction(i: usize, step: f32) -> f32 {
        (i as f32 * step).fract() * 2.0 - 1.0
    }

    /// Lights of size and strength all over; every third is a one-sided panel, unless all shine everywhere.
    fn lights(count: usize, everywhere: bool) -> Vec<LightBounds> {
        let light = |i: usize| {
            let min = Vec3::new(fraction(i, 0.618_034), fraction(i, 0.414_214), fraction(i, 0.732_051)) * 10.0;
            let axis = Vec3::new(fraction(i, 0.1234), fraction(i, 0.345), 0.3).normalize();
            let panel = Cone { axis, theta_o: 0.0, theta_e: FRAC_PI_2, two_sided: false };
            let cone = if everywhere || i % 3 > 0 { Cone::SPHERE } else { panel };
            LightBounds { min, max: min + 0.01 * (i % 50) as f32, cone, intensity: 1.0 + (i % 17) as f32 }
        };
        (0..count).map(light).collect()
    }

    fn queries() -> impl Iterator<Item = Query> {
        let at = |i: usize| Vec3::new(fraction(i, 0.71), fraction(i, 0.53), fraction(i, 0.37)) * 12.0;
        (1..40).map(move |i| {
            let n = (i % 3 == 0).then(|| at(i + 7).normalize());
            Query { p: at(i), n, slack: 1e-6 }
        })
    }

    fn sum_of_probabilities(tree: &Tree, query: &Query, two_sided: bool) -> f64 {
        let each = tree.trails.iter().map(|&trail| f64::from(probability(&tree.nodes, query, two_sided, trail)));
        each.sum()
    }

    #[test]
    fn one_light_of_all_is_always_chosen() {
        for count in [1, 2, 3, 1000] {
            let tree = Tree::build(&lights(count, true));
            for query in queries() {
                let query = Query { n: None, ..query };
                let sum = sum_of_probabilities(&tree, &query, false);
                assert!((sum - 1.0).abs() < 1e-5, "{count} lights, {query:?}: {sum}");
            }
        }
    }

    /// What is lost at nodes that promised too much is exactly the share of walks that find nothing.
    #[test]
    fn walks_find_each_light_as_often_as_its_probability_says() {
        let tree = Tree::build(&lights(60, false));
        let walks = 50_000;
        for (i, query) in queries().enumerate() {
            let mut found = vec![0; 60];
            for walk in 0..walks {
                let mut choice = Choice::new((walk as f32 + 0.5) / walks as f32, 0.0);
                if let Some((light, p)) = descend(&tree.nodes, &query, i % 5 == 0, &mut choice) {
                    assert_eq!(p, probability(&tree.nodes, &query, i % 5 == 0, tree.trails[light]));
                    found[light] += 1;
                }
            }
            for (light, &count) in found.iter().enumerate() {
                let p = probability(&tree.nodes, &query, i % 5 == 0, tree.trails[light]);
                assert!((p - count as f32 / walks as f32).abs() < 1e-4, "{query:?} light {light}");
            }
        }
    }

    #[test]
    fn coincident_lights_and_long_rows_make_trees_that_fit_their_trails() {
        let one = lights(1, true)[0];
        let row = |i: usize| {
            let at = Vec3::X * 1.5_f32.powi(i as i32 % 200);
            LightBounds { min: at, max: at, ..one }
        };
        for set in [vec![one; 1000], (0..5000).map(row).collect::<Vec<_>>()] {
            let tree = Tree::build(&set);
            let query = Query { p: Vec3::Y * 3.0, n: None, slack: 0.0 };
            let sum = sum_of_probabilities(&tree, &query, false);
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        }
    }

    #[test]
    fn a_panel_is_impossible_only_from_behind_and_from_below_the_surface() {
        let cone = Cone { axis: Vec3::Y, theta_o: 0.0, theta_e: FRAC_PI_2, two_sided: false };
        let panel = LightBounds { min: -Vec3::ONE * 0.1, max: Vec3::ONE * 0.1, cone, intensity: 2.0 };
        let node = Node::leaf(&panel, 0);
        let at = |p, n| node.importance(&Query { p, n, slack: 0.0 }, false);
        assert!(at(Vec3::Y * 5.0, None) > 0.07);
        assert_eq!(at(-Vec3::Y * 5.0, None), 0.0);
        assert_eq!(at(Vec3::Y * 5.0, Some(Vec3::Y)), 0.0);
        assert!(at(Vec3::Y * 5.0, Some(-Vec3::Y)) > at(Vec3::Y * 5.0, Some(Vec3::X)));
        assert!(at(Vec3::ZERO, Some(Vec3::Y)) > 0.0 && at(Vec3::ZERO, None).is_finite());
        assert!(node.importance(&Query { p: -Vec3::Y * 5.0, n: None, slack: 0.0 }, true) > 0.07);
        let lamp = Node::leaf(&LightBounds { min: Vec3::ZERO, max: Vec3::ZERO, cone: Cone::SPHERE, ..panel }, 0);
        assert!(lamp.importance(&Query { p: Vec3::ZERO, n: None, slack: 0.0 }, false).is_finite());
        assert_eq!(Cone::SPHERE.theta_o, PI);
    }
}
