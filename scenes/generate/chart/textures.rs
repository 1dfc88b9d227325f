//! The chart's textures: small, tiling, and each with something in every channel that its families read.

use std::f32::consts::{PI, TAU};
use std::path::Path;

use image::{Rgba, RgbaImage};

use crate::paint::{dots, encode, fractal, noise};

/// Linear RGBA of a place (u, v), v down.
type Paint = fn(f32, f32) -> [f32; 4];

/// (name, side in pixels, sRGB colour, paint); the PNG is `NAME.png`.
const PICTURES: &[(&str, u32, bool, Paint)] = &[
    ("brick", 64, true, brick),
    ("brick_n", 64, false, |u, v| packed(brick_height, u, v, 0.04, [ao(brick_height(u, v)), brick_height(u, v)])),
    ("stone", 64, true, stone),
    ("stone_n", 64, false, |u, v| packed(stone_height, u, v, 0.05, [ao(stone_height(u, v)), stone_height(u, v)])),
    ("moss", 64, true, |u, v| tone([0.07, 0.16, 0.03], moss_height(u, v), 0.95)),
    ("moss_n", 64, false, |u, v| packed(moss_height, u, v, 0.04, [1.0, 0.7])),
    ("asphalt", 64, true, |u, v| tone([0.09, 0.09, 0.095], grain(u, v), 0.75 + 0.2 * grain(u, v))),
    ("asphalt_n", 64, false, |u, v| packed(grain, u, v, 0.01, [1.0, grain(u, v)])),
    ("sand", 32, true, |u, v| tone([0.55, 0.42, 0.24], grain(u, v), 0.9)),
    ("metal_rma", 64, false, metal_rma),
    ("modulate", 32, false, modulate),
    ("blotches", 32, false, |u, v| [0.5 + 1.4 * (fractal(u, v, 3, 3, 61) - 0.5); 4]),
    ("masks", 32, false, masks),
    ("leaf", 64, true, leaf),
    ("leaf_n", 64, false, |u, v| packed(leaf_height, u, v, 0.05, [1.0, 0.55])),
    ("occlusion", 32, false, |u, v| [1.0, 1.0, 0.35 + 0.65 * fractal(u, v, 4, 3, 91), 1.0]),
    ("flipbook", 64, true, flipbook),
    ("flags", 64, true, flags),
    ("creases_n", 32, false, |u, v| packed(|u, v| 0.5 + 0.5 * (TAU * (2.0 * u + v)).sin(), u, v, 0.05, [1.0, 1.0])),
    ("facade", 64, true, facade),
    ("facade_lit", 64, true, facade_lit),
    ("facade_vc", 32, false, |_, v| [if v < 0.5 { 0.0 } else { 1.0 }, v, 0.0, 1.0]),
    ("palette", 8, true, |u, v| [0.95 - 0.8 * u, 0.3, 0.9 - 0.7 * v, 1.0]),
    ("badge", 64, true, badge),
    ("badge_n", 64, false, |u, v| packed(badge_height, u, v, 0.05, [1.0, 1.0])),
    ("badge_rma", 32, false, |u, v| [0.2 + 0.3 * noise(u, v, 8, 5), 0.0, 0.8, 1.0]),
    ("worn_line", 64, false, |u, v| [worn_line(u, v), 0.0, 0.0, 1.0]),
    ("slopes", 64, false, |u, v| {
        with_alpha(packed(moss_height, u, v, 0.08, [0.0, 0.0]), 0.6 + 0.4 * moss_height(u, v))
    }),
    ("land", 64, true, land),
    ("gloss", 32, false, |u, v| [0.3 + 0.6 * fractal(u, v, 3, 3, 17), 0.0, 0.0, 0.0]),
    ("tree_views", 64, true, tree_views),
    ("tree_views_n", 64, false, tree_views_n),
    ("raw_n", 32, false, |u, v| [0.25 * (TAU * u).sin().max(0.0), 0.25 * (TAU * v).sin().max(0.0), 0.95, 1.0]),
    ("mad_n", 64, false, |u, v| mad_packed(stone_height, u, v, [stripe(u), 0.25 + 0.5 * stone_height(u, v)])),
    ("mad_brick_n", 64, false, |u, v| mad_packed(brick_height, u, v, [0.0, 0.85])),
    ("mad_mask", 32, false, |u, v| [stripe(v), 0.0, 0.4 + 0.6 * fractal(u, v, 4, 2, 3), 1.0]),
    ("zones", 32, false, |u, v| [(u * 3.0).floor() * 0.4 + 0.1, if v > 0.66 { u } else { 0.0 }, 0.0, 1.0]),
    ("glow", 64, false, |u, v| with_alpha([digits(u, v), 0.0, digits(u, v), 0.0], 0.0)),
];

