//! Each kind of error, planted: found, named and located.

use scrutineer::compare::Verdict;
use scrutineer::compare::limits::Limits;

use crate::pictures::Pic;
use crate::scenes::{gbuffer, render};
use crate::{aov, codes, diff, diff_with, limits};

const BARE: [&str; 3] = ["R", "G", "B"];

#[track_caller]
fn plant(expected: &[&str], change: impl Fn(&mut Pic)) {
    let reference = gbuffer();
    let mut test = reference.clone();
    change(&mut test);
    let report = diff(&test, &reference);
    assert_eq!(report.verdict, Verdict::Different, "{expected:?}: {report:#?}");
    let codes = codes(&report);
    for code in expected {
        assert!(codes.iter().any(|found| found == code), "{code} in {codes:?}");
    }
}

#[test]
fn nothing_planted_is_equal_at_limit_zero() {
    let zero = limits("[default]\nabsolute = 0\nrelative = 0\nshare = 0\nhard = 0\nangle = 0\nbias = 0");
    let report = diff_with(&gbuffer(), &gbuffer(), zero.clone());
    assert_eq!(report.verdict, Verdict::Equal);
    assert!(report.aovs.iter().all(|aov| aov.verdict == Verdict::Equal && aov.metrics.differing == 0));
    // The smallest step of one value is found.
    let mut test = gbuffer();
    let value = test.floats["albedo.G"][5];
    test.set("albedo.G", 5, 0, value.next_up());
    let report = diff_with(&test, &gbuffer(), zero);
    assert_eq!((report.verdict, aov(&report, "albedo").worst[0].x), (Verdict::Different, 5));
}

#[test]
fn mistakes_of_whole_pictures_are_named() {
    plant(&["shifted", "beauty:share"], |pic| BARE.iter().for_each(|name| pic.shift(name, 1)));
    plant(&["gamma", "beauty:share"], |pic| BARE.iter().for_each(|c| pic.map(c, |v| v.powf(1.0 / 2.2))));
    plant(&["channels_swapped", "albedo:share"], |pic| pic.swap("albedo.R", "albedo.B"));
    plant(&["scaled", "beauty:bias"], |pic| BARE.iter().for_each(|c| pic.map(c, |v| v * 1.2)));
    plant(&["affine", "N:angle"], |pic| pic.map("N.", |v| 0.5 * v + 0.5));
    plant(&["negated", "N:angle"], |pic| pic.map("N.Y", |v| -v));
    plant(&["negated", "uv0:share"], |pic| pic.map("uv0.V", |v| 1.0 - v));
    plant(&["mirrored", "albedo:share"], |pic| {
        let width = pic.size[0];
        for values in pic.floats.iter_mut().filter(|(name, _)| name.starts_with("albedo")).map(|(_, values)| values) {
            *values = values.chunks_exact(width).rev().flatten().copied().collect();
        }
    });
}

#[test]
fn the_diagnosis_says_how_much() {
    let shifted = |prefix: &str, by: usize| {
        let mut test = gbuffer();
        test.shift(prefix, by);
        diff(&test, &gbuffer())
    };
    let report = shifted("albedo", 2);
    assert!(aov(&report, "albedo").diagnosis[0].text.contains("shifted by (2, 0) pixels"), "{report:#?}");
    let mut test = gbuffer();
    test.map("roughness", |v| v.powf(2.0));
    let report = diff(&test, &gbuffer());
    let text = &aov(&report, "roughness").diagnosis[0].text;
    assert!(text.contains("power of 2.000"), "{text}");
}

#[test]
fn one_hot_pixel_is_found_with_its_place_and_material() {
    let mut test = gbuffer();
    test.set("G", 33, 21, 40.0);
    let report = diff(&test, &gbuffer());
    assert!(codes(&report).contains(&"hot_pixels".to_owned()) && codes(&report).contains(&"beauty:hard".to_owned()));
    let worst = &aov(&report, "beauty").worst[0];
    assert_eq!((worst.x, worst.y, worst.channel.as_str(), worst.test), (33, 21, "G", 40.0));
    assert_eq!(worst.material.as_deref(), Some("paint"));
}

