//! The path tracer: next-event estimation and BRDF sampling, combined by multiple importance sampling (TRANSPORT.md).
//!
//! Veach 1997, "Robust Monte Carlo Methods for Light Transport Simulation", chapters 9 (power heuristic) and 10 (Russian
//! roulette). Straight passes through glass and holes are no vertices: the ray keeps its origin, so that its last
//! scattering point and pdf, and the distance from it, stay what they were.

use glam::Vec3;

use super::passage::{Interaction, Origin, Passage, glass_transmittance};
use super::record::{LightPoint, Record};
use crate::brdf::Brdf;
use crate::gbuffer::Glass;
use crate::geometry::surface::{Spot, from_game};
use crate::geometry::{Hit, Ray, offset};
use crate::light::{LightFrom, LightSample, Outlook, SampleKind};
use crate::sampler::Sampler;
use crate::scene::Scene;

/// Segments after which Russian roulette may end a path.
const ROULETTE_AFTER: u32 = 3;

/// Sobol dimension sets: 0 is the camera's; each vertex takes two.
const SETS_PER_VERTEX: u32 = 2;

/// Where a path last scattered, and with which density: what multiple importance sampling needs when a light is hit.
struct Scatter {
    from: Outlook,
    pdf: f32,
}

/// The state of one path between two hits.
struct Path {
    ray: Ray,
    /// Segments traced so far, this one included.
    segment: u32,
    scatter: Option<Scatter>,
    /// The pane that the segment went through last.
    pane: Option<Hit>,
}

/// Traces one camera path, whose closest hit is known, and writes its radiance into `record`.
pub fn trace(
    passage: &mut Passage,
    ray: Ray,
    first: Option<Hit>,
    sampler: &mut Sampler,
    max_depth: u32,
    record: &mut Record,
) {
    let mut path = Path { ray, segment: 1, scatter: None, pane: None };
    let mut at = Interaction::BLANK;
    let mut hit = first;
    while advance(passage, &mut path, hit, &mut at, sampler, max_depth, record) {
        hit = passage.find(&path.ray, path.pane.as_ref());
    }
}

/// Takes the path from its next `hit`, evaluated into `at`, to where its ray leaves again; false where it ends.
fn advance(
    passage: &mut Passage,
    path: &mut Path,
    hit: Option<Hit>,
    at: &mut Interaction,
    sampler: &mut Sampler,
    max_depth: u32,
    record: &mut Record,
) -> bool {
    let origin = if path.segment == 1 { Origin::Camera } else { Origin::Bounce };
    if !passage.resolve(&path.ray, hit, path.pane.as_ref(), origin, at) {
        add_infinite(passage.scene, path, record);
        return false;
    }
    record.meet(passage, &path.ray, at, path.segment);
    add_emission(passage.scene, path, at, record);
    let g = &at.gbuffer;
    let brdf = match &g.glass {
        None => {
            let (n, ng) = (from_game(g.normal), at.surface.ng_facing());
            Brdf::opaque(g.albedo, g.metalness, g.roughness, n, ng, -path.ray.direction)
        }
        Some(glass) => match choose_at_glass(passage, path, at, glass, record) {
            Some(brdf) => brdf,
            None => {
                path.pane = Some(at.hit);
                return true;
            }
        },
    };
    path.pane = None;
    path.segment < max_depth && scatter(passage, path, at, &brdf, sampler, record)
}

/// Glass reflects and transmits at full weight each; one is chosen by its luminance and divided by its probability.
/// `None` where the path goes straight on.
fn choose_at_glass(
    passage: &mut Passage,
    path: &Path,
    at: &Interaction,
    glass: &Glass,
    record: &mut Record,
) -> Option<Brdf> {
    let wo = -path.ray.direction;
    let brdf = Brdf::glass(glass.f0, at.gbuffer.roughness, from_game(at.gbuffer.normal), at.surface.ng_facing(), wo);
    let transmittance = glass_transmittance(&at.gbuffer);
    let probability = brdf.reflection_probability(transmittance);
    let reflects = passage.random() < probability;
    record.at_glass(passage, &path.ray, at, path.segment, reflects);
    if reflects {
        record.scale(Vec3::splat(1.0 / probability));
        Some(brdf)
    } else {
        record.scale(transmittance / (1.0 - probability));
        None
    }
}

/// Lights the vertex and sends the path on; false where it ends.
fn scatter(
    passage: &mut Passage,
    path: &mut Path,
    at: &Interaction,
    brdf: &Brdf,
    sampler: &mut Sampler,
    record: &mut Record,
) -> bool {
    let from = passage.scene.lights.outlook(LightFrom { p: at.surface.p, n: Some(brdf.n()) });
    passage.depart(&at.surface);
    let set = 1 + SETS_PER_VERTEX * (path.segment - 1);
    sampler.dimension(set);
    let light_u = sampler.next_4d();
    let [u0, u1, u2, u_roulette] = sampler.next_4d();
    add_direct(passage, path, at, brdf, &from, light_u, record);
    let Some(sample) = brdf.sample([u0, u1, u2]) else { return false };
    record.scatter(sample.lobes_weight.diffuse, sample.lobes_weight.specular);
    path.segment += 1;
    if !survives(path.segment, record, u_roulette) {
        return false;
    }
    let start = offset::spawn_origin(at.surface.p, at.surface.error, brdf.ng(), sample.wi);
    path.ray = Ray { origin: start, direction: sample.wi, t_min: 0.0, t_max: f32::INFINITY };
    path.scatter = Some(Scatter { from, pdf: sample.pdf });
    true
}

