//! `bvh` and Embree side by side on one thread: rays a second and build times, for two million triangles and for 20,000
//! instances.
//!
//! `cargo bench --bench rays` prints a table of ratios first: both backends take turns on the same rays, so that a busy
//! machine slows both. Criterion's figures follow. Without Embree (see `SCRUTINEER_EMBREE`) there are only figures of
//! `bvh`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use glam::{Affine3A, Quat, Vec3};
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::{Instance, Mesh, mask};
use scrutineer::geometry::{Hit, Ray};

/// Samples of a pixel that are traced as a packet.
const SAMPLES: usize = 16;

/// What is traced: something built by each backend, and rays to ask it about.
struct Scene {
    name: &'static str,
    triangles: usize,
    instances: usize,
    built: Vec<(Accel, Duration)>,
    camera: Vec<Ray>,
    bounces: Vec<Ray>,
    sun: Vec<Ray>,
    /// `SAMPLES` in a row belong to a pixel.
    pixels: Vec<Ray>,
}

/// A way to spend rays.
struct Query {
    name: &'static str,
    rays: fn(&Scene) -> &[Ray],
    run: fn(&Accel, &[Ray]) -> usize,
}

const QUERIES: [Query; 6] = [
    Query { name: "closest, coherent", rays: |s| &s.camera, run: closest },
    Query { name: "closest, incoherent", rays: |s| &s.bounces, run: closest },
    Query { name: "any hit, incoherent", rays: |s| &s.bounces, run: occluded },
    Query { name: "any hit, sun", rays: |s| &s.sun, run: occluded },
    Query { name: "closest, pixel by ray", rays: |s| &s.pixels, run: closest },
    Query { name: "closest, pixel packet", rays: |s| &s.pixels, run: packets },
];

fn closest(accel: &Accel, rays: &[Ray]) -> usize {
    rays.iter().filter(|ray| accel.closest(ray, mask::ALL).is_some()).count()
}

fn occluded(accel: &Accel, rays: &[Ray]) -> usize {
    rays.iter().filter(|ray| accel.occluded(ray, mask::ALL)).count()
}

fn packets(accel: &Accel, rays: &[Ray]) -> usize {
    let mut hits: [Option<Hit>; SAMPLES] = [None; SAMPLES];
    let trace = |pixel: &[Ray]| {
        accel.closest_packet(pixel, mask::ALL, &mut hits);
        hits.iter().flatten().count()
    };
    rays.chunks_exact(SAMPLES).map(trace).sum()
}

/// A small generator (SplitMix64), in 0..1.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let p = Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0;
            if (0.01..1.0).contains(&p.length_squared()) {
                return p.normalize();
            }
        }
    }
}

fn height(x: f32, z: f32) -> f32 {
    (0..7)
        .map(|octave| {
            let f = 0.01 * 2.1_f32.powi(octave);
            (f * x + octave as f32).sin() * (f * z * 1.3 + 2.0 * octave as f32).cos() * 0.35 / f
        })
        .sum()
}

/// A hilly square kilometre of 2·n² triangles.
fn terrain(n: u32) -> Mesh {
    let step = 1000.0 / n as f32;
    let at = |i: u32| i as f32 * step - 500.0;
    let positions = (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j)));
    let positions = positions.map(|(i, j)| Vec3::new(at(i), height(at(i), at(j)), at(j))).collect();
    let corner = |i, j| j * (n + 1) + i;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let indices = cells.flat_map(|(i, j)| {
        let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1));
        [[a, c, b], [b, c, d]]
    });
    Mesh { positions, indices: indices.collect(), ..Mesh::default() }
}

/// A boulder of about 5,000 triangles.
fn boulder() -> Mesh {
    const N: u32 = 50;
    let point = |i: u32, j: u32| {
        let (theta, phi) = (std::f32::consts::PI * i as f32 / N as f32, std::f32::consts::TAU * j as f32 / N as f32);
        let p = Vec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
        p * (1.0 + 0.15 * (5.0 * p.x).sin() * (7.0 * p.y).cos() + 0.05 * (23.0 * p.z).sin())
    };
    let positions = (0..=N).flat_map(|i| (0..=N).map(move |j| point(i, j))).collect();
    let corner = |i, j| i * (N + 1) + j;
    let cells = (0..N).flat_map(|i| (0..N).map(move |j| (i, j)));
    let indices = cells.flat_map(|(i, j)| {
        let (a, b, c, d) = (corner(i, j), corner(i, j + 1), corner(i + 1, j), corner(i + 1, j + 1));
        [[a, c, b], [b, c, d]]
    });
    Mesh { positions, indices: indices.collect(), ..Mesh::default() }
}

fn place(mesh: u32, transform: Affine3A) -> Instance {
    Instance { mesh, material: 0, transform, variation: [0; 3], mask: mask::SOLID }
}

fn boulders(count: usize, random: &mut Random) -> Vec<Instance> {
    let one = |_| {
        let (x, z) = (1000.0 * random.unit() - 500.0, 1000.0 * random.unit() - 500.0);
        let turn = Quat::from_axis_angle(random.direction(), 6.0 * random.unit());
        let scale = Vec3::new(1.0, 0.8, 1.2) * (1.0 + 4.0 * random.unit());
        place(0, Affine3A::from_scale_rotation_translation(scale, turn, Vec3::new(x, 0.3 * height(x, z), z)))
    };
    (0..count).map(one).collect()
}

