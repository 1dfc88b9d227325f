//! Files → meshes, placements and materials in one list each.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::decals::Projection;
use crate::decal::DecalBox;
use crate::geometry::mesh::{Instance, Mesh};
use crate::material::Class;
use crate::scene::error::Mistake;
use crate::scene::file::KeyError;
use crate::scene::file::geometry::{Area, GeometryKind};
use crate::scene::file::parse::Parsed;
use crate::scene::file::reader::joined;
use crate::scene::gltf::{self, CameraDef, Document, LightDef};
use crate::scene::placements::{self, Placed};
use crate::scene::{Names, SceneMaterial};
use crate::texture::Store;

/// Collects what the scene's files hold, and every mistake on the way.
pub struct Assembly<'a> {
    pub path: &'a Path,
    pub parsed: &'a Parsed,
    pub store: Store,
    pub mistakes: Vec<Mistake>,
    pub materials: Vec<SceneMaterial>,
    pub names: Names,
    /// Scene material by name.
    pub by_name: BTreeMap<String, usize>,
    meshes: Vec<Mesh>,
    mesh_bounds: Vec<(DVec3, DVec3)>,
    placed: Vec<Standing>,
    documents: HashMap<PathBuf, Option<Arc<Loaded>>>,
    /// (material, class) → material whose class is overridden.
    reclassified: HashMap<(usize, Class), usize>,
    /// (glTF file, its material) → scene material, for glTF's own model: bound when first used.
    own: HashMap<(PathBuf, Option<usize>), usize>,
    lights: Vec<LightDef>,
    cameras: Vec<CameraDef>,
    warnings: Vec<String>,
    /// Files that the picture depends on, for its hash.
    pub(super) files: Vec<PathBuf>,
    pub(super) projections: Vec<Projection>,
}

/// A glTF file, its meshes already among the scene's.
pub(super) struct Loaded {
    pub path: PathBuf,
    pub document: Document,
    first_mesh: usize,
}

/// A mesh placed in the world, f64.
struct Standing {
    mesh: usize,
    material: usize,
    object: u32,
    transform: DAffine3,
    variation: [u8; 3],
}

/// What the files gave, ready for lights and acceleration.
pub struct Built {
    pub centre: DVec3,
    /// Absolute, scene frame.
    pub bounds: (DVec3, DVec3),
    pub meshes: Vec<Mesh>,
    pub instances: Vec<Instance>,
    pub materials: Vec<SceneMaterial>,
    pub names: Names,
    pub lights: Vec<LightDef>,
    pub cameras: Vec<CameraDef>,
    pub texture_bytes: usize,
    pub warnings: Vec<String>,
    pub files: Vec<PathBuf>,
    /// Projected decals, in scene order.
    pub boxes: Vec<DecalBox>,
}

impl<'a> Assembly<'a> {
    /// Nothing loaded yet.
    pub fn new(path: &'a Path, parsed: &'a Parsed) -> Self {
        // Entries come with their folders resolved: the store adds none.
        let store = Store::new("", parsed.scene.textures.default_colour_space);
        Self {
            path,
            parsed,
            store,
            mistakes: parsed.mistakes.clone(),
            materials: Vec::new(),
            names: Names::default(),
            by_name: BTreeMap::new(),
            meshes: Vec::new(),
            mesh_bounds: Vec::new(),
            placed: Vec::new(),
            documents: HashMap::new(),
            reclassified: HashMap::new(),
            own: HashMap::new(),
            lights: Vec::new(),
            cameras: Vec::new(),
            warnings: Vec::new(),
            files: Vec::new(),
            projections: Vec::new(),
        }
    }

    /// Loads every `[[geometry]]`.
    pub fn add_geometry(&mut self) {
        for (index, geometry) in self.parsed.scene.geometry.iter().enumerate() {
            let at = |key: &str| vec!["geometry".to_owned(), index.to_string(), key.to_owned()];
            self.check_bindings(&geometry.materials, &at("materials"));
            let Some(loaded) = self.document(&geometry.file, at("file")) else { continue };
            self.check_material_names(&loaded, &geometry.materials, &at("materials"));
            let kind_at = at("kind");
            let rules =
                Rules { materials: &geometry.materials, area: geometry.area, kind: geometry.kind, at: &kind_at };
            self.place(&loaded, &geometry.transform, None, &rules, None);
            let place = |transform: DAffine3| geometry.transform * transform;
            let lights = loaded.document.lights.iter();
            self.lights.extend(lights.map(|light| LightDef { transform: place(light.transform), ..light.clone() }));
            for camera in &loaded.document.cameras {
                let name = self.unused_camera_name(&camera.name).into();
                self.cameras.push(CameraDef { name, transform: place(camera.transform), ..camera.clone() });
            }
        }
    }

