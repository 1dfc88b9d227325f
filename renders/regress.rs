//! Renders the pictures of the regression suite into a folder: what `renders/reference/` holds.
//!
//! ```text
//! cargo run --release --example render-baselines -- FOLDER SEED
//! ```
//!
//! `just regress` renders with one seed and compares with references of another (docs/regression.md says why).

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use scrutineer::cli::progress::Progress;
use scrutineer::film::output::{Arrangement, Compression, Output, Precision};
use scrutineer::film::{Film, FilmSettings, Selection, exr};
use scrutineer::geometry::accel::Backend;
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::sampler;
use scrutineer::scene::load::{self, Options};

/// The scene file's own camera, which has no name.
const MAIN: &str = "";

/// Scene and camera of each picture; a path-traced one and one of the G-buffer are rendered of each.
const VIEWS: [(&str, &str); 7] = [
    ("chart", MAIN),
    ("cornell", MAIN),
    ("decals", MAIN),
    ("decals", "grazing"),
    ("glass", MAIN),
    ("paddock", MAIN),
    ("spheres", MAIN),
];

/// Path-traced pictures and those of the G-buffer are judged by different limits, so they are in folders of their own.
const PATH_FOLDER: &str = "path";
const GBUFFER_FOLDER: &str = "gbuffer";

/// Large enough for tiles of 16 pixels to see an object, small enough for git.
const RESOLUTION: [u32; 2] = [128, 72];

/// Four batches: the fewest whose spread is an error worth pooling.
const SAMPLES: u32 = 64;

/// What the path-traced pictures hold. The five parts tell which term of the light is wrong.
const PATH: [&str; 8] = [
    "beauty",
    "beauty_stderr",
    "RT0",
    "RT1",
    "direct_diffuse",
    "direct_specular",
    "indirect_diffuse",
    "indirect_specular",
];

/// Unfiltered, from the pixel's centre: no noise.
const GBUFFER: [&str; 11] = ["RT0", "RT1", "RT2", "N", "Ng", "P", "Z", "uv0", "instance", "material", "primitive"];

/// Half for noisy colour: the noise test allows for its rounding.
fn output(integrator: Integrator) -> Output {
    let precision = if integrator == Integrator::Gbuffer { Precision::Float } else { Precision::Half };
    Output { layout: Arrangement::Layers, precision, compression: Compression::Zip }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [folder, seed] => match seed.parse() {
            Ok(seed) => render_all(Path::new(folder), seed),
            Err(_) => Err(format!("the seed must be a whole number, not \"{seed}\"")),
        },
        _ => Err("usage: render-baselines FOLDER SEED".to_owned()),
    };
    if let Err(message) = result {
        eprintln!("error: {message}");
        std::process::exit(2);
    }
}

fn render_all(folder: &Path, seed: u64) -> Result<(), String> {
    for part in [PATH_FOLDER, GBUFFER_FOLDER] {
        let part = folder.join(part);
        std::fs::create_dir_all(&part).map_err(|error| format!("{}: {error}", part.display()))?;
    }
    for (scene, camera) in VIEWS {
        let file = if camera == MAIN { format!("{scene}.exr") } else { format!("{scene}-{camera}.exr") };
        render(scene, camera, Integrator::Path, seed, &folder.join(PATH_FOLDER).join(&file))?;
        render(scene, camera, Integrator::Gbuffer, seed, &folder.join(GBUFFER_FOLDER).join(&file))?;
    }
    Ok(())
}

fn scene_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name).join(format!("{name}.toml"))
}

fn render(name: &str, camera: &str, integrator: Integrator, seed: u64, file: &Path) -> Result<(), String> {
    // The built-in backend: what is installed must not decide bits.
    let options = Options { backend: Backend::Bvh, threads: None, resolution: Some(RESOLUTION) };
    let mut scene = load::load(&scene_file(name), &options).map_err(|error| error.to_string())?;
    let named = || scene.cameras.iter().position(|other| other.name == camera);
    let index = if camera == MAIN { Some(0) } else { named() };
    let index = index.ok_or_else(|| format!("{name} has no camera \"{camera}\""))?;
    scene.render.samples = SAMPLES;
    scene.render.seed = seed;
    scene.look_through(index);
    let job = Job::new(&scene, index, integrator, None, None);
    let aovs: &[&str] = if integrator == Integrator::Gbuffer { &GBUFFER } else { &PATH };
    let aovs: Vec<String> = aovs.iter().map(|aov| (*aov).to_owned()).collect();
    let mut film = Film::new(FilmSettings {
        resolution: RESOLUTION,
        crop: None,
        aovs: Selection::parse(&aovs, &scene.names.light_groups)?.into_ids(),
        light_groups: scene.names.light_groups.clone(),
        batch: sampler::BATCH,
        track_error: integrator != Integrator::Gbuffer,
    })?;
    let progress = Progress::new(job.total_samples(), &file.display().to_string());
    integrator::render(&scene, &job, &mut film, &Watch { progress: &progress, stop: &AtomicBool::new(false) });
    progress.finish();
    let mut metadata = integrator::metadata::describe(&scene, &job, Duration::ZERO);
    // A file in git says nothing of the machine that made it.
    metadata.host.clear();
    exr::write(&film, file, &output(integrator), &metadata).map(|_| ())
}
