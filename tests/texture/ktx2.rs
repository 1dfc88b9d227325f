//! KTX2 files, hand-made.

use scrutineer::texture::Transfer;

use crate::build::{assert_near, load, texel};

/// A 2D file with these levels, largest first; `orientation` as `KTXorientation`.
fn ktx2(format: u32, [width, height]: [u32; 2], levels: &[&[u8]], scheme: u32, orientation: &str) -> Vec<u8> {
    let pair = format!("KTXorientation\0{orientation}\0");
    let mut keys = (pair.len() as u32).to_le_bytes().to_vec();
    keys.extend(pair.as_bytes());
    keys.resize(keys.len().next_multiple_of(4), 0);
    // a basic data format descriptor without samples: total size, then one block of 24 bytes
    let descriptor = [28u32, 0, 2 | 24 << 16, 1 | 1 << 8 | 1 << 16, 0, 0, 0].map(u32::to_le_bytes).concat();
    let descriptor_at = 80 + 24 * levels.len() as u32;
    let keys_at = descriptor_at + descriptor.len() as u32;
    let mut data_at = u64::from(keys_at) + keys.len() as u64;
    let mut file = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    let words = [format, 1, width, height, 0, 0, 1, levels.len() as u32, scheme];
    let index = [descriptor_at, descriptor.len() as u32, keys_at, keys.len() as u32, 0, 0, 0, 0];
    file.extend(words.iter().chain(&index).flat_map(|word| word.to_le_bytes()));
    for level in levels {
        file.extend([data_at, level.len() as u64, level.len() as u64].iter().flat_map(|word| word.to_le_bytes()));
        data_at += level.len() as u64;
    }
    [file, descriptor, keys, levels.concat()].concat()
}

#[test]
fn uncompressed_levels_are_read() {
    let file = ktx2(43, [2, 1], &[&[188, 0, 255, 188, 1, 2, 3, 4], &[9; 4]], 0, "rd");
    let texture = load("a.ktx2", &file, None).unwrap();
    assert_eq!((texture.size(), texture.level_count()), ([2, 1], 2));
    assert_near(texel(&texture, 0, 0), [0.502_886_5, 0.0, 1.0, 188.0 / 255.0], 1e-6);
    let rgb = load("a.ktx2", &ktx2(23, [1, 1], &[&[1, 2, 3]], 0, "rd"), None).unwrap();
    assert_near(texel(&rgb, 0, 0), [1.0 / 255.0, 2.0 / 255.0, 3.0 / 255.0, 1.0], 0.0);
}

#[test]
fn blocks_are_read() {
    let third = [0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let alpha = |format| texel(&load("a", &ktx2(format, [4, 4], &[&third], 0, "rd"), None).unwrap(), 0, 0)[3];
    assert_eq!((alpha(131), alpha(133)), (1.0, 0.0), "BC1_RGB is opaque, BC1_RGBA is not");
    let signed = [0x80, 0x80, 0, 0, 0, 0, 0, 0];
    let red = texel(&load("a", &ktx2(140, [4, 4], &[&signed], 0, "rd"), None).unwrap(), 3, 3);
    assert_eq!(red, [-1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn what_is_not_read_is_named() {
    for (file, part) in [
        (ktx2(43, [1, 1], &[&[0; 4]], 2, "rd"), "supercompression"),
        (ktx2(43, [1, 1], &[&[0; 4]], 0, "ru"), "bottom-up"),
        (ktx2(41, [1, 1], &[&[0; 4]], 0, "rd"), "VkFormat 41"),
        (ktx2(43, [2, 2], &[&[0; 4]], 0, "rd"), "level 0 of 2 × 2 has only 4 bytes"),
        (ktx2(43, [1, 1], &[&[0; 4], &[0; 4]], 0, "rd"), "2 mip levels"),
    ] {
        let fault = load("a.ktx2", &file, Some(Transfer::Linear)).err().expect(part).to_string();
        assert!(fault.starts_with("a.ktx2: ") && fault.contains(part), "{fault}");
    }
}
