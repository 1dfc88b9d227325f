//! ꟻLIP at the edges of its definition. Agreement with the authors' tool: `tests/metrics.rs`.

use super::*;

fn plane(width: usize, height: usize, value: impl Fn(usize, usize) -> [f32; 3]) -> Plane {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let values = pixels.flat_map(|(x, y)| value(x, y)).collect();
    Plane { width, height, channels: 3, values }
}

fn busy(width: usize, height: usize) -> Plane {
    plane(width, height, |x, y| [(x * 7 % 11) as f32 / 10.0, (y * 5 % 13) as f32 / 12.0, ((x + y) % 3) as f32 / 2.0])
}

#[test]
fn equal_pictures_have_no_error_at_any_size() {
    for (width, height) in [(1, 1), (8, 1), (1, 9), (37, 130)] {
        let picture = busy(width, height);
        assert!(ldr(&picture, &picture, DEFAULT_PPD).unwrap().values.iter().all(|v| *v == 0.0));
        let hdr = hdr(&picture, &picture, DEFAULT_PPD, ToneMapper::Aces).unwrap();
        assert!(hdr.map.values.iter().all(|v| *v == 0.0) && hdr.map.values.len() == width * height);
    }
}

#[test]
fn black_and_white_are_nearly_as_different_as_can_be() {
    let map = ldr(&plane(20, 20, |_, _| [0.0; 3]), &plane(20, 20, |_, _| [1.0; 3]), DEFAULT_PPD).unwrap();
    assert!(map.values.iter().all(|v| (0.95..=1.0).contains(v)), "{:?}", map.summary());
}

#[test]
fn bands_have_no_seams_and_threads_change_no_bit() {
    let (reference, mut test) = (busy(23, 200), busy(23, 200));
    test.values.iter_mut().step_by(5).for_each(|v| *v *= 0.8);
    let whole = ldr(&reference, &test, DEFAULT_PPD).unwrap();
    // The same picture as a part of a larger one that starts elsewhere: other bands, the same errors away from the edges.
    let cut = |plane: &Plane| Plane { height: 160, values: plane.values[40 * 23 * 3..].to_vec(), ..*plane };
    let part = ldr(&cut(&reference), &cut(&test), DEFAULT_PPD).unwrap();
    assert_eq!(part.values[20 * 23..], whole.values[60 * 23..]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| ldr(&reference, &test, DEFAULT_PPD)).unwrap(), whole);
}

#[test]
fn what_is_no_number_is_loud_and_stays_local() {
    let reference = busy(40, 40);
    let mut test = reference.clone();
    test.values[(20 * 40 + 20) * 3 + 1] = f32::NAN;
    for map in [
        ldr(&reference, &test, DEFAULT_PPD).unwrap(),
        hdr(&reference, &test, DEFAULT_PPD, ToneMapper::Aces).unwrap().map,
    ] {
        assert_eq!((map.values[20 * 40 + 20], map.non_finite), (1.0, 1));
        assert!(map.values.iter().all(|v| v.is_finite()) && map.values[0] == 0.0);
    }
    let same = ldr(&test, &test, DEFAULT_PPD).unwrap();
    assert_eq!((same.mean(), same.non_finite), (0.0, 1));
    let mut infinite = reference.clone();
    infinite.values[0] = f32::INFINITY;
    let map = hdr(&infinite, &reference, DEFAULT_PPD, ToneMapper::Aces).unwrap();
    assert!(map.exposures.start > -2.0 && map.map.values[0] == 1.0, "{:?}", map.exposures);
}

#[test]
fn a_mostly_black_reference_ends_and_sees_the_difference() {
    let reference = plane(30, 30, |x, y| if x == 3 && y == 4 { [50.0; 3] } else { [0.0; 3] });
    let mut test = reference.clone();
    test.values[(20 * 30 + 20) * 3] = 0.01;
    let map = hdr(&reference, &test, DEFAULT_PPD, ToneMapper::Aces).unwrap();
    assert!(map.exposures.count > 20 && map.map.values[20 * 30 + 20] > 0.3, "{:?}", map.exposures);
    let black = plane(30, 30, |_, _| [0.0; 3]);
    assert!(hdr(&black, &test, DEFAULT_PPD, ToneMapper::Aces).unwrap().map.mean() > 0.0);
    assert_eq!(hdr(&black, &black, DEFAULT_PPD, ToneMapper::Aces).unwrap().map.mean(), 0.0);
}

#[test]
fn negative_light_is_black() {
    let negative = plane(9, 9, |_, _| [-3.0, 0.5, 0.5]);
    let black = plane(9, 9, |_, _| [0.0, 0.5, 0.5]);
    assert_eq!(hdr(&black, &negative, DEFAULT_PPD, ToneMapper::Aces).unwrap().map.mean(), 0.0);
}

#[test]
fn quartiles_are_weighted_by_error() {
    let map = Map { width: 4, height: 1, values: vec![0.0, 0.3, 0.1, 0.6], non_finite: 0 };
    let summary = map.summary();
    assert_eq!((summary.min, summary.max), (0.0, 0.6_f32.into()));
    assert!((summary.mean - 0.25).abs() < 1e-7);
    assert_eq!(summary.weighted_quartiles.map(|q| (q * 10.0).round()), [3.0, 6.0, 6.0]);
}

#[test]
fn sizes_channels_and_distances_are_checked() {
    let (a, b) = (busy(8, 8), busy(9, 8));
    assert!(ldr(&a, &b, DEFAULT_PPD).unwrap_err().contains("8×8"));
    assert!(ldr(&Plane::new(4, 4, 1), &Plane::new(4, 4, 1), DEFAULT_PPD).is_err());
    for ppd in [0.0, f64::NAN, 1e9] {
        assert!(ldr(&a, &a, ppd).is_err());
    }
    let empty = Plane::new(0, 0, 3);
    assert_eq!(ldr(&empty, &empty, DEFAULT_PPD).unwrap().mean(), 0.0);
}
