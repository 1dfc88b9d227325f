//! What is in a texture file, for `scrutineer inspect`.

use std::path::Path;

use serde::Serialize;

use super::dds::{self, Container};
use super::error::{Fault, TextureError};
use super::file::Kind;
use super::{Transfer, exr, image, ktx2, radiance};

/// A texture file, as its header describes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// "DDS", "KTX2", "PNG", "JPEG", "TGA", "EXR" or "Radiance HDR".
    pub kind: &'static str,
    /// The texel format as the file's kind spells it.
    pub format: String,
    pub width: u32,
    pub height: u32,
    /// 1 but for volumes.
    pub depth: u32,
    pub mips: usize,
    /// Array layers; a cube is one.
    pub layers: u32,
    pub cube: bool,
    /// The file's own flag, "srgb" or "linear"; `None` where its kind has none and the scene must say.
    pub colour_space: Option<&'static str>,
    /// Of the file.
    pub bytes: u64,
}

/// Reads the header of the texture file at `path`.
///
/// # Errors
///
/// A file that cannot be read or would not load as a texture; cubes, arrays and volumes are described all the same.
pub fn describe(path: &Path) -> Result<Description, TextureError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|fault| Fault::Io(fault).of(&name))?;
    of_bytes(&name, &bytes).map_err(|fault| fault.of(name))
}

fn of_bytes(name: &str, bytes: &[u8]) -> Result<Description, Fault> {
    let kind = Kind::of(name, bytes)?;
    let flat = |[width, height]: [u32; 2], format: String, transfer: Option<Transfer>| Description {
        kind: kind.name(),
        format,
        width,
        height,
        depth: 1,
        mips: 1,
        layers: 1,
        cube: false,
        colour_space: transfer.map(Transfer::name),
        bytes: bytes.len() as u64,
    };
    Ok(match kind {
        Kind::Dds => of_container(&dds::parse(bytes)?, bytes.len()),
        Kind::Ktx2 => of_container(&ktx2::parse(bytes)?, bytes.len()),
        Kind::Image(format) => {
            let header = image::header(bytes, format)?;
            flat([header.width, header.height], header.format.name.to_owned(), None)
        }
        Kind::Exr => {
            let (size, format) = exr::describe(bytes)?;
            flat(size, format, Some(Transfer::Linear))
        }
        Kind::Radiance => flat(radiance::size(bytes)?, "RGBE".to_owned(), Some(Transfer::Linear)),
    })
}

fn of_container(container: &Container, length: usize) -> Description {
    Description {
        kind: container.kind,
        format: container.format.name.to_owned(),
        width: container.width,
        height: container.height,
        depth: container.depth,
        mips: container.levels.len(),
        layers: container.layers,
        cube: container.cube,
        colour_space: container.format.transfer.map(Transfer::name),
        bytes: length as u64,
    }
}
