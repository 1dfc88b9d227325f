//! `[materials.*]` → bound families; glTF materials → their own model.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::assemble::{Assembly, Loaded};
use super::shader::Shaders;
use crate::gbuffer::GBuffer;
use crate::geometry::mesh::mask;
use crate::material::bind::{self, Fault, Input, TextureInput};
use crate::material::gltf::GltfMaterial;
use crate::material::registry::{self, Family};
use crate::material::{Class, Context, Material, Point};
use crate::scene::SceneMaterial;
use crate::scene::error::Mistake;
use crate::scene::file::KeyError;
use crate::scene::file::material::MaterialTable;
use crate::scene::file::parse::Parsed;
use crate::scene::gltf::{ImageSource, Images, MaterialDef};
use crate::scene::world::DecalComposite;
use crate::suggest;
use crate::texture::{Store, Texture, Transfer};

impl Assembly<'_> {
    /// Binds every `[materials.*]`, whether something uses it or not: a typo must not wait for its first use.
    pub fn bind_materials(&mut self) {
        let parsed = self.parsed;
        let mut shaders = Shaders::default();
        for (name, table) in &parsed.scene.materials {
            let bound = bind_table(parsed, name, table, &mut shaders, |family, input| {
                bind::bind(family, input, &mut self.store)
            });
            match bound {
                Ok((family, _, material)) => {
                    let material = wrap(material.into(), table.double_sided);
                    let index = self.add_material(name, SceneMaterial { family: Some(family), ..material });
                    self.by_name.insert(name.clone(), index);
                }
                Err(errors) => self.mistakes.extend(errors.iter().map(|error| parsed.locate(error))),
            }
        }
        self.files.extend(shaders.into_files());
    }

    /// Binds glTF's own model of a material (`None`: the specification's default material).
    pub(super) fn bind_gltf(&mut self, loaded: &Loaded, material: Option<usize>) -> usize {
        let default = MaterialDef::default();
        let definition = material.map_or(&default, |index| &loaded.document.materials[index]);
        let mut images = Images::new(&loaded.document.images, &mut self.store);
        let bound = GltfMaterial::bind(definition, &mut images);
        let name = if material.is_some() { definition.name.as_str() } else { "default" };
        match bound {
            Ok(bound) => self.add_material(name, wrap(Arc::new(bound), definition.double_sided)),
            Err(faults) => {
                self.mistakes.extend(faults.into_iter().map(|fault| Mistake {
                    file: loaded.path.clone(),
                    line: None,
                    key: format!("material \"{name}\": {}", fault.key),
                    message: fault.message,
                }));
                // The load fails, but goes on to find what else is wrong.
                self.add_material(name, wrap(Arc::new(Black), false))
            }
        }
    }
}

/// Stands in for a material that could not be bound.
struct Black;

impl Material for Black {
    fn evaluate(&self, point: &Point, _: &Context) -> GBuffer {
        GBuffer::new(Vec3::ZERO, point.normal)
    }
}

