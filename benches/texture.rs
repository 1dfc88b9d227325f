//! Nanoseconds a sample, by layout: in cache (256²) and out of it (4096²), at scattered coordinates as path tracing's are.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec2;
use scrutineer::texture::{Sampler, Store, Texture, Transfer};

/// DXGI codes and bytes of one texel, or of one 4×4 block.
const FORMATS: [(&str, u32, u32, bool); 8] = [
    ("RGBA8", 28, 4, false),
    ("RGBA8 sRGB", 29, 4, false),
    ("RGBA16F", 10, 8, false),
    ("BC1", 71, 8, true),
    ("BC3", 77, 16, true),
    ("BC5", 83, 16, true),
    ("BC6H", 95, 16, true),
    ("BC7", 98, 16, true),
];
const SAMPLES: usize = 4096;

/// A DDS file of noise.
fn noise(code: u32, unit: u32, blocks: bool, size: u32) -> Vec<u8> {
    let mut words = vec![124, 0, size, size, 0, 0, 1];
    words.extend([0; 11]);
    words.extend([32, 4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    words.extend([code, 3, 0, 1, 0]);
    let bytes = size * size / if blocks { 16 } else { 1 } * unit;
    let mut state = 1u32;
    words.extend((0..bytes / 4).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.rotate_left(16) ^ state
    }));
    b"DDS ".iter().copied().chain(words.into_iter().flat_map(u32::to_le_bytes)).collect()
}

fn coordinates() -> Vec<Vec2> {
    // the R2 sequence covers the square evenly without any locality
    (0..SAMPLES).map(|i| Vec2::new(i as f32 * 0.754_877_7, i as f32 * 0.569_840_3) % 1.0).collect()
}

fn load(file: &[u8], transfer: Option<Transfer>) -> Arc<Texture> {
    Store::new(".", None).load_bytes("noise", file, transfer).expect("the header is right")
}

fn sampling(criterion: &mut Criterion) {
    let coordinates = coordinates();
    let mut group = criterion.benchmark_group("bilinear");
    group.throughput(Throughput::Elements(SAMPLES as u64)).sample_size(20);
    group.warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(700));
    for (name, code, unit, blocks) in FORMATS {
        for size in [256, 4096] {
            let texture = load(&noise(code, unit, blocks, size), None);
            let sampler = Sampler::default();
            let mut offset = Vec2::ZERO;
            group.bench_function(format!("{name} {size}"), |bencher| {
                bencher.iter(|| {
                    // another set of cache lines each time
                    offset += Vec2::new(0.000_137, 0.000_271);
                    for uv in &coordinates {
                        black_box(texture.sample(*uv + offset, 0.0, &sampler));
                    }
                });
            });
        }
    }
    group.finish();
}

fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load 1024²");
    group.throughput(Throughput::Elements(1 << 20)).sample_size(10);
    group.warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(600));
    for (name, code, unit, blocks) in FORMATS {
        let file = noise(code, unit, blocks, 1024);
        group.bench_function(name, |bencher| bencher.iter(|| load(black_box(&file), None)));
    }
    group.finish();
}

criterion_group!(benches, sampling, loading);
criterion_main!(benches);
