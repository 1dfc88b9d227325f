//! `scrutineer probe`: materials at explicit inputs, or along a pixel's ray (PROBE.md).

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::render::{camera_named, parse_resolution};
use crate::probe::{self, ProbeScene, Session};
use crate::scene::load::{self, Options};
use crate::texture::Store;

/// Evaluate materials at explicit points, or along a pixel's ray
///
/// With --points no geometry and no light is loaded: of the scene only `[world]`, `[materials.*]` and `[textures]` count. With
/// --pixel the ray through that pixel's centre is traced in the whole scene, and every surface up to the first opaque one is
/// printed as one JSON object a line: `family` (null for glTF's own model), `kind` ("surface", "road_decal", "mesh_decal",
/// "projected_decal"), `distance`, `point`, `textures`, `answer`. Decals stand before what they lie on, projected boxes after it.
/// Such a `point` of a family is a line for --points; `not_in_point` names an input that no key of a point holds
/// ("instance_rotation" of impostors, "mip_footprint" of footprint-filtered textures) where that changes the answer. A number
/// that is not finite is printed as null: JSON has no other word for it.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_long_help = EXAMPLES)]
pub struct Args {
    /// The scene file (.toml, .json); for --pixel also a bare .gltf or .glb
    scene: PathBuf,

    /// The points, one JSON object a line; "-" is standard input
    #[arg(long, value_name = "POINTS.jsonl", required_unless_present = "pixel", conflicts_with = "pixel")]
    points: Option<PathBuf>,

    /// The pixel, counted from 0 at the top left
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, allow_hyphen_values = true)]
    pixel: Option<[i32; 2]>,

    /// The camera that the pixel belongs to; by default the main camera
    #[arg(long, value_name = "NAME", conflicts_with = "points")]
    camera: Option<String>,

    /// Size of the picture that the pixel belongs to, in place of the scene's
    #[arg(long, value_name = "WxH", value_parser = parse_resolution, conflicts_with = "points")]
    resolution: Option<[u32; 2]>,

    /// Where the answers go, one JSON object a line; standard output by default
    #[arg(short, long, value_name = "OUT.jsonl")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  scrutineer probe track.toml --points captured.jsonl -o answers.jsonl
  scrutineer probe scenes/chart/chart.toml --pixel 640,400
  scrutineer probe track.toml --pixel 10,20 | jq -c .point | scrutineer probe track.toml --points -";

/// 0 where every line has an answer, 2 where one has not: the output says why.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let result = match (&args.points, args.pixel) {
        (Some(points), _) => at_points(args, points),
        (None, Some(pixel)) => along_pixel(args, pixel),
        (None, None) => bail!("one of --points and --pixel is needed"),
    };
    match result {
        // A reader such as `head` may stop early.
        Err(error) if is_broken_pipe(&error) => Ok(0),
        other => other,
    }
}

fn at_points(args: &Args, points: &Path) -> anyhow::Result<u8> {
    let scene = ProbeScene::load(&args.scene)?;
    for warning in &scene.warnings {
        eprintln!("warning: {warning}");
    }
    let lines = open(points)?;
    let answers = create(args.output.as_deref())?;
    // Entries come with their folders resolved: the store adds none.
    let mut store = Store::new("", scene.default_colour_space);
    let mut session = Session::new(scene, &mut store);
    let failures = probe::run(&mut session, lines, answers).with_context(|| points.display().to_string())?;
    if failures > 0 {
        eprintln!("scrutineer: {failures} of the lines in {} failed: see \"error\"", points.display());
    }
    Ok(if failures == 0 { 0 } else { 2 })
}

fn along_pixel(args: &Args, pixel: [i32; 2]) -> anyhow::Result<u8> {
    let mut scene = load::load(&args.scene, &Options { resolution: args.resolution, ..Options::default() })?;
    let camera = args.camera.as_deref().map_or(Ok(0), |name| camera_named(&scene, name))?;
    let [width, height] = scene.render.resolution;
    let inside = |side: i32, length: u32| u32::try_from(side).is_ok_and(|side| side < length);
    if !(inside(pixel[0], width) && inside(pixel[1], height)) {
        bail!("--pixel {},{}: the picture has {width}x{height} pixels, counted from 0", pixel[0], pixel[1]);
    }
    scene.look_through(camera);
    let surfaces = probe::along_pixel(&scene, camera, pixel);
    if surfaces.is_empty() {
        eprintln!("scrutineer: the ray through pixel {},{} meets nothing", pixel[0], pixel[1]);
    }
    let mut out = create(args.output.as_deref())?;
    for surface in &surfaces {
        writeln!(out, "{}", serde_json::to_string(surface)?)?;
    }
    out.flush()?;
    Ok(0)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

fn create(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Box::new(BufWriter::with_capacity(1 << 16, file))
        }
        None => Box::new(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
    })
}

fn parse_pixel(text: &str) -> Result<[i32; 2], String> {
    let sides: Option<Vec<i32>> = text.split(',').map(|side| side.trim().parse().ok()).collect();
    let pixel = sides.and_then(|sides| <[i32; 2]>::try_from(sides).ok());
    pixel.ok_or_else(|| "expected X,Y, e.g. 640,360".to_owned())
}
