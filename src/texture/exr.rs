//! OpenEXR images, by the `exr` crate: the first part with colour, cropped or padded to its display window.

use std::io::Cursor;

use exr::block::reader::ChunksReader;
use exr::block::{self, BlockIndex, UncompressedBlock};
use exr::meta::attribute::{ChannelDescription, IntegerBounds, SampleType};
use exr::meta::header::Header;
use half::f16;

use super::FloatImage;
use super::error::{Fault, damaged};
use super::guard::check_expansion;

const KIND: &str = "EXR";
const ALLOWED: &str = "flat images with channels R, G, B (and A) or Y";

/// Whether `bytes` begin as an EXR file does.
pub(super) fn is_exr(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x76, 0x2f, 0x31, 0x01])
}

/// The colour of the first part that has some; what the data window leaves open is transparent black.
///
/// # Errors
///
/// Deep, luminance-chroma and subsampled images, files without colour, damaged files and such that promise more texels
/// than their length can hold.
pub(super) fn read(bytes: &[u8]) -> Result<FloatImage, Fault> {
    let reader = block::read(Cursor::new(bytes), false).map_err(broken)?;
    let picture = Picture::choose(reader.headers(), bytes.len())?;
    let [width, height] = picture.size;
    let mut image = FloatImage { width, height, texels: vec![[0.0; 4]; width as usize * height as usize] };
    let header = reader.headers()[picture.part].clone();
    let wanted = |block: BlockIndex| block.layer == picture.part && block.level.0 == 0 && block.level.1 == 0;
    let chunks = reader.filter_chunks(false, |_, _, block| wanted(block)).map_err(broken)?;
    // One thread: a panic of the decoder in a thread of a pool would end the process.
    let mut blocks = chunks.sequential_decompressor(false);
    while let Some(block) = blocks.decompress_next_block() {
        picture.paint(&block.map_err(broken)?, &header, &mut image)?;
    }
    Ok(image)
}

/// Width and height of what [`read`] gives, and a description of the chosen part, from the headers alone.
pub(super) fn describe(bytes: &[u8]) -> Result<([u32; 2], String), Fault> {
    let reader = block::read(Cursor::new(bytes), false).map_err(broken)?;
    let picture = Picture::choose(reader.headers(), bytes.len())?;
    let header = &reader.headers()[picture.part];
    let channels = header.channels.list.iter().map(|channel| format!("{} {:?}", channel.name, channel.sample_type));
    Ok((picture.size, format!("{} ({})", channels.collect::<Vec<_>>().join(", "), header.compression)))
}

fn broken(fault: exr::error::Error) -> Fault {
    match fault {
        // The crate refuses it before the channels' names are known; chroma is what is stored so.
        exr::error::Error::NotSupported(what) if what.contains("subsampling") => {
            unsupported("subsampled channels (luminance-chroma Y, RY, BY)".to_owned())
        }
        exr::error::Error::NotSupported(what) => unsupported(what.into_owned()),
        other => damaged(KIND, other.to_string()),
    }
}

fn unsupported(what: String) -> Fault {
    Fault::Unsupported { what, allowed: ALLOWED }
}

/// Which part and channels to read, and where they go.
struct Picture {
    part: usize,
    /// For each channel of the part, which of R, G, B, A it feeds.
    roles: Vec<Role>,
    has_alpha: bool,
    /// Of the display window.
    size: [u32; 2],
    /// From the data window's corner to the display window's.
    offset: [i64; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Unused,
    Channel(usize),
    /// Y: red, green and blue alike.
    Luminance,
}

impl Picture {
    fn choose(headers: &[Header], length: usize) -> Result<Self, Fault> {
        let flat = || headers.iter().enumerate().filter(|(_, header)| !header.deep);
        if flat().next().is_none() {
            return Err(unsupported("deep data".to_owned()));
        }
        let (part, roles) = [plain_colour, layered_colour, luminance]
            .iter()
            .find_map(|find| flat().find_map(|(part, header)| Some((part, find(&header.channels.list)?))))
            .ok_or_else(|| without_colour(headers))?;
        let header = &headers[part];
        let used = header.channels.list.iter().zip(&roles).filter(|(_, role)| **role != Role::Unused);
        if let Some((channel, _)) = used.into_iter().find(|(channel, _)| channel.sampling.area() != 1) {
            return Err(unsupported(format!("subsampled channel {}", channel.name)));
        }
        let (data, display) = (header.data_window(), header.shared_attributes.display_window);
        let size = sizes(display, length)?;
        sizes(data, length)?;
        let offset = [
            i64::from(data.position.0) - i64::from(display.position.0),
            i64::from(data.position.1) - i64::from(display.position.1),
        ];
        Ok(Self { part, has_alpha: roles.contains(&Role::Channel(3)), roles, size, offset })
    }

