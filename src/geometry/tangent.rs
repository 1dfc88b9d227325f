//! Vertex tangents: MikkTSpace where a file has none, repairs where they are of no use.
//!
//! xyz is the unit direction of growing u; the bitangent is `cross(N, T) · w` and points where v *falls* (up in the image):
//! glTF's rule, which makes green-up normal maps come out right. MikkTSpace is therefore given `1 − v`.

use bevy_mikktspace::{Geometry, TangentSpace};
use glam::{Vec2, Vec3, Vec4};

use super::mesh::Mesh;

/// Writes MikkTSpace tangents of TEXCOORD set `uv_set`, splitting the vertices whose triangles disagree. Falls back to
/// [`arbitrary`] for a mesh without that set. Normals must be there.
pub fn generate(mesh: &mut Mesh, uv_set: usize) {
    let usable = mesh.uvs.get(uv_set).is_some_and(|uvs| !uvs.is_empty());
    if !usable || !reasonable(&mesh.positions) {
        mesh.tangents = mesh.normals.iter().map(|normal| arbitrary(*normal)).collect();
        return;
    }
    let mut corners = Corners { mesh, uvs: &mesh.uvs[uv_set], tangents: vec![None; mesh.indices.len()] };
    // The error type has no values: it is reserved for later versions.
    let _ = bevy_mikktspace::generate_tangents(&mut corners);
    let tangents = corners.tangents;
    weld(mesh, &tangents);
}

/// Normalises tangents in place; one without direction (zero length, not finite) becomes an arbitrary one, w becomes
/// ±1. Returns how many were replaced.
pub fn repair(tangents: &mut [Vec4], normals: &[Vec3]) -> usize {
    let mut replaced = 0;
    for (tangent, normal) in tangents.iter_mut().zip(normals) {
        let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        *tangent = match super::normal::unit(tangent.truncate().as_dvec3()) {
            Some(direction) => direction.extend(sign),
            None => {
                replaced += 1;
                arbitrary(*normal).truncate().extend(sign)
            }
        };
    }
    replaced
}

/// Some unit tangent at a right angle to the unit `normal`, with w = 1.
pub fn arbitrary(normal: Vec3) -> Vec4 {
    normal.any_orthonormal_vector().extend(1.0)
}

/// MikkTSpace multiplies lengths four times over; beyond this they overflow f32 and its sums lose all meaning.
fn reasonable(positions: &[Vec3]) -> bool {
    positions.iter().all(|position| position.abs().max_element() < 1e9)
}

struct Corners<'a> {
    mesh: &'a Mesh,
    uvs: &'a [Vec2],
    tangents: Vec<Option<[Vec4; 3]>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.mesh.indices[face][corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.mesh.indices.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.positions[self.vertex(face, corner)].into()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.normals[self.vertex(face, corner)].into()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let uv = self.uvs[self.vertex(face, corner)];
        [uv.x, 1.0 - uv.y]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let normal = self.mesh.normals[self.vertex(face, corner)];
        let tangent = space.map(|space| Vec4::from(space.tangent_encoded())).filter(|tangent| across(*tangent, normal));
        let corners = self.tangents[face].get_or_insert([Vec4::ZERO; 3]);
        corners[corner] = tangent.unwrap_or_else(|| arbitrary(normal));
    }
}

/// Whether the tangent is finite and not along the normal. MikkTSpace's placeholder for triangles without uv area may be.
fn across(tangent: Vec4, normal: Vec3) -> bool {
    tangent.is_finite() && tangent.truncate().cross(normal).length_squared() > 1e-6
}

