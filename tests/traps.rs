//! Traps (tests named after their numbers) where it takes a picture, or the program, to see that they are avoided. Those of the
//! readers alone are in tests/gltf and tests/texture.

#[path = "support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod support;

use std::path::Path;

use glam::{DVec3, Vec3};
use scrutineer::integrator::Integrator;
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use serde_json::json;
use support::{Asset, Shape, Shot, orthographic, pbr, render, scene, vectors, write};

/// A square metre that faces the camera; uv (0, 0) at the top left.
fn upright() -> Shape {
    Shape::quad(Vec3::ZERO, Vec3::X * 0.5, Vec3::Y * 0.5)
}

/// 8 × 8 pixels, one square metre: pixel (x, y) has the centre uv ((x + ½)/8, (y + ½)/8) of [`upright`].
fn frontal() -> String {
    let camera = orthographic(DVec3::ZERO, DVec3::Z, 1.0);
    format!(
        "[render]\nresolution = [8, 8]\nsamples = 16\nfilter = \"box\"\nmax_depth = 2\n{camera}\n[[geometry]]\nfile = \"a.glb\"\n"
    )
}

/// An AOV of the centre rays.
fn gbuffer(scene: &Scene, aov: &str) -> Vec<DVec3> {
    vectors(&render(scene, &Shot { integrator: Integrator::Gbuffer, ..Shot::default() }, &[aov]), aov)
}

