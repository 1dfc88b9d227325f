//! Lights: what they bring to a surface against closed forms, and that every pdf is the density that it claims to be.

#[path = "support/light_tools.rs"]
mod tools;

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};
use scrutineer::light::{
    EmissiveInstance, EmissiveMesh, EmissiveTriangle, FloatImage, LightError, LightFrom, Lights, LightsDescription,
    Punctual, PunctualKind, Rectangle, SampleKind, SkyDescription, SkyKind, Sun,
};
use tools::{Estimate, Random, integrate_sphere, irradiance, polygon_irradiance};

fn sun(direction: Vec3, angular_diameter: f32) -> Sun {
    Sun { direction, irradiance: Vec3::new(20.0, 19.0, 17.0), angular_diameter, group: 1 }
}

fn with_sky(kind: SkyKind) -> LightsDescription {
    LightsDescription { sky: Some(SkyDescription { kind, group: 2 }), ..Default::default() }
}

fn hosek(elevation: f32) -> LightsDescription {
    let (sin, cos) = elevation.to_radians().sin_cos();
    let kind = SkyKind::Hosek { turbidity: 3.0, ground_albedo: Vec3::splat(0.2), scale: 1.0 };
    LightsDescription { sun: Some(sun(Vec3::new(0.6 * cos, sin, -0.8 * cos), 0.53)), ..with_sky(kind) }
}

fn gradient_image() -> FloatImage {
    let (width, height) = (32, 16);
    let texel = |i: usize| [(i % width) as f32 * 0.1, (i / width) as f32, if i == 77 { 500.0 } else { 1.0 }, 1.0];
    FloatImage { width, height, texels: (0..width * height).map(texel).collect() }
}

fn image_sky(image: FloatImage, rotation: f32) -> LightsDescription {
    with_sky(SkyKind::Image { image, rotation, scale: 1.0 })
}

fn build(description: &LightsDescription) -> Lights {
    Lights::build(description).unwrap()
}

fn facing(n: Vec3) -> LightFrom {
    LightFrom { p: Vec3::ZERO, n: Some(n) }
}

fn quad(mesh: u32, center: Vec3, u: Vec3, v: Vec3) -> (EmissiveMesh, EmissiveInstance) {
    let rectangle = Rectangle { center, u, v, radiance: Vec3::splat(3.0) };
    (rectangle.emissive_mesh(mesh), placed(mesh, mesh, Affine3A::IDENTITY))
}

fn placed(instance: u32, mesh: u32, transform: Affine3A) -> EmissiveInstance {
    EmissiveInstance { instance, mesh, transform, double_sided: false, group: 3 }
}

