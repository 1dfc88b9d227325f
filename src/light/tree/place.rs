//! Meshes of lights in the world: their maps between the spaces, and their bounds in the upper tree.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, DMat3, Mat3A, Vec3};

use super::bottom::Bottom;
use super::bounds::{Cone, LightBounds};
use super::node::Query;
use crate::light::emitter::{EmissiveInstance, EmissiveTriangle, SeenTriangle};
use crate::light::punctual::Lamp;
use crate::light::{LightFrom, luminance};

/// A placed mesh of lights.
#[derive(Clone, Debug)]
pub struct Placed {
    pub instance: u32,
    /// Index of its lower tree.
    pub bottom: u32,
    pub group: u16,
    pub double_sided: bool,
    /// The front is the side from which the corners in the world run clockwise.
    mirrored: bool,
    /// Its index among the upper tree's lights.
    pub light: u32,
    to_world: Affine3A,
    to_object: Affine3A,
    /// Maps a plane's normal to object space: the transposed linear part.
    normal_to_object: Mat3A,
}

/// How evenly a map must scale the three axes, see [`evenness`], to be inverted in f32.
const LEAST_EVENNESS: f64 = 1e-4;
/// From here on a map is a similarity but for rounding.
const SIMILAR: f64 = 1.0 - 1e-5;

impl Placed {
    /// `None` where the map cannot be inverted well.
    pub fn new(instance: &EmissiveInstance, bottom: usize, tree: &Bottom) -> Option<Self> {
        let linear = linear(&instance.transform);
        // Neither does a range contain NaN.
        if !(LEAST_EVENNESS..).contains(&evenness(&linear)) {
            return None;
        }
        let to_object = instance.transform.inverse();
        let in_range = to_object.is_finite() && tree.intensity(&cofactor(&linear)).is_finite();
        in_range.then(|| Self {
            mirrored: linear.determinant() < 0.0,
            to_world: instance.transform,
            to_object,
            normal_to_object: instance.transform.matrix3.transpose(),
            ..Self::in_world(instance, bottom, 1.0)
        })
    }

    /// An instance whose triangles are in the world already, with `front` as [`baked`] gave it.
    pub fn in_world(instance: &EmissiveInstance, bottom: usize, front: f32) -> Self {
        Self {
            instance: instance.instance,
            bottom: bottom as u32,
            group: instance.group,
            double_sided: instance.double_sided,
            mirrored: front < 0.0,
            light: 0,
            to_world: Affine3A::IDENTITY,
            to_object: Affine3A::IDENTITY,
            normal_to_object: Mat3A::IDENTITY,
        }
    }

    /// The point in the lower tree's space.
    pub fn query(&self, from: &LightFrom) -> Query {
        let p = self.to_object.transform_point3(from.p);
        let n = from.n.map(|n| (self.normal_to_object * n).normalize_or_zero());
        let terms = p.abs().max_element() + self.to_object.translation.abs().max_element();
        Query { p, n, slack: 1e-6 * terms }
    }

    /// A triangle of the mesh as seen from a point in the world.
    pub fn seen(&self, p: &[Vec3; 3], from: Vec3) -> SeenTriangle {
        let edge = |to: Vec3| self.to_world.transform_vector3(to - p[0]);
        SeenTriangle::new(self.to_world.transform_point3(p[0]) - from, [edge(p[1]), edge(p[2])])
    }

    /// Whether the triangle sends light to the point from which it is seen.
    pub fn shines_toward(&self, seen: &SeenTriangle) -> bool {
        self.double_sided || seen.seen_from_front() != self.mirrored
    }

    /// Bounds in the world; `None` without intensity.
    pub fn bounds(&self, bottom: &Bottom) -> Option<LightBounds> {
        let object = bottom.bounds();
        let linear = linear(&self.to_world);
        let cofactor = cofactor(&linear);
        let intensity = bottom.intensity(&cofactor);
        let center = self.to_world.transform_point3(object.center());
        let m = &self.to_world.matrix3;
        let half = 0.5 * (object.max - object.min);
        let half = Vec3::from(m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z);
        let cone = Cone { two_sided: self.double_sided, ..mapped_cone(&object.cone, &linear, &cofactor) };
        let usable = intensity > 0.0 && center.is_finite() && half.is_finite();
        usable.then_some(LightBounds { min: center - half, max: center + half, cone, intensity })
    }
}

/// The triangles in the world. −1 with them where the map mirrors; a flat map (determinant 0) does not.
pub fn baked(instance: &EmissiveInstance, triangles: &[EmissiveTriangle]) -> (Vec<EmissiveTriangle>, f32) {
    let transform = &instance.transform;
    let place = |t: &EmissiveTriangle| EmissiveTriangle { p: t.p.map(|p| transform.transform_point3(p)), ..*t };
    let front = if linear(transform).determinant() < 0.0 { -1.0 } else { 1.0 };
    (triangles.iter().map(place).collect(), front)
}

/// Bounds of a lamp in the upper tree; `None` if it is dark.
pub fn lamp_bounds(lamp: &Lamp) -> Option<LightBounds> {
    let intensity = luminance(lamp.intensity);
    let cone = lamp.cone().map_or(Cone::SPHERE, |cone| Cone {
        axis: cone.axis,
        theta_o: cone.inner,
        theta_e: (cone.outer - cone.inner).min(PI),
        two_sided: false,
    });
    (intensity > 0.0).then_some(LightBounds { min: lamp.position, max: lamp.position, cone, intensity })
}

/// A cone around the normals of `cone` after a map, whose cofactor matrix C takes normals along.
///
/// n = a cos θ + b sin θ with b across a; C n has at least |C a| cos θ − |C| sin θ along C a and at most |C| sin θ across.
fn mapped_cone(cone: &Cone, linear: &DMat3, cofactor: &DMat3) -> Cone {
    let mirror = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    let mapped = *cofactor * cone.axis.as_dvec3();
    let Some(axis) = mapped.try_normalize().map(|axis| (axis * mirror).as_vec3()) else { return Cone::SPHERE };
    if evenness(linear) >= SIMILAR {
        return Cone { axis, theta_e: FRAC_PI_2, ..*cone };
    }
    let (sin, cos) = f64::from(cone.theta_o).sin_cos();
    let across = frobenius(cofactor) * sin;
    let along = mapped.length() * cos - across;
    // Nothing is known of a cone wider than a hemisphere: all directions.
    let theta_o = if along > 0.0 { across.atan2(along) as f32 } else { PI };
    Cone { axis, theta_o, theta_e: FRAC_PI_2, ..*cone }
}

fn linear(transform: &Affine3A) -> DMat3 {
    let m = &transform.matrix3;
    DMat3::from_cols(m.x_axis.as_dvec3(), m.y_axis.as_dvec3(), m.z_axis.as_dvec3())
}

/// The matrix that maps cross products along: C(a × b) = Ma × Mb.
fn cofactor(m: &DMat3) -> DMat3 {
    DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

fn frobenius(m: &DMat3) -> f64 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

/// Product of the singular values over their quadratic mean cubed: 1 for similarities, 0 for flat maps.
fn evenness(m: &DMat3) -> f64 {
    m.determinant().abs() / (frobenius(m) / 3.0_f64.sqrt()).powi(3)
}
