//! What one path brings home: radiance split by bounce and lobe, by light group, and its first surface.

use glam::Vec3;

use super::passage::{Interaction, Origin, Passage};
use crate::film::sample::{FirstHit, Ids, PathSample};
use crate::gbuffer::GBuffer;
use crate::geometry::surface::{Surface, from_game};
use crate::geometry::{Hit, Ray};
use crate::scene::file::render::GlassGBuffer;
use crate::scene::{Scene, SceneMaterial};

/// The camera's part in an AOV: where it stands and looks.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub origin: glam::DVec3,
    /// The axis along which planar depth is measured, unit.
    pub forward: Vec3,
    pub glass_gbuffer: GlassGBuffer,
}

/// Collects one path's contributions. Reused from path to path; nothing is allocated after the first.
pub struct Record {
    pub sample: PathSample,
    pub first: Option<FirstHit>,
    /// Radiance by light group; empty where no group is asked for.
    pub groups: Vec<Vec3>,
    /// Rays traced for all paths so far.
    pub rays: u64,
    view: View,
    wants_first: bool,
    /// Throughput of the part that the first scattering reflected diffusely, and specularly. Before it, both are the
    /// transmittance of the glass passed.
    diffuse: Vec3,
    specular: Vec3,
    scattered: bool,
    /// A pane along the camera ray reflected the path.
    mirrored: bool,
}

impl Record {
    /// An empty record; `groups` is the number of light groups to keep apart (0: none).
    pub fn new(groups: usize, view: View, wants_first: bool) -> Self {
        Self {
            sample: PathSample::default(),
            first: None,
            groups: vec![Vec3::ZERO; groups],
            rays: 0,
            view,
            wants_first,
            diffuse: Vec3::ONE,
            specular: Vec3::ONE,
            scattered: false,
            mirrored: false,
        }
    }

    /// Ready for the next path.
    pub fn reset(&mut self) {
        self.sample = PathSample { glass_transmittance: Vec3::ONE, ..PathSample::default() };
        self.first = None;
        self.groups.fill(Vec3::ZERO);
        (self.diffuse, self.specular) = (Vec3::ONE, Vec3::ONE);
        (self.scattered, self.mirrored) = (false, false);
    }

    /// The factor of everything that the path may still bring.
    pub fn throughput(&self) -> Vec3 {
        if self.scattered { self.diffuse + self.specular } else { self.diffuse }
    }

    /// Multiplies the throughput.
    pub fn scale(&mut self, factor: Vec3) {
        self.diffuse *= factor;
        self.specular *= factor;
    }

    /// The path scatters with these lobe weights; the first scattering decides what is diffuse and what specular.
    pub fn scatter(&mut self, diffuse: Vec3, specular: Vec3) {
        if self.scattered {
            self.scale(diffuse + specular);
        } else {
            self.diffuse *= diffuse;
            self.specular *= specular;
            self.scattered = true;
        }
    }

    /// Radiance of a light that the path hit at the end of segment `segment`.
    pub fn add(&mut self, segment: u32, radiance: Vec3, group: u16) {
        if segment == 1 {
            let seen = self.diffuse * radiance;
            self.sample.emission += seen;
            self.add_group(group, seen);
        } else {
            self.add_split(segment, self.diffuse * radiance, self.specular * radiance, group);
        }
    }

    /// Light that next-event estimation brought to the current vertex, already times the BRDF's lobes.
    pub fn add_lit(&mut self, segment: u32, diffuse: Vec3, specular: Vec3, group: u16) {
        if self.scattered {
            let lit = diffuse + specular;
            self.add_split(segment, self.diffuse * lit, self.specular * lit, group);
        } else {
            self.add_split(segment, self.diffuse * diffuse, self.specular * specular, group);
        }
    }

    fn add_split(&mut self, segment: u32, diffuse: Vec3, specular: Vec3, group: u16) {
        let sample = &mut self.sample;
        let (d, s) = match segment {
            2 => (&mut sample.direct_diffuse, &mut sample.direct_specular),
            _ => (&mut sample.indirect_diffuse, &mut sample.indirect_specular),
        };
        *d += diffuse;
        *s += specular;
        if self.mirrored {
            sample.glass_reflection += diffuse + specular;
        }
        self.add_group(group, diffuse + specular);
    }

