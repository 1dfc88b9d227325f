//! Choosing a direction on the sphere in proportion to a tabulated luminance.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::irradiance::IrradianceEstimate;

/// How a table divides the sphere: columns of azimuth, strips of polar angle, and cells of `block` × `block` of them.
///
/// Azimuth is 0 toward −Z and grows toward +X; the polar angle is counted from +Y.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub columns: usize,
    pub strips: usize,
    pub block: usize,
    /// Azimuth of column 0's first edge, radians.
    pub azimuth: f64,
    /// Edge `j` of the strips lies at the polar angle `(j − theta_offset) · theta_step`, limited to `0..=theta_max`.
    pub theta_step: f64,
    pub theta_offset: f64,
    pub theta_max: f64,
}

impl Grid {
    /// Cells side by side.
    pub fn cell_columns(&self) -> usize {
        self.columns.div_ceil(self.block)
    }

    /// Cells one below the other.
    pub fn cell_rows(&self) -> usize {
        self.strips.div_ceil(self.block)
    }

    /// The columns of cells `index`.
    pub fn columns_of(&self, index: usize) -> std::ops::Range<usize> {
        index * self.block..((index + 1) * self.block).min(self.columns)
    }

    /// The strips of cell row `index`.
    pub fn strips_of(&self, index: usize) -> std::ops::Range<usize> {
        index * self.block..((index + 1) * self.block).min(self.strips)
    }

    /// Polar angle of edge `j` of the strips, radians.
    pub fn theta(&self, j: f64) -> f64 {
        ((j - self.theta_offset) * self.theta_step).clamp(0.0, self.theta_max)
    }

    /// Azimuth of column coordinate `x`, radians.
    pub fn phi(&self, x: f64) -> f64 {
        self.azimuth + x / self.columns as f64 * TAU
    }

    /// Column coordinate in `0..columns` of a direction.
    fn column(&self, direction: Vec3) -> f64 {
        let turns = (azimuth(direction) - self.azimuth) / TAU;
        (turns - turns.floor()) * self.columns as f64
    }
}

/// Azimuth of a direction: 0 toward −Z, growing toward +X, radians.
pub fn azimuth(direction: Vec3) -> f64 {
    angle(f64::from(direction.x), -f64::from(direction.z))
}

/// Angle of a direction from +Y, radians; keeps its precision at the poles.
pub fn polar_angle(direction: Vec3) -> f64 {
    let [x, y, z] = direction.as_dvec3().to_array();
    angle((x * x + z * z).sqrt(), y)
}

/// `sin.atan2(cos)` to 3e-8 radians, a third of what the rounding of a direction to f32 leaves, at a quarter of its time.
///
/// Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 4.4.49.
pub fn angle(sin: f64, cos: f64) -> f64 {
    const ODD: [f64; 9] = [
        0.002_866_225_7,
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_640_0,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
        1.0,
    ];
    let (s, c) = (sin.abs(), cos.abs());
    let (low, high) = if s < c { (s, c) } else { (c, s) };
    let t = if high > 0.0 { low / high } else { 0.0 };
    let octant = t * ODD.iter().fold(0.0, |sum, coefficient| sum * (t * t) + coefficient);
    let quadrant = if s <= c { octant } else { FRAC_PI_2 - octant };
    (if cos < 0.0 { PI - quadrant } else { quadrant }).copysign(sin)
}

/// The direction (unit) of an azimuth and a polar angle.
pub fn direction(azimuth: f64, theta: f64) -> DVec3 {
    let ((sin_phi, cos_phi), (sin_theta, cos_theta)) = (azimuth.sin_cos(), theta.sin_cos());
    DVec3::new(sin_theta * sin_phi, cos_theta, -sin_theta * cos_phi)
}

/// A piecewise constant density over the sphere: a cell by its integral of luminance, then uniform in its solid angle.
///
/// Probabilities are whole multiples of 2⁻³², at least one for each cell: what is sampled and what [`Self::pdf`] says are
/// equal, and no cell's chance is lost to rounding, however bright another one is. Five to six bytes a cell.
#[derive(Clone, Debug)]
pub struct SphereTable {
    grid: Grid,
    /// Where each row's interval starts, in 2⁻³².
    rows: Vec<u32>,
    row_guide: Guide,
    /// The same for the cells of each row.
    cells: Vec<u32>,
    cell_guides: Vec<Guide>,
    /// cos θ at the rows' edges.
    heights: Vec<f64>,
}

