//! The pixel formats of DX9 DDS headers: a FourCC, a numeric `D3DFORMAT` in its place, or bit masks.

use super::format::{ALPHA, Block, Encoding, Format, LUMINANCE, LUMINANCE_ALPHA, Scalar, plain};

/// `DDS_PIXELFORMAT` as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PixelFormat {
    pub flags: u32,
    pub four_cc: u32,
    pub bits: u32,
    pub masks: [u32; 4],
}

const ALPHA_PIXELS: u32 = 0x1;
const ALPHA_ONLY: u32 = 0x2;
pub(super) const FOUR_CC: u32 = 0x4;
const RGB: u32 = 0x40;
const LUMINANCE_BITS: u32 = 0x2_0000;
/// Signed `V8U8` and its like: all channels two's complement.
const BUMP_DUDV: u32 = 0x8_0000;

/// The format, or `None` where it is not read (palettes, YUV, depth, mixed-sign bump maps).
pub(super) fn format(pixel: PixelFormat) -> Option<Format> {
    if pixel.flags & FOUR_CC != 0 {
        return by_four_cc(pixel.four_cc);
    }
    let bytes = match pixel.bits {
        8 | 16 | 24 | 32 => pixel.bits as usize / 8,
        _ => return None,
    };
    let [r, g, b, a] = pixel.masks;
    let alpha = if pixel.flags & (ALPHA_PIXELS | ALPHA_ONLY) != 0 { a } else { 0 };
    let signed = pixel.flags & BUMP_DUDV != 0;
    if pixel.flags & LUMINANCE_BITS != 0 {
        return luminance(bytes, r, alpha);
    }
    if pixel.flags & (RGB | BUMP_DUDV) != 0 {
        // A signed map keeps its fourth channel in the alpha mask whatever the alpha flag says (Q8W8V8U8).
        return masked("bit masks", bytes, [r, g, b, if signed { a } else { alpha }], signed);
    }
    if pixel.flags & ALPHA_ONLY != 0 && bytes == 1 {
        return unflagged("A8", plain(Scalar::Unorm8, 1)).map(|format| format.with_swizzle(ALPHA));
    }
    None
}

fn unflagged(name: &'static str, encoding: Encoding) -> Option<Format> {
    Some(Format::new(name, encoding, None))
}

/// Fields of `masks`, which must fit the word.
fn masked(name: &'static str, bytes: usize, masks: [u32; 4], signed: bool) -> Option<Format> {
    let word = u32::MAX >> (32 - 8 * bytes);
    let fits = masks.iter().all(|mask| mask & !word == 0 && contiguous(*mask));
    (fits && masks.iter().any(|mask| *mask != 0)).then_some(Format::new(
        name,
        Encoding::Masks { bytes, masks, signed },
        None,
    ))
}

/// Whether the set bits are one run, as every real channel's are.
fn contiguous(mask: u32) -> bool {
    mask == 0 || (mask >> mask.trailing_zeros()).wrapping_add(1).is_power_of_two() || mask == u32::MAX
}

fn luminance(bytes: usize, luminance: u32, alpha: u32) -> Option<Format> {
    match (bytes, luminance, alpha) {
        (1, 0xff, 0) => unflagged("L8", plain(Scalar::Unorm8, 1)).map(|format| format.with_swizzle(LUMINANCE)),
        (2, 0xffff, 0) => unflagged("L16", plain(Scalar::Unorm16, 1)).map(|format| format.with_swizzle(LUMINANCE)),
        (2, 0xff, 0xff00) => {
            unflagged("A8L8", plain(Scalar::Unorm8, 2)).map(|format| format.with_swizzle(LUMINANCE_ALPHA))
        }
        _ => masked("luminance", bytes, [luminance, luminance, luminance, alpha], false),
    }
}

/// The four characters as a header stores them.
pub(super) const fn four_cc(text: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*text)
}

/// FourCCs, and `D3DFORMAT` numbers that stand in their place.
///
/// `ATI2` and `A2XY` are read in BC5's order, red block first, as DirectX's own loaders do.
fn by_four_cc(code: u32) -> Option<Format> {
    let block = match &code.to_le_bytes() {
        b"DXT1" => Block::Bc1,
        b"DXT2" | b"DXT3" => Block::Bc2,
        b"DXT4" | b"DXT5" => Block::Bc3,
        b"RXGB" => Block::Bc3Rxgb,
        b"ATI1" | b"BC4U" => Block::Bc4 { signed: false },
        b"BC4S" => Block::Bc4 { signed: true },
        b"ATI2" | b"A2XY" | b"BC5U" => Block::Bc5 { signed: false },
        b"BC5S" => Block::Bc5 { signed: true },
        _ => return by_number(code),
    };
    unflagged(block_name(block), Encoding::Block(block))
}

fn block_name(block: Block) -> &'static str {
    match block {
        Block::Bc1 | Block::Bc1Opaque => "BC1 (DXT1)",
        Block::Bc2 => "BC2 (DXT3)",
        Block::Bc3 => "BC3 (DXT5)",
        Block::Bc3Rxgb => "BC3 (RXGB)",
        Block::Bc4 { signed: false } => "BC4 unsigned",
        Block::Bc4 { signed: true } => "BC4 signed",
        Block::Bc5 { signed: false } => "BC5 unsigned",
        Block::Bc5 { signed: true } => "BC5 signed",
        Block::Bc6h { .. } => "BC6H",
        Block::Bc7 => "BC7",
    }
}

/// `D3DFORMAT` (`d3d9types.h`).
fn by_number(code: u32) -> Option<Format> {
    match code {
        36 => unflagged("A16B16G16R16", plain(Scalar::Unorm16, 4)),
        110 => unflagged("Q16W16V16U16", plain(Scalar::Snorm16, 4)),
        111 => unflagged("R16F", plain(Scalar::Half, 1)),
        112 => unflagged("G16R16F", plain(Scalar::Half, 2)),
        113 => unflagged("A16B16G16R16F", plain(Scalar::Half, 4)),
        114 => unflagged("R32F", plain(Scalar::Float, 1)),
        115 => unflagged("G32R32F", plain(Scalar::Float, 2)),
        116 => unflagged("A32B32G32R32F", plain(Scalar::Float, 4)),
        _ => None,
    }
}
