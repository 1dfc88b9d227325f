//! `shader`, `switches` and `materialbin` of `[materials.*]`: a compiled shader instead of a typed permutation.
//!
//! The permutation is the one variant that the shader's defaults, the material's chain and the typed switches choose. The
//! parameters that the family reads and that nobody typed come from the chain; a typed one wins. Every typed name must be one
//! that the shader declares. Textures of the chain are the game's own files, which we do not read: they are typed.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::material::bind::{Input, Parameter, describe};
use crate::material::registry::{Family, Permutations};
use crate::scene::file::KeyError;
use crate::scene::file::material::MaterialTable;
use crate::shaderbin::permutation::ChooseError;
use crate::shaderbin::value::Value;
use crate::shaderbin::{Chain, Shaderbin};
use crate::suggest;

/// Reads shaders, each file once: many materials share one.
#[derive(Default)]
pub struct Shaders {
    read: HashMap<PathBuf, Result<Arc<Shaderbin>, String>>,
    files: Vec<PathBuf>,
}

impl Shaders {
    /// Completes `input`, which was made of `table` of a file in `folder`; nothing without `shader`.
    ///
    /// # Errors
    /// A file is missing or damaged, not exactly one variant matches, a name or a value is wrong. Keys are the table's own.
    pub fn apply(
        &mut self,
        table: &MaterialTable,
        family: &'static Family,
        folder: &Path,
        input: &mut Input,
    ) -> Result<(), Vec<KeyError>> {
        let Some(shader) = &table.shader else { return without_shader(table).map_err(|error| vec![error]) };
        if !table.permutation.is_empty() {
            let message = "`shader` chooses the permutation: remove one of the two";
            return Err(vec![KeyError::new("permutation", message)]);
        }
        let shader = self.shader(&folder.join(shader)).map_err(|message| vec![KeyError::new("shader", message)])?;
        let chain = self.chain(table, folder).map_err(|message| vec![KeyError::new("materialbin", message)])?;
        input.permutation = Some(permutation(table, family, &shader, chain.as_ref()).map_err(|error| vec![error])?);
        let mut errors = undeclared(table, &shader);
        errors.extend(fill(family, &shader, chain.as_ref(), input));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Every file that was read, for the scene's hash.
    pub fn into_files(self) -> Vec<PathBuf> {
        self.files
    }

    fn shader(&mut self, path: &Path) -> Result<Arc<Shaderbin>, String> {
        if let Some(read) = self.read.get(path) {
            return read.clone();
        }
        let read = fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Shaderbin::read(&bytes).map_err(|error| error.to_string()))
            .map_or_else(|error| Err(format!("{}: {error}", path.display())), |shader| Ok(Arc::new(shader)));
        self.files.push(path.to_owned());
        self.read.insert(path.to_owned(), read.clone());
        read
    }

    fn chain(&mut self, table: &MaterialTable, folder: &Path) -> Result<Option<Chain>, String> {
        let Some(material) = &table.materialbin else { return Ok(None) };
        let chain = Chain::load(&folder.join(material))?;
        self.files.extend(chain.files().map(Path::to_owned));
        Ok(Some(chain))
    }
}

fn without_shader(table: &MaterialTable) -> Result<(), KeyError> {
    let stray = match (table.switches.is_empty(), &table.materialbin) {
        (false, _) => "switches",
        (true, Some(_)) => "materialbin",
        (true, None) => return Ok(()),
    };
    Err(KeyError::new(stray, "needs `shader`, the .shaderbin that it is about"))
}

