//! The texts of a scene: its own file and those that it includes, merged into one root, and which of them said what.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{KeyError, locate};
use crate::scene::error::Mistake;

/// What an included file may hold.
const INCLUDABLE: [&str; 3] = ["include", "materials", "textures"];

/// The files that a scene was typed in, the scene's own first, and which of them each merged table came from.
pub struct Sources {
    files: Vec<Source>,
    /// (table, name) → index into `files`, for what included files brought.
    origins: BTreeMap<(String, String), usize>,
}

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// What paths in it are relative to.
    fn folder(&self) -> PathBuf {
        self.path.with_file_name("")
    }

    fn mistake(&self, keys: &[&str], message: String) -> Mistake {
        let line = (0..=keys.len()).rev().find_map(|length| locate::line_of(&self.text, &keys[..length]));
        Mistake { file: self.path.clone(), line, key: keys.join("."), message }
    }
}

/// Reads a scene file and, one after the other, what it includes; a file that is included by several counts once. What is
/// wrong with included files is added to `mistakes`, and they are left out.
///
/// # Errors
/// The scene file itself cannot be read, or is not TOML or JSON.
pub fn read(path: &Path, mistakes: &mut Vec<Mistake>) -> Result<(Map<String, Value>, Sources), Mistake> {
    let (root, source) = read_file(path)?;
    let sources = Sources { files: vec![source], origins: BTreeMap::new() };
    let mut merger = Merger { root: root.clone(), sources, including: vec![canonical(path)], done: vec![], mistakes };
    merger.include(0, &root);
    Ok((merger.root, merger.sources))
}

struct Merger<'m> {
    root: Map<String, Value>,
    sources: Sources,
    /// Canonical paths from the scene to the file being read: an include that is among them would never end.
    including: Vec<PathBuf>,
    /// Canonical paths of what was included already.
    done: Vec<PathBuf>,
    mistakes: &'m mut Vec<Mistake>,
}

impl Merger<'_> {
    /// Takes what the file of this index, whose tables are given, includes.
    fn include(&mut self, index: usize, tables: &Map<String, Value>) {
        let Some(value) = tables.get("include") else { return };
        let names: Option<Vec<&str>> = value.as_array().and_then(|names| names.iter().map(Value::as_str).collect());
        let Some(names) = names else {
            return self.mistake(index, &["include"], format!("expected an array of file names, found {value}"));
        };
        for name in names {
            let path = self.sources.files[index].folder().join(name);
            let place = canonical(&path);
            if self.including.contains(&place) {
                self.mistake(index, &["include"], format!("{}: the file includes itself", path.display()));
            } else if !self.done.contains(&place) {
                self.done.push(place.clone());
                self.file(index, &path, place);
            }
        }
    }

    /// Reads and merges one file, and before it what it includes itself.
    fn file(&mut self, from: usize, path: &Path, place: PathBuf) {
        let (tables, source) = match read_file(path) {
            Ok(read) => read,
            // Not to be opened: that is a mistake of the line which names it.
            Err(mistake) if mistake.line.is_none() => return self.mistake(from, &["include"], mistake.to_string()),
            Err(mistake) => return self.mistakes.push(mistake),
        };
        let index = self.sources.files.len();
        self.sources.files.push(source);
        self.including.push(place);
        self.include(index, &tables);
        self.including.pop();
        self.merge(index, tables);
    }

    fn merge(&mut self, index: usize, tables: Map<String, Value>) {
        for (table, entries) in tables {
            match (INCLUDABLE.contains(&table.as_str()), entries) {
                (true, _) if table == "include" => {}
                (true, Value::Object(entries)) => self.entries(index, &table, entries),
                (true, _) => self.mistake(index, &[&table], format!("expected tables [{table}.NAME]")),
                (false, _) => {
                    let allowed = "an included file may hold [materials.*], [textures.*] and include only";
                    self.mistake(index, &[&table], allowed.to_owned());
                }
            }
        }
    }

    fn entries(&mut self, index: usize, table: &str, entries: Map<String, Value>) {
        for (name, entry) in entries {
            let target = self.root.entry(table).or_insert_with(|| Map::new().into());
            // A table of the scene that is none has its own mistake.
            let Some(target) = target.as_object_mut() else { return };
            if target.contains_key(&name) {
                let first = self.sources.of(table, &name).path.display().to_string();
                self.mistake(index, &[table, &name], format!("\"{name}\" is given twice: it stands in {first}"));
            } else {
                self.sources.origins.insert((table.to_owned(), name.clone()), index);
                target.insert(name, entry);
            }
        }
    }

    fn mistake(&mut self, index: usize, keys: &[&str], message: String) {
        self.mistakes.push(self.sources.files[index].mistake(keys, message));
    }
}

impl Sources {
    /// A scene that nobody typed, as if it stood at `path`.
    pub fn synthetic(path: &Path) -> Self {
        let source = Source { path: path.to_owned(), text: String::new() };
        Self { files: vec![source], origins: BTreeMap::new() }
    }