/// A sphere of 8 · 4^level triangles.
fn sphere(mesh: u32, level: u32) -> EmissiveMesh {
    let mut faces = Vec::new();
    for (x, y, z) in (0..8).map(|i| (1 - (i & 1) * 2, 1 - (i & 2), 1 - (i & 4) / 2)) {
        let [a, b, c] = [Vec3::X * x as f32, Vec3::Y * y as f32, Vec3::Z * z as f32];
        faces.push(if x * y * z > 0 { [a, b, c] } else { [a, c, b] });
    }
    for _ in 0..level {
        faces = faces
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let triangle = |(i, &p): (usize, &[Vec3; 3])| EmissiveTriangle { primitive: i as u32, p, radiance: 1.0 };
    EmissiveMesh { mesh, triangles: faces.iter().enumerate().map(triangle).collect() }
}

/// The irradiance of front-facing triangles above a surface at the origin, radiance 1.
fn triangles_irradiance(mesh: &EmissiveMesh, transform: &Affine3A, n: Vec3) -> f64 {
    let seen = mesh.triangles.iter().map(|t| t.p.map(|p| transform.transform_point3(p).as_dvec3()));
    let front = seen.filter(|[a, b, c]| (b - a).cross(c - a).dot(*a) < 0.0);
    front.map(|corners| polygon_irradiance(&corners, n.as_dvec3())).sum()
}

#[test]
fn a_sun_of_any_size_brings_its_irradiance() {
    for diameter in [0.0, 0.53, 20.0, 60.0] {
        for tilt in [0.0_f32, 0.5, 1.0] {
            let toward = Vec3::new(0.3, 0.8, 0.5).normalize();
            let n = Quat::from_axis_angle(toward.any_orthonormal_vector(), tilt) * toward;
            let lights = build(&LightsDescription { sun: Some(sun(toward, diameter)), ..Default::default() });
            let expected = 20.0 * f64::from(tilt.cos());
            irradiance(&lights, &facing(n), n, 0.0, 100_000).assert_is(expected, &format!("sun of {diameter} degrees"));
        }
    }
}

#[test]
fn rays_that_see_the_disc_gather_its_irradiance() {
    for (diameter, height) in [(0.53, 3e-5), (20.0, 0.03), (180.0, 2.0)] {
        let toward = Vec3::new(0.3, 0.8, 0.5).normalize();
        let lights = build(&LightsDescription { sun: Some(sun(toward, diameter)), ..Default::default() });
        let mut random = Random(5);
        let seen = Estimate::of(1_000_000, || {
            let wi = random.direction_near(toward, height);
            let mut sum = 0.0;
            lights.infinite(None, wi, |light| sum += f64::from(light.radiance.x * toward.dot(wi).max(0.0)));
            sum * f64::from(2.0 * PI * height)
        });
        seen.assert_is(20.0, &format!("sun of {diameter} degrees"));
    }
}

#[test]
fn lamps_light_a_plane_as_their_definitions_say() {
    let position = Vec3::new(1.0, 2.0, 0.5);
    let intensity = Vec3::splat(9.0);
    let direction = Vec3::new(0.0, -1.0, 0.1);
    let d2 = f64::from(position.length_squared());
    let cos = f64::from(position.normalize().y);
    let axis = f64::from(direction.normalize().dot(-position.normalize()));
    let (inner, outer) = (0.2_f32, 1.2_f32);
    let ramp = (axis - f64::from(outer.cos())) / f64::from(inner.cos() - outer.cos());
    let cases = [
        (PunctualKind::Point { position, intensity }, 9.0 * cos / d2),
        (PunctualKind::Spot { position, direction, intensity, inner, outer }, 9.0 * cos / d2 * ramp * ramp),
        (PunctualKind::Directional { direction, irradiance: intensity }, 9.0 * -f64::from(direction.normalize().y)),
    ];
    for (kind, expected) in cases {
        let punctual = vec![Punctual { kind, group: 0 }];
        let lights = build(&LightsDescription { punctual, ..Default::default() });
        irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 0.0, 100).assert_is(expected, &format!("{kind:?}"));
        let every: Vec<_> = lights.delta_lights(Vec3::ZERO).collect();
        assert_eq!(every.len(), 1);
        assert!(every[0].delta && every[0].pdf == 1.0);
    }
}

#[test]
fn a_rectangle_follows_lamberts_formula_from_near_to_far() {
    for (height, tilt) in [(0.05_f32, 0.0), (1.0, 0.7), (30.0, 0.3)] {
        let (center, u) = (Vec3::new(0.3, height, 0.1), Vec3::new(1.0, 0.0, 0.0));
        let v = Vec3::new(0.0, 0.02 * tilt, 1.0);
        let (mesh, instance) = quad(0, center, u, v);
        let corners = [center - u - v, center + u - v, center + u + v, center - u + v].map(Vec3::as_dvec3);
        let expected = 3.0 * polygon_irradiance(&corners, DVec3::Y);
        let description =
            LightsDescription { emissive_meshes: vec![mesh], emitters: vec![instance], ..Default::default() };
        // u × v points down: toward the surface.
        let lights = build(&description);
        irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 3.0, 2_000_000).assert_is(expected, &format!("at {height}"));
        let behind = LightFrom { p: center + Vec3::Y, n: None };
        assert!(lights.sample(&behind, [0.5; 4]).is_none(), "it shines from its front only");
    }
}

