//! What the probe reads of a scene file: `[world]` and `[materials.*]`, with includes. Geometry, cameras and lights may be
//! absent and are not loaded; of them only what is typed is checked.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Vec3, Vec4};

use crate::geometry::surface::to_game;
use crate::material::bind::{Input, NoTextures, TextureInput, bind};
use crate::material::registry::Family;
use crate::scene::error::{Mistake, SceneError};
use crate::scene::file::camera::CameraChoice;
use crate::scene::file::parse::{self, Parsed};
use crate::scene::load::cameras::of_table;
use crate::scene::load::materials::{input_of, key_errors};
use crate::scene::load::shader::Shaders;
use crate::scene::world::World;
use crate::texture::Transfer;

/// The checked materials and the world of a scene.
#[derive(Clone)]
pub struct ProbeScene {
    pub world: World,
    /// Name → family and input; every name and value but the texture files has been checked.
    pub materials: BTreeMap<String, (&'static Family, Input)>,
    /// `[textures] default_colour_space`, for the store that opens the files.
    pub default_colour_space: Option<Transfer>,
}

impl ProbeScene {
    /// Reads a `.toml` or `.json` scene.
    ///
    /// # Errors
    /// Everything that is wrong: file, line, key, what is allowed.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        let parsed = parse::parse(path)?;
        let mut mistakes = parsed.mistakes.clone();
        let materials = materials(&parsed, &mut mistakes);
        let world = parsed.scene.world.to_world(camera_position(&parsed)).unwrap_or_else(|error| {
            mistakes.push(parsed.locate(&error.within(&["world"])));
            World::default()
        });
        let default_colour_space = parsed.scene.textures.default_colour_space;
        match mistakes.is_empty() {
            true => Ok(Self { world, materials, default_colour_space }),
            false => Err(SceneError { mistakes }),
        }
    }
}

/// Everything of the materials is checked but the texture files, which a point may override.
fn materials(parsed: &Parsed, mistakes: &mut Vec<Mistake>) -> BTreeMap<String, (&'static Family, Input)> {
    let mut shaders = Shaders::default();
    let mut materials = BTreeMap::new();
    for (name, table) in &parsed.scene.materials {
        let checked = input_of(parsed, name, table, &mut shaders).and_then(|(family, input)| {
            match bind(family, &without_files(&input), &mut NoTextures) {
                Ok(_) => Ok((family, input)),
                Err(faults) => Err(key_errors(name, faults)),
            }
        });
        match checked {
            Ok(material) => drop(materials.insert(name.clone(), material)),
            Err(errors) => mistakes.extend(errors.iter().map(|error| parsed.locate(error))),
        }
    }
    materials
}

fn without_files(input: &Input) -> Input {
    let constant = |(name, _): (&String, &TextureInput)| (name.clone(), TextureInput::Constant(Vec4::ZERO));
    Input { textures: input.textures.iter().map(constant).collect(), ..input.clone() }
}

/// Where the main camera stands, game frame: what `[world] camera` defaults to. Cameras of glTF files are not loaded.
fn camera_position(parsed: &Parsed) -> Vec3 {
    let scene = &parsed.scene;
    let named = |name: &String| scene.cameras.iter().find(|(known, _)| known == name);
    let main = match &scene.camera {
        Some(CameraChoice::Table(camera)) => Some(&**camera),
        Some(CameraChoice::Named(name)) => named(name).map(|(_, camera)| camera),
        None => scene.cameras.first().map(|(_, camera)| camera),
    };
    let camera = main.and_then(|camera| of_table(camera, scene.render.resolution).ok());
    camera.map_or(Vec3::ZERO, |camera| to_game(camera.position().as_vec3()))
}