    /// Loads every `[[instances]]`.
    pub fn add_instances(&mut self) {
        for (index, instances) in self.parsed.scene.instances.iter().enumerate() {
            let at = |key: &str| vec!["instances".to_owned(), index.to_string(), key.to_owned()];
            self.check_bindings(&instances.materials, &at("materials"));
            let Some(loaded) = self.document(&instances.prototype, at("prototype")) else { continue };
            self.check_material_names(&loaded, &instances.materials, &at("materials"));
            let file = self.path.with_file_name("").join(&instances.placements);
            self.files.push(file.clone());
            let placed = match placements::read(&file) {
                Ok(placed) => placed,
                Err(error) => {
                    self.mistake(at("placements"), error.to_string());
                    continue;
                }
            };
            let kind_at = at("kind");
            let rules =
                Rules { materials: &instances.materials, area: instances.area, kind: instances.kind, at: &kind_at };
            let name = Path::new(&instances.prototype).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let object = self.object(name.as_deref().unwrap_or("instances"));
            for placement in &placed {
                self.place(&loaded, &placement.transform, Some(placement), &rules, Some(object));
            }
        }
    }

    /// Notes a mistake in the scene file.
    pub fn mistake(&mut self, path: Vec<String>, message: String) {
        let mistake = self.parsed.locate(&KeyError { path, message });
        self.mistakes.push(mistake);
    }

    /// Everything recentred, and all that went wrong: with mistakes it serves to find more of them.
    pub fn finish(mut self) -> (Built, Vec<Mistake>) {
        let bounds = self.bounds();
        let centre = ((bounds.0 + bounds.1) * 0.5).round();
        let instances = self.placed.iter().map(|standing| self.instance(standing, centre)).collect();
        self.names.object_of = self.placed.iter().map(|standing| standing.object).collect();
        let mut warnings = self.warnings;
        warnings.extend(self.store.warnings().iter().cloned());
        let mut boxes = Vec::new();
        for projection in &self.projections {
            let (made, left_out) = projection.boxes(centre);
            boxes.extend(made);
            if left_out > 0 {
                warnings.push(format!("[[projected_decals]]: {left_out} boxes without volume are left out"));
            }
        }
        let built = Built {
            centre,
            bounds,
            meshes: self.meshes,
            instances,
            materials: self.materials,
            names: self.names,
            lights: self.lights,
            cameras: self.cameras,
            texture_bytes: self.store.bytes(),
            warnings,
            files: self.files.into_iter().chain(self.store.files()).collect(),
            boxes,
        };
        (built, self.mistakes)
    }

    /// Puts all of a document's placements under `parent`.
    fn place(
        &mut self,
        loaded: &Loaded,
        parent: &DAffine3,
        record: Option<&Placed>,
        rules: &Rules,
        object: Option<u32>,
    ) {
        for placement in &loaded.document.placements {
            let mesh = loaded.first_mesh + placement.mesh;
            let transform = *parent * placement.transform;
            if rules.area.is_some_and(|area| !touches(&area, self.mesh_bounds[mesh], &transform)) {
                continue;
            }
            let material = self.material_of(loaded, loaded.document.meshes[placement.mesh].material, rules);
            let object = object.unwrap_or_else(|| self.object(&placement.node_name));
            let variation = record.and_then(|record| record.variation).or(placement.variation).unwrap_or_default();
            let variation = variation.map(|x| (x * 255.0).round().clamp(0.0, 255.0) as u8);
            self.placed.push(Standing { mesh, material, object, transform, variation });
        }
    }

    /// The scene material that a glTF primitive gets: by the table, by an equal name, or its own model.
    fn material_of(&mut self, loaded: &Loaded, material: Option<usize>, rules: &Rules) -> usize {
        let name = material.map(|index| loaded.document.materials[index].name.as_str());
        let bound = name.and_then(|name| rules.materials.get(name).map(String::as_str).or(Some(name)));
        let bound = bound.and_then(|name| self.by_name.get(name).copied());
        let index = bound.unwrap_or_else(|| self.own_material(loaded, material));
        match self.class_of_kind(index, rules.kind) {
            Ok(class) => self.reclassify(index, class),
            Err(message) => {
                let mistake = self.parsed.locate(&KeyError { path: rules.at.to_vec(), message });
                if !self.mistakes.contains(&mistake) {
                    self.mistakes.push(mistake);
                }
                index
            }
        }
    }

    /// glTF's own model of a material, bound when first asked for.
    fn own_material(&mut self, loaded: &Loaded, material: Option<usize>) -> usize {
        let key = (loaded.path.clone(), material);
        if let Some(known) = self.own.get(&key) {
            return *known;
        }
        let index = self.bind_gltf(loaded, material);
        self.own.insert(key, index);
        index
    }

