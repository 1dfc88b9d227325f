//! `[materials.NAME]` as typed (SCENE.md), and its turn into what a family binds.

use std::collections::BTreeMap;
use std::path::Path;

use glam::Vec4;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::number::Finite;
use super::{KeyError, typed};
use crate::material::bind::{Input, TextureInput};
use crate::suggest;
use crate::texture::check_entry;

/// The table. Which parameters, textures and permutations exist is the family's business (`material::bind`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialTable {
    pub family: String,
    #[serde(default)]
    pub permutation: String,
    /// A `.shaderbin` that chooses the permutation, fills in defaults and knows every name. Relative as texture files are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader: Option<String>,
    /// Switch → 0, 1, false or true: what chooses among the shader's permutations, over `materialbin` and the defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub switches: BTreeMap<String, Value>,
    /// A `.materialbin` whose chain gives switches and parameters of the shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub materialbin: Option<String>,
    /// Emission from the back too, and no culling; the renderer only.
    #[serde(default)]
    pub double_sided: bool,
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// A path, `{ constant = [r, g, b, a] }`, or `{ file, colour_space, address, filter, mip, channel_order }`.
    #[serde(default)]
    pub textures: BTreeMap<String, Value>,
}

const ENTRY_KEYS: [&str; 7] = ["file", "constant", "colour_space", "address", "filter", "mip", "channel_order"];

impl MaterialTable {
    /// What [`bind`](crate::material::bind::bind) reads. Paths of texture files become relative to `folder`'s base, where
    /// `folder` is that of the file that names them. Errors carry key paths relative to the table; a black constant stands
    /// for each faulty texture, so that what else is wrong can be found too.
    pub fn to_input(&self, folder: &Path) -> (Input, Vec<KeyError>) {
        let mut errors = Vec::new();
        let mut textures = BTreeMap::new();
        for (name, entry) in &self.textures {
            let input = texture_input(entry, folder).unwrap_or_else(|error| {
                errors.push(error.within(&["textures", name]));
                TextureInput::Constant(Vec4::ZERO)
            });
            textures.insert(name.clone(), input);
        }
        let permutation = Some(self.permutation.clone());
        (Input { permutation, parameters: self.parameters.clone(), textures }, errors)
    }
}

/// One texture entry, its file relative to `folder`.
pub(crate) fn texture_input(entry: &Value, folder: &Path) -> Result<TextureInput, KeyError> {
    let whole = |message: String| KeyError { path: Vec::new(), message };
    match entry {
        Value::String(file) => sound(resolved(file, folder)),
        Value::Object(keys) => {
            if let Some(unknown) = keys.keys().find(|key| !ENTRY_KEYS.contains(&key.as_str())) {
                return Err(KeyError::new(unknown, suggest::unknown("key", unknown, ENTRY_KEYS)));
            }
            match (keys.get("constant"), keys.get("file")) {
                (Some(constant), _) if keys.len() == 1 => {
                    let Finite(value) = typed(constant).map_err(|error| error.within(&["constant"]))?;
                    Ok(TextureInput::Constant(Vec4::from(value)))
                }
                (Some(_), _) => Err(KeyError::new("constant", "a constant stands alone: remove the other keys")),
                (None, Some(Value::String(file))) => {
                    let mut keys = keys.clone();
                    keys.insert("file".to_owned(), resolved(file, folder));
                    sound(Value::Object(keys))
                }
                (None, Some(other)) => Err(KeyError::new("file", format!("expected a path, found {other}"))),
                (None, None) => Err(whole("expected `file` or `constant`".to_owned())),
            }
        }
        other => Err(whole(format!("expected a path, {{ file = … }} or {{ constant = [r, g, b, a] }}, found {other}"))),
    }
}

/// An entry whose keys have values that are allowed.
fn sound(entry: Value) -> Result<TextureInput, KeyError> {
    match check_entry(&entry) {
        Ok(()) => Ok(TextureInput::Entry(entry)),
        Err(message) => Err(KeyError { path: Vec::new(), message }),
    }
}

fn resolved(file: &str, folder: &Path) -> Value {
    Value::String(folder.join(file).to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(source: &str) -> Result<Input, Vec<KeyError>> {
        let table: MaterialTable =
            typed(toml::Deserializer::parse(source).expect("the TOML is well formed")).map_err(|error| vec![error])?;
        let (input, errors) = table.to_input(Path::new("assets"));
        if errors.is_empty() { Ok(input) } else { Err(errors) }
    }

    #[test]
    fn constants_and_files_are_told_apart_and_files_resolved() {
        let input = input(
            r#"
            family = "uber_rock"
            [textures]
            DiffuseA = "tex/a.dds"
            NormalA = { file = "n.dds", colour_space = "linear" }
            AOA = { constant = [1, 0.5, 0, 1] }
            "#,
        )
        .unwrap();
        assert!(
            matches!(&input.textures["DiffuseA"], TextureInput::Entry(Value::String(p)) if p == "assets/tex/a.dds")
        );
        assert!(matches!(&input.textures["NormalA"], TextureInput::Entry(v) if v["file"] == "assets/n.dds"));
        assert!(matches!(input.textures["AOA"], TextureInput::Constant(v) if v == Vec4::new(1.0, 0.5, 0.0, 1.0)));
    }

    #[test]
    fn wrong_keys_and_values_name_their_key() {
        for (source, key) in [
            ("famly = \"x\"", "famly"),
            ("family = \"x\"\ndouble_sided = 1", "double_sided"),
            ("family = \"x\"\ntextures = { A = { constant = [1, 1, 1] } }", "textures.A.constant"),
            ("family = \"x\"\ntextures = { A = { constant = [1, 1, 1, 1], mip = \"level0\" } }", "textures.A.constant"),
            ("family = \"x\"\ntextures = { A = { fil = \"a\" } }", "textures.A.fil"),
            ("family = \"x\"\ntextures = { A = { file = 3 } }", "textures.A.file"),
            ("family = \"x\"\ntextures = { A = {} }", "textures.A"),
            ("family = \"x\"\ntextures = { A = { file = \"a.png\", mip = \"level1\" } }", "textures.A"),
            ("family = \"x\"\ntextures = { A = 3 }", "textures.A"),
        ] {
            let errors = input(source).expect_err(source);
            assert_eq!(errors.len(), 1, "{source}");
            assert_eq!(errors[0].key(), key);
        }
    }

    #[test]
    fn all_wrong_textures_are_reported_together() {
        let errors = input("family = \"x\"\ntextures = { A = 3, B = true, C = \"c.dds\" }").unwrap_err();
        assert_eq!(errors.iter().map(KeyError::key).collect::<Vec<_>>(), ["textures.A", "textures.B"]);
    }
}
