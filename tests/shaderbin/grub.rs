//! The container: layouts, round trips, what is refused.

use proptest::prelude::*;
use scrutineer::shaderbin::grub::{Blob, Bundle, Metadata};
use scrutineer::shaderbin::{Tag, Version, WriteError};

use super::builder::rich_bundle;

/// The worked example of the format notes: one CBEX 1.0 blob that holds 528.
const EXAMPLE: [u8; 48] = [
    0x62, 0x75, 0x72, 0x47, 0x01, 0x01, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x30, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x58, 0x45, 0x42, 0x43, 0x01, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x02, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x10, 0x02, 0x00, 0x00,
];

#[test]
fn the_worked_example_is_read_and_written_byte_for_byte() {
    let mut bundle = Bundle::new();
    bundle.blobs.push(Blob::new(Tag::CBEX, Version(1, 0), 528_u16.to_le_bytes().to_vec()));
    assert_eq!(bundle.to_bytes().unwrap(), EXAMPLE);
    let read = Bundle::read(&EXAMPLE).unwrap();
    assert_eq!(read.to_bytes().unwrap(), EXAMPLE);
    let blob = &read.blobs[0];
    assert_eq!((blob.tag, blob.version, blob.offset, &blob.data[..]), (Tag::CBEX, Version(1, 0), 44, &[0x10, 2][..]));
}

#[test]
fn a_1_0_header_is_16_bytes_with_its_count_at_6() {
    let mut bundle = Bundle { version: Version(1, 0), ..Bundle::new() };
    bundle.blobs.push(Blob::new(Tag::CBEX, Version(1, 0), vec![1, 2]));
    let bytes = bundle.to_bytes().unwrap();
    assert_eq!(bytes[6..8], [1, 0]);
    assert_eq!(bytes[16..20], *b"XEBC");
    assert_eq!(bytes.len(), 16 + 24 + 4);
    assert_eq!(Bundle::read(&bytes).unwrap().to_bytes().unwrap(), bytes);
    // Its size words are skipped by most readers, so other values are no error, and are kept.
    let mut odd = bytes.clone();
    odd[8..16].fill(0xee);
    assert_eq!(Bundle::read(&odd).unwrap().to_bytes().unwrap(), odd);
}

#[test]
fn an_unusual_layout_keeps_its_bytes() {
    // Data before metadata, metadata data in reverse, a gap that is neither zero nor padding, data at an odd offset.
    let mut bytes = Vec::new();
    bytes.extend(b"burG\x01\x01\x34\x12");
    bytes.extend([60_u32, 91, 1].map(u32::to_le_bytes).concat());
    bytes.extend(b"lbaT\x02\x03\x02\x00");
    bytes.extend([65_u32, 61, 4, 4].map(u32::to_le_bytes).concat());
    bytes.extend([0xaa; 17]);
    bytes.extend(b"DATA");
    bytes.extend([b"emaN", &0x21_u16.to_le_bytes()[..], &20_u16.to_le_bytes()[..]].concat());
    bytes.extend([b"  dI", &0x30_u16.to_le_bytes()[..], &8_u16.to_le_bytes()[..]].concat());
    bytes.extend(b"id!?no....");
    assert_eq!(bytes.len(), 91);
    let read = Bundle::read(&bytes).unwrap();
    let names: Vec<(String, u8, &[u8])> =
        read.blobs[0].metadata.iter().map(|note| (note.tag.to_string(), note.version, &note.data[..])).collect();
    assert_eq!(names, [("Name".to_owned(), 1, &b"no"[..]), ("Id  ".to_owned(), 0, b"id!")]);
    assert_eq!(read.blobs[0].data, b"DATA");
    assert_eq!(read.reserved, 0x1234);
    assert_eq!(read.to_bytes().unwrap(), bytes);
    // What no longer fits the old places gets the usual ones.
    let mut changed = read.clone();
    changed.blobs[0].data.push(b'!');
    let again = Bundle::read(&changed.to_bytes().unwrap()).unwrap();
    assert_eq!(again.blobs[0].data, b"DATA!");
    assert_eq!(again.blobs[0].metadata, read.blobs[0].metadata);
}

#[test]
fn nested_bundles_count_offsets_from_the_file() {
    let bytes = rich_bundle().to_bytes().unwrap();
    let outer = Bundle::read(&bytes).unwrap();
    let blob = outer.all(Tag::MODEL_MATERIAL).next().unwrap();
    let nested = blob.nested().unwrap().unwrap();
    let size = nested.one(Tag::CBEX).unwrap().unwrap();
    assert_eq!(bytes[size.offset..size.offset + 2], size.data);
    assert_eq!(nested.to_bytes().unwrap(), blob.data);
    assert!(outer.all(Tag::PARM).next().unwrap().nested().is_none());
    // An error inside names the file's byte as well.
    let mut broken = bytes.clone();
    broken[blob.offset + 4] = 9;
    let broken = Bundle::read(&broken).unwrap();
    let error = broken.all(Tag::MODEL_MATERIAL).next().unwrap().nested().unwrap().unwrap_err();
    assert_eq!(error.offset, blob.offset + 4);
}

