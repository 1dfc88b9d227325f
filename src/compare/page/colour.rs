//! The colours of ids and errors, as `web/colour.js` makes them.

/// OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020) → linear Rec.709.
fn oklab(lightness: f64, a: f64, b: f64) -> [f64; 3] {
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
}

/// IEC 61966-2-1: linear → encoded.
pub fn encoded(v: f64) -> f64 {
    if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

/// 0..1 → 0..255; not a number → 0.
pub fn byte(v: f64) -> u8 {
    (v * 255.0).round().clamp(0.0, 255.0) as u8
}

/// Lightness, chroma and hue (degrees) → sRGB; chroma gives way until the colour is displayable.
fn lch(lightness: f64, chroma: f64, hue: f64) -> [u8; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    let mut c = chroma;
    loop {
        let rgb = oklab(lightness, c.max(0.0) * cos, c.max(0.0) * sin);
        if c <= 0.0 || rgb.iter().all(|v| (-0.0005..1.0005).contains(v)) {
            return rgb.map(|v| byte(encoded(v.max(0.0))));
        }
        c -= 0.004;
    }
}

/// An error from 0 to 1 as a colour: lightness rises evenly from near black to near white.
pub fn heat(t: f64) -> [u8; 3] {
    let t = f64::from(byte(t)) / 255.0;
    let chroma = 0.2 * (std::f64::consts::PI * (0.06 + 0.88 * t)).sin();
    lch(0.13 + 0.84 * t, chroma, -75.0 + 180.0 * t)
}

/// Not a number: a colour that no scale has.
pub const NAN: [u8; 3] = [255, 0, 255];
/// Infinite light.
pub const INF: [u8; 3] = [0, 229, 255];
/// Background: id 0, infinite depth.
pub const NOTHING: [u8; 3] = [52, 57, 64];

/// A colour for an id: steps of the golden angle keep neighbours apart.
pub fn id(id: u32) -> [u8; 3] {
    if id == 0 {
        return NOTHING;
    }
    let hue = (f64::from(id) * 137.507_76) % 360.0;
    lch(0.56 + 0.09 * f64::from(id % 4), 0.09 + 0.035 * f64::from(id % 3), hue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_errors_are_lighter() {
        let luminance = |t: f64| {
            let [r, g, b] = heat(t).map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let values: Vec<f64> = (0..=32).map(|i| luminance(f64::from(i) / 32.0)).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert!(values[0] < 20.0 && values[32] > 200.0);
    }

    #[test]
    fn neighbouring_ids_are_told_apart() {
        let far = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
        for (a, b) in (0..200).flat_map(|a| (1..8).map(move |step| (a, a + step))) {
            assert!(far(id(a), id(b)) > 24, "{a} and {b}: {:?} {:?}", id(a), id(b));
        }
    }
}