#[test]
fn placed_spheres_light_as_their_triangles_do() {
    let mesh = sphere(4, 3);
    let similar = Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.7),
        Quat::from_rotation_x(1.0),
        Vec3::new(0.5, 2.0, 0.0),
    );
    let skewed = Affine3A::from_mat3_translation(
        Mat3::from_cols(Vec3::new(3.0, 0.5, 0.0), Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.4, 0.0, 1.0)),
        Vec3::new(1.0, 2.5, -1.0),
    );
    for transform in [similar, skewed] {
        let description = LightsDescription {
            emissive_meshes: vec![mesh.clone()],
            emitters: vec![placed(0, 4, transform)],
            ..Default::default()
        };
        let expected = triangles_irradiance(&mesh, &transform, Vec3::Y);
        irradiance(&build(&description), &facing(Vec3::Y), Vec3::Y, 1.0, 3_000_000).assert_is(expected, "sphere");
    }
}

/// A mirrored instance keeps its front where the mesh's was: a sphere shines outward.
#[test]
fn mirrored_instances_shine_to_the_same_side() {
    let transform =
        Affine3A::from_scale_rotation_translation(Vec3::new(-1.0, 0.8, 1.2), Quat::IDENTITY, Vec3::new(0.0, 3.0, 0.0));
    let mesh = sphere(0, 3);
    let description = LightsDescription {
        emissive_meshes: vec![mesh.clone()],
        emitters: vec![placed(0, 0, transform)],
        ..Default::default()
    };
    let turned: Vec<_> =
        mesh.triangles.iter().map(|t| EmissiveTriangle { p: [t.p[0], t.p[2], t.p[1]], ..*t }).collect();
    let expected = triangles_irradiance(&EmissiveMesh { mesh: 0, triangles: turned }, &transform, Vec3::Y);
    irradiance(&build(&description), &facing(Vec3::Y), Vec3::Y, 1.0, 3_000_000).assert_is(expected, "mirrored sphere");
}

/// A box squeezed to nothing along one axis still has two faces; its other sides have no area left.
#[test]
fn an_instance_of_no_thickness_shines_without_nan() {
    let (mut mesh, _) = quad(0, Vec3::new(0.0, 0.5, 0.0), Vec3::X, Vec3::Z);
    let side = [Vec3::new(1.0, -0.5, 0.0), Vec3::new(1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 1.0)];
    mesh.triangles.push(EmissiveTriangle { primitive: 2, p: side, radiance: 3.0 });
    mesh.triangles.push(EmissiveTriangle { primitive: 3, p: [Vec3::ONE; 3], radiance: 3.0 });
    let flat =
        Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 0.0, 1.0), Quat::IDENTITY, Vec3::new(0.0, 2.0, 0.0));
    let description =
        LightsDescription { emissive_meshes: vec![mesh], emitters: vec![placed(0, 0, flat)], ..Default::default() };
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| DVec3::new(x, 2.0, z));
    let lights = build(&description);
    let expected = 3.0 * polygon_irradiance(&corners, DVec3::Y);
    irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 3.0, 400_000).assert_is(expected, "flat instance");
    assert_eq!(lights.pdf_emitter(&facing(Vec3::Y), 0, 2, Vec3::Y, 2.0), 0.0);
    assert_eq!(lights.pdf_emitter(&facing(Vec3::Y), 0, 3, Vec3::Y, 2.0), 0.0);
}

#[test]
fn skies_bring_the_integral_of_their_radiance() {
    let n = Vec3::new(0.2, 0.9, -0.4).normalize();
    let constant = with_sky(SkyKind::Constant { radiance: Vec3::splat(2.0) });
    irradiance(&build(&constant), &facing(n), n, 0.0, 1000).assert_is(2.0 * std::f64::consts::PI, "constant");
    let anywhere = LightFrom { p: Vec3::ZERO, n: None };
    irradiance(&build(&constant), &anywhere, n, 0.0, 2_000_000).assert_is(2.0 * std::f64::consts::PI, "no normal");
    let hosek_alone = |elevation| LightsDescription {
        sun: Some(Sun { irradiance: Vec3::ZERO, ..hosek(elevation).sun.unwrap() }),
        ..hosek(elevation)
    };
    let cases = [
        ("image", image_sky(gradient_image(), 40.0)),
        ("hosek 0", hosek_alone(0.0)),
        ("hosek 45", hosek_alone(45.0)),
        ("hosek 90", hosek_alone(90.0)),
    ];
    for (name, description) in cases {
        let lights = build(&description);
        let expected = integrate_sphere(|wi| {
            let mut radiance = 0.0;
            lights.infinite(None, wi, |light| radiance += f64::from(light.radiance.x));
            radiance * f64::from(n.dot(wi).max(0.0))
        });
        irradiance(&lights, &facing(n), n, 0.0, 2_000_000).assert_is(expected, name);
    }
}

