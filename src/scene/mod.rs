//! Scenes: what a user typed → an immutable, ready-to-trace `Scene`.

pub mod camera;
pub mod world;
