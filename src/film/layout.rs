//! Where each requested AOV lives in a pixel's record: only what is asked for takes memory and time.

use std::collections::BTreeSet;

use super::accumulate::Counters;
use super::aov::{TABLE, Value, Values};
use super::cryptomatte::Counts;
use super::sample::{FirstHit, Ids, PathSample};
use super::selection::AovId;

/// How a row of the table reads its values.
type Read<T> = fn(&T) -> Value;

/// Rows that are summed together: their sums stand side by side, so that one loop adds a sample to all of them.
#[derive(Clone)]
pub(super) struct Block<T> {
    /// How to read each row, and where its first channel stands within the block; ascending.
    pub rows: Vec<(Read<T>, usize)>,
    /// Offset of the block among the pixel's sums.
    pub offset: usize,
    /// Sums of the block.
    pub sums: usize,
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), offset: 0, sums: 0 }
    }
}

impl<T> Block<T> {
    fn push(&mut self, read: Read<T>, offset: usize, channels: usize) {
        if self.rows.is_empty() {
            self.offset = offset;
        }
        self.rows.push((read, self.sums));
        self.sums += channels;
    }

    /// The values of all rows, side by side.
    pub fn read(&self, from: &T) -> [f32; MAX_BLOCK] {
        let mut values = [0.0; MAX_BLOCK];
        for (read, at) in &self.rows {
            // Four at a time: what a shorter row writes too much, the next row or nobody reads.
            values[*at..*at + 4].copy_from_slice(&read(from));
        }
        values
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

/// AOVs of one block are placed one after the other.
fn block_of(id: AovId) -> u8 {
    match id.row().map(|row| row.values) {
        Some(Values::Samples(_)) => 0,
        None => 1,
        Some(Values::Hits(_)) => 2,
        Some(_) => 3,
    }
}

/// The record of one pixel.
#[derive(Clone, Default)]
pub(super) struct Layout {
    pub samples: Block<PathSample>,
    pub hits: Block<FirstHit>,
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

/// Room on the stack for the channels of a block, and for what its last row writes too much.
pub(super) const MAX_BLOCK: usize = 48;

impl Layout {
    /// `track_error` keeps the batch statistics even where `beauty_stderr` is not written.
    pub fn new(aovs: &[AovId], track_error: bool) -> Self {
        let mut layout = Self::default();
        // A set: an AOV that is asked for twice is stored once. By rule, so that blocks are contiguous.
        let ids: BTreeSet<(u8, AovId)> = aovs.iter().map(|id| (block_of(*id), *id)).collect();
        for (_, id) in ids {
            let slot = layout.place(id);
            layout.slots.push((id, slot));
        }
        layout.slots.sort_unstable_by_key(|(id, _)| *id);
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
                self.samples.push(read, offset, channels);
                Slot::Sum { offset, channels, over_hits: false }
            }
            Values::Hits(read) => {
                let offset = self.take(channels);
                self.hits.push(read, offset, channels);
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
