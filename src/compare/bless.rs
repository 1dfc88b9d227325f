//! Accepting new references: copied over the old ones, and logged with a reason beside them.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use super::folder::Files;
use super::picture::Picture;
use super::report::{PictureReport, Report, Verdict};
use crate::film::atomic;

/// The log, beside each reference.
pub const LOG: &str = "blessed.toml";

/// What was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blessed {
    /// References that were replaced or added.
    pub files: Vec<PathBuf>,
    /// References that were the same bytes already.
    pub unchanged: usize,
}

/// Makes every picture of the test a reference. `report` says what differed. References that the test lacks stay.
///
/// # Errors
/// No reason; a test that cannot be read: then nothing is touched. A file that cannot be written.
pub fn bless(files: &Files, [test, reference]: [&Path; 2], report: &Report, reason: &str) -> Result<Blessed, String> {
    if reason.trim().is_empty() {
        return Err("--bless needs a --reason: why is the new picture right?".to_owned());
    }
    let extra = files.extra.iter().map(|name| (name.clone(), test.join(name), reference.join(name)));
    let all: Vec<(String, PathBuf, PathBuf)> = files.pairs.iter().cloned().chain(extra).collect();
    for (_, test, _) in &all {
        readable(test).map_err(|error| format!("nothing is blessed: {error}"))?;
    }
    let mut done = Blessed::default();
    for (name, test, reference) in all {
        let found = report.pictures.iter().find(|picture| picture.name == name);
        match bless_one(&test, &reference, found, reason)? {
            true => done.files.push(reference),
            false => done.unchanged += 1,
        }
    }
    Ok(done)
}

/// Whether all pixels of a picture can be read.
fn readable(path: &Path) -> Result<(), String> {
    let picture = Picture::open(path)?;
    let layers: Vec<usize> = (0..picture.layers().len()).collect();
    let rows = picture.layers().iter().map(|layer| (layer.window.y, layer.window.y + layer.window.height as i32));
    let (top, end) = rows.fold((i32::MAX, i32::MIN), |(top, end), (a, b)| (top.min(a), end.max(b)));
    let step = picture.block_height().max(64);
    (top..end).step_by(step).try_for_each(|y| picture.read(y..(y + step as i32).min(end), &layers).map(|_| ()))
}

/// Whether the reference changed.
fn bless_one(test: &Path, reference: &Path, found: Option<&PictureReport>, reason: &str) -> Result<bool, String> {
    let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let new = std::fs::read(test).map_err(|error| fail(test, error))?;
    let old = match std::fs::read(reference) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(fail(reference, error)),
    };
    if old.as_deref() == Some(&new[..]) {
        return Ok(false);
    }
    let folder = reference.parent().map(Path::to_owned).unwrap_or_default();
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(&folder).map_err(|error| fail(&folder, error))?;
    }
    atomic::write_bytes(reference, &new)?;
    append(&folder.join(LOG), &entry(reference, old.as_deref(), &new, found, reason))?;
    Ok(true)
}

/// Adds `text` to the log, which is there as a whole before and after.
fn append(log: &Path, text: &str) -> Result<(), String> {
    let mut all = match std::fs::read_to_string(log) {
        Ok(all) => all,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "# References that were accepted, and why; written by `scrutineer diff --bless`.\n".to_owned()
        }
        Err(error) => return Err(format!("{}: {error}", log.display())),
    };
    if !all.ends_with('\n') {
        all.push('\n');
    }
    all.push('\n');
    all += text;
    atomic::write_bytes(log, all.as_bytes())
}

fn entry(reference: &Path, old: Option<&[u8]>, new: &[u8], found: Option<&PictureReport>, reason: &str) -> String {
    let name = reference.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut table = toml::Table::new();
    let mut put = |key: &str, value: toml::Value| drop(table.insert(key.to_owned(), value));
    put("date", toml::Value::String(utc(SystemTime::now())));
    put("file", toml::Value::String(name));
    put("reason", toml::Value::String(reason.trim().to_owned()));
    if let Some(old) = old {
        put("old", toml::Value::String(digest(old)));
    }
    put("new", toml::Value::String(digest(new)));
    put("version", toml::Value::String(env!("CARGO_PKG_VERSION").to_owned()));
    let differed = found.map(differences).unwrap_or_default();
    put("differed", toml::Value::Array(differed.into_iter().map(toml::Value::String).collect()));
    format!("[[blessed]]\n{table}")
}

/// What was different: faults, then broken rules.
fn differences(found: &PictureReport) -> Vec<String> {
    let error = found.error.iter().map(|error| format!("could not be compared: {error}"));
    let faults = found.faults.iter().map(|fault| format!("{}: {}", fault.code, fault.text));
    let aovs = found.aovs.iter().filter(|aov| aov.verdict == Verdict::Different);
    let rules = aovs.flat_map(|aov| {
        aov.rules
            .iter()
            .filter(|rule| !rule.passed)
            .map(|rule| format!("{}: {}: {}", aov.reference_name, rule.rule, rule.detail))
    });
    error.chain(faults).chain(rules).collect()
}

/// `sha256:` and the digest in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// RFC 3339 in UTC, whole seconds.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let [year, month, day] = civil(days as i64);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// The Gregorian date of a day counted from 1970-01-01, by years that begin in March so that the leap day is last.
fn civil(days: i64) -> [i64; 3] {
    let days = days + 719_468; // from 0000-03-01
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [era * 400 + year + i64::from(month <= 2), month, date]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_about_leap_days() {
        for (days, date) in
            [(0, [1970, 1, 1]), (11_016, [2000, 2, 29]), (11_017, [2000, 3, 1]), (20_787, [2026, 11, 30])]
        {
            assert_eq!(civil(days), date);
        }
    }
}
