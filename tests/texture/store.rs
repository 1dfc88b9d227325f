//! The store: entries, colour spaces, caching; traps 35 and 37.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat};
use scrutineer::material::bind::TextureSource;
use scrutineer::texture::{Address, Store, Transfer, describe};
use serde_json::json;

use crate::build::{Dds, assert_near, texel};

/// A folder with a DX10 file that says sRGB, one that says linear, a PNG and a DX9 file; all 1×1 of byte 188.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("srgb.dds", &Dds::dxgi(29, 1, 1).file(&[188; 4]));
    write("linear.dds", &Dds::dxgi(28, 1, 1).file(&[188; 4]));
    write("old.dds", &Dds::masks(0x41, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], 1, 1).file(&[188; 4]));
    write(
        "grey.png",
        &encoded(DynamicImage::ImageLuma8(image::GrayImage::from_pixel(1, 1, image::Luma([188]))), ImageFormat::Png),
    );
    folder
}

fn encoded(image: DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

const LIGHT: f32 = 0.502_886_5;

#[test]
fn trap_35_the_slot_wins_over_the_file_and_warns() {
    let folder = folder();
    let mut store = Store::new(folder.path(), None);
    let (asked, _) = store.open(&json!({ "file": "srgb.dds", "colour_space": "linear" })).unwrap();
    assert_near(texel(&asked, 0, 0), [188.0 / 255.0; 4], 0.0);
    let (asked, _) = store.open(&json!({ "file": "linear.dds", "colour_space": "srgb" })).unwrap();
    assert_near(texel(&asked, 0, 0), [LIGHT, LIGHT, LIGHT, 188.0 / 255.0], 1e-6);
    assert_eq!(
        store.warnings(),
        [
            "srgb.dds: the file says srgb, its slot asks for linear; the slot wins",
            "linear.dds: the file says linear, its slot asks for srgb; the slot wins",
        ]
    );
    let (own, _) = store.open(&json!("srgb.dds")).unwrap();
    assert_near(texel(&own, 0, 0), [LIGHT, LIGHT, LIGHT, 188.0 / 255.0], 1e-6);
    assert_eq!(store.warnings().len(), 2, "the file's own flag needs no warning");
}

#[test]
fn files_without_a_flag_need_the_key_or_the_default() {
    let folder = folder();
    let fault = Store::new(folder.path(), None).open(&json!("grey.png")).err().unwrap();
    assert!(
        fault.contains("grey.png") && fault.contains("\"colour_space\"") && fault.contains("PNG files carry none"),
        "{fault}"
    );
    let mut store = Store::new(folder.path(), Some(Transfer::Srgb));
    assert_near(texel(&store.open(&json!("grey.png")).unwrap().0, 0, 0), [LIGHT, LIGHT, LIGHT, 1.0], 1e-6);
    assert_near(texel(&store.open(&json!("old.dds")).unwrap().0, 0, 0), [LIGHT, LIGHT, LIGHT, 188.0 / 255.0], 1e-6);
    assert_near(texel(&store.open(&json!("linear.dds")).unwrap().0, 0, 0), [188.0 / 255.0; 4], 0.0);
    assert!(store.warnings().is_empty(), "a default is no override");
}

#[test]
fn a_file_is_loaded_once_a_colour_space() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let mut store = Store::new(folder.path(), None);
    store.preload(vec![("srgb.dds".into(), None), ("sub/../srgb.dds".into(), None), ("missing.dds".into(), None)]);
    let bytes = store.bytes();
    assert!(bytes > 0);
    let first = store.load_file(Path::new("srgb.dds"), None).unwrap();
    let again = store.load_file(Path::new("./sub/../srgb.dds"), None).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    assert_eq!(store.bytes(), bytes);
    let other = store.load_file(Path::new("srgb.dds"), Some(Transfer::Linear)).unwrap();
    assert!(!Arc::ptr_eq(&first, &other));
    assert_eq!(store.bytes(), 2 * bytes);
    let fault = store.load_file(Path::new("missing.dds"), None).err().unwrap().to_string();
    assert!(fault.contains("missing.dds: cannot be read"), "{fault}");
}

#[test]
fn the_sampler_is_the_entrys() {
    let folder = folder();
    let mut store = Store::new(folder.path(), None);
    let (_, sampler) = store.open(&json!({ "file": "srgb.dds", "address": ["clamp", "border"] })).unwrap();
    assert_eq!(sampler.address, [Address::Clamp, Address::Border]);
}

