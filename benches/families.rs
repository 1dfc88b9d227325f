//! Nanoseconds an evaluation for every registered family (its first and its richest permutation), and the probe's
//! throughput in lines of JSON.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Vec2, Vec3};
use scrutineer::material::bind::{Input, NoTextures, bind};
use scrutineer::material::registry::{FAMILIES, Family, Permutations};
use scrutineer::material::{Context, Point};
use scrutineer::probe::{self, ProbeScene, Session};
use scrutineer::scene::world::World;

/// The first permutation and the one with the most parts.
fn permutations(family: &Family) -> Vec<String> {
    match family.permutations {
        Permutations::None => vec![String::new()],
        Permutations::Names(names) => {
            let richest = names.iter().max_by_key(|name| name.len());
            [names.first(), richest].into_iter().flatten().map(|&name| name.to_owned()).collect()
        }
        Permutations::Tokens { acting, .. } => vec![String::new(), format!("_{}", acting.join("_"))],
    }
}

fn evaluations(criterion: &mut Criterion) {
    let world = World { camera: Vec3::new(3.0, 12.0, -20.0), ..World::default() };
    let point = Point { uv: [Vec2::new(0.3, 0.7); 5], instance_variation: Vec3::splat(0.5), ..Point::default() };
    let mut group = criterion.benchmark_group("evaluate");
    for &family in FAMILIES {
        let mut names = permutations(family);
        names.dedup();
        for permutation in names {
            let input = Input { permutation: Some(permutation.clone()), ..Input::default() };
            let Ok(material) = bind(family, &input, &mut NoTextures) else { continue };
            group.bench_function(format!("{}{permutation}", family.name), |bencher| {
                bencher.iter(|| material.evaluate(black_box(&point), &Context::new(black_box(&world))));
            });
        }
    }
    group.finish();
}

fn probe_lines(criterion: &mut Criterion) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut group = criterion.benchmark_group("probe");
    for name in ["MAD_Tex1", "uber_rock_array"] {
        let scene = ProbeScene::load(&golden.join(format!("{name}.scene.toml"))).expect("the golden scene is valid");
        let full =
            fs::read_to_string(golden.join(format!("{name}.points.jsonl"))).expect("the golden points are there");
        let material = scene.materials.keys().next().expect("a material").clone();
        let plain =
            format!("{{\"material\": \"{material}\", \"uv0\": [0.25, 0.5], \"normal\": [0, 0, 1]}}\n").repeat(60);
        for (kind, points) in [("overridden", full), ("plain", plain)] {
            let mut source = NoTextures;
            let mut session = Session::new(scene.clone(), &mut source);
            group.throughput(Throughput::Elements(points.lines().count() as u64));
            group.bench_function(format!("{name} {kind}"), |bencher| {
                bencher.iter(|| probe::run(&mut session, black_box(points.as_bytes()), std::io::sink()));
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(150));
    targets = evaluations, probe_lines
}
criterion_main!(benches);
