//! Textures: files → texels in memory → samples.
//!
//! A file (`dds`, `ktx2`, `image`, [`float`]) is decoded once into a [`Texture`], whose levels lie in memory as 4×4
//! tiles of one of a few `texels` layouts. `sample` picks the layout once a sample, addresses and filters. The [`Store`]
//! opens the entries of scene files and keeps each file once.
//!
//! Values are what Direct3D returns: UNORM is v / (2ⁿ − 1), SNORM is max(v / (2ⁿ⁻¹ − 1), −1) and stays signed, channels that
//! the format lacks are 0, alpha 1. sRGB is decoded before filtering, alpha never.
//!
//! # What stays compressed, and why
//!
//! Bytes a texel, and nanoseconds a bilinear sample: of a 128² image, and at scattered places of a 4096² one. The least of
//! three runs of 400 timings each on a 2-core machine that others kept busy; runs differ by up to 1.6. A bare loop over
//! RGBA8 rows, without addressing modes or layouts, took 10 there.
//!
//! | format | stored as | bytes | 128² | 4096² |
//! | --- | --- | --- | --- | --- |
//! | R8 | bytes | 1 | 25 | 134 |
//! | RGBA8, linear or sRGB; BC7 | bytes | 4 | 30 | 170 |
//! | RGBA16F; BC6H | halves | 8 | 33 | 230 |
//! | BC1 | blocks | 0.5 | 84 | 206 |
//! | BC4 | blocks | 0.5 | 71 | 184 |
//! | BC2 | blocks | 1 | 67 | 218 |
//! | BC3 | blocks | 1 | 87 | 246 |
//! | BC5 | blocks | 1 | 101 | 280 |
//!
//! BC1 to BC5 stay compressed: scenes have gigabytes of textures, blocks take an eighth to a quarter of RGBA8, and at
//! scattered places, where path tracing samples, they cost 1.1 to 1.7 times RGBA8's time. BC6H and BC7 are decoded at load:
//! their decoder yields whole blocks (about 90 to 120 ns each), and a sample meets up to four.

mod bcn;
mod d3d9;
mod dds;
mod decode;
mod describe;
mod dxgi;
mod entry;
mod error;
mod exr;
mod file;
pub mod float;
mod format;
pub(crate) mod guard;
mod image;
mod ktx2;
mod radiance;
pub mod raw;
mod sample;
mod store;
mod texels;
mod transfer;

pub use describe::{Description, describe};
pub use error::{Fault, TextureError};
pub use float::FloatImage;
pub use store::Store;

use texels::{Level, Texels};

/// A decoded (or still block-compressed) image with its mip levels.
pub struct Texture {
    texels: Texels,
    /// Level 0 first; never empty.
    levels: Vec<Level>,
    /// Which channel as stored feeds each of R, G, B, A: luminance reads 0 thrice.
    swizzle: [u8; 4],
    signed: bool,
    channels: usize,
}

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

/// Whether a texture entry of a scene file is sound: its keys and their values. The file itself is not opened.
///
/// # Errors
/// The first unknown key or value, with what is allowed.
pub fn check_entry(entry: &serde_json::Value) -> Result<(), String> {
    entry::Entry::parse(entry).map(drop)
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

impl Transfer {
    /// As a scene file spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Srgb => "srgb",
            Self::Linear => "linear",
        }
    }
}

impl Default for Sampler {
    fn default() -> Self {
        Self { address: [Address::Wrap; 2], filter: Filter::Linear, mip: Mip::Level0, channel_order: [0, 1, 2, 3] }
    }
}

impl Texture {
    /// RGBA at `uv` (v down, before wrap). `footprint` is the ray's width in uv units, read by [`Mip::Footprint`] only.
    ///
    /// Any `uv` gives a value: a coordinate that is not finite counts as 0.
    #[inline]
    pub fn sample(&self, uv: Vec2, footprint: f32, sampler: &Sampler) -> Vec4 {
        sample::sample(self, uv, footprint, sampler)
    }

    /// Whether samples are signed already, −1..1.
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// How many channels the file stores: a normal map of two leaves z to its reader.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Width and height of level 0 in texels.
    pub fn size(&self) -> [u32; 2] {
        [self.levels[0].width, self.levels[0].height]
    }

    /// How many mip levels there are, at least 1.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Memory that the texels take.
    pub fn bytes(&self) -> usize {
        self.texels.bytes()
    }
}

use glam::{Vec2, Vec4};
