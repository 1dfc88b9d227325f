//! EXR files of any flat layout: parts, scan lines or tiles, any line order and data window.
//!
//! Only the chunks that a band touches are read. They are decompressed on all cores; a panic of the decoder ends its chunk
//! alone ([`quiet::catch`] runs inside the job, for a panic that left a job of the pool would end the process).

use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ::exr::block::chunk::Chunk;
use ::exr::block::reader::ChunksReader;
use ::exr::block::{self, UncompressedBlock};
use ::exr::compression::Compression;
use ::exr::error::Error;
use ::exr::math::Vec2;
use ::exr::meta::attribute::SampleType;
use ::exr::meta::header::Header;
use ::exr::meta::{BlockDescription, MetaData};
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;

use super::facts::{Facts, readable};
use super::layers::{self, Part};
use super::{Layer, Picture, Sample, Source};
use crate::compare::plane::{Rows, Samples};
use crate::film::Rect;
use crate::quiet;
use crate::texture::guard::check_expansion;

const DAMAGED: &str = "the file is damaged: its decoder gave up";

pub(super) struct File {
    path: PathBuf,
    parts: Vec<Stored>,
}

/// What is needed of a part's header to place its values.
struct Stored {
    window: Rect,
    /// Height of blocks, pixels.
    block: usize,
    /// Bytes of one pixel in a line before each channel, and the channel's type.
    channels: Vec<(usize, SampleType)>,
    bytes_per_pixel: usize,
}

pub(super) fn open(path: &Path) -> Result<Picture, String> {
    let length = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    let headers = quiet::catch(|| read_headers(path)).unwrap_or_else(|| Err(DAMAGED.to_owned()))?;
    headers.iter().try_for_each(|header| check(header, length as usize))?;
    let display = headers.first().ok_or("the file has no parts")?.shared_attributes.display_window;
    let display = rect(display.position, display.size)?;
    let parts: Vec<Part> = headers.iter().map(describe).collect::<Result<_, _>>()?;
    let layers = layers::group(&parts);
    let facts = Facts::read(&headers);
    let parts = headers.iter().map(stored).collect::<Result<_, _>>()?;
    let file = File { path: path.to_owned(), parts };
    Ok(Picture { path: path.to_owned(), display, layers, facts, source: Source::Exr(file) })
}

fn read_headers(path: &Path) -> Result<Vec<Header>, String> {
    let reader = block::read(BufReader::new(open_file(path)?), false).map_err(broken)?;
    Ok(reader.headers().to_vec())
}

fn open_file(path: &Path) -> Result<std::fs::File, String> {
    std::fs::File::open(path).map_err(|error| error.to_string())
}

fn broken(error: Error) -> String {
    match error {
        Error::NotSupported(what) if what.contains("subsampling") => {
            "not supported: subsampled channels (luminance-chroma Y, RY, BY)".to_owned()
        }
        Error::NotSupported(what) => format!("not supported: {what}"),
        Error::Io(error) => error.to_string(),
        other => format!("the file is damaged: {other}"),
    }
}

/// Refuses what cannot be compared, and headers that promise more than the file can hold.
fn check(header: &Header, length: usize) -> Result<(), String> {
    if header.deep {
        return Err("not supported: deep data; flatten it first".to_owned());
    }
    if let Some(channel) = header.channels.list.iter().find(|channel| channel.sampling.area() != 1) {
        return Err(format!("not supported: subsampled channel {}", readable(&channel.name)));
    }
    if matches!(header.compression, Compression::HTJ2K32 | Compression::HTJ2K256) {
        return Err(format!("not supported: {} compression", header.compression));
    }
    if header.channels.list.is_empty() {
        return Err("a part has no channels".to_owned());
    }
    let size = [header.layer_size.0, header.layer_size.1].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    // Wavelets shrink a black picture without bound: 2 GiB are let pass whatever the length.
    check_expansion("EXR", size, header.channels.bytes_per_pixel, length.max(2 << 20))
        .map_err(|fault| fault.to_string())
}

fn rect(position: Vec2<i32>, size: Vec2<usize>) -> Result<Rect, String> {
    let side = |value: usize| u32::try_from(value).ok().filter(|side| *side <= 1 << 24);
    let near = |value: i32| value.unsigned_abs() <= 1 << 24;
    let (width, height) = (side(size.0), side(size.1));
    match (width, height, near(position.0) && near(position.1)) {
        (Some(width), Some(height), true) => Ok(Rect { x: position.0, y: position.1, width, height }),
        _ => Err(format!("the window {position:?} {size:?} is beyond all pictures")),
    }
}

fn window(header: &Header) -> Result<Rect, String> {
    rect(header.own_attributes.layer_position, header.layer_size)
}

fn describe(header: &Header) -> Result<Part, String> {
    let channel = |channel: &::exr::meta::attribute::ChannelDescription| {
        let sample = match channel.sample_type {
            SampleType::F16 => Sample::Half,
            SampleType::F32 => Sample::Float,
            SampleType::U32 => Sample::Uint,
        };
        (readable(&channel.name), sample)
    };
    let own = &header.own_attributes;
    Ok(Part {
        name: own.layer_name.as_ref().map(readable),
        view: own.view_name.as_ref().map(readable),
        channels: header.channels.list.iter().map(channel).collect(),
        window: window(header)?,
    })
}

