//! Measures held against rules: what an AOV's verdict comes from.

use super::engine::{Couple, Running, corners};
use super::kind::Kind;
use super::limits::{Key, Limits, Rules};
use super::measure::{Candidate, Measure, Zone};
use super::report::{AovReport, Fault, RuleResult, Verdict, Worst};
use super::statistics::{NoiseReport, Verdict as NoiseVerdict};

/// The report of one AOV, and its values that are not numbers in one picture only.
pub fn judge(
    aov: Running,
    noise: Option<NoiseReport>,
    couple: &Couple,
    limits: &Limits,
) -> Result<(AovReport, Vec<Fault>), String> {
    let Running { pair, rules, measure, perceptual, .. } = aov;
    let channels: Vec<String> = pair.channels.iter().map(|(name, ..)| name.clone()).collect();
    let mut metrics = measure.metrics();
    if let Some(found) = perceptual {
        (metrics.flip, metrics.ssim) = (found.flip, found.ssim);
    }
    let regions = limits.regions_of(&pair.reference_name);
    let names = std::iter::once(None).chain(regions.iter().map(|region| Some(region.name.as_str())));
    let mut results = Vec::new();
    for ((region, zone), rules) in names.zip(&measure.zones).zip(&rules) {
        let judge = Judge { kind: pair.kind, channels: &channels, zone, rules, region, noise: noise.as_ref(), limits };
        results.extend(judge.rules());
    }
    results.extend(noise.as_ref().map(noise_rule));
    results.extend(whole_picture_rule("flip", metrics.flip, rules[0].get(Key::Flip), |m, l| m <= l));
    results.extend(whole_picture_rule("ssim", metrics.ssim, rules[0].get(Key::Ssim), |m, l| m >= l));
    let faults = match pair.kind {
        // An error that is not known (+inf) is no difference of the picture.
        Kind::StandardError => Vec::new(),
        _ => not_numbers(&pair.reference_name, &measure),
    };
    let verdict = match () {
        () if !faults.is_empty() && !faults.iter().all(|fault| limits.allow.iter().any(|code| code == fault.code)) => {
            Verdict::Different
        }
        () if results.iter().any(|rule| !rule.passed) => Verdict::Different,
        () if measure.is_equal() => Verdict::Equal,
        () => Verdict::WithinLimits,
    };
    let report = AovReport {
        name: pair.name.clone(),
        reference_name: pair.reference_name.clone(),
        kind: pair.kind,
        window: corners(pair.window),
        verdict,
        rules: results,
        metrics,
        non_finite: measure.non_finite,
        worst: measure.worst().iter().map(|candidate| worst(candidate, &channels, couple)).collect(),
        histogram: measure.histogram(),
        bias: measure.bias(&channels),
        noise,
        diagnosis: Vec::new(),
        channels,
    };
    Ok((report, faults))
}

fn worst(candidate: &Candidate, channels: &[String], couple: &Couple) -> Worst {
    let [instance, material, object] = [0, 1, 2].map(|place| couple.label(place, candidate.ids[place]));
    Worst {
        x: candidate.x,
        y: candidate.y,
        channel: channels.get(candidate.channel).cloned().unwrap_or_default(),
        test: candidate.test,
        reference: candidate.reference,
        error: candidate.error,
        instance,
        material,
        object,
    }
}

/// A zone under its rules.
struct Judge<'a> {
    kind: Kind,
    channels: &'a [String],
    zone: &'a Zone,
    rules: &'a Rules,
    region: Option<&'a str>,
    noise: Option<&'a NoiseReport>,
    limits: &'a Limits,
}

impl Judge<'_> {
    fn rules(&self) -> Vec<RuleResult> {
        if self.zone.pixels == 0 {
            return Vec::new();
        }
        [self.share(), self.angle(), self.hard(), self.bias()].into_iter().flatten().collect()
    }

    fn result(&self, rule: &'static str, measured: f64, limit: f64, detail: String) -> RuleResult {
        // A measure that is not a number passes nothing.
        RuleResult { rule, region: self.region.map(str::to_owned), measured, limit, passed: measured <= limit, detail }
    }

    /// Share of pixels over the limits; of ids, that differ.
    fn share(&self) -> Option<RuleResult> {
        let (absolute, relative) = (self.rules.get(Key::Absolute), self.rules.get(Key::Relative));
        let (rule, over) = match (self.kind, absolute, relative) {
            (Kind::Id, ..) => {
                self.rules.get(Key::Share)?;
                ("exact", "of other ids".to_owned())
            }
            (_, None, None) => return None,
            (_, Some(a), None) => ("share", format!("off by more than {a}")),
            (_, None, Some(r)) => ("share", format!("off by more than {}", percent(r))),
            (_, Some(a), Some(r)) => ("share", format!("off by more than {a} and {}", percent(r))),
        };
        Some(self.of_pixels(rule, self.zone.over, &over))
    }

    fn angle(&self) -> Option<RuleResult> {
        let limit = self.rules.get(Key::Angle).filter(|_| self.kind == Kind::Normal)?;
        Some(self.of_pixels("angle", self.zone.turned, &format!("turned by more than {limit}°")))
    }

    fn of_pixels(&self, rule: &'static str, over: u64, what: &str) -> RuleResult {
        let (share, limit) = (over as f64 / self.zone.pixels as f64, self.rules.share());
        let allowed = if limit == 0.0 { "none may be".to_owned() } else { format!("{} may be", percent(limit)) };
        self.result(
            rule,
            share,
            limit,
            format!("{over} {} ({}) {what}; {allowed}", if over == 1 { "pixel" } else { "pixels" }, percent(share)),
        )
    }

    fn hard(&self) -> Option<RuleResult> {
        let limit = self.rules.get(Key::Hard)?;
        let [x, y] = self.zone.max_at;
        let detail = format!("the largest error is {} at ({x}, {y}); none may be above {limit}", short(self.zone.max));
        Some(self.result("hard", self.zone.max, limit, detail))
    }

    /// The worst channel's mean difference. Of noisy pictures the part that noise may explain is not held against it.
    fn bias(&self) -> Option<RuleResult> {
        let limit = self.rules.get(Key::Bias)?;
        let noisy = self.noise.is_some();
        let allowance =
            if noisy { quantile(self.limits.family_wise_error / self.channels.len().max(1) as f64) } else { 0.0 };
        let channel = |(name, sums): (&String, &super::measure::Sums)| {
            let relative = sums.relative_bias()?;
            let half = sums.bias_error() / sums.reference_mean().abs();
            Some(((relative.abs() - allowance * half).max(0.0), name.clone(), relative, 1.96 * half))
        };
        let colour = |(name, _): &(&String, _)| name.as_str() != "A";
        let all = self.channels.iter().zip(&self.zone.sums).filter(colour).filter_map(channel);
        let (measured, name, relative, half) = all.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let interval = if noisy { format!(" ± {}", percent(half)) } else { String::new() };
        let sign = if relative < 0.0 { "−" } else { "+" };
        let detail = format!(
            "the mean of {name} is off by {sign}{}{interval}; {} may be",
            percent(relative.abs()),
            percent(limit)
        );
        Some(self.result("bias", measured, limit, detail))
    }
}

