//! Float values and ids as text, losslessly, in tiles that a browser decodes when they come into sight.
//!
//! A tile is base64 of zlib of byte planes: of the reference and then of (test XOR reference), for each channel, the most
//! significant bytes of all its pixels, then the next. Signs and exponents lie together and pack well; equal pixels are
//! zeros; every bit of every NaN survives.

use std::io::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::ZlibEncoder};
use rayon::prelude::*;

use crate::compare::Plane;

/// Side of a tile, pixels. Small enough that windows are windows, large enough for deflate's reach.
pub const SIDE: usize = 128;

/// Tiles of a plane of this width.
pub fn columns(width: usize) -> usize {
    width.div_ceil(SIDE)
}

/// Number of tiles of a plane.
pub fn count(plane: &Plane) -> usize {
    columns(plane.width) * plane.height.div_ceil(SIDE)
}

/// The tile that a pixel lies in.
pub fn of_pixel(plane: &Plane, x: usize, y: usize) -> usize {
    y / SIDE * columns(plane.width) + x / SIDE
}

/// Text of the tiles with the given indices, in their order. The planes are of one size.
pub fn encode(test: &Plane, reference: &Plane, indices: &[usize]) -> Vec<String> {
    indices.par_iter().map(|index| STANDARD.encode(deflate(&shuffled(test, reference, *index)))).collect()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::new(6));
    // Writing to memory does not fail; were it to, the page would say that a tile is broken.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

/// The byte planes of one tile.
fn shuffled(test: &Plane, reference: &Plane, index: usize) -> Vec<u8> {
    let columns = columns(reference.width);
    let (left, top) = (index % columns * SIDE, index / columns * SIDE);
    let (right, bottom) = ((left + SIDE).min(reference.width), (top + SIDE).min(reference.height));
    let pixels = (right - left) * (bottom - top);
    let channels = reference.channels;
    let mut out = vec![0; 8 * pixels * channels];
    let (base, change) = out.split_at_mut(4 * pixels * channels);
    for channel in 0..channels {
        let places =
            (top..bottom).flat_map(|y| (left..right).map(move |x| (y * reference.width + x) * channels + channel));
        for (pixel, place) in places.enumerate() {
            let bits = reference.values[place].to_bits();
            put(base, channel, pixels, pixel, bits);
            put(change, channel, pixels, pixel, bits ^ test.values[place].to_bits());
        }
    }
    out
}

fn put(planes: &mut [u8], channel: usize, pixels: usize, pixel: usize, bits: u32) {
    for (plane, byte) in bits.to_be_bytes().into_iter().enumerate() {
        planes[(4 * channel + plane) * pixels + pixel] = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Read;

    /// What `web/decode.js` does: (reference, test) of one tile, channel by channel.
    fn decode(text: &str, pixels: usize, channels: usize) -> [Vec<u32>; 2] {
        let mut bytes = Vec::new();
        let packed = STANDARD.decode(text).unwrap();
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 8 * pixels * channels);
        let value = |half: usize, channel: usize, pixel: usize| {
            let at = |plane: usize| bytes[((half * channels + channel) * 4 + plane) * pixels + pixel];
            u32::from_be_bytes([at(0), at(1), at(2), at(3)])
        };
        let all = |half: usize| (0..channels).flat_map(move |c| (0..pixels).map(move |p| value(half, c, p))).collect();
        let (reference, change): (Vec<u32>, Vec<u32>) = (all(0), all(1));
        let test = reference.iter().zip(change).map(|(r, c)| r ^ c).collect();
        [reference, test]
    }

    fn bits(plane: &Plane) -> Vec<u32> {
        let pixels = plane.width * plane.height;
        let at = |c: usize, p: usize| plane.values[p * plane.channels + c].to_bits();
        (0..plane.channels).flat_map(|c| (0..pixels).map(move |p| at(c, p))).collect()
    }

    #[test]
    fn every_bit_of_odd_values_survives() {
        let odd =
            [f32::NAN, -f32::NAN, f32::from_bits(0x7fa0_0001), f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, 1e-45];
        let test = Plane { width: 4, height: 1, channels: 2, values: odd.to_vec() };
        let mut reference = test.clone();
        reference.values.reverse();
        let text = encode(&test, &reference, &[0]);
        assert_eq!(decode(&text[0], 4, 2), [bits(&reference), bits(&test)]);
    }

    #[test]
    fn tiles_cover_a_plane_with_narrow_ones_at_its_ends() {
        let (width, height) = (SIDE + 3, SIDE * 2 + 1);
        let mut plane = Plane::new(width, height, 1);
        plane.values.iter_mut().enumerate().for_each(|(i, value)| *value = i as f32);
        assert_eq!(count(&plane), 6);
        let last = of_pixel(&plane, width - 1, height - 1);
        assert_eq!(last, 5);
        let text = encode(&plane, &plane, &[last]);
        let expected: Vec<u32> = (SIDE..width).map(|x| ((height - 1) * width + x) as f32).map(f32::to_bits).collect();
        assert_eq!(decode(&text[0], 3, 1)[1], expected);
    }

    #[test]
    fn equal_pixels_cost_next_to_nothing() {
        // A mix of bits that deflate cannot shorten (C. Wellons' lowbias32).
        let mixed = |i: usize, seed: u32| {
            let h = (i as u32 ^ seed).wrapping_mul(0x7feb_352d);
            let h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
            f32::from_bits(h ^ (h >> 16))
        };
        let plane =
            |seed| Plane { values: (0..SIDE * SIDE).map(|i| mixed(i, seed)).collect(), ..Plane::new(SIDE, SIDE, 1) };
        let reference = plane(1);
        let [same, different] = [plane(1), plane(0x5bd1_e995)].map(|test| encode(&test, &reference, &[0])[0].len());
        assert!((same as f64) < 0.53 * different as f64, "{same} {different}");
    }

    proptest! {
        #[test]
        fn any_bits_survive(values in proptest::collection::vec(any::<[u32; 2]>(), 1..300), channels in 1_usize..4) {
            let width = values.len() / channels;
            prop_assume!(width > 0 && width < SIDE);
            let plane = |k: usize| Plane {
                width, height: 1, channels,
                values: values[..width * channels].iter().map(|pair| f32::from_bits(pair[k])).collect(),
            };
            let text = encode(&plane(0), &plane(1), &[0]);
            prop_assert_eq!(decode(&text[0], width, channels), [bits(&plane(1)), bits(&plane(0))]);
        }
    }
}
