//! What a noise-aware comparison says.

use serde::{Deserialize, Serialize};

/// The verdict of a noise-aware comparison of one AOV.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing that the noise does not explain.
    Noise,
    /// Residuals of the picture or of a region lean to one side.
    Bias,
    /// No region leans, but single pixels are off by more than their noise.
    Outliers,
}

/// Everything found in one AOV.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseReport {
    pub verdict: Verdict,
    /// One sentence for people.
    pub line: String,
    /// The probability that any test of this AOV fails by chance, at most; see `exchangeable`.
    pub family_wise_error: f64,
    /// Tests that share it.
    pub tests: u64,
    /// Whether test and reference can be swapped under the null hypothesis (equal sample counts, independent seeds): then
    /// the regions' error rate is a theorem. Otherwise thresholds are wider and the rate is an estimate.
    pub exchangeable: bool,
    /// Values (pixels × channels) that took part.
    pub compared: u64,
    /// Values left out because test or reference is not finite.
    pub non_finite: u64,
    /// Σ d² over Σ (standard error)², over the values whose errors are known: about 1 for independent renders. Well
    /// below: the two share random numbers (same seed) or the errors are too large. `None` without errors.
    pub spread: Option<f64>,
    pub pixels: PixelReport,
    pub regions: RegionReport,
    /// One entry a channel.
    pub bias: Vec<Bias>,
}

/// The test of single pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PixelReport {
    /// Values tested against their standard errors, and the threshold in standard errors.
    pub by_error: u64,
    pub error_threshold: f64,
    /// Values tested against the range of the reference's 3×3 neighbourhood, and how far outside it a value may be, in
    /// the AOV's unit. The others are not tested alone.
    pub by_range: u64,
    pub range_threshold: f64,
    /// Values that failed either test.
    pub failing: u64,
    /// The largest residual of all in units of its threshold: above 1 where one failed.
    pub largest: f64,
    /// The worst of them, worst first.
    pub worst: Vec<PixelFailure>,
}

/// A value off by more than its noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PixelFailure {
    /// In image coordinates.
    pub x: i32,
    pub y: i32,
    pub channel: usize,
    pub test: f32,
    pub reference: f32,
    /// How far, in units of its test's threshold: above 1.
    pub excess: f64,
    /// Residual in standard errors where they are known.
    pub z: Option<f64>,
}

/// The test of regions: tiles of 16 and of 64 pixels, and the whole picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionReport {
    /// Regions × channels tested: tiles of 16, of 64, whole picture; and their thresholds.
    pub tested: [u64; 3],
    pub thresholds: [f64; 3],
    /// Regions × channels that failed.
    pub failing: [u64; 3],
    /// The largest score of all in units of its threshold: above 1 where one failed.
    pub largest: f64,
    /// The worst of them, worst first.
    pub worst: Vec<RegionFailure>,
}

/// A region whose residuals lean to one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionFailure {
    /// x, y, width, height, pixels; in image coordinates.
    pub rect: [i32; 4],
    pub channel: usize,
    /// The region's sum in units of its own spread, signed: above `threshold` in size.
    pub z: f64,
    pub threshold: f64,
    /// Mean of test − reference.
    pub difference: f64,
    /// Mean of the reference.
    pub reference: f64,
}

/// The signed mean bias of one channel, with 95 % half-widths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bias {
    pub channel: usize,
    /// Mean of the reference over the compared pixels.
    pub reference: f64,
    /// Mean of test − reference.
    pub difference: f64,
    pub half_width: f64,
    /// `difference` and `half_width` over the reference's mean; `None` where that is nearly 0 beside the values.
    pub relative: Option<f64>,
    pub relative_half_width: Option<f64>,
    /// The relative change of brightness that explains the residuals best, each pixel weighted by its noise (fireflies do
    /// not count): sharper than `relative` where all pixels change alike, another number where they do not.
    pub brightness: Option<f64>,
    pub brightness_half_width: Option<f64>,
    /// The whole channel's score, in units of the sum's own spread.
    pub sigma: f64,
}

