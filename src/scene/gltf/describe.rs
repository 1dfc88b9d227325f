//! What is in a glTF file: `scrutineer inspect`.

use std::fmt;
use std::path::Path;

use glam::{DVec3, Vec3};
use serde::Serialize;

use super::camera::Lens;
use super::container::Container;
use super::light::LightKind;
use super::material::AlphaMode;
use super::{Document, GltfError, Image, load};
use crate::geometry::mesh::Mesh;

/// A summary of a file's default scene; as JSON by serde, as text by `Display`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    pub version: String,
    pub generator: Option<String>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub counts: Counts,
    pub meshes: Vec<MeshLine>,
    pub materials: Vec<MaterialLine>,
    pub images: Vec<String>,
    pub lights: Vec<String>,
    pub cameras: Vec<String>,
    /// Of all placed meshes, metres; from the meshes' own boxes, so a rotated mesh counts as its turned box. `None` where
    /// nothing is placed.
    pub bounds: Option<[[f64; 3]; 2]>,
    pub warnings: Vec<String>,
}

/// What the file has, used or not, and what the scene makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Counts {
    pub nodes: usize,
    pub gltf_meshes: usize,
    pub accessors: usize,
    pub buffers: usize,
    pub buffer_bytes: usize,
    pub skins: usize,
    pub animations: usize,
    pub placements: usize,
    /// Of the meshes, each once.
    pub triangles: usize,
    /// As often as they are placed.
    pub placed_triangles: usize,
}

/// One primitive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshLine {
    pub name: String,
    pub material: Option<String>,
    pub vertices: usize,
    pub triangles: usize,
    pub uv_sets: Vec<usize>,
    pub colors: bool,
    pub second_tangents: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaterialLine {
    pub name: String,
    pub alpha: String,
    pub double_sided: bool,
    pub glass: bool,
    pub unlit: bool,
    /// `slot: image, image…`, the preferred image first.
    pub textures: Vec<String>,
}

/// Reads the file at `path` as [`super::read`] does and sums it up.
pub fn describe(path: &Path) -> Result<Description, GltfError> {
    load(path).map(|(container, document)| summarise(&container, document))
}

fn summarise(container: &Container, document: Document) -> Description {
    let root = &container.root;
    let asset = root.asset.as_ref();
    let triangles = |mesh: usize| document.meshes[mesh].mesh.indices.len();
    let counts = Counts {
        nodes: root.nodes.len(),
        gltf_meshes: root.meshes.len(),
        accessors: root.accessors.len(),
        buffers: root.buffers.len(),
        buffer_bytes: container.buffers.iter().flatten().map(|bytes| bytes.len()).sum(),
        skins: root.skins.len(),
        animations: root.animations.len(),
        placements: document.placements.len(),
        triangles: (0..document.meshes.len()).map(triangles).sum(),
        placed_triangles: document.placements.iter().map(|placement| triangles(placement.mesh)).sum(),
    };
    Description {
        version: asset.and_then(|asset| asset.version.clone()).unwrap_or_default(),
        generator: asset.and_then(|asset| asset.generator.clone()),
        extensions_used: root.extensions_used.clone(),
        extensions_required: root.extensions_required.clone(),
        counts,
        meshes: mesh_lines(&document),
        materials: material_lines(&document),
        images: document.images.iter().map(image_line).collect(),
        lights: document.lights.iter().map(|light| format!("{} ({})", light.name, light_kind(light.kind))).collect(),
        cameras: document.cameras.iter().map(|camera| format!("{} ({})", camera.name, lens(&camera.lens))).collect(),
        bounds: bounds(&document).map(|bounds| bounds.map(|corner| corner.to_array())),
        warnings: document.warnings,
    }
}

fn mesh_lines(document: &Document) -> Vec<MeshLine> {
    let line = |named: &super::NamedMesh| MeshLine {
        name: named.name.to_string(),
        material: named.material.map(|material| document.materials[material].name.clone()),
        vertices: named.mesh.positions.len(),
        triangles: named.mesh.indices.len(),
        uv_sets: (0..named.mesh.uvs.len()).filter(|set| !named.mesh.uvs[*set].is_empty()).collect(),
        colors: !named.mesh.colors.is_empty(),
        second_tangents: !named.mesh.tangents1.is_empty(),
    };
    document.meshes.iter().map(line).collect()
}

