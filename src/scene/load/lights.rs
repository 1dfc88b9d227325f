//! `[sun]`, `[sky]`, `[[lights]]`, punctual and emissive geometry → one [`Lights`].

use std::collections::HashMap;
use std::path::Path;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::assemble::Built;
use super::materials;
use crate::gbuffer::GBuffer;
use crate::geometry::Hit;
use crate::geometry::mesh::{Instance, mask};
use crate::geometry::surface::Surface;
use crate::light::{
    EmissiveInstance, EmissiveMesh, EmissiveTriangle, LightError, Lights, LightsDescription, Punctual, PunctualKind,
    Rectangle, SkyDescription, SkyKind, Sun,
};
use crate::material::{Context, Material, Point};
use crate::scene::error::Mistake;
use crate::scene::file::KeyError;
use crate::scene::file::light::{self, LightFile, LightKind};
use crate::scene::file::parse::Parsed;
use crate::scene::gltf::{self, LightDef};
use crate::scene::world::World;
use crate::scene::{Names, SceneMaterial};
use crate::texture::float;

/// Group of emissive surfaces, and of glTF's punctual lights.
const EMISSIVE: &str = "emissive";
const PUNCTUAL: &str = "lights";

/// Samples a mesh may spend on estimating its triangles' emission, and the bounds a triangle.
const ESTIMATE_BUDGET: usize = 1 << 16;
const ESTIMATE_SAMPLES: (usize, usize) = (4, 256);

/// Builds all lights; rectangles become geometry. `None` with a new mistake, and where there are mistakes already, once the sun
/// and the sky have been checked.
pub fn build(
    path: &Path,
    parsed: &Parsed,
    built: &mut Built,
    world: &World,
    mistakes: &mut Vec<Mistake>,
) -> Option<Lights> {
    let file = &parsed.scene;
    let mut description = LightsDescription::default();
    if let Some(sun) = &file.sun {
        description.sun = Some(Sun {
            direction: sun.direction.as_vec3(),
            irradiance: vec3(sun.irradiance),
            angular_diameter: sun.angular_diameter as f32,
            group: group(&mut built.names, &sun.group),
        });
    }
    if let Some(sky) = &file.sky {
        if let light::SkyKind::Image { file, .. } = &sky.kind {
            built.files.push(path.with_file_name("").join(file));
        }
        let kind = sky_kind(&path.with_file_name(""), &sky.kind)
            .map_err(|message| mistakes.push(fault(parsed, &["sky", "file"], message)))
            .ok()?;
        description.sky = Some(SkyDescription { kind, group: group(&mut built.names, &sky.group) });
    }
    if mistakes.is_empty() {
        for light in std::mem::take(&mut built.lights) {
            description.punctual.push(punctual(&light, built));
        }
        file.lights.iter().for_each(|light| add_light(light, built, &mut description));
        add_emitters(built, world, &mut description);
        if file.bare && description.punctual.is_empty() {
            add_default_sky(built, &mut description);
        }
    }
    // A sun with a mistake is not there: the sky would miss it.
    let sound = !mistakes.iter().any(|mistake| mistake.key.starts_with("sun"));
    match Lights::build(&description) {
        Ok(lights) => Some(lights),
        Err(error) if sound => {
            mistakes.push(fault(parsed, key_of(&error), error.to_string()));
            None
        }
        Err(_) => None,
    }
}

fn fault(parsed: &Parsed, key: &[&str], message: String) -> Mistake {
    parsed.locate(&KeyError { path: key.iter().map(|key| (*key).to_owned()).collect(), message })
}

/// The key of the scene file that a description's error is about.
fn key_of(error: &LightError) -> &'static [&'static str] {
    match error {
        LightError::HosekWithoutSun | LightError::HosekSunBelowHorizon(_) => &["sky", "kind"],
        LightError::ImageSize { .. } | LightError::ImageTexel { .. } => &["sky", "file"],
        _ => &[],
    }
}

