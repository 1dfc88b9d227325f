//! The watertight triangle test: Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
//!
//! The ray becomes the z axis by a shear, so that the test is about signs of three 2D edge functions. A shared edge
//! gives its two triangles the same number with opposite sign, as products are rounded one by one (a fused product
//! would break that), and the sign of a difference of rounded products is right or the difference is 0. A zero counts
//! as inside both, so no ray passes between two triangles or through a vertex; where the paper would decide a zero in
//! f64, the tie rule decides.

use glam::Vec3;

use super::simd::{Lanes, Simd};
use crate::geometry::mesh::Mesh;

/// A ray as the test wants it: the axes permuted so that z is the direction's largest component, and the shear.
#[derive(Clone, Copy, Debug)]
pub struct Shear {
    /// Axes (x, y, z) of the permuted frame.
    pub axes: [usize; 3],
    /// Origin in the permuted frame.
    pub origin: [f32; 3],
    /// dx/dz, dy/dz, 1/dz in the permuted frame.
    pub shear: [f32; 3],
}

impl Shear {
    #[inline(always)]
    pub fn new(origin: Vec3, direction: Vec3) -> Self {
        let size = direction.abs();
        let z = if size.x > size.y {
            if size.x > size.z { 0 } else { 2 }
        } else if size.y > size.z {
            1
        } else {
            2
        };
        const NEXT: [usize; 5] = [0, 1, 2, 0, 1];
        let axes = [NEXT[z + 1], NEXT[z + 2], z];
        let o = origin.to_array();
        let d = direction.to_array();
        let dz = d[z];
        Self { axes, origin: [o[axes[0]], o[axes[1]], o[z]], shear: [d[axes[0]] / dz, d[axes[1]] / dz, 1.0 / dz] }
    }
}

/// A [`Shear`] in every lane.
#[derive(Clone, Copy)]
pub struct ShearLanes<S: Simd> {
    pub origin: [S::V; 3],
    pub shear: [S::V; 3],
}

impl<S: Simd> ShearLanes<S> {
    #[inline(always)]
    pub fn splat(s: S, ray: &Shear) -> Self {
        let [ox, oy, oz] = ray.origin;
        let [sx, sy, sz] = ray.shear;
        Self { origin: [s.splat(ox), s.splat(oy), s.splat(oz)], shear: [s.splat(sx), s.splat(sy), s.splat(sz)] }
    }
}

/// Lanes that were hit, and where.
pub struct Crossing<S: Simd> {
    /// Bit i: lane i hits its triangle's inside or edge within the range.
    pub lanes: u32,
    pub t: S::V,
    /// Weights of the second and third vertex, times `det`.
    pub v: S::V,
    pub w: S::V,
    pub det: S::V,
}

/// Tests eight rays or eight triangles. `vertices` holds three points in the permuted frame; `t_min` and `t_max` are
/// inclusive.
#[inline(always)]
pub fn cross<S: Simd>(
    s: S,
    ray: &ShearLanes<S>,
    vertices: [[S::V; 3]; 3],
    t_min: S::V,
    t_max: S::V,
) -> Option<Crossing<S>> {
    let [ox, oy, oz] = ray.origin;
    let [sx, sy, sz] = ray.shear;
    let [(ax, ay, az), (bx, by, bz), (cx, cy, cz)] = {
        let sheared = |[x, y, z]: [S::V; 3]| {
            let z = s.sub(z, oz);
            (s.sub(s.sub(x, ox), s.mul(sx, z)), s.sub(s.sub(y, oy), s.mul(sy, z)), z)
        };
        [sheared(vertices[0]), sheared(vertices[1]), sheared(vertices[2])]
    };
    let u = s.sub(s.mul(cx, by), s.mul(cy, bx));
    let v = s.sub(s.mul(ax, cy), s.mul(ay, cx));
    let w = s.sub(s.mul(bx, ay), s.mul(by, ax));
    let zero = s.splat(0.0);
    let front = s.le(zero, s.min(s.min(u, v), w));
    let back = s.le(s.max(s.max(u, v), w), zero);
    let inside = front | back;
    if inside == 0 {
        return None;
    }
    let det = s.add(s.add(u, v), w);
    let depth = s.add(s.add(s.mul(u, az), s.mul(v, bz)), s.mul(w, cz));
    // All three weights are 0 where the triangle is seen edge on: 0/0 is in no range.
    let t = s.mul(s.div(depth, det), sz);
    let lanes = inside & s.le(t_min, t) & s.le(t, t_max);
    (lanes != 0).then_some(Crossing { lanes, t, v, w, det })
}

/// The corners of a mesh's triangle; NaN (which is never hit) where an index has no vertex.
#[inline]
pub fn corners(mesh: &Mesh, primitive: u32) -> [Vec3; 3] {
    let corner = |i: u32| mesh.positions.get(i as usize).copied().unwrap_or(Vec3::NAN);
    let [a, b, c] = mesh.indices[primitive as usize];
    [corner(a), corner(b), corner(c)]
}

/// Whether the triangle has an area to hit: finite corners that do not lie on a line.
pub fn has_area(triangle: [Vec3; 3]) -> bool {
    let [a, b, c] = triangle.map(|p| p.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    // f64 leaves 1e-16 of the edges' product to chance; f32 corners off a line leave about 1e-8. Squared, as roots are
    // slow.
    const ON_A_LINE: f64 = 1e-26;
    let area = ab.cross(ac).length_squared();
    area.is_finite() && area > ON_A_LINE * ab.length_squared() * ac.length_squared().max((c - b).length_squared())
}

/// Three corners in the permuted frame of `axes`, each in every lane.
#[inline(always)]
pub fn splat<S: Simd>(s: S, triangle: &[[f32; 3]; 3], axes: [usize; 3]) -> [[S::V; 3]; 3] {
    let corner = |p: &[f32; 3]| [s.splat(p[axes[0]]), s.splat(p[axes[1]]), s.splat(p[axes[2]])];
    [corner(&triangle[0]), corner(&triangle[1]), corner(&triangle[2])]
}

// A function and not a closure, which is not sure to be inlined, as SIMD code must be.
#[inline(always)]
fn splat_corner<S: Simd>(s: S, corner: &[Lanes; 3], slot: usize, [x, y, z]: [usize; 3]) -> [S::V; 3] {
    [s.splat(corner[x].0[slot]), s.splat(corner[y].0[slot]), s.splat(corner[z].0[slot])]
}

/// Eight triangles' corners: `corners[i][axis]` has corner i of all eight. Unused lanes are NaN, which no ray hits.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Corners(pub [[Lanes; 3]; 3]);

impl Corners {
    pub const EMPTY: Self = Self([[Lanes([f32::NAN; 8]); 3]; 3]);

    /// The eight triangles in the permuted frame of `axes`.
    #[inline(always)]
    pub fn load<S: Simd>(&self, s: S, axes: [usize; 3]) -> [[S::V; 3]; 3] {
        let [a, b, c] = &self.0;
        let corner = |p: &[Lanes; 3]| [s.load(&p[axes[0]]), s.load(&p[axes[1]]), s.load(&p[axes[2]])];
        [corner(a), corner(b), corner(c)]
    }

    /// Triangle `slot` of the eight in every lane, in the permuted frame of `axes`.
    #[inline(always)]
    pub fn splat<S: Simd>(&self, s: S, slot: usize, axes: [usize; 3]) -> [[S::V; 3]; 3] {
        let [a, b, c] = &self.0;
        [splat_corner(s, a, slot, axes), splat_corner(s, b, slot, axes), splat_corner(s, c, slot, axes)]
    }
}
