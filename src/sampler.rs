//! (seed, pixel, sample, dimension) → number.
//!
//! A pixel's samples are Owen-scrambled digital nets in batches of [`BATCH`], each batch scrambled by itself. Batches
//! are therefore independent and equally distributed: more samples are more batches, so that a render can be extended
//! bit for bit, and the spread of the batch means is an unbiased standard error (Owen, "Randomly permuted (t,m,s)-nets
//! and (t,s)-sequences", 1995).
//!
//! Dimensions come in *sets* of four. Every set is the same four-dimensional net, shuffled and scrambled by random bits of
//! its own ("padding": Burley, "Practical Hash-based Owen Scrambling", JCGT 9(4), 2020). Of a batch's 16 points, every
//! two of a set's dimensions are a (0, 4, 2)-net: one point in each elementary interval; of the first four dimensions of
//! Sobol's sequence that holds for two pairs only. Padding has no last dimension either: a path may be as long as it likes.
//!
//! With 16 points, Owen's scrambling needs no approximation: the 15 flips of a tree of four levels permute an axis's 16
//! strata, and below them each point is alone, so that its other digits are plain random ones.

/// Samples in a batch. A power of two, for the nets. 16 gives the 4 × 4 strata (and 16 × 1, 8 × 2, …) from which most
/// of the gain comes at the sample counts of a still, and leaves enough batches (16 at 256 samples) to estimate the error
/// of a pixel from.
pub const BATCH: u32 = 16;

/// The random numbers of one sample of one pixel, in sets of up to four.
///
/// Every `next_…` call takes one set, whatever it uses of it. Code that may or may not take numbers jumps to fixed sets
/// by [`Sampler::dimension`], so that what follows keeps its dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// Hash of seed, pixel and batch.
    batch_key: u64,
    /// Index in the batch.
    index: u32,
    set: u32,
}

impl Sampler {
    /// At set 0 of sample `sample` (from 0, in rendering order) of `pixel` (image coordinates, may be negative: overscan).
    pub fn new(seed: u64, pixel: [i32; 2], sample: u32) -> Self {
        let pixel = u64::from(pixel[0] as u32) << 32 | u64::from(pixel[1] as u32);
        let batch_key = mix(mix(mix(seed) ^ pixel) ^ u64::from(sample / BATCH));
        Self { batch_key, index: sample % BATCH, set: 0 }
    }

    /// Jumps to `set`, which the next call takes.
    pub fn dimension(&mut self, set: u32) -> &mut Self {
        self.set = set;
        self
    }

    /// One number in [0, 1). Stratified over the batch in 16 strata.
    pub fn next_1d(&mut self) -> f32 {
        self.next_4d()[0]
    }

    /// Two numbers in [0, 1). Stratified over the batch as a (0, 4, 2)-net.
    pub fn next_2d(&mut self) -> [f32; 2] {
        let [a, b, ..] = self.next_4d();
        [a, b]
    }

    /// Four numbers in [0, 1), whole multiples of 2⁻²⁴, every two of which are stratified over the batch as a
    /// (0, 4, 2)-net.
    pub fn next_4d(&mut self) -> [f32; 4] {
        let key = mix(self.batch_key ^ u64::from(self.set));
        self.set = self.set.wrapping_add(1);
        // SplitMix64 from `key` on: one number of the set, two of the point.
        let number = |step: u64| mix(key.wrapping_add(step.wrapping_mul(GAMMA)));
        let point = POINTS[scramble(self.index, number(0) as u32) as usize];
        let step = 1 + 2 * u64::from(self.index);
        let (low, high) = (number(step), number(step + 1));
        let below = [low, low >> 32, high, high >> 32];
        std::array::from_fn(|axis| {
            let stratum = scramble(point[axis].into(), (key >> (15 * axis)) as u32);
            let digits = stratum << 20 | below[axis] as u32 & 0xf_ffff;
            digits as i32 as f32 * (1.0 / 16_777_216.0)
        })
    }
}

/// Generator matrices of the net, a row a digit from the most significant on; bit `k` of a row weighs bit `k` of the
/// index. The first is van der Corput's. All are upper triangular, so that the first 2, 4 and 8 points are stratified too.
/// Among all such matrices these were found by trying them: they make a (0, 4, 2)-net of every two dimensions, and stratify
/// the most boxes in three.
const GENERATORS: [[u32; 4]; 4] = [[1, 2, 4, 8], [13, 10, 4, 8], [15, 6, 12, 8], [11, 14, 12, 8]];

/// The net's points, in 1/16.
static POINTS: [[u8; 4]; BATCH as usize] = points();

const fn points() -> [[u8; 4]; BATCH as usize] {
    let mut points = [[0; 4]; BATCH as usize];
    let mut place = 0;
    while place < 16 * BATCH {
        let (index, axis, digit) = (place / 16, place as usize / 4 % 4, place as usize % 4);
        let value = (GENERATORS[axis][digit] & index).count_ones() & 1;
        points[index as usize][axis] |= (value << (3 - digit)) as u8;
        place += 1;
    }
    points
}

/// A nested permutation of 0..16, as 15 random `bits` choose it: each of a number's four digits is flipped or not by the
/// bit of its place in the binary tree, that is, by the digits before it.
fn scramble(x: u32, bits: u32) -> u32 {
    let flip = |level: u32, before: u32| (bits >> ((1 << level) - 1 + before) & 1) << (3 - level);
    x ^ (flip(0, 0) | flip(1, x >> 3) | flip(2, x >> 2) | flip(3, x >> 1))
}

/// The step of SplitMix64's sequence.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64 bits that looks random: a step of SplitMix64 (Steele et al., "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014; constants: Stafford's variant 13).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(GAMMA);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests;