/// `+0.52 % ± 0.03 %`.
fn percent(value: f64, half_width: f64) -> String {
    let digits = (-(100.0 * half_width.max(1e-12)).log10().floor()).clamp(1.0, 6.0) as usize + 1;
    format!("{:.*} % ± {:.*} %", digits, 100.0 * value.abs(), digits, 100.0 * half_width)
}

impl Bias {
    /// How much brighter or darker, by the sharper of the two estimates.
    fn words(&self) -> String {
        let plain = self.relative.zip(self.relative_half_width);
        let weighted = self.brightness.zip(self.brightness_half_width);
        let sharper = |(value, width): &(f64, f64)| value.abs() / width.max(f64::MIN_POSITIVE);
        let best = [plain, weighted].into_iter().flatten().max_by(|a, b| sharper(a).total_cmp(&sharper(b)));
        match best {
            Some((value, width)) if value.is_finite() && width.is_finite() => {
                format!("{} {}", percent(value, width), if value > 0.0 { "brighter" } else { "darker" })
            }
            _ => format!("off by {:.3e} ± {:.1e}", self.difference, self.half_width),
        }
    }
}

impl NoiseReport {
    /// Moves all places by the first pixel's.
    pub(super) fn count_from(&mut self, [x, y]: [i32; 2]) {
        self.pixels.worst.iter_mut().for_each(|pixel| (pixel.x, pixel.y) = (pixel.x + x, pixel.y + y));
        self.regions.worst.iter_mut().for_each(|region| {
            region.rect[0] += x;
            region.rect[1] += y;
        });
    }
}

/// The sentence of a report.
pub fn line(report: &NoiseReport, channel_name: impl Fn(usize) -> String) -> String {
    match report.verdict {
        Verdict::Bias => bias_line(report, channel_name),
        Verdict::Outliers => outlier_line(report, channel_name),
        Verdict::Noise => noise_line(report, channel_name),
    }
}

fn bias_line(report: &NoiseReport, channel_name: impl Fn(usize) -> String) -> String {
    let whole = report.regions.failing[2] > 0;
    let strongest = report.bias.iter().max_by(|a, b| a.sigma.abs().total_cmp(&b.sigma.abs()));
    match (whole, strongest, report.regions.worst.first()) {
        (true, Some(bias), _) => {
            let channel = channel_name(bias.channel);
            format!("the test is {} in {channel}, {:.1}σ: bias", bias.words(), bias.sigma.abs())
        }
        (_, _, Some(region)) => {
            let [x, y, w, h] = region.rect;
            let regions: u64 = report.regions.failing.iter().sum();
            format!(
                "{regions} regions lean to one side, most at ({x}, {y}) {w}×{h} in {}: mean {:.4e} in place of {:.4e}, \
                 {:.1}σ: bias there, not in the picture as a whole",
                channel_name(region.channel),
                region.reference + region.difference,
                region.reference,
                region.z.abs()
            )
        }
        _ => "bias".to_owned(),
    }
}

fn outlier_line(report: &NoiseReport, channel_name: impl Fn(usize) -> String) -> String {
    let Some(worst) = report.pixels.worst.first() else { return "outliers".to_owned() };
    let size = worst.z.map_or_else(|| format!("{:.1}× the limit", worst.excess), |z| format!("{:.0}σ", z.abs()));
    format!(
        "{} values are off by more than their noise, most at ({}, {}) in {}: {} in place of {}, {size}: outliers",
        report.pixels.failing,
        worst.x,
        worst.y,
        channel_name(worst.channel),
        worst.test,
        worst.reference
    )
}

fn noise_line(report: &NoiseReport, channel_name: impl Fn(usize) -> String) -> String {
    // Coverage is no brightness.
    let bright = report.bias.iter().filter(|bias| report.bias.len() == 1 || channel_name(bias.channel) != "A");
    let strongest = bright.max_by(|a, b| a.sigma.abs().total_cmp(&b.sigma.abs()));
    match strongest {
        Some(bias) if bias.difference != 0.0 => {
            format!("no difference beyond noise; the test is {}, {:.1}σ", bias.words(), bias.sigma.abs())
        }
        _ => "no difference beyond rounding".to_owned(),
    }
}
