//! The Grub bundle: a container of tagged blobs, each with metadata.
//!
//! | bytes | file header |
//! | --- | --- |
//! | 0x00 | tag `Grub` |
//! | 0x04 | version, major and minor |
//! | 0x06 | u16: v1.0 the number of blobs; v1.1 reserved, 0 |
//! | 0x08 | u32 header size: up to the first byte of data |
//! | 0x0C | u32 total size with the last padding |
//! | 0x10 | v1.1 only: u32 number of blobs |
//!
//! Then a 24-byte header a blob: tag, version, u16 metadata count, u32 metadata offset, u32 data offset, u32 length twice
//! (compressed and not; no compressed blob is known, so two lengths that differ are refused). A metadata record is tag, u16
//! (low 4 bits version, high 12 bits size), u16 data offset from the record's own first byte. Offsets count from the start
//! of the bundle; a blob may be a whole bundle itself. Data begin at multiples of 4 after zero bytes.
//!
//! The two size words of v1.0 are skipped by most readers: they are kept, but not relied upon.

use super::cursor::Cursor;
use super::{ReadError, Tag, Version};

/// A bundle. What was read from a file writes the same bytes again ([`Bundle::to_bytes`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    pub version: Version,
    /// The u16 at 6 of a v1.1 header.
    pub reserved: u16,
    pub blobs: Vec<Blob>,
    /// Where everything stood in the file; `None` for a bundle that was built.
    pub layout: Option<Layout>,
}

/// A tagged piece of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    pub tag: Tag,
    pub version: Version,
    pub metadata: Vec<Metadata>,
    pub data: Vec<u8>,
    /// Of the data, in bytes from the start of the file; 0 in a bundle that was built.
    pub offset: usize,
}

/// A short note on a blob, such as its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    pub tag: Tag,
    /// 0..=15.
    pub version: u8,
    /// At most 4,095 bytes.
    pub data: Vec<u8>,
}

/// Where a file keeps its pieces: the order is not the format's business, so it is remembered. Offsets from the bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) version: Version,
    /// As the header says.
    pub(super) header_size: u32,
    /// As the header says.
    pub(super) total_size: u32,
    /// The bundle's true size.
    pub(super) size: usize,
    pub(super) blobs: Vec<BlobLayout>,
    /// Bytes that no header accounts for, other than zero bytes before a multiple of 4.
    pub(super) gaps: Vec<Gap>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlobLayout {
    pub metadata_offset: u32,
    pub data_offset: u32,
    pub data_size: usize,
    /// Offset from the record and size of each metadata record's data.
    pub metadata: Vec<(u16, usize)>,
}

/// Bytes that nothing accounts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// From the start of the bundle.
    pub(super) offset: usize,
    pub(super) bytes: Vec<u8>,
}

/// Bytes of a blob's header.
pub(super) const BLOB_HEADER: usize = 24;
/// Bytes of a metadata record.
pub(super) const RECORD: usize = 8;

/// Bytes of the file's header.
pub(super) fn header_bytes(version: Version) -> usize {
    if version >= Version(1, 1) { 20 } else { 16 }
}

impl Bundle {
    /// An empty bundle of the version that newer games write.
    pub fn new() -> Self {
        Self { version: Version(1, 1), reserved: 0, blobs: Vec::new(), layout: None }
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// The first place that breaks the format.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read_at(bytes, 0)
    }

    /// Reads a bundle that stands at byte `base` of a file.
    pub(super) fn read_at(bytes: &[u8], base: usize) -> Result<Self, ReadError> {
        let (header, blobs) = headers(bytes, base)?;
        let at = |offset: usize| base + offset;
        let mut spans = vec![Span { start: 0, end: header.end, what: "the headers" }];
        for blob in &blobs {
            spans.push(blob.metadata_table(bytes.len()).map_err(|error| error.moved(base))?);
            spans.push(blob.data(bytes.len()).map_err(|error| error.moved(base))?);
        }
        // Before anything is reserved by what tables say: tables that overlap could claim the same bytes many times.
        refuse_overlap(&mut spans, base)?;
        let mut records = Vec::with_capacity(blobs.len());
        for blob in &blobs {
            let table = blob.metadata_records(bytes, base)?;
            spans.extend(table.iter().map(|record| Span {
                start: record.start,
                end: record.start + record.size,
                what: "metadata",
            }));
            records.push(table);
        }
        refuse_overlap(&mut spans, base)?;
        let layout = Layout {
            version: header.version,
            header_size: header.header_size,
            total_size: header.total_size,
            size: bytes.len(),
            blobs: blobs.iter().zip(&records).map(|(blob, records)| blob.layout(records)).collect(),
            gaps: gaps(&spans, bytes),
        };
        let blobs = blobs.iter().zip(records).map(|(blob, records)| Blob {
            tag: blob.tag,
            version: blob.version,
            metadata: records.iter().map(|record| record.metadata(bytes)).collect(),
            // Where nothing stands the offset may be anything.
            data: bytes.get(blob.data_offset as usize..).map_or(&[][..], |rest| &rest[..blob.size as usize]).to_vec(),
            offset: at(blob.data_offset as usize),
        });
        let blobs = blobs.collect();
        Ok(Self { version: header.version, reserved: header.reserved, blobs, layout: Some(layout) })
    }

