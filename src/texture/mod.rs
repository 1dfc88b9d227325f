//! Textures: files → texels in memory → samples.

use glam::{Vec2, Vec4};

/// A decoded (or still block-compressed) image with its mip levels.
pub struct Texture {}

/// How a slot samples its texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// For u and v.
    pub address: [Address; 2],
    pub filter: Filter,
    pub mip: Mip,
    /// Which stored channel feeds each of R, G, B, A.
    pub channel_order: [u8; 4],
}

/// What happens outside 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Address {
    #[default]
    Wrap,
    Clamp,
    Mirror,
    /// Transparent black outside.
    Border,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    #[default]
    Linear,
    Nearest,
}

/// Which mip levels are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mip {
    /// Level 0 only: supersampling does the filtering.
    #[default]
    Level0,
    /// Trilinear, by the ray's footprint.
    Footprint,
}

/// Whether stored values are sRGB-encoded (decoded before filtering) or linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    Srgb,
    Linear,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { address: [Address::Wrap; 2], filter: Filter::Linear, mip: Mip::Level0, channel_order: [0, 1, 2, 3] }
    }
}

impl Texture {
    /// RGBA at `uv` (v down, before wrap). `footprint` is the ray's width in uv units, read by [`Mip::Footprint`] only.
    pub fn sample(&self, _uv: Vec2, _footprint: f32, _sampler: &Sampler) -> Vec4 {
        todo!()
    }
}
