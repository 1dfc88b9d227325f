//! `scrutineer probe` and `scrutineer families` as a user runs them (PROBE.md, SCENE.md).

use std::fs;
use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const SCENE: &str = r#"
[world]
alpha_reference = 0.25

[materials.plain]
family = "MAD_Tex1"
[materials.plain.parameters]
RoughnessOffset = 0.1
[materials.plain.textures]
diffuse = { constant = [0.1, 0.2, 0.3, 0.9] }

[materials.from_file]
family = "MAD_Fake"
textures = { albedo = "no/such/file.dds" }
"#;

/// A folder with a scene, and what a run of the program says.
struct Bench(TempDir);

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let bench = Self(TempDir::new().expect("a temporary folder"));
        for (name, text) in files {
            fs::write(bench.path().join(name), text).expect("the folder is writable");
        }
        bench
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_scrutineer"))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .expect("the program runs")
    }

    /// Exit code and answers of `points` against `scene.toml`.
    fn probe(&self, points: &[String]) -> (Option<i32>, Vec<Value>) {
        fs::write(self.path().join("points.jsonl"), points.join("\n")).expect("the folder is writable");
        let output = self.run(&["probe", "scene.toml", "--points", "points.jsonl"]);
        let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
        (output.status.code(), text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect())
    }
}

