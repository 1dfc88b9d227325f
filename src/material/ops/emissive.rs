//! The distance encoding of stored emission (documentation 001, "Emissive").

/// g(d) = d ≥ 1 ? 1/(d + 1e-5)² : (d + 1e-5)², d the distance to the camera in metres. It shapes `emission_seed` only:
/// nothing shows that it is a physical falloff, so radiance never takes it.
#[inline]
pub fn g(d: f32) -> f32 {
    let square = (d + 1e-5) * (d + 1e-5);
    if d >= 1.0 { 1.0 / square } else { square }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g_falls_on_both_sides_of_one_metre() {
        assert!((g(2.0) - 0.25).abs() < 1e-5);
        assert!((g(0.5) - 0.25).abs() < 1e-4);
        assert!(g(0.0) > 0.0 && g(0.0) < 1e-9);
        // The far branch owns d = 1.
        assert!(g(1.0) < 1.0);
    }
}
