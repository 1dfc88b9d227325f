//! Shader containers of the game: `.shaderbin` (one shader family with all its compiled permutations) and `.materialbin`.
//!
//! Both are Grub bundles. Source: documentation page 003, "Shader containers (.shaderbin)"; what it leaves out (the
//! container, the parameter record, the material chain) comes from the published layouts of other readers, restated in each
//! file here with what is certain and what is not.
//!
//! [`grub`] reads and writes the container; [`parm`], [`map`], [`record`] and [`vars`] the blobs; [`Shaderbin`] and
//! [`Material`] a whole file; [`permutation`] chooses the compiled variant of a material; [`registers`] says where a value
//! lies on the GPU; [`checks`] holds a file against every claim of the page; [`describe`] is `scrutineer inspect`.
//!
//! Reading never panics and never hangs, and allocates no more than a fixed multiple of the file's size. All numbers are
//! little-endian. Offsets in errors count from the start of the file, also inside nested bundles.

pub mod checks;
mod cursor;
pub mod describe;
pub mod grub;
mod hex;
pub mod map;
pub mod material;
pub mod parm;
pub mod permutation;
pub mod record;
pub mod registers;
mod shader;
mod tag;
mod text;
pub mod value;
pub mod vars;
mod write;

pub use grub::Bundle;
pub use material::{Chain, Material};
pub use shader::{Shaderbin, Vars};
pub use tag::{Tag, Version};
pub use write::WriteError;

/// Where and why a file breaks the format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {message}")]
pub struct ReadError {
    /// Bytes from the start of the file.
    pub offset: usize,
    /// What was found there, and what is allowed.
    pub message: String,
}

/// CRC-32 as in zlib and PNG: the hash of names (case-sensitive).
pub fn name_hash(name: &str) -> u32 {
    crc32fast::hash(name.as_bytes())
}

/// The hash of a texture's path: the CRC-32 of its lower-case form.
pub fn path_hash(path: &str) -> u32 {
    crc32fast::hash(path.to_lowercase().as_bytes())
}
