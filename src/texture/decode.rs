//! A container's encoded levels → a texture's tiles.
//!
//! Bytes stay bytes and BC1 to BC5 stay blocks; all else becomes half or full floats, whichever holds it exactly.

use bytemuck::Pod;
use half::f16;

use super::bcn;
use super::dds::Container;
use super::error::Fault;
use super::format::{Block, Encoding, Format, RGBA, Scalar};
use super::texels::{Aligned, Bytes, Level, Texels, chain};
use super::transfer::{Table, snorm_table};
use super::{Texture, Transfer};

/// Decodes a single 2D image whose colour values are encoded by `transfer`.
///
/// # Errors
///
/// Cubes, arrays and volumes; sRGB asked of signed values.
pub(super) fn texture(container: &Container, transfer: Transfer) -> Result<Texture, Fault> {
    container.require_single_image()?;
    let format = container.format;
    if transfer == Transfer::Srgb && format.encoding.signed() {
        return Err(Fault::ColourSpaceUnfit { transfer, format: format.name });
    }
    let levels = chain((0..container.levels.len()).map(|index| container.level_size(index)));
    let source = Source { levels: &levels, data: &container.levels, format, transfer };
    let texels = match format.encoding {
        Encoding::Block(block) => source.block(block),
        Encoding::Plain { scalar: Scalar::Unorm8 | Scalar::Snorm8, channels } => source.bytes(channels),
        Encoding::Plain { scalar: Scalar::Half, channels } if transfer == Transfer::Linear => source.halves(channels),
        Encoding::Plain { scalar, channels } => source.floats(scalar, channels),
        Encoding::Masks { masks, .. } => source.masked(masks),
        Encoding::PackedFloat => source.packed(|word| [float11(word), float11(word >> 11), float10(word >> 22)]),
        Encoding::SharedExponent => source.packed(shared_exponent),
    };
    let (signed, channels) = (format.encoding.signed(), format.encoding.channels());
    Ok(Texture { texels, levels, swizzle: format.swizzle, signed, channels })
}

/// The encoded levels and where they go.
struct Source<'a> {
    levels: &'a [Level],
    data: &'a [&'a [u8]],
    format: Format,
    transfer: Transfer,
}

