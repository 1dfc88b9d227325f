//! A picture file: its AOVs from the headers, its pixels in bands of rows.

mod exr;
mod facts;
mod flat;
pub(super) mod layers;

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use facts::Facts;

use super::kind::Kind;
use super::plane::{Plane, Rows, Samples};
use crate::film::Rect;

/// An open picture.
pub struct Picture {
    path: PathBuf,
    /// The frame (display window).
    display: Rect,
    layers: Vec<Layer>,
    facts: Facts,
    source: Source,
}

/// One AOV of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// `beauty` for bare R, G, B, A; `Z` for bare Z; else the layer's name.
    pub name: String,
    /// In reading order: R G B A, X Y Z, U V, then by name.
    pub channels: Vec<Channel>,
    /// What is stored of it (data window), image coordinates.
    pub window: Rect,
    pub kind: Kind,
}

/// One channel of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Without the layer's name.
    pub name: String,
    pub sample: Sample,
    /// Part and place in it, among the part's channels.
    part: usize,
    index: usize,
}

/// How a channel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Half,
    Float,
    Uint,
    /// Display values of 8 and 16 bits.
    Byte,
    Short,
    /// Radiance's shared exponent.
    Rgbe,
}

enum Source {
    Exr(exr::File),
    Flat(flat::Image),
}

impl Layer {
    /// Whether its values are ids.
    pub fn is_uint(&self) -> bool {
        self.channels.iter().all(|channel| channel.sample == Sample::Uint)
    }
}

impl Sample {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Float => "float",
            Self::Uint => "uint",
            Self::Byte => "8 bit",
            Self::Short => "16 bit",
            Self::Rgbe => "shared exponent",
        }
    }

    /// Whether values are what a display shows, not light.
    pub fn is_display(self) -> bool {
        matches!(self, Self::Byte | Self::Short)
    }
}

impl Picture {
    /// Opens an EXR, HDR, PNG, JPEG or TGA file.
    ///
    /// # Errors
    /// Not such a file, a damaged one, or one of a sort that is not compared: deep, subsampled, or compressed by a method
    /// that is not read. The message names the file.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fail = |what: String| format!("{}: {what}", path.display());
        match is_exr(path).map_err(|error| fail(error.to_string()))? {
            true => exr::open(path).map_err(fail),
            false => flat::open(path).map_err(fail),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The frame (display window).
    pub fn display(&self) -> Rect {
        self.display
    }

    /// Its AOVs, in the order of our table, then by name.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether the format holds layers at all.
    pub fn is_layered(&self) -> bool {
        matches!(self.source, Source::Exr(_))
    }

    /// Whether it holds display values instead of light.
    pub fn is_display(&self) -> bool {
        self.layers.iter().all(|layer| layer.channels.iter().all(|channel| channel.sample.is_display()))
    }

    /// Rows that are compressed together: bands of a multiple of it decode every block once.
    pub fn block_height(&self) -> usize {
        match &self.source {
            Source::Exr(file) => file.block_height(),
            Source::Flat(_) => 1,
        }
    }

    /// The rows `y` (image coordinates) of the layers `wanted` (indices), each cut to the layer's window.
    ///
    /// # Errors
    /// Damaged or unreadable pixels; the message names the file.
    pub fn read(&self, y: Range<i32>, wanted: &[usize]) -> Result<Vec<Rows>, String> {
        let layers: Vec<&Layer> = wanted.iter().map(|index| &self.layers[*index]).collect();
        let mut bands: Vec<Rows> = layers
            .iter()
            .map(|layer| Rows::new(band(layer.window, &y), layer.channels.len(), layer.is_uint()))
            .collect();
        let read = match &self.source {
            Source::Exr(file) => file.read(&y, &layers, &mut bands),
            Source::Flat(image) => {
                image.read(&layers, &mut bands);
                Ok(())
            }
        };
        read.map(|()| bands).map_err(|what| format!("{}: {what}", self.path.display()))
    }

    /// The whole of a layer, cut to `window` (which must lie in the layer's). Errors: as [`Self::read`].
    pub fn plane(&self, layer: usize, window: Rect) -> Result<Plane, String> {
        let (width, height) = (window.width as usize, window.height as usize);
        let channels = self.layers[layer].channels.len();
        let mut plane = Plane { width, height, channels, values: Vec::with_capacity(width * height * channels) };
        self.each_row(layer, window, |rows, y| {
            let skip = (window.x - rows.rect.x) as usize * channels;
            plane.values.extend_from_slice(&rows.floats(y)[skip..skip + width * channels]);
        })?;
        Ok(plane)
    }

    /// The channels `places` of a layer of ids, exactly, pixel by pixel. Errors: as [`Self::read`].
    pub fn uints(&self, layer: usize, window: Rect, places: &[usize]) -> Result<Vec<u32>, String> {
        let mut ids = Vec::with_capacity(window.area() * places.len());
        self.each_row(layer, window, |rows, y| {
            if let Samples::Uint(values) = &rows.samples {
                let start = rows.range(y).start + (window.x - rows.rect.x) as usize * rows.channels;
                let pixels = values[start..start + window.width as usize * rows.channels].chunks_exact(rows.channels);
                ids.extend(pixels.flat_map(|pixel| places.iter().map(|place| pixel[*place])));
            }
        })?;
        Ok(ids)
    }

    /// Calls `take` with each row of `window`, from the top.
    fn each_row(&self, layer: usize, window: Rect, mut take: impl FnMut(&Rows, i32)) -> Result<(), String> {
        let step = self.block_height().max(64) as i32;
        let (first, end) = (window.y, window.y + window.height as i32);
        // From the block's edge on: the layer's window begins one.
        let top = self.layers[layer].window.y;
        let mut y = first - (first - top).rem_euclid(step);
        while y < end {
            let rows = self.read(y.max(first)..(y + step).min(end), &[layer])?.remove(0);
            (rows.rect.y..rows.rect.y + rows.rect.height as i32).for_each(|row| take(&rows, row));
            y += step;
        }
        Ok(())
    }
}

/// The rows `y` of `window`.
fn band(window: Rect, y: &Range<i32>) -> Rect {
    let top = window.y.max(y.start);
    let bottom = (window.y + window.height as i32).min(y.end).max(top);
    Rect { y: top, height: (bottom - top) as u32, ..window }
}

fn is_exr(path: &Path) -> std::io::Result<bool> {
    use std::io::Read;
    let mut magic = [0; 4];
    let read = std::fs::File::open(path)?.read(&mut magic)?;
    Ok(read == 4 && magic == [0x76, 0x2f, 0x31, 0x01])
}

/// A picture's layers must be found again by the values of the file's channels: integer samples stay integers.
fn set(samples: &mut Samples, index: usize, value: u32) {
    match samples {
        Samples::Float(values) => values[index] = value as f32,
        Samples::Uint(values) => values[index] = value,
    }
}
