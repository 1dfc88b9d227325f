//! What traversal keeps of an instance.

use glam::{DAffine3, DMat3, Mat3, Vec3};

use crate::geometry::mesh::Instance;

/// World to object, 52 bytes an instance. The origin is subtracted before the linear part is applied: far from the
/// world's origin, a ray close to the instance keeps all its bits.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Placement {
    /// Inverse of the transform's linear part.
    pub inverse: Mat3,
    /// The object's origin in the world.
    pub origin: Vec3,
    pub mesh: u32,
}

impl Placement {
    /// `None` where rays cannot be taken into object space: the transform is singular (a scale of 0) or not finite.
    /// Such an instance has no volume and is never hit.
    pub fn new(instance: &Instance) -> Option<Self> {
        let inverse = f64_transform(instance).matrix3.try_inverse()?.as_mat3();
        let origin = Vec3::from(instance.transform.translation);
        let usable = inverse.is_finite() && origin.is_finite();
        usable.then_some(Self { inverse, origin, mesh: instance.mesh })
    }

    /// Stands for an instance that is never hit.
    pub const NOWHERE: Self = Self { inverse: Mat3::ZERO, origin: Vec3::ZERO, mesh: 0 };

    #[inline(always)]
    pub fn direction_to_object(&self, d: Vec3) -> Vec3 {
        let m = &self.inverse;
        // Written out, so that packets can do the same operations in the same order.
        Vec3::new(
            m.x_axis.x * d.x + m.y_axis.x * d.y + m.z_axis.x * d.z,
            m.x_axis.y * d.x + m.y_axis.y * d.y + m.z_axis.y * d.z,
            m.x_axis.z * d.x + m.y_axis.z * d.y + m.z_axis.z * d.z,
        )
    }

    #[inline(always)]
    pub fn point_to_object(&self, p: Vec3) -> Vec3 {
        self.direction_to_object(p - self.origin)
    }

    /// How much larger (in the world) than the ray's own rounding the error of its object space twin can be:
    /// ‖|L|·|L⁻¹|‖∞.
    pub fn condition(&self, instance: &Instance) -> f32 {
        let forward = absolute(f64_transform(instance).matrix3);
        let rows = forward * absolute(self.inverse.as_dmat3()) * glam::DVec3::ONE;
        rows.max_element() as f32
    }
}

/// The instance's transform in f64.
pub fn f64_transform(instance: &Instance) -> DAffine3 {
    let m = instance.transform.matrix3;
    DAffine3 {
        matrix3: DMat3::from_cols(
            Vec3::from(m.x_axis).as_dvec3(),
            Vec3::from(m.y_axis).as_dvec3(),
            Vec3::from(m.z_axis).as_dvec3(),
        ),
        translation: Vec3::from(instance.transform.translation).as_dvec3(),
    }
}

fn absolute(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3A, Quat};

    fn instance(transform: Affine3A) -> Instance {
        Instance { mesh: 0, material: 0, transform, variation: [0; 3], mask: 1 }
    }

    #[test]
    fn is_small() {
        assert_eq!(size_of::<Placement>(), 52);
    }

    #[test]
    fn refuses_what_has_no_inverse() {
        for scale in [Vec3::new(1.0, 0.0, 1.0), Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::splat(1e-20)] {
            let found = Placement::new(&instance(Affine3A::from_scale(scale)));
            assert!(found.is_none() || scale == Vec3::splat(1e-20), "{scale}");
        }
        assert!(Placement::new(&instance(Affine3A::from_translation(Vec3::splat(f32::INFINITY)))).is_none());
    }

    #[test]
    fn undoes_the_transform_far_from_the_origin() {
        let transform =
            Affine3A::from_scale_rotation_translation(Vec3::ONE, Quat::from_rotation_y(0.7), Vec3::splat(1e4));
        let found = Placement::new(&instance(transform)).unwrap();
        let p = found.point_to_object(Vec3::new(1e4 + 0.5, 1e4, 1e4));
        assert!((p.length() - 0.5).abs() < 1e-6, "{p}");
    }

    #[test]
    fn condition_is_1_for_scales_and_at_most_3_for_rotations() {
        let of = |t| Placement::new(&instance(t)).unwrap().condition(&instance(t));
        assert!((of(Affine3A::from_scale(Vec3::new(1.0, 5.0, 100.0))) - 1.0).abs() < 1e-6);
        let turned = of(Affine3A::from_quat(Quat::from_rotation_x(0.6) * Quat::from_rotation_y(0.9)));
        assert!(turned > 1.0 && turned <= 3.0 + 1e-6, "{turned}");
    }
}
