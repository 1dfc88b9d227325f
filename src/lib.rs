//! Scrutineer: an offline path-traced reference renderer for documented game-world materials.
//!
//! Data flows one way: `cli` → [`scene`] (all input errors end there) → an immutable `Scene` → [`integrator`] → [`film`] →
//! EXR. At a ray hit: `Hit` → `Surface` ([`geometry`]) → [`gbuffer::GBuffer`] ([`material`], [`decal`]) → `Brdf`
//! ([`brdf`]), lit by [`light`].
//!
//! # Conventions
//!
//! - The *scene frame* is glTF's: right-handed, Y up, metres. The *game frame* is the scene frame with Z negated;
//!   material formulas run in it. The conversion stands in `geometry::surface` alone.
//! - Positions in memory are relative to the scene's centre (f64 at load); formulas get the absolute position.
//! - Directions point away from the surface. `eval` includes no cosine; sampling weights are `f · cos / pdf`.
//! - Colours are linear Rec.709. Radiance is W/(m² sr), a candela counts as 1 W/sr.
//! - uv is D3D's: v grows downward, as in glTF.

pub mod brdf;
pub mod cli;
pub mod compare;
pub mod decal;
pub mod film;
pub mod gbuffer;
pub mod geometry;
pub mod integrator;
pub mod light;
pub mod material;
pub mod probe;
pub mod quiet;
pub mod sampler;
pub mod scene;
pub mod shaderbin;
pub mod suggest;
pub mod texture;
pub mod warp;
