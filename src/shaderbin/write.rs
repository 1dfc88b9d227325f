//! Bundle → bytes, in the order that public writers use: headers, metadata, padding, data.

use super::grub::{BLOB_HEADER, Blob, BlobLayout, Bundle, Layout, Metadata, RECORD, header_bytes};
use super::{Tag, Version};

/// Why a bundle that was built cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error("bundle version {0}: 1.x can be written")]
    Version(Version),
    #[error("{0} blobs: a 1.0 bundle holds at most 65,535")]
    Blobs(usize),
    #[error("blob {0}: metadata {1}: at most 4,095 bytes and version 15, {2} bytes and version {3} given")]
    Metadata(Tag, Tag, usize, u8),
    #[error("blob {0}: its metadata do not fit 16-bit counts and offsets")]
    MetadataOffset(Tag),
    #[error("the bundle is over 4 GiB")]
    Size,
}

impl Bundle {
    /// The bytes of the file. A bundle that was read, and whose blobs kept their sizes, keeps its layout and so its bytes;
    /// any other gets the usual one.
    ///
    /// # Errors
    /// A number does not fit its field.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        match &self.layout {
            Some(layout) if layout.fits(self) => Ok(self.place(layout)),
            _ => Ok(self.place(&self.usual_layout()?)),
        }
    }

    fn check(&self) -> Result<(), WriteError> {
        if self.version.0 != 1 {
            return Err(WriteError::Version(self.version));
        }
        if self.version < Version(1, 1) && self.blobs.len() > usize::from(u16::MAX) {
            return Err(WriteError::Blobs(self.blobs.len()));
        }
        for blob in &self.blobs {
            if blob.metadata.len() > usize::from(u16::MAX) {
                return Err(WriteError::MetadataOffset(blob.tag));
            }
            if let Some(note) = blob.metadata.iter().find(|note| note.data.len() > 0xfff || note.version > 15) {
                return Err(WriteError::Metadata(blob.tag, note.tag, note.data.len(), note.version));
            }
        }
        Ok(())
    }

    fn usual_layout(&self) -> Result<Layout, WriteError> {
        let word = |value: usize| u32::try_from(value).map_err(|_| WriteError::Size);
        let mut position = header_bytes(self.version) + self.blobs.len() * BLOB_HEADER;
        let mut blobs = Vec::with_capacity(self.blobs.len());
        for blob in &self.blobs {
            let metadata_offset = word(position)?;
            let metadata = relative_offsets(blob)?;
            position += metadata.iter().map(|(_, size)| RECORD + size).sum::<usize>();
            blobs.push(BlobLayout { metadata_offset, data_offset: 0, data_size: blob.data.len(), metadata });
        }
        position = position.next_multiple_of(4);
        let header_size = word(position)?;
        for blob in &mut blobs {
            blob.data_offset = word(position)?;
            position += blob.data_size.next_multiple_of(4);
        }
        let total_size = word(position)?;
        Ok(Layout { version: self.version, header_size, total_size, size: position, blobs, gaps: Vec::new() })
    }

    fn place(&self, layout: &Layout) -> Vec<u8> {
        let mut out = vec![0; layout.size];
        self.put_header(&mut out, layout);
        for (index, (blob, at)) in self.blobs.iter().zip(&layout.blobs).enumerate() {
            blob.put_header(&mut out, header_bytes(self.version) + index * BLOB_HEADER, at);
            blob.put_metadata(&mut out, at);
            if !blob.data.is_empty() {
                put(&mut out, at.data_offset as usize, &blob.data);
            }
        }
        layout.gaps.iter().for_each(|gap| put(&mut out, gap.offset, &gap.bytes));
        out
    }

    fn put_header(&self, out: &mut [u8], layout: &Layout) {
        put(out, 0, &Tag::GRUB.0.to_le_bytes());
        put(out, 4, &[self.version.0, self.version.1]);
        put(out, 8, &layout.header_size.to_le_bytes());
        put(out, 12, &layout.total_size.to_le_bytes());
        match self.version >= Version(1, 1) {
            true => {
                put(out, 6, &self.reserved.to_le_bytes());
                put(out, 16, &(self.blobs.len() as u32).to_le_bytes());
            }
            false => put(out, 6, &(self.blobs.len() as u16).to_le_bytes()),
        }
    }
}

impl Blob {
    fn put_header(&self, out: &mut [u8], offset: usize, at: &BlobLayout) {
        let size = self.data.len() as u32;
        put(out, offset, &self.tag.0.to_le_bytes());
        put(out, offset + 4, &[self.version.0, self.version.1]);
        put(out, offset + 6, &(self.metadata.len() as u16).to_le_bytes());
        for (word, value) in [at.metadata_offset, at.data_offset, size, size].into_iter().enumerate() {
            put(out, offset + 8 + word * 4, &value.to_le_bytes());
        }
    }

    fn put_metadata(&self, out: &mut [u8], at: &BlobLayout) {
        for (index, (note, (relative, size))) in self.metadata.iter().zip(&at.metadata).enumerate() {
            let record = at.metadata_offset as usize + index * RECORD;
            put(out, record, &note.tag.0.to_le_bytes());
            put(out, record + 4, &((*size as u16) << 4 | u16::from(note.version)).to_le_bytes());
            put(out, record + 6, &relative.to_le_bytes());
            if *size > 0 {
                put(out, record + usize::from(*relative), &note.data);
            }
        }
    }
}

fn put(out: &mut [u8], offset: usize, bytes: &[u8]) {
    out[offset..offset + bytes.len()].copy_from_slice(bytes);
}

impl Layout {
    /// Whether every piece of `bundle` has the size that it had when this layout was read.
    fn fits(&self, bundle: &Bundle) -> bool {
        let same = |blob: &Blob, at: &BlobLayout| {
            let sizes = blob.metadata.iter().map(|note| note.data.len());
            blob.data.len() == at.data_size && sizes.eq(at.metadata.iter().map(|(_, size)| *size))
        };
        self.version == bundle.version
            && self.blobs.len() == bundle.blobs.len()
            && bundle.blobs.iter().zip(&self.blobs).all(|(blob, at)| same(blob, at))
    }
}

/// Each metadata record's data, counted from the record; all records come first.
fn relative_offsets(blob: &Blob) -> Result<Vec<(u16, usize)>, WriteError> {
    let mut data = blob.metadata.len() * RECORD;
    let place = |(index, note): (usize, &Metadata)| {
        let relative = u16::try_from(data - index * RECORD).map_err(|_| WriteError::MetadataOffset(blob.tag))?;
        data += note.data.len();
        Ok((relative, note.data.len()))
    };
    blob.metadata.iter().enumerate().map(place).collect()
}
