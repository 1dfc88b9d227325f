//! Noise is no difference; what it hides is found by its errors.

use scrutineer::compare::Verdict;

use crate::scenes::{gbuffer, render};
use crate::{aov, codes, diff, diff_with, limits};

#[test]
fn another_seed_is_no_difference() {
    for seed in 1..=20 {
        let report = diff(&render(seed), &render(1000 + seed));
        assert_eq!(report.verdict, Verdict::WithinLimits, "seed {seed}: {report:#?}");
        assert!(aov(&report, "beauty").noise.is_some());
    }
}

#[test]
fn half_a_percent_of_brightness_is_found_in_the_noise_and_called_bias() {
    let mut test = render(7);
    ["R", "G", "B"].iter().for_each(|name| test.map(name, |value| value * 1.005));
    let report = diff(&test, &render(8));
    assert_eq!(report.verdict, Verdict::Different);
    let beauty = aov(&report, "beauty");
    let rule = beauty.rules.iter().find(|rule| rule.rule == "noise").expect("the noise rule");
    assert!(!rule.passed && rule.detail.contains("bias"), "{}", rule.detail);
}

#[test]
fn one_wrong_pixel_is_found_in_the_noise_and_called_an_outlier() {
    let mut test = render(7);
    let value = test.floats["G"][30 * 96 + 12];
    test.set("G", 12, 30, value + 1.0);
    let report = diff(&test, &render(8));
    let rule = aov(&report, "beauty").rules.iter().find(|rule| rule.rule == "noise").expect("the noise rule");
    assert!(!rule.passed && rule.detail.contains("(12, 30)"), "{}", rule.detail);
}

#[test]
fn variance_layers_of_others_are_read() {
    for suffix in ["beauty.variance", "beauty_variance", "variance"] {
        let pic = |seed: u64| {
            let mut pic = render(seed);
            for name in ["R", "G", "B"] {
                let errors = pic.floats.remove(&format!("beauty_stderr.{name}")).unwrap();
                pic.floats.insert(format!("{suffix}.{name}"), errors.iter().map(|error| error * error).collect());
            }
            pic.texts.clear();
            pic.numbers.clear();
            pic
        };
        let report = diff(&pic(1), &pic(2));
        assert_eq!(report.verdict, Verdict::WithinLimits, "{suffix}: {report:#?}");
        let spread = aov(&report, "beauty").noise.as_ref().unwrap().spread.expect("errors");
        // Σ d² / Σ σ²: about 1 where variances were read as variances.
        assert!((0.8..1.2).contains(&spread), "{suffix}: {spread}");
    }
}

#[test]
fn renders_of_one_seed_share_their_noise_and_plain_limits_judge() {
    let mut test = render(3);
    // Far below the noise (0.02), far above the limit.
    test.set("R", 40, 40, test.floats["R"][40 * 96 + 40] + 0.05);
    let report = diff(&test, &render(3));
    assert_eq!(report.verdict, Verdict::Different);
    assert!(codes(&report).contains(&"correlated".to_owned()) && codes(&report).contains(&"beauty:share".to_owned()));
    assert!(aov(&report, "beauty").noise.is_none());
}

#[test]
fn half_a_percent_is_found_in_a_copy_of_one_render_too() {
    let mut whole = render(3);
    ["R", "G", "B"].iter().for_each(|name| whole.map(name, |value| value * 1.005));
    let report = diff(&whole, &render(3));
    assert!(codes(&report).contains(&"beauty:bias".to_owned()), "{:?}", codes(&report));
    // In a part of the picture it moves no mean: the pixels say it.
    let mut part = render(3);
    (40..44).for_each(|x| part.set("G", x, 40, part.floats["G"][40 * 96 + x] * 1.005));
    assert!(codes(&diff(&part, &render(3))).contains(&"beauty:share".to_owned()));
}

#[test]
fn noise_may_be_switched_off_and_a_plain_test_has_none() {
    let report = diff_with(&render(1), &render(2), limits("[aov.beauty]\nnoise = \"off\""));
    assert!(report.verdict == Verdict::Different && aov(&report, "beauty").noise.is_none());
    let report = diff(&gbuffer(), &render(2));
    assert!(aov(&report, "beauty").noise.is_none(), "a picture without noise is held against plain limits");
}

#[test]
fn masked_pixels_and_regions_take_no_part_in_the_test() {
    let mut test = render(1);
    (10..30).for_each(|x| test.set("G", x, 10, 50.0));
    assert_eq!(diff(&test, &render(2)).verdict, Verdict::Different);
    let masked = limits("[[mask]]\nmode = \"exclude\"\nrect = [10, 10, 20, 1]");
    assert_eq!(diff_with(&test, &render(2), masked).verdict, Verdict::WithinLimits);
    let region =
        limits("[[region]]\nname = \"sign\"\nrect = [10, 10, 20, 1]\nabsolute = 100\nhard = 100\nbias = \"off\"\n");
    assert_eq!(diff_with(&test, &render(2), region).verdict, Verdict::WithinLimits);
}
