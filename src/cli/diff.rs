//! `scrutineer diff`: a test against its reference.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use super::exit;
use super::progress::Files as Bar;
use crate::compare::limits::{self, Exposure, KEYS, Limits, Mask, Shape};
use crate::compare::report::{FAULTS, Report, Verdict};
use crate::compare::{self, Options, bless, junit, page, text};
use crate::film::view::View;
use crate::film::{Rect, atomic};

/// Measures TEST against REFERENCE, AOV by AOV, by rules: are they equal, within limits, or different?
///
/// Both are files (EXR of any flat layout, HDR, PNG, JPEG, TGA) or both folders, whose files belong together by their
/// relative names. Light is compared with light; where one of the two holds display values (PNG, JPEG, TGA), the other is
/// shown through --view at --exposure first.
///
/// Noise is no difference: where both pictures are noisy renders with different seeds, a test by their standard errors
/// (`beauty_stderr`, `NAME_stderr`, `NAME_variance`) tells bias and wrong pixels from noise. Values that are not numbers in
/// one picture only, other sizes, windows, channels and types are always differences.
#[derive(clap::Args)]
#[command(after_long_help = help())]
pub struct Args {
    /// The picture, or folder of pictures, to be judged
    test: PathBuf,

    /// What it should look like
    reference: PathBuf,

    /// Limits file (TOML): rules for each AOV, masks, regions, renames
    #[arg(long, value_name = "FILE.toml")]
    limits: Option<PathBuf>,

    /// The reference's AOV A is called B in the test; may be repeated
    #[arg(long, value_name = "A=B", value_parser = parse_map)]
    map: Vec<(String, String)>,

    /// AOVs that are not compared (`*` stands for anything), comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Faults that are only noted, comma-separated: a crop against its frame passes with --allow data_window
    #[arg(long, value_name = "FAULTS", value_delimiter = ',', value_parser = parse_fault)]
    allow: Vec<String>,

    /// Leave pixels out: a rectangle, or a picture that is above 0 there; may be repeated
    #[arg(long, value_name = "X,Y,W,H|FILE", value_parser = parse_mask, allow_hyphen_values = true)]
    mask: Vec<Shape>,

    /// Compare this rectangle only; may be repeated
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_rect, allow_hyphen_values = true)]
    region: Vec<Rect>,

    /// Exposure of light before it is compared with display values, stops; `auto` solves for one
    #[arg(long, value_name = "STOPS|auto", value_parser = parse_exposure, allow_hyphen_values = true)]
    exposure: Option<Exposure>,

    /// View of light before it is compared with display values [default: srgb]
    #[arg(long, value_name = "agx|srgb")]
    view: Option<View>,

    /// Measure FLIP and SSIM of the beauty (the default)
    #[arg(long, overrides_with = "no_flip")]
    flip: bool,

    /// Do not measure FLIP and SSIM unless a limit asks for them: much faster on large pictures
    #[arg(long)]
    no_flip: bool,

    /// Write the report as JSON; `-`: to stdout in place of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the report as JUnit XML, for CI services
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,

    /// Write the report as one self-contained HTML file
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Which AOVs keep their float values in the HTML file: failing, all or none
    #[arg(long, value_name = "WHICH", default_value = "failing", requires = "html")]
    html_values: page::Keep,

    /// Megabytes that pixels may take in the HTML file (docs/report.md)
    #[arg(long, value_name = "MB", default_value_t = 200, requires = "html",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    html_budget: u32,

    /// Make TEST the new REFERENCE, and log what differed and why in blessed.toml beside it
    #[arg(long, requires = "reason")]
    bless: bool,

    /// Why the new pictures are right
    #[arg(long, value_name = "TEXT", requires = "bless")]
    reason: Option<String>,
}

fn help() -> String {
    let mut text =
        "Rules of a limits file (docs/diff.md has them all, with the defaults of each kind of AOV):\n".to_owned();
    for (name, .., meaning) in KEYS {
        text += &format!("  {name:<10} {meaning}\n");
    }
    text += "\nFaults:\n";
    for (code, meaning) in FAULTS {
        text += &format!("  {code:<16} {meaning}\n");
    }
    text + EXAMPLES
}

const EXAMPLES: &str = "
Exit codes: 0 equal or within limits; 1 different; 2 bad input: a picture that cannot be read, or a mistake in the limits.

Examples:
  scrutineer diff out.exr renders/reference/paddock.exr
  scrutineer diff viewer.png reference.exr --exposure auto --view agx
  scrutineer diff out/ renders/reference/ --limits limits.toml --junit diff.xml
  scrutineer diff out/ renders/reference/ --bless --reason \"new asphalt texture\"";

