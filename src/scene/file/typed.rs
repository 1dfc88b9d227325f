//! Tables that serde reads whole: [`typed`] says which key is wrong, and [`super::locate::line_of`] finds its line.

use std::fmt;

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

/// Deserialises a table; an error carries the path of its key, and an unknown key its near miss.
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

/// Serde's message without its position (the key's line is found by [`super::locate`]), unknown keys with a near miss.
fn readable(message: &str) -> String {
    let message = match message.rfind(" at line ") {
        Some(end) => &message[..end],
        None => message,
    };
    let Some(rest) = message.strip_prefix("unknown field `") else { return message.to_owned() };
    // "NAME`, expected one of `a`, `b`" or "NAME`, there are no fields": every second part between ticks is a name.
    let mut names = rest.split('`').step_by(2);
    let unknown = names.next().unwrap_or_default();
    let allowed: Vec<&str> = rest.split('`').skip(2).step_by(2).collect();
    suggest::unknown("key", unknown, allowed.iter().copied())
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
        assert_eq!(error.message, "invalid type: string \"x\", expected f32");
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