/// Writes all of them, and the one that PNG cannot hold.
pub fn write(folder: &Path) -> crate::Made {
    for (name, side, srgb, paint) in PICTURES {
        let at = |x: u32| (x as f32 + 0.5) / *side as f32;
        let picture = RgbaImage::from_fn(*side, *side, |x, y| {
            let [r, g, b, a] = paint(at(x), at(y));
            let [r, g, b] = [r, g, b].map(|c| if *srgb { encode(c) } else { c });
            Rgba([r, g, b, a].map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8))
        });
        picture.save(folder.join(format!("{name}.png")))?;
    }
    Ok(std::fs::write(folder.join("led_dots.dds"), led_dots())?)
}

/// `[textures.*]`: one entry a picture, so that materials name it.
pub fn entries() -> String {
    let entry = |(name, _, srgb, _): &(&str, u32, bool, Paint)| {
        let space = if *srgb { "srgb" } else { "linear" };
        format!("{name} = {{ file = \"{name}.png\", colour_space = \"{space}\" }}\n")
    };
    let entries: String = PICTURES.iter().map(entry).collect();
    format!("[textures]\n{entries}led_dots = \"led_dots.dds\"\n")
}

/// A 16 × 16 R8_SNORM DDS with a DX10 header: one LED's dot, negative between the dots.
fn led_dots() -> Vec<u8> {
    const SIDE: u32 = 16;
    let mut header = [0u32; 37];
    header[0] = u32::from_le_bytes(*b"DDS ");
    // Size; caps, height, width, pitch, pixel format; height, width, pitch.
    header[1..6].copy_from_slice(&[124, 0x100f, SIDE, SIDE, SIDE]);
    header[19..22].copy_from_slice(&[32, 4, u32::from_le_bytes(*b"DX10")]);
    header[27] = 0x1000;
    // DXGI_FORMAT_R8_SNORM, a 2D texture, one element.
    header[32..37].copy_from_slice(&[63, 3, 0, 1, 0]);
    let mut file: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
    for index in 0..SIDE * SIDE {
        let at = |i: u32| (i as f32 + 0.5) / SIDE as f32 - 0.5;
        let (x, y) = (at(index % SIDE), at(index / SIDE));
        let dot = 1.0 - 2.6 * (x * x + y * y).sqrt();
        file.push((dot.clamp(-0.2, 1.0) * 127.0).round() as i8 as u8);
    }
    file
}

fn with_alpha([r, g, b, _]: [f32; 4], a: f32) -> [f32; 4] {
    [r, g, b, a]
}

/// A colour, lighter where `level` is high; alpha as given (roughness in most families).
fn tone(colour: [f32; 3], level: f32, a: f32) -> [f32; 4] {
    let [r, g, b] = colour.map(|c| c * (0.55 + 0.9 * level));
    [r, g, b, a]
}

/// x, y of a height field's normal for the decode with −B·y (green down), as bytes hold them; then two more channels.
fn packed(height: fn(f32, f32) -> f32, u: f32, v: f32, depth: f32, rest: [f32; 2]) -> [f32; 4] {
    let step = 1.0 / 64.0;
    let slope_u = (height(u + step, v) - height(u - step, v)) / (2.0 * step) * depth;
    let slope_v = (height(u, v + step) - height(u, v - step)) / (2.0 * step) * depth;
    let length = (slope_u * slope_u + slope_v * slope_v + 1.0).sqrt();
    [0.5 - 0.5 * slope_u / length, 0.5 - 0.5 * slope_v / length, rest[0], rest[1]]
}

/// As [`packed`] for the decode with +B·y (green up), blue metalness, alpha roughness.
fn mad_packed(height: fn(f32, f32) -> f32, u: f32, v: f32, rest: [f32; 2]) -> [f32; 4] {
    let [x, y, b, a] = packed(height, u, v, 0.05, rest);
    [x, 1.0 - y, b, a]
}

fn ao(height: f32) -> f32 {
    0.5 + 0.5 * height
}

fn stripe(x: f32) -> f32 {
    f32::from(u8::from((x * 4.0).fract() < 0.5))
}

/// 1 on a brick, 0 in the mortar.
fn brick_height(u: f32, v: f32) -> f32 {
    let row = (v * 6.0).rem_euclid(6.0);
    let x = (u * 3.0 + 0.5 * (row.floor() % 2.0)).rem_euclid(1.0);
    let edge = (x.min(1.0 - x) * 2.0).min(row.fract().min(1.0 - row.fract()));
    ((edge - 0.06) * 12.0).clamp(0.0, 1.0)
}

