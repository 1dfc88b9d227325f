//! Nanoseconds per BRDF operation and per set of random numbers.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use scrutineer::brdf::Brdf;
use scrutineer::sampler::Sampler;

fn brdf(c: &mut Criterion) {
    let wo = Vec3::new(0.6, 0.0, 0.8);
    let n = Vec3::new(0.1, 0.2, 1.0);
    let new = || Brdf::opaque(Vec3::splat(0.5), 0.2, black_box(0.4), n, Vec3::Z, wo);
    c.bench_function("brdf/new", |b| b.iter(|| black_box(new())));
    let brdf = new();
    let wi = Vec3::new(-0.36, 0.48, 0.8);
    c.bench_function("brdf/eval", |b| b.iter(|| brdf.eval(black_box(wi))));
    c.bench_function("brdf/pdf", |b| b.iter(|| brdf.pdf(black_box(wi))));
    // Fixed numbers, once for each lobe: a random choice would measure the branch predictor.
    c.bench_function("brdf/sample specular", |b| b.iter(|| brdf.sample(black_box([0.0, 0.3, 0.6]))));
    c.bench_function("brdf/sample diffuse", |b| b.iter(|| brdf.sample(black_box([0.99, 0.3, 0.6]))));
}

fn sampler(c: &mut Criterion) {
    let mut sample = 0;
    c.bench_function("sampler/new", |b| b.iter(|| Sampler::new(0, [black_box(3), 5], 9)));
    let mut sampler = Sampler::new(0, [3, 5], 9);
    c.bench_function("sampler/next_4d", |b| b.iter(|| sampler.next_4d()));
    c.bench_function("sampler/path of 8 sets", |b| {
        b.iter(|| {
            sample += 1;
            let mut sampler = Sampler::new(0, [3, 5], sample);
            (0..8).map(|_| sampler.next_4d()[0]).sum::<f32>()
        });
    });
}

criterion_group!(benches, brdf, sampler);
criterion_main!(benches);
