use super::*;

const SEED: u64 = 7;

/// Every two of a set's dimensions.
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The 16 points of one batch in one set.
fn batch(pixel: [i32; 2], batch: u32, set: u32) -> [[f32; 4]; BATCH as usize] {
    std::array::from_fn(|i| Sampler::new(SEED, pixel, batch * BATCH + i as u32).dimension(set).next_4d())
}

/// Which strata of a `columns` × `rows` grid the points (x, y) meet.
fn strata_met(points: impl Iterator<Item = [f32; 2]>, columns: u32, rows: u32) -> usize {
    let cells = points.map(|[x, y]| (x * columns as f32) as u32 + columns * (y * rows as f32) as u32);
    cells.collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn a_batch_has_one_point_in_each_elementary_interval() {
    for set in [0, 1, 2, 63, 64, 1000] {
        for number in 0..20 {
            let points = batch([3, -5], number, set);
            for (a, b) in PAIRS {
                for log in 0..=4 {
                    let (columns, rows) = (1 << log, 16 >> log);
                    let met = strata_met(points.iter().map(|p| [p[a], p[b]]), columns, rows);
                    assert_eq!(met, 16, "set {set}, dimensions {a} and {b}, {columns}x{rows}");
                }
            }
        }
    }
}

#[test]
fn a_permutation_flips_each_digit_by_the_bit_of_its_place_in_the_tree() {
    for bits in 0..1 << 15 {
        for x in 0..16u32 {
            let flip = |level: u32, before: u32| (bits >> ((1 << level) - 1 + before) & 1) << (3 - level);
            let expected = x ^ (flip(0, 0) | flip(1, x >> 3) | flip(2, x >> 2) | flip(3, x >> 1));
            assert_eq!(image(permutation(bits), x), expected, "{bits:#x} {x}");
        }
    }
}

#[test]
fn going_to_a_sample_is_the_same_as_starting_at_it() {
    let mut moved = Sampler::new(SEED, [1, 2], 0);
    for sample in [0, 5, 15, 16, 3, 40, 5] {
        moved.go_to(sample);
        let mut fresh = Sampler::new(SEED, [1, 2], sample);
        for set in [0, 1, 7, 15, 16, 1000] {
            assert_eq!(moved.dimension(set).next_4d(), fresh.dimension(set).next_4d(), "{sample} {set}");
        }
    }
}

#[test]
fn scrambling_permutes_and_keeps_what_digits_share() {
    for bits in (0..1 << 15).step_by(37) {
        let to: Vec<u32> = (0..16).map(|x| image(permutation(bits), x)).collect();
        assert_eq!(to.iter().collect::<std::collections::BTreeSet<_>>().len(), 16);
        for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
            let common = |a: u32, b: u32| (a ^ b).leading_zeros();
            assert_eq!(common(x, y), common(to[x as usize], to[y as usize]));
        }
    }
}

#[test]
fn two_batches_are_no_net_together() {
    // Independent scrambles: 32 points of one 32-point net would meet all 32 columns; of two batches, they meet
    // 16·(2 − 1/2) = 24 on average.
    let mean = |pixels: i32| {
        let met = |x| strata_met((0..2).flat_map(|b| batch([x, 0], b, 0)).map(|p| [p[0], 0.0]), 32, 1);
        (0..pixels).map(met).sum::<usize>() as f64 / f64::from(pixels)
    };
    assert!((mean(400) - 24.0).abs() < 0.4, "{}", mean(400));
}

/// z value of the correlation of two equally long series: standard normal where they are independent.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / n;
    let (a, b) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = pairs.iter().map(|p| (p.0 - a) * (p.1 - b)).sum();
    let (va, vb): (f64, f64) =
        (pairs.iter().map(|p| (p.0 - a).powi(2)).sum(), pairs.iter().map(|p| (p.1 - b).powi(2)).sum());
    covariance / (va * vb).sqrt() * n.sqrt()
}

