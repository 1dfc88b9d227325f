//! Typed reads of one table of a scene file.
//!
//! Reads never fail: what is wrong goes into the list of faults with its key path, so that one run shows every mistake of
//! a scene. Keys that nobody read are mistakes too ([`Reader::finish`]).

use std::collections::BTreeMap;

use glam::DVec3;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::typed::{KeyError, Table, typed};
use crate::suggest;

/// Reads the keys of one table.
pub struct Reader<'a> {
    table: &'a Map<String, Value>,
    path: Vec<String>,
    faults: &'a mut Vec<KeyError>,
    known: Vec<&'static str>,
    /// The remaining keys are free names.
    open: bool,
}

impl<'a> Reader<'a> {
    /// A reader of `table`, which stands at `path`.
    pub fn new(table: &'a Map<String, Value>, path: Vec<String>, faults: &'a mut Vec<KeyError>) -> Self {
        Self { table, path, faults, known: Vec::new(), open: false }
    }

    /// Notes every key that no read has named.
    pub fn finish(self) {
        for key in self.table.keys().filter(|key| !self.open && !self.known.contains(&key.as_str())) {
            let message = suggest::unknown("key", key, self.known.iter().copied());
            self.faults.push(KeyError { path: joined(&self.path, key), message });
        }
    }

    /// Every key that no read has named so far, as it is; they count as read.
    pub fn rest(&mut self) -> BTreeMap<String, Value> {
        let known = &self.known;
        let rest = self.table.iter().filter(|(key, _)| !known.contains(&key.as_str()));
        let rest = rest.map(|(key, value)| (key.clone(), value.clone())).collect();
        self.open = true;
        rest
    }

    /// Notes a mistake at `key`.
    pub fn fault(&mut self, key: &str, message: impl Into<String>) {
        self.faults.push(KeyError { path: joined(&self.path, key), message: message.into() });
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The raw value of a key.
    pub fn value(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.table.get(key)
    }

    /// A key read by `parse`; `None` where it is absent or (noted) wrong.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(key)?;
        let parsed = parse(value);
        if parsed.is_none() {
            self.fault(key, format!("expected {expected}, found {value}"));
        }
        parsed
    }

