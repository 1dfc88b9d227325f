//! `scrutineer render`: scene → EXR.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{anyhow, bail};

use super::exit;
use super::progress::Progress;
use crate::film::output::Output;
use crate::film::view::View;
use crate::film::{Film, FilmSettings, Selection, aov, exr, preview};
use crate::geometry::accel::Backend;
use crate::integrator::{self, Integrator, Job, Watch};
use crate::sampler;
use crate::scene::Scene;
use crate::scene::load::{self, Options};
use crate::suggest;

/// Renders SCENE (a .toml or .json scene file, or a bare .gltf/.glb) to a multi-layer EXR.
///
/// The beauty is R, G, B, A of the file; every other AOV is a named layer (see --aov). A value given here wins over the
/// scene file's.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Scene file (.toml, .json) or bare glTF (.gltf, .glb)
    scene: PathBuf,

    /// The EXR to write; several cameras or `layout = "files"` put a name before the ending
    #[arg(short, long, value_name = "OUT.exr")]
    output: PathBuf,

    /// Samples per pixel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    samples: Option<u32>,

    /// Picture size in pixels, e.g. 1280x720
    #[arg(long, value_name = "WxH", value_parser = parse_resolution)]
    resolution: Option<[u32; 2]>,

    /// Render a window of the picture only; may reach outside it (overscan)
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_crop, allow_hyphen_values = true)]
    crop: Option<[i32; 4]>,

    /// A camera by name, or `all`
    #[arg(long, value_name = "NAME|all")]
    camera: Option<String>,

    /// AOVs to write, comma-separated, or `all`; `--aov help` lists them
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    aov: Option<Vec<String>>,

    /// path: next-event estimation with MIS; naive: brute force, to check it; gbuffer: one centre ray a pixel, no light
    #[arg(long, value_enum, default_value = "path")]
    integrator: Integrator,

    /// Worker threads; by default one a core. The pixels do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seed of every random number
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Ray acceleration: bvh (built in) or embree (4.3 or newer, loaded from the system or $SCRUTINEER_EMBREE)
    #[arg(long, value_enum, default_value = "bvh")]
    accel: AccelChoice,

    /// Also write a display-ready PNG
    #[arg(long, value_name = "OUT.png")]
    preview: Option<PathBuf>,

    /// Exposure of the preview, in stops
    #[arg(long, value_name = "STOPS", default_value_t = 0.0, allow_hyphen_values = true)]
    exposure: f32,

    /// View transform of the preview
    #[arg(long, value_name = "agx|srgb", default_value = "agx")]
    view: View,
}

const EXAMPLES: &str = "Examples:
  scrutineer render scenes/paddock/paddock.toml -o paddock.exr --preview paddock.png
  scrutineer render car.glb -o car.exr --resolution 640x360 --samples 64
  scrutineer render track.toml -o g.exr --integrator gbuffer --camera all";

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AccelChoice {
    Bvh,
    Embree,
}

impl Args {
    /// Renders; the exit code, or what is wrong with the input.
    pub fn run(&self) -> anyhow::Result<u8> {
        if self.aov.as_ref().is_some_and(|names| names.iter().any(|name| name == "help")) {
            print!("{}", aov::help());
            return Ok(exit::DONE);
        }
        check_writable("-o", &self.output, "exr")?;
        if let Some(preview) = &self.preview {
            check_writable("--preview", preview, "png")?;
        }
        let started = Instant::now();
        let mut scene = load::load(&self.scene, &self.options())?;
        self.override_settings(&mut scene);
        for warning in &scene.warnings {
            eprintln!("warning: {warning}");
        }
        let stop = stop_on_signal();
        let cameras = self.cameras(&scene)?;
        let several = cameras.len() > 1;
        for index in cameras {
            let name = several.then(|| scene.cameras[index].name.clone());
            scene.look_through(index);
            let complete = self.render_camera(&scene, index, name.as_deref(), started, &stop)?;
            if !complete {
                eprintln!("stopped early: what was rendered is written");
                return Ok(exit::STOPPED);
            }
        }
        Ok(exit::DONE)
    }

    fn options(&self) -> Options {
        let backend = match self.accel {
            AccelChoice::Bvh => Backend::Bvh,
            AccelChoice::Embree => Backend::Embree,
        };
        Options { backend, threads: self.threads.map(usize::from), resolution: self.resolution }
    }

    fn override_settings(&self, scene: &mut Scene) {
        let render = &mut scene.render;
        render.samples = self.samples.unwrap_or(render.samples);
        render.seed = self.seed.unwrap_or(render.seed);
        if self.aov.is_some() {
            scene.output.aovs.clone_from(&self.aov);
        }
    }

    /// The cameras to render, by index.
    fn cameras(&self, scene: &Scene) -> anyhow::Result<Vec<usize>> {
        match self.camera.as_deref() {
            None => Ok(vec![0]),
            Some("all") => Ok((0..scene.cameras.len()).collect()),
            Some(name) => Ok(vec![camera_named(scene, name)?]),
        }
    }