impl SphereTable {
    /// Tabulates a luminance: `fill(row, cells)` writes the mean luminance (finite, not negative) of each cell of a row.
    /// Also returns the environment's irradiance. Linear in the number of cells.
    pub fn build(grid: Grid, fill: impl Fn(usize, &mut [f32]) + Sync) -> (Self, IrradianceEstimate) {
        let (columns, rows) = (grid.cell_columns(), grid.cell_rows());
        let edge = |row: usize| grid.theta(((row * grid.block).min(grid.strips)) as f64);
        let heights: Vec<f64> = (0..=rows).map(|row| edge(row).cos()).collect();
        let azimuths: Vec<(f64, f64)> = (0..columns).map(|c| column_centre(&grid, c).sin_cos()).collect();
        let mut cells = vec![0_u32; columns * rows];
        let summaries: Vec<(f64, IrradianceEstimate)> = cells
            .par_chunks_mut(columns)
            .enumerate()
            .map_init(
                || vec![0.0_f32; columns],
                |luminance, (row, starts)| {
                    fill(row, luminance);
                    let summary = summarise(&grid, luminance, &azimuths, (edge(row), edge(row + 1)));
                    weigh_columns(&grid, luminance);
                    quantise(luminance.iter().map(|&l| f64::from(l)), starts);
                    summary
                },
            )
            .collect();
        let mut irradiance = IrradianceEstimate::default();
        summaries.iter().for_each(|(_, row)| irradiance.merge(row));
        let mut starts = vec![0; rows];
        quantise(summaries.iter().map(|(flux, _)| *flux), &mut starts);
        let cell_guides = cells.par_chunks(columns).map(Guide::new).collect();
        (Self { grid, row_guide: Guide::new(&starts), rows: starts, cells, cell_guides, heights }, irradiance)
    }

    /// A direction for two numbers in [0, 1). Its density is [`Self::pdf`].
    pub fn sample(&self, u: [f64; 2]) -> Vec3 {
        let (row, down) = self.row_guide.find(&self.rows, u[1]);
        let (column, across) = self.cell_guides[row].find(self.row(row), u[0]);
        let range = self.grid.columns_of(column);
        let phi = self.grid.phi(range.start as f64 + across * range.len() as f64);
        let height = self.heights[row] + (self.heights[row + 1] - self.heights[row]) * down;
        // 1 − cos²θ, kept exact near the poles.
        let radius = ((1.0 - height) * (1.0 + height)).max(0.0).sqrt();
        DVec3::new(radius * phi.sin(), height, -radius * phi.cos()).as_vec3().normalize()
    }

    /// Density by solid angle with which [`Self::sample`] takes `direction` (unit); zero outside the table's strips.
    pub fn pdf(&self, direction: Vec3) -> f32 {
        let theta = polar_angle(direction);
        if theta > self.grid.theta_max {
            return 0.0;
        }
        let strip = theta / self.grid.theta_step + self.grid.theta_offset;
        let row = (strip as usize / self.grid.block).min(self.rows.len() - 1);
        let column = (self.grid.column(direction) as usize / self.grid.block).min(self.grid.cell_columns() - 1);
        let probability = interval(&self.rows, row) * interval(self.row(row), column);
        let width = TAU * self.grid.columns_of(column).len() as f64 / self.grid.columns as f64;
        (probability / (width * (self.heights[row] - self.heights[row + 1]))) as f32
    }

    fn row(&self, row: usize) -> &[u32] {
        let columns = self.grid.cell_columns();
        &self.cells[row * columns..(row + 1) * columns]
    }
}

fn column_centre(grid: &Grid, column: usize) -> f64 {
    let range = grid.columns_of(column);
    grid.phi(0.5 * (range.start + range.end) as f64)
}

/// Flux of a row, and its light by direction.
fn summarise(
    grid: &Grid,
    luminance: &[f32],
    azimuths: &[(f64, f64)],
    (top, bottom): (f64, f64),
) -> (f64, IrradianceEstimate) {
    let mut irradiance = IrradianceEstimate::default();
    let mut flux = 0.0;
    let strip = top.cos() - bottom.cos();
    let (sin_theta, cos_theta) = (0.5 * (top + bottom)).sin_cos();
    for (column, (&l, &(sin_phi, cos_phi))) in luminance.iter().zip(azimuths).enumerate() {
        let width = TAU * grid.columns_of(column).len() as f64 / grid.columns as f64;
        let cell = f64::from(l) * width * strip;
        irradiance.add(DVec3::new(sin_theta * sin_phi, cos_theta, -sin_theta * cos_phi), cell);
        flux += cell;
    }
    (flux, irradiance)
}

/// Only the last cell of a row may be narrower than the others.
fn weigh_columns(grid: &Grid, luminance: &mut [f32]) {
    let last = grid.columns_of(luminance.len() - 1).len();
    if let Some(l) = luminance.last_mut() {
        *l *= last as f32 / grid.block as f32;
    }
}

/// 2³², the whole of a distribution.
const WHOLE: f64 = 4_294_967_296.0;

/// Writes where each weight's interval starts, in 2⁻³²; each is at least one long. Equal intervals where all weigh nothing.
fn quantise(weights: impl Iterator<Item = f64> + Clone, starts: &mut [u32]) {
    let total: f64 = weights.clone().sum();
    let free = WHOLE - starts.len() as f64;
    let even = 1.0 / starts.len() as f64;
    let mut before = 0.0;
    for (i, (start, weight)) in starts.iter_mut().zip(weights).enumerate() {
        *start = ((before * free).min(free) as u64 + i as u64) as u32;
        before += if total > 0.0 { weight / total } else { even };
    }
}

