//! Typed → [`Scene`]: files are opened, materials bound, lights and trees built. Every input error ends here.

mod assemble;
mod bare;
mod cameras;
mod lights;
mod materials;

use std::path::Path;

use super::error::SceneError;
use super::file::SceneFile;
use super::file::parse::{self, Parsed};
use super::world::World;
use super::{Scene, Traits};
use crate::geometry::accel::{Accel, Backend};
use crate::geometry::surface::to_game;
use assemble::Assembly;

/// What the command line decides about loading.
#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Threads for Embree's build; by default all.
    pub threads: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self { backend: Backend::Bvh, threads: None }
    }
}

/// Loads a scene file (.toml, .json) or a bare glTF (.gltf, .glb).
///
/// # Errors
/// Everything that is wrong with the scene and the files it names, as far as one run can tell.
pub fn load(path: &Path, options: &Options) -> Result<Scene, SceneError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("gltf" | "glb") => {
            let parsed = bare::scene_of(path);
            build(path, &parsed, options)
        }
        Some("toml" | "json") => build(path, &parse::parse(path)?, options),
        _ => Err(SceneError::of_file(path, "a scene ends in .toml, .json, .gltf or .glb")),
    }
}

fn build(path: &Path, parsed: &Parsed, options: &Options) -> Result<Scene, SceneError> {
    let file = &parsed.scene;
    let mut assembly = Assembly::new(path, parsed);
    assembly.bind_materials();
    assembly.add_geometry();
    assembly.add_instances();
    let mut built = assembly.finish()?;
    let cameras = cameras::build(file, &built)?;
    let world = world_of(file, &cameras[0].camera);
    let lights = lights::build(path, parsed, &mut built, &world)?;
    let accel = Accel::build(&built.meshes, &built.instances, options.backend, options.threads)
        .map_err(|error| SceneError::of_file(path, error))?;
    let traits = Traits {
        filtered: built.instances.iter().any(|instance| instance.mask == crate::geometry::mesh::mask::FILTERED),
        footprint: built.footprint,
    };
    Ok(Scene {
        centre: built.centre,
        meshes: built.meshes,
        instances: built.instances,
        accel,
        materials: built.materials,
        lights,
        world,
        cameras,
        names: built.names,
        traits,
        render: file.render.clone(),
        output: file.output.clone(),
        texture_bytes: built.texture_bytes,
        warnings: built.warnings,
        hash: built.hash,
    })
}

/// `[world]`, its camera defaulting to the main camera (game frame).
fn world_of(file: &SceneFile, camera: &super::camera::Camera) -> World {
    file.world.resolve(to_game(camera.position().as_vec3()))
}
