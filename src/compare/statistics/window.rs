//! Rolling windows: what a pixel's neighbours say about its noise and its range, from the last five rows.
//!
//! Memory is a few rows, whatever the height. Rows are interleaved, so neighbours in x stand `channels` apart; the sums
//! run along whole rows and vectorise.

use std::collections::VecDeque;

/// Rows and columns on each side that lend their noise: a 5×5 window.
pub const REACH: usize = 2;

/// One row as it came, with what the windows need of it. All lists have width × channels values.
#[derive(Clone, Default)]
pub struct Row {
    pub test: Vec<f32>,
    pub reference: Vec<f32>,
    /// Squared standard error of the difference; 0 where it is not known.
    pub variance: Vec<f32>,
    /// 1 where `variance` is known, else 0.
    pub known: Vec<f32>,
    /// |test − reference|; 0 where one of them is not finite.
    pub spread: Vec<f32>,
    /// 1 where both values are finite, else 0.
    pub finite: Vec<f32>,
}

impl Row {
    /// Fills the row. Errors are standard errors; one that is negative, NaN or infinite is not known.
    pub fn fill(&mut self, test: &[f32], reference: &[f32], test_se: Option<&[f32]>, reference_se: Option<&[f32]>) {
        copy(&mut self.test, test);
        copy(&mut self.reference, reference);
        self.spread.clear();
        self.spread.extend(test.iter().zip(reference).map(|(t, r)| finite_or_zero((t - r).abs())));
        self.finite.clear();
        self.finite.extend(test.iter().zip(reference).map(|(t, r)| f32::from(u8::from((t - r).is_finite()))));
        self.fill_variance(test.len(), test_se, reference_se);
    }

    fn fill_variance(&mut self, count: usize, test_se: Option<&[f32]>, reference_se: Option<&[f32]>) {
        let any = test_se.is_some() || reference_se.is_some();
        self.variance.clear();
        self.variance.resize(count, if any { 0.0 } else { f32::NAN });
        for errors in [test_se, reference_se].into_iter().flatten() {
            let add = |(sum, error): (&mut f32, &f32)| *sum += if *error >= 0.0 { error * error } else { f32::NAN };
            self.variance.iter_mut().zip(errors).for_each(add);
        }
        self.known.clear();
        self.known.extend(self.variance.iter().zip(&self.finite).map(|(v, f)| if v.is_finite() { *f } else { 0.0 }));
        self.variance.iter_mut().zip(&self.known).for_each(|(v, known)| *v = if *known > 0.0 { *v } else { 0.0 });
    }
}

fn copy(into: &mut Vec<f32>, from: &[f32]) {
    into.clear();
    into.extend_from_slice(from);
}

fn finite_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

/// What the neighbours of one row say; each list has width × channels values.
#[derive(Default)]
pub struct Neighbours {
    /// Mean squared standard error of the known pixels of the 5×5 window; 0 where none is known.
    pub variance: Vec<f32>,
    /// Mean |test − reference| of the finite pixels of the 5×5 window.
    pub spread: Vec<f32>,
    /// Least and largest finite value of the 3×3 window of the reference.
    pub range: [Vec<f32>; 2],
    column: Vec<f32>,
    weight: Vec<f32>,
    total: Vec<f32>,
    sum: Vec<f32>,
}

impl Neighbours {
    /// Means over the 5×5 window. `rows` are those within [`REACH`] of the row, fewer at the picture's edge.
    pub fn pool(&mut self, rows: &VecDeque<Row>, channels: usize, errors: bool) {
        if errors {
            self.mean(rows, channels, |row| (&row.variance, &row.known));
            std::mem::swap(&mut self.total, &mut self.variance);
        }
        self.mean(rows, channels, |row| (&row.spread, &row.finite));
        std::mem::swap(&mut self.total, &mut self.spread);
    }

