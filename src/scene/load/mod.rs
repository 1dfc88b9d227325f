//! Typed → [`Scene`]: files are opened, materials bound, lights and trees built. Every input error ends here.

mod assemble;
mod bare;
pub mod cameras;
mod decals;
mod lights;
pub mod materials;
pub mod shader;

use std::path::{Path, PathBuf};

use glam::Vec3;
use rayon::prelude::*;

use super::camera::Camera;
use super::error::{Mistake, SceneError};
use super::file::SceneFile;
use super::file::parse::{self, Parsed};
use super::file::render::RenderFile;
use super::world::{DecalComposite, World};
use super::{Scene, Traits};
use crate::decal::Boxes;
use crate::geometry::accel::{Accel, Backend};
use crate::geometry::mesh::{Mesh, mask};
use crate::geometry::surface::to_game;
use assemble::{Assembly, Built};

/// What the command line decides about loading.
#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Threads for Embree's build; by default all.
    pub threads: Option<usize>,
    /// Instead of the scene file's: a camera that frames a bare glTF depends on the shape of the picture.
    pub resolution: Option<[u32; 2]>,
}

impl Default for Options {
    fn default() -> Self {
        Self { backend: Backend::Bvh, threads: None, resolution: None }
    }
}

/// Loads a scene file (.toml, .json) or a bare glTF (.gltf, .glb).
///
/// # Errors
/// Everything that is wrong with the scene and the files it names, as far as one run can tell.
pub fn load(path: &Path, options: &Options) -> Result<Scene, SceneError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let mut parsed = match extension.as_deref() {
        Some("gltf" | "glb") => bare::scene_of(path),
        Some("toml" | "json") => parse::parse(path)?,
        _ => return Err(SceneError::of_file(path, "a scene ends in .toml, .json, .gltf or .glb")),
    };
    if let Some(resolution) = options.resolution {
        parsed.scene.render.resolution = resolution;
    }
    build(path, &parsed, options)
}

fn build(path: &Path, parsed: &Parsed, options: &Options) -> Result<Scene, SceneError> {
    let file = &parsed.scene;
    let mut assembly = Assembly::new(path, parsed);
    assembly.bind_materials();
    // A text with mistakes lacks entries: what the others say of them would be wrong.
    if parsed.mistakes.is_empty() {
        assembly.add_geometry();
        assembly.add_instances();
        assembly.add_projected_decals();
    }
    let (mut built, mut mistakes) = assembly.finish();
    let resolution = options.resolution.unwrap_or(file.render.resolution);
    let cameras = cameras::build(path, parsed, &built, resolution, &mut mistakes);
    let world = world_of(parsed, cameras.first().map(|main| &main.camera), &mut mistakes);
    let lights = lights::build(path, parsed, &mut built, &world, &mut mistakes);
    let (Some(lights), true) = (lights, mistakes.is_empty()) else { return Err(SceneError { mistakes }) };
    let accel = Accel::build(&built.meshes, &built.instances, options.backend, options.threads.unwrap_or(0))
        .map_err(|error| SceneError::of_file(path, error))?;
    let boxes = match world.decal_composite {
        DecalComposite::None => Boxes::default(),
        _ => Boxes::new(std::mem::take(&mut built.boxes)),
    };
    let has = |mask: u8| built.instances.iter().any(|instance| instance.mask == mask);
    let traits = Traits {
        filtered: has(mask::FILTERED),
        decals: has(mask::DECAL),
        painted: has(mask::DECAL) || !boxes.is_empty(),
        footprint: uses_footprint(file),
    };
    let hash = hash(parsed, &built);
    Ok(Scene {
        centre: built.centre,
        meshes: built.meshes,
        instances: built.instances,
        accel,
        materials: built.materials,
        lights,
        boxes,
        world,
        world_follows_camera: file.world.camera.is_none(),
        cameras,
        names: built.names,
        traits,
        render: RenderFile { resolution, ..file.render.clone() },
        output: file.output.clone(),
        texture_bytes: built.texture_bytes,
        warnings: built.warnings,
        hash,
    })
}

/// `[world]`, its camera defaulting to the main camera (game frame).
fn world_of(parsed: &Parsed, camera: Option<&Camera>, mistakes: &mut Vec<Mistake>) -> World {
    let position = camera.map_or(Vec3::ZERO, |camera| to_game(camera.position().as_vec3()));
    parsed.scene.world.to_world(position).unwrap_or_else(|error| {
        mistakes.push(parsed.locate(&error.within(&["world"])));
        World::default()
    })
}

/// Whether some texture entry asks for mips by footprint; glTF's own model never does.
fn uses_footprint(file: &SceneFile) -> bool {
    let asks = |entry: &serde_json::Value| entry.get("mip").is_some_and(|mip| mip == "footprint");
    let own = file.materials.values().flat_map(|material| material.textures.values());
    own.chain(file.textures.named.values()).any(asks)
}

/// Of the scene's texts, of the bytes of the files that it names, and of the meshes, which may come from buffers that only
/// a glTF names: equal hashes, equal pictures.
fn hash(parsed: &Parsed, built: &Built) -> u64 {
    let texts = parsed.texts().map(|text| crc32fast::hash(text.as_bytes()));
    let checksum = |file: &PathBuf| std::fs::read(file).map_or(0, |bytes| crc32fast::hash(&bytes));
    let files: Vec<u32> = built.files.par_iter().map(checksum).collect();
    let meshes: Vec<u32> = built.meshes.par_iter().map(Mesh::checksum).collect();
    // FNV-1a over the checksums, in the order in which the files are named.
    texts
        .chain(files)
        .chain(meshes)
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
