//! Vertex normals: flat ones where a file has none, repairs where they are of no use.

use glam::{DVec3, Vec3};

use super::mesh::Mesh;

/// Gives every triangle its own three vertices with its geometric normal, as glTF asks where NORMAL is absent
/// (section 3.7.2.1). Triangles keep their order; tangents, which mean nothing without normals, are dropped.
pub fn generate_flat(mesh: &mut Mesh) {
    mesh.normals.clear();
    mesh.tangents.clear();
    mesh.tangents1.clear();
    let corners: Vec<u32> = mesh.indices.iter().flatten().copied().collect();
    mesh.gather(&corners);
    for (triangle, corners) in mesh.indices.iter_mut().enumerate() {
        *corners = [0, 1, 2].map(|corner| 3 * triangle as u32 + corner);
    }
    mesh.normals = mesh.indices.iter().flat_map(|corners| [triangle_normal(&mesh.positions, corners); 3]).collect();
}

/// Normalises the normals in place. One without direction (zero length or not finite) becomes the area-weighted mean of
/// its triangles' geometric normals, or +Y where those have none either. Returns how many were replaced.
pub fn repair(mesh: &mut Mesh) -> usize {
    let mut bad = vec![];
    for (vertex, normal) in mesh.normals.iter_mut().enumerate() {
        match unit(normal.as_dvec3()) {
            Some(direction) => *normal = direction,
            None => bad.push(vertex),
        }
    }
    if !bad.is_empty() {
        let sums = vertex_sums(mesh);
        for vertex in &bad {
            mesh.normals[*vertex] = unit(sums[*vertex]).unwrap_or(Vec3::Y);
        }
    }
    bad.len()
}

/// The geometric normal of counter-clockwise corners, unit; +Y for a degenerate triangle.
pub fn triangle_normal(positions: &[Vec3], corners: &[u32; 3]) -> Vec3 {
    unit(area_vector(positions, corners)).unwrap_or(Vec3::Y)
}

/// Twice the area along the normal. In f64: f32 overflows for triangles of astronomic size.
fn area_vector(positions: &[Vec3], corners: &[u32; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|corner| positions[corner as usize].as_dvec3());
    (b - a).cross(c - a)
}

fn vertex_sums(mesh: &Mesh) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; mesh.positions.len()];
    for corners in &mesh.indices {
        let vector = area_vector(&mesh.positions, corners);
        for corner in corners {
            sums[*corner as usize] += vector;
        }
    }
    sums
}

/// The direction of `vector` in f32, if it has one.
pub(super) fn unit(vector: DVec3) -> Option<Vec3> {
    vector.try_normalize().map(DVec3::as_vec3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent_strip() -> Mesh {
        // A floor triangle (normal +Y) and a wall triangle (normal +Z) that share an edge.
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::Y],
            indices: vec![[0, 2, 1], [0, 1, 3]],
            colors: vec![
                glam::Vec4::splat(0.0),
                glam::Vec4::splat(0.1),
                glam::Vec4::splat(0.2),
                glam::Vec4::splat(0.3),
            ],
            ..Mesh::default()
        }
    }

    #[test]
    fn flat_normals_split_shared_vertices_and_keep_triangle_order() {
        let mut mesh = bent_strip();
        generate_flat(&mut mesh);
        assert_eq!(mesh.indices, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(mesh.normals, [Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Z, Vec3::Z, Vec3::Z]);
        assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!(mesh.colors[5].x, 0.3);
    }

    #[test]
    fn useless_normals_become_the_mean_of_their_triangles() {
        let mut mesh = bent_strip();
        mesh.normals = vec![Vec3::ZERO, Vec3::new(f32::NAN, 0.0, 0.0), Vec3::new(0.0, 5.0, 0.0), Vec3::Z];
        assert_eq!(repair(&mut mesh), 2);
        let diagonal = Vec3::new(0.0, 0.5f32.sqrt(), 0.5f32.sqrt());
        assert!((mesh.normals[0] - diagonal).length() < 1e-6);
        assert!((mesh.normals[1] - diagonal).length() < 1e-6);
        assert_eq!(mesh.normals[2], Vec3::Y);
    }

    #[test]
    fn degenerate_triangles_get_a_finite_normal() {
        let positions = [Vec3::ONE; 3];
        assert_eq!(triangle_normal(&positions, &[0, 1, 2]), Vec3::Y);
        let huge = [Vec3::ZERO, Vec3::X * 1e30, Vec3::Y * 1e30];
        assert_eq!(triangle_normal(&huge, &[0, 1, 2]), Vec3::Z);
    }
}
