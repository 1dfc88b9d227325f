//! `scrutineer inspect` of shader containers, as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use scrutineer::shaderbin::grub::{Blob, Bundle};
use scrutineer::shaderbin::record;
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::{Tag, Version};
use serde_json::{Value as Json, json};

use super::builder::{key, record as flagged, rich_bundle, sample};

fn inspect(file: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scrutineer")).arg("inspect").arg(file).args(flags).output().unwrap()
}

/// stdout of a run that must succeed.
fn good(file: &Path, flags: &[&str]) -> String {
    let output = inspect(file, flags);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json_of(file: &Path, flags: &[&str]) -> Json {
    serde_json::from_str(&good(file, &[flags, &["--json"]].concat())).unwrap()
}

/// stderr of a run that must end with exit code 2.
fn bad(file: &Path, flags: &[&str]) -> String {
    let output = inspect(file, flags);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_shader_is_shown_as_json_and_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "environment.shaderbin", &rich_bundle().to_bytes().unwrap());
    let shown = json_of(&path, &[]);
    let keys: Vec<&String> = shown.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 9, "{keys:?}");
    assert_eq!(shown["parameters"][0]["key"], json!(format!("0x{:08x}", key("Uv0Offset"))));
    assert_eq!(shown["variants"]["variants"][1], json!({"name": "_Standard_B", "states": "10"}));
    let text = good(&path, &[]);
    for part in ["Grub bundle 1.1", "r51.y", "_Standard_B_L", "ok    PARM: the name hash is the CRC-32"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn switches_choose_a_permutation() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "environment.shaderbin", &sample().bytes());
    // Blend2 is on by default.
    assert_eq!(
        json_of(&path, &["--switch", "UseLightmap=0"]),
        json!({"permutation": "_Standard_B", "matches": ["_Standard_B"], "ignored_switches": [], "near": []})
    );
    assert_eq!(
        json_of(&path, &["--switch", "Blend2=0", "--switch", "UseLightmap=1"]),
        json!({
            "permutation": null, "matches": [], "ignored_switches": [],
            "near": [
                {"name": "_Standard", "differs": ["UseLightmap"]},
                {"name": "_Standard_B_L", "differs": ["Blend2"]},
                {"name": "_Standard_B", "differs": ["Blend2", "UseLightmap"]},
            ],
        })
    );
    let ambiguous = json_of(&path, &["--switch", "Blend2=1"]);
    assert_eq!(
        (&ambiguous["permutation"], &ambiguous["matches"]),
        (&Json::Null, &json!(["_Standard_B", "_Standard_B_L"]))
    );
    assert_eq!(good(&path, &["--switch", "Blend2=0"]), "permutation: _Standard\n");
    assert!(good(&path, &["--switch", "Blend2=1"]).contains("set UseLightmap"));
    let unknown = bad(&path, &["--switch", "Blend=1"]);
    assert!(unknown.contains("did you mean \"Blend2\""), "{unknown}");
    assert!(bad(&path, &["--switch", "Blend2=2"]).contains("NAME=0 or NAME=1"));
}

#[test]
fn a_material_chooses_a_permutation() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "environment.shaderbin", &sample().bytes());
    let mut material = Bundle::new();
    let records = [flagged("Blend2", Value::Int(0))];
    let shader = [&[13][..], b"glass.shaderb"].concat();
    material.blobs.push(Blob::new(Tag::MATL, Version(1, 0), shader));
    material.blobs.push(Blob::new(Tag::MTPR, record::VERSION, record::encode(&records, None)));
    let material = file(&folder, "wall.materialbin", &material.to_bytes().unwrap());
    let flags = ["--material", material.to_str().unwrap()];
    assert_eq!(json_of(&path, &flags)["permutation"], json!("_Standard"));
    assert!(
        String::from_utf8_lossy(&inspect(&path, &flags).stderr).contains("one of glass.shaderb, not of environment")
    );
    // A switch that is typed wins.
    let both = [&flags[..], &["--switch", "Blend2=1", "--switch", "UseLightmap=1"]].concat();
    assert_eq!(json_of(&path, &both)["permutation"], json!("_Standard_B_L"));
    let shown = json_of(&material, &[]);
    assert_eq!((&shown["shader"], &shown["overrides"][0]["value"]), (&json!("glass.shaderb"), &json!(0)));
    assert!(good(&material, &[]).contains("shader (MATL)  glass.shaderb"));
}

#[test]
fn a_draws_integer_is_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "environment.shaderbin", &sample().bytes());
    let shown = json_of(&path, &["--draw", "0x00200100"]);
    assert_eq!(shown["constants"][1], json!({"name": "_RoughnessStrength", "row": 0x20 + 14}));
    assert_eq!(shown["textures"], json!([{"name": "DiffAlphaTex_A", "entry": 0x101}]));
    let decal = file(&folder, "uber_roaddecal.shaderbin", &sample().bytes());
    assert_eq!(json_of(&decal, &["--draw", "256"])["textures"][0]["row"], json!(64));
}

#[test]
fn damage_ends_with_exit_code_2_and_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = sample().bytes();
    let cut = file(&folder, "cut.shaderbin", &bytes[..bytes.len() - 8]);
    let message = bad(&cut, &["--json"]);
    assert!(message.contains(&format!("cut.shaderbin: byte {}: ", bytes.len() - 8)), "{message}");
    let parm = Bundle::read(&bytes).unwrap().blobs[0].offset;
    let mut count = bytes.clone();
    count[parm] += 1;
    let message = bad(&file(&folder, "count.shaderbin", &count), &[]);
    assert!(message.contains("byte ") && message.contains("PARM"), "{message}");
    assert!(bad(&folder.path().join("absent.shaderbin"), &[]).contains("absent.shaderbin"));
    assert!(bad(&file(&folder, "x.materialbin", b"burG"), &[]).contains("byte 4: "));
    assert!(bad(&file(&folder, "x.exr", b""), &["--switch", "A=1"]).contains(".shaderbin"));
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = sample();
    parts.parameters[0].name = "a\u{1b}[2J".to_owned();
    let path = file(&folder, "environment.shaderbin", &parts.bytes());
    assert!(!good(&path, &[]).contains('\u{1b}'));
    assert_eq!(json_of(&path, &[])["parameters"][0]["name"], json!("a\u{1b}[2J"));
}
