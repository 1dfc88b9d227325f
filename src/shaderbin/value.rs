//! The value of a parameter: what DFPR and MTPR records hold, by type.
//!
//! | type | name | bytes (record version 3.x) |
//! | --- | --- | --- |
//! | 0, 1 | vector, colour | 4 × f32 |
//! | 2 | float | f32 |
//! | 3, 4 | bool, int | u32, i32 |
//! | 5, 9, 12 | swizzle, function range, not named | 16 bytes, read as 4 × f32 |
//! | 6 | texture | string path, from 2.0 u32 CRC-32 of the lower-case path |
//! | 7 | sampler | i32 address u, i32 address v, i32 class, from 3.4 one more u32 |
//! | 8 | gradient | u32 n, then n × RGBA as 4 bytes or as 4 × f32: sources disagree |
//! | 11 | vector2 | 2 × f32; at 1.x 8 more bytes |
//!
//! Page 003 names types 4 (int: the permutation switches) and 8 (a gradient); the rest is what other readers agree on, but for
//! the sampler's last word, the gradient's elements and type 12, which rest on one reader each.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::cursor::{Cursor, put_string};
use super::hex::{Bytes, Hash};
use super::{ReadError, Version};

/// A parameter's value. Numbers are kept as the file has them, NaN too.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Vector([f32; 4]),
    /// Linear or not: the file does not say.
    Colour([f32; 4]),
    Float(f32),
    /// 0 or 1 by convention.
    Bool(u32),
    /// Type 4. As a permutation switch 1 is on.
    Int(i32),
    Swizzle([f32; 4]),
    Texture {
        /// As in the game: `Game:\Media\…`.
        path: String,
        /// CRC-32 of the lower-case path; absent before 2.0.
        hash: Option<u32>,
    },
    Sampler {
        /// u, v: 1 wrap, 2 mirror, 3 clamp, 4 border, 5 mirror once.
        address: [i32; 2],
        /// A class of sampler states, not a filter.
        class: i32,
        /// Not understood.
        tail: Option<u32>,
    },
    /// RGBA, a byte each.
    Gradient8(Vec<[u8; 4]>),
    Gradient(Vec<[f32; 4]>),
    FunctionRange([f32; 4]),
    Vector2 {
        value: [f32; 2],
        /// Of record versions 1.x; not understood.
        tail: Option<[u8; 8]>,
    },
    /// Type 12, of newer games.
    Type12([f32; 4]),
}

/// What the sources leave open about the length of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    /// The first minor version of 3.x whose samplers have a fourth word.
    pub long_sampler_from: u8,
    /// A gradient's elements are floats.
    pub wide_gradient: bool,
}

impl Value {
    /// The type's number in the file.
    pub fn kind(&self) -> u8 {
        match self {
            Self::Vector(_) => 0,
            Self::Colour(_) => 1,
            Self::Float(_) => 2,
            Self::Bool(_) => 3,
            Self::Int(_) => 4,
            Self::Swizzle(_) => 5,
            Self::Texture { .. } => 6,
            Self::Sampler { .. } => 7,
            Self::Gradient8(_) | Self::Gradient(_) => 8,
            Self::FunctionRange(_) => 9,
            Self::Vector2 { .. } => 11,
            Self::Type12(_) => 12,
        }
    }

