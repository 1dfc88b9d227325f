//! Mesh primitives → `geometry::mesh::Mesh` (glTF 2.0, section 3.7.2; KHR_mesh_quantization).

use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};

use super::accessor::Accessor;
use super::accessor::Component::{F32, I8, I16, U8, U16, U32};
use super::container::Container;
use super::error::{Checked, Fault, Warnings};
use super::json;
use super::triangles::Mode;
use crate::geometry::mesh::Mesh;
use crate::geometry::{normal, tangent};

/// The most TEXCOORD sets a [`Mesh`] holds.
const UV_SETS: usize = 5;

/// Which primitive is read; for messages.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub mesh: usize,
    pub primitive: usize,
    pub name: &'a str,
}

/// A primitive as triangles, or `None` where it has none that could be traced.
///
/// Triangles are never dropped or reordered, degenerate ones included: `primitive` ids are the file's. Vertices that the
/// indices do not reach are left out (primitives of one mesh often share one long vertex list), and vertices are split
/// where generated normals or tangents need it.
///
/// `tangent_set`: the TEXCOORD set that generated tangents follow.
pub(super) fn read(
    container: &Container,
    primitive: &json::Primitive,
    place: Place,
    tangent_set: usize,
    warnings: &mut Warnings,
) -> Checked<Option<Mesh>> {
    let at = format!("/meshes/{}/primitives/{}", place.mesh, place.primitive);
    let mode = Mode::from_code(primitive.mode.unwrap_or(4), &at)?;
    if let Mode::Skipped(kind) = mode {
        warnings.add(&at, format!("is {kind}: skipped, only triangles are rendered"));
        return Ok(None);
    }
    let Some(positions) = primitive.attributes.get("POSITION") else {
        warnings.add(&at, "has no POSITION: skipped");
        return Ok(None);
    };
    if !primitive.targets.is_empty() {
        warnings.add(&at, "has morph targets: the base shape is rendered");
    }
    let reader = Reader { container, primitive, place, at: &at };
    let positions = reader.open(*positions, "POSITION")?;
    let (indices, range) = reader.triangles(mode, positions.count, warnings)?;
    if indices.is_empty() {
        warnings.add(&at, "has no triangles: skipped");
        return Ok(None);
    }
    let mut mesh =
        Mesh { indices, positions: reader.positions(&positions, range.clone(), warnings)?, ..Mesh::default() };
    reader.attributes(&mut mesh, positions.count, range, warnings)?;
    complete(&mut mesh, tangent_set, &at, warnings);
    Ok(Some(mesh))
}

/// Normals and tangents where the file has none, or useless ones.
fn complete(mesh: &mut Mesh, tangent_set: usize, at: &str, warnings: &mut Warnings) {
    if mesh.normals.is_empty() {
        normal::generate_flat(mesh);
    } else {
        let replaced = normal::repair(mesh);
        if replaced > 0 {
            warnings.add(at, format!("{replaced} normals have no direction: taken from their triangles"));
        }
    }
    if mesh.tangents.is_empty() {
        tangent::generate(mesh, tangent_set);
    } else {
        let replaced = tangent::repair(&mut mesh.tangents, &mesh.normals);
        if replaced > 0 {
            warnings.add(at, format!("{replaced} tangents have no direction: arbitrary ones are used"));
        }
    }
    tangent::repair(&mut mesh.tangents1, &mesh.normals);
}

struct Reader<'a> {
    container: &'a Container,
    primitive: &'a json::Primitive,
    place: Place<'a>,
    at: &'a str,
}

