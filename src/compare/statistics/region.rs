//! Region sums: bias by self-normalised sums of residuals, with a bound that holds for any law of the noise.
//!
//! Two renders that differ by seed alone can be swapped pixel by pixel: given |dᵢ|, the signs of the residuals dᵢ are
//! independent and fair, whatever fireflies do. So P(|Σ aᵢ sign dᵢ| > x √Σ aᵢ²) ≤ 2 exp(−x²/2) for any weights aᵢ that a
//! swap leaves alone (Efron 1969; `law::sign_bound`). Two choices of a are tested:
//!
//! - *energy*: aᵢ = |dᵢ|, the plain sum, which a missing light moves;
//! - *weighted*: aᵢ = min(|dᵢ|/σᵢ, 4) · min(mᵢ/σᵢ, 20), near the best test of a change of brightness, deaf to fireflies.
//!   σᵢ is the pixel's noise, mᵢ the mean of test and reference.
//!
//! What rounding alone may add to a sum, always in one direction, is taken off first.

/// Residuals beyond this many σ weigh no more.
const CLIP: f64 = 4.0;

/// Signal-to-noise ratios beyond this weigh no more: a noiseless sky must not outvote the picture.
const MAX_RATIO: f64 = 20.0;

/// Sums over a region of one channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub count: f64,
    /// Σ r.
    pub reference: f64,
    /// Σ d, Σ d², and how far rounding may move Σ d.
    energy: [f64; 3],
    /// The same of the weighted statistic.
    weighted: [f64; 3],
    /// The weighted statistic of the pixels within the clip alone, its squares, and its derivative by a relative change
    /// of brightness.
    inside: [f64; 3],
}

/// One pixel of one channel.
#[derive(Clone, Copy)]
pub struct Residual {
    pub test: f64,
    pub reference: f64,
    /// One over the standard deviation of the difference, as far as it is known.
    pub inverse: f64,
    /// How far the values' storage may round the difference.
    pub rounding: f64,
}

/// A relative change with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub value: f64,
    pub error: f64,
}

impl Sums {
    pub fn add(&mut self, pixel: Residual) {
        let d = pixel.test - pixel.reference;
        self.count += 1.0;
        self.reference += pixel.reference;
        let floor = pixel.rounding.min(d.abs());
        add(&mut self.energy, d, floor);
        let inverse = pixel.inverse;
        let full = 0.5 * (pixel.test + pixel.reference) * inverse;
        let ratio = full.clamp(-MAX_RATIO, MAX_RATIO);
        let z = (d * inverse).clamp(-CLIP, CLIP);
        add(&mut self.weighted, z * ratio, (floor * inverse).min(z.abs()) * ratio.abs());
        if z.abs() < CLIP {
            add(&mut self.inside, z * ratio, full * ratio);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.reference += other.reference;
        for i in 0..3 {
            self.energy[i] += other.energy[i];
            self.weighted[i] += other.weighted[i];
            self.inside[i] += other.inside[i];
        }
    }

    /// How far the region's residuals lean to one side, signed, in units of the sum's own spread: the larger of the two
    /// statistics; of the plain sum alone where test and reference cannot be swapped, since clipping and weighting move
    /// the mean of skew noise.
    pub fn score(&self, exchangeable: bool) -> f64 {
        let (energy, weighted) = (self_normalised(&self.energy), self_normalised(&self.weighted));
        if exchangeable && weighted.abs() > energy.abs() { weighted } else { energy }
    }

    /// Mean residual with its standard error from the residuals' own spread.
    pub fn mean_difference(&self) -> Change {
        let mean = self.energy[0] / self.count.max(1.0);
        let squares = (self.energy[1] - mean * self.energy[0]).max(0.0);
        let rounding = self.energy[2] / self.count.max(1.0);
        Change { value: mean, error: (squares / (self.count * (self.count - 1.0)).max(1.0)).sqrt() + rounding }
    }

    /// The change of brightness that explains the weighted sum best; `None` where nothing bright stands out of the noise.
    pub fn brightness(&self) -> Option<Change> {
        let [sum, squares, slope] = self.inside;
        let spread = (squares - sum * sum / self.count.max(1.0)).max(0.0).sqrt();
        let rounding = self.weighted[2].min(spread);
        let change = Change { value: sum / slope, error: (spread + rounding) / slope };
        (change.value.is_finite() && change.error.is_finite()).then_some(change)
    }
}

fn add(sums: &mut [f64; 3], value: f64, third: f64) {
    sums[0] += value;
    sums[1] += value * value;
    sums[2] += third;
}

fn self_normalised([sum, squares, floor]: &[f64; 3]) -> f64 {
    let beyond = (sum.abs() - floor).max(0.0);
    if beyond > 0.0 { sum.signum() * beyond / squares.sqrt() } else { 0.0 }
}

/// Side of the small tiles, pixels.
pub const TILE: u32 = 16;

/// Side of the large tiles, in small ones: 64 pixels.
pub const GROUP: u32 = 4;

/// The sums of a picture at three sizes: tiles, groups of tiles, all of it. Holds one row of each.
pub struct Pyramid {
    channels: usize,
    width: u32,
    tiles: Vec<Sums>,
    groups: Vec<Sums>,
    whole: Vec<Sums>,
}

/// A region that is complete.
pub struct Closed<'a> {
    pub level: Level,
    /// x, y, width, height, pixels.
    pub rect: [u32; 4],
    pub channel: usize,
    pub sums: &'a Sums,
}

