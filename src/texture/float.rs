//! Images as plain floats, for skies.

use std::path::Path;

use super::error::TextureError;
use super::file::{self, Kind};
use super::{Transfer, exr, radiance, sample};

/// Linear RGBA texels, rows downward from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatImage {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<[f32; 4]>,
}

/// Reads an image of any kind. EXR is cropped or padded to its display window, Radiance pictures are turned upright and
/// freed of their exposure; of other kinds level 0 is decoded, by sRGB where the file does not say.
///
/// # Errors
///
/// A [`TextureError`] for whatever is wrong with the file.
pub fn read(path: &Path) -> Result<FloatImage, TextureError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|fault| super::Fault::Io(fault).of(&name))?;
    decode(&name, &bytes).map_err(|fault| fault.of(name))
}

fn decode(name: &str, bytes: &[u8]) -> Result<FloatImage, super::Fault> {
    match Kind::of(name, bytes)? {
        Kind::Exr => return exr::read(bytes),
        Kind::Radiance => return radiance::read(bytes),
        _ => {}
    }
    let texture = file::load(name, bytes, None, Some(Transfer::Srgb))?.texture;
    let [width, height] = texture.size();
    let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let texels = texels.map(|(x, y)| sample::texel(&texture, x, y).to_array()).collect();
    Ok(FloatImage { width, height, texels })
}