/// Binds `[materials.NAME]` with `bind`; the family and the input too. Texture entries that name one of `[textures.*]` are
/// replaced by it, files get their folders, a compiled shader chooses the permutation and fills in what is not typed.
///
/// # Errors
/// All that is wrong with the table, together. Key paths are the scene's.
pub fn bind_table<T>(
    parsed: &Parsed,
    name: &str,
    table: &MaterialTable,
    shaders: &mut Shaders,
    bind: impl FnOnce(&'static Family, &Input) -> Result<T, Vec<Fault>>,
) -> Result<(&'static Family, Input, T), Vec<KeyError>> {
    let (mut input, mut errors) = textures_of(parsed, name, table);
    let family = registry::find(&table.family).map_err(|message| KeyError::new("family", message));
    let family = family.map_err(|error| vec![error]).and_then(|family| {
        shaders.apply(table, family, &parsed.directory("materials", name), &mut input)?;
        Ok(family)
    });
    let bound = family.and_then(|family| Ok((family, bind(family, &input).map_err(key_errors)?)));
    match bound {
        Ok((family, bound)) if errors.is_empty() => return Ok((family, input, bound)),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    Err(errors.into_iter().map(|error| error.within(&["materials", name])).collect())
}

/// A family's faults as mistakes of the table: their key is one of `permutation`, `parameters.NAME` and `textures.NAME`,
/// and a name may have dots.
fn key_errors(faults: Vec<Fault>) -> Vec<KeyError> {
    let error = |Fault { key, message }: Fault| {
        let path = match key.split_once('.') {
            Some((table, name)) => vec![table.to_owned(), name.to_owned()],
            None => vec![key],
        };
        KeyError { path, message }
    };
    faults.into_iter().map(error).collect()
}

/// The table as its family reads it, and what is wrong with its textures.
fn textures_of(parsed: &Parsed, name: &str, table: &MaterialTable) -> (Input, Vec<KeyError>) {
    let named = &parsed.scene.textures.named;
    let (shared, own): (BTreeMap<_, _>, BTreeMap<_, _>) = table
        .textures
        .clone()
        .into_iter()
        .partition(|(_, entry)| entry.as_str().is_some_and(|name| named.contains_key(name)));
    let folder = parsed.directory("materials", name);
    let misspelt = own.iter().filter_map(|(slot, entry)| {
        let message = misspelt(entry.as_str()?, named.keys().map(String::as_str), &folder)?;
        Some((slot.clone(), message))
    });
    let misspelt: Vec<(String, String)> = misspelt.collect();
    let (mut input, mut errors) = MaterialTable { textures: own, ..table.clone() }.to_input(&folder);
    for (slot, message) in misspelt {
        errors.push(KeyError::new(&slot, message).within(&["textures"]));
        input.textures.insert(slot, TextureInput::Constant(Vec4::ZERO));
    }
    for (slot, entry) in shared {
        let Some(texture) = entry.as_str() else { continue };
        let textures = BTreeMap::from([(slot, named[texture].clone())]);
        let alone = MaterialTable { textures, ..MaterialTable::default() };
        let (alone, faults) = alone.to_input(&parsed.directory("textures", texture));
        input.textures.extend(alone.textures);
        errors.extend(faults);
    }
    (input, errors)
}

/// What to say of an entry that is none of `[textures]`, but looks like one of them, and is no file.
fn misspelt<'a>(entry: &str, named: impl Iterator<Item = &'a str> + Clone, folder: &Path) -> Option<String> {
    let looks_like_a_name =
        Path::new(entry).extension().is_none() && suggest::near_miss(entry, named.clone()).is_some();
    (looks_like_a_name && !folder.join(entry).exists()).then(|| suggest::unknown("texture of [textures]", entry, named))
}

impl ImageSource for Store {
    fn file(&mut self, path: &Path, transfer: Transfer) -> Result<Arc<Texture>, String> {
        self.load_file(path, Some(transfer)).map_err(|error| error.to_string())
    }

    fn bytes(&mut self, name: &str, data: &[u8], transfer: Transfer) -> Result<Arc<Texture>, String> {
        self.load_bytes(name, data, Some(transfer)).map_err(|error| error.to_string())
    }
}

/// The light group of what does not emit.
pub const NO_GROUP: u16 = u16::MAX;

/// A material of no family with what the transport asks of it.
pub fn wrap(material: Arc<dyn Material>, double_sided: bool) -> SceneMaterial {
    SceneMaterial {
        family: None,
        class: material.class(),
        may_discard: material.may_discard(),
        may_emit: material.may_emit(),
        constant_emission: material
            .constant_emission()
            .filter(|_| !material.may_discard() && !material.stochastic_coverage()),
        stochastic: material.stochastic_coverage(),
        dithered: material.dithered(),
        double_sided,
        authored: true,
        receives: material.class() != Class::Glass && material.receives_decals(),
        group: NO_GROUP,
        material,
    }
}

impl SceneMaterial {
    /// Every point of it is there and stops light.
    pub fn solid(&self) -> bool {
        self.class == Class::Opaque && !self.may_discard && !self.stochastic
    }

    /// By which rays an instance of this material is met. Mesh decals that shall have no effect are met by none.
    pub fn mask(&self, composite: DecalComposite) -> u8 {
        match self.class {
            Class::MeshDecal if composite == DecalComposite::None => 0,
            Class::RoadDecal | Class::MeshDecal => mask::DECAL,
            _ if self.solid() => mask::SOLID,
            _ => mask::FILTERED,
        }
    }
}
