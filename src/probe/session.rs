//! Materials bound once, then evaluated line by line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use glam::Vec4;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::{Answer, PointRecord, ProbeScene, answer};
use crate::material::Material;
use crate::material::bind::{Fault, Input, TextureInput, TextureSource, bind};
use crate::material::registry::Family;
use crate::scene::file::parse::Parsed;
use crate::scene::file::{KeyError, Table, typed};
use crate::scene::world::World;
use crate::suggest;

/// The materials of a scene, ready for points.
pub struct Session<'s> {
    world: World,
    materials: BTreeMap<String, Entry>,
    parsed: Arc<Parsed>,
    source: &'s mut dyn TextureSource,
}

struct Entry {
    family: &'static Family,
    input: Input,
    /// The material as the scene has it; bound at its first point without overrides of its own, since only then do its
    /// texture files matter.
    bound: Option<Box<dyn Material>>,
}

/// Why a line has no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The line's material, as far as it can be read.
    pub material: Option<String>,
    /// Names the key.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl<'s> Session<'s> {
    /// A session over a checked scene; `source` opens the texture files that points do not override.
    pub fn new(scene: ProbeScene, source: &'s mut dyn TextureSource) -> Self {
        let entry = |(name, (family, input))| (name, Entry { family, input, bound: None });
        let materials = scene.materials.into_iter().map(entry).collect();
        Self { world: scene.world, materials, parsed: scene.parsed, source }
    }

    /// The answer to one line of a points file.
    pub fn line(&mut self, line: &[u8]) -> Result<Answer, Failure> {
        let Table(record) = serde_json::from_slice(line).map_err(|_| unreadable(line))?;
        self.record(record)
    }

    /// The answer to a point.
    pub fn record(&mut self, mut record: PointRecord) -> Result<Answer, Failure> {
        let name = record.material.take();
        let fail = |message: String| Failure { material: name.clone(), message };
        let Some(material) = &name else { return Err(fail("key `material` is missing".to_owned())) };

        let mut world = self.world;
        record.world.apply(&mut world).map_err(|error| fail(error.within(&["world"]).to_string()))?;
        let point = record.point();
        let Some(entry) = self.materials.get_mut(material) else {
            let known = self.materials.keys().map(String::as_str);
            return Err(fail(format!("key `material`: {}", suggest::unknown("material", material, known))));
        };
        let result = match record.parameters.is_empty() && record.textures.is_empty() {
            true => entry.as_in_scene(self.source).map(|bound| answer(bound, &point, &world)),
            false => entry.with_overrides(record, self.source).map(|bound| answer(bound.as_ref(), &point, &world)),
        };
        match result {
            Ok(answer) => Ok(answer.named(material)),
            Err(faults) => Err(fail(self.describe(material, &faults))),
        }
    }

    fn describe(&self, material: &str, faults: &[Fault]) -> String {
        let each: Vec<String> = faults.iter().map(|fault| self.describe_one(material, fault)).collect();
        each.join("; ")
    }

    /// A texture file that cannot be opened is a mistake of the scene, not of the line whose point first needs it.
    fn describe_one(&self, material: &str, Fault { key, message }: &Fault) -> String {
        let input = self.materials.get(material).map(|entry| &entry.input);
        let texture = key.strip_prefix("textures.").filter(|name| {
            input.is_some_and(|input| matches!(input.textures.get(*name), Some(TextureInput::Entry(_))))
        });
        match texture {
            Some(name) => {
                let key = KeyError::new(name, message).within(&["materials", material, "textures"]);
                self.parsed.locate(&key).to_string()
            }
            None => format!("key `{key}`: {message}"),
        }
    }
}

impl Entry {
    fn as_in_scene(&mut self, source: &mut dyn TextureSource) -> Result<&dyn Material, Vec<Fault>> {
        let bound = match self.bound.take() {
            Some(bound) => bound,
            None => bind(self.family, &self.input, source)?,
        };
        Ok(&**self.bound.insert(bound))
    }

    /// Binds anew with the record's values in place of the scene's. The input is put back afterwards: copying it would
    /// cost more than the binding.
    fn with_overrides(
        &mut self,
        record: PointRecord,
        source: &mut dyn TextureSource,
    ) -> Result<Box<dyn Material>, Vec<Fault>> {
        let textures = record.textures.into_iter().map(|(name, v)| (name, TextureInput::Constant(Vec4::from(v.0))));
        let parameters = replace(&mut self.input.parameters, record.parameters);
        let textures = replace(&mut self.input.textures, textures);
        let bound = bind(self.family, &self.input, source);
        restore(&mut self.input.parameters, parameters);
        restore(&mut self.input.textures, textures);
        bound
    }
}

type Replaced<T> = Vec<(String, Option<T>)>;

fn replace<T>(map: &mut BTreeMap<String, T>, values: impl IntoIterator<Item = (String, T)>) -> Replaced<T> {
    values
        .into_iter()
        .map(|(name, value)| match map.get_mut(&name) {
            Some(slot) => (name, Some(std::mem::replace(slot, value))),
            None => {
                map.insert(name.clone(), value);
                (name, None)
            }
        })
        .collect()
}

