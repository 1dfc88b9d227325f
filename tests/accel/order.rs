//! Hits come in the order (t, instance, primitive), each once.

use glam::{Affine3A, Vec3};
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::{Instance, Mesh, mask};
use scrutineer::geometry::{Hit, Ray};

use super::scenes::*;

fn all_hits(accel: &Accel, ray: &Ray, bits: u8) -> Vec<Hit> {
    let mut hits = Vec::from_iter(accel.closest(ray, bits));
    while let Some(next) = hits.last().and_then(|last| accel.closest_after(ray, bits, last)) {
        hits.push(next);
        assert!(hits.len() < 10_000, "{} goes round in circles", accel.name());
    }
    hits
}

/// Each triangle as a scene of its own: what there is to be found, with nothing to get in its way.
fn one_by_one(meshes: &[Mesh], instances: &[Instance], ray: &Ray) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (instance, placed) in instances.iter().enumerate() {
        let whole = &meshes[placed.mesh as usize];
        for (primitive, triangle) in whole.indices.iter().enumerate() {
            let alone = mesh(triangle.map(|v| whole.positions[v as usize]).to_vec(), vec![[0, 1, 2]]);
            let accel = Accel::build(&[alone], &[Instance { mesh: 0, ..*placed }], Backend::Brute, 1).unwrap();
            let hit = accel.closest(ray, mask::ALL);
            hits.extend(hit.map(|hit| Hit { instance: instance as u32, primitive: primitive as u32, ..hit }));
        }
    }
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then((a.instance, a.primitive).cmp(&(b.instance, b.primitive))));
    hits
}

#[test]
fn closest_after_visits_all_hits_sorted() {
    let mut random = Random(8);
    let meshes = [soup(40, 1.0, 1.0, &mut random), cube()];
    let instances = [
        place(0, Affine3A::IDENTITY),
        place(1, Affine3A::IDENTITY),
        place(0, Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0))),
    ];
    let accels = ours(&meshes, &instances);
    let mut most = 0;
    for ray in rays(&meshes, &instances, 2.0, 60, &mut random) {
        let expected = one_by_one(&meshes, &instances, &ray);
        most = most.max(expected.len());
        accels.iter().for_each(|accel| assert_eq!(all_hits(accel, &ray, mask::ALL), expected, "{}", accel.name()));
    }
    assert!(most > 8, "at most {most} hits a ray");
}

#[test]
fn a_stack_of_64_coincident_quads_is_walked_without_an_epsilon() {
    let instances =
        (0..64).map(|i| Instance { mask: 1 << (i % 2), ..place(0, Affine3A::IDENTITY) }).collect::<Vec<_>>();
    for accel in &ours(&[quad()], &instances) {
        let down = ray(Vec3::new(0.25, 1.0, 0.5), Vec3::NEG_Y);
        let ids = |bits| all_hits(accel, &down, bits).iter().map(|hit| hit.instance).collect::<Vec<_>>();
        assert_eq!(ids(mask::ALL), (0..64).collect::<Vec<_>>(), "{}", accel.name());
        assert_eq!(ids(2), (0..64).filter(|i| i % 2 == 1).collect::<Vec<_>>(), "{}", accel.name());
        // On the diagonal both triangles of every quad are hit.
        let diagonal = ray(Vec3::new(0.5, 1.0, 0.5), Vec3::NEG_Y);
        let both = all_hits(accel, &diagonal, mask::ALL);
        let expected = (0..64).flat_map(|i| [(i, 0), (i, 1)]).collect::<Vec<_>>();
        assert_eq!(
            both.iter().map(|hit| (hit.instance, hit.primitive)).collect::<Vec<_>>(),
            expected,
            "{}",
            accel.name()
        );
    }
}

#[test]
fn coincident_triangles_of_one_mesh_are_visited_in_order() {
    let mut stack = quad();
    stack.indices = [stack.indices[0]; 100].to_vec();
    for accel in &ours(&[stack], &[place(0, Affine3A::IDENTITY)]) {
        let found = all_hits(accel, &ray(Vec3::new(-0.5, 1.0, 0.25), Vec3::NEG_Y), mask::ALL);
        assert_eq!(
            found.iter().map(|hit| hit.primitive).collect::<Vec<_>>(),
            (0..100).collect::<Vec<_>>(),
            "{}",
            accel.name()
        );
    }
}

#[test]
fn barycentrics_give_the_point_that_was_aimed_at() {
    let mut random = Random(9);
    let (meshes, instances) = mixed(&mut random);
    for accel in &ours(&meshes, &instances) {
        for ray in rays(&meshes, &instances, 5.0, 500, &mut random) {
            let Some(hit) = accel.closest(&ray, mask::ALL) else { continue };
            let instance = &instances[hit.instance as usize];
            let mesh = &meshes[instance.mesh as usize];
            let corner = |k| mesh.positions[mesh.indices[hit.primitive as usize][k] as usize];
            let object = corner(0) * (1.0 - hit.u - hit.v) + corner(1) * hit.u + corner(2) * hit.v;
            let point = instance.transform.transform_point3(object);
            let [a, b, c] = [0, 1, 2].map(|k| instance.transform.transform_point3(corner(k)));
            // Where the triangle is seen from the side, a rounding across the ray is a long way along the triangle.
            let facing = (b - a).cross(c - a).normalize().dot(ray.direction).abs();
            let distance = point.distance(ray.origin + hit.t * ray.direction);
            assert!(distance * facing < 1e-5, "{} {hit:?} {distance} {facing}", accel.name());
        }
    }
}
