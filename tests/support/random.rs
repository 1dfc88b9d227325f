//! Independent random numbers for tests: SplitMix64 (Steele et al., OOPSLA 2014). Not the renderer's sampler, so that a
//! fault there cannot hide a fault elsewhere.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// In [0, 1), with f32's 24 bits.
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn next<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.next_f32())
    }
}
