//! Each claim of the page fails on a file that breaks it, and the JSON is INSPECT.md's.

use scrutineer::shaderbin::checks::{Check, check};
use scrutineer::shaderbin::describe::Description;
use scrutineer::shaderbin::grub::Bundle;
use scrutineer::shaderbin::map::Id;
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::{Shaderbin, Tag, Version};
use serde_json::json;

use super::builder::{Parts, key, large, parameter, rich_bundle, sample};

fn checks_of(bytes: &[u8]) -> Vec<Check> {
    check(&Shaderbin::read(bytes).unwrap())
}

/// The checks that fail on the sample once `change` was made.
fn failing(change: impl Fn(&mut Parts)) -> Vec<(String, String)> {
    let mut parts = sample();
    change(&mut parts);
    let failed = checks_of(&parts.bytes()).into_iter().filter(|check| !check.passed);
    failed.map(|check| (check.check, check.detail)).collect()
}

fn one(check: &str, detail: &str, change: impl Fn(&mut Parts)) {
    let failed = failing(change);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].0.contains(check) && failed[0].1.contains(detail), "{failed:?}");
}

#[test]
fn a_file_as_the_page_describes_it_passes_everything() {
    assert_eq!(failing(|_| {}), []);
    let checks = checks_of(&rich_bundle().to_bytes().unwrap());
    assert!(checks.len() > 20 && checks.iter().all(|check| check.passed), "{checks:?}");
}

#[test]
fn each_claim_fails_alone() {
    one("name hash is the CRC-32", "6 of 7; first exception: Uv0Offset has 0x00000001", |parts| {
        parts.parameters[0].name_hash = 1
    });
    one("0 or 2 to 40 bytes", "BlendColour has 1", |parts| parts.parameters[1].tail = vec![1]);
    one("0 or 2 to 40 bytes", "BlendColour has 41", |parts| parts.parameters[1].tail = vec![1; 41]);
    one("CBMP: each hash is a PARM key", "0x00000009", |parts| parts.constants[0].id = Id::Key(9));
    one("TXMP: each hash is a PARM key", "0x00000009", |parts| parts.textures[0].id = Id::Key(9));
    one("SPMP: each hash is a PARM key", "0x00000009", |parts| parts.samplers[0].id = Id::Key(9));
    one("constants lie within its 228 bytes", "_RoughnessStrength at 228", |parts| parts.size = 228);
    one("flag hash is the CRC-32", "BlendColour", |parts| parts.defaults[1].flag_hash = Some(1));
    one("path hash", "White.swatchbin has 0x00000001", |parts| {
        parts.defaults[5].value = Value::Texture { path: "White.swatchbin".into(), hash: Some(1) };
    });
    one("keys are unique", "Twin", |parts| {
        let mut twin = parameter("Twin");
        twin.key = key("Sampler");
        parts.parameters[0] = twin;
        parts.defaults[0] = parts.defaults[6].clone();
        parts.defaults[0].flag_hash = None;
        parts.constants.remove(0);
    });
}

#[test]
fn blobs_that_are_absent_or_of_another_version_fail_their_check() {
    for (tag, version) in [
        (Tag::PARM, Version(1, 2)),
        (Tag::CBMP, Version(3, 1)),
        (Tag::TXMP, Version(3, 1)),
        (Tag::SPMP, Version(3, 1)),
        (Tag::CBEX, Version(1, 0)),
        (Tag::DFPR, Version(2, 1)),
    ] {
        let mut bundle = sample().bundle();
        bundle.blobs.retain(|blob| blob.tag != tag);
        let name = format!("{tag}: exactly one, version {version}");
        let found = |bundle: &Bundle| {
            let checks = checks_of(&bundle.to_bytes().unwrap());
            checks.into_iter().find(|check| check.check == name).map(|check| (check.passed, check.detail))
        };
        assert_eq!(found(&bundle), Some((false, "absent".to_owned())));
    }
    let mut bundle = sample().bundle();
    bundle.blobs.iter_mut().find(|blob| blob.tag == Tag::CBEX).unwrap().version = Version(1, 1);
    assert!(checks_of(&bundle.to_bytes().unwrap()).iter().any(|check| !check.passed && check.detail == "found 1.1"));
    // Two of one kind cannot both be meant.
    let twice = bundle.blobs[0].clone();
    bundle.blobs.push(twice);
    let bytes = bundle.to_bytes().unwrap();
    let error = Shaderbin::read(&bytes).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.offset),
        ("a second PARM blob", Bundle::read(&bytes).unwrap().blobs[7].offset)
    );
}

#[test]
fn the_container_is_checked_too() {
    let bytes = sample().bytes();
    let failed = |bytes: &[u8]| {
        let checks = checks_of(bytes).into_iter().filter(|check| !check.passed);
        checks.map(|check| format!("{}: {}", check.check, check.detail)).collect::<Vec<_>>()
    };
    let mut reserved = bytes.clone();
    reserved[6] = 5;
    assert_eq!(failed(&reserved), ["bundle: the reserved word is 0: 5"]);
    let mut header = bytes.clone();
    header[8] += 4;
    let first = Bundle::read(&bytes).unwrap().blobs[0].offset;
    assert_eq!(
        failed(&header),
        [format!("bundle: the header size is the first data byte: header says {}, first data at {first}", first + 4)]
    );
    let mut gap = bytes.clone();
    *gap.last_mut().unwrap() = 1;
    assert_eq!(failed(&gap), [format!("bundle: every byte is accounted for: 2 bytes at {}", bytes.len() - 2)]);
}

