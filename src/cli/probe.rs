//! `scrutineer probe`: materials at explicit inputs (PROBE.md).

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::material::bind::NoTextures;
use crate::probe::{self, ProbeScene, Session};

/// Evaluate materials at explicit inputs, without geometry and light.
#[derive(clap::Args)]
pub struct Args {
    /// The scene file: its [world] and [materials.*] are read.
    scene: PathBuf,
    /// The points, one JSON object a line; "-" is standard input.
    #[arg(long, value_name = "POINTS.jsonl")]
    points: PathBuf,
    /// Where the answers go, one JSON object a line; standard output by default.
    #[arg(short, long, value_name = "OUT.jsonl")]
    output: Option<PathBuf>,
}

/// 0 where every line has an answer, 2 where one has not: the output says why.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let scene = ProbeScene::load(&args.scene).map_err(|errors| anyhow!(errors))?;
    let points = open(&args.points)?;
    let answers = create(args.output.as_deref())?;
    let mut source = NoTextures;
    let mut session = Session::new(scene, &mut source);
    let failures = match probe::run(&mut session, points, answers) {
        // A reader such as `head` may stop early.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
        other => other.with_context(|| args.points.display().to_string())?,
    };
    if failures > 0 {
        eprintln!("scrutineer: {failures} of the lines in {} failed: see \"error\"", args.points.display());
    }
    Ok(if failures == 0 { 0 } else { 2 })
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