impl Args {
    /// Compares; the exit code, or what is wrong with the input.
    pub fn run(&self) -> anyhow::Result<u8> {
        let options = self.options()?;
        let files = compare::pictures_of(&self.test, &self.reference).map_err(|message| anyhow!(message))?;
        let bar = Bar::new(files.pairs.len(), "diff");
        let paths = [self.test.as_path(), self.reference.as_path()];
        let mut page = self.page().map_err(|message| anyhow!(message))?;
        let report = compare::compare_all(&files, paths, &options, |picture, couple| {
            bar.done(&picture.name);
            match (&mut page, couple) {
                (Some(page), Some(couple)) => page.picture(picture, couple),
                _ => Ok(()),
            }
        });
        bar.finish();
        let report = report.map_err(|message| anyhow!(message))?;
        if let Some(page) = page {
            page.finish(&report).map_err(|message| anyhow!(message))?;
        }
        self.write(&report)?;
        match &self.reason {
            Some(reason) if self.bless => {
                let done = bless::bless(&files, paths, &report, reason).map_err(|message| anyhow!(message))?;
                eprintln!("{}", blessed(&done));
                Ok(exit::DONE)
            }
            _ => Ok(code(&report)),
        }
    }

    fn page(&self) -> Result<Option<page::Writer>, String> {
        let options = page::Options { values: self.html_values, budget: u64::from(self.html_budget) * 1_000_000 };
        self.html.as_ref().map(|path| page::Writer::create(path, options)).transpose()
    }

    fn options(&self) -> anyhow::Result<Options> {
        let mut limits = match &self.limits {
            Some(path) => limits::parse(path)?,
            None => Limits::default(),
        };
        limits.map.extend(self.map.iter().cloned());
        limits.ignore.extend(self.ignore.iter().cloned());
        limits.allow.extend(self.allow.iter().cloned());
        limits.masks.extend(self.mask.iter().map(|shape| Mask { shape: shape.clone(), include: false }));
        limits.masks.extend(self.region.iter().map(|rect| Mask { shape: Shape::Rect(*rect), include: true }));
        limits.exposure = self.exposure.unwrap_or(limits.exposure);
        limits.view = self.view.unwrap_or(limits.view);
        Ok(Options { limits, perceptual: !self.no_flip, keep_maps: self.html.is_some() })
    }

    fn write(&self, report: &Report) -> anyhow::Result<()> {
        let json = || serde_json::to_string_pretty(report).map(|json| json + "\n");
        let mut out = text::report(report);
        match self.json.as_deref() {
            Some(path) if path == Path::new("-") => out = json()?,
            Some(path) => save(path, &json()?)?,
            None => {}
        }
        if let Some(path) = &self.junit {
            save(path, &junit::document(report))?;
        }
        match io::stdout().lock().write_all(out.as_bytes()) {
            // A reader such as `head` may stop early.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => bail!(error),
            _ => Ok(()),
        }
    }
}

fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    atomic::write_bytes(path, text.as_bytes()).map_err(|message| anyhow!(message))
}

fn code(report: &Report) -> u8 {
    match report.verdict {
        _ if report.has_errors() => exit::BAD_INPUT,
        Verdict::Different => exit::DIFFERENT,
        Verdict::Equal | Verdict::WithinLimits => exit::DONE,
    }
}

fn blessed(done: &bless::Blessed) -> String {
    let names: Vec<String> = done.files.iter().map(|path| path.display().to_string()).collect();
    match names.len() {
        0 => format!("nothing to bless: {} references are these files already", done.unchanged),
        count => format!("blessed {count}: {}; logged in {} beside them", names.join(", "), bless::LOG),
    }
}

fn parse_map(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() => Ok((a.trim().to_owned(), b.trim().to_owned())),
        _ => Err("expected the reference's and the test's name, like albedo=basecolor".to_owned()),
    }
}

fn parse_fault(text: &str) -> Result<String, String> {
    limits::known_fault(text).map(|()| text.to_owned())
}

fn parse_rect(text: &str) -> Result<Rect, String> {
    let numbers: Option<Vec<i32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, width, height]) if width > 0 && height > 0 => {
            Ok(Rect { x, y, width: width as u32, height: height as u32 })
        }
        _ => Err("expected x, y, width and height in pixels, like 100,50,640,360".to_owned()),
    }
}

fn parse_mask(text: &str) -> Result<Shape, String> {
    let numbers = text.chars().all(|c| c.is_ascii_digit() || " ,-+".contains(c));
    if numbers { parse_rect(text).map(Shape::Rect) } else { Ok(Shape::File(PathBuf::from(text))) }
}

fn parse_exposure(text: &str) -> Result<Exposure, String> {
    let stops = || text.parse().ok().filter(|stops: &f64| stops.abs() <= 64.0).map(Exposure::Stops);
    match text {
        "auto" => Ok(Exposure::Auto),
        _ => stops().ok_or_else(|| "expected stops from -64 to 64, or \"auto\"".to_owned()),
    }
}
