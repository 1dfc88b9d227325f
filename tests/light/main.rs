//! Lights: what they bring to a surface against closed forms, and that every pdf is the density that it claims to be.

mod densities;
mod emitters;
mod irradiance;
mod skies;
#[path = "../support/light_tools.rs"]
mod tools;

use glam::{Affine3A, Vec3};
use scrutineer::light::{
    EmissiveInstance, EmissiveMesh, EmissiveTriangle, LightFrom, Lights, LightsDescription, Rectangle, SkyDescription,
    SkyKind, Sun,
};
use scrutineer::texture::FloatImage;
use tools::polygon_irradiance;

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
    let (width, height) = (32u32, 16u32);
    let texel = |i: u32| [(i % width) as f32 * 0.1, (i / width) as f32, if i == 77 { 500.0 } else { 1.0 }, 1.0];
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
