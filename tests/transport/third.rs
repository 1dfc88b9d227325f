//! Third estimators, written for these tests alone: directions by the BRDF's lobes, each light found in one way only, no weights
//! between techniques, no roulette, and a random generator of their own. Delta lights are each asked by a shadow ray.
//!
//! They judge where `naive` has too heavy a tail: smooth surfaces, small lamps.

use glam::Vec3;
use scrutineer::brdf::Brdf;
use scrutineer::geometry::surface::from_game;
use scrutineer::geometry::{Ray, offset};
use scrutineer::integrator::passage::{Interaction, Origin, Passage};
use scrutineer::integrator::{primary, record};
use scrutineer::light::{LightSample, SampleKind};
use scrutineer::scene::Scene;

use crate::random::Random;

/// How lights that have a size are found.
#[derive(Clone, Copy)]
pub enum Light {
    /// A ray meets them.
    Hit,
    /// A uniform point on the only one, a parallelogram of these half edges that shines along u × v, is looked at.
    Lamp { center: Vec3, u: Vec3, v: Vec3, radiance: Vec3 },
}

impl Light {
    /// The lamp of scenes/generate/cornell.rs.
    pub const CORNELL: Self = Self::Lamp {
        center: Vec3::new(0.0, 1.995, 0.0),
        u: Vec3::new(0.25, 0.0, 0.0),
        v: Vec3::new(0.0, 0.0, 0.25),
        radiance: Vec3::new(17.0, 12.24, 6.8),
    };
}

/// Mean and standard error of a pixel's radiance, a pair a channel, as a box filter takes it. Opaque surfaces alone.
pub fn pixel(scene: &Scene, light: Light, pixel: [i32; 2], samples: u32, seed: u64) -> [(f64, f64); 3] {
    let mut random = Random::new(seed ^ (pixel[0] as u64) << 32 ^ pixel[1] as u64);
    let camera = scene.cameras[0].camera.resized(scene.render.resolution);
    let mut sums = [[0.0f64; 2]; 3];
    for _ in 0..samples {
        let [x, y] = random.next();
        let raster = [f64::from(pixel[0]) + f64::from(x), f64::from(pixel[1]) + f64::from(y)];
        let (ray, _) = primary::camera_ray(scene, &camera, raster, [0.5, 0.5]);
        let mut passage = Passage::new(scene, pixel, false, random.next_u64());
        let radiance = path(&mut passage, light, ray, &mut random);
        for (sum, value) in sums.iter_mut().zip(radiance.to_array().map(f64::from)) {
            *sum = [sum[0] + value, sum[1] + value * value];
        }
    }
    let n = f64::from(samples);
    sums.map(|[sum, squares]| (sum / n, ((squares / n - (sum / n).powi(2)).max(0.0) / (n - 1.0)).sqrt()))
}

fn path(passage: &mut Passage, light: Light, mut ray: Ray, random: &mut Random) -> Vec3 {
    let scene = passage.scene;
    let (mut radiance, mut throughput) = (Vec3::ZERO, Vec3::ONE);
    for segment in 1..=scene.render.max_depth {
        let origin = if segment == 1 { Origin::Camera } else { Origin::Bounce };
        let Some(at) = passage.next(&ray, None, origin) else {
            scene.lights.infinite(None, ray.direction, |light| radiance += throughput * light.radiance);
            break;
        };
        assert!(at.gbuffer.glass.is_none(), "opaque surfaces alone");
        if segment == 1 || matches!(light, Light::Hit) {
            radiance += throughput * record::emitted(scene, at.material_in(scene), &at.seen(scene, &ray), &at.gbuffer);
        }
        if segment == scene.render.max_depth {
            break;
        }
        let (g, n) = (&at.gbuffer, from_game(at.gbuffer.normal));
        let brdf = Brdf::opaque(g.albedo, g.metalness, g.roughness, n, at.surface.ng_facing(), -ray.direction);
        passage.depart(&at.surface);
        radiance += throughput * (delta_light(passage, &at, &brdf) + lamp_light(passage, light, &at, &brdf, random));
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

fn lamp_light(passage: &mut Passage, light: Light, at: &Interaction, brdf: &Brdf, random: &mut Random) -> Vec3 {
    let Light::Lamp { center, u, v, radiance } = light else { return Vec3::ZERO };
    let [s, t]: [f32; 2] = random.next();
    let way = center - passage.scene.centre.as_vec3() + u * (2.0 * s - 1.0) + v * (2.0 * t - 1.0) - at.surface.p;
    let wi = way.normalize();
    let front = u.cross(v);
    // Four times the half edges' parallelogram, seen at an angle.
    let solid_angle = 4.0 * front.dot(-wi) / way.length_squared();
    let cosine = brdf.n().dot(wi);
    if solid_angle <= 0.0 || cosine <= 0.0 {
        return Vec3::ZERO;
    }
    // Ends before the lamp itself.
    let shadow = leaving(at, brdf, wi, way.length() * (1.0 - 1e-4));
    brdf.eval(wi).total() * radiance * (cosine * solid_angle) * passage.transmittance(&shadow)
}
