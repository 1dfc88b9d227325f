//! `bvh` with and without SIMD finds exactly what testing every triangle finds.

use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use scrutineer::geometry::Ray;
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::mask;

use super::scenes::*;

fn assert_same(accels: &[Accel], ray: &Ray, bits: u8) {
    let [judge, others @ ..] = accels else { panic!("nothing to compare") };
    let hit = judge.closest(ray, bits);
    for other in others {
        assert_eq!(other.closest(ray, bits), hit, "{} against {}, {ray:?}", other.name(), judge.name());
        assert_eq!(other.occluded(ray, bits), hit.is_some(), "{} occluded, {ray:?}", other.name());
    }
}

#[test]
fn on_mixed_instances_and_masks() {
    let mut random = Random(1);
    let (meshes, instances) = mixed(&mut random);
    let accels = ours(&meshes, &instances);
    let mut hits = 0;
    for ray in rays(&meshes, &instances, 5.0, 4000, &mut random) {
        for bits in [mask::ALL, 1, 6, 0] {
            assert_same(&accels, &ray, bits);
        }
        hits += usize::from(accels[0].closest(&ray, mask::ALL).is_some());
    }
    assert!(hits > 2000, "only {hits} hits say something");
}

#[test]
fn at_tiny_and_huge_scales_and_far_away() {
    for (scale, offset) in [(1e-4, 0.0), (1e-2, 10.0), (1.0, 1e4), (1e3, 0.0), (1e6, 1e6), (1e-4, 1e6)] {
        let mut random = Random(2);
        let meshes = [soup(400, scale, 0.3 * scale, &mut random), sphere(8)];
        let far = Vec3::splat(offset);
        let instances = [
            place(0, Affine3A::from_translation(far)),
            place(
                1,
                Affine3A::from_scale_rotation_translation(Vec3::splat(scale), glam::Quat::from_rotation_x(1.0), far),
            ),
        ];
        let accels = ours(&meshes, &instances);
        for mut ray in rays(&meshes, &instances, 2.0 * scale, 600, &mut random) {
            assert_same(&accels, &ray, mask::ALL);
            ray.origin += far;
            assert_same(&accels, &ray, mask::ALL);
        }
    }
}

#[test]
fn on_slivers_and_axis_parallel_rays() {
    let mut random = Random(3);
    let mut slivers = soup(200, 1.0, 1.0, &mut random);
    for i in 0..200 {
        slivers.positions[3 * i + 2] =
            slivers.positions[3 * i].lerp(slivers.positions[3 * i + 1], 0.5) + random.point(1e-6);
    }
    let meshes = [slivers, cube(), quad()];
    let instances = [place(0, Affine3A::IDENTITY), place(1, Affine3A::IDENTITY), place(2, Affine3A::IDENTITY)];
    let accels = ours(&meshes, &instances);
    for ray in rays(&meshes, &instances, 3.0, 1500, &mut random) {
        assert_same(&accels, &ray, mask::ALL);
    }
    // In the planes of faces and boxes, with directions of ±0.
    for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        for signs in 0..8 {
            let zeros = Vec3::new(
                if signs & 1 == 0 { 0.0 } else { -0.0 },
                if signs & 2 == 0 { 0.0 } else { -0.0 },
                if signs & 4 == 0 { 0.0 } else { -0.0 },
            );
            let direction = Vec3::select(axis.cmpeq(Vec3::ZERO), zeros, axis);
            for grid in 0..125 {
                let at = Vec3::new((grid % 5) as f32, (grid / 5 % 5) as f32, (grid / 25) as f32) * 0.5 - 1.0;
                assert_same(&accels, &ray(at - 3.0 * axis, direction), mask::ALL);
                assert_same(&accels, &ray(at, direction), mask::ALL);
            }
        }
    }
}

#[test]
fn rays_that_are_none_hit_nothing() {
    let accels = ours(&[sphere(6)], &[place(0, Affine3A::IDENTITY)]);
    let sound = ray(Vec3::ZERO, Vec3::X);
    let broken = [
        Ray { origin: Vec3::NAN, ..sound },
        Ray { origin: Vec3::new(0.0, f32::INFINITY, 0.0), ..sound },
        Ray { direction: Vec3::new(f32::NAN, 1.0, 0.0), ..sound },
        Ray { direction: Vec3::INFINITY, ..sound },
        Ray { direction: Vec3::ZERO, ..sound },
        Ray { t_min: f32::NAN, ..sound },
        Ray { t_max: f32::NAN, ..sound },
        Ray { t_min: 3.0, t_max: 2.0, ..sound },
        Ray { t_max: -1.0, ..sound },
    ];
    for accel in &accels {
        assert!(accel.closest(&sound, mask::ALL).is_some());
        for ray in &broken {
            assert_eq!(accel.closest(ray, mask::ALL), None, "{} {ray:?}", accel.name());
            assert!(!accel.occluded(ray, mask::ALL), "{} {ray:?}", accel.name());
        }
    }
}

