//! Tables that serde reads whole: [`typed`] says which key is wrong, and [`super::locate::line_of`] finds its line.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_path_to_error::Segment;

use crate::suggest;

/// What is wrong with the value of one key, or with the key itself.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyError {
    /// From the outermost key inward; array elements by their index from 0.
    pub path: Vec<String>,
    pub message: String,
}

impl KeyError {
    /// A fault of one key of the table itself.
    pub fn new(key: &str, message: impl Into<String>) -> Self {
        Self { path: vec![key.to_owned()], message: message.into() }
    }

    /// The same error seen from the table around this one.
    #[must_use]
    pub fn within(mut self, outer: &[&str]) -> Self {
        self.path.splice(0..0, outer.iter().map(|&key| key.to_owned()));
        self
    }

    /// The dotted key path: `materials.asphalt.parameters.BlendSmoothness`; empty for the document itself.
    pub fn key(&self) -> String {
        self.path.join(".")
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.path.is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "key `{}`: {}", self.key(), self.message),
        }
    }
}

impl std::error::Error for KeyError {}

/// A table that is read as one: serde's derived structs take arrays too, as their fields in order.
pub struct Table<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData)).map(Self)
    }
}

/// As [`Table`], for one key of a struct.
pub fn table<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Table::deserialize(deserializer).map(|Table(value)| value)
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table (JSON: an object)")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Names with values, each name once: a map by itself would keep the last of two.
pub fn named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<BTreeMap<String, T>, D::Error> {
    struct Named<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<T> {
        type Value = BTreeMap<String, T>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a table (JSON: an object)")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, T>()? {
                if entries.contains_key(&name) {
                    return Err(A::Error::custom(format!("duplicate field `{name}`")));
                }
                entries.insert(name, value);
            }
            Ok(entries)
        }
    }
    d.deserialize_map(Named(PhantomData))
}

/// Deserialises a value; an error carries the path of its key, and an unknown key its near miss.
pub fn typed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, KeyError> {
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().iter().filter_map(segment).collect();
        KeyError { path, message: readable(&error.into_inner().to_string()) }
    })
}

fn segment(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

/// Serde's message in words of users: without its position (the key's line is found by [`super::locate`]), unknown keys
/// with a near miss, no type of Rust.
fn readable(message: &str) -> String {
    let message = match message.rfind(" at line ") {
        Some(end) => &message[..end],
        None => message,
    };
    if ["expected value", "expected ident", "invalid number", "number out of range"].contains(&message) {
        return "expected a value that JSON knows: a finite number (not NaN, not Infinity), \"text\", true, false, null, \
                an array or an object"
            .to_owned();
    }
    if let Some((found, expected)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once(", expected "))
    {
        return format!("expected {}, found {}", expected_kind(expected), found_kind(found));
    }
    if let Some(key) = message.strip_prefix("duplicate field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the key \"{key}\" is given twice");
    }
    if let Some(key) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the key \"{key}\" is missing");
    }
    let unknown = [("unknown field `", "key"), ("unknown variant `", "value")];
    let named = unknown.iter().find_map(|(prefix, kind)| Some((message.strip_prefix(prefix)?, kind)));
    let Some((rest, kind)) = named else { return message.to_owned() };
    // "NAME`, expected one of `a`, `b`" or "NAME`, there are no fields": every second part between ticks is a name.
    let mut names = rest.split('`').step_by(2);
    let unknown = names.next().unwrap_or_default();
    let allowed: Vec<&str> = rest.split('`').skip(2).step_by(2).collect();
    suggest::unknown(kind, unknown, allowed.iter().copied())
}

fn expected_kind(kind: &str) -> &str {
    match kind {
        "f32" | "f64" => "a finite number",
        "a boolean" => "true or false",
        "a map" => "a table (JSON: an object)",
        "a sequence" => "an array",
        "string or map" => "text",
        other => other,
    }
}

fn found_kind(kind: &str) -> &str {
    // integer `1`, floating point `1.5`, boolean `true`, string "x"
    let value = kind.split_once('`').and_then(|(_, rest)| rest.strip_suffix('`')).or(kind.strip_prefix("string "));
    match kind {
        "sequence" => "an array",
        "map" => "a table (JSON: an object)",
        other => value.unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only the error matters")]
        inner: Vec<Inner>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the error matters")]
    struct Inner {
        alpha: f32,
        beta: bool,
    }

    fn error(json: &str) -> KeyError {
        typed::<Outer, _>(&mut serde_json::Deserializer::from_str(json)).expect_err("the input is wrong")
    }

    #[test]
    fn an_error_names_its_key_path() {
        let error = error(r#"{"inner": [{"alpha": 1, "beta": true}, {"alpha": "x", "beta": true}]}"#);
        assert_eq!(error.key(), "inner.1.alpha");
        assert_eq!(error.message, "expected a finite number, found \"x\"");
    }

    #[test]
    fn a_table_is_no_array_and_has_each_name_once() {
        let read = |json: &str| typed::<Table<Inner>, _>(&mut serde_json::Deserializer::from_str(json)).map(drop);
        read(r#"{"alpha": 1, "beta": true}"#).unwrap();
        assert_eq!(read("[1, true]").unwrap_err().message, "expected a table (JSON: an object), found an array");
        let twice = read(r#"{"alpha": 1, "alpha": 2, "beta": true}"#).unwrap_err();
        assert_eq!(twice.message, "the key \"alpha\" is given twice");
        let names = |json: &str| named::<f32, _>(&mut serde_json::Deserializer::from_str(json));
        assert_eq!(names(r#"{"a": 1, "b": 2}"#).unwrap().len(), 2);
        assert!(names(r#"{"a": 1, "a": 2}"#).unwrap_err().to_string().contains("duplicate field `a`"));
    }

    #[test]
    fn no_type_of_rust_is_shown() {
        for (json, message) in [
            (r#"{"inner": 3}"#, "expected an array, found 3"),
            (r#"{"inner": [{"alpha": 1, "beta": 0.5}]}"#, "expected true or false, found 0.5"),
            (r#"{"inner": [{"alpha": 1}]}"#, "the key \"beta\" is missing"),
            (r#"{"inner": [{"alpha": [], "beta": true}]}"#, "expected a finite number, found an array"),
            (r#"{"inner": [{"alpha": nan, "beta": true}]}"#, "expected a value that JSON knows"),
            (r#"{"inner": [{"alpha": -Infinity, "beta": true}]}"#, "expected a value that JSON knows"),
        ] {
            let error = error(json);
            assert!(error.message.starts_with(message), "{json}: {error}");
        }
    }

    #[test]
    fn an_unknown_key_gets_its_near_miss() {
        let error = error(r#"{"inner": [{"alpa": 1}]}"#);
        assert_eq!(error.key(), "inner.0.alpa");
        assert_eq!(error.message, "unknown key \"alpa\"; did you mean \"alpha\"? allowed: \"alpha\", \"beta\"");
    }

    #[test]
    fn a_syntax_error_names_the_key_whose_value_it_is() {
        assert_eq!(error(r#"{"inner": [{"alpha": NaN}]}"#).key(), "inner.0.alpha");
    }

    #[test]
    fn outer_tables_prefix_the_path() {
        assert_eq!(KeyError::new("k", "m").within(&["a", "b"]).to_string(), "key `a.b.k`: m");
    }
}
