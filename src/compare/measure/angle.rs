//! The angle between two directions.

/// Degrees between `a` and `b`, whatever their lengths. 0 between two null vectors, 180 where one is null: a surface
/// against none.
pub fn degrees(a: [f64; 3], b: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let lengths = [dot(a, a).sqrt(), dot(b, b).sqrt()];
    match lengths.map(|length| length > 0.0) {
        [false, false] => return 0.0,
        [true, true] => {}
        _ => return 180.0,
    }
    let [u, v] = [(a, lengths[0]), (b, lengths[1])].map(|(v, length)| v.map(|x| x / length));
    // W. Kahan's form: exact for small angles, where the cosine is blind.
    let chord = |sign: f64| {
        let d = [u[0] + sign * v[0], u[1] + sign * v[1], u[2] + sign * v[2]];
        dot(d, d).sqrt()
    };
    2.0 * chord(-1.0).atan2(chord(1.0)).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::degrees;

    #[test]
    fn angles_are_right_from_tiny_to_straight() {
        let tiny = 1e-9f64;
        for (b, expected) in [
            ([2.0, 0.0, 0.0], 0.0),
            ([tiny.cos(), tiny.sin(), 0.0], tiny.to_degrees()),
            ([0.0, 0.5, 0.0], 90.0),
            ([1.0, 1.0, 0.0], 45.0),
            ([-3.0, 0.0, 0.0], 180.0),
            ([0.0, 0.0, 0.0], 180.0),
        ] {
            let angle = degrees([1.0, 0.0, 0.0], b);
            assert!((angle - expected).abs() <= 1e-12 * expected.max(1e-3), "{b:?}: {angle}");
        }
        assert_eq!(degrees([0.0; 3], [0.0; 3]), 0.0);
    }
}