fn material_lines(document: &Document) -> Vec<MaterialLine> {
    let line = |material: &super::MaterialDef| MaterialLine {
        name: material.name.clone(),
        alpha: match material.alpha {
            AlphaMode::Opaque => "opaque".to_owned(),
            AlphaMode::Mask { cutoff } => format!("mask, cutoff {cutoff}"),
            AlphaMode::Blend => "blend".to_owned(),
        },
        double_sided: material.double_sided,
        glass: material.transmission.is_some(),
        unlit: material.unlit,
        textures: material
            .textures()
            .map(|(slot, texture)| {
                let images: Vec<_> = texture.images.iter().map(|image| image_line(&document.images[*image])).collect();
                format!("{slot}: {}", images.join(", else "))
            })
            .collect(),
    };
    document.materials.iter().map(line).collect()
}

fn image_line(image: &Image) -> String {
    match image {
        Image::File(path) => path.display().to_string(),
        Image::Embedded { name, bytes } => format!("{name} ({} bytes)", bytes.len()),
        Image::Unreadable(message) => message.clone(),
    }
}

fn light_kind(kind: LightKind) -> &'static str {
    match kind {
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
    }
}

fn lens(lens: &Lens) -> String {
    match lens {
        Lens::Perspective { yfov, .. } => format!("perspective, {:.2}° vertical", yfov.to_degrees()),
        Lens::Orthographic { xmag, ymag, .. } => format!("orthographic, {} × {} m", 2.0 * xmag, 2.0 * ymag),
    }
}

fn bounds(document: &Document) -> Option<[DVec3; 2]> {
    let boxes: Vec<[Vec3; 2]> = document.meshes.iter().map(|named| mesh_box(&named.mesh)).collect();
    let corners = document.placements.iter().flat_map(|placement| {
        let [low, high] = boxes[placement.mesh].map(Vec3::as_dvec3);
        (0..8u32).map(move |corner| {
            let high_side = glam::BVec3::new(corner & 1 != 0, corner & 2 != 0, corner & 4 != 0);
            placement.transform.transform_point3(DVec3::select(high_side, high, low))
        })
    });
    corners.map(|corner| [corner; 2]).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

fn mesh_box(mesh: &Mesh) -> [Vec3; 2] {
    let grow = |[low, high]: [Vec3; 2], position: &Vec3| [low.min(*position), high.max(*position)];
    mesh.positions.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], grow)
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let generator = self.generator.as_deref().unwrap_or("unnamed generator");
        writeln!(f, "glTF {}, {generator}", self.version)?;
        let counts = &self.counts;
        writeln!(
            f,
            "{} nodes, {} placements, {} primitives, {} triangles ({} placed), {} buffers of {} bytes",
            counts.nodes,
            counts.placements,
            self.meshes.len(),
            counts.triangles,
            counts.placed_triangles,
            counts.buffers,
            counts.buffer_bytes
        )?;
        if let Some([low, high]) = self.bounds {
            writeln!(f, "bounds {low:.3?} to {high:.3?} m")?;
        }
        section(f, "extensions", &self.extensions_used)?;
        let meshes = self.meshes.iter().map(|mesh| {
            let material = mesh.material.as_deref().unwrap_or("default material");
            format!("{}: {} vertices, {} triangles, {material}", mesh.name, mesh.vertices, mesh.triangles)
        });
        section(f, "meshes", &meshes.collect::<Vec<_>>())?;
        let materials = self.materials.iter().map(|material| {
            let marks = [("double-sided", material.double_sided), ("glass", material.glass), ("unlit", material.unlit)];
            let marks: String = marks.iter().filter(|(_, on)| *on).map(|(mark, _)| format!(", {mark}")).collect();
            let textures: String = material.textures.iter().map(|texture| format!("\n    {texture}")).collect();
            format!("{}: {}{marks}{textures}", material.name, material.alpha)
        });
        section(f, "materials", &materials.collect::<Vec<_>>())?;
        section(f, "lights", &self.lights)?;
        section(f, "cameras", &self.cameras)?;
        section(f, "warnings", &self.warnings)
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, lines: &[String]) -> fmt::Result {
    if !lines.is_empty() {
        writeln!(f, "{title}:")?;
    }
    lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
}
