//! Eight `f32` lanes, behind a token that proves the processor has the instructions.
//!
//! Traversal and triangle tests are written once, over [`Simd`]. A token is passed by value through every function; an
//! [`avx2::Avx2`] can only be had from its `detect`, which is what makes its methods safe to call. Everything that
//! decides about a hit uses plain multiplications and additions, never a fused one, so that all tokens give the same
//! bits.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
pub mod portable;

/// Lanes of one vector.
pub const LANES: usize = 8;

/// Eight lanes in memory, aligned as the widest load wants it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes(pub [f32; LANES]);

/// The operations of one instruction set. Comparisons give a bit a lane and are false where a lane is NaN.
pub trait Simd: Copy {
    type V: Copy;
    fn splat(self, x: f32) -> Self::V;
    fn load(self, lanes: &Lanes) -> Self::V;
    fn store(self, v: Self::V) -> Lanes;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser one; `b` where either is NaN.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// The greater one; `b` where either is NaN.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    fn abs(self, a: Self::V) -> Self::V;
    /// `a·b − c`, fused where that is quick: its last bits differ between tokens, so only for conservative bounds.
    fn mul_sub_loose(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a ≤ b`, lane i in bit i.
    fn le(self, a: Self::V, b: Self::V) -> u32;
    /// Asks for the 256 bytes from `start` on, which are soon to be read.
    fn prefetch(self, start: *const u8);
}
