//! Emissive instances: both sides, shared trees, nothing at all.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, DVec3, Quat, Vec3};
use scrutineer::light::{
    EmissiveInstance, LightError, LightFrom, Lights, LightsDescription, Punctual, PunctualKind, SampleKind, SkyKind,
};

use crate::tools::{Random, irradiance, polygon_irradiance};
use crate::{build, facing, placed, quad, sphere, sun, with_sky};

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
