//! What each light brings to a surface.

use std::f32::consts::PI;

use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};
use scrutineer::light::{EmissiveMesh, EmissiveTriangle, LightFrom, LightsDescription, Punctual, PunctualKind};

use crate::tools::{Estimate, Random, irradiance, polygon_irradiance};
use crate::{build, facing, placed, quad, sphere, sun, triangles_irradiance};

#[test]
fn a_sun_of_any_size_brings_its_irradiance() {
    for diameter in [0.0, 0.53, 20.0, 60.0] {
        for tilt in [0.0_f32, 0.5, 1.0] {
            let toward = Vec3::new(0.3, 0.8, 0.5).normalize();
            let n = Quat::from_axis_angle(toward.any_orthonormal_vector(), tilt) * toward;
            let lights = build(&LightsDescription { sun: Some(sun(toward, diameter)), ..Default::default() });
            let expected = 20.0 * f64::from(tilt.cos());
            irradiance(&lights, &facing(n), n, 0.0, 100_000).assert_is(expected, &format!("sun of {diameter} degrees"));
        }
    }
}

#[test]
fn rays_that_see_the_disc_gather_its_irradiance() {
    for (diameter, height) in [(0.53, 3e-5), (20.0, 0.03), (180.0, 2.0)] {
        let toward = Vec3::new(0.3, 0.8, 0.5).normalize();
        let lights = build(&LightsDescription { sun: Some(sun(toward, diameter)), ..Default::default() });
        let mut random = Random(5);
        let seen = Estimate::of(1_000_000, || {
            let wi = random.direction_near(toward, height);
            let mut sum = 0.0;
            lights.infinite(None, wi, |light| sum += f64::from(light.radiance.x * toward.dot(wi).max(0.0)));
            sum * f64::from(2.0 * PI * height)
        });
        seen.assert_is(20.0, &format!("sun of {diameter} degrees"));
    }
}

#[test]
fn lamps_light_a_plane_as_their_definitions_say() {
    let position = Vec3::new(1.0, 2.0, 0.5);
    let intensity = Vec3::splat(9.0);
    let direction = Vec3::new(0.0, -1.0, 0.1);
    let d2 = f64::from(position.length_squared());
    let cos = f64::from(position.normalize().y);
    let axis = f64::from(direction.normalize().dot(-position.normalize()));
    let (inner, outer) = (0.2_f32, 1.2_f32);
    let ramp = (axis - f64::from(outer.cos())) / f64::from(inner.cos() - outer.cos());
    let cases = [
        (PunctualKind::Point { position, intensity }, 9.0 * cos / d2),
        (PunctualKind::Spot { position, direction, intensity, inner, outer }, 9.0 * cos / d2 * ramp * ramp),
        (PunctualKind::Directional { direction, irradiance: intensity }, 9.0 * -f64::from(direction.normalize().y)),
    ];
    for (kind, expected) in cases {
        let punctual = vec![Punctual { kind, group: 0 }];
        let lights = build(&LightsDescription { punctual, ..Default::default() });
        irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 0.0, 100).assert_is(expected, &format!("{kind:?}"));
        let every: Vec<_> = lights.delta_lights(Vec3::ZERO).collect();
        assert_eq!(every.len(), 1);
        assert!(every[0].delta && every[0].pdf == 1.0);
    }
}

#[test]
fn a_rectangle_follows_lamberts_formula_from_near_to_far() {
    for (height, tilt) in [(0.05_f32, 0.0), (1.0, 0.7), (30.0, 0.3)] {
        let (center, u) = (Vec3::new(0.3, height, 0.1), Vec3::new(1.0, 0.0, 0.0));
        let v = Vec3::new(0.0, 0.02 * tilt, 1.0);
        let (mesh, instance) = quad(0, center, u, v);
        let corners = [center - u - v, center + u - v, center + u + v, center - u + v].map(Vec3::as_dvec3);
        let expected = 3.0 * polygon_irradiance(&corners, DVec3::Y);
        let description =
            LightsDescription { emissive_meshes: vec![mesh], emitters: vec![instance], ..Default::default() };
        // u × v points down: toward the surface.
        let lights = build(&description);
        irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 3.0, 2_000_000).assert_is(expected, &format!("at {height}"));
        let behind = LightFrom { p: center + Vec3::Y, n: None };
        assert!(lights.sample(&behind, [0.5; 4]).is_none(), "it shines from its front only");
    }
}

