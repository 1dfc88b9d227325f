//! `scrutineer inspect` of shader containers: `.shaderbin` and `.materialbin`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use serde::Serialize;
use serde_json::{Value, json};

use crate::shaderbin::describe::{Description, MaterialDescription};
use crate::shaderbin::map::Entry;
use crate::shaderbin::material::file_name;
use crate::shaderbin::registers::Draw;
use crate::shaderbin::{Chain, Material, ReadError, Shaderbin, Vars};

/// What can be asked about a shader.
#[derive(clap::Args)]
pub struct Args {
    /// Set a switch of a .shaderbin and show the permutation that is chosen
    #[arg(long = "switch", value_name = "NAME=0|1", value_parser = switch)]
    switches: Vec<(String, bool)>,
    /// Show the permutation of a .shaderbin that a .materialbin chooses
    #[arg(long, value_name = "FILE")]
    material: Option<PathBuf>,
    /// Show where a draw with this packed integer (decimal or 0x…) finds each value of a .shaderbin
    #[arg(long, value_name = "X", value_parser = number, conflicts_with_all = ["switches", "material"])]
    draw: Option<u32>,
}

impl Args {
    /// An error where something is asked that only a shader can answer.
    pub fn refuse(&self) -> anyhow::Result<()> {
        match (self.switches.is_empty(), &self.material, self.draw) {
            (true, None, None) => Ok(()),
            _ => bail!("--switch, --material and --draw are about a .shaderbin"),
        }
    }
}

/// Describes a `.shaderbin`, or answers what `args` ask about it.
pub fn inspect(file: &Path, args: &Args, json: bool) -> anyhow::Result<String> {
    let shader = read(file, Shaderbin::read)?;
    let family = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().to_lowercase());
    if let Some(draw) = args.draw {
        return Ok(super::show(&places(&shader, &family, Draw(draw)), json));
    }
    if args.switches.is_empty() && args.material.is_none() {
        if let Some(Vars::Opaque { reason, .. }) = &shader.variants {
            eprintln!("warning: {}: VARS is kept as bytes: {reason}", file.display());
        }
        return shown(&Description::new(&shader, &family), json);
    }
    let chain = args.material.as_deref().map(Chain::load).transpose().map_err(|message| anyhow!(message))?;
    if let Some(named) = chain.as_ref().and_then(Chain::shader) {
        warn_of_another(named, file);
    }
    let choice =
        shader.choose(chain.as_ref(), &args.switches).map_err(|error| anyhow!("{}: {error}", file.display()))?;
    shown(&choice, json)
}

/// Describes a `.materialbin`.
pub fn inspect_material(file: &Path, json: bool) -> anyhow::Result<String> {
    let material = read(file, Material::read)?;
    shown(&MaterialDescription::new(&material), json)
}

fn read<T>(file: &Path, parse: impl Fn(&[u8]) -> Result<T, ReadError>) -> anyhow::Result<T> {
    let bytes = fs::read(file).map_err(|error| anyhow!("{}: {error}", file.display()))?;
    parse(&bytes).map_err(|error| anyhow!("{}: {error}", file.display()))
}

fn shown(value: &(impl Serialize + std::fmt::Display), json: bool) -> anyhow::Result<String> {
    Ok(match json {
        true => serde_json::to_string_pretty(value)?,
        // Names come from the file: they must not steer the terminal.
        false => value.to_string().replace(|letter: char| letter.is_control() && letter != '\n', "\u{fffd}"),
    })
}

/// A material may be tried on a shader other than its own, but rarely on purpose.
fn warn_of_another(named: &str, file: &Path) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if !name.eq_ignore_ascii_case(file_name(named)) {
        eprintln!("warning: the material is one of {named}, not of {name}");
    }
}

/// Rows and index entries of a draw.
fn places(shader: &Shaderbin, family: &str, draw: Draw) -> Value {
    let name = |entry: &Entry| shader.identify(entry).1.map(str::to_owned);
    let constants = shader.constants.iter().flatten();
    let textures = shader.textures.iter().flatten();
    let constant = |entry: &Entry| json!({ "name": name(entry), "row": draw.constant_row(entry.value) });
    let texture = |entry: &Entry| match Draw::is_decal(family) {
        true => json!({ "name": name(entry), "row": draw.decal_row(), "slot": entry.value }),
        false => json!({ "name": name(entry), "entry": draw.texture_entry(entry.value) }),
    };
    json!({
        "draw": draw.0,
        "constants": constants.map(constant).collect::<Vec<_>>(),
        "textures": textures.map(texture).collect::<Vec<_>>(),
    })
}

fn switch(text: &str) -> Result<(String, bool), String> {
    match text.rsplit_once('=') {
        Some((name, "0")) => Ok((name.to_owned(), false)),
        Some((name, "1")) => Ok((name.to_owned(), true)),
        _ => Err("expected NAME=0 or NAME=1".to_owned()),
    }
}

fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "expected a 32-bit number, decimal or 0x…".to_owned())
}
