//! Accumulation: a tile of pixels that one thread owns and fills sample by sample, in order.
//!
//! Sums are f64. The standard error of the beauty comes from the spread of the means of its batches (each batch is an
//! independently scrambled low-discrepancy sequence, so the samples inside one are not independent): weighted incremental
//! mean and variance, D. H. D. West, "Updating Mean and Variance Estimates: An Improved Method", CACM 22(9), 1979.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use super::Rect;
use super::cryptomatte::Counts;
use super::layout::{CentreRead, Layout};
use super::sample::{FirstHit, FirstSurface, PathSample};
use super::selection::AovId;
use super::sums::{PathSums, Surfaces};

/// What a pixel has seen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Counters {
    /// Samples in the means.
    pub samples: u32,
    /// Of these, samples whose camera ray met a surface.
    pub hits: u32,
    /// Samples, or surfaces of samples, that were not finite.
    pub non_finite: u32,
    /// Batches that are closed and held at least one finite sample.
    pub batches: u32,
    /// Samples taken in the open batch, finite or not.
    pub open_taken: u32,
    /// Samples in the open batch that are in the means.
    pub open_samples: u32,
}

/// The state of a rectangle of pixels, one record a pixel in row order.
#[derive(Clone, PartialEq)]
pub(super) struct Pixels {
    pub counters: Vec<Counters>,
    /// `Layout::sums` a pixel.
    pub sums: Vec<f64>,
    /// `Layout::centre_blank.len()` a pixel: float bits or ids.
    pub centre: Vec<u32>,
    /// `Layout::cryptomatte.len()` a pixel.
    pub cryptomatte: Vec<Counts>,
}

impl Pixels {
    /// Untouched pixels. Fails where the memory cannot be had.
    pub fn new(layout: &Layout, count: usize) -> Result<Self, std::collections::TryReserveError> {
        let mut centre = reserved(count.saturating_mul(layout.centre_blank.len()))?;
        for _ in 0..count {
            centre.extend_from_slice(&layout.centre_blank);
        }
        Ok(Self {
            counters: filled(count, Counters::default())?,
            sums: filled(count.saturating_mul(layout.sums), 0.0)?,
            centre,
            cryptomatte: filled(count.saturating_mul(layout.cryptomatte.len()), Counts::default())?,
        })
    }

    /// Copies `width` pixels from `from[source..]` to `self[target..]`.
    pub fn copy_row(&mut self, target: usize, from: &Self, source: usize, width: usize) {
        fn row<T: Clone>(into: &mut [T], target: usize, from: &[T], source: usize, width: usize, pixels: usize) {
            let stride = into.len() / pixels;
            let (to, from) =
                (&mut into[target * stride..][..width * stride], &from[source * stride..][..width * stride]);
            to.clone_from_slice(from);
        }
        let pixels = self.counters.len();
        row(&mut self.counters, target, &from.counters, source, width, pixels);
        row(&mut self.sums, target, &from.sums, source, width, pixels);
        row(&mut self.centre, target, &from.centre, source, width, pixels);
        row(&mut self.cryptomatte, target, &from.cryptomatte, source, width, pixels);
    }

    /// Whether a pixel has the state of another: bit patterns of floats aside, exactly.
    pub fn equals(&self, index: usize, other: &Self, other_index: usize) -> bool {
        fn row<T: PartialEq>(a: &[T], ai: usize, an: usize, b: &[T], bi: usize, bn: usize) -> bool {
            let (sa, sb) = (a.len() / an, b.len() / bn);
            a[ai * sa..][..sa] == b[bi * sb..][..sb]
        }
        let (n, m) = (self.counters.len(), other.counters.len());
        self.counters[index] == other.counters[other_index]
            && row(&self.sums, index, n, &other.sums, other_index, m)
            && row(&self.centre, index, n, &other.centre, other_index, m)
            && row(&self.cryptomatte, index, n, &other.cryptomatte, other_index, m)
    }
}

fn reserved<T>(count: usize) -> Result<Vec<T>, std::collections::TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, std::collections::TryReserveError> {
    let mut list = reserved(count)?;
    list.resize(count, value);
    Ok(list)
}

