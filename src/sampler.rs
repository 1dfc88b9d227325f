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

/// Sets whose scrambling a sampler remembers from one sample of a batch to the next: the camera's and seven vertices'.
const KEPT: usize = 16;

/// The random numbers of one sample of one pixel, in sets of up to four.
///
/// Every `next_…` call takes one set, whatever it uses of it. Code that may or may not take numbers jumps to fixed sets
/// by [`Sampler::dimension`], so that what follows keeps its dimensions.
#[derive(Clone, Debug)]
pub struct Sampler {
    seed_and_pixel: u64,
    batch: u32,
    /// Hash of seed, pixel and batch.
    batch_key: u64,
    /// Index in the batch.
    index: u32,
    set: u32,
    /// The first sets' scrambling, where the bit of `known` is set; the last place is for all others in turn.
    kept: [Scrambling; KEPT + 1],
    known: u32,
}

impl Sampler {
    /// At set 0 of sample `sample` (from 0, in rendering order) of `pixel` (image coordinates, may be negative: overscan).
    pub fn new(seed: u64, pixel: [i32; 2], sample: u32) -> Self {
        let pixel = u64::from(pixel[0] as u32) << 32 | u64::from(pixel[1] as u32);
        let seed_and_pixel = mix(mix(seed) ^ pixel);
        let batch = sample / BATCH;
        let batch_key = mix(seed_and_pixel ^ u64::from(batch));
        let (index, kept) = (sample % BATCH, [Scrambling::default(); KEPT + 1]);
        Self { seed_and_pixel, batch, batch_key, index, set: 0, kept, known: 0 }
    }

    /// At set 0 of another sample of the same pixel. Quickest within a batch, whose scrambling is known.
    pub fn go_to(&mut self, sample: u32) -> &mut Self {
        if sample / BATCH != self.batch {
            self.batch = sample / BATCH;
            self.batch_key = mix(self.seed_and_pixel ^ u64::from(self.batch));
            self.known = 0;
        }
        (self.index, self.set) = (sample % BATCH, 0);
        self
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
        let set = self.set;
        self.set = set.wrapping_add(1);
        let index = self.index;
        let scrambling = self.scrambling(set);
        let point = POINTS[image(scrambling.order, index) as usize & 15];
        let step = 1 + 2 * u64::from(index);
        let (low, high) = (scrambling.number(step), scrambling.number(step + 1));
        let number = |axis: usize, below: u64| {
            let stratum = image(scrambling.axes[axis], point[axis].into());
            let digits = stratum << 20 | below as u32 & 0xf_ffff;
            digits as i32 as f32 * (1.0 / 16_777_216.0)
        };
        [number(0, low), number(1, low >> 32), number(2, high), number(3, high >> 32)]
    }

    #[inline]
    fn scrambling(&mut self, set: u32) -> &Scrambling {
        let place = (set as usize).min(KEPT);
        let known = place < KEPT && self.known >> place & 1 == 1;
        if !known {
            self.kept[place] = Scrambling::new(self.batch_key, set);
            self.known |= 1 << place;
        }
        &self.kept[place]
    }
}

/// What one set of one batch does to the net.
#[derive(Clone, Copy, Debug, Default)]
struct Scrambling {
    key: u64,
    /// Permutation of the points.
    order: u64,
    /// Permutation of each axis's strata.
    axes: [u64; 4],
}

impl Scrambling {
    fn new(batch_key: u64, set: u32) -> Self {
        let key = mix(batch_key ^ u64::from(set));
        let bits = |axis: u32| permutation((key >> (15 * axis)) as u32);
        let axes = [bits(0), bits(1), bits(2), bits(3)];
        Self { key, order: permutation(mix(key) as u32), axes }
    }

    /// SplitMix64 from `key` on: one number of the set, two of each point.
    fn number(&self, step: u64) -> u64 {
        mix(self.key.wrapping_add(step.wrapping_mul(GAMMA)))
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

/// A nested permutation of 0..16, as 15 random `bits` choose it; nibble `x` is the image of `x`. Each of a number's four
/// digits is flipped or not by the bit of its place in the binary tree, that is, by the digits before it: bit 0 flips the
/// first digit of all, bits 1 and 2 the second of each half, bits 3 to 6 the third of each quarter, the others the last.
fn permutation(bits: u32) -> u64 {
    const IDENTITY: u64 = 0xfedc_ba98_7654_3210;
    let bits = u64::from(bits);
    let all = (bits & 1) * 0x8888_8888_8888_8888;
    let halves = ((bits >> 1 & 1) | (bits >> 2 & 1) << 32) * 0x4444_4444;
    // A copy of the bits to each lane, of which it keeps its own; a carry moves that to the lane's top.
    let quarters = ((bits >> 3 & 0xf) * 0x0001_0001_0001_0001) & 0x0008_0004_0002_0001;
    let quarters = ((quarters + 0x7fff_7fff_7fff_7fff) >> 15 & 0x0001_0001_0001_0001) * 0x2222;
    let eighths = ((bits >> 7 & 0xff) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let eighths = ((eighths + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101) * 0x11;
    IDENTITY ^ all ^ halves ^ quarters ^ eighths
}

/// Where a permutation takes `x`.
fn image(permutation: u64, x: u32) -> u32 {
    (permutation >> (4 * x)) as u32 & 15
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
