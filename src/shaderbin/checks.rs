//! What page 003 claims about every shaderbin, held against one file.

use serde::Serialize;

use super::map::{Entry, Id};
use super::shader::{Shaderbin, Vars};
use super::value::Value;
use super::vars::SCENARIO;
use super::{Tag, Version, name_hash, path_hash};

/// A claim and whether the file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    pub check: String,
    pub passed: bool,
    /// Counts, and the first exception with its byte where it has one.
    pub detail: String,
}

/// "Every shaderbin holds exactly one each".
const BLOBS: [(Tag, Version); 6] = [
    (Tag::PARM, Version(1, 2)),
    (Tag::CBMP, Version(3, 1)),
    (Tag::TXMP, Version(3, 1)),
    (Tag::SPMP, Version(3, 1)),
    (Tag::CBEX, Version(1, 0)),
    (Tag::DFPR, Version(2, 1)),
];

/// Every claim that can be checked; those about blobs that the file lacks are left out.
pub fn check(shader: &Shaderbin) -> Vec<Check> {
    let mut checks = container(shader);
    checks.extend(BLOBS.map(|(tag, version)| presence(shader, tag, version)));
    checks.extend(parameters(shader));
    for (tag, entries) in [(Tag::CBMP, &shader.constants), (Tag::TXMP, &shader.textures), (Tag::SPMP, &shader.samplers)]
    {
        checks.extend(entries.iter().flat_map(|entries| map(shader, tag, entries)));
    }
    checks.extend(constant_buffer(shader));
    checks.extend(defaults(shader));
    checks.extend(shader.variants.as_ref().map(variants));
    checks
}

impl Check {
    fn new(check: impl Into<String>, passed: bool, detail: impl Into<String>) -> Self {
        Self { check: check.into(), passed, detail: detail.into() }
    }

    /// A claim about each of some things; `exception` tells of one that breaks it.
    fn all<T>(
        check: impl Into<String>,
        things: impl IntoIterator<Item = T>,
        exception: impl Fn(T) -> Option<String>,
    ) -> Self {
        let (mut count, mut broken, mut first) = (0, 0, None);
        for thing in things {
            count += 1;
            if let Some(found) = exception(thing) {
                broken += 1;
                first.get_or_insert(found);
            }
        }
        let rest = first.map_or(String::new(), |first| format!("; first exception: {first}"));
        Self::new(check, broken == 0, format!("{} of {count}{rest}", count - broken))
    }
}

fn container(shader: &Shaderbin) -> Vec<Check> {
    let Some(layout) = &shader.bundle.layout else { return Vec::new() };
    let first = shader.bundle.blobs.iter().filter(|blob| !blob.data.is_empty()).map(|blob| blob.offset).min();
    let begins = first.unwrap_or(layout.header_size as usize);
    let header = format!("header says {}, first data at {begins}", layout.header_size);
    let total = format!("header says {}, the file has {}", layout.total_size, layout.size);
    let gaps = layout.gaps.iter();
    let gap = gaps.map(|gap| format!("{} bytes at {}", gap.bytes.len(), gap.offset)).collect::<Vec<_>>().join(", ");
    vec![
        Check::new("bundle: the header size is the first data byte", layout.header_size as usize == begins, header),
        Check::new("bundle: the total size is the file's", layout.total_size as usize == layout.size, total),
        Check::new(
            "bundle: the reserved word is 0",
            shader.bundle.reserved == 0,
            format!("{}", shader.bundle.reserved),
        ),
        Check::new(
            "bundle: every byte is accounted for",
            gap.is_empty(),
            if gap.is_empty() { "all".into() } else { gap },
        ),
        Check::all("bundle: data begin at multiples of 4", &shader.bundle.blobs, |blob| {
            (blob.offset % 4 != 0 && !blob.data.is_empty()).then(|| format!("{} at {}", blob.tag, blob.offset))
        }),
    ]
}

fn presence(shader: &Shaderbin, tag: Tag, version: Version) -> Check {
    let found: Vec<String> = shader.bundle.all(tag).map(|blob| blob.version.to_string()).collect();
    let detail = if found.is_empty() { "absent".to_owned() } else { format!("found {}", found.join(", ")) };
    Check::new(format!("{tag}: exactly one, version {version}"), found == [version.to_string()], detail)
}

