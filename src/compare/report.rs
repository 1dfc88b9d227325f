//! What a comparison found: the schema of `--json`, and what text, JUnit and HTML reports are written from.
//!
//! Numbers that JSON cannot hold are the strings "nan", "inf" and "-inf".

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::kind::Kind;
use super::statistics::NoiseReport;

/// Version of the schema; it rises when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// How a picture or an AOV came out. The worst of the parts is that of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No value differs.
    #[default]
    Equal,
    /// Values differ, no rule is broken.
    WithinLimits,
    /// A rule is broken, or the pictures have a fault.
    Different,
}

/// A whole comparison: of two files, or of two folders.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: u32,
    /// Of this program.
    pub version: String,
    pub verdict: Verdict,
    pub settings: Settings,
    /// In the order of their names.
    pub pictures: Vec<PictureReport>,
    /// Files of the reference that the test lacks, relative.
    pub missing: Vec<String>,
    /// Files of the test that the reference lacks, relative.
    pub extra: Vec<String>,
}

/// What was compared by which rules.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Settings {
    pub test: String,
    pub reference: String,
    /// The limits file.
    pub limits: Option<String>,
    /// Probability that any of all noise-aware tests of a picture calls equal pictures different.
    pub family_wise_error: f64,
    pub ignore: Vec<String>,
    /// Name in the reference → name in the test.
    pub map: BTreeMap<String, String>,
    /// Fault codes that are notices here.
    pub allow: Vec<String>,
    /// The formulas of metrics whose names have several meanings.
    pub formulas: Vec<Formula>,
}

/// A metric's definition.
#[derive(Clone, Debug, Serialize)]
pub struct Formula {
    pub metric: &'static str,
    pub formula: &'static str,
}

/// One pair of pictures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PictureReport {
    /// Relative to the folders, or the test's file name.
    pub name: String,
    /// Paths as given.
    pub test: String,
    pub reference: String,
    pub verdict: Verdict,
    /// Why the pair could not be compared; then nothing below is filled.
    pub error: Option<String>,
    /// x, y, width, height of the part that both pictures have.
    pub window: [i32; 4],
    /// Width and height of the frames (display windows).
    pub test_size: [u32; 2],
    pub reference_size: [u32; 2],
    /// Worth knowing, no fault.
    pub notices: Vec<Notice>,
    /// Each makes the pictures different.
    pub faults: Vec<Fault>,
    /// In the order of our table, then by name.
    pub aovs: Vec<AovReport>,
    /// How light was made display values before a low-dynamic-range picture was compared with it.
    pub tone: Option<Tone>,
}

/// Worth knowing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Notice {
    /// Stable word.
    pub code: &'static str,
    pub aov: Option<String>,
    pub text: String,
}

/// A difference that no limit forgives: structure, or values that are not numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Stable word: see [`FAULTS`].
    pub code: &'static str,
    pub aov: Option<String>,
    pub text: String,
    /// How many values, channels or AOVs.
    pub count: u64,
    /// The first place, in image coordinates.
    pub first: Option<[i32; 2]>,
}

/// All fault codes with their meaning.
pub const FAULTS: [(&str, &str); 12] = [
    ("size", "the frames (display windows) differ in width or height"),
    ("data_window", "the stored parts of the frames differ"),
    ("missing_aov", "the reference has an AOV that the test lacks"),
    ("extra_aov", "the test has an AOV that the reference lacks"),
    ("renamed_aov", "an AOV of the reference goes by another name in the test"),
    ("missing_channel", "an AOV lacks a channel in the test"),
    ("extra_channel", "an AOV has a channel that the reference lacks"),
    ("renamed_channel", "a channel goes by another name in the test"),
    ("channel_type", "a channel is stored as another type (half, float, uint)"),
    ("nan", "a value is NaN in one picture only"),
    ("inf", "a value is infinite in one picture only, or of the other sign"),
    ("manifest", "the Cryptomatte manifests differ"),
];

/// The view that a reference of light went through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tone {
    /// "srgb" or "agx".
    pub view: String,
    /// Stops.
    pub exposure: f64,
    /// Whether `--exposure auto` solved it.
    pub solved: bool,
    /// Which picture was light and went through the view: "reference" or "test".
    pub applied_to: &'static str,
}

/// One AOV of a pair.
#[derive(Clone, Debug, Serialize)]
pub struct AovReport {
    /// In the test.
    pub name: String,
    /// In the reference.
    pub reference_name: String,
    pub kind: Kind,
    /// Compared channels, without the layer's name.
    pub channels: Vec<String>,
    /// x, y, width, height of what was compared.
    pub window: [i32; 4],
    pub verdict: Verdict,
    /// The rules that judged it; none where it is only reported.
    pub rules: Vec<RuleResult>,
    pub metrics: Metrics,
    pub non_finite: NonFinite,
    /// The ten pixels of the largest error, worst first.
    pub worst: Vec<Worst>,
    pub histogram: Histogram,
    /// A channel each.
    pub bias: Vec<Bias>,
    /// What the noise-aware test says, where it judged.
    pub noise: Option<NoiseReport>,
    /// What the difference looks like, where it looks like something: "shifted by (1, 0) pixels".
    pub diagnosis: Vec<Notice>,
}

/// One rule and how the AOV fared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleResult {
    /// Key of the limits file: "share", "hard", "angle", "bias", "flip", "ssim", "noise"; ids: "exact".
    pub rule: &'static str,
    /// Region that it judged; none for the rest of the picture.
    pub region: Option<String>,
    #[serde(serialize_with = "real")]
    pub measured: f64,
    #[serde(serialize_with = "real")]
    pub limit: f64,
    pub passed: bool,
    /// A sentence with units.
    pub detail: String,
}

