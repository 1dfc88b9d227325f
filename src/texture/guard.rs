//! Headers lie: sizes are judged before memory is asked for.

use super::error::{Fault, damaged};

/// Far above Direct3D's 16384, low enough for all arithmetic.
pub(super) const MAXIMUM_SIZE: u32 = 1 << 17;
/// Deflate, the strongest compression of all readers here, shrinks 1032 times at most.
const GREATEST_EXPANSION: u64 = 1100;
/// Small files of one colour may expand more than any bound by length allows; this much does no harm.
const HARMLESS: u64 = 64 << 20;

/// Sizes that a texture can have.
pub(super) fn check_size(kind: &'static str, width: u32, height: u32) -> Result<(), Fault> {
    match (1..=MAXIMUM_SIZE).contains(&width) && (1..=MAXIMUM_SIZE).contains(&height) {
        true => Ok(()),
        false => Err(damaged(kind, format!("its size is {width} × {height}; allowed: 1 to {MAXIMUM_SIZE} each"))),
    }
}

/// Whether a compressed file of `length` bytes can hold `width` × `height` texels of `texel_bytes` decoded bytes.
pub(crate) fn check_expansion(
    kind: &'static str,
    [width, height]: [u32; 2],
    texel_bytes: usize,
    length: usize,
) -> Result<(), Fault> {
    check_size(kind, width, height)?;
    // 2³⁴ · texel_bytes fits
    let decoded = u64::from(width) * u64::from(height) * texel_bytes as u64;
    match decoded <= HARMLESS.max(GREATEST_EXPANSION * length as u64) {
        true => Ok(()),
        false => Err(damaged(
            kind,
            format!(
                "{length} bytes cannot hold {width} × {height} texels; allowed: {GREATEST_EXPANSION} times the file"
            ),
        )),
    }
}
