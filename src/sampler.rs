//! (seed, pixel, sample, dimension) → number.
//!
//! A pixel's samples are Owen-scrambled Sobol points in batches of [`BATCH`], each batch scrambled by itself. Batches
//! are therefore independent and equally distributed: more samples are more batches, so that a render can be extended
//! bit for bit, and the spread of the batch means is an unbiased standard error (Owen, "Randomly permuted (t,m,s)-nets
//! and (t,s)-sequences", 1995).
//!
//! Dimensions come in *sets* of four. Every set is the first four dimensions of Sobol's sequence, shuffled and scrambled
//! by its own hash ("padding": Burley, "Practical Hash-based Owen Scrambling", JCGT 9(4), 2020). Of a batch's
//! 16 points, the first two dimensions of every set are a (0, 4, 2)-net: one point in each elementary interval. Higher
//! dimensions of Sobol's sequence are not, and many pairs of them coincide in their first four bits. Padding has no last
//! dimension either: a path may be as long as it likes.

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

    /// Four numbers in [0, 1), each stratified over the batch, the first two as a (0, 4, 2)-net.
    pub fn next_4d(&mut self) -> [f32; 4] {
        let set_seed = (mix(self.batch_key ^ u64::from(self.set)) >> 32) as u32;
        self.set = self.set.wrapping_add(1);
        sobol_burley::sample_4d(self.index, 0, set_seed)
    }
}

/// A bijection of 64 bits that looks random: a step of SplitMix64 (Steele et al., "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014; constants: Stafford's variant 13).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests;
