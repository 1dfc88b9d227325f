//! The scene's cameras: its own first, then the named ones, then those of its glTF files.

use std::path::Path;

use glam::{DMat4, DVec3};

use super::assemble::Built;
use crate::scene::NamedCamera;
use crate::scene::camera::{Camera, CameraError, GltfProjection, Lens, Matrices, Pose};
use crate::scene::error::{Mistake, SceneError};
use crate::scene::file::KeyError;
use crate::scene::file::camera::{CameraChoice, CameraFile, CameraKind};
use crate::scene::file::parse::Parsed;
use crate::scene::gltf::{self, CameraDef};
use crate::suggest;

/// All cameras, for a picture of `resolution`; the first is the main one. With new mistakes some are missing.
pub fn build(
    path: &Path,
    parsed: &Parsed,
    built: &Built,
    resolution: [u32; 2],
    mistakes: &mut Vec<Mistake>,
) -> Vec<NamedCamera> {
    let file = &parsed.scene;
    let mut cameras = Vec::new();
    for (name, table) in &file.cameras {
        let camera = of_file(parsed, &["cameras", name], table, resolution, mistakes);
        cameras.extend(camera.map(|camera| NamedCamera { name: name.clone(), camera }));
    }
    let main = match &file.camera {
        Some(CameraChoice::Table(table)) => of_file(parsed, &["camera"], table, resolution, mistakes),
        _ => None,
    };
    // Where something could not be read, the camera of that name may be in it.
    let complete = mistakes.is_empty();
    for definition in &built.cameras {
        match of_gltf(definition, resolution) {
            Ok(camera) => cameras.push(NamedCamera { name: definition.name.to_string(), camera }),
            Err(error) => {
                let message = format!("glTF camera \"{}\": {error}", definition.name);
                mistakes.extend(SceneError::of_file(path, message).mistakes);
            }
        }
    }
    match &file.camera {
        Some(CameraChoice::Table(_)) => {
            cameras.splice(0..0, main.map(|camera| NamedCamera { name: "camera".to_owned(), camera }));
        }
        Some(CameraChoice::Named(name)) => match cameras.iter().position(|camera| camera.name == *name) {
            Some(index) => cameras[..=index].rotate_right(1),
            None if complete => mistakes.push(unknown(parsed, name, cameras.iter().map(|camera| camera.name.as_str()))),
            None => {}
        },
        None if cameras.is_empty() => match framed(built, resolution) {
            Ok(camera) => cameras.push(NamedCamera { name: "framed".to_owned(), camera }),
            Err(error) if complete => mistakes.extend(SceneError::of_file(path, error).mistakes),
            Err(_) => {}
        },
        None => {}
    }
    cameras
}

/// The camera of the table at `keys`; a mistake where it makes none.
pub fn of_file(
    parsed: &Parsed,
    keys: &[&str],
    table: &CameraFile,
    resolution: [u32; 2],
    mistakes: &mut Vec<Mistake>,
) -> Option<Camera> {
    let error = match of_table(table, resolution) {
        Ok(camera) => return Some(camera),
        Err(error) => error,
    };
    // What the reader of the text has noted already is not said again.
    let inside = format!("{}.", keys.join("."));
    if !mistakes.iter().any(|mistake| mistake.key.starts_with(&inside)) {
        mistakes.push(parsed.locate(&KeyError::new(error.key, error.problem).within(keys)));
    }
    None
}

/// The mistake that `camera = "NAME"` is where no camera has the name.
pub fn unknown<'a>(parsed: &Parsed, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Mistake {
    parsed.locate(&KeyError::new("camera", suggest::unknown("camera", name, known)))
}

/// The camera of a table, for a picture of `resolution`.
fn of_table(table: &CameraFile, resolution: [u32; 2]) -> Result<Camera, CameraError> {
    let pose = || Pose::look_at(table.position, table.target, table.up);
    match &table.kind {
        CameraKind::Perspective { vertical_fov } => {
            let lens = Lens { aperture_radius: table.aperture_radius, focus_distance: table.focus_distance };
            Camera::perspective(pose()?, *vertical_fov, lens, resolution)
        }
        CameraKind::Orthographic { height } => Camera::orthographic(pose()?, *height, resolution),
        CameraKind::Panorama => Camera::panorama(pose()?, resolution),
        CameraKind::Matrices { view, projection, convention, frame } => {
            let (view, projection) = (**view, **projection);
            let matrices = Matrices { view, projection, convention: *convention, frame: *frame };
            Camera::from_matrices(&matrices, resolution)
        }
    }
}

fn of_gltf(definition: &CameraDef, resolution: [u32; 2]) -> Result<Camera, CameraError> {
    let projection = match definition.lens {
        gltf::Lens::Perspective { yfov, .. } => GltfProjection::Perspective { yfov },
        gltf::Lens::Orthographic { ymag, .. } => GltfProjection::Orthographic { ymag },
    };
    Camera::gltf(DMat4::from(definition.transform), projection, resolution)
}

/// A camera that looks at the whole scene from above its front right.
fn framed(built: &Built, resolution: [u32; 2]) -> Result<Camera, CameraError> {
    const VERTICAL_FOV: f64 = 40.0;
    let (low, high) = built.bounds;
    let centre = (low + high) * 0.5;
    let radius = ((high - low).length() * 0.5).max(1e-3);
    let aspect = f64::from(resolution[0]) / f64::from(resolution[1]);
    let half = (VERTICAL_FOV.to_radians() * 0.5).tan() * aspect.min(1.0);
    let distance = radius / half.atan().sin();
    let position = centre + DVec3::new(0.45, 0.3, 1.0).normalize() * distance;
    let pinhole = Lens { aperture_radius: 0.0, focus_distance: 1.0 };
    Camera::perspective(Pose::look_at(position, centre, DVec3::Y)?, VERTICAL_FOV, pinhole, resolution)
}
