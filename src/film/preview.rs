//! A PNG to look at: the beauty through a view transform.

use std::path::Path;

use glam::Vec3;
use image::{ImageEncoder, codecs::png::PngEncoder};
use rayon::prelude::*;

use super::atomic;
use super::view::View;

/// Writes interleaved linear Rec.709 (`width · height · 3` values, row by row) as an 8-bit PNG for an sRGB display, whole
/// or not at all. `exposure` is in stops. Errors: a size that does not fit the values, or the file.
pub fn write_png(path: &Path, rgb: &[f32], width: u32, height: u32, view: View, exposure: f32) -> Result<(), String> {
    let fail = |error: String| format!("cannot write {}: {error}", path.display());
    if rgb.is_empty() || rgb.len() as u64 != 3 * u64::from(width) * u64::from(height) {
        return Err(fail(format!("{} values are not {width}×{height} pixels of RGB", rgb.len())));
    }
    let bytes = display_bytes(rgb, view, exposure);
    let mut png = Vec::new();
    let encoder = PngEncoder::new(&mut png);
    let encoded = encoder.write_image(&bytes, width, height, image::ExtendedColorType::Rgb8);
    encoded.map_err(|error| fail(error.to_string()))?;
    atomic::write_bytes(path, &png)
}

/// 8-bit display values of interleaved linear Rec.709.
pub fn display_bytes(rgb: &[f32], view: View, exposure: f32) -> Vec<u8> {
    let scale = exposure.exp2();
    let (pixels, _) = rgb.as_chunks::<3>();
    let display = |pixel: &[f32; 3]| {
        let values = view.apply(Vec3::from_array(*pixel) * scale).to_array();
        values.map(|v| (v * 255.0).round() as u8)
    };
    pixels.par_iter().map(display).collect::<Vec<[u8; 3]>>().into_flattened()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_holds_the_viewed_pixels_with_exposure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.png");
        let rgb = [0.5, 0.0, f32::NAN, 0.25, 0.125, 8.0];
        write_png(&path, &rgb, 2, 1, View::Srgb, 1.0).unwrap();
        let read = image::open(&path).unwrap().into_rgb8();
        assert_eq!(read.dimensions(), (2, 1));
        assert_eq!(read.into_raw(), [255, 0, 0, 188, 137, 255]);
    }

    #[test]
    fn a_size_that_does_not_fit_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.png");
        assert!(write_png(&path, &[0.0; 5], 2, 1, View::Agx, 0.0).is_err());
        assert!(write_png(&path, &[], 0, 0, View::Agx, 0.0).is_err());
        assert!(!path.exists());
    }
}
