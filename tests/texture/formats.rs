//! Every DDS format, by hand-made texels and blocks; traps 25 to 35.

use scrutineer::texture::Transfer;

use crate::build::{Dds, assert_near, linear, load, texel};

/// A 1×1 texture of a DXGI format.
fn dxgi(code: u32, data: &[u8]) -> [f32; 4] {
    texel(&linear(&Dds::dxgi(code, 1, 1).file(data)), 0, 0)
}

/// A 1×1 texture of bit masks.
fn masks(flags: u32, bits: u32, fields: [u32; 4], data: &[u8]) -> [f32; 4] {
    texel(&linear(&Dds::masks(flags, bits, fields, 1, 1).file(data)), 0, 0)
}

fn halves(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| half::f16::from_f32(*value).to_le_bytes()).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn bytes_are_exact_and_missing_channels_are_0_0_1() {
    let v = |byte: f32| byte / 255.0;
    assert_eq!(dxgi(28, &[1, 2, 3, 4]), [v(1.0), v(2.0), v(3.0), v(4.0)]);
    assert_eq!(dxgi(87, &[1, 2, 3, 4]), [v(3.0), v(2.0), v(1.0), v(4.0)]);
    assert_eq!(dxgi(88, &[1, 2, 3, 4]), [v(3.0), v(2.0), v(1.0), 1.0]);
    assert_eq!(dxgi(49, &[9, 8]), [v(9.0), v(8.0), 0.0, 1.0]);
    assert_eq!(dxgi(61, &[9]), [v(9.0), 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(65, &[9]), [0.0, 0.0, 0.0, v(9.0)]);
}

#[test]
fn signed_values_stay_signed() {
    assert_eq!(dxgi(31, &[0x80, 0x81, 0, 0x7f]), [-1.0, -1.0, 0.0, 1.0]);
    assert_eq!(dxgi(51, &[64, 0xc0]), [64.0 / 127.0, -64.0 / 127.0, 0.0, 1.0]);
    assert_eq!(dxgi(63, &[0xff]), [-1.0 / 127.0, 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(58, &(-32768i16).to_le_bytes()), [-1.0, 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(37, &[0xff, 0x7f, 0x01, 0x80]), [1.0, -1.0, 0.0, 1.0]);
    assert_eq!(dxgi(13, &[0, 0, 0xff, 0x7f, 1, 0, 0, 0x80]), [0.0, 1.0, 1.0 / 32767.0, -1.0]);
}

#[test]
fn wide_channels_are_exact() {
    assert_eq!(dxgi(56, &40000u16.to_le_bytes()), [40000.0 / 65535.0, 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(35, &[0xff, 0xff, 1, 0]), [1.0, 1.0 / 65535.0, 0.0, 1.0]);
    assert_eq!(dxgi(11, &[0, 0, 0xff, 0xff, 0, 0x80, 2, 0]), [0.0, 1.0, 32768.0 / 65535.0, 2.0 / 65535.0]);
    assert_eq!(dxgi(54, &halves(&[-2.5])), [-2.5, 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(34, &halves(&[65504.0, 6e-8])), [65504.0, f32::exp2(-24.0), 0.0, 1.0]);
    assert_eq!(dxgi(10, &halves(&[1.0, 2.0, 3.0, 4.0])), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(dxgi(41, &floats(&[1e20])), [1e20, 0.0, 0.0, 1.0]);
    assert_eq!(dxgi(16, &floats(&[0.1, 0.2])), [0.1, 0.2, 0.0, 1.0]);
    assert_eq!(dxgi(6, &floats(&[0.1, 0.2, 0.3])), [0.1, 0.2, 0.3, 1.0]);
    assert_eq!(dxgi(2, &floats(&[0.1, 0.2, 0.3, 0.4])), [0.1, 0.2, 0.3, 0.4]);
}

#[test]
fn infinite_and_nan_halves_stay_what_they_are() {
    let [r, g, b, a] = dxgi(10, &halves(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.5]));
    assert_eq!([r, g, a], [f32::INFINITY, f32::NEG_INFINITY, 0.5]);
    assert!(b.is_nan());
}

#[test]
fn packed_words_are_taken_apart() {
    let word = |value: u32| value.to_le_bytes();
    assert_eq!(dxgi(24, &word(1023 | 512 << 10 | 1 << 20 | 2 << 30)), [1.0, 512.0 / 1023.0, 1.0 / 1023.0, 2.0 / 3.0]);
    // 1.0 is exponent 15: 15 << 6 in 11 bits, 15 << 5 in 10; 1.5 sets the mantissa's first bit
    assert_eq!(dxgi(26, &word(15 << 6 | (15 << 6 | 32) << 11 | (16 << 5) << 22)), [1.0, 1.5, 2.0, 1.0]);
    // 256 · 2^(16 − 24) = 1
    assert_eq!(dxgi(67, &word(256 | 511 << 9 | 1 << 18 | 16 << 27)), [1.0, 511.0 / 256.0, 1.0 / 256.0, 1.0]);
    assert_near(dxgi(85, &0xf81fu16.to_le_bytes()), [1.0, 0.0, 1.0, 1.0], 0.0);
    assert_near(dxgi(85, &(3u16 << 11 | 5 << 5).to_le_bytes()), [3.0 / 31.0, 5.0 / 63.0, 0.0, 1.0], 0.0);
    assert_near(dxgi(86, &(0x8000u16 | 7 << 10 | 1).to_le_bytes()), [7.0 / 31.0, 0.0, 1.0 / 31.0, 1.0], 0.0);
    assert_near(dxgi(115, &0x1234u16.to_le_bytes()), [2.0 / 15.0, 3.0 / 15.0, 4.0 / 15.0, 1.0 / 15.0], 0.0);
}

#[test]
fn dx9_masks_are_followed() {
    let v = |byte: f32| byte / 255.0;
    let bgra = [0x00ff_0000, 0xff00, 0xff, 0xff00_0000];
    assert_eq!(masks(0x41, 32, bgra, &[1, 2, 3, 4]), [v(3.0), v(2.0), v(1.0), v(4.0)]);
    assert_eq!(masks(0x40, 32, bgra, &[1, 2, 3, 4]), [v(3.0), v(2.0), v(1.0), 1.0], "X8R8G8B8");
    assert_eq!(masks(0x40, 24, [0xff_0000, 0xff00, 0xff, 0], &[1, 2, 3]), [v(3.0), v(2.0), v(1.0), 1.0]);
    assert_eq!(masks(0x40, 16, [0xf800, 0x7e0, 0x1f, 0], &[0x1f, 0]), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(masks(0x40, 32, [0xffff, 0xffff_0000, 0, 0], &[0xff, 0xff, 0, 0]), [1.0, 0.0, 0.0, 1.0], "G16R16");
    assert_eq!(masks(0x20000, 8, [0xff, 0, 0, 0], &[9]), [v(9.0), v(9.0), v(9.0), 1.0], "L8");
    assert_eq!(masks(0x20000, 16, [0xffff, 0, 0, 0], &[0xff, 0xff]), [1.0; 4], "L16");
    assert_eq!(masks(0x20001, 16, [0xff, 0, 0, 0xff00], &[9, 5]), [v(9.0), v(9.0), v(9.0), v(5.0)], "A8L8");
    assert_eq!(masks(0x20001, 8, [0xf, 0, 0, 0xf0], &[0x53]), [0.2, 0.2, 0.2, 5.0 / 15.0], "A4L4");
    assert_eq!(masks(0x2, 8, [0, 0, 0, 0xff], &[9]), [0.0, 0.0, 0.0, v(9.0)], "A8");
    assert_eq!(masks(0x80000, 16, [0xff, 0xff00, 0, 0], &[0x80, 0x7f]), [-1.0, 1.0, 0.0, 1.0], "V8U8");
    assert_eq!(
        masks(0x80000, 32, [0xffff, 0xffff_0000, 0, 0], &[1, 0x80, 0xff, 0x7f]),
        [-1.0, 1.0, 0.0, 1.0],
        "V16U16"
    );
    let q8w8v8u8 = [0xff, 0xff00, 0xff_0000, 0xff00_0000];
    assert_eq!(masks(0x80000, 32, q8w8v8u8, &[0x7f, 0x81, 0, 0x7f]), [1.0, -1.0, 0.0, 1.0]);
}

#[test]
fn numeric_d3d_formats_are_known() {
    let file = |code: u32, data: &[u8]| texel(&linear(&Dds::four_cc(&code.to_le_bytes(), 1, 1).file(data)), 0, 0);
    assert_eq!(file(36, &[0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(file(110, &[0xff, 0x7f, 1, 0x80, 0, 0, 0xff, 0x7f]), [1.0, -1.0, 0.0, 1.0]);
    assert_eq!(file(111, &halves(&[3.0])), [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(file(112, &halves(&[3.0, 4.0])), [3.0, 4.0, 0.0, 1.0]);
    assert_eq!(file(113, &halves(&[3.0, 4.0, 5.0, 6.0])), [3.0, 4.0, 5.0, 6.0]);
    assert_eq!(file(114, &floats(&[3.0])), [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(file(115, &floats(&[3.0, 4.0])), [3.0, 4.0, 0.0, 1.0]);
    assert_eq!(file(116, &floats(&[3.0, 4.0, 5.0, 6.0])), [3.0, 4.0, 5.0, 6.0]);
}

/// A BC4 block: every texel is endpoint `first`.
fn bc4_flat(first: u8) -> [u8; 8] {
    [first, first, 0, 0, 0, 0, 0, 0]
}

#[test]
fn trap_25_a_flat_signed_normal_map_is_flat() {
    let block = [bc4_flat(0), bc4_flat(0)].concat();
    assert_eq!(dxgi_block(84, &block), [0.0, 0.0, 0.0, 1.0]);
    let tilted = [bc4_flat(0x80), bc4_flat(0x40)].concat();
    assert_eq!(dxgi_block(84, &tilted), [-1.0, 64.0 / 127.0, 0.0, 1.0]);
    assert_eq!(dxgi_block(81, &bc4_flat(0xc0)), [-64.0 / 127.0, 0.0, 0.0, 1.0]);
}

fn dxgi_block(code: u32, block: &[u8]) -> [f32; 4] {
    texel(&linear(&Dds::dxgi(code, 4, 4).file(block)), 1, 2)
}

#[test]
fn trap_27_every_four_cc_of_a_block_is_known() {
    let unsigned = |code: &[u8; 4], block: &[u8]| texel(&linear(&Dds::four_cc(code, 4, 4).file(block)), 3, 3);
    for code in [b"ATI1", b"BC4U"] {
        assert_eq!(unsigned(code, &bc4_flat(200)), [200.0 / 255.0, 0.0, 0.0, 1.0]);
    }
    let pair = [bc4_flat(200), bc4_flat(0x40)].concat();
    for code in [b"ATI2", b"BC5U", b"A2XY"] {
        assert_eq!(unsigned(code, &pair), [200.0 / 255.0, 64.0 / 255.0, 0.0, 1.0]);
    }
    assert_eq!(unsigned(b"BC4S", &bc4_flat(200)), [-56.0 / 127.0, 0.0, 0.0, 1.0]);
    assert_eq!(unsigned(b"BC5S", &pair), [-56.0 / 127.0, 64.0 / 127.0, 0.0, 1.0]);
    // white colour under alpha 51: RXGB's red is the alpha
    let coloured = [bc4_flat(51), [0xff, 0xff, 0, 0, 0, 0, 0, 0]].concat();
    for code in [b"DXT4", b"DXT5"] {
        assert_eq!(unsigned(code, &coloured), [1.0, 1.0, 1.0, 0.2]);
    }
    assert_eq!(unsigned(b"RXGB", &coloured), [0.2, 1.0, 1.0, 1.0]);
    let explicit = [[0x33; 8], [0xff, 0xff, 0, 0, 0, 0, 0, 0]].concat();
    for code in [b"DXT2", b"DXT3"] {
        assert_eq!(unsigned(code, &explicit), [1.0, 1.0, 1.0, 0.2]);
    }
    assert_eq!(unsigned(b"DXT1", &[0xff, 0xff, 0, 0, 0, 0, 0, 0]), [1.0; 4]);
}

#[test]
fn trap_29_bc1_index_3_of_the_three_colour_kind_is_transparent_black() {
    let block = [0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(dxgi_block(71, &block), [0.0; 4]);
}

#[test]
fn trap_31_levels_of_a_long_image_are_not_turned() {
    // BC7 mode 6 would do, but BC4 shows it as well: 16×4, 8×2, 4×1, 2×1, 1×1 have 4, 2, 1, 1, 1 blocks
    let blocks: Vec<u8> = (0..9u8).flat_map(|i| bc4_flat(20 * i)).collect();
    let texture = linear(&Dds { mips: 5, ..Dds::dxgi(80, 16, 4) }.file(&blocks));
    assert_eq!((texture.size(), texture.level_count()), ([16, 4], 5));
    for x in 0..16 {
        assert_eq!(texel(&texture, x, 1)[0], (x / 4 * 20) as f32 / 255.0);
    }
    let sampler = scrutineer::texture::Sampler { mip: scrutineer::texture::Mip::Footprint, ..Default::default() };
    let level = |lod: f32, u: f32| texture.sample(glam::Vec2::new(u, 0.5), lod.exp2() / 16.0, &sampler).x * 255.0;
    assert!((level(1.0, 0.25) - 80.0).abs() < 1e-3);
    assert!((level(1.0, 0.75) - 100.0).abs() < 1e-3);
    assert!((level(2.0, 0.5) - 120.0).abs() < 1e-3);
    assert!((level(4.0, 0.5) - 160.0).abs() < 1e-3);
}

#[test]
fn trap_33_a_header_without_flags_and_linear_size_loads() {
    // every hand-made file here has flags, pitchOrLinearSize and caps of 0; a mip count of 0 is 1
    let texture = linear(&Dds { mips: 0, ..Dds::dxgi(28, 2, 1) }.file(&[1; 8]));
    assert_eq!(texture.level_count(), 1);
}

#[test]
fn srgb_is_decoded_before_filtering_and_alpha_is_not() {
    let bytes = Dds::dxgi(29, 2, 1).file(&[0, 0, 188, 188, 255, 255, 188, 188]);
    let texture = load("test", &bytes, None).unwrap();
    assert_near(texel(&texture, 0, 0), [0.0, 0.0, 0.502_886_5, 188.0 / 255.0], 1e-6);
    // half-way between 0 and 1 is 0.5 in light
    let middle = texture.sample(glam::Vec2::new(0.5, 0.5), 0.0, &Default::default());
    assert_near(middle, [0.5, 0.5, 0.502_886_5, 188.0 / 255.0], 1e-6);
}

#[test]
fn srgb_reaches_every_unsigned_layout() {
    let srgb = |bytes: Vec<u8>| texel(&load("test", &bytes, Some(Transfer::Srgb)).unwrap(), 0, 0);
    let light = 0.502_886_5;
    assert_near(
        srgb(Dds::masks(0x20001, 16, [0xff, 0, 0, 0xff00], 1, 1).file(&[188, 188])),
        [light, light, light, 188.0 / 255.0],
        1e-6,
    );
    assert_near(srgb(Dds::masks(0x2, 8, [0, 0, 0, 0xff], 1, 1).file(&[188])), [0.0, 0.0, 0.0, 188.0 / 255.0], 1e-6);
    assert_near(srgb(Dds::dxgi(80, 1, 1).file(&bc4_flat(188))), [light, 0.0, 0.0, 1.0], 1e-6);
    let pair = [bc4_flat(188), bc4_flat(188)].concat();
    assert_near(srgb(Dds::dxgi(83, 1, 1).file(&pair)), [light, light, 0.0, 1.0], 1e-6);
    let sixteen: Vec<u8> = [188 * 257u16; 4].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_near(srgb(Dds::dxgi(11, 1, 1).file(&sixteen)), [light, light, light, 188.0 / 255.0], 1e-6);
    let white = [bc4_flat(188), [0xff, 0xff, 0, 0, 0, 0, 0, 0]].concat();
    assert_near(srgb(Dds::dxgi(77, 1, 1).file(&white)), [1.0, 1.0, 1.0, 188.0 / 255.0], 1e-6);
    let fault = load("n.dds", &Dds::dxgi(84, 1, 1).file(&pair), Some(Transfer::Srgb)).err().unwrap().to_string();
    assert!(fault.starts_with("n.dds: ") && fault.contains("signed format BC5_SNORM"), "{fault}");
}

#[test]
fn a_dx9_file_needs_a_colour_space() {
    let bytes = Dds::four_cc(b"DXT1", 4, 4).file(&[0; 8]);
    let fault = load("a.dds", &bytes, None).err().unwrap().to_string();
    assert!(fault.contains("a.dds") && fault.contains("\"colour_space\"") && fault.contains("DX9 DDS"), "{fault}");
}

#[test]
fn cubes_arrays_volumes_and_unread_formats_are_refused_by_name() {
    let plain = Dds::dxgi(28, 4, 4);
    for (dds, part) in [
        (Dds { caps2: 0x200, ..plain }, "a cube map"),
        (Dds { extended: [28, 3, 4, 1, 0], ..plain }, "a cube map"),
        (Dds { extended: [28, 3, 0, 3, 0], ..plain }, "an array of 3 layers"),
        (Dds { extended: [30, 3, 0, 1, 0], ..plain }, "DXGI format 30"),
        (Dds::four_cc(b"UYVY", 4, 4), "FourCC \"UYVY\""),
        (Dds::masks(0x20, 8, [0; 4], 4, 4), "pixel format of 8 bits"),
        (Dds { width: 0, ..plain }, "0 × 4"),
        (Dds { width: 1 << 20, ..plain }, "1048576 × 4"),
        (Dds { mips: 4, ..plain }, "4 mip levels of a 4 texels long image"),
        (Dds { height: 5, ..plain }, "level 0 (4 × 5 R8G8B8A8_UNORM) needs 80 bytes, 64 are left"),
    ] {
        let fault = load("bad.dds", &dds.file(&[0; 64]), Some(Transfer::Linear)).err().expect(part).to_string();
        assert!(fault.starts_with("bad.dds: ") && fault.contains(part), "{fault}");
    }
}
