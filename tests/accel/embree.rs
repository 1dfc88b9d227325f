//! Embree, where it is installed, agrees with the judge as far as its own rounding allows.

use glam::{Affine3A, Vec3};
use scrutineer::geometry::Hit;
use scrutineer::geometry::accel::{Accel, AccelError, Backend};
use scrutineer::geometry::mesh::{Instance, Mesh, mask};

use super::scenes::*;

/// `None`, said loudly, where the library is not installed; SCRUTINEER_NO_SKIP=1 makes that a failure.
fn embree(meshes: &[Mesh], instances: &[Instance]) -> Option<Accel> {
    match Accel::build(meshes, instances, Backend::Embree, 2) {
        Ok(accel) => Some(accel),
        Err(error @ AccelError::EmbreeMissing { .. }) => {
            assert!(std::env::var_os("SCRUTINEER_NO_SKIP").is_none_or(|v| v != "1"), "{error}");
            eprintln!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Same triangle, and the same place but for rounding.
fn same(a: &Hit, b: &Hit) -> bool {
    (a.instance, a.primitive) == (b.instance, b.primitive) && (a.t - b.t).abs() <= 1e-5 * (1.0 + b.t)
}

#[test]
fn agrees_on_mixed_instances_and_masks() {
    let mut random = Random(20);
    let (meshes, instances) = mixed(&mut random);
    let Some(embree) = embree(&meshes, &instances) else { return };
    assert!(embree.name().starts_with("embree-4."), "{}", embree.name());
    assert!(embree.memory().meshes > 0 && embree.memory().instances > 0);
    let [brute, bvh, _] = ours(&meshes, &instances);
    assert!((embree.bounds().min - bvh.bounds().min).abs().max_element() < 1e-5);
    let rays = rays(&meshes, &instances, 5.0, 5000, &mut random);
    let mut differ = 0;
    for ray in &rays {
        for bits in [mask::ALL, 1, 6] {
            let (hit, expected) = (embree.closest(ray, bits), brute.closest(ray, bits));
            let agrees = match (&hit, &expected) {
                (Some(hit), Some(expected)) => same(hit, expected),
                (hit, expected) => hit.is_some() == expected.is_some(),
            };
            differ += usize::from(!agrees);
        }
        assert_eq!(embree.closest(ray, 0), None);
        assert!(!embree.occluded(ray, 0));
    }
    // Three of five rays are aimed at vertices, edges or along the plane, where a rounding decides which neighbour is
    // met.
    assert!(differ * 100 < rays.len() * 3 * 20, "{differ} of {}", rays.len() * 3);
}

#[test]
fn agrees_exactly_in_general_position() {
    let mut random = Random(21);
    let (meshes, instances) = mixed(&mut random);
    let Some(embree) = embree(&meshes, &instances) else { return };
    let [brute, ..] = ours(&meshes, &instances);
    let mut differ = 0;
    for _ in 0..4000 {
        let ray = ray(random.point(5.0), random.direction());
        let (hit, expected) = (embree.closest(&ray, mask::ALL), brute.closest(&ray, mask::ALL));
        differ += usize::from(match (&hit, &expected) {
            (Some(hit), Some(expected)) => !same(hit, expected),
            (hit, expected) => hit != expected,
        });
        assert_eq!(embree.occluded(&ray, mask::ALL), hit.is_some());
    }
    assert!(differ <= 2, "{differ}");
}

#[test]
fn visits_a_stack_of_64_coincident_quads() {
    let instances = vec![place(0, Affine3A::IDENTITY); 64];
    let Some(embree) = embree(&[quad()], &instances) else { return };
    let down = ray(Vec3::new(0.25, 1.0, 0.5), Vec3::NEG_Y);
    let mut seen = Vec::new();
    let mut next = embree.closest(&down, mask::ALL);
    while let Some(hit) = next {
        seen.push(hit.instance);
        next = embree.closest_after(&down, mask::ALL, &hit);
    }
    assert_eq!(seen, (0..64).collect::<Vec<_>>());
}

#[test]
fn a_packet_hits_what_its_rays_hit() {
    let mut random = Random(22);
    let (meshes, instances) = mixed(&mut random);
    let Some(embree) = embree(&meshes, &instances) else { return };
    let rays = rays(&meshes, &instances, 5.0, 1000, &mut random);
    let mut hits = vec![None; rays.len()];
    embree.closest_packet(&rays, mask::ALL, &mut hits);
    let differ = rays.iter().zip(&hits).filter(|(ray, hit)| embree.closest(ray, mask::ALL) != **hit).count();
    assert_eq!(differ, 0, "of {}", rays.len());
}

#[test]
fn nothing_is_hit_where_nothing_is() {
    let flat = place(0, Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)));
    let line = mesh(vec![Vec3::ZERO, Vec3::X, Vec3::X * 0.3, Vec3::NAN], vec![[0, 1, 2], [0, 0, 1], [0, 1, 3]]);
    for (meshes, instances) in
        [(vec![], vec![]), (vec![quad()], vec![flat]), (vec![line], vec![place(0, Affine3A::IDENTITY)])]
    {
        let Some(embree) = embree(&meshes, &instances) else { return };
        assert!(embree.bounds().is_empty());
        let down = ray(Vec3::new(0.25, 1.0, 0.0), Vec3::NEG_Y);
        assert_eq!(embree.closest(&down, mask::ALL), None);
        assert!(!embree.occluded(&down, mask::ALL));
        assert_eq!(embree.closest(&ray(Vec3::NAN, Vec3::X), mask::ALL), None);
    }
}
