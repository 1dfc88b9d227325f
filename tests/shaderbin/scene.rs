//! `shader`, `switches` and `materialbin` in scene files.

use std::fs;
use std::path::PathBuf;

use scrutineer::material::bind::Input;
use scrutineer::probe::ProbeScene;
use scrutineer::scene::load::{Options, load};
use scrutineer::shaderbin::grub::{Blob, Bundle};
use scrutineer::shaderbin::record;
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::{Tag, Version};
use serde_json::json;

use super::builder::{Parts, record as flagged, sample, variants};

/// An environment whose Tint switch chooses between two variants that the family draws.
fn shader() -> Parts {
    let mut parts = sample();
    parts.variants = variants(&["Blend2", "Tint"], &[("_Standard", "10"), ("_Standard_ST", "11")]);
    parts
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(parts: &Parts) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("shaders")).unwrap();
        fs::write(folder.path().join("shaders/environment.shaderbin"), parts.bytes()).unwrap();
        Self(folder)
    }

    fn scene(&self, material: &str) -> PathBuf {
        let path = self.0.path().join("scene.toml");
        let head = "[camera]\nposition = [0, 0, 1]\n[materials.wall]\nfamily = \"environment\"\n";
        let shader = "shader = \"shaders/environment.shaderbin\"\n";
        let shader = if material.contains("shader =") || material.starts_with("#") { "" } else { shader };
        fs::write(&path, format!("{head}{shader}{material}\n")).unwrap();
        path
    }

    fn input(&self, material: &str) -> Result<Input, String> {
        let scene = ProbeScene::load(&self.scene(material)).map_err(|error| error.to_string())?;
        Ok(scene.materials["wall"].1.clone())
    }

    /// The one mistake that a render tells of: its key and message.
    fn mistake(&self, material: &str) -> (String, String) {
        let error = load(&self.scene(material), &Options::default()).err().expect("a mistake");
        assert_eq!(error.mistakes.len(), 1, "{error}");
        let mistake = &error.mistakes[0];
        assert!(mistake.line.is_some(), "{error}");
        // The probe says the same.
        let probe = self.input(material).unwrap_err();
        assert!(probe.contains(&mistake.message), "{probe}");
        (mistake.key.clone(), mistake.message.clone())
    }
}

#[test]
fn switches_replace_the_permutation_and_defaults_fill_in() {
    let folder = Folder::new(&shader());
    let input = folder.input("switches = { Tint = 1 }").unwrap();
    assert_eq!(input.permutation.as_deref(), Some("_Standard_ST"));
    // Only what the family reads; the rest of the shader's parameters are not its business.
    assert_eq!(input.parameters.keys().collect::<Vec<_>>(), ["Uv0Offset", "_RoughnessStrength"]);
    assert_eq!(input.parameters["Uv0Offset"], json!([0.25, -0.5]));
    assert_eq!(input.parameters["_RoughnessStrength"], json!(0.75));
    let input = folder.input("switches = { Tint = false }\nparameters = { _RoughnessStrength = 2 }").unwrap();
    assert_eq!(input.permutation.as_deref(), Some("_Standard"));
    assert_eq!(input.parameters["_RoughnessStrength"], json!(2));
}

#[test]
fn a_materialbin_gives_switches_and_parameters() {
    let mut parts = shader();
    parts.variants.switches[1].hash = super::builder::key("UseDeposits");
    let folder = Folder::new(&parts);
    let records = [flagged("UseDeposits", Value::Int(1)), flagged("Uv0Offset", Value::Vector([1.0, 2.0, 3.0, 4.0]))];
    let mut material = Bundle::new();
    material.blobs.push(Blob::new(Tag::MTPR, record::VERSION, record::encode(&records, None)));
    assert_eq!(material.blobs[0].version, Version(2, 1));
    fs::write(folder.0.path().join("wall.materialbin"), material.to_bytes().unwrap()).unwrap();
    let input = folder.input("materialbin = \"wall.materialbin\"").unwrap();
    assert_eq!(input.permutation.as_deref(), Some("_Standard_ST"));
    assert_eq!(input.parameters["Uv0Offset"], json!([1.0, 2.0]));
    let input = folder.input("materialbin = \"wall.materialbin\"\nswitches = { Tint = 0 }").unwrap();
    assert_eq!(input.permutation.as_deref(), Some("_Standard"));
}

#[test]
fn mistakes_have_their_key_and_line() {
    let folder = Folder::new(&shader());
    let has = |material: &str, key: &str, words: &str| {
        let (found, message) = folder.mistake(material);
        assert_eq!(found, format!("materials.wall.{key}"), "{message}");
        assert!(message.contains(words), "{message}");
    };
    has("switches = { Tint = 1 }\npermutation = \"_Standard\"", "permutation", "remove one of the two");
    has("switches = { Tnt = 1 }", "switches.Tnt", "did you mean \"Tint\"");
    has("switches = { Tint = 2 }", "switches.Tint", "expected 0, 1, false or true");
    has("switches = { Blend2 = 1 }", "switches", "2 compiled variants match");
    has(
        "switches = { Tint = 1 }\nparameters = { RoughnessStrength = 1 }",
        "parameters.RoughnessStrength",
        "did you mean \"_RoughnessStrength\"",
    );
    // The family reads DepositMask, but this shader declares none.
    has("switches = { Tint = 1 }\nparameters = { DepositMask = 1 }", "parameters.DepositMask", "declares no");
    has("switches = { Tint = 1 }\ntextures = { Other = { constant = [1, 1, 1, 1] } }", "textures.Other", "declares no");
    has("# none\nswitches = { Tint = 1 }", "switches", "needs `shader`");
    has("# none\nmaterialbin = \"x\"", "materialbin", "needs `shader`");
    has("shader = \"absent.shaderbin\"", "shader", "absent.shaderbin: ");
    has("materialbin = \"absent.materialbin\"", "materialbin", "absent.materialbin: ");
}

#[test]
fn a_damaged_shader_and_a_value_of_another_kind_are_mistakes() {
    let mut parts = shader();
    parts.defaults[2].value = Value::Vector([1.0; 4]);
    let folder = Folder::new(&parts);
    let (key, message) = folder.mistake("switches = { Tint = 1 }");
    assert_eq!(key, "materials.wall.parameters._RoughnessStrength");
    assert!(message.contains("gives a vector") && message.contains("reads number"), "{message}");
    assert!(folder.input("switches = { Tint = 1 }\nparameters = { _RoughnessStrength = 1 }").is_ok());
    let path = folder.0.path().join("shaders/environment.shaderbin");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..100]).unwrap();
    let (key, message) = folder.mistake("switches = { Tint = 1 }");
    assert_eq!(key, "materials.wall.shader");
    assert!(message.contains("environment.shaderbin: byte "), "{message}");
}

#[test]
fn a_render_loads_what_the_probe_loads() {
    let folder = Folder::new(&shader());
    let scene = folder.scene("switches = { Tint = 1 }");
    let before = load(&scene, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(before.names.materials, ["wall"]);
    // The picture depends on the shader's bytes, so its hash does.
    let mut parts = shader();
    parts.defaults[2].value = Value::Float(0.5);
    fs::write(folder.0.path().join("shaders/environment.shaderbin"), parts.bytes()).unwrap();
    let after = load(&scene, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_ne!(before.hash, after.hash);
}
