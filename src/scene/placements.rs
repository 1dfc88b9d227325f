//! `[[instances]]` and `[[projected_decals]]` placement files.
//!
//! JSON lines, in the scene frame: `{"matrix":[16]}` (column-major) or `{"position":[3],"rotation":[x,y,z,w],
//! "scale":number or [3]}`, each with an optional `"variation":[x,y,z]` of 0..1. Or `.placements`: raw 64-byte game records
//! ([`GameRecord`]).

mod line;
mod record;

use std::fmt;
use std::path::{Path, PathBuf};

use glam::DAffine3;

pub use record::GameRecord;

/// One placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Prototype to scene frame, metres.
    pub transform: DAffine3,
    /// INSTANCE_VARIATION, each 0..1 (byte / 255).
    pub variation: Option<[f32; 3]>,
}

/// A fault of a placement file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementError {
    pub file: PathBuf,
    pub place: Place,
    pub message: String,
}

/// Where in a placement file a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of JSON, from 1.
    Line(usize),
    /// Bytes from the begin of a raw file.
    Offset(usize),
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, message) = (self.file.display(), &self.message);
        match self.place {
            Place::File => write!(f, "{file}: {message}"),
            Place::Line(line) => write!(f, "{file}:{line}: {message}"),
            Place::Offset(offset) => write!(f, "{file}: byte {offset}: {message}"),
        }
    }
}

impl std::error::Error for PlacementError {}

/// Reads the placements of `path`: raw game records where its extension is `placements`, else JSON lines.
///
/// # Errors
/// The first fault, with its line and key or its byte offset.
pub fn read(path: &Path) -> Result<Vec<Placed>, PlacementError> {
    match is_raw(path) {
        true => Ok(read_raw(path)?.iter().map(GameRecord::placed).collect()),
        false => read_lines(path, Ok),
    }
}

/// Reads `path` as unit boxes of projected decals. A JSON line must be free of shear, since a record cannot hold any.
///
/// # Errors
/// As [`read`].
pub fn read_boxes(path: &Path) -> Result<Vec<GameRecord>, PlacementError> {
    match is_raw(path) {
        true => read_raw(path),
        false => read_lines(path, |placed| {
            let record = GameRecord::from_placed(&placed);
            record.ok_or_else(|| "a decal box needs three axes at right angles, none of length 0".to_owned())
        }),
    }
}

fn is_raw(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("placements"))
}

fn read_raw(path: &Path) -> Result<Vec<GameRecord>, PlacementError> {
    let fault = |place, message| PlacementError { file: path.to_owned(), place, message };
    let bytes = std::fs::read(path).map_err(|error| fault(Place::File, error.to_string()))?;
    let (records, rest) = bytes.as_chunks::<{ GameRecord::SIZE }>();
    if !rest.is_empty() {
        let offset = bytes.len() - rest.len();
        let message = format!("{} bytes are left over: records are {} bytes each", rest.len(), GameRecord::SIZE);
        return Err(fault(Place::Offset(offset), message));
    }
    let decode = |(index, bytes)| {
        GameRecord::decode(bytes)
            .map_err(|(offset, message)| fault(Place::Offset(index * GameRecord::SIZE + offset), message))
    };
    records.iter().enumerate().map(decode).collect()
}

/// Blank lines are skipped.
fn read_lines<T>(path: &Path, convert: impl Fn(Placed) -> Result<T, String>) -> Result<Vec<T>, PlacementError> {
    let fault = |place, message| PlacementError { file: path.to_owned(), place, message };
    let bytes = std::fs::read(path).map_err(|error| fault(Place::File, error.to_string()))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        fault(Place::Line(line), "not UTF-8 (raw game records need the extension .placements)".to_owned())
    })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, text)| {
            line::parse(text).and_then(&convert).map_err(|message| fault(Place::Line(index + 1), message))
        })
        .collect()
}
