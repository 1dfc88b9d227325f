//! glTF 2.0 files → plain data: meshes, placements, materials, lights, cameras.
//!
//! [`read`] takes `.gltf` (with files or data URIs) and `.glb`. Everything is in the file's frame: right-handed, Y up,
//! metres, uv with v down. Files: `container` (bytes), `json` (structs), `accessor` (typed reads), `mesh`, `triangles`,
//! `node`, `instancing`, [`material`], [`image`], [`light`], [`camera`], `extension`, [`describe`].
//!
//! Decisions where the specification leaves freedom or files break it harmlessly: skins and morph targets are rendered in
//! rest pose, animations are not played, the default scene is the one rendered, misaligned accessors are read, a BIN
//! chunk longer than its buffer is cut; each with a warning in [`Document::warnings`] where it may surprise. Anything
//! that leaves the picture undefined is a [`GltfError`] with its JSON pointer.

mod accessor;
pub mod camera;
mod container;
mod describe;
mod error;
mod extension;
pub mod image;
mod instancing;
mod json;
pub mod light;
pub mod material;
mod mesh;
mod node;
mod triangles;
mod unused;
mod uri;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use glam::DAffine3;
use rayon::prelude::*;

pub use camera::{CameraDef, Lens};
pub use container::Bytes;
pub use describe::{Description, describe};
pub use error::GltfError;
pub use extension::SUPPORTED as SUPPORTED_EXTENSIONS;
pub use image::{Image, ImageSource, Images};
pub use light::{LightDef, LightKind};
pub use material::{AlphaMode, MaterialDef, TextureRef, TransmissionDef};
pub(crate) use node::{from_matrix, representable};

use crate::geometry::mesh::Mesh;
use container::Container;
use error::{Checked, Warnings, resolve};
use instancing::Copied;
use node::Visit;

/// A glTF file's default scene.
#[derive(Debug, Default)]
pub struct Document {
    /// One a triangle primitive that a node of the scene places.
    pub meshes: Vec<NamedMesh>,
    /// Nodes in depth-first order; instances of a node in their order; primitives of a mesh in theirs.
    pub placements: Vec<Placement>,
    /// All of the file, in its order.
    pub materials: Vec<MaterialDef>,
    pub images: Vec<Image>,
    pub lights: Vec<LightDef>,
    pub cameras: Vec<CameraDef>,
    /// What was left out or put right; each worth a line to the user.
    pub warnings: Vec<String>,
}

/// One primitive.
#[derive(Debug)]
pub struct NamedMesh {
    /// The name of the glTF mesh, else `mesh N`.
    pub name: Arc<str>,
    pub mesh: Mesh,
    /// Index into [`Document::materials`]; `None`: [`MaterialDef::default`].
    pub material: Option<usize>,
}

/// A primitive in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Index into [`Document::meshes`].
    pub mesh: usize,
    /// The node's name, else `node N`; one `Arc` for all placements of a node.
    pub node_name: Arc<str>,
    /// The glTF node.
    pub node: usize,
    /// Mesh to scene frame.
    pub transform: DAffine3,
    /// `_INSTANCE_VARIATION`, each 0..1.
    pub variation: Option<[f32; 3]>,
}

/// Reads the default scene of the glTF or GLB file at `path`. Images are named, not opened ([`Images`] opens them).
///
/// # Errors
/// The first fault of the file, with its place.
pub fn read(path: &Path) -> Result<Document, GltfError> {
    load(path).map(|(_, document)| document)
}

fn load(path: &Path) -> Result<(Container, Document), GltfError> {
    let mut warnings = Warnings::default();
    let checked = Container::open(path, &mut warnings).and_then(|container| {
        let document = interpret(&container, path, &mut warnings)?;
        Ok((container, document))
    });
    let (container, mut document) = checked.map_err(|fault| fault.into_error(path))?;
    document.warnings = warnings.into_list();
    Ok((container, document))
}

fn interpret(container: &Container, path: &Path, warnings: &mut Warnings) -> Checked<Document> {
    let root = &container.root;
    extension::check_version(root)?;
    extension::check(root, warnings)?;
    if !root.animations.is_empty() {
        warnings.add("/animations", "are not played: the nodes' own transforms are rendered");
    }
    let materials = material::read(root, warnings)?;
    let visits = node::walk(root, warnings)?;
    let library = build_meshes(container, &visits, &materials, warnings)?;
    let images = image::read(container, &path.display().to_string(), warnings);
    image::note_substitutes(&materials, &images, warnings);
    let document = Document {
        placements: place(container, &visits, &library.of_mesh, warnings)?,
        meshes: library.meshes,
        lights: lights(container, &visits)?,
        cameras: cameras(container, &visits)?,
        images,
        materials,
        warnings: vec![],
    };
    if document.placements.is_empty() {
        warnings.add("", "the default scene places no triangles");
    }
    unused::note_faults(container, warnings);
    Ok(document)
}

/// The primitives of the meshes in use.
struct Library {
    meshes: Vec<NamedMesh>,
    /// glTF mesh → its primitives in `meshes`.
    of_mesh: HashMap<usize, Range<usize>>,
}

