//! What can be wrong with a texture file.

use std::io;

use super::Transfer;

/// A file that could not be used as a texture, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct TextureError {
    /// The path as given, or the name of an embedded image.
    pub file: String,
    #[source]
    pub fault: Fault,
}

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The bytes are not what the file's header promises.
    #[error("damaged {kind} file: {what}")]
    Damaged { kind: &'static str, what: String },
    /// A well-formed file of a sort that is not read.
    #[error("not supported: {what}; allowed: {allowed}")]
    Unsupported { what: String, allowed: &'static str },
    /// Neither the slot nor the file says how values are encoded.
    #[error(
        "the key \"colour_space\" (\"srgb\" or \"linear\") or [textures] default_colour_space is required: {0} files carry none"
    )]
    ColourSpaceMissing(&'static str),
    /// Signed values have no sRGB encoding.
    #[error("colour_space \"{}\" does not suit the signed format {format}; allowed: \"linear\"", .transfer.name())]
    ColourSpaceUnfit { transfer: Transfer, format: &'static str },
}

impl Fault {
    /// Adds the file's name.
    pub(super) fn of(self, file: impl Into<String>) -> TextureError {
        TextureError { file: file.into(), fault: self }
    }
}

/// [`Fault::Damaged`] of one kind of file.
pub(super) fn damaged(kind: &'static str, what: impl Into<String>) -> Fault {
    Fault::Damaged { kind, what: what.into() }
}
