//! `scrutineer inspect`: a file as JSON (INSPECT.md). Text is the same object's `Display`.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::checks::{self, Check};
use super::grub::{self, Bundle};
use super::hex::{Bytes, Hash};
use super::map::Entry;
use super::record::Record;
use super::registers::Place;
use super::shader::{Shaderbin, Vars};
use super::value::Value;
use super::vars::{OFF, ON, Variants};
use super::{Material, Tag, Version};

/// Everything that a `.shaderbin` holds; arrays keep the file's order.
#[derive(Serialize)]
pub struct Description<'a> {
    pub(super) bundle: BundleInfo<'a>,
    pub(super) parameters: Option<Vec<ParameterInfo<'a>>>,
    pub(super) defaults: Option<Vec<DefaultInfo<'a>>>,
    pub(super) constants: Option<Vec<ConstantInfo<'a>>>,
    pub(super) textures: Option<Vec<SlotInfo<'a>>>,
    pub(super) samplers: Option<Vec<SlotInfo<'a>>>,
    pub(super) constant_buffer_size: Option<u16>,
    pub(super) variants: Option<VariantsInfo<'a>>,
    pub(super) checks: Vec<Check>,
    /// Of the family, for the text's registers.
    #[serde(skip)]
    pub(super) family: String,
}

#[derive(Serialize)]
pub(super) struct BundleInfo<'a> {
    pub version: Version,
    pub size: usize,
    pub blobs: Vec<BlobInfo<'a>>,
}

#[derive(Serialize)]
pub(super) struct BlobInfo<'a> {
    pub tag: Tag,
    pub version: Version,
    pub offset: usize,
    pub size: usize,
    pub metadata: Vec<MetadataInfo>,
    #[serde(skip)]
    pub blob: &'a grub::Blob,
}

#[derive(Serialize)]
pub(super) struct MetadataInfo {
    pub tag: Tag,
    pub version: u8,
    pub size: usize,
}

#[derive(Serialize)]
pub(super) struct ParameterInfo<'a> {
    pub name: &'a str,
    pub name_hash: Hash,
    pub key: Hash,
    pub tail: Bytes<'a>,
}

#[derive(Serialize)]
pub(super) struct DefaultInfo<'a> {
    pub key: Hash,
    pub name: Option<&'a str>,
    pub record_version: Version,
    pub flag_hash: Option<Hash>,
    #[serde(rename = "type")]
    pub kind: u8,
    pub guid: Option<Bytes<'a>>,
    pub value: &'a Value,
}

#[derive(Serialize)]
pub(super) struct ConstantInfo<'a> {
    pub key: Option<Hash>,
    pub name: Option<&'a str>,
    pub offset: u16,
    pub register: u32,
    pub component: &'static str,
    pub guid: Option<Bytes<'a>>,
}

#[derive(Serialize)]
pub(super) struct SlotInfo<'a> {
    pub key: Option<Hash>,
    pub name: Option<&'a str>,
    pub slot: u16,
    pub guid: Option<Bytes<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum VariantsInfo<'a> {
    Read { shader: &'a str, switches: Vec<SwitchInfo<'a>>, variants: VariantList<'a> },
    Opaque { opaque: Bytes<'a> },
}

#[derive(Serialize)]
pub(super) struct SwitchInfo<'a> {
    pub name: &'a str,
    pub hash: Hash,
}

/// `{name, states}` for each variant.
pub(super) struct VariantList<'a>(pub &'a Variants);

#[derive(Serialize)]
pub(super) struct VariantInfo<'a> {
    pub name: &'a str,
    pub states: String,
}

impl<'a> VariantList<'a> {
    pub fn iter(&self) -> impl Iterator<Item = VariantInfo<'a>> {
        let letter = |state: &u8| match *state {
            ON => '1',
            OFF => '0',
            _ => '-',
        };
        self.0.variants.iter().map(move |variant| VariantInfo {
            name: &variant.name,
            states: variant.states.iter().map(letter).collect(),
        })
    }
}

impl Serialize for VariantList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.variants.len()))?;
        self.iter().try_for_each(|variant| sequence.serialize_element(&variant))?;
        sequence.end()
    }
}

