//! One ray through each pixel's centre: what a rasteriser's G-buffer is compared with.

use glam::Vec3;

use super::passage::{Origin, Passage, glass_transmittance};
use super::record::{View, first_hit};
use crate::film::sample::FirstHit;
use crate::geometry::{Hit, Ray};
use crate::scene::Scene;
use crate::scene::camera::Camera;

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

/// The first surface on a camera ray as the AOVs show it, and the product of the transmittances of the panes in front of the
/// first surface that is not glass; `first` is the ray's closest hit.
///
/// Where the AOVs look through glass and nothing is behind it, there is no surface.
pub fn first_surface(passage: &mut Passage, ray: &Ray, first: Option<Hit>, view: &View) -> (Option<FirstHit>, Vec3) {
    let Some(at) = passage.from_hit(ray, first, Origin::Camera) else { return (None, Vec3::ONE) };
    if at.gbuffer.glass.is_none() {
        return (Some(first_hit(passage, ray, &at, view)), Vec3::ONE);
    }
    let (others, behind) = passage.behind_glass(ray, &at.hit);
    let transmittance = glass_transmittance(&at.gbuffer) * others;
    let shown = if view.looks_through(&at) { behind } else { Some(at) };
    (shown.map(|shown| first_hit(passage, ray, &shown, view)), transmittance)
}
