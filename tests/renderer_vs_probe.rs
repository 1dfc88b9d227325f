//! The renderer's G-buffer is the probe's answer: on the whole chart, and by hand arithmetic on awkwardly placed quads.

mod support {
    pub mod random;
}

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use glam::Vec3;
use scrutineer::cli::progress::Progress;
use scrutineer::film::{Film, FilmSettings, Plane, Selection};
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::probe::{self, Answer, PixelSurface, ProbeScene, Session};
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use scrutineer::texture::Store;
use serde_json::{Value, json};
use support::random::Random;

const TOLERANCE: f32 = 1e-5;

/// RT0…RT2 of a picture: eleven planes of floats, row by row.
struct Targets {
    width: usize,
    planes: Vec<Vec<f32>>,
}

impl Targets {
    /// What `--integrator gbuffer` writes.
    fn render(scene: &Scene) -> Self {
        let names = ["RT0", "RT1", "RT2"].map(str::to_owned);
        let aovs = Selection::parse(&names, &[]).expect("the AOVs exist").into_ids();
        let resolution = scene.render.resolution;
        let settings =
            FilmSettings { resolution, crop: None, aovs, light_groups: Vec::new(), batch: 1, track_error: false };
        let mut film = Film::new(settings).expect("the film is small");
        let job = Job::new(scene, 0, Integrator::Gbuffer, None, None);
        let (progress, stop) = (Progress::new(1, "test"), AtomicBool::new(false));
        integrator::render(scene, &job, &mut film, &Watch { progress: &progress, stop: &stop });
        let planes = film.aovs().flat_map(|id| film.planes(id, &|_| 0.0).expect("the film holds it"));
        let floats = |plane| match plane {
            Plane::Float(values) => values,
            Plane::Uint(_) => panic!("RT0…RT2 are floats"),
        };
        Self { width: resolution[0] as usize, planes: planes.map(floats).collect() }
    }

    fn at(&self, [x, y]: [i32; 2]) -> Vec<f32> {
        self.planes.iter().map(|plane| plane[y as usize * self.width + x as usize]).collect()
    }
}

/// The channels of RT0…RT2 in an answer.
fn targets_of(answer: &Answer) -> Vec<f32> {
    let rt0 = answer.albedo.iter().chain([&answer.metalness]);
    let rt1 = answer.emission_seed.iter().chain([&answer.roughness]);
    rt0.chain(rt1).chain(&answer.normal).map(|number| number.0).collect()
}

fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= TOLERANCE * b.abs().max(1.0), "{what}:\n{found:?}\n{expected:?}");
    }
}

/// Every number of two answers.
fn assert_same_answer(found: &Answer, expected: &Answer, what: &str) {
    fn compare(found: &Value, expected: &Value, what: &str) {
        match (found, expected) {
            (Value::Number(a), Value::Number(b)) => {
                assert_near(&[a.as_f64().unwrap() as f32], &[b.as_f64().unwrap() as f32], what);
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| compare(a, b, what));
            }
            (Value::Object(a), Value::Object(b)) => {
                assert!(a.keys().eq(b.keys()), "{what}: {found}\n{expected}");
                a.iter().for_each(|(key, a)| compare(a, &b[key], &format!("{what}, {key}")));
            }
            (a, b) => assert_eq!(a, b, "{what}"),
        }
    }
    let json = |answer| serde_json::to_value(answer).expect("an answer is JSON");
    compare(&json(found), &json(expected), what);
}

/// The surface that the G-buffer shows: the first that is there. Mesh decals edit what is below: they are not compared.
fn shown(surfaces: &[PixelSurface]) -> Option<&PixelSurface> {
    let first = surfaces.iter().find(|surface| !surface.answer.discard)?;
    (first.answer.decal.is_none()).then_some(first)
}

