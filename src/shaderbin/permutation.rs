//! Which compiled variant a material's switches choose. Documentation 003, "Choosing a permutation".
//!
//! A variant matches where each of its states is 2 (either) or equals the material's switch. A switch that the whole chain
//! (instance, parents, defaults) lacks matches any state. A switch that has one state in every variant is fixed by the shader
//! and ignored.

use std::fmt;

use serde::Serialize;

use super::vars::{EITHER, ON, Variant, Variants};
use super::{Chain, ReadError, Shaderbin};
use crate::suggest;

/// At most this many near variants are named.
const NEAR: usize = 5;

/// What the switches choose. In JSON: INSPECT.md's permutation object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice<'a> {
    /// The one variant that matches.
    pub permutation: Option<&'a str>,
    /// Every variant that matches, in the file's order.
    pub matches: Vec<&'a str>,
    /// Switches that have one state in every variant.
    pub ignored_switches: Vec<&'a str>,
    /// Where none matches: the variants that differ in the fewest switches, nearest first.
    pub near: Vec<Near<'a>>,
    /// Where several match: the switches in which they differ.
    #[serde(skip)]
    pub undecided: Vec<&'a str>,
}

/// A variant that does not match, and the switches that it would need otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Near<'a> {
    pub name: &'a str,
    pub differs: Vec<&'a str>,
}

/// Why nothing can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// The file's variants are not known.
    #[error(transparent)]
    Variants(#[from] ReadError),
    /// The shader has no such switch.
    #[error("{message}")]
    Switch { name: String, message: String },
}

impl Shaderbin {
    /// What the shader's defaults, a material's chain and then `switches`, by their names, choose.
    ///
    /// # Errors
    /// The variants are not known, or a switch is not the shader's.
    pub fn choose(&self, chain: Option<&Chain>, switches: &[(String, bool)]) -> Result<Choice<'_>, ChooseError> {
        let variants = self.variants()?;
        let merged = self.merged(chain.into_iter().flat_map(Chain::overrides));
        let mut values = self.switch_values(&variants.switches, &merged);
        for (name, value) in switches {
            match variants.switches.iter().position(|switch| switch.name == *name) {
                Some(index) => values[index] = Some(*value),
                None => {
                    let known = variants.switches.iter().map(|switch| switch.name.as_str());
                    let message = suggest::unknown("switch", name, known);
                    return Err(ChooseError::Switch { name: name.clone(), message });
                }
            }
        }
        Ok(choose(variants, &values))
    }
}

/// Chooses among `variants`; `values` has one entry a switch, `None` where nothing sets it.
pub fn choose<'a>(variants: &'a Variants, values: &[Option<bool>]) -> Choice<'a> {
    let switches: Vec<Switch> = variants.switches.iter().zip(values).enumerate().map(Switch::new).collect();
    let (fixed, free): (Vec<&Switch>, Vec<&Switch>) =
        switches.iter().partition(|switch| switch.is_fixed(&variants.variants));
    let matching: Vec<&Variant> =
        variants.variants.iter().filter(|variant| free.iter().all(|switch| switch.matches(variant))).collect();
    let undecided = free.iter().filter(|switch| !switch.is_fixed(matching.iter().copied()));
    Choice {
        permutation: if let [only] = matching[..] { Some(&only.name) } else { None },
        ignored_switches: fixed.iter().map(|switch| switch.name).collect(),
        near: if matching.is_empty() { near(&variants.variants, &free) } else { Vec::new() },
        undecided: undecided.map(|switch| switch.name).collect(),
        matches: matching.into_iter().map(|variant| variant.name.as_str()).collect(),
    }
}

/// A switch and the material's value of it.
struct Switch<'a> {
    name: &'a str,
    index: usize,
    value: Option<bool>,
}

impl<'a> Switch<'a> {
    fn new((index, (switch, value)): (usize, (&'a super::vars::Switch, &Option<bool>))) -> Self {
        Self { name: &switch.name, index, value: *value }
    }

    fn matches(&self, variant: &Variant) -> bool {
        match (self.value, variant.states[self.index]) {
            (None, _) | (_, EITHER) => true,
            (Some(value), state) => value == (state == ON),
        }
    }

    /// Whether it has one state in all of `variants`.
    fn is_fixed<'v>(&self, variants: impl IntoIterator<Item = &'v Variant>) -> bool {
        let mut states = variants.into_iter().map(|variant| variant.states[self.index]);
        let first = states.next();
        states.all(|state| Some(state) == first)
    }
}

fn near<'a>(variants: &'a [Variant], switches: &[&Switch<'a>]) -> Vec<Near<'a>> {
    let differing = |variant: &Variant| switches.iter().filter(|switch| !switch.matches(variant)).count();
    let mut ranked: Vec<(usize, &Variant)> = variants.iter().map(|variant| (differing(variant), variant)).collect();
    ranked.sort_by_key(|(count, _)| *count);
    let named = ranked.into_iter().take(NEAR).map(|(_, variant)| {
        let differs = switches.iter().filter(|switch| !switch.matches(variant));
        Near { name: &variant.name, differs: differs.map(|switch| switch.name).collect() }
    });
    named.collect()
}

impl Choice<'_> {
    /// Why there is not exactly one match: the near variants and the switches that decide between them.
    pub fn problem(&self) -> Option<String> {
        match (self.permutation, self.matches.len()) {
            (Some(_), _) => None,
            (None, 0) if self.near.is_empty() => Some("the shader has no compiled variant".to_owned()),
            (None, 0) => {
                let near = self.near.iter().map(|near| format!("{} differs in {}", near.name, near.differs.join(", ")));
                Some(format!("no compiled variant matches; nearest: {}", near.collect::<Vec<_>>().join("; ")))
            }
            (None, count) => {
                let first: Vec<&str> = self.matches.iter().take(NEAR).copied().collect();
                let more = if count > NEAR { ", …" } else { "" };
                let switches = match self.undecided.is_empty() {
                    true => "they differ in no switch".to_owned(),
                    false => format!("set {}", self.undecided.join(", ")),
                };
                Some(format!("{count} compiled variants match ({}{more}); {switches}", first.join(", ")))
            }
        }
    }
}

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.permutation, self.problem()) {
            (Some(name), _) => writeln!(f, "permutation: {name}")?,
            (None, problem) => writeln!(f, "no single permutation: {}", problem.unwrap_or_default())?,
        }
        for name in self.matches.iter().filter(|_| self.permutation.is_none()) {
            writeln!(f, "  matches: {name}")?;
        }
        for near in &self.near {
            writeln!(f, "  near: {} (differs in {})", near.name, near.differs.join(", "))?;
        }
        match self.ignored_switches.is_empty() {
            true => Ok(()),
            false => writeln!(f, "ignored, with one value in every variant: {}", self.ignored_switches.join(", ")),
        }
    }
}
