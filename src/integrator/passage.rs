//! What a ray meets: the next surface that is there, and how much light a segment lets through.

use glam::Vec3;

use crate::decal::layers::Departure;
use crate::gbuffer::GBuffer;
use crate::geometry::mesh::mask;
use crate::geometry::surface::{self, Surface};
use crate::geometry::{Hit, Ray};
use crate::material::ops::dither::keep_probability;
use crate::material::ops::math::sat;
use crate::material::{Class, Context, Point};
use crate::scene::world::Dither;
use crate::scene::{Scene, SceneMaterial};

/// Where a ray comes from: some rules differ for camera rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Camera,
    Bounce,
}

/// A surface that a ray met, evaluated, decals included.
#[derive(Clone, Copy)]
pub struct Interaction {
    /// What is seen: under a road decal the decal's hit, not that of the surface below it.
    pub hit: Hit,
    /// What is lit: the receiver of the decals.
    pub surface: Surface,
    pub gbuffer: GBuffer,
    /// The material of what is seen: an index of the scene's.
    pub material: u32,
    /// How much of the G-buffer decals wrote, 0..1.
    pub decal_weight: f32,
}

impl Interaction {
    /// Nothing met yet.
    pub const BLANK: Self = Self {
        hit: Hit { t: 0.0, u: 0.0, v: 0.0, instance: 0, primitive: 0 },
        surface: Surface::BLANK,
        gbuffer: GBuffer::BLANK,
        material: 0,
        decal_weight: 0.0,
    };

    /// The material of what is seen.
    pub fn material_in<'a>(&self, scene: &'a Scene) -> &'a SceneMaterial {
        &scene.materials[self.material as usize]
    }

    /// The surface at [`Interaction::hit`]: where the eye and emission place it.
    pub fn seen(&self, scene: &Scene, ray: &Ray) -> Surface {
        let lit = (self.surface.instance, self.surface.primitive);
        match (self.hit.instance, self.hit.primitive) == lit {
            true => self.surface,
            false => Surface::at(&scene.meshes, &scene.instances, ray, &self.hit),
        }
    }
}

/// One path's view of a scene: the pixel that it belongs to and its own random numbers for holes.
pub struct Passage<'a> {
    pub scene: &'a Scene,
    pub context: Context<'a>,
    pub pixel: [i32; 2],
    /// Camera rays pass through backs that are not double-sided.
    pub cull: bool,
    /// Radians by which a camera ray widens.
    pub spread: f32,
    /// Rays traced so far.
    pub rays: u64,
    /// The surface that the current rays start from; `None` at the camera.
    pub departure: Option<Departure>,
    /// Nothing is left to chance: a surface is there where it more likely is than not.
    unfiltered: bool,
    /// State of a splitmix64 sequence: the number of holes along a path has no bound, so Sobol dimensions would run out.
    pub(super) random: u64,
}

impl<'a> Passage<'a> {
    /// A path of `pixel`; `seed` must differ from path to path.
    pub fn new(scene: &'a Scene, pixel: [i32; 2], cull: bool, seed: u64) -> Self {
        let context = Context::new(&scene.world);
        Self { scene, context, pixel, cull, spread: 0.0, rays: 0, departure: None, unfiltered: false, random: seed }
    }

    /// The same for a ray whose surfaces stand in unfiltered AOVs, which must not depend on the seed.
    pub fn unfiltered(self) -> Self {
        Self { unfiltered: true, ..self }
    }