    /// The folder that paths of a table are relative to: that of the file which names them.
    pub fn directory(&self, table: &str, name: &str) -> PathBuf {
        self.of(table, name).folder()
    }

    /// A fault with its file and line.
    pub fn locate(&self, fault: &KeyError) -> Mistake {
        let keys: Vec<&str> = fault.path.iter().map(String::as_str).collect();
        let at = |index: usize| keys.get(index).copied().unwrap_or_default();
        self.of(at(0), at(1)).mistake(&keys, fault.message.clone())
    }

    /// The text of all files, for the scene hash.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|source| source.text.as_str())
    }

    fn of(&self, table: &str, name: &str) -> &Source {
        let index = self.origins.get(&(table.to_owned(), name.to_owned()));
        &self.files[index.copied().unwrap_or(0)]
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A file's tables. The mistake has a line where the file could be opened and is no table of its kind.
fn read_file(path: &Path) -> Result<(Map<String, Value>, Source), Mistake> {
    let whole = |message: String| Mistake { file: path.to_owned(), line: None, key: String::new(), message };
    let at = |(line, message)| Mistake { line: Some(line), ..whole(message) };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let parse: fn(&str) -> Result<Value, (usize, String)> = match extension.as_deref() {
        Some("json") => json,
        Some("toml") => toml,
        _ => return Err(whole("a scene file ends in .toml or .json".to_owned())),
    };
    let bytes = std::fs::read(path).map_err(|error| whole(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| whole("not UTF-8 text".to_owned()))?;
    match parse(&text).map_err(at)? {
        Value::Object(tables) => Ok((tables, Source { path: path.to_owned(), text })),
        other => Err(at((1, format!("expected an object, found {other}")))),
    }
}

fn json(text: &str) -> Result<Value, (usize, String)> {
    serde_json::from_str(text).map_err(|error| (error.line(), error.to_string()))
}

fn toml(text: &str) -> Result<Value, (usize, String)> {
    let table: toml::Table = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        (text[..start].matches('\n').count() + 1, error.message().replace('\n', "; "))
    })?;
    Ok(in_json(toml::Value::Table(table)))
}

/// The same value in JSON. NaN and infinities, which JSON has not, become text: every number key refuses them by it.
fn in_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) if number.is_finite() => number.into(),
        toml::Value::Float(number) => Value::String(number.to_string()),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(values) => values.into_iter().map(in_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, in_json(value))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files and reads the first: what was merged, and the mistakes by their file's name.
    fn read_all(files: &[(&str, &str)]) -> (Map<String, Value>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut mistakes = Vec::new();
        let (root, _) = read(&folder.path().join(files[0].0), &mut mistakes).unwrap();
        let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        (root, mistakes.iter().map(|mistake| mistake.to_string().replace(&prefix, "")).collect())
    }

    #[test]
    fn includes_may_include_and_a_file_that_two_name_counts_once() {
        let (root, mistakes) = read_all(&[
            ("a.toml", "include = [\"sub/b.toml\", \"sub/c.json\"]\n[materials.a]"),
            ("sub/b.toml", "include = [\"d.toml\"]\n[materials.b]"),
            ("sub/c.json", "{\"include\": [\"d.toml\"], \"textures\": {\"c\": \"c.png\"}}"),
            ("sub/d.toml", "[materials.d]"),
        ]);
        assert_eq!(mistakes, Vec::<String>::new());
        assert_eq!(root["materials"].as_object().unwrap().keys().collect::<Vec<_>>(), ["a", "b", "d"]);
        assert_eq!(root["textures"]["c"], "c.png");
    }

    #[test]
    fn everything_that_is_wrong_with_includes_is_said_at_once() {
        let (_, mistakes) = read_all(&[
            ("a.toml", "\ninclude = [\"b.toml\", \"absent.toml\", \"broken.toml\"]\n[materials.x]"),
            ("b.toml", "include = [\"a.toml\"]\n[world]\n[materials]\nx = 1\n"),
            ("broken.toml", "[materials.y]\n= 1\n"),
        ]);
        let starts = [
            "b.toml:1: include: ",
            "b.toml:4: materials.x: \"x\" is given twice: it stands in a.toml",
            "b.toml:2: world: an included file may hold",
            "a.toml:2: include: absent.toml: ",
            "broken.toml:2: ",
        ];
        assert_eq!(mistakes.len(), starts.len(), "{mistakes:#?}");
        for (mistake, start) in mistakes.iter().zip(starts) {
            assert!(mistake.starts_with(start), "{mistake}\n{start}");
        }
    }

    #[test]
    fn numbers_that_json_has_not_become_text() {
        let (root, _) = read_all(&[("a.toml", "x = [nan, -inf, 1.5, 2]")]);
        assert_eq!(root["x"], serde_json::json!(["NaN", "-inf", 1.5, 2]));
    }
}
