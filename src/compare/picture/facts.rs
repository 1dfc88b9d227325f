//! What a header says that matters to a comparison.

use std::collections::BTreeMap;

use ::exr::meta::attribute::{AttributeValue, Text};
use ::exr::meta::header::Header;
use serde_json::Value;

/// Attributes of our own renders, and Cryptomatte manifests. Empty where the header is silent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Of the program that rendered.
    pub version: Option<String>,
    pub scene_hash: Option<String>,
    pub seed: Option<String>,
    pub samples: Option<i64>,
    /// Samples of a batch: errors come from the spread of batches.
    pub batch: Option<i64>,
    pub integrator: Option<String>,
    /// AOV ("instance", "material", …) → names; the name of id 1 stands first.
    pub ids: BTreeMap<String, Vec<String>>,
    /// Cryptomatte layer → manifest (name → id in hexadecimal).
    pub manifests: BTreeMap<String, BTreeMap<String, String>>,
}

impl Facts {
    /// What all parts' headers say together; the first wins.
    pub(super) fn read(headers: &[Header]) -> Self {
        let mut all = BTreeMap::new();
        for header in headers {
            for (name, value) in header.own_attributes.other.iter().chain(&header.shared_attributes.other) {
                all.entry(readable(name)).or_insert(value);
            }
        }
        let string = |name: &str| match all.get(name) {
            Some(AttributeValue::Text(text)) => Some(readable(text)),
            _ => None,
        };
        let number = |name: &str| match all.get(name) {
            Some(AttributeValue::I32(count)) => Some(i64::from(*count)),
            _ => None,
        };
        Self {
            version: string("scrutineer/version"),
            scene_hash: string("scrutineer/scene_hash"),
            seed: string("scrutineer/seed"),
            samples: number("scrutineer/samples"),
            batch: number("scrutineer/batch"),
            integrator: string("scrutineer/integrator"),
            ids: string("scrutineer/ids").map(|json| ids(&json)).unwrap_or_default(),
            manifests: manifests(&all),
        }
    }

    /// How many batches the errors come from.
    pub fn batches(&self) -> Option<u32> {
        let (samples, batch) = (self.samples?, self.batch.filter(|batch| *batch > 0)?);
        u32::try_from(samples / batch).ok()
    }

    /// The name of `id` (from 1) in the AOV `aov`.
    pub fn name(&self, aov: &str, id: u32) -> Option<&str> {
        let index = (id as usize).checked_sub(1)?;
        self.ids.get(aov)?.get(index).map(String::as_str)
    }
}

fn ids(json: &str) -> BTreeMap<String, Vec<String>> {
    serde_json::from_str(json).unwrap_or_default()
}

/// `cryptomatte/KEY/name` and `cryptomatte/KEY/manifest` (Cryptomatte specification, "Metadata").
fn manifests(all: &BTreeMap<String, &AttributeValue>) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = |name: &str| match all.get(name) {
        Some(AttributeValue::Text(text)) => Some(readable(text)),
        _ => None,
    };
    let keys = all.keys().filter_map(|name| name.strip_prefix("cryptomatte/")?.strip_suffix("/name"));
    let manifest = |key: &str| {
        let layer = text(&format!("cryptomatte/{key}/name"))?;
        let json = text(&format!("cryptomatte/{key}/manifest"))?;
        let names: BTreeMap<String, Value> = serde_json::from_str(&json).ok()?;
        let plain = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some((layer, names.into_iter().map(|(name, id)| (name, plain(id))).collect()))
    };
    keys.filter_map(manifest).collect()
}

pub(super) fn readable(text: &Text) -> String {
    String::from_utf8_lossy(text.as_slice()).into_owned()
}
