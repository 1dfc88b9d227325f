//! One ray through each pixel's centre: what a rasteriser's G-buffer is compared with.

use super::passage::{Origin, Passage};
use super::record::{View, first_hit};
use crate::film::sample::FirstHit;
use crate::geometry::{Hit, Ray};
use crate::scene::Scene;
use crate::scene::camera::Camera;
use crate::scene::file::render::GlassGBuffer;

/// The ray of `camera` through a raster point and a point of the lens, relative to the scene's centre, and its spread.
pub fn camera_ray(scene: &Scene, camera: &Camera, raster: [f64; 2], lens: [f32; 2]) -> (Ray, f32) {
    let ray = camera.ray(raster, lens);
    let origin = (ray.origin - scene.centre).as_vec3();
    (Ray { origin, direction: ray.direction, t_min: 0.0, t_max: f32::INFINITY }, ray.spread)
}

/// [`camera_ray`] through a pixel's centre and the middle of the lens.
pub fn centre_ray(scene: &Scene, camera: &Camera, pixel: [i32; 2]) -> (Ray, f32) {
    camera_ray(scene, camera, pixel.map(|side| f64::from(side) + 0.5), [0.5, 0.5])
}

/// The first surface on a camera ray as the AOVs show it; `first` is its closest hit where that is known.
pub fn first_surface(passage: &mut Passage, ray: &Ray, first: Option<Hit>, view: &View) -> Option<FirstHit> {
    let mut at = passage.from_hit(ray, first?, Origin::Camera)?;
    while at.gbuffer.glass.is_some() && view.glass_gbuffer == GlassGBuffer::Behind {
        match passage.next(ray, Some(&at.hit), Origin::Camera) {
            Some(behind) => at = behind,
            None => break,
        }
    }
    Some(first_hit(passage, &at, view))
}
