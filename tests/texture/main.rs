//! Texture files decode to the values that Direct3D gives, are sampled as it samples, and never bring the program down.

#[path = "../support/mod.rs"]
mod support;

mod build;
mod exr_windows;
mod formats;
mod hostile;
mod ktx2;
mod radiance;
mod samples;
mod sampling;
mod store;
