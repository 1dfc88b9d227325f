//! Radiance HDR pictures; traps 47 and 49.

use scrutineer::texture::{FloatImage, float};

/// Reads a picture written to a file.
fn read(header: &str, data: &[u8]) -> Result<FloatImage, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.hdr");
    std::fs::write(&path, [header.as_bytes(), data].concat()).unwrap();
    float::read(&path).map_err(|fault| fault.to_string())
}

/// Red `2ⁿ`: mantissa 128 and exponent 129 + n.
fn red(n: u8) -> [u8; 4] {
    [128, 0, 0, 129 + n]
}

fn reds(image: &FloatImage) -> Vec<f32> {
    image.texels.iter().map(|texel| texel[0]).collect()
}

#[test]
fn flat_scanlines_comments_and_other_signatures_are_read() {
    let data = [red(0), red(1), red(2), red(3)].concat();
    for header in [
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n",
        "#?RGBE\n# a comment with = in it\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n",
        "#?RADIANCE\nSOFTWARE=ours\nVIEW= -vtv -vh 45\n\n-Y 2 +X 2\n",
        "#?AUTOPANO\r\nFORMAT=32-bit_rle_rgbe\r\n\r\n-Y 2 +X 2\r\n",
    ] {
        let image = read(header, &data).unwrap();
        assert_eq!((image.width, image.height), (2, 2));
        assert_eq!(reds(&image), [1.0, 2.0, 4.0, 8.0], "{header}");
        assert!(image.texels.iter().all(|texel| texel[1..] == [0.0, 0.0, 1.0]));
    }
}

#[test]
fn exposures_multiply_and_are_divided_away() {
    let header = "#?RADIANCE\nEXPOSURE=4\nEXPOSURE= 0.5\nCOLORCORR=1 2 4\n\n-Y 1 +X 1\n";
    let image = read(header, &[128, 128, 128, 132]).unwrap();
    assert_eq!(image.texels[0], [4.0, 2.0, 1.0, 1.0]);
    let fault = read("#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n", &red(0)).unwrap_err();
    assert!(fault.contains("EXPOSURE=0; allowed: 1 positive numbers"), "{fault}");
}

#[test]
fn run_length_coded_scanlines_are_read() {
    // 8 texels: red runs of 128, green literal 1..=8, blue a run of 0, exponent 136 throughout (mantissas as they are)
    let line = [&[2, 2, 0, 8, 128 + 8, 128][..], &[8, 1, 2, 3, 4, 5, 6, 7, 8], &[128 + 8, 0], &[128 + 8, 136]].concat();
    let image = read("#?RADIANCE\n\n-Y 1 +X 8\n", &line).unwrap();
    let greens: Vec<f32> = image.texels.iter().map(|texel| texel[1]).collect();
    assert_eq!(greens, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert!(reds(&image).iter().all(|red| *red == 128.0));
}

#[test]
fn old_repeats_are_read() {
    // a texel, two repeats of it, another texel
    let data = [red(1), [1, 1, 1, 2], red(2)].concat();
    assert_eq!(reds(&read("#?RADIANCE\n\n-Y 1 +X 4\n", &data).unwrap()), [2.0, 2.0, 2.0, 4.0]);
    // counts in a row are digits of base 256: 1 + 1 · 256
    let long = [red(1), [1, 1, 1, 1], [1, 1, 1, 1]].concat();
    assert_eq!(reds(&read("#?RADIANCE\n\n-Y 1 +X 258\n", &long).unwrap()), [2.0; 258]);
}

#[test]
fn trap_49_every_orientation_comes_upright() {
    // upright: 1 2 4 over 8 16 32
    let upright = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    for (resolution, stored) in [
        ("-Y 2 +X 3", [0, 1, 2, 3, 4, 5]),
        ("-Y 2 -X 3", [2, 1, 0, 5, 4, 3]),
        ("+Y 2 +X 3", [3, 4, 5, 0, 1, 2]),
        ("+Y 2 -X 3", [5, 4, 3, 2, 1, 0]),
        ("+X 3 -Y 2", [0, 3, 1, 4, 2, 5]),
        ("+X 3 +Y 2", [3, 0, 4, 1, 5, 2]),
        ("-X 3 -Y 2", [2, 5, 1, 4, 0, 3]),
        ("-X 3 +Y 2", [5, 2, 4, 1, 3, 0]),
    ] {
        let image = read(&format!("#?RADIANCE\n\n{resolution}\n"), &stored.map(red).concat()).unwrap();
        assert_eq!((image.width, image.height), (3, 2), "{resolution}");
        assert_eq!(reds(&image), upright, "{resolution}");
    }
}

#[test]
fn broken_pictures_are_refused() {
    for (header, data, part) in [
        ("#?RADIANCE\n", &[][..], "the header has no end"),
        ("#?RADIANCE\n\n+Z 1 +X 1\n", &red(0), "resolution line \"+Z 1 +X 1\""),
        ("#?RADIANCE\n\n-Y 1 +Y 1\n", &red(0), "resolution line"),
        ("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n", &red(0), "FORMAT=32-bit_rle_xyze"),
        ("#?RADIANCE\n\n-Y 1 +X 2\n", &red(0), "scanline 0: the file ends"),
        ("#?RADIANCE\n\n-Y 1 +X 2\n", &[1, 1, 1, 1], "a repeat of the wrong length"),
        ("#?RADIANCE\n\n-Y 1 +X 8\n", &[2, 2, 0, 9], "9 texels instead of 8"),
        ("#?RADIANCE\n\n-Y 1 +X 8\n", &[2, 2, 0, 8, 255, 0], "a run of the wrong length"),
        ("#?RADIANCE\n\n-Y 1 +X 8\n", &[2, 2, 0, 8, 0, 0], "a run of the wrong length"),
        ("#?RADIANCE\n\n-Y 100000 +X 100000\n", &[], "cannot hold 100000 × 100000"),
    ] {
        let fault = read(header, data).unwrap_err();
        assert!(fault.contains(part) && fault.contains("test.hdr"), "{header}: {fault}");
    }
}
