//! Texel formats of container files, apart from which container names them how.

use super::Transfer;

/// How a container's texels are encoded, and what they mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Format {
    /// As DXGI, D3D9 or Vulkan spell it.
    pub name: &'static str,
    pub encoding: Encoding,
    /// Which decoded channel feeds each of R, G, B, A.
    pub swizzle: [u8; 4],
    /// What the file itself says, where its kind can say it.
    pub transfer: Option<Transfer>,
}

/// How one texel, or one 4×4 block, is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Block(Block),
    /// `channels` values of one type in memory order, 1 to 4.
    Plain {
        scalar: Scalar,
        channels: usize,
    },
    /// Bit fields of a little-endian word of `bytes` bytes, for R, G, B, A; a mask of 0 is an absent channel.
    Masks {
        bytes: usize,
        masks: [u32; 4],
        signed: bool,
    },
    /// Unsigned floats of 11, 11 and 10 bits.
    PackedFloat,
    /// Three 9-bit mantissas under one 5-bit exponent.
    SharedExponent,
}

/// The block compressions (Direct3D 11.3 functional specification, section 19.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Bc1,
    /// BC1 whose transparent black is opaque (Vulkan's `BC1_RGB`).
    Bc1Opaque,
    Bc2,
    Bc3,
    /// BC3 with red in alpha (`RXGB`).
    Bc3Rxgb,
    Bc4 {
        signed: bool,
    },
    Bc5 {
        signed: bool,
    },
    Bc6h {
        signed: bool,
    },
    Bc7,
}

/// The type of one plain channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Unorm8,
    Snorm8,
    Unorm16,
    Snorm16,
    Half,
    Float,
}

pub(super) const RGBA: [u8; 4] = [0, 1, 2, 3];
/// Channel 0 as luminance. Channels that a layout lacks read as (0, 0, 0, 1), so 3 is one here.
pub(super) const LUMINANCE: [u8; 4] = [0, 0, 0, 3];
pub(super) const LUMINANCE_ALPHA: [u8; 4] = [0, 0, 0, 1];
/// Channel 0 as alpha; 1 is an absent channel, zero.
pub(super) const ALPHA: [u8; 4] = [1, 1, 1, 0];

impl Block {
    /// Bytes of one 4×4 block.
    pub fn bytes(self) -> usize {
        match self {
            Self::Bc1 | Self::Bc1Opaque | Self::Bc4 { .. } => 8,
            _ => 16,
        }
    }
}

impl Scalar {
    pub fn bytes(self) -> usize {
        match self {
            Self::Unorm8 | Self::Snorm8 => 1,
            Self::Unorm16 | Self::Snorm16 | Self::Half => 2,
            Self::Float => 4,
        }
    }
}

impl Encoding {
    /// Bytes of a level of `width` × `height` texels, rows packed without padding; `None` beyond 2⁶⁴.
    pub fn level_bytes(self, width: u32, height: u32) -> Option<u64> {
        let (columns, rows, unit) = match self {
            Self::Block(block) => (width.div_ceil(4), height.div_ceil(4), block.bytes()),
            _ => (width, height, self.texel_bytes()),
        };
        u64::from(columns).checked_mul(u64::from(rows))?.checked_mul(unit as u64)
    }

    /// Bytes of one texel; of one block where texels have none of their own.
    pub fn texel_bytes(self) -> usize {
        match self {
            Self::Block(block) => block.bytes(),
            Self::Plain { scalar, channels } => scalar.bytes() * channels,
            Self::Masks { bytes, .. } => bytes,
            Self::PackedFloat | Self::SharedExponent => 4,
        }
    }

    /// How many channels a texel stores.
    pub fn channels(self) -> usize {
        match self {
            Self::Block(Block::Bc4 { .. }) => 1,
            Self::Block(Block::Bc5 { .. }) => 2,
            Self::Plain { channels, .. } => channels,
            Self::Masks { masks, .. } => masks.iter().filter(|mask| **mask != 0).count(),
            Self::PackedFloat | Self::SharedExponent => 3,
            Self::Block(_) => 4,
        }
    }

    /// Whether values are signed fixed point, which has no sRGB encoding.
    pub fn signed(self) -> bool {
        match self {
            Self::Block(Block::Bc4 { signed } | Block::Bc5 { signed }) | Self::Masks { signed, .. } => signed,
            Self::Plain { scalar, .. } => matches!(scalar, Scalar::Snorm8 | Scalar::Snorm16),
            _ => false,
        }
    }
}

impl Format {
    /// A format whose channels are R, G, B, A in order.
    pub const fn new(name: &'static str, encoding: Encoding, transfer: Option<Transfer>) -> Self {
        Self { name, encoding, swizzle: RGBA, transfer }
    }

    pub const fn with_swizzle(mut self, swizzle: [u8; 4]) -> Self {
        self.swizzle = swizzle;
        self
    }
}

/// `channels` plain values in memory order.
pub(super) const fn plain(scalar: Scalar, channels: usize) -> Encoding {
    Encoding::Plain { scalar, channels }
}

/// Unsigned bit fields.
pub(super) const fn masks(bytes: usize, masks: [u32; 4]) -> Encoding {
    Encoding::Masks { bytes, masks, signed: false }
}
