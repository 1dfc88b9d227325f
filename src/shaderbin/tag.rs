//! Four-character tags and versions of bundles, blobs and metadata.

use std::fmt;

use serde::{Serialize, Serializer};

/// A four-character tag. Files hold it as a little-endian number, so its letters stand there backwards: `PARM` is "MRAP".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

impl Tag {
    /// The container itself.
    pub const GRUB: Self = Self::new(b"Grub");
    /// Material parameters that a shader declares.
    pub const PARM: Self = Self::new(b"PARM");
    /// Default values of a shader's parameters.
    pub const DFPR: Self = Self::new(b"DFPR");
    /// Compiled variants and their switches.
    pub const VARS: Self = Self::new(b"VARS");
    /// Parameter → byte of the constant buffer.
    pub const CBMP: Self = Self::new(b"CBMP");
    /// Parameter → texture slot.
    pub const TXMP: Self = Self::new(b"TXMP");
    /// Parameter → sampler register.
    pub const SPMP: Self = Self::new(b"SPMP");
    /// Size of the constant buffer.
    pub const CBEX: Self = Self::new(b"CBEX");
    /// The shader that a material uses.
    pub const MATL: Self = Self::new(b"MATL");
    /// The material that a material instance overrides.
    pub const MATI: Self = Self::new(b"MATI");
    /// The values that a material overrides.
    pub const MTPR: Self = Self::new(b"MTPR");
    /// A model's material slot: a nested bundle. Case counts: it is not [`Tag::MATI`].
    pub const MODEL_MATERIAL: Self = Self::new(b"MatI");

    /// The tag that is written `text`.
    pub const fn new(text: &[u8; 4]) -> Self {
        Self(u32::from_be_bytes(*text))
    }
}

impl fmt::Display for Tag {
    /// Its four letters, or a hex number where they are not printable.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = self.0.to_be_bytes();
        match std::str::from_utf8(&letters) {
            Ok(text) if letters.iter().all(|letter| (b' '..=b'~').contains(letter)) => f.write_str(text),
            _ => write!(f, "0x{:08x}", self.0),
        }
    }
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A version, ordered by major, then minor. In JSON: `[major, minor]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Version(pub u8, pub u8);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_stand_backwards_in_a_file_and_print_forwards() {
        assert_eq!(Tag::PARM.0.to_le_bytes(), *b"MRAP");
        assert_eq!(Tag::GRUB.0, 0x4772_7562);
        assert_eq!(Tag::new(b"Id  ").to_string(), "Id  ");
        assert_eq!(Tag(0x0102_0304).to_string(), "0x01020304");
    }

    #[test]
    fn versions_compare_as_pairs() {
        assert!(Version(3, 1) > Version(2, 9) && Version(3, 4) > Version(3, 1));
    }
}
