//! Bytes that nobody should write: an error or an image, never a panic, a hang or a huge allocation.

use proptest::prelude::*;
use scrutineer::texture::{Sampler, Transfer};

use crate::build::{Dds, load};

/// Loads `bytes` under each name that matters; what loads must also be sampled without trouble.
fn try_all(bytes: &[u8]) {
    for (name, transfer) in [("a.bin", Transfer::Linear), ("a.tga", Transfer::Srgb)] {
        if let Ok(texture) = load(name, bytes, Some(transfer)) {
            texture.sample(glam::Vec2::new(0.3, 0.7), 0.5, &Sampler::default());
        }
    }
}

/// Beginnings that lead into each reader.
fn beginnings() -> Vec<Vec<u8>> {
    let exr = [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0].to_vec();
    vec![
        Vec::new(),
        b"DDS ".to_vec(),
        b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\n".to_vec(),
        b"\xabKTX 20\xbb\r\n\x1a\n".to_vec(),
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec(),
        vec![0xff, 0xd8, 0xff],
        [exr, b"channels\0chlist\0".to_vec()].concat(),
    ]
}

/// Small files that load, one a reader.
fn good_files() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let encoded = |format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(9, 5).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    };
    let path = folder.path().join("a.exr");
    exr::prelude::write_rgba_file(&path, 9, 5, |x, y| (x as f32, y as f32, 0.5f32, 1f32)).unwrap();
    let radiance =
        [b"#?RADIANCE\n\n-Y 2 +X 8\n".as_slice(), &[[2, 2, 0, 8, 136, 1, 136, 2, 136, 3, 136, 4]; 2].concat()].concat();
    vec![
        Dds { mips: 4, ..Dds::dxgi(98, 9, 5) }.file(&[0x40; 16 * 9]),
        Dds::masks(0x41, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], 3, 2).file(&[7; 24]),
        encoded(image::ImageFormat::Png),
        encoded(image::ImageFormat::Jpeg),
        encoded(image::ImageFormat::Tga),
        std::fs::read(path).unwrap(),
        radiance,
    ]
}

#[test]
fn the_good_files_are_good() {
    for bytes in good_files() {
        load("a.tga", &bytes, Some(Transfer::Linear)).unwrap();
    }
}

#[test]
fn every_truncation_is_survived() {
    for bytes in good_files() {
        (0..bytes.len()).for_each(|length| try_all(&bytes[..length]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_bytes_are_survived(beginning in 0usize..7, rest in prop::collection::vec(any::<u8>(), 0..400)) {
        try_all(&[beginnings()[beginning].clone(), rest].concat());
    }

    #[test]
    fn flipped_bits_are_survived(file in 0usize..7, flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..6)) {
        let mut bytes = good_files()[file].clone();
        for (index, bit) in flips {
            let index = index.index(bytes.len());
            bytes[index] ^= 1 << bit;
        }
        try_all(&bytes);
    }
}
