//! One line of a JSON placement file.

use glam::{DAffine3, DQuat, DVec3};
use serde::Deserialize;
use serde_json::Value;

use super::Placed;
use crate::scene::file::Table;
use crate::scene::gltf;
use crate::suggest;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    matrix: Option<[f64; 16]>,
    position: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<Scale>,
    variation: Option<[f32; 3]>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Scale {
    Uniform(f64),
    Axes([f64; 3]),
}

/// Key, what is allowed, how many numbers an array of it has (0: a plain number is allowed too).
const KEYS: [(&str, &str, &[usize]); 5] = [
    ("matrix", "an array of 16 numbers, column-major", &[16]),
    ("position", "an array of 3 numbers", &[3]),
    ("rotation", "an array of 4 numbers, a unit quaternion x, y, z, w", &[4]),
    ("scale", "a number or an array of 3", &[0, 3]),
    ("variation", "an array of 3 numbers of 0 to 1", &[3]),
];

/// The placement of a line, or what is wrong with which key.
pub(super) fn parse(text: &str) -> Result<Placed, String> {
    let Table(line): Table<Line> =
        serde_json::from_str(text).map_err(|error| diagnose(text).unwrap_or_else(|| error.to_string()))?;
    let transform = match (&line.matrix, &line.position) {
        (Some(_), _) if line.position.is_some() || line.rotation.is_some() || line.scale.is_some() => {
            return Err("\"matrix\" stands alone: \"position\", \"rotation\" and \"scale\" are in it".to_owned());
        }
        (Some(matrix), _) => gltf::from_matrix(matrix).map_err(|message| format!("\"matrix\": {message}"))?,
        (None, Some(position)) => compose(*position, line.rotation, line.scale)?,
        (None, None) => return Err("needs \"matrix\" or \"position\"".to_owned()),
    };
    if !gltf::representable(&transform) {
        return Err("the transform exceeds float32".to_owned());
    }
    match line.variation {
        Some(variation) if variation.iter().any(|value| !(0.0..=1.0).contains(value)) => {
            Err(format!("\"variation\": {variation:?}; allowed: {}", KEYS[4].1))
        }
        variation => Ok(Placed { transform, variation }),
    }
}

fn compose(position: [f64; 3], rotation: Option<[f64; 4]>, scale: Option<Scale>) -> Result<DAffine3, String> {
    let scale = match scale {
        None => DVec3::ONE,
        Some(Scale::Uniform(scale)) => DVec3::splat(scale),
        Some(Scale::Axes(axes)) => axes.into(),
    };
    let rotation = DQuat::from_array(rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    // Wider than rounding, narrower than Euler angles typed by mistake.
    if (rotation.length() - 1.0).abs() > 0.01 {
        return Err(format!("\"rotation\": length {}; allowed: {}", rotation.length(), KEYS[2].1));
    }
    Ok(DAffine3::from_scale_rotation_translation(scale, rotation.normalize(), position.into()))
}

/// Why a line is no [`Line`], in the words of this file. Slow, for faulty lines only.
fn diagnose(text: &str) -> Option<String> {
    let members = match serde_json::from_str(text) {
        Ok(Value::Object(members)) => members,
        Ok(other) => return Some(format!("expected an object {{…}}, found {other}")),
        Err(error) => return Some(format!("not JSON: {error}")),
    };
    members.iter().find_map(|(key, value)| match KEYS.iter().find(|(name, ..)| name == key) {
        None => Some(suggest::unknown("key", key, KEYS.iter().map(|(name, ..)| *name))),
        Some((_, allowed, lengths)) => {
            (!fits(value, lengths)).then(|| format!("\"{key}\": expected {allowed}, found {value}"))
        }
    })
}

fn fits(value: &Value, lengths: &[usize]) -> bool {
    match value {
        Value::Number(_) => lengths.contains(&0),
        Value::Array(values) => lengths.contains(&values.len()) && values.iter().all(Value::is_number),
        Value::Null => true,
        _ => false,
    }
}