/// ∫ of a radiance that only depends on the polar angle, by hand: rows 1, 0 of a two-row image give 1 above 45 degrees,
/// then fall linearly in the angle to 0 at 135.
#[test]
fn a_two_row_image_brings_what_its_bilinear_ramp_integrates_to() {
    let image = FloatImage { width: 1, height: 2, texels: vec![[1.0; 4], [0.0; 4]] };
    let lights = build(&image_sky(image, 0.0));
    let (a, b) = (PI as f64 / 4.0, PI as f64 / 2.0);
    // ½ ∫ (3/2 − 2θ/π) sin 2θ dθ from a to b, with the antiderivative of θ sin 2θ = sin 2θ / 4 − θ cos 2θ / 2.
    let f = |x: f64| {
        -0.75 * (2.0 * x).cos() - 2.0 / std::f64::consts::PI * ((2.0 * x).sin() / 4.0 - x * (2.0 * x).cos() / 2.0)
    };
    let ramp = 0.5 * (f(b) - f(a));
    let expected = std::f64::consts::TAU * (0.5 * a.sin().powi(2) + ramp);
    irradiance(&lights, &facing(Vec3::Y), Vec3::Y, 0.0, 400_000).assert_is(expected, "ramp");
}

#[test]
fn the_sky_images_orientation_is_as_documented() {
    let (width, height) = (64, 32);
    let red_at = |column: usize, row: usize| {
        let mut texels = vec![[0.0, 0.0, 1.0, 1.0]; width * height];
        texels[row * width + column] = [1.0, 0.0, 0.0, 1.0];
        FloatImage { width, height, texels }
    };
    let angle = |degrees: f32| degrees.to_radians();
    // Half a texel is 2.8 degrees: texel 32 is right of the centre, texel 16 below the horizon.
    let toward = |azimuth: f32, elevation: f32| {
        let ((sa, ca), (se, ce)) = (angle(azimuth).sin_cos(), angle(elevation).sin_cos());
        Vec3::new(sa * ce, se, -ca * ce)
    };
    let cases = [
        ("centre", 32, 16, 0.0, toward(2.8125, -2.8125)),
        ("three quarters of u is +X", 48, 16, 0.0, toward(92.8125, -2.8125)),
        ("the top row is up", 0, 0, 0.0, toward(-177.1875, 87.1875)),
        ("the bottom row is down", 0, 31, 0.0, toward(-177.1875, -87.1875)),
        ("a rotation turns the centre toward +X", 32, 16, 90.0, toward(92.8125, -2.8125)),
        ("u wraps", 63, 10, 0.0, toward(177.1875, 30.9375)),
    ];
    for (name, column, row, rotation, wi) in cases {
        let lights = build(&image_sky(red_at(column, row), rotation));
        let mut seen = Vec3::ZERO;
        lights.infinite(None, wi, |light| seen = light.radiance);
        assert!((seen - Vec3::X).length() < 1e-3, "{name}: {seen}");
    }
}

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

#[test]
fn double_sided_emitters_shine_from_behind_as_well() {
    let (mesh, instance) = quad(0, Vec3::new(0.0, 2.0, 0.0), Vec3::X, -Vec3::Z);
    let description = |double_sided| LightsDescription {
        emissive_meshes: vec![mesh.clone()],
        emitters: vec![EmissiveInstance { double_sided, ..instance }],
        ..Default::default()
    };
    assert!(build(&description(false)).sample(&facing(Vec3::Y), [0.5; 4]).is_none());
    assert_eq!(build(&description(false)).pdf_emitter(&facing(Vec3::Y), 0, 0, Vec3::Y, 2.0), 0.0);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| DVec3::new(x, 2.0, z));
    let expected = 3.0 * polygon_irradiance(&corners, DVec3::Y);
    irradiance(&build(&description(true)), &facing(Vec3::Y), Vec3::Y, 3.0, 400_000).assert_is(expected, "back");
}

