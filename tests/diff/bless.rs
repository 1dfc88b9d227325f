//! Accepting references: with a reason, atomically, logged; never what cannot be read.

use std::path::Path;

use assert_cmd::Command;

use crate::Desk;
use crate::scenes::{gbuffer, render};

pub fn scrutineer() -> Command {
    Command::cargo_bin("scrutineer").expect("the program")
}

fn bless(test: &Path, reference: &Path, reason: Option<&str>) -> std::process::Output {
    let mut command = scrutineer();
    command.arg("diff").args([test, reference]).arg("--bless");
    if let Some(reason) = reason {
        command.args(["--reason", reason]);
    }
    command.output().unwrap()
}

#[test]
fn blessing_replaces_the_reference_and_says_why() {
    let desk = Desk::empty();
    let reference = desk.put("references/a.exr", &gbuffer());
    let mut new = gbuffer();
    new.map("roughness", |v| v + 0.1);
    let test = desk.put("out/a.exr", &new);
    assert_eq!(bless(&test, &reference, None).status.code(), Some(2));
    assert_eq!(bless(&test, &reference, Some("  ")).status.code(), Some(2));
    assert_ne!(std::fs::read(&test).unwrap(), std::fs::read(&reference).unwrap());
    let reason = "rougher \"on purpose\"\nas agreed";
    assert_eq!(bless(&test, &reference, Some(reason)).status.code(), Some(0));
    assert_eq!(std::fs::read(&test).unwrap(), std::fs::read(&reference).unwrap());
    assert_eq!(scrutineer().arg("diff").args([&test, &reference]).output().unwrap().status.code(), Some(0));
    let log =
        || -> toml::Table { std::fs::read_to_string(desk.path("references/blessed.toml")).unwrap().parse().unwrap() };
    let entry = log()["blessed"][0].clone();
    assert_eq!((entry["file"].as_str(), entry["reason"].as_str()), (Some("a.exr"), Some(reason)));
    assert!(entry["differed"][0].as_str().unwrap().starts_with("roughness: share"), "{entry}");
    assert!(entry["new"] != entry["old"] && entry["new"].as_str().unwrap().starts_with("sha256:"));
    assert!(entry["date"].as_str().unwrap().ends_with('Z'));
    // A second one is added; the same bytes are not.
    assert_eq!(bless(&test, &reference, Some("again")).status.code(), Some(0));
    assert_eq!(log()["blessed"].as_array().unwrap().len(), 1);
    desk.put("out/a.exr", &gbuffer());
    bless(&test, &reference, Some("back"));
    assert_eq!(log()["blessed"][1]["reason"].as_str(), Some("back"));
}

#[test]
fn folders_are_blessed_as_a_whole_or_not_at_all() {
    let desk = Desk::empty();
    desk.put("out/b.exr", &gbuffer());
    desk.put("out/sub/new.exr", &render(1));
    desk.put("ref/b.exr", &render(2));
    std::fs::write(desk.path("out/c.exr"), b"\x76\x2f\x31\x01 and no more").unwrap();
    desk.put("ref/c.exr", &render(3));
    let (out, references) = (desk.path("out"), desk.path("ref"));
    let before = std::fs::read(desk.path("ref/b.exr")).unwrap();
    let refused = bless(&out, &references, Some("try"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing is blessed"));
    assert_eq!(std::fs::read(desk.path("ref/b.exr")).unwrap(), before);
    desk.put("out/c.exr", &render(3));
    assert_eq!(bless(&out, &references, Some("now")).status.code(), Some(0));
    assert!(desk.path("ref/sub/new.exr").exists() && desk.path("ref/sub/blessed.toml").exists());
    assert_ne!(std::fs::read(desk.path("ref/b.exr")).unwrap(), before);
}
