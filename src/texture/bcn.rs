//! One texel of a BC1 to BC5 block (Direct3D 11.3 functional specification, section 19.5).
//!
//! Texel by texel instead of a whole block at a time, so that textures can stay compressed: a sample wants 4 texels of 16.
//! Colours are rounded to 8 bits once, after exact interpolation, as the sRGB tables need bytes; BC4 and BC5 are not rounded.

/// RGBA of texel `index` (4 · y + x) of a BC1 block. Index 3 of a block whose first colour is not the greater is
/// transparent black.
#[inline]
pub(super) fn bc1(block: &[u8; 8], index: usize) -> [u8; 4] {
    let (first, second) = endpoints(block);
    let selector = selector(block, index);
    match first > second {
        true => four_colours(first, second, selector),
        false => three_colours(first, second, selector),
    }
}

/// RGBA of a texel of a BC2 block: explicit 4-bit alpha, then colour.
#[inline]
pub(super) fn bc2(block: &[u8; 16], index: usize) -> [u8; 4] {
    let (alpha, colour) = halves(block);
    let nibble = (u64::from_le_bytes(*alpha) >> (4 * index)) & 0xf;
    with_alpha(colour, index, nibble as u8 * 17)
}

/// RGBA of a texel of a BC3 block: an alpha block like BC4's, then colour.
#[inline]
pub(super) fn bc3(block: &[u8; 16], index: usize) -> [u8; 4] {
    let (alpha, colour) = halves(block);
    let Weighted { numerator, denominator } =
        weighted(i32::from(alpha[0]), i32::from(alpha[1]), alpha, index, [0, 255]);
    with_alpha(colour, index, ((2 * numerator + denominator) / (2 * denominator)) as u8)
}

/// A texel of a BC4 block: unsigned v / 255, signed v / 127 with −128 as −127.
#[inline]
pub(super) fn bc4(block: &[u8; 8], index: usize, signed: bool) -> f32 {
    let (endpoint, limits): (fn(u8) -> i32, _) = match signed {
        true => (|byte| i32::from(byte as i8).max(-127), [-127, 127]),
        false => (i32::from, [0, 255]),
    };
    let Weighted { numerator, denominator } = weighted(endpoint(block[0]), endpoint(block[1]), block, index, limits);
    numerator as f32 / (denominator * limits[1]) as f32
}

/// Red and green of a texel of a BC5 block: two BC4 blocks.
#[inline]
pub(super) fn bc5(block: &[u8; 16], index: usize, signed: bool) -> [f32; 2] {
    let (red, green) = halves(block);
    [bc4(red, index, signed), bc4(green, index, signed)]
}

/// An interpolated value as an exact fraction.
struct Weighted {
    numerator: i32,
    denominator: i32,
}

/// The value of texel `index` between two endpoints: 6 steps between where the first is greater, else 4 and the limits.
#[inline]
fn weighted(first: i32, second: i32, block: &[u8; 8], index: usize, limits: [i32; 2]) -> Weighted {
    let selector = (u64::from_le_bytes(*block) >> (16 + 3 * index) & 7) as i32;
    let whole = |value| Weighted { numerator: value, denominator: 1 };
    let steps = if first > second { 7 } else { 5 };
    match selector {
        0 => whole(first),
        1 => whole(second),
        6 | 7 if steps == 5 => whole(limits[selector as usize - 6]),
        _ => Weighted { numerator: first * (steps + 1 - selector) + second * (selector - 1), denominator: steps },
    }
}

#[inline]
fn halves(block: &[u8; 16]) -> (&[u8; 8], &[u8; 8]) {
    let (first, second) = block.split_first_chunk::<8>().expect("16 bytes are two halves");
    (first, second.first_chunk().expect("16 bytes are two halves"))
}

#[inline]
fn with_alpha(colour: &[u8; 8], index: usize, alpha: u8) -> [u8; 4] {
    let (first, second) = endpoints(colour);
    let [r, g, b, _] = four_colours(first, second, selector(colour, index));
    [r, g, b, alpha]
}

#[inline]
fn endpoints(block: &[u8; 8]) -> (u16, u16) {
    (u16::from_le_bytes([block[0], block[1]]), u16::from_le_bytes([block[2], block[3]]))
}

#[inline]
fn selector(block: &[u8; 8], index: usize) -> u32 {
    let selectors = u32::from_le_bytes([block[4], block[5], block[6], block[7]]);
    selectors >> (2 * index) & 3
}

/// The two colours and two thirds between them.
#[inline]
fn four_colours(first: u16, second: u16, selector: u32) -> [u8; 4] {
    // selectors 0, 1, 2, 3 weigh the second colour by 0, 3, 1, 2 thirds; packed, as a table would be read from memory
    let weight = 0b10_01_11_00 >> (2 * selector) & 3;
    blend(first, second, 3 - weight, weight)
}

/// The two colours, their mean, and transparent black.
#[inline]
fn three_colours(first: u16, second: u16, selector: u32) -> [u8; 4] {
    match selector {
        0 => blend(first, second, 2, 0),
        1 => blend(first, second, 0, 2),
        2 => blend(first, second, 1, 1),
        _ => [0; 4],
    }
}