#[test]
fn batches_pixels_and_sets_are_uncorrelated() {
    // The mean of a batch is what a standard error is made from; f = x·y is not linear, so that the mean has a spread.
    let batch_mean = |pixel, number, set| batch(pixel, number, set).iter().map(|p| f64::from(p[0] * p[1])).sum::<f64>();
    type Place = ([i32; 2], u32, u32);
    type Neighbours = fn(i32) -> (Place, Place);
    let neighbours: [(&str, Neighbours); 4] = [
        ("batch", |i| (([i, 0], 0, 0), ([i, 0], 1, 0))),
        ("column", |i| (([2 * i, 0], 0, 0), ([2 * i + 1, 0], 0, 0))),
        ("row", |i| (([i, 0], 0, 0), ([i, 1], 0, 0))),
        ("set", |i| (([i, 0], 0, 0), ([i, 0], 0, 1))),
    ];
    for (what, places) in neighbours {
        let pairs: Vec<_> =
            (0..4000).map(places).map(|(a, b)| (batch_mean(a.0, a.1, a.2), batch_mean(b.0, b.1, b.2))).collect();
        assert!(correlation(&pairs).abs() < 4.5, "{what}: {}", correlation(&pairs));
    }
}

#[test]
fn each_sample_of_a_batch_is_uniform_by_itself() {
    // Unbiasedness needs that of every index in the batch, over pixels. 16 × 16 cells of each pair of dimensions;
    // chi-square of 255 degrees of freedom: mean 255, deviation 22.6; the worst of 96 lies below 255 + 5.5·22.6.
    const PIXELS: i32 = 25_600;
    for index in 0..BATCH {
        let points: Vec<_> = (0..PIXELS).map(|x| Sampler::new(SEED, [x, 9], index).next_4d()).collect();
        for (a, b) in PAIRS {
            let mut counts = [0i32; 256];
            for p in &points {
                assert!((0.0..1.0).contains(&p[a]));
                counts[(p[a] * 16.0) as usize * 16 + (p[b] * 16.0) as usize] += 1;
            }
            let chi2: i32 = counts.iter().map(|c| (c - PIXELS / 256).pow(2)).sum();
            let chi2 = f64::from(chi2) / f64::from(PIXELS / 256);
            assert!((140.0..380.0).contains(&chi2), "index {index}, dimensions {a} and {b}: {chi2}");
        }
    }
}

#[test]
fn dimensions_are_addressed_and_do_not_drift() {
    let start = Sampler::new(SEED, [1, 2], 3);
    let mut a = start.clone();
    let first = a.next_1d();
    let second = a.next_2d();
    let third = a.next_4d();
    let mut b = start;
    assert_eq!(third, b.dimension(2).next_4d());
    assert_eq!(second, b.dimension(1).next_2d());
    assert_eq!(first, b.dimension(0).next_4d()[0]);
}

#[test]
fn every_coordinate_changes_the_numbers() {
    let at = |seed, pixel, sample| Sampler::new(seed, pixel, sample).next_4d();
    let here = at(0, [0, 0], 0);
    let others = [at(1, [0, 0], 0), at(1 << 40, [0, 0], 0), at(0, [1, 0], 0), at(0, [0, 1], 0), at(0, [-1, 0], 0)];
    for other in others.into_iter().chain([at(0, [0, 0], 1), at(0, [0, 0], BATCH)]) {
        assert!((0..4).all(|i| here[i] != other[i]), "{other:?}");
    }
    assert_eq!(here, at(0, [0, 0], 0));
    assert_ne!(at(0, [3, 8], 0), at(0, [8, 3], 0));
}

#[test]
fn numbers_of_one_build_are_those_of_another() {
    // A render is resumed and sharded by other builds of the same version: the numbers are part of the format.
    assert_eq!(Sampler::new(0, [0, 0], 0).next_4d(), [0.41085726, 0.9740321, 0.30589902, 0.1384095]);
}
