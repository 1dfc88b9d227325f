//! Sixteen rays as one: what they have in common, and the boxes that any of them may meet.
//!
//! Interval arithmetic over the packet, as in Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm",
//! SIGGRAPH 2005: a node's eight boxes are tested once for all rays. It is conservative in the same way as
//! [`Slabs`](super::slabs::Slabs).

use glam::Vec3;

use super::node::Node;
use super::slabs::{Entered, FARTHER, LEAST_SHARE, SLACK};
use super::walk::Boxes;
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::placement::Placement;
use crate::geometry::accel::simd::{LANES, Lanes, Simd};
use crate::geometry::accel::triangle::ShearLanes;

// Vectors are never made in a closure that is given to `array::map` and the like: those are compiled without AVX and not
// inlined here, so that every operation would become a call.

/// Rays of a packet.
pub const PACKET: usize = 2 * LANES;

/// A packet's coordinate: two vectors.
pub type Pair = [Lanes; 2];

/// Origins and directions of sixteen rays, by axis.
#[derive(Clone, Copy)]
pub struct Bundle {
    pub origin: [Pair; 3],
    pub direction: [Pair; 3],
}

impl Bundle {
    pub const ZERO: Self = Self { origin: [[Lanes([0.0; LANES]); 2]; 3], direction: [[Lanes([0.0; LANES]); 2]; 3] };

    pub fn set(&mut self, i: usize, origin: Vec3, direction: Vec3) {
        for axis in 0..3 {
            self.origin[axis][i / LANES].0[i % LANES] = origin[axis];
            self.direction[axis][i / LANES].0[i % LANES] = direction[axis];
        }
    }

    /// In object space: the same operations in the same order as [`Placement`]'s own, so the same bits.
    #[inline(always)]
    pub fn in_object_space<S: Simd>(&self, s: S, placement: &Placement) -> Self {
        let rows = placement.inverse.transpose().to_cols_array_2d();
        let mut object = Self::ZERO;
        for half in 0..2 {
            let [dx, dy, dz] = &self.direction;
            let direction = [s.load(&dx[half]), s.load(&dy[half]), s.load(&dz[half])];
            let relative = |axis: usize| s.sub(s.load(&self.origin[axis][half]), s.splat(placement.origin[axis]));
            let relative = [relative(0), relative(1), relative(2)];
            for (axis, row) in rows.iter().enumerate() {
                let [x, y, z] = [s.splat(row[0]), s.splat(row[1]), s.splat(row[2])];
                let turned = |v: [S::V; 3]| s.store(s.add(s.add(s.mul(x, v[0]), s.mul(y, v[1])), s.mul(z, v[2])));
                object.origin[axis][half] = turned(relative);
                object.direction[axis][half] = turned(direction);
            }
        }
        object
    }

    /// The permuted axes of the triangle test, where all rays have the same: see
    /// [`Shear`](crate::geometry::accel::triangle::Shear).
    #[inline(always)]
    pub fn common_axes<S: Simd>(&self, s: S) -> Option<[usize; 3]> {
        let mut common = [u32::MAX; 3];
        for half in 0..2 {
            let size = |axis: usize| s.abs(s.load(&self.direction[axis][half]));
            let [x, y, z] = [size(0), size(1), size(2)];
            let (xy, xz, yz) = (!s.le(x, y), !s.le(x, z), !s.le(y, z));
            let largest = [xy & xz, !xy & yz, (xy & !xz) | (!xy & !yz)];
            common.iter_mut().zip(largest).for_each(|(c, l)| *c &= l);
        }
        let all = |bits: &u32| bits & 0xff == 0xff;
        common.iter().position(all).map(|z| [(z + 1) % 3, (z + 2) % 3, z])
    }

    /// One half's rays for the triangle test.
    #[inline(always)]
    pub fn shear<S: Simd>(&self, s: S, half: usize, axes: [usize; 3]) -> ShearLanes<S> {
        let [x, y, z] = axes;
        let (direction, origin) =
            (|axis: usize| s.load(&self.direction[axis][half]), |axis: usize| s.load(&self.origin[axis][half]));
        let [dx, dy, dz] = [direction(x), direction(y), direction(z)];
        ShearLanes {
            origin: [origin(x), origin(y), origin(z)],
            shear: [s.div(dx, dz), s.div(dy, dz), s.div(s.splat(1.0), dz)],
        }
    }
}

