//! Samples and densities say the same, and leave nothing out.

use std::f32::consts::PI;

use glam::{Affine3A, DVec3, Quat, Vec3};
use scrutineer::light::{
    EmissiveInstance, EmissiveMesh, EmissiveTriangle, LightFrom, Lights, LightsDescription, Punctual, PunctualKind,
    SampleKind, SkyKind,
};

use crate::tools::{Estimate, Random, integrate_sphere};
use crate::{build, facing, gradient_image, hosek, image_sky, placed, quad, sphere, sun, with_sky};

#[test]
fn densities_integrate_to_one() {
    let n = Vec3::new(0.1, 0.9, 0.4).normalize();
    let cases = [
        (
            "sun of 20 degrees",
            LightsDescription { sun: Some(sun(Vec3::new(0.5, 0.4, 1.0), 20.0)), ..Default::default() },
        ),
        ("constant", with_sky(SkyKind::Constant { radiance: Vec3::ONE })),
        ("image", image_sky(gradient_image(), -100.0)),
        ("hosek and sun", hosek(0.0)),
        ("hosek and wide sun", LightsDescription { sun: Some(sun(Vec3::new(-0.6, 0.5, 1.0), 15.0)), ..hosek(0.0) }),
    ];
    for (name, description) in cases {
        let lights = build(&description);
        for from in [facing(n), LightFrom { p: Vec3::ONE, n: None }] {
            let sun = description.sun.map_or(Vec3::Y, |sun| sun.direction.normalize());
            // The small sun is integrated on its own cone: the grid would miss it.
            let small = name == "hosek and sun";
            let wide = integrate_sphere(|wi| pdf_of_groups(&lights, &from, wi, |group| !(small && group == 1)));
            let mut random = Random(3);
            let narrow = Estimate::of(if small { 200_000 } else { 2 }, || {
                let wi = random.direction_near(sun, 3e-5);
                if small { pdf_of_groups(&lights, &from, wi, |g| g == 1) * f64::from(2.0 * PI * 3e-5) } else { 0.0 }
            });
            assert!((wide + narrow.mean - 1.0).abs() < 5e-3, "{name}: {wide} + {}", narrow.mean);
        }
    }
}

fn pdf_of_groups(lights: &Lights, from: &LightFrom, wi: Vec3, group: impl Fn(u16) -> bool) -> f64 {
    let mut sum = 0.0;
    lights.infinite(Some(from), wi, |light| sum += if group(light.group) { f64::from(light.pdf) } else { 0.0 });
    sum
}

/// Everything at once: sun, image sky, lamps, and meshes under all kinds of maps.
fn crowded(random: &mut Random) -> LightsDescription {
    let mut description = image_sky(gradient_image(), 10.0);
    description.sun = Some(sun(Vec3::new(0.2, 0.5, -0.3), 5.0));
    let intensity = Vec3::splat(5.0);
    for _ in 0..10 {
        let position = random.vector(10.0);
        let spot = PunctualKind::Spot {
            position: -position,
            direction: random.direction(),
            intensity,
            inner: 0.3,
            outer: 0.9,
        };
        description.punctual.push(Punctual { kind: PunctualKind::Point { position, intensity }, group: 4 });
        description.punctual.push(Punctual { kind: spot, group: 4 });
    }
    description.emissive_meshes = vec![sphere(0, 1), quad(1, Vec3::ZERO, Vec3::X, Vec3::Z * 0.3).0];
    for i in 0..60 {
        let scale = match i % 4 {
            0 => Vec3::splat(random.within(0.1, 3.0)),
            1 => Vec3::new(1.0, random.within(0.05, 2.0), -0.7),
            2 => Vec3::new(0.0, 1.0, 1.0),
            _ => Vec3::new(2.0, 1.0, 0.01),
        };
        let rotation = Quat::from_axis_angle(random.direction(), random.within(0.0, 3.0));
        let transform = Affine3A::from_scale_rotation_translation(scale, rotation, random.vector(10.0));
        let instance = placed(i, i % 2, transform);
        description.emitters.push(EmissiveInstance { double_sided: i % 3 == 0, ..instance });
    }
    description
}

fn random_from(random: &mut Random) -> LightFrom {
    LightFrom { p: random.vector(12.0), n: (random.unit() < 0.7).then(|| random.direction()) }
}

