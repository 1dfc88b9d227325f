//! DXGI format codes, as DX10 DDS headers carry them (`dxgiformat.h`).

use super::Transfer;
use super::Transfer::{Linear, Srgb};
use super::format::{ALPHA, Block, Encoding, Format, Scalar, masks, plain};

const BGRA: [u32; 4] = [0x00ff_0000, 0x0000_ff00, 0x0000_00ff, 0xff00_0000];
const BGRX: [u32; 4] = [0x00ff_0000, 0x0000_ff00, 0x0000_00ff, 0];

/// The format of a DXGI code; `None` for the integer, depth, typeless and video formats, which are no textures here.
pub(super) fn format(code: u32) -> Option<Format> {
    block(code).or_else(|| wide(code)).or_else(|| narrow(code))
}

fn of(name: &'static str, encoding: Encoding, transfer: Transfer) -> Option<Format> {
    Some(Format::new(name, encoding, Some(transfer)))
}

fn block(code: u32) -> Option<Format> {
    let bc = |name, block, transfer| of(name, Encoding::Block(block), transfer);
    match code {
        71 => bc("BC1_UNORM", Block::Bc1, Linear),
        72 => bc("BC1_UNORM_SRGB", Block::Bc1, Srgb),
        74 => bc("BC2_UNORM", Block::Bc2, Linear),
        75 => bc("BC2_UNORM_SRGB", Block::Bc2, Srgb),
        77 => bc("BC3_UNORM", Block::Bc3, Linear),
        78 => bc("BC3_UNORM_SRGB", Block::Bc3, Srgb),
        80 => bc("BC4_UNORM", Block::Bc4 { signed: false }, Linear),
        81 => bc("BC4_SNORM", Block::Bc4 { signed: true }, Linear),
        83 => bc("BC5_UNORM", Block::Bc5 { signed: false }, Linear),
        84 => bc("BC5_SNORM", Block::Bc5 { signed: true }, Linear),
        95 => bc("BC6H_UF16", Block::Bc6h { signed: false }, Linear),
        96 => bc("BC6H_SF16", Block::Bc6h { signed: true }, Linear),
        98 => bc("BC7_UNORM", Block::Bc7, Linear),
        99 => bc("BC7_UNORM_SRGB", Block::Bc7, Srgb),
        _ => None,
    }
}

/// Channels of 16 and 32 bits.
fn wide(code: u32) -> Option<Format> {
    match code {
        2 => of("R32G32B32A32_FLOAT", plain(Scalar::Float, 4), Linear),
        6 => of("R32G32B32_FLOAT", plain(Scalar::Float, 3), Linear),
        10 => of("R16G16B16A16_FLOAT", plain(Scalar::Half, 4), Linear),
        11 => of("R16G16B16A16_UNORM", plain(Scalar::Unorm16, 4), Linear),
        13 => of("R16G16B16A16_SNORM", plain(Scalar::Snorm16, 4), Linear),
        16 => of("R32G32_FLOAT", plain(Scalar::Float, 2), Linear),
        34 => of("R16G16_FLOAT", plain(Scalar::Half, 2), Linear),
        35 => of("R16G16_UNORM", plain(Scalar::Unorm16, 2), Linear),
        37 => of("R16G16_SNORM", plain(Scalar::Snorm16, 2), Linear),
        41 => of("R32_FLOAT", plain(Scalar::Float, 1), Linear),
        54 => of("R16_FLOAT", plain(Scalar::Half, 1), Linear),
        56 => of("R16_UNORM", plain(Scalar::Unorm16, 1), Linear),
        58 => of("R16_SNORM", plain(Scalar::Snorm16, 1), Linear),
        _ => None,
    }
}

/// Channels of 8 bits and fewer, and packed ones.
fn narrow(code: u32) -> Option<Format> {
    match code {
        24 => of("R10G10B10A2_UNORM", masks(4, [0x3ff, 0x3ff << 10, 0x3ff << 20, 0x3 << 30]), Linear),
        26 => of("R11G11B10_FLOAT", Encoding::PackedFloat, Linear),
        28 => of("R8G8B8A8_UNORM", plain(Scalar::Unorm8, 4), Linear),
        29 => of("R8G8B8A8_UNORM_SRGB", plain(Scalar::Unorm8, 4), Srgb),
        31 => of("R8G8B8A8_SNORM", plain(Scalar::Snorm8, 4), Linear),
        49 => of("R8G8_UNORM", plain(Scalar::Unorm8, 2), Linear),
        51 => of("R8G8_SNORM", plain(Scalar::Snorm8, 2), Linear),
        61 => of("R8_UNORM", plain(Scalar::Unorm8, 1), Linear),
        63 => of("R8_SNORM", plain(Scalar::Snorm8, 1), Linear),
        65 => of("A8_UNORM", plain(Scalar::Unorm8, 1), Linear).map(|format| format.with_swizzle(ALPHA)),
        67 => of("R9G9B9E5_SHAREDEXP", Encoding::SharedExponent, Linear),
        85 => of("B5G6R5_UNORM", masks(2, [0xf800, 0x07e0, 0x001f, 0]), Linear),
        86 => of("B5G5R5A1_UNORM", masks(2, [0x7c00, 0x03e0, 0x001f, 0x8000]), Linear),
        87 => of("B8G8R8A8_UNORM", masks(4, BGRA), Linear),
        88 => of("B8G8R8X8_UNORM", masks(4, BGRX), Linear),
        91 => of("B8G8R8A8_UNORM_SRGB", masks(4, BGRA), Srgb),
        93 => of("B8G8R8X8_UNORM_SRGB", masks(4, BGRX), Srgb),
        115 => of("B4G4R4A4_UNORM", masks(2, [0x0f00, 0x00f0, 0x000f, 0xf000]), Linear),
        _ => None,
    }
}