    /// Renders one camera and writes its files; false where it was stopped early.
    fn render_camera(
        &self,
        scene: &Scene,
        camera: usize,
        name: Option<&str>,
        started: Instant,
        stop: &AtomicBool,
    ) -> anyhow::Result<bool> {
        let failed = |message: String| anyhow!(message);
        let job = Job::new(scene, camera, self.integrator, self.crop, self.threads.map(usize::from));
        let output = Output::read(&scene.output).map_err(failed)?;
        let mut film = Film::new(FilmSettings {
            resolution: scene.render.resolution,
            crop: self.crop,
            aovs: self.selection(scene).map_err(failed)?.into_ids(),
            light_groups: scene.names.light_groups.clone(),
            batch: sampler::BATCH,
            track_error: self.integrator != Integrator::Gbuffer,
        })
        .map_err(failed)?;
        let progress = Progress::new(job.total_samples(), name.unwrap_or("render"));
        let report = integrator::render(scene, &job, &mut film, &Watch { progress: &progress, stop });
        progress.finish();
        let metadata = integrator::metadata::describe(scene, &job, started.elapsed());
        exr::write(&film, &with_name(&self.output, name), &output, &metadata).map_err(failed)?;
        if let Some(preview) = &self.preview {
            self.write_preview(&film, &with_name(preview, name)).map_err(failed)?;
        }
        eprint!("{}", report.summary(scene, &film));
        Ok(report.complete)
    }

    /// The AOVs asked for; without any, those that the integrator can fill. A preview needs the beauty.
    fn selection(&self, scene: &Scene) -> Result<Selection, String> {
        let groups = &scene.names.light_groups;
        match &scene.output.aovs {
            None if self.integrator == Integrator::Gbuffer => Selection::parse(&GBUFFER.map(str::to_owned), groups),
            None => Ok(Selection::default_set()),
            Some(names) => {
                let mut names = names.clone();
                if self.preview.is_some() {
                    names.push("beauty".to_owned());
                }
                Selection::parse(&names, groups)
            }
        }
    }

    fn write_preview(&self, film: &Film, path: &Path) -> Result<(), String> {
        let rgb = film.beauty_rgb().ok_or("--preview shows the beauty, which --integrator gbuffer does not render")?;
        let window = film.window();
        preview::write_png(path, &rgb, window.width, window.height, self.view, self.exposure)
    }
}

/// What `--integrator gbuffer` writes: all of it unfiltered, from the pixel's centre.
const GBUFFER: [&str; 12] =
    ["RT0", "RT1", "RT2", "N", "Ng", "P", "Z", "uv0", "instance", "mesh", "material", "primitive"];

/// The index of a camera by its name.
pub(super) fn camera_named(scene: &Scene, name: &str) -> anyhow::Result<usize> {
    scene.cameras.iter().position(|camera| camera.name == name).ok_or_else(|| {
        let names = scene.cameras.iter().map(|camera| camera.name.as_str());
        anyhow!("--camera: {}", suggest::unknown("camera", name, names))
    })
}

/// `OUT.exr` → `OUT.NAME.exr`.
fn with_name(path: &Path, name: Option<&str>) -> PathBuf {
    match name {
        None => path.to_owned(),
        Some(name) => {
            let safe: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
            path.with_extension(match path.extension() {
                Some(extension) => format!("{safe}.{}", extension.to_string_lossy()),
                None => safe,
            })
        }
    }
}

/// A long render must not fail at its end because the folder is not there.
fn check_writable(option: &str, output: &Path, ending: &str) -> anyhow::Result<()> {
    if output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case(ending)) {
        bail!("{option} {}: the output must end in .{ending}", output.display());
    }
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match folder.is_dir() {
        true => Ok(()),
        false => bail!("{option} {}: there is no folder {}", output.display(), folder.display()),
    }
}

/// A flag that Ctrl-C (or a termination request) raises; a second Ctrl-C ends the program at once.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let installed = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::STOPPED));
        }
    });
    if let Err(error) = installed {
        eprintln!("warning: cannot catch Ctrl-C ({error}); stopping will lose the picture");
    }
    stop
}

/// `WxH`.
pub(super) fn parse_resolution(text: &str) -> Result<[u32; 2], String> {
    let sides: Vec<u32> = text.split(['x', 'X', ',']).map_while(|side| side.trim().parse().ok()).collect();
    match sides[..] {
        [w, h] if (1..=65_536).contains(&w) && (1..=65_536).contains(&h) => Ok([w, h]),
        _ => Err("expected WIDTHxHEIGHT, each from 1 to 65536, e.g. 1280x720".to_owned()),
    }
}

fn parse_crop(text: &str) -> Result<[i32; 4], String> {
    let numbers: Vec<i32> = text.split(',').map_while(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, w, h] if text.split(',').count() == 4 && (1..=65_536).contains(&w) && (1..=65_536).contains(&h) => {
            Ok([x, y, w, h])
        }
        _ => Err("expected X,Y,W,H in pixels, W and H from 1 to 65536, e.g. 100,50,320,180".to_owned()),
    }
}
