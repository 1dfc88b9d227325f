//! The report as JUnit XML, which CI services show: a suite a picture, a case an AOV, and a case for its structure.

use std::fmt::Write as _;

use super::report::{AovReport, PictureReport, Report, Verdict};

/// The whole document.
pub fn document(report: &Report) -> String {
    let mut suites = String::new();
    report.pictures.iter().for_each(|picture| suites += &suite(picture));
    for (names, what) in
        [(&report.missing, "the test lacks this file"), (&report.extra, "the reference lacks this file")]
    {
        for name in names {
            let case = case(name, "file", Some(("failure", what, what)));
            suites += &wrap(name, 1, 1, 0, &case);
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"scrutineer diff\">\n{suites}</testsuites>\n"
    )
}

fn suite(picture: &PictureReport) -> String {
    let name = &picture.name;
    if let Some(error) = &picture.error {
        return wrap(name, 1, 0, 1, &case(name, "structure", Some(("error", "cannot be compared", error))));
    }
    let faults: Vec<String> = picture.faults.iter().map(|fault| format!("{}: {}", fault.code, fault.text)).collect();
    let structure = match faults.first() {
        Some(first) => case(name, "structure", Some(("failure", first, &faults.join("\n")))),
        None => case(name, "structure", None),
    };
    let mut cases = structure;
    picture.aovs.iter().for_each(|aov| cases += &aov_case(name, aov));
    let failures = picture.aovs.iter().filter(|aov| aov.verdict == Verdict::Different).count();
    wrap(name, picture.aovs.len() + 1, failures + usize::from(!faults.is_empty()), 0, &cases)
}

fn aov_case(picture: &str, aov: &AovReport) -> String {
    if aov.verdict != Verdict::Different {
        return case(picture, &aov.reference_name, None);
    }
    let broken = aov.rules.iter().filter(|rule| !rule.passed);
    let mut lines: Vec<String> = broken.map(|rule| format!("{}: {}", rule.rule, rule.detail)).collect();
    if aov.non_finite.unequal() > 0 {
        lines.push(format!("{} values are not finite in one picture only", aov.non_finite.unequal()));
    }
    lines.extend(aov.diagnosis.iter().map(|notice| notice.text.clone()));
    let first = lines.first().cloned().unwrap_or_default();
    case(picture, &aov.reference_name, Some(("failure", &first, &lines.join("\n"))))
}

fn wrap(name: &str, tests: usize, failures: usize, errors: usize, cases: &str) -> String {
    let name = escaped(name);
    format!(
        "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n{cases}</testsuite>\n"
    )
}

fn case(class: &str, name: &str, broken: Option<(&str, &str, &str)>) -> String {
    let mut text = format!("  <testcase classname=\"{}\" name=\"{}\"", escaped(class), escaped(name));
    let _ = match broken {
        None => writeln!(text, "/>"),
        Some((tag, message, body)) => {
            writeln!(text, "><{tag} message=\"{}\">{}</{tag}></testcase>", escaped(message), escaped(body))
        }
    };
    text
}

/// XML 1.0 has no control characters but tab and line ends, whatever they are escaped as.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_document() {
        assert_eq!(escaped("a<b>&\"c\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}&#10;");
    }
}
