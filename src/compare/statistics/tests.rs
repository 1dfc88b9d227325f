//! Noise with known truth: batches of heavy-tailed samples, fireflies included. Real renders: `benches/noise/calibrate.rs`.

use super::*;

const WIDTH: u32 = 48;
const HEIGHT: u32 = 36;

/// A random stream (PCG's output function on a Weyl sequence).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal, unit variance.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// A render: values and standard errors, interleaved.
struct Render {
    values: Vec<f32>,
    errors: Vec<f32>,
}

/// Two channels. A noiseless sky on top, a quiet wall, an object that is noisy, fireflies of a thousand times the mean.
fn render(seed: u64, batches: u32) -> Render {
    let mut random = Random(seed.wrapping_mul(0xD129_0D3B_5BFC_0F1D));
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            for channel in 0..2 {
                let truth = 0.5 + 0.01 * f64::from(x) + 0.2 * f64::from(channel);
                let spread = match (x, y) {
                    (_, 0..8) => 0.0,
                    (10..20, 15..30) => 0.4,
                    _ => 0.05,
                };
                let list: Vec<f64> = (0..batches).map(|_| batch(&mut random, truth, spread)).collect();
                let mean = list.iter().sum::<f64>() / f64::from(batches);
                let squares: f64 = list.iter().map(|v| (v - mean).powi(2)).sum();
                values.push(mean as f32);
                errors.push((squares / f64::from(batches * (batches.max(2) - 1))).sqrt() as f32);
            }
        }
    }
    if batches < 2 {
        errors.fill(f32::INFINITY);
    }
    Render { values, errors }
}

fn batch(random: &mut Random, truth: f64, spread: f64) -> f64 {
    let firefly = if spread > 0.0 && random.next() < 2e-3 { 1000.0 * truth * random.next().powi(8) } else { 0.0 };
    truth + spread * random.normal() + firefly
}

fn run(test: &Render, reference: &Render, settings: Settings, errors: bool) -> NoiseReport {
    let mut noise = NoiseTest::new(WIDTH, HEIGHT, 2, settings);
    let length = WIDTH as usize * 2;
    for y in 0..HEIGHT as usize {
        let row = |list: &'_ [f32]| list[y * length..][..length].to_vec();
        let (t, r) = (row(&test.errors), row(&reference.errors));
        let (t, r) = if errors { (Some(t.as_slice()), Some(r.as_slice())) } else { (None, None) };
        noise.row(&row(&test.values), &row(&reference.values), t, r).unwrap();
    }
    noise.finish(|channel| ["R", "G"][channel].to_owned()).unwrap()
}

/// Without fireflies, as material data.
fn clamp(renders: [&mut Render; 2]) {
    renders.into_iter().flat_map(|render| &mut render.values).for_each(|v| *v = v.clamp(0.0, 1.0));
}

fn settings(batches: u32) -> Settings {
    Settings { family_wise_error: 1e-3, batches: [Some(batches); 2], ..Settings::default() }
}

#[test]
fn renders_that_differ_by_seed_alone_are_noise() {
    for (batches, errors) in [(1, true), (2, true), (4, true), (16, true), (4, false)] {
        let renders: Vec<Render> = (0..12).map(|seed| render(100 + seed, batches)).collect();
        let mut called = Vec::new();
        for (i, test) in renders.iter().enumerate() {
            for reference in &renders[..i] {
                let report = run(test, reference, settings(batches), errors);
                (report.verdict != Verdict::Noise).then(|| called.push(report.line));
            }
        }
        assert!(called.is_empty(), "{batches} batches, errors {errors}: {called:?} of 66 pairs");
    }
}

#[test]
fn a_change_of_brightness_is_bias_with_its_size() {
    for errors in [true, false] {
        let (mut test, reference) = (render(1, 16), render(2, 16));
        test.values.iter_mut().for_each(|v| *v *= 1.01);
        let report = run(&test, &reference, settings(16), errors);
        assert_eq!(report.verdict, Verdict::Bias, "{}", report.line);
        assert!(report.line.contains("brighter") && report.line.contains('±'), "{}", report.line);
        let bias = report.bias[0];
        let (value, width) = (bias.brightness.unwrap(), bias.brightness_half_width.unwrap());
        assert!((value - 0.01).abs() < 2.0 * width && width < 0.05, "{value} ± {width}");
    }
}

#[test]
fn a_changed_object_is_bias_in_its_tiles() {
    let (mut test, reference) = (render(1, 16), render(2, 16));
    for y in 16..32 {
        (32..44).for_each(|x| test.values[(y * WIDTH as usize + x) * 2] *= 1.1);
    }
    let report = run(&test, &reference, settings(16), true);
    let worst = report.regions.worst[0];
    assert_eq!((report.verdict, worst.channel, worst.rect), (Verdict::Bias, 0, [32, 16, 16, 16]), "{}", report.line);
    assert!(worst.difference > 0.0 && worst.z > worst.threshold);
}

