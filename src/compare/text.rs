//! The report as text: short where all is well, one line an AOV where not, then what broke which rule.

use std::fmt::Write as _;

use super::judge::{percent, short};
use super::kind::Kind;
use super::report::{AovReport, PictureReport, Report, Verdict, Worst};

/// The whole report.
pub fn report(report: &Report) -> String {
    let mut text = String::new();
    report.pictures.iter().for_each(|found| text += &picture(found));
    for (names, what) in [(&report.missing, "the test lacks it"), (&report.extra, "the reference lacks it")] {
        names.iter().for_each(|name| text += &format!("{name}: DIFFERENT, {what}\n"));
    }
    let count = report.pictures.len() + report.missing.len() + report.extra.len();
    if count > 1 {
        text += &summary(report, count);
    }
    text
}

fn summary(report: &Report, count: usize) -> String {
    let of = |verdict: Verdict| {
        report.pictures.iter().filter(|found| found.error.is_none() && found.verdict == verdict).count()
    };
    let errors = report.pictures.iter().filter(|found| found.error.is_some()).count();
    let parts = [
        (of(Verdict::Equal), "equal"),
        (of(Verdict::WithinLimits), "within limits"),
        (of(Verdict::Different), "different"),
        (errors, "unreadable"),
        (report.missing.len(), "missing"),
        (report.extra.len(), "extra"),
    ];
    let words: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    format!("{count} pictures: {}\n", words.join(", "))
}

/// One picture.
pub fn picture(found: &PictureReport) -> String {
    if let Some(error) = &found.error {
        return format!("{}: CANNOT BE COMPARED\n  {error}\n", found.name);
    }
    let mut text = format!("{}: {}\n", found.name, headline(found));
    for fault in &found.faults {
        let _ = writeln!(text, "  {:<16} {}", fault.code, fault.text);
    }
    // Equal pictures of one seed surprise nobody.
    for notice in found.notices.iter().filter(|notice| found.verdict != Verdict::Equal || notice.code != "correlated") {
        let _ = writeln!(text, "  note: {}", notice.text);
    }
    if let Some(tone) = &found.tone {
        let solved = if tone.solved { " (solved)" } else { "" };
        let _ = writeln!(
            text,
            "  note: the {} is light and was shown through \"{}\" at {} stops{solved}",
            tone.applied_to,
            tone.view,
            short(tone.exposure)
        );
    }
    if found.verdict == Verdict::Equal {
        return text;
    }
    let shared = shared_diagnosis(found);
    for (text_of_all, count) in &shared {
        let _ = writeln!(text, "  looks like: {text_of_all} ({count} AOVs)");
    }
    let width = found.aovs.iter().map(|aov| title(aov).chars().count()).max().unwrap_or(0).max(8);
    for aov in found.aovs.iter().filter(|aov| aov.verdict != Verdict::Equal) {
        text += &row(aov, width, &shared);
    }
    let equal: Vec<String> = found.aovs.iter().filter(|aov| aov.verdict == Verdict::Equal).map(title).collect();
    if !equal.is_empty() {
        let _ = writeln!(text, "  equal: {}", equal.join(", "));
    }
    text
}

/// What several AOVs look like is said once.
fn shared_diagnosis(found: &PictureReport) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for notice in found.aovs.iter().flat_map(|aov| &aov.diagnosis).filter(|notice| notice.code != "hot_pixels") {
        match counts.iter_mut().find(|(text, _)| *text == notice.text) {
            Some((_, count)) => *count += 1,
            None => counts.push((&notice.text, 1)),
        }
    }
    counts.retain(|(_, count)| *count > 1);
    counts
}

fn headline(found: &PictureReport) -> String {
    let of = |verdict: Verdict| found.aovs.iter().filter(|aov| aov.verdict == verdict).count();
    let total = found.aovs.len();
    let aovs = |count: usize| if count == 1 { "1 AOV".to_owned() } else { format!("{count} AOVs") };
    match found.verdict {
        Verdict::Equal => format!("equal ({})", aovs(total)),
        Verdict::WithinLimits => {
            format!(
                "within limits ({}: {} equal, {} within limits)",
                aovs(total),
                of(Verdict::Equal),
                of(Verdict::WithinLimits)
            )
        }
        Verdict::Different => {
            let faults = match found.faults.len() {
                0 => String::new(),
                1 => ", 1 fault".to_owned(),
                count => format!(", {count} faults"),
            };
            format!("DIFFERENT ({} of {} beyond limits{faults})", of(Verdict::Different), aovs(total))
        }
    }
}

