//! The limits file: every mistake with its line, every rule with its effect.

use scrutineer::compare::Verdict;
use scrutineer::compare::limits::parse;

use crate::scenes::gbuffer;
use crate::{Desk, aov, diff, diff_with, limits};

#[test]
fn every_mistake_is_reported_at_once_with_its_line() {
    let desk = Desk::empty();
    let path = desk.text(
        "limits.toml",
        "family_wise_error = 2\nexposur = 1\nallow = [\"nam\"]\n[default]\nabsolute = -1\n[aov.beauty]\nbais = 0.1\n\
         noise = \"maybe\"\nshare = \"much\"\n[[region]]\nrect = [0, 0, 0, 1]\nflip = 0.1\n[[mask]]\nmode = \"exclude\"\n",
    );
    let error = parse(&path).unwrap_err();
    let text = error.to_string();
    for (line, words) in [
        (1, "family_wise_error: expected a number from 0.000000000001 to 0.5, found 2"),
        (2, "exposur: unknown key \"exposur\"; did you mean \"exposure\"?"),
        (3, "allow: unknown fault \"nam\"; did you mean \"nan\"?"),
        (5, "default.absolute: expected a number that is at least 0, or \"off\", found -1"),
        (7, "aov.beauty.bais: unknown key \"bais\"; did you mean \"bias\"?"),
        (8, "aov.beauty.noise: unknown value \"maybe\""),
        (9, "aov.beauty.share: expected a number from 0 to 1, or \"off\", found \"much\""),
        (11, "region.0.rect: expected x, y, width, height"),
        (12, "region.0.flip: \"flip\" is measured over the whole picture"),
        (10, "region.0.name: missing key"),
        (13, "mask.0.rect: a mask has either a \"rect\" or a \"file\""),
    ] {
        let expected = format!(":{line}: {words}");
        assert!(text.contains(&expected), "{expected}\nin\n{text}");
    }
    assert_eq!(error.mistakes.len(), 11, "{text}");
    assert!(parse(&desk.text("a.toml", "a = = 1")).unwrap_err().to_string().contains("a.toml:1"));
    assert!(parse(&desk.path("none.toml")).is_err());
}

#[test]
fn a_pixel_is_over_where_both_limits_are_passed() {
    let mut test = gbuffer();
    test.map("roughness", |v| v + 0.01); // absolute 0.01, relative 1.25 % to 5 %
    let verdict = |text: &str| aov(&diff_with(&test, &gbuffer(), limits(text)), "roughness").verdict;
    assert_eq!(verdict("[aov.\"rough*\"]\nabsolute = 0.005\nshare = 0"), Verdict::Different);
    assert_eq!(verdict("[aov.\"rough*\"]\nabsolute = 0.011\nshare = 0"), Verdict::WithinLimits);
    assert_eq!(verdict("[aov.\"rough*\"]\nabsolute = 0.005\nrelative = 0.06\nshare = 0"), Verdict::WithinLimits);
    assert_eq!(verdict("[aov.\"rough*\"]\nabsolute = \"off\"\nrelative = 0.02\nshare = 0"), Verdict::Different);
    assert_eq!(verdict("[aov.\"rough*\"]\nabsolute = 0.005\nshare = 1"), Verdict::WithinLimits);
    assert_eq!(verdict("[default]\nabsolute = 0.005\nshare = 1\nhard = 0.0099"), Verdict::Different);
    assert_eq!(verdict("[default]\nabsolute = 0.005\n[aov.roughness]\nabsolute = 0.02"), Verdict::WithinLimits);
    assert_eq!(verdict("[default]\nabsolute = \"off\"\n[aov.roughness]\nbias = 0.001"), Verdict::Different);
}

#[test]
fn masks_and_regions_choose_pixels_and_rules() {
    let mut test = gbuffer();
    test.set("albedo.R", 10, 10, 0.9);
    let strict = "[default]\nshare = 0\n";
    let verdict = |text: &str| diff_with(&test, &gbuffer(), limits(&format!("{strict}{text}"))).verdict;
    assert_eq!(verdict(""), Verdict::Different);
    assert_eq!(verdict("[[mask]]\nmode = \"exclude\"\nrect = [10, 10, 1, 1]"), Verdict::Equal);
    assert_eq!(verdict("[[mask]]\nmode = \"include\"\nrect = [0, 0, 10, 96]"), Verdict::Equal);
    assert_eq!(verdict("[[mask]]\nmode = \"include\"\nrect = [0, 0, 11, 96]"), Verdict::Different);
    assert_eq!(verdict("[[region]]\nname = \"sign\"\nrect = [9, 9, 3, 3]\nabsolute = 1"), Verdict::WithinLimits);
    assert_eq!(
        verdict("[[region]]\nname = \"sign\"\nrect = [9, 9, 3, 3]\nabsolute = 1\naovs = [\"N\"]"),
        Verdict::Different
    );
}

#[test]
fn a_picture_masks_where_it_is_above_zero() {
    let desk = Desk::empty();
    let mut mask = crate::pictures::Pic::new(96, 80);
    mask.float("Y", |x, y| if (x, y) == (10, 10) { 1.0 } else { 0.0 });
    desk.put("mask.exr", &mask);
    let limits = parse(&desk.text("limits.toml", "[[mask]]\nmode = \"exclude\"\nfile = \"mask.exr\"")).unwrap();
    let mut test = gbuffer();
    test.set("albedo.R", 10, 10, 0.9);
    assert_eq!(diff_with(&test, &gbuffer(), limits).verdict, Verdict::Equal);
    assert_ne!(diff(&test, &gbuffer()).verdict, Verdict::Equal);
}

#[test]
fn the_documentation_has_every_key_fault_and_default() {
    use scrutineer::compare::limits::{BEAUTY_BIAS, DEFAULTS, KEYS};
    use scrutineer::compare::report::FAULTS;
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diff.md")).unwrap();
    KEYS.iter().for_each(|(name, ..)| assert!(page.contains(&format!("| `{name}` |")), "{name}"));
    FAULTS.iter().for_each(|(code, _)| assert!(page.contains(&format!("`{code}`")), "{code}"));
    assert!(page.contains(&format!("`bias` {BEAUTY_BIAS}")));
    for (kind, entries) in DEFAULTS.iter().filter(|(_, entries)| !entries.is_empty()) {
        let row = page.lines().find(|line| line.starts_with(&format!("| {} |", kind.name()))).expect("a row");
        let word = |key| KEYS.iter().find(|(_, listed, ..)| *listed == key).expect("a key").0;
        let rules: Vec<String> = entries.iter().map(|(key, value)| format!("`{}` {value}", word(*key))).collect();
        assert!(row.contains(&rules.join(", ")), "{rules:?} in {row}");
    }
}