impl<'a> Description<'a> {
    /// Describes a shader of that family (its file's name without the ending: registers in the text depend on it).
    pub fn new(shader: &'a Shaderbin, family: &str) -> Self {
        let slots = |entries: &'a Option<Vec<Entry>>| {
            entries.as_ref().map(|entries| entries.iter().map(|entry| SlotInfo::new(shader, entry)).collect())
        };
        Self {
            bundle: BundleInfo::new(&shader.bundle),
            parameters: shader.parameters.as_ref().map(|all| {
                let info = |parameter: &'a super::parm::Parameter| ParameterInfo {
                    name: &parameter.name,
                    name_hash: Hash(parameter.name_hash),
                    key: Hash(parameter.key),
                    tail: Bytes(&parameter.tail),
                };
                all.iter().map(info).collect()
            }),
            defaults: shader.defaults.as_ref().map(|defaults| {
                let name = |record: &Record| shader.by_key(record.key).map(|parameter| parameter.name.as_str());
                defaults.records.iter().map(|record| DefaultInfo::new(record, name(record))).collect()
            }),
            constants: shader
                .constants
                .as_ref()
                .map(|entries| entries.iter().map(|entry| ConstantInfo::new(shader, entry)).collect()),
            textures: slots(&shader.textures),
            samplers: slots(&shader.samplers),
            constant_buffer_size: shader.constant_buffer_size,
            variants: shader.variants.as_ref().map(VariantsInfo::new),
            checks: checks::check(shader),
            family: family.to_owned(),
        }
    }
}

impl<'a> BundleInfo<'a> {
    fn new(bundle: &'a Bundle) -> Self {
        let size = bundle.layout.as_ref().map_or(0, |layout| layout.size);
        let blob = |blob: &'a grub::Blob| BlobInfo {
            tag: blob.tag,
            version: blob.version,
            offset: blob.offset,
            size: blob.data.len(),
            metadata: blob.metadata.iter().map(MetadataInfo::new).collect(),
            blob,
        };
        Self { version: bundle.version, size, blobs: bundle.blobs.iter().map(blob).collect() }
    }
}

impl MetadataInfo {
    fn new(metadata: &grub::Metadata) -> Self {
        Self { tag: metadata.tag, version: metadata.version, size: metadata.data.len() }
    }
}

impl<'a> DefaultInfo<'a> {
    fn new(record: &'a Record, name: Option<&'a str>) -> Self {
        Self {
            key: Hash(record.key),
            name,
            record_version: record.version,
            flag_hash: record.flag_hash.map(Hash),
            kind: record.value.kind(),
            guid: record.guid.as_ref().map(|guid| Bytes(guid)),
            value: &record.value,
        }
    }
}

impl<'a> ConstantInfo<'a> {
    fn new(shader: &'a Shaderbin, entry: &'a Entry) -> Self {
        let (key, name) = shader.identify(entry);
        let place = Place::of_offset(entry.value);
        Self {
            key: key.map(Hash),
            name,
            offset: entry.value,
            register: place.register,
            component: place.letter(),
            guid: entry.guid.as_ref().map(|guid| Bytes(guid)),
        }
    }
}

impl<'a> SlotInfo<'a> {
    fn new(shader: &'a Shaderbin, entry: &'a Entry) -> Self {
        let (key, name) = shader.identify(entry);
        Self { key: key.map(Hash), name, slot: entry.value, guid: entry.guid.as_ref().map(|guid| Bytes(guid)) }
    }
}

impl<'a> VariantsInfo<'a> {
    fn new(vars: &'a Vars) -> Self {
        match vars {
            Vars::Opaque { data, .. } => Self::Opaque { opaque: Bytes(data) },
            Vars::Read(read) => Self::Read {
                shader: &read.shader,
                switches: read
                    .switches
                    .iter()
                    .map(|switch| SwitchInfo { name: &switch.name, hash: Hash(switch.hash) })
                    .collect(),
                variants: VariantList(read),
            },
        }
    }
}

/// Everything that a `.materialbin` holds.
#[derive(Serialize)]
pub struct MaterialDescription<'a> {
    pub(super) bundle: BundleInfo<'a>,
    /// MATL's path.
    pub(super) shader: Option<&'a str>,
    /// MATI's path.
    pub(super) parent: Option<&'a str>,
    /// MTPR's records; names are the shader's business.
    pub(super) overrides: Option<Vec<DefaultInfo<'a>>>,
    /// MTPR's last three words.
    pub(super) trailer: Option<[Hash; 3]>,
    /// By which rule MTPR closes.
    pub(super) rule: Option<String>,
}

impl<'a> MaterialDescription<'a> {
    /// Describes one file, without its parents.
    pub fn new(material: &'a Material) -> Self {
        let overrides = material.overrides.as_ref();
        Self {
            bundle: BundleInfo::new(&material.bundle),
            shader: material.shader.as_deref(),
            parent: material.parent.as_deref(),
            overrides: overrides.map(|all| all.records.iter().map(|record| DefaultInfo::new(record, None)).collect()),
            trailer: overrides.and_then(|all| all.trailer).map(|words| words.map(Hash)),
            rule: overrides.map(|all| all.rule.to_string()),
        }
    }
}
