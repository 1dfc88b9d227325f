//! Binding: typed reads of one `[materials.*]` table.
//!
//! A family's `bind` is also its declaration: each read names a parameter with its type and default, and running `bind`
//! without input yields the family's tables ([`describe`]). So a name and a default stand in one place only. Reads never
//! fail; faults are collected, so that one run shows them all.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use serde_json::Value;

use super::registry::{Family, Permutations};
use super::{Material, Slot};
use crate::suggest;
use crate::texture::{Sampler, Texture};

/// A `[materials.*]` table as far as a family reads it.
#[derive(Clone, Debug, Default)]
pub struct Input {
    pub permutation: Option<String>,
    pub parameters: BTreeMap<String, Value>,
    pub textures: BTreeMap<String, TextureInput>,
}

/// What a texture name is bound to: a constant RGBA, or an entry that the [`TextureSource`] opens.
#[derive(Clone, Debug)]
pub enum TextureInput {
    Constant(Vec4),
    Entry(Value),
}

/// Opens texture entries (a path, or `{ file, colour_space, address, filter, mip, channel_order }`).
pub trait TextureSource {
    /// The texture and its sampler, or what is wrong with the entry.
    fn open(&mut self, entry: &Value) -> Result<(Arc<Texture>, Sampler), String>;
}

/// A source without files: the probe, where every sample is a constant.
pub struct NoTextures;

impl TextureSource for NoTextures {
    fn open(&mut self, _: &Value) -> Result<(Arc<Texture>, Sampler), String> {
        Err("texture files are not read here".to_owned())
    }
}

/// A fault of one key, relative to the material's table: `parameters.Hue`, `textures.diffuse`, `permutation`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub key: String,
    pub message: String,
}

/// A parameter as declared by a family's `bind`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: &'static str,
    /// "number", "bool", "int", "\[2\]" …
    pub kind: &'static str,
    pub default: Value,
}

/// A texture as declared by a family's `bind`.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureDeclaration {
    pub name: &'static str,
    /// The value of every sample where the texture is not bound, RGBA.
    pub default: [f32; 4],
}

/// The tables that a family declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    pub parameters: Vec<Parameter>,
    pub textures: Vec<TextureDeclaration>,
}

/// Reads one material's input and notes what was declared and what is wrong.
pub struct Binder<'a> {
    family: &'static Family,
    input: &'a Input,
    source: &'a mut dyn TextureSource,
    tables: Tables,
    faults: Vec<Fault>,
    /// Keys of the input that a read has named.
    named: usize,
    /// Runs for the tables alone: an absent permutation is no mistake.
    describing: bool,
}

/// Binds `input` to `family`, or says everything that is wrong with it.
pub fn bind(
    family: &'static Family,
    input: &Input,
    source: &mut dyn TextureSource,
) -> Result<Box<dyn Material>, Vec<Fault>> {
    let mut binder = Binder::new(family, input, source, false);
    let material = (family.bind)(&mut binder);
    binder.refuse_undeclared();
    match binder.faults.is_empty() {
        true => Ok(material),
        false => Err(binder.faults),
    }
}

/// The parameters and textures of a family, with types and defaults.
pub fn describe(family: &'static Family) -> Tables {
    let input = Input::default();
    let mut source = NoTextures;
    let mut binder = Binder::new(family, &input, &mut source, true);
    (family.bind)(&mut binder);
    binder.tables
}

impl<'a> Binder<'a> {
    fn new(family: &'static Family, input: &'a Input, source: &'a mut dyn TextureSource, describing: bool) -> Self {
        Self { family, input, source, tables: Tables::default(), faults: Vec::new(), named: 0, describing }
    }

    /// A float32 parameter.
    pub fn number(&mut self, name: &'static str, default: f32) -> f32 {
        self.read(name, "number", default, |value| finite(value).ok_or("a finite number"))
    }

    /// A bool parameter.
    pub fn boolean(&mut self, name: &'static str, default: bool) -> bool {
        self.read(name, "bool", default, |value| value.as_bool().ok_or("true or false"))
    }

    /// An integer parameter; fractions are refused.
    pub fn integer(&mut self, name: &'static str, default: i32) -> i32 {
        self.read(name, "int", default, |value| whole(value).ok_or("a whole number"))
    }

    /// An int\[3\] parameter.
    pub fn integer3(&mut self, name: &'static str, default: [i32; 3]) -> [i32; 3] {
        self.read(name, "int[3]", default, |value| array(value, whole).ok_or("an array of 3 whole numbers"))
    }

    /// A \[2\] parameter.
    pub fn vec2(&mut self, name: &'static str, default: [f32; 2]) -> Vec2 {
        self.read(name, "[2]", default, |value| array(value, finite).ok_or("an array of 2 finite numbers")).into()
    }

    /// A \[3\] parameter.
    pub fn vec3(&mut self, name: &'static str, default: [f32; 3]) -> Vec3 {
        self.read(name, "[3]", default, |value| array(value, finite).ok_or("an array of 3 finite numbers")).into()
    }

    /// A \[4\] parameter.
    pub fn vec4(&mut self, name: &'static str, default: [f32; 4]) -> Vec4 {
        self.read(name, "[4]", default, |value| array(value, finite).ok_or("an array of 4 finite numbers")).into()
    }

