//! The program from outside: exit codes, messages, and the files that it leaves.

#[path = "support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod support;

use std::path::Path;
use std::process::Output;

use glam::Vec3;
use support::{Asset, Shape, write};

/// Runs the program in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("scrutineer"))
        .args(arguments)
        .current_dir(folder)
        .timeout(std::time::Duration::from_secs(60))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the program, which must refuse: exit code 2, nothing on stdout, no new file. Its stderr.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let before = names(folder);
    let output = run(folder, arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(text(&output.stdout), "", "{message}");
    assert_eq!(names(folder), before, "{message}");
    message
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder with a ball under a white sky: scene.toml (`keys` before its tables) and a.glb.
fn folder(keys: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut asset = Asset::default();
    let grey = asset.plain("grey", 0.5, 0.0, 0.5);
    asset.add("ball", &Shape::sphere(Vec3::ZERO, 1.0, 2), grey);
    let toml = format!(
        "[render]\nresolution = [16, 16]\nsamples = 4\n{keys}\n[camera]\nposition = [0, 0, 4]\ntarget = [0, 0, 0]\n\
         [sky]\nkind = \"constant\"\nradiance = [1, 1, 1]\n[[geometry]]\nfile = \"a.glb\"\n"
    );
    write(folder.path(), &toml, &asset);
    folder
}

#[test]
fn a_render_leaves_a_picture_and_a_preview() {
    let folder = folder("");
    let output = run(folder.path(), &["render", "scene.toml", "-o", "out.exr", "--preview", "out.png"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(names(folder.path()), ["a.glb", "out.exr", "out.png", "scene.toml"]);
    let preview = image::open(folder.path().join("out.png")).unwrap();
    assert_eq!((preview.width(), preview.height()), (16, 16));
    let channels = |file: &str| -> Vec<String> {
        let described = run(folder.path(), &["inspect", file, "--json"]);
        let value: serde_json::Value = serde_json::from_slice(&described.stdout).unwrap();
        let names = value["parts"][0]["channels"].as_array().unwrap().iter();
        names.map(|channel| channel["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = channels("out.exr");
    assert!(["R", "G", "B", "A", "Z", "N.X", "RT0.R", "instance.V"].iter().all(|name| all.iter().any(|n| n == name)));
    let gbuffer = ["render", "scene.toml", "-o", "g.exr", "--integrator", "gbuffer"];
    assert_eq!(run(folder.path(), &gbuffer).status.code(), Some(0));
    assert!(!channels("g.exr").contains(&"R".to_owned()));
    let bare = ["render", "a.glb", "-o", "bare.exr", "--resolution", "8x6", "--samples", "1", "--aov", "beauty,Z"];
    assert_eq!(run(folder.path(), &bare).status.code(), Some(0));
    assert_eq!(channels("bare.exr"), ["A", "B", "G", "R", "Z"]);
}

#[test]
fn help_and_lists_go_to_stdout() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--help"][..], &["render", "--help"], &["--version"]] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("scrutineer"), "{arguments:?}");
    }
    let list = run(folder.path(), &["render", "none.toml", "-o", "none.exr", "--aov", "help"]);
    assert_eq!(list.status.code(), Some(0));
    assert!(text(&list.stdout).contains("crypto_object") && text(&list.stdout).contains("glass_reflection"));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn a_wrong_key_is_named_with_its_line_and_a_near_miss() {
    let folder = folder("max_dept = 3");
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("scene.toml:4: render.max_dept"), "{message}");
    assert!(message.contains("did you mean \"max_depth\"?"), "{message}");
}

#[test]
fn a_value_of_the_wrong_kind_says_what_is_allowed() {
    let folder = folder("filter = \"lanczos\"");
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("scene.toml:4: render.filter") && message.contains("gaussian"), "{message}");
}

#[test]
fn missing_and_damaged_files() {
    let folder = folder("");
    let path = folder.path();
    let message = refused(path, &["render", "nowhere.toml", "-o", "out.exr"]);
    assert!(message.contains("nowhere.toml"), "{message}");
    let glb = std::fs::read(path.join("a.glb")).unwrap();
    std::fs::write(path.join("a.glb"), &glb[..glb.len() / 2]).unwrap();
    let message = refused(path, &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("a.glb") && message.contains("scene.toml:12: geometry.0.file"), "{message}");
    std::fs::remove_file(path.join("a.glb")).unwrap();
    let message = refused(path, &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("a.glb") && message.contains("scene.toml:12: geometry.0.file"), "{message}");
    assert_eq!(message.matches("a.glb").count(), 1, "said once: {message}");
}

#[test]
fn a_missing_sky_picture_is_named_with_its_line() {
    let folder = folder("");
    let toml = std::fs::read_to_string(folder.path().join("scene.toml")).unwrap();
    let toml = toml.replace("kind = \"constant\"\nradiance = [1, 1, 1]", "kind = \"image\"\nfile = \"beach.hdr\"");
    std::fs::write(folder.path().join("scene.toml"), toml).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("scene.toml:10: sky.file") && message.contains("beach.hdr"), "{message}");
}

#[test]
fn several_material_errors_are_shown_at_once() {
    let folder = folder("");
    let toml = std::fs::read_to_string(folder.path().join("scene.toml")).unwrap();
    let materials = "[materials.a]\nfamily = \"uber_rod\"\n[materials.b]\nfamily = \"uber_road\"\npermutation = \"_nothing\"\n\
                     [materials.c]\nfamily = \"uber_road\"\n[materials.c.parameters]\nBlendSmothness = 0.3\n";
    std::fs::write(folder.path().join("scene.toml"), toml + materials).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    for expected in ["materials.a.family", "did you mean \"uber_road\"?", "materials.b.permutation", "BlendSmothness"] {
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn a_camera_that_cannot_be_built_is_not_unknown_too() {
    let folder = folder("");
    let path = folder.path().join("scene.toml");
    let toml = std::fs::read_to_string(&path).unwrap();
    let toml = toml.replace("[camera]\nposition = [0, 0, 4]", "[cameras.front]\nposition = [0, 0, 0]");
    std::fs::write(&path, format!("camera = \"front\"\n{toml}")).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("cameras.front.target: the target is at the camera"), "{message}");
    assert!(!message.contains("unknown camera"), "{message}");
}

#[test]
fn a_misspelt_shared_texture_is_one_mistake() {
    let folder = folder("");
    let path = folder.path().join("scene.toml");
    let toml = std::fs::read_to_string(&path).unwrap()
        + "[textures]\nrust = { constant = [1, 0, 0, 1] }\n[materials.a]\nfamily = \"MAD_Fake\"\ntextures.albedo = \"rusty\"\n";
    std::fs::write(&path, toml).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    assert!(message.contains("\"rusty\"; did you mean \"rust\"?"), "{message}");
    assert_eq!(message.matches("materials.a.textures.albedo").count(), 1, "{message}");
}

/// One run names what is wrong with the texts, the materials, the cameras, the sun, the sky and the world.
#[test]
fn mistakes_of_all_tables_are_shown_at_once() {
    let folder = folder("max_dept = 3");
    let path = folder.path().join("scene.toml");
    let toml = std::fs::read_to_string(&path).unwrap();
    let toml = toml.replace("kind = \"constant\"\nradiance = [1, 1, 1]", "kind = \"image\"\nfile = \"beach.hdr\"")
        + "[cameras.here]\nposition = [1, 2, 3]\ntarget = [1, 2, 3]\n[sun]\ndirection = [0, 0, 0]\nirradiance = [1, 1, 1]\n[world]\nwether = [1, 1, 1]\n\
           [materials.a]\nfamily = \"uber_rod\"\n[materials.b]\nfamily = \"uber_road\"\nparameters.BlendSmothness = 0.3\n\
           [cameras.flat]\nview = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]\n\
           projection = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\nconvention = \"gl\"\nframe = \"scene\"\n";
    std::fs::write(&path, toml).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    let expected = [
        "scene.toml:4: render.max_dept",
        "sky.file",
        "sun.direction",
        "world.wether",
        "materials.a.family",
        "materials.b.parameters.BlendSmothness",
        "cameras.flat.projection",
        "cameras.here.target",
    ];
    for key in expected {
        assert!(message.contains(key), "{key}: {message}");
    }
    assert_eq!(message.lines().count(), expected.len(), "each once, and nothing that follows from another: {message}");
}

/// Where the texts are right, what the files say is collected too.
#[test]
fn files_materials_cameras_and_skies_are_wrong_at_once() {
    let folder = folder("");
    let path = folder.path().join("scene.toml");
    let toml = std::fs::read_to_string(&path).unwrap();
    let toml = toml.replace("kind = \"constant\"\nradiance = [1, 1, 1]", "kind = \"hosek\"")
        + "[[geometry]]\nfile = \"b.glb\"\n[materials.a]\nfamily = \"uber_rod\"\n[[geometry]]\nfile = \"a.glb\"\nmaterials.grey = \"a\"\n";
    let toml = toml.replace(
        "[camera]\nposition = [0, 0, 4]\ntarget = [0, 0, 0]",
        "[camera]\nview = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]\nprojection = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n\
         convention = \"gl\"",
    );
    std::fs::write(&path, toml).unwrap();
    let message = refused(folder.path(), &["render", "scene.toml", "-o", "out.exr"]);
    for key in ["geometry.1.file", "materials.a.family", "camera.projection", "sky.kind"] {
        assert!(message.contains(key), "{key}: {message}");
    }
    assert_eq!(message.lines().count(), 4, "{message}");
}

/// An EXR's float channels by name.
fn floats(path: &Path) -> std::collections::BTreeMap<String, Vec<u32>> {
    let image = exr::prelude::read_first_flat_layer_from_file(path).unwrap();
    let channels = image.layer_data.channel_data.list.iter();
    let bits = |channel: &exr::prelude::AnyChannel<exr::prelude::FlatSamples>| match &channel.sample_data {
        exr::prelude::FlatSamples::F32(values) => values.iter().map(|value| value.to_bits()).collect(),
        exr::prelude::FlatSamples::U32(values) => values.clone(),
        exr::prelude::FlatSamples::F16(_) => panic!("nothing is half here"),
    };
    channels.map(|channel| (channel.name.to_string(), bits(channel))).collect()
}

#[test]
fn one_file_an_aov_holds_what_one_file_of_layers_does() {
    let folder = folder("");
    let path = folder.path();
    let render = |out: &str| {
        let arguments = ["render", "scene.toml", "-o", out, "--aov", "beauty,N,Z,RT0,instance,crypto_object"];
        assert_eq!(run(path, &arguments).status.code(), Some(0));
    };
    render("one.exr");
    let toml = std::fs::read_to_string(path.join("scene.toml")).unwrap();
    std::fs::write(path.join("scene.toml"), toml + "[output]\nlayout = \"files\"\n").unwrap();
    render("many.exr");
    let aovs = ["N", "RT0", "Z", "crypto_object", "instance"];
    let mut expected: Vec<String> = aovs.iter().map(|aov| format!("many.{aov}.exr")).collect();
    expected.extend(["a.glb", "many.exr", "one.exr", "scene.toml"].map(str::to_owned));
    expected.sort();
    assert_eq!(names(path), expected);
    let all = floats(&path.join("one.exr"));
    let mut together = floats(&path.join("many.exr"));
    assert_eq!(together.keys().collect::<Vec<_>>(), ["A", "B", "G", "R"]);
    for aov in aovs {
        let one = floats(&path.join(format!("many.{aov}.exr")));
        assert!(one.keys().all(|channel| channel.starts_with(aov)), "{aov}: {:?}", one.keys());
        together.extend(one);
    }
    assert!(together == all, "{:?} {:?}", together.keys(), all.keys());
}

#[test]
fn all_cameras_leave_a_picture_each_as_if_rendered_alone() {
    let folder = folder("");
    let path = folder.path();
    let toml = std::fs::read_to_string(path.join("scene.toml")).unwrap();
    let more = "[cameras.\"from above\"]\nposition = [0, 5, 0.1]\ntarget = [0, 0, 0]\n[cameras.side]\nposition = [3, 0, 0]\ntarget = [0, 0, 0]\n";
    std::fs::write(path.join("scene.toml"), toml + more).unwrap();
    let arguments = ["render", "scene.toml", "-o", "out.exr", "--camera", "all", "--preview", "out.png"];
    assert_eq!(run(path, &arguments).status.code(), Some(0));
    let pictures = [("camera", "camera"), ("from above", "from_above"), ("side", "side")];
    let mut expected: Vec<String> =
        pictures.iter().flat_map(|(_, file)| [format!("out.{file}.exr"), format!("out.{file}.png")]).collect();
    expected.extend(["a.glb", "scene.toml"].map(str::to_owned));
    expected.sort();
    assert_eq!(names(path), expected);
    let mut seen = Vec::new();
    for (name, file) in pictures {
        assert_eq!(run(path, &["render", "scene.toml", "-o", "alone.exr", "--camera", name]).status.code(), Some(0));
        let alone = floats(&path.join("alone.exr"));
        assert!(floats(&path.join(format!("out.{file}.exr"))) == alone, "{name}");
        seen.push(alone["P.X"].clone());
    }
    assert!(seen[0] != seen[1] && seen[1] != seen[2], "each camera sees something else");
}

#[test]
fn wrong_arguments() {
    let folder = folder("");
    let refuse = |more: &[&str]| refused(folder.path(), &[&["render", "scene.toml"], more].concat());
    let message = refuse(&["-o", "out.exr", "--camera", "camra"]);
    assert!(message.contains("did you mean \"camera\"?"), "{message}");
    assert!(refuse(&["-o", "nowhere/out.exr"]).contains("nowhere"));
    assert!(refuse(&["-o", "out.png"]).contains(".exr"));
    assert!(refuse(&["-o", "out.exr", "--aov", "albdo"]).contains("did you mean \"albedo\"?"));
    assert!(refuse(&["-o", "out.exr", "--crop", "1,2,3"]).contains("X,Y,W,H"));
    assert!(refuse(&["-o", "out.exr", "--samples", "0"]).contains("--samples"));
    refuse(&[]);
    refused(folder.path(), &["rendr"]);
}

#[test]
fn inspect_prints_json() {
    let folder = folder("");
    let path = folder.path();
    std::fs::write(path.join("a.dds"), dds()).unwrap();
    assert_eq!(run(path, &["render", "scene.toml", "-o", "out.exr"]).status.code(), Some(0));
    for file in ["scene.toml", "a.glb", "a.dds", "out.exr"] {
        let output = run(path, &["inspect", file, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", text(&output.stderr));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(value.as_object().is_some_and(|fields| fields.len() > 1), "{file}: {value}");
        let plain = run(path, &["inspect", file]);
        assert!(plain.status.success() && !text(&plain.stdout).starts_with('{'), "{file}");
    }
    let cut = std::fs::read(path.join("out.exr")).unwrap();
    std::fs::write(path.join("cut.exr"), &cut[..100]).unwrap();
    refused(path, &["inspect", "cut.exr"]);
    refused(path, &["inspect", "none.dds"]);
}

/// One white BC1 block under a DX9 header.
fn dds() -> Vec<u8> {
    let mut words = [0u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x1007, 4, 4);
    (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(*b"DXT1"));
    words[27] = 0x1000;
    let header = words.iter().flat_map(|word| word.to_le_bytes());
    header.chain([255, 255, 255, 255, 0, 0, 0, 0]).collect()
}

/// Ctrl-C while a long render runs: it stops soon, says so, and leaves a whole picture.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_readable_picture() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = folder("");
    let arguments = ["render", "scene.toml", "-o", "out.exr", "--resolution", "64x64", "--samples", "16000000"];
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("scrutineer"))
        .args(arguments)
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let asked = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if asked.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it does not stop");
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(3));
    assert_eq!(names(folder.path()), ["a.glb", "out.exr", "scene.toml"]);
    let picture = exr::prelude::read_first_flat_layer_from_file(folder.path().join("out.exr")).unwrap();
    let lit = picture.layer_data.channel_data.list.iter().find(|channel| channel.name.eq("R")).unwrap();
    assert!(lit.sample_data.values_as_f32().all(|value| value > 0.0 && value < 10.0), "every pixel has light");
}
