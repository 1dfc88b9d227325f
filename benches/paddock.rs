//! How much of a render is rays: the paddock rendered, and the rays of that render traced alone.
//!
//! `cargo bench --bench paddock` prints samples and rays a second on one thread, the time of the whole render (without
//! loading and writing) over that of its rays, the same for the G-buffer alone at all that those rays met (without lights,
//! BRDF, random numbers and film), and how much faster two threads are. Renders and replays take turns and the quickest of
//! each counts, so that a busy machine says little less than a quiet one.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use scrutineer::cli::progress::Progress;
use scrutineer::film::{Film, FilmSettings, Selection};
use scrutineer::geometry::accel::Accel;
use scrutineer::integrator::passage::{Origin, Passage};
use scrutineer::integrator::report::Report;
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::sampler;
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};

/// A quarter of the scene's own: the journal takes about 60 bytes a ray.
const RESOLUTION: [u32; 2] = [320, 180];
const SAMPLES: u32 = 16;
const ROUNDS: usize = 5;

fn render(scene: &Scene, threads: usize) -> Report {
    let job = Job::new(scene, 0, Integrator::Path, None, Some(threads));
    let settings = FilmSettings {
        resolution: scene.render.resolution,
        crop: None,
        aovs: Selection::default_set().into_ids(),
        light_groups: scene.names.light_groups.clone(),
        batch: sampler::BATCH,
        track_error: true,
    };
    let mut film = Film::new(settings).expect("the film is small");
    let progress = Progress::new(job.total_samples(), "paddock");
    let report =
        integrator::render(scene, &job, &mut film, &Watch { progress: &progress, stop: &AtomicBool::new(false) });
    progress.finish();
    report
}

/// The same scene with its acceleration structure replaced by what `change` makes of it.
fn with_accel<T>(scene: Scene, change: impl FnOnce(Accel) -> (Accel, T)) -> (Scene, T) {
    let Scene { accel, .. } = scene;
    let (accel, rest) = change(accel);
    (Scene { accel, ..scene }, rest)
}

fn quickest(times: impl Iterator<Item = Duration>) -> f64 {
    times.min().map_or(f64::NAN, |time| time.as_secs_f64())
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn main() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/paddock/paddock.toml");
    let mut scene = load::load(&file, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    (scene.render.resolution, scene.render.samples) = (RESOLUTION, SAMPLES);
    let (scene, ()) = with_accel(scene, |accel| (accel.recorded(), ()));
    render(&scene, 1);
    let (scene, journal) = with_accel(scene, Accel::into_recorded);

    let (mut renders, mut pairs, mut replays, mut surfaces) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        renders.push(render(&scene, 1));
        replays.push(timed(|| journal.replay(&scene.accel, |_, _| {})));
        let mut passage = Passage::new(&scene, [0, 0], false, 0);
        surfaces.push(timed(|| {
            journal.replay(&scene.accel, |ray, hit| {
                black_box(passage.from_hit(ray, Some(*hit), Origin::Bounce));
            })
        }));
        pairs.push(render(&scene, 2));
    }
    let (samples, rays) = (renders[0].samples as f64, renders[0].rays as f64);
    assert_eq!(journal.rays() as u64, renders[0].rays, "a recorded render asks what others ask");
    let alone = quickest(renders.iter().map(|report| report.elapsed));
    let two = quickest(pairs.iter().map(|report| report.elapsed));
    let replay = quickest(replays.into_iter());
    let surfaces = quickest(surfaces.into_iter());
    println!("paddock, {}x{}, {SAMPLES} samples, {}", RESOLUTION[0], RESOLUTION[1], scene.accel.name());
    println!("  one thread       {:.3} M samples/s, {:.3} M rays/s", samples / alone / 1e6, rays / alone / 1e6);
    println!("  its rays alone   {:.3} M rays/s, {:.2} a sample", rays / replay / 1e6, rays / samples);
    println!("  render : replay  {:.2}", alone / replay);
    println!("  G-buffer : replay  {:.2}, of which nothing is lit yet", surfaces / replay);
    println!("  two threads      {:.2} times as fast", alone / two);
}
