//! What the probe reads of a scene file: `[world]` and `[materials.*]`, with includes. Geometry, cameras and lights may be
//! absent and are not loaded; of them only what is typed is checked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::geometry::surface::to_game;
use crate::material::bind::{Input, NoTextures, TextureInput, bind};
use crate::material::registry::Family;
use crate::scene::error::{Mistake, SceneError};
use crate::scene::file::camera::CameraChoice;
use crate::scene::file::parse::{self, Parsed};
use crate::scene::load::cameras;
use crate::scene::load::materials::bind_table;
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
    /// Where everything stands, for what is only found out at a point.
    pub parsed: Arc<Parsed>,
    /// What may not be as meant.
    pub warnings: Vec<String>,
}

impl ProbeScene {
    /// Reads a `.toml` or `.json` scene.
    ///
    /// # Errors
    /// Everything that is wrong: file, line, key, what is allowed.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        let parsed = parse::parse(path)?;
        let mut mistakes = parsed.mistakes.clone();
        let mut warnings = Vec::new();
        let materials = materials(&parsed, &mut mistakes);
        let camera = camera_position(&parsed, &mut mistakes, &mut warnings);
        let world = parsed.scene.world.to_world(camera).unwrap_or_else(|error| {
            mistakes.push(parsed.locate(&error.within(&["world"])));
            World::default()
        });
        let default_colour_space = parsed.scene.textures.default_colour_space;
        match mistakes.is_empty() {
            true => Ok(Self { world, materials, default_colour_space, parsed: Arc::new(parsed), warnings }),
            false => Err(SceneError { mistakes }),
        }
    }
}

/// Everything of the materials is checked but the texture files, which a point may override.
fn materials(parsed: &Parsed, mistakes: &mut Vec<Mistake>) -> BTreeMap<String, (&'static Family, Input)> {
    let mut shaders = Shaders::default();
    let mut materials = BTreeMap::new();
    for (name, table) in &parsed.scene.materials {
        let checked = bind_table(parsed, name, table, &mut shaders, |family, input| {
            bind(family, &without_files(input), &mut NoTextures)
        });
        match checked {
            Ok((family, input, _)) => drop(materials.insert(name.clone(), (family, input))),
            Err(errors) => mistakes.extend(errors.iter().map(|error| parsed.locate(error))),
        }
    }
    materials
}

fn without_files(input: &Input) -> Input {
    let constant = |(name, _): (&String, &TextureInput)| (name.clone(), TextureInput::Constant(Vec4::ZERO));
    Input { textures: input.textures.iter().map(constant).collect(), ..input.clone() }
}

/// Where the main camera stands, game frame: what `[world] camera` defaults to. Cameras of glTF files are not loaded: one
/// that may be among them counts as standing at the origin.
fn camera_position(parsed: &Parsed, mistakes: &mut Vec<Mistake>, warnings: &mut Vec<String>) -> Vec3 {
    let scene = &parsed.scene;
    let named = |name: &String| scene.cameras.iter().find(|(known, _)| known == name);
    let (keys, table): (&[&str], _) = match &scene.camera {
        Some(CameraChoice::Table(camera)) => (&["camera"], Some(&**camera)),
        Some(CameraChoice::Named(name)) => (&["cameras", name], named(name).map(|(_, camera)| camera)),
        None => match scene.cameras.first() {
            Some((name, camera)) => (&["cameras", name], Some(camera)),
            None => (&[], None),
        },
    };
    if let (Some(CameraChoice::Named(name)), None) = (&scene.camera, table) {
        absent_camera(parsed, name, mistakes, warnings);
    }
    let camera = table.and_then(|table| cameras::of_file(parsed, keys, table, scene.render.resolution, mistakes));
    camera.map_or(Vec3::ZERO, |camera| to_game(camera.position().as_vec3()))
}

/// What there is to say of a camera's name that is none of `[cameras]`.
fn absent_camera(parsed: &Parsed, name: &str, mistakes: &mut Vec<Mistake>, warnings: &mut Vec<String>) {
    let scene = &parsed.scene;
    if !scene.geometry.is_empty() {
        if scene.world.camera.is_none() {
            warnings.push(format!(
                "camera \"{name}\" is none of [cameras]; those of glTF files are not loaded here, so that the eye is at \
                 the origin: type [world] camera"
            ));
        }
    } else if mistakes.is_empty() {
        // Where something could not be read, the camera of that name may be in it.
        mistakes.push(cameras::unknown(parsed, name, scene.cameras.iter().map(|(name, _)| name.as_str())));
    }
}