#[test]
fn placed_spheres_light_as_their_triangles_do() {
    let mesh = sphere(4, 3);
    let similar = Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.7),
        Quat::from_rotation_x(1.0),
        Vec3::new(0.5, 2.0, 0.0),
    );
    let skewed = Affine3A::from_mat3_translation(
        Mat3::from_cols(Vec3::new(3.0, 0.5, 0.0), Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.4, 0.0, 1.0)),
        Vec3::new(1.0, 2.5, -1.0),
    );
    for transform in [similar, skewed] {
        let description = LightsDescription {
            emissive_meshes: vec![mesh.clone()],
            emitters: vec![placed(0, 4, transform)],
            ..Default::default()
        };
        let expected = triangles_irradiance(&mesh, &transform, Vec3::Y);
        irradiance(&build(&description), &facing(Vec3::Y), Vec3::Y, 1.0, 3_000_000).assert_is(expected, "sphere");
    }
}

/// A mirrored instance keeps its front where the mesh's was: a sphere shines outward.
#[test]
fn mirrored_instances_shine_to_the_same_side() {
    let transform =
        Affine3A::from_scale_rotation_translation(Vec3::new(-1.0, 0.8, 1.2), Quat::IDENTITY, Vec3::new(0.0, 3.0, 0.0));
    let mesh = sphere(0, 3);
    let description = LightsDescription {
        emissive_meshes: vec![mesh.clone()],
        emitters: vec![placed(0, 0, transform)],
        ..Default::default()
    };
    let turned: Vec<_> =
        mesh.triangles.iter().map(|t| EmissiveTriangle { p: [t.p[0], t.p[2], t.p[1]], ..*t }).collect();
    let expected = triangles_irradiance(&EmissiveMesh { mesh: 0, triangles: turned }, &transform, Vec3::Y);
    irradiance(&build(&description), &facing(Vec3::Y), Vec3::Y, 1.0, 3_000_000).assert_is(expected, "mirrored sphere");
}

/// A box squeezed to nothing along one axis still has two faces; its other sides have no area left.
#[test]
fn an_instance_of_no_thickness_shines_without_nan() {
    let (mut mesh, _) = quad(0, Vec3::new(0.0, 0.5, 0.0), Vec3::X, Vec3::Z);
    let side = [Vec3::new(1.0, -0.5, 0.0), Vec3::new(1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 1.0)];
    mesh.triangles.push(EmissiveTriangle { primitive: 2, p: side, radiance: 3.0 });
    mesh.triangles.push(EmissiveTriangle { primitive: 3, p: [Vec3::ONE; 3], radiance: 3.0 });
    let flat =
        Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 0.0, 1.0), Quat::IDENTITY, Vec3::new(0.0, 2.0, 0.0));
    let description =
        LightsDescription { emissive_meshes: vec![mesh], emitters: vec![placed(0, 0, flat)], ..Default::default() };
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| DVec3::new(x, 2.0, z));
    let lights = build(&description);
    let expected = 3.0 * polygon_irradiance(&corners, DVec3::Y);
    irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 3.0, 400_000).assert_is(expected, "flat instance");
    assert_eq!(lights.pdf_emitter(&facing(Vec3::Y), 0, 2, Vec3::Y, 2.0), 0.0);
    assert_eq!(lights.pdf_emitter(&facing(Vec3::Y), 0, 3, Vec3::Y, 2.0), 0.0);
}
