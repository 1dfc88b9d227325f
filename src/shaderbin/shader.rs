//! A `.shaderbin`: a bundle with its blobs read.

use std::collections::{BTreeMap, HashMap};

use super::grub::{Blob, Bundle};
use super::map::{self, Entry, Id};
use super::parm::{self, Parameter};
use super::record::{self, Record, Records};
use super::value::Value;
use super::vars::{self, Switch, Variants};
use super::{ReadError, Tag};

/// A shader family: its parameters, their places and defaults, and its compiled variants. What the file lacks is `None`.
#[derive(Clone, Debug)]
pub struct Shaderbin {
    pub bundle: Bundle,
    /// PARM, in the file's order.
    pub parameters: Option<Vec<Parameter>>,
    /// DFPR.
    pub defaults: Option<Records>,
    /// CBMP: bytes of the material constant buffer.
    pub constants: Option<Vec<Entry>>,
    /// TXMP: texture slots.
    pub textures: Option<Vec<Entry>>,
    /// SPMP: sampler registers.
    pub samplers: Option<Vec<Entry>>,
    /// CBEX: bytes.
    pub constant_buffer_size: Option<u16>,
    pub variants: Option<Vars>,
    /// Key → index into `parameters`.
    by_key: HashMap<u32, usize>,
}

/// VARS: read, or kept as bytes where no reading of the documentation closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vars {
    Read(Variants),
    Opaque {
        data: Vec<u8>,
        /// What stopped the reading that got farthest.
        reason: ReadError,
    },
}

/// Values of parameters by their keys, later ones over earlier ones.
pub type Merged<'a> = BTreeMap<u32, &'a Record>;

impl Shaderbin {
    /// Reads a whole file.
    ///
    /// # Errors
    /// The first place that breaks the container or a blob other than VARS.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bundle(Bundle::read(bytes)?)
    }

    /// Reads the blobs of a bundle.
    ///
    /// # Errors
    /// As [`Shaderbin::read`].
    pub fn from_bundle(bundle: Bundle) -> Result<Self, ReadError> {
        let parameters = decoded(&bundle, Tag::PARM, parm::decode)?;
        let by_key = parameters.iter().flatten().enumerate().map(|(index, parameter)| (parameter.key, index)).collect();
        Ok(Self {
            defaults: decoded(&bundle, Tag::DFPR, record::decode)?,
            constants: decoded(&bundle, Tag::CBMP, map::decode)?,
            textures: decoded(&bundle, Tag::TXMP, map::decode)?,
            samplers: decoded(&bundle, Tag::SPMP, map::decode)?,
            constant_buffer_size: decoded(&bundle, Tag::CBEX, map::decode_size)?,
            variants: decoded(&bundle, Tag::VARS, |blob| Ok(Vars::read(blob)))?,
            parameters,
            by_key,
            bundle,
        })
    }

    /// The declared parameter with that key.
    pub fn by_key(&self, key: u32) -> Option<&Parameter> {
        self.parameters.as_ref()?.get(*self.by_key.get(&key)?)
    }

    /// The declared parameter with that name; case counts.
    pub fn by_name(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().flatten().find(|parameter| parameter.name == name)
    }

    /// The key and the name of what a register map's entry is about, as far as they are known.
    pub fn identify<'a>(&'a self, entry: &'a Entry) -> (Option<u32>, Option<&'a str>) {
        match &entry.id {
            Id::Key(key) => (Some(*key), self.by_key(*key).map(|parameter| parameter.name.as_str())),
            Id::Name(name) => (self.by_name(name).map(|parameter| parameter.key), Some(name)),
        }
    }

    /// The values of a material: DFPR, then each list of `overrides`; parents come before what overrides them.
    pub fn merged<'a>(&'a self, overrides: impl IntoIterator<Item = &'a [Record]>) -> Merged<'a> {
        let defaults = self.defaults.as_ref().map_or(&[][..], |defaults| &defaults.records);
        let all = std::iter::once(defaults).chain(overrides).flatten();
        all.map(|record| (record.key, record)).collect()
    }

    /// What `merged` says about each of `switches`: on where its int is 1, off for any other; `None` where the chain lacks it.
    pub fn switch_values(&self, switches: &[Switch], merged: &Merged) -> Vec<Option<bool>> {
        let value = |switch: &Switch| match merged.get(&self.switch_key(switch))?.value {
            Value::Int(value) => Some(value == 1),
            _ => None,
        };
        switches.iter().map(value).collect()
    }

    /// The key of a switch's parameter. The page does not say what a switch's hash is: if it is no parameter's key, the
    /// parameter of the same name is meant.
    fn switch_key(&self, switch: &Switch) -> u32 {
        match self.by_key(switch.hash) {
            Some(parameter) => parameter.key,
            None => self.by_name(&switch.name).map_or(switch.hash, |parameter| parameter.key),
        }
    }

    /// The variants.
    ///
    /// # Errors
    /// The file has no VARS, or it is not understood.
    pub fn variants(&self) -> Result<&Variants, ReadError> {
        match &self.variants {
            Some(Vars::Read(variants)) => Ok(variants),
            Some(Vars::Opaque { reason, .. }) => {
                let message = format!("no permutation can be chosen: {}", reason.message);
                Err(ReadError { offset: reason.offset, message })
            }
            None => {
                Err(ReadError { offset: 0, message: "no permutation can be chosen: there is no VARS blob".to_owned() })
            }
        }
    }
}

impl Vars {
    fn read(blob: &Blob) -> Self {
        vars::decode(blob).map_or_else(|reason| Self::Opaque { data: blob.data.clone(), reason }, Self::Read)
    }
}

fn decoded<T>(
    bundle: &Bundle,
    tag: Tag,
    decode: impl Fn(&Blob) -> Result<T, ReadError>,
) -> Result<Option<T>, ReadError> {
    bundle.one(tag)?.map(decode).transpose()
}