/// Bounds of the rays' origins and inverse directions.
pub struct Frustum<S: Simd> {
    near: [usize; 3],
    /// Least and greatest inverse of a direction's component.
    inverse: [[S::V; 2]; 3],
    /// The origin that enters planes first, and the one that leaves them last.
    enter: [S::V; 3],
    leave: [S::V; 3],
    t_min: S::V,
}

impl<S: Simd> Frustum<S> {
    /// `None` where the rays do not all go the same way along each axis, or hardly move along one.
    #[inline(always)]
    pub fn new(s: S, rays: &Bundle, t_min: f32, bounds: &Bounds, condition: f32) -> Option<Self> {
        let directions = [range(s, &rays.direction[0]), range(s, &rays.direction[1]), range(s, &rays.direction[2])];
        let largest = directions.iter().fold(0.0_f32, |most, [low, high]| most.max(low.abs()).max(high.abs()));
        let least = LEAST_SHARE * largest;
        let mut frustum = Self {
            near: [0, 2, 4],
            inverse: [[s.splat(0.0); 2]; 3],
            enter: [s.splat(0.0); 3],
            leave: [s.splat(0.0); 3],
            t_min: s.splat(t_min),
        };
        let origins = [range(s, &rays.origin[0]), range(s, &rays.origin[1]), range(s, &rays.origin[2])];
        let corner = |end: usize| Vec3::new(origins[0][end], origins[1][end], origins[2][end]);
        let reach = |p: Vec3| bounds.reach(p) + p.abs().max_element();
        let slack = SLACK * condition * reach(corner(0)).max(reach(corner(1)));
        for (axis, origin) in origins.iter().enumerate() {
            let [low, high] = directions[axis];
            let forward = low >= least;
            if !forward && high > -least {
                return None;
            }
            let (first, last) = (s.splat(origin[0] - slack), s.splat(origin[1] + slack));
            (frustum.enter[axis], frustum.leave[axis]) = if forward { (last, first) } else { (first, last) };
            frustum.near[axis] += usize::from(!forward);
            frustum.inverse[axis] = [s.splat(1.0 / high), s.splat(1.0 / low)];
        }
        Some(frustum)
    }
}

/// Least and greatest of sixteen.
#[inline(always)]
fn range<S: Simd>(s: S, pair: &Pair) -> [f32; 2] {
    let (a, b) = (s.load(&pair[0]), s.load(&pair[1]));
    [least_of(s.store(s.min(a, b))), greatest_of(s.store(s.max(a, b)))]
}

#[inline(always)]
fn least_of(Lanes(l): Lanes) -> f32 {
    let less = |a: f32, b: f32| if b < a { b } else { a };
    less(less(less(l[0], l[4]), less(l[2], l[6])), less(less(l[1], l[5]), less(l[3], l[7])))
}

#[inline(always)]
pub fn greatest_of(Lanes(l): Lanes) -> f32 {
    let more = |a: f32, b: f32| if b > a { b } else { a };
    more(more(more(l[0], l[4]), more(l[2], l[6])), more(more(l[1], l[5]), more(l[3], l[7])))
}

impl<S: Simd> Boxes<S> for Frustum<S> {
    #[inline(always)]
    fn enter(&self, s: S, node: &Node, t_max: f32) -> Entered {
        let (mut t_in, mut t_out) = (self.t_min, s.splat(t_max));
        for axis in 0..3 {
            let [least, greatest] = self.inverse[axis];
            let first = s.sub(s.load(&node.planes[self.near[axis]]), self.enter[axis]);
            let last = s.sub(s.load(&node.planes[self.near[axis] ^ 1]), self.leave[axis]);
            t_in = s.max(s.min(s.mul(first, least), s.mul(first, greatest)), t_in);
            t_out = s.min(t_out, s.max(s.mul(last, least), s.mul(last, greatest)));
        }
        Entered { lanes: s.le(t_in, s.mul(t_out, s.splat(FARTHER))), t: s.store(t_in) }
    }
}
