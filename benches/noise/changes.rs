//! How small a change is found: planted changes of growing size.

use rayon::prelude::*;
use scrutineer::compare::statistics::Verdict;

use super::compare_planes;
use super::pictures::{Picture, Sampled, sampled};

/// What is done to the test's beauty, by a strength.
struct Change {
    name: &'static str,
    strengths: &'static [f32],
    apply: fn(&mut [f32], u32, f32),
}

const CHANGES: [Change; 5] = [
    Change {
        name: "brightness of all, relative",
        strengths: &[0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.02, 0.05],
        apply: |values, _, strength| values.iter_mut().for_each(|v| *v *= 1.0 + strength),
    },
    Change {
        name: "brightness of the lower half, which has no sky, relative",
        strengths: &[0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.02, 0.05],
        apply: |values, _, strength| {
            let half = values.len() / 2;
            values[half..].iter_mut().for_each(|v| *v *= 1.0 + strength);
        },
    },
    Change {
        name: "brightness of an object of 20×20 pixels, relative",
        strengths: &[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
        apply: |values, width, strength| {
            for y in 50..70 {
                (60..80).for_each(|x| pixel(values, width, x, y).iter_mut().for_each(|v| *v *= 1.0 + strength));
            }
        },
    },
    Change {
        name: "one hot pixel, added radiance",
        strengths: &[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0],
        apply: |values, width, strength| pixel(values, width, 77, 61).iter_mut().for_each(|v| *v += strength),
    },
    Change {
        name: "red and blue swapped",
        strengths: &[1.0],
        apply: |values, _, _| values.chunks_exact_mut(3).for_each(|rgb| rgb.swap(0, 2)),
    },
];

fn pixel(values: &mut [f32], width: u32, x: usize, y: usize) -> &mut [f32] {
    &mut values[(y * width as usize + x) * 3..][..3]
}

/// Prints the smallest strength from which at least 99 % of the pairs are called different.
pub fn power(name: &str, pictures: &[Picture]) {
    let beauty = sampled().into_iter().find(|aov| aov.name == "beauty").expect("the table has a beauty");
    for change in &CHANGES {
        let shares: Vec<(f32, f64)> =
            change.strengths.iter().map(|s| (*s, found(pictures, change, *s, &beauty))).collect();
        let sure = shares.iter().rev().take_while(|(_, share)| *share >= 0.99).last();
        let words = sure.map_or_else(|| "not found".to_owned(), |(strength, _)| format!("found from {strength}"));
        println!("{name}: {}: {words} ({shares:?})", change.name);
    }
}

fn found(pictures: &[Picture], change: &Change, strength: f32, aov: &Sampled) -> f64 {
    // Neighbours in the list: as many pairs as pictures are enough.
    let pairs = pictures.len().min(24);
    let called = |i: &usize| {
        let (test, reference) = (&pictures[*i], &pictures[(*i + 1) % pictures.len()]);
        let mut values = test.plane(aov.channels).expect("the beauty");
        (change.apply)(&mut values, test.width, strength);
        let r = reference.plane(aov.channels).expect("the beauty");
        compare_planes(&values, &r, test, reference, aov).is_some_and(|report| report.verdict != Verdict::Noise)
    };
    (0..pairs).into_par_iter().filter(called).count() as f64 / pairs as f64
}