fn noise_rule(report: &NoiseReport) -> RuleResult {
    RuleResult {
        rule: "noise",
        region: None,
        measured: report.pixels.largest.max(report.regions.largest),
        limit: 1.0,
        passed: report.verdict == NoiseVerdict::Noise,
        detail: report.line.clone(),
    }
}

fn whole_picture_rule(
    rule: &'static str,
    measured: Option<f64>,
    limit: Option<f64>,
    passes: impl Fn(f64, f64) -> bool,
) -> Option<RuleResult> {
    let (measured, limit) = (measured?, limit?);
    let detail = format!("{} is {}, limit {limit}", rule.to_uppercase(), short(measured));
    Some(RuleResult { rule, region: None, measured, limit, passed: passes(measured, limit), detail })
}

/// One fault for NaN and one for infinities.
fn not_numbers(aov: &str, measure: &Measure) -> Vec<Fault> {
    let found = measure.non_finite;
    let place = found.first.map_or_else(String::new, |[x, y]| format!(", first at ({x}, {y})"));
    let fault = |code, in_test: u64, in_reference: u64, what: &str| {
        let sides = [(in_test, "test"), (in_reference, "reference")];
        let words: Vec<String> = sides
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, side)| format!("{count} in the {side}"))
            .collect();
        let text = format!("{aov}: values are {what} in one picture only: {}{place}", words.join(", "));
        let count = in_test + in_reference;
        (count > 0).then(|| Fault { code, aov: Some(aov.to_owned()), text, count, first: found.first })
    };
    let nan = fault("nan", found.nan_in_test, found.nan_in_reference, "NaN");
    let inf = fault("inf", found.inf_in_test, found.inf_in_reference, "infinite");
    nan.into_iter().chain(inf).collect()
}

/// Cryptomatte layers whose manifests name different things.
pub fn manifests(couple: &Couple) -> Vec<Fault> {
    let mut faults = Vec::new();
    for pair in couple.matching.pairs.iter().filter(|pair| pair.kind == Kind::Cryptomatte) {
        let test = couple.test.facts().manifests.get(&pair.name);
        let reference = couple.reference.facts().manifests.get(&pair.reference_name);
        let (Some(test), Some(reference)) = (test, reference) else { continue };
        let lacking = |a: &std::collections::BTreeMap<String, String>,
                       b: &std::collections::BTreeMap<String, String>| {
            a.iter().filter(|(name, id)| b.get(*name) != Some(*id)).map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let (missing, extra) = (lacking(reference, test), lacking(test, reference));
        let count = missing.len() + extra.len();
        if count > 0 {
            let some = |names: &[String]| {
                names.iter().take(5).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
            };
            let text = format!(
                "{}: the test lacks {} names of the manifest ({}) and has {} others ({})",
                pair.reference_name,
                missing.len(),
                some(&missing),
                extra.len(),
                some(&extra)
            );
            let aov = Some(pair.reference_name.clone());
            faults.push(Fault { code: "manifest", aov, text, count: count as u64, first: None });
        }
    }
    faults
}

/// The two-sided quantile of the normal law: P(|z| > quantile) = `probability`; by bisection of the tail's bound-free
/// expansion (Abramowitz and Stegun 26.2.23, error below 4.5e-4).
fn quantile(probability: f64) -> f64 {
    let t = (-2.0 * (0.5 * probability).clamp(1e-300, 0.5).ln()).sqrt();
    t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

/// Three digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if !v.is_finite() => format!("{value}"),
        v if (1e-3..1e4).contains(&v) => {
            let digits = (3 - v.log10().floor() as i32).clamp(0, 6) as usize;
            let text = format!("{value:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
        _ => format!("{value:.2e}"),
    }
}

/// `1.2 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", short(100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (0.5, "0.5"),
            (12.3456, "12.35"),
            (1e-5, "1.00e-5"),
            (0.01234, "0.01234"),
            (123456.0, "1.23e5"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(percent(0.001), "0.1 %");
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (probability, expected) in [(0.05, 1.95996), (0.01, 2.57583), (1e-3, 3.29053), (1e-6, 4.89164)] {
            assert!((quantile(probability) - expected).abs() < 1e-3, "{probability}");
        }
    }
}
