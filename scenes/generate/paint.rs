//! Procedural textures: value noise, weathering, and sign faces.

use std::path::Path;

use image::{Rgb, RgbImage, Rgba, RgbaImage};

/// A hash of lattice coordinates, 0..1.
fn lattice(x: i32, y: i32, seed: u32) -> f32 {
    let mut h =
        (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

/// Tiling value noise with `cells` lattice cells over 0..1.
pub fn noise(u: f32, v: f32, cells: i32, seed: u32) -> f32 {
    let (x, y) = (u * cells as f32, v * cells as f32);
    let (i, j) = (x.floor(), y.floor());
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (smooth(x - i), smooth(y - j));
    let at = |dx: i32, dy: i32| lattice((i as i32 + dx).rem_euclid(cells), (j as i32 + dy).rem_euclid(cells), seed);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * fx;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * fx;
    low + (high - low) * fy
}

/// Tiling fractal noise, about 0..1.
pub fn fractal(u: f32, v: f32, cells: i32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut amplitude, mut total) = (0.0, 1.0, 0.0);
    for octave in 0..octaves {
        sum += amplitude * noise(u, v, cells << octave, seed + octave);
        total += amplitude;
        amplitude *= 0.55;
    }
    sum / total
}

/// Writes an image whose pixels are `paint(u, v)`, linear 0..1; `srgb` encodes them.
pub fn write(path: &Path, size: [u32; 2], srgb: bool, paint: impl Fn(f32, f32) -> [f32; 3]) -> image::ImageResult<()> {
    let picture = RgbImage::from_fn(size[0], size[1], |x, y| {
        let (u, v) = ((x as f32 + 0.5) / size[0] as f32, (y as f32 + 0.5) / size[1] as f32);
        Rgb(paint(u, v).map(|c| ((if srgb { encode(c) } else { c }).clamp(0.0, 1.0) * 255.0).round() as u8))
    });
    picture.save(path)
}

/// A tangent-space normal map (green up) of a height field, heights in texture widths.
pub fn write_normals(path: &Path, size: u32, height: impl Fn(f32, f32) -> f32) -> image::ImageResult<()> {
    let step = 1.0 / size as f32;
    write(path, [size, size], false, |u, v| {
        let slope_u = (height(u + step, v) - height(u - step, v)) / (2.0 * step);
        let slope_v = (height(u, v - step) - height(u, v + step)) / (2.0 * step);
        let length = (slope_u * slope_u + slope_v * slope_v + 1.0).sqrt();
        [-slope_u, -slope_v, 1.0].map(|c| c / length * 0.5 + 0.5)
    })
}

/// Writes an image whose pixels are `paint(u, v)`, linear 0..1, with an alpha; the colour is sRGB-encoded.
pub fn write_cut_out(path: &Path, size: [u32; 2], paint: impl Fn(f32, f32) -> [f32; 4]) -> image::ImageResult<()> {
    let [width, height] = size;
    let image = RgbaImage::from_fn(width, height, |x, y| {
        let [r, g, b, a] = paint((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32);
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
        Rgba([byte(encode(r)), byte(encode(g)), byte(encode(b)), byte(a)])
    });
    image.save(path)
}

/// Linear → sRGB.
pub fn encode(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Five by seven dots of the digits, a row a number, high bit left.
const DIGITS: [[u8; 7]; 10] = [
    [14, 17, 19, 21, 25, 17, 14],
    [4, 12, 4, 4, 4, 4, 14],
    [14, 17, 1, 2, 4, 8, 31],
    [31, 2, 4, 2, 1, 17, 14],
    [2, 6, 10, 18, 31, 2, 2],
    [31, 16, 30, 1, 1, 17, 14],
    [6, 8, 16, 30, 17, 17, 14],
    [31, 1, 2, 4, 8, 8, 8],
    [14, 17, 17, 14, 17, 17, 14],
    [14, 17, 17, 15, 1, 2, 12],
];

/// How much of a lit dot covers (u, v) on a sign that shows `number` in two digits of round dots, 0..1.
pub fn dots(number: u32, u: f32, v: f32) -> f32 {
    let (x, y) = (u * 15.0 - 1.5, v * 9.0 - 1.0);
    if !(0.0..12.0).contains(&x) || !(0.0..7.0).contains(&y) {
        return 0.0;
    }
    let (column, row) = (x as usize, y as usize);
    let digit = if column < 6 { number / 10 % 10 } else { number % 10 };
    let bit = column % 6;
    let lit = bit < 5 && DIGITS[digit as usize][row] >> (4 - bit) & 1 == 1;
    let (dx, dy) = (x.fract() - 0.5, y.fract() - 0.5);
    let edge = (0.46 - (dx * dx + dy * dy).sqrt()) * 12.0;
    if lit { edge.clamp(0.0, 1.0) } else { 0.0 }
}
