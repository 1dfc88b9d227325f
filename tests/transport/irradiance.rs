//! Every light on a plane: the radiance that the plane sends back, against quadrature of the documented BRDF in f64.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};

use crate::brdf_reference::Reference;
use crate::quadrature::{Tolerance, integrate_2d};
use crate::scene::{Asset, Shape, Shot, orthographic, render, scene};

const TOLERANCE: Tolerance = Tolerance { absolute: 1e-9, relative: 1e-7 };

const SURFACES: [Reference; 3] = [
    Reference { albedo: 0.6, metalness: 0.0, roughness: 1.0 },
    Reference { albedo: 0.5, metalness: 0.25, roughness: 0.5 },
    Reference { albedo: 0.9, metalness: 1.0, roughness: 0.35 },
];

/// Toward the camera from the origin of the plane y = 0.
fn view() -> DVec3 {
    DVec3::new(0.5, 1.2, -0.4).normalize()
}

/// The reference's frame has its normal along z.
fn local(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, v.y)
}

/// f·cos for light from the unit direction `l`.
fn reflected(surface: &Reference, l: DVec3) -> f64 {
    if l.y <= 0.0 { 0.0 } else { surface.eval(local(l), local(view())).iter().sum::<f64>() * l.y }
}

/// Renders the plane's point at the origin under the light, and compares with the expected radiance (red).
#[track_caller]
fn check(what: &str, lights: &str, emitter: Option<&Shape>, samples: u32, expected: impl Fn(&Reference) -> f64) {
    for surface in &SURFACES {
        let (mean, error) = estimate(surface, lights, emitter, samples);
        let expected = expected(surface);
        let tolerance = 4.5 * error + 1e-4 * expected;
        assert!((mean - expected).abs() < tolerance, "{what}, {surface:?}: {mean} ± {error}, expected {expected}");
        assert!(tolerance < 0.01 * expected, "{what}, {surface:?}: {mean} ± {error} would not tell 1 % of {expected}");
    }
}

