//! The ray against eight boxes at once, never missing a box that holds a triangle which [`triangle::cross`] hits.
//!
//! The triangle test rounds: it hits what an exact test would miss by up to 6·2⁻²⁴ of the distance to the mesh's far
//! side. Boxes are therefore met as if they were larger by a `slack` that also covers the rounding here (as if by two
//! origins, one for entering and one for leaving planes, which costs nothing). That makes the hits independent of the
//! tree, hence of the backend's path, but for one thing: on a triangle that the ray sees nearly edge on (or a sliver as
//! narrow as an ulp of its place) the distance of the hit is known less well than the slack, and may lie before the
//! triangle's own box. Whether a hit between the two hides it then depends on which is found first.
//!
//! [`triangle::cross`]: crate::geometry::accel::triangle::cross

use glam::{Vec3, Vec3A};

use super::node::Node;
use super::walk::Boxes;
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::simd::{Lanes, Simd};

/// Share of the coordinates by which boxes are enlarged: 16 half ulps; 12 are needed.
pub const SLACK: f32 = 16.0 / (1 << 24) as f32;

/// Distances at which boxes are left are enlarged by this for the roundings of the distances themselves.
pub const FARTHER: f32 = 1.0 + 1.0 / (1 << 20) as f32;

/// A direction component below this share of the largest one is taken for it: what it moves the ray by is below the
/// slack.
pub const LEAST_SHARE: f32 = 1.0 / (1u64 << 40) as f32;

/// A ray's constants of the box test.
#[derive(Clone, Copy)]
pub struct Slabs<S: Simd> {
    /// Which of a node's planes is met first on each axis; its neighbour (`^ 1`) is met last.
    near: [usize; 3],
    inverse: [S::V; 3],
    /// The same for the planes that are met last, times [`FARTHER`], as `leave` is: a multiplication less for each node.
    inverse_last: [S::V; 3],
    /// Origin times inverse, moved so that planes are entered early and left late.
    enter: [S::V; 3],
    leave: [S::V; 3],
    t_min: S::V,
}

/// Children that the ray may meet, bit i for lane i, and where it enters them: never below 0, nor at −0.
pub struct Entered {
    pub lanes: u32,
    pub t: Lanes,
}

impl<S: Simd> Slabs<S> {
    /// `condition` ≥ 1 scales the slack: see [`World::condition`](super::build::World::condition).
    #[inline(always)]
    pub fn new(s: S, origin: Vec3, direction: Vec3, t_min: f32, bounds: &Bounds, condition: f32) -> Self {
        let reach = bounds.reach(origin);
        let (origin, direction) = (Vec3A::from(origin), Vec3A::from(direction));
        let slack = SLACK * condition * (reach + origin.abs().max_element());
        let size = direction.abs();
        let least = Vec3A::splat(LEAST_SHARE * size.max_element());
        let i = Vec3A::ONE / Vec3A::select(size.cmplt(least), least.copysign(direction), direction);
        let outward = Vec3A::splat(slack).copysign(i);
        let (enter, leave) = ((origin + outward) * i, (origin - outward) * i);
        let splat = |v: Vec3A| [s.splat(v.x), s.splat(v.y), s.splat(v.z)];
        let backward = i.is_negative_bitmask() as usize;
        Self {
            near: [backward & 1, 2 + (backward >> 1 & 1), 4 + (backward >> 2)],
            inverse: splat(i),
            inverse_last: splat(i * FARTHER),
            enter: splat(enter),
            leave: splat(leave * FARTHER),
            t_min: s.splat(t_min),
        }
    }
}

