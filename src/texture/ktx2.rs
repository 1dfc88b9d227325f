//! KTX2 files without supercompression (Khronos KTX 2.0 specification; format numbers are `VkFormat`'s).

use super::Transfer;
use super::Transfer::{Linear, Srgb};
use super::dds::Container;
use super::error::{Fault, damaged};
use super::format::{Block, Encoding, Format, Scalar, masks, plain};
use super::guard::check_size;

const KIND: &str = "KTX2";
const MAGIC: &[u8; 12] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// Whether `bytes` begin as a KTX2 file does.
pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The header's reading of `bytes`.
///
/// # Errors
///
/// A broken structure, supercompression, formats that are not read, images stored bottom-up.
pub(super) fn parse(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    let reader = ktx2::Reader::new(bytes).map_err(|fault| damaged(KIND, fault.to_string()))?;
    let header = reader.header();
    if let Some(scheme) = header.supercompression_scheme {
        return Err(unsupported(format!("supercompression {scheme:?}"), "files without supercompression"));
    }
    let upright =
        |(key, value): (&str, &[u8])| key != "KTXorientation" || value.starts_with(b"r") && !value.contains(&b'u');
    if !reader.key_value_data().all(upright) {
        return Err(unsupported("an image stored bottom-up or right to left".to_owned(), "KTXorientation rd"));
    }
    let code = header.format.map_or(0, |format| format.value());
    let format = format(code).ok_or_else(|| {
        unsupported(format!("VkFormat {code}"), "BC1 to BC7 and uncompressed UNORM, SNORM, SRGB and SFLOAT formats")
    })?;
    check_size(KIND, header.pixel_width, header.pixel_height.max(1))?;
    let mut container = Container {
        kind: KIND,
        format,
        width: header.pixel_width,
        height: header.pixel_height.max(1),
        depth: header.pixel_depth.max(1),
        layers: header.layer_count.max(1),
        cube: header.face_count == 6,
        levels: Vec::new(),
    };
    container.levels = cut_levels(&container, bytes, header.level_count.max(1) as usize)?;
    Ok(container)
}

fn unsupported(what: String, allowed: &'static str) -> Fault {
    Fault::Unsupported { what, allowed }
}

/// Each level's first image, cut from the file by its level index, whose bounds the reader has checked.
fn cut_levels<'a>(container: &Container, bytes: &'a [u8], count: usize) -> Result<Vec<&'a [u8]>, Fault> {
    let longest = container.width.max(container.height);
    if count > longest.ilog2() as usize + 1 {
        return Err(damaged(KIND, format!("{count} mip levels of a {longest} texels long image")));
    }
    let index = bytes.get(ktx2::Header::LENGTH..).unwrap_or_default().as_chunks().0.iter().take(count);
    index
        .map(ktx2::LevelIndex::from_bytes)
        .enumerate()
        .map(|(level, index)| {
            let [width, height] = container.level_size(level);
            let needed =
                container.format.encoding.level_bytes(width, height).filter(|needed| *needed <= index.byte_length);
            needed.and_then(|needed| bytes.get(index.byte_offset as usize..)?.get(..needed as usize)).ok_or_else(|| {
                damaged(KIND, format!("level {level} of {width} × {height} has only {} bytes", index.byte_length))
            })
        })
        .collect()
}

fn format(code: u32) -> Option<Format> {
    block(code).or_else(|| bytes(code)).or_else(|| wide(code)).or_else(|| packed(code))
}

fn of(name: &'static str, encoding: Encoding, transfer: Transfer) -> Option<Format> {
    Some(Format::new(name, encoding, Some(transfer)))
}

fn block(code: u32) -> Option<Format> {
    let bc = |name, block, transfer| of(name, Encoding::Block(block), transfer);
    match code {
        131 => bc("BC1_RGB_UNORM", Block::Bc1Opaque, Linear),
        132 => bc("BC1_RGB_SRGB", Block::Bc1Opaque, Srgb),
        133 => bc("BC1_RGBA_UNORM", Block::Bc1, Linear),
        134 => bc("BC1_RGBA_SRGB", Block::Bc1, Srgb),
        135 => bc("BC2_UNORM", Block::Bc2, Linear),
        136 => bc("BC2_SRGB", Block::Bc2, Srgb),
        137 => bc("BC3_UNORM", Block::Bc3, Linear),
        138 => bc("BC3_SRGB", Block::Bc3, Srgb),
        139 => bc("BC4_UNORM", Block::Bc4 { signed: false }, Linear),
        140 => bc("BC4_SNORM", Block::Bc4 { signed: true }, Linear),
        141 => bc("BC5_UNORM", Block::Bc5 { signed: false }, Linear),
        142 => bc("BC5_SNORM", Block::Bc5 { signed: true }, Linear),
        143 => bc("BC6H_UFLOAT", Block::Bc6h { signed: false }, Linear),
        144 => bc("BC6H_SFLOAT", Block::Bc6h { signed: true }, Linear),
        145 => bc("BC7_UNORM", Block::Bc7, Linear),
        146 => bc("BC7_SRGB", Block::Bc7, Srgb),
        _ => None,
    }
}

