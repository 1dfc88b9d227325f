use super::*;
use crate::film::selection::AovId;
use crate::film::tests::{hit, sample};
use crate::film::{Film, FilmSettings, Plane};

const ONE_PIXEL: Rect = Rect { x: 0, y: 0, width: 1, height: 1 };

fn film(aovs: &[&str], batch: u32) -> Film {
    let aovs = aovs.iter().map(|name| AovId::named(name).unwrap()).collect();
    Film::new(FilmSettings { resolution: [1, 1], crop: None, aovs, light_groups: vec![], batch, track_error: false })
        .unwrap()
}

fn channel(film: &Film, name: &str, channel: usize) -> f32 {
    match &film.planes(AovId::named(name).unwrap(), &|_| 0.0).unwrap()[channel] {
        Plane::Float(values) => values[0],
        Plane::Uint(values) => values[0] as f32,
    }
}

fn filled(mut film: Film, fill: impl FnOnce(&mut PixelMut)) -> Film {
    let mut tile = film.tile(ONE_PIXEL);
    fill(&mut tile.pixel(0, 0));
    film.merge(tile);
    film
}

#[test]
fn radiance_is_the_mean_over_all_samples_and_the_gbuffer_over_hits() {
    let film = filled(film(&["beauty", "albedo", "coverage"], 8), |pixel| {
        pixel.add(&sample(4.0), Some(&hit(0.5).surface), &[]);
        pixel.add(&sample(2.0), Some(&hit(0.25).surface), &[]);
        pixel.add(&PathSample::default(), None, &[]);
        pixel.add(&PathSample::default(), None, &[]);
    });
    assert_eq!(channel(&film, "beauty", 0), 1.5);
    assert_eq!(channel(&film, "beauty", 3), 0.5, "alpha");
    assert_eq!(channel(&film, "albedo", 0), 0.375);
    assert_eq!(channel(&film, "coverage", 0), 1.0);
}

#[test]
fn the_five_parts_sum_to_the_beauty() {
    let parts = ["visible_emission", "direct_diffuse", "direct_specular", "indirect_diffuse", "indirect_specular"];
    let film = filled(film(&[&parts[..], &["beauty"]].concat(), 8), |pixel| {
        for i in 0..7 {
            pixel.add(&sample(0.3 + i as f32), None, &[]);
        }
    });
    for c in 0..3 {
        let sum: f32 = parts.iter().map(|part| channel(&film, part, c)).sum();
        let beauty = channel(&film, "beauty", c);
        assert!((sum - beauty).abs() <= 4.0 * f32::EPSILON * beauty, "{sum} is not {beauty}");
    }
}

/// Batch means 1, 2, 6 of two samples each: mean 3, variance of the means 7, standard error √(7/3).
#[test]
fn the_standard_error_of_equal_batches_is_the_textbook_one() {
    let film = filled(film(&["beauty_stderr"], 2), |pixel| {
        for value in [0.5, 1.5, 1.0, 3.0, 8.0, 4.0] {
            pixel.add(&sample(value), None, &[]);
        }
    });
    assert_eq!(film.estimate(0, 0).unwrap().mean[0], 3.0);
    let error = channel(&film, "beauty_stderr", 0);
    assert!((error - (7.0f32 / 3.0).sqrt()).abs() < 1e-6, "{error}");
}

/// Batches of 4, 4 and 1 samples with means 1, 3 and 9: mean 25/9, and Σ n (m − mean)² over (K − 1) N.
#[test]
fn a_partial_last_batch_weighs_as_much_as_its_samples() {
    let film = filled(film(&["beauty_stderr"], 4), |pixel| {
        for value in [1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0, 9.0] {
            pixel.add(&sample(value), None, &[]);
        }
        assert_eq!(pixel.counters().batches, 2, "the third is open");
        pixel.end_batch();
        pixel.end_batch();
    });
    let mean: f64 = 25.0 / 9.0;
    let m2 = 4.0 * (1.0 - mean) * (1.0 - mean) + 4.0 * (3.0 - mean) * (3.0 - mean) + (9.0 - mean) * (9.0 - mean);
    let expected: f64 = (m2 / (2.0 * 9.0)).sqrt();
    let estimate = film.estimate(0, 0).unwrap();
    assert!((estimate.mean[1] - mean).abs() < 1e-12);
    assert!((estimate.standard_error[1] - expected).abs() < 1e-12);
}

/// 400 batches of known normal noise: the estimated error covers the true mean as often as a standard error should.
#[test]
fn the_standard_error_has_the_right_size() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut covered = 0;
    for _ in 0..400 {
        let film = filled(film(&["beauty_stderr"], 4), |pixel| {
            (0..64).for_each(|_| pixel.add(&sample(uniform()), None, &[]));
        });
        let estimate = film.estimate(0, 0).unwrap();
        covered += usize::from((estimate.mean[0] - 0.5).abs() < estimate.standard_error[0]);
    }
    // t distribution with 15 degrees of freedom: 66.7 % within one standard error; 400 trials: ± 2.4 %.
    assert!((240..=294).contains(&covered), "{covered} of 400");
}

