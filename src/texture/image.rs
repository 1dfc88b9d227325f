//! PNG, JPEG and TGA files, by the `image` crate.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::error::{Fault, damaged};
use super::format::{Encoding, Format, LUMINANCE, LUMINANCE_ALPHA, Scalar, plain};
use super::guard::check_expansion;

/// A decoded image: rows of texels, packed.
pub(super) struct Decoded {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub texels: Vec<u8>,
}

/// Size and texel format, from the header alone.
pub(super) struct Header {
    pub format: Format,
    pub width: u32,
    pub height: u32,
}

/// As messages name it.
pub(super) fn kind(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        _ => "TGA",
    }
}

/// Reads the header and holds its size against the file's length.
///
/// # Errors
///
/// A header that is damaged, promises too much, or names something that is not read.
pub(super) fn header(bytes: &[u8], format: ImageFormat) -> Result<Header, Fault> {
    opened(bytes, format).map(|(header, _)| header)
}

/// Decodes the image.
///
/// # Errors
///
/// As [`header`], and damaged texels.
pub(super) fn decode(bytes: &[u8], format: ImageFormat) -> Result<Decoded, Fault> {
    let (header, decoder) = opened(bytes, format)?;
    let image = DynamicImage::from_decoder(decoder).map_err(|fault| damaged(kind(format), fault.to_string()))?;
    let little_endian = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let texels = match image {
        DynamicImage::ImageLuma8(image) => image.into_raw(),
        DynamicImage::ImageLumaA8(image) => image.into_raw(),
        DynamicImage::ImageRgb8(image) => image.into_raw(),
        DynamicImage::ImageRgba8(image) => image.into_raw(),
        DynamicImage::ImageLuma16(image) => little_endian(&image),
        DynamicImage::ImageLumaA16(image) => little_endian(&image),
        DynamicImage::ImageRgb16(image) => little_endian(&image),
        DynamicImage::ImageRgba16(image) => little_endian(&image),
        other => return Err(unread(format!("{:?} texels", other.color()))),
    };
    Ok(Decoded { format: header.format, width: header.width, height: header.height, texels })
}

fn opened(bytes: &[u8], format: ImageFormat) -> Result<(Header, impl ImageDecoder), Fault> {
    let kind = kind(format);
    let mut decoder = ImageReader::with_format(Cursor::new(bytes), format)
        .into_decoder()
        .map_err(|fault| damaged(kind, fault.to_string()))?;
    let (width, height) = decoder.dimensions();
    let colour = decoder.color_type();
    let texel_bytes = usize::from(colour.bytes_per_pixel());
    check_expansion(kind, [width, height], texel_bytes, bytes.len())?;
    let mut limits = Limits::no_limits();
    // twice the image: decoders keep rows or planes beside the output
    limits.max_alloc = Some(2 * u64::from(width) * u64::from(height) * texel_bytes as u64 + (16 << 20));
    decoder.set_limits(limits).map_err(|fault| damaged(kind, fault.to_string()))?;
    let format = texel_format(colour).ok_or_else(|| unread(format!("{colour:?} texels")))?;
    Ok((Header { format, width, height }, decoder))
}

fn unread(what: String) -> Fault {
    Fault::Unsupported { what, allowed: "grey, grey + alpha, RGB and RGBA of 8 or 16 bits" }
}

/// What the decoder delivers; palettes and fewer bits come expanded.
fn texel_format(colour: image::ColorType) -> Option<Format> {
    use image::ColorType;
    let of = |name, encoding: Encoding| Some(Format::new(name, encoding, None));
    match colour {
        ColorType::L8 => of("grey 8 bit", plain(Scalar::Unorm8, 1)).map(|format| format.with_swizzle(LUMINANCE)),
        ColorType::La8 => {
            of("grey + alpha 8 bit", plain(Scalar::Unorm8, 2)).map(|format| format.with_swizzle(LUMINANCE_ALPHA))
        }
        ColorType::Rgb8 => of("RGB 8 bit", plain(Scalar::Unorm8, 3)),
        ColorType::Rgba8 => of("RGBA 8 bit", plain(Scalar::Unorm8, 4)),
        ColorType::L16 => of("grey 16 bit", plain(Scalar::Unorm16, 1)).map(|format| format.with_swizzle(LUMINANCE)),
        ColorType::La16 => {
            of("grey + alpha 16 bit", plain(Scalar::Unorm16, 2)).map(|format| format.with_swizzle(LUMINANCE_ALPHA))
        }
        ColorType::Rgb16 => of("RGB 16 bit", plain(Scalar::Unorm16, 3)),
        ColorType::Rgba16 => of("RGBA 16 bit", plain(Scalar::Unorm16, 4)),
        _ => None,
    }
}
