//! Descriptions as text for a terminal.

use std::fmt::{self, Display, Formatter};

use super::Tag;
use super::describe::{BundleInfo, DefaultInfo, Description, MaterialDescription, SlotInfo, VariantsInfo};
use super::hex::{Bytes, Hash};
use super::registers::{Place, Textures};
use super::value::Value;

impl Display for Description<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}", self.bundle)?;
        if let Some(parameters) = &self.parameters {
            writeln!(f, "\n{} parameters (PARM): key, name", parameters.len())?;
            for parameter in parameters {
                write!(f, "  {}  {}", parameter.key, parameter.name)?;
                match parameter.tail.0 {
                    [] => writeln!(f)?,
                    _ => writeln!(f, "  tail {}", parameter.tail)?,
                }
            }
        }
        if let Some(defaults) = &self.defaults {
            writeln!(f, "\n{} defaults (DFPR): name, type, value", defaults.len())?;
            defaults.iter().try_for_each(|default| write!(f, "{default}"))?;
        }
        self.registers(f)?;
        if let Some(variants) = &self.variants {
            write!(f, "\n{variants}")?;
        }
        writeln!(f, "\nchecks")?;
        for check in &self.checks {
            writeln!(f, "  {}  {}: {}", if check.passed { "ok  " } else { "FAIL" }, check.check, check.detail)?;
        }
        Ok(())
    }
}

impl Description<'_> {
    fn registers(&self, f: &mut Formatter) -> fmt::Result {
        let layout = Textures::of_family(&self.family, self.constant_buffer_size);
        if let Some(constants) = &self.constants {
            let size = self.constant_buffer_size.map_or("?".to_owned(), |size| size.to_string());
            let buffer = if layout == Textures::Bound { "cb0, " } else { "" };
            writeln!(
                f,
                "\n{} constants (CBMP) in {buffer}{size} bytes (CBEX): register, offset, name",
                constants.len()
            )?;
            for constant in constants {
                let place = Place::of_offset(constant.offset).to_string();
                writeln!(f, "  {place:<7} {:>5}  {}", constant.offset, label(constant.name, constant.key))?;
            }
        }
        if let Some(textures) = &self.textures {
            let about = match layout {
                Textures::Block { base } => format!("slot, index at dword {base} + slot, name"),
                Textures::Bound => "t register, name".to_owned(),
                Textures::Unknown => format!("slot, name; no base is documented for \"{}\"", self.family),
            };
            writeln!(f, "\n{} textures (TXMP): {about}", textures.len())?;
            for texture in textures {
                let place =
                    layout.place(texture.slot).map_or(String::new(), |place| format!("  {:<7}", place.to_string()));
                let t = if layout == Textures::Bound { "t" } else { " " };
                writeln!(f, "  {t}{:<5}{place}  {}", texture.slot, texture.label())?;
            }
        }
        if let Some(samplers) = &self.samplers {
            writeln!(f, "\n{} samplers (SPMP): register, name", samplers.len())?;
            samplers.iter().try_for_each(|sampler| writeln!(f, "  s{:<5}  {}", sampler.slot, sampler.label()))?;
        }
        Ok(())
    }
}

impl Display for MaterialDescription<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}", self.bundle)?;
        writeln!(f, "\nshader (MATL)  {}", self.shader.unwrap_or("–"))?;
        writeln!(f, "parent (MATI)  {}", self.parent.unwrap_or("–"))?;
        if let Some(overrides) = &self.overrides {
            writeln!(f, "\n{} overrides (MTPR): key, type, value", overrides.len())?;
            overrides.iter().try_for_each(|record| write!(f, "{record}"))?;
        }
        if let Some([a, b, c]) = self.trailer {
            writeln!(f, "trailer {a} {b} {c}")?;
        }
        self.rule.iter().try_for_each(|rule| writeln!(f, "read with {rule}"))
    }
}

impl Display for BundleInfo<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "Grub bundle {}, {} bytes, {} blobs", self.version, self.size, self.blobs.len())?;
        for blob in &self.blobs {
            writeln!(f, "  {} {}  {} bytes at {}", blob.tag, blob.version, blob.size, blob.offset)?;
            for note in &blob.blob.metadata {
                write!(f, "    {} v{}  ", note.tag, note.version)?;
                match (note.tag == Tag::new(b"Name")).then(|| std::str::from_utf8(&note.data)) {
                    Some(Ok(name)) => writeln!(f, "\"{}\"", name.escape_debug())?,
                    _ => writeln!(f, "{}", Bytes(&note.data))?,
                }
            }
        }
        Ok(())
    }
}

impl Display for DefaultInfo<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let name = label(self.name, Some(self.key));
        writeln!(f, "  {name}  {}  {}", self.value.kind_name(), self.value)
    }
}

impl SlotInfo<'_> {
    fn label(&self) -> String {
        label(self.name, self.key)
    }
}

/// The name, or the key in its place.
fn label(name: Option<&str>, key: Option<Hash>) -> String {
    match (name, key) {
        (Some(name), _) => name.to_owned(),
        (None, Some(key)) => key.to_string(),
        (None, None) => "?".to_owned(),
    }
}

impl Display for VariantsInfo<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::Opaque { opaque } => {
                writeln!(f, "VARS: {} bytes that are not understood (see the checks)", opaque.0.len())
            }
            Self::Read { shader, switches, variants } => {
                writeln!(f, "{} switches (VARS of {shader}): hash, name", switches.len())?;
                switches.iter().try_for_each(|switch| writeln!(f, "  {}  {}", switch.hash, switch.name))?;
                writeln!(
                    f,
                    "\n{} variants: a state a switch (1 on, 0 off, - either), name",
                    variants.0.variants.len()
                )?;
                variants.iter().try_for_each(|variant| writeln!(f, "  {}  {}", variant.states, variant.name))
            }
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::Vector(v) | Self::Colour(v) | Self::Swizzle(v) | Self::FunctionRange(v) | Self::Type12(v) => {
                numbers(f, v)
            }
            Self::Float(value) => write!(f, "{value}"),
            Self::Bool(word @ (0 | 1)) => write!(f, "{}", *word == 1),
            Self::Bool(word) => write!(f, "{word}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Texture { path, .. } => write!(f, "{path}"),
            Self::Sampler { address: [u, v], class, tail } => {
                write!(f, "u {}, v {}, class {class}", address(*u), address(*v))?;
                tail.iter().try_for_each(|tail| write!(f, ", {tail}"))
            }
            Self::Gradient8(colours) => colours.iter().try_for_each(|colour| write!(f, "{} ", Bytes(colour))),
            Self::Gradient(colours) => colours.iter().try_for_each(|colour| numbers(f, colour)),
            Self::Vector2 { value, tail } => {
                numbers(f, value)?;
                tail.iter().try_for_each(|tail| write!(f, ", {}", Bytes(tail)))
            }
        }
    }
}

fn numbers(f: &mut Formatter, values: &[f32]) -> fmt::Result {
    write!(f, "({})", values.iter().map(f32::to_string).collect::<Vec<_>>().join(", "))
}

fn address(mode: i32) -> String {
    match mode {
        1 => "wrap".to_owned(),
        2 => "mirror".to_owned(),
        3 => "clamp".to_owned(),
        4 => "border".to_owned(),
        5 => "mirror once".to_owned(),
        other => other.to_string(),
    }
}
