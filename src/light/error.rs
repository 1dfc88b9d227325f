//! What can be wrong with a description of lights.

use thiserror::Error;

/// Why a light cannot be built. The loader adds the file, line and key.
#[derive(Debug, Error, PartialEq)]
pub enum LightError {
    #[error("a {0} direction must be finite and not zero")]
    Direction(&'static str),
    #[error("{0} must be finite and not negative")]
    Quantity(&'static str),
    #[error("a lamp's position must be finite")]
    Position,
    #[error("a sky image's rotation must be finite, got {0}")]
    Rotation(f32),
    #[error("the sun's angular diameter must lie in 0..=180 degrees, got {0}")]
    AngularDiameter(f32),
    #[error("a spot's cone angles must satisfy 0 <= inner <= outer <= 90 degrees, got {inner} and {outer}")]
    SpotCone { inner: f32, outer: f32 },
    #[error("a hosek sky follows the sun: the scene has none")]
    HosekWithoutSun,
    #[error("a hosek sky needs the sun above the horizon: its elevation is {0} degrees")]
    HosekSunBelowHorizon(f32),
    #[error("a hosek sky's turbidity must lie in 1..=10, got {0}")]
    Turbidity(f32),
    #[error("a hosek sky's ground albedo must lie in 0..=1, got {0:?}")]
    GroundAlbedo([f32; 3]),
    #[error("a sky image of {width} x {height} must have as many texels and at least one, got {texels}")]
    ImageSize { width: usize, height: usize, texels: usize },
    #[error("the sky image's texel at column {x}, row {y} is not finite")]
    ImageTexel { x: usize, y: usize },
    #[error("emissive instance {instance} names emissive mesh {mesh}, which is not there")]
    UnknownMesh { instance: u32, mesh: u32 },
}