    fn add_group(&mut self, group: u16, radiance: Vec3) {
        if let Some(sum) = self.groups.get_mut(usize::from(group)) {
            *sum += radiance;
        }
    }

    /// The path met a surface: the first one is kept for the AOVs.
    pub fn meet(&mut self, passage: &Passage, at: &Interaction, segment: u32) {
        if segment > 1 {
            return;
        }
        self.sample.alpha = 1.0;
        let replaces = self.first.as_ref().is_some_and(|first| {
            first.gbuffer.glass.is_some() && self.view.glass_gbuffer == GlassGBuffer::Behind
        });
        if self.wants_first && (self.first.is_none() || replaces) {
            self.first = Some(first_hit(passage, at, &self.view));
        }
    }

    /// The path is reflected by glass: what comes of it is an AOV where the camera looks at the glass.
    pub fn reflect_at_glass(&mut self, segment: u32) {
        self.mirrored |= segment == 1;
    }

    /// The camera looks through glass: its transmittance is an AOV.
    pub fn at_glass(&mut self, segment: u32, transmittance: Vec3) {
        if segment == 1 {
            self.sample.glass_transmittance *= transmittance;
        }
    }
}

/// A surface as the AOVs show it.
pub fn first_hit(passage: &Passage, at: &Interaction, view: &View) -> FirstHit {
    let scene = passage.scene;
    let p = scene.centre + at.surface.p.as_dvec3();
    let ng = at.surface.ng_facing();
    let n = from_game(at.gbuffer.normal).normalize_or(ng);
    let instance = at.hit.instance;
    FirstHit {
        gbuffer: at.gbuffer,
        receiver: at.gbuffer,
        decal_weight: 0.0,
        n: if n.dot(ng) < 0.0 { -n } else { n },
        ng,
        p: p.as_vec3(),
        z: (p - view.origin).dot(view.forward.as_dvec3()) as f32,
        distance: at.hit.t,
        uv: at.surface.uv,
        tangent: at.surface.tangent,
        color: at.surface.color,
        ids: Ids {
            instance: instance + 1,
            object: scene.names.object_of[instance as usize] + 1,
            mesh: scene.instances[instance as usize].mesh + 1,
            material: at.surface.material + 1,
            primitive: at.hit.primitive + 1,
        },
    }
}

/// Radiance that a surface emits toward where it is seen from: from its front, from both sides when double-sided.
pub fn emitted(scene: &Scene, material: &SceneMaterial, surface: &Surface, gbuffer: &GBuffer) -> Vec3 {
    if !material.may_emit || !(surface.front || material.double_sided) {
        return Vec3::ZERO;
    }
    gbuffer.emission.max(Vec3::ZERO) * material.emission_scale(&scene.world)
}

/// A point on a light that next-event estimation chose.
pub struct Vertex {
    pub surface: Surface,
    hit: Hit,
    direction: Vec3,
}

impl Vertex {
    /// The point of an emissive triangle that `hit` names, seen along `direction`.
    pub fn on_light(passage: &Passage, hit: &Hit, direction: Vec3) -> Self {
        let mut surface = Surface::on_triangle(&passage.scene.meshes, &passage.scene.instances, hit);
        surface.front = surface.ng.dot(direction) <= 0.0;
        Self { surface, hit: *hit, direction }
    }

    /// What it sends back along the direction, holes included.
    pub fn radiance(&mut self, passage: &Passage) -> Vec3 {
        let material = &passage.scene.materials[self.surface.material as usize];
        let ray = Ray { origin: self.surface.p, direction: self.direction, t_min: 0.0, t_max: 0.0 };
        let point = passage.point(&ray, &self.hit, &self.surface, Origin::Bounce);
        let presence = passage.presence(material, &point, Origin::Bounce);
        if presence <= 0.0 {
            return Vec3::ZERO;
        }
        let gbuffer = material.material.evaluate(&point, &passage.context);
        emitted(passage.scene, material, &self.surface, &gbuffer) * presence
    }
}
