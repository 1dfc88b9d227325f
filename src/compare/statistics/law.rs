//! Thresholds: how large a statistic must be before chance is no explanation.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The x with P(|Σ εᵢaᵢ| > x √Σaᵢ²) ≤ `probability` for independent fair signs εᵢ and any fixed aᵢ: 2 exp(−x²/2) bounds
/// it (B. Efron, "Student's t-Test Under Symmetry Conditions", JASA 64, 1969; W. Hoeffding, JASA 58, 1963, theorem 2).
pub fn sign_bound(probability: f64) -> f64 {
    (2.0 * (2.0 / probability.clamp(f64::MIN_POSITIVE, 1.0)).ln()).sqrt()
}

/// The t with P(|T| > t) = `probability` for Student's law with `degrees` degrees of freedom.
pub fn student(probability: f64, degrees: f64) -> f64 {
    // Beyond this many degrees the quantiles differ from the normal law's by less than 1e-3.
    let law = StudentsT::new(0.0, 1.0, degrees.clamp(1.0, 1e4)).expect("the parameters are in range");
    // The lower tail keeps its digits: 1 − 1e-12 would not.
    -law.inverse_cdf((0.5 * probability).clamp(1e-300, 0.5))
}

/// The normal law's 97.5 % quantile: half-widths of 95 % intervals in standard errors.
pub const NORMAL_95: f64 = 1.959_963_985;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_has_the_tabled_quantiles_far_in_the_tails() {
        // From SciPy: scipy.stats.t.isf(p / 2, ν).
        for (probability, degrees, expected) in
            [(0.05, 6.0, 2.446_911_848), (1e-9, 6.0, 65.0), (1e-9, 30.0, 8.7), (1e-9, 1e9, 6.109_410)]
        {
            let t = student(probability, degrees);
            assert!((t / expected - 1.0).abs() < 0.02, "p {probability}, ν {degrees}: {t}");
        }
    }

    #[test]
    fn the_sign_bound_is_above_the_normal_quantile_and_never_wild() {
        let x = sign_bound(1e-6);
        assert!((x - 5.386_68).abs() < 1e-4, "{x}");
        assert!(sign_bound(0.0).is_finite() && sign_bound(2.0) >= 0.0);
    }
}