/// One tangent a vertex from one a corner: vertices with several are copied, as few times as possible.
fn weld(mesh: &mut Mesh, corners: &[Option<[Vec4; 3]>]) {
    const NONE: u32 = u32::MAX;
    let mut tangents: Vec<Option<Vec4>> = vec![None; mesh.positions.len()];
    let mut next_copy: Vec<u32> = vec![NONE; mesh.positions.len()];
    let mut sources: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    for (triangle, values) in mesh.indices.iter_mut().zip(corners) {
        for (vertex, value) in triangle.iter_mut().zip(values.unwrap_or_default()) {
            let mut at = *vertex;
            while tangents[at as usize].is_some_and(|there| there != value) {
                if next_copy[at as usize] == NONE {
                    next_copy[at as usize] = sources.len() as u32;
                    sources.push(*vertex);
                    tangents.push(None);
                    next_copy.push(NONE);
                }
                at = next_copy[at as usize];
            }
            tangents[at as usize] = Some(value);
            *vertex = at;
        }
    }
    if sources.len() > mesh.positions.len() {
        mesh.gather(&sources);
    }
    let fill = tangents.iter().zip(&mesh.normals);
    mesh.tangents = fill.map(|(tangent, normal)| tangent.unwrap_or_else(|| arbitrary(*normal))).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit quad facing +Z. `uv` maps x, y to TEXCOORD_0 (v down).
    fn quad(uv: impl Fn(f32, f32) -> Vec2) -> Mesh {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let mut mesh = Mesh {
            positions: corners.iter().map(|(x, y)| Vec3::new(*x, *y, 0.0)).collect(),
            indices: vec![[0, 1, 2], [0, 2, 3]],
            normals: vec![Vec3::Z; 4],
            ..Mesh::default()
        };
        mesh.uvs[0] = corners.iter().map(|(x, y)| uv(*x, *y)).collect();
        mesh
    }

    fn frame(mesh: &Mesh) -> (Vec3, Vec3) {
        let tangent = mesh.tangents[0];
        (tangent.truncate(), mesh.normals[0].cross(tangent.truncate()) * tangent.w)
    }

    #[test]
    fn an_upright_image_has_its_tangent_right_and_its_bitangent_up() {
        let mut mesh = quad(|x, y| Vec2::new(x, 1.0 - y));
        generate(&mut mesh, 0);
        assert_eq!(mesh.positions.len(), 4, "nothing to split");
        assert_eq!(frame(&mesh), (Vec3::X, Vec3::Y));
        assert_eq!(mesh.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    }

    #[test]
    fn a_mirrored_image_has_a_negative_sign() {
        let mut mesh = quad(|x, y| Vec2::new(1.0 - x, 1.0 - y));
        generate(&mut mesh, 0);
        assert_eq!(frame(&mesh), (-Vec3::X, Vec3::Y));
        assert_eq!(mesh.tangents[0].w, -1.0);
    }

    #[test]
    fn a_rotated_image_turns_both() {
        // The image's right side points along +Y, its top along −X.
        let mut mesh = quad(|x, y| Vec2::new(y, x));
        generate(&mut mesh, 0);
        assert_eq!(frame(&mesh), (Vec3::Y, -Vec3::X));
    }

    #[test]
    fn triangles_that_disagree_get_their_own_vertices() {
        // Two triangles share an edge; the second one's uvs are mirrored about it.
        let mut mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::Y, Vec3::X, -Vec3::X],
            indices: vec![[0, 2, 1], [0, 1, 3]],
            normals: vec![Vec3::Z; 4],
            ..Mesh::default()
        };
        mesh.uvs[0] = vec![Vec2::new(0.0, 1.0), Vec2::new(0.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(1.0, 1.0)];
        generate(&mut mesh, 0);
        assert_eq!(mesh.positions.len(), 6);
        let w = |triangle: usize| mesh.indices[triangle].map(|vertex| mesh.tangents[vertex as usize].w);
        assert_eq!((w(0), w(1)), ([1.0; 3], [-1.0; 3]));
        let moved = mesh.indices[1].map(|vertex| mesh.positions[vertex as usize]);
        assert_eq!(moved, [Vec3::ZERO, Vec3::Y, -Vec3::X]);
    }

    #[test]
    fn without_uv_area_tangents_are_still_orthonormal() {
        for mut mesh in [quad(|_, _| Vec2::ZERO), quad(|x, _| Vec2::new(x, 0.0))] {
            mesh.normals = vec![Vec3::X; 4];
            generate(&mut mesh, 0);
            for (tangent, normal) in mesh.tangents.iter().zip(&mesh.normals) {
                assert!((tangent.truncate().length() - 1.0).abs() < 1e-5, "{tangent}");
                assert!(tangent.truncate().dot(*normal).abs() < 1e-5, "{tangent}");
            }
        }
    }

    #[test]
    fn useless_tangents_are_replaced() {
        let mut tangents = [Vec4::new(0.0, 0.0, 0.0, -1.0), Vec4::new(3.0, 0.0, 0.0, 0.0), Vec4::NAN];
        assert_eq!(repair(&mut tangents, &[Vec3::Z; 3]), 2);
        assert_eq!(tangents[1], Vec4::new(1.0, 0.0, 0.0, 1.0));
        assert_eq!((tangents[0].w, tangents[0].z), (-1.0, 0.0));
        assert!(tangents[2].is_finite());
    }
}
