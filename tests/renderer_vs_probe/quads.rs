//! Awkwardly placed quads with a family on them, by hand arithmetic; and the command.

use std::path::PathBuf;

use glam::Vec3;
use scrutineer::probe;
use scrutineer::scene::load::{self, Options};
use serde_json::{Value, json};

use crate::{Targets, assert_near, targets_of};

/// A folder with one-metre quads in z = 0, of a material whose normal map is one colour.
struct Quads(tempfile::TempDir);

/// x = 0.6, y = 0.48, z = 0.64 after the standard decode.
const SCENE: &str = r#"
[render]
resolution = [100, 20]
[camera]
kind = "orthographic"
height = 2
position = [0, 0, 5]
target = [0, 0, 0]
[[geometry]]
file = "quads.gltf"
[materials.m]
family = "uber_branch"
textures = { NormalA = { constant = [0.8, 0.74, 0, 1] }, DiffuseA = { constant = [0.1, 0.2, 0.3, 0.4] } }
"#;

impl Quads {
    fn new() -> Self {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let positions = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0f32]];
        let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0f32]];
        let mirrored = uvs.map(|[u, v]| [1.0 - u, v]);
        // 60° about Y, twice as wide.
        let (rotation, scale) = ([0.0, 0.5, 0.0, 0.75f32.sqrt()], [2.0, 1.0, 1.0f32]);
        let mut bytes: Vec<u8> = [0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()).collect();
        let floats = [positions.as_flattened(), uvs.as_flattened(), mirrored.as_flattened(), &rotation, &scale];
        bytes.extend(floats.concat().iter().flat_map(|value| value.to_le_bytes()));
        let view = |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let accessor = |view: usize, kind: &str, count: usize| {
            let component = if view == 0 { 5123 } else { 5126 };
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count,
                   "min": [-0.5, -0.5, 0.0], "max": [0.5, 0.5, 0.0]})
        };
        let mesh = |uv: usize| json!({"primitives": [{"attributes": {"POSITION": 1, "TEXCOORD_0": uv}, "indices": 0, "material": 0}]});
        let quarter = std::f32::consts::FRAC_1_SQRT_2;
        let root = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
            "extensionsUsed": ["EXT_mesh_gpu_instancing"],
            "materials": [{"name": "m"}], "meshes": [mesh(2), mesh(3)],
            "nodes": [
                {"mesh": 0, "translation": [-4, 0, 0]},
                {"mesh": 1, "translation": [-2, 0, 0]},
                {"mesh": 0, "scale": [-1, 1, 1]},
                {"mesh": 0, "translation": [2, 0, 0], "rotation": [0, 0, quarter, quarter]},
                {"mesh": 0, "translation": [4, 0, 0],
                 "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"ROTATION": 4, "SCALE": 5}}}}],
            "accessors": [accessor(0, "SCALAR", 6), accessor(1, "VEC3", 4), accessor(2, "VEC2", 4),
                accessor(3, "VEC2", 4), accessor(4, "VEC4", 1), accessor(5, "VEC3", 1)],
            "bufferViews": [view(0, 12), view(12, 48), view(60, 32), view(92, 32), view(124, 16), view(140, 12)],
            "buffers": [{"uri": "quads.bin", "byteLength": bytes.len()}]});
        std::fs::write(folder.path().join("quads.bin"), bytes).expect("the folder is writable");
        std::fs::write(folder.path().join("quads.gltf"), root.to_string()).expect("the folder is writable");
        std::fs::write(folder.path().join("scene.toml"), SCENE).expect("the folder is writable");
        Self(folder)
    }

    fn scene(&self) -> PathBuf {
        self.0.path().join("scene.toml")
    }
}

