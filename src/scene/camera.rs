//! Cameras: a place on the image → a ray.
//!
//! *Raster* coordinates are continuous pixels of the full image (crops use the same ones): x right, y down,
//! (0.5, 0.5) is the centre of the top-left pixel. *NDC* are −1..1 with x right, y up. Everything is f64 in the absolute
//! scene frame, so that a camera kilometres from the origin is as precise as one at it.
//!
//! The vertical extent is the camera's; the output's aspect ratio decides the horizontal one. That holds for glTF cameras
//! too, whose `aspectRatio` and `xmag` are therefore not used: rendered at another shape they show more or less at the
//! sides, never a squeezed picture. Only a viewer's own matrices are taken as they are.
//!
//! No camera clips by near or far planes.

mod matrices;

use std::f64::consts::PI;

use glam::dcamera::rh::proj::directx as projection;
use glam::{DMat4, DVec3, Vec3};
use thiserror::Error;

use crate::warp;
pub use matrices::{Convention, Frame, Matrices};

/// Near plane of [`Camera::world_to_ndc`], metres. Rays know no near plane; a projection matrix needs one.
const NDC_NEAR: f64 = 0.01;
/// Depth range of the orthographic [`Camera::world_to_ndc`], metres.
const NDC_ORTHOGRAPHIC_FAR: f64 = 1000.0;

/// A camera key whose value cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("`{key}`: {problem}")]
pub struct CameraError {
    /// The key as the scene file names it.
    pub key: &'static str,
    /// What is wrong and what is allowed.
    pub problem: String,
}

impl CameraError {
    fn new(key: &'static str, problem: impl Into<String>) -> Self {
        Self { key, problem: problem.into() }
    }
}

/// `value` if it is finite and above 0.
fn positive(key: &'static str, value: f64) -> Result<f64, CameraError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(CameraError::new(key, format!("{value} is not allowed, it must be above 0")))
}

/// Where a camera stands and how it is turned: an orthonormal right-handed frame (right, up, −forward).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    position: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
}

impl Pose {
    /// At `position`, looking at `target`; `up` needs only not to be parallel to the view.
    pub fn look_at(position: DVec3, target: DVec3, up: DVec3) -> Result<Self, CameraError> {
        for (key, vector) in [("position", position), ("target", target), ("up", up)] {
            if !vector.is_finite() {
                return Err(CameraError::new(key, "every component must be a finite number"));
            }
        }
        let forward = (target - position).try_normalize();
        let forward = forward.ok_or_else(|| CameraError::new("target", "it must differ from `position`"))?;
        Self::new(position, forward, up, "up")
    }

    /// Of a glTF node by its global transform: looks along its −Z with +Y up. Its scale is ignored, as glTF says (3.10.1).
    pub fn of_node(transform: DMat4) -> Result<Self, CameraError> {
        let [y, z, position] = [transform.y_axis, transform.z_axis, transform.w_axis].map(|c| c.truncate());
        let forward = if transform.is_finite() { (-z).try_normalize() } else { None };
        let forward = forward.ok_or_else(|| CameraError::new("camera", "its node's transform has no direction"))?;
        Self::new(position, forward, y, "camera")
    }

    fn new(position: DVec3, forward: DVec3, up: DVec3, key: &'static str) -> Result<Self, CameraError> {
        let right = up.try_normalize().map(|up| forward.cross(up)).filter(|r| r.length() > 1e-9);
        let right = right.ok_or_else(|| CameraError::new(key, "the up direction is zero or parallel to the view"))?;
        let right = right.normalize();
        Ok(Self { position, right, up: right.cross(forward), forward })
    }

    /// Scene → camera space: x right, y up, looking along −z (glTF's).
    fn world_to_camera(&self) -> DMat4 {
        let rotation = DMat4::from_cols(
            self.right.extend(0.0),
            self.up.extend(0.0),
            (-self.forward).extend(0.0),
            DVec3::ZERO.extend(1.0),
        );
        rotation.transpose() * DMat4::from_translation(-self.position)
    }

    fn direction(&self, right: f64, up: f64, forward: f64) -> DVec3 {
        self.right * right + self.up * up + self.forward * forward
    }
}

/// A thin lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Metres; 0 is a pinhole.
    pub aperture_radius: f64,
    /// Depth of the plane in focus along the camera's axis, metres.
    pub focus_distance: f64,
}

/// The projection of a glTF camera; what glTF says about shape and depth range is not used (see the module's page).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GltfProjection {
    /// Vertical field of view, radians.
    Perspective { yfov: f64 },
    /// Half the height, metres.
    Orthographic { ymag: f64 },
}

/// A ray through a place on the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraRay {
    /// Absolute, scene frame, metres.
    pub origin: DVec3,
    /// Scene frame, unit.
    pub direction: Vec3,
    /// How fast the pixel's width grows along the ray, metres a metre: the root of the pixel's solid angle.
    pub spread: f32,
    /// The pixel's width at the origin, metres: 0 but for parallel rays.
    pub width: f32,
}

