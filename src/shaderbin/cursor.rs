//! Reads little-endian numbers from bytes; running past the end is an error with its offset.

use super::{ReadError, Version};

/// A place in some bytes of a file.
#[derive(Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Where in the file `bytes` begin.
    base: usize,
}

impl<'a> Cursor<'a> {
    /// Reads `bytes`, which begin at byte `base` of the file.
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, position: 0, base }
    }

    /// Bytes from the start of the file.
    pub fn offset(&self) -> usize {
        self.base + self.position
    }

    /// Bytes that are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// An error that names the present place.
    pub fn fail<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError { offset: self.offset(), message: message.into() })
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], ReadError> {
        let left = &self.bytes[self.position..];
        let Some(bytes) = left.get(..count) else {
            return self.fail(format!("{what} needs {count} bytes, {} are left", left.len()));
        };
        self.position += count;
        Ok(bytes)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ReadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub fn u8(&mut self, what: &str) -> Result<u8, ReadError> {
        self.array(what).map(u8::from_le_bytes)
    }

    pub fn u16(&mut self, what: &str) -> Result<u16, ReadError> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, ReadError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub fn i32(&mut self, what: &str) -> Result<i32, ReadError> {
        self.array(what).map(i32::from_le_bytes)
    }

    pub fn f32s<const N: usize>(&mut self, what: &str) -> Result<[f32; N], ReadError> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = f32::from_le_bytes(self.array(what)?);
        }
        Ok(values)
    }

    /// Major, then minor, a byte each.
    pub fn version(&mut self, what: &str) -> Result<Version, ReadError> {
        self.array(what).map(|[major, minor]| Version(major, minor))
    }

    /// An unsigned LEB128 number of at most 32 bits.
    pub fn leb128(&mut self, what: &str) -> Result<u32, ReadError> {
        let start = self.clone();
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.u8(what)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).or_else(|_| start.fail(format!("{what} is more than 32 bits")));
            }
        }
        start.fail(format!("{what} is more than 5 bytes long"))
    }

    /// A string with its byte length before it as LEB128.
    pub fn string(&mut self, what: &str) -> Result<&'a str, ReadError> {
        let length = self.leb128(what)?;
        self.text(length as usize, what)
    }

    /// A string of `length` bytes.
    pub fn text(&mut self, length: usize, what: &str) -> Result<&'a str, ReadError> {
        let base = self.offset();
        let bytes = self.take(length, what)?;
        std::str::from_utf8(bytes)
            .map_err(|error| ReadError { offset: base + error.valid_up_to(), message: format!("{what} is not UTF-8") })
    }

    /// Skips zero bytes, at most `limit`; how many.
    pub fn skip_zeros(&mut self, limit: usize) -> usize {
        let zeros = self.bytes[self.position..].iter().take(limit).take_while(|byte| **byte == 0).count();
        self.position += zeros;
        zeros
    }

    /// Refuses bytes that nothing accounts for.
    pub fn end(&self, what: &str) -> Result<(), ReadError> {
        match self.remaining() {
            0 => Ok(()),
            left => self.fail(format!("{left} bytes are left over after {what}")),
        }
    }

    /// How many items of at least `size` bytes can be left: what a count of the file may make us reserve.
    pub fn at_most(&self, count: usize, size: usize) -> usize {
        count.min(self.remaining() / size.max(1))
    }
}

/// Appends `value` as unsigned LEB128.
pub fn put_leb128(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a string with its LEB128 length.
pub fn put_string(out: &mut Vec<u8>, text: &str) {
    put_leb128(out, text.len() as u32);
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leb128_reads_what_it_writes_and_refuses_too_long_ones() {
        for value in [0, 1, 127, 128, 300, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            put_leb128(&mut bytes, value);
            assert_eq!(Cursor::new(&bytes, 0).leb128("length"), Ok(value));
        }
        for bytes in [&[0x80, 0x80, 0x80, 0x80, 0x80, 0][..], &[0xff, 0xff, 0xff, 0xff, 0x7f]] {
            assert_eq!(Cursor::new(bytes, 7).leb128("length").unwrap_err().offset, 7);
        }
    }

    #[test]
    fn errors_name_the_byte_of_the_file() {
        let mut cursor = Cursor::new(b"\x03a\xffb", 100);
        assert_eq!(cursor.string("name").unwrap_err().offset, 102);
        let mut cursor = Cursor::new(b"\x09abc", 100);
        assert_eq!(cursor.string("name").unwrap_err().offset, 101);
    }
}