fn parameters(shader: &Shaderbin) -> Vec<Check> {
    let Some(parameters) = &shader.parameters else { return Vec::new() };
    vec![
        Check::all("PARM: the name hash is the CRC-32 of the name", parameters, |parameter| {
            let hash = name_hash(&parameter.name);
            (hash != parameter.name_hash)
                .then(|| format!("{} has 0x{:08x}, its CRC-32 is 0x{hash:08x}", parameter.name, parameter.name_hash))
        }),
        Check::all("PARM: keys are unique", parameters, |parameter| {
            // The index holds the last record of a key.
            let last = shader.by_key(parameter.key)?;
            (!std::ptr::eq(last, parameter))
                .then(|| format!("0x{:08x} is {} and {}", parameter.key, parameter.name, last.name))
        }),
        Check::all("PARM: a tail has 0 or 2 to 40 bytes", parameters, |parameter| {
            let size = parameter.tail.len();
            (!matches!(size, 0 | 2..=40)).then(|| format!("{} has {size}", parameter.name))
        }),
    ]
}

fn map(shader: &Shaderbin, tag: Tag, entries: &[Entry]) -> Vec<Check> {
    let known = Check::all(format!("{tag}: each hash is a PARM key"), entries, |entry| match &entry.id {
        Id::Key(key) => shader.by_key(*key).is_none().then(|| format!("0x{key:08x}")),
        Id::Name(name) => shader.by_name(name).is_none().then(|| name.clone()),
    });
    let size = shader.bundle.all(tag).map(|blob| blob.data.len()).sum::<usize>();
    let expected = 2 + 22 * entries.len();
    let sized =
        Check::new(format!("{tag}: the size is 2 + 22 n"), size == expected, format!("{size}, n = {}", entries.len()));
    vec![known, sized]
}

fn constant_buffer(shader: &Shaderbin) -> Option<Check> {
    let (size, entries) = (shader.constant_buffer_size?, shader.constants.as_ref()?);
    Some(Check::all(format!("CBEX: constants lie within its {size} bytes"), entries, |entry| {
        (entry.value >= size).then(|| format!("{} at {}", shader.identify(entry).1.unwrap_or("?"), entry.value))
    }))
}

fn defaults(shader: &Shaderbin) -> Vec<Check> {
    let Some(defaults) = &shader.defaults else { return Vec::new() };
    let flagged = defaults.records.iter().filter_map(|record| Some((record, record.flag_hash?)));
    let textures = defaults.records.iter().filter_map(|record| match &record.value {
        Value::Texture { path, hash: Some(hash) } => Some((path, *hash)),
        _ => None,
    });
    vec![
        Check::new("DFPR: ends at its last record", true, defaults.rule.to_string()),
        Check::all("DFPR: each key is a PARM key", &defaults.records, |record| {
            shader.by_key(record.key).is_none().then(|| format!("0x{:08x}", record.key))
        }),
        Check::all("DFPR: a flag hash is the CRC-32 of the PARM name", flagged, |(record, hash)| {
            let name = shader.by_key(record.key).map_or("no PARM record", |parameter| &parameter.name);
            (name_hash(name) != hash).then(|| format!("{name} (key 0x{:08x}) has 0x{hash:08x}", record.key))
        }),
        Check::all("DFPR: a path hash is the CRC-32 of the lower-case path", textures, |(path, hash)| {
            (path_hash(path) != hash).then(|| format!("{path} has 0x{hash:08x}"))
        }),
    ]
}

fn variants(vars: &Vars) -> Check {
    match vars {
        Vars::Opaque { data, reason } => {
            let detail = format!("kept as {} opaque bytes: {reason}", data.len());
            Check::new("VARS: closes by a reading of the page", false, detail)
        }
        Vars::Read(read) => {
            let named = read.variants.iter().filter(|variant| variant.scenario == SCENARIO).count();
            let frame = read.frame;
            let detail = format!(
                "{} switches (a u{} count), {} variants (a u{} count), {} strings, {} first; {named} say {SCENARIO}",
                read.switches.len(),
                frame.switch_count * 8,
                read.variants.len(),
                frame.variant_count * 8,
                if frame.long_strings { "u32-length" } else { "LEB128-length" },
                if frame.hash_first { "hashes" } else { "names" },
            );
            Check::new("VARS: closes by a reading of the page", true, detail)
        }
    }
}
