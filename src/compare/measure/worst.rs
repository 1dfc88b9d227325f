//! The ten worst pixels.

use super::Value;
use crate::compare::plane::{Rows, Samples};

const KEPT: usize = 10;

/// The AOVs whose ids name a pixel: instance, material, object, where a picture has them.
pub const LABELS: [&str; 3] = ["instance", "material", "object"];

/// The id rows of the current band.
#[derive(Clone, Copy, Default)]
pub struct Labels<'a>(pub [Option<&'a Rows>; 3]);

impl Labels<'_> {
    fn ids(&self, x: i32, y: i32) -> [u32; 3] {
        self.0.map(|rows| {
            let id = rows.and_then(|rows| match &rows.samples {
                Samples::Uint(ids) => ids.get(rows.rect.index(x, y)? * rows.channels).copied(),
                Samples::Float(_) => None,
            });
            id.unwrap_or(0)
        })
    }
}

/// A pixel of large error.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// |t − r|, degrees, or 1 for ids; +inf where only one value is finite.
    pub error: f64,
    pub x: i32,
    pub y: i32,
    /// The channel of the largest difference, and its values.
    pub channel: usize,
    pub test: f64,
    pub reference: f64,
    /// Ids by [`LABELS`]; 0: none.
    pub ids: [u32; 3],
}

/// The worst so far, worst first; of equal errors the first in reading order.
#[derive(Default)]
pub struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Whether a pixel of this error would be kept. Pixels come in reading order.
    pub fn wants(&self, error: f64) -> bool {
        self.0.len() < KEPT || self.0.last().is_some_and(|last| error > last.error)
    }

    pub fn put<T: Value, R: Value>(
        &mut self,
        error: f64,
        x: i32,
        y: i32,
        test: &[T],
        reference: &[R],
        labels: &Labels,
    ) {
        let pairs = test.iter().zip(reference).map(|(t, r)| (t.number(), r.number()));
        let size = |t: f64, r: f64| match (t - r).abs() {
            _ if t == r || (t.is_nan() && r.is_nan()) => 0.0,
            d if d.is_nan() => f64::INFINITY,
            d => d,
        };
        let largest =
            pairs.enumerate().max_by(|(i, a), (j, b)| size(a.0, a.1).total_cmp(&size(b.0, b.1)).then(j.cmp(i)));
        let Some((channel, (test, reference))) = largest else { return };
        let place = self.0.partition_point(|kept| kept.error >= error);
        self.0.insert(place, Candidate { error, x, y, channel, test, reference, ids: labels.ids(x, y) });
        self.0.truncate(KEPT);
    }

    pub fn list(&self) -> &[Candidate] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_are_kept_in_order_and_ties_go_to_the_first() {
        let mut worst = Candidates::default();
        for (x, error) in (0..30).map(|x| (x, f64::from(x % 7))) {
            if worst.wants(error) {
                worst.put(error, x, 0, &[error as f32, 0.0], &[0.0f32, 0.0], &Labels::default());
            }
        }
        let kept: Vec<(i32, f64)> = worst.list().iter().map(|kept| (kept.x, kept.error)).collect();
        let expected =
            [(6, 6.0), (13, 6.0), (20, 6.0), (27, 6.0), (5, 5.0), (12, 5.0), (19, 5.0), (26, 5.0), (4, 4.0), (11, 4.0)];
        assert_eq!(kept, expected);
        assert_eq!((worst.list()[0].channel, worst.list()[0].test), (0, 6.0));
    }
}
