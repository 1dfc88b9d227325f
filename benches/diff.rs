//! `scrutineer diff` of a 4K pair with 20 float channels, without FLIP: reading, decoding, all pointwise measures.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use exr::prelude::{AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, WritableImage};
use scrutineer::compare::{self, Options};

const WIDTH: usize = 3840;
const HEIGHT: usize = 2160;

/// Five layers of four channels whose mantissas are half noise, as renders' are.
fn write(path: &Path, seed: u32) {
    let noise = |x: u32| (x.wrapping_mul(2_654_435_761) >> 16) as f32 / 65536.0;
    let channel = |index: usize| {
        let value = |i: usize| {
            let smooth = ((i % WIDTH) as f32 * 0.01 + index as f32).sin() + 2.0;
            smooth * (1.0 + 0.01 * noise(i as u32 ^ seed.wrapping_mul(index as u32 + 1)))
        };
        let name = format!("layer{}.{}", index / 4, ["R", "G", "B", "A"][index % 4]);
        AnyChannel::new(name.as_str(), FlatSamples::F32((0..WIDTH * HEIGHT).map(value).collect()))
    };
    let channels = AnyChannels::sort((0..20).map(channel).collect());
    let layer = Layer::new((WIDTH, HEIGHT), LayerAttributes::default(), Encoding::FAST_LOSSLESS, channels);
    let uncompressed = Layer { encoding: Encoding::UNCOMPRESSED, ..layer };
    Image::from_layer(uncompressed).write().to_file(path).expect("a file in the temporary folder");
}

fn pair(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (test, reference) = (folder.path().join("test.exr"), folder.path().join("reference.exr"));
    write(&test, 1);
    write(&reference, 2);
    let mut group = criterion.benchmark_group("diff");
    group.sample_size(10).measurement_time(Duration::from_secs(30));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(format!("4K, 20 float channels, {threads} threads"), |bencher| {
            bencher.iter(|| {
                let options = Options::default();
                pool.install(|| compare::compare("pair", &test, &reference, black_box(&options))).expect("two pictures")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, pair);
criterion_main!(benches);
