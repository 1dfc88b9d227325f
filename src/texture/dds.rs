//! DDS files: header → format and levels (Microsoft's *Programming Guide for DDS*).
//!
//! Real encoders leave out flags, caps and the linear size, so none of those is believed: sizes follow from the format and
//! are held against the file's length before anything is allocated.

use super::d3d9::{self, FOUR_CC, PixelFormat, four_cc};
use super::dxgi;
use super::error::{Fault, damaged};
use super::format::Format;
use super::guard::check_size;

const KIND: &str = "DDS";
const MAGIC: &[u8; 4] = b"DDS ";
const HEADER: usize = 128;
const HEADER_DX10: usize = 148;
const CAPS2_CUBE: u32 = 0x200;
const CAPS2_VOLUME: u32 = 0x20_0000;
const MISC_CUBE: u32 = 0x4;
const DIMENSION_3D: u32 = 4;
/// What a container file holds, still encoded.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub kind: &'static str,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// 1 but for volumes.
    pub depth: u32,
    /// Array layers, cubes counted once.
    pub layers: u32,
    pub cube: bool,
    /// The levels of layer 0, face 0, largest first; never empty.
    pub levels: Vec<&'a [u8]>,
}

impl<'a> Container<'a> {
    /// One image without mip levels.
    pub fn single(kind: &'static str, format: Format, [width, height]: [u32; 2], texels: &'a [u8]) -> Self {
        Self { kind, format, width, height, depth: 1, layers: 1, cube: false, levels: vec![texels] }
    }

    /// Width and height of level `index`.
    pub fn level_size(&self, index: usize) -> [u32; 2] {
        [halved(self.width, index), halved(self.height, index)]
    }

    /// Only single 2D images are textures here.
    pub fn require_single_image(&self) -> Result<(), Fault> {
        let what = match self {
            Self { cube: true, .. } => "a cube map".to_owned(),
            Self { depth: 2.., .. } => format!("a volume of {} slices", self.depth),
            Self { layers: 2.., .. } => format!("an array of {} layers", self.layers),
            _ => return Ok(()),
        };
        Err(Fault::Unsupported { what, allowed: "one 2D image with its mip levels" })
    }
}

fn halved(size: u32, level: usize) -> u32 {
    size.checked_shr(level as u32).unwrap_or(0).max(1)
}

/// Whether `bytes` begin as a DDS file does.
pub(super) fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The header's reading of `bytes`.
///
/// # Errors
///
/// Formats that are not read, sizes that are 0 or absurd, and a file shorter than its levels.
pub(super) fn parse(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    if !is_dds(bytes) || bytes.len() < HEADER {
        return Err(damaged(KIND, format!("{} bytes are no header (\"DDS \" and 124 bytes)", bytes.len())));
    }
    let word = |index: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[4 + 4 * index + i]));
    let [height, width] = [word(2), word(3)];
    let caps2 = word(27);
    let pixel = PixelFormat {
        flags: word(19),
        four_cc: word(20),
        bits: word(21),
        masks: [word(22), word(23), word(24), word(25)],
    };
    let extended = pixel.flags & FOUR_CC != 0 && pixel.four_cc == four_cc(b"DX10");
    let mut container = Container {
        kind: KIND,
        format: if extended { extended_format(bytes)? } else { legacy_format(pixel)? },
        width,
        height,
        depth: if caps2 & CAPS2_VOLUME != 0 { word(5).max(1) } else { 1 },
        layers: 1,
        cube: caps2 & CAPS2_CUBE != 0,
        levels: Vec::new(),
    };
    if extended {
        // dxgiFormat, resourceDimension, miscFlag, arraySize follow the header of 31 words.
        container.cube |= word(33) & MISC_CUBE != 0;
        container.layers = word(34).max(1);
        if word(32) == DIMENSION_3D {
            container.depth = word(5).max(1);
        }
    }
    check_size(KIND, width, height)?;
    let data = &bytes[if extended { HEADER_DX10 } else { HEADER }..];
    container.levels = split_levels(&container, data, word(6).max(1))?;
    Ok(container)
}

fn extended_format(bytes: &[u8]) -> Result<Format, Fault> {
    let code = bytes.get(HEADER..HEADER_DX10).ok_or_else(|| damaged(KIND, "the DX10 header is cut off"))?;
    let code = u32::from_le_bytes([code[0], code[1], code[2], code[3]]);
    dxgi::format(code).ok_or_else(|| Fault::Unsupported {
        what: format!("DXGI format {code}"),
        allowed: "BC1 to BC7, UNORM, SNORM and FLOAT formats of 8 to 32 bits a channel, B5G6R5, B5G5R5A1, B4G4R4A4, R10G10B10A2, R11G11B10, R9G9B9E5",
    })
}

fn legacy_format(pixel: PixelFormat) -> Result<Format, Fault> {
    d3d9::format(pixel).ok_or_else(|| Fault::Unsupported {
        what: match pixel.flags & FOUR_CC != 0 {
            true => format!("FourCC {}", spelled(pixel.four_cc)),
            false => format!("pixel format of {} bits, flags {:#x}, masks {:x?}", pixel.bits, pixel.flags, pixel.masks),
        },
        allowed: "DXT1 to DXT5, RXGB, ATI1, ATI2, A2XY, BC4U, BC4S, BC5U, BC5S, DX10, D3DFORMAT 36 and 110 to 116, and RGB, luminance, alpha and signed bit masks",
    })
}

/// «"UYVY"», or the number where the code is no text.
fn spelled(code: u32) -> String {
    let text = code.to_le_bytes();
    match text.iter().all(u8::is_ascii_graphic) {
        true => format!("\"{}\"", text.map(char::from).iter().collect::<String>()),
        false => code.to_string(),
    }
}

/// Cuts the first image's `count` levels off `data`.
fn split_levels<'a>(container: &Container, mut data: &'a [u8], count: u32) -> Result<Vec<&'a [u8]>, Fault> {
    let longest = container.width.max(container.height);
    if count > longest.ilog2() + 1 {
        return Err(damaged(KIND, format!("{count} mip levels of a {longest} texels long image")));
    }
    (0..count as usize)
        .map(|index| {
            let [width, height] = container.level_size(index);
            let slices = u64::from(halved(container.depth, index));
            let needed =
                container.format.encoding.level_bytes(width, height).and_then(|bytes| bytes.checked_mul(slices));
            let needed = needed.and_then(|needed| usize::try_from(needed).ok()).filter(|needed| *needed <= data.len());
            let (level, rest) = data.split_at(needed.ok_or_else(|| short(container, index, data.len()))?);
            data = rest;
            Ok(level)
        })
        .collect()
}

fn short(container: &Container, level: usize, left: usize) -> Fault {
    let [width, height] = container.level_size(level);
    let needed = container.format.encoding.level_bytes(width, height).map_or("too many".to_owned(), |n| n.to_string());
    damaged(
        KIND,
        format!("level {level} ({width} × {height} {}) needs {needed} bytes, {left} are left", container.format.name),
    )
}
