//! Pixels of one AOV in memory: whole ([`Plane`]) or a band of rows ([`Rows`]).

use crate::film::Rect;

/// One AOV of one picture: `height` rows of `width` pixels of `channels` interleaved values, first row on top.
///
/// For measures that need neighbours and for showing. Ids above 2²⁴ are rounded here; comparisons of ids use [`Rows`].
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    pub width: usize,
    pub height: usize,
    pub channels: usize,
    /// `width · height · channels` values.
    pub values: Vec<f32>,
}

impl Plane {
    /// A plane of zeros.
    pub fn new(width: usize, height: usize, channels: usize) -> Self {
        Self { width, height, channels, values: vec![0.0; width * height * channels] }
    }

    /// The values of row `y`, `width · channels` of them. Panics outside.
    pub fn row(&self, y: usize) -> &[f32] {
        let length = self.width * self.channels;
        &self.values[y * length..][..length]
    }

    /// The channels of one pixel. Panics outside.
    pub fn pixel(&self, x: usize, y: usize) -> &[f32] {
        &self.values[(y * self.width + x) * self.channels..][..self.channels]
    }
}

/// Values as a file stores them: halves and floats as float, ids exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    Float(Vec<f32>),
    /// Never through a float: ids above 2²⁴ stay what they are.
    Uint(Vec<u32>),
}

/// A rectangle of rows of one AOV, interleaved, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Image coordinates.
    pub rect: Rect,
    pub channels: usize,
    /// `rect.area() · channels` values.
    pub samples: Samples,
}

impl Rows {
    /// Zeros; `uint` for ids.
    pub fn new(rect: Rect, channels: usize, uint: bool) -> Self {
        let length = rect.area() * channels;
        let samples = if uint { Samples::Uint(vec![0; length]) } else { Samples::Float(vec![0.0; length]) };
        Self { rect, channels, samples }
    }

    /// The values of the row at image coordinate `y`; ids rounded to float. Panics outside.
    pub fn floats(&self, y: i32) -> std::borrow::Cow<'_, [f32]> {
        let range = self.range(y);
        match &self.samples {
            Samples::Float(values) => values[range].into(),
            Samples::Uint(values) => values[range].iter().map(|value| *value as f32).collect::<Vec<_>>().into(),
        }
    }

    /// Where the row at image coordinate `y` lies among the values.
    pub fn range(&self, y: i32) -> std::ops::Range<usize> {
        let length = self.rect.width as usize * self.channels;
        let start = (y - self.rect.y) as usize * length;
        start..start + length
    }
}