fn build(name: &'static str, meshes: &[Mesh], instances: &[Instance], random: &mut Random) -> Scene {
    let mut built = Vec::new();
    for backend in [Backend::Bvh, Backend::Embree] {
        let start = Instant::now();
        match Accel::build(meshes, instances, backend, 1) {
            Ok(accel) => built.push((accel, start.elapsed())),
            Err(error) => println!("without {backend:?}: {error}"),
        }
    }
    let accel = &built[0].0;
    let eye = Vec3::new(-420.0, 160.0, -420.0);
    let forward = Vec3::new(1.0, -0.45, 1.0).normalize();
    let right = forward.cross(Vec3::Y).normalize();
    let up = right.cross(forward);
    let shoot = |x: f32, y: f32| {
        let direction = (forward + right * (x - 0.5) * 1.2 + up * (0.5 - y) * 0.9).normalize();
        Ray { origin: eye, direction, t_min: 0.0, t_max: f32::INFINITY }
    };
    let camera = (0..256 * 256).map(|i| shoot((i % 256) as f32 / 256.0, (i / 256) as f32 / 256.0)).collect::<Vec<_>>();
    let mut pixels = Vec::new();
    for pixel in 0..64 * 64 {
        let (x, y) = ((pixel % 64) as f32 * 16.0, (pixel / 64) as f32 * 16.0);
        pixels.extend([0; SAMPLES].map(|_| shoot((x + random.unit()) / 1024.0, (y + random.unit()) / 1024.0)));
    }
    let (mut bounces, mut sun) = (Vec::new(), Vec::new());
    for ray in &camera {
        let Some(hit) = accel.closest(ray, mask::ALL) else { continue };
        let origin = ray.origin + ray.direction * (hit.t * 0.9999);
        let direction = random.direction();
        bounces.push(Ray { origin, direction: direction.with_y(direction.y.abs() * 0.7).normalize(), ..*ray });
        sun.push(Ray { origin, direction: Vec3::new(0.5, 0.35, -0.3).normalize(), ..*ray });
    }
    let triangles = meshes.iter().map(|mesh| mesh.indices.len()).sum();
    Scene { name, triangles, instances: instances.len(), built, camera, bounces, sun, pixels }
}

/// Millions of rays a second of each backend. They take turns on slices of a few milliseconds, of which the quickest of
/// all `rounds` counts: what else the machine does between them is left out.
fn speeds(scene: &Scene, query: &Query, rounds: usize) -> Vec<f64> {
    const SLICE: usize = 128 * SAMPLES;
    let rays = (query.rays)(scene);
    let mut seconds = vec![0.0; scene.built.len()];
    for slice in rays.chunks(SLICE) {
        let mut best = vec![f64::INFINITY; scene.built.len()];
        for _ in 0..rounds {
            for ((accel, _), best) in scene.built.iter().zip(&mut best) {
                let start = Instant::now();
                black_box((query.run)(accel, slice));
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        seconds.iter_mut().zip(&best).for_each(|(sum, best)| *sum += best);
    }
    seconds.iter().map(|seconds| rays.len() as f64 / seconds / 1e6).collect()
}

fn print_table(scene: &Scene) {
    println!("\n{}: {} triangles, {} instances, one thread", scene.name, scene.triangles, scene.instances);
    for (accel, time) in &scene.built {
        let memory = accel.memory();
        println!(
            "  {:<14} built in {:.2} s, {:.1} bytes a triangle, {:.1} bytes an instance",
            accel.name(),
            time.as_secs_f64(),
            memory.meshes as f64 / scene.triangles as f64,
            memory.instances as f64 / scene.instances as f64,
        );
    }
    for query in &QUERIES {
        let speeds = speeds(scene, query, 8);
        let ratio = speeds.get(1).map_or(String::new(), |other| format!("   ratio {:.2}", speeds[0] / other));
        let speeds = speeds.iter().map(|speed| format!("{speed:8.2}")).collect::<String>();
        println!("  {:<24}{speeds} M rays/s{ratio}", query.name);
    }
}

fn measure(criterion: &mut Criterion, scene: &Scene) {
    for query in &QUERIES {
        let rays = (query.rays)(scene);
        let mut group = criterion.benchmark_group(format!("{}/{}", scene.name, query.name));
        group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(100));
        group.throughput(Throughput::Elements(rays.len() as u64));
        for (accel, _) in &scene.built {
            group.bench_function(accel.name(), |bencher| bencher.iter(|| (query.run)(accel, rays)));
        }
    }
}

fn main() {
    let mut random = Random(1);
    let terrain = build("terrain", &[terrain(1000)], &[place(0, Affine3A::IDENTITY)], &mut random);
    print_table(&terrain);
    let rocks = boulders(20_000, &mut random);
    let boulders = build("boulders", &[boulder()], &rocks, &mut random);
    print_table(&boulders);
    if std::env::args().any(|argument| argument == "--table-only") {
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion, &terrain);
    measure(&mut criterion, &boulders);
    criterion.final_summary();
}
