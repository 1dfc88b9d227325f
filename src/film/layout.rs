//! Where each requested AOV lives in a pixel's record: only what is asked for takes memory and time.

use std::collections::BTreeSet;

use super::accumulate::Counters;
use super::aov::{Sum, TABLE, Value, Values};
use super::cryptomatte::Counts;
use super::sample::{FirstHit, Ids};
use super::selection::AovId;
use super::sums::{PathSums, SurfaceSums};

/// A row whose values are summed.
#[derive(Clone, Copy)]
pub(super) struct Summed<T> {
    read: fn(&T) -> Sum,
    /// Where its first channel stands among the pixel's sums.
    offset: usize,
    channels: usize,
}

impl<T> Summed<T> {
    /// Adds a batch's values to a pixel's.
    pub fn add(&self, batch: &T, pixel: &mut [f64]) {
        let sums = &mut pixel[self.offset..self.offset + self.channels];
        sums.iter_mut().zip((self.read)(batch)).for_each(|(sum, value)| *sum += value);
    }
}

/// One row of the centre ray.
#[derive(Clone, Copy)]
pub(super) struct Centre {
    pub read: CentreRead,
    pub offset: usize,
}

#[derive(Clone, Copy)]
pub(super) enum CentreRead {
    Float { read: fn(&FirstHit) -> Value, channels: usize },
    Id(fn(&Ids) -> u32),
}

/// Where one AOV's values stand.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    /// Sums of values over all samples, or over hits.
    Sum { offset: usize, channels: usize, over_hits: bool },
    /// Words of the centre record: float bits.
    CentreFloat { offset: usize, channels: usize },
    /// One word of the centre record: an id.
    CentreId { offset: usize },
    /// The nine numbers of [`Layout::error`].
    Error { offset: usize },
    /// Nothing of its own: read from the counters.
    Count(fn(&Counters) -> u32),
    /// Index among the pixel's Cryptomatte counts.
    Cryptomatte { index: usize },
}

/// The record of one pixel.
#[derive(Clone, Default)]
pub(super) struct Layout {
    pub samples: Vec<Summed<PathSums>>,
    pub hits: Vec<Summed<SurfaceSums>>,
    /// (index of the light group, offset of its three sums).
    pub groups: Vec<(usize, usize)>,
    /// Offset of the batch statistics: sums of the open batch (3), mean of the closed ones (3), their M2 (3).
    pub error: Option<usize>,
    /// Numbers a pixel among the sums.
    pub sums: usize,
    pub centre: Vec<Centre>,
    /// The centre record of a pixel whose ray met nothing.
    pub centre_blank: Vec<u32>,
    pub cryptomatte: Vec<fn(&Ids) -> u32>,
    slots: Vec<(AovId, Slot)>,
}

/// Numbers of the batch statistics.
pub(super) const ERROR_SUMS: usize = 9;

impl Layout {
    /// `track_error` keeps the batch statistics even where `beauty_stderr` is not written.
    pub fn new(aovs: &[AovId], track_error: bool) -> Self {
        let mut layout = Self::default();
        // A set: an AOV that is asked for twice is stored once.
        for id in aovs.iter().copied().collect::<BTreeSet<AovId>>() {
            let slot = layout.place(id);
            layout.slots.push((id, slot));
        }
        if track_error {
            layout.error_offset();
        }
        layout
    }

    /// Memory of one pixel's record, bytes.
    pub fn bytes_per_pixel(&self) -> usize {
        size_of::<Counters>()
            + self.sums * size_of::<f64>()
            + self.centre_blank.len() * size_of::<u32>()
            + self.cryptomatte.len() * size_of::<Counts>()
    }

    /// Where an AOV stands; `None` where the film does not keep it.
    pub fn slot(&self, id: AovId) -> Option<Slot> {
        self.slots.iter().find(|(other, _)| *other == id).map(|(_, slot)| *slot)
    }

    /// The AOVs that are kept, in the order of the table.
    pub fn aovs(&self) -> impl Iterator<Item = AovId> + '_ {
        self.slots.iter().map(|(id, _)| *id)
    }

    fn place(&mut self, id: AovId) -> Slot {
        let row = match id {
            AovId::Row(index) => &TABLE[usize::from(index)],
            AovId::LightGroup(group) => return self.place_group(group),
        };
        let channels = row.channels.len();
        match row.values {
            Values::Samples(read) => {
                let offset = self.take(channels);
                self.samples.push(Summed { read, offset, channels });
                Slot::Sum { offset, channels, over_hits: false }
            }
            Values::Hits(read) => {
                let offset = self.take(channels);
                self.hits.push(Summed { read, offset, channels });
                Slot::Sum { offset, channels, over_hits: true }
            }
            Values::Centre { read, miss } => {
                let offset = self.take_centre(channels, miss.to_bits());
                self.centre.push(Centre { read: CentreRead::Float { read, channels }, offset });
                Slot::CentreFloat { offset, channels }
            }
            Values::CentreId(read) => {
                let offset = self.take_centre(1, 0);
                self.centre.push(Centre { read: CentreRead::Id(read), offset });
                Slot::CentreId { offset }
            }
            Values::StandardError => Slot::Error { offset: self.error_offset() },
            Values::Count(read) => Slot::Count(read),
            Values::Cryptomatte(read) => {
                self.cryptomatte.push(read);
                Slot::Cryptomatte { index: self.cryptomatte.len() - 1 }
            }
        }
    }

    fn place_group(&mut self, group: u16) -> Slot {
        let offset = self.take(3);
        self.groups.push((usize::from(group), offset));
        Slot::Sum { offset, channels: 3, over_hits: false }
    }

    fn take(&mut self, channels: usize) -> usize {
        let offset = self.sums;
        self.sums += channels;
        offset
    }

    fn take_centre(&mut self, words: usize, blank: u32) -> usize {
        let offset = self.centre_blank.len();
        self.centre_blank.resize(offset + words, blank);
        offset
    }

    fn error_offset(&mut self) -> usize {
        if self.error.is_none() {
            self.error = Some(self.take(ERROR_SUMS));
        }
        self.error.unwrap_or_default()
    }
}