fn srgb_to_linear(byte: u8) -> f64 {
    let x = f64::from(byte) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn trap_3_a_glb_whose_json_is_not_utf8_ends_with_one_error_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let mut asset = Asset::default();
    let grey = asset.plain("grey", 0.5, 0.0, 1.0);
    asset.add("nodename", &upright(), grey);
    let mut bytes = asset.glb();
    let at = bytes.windows(8).position(|window| window == b"nodename").unwrap();
    bytes[at + 3] = 0xff;
    std::fs::write(folder.path().join("a.glb"), bytes).unwrap();
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("scrutineer"));
    let output = command.args(["render", "a.glb", "-o", "a.exr"]).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("a.glb") && message.contains("UTF-8") && !message.contains("panicked"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

/// The scene in `folder` of a frontal quad whose base colour is the image `image` beside it.
fn with_image(folder: &Path, image: serde_json::Value, material: serde_json::Value) -> Scene {
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["MSFT_texture_dds"]);
    asset.push("images", image);
    asset.push("samplers", json!({"magFilter": 9728, "minFilter": 9728}));
    asset.push("textures", json!({"sampler": 0, "extensions": {"MSFT_texture_dds": {"source": 0}}}));
    let mut body = material;
    body["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}, "metallicFactor": 0.0});
    let material = asset.material("m", body);
    asset.add("quad", &upright(), material);
    write(folder, &frontal(), &asset);
    load::load(&folder.join("scene.toml"), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A 4 × 4 BC1 file under a DX9 header, every index the same.
fn bc1(colours: [u16; 2], index: u8) -> Vec<u8> {
    let mut words = [0u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x1007, 4, 4);
    (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(*b"DXT1"));
    words[27] = 0x1000;
    let header = words.iter().flat_map(|word| word.to_le_bytes());
    let ends = colours.iter().flat_map(|colour| colour.to_le_bytes());
    header.chain(ends).chain([index * 0b0101_0101; 4]).collect()
}

#[test]
fn trap_9_a_texture_is_found_by_its_decoded_uri() {
    let cases = [
        ("my%20tex.dds", "my tex.dds"),
        ("my tex.dds", "my tex.dds"),
        ("../out.dds", "../out.dds"),
        ("gr%C3%BCn.dds", "grün.dds"),
    ];
    for (uri, file) in cases {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        // Pure green in 5:6:5.
        std::fs::write(inner.join(file), bc1([0x07e0, 0], 0)).unwrap();
        let scene = with_image(&inner, json!({"uri": uri, "mimeType": "image/vnd-ms.dds"}), json!({}));
        assert_eq!(gbuffer(&scene, "RT0")[0], DVec3::Y, "{uri}");
    }
}

#[test]
fn trap_29_bc1_index_3_is_opaque_black_as_a_colour_and_a_hole_in_a_mask() {
    let folder = tempfile::tempdir().unwrap();
    let image = || json!({"uri": "a.dds", "mimeType": "image/vnd-ms.dds"});
    // c0 < c1: the third of three colours is followed by transparent black.
    std::fs::write(folder.path().join("a.dds"), bc1([0x0000, 0xffff], 3)).unwrap();
    let opaque = with_image(folder.path(), image(), json!({}));
    assert_eq!(gbuffer(&opaque, "RT0"), vec![DVec3::ZERO; 64]);
    assert!(gbuffer(&opaque, "instance").iter().all(|id| id.x == 1.0), "it is there");
    let mask = with_image(folder.path(), image(), json!({"alphaMode": "MASK"}));
    assert!(gbuffer(&mask, "instance").iter().all(|id| id.x == 0.0), "it is a hole");
    // c0 > c1: index 3 is a colour.
    std::fs::write(folder.path().join("a.dds"), bc1([0xffff, 0x0000], 3)).unwrap();
    let third = gbuffer(&with_image(folder.path(), image(), json!({"alphaMode": "MASK"})), "RT0")[9];
    assert!((third - DVec3::splat(srgb_to_linear(85))).abs().max_element() < 1e-6, "{third}");
}

/// offset + 30° + scale (2, ½) at once; the texels by hand: u' = 0.1 + 2u·cos 30° + v/2·sin 30°, v' = 0.2 − 2u·sin 30° + v/2·cos 30°.
#[test]
fn trap_17_three_texels_under_a_texture_transform() {
    let value = |x: u32, y: u32| (16 * (x + 4 * y) + 8) as u8;
    let picture = image::RgbaImage::from_fn(4, 4, |x, y| image::Rgba([value(x, y), value(x, y), value(x, y), 255]));
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    let texture = asset.texture(&picture.into());
    let mut body = pbr([1.0; 4], 0.0, 1.0);
    body["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": texture, "extensions": {"KHR_texture_transform":
        {"offset": [0.1, 0.2], "rotation": 30f64.to_radians(), "scale": [2, 0.5]}}});
    let material = asset.material("m", body);
    asset.add("quad", &upright(), material);
    let albedo = gbuffer(&scene(&frontal(), &asset), "RT0");
    // (0.0625, 0.0625) → (0.224, 0.165); (0.5625, 0.1875) → (1.121, −0.281); (0.3125, 0.8125) → (0.844, 0.239).
    for ([x, y], texel) in [([0, 0], [0, 0]), ([4, 1], [0, 2]), ([2, 6], [3, 0])] {
        let (found, expected) = (albedo[8 * y + x].x, srgb_to_linear(value(texel[0], texel[1])));
        assert!((found - expected).abs() < 1e-6, "pixel ({x}, {y}): {found}, texel {texel:?} is {expected}");
    }
}

#[test]
fn trap_19_a_grey_vertex_colour_of_bytes_and_a_grey_factor_give_one_radiance() {
    let sky = "[sky]\nkind = \"constant\"\nradiance = [1, 1, 1]\n";
    let picture = |factor: f64, vertex_colour: bool| {
        let mut asset = Asset::default();
        let material = asset.material("m", pbr([factor, factor, factor, 1.0], 0.0, 1.0));
        let mesh = asset.mesh("quad", &upright(), material);
        if vertex_colour {
            let view = asset.view(&[128, 128, 128, 0].repeat(4));
            asset.json["bufferViews"][view]["byteStride"] = json!(4);
            let colour =
                json!({"bufferView": view, "componentType": 5121, "normalized": true, "type": "VEC3", "count": 4});
            let colour = asset.push("accessors", colour);
            asset.json["meshes"][mesh]["primitives"][0]["attributes"]["COLOR_0"] = json!(colour);
        }
        asset.push("nodes", json!({"mesh": mesh}));
        let scene = scene(&(frontal() + sky), &asset);
        vectors(&render(&scene, &Shot::default(), &["beauty"]), "beauty")
    };
    let grey = 128.0 / 255.0;
    let (alone, by_vertex, both, by_factor) =
        (picture(1.0, false), picture(1.0, true), picture(0.5, true), picture(0.5 * grey, false));
    let ratio = |a: &[DVec3], b: &[DVec3]| a.iter().sum::<DVec3>().x / b.iter().sum::<DVec3>().x;
    assert!((ratio(&both, &by_factor) - 1.0).abs() < 1e-5, "the two multiply, linearly");
    // Diffuse light is proportional to the colour; the specular part is the same in all.
    let (full, half, quarter) = (ratio(&alone, &alone), ratio(&by_vertex, &alone), ratio(&both, &alone));
    assert!(((full - half) / (half - quarter) - (1.0 - grey) / (grey - 0.5 * grey)).abs() < 0.02, "{half} {quarter}");
}

#[test]
fn trap_21_the_vertical_extent_is_the_cameras_at_every_aspect_of_the_output() {
    let mut asset = Asset::default();
    let grey = asset.plain("grey", 0.5, 0.0, 1.0);
    asset.add("quad", &upright(), grey);
    let right = std::f64::consts::FRAC_PI_2;
    asset.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": right, "aspectRatio": 16.0 / 9.0, "znear": 0.1}},
        {"type": "perspective", "perspective": {"yfov": right, "znear": 0.1}},
        {"type": "orthographic", "orthographic": {"xmag": 8, "ymag": 2, "znear": 0, "zfar": 10}}
    ]);
    for camera in 0..3 {
        asset.push("nodes", json!({"camera": camera, "translation": [0, 0, 2]}));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.glb"), asset.glb()).unwrap();
    for resolution in [[100, 100], [90, 160], [160, 90]] {
        let options = Options { resolution: Some(resolution), ..Options::default() };
        let scene = load::load(&folder.path().join("a.glb"), &options).unwrap();
        assert_eq!(scene.cameras.len(), 3);
        let [width, height] = resolution.map(f64::from);
        for camera in &scene.cameras {
            // Half the height, two metres ahead: 2 m at 90°, and ymag.
            let top = camera.camera.project(DVec3::new(0.0, 2.0, 0.0)).unwrap();
            assert!((top[0] - width / 2.0).abs() < 1e-9 && top[1].abs() < 1e-9, "{resolution:?}: {top:?}");
            // Pixels are square: as far to the right as half the height.
            let right = camera.camera.project(DVec3::new(2.0, 0.0, 0.0)).unwrap();
            assert!((right[0] - (width + height) / 2.0).abs() < 1e-9, "{resolution:?}: {right:?}");
        }
    }
}

/// A lamp with a triangle of no area, and one that a scale of 0 makes flat, light what they should and leave no NaN.
#[test]
fn trap_53_degenerate_emissive_triangles() {
    let lit = |degenerate: bool, flat: bool| {
        let mut asset = Asset::default();
        let floor = asset.plain("floor", 0.5, 0.0, 1.0);
        asset.add("floor", &Shape::quad(Vec3::ZERO, Vec3::Z, Vec3::X), floor);
        let lamp = asset.material("lamp", json!({"emissiveFactor": [1, 1, 1]}));
        let mut shape = Shape::quad(Vec3::new(0.0, 1.0, 0.0), Vec3::X * 0.5, Vec3::Z * 0.5);
        if degenerate {
            shape.indices.extend([0, 0, 1, 2, 2, 2]);
        }
        asset.add("lamp", &shape, lamp);
        if flat {
            let ball = asset.mesh("ball", &Shape::sphere(Vec3::ZERO, 0.3, 1), lamp);
            asset.push("nodes", json!({"mesh": ball, "translation": [0, -3, 0], "scale": [1, 0, 1]}));
            asset.push("nodes", json!({"mesh": ball, "translation": [9, 3, 0], "scale": [0, 0, 0]}));
        }
        let camera = orthographic(DVec3::ZERO, DVec3::new(0.0, 1.0, 3.0), 0.5);
        let toml = format!(
            "[render]\nresolution = [8, 8]\nsamples = 256\nmax_depth = 3\n{camera}[[geometry]]\nfile = \"a.glb\"\n"
        );
        // `render` refuses samples that are not finite.
        let film = render(&scene(&toml, &asset), &Shot::default(), &["beauty"]);
        vectors(&film, "beauty").iter().sum::<DVec3>().x / 64.0
    };
    let whole = lit(false, false);
    assert!(whole > 0.02, "{whole}");
    // The same light: the flat ball shines below the floor.
    for (degenerate, flat) in [(true, false), (true, true)] {
        let other = lit(degenerate, flat);
        assert!((other / whole - 1.0).abs() < 0.02, "{other} is not {whole}");
    }
}