impl<S: Simd> Boxes<S> for Slabs<S> {
    #[inline(always)]
    fn enter(&self, s: S, node: &Node, t_max: f32) -> Entered {
        let [x, y, z] = self.near;
        let first = |plane: usize, axis: usize| {
            s.mul_sub_loose(s.load(&node.planes[plane]), self.inverse[axis], self.enter[axis])
        };
        let last = |plane: usize, axis: usize| {
            s.mul_sub_loose(s.load(&node.planes[plane ^ 1]), self.inverse_last[axis], self.leave[axis])
        };
        let t_in = s.max(s.max(first(x, 0), first(y, 1)), s.max(first(z, 2), self.t_min));
        let t_out = s.min(s.min(last(x, 0), last(y, 1)), s.min(last(z, 2), s.splat(t_max * FARTHER)));
        Entered { lanes: s.le(t_in, t_out), t: s.store(t_in) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::accel::simd::LANES;
    use crate::geometry::accel::simd::portable::Portable;
    use crate::geometry::accel::triangle::{Shear, ShearLanes, cross, splat};

    /// Numbers in 0..1 (Knuth's MMIX generator).
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f32 / (1 << 24) as f32
        }

        fn point(&mut self) -> Vec3 {
            Vec3::new(self.number(), self.number(), self.number()) - 0.5
        }

        fn below(&mut self, count: usize) -> usize {
            (self.number() * count as f32) as usize
        }

        /// Whole, flat along an axis, or a sliver; near or far from the origin.
        fn triangle(&mut self) -> [Vec3; 3] {
            let mut corners = [self.point(), self.point(), self.point()];
            let (kind, axis, height) = (self.below(3), self.below(3), self.number());
            match kind {
                0 => corners.iter_mut().for_each(|p| p[axis] = height),
                1 => corners[2] = corners[0].lerp(corners[1], height) + self.point() * 1e-6,
                _ => {}
            }
            let place = self.point() * [0.0, 1.0, 300.0][self.below(3)];
            corners.map(|p| p + place)
        }

        /// At a corner or an edge of the triangle, where rounding decides; from near and far.
        fn ray(&mut self, corners: &[Vec3; 3]) -> (Vec3, Vec3) {
            let along = [0.0, self.number()][self.below(2)];
            let target = corners[self.below(3)].lerp(corners[self.below(3)], along);
            let mut origin = target + self.point() * [0.01, 1.0, 30.0, 1e4][self.below(4)];
            if self.below(2) == 0 {
                let axis = self.below(3);
                origin[axis] = target[axis];
            }
            (origin, (target - origin).normalize_or(Vec3::X))
        }
    }

    fn hits_triangle(origin: Vec3, direction: Vec3, triangle: &[Vec3; 3]) -> bool {
        let ray = Shear::new(origin, direction);
        let corners = splat(Portable, &triangle.map(|p| p.to_array()), ray.axes);
        let lanes = ShearLanes::splat(Portable, &ray);
        let range = [0.0, f32::MAX].map(|t| Portable.splat(t));
        cross(Portable, &lanes, corners, range[0], range[1]).is_some()
    }

    fn enters(origin: Vec3, direction: Vec3, bounds: &Bounds, condition: f32) -> bool {
        let planes = [bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z];
        let node = Node { planes: planes.map(|plane| Lanes([plane; LANES])), ..Node::EMPTY };
        let slabs = Slabs::new(Portable, origin, direction, 0.0, bounds, condition);
        slabs.enter(Portable, &node, f32::MAX).lanes & 1 == 1
    }

    #[test]
    fn boxes_of_all_triangles_that_are_hit_are_entered() {
        const SHARES: [f32; 3] = [1.0, 0.25, 0.0];
        let mut random = Random(1);
        let (mut hits, mut missed) = (0, [0; SHARES.len()]);
        for _ in 0..400_000 {
            let corners = random.triangle();
            let (origin, direction) = random.ray(&corners);
            if !hits_triangle(origin, direction, &corners) {
                continue;
            }
            hits += 1;
            let bounds = Bounds::of_points(corners);
            for (missed, share) in missed.iter_mut().zip(SHARES) {
                *missed += usize::from(!enters(origin, direction, &bounds, share));
            }
        }
        assert!(hits > 100_000, "{hits} hits");
        // The slack is a sum of bounds of single roundings, which never all meet: a quarter suffices, none would show.
        assert_eq!(missed[..2], [0, 0]);
        assert!(missed[2] > 1000, "{missed:?}");
    }
}
