//! Materials as plain data, and the choice of images.

use std::path::Path;
use std::sync::{Arc, Mutex};

use glam::Vec2;
use scrutineer::material::gltf::GltfMaterial;
use scrutineer::scene::gltf::{self, AlphaMode, ImageSource, Images, MaterialDef};
use scrutineer::texture::{Address, Filter, Texture, Transfer};
use serde_json::{Value, json};

use crate::builder::{Asset, load, warned};

fn material(material: Value, textures: Value) -> Result<MaterialDef, gltf::GltfError> {
    let file = json!({
        "asset": {"version": "2.0"},
        "images": [{"uri": "a.png"}, {"uri": "a.dds"}],
        "samplers": [{"magFilter": 9728, "wrapS": 33648, "wrapT": 33071}, {}],
        "textures": textures,
        "materials": [material]
    });
    load(file.to_string().as_bytes(), "gltf").map(|mut document| document.materials.remove(0))
}

/// `KHR_texture_transform` and `MSFT_texture_dds` in one texture.
#[test]
fn trap_17_texture_transforms_are_translation_rotation_scale() {
    let transform = json!({"offset": [0.1, 0.2], "rotation": 30f64.to_radians(), "scale": [2, 0.5], "texCoord": 3});
    let info = json!({"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": transform}});
    let def = material(json!({"pbrMetallicRoughness": {"baseColorTexture": info}}), json!([{"source": 0}])).unwrap();
    let texture = def.base_color_texture.unwrap();
    assert_eq!(texture.uv_set, 3, "the transform's own set wins");
    // By hand: scale to (2u, v/2); turn (1, 0) by 30° toward −v, (0, 1) toward +u; then add the offset.
    for (uv, expected) in [
        (Vec2::X, Vec2::new(0.1 + 1.732_050_8, 0.2 - 1.0)),
        (Vec2::Y, Vec2::new(0.1 + 0.25, 0.2 + 0.433_012_7)),
        (Vec2::ONE, Vec2::new(2.082_050_8, -0.366_987_3)),
    ] {
        let found = texture.transform.transform_point2(uv);
        assert!((found - expected).length() < 1e-6, "{uv} → {found}, expected {expected}");
    }
}

/// The specification's own example: the lower left quadrant of the image, turned by 90°.
#[test]
fn the_specifications_example_selects_the_lower_left_quadrant() {
    let transform = json!({"offset": [0, 1], "rotation": std::f64::consts::FRAC_PI_2, "scale": [0.5, 0.5]});
    let info = json!({"index": 0, "extensions": {"KHR_texture_transform": transform}});
    let texture = material(json!({"emissiveTexture": info}), json!([{"source": 0}])).unwrap().emissive_texture.unwrap();
    let corners = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE].map(|uv| texture.transform.transform_point2(uv));
    let low = corners.into_iter().reduce(Vec2::min).unwrap();
    let high = corners.into_iter().reduce(Vec2::max).unwrap();
    assert!(
        (low - Vec2::new(0.0, 0.5)).length() < 1e-6 && (high - Vec2::new(0.5, 1.0)).length() < 1e-6,
        "{low} {high}"
    );
}

#[test]
fn samplers_and_the_choice_of_images_are_read() {
    let textures =
        json!([{"source": 0, "sampler": 0, "extensions": {"MSFT_texture_dds": {"source": 1}}}, {"sampler": 1}]);
    let def = material(json!({"normalTexture": {"index": 0, "scale": 0.25}}), textures.clone()).unwrap();
    let texture = def.normal_texture.unwrap();
    assert_eq!((texture.images, def.normal_scale), (vec![1, 0], 0.25));
    assert_eq!((texture.sampler.address, texture.sampler.filter), ([Address::Mirror, Address::Clamp], Filter::Nearest));
    let def = material(json!({"normalTexture": {"index": 1}}), textures).unwrap();
    assert_eq!(def.normal_texture, None, "a texture without an image that is read is left out");
}

