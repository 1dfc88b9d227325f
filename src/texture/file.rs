//! One file of any kind → a texture, and whose colour space it got.

use std::path::Path;

use image::ImageFormat;

use super::dds::{self, Container};
use super::error::{Fault, damaged};
use super::format::{Format, Scalar, plain};
use super::{FloatImage, Texture, Transfer, decode, exr, image as ldr, ktx2, radiance};

/// The kinds of file that are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Dds,
    Ktx2,
    Exr,
    Radiance,
    /// PNG, JPEG or TGA.
    Image(ImageFormat),
}

const ALLOWED: &str = "DDS, KTX2, PNG, JPEG, TGA, EXR and Radiance HDR";

impl Kind {
    /// The kind of `bytes` by their signature; TGA has none and goes by the name's ending.
    ///
    /// # Errors
    ///
    /// Bytes that begin like no kind.
    pub fn of(name: &str, bytes: &[u8]) -> Result<Self, Fault> {
        let tga = Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tga"));
        match bytes {
            _ if dds::is_dds(bytes) => Ok(Self::Dds),
            _ if ktx2::is_ktx2(bytes) => Ok(Self::Ktx2),
            _ if exr::is_exr(bytes) => Ok(Self::Exr),
            _ if radiance::is_radiance(bytes) => Ok(Self::Radiance),
            [0x89, b'P', b'N', b'G', ..] => Ok(Self::Image(ImageFormat::Png)),
            [0xff, 0xd8, 0xff, ..] => Ok(Self::Image(ImageFormat::Jpeg)),
            _ if tga => Ok(Self::Image(ImageFormat::Tga)),
            [] => Err(damaged("image", "it is empty")),
            _ => Err(Fault::Unsupported { what: "an unknown kind of file".to_owned(), allowed: ALLOWED }),
        }
    }

    /// As messages and `inspect` name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dds => "DDS",
            Self::Ktx2 => "KTX2",
            Self::Exr => "EXR",
            Self::Radiance => "Radiance HDR",
            Self::Image(format) => ldr::kind(format),
        }
    }
}

/// A decoded file.
pub(super) struct Loaded {
    pub texture: Texture,
    /// The file's own colour space where the request overrode it.
    pub overridden: Option<Transfer>,
}

/// Decodes `bytes`. `requested` wins over the file's flag; `fallback` serves files that carry none.
///
/// # Errors
///
/// Whatever is wrong with the file; no colour space from anywhere.
pub(super) fn load(
    name: &str,
    bytes: &[u8],
    requested: Option<Transfer>,
    fallback: Option<Transfer>,
) -> Result<Loaded, Fault> {
    let kind = Kind::of(name, bytes)?;
    let resolve = |flag: Option<Transfer>| {
        let transfer = requested.or(flag).or(fallback).ok_or(Fault::ColourSpaceMissing(without_flag(kind)))?;
        Ok::<_, Fault>((transfer, flag.filter(|flag| *flag != transfer)))
    };
    let from_container = |container: Container| {
        let (transfer, overridden) = resolve(container.format.transfer)?;
        Ok(Loaded { texture: decode::texture(&container, transfer)?, overridden })
    };
    match kind {
        Kind::Dds => from_container(dds::parse(bytes)?),
        Kind::Ktx2 => from_container(ktx2::parse(bytes)?),
        Kind::Image(format) => {
            let image = ldr::decode(bytes, format)?;
            from_container(Container::single(kind.name(), image.format, [image.width, image.height], &image.texels))
        }
        Kind::Exr | Kind::Radiance => {
            let (transfer, overridden) = resolve(Some(Transfer::Linear))?;
            let image = if kind == Kind::Exr { exr::read(bytes)? } else { radiance::read(bytes)? };
            Ok(Loaded { texture: from_floats(&image, transfer)?, overridden })
        }
    }
}

/// How the message calls a kind that carries no colour space.
fn without_flag(kind: Kind) -> &'static str {
    match kind {
        Kind::Dds => "DX9 DDS",
        kind => kind.name(),
    }
}

/// A texture of floats: halves where they hold every value exactly.
fn from_floats(image: &FloatImage, transfer: Transfer) -> Result<Texture, Fault> {
    let lossless = |value: &f32| value.is_nan() || half::f16::from_f32(*value).to_f32() == *value;
    let (scalar, texels): (_, Vec<u8>) = match image.texels.as_flattened().iter().all(lossless) {
        true => (Scalar::Half, bytes_of(image, |value| half::f16::from_f32(value).to_le_bytes())),
        false => (Scalar::Float, bytes_of(image, f32::to_le_bytes)),
    };
    let format = Format::new("RGBA float", plain(scalar, 4), Some(Transfer::Linear));
    decode::texture(&Container::single("float image", format, [image.width, image.height], &texels), transfer)
}

fn bytes_of<const N: usize>(image: &FloatImage, encode: impl Fn(f32) -> [u8; N]) -> Vec<u8> {
    image.texels.as_flattened().iter().flat_map(|value| encode(*value)).collect()
}
