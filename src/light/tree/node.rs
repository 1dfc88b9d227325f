//! The tree's nodes, and what sets of lights may contribute at a point.

use glam::{Vec3, Vec4};

use super::bounds::LightBounds;
use crate::light::Choice;

/// A point to be lit, in the tree's own space.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    pub p: Vec3,
    /// Unit.
    pub n: Option<Vec3>,
    /// How far `p` may be wrong through rounding: bounds are taken this much larger.
    pub slack: f32,
}

/// Children of a node.
pub const WIDTH: usize = 4;

/// A node: up to four sets of lights side by side, so that one pass of vector arithmetic weighs them all.
///
/// Only operations that IEEE 754 defines exactly are used: importances, and so pictures, are the same on every machine.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Node {
    center: [Vec4; 3],
    /// Of the bounding spheres.
    radius: Vec4,
    axis: [Vec4; 3],
    /// −1 where the set shines about −axis too, else 1.
    back: Vec4,
    /// Zero for a child that is not there.
    intensity: Vec4,
    cos_o: Vec4,
    sin_o: Vec4,
    cos_e: Vec4,
    /// [`LEAF`] and a light's index, or the index of the child's node.
    links: [u32; WIDTH],
}

const LEAF: u32 = 1 << 31;
/// More lights than this do not fit into a tree.
pub const MAX_LIGHTS: usize = 1 << 28;

/// Cosines are bounded with f32 arithmetic: nothing is called impossible unless it is so by this margin.
const MARGIN: f32 = 2e-3;
/// The least cosine factor of what is possible: bounds say little at grazing angles.
const LEAST_COSINE: f32 = 1e-2;
/// The least squared distance, m²: a lamp at the point itself is no reason for an infinite weight.
const LEAST_DISTANCE2: f32 = 1e-12;

impl Node {
    /// Fills a place with a set of lights. Its link is set apart.
    pub fn set(&mut self, slot: usize, bounds: &LightBounds) {
        let (sin_o, cos_o) = bounds.cone.theta_o.sin_cos();
        for axis in 0..3 {
            self.center[axis][slot] = bounds.center()[axis];
            self.axis[axis][slot] = bounds.cone.axis[axis];
        }
        self.radius[slot] = 0.5 * (bounds.max - bounds.min).length();
        self.back[slot] = if bounds.cone.two_sided { -1.0 } else { 1.0 };
        self.intensity[slot] = bounds.intensity;
        (self.cos_o[slot], self.sin_o[slot]) = (cos_o, sin_o);
        self.cos_e[slot] = bounds.cone.theta_e.cos();
    }

    /// Makes a child the single light `index`.
    pub fn link_light(&mut self, slot: usize, index: usize) {
        self.links[slot] = LEAF | index as u32;
    }

    /// Makes a child the sets of node `index`.
    pub fn link_node(&mut self, slot: usize, index: usize) {
        self.links[slot] = index as u32;
    }

    /// For each child an estimate of the irradiance that its lights bring to a point; zero only where none of them can
    /// bring any. `two_sided` lets all lights shine from both sides.
    ///
    /// Section 4.2 of the paper, equation 3: intensity · cos θ' · cos θᵢ' / d², with both cosines bounded over the
    /// bounding sphere. Inside the sphere nothing is excluded, and its radius stands for the distance.
    pub fn importance(&self, query: &Query, two_sided: bool) -> Vec4 {
        let [x, y, z] = [0, 1, 2].map(|axis| Vec4::splat(query.p[axis]) - self.center[axis]);
        let distance2 = x * x + y * y + z * z;
        let radius = self.radius + Vec4::splat(query.slack);
        let radius2 = radius * radius;
        let inverse2 = distance2.max(radius2).max(Vec4::splat(LEAST_DISTANCE2)).recip();
        let inverse = inverse2.sqrt();
        // Half the angle under which a sphere is seen.
        let sphere = Angle::from_sin(radius * inverse);
        let along = (self.axis[0] * x + self.axis[1] * y + self.axis[2] * z) * inverse;
        let back = if two_sided { Vec4::NEG_ONE } else { self.back };
        let normals = Angle { cos: self.cos_o, sin: self.sin_o };
        let emission = Angle::from_cos(along.max(along * back)).less(normals).less(sphere).cos;
        let mut possible = emission.cmpge(self.cos_e - Vec4::splat(MARGIN));
        let mut cosines = emission.max(Vec4::splat(LEAST_COSINE));
        if let Some(n) = query.n {
            let incidence = Angle::from_cos(-(x * n.x + y * n.y + z * n.z) * inverse).less(sphere).cos;
            possible &= incidence.cmpge(Vec4::splat(-MARGIN));
            cosines *= incidence.max(Vec4::splat(LEAST_COSINE));
        }
        let outside = Vec4::select(possible, cosines, Vec4::ZERO);
        self.intensity * inverse2 * Vec4::select(distance2.cmple(radius2), Vec4::ONE, outside)
    }
}

/// An angle in 0..=π for each child.
#[derive(Clone, Copy)]
struct Angle {
    cos: Vec4,
    sin: Vec4,
}

impl Angle {
    fn from_cos(cos: Vec4) -> Self {
        let cos = cos.clamp(Vec4::NEG_ONE, Vec4::ONE);
        Self { cos, sin: other_leg(cos) }
    }

