//! From a key path to the line of the file where that key stands.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

/// The line, from 1, of the key at `key_path` in a TOML or JSON document; array elements by their index from 0. Where the
/// path leads beyond what the document holds, the line of the last key that is there. `None` where not even the first key
/// is, or the document does not parse.
pub fn line_of(source: &str, key_path: &[&str]) -> Option<usize> {
    // A TOML document cannot begin with a brace, a JSON scene always does.
    let offset = match source.trim_start().starts_with('{') {
        true => json_offset(source, key_path),
        false => toml_offset(source, key_path),
    }?;
    Some(1 + source.get(..offset)?.matches('\n').count())
}

fn toml_offset(source: &str, key_path: &[&str]) -> Option<usize> {
    let document = DeTable::parse(source).ok()?;
    let (first, rest) = key_path.split_first()?;
    let (key, mut value) = document.get_ref().iter().find(|(key, _)| key.get_ref() == first)?;
    let mut span: Range<usize> = key.span();
    for segment in rest {
        let inner = match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().find(|(key, _)| key.get_ref() == segment).map(|(key, value)| (key.span(), value))
            }
            DeValue::Array(array) => {
                segment.parse().ok().and_then(|index: usize| array.get(index)).map(|value| (value.span(), value))
            }
            _ => None,
        };
        let Some((inner_span, inner_value)) = inner else { break };
        (span, value) = (inner_span, inner_value);
    }
    Some(span.start)
}

/// Offsets of values, which follow their keys. Raw values borrow from the source, so their addresses tell where they stand.
fn json_offset(source: &str, key_path: &[&str]) -> Option<usize> {
    let mut text = source;
    let mut found = None;
    for segment in key_path {
        let inner = match serde_json::from_str::<BTreeMap<String, &RawValue>>(text) {
            Ok(table) => table.get(*segment).copied(),
            Err(_) => {
                let array: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                segment.parse().ok().and_then(|index: usize| array.get(index).copied())
            }
        };
        let Some(value) = inner else { break };
        text = value.get();
        found = Some(text.as_ptr() as usize - source.as_ptr() as usize);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "\
[world]
time = 1

[materials.\"a.b\"]
family = \"x\"
[materials.\"a.b\".parameters]
Hue = 1
Row = [1,
  2]

[[lights]]
kind = \"point\"
[[lights]]
kind = \"spot\"
inline = { a = 1, b = { c = 2 } }
";

    #[test]
    fn toml_keys_are_found_in_tables_arrays_and_inline_tables() {
        for (path, line) in [
            (&["world", "time"][..], 2),
            (&["materials", "a.b"], 4),
            (&["materials", "a.b", "family"], 5),
            (&["materials", "a.b", "parameters", "Hue"], 7),
            (&["materials", "a.b", "parameters", "Row", "1"], 9),
            (&["lights", "1", "kind"], 14),
            (&["lights", "1", "inline", "b", "c"], 15),
        ] {
            assert_eq!(line_of(TOML, path), Some(line), "{path:?}");
        }
    }

    #[test]
    fn a_key_that_is_not_there_gives_the_line_of_its_table() {
        assert_eq!(line_of(TOML, &["world", "missing"]), Some(1));
        assert_eq!(line_of(TOML, &["lights", "7"]), line_of(TOML, &["lights"]));
        assert_eq!(line_of(TOML, &["nothing"]), None);
        assert_eq!(line_of("a = = 1", &["a"]), None);
    }

    const JSON: &str = "{
  \"world\": { \"time\": 1 },
  \"materials\": {
    \"a\": {
      \"family\": \"x\",
      \"parameters\": { \"Row\": [1,
        2] }
    }
  }
}";

    #[test]
    fn json_keys_are_found_too() {
        for (path, line) in [
            (&["world", "time"][..], 2),
            (&["materials", "a", "family"], 5),
            (&["materials", "a", "parameters", "Row", "1"], 7),
            (&["materials", "a", "missing"], 4),
        ] {
            assert_eq!(line_of(JSON, path), Some(line), "{path:?}");
        }
        assert_eq!(line_of(JSON, &["nothing"]), None);
        assert_eq!(line_of("{ broken", &["a"]), None);
    }
}