    /// The name of a type's number.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Vector(_) => "vector",
            Self::Colour(_) => "colour",
            Self::Float(_) => "float",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Swizzle(_) => "swizzle",
            Self::Texture { .. } => "texture",
            Self::Sampler { .. } => "sampler",
            Self::Gradient8(_) | Self::Gradient(_) => "gradient",
            Self::FunctionRange(_) => "function range",
            Self::Vector2 { .. } => "vector2",
            Self::Type12(_) => "type 12",
        }
    }

    pub(super) fn read(cursor: &mut Cursor, kind: u8, version: Version, lengths: Lengths) -> Result<Self, ReadError> {
        Ok(match kind {
            0 => Self::Vector(cursor.f32s("a vector")?),
            1 => Self::Colour(cursor.f32s("a colour")?),
            2 => Self::Float(cursor.f32s::<1>("a float")?[0]),
            3 => Self::Bool(cursor.u32("a bool")?),
            4 => Self::Int(cursor.i32("an int")?),
            5 => Self::Swizzle(cursor.f32s("a swizzle")?),
            6 => Self::Texture {
                path: cursor.string("a texture's path")?.to_owned(),
                hash: (version >= Version(2, 0)).then(|| cursor.u32("a texture's path hash")).transpose()?,
            },
            7 => Self::Sampler {
                address: [cursor.i32("a sampler")?, cursor.i32("a sampler")?],
                class: cursor.i32("a sampler")?,
                tail: (version >= Version(3, lengths.long_sampler_from))
                    .then(|| cursor.u32("a sampler's fourth word"))
                    .transpose()?,
            },
            8 => gradient(cursor, lengths.wide_gradient)?,
            9 => Self::FunctionRange(cursor.f32s("a function range")?),
            11 => Self::Vector2 {
                value: cursor.f32s("a vector2")?,
                tail: (version < Version(2, 0)).then(|| cursor.array("a vector2's tail")).transpose()?,
            },
            12 => Self::Type12(cursor.f32s("a value of type 12")?),
            other => return cursor.fail(format!("a parameter of type {other}, whose length is not known")),
        })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Vector(v) | Self::Colour(v) | Self::Swizzle(v) | Self::FunctionRange(v) | Self::Type12(v) => {
                put_floats(out, v);
            }
            Self::Float(value) => put_floats(out, &[*value]),
            Self::Bool(word) => out.extend(word.to_le_bytes()),
            Self::Int(value) => out.extend(value.to_le_bytes()),
            Self::Texture { path, hash } => {
                put_string(out, path);
                out.extend(hash.iter().flat_map(|hash| hash.to_le_bytes()));
            }
            Self::Sampler { address: [u, v], class, tail } => {
                out.extend([u, v, class].into_iter().flat_map(|word| word.to_le_bytes()));
                out.extend(tail.iter().flat_map(|tail| tail.to_le_bytes()));
            }
            Self::Gradient8(colours) => {
                out.extend((colours.len() as u32).to_le_bytes());
                out.extend(colours.as_flattened());
            }
            Self::Gradient(colours) => {
                out.extend((colours.len() as u32).to_le_bytes());
                put_floats(out, colours.as_flattened());
            }
            Self::Vector2 { value, tail } => {
                put_floats(out, value);
                out.extend(tail.iter().flatten());
            }
        }
    }
}

fn gradient(cursor: &mut Cursor, wide: bool) -> Result<Value, ReadError> {
    let start = cursor.clone();
    let count = cursor.u32("a gradient's count")? as usize;
    if count > cursor.remaining() / if wide { 16 } else { 4 } {
        return start.fail(format!("a gradient of {count} colours, but {} bytes are left", cursor.remaining()));
    }
    Ok(match wide {
        true => Value::Gradient((0..count).map(|_| cursor.f32s("a gradient")).collect::<Result<_, _>>()?),
        false => Value::Gradient8((0..count).map(|_| cursor.array("a gradient")).collect::<Result<_, _>>()?),
    })
}

fn put_floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

impl Serialize for Value {
    /// Numbers and vectors plain (what JSON cannot hold, such as NaN, is null), a bool as true or false where it is 1 or 0, a
    /// texture as `{path, path_hash}`, a sampler as `[u, v, class, …]`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Vector(v) | Self::Colour(v) | Self::Swizzle(v) | Self::FunctionRange(v) | Self::Type12(v) => {
                v.serialize(serializer)
            }
            Self::Float(value) => value.serialize(serializer),
            Self::Bool(word @ (0 | 1)) => (*word == 1).serialize(serializer),
            Self::Bool(word) => word.serialize(serializer),
            Self::Int(value) => value.serialize(serializer),
            Self::Texture { path, hash } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("path", path)?;
                map.serialize_entry("path_hash", &hash.map(Hash))?;
                map.end()
            }
            Self::Sampler { address: [u, v], class, tail } => {
                let words = [u, v, class].map(|word| i64::from(*word));
                serializer.collect_seq(words.into_iter().chain(tail.map(i64::from)))
            }
            Self::Gradient8(colours) => colours.serialize(serializer),
            Self::Gradient(colours) => colours.serialize(serializer),
            Self::Vector2 { value, tail } => {
                let mut sequence = serializer.serialize_seq(None)?;
                value.iter().try_for_each(|number| sequence.serialize_element(number))?;
                tail.iter().try_for_each(|tail| sequence.serialize_element(&Bytes(tail)))?;
                sequence.end()
            }
        }
    }
}
