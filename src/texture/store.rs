//! The textures of a scene: each file once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::entry::Entry;
use super::error::{Fault, TextureError};
use super::file::{self, Loaded};
use super::{Sampler, Texture, Transfer};
use crate::material::bind::TextureSource;

/// What a file was asked to be read as; the same file as colour and as data is two textures.
type Key = (PathBuf, Option<Transfer>);

/// Root of the keys of images without a file of their own.
const EMBEDDED: &str = "embedded:";

/// Opens texture files and keeps them, each once per colour space asked for.
pub struct Store {
    /// Entries' paths are relative to it.
    base: PathBuf,
    /// For files that carry no colour space where the entry names none.
    default_colour_space: Option<Transfer>,
    textures: HashMap<Key, Arc<Texture>>,
    warnings: Vec<String>,
}

impl Store {
    /// An empty store. `base_dir` is the folder of the scene file, `default_colour_space` is `[textures]`' key.
    pub fn new(base_dir: impl Into<PathBuf>, default_colour_space: Option<Transfer>) -> Self {
        Self { base: base_dir.into(), default_colour_space, textures: HashMap::new(), warnings: Vec::new() }
    }

    /// Opens the file at `path` (relative to the store's folder), as `transfer` if given, else by its own flag or the
    /// default.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or carries no colour space where none was given.
    pub fn load_file(&mut self, path: &Path, transfer: Option<Transfer>) -> Result<Arc<Texture>, TextureError> {
        let key = self.key(path, transfer);
        if let Some(texture) = self.textures.get(&key) {
            return Ok(texture.clone());
        }
        let loaded = read(&self.base.join(path), transfer, self.default_colour_space)?;
        Ok(self.keep(key, &path.display().to_string(), loaded))
    }

    /// Decodes `bytes`, an image that a GLB or a data URI embeds. `name` identifies it: a later call with the same name and
    /// transfer returns the first one's texture.
    ///
    /// # Errors
    ///
    /// As [`Store::load_file`].
    pub fn load_bytes(
        &mut self,
        name: &str,
        bytes: &[u8],
        transfer: Option<Transfer>,
    ) -> Result<Arc<Texture>, TextureError> {
        let key = (Path::new(EMBEDDED).join(name), transfer);
        if let Some(texture) = self.textures.get(&key) {
            return Ok(texture.clone());
        }
        let loaded = file::load(name, bytes, transfer, self.default_colour_space).map_err(|fault| fault.of(name))?;
        Ok(self.keep(key, name, loaded))
    }

    /// Loads many files in parallel, so that later calls find them. Faulty ones are left out: the call that asks for one
    /// reports it, where its key is known.
    pub fn preload(&mut self, files: Vec<(PathBuf, Option<Transfer>)>) {
        let mut missing: Vec<(Key, PathBuf)> = Vec::new();
        for (path, transfer) in files {
            let key = self.key(&path, transfer);
            if !self.textures.contains_key(&key) && !missing.iter().any(|(other, _)| *other == key) {
                missing.push((key, path));
            }
        }
        let (base, default) = (&self.base, self.default_colour_space);
        let load = |(key, path): (Key, PathBuf)| {
            let loaded = read(&base.join(&path), key.1, default).ok()?;
            Some((key, path, loaded))
        };
        // Kept in the order asked for, so that warnings do not depend on which thread was first.
        let loaded: Vec<_> = missing.into_par_iter().map(load).collect();
        for (key, path, loaded) in loaded.into_iter().flatten() {
            self.keep(key, &path.display().to_string(), loaded);
        }
    }

    /// Memory of all textures' texels.
    pub fn bytes(&self) -> usize {
        self.textures.values().map(|texture| texture.bytes()).sum()
    }

    /// The files that textures came from, sorted; images embedded in other files are not among them.
    pub fn files(&self) -> Vec<PathBuf> {
        let paths = self.textures.keys().map(|(path, _)| path.clone());
        let mut files: Vec<PathBuf> = paths.filter(|path| !path.starts_with(EMBEDDED)).collect();
        files.sort();
        files.dedup();
        files
    }

    /// What was odd but usable, in order.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// One key a file, however its path is spelled.
    fn key(&self, path: &Path, transfer: Option<Transfer>) -> Key {
        let joined = self.base.join(path);
        (joined.canonicalize().unwrap_or(joined), transfer)
    }

    fn keep(&mut self, key: Key, name: &str, loaded: Loaded) -> Arc<Texture> {
        if let (Some(file), Some(slot)) = (loaded.overridden, key.1) {
            let (file, slot) = (file.name(), slot.name());
            self.warnings.push(format!("{name}: the file says {file}, its slot asks for {slot}; the slot wins"));
        }
        let texture = Arc::new(loaded.texture);
        self.textures.insert(key, texture.clone());
        texture
    }
}

fn read(path: &Path, transfer: Option<Transfer>, fallback: Option<Transfer>) -> Result<Loaded, TextureError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|fault| Fault::Io(fault).of(&name))?;
    file::load(&name, &bytes, transfer, fallback).map_err(|fault| fault.of(name))
}

impl TextureSource for Store {
    fn open(&mut self, entry: &Value) -> Result<(Arc<Texture>, Sampler), String> {
        let entry = Entry::parse(entry)?;
        let texture = self.load_file(Path::new(&entry.file), entry.colour_space).map_err(|fault| fault.to_string())?;
        Ok((texture, entry.sampler))
    }
}
