//! Text → [`SceneFile`]: TOML or JSON, includes merged, mistakes given lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::reader::Reader;
use super::{KeyError, SceneFile, locate};
use crate::scene::error::{Mistake, SceneError};

/// A parsed scene with what is needed to resolve its paths and to find its lines.
pub struct Parsed {
    pub scene: SceneFile,
    sources: Sources,
}

/// The files that a scene was typed in, and which of them each merged table came from.
struct Sources {
    files: Vec<Source>,
    /// (table, name) → index into `files`, for what included files brought.
    origins: BTreeMap<(String, String), usize>,
}

struct Source {
    path: PathBuf,
    text: String,
}

/// The tables that an included file may hold.
const INCLUDABLE: [&str; 2] = ["materials", "textures"];

/// Reads a scene file and what it includes.
///
/// # Errors
/// Every mistake of the files: unreadable, not TOML or JSON, unknown keys, wrong values, a name given twice.
pub fn parse(path: &Path) -> Result<Parsed, SceneError> {
    let mut faults = Vec::new();
    let (mut root, source) = read_file(path)?;
    let mut sources = Sources { files: vec![source], origins: BTreeMap::new() };
    for include in includes(&root, &mut faults) {
        merge(&mut root, &path.with_file_name("").join(include), &mut sources)?;
    }
    let mut reader = Reader::new(&root, Vec::new(), &mut faults);
    let scene = SceneFile::read(&mut reader);
    reader.finish();
    let parsed = Parsed { scene, sources };
    match faults.is_empty() {
        true => Ok(parsed),
        false => Err(SceneError { mistakes: faults.iter().map(|fault| parsed.locate(fault)).collect() }),
    }
}

impl Parsed {
    /// A scene that nobody typed, as if it stood beside `path`.
    pub fn synthetic(path: &Path, scene: SceneFile) -> Self {
        let source = Source { path: path.to_owned(), text: String::new() };
        Self { scene, sources: Sources { files: vec![source], origins: BTreeMap::new() } }
    }

    /// The folder that paths of a table are relative to: that of the file which names them.
    pub fn directory(&self, table: &str, name: &str) -> PathBuf {
        self.source(table, name).path.with_file_name("")
    }

    /// A fault with its file and line.
    pub fn locate(&self, fault: &KeyError) -> Mistake {
        let at = |index: usize| fault.path.get(index).map_or("", String::as_str);
        let source = self.source(at(0), at(1));
        let path: Vec<&str> = fault.path.iter().map(String::as_str).collect();
        let line = (0..=path.len()).rev().find_map(|length| locate::line_of(&source.text, &path[..length]));
        Mistake { file: source.path.clone(), line, key: fault.path.join("."), message: fault.message.clone() }
    }

    /// The text of all files, for the scene hash.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.sources.files.iter().map(|source| source.text.as_str())
    }

    fn source(&self, table: &str, name: &str) -> &Source {
        let index = self.sources.origins.get(&(table.to_owned(), name.to_owned()));
        &self.sources.files[index.copied().unwrap_or(0)]
    }
}

fn includes(root: &Map<String, Value>, faults: &mut Vec<KeyError>) -> Vec<String> {
    let Some(value) = root.get("include") else { return Vec::new() };
    let names = value.as_array().and_then(|names| names.iter().map(|name| Some(name.as_str()?.to_owned())).collect());
    names.unwrap_or_else(|| {
        let message = format!("expected an array of file names, found {value}");
        faults.push(KeyError { path: vec!["include".to_owned()], message });
        Vec::new()
    })
}

fn merge(root: &mut Map<String, Value>, path: &Path, sources: &mut Sources) -> Result<(), SceneError> {
    let (included, source) = read_file(path)?;
    let mistake = |key: &str, keys: &[&str], message: String| SceneError {
        mistakes: vec![Mistake {
            file: path.to_owned(),
            line: locate::line_of(&source.text, keys),
            key: key.to_owned(),
            message,
        }],
    };
    for (table, entries) in &included {
        if !INCLUDABLE.contains(&table.as_str()) {
            return Err(mistake(
                table,
                &[table],
                "an included file may hold [materials.*] and [textures.*] only".into(),
            ));
        }
        let (Some(entries), Some(target)) =
            (entries.as_object(), root.entry(table.clone()).or_insert_with(|| Map::new().into()).as_object_mut())
        else {
            return Err(mistake(table, &[table], "expected a table".into()));
        };
        for (name, entry) in entries {
            if target.contains_key(name) {
                let key = format!("{table}.{name}");
                return Err(mistake(&key, &[table, name], format!("\"{name}\" is given twice")));
            }
            target.insert(name.clone(), entry.clone());
            sources.origins.insert((table.clone(), name.clone()), sources.files.len());
        }
    }
    sources.files.push(source);
    Ok(())
}

fn read_file(path: &Path) -> Result<(Map<String, Value>, Source), SceneError> {
    let bytes = std::fs::read(path).map_err(|error| SceneError::of_file(path, error))?;
    let text = String::from_utf8(bytes).map_err(|_| SceneError::of_file(path, "not UTF-8 text"))?;
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let root = match json {
        true => serde_json::from_str(&text).map_err(|error| (error.line(), error.to_string())),
        false => toml::from_str(&text).map_err(|error| {
            let line = text[..error.span().map_or(0, |span| span.start.min(text.len()))].matches('\n').count() + 1;
            (line, error.message().replace('\n', "; "))
        }),
    };
    match root {
        Ok(root) => Ok((root, Source { path: path.to_owned(), text })),
        Err((line, message)) => {
            let file = path.to_owned();
            Err(SceneError { mistakes: vec![Mistake { file, line: Some(line), key: String::new(), message }] })
        }
    }
}
