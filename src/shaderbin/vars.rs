//! VARS: the uber-shader's name, its switches, and one record per compiled variant.
//!
//! Page 003 gives the order of what the blob holds: shader name; switch names with their hashes; then per variant its name, 12
//! bytes, "DefaultOrTerrain", and 1 + N bytes, where byte i + 1 is switch i: 1 on, 0 off, 2 either. It gives no widths of counts and
//! no kind of strings, and says elsewhere that the blob is not read; no other source fills that in. So [`decode`] tries
//! every frame that fits the text, the likeliest first, and takes the first one that ends exactly at the blob's end with no
//! state above 2. Families whose blob holds more (the rural roads' extra name list) close by none.

use super::cursor::{Cursor, put_string};
use super::grub::Blob;
use super::{ReadError, Version};

/// The compiled variants of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The uber-shader's name.
    pub shader: String,
    pub switches: Vec<Switch>,
    pub variants: Vec<Variant>,
    pub frame: Frame,
}

/// A switch of the shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub name: String,
    pub hash: u32,
}

/// A compiled variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub name: String,
    /// Not understood.
    pub bytes: [u8; 12],
    /// "DefaultOrTerrain" in every file that the page read.
    pub scenario: String,
    /// The byte before the states; not understood.
    pub lead: u8,
    /// One a switch: [`OFF`], [`ON`] or [`EITHER`].
    pub states: Vec<u8>,
}

/// The switch must be off.
pub const OFF: u8 = 0;
/// The switch must be on.
pub const ON: u8 = 1;
/// The switch does not matter.
pub const EITHER: u8 = 2;

/// What the page says stands in every variant.
pub const SCENARIO: &str = "DefaultOrTerrain";

/// The version of an older game; newer ones do not say.
pub const VERSION: Version = Version(1, 3);

/// What the sources leave open about the blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Strings have u32 lengths, not LEB128.
    pub long_strings: bool,
    /// Bytes of the number of switches: 4, 2 or 1.
    pub switch_count: u8,
    /// Bytes of the number of variants.
    pub variant_count: u8,
    /// A switch's hash stands before its name.
    pub hash_first: bool,
}

impl Default for Frame {
    fn default() -> Self {
        Self { long_strings: false, switch_count: 4, variant_count: 4, hash_first: false }
    }
}

impl Frame {
    fn all() -> impl Iterator<Item = Self> {
        let widths = [(4, 4), (2, 2), (2, 4), (4, 2), (1, 4), (1, 2), (1, 1), (2, 1), (4, 1)];
        [false, true].into_iter().flat_map(move |long_strings| {
            widths.into_iter().flat_map(move |(switch_count, variant_count)| {
                [false, true].map(|hash_first| Self { long_strings, switch_count, variant_count, hash_first })
            })
        })
    }
}

/// Reads the blob by the first frame that closes.
///
/// # Errors
/// None closes; what stopped the one that read farthest.
pub fn decode(blob: &Blob) -> Result<Variants, ReadError> {
    let mut farthest = ReadError { offset: blob.offset, message: "VARS is not understood".to_owned() };
    for frame in Frame::all() {
        match decode_by(blob, frame) {
            Ok(variants) => return Ok(variants),
            Err(error) if error.offset > farthest.offset => farthest = error,
            Err(_) => {}
        }
    }
    Err(farthest)
}

fn decode_by(blob: &Blob, frame: Frame) -> Result<Variants, ReadError> {
    let mut reader = Reader { cursor: blob.cursor(), frame };
    let shader = reader.name("VARS: the shader's name")?;
    let count = reader.count(frame.switch_count, "VARS: the number of switches")?;
    let mut switches = Vec::with_capacity(reader.cursor.at_most(count, 5));
    for _ in 0..count {
        switches.push(reader.switch()?);
    }
    let count = reader.count(frame.variant_count, "VARS: the number of variants")?;
    let mut variants = Vec::with_capacity(reader.cursor.at_most(count, 15 + switches.len()));
    for _ in 0..count {
        variants.push(reader.variant(switches.len())?);
    }
    reader.cursor.end("VARS' last variant")?;
    Ok(Variants { shader, switches, variants, frame })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    frame: Frame,
}

impl Reader<'_> {
    fn count(&mut self, width: u8, what: &str) -> Result<usize, ReadError> {
        Ok(match width {
            1 => self.cursor.u8(what)?.into(),
            2 => self.cursor.u16(what)?.into(),
            _ => self.cursor.u32(what)? as usize,
        })
    }

    /// A string of printable characters: what is none was read by a wrong frame.
    fn name(&mut self, what: &str) -> Result<String, ReadError> {
        let start = self.cursor.clone();
        let text = match self.frame.long_strings {
            true => {
                let length = self.cursor.u32(what)? as usize;
                self.cursor.text(length, what)?
            }
            false => self.cursor.string(what)?,
        };
        match text.chars().any(char::is_control) {
            true => start.fail(format!("{what} is not printable")),
            false => Ok(text.to_owned()),
        }
    }

    fn switch(&mut self) -> Result<Switch, ReadError> {
        let hash = match self.frame.hash_first {
            true => Some(self.cursor.u32("VARS: a switch's hash")?),
            false => None,
        };
        let name = self.name("VARS: a switch's name")?;
        let hash = hash.map_or_else(|| self.cursor.u32("VARS: a switch's hash"), Ok)?;
        Ok(Switch { name, hash })
    }

    fn variant(&mut self, switches: usize) -> Result<Variant, ReadError> {
        let name = self.name("VARS: a variant's name")?;
        let bytes = self.cursor.array("VARS: a variant")?;
        let scenario = self.name("VARS: a variant's scenario")?;
        let lead = self.cursor.u8("VARS: a variant's states")?;
        let base = self.cursor.offset();
        let states = self.cursor.take(switches, "VARS: a variant's states")?.to_vec();
        match states.iter().position(|state| *state > EITHER) {
            Some(index) => {
                let message = format!("VARS: a switch's state is {}; 0, 1 or 2 is allowed", states[index]);
                Err(ReadError { offset: base + index, message })
            }
            None => Ok(Variant { name, bytes, scenario, lead, states }),
        }
    }
}

impl Variants {
    /// The blob's data, in this value's own frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_name(&mut out, &self.shader);
        put_count(&mut out, self.frame.switch_count, self.switches.len());
        for switch in &self.switches {
            let hash = switch.hash.to_le_bytes();
            if self.frame.hash_first {
                out.extend(hash);
            }
            self.put_name(&mut out, &switch.name);
            if !self.frame.hash_first {
                out.extend(hash);
            }
        }
        put_count(&mut out, self.frame.variant_count, self.variants.len());
        for variant in &self.variants {
            self.put_name(&mut out, &variant.name);
            out.extend(variant.bytes);
            self.put_name(&mut out, &variant.scenario);
            out.push(variant.lead);
            out.extend(&variant.states);
        }
        out
    }

    fn put_name(&self, out: &mut Vec<u8>, name: &str) {
        match self.frame.long_strings {
            true => {
                out.extend((name.len() as u32).to_le_bytes());
                out.extend(name.as_bytes());
            }
            false => put_string(out, name),
        }
    }
}

fn put_count(out: &mut Vec<u8>, width: u8, count: usize) {
    out.extend(&(count as u32).to_le_bytes()[..usize::from(width.min(4))]);
}
