//! What one path brings home: radiance split by bounce and lobe, by light group, and its first surface.

use glam::Vec3;

use super::passage::{Interaction, Origin, Passage, glass_transmittance};
use crate::film::sample::{FirstHit, FirstSurface, Ids, PathSample};
use crate::gbuffer::GBuffer;
use crate::geometry::surface::{Spot, Surface, from_game};
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

/// What the film keeps of a path besides its radiance.
#[derive(Clone, Copy, Debug)]
pub struct Wants {
    /// The first surface.
    pub first: bool,
    pub glass_transmittance: bool,
}

/// Collects one path's contributions. Reused from path to path; nothing is allocated after the first.
pub struct Record {
    pub sample: PathSample,
    /// The first surface that the AOVs show, where `met`. Kept apart, so that it is written in place.
    first: FirstSurface,
    met: bool,
    /// Radiance by light group; empty where no group is asked for.
    pub groups: Vec<Vec3>,
    /// Rays traced for all paths so far.
    pub rays: u64,
    view: View,
    wants: Wants,
    /// The path was reflected by a pane that the camera looks at.
    reflected: bool,
    /// Throughput of the part that the first scattering reflected diffusely, and specularly. Before it, both are the
    /// transmittance of the glass passed.
    diffuse: Vec3,
    specular: Vec3,
    scattered: bool,
}

impl Record {
    /// An empty record; `groups` is the number of light groups to keep apart (0: none).
    pub fn new(groups: usize, view: View, wants: Wants) -> Self {
        Self {
            sample: PathSample::default(),
            first: FirstSurface::BLANK,
            met: false,
            groups: vec![Vec3::ZERO; groups],
            rays: 0,
            view,
            wants,
            reflected: false,
            diffuse: Vec3::ONE,
            specular: Vec3::ONE,
            scattered: false,
        }
    }

    /// Ready for the next path.
    pub fn reset(&mut self) {
        self.sample = PathSample { glass_transmittance: Vec3::ONE, ..PathSample::default() };
        self.met = false;
        self.groups.fill(Vec3::ZERO);
        (self.diffuse, self.specular) = (Vec3::ONE, Vec3::ONE);
        (self.scattered, self.reflected) = (false, false);
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
        if self.reflected {
            sample.glass_reflection += diffuse + specular;
        }
        self.add_group(group, diffuse + specular);
    }

    fn add_group(&mut self, group: u16, radiance: Vec3) {
        if let Some(sum) = self.groups.get_mut(usize::from(group)) {
            *sum += radiance;
        }
    }

    /// The path met a surface: the first one is kept for the AOVs, or the first that is not glass.
    pub fn meet(&mut self, passage: &Passage, ray: &Ray, at: &Interaction, segment: u32) {
        if segment > 1 {
            return;
        }
        self.sample.alpha = 1.0;
        if self.wants.first && !self.met && !self.view.looks_through(at) {
            self.show(passage, ray, at);
        }
    }

    #[inline(always)]
    fn show(&mut self, passage: &Passage, ray: &Ray, at: &Interaction) {
        write_surface(&mut self.first, passage, ray, at);
        self.met = true;
    }

    /// The first surface as the AOVs show it, if they are kept and there is one.
    pub fn first(&self) -> Option<&FirstSurface> {
        self.met.then_some(&self.first)
    }

    /// The path is at a pane, and is reflected by it or passes. Where the camera looks at the pane, what the AOVs show of
    /// it and of what is behind it must not depend on that choice: a path that is reflected looks behind it too.
    pub fn at_glass(&mut self, passage: &mut Passage, ray: &Ray, at: &Interaction, segment: u32, reflects: bool) {
        if segment > 1 {
            return;
        }
        self.sample.glass_transmittance *= glass_transmittance(&at.gbuffer);
        if !reflects {
            return;
        }
        self.reflected = true;
        let looks_behind = self.wants.first && self.view.looks_through(at);
        if self.wants.glass_transmittance || looks_behind {
            let (transmittance, behind) = passage.behind_glass(ray, &at.hit);
            self.sample.glass_transmittance *= transmittance;
            if let Some(behind) = behind.as_ref().filter(|_| looks_behind) {
                self.show(passage, ray, behind);
            }
        }
    }
}

