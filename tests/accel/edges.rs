//! No ray gets through a closed mesh: 0 of a million, aimed at what leaks most.

use glam::{Affine3A, Quat, Vec3};
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::{Mesh, mask};

use super::scenes::*;

/// Rays from inside a closed mesh that are aimed at its vertices and edges and get out.
fn leaks(mesh: &Mesh, transform: Affine3A, portable: bool, count: usize) -> usize {
    let mut random = Random(6);
    let accel = Accel::build(std::slice::from_ref(mesh), &[place(0, transform)], Backend::Bvh, 2).unwrap();
    let accel = if portable { accel.portable() } else { accel };
    let aim = |random: &mut Random| {
        let triangle = mesh.indices[random.below(mesh.indices.len())];
        let [a, b, _] = triangle.map(|v| mesh.positions[v as usize]);
        let along = if random.below(2) == 0 { 0.0 } else { random.unit() };
        let inside = random.direction() * 0.9 * random.unit();
        ray_to(transform.transform_point3(inside), transform.transform_point3(a.lerp(b, along)))
    };
    (0..count).filter(|_| accel.closest(&aim(&mut random), mask::ALL).is_none()).count()
}

#[test]
fn rays_at_edges_and_vertices_do_not_leak() {
    let sphere = sphere(100);
    let turned = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, 2.0);
    let transforms = [
        Affine3A::IDENTITY,
        Affine3A::from_scale_rotation_translation(Vec3::new(3.0, -0.2, 1.0), turned, Vec3::new(5.0, 1.0, -7.0)),
        Affine3A::from_scale_rotation_translation(Vec3::splat(100.0), turned, Vec3::new(1e4, 50.0, 1e4)),
    ];
    for transform in transforms {
        assert_eq!(leaks(&sphere, transform, false, 300_000), 0, "{transform:?}");
        assert_eq!(leaks(&sphere, transform, true, 30_000), 0, "{transform:?}");
    }
}

/// A cube's faces are axis aligned: boxes without thickness, rays in the planes of neighbours.
#[test]
fn rays_from_a_box_do_not_leak() {
    assert_eq!(leaks(&cube(), Affine3A::from_scale(Vec3::splat(3.0)), false, 200_000), 0);
}

/// A flat grid seen from above, each ray aimed at the exact position of a vertex.
#[test]
fn rays_at_grid_vertices_do_not_leak() {
    const N: u32 = 64;
    let positions =
        (0..=N).flat_map(|z| (0..=N).map(move |x| Vec3::new(x as f32 * 0.1, 0.0, z as f32 * 0.1))).collect();
    let at = |x, z| z * (N + 1) + x;
    let cells = (0..N).flat_map(|z| (0..N).map(move |x| (x, z)));
    let indices = cells
        .flat_map(|(x, z)| [[at(x, z), at(x, z + 1), at(x + 1, z)], [at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]]);
    let grid = mesh(positions, indices.collect());
    let [brute, others @ ..] = ours(std::slice::from_ref(&grid), &[place(0, Affine3A::IDENTITY)]);
    let mut random = Random(7);
    for vertex in &grid.positions {
        if vertex.x == 0.0 || vertex.z == 0.0 || vertex.x > 6.35 || vertex.z > 6.35 {
            continue;
        }
        for origin in [*vertex + Vec3::Y * 2.0, random.point(3.0).with_y(0.01), random.point(9.0).with_y(5.0)] {
            let ray = ray_to(origin, *vertex);
            let hit = brute.closest(&ray, mask::ALL);
            assert!(hit.is_some(), "{ray:?}");
            others.iter().for_each(|accel| assert_eq!(accel.closest(&ray, mask::ALL), hit, "{}", accel.name()));
        }
    }
}
