//! The file itself: `.gltf` or `.glb` → JSON and buffers (glTF 2.0, sections 3.6.1 and 4).

use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Checked, Fault, Warnings, resolve};
use super::json::{self, Root};
use super::uri;

/// A part of a file in memory, shared, never copied.
#[derive(Clone, Debug)]
pub struct Bytes {
    whole: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Bytes {
    pub(super) fn new(whole: Vec<u8>) -> Self {
        Self { range: 0..whole.len(), whole: Arc::new(whole) }
    }

    /// The part `range` of these bytes, where they have it.
    pub(super) fn slice(&self, range: Range<usize>) -> Option<Self> {
        self.get(range.clone())?;
        let start = self.range.start;
        Some(Self { whole: Arc::clone(&self.whole), range: start + range.start..start + range.end })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.whole[self.range.clone()]
    }
}

/// A glTF file's JSON with its buffers, read whole.
#[derive(Debug)]
pub(super) struct Container {
    pub root: Root,
    /// The folder that relative URIs start from.
    pub folder: PathBuf,
    /// One a `buffers` entry, exactly `byteLength` bytes; `None` for a buffer without data (only extensions fill those).
    pub buffers: Vec<Option<Bytes>>,
}

impl Container {
    /// Reads `path` and every buffer it names.
    pub fn open(path: &Path, warnings: &mut Warnings) -> Checked<Self> {
        let file = uri::read_file(path).map_err(|message| {
            // The error names the file already.
            let shown = format!("{}: ", path.display());
            Fault::file(message.strip_prefix(&shown).unwrap_or(&message))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let file = Bytes::new(file);
        let (text, binary) = match file.starts_with(MAGIC) {
            true => split_glb(&file, warnings)?,
            false => (file, None),
        };
        let root = json::parse(decode_text(&text, warnings)?)?;
        let buffers = load_buffers(&root, &folder, binary, warnings)?;
        Ok(Self { root, folder, buffers })
    }

    /// The bytes of a buffer view and its `byteStride`. `pointer` is the place that refers to it.
    pub fn view(&self, index: usize, pointer: impl Fn() -> String) -> Checked<(Bytes, Option<usize>)> {
        let view = resolve(&self.root.buffer_views, index, "bufferView", pointer)?;
        let at = |member: &str| format!("/bufferViews/{index}/{member}");
        resolve(&self.root.buffers, view.buffer, "buffer", || at("buffer"))?;
        let Some(buffer) = &self.buffers[view.buffer] else {
            return Err(Fault::new(at("buffer"), format!("buffer {} has neither a uri nor a BIN chunk", view.buffer)));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.slice(view.byte_offset..end)).ok_or_else(|| {
            let message = format!(
                "byteOffset {} + byteLength {} exceed buffer {} of {} bytes",
                view.byte_offset,
                view.byte_length,
                view.buffer,
                buffer.len()
            );
            Fault::new(at("byteLength"), message)
        })?;
        Ok((bytes, view.byte_stride))
    }
}

const MAGIC: &[u8] = b"glTF";
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The JSON chunk and the BIN chunk, if any.
fn split_glb(file: &Bytes, warnings: &mut Warnings) -> Checked<(Bytes, Option<Bytes>)> {
    let version = word(file, 4)?;
    if version != 2 {
        return Err(Fault::file(format!("byte 4: GLB version {version} is not read; allowed is 2")));
    }
    let length = word(file, 8)? as usize;
    if length > file.len() || length < 12 {
        let message = format!("byte 8: the GLB header states {length} bytes, the file has {}", file.len());
        return Err(Fault::file(message));
    }
    if length < file.len() {
        warnings.add("", format!("{} bytes after the end of the GLB are ignored", file.len() - length));
    }
    let (mut text, mut binary) = (None, None);
    let mut at = 12;
    for index in 0.. {
        if at >= length {
            break;
        }
        let chunk = chunk(file, at, length)?;
        match (index, chunk.kind) {
            (0, JSON) => text = Some(chunk.data.clone()),
            (0, _) => return Err(Fault::file("byte 12: the first chunk of a GLB must be JSON")),
            (1, BIN) => binary = Some(chunk.data.clone()),
            (_, JSON) => return Err(Fault::file(format!("byte {at}: a GLB has one JSON chunk, this is another"))),
            (_, BIN) => {
                return Err(Fault::file(format!("byte {at}: the BIN chunk must be the second, and the only one")));
            }
            _ => {} // Unknown chunks must be ignored.
        }
        if chunk.data.len() % 4 != 0 {
            warnings.add("", format!("byte {at}: the chunk's length {} is not a multiple of 4", chunk.data.len()));
        }
        at += 8 + chunk.data.len();
    }
    let text = text.ok_or_else(|| Fault::file("the GLB has no JSON chunk"))?;
    Ok((text, binary))
}

struct Chunk {
    kind: u32,
    data: Bytes,
}

fn chunk(file: &Bytes, at: usize, end: usize) -> Checked<Chunk> {
    if end - at < 8 {
        return Err(Fault::file(format!("byte {at}: the GLB ends within a chunk header")));
    }
    let (length, kind) = (word(file, at)? as usize, word(file, at + 4)?);
    let data = file
        .slice(at + 8..at + 8 + length)
        .filter(|_| at + 8 + length <= end)
        .ok_or_else(|| Fault::file(format!("byte {at}: a chunk of {length} bytes exceeds the GLB's end at {end}")))?;
    Ok(Chunk { kind, data })
}

fn word(file: &[u8], at: usize) -> Checked<u32> {
    let bytes = file.get(at..).and_then(|rest| rest.first_chunk::<4>());
    bytes.map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(|| Fault::file("the GLB ends within its header"))
}

fn decode_text<'a>(text: &'a [u8], warnings: &mut Warnings) -> Checked<&'a str> {
    let text = match text.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            warnings.add("", "the JSON begins with a byte order mark, which glTF forbids");
            rest
        }
        None => text,
    };
    if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Fault::file("neither a GLB, which begins with \"glTF\", nor glTF JSON, which is an object {…}"));
    }
    std::str::from_utf8(text)
        .map_err(|error| Fault::file(format!("the JSON is not UTF-8: byte {} of it", error.valid_up_to())))
}