/// Mean and standard error over 4 × 4 pixels that all see the same point.
fn estimate(surface: &Reference, lights: &str, emitter: Option<&Shape>, samples: u32) -> (f64, f64) {
    let mut asset = Asset::default();
    let plain = asset.plain("plane", surface.albedo, surface.metalness, surface.roughness);
    asset.add("plane", &Shape::quad(Vec3::ZERO, Vec3::Z, Vec3::X), plain);
    if let Some(shape) = emitter {
        let light = asset.material(
            "light",
            serde_json::json!({"emissiveFactor": [1.0, 0.5, 0.25],
            "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0.0},
            "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}}}),
        );
        asset.json["extensionsUsed"] = serde_json::json!(["KHR_materials_emissive_strength"]);
        asset.add("light", shape, light);
    }
    let camera = orthographic(DVec3::ZERO, view(), 1e-4);
    let render_table = format!("[render]\nresolution = [4, 4]\nsamples = {samples}\nmax_depth = 2\n");
    let scene = scene(&format!("{render_table}{camera}{lights}\n[[geometry]]\nfile = \"a.glb\"\n"), &asset);
    let film = render(&scene, &Shot::default(), &["beauty"]);
    let pixels = (0..16).map(|i| film.estimate(i % 4, i / 4).unwrap());
    let sums = pixels.fold((0.0, 0.0), |sum, p| (sum.0 + p.mean[0], sum.1 + p.standard_error[0].powi(2)));
    (sums.0 / 16.0, f64::sqrt(sums.1) / 16.0)
}

const SUN: DVec3 = DVec3::new(-0.3, 0.8, 0.5);

fn sun(diameter: f64) -> String {
    format!("[sun]\ndirection = [-0.3, 0.8, 0.5]\nirradiance = [20, 19, 17]\nangular_diameter = {diameter:?}\n")
}

/// ∫ over a cone of half angle `half` about the unit `axis`.
fn over_cone(axis: DVec3, half: f64, f: impl Fn(DVec3) -> f64) -> f64 {
    let (x, y) = axis.any_orthonormal_pair();
    let integrand = |theta: f64, phi: f64| {
        let (sin, cos) = theta.sin_cos();
        f((x * phi.cos() + y * phi.sin()) * sin + axis * cos) * sin
    };
    integrate_2d(integrand, [0.0, half], [0.0, TAU], TOLERANCE).value
}

#[test]
fn sun_discs_and_the_delta_sun() {
    let axis = SUN.normalize();
    for diameter in [0.53_f64, 30.0] {
        let half = diameter.to_radians() / 2.0;
        let radiance = 20.0 / (PI * half.sin().powi(2));
        check("sun", &sun(diameter), None, 2048, |s| over_cone(axis, half, |l| radiance * reflected(s, l)));
    }
    check("delta sun", &sun(0.0), None, 32, |s| 20.0 * reflected(s, axis));
    let at =
        |elevation: f64| format!("[sun]\nelevation = {elevation:?}\nirradiance = [20, 19, 17]\nangular_diameter = 0\n");
    check("zenith", &at(90.0), None, 32, |s| 20.0 * reflected(s, DVec3::Y));
    assert_eq!(estimate(&SURFACES[0], &at(0.0), None, 32).0, 0.0, "a sun on the horizon grazes the plane");
}

#[test]
fn a_disc_that_is_partly_below_the_horizon() {
    let toml = "[sun]\nelevation = 3\nazimuth = 40\nirradiance = [20, 19, 17]\nangular_diameter = 24\n";
    let (sin_e, cos_e) = 3_f64.to_radians().sin_cos();
    let (sin_a, cos_a) = 40_f64.to_radians().sin_cos();
    let axis = DVec3::new(cos_e * sin_a, sin_e, -cos_e * cos_a);
    let half = 12_f64.to_radians();
    let radiance = 20.0 / (PI * half.sin().powi(2));
    check("low sun", toml, None, 1024, |s| {
        // By height above the plane, so that the horizon is an end of the domain.
        let top = (15_f64).to_radians();
        let integrand = |elevation: f64, azimuth: f64| {
            let (sin, cos) = elevation.sin_cos();
            let l = DVec3::new(cos * azimuth.sin(), sin, -cos * azimuth.cos());
            if l.dot(axis) >= half.cos() { radiance * reflected(s, l) * cos } else { 0.0 }
        };
        let coarse = Tolerance { absolute: 1e-6, relative: 1e-5 };
        let azimuth = 40_f64.to_radians();
        integrate_2d(integrand, [0.0, top], [azimuth - 0.22, azimuth + 0.22], coarse).value
    });
}

#[test]
fn a_constant_sky() {
    let theta = view().y.acos();
    check("sky", "[sky]\nkind = \"constant\"\nradiance = [2, 1, 0.5]\n", None, 2048, |s| {
        2.0 * s.directional_albedo(theta).iter().sum::<f64>()
    });
}

/// A Radiance picture of 16 × 8 texels m/128, without run lengths.
pub fn write_gradient(path: &std::path::Path) {
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8 +X 16\n".to_vec();
    for y in 0..8 {
        (0..16).for_each(|x| bytes.extend([gradient(x, y), 50, 50, 129]));
    }
    std::fs::write(path, bytes).unwrap();
}

fn gradient(x: usize, y: usize) -> u8 {
    (250 - 20 * y - 6 * (x as i32 - 6).unsigned_abs() as usize) as u8
}

/// The picture's radiance at polar angle π·v and azimuth turns u (0 the left edge), bilinear between texel centres.
fn bilinear(u: f64, v: f64) -> f64 {
    let (x, y) = (u * 16.0 - 0.5, (v * 8.0 - 0.5).clamp(0.0, 7.0));
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let texel = |dx: f64, dy: f64| {
        let column = (x.floor() + dx).rem_euclid(16.0) as usize;
        f64::from(gradient(column, (y.floor() + dy).min(7.0) as usize)) / 128.0
    };
    let row = |dy: f64| texel(0.0, dy) * (1.0 - fx) + texel(1.0, dy) * fx;
    row(0.0) * (1.0 - fy) + row(1.0) * fy
}

#[test]
fn a_picture_of_the_sky_turned_by_a_right_angle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sky.hdr");
    write_gradient(&path);
    let toml = format!("[sky]\nkind = \"image\"\nfile = {path:?}\nrotation = 90\nscale = 1.5\n");
    check("picture", &toml, None, 2048, |s| {
        let integrand = |v: f64, u: f64| {
            let (sin, cos) = (v * PI).sin_cos();
            // The centre, u = 1/2, looks along −Z; turned by 90° along +X. u grows from −Z toward +X.
            let azimuth = (u - 0.5) * TAU + 90_f64.to_radians();
            let l = DVec3::new(sin * azimuth.sin(), cos, -sin * azimuth.cos());
            1.5 * bilinear(u, v) * reflected(s, l) * sin * PI * TAU
        };
        let rows = [0.0, 0.5, 1.5, 2.5, 3.5, 4.0].map(|row| row / 8.0);
        let coarse = Tolerance { absolute: 1e-7, relative: 1e-5 };
        let cell = |row: usize, column: usize| {
            let u = [column as f64 + 0.5, column as f64 + 1.5].map(|x| x / 16.0);
            integrate_2d(integrand, [rows[row], rows[row + 1]], u, coarse).value
        };
        (0..5).map(|row| (0..16).map(|column| cell(row, column)).sum::<f64>()).sum()
    });
}

#[test]
fn point_and_spot() {
    let at = DVec3::new(-0.6, 1.4, 0.3);
    let (distance, l) = (at.length(), at.normalize());
    let point = "[[lights]]\nkind = \"point\"\nposition = [-0.6, 1.4, 0.3]\nintensity = [5, 4, 3]\n";
    check("point", point, None, 32, |s| 5.0 / distance.powi(2) * reflected(s, l));
    let spot = "[[lights]]\nkind = \"spot\"\nposition = [-0.6, 1.4, 0.3]\nintensity = [5, 4, 3]\n\
                direction = [0.1, -1, 0]\ninner = 10\nouter = 40\n";
    let cos = (-l).dot(DVec3::new(0.1, -1.0, 0.0).normalize());
    let (inner, outer) = (10_f64.to_radians().cos(), 40_f64.to_radians().cos());
    let ramp = ((cos - outer) / (inner - outer)).clamp(0.0, 1.0).powi(2);
    assert!((0.1..0.9).contains(&ramp));
    check("spot", spot, None, 32, |s| 5.0 / distance.powi(2) * ramp * reflected(s, l));
}

const CENTER: DVec3 = DVec3::new(-0.5, 1.1, 0.2);
const U: DVec3 = DVec3::new(0.4, 0.1, 0.0);
const V: DVec3 = DVec3::new(0.0, 0.1, 0.3);

/// What the plane reflects of a parallelogram of radiance 1, seen from its front u × v.
fn of_rectangle(s: &Reference) -> f64 {
    let normal = U.cross(V);
    let integrand = |a: f64, b: f64| {
        let p = CENTER + U * a + V * b;
        let (square, l) = (p.length_squared(), p.normalize());
        reflected(s, l) * (-l.dot(normal)).max(0.0) / square
    };
    integrate_2d(integrand, [-1.0, 1.0], [-1.0, 1.0], TOLERANCE).value
}

#[test]
fn a_rectangle_light_and_an_emissive_quad_shine_from_their_fronts() {
    assert!(U.cross(V).dot(CENTER) < 0.0, "the front must face the plane");
    let rectangle = |v: &str| {
        format!(
            "[[lights]]\nkind = \"rectangle\"\ncenter = [-0.5, 1.1, 0.2]\nu = [0.4, 0.1, 0]\nv = {v}\nradiance = [4, 2, 1]\n"
        )
    };
    check("rectangle", &rectangle("[0, 0.1, 0.3]"), None, 2048, |s| 4.0 * of_rectangle(s));
    // An emission scale is for materials: a light of the scene file keeps its radiance.
    let scaled = format!("[world]\nemission_scale = 3.0\n{}", rectangle("[0, 0.1, 0.3]"));
    check("rectangle", &scaled, None, 2048, |s| 4.0 * of_rectangle(s));
    let (center, u, v) = (CENTER.as_vec3(), U.as_vec3(), V.as_vec3());
    check("quad", "", Some(&Shape::quad(center, u, v)), 2048, |s| 4.0 * of_rectangle(s));
    let scaled = "[world]\nemission_scale = 0.5\n";
    check("scaled quad", scaled, Some(&Shape::quad(center, u, v)), 2048, |s| 2.0 * of_rectangle(s));
    for (lights, emitter) in [(rectangle("[0, -0.1, -0.3]"), None), (String::new(), Some(Shape::quad(center, v, u)))] {
        assert_eq!(estimate(&SURFACES[0], &lights, emitter.as_ref(), 64).0, 0.0, "the back is dark");
    }
}

#[test]
fn an_emissive_ball() {
    let ball = Shape::sphere(Vec3::new(-0.5, 1.0, 0.2), 0.35, 4);
    check("ball", "", Some(&ball), 8192, |s| {
        let corner = |index: &u32| ball.positions[*index as usize].as_dvec3();
        let faces =
            ball.indices.as_chunks::<3>().0.iter().map(|face| [corner(&face[0]), corner(&face[1]), corner(&face[2])]);
        // The ball is convex: the faces that look at the origin are all that it sees. Their midpoints will do: they are
        // 0.02 m wide.
        faces
            .map(|[a, b, c]| {
                let (area, p) = ((b - a).cross(c - a) * 0.5, (a + b + c) / 3.0);
                let l = p.normalize();
                4.0 * reflected(s, l) * (-l.dot(area)).max(0.0) / p.length_squared()
            })
            .sum()
    });
}