#[derive(Clone, Debug)]
enum Model {
    Perspective { pose: Pose, tan_half_fov: f64, lens: Lens },
    Orthographic { pose: Pose, height: f64 },
    Panorama { pose: Pose },
    Matrices(Box<matrices::Unprojection>),
}

/// A camera for one image size.
#[derive(Clone, Debug)]
pub struct Camera {
    model: Model,
    width: f64,
    height: f64,
}

impl Camera {
    /// `vertical_fov` in degrees. A `lens` of radius 0 is a pinhole; its focus distance then does not count.
    pub fn perspective(pose: Pose, vertical_fov: f64, lens: Lens, resolution: [u32; 2]) -> Result<Self, CameraError> {
        if !(vertical_fov > 0.0 && vertical_fov < 180.0) {
            let problem = format!("{vertical_fov} degrees is not allowed, it must be above 0 and below 180");
            return Err(CameraError::new("vertical_fov", problem));
        }
        if !(lens.aperture_radius >= 0.0 && lens.aperture_radius.is_finite()) {
            return Err(CameraError::new("aperture_radius", format!("{} must be 0 or above", lens.aperture_radius)));
        }
        if lens.aperture_radius > 0.0 {
            positive("focus_distance", lens.focus_distance)?;
        }
        let tan_half_fov = (0.5 * vertical_fov.to_radians()).tan();
        Self::new(Model::Perspective { pose, tan_half_fov, lens }, resolution)
    }

    /// Parallel rays from the plane through the camera's position; `height` of the image in metres.
    pub fn orthographic(pose: Pose, height: f64, resolution: [u32; 2]) -> Result<Self, CameraError> {
        let height = positive("height", height)?;
        Self::new(Model::Orthographic { pose, height }, resolution)
    }

    /// All directions on a latitude-longitude image, as `[sky]` images are laid out but turned with the camera: the
    /// image's centre looks along the camera's forward axis, its top row is the camera's up, u grows to its right. A
    /// camera that looks along −Z with +Y up sees the sky image unchanged.
    pub fn panorama(pose: Pose, resolution: [u32; 2]) -> Result<Self, CameraError> {
        Self::new(Model::Panorama { pose }, resolution)
    }

    /// A viewer's own matrices, stretched over the image as the viewer's viewport would be.
    pub fn from_matrices(matrices: &Matrices, resolution: [u32; 2]) -> Result<Self, CameraError> {
        Self::new(Model::Matrices(Box::new(matrices::Unprojection::new(matrices)?)), resolution)
    }

    /// A glTF camera on a node with the global transform `node`.
    pub fn gltf(node: DMat4, projection: GltfProjection, resolution: [u32; 2]) -> Result<Self, CameraError> {
        let pose = Pose::of_node(node)?;
        match projection {
            GltfProjection::Perspective { yfov } => {
                let pinhole = Lens { aperture_radius: 0.0, focus_distance: 1.0 };
                let camera = Self::perspective(pose, yfov.to_degrees(), pinhole, resolution);
                camera.map_err(|e| CameraError { key: "yfov", ..e })
            }
            GltfProjection::Orthographic { ymag } => {
                Self::orthographic(pose, 2.0 * ymag, resolution).map_err(|e| CameraError { key: "ymag", ..e })
            }
        }
    }

    fn new(model: Model, resolution: [u32; 2]) -> Result<Self, CameraError> {
        let [width, height] = resolution.map(f64::from);
        positive("resolution", width.min(height))?;
        Ok(Self { model, width, height })
    }

    /// The same camera for another image size (each side at least 1 pixel).
    pub fn resized(&self, resolution: [u32; 2]) -> Self {
        let [width, height] = resolution.map(|side| f64::from(side.max(1)));
        Self { model: self.model.clone(), width, height }
    }

    /// The ray through `raster`, from the place on the lens that `lens` (two numbers in [0, 1)) chooses; a pinhole, and
    /// every camera but the perspective one, ignores `lens`.
    pub fn ray(&self, raster: [f64; 2], lens: [f32; 2]) -> CameraRay {
        let ndc = self.ndc(raster);
        match &self.model {
            Model::Perspective { pose, tan_half_fov, lens: thin } => {
                self.perspective_ray(pose, *tan_half_fov, thin, ndc, lens)
            }
            Model::Orthographic { pose, height } => {
                let (x, y) = (0.5 * height * self.aspect() * ndc[0], 0.5 * height * ndc[1]);
                let origin = pose.position + pose.right * x + pose.up * y;
                let width = (height / self.height) as f32;
                CameraRay { origin, direction: pose.forward.as_vec3().normalize(), spread: 0.0, width }
            }
            Model::Panorama { pose } => {
                let (azimuth, elevation) = (PI * ndc[0], 0.5 * PI * ndc[1]);
                let across = elevation.cos();
                let direction = pose.direction(across * azimuth.sin(), elevation.sin(), across * azimuth.cos());
                let solid_angle = 2.0 * PI / self.width * PI / self.height * across.max(0.0);
                ray_from_point(pose.position, direction, solid_angle)
            }
            Model::Matrices(unprojection) => unprojection.ray(ndc, [2.0 / self.width, 2.0 / self.height]),
        }
    }

