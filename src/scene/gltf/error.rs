//! What can be wrong with a glTF file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// A fault of one glTF file: the file, the place in its JSON, and what is allowed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GltfError {
    /// The file as it was asked for.
    pub file: PathBuf,
    /// JSON pointer (RFC 6901) into the glTF JSON, `/accessors/3/byteOffset`; empty where the fault is the file's as a whole.
    pub pointer: String,
    pub message: String,
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.is_empty() {
            true => write!(f, "{}: {}", self.file.display(), self.message),
            false => write!(f, "{}: {}: {}", self.file.display(), self.pointer, self.message),
        }
    }
}

impl std::error::Error for GltfError {}

/// A [`GltfError`] before the file's name is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub pointer: String,
    pub message: String,
}

/// The result of everything that reads the file.
pub(super) type Checked<T> = Result<T, Fault>;

impl Fault {
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }

    /// A fault of the file as a whole.
    pub fn file(message: impl Into<String>) -> Self {
        Self::new("", message)
    }

    pub fn into_error(self, file: &Path) -> GltfError {
        GltfError { file: file.to_owned(), pointer: self.pointer, message: self.message }
    }
}

/// The element of a top-level array that `index` names, or a fault at `pointer`, the place of the reference.
pub(super) fn resolve<'a, T>(list: &'a [T], index: usize, what: &str, pointer: impl Fn() -> String) -> Checked<&'a T> {
    list.get(index).ok_or_else(|| {
        let message = match list.len() {
            0 => format!("{what} {index} does not exist: the file has none"),
            n => format!("{what} {index} does not exist: allowed are 0 to {}", n - 1),
        };
        Fault::new(pointer(), message)
    })
}

/// Things worth saying that do not stop the load. Long lists are cut: a file with one oddity usually has it everywhere.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    said: Vec<String>,
    unsaid: usize,
}

impl Warnings {
    const MOST: usize = 50;

    pub fn add(&mut self, pointer: &str, message: impl fmt::Display) {
        match self.said.len() < Self::MOST {
            true if pointer.is_empty() => self.said.push(message.to_string()),
            true => self.said.push(format!("{pointer}: {message}")),
            false => self.unsaid += 1,
        }
    }

    pub fn append(&mut self, others: Vec<String>) {
        others.into_iter().for_each(|other| self.add("", other));
    }

    pub fn into_list(mut self) -> Vec<String> {
        if self.unsaid > 0 {
            self.said.push(format!("… and {} more warnings", self.unsaid));
        }
        self.said
    }
}
