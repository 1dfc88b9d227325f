//! A packet hits, bit for bit, what its rays hit.

use glam::{Affine3A, Quat, Vec3};
use scrutineer::geometry::Ray;
use scrutineer::geometry::accel::Accel;
use scrutineer::geometry::mesh::mask;

use super::scenes::*;

fn assert_same(accel: &Accel, rays: &[Ray], bits: u8) -> usize {
    let mut hits = vec![None; rays.len()];
    accel.closest_packet(rays, bits, &mut hits);
    for (ray, hit) in rays.iter().zip(&hits) {
        assert_eq!(accel.closest(ray, bits), *hit, "{} {ray:?}", accel.name());
    }
    hits.iter().flatten().count()
}

/// Rays from about `eye` to about `target`.
fn beam(eye: Vec3, target: Vec3, lens: f32, spread: f32, count: usize, random: &mut Random) -> Vec<Ray> {
    (0..count).map(|_| ray_to(eye + random.point(lens), target + random.point(spread))).collect()
}

#[test]
fn of_coherent_rays() {
    let mut random = Random(30);
    let (meshes, instances) = mixed(&mut random);
    for accel in &ours(&meshes, &instances)[1..] {
        let mut hits = 0;
        for _ in 0..300 {
            let (eye, target) = (random.point(6.0), random.point(3.0));
            for (lens, spread) in [(0.0, 0.01), (0.02, 0.05), (0.0, 0.5), (0.5, 0.5)] {
                hits += assert_same(accel, &beam(eye, target, lens, spread, 16, &mut random), mask::ALL);
            }
        }
        assert!(hits > 5000, "{hits}");
    }
}

#[test]
fn of_any_length_with_any_rays_and_ranges() {
    let mut random = Random(31);
    let (meshes, instances) = mixed(&mut random);
    for accel in &ours(&meshes, &instances) {
        for count in [0, 1, 5, 15, 16, 17, 40] {
            let mut rays = beam(random.point(5.0), Vec3::ZERO, 0.01, 0.1, count, &mut random);
            for (i, ray) in rays.iter_mut().enumerate() {
                match i % 5 {
                    0 => (ray.t_min, ray.t_max) = (1.0 + random.unit(), 4.0),
                    1 => ray.t_max = 3.0 * random.unit(),
                    2 if i % 3 == 0 => ray.origin = Vec3::NAN,
                    3 if i % 7 == 0 => ray.direction = Vec3::ZERO,
                    _ => {}
                }
            }
            for bits in [mask::ALL, 2, 0] {
                assert_same(accel, &rays, bits);
            }
        }
        assert_same(accel, &rays(&meshes, &instances, 5.0, 400, &mut random), mask::ALL);
    }
}

#[test]
fn of_axis_parallel_rays_at_edges_and_vertices() {
    let mut random = Random(32);
    let turned = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.5), Vec3::X * 3.0);
    let (meshes, instances) = ([cube(), quad()], [place(0, Affine3A::IDENTITY), place(1, turned)]);
    for accel in &ours(&meshes, &instances)[1..] {
        for axis in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
            let grid = |i: usize| Vec3::new((i % 4) as f32 - 1.0, (i / 4) as f32 - 1.0, (i % 3) as f32 - 1.0);
            assert_same(accel, &(0..16).map(|i| ray(grid(i) - axis * 4.0, axis)).collect::<Vec<_>>(), mask::ALL);
        }
        for _ in 0..200 {
            let eye = random.point(5.0);
            let corner = |_| meshes[0].positions[random.below(8)];
            assert_same(accel, &(0..16).map(corner).map(|p| ray_to(eye, p)).collect::<Vec<_>>(), mask::ALL);
        }
    }
}