/// The probability of interval `index`.
fn interval(starts: &[u32], index: usize) -> f64 {
    let end = starts.get(index + 1).map_or(WHOLE, |&end| f64::from(end));
    (end - f64::from(starts[index])) / WHOLE
}

/// Where to begin a search: the interval that each of some equal parts of 0..1 begins in (Chen and Asau, "On Generating
/// Random Variates from an Empirical Distribution", AIIE Transactions 6(2), 1974).
#[derive(Clone, Debug)]
struct Guide {
    /// One a part, and the last interval.
    first: Vec<u32>,
    /// 2⁻³² of `u` → part.
    shift: u32,
}

impl Guide {
    /// A part for about four intervals.
    fn new(starts: &[u32]) -> Self {
        let parts = (starts.len() / 4).max(2).next_power_of_two();
        let shift = 32 - parts.ilog2();
        let mut first = Vec::with_capacity(parts + 1);
        let mut interval = 0;
        for part in 0..parts as u64 {
            while starts.get(interval + 1).is_some_and(|&start| u64::from(start) <= part << shift) {
                interval += 1;
            }
            first.push(interval as u32);
        }
        first.push(starts.len() as u32 - 1);
        Self { first, shift }
    }

    /// The interval of `u` in [0, 1), and the place inside it (0..1).
    fn find(&self, starts: &[u32], u: f64) -> (usize, f64) {
        let u = u * WHOLE;
        let part = (u as u32 >> self.shift) as usize;
        let [low, high] = [self.first[part] as usize, self.first[part + 1] as usize];
        let index = low + starts[low + 1..=high].partition_point(|&start| start <= u as u32);
        let start = f64::from(starts[index]);
        (index, ((u - start) / (interval(starts, index) * WHOLE)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_interval_is_lost_beside_a_huge_one() {
        let weights = [1e-30, 1e30, 0.0, 1e-30];
        let mut starts = [0; 4];
        quantise(weights.into_iter(), &mut starts);
        let sum: f64 = (0..4).map(|i| interval(&starts, i)).sum();
        assert_eq!(sum, 1.0);
        assert!((0..4).all(|i| interval(&starts, i) > 0.0), "{starts:?}");
        let guide = Guide::new(&starts);
        assert_eq!(guide.find(&starts, 0.5).0, 1);
        assert_eq!(guide.find(&starts, 1.0 - f64::EPSILON).0, 3);
    }

    #[test]
    fn guides_find_what_a_search_of_all_finds() {
        for count in [1, 2, 3, 7, 100, 513] {
            for sharpness in [0, 1, 8, 40] {
                let weight = |i: usize| (0.1 + (i as f64 * 0.618_034).fract()).powi(sharpness);
                let mut starts = vec![0; count];
                quantise((0..count).map(weight), &mut starts);
                let guide = Guide::new(&starts);
                let edges =
                    starts.iter().flat_map(|&start| [f64::from(start) / WHOLE, (f64::from(start) - 0.5) / WHOLE]);
                for u in edges.chain((0..1000).map(|i| i as f64 / 1000.0)).chain([1.0 - f64::EPSILON]) {
                    let u = u.max(0.0);
                    let all = starts.partition_point(|&start| f64::from(start) <= u * WHOLE) - 1;
                    let (index, place) = guide.find(&starts, u);
                    assert_eq!(index, all, "{u} among {count}");
                    assert!((0.0..=1.0).contains(&place));
                }
            }
        }
    }

    #[test]
    fn angles_are_those_of_atan2() {
        for i in 0..10_000 {
            let (sin, cos) = (f64::from(i) * 0.001 - 5.0005).sin_cos();
            assert!((angle(sin, cos) - sin.atan2(cos)).abs() < 3e-8);
            assert!((angle(sin * 1e-6, cos) / (sin * 1e-6).atan2(cos) - 1.0).abs() < 3e-8);
        }
        assert_eq!([angle(0.0, 1.0), angle(1.0, 0.0), angle(0.0, 0.0)], [0.0, FRAC_PI_2, 0.0]);
        assert_eq!([angle(0.0, -1.0), angle(-0.0, -1.0)], [PI, -PI]);
    }

    #[test]
    fn nothing_at_all_is_divided_evenly() {
        let mut starts = [0; 3];
        quantise([0.0; 3].into_iter(), &mut starts);
        assert!((0..3).all(|i| (interval(&starts, i) - 1.0 / 3.0).abs() < 1e-6));
    }

    #[test]
    fn angles_and_directions_are_inverse() {
        for (phi, theta) in [(0.0, 1.0), (2.0, 0.001), (-3.0, 3.1)] {
            let d = direction(phi, theta).as_vec3();
            assert!((azimuth(d) - phi).abs() < 1e-4 && (polar_angle(d) - theta).abs() < 1e-6);
        }
    }
}