/// A rectangle of the film that one thread fills. It starts as a copy of the film, so that a resumed pixel goes on with
/// the very same sums.
pub struct Tile {
    rect: Rect,
    batch: u32,
    layout: Arc<Layout>,
    pub(super) pixels: Pixels,
    pub(super) non_finite: BTreeMap<u32, u64>,
}

impl Tile {
    pub(super) fn new(rect: Rect, batch: u32, layout: Arc<Layout>, pixels: Pixels) -> Self {
        Self { rect, batch, layout, pixels, non_finite: BTreeMap::new() }
    }

    /// The pixels of the tile, in image coordinates.
    pub fn rect(&self) -> Rect {
        self.rect
    }

    /// How many light groups samples must bring; 0 where none is kept.
    pub fn light_groups(&self) -> usize {
        self.layout.groups.iter().map(|(group, _)| group + 1).max().unwrap_or(0)
    }

    /// Whether any AOV reads the surfaces that samples meet.
    pub fn wants_hits(&self) -> bool {
        !self.layout.hits.is_empty() || !self.layout.cryptomatte.is_empty()
    }

    /// Whether the table row called `name` is kept.
    pub fn keeps(&self, name: &str) -> bool {
        AovId::named(name).is_some_and(|id| self.layout.slot(id).is_some())
    }

    /// The accumulator of one pixel, in image coordinates (as the film's windows). Panics outside the tile.
    pub fn pixel(&mut self, x: i32, y: i32) -> PixelMut<'_> {
        let index = self.rect.index(x, y).expect("the pixel lies in the tile");
        let layout = &*self.layout;
        let record = |stride: usize| index * stride..(index + 1) * stride;
        PixelMut {
            layout,
            batch: self.batch,
            counters: &mut self.pixels.counters[index],
            sums: &mut self.pixels.sums[record(layout.sums)],
            centre: &mut self.pixels.centre[record(layout.centre_blank.len())],
            cryptomatte: &mut self.pixels.cryptomatte[record(layout.cryptomatte.len())],
            non_finite: &mut self.non_finite,
            paths: PathSums::default(),
            surfaces: Surfaces::default(),
        }
    }
}

/// What is known about a pixel's beauty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean of the closed batches, W/(m² sr).
    pub mean: [f64; 3],
    /// Standard error of that mean; +inf below two batches.
    pub standard_error: [f64; 3],
}

/// The accumulator of one pixel.
pub struct PixelMut<'a> {
    layout: &'a Layout,
    batch: u32,
    counters: &'a mut Counters,
    sums: &'a mut [f64],
    centre: &'a mut [u32],
    cryptomatte: &'a mut [Counts],
    non_finite: &'a mut BTreeMap<u32, u64>,
    /// What the open batch has got since this accumulator was made; added to `sums` when the batch closes.
    paths: PathSums,
    surfaces: Surfaces,
}

impl Drop for PixelMut<'_> {
    /// An open batch's sums are kept with the pixel.
    fn drop(&mut self) {
        self.settle();
    }
}

