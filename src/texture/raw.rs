//! Images as their files have them, for comparisons: display values stay display values.

use std::path::Path;

use image::ImageFormat;

use super::error::Fault;
use super::file::Kind;
use super::{image as ldr, radiance};

/// Texels of a file, rows downward from the top left, channels interleaved.
pub struct Raw {
    pub width: u32,
    pub height: u32,
    /// 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA.
    pub channels: usize,
    pub texels: Texels,
}

/// Values in the file's own precision.
pub enum Texels {
    Bytes(Vec<u8>),
    Shorts(Vec<u16>),
    /// Radiance of an HDR picture.
    Floats(Vec<f32>),
}

/// What can be compared, EXR by its own reader.
const PICTURES: &str = "EXR, Radiance HDR, PNG, JPEG and TGA";

/// Reads a PNG, JPEG, TGA or Radiance HDR picture.
///
/// # Errors
///
/// A [`Fault`] for whatever is wrong with the file, and for any other kind of file.
pub fn read(path: &Path) -> Result<Raw, Fault> {
    let bytes = std::fs::read(path)?;
    let kind = Kind::of(&path.display().to_string(), &bytes).map_err(|fault| match fault {
        Fault::Unsupported { what, .. } => Fault::Unsupported { what, allowed: PICTURES },
        other => other,
    });
    match kind? {
        Kind::Image(format) => display(&bytes, format),
        Kind::Radiance => light(&bytes),
        other => Err(Fault::Unsupported { what: format!("comparing {} files", other.name()), allowed: PICTURES }),
    }
}

fn display(bytes: &[u8], format: ImageFormat) -> Result<Raw, Fault> {
    let image = ldr::decode(bytes, format)?;
    let channels = image.format.encoding.channels();
    let texels = match image.format.encoding.texel_bytes() / channels {
        1 => Texels::Bytes(image.texels),
        _ => Texels::Shorts(image.texels.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()),
    };
    Ok(Raw { width: image.width, height: image.height, channels, texels })
}

fn light(bytes: &[u8]) -> Result<Raw, Fault> {
    let image = radiance::read(bytes)?;
    let texels = image.texels.iter().flat_map(|texel| [texel[0], texel[1], texel[2]]).collect();
    Ok(Raw { width: image.width, height: image.height, channels: 3, texels: Texels::Floats(texels) })
}
