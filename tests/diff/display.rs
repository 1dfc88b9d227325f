//! Display values against light: the light goes through the stated view first.

use std::path::PathBuf;

use glam::Vec3;
use scrutineer::compare::limits::{Exposure, Limits};
use scrutineer::compare::{Planes, Verdict};
use scrutineer::film::view::View;

use crate::pictures::Pic;
use crate::scenes::{HEIGHT, WIDTH, gbuffer};
use crate::{Desk, aov, diff_files};

fn shown(pic: &Pic, view: View, stops: f32) -> image::RgbImage {
    image::RgbImage::from_fn(WIDTH as u32, HEIGHT as u32, |x, y| {
        let value = |name: &str| pic.floats[name][y as usize * WIDTH + x as usize] * stops.exp2();
        let display = view.apply(Vec3::new(value("R"), value("G"), value("B"))).to_array();
        image::Rgb(display.map(|v| (v * 255.0).round() as u8))
    })
}

fn png(desk: &Desk, view: View, stops: f32) -> PathBuf {
    let path = desk.path("test.png");
    shown(&gbuffer(), view, stops).save(&path).unwrap();
    path
}

#[test]
fn a_png_matches_its_light_under_the_right_view_alone() {
    let desk = Desk::empty();
    let reference = desk.put("reference.exr", &gbuffer());
    for (view, other) in [(View::Srgb, View::Agx), (View::Agx, View::Srgb)] {
        let test = png(&desk, view, -1.5);
        let limits = |view, exposure| Limits { view, exposure, ..Limits::default() };
        let report = diff_files(&test, &reference, limits(view, Exposure::Stops(-1.5)));
        assert_eq!(report.verdict, Verdict::WithinLimits, "{report:#?}");
        // Eight bits round by half a step.
        assert!(aov(&report, "beauty").metrics.max < 0.51 / 255.0);
        assert_eq!(report.tone.as_ref().unwrap().applied_to, "reference");
        let report = diff_files(&test, &reference, limits(view, Exposure::Auto));
        assert!((report.tone.as_ref().unwrap().exposure + 1.5).abs() < 0.01, "{:?}", report.tone);
        assert_eq!(report.verdict, Verdict::WithinLimits);
        assert_eq!(diff_files(&test, &reference, limits(other, Exposure::Stops(-1.5))).verdict, Verdict::Different);
        assert_eq!(diff_files(&test, &reference, limits(view, Exposure::Stops(0.0))).verdict, Verdict::Different);
        // The other way round, the test is the light.
        let report = diff_files(&reference, &test, limits(view, Exposure::Stops(-1.5)));
        assert_eq!((report.verdict, report.tone.unwrap().applied_to), (Verdict::WithinLimits, "test"));
    }
}

#[test]
fn the_other_aovs_of_a_reference_are_no_fault_of_a_png() {
    let desk = Desk::empty();
    let report = diff_files(&png(&desk, View::Srgb, 0.0), &desk.put("r.exr", &gbuffer()), Limits::default());
    assert_eq!((report.aovs.len(), report.faults.len()), (1, 0));
    assert!(report.notices.iter().any(|notice| notice.code == "one_layer"), "{report:#?}");
}

#[test]
fn display_formats_are_compared_with_each_other() {
    let desk = Desk::empty();
    let image = shown(&gbuffer(), View::Srgb, 0.0);
    let save = |name: &str| {
        let path = desk.path(name);
        image.save(&path).unwrap();
        path
    };
    let (png, tga, jpg) = (save("a.png"), save("a.tga"), save("a.jpg"));
    assert_eq!(diff_files(&tga, &png, Limits::default()).verdict, Verdict::Equal);
    let report = diff_files(&jpg, &png, Limits::default());
    assert!(aov(&report, "beauty").metrics.differing > 0 && report.faults.is_empty());
    let sixteen = desk.path("b.png");
    image::DynamicImage::ImageRgb8(image.clone()).into_rgb16().save(&sixteen).unwrap();
    assert_eq!(diff_files(&sixteen, &png, Limits::default()).verdict, Verdict::Equal);
    let grey = desk.path("grey.png");
    image::GrayImage::from_pixel(4, 4, image::Luma([99])).save(&grey).unwrap();
    assert_eq!(diff_files(&grey, &grey, Limits::default()).verdict, Verdict::Equal);
}

#[test]
fn reports_are_shown_the_compared_values() {
    let desk = Desk::empty();
    let (test, reference) = (png(&desk, View::Srgb, 0.0), desk.put("r.exr", &gbuffer()));
    let options = scrutineer::compare::Options::default();
    let (report, couple) = scrutineer::compare::compare("p", &test, &reference, &options).unwrap();
    let aov = &report.aovs[0];
    let (t, r) = (couple.test(aov).unwrap(), couple.reference(aov).unwrap());
    assert_eq!((t.channels, t.values.len()), (3, r.values.len()));
    let largest = t.values.iter().zip(&r.values).map(|(t, r)| (t - r).abs()).fold(0.0, f32::max);
    assert!(f64::from(largest) <= aov.metrics.max + 1e-7 && couple.displayed(aov), "{largest} {}", aov.metrics.max);
}

#[test]
fn radiance_pictures_are_light() {
    let desk = Desk::empty();
    let pic = gbuffer();
    let path = desk.path("a.hdr");
    let pixels: Vec<image::Rgb<f32>> =
        (0..WIDTH * HEIGHT).map(|i| image::Rgb(["R", "G", "B"].map(|name| pic.floats[name][i]))).collect();
    let file = std::fs::File::create(&path).unwrap();
    image::codecs::hdr::HdrEncoder::new(file).encode(&pixels, WIDTH, HEIGHT).unwrap();
    let reference = desk.put("r.exr", &pic);
    // The encoder cuts mantissas off in place of rounding them: that is a bias, and found.
    let report = diff_files(&path, &reference, Limits::default());
    assert_eq!(crate::codes(&report).iter().filter(|code| code.contains(':')).collect::<Vec<_>>(), ["beauty:bias"]);
    let report = diff_files(&path, &reference, crate::limits("[aov.beauty]\nbias = 0.02"));
    assert_eq!((report.verdict, report.tone.is_none()), (Verdict::WithinLimits, true), "{report:#?}");
    // Eight bits of mantissa under the exponent of the largest channel.
    assert!(aov(&report, "beauty").metrics.max < 1.0 / 128.0);
}