fn restore<T>(map: &mut BTreeMap<String, T>, replaced: Replaced<T>) {
    for (name, value) in replaced {
        match (value, map.get_mut(&name)) {
            (Some(value), Some(slot)) => *slot = value,
            (Some(value), None) => drop(map.insert(name, value)),
            (None, _) => drop(map.remove(&name)),
        }
    }
}

/// What is wrong with a line that is no point: read again, slowly, with the path of the key.
fn unreadable(line: &[u8]) -> Failure {
    let mut material = None;
    // Its result is an error where the line is not JSON; by then the name may have been read.
    let _ = MaterialName(&mut material).deserialize(&mut serde_json::Deserializer::from_slice(line));
    Failure { material, message: wrong(line) }
}

fn wrong(line: &[u8]) -> String {
    // Of text, serde takes some wrong types for wrong syntax; of values, it does not see a key that is given twice.
    let of_text = typed::<Table<PointRecord>, _>(&mut serde_json::Deserializer::from_slice(line));
    let of_values =
        serde_json::from_slice::<Value>(line).ok().and_then(|value| typed::<Table<PointRecord>, _>(value).err());
    match (std::str::from_utf8(line), of_values, of_text) {
        (Err(_), ..) => "the line is not UTF-8".to_owned(),
        (_, Some(error), _) | (_, None, Err(error)) => error.to_string(),
        (_, None, Ok(_)) => "expected one JSON object and nothing after it".to_owned(),
    }
}

/// Reads the `material` of an object that may be broken further on.
struct MaterialName<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for MaterialName<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MaterialName<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "material" => *self.0 = map.next_value::<Value>()?.as_str().map(str::to_owned),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::material::bind::NoTextures;
    use crate::material::registry;
    use crate::scene::file::SceneFile;

    const LINE: &str = r#"{"material": "m", "uv0": [0.5, -1e3], "front_facing": false, "world": {"dither": true},
        "parameters": {"Hue": 0.25, "UVRow0": [1, 2, 3]}, "textures": {"diffuse": [0, 0.5, 1, 0.25]}}"#;

    fn scene() -> ProbeScene {
        let family = registry::find("MAD_Tex1").expect("the family is registered");
        let materials = [("m".to_owned(), (family, Input::default()))].into();
        let parsed = Arc::new(Parsed::synthetic(Path::new("scene.toml"), SceneFile::default()));
        ProbeScene { world: World::default(), materials, default_colour_space: None, parsed, warnings: Vec::new() }
    }

    #[test]
    fn overrides_are_taken_back_after_success_and_after_failure() {
        let mut source = NoTextures;
        let mut session = Session::new(scene(), &mut source);
        let plain = session.line(br#"{"material": "m"}"#).unwrap();
        assert_ne!(session.line(LINE.as_bytes()).unwrap().uv, plain.uv);
        for wrong in
            [r#""parameters": {"Hue": 0.5, "Hu": 1}"#, r#""textures": {"mask": [1, 1, 1, 1], "x": [1, 1, 1, 1]}"#]
        {
            let line = format!("{{\"material\": \"m\", {wrong}}}");
            session.line(line.as_bytes()).unwrap_err();
        }
        assert_eq!(session.line(br#"{"material": "m"}"#).unwrap(), plain);
    }

    #[test]
    fn the_material_is_named_even_where_the_line_breaks_later() {
        let failure = |line: &str| unreadable(line.as_bytes());
        assert_eq!(failure(r#"{"material": "m", "uv0": [NaN, 0]}"#).material.as_deref(), Some("m"));
        assert_eq!(failure(r#"{"uv0": [NaN, 0], "material": "m"}"#).material, None);
        assert_eq!(failure(r#"{"material": 3}"#).material, None);
    }

    #[test]
    fn a_wrong_type_is_not_called_wrong_syntax() {
        let says = |json: &str| wrong(json.as_bytes());
        assert!(says(r#"{"world": {"decal_composite": 3}}"#).ends_with("expected text, found 3"));
        assert!(says(r#"{"world": {"decal_composite": "al"}}"#).contains("did you mean \"albedo\"?"));
        assert!(says(r#"{"uv0": [NaN, 0]}"#).contains("a finite number (not NaN"));
        assert!(says(r#"{"uv0": [0, 0], "uv0": [0, 0]}"#).contains("the key \"uv0\" is given twice"));
        assert!(says("{} {}").contains("nothing after it"));
    }

    proptest! {
        #[test]
        fn no_line_panics(cut in 0..LINE.len(), at in 0..LINE.len(), bytes in prop::collection::vec(any::<u8>(), 0..4)) {
            let mut source = NoTextures;
            let mut session = Session::new(scene(), &mut source);
            let mut line = LINE.as_bytes().to_vec();
            line.splice(at..(at + bytes.len()).min(line.len()), bytes);
            let _ = session.line(&line);
            let _ = session.line(&line[..cut]);
        }
    }
}