fn build_meshes(
    container: &Container,
    visits: &[Visit],
    materials: &[MaterialDef],
    warnings: &mut Warnings,
) -> Checked<Library> {
    let jobs = primitives_in_use(container, visits)?;
    // In parallel, since generated tangents take long; faults and warnings are taken in order, so that they never vary.
    let built: Vec<_> = jobs.par_iter().map(|job| build_primitive(container, *job, materials)).collect();
    let mut library = Library { meshes: Vec::with_capacity(built.len()), of_mesh: HashMap::new() };
    for ((index, _), result) in jobs.into_iter().zip(built) {
        let (mesh, said) = result?;
        warnings.append(said);
        let end = library.meshes.len();
        let range = library.of_mesh.entry(index).or_insert(end..end);
        if let Some(mesh) = mesh {
            library.meshes.push(mesh);
            range.end += 1;
        }
    }
    Ok(library)
}

/// (mesh, primitive) pairs, meshes in the order of their first use.
fn primitives_in_use(container: &Container, visits: &[Visit]) -> Checked<Vec<(usize, usize)>> {
    let mut used = vec![false; container.root.meshes.len()];
    let mut jobs = vec![];
    for visit in visits {
        let Some(index) = container.root.nodes[visit.index].mesh else { continue };
        let mesh = resolve(&container.root.meshes, index, "mesh", || format!("/nodes/{}/mesh", visit.index))?;
        if !std::mem::replace(&mut used[index], true) {
            jobs.extend((0..mesh.primitives.len()).map(|primitive| (index, primitive)));
        }
    }
    Ok(jobs)
}

fn build_primitive(
    container: &Container,
    (index, position): (usize, usize),
    materials: &[MaterialDef],
) -> Checked<(Option<NamedMesh>, Vec<String>)> {
    let mut warnings = Warnings::default();
    let json = &container.root.meshes[index];
    let primitive = &json.primitives[position];
    let name = json.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("mesh {index}"));
    let at = || format!("/meshes/{index}/primitives/{position}/material");
    let material = primitive.material.map(|material| resolve(materials, material, "material", at)).transpose()?;
    let place = mesh::Place { mesh: index, primitive: position, name: &name };
    let tangent_set = material.map_or(0, MaterialDef::tangent_set);
    let mesh = mesh::read(container, primitive, place, tangent_set, &mut warnings)?;
    let named = mesh.map(|mesh| NamedMesh { name: name.into(), mesh, material: primitive.material });
    Ok((named, warnings.into_list()))
}

fn place(
    container: &Container,
    visits: &[Visit],
    of_mesh: &HashMap<usize, Range<usize>>,
    warnings: &mut Warnings,
) -> Checked<Vec<Placement>> {
    let mut placements = Vec::with_capacity(visits.len());
    let mut skinned = 0;
    for visit in visits {
        let node = &container.root.nodes[visit.index];
        let Some(primitives) = node.mesh.and_then(|mesh| of_mesh.get(&mesh)) else { continue };
        skinned += usize::from(node.skin.is_some());
        let copies = match &node.extensions.instancing {
            Some(extension) => {
                let copies = instancing::read(container, &extension.attributes, visit.index, warnings)?;
                instancing::place(&visit.world, &copies, visit.index)?
            }
            None => vec![Copied { transform: visit.world, variation: None }],
        };
        let node_name = node::name(node, visit.index);
        for Copied { transform, variation } in copies {
            placements.extend(primitives.clone().map(|mesh| Placement {
                mesh,
                node_name: Arc::clone(&node_name),
                node: visit.index,
                transform,
                variation,
            }));
        }
    }
    if skinned > 0 {
        warnings.add("/skins", format!("{skinned} nodes have a skin: their meshes are rendered in rest pose"));
    }
    Ok(placements)
}

fn lights(container: &Container, visits: &[Visit]) -> Checked<Vec<LightDef>> {
    let list = container.root.extensions.lights.as_ref().map_or(&[][..], |extension| &extension.lights);
    let with_light = visits.iter().filter_map(|visit| {
        let reference = container.root.nodes[visit.index].extensions.light.as_ref()?;
        Some((visit, reference.light))
    });
    with_light
        .map(|(visit, index)| {
            let at = || format!("/nodes/{}/extensions/KHR_lights_punctual/light", visit.index);
            let json = resolve(list, index, "light", at)?;
            let bare = light::read(json, index)?;
            let name = name_or_node(&json.name, container, visit);
            Ok(LightDef { name, kind: bare.kind, intensity: bare.intensity, range: bare.range, transform: visit.world })
        })
        .collect()
}

fn cameras(container: &Container, visits: &[Visit]) -> Checked<Vec<CameraDef>> {
    let with_camera = visits.iter().filter_map(|visit| Some((visit, container.root.nodes[visit.index].camera?)));
    with_camera
        .map(|(visit, index)| {
            let at = || format!("/nodes/{}/camera", visit.index);
            let json = resolve(&container.root.cameras, index, "camera", at)?;
            let name = name_or_node(&json.name, container, visit);
            Ok(CameraDef { name, lens: camera::read(json, index)?, transform: visit.world })
        })
        .collect()
}

fn name_or_node(name: &Option<String>, container: &Container, visit: &Visit) -> Arc<str> {
    match name {
        Some(name) if !name.is_empty() => Arc::from(name.as_str()),
        _ => node::name(&container.root.nodes[visit.index], visit.index),
    }
}
