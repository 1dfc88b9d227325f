//! `[[lights]] kind = "rectangle"`: an area light that is ordinary geometry.
//!
//! A rectangle becomes a mesh of two triangles with an emissive material, an instance of the scene like any other: rays
//! see it (from the front it shines, from behind it is black) and it stops light. That way the light tree, shadow rays
//! and every integrator treat it as they treat all emissive surfaces.

use glam::{Vec2, Vec3};

use super::emitter::{EmissiveMesh, EmissiveTriangle};
use super::luminance;
use crate::geometry::mesh::Mesh;

/// A one-sided rectangle that emits along u × v. Metres, scene frame.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle {
    /// Relative to the scene's centre.
    pub center: Vec3,
    /// From the centre to the middle of two neighbouring edges; for a true rectangle at right angles.
    pub u: Vec3,
    pub v: Vec3,
    /// W/(m² sr), constant over the rectangle.
    pub radiance: Vec3,
}

impl Rectangle {
    /// The two triangles, around u × v, with texture coordinates that grow along u and v. An instance of it needs the
    /// identity as its transform and a material of constant emission `radiance` that no emission scale touches.
    pub fn mesh(&self) -> Mesh {
        let normal = self.u.cross(self.v).normalize_or(Vec3::Y);
        let tangent = self.u.normalize_or(Vec3::X).extend(1.0);
        Mesh {
            positions: self.corners().to_vec(),
            indices: INDICES.to_vec(),
            normals: vec![normal; 4],
            tangents: vec![tangent; 4],
            uvs: [vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y], vec![], vec![], vec![], vec![]],
            ..Mesh::default()
        }
    }

    /// The same triangles for the light tree, under the id `mesh`.
    pub fn emissive_mesh(&self, mesh: u32) -> EmissiveMesh {
        let corners = self.corners();
        let triangle = |(primitive, indices): (usize, &[u32; 3])| EmissiveTriangle {
            primitive: primitive as u32,
            p: indices.map(|i| corners[i as usize]),
            radiance: luminance(self.radiance),
        };
        EmissiveMesh { mesh, triangles: INDICES.iter().enumerate().map(triangle).collect() }
    }

    fn corners(&self) -> [Vec3; 4] {
        let Self { center, u, v, .. } = *self;
        [center - u - v, center + u - v, center + u + v, center - u + v]
    }
}

const INDICES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_triangles_face_along_u_cross_v_and_cover_it() {
        let (u, v) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -0.5));
        let mesh = Rectangle { center: Vec3::ONE, u, v, radiance: Vec3::ONE }.mesh();
        let mut area = 0.0;
        for triangle in &mesh.indices {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            let cross = (b - a).cross(c - a);
            assert!(cross.normalize().dot(Vec3::Y) > 0.999);
            area += 0.5 * cross.length();
        }
        assert!((area - 4.0).abs() < 1e-6);
        assert_eq!(mesh.normals[0], Vec3::Y);
    }
}