#[test]
fn the_range_includes_both_ends() {
    for accel in &ours(&[quad()], &[place(0, Affine3A::IDENTITY)]) {
        let down = ray(Vec3::new(0.25, 2.0, 0.5), Vec3::NEG_Y);
        for (t_min, t_max, met) in
            [(2.0, 2.0, true), (0.0, 2.0, true), (2.0, 9.0, true), (0.0, 1.999, false), (2.001, 9.0, false)]
        {
            let ray = Ray { t_min, t_max, ..down };
            assert_eq!(accel.closest(&ray, mask::ALL).is_some(), met, "{} {t_min}..{t_max}", accel.name());
            assert_eq!(accel.occluded(&ray, mask::ALL), met, "{} {t_min}..{t_max}", accel.name());
        }
    }
}

#[test]
fn nothing_is_hit_where_nothing_is() {
    let flat = [
        Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)),
        Affine3A::from_scale(Vec3::ZERO),
        Affine3A::from_scale(Vec3::NAN),
        Affine3A::from_translation(Vec3::splat(f32::INFINITY)),
    ];
    let singular = flat.map(|transform| place(0, transform));
    let line = mesh(
        vec![Vec3::ZERO, Vec3::X, Vec3::X * 0.3, Vec3::NAN],
        vec![[0, 1, 2], [0, 0, 1], [1, 1, 1], [0, 1, 3], [0, 1, 9]],
    );
    let scenes = [
        (vec![], vec![]),
        (vec![quad()], vec![]),
        (vec![mesh(vec![], vec![])], vec![place(0, Affine3A::IDENTITY)]),
        (vec![quad()], vec![place(1, Affine3A::IDENTITY)]),
        (vec![quad()], singular.to_vec()),
        (vec![line], vec![place(0, Affine3A::IDENTITY)]),
    ];
    let mut random = Random(4);
    for (meshes, instances) in &scenes {
        for accel in &ours(meshes, instances) {
            assert!(accel.bounds().is_empty(), "{}", accel.name());
            for _ in 0..100 {
                let ray = ray_to(random.point(3.0), Vec3::X * random.unit());
                assert_eq!(accel.closest(&ray, mask::ALL), None, "{} {ray:?}", accel.name());
                assert!(!accel.occluded(&ray, mask::ALL));
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_hits() {
    let mut random = Random(5);
    let meshes = [soup(60_000, 1.0, 0.02, &mut random), sphere(40)];
    let instances = [place(0, Affine3A::IDENTITY), place(1, Affine3A::from_scale(Vec3::splat(0.5)))];
    let one = Accel::build(&meshes, &instances, Backend::Bvh, 1).unwrap();
    let rays = rays(&meshes, &instances, 2.0, 3000, &mut random);
    for threads in [2, 3, 7] {
        let many = Accel::build(&meshes, &instances, Backend::Bvh, threads).unwrap();
        assert_eq!(many.memory(), one.memory());
        for ray in &rays {
            assert_eq!(many.closest(ray, mask::ALL), one.closest(ray, mask::ALL));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Coordinates from a coarse grid make coplanar, collinear, coincident and axis-parallel cases common.
    #[test]
    fn on_a_coarse_grid(
        points in prop::collection::vec((-3i8..=3, -3i8..=3, -3i8..=3), 3..60),
        from in (-5i8..=5, -5i8..=5, -5i8..=5),
        to in (-3i8..=3, -3i8..=3, -3i8..=3),
    ) {
        let at = |(x, y, z): (i8, i8, i8)| Vec3::new(x.into(), y.into(), z.into());
        prop_assume!(from != to);
        let count = points.len() as u32 / 3;
        let indices = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let grid = mesh(points.into_iter().map(at).collect(), indices);
        let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 2.0));
        let accels = ours(&[grid], &[place(0, Affine3A::IDENTITY), place(0, mirrored)]);
        assert_same(&accels, &ray(at(from), at(to) - at(from)), mask::ALL);
        assert_same(&accels, &ray_to(at(from), at(to)), mask::ALL);
    }
}
