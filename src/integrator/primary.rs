//! One ray through each pixel's centre: what a rasteriser's G-buffer is compared with.

use super::passage::{Origin, Passage};
use super::record::{View, first_hit};
use crate::film::sample::FirstHit;
use crate::geometry::{Hit, Ray};
use crate::scene::file::render::GlassGBuffer;

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
