//! Rays that leave a surface do not meet the triangle that they leave, near the origin, 10 km away, tiny or huge.

use glam::{Affine3A, Quat, Vec3};
use scrutineer::geometry::Ray;
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::mask;
use scrutineer::geometry::offset::{position_error, spawn_origin};

use super::scenes::*;

/// Of `count` rays that leave random points of random triangles: how many meet their own triangle, and the largest
/// distance that an origin was moved by.
fn self_hits(transform: Affine3A, size: f32, count: usize) -> (usize, f32) {
    let mut random = Random(10);
    let (mut hits, mut farthest) = (0, 0.0_f32);
    for _ in 0..count / 50 {
        let corners = [0; 3].map(|_| random.point(size));
        let placed = [place(0, transform)];
        let accel = Accel::build(&[mesh(corners.to_vec(), vec![[0, 1, 2]])], &placed, Backend::Brute, 1).unwrap();
        let error = position_error(corners, &transform);
        let [a, b, c] = corners.map(|p| transform.transform_point3(p).as_dvec3());
        let ng = (b - a).cross(c - a).normalize().as_vec3();
        for i in 0..50 {
            let (u, v) = (random.unit() * 0.5, random.unit() * 0.5);
            let p = transform.transform_point3(corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v);
            // Half of them graze.
            let direction = random.direction();
            let direction = if i % 2 == 0 { direction } else { direction - ng * direction.dot(ng) * (1.0 - 1e-3) };
            let direction = direction.normalize();
            let origin = spawn_origin(p, error, ng, direction);
            farthest = farthest.max(origin.distance(p));
            hits += usize::from(accel.occluded(&Ray { origin, ..ray(p, direction) }, mask::ALL));
        }
    }
    (hits, farthest)
}

#[test]
fn rays_do_not_meet_the_triangle_they_leave() {
    let turned = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, 2.0);
    let far = Vec3::new(1e4, 30.0, -7e3);
    let cases = [
        (Affine3A::IDENTITY, 1.0, 1e-5),
        (Affine3A::from_rotation_translation(turned, Vec3::ONE), 1.0, 2e-5),
        (Affine3A::from_scale_rotation_translation(Vec3::new(1.0, -3.0, 0.2), turned, Vec3::ONE), 1.0, 1e-4),
        // 10 km away an ulp is a millimetre; a few of them are enough.
        (Affine3A::from_rotation_translation(turned, far), 1.0, 1e-2),
        (Affine3A::IDENTITY, 1e-4, 1e-9),
        (Affine3A::IDENTITY, 1e6, 10.0),
    ];
    for (transform, size, allowed) in cases {
        let (hits, farthest) = self_hits(transform, size, 20_000);
        assert_eq!(hits, 0, "{transform:?} {size}");
        assert!(farthest < allowed, "{farthest} {transform:?} {size}");
    }
}

/// What the offset is for: without it, many do.
#[test]
fn rays_from_the_bare_position_do_meet_it() {
    let transform = Affine3A::from_rotation_translation(Quat::from_rotation_x(0.7), Vec3::splat(1e3));
    let mut random = Random(11);
    let scene = sphere(20);
    let accel = Accel::build(std::slice::from_ref(&scene), &[place(0, transform)], Backend::Bvh, 1).unwrap();
    let (mut bare, mut offset) = (0, 0);
    for _ in 0..2000 {
        let Some(hit) = accel.closest(&ray_to(transform.translation.into(), random.point(3.0)), mask::ALL) else {
            continue;
        };
        let corners = scene.indices[hit.primitive as usize].map(|i| scene.positions[i as usize]);
        let object = corners[0] * (1.0 - hit.u - hit.v) + corners[1] * hit.u + corners[2] * hit.v;
        let p = transform.transform_point3(object);
        let outward = transform.transform_vector3(object).normalize();
        let [a, b, c] = corners.map(|p| transform.transform_vector3(p));
        let ng = (b - a).cross(c - a).normalize();
        bare += usize::from(accel.occluded(&ray(p, outward), mask::ALL));
        let origin = spawn_origin(p, position_error(corners, &transform), ng, outward);
        offset += usize::from(accel.occluded(&ray(origin, outward), mask::ALL));
    }
    assert!(bare > 100, "{bare}");
    assert_eq!(offset, 0);
}