/// Russian roulette by the path's throughput; the survivor is weighted up.
fn survives(segment: u32, record: &mut Record, u: f32) -> bool {
    let throughput = record.throughput().max_element();
    if segment <= ROULETTE_AFTER || throughput >= 1.0 {
        return throughput > 0.0;
    }
    if u >= throughput {
        return false;
    }
    record.scale(Vec3::splat(1.0 / throughput));
    true
}

/// Next-event estimation at a vertex.
fn add_direct(
    passage: &mut Passage,
    path: &Path,
    at: &Interaction,
    brdf: &Brdf,
    from: &Outlook,
    u: [f32; 4],
    record: &mut Record,
) {
    let Some(light) = passage.scene.lights.sample_at(from, u) else { return };
    let (lobes, pdf) = brdf.eval_with_pdf(light.wi);
    if lobes.diffuse == Vec3::ZERO && lobes.specular == Vec3::ZERO {
        return;
    }
    let Some((radiance, ray)) = toward_light(passage, at, brdf.ng(), &light) else { return };
    let visible = passage.transmittance(&ray);
    if visible == Vec3::ZERO {
        return;
    }
    let mis = if light.delta { 1.0 } else { power_heuristic(light.pdf, pdf) };
    let weight = visible * radiance * (brdf.n().dot(light.wi) * mis / light.pdf);
    record.add_lit(path.segment + 1, lobes.diffuse * weight, lobes.specular * weight, light.group);
}

/// The radiance that a light sample sends to a vertex if nothing is between, and the ray that asks.
pub(super) fn toward_light(
    passage: &mut Passage,
    at: &Interaction,
    ng: Vec3,
    light: &LightSample,
) -> Option<(Vec3, Ray)> {
    let start = offset::spawn_origin(at.surface.p, at.surface.error, ng, light.wi);
    let far = |distance: f32| Ray { origin: start, direction: light.wi, t_min: 0.0, t_max: distance };
    match light.kind {
        SampleKind::Radiance(radiance) if light.distance.is_infinite() => Some((radiance, far(f32::INFINITY))),
        SampleKind::Radiance(radiance) => {
            let target = at.surface.p + light.wi * light.distance;
            Some((radiance, segment(start, target)))
        }
        SampleKind::Emitter { instance, primitive, barycentrics: [u, v] } => {
            let hit = Hit { t: light.distance, u, v, instance, primitive };
            let (direction, light) = (light.wi, LightPoint::on_light(passage.scene, &hit, light.wi));
            if passage.scene.traits.decals && passage.leaves_below(&light.surface(passage.scene), direction) {
                return None;
            }
            let radiance = light.radiance(passage);
            if radiance == Vec3::ZERO {
                return None;
            }
            let Spot { p, error, ng } = light.spot;
            let target = offset::spawn_origin(p.into(), error.into(), ng.into(), -direction);
            Some((radiance, segment(start, target)))
        }
    }
}

/// The open ray between two points.
fn segment(start: Vec3, end: Vec3) -> Ray {
    let length = start.distance(end);
    Ray { origin: start, direction: (end - start) / length, t_min: 0.0, t_max: length }
}

/// Emission of the surface that the path met, weighted against next-event estimation having found it.
fn add_emission(scene: &Scene, path: &Path, at: &Interaction, record: &mut Record) {
    let material = at.material_in(scene);
    if !material.may_emit {
        return;
    }
    let seen = at.seen(scene, &path.ray);
    let radiance = super::record::emitted(scene, material, &seen, &at.gbuffer);
    if radiance == Vec3::ZERO {
        return;
    }
    let mis = path.scatter.as_ref().map_or(1.0, |scatter| {
        let distance = scatter.from.from().p.distance(seen.p);
        let (instance, primitive) = (at.hit.instance, at.hit.primitive);
        let light = scene.lights.pdf_emitter_at(&scatter.from, instance, primitive, path.ray.direction, distance);
        power_heuristic(scatter.pdf, light)
    });
    record.add(path.segment, radiance * mis, material.group);
}

/// Sun and sky, seen by a path that left the scene.
fn add_infinite(scene: &Scene, path: &Path, record: &mut Record) {
    let from = path.scatter.as_ref().map(|scatter| &scatter.from);
    scene.lights.infinite_at(from, path.ray.direction, |light| {
        let mis = path.scatter.as_ref().map_or(1.0, |scatter| power_heuristic(scatter.pdf, light.pdf));
        record.add(path.segment, light.radiance * mis, light.group);
    });
}

/// Veach's power heuristic with β = 2 for one sample of each technique.
fn power_heuristic(this: f32, other: f32) -> f32 {
    let (a, b) = (this * this, other * other);
    if a.is_infinite() {
        1.0
    } else if a + b > 0.0 {
        a / (a + b)
    } else {
        0.0
    }
}