impl Source<'_> {
    /// Tiles of what `read` makes of each texel's bytes.
    fn tiles<T: Pod>(&self, read: impl Fn(&[u8]) -> T) -> Aligned<T> {
        let unit = self.format.encoding.texel_bytes();
        let mut out = Aligned::zeroed(16 * self.tile_count());
        let texels = out.as_mut_slice();
        for (level, data) in self.levels.iter().zip(self.data) {
            for (y, row) in (0..level.height).zip(data.chunks_exact(level.width as usize * unit)) {
                for (x, texel) in (0..level.width).zip(row.chunks_exact(unit)) {
                    texels[level.index(x, y)] = read(texel);
                }
            }
        }
        out
    }

    /// The blocks as they are.
    fn blocks<const N: usize>(&self) -> Aligned<[u8; N]>
    where
        [u8; N]: Pod,
    {
        let mut out = Aligned::zeroed(self.tile_count());
        let blocks: &mut [[u8; N]] = out.as_mut_slice();
        for (level, data) in self.levels.iter().zip(self.data) {
            blocks[level.first_tile..][..level.tiles()].copy_from_slice(data.as_chunks().0);
        }
        out
    }

    /// Tiles of what `read` makes of each texel of each block.
    fn block_texels<const N: usize, T: Pod>(&self, read: impl Fn(&[u8; N]) -> [T; 16]) -> Aligned<T> {
        let mut out = Aligned::zeroed(16 * self.tile_count());
        let tiles: &mut [[T; 16]] = out.as_mut_slice().as_chunks_mut().0;
        for (level, data) in self.levels.iter().zip(self.data) {
            for (tile, block) in tiles[level.first_tile..].iter_mut().zip(data.as_chunks().0) {
                *tile = read(block);
            }
        }
        out
    }

    fn tile_count(&self) -> usize {
        self.levels.iter().map(Level::tiles).sum()
    }

    /// The table of colour bytes.
    fn table(&self) -> &'static Table {
        self.transfer.table()
    }

    fn byte4(&self, texels: Aligned<[u8; 4]>) -> Texels {
        Texels::Byte4(Bytes { texels, tables: self.tables() })
    }

    /// A table a channel: alpha is linear, wherever it is stored.
    fn tables<const N: usize>(&self) -> [&'static Table; N] {
        std::array::from_fn(|channel| match (self.format.encoding.signed(), self.is_alpha(channel)) {
            (true, _) => snorm_table(),
            (false, true) => Transfer::Linear.table(),
            (false, false) => self.table(),
        })
    }

    fn is_alpha(&self, channel: usize) -> bool {
        usize::from(self.format.swizzle[3]) == channel
    }

    fn block(&self, block: Block) -> Texels {
        let srgb = self.transfer == Transfer::Srgb;
        let all = std::array::from_fn::<usize, 16, _>(|index| index);
        match block {
            Block::Bc1 => Texels::Bc1(self.blocks(), [self.table(), Transfer::Linear.table()]),
            Block::Bc2 => Texels::Bc2(self.blocks(), [self.table(), Transfer::Linear.table()]),
            Block::Bc3 => Texels::Bc3(self.blocks(), [self.table(), Transfer::Linear.table()]),
            Block::Bc1Opaque => self.byte4(
                self.block_texels(|block| all.map(|index| bcn::bc1(block, index)).map(|[r, g, b, _]| [r, g, b, 255])),
            ),
            Block::Bc3Rxgb => {
                self.byte4(self.block_texels(|block| {
                    all.map(|index| bcn::bc3(block, index)).map(|[_, g, b, red]| [red, g, b, 255])
                }))
            }
            Block::Bc4 { .. } if srgb => Texels::Float1(
                self.block_texels(|block| all.map(|index| [self.transfer.decode(bcn::bc4(block, index, false))])),
            ),
            Block::Bc5 { .. } if srgb => Texels::Float2(self.block_texels(|block| {
                all.map(|index| bcn::bc5(block, index, false).map(|value| self.transfer.decode(value)))
            })),
            Block::Bc4 { signed } => Texels::Bc4 { blocks: self.blocks(), signed },
            Block::Bc5 { signed } => Texels::Bc5 { blocks: self.blocks(), signed },
            Block::Bc6h { signed } => self.bc6h(signed),
            Block::Bc7 => self.byte4(self.block_texels(bc7)),
        }
    }

    fn bc6h(&self, signed: bool) -> Texels {
        let half = |block: &[u8; 16]| {
            let mut rgb = [0u16; 48];
            bcdec_rs::bc6h_half(block, &mut rgb, 12, signed);
            std::array::from_fn::<_, 16, _>(|i| [rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], f16::ONE.to_bits()])
        };
        match self.transfer {
            Transfer::Linear => Texels::Half4(self.block_texels(half)),
            Transfer::Srgb => Texels::Float4(self.block_texels(|block| {
                half(block).map(|texel| self.linear(texel.map(|bits| f16::from_bits(bits).to_f32())))
            })),
        }
    }

    /// Colour channels of `texel` made linear.
    fn linear<const N: usize>(&self, texel: [f32; N]) -> [f32; N] {
        std::array::from_fn(|channel| match self.is_alpha(channel) {
            true => texel[channel],
            false => self.transfer.decode(texel[channel]),
        })
    }

    fn bytes(&self, channels: usize) -> Texels {
        let one = if self.format.encoding.signed() { 127 } else { 255 };
        match channels {
            1 => Texels::Byte1(Bytes { texels: self.tiles(|texel| [texel[0]]), tables: self.tables() }),
            2 => Texels::Byte2(Bytes { texels: self.tiles(|texel| [texel[0], texel[1]]), tables: self.tables() }),
            3 => self.byte4(self.tiles(|texel| [texel[0], texel[1], texel[2], one])),
            _ => self.byte4(self.tiles(|texel| [texel[0], texel[1], texel[2], texel[3]])),
        }
    }

    fn halves(&self, channels: usize) -> Texels {
        let half = |texel: &[u8], channel: usize| u16::from_le_bytes([texel[2 * channel], texel[2 * channel + 1]]);
        let padded = |texel: &[u8], channel| if channel < channels { half(texel, channel) } else { f16::ONE.to_bits() };
        match channels {
            1 => Texels::Half1(self.tiles(|texel| [half(texel, 0)])),
            2 => Texels::Half2(self.tiles(|texel| [half(texel, 0), half(texel, 1)])),
            _ => Texels::Half4(self.tiles(|texel| [0, 1, 2, 3].map(|channel| padded(texel, channel)))),
        }
    }

    fn floats(&self, scalar: Scalar, channels: usize) -> Texels {
        let value = |texel: &[u8], channel| if channel < channels { float(scalar, texel, channel) } else { 1.0 };
        match channels {
            1 => Texels::Float1(self.tiles(|texel| self.linear([value(texel, 0)]))),
            2 => Texels::Float2(self.tiles(|texel| self.linear([value(texel, 0), value(texel, 1)]))),
            _ => Texels::Float4(self.tiles(|texel| self.linear([0, 1, 2, 3].map(|channel| value(texel, channel))))),
        }
    }

    fn masked(&self, masks: [u32; 4]) -> Texels {
        let signed = self.format.encoding.signed();
        if masks.iter().all(|mask| matches!(mask.count_ones(), 0 | 8)) {
            let absent = [0, 0, 0, if signed { 127 } else { 255 }];
            return self.byte4(self.tiles(|texel| {
                RGBA.map(usize::from).map(|channel| match masks[channel] {
                    0 => absent[channel],
                    mask => field(word(texel), mask) as u8,
                })
            }));
        }
        Texels::Float4(self.tiles(|texel| {
            self.linear(RGBA.map(usize::from).map(|channel| match masks[channel] {
                0 => [0.0, 0.0, 0.0, 1.0][channel],
                mask => normalised(word(texel), mask, signed),
            }))
        }))
    }

    /// Three floats a word. Both packed formats fit in halves exactly.
    fn packed(&self, read: impl Fn(u32) -> [f32; 3]) -> Texels {
        let rgba = |texel: &[u8]| {
            let [r, g, b] = read(word(texel));
            [r, g, b, 1.0]
        };
        match self.transfer {
            Transfer::Linear => {
                Texels::Half4(self.tiles(|texel| rgba(texel).map(|value| f16::from_f32(value).to_bits())))
            }
            Transfer::Srgb => Texels::Float4(self.tiles(|texel| self.linear(rgba(texel)))),
        }
    }
}