#[test]
fn random_pixels_of_the_chart_agree_with_the_probe_and_with_their_points_fed_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
    let resolution = Some([640, 400]);
    let scene = load::load(&path, &Options { resolution, ..Options::default() }).expect("the chart loads");
    let targets = Targets::render(&scene);
    let points = ProbeScene::load(&path).expect("the chart's materials load");
    let mut store = Store::new("", points.default_colour_space);
    let mut session = Session::new(points, &mut store);
    let mut random = Random::new(7);
    let mut families = std::collections::BTreeSet::new();
    let mut compared = 0;
    while compared < 200 {
        let [x, y]: [f32; 2] = random.next();
        let pixel = [(x * 640.0) as i32, (y * 400.0) as i32];
        let surfaces = probe::along_pixel(&scene, 0, pixel);
        for surface in surfaces.iter().filter(|surface| surface.family.is_some()) {
            let turned_impostor = surface.not_in_point == ["instance_rotation"];
            if !turned_impostor {
                let line = serde_json::to_string(&surface.point).expect("a point is JSON");
                let answer = session.line(line.as_bytes()).unwrap_or_else(|failure| panic!("{line}: {failure}"));
                assert_same_answer(&answer, &surface.answer, &format!("{pixel:?} fed back: {line}"));
            }
        }
        let Some(shown) = shown(&surfaces).filter(|shown| shown.family.is_some()) else { continue };
        assert_near(&targets.at(pixel), &targets_of(&shown.answer), &format!("{pixel:?}, {:?}", shown.point.material));
        families.extend(shown.family);
        compared += 1;
    }
    assert!(families.len() > 25, "the chart shows them all, the pixels hit {families:?}");
}

#[test]
fn a_texture_sampled_at_several_places_stays_out_of_the_point_and_is_read_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
    let scene = load::load(&path, &Options::default()).expect("the chart loads");
    // A card that blends four frames of its atlas, untransformed.
    let pixel = place(&scene, 'D', 3, Vec3::new(-0.45, 0.65, 0.0));
    let surfaces = probe::along_pixel(&scene, 0, pixel);
    let card = surfaces.iter().find(|surface| surface.family == Some("uber_foliage")).expect("the card of D3");
    let samples = card.textures.0.iter().find(|(name, _)| *name == "DiffuseTexture").expect("it is sampled");
    assert_eq!(samples.1.len(), 4);
    let alike = samples.1.iter().all(|value| *value == samples.1[0]);
    assert_eq!(card.point.textures.contains_key("DiffuseTexture"), alike);
    assert!(card.not_in_point.is_empty(), "it is not turned");
}

/// The pixel of the chart that shows a point of a place (see `scenes/generate/chart.rs`).
fn place(scene: &Scene, row: char, column: u32, offset: Vec3) -> [i32; 2] {
    const ROWS: f32 = 9.0;
    let row = row as u32 - 'A' as u32;
    let at = Vec3::new((column as f32 - 5.0) * 1.9, (ROWS - 1.0 - row as f32) * 1.25, 0.0) + offset;
    let raster = scene.cameras[0].camera.project(at.as_dvec3()).expect("the chart is in view");
    raster.map(|side| side as i32)
}

#[test]
fn time_turns_the_pages_of_flipbooks_and_moves_the_creases_of_flags() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
    let mut scene = load::load(&path, &Options::default()).expect("the chart loads");
    let led = place(&scene, 'B', 6, Vec3::new(0.45, 0.35, -0.24));
    let flag = place(&scene, 'E', 9, Vec3::new(0.0, 0.5, 0.0));
    let mut coordinate = |time: f32, pixel: [i32; 2], family: &str, texture: &str| {
        scene.world.time = time;
        let surfaces = probe::along_pixel(&scene, 0, pixel);
        let surface = surfaces.iter().find(|surface| surface.family == Some(family)).expect("it is there");
        let uv = surface.answer.uv.0.iter().find(|(name, _)| name == texture).expect("it is sampled");
        uv.1[0].map(|number| number.0)
    };
    // Four frames a second in two columns and rows; the tile is panel 0.
    for (time, column, row) in [(0.1, 0, 0), (0.3, 1, 0), (0.6, 0, 1), (0.9, 1, 1), (1.1, 0, 0)] {
        let [u, v] = coordinate(time, led, "anim_ledflipbookpanel", "FlipbookTexture");
        assert_eq!(((u * 2.0) as u32, (v * 2.0) as u32), (column, row), "{time} s");
    }
    let still = coordinate(0.0, flag, "anim_flag", "NormalAnimTexture");
    let moved = coordinate(1.0, flag, "anim_flag", "NormalAnimTexture");
    // 0.3 of the untiled texture a second, tiled twice, in u alone.
    assert_near(&moved, &[still[0] - 0.6, still[1]], "creases");
}

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
