//! What a ray meets: the next surface that is there, and how much light a segment lets through.

use glam::Vec3;

use crate::gbuffer::GBuffer;
use crate::geometry::mesh::mask;
use crate::geometry::surface::Surface;
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

/// A surface that a ray met, evaluated.
pub struct Interaction<'a> {
    pub hit: Hit,
    pub surface: Surface,
    pub gbuffer: GBuffer,
    pub material: &'a SceneMaterial,
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
    /// State of a splitmix64 sequence: the number of holes along a path has no bound, so Sobol dimensions would run out.
    random: u64,
}

impl<'a> Passage<'a> {
    /// A path of `pixel`; `seed` must differ from path to path.
    pub fn new(scene: &'a Scene, pixel: [i32; 2], cull: bool, seed: u64) -> Self {
        Self { scene, context: Context::new(&scene.world), pixel, cull, spread: 0.0, rays: 0, random: seed }
    }

    /// A number in [0, 1), independent of the path's Sobol dimensions.
    pub fn random(&mut self) -> f32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// The first surface on `ray` that is there, or the next one after `after`.
    pub fn next(&mut self, ray: &Ray, after: Option<&Hit>, origin: Origin) -> Option<Interaction<'a>> {
        self.rays += 1;
        let hit = match after {
            None => self.scene.accel.closest(ray, mask::ALL)?,
            Some(after) => self.scene.accel.closest_after(ray, mask::ALL, after)?,
        };
        self.from_hit(ray, hit, origin)
    }

    /// As [`Passage::next`], where the closest hit is known already.
    pub fn from_hit(&mut self, ray: &Ray, mut hit: Hit, origin: Origin) -> Option<Interaction<'a>> {
        loop {
            if let Some(interaction) = self.interaction(ray, hit, origin) {
                return Some(interaction);
            }
            self.rays += 1;
            hit = self.scene.accel.closest_after(ray, mask::ALL, &hit)?;
        }
    }

    /// The surface at `hit`, unless it is a hole there.
    fn interaction(&mut self, ray: &Ray, hit: Hit, origin: Origin) -> Option<Interaction<'a>> {
        let scene = self.scene;
        let surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
        let material = &scene.materials[surface.material as usize];
        if self.cull && origin == Origin::Camera && !surface.front && !material.double_sided {
            return None;
        }
        let point = self.point(ray, &hit, &surface, origin);
        let presence = self.presence(material, &point, origin);
        if presence <= 0.0 || (presence < 1.0 && self.random() >= presence) {
            return None;
        }
        let gbuffer = material.material.evaluate(&point, &self.context);
        Some(Interaction { hit, surface, gbuffer, material })
    }

    /// The family's inputs at a surface.
    pub fn point(&self, ray: &Ray, hit: &Hit, surface: &Surface, origin: Origin) -> Point {
        let instance = &self.scene.instances[surface.instance as usize];
        let mut point = surface.point(instance, self.scene.centre);
        point.pixel = self.pixel;
        if self.scene.traits.footprint && origin == Origin::Camera {
            let cosine = surface.ng.dot(ray.direction).abs().max(1e-3);
            point.mip_footprint = self.spread * hit.t * surface.uv_density / cosine;
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
            keep_probability(opacity.coverage)
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
        if !self.scene.traits.filtered {
            return Vec3::ONE;
        }
        self.filtered_transmittance(ray)
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