    /// A texture; `default` is what every sample returns where it is not bound.
    pub fn texture(&mut self, name: &'static str, default: [f32; 4]) -> Slot {
        self.tables.textures.push(TextureDeclaration { name, default });
        let Some(bound) = self.input.textures.get(name) else { return Slot::constant(name, default.into()) };
        self.named += 1;
        let entry = match bound {
            TextureInput::Constant(value) => return Slot::constant(name, *value),
            TextureInput::Entry(entry) => entry,
        };
        match self.source.open(entry) {
            Ok((texture, sampler)) => Slot::image(name, texture, sampler),
            Err(message) => {
                self.fault(format!("textures.{name}"), message);
                Slot::constant(name, default.into())
            }
        }
    }

    /// The permutation as typed; for families whose permutations are exact names, one of them (the first after a fault).
    pub fn permutation(&mut self) -> &'static str {
        let Permutations::Names(names) = self.family.permutations else {
            panic!("{}: permutation() needs exact permutation names", self.family.name);
        };
        let typed = self.input.permutation.as_deref().unwrap_or("");
        if let Some(name) = names.iter().find(|name| **name == typed) {
            return name;
        }
        if !self.describing {
            let message = match typed.is_empty() {
                true => format!("the family needs one; allowed: {}", suggest::list(names.iter().copied())),
                false => suggest::unknown("permutation", typed, names.iter().copied()),
            };
            self.fault("permutation", message);
        }
        names[0]
    }

    /// The permutation split into tokens, each checked against the family's lists; case does not matter.
    pub fn tokens(&mut self) -> Tokens {
        let Permutations::Tokens { acting, inert, prefixes } = self.family.permutations else {
            panic!("{}: tokens() needs a token grammar", self.family.name);
        };
        let typed = self.input.permutation.clone().unwrap_or_default();
        let mut tokens = Tokens::default();
        for token in typed.split('_').filter(|token| !token.is_empty()) {
            let known = acting.iter().chain(inert).find(|name| name.eq_ignore_ascii_case(token));
            let begins = prefixes
                .iter()
                .find(|prefix| token.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix)));
            match known.or(begins) {
                Some(name) => tokens.0.push(name),
                None => {
                    let allowed = acting.iter().chain(inert).chain(prefixes).copied();
                    self.fault("permutation", suggest::unknown("permutation token", token, allowed));
                }
            }
        }
        tokens
    }

    /// Notes a fault of a parameter whose value has the right type but a forbidden value.
    pub fn refuse(&mut self, parameter: &str, message: impl Into<String>) {
        self.fault(format!("parameters.{parameter}"), message);
    }

    fn read<T: Clone + serde::Serialize>(
        &mut self,
        name: &'static str,
        kind: &'static str,
        default: T,
        parse: impl Fn(&Value) -> Result<T, &'static str>,
    ) -> T {
        let typed_default = serde_json::to_value(&default).expect("defaults are plain numbers, bools and arrays");
        self.tables.parameters.push(Parameter { name, kind, default: typed_default });
        let Some(found) = self.input.parameters.get(name) else { return default };
        self.named += 1;
        match parse(found) {
            Ok(value) => value,
            Err(expected) => {
                self.fault(format!("parameters.{name}"), format!("expected {expected}, found {found}"));
                default
            }
        }
    }

    fn fault(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault { key: key.into(), message: message.into() });
    }

    fn refuse_undeclared(&mut self) {
        let typed = self.input.permutation.as_deref().unwrap_or("");
        if matches!(self.family.permutations, Permutations::None) && !typed.is_empty() {
            let message = format!("{} has no permutations, found \"{typed}\"", self.family.name);
            self.fault("permutation", message);
        }
        // The probe binds per point: the usual case must not compare every name with every other.
        if self.named == self.input.parameters.len() + self.input.textures.len() {
            return;
        }
        let parameters: Vec<&str> = self.tables.parameters.iter().map(|p| p.name).collect();
        for name in self.input.parameters.keys().filter(|name| !parameters.contains(&name.as_str())) {
            let message = suggest::unknown("parameter", name, parameters.iter().copied());
            self.faults.push(Fault { key: format!("parameters.{name}"), message });
        }
        let textures: Vec<&str> = self.tables.textures.iter().map(|t| t.name).collect();
        for name in self.input.textures.keys().filter(|name| !textures.contains(&name.as_str())) {
            let message = suggest::unknown("texture", name, textures.iter().copied());
            self.faults.push(Fault { key: format!("textures.{name}"), message });
        }
    }
}

/// The tokens of a permutation, spelled as the family's lists spell them.
#[derive(Clone, Debug, Default)]
pub struct Tokens(Vec<&'static str>);

impl Tokens {
    /// Whether the permutation has the token.
    pub fn has(&self, token: &str) -> bool {
        self.0.contains(&token)
    }
}

fn finite(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}

fn whole(value: &Value) -> Option<i32> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    i32::try_from(number as i64).ok()
}

fn array<T: Copy + Default, const N: usize>(value: &Value, parse: impl Fn(&Value) -> Option<T>) -> Option<[T; N]> {
    let values = value.as_array().filter(|values| values.len() == N)?;
    let mut out = [T::default(); N];
    for (slot, value) in out.iter_mut().zip(values) {
        *slot = parse(value)?;
    }
    Some(out)
}
