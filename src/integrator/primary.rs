//! One ray through each pixel's centre: what a rasteriser's G-buffer is compared with.

use glam::Vec3;

use super::passage::{Origin, Passage, glass_transmittance};
use super::record::{View, first_hit};
use crate::film::sample::FirstHit;
use crate::geometry::{Hit, Ray};

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