fn bc7(block: &[u8; 16]) -> [[u8; 4]; 16] {
    let mut rgba = [0; 64];
    bcdec_rs::bc7(block, &mut rgba, 16);
    bytemuck::cast(rgba)
}

/// Channel `channel` of a texel of plain values.
fn float(scalar: Scalar, texel: &[u8], channel: usize) -> f32 {
    let at = channel * scalar.bytes();
    let pair = || [texel[at], texel[at + 1]];
    match scalar {
        Scalar::Unorm8 => f32::from(texel[at]) / 255.0,
        Scalar::Snorm8 => (f32::from(texel[at] as i8) / 127.0).max(-1.0),
        Scalar::Unorm16 => f32::from(u16::from_le_bytes(pair())) / 65535.0,
        Scalar::Snorm16 => (f32::from(i16::from_le_bytes(pair())) / 32767.0).max(-1.0),
        Scalar::Half => f16::from_le_bytes(pair()).to_f32(),
        Scalar::Float => f32::from_le_bytes([texel[at], texel[at + 1], texel[at + 2], texel[at + 3]]),
    }
}

/// Up to four bytes, little-endian.
fn word(texel: &[u8]) -> u32 {
    texel.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

fn field(word: u32, mask: u32) -> u32 {
    (word & mask) >> mask.trailing_zeros()
}

/// A bit field as UNORM or SNORM.
fn normalised(word: u32, mask: u32, signed: bool) -> f32 {
    let (value, bits) = (field(word, mask), mask.count_ones());
    // f64: a 32-bit channel has more bits than an f32
    let largest = f64::from(u32::MAX >> (32 - bits));
    if !signed {
        return (f64::from(value) / largest) as f32;
    }
    let extended = (value << (32 - bits)) as i32 >> (32 - bits);
    // one bit of two's complement has no positive value
    (f64::from(extended) / ((largest - 1.0) / 2.0).max(1.0)).max(-1.0) as f32
}

/// The low 11 bits: 5 of exponent, 6 of mantissa, no sign; a half without its last 4 bits.
fn float11(word: u32) -> f32 {
    f16::from_bits(((word & 0x7ff) << 4) as u16).to_f32()
}

/// The low 10 bits: 5 of exponent, 5 of mantissa.
fn float10(word: u32) -> f32 {
    f16::from_bits(((word & 0x3ff) << 5) as u16).to_f32()
}

/// R9G9B9E5: mantissa · 2^(exponent − 15 − 9).
fn shared_exponent(word: u32) -> [f32; 3] {
    let scale = f32::exp2((word >> 27) as f32 - 24.0);
    [0, 9, 18].map(|shift| (word >> shift & 0x1ff) as f32 * scale)
}
