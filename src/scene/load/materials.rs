//! `[materials.*]` → bound families; glTF materials → their own model.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::assemble::Assembly;
use crate::material::bind::{self, TextureSource};
use crate::material::gltf::GltfMaterial;
use crate::material::{Class, Material, registry};
use crate::scene::SceneMaterial;
use crate::scene::gltf::MaterialDef;
use crate::texture::{Sampler, Store, Texture};

impl Assembly<'_> {
    /// Binds every `[materials.*]`, whether something uses it or not: a typo must not wait for its first use.
    pub fn bind_materials(&mut self) {
        let parsed = self.parsed;
        for (name, typed) in &parsed.scene.materials {
            let at = |key: &str| {
                let keys = key.split('.').map(str::to_owned);
                ["materials".to_owned(), name.clone()].into_iter().chain(keys).collect::<Vec<_>>()
            };
            let Some(family) = &typed.family else { continue };
            let family = match registry::find(family) {
                Ok(family) => family,
                Err(message) => {
                    self.mistake(at("family"), message);
                    continue;
                }
            };
            let mut source = NamedTextures { store: &mut self.store, parsed, directory: parsed.directory("materials", name) };
            match bind::bind(family, &typed.input(), &mut source) {
                Ok(material) => {
                    let index = self.add_material(name, wrap(material.into(), typed.double_sided));
                    self.by_name.insert(name.clone(), index);
                }
                Err(faults) => {
                    for fault in faults {
                        self.mistake(at(&fault.key), fault.message);
                    }
                }
            }
        }
    }
}

/// Texture entries of one material: a name of `[textures.*]`, a path, or a table with `file`.
struct NamedTextures<'a> {
    store: &'a mut Store,
    parsed: &'a crate::scene::file::parse::Parsed,
    directory: PathBuf,
}

impl TextureSource for NamedTextures<'_> {
    fn open(&mut self, entry: &Value) -> Result<(Arc<Texture>, Sampler), String> {
        let named = entry.as_str().and_then(|name| Some((name, self.parsed.scene.textures.named.get(name)?)));
        match named {
            Some((name, entry)) => self.store.open_in(&self.parsed.directory("textures", name), entry),
            None => self.store.open_in(&self.directory, entry),
        }
    }
}

/// A glTF material's own model.
pub fn of_gltf(definition: &MaterialDef) -> SceneMaterial {
    wrap(Arc::new(definition.material.clone()), definition.double_sided)
}

/// The model of primitives without a material.
pub fn gltf_default() -> SceneMaterial {
    wrap(Arc::new(GltfMaterial::default()), false)
}

/// A material with what the transport asks of it.
pub fn wrap(material: Arc<dyn Material>, double_sided: bool) -> SceneMaterial {
    SceneMaterial {
        class: material.class(),
        may_discard: material.may_discard(),
        may_emit: material.may_emit(),
        stochastic: material.stochastic_coverage(),
        dithered: material.dithered(),
        double_sided,
        group: 0,
        material,
    }
}

impl SceneMaterial {
    /// Every point of it is there and stops light.
    pub fn solid(&self) -> bool {
        self.class == Class::Opaque && !self.may_discard && !self.stochastic
    }
}