#[test]
fn opaque_variants_are_reported_with_the_byte() {
    let mut bundle = sample().bundle();
    bundle.blobs.iter_mut().find(|blob| blob.tag == Tag::VARS).unwrap().data.push(7);
    let bytes = bundle.to_bytes().unwrap();
    let checks = checks_of(&bytes);
    let failed = checks.iter().find(|check| !check.passed).unwrap();
    assert!(failed.check.starts_with("VARS") && failed.detail.contains("opaque bytes: byte "), "{failed:?}");
    let shader = Shaderbin::read(&bytes).unwrap();
    let value = serde_json::to_value(Description::new(&shader, "environment")).unwrap();
    let opaque = value["variants"]["opaque"].as_str().unwrap();
    assert!(opaque.ends_with("07") && value["variants"].as_object().unwrap().len() == 1);
}

#[test]
fn the_json_has_the_contracts_keys_in_its_order() {
    let bytes = rich_bundle().to_bytes().unwrap();
    let shader = Shaderbin::read(&bytes).unwrap();
    let text = serde_json::to_string(&Description::new(&shader, "environment")).unwrap();
    let order = [
        "bundle",
        "parameters",
        "defaults",
        "constants",
        "textures",
        "samplers",
        "constant_buffer_size",
        "variants",
        "checks",
    ];
    let places: Vec<usize> = order.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value.as_object().unwrap().len(), order.len());
    let hex = |hash: u32| format!("0x{hash:08x}");
    let parm = &shader.bundle.blobs[0];
    assert_eq!(value["bundle"]["version"], json!([1, 1]));
    assert_eq!(value["bundle"]["size"], json!(bytes.len()));
    assert_eq!(
        value["bundle"]["blobs"][0],
        json!({
            "tag": "PARM", "version": [1, 2], "offset": parm.offset, "size": parm.data.len(),
            "metadata": [
                {"tag": "Name", "version": 0, "size": 11},
                {"tag": "ARTX", "version": 15, "size": 5},
                {"tag": "Id  ", "version": 1, "size": 0},
            ],
        })
    );
    assert_eq!(bytes[parm.offset..parm.offset + parm.data.len()], parm.data);
    let blend = &shader.parameters.as_ref().unwrap()[1];
    assert_eq!(
        value["parameters"][1],
        json!({"name": "BlendColour", "name_hash": hex(blend.name_hash), "key": hex(key("BlendColour")), "tail": "010203"})
    );
    assert_eq!(
        value["defaults"][0],
        json!({
            "key": hex(key("Uv0Offset")), "name": "Uv0Offset", "record_version": [3, 1],
            "flag_hash": hex(shader.parameters.as_ref().unwrap()[0].name_hash), "type": 11, "guid": "09".repeat(16),
            "value": [0.25, -0.5],
        })
    );
    let values: Vec<_> = value["defaults"].as_array().unwrap().iter().map(|default| default["value"].clone()).collect();
    let path = r"Game:\Media\White.swatchbin";
    let texture = json!({"path": path, "path_hash": hex(scrutineer::shaderbin::path_hash(path))});
    assert_eq!(
        values[1..],
        [json!([0.5, 0.25, 0.125, 1.0]), json!(0.75), json!(true), json!(1), texture, json!([1, 3, 2])]
    );
    assert_eq!(
        value["constants"][1],
        json!({
            "key": hex(key("_RoughnessStrength")), "name": "_RoughnessStrength", "offset": 228, "register": 14,
            "component": "y", "guid": "e4".repeat(16),
        })
    );
    assert_eq!(
        value["textures"],
        json!([{"key": hex(key("DiffAlphaTex_A")), "name": "DiffAlphaTex_A", "slot": 17, "guid": "11".repeat(16)}])
    );
    assert_eq!(value["samplers"][0]["slot"], json!(3));
    assert_eq!(value["constant_buffer_size"], json!(384));
    assert_eq!(
        value["variants"],
        json!({
            "shader": "environment",
            "switches": [
                {"name": "Blend2", "hash": hex(key("Blend2"))},
                {"name": "UseLightmap", "hash": hex(key("UseLightmap"))},
            ],
            "variants": [
                {"name": "_Standard", "states": "00"},
                {"name": "_Standard_B", "states": "10"},
                {"name": "_Standard_B_L", "states": "11"},
            ],
        })
    );
    assert!(value["checks"].as_array().unwrap().iter().all(|check| check.as_object().unwrap().len() == 3));
}

#[test]
fn an_absent_blob_is_null() {
    let bundle = Bundle::new();
    let shader = Shaderbin::read(&bundle.to_bytes().unwrap()).unwrap();
    let value = serde_json::to_value(Description::new(&shader, "")).unwrap();
    for key in ["parameters", "defaults", "constants", "textures", "samplers", "constant_buffer_size", "variants"] {
        assert!(value[key].is_null(), "{key}");
    }
}

#[test]
fn the_text_says_where_textures_lie() {
    let bytes = rich_bundle().to_bytes().unwrap();
    let shader = Shaderbin::read(&bytes).unwrap();
    let text = |family: &str| Description::new(&shader, family).to_string();
    // 188 + 17 is register 51, y.
    assert!(text("environment").contains("17     r51.y    DiffAlphaTex_A"), "{}", text("environment"));
    assert!(text("environment").contains("r14.y     228  _RoughnessStrength"));
    assert!(text("car_standard").contains("t17     DiffAlphaTex_A"));
    assert!(text("mystery").contains("no base is documented for \"mystery\""));
    assert!(text("environment").contains("Name v0  \"environment\""));
}

#[test]
fn a_large_family_is_described() {
    let bytes = large().bytes();
    let shader = Shaderbin::read(&bytes).unwrap();
    let text = serde_json::to_string_pretty(&Description::new(&shader, "environment")).unwrap();
    assert!(text.len() > 100_000);
    assert_eq!(shader.variants().unwrap().variants.len(), 1500);
    assert!(check(&shader).iter().all(|check| check.passed));
}
