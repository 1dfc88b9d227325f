//! 8-bit pictures: what stands in the report where float values do not, and thumbnails.

use base64::{Engine, engine::general_purpose::STANDARD};
use image::codecs::{jpeg::JpegEncoder, png::PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::colour;
use super::look::Look;
use super::stored::Pixels;
use crate::compare::{Kind, PictureReport, Plane, Verdict};

/// Quality of the pictures, of JPEG's 100: artefacts are below a display step or two in smooth parts.
const QUALITY: u8 = 82;
const THUMB_QUALITY: u8 = 72;
/// Thumbnails fit in this, twice the size at which they are shown would be sharper and four times the bytes.
const THUMB: [usize; 2] = [192, 108];

/// An encoded picture.
pub struct Picture {
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

/// 8 bits a channel, 1 or 3 channels.
struct Raster {
    width: usize,
    height: usize,
    colour: ExtendedColorType,
    bytes: Vec<u8>,
}

impl Raster {
    fn jpeg(&self, quality: u8) -> Picture {
        let mut bytes = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        let encoded = encoder.write_image(&self.bytes, self.width as u32, self.height as u32, self.colour);
        // JPEG ends at 65,535 pixels a side.
        if encoded.is_err() { self.png() } else { Picture { mime: "image/jpeg", bytes } }
    }

    fn png(&self) -> Picture {
        let mut bytes = Vec::new();
        let encoder = PngEncoder::new(&mut bytes);
        let encoded = encoder.write_image(&self.bytes, self.width as u32, self.height as u32, self.colour);
        Picture { mime: "image/png", bytes: if encoded.is_ok() { bytes } else { Vec::new() } }
    }

    /// Lossless unless that is far larger: a false error beside a true one misleads.
    fn smaller(&self) -> Picture {
        let (png, jpeg) = (self.png(), self.jpeg(90));
        if png.bytes.len() <= 2 * jpeg.bytes.len() { png } else { jpeg }
    }
}

/// How a plane is shown, shrunk by `step` to the mean of `step` × `step` display colours.
pub fn values(plane: &Plane, look: &Look, step: usize) -> Picture {
    let raster = shown(plane, look, plane.width.div_ceil(step), plane.height.div_ceil(step));
    // Ids have hard edges and few colours.
    if *look == Look::Ids { raster.png() } else { raster.jpeg(QUALITY) }
}

fn shown(plane: &Plane, look: &Look, width: usize, height: usize) -> Raster {
    let grey = plane.channels == 1 && *look != Look::Ids;
    let row = |y: usize| {
        let rows = span(y, height, plane.height);
        (0..width).flat_map(move |x| mean(plane, look, span(x, width, plane.width), rows.clone())).collect::<Vec<u8>>()
    };
    let rgb: Vec<u8> = (0..height).into_par_iter().flat_map_iter(row).collect();
    match grey {
        true => Raster { width, height, colour: ExtendedColorType::L8, bytes: rgb.into_iter().step_by(3).collect() },
        false => Raster { width, height, colour: ExtendedColorType::Rgb8, bytes: rgb },
    }
}

/// The pixels of the large side that the `i`th of the small side stands for.
fn span(i: usize, small: usize, large: usize) -> std::ops::Range<usize> {
    let start = i * large / small;
    start..((i + 1) * large / small).max(start + 1)
}

fn mean(plane: &Plane, look: &Look, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> [u8; 3] {
    if *look == Look::Ids {
        return look.colour(plane.pixel(columns.start, rows.start));
    }
    let count = (columns.len() * rows.len()) as u32;
    let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let sum = pixels.map(|(x, y)| look.colour(plane.pixel(x, y))).fold([0_u32; 3], |sum, colour| {
        // One NaN colours its whole block: it must not vanish.
        if sum[0] == u32::MAX || colour == colour::NAN {
            [u32::MAX; 3]
        } else {
            std::array::from_fn(|k| sum[k] + u32::from(colour[k]))
        }
    });
    if sum[0] == u32::MAX { colour::NAN } else { sum.map(|sum| ((sum + count / 2) / count) as u8) }
}

/// Codes of errors: 254·√(error / max), so that small errors keep digits; 255 where only one value is finite. Shrunk by
/// `step` to the largest of each block.
pub fn differences(pixels: &Pixels, step: usize) -> Picture {
    let (width, height) = (pixels.test.width.div_ceil(step), pixels.test.height.div_ceil(step));
    let max = pixels.scales[0].max;
    let code = |error: f64| match error {
        e if e.is_nan() => 255,
        _ if max <= 0.0 => 0,
        e => (254.0 * (e / max).sqrt()).round().min(254.0) as u8,
    };
    let bytes = largest(pixels, width, height).into_iter().map(code).collect();
    Raster { width, height, colour: ExtendedColorType::L8, bytes }.smaller()
}

/// The largest error of each block, NaN above all.
fn largest(pixels: &Pixels, width: usize, height: usize) -> Vec<f64> {
    let worse = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    let block = move |x: usize, y: usize| {
        let columns = span(x, width, pixels.test.width);
        let places = span(y, height, pixels.test.height).flat_map(|y| columns.clone().map(move |x| (x, y)));
        places.map(|(x, y)| pixels.error(0, y * pixels.test.width + x)).fold(0.0, worse)
    };
    (0..height).into_par_iter().flat_map_iter(|y| (0..width).map(move |x| block(x, y))).collect()
}

/// ꟻLIP errors in steps of 1/255.
pub fn flip(map: &Plane, step: usize) -> Picture {
    shown(map, &Look::Range(vec![[0.0, 1.0]]), map.width.div_ceil(step), map.height.div_ceil(step)).smaller()
}

/// The AOV whose thumbnails stand for the picture: light that differs, else what differs, else light, else the first.
pub fn representative(picture: &PictureReport) -> Option<usize> {
    let rank = |verdict: Verdict, kind: Kind| match (verdict == Verdict::Different, kind == Kind::Lighting) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3,
    };
    let ranked = picture.aovs.iter().enumerate();
    ranked.min_by_key(|(index, aov)| (rank(aov.verdict, aov.kind), *index)).map(|(index, _)| index)
}

/// Small pictures of the test and of its errors, as data URLs with a description.
pub fn thumbs(pixels: &Pixels, name: &str) -> Vec<Value> {
    let (width, height) = fitted(pixels.test.width, pixels.test.height);
    if width == 0 || height == 0 {
        return Vec::new();
    }
    let test = shown(&pixels.test, &pixels.look, width, height);
    let top = pixels.scales[0].top;
    let hot = |error: f64| if error.is_nan() { colour::NAN } else { colour::heat(error / top) };
    let bytes = largest(pixels, width, height).into_iter().flat_map(hot).collect();
    let errors = Raster { width, height, colour: ExtendedColorType::Rgb8, bytes };
    let url = |raster: &Raster, what: &str| {
        let picture = raster.jpeg(THUMB_QUALITY);
        json!({ "data": format!("data:{};base64,{}", picture.mime, STANDARD.encode(&picture.bytes)), "what": format!("{name}: {what}") })
    };
    vec![url(&test, "test"), url(&errors, "difference")]
}

fn fitted(width: usize, height: usize) -> (usize, usize) {
    if width == 0 || height == 0 {
        return (0, 0);
    }
    let scale = (THUMB[0] as f64 / width as f64).min(THUMB[1] as f64 / height as f64).min(1.0);
    let side = |length: usize| ((length as f64 * scale).round() as usize).max(1);
    (side(width), side(height))
}
