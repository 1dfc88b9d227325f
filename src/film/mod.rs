//! The film: per-pixel sums, the AOV table, EXR files.
//!
//! One table ([`aov::TABLE`]) says what each output variable is called, where its values come from, by which rule samples
//! become a pixel, and how it is stored. [`Film::tile`] hands out rectangles that threads fill without a lock;
//! [`Film::merge`] puts them back. A pixel belongs to one tile at a time and its samples are added in order: so the bits
//! depend neither on threads nor on tile sizes nor on interruptions.
//!
//! Files: [`aov`] (the table), [`selection`] (names → ids), `layout` (the record of a pixel), [`accumulate`] (samples →
//! sums), `resolve` (sums → values), [`cryptomatte`], [`metadata`] (the header), [`output`] (options of the files),
//! [`exr`] (writing), [`describe`] (reading a header back), [`preview`] and [`view`] (PNG), [`atomic`].

pub mod accumulate;
pub mod aov;
pub mod atomic;
pub mod cryptomatte;
pub mod describe;
pub mod exr;
pub mod filter;
mod layout;
pub mod metadata;
pub mod output;
pub mod preview;
mod resolve;
pub mod sample;
pub mod selection;
pub mod state;
mod sums;
pub mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use accumulate::{Counters, Estimate, PixelMut, Tile};
pub use aov::TABLE;
pub use metadata::Metadata;
pub use output::{Arrangement, Compression, Output, Precision};
pub use resolve::Plane;
pub use selection::{AovId, Selection};

use accumulate::Pixels;
use layout::Layout;

/// A rectangle of pixels in image coordinates: x to the right, y downward, (0, 0) the first pixel of the full frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
}

impl Rect {
    /// Number of pixels.
    pub fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Index of a pixel in row order; `None` outside.
    pub fn index(self, x: i32, y: i32) -> Option<usize> {
        let column = i64::from(x) - i64::from(self.x);
        let row = i64::from(y) - i64::from(self.y);
        let inside = (0..i64::from(self.width)).contains(&column) && (0..i64::from(self.height)).contains(&row);
        inside.then(|| row as usize * self.width as usize + column as usize)
    }

    fn contains(self, other: Self) -> bool {
        let last = |r: Self| (i64::from(r.x) + i64::from(r.width), i64::from(r.y) + i64::from(r.height));
        let ((right, bottom), (other_right, other_bottom)) = (last(self), last(other));
        self.x <= other.x && self.y <= other.y && other_right <= right && other_bottom <= bottom
    }
}

/// What a film keeps. Two films with equal settings can be joined.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmSettings {
    /// Width and height of the full frame: the display window.
    pub resolution: [u32; 2],
    /// x, y, width, height of the rendered part: the data window. May reach outside the frame (overscan). `None`: the frame.
    pub crop: Option<[i32; 4]>,
    /// What to keep; order and repetition do not matter.
    pub aovs: Vec<AovId>,
    /// Names of the scene's light groups, in the integrator's order.
    pub light_groups: Vec<String>,
    /// Samples of a full batch, ≥ 1.
    pub batch: u32,
    /// Keep the beauty's error per pixel even where `beauty_stderr` is not written: a noise target needs it.
    pub track_error: bool,
}

/// The largest side of a frame or crop, pixels: what the EXR format's windows hold with room for overscan.
const MAX_SIDE: i64 = 1 << 20;

/// The largest film, bytes.
const MAX_BYTES: f64 = 1e12;

impl FilmSettings {
    /// The rectangle that is rendered.
    pub fn window(&self) -> Rect {
        let [width, height] = self.resolution;
        match self.crop {
            Some([x, y, w, h]) => Rect { x, y, width: w.max(0) as u32, height: h.max(0) as u32 },
            None => Rect { x: 0, y: 0, width, height },
        }
    }

    fn check(&self) -> Result<(), String> {
        let [width, height] = self.resolution.map(i64::from);
        if width < 1 || height < 1 || width.max(height) > MAX_SIDE {
            return Err(format!("the resolution {width}×{height} is not within 1..{MAX_SIDE}"));
        }
        if let Some([x, y, w, h]) = self.crop {
            let reaches = [x, y, w, h].iter().any(|v| i64::from(*v).abs() > MAX_SIDE);
            if w < 1 || h < 1 || reaches {
                return Err(format!("the crop {x},{y},{w},{h} must be x, y and a width and height of at least 1"));
            }
        }
        let known = |id: &AovId| match *id {
            AovId::Row(index) => usize::from(index) < TABLE.len(),
            AovId::LightGroup(index) => usize::from(index) < self.light_groups.len(),
        };
        match (self.batch, self.aovs.iter().all(known)) {
            (0, _) => Err("a batch holds at least one sample".to_owned()),
            (_, false) => Err("an AOV names a light group that the scene does not have".to_owned()),
            _ => Ok(()),
        }
    }
}

