//! `scrutineer inspect`: what is in a file.

mod shader;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use serde_json::{Value, json};

use super::exit;
use crate::film::describe as picture;
use crate::scene::load::{self, Options};
use crate::scene::{Scene, gltf};
use crate::{suggest, texture};

/// Shows what is in a file: a scene (.toml, .json), glTF (.gltf, .glb), EXR, or texture (.dds, .ktx2, .png, .jpg, .tga, .hdr),
/// or a shader container (.shaderbin, .materialbin).
#[derive(clap::Args)]
pub struct Args {
    /// The file
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shader: shader::Args,
}

/// The kinds of files, by their endings.
const ENDINGS: [&str; 13] =
    ["toml", "json", "gltf", "glb", "exr", "dds", "ktx2", "png", "jpg", "tga", "hdr", "shaderbin", "materialbin"];

/// Describes the file on stdout; an error where it is no such file, or damaged.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let file = &args.file;
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ending != "shaderbin" {
        args.shader.refuse()?;
    }
    let text = match ending.as_str() {
        "gltf" | "glb" => {
            let description = gltf::describe(file)?;
            if args.json { pretty(&serde_json::to_value(&description)?) } else { description.to_string() }
        }
        "toml" | "json" => show(&scene(file)?, args.json),
        "exr" => show(&picture::describe(file).map_err(|message| anyhow!(message))?, args.json),
        "dds" | "ktx2" | "png" | "jpg" | "jpeg" | "tga" | "hdr" => {
            show(&serde_json::to_value(texture::describe(file)?)?, args.json)
        }
        "shaderbin" => shader::inspect(file, &args.shader, args.json)?,
        "materialbin" => shader::inspect_material(file, args.json)?,
        other => bail!("{}: {}", file.display(), suggest::unknown("ending", other, ENDINGS)),
    };
    match writeln!(io::stdout().lock(), "{}", text.trim_end()) {
        // A reader such as `head` may stop early.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit::DONE),
        other => other.map(|()| exit::DONE).map_err(Into::into),
    }
}

/// Loads a scene as a render would, and counts what came of it.
fn scene(file: &Path) -> anyhow::Result<Value> {
    let scene = load::load(file, &Options::default())?;
    let triangles: usize = scene.meshes.iter().map(|mesh| mesh.indices.len()).sum();
    let placed = |scene: &Scene| -> usize {
        scene.instances.iter().map(|instance| scene.meshes[instance.mesh as usize].indices.len()).sum()
    };
    Ok(json!({
        "hash": format!("{:016x}", scene.hash),
        "resolution": scene.render.resolution,
        "samples": scene.render.samples,
        "max_depth": scene.render.max_depth,
        "cameras": scene.cameras.iter().map(|camera| camera.name.as_str()).collect::<Vec<_>>(),
        "meshes": scene.meshes.len(),
        "triangles": triangles,
        "instances": scene.instances.len(),
        "placed_triangles": placed(&scene),
        "centre": scene.centre.to_array(),
        "materials": scene.names.materials,
        "light_groups": scene.names.light_groups,
        "texture_bytes": scene.texture_bytes,
        "acceleration": scene.accel.name(),
        "warnings": scene.warnings,
    }))
}

fn show(value: &Value, json: bool) -> String {
    if json { pretty(value) } else { outline(value, 0) }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

/// JSON as indented lines without its punctuation.
fn outline(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let mut text = String::new();
    let mut line = |key: &str, value: &Value| {
        let nested = match value {
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(items) => items.iter().any(|item| item.is_object() || item.is_array()),
            _ => false,
        };
        // Writing to a string cannot fail.
        let _ = match nested {
            true => write!(text, "{indent}{key}:\n{}", outline(value, depth + 1)),
            false => writeln!(text, "{indent}{key}: {}", flat(value)),
        };
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| line(key, value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| line(&index.to_string(), item)),
        plain => line("", plain),
    }
    text
}

fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(flat).collect::<Vec<_>>().join(", "),
        Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}
