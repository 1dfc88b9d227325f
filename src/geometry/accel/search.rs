//! What a closest-hit query has found so far, and the order of hits that all backends agree on.

use crate::geometry::{Hit, Ray};

/// The best hit so far. Hits are ordered by (t, instance, primitive).
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Nothing nearer counts.
    pub t_min: f32,
    /// Distance of the best hit, or the ray's end while there is none. Nothing farther counts.
    pub t: f32,
    key: u64,
    u: f32,
    v: f32,
    /// Hits up to and including this one are passed over; a NaN distance where there is no such hit.
    after_t: f32,
    after_key: u64,
}

/// No hit has this key: there are fewer than 2³² instances and triangles.
const NONE: u64 = u64::MAX;

/// Instance and primitive as one number that orders as the pair does.
#[inline(always)]
pub fn key(instance: u32, primitive: u32) -> u64 {
    u64::from(instance) << 32 | u64::from(primitive)
}

impl Search {
    /// A search along `ray`, which is not to be made (`None`) where the ray has no finite origin or direction, no
    /// direction at all, or an empty range. The range includes both ends; a negative `t_min` counts as 0.
    #[inline(always)]
    pub fn new(ray: &Ray) -> Option<Self> {
        // One sum shows any NaN or infinity of the six.
        let finite = ray.origin.is_finite() && ray.direction.is_finite();
        let t_min = if ray.t_min > 0.0 { ray.t_min } else { 0.0 };
        let sound = finite && ray.direction != glam::Vec3::ZERO && !ray.t_min.is_nan() && t_min <= ray.t_max;
        sound.then_some(Self {
            t_min,
            // A hit is at a finite distance, also of a ray without an end.
            t: ray.t_max.min(f32::MAX),
            key: NONE,
            u: 0.0,
            v: 0.0,
            after_t: f32::NAN,
            after_key: 0,
        })
    }

    /// The same search for what lies strictly behind `after`.
    #[inline(always)]
    pub fn behind(mut self, after: &Hit) -> Self {
        // The sum makes 0 of −0, which the walk's order of distances does not know.
        self.t_min = self.t_min.max(after.t) + 0.0;
        self.after_t = after.t;
        self.after_key = key(after.instance, after.primitive);
        self
    }

    /// Whether a hit at `t` (already known to be within the range) comes before the best one.
    #[inline(always)]
    pub fn wants(&self, t: f32, key: u64) -> bool {
        let nearer = t < self.t || (t == self.t && key < self.key);
        nearer && !(t == self.after_t && key <= self.after_key)
    }

    /// Makes this the best hit.
    #[inline(always)]
    pub fn accept(&mut self, t: f32, key: u64, u: f32, v: f32) {
        (self.t, self.key, self.u, self.v) = (t, key, u, v);
    }

    /// The best hit.
    #[inline(always)]
    pub fn hit(&self) -> Option<Hit> {
        (self.key != NONE).then_some(Hit {
            t: self.t,
            u: self.u,
            v: self.v,
            instance: (self.key >> 32) as u32,
            primitive: self.key as u32,
        })
    }
}
