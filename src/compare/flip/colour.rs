//! Colour spaces of ꟻLIP: linear Rec.709 ↔ XYZ ↔ YCxCz (opponent, linear in XYZ) and CIELab, white D65.
//!
//! Constants as the metric's authors publish them: another rounding of the Rec.709 matrix would change errors at 1e-4.

/// Linear Rec.709 → XYZ.
const XYZ: [[f64; 3]; 3] = [
    [10_135_552.0 / 24_577_794.0, 8_788_810.0 / 24_577_794.0, 4_435_075.0 / 24_577_794.0],
    [2_613_072.0 / 12_288_897.0, 8_788_810.0 / 12_288_897.0, 887_015.0 / 12_288_897.0],
    [1_425_312.0 / 73_733_382.0, 8_788_810.0 / 73_733_382.0, 70_074_185.0 / 73_733_382.0],
];

/// XYZ of (1, 1, 1).
const WHITE: [f64; 3] =
    [XYZ[0][0] + XYZ[0][1] + XYZ[0][2], XYZ[1][0] + XYZ[1][1] + XYZ[1][2], XYZ[2][0] + XYZ[2][1] + XYZ[2][2]];

/// Linear Rec.709 → XYZ relative to white, as float: rows sum to one.
const RELATIVE: [[f32; 3]; 3] = [row(0), row(1), row(2)];

/// Its inverse.
const INVERSE: [[f32; 3]; 3] = inverse();

const fn row(i: usize) -> [f32; 3] {
    [(XYZ[i][0] / WHITE[i]) as f32, (XYZ[i][1] / WHITE[i]) as f32, (XYZ[i][2] / WHITE[i]) as f32]
}

const fn inverse() -> [[f32; 3]; 3] {
    let m = [
        [XYZ[0][0] / WHITE[0], XYZ[0][1] / WHITE[0], XYZ[0][2] / WHITE[0]],
        [XYZ[1][0] / WHITE[1], XYZ[1][1] / WHITE[1], XYZ[1][2] / WHITE[1]],
        [XYZ[2][0] / WHITE[2], XYZ[2][1] / WHITE[2], XYZ[2][2] / WHITE[2]],
    ];
    let mut result = [[0.0; 3]; 3];
    let determinant = m[0][0] * cofactor(&m, 0, 0) + m[0][1] * cofactor(&m, 0, 1) + m[0][2] * cofactor(&m, 0, 2);
    let mut i = 0;
    while i < 3 {
        let mut j = 0;
        while j < 3 {
            result[i][j] = (cofactor(&m, j, i) / determinant) as f32;
            j += 1;
        }
        i += 1;
    }
    result
}

/// The cyclic minor carries its sign.
const fn cofactor(m: &[[f64; 3]; 3], i: usize, j: usize) -> f64 {
    let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
    m[a][c] * m[b][d] - m[a][d] * m[b][c]
}

fn transform(matrix: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// Linear Rec.709 → YCxCz.
pub fn opponent(rgb: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = transform(&RELATIVE, rgb);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// YCxCz → linear Rec.709.
pub fn from_opponent([y, cx, cz]: [f32; 3]) -> [f32; 3] {
    let y = (y + 16.0) / 116.0;
    transform(&INVERSE, [y + cx / 500.0, y, y - cz / 200.0])
}

/// Linear Rec.709 → CIELab with the Hunt effect: chroma counts less in the dark.
pub fn hunt_lab(rgb: [f32; 3]) -> [f32; 3] {
    const DELTA: f32 = 6.0 / 29.0;
    let curve = |t: f32| match t > DELTA * DELTA * DELTA {
        true => t.cbrt(),
        false => t / (3.0 * DELTA * DELTA) + 4.0 / 29.0,
    };
    let [x, y, z] = transform(&RELATIVE, rgb).map(curve);
    let l = 116.0 * y - 16.0;
    [l, 0.01 * l * 500.0 * (x - y), 0.01 * l * 200.0 * (y - z)]
}

/// HyAB distance (S. Abasi et al., Color Res. Appl. 45, 2020): city block in lightness, Euclid in chroma.
pub fn hyab(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] - b[0]).abs() + (a[1] - b[1]).hypot(a[2] - b[2])
}

/// sRGB-encoded 0..1 → linear (IEC 61966-2-1).
pub fn decode_srgb(value: f32) -> f32 {
    match value <= 0.04045 {
        true => value / 12.92,
        false => ((value + 0.055) / 1.055).powf(2.4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_space_is_invertible_and_grey_has_no_chroma() {
        for rgb in [[0.2, 0.5, 0.9], [1.0, 0.0, 0.0], [0.0; 3]] {
            let back = from_opponent(opponent(rgb));
            assert!(back.iter().zip(rgb).all(|(a, b)| (a - b).abs() < 1e-5), "{rgb:?} {back:?}");
        }
        let [l, cx, cz] = opponent([1.0; 3]);
        assert!((l - 100.0).abs() < 1e-4 && cx.abs() < 1e-4 && cz.abs() < 1e-4);
        assert!((hunt_lab([1.0; 3])[0] - 100.0).abs() < 1e-4);
    }
}
