//! A texture entry of a scene file.

use serde_json::{Map, Value};

use super::{Address, Filter, Mip, Sampler, Transfer};
use crate::suggest;

/// An entry, checked: a plain path, or a table with `file` and optional keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub file: String,
    pub colour_space: Option<Transfer>,
    pub sampler: Sampler,
}

const KEYS: [&str; 6] = ["file", "colour_space", "address", "filter", "mip", "channel_order"];
const COLOUR_SPACES: [(&str, Transfer); 2] = [("srgb", Transfer::Srgb), ("linear", Transfer::Linear)];
const ADDRESSES: [(&str, Address); 4] =
    [("wrap", Address::Wrap), ("clamp", Address::Clamp), ("mirror", Address::Mirror), ("border", Address::Border)];
const FILTERS: [(&str, Filter); 2] = [("linear", Filter::Linear), ("nearest", Filter::Nearest)];
const MIPS: [(&str, Mip); 2] = [("level0", Mip::Level0), ("footprint", Mip::Footprint)];

impl Entry {
    /// Reads an entry.
    ///
    /// # Errors
    ///
    /// The first unknown key or value, with what is allowed; no file; a UDIM pattern.
    pub fn parse(value: &Value) -> Result<Self, String> {
        let entry = match value {
            Value::String(file) => Self { file: file.clone(), colour_space: None, sampler: Sampler::default() },
            Value::Object(table) => Self::parse_table(table)?,
            other => return Err(format!("expected a path or a table with \"file\", found {other}")),
        };
        refuse_tile_pattern(&entry.file)?;
        Ok(entry)
    }

    fn parse_table(table: &Map<String, Value>) -> Result<Self, String> {
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(suggest::unknown("texture key", key, KEYS));
        }
        let file = table.get("file").ok_or("the key \"file\" is required")?;
        let file = file.as_str().ok_or_else(|| format!("file: expected a path, found {file}"))?;
        let standard = Sampler::default();
        Ok(Self {
            file: file.to_owned(),
            colour_space: table.get("colour_space").map(|v| choice("colour_space", v, &COLOUR_SPACES)).transpose()?,
            sampler: Sampler {
                address: table.get("address").map_or(Ok(standard.address), addresses)?,
                filter: table.get("filter").map_or(Ok(standard.filter), |v| choice("filter", v, &FILTERS))?,
                mip: table.get("mip").map_or(Ok(standard.mip), |v| choice("mip", v, &MIPS))?,
                channel_order: table.get("channel_order").map_or(Ok(standard.channel_order), channel_order)?,
            },
        })
    }
}

fn choice<T: Copy>(key: &str, value: &Value, choices: &[(&'static str, T)]) -> Result<T, String> {
    let typed = value.as_str().ok_or_else(|| format!("{key}: expected a string, found {value}"))?;
    let found = choices.iter().find(|(name, _)| *name == typed);
    found.map(|(_, choice)| *choice).ok_or_else(|| suggest::unknown(key, typed, choices.iter().map(|(name, _)| *name)))
}

/// One mode for both axes, or one each for u and v.
fn addresses(value: &Value) -> Result<[Address; 2], String> {
    match value.as_array().map(Vec::as_slice) {
        None => choice("address", value, &ADDRESSES).map(|address| [address; 2]),
        Some([u, v]) => Ok([choice("address", u, &ADDRESSES)?, choice("address", v, &ADDRESSES)?]),
        Some(_) => Err(format!("address: expected one mode or [u, v], found {value}")),
    }
}

/// Which stored channel feeds each of R, G, B, A: four letters, like "bgra" or "rrrg".
fn channel_order(value: &Value) -> Result<[u8; 4], String> {
    let letters = value.as_str().map(str::to_lowercase).unwrap_or_default();
    let indices: Option<Vec<u8>> = letters.chars().map(|letter| "rgba".find(letter).map(|index| index as u8)).collect();
    let indices = indices.and_then(|indices| <[u8; 4]>::try_from(indices).ok());
    indices.ok_or_else(|| format!("channel_order: expected four letters of \"rgba\", found {value}"))
}

/// UDIM sets are many images under one name; wrapping one of them would show the wrong tile without a word.
fn refuse_tile_pattern(file: &str) -> Result<(), String> {
    const PATTERNS: [&str; 4] = ["<UDIM>", "<UVTILE>", "%(UDIM)d", "<u>_<v>"];
    let folded = file.to_lowercase();
    match PATTERNS.iter().find(|pattern| folded.contains(&pattern.to_lowercase())) {
        Some(pattern) => Err(format!(
            "{file}: UDIM tiles ({pattern}) are not supported; allowed: one image a texture (bake the tiles into one image)"
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_and_a_full_table_are_read() {
        assert_eq!(Entry::parse(&json!("a.dds")).unwrap().sampler, Sampler::default());
        let entry = Entry::parse(&json!({
            "file": "a.png", "colour_space": "srgb", "address": ["clamp", "border"], "filter": "nearest",
            "mip": "footprint", "channel_order": "BGRR"
        }))
        .unwrap();
        assert_eq!(entry.colour_space, Some(Transfer::Srgb));
        assert_eq!(
            entry.sampler,
            Sampler {
                address: [Address::Clamp, Address::Border],
                filter: Filter::Nearest,
                mip: Mip::Footprint,
                channel_order: [2, 1, 0, 0],
            }
        );
        let both = Entry::parse(&json!({ "file": "a.png", "address": "mirror" })).unwrap();
        assert_eq!(both.sampler.address, [Address::Mirror; 2]);
    }

    #[test]
    fn each_fault_is_named() {
        for (entry, part) in [
            (json!({ "file": "a", "color_space": "srgb" }), "did you mean \"colour_space\"?"),
            (json!({ "file": "a", "colour_space": "sRBG" }), "did you mean \"srgb\"?"),
            (json!({ "colour_space": "srgb" }), "\"file\" is required"),
            (json!({ "file": 3 }), "file: expected a path"),
            (json!({ "file": "a", "address": ["wrap"] }), "[u, v]"),
            (json!({ "file": "a", "address": "wrapp" }), "did you mean \"wrap\"?"),
            (json!({ "file": "a", "channel_order": "rgb" }), "four letters"),
            (json!({ "file": "a", "channel_order": "rgbx" }), "four letters"),
            (json!(["a"]), "expected a path or a table"),
            (json!("tex.<UDIM>.dds"), "UDIM tiles (<UDIM>) are not supported"),
        ] {
            let message = Entry::parse(&entry).unwrap_err();
            assert!(message.contains(part), "{entry}: {message}");
        }
    }
}