impl Reader<'_> {
    fn open(&self, index: usize, attribute: &str) -> Checked<Accessor> {
        Accessor::open(self.container, index, || format!("{}/attributes/{attribute}", self.at))
    }

    /// The triangles with vertices counted from the begin of the vertex range that they use, and that range.
    fn triangles(
        &self,
        mode: Mode,
        vertices: usize,
        warnings: &mut Warnings,
    ) -> Checked<(Vec<[u32; 3]>, Range<usize>)> {
        let corners = match self.primitive.indices {
            Some(index) => self.indices(index, vertices)?,
            None => (0..vertices as u32).collect(),
        };
        let first = corners.iter().min().copied().unwrap_or(0);
        let end = corners.iter().max().map_or(0, |last| *last as usize + 1);
        let (mut triangles, rest) = mode.triangles(&corners);
        if rest > 0 {
            warnings.add(self.at, format!("{rest} vertices at the end make no triangle"));
        }
        triangles.iter_mut().flatten().for_each(|corner| *corner -= first);
        Ok((triangles, first as usize..end))
    }

    fn indices(&self, index: usize, vertices: usize) -> Checked<Vec<u32>> {
        let accessor = Accessor::open(self.container, index, || format!("{}/indices", self.at))?;
        accessor.expect("an index list", &["SCALAR"], &[U8, U16, U32])?;
        let indices = accessor.indices();
        match indices.iter().position(|vertex| *vertex as usize >= vertices) {
            Some(at) => {
                let message = format!(
                    "index {at} is {}, the mesh \"{}\" has {vertices} vertices there",
                    indices[at], self.place.name
                );
                Err(Fault::new(&accessor.pointer, message))
            }
            None => Ok(indices),
        }
    }

    fn positions(&self, accessor: &Accessor, range: Range<usize>, warnings: &mut Warnings) -> Checked<Vec<Vec3>> {
        accessor.expect("POSITION", &["VEC3"], &[F32, I8, U8, I16, U16])?;
        self.note_quantised(accessor, "POSITION", warnings);
        let positions: Vec<Vec3> = accessor.floats(range.clone()).into_iter().map(Vec3::from).collect();
        match positions.iter().position(|position| !position.is_finite()) {
            Some(at) => {
                let message = format!(
                    "POSITION of vertex {} of the mesh \"{}\" is {}: finite numbers are allowed",
                    range.start + at,
                    self.place.name,
                    positions[at]
                );
                Err(Fault::new(&accessor.pointer, message))
            }
            None => Ok(positions),
        }
    }

    fn attributes(
        &self,
        mesh: &mut Mesh,
        vertices: usize,
        range: Range<usize>,
        warnings: &mut Warnings,
    ) -> Checked<()> {
        for (name, index) in &self.primitive.attributes {
            let set = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<usize>().ok());
            let known = matches!(name.as_str(), "NORMAL" | "TANGENT" | "_TANGENT1" | "COLOR_0");
            if !known && set.is_none_or(|set| set >= UV_SETS) {
                if !matches!(name.as_str(), "POSITION") {
                    self.note_unread(name, warnings);
                }
                continue;
            }
            let accessor = self.open(*index, name)?;
            if accessor.count != vertices {
                let message = format!("{name} has {} elements, POSITION has {vertices}", accessor.count);
                return Err(Fault::new(format!("{}/count", accessor.pointer), message));
            }
            match (name.as_str(), set) {
                ("NORMAL", _) => mesh.normals = self.normals(&accessor, range.clone(), warnings)?,
                ("TANGENT", _) => mesh.tangents = self.tangents(&accessor, name, range.clone())?,
                ("_TANGENT1", _) => mesh.tangents1 = self.tangents(&accessor, name, range.clone())?,
                (_, Some(set)) => mesh.uvs[set] = self.uvs(&accessor, name, range.clone(), warnings)?,
                _ => mesh.colors = self.colors(&accessor, range.clone(), warnings)?,
            }
        }
        if mesh.normals.is_empty() && !(mesh.tangents.is_empty() && mesh.tangents1.is_empty()) {
            warnings.add(self.at, "has TANGENT without NORMAL: its tangents are ignored");
        }
        Ok(())
    }

    fn normals(&self, accessor: &Accessor, range: Range<usize>, warnings: &mut Warnings) -> Checked<Vec<Vec3>> {
        accessor.expect("NORMAL", &["VEC3"], &[F32, I8, I16])?;
        self.note_quantised(accessor, "NORMAL", warnings);
        Ok(accessor.floats(range).into_iter().map(Vec3::from).collect())
    }

    fn tangents(&self, accessor: &Accessor, name: &str, range: Range<usize>) -> Checked<Vec<Vec4>> {
        accessor.expect(name, &["VEC4"], &[F32, I8, I16])?;
        Ok(accessor.floats(range).into_iter().map(Vec4::from).collect())
    }

    fn uvs(&self, accessor: &Accessor, name: &str, range: Range<usize>, warnings: &mut Warnings) -> Checked<Vec<Vec2>> {
        accessor.expect(name, &["VEC2"], &[F32, I8, U8, I16, U16])?;
        let mut values = accessor.floats(range);
        self.zero_the_infinite(&mut values, name, warnings);
        Ok(values.into_iter().map(Vec2::from).collect())
    }

    /// Linear; RGB gets alpha 1. Integers are fractions of their largest value, whether marked as normalised or not.
    fn colors(&self, accessor: &Accessor, range: Range<usize>, warnings: &mut Warnings) -> Checked<Vec<Vec4>> {
        accessor.expect("COLOR_0", &["VEC3", "VEC4"], &[F32, U8, U16])?;
        let mut values = accessor.floats(range);
        self.zero_the_infinite(&mut values, "COLOR_0", warnings);
        let unit = match (accessor.component, accessor.normalized) {
            (U8, false) => 1.0 / 255.0,
            (U16, false) => 1.0 / 65535.0,
            _ => 1.0,
        };
        let color = |value: [f32; 4]| match accessor.has_alpha() {
            true => Vec4::from(value) * unit,
            false => (Vec4::from(value) * unit).truncate().extend(1.0),
        };
        Ok(values.into_iter().map(color).collect())
    }

    fn zero_the_infinite<const N: usize>(&self, values: &mut [[f32; N]], what: &str, warnings: &mut Warnings) {
        let bad = values.iter_mut().flatten().filter(|value| !value.is_finite());
        let replaced = bad.map(|value| *value = 0.0).count();
        if replaced > 0 {
            warnings.add(self.at, format!("{replaced} numbers of {what} are not finite: 0 is used"));
        }
    }

    fn note_quantised(&self, accessor: &Accessor, what: &str, warnings: &mut Warnings) {
        let declared = || self.container.root.extensions_used.iter().any(|name| name == "KHR_mesh_quantization");
        if accessor.component != F32 && !declared() {
            warnings.add(self.at, format!("{what} is quantised although KHR_mesh_quantization is not declared"));
        }
    }

    fn note_unread(&self, name: &str, warnings: &mut Warnings) {
        match name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_") {
            true => {} // Said once, where the node names its skin.
            false => warnings.add(self.at, format!("vertex attribute \"{name}\" is not read")),
        }
    }
}