fn brick(u: f32, v: f32) -> [f32; 4] {
    let h = brick_height(u, v);
    let shade = 0.7 + 0.5 * fractal(u, v, 6, 3, 2);
    let [r, g, b] = [0.42, 0.12, 0.07].map(|c| c * shade * h + 0.33 * (1.0 - h));
    [r, g, b, 0.9 - 0.25 * h]
}

fn stone_height(u: f32, v: f32) -> f32 {
    let (u, v) = (u.rem_euclid(1.0), v.rem_euclid(1.0));
    (1.6 * fractal(u, v, 4, 4, 31) - 0.3).clamp(0.0, 1.0)
}

fn stone(u: f32, v: f32) -> [f32; 4] {
    tone([0.34, 0.31, 0.27], stone_height(u, v), 0.6 + 0.3 * noise(u, v, 8, 9))
}

fn moss_height(u: f32, v: f32) -> f32 {
    fractal(u.rem_euclid(1.0), v.rem_euclid(1.0), 8, 3, 51)
}

fn grain(u: f32, v: f32) -> f32 {
    noise(u.rem_euclid(1.0), v.rem_euclid(1.0), 32, 7)
}

/// Roughness, metalness and occlusion of plates: bare metal between painted squares.
fn metal_rma(u: f32, v: f32) -> [f32; 4] {
    let painted = stripe(u) != stripe(v);
    let rough = if painted { 0.7 } else { 0.22 + 0.15 * noise(u, v, 16, 4) };
    [rough, if painted { 0.0 } else { 1.0 }, 0.6 + 0.4 * fractal(u, v, 4, 3, 6), 1.0]
}

/// Blotches about one half: brightness, saturation, roughness, roughness.
fn modulate(u: f32, v: f32) -> [f32; 4] {
    [1, 2, 3, 4].map(|seed| 0.5 + 1.1 * (fractal(u, v, 3, 3, 60 + seed) - 0.5))
}

/// Layer masks: red grows to the right, green downward, blue and alpha are blotches.
fn masks(u: f32, v: f32) -> [f32; 4] {
    [u, v, fractal(u, v, 4, 2, 70), fractal(u, v, 5, 2, 71)]
}

fn leaf_height(u: f32, v: f32) -> f32 {
    let (x, y) = (u - 0.5, v - 0.5);
    (1.0 - 6.0 * x.abs()).max(0.0) * 0.5 + 0.25 * (TAU * 5.0 * (y + x.abs())).sin()
}

fn leaf(u: f32, v: f32) -> [f32; 4] {
    let width = 0.42 * (PI * v).sin() * (1.0 - 0.35 * v);
    let inside = ((width - (u - 0.5).abs()) * 24.0 + 0.5).clamp(0.0, 1.0);
    let vein = leaf_height(u, v);
    [0.10 + 0.10 * vein, 0.26 + 0.16 * vein, 0.04, inside]
}

/// Two digits 1 to 4 on two by two frames, each in its colour.
fn flipbook(u: f32, v: f32) -> [f32; 4] {
    let (column, row) = ((u * 2.0) as u32, (v * 2.0) as u32);
    let frame = row * 2 + column;
    let lit = dots(11 * (frame + 1), (u * 2.0).fract(), (v * 2.0).fract());
    let colour = [[1.0, 0.35, 0.05], [0.1, 0.9, 1.0], [0.2, 1.0, 0.2], [1.0, 0.1, 0.7]][frame.min(3) as usize];
    let [r, g, b] = colour.map(|c: f32| 0.03 + c * lit);
    [r, g, b, 1.0]
}

fn digits(u: f32, v: f32) -> f32 {
    dots(35, u, v)
}

/// An atlas of two flags side by side, with swallowtails in alpha.
fn flags(u: f32, v: f32) -> [f32; 4] {
    let (x, second) = ((u * 2.0).fract(), u >= 0.5);
    let tail = f32::from(u8::from(x < 0.98 - 0.25 * (1.0 - (2.0 * v - 1.0).abs())));
    let checker = ((x * 6.0) as u32 + (v * 4.0) as u32).is_multiple_of(2);
    let [r, g, b] = match (second, checker) {
        (false, true) => [0.8; 3],
        (false, false) => [0.02; 3],
        (true, _) if v < 1.0 / 3.0 => [0.02, 0.10, 0.55],
        (true, _) if v < 2.0 / 3.0 => [0.85, 0.80, 0.70],
        (true, _) => [0.65, 0.02, 0.04],
    };
    [r, g, b, tail]
}