fn stored(header: &Header) -> Result<Stored, String> {
    let mut offset = 0;
    let channel = |channel: &::exr::meta::attribute::ChannelDescription| {
        let start = offset;
        offset += channel.sample_type.bytes_per_sample();
        (start, channel.sample_type)
    };
    let channels = header.channels.list.iter().map(channel).collect();
    let block = match header.blocks {
        BlockDescription::ScanLines => header.compression.scan_lines_per_block(),
        BlockDescription::Tiles(tiles) => tiles.tile_size.height(),
    };
    Ok(Stored { window: window(header)?, block, channels, bytes_per_pixel: offset })
}

impl File {
    pub(super) fn block_height(&self) -> usize {
        self.parts.iter().map(|part| part.block).max().unwrap_or(1)
    }

    /// Fills `bands`, which belong to `layers`, with the rows `y`.
    pub(super) fn read(&self, y: &Range<i32>, layers: &[&Layer], bands: &mut [Rows]) -> Result<(), String> {
        let mut wanted = vec![false; self.parts.len()];
        layers.iter().flat_map(|layer| &layer.channels).for_each(|channel| wanted[channel.part] = true);
        let (chunks, meta) = quiet::catch(|| self.chunks(y, &wanted)).unwrap_or_else(|| Err(DAMAGED.to_owned()))?;
        let decompress = |chunk: Chunk| {
            let block = quiet::catch(|| UncompressedBlock::decompress_chunk(chunk, &meta, false));
            block.ok_or_else(|| DAMAGED.to_owned())?.map_err(broken)
        };
        let blocks: Vec<UncompressedBlock> = chunks.into_par_iter().map(decompress).collect::<Result<_, _>>()?;
        layers.par_iter().zip(bands).for_each(|(layer, band)| {
            blocks.iter().for_each(|block| self.place(block, layer, band));
        });
        Ok(())
    }

    /// The compressed chunks of level 0 that hold rows of `y`.
    fn chunks(&self, y: &Range<i32>, wanted: &[bool]) -> Result<(Vec<Chunk>, MetaData), String> {
        let reader = block::read(BufReader::with_capacity(1 << 18, open_file(&self.path)?), false).map_err(broken)?;
        if reader.headers().len() != self.parts.len() {
            return Err("the file changed while it was read".to_owned());
        }
        let touches = |index: block::BlockIndex| {
            let top = self.parts[index.layer].window.y + index.pixel_position.1 as i32;
            index.level == Vec2(0, 0) && top < y.end && top + index.pixel_size.1 as i32 > y.start
        };
        let chunks =
            reader.filter_chunks(false, |_, _, index| wanted[index.layer] && touches(index)).map_err(broken)?;
        let meta = chunks.meta_data().clone();
        Ok((chunks.collect::<Result<_, _>>().map_err(broken)?, meta))
    }

    /// Copies what `block` holds of `layer` into its band.
    fn place(&self, block: &UncompressedBlock, layer: &Layer, band: &mut Rows) {
        let index = block.index;
        let part = &self.parts[index.layer];
        let width = index.pixel_size.0;
        let left = index.pixel_position.0;
        let stride = band.channels;
        for (slot, channel) in layer.channels.iter().enumerate().filter(|(_, channel)| channel.part == index.layer) {
            let (offset, sample) = part.channels[channel.index];
            for line in 0..index.pixel_size.1 {
                let y = part.window.y + (index.pixel_position.1 + line) as i32;
                if y < band.rect.y || y >= band.rect.y + band.rect.height as i32 {
                    continue;
                }
                let start = line * width * part.bytes_per_pixel + width * offset;
                let Some(bytes) = block.data.get(start..start + width * sample.bytes_per_sample()) else { continue };
                // A layer of several parts lies in all their windows: shift from this part's to the band's.
                let shift = i64::from(part.window.x) + left as i64 - i64::from(band.rect.x);
                let (skip, x) = ((-shift).max(0) as usize, shift.max(0) as usize);
                let count = width.saturating_sub(skip).min((band.rect.width as usize).saturating_sub(x));
                let first = band.range(y).start + x * stride + slot;
                scatter(&mut band.samples, first, stride, bytes, sample, skip..skip + count);
            }
        }
    }
}

/// Writes the samples `range` of a line of one channel to every `stride`-th place from `first`.
fn scatter(samples: &mut Samples, first: usize, stride: usize, bytes: &[u8], sample: SampleType, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    match (samples, sample) {
        (Samples::Float(values), SampleType::F32) => {
            let line = bytes.as_chunks::<4>().0[range].iter().map(|bytes| f32::from_ne_bytes(*bytes));
            values[first..].iter_mut().step_by(stride).zip(line).for_each(|(value, new)| *value = new);
        }
        (Samples::Float(values), SampleType::F16) => {
            let halves: Vec<f16> =
                bytes.as_chunks::<2>().0[range].iter().map(|bytes| f16::from_ne_bytes(*bytes)).collect();
            let mut line = vec![0.0; halves.len()];
            // The slice conversion uses the processor's instruction.
            halves.convert_to_f32_slice(&mut line);
            values[first..].iter_mut().step_by(stride).zip(line).for_each(|(value, new)| *value = new);
        }
        (samples, SampleType::U32) => {
            let line = bytes.as_chunks::<4>().0[range].iter().map(|bytes| u32::from_ne_bytes(*bytes));
            line.enumerate().for_each(|(index, value)| super::set(samples, first + index * stride, value));
        }
        // A layer is uint only where all its channels are.
        (Samples::Uint(_), _) => {}
    }
}
