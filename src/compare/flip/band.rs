//! ꟻLIP of a band of rows: filters, colour difference, feature difference, error.
//!
//! A band carries the rows within reach of the filters above and below, so bands need nothing of each other: memory is a
//! band a thread, and every thread's numbers are the same however many there are.

use super::colour::{from_opponent, hunt_lab, hyab, opponent};
use super::filter::Filters;

/// Rows of a band.
pub const ROWS: usize = 64;

/// Exponent of the colour difference, the share of the largest difference that is mapped to `BEND_AT`, and that.
const COLOUR_EXPONENT: f32 = 0.7;
const BEND: f32 = 0.4;
const BEND_AT: f32 = 0.95;

/// Exponent of the feature difference.
const FEATURE_EXPONENT: f32 = 0.5;

/// What one picture's rows are after filtering across: Y, Cx, Cz twice, and Y smoothed, its edges, its points.
const PLANES: usize = 7;

/// The memory of one thread.
pub struct Band {
    width: usize,
    /// First row that the planes hold, and how many.
    first: usize,
    rows: usize,
    sides: [[Vec<f32>; PLANES]; 2],
    widened: [Vec<f32>; 3],
    filtered: [Filtered; 2],
}

/// One row of one picture, filtered both ways: Y, Cx, Cz, and Y's edges and points in x and y.
struct Filtered {
    opponent: [Vec<f32>; 3],
    more_cz: Vec<f32>,
    features: [Vec<f32>; 4],
}

/// A picture and how its values become linear display values 0..1.
#[derive(Clone, Copy)]
pub struct View<'a, F> {
    /// Interleaved RGB.
    pub values: &'a [f32],
    pub display: F,
}

impl Band {
    pub fn new(width: usize, height: usize, filters: &Filters) -> Self {
        let rows = height.min(ROWS + 2 * filters.radius());
        let plane = || vec![0.0; width * rows];
        let row = || vec![0.0; width];
        let filtered =
            || Filtered { opponent: [row(), row(), row()], more_cz: row(), features: [row(), row(), row(), row()] };
        Self {
            width,
            first: 0,
            rows: 0,
            sides: std::array::from_fn(|_| std::array::from_fn(|_| plane())),
            widened: std::array::from_fn(|_| vec![0.0; width + 2 * filters.radius()]),
            filtered: [filtered(), filtered()],
        }
    }

    /// Filters the rows that rows `from..to` of a picture of `height` rows need, across. `side`: 0 reference, 1 test.
    pub fn load<F: Fn([f32; 3]) -> [f32; 3]>(
        &mut self,
        side: usize,
        view: View<F>,
        from: usize,
        to: usize,
        height: usize,
        filters: &Filters,
    ) {
        let reach = filters.radius();
        self.first = from.saturating_sub(reach);
        self.rows = (to + reach).min(height) - self.first;
        for row in 0..self.rows {
            let values = &view.values[(self.first + row) * self.width * 3..][..self.width * 3];
            self.widen(values, &view.display, reach);
            self.across(side, row, filters);
        }
    }

    /// Converts a row and repeats its ends.
    fn widen(&mut self, values: &[f32], display: &impl Fn([f32; 3]) -> [f32; 3], reach: usize) {
        for (x, rgb) in values.chunks_exact(3).enumerate() {
            let converted = opponent(display([rgb[0], rgb[1], rgb[2]]));
            self.widened.iter_mut().zip(converted).for_each(|(row, value)| row[reach + x] = value);
        }
        for row in &mut self.widened {
            let (left, right) = (row[reach], row[reach + self.width - 1]);
            row[..reach].fill(left);
            row[reach + self.width..].fill(right);
        }
    }

    fn across(&mut self, side: usize, row: usize, filters: &Filters) {
        let (reach, at) = (filters.radius(), row * self.width..(row + 1) * self.width);
        let [y, cx, cz] = &self.widened;
        let jobs = [
            (&filters.y, y),
            (&filters.cx, cx),
            (&filters.cz[0], cz),
            (&filters.cz[1], cz),
            (&filters.smooth, y),
            (&filters.edge, y),
            (&filters.point, y),
        ];
        for (plane, (kernel, widened)) in self.sides[side].iter_mut().zip(jobs) {
            kernel.across(widened, reach, &mut plane[at.clone()]);
        }
    }

    /// The errors of row `y`, which the loaded rows surround.
    pub fn errors(&mut self, y: usize, height: usize, filters: &Filters, mut put: impl FnMut(usize, f32)) {
        for side in 0..2 {
            self.along(side, y, height, filters);
        }
        let [reference, test] = &self.filtered;
        for x in 0..self.width {
            let difference = colour_difference(reference.colour(x), test.colour(x));
            let ([edge_r, point_r], [edge_t, point_t]) = (reference.feature(x), test.feature(x));
            let strongest = (edge_r - edge_t).abs().max((point_r - point_t).abs());
            let feature = (std::f32::consts::FRAC_1_SQRT_2 * strongest).powf(FEATURE_EXPONENT);
            put(x, difference.powf(1.0 - feature));
        }
    }

    fn along(&mut self, side: usize, y: usize, height: usize, filters: &Filters) {
        let (width, first) = (self.width, self.first);
        let planes = &self.sides[side];
        let row = |plane: usize| {
            let values = &planes[plane];
            move |offset: isize| {
                let row = (y as isize + offset).clamp(0, height as isize - 1) as usize - first;
                &values[row * width..][..width]
            }
        };
        let Filtered { opponent: [luma, cx, cz], more_cz, features } = &mut self.filtered[side];
        filters.y.along(row(0), luma);
        filters.cx.along(row(1), cx);
        filters.cz[0].along(row(2), cz);
        filters.cz[1].along(row(3), more_cz);
        cz.iter_mut().zip(&*more_cz).for_each(|(sum, more)| *sum += more);
        let [edge_x, edge_y, point_x, point_y] = features;
        filters.smooth.along(row(5), edge_x);
        filters.edge.along(row(4), edge_y);
        filters.smooth.along(row(6), point_x);
        filters.point.along(row(4), point_y);
    }
}

impl Filtered {
    /// What the eye sees of a pixel's colour at this distance.
    fn colour(&self, x: usize) -> [f32; 3] {
        let [y, cx, cz] = &self.opponent;
        hunt_lab(from_opponent([y[x], cx[x], cz[x]]).map(|v| v.clamp(0.0, 1.0)))
    }

    /// Strength of edge and point; luma 0..1.
    fn feature(&self, x: usize) -> [f32; 2] {
        let [edge_x, edge_y, point_x, point_y] = &self.features;
        [edge_x[x].hypot(edge_y[x]) / 116.0, point_x[x].hypot(point_y[x]) / 116.0]
    }
}

/// 0..1; 1 is the distance of green and blue.
fn colour_difference(reference: [f32; 3], test: [f32; 3]) -> f32 {
    let largest = largest_difference();
    let (distance, bend) = (hyab(reference, test).powf(COLOUR_EXPONENT), BEND * largest);
    match distance < bend {
        true => distance * (BEND_AT / bend),
        false => BEND_AT + (distance - bend) / (largest - bend) * (1.0 - BEND_AT),
    }
}

/// The colour difference of the farthest pair of display colours.
fn largest_difference() -> f32 {
    static LARGEST: std::sync::LazyLock<f32> =
        std::sync::LazyLock::new(|| hyab(hunt_lab([0.0, 1.0, 0.0]), hunt_lab([0.0, 0.0, 1.0])).powf(COLOUR_EXPONENT));
    *LARGEST
}
