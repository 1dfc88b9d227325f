//! Scenes: what a user typed → an immutable, ready-to-trace `Scene`.

pub mod gltf;
pub mod placements;
pub mod world;
