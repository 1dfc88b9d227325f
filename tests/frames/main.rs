//! Frames: tangent space, sky pictures, viewers' matrices, sides of surfaces, far origins; all against hand arithmetic.

#[path = "../support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod scene;

mod cameras;
mod normals;
mod sides;