/// What lights a bare glTF without lights of its own: an even grey sky, and a warm sun that gives shape.
fn add_default_sky(built: &mut Built, description: &mut LightsDescription) {
    let kind = SkyKind::Constant { radiance: Vec3::splat(0.35) };
    description.sky = Some(SkyDescription { kind, group: group(&mut built.names, "sky") });
    description.sun = Some(Sun {
        direction: Vec3::new(0.45, 0.75, 0.55).normalize(),
        irradiance: Vec3::new(2.4, 2.25, 2.0),
        angular_diameter: 0.53,
        group: group(&mut built.names, "sun"),
    });
}

fn group(names: &mut Names, name: &str) -> u16 {
    let known = names.light_groups.iter().position(|group| group == name);
    let index = known.unwrap_or_else(|| {
        names.light_groups.push(name.to_owned());
        names.light_groups.len() - 1
    });
    index as u16
}

fn sky_kind(folder: &Path, kind: &light::SkyKind) -> Result<SkyKind, String> {
    Ok(match kind {
        light::SkyKind::Constant { radiance } => SkyKind::Constant { radiance: vec3(*radiance) },
        light::SkyKind::Hosek { turbidity, ground_albedo, scale } => {
            SkyKind::Hosek { turbidity: *turbidity as f32, ground_albedo: vec3(*ground_albedo), scale: *scale as f32 }
        }
        light::SkyKind::Image { file, rotation, scale } => {
            let image = float::read(&folder.join(file)).map_err(|error| error.to_string())?;
            SkyKind::Image { image, rotation: *rotation as f32, scale: *scale as f32 }
        }
    })
}

fn add_light(light: &LightFile, built: &mut Built, description: &mut LightsDescription) {
    let index = group(&mut built.names, &light.group);
    let relative = |p: DVec3| (p - built.centre).as_vec3();
    let kind = match &light.kind {
        LightKind::Point { position, intensity } => {
            PunctualKind::Point { position: relative(*position), intensity: vec3(*intensity) }
        }
        LightKind::Spot { position, direction, intensity, inner, outer } => PunctualKind::Spot {
            position: relative(*position),
            direction: direction.as_vec3(),
            intensity: vec3(*intensity),
            inner: inner.to_radians() as f32,
            outer: outer.to_radians() as f32,
        },
        LightKind::Rectangle { center, u, v, radiance } => {
            let rectangle =
                Rectangle { center: relative(*center), u: u.as_vec3(), v: v.as_vec3(), radiance: vec3(*radiance) };
            add_rectangle(&rectangle, &light.name, index, built);
            return;
        }
    };
    description.punctual.push(Punctual { kind, group: index });
}

/// A rectangle light is geometry like any other, with a material of its own.
fn add_rectangle(rectangle: &Rectangle, name: &str, group: u16, built: &mut Built) {
    let name = if name.is_empty() { "rectangle light" } else { name };
    let mut material = materials::wrap(std::sync::Arc::new(Panel { radiance: rectangle.radiance }), false);
    material.group = group;
    material.authored = false;
    built.materials.push(material);
    built.names.materials.push(name.to_owned());
    built.meshes.push(rectangle.mesh());
    built.names.meshes.push(name.to_owned());
    built.names.objects.push(name.to_owned());
    built.names.object_of.push(built.names.objects.len() as u32 - 1);
    built.instances.push(Instance {
        mesh: built.meshes.len() as u32 - 1,
        material: built.materials.len() as u32 - 1,
        transform: glam::Affine3A::IDENTITY,
        variation: [0; 3],
        mask: mask::SOLID,
    });
}

/// The surface of a `[[lights]]` rectangle: black, with a constant radiance that no emission scale touches.
struct Panel {
    radiance: Vec3,
}

impl Material for Panel {
    fn evaluate(&self, point: &Point, _: &Context) -> GBuffer {
        GBuffer { emission: self.radiance, emission_seed: self.radiance, ..GBuffer::new(Vec3::ZERO, point.normal) }
    }

    fn may_emit(&self) -> bool {
        true
    }

    fn constant_emission(&self) -> Option<Vec3> {
        Some(self.radiance)
    }
}

