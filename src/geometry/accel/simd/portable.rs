//! Eight lanes as an array: what any processor can do, and what compilers turn into SSE2 or NEON.

use super::{LANES, Lanes, Simd};

/// Needs no particular processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[inline(always)]
fn zip(a: Lanes, b: Lanes, f: impl Fn(f32, f32) -> f32) -> Lanes {
    Lanes(std::array::from_fn(|i| f(a.0[i], b.0[i])))
}

impl Simd for Portable {
    type V = Lanes;

    #[inline(always)]
    fn splat(self, x: f32) -> Lanes {
        Lanes([x; LANES])
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Lanes {
        *lanes
    }

    #[inline(always)]
    fn store(self, v: Lanes) -> Lanes {
        v
    }

    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn min(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, a: Lanes, b: Lanes) -> Lanes {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn abs(self, a: Lanes) -> Lanes {
        Lanes(a.0.map(f32::abs))
    }

    #[inline(always)]
    fn mul_sub_loose(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|i| a.0[i] * b.0[i] - c.0[i]))
    }

    #[inline(always)]
    fn le(self, a: Lanes, b: Lanes) -> u32 {
        (0..LANES).fold(0, |bits, i| bits | (u32::from(a.0[i] <= b.0[i]) << i))
    }

    #[inline(always)]
    fn prefetch(self, _: *const u8) {}
}
