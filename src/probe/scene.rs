//! What the probe reads of a scene file: `[world]` and `[materials.*]`, with includes. Geometry, cameras and lights may be
//! absent and are not loaded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::{Map, Value};

use crate::material::bind::{Input, NoTextures, TextureInput, bind};
use crate::material::registry::{self, Family};
use crate::scene::file::locate::line_of;
use crate::scene::file::material::{MaterialTable, texture_input};
use crate::scene::file::number::Finite;
use crate::scene::file::world::WorldTable;
use crate::scene::file::{KeyError, typed};
use crate::scene::load::shader::Shaders;
use crate::scene::world::World;
use crate::suggest;
use crate::texture::Transfer;

/// The checked materials and the world of a scene.
#[derive(Clone)]
pub struct ProbeScene {
    pub world: World,
    /// Name → family and input; every name and value but the texture files has been checked.
    pub materials: BTreeMap<String, (&'static Family, Input)>,
    /// `[textures] default_colour_space`, for the store that opens the files.
    pub default_colour_space: Option<Transfer>,
}

/// The tables of a scene file (SCENE.md). The probe skips all but the first four.
const TABLES: [&str; 14] = [
    "include",
    "world",
    "materials",
    "textures",
    "render",
    "camera",
    "cameras",
    "sun",
    "sky",
    "lights",
    "geometry",
    "instances",
    "projected_decals",
    "output",
];
/// What an included file may hold.
const INCLUDED: [&str; 3] = ["include", "materials", "textures"];

impl ProbeScene {
    /// Reads a `.toml` or `.json` scene. The error lists everything that is wrong, a line each: file, line, key, what is
    /// allowed.
    pub fn load(path: &Path) -> Result<Self, String> {
        let mut loader = Loader::default();
        let scene = loader.scene(path);
        match loader.errors.is_empty() {
            true => Ok(scene),
            false => Err(loader.errors.join("\n")),
        }
    }
}

/// A file as read.
struct Document {
    path: PathBuf,
    source: String,
    tables: Map<String, Value>,
}

impl Document {
    /// What paths in it are relative to.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// `[textures]`: entries by name, files resolved, and the default colour space.
#[derive(Default)]
struct SharedTextures {
    entries: BTreeMap<String, TextureInput>,
    default_colour_space: Option<Transfer>,
}

impl SharedTextures {
    /// Takes one key of `[textures]`.
    fn add(&mut self, name: &str, value: &Value, folder: &Path) -> Result<(), KeyError> {
        if name == "default_colour_space" {
            self.default_colour_space = Some(colour_space(value)?);
        } else if self.entries.insert(name.to_owned(), texture_input(value, folder)?).is_some() {
            return Err(KeyError { path: Vec::new(), message: format!("\"{name}\" is given twice") });
        }
        Ok(())
    }

    /// Takes the textures of a material that are names of shared entries, as what they name.
    fn take_named(&self, table: &mut MaterialTable) -> BTreeMap<String, TextureInput> {
        let entry = |value: &Value| value.as_str().and_then(|name| self.entries.get(name)).cloned();
        let named: BTreeMap<_, _> =
            table.textures.iter().filter_map(|(slot, value)| Some((slot.clone(), entry(value)?))).collect();
        table.textures.retain(|slot, _| !named.contains_key(slot));
        named
    }
}

#[derive(Default)]
struct Loader {
    errors: Vec<String>,
    /// What the scene includes, then the scene.
    documents: Vec<Document>,
    textures: SharedTextures,
    /// Where each material was first named.
    named_in: BTreeMap<String, PathBuf>,
    /// Canonical paths from the scene to the file being read: an include that is among them would never end.
    including: Vec<PathBuf>,
    materials: BTreeMap<String, (&'static Family, Input)>,
}

impl Loader {
    fn scene(&mut self, path: &Path) -> ProbeScene {
        let mut world = World::default();
        if let Some(document) = self.document(path, &TABLES) {
            self.include(document);
        }
        let documents = std::mem::take(&mut self.documents);
        // Any file may name an entry of any other: all [textures] first.
        documents.iter().for_each(|document| self.textures(document));
        documents.iter().for_each(|document| self.materials(document));
        if let Some(document) = documents.last() {
            let table = document.tables.get("world").cloned().unwrap_or(Value::Object(Map::new()));
            let camera = camera_position(&document.tables).unwrap_or(Vec3::ZERO);
            match typed(table).and_then(|table: WorldTable| table.to_world(camera)) {
                Ok(typed) => world = typed,
                Err(error) => self.fault(document, error.within(&["world"])),
            }
        }
        let default_colour_space = self.textures.default_colour_space;
        ProbeScene { world, materials: std::mem::take(&mut self.materials), default_colour_space }
    }

    /// Reads a file and refuses unknown tables.
    fn document(&mut self, path: &Path, allowed: &[&str]) -> Option<Document> {
        let read = fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))
            .and_then(|source| parse(path, &source).map(|tables| (source, tables)));
        let (source, tables) = match read {
            Ok(read) => read,
            Err(error) => {
                self.errors.push(error);
                return None;
            }
        };
        let document = Document { path: path.to_owned(), source, tables };
        for unknown in document.tables.keys().filter(|key| !allowed.contains(&key.as_str())) {
            let message = suggest::unknown("key", unknown, allowed.iter().copied());
            self.fault(&document, KeyError::new(unknown, message));
        }
        Some(document)
    }