fn bytes(code: u32) -> Option<Format> {
    let bgr = [0xff_0000, 0xff00, 0xff, 0];
    let bgra = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
    match code {
        9 => of("R8_UNORM", plain(Scalar::Unorm8, 1), Linear),
        10 => of("R8_SNORM", plain(Scalar::Snorm8, 1), Linear),
        15 => of("R8_SRGB", plain(Scalar::Unorm8, 1), Srgb),
        16 => of("R8G8_UNORM", plain(Scalar::Unorm8, 2), Linear),
        17 => of("R8G8_SNORM", plain(Scalar::Snorm8, 2), Linear),
        22 => of("R8G8_SRGB", plain(Scalar::Unorm8, 2), Srgb),
        23 => of("R8G8B8_UNORM", plain(Scalar::Unorm8, 3), Linear),
        24 => of("R8G8B8_SNORM", plain(Scalar::Snorm8, 3), Linear),
        29 => of("R8G8B8_SRGB", plain(Scalar::Unorm8, 3), Srgb),
        30 => of("B8G8R8_UNORM", masks(3, bgr), Linear),
        36 => of("B8G8R8_SRGB", masks(3, bgr), Srgb),
        37 => of("R8G8B8A8_UNORM", plain(Scalar::Unorm8, 4), Linear),
        38 => of("R8G8B8A8_SNORM", plain(Scalar::Snorm8, 4), Linear),
        43 => of("R8G8B8A8_SRGB", plain(Scalar::Unorm8, 4), Srgb),
        44 => of("B8G8R8A8_UNORM", masks(4, bgra), Linear),
        50 => of("B8G8R8A8_SRGB", masks(4, bgra), Srgb),
        _ => None,
    }
}

/// Channels of 16 and 32 bits.
fn wide(code: u32) -> Option<Format> {
    match code {
        70 => of("R16_UNORM", plain(Scalar::Unorm16, 1), Linear),
        71 => of("R16_SNORM", plain(Scalar::Snorm16, 1), Linear),
        76 => of("R16_SFLOAT", plain(Scalar::Half, 1), Linear),
        77 => of("R16G16_UNORM", plain(Scalar::Unorm16, 2), Linear),
        78 => of("R16G16_SNORM", plain(Scalar::Snorm16, 2), Linear),
        83 => of("R16G16_SFLOAT", plain(Scalar::Half, 2), Linear),
        84 => of("R16G16B16_UNORM", plain(Scalar::Unorm16, 3), Linear),
        85 => of("R16G16B16_SNORM", plain(Scalar::Snorm16, 3), Linear),
        90 => of("R16G16B16_SFLOAT", plain(Scalar::Half, 3), Linear),
        91 => of("R16G16B16A16_UNORM", plain(Scalar::Unorm16, 4), Linear),
        92 => of("R16G16B16A16_SNORM", plain(Scalar::Snorm16, 4), Linear),
        97 => of("R16G16B16A16_SFLOAT", plain(Scalar::Half, 4), Linear),
        100 => of("R32_SFLOAT", plain(Scalar::Float, 1), Linear),
        103 => of("R32G32_SFLOAT", plain(Scalar::Float, 2), Linear),
        106 => of("R32G32B32_SFLOAT", plain(Scalar::Float, 3), Linear),
        109 => of("R32G32B32A32_SFLOAT", plain(Scalar::Float, 4), Linear),
        _ => None,
    }
}

/// Several channels in one word; Vulkan names them from the high bits down.
fn packed(code: u32) -> Option<Format> {
    match code {
        2 => of("R4G4B4A4_UNORM_PACK16", masks(2, [0xf000, 0x0f00, 0x00f0, 0x000f]), Linear),
        3 => of("B4G4R4A4_UNORM_PACK16", masks(2, [0x00f0, 0x0f00, 0xf000, 0x000f]), Linear),
        4 => of("R5G6B5_UNORM_PACK16", masks(2, [0xf800, 0x07e0, 0x001f, 0]), Linear),
        5 => of("B5G6R5_UNORM_PACK16", masks(2, [0x001f, 0x07e0, 0xf800, 0]), Linear),
        6 => of("R5G5B5A1_UNORM_PACK16", masks(2, [0xf800, 0x07c0, 0x003e, 0x0001]), Linear),
        7 => of("B5G5R5A1_UNORM_PACK16", masks(2, [0x003e, 0x07c0, 0xf800, 0x0001]), Linear),
        8 => of("A1R5G5B5_UNORM_PACK16", masks(2, [0x7c00, 0x03e0, 0x001f, 0x8000]), Linear),
        58 => of("A2R10G10B10_UNORM_PACK32", masks(4, [0x3ff << 20, 0x3ff << 10, 0x3ff, 0x3 << 30]), Linear),
        64 => of("A2B10G10R10_UNORM_PACK32", masks(4, [0x3ff, 0x3ff << 10, 0x3ff << 20, 0x3 << 30]), Linear),
        122 => of("B10G11R11_UFLOAT_PACK32", Encoding::PackedFloat, Linear),
        123 => of("E5B9G9R9_UFLOAT_PACK32", Encoding::SharedExponent, Linear),
        _ => None,
    }
}