#[test]
fn hosek_skies_need_a_sun_at_the_horizon_or_above() {
    for elevation in [0.0, 45.0, 90.0] {
        let lights = build(&hosek(elevation));
        let mut random = Random(1);
        for _ in 0..10_000 {
            let wi = random.direction();
            lights.infinite(Some(&facing(Vec3::Y)), wi, |light| {
                assert!(light.radiance.is_finite() && light.radiance.min_element() >= 0.0 && light.pdf.is_finite());
                let shines = light.group == 2 && light.radiance != Vec3::ZERO;
                assert_eq!(wi.y >= 0.0, shines || light.group == 1, "{elevation}: {wi} {light:?}");
                assert!(!shines || light.pdf > 0.0, "{elevation}: {wi}");
            });
        }
    }
    assert!(matches!(Lights::build(&hosek(-1.0)), Err(LightError::HosekSunBelowHorizon(_))));
    let without_sun = LightsDescription { sun: None, ..hosek(30.0) };
    assert!(matches!(Lights::build(&without_sun), Err(LightError::HosekWithoutSun)));
    let mut turbid = hosek(30.0);
    turbid.sky.as_mut().unwrap().kind = SkyKind::Hosek { turbidity: 0.5, ground_albedo: Vec3::ONE, scale: 1.0 };
    assert!(matches!(Lights::build(&turbid), Err(LightError::Turbidity(_))));
}

/// Twenty thousand instances of five thousand triangles: flattened, these would be a hundred million lights.
#[test]
fn instances_share_their_meshs_tree() {
    let mut random = Random(43);
    let mesh = sphere(0, 5);
    assert_eq!(mesh.triangles.len(), 8192);
    let place = |(i, random): (u32, &mut Random)| {
        let rotation = Quat::from_axis_angle(random.direction(), random.within(0.0, 3.0));
        placed(i, 0, Affine3A::from_scale_rotation_translation(Vec3::splat(0.2), rotation, random.vector(500.0)))
    };
    let emitters = (0..20_000).map(|i| place((i, &mut random))).collect();
    let lights = build(&LightsDescription { emissive_meshes: vec![mesh], emitters, ..Default::default() });
    let mut hits = 0;
    for _ in 0..20_000 {
        let from = LightFrom { p: random.vector(500.0), n: Some(random.direction()) };
        let Some(sample) = lights.sample(&from, random.four()) else { continue };
        let SampleKind::Emitter { instance, primitive, .. } = sample.kind else { panic!("{sample:?}") };
        let pdf = lights.pdf_emitter(&from, instance, primitive, sample.wi, sample.distance);
        assert!((pdf / sample.pdf - 1.0).abs() < 1e-3, "{pdf} {sample:?}");
        hits += 1;
    }
    // The rest ends at nodes whose bounds promised light that none of their triangles sends to the point.
    assert!(hits > 12_000, "{hits} of 20000 samples found a light");
}

#[test]
fn an_empty_scene_and_dark_lights_give_no_samples() {
    let dark = Punctual { kind: PunctualKind::Point { position: Vec3::Y, intensity: Vec3::ZERO }, group: 0 };
    let black = with_sky(SkyKind::Constant { radiance: Vec3::ZERO });
    for description in [LightsDescription::default(), LightsDescription { punctual: vec![dark], ..black }] {
        assert!(build(&description).sample(&facing(Vec3::Y), [0.3; 4]).is_none());
    }
    let below = LightsDescription { sun: Some(sun(-Vec3::Y, 0.53)), ..Default::default() };
    assert!(build(&below).sample(&facing(Vec3::Y), [0.3; 4]).is_none());
    let unknown = LightsDescription { emitters: vec![placed(3, 9, Affine3A::IDENTITY)], ..Default::default() };
    assert_eq!(Lights::build(&unknown).unwrap_err(), LightError::UnknownMesh { instance: 3, mesh: 9 });
    let wide = PunctualKind::Spot {
        position: Vec3::ZERO,
        direction: Vec3::X,
        intensity: Vec3::ONE,
        inner: 0.0,
        outer: FRAC_PI_2 + 0.1,
    };
    let wide = LightsDescription { punctual: vec![Punctual { kind: wide, group: 0 }], ..Default::default() };
    assert!(matches!(Lights::build(&wide), Err(LightError::SpotCone { .. })));
}
