//! Texture sampling through families, against hand arithmetic on 4 × 4 textures.

use std::fs;
use std::path::Path;

use image::{Rgb, RgbImage};
use scrutineer::probe::{Answer, ProbeScene, Session};
use scrutineer::texture::Store;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The stored byte of texel (x, y): red tells the column, green the row, blue both.
fn texel(x: u32, y: u32) -> [u8; 3] {
    [(x * 60) as u8, (y * 60) as u8, (x * 20 + y * 40) as u8]
}

fn unorm(byte: f32) -> f32 {
    byte / 255.0
}

/// IEC 61966-2-1.
fn srgb(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// A folder with `t.png` of [`texel`]s, `rm.dds` of signed bytes, and a scene.
struct Bench(TempDir);

impl Bench {
    fn new(materials: &str) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let picture = RgbImage::from_fn(4, 4, |x, y| Rgb(texel(x, y)));
        picture.save(folder.path().join("t.png")).expect("the folder is writable");
        fs::write(folder.path().join("rm.dds"), signed_dds()).expect("the folder is writable");
        fs::write(folder.path().join("scene.toml"), materials).expect("the folder is writable");
        Self(folder)
    }

    fn answers(&self, points: &[Value]) -> Vec<Answer> {
        let scene = ProbeScene::load(&self.path().join("scene.toml")).unwrap_or_else(|errors| panic!("{errors}"));
        let mut store = Store::new("", scene.default_colour_space);
        let mut session = Session::new(scene, &mut store);
        let answer = |point: &Value| session.line(point.to_string().as_bytes());
        points.iter().map(answer).map(|answer| answer.unwrap_or_else(|failure| panic!("{failure}"))).collect()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Roughness of column x: −1 (stored −128 and −127), 1, 64/127. Metalness: 0 but in row 3, where it is −1.
const ROUGHNESS: [i8; 4] = [-128, -127, 127, 64];

/// R8G8_SNORM with a DX10 header.
fn signed_dds() -> Vec<u8> {
    let mut words = [0u32; 37];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1..6].copy_from_slice(&[124, 0x100f, 4, 4, 8]);
    words[19..22].copy_from_slice(&[32, 4, u32::from_le_bytes(*b"DX10")]);
    words[27] = 0x1000;
    words[32..37].copy_from_slice(&[51, 3, 0, 1, 0]);
    let texels = (0..16).flat_map(|index| [ROUGHNESS[index % 4], if index / 4 == 3 { -127 } else { 0 }]);
    let header = words.iter().flat_map(|word| word.to_le_bytes());
    header.chain(texels.map(|value| value as u8)).collect()
}

/// Albedo of `diff1` at each uv, its texture sampled as `keys` say.
fn diff1(keys: &str, uvs: &[[f32; 2]]) -> Vec<[f32; 3]> {
    let texture = format!("{{ file = \"t.png\", {keys} }}");
    let bench = Bench::new(&format!("[materials.m]\nfamily = \"diff1\"\ntextures = {{ DiffuseA = {texture} }}\n"));
    let points: Vec<Value> = uvs.iter().map(|uv| json!({"material": "m", "uv0": uv})).collect();
    bench.answers(&points).iter().map(|answer| answer.albedo.map(|number| number.0)).collect()
}

fn assert_near(found: [f32; 3], expected: [f32; 3], what: &str) {
    for (a, b) in found.into_iter().zip(expected) {
        assert!((a - b).abs() < 1e-6, "{what}: {found:?} for {expected:?}");
    }
}

#[test]
fn the_centre_of_a_texel_is_its_value() {
    let centres: Vec<[u32; 2]> = (0..16).map(|index| [index % 4, index / 4]).collect();
    let uvs: Vec<[f32; 2]> = centres.iter().map(|at| at.map(|side| (side as f32 + 0.5) / 4.0)).collect();
    for (at, albedo) in centres.iter().zip(diff1("colour_space = \"linear\"", &uvs)) {
        assert_near(albedo, texel(at[0], at[1]).map(|byte| unorm(f32::from(byte))), &format!("{at:?}"));
    }
}

#[test]
fn between_centres_four_texels_are_weighted_by_their_distance() {
    // u·4 − ½ = 1.25, v·4 − ½ = 0.5: three quarters of column 1, one of column 2; rows 0 and 1 alike.
    let albedo = diff1("colour_space = \"linear\"", &[[0.4375, 0.25]])[0];
    assert_near(albedo, [unorm(75.0), unorm(30.0), unorm(45.0)], "0.75·60 + 0.25·120, 0.5·60, 20·1.25 + 40·0.5");
    let nearest = diff1("colour_space = \"linear\", filter = \"nearest\"", &[[0.4375, 0.25]])[0];
    assert_near(nearest, texel(1, 1).map(|byte| unorm(f32::from(byte))), "floor(1.75), floor(1)");
}

#[test]
fn outside_of_the_image_each_address_mode_finds_its_texels() {
    // On the left edge, in the middle of row 0: half of the texel inside and half of the neighbour that the mode gives.
    let edge = [[0.0, 0.125]];
    let red = |mode: &str, uv: &[[f32; 2]]| {
        diff1(&format!("colour_space = \"linear\", address = \"{mode}\""), uv)
            .iter()
            .map(|rgb| rgb[0])
            .collect::<Vec<_>>()
    };
    for (mode, expected) in [("wrap", 90.0), ("clamp", 0.0), ("mirror", 0.0), ("border", 0.0)] {
        assert!((red(mode, &edge)[0] - unorm(expected)).abs() < 1e-6, "{mode}");
    }
    // The centre of column 1, one image to the right and one to the left; and 1.125 images beyond.
    let far = [[1.375, 0.125], [-0.625, 0.125]];
    for (mode, expected) in
        [("wrap", [60.0, 60.0]), ("clamp", [180.0, 0.0]), ("mirror", [120.0, 120.0]), ("border", [0.0; 2])]
    {
        for (found, expected) in red(mode, &far).into_iter().zip(expected) {
            assert!((found - unorm(expected)).abs() < 1e-6, "{mode}: {found} for {expected}/255");
        }
    }
    // Half of the last column, half of the border's black.
    assert!((red("border", &[[1.0, 0.125]])[0] - unorm(90.0)).abs() < 1e-6);
    let mixed = diff1("colour_space = \"linear\", address = [\"clamp\", \"wrap\"]", &[[-0.625, 1.375]])[0];
    assert_near(mixed, [0.0, unorm(60.0), unorm(40.0)], "u clamps to column 0, v wraps to row 1");
}

#[test]
fn srgb_is_decoded_before_it_is_filtered() {
    let found = diff1("colour_space = \"srgb\"", &[[0.875, 0.125], [0.75, 0.125]]);
    assert_near(found[0], [srgb(180), 0.0, srgb(60)], "the centre of texel (3, 0)");
    let mean = |a: u8, b: u8| 0.5 * (srgb(a) + srgb(b));
    assert_near(found[1], [mean(120, 180), 0.0, mean(40, 60)], "half way between texels (2, 0) and (3, 0)");
}

#[test]
fn channels_are_taken_in_the_order_that_the_entry_names() {
    let found = diff1("colour_space = \"linear\", channel_order = \"brga\"", &[[0.875, 0.375]])[0];
    assert_near(found, [unorm(100.0), unorm(180.0), unorm(60.0)], "blue, red, green of texel (3, 1)");
}

#[test]
fn a_tiling_multiplies_before_the_texture_is_addressed() {
    let scene = "[textures]\nshared = { file = \"t.png\", colour_space = \"linear\" }\n[materials.m]\nfamily = \"diff1\"\n\
                 parameters = { UVTilingA = [3, 2] }\ntextures = { DiffuseA = \"shared\" }\n";
    let answers = Bench::new(scene).answers(&[json!({"material": "m", "uv0": [0.625, 0.6875]})]);
    // (1.875, 1.375): column 3, row 1.
    assert_near(answers[0].albedo.map(|number| number.0), [unorm(180.0), unorm(60.0), unorm(100.0)], "tiled");
}

#[test]
fn signed_textures_keep_their_sign_through_the_filter() {
    let scene = "[materials.m]\nfamily = \"projection_lod\"\npermutation = \"_RM\"\n\
                 textures = { RoughnessMetalnessATexture = \"rm.dds\" }\n";
    let cases = [
        ([0.125, 0.125], -1.0, 0.0),
        ([0.375, 0.125], -1.0, 0.0),
        ([0.625, 0.125], 1.0, 0.0),
        ([0.875, 0.125], 64.0 / 127.0, 0.0),
        // Half way: from −1 to 1, and from row 2's 0 to row 3's −1.
        ([0.5, 0.125], 0.0, 0.0),
        ([0.125, 0.75], -1.0, -0.5),
    ];
    let points: Vec<Value> = cases.iter().map(|(uv, ..)| json!({"material": "m", "uv0": uv})).collect();
    for (answer, (uv, roughness, metalness)) in Bench::new(scene).answers(&points).iter().zip(cases) {
        assert!((answer.roughness.0 - roughness).abs() < 1e-6, "{uv:?}: roughness {}", answer.roughness.0);
        assert!((answer.metalness.0 - metalness).abs() < 1e-6, "{uv:?}: metalness {}", answer.metalness.0);
    }
}

#[test]
fn terrain_is_addressed_by_world_x_and_z() {
    let scene = "[materials.m]\nfamily = \"terr_mega\"\npermutation = \"_Default\"\n\
                 parameters = { BlendMapOffset = [0.5, 0.25], BlendMapScale = [0.01, -0.02] }\n\
                 textures = { TerrainNormalTexture = { file = \"t.png\", colour_space = \"linear\" } }\n";
    // (0.5 + 0.375, 0.25 + 0.375): column 3, row 2; the height and the mesh's uv do not count.
    let point = json!({"material": "m", "position": [37.5, 99.0, -18.75], "uv0": [0.1, 0.1]});
    let answer = &Bench::new(scene).answers(&[point])[0];
    assert_near(answer.albedo.map(|number| number.0), [unorm(180.0), unorm(120.0), unorm(140.0)], "world planar");
}

#[test]
fn a_road_layer_may_lie_in_the_world_plane_with_v_against_z() {
    let scene = "[world]\nroad_uv_origin = [100, 200]\n[materials.m]\nfamily = \"uber_road\"\npermutation = \"_blend1\"\n\
                 parameters = { UberRoadAUVSet = -1, UberRoadAUVTiling = [0.5, 2], UberRoadAWorldUVScale = [0.25, 0.125] }\n\
                 textures = { UberRoadADiffuseTexture = { file = \"t.png\", colour_space = \"linear\" } }\n";
    // u = (103 − 100)·0.5·0.25 = 0.375: column 1; v = −(197.5 − 200)·2·0.125 = 0.625: row 2.
    let point = json!({"material": "m", "position": [103, 0, 197.5]});
    let answer = &Bench::new(scene).answers(&[point])[0];
    // The tint's default, one half, is the overlay's identity.
    assert_near(answer.albedo.map(|number| number.0), [unorm(60.0), unorm(120.0), unorm(100.0)], "world planar");
}