/// The accumulated picture.
pub struct Film {
    settings: FilmSettings,
    window: Rect,
    layout: Arc<Layout>,
    pixels: Pixels,
    non_finite: BTreeMap<u32, u64>,
}

impl Film {
    /// An untouched film. Errors: settings out of range, or more memory than there is (the message says how much).
    pub fn new(settings: FilmSettings) -> Result<Self, String> {
        settings.check()?;
        let window = settings.window();
        let layout = Arc::new(Layout::new(&settings.aovs, settings.track_error));
        let need = layout.bytes_per_pixel() as f64 * window.area() as f64;
        let too_large = || format!("the film needs {:.1} GB, too much: fewer AOVs or a crop help", need / 1e9);
        // Systems that promise more memory than they have would grant it here and kill the process later.
        if need > MAX_BYTES {
            return Err(too_large());
        }
        let pixels = Pixels::new(&layout, window.area()).map_err(|_| too_large())?;
        Ok(Self { settings, window, layout, pixels, non_finite: BTreeMap::new() })
    }

    /// What it keeps.
    pub fn settings(&self) -> &FilmSettings {
        &self.settings
    }

    /// The rendered rectangle.
    pub fn window(&self) -> Rect {
        self.window
    }

    /// The AOVs that are kept, in the order of the table.
    pub fn aovs(&self) -> impl Iterator<Item = AovId> + '_ {
        self.layout.aovs()
    }

    /// Memory of one pixel, bytes (without the rare heap part of pixels that see more than four Cryptomatte ids).
    pub fn bytes_per_pixel(&self) -> usize {
        self.layout.bytes_per_pixel()
    }

    /// A rectangle to fill, with what the film already knows about it. Panics outside the window.
    pub fn tile(&self, rect: Rect) -> Tile {
        assert!(self.window.contains(rect), "{rect:?} lies in {:?}", self.window);
        let mut pixels = Pixels::new(&self.layout, rect.area()).expect("a tile is small beside its film");
        for row in 0..rect.height {
            let source = self.window.index(rect.x, rect.y + row as i32).expect("inside");
            pixels.copy_row((row * rect.width) as usize, &self.pixels, source, rect.width as usize);
        }
        Tile::new(rect, self.settings.batch, Arc::clone(&self.layout), pixels)
    }

    /// Puts a tile of this film back; it replaces what the film knew about its pixels.
    pub fn merge(&mut self, tile: Tile) {
        let rect = tile.rect();
        for row in 0..rect.height {
            let target = self.window.index(rect.x, rect.y + row as i32).expect("inside");
            self.pixels.copy_row(target, &tile.pixels, (row * rect.width) as usize, rect.width as usize);
        }
        for (material, count) in tile.non_finite {
            *self.non_finite.entry(material).or_insert(0) += count;
        }
    }

    /// Takes over the pixels that `other`, a shard of the same render, has and this film has not. Errors: other settings,
    /// or a pixel that both have rendered.
    pub fn join(&mut self, other: &Self) -> Result<(), String> {
        if self.settings != other.settings {
            return Err(
                "the parts keep different things: resolution, crop, AOVs, light groups or batch length".to_owned()
            );
        }
        let blank = Pixels::new(&self.layout, 1).map_err(|error| error.to_string())?;
        let touched = |pixels: &Pixels, index: usize| !pixels.equals(index, &blank, 0);
        let both = (0..self.window.area()).find(|&i| touched(&self.pixels, i) && touched(&other.pixels, i));
        if let Some(index) = both {
            let (x, y) = (index as i32 % self.window.width as i32, index as i32 / self.window.width as i32);
            return Err(format!("both parts hold the pixel ({}, {})", x + self.window.x, y + self.window.y));
        }
        for index in (0..self.window.area()).filter(|&i| touched(&other.pixels, i)) {
            self.pixels.copy_row(index, &other.pixels, index, 1);
        }
        for (material, count) in &other.non_finite {
            *self.non_finite.entry(*material).or_insert(0) += count;
        }
        Ok(())
    }

    /// What a pixel has seen; `None` outside the window.
    pub fn counters(&self, x: i32, y: i32) -> Option<Counters> {
        self.window.index(x, y).map(|index| self.pixels.counters[index])
    }

    /// The beauty of a pixel with its error; `None` outside the window or where the error is not tracked.
    pub fn estimate(&self, x: i32, y: i32) -> Option<Estimate> {
        let (index, offset) = (self.window.index(x, y)?, self.layout.error?);
        let sums = &self.pixels.sums[index * self.layout.sums + offset..];
        Some(accumulate::estimate(sums, &self.pixels.counters[index]))
    }

    /// Samples, or surfaces of samples, that were not finite, all pixels together.
    pub fn non_finite(&self) -> u64 {
        self.non_finite.values().sum()
    }

    /// The same by material id of the first surface (0: the camera ray left the scene).
    pub fn non_finite_by_material(&self) -> &BTreeMap<u32, u64> {
        &self.non_finite
    }
}

#[cfg(test)]
#[path = "film_tests.rs"]
mod tests;