#[test]
fn defaults_are_those_of_the_specification() {
    let def = material(json!({"name": "default material"}), json!([])).unwrap();
    assert_eq!(def, MaterialDef::default());
    assert_eq!((def.metallic, def.roughness, def.ior), (1.0, 1.0, 1.5));
}

#[test]
fn extensions_and_alpha_modes_are_read() {
    let def = material(
        json!({
            "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true, "emissiveFactor": [1, 0.5, 0],
            "extensions": {
                "KHR_materials_emissive_strength": {"emissiveStrength": 4},
                "KHR_materials_transmission": {"transmissionFactor": 0.75},
                "KHR_materials_ior": {"ior": 1.33},
                "KHR_materials_unlit": {}
            }
        }),
        json!([]),
    )
    .unwrap();
    assert_eq!((def.alpha, def.double_sided, def.unlit), (AlphaMode::Mask { cutoff: 0.25 }, true, true));
    assert_eq!((def.emissive, def.ior, def.transmission.unwrap().factor), ([4.0, 2.0, 0.0], 1.33, 0.75));
    let error = material(json!({"alphaMode": "CLIP"}), json!([])).unwrap_err();
    assert_eq!(error.pointer, "/materials/0/alphaMode");
    let error = material(json!({"normalTexture": {"index": 0, "texCoord": 5}}), json!([{"source": 0}])).unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.message.as_str()),
        ("/materials/0/normalTexture/texCoord", "TEXCOORD_5 is not read; allowed: 0 to 4")
    );
}

/// Notes what is opened; every image decodes to nothing.
#[derive(Default)]
struct Recorder(Mutex<Vec<(String, Transfer)>>);

impl ImageSource for Recorder {
    fn file(&mut self, path: &Path, transfer: Transfer) -> Result<Arc<Texture>, String> {
        assert!(path.is_absolute());
        let name = path.file_name().unwrap().display().to_string();
        self.0.get_mut().unwrap().push((name, transfer));
        Err("not an image".to_owned())
    }

    fn bytes(&mut self, _: &str, _: &[u8], _: Transfer) -> Result<Arc<Texture>, String> {
        Err("not an image".to_owned())
    }
}

#[test]
fn the_dds_is_preferred_and_the_png_stands_in_where_it_is_absent() {
    let folder = tempfile::tempdir().unwrap();
    let mut asset = Asset::quad();
    asset.json["images"] = json!([{"uri": "a.png"}, {"uri": "a.dds"}]);
    asset.json["textures"] = json!([{"source": 0, "extensions": {"MSFT_texture_dds": {"source": 1}}}]);
    asset.json["materials"] = json!([{"emissiveTexture": {"index": 0}, "occlusionTexture": {"index": 0}}]);
    let path = folder.path().join("asset.glb");
    std::fs::write(&path, asset.glb()).unwrap();
    let bind = || {
        let document = gltf::read(&path).unwrap();
        let mut recorder = Recorder::default();
        let faults = GltfMaterial::bind(&document.materials[0], &mut Images::new(&document.images, &mut recorder));
        (recorder.0.into_inner().unwrap(), faults.err().unwrap(), document)
    };
    let (opened, faults, document) = bind();
    assert!(opened.is_empty() && document.warnings.is_empty());
    assert!(faults[0].message.contains("a.dds: no such file") && faults[0].message.contains("a.png: no such file"));
    std::fs::write(folder.path().join("a.png"), b"").unwrap();
    let (opened, _, document) = bind();
    let names: Vec<_> = opened.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.png", "a.png"]);
    assert!(warned(&document, "/images/1: is missing"));
    std::fs::write(folder.path().join("a.dds"), b"").unwrap();
    let (opened, faults, document) = bind();
    assert_eq!(opened, [("a.dds".to_owned(), Transfer::Linear), ("a.dds".to_owned(), Transfer::Srgb)]);
    assert!(document.warnings.is_empty());
    let dds = folder.path().join("a.dds");
    let files = GltfMaterial::files(&document.materials[0], &document.images);
    assert_eq!(files, [(dds.clone(), Transfer::Linear), (dds, Transfer::Srgb)]);
    let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
    assert_eq!(keys, ["occlusionTexture", "emissiveTexture"]);
}
