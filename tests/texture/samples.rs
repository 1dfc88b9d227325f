//! Files that others made.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::GenericImageView;
use scrutineer::texture::{Store, Texture, Transfer, describe, float};

use crate::build::{assert_near, texel};
use crate::support::samples;

/// The files of a samples folder, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let Some(samples) = samples() else { return Vec::new() };
    let entries = std::fs::read_dir(samples.join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn load(path: &Path, transfer: Transfer) -> std::sync::Arc<Texture> {
    Store::new("", None).load_file(path, Some(transfer)).unwrap()
}

#[test]
fn every_dds_loads_but_the_broken_one() {
    for path in files("dds").iter().filter(|path| path.extension().is_some_and(|ending| ending == "dds")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let loaded = Store::new("", None).load_file(path, Some(Transfer::Linear));
        match loaded {
            Ok(texture) => {
                let description = describe(path).unwrap();
                assert_eq!(texture.size(), [description.width, description.height]);
                assert_eq!(texture.level_count(), description.mips);
            }
            Err(fault) => {
                assert_eq!(name, "tests_BC7UnormBroken.dds", "{fault}");
                assert!(fault.to_string().contains("tests_BC7UnormBroken.dds: damaged DDS file"), "{fault}");
            }
        }
    }
}

/// Every texel of `dds` against the decoded `png`, to half a byte and a rounding.
fn compare(dds: &Path, png: &Path) {
    let texture = load(dds, Transfer::Linear);
    let truth = image::open(png).unwrap();
    assert_eq!(texture.size(), [truth.width(), truth.height()]);
    for (x, y, expected) in truth.pixels() {
        assert_near(texel(&texture, x, y), expected.0.map(|byte| f32::from(byte) / 255.0), 1.01 / 255.0);
    }
}

#[test]
fn decoded_blocks_equal_their_truth() {
    let Some(folder) = samples().map(|samples| samples.join("dds")) else { return };
    compare(&folder.join("truth_bc1_r.dds"), &folder.join("truth_bc1_r.png"));
    compare(&folder.join("truth_bc2_g.dds"), &folder.join("truth_bc2_g.png"));
}

/// The mean difference of `channels` between two files of one picture.
fn difference(folder: &Path, a: &str, b: &str, channels: std::ops::Range<usize>) -> f32 {
    let [a, b] = [a, b].map(|name| load(&folder.join(name), Transfer::Linear));
    assert_eq!(a.size(), b.size());
    let [width, height] = a.size();
    let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let differences = texels.flat_map(|(x, y)| {
        let (a, b) = (texel(&a, x, y), texel(&b, x, y));
        channels.clone().map(move |channel| (a[channel] - b[channel]).abs())
    });
    differences.sum::<f32>() / (width * height) as f32 / channels.len() as f32
}

#[test]
fn one_picture_in_many_formats_is_one_picture() {
    let Some(folder) = samples().map(|samples| samples.join("dds")) else { return };
    for (a, b) in [
        ("DX10_BC1_UNORM.dds", "DX9_BC1_UNORM.dds"),
        ("DX10_BC2_UNORM.dds", "DX9_BC2_UNORM.dds"),
        ("DX10_BC3_UNORM.dds", "DX9_BC3_UNORM.dds"),
        ("DX10_BC4_SNORM.dds", "DX9_BC4_SNORM.dds"),
        ("DX10_BC4_UNORM.dds", "DX9_BC4_UNORM.dds"),
        ("DX10_BC5_SNORM.dds", "DX9_BC5_SNORM.dds"),
        ("DX10_BC5_UNORM.dds", "DX9_BC5_UNORM.dds"),
    ] {
        assert_eq!(difference(&folder, a, b, 0..4), 0.0, "{a} and {b}");
    }
    for (a, b, channels, tolerance) in [
        ("DX10_BC7_UNORM.dds", "DX10_BC3_UNORM.dds", 0..3, 0.03),
        ("DX10_BC5_UNORM.dds", "DX10_BC7_UNORM.dds", 0..2, 0.03),
        ("DX10_BC4_UNORM.dds", "DX10_BC7_UNORM.dds", 0..1, 0.03),
        ("DX10_BC6H_UF16.dds", "DX10_BC7_UNORM.dds", 0..3, 0.03),
        ("DX10_BC6H_SF16.dds", "DX10_BC6H_UF16.dds", 0..3, 0.03),
    ] {
        let found = difference(&folder, a, b, channels);
        assert!(found < tolerance, "{a} and {b} differ by {found}");
    }
}

#[test]
fn exr_files_load_or_say_why_not() {
    for path in files("exr") {
        let name = path.file_name().unwrap().to_str().unwrap();
        match float::read(&path) {
            Ok(image) => assert_eq!(image.texels.len(), image.width as usize * image.height as usize),
            Err(fault) => {
                let fault = fault.to_string();
                assert_eq!(name, "Rec709_YC.exr", "{fault}");
                assert!(fault.contains("not supported"), "{fault}");
            }
        }
    }
}

#[test]
fn exr_windows_are_respected() {
    let Some(folder) = samples().map(|samples| samples.join("exr")) else { return };
    // the data window is 0..400 × 0..300 in each; the display window covers it, lies in it, touches it, meets one texel
    let sizes = [("t01.exr", [400, 300]), ("t05.exr", [340, 260]), ("t09.exr", [200, 300]), ("t13.exr", [101, 101])];
    let [full, inside, beside, corner] = sizes.map(|(name, size)| {
        let image = float::read(&folder.join(name)).unwrap();
        assert_eq!([image.width, image.height], size, "{name}");
        image
    });
    assert_eq!(inside.texels[0], full.texels[20 * 400 + 30]);
    assert!(beside.texels.iter().all(|texel| *texel == [0.0; 4]));
    assert_eq!(corner.texels[0], full.texels[299 * 400 + 399]);
    assert!(corner.texels[1..].iter().all(|texel| *texel == [0.0; 4]));
}

#[test]
fn trap_45_luminance_chroma_is_refused() {
    let Some(folder) = samples() else { return };
    let fault = float::read(&folder.join("exr/Rec709_YC.exr")).unwrap_err().to_string();
    assert!(fault.contains("not supported") && fault.contains("luminance-chroma"), "{fault}");
}

#[test]
fn damaged_exr_files_end_in_time_with_one_error_or_an_image() {
    for path in files("exr/damaged") {
        let begin = Instant::now();
        if let Err(fault) = float::read(&path) {
            let fault = fault.to_string();
            assert!(fault.starts_with(path.to_str().unwrap()) && !fault.contains('\n'), "{fault}");
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{}: {:?}", path.display(), begin.elapsed());
    }
}

#[test]
fn a_panorama_has_the_sun_in_it() {
    let Some(folder) = samples() else { return };
    let image = float::read(&folder.join("environment/spiaggia_di_mondello_1k.hdr")).unwrap();
    assert_eq!((image.width, image.height), (1024, 512));
    let ours = image.texels.iter().map(|texel| texel[0]).fold(0.0, f32::max);
    // the image crate's own reader as the judge
    let theirs = image::open(folder.join("environment/spiaggia_di_mondello_1k.hdr")).unwrap().into_rgb32f();
    assert_eq!(ours, theirs.pixels().map(|pixel| pixel[0]).fold(0.0, f32::max));
    for (index, pixel) in theirs.pixels().enumerate() {
        assert_eq!(image.texels[index][..3], pixel.0);
    }
}