fn load_buffers(
    root: &Root,
    folder: &Path,
    binary: Option<Bytes>,
    warnings: &mut Warnings,
) -> Checked<Vec<Option<Bytes>>> {
    let mut buffers = Vec::with_capacity(root.buffers.len());
    for (index, buffer) in root.buffers.iter().enumerate() {
        let at = format!("/buffers/{index}");
        let bytes = match (&buffer.uri, &binary) {
            (Some(text), _) => {
                Some(load_uri(text, folder).map_err(|message| Fault::new(format!("{at}/uri"), message))?)
            }
            (None, Some(binary)) if index == 0 => {
                if binary.len() > buffer.byte_length.saturating_add(3) {
                    let message =
                        format!("byteLength {} is less than the BIN chunk's {}", buffer.byte_length, binary.len());
                    warnings.add(&at, message);
                }
                Some(binary.clone())
            }
            (None, _) => None,
        };
        buffers.push(bytes.map(|bytes| fit(&bytes, buffer.byte_length, &at)).transpose()?);
    }
    Ok(buffers)
}

fn load_uri(text: &str, folder: &Path) -> Result<Bytes, String> {
    match uri::open(text, folder)? {
        uri::Target::Data(bytes) => Ok(Bytes::new(bytes)),
        uri::Target::File(path) => uri::read_file(&path).map(Bytes::new),
    }
}

/// The stated part of what was found: more is padding, less is a fault.
fn fit(bytes: &Bytes, length: usize, pointer: &str) -> Checked<Bytes> {
    bytes.slice(0..length).ok_or_else(|| {
        let message = format!("{length} bytes are stated, {} are there", bytes.len());
        Fault::new(format!("{pointer}/byteLength"), message)
    })
}