    /// As [`Reader::optional`], but its absence is a mistake.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        if !self.has(key) {
            self.known.push(key);
            self.fault(key, format!("missing key \"{key}\": expected {expected}"));
            return None;
        }
        self.optional(key, expected, parse)
    }

    /// A finite number.
    pub fn number(&mut self, key: &'static str) -> Option<f64> {
        self.optional(key, "a finite number", number)
    }

    /// A finite number from `lowest` to `highest`.
    pub fn number_in(&mut self, key: &'static str, lowest: f64, highest: f64) -> Option<f64> {
        let expected = match highest.is_finite() {
            true => format!("a number from {lowest} to {highest}"),
            false => format!("a number that is at least {lowest}"),
        };
        self.optional(key, &expected, |value| number(value).filter(|x| (lowest..=highest).contains(x)))
    }

    /// A whole number from `lowest` to `highest`.
    pub fn integer(&mut self, key: &'static str, lowest: i64, highest: i64) -> Option<i64> {
        let expected = format!("a whole number from {lowest} to {highest}");
        self.optional(key, &expected, |value| value.as_i64().filter(|x| (lowest..=highest).contains(x)))
    }

    /// A bool, or `default`.
    pub fn boolean(&mut self, key: &'static str, default: bool) -> bool {
        self.optional(key, "true or false", Value::as_bool).unwrap_or(default)
    }

    /// A string.
    pub fn string(&mut self, key: &'static str) -> Option<&'a str> {
        self.optional(key, "a string", Value::as_str)
    }

    /// A string that is there.
    pub fn required_string(&mut self, key: &'static str) -> Option<&'a str> {
        self.required(key, "a string", Value::as_str)
    }

    /// One of a closed set of words.
    pub fn choice<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let word = self.string(key)?;
        let found = words.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        if found.is_none() {
            self.fault(key, suggest::unknown("value", word, words.iter().map(|(name, _)| *name)));
        }
        found
    }

    /// N finite numbers.
    pub fn array<const N: usize>(&mut self, key: &'static str) -> Option<[f64; N]> {
        self.optional(key, &format!("an array of {N} finite numbers"), array)
    }

    /// N finite numbers that are there.
    pub fn required_array<const N: usize>(&mut self, key: &'static str) -> Option<[f64; N]> {
        self.required(key, &format!("an array of {N} finite numbers"), array)
    }

    /// Three finite numbers, none negative: a colour, a radiance, an irradiance.
    pub fn colour(&mut self, key: &'static str) -> Option<[f64; 3]> {
        self.optional(key, "an array of 3 numbers, none negative", colour)
    }

    /// As [`Self::colour`], but it must be there.
    pub fn required_colour(&mut self, key: &'static str) -> Option<[f64; 3]> {
        self.required(key, "an array of 3 numbers, none negative", colour)
    }

    /// A vector of three finite numbers, not all zero.
    pub fn direction(&mut self, key: &'static str) -> Option<DVec3> {
        let parse = |value| array(value).map(DVec3::from_array).filter(|v| v.length_squared() > 0.0);
        self.optional(key, "an array of 3 finite numbers, not all zero", parse)
    }

    /// A table.
    pub fn table(&mut self, key: &'static str) -> Option<&'a Map<String, Value>> {
        self.optional(key, "a table", Value::as_object)
    }

    /// The table at `key` as serde reads it.
    pub fn typed<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        let value = self.value(key)?;
        typed_at(value, &joined(&self.path, key), self.faults)
    }

    /// Each entry of the table of tables at `key` as serde reads it.
    pub fn typed_map<T: DeserializeOwned>(&mut self, key: &'static str) -> BTreeMap<String, T> {
        let Some(table) = self.table(key) else { return BTreeMap::new() };
        let path = joined(&self.path, key);
        let entries = table
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), typed_at(value, &joined(&path, name), self.faults)?)));
        entries.collect()
    }

    /// Reads the table at `key` with `read`, if it is there.
    pub fn nested<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Reader) -> T) -> Option<T> {
        let table = self.table(key)?;
        Some(read_table(table, joined(&self.path, key), self.faults, read))
    }

    /// Reads each entry of the table of tables at `key`.
    pub fn named<T>(&mut self, key: &'static str, mut read: impl FnMut(&str, &mut Reader) -> T) -> Vec<(String, T)> {
        let Some(table) = self.table(key) else { return Vec::new() };
        let mut entries = Vec::new();
        for (name, value) in table {
            let path = joined(&joined(&self.path, key), name);
            match value.as_object() {
                Some(table) => {
                    let entry = read_table(table, path, self.faults, |reader| read(name, reader));
                    entries.push((name.clone(), entry));
                }
                None => self.faults.push(KeyError { path, message: format!("expected a table, found {value}") }),
            }
        }
        entries
    }

    /// Reads each table of the array of tables at `key`.
    pub fn list<T>(&mut self, key: &'static str, mut read: impl FnMut(&mut Reader) -> T) -> Vec<T> {
        let Some(values) = self.optional(key, "an array of tables", Value::as_array) else { return Vec::new() };
        let mut entries = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let path = joined(&joined(&self.path, key), &index.to_string());
            match value.as_object() {
                Some(table) => entries.push(read_table(table, path, self.faults, &mut read)),
                None => self.faults.push(KeyError { path, message: format!("expected a table, found {value}") }),
            }
        }
        entries
    }
}

fn read_table<T>(
    table: &Map<String, Value>,
    path: Vec<String>,
    faults: &mut Vec<KeyError>,
    read: impl FnOnce(&mut Reader) -> T,
) -> T {
    let mut reader = Reader::new(table, path, faults);
    let out = read(&mut reader);
    reader.finish();
    out
}

fn typed_at<T: DeserializeOwned>(value: &Value, path: &[String], faults: &mut Vec<KeyError>) -> Option<T> {
    let outer: Vec<&str> = path.iter().map(String::as_str).collect();
    let read = typed(value).map(|Table(value)| value);
    read.map_err(|error| faults.push(error.within(&outer))).ok()
}

/// `path` with one more key.
pub fn joined(path: &[String], key: &str) -> Vec<String> {
    path.iter().cloned().chain([key.to_owned()]).collect()
}

/// A finite number.
pub fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// N finite numbers.
pub fn array<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let values = value.as_array().filter(|values| values.len() == N)?;
    let mut out = [0.0; N];
    for (slot, value) in out.iter_mut().zip(values) {
        *slot = number(value)?;
    }
    Some(out)
}

fn colour(value: &Value) -> Option<[f64; 3]> {
    array(value).filter(|channels: &[f64; 3]| channels.iter().all(|channel| *channel >= 0.0))
}
