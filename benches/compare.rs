//! Picture metrics: time a megapixel of ꟻLIP, SSIM and the noise test.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use scrutineer::compare::flip::{self, DEFAULT_PPD, ToneMapper};
use scrutineer::compare::statistics::{NoiseTest, Settings};
use scrutineer::compare::{Plane, ssim};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Smooth with fine noise, 0..1.
fn picture(seed: u32, channels: usize) -> Plane {
    let mut plane = Plane::new(WIDTH, HEIGHT, channels);
    let mut state = seed;
    for (i, value) in plane.values.iter_mut().enumerate() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let x = (i / channels % WIDTH) as f32 / WIDTH as f32;
        *value = 0.2 + 0.6 * x + 0.1 * (state >> 8) as f32 / 16_777_216.0;
    }
    plane
}

fn metrics(c: &mut Criterion) {
    let (reference, test) = (picture(1, 3), picture(2, 3));
    let mut group = c.benchmark_group("metrics-720p");
    group.sample_size(10).throughput(Throughput::Elements((WIDTH * HEIGHT) as u64));
    group.bench_function("flip-ldr", |b| b.iter(|| flip::ldr(&reference, &test, DEFAULT_PPD)));
    group.bench_function("flip-hdr", |b| b.iter(|| flip::hdr(&reference, &test, DEFAULT_PPD, ToneMapper::Aces)));
    group.bench_function("ssim", |b| b.iter(|| ssim::ssim(&reference, &test, 1.0)));
    group.finish();
}

fn noise(c: &mut Criterion) {
    let (reference, test) = (picture(1, 3), picture(2, 3));
    let errors = vec![0.04f32; WIDTH * 3];
    let run = |errors: Option<&[f32]>| {
        let mut noise = NoiseTest::new(WIDTH as u32, HEIGHT as u32, 3, Settings::default());
        (0..HEIGHT).try_for_each(|y| noise.row(test.row(y), reference.row(y), errors, errors))?;
        noise.finish(|channel| channel.to_string())
    };
    let mut group = c.benchmark_group("noise-720p");
    group.sample_size(10).throughput(Throughput::Elements((WIDTH * HEIGHT * 3) as u64));
    group.bench_function("with-errors", |b| b.iter(|| run(Some(&errors))));
    group.bench_function("without-errors", |b| b.iter(|| run(None)));
    group.finish();
}

criterion_group!(benches, metrics, noise);
criterion_main!(benches);
