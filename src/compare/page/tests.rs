use std::cell::RefCell;
use std::path::Path;

use super::*;
use crate::compare::report::{Histogram, Metrics, NonFinite, Settings};
use crate::compare::{AovReport, Kind, Plane, Verdict};

/// Planes of one value each; notes what is asked for and fails where told.
struct Flat {
    asked: RefCell<Vec<String>>,
    broken: Option<&'static str>,
}

impl Flat {
    fn new(broken: Option<&'static str>) -> Self {
        Self { asked: RefCell::new(Vec::new()), broken }
    }

    fn plane(&self, aov: &AovReport, value: f32, which: &str) -> Result<Plane, String> {
        self.asked.borrow_mut().push(format!("{} {which}", aov.name));
        match self.broken == Some(aov.name.as_str()) {
            true => Err("the file is <gone>".to_owned()),
            false => Ok(Plane {
                width: 200,
                height: 3,
                channels: aov.channels.len(),
                values: vec![value; 600 * aov.channels.len()],
            }),
        }
    }
}

impl Planes for Flat {
    fn test(&self, aov: &AovReport) -> Result<Plane, String> {
        self.plane(aov, 0.5, "test")
    }

    fn reference(&self, aov: &AovReport) -> Result<Plane, String> {
        self.plane(aov, 0.25, "reference")
    }
}

fn aov(name: &str, kind: Kind, channels: &[&str], verdict: Verdict) -> AovReport {
    AovReport {
        name: name.to_owned(),
        reference_name: name.to_owned(),
        kind,
        channels: channels.iter().map(|name| (*name).to_owned()).collect(),
        window: [0, 0, 200, 3],
        verdict,
        rules: Vec::new(),
        metrics: Metrics::default(),
        non_finite: NonFinite::default(),
        worst: Vec::new(),
        histogram: Histogram { lowest: 1e-6, ratio: 2.0, negative: Vec::new(), zero: 0, positive: Vec::new() },
        bias: Vec::new(),
        noise: None,
        diagnosis: Vec::new(),
    }
}

fn picture(name: &str, aovs: Vec<AovReport>) -> PictureReport {
    let mut picture = PictureReport { name: name.to_owned(), aovs, ..PictureReport::default() };
    picture.judge();
    picture
}

fn report(pictures: Vec<PictureReport>) -> Report {
    let mut report = Report {
        schema: 1,
        version: "0".to_owned(),
        verdict: Verdict::Equal,
        settings: Settings { test: "a</title><script>alert(1)</script>".to_owned(), ..Settings::default() },
        pictures,
        missing: vec!["</script><script>alert(2)</script>".to_owned()],
        extra: vec!["<!-- <script>".to_owned()],
    };
    report.judge();
    report
}

fn write(path: &Path, options: Options, pictures: &[PictureReport], planes: &Flat) -> String {
    let mut writer = Writer::create(path, options).unwrap();
    pictures.iter().for_each(|picture| writer.picture(picture, planes).unwrap());
    let size = writer.finish(&report(pictures.to_vec())).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(size, text.len() as u64);
    text
}

/// The JSON that stands in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"report\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

const COLOUR: [&str; 3] = ["R", "G", "B"];

#[test]
fn names_from_files_never_become_markup() {
    let folder = tempfile::tempdir().unwrap();
    let wicked = "<img src=x onerror=alert(3)></script><!--";
    let pictures = [picture(wicked, vec![aov(wicked, Kind::Lighting, &COLOUR, Verdict::Different)])];
    let page = write(&folder.path().join("r.html"), Options::default(), &pictures, &Flat::new(None));
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x") && !page.contains("<!--"));
    // The report, the script and one block.
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script>").count(), 3);
    let data = data(&page);
    assert_eq!(data["pictures"][0]["name"], wicked);
    assert_eq!(data["extra"][0], "<!-- <script>");
}

#[test]
fn the_policy_names_the_hash_of_the_script_that_is_there() {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use sha2::{Digest, Sha256};
    let folder = tempfile::tempdir().unwrap();
    let page = write(&folder.path().join("r.html"), Options::default(), &[], &Flat::new(None));
    for (open, close) in [("<script>", "</script>"), ("<style>", "</style>")] {
        let text = page.split_once(open).unwrap().1.split_once(close).unwrap().0;
        let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert!(page.contains(&format!("-src 'sha256-{hash}'")), "{open}");
    }
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
}

#[test]
fn one_aov_is_read_at_a_time_and_one_that_cannot_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let flat = Flat::new(Some("gone"));
    let aovs = vec![
        aov("first", Kind::Colour, &COLOUR, Verdict::Different),
        aov("gone", Kind::Depth, &["Z"], Verdict::Different),
        aov("last", Kind::Scalar, &["V"], Verdict::WithinLimits),
    ];
    let page = write(&folder.path().join("r.html"), Options::default(), &[picture("p", aovs)], &flat);
    let asked = flat.asked.borrow();
    assert_eq!(*asked, ["first test", "first reference", "gone test", "last test", "last reference"]);
    let aovs = &data(&page)["pictures"][0]["aovs"];
    assert_eq!(aovs[0]["page"]["stored"], "all");
    assert_eq!(
        (&aovs[1]["page"]["block"], &aovs[1]["page"]["note"]),
        (&Value::Null, &"No pixels: the file is <gone>.".into())
    );
    assert_eq!(aovs[2]["page"]["stored"], "pictures");
}

#[test]
fn options_decide_which_values_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let aovs = || {
        vec![
            aov("bad", Kind::Colour, &COLOUR, Verdict::Different),
            aov("good", Kind::Colour, &COLOUR, Verdict::WithinLimits),
        ]
    };
    let stored = |values: Keep, budget: u64| {
        let page =
            write(&folder.path().join("r.html"), Options { values, budget }, &[picture("p", aovs())], &Flat::new(None));
        [0, 1].map(|i| data(&page)["pictures"][0]["aovs"][i]["page"]["stored"].as_str().unwrap().to_owned())
    };
    assert_eq!(stored(Keep::Failing, DEFAULT_BUDGET), ["all", "pictures"]);
    assert_eq!(stored(Keep::All, DEFAULT_BUDGET), ["all", "all"]);
    assert_eq!(stored(Keep::None, DEFAULT_BUDGET), ["pictures", "pictures"]);
    assert_eq!(stored(Keep::All, 0), ["nothing", "nothing"]);
}

#[test]
fn a_picture_without_pixels_is_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let mut broken = picture("broken", Vec::new());
    broken.error = Some("not an EXR file".to_owned());
    let path = folder.path().join("r.html");
    let writer = Writer::create(&path, Options::default()).unwrap();
    writer.finish(&report(vec![broken])).unwrap();
    let data = data(&std::fs::read_to_string(&path).unwrap());
    assert_eq!(data["pictures"][0]["error"], "not an EXR file");
    assert_eq!(data["pictures"][0]["page"]["thumbs"], json!([]));
}

#[test]
fn nothing_is_left_when_a_report_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.html");
    let mut writer = Writer::create(&path, Options::default()).unwrap();
    writer.picture(&picture("p", vec![aov("a", Kind::Colour, &COLOUR, Verdict::Different)]), &Flat::new(None)).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(Writer::create(&folder.path().join("no/such/r.html"), Options::default()).is_err());
}

#[test]
fn the_choices_of_values_are_words() {
    assert!(KEEP.iter().all(|(word, keep)| word.parse() == Ok(*keep)));
    assert!("failed".parse::<Keep>().unwrap_err().contains("\"failing\""));
}
