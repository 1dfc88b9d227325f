//! The ray against eight boxes at once, never missing a box that holds a triangle which [`triangle::cross`] hits.
//!
//! The triangle test rounds: it hits what an exact test would miss by up to 6·2⁻²⁴ of the distance to the mesh's far
//! side. Boxes are therefore met as if they were larger by a `slack` that also covers the rounding here (as if by two
//! origins, one for entering and one for leaving planes, which costs nothing). That makes the hits independent of the
//! tree, hence of the backend's path.
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
