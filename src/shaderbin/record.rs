//! Parameter records: the body of DFPR (a shader's defaults) and MTPR (a material's overrides).
//!
//! A u8 count below version 2.1, else u16; then a record each, without alignment: u8 major, u8 minor (each record has its own
//! version: 3.1, in newer games 3.4), u32 key hash, from 3.1 u8 flag and, where it is 1, u32 flag hash (CRC-32 of the
//! parameter's name in PARM), u8 type, from 3.0 16-byte GUID, value ([`Value`]). MTPR may end in three more words.
//!
//! Sources disagree on some lengths, so a blob is read by one rule after another until it closes exactly; [`Rule`] says which
//! one held. No two rules can both be right for a file that has none of what they differ in.

use std::fmt;

use super::cursor::Cursor;
use super::grub::Blob;
use super::value::{Lengths, Value};
use super::{ReadError, Tag, Version};

/// A parameter with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub version: Version,
    /// The key of a PARM record.
    pub key: u32,
    /// CRC-32 of the parameter's name; `None` where the record is not flagged.
    pub flag_hash: Option<u32>,
    /// Not understood; absent before 3.0.
    pub guid: Option<[u8; 16]>,
    pub value: Value,
}

/// The records of a blob.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    pub records: Vec<Record>,
    /// The last three words of an MTPR: other readers call them parameter, texture and sampler CRC.
    pub trailer: Option<[u32; 3]>,
    pub rule: Rule,
}

/// By which reading a blob closed at its last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(super) lengths: Lengths,
    /// Zero bytes are skipped before records and at the end.
    pub(super) zero_runs: bool,
    /// How many were.
    pub(super) skipped: usize,
}

/// The version that this module writes.
pub const VERSION: Version = Version(2, 1);

/// The rules in the order in which they are tried: the sampler's fourth word from 3.4, then from 3.2; gradients of bytes, then
/// of floats; all that first without and then with zero bytes between records; at last no fourth word at all.
fn rules() -> impl Iterator<Item = Rule> {
    const NEVER: u8 = u8::MAX;
    let orders = [(false, 4), (false, 2), (true, 4), (true, 2), (false, NEVER)];
    orders.into_iter().flat_map(|(zero_runs, long_sampler_from)| {
        [false, true].map(|wide_gradient| Rule {
            lengths: Lengths { long_sampler_from, wide_gradient },
            zero_runs,
            skipped: 0,
        })
    })
}

/// Reads DFPR or MTPR to its last byte.
///
/// # Errors
/// No rule closes the blob; the place that the farthest-reading one stopped at.
pub fn decode(blob: &Blob) -> Result<Records, ReadError> {
    let mut farthest: Option<ReadError> = None;
    for rule in rules() {
        match decode_by(blob, rule) {
            Ok(records) => return Ok(records),
            Err(error) if farthest.as_ref().is_none_or(|best| error.offset > best.offset) => farthest = Some(error),
            Err(_) => {}
        }
    }
    Err(farthest.unwrap_or(ReadError { offset: blob.offset, message: "no rule".to_owned() }))
}

fn decode_by(blob: &Blob, mut rule: Rule) -> Result<Records, ReadError> {
    let mut cursor = blob.cursor();
    let tag = blob.tag;
    let count = match blob.version >= VERSION {
        true => cursor.u16(&format!("{tag}'s count"))?,
        false => cursor.u8(&format!("{tag}'s count"))?.into(),
    };
    let mut records = Vec::with_capacity(cursor.at_most(count.into(), 8));
    for _ in 0..count {
        if rule.zero_runs {
            rule.skipped += cursor.skip_zeros(usize::MAX);
        }
        records.push(Record::read(&mut cursor, rule.lengths)?);
    }
    let trailer_size = if tag == Tag::MTPR && cursor.remaining() >= 12 { 12 } else { 0 };
    if rule.zero_runs {
        rule.skipped += cursor.skip_zeros(cursor.remaining() - trailer_size);
    }
    let trailer = match trailer_size == 12 && cursor.remaining() == 12 {
        true => Some([cursor.u32("MTPR's end")?, cursor.u32("MTPR's end")?, cursor.u32("MTPR's end")?]),
        false => None,
    };
    cursor.end(&format!("{tag}'s {count} records"))?;
    Ok(Records { records, trailer, rule })
}

/// The data of a version 2.1 blob. Flags, GUIDs and tails that a record's own version lacks are left out.
pub fn encode(records: &[Record], trailer: Option<[u32; 3]>) -> Vec<u8> {
    let mut out = (records.len() as u16).to_le_bytes().to_vec();
    records.iter().for_each(|record| record.put(&mut out));
    out.extend(trailer.into_iter().flatten().flat_map(u32::to_le_bytes));
    out
}

impl Record {
    fn read(cursor: &mut Cursor, lengths: Lengths) -> Result<Self, ReadError> {
        let start = cursor.clone();
        let version = cursor.version("a parameter's version")?;
        if !(1..=3).contains(&version.0) {
            return start.fail(format!("a parameter record of version {version}; 1.x to 3.x are known"));
        }
        let key = cursor.u32("a parameter's key hash")?;
        let flag_hash = match version >= Version(3, 1) {
            true => flag(cursor)?,
            false => None,
        };
        let at_kind = cursor.clone();
        let kind = cursor.u8("a parameter's type")?;
        if !matches!(kind, 0..=9 | 11 | 12) {
            return at_kind.fail(format!("a parameter of type {kind}, whose length is not known"));
        }
        let guid = (version >= Version(3, 0)).then(|| cursor.array("a parameter's GUID")).transpose()?;
        let value = Value::read(cursor, kind, version, lengths)?;
        Ok(Self { version, key, flag_hash, guid, value })
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend([self.version.0, self.version.1]);
        out.extend(self.key.to_le_bytes());
        if self.version >= Version(3, 1) {
            out.push(self.flag_hash.is_some().into());
            out.extend(self.flag_hash.iter().flat_map(|hash| hash.to_le_bytes()));
        }
        out.push(self.value.kind());
        if self.version >= Version(3, 0) {
            out.extend(self.guid.unwrap_or_default());
        }
        self.value.put(out);
    }
}

fn flag(cursor: &mut Cursor) -> Result<Option<u32>, ReadError> {
    let start = cursor.clone();
    match cursor.u8("a parameter's flag")? {
        0 => Ok(None),
        1 => cursor.u32("a parameter's flag hash").map(Some),
        other => start.fail(format!("a parameter's flag is {other}; 0 or 1 is allowed")),
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.lengths.long_sampler_from {
            u8::MAX => f.write_str("samplers of 3 words at every version")?,
            from => write!(f, "samplers of 4 words from 3.{from}")?,
        }
        write!(f, ", gradients of {}", if self.lengths.wide_gradient { "floats" } else { "bytes" })?;
        match self.zero_runs {
            true => write!(f, ", {} zero bytes skipped between records", self.skipped),
            false => f.write_str(", no byte skipped"),
        }
    }
}
