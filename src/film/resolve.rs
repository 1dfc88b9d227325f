//! Sums → values: what stands in the files.

use super::accumulate::estimate;
use super::layout::Slot;
use super::selection::AovId;
use super::{Film, cryptomatte};

/// One channel of the window, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Plane {
    Float(Vec<f32>),
    Uint(Vec<u32>),
}

impl Film {
    /// The channels of one AOV in the order of their names; `None` where the film does not keep it. `hash_of` gives the
    /// Cryptomatte id of an object or material id (see [`super::metadata::IdNames`]); other AOVs do not ask it.
    pub fn planes(&self, aov: AovId, hash_of: &dyn Fn(u32) -> f32) -> Option<Vec<Plane>> {
        let slot = self.layout.slot(aov)?;
        Some(match slot {
            Slot::Sum { offset, channels, over_hits } => self.means(offset, channels, over_hits),
            Slot::CentreFloat { offset, channels } => floats(self.centre_planes(offset, channels, f32::from_bits)),
            Slot::CentreId { offset } => self.centre_planes(offset, 1, |id| id).into_iter().map(Plane::Uint).collect(),
            Slot::Error { offset } => self.errors(offset),
            Slot::Count(read) => vec![Plane::Uint(self.pixels.counters.iter().map(read).collect())],
            Slot::Cryptomatte { index } => self.ranks(index, hash_of),
        })
    }

    /// The beauty as interleaved RGB, row by row; `None` where the film does not keep it. For previews.
    pub fn beauty_rgb(&self) -> Option<Vec<f32>> {
        let planes = self.planes(AovId::named("beauty")?, &|_| 0.0)?;
        let [Plane::Float(r), Plane::Float(g), Plane::Float(b), _] = planes.as_slice() else { return None };
        Some(r.iter().zip(g).zip(b).flat_map(|((r, g), b)| [*r, *g, *b]).collect())
    }

    fn means(&self, offset: usize, channels: usize, over_hits: bool) -> Vec<Plane> {
        let stride = self.layout.sums;
        let mut planes = vec![Vec::with_capacity(self.window.area()); channels];
        for (record, counters) in self.pixels.sums.chunks_exact(stride).zip(&self.pixels.counters) {
            let count = f64::from(if over_hits { counters.hits } else { counters.samples }.max(1));
            for (plane, sum) in planes.iter_mut().zip(&record[offset..]) {
                plane.push((sum / count) as f32);
            }
        }
        floats(planes)
    }

    fn centre_planes<T>(&self, offset: usize, channels: usize, value: impl Fn(u32) -> T) -> Vec<Vec<T>> {
        let stride = self.layout.centre_blank.len();
        let channel =
            |c: usize| self.pixels.centre.iter().skip(offset + c).step_by(stride).map(|w| value(*w)).collect();
        (0..channels).map(channel).collect()
    }

    fn errors(&self, offset: usize) -> Vec<Plane> {
        let records = self.pixels.sums.chunks_exact(self.layout.sums).zip(&self.pixels.counters);
        let errors = records.map(|(record, counters)| estimate(&record[offset..], counters).standard_error);
        transpose(errors.map(|error| error.map(|e| e as f32)), self.window.area())
    }

    fn ranks(&self, index: usize, hash_of: &dyn Fn(u32) -> f32) -> Vec<Plane> {
        let counts = self.pixels.cryptomatte.iter().skip(index).step_by(self.layout.cryptomatte.len());
        let ranks = counts.zip(&self.pixels.counters).map(|(counts, pixel)| counts.ranks(pixel.samples, hash_of));
        transpose::<{ 2 * cryptomatte::RANKS }>(ranks, self.window.area())
    }
}

fn transpose<const N: usize>(pixels: impl Iterator<Item = [f32; N]>, count: usize) -> Vec<Plane> {
    let mut planes = vec![Vec::with_capacity(count); N];
    for values in pixels {
        planes.iter_mut().zip(values).for_each(|(plane, value)| plane.push(value));
    }
    floats(planes)
}

fn floats(planes: Vec<Vec<f32>>) -> Vec<Plane> {
    planes.into_iter().map(Plane::Float).collect()
}
