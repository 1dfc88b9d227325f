//! Skies: what they bring, which way they are turned, what they need.

use std::f32::consts::PI;

use glam::Vec3;
use scrutineer::light::{LightError, LightFrom, Lights, LightsDescription, SkyKind, Sun};
use scrutineer::texture::FloatImage;

use crate::tools::{Random, integrate_sphere, irradiance};
use crate::{build, facing, gradient_image, hosek, image_sky, with_sky};

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
        FloatImage { width: width as u32, height: height as u32, texels }
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