#[test]
fn nan_against_a_number_is_different_which_idiff_passes() {
    let mut reference = Pic::new(4, 4);
    for name in ["R", "G", "B"] {
        reference.float(name, |_, _| 0.5);
    }
    let mut test = reference.clone();
    test.set("R", 2, 1, f32::NAN);
    for (test, reference, side) in [(&test, &reference, "1 in the test"), (&reference, &test, "1 in the reference")] {
        let report = diff(test, reference);
        assert_eq!(report.verdict, Verdict::Different);
        let fault = &report.faults[0];
        assert_eq!((fault.code, fault.count, fault.first), ("nan", 1, Some([2, 1])));
        assert!(fault.text.contains(side), "{}", fault.text);
    }
}

#[test]
fn infinities_differ_by_sign_and_from_numbers() {
    let mut reference = gbuffer();
    reference.set("Z", 5, 5, f32::INFINITY);
    for value in [f32::NEG_INFINITY, 7.0, f32::NAN] {
        let mut test = reference.clone();
        test.set("Z", 5, 5, value);
        let report = diff(&test, &reference);
        assert_eq!(report.verdict, Verdict::Different, "{value}");
        assert_eq!(aov(&report, "Z").non_finite.first, Some([5, 5]));
    }
}

#[test]
fn what_is_not_a_number_in_both_is_equal_and_counted() {
    let mut both = gbuffer();
    both.set("R", 3, 3, f32::NAN);
    let report = diff(&both, &both.clone());
    assert_eq!(report.verdict, Verdict::Equal);
    assert_eq!(aov(&report, "beauty").non_finite.equal, 1);
    assert_eq!(aov(&report, "Z").non_finite.equal, 15 * 80);
    let report = diff_with(&both, &both.clone(), Limits { nan_equal: false, ..Limits::default() });
    assert_eq!((report.verdict, report.faults[0].code), (Verdict::Different, "nan"));
}

#[test]
fn structure_that_differs_is_a_fault_of_its_own() {
    plant(&["missing_aov"], |pic| pic.floats.retain(|name, _| !name.starts_with("uv0")));
    plant(&["extra_aov"], |pic| {
        pic.float("mask.V", |_, _| 0.0);
    });
    plant(&["renamed_aov"], |pic| {
        ["R", "G", "B"].iter().for_each(|c| pic.rename(&format!("albedo.{c}"), &format!("basecolor.{c}")))
    });
    plant(&["renamed_channel"], |pic| pic.rename("N.X", "N.R"));
    plant(&["missing_channel"], |pic| pic.floats.retain(|name, _| name != "A"));
    plant(&["extra_channel"], |pic| {
        pic.float("albedo.A", |_, _| 1.0);
    });
    plant(&["channel_type"], |pic| pic.halves.extend(["roughness.V".to_owned()]));
    plant(&["instance:exact"], |pic| pic.uints.get_mut("instance.V").unwrap()[7] += 1);
}

#[test]
fn a_map_accepts_a_rename_and_allow_a_fault() {
    let mut test = gbuffer();
    ["R", "G", "B"].iter().for_each(|c| test.rename(&format!("albedo.{c}"), &format!("basecolor.{c}")));
    let report = diff_with(&test, &gbuffer(), limits("map = { albedo = \"basecolor\" }"));
    assert_eq!((report.verdict, aov(&report, "albedo").name.as_str()), (Verdict::Equal, "basecolor"));
    let mut test = gbuffer();
    test.floats.remove("roughness.V");
    assert_eq!(diff(&test, &gbuffer()).verdict, Verdict::Different);
    for text in ["allow = [\"missing_aov\"]", "ignore = [\"rough*\"]"] {
        assert_eq!(diff_with(&test, &gbuffer(), limits(text)).verdict, Verdict::Equal, "{text}");
    }
}

#[test]
fn another_size_is_different_in_every_case_and_the_common_part_is_compared() {
    let flat = |width: usize, height: usize| {
        let mut pic = Pic::new(width, height);
        for name in ["R", "G", "B"] {
            pic.float(name, |_, _| 0.25);
        }
        pic
    };
    let everything = limits("[default]\nabsolute = \"off\"\nrelative = \"off\"\nhard = \"off\"\nflip = 1\nssim = -1");
    for test in [flat(8, 8), flat(9, 8), flat(8, 9)] {
        let report = diff_with(&test, &flat(9, 9), everything.clone());
        assert_eq!((report.verdict, report.faults[0].code), (Verdict::Different, "size"));
        assert_eq!(aov(&report, "beauty").metrics.pixels, (test.size[0] * test.size[1]) as u64);
    }
}

