//! The blobs: each layout rule with hand-made bytes, round trips of generated values.

use proptest::prelude::*;
use scrutineer::shaderbin::grub::Blob;
use scrutineer::shaderbin::map::{self, Entry, Id};
use scrutineer::shaderbin::parm::{self, Parameter};
use scrutineer::shaderbin::record::{self, Record};
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::vars::{self, Frame, Variants};
use scrutineer::shaderbin::{ReadError, Tag, Version, name_hash, path_hash};

use super::builder::{texture, variants};

/// A blob that stands at byte 1,000 of its file.
fn blob(tag: Tag, version: Version, data: Vec<u8>) -> Blob {
    Blob { offset: 1000, ..Blob::new(tag, version, data) }
}

fn dfpr(data: Vec<u8>) -> Result<record::Records, ReadError> {
    record::decode(&blob(Tag::DFPR, record::VERSION, data))
}

#[test]
fn names_hash_as_the_public_tables_list() {
    assert_eq!(name_hash("UniqueBaseColorColorParam"), 0xEA71_8FBE);
    assert_eq!(name_hash("PaintColorColorParam"), 0xC0CB_2820);
    assert_eq!(name_hash("NormalTexture"), 0x8C65_8791);
    assert_eq!(name_hash("CarShadowDepthLightScenario"), 0xDBB1_C7AA);
    assert_eq!(path_hash(r"Game:\A.SWATCHBIN"), name_hash(r"game:\a.swatchbin"));
}

#[test]
fn parm_records_have_a_tail_from_1_2_on() {
    let mut data = 2_u32.to_le_bytes().to_vec();
    data.extend(b"\x01\x02\x03\x04\x03Hue\x05\x06\x07\x08\x02ab");
    data.extend(b"\x09\x00\x00\x00\x01S\x0a\x00\x00\x00\x00");
    let read = parm::decode(&blob(Tag::PARM, Version(1, 2), data.clone())).unwrap();
    let hue = Parameter { name: "Hue".into(), name_hash: 0x0403_0201, key: 0x0807_0605, tail: b"ab".to_vec() };
    assert_eq!(read, [hue, Parameter { name: "S".into(), name_hash: 9, key: 10, tail: Vec::new() }]);
    assert_eq!(parm::encode(&read), data);
    // Without tails the same records are shorter.
    let old = [&1_u32.to_le_bytes()[..], b"\x01\x02\x03\x04\x03Hue\x05\x06\x07\x08"].concat();
    assert_eq!(parm::decode(&blob(Tag::PARM, Version(1, 1), old.clone())).unwrap()[0].key, 0x0807_0605);
    assert_eq!(parm::decode(&blob(Tag::PARM, Version(1, 2), old)).unwrap_err().offset, 1016);
}

#[test]
fn parm_refuses_what_it_cannot_account_for() {
    let good = parm::encode(&[Parameter { name: "Hue".into(), name_hash: 1, key: 2, tail: vec![] }]);
    let error = |data: Vec<u8>| parm::decode(&blob(Tag::PARM, Version(1, 2), data)).unwrap_err();
    assert_eq!(error([&good[..], b"x"].concat()).offset, 1000 + good.len());
    let mut more = good.clone();
    more[0] = 2;
    assert_eq!(error(more).offset, 1000 + good.len());
    let mut huge = good.clone();
    huge[..4].fill(0xff);
    assert_eq!(error(huge).offset, 1000 + good.len());
    let mut latin = good.clone();
    latin[10] = 0xfc;
    assert_eq!(error(latin).offset, 1010);
}

#[test]
fn map_entries_are_22_bytes() {
    let mut data = vec![1, 0, 4, 3, 2, 1, 0x10, 2];
    data.extend(0..16);
    let read = map::decode(&blob(Tag::CBMP, map::VERSION, data.clone())).unwrap();
    let guid = std::array::from_fn(|index| index as u8);
    assert_eq!(read, [Entry { id: Id::Key(0x0102_0304), value: 528, guid: Some(guid) }]);
    assert_eq!(map::encode(&read), data);
    assert_eq!(data.len(), 2 + 22);
}

/// A record by hand: version, key 7, no flag, type, a zero GUID, value.
fn raw(minor: u8, kind: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![3, minor, 7, 0, 0, 0];
    if minor > 0 {
        bytes.push(0);
    }
    bytes.push(kind);
    bytes.extend([0; 16]);
    bytes.extend(value);
    bytes
}

