//! One row of one AOV of one picture, its compared channels only.

use std::borrow::Cow;

use super::plane::{Rows, Samples};

/// Interleaved values of a row.
pub enum Line<'a> {
    Float(Cow<'a, [f32]>),
    Uint(Cow<'a, [u32]>),
}

impl<'a> Line<'a> {
    /// Row `y` from column `x` on, `width` pixels, channels `places`. Panics outside of the rows.
    pub fn of(rows: &'a Rows, y: i32, x: i32, width: usize, places: &[usize]) -> Self {
        let start = rows.range(y).start + (x - rows.rect.x) as usize * rows.channels;
        let range = start..start + width * rows.channels;
        match &rows.samples {
            Samples::Float(values) => Self::Float(chosen(&values[range], rows.channels, places)),
            Samples::Uint(values) => Self::Uint(chosen(&values[range], rows.channels, places)),
        }
    }

    /// As floats, ids rounded.
    pub fn floats(&self) -> Cow<'_, [f32]> {
        match self {
            Self::Float(values) => Cow::Borrowed(values),
            Self::Uint(values) => values.iter().map(|value| *value as f32).collect(),
        }
    }
}

/// Borrowed where all channels are taken in their order.
fn chosen<'a, T: Copy>(values: &'a [T], channels: usize, places: &[usize]) -> Cow<'a, [T]> {
    match places.len() == channels && places.iter().enumerate().all(|(index, place)| index == *place) {
        true => Cow::Borrowed(values),
        false => {
            let pixels = values.chunks_exact(channels);
            Cow::Owned(pixels.flat_map(|pixel| places.iter().map(|place| pixel[*place])).collect())
        }
    }
}
