//! `.materialbin` files and their chains.

use std::fs;
use std::path::Path;

use scrutineer::shaderbin::grub::{Blob, Bundle};
use scrutineer::shaderbin::record::{self, Record};
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::{Chain, Material, Shaderbin, Tag, Version};

use super::builder::{record as flagged, sample};

fn string(text: &str) -> Vec<u8> {
    [&[text.len() as u8][..], text.as_bytes()].concat()
}

fn bundle(parent: Option<&str>, shader: Option<&str>, records: &[Record]) -> Bundle {
    let mut bundle = Bundle::new();
    let mut add = |tag, version, data| bundle.blobs.push(Blob::new(tag, version, data));
    parent.into_iter().for_each(|path| add(Tag::MATI, Version(1, 0), string(path)));
    shader.into_iter().for_each(|path| add(Tag::MATL, Version(1, 1), [string(path), string("second")].concat()));
    add(Tag::MTPR, record::VERSION, record::encode(records, Some([1, 2, 3])));
    bundle
}

fn write(path: &Path, bundle: &Bundle) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bundle.to_bytes().unwrap()).unwrap();
}

#[test]
fn a_chain_resolves_from_the_defaults_through_parents_to_the_instance() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("Media/Materials/Root.materialbin");
    let middle = folder.path().join("Media/Materials/Sub/Middle.materialbin");
    let leaf = folder.path().join("Media/Tracks/T/leaf.materialbin");
    let shader_path = r"Game:\Media\Shaders\environment.shaderbin";
    let strength = |value| flagged("_RoughnessStrength", Value::Float(value));
    write(&root, &bundle(None, Some(shader_path), &[strength(0.1), flagged("Blend2", Value::Int(0))]));
    // Case and slashes of a game's path differ from those on disk.
    let middle_parent = r"GAME:\media\materials\root.materialbin";
    write(&middle, &bundle(Some(middle_parent), None, &[strength(0.2), flagged("UseDeposits", Value::Bool(0))]));
    write(&leaf, &bundle(Some(r"Game:\Media\Materials\Sub\Middle.materialbin"), None, &[strength(0.3)]));

    let chain = Chain::load(&leaf).unwrap();
    assert_eq!(chain.shader(), Some(shader_path));
    let files: Vec<_> = chain.files().map(|path| path.file_name().unwrap().to_str().unwrap().to_lowercase()).collect();
    assert_eq!(files, ["root.materialbin", "middle.materialbin", "leaf.materialbin"]);
    let shader = Shaderbin::read(&sample().bytes()).unwrap();
    let merged = shader.merged(chain.overrides());
    let value = |name: &str| &merged[&shader.by_name(name).unwrap().key].value;
    assert_eq!(value("_RoughnessStrength"), &Value::Float(0.3));
    assert_eq!(value("UseDeposits"), &Value::Bool(0));
    assert_eq!(value("Blend2"), &Value::Int(0));
    assert_eq!(value("BlendColour"), &Value::Colour([0.5, 0.25, 0.125, 1.0]));
}

#[test]
fn a_parent_beside_the_material_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let leaf = folder.path().join("leaf.materialbin");
    write(&leaf, &bundle(Some(r"Game:\Media\Elsewhere\root.materialbin"), None, &[]));
    let error = Chain::load(&leaf).unwrap_err();
    assert!(
        error.contains("leaf.materialbin") && error.contains(r"Elsewhere\root.materialbin is not found"),
        "{error}"
    );
    write(&folder.path().join("root.materialbin"), &bundle(None, None, &[]));
    assert_eq!(Chain::load(&leaf).unwrap().materials.len(), 2);
}

#[test]
fn circles_damage_and_ways_out_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.materialbin"), folder.path().join("b.materialbin"));
    write(&a, &bundle(Some(r"Game:\b.materialbin"), None, &[]));
    write(&b, &bundle(Some(r"Game:\a.materialbin"), None, &[]));
    assert!(Chain::load(&a).unwrap_err().contains("does not end"));
    write(&b, &bundle(Some(r"Game:\..\a.materialbin"), None, &[]));
    assert!(Chain::load(&a).unwrap_err().contains("not found"));
    fs::write(&b, b"burG").unwrap();
    let error = Chain::load(&a).unwrap_err();
    assert!(error.contains("b.materialbin: byte 4: "), "{error}");
    assert!(Chain::load(&folder.path().join("absent.materialbin")).unwrap_err().contains("absent.materialbin: "));
}

#[test]
fn blobs_of_a_material_are_read_to_their_last_byte() {
    let good = bundle(Some("p"), Some("s"), &[flagged("Hue", Value::Float(1.0))]);
    let read = Material::read(&good.to_bytes().unwrap()).unwrap();
    assert_eq!((read.parent.as_deref(), read.shader.as_deref(), read.records().len()), (Some("p"), Some("s"), 1));
    assert_eq!(read.overrides.unwrap().trailer, Some([1, 2, 3]));
    for tag in [Tag::MATI, Tag::MATL] {
        let mut longer = good.clone();
        let blob = longer.blobs.iter_mut().find(|blob| blob.tag == tag).unwrap();
        blob.data.push(0);
        let expected = blob.data.len() - 1;
        let bytes = longer.to_bytes().unwrap();
        let offset = Bundle::read(&bytes).unwrap().one(tag).unwrap().unwrap().offset;
        assert_eq!(Material::read(&bytes).unwrap_err().offset, offset + expected);
    }
}
