//! Scenes: what a user typed → an immutable, ready-to-trace [`Scene`].
//!
//! [`file`](mod@file) holds the scene file exactly as typed, [`load`] turns it into a [`Scene`]; every mistake in the input ends
//! there. After it nothing on the path of a ray can fail.

pub mod camera;
pub mod error;
pub mod file;
pub mod gltf;
pub mod load;
pub mod placements;
pub mod world;

use std::sync::Arc;

use glam::{DVec3, Vec3};

use crate::decal::Boxes;
use crate::geometry::accel::Accel;
use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::surface::to_game;
use crate::light::Lights;
use crate::material::registry::Family;
use crate::material::{Class, Material};
use camera::Camera;
use file::output::OutputFile;
use file::render::RenderFile;
use world::World;

/// Everything that rays meet, bound and built. Positions are relative to `centre`.
pub struct Scene {
    /// The origin of the traced coordinates, absolute scene frame, metres.
    pub centre: DVec3,
    pub meshes: Vec<Mesh>,
    pub instances: Vec<Instance>,
    pub accel: Accel,
    pub materials: Vec<SceneMaterial>,
    pub lights: Lights,
    /// Projected decals.
    pub boxes: Boxes,
    pub world: World,
    /// `[world] camera` is not typed: it is that of the camera which is rendered.
    pub world_follows_camera: bool,
    pub cameras: Vec<NamedCamera>,
    pub names: Names,
    pub traits: Traits,
    /// What was typed in `[render]` and `[output]`; the command line is laid over it.
    pub render: RenderFile,
    pub output: OutputFile,
    /// What a user should know but need not stop for.
    pub warnings: Vec<String>,
    /// Of everything that the picture depends on: texts and the bytes of referenced files.
    pub hash: u64,
    pub texture_bytes: usize,
}

/// A bound material with what the transport asks of it at every hit.
#[derive(Clone)]
pub struct SceneMaterial {
    pub material: Arc<dyn Material>,
    /// `None`: glTF's own model.
    pub family: Option<&'static Family>,
    pub class: Class,
    pub may_discard: bool,
    pub may_emit: bool,
    /// Its emission as written, where that is the same at every point and every point is there.
    pub constant_emission: Option<Vec3>,
    /// There with probability sat(coverage): glTF BLEND.
    pub stochastic: bool,
    /// Its discard is the documented screen dither.
    pub dithered: bool,
    pub double_sided: bool,
    /// `[world] emission_scale` applies: not to a light of the scene file, whose radiance is typed in W/(m² sr).
    pub authored: bool,
    /// Mesh decals and projected boxes edit its G-buffer.
    pub receives: bool,
    /// Light group of what it emits.
    pub group: u16,
}

impl SceneMaterial {
    /// Emission as the material writes it → radiance, W/(m² sr).
    pub fn emission_scale(&self, world: &World) -> f32 {
        if self.authored { world.emission_scale } else { 1.0 }
    }
}

/// A camera by its name; the first is the scene's own.
pub struct NamedCamera {
    pub name: String,
    pub camera: Camera,
}

/// Names behind the id AOVs; index 0 is id 1.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub objects: Vec<String>,
    pub meshes: Vec<String>,
    pub materials: Vec<String>,
    /// Instance → object.
    pub object_of: Vec<u32>,
    pub light_groups: Vec<String>,
}

/// What a scene has at all: branches that most scenes never need are skipped by it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traits {
    /// Some surface may have holes or be glass.
    pub filtered: bool,
    /// Some surface is a road or mesh decal.
    pub decals: bool,
    /// There are decals of any kind, boxes included.
    pub painted: bool,
    /// Some slot reads mips by the ray's footprint.
    pub footprint: bool,
}

impl Scene {
    /// Makes camera `index` the main camera of the picture to come: unless `[world] camera` is typed, the view dependent
    /// formulas take it as theirs, on every bounce. A still from a second camera with the first one's `V` would show
    /// highlights and fades of a picture that it is not.
    ///
    /// # Panics
    /// Where there is no such camera.
    pub fn look_through(&mut self, index: usize) {
        if self.world_follows_camera {
            self.world.camera = to_game(self.cameras[index].camera.position().as_vec3());
        }
    }

    /// A name for each instance: its object's, numbered where the object has several.
    pub fn instance_names(&self) -> Vec<String> {
        let mut count = vec![0u32; self.names.objects.len()];
        let mut number = |object: u32| {
            count[object as usize] += 1;
            let name = &self.names.objects[object as usize];
            let ordinal = count[object as usize];
            if ordinal == 1 { name.clone() } else { format!("{name}#{ordinal}") }
        };
        self.names.object_of.iter().map(|object| number(*object)).collect()
    }
}
