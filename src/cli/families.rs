//! `scrutineer families`: the material families, from the registry alone.

use std::io::{self, Write};

use crate::material::bind::describe;
use crate::material::registry::{self, FAMILIES, Family, Permutations};
use anyhow::anyhow;
use serde_json::{Value, json};

/// List the material families, or one with its parameters, textures and permutations.
#[derive(clap::Args)]
pub struct Args {
    /// A family's name.
    name: Option<String>,
    /// Write JSON: one object for a family, an array for all.
    #[arg(long)]
    json: bool,
    /// Write the reference page of all families, docs/families.md.
    #[arg(long, conflicts_with_all = ["name", "json"])]
    markdown: bool,
}

/// 0; an unknown name is an error.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let text = match (&args.name, args.json) {
        (None, false) if args.markdown => reference(),
        (None, false) => list(),
        (None, true) => format!("{:#}\n", Value::from_iter(FAMILIES.iter().map(|family| object(family)))),
        (Some(name), json) => {
            let family = registry::find(name).map_err(|message| anyhow!(message))?;
            if json { format!("{:#}\n", object(family)) } else { page(family) }
        }
    };
    match io::stdout().lock().write_all(text.as_bytes()) {
        // A reader such as `head` may stop early.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        other => other.map(|()| 0).map_err(Into::into),
    }
}

fn list() -> String {
    let width = FAMILIES.iter().map(|family| family.name.len()).max().unwrap_or(0);
    FAMILIES.iter().map(|family| format!("{:width$}  {}\n", family.name, family.summary)).collect()
}

fn object(family: &'static Family) -> Value {
    let tables = describe(family);
    let parameters =
        tables.parameters.iter().map(|p| json!({ "name": p.name, "type": p.kind, "default": short(&p.default) }));
    let textures = tables.textures.iter().map(|t| json!({ "name": t.name, "default": t.default }));
    let permutations = match family.permutations {
        Permutations::None => json!([]),
        Permutations::Names(names) => json!(names),
        Permutations::Tokens { acting, inert, prefixes } => {
            json!({ "acting": acting, "inert": inert, "prefixes": prefixes })
        }
    };
    json!({
        "name": family.name,
        "summary": family.summary,
        "source": family.source,
        "permutations": permutations,
        "parameters": Value::from_iter(parameters),
        "textures": Value::from_iter(textures),
        "inputs": family.inputs,
        "world": family.world,
        "decisions": family.decisions,
    })
}

/// The same value with numbers as short as a float32 allows: 0.01 and not 0.009999999776482582.
fn short(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(short).collect(),
        Value::Number(number) if number.is_f64() => {
            number.as_f64().and_then(|number| (number as f32).to_string().parse::<f64>().ok()).into()
        }
        other => other.clone(),
    }
}

fn page(family: &'static Family) -> String {
    let tables = describe(family);
    let mut page = format!("{}: {}\nsource: {}\n", family.name, family.summary, family.source);
    match family.permutations {
        Permutations::None => section(&mut page, "permutations", ["none".to_owned()]),
        Permutations::Names(names) => section(&mut page, "permutations", names.iter().map(|&name| name.to_owned())),
        Permutations::Tokens { acting, inert, prefixes } => {
            let line = |title: &str, tokens: &[&str]| format!("{title}: {}", tokens.join(" "));
            let begins = line("tokens that begin with", prefixes);
            let lines = [line("tokens", acting), line("tokens without effect", inert), begins];
            section(&mut page, "permutation tokens, joined by _", lines);
        }
    }
    let width = tables.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    let parameters =
        tables.parameters.iter().map(|p| format!("{:width$}  {:6}  {}", p.name, p.kind, short(&p.default)));
    section(&mut page, "parameters", parameters);
    let width = tables.textures.iter().map(|texture| texture.name.len()).max().unwrap_or(0);
    let textures = tables.textures.iter().map(|texture| format!("{:width$}  {:?}", texture.name, texture.default));
    section(&mut page, "textures (value where not bound)", textures);
    section(&mut page, "point inputs", [family.inputs.join(" ")]);
    section(&mut page, "[world] keys", [family.world.join(" ")]);
    section(&mut page, "decided where the documentation is open", family.decisions.iter().map(|&d| d.to_owned()));
    page
}

fn section(page: &mut String, title: &str, lines: impl IntoIterator<Item = String>) {
    page.push_str(&format!("\n{title}\n"));
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        page.push_str(&format!("  {line}\n"));
    }
}

/// The page `docs/families.md`.
pub fn reference() -> String {
    let mut page = REFERENCE_HEAD.to_owned();
    for family in FAMILIES {
        page.push_str(&format!("- [`{}`](#{}): {}\n", family.name, anchor(family.name), sentence(family.summary)));
    }
    for family in FAMILIES {
        page.push_str(&format!("\n## {}\n\n{}.\n\n", family.name, sentence(family.summary)));
        page.push_str(&format!("- Documentation: {}\n", family.source));
        page.push_str(&format!("- Permutations: {}\n", permutations(family)));
        page.push_str(&format!("- Point inputs: {}\n", code_list(family.inputs)));
        page.push_str(&format!("- `[world]` keys: {}\n", code_list(family.world)));
        page.push_str(&tables(family));
        if !family.decisions.is_empty() {
            page.push_str("\nDecided where the documentation is open:\n\n");
            family.decisions.iter().for_each(|decision| page.push_str(&format!("- {decision}\n")));
        }
    }
    page
}

const REFERENCE_HEAD: &str = "# Material families

Every family with its permutations, parameters, textures, inputs and decisions, as `[materials.NAME]` takes them. Made from
the registry by `scrutineer families --markdown > docs/families.md`; a test holds this page to it. A parameter or texture that a
material does not name has the default; every sample of an unbound texture has the value given.

";

fn tables(family: &'static Family) -> String {
    let tables = describe(family);
    let mut text = String::new();
    if !tables.parameters.is_empty() {
        text.push_str("\n| parameter | type | default |\n| --- | --- | --- |\n");
        for p in &tables.parameters {
            text.push_str(&format!("| `{}` | {} | {} |\n", p.name, p.kind, short(&p.default)));
        }
    }
    if !tables.textures.is_empty() {
        text.push_str("\n| texture | where unbound |\n| --- | --- |\n");
        for t in &tables.textures {
            text.push_str(&format!("| `{}` | {:?} |\n", t.name, t.default));
        }
    }
    text
}

fn permutations(family: &Family) -> String {
    match family.permutations {
        Permutations::None => "none".to_owned(),
        Permutations::Names(names) => code_list(names),
        Permutations::Tokens { acting, inert, prefixes } => {
            let part = |title: &str, tokens: &[&str]| match tokens {
                [] => String::new(),
                tokens => format!("; {title} {}", code_list(tokens)),
            };
            let acting = code_list(acting);
            format!("tokens joined by `_`: {acting}{}{}", part("beginnings", prefixes), part("without effect", inert))
        }
    }
}

fn code_list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The anchor that renderers of Markdown give a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase()
}

/// With a capital and without the full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.trim_end_matches('.').chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
