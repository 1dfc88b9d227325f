//! Texels in memory: 4×4 tiles of one layout, level after level.
//!
//! Tiles instead of rows because a bilinear sample then touches 1.6 cache lines on average instead of 2.1, all in one
//! memory page; and because a compressed block is a tile, so both are addressed alike.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

use super::transfer::Table;

/// One mip level: where its tiles are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    pub width: u32,
    pub height: u32,
    /// Index of the level's first tile in the texture.
    pub first_tile: usize,
    pub tiles_per_row: u32,
}

impl Level {
    /// How many tiles the level has.
    pub fn tiles(&self) -> usize {
        self.tiles_per_row as usize * self.height.div_ceil(4) as usize
    }

    /// Index of texel (x, y): 16 · tile + 4 · row + column in the tile, which is [`Level::column`] + [`Level::row`].
    #[inline]
    pub fn index(&self, x: u32, y: u32) -> usize {
        self.column(x) + self.row(y)
    }

    /// What column `x` adds to a texel's index.
    #[inline]
    pub fn column(&self, x: u32) -> usize {
        ((x & !3) << 2 | x & 3) as usize
    }

    /// What row `y` adds to a texel's index.
    #[inline]
    pub fn row(&self, y: u32) -> usize {
        let tile = self.first_tile + (y >> 2) as usize * self.tiles_per_row as usize;
        tile << 4 | ((y & 3) << 2) as usize
    }
}

/// The levels of these sizes, one after another.
pub(super) fn chain(sizes: impl Iterator<Item = [u32; 2]>) -> Vec<Level> {
    let mut first_tile = 0;
    sizes
        .map(|[width, height]| {
            let level = Level { width, height, first_tile, tiles_per_row: width.div_ceil(4) };
            first_tile += level.tiles();
            level
        })
        .collect()
}

/// A cache line. Storage is made of them so that a 64-byte tile never straddles two.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// An aligned array of `T`: 16 of them a tile for texels, one a tile for compressed blocks.
pub(super) struct Aligned<T> {
    lines: Vec<Line>,
    element: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// At least `count` zeroed elements.
    pub fn zeroed(count: usize) -> Self {
        let lines = (count * size_of::<T>()).div_ceil(size_of::<Line>());
        Self { lines: vec![Line::zeroed(); lines], element: PhantomData }
    }

    #[inline]
    pub fn as_slice(&self) -> &[T] {
        bytemuck::cast_slice(&self.lines)
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.lines)
    }

    fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }
}

/// Bytes and what they stand for.
pub(super) struct Bytes<const N: usize>
where
    [u8; N]: Pod,
{
    pub texels: Aligned<[u8; N]>,
    /// One table a channel: alpha is linear where colour is sRGB.
    pub tables: [&'static Table; N],
}

/// The layouts. A channel that a layout lacks reads as (0, 0, 0, 1).
pub(super) enum Texels {
    Byte1(Bytes<1>),
    Byte2(Bytes<2>),
    Byte4(Bytes<4>),
    Half1(Aligned<[u16; 1]>),
    Half2(Aligned<[u16; 2]>),
    Half4(Aligned<[u16; 4]>),
    Float1(Aligned<[f32; 1]>),
    Float2(Aligned<[f32; 2]>),
    Float4(Aligned<[f32; 4]>),
    /// BC1 to BC3 stay compressed; the tables are colour's and alpha's.
    Bc1(Aligned<[u8; 8]>, [&'static Table; 2]),
    Bc2(Aligned<[u8; 16]>, [&'static Table; 2]),
    Bc3(Aligned<[u8; 16]>, [&'static Table; 2]),
    Bc4 {
        blocks: Aligned<[u8; 8]>,
        signed: bool,
    },
    Bc5 {
        blocks: Aligned<[u8; 16]>,
        signed: bool,
    },
}

impl Texels {
    pub fn bytes(&self) -> usize {
        match self {
            Self::Byte1(bytes) => bytes.texels.bytes(),
            Self::Byte2(bytes) => bytes.texels.bytes(),
            Self::Byte4(bytes) => bytes.texels.bytes(),
            Self::Half1(texels) => texels.bytes(),
            Self::Half2(texels) => texels.bytes(),
            Self::Half4(texels) => texels.bytes(),
            Self::Float1(texels) => texels.bytes(),
            Self::Float2(texels) => texels.bytes(),
            Self::Float4(texels) => texels.bytes(),
            Self::Bc1(blocks, _) | Self::Bc4 { blocks, .. } => blocks.bytes(),
            Self::Bc2(blocks, _) | Self::Bc3(blocks, _) | Self::Bc5 { blocks, .. } => blocks.bytes(),
        }
    }
}