/// Changes the worked example at `offset` and expects an error at `expected`.
fn refused(offset: usize, value: &[u8], expected: usize, words: &str) {
    let mut bytes = EXAMPLE;
    bytes[offset..offset + value.len()].copy_from_slice(value);
    let error = Bundle::read(&bytes).unwrap_err();
    assert_eq!(error.offset, expected, "{error}");
    assert!(error.message.contains(words), "{error}");
    assert!(error.to_string().starts_with(&format!("byte {expected}: ")));
}

#[test]
fn headers_that_lie_are_refused_where_they_lie() {
    refused(0, b"PK", 0, "no Grub bundle");
    refused(4, &[2], 4, "version 2.1");
    refused(8, &[0x14], 8, "header size is 20");
    refused(8, &[0x31], 8, "header size is 49");
    refused(12, &[0x34], 48, "its header says 52 bytes");
    refused(12, &[0x2c], 44, "4 bytes stand after");
    refused(16, &[2], 16, "2 blobs need more bytes");
    refused(16, &[0xff; 4], 16, "blobs need more bytes");
    refused(26, &[9], 28, "72 bytes of metadata");
    refused(32, &[0xff, 0xff, 0xff, 0xff], 32, "bytes of data");
    refused(36, &[3], 36, "differ");
    refused(36, &[5, 0, 0, 0, 5], 32, "5 bytes of data at 44");
    refused(32, &[0x28], 40, "overlap");
}

#[test]
fn tables_that_share_bytes_are_refused_before_anything_is_reserved() {
    // 2,000 blobs that all point at one table of 6,000 records would ask for 12 million.
    let (blobs, records) = (2000_usize, 6000_usize);
    let table = 20 + blobs * 24;
    let total = table + records * 8;
    let mut bytes = b"burG\x01\x01\x00\x00".to_vec();
    bytes.extend([table as u32, total as u32, blobs as u32].map(u32::to_le_bytes).concat());
    for _ in 0..blobs {
        bytes.extend(b"lbaT\x01\x00");
        bytes.extend((records as u16).to_le_bytes());
        bytes.extend([table as u32, table as u32, 0, 0].map(u32::to_le_bytes).concat());
    }
    bytes.resize(total, 0);
    let error = Bundle::read(&bytes).unwrap_err();
    assert_eq!((error.offset, error.message.contains("overlap")), (table, true), "{error}");
}

#[test]
fn what_does_not_fit_its_field_is_not_written() {
    let with = |size: usize, version: u8, count: usize| {
        let mut bundle = Bundle::new();
        let note = Metadata { tag: Tag::new(b"Name"), version, data: vec![0; size] };
        let blob = Blob { metadata: vec![note; count], ..Blob::new(Tag::CBEX, Version(1, 0), Vec::new()) };
        bundle.blobs.push(blob);
        bundle.to_bytes()
    };
    assert!(with(4095, 15, 1).is_ok());
    assert!(matches!(with(4096, 0, 1), Err(WriteError::Metadata(..))));
    assert!(matches!(with(0, 16, 1), Err(WriteError::Metadata(..))));
    assert!(matches!(with(4095, 0, 18), Err(WriteError::MetadataOffset(_))));
    let version = Bundle { version: Version(2, 0), ..Bundle::new() };
    assert_eq!(version.to_bytes(), Err(WriteError::Version(Version(2, 0))));
}

fn metadata() -> impl Strategy<Value = Metadata> {
    (any::<u32>(), 0_u8..16, prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(tag, version, data)| Metadata {
        tag: Tag(tag),
        version,
        data,
    })
}

fn blob() -> impl Strategy<Value = Blob> {
    let notes = prop::collection::vec(metadata(), 0..4);
    (any::<u32>(), any::<(u8, u8)>(), notes, prop::collection::vec(any::<u8>(), 0..60)).prop_map(
        |(tag, (major, minor), metadata, data)| Blob { metadata, ..Blob::new(Tag(tag), Version(major, minor), data) },
    )
}

proptest! {
    #[test]
    fn any_bundle_survives_the_round_trip(
        minor in 0_u8..3,
        reserved: u16,
        blobs in prop::collection::vec(blob(), 0..6),
    ) {
        let reserved = if minor == 0 { 0 } else { reserved };
        let bundle = Bundle { version: Version(1, minor), reserved, blobs, layout: None };
        let bytes = bundle.to_bytes().unwrap();
        let read = Bundle::read(&bytes).unwrap();
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        prop_assert_eq!((read.version, read.reserved), (bundle.version, reserved));
        for (read, built) in read.blobs.iter().zip(&bundle.blobs) {
            prop_assert_eq!((read.tag, read.version), (built.tag, built.version));
            prop_assert_eq!((&read.metadata, &read.data), (&built.metadata, &built.data));
            prop_assert!(read.offset % 4 == 0);
        }
    }

    #[test]
    fn noise_behind_a_good_tag_never_panics(noise in prop::collection::vec(any::<u8>(), 0..300)) {
        let bytes = [b"burG\x01\x01".to_vec(), noise].concat();
        if let Ok(bundle) = Bundle::read(&bytes) {
            prop_assert_eq!(bundle.to_bytes().unwrap(), bytes);
        }
    }
}