impl View {
    /// Whether the AOVs show what is behind this surface instead.
    pub fn looks_through(&self, at: &Interaction) -> bool {
        at.gbuffer.glass.is_some() && self.glass_gbuffer == GlassGBuffer::Behind
    }
}

/// Writes down a surface on a camera ray as the filtered AOVs show it; the ids are those of what is seen.
#[inline(always)]
fn write_surface(surface: &mut FirstSurface, passage: &Passage, ray: &Ray, at: &Interaction) {
    let scene = passage.scene;
    let instance = at.hit.instance as usize;
    surface.gbuffer = at.gbuffer;
    surface.bare = (at.decal_weight > 0.0).then(|| passage.bare(ray, at));
    surface.decal_weight = at.decal_weight;
    surface.ids = Ids {
        instance: at.hit.instance + 1,
        object: scene.names.object_of[instance] + 1,
        mesh: scene.instances[instance].mesh + 1,
        material: scene.instances[instance].material + 1,
        primitive: at.hit.primitive + 1,
    };
}

/// A surface on a camera ray as the unfiltered AOVs show it: its place is that of what is seen.
pub fn first_hit(passage: &Passage, ray: &Ray, at: &Interaction, view: &View) -> FirstHit {
    let scene = passage.scene;
    let seen = at.seen(scene, ray);
    let p = scene.centre + seen.p.as_dvec3();
    let ng = seen.ng_facing();
    let n = from_game(at.gbuffer.normal).normalize_or(ng);
    let mut surface = FirstSurface::BLANK;
    write_surface(&mut surface, passage, ray, at);
    FirstHit {
        surface,
        n: if n.dot(ng) < 0.0 { -n } else { n },
        ng,
        p: p.as_vec3(),
        z: (p - view.origin).dot(view.forward.as_dvec3()) as f32,
        distance: at.hit.t,
        uv: seen.uv,
        tangent: seen.tangent,
        color: seen.color,
    }
}

/// Radiance that a surface emits toward where it is seen from: from its front, from both sides when double-sided.
pub fn emitted(scene: &Scene, material: &SceneMaterial, surface: &Surface, gbuffer: &GBuffer) -> Vec3 {
    if !material.may_emit || !(surface.front || material.double_sided) {
        return Vec3::ZERO;
    }
    radiance_of(scene, material, gbuffer.emission)
}

/// Emission as a material writes it → radiance, W/(m² sr).
fn radiance_of(scene: &Scene, material: &SceneMaterial, emission: Vec3) -> Vec3 {
    emission.max(Vec3::ZERO) * material.emission_scale(&scene.world)
}

/// A point on a light that next-event estimation chose.
pub struct LightPoint {
    pub spot: Spot,
    hit: Hit,
    /// Toward it, unit.
    direction: Vec3,
}

impl LightPoint {
    /// The point of an emissive triangle that `hit` names, seen along `direction`.
    pub fn on_light(scene: &Scene, hit: &Hit, direction: Vec3) -> Self {
        Self { spot: Spot::on_triangle(&scene.meshes, &scene.instances, hit), hit: *hit, direction }
    }

    /// What it sends back along the direction, holes included.
    pub fn radiance(&self, passage: &Passage) -> Vec3 {
        let scene = passage.scene;
        let material = &scene.materials[scene.instances[self.hit.instance as usize].material as usize];
        let Some(emission) = material.constant_emission else { return self.evaluated(passage, material) };
        let front = Vec3::from(self.spot.ng).dot(self.direction) <= 0.0;
        if front || material.double_sided { radiance_of(scene, material, emission) } else { Vec3::ZERO }
    }

    fn evaluated(&self, passage: &Passage, material: &SceneMaterial) -> Vec3 {
        let surface = self.surface(passage.scene);
        let point = passage.point(&self.ray(), &self.hit, &surface, Origin::Bounce);
        let presence = passage.presence(material, &point, Origin::Bounce);
        if presence <= 0.0 {
            return Vec3::ZERO;
        }
        let gbuffer = material.material.evaluate(&point, &passage.context);
        emitted(passage.scene, material, &surface, &gbuffer) * presence
    }

    /// The whole surface there.
    pub fn surface(&self, scene: &Scene) -> Surface {
        Surface::at(&scene.meshes, &scene.instances, &self.ray(), &self.hit)
    }

    fn ray(&self) -> Ray {
        Ray { origin: self.spot.p.into(), direction: self.direction, t_min: 0.0, t_max: 0.0 }
    }
}