/// Measures over all compared values (finite in both pictures).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// Compared pixels (masked ones are not).
    pub pixels: u64,
    /// Pixels of which any value differs.
    pub differing: u64,
    /// Mean |t − r|.
    #[serde(serialize_with = "real")]
    pub mae: f64,
    #[serde(serialize_with = "real")]
    pub rmse: f64,
    /// Mean (t − r)² / (r² + ε).
    #[serde(serialize_with = "real")]
    pub relative_mse: f64,
    /// Decibels, against the reference's largest value (at least 1); none where nothing differs.
    pub psnr: Option<f64>,
    /// Largest |t − r|.
    #[serde(serialize_with = "real")]
    pub max: f64,
    /// Mean of t − r.
    #[serde(serialize_with = "real")]
    pub bias: f64,
    #[serde(serialize_with = "real")]
    pub test_mean: f64,
    #[serde(serialize_with = "real")]
    pub reference_mean: f64,
    /// Normals: degrees.
    pub angle: Option<Angle>,
    /// Ids: pixels whose ids differ.
    pub ids_differing: Option<u64>,
    pub ssim: Option<f64>,
    /// Mean ꟻLIP error, 0..1.
    pub flip: Option<f64>,
}

/// Angles between normals, degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Angle {
    pub mean: f64,
    pub max: f64,
}

/// Values that are not finite in one or both pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NonFinite {
    /// NaN in both, or the same infinity in both: equal.
    pub equal: u64,
    pub nan_in_test: u64,
    pub nan_in_reference: u64,
    /// Infinite in one only, or of different signs.
    pub inf_in_test: u64,
    pub inf_in_reference: u64,
    /// The first place where only one is.
    pub first: Option<[i32; 2]>,
}

/// A pixel of large error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    pub x: i32,
    pub y: i32,
    /// The channel of the largest error.
    pub channel: String,
    #[serde(serialize_with = "real")]
    pub test: f64,
    #[serde(serialize_with = "real")]
    pub reference: f64,
    /// |t − r|; degrees for normals, 1 for ids.
    #[serde(serialize_with = "real")]
    pub error: f64,
    /// Names from the header by the id AOVs of either picture, where known.
    pub instance: Option<String>,
    pub material: Option<String>,
    pub object: Option<String>,
}

/// Counts of t − r by octaves: bin i holds `lowest · ratio^i` up to the next; the first and last take all beyond.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    pub lowest: f64,
    pub ratio: f64,
    /// t < r, by |t − r|.
    pub negative: Vec<u64>,
    pub zero: u64,
    /// t > r.
    pub positive: Vec<u64>,
}

/// Signed mean difference of one channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bias {
    pub channel: String,
    /// Mean of t − r.
    #[serde(serialize_with = "real")]
    pub mean: f64,
    /// 95 % interval of the mean, from the spread of the differences.
    pub interval: [f64; 2],
    /// `mean` over the reference's mean; none where that is 0.
    pub relative: Option<f64>,
}

/// A number that JSON can hold, or its name.
pub(super) fn real<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        v if v.is_finite() => serializer.serialize_f64(*v),
        v if v.is_nan() => serializer.serialize_str("nan"),
        v if *v > 0.0 => serializer.serialize_str("inf"),
        _ => serializer.serialize_str("-inf"),
    }
}

impl Verdict {
    /// The word of reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::WithinLimits => "within limits",
            Self::Different => "different",
        }
    }
}

impl Report {
    /// The verdict of the parts together.
    pub fn judge(&mut self) {
        let worst = self.pictures.iter().map(|picture| picture.verdict).max().unwrap_or_default();
        let complete = self.missing.is_empty() && self.extra.is_empty();
        self.verdict = if complete { worst } else { Verdict::Different };
    }

    /// Whether any picture could not be compared at all.
    pub fn has_errors(&self) -> bool {
        self.pictures.iter().any(|picture| picture.error.is_some())
    }
}

impl PictureReport {
    /// The verdict of the parts together.
    pub fn judge(&mut self) {
        let worst = self.aovs.iter().map(|aov| aov.verdict).max().unwrap_or_default();
        let sound = self.faults.is_empty() && self.error.is_none();
        self.verdict = if sound { worst } else { Verdict::Different };
    }
}

impl NonFinite {
    /// Values that are not finite in one picture only.
    pub fn unequal(&self) -> u64 {
        self.nan_in_test + self.nan_in_reference + self.inf_in_test + self.inf_in_reference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_lacks_have_names() {
        let worst = Worst {
            x: 1,
            y: 2,
            channel: "R".to_owned(),
            test: f64::NAN,
            reference: f64::NEG_INFINITY,
            error: 0.5,
            instance: None,
            material: None,
            object: None,
        };
        let json = serde_json::to_value(&worst).unwrap();
        assert_eq!((&json["test"], &json["reference"]), (&"nan".into(), &"-inf".into()));
        assert_eq!(json["error"], 0.5);
    }

    #[test]
    fn the_worst_part_decides_and_faults_are_different() {
        let mut picture = PictureReport::default();
        picture.judge();
        assert_eq!(picture.verdict, Verdict::Equal);
        let fault = Fault { code: "nan", aov: None, text: String::new(), count: 1, first: None };
        picture.faults.push(fault);
        picture.judge();
        assert_eq!(picture.verdict, Verdict::Different);
    }
}
