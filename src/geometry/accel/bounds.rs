//! Axis-aligned boxes.

use glam::{DAffine3, DVec3, Vec3, Vec3A};

/// A box between two corners; `min > max` where there is nothing in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// A box around the image of this one (not an empty one): computed in f64, rounded outward.
    pub fn transformed(&self, transform: &DAffine3) -> Self {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
            let p = transform.transform_point3(DVec3::new(pick(0).into(), pick(1).into(), pick(2).into()));
            (min, max) = (min.min(p), max.max(p));
        }
        let outward = |x: f64, down: bool| {
            let rounded = x as f32;
            match down {
                true if f64::from(rounded) > x => rounded.next_down(),
                false if f64::from(rounded) < x => rounded.next_up(),
                _ => rounded,
            }
        };
        Self {
            min: Vec3::new(outward(min.x, true), outward(min.y, true), outward(min.z, true)),
            max: Vec3::new(outward(max.x, false), outward(max.y, false), outward(max.z, false)),
        }
    }

    /// The largest distance along an axis from `p` to this box's far side.
    #[inline(always)]
    pub fn reach(&self, p: Vec3) -> f32 {
        let (min, max, p) = (Vec3A::from(self.min), Vec3A::from(self.max), Vec3A::from(p));
        (max - p).abs().max((min - p).abs()).max_element()
    }
}