fn probe(points: &[Value]) -> (Option<i32>, Vec<Value>) {
    let lines: Vec<String> = points.iter().map(Value::to_string).collect();
    Bench::new(&[("scene.toml", SCENE)]).probe(&lines)
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

#[test]
fn an_answer_has_every_key_in_the_documented_order() {
    let bench = Bench::new(&[("scene.toml", SCENE), ("p.jsonl", "{\"material\": \"plain\"}\n")]);
    let output = bench.run(&["probe", "scene.toml", "--points", "p.jsonl"]);
    assert_eq!(
        text(&output.stdout),
        "{\"material\":\"plain\",\"discard\":false,\"coverage\":0.9,\"albedo\":[0.1,0.2,0.3],\"metalness\":0.0,\
         \"roughness\":0.648,\"normal\":[0.0,1.0,0.0],\"emission\":[0.0,0.0,0.0],\
         \"emission_seed\":[0.0,0.0,0.0],\"ambient_occlusion\":1.0,\
         \"uv\":{\"normal\":[0.0,0.0],\"diffuse\":[0.0,0.0],\"mask\":[0.0,0.0]}}\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn overrides_hold_for_their_point_alone() {
    let (code, answers) = probe(&[
        json!({"material": "plain"}),
        json!({"material": "plain", "parameters": {"RoughnessOffset": -0.5, "OnOffAO": 0},
               "textures": {"diffuse": [0.5, 0.5, 0.5, 0.2], "mask": [0, 0, 0.5, 0]}, "world": {"alpha_reference": 0.3}}),
        json!({"material": "plain"}),
    ]);
    assert_eq!(code, Some(0));
    assert_eq!(answers[1]["roughness"], 0.0);
    assert_eq!(answers[1]["discard"], true);
    assert_eq!(answers[1]["albedo"], json!([0.5, 0.5, 0.5]));
    assert_eq!(answers[1]["ambient_occlusion"], 1.0);
    assert_eq!(answers[0], answers[2], "the scene's own material comes back");
}

#[test]
fn a_wrong_line_names_its_number_and_key_and_the_others_are_answered() {
    let wrong = [
        (json!({"material": "plain", "normall": [0, 1, 0]}), "normall", "did you mean \"normal\""),
        (json!({"material": "plian"}), "material", "did you mean \"plain\""),
        (json!({"material": "plain", "parameters": {"Hu": 1}}), "parameters.Hu", "did you mean \"Hue\""),
        (json!({"material": "plain", "textures": {"diffus": [1, 1, 1, 1]}}), "textures.diffus", "\"diffuse\""),
        (json!({"material": "plain", "textures": {"diffuse": [1, 1, 1]}}), "textures.diffuse", "length 3"),
        (json!({"material": "plain", "uv0": [1, 2, 3]}), "uv0", "length 3"),
        (json!({"material": "plain", "normal": [0, null, 0]}), "normal.1", "null"),
        (json!({"material": "plain", "normal": [0, 1e39, 0]}), "normal.1", "finite"),
        (json!({"material": "plain", "parameters": {"Hue": "red"}}), "parameters.Hue", "finite number"),
        (json!({"material": "plain", "world": {"exposure": 0}}), "world.exposure", "above 0"),
        (json!({"material": "plain", "world": {"wether": 0}}), "world.wether", "did you mean \"weather\""),
    ];
    let mut points: Vec<Value> = wrong.iter().map(|(point, ..)| point.clone()).collect();
    points.push(json!({"material": "plain"}));
    let (code, answers) = probe(&points);
    assert_eq!(code, Some(2));
    assert_eq!(answers.len(), points.len());
    for (index, (point, key, message)) in wrong.iter().enumerate() {
        let answer = answers[index].as_object().expect("an object");
        assert_eq!(answer.keys().collect::<Vec<_>>(), ["error", "material"], "{point}");
        assert_eq!(answer["material"], point["material"]);
        let error = answer["error"].as_str().expect("text");
        assert!(error.starts_with(&format!("line {}: key `{key}`: ", index + 1)), "{error}");
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(answers[wrong.len()]["coverage"], 0.9);
}

#[test]
fn lines_that_are_no_json_are_errors_of_their_own() {
    let lines = [
        r#"{"material": "plain", "normal": [0, NaN, 0]}"#,
        r#"{"material": "plain", "parameters": {"Hue": Infinity}}"#,
        r#"{"material": "plain""#,
        r#"{"uv0": [0, 0]}"#,
        "[]",
        "{\"material\": \"plain\"} trailing",
        "",
        r#"{"material": "plain"}"#,
    ];
    let bench = Bench::new(&[("scene.toml", SCENE)]);
    let (code, answers) = bench.probe(&lines.map(str::to_owned));
    assert_eq!(code, Some(2));
    let error = |index: usize| answers[index]["error"].as_str().expect("an error").to_owned();
    assert_eq!(answers[0]["material"], "plain");
    assert!(error(0).starts_with("line 1: key `normal.1`"), "{}", error(0));
    assert!(error(1).starts_with("line 2: key `parameters.Hue`"), "{}", error(1));
    assert!(error(2).starts_with("line 3: "), "{}", error(2));
    assert_eq!(error(3), "line 4: key `material` is missing");
    assert_eq!(answers[4]["material"], Value::Null);
    assert!(error(5).starts_with("line 6: "), "{}", error(5));
    // The blank line has a number and no answer.
    assert_eq!(answers.len(), 7);
    assert_eq!(answers[6]["discard"], false);
}

#[test]
fn a_texture_file_is_opened_only_where_no_override_stands_for_it() {
    let (code, answers) = probe(&[
        json!({"material": "from_file", "textures": {"albedo": [0.25, 0.5, 0.75, 1]}}),
        json!({"material": "from_file"}),
    ]);
    assert_eq!(code, Some(2));
    assert_eq!(answers[0]["albedo"], json!([0.25, 0.5, 0.75]));
    // The scene names the file: it is the place to mend.
    let error = answers[1]["error"].as_str().expect("an error");
    assert!(error.starts_with("line 2: scene.toml:14: materials.from_file.textures.albedo: "), "{error}");
}

#[test]
fn values_of_texture_entries_are_checked_before_the_first_point() {
    let errors = scene_errors(&[(
        "scene.toml",
        r#"
[textures]
rusty = { file = "rust.png", colour_space = "sRBG" }
[materials.a]
family = "MAD_Fake"
[materials.a.textures]
albedo = { file = "no.dds", mip = "level1" }
normal = "rustyy"
[materials.b]
family = "MAD_Fake"
textures.albedo = "rusty"
"#,
    )]);
    for part in [
        "scene.toml:7: materials.a.textures.albedo: unknown mip \"level1\"; did you mean \"level0\"?",
        "scene.toml:8: materials.a.textures.normal: unknown texture of [textures] \"rustyy\"; did you mean \"rusty\"?",
        "scene.toml:11: materials.b.textures.albedo: unknown colour_space \"sRBG\"; did you mean \"srgb\"?",
    ] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
}

#[test]
fn tables_are_not_taken_from_arrays() {
    let errors = scene_errors(&[("scene.toml", "world = [[1, 2, 3]]\nmaterials.a = [\"MAD_Fake\"]\n")]);
    for part in ["scene.toml:1: world: expected a table", "scene.toml:2: materials.a: expected a table"] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
    let lines = [r#"["plain", [1, 2, 3]]"#, r#"{"material": "plain", "world": [[1, 2, 3]]}"#];
    let (code, answers) = Bench::new(&[("scene.toml", SCENE)]).probe(&lines.map(str::to_owned));
    assert_eq!(code, Some(2));
    for (answer, part) in answers.iter().zip(["line 1: expected a table", "line 2: key `world`: expected a table"]) {
        assert!(answer["error"].as_str().expect("an error").starts_with(part), "{answer}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped_and_other_encodings_are_named() {
    let bench = Bench::new(&[("scene.toml", SCENE)]);
    let utf16: Vec<u8> = "{}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let lines = [b"\xef\xbb\xbf{\"material\": \"plain\"}\n".as_slice(), b"\xff\xfe", &utf16].concat();
    fs::write(bench.path().join("p.jsonl"), lines).unwrap();
    let output = bench.run(&["probe", "scene.toml", "--points", "p.jsonl"]);
    let answers: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(answers[0]["discard"], false);
    assert_eq!(answers[1]["error"], "line 2: the line is not UTF-8");
}

#[test]
fn the_output_may_go_to_a_file() {
    let bench = Bench::new(&[("scene.toml", SCENE), ("p.jsonl", "{\"material\": \"plain\"}\n")]);
    let output = bench.run(&["probe", "scene.toml", "--points", "p.jsonl", "-o", "out.jsonl"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let answer: Value = serde_json::from_slice(&fs::read(bench.path().join("out.jsonl")).unwrap()).unwrap();
    assert_eq!(answer["material"], "plain");
}

/// What a scene with these files says, where it is wrong.
fn scene_errors(files: &[(&str, &str)]) -> String {
    let bench = Bench::new(files);
    fs::write(bench.path().join("p.jsonl"), "{\"material\": \"plain\"}\n").unwrap();
    let scene = files[0].0;
    let output = bench.run(&["probe", scene, "--points", "p.jsonl"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

#[test]
fn a_wrong_scene_names_file_line_and_key_of_everything_at_once() {
    let errors = scene_errors(&[(
        "scene.toml",
        r#"
[wrld]
[world]
wether = [1, 1, 1]
[materials.a]
family = "MAD_Tex"
[materials.b]
family = "uber_rock"
permutation = "_Micro3"
[materials.c]
family = "MAD_Tex1"
[materials.c.parameters]
Hu = 1
Saturation = nan
[materials.c.textures]
diffus = "a.dds"
mask = { constant = [1, 2] }
[materials.d]
family = "uber_rock"
[materials.e]
"#,
    )]);
    for part in [
        "scene.toml:2: wrld: unknown key \"wrld\"; did you mean \"world\"?",
        "scene.toml:4: world.wether: unknown key \"wether\"; did you mean \"weather\"?",
        "scene.toml:6: materials.a.family: unknown family \"MAD_Tex\"; did you mean \"MAD_Tex",
        "scene.toml:9: materials.b.permutation: unknown permutation \"_Micro3\"; did you mean \"_Micro1\"?",
        "scene.toml:17: materials.c.textures.mask.constant: ",
        "scene.toml:18: materials.d.permutation: the family needs one; allowed: \"_diff1",
        "scene.toml:20: materials.e: the key \"family\" is missing",
        // A faulty texture does not hide what else is wrong with its material.
        "scene.toml:13: materials.c.parameters.Hu: unknown parameter \"Hu\"; did you mean \"Hue\"?",
        "scene.toml:14: materials.c.parameters.Saturation: ",
        "scene.toml:16: materials.c.textures.diffus: unknown texture \"diffus\"; did you mean \"diffuse\"?",
    ] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
    let errors = scene_errors(&[(
        "scene.json",
        "{\"materials\": {\n\"a\": {\"family\": \"MAD_Tex1\",\n\"parameters\": {\n\"Hu\": 1}, \"textures\": {\n\"diffus\": \"a\"}}}}",
    )]);
    assert!(errors.contains("scene.json:4: materials.a.parameters.Hu: "), "{errors}");
    assert!(errors.contains("scene.json:5: materials.a.textures.diffus: "), "{errors}");
}

#[test]
fn a_scene_that_cannot_be_read_says_why() {
    assert!(scene_errors(&[("scene.toml", "a = = 1")]).contains("scene.toml:1: "));
    assert!(scene_errors(&[("scene.json", "{\n\"a\": }")]).contains("scene.json:2: "));
    assert!(scene_errors(&[("scene.yaml", "a: 1")]).contains("scene.yaml: "));
    let output = Bench::new(&[("p.jsonl", "")]).run(&["probe", "absent.toml", "--points", "p.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("absent.toml"));
}

#[test]
fn includes_merge_materials_and_refuse_a_name_given_twice() {
    let included = "[materials.plain]\nfamily = \"MAD_Fake\"\n";
    let bench = Bench::new(&[("scene.toml", "include = [\"more.toml\"]\n"), ("more.toml", included)]);
    let (code, answers) = bench.probe(&["{\"material\": \"plain\"}".to_owned()]);
    assert_eq!((code, &answers[0]["material"]), (Some(0), &json!("plain")));

    let errors = scene_errors(&[
        ("scene.toml", "include = [\"more.toml\"]\n[materials.plain]\nfamily = \"MAD_Fake\"\n"),
        ("more.toml", included),
    ]);
    assert!(
        errors.contains("more.toml:1: materials.plain: \"plain\" is given twice: it stands in scene.toml"),
        "{errors}"
    );

    let errors = scene_errors(&[("scene.toml", "include = [\"scene.toml\"]\n")]);
    assert!(errors.contains("includes itself"), "{errors}");

    let errors = scene_errors(&[("scene.toml", "include = [\"more.toml\"]\n"), ("more.toml", "[world]\n")]);
    assert!(errors.contains("more.toml:1: world: "), "{errors}");
}

#[test]
fn the_world_camera_defaults_to_the_scenes_own_in_the_game_frame() {
    let seed = |scene: &str| {
        let scene =
            format!("{scene}\n[materials.led]\nfamily = \"anim_ledflipbookpanel\"\npermutation = \"_Standard\"\n");
        let bench = Bench::new(&[("scene.toml", &scene)]);
        let (code, answers) = bench.probe(&[json!({"material": "led", "position": [0, 0, -2]}).to_string()]);
        assert_eq!(code, Some(0));
        answers[0]["emission_seed"][0].as_f64().expect("a number")
    };
    // g(d) ≈ 1/d²: the camera at the origin, at (0, 0, 2) in the scene frame, at (0, 0, 2) in the game frame.
    assert!((seed("") - 0.25).abs() < 1e-4);
    assert!(seed("[camera]\nposition = [0, 0, 2]\n") < 1e-6);
    assert!((seed("[camera]\nposition = [0, 0, 2]\n[world]\ncamera = [0, 0, 2]\n") - 1.0 / 16.0).abs() < 1e-4);
}

#[test]
fn a_camera_that_does_not_exist_is_no_camera_at_the_origin() {
    let materials = "[materials.plain]\nfamily = \"MAD_Fake\"\n";
    let errors = scene_errors(&[("scene.toml", &format!("camera = \"fron\"\n[cameras.front]\n{materials}"))]);
    assert!(errors.contains("scene.toml:1: camera: unknown camera \"fron\"; did you mean \"front\"?"), "{errors}");
    let errors = scene_errors(&[("scene.toml", &format!("[camera]\ntarget = [0, 0, 0]\n{materials}"))]);
    assert!(errors.contains("scene.toml:2: camera.target: the target is at the camera"), "{errors}");

    // One of a glTF file that is not loaded.
    let warned = |world: &str| {
        let scene = format!("camera = \"eye\"\n[[geometry]]\nfile = \"a.glb\"\n{world}{materials}");
        let bench = Bench::new(&[("scene.toml", &scene), ("p.jsonl", "{\"material\": \"plain\"}\n")]);
        let output = bench.run(&["probe", "scene.toml", "--points", "p.jsonl"]);
        assert_eq!(output.status.code(), Some(0));
        text(&output.stderr).contains("warning: camera \"eye\"")
    };
    assert!(warned(""));
    assert!(!warned("[world]\ncamera = [0, 0, 0]\n"));
}

#[test]
fn families_lists_describes_and_suggests() {
    let bench = Bench::new(&[]);
    let list = text(&bench.run(&["families"]).stdout);
    assert!(list.lines().any(|line| line.starts_with("uber_rock_array ")), "{list}");
    let page = text(&bench.run(&["families", "uber_rock"]).stdout);
    for part in ["_Micro2_Modulate_UpShader", "Micro2UVTiling", "[1.0,1.0]", "DiffuseA", "ao_curve", "ConstantUpMask"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(page.lines().any(|line| line.trim_start().starts_with("ModulateConstants_sA") && line.ends_with(" 0.01")));
    let family: Value = serde_json::from_slice(&bench.run(&["families", "5Zones", "--json"]).stdout).unwrap();
    assert_eq!(family["textures"][1]["name"], "Mask2");
    assert_eq!(family["parameters"][0], json!({"name": "Zone1Colour", "type": "[3]", "default": [0.5, 0.5, 0.5]}));
    let all: Value = serde_json::from_slice(&bench.run(&["families", "--json"]).stdout).unwrap();
    assert_eq!(all.as_array().map(Vec::len), Some(list.lines().count()));
    let unknown = bench.run(&["families", "uber_rok"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("did you mean \"uber_rock\"?"));
}
