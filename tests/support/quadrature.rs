//! Adaptive quadrature in f64: the judge of integrals that the renderer estimates by sampling.
//!
//! [`integrate`] is 1-D Gauss–Kronrod; [`integrate_2d`] nests it over a rectangle. Kinks and jumps are found by bisection,
//! but it is far cheaper to cut the domain at the known ones (`chi_square::SphereGrid` does), and safer: what lies between
//! an end and the outermost node, the last 0.4 % of an interval, no rule sees.

/// When to stop: at an estimated error below `absolute` or below `relative` times the value.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    pub absolute: f64,
    pub relative: f64,
}

/// An integral and the estimate of its error (usually far too high: the difference of two rules).
#[derive(Clone, Copy, Debug, Default)]
pub struct Integral {
    pub value: f64,
    pub error: f64,
}

/// Bisections stop here whatever the error says, so that a noisy integrand ends.
const MAX_INTERVALS: usize = 400;

/// Nodes ≥ 0 of the 15-point Kronrod rule, and its weights (QUADPACK, `qk15`).
const NODES: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];
/// Weights of the 7-point Gauss rule, which uses the nodes of odd index.
const GAUSS: [f64; 4] =
    [0.129_484_966_168_869_7, 0.279_705_391_489_276_64, 0.381_830_050_505_118_9, 0.417_959_183_673_469_4];

/// ∫ f over [a, b].
pub fn integrate(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, tolerance: Tolerance) -> Integral {
    let mut parts = vec![(a, b, gauss_kronrod(&mut f, a, b))];
    loop {
        let value: f64 = parts.iter().map(|p| p.2.value).sum();
        let error: f64 = parts.iter().map(|p| p.2.error).sum();
        if error <= tolerance.absolute.max(tolerance.relative * value.abs()) || parts.len() >= MAX_INTERVALS {
            return Integral { value, error };
        }
        let worst = (0..parts.len()).max_by(|&i, &j| parts[i].2.error.total_cmp(&parts[j].2.error));
        let (a, b, _) = parts.swap_remove(worst.expect("there is always an interval"));
        let middle = 0.5 * (a + b);
        for (a, b) in [(a, middle), (middle, b)] {
            parts.push((a, b, gauss_kronrod(&mut f, a, b)));
        }
    }
}

/// ∫∫ f(x, y) over [x0, x1] × [y0, y1]; the inner integrals (over y) are ten times as precise as the outer one.
pub fn integrate_2d(mut f: impl FnMut(f64, f64) -> f64, x: [f64; 2], y: [f64; 2], tolerance: Tolerance) -> Integral {
    let width = (x[1] - x[0]).abs().max(f64::MIN_POSITIVE);
    let inner = Tolerance { absolute: 0.1 * tolerance.absolute / width, relative: 0.1 * tolerance.relative };
    integrate(|x| integrate(|y| f(x, y), y[0], y[1], inner).value, x[0], x[1], tolerance)
}

fn gauss_kronrod(f: &mut impl FnMut(f64) -> f64, a: f64, b: f64) -> Integral {
    let (centre, half) = (0.5 * (a + b), 0.5 * (b - a));
    let (mut kronrod, mut gauss) = (0.0, 0.0);
    for (i, node) in NODES.into_iter().enumerate() {
        let sum = if node == 0.0 { f(centre) } else { f(centre - half * node) + f(centre + half * node) };
        kronrod += KRONROD[i] * sum;
        if i % 2 == 1 {
            gauss += GAUSS[i / 2] * sum;
        }
    }
    Integral { value: kronrod * half, error: ((kronrod - gauss) * half).abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIGHT: Tolerance = Tolerance { absolute: 1e-12, relative: 1e-12 };

    #[test]
    fn polynomials_peaks_and_jumps() {
        let p = integrate(|x| 3.0 * x * x - x.powi(13), -1.0, 2.0, TIGHT);
        assert!((p.value - (9.0 - (2f64.powi(14) - 1.0) / 14.0)).abs() < 1e-9);
        // ∫ w/(π(x² + w²)) over the line is 1; over [−1, 1] it is 2 atan(1/w)/π.
        let w: f64 = 1e-5;
        let peak = integrate(|x| w / (x * x + w * w) / std::f64::consts::PI, -1.0, 1.0, TIGHT);
        assert!((peak.value - 2.0 * (1.0 / w).atan() / std::f64::consts::PI).abs() < 1e-10);
        let jump = integrate(|x| if x > 0.3 { 1.0 } else { 0.0 }, 0.0, 1.0, TIGHT);
        assert!((jump.value - 0.7).abs() < 1e-11);
        let eighth_of_a_ball = integrate_2d(
            |x, y| (1.0 - x * x - y * y).max(0.0).sqrt(),
            [0.0, 1.0],
            [0.0, 1.0],
            Tolerance { absolute: 1e-7, relative: 0.0 },
        );
        assert!((eighth_of_a_ball.value - std::f64::consts::PI / 6.0).abs() < 1e-6, "{eighth_of_a_ball:?}");
    }
}