fn title(aov: &AovReport) -> String {
    match aov.name == aov.reference_name {
        true => aov.name.clone(),
        false => format!("{} (as {})", aov.reference_name, aov.name),
    }
}

/// The line of one AOV, and what failed.
fn row(aov: &AovReport, width: usize, shared: &[(&str, usize)]) -> String {
    let word = match (aov.verdict, aov.rules.is_empty()) {
        (Verdict::Different, _) => "DIFFERENT",
        (_, true) => "reported",
        _ => "ok",
    };
    let mut text = format!("  {:<width$}  {word:<9}  {}\n", title(aov), numbers(aov));
    if aov.verdict != Verdict::Different {
        // Where errors are known, how much may hide in the noise is worth a line.
        if let Some(noise) = aov.noise.as_ref().filter(|noise| noise.pixels.by_error > 0) {
            let _ = writeln!(text, "      {}", noise.line);
        }
        return text;
    }
    for rule in aov.rules.iter().filter(|rule| !rule.passed) {
        let region = rule.region.as_ref().map_or_else(String::new, |name| format!(" [{name}]"));
        let _ = writeln!(text, "      {}{region}: {}", rule.rule, rule.detail);
    }
    if let Some(worst) = aov.worst.first() {
        let _ = writeln!(text, "      worst: {}", worst_pixel(worst, aov.kind));
    }
    for notice in aov.diagnosis.iter().filter(|notice| shared.iter().all(|(text, _)| *text != notice.text)) {
        let _ = writeln!(text, "      looks like: {}", notice.text);
    }
    text
}

/// The numbers that say most about an AOV of its kind.
fn numbers(aov: &AovReport) -> String {
    let metrics = &aov.metrics;
    let differing = format!("{} of {} pixels differ", metrics.differing, metrics.pixels);
    let mut parts = match (aov.kind, metrics.angle) {
        (Kind::Id | Kind::Cryptomatte | Kind::Count, _) => vec![differing],
        (_, Some(angle)) => vec![format!("mean {}°", short(angle.mean)), format!("max {}°", short(angle.max))],
        _ => vec![format!("rmse {}", short(metrics.rmse)), format!("max {}", short(metrics.max))],
    };
    if matches!(aov.kind, Kind::Lighting | Kind::Colour) {
        let colours = aov.bias.iter().filter(|bias| bias.channel != "A");
        let largest = colours.filter_map(|bias| bias.relative).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        if let Some(bias) = largest {
            parts.push(format!("bias {}{}", if bias < 0.0 { "−" } else { "+" }, percent(bias.abs())));
        }
        parts.push(format!("relMSE {}", short(metrics.relative_mse)));
    }
    parts.extend(metrics.psnr.filter(|_| aov.kind == Kind::Lighting).map(|psnr| format!("PSNR {psnr:.1} dB")));
    parts.extend(metrics.flip.map(|flip| format!("FLIP {}", short(flip))));
    parts.extend(metrics.ssim.map(|ssim| format!("SSIM {ssim:.4}")));
    if aov.non_finite.equal > 0 {
        parts.push(format!("{} values not finite in both", aov.non_finite.equal));
    }
    parts.join("  ")
}

fn worst_pixel(worst: &Worst, kind: Kind) -> String {
    let values = match kind {
        Kind::Id => format!("{} in place of {}", worst.test, worst.reference),
        Kind::Normal if worst.error.is_finite() => {
            format!(
                "{}°, {} {} in place of {}",
                short(worst.error),
                worst.channel,
                short(worst.test),
                short(worst.reference)
            )
        }
        _ => format!("{} {} in place of {}", worst.channel, short(worst.test), short(worst.reference)),
    };
    let named = [("material", &worst.material), ("instance", &worst.instance), ("object", &worst.object)];
    let names: String =
        named.iter().filter_map(|(what, name)| name.as_ref().map(|name| format!(", {what} \"{name}\""))).collect();
    format!("({}, {}) {values}{names}", worst.x, worst.y)
}
