//! Geometry: meshes, instances, rays and what they hit.

pub mod accel;
mod gather;
pub mod mesh;
pub mod normal;
pub mod offset;
pub mod surface;
pub mod tangent;

use glam::Vec3;

/// A ray in the scene frame, relative to the scene's centre.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: Vec3,
    /// Unit length (in world space), so that `t` is in metres.
    pub direction: Vec3,
    pub t_min: f32,
    pub t_max: f32,
}

/// What a ray met: ids and barycentrics only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hit {
    pub t: f32,
    /// The point is `(1 − u − v)·p0 + u·p1 + v·p2`.
    pub u: f32,
    pub v: f32,
    pub instance: u32,
    /// Triangle index within the instance's mesh.
    pub primitive: u32,
}