    /// Takes a document and, before it, those that it includes.
    fn include(&mut self, document: Document) {
        let canonical = document.path.canonicalize().unwrap_or_else(|_| document.path.clone());
        if self.including.contains(&canonical) {
            return self.fault(&document, KeyError::new("include", "the file includes itself"));
        }
        self.including.push(canonical);
        let files = match document.tables.get("include").map(typed::<Vec<String>, _>) {
            None => Vec::new(),
            Some(Ok(files)) => files.iter().map(|file| document.folder().join(file)).collect(),
            Some(Err(error)) => {
                self.fault(&document, error.within(&["include"]));
                Vec::new()
            }
        };
        for file in files {
            if let Some(included) = self.document(&file, &INCLUDED) {
                self.include(included);
            }
        }
        self.documents.push(document);
        self.including.pop();
    }

    fn textures(&mut self, document: &Document) {
        let Some(table) = document.tables.get("textures") else { return };
        let Some(entries) = table.as_object() else {
            return self.fault(document, KeyError::new("textures", "expected tables [textures.NAME]"));
        };
        for (name, entry) in entries {
            if let Err(error) = self.textures.add(name, entry, document.folder()) {
                self.fault(document, error.within(&["textures", name]));
            }
        }
    }

    fn materials(&mut self, document: &Document) {
        match document.tables.get("materials") {
            None => {}
            Some(Value::Object(materials)) => {
                for (name, table) in materials {
                    self.material(document, name, table);
                }
            }
            Some(_) => self.fault(document, KeyError::new("materials", "expected tables [materials.NAME]")),
        }
    }

    fn material(&mut self, document: &Document, name: &str, table: &Value) {
        if let Some(first) = self.named_in.insert(name.to_owned(), document.path.clone()) {
            let message = format!("the material is named in {} already", first.display());
            return self.fault(document, KeyError::new(name, message).within(&["materials"]));
        }
        match checked(table, document.folder(), &self.textures) {
            Ok(material) => drop(self.materials.insert(name.to_owned(), material)),
            Err(errors) => {
                for error in errors {
                    self.fault(document, error.within(&["materials", name]));
                }
            }
        }
    }

    fn fault(&mut self, document: &Document, error: KeyError) {
        let keys: Vec<&str> = error.path.iter().map(String::as_str).collect();
        let line = line_of(&document.source, &keys).map(|line| format!("{line}:")).unwrap_or_default();
        self.errors.push(format!("{}:{line} {error}", document.path.display()));
    }
}

/// The family and input of a material table. Everything is checked but the texture files, which a point may override.
fn checked(table: &Value, folder: &Path, shared: &SharedTextures) -> Result<(&'static Family, Input), Vec<KeyError>> {
    let mut table: MaterialTable = typed(table).map_err(|error| vec![error])?;
    let named = shared.take_named(&mut table);
    let family = registry::find(&table.family).map_err(|message| vec![KeyError::new("family", message)])?;
    let mut input = table.to_input(folder)?;
    input.textures.extend(named);
    Shaders::default().apply(&table, family, folder, &mut input)?;
    let constant = |(name, _): (&String, &TextureInput)| (name.clone(), TextureInput::Constant(glam::Vec4::ZERO));
    let without_files = Input { textures: input.textures.iter().map(constant).collect(), ..input.clone() };
    match bind(family, &without_files, &mut NoTextures) {
        Ok(_) => Ok((family, input)),
        Err(faults) => Err(faults.into_iter().map(fault_error).collect()),
    }
}

/// A fault's key is one of `permutation`, `parameters.NAME` and `textures.NAME`; a name may have dots.
fn fault_error(fault: crate::material::bind::Fault) -> KeyError {
    let path = match fault.key.split_once('.') {
        Some((table, name)) => vec![table.to_owned(), name.to_owned()],
        None => vec![fault.key],
    };
    KeyError { path, message: fault.message }
}

fn colour_space(value: &Value) -> Result<Transfer, KeyError> {
    let spaces = [Transfer::Srgb, Transfer::Linear];
    let typed = value.as_str().unwrap_or_default();
    spaces.into_iter().find(|space| space.name() == typed).ok_or_else(|| KeyError {
        path: Vec::new(),
        message: suggest::unknown("colour space", typed, spaces.map(Transfer::name)),
    })
}

fn parse(path: &Path, source: &str) -> Result<Map<String, Value>, String> {
    let place = |line: usize, message: &str| format!("{}:{line}: {message}", path.display());
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let value = match extension.to_ascii_lowercase().as_str() {
        "json" => serde_json::from_str(source).map_err(|error| place(error.line(), &error.to_string()))?,
        "toml" => {
            let table: toml::Table = toml::from_str(source).map_err(|error| {
                let line = error.span().map_or(1, |span| 1 + source[..span.start].matches('\n').count());
                place(line, error.message())
            })?;
            json(toml::Value::Table(table))
        }
        _ => return Err(format!("{}: a scene with materials is a .toml or .json file", path.display())),
    };
    match value {
        Value::Object(tables) => Ok(tables),
        _ => Err(place(1, "expected an object")),
    }
}

/// The same value in JSON. NaN and infinities, which JSON has not, become text: every number key refuses them by it.
fn json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) if number.is_finite() => number.into(),
        toml::Value::Float(number) => Value::String(number.to_string()),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(values) => values.into_iter().map(json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, json(value))).collect(),
    }
}

/// `[camera] position` in the game frame: what `[world] camera` defaults to. Other kinds of camera are not looked at.
fn camera_position(tables: &Map<String, Value>) -> Option<Vec3> {
    let Finite([x, y, z]) = typed(tables.get("camera")?.get("position")?).ok()?;
    Some(Vec3::new(x, y, -z))
}