    /// A number in [0, 1), independent of the path's Sobol dimensions.
    pub fn random(&mut self) -> f32 {
        if self.unfiltered {
            return 0.5;
        }
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// The rays that follow start from `surface`.
    pub fn depart(&mut self, surface: &Surface) {
        self.departure = Some(Departure { p: surface.p, ng: surface.ng });
    }

    /// The first surface on `ray` that is there, or the next one after `after`.
    pub fn next(&mut self, ray: &Ray, after: Option<&Hit>, origin: Origin) -> Option<Interaction> {
        let hit = self.find(ray, after);
        self.resolved(ray, hit, after, origin)
    }

    /// As [`Passage::next`], where the closest hit among [`mask::SURFACES`] is known already.
    pub fn from_hit(&mut self, ray: &Ray, hit: Option<Hit>, origin: Origin) -> Option<Interaction> {
        self.resolved(ray, hit, None, origin)
    }

    fn resolved(&mut self, ray: &Ray, hit: Option<Hit>, after: Option<&Hit>, origin: Origin) -> Option<Interaction> {
        let mut at = Interaction::BLANK;
        self.resolve(ray, hit, after, origin, &mut at).then_some(at)
    }

    // What follows writes the interaction where it stays and is inlined: it has 370 bytes, which would else be copied from
    // function to function, each time waiting for what was just written.

    /// The first hit on `ray`, or the next one after `after`, whether a surface is there or not.
    #[inline(always)]
    pub(super) fn find(&mut self, ray: &Ray, after: Option<&Hit>) -> Option<Hit> {
        self.rays += 1;
        match after {
            None => self.scene.accel.closest(ray, mask::SURFACES),
            Some(after) => self.scene.accel.closest_after(ray, mask::SURFACES, after),
        }
    }

    /// Writes the first surface from `hit` on, with the decals on it, into `at`, unless there is none; `after` is the pane
    /// that the ray passed last.
    #[inline(always)]
    pub(super) fn resolve(
        &mut self,
        ray: &Ray,
        hit: Option<Hit>,
        after: Option<&Hit>,
        origin: Origin,
        at: &mut Interaction,
    ) -> bool {
        let met = hit.is_some_and(|hit| self.first_there(ray, hit, origin, at));
        if !self.scene.traits.painted {
            return met;
        }
        let painted = self.painted(ray, met.then_some(*at), after, origin);
        if let Some(painted) = painted {
            *at = painted;
        }
        painted.is_some()
    }

    /// Writes the surface at `hit`, or the next one behind it where that is a hole, into `at`, unless there is none.
    #[inline(always)]
    pub(super) fn first_there(&mut self, ray: &Ray, mut hit: Hit, origin: Origin, at: &mut Interaction) -> bool {
        while !self.interaction(ray, hit, origin, at) {
            match self.find(ray, Some(&hit)) {
                Some(next) => hit = next,
                None => return false,
            }
        }
        true
    }

    /// Writes the surface at `hit` into `at`, unless it is a hole there.
    #[inline(always)]
    fn interaction(&mut self, ray: &Ray, hit: Hit, origin: Origin, at: &mut Interaction) -> bool {
        let scene = self.scene;
        at.surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
        let material = &scene.materials[at.surface.material as usize];
        if self.culled(&at.surface, material, origin) {
            return false;
        }
        let point = self.point(ray, &hit, &at.surface, origin);
        let presence = self.presence(material, &point, origin);
        if presence <= 0.0 || (presence < 1.0 && self.random() >= presence) {
            return false;
        }
        at.gbuffer = material.material.evaluate(&point, &self.context);
        (at.hit, at.material, at.decal_weight) = (hit, at.surface.material, 0.0);
        true
    }

    /// Whether the camera looks through the back of a surface.
    pub(super) fn culled(&self, surface: &Surface, material: &SceneMaterial, origin: Origin) -> bool {
        self.cull && origin == Origin::Camera && !surface.front && !material.double_sided
    }

    /// The family's inputs at a surface.
    pub fn point(&self, ray: &Ray, hit: &Hit, surface: &Surface, origin: Origin) -> Point {
        let instance = &self.scene.instances[surface.instance as usize];
        let mut point = surface.point(instance, self.scene.centre);
        point.pixel = self.pixel;
        if self.scene.traits.footprint && origin == Origin::Camera {
            let cosine = surface.ng.dot(ray.direction).abs().max(1e-3);
            let density = surface::uv_density(&self.scene.meshes, &self.scene.instances, hit);
            point.mip_footprint = self.spread * hit.t * density / cosine;
        }
        point
    }

    /// The probability with which a surface is there, 0..1.
    pub fn presence(&self, material: &SceneMaterial, point: &Point, origin: Origin) -> f32 {
        if !material.may_discard && !material.stochastic {
            return 1.0;
        }
        let opacity = material.material.opacity(point, &self.context);
        let expected = match self.scene.world.dither {
            Dither::Off => false,
            Dither::Screen => origin != Origin::Camera,
            Dither::Expected => true,
        };
        if material.stochastic {
            sat(opacity.coverage)
        } else if material.dithered && expected {
            // The screen dither compares ±½ with the reference.
            match self.scene.world.alpha_reference {
                reference if reference <= -0.5 => 1.0,
                reference if reference <= 0.5 => keep_probability(opacity.coverage),
                _ => 0.0,
            }
        } else {
            f32::from(u8::from(!opacity.discard))
        }
    }

    /// How much light passes along `ray` from its start to its end, per channel. Holes count by their expected value.
    pub fn transmittance(&mut self, ray: &Ray) -> Vec3 {
        self.rays += 1;
        if self.scene.accel.occluded(ray, mask::SOLID) {
            return Vec3::ZERO;
        }
        let traits = &self.scene.traits;
        if !traits.filtered && !traits.decals {
            return Vec3::ONE;
        }
        let through = if traits.decals { self.decal_transmittance(ray) } else { 1.0 };
        if through > 0.0 && traits.filtered { self.filtered_transmittance(ray) * through } else { Vec3::splat(through) }
    }

    fn filtered_transmittance(&mut self, ray: &Ray) -> Vec3 {
        let scene = self.scene;
        let mut transmittance = Vec3::ONE;
        let mut next = scene.accel.closest(ray, mask::FILTERED);
        while let Some(hit) = next {
            let surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
            self.rays += 1;
            transmittance *= self.passes(ray, &hit, &surface);
            if transmittance == Vec3::ZERO {
                return Vec3::ZERO;
            }
            next = scene.accel.closest_after(ray, mask::FILTERED, &hit);
        }
        transmittance
    }

    /// The share of light that one filtered surface lets through.
    fn passes(&mut self, ray: &Ray, hit: &Hit, surface: &Surface) -> Vec3 {
        let material = &self.scene.materials[surface.material as usize];
        let point = self.point(ray, hit, surface, Origin::Bounce);
        let presence = self.presence(material, &point, Origin::Bounce);
        let through = match (material.class, presence > 0.0) {
            (Class::Glass, true) => glass_transmittance(&material.material.evaluate(&point, &self.context)),
            _ => Vec3::ZERO,
        };
        Vec3::splat(1.0 - presence) + through * presence
    }
}

/// Target 1 of a glass surface, made safe: 0..1.
pub fn glass_transmittance(gbuffer: &GBuffer) -> Vec3 {
    gbuffer.glass.map_or(Vec3::ZERO, |glass| Vec3::from(glass.transmittance.to_array().map(sat)))
}