fn punctual(light: &LightDef, built: &mut Built) -> Punctual {
    let position = (light.position() - built.centre).as_vec3();
    let (direction, intensity) = (light.direction().as_vec3(), vec3(light.intensity));
    let kind = match light.kind {
        gltf::LightKind::Directional => PunctualKind::Directional { direction, irradiance: intensity },
        gltf::LightKind::Point => PunctualKind::Point { position, intensity },
        gltf::LightKind::Spot { inner, outer } => {
            PunctualKind::Spot { position, direction, intensity, inner: inner as f32, outer: outer as f32 }
        }
    };
    Punctual { kind, group: group(&mut built.names, PUNCTUAL) }
}

/// Every instance whose material may emit, with estimates of its triangles' radiance.
fn add_emitters(built: &mut Built, world: &World, description: &mut LightsDescription) {
    let emissive: Vec<u32> = (0..built.instances.len() as u32)
        .filter(|index| built.materials[built.instances[*index as usize].material as usize].may_emit)
        .collect();
    if emissive.is_empty() {
        return;
    }
    let default_group = group(&mut built.names, EMISSIVE);
    let mut lit: HashMap<(u32, u32), u32> = HashMap::new();
    for index in emissive {
        let instance = built.instances[index as usize];
        let material = &mut built.materials[instance.material as usize];
        if material.group == materials::NO_GROUP {
            material.group = default_group;
        }
        let group = material.group;
        let double_sided = material.double_sided;
        let mesh = *lit.entry((instance.mesh, instance.material)).or_insert_with(|| {
            let mesh = description.emissive_meshes.len() as u32;
            description.emissive_meshes.push(EmissiveMesh { mesh, triangles: estimate(built, world, index) });
            mesh
        });
        let transform = instance.transform;
        description.emitters.push(EmissiveInstance { instance: index, mesh, transform, double_sided, group });
    }
}

/// Mean luminance that each triangle of an instance emits, by a few evaluations of its material. Never zero: another
/// instance, or a texel between the samples, may emit where this one was dark.
fn estimate(built: &Built, world: &World, index: u32) -> Vec<EmissiveTriangle> {
    let instance = &built.instances[index as usize];
    let mesh = &built.meshes[instance.mesh as usize];
    let material = &built.materials[instance.material as usize];
    let samples = (ESTIMATE_BUDGET / mesh.indices.len().max(1)).clamp(ESTIMATE_SAMPLES.0, ESTIMATE_SAMPLES.1);
    let mean = |primitive: u32| {
        let sum: f32 = (0..samples).map(|k| emitted(built, world, material, index, primitive, r2(k))).sum();
        sum / samples as f32
    };
    let radiances: Vec<f32> = (0..mesh.indices.len() as u32).into_par_iter().map(mean).collect();
    let brightest = radiances.iter().copied().fold(0.0f32, f32::max);
    let least = if brightest > 0.0 { brightest * 1e-3 } else { 1e-3 };
    let corners = |indices: &[u32; 3]| indices.map(|i| mesh.positions[i as usize]);
    let triangles = mesh.indices.iter().zip(&radiances).enumerate();
    triangles
        .map(|(primitive, (indices, radiance))| EmissiveTriangle {
            primitive: primitive as u32,
            p: corners(indices),
            radiance: radiance.max(least),
        })
        .collect()
}

/// A point of the R2 sequence folded into the triangle (Roberts 2018, "The Unreasonable Effectiveness of Quasirandom
/// Sequences").
fn r2(k: usize) -> [f32; 2] {
    let fract = |step: f64| ((k as f64 + 0.5) * step).fract() as f32;
    let (u, v) = (fract(0.754_877_666_246_693), fract(0.569_840_290_998_053));
    if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] }
}

fn emitted(
    built: &Built,
    world: &World,
    material: &SceneMaterial,
    instance: u32,
    primitive: u32,
    [u, v]: [f32; 2],
) -> f32 {
    let hit = Hit { t: 0.0, u, v, instance, primitive };
    let surface = Surface::on_triangle(&built.meshes, &built.instances, &hit);
    let point = surface.point(&built.instances[instance as usize], built.centre);
    let emission = material.material.evaluate(&point, &Context::new(world)).emission.max(Vec3::ZERO);
    let luminance = crate::light::luminance(emission * material.emission_scale(world));
    if luminance.is_finite() { luminance } else { 0.0 }
}

fn vec3(v: [f64; 3]) -> Vec3 {
    DVec3::from_array(v).as_vec3()
}