    /// Copies a block's lines, as far as the display window shows them.
    fn paint(&self, block: &UncompressedBlock, header: &Header, image: &mut FloatImage) -> Result<(), Fault> {
        for line in block.lines(&header.channels) {
            let (role, channel) = (self.roles[line.location.channel], &header.channels.list[line.location.channel]);
            let y = line.location.position.1 as i64 + self.offset[1];
            if role == Role::Unused || !(0..i64::from(self.size[1])).contains(&y) {
                continue;
            }
            let width = self.size[0] as usize;
            let row = &mut image.texels[y as usize * width..][..width];
            let left = line.location.position.0 as i64 + self.offset[0];
            for (index, value) in values(line.value, channel.sample_type).enumerate() {
                let texel = usize::try_from(left + index as i64).ok().and_then(|x| row.get_mut(x));
                if let Some(texel) = texel {
                    self.set(texel, role, value);
                }
            }
        }
        Ok(())
    }

    fn set(&self, texel: &mut [f32; 4], role: Role, value: f32) {
        match role {
            Role::Unused => {}
            Role::Channel(channel) => texel[channel] = value,
            Role::Luminance => texel[..3].fill(value),
        }
        if !self.has_alpha {
            texel[3] = 1.0;
        }
    }
}

/// A window's size, if a file of `length` bytes may have it.
fn sizes(window: IntegerBounds, length: usize) -> Result<[u32; 2], Fault> {
    let size = [window.size.0, window.size.1].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    // Wavelets shrink a black image without bound. Untouched memory is free, so 2 GiB are let pass whatever the length.
    check_expansion(KIND, size, size_of::<[f32; 4]>(), length.max(2 << 20))?;
    Ok(size)
}

/// Native-endian samples, as the crate hands them out, as floats.
fn values(bytes: &[u8], sample: SampleType) -> impl Iterator<Item = f32> {
    let size = sample.bytes_per_sample();
    bytes.chunks_exact(size).map(move |bytes| match (sample, bytes) {
        (SampleType::F16, [a, b]) => f16::from_ne_bytes([*a, *b]).to_f32(),
        (SampleType::F32, [a, b, c, d]) => f32::from_ne_bytes([*a, *b, *c, *d]),
        (SampleType::U32, [a, b, c, d]) => u32::from_ne_bytes([*a, *b, *c, *d]) as f32,
        _ => 0.0,
    })
}

/// Channels R, G, B and perhaps A.
fn plain_colour(channels: &[ChannelDescription]) -> Option<Vec<Role>> {
    colour_of_layer(channels, "")
}

/// The first layer, in the file's order, that has R, G and B.
fn layered_colour(channels: &[ChannelDescription]) -> Option<Vec<Role>> {
    channels.iter().find_map(|channel| {
        let name = channel.name.to_string();
        colour_of_layer(channels, name.strip_suffix('R').filter(|layer| layer.ends_with('.'))?)
    })
}

/// Channels `<layer>R`, `<layer>G`, `<layer>B` and perhaps `<layer>A`.
fn colour_of_layer(channels: &[ChannelDescription], layer: &str) -> Option<Vec<Role>> {
    let role = |channel: &ChannelDescription| {
        let name = channel.name.to_string();
        let index =
            name.strip_prefix(layer).and_then(|rest| ["R", "G", "B", "A"].iter().position(|name| *name == rest));
        index.map_or(Role::Unused, Role::Channel)
    };
    let roles: Vec<Role> = channels.iter().map(role).collect();
    (0..3).all(|channel| roles.contains(&Role::Channel(channel))).then_some(roles)
}

/// Channel Y without the chroma channels RY and BY; beside an X it is no luminance but a vector's second part.
fn luminance(channels: &[ChannelDescription]) -> Option<Vec<Role>> {
    let role = |channel: &ChannelDescription| match channel.name.to_string().as_str() {
        "Y" => Role::Luminance,
        "A" => Role::Channel(3),
        _ => Role::Unused,
    };
    let roles: Vec<Role> = channels.iter().map(role).collect();
    let vector = channels.iter().any(|channel| channel.name.eq("X"));
    (roles.contains(&Role::Luminance) && !has_chroma(channels) && !vector).then_some(roles)
}

fn has_chroma(channels: &[ChannelDescription]) -> bool {
    channels.iter().any(|channel| ["RY", "BY"].contains(&channel.name.to_string().as_str()))
}

fn without_colour(headers: &[Header]) -> Fault {
    if headers.iter().any(|header| has_chroma(&header.channels.list)) {
        return unsupported("luminance-chroma channels (Y, RY, BY)".to_owned());
    }
    let names = headers.iter().flat_map(|header| &header.channels.list).map(|channel| channel.name.to_string());
    unsupported(format!("channels {}", names.take(16).collect::<Vec<_>>().join(", ")))
}