#[test]
fn trap_37_udim_tiles_are_refused() {
    let fault = Store::new(".", None).open(&json!({ "file": "tex.<UDIM>.dds" })).err().unwrap();
    assert!(fault.contains("UDIM tiles (<UDIM>) are not supported"), "{fault}");
}

#[test]
fn images_of_8_and_16_bits_are_exact() {
    let mut store = Store::new(".", None);
    let mut load = |name: &str, image: DynamicImage, format| {
        store
            .load_bytes(name, &encoded(image, format), Some(Transfer::Linear))
            .map(|texture| texel(&texture, 1, 0))
            .unwrap()
    };
    let rgba = image::RgbaImage::from_raw(2, 1, vec![0, 0, 0, 0, 1, 2, 3, 4]).unwrap();
    let expected = [1.0, 2.0, 3.0, 4.0].map(|v| v / 255.0);
    assert_eq!(load("a", DynamicImage::ImageRgba8(rgba.clone()), ImageFormat::Png), expected);
    assert_eq!(load("a.tga", DynamicImage::ImageRgba8(rgba), ImageFormat::Tga), expected);
    let rgb16 = image::ImageBuffer::from_raw(2, 1, vec![0, 0, 0, 1, 40000, 65535]).unwrap();
    assert_eq!(
        load("b", DynamicImage::ImageRgb16(rgb16), ImageFormat::Png),
        [1.0 / 65535.0, 40000.0 / 65535.0, 1.0, 1.0]
    );
    let grey = image::GrayAlphaImage::from_raw(2, 1, vec![0, 0, 9, 8]).unwrap();
    assert_eq!(load("c", DynamicImage::ImageLumaA8(grey), ImageFormat::Png), [9.0, 9.0, 9.0, 8.0].map(|v| v / 255.0));
    let flat = image::RgbImage::from_pixel(16, 16, image::Rgb([200, 100, 50]));
    let jpeg = load("d", DynamicImage::ImageRgb8(flat), ImageFormat::Jpeg);
    assert_near(jpeg, [200.0 / 255.0, 100.0 / 255.0, 50.0 / 255.0, 1.0], 0.02);
}

#[test]
fn a_png_palette_is_expanded() {
    // 2×1, two colours of a palette, one bit a texel
    let texture = Store::new(".", None).load_bytes("palette.png", &palette_png(), Some(Transfer::Linear)).unwrap();
    assert_eq!(texel(&texture, 0, 0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(texel(&texture, 1, 0), [0.0, 0.0, 1.0, 1.0]);
}

/// Writes the PNG chunk by chunk; its zlib stream is one stored block.
fn palette_png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        let body = [kind.as_slice(), data].concat();
        bytes.extend_from_slice(&(data.len() as u32).to_be_bytes());
        bytes.extend_from_slice(&body);
        bytes.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 1, 1, 3, 0, 0, 0]);
    chunk(b"PLTE", &[255, 0, 0, 0, 0, 255]);
    // filter 0, then the bits 01; Adler-32 of those two bytes
    let rows = [0u8, 0b0100_0000];
    let (a, b) = rows.iter().fold((1u32, 0u32), |(a, b), byte| (a + u32::from(*byte), b + a + u32::from(*byte)));
    let stored = [&[0x78, 0x01, 1, 2, 0, 0xfd, 0xff][..], &rows, &(b << 16 | a).to_be_bytes()].concat();
    chunk(b"IDAT", &stored);
    chunk(b"IEND", &[]);
    bytes
}

#[test]
fn files_are_described_by_their_headers() {
    let folder = folder();
    let srgb = describe(&folder.path().join("srgb.dds")).unwrap();
    assert_eq!((srgb.kind, srgb.format.as_str(), srgb.colour_space), ("DDS", "R8G8B8A8_UNORM_SRGB", Some("srgb")));
    assert_eq!((srgb.width, srgb.height, srgb.mips, srgb.layers, srgb.cube, srgb.bytes), (1, 1, 1, 1, false, 152));
    let grey = describe(&folder.path().join("grey.png")).unwrap();
    assert_eq!((grey.kind, grey.format.as_str(), grey.colour_space), ("PNG", "grey 8 bit", None));
    assert!(describe(&folder.path().join("none.dds")).is_err());
}
