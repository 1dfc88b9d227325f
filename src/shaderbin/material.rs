//! `.materialbin` files and their chains: shader defaults → parents → instance.
//!
//! MATL holds the path of the shaderbin (v1.1 a second string, v1.2 a third); MATI the path of the parent materialbin; MTPR the
//! values that the material overrides. Paths are the game's (`Game:\Media\…`); [`Chain::load`] looks for a parent beside the
//! material and under each folder above it, by as much of the path as exists there.

use std::fs;
use std::path::{Path, PathBuf};

use super::grub::{Blob, Bundle};
use super::record::{self, Record, Records};
use super::{ReadError, Tag, Version};

/// A material or a material instance.
#[derive(Clone, Debug)]
pub struct Material {
    pub bundle: Bundle,
    /// MATL: the game's path of its shaderbin, and what other strings follow.
    pub shader: Option<String>,
    /// MATI: the game's path of its parent.
    pub parent: Option<String>,
    /// MTPR.
    pub overrides: Option<Records>,
}

/// A material with all its parents.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The root first, the instance last; never empty.
    pub materials: Vec<(PathBuf, Material)>,
}

/// Longer chains are taken for damaged files.
const MOST_PARENTS: usize = 32;

impl Material {
    /// Reads a whole file.
    ///
    /// # Errors
    /// The first place that breaks the container or one of the three blobs.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bundle(Bundle::read(bytes)?)
    }

    /// Reads a bundle's blobs; a nested bundle of a model (`MatI`) is one too.
    ///
    /// # Errors
    /// As [`Material::read`].
    pub fn from_bundle(bundle: Bundle) -> Result<Self, ReadError> {
        let blob = |tag| bundle.one(tag);
        let overrides = blob(Tag::MTPR)?.map(record::decode).transpose()?;
        let shader =
            blob(Tag::MATL)?.map(|blob| first_path(blob, 1 + usize::from(blob.version.1.min(2)))).transpose()?;
        let parent = blob(Tag::MATI)?.map(|blob| first_path(blob, 1)).transpose()?;
        Ok(Self { shader, parent, overrides, bundle })
    }

    /// The values that it overrides.
    pub fn records(&self) -> &[Record] {
        self.overrides.as_ref().map_or(&[], |overrides| &overrides.records)
    }
}

/// The first of a blob's `count` strings; all its bytes must be theirs, but in versions after those that are known.
fn first_path(blob: &Blob, count: usize) -> Result<String, ReadError> {
    let mut cursor = blob.cursor();
    let what = format!("{}'s path", blob.tag);
    let path = cursor.string(&what)?.to_owned();
    for _ in 1..count {
        cursor.string(&what)?;
    }
    if blob.version <= Version(1, 2) {
        cursor.end(&what)?;
    }
    Ok(path)
}

impl Chain {
    /// Reads a material and its parents.
    ///
    /// # Errors
    /// A message that names the file: not readable, damaged (with the byte), a parent that is not found, a chain without end.
    pub fn load(path: &Path) -> Result<Self, String> {
        let mut materials: Vec<(PathBuf, Material)> = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            if materials.iter().any(|(seen, _)| same_file(seen, &path)) || materials.len() > MOST_PARENTS {
                return Err(format!("{}: its chain of parents does not end", path.display()));
            }
            let in_file = |message: String| format!("{}: {message}", path.display());
            let bytes = fs::read(&path).map_err(|error| in_file(error.to_string()))?;
            let material = Material::read(&bytes).map_err(|error| in_file(error.to_string()))?;
            next = match &material.parent {
                None => None,
                Some(parent) => {
                    let found = find(parent, &path);
                    Some(found.ok_or_else(|| in_file(format!("its parent {parent} is not found beside or above it")))?)
                }
            };
            materials.push((path, material));
        }
        materials.reverse();
        Ok(Self { materials })
    }

    /// The overrides of each material, the root's first.
    pub fn overrides(&self) -> impl Iterator<Item = &[Record]> {
        self.materials.iter().map(|(_, material)| material.records())
    }

    /// The game's path of the shader: the last one that the chain names.
    pub fn shader(&self) -> Option<&str> {
        self.materials.iter().rev().find_map(|(_, material)| material.shader.as_deref())
    }

    /// Every file of the chain.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.materials.iter().map(|(path, _)| path.as_path())
    }
}

/// The last part of a game's path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// The file that the game calls `path`, near `from`: under its folder and each above it by the longest end of the path that
/// exists there (two names at least), else beside it by the name alone.
fn find(path: &str, from: &Path) -> Option<PathBuf> {
    let parts: Vec<&str> = path.split(['\\', '/']).filter(|part| !part.is_empty() && !part.ends_with(':')).collect();
    if parts.iter().any(|part| matches!(*part, "." | "..")) {
        return None;
    }
    let from = std::path::absolute(from).ok()?;
    let folders = from.ancestors().skip(1);
    let ends = || (0..parts.len().saturating_sub(1)).map(|skip| &parts[skip..]);
    let under =
        folders.flat_map(|folder| ends().map(move |end| (folder, end))).find_map(|(folder, end)| below(folder, end));
    under.or_else(|| below(from.parent()?, parts.last().map(std::slice::from_ref)?))
}

/// `folder/parts…` if that is a file; where the case differs, the first entry that is equal but for it.
fn below(folder: &Path, parts: &[&str]) -> Option<PathBuf> {
    let exact = parts.iter().fold(folder.to_owned(), |path, part| path.join(part));
    if exact.is_file() {
        return Some(exact);
    }
    let mut path = folder.to_owned();
    for part in parts {
        let direct = path.join(part);
        path = match direct.exists() {
            true => direct,
            false => {
                let entries = fs::read_dir(&path).ok()?.flatten();
                let mut alike: Vec<PathBuf> = entries
                    .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.eq_ignore_ascii_case(part)))
                    .map(|entry| entry.path())
                    .collect();
                alike.sort();
                alike.into_iter().next()?
            }
        };
    }
    path.is_file().then_some(path)
}