#[test]
fn a_crop_is_compared_with_the_pixels_of_its_frame() {
    let reference = gbuffer();
    let crop = reference.crop([17, 9, 40, 50]);
    let report = diff(&crop, &reference);
    assert_eq!((report.verdict, report.faults.len(), report.faults[0].code), (Verdict::Different, 1, "data_window"));
    assert_eq!(report.window, [17, 9, 40, 50]);
    assert!(report.aovs.iter().all(|aov| aov.verdict == Verdict::Equal), "{report:#?}");
    assert_eq!(diff_with(&crop, &reference, limits("allow = [\"data_window\"]")).verdict, Verdict::Equal);
    let mut wrong = crop.clone();
    wrong.set("R", 1, 2, 9.0);
    let report = diff(&wrong, &reference);
    let worst = &aov(&report, "beauty").worst[0];
    assert_eq!((worst.x, worst.y), (18, 11));
}

#[test]
fn windows_may_be_negative_or_apart() {
    let mut over = gbuffer();
    (over.at, over.frame) = ([-9, -7], Some([60, 50]));
    assert_eq!(diff(&over, &over.clone()).verdict, Verdict::Equal);
    let mut moved = over.clone();
    moved.at = [-8, -7];
    let report = diff(&moved, &over);
    assert_eq!((report.verdict, report.window), (Verdict::Different, [-8, -7, 95, 80]));
    moved.at = [500, 500];
    let report = diff(&moved, &over);
    assert!(report.faults[0].text.contains("share no pixel"), "{report:#?}");
    assert_eq!(report.verdict, Verdict::Different);
}

#[test]
fn a_stale_reference_is_noted() {
    let mut reference = render(1);
    reference.text("scrutineer/scene_hash", "old");
    let report = diff(&render(2), &reference);
    let notice = report.notices.iter().find(|notice| notice.code == "stale_reference").expect("a notice");
    assert!(notice.text.contains("scene old, the test 0123"), "{}", notice.text);
}

#[test]
fn ids_beyond_a_floats_integers_are_told_apart() {
    let mut test = gbuffer();
    // 20,000,001 and 20,000,000 are one float.
    test.uints.get_mut("instance.V").unwrap()[0] += 1;
    let report = diff(&test, &gbuffer());
    assert_eq!(aov(&report, "instance").metrics.ids_differing, Some(1));
    assert_eq!(aov(&report, "instance").worst[0].test, 20_000_001.0);
}

#[test]
fn two_pixels_by_hand() {
    let pic = |values: [f32; 2]| {
        let mut pic = Pic::new(2, 1);
        pic.float("R", |x, _| values[x]);
        pic
    };
    let report = diff(&pic([1.5, 2.0]), &pic([1.0, 3.0]));
    let metrics = &report.aovs[0].metrics;
    // (0.5² / 1.01 + 1² / 9.01) / 2, ε = 0.01
    assert!((metrics.relative_mse - 0.179_256_271_909).abs() < 1e-9, "{}", metrics.relative_mse);
    assert_eq!((metrics.mae, metrics.max, metrics.bias), (0.75, 1.0, -0.25));
    assert!((metrics.rmse - 0.625f64.sqrt()).abs() < 1e-12);
    // Peak 3: 10 log₁₀ (9 / 0.625)
    assert!((metrics.psnr.unwrap() - 11.583_624_92).abs() < 1e-6, "{:?}", metrics.psnr);
}

#[test]
fn manifests_that_differ_are_a_fault() {
    let matte = |names: &str| {
        let mut pic = gbuffer();
        pic.float("crypto_object00.r", |_, _| 1e-20).float("crypto_object00.g", |_, _| 1.0);
        pic.text("cryptomatte/abc/name", "crypto_object").text("cryptomatte/abc/manifest", names);
        pic
    };
    let report = diff(&matte(r#"{"kerb":"00000001"}"#), &matte(r#"{"kerb":"00000001","pole":"00000002"}"#));
    let fault = report.faults.iter().find(|fault| fault.code == "manifest").expect("a fault");
    assert!(fault.count == 1 && fault.text.contains("\"pole\""), "{}", fault.text);
}