fn window(u: f32, v: f32) -> bool {
    let (x, y) = ((u * 4.0).fract(), (v * 5.0).fract());
    (0.25..0.75).contains(&x) && (0.2..0.75).contains(&y)
}

fn facade(u: f32, v: f32) -> [f32; 4] {
    if window(u, v) { [0.05, 0.07, 0.10, 1.0] } else { tone([0.5, 0.47, 0.42], fractal(u, v, 8, 2, 8), 1.0) }
}

fn facade_lit(u: f32, v: f32) -> [f32; 4] {
    let on = window(u, v) && noise((u * 4.0).floor() / 4.0 + 0.01, (v * 5.0).floor() / 5.0 + 0.01, 20, 12) > 0.45;
    if on { [1.0, 0.72, 0.35, 1.0] } else { [0.0, 0.0, 0.0, 1.0] }
}

fn badge_height(u: f32, v: f32) -> f32 {
    let r = ((u - 0.5).powi(2) + (v - 0.5).powi(2)).sqrt();
    ((0.46 - r) * 14.0).clamp(0.0, 1.0) * (1.0 - ((0.34 - r) * 14.0).clamp(0.0, 0.6))
}

/// A round badge with a number, transparent around it.
fn badge(u: f32, v: f32) -> [f32; 4] {
    let r = ((u - 0.5).powi(2) + (v - 0.5).powi(2)).sqrt();
    let number = dots(7, u * 1.6 - 0.3, v * 1.6 - 0.3);
    let [r_, g, b] =
        if r > 0.36 { [0.75, 0.05, 0.03] } else { [0.85 - 0.8 * number, 0.85 - 0.8 * number, 0.8 - 0.75 * number] };
    [r_, g, b, ((0.46 - r) * 30.0).clamp(0.0, 1.0)]
}

fn worn_line(u: f32, v: f32) -> f32 {
    let inside = ((0.3 - (v - 0.5).abs()) * 30.0).clamp(0.0, 1.0);
    inside * ((fractal(u, v, 6, 3, 41) - 0.28) * 6.0).clamp(0.0, 1.0)
}

fn land(u: f32, v: f32) -> [f32; 4] {
    let grass = ((fractal(u, v, 3, 4, 77) - 0.45) * 8.0).clamp(0.0, 1.0);
    let mix = |a: f32, b: f32| a + (b - a) * grass;
    [mix(0.42, 0.12), mix(0.33, 0.28), mix(0.2, 0.06), 1.0]
}

/// Distance from the middle of a view's crown, in its radii, and the view's frame-local place.
fn crown(u: f32, v: f32) -> (f32, f32, f32) {
    let (x, y) = ((u * 4.0).fract() - 0.5, 0.42 - (v * 4.0).fract());
    ((x * x + y * y).sqrt() / 0.34, x / 0.34, y / 0.34)
}

/// Four by four views of one tree, as hemi-octahedral impostors hold them; the four inner ones look down, and are lighter.
fn tree_views(u: f32, v: f32) -> [f32; 4] {
    let (r, x, y) = crown(u, v);
    let inner = |t: f32| (0.25..0.75).contains(&t);
    let light = if inner(u) && inner(v) { 1.6 } else { 1.0 } * (0.7 + 0.5 * noise(u, v, 32, 23));
    let trunk = x.abs() < 0.18 && y < 0.0 && y > -1.6;
    let ragged = 0.9 + 0.2 * noise(u, v, 48, 24);
    if r < ragged {
        return [0.08 * light, 0.22 * light, 0.04 * light, 1.0];
    }
    [0.16, 0.10, 0.06, f32::from(u8::from(trunk))]
}

/// Object-space normals of the crown as a half ball that each view sees from its own side; alpha is roughness.
fn tree_views_n(u: f32, v: f32) -> [f32; 4] {
    let (r, x, y) = crown(u, v);
    let depth = (1.0 - (r * r).min(0.98)).sqrt();
    let at = |t: f32| (t * 4.0).floor().clamp(0.0, 3.0) / 1.5 - 1.0;
    let (a, b) = (at(u), at(v));
    let towards = glam::vec3((a + b) * 0.5, (1.0 - (a + b).abs() * 0.5 - (b - a).abs() * 0.5).max(0.0), (b - a) * 0.5);
    let towards = towards.normalize_or(glam::Vec3::Y);
    // The game frame is left-handed: right of a viewer who looks along −towards.
    let right = towards.cross(glam::Vec3::Y).normalize_or(glam::Vec3::X);
    let up = right.cross(towards);
    let n = (right * x + up * y + towards * depth).normalize_or(towards) * 0.5 + 0.5;
    [n.x, n.y, n.z, 0.8]
}
