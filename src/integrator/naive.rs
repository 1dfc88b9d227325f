//! The same radiance as [`super::path`], found without any cleverness: it exists to check it.
//!
//! Bounces are distributed by the cosine, emitters, sky and sun disc count when they are hit, delta lights are each asked
//! by their own shadow ray. No light selection, no multiple importance sampling, no lobe sampling, no roulette.

use glam::Vec3;

use super::passage::{Interaction, Origin, Passage, glass_transmittance};
use super::path::toward_light;
use super::record::{Record, emitted};
use crate::brdf::Brdf;
use crate::brdf::frame::Frame;
use crate::geometry::surface::from_game;
use crate::geometry::{Hit, Ray, offset};
use crate::sampler::Sampler;
use crate::warp;

/// Traces one camera path and writes its radiance into `record`.
pub fn trace(
    passage: &mut Passage,
    mut ray: Ray,
    first: Option<Hit>,
    sampler: &mut Sampler,
    max_depth: u32,
    record: &mut Record,
) {
    let mut segment = 1;
    let mut met = passage.from_hit(&ray, first, Origin::Camera);
    loop {
        let Some(at) = met else {
            let lights = &passage.scene.lights;
            lights.infinite(None, ray.direction, |light| record.add(segment, light.radiance, light.group));
            return;
        };
        let origin = if segment == 1 { Origin::Camera } else { Origin::Bounce };
        record.meet(passage, &ray, &at, segment);
        let material = at.material_in(passage.scene);
        if material.may_emit {
            let radiance = emitted(passage.scene, material, &at.seen(passage.scene, &ray), &at.gbuffer);
            record.add(segment, radiance, material.group);
        }
        let Some(brdf) = choose_brdf(passage, &ray, &at, segment, record) else {
            met = passage.next(&ray, Some(&at.hit), origin);
            continue;
        };
        if segment == max_depth {
            return;
        }
        passage.depart(&at.surface);
        sampler.dimension(segment);
        add_delta_lights(passage, &at, &brdf, segment, record);
        let Some(bounced) = bounce(&at, &brdf, sampler, record) else { return };
        ray = bounced;
        segment += 1;
        met = passage.next(&ray, None, Origin::Bounce);
    }
}

/// An opaque surface's BRDF; for glass a fair coin decides between reflection and going straight on (`None`).
fn choose_brdf(passage: &mut Passage, ray: &Ray, at: &Interaction, segment: u32, record: &mut Record) -> Option<Brdf> {
    let (g, ng, n, wo) = (&at.gbuffer, at.surface.ng_facing(), from_game(at.gbuffer.normal), -ray.direction);
    let Some(glass) = g.glass else {
        return Some(Brdf::opaque(g.albedo, g.metalness, g.roughness, n, ng, wo));
    };
    let reflects = passage.random() < 0.5;
    record.at_glass(passage, ray, at, segment, reflects);
    if reflects {
        record.scale(Vec3::splat(2.0));
        return Some(Brdf::glass(glass.f0, g.roughness, n, ng, wo));
    }
    record.scale(glass_transmittance(g) * 2.0);
    None
}

fn add_delta_lights(passage: &mut Passage, at: &Interaction, brdf: &Brdf, segment: u32, record: &mut Record) {
    for light in passage.scene.lights.delta_lights(at.surface.p) {
        let lobes = brdf.eval(light.wi);
        let Some((radiance, ray)) = toward_light(passage, at, brdf.ng(), &light) else { continue };
        let weight = passage.transmittance(&ray) * radiance * brdf.n().dot(light.wi).max(0.0);
        record.add_lit(segment + 1, lobes.diffuse * weight, lobes.specular * weight, light.group);
    }
}

/// A direction by the cosine about the shading normal: f·cos/pdf = π·f.
fn bounce(at: &Interaction, brdf: &Brdf, sampler: &mut Sampler, record: &mut Record) -> Option<Ray> {
    let [u0, u1, ..] = sampler.next_4d();
    let wi = Frame::new(brdf.n()).to_scene(warp::cosine_hemisphere([u0, u1]));
    let lobes = brdf.eval(wi);
    if lobes.diffuse == Vec3::ZERO && lobes.specular == Vec3::ZERO {
        return None;
    }
    record.scatter(lobes.diffuse * std::f32::consts::PI, lobes.specular * std::f32::consts::PI);
    let start = offset::spawn_origin(at.surface.p, at.surface.error, brdf.ng(), wi);
    Some(Ray { origin: start, direction: wi, t_min: 0.0, t_max: f32::INFINITY })
}