fn of(records: &[Vec<u8>]) -> Vec<u8> {
    let mut data = (records.len() as u16).to_le_bytes().to_vec();
    data.extend(records.concat());
    data
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn every_type_has_its_length() {
    let four = floats(&[1.0, 2.0, 3.0, 4.0]);
    let path = [&b"\x03A\\b"[..], &path_hash("A\\b").to_le_bytes()].concat();
    let records = [
        (0, four.clone(), Value::Vector([1.0, 2.0, 3.0, 4.0])),
        (1, four.clone(), Value::Colour([1.0, 2.0, 3.0, 4.0])),
        (2, floats(&[0.5]), Value::Float(0.5)),
        (3, vec![1, 0, 0, 0], Value::Bool(1)),
        (4, vec![0xff; 4], Value::Int(-1)),
        (5, four.clone(), Value::Swizzle([1.0, 2.0, 3.0, 4.0])),
        (6, path, texture("A\\b")),
        (7, [1, 3, 6].map(i32::to_le_bytes).concat(), Value::Sampler { address: [1, 3], class: 6, tail: None }),
        (9, four.clone(), Value::FunctionRange([1.0, 2.0, 3.0, 4.0])),
        (11, floats(&[5.0, 6.0]), Value::Vector2 { value: [5.0, 6.0], tail: None }),
        (12, four, Value::Type12([1.0, 2.0, 3.0, 4.0])),
    ];
    for (kind, bytes, value) in records {
        let data = of(&[raw(1, kind, &bytes), raw(1, 2, &floats(&[9.0]))]);
        let read = dfpr(data.clone()).unwrap();
        assert_eq!((&read.records[0].value, read.records[0].value.kind()), (&value, kind));
        assert_eq!(read.records[1].value, Value::Float(9.0));
        assert_eq!(record::encode(&read.records, None), data);
    }
    let error = dfpr(of(&[raw(1, 10, &[0; 4])])).unwrap_err();
    assert_eq!((error.offset, error.message.contains("type 10")), (1009, true));
}

#[test]
fn flags_bring_a_hash_and_versions_bring_fields() {
    let value = floats(&[2.0]);
    let with_flag = [&[3, 1, 7, 0, 0, 0, 1, 4, 3, 2, 1, 2][..], &[0; 16], &value].concat();
    assert_eq!(dfpr(of(&[with_flag])).unwrap().records[0].flag_hash, Some(0x0102_0304));
    let bad = [&[3, 1, 7, 0, 0, 0, 2, 2][..], &[0; 16], &value].concat();
    assert_eq!(dfpr(of(&[bad])).unwrap_err().offset, 1008);
    // 3.0 has no flag, 2.x neither flag nor GUID, 1.x no path hash and a longer vector2.
    assert_eq!(dfpr(of(&[raw(0, 2, &value)])).unwrap().records[0].guid, Some([0; 16]));
    let v2 = [&[2, 0, 7, 0, 0, 0, 2][..], &value].concat();
    assert_eq!(dfpr(of(&[v2])).unwrap().records[0].guid, None);
    let v1 = [&[1, 0, 7, 0, 0, 0, 11][..], &floats(&[1.0, 2.0]), &[5; 8]].concat();
    let v1_path = [1, 0, 7, 0, 0, 0, 6, 1, b'p'].to_vec();
    let read = dfpr(of(&[v1, v1_path])).unwrap().records;
    assert_eq!(read[0].value, Value::Vector2 { value: [1.0, 2.0], tail: Some([5; 8]) });
    assert_eq!(read[1].value, Value::Texture { path: "p".into(), hash: None });
    // A blob below 2.1 counts in a byte.
    let old = [&[1][..], &raw(1, 2, &value)].concat();
    assert_eq!(record::decode(&blob(Tag::DFPR, Version(2, 0), old)).unwrap().records.len(), 1);
}

#[test]
fn samplers_have_a_fourth_word_from_3_4_and_perhaps_from_3_2() {
    let three = [1, 1, 2].map(i32::to_le_bytes).concat();
    let four = [1, 1, 2, 77].map(i32::to_le_bytes).concat();
    let tail = |minor, words: &[u8]| {
        let read = dfpr(of(&[raw(minor, 7, words), raw(minor, 2, &floats(&[1.0]))])).unwrap();
        match read.records[0].value {
            Value::Sampler { tail, .. } => (tail, read.rule.to_string()),
            _ => panic!("no sampler"),
        }
    };
    assert_eq!(tail(1, &three), (None, "samplers of 4 words from 3.4, gradients of bytes, no byte skipped".into()));
    assert_eq!(tail(4, &four).0, Some(77));
    assert_eq!(tail(2, &three).0, None);
    assert_eq!(tail(3, &four), (Some(77), "samplers of 4 words from 3.2, gradients of bytes, no byte skipped".into()));
    // One reader has them at 3.4 without it; that rule comes last.
    assert_eq!(
        tail(4, &three),
        (None, "samplers of 3 words at every version, gradients of bytes, no byte skipped".into())
    );
}

#[test]
fn zero_runs_are_skipped_only_where_nothing_else_closes_and_said() {
    let one = raw(4, 2, &floats(&[1.0]));
    let gap = [&[0; 5][..], &one].concat();
    let read = dfpr(of(&[one.clone(), gap])).unwrap();
    assert_eq!(read.records.len(), 2);
    assert!(read.rule.to_string().ends_with("5 zero bytes skipped between records"), "{}", read.rule);
    // Zeros that a record owns are no run.
    let read = dfpr(of(&[raw(4, 0, &[0; 16]), one])).unwrap();
    assert!(read.rule.to_string().ends_with("no byte skipped"));
}

#[test]
fn gradients_are_bytes_or_floats_whichever_closes() {
    let bytes = [&2_u32.to_le_bytes()[..], &[1, 2, 3, 4, 5, 6, 7, 8]].concat();
    let read = dfpr(of(&[raw(1, 8, &bytes), raw(1, 2, &floats(&[1.0]))])).unwrap();
    assert_eq!(read.records[0].value, Value::Gradient8(vec![[1, 2, 3, 4], [5, 6, 7, 8]]));
    let wide = [&1_u32.to_le_bytes()[..], &floats(&[0.5, 0.25, 1.0, 2.0])].concat();
    let read = dfpr(of(&[raw(1, 8, &wide), raw(1, 2, &floats(&[1.0]))])).unwrap();
    assert_eq!(read.records[0].value, Value::Gradient(vec![[0.5, 0.25, 1.0, 2.0]]));
    assert!(read.rule.to_string().contains("gradients of floats"));
    // A count beyond the file reserves nothing.
    let error = dfpr(of(&[raw(1, 8, &[0xff; 8])])).unwrap_err();
    assert!(error.message.contains("4294967295"), "{error}");
}

#[test]
fn only_mtpr_has_a_trailer() {
    let trailer = [11_u32, 22, 33].map(u32::to_le_bytes).concat();
    let data = [of(&[raw(1, 2, &floats(&[1.0]))]), trailer.clone()].concat();
    let mtpr = |data| record::decode(&blob(Tag::MTPR, record::VERSION, data));
    let read = mtpr(data.clone()).unwrap();
    assert_eq!((read.records.len(), read.trailer), (1, Some([11, 22, 33])));
    assert_eq!(record::encode(&read.records, read.trailer), data);
    assert_eq!(mtpr(data[..data.len() - 12].to_vec()).unwrap().trailer, None);
    assert_eq!(mtpr(data[..data.len() - 1].to_vec()).unwrap_err().offset, 1000 + data.len() - 12);
    assert_eq!(mtpr([vec![0, 0], trailer].concat()).unwrap().trailer, Some([11, 22, 33]));
    // Padding before the trailer is not taken for it.
    let mut padded = data.clone();
    padded.splice(data.len() - 12..data.len() - 12, [0; 3]);
    let read = mtpr(padded).unwrap();
    assert_eq!(read.trailer, Some([11, 22, 33]));
    assert!(read.rule.to_string().contains("3 zero bytes"));
    let error = dfpr(data.clone()).unwrap_err();
    assert_eq!((error.offset, &error.message[..18]), (1000 + data.len() - 12, "12 bytes are left "));
}

#[test]
fn vars_close_in_every_frame_that_fits_the_text() {
    let built = variants(&["Blend2", "Lightmap"], &[("_Standard", "0-"), ("_Standard_B", "11")]);
    for (long_strings, switch_count, variant_count, hash_first) in [
        (false, 4, 4, false),
        (false, 4, 4, true),
        (false, 2, 2, false),
        (false, 1, 4, false),
        (true, 4, 4, false),
        (true, 2, 2, true),
    ] {
        let frame = Frame { long_strings, switch_count, variant_count, hash_first };
        let built = Variants { frame, ..built.clone() };
        assert_eq!(vars::decode(&blob(Tag::VARS, vars::VERSION, built.encode())), Ok(built));
    }
    let data = built.encode();
    let extra = [&data[..], b"\x0bWinterRoads"].concat();
    assert!(vars::decode(&blob(Tag::VARS, vars::VERSION, extra)).is_err());
    let mut state = data.clone();
    *state.last_mut().unwrap() = 3;
    let error = vars::decode(&blob(Tag::VARS, vars::VERSION, state)).unwrap_err();
    assert_eq!((error.offset, error.message.contains("state is 3")), (1000 + data.len() - 1, true), "{error}");
}

fn value(minor: u8) -> impl Strategy<Value = Value> {
    let number = -1e6_f32..1e6;
    let four = prop::array::uniform4(number.clone());
    let tail = if minor >= 4 { any::<u32>().prop_map(Some).boxed() } else { Just(None).boxed() };
    prop_oneof![
        four.clone().prop_map(Value::Vector),
        four.clone().prop_map(Value::Colour),
        number.clone().prop_map(Value::Float),
        any::<u32>().prop_map(Value::Bool),
        any::<i32>().prop_map(Value::Int),
        four.clone().prop_map(Value::Swizzle),
        ("[ -~]{0,200}", any::<u32>()).prop_map(|(path, hash)| Value::Texture { path, hash: Some(hash) }),
        (any::<[i32; 2]>(), any::<i32>(), tail).prop_map(|(address, class, tail)| Value::Sampler {
            address,
            class,
            tail
        }),
        prop::collection::vec(any::<[u8; 4]>(), 0..5).prop_map(Value::Gradient8),
        four.clone().prop_map(Value::FunctionRange),
        [number.clone(), number].prop_map(|value| Value::Vector2 { value, tail: None }),
        four.prop_map(Value::Type12),
    ]
}

fn any_record() -> impl Strategy<Value = Record> {
    prop_oneof![Just(1_u8), Just(4)].prop_flat_map(|minor| {
        (any::<u32>(), any::<Option<u32>>(), any::<[u8; 16]>(), value(minor)).prop_map(
            move |(key, flag_hash, guid, value)| Record {
                version: Version(3, minor),
                key,
                flag_hash,
                guid: Some(guid),
                value,
            },
        )
    })
}

proptest! {
    #[test]
    fn any_records_survive_the_round_trip(
        records in prop::collection::vec(any_record(), 0..12),
        trailer: Option<[u32; 3]>,
    ) {
        let data = record::encode(&records, trailer);
        let read = record::decode(&blob(Tag::MTPR, record::VERSION, data.clone())).unwrap();
        prop_assert_eq!(record::encode(&read.records, read.trailer), data);
        prop_assert_eq!(read.records, records);
    }

    #[test]
    fn any_parm_survives_the_round_trip(
        all in prop::collection::vec((".{0,200}", any::<u32>(), prop::collection::vec(any::<u8>(), 0..60)), 0..12),
    ) {
        let parameters: Vec<Parameter> = all
            .into_iter()
            .map(|(name, key, tail)| Parameter { name_hash: name_hash(&name), name, key, tail })
            .collect();
        let data = parm::encode(&parameters);
        prop_assert_eq!(parm::decode(&blob(Tag::PARM, parm::VERSION, data)), Ok(parameters));
    }

    #[test]
    fn any_map_survives_the_round_trip(all in prop::collection::vec(any::<(u32, u16, [u8; 16])>(), 0..40)) {
        let entries: Vec<Entry> = all
            .into_iter()
            .map(|(key, value, guid)| Entry { id: Id::Key(key), value, guid: Some(guid) })
            .collect();
        let data = map::encode(&entries);
        prop_assert_eq!(data.len(), 2 + 22 * entries.len());
        prop_assert_eq!(map::decode(&blob(Tag::TXMP, map::VERSION, data)), Ok(entries));
    }

    #[test]
    fn noise_never_panics_and_never_reads_past_its_end(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let end = 1000 + data.len();
        for tag in [Tag::DFPR, Tag::MTPR] {
            if let Err(error) = record::decode(&blob(tag, record::VERSION, data.clone())) {
                prop_assert!((1000..=end).contains(&error.offset));
            }
        }
        let errors = [
            parm::decode(&blob(Tag::PARM, parm::VERSION, data.clone())).err(),
            map::decode(&blob(Tag::CBMP, map::VERSION, data.clone())).err(),
            vars::decode(&blob(Tag::VARS, vars::VERSION, data)).err(),
        ];
        for error in errors.into_iter().flatten() {
            prop_assert!((1000..=end).contains(&error.offset));
        }
    }
}