/// `first` and `second` (5, 6, 5 bits) mixed in whole parts, opaque.
#[inline]
fn blend(first: u16, second: u16, first_parts: u32, second_parts: u32) -> [u8; 4] {
    let parts = first_parts + second_parts;
    let channel = |shift: u32, maximum: u32| {
        let value = |colour: u16| u32::from(colour) >> shift & maximum;
        let sum = value(first) * first_parts + value(second) * second_parts;
        // round(255 · sum / (parts · maximum)); the greatest product is below 2¹⁷
        let unit = parts * maximum;
        ((510 * sum + unit) / (2 * unit)) as u8
    };
    [channel(11, 31), channel(5, 63), channel(0, 31), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block whose texel i has selector i mod 4.
    fn colour_block(first: u16, second: u16) -> [u8; 8] {
        let [a, b] = first.to_le_bytes();
        let [c, d] = second.to_le_bytes();
        [a, b, c, d, 0b1110_0100, 0b1110_0100, 0b1110_0100, 0b1110_0100]
    }

    #[test]
    fn bc1_interpolates_thirds() {
        // red 31 over blue 31: thirds of 255 are exactly 170 and 85
        let block = colour_block(0xf800, 0x001f);
        assert_eq!(
            [0, 1, 2, 3].map(|i| bc1(&block, i)),
            [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]]
        );
    }

    #[test]
    fn bc1_with_the_smaller_colour_first_has_a_mean_and_transparent_black() {
        let block = colour_block(0x001f, 0xf800);
        assert_eq!(bc1(&block, 6), [128, 0, 128, 255]);
        assert_eq!(bc1(&block, 15), [0, 0, 0, 0]);
        // equal colours are of this kind too
        assert_eq!(bc1(&colour_block(0xffff, 0xffff), 3), [0, 0, 0, 0]);
    }

    #[test]
    fn bc2_and_bc3_colours_are_always_of_four() {
        let mut block = [0; 16];
        block[..8].copy_from_slice(&0xfedc_ba98_7654_3210u64.to_le_bytes());
        block[8..].copy_from_slice(&colour_block(0x001f, 0xf800));
        assert_eq!(bc2(&block, 3), [170, 0, 85, 3 * 17]);
        assert_eq!(bc2(&block, 15), [170, 0, 85, 255]);
        block[..8].copy_from_slice(&[10, 250, 0b1000_0000, 0b0000_0001, 0, 0, 0, 0]);
        assert_eq!(bc3(&block, 2)[3], 0, "selector 6 of the five-step kind is 0");
    }

    #[test]
    fn bc4_interpolates_without_rounding() {
        // selectors 0..8 for the first eight texels
        let selectors = (0..8u64).fold(0, |bits, i| bits | i << (3 * i));
        let block = |first: u8, second: u8| -> [u8; 8] {
            (u64::from(first) | u64::from(second) << 8 | selectors << 16).to_le_bytes()
        };
        let seven = block(200, 60);
        assert_eq!(bc4(&seven, 0, false), 200.0 / 255.0);
        assert_eq!(bc4(&seven, 2, false), (6.0 * 200.0 + 60.0) / (7.0 * 255.0));
        assert_eq!(bc4(&seven, 7, false), (200.0 + 6.0 * 60.0) / (7.0 * 255.0));
        let five = block(60, 200);
        assert_eq!(bc4(&five, 2, false), (4.0 * 60.0 + 200.0) / (5.0 * 255.0));
        assert_eq!([bc4(&five, 6, false), bc4(&five, 7, false)], [0.0, 1.0]);
        let signed = block(0x80, 0x7f);
        assert_eq!([bc4(&signed, 0, true), bc4(&signed, 1, true)], [-1.0, 1.0]);
        assert_eq!(bc4(&signed, 2, true), (4.0 * -127.0 + 127.0) / (5.0 * 127.0));
        assert_eq!([bc4(&signed, 6, true), bc4(&signed, 7, true)], [-1.0, 1.0]);
    }

    #[test]
    fn agrees_with_bcdec_on_many_blocks() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for _ in 0..20_000 {
            let mut block = [0; 16];
            block[..8].copy_from_slice(&next().to_le_bytes());
            block[8..].copy_from_slice(&next().to_le_bytes());
            let low: &[u8; 8] = block.first_chunk().unwrap();
            let (mut one, mut two, mut three) = ([0; 64], [0; 64], [0; 64]);
            bcdec_rs::bc1(low, &mut one, 16);
            bcdec_rs::bc2(&block, &mut two, 16);
            bcdec_rs::bc3(&block, &mut three, 16);
            let mut five = [0.0; 32];
            for signed in [false, true] {
                bcdec_rs::bc5_float(&block, &mut five, 8, signed);
                for i in 0..16 {
                    let [r, g] = bc5(&block, i, signed);
                    assert!((r - five[2 * i]).abs() < 1e-6 && (g - five[2 * i + 1]).abs() < 1e-6);
                }
            }
            for i in 0..16 {
                assert_eq!(bc1(low, i), one[4 * i..4 * i + 4]);
                assert_eq!(bc2(&block, i), two[4 * i..4 * i + 4]);
                let (ours, theirs) = (bc3(&block, i), &three[4 * i..4 * i + 4]);
                assert_eq!(ours[..3], theirs[..3]);
                // bcdec truncates (n + 1) / 7, we round
                assert!(ours[3].abs_diff(theirs[3]) <= 1);
            }
        }
    }
}
