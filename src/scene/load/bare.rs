//! A bare glTF as a scene file: itself as the only geometry.

use std::path::Path;

use crate::scene::file::SceneFile;
use crate::scene::file::geometry::GeometryFile;
use crate::scene::file::parse::Parsed;
use glam::DAffine3;

/// The scene that renders `path` as it is.
pub fn scene_of(path: &Path) -> Parsed {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let geometry =
        GeometryFile { file, transform: DAffine3::IDENTITY, area: None, materials: Default::default(), kind: None };
    Parsed::synthetic(path, SceneFile { geometry: vec![geometry], bare: true, ..SceneFile::default() })
}
