//! Shader containers made for tests.

use scrutineer::shaderbin::grub::{Blob, Bundle, Metadata};
use scrutineer::shaderbin::map::{self, Entry, Id};
use scrutineer::shaderbin::parm::{self, Parameter};
use scrutineer::shaderbin::record::{self, Record};
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::vars::{self, Frame, SCENARIO, Switch, Variant, Variants};
use scrutineer::shaderbin::{Tag, Version, name_hash, path_hash};

/// The key that these tests give a parameter: unlike its name's hash, as in most files.
pub fn key(name: &str) -> u32 {
    name_hash(&format!("{name}ColorParam"))
}

pub fn parameter(name: &str) -> Parameter {
    Parameter { name: name.to_owned(), name_hash: name_hash(name), key: key(name), tail: Vec::new() }
}

/// A flagged record of version 3.1.
pub fn record(name: &str, value: Value) -> Record {
    let guid = Some([name.len() as u8; 16]);
    Record { version: Version(3, 1), key: key(name), flag_hash: Some(name_hash(name)), guid, value }
}

pub fn texture(path: &str) -> Value {
    Value::Texture { path: path.to_owned(), hash: Some(path_hash(path)) }
}

pub fn entry(name: &str, value: u16) -> Entry {
    Entry { id: Id::Key(key(name)), value, guid: Some([value as u8; 16]) }
}

pub fn switch(name: &str) -> Switch {
    Switch { name: name.to_owned(), hash: key(name) }
}

/// A variant from its states as INSPECT.md writes them.
pub fn variant(name: &str, states: &str) -> Variant {
    let state = |letter: char| match letter {
        '0' => vars::OFF,
        '1' => vars::ON,
        _ => vars::EITHER,
    };
    let states = states.chars().map(state).collect();
    Variant { name: name.to_owned(), bytes: [9; 12], scenario: SCENARIO.to_owned(), lead: 1, states }
}

pub fn variants(switches: &[&str], all: &[(&str, &str)]) -> Variants {
    Variants {
        shader: "environment".to_owned(),
        switches: switches.iter().map(|name| switch(name)).collect(),
        variants: all.iter().map(|(name, states)| variant(name, states)).collect(),
        frame: Frame::default(),
    }
}

/// The pieces of a shaderbin, encoded by [`Parts::bundle`].
#[derive(Clone)]
pub struct Parts {
    pub parameters: Vec<Parameter>,
    pub defaults: Vec<Record>,
    pub constants: Vec<Entry>,
    pub textures: Vec<Entry>,
    pub samplers: Vec<Entry>,
    pub size: u16,
    pub variants: Variants,
}

impl Parts {
    pub fn bundle(&self) -> Bundle {
        let mut bundle = Bundle::new();
        let mut add = |tag, version, data| bundle.blobs.push(Blob::new(tag, version, data));
        add(Tag::PARM, parm::VERSION, parm::encode(&self.parameters));
        add(Tag::DFPR, record::VERSION, record::encode(&self.defaults, None));
        add(Tag::VARS, vars::VERSION, self.variants.encode());
        add(Tag::CBMP, map::VERSION, map::encode(&self.constants));
        add(Tag::TXMP, map::VERSION, map::encode(&self.textures));
        add(Tag::SPMP, map::VERSION, map::encode(&self.samplers));
        add(Tag::CBEX, Version(1, 0), self.size.to_le_bytes().to_vec());
        bundle
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.bundle().to_bytes().unwrap()
    }
}

/// A small environment: every blob, every kind of value, metadata, a blob of an unknown tag and a nested bundle.
pub fn sample() -> Parts {
    let names =
        ["Uv0Offset", "BlendColour", "_RoughnessStrength", "UseDeposits", "Blend2", "DiffAlphaTex_A", "Sampler"];
    let mut parameters: Vec<Parameter> = names.iter().map(|name| parameter(name)).collect();
    parameters[1].tail = vec![1, 2, 3];
    let defaults = vec![
        record("Uv0Offset", Value::Vector2 { value: [0.25, -0.5], tail: None }),
        record("BlendColour", Value::Colour([0.5, 0.25, 0.125, 1.0])),
        record("_RoughnessStrength", Value::Float(0.75)),
        record("UseDeposits", Value::Bool(1)),
        record("Blend2", Value::Int(1)),
        record("DiffAlphaTex_A", texture(r"Game:\Media\White.swatchbin")),
        record("Sampler", Value::Sampler { address: [1, 3], class: 2, tail: None }),
    ];
    Parts {
        parameters,
        defaults,
        constants: vec![entry("Uv0Offset", 40), entry("_RoughnessStrength", 228)],
        textures: vec![entry("DiffAlphaTex_A", 17)],
        samplers: vec![entry("Sampler", 3)],
        size: 384,
        variants: variants(
            &["Blend2", "UseLightmap"],
            &[("_Standard", "00"), ("_Standard_B", "10"), ("_Standard_B_L", "11")],
        ),
    }
}

/// [`sample`] with what a bundle can hold besides.
pub fn rich_bundle() -> Bundle {
    let mut bundle = sample().bundle();
    bundle.blobs[0].metadata = vec![
        Metadata { tag: Tag::new(b"Name"), version: 0, data: b"environment".to_vec() },
        Metadata { tag: Tag::new(b"ARTX"), version: 15, data: vec![0xff; 5] },
        Metadata { tag: Tag::new(b"Id  "), version: 1, data: Vec::new() },
    ];
    let nested = sample().bytes();
    bundle.blobs.push(Blob::new(Tag::MODEL_MATERIAL, Version(1, 0), nested));
    bundle.blobs.push(Blob::new(Tag(0xfeed_0001), Version(7, 9), vec![1, 2, 3, 4, 5]));
    bundle
}

/// A family as large as the largest that the page counts: 1,500 variants of 43 switches, 330 parameters.
pub fn large() -> Parts {
    let names: Vec<String> = (0..330).map(|index| format!("Parameter_{index}_Of_A_Large_Family")).collect();
    let value = |index: usize| match index % 5 {
        0 => Value::Vector([index as f32; 4]),
        1 => Value::Float(index as f32),
        2 => Value::Int(index as i32 % 2),
        3 => texture(&format!(r"Game:\Media\Textures\A_Texture_{index}.swatchbin")),
        _ => Value::Colour([0.1; 4]),
    };
    let switches: Vec<&str> = names.iter().map(String::as_str).take(43).collect();
    let states = |index: usize| (0..43).map(|bit| ['0', '1', '-'][(index >> (bit % 11)) % 3]).collect::<String>();
    let all: Vec<(String, String)> =
        (0..1500).map(|index| (format!("_StandardRCSM_ShadowsTriPlanar_ST_TPNAO_{index}"), states(index))).collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(name, states)| (name.as_str(), states.as_str())).collect();
    Parts {
        parameters: names.iter().map(|name| parameter(name)).collect(),
        defaults: names.iter().enumerate().map(|(index, name)| record(name, value(index))).collect(),
        constants: names.iter().enumerate().map(|(index, name)| entry(name, index as u16 * 4)).collect(),
        textures: names.iter().take(60).enumerate().map(|(index, name)| entry(name, 16 + index as u16)).collect(),
        samplers: Vec::new(),
        size: 1328,
        variants: variants(&switches, &all),
    }
}