#[test]
fn quads_however_placed_have_the_right_normal() {
    let quads = Quads::new();
    let scene = load::load(&quads.scene(), &Options::default()).expect("the quads load");
    let targets = Targets::render(&scene);
    // n = T·0.6 − B·0.48 + N·0.64 in the scene frame, B up in the image.
    let (sin, cos) = (0.75f32.sqrt(), 0.5);
    let cases = [
        ("as modelled: T = +X, B = +Y", -4.0, Vec3::new(0.6, -0.48, 0.64)),
        ("mirrored uv: T = −X, B = +Y", -2.0, Vec3::new(-0.6, -0.48, 0.64)),
        ("negative scale: T = −X, B = +Y", 0.0, Vec3::new(-0.6, -0.48, 0.64)),
        ("a quarter turn about Z: T = +Y, B = −X", 2.0, Vec3::new(0.48, 0.6, 0.64)),
        ("instanced, 60° about Y", 4.0, Vec3::new(0.6 * cos + 0.64 * sin, -0.48, 0.64 * cos - 0.6 * sin)),
    ];
    for (what, x, n) in cases {
        let pixel = [((x + 5.0) * 10.0) as i32, 10];
        // Albedo and metalness; no emission, roughness; the normal in the game frame.
        let expected = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 0.0, 0.4, n.x, n.y, -n.z];
        assert_near(&targets.at(pixel), &expected, what);
        let surfaces = probe::along_pixel(&scene, 0, pixel);
        assert_eq!(surfaces.len(), 1, "{what}");
        assert_near(&targets_of(&surfaces[0].answer), &expected, what);
    }
    assert_near(&targets.at([0, 0]), &[0.0; 11], "a miss");
}

#[test]
fn the_camera_of_view_dependent_formulas_is_the_rendered_one_unless_it_is_typed() {
    let quads = Quads::new();
    let cameras = "[cameras.side]\nposition = [3, 0, 7]\ntarget = [0, 0, 0]\n";
    for (world, expected) in
        [("", Vec3::new(3.0, 0.0, -7.0)), ("[world]\ncamera = [1, 2, 3]\n", Vec3::new(1.0, 2.0, 3.0))]
    {
        std::fs::write(quads.scene(), format!("{SCENE}{cameras}{world}")).expect("the folder is writable");
        let mut scene = load::load(&quads.scene(), &Options::default()).expect("the quads load");
        let side = scene.cameras.iter().position(|camera| camera.name == "side").expect("it is named");
        scene.look_through(side);
        assert_eq!(scene.world.camera, expected);
    }
}

#[test]
fn another_resolution_shows_the_same_picture() {
    let quads = Quads::new();
    let options = Options { resolution: Some([200, 40]), ..Options::default() };
    let large = Targets::render(&load::load(&quads.scene(), &options).expect("the quads load"));
    let small = Targets::render(&load::load(&quads.scene(), &Options::default()).expect("the quads load"));
    for x in [-4.0, -2.0, 0.0, 2.0, 4.0] {
        let pixel = [((x + 5.0) * 10.0) as i32, 10];
        assert_near(&large.at(pixel.map(|side| side * 2)), &small.at(pixel), "the middle of a quad");
    }
    assert_eq!(large.at([0, 0]), small.at([0, 0]));
}

/// Exit code, standard output and standard error of `scrutineer probe` on the quads.
fn probe_command(quads: &Quads, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_scrutineer"));
    let output = command.arg("probe").arg(quads.scene()).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_command_prints_an_object_a_line_and_refuses_what_is_not_in_the_picture() {
    let quads = Quads::new();
    let (code, out, _) = probe_command(&quads, &["--pixel", "10,10"]);
    assert_eq!((code, out.lines().count()), (Some(0), 1));
    let object: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(object["family"], "uber_branch");
    assert_eq!(object["point"]["material"], "m");
    assert_eq!(object["point"]["pixel"], json!([10, 10]));
    assert_eq!(object["point"]["world"], json!({"camera": [0.0, 0.0, -5.0]}));
    assert_eq!(object["point"]["textures"]["DiffuseA"], json!([0.1, 0.2, 0.3, 0.4]));
    assert_eq!(object["textures"]["NormalA"], json!([0.8, 0.74, 0.0, 1.0]));
    assert_eq!(object["answer"]["albedo"], json!([0.1, 0.2, 0.3]));
    assert_eq!(object.get("not_in_point"), None);

    let (code, out, error) = probe_command(&quads, &["--pixel", "0,0"]);
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(error.contains("meets nothing"), "{error}");
    for (arguments, part) in [
        (["--pixel", "100,0"].as_slice(), "100x20"),
        (&["--pixel", "-1,0"], "100x20"),
        (&["--pixel", "3"], "expected X,Y"),
        (&["--pixel", "1,1", "--camera", "camra"], "did you mean \"camera\""),
        (&["--pixel", "1,1", "--points", "p.jsonl"], "cannot be used with"),
        (&["--points", "p.jsonl", "--camera", "camera"], "cannot be used with"),
        (&[], "--points"),
    ] {
        let (code, out, error) = probe_command(&quads, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    assert_eq!(probe_command(&quads, &["--pixel", "150,30", "--resolution", "200x40"]).0, Some(0));
}
