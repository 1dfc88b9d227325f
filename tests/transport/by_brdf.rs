//! A third estimator, written for this test alone: directions by the BRDF's lobes, lights only where they are hit, no weights
//! between techniques, no roulette, and a random generator of its own. Delta lights are each asked by a shadow ray.
//!
//! Where `naive` has too heavy a tail to be a judge (smooth surfaces), this one has not.

use glam::Vec3;
use scrutineer::brdf::Brdf;
use scrutineer::geometry::surface::from_game;
use scrutineer::geometry::{Ray, offset};
use scrutineer::integrator::passage::{Interaction, Origin, Passage};
use scrutineer::integrator::{primary, record};
use scrutineer::light::{LightSample, SampleKind};
use scrutineer::scene::Scene;

use crate::random::Random;

/// Mean and standard error of a pixel's radiance, a pair a channel, as a box filter takes it. Opaque surfaces alone.
pub fn pixel(scene: &Scene, pixel: [i32; 2], samples: u32, seed: u64) -> [(f64, f64); 3] {
    let mut random = Random::new(seed ^ (pixel[0] as u64) << 32 ^ pixel[1] as u64);
    let camera = scene.cameras[0].camera.resized(scene.render.resolution);
    let mut sums = [[0.0f64; 2]; 3];
    for _ in 0..samples {
        let [x, y] = random.next();
        let raster = [f64::from(pixel[0]) + f64::from(x), f64::from(pixel[1]) + f64::from(y)];
        let (ray, _) = primary::camera_ray(scene, &camera, raster, [0.5, 0.5]);
        let radiance = path(&mut Passage::new(scene, pixel, false, random.next_u64()), ray, &mut random);
        for (sum, value) in sums.iter_mut().zip(radiance.to_array().map(f64::from)) {
            *sum = [sum[0] + value, sum[1] + value * value];
        }
    }
    let n = f64::from(samples);
    sums.map(|[sum, squares]| (sum / n, ((squares / n - (sum / n).powi(2)).max(0.0) / (n - 1.0)).sqrt()))
}

fn path(passage: &mut Passage, mut ray: Ray, random: &mut Random) -> Vec3 {
    let scene = passage.scene;
    let (mut radiance, mut throughput) = (Vec3::ZERO, Vec3::ONE);
    for segment in 1..=scene.render.max_depth {
        let origin = if segment == 1 { Origin::Camera } else { Origin::Bounce };
        let Some(at) = passage.next(&ray, None, origin) else {
            scene.lights.infinite(None, ray.direction, |light| radiance += throughput * light.radiance);
            break;
        };
        assert!(at.gbuffer.glass.is_none(), "opaque surfaces alone");
        let seen = at.seen(scene, &ray);
        radiance += throughput * record::emitted(scene, at.material, &seen, &at.gbuffer);
        if segment == scene.render.max_depth {
            break;
        }
        let (g, n) = (&at.gbuffer, from_game(at.gbuffer.normal));
        let brdf = Brdf::opaque(g.albedo, g.metalness, g.roughness, n, at.surface.ng_facing(), -ray.direction);
        passage.depart(&at.surface);
        radiance += throughput * delta_light(passage, &at, &brdf);
        let Some(sample) = brdf.sample(random.next()) else { break };
        throughput *= sample.lobes_weight.total();
        ray = leaving(&at, &brdf, sample.wi, f32::INFINITY);
    }
    radiance
}

fn leaving(at: &Interaction, brdf: &Brdf, direction: Vec3, t_max: f32) -> Ray {
    let origin = offset::spawn_origin(at.surface.p, at.surface.error, brdf.ng(), direction);
    Ray { origin, direction, t_min: 0.0, t_max }
}

fn delta_light(passage: &mut Passage, at: &Interaction, brdf: &Brdf) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for LightSample { wi, distance, kind, .. } in passage.scene.lights.delta_lights(at.surface.p) {
        let SampleKind::Radiance(irradiance) = kind else { panic!("delta lights are no surfaces") };
        let cosine = brdf.n().dot(wi).max(0.0);
        sum += brdf.eval(wi).total() * irradiance * cosine * passage.transmittance(&leaving(at, brdf, wi, distance));
    }
    sum
}