/// The sizes of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Tile,
    Group,
    Whole,
}

impl Pyramid {
    pub fn new(width: u32, channels: usize) -> Self {
        let across = |side: u32| width.div_ceil(side) as usize * channels;
        Self {
            channels,
            width,
            tiles: vec![Sums::default(); across(TILE)],
            groups: vec![Sums::default(); across(TILE * GROUP)],
            whole: vec![Sums::default(); channels],
        }
    }

    /// Regions of a picture, all channels: [tiles, groups, whole].
    pub fn regions(width: u32, height: u32, channels: usize) -> [u64; 3] {
        let grid = |side: u32| u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side)) * channels as u64;
        [grid(TILE), grid(TILE * GROUP), channels as u64]
    }

    /// The sums of the tiles that a row runs through: tile by tile, in each channel by channel.
    pub fn tiles(&mut self) -> &mut [Sums] {
        &mut self.tiles
    }

    /// Call after each row: hands out the regions that end with row `y`.
    pub fn end_row(&mut self, y: u32, height: u32, closed: &mut dyn FnMut(Closed)) {
        let last = y + 1 == height;
        if last || (y + 1).is_multiple_of(TILE) {
            self.close_tiles(y, closed);
        }
        if last || (y + 1).is_multiple_of(TILE * GROUP) {
            self.close_groups(y, closed);
        }
        if last {
            for (channel, sums) in self.whole.iter().enumerate() {
                closed(Closed { level: Level::Whole, rect: [0, 0, self.width, height], channel, sums });
            }
        }
    }

    fn close_tiles(&mut self, y: u32, closed: &mut dyn FnMut(Closed)) {
        for (index, sums) in self.tiles.iter_mut().enumerate() {
            let (column, channel) = (index / self.channels, index % self.channels);
            closed(Closed { level: Level::Tile, rect: rect(column, y, TILE, self.width), channel, sums });
            self.groups[column / GROUP as usize * self.channels + channel].merge(sums);
            *sums = Sums::default();
        }
    }

    fn close_groups(&mut self, y: u32, closed: &mut dyn FnMut(Closed)) {
        for (index, sums) in self.groups.iter_mut().enumerate() {
            let (column, channel) = (index / self.channels, index % self.channels);
            closed(Closed { level: Level::Group, rect: rect(column, y, TILE * GROUP, self.width), channel, sums });
            self.whole[channel].merge(sums);
            *sums = Sums::default();
        }
    }
}

fn rect(column: usize, y: u32, side: u32, width: u32) -> [u32; 4] {
    let (x, top) = (column as u32 * side, y / side * side);
    [x, top, side.min(width - x), y + 1 - top]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(values: impl Iterator<Item = (f64, f64)>, rounding: f64) -> Sums {
        let mut sums = Sums::default();
        values.for_each(|(test, reference)| sums.add(Residual { test, reference, inverse: 10.0, rounding }));
        sums
    }

    #[test]
    fn one_firefly_is_no_bias_however_bright() {
        let spike = (0..256).map(|i| (if i == 7 { 1e6 } else { 1.0 }, 1.0));
        assert!(sums(spike, 0.0).score(true).abs() <= 1.0);
    }

    #[test]
    fn a_steady_difference_scores_the_root_of_the_count() {
        let score = sums((0..256).map(|_| (1.0, 0.98)), 0.0).score(true);
        assert!((score - 16.0).abs() < 1e-9);
        assert!((sums((0..256).map(|_| (0.98, 1.0)), 0.0).score(true) + 16.0).abs() < 1e-9);
    }

    #[test]
    fn what_rounding_can_do_is_no_bias() {
        assert_eq!(sums((0..4096).map(|_| (1.0 + 1e-7, 1.0)), 1.1e-7).score(true), 0.0);
    }

    #[test]
    fn the_change_of_brightness_is_found_with_its_error() {
        let noise = |i: i32| 0.05 * f64::from(i % 7 - 3);
        let change = sums((0..700).map(|i| (1.01 + noise(i), 1.0)), 0.0).brightness().unwrap();
        assert!((change.value - 0.01).abs() < 3.0 * change.error + 1e-4 && change.error < 0.01, "{change:?}");
    }

    #[test]
    fn every_pixel_is_in_one_region_of_each_size() {
        let (width, height) = (70, 35);
        let mut pyramid = Pyramid::new(width, 2);
        let (mut area, mut regions) = ([0u64; 3], [0u64; 3]);
        for y in 0..height {
            for x in 0..width as usize {
                pyramid.tiles()[x / TILE as usize * 2 + 1].add(Residual {
                    test: 2.0,
                    reference: 1.0,
                    inverse: 1.0,
                    rounding: 0.0,
                });
            }
            pyramid.end_row(y, height, &mut |region| {
                let [_, _, w, h] = region.rect;
                let pixels = u64::from(w) * u64::from(h);
                assert_eq!(region.sums.count, if region.channel == 1 { pixels as f64 } else { 0.0 });
                area[region.level as usize] += pixels;
                regions[region.level as usize] += 1;
            });
        }
        assert_eq!(area, [70 * 35 * 2; 3]);
        assert_eq!(regions, Pyramid::regions(width, height, 2));
    }
}
