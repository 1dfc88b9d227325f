//! The scene's cameras: its own first, then the named ones, then those of its glTF files.

use std::path::Path;

use glam::{DMat4, DVec3};

use super::assemble::Built;
use crate::scene::NamedCamera;
use crate::scene::camera::{Camera, CameraError, GltfProjection, Lens, Matrices, Pose};
use crate::scene::error::SceneError;
use crate::scene::file::KeyError;
use crate::scene::file::camera::{CameraChoice, CameraFile, CameraKind};
use crate::scene::file::parse::Parsed;
use crate::scene::gltf::{self, CameraDef};
use crate::suggest;

/// All cameras, for a picture of `resolution`; the first is the main one.
pub fn build(
    path: &Path,
    parsed: &Parsed,
    built: &Built,
    resolution: [u32; 2],
) -> Result<Vec<NamedCamera>, SceneError> {
    let file = &parsed.scene;
    let at = |keys: &[&str], error: CameraError| {
        let fault = KeyError::new(error.key, error.problem).within(keys);
        SceneError { mistakes: vec![parsed.locate(&fault)] }
    };
    let mut cameras = Vec::new();
    for (name, table) in &file.cameras {
        let camera = of_table(table, resolution).map_err(|error| at(&["cameras", name], error))?;
        cameras.push(NamedCamera { name: name.clone(), camera });
    }
    for definition in &built.cameras {
        let camera = of_gltf(definition, resolution)
            .map_err(|error| SceneError::of_file(path, format!("glTF camera \"{}\": {error}", definition.name)))?;
        cameras.push(NamedCamera { name: definition.name.to_string(), camera });
    }
    match &file.camera {
        Some(CameraChoice::Table(table)) => {
            let camera = of_table(table, resolution).map_err(|error| at(&["camera"], error))?;
            cameras.insert(0, NamedCamera { name: "camera".to_owned(), camera });
        }
        Some(CameraChoice::Named(name)) => {
            let index = cameras.iter().position(|camera| camera.name == *name).ok_or_else(|| {
                let names = cameras.iter().map(|camera| camera.name.as_str());
                let fault = KeyError::new("camera", suggest::unknown("camera", name, names));
                SceneError { mistakes: vec![parsed.locate(&fault)] }
            })?;
            cameras[..=index].rotate_right(1);
        }
        None if cameras.is_empty() => {
            let camera = framed(built, resolution).map_err(|error| SceneError::of_file(path, error))?;
            cameras.push(NamedCamera { name: "framed".to_owned(), camera });
        }
        None => {}
    }
    Ok(cameras)
}

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
