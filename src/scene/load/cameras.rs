//! The scene's cameras: its own first, then the named ones, then those of its glTF files.

use std::path::Path;

use glam::DVec3;

use super::assemble::Built;
use crate::scene::NamedCamera;
use crate::scene::camera::Camera;
use crate::scene::error::SceneError;
use crate::scene::file::SceneFile;
use crate::scene::file::camera::CameraChoice;
use crate::suggest;

/// All cameras; the first is the main one.
pub fn build(path: &Path, file: &SceneFile, built: &Built) -> Result<Vec<NamedCamera>, SceneError> {
    let resolution = file.render.resolution;
    let typed = file.cameras.iter().map(|(name, camera)| (name.clone(), Camera::from_file(camera, resolution)));
    let mut cameras: Vec<NamedCamera> =
        typed.map(|(name, camera)| NamedCamera { name, camera }).collect();
    for (name, camera) in &built.cameras {
        cameras.push(NamedCamera { name: name.clone(), camera: Camera::from_gltf(camera, resolution) });
    }
    match &file.camera {
        Some(CameraChoice::Table(table)) => {
            let camera = Camera::from_file(table, resolution);
            cameras.insert(0, NamedCamera { name: "camera".to_owned(), camera });
        }
        Some(CameraChoice::Named(name)) => {
            let found = cameras.iter().position(|camera| camera.name == *name);
            let names = cameras.iter().map(|camera| camera.name.as_str());
            let index = found.ok_or_else(|| {
                SceneError::of_file(path, format!("camera: {}", suggest::unknown("camera", name, names.clone())))
            })?;
            cameras[..=index].rotate_right(1);
        }
        None if cameras.is_empty() => {
            let camera = framed(built, resolution);
            cameras.push(NamedCamera { name: "framed".to_owned(), camera });
        }
        None => {}
    }
    Ok(cameras)
}

/// A camera that looks at the whole scene from above its front right.
fn framed(built: &Built, resolution: [u32; 2]) -> Camera {
    const VERTICAL_FOV: f64 = 40.0;
    let (low, high) = built.bounds;
    let centre = (low + high) * 0.5;
    let radius = ((high - low).length() * 0.5).max(1e-3);
    let aspect = f64::from(resolution[0]) / f64::from(resolution[1]);
    let half = (VERTICAL_FOV.to_radians() * 0.5).tan() * aspect.min(1.0);
    let distance = radius / half.atan().sin();
    let position = centre + DVec3::new(0.45, 0.3, 1.0).normalize() * distance;
    Camera::perspective(position, centre, DVec3::Y, VERTICAL_FOV, resolution)
}