impl PixelMut<'_> {
    /// Adds one sample: its radiance, the first surface that its camera ray met, and its radiance by light group (as many
    /// as the film was told of, or none where no group is kept). A sample whose radiance is not finite is counted and left
    /// out as a whole; a surface whose values are not finite is counted and left out of the means over hits. A batch closes
    /// by itself when it is full; one that is added to by two accumulators keeps its numbers, but perhaps not their last bits. No
    /// allocation but for the fifth and later Cryptomatte ids of a pixel.
    pub fn add(&mut self, sample: &PathSample, surface: Option<&FirstSurface>, light_groups: &[Vec3]) {
        self.counters.open_taken += 1;
        match light_groups.iter().all(|v| v.is_finite()) && self.paths.add(sample) {
            true => self.add_finite(surface, light_groups),
            false => self.count_non_finite(surface),
        }
        if self.counters.open_taken >= self.batch {
            self.end_batch();
        }
    }

    fn add_finite(&mut self, surface: Option<&FirstSurface>, light_groups: &[Vec3]) {
        self.counters.samples += 1;
        self.counters.open_samples += 1;
        for &(group, offset) in &self.layout.groups {
            let sums = self.sums[offset..offset + 3].iter_mut();
            sums.zip(light_groups[group].to_array()).for_each(|(sum, value)| *sum += f64::from(value));
        }
        let Some(surface) = surface else { return };
        for (counts, read) in self.cryptomatte.iter_mut().zip(&self.layout.cryptomatte) {
            counts.add(read(&surface.ids));
        }
        match self.surfaces.add(surface) {
            true => self.counters.hits += 1,
            false => self.count_non_finite(Some(surface)),
        }
    }

    /// Adds the batch's sums to the pixel's.
    fn settle(&mut self) {
        let (paths, surfaces) = (std::mem::take(&mut self.paths), std::mem::take(&mut self.surfaces).sums());
        self.layout.samples.iter().for_each(|row| row.add(&paths, self.sums));
        self.layout.hits.iter().for_each(|row| row.add(&surfaces, self.sums));
        if let Some(offset) = self.layout.error {
            let beauty = paths.beauty_alpha.truncate().to_array();
            self.sums[offset..offset + 3].iter_mut().zip(beauty).for_each(|(sum, value)| *sum += value);
        }
    }

    #[cold]
    fn count_non_finite(&mut self, surface: Option<&FirstSurface>) {
        self.counters.non_finite += 1;
        *self.non_finite.entry(surface.map_or(0, |surface| surface.ids.material)).or_insert(0) += 1;
    }

    /// What the ray through the pixel's centre met: overwrites what an earlier call wrote.
    pub fn centre(&mut self, hit: Option<&FirstHit>) {
        let Some(hit) = hit else { return self.centre.copy_from_slice(&self.layout.centre_blank) };
        for slot in &self.layout.centre {
            match slot.read {
                CentreRead::Id(read) => self.centre[slot.offset] = read(&hit.surface.ids),
                CentreRead::Float { read, channels } => {
                    let words = &mut self.centre[slot.offset..slot.offset + channels];
                    words.iter_mut().zip(read(hit)).for_each(|(word, value)| *word = value.to_bits());
                }
            }
        }
    }

    /// Closes the open batch, full or not; nothing happens where none is open.
    pub fn end_batch(&mut self) {
        self.settle();
        let counters = &mut *self.counters;
        let weight = f64::from(counters.open_samples);
        if let Some(offset) = self.layout.error
            && weight > 0.0
        {
            let total = f64::from(counters.samples);
            for channel in offset..offset + 3 {
                let batch_mean = std::mem::take(&mut self.sums[channel]) / weight;
                let delta = batch_mean - self.sums[channel + 3];
                self.sums[channel + 3] += delta * (weight / total);
                self.sums[channel + 6] += weight * delta * (batch_mean - self.sums[channel + 3]);
            }
        }
        counters.batches += u32::from(weight > 0.0);
        (counters.open_taken, counters.open_samples) = (0, 0);
    }

    /// What the pixel has seen so far.
    pub fn counters(&self) -> Counters {
        *self.counters
    }

    /// The beauty so far; `None` where the film does not track its error. Closed batches only.
    pub fn estimate(&self) -> Option<Estimate> {
        self.layout.error.map(|offset| estimate(&self.sums[offset..], self.counters))
    }
}

/// Mean and standard error of a pixel from its nine batch numbers.
///
/// With batches of n_k samples, N in all, and M2 = Σ n_k (m_k − m)², the variance of one sample is estimated by M2/(K − 1)
/// and that of the mean by M2/((K − 1) N): for equal batches the textbook Σ(m_k − m)²/(K(K − 1)).
pub(super) fn estimate(batch: &[f64], counters: &Counters) -> Estimate {
    let closed = f64::from(counters.samples - counters.open_samples);
    let degrees = f64::from(counters.batches) - 1.0;
    let error = |m2: f64| match degrees > 0.0 {
        true => (m2.max(0.0) / (degrees * closed)).sqrt(),
        false => f64::INFINITY,
    };
    Estimate {
        mean: [batch[3], batch[4], batch[5]],
        standard_error: [error(batch[6]), error(batch[7]), error(batch[8])],
    }
}

#[cfg(test)]
#[path = "accumulate_tests.rs"]
mod tests;
