//! PARM: the parameters that a shader declares. Documentation 003.
//!
//! u32 count, then a record each: u32 name hash, string name, u32 key hash, u8 n, n bytes. The name hash is the CRC-32 of
//! the name. The key hash is a key of its own: materials, DFPR and the register maps name a parameter by it. The n bytes
//! are not understood (another reader takes them for a second string) and are kept; versions before 1.2 lack them.

use super::cursor::put_string;
use super::grub::Blob;
use super::{ReadError, Version};

/// A declared parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// CRC-32 of the name, if the file keeps its promise.
    pub name_hash: u32,
    /// By which everything else names the parameter.
    pub key: u32,
    /// Not understood; at most 255 bytes, nearly always none.
    pub tail: Vec<u8>,
}

/// The version that this module writes.
pub const VERSION: Version = Version(1, 2);

/// Reads a PARM blob to its last byte.
///
/// # Errors
/// The first byte that does not fit.
pub fn decode(blob: &Blob) -> Result<Vec<Parameter>, ReadError> {
    let mut cursor = blob.cursor();
    let count = cursor.u32("PARM's count")? as usize;
    let mut parameters = Vec::with_capacity(cursor.at_most(count, 9));
    for _ in 0..count {
        let name_hash = cursor.u32("a PARM name hash")?;
        let name = cursor.string("a PARM name")?.to_owned();
        let key = cursor.u32("a PARM key hash")?;
        let tail = match blob.version >= VERSION {
            true => usize::from(cursor.u8("a PARM tail's length")?),
            false => 0,
        };
        let tail = cursor.take(tail, "a PARM tail")?.to_vec();
        parameters.push(Parameter { name, name_hash, key, tail });
    }
    cursor.end("PARM's last record")?;
    Ok(parameters)
}

/// The blob's data, version 1.2. Tails are cut at 255 bytes.
pub fn encode(parameters: &[Parameter]) -> Vec<u8> {
    let mut out = (parameters.len() as u32).to_le_bytes().to_vec();
    for parameter in parameters {
        let tail = &parameter.tail[..parameter.tail.len().min(255)];
        out.extend(parameter.name_hash.to_le_bytes());
        put_string(&mut out, &parameter.name);
        out.extend(parameter.key.to_le_bytes());
        out.push(tail.len() as u8);
        out.extend(tail);
    }
    out
}