    /// The blobs with that tag.
    pub fn all(&self, tag: Tag) -> impl Iterator<Item = &Blob> {
        self.blobs.iter().filter(move |blob| blob.tag == tag)
    }

    /// The only blob with that tag.
    ///
    /// # Errors
    /// There are two.
    pub fn one(&self, tag: Tag) -> Result<Option<&Blob>, ReadError> {
        let mut blobs = self.all(tag);
        let first = blobs.next();
        match blobs.next() {
            None => Ok(first),
            Some(second) => Err(ReadError { offset: second.offset, message: format!("a second {tag} blob") }),
        }
    }
}

impl Default for Bundle {
    fn default() -> Self {
        Self::new()
    }
}

impl Blob {
    /// A blob without metadata.
    pub fn new(tag: Tag, version: Version, data: Vec<u8>) -> Self {
        Self { tag, version, metadata: Vec::new(), data, offset: 0 }
    }

    /// The bundle that the blob's data are, if they begin like one.
    pub fn nested(&self) -> Option<Result<Bundle, ReadError>> {
        self.data.starts_with(&Tag::GRUB.0.to_le_bytes()).then(|| Bundle::read_at(&self.data, self.offset))
    }

    /// The metadata of that tag.
    pub fn note(&self, tag: Tag) -> Option<&Metadata> {
        self.metadata.iter().find(|note| note.tag == tag)
    }

    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor::new(&self.data, self.offset)
    }
}

struct Header {
    version: Version,
    reserved: u16,
    header_size: u32,
    total_size: u32,
    /// Of all headers.
    end: usize,
}

/// A blob's header as it stands in the file.
struct BlobHeader {
    /// Of the header itself.
    at: usize,
    tag: Tag,
    version: Version,
    metadata_count: u16,
    metadata_offset: u32,
    data_offset: u32,
    size: u32,
}

/// A metadata record, its data found.
struct Record {
    tag: Tag,
    version: u8,
    relative: u16,
    start: usize,
    size: usize,
}

/// Bytes of a bundle that one thing owns.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    what: &'static str,
}

impl ReadError {
    fn moved(self, base: usize) -> Self {
        Self { offset: self.offset + base, ..self }
    }
}

fn headers(bytes: &[u8], base: usize) -> Result<(Header, Vec<BlobHeader>), ReadError> {
    let mut cursor = Cursor::new(bytes, base);
    let start = cursor.clone();
    let tag = Tag(cursor.u32("the bundle's tag")?);
    if tag != Tag::GRUB {
        return start.fail(format!("no Grub bundle: its tag is {tag}"));
    }
    let at_version = cursor.clone();
    let version = cursor.version("the bundle's version")?;
    if version.0 != 1 {
        return at_version.fail(format!("bundle version {version}; 1.x is known"));
    }
    let short = cursor.u16("the bundle's header")?;
    let (header_size, total_size) = (cursor.u32("the header size")?, cursor.u32("the total size")?);
    let at_count = cursor.clone();
    let (count, reserved) = match version >= Version(1, 1) {
        true => (cursor.u32("the number of blobs")? as usize, short),
        false => (usize::from(short), 0),
    };
    if count > cursor.remaining() / BLOB_HEADER {
        return at_count
            .fail(format!("{count} blobs need more bytes than the file has ({} are left)", cursor.remaining()));
    }
    let blobs = (0..count).map(|_| BlobHeader::read(&mut cursor, base)).collect::<Result<Vec<_>, _>>()?;
    let header = Header { version, reserved, header_size, total_size, end: cursor.offset() - base };
    if version >= Version(1, 1) {
        header.check_sizes(bytes.len()).map_err(|error| error.moved(base))?;
    }
    Ok((header, blobs))
}

impl Header {
    fn check_sizes(&self, size: usize) -> Result<(), ReadError> {
        let (header_size, total) = (self.header_size as usize, self.total_size as usize);
        let fail = |offset, message| Err(ReadError { offset, message });
        match total.cmp(&size) {
            std::cmp::Ordering::Greater => fail(size, format!("the bundle ends here; its header says {total} bytes")),
            std::cmp::Ordering::Less => fail(total, format!("{} bytes stand after the bundle's end", size - total)),
            std::cmp::Ordering::Equal if header_size < self.end || header_size > total => {
                let allowed = format!("{}…{total}", self.end);
                fail(8, format!("the header size is {header_size}; allowed here: {allowed}"))
            }
            std::cmp::Ordering::Equal => Ok(()),
        }
    }
}

