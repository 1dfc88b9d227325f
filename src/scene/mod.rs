//! Scenes: what a user typed → an immutable, ready-to-trace `Scene`.

pub mod file;
pub mod world;
