//! `scrutineer probe` and `scrutineer families` as a user runs them (PROBE.md, SCENE.md).

use std::fs;
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
    assert!(answers[1]["error"].as_str().expect("an error").starts_with("line 2: key `textures.albedo`: "));
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
"#,
    )]);
    for part in [
        "scene.toml:2: wrld: unknown key \"wrld\"; did you mean \"world\"?",
        "scene.toml:4: world.wether: unknown key \"wether\"; did you mean \"weather\"?",
        "scene.toml:6: materials.a.family: unknown family \"MAD_Tex\"; did you mean \"MAD_Tex",
        "scene.toml:9: materials.b.permutation: unknown permutation \"_Micro3\"; did you mean \"_Micro1\"?",
        "scene.toml:17: materials.c.textures.mask.constant: ",
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
