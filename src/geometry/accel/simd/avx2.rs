//! Eight lanes in one AVX2 register.
//!
//! The methods carry no `target_feature` themselves: they are inlined into the entry points of `bvh::dispatch`, which
//! do.

use std::arch::x86_64::*;

use super::{Lanes, Simd};

/// Proof that this processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The token, where the processor has what the entry points of `bvh::dispatch` enable.
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

// SAFETY of every block below: `self` exists, so `detect` has seen AVX2 and FMA on this processor.
impl Simd for Avx2 {
    type V = __m256;

    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_set1_ps(x) }
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> __m256 {
        // SAFETY: AVX2 is there, see above; `Lanes` are 32 bytes, aligned to 32.
        unsafe { _mm256_load_ps(lanes.0.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: __m256) -> Lanes {
        let mut lanes = Lanes([0.0; 8]);
        // SAFETY: AVX2 is there, see above; `Lanes` are 32 bytes, aligned to 32.
        unsafe { _mm256_store_ps(lanes.0.as_mut_ptr(), v) };
        lanes
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_div_ps(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_min_ps(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    fn abs(self, a: __m256) -> __m256 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), a) }
    }

    #[inline(always)]
    fn mul_sub_loose(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: FMA is there, see above.
        unsafe { _mm256_fmsub_ps(a, b, c) }
    }

    #[inline(always)]
    fn le(self, a: __m256, b: __m256) -> u32 {
        // SAFETY: AVX2 is there, see above.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b)) as u32 }
    }

    #[inline(always)]
    fn prefetch(self, start: *const u8) {
        const LINE: usize = 64;
        for line in 0..4 {
            // SAFETY: a hint, which is ignored where nothing is mapped.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line * LINE).cast()) };
        }
    }
}
