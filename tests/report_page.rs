//! The HTML report of `scrutineer diff` in a browser.
//!
//! Headless Chromium is driven by Python's `playwright`. `SCRUTINEER_CHROMIUM` names the browser (else `chromium` and its
//! other names on the PATH), `SCRUTINEER_PYTHON` the Python. Without them the tests say that they are skipped, and fail
//! under `SCRUTINEER_NO_SKIP=1`.

#[path = "support/report_scene.rs"]
mod report_scene;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use report_scene::{LARGE_ID, Scene, notice, report};
use scrutineer::compare::page::{Keep, Options, Writer};
use scrutineer::compare::report::Fault;
use scrutineer::compare::{PictureReport, Verdict};
use serde_json::{Value, json};

const WICKED: &str = "kerb/<script>alert('x')<!--\"&amp;.exr";

/// Where the reports of this run stay, to be looked at.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report_page").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A Python that has playwright, and a browser; `None` after a line that says so.
fn browser() -> Option<(String, PathBuf)> {
    let python = std::env::var("SCRUTINEER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import playwright.sync_api"]).output();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = || {
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file())
    };
    let chromium = std::env::var_os("SCRUTINEER_CHROMIUM").map(PathBuf::from).or_else(on_path);
    match (has.is_ok_and(|output| output.status.success()), chromium) {
        (true, Some(chromium)) => Some((python, chromium)),
        (has, chromium) => {
            let lack = format!("playwright in {python}: {has}, Chromium: {chromium:?}");
            let no_skip = std::env::var_os("SCRUTINEER_NO_SKIP").is_some_and(|value| value == "1");
            assert!(!no_skip, "{lack}, and SCRUTINEER_NO_SKIP=1");
            println!("skipped: {lack} (SCRUTINEER_PYTHON and SCRUTINEER_CHROMIUM name them)");
            None
        }
    }
}

