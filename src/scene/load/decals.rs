//! `[[projected_decals]]` → boxes; which classes of materials may stand where.

use super::assemble::Assembly;
use crate::decal::DecalBox;
use crate::material::Class;
use crate::scene::file::geometry::GeometryKind;
use crate::scene::placements::{self, GameRecord};
use crate::suggest;

/// Boxes of one `[[projected_decals]]`, not yet relative to the scene's centre.
pub(super) struct Projection {
    material: usize,
    records: Vec<GameRecord>,
}

impl Projection {
    /// The boxes relative to `centre`, and how many had no volume and are left out.
    pub(super) fn boxes(&self, centre: glam::DVec3) -> (Vec<DecalBox>, usize) {
        let made = self.records.iter().filter_map(|record| DecalBox::new(record, self.material as u32, centre));
        let made: Vec<DecalBox> = made.collect();
        let left_out = self.records.len() - made.len();
        (made, left_out)
    }
}

impl Assembly<'_> {
    /// Loads every `[[projected_decals]]`.
    pub fn add_projected_decals(&mut self) {
        for (index, projected) in self.parsed.scene.projected_decals.iter().enumerate() {
            let at = |key: &str| vec!["projected_decals".to_owned(), index.to_string(), key.to_owned()];
            let material = self.projecting_material(&projected.material, at("material"));
            let file = self.path.with_file_name("").join(&projected.placements);
            self.files.push(file.clone());
            match (placements::read_boxes(&file), material) {
                (Ok(records), Some(material)) => self.projections.push(Projection { material, records }),
                (Ok(_), None) => {}
                (Err(error), _) => self.mistake(at("placements"), error.to_string()),
            }
        }
    }

    fn projecting_material(&mut self, name: &str, at: Vec<String>) -> Option<usize> {
        let known = self.by_name.get(name).copied();
        let message = match known {
            Some(index) if self.materials[index].class == Class::ProjectedDecal => return Some(index),
            Some(_) => format!(
                "material \"{name}\" does not project; allowed: materials of family \"environmentdeferreddecal\" whose \
                 permutation has the token \"Projected\""
            ),
            // A material that failed to bind has been reported already.
            None if self.parsed.scene.materials.contains_key(name) => return None,
            None => suggest::unknown("material", name, self.parsed.scene.materials.keys().map(String::as_str)),
        };
        self.mistake(at, message);
        None
    }

    /// The class that `kind` makes of a material, or why it cannot.
    pub(super) fn class_of_kind(&self, index: usize, kind: Option<GeometryKind>) -> Result<Class, String> {
        let class = self.materials[index].class;
        let name = &self.names.materials[index];
        match (kind, class) {
            (_, Class::ProjectedDecal) => Err(format!(
                "material \"{name}\" projects: it has no surface of its own; list its boxes in [[projected_decals]] and leave \
                 its mesh out"
            )),
            (None, class) | (Some(GeometryKind::Surface), class @ Class::Glass) => Ok(class),
            (Some(_), Class::Glass) => Err(format!("material \"{name}\" is glass, which cannot be a decal")),
            (Some(GeometryKind::Surface), _) => Ok(Class::Opaque),
            (Some(GeometryKind::RoadDecal), _) => Ok(Class::RoadDecal),
            (Some(GeometryKind::MeshDecal), _) => Ok(Class::MeshDecal),
        }
    }
}
