//! How long it takes to choose a light, and to say how likely a choice was.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Affine3A, Vec3};
use scrutineer::light::{
    EmissiveInstance, EmissiveMesh, EmissiveTriangle, LightFrom, Lights, LightsDescription, Punctual, PunctualKind,
    SampleKind, SkyDescription, SkyKind, Sun,
};

/// Points in a low-discrepancy sequence, −1..1.
fn spread(i: usize) -> Vec3 {
    let fraction = |step: f64| ((i as f64 * step).fract() * 2.0 - 1.0) as f32;
    Vec3::new(fraction(0.819_172_5), fraction(0.671_043_6), fraction(0.549_700_5))
}

fn sun() -> LightsDescription {
    let direction = Vec3::new(0.3, 0.8, 0.5);
    let sun = Sun { direction, irradiance: Vec3::splat(20.0), angular_diameter: 0.53, group: 0 };
    LightsDescription { sun: Some(sun), ..Default::default() }
}

fn daylight() -> LightsDescription {
    let kind = SkyKind::Hosek { turbidity: 3.0, ground_albedo: Vec3::splat(0.2), scale: 1.0 };
    LightsDescription { sky: Some(SkyDescription { kind, group: 1 }), ..sun() }
}

fn lamps(count: usize) -> LightsDescription {
    let lamp =
        |i| Punctual { kind: PunctualKind::Point { position: spread(i) * 50.0, intensity: Vec3::ONE }, group: 0 };
    LightsDescription { punctual: (0..count).map(lamp).collect(), ..Default::default() }
}

/// A thousand triangles under each of the instances.
fn emitters(instances: usize) -> LightsDescription {
    let triangle = |i: usize| EmissiveTriangle {
        primitive: i as u32,
        p: [spread(i), spread(i) + 0.1 * spread(i + 7), spread(i) + 0.1 * spread(i + 31)],
        radiance: 1.0,
    };
    let emissive_meshes = vec![EmissiveMesh { mesh: 0, triangles: (0..1000).map(triangle).collect() }];
    let place = |i: usize| EmissiveInstance {
        instance: i as u32,
        mesh: 0,
        transform: Affine3A::from_translation(spread(i) * 50.0),
        double_sided: false,
        group: 0,
    };
    LightsDescription { emissive_meshes, emitters: (0..instances).map(place).collect(), ..Default::default() }
}

fn light(c: &mut Criterion) {
    let scenes = [
        ("sun", sun()),
        ("sun and hosek", daylight()),
        ("4096 lamps", lamps(4096)),
        ("1000 triangles", emitters(1)),
        ("1000 triangles x 4096", emitters(4096)),
    ];
    for (name, description) in scenes {
        let lights = Lights::build(&description).expect("the scenes are valid");
        let fraction = |i: usize, step: f64| (i as f64 * step).fract() as f32;
        let query = |i| {
            let u = [fraction(i, 0.618_034), fraction(i, 0.414_214), fraction(i, 0.732_051), fraction(i, 0.236_068)];
            (LightFrom { p: spread(i) * 50.0, n: Some(Vec3::Y) }, u)
        };
        let queries: Vec<_> = (0..4096).map(query).collect();
        let mut next = queries.iter().cycle();
        c.bench_function(&format!("light/sample/{name}"), |b| {
            b.iter(|| next.next().map(|(from, u)| lights.sample(black_box(from), *u)));
        });
        let found: Vec<_> = queries.iter().filter_map(|(from, u)| Some((from, lights.sample(from, *u)?))).collect();
        let mut next = found.iter().cycle();
        c.bench_function(&format!("light/pdf/{name}"), |b| {
            b.iter(|| {
                let (from, sample) = next.next()?;
                let mut pdf = 0.0;
                match sample.kind {
                    SampleKind::Emitter { instance, primitive, .. } => {
                        pdf = lights.pdf_emitter(from, instance, primitive, sample.wi, sample.distance);
                    }
                    SampleKind::Radiance(_) => lights.infinite(Some(black_box(from)), sample.wi, |l| pdf += l.pdf),
                }
                Some(pdf)
            });
        });
    }
}

criterion_group!(benches, light);
criterion_main!(benches);