/// Runs the checks called `what` of tests/python/check_report.py on a page.
fn check(what: &str, page: &Path, facts: &Value) {
    let Some((python, chromium)) = browser() else { return };
    let facts_file = page.with_extension("json");
    std::fs::write(&facts_file, facts.to_string()).unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_report.py");
    let output = Command::new(python).arg(script).arg(what).arg(page).arg(facts_file).arg(chromium).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    println!("{}", text(&output.stdout));
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

fn write(
    path: &Path,
    options: Options,
    pictures: &[(PictureReport, &Scene)],
    complete: impl FnOnce(&mut scrutineer::compare::Report),
) -> u64 {
    let mut writer = Writer::create(path, options).unwrap();
    for (picture, scene) in pictures {
        writer.picture(picture, *scene).unwrap();
    }
    let mut whole = report(pictures.iter().map(|(picture, _)| picture.clone()).collect());
    complete(&mut whole);
    writer.finish(&whole).unwrap()
}

/// One of every planted fault; its window does not begin at (0, 0).
fn faulty() -> Scene {
    let mut scene = Scene::new(320, 180);
    scene.origin = [16, -8];
    scene.noise("beauty", 0.04);
    scene.change("beauty", [180, 60, 90, 80], |pixel| pixel[..3].iter_mut().for_each(|v| *v *= 1.2));
    scene.set("beauty", 40, 30, 1, 25.0);
    scene.set("beauty", 300, 20, 0, f32::NAN);
    scene.set("beauty", 301, 20, 2, f32::INFINITY);
    scene.change("N", [130, 80, 50, 50], |n| n.swap(0, 1));
    scene.change("Z", [0, 150, 320, 4], |z| z[0] += 0.25);
    scene.set("roughness", 5, 5, 0, 0.1);
    scene.set("P", 100, 100, 2, -4.125);
    let instance = scene.layer("instance");
    let ids = instance.ids.as_mut().unwrap();
    for id in &mut ids[0] {
        if *id == LARGE_ID {
            *id -= 1;
        }
    }
    scene
}

/// Values that the page must show, to the digit.
fn planted() -> Value {
    json!([
        { "aov": "beauty", "x": 40, "y": 30, "row": 1, "test": "25" },
        { "aov": "beauty", "x": 300, "y": 20, "row": 0, "test": "NaN", "difference": "NaN" },
        { "aov": "beauty", "x": 301, "y": 20, "row": 2, "test": "+Inf" },
        { "aov": "roughness", "x": 5, "y": 5, "row": 0, "test": "0.1", "reference": "0" },
        { "aov": "P", "x": 100, "y": 100, "row": 2, "test": "−4.125" },
        { "aov": "Z", "x": 10, "y": 2, "row": 0, "test": "+Inf", "reference": "+Inf", "difference": "0" },
    ])
}

/// Test, reference of some pixels of every AOV, straight from the planes: the page must read back the same float32.
fn samples(scene: &Scene) -> Value {
    let places = [(0, 0), (127, 127), (128, 128), (319, 179), (150, 90), (200, 100), (41, 131)];
    let list = scene.layers.iter().flat_map(|layer| {
        places.map(|(x, y)| {
            let values =
                |plane: &scrutineer::compare::Plane| plane.pixel(x, y).iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            let ids = layer.ids.as_ref().map(|[t, r]| [vec![t[y * scene.width + x]], vec![r[y * scene.width + x]]]);
            let [test, reference] = ids.unwrap_or_else(|| [values(&layer.test), values(&layer.reference)]);
            json!({ "aov": layer.name, "x": x, "y": y, "test": test, "reference": reference })
        })
    });
    list.collect::<Vec<Value>>().into()
}

#[test]
fn a_folder_of_pictures_is_shown_and_every_control_does_what_it_says() {
    let faulty = faulty();
    let equal = Scene::new(320, 180);
    let mut noisy = Scene::new(320, 180);
    noisy.noise("beauty", 0.002);
    let mut first = faulty.report(WICKED);
    first.notices.extend([notice("both pictures were rendered with seed 0: their noise is correlated")]);
    let mut broken = PictureReport { name: "broken.exr".to_owned(), ..PictureReport::default() };
    broken.error = Some("test/broken.exr: not an EXR file".to_owned());
    broken.judge();
    let mut sized = equal.report("sized.exr");
    let text = "the test is 8×8, the reference 9×8".to_owned();
    sized.faults.push(Fault { code: "size", aov: None, text, count: 1, first: None });
    sized.judge();
    let path = folder("folder").join("report.html");
    let pictures = [
        (equal.report("a-equal.exr"), &equal),
        (noisy.report("b-within.exr"), &noisy),
        (broken, &equal),
        (sized, &equal),
        (first, &faulty),
    ];
    write(&path, Options { values: Keep::All, ..Options::default() }, &pictures, |report| {
        report.missing = vec!["night/<img src=x onerror=alert(1)>.exr".to_owned()];
        report.judge();
    });
    let worst = &pictures[4].0.aovs[0].worst[0];
    let facts = json!({
        "wicked": WICKED, "origin": faulty.origin, "planted": planted(), "samples": samples(&faulty),
        "worst": [worst.x, worst.y], "large_id": LARGE_ID,
        "order": ["broken.exr", WICKED, "sized.exr", "b-within.exr", "a-equal.exr"],
    });
    check("folder", &path, &facts);
}

#[test]
fn within_limits_a_picture_stands_for_the_values_and_beyond_the_budget_windows_do() {
    let (faulty, mut noisy) = (faulty(), Scene::new(320, 180));
    noisy.noise("beauty", 0.002);
    let path = folder("budget").join("report.html");
    let pictures = [(faulty.report("a.exr"), &faulty), (noisy.report("b.exr"), &noisy)];
    // The beauty does not fit, a window of it does.
    let budget = 2_400_000;
    let size = write(&path, Options { values: Keep::Failing, budget }, &pictures, |_| ());
    assert!(size < budget + 300_000, "{size} bytes for a budget of {budget}, with script, style and numbers");
    let worst = &pictures[0].0.aovs[0].worst[0];
    check("budget", &path, &json!({ "worst": [worst.x, worst.y], "origin": faulty.origin }));
}

#[test]
fn a_single_picture_opens_at_once() {
    let scene = faulty();
    let path = folder("single").join("report.html");
    write(&path, Options::default(), &[(scene.report("a.exr"), &scene)], |_| ());
    check("single", &path, &json!({}));
}

/// The size that issue 5 names: 50 pictures of 1280×720 with 8 AOVs, ten of them different.
#[test]
fn fifty_pictures_of_eight_aovs_stay_smooth() {
    if browser().is_none() {
        return;
    }
    let started = Instant::now();
    let noisy = || {
        let mut scene = Scene::new(1280, 720);
        for name in ["beauty", "direct_diffuse"] {
            scene.noise(name, 0.02);
            scene.layer(name).limit = 0.2;
        }
        scene
    };
    let (passing, mut failing) = (noisy(), noisy());
    failing.change("beauty", [600, 300, 300, 200], |pixel| pixel[..3].iter_mut().for_each(|v| *v *= 1.1));
    failing.change("Z", [0, 500, 1280, 20], |z| z[0] += 0.5);
    let reports: Vec<(PictureReport, &Scene)> =
        (0..50)
            .map(|i| {
                if i % 5 == 0 { (format!("shot {i:02}.exr"), &failing) } else { (format!("shot {i:02}.exr"), &passing) }
            })
            .map(|(name, scene)| (scene.report(&name), scene))
            .collect();
    assert_eq!(reports.iter().filter(|(report, _)| report.verdict == Verdict::Different).count(), 10);
    let path = folder("fifty").join("report.html");
    let size = write(&path, Options::default(), &reports, |_| ());
    println!("fifty pictures: {:.1} MB, written in {:.1} s", size as f64 / 1e6, started.elapsed().as_secs_f64());
    assert!(size < Options::default().budget, "{size}");
    check("fifty", &path, &json!({}));
}
