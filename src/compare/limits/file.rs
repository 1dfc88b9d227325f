//! The limits file: TOML → [`Limits`], all mistakes at once, each with its line.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::{Exposure, KEYS, Limit, Limits, Mask, Region, Rules, Shape};
use crate::compare::report::FAULTS;
use crate::film::Rect;
use crate::film::view::View;
use crate::scene::error::{Mistake, SceneError};
use crate::scene::file::reader::{Reader, array, number};
use crate::scene::file::{KeyError, locate};
use crate::suggest;

/// Reads a limits file. Paths in it are relative to its folder.
///
/// # Errors
/// Every mistake: unreadable, not TOML, unknown keys, values out of range.
pub fn parse(path: &Path) -> Result<Limits, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| SceneError::of_file(path, error))?;
    let text = String::from_utf8(bytes).map_err(|_| SceneError::of_file(path, "not UTF-8 text"))?;
    let root: Map<String, Value> = toml::from_str(&text).map_err(|error| SceneError {
        mistakes: vec![Mistake {
            file: path.to_owned(),
            line: Some(text[..error.span().map_or(0, |span| span.start.min(text.len()))].matches('\n').count() + 1),
            key: String::new(),
            message: error.message().replace('\n', "; "),
        }],
    })?;
    let mut faults = Vec::new();
    let mut reader = Reader::new(&root, Vec::new(), &mut faults);
    let mut limits = read(&mut reader, path);
    reader.finish();
    limits.file = Some(path.to_owned());
    match faults.is_empty() {
        true => Ok(limits),
        false => Err(SceneError { mistakes: faults.iter().map(|fault| placed(fault, path, &text)).collect() }),
    }
}

fn placed(fault: &KeyError, path: &Path, text: &str) -> Mistake {
    let keys: Vec<&str> = fault.path.iter().map(String::as_str).collect();
    let line = (0..=keys.len()).rev().find_map(|length| locate::line_of(text, &keys[..length]));
    Mistake { file: path.to_owned(), line, key: fault.path.join("."), message: fault.message.clone() }
}

fn read(reader: &mut Reader, path: &Path) -> Limits {
    let standard = Limits::default();
    Limits {
        file: None,
        default: reader.nested("default", rules).unwrap_or_default(),
        aovs: reader.named("aov", |_, reader| rules(reader)),
        ignore: names(reader, "ignore"),
        map: map(reader),
        allow: allow(reader),
        regions: reader.list("region", region).into_iter().flatten().collect(),
        masks: reader.list("mask", |reader| mask(reader, path)).into_iter().flatten().collect(),
        family_wise_error: reader.number_in("family_wise_error", 1e-12, 0.5).unwrap_or(standard.family_wise_error),
        exposure: exposure(reader).unwrap_or(standard.exposure),
        view: reader.choice("view", &[("agx", View::Agx), ("srgb", View::Srgb)]).unwrap_or(standard.view),
        nan_equal: reader.boolean("nan_equal", standard.nan_equal),
    }
}

/// A table of rules: `[default]`, `[aov.NAME]`.
fn rules(reader: &mut Reader) -> Rules {
    let mut rules = Rules::default();
    for (name, key, lowest, highest, _) in KEYS {
        let expected = match highest.is_finite() {
            true => format!("a number from {lowest} to {highest}, or \"off\""),
            false => format!("a number that is at least {lowest}, or \"off\""),
        };
        let parse = |value: &Value| match value.as_str() {
            Some("off") => Some(Limit::Off),
            _ => number(value).filter(|x| (lowest..=highest).contains(x)).map(Limit::At),
        };
        rules.set(key, reader.optional(name, &expected, parse).unwrap_or_default());
    }
    rules.noise = reader.choice("noise", &[("auto", true), ("off", false)]);
    rules
}

fn names(reader: &mut Reader, key: &'static str) -> Vec<String> {
    let parse = |value: &Value| {
        value.as_array()?.iter().map(|name| Some(name.as_str()?.to_owned())).collect::<Option<Vec<_>>>()
    };
    reader.optional(key, "an array of strings", parse).unwrap_or_default()
}

fn allow(reader: &mut Reader) -> Vec<String> {
    let codes = names(reader, "allow");
    for code in &codes {
        if let Err(message) = known_fault(code) {
            reader.fault("allow", message);
        }
    }
    codes
}

/// Whether a fault has this code. Errors: none has; the message lists them.
pub fn known_fault(code: &str) -> Result<(), String> {
    match FAULTS.iter().any(|(known, _)| *known == code) {
        true => Ok(()),
        false => Err(suggest::unknown("fault", code, FAULTS.iter().map(|(known, _)| *known))),
    }
}

fn map(reader: &mut Reader) -> BTreeMap<String, String> {
    let parse = |value: &Value| {
        let entries = value.as_object()?.iter();
        entries.map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned()))).collect::<Option<BTreeMap<_, _>>>()
    };
    reader.optional("map", "a table of strings, like { albedo = \"basecolor\" }", parse).unwrap_or_default()
}

fn exposure(reader: &mut Reader) -> Option<Exposure> {
    let parse = |value: &Value| match value.as_str() {
        Some("auto") => Some(Exposure::Auto),
        _ => number(value).filter(|stops| stops.abs() <= 64.0).map(Exposure::Stops),
    };
    reader.optional("exposure", "stops from -64 to 64, or \"auto\"", parse)
}

fn region(reader: &mut Reader) -> Option<Region> {
    let name = reader.required_string("name").map(str::to_owned);
    let rect = reader.required("rect", RECT, rect);
    let aovs = names(reader, "aovs");
    let rules = rules(reader);
    for key in ["flip", "ssim", "noise"] {
        if reader.has(key) {
            reader.fault(key, format!("\"{key}\" is measured over the whole picture: set it under [aov.NAME]"));
        }
    }
    Some(Region { name: name?, rect: rect?, aovs, rules })
}

fn mask(reader: &mut Reader, path: &Path) -> Option<Mask> {
    let include = reader.choice("mode", &[("include", true), ("exclude", false)]);
    if !reader.has("mode") {
        reader.fault("mode", "missing key \"mode\": expected \"include\" or \"exclude\"");
    }
    let area = reader.optional("rect", RECT, rect).map(Shape::Rect);
    let file = reader.string("file").map(|file| Shape::File(path.with_file_name("").join(file)));
    if area.is_some() == file.is_some() {
        reader.fault("rect", "a mask has either a \"rect\" or a \"file\"");
    }
    Some(Mask { shape: area.or(file)?, include: include? })
}

const RECT: &str = "x, y, width, height: four whole numbers, the last two at least 1";

fn rect(value: &Value) -> Option<Rect> {
    let values: [f64; 4] = array(value)?;
    let whole = values.iter().all(|v| v.fract() == 0.0 && v.abs() <= f64::from(1 << 24));
    let [x, y, width, height] = values;
    (whole && width >= 1.0 && height >= 1.0).then_some(Rect {
        x: x as i32,
        y: y as i32,
        width: width as u32,
        height: height as u32,
    })
}