fn permutation(
    table: &MaterialTable,
    family: &Family,
    shader: &Shaderbin,
    chain: Option<&Chain>,
) -> Result<String, KeyError> {
    let at = |name: &str| KeyError { path: vec!["switches".to_owned(), name.to_owned()], message: String::new() };
    let mut switches = Vec::with_capacity(table.switches.len());
    for (name, value) in &table.switches {
        let on = value.as_bool().or_else(|| value.as_u64().filter(|number| *number < 2).map(|number| number == 1));
        let message = || format!("expected 0, 1, false or true, found {value}");
        switches.push((name.clone(), on.ok_or_else(|| KeyError { message: message(), ..at(name) })?));
    }
    let choice = shader.choose(chain, &switches).map_err(|error| match error {
        ChooseError::Variants(error) => KeyError::new("shader", error.to_string()),
        ChooseError::Switch { name, message } => KeyError { message, ..at(&name) },
    })?;
    if let Some(problem) = choice.problem() {
        let key = match (table.switches.is_empty(), &table.materialbin) {
            (false, _) => "switches",
            (true, Some(_)) => "materialbin",
            (true, None) => "shader",
        };
        return Err(KeyError::new(key, problem));
    }
    // A family without permutations here draws every variant alike.
    Ok(match family.permutations {
        Permutations::None => String::new(),
        Permutations::Names(_) | Permutations::Tokens { .. } => choice.permutation.unwrap_or_default().to_owned(),
    })
}

/// Typed names that the shader does not declare.
fn undeclared(table: &MaterialTable, shader: &Shaderbin) -> Vec<KeyError> {
    let names = || shader.parameters.iter().flatten().map(|parameter| parameter.name.as_str());
    let typed = table.parameters.keys().map(|name| ("parameters", name));
    let typed = typed.chain(table.textures.keys().map(|name| ("textures", name)));
    let unknown = typed.filter(|(_, name)| shader.by_name(name).is_none());
    let fault = |(key, name): (&str, &String)| {
        let guess =
            suggest::near_miss(name, names()).map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        KeyError {
            path: vec![key.to_owned(), name.clone()],
            message: format!("the shader declares no \"{name}\"{guess}"),
        }
    };
    unknown.map(fault).collect()
}

/// Gives `input` the chain's values of the family's parameters that nobody typed.
fn fill(family: &'static Family, shader: &Shaderbin, chain: Option<&Chain>, input: &mut Input) -> Vec<KeyError> {
    let merged = shader.merged(chain.into_iter().flat_map(Chain::overrides));
    let mut errors = Vec::new();
    for parameter in describe(family).parameters {
        let record = shader.by_name(parameter.name).and_then(|declared| merged.get(&declared.key));
        let (Some(record), false) = (record, input.parameters.contains_key(parameter.name)) else { continue };
        match converted(&record.value, &parameter) {
            Some(value) => drop(input.parameters.insert(parameter.name.to_owned(), value)),
            None => {
                let (kind, value) = (record.value.kind_name(), &record.value);
                let message =
                    format!("the shader gives a {kind}, {value}; the family reads {}: type it", parameter.kind);
                errors.push(KeyError { path: vec!["parameters".into(), parameter.name.into()], message });
            }
        }
    }
    errors
}

/// A value as the family reads it: a vector is cut to the family's length, numbers and switches stand for each other.
fn converted(value: &Value, parameter: &Parameter) -> Option<Json> {
    let numbers: &[f32] = match value {
        Value::Vector(v) | Value::Colour(v) | Value::Swizzle(v) | Value::FunctionRange(v) | Value::Type12(v) => v,
        Value::Vector2 { value, .. } => value,
        _ => &[],
    };
    let vector = |length: usize| numbers.get(..length).map(|numbers| json!(numbers));
    let integer = match value {
        Value::Int(value) => Some(i64::from(*value)),
        Value::Bool(word) => Some(i64::from(*word)),
        _ => None,
    };
    match parameter.kind {
        "number" | "int" => match value {
            Value::Float(value) => Some(json!(value)),
            _ => integer.map(Json::from),
        },
        "bool" => match value {
            Value::Float(value) => Some(json!(*value != 0.0)),
            _ => integer.map(|integer| json!(integer != 0)),
        },
        "[2]" => vector(2),
        "[3]" | "int[3]" => vector(3),
        "[4]" => vector(4),
        _ => None,
    }
}