impl BlobHeader {
    fn read(cursor: &mut Cursor, base: usize) -> Result<Self, ReadError> {
        let at = cursor.offset() - base;
        let tag = Tag(cursor.u32("a blob's tag")?);
        let version = cursor.version("a blob's version")?;
        let metadata_count = cursor.u16("a blob's metadata count")?;
        let metadata_offset = cursor.u32("a blob's metadata offset")?;
        let data_offset = cursor.u32("a blob's data offset")?;
        let lengths = cursor.clone();
        let (compressed, size) = (cursor.u32("a blob's length")?, cursor.u32("a blob's length")?);
        if compressed != size {
            return lengths
                .fail(format!("blob {tag}: its lengths {compressed} and {size} differ; no compression is known"));
        }
        Ok(Self { at, tag, version, metadata_count, metadata_offset, data_offset, size })
    }

    fn metadata_table(&self, limit: usize) -> Result<Span, ReadError> {
        let size = usize::from(self.metadata_count) * RECORD;
        self.span(self.metadata_offset, size, limit, self.at + 8, "metadata")
    }

    fn data(&self, limit: usize) -> Result<Span, ReadError> {
        self.span(self.data_offset, self.size as usize, limit, self.at + 12, "data")
    }

    /// `size` bytes from `start`; a fault is that of the header's word at `word`.
    fn span(&self, start: u32, size: usize, limit: usize, word: usize, what: &'static str) -> Result<Span, ReadError> {
        let start = start as usize;
        match start.checked_add(size).filter(|end| *end <= limit) {
            Some(end) => Ok(Span { start, end, what }),
            // Nothing stands there, so the offset does not matter; it is kept.
            None if size == 0 => Ok(Span { start: 0, end: 0, what }),
            None => Err(ReadError {
                offset: word,
                message: format!(
                    "blob {}: {size} bytes of {what} at {start}, but the bundle ends at {limit}",
                    self.tag
                ),
            }),
        }
    }

    fn metadata_records(&self, bytes: &[u8], base: usize) -> Result<Vec<Record>, ReadError> {
        let count = usize::from(self.metadata_count);
        if count == 0 {
            return Ok(Vec::new());
        }
        let first = self.metadata_offset as usize;
        let mut cursor = Cursor::new(&bytes[first..first + count * RECORD], base + first);
        let read = |index| {
            let at = first + index * RECORD;
            let tag = Tag(cursor.u32("a metadata tag")?);
            let packed = cursor.u16("a metadata size")?;
            let relative = cursor.u16("a metadata offset")?;
            let (start, size) = (at + usize::from(relative), usize::from(packed >> 4));
            if size > 0 && start + size > bytes.len() {
                let message =
                    format!("metadata {tag}: {size} bytes at {start}, but the bundle ends at {}", bytes.len());
                return Err(ReadError { offset: base + at + 6, message });
            }
            let start = if size == 0 { 0 } else { start };
            Ok(Record { tag, version: (packed & 15) as u8, relative, start, size })
        };
        (0..count).map(read).collect()
    }

    fn layout(&self, records: &[Record]) -> BlobLayout {
        BlobLayout {
            metadata_offset: self.metadata_offset,
            data_offset: self.data_offset,
            data_size: self.size as usize,
            metadata: records.iter().map(|record| (record.relative, record.size)).collect(),
        }
    }
}

impl Record {
    fn metadata(&self, bytes: &[u8]) -> Metadata {
        let data = bytes[self.start..self.start + self.size].to_vec();
        Metadata { tag: self.tag, version: self.version, data }
    }
}

/// Sorts `spans`, drops empty ones, and refuses two that share a byte.
fn refuse_overlap(spans: &mut Vec<Span>, base: usize) -> Result<(), ReadError> {
    spans.retain(|span| span.start < span.end);
    spans.sort_by_key(|span| span.start);
    let overlap = spans.windows(2).find(|pair| pair[1].start < pair[0].end);
    overlap.map_or(Ok(()), |pair| {
        let message = format!("{} here overlap {} that end at {}", pair[1].what, pair[0].what, base + pair[0].end);
        Err(ReadError { offset: base + pair[1].start, message })
    })
}

/// What sorted `spans` leave over.
fn gaps(spans: &[Span], bytes: &[u8]) -> Vec<Gap> {
    let ends = spans.iter().map(|span| span.end);
    let starts = spans.iter().skip(1).map(|span| span.start).chain([bytes.len()]);
    let between = ends.zip(starts).filter(|(start, end)| start < end);
    between
        .filter(|&(start, end)| !(end == start.next_multiple_of(4) && bytes[start..end].iter().all(|byte| *byte == 0)))
        .map(|(start, end)| Gap { offset: start, bytes: bytes[start..end].to_vec() })
        .collect()
}