    /// The angle below π/2.
    fn from_sin(sin: Vec4) -> Self {
        let sin = sin.min(Vec4::ONE);
        Self { cos: other_leg(sin), sin }
    }

    /// max(0, self − other).
    fn less(self, other: Self) -> Self {
        let smaller = self.cos.cmpgt(other.cos);
        let cos = self.cos * other.cos + self.sin * other.sin;
        let sin = self.sin * other.cos - self.cos * other.sin;
        Self { cos: Vec4::select(smaller, Vec4::ONE, cos), sin: Vec4::select(smaller, Vec4::ZERO, sin) }
    }
}

/// √(1 − x²).
fn other_leg(x: Vec4) -> Vec4 {
    (Vec4::ONE - x * x).max(Vec4::ZERO).sqrt()
}

/// Where a set of lights stands: child `place % WIDTH` of node `place / WIDTH`.
pub type Place = u32;

/// The place of a child.
pub fn place(node: usize, slot: usize) -> Place {
    (node * WIDTH + slot) as Place
}

/// The root's parent.
pub const NOWHERE: Place = Place::MAX;

/// Walks down from the root, at each node by importance; `root` is the root's. Returns the light and its probability;
/// `None` where no child of the node reached can contribute.
pub fn descend(
    nodes: &[Node],
    root: Vec4,
    query: &Query,
    two_sided: bool,
    choice: &mut Choice,
) -> Option<(usize, f32)> {
    let (mut node, mut importance) = (nodes.first()?, root);
    let mut probability = 1.0;
    loop {
        let total = importance.element_sum();
        let slot = choice.pick(&importance.to_array(), total)?;
        probability *= importance[slot] / total;
        let link = node.links[slot];
        if link & LEAF != 0 {
            return Some(((link & !LEAF) as usize, probability));
        }
        node = &nodes[link as usize];
        importance = node.importance(query, two_sided);
    }
}

/// The probability with which [`descend`] reaches the light at a place, from the light up to the root. `parents` are the
/// places of the nodes, `root` is the root's importance.
pub fn probability(nodes: &[Node], parents: &[Place], root: Vec4, query: &Query, two_sided: bool, light: Place) -> f32 {
    let (mut probability, mut place) = (1.0, light);
    while place != NOWHERE && probability > 0.0 {
        let (node, slot) = (place as usize / WIDTH, place as usize % WIDTH);
        let importance = if node == 0 { root } else { nodes[node].importance(query, two_sided) };
        let share = importance[slot] / importance.element_sum();
        // 0 / 0 where nothing here can contribute.
        probability *= if importance[slot] > 0.0 { share } else { 0.0 };
        place = parents[node];
    }
    probability
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

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
            let cone = if everywhere || !i.is_multiple_of(3) { Cone::SPHERE } else { panel };
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
        let root = tree.root_importance(query, two_sided);
        let each = (0..tree.places.len()).map(|light| f64::from(tree.probability(root, query, two_sided, light)));
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
            let two_sided = i % 5 == 0;
            let root = tree.root_importance(&query, two_sided);
            for walk in 0..walks {
                let mut choice = Choice::new((walk as f32 + 0.5) / walks as f32, 0.0);
                if let Some((light, p)) = descend(&tree.nodes, root, &query, two_sided, &mut choice) {
                    let expected = tree.probability(root, &query, two_sided, light);
                    assert!((p / expected - 1.0).abs() < 1e-5, "{p} {expected}");
                    found[light] += 1;
                }
            }
            for (light, &count) in found.iter().enumerate() {
                let p = tree.probability(root, &query, two_sided, light);
                assert!((p - count as f32 / walks as f32).abs() < 1e-4, "{query:?} light {light}");
            }
        }
    }

    #[test]
    fn coincident_lights_and_long_rows_are_all_reached() {
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
        let leaf = |bounds: &LightBounds| {
            let mut node = Node::default();
            node.set(2, bounds);
            node
        };
        let node = leaf(&panel);
        let at = |p, n| node.importance(&Query { p, n, slack: 0.0 }, false)[2];
        assert!(at(Vec3::Y * 5.0, None) > 0.07);
        assert_eq!(at(-Vec3::Y * 5.0, None), 0.0);
        assert_eq!(at(Vec3::Y * 5.0, Some(Vec3::Y)), 0.0);
        assert!(at(Vec3::Y * 5.0, Some(-Vec3::Y)) > at(Vec3::Y * 5.0, Some(Vec3::X)));
        assert!(at(Vec3::ZERO, Some(Vec3::Y)) > 0.0 && at(Vec3::ZERO, None).is_finite());
        assert!(node.importance(&Query { p: -Vec3::Y * 5.0, n: None, slack: 0.0 }, true)[2] > 0.07);
        let lamp = leaf(&LightBounds { min: Vec3::ZERO, max: Vec3::ZERO, cone: Cone::SPHERE, ..panel });
        assert!(lamp.importance(&Query { p: Vec3::ZERO, n: None, slack: 0.0 }, false).is_finite());
        // Places without lights are never chosen.
        assert_eq!(lamp.importance(&Query { p: Vec3::ZERO, n: None, slack: 0.0 }, false)[0], 0.0);
    }
}
