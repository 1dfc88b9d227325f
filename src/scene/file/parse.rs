//! Text → [`SceneFile`]: TOML or JSON, includes merged, mistakes given lines.

use std::path::{Path, PathBuf};

use super::reader::Reader;
use super::sources::{self, Sources};
use super::{KeyError, SceneFile};
use crate::scene::error::{Mistake, SceneError};

/// A parsed scene with what is needed to resolve its paths and to find its lines.
pub struct Parsed {
    pub scene: SceneFile,
    /// What is wrong with the texts. Tables and entries with a mistake are left out of `scene`.
    pub mistakes: Vec<Mistake>,
    sources: Sources,
}

/// Reads a scene file and what it includes: [`Parsed::mistakes`] has unknown keys, wrong values, names given twice.
///
/// # Errors
/// The scene file itself cannot be read, or is not TOML or JSON.
pub fn parse(path: &Path) -> Result<Parsed, SceneError> {
    let mut mistakes = Vec::new();
    let (root, sources) =
        sources::read(path, &mut mistakes).map_err(|mistake| SceneError { mistakes: vec![mistake] })?;
    let mut faults = Vec::new();
    let mut reader = Reader::new(&root, Vec::new(), &mut faults);
    let scene = SceneFile::read(&mut reader);
    reader.finish();
    mistakes.extend(faults.iter().map(|fault| sources.locate(fault)));
    Ok(Parsed { scene, mistakes, sources })
}

impl Parsed {
    /// A scene that nobody typed, as if it stood beside `path`.
    pub fn synthetic(path: &Path, scene: SceneFile) -> Self {
        Self { scene, mistakes: Vec::new(), sources: Sources::synthetic(path) }
    }

    /// The folder that paths of a table are relative to: that of the file which names them.
    pub fn directory(&self, table: &str, name: &str) -> PathBuf {
        self.sources.directory(table, name)
    }

    /// A fault with its file and line.
    pub fn locate(&self, fault: &KeyError) -> Mistake {
        self.sources.locate(fault)
    }

    /// The text of all files, for the scene hash.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.sources.texts()
    }
}
