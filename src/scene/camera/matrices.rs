//! A viewer's own view and projection matrices as a camera.
//!
//! The ray needs neither near nor far plane. With M the inverse of clip ← scene, every clip point (x, y, z, 1) of a pixel
//! lies on one line, whatever z is; and all these lines meet in M·(0, 0, 1, 0), the eye: a point for a perspective
//! projection, a direction for a parallel one. So reversed, infinite and −1..1 depth all give the same rays.

use glam::{DMat4, DVec3, DVec4};
use serde::{Deserialize, Serialize};

use super::{CameraError, CameraRay, ray_from_point};

/// What a viewer's matrices mean where they do not say so themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Convention {
    /// Depth 0..1, view space left-handed: the camera looks along +z.
    D3d,
    /// Depth −1..1, view space right-handed: the camera looks along −z.
    Gl,
}

/// The frame that the view matrix starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// Left-handed, Y up: the scene frame with Z negated.
    Game,
    /// glTF's.
    Scene,
}

/// `view`, `projection`, `convention` and `frame` as typed. Matrices are column-major for column vectors, which is the
/// memory order of glTF, of GL and of D3D's row vectors alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrices {
    pub view: [f64; 16],
    pub projection: [f64; 16],
    pub convention: Convention,
    pub frame: Frame,
}

/// Relative size under which a homogeneous coordinate counts as 0: well above the rounding of matrices typed in f32.
const NEGLIGIBLE: f64 = 1e-9;

#[derive(Clone, Debug)]
pub(super) struct Unprojection {
    scene_to_view: DMat4,
    scene_to_clip: DMat4,
    clip_to_scene: DMat4,
    position: DVec3,
    forward: DVec3,
    parallel: bool,
}

impl Unprojection {
    pub fn new(matrices: &Matrices) -> Result<Self, CameraError> {
        let view = usable("view", &matrices.view)?;
        let projection = usable("projection", &matrices.projection)?;
        let to_frame = match matrices.frame {
            Frame::Game => DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0)),
            Frame::Scene => DMat4::IDENTITY,
        };
        let scene_to_view = view * to_frame;
        let scene_to_clip = projection * scene_to_view;
        // w of the clip point: depth along the view for a perspective projection, constant for a parallel one.
        let w = projection.row(3);
        let parallel = w.truncate().length() <= NEGLIGIBLE * w.length();
        let view_axis = match (parallel, matrices.convention) {
            (false, _) => w.truncate(),
            (true, Convention::D3d) => DVec3::Z,
            (true, Convention::Gl) => DVec3::NEG_Z,
        };
        let clip_to_scene = scene_to_clip.inverse();
        let position = if parallel {
            scene_to_view.inverse().w_axis.truncate()
        } else {
            clip_to_scene.z_axis.truncate() / clip_to_scene.z_axis.w
        };
        // A plane's normal goes through the transpose: view_axis is the gradient of depth.
        let forward = (scene_to_view.transpose() * view_axis.extend(0.0)).truncate().normalize();
        let unprojection = Self { scene_to_view, scene_to_clip, clip_to_scene, position, forward, parallel };
        if !(position.is_finite() && forward.is_finite() && clip_to_scene.is_finite()) {
            return Err(CameraError::new("projection", "with `view` it has no inverse"));
        }
        Ok(unprojection)
    }

    pub fn position(&self) -> DVec3 {
        self.position
    }

    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    pub fn world_to_camera(&self) -> DMat4 {
        self.scene_to_view
    }

    pub fn world_to_ndc(&self) -> DMat4 {
        self.scene_to_clip
    }

    /// The ray through `ndc`, of a pixel that is `pixel` wide and high in NDC.
    pub fn ray(&self, ndc: [f64; 2], pixel: [f64; 2]) -> CameraRay {
        let here = self.line([ndc[0], ndc[1]]);
        let beside = [self.line([ndc[0] + pixel[0], ndc[1]]), self.line([ndc[0], ndc[1] + pixel[1]])];
        let area = (beside[0] - here).cross(beside[1] - here).length();
        if self.parallel {
            let direction = self.forward.as_vec3().normalize();
            return CameraRay { origin: here, direction, spread: 0.0, width: area.sqrt() as f32 };
        }
        ray_from_point(self.position, here, area)
    }

    /// What distinguishes a pixel's line: for a perspective projection its unit direction, for a parallel one its point
    /// in the plane through the camera.
    fn line(&self, ndc: [f64; 2]) -> DVec3 {
        if self.parallel {
            let point = self.clip_to_scene * DVec4::new(ndc[0], ndc[1], 0.0, 1.0);
            let point = point.truncate() / point.w;
            // Along the lines of sight, which a sheared projection need not have along the axis.
            let sight = self.clip_to_scene.z_axis.truncate();
            return point - sight * ((point - self.position).dot(self.forward) / sight.dot(self.forward));
        }
        // Of the homogeneous points of the line, the one at infinity: a direction, free of the eye's coordinates, which
        // may be large.
        let point = self.clip_to_scene * DVec4::new(ndc[0], ndc[1], 0.0, 1.0);
        let eye = self.clip_to_scene.z_axis;
        let direction = (point - eye * (point.w / eye.w)).truncate();
        let direction = direction.normalize();
        if direction.dot(self.forward) < 0.0 { -direction } else { direction }
    }
}

fn usable(key: &'static str, columns: &[f64; 16]) -> Result<DMat4, CameraError> {
    let matrix = DMat4::from_cols_array(columns);
    if !matrix.is_finite() {
        return Err(CameraError::new(key, "every element must be a finite number"));
    }
    let inverse = matrix.inverse();
    if matrix.determinant() == 0.0 || !inverse.is_finite() {
        return Err(CameraError::new(key, "the matrix has no inverse"));
    }
    Ok(matrix)
}
