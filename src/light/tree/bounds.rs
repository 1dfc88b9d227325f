//! What is known of a set of lights: where they are, whereto they shine, how strongly.

use std::f32::consts::PI;

use glam::Vec3;

/// Directions in which a set of lights shines: within `theta_e` of some axis that is within `theta_o` of `axis`.
///
/// The two angles of Conty Estevez and Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting" (2018),
/// section 4.1: one for the spread of normals, one for the emission about each normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Unit.
    pub axis: Vec3,
    /// Radians, 0..=π.
    pub theta_o: f32,
    pub theta_e: f32,
    /// The lights shine about −axis as well.
    pub two_sided: bool,
}

impl Cone {
    /// Every direction.
    pub const SPHERE: Self = Self { axis: Vec3::Y, theta_o: PI, theta_e: PI, two_sided: false };

    /// A cone around both.
    pub fn union(&self, other: &Self) -> Self {
        let (wide, narrow) = if self.theta_o >= other.theta_o { (self, other) } else { (other, self) };
        let two_sided = wide.two_sided || narrow.two_sided;
        let theta_e = wide.theta_e.max(narrow.theta_e);
        // What holds both a cone and its mirror image may mirror either.
        let mirrored = two_sided && wide.axis.dot(narrow.axis) < 0.0;
        let toward = if mirrored { -narrow.axis } else { narrow.axis };
        let between = angle(wide.axis, toward);
        if between + narrow.theta_o <= wide.theta_o {
            return Self { theta_e, two_sided, ..*wide };
        }
        let theta_o = 0.5 * (wide.theta_o + between + narrow.theta_o);
        if theta_o >= PI {
            return Self { theta_e, two_sided, ..Self::SPHERE };
        }
        Self { axis: turned(wide.axis, toward, theta_o - wide.theta_o), theta_o, theta_e, two_sided }
    }
}

/// The orientation measure M_Ω of section 4.1 for a cone's two angles: how much of the sphere is lit, weighted by a cosine
/// fall-off.
pub fn orientation_measure(theta_o: f32, theta_e: f32) -> f32 {
    let theta_w = (theta_o + theta_e).min(PI);
    let (sin_o, cos_o) = theta_o.sin_cos();
    let tail = 2.0 * theta_w * sin_o - (theta_o - 2.0 * theta_w).cos() - 2.0 * theta_o * sin_o + cos_o;
    2.0 * PI * (1.0 - cos_o) + 0.5 * PI * tail
}

/// The area of a box with this diagonal, halved. A line or a point has none, but their extent still tells good splits from
/// bad ones.
pub fn extent_measure(d: Vec3) -> f32 {
    d.x * d.y + d.y * d.z + d.z * d.x + 1e-3 * d.length_squared()
}

/// Kahan's formula: exact for equal and for opposite vectors.
fn angle(a: Vec3, b: Vec3) -> f32 {
    2.0 * (a - b).length().atan2((a + b).length())
}

/// `from` turned by `angle` toward `to`; toward anywhere if they are opposite.
fn turned(from: Vec3, to: Vec3, angle: f32) -> Vec3 {
    let across = (to - from * from.dot(to)).try_normalize().unwrap_or_else(|| from.any_orthonormal_vector());
    let (sin, cos) = angle.sin_cos();
    (from * cos + across * sin).normalize()
}

/// A set of lights as the tree's builder sees it.
#[derive(Clone, Copy, Debug)]
pub struct LightBounds {
    pub min: Vec3,
    pub max: Vec3,
    pub cone: Cone,
    /// Sum of the lights' intensities along their axes, luminance, W/sr. Larger than zero.
    pub intensity: f32,
}

impl LightBounds {
    /// Bounds of both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            cone: self.cone.union(&other.cone),
            intensity: self.intensity + other.intensity,
        }
    }

    /// Middle of the box.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The cost of sampling from the set (section 4.4, equation 1, without the constant factors): strong, large and
    /// widely spread sets should be split.
    pub fn cost(&self) -> f32 {
        let orientation = orientation_measure(self.cone.theta_o, self.cone.theta_e);
        self.intensity * orientation * extent_measure(self.max - self.min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone(axis: Vec3, theta_o: f32) -> Cone {
        Cone { axis: axis.normalize(), theta_o, theta_e: PI / 2.0, two_sided: false }
    }

    #[test]
    fn a_union_holds_both() {
        let axes = [Vec3::X, Vec3::new(1.0, 2.0, -0.5), -Vec3::X, Vec3::new(-1.0, 0.01, 0.0), Vec3::Z];
        for (i, a) in axes.into_iter().enumerate() {
            for (j, b) in axes.into_iter().enumerate() {
                let (a, b) = (cone(a, 0.2 * i as f32), cone(b, 0.3 * j as f32));
                let both = a.union(&b);
                for part in [a, b] {
                    let reach = angle(both.axis, part.axis) + part.theta_o;
                    assert!(both.theta_o >= PI || reach <= both.theta_o + 1e-5, "{a:?} {b:?} {both:?}");
                }
            }
        }
    }

    #[test]
    fn opposite_two_sided_panels_stay_flat() {
        let panel = Cone { two_sided: true, ..cone(Vec3::Y, 0.0) };
        let turned = Cone { axis: -Vec3::Y, ..panel };
        assert!(panel.union(&turned).theta_o < 1e-6);
        // One of them alone makes the pair two-sided.
        let both = panel.union(&cone(-Vec3::Y, 0.0));
        assert!(both.two_sided && both.theta_o < 1e-6);
    }

    #[test]
    fn the_whole_sphere_measures_four_pi() {
        assert!((orientation_measure(PI, PI) - 4.0 * PI).abs() < 1e-4);
        // A flat panel: ∫ cos over the hemisphere = π.
        assert!((orientation_measure(0.0, 0.5 * PI) - PI).abs() < 1e-4);
    }
}
