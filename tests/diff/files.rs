//! Folders, order, company; files of others, and damaged ones.

use std::path::{Path, PathBuf};

use scrutineer::compare::{self, Options, Verdict};
use serde_json::Value;

use crate::bless::scrutineer;
use crate::random::Random;
use crate::scenes::{gbuffer, render};
use crate::{Desk, support};

fn run(test: &Path, reference: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let output = scrutineer().arg("diff").args([test, reference]).args(more).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn json(test: &Path, reference: &Path) -> Value {
    let (_, text, _) = run(test, reference, &["--no-flip", "--json", "-"]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn company_and_order_change_nothing() {
    let desk = Desk::empty();
    for (name, seed) in [("b/two.exr", 2), ("a.exr", 1), ("z.exr", 3)] {
        desk.put(&format!("out/{name}"), &render(seed));
        desk.put(&format!("ref/{name}"), &render(seed + 100));
    }
    let together = json(&desk.path("out"), &desk.path("ref"));
    let names: Vec<&str> =
        together["pictures"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a.exr", "b/two.exr", "z.exr"]);
    for picture in together["pictures"].as_array().unwrap() {
        let name = picture["name"].as_str().unwrap();
        let mut alone =
            json(&desk.path(&format!("out/{name}")), &desk.path(&format!("ref/{name}")))["pictures"][0].clone();
        alone["name"] = picture["name"].clone();
        assert_eq!(&alone, picture, "{name}");
    }
    // The same on one thread.
    let mut one = scrutineer();
    one.env("RAYON_NUM_THREADS", "1").arg("diff").arg(desk.path("out")).arg(desk.path("ref"));
    let output = one.args(["--no-flip", "--json", "-"]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), together);
}

#[test]
fn missing_and_extra_files_are_differences_and_a_broken_one_stops_nothing() {
    let desk = Desk::empty();
    desk.put("out/same.exr", &gbuffer());
    desk.put("ref/same.exr", &gbuffer());
    desk.text("out/notes.txt", "not a picture");
    assert_eq!(run(&desk.path("out"), &desk.path("ref"), &[]).0, Some(0));
    desk.put("ref/gone.exr", &gbuffer());
    desk.put("out/new.exr", &gbuffer());
    let (code, text, _) = run(&desk.path("out"), &desk.path("ref"), &[]);
    assert_eq!(code, Some(1));
    for line in [
        "same.exr: equal (8 AOVs)",
        "gone.exr: DIFFERENT, the test lacks it",
        "new.exr: DIFFERENT, the reference lacks it",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    std::fs::write(desk.path("out/gone.exr"), b"\x76\x2f\x31\x01\x02\0\0\0half a header").unwrap();
    let (code, text, errors) =
        run(&desk.path("out"), &desk.path("ref"), &["--junit", desk.path("j.xml").to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(text.contains("gone.exr: CANNOT BE COMPARED") && text.contains("same.exr: equal"), "{text}");
    assert!(!errors.contains("panicked"), "{errors}");
    let junit = std::fs::read_to_string(desk.path("j.xml")).unwrap();
    assert!(junit.contains("<testsuite name=\"gone.exr\" tests=\"1\" failures=\"0\" errors=\"1\">"), "{junit}");
    assert!(junit.contains("classname=\"same.exr\" name=\"albedo\"/>"), "{junit}");
}

#[test]
fn exit_codes_and_input_errors() {
    let desk = Desk::empty();
    let a = desk.put("a.exr", &gbuffer());
    let mut other = gbuffer();
    other.map("Z", |v| v + 1.0);
    let b = desk.put("b.exr", &other);
    assert_eq!(run(&a, &a, &[]).0, Some(0));
    let (code, text, _) = run(&b, &a, &[]);
    assert!(code == Some(1) && text.contains("looks like: the reference plus 1.0000"), "{text}");
    assert_eq!(run(&desk.path("none.exr"), &a, &[]).0, Some(2));
    let (code, _, errors) = run(&a, &a, &["--limits", desk.text("l.toml", "ignor = []").to_str().unwrap()]);
    assert!(code == Some(2) && errors.contains("l.toml:1: ignor: unknown key"), "{errors}");
    for wrong in
        [&["--region", "1,2,3"][..], &["--exposure", "x"], &["--map", "a"], &["--allow", "nam"], &["--reason", "x"]]
    {
        assert_eq!(run(&a, &a, wrong).0, Some(2), "{wrong:?}");
    }
    assert_eq!(run(&b, &a, &["--ignore", "Z"]).0, Some(0));
    assert_eq!(run(&b, &a, &["--mask", "0,0,96,80"]).0, Some(0));
}

#[test]
fn the_html_report_is_written() {
    let desk = Desk::empty();
    let page = desk.path("report.html");
    let code =
        run(&desk.put("a.exr", &render(1)), &desk.put("b.exr", &render(2)), &["--html", page.to_str().unwrap()]).0;
    assert_eq!(code, Some(0));
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("beauty_stderr") && html.trim_end().ends_with("</html>"));
}

/// Every EXR below a folder, whatever it is called.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn equal_or_one_error(path: &Path) -> Result<(), String> {
    let (report, _) = compare::compare("p", path, path, &Options::default())?;
    assert_eq!(report.verdict, Verdict::Equal, "{}: {report:#?}", path.display());
    Ok(())
}

#[test]
fn files_of_others_equal_themselves_or_are_refused_in_one_line() {
    let Some(samples) = support::samples() else { return };
    let mut read = 0;
    for path in below(&samples.join("exr")) {
        match equal_or_one_error(&path) {
            Ok(()) => read += 1,
            Err(error) => assert!(!error.contains('\n') && error.contains(path.to_str().unwrap()), "{error}"),
        }
    }
    assert!(read >= 5, "only {read} of the samples can be compared");
    let refused = equal_or_one_error(&samples.join("exr/Rec709_YC.exr")).unwrap_err();
    assert!(refused.contains("not supported: subsampled channels"), "{refused}");
}

#[test]
fn damaged_copies_never_panic() {
    let Some(samples) = support::samples() else { return };
    let desk = Desk::empty();
    let mut random = Random::new(5);
    let damaged = desk.path("damaged.exr");
    for name in ["singlepart.0001.exr", "multipart.0001.exr", "t01.exr", "BrightRings.exr"] {
        let path = samples.join("exr").join(name);
        let bytes = std::fs::read(&path).unwrap();
        for round in 0..24 {
            let mut copy = bytes.clone();
            // The header, where a byte does most, and the pixels in turn; then cut off.
            let reach = if round % 2 == 0 { copy.len().min(2000) } else { copy.len() };
            (0..1 + round % 4).for_each(|_| copy[random.next_u64() as usize % reach] = random.next_u64() as u8);
            if round % 6 == 5 {
                copy.truncate(random.next_u64() as usize % copy.len());
            }
            std::fs::write(&damaged, &copy).unwrap();
            // An answer of any sort.
            let _ = compare::compare("p", &damaged, &path, &Options::default());
        }
    }
}
