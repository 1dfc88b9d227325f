//! How decals reach a G-buffer: families/world-glass-decals.md, last section. Pure functions.
//!
//! ```text
//! albedo    ← lerp(albedo, target0.rgb, target0.a)
//! normal    ← normalize(lerp(normal, target1.rgb, target1.a));  raw as it was at target1.a = 0
//! roughness ← lerp(roughness, 1 − target2.r, target2.a)
//! occlusion ← lerp(occlusion, 1 − target2.g, target2.a)
//! ```
//!
//! target2.b is not used; metalness and emission are unchanged. Weights are taken as written: nothing is clamped.

use glam::Vec4Swizzles;

use crate::gbuffer::{DecalTargets, GBuffer};
use crate::material::ops::math::{lerp, lerp3, sat};
use crate::scene::world::DecalComposite;

/// Lays one decal's targets over a receiver's G-buffer. Returns the largest weight that it wrote with, 0..1.
pub fn over(receiver: &mut GBuffer, targets: &DecalTargets, how: DecalComposite) -> f32 {
    let DecalTargets { target0, target1, target2 } = *targets;
    if how == DecalComposite::None {
        return 0.0;
    }
    receiver.albedo = lerp3(receiver.albedo, target0.xyz(), target0.w);
    if how == DecalComposite::Albedo {
        return sat(target0.w);
    }
    if target1.w != 0.0 {
        // Opposite normals at half weight leave no direction: the receiver's stays.
        receiver.normal = lerp3(receiver.normal, target1.xyz(), target1.w).normalize_or(receiver.normal);
    }
    receiver.roughness = lerp(receiver.roughness, 1.0 - target2.x, target2.w);
    receiver.ambient_occlusion = lerp(receiver.ambient_occlusion, 1.0 - target2.y, target2.w);
    sat(target0.w.max(target1.w).max(target2.w))
}

/// The targets of a mesh decal. A material that is no deferred decal by family, but by `kind = "mesh_decal"`, covers with its
/// coverage: colour, normal, roughness and occlusion each at that weight.
pub fn targets(decal: &GBuffer) -> DecalTargets {
    decal.decal.unwrap_or_else(|| {
        let weight = sat(decal.coverage);
        DecalTargets {
            target0: decal.albedo.extend(weight),
            target1: decal.normal.extend(weight),
            target2: glam::Vec4::new(1.0 - decal.roughness, 1.0 - decal.ambient_occlusion, 0.5, weight),
        }
    })
}

/// The weight of everything written so far (`before`) and one more layer: what is left of the receiver is the product of what
/// each layer leaves.
pub fn joined_weight(before: f32, layer: f32) -> f32 {
    1.0 - (1.0 - before) * (1.0 - layer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Vec4, vec3, vec4};

    fn wall() -> GBuffer {
        GBuffer {
            metalness: 0.3,
            roughness: 0.8,
            ambient_occlusion: 0.5,
            emission: vec3(1.0, 2.0, 3.0),
            ..GBuffer::new(vec3(0.2, 0.4, 0.6), vec3(0.0, 0.0, -2.0))
        }
    }

    fn targets_of(target0: Vec4, target1: Vec4, target2: Vec4) -> DecalTargets {
        DecalTargets { target0, target1, target2 }
    }

    #[test]
    fn each_target_acts_by_its_own_weight() {
        let mut g = wall();
        let t = targets_of(vec4(1.0, 0.0, 0.2, 0.25), vec4(1.0, 0.0, 0.0, 0.5), vec4(0.9, 0.25, 0.5, 0.75));
        assert_eq!(over(&mut g, &t, DecalComposite::Over), 0.75);
        assert!(g.albedo.abs_diff_eq(vec3(0.4, 0.3, 0.5), 1e-6), "{}", g.albedo);
        // (0, 0, −2) and (1, 0, 0) at one half: (0.5, 0, −1), normalised.
        assert!(g.normal.abs_diff_eq(vec3(0.5, 0.0, -1.0).normalize(), 1e-6), "{}", g.normal);
        assert!((g.roughness - 0.275).abs() < 1e-6 && (g.ambient_occlusion - 0.6875).abs() < 1e-6);
        assert_eq!((g.metalness, g.emission), (0.3, vec3(1.0, 2.0, 3.0)));
    }

    #[test]
    fn a_normal_of_no_weight_stays_raw() {
        let mut g = wall();
        let t = targets_of(Vec4::ZERO, vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 0.0, 0.5, 1.0));
        over(&mut g, &t, DecalComposite::Over);
        assert_eq!(g.normal, vec3(0.0, 0.0, -2.0));
        // A decal without NAO writes target2.g = 0: the occlusion is lifted to 1 where it covers.
        assert_eq!((g.roughness, g.ambient_occlusion, g.albedo), (1.0, 1.0, wall().albedo));
    }

    #[test]
    fn opposite_normals_leave_the_receivers() {
        let mut g = GBuffer::new(Vec3::ONE, Vec3::Y);
        over(&mut g, &targets_of(Vec4::ZERO, vec4(0.0, -1.0, 0.0, 0.5), Vec4::ZERO), DecalComposite::Over);
        assert_eq!(g.normal, Vec3::Y);
    }

    #[test]
    fn the_switch_limits_what_is_written() {
        let t = targets_of(vec4(1.0, 1.0, 1.0, 0.5), vec4(1.0, 0.0, 0.0, 1.0), vec4(1.0, 1.0, 0.5, 1.0));
        let mut g = wall();
        assert_eq!(over(&mut g, &t, DecalComposite::None), 0.0);
        assert_eq!(g, wall());
        assert_eq!(over(&mut g, &t, DecalComposite::Albedo), 0.5);
        assert!(g.albedo.abs_diff_eq(vec3(0.6, 0.7, 0.8), 1e-6));
        assert_eq!(g, GBuffer { albedo: g.albedo, ..wall() });
    }

    #[test]
    fn layers_leave_the_product_of_what_each_leaves() {
        assert_eq!(joined_weight(joined_weight(0.0, 0.5), 0.5), 0.75);
        assert_eq!(joined_weight(1.0, 0.3), 1.0);
    }

    #[test]
    fn a_plain_material_covers_by_its_coverage() {
        let plain = GBuffer { coverage: 0.5, roughness: 0.25, ..GBuffer::new(Vec3::X, Vec3::Y) };
        let t = targets(&plain);
        assert_eq!((t.target0, t.target1), (vec4(1.0, 0.0, 0.0, 0.5), vec4(0.0, 1.0, 0.0, 0.5)));
        assert_eq!(t.target2, vec4(0.75, 0.0, 0.5, 0.5));
    }
}