#[test]
fn constant_pixels_have_no_error_and_one_batch_has_an_unknown_one() {
    let constant = filled(film(&["beauty_stderr"], 3), |pixel| {
        (0..7).for_each(|_| pixel.add(&sample(0.1), None, &[]));
        pixel.end_batch();
    });
    assert_eq!(channel(&constant, "beauty_stderr", 0), 0.0);
    let single = filled(film(&["beauty_stderr"], 3), |pixel| (0..3).for_each(|_| pixel.add(&sample(0.1), None, &[])));
    assert_eq!(channel(&single, "beauty_stderr", 0), f32::INFINITY);
}

#[test]
fn samples_that_are_not_finite_are_counted_and_left_out() {
    let film = filled(film(&["beauty", "albedo", "samples", "non_finite", "crypto_material"], 2), |pixel| {
        pixel.add(&sample(1.0), Some(&hit(0.5).surface), &[]);
        pixel.add(&sample(f32::NAN), Some(&hit(0.9).surface), &[]);
        pixel.add(&sample(f32::INFINITY), None, &[]);
        pixel.add(&sample(3.0), Some(&hit(f32::NAN).surface), &[]);
        assert_eq!(pixel.counters().batches, 2, "a sample that is left out still takes its place in the batch");
    });
    assert_eq!(channel(&film, "beauty", 0), 2.0);
    assert_eq!(channel(&film, "albedo", 0), 0.5);
    assert_eq!((channel(&film, "samples", 0), channel(&film, "non_finite", 0)), (2.0, 3.0));
    assert_eq!(channel(&film, "crypto_material", 1), 1.0, "the surface was seen by both finite samples");
    assert_eq!(film.non_finite(), 3);
    let by_material: Vec<_> = film.non_finite_by_material().iter().map(|(m, n)| (*m, *n)).collect();
    assert_eq!(by_material, [(0, 1), (3, 2)]);
}

#[test]
fn a_batch_of_nothing_but_non_finite_samples_is_no_batch() {
    let film = filled(film(&["beauty_stderr"], 1), |pixel| {
        for value in [1.0, f32::NAN, 3.0] {
            pixel.add(&sample(value), None, &[]);
        }
    });
    let estimate = film.estimate(0, 0).unwrap();
    assert_eq!((estimate.mean[0], estimate.standard_error[0]), (2.0, 1.0));
}

#[test]
fn unfiltered_values_are_the_centre_rays_alone() {
    let aovs = ["Z", "distance", "P", "instance", "material", "uv0"];
    let seen = filled(film(&aovs, 4), |pixel| {
        pixel.add(&sample(1.0), Some(&hit(0.9).surface), &[]);
        let mut centre = hit(0.5);
        centre.z = 100_000.0;
        centre.surface.ids.instance = 70_000;
        pixel.centre(Some(&centre));
    });
    assert_eq!(channel(&seen, "Z", 0), 100_000.0);
    assert_eq!(channel(&seen, "instance", 0), 70_000.0);
    assert_eq!(channel(&seen, "uv0", 1), 0.75);
    let missed = filled(film(&aovs, 4), |pixel| {
        pixel.centre(Some(&hit(0.5)));
        pixel.centre(None);
    });
    for (name, blank) in [("Z", f32::INFINITY), ("distance", f32::INFINITY), ("P", 0.0), ("instance", 0.0)] {
        assert_eq!(channel(&missed, name, 0), blank, "{name} on a miss");
        assert_eq!(channel(&film(&aovs, 4), name, 0), blank, "{name} of an untouched pixel");
    }
}

/// Between batches, that is: renders stop nowhere else. Within one, the order of the sums would differ.
#[test]
fn the_bits_do_not_depend_on_where_tiles_begin_and_end() {
    let all: Vec<&str> = crate::film::TABLE.iter().map(|row| row.name).collect();
    let add = |pixel: &mut PixelMut, from: u32, to: u32| {
        for i in from..to {
            pixel.add(&sample(0.1 + i as f32 / 3.0), (i % 3 > 0).then(|| hit(i as f32 / 7.0).surface).as_ref(), &[]);
        }
    };
    let straight = filled(film(&all, 4), |pixel| add(pixel, 0, 11));
    let interrupted = filled(film(&all, 4), |pixel| add(pixel, 0, 8));
    let interrupted = filled(interrupted, |pixel| add(pixel, 8, 11));
    assert!(straight.pixels == interrupted.pixels);
}