    fn perspective_ray(&self, pose: &Pose, tan: f64, thin: &Lens, ndc: [f64; 2], lens: [f32; 2]) -> CameraRay {
        // At depth 1 along the axis.
        let direction = pose.direction(tan * self.aspect() * ndc[0], tan * ndc[1], 1.0);
        let pixel = 2.0 * tan / self.height;
        let solid_angle = pixel * pixel / direction.length().powi(3);
        if thin.aperture_radius == 0.0 {
            return ray_from_point(pose.position, direction, solid_angle);
        }
        let on_lens = warp::disc(lens).as_dvec2() * thin.aperture_radius;
        let offset = pose.right * on_lens.x + pose.up * on_lens.y;
        ray_from_point(pose.position + offset, direction * thin.focus_distance - offset, solid_angle)
    }

    /// The camera's axis, unit, scene frame: planar Z is (P − position)·forward. A panorama's is that of its centre.
    pub fn forward(&self) -> DVec3 {
        match &self.model {
            Model::Matrices(unprojection) => unprojection.forward(),
            _ => self.pose().map_or(DVec3::NEG_Z, |pose| pose.forward),
        }
    }

    /// Where the camera stands, absolute, scene frame, metres.
    pub fn position(&self) -> DVec3 {
        match &self.model {
            Model::Matrices(unprojection) => unprojection.position(),
            _ => self.pose().map_or(DVec3::ZERO, |pose| pose.position),
        }
    }

    /// Scene frame → camera space, for column vectors: x right, y up, looking along −z; a viewer's own matrices keep
    /// their view space.
    pub fn world_to_camera(&self) -> DMat4 {
        match &self.model {
            Model::Matrices(unprojection) => unprojection.world_to_camera(),
            _ => self.pose().map_or(DMat4::IDENTITY, Pose::world_to_camera),
        }
    }

    /// Scene frame → NDC (after division by w), for column vectors. Depth runs from 0 at the near plane to 1 (perspective:
    /// at infinity), or as a viewer's own projection says. None for a panorama, which no matrix describes.
    pub fn world_to_ndc(&self) -> Option<DMat4> {
        let to_clip = match &self.model {
            Model::Perspective { tan_half_fov, .. } => {
                projection::perspective_infinite(2.0 * tan_half_fov.atan(), self.aspect(), NDC_NEAR)
            }
            Model::Orthographic { height, .. } => {
                let (x, y) = (0.5 * height * self.aspect(), 0.5 * height);
                projection::orthographic(-x, x, -y, y, 0.0, NDC_ORTHOGRAPHIC_FAR)
            }
            Model::Panorama { .. } => return None,
            Model::Matrices(unprojection) => return Some(unprojection.world_to_ndc()),
        };
        Some(to_clip * self.world_to_camera())
    }

    /// The raster coordinates of an absolute scene point; none where it is not in front of the camera. For a panorama,
    /// which sees everything, none only at its own position.
    pub fn project(&self, point: DVec3) -> Option<[f64; 2]> {
        let ndc = match (&self.model, self.world_to_ndc()) {
            (Model::Panorama { pose }, _) => {
                let d = (point - pose.position).try_normalize()?;
                let azimuth = d.dot(pose.right).atan2(d.dot(pose.forward));
                [azimuth / PI, d.dot(pose.up).clamp(-1.0, 1.0).asin() / (0.5 * PI)]
            }
            (_, Some(matrix)) => {
                let clip = matrix * point.extend(1.0);
                let in_front = (point - self.position()).dot(self.forward()) > 0.0;
                in_front.then(|| [clip.x / clip.w, clip.y / clip.w])?
            }
            (_, None) => return None,
        };
        Some([0.5 * (ndc[0] + 1.0) * self.width, 0.5 * (1.0 - ndc[1]) * self.height])
    }

    fn pose(&self) -> Option<&Pose> {
        match &self.model {
            Model::Perspective { pose, .. } | Model::Orthographic { pose, .. } | Model::Panorama { pose } => Some(pose),
            Model::Matrices(_) => None,
        }
    }

    fn aspect(&self) -> f64 {
        self.width / self.height
    }

    fn ndc(&self, raster: [f64; 2]) -> [f64; 2] {
        [2.0 * raster[0] / self.width - 1.0, 1.0 - 2.0 * raster[1] / self.height]
    }
}

/// A ray of a pixel that is seen from a point under `solid_angle`; `direction` of any length.
fn ray_from_point(origin: DVec3, direction: DVec3, solid_angle: f64) -> CameraRay {
    let direction = direction.normalize().as_vec3().normalize();
    CameraRay { origin, direction, spread: solid_angle.sqrt() as f32, width: 0.0 }
}

#[cfg(test)]
mod tests;