#[test]
fn a_hot_pixel_is_an_outlier_and_no_bias() {
    for (errors, strength, span) in [(true, 500.0, None), (false, 5000.0, Some(1.0))] {
        let (mut test, mut reference) = (render(1, 16), render(2, 16));
        if span.is_some() {
            clamp([&mut test, &mut reference]);
        }
        test.values[(20 * WIDTH as usize + 40) * 2 + 1] += strength;
        let report = run(&test, &reference, Settings { span, ..settings(16) }, errors);
        assert_eq!((report.verdict, report.pixels.failing), (Verdict::Outliers, 1), "{}", report.line);
        let worst = report.pixels.worst[0];
        assert_eq!((worst.x, worst.y, worst.channel), (40, 20, 1));
        assert!(worst.excess > 1.0 && report.line.contains("(40, 20) in G"), "{}", report.line);
    }
}

#[test]
fn equal_pictures_are_equal_and_rounding_is_no_difference() {
    let reference = render(1, 4);
    let report = run(&reference, &reference, settings(4), true);
    assert_eq!((report.verdict, report.line.as_str()), (Verdict::Noise, "no difference beyond rounding"));
    assert_eq!(report.spread, Some(0.0));
    let rounded = Render {
        values: reference.values.iter().map(|v| half::f16::from_f32(*v).to_f32()).collect(),
        errors: reference.errors.clone(),
    };
    let half = Settings { rounding: Rounding::HALF, ..settings(4) };
    assert_eq!(run(&rounded, &reference, half, true).verdict, Verdict::Noise);
    // The sky has no noise: without the allowance its rounding is found.
    assert_ne!(run(&rounded, &reference, settings(4), true).verdict, Verdict::Noise);
}

#[test]
fn what_is_no_number_is_left_out_and_counted() {
    let (mut test, reference) = (render(1, 4), render(2, 4));
    test.values[777] = f32::NAN;
    test.values[0] = f32::INFINITY;
    let report = run(&test, &reference, settings(4), true);
    assert_eq!((report.verdict, report.non_finite), (Verdict::Noise, 2), "{}", report.line);
    assert_eq!(report.compared, u64::from(WIDTH * HEIGHT) * 2 - 2);
    let nothing = Render { values: vec![f32::NAN; test.values.len()], errors: reference.errors.clone() };
    let report = run(&nothing, &reference, settings(4), true);
    assert_eq!((report.compared, report.verdict), (0, Verdict::Noise));
}

#[test]
fn below_two_batches_values_are_tested_by_their_range() {
    let (mut test, mut reference) = (render(1, 1), render(2, 1));
    clamp([&mut test, &mut reference]);
    let material = Settings { span: Some(1.0), ..settings(1) };
    assert_eq!(run(&test, &reference, material, true).verdict, Verdict::Noise);
    test.values[801] = 7.0;
    let report = run(&test, &reference, material, true);
    assert_eq!((report.verdict, report.pixels.failing), (Verdict::Outliers, 1), "{}", report.line);
    assert_eq!((report.pixels.by_error, report.spread), (0, None));
    assert_eq!(report.pixels.by_range, u64::from(WIDTH * HEIGHT) * 2);
}

#[test]
fn independent_renders_spread_as_their_errors_say_and_twins_do_not() {
    let (a, b) = (render(1, 16), render(2, 16));
    let spread = run(&a, &b, settings(16), true).spread.unwrap();
    assert!((0.6..1.6).contains(&spread), "{spread}");
    let mut twin = render(1, 16);
    twin.values.iter_mut().step_by(9).for_each(|v| *v *= 1.000_1);
    assert!(run(&twin, &a, settings(16), true).spread.unwrap() < 0.01);
}

#[test]
fn pictures_of_any_shape_end_in_a_report() {
    for (width, height) in [(1, 1), (8, 1), (1, 300), (17, 3)] {
        let mut test = NoiseTest::new(width, height, 3, Settings::default());
        for y in 0..height {
            let row = vec![y as f32; 3 * width as usize];
            test.row(&row, &row, None, Some(&row)).unwrap();
        }
        assert!(test.row(&[], &[], None, None).is_err());
        let report = test.finish(|c| c.to_string()).unwrap();
        assert_eq!((report.verdict, report.compared), (Verdict::Noise, 3 * u64::from(width * height)));
    }
}

#[test]
fn rows_that_are_short_or_missing_are_errors() {
    let mut test = NoiseTest::new(4, 2, 1, Settings::default());
    assert!(test.row(&[0.0; 3], &[0.0; 4], None, None).unwrap_err().contains("3 values in place of 4"));
    test.row(&[0.0; 4], &[0.0; 4], None, None).unwrap();
    assert!(test.finish(|_| String::new()).unwrap_err().contains("1 of its 2 rows"));
}

#[test]
fn a_report_survives_json() {
    let report = run(&render(1, 4), &render(2, 4), settings(4), true);
    let back: NoiseReport = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(
        (back.verdict, &back.line, back.tests, back.bias.len()),
        (report.verdict, &report.line, report.tests, 2)
    );
}