    /// Puts the weighted mean of each window into `total`.
    fn mean(&mut self, rows: &VecDeque<Row>, channels: usize, part: impl Fn(&Row) -> (&Vec<f32>, &Vec<f32>)) {
        let count = rows[0].test.len();
        let margin = REACH * channels;
        zeros(&mut self.column, count + 2 * margin);
        zeros(&mut self.weight, count + 2 * margin);
        for row in rows {
            let (values, weights) = part(row);
            self.column[margin..].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            self.weight[margin..].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        // Zeros on both sides: every pixel has five columns, straight loops add them.
        across(&self.column, count, channels, &mut self.total);
        across(&self.weight, count, channels, &mut self.sum);
        self.total.iter_mut().zip(&self.sum).for_each(|(sum, weight)| *sum /= weight.max(1.0));
    }

    /// Ranges of the 3×3 windows of the middle one of `rows` (two or three rows, one in a picture of one row).
    pub fn ranges<'a>(&mut self, rows: impl Iterator<Item = &'a Row> + Clone, channels: usize) {
        let [low, high] = &mut self.range;
        range(low, &mut self.column, rows.clone().map(|row| &row.reference), channels, f32::INFINITY, f32::min);
        range(high, &mut self.column, rows.map(|row| &row.reference), channels, f32::NEG_INFINITY, f32::max);
    }
}

fn zeros(list: &mut Vec<f32>, count: usize) {
    list.clear();
    list.resize(count, 0.0);
}

/// Sums of five neighbours of a row that has [`REACH`] pixels of zeros on both sides.
fn across(widened: &[f32], count: usize, channels: usize, into: &mut Vec<f32>) {
    zeros(into, count);
    for tap in 0..=2 * REACH {
        into.iter_mut().zip(&widened[tap * channels..]).for_each(|(sum, value)| *sum += value);
    }
}

fn range<'a>(
    into: &mut Vec<f32>,
    column: &mut Vec<f32>,
    rows: impl Iterator<Item = &'a Vec<f32>>,
    channels: usize,
    start: f32,
    pick: fn(f32, f32) -> f32,
) {
    column.clear();
    for row in rows {
        column.resize(row.len(), start);
        column.iter_mut().zip(row).for_each(|(best, v)| *best = pick(*best, if v.is_finite() { *v } else { start }));
    }
    let count = column.len();
    into.clear();
    into.extend((0..count).map(|i| {
        let left = if i >= channels { column[i - channels] } else { start };
        let right = if i + channels < count { column[i + channels] } else { start };
        pick(column[i], pick(left, right))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[&[f32]]) -> VecDeque<Row> {
        let row = |test: &&[f32]| {
            let mut row = Row::default();
            row.fill(&vec![0.0; test.len()], test, Some(&vec![2.0; test.len()]), None);
            row
        };
        values.iter().map(row).collect()
    }

    #[test]
    fn means_are_over_the_pixels_that_exist_and_channels_do_not_mix() {
        let mut around = Neighbours::default();
        // Two channels, three pixels, two rows.
        around.pool(&rows(&[&[1.0, 10.0, 2.0, 20.0, 3.0, 30.0], &[4.0, 40.0, 5.0, 50.0, 6.0, 60.0]]), 2, true);
        assert_eq!(around.spread, [3.5, 35.0, 3.5, 35.0, 3.5, 35.0]);
        assert!(around.variance.iter().all(|v| *v == 4.0));
    }

    #[test]
    fn what_is_not_finite_lends_nothing() {
        let mut around = Neighbours::default();
        let rows = rows(&[&[1.0, f32::NAN, 3.0, f32::INFINITY, 5.0]]);
        around.pool(&rows, 1, true);
        assert_eq!(around.spread, [2.0, 2.0, 3.0, 4.0, 4.0]);
        around.ranges(rows.iter(), 1);
        assert_eq!(around.range[0], [1.0, 1.0, 3.0, 3.0, 5.0]);
        assert_eq!(around.range[1], [1.0, 3.0, 3.0, 5.0, 5.0]);
    }

    #[test]
    fn an_error_that_is_no_error_is_not_known() {
        let mut row = Row::default();
        let errors = [0.5, f32::INFINITY, f32::NAN, -1.0];
        row.fill(&[0.0; 4], &[0.0; 4], Some(&errors), Some(&[1.0; 4]));
        assert_eq!(row.known, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(row.variance, [1.25, 0.0, 0.0, 0.0]);
    }
}