/// Multiple importance sampling is right only if a sample's pdf is what a ray in the same direction is told.
#[test]
fn the_pdf_of_a_sample_is_the_pdf_of_its_direction() {
    let mut random = Random(11);
    let lights = build(&crowded(&mut random));
    let mut found = [0; 5];
    let mut odd = 0;
    for _ in 0..200_000 {
        let from = random_from(&mut random);
        let Some(sample) = lights.sample(&from, random.four()) else { continue };
        assert!(sample.pdf > 0.0 && sample.pdf.is_finite() && (sample.wi.length() - 1.0).abs() < 1e-5);
        found[sample.group as usize] += 1;
        let pdf = match sample.kind {
            SampleKind::Emitter { instance, primitive, barycentrics: [u, v] } => {
                assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6);
                lights.pdf_emitter(&from, instance, primitive, sample.wi, sample.distance)
            }
            SampleKind::Radiance(_) if sample.delta => continue,
            SampleKind::Radiance(_) => {
                let mut pdf = 0.0;
                lights.infinite(Some(&from), sample.wi, |l| pdf = if l.group == sample.group { l.pdf } else { pdf });
                pdf
            }
        };
        // A direction at the rim of the sun's disc may round to the outside.
        odd += usize::from((pdf / sample.pdf - 1.0).abs() > 1e-4);
    }
    assert!(odd <= 3, "{odd} samples differ");
    assert!(found[1..].iter().all(|&count| count > 1000), "all kinds were chosen: {found:?}");
}

/// The share of samples that choose a triangle must be the integral of its pdf over the directions toward it.
#[test]
fn triangles_are_chosen_as_often_as_their_pdf_says() {
    let mut random = Random(23);
    let description = crowded(&mut random);
    let lights = build(&description);
    for _ in 0..3 {
        let from = random_from(&mut random);
        // 1 / pdf summed over samples of one instance measures the solid angle of its chosen triangles.
        let mut solid_angles = vec![0.0; description.emitters.len()];
        let count = 400_000;
        for _ in 0..count {
            let Some(sample) = lights.sample(&from, random.four()) else { continue };
            if let SampleKind::Emitter { instance, .. } = sample.kind {
                solid_angles[instance as usize] += 1.0 / f64::from(sample.pdf) / f64::from(count);
            }
        }
        for (instance, measured) in description.emitters.iter().zip(solid_angles) {
            let mesh = &description.emissive_meshes[instance.mesh as usize];
            let expected = visible_solid_angle(mesh, instance, &from);
            let close = (measured - expected).abs() < 0.1 * expected + 3e-3;
            assert!(from.n.is_some() || close, "{instance:?}: {measured} of {expected}");
            assert!(measured < 1.1 * expected + 3e-3, "{instance:?}: {measured} of {expected}");
        }
    }
}

fn world_triangle(t: &EmissiveTriangle, instance: &EmissiveInstance) -> [DVec3; 3] {
    t.p.map(|p| instance.transform.transform_point3(p).as_dvec3())
}

/// How far `p` is in front of a triangle, by the side that shines; metres.
fn height_before([a, b, c]: [DVec3; 3], instance: &EmissiveInstance, p: Vec3) -> f64 {
    let front = (b - a).cross(c - a).normalize_or_zero();
    let height = front.dot(p.as_dvec3() - a);
    let mirrored = instance.transform.matrix3.determinant() < 0.0;
    if instance.double_sided { height.abs() } else { height * if mirrored { -1.0 } else { 1.0 } }
}

fn visible_solid_angle(mesh: &EmissiveMesh, instance: &EmissiveInstance, from: &LightFrom) -> f64 {
    let solid_angle = |t: &EmissiveTriangle| {
        let corners = world_triangle(t, instance);
        if height_before(corners, instance, from.p) <= 0.0 {
            return 0.0;
        }
        let [a, b, c] = corners.map(|corner| (corner - from.p.as_dvec3()).normalize());
        2.0 * a.dot(b.cross(c)).abs().atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
    };
    mesh.triangles.iter().map(solid_angle).sum()
}

/// Brute force: whatever shines at the point and lies above its surface has a density.
#[test]
fn nothing_that_contributes_is_ever_excluded() {
    let mut random = Random(31);
    let mut tried = 0;
    for _ in 0..40 {
        let description = crowded(&mut random);
        let lights = build(&description);
        for _ in 0..3000 {
            let instance = &description.emitters[(random.unit() * 60.0) as usize];
            let mesh = &description.emissive_meshes[instance.mesh as usize];
            let triangle = &mesh.triangles[(random.unit() * mesh.triangles.len() as f32) as usize];
            let corners = world_triangle(triangle, instance);
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
            let mut from = random_from(&mut random);
            // Half of the points lie close to the light, where bounds are hardest to keep.
            if random.unit() < 0.5 {
                from.p = corners[0].as_vec3() + random.vector(0.3);
            }
            let (u, v) = (random.within(0.1, 0.4), random.within(0.1, 0.4));
            let place = corners[0] * f64::from(1.0 - u - v) + corners[1] * f64::from(u) + corners[2] * f64::from(v);
            let to = place - from.p.as_dvec3();
            let lit = from.n.is_none_or(|n| n.as_dvec3().dot(to) > 1e-4);
            if area > 1e-4 && lit && height_before(corners, instance, from.p) > 1e-3 {
                let (wi, distance) = (to.normalize().as_vec3(), to.length() as f32);
                let pdf = lights.pdf_emitter(&from, instance.instance, triangle.primitive, wi, distance);
                assert!(pdf > 0.0, "{from:?} {instance:?} {triangle:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 20_000, "{tried} contributions were tried");
}
