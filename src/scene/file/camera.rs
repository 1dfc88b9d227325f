//! `[camera]` and `[cameras.*]`.

use glam::DVec3;

use super::reader::Reader;
use crate::scene::camera::{Convention, Frame};

/// `camera = "name"` or a `[camera]` table.
#[derive(Clone, Debug)]
pub enum CameraChoice {
    Named(String),
    Table(Box<CameraFile>),
}

/// A camera table; what its `kind` does not use is absent.
#[derive(Clone, Debug)]
pub struct CameraFile {
    pub kind: CameraKind,
    pub position: DVec3,
    pub target: DVec3,
    pub up: DVec3,
    /// Thin-lens radius, metres; 0 = pinhole.
    pub aperture_radius: f64,
    /// Metres along the camera's axis.
    pub focus_distance: f64,
}

/// The projection of a camera.
#[derive(Clone, Debug)]
pub enum CameraKind {
    /// Degrees.
    Perspective {
        vertical_fov: f64,
    },
    /// Metres.
    Orthographic {
        height: f64,
    },
    Panorama,
    /// Column-major for column vectors.
    Matrices {
        view: Box<[f64; 16]>,
        projection: Box<[f64; 16]>,
        convention: Convention,
        frame: Frame,
    },
}

/// Reads the root's `camera` key.
pub fn choice(root: &mut Reader) -> Option<CameraChoice> {
    match root.value("camera") {
        Some(serde_json::Value::String(name)) => Some(CameraChoice::Named(name.clone())),
        Some(_) => root.nested("camera", CameraFile::read).map(|table| CameraChoice::Table(Box::new(table))),
        None => None,
    }
}

impl CameraFile {
    /// Reads a camera table.
    pub fn read(reader: &mut Reader) -> Self {
        let kind = match reader.has("view") || reader.has("projection") {
            true => Self::matrices(reader),
            false => Self::kind(reader),
        };
        let vector = |value: Option<[f64; 3]>, default: [f64; 3]| DVec3::from_array(value.unwrap_or(default));
        let camera = Self {
            kind,
            position: vector(reader.array("position"), [0.0, 0.0, 0.0]),
            target: vector(reader.array("target"), [0.0, 0.0, -1.0]),
            up: reader.direction("up").unwrap_or(DVec3::Y),
            aperture_radius: reader.number_in("aperture_radius", 0.0, f64::INFINITY).unwrap_or(0.0),
            focus_distance: reader.number_in("focus_distance", 1e-6, f64::INFINITY).unwrap_or(10.0),
        };
        camera.check_axes(reader);
        camera
    }

    fn kind(reader: &mut Reader) -> CameraKind {
        let words = [("perspective", 0), ("orthographic", 1), ("panorama", 2)];
        match reader.choice("kind", &words).unwrap_or(0) {
            0 => {
                let fov = reader.optional("vertical_fov", "degrees between 0 and 180", |value| {
                    super::reader::number(value).filter(|fov| *fov > 0.0 && *fov < 180.0)
                });
                CameraKind::Perspective { vertical_fov: fov.unwrap_or(40.0) }
            }
            1 => {
                let height = reader.required("height", "metres, more than 0", |value| {
                    super::reader::number(value).filter(|height| *height > 0.0)
                });
                CameraKind::Orthographic { height: height.unwrap_or(1.0) }
            }
            _ => CameraKind::Panorama,
        }
    }

    fn matrices(reader: &mut Reader) -> CameraKind {
        CameraKind::Matrices {
            view: Box::new(reader.required_array("view").unwrap_or(IDENTITY)),
            projection: Box::new(reader.required_array("projection").unwrap_or(IDENTITY)),
            convention: reader
                .choice("convention", &[("d3d", Convention::D3d), ("gl", Convention::Gl)])
                .unwrap_or_else(|| {
                    let missing = !reader.has("convention");
                    if missing {
                        reader.fault("convention", "missing key \"convention\": expected \"d3d\" or \"gl\"");
                    }
                    Convention::D3d
                }),
            frame: reader.choice("frame", &[("game", Frame::Game), ("scene", Frame::Scene)]).unwrap_or(Frame::Scene),
        }
    }

    fn check_axes(&self, reader: &mut Reader) {
        if matches!(self.kind, CameraKind::Matrices { .. }) {
            return;
        }
        let axis = self.target - self.position;
        if axis.length_squared() == 0.0 {
            reader.fault("target", "the target is at the camera's position");
        } else if axis.normalize().cross(self.up.normalize()).length() < 1e-9 {
            reader.fault("up", "up is parallel to the viewing direction");
        }
    }
}

const IDENTITY: [f64; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
