//! The scene file exactly as typed: one struct a table, values checked, nothing opened.
//!
//! TOML and JSON share one path: text → [`serde_json::Value`] → typed structs through [`reader::Reader`].

pub mod camera;
pub mod geometry;
pub mod light;
pub mod locate;
pub mod material;
pub mod output;
pub mod parse;
pub mod reader;
pub mod render;
pub mod world;

use std::collections::BTreeMap;

use serde_json::Value;

use camera::{CameraChoice, CameraFile};
use geometry::{GeometryFile, InstancesFile, ProjectedDecalsFile};
use light::{LightFile, SkyFile, SunFile};
use material::MaterialFile;
use output::OutputFile;
use reader::{Fault, Reader};
use render::RenderFile;
use world::WorldFile;

/// A scene file, its includes merged in.
#[derive(Clone, Debug, Default)]
pub struct SceneFile {
    pub render: RenderFile,
    pub camera: Option<CameraChoice>,
    pub cameras: Vec<(String, CameraFile)>,
    pub world: WorldFile,
    pub sun: Option<SunFile>,
    pub sky: Option<SkyFile>,
    pub lights: Vec<LightFile>,
    pub geometry: Vec<GeometryFile>,
    pub instances: Vec<InstancesFile>,
    pub projected_decals: Vec<ProjectedDecalsFile>,
    pub materials: BTreeMap<String, MaterialFile>,
    pub textures: TexturesFile,
    pub output: OutputFile,
}

/// `[textures]`: the default colour space, and entries that materials may name.
#[derive(Clone, Debug, Default)]
pub struct TexturesFile {
    pub default_colour_space: Option<crate::texture::Transfer>,
    pub named: BTreeMap<String, Value>,
}

impl SceneFile {
    /// Reads the tables of one file; `include` is handled by [`parse`].
    pub fn read(root: &mut Reader) -> Self {
        root.value("include");
        Self {
            render: root.nested("render", RenderFile::read).unwrap_or_default(),
            camera: camera::choice(root),
            cameras: root.named("cameras", |_, reader| CameraFile::read(reader)),
            world: root.nested("world", WorldFile::read).unwrap_or_default(),
            sun: root.nested("sun", SunFile::read).flatten(),
            sky: root.nested("sky", SkyFile::read).flatten(),
            lights: root.list("lights", LightFile::read).into_iter().flatten().collect(),
            geometry: root.list("geometry", GeometryFile::read).into_iter().flatten().collect(),
            instances: root.list("instances", InstancesFile::read).into_iter().flatten().collect(),
            projected_decals: root.list("projected_decals", ProjectedDecalsFile::read).into_iter().flatten().collect(),
            materials: root.named("materials", |_, reader| MaterialFile::read(reader)).into_iter().collect(),
            textures: TexturesFile::read(root),
            output: root.nested("output", OutputFile::read).unwrap_or_default(),
        }
    }
}

impl TexturesFile {
    /// Reads `[textures]`.
    fn read(root: &mut Reader) -> Self {
        root.nested("textures", |reader| {
            let words = [("srgb", crate::texture::Transfer::Srgb), ("linear", crate::texture::Transfer::Linear)];
            let default_colour_space = reader.choice("default_colour_space", &words);
            Self { default_colour_space, named: reader.rest() }
        })
        .unwrap_or_default()
    }
}

/// Reads a whole scene's tables; faults are appended to `faults`.
pub fn read(root: &serde_json::Map<String, Value>, faults: &mut Vec<Fault>) -> SceneFile {
    let mut reader = Reader::new(root, Vec::new(), faults);
    let scene = SceneFile::read(&mut reader);
    reader.finish();
    scene
}
