//! The scene file exactly as typed: one struct a table, values checked, nothing opened.
//!
//! TOML and JSON share one path: text → [`serde_json::Value`] → typed structs through [`reader::Reader`].

pub mod camera;
pub mod geometry;
pub mod light;
pub mod locate;
pub mod material;
pub mod number;
pub mod output;
pub mod parse;
pub mod reader;
pub mod render;
pub mod sources;
pub mod typed;
pub mod world;

use std::collections::BTreeMap;

use serde_json::Value;

use camera::{CameraChoice, CameraFile};
use geometry::{GeometryFile, InstancesFile, ProjectedDecalsFile};
use light::{LightFile, SkyFile, SunFile};
use material::MaterialTable;
use output::OutputFile;
use reader::Reader;
use render::RenderFile;
use world::WorldTable;

pub use typed::{KeyError, Table, typed};

/// A scene file, its includes merged in.
#[derive(Clone, Debug, Default)]
pub struct SceneFile {
    pub render: RenderFile,
    pub camera: Option<CameraChoice>,
    pub cameras: Vec<(String, CameraFile)>,
    pub world: WorldTable,
    pub sun: Option<SunFile>,
    pub sky: Option<SkyFile>,
    pub lights: Vec<LightFile>,
    pub geometry: Vec<GeometryFile>,
    pub instances: Vec<InstancesFile>,
    pub projected_decals: Vec<ProjectedDecalsFile>,
    pub materials: BTreeMap<String, MaterialTable>,
    pub textures: TexturesFile,
    pub output: OutputFile,
    /// Rendered from a bare glTF: it gets a default sky where it brings no light.
    pub bare: bool,
}

/// `[textures]`: the default colour space, and entries that materials may name.
#[derive(Clone, Debug, Default)]
pub struct TexturesFile {
    pub default_colour_space: Option<crate::texture::Transfer>,
    pub named: BTreeMap<String, Value>,
}

impl SceneFile {
    /// Reads the tables of one file; `include` is handled by [`parse`](mod@parse).
    pub fn read(root: &mut Reader) -> Self {
        root.value("include");
        Self {
            render: root.nested("render", RenderFile::read).unwrap_or_default(),
            camera: camera::choice(root),
            cameras: root.named("cameras", |_, reader| CameraFile::read(reader)),
            world: root.typed("world").unwrap_or_default(),
            sun: root.nested("sun", SunFile::read).flatten(),
            sky: root.nested("sky", SkyFile::read).flatten(),
            lights: root.list("lights", LightFile::read).into_iter().flatten().collect(),
            geometry: root.list("geometry", GeometryFile::read).into_iter().flatten().collect(),
            instances: root.list("instances", InstancesFile::read).into_iter().flatten().collect(),
            projected_decals: root.list("projected_decals", ProjectedDecalsFile::read).into_iter().flatten().collect(),
            materials: root.typed_map("materials"),
            textures: TexturesFile::read(root),
            output: root.nested("output", OutputFile::read).unwrap_or_default(),
            bare: false,
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
