//! CBMP, TXMP and SPMP: where a parameter's value lies; CBEX: how large the constant buffer is. Documentation 003.
//!
//! Version 3.1: u16 count, then 22 bytes an entry: u32 key hash, u16 value, 16-byte GUID. Older versions, by other readers:
//! the count is a u8 below 3.1, there is no GUID below 3.0, and below 2.0 an entry is a string name and a u8 value.
//! At 1.0 CBMP counts 16-byte registers instead of bytes.

use super::cursor::Cursor;
use super::grub::Blob;
use super::{ReadError, Tag, Version};

/// Which parameter an entry is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// The key of a PARM record.
    Key(u32),
    /// Its name, before version 2.0.
    Name(String),
}

/// Where a parameter's value lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: Id,
    /// CBMP: bytes; TXMP: texture slot, from 16 up; SPMP: sampler register.
    pub value: u16,
    /// Not understood.
    pub guid: Option<[u8; 16]>,
}

/// The version that this module writes.
pub const VERSION: Version = Version(3, 1);

/// Reads a CBMP, TXMP or SPMP blob to its last byte.
///
/// # Errors
/// The first byte that does not fit.
pub fn decode(blob: &Blob) -> Result<Vec<Entry>, ReadError> {
    let mut cursor = blob.cursor();
    let tag = blob.tag;
    let count = match blob.version >= VERSION {
        true => cursor.u16(&format!("{tag}'s count"))?,
        false => u16::from(cursor.u8(&format!("{tag}'s count"))?),
    };
    let mut entries = Vec::with_capacity(cursor.at_most(count.into(), 2));
    for _ in 0..count {
        let mut entry = Entry::read(&mut cursor, blob.version)?;
        if tag == Tag::CBMP && blob.version <= Version(1, 0) {
            entry.value *= 16;
        }
        entries.push(entry);
    }
    cursor.end(&format!("{tag}'s last entry"))?;
    Ok(entries)
}

impl Entry {
    fn read(cursor: &mut Cursor, version: Version) -> Result<Self, ReadError> {
        if version < Version(2, 0) {
            let id = Id::Name(cursor.string("an entry's name")?.to_owned());
            return Ok(Self { id, value: cursor.u8("an entry's value")?.into(), guid: None });
        }
        let id = Id::Key(cursor.u32("an entry's key hash")?);
        let value = cursor.u16("an entry's value")?;
        let guid = (version >= Version(3, 0)).then(|| cursor.array("an entry's GUID")).transpose()?;
        Ok(Self { id, value, guid })
    }
}

/// The data of a version 3.1 blob; an entry without a GUID gets a zero one, one with a name its hash.
pub fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut out = (entries.len() as u16).to_le_bytes().to_vec();
    for entry in entries {
        let key = match &entry.id {
            Id::Key(key) => *key,
            Id::Name(name) => super::name_hash(name),
        };
        out.extend(key.to_le_bytes());
        out.extend(entry.value.to_le_bytes());
        out.extend(entry.guid.unwrap_or_default());
    }
    out
}

/// Reads CBEX: one u16, the bytes of the material constant buffer.
///
/// # Errors
/// The blob is not 2 bytes.
pub fn decode_size(blob: &Blob) -> Result<u16, ReadError> {
    let mut cursor = blob.cursor();
    let size = cursor.u16("CBEX")?;
    cursor.end("CBEX's u16")?;
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::super::cursor::put_string;
    use super::*;

    #[test]
    fn older_versions_lack_guids_and_then_keys() {
        let entry =
            |version: Version, data: Vec<u8>| decode(&Blob::new(Tag::CBMP, version, data)).map(|all| all[0].clone());
        let v2 = entry(Version(2, 0), vec![1, 4, 3, 2, 1, 9, 0]).unwrap();
        assert_eq!(v2, Entry { id: Id::Key(0x0102_0304), value: 9, guid: None });
        let mut v3 = vec![1, 4, 3, 2, 1, 9, 0];
        v3.extend([7; 16]);
        assert_eq!(entry(Version(3, 0), v3).unwrap().guid, Some([7; 16]));
        let mut named = vec![1];
        put_string(&mut named, "Hue");
        named.push(3);
        assert_eq!(entry(Version(1, 1), named.clone()).unwrap().value, 3);
        assert_eq!(entry(Version(1, 0), named).unwrap(), Entry { id: Id::Name("Hue".into()), value: 48, guid: None });
    }

    #[test]
    fn a_byte_too_many_is_refused_where_it_stands() {
        let mut data = encode(&[Entry { id: Id::Key(1), value: 2, guid: None }]);
        data.push(0);
        let blob = Blob { offset: 1000, ..Blob::new(Tag::TXMP, VERSION, data) };
        assert_eq!(decode(&blob).unwrap_err().offset, 1024);
        assert_eq!(decode_size(&Blob::new(Tag::CBEX, Version(1, 0), vec![1, 2, 3])).unwrap_err().offset, 2);
    }
}