    /// The material, or a copy of it in another class.
    fn reclassify(&mut self, index: usize, class: Class) -> usize {
        if self.materials[index].class == class {
            return index;
        }
        if let Some(known) = self.reclassified.get(&(index, class)) {
            return *known;
        }
        let copy = SceneMaterial { class, ..self.materials[index].clone() };
        self.materials.push(copy);
        self.names.materials.push(self.names.materials[index].clone());
        self.reclassified.insert((index, class), self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// The glTF file, loaded once; `None` after a mistake (noted once).
    fn document(&mut self, file: &str, at: Vec<String>) -> Option<Arc<Loaded>> {
        let path = self.path.with_file_name("").join(file);
        if let Some(known) = self.documents.get(&path) {
            return known.clone();
        }
        self.files.push(path.clone());
        let loaded = match gltf::read(&path) {
            Ok(document) => Some(Arc::new(self.adopt(document, &path))),
            Err(error) => {
                self.mistake(at, error.to_string());
                None
            }
        };
        self.documents.insert(path, loaded.clone());
        loaded
    }

    /// Moves a document's meshes into the scene's list.
    fn adopt(&mut self, mut document: Document, path: &Path) -> Loaded {
        let first_mesh = self.meshes.len();
        for named in &mut document.meshes {
            let mesh = std::mem::take(&mut named.mesh);
            self.mesh_bounds.push(mesh_bounds(&mesh));
            self.meshes.push(mesh);
            self.names.meshes.push(named.name.to_string());
        }
        self.warnings.extend(document.warnings.iter().map(|warning| format!("{}: {warning}", path.display())));
        Loaded { path: path.to_owned(), document, first_mesh }
    }

    /// Appends a material under a name for the id AOVs.
    pub fn add_material(&mut self, name: &str, material: SceneMaterial) -> usize {
        self.materials.push(material);
        self.names.materials.push(name.to_owned());
        self.materials.len() - 1
    }

    fn object(&mut self, name: &str) -> u32 {
        let last = self.names.objects.last().is_some_and(|last| last == name);
        if !last {
            self.names.objects.push(name.to_owned());
        }
        self.names.objects.len() as u32 - 1
    }

    fn unused_camera_name(&self, name: &str) -> String {
        let taken = |name: &str| {
            let typed = self.parsed.scene.cameras.iter().any(|(other, _)| other == name);
            typed || self.cameras.iter().any(|other| &*other.name == name)
        };
        let mut unused = name.to_owned();
        let mut count = 2;
        while taken(&unused) {
            unused = format!("{name}.{count}");
            count += 1;
        }
        unused
    }

    /// Every target of a `materials` table must be a scene material.
    fn check_bindings(&mut self, table: &BTreeMap<String, String>, at: &[String]) {
        for (from, to) in table {
            // One that failed to bind has been reported already.
            let known = &self.parsed.scene.materials;
            if !known.contains_key(to) {
                let message = crate::suggest::unknown("material", to, known.keys().map(String::as_str));
                self.mistake(joined(at, from), message);
            }
        }
    }

    /// Every source of a `materials` table must be a material of the file.
    fn check_material_names(&mut self, loaded: &Loaded, table: &BTreeMap<String, String>, at: &[String]) {
        for from in table.keys() {
            let names = loaded.document.materials.iter().map(|material| material.name.as_str());
            if !names.clone().any(|name| name == from) {
                let message = crate::suggest::unknown("glTF material", from, names);
                self.mistake(joined(at, from), message);
            }
        }
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let boxes =
            self.placed.iter().map(|standing| transformed(self.mesh_bounds[standing.mesh], &standing.transform));
        let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = boxes.fold(empty, |all, one| (all.0.min(one.0), all.1.max(one.1)));
        if low.x <= high.x { (low, high) } else { (DVec3::ZERO, DVec3::ZERO) }
    }

    fn instance(&self, standing: &Standing, centre: DVec3) -> Instance {
        let mut transform = standing.transform;
        transform.translation -= centre;
        Instance {
            mesh: standing.mesh as u32,
            material: standing.material as u32,
            transform: transform.as_affine3a(),
            variation: standing.variation,
            mask: self.materials[standing.material].mask(self.parsed.scene.world.decal_composite.unwrap_or_default()),
        }
    }
}

/// How the placements of one `[[geometry]]` or `[[instances]]` are bound and clipped.
struct Rules<'a> {
    materials: &'a BTreeMap<String, String>,
    area: Option<Area>,
    kind: Option<GeometryKind>,
    /// Path of the `kind` key.
    at: &'a [String],
}

fn mesh_bounds(mesh: &Mesh) -> (DVec3, DVec3) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    mesh.positions.iter().fold(empty, |all, p| (all.0.min(p.as_dvec3()), all.1.max(p.as_dvec3())))
}

/// The box around a transformed box.
fn transformed((low, high): (DVec3, DVec3), transform: &DAffine3) -> (DVec3, DVec3) {
    let corners = (0..8).map(|bits: u32| {
        let pick = |axis: usize| if bits >> axis & 1 == 0 { low[axis] } else { high[axis] };
        transform.transform_point3(DVec3::new(pick(0), pick(1), pick(2)))
    });
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    corners.fold(empty, |all, p| (all.0.min(p), all.1.max(p)))
}

fn touches(area: &Area, bounds: (DVec3, DVec3), transform: &DAffine3) -> bool {
    let (low, high) = transformed(bounds, transform);
    let (from, to) = (area.center - area.size * 0.5, area.center + area.size * 0.5);
    low.x <= to.x && high.x >= from.x && low.z <= to.y && high.z >= from.y
}
