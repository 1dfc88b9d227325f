//! What a pixel's centre ray meets in the real scene, as points that the probe takes back (PROBE.md, `--pixel`).

use glam::{Mat3, Vec4};
use serde::{Serialize, Serializer};

use super::answer::once_or_list;
use super::{Answer, Number, PointRecord, observe};
use crate::geometry::mesh::mask;
use crate::geometry::surface::Surface;
use crate::integrator::passage::{Origin, Passage};
use crate::integrator::primary;
use crate::material::{Class, Material, Point, TextureSample};
use crate::scene::file::number::Finite;
use crate::scene::world::World;
use crate::scene::{Scene, SceneMaterial};

/// One surface on the ray: what the family read there, and what it wrote.
#[derive(Clone, Debug, Serialize)]
pub struct PixelSurface {
    /// The family of a `[materials.*]` entry; `None` for glTF's own model, whose points cannot be fed back.
    pub family: Option<&'static str>,
    /// Metres along the ray.
    pub distance: f32,
    /// Fed back, it gives `answer` again. A texture that was sampled once stands in it as a constant; one whose samples
    /// differ is left out, so that it is read from its file again at the same coordinates.
    pub point: PointRecord,
    pub textures: SampledTextures,
    pub answer: Answer,
    /// Inputs of this surface that change its answer and that a point has no key for; almost always empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_in_point: Vec<&'static str>,
}

/// Texture name → the values of its samples, RGBA, in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledTextures(pub Vec<(&'static str, Vec<[Number; 4]>)>);

/// The surfaces that the ray of camera `camera` through the centre of `pixel` meets, nearest first, up to the first that is
/// opaque there. Holes are among them, with `discard`; backs that `[render] cull` hides are not.
///
/// # Panics
/// Where there is no such camera.
pub fn along_pixel(scene: &Scene, camera: usize, pixel: [i32; 2]) -> Vec<PixelSurface> {
    let (ray, spread) = primary::centre_ray(scene, &scene.cameras[camera].camera, pixel);
    let mut passage = Passage::new(scene, pixel, scene.render.cull, 0);
    passage.spread = spread;
    let mut surfaces = Vec::new();
    let mut next = scene.accel.closest(&ray, mask::ALL);
    while let Some(hit) = next {
        let surface = Surface::at(&scene.meshes, &scene.instances, &ray, &hit);
        let material = &scene.materials[surface.material as usize];
        if surface.front || material.double_sided || !passage.cull {
            let point = passage.point(&ray, &hit, &surface, Origin::Camera);
            let name = &scene.names.materials[surface.material as usize];
            let found = PixelSurface::new(name, material, &point, &scene.world, hit.t);
            let ends = found.is_opaque(material);
            surfaces.push(found);
            if ends {
                break;
            }
        }
        next = scene.accel.closest_after(&ray, mask::ALL, &hit);
    }
    surfaces
}

impl PixelSurface {
    fn new(name: &str, bound: &SceneMaterial, point: &Point, world: &World, distance: f32) -> Self {
        let material = bound.material.as_ref();
        let (answer, samples) = observe(material, point, world);
        let textures = SampledTextures::new(&samples);
        let mut record = PointRecord::new(point);
        record.material = Some(name.to_owned());
        // The probe does not load cameras; whichever was looked through, this is its place.
        record.world.camera = Some(Finite(world.camera.to_array()));
        record.textures = textures.constants().map(|(name, value)| (name.to_owned(), Finite(value))).collect();
        let not_in_point = missing(material, point, world, &textures, &answer);
        Self {
            family: bound.family.map(|family| family.name),
            distance,
            point: record,
            textures,
            answer: answer.named(name),
            not_in_point,
        }
    }

    /// No light passes: what lies behind is not seen.
    fn is_opaque(&self, bound: &SceneMaterial) -> bool {
        bound.class == Class::Opaque && !self.answer.discard && (!bound.stochastic || self.answer.coverage.0 >= 1.0)
    }
}

/// Which inputs outside the record matter here, by leaving each out.
fn missing(
    material: &dyn Material,
    point: &Point,
    world: &World,
    textures: &SampledTextures,
    answer: &Answer,
) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let unrotated = Point { instance_axes: Mat3::IDENTITY, ..*point };
    if unrotated != *point && observe(material, &unrotated, world).0 != *answer {
        missing.push("instance_rotation");
    }
    // Constants stand for what the footprint chose; only textures that are read again lose it.
    let level0 = Point { mip_footprint: 0.0, ..*point };
    if level0 != *point {
        let again = SampledTextures::new(&observe(material, &level0, world).1);
        if textures.varying().ne(again.varying()) {
            missing.push("mip_footprint");
        }
    }
    missing
}

impl SampledTextures {
    fn new(samples: &[TextureSample]) -> Self {
        let mut textures = Self::default();
        for sample in samples {
            let value = sample.value.to_array().map(Number);
            match textures.0.iter_mut().find(|(name, _)| *name == sample.name) {
                Some((_, values)) => values.push(value),
                None => textures.0.push((sample.name, vec![value])),
            }
        }
        textures
    }

    /// The textures whose every sample was the same finite value, which a constant can stand for.
    fn constants(&self) -> impl Iterator<Item = (&'static str, [f32; 4])> {
        let alike = self.0.iter().filter(|(_, values)| is_constant(values));
        alike.map(|(name, values)| (*name, values[0].map(|number| number.0)))
    }

    /// The others.
    fn varying(&self) -> impl Iterator<Item = &(&'static str, Vec<[Number; 4]>)> {
        self.0.iter().filter(|(_, values)| !is_constant(values))
    }
}

fn is_constant(values: &[[Number; 4]]) -> bool {
    let finite = Vec4::from(values[0].map(|number| number.0)).is_finite();
    finite && values.iter().all(|value| *value == values[0])
}

impl Serialize for SampledTextures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        once_or_list(serializer, &self.0)
    }
}
