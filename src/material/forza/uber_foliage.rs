//! `uber_foliage`: leaves of trees, bushes and grass, and the impostors of far trees.
//!
//! Documentation 001, rows uber_foliage; "Foliage, branch and facade-LOD permutations: uber_foliage".
//!
//! ```text
//! D = DiffuseTexture(uv0)      albedo = D.rgb · F(ao)      metalness = 0
//! coverage = sat((D.a − AlphaStepMin)/(AlphaStepMax − AlphaStepMin)), tested in every permutation
//! ao = lerp(1, RTAOTexture(uv0).b^MediumDOPower, MediumDOIntensity)
//! roughness = NormalTexture(uv0).a · RoughnessScale
//! n = standard decode of NormalTexture(uv0);  normal = normalize(n + (up − n)·f)
//! f = sat(NormalFadeOffset + 1 − sat((d − FadedNormalEndDistance)/(FadedNormalStartDistance − FadedNormalEndDistance)))
//! ```
//!
//! so f is 0 nearer than the start and 1 beyond the end. Tokens: one that begins with `Bush`, `Grass` or `Tree`; `VL` and
//! `Billboard` write no roughness (1) and no normal (the vertex normal); `Impostor` reads every texture from the view atlas
//! (see `impostor.rs`), blended before use, with normal = normalize(2·rgb − 1) in object space and no fade. `Tint`, `Static`
//! and `PunchThrough` have no effect. Back faces keep the front normal.
//!
//! Open: the canopy normal of `Tree` (the bush formula is used), the tint map and LUT, the depth march and MaskTexture of the
//! impostors, RTAOTexture.b in the roughness of Grass3DNoFlattenVCO. Decided: the form of ao.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::impostor::{Views, encode};
use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::cutout::alpha_test;
use crate::material::ops::math::{lerp, lerp3, sat, step_range};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion::albedo_factor;
use crate::material::ops::view;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// A bound `uber_foliage` material.
pub struct UberFoliage {
    /// Token `Impostor`.
    impostor: bool,
    /// Tokens `VL`, `Billboard`: no roughness, no normal.
    plain: bool,
    /// `DiffuseTexture`: rgb albedo, a coverage; white.
    diffuse: Slot,
    /// `NormalTexture`: rg normal (rgb of impostors, object space), a roughness; flat.
    normal: Slot,
    /// `RTAOTexture`: b occlusion; white.
    rtao: Slot,
    /// `AlphaStepMin`, default 0.
    alpha_step_min: f32,
    /// `AlphaStepMax`, default 1.
    alpha_step_max: f32,
    /// `RoughnessScale`, default 1.
    roughness_scale: f32,
    /// `NormalFadeOffset`, default 0.
    normal_fade_offset: f32,
    /// `FadedNormalStartDistance`, metres, default 4500.
    fade_start: f32,
    /// `FadedNormalEndDistance`, metres, default 5000.
    fade_end: f32,
    /// `MediumDOPower`, default 1.
    medium_do_power: f32,
    /// `MediumDOIntensity`, 0..1, default 1.
    medium_do_intensity: f32,
    /// `HemiOctahedronRemapYPower`, 0 or above for impostors, default 1.
    remap_y_power: f32,
}

/// The registry entry of `uber_foliage`.
pub const FAMILY: Family = Family {
    name: "uber_foliage",
    summary: "Leaves of trees, bushes and grass, and impostors of far trees.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows uber_foliage; Foliage, branch and facade-LOD",
    permutations: Permutations::Tokens {
        acting: &["Impostor", "VL", "Billboard"],
        inert: &["Tint", "Static", "PunchThrough"],
        prefixes: &["Bush", "Grass", "Tree"],
    },
    inputs: &["position", "normal", "tangent", "uv0", "instance_position"],
    world: &["camera", "alpha_reference", "ao_minimum", "ao_into_albedo"],
    decisions: &[
        "Occlusion is lerp(1, RTAOTexture.b^MediumDOPower, MediumDOIntensity); only the inputs are documented.",
        "Tint has no formula and no effect; the canopy normal of Tree is untraced: the bush formula is used.",
        "VL and Billboard: roughness 1, the vertex normal.",
        "Impostors look along normalize(camera − instance_position) in object space; without depth march and MaskTexture.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    let foliage = UberFoliage {
        impostor: tokens.has("Impostor"),
        plain: tokens.has("VL") || tokens.has("Billboard"),
        diffuse: binder.texture("DiffuseTexture", [1.0, 1.0, 1.0, 1.0]),
        normal: binder.texture("NormalTexture", [0.5, 0.5, 1.0, 1.0]),
        rtao: binder.texture("RTAOTexture", [1.0, 1.0, 1.0, 1.0]),
        alpha_step_min: binder.number("AlphaStepMin", 0.0),
        alpha_step_max: binder.number("AlphaStepMax", 1.0),
        roughness_scale: binder.number("RoughnessScale", 1.0),
        normal_fade_offset: binder.number("NormalFadeOffset", 0.0),
        fade_start: binder.number("FadedNormalStartDistance", 4500.0),
        fade_end: binder.number("FadedNormalEndDistance", 5000.0),
        medium_do_power: binder.number("MediumDOPower", 1.0),
        medium_do_intensity: binder.number("MediumDOIntensity", 1.0),
        remap_y_power: binder.number("HemiOctahedronRemapYPower", 1.0),
    };
    if foliage.impostor && foliage.remap_y_power < 0.0 {
        binder.refuse("HemiOctahedronRemapYPower", "must not be negative: the atlas would not cover every direction");
    }
    Box::new(foliage)
}

impl UberFoliage {
    /// The atlas frames to read, for impostors.
    fn views(&self, point: &Point, context: &Context) -> Option<Views> {
        if !self.impostor {
            return None;
        }
        let toward_camera = (context.world.camera - point.instance_position).normalize();
        let object = point.instance_rotation().transpose() * toward_camera;
        Some(Views::new(encode(object, self.remap_y_power), point.uv[0]))
    }

    fn read(&self, slot: &Slot, views: &Option<Views>, point: &Point, context: &Context) -> Vec4 {
        match views {
            Some(views) => views.sample(slot, point, context),
            None => slot.sample(point.uv[0], point, context),
        }
    }

    fn tested(&self, alpha: f32, context: &Context) -> Opacity {
        alpha_test(step_range(alpha, self.alpha_step_min, self.alpha_step_max), context)
    }

    /// n, decoded and turned upward with distance.
    fn faded_normal(&self, sample: Vec4, point: &Point, context: &Context) -> Vec3 {
        let n = Frame::uv0(point).to_world_green_down(decode(sample));
        let near = step_range(view::distance(point, context), self.fade_end, self.fade_start);
        let f = sat(self.normal_fade_offset + 1.0 - near);
        lerp3(n, Vec3::Y, f).normalize()
    }

    fn roughness_and_normal(&self, views: &Option<Views>, point: &Point, context: &Context) -> (f32, Vec3) {
        if self.plain {
            return (1.0, point.normal);
        }
        let sample = self.read(&self.normal, views, point, context);
        let normal = match self.impostor {
            true => point.instance_rotation() * (2.0 * sample.xyz() - 1.0).normalize(),
            false => self.faded_normal(sample, point, context),
        };
        (sample.w * self.roughness_scale, normal)
    }
}

impl Material for UberFoliage {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let views = self.views(point, context);
        let d = self.read(&self.diffuse, &views, point, context);
        let Opacity { discard, coverage } = self.tested(d.w, context);

        let occlusion = self.read(&self.rtao, &views, point, context).z;
        let ao = lerp(1.0, occlusion.powf(self.medium_do_power), self.medium_do_intensity);
        let albedo = d.xyz() * albedo_factor(context.world, ao);

        let (roughness, normal) = self.roughness_and_normal(&views, point, context);
        GBuffer { discard, coverage, roughness, ambient_occlusion: ao, ..GBuffer::new(albedo, normal) }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        // The same alpha from every view: no need to find the frames.
        let alpha = match self.diffuse.as_constant() {
            Some(constant) => constant.w,
            None => self.read(&self.diffuse, &self.views(point, context), point, context).w,
        };
        self.tested(alpha, context)
    }

    fn may_discard(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, sampled, samples, try_bind};
    use super::*;
    use crate::scene::world::World;
    use glam::{Mat3, Vec2};
    use serde_json::{Value, json};

    fn foliage(permutation: &str, values: Value, camera: Vec3) -> GBuffer {
        let world = World { camera, ..World::default() };
        evaluate(&FAMILY, permutation, values, &Point::default(), &world)
    }

    #[test]
    fn the_normal_fades_upward_between_start_and_end_in_that_direction() {
        let values = || json!({ "NormalTexture": [1.0, 0.5, 0.0, 1.0] });
        let x = |distance: f32, values| foliage("_Grass", values, Vec3::Y * distance).normal.x;
        assert!((x(4000.0, values()) - 1.0).abs() < 1e-6);
        assert!((x(4750.0, values()) - 0.5f32.sqrt()).abs() < 1e-6);
        assert!(x(5100.0, values()).abs() < 1e-6);
        let none = json!({ "NormalTexture": [1.0, 0.5, 0.0, 1.0], "FadedNormalStartDistance": 0.0, "FadedNormalEndDistance": 0.0 });
        assert!((x(9000.0, none) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn an_empty_alpha_range_is_a_hard_step() {
        let coverage = |alpha: f32| {
            let values = json!({ "DiffuseTexture": [1.0, 1.0, 1.0, alpha], "AlphaStepMin": 0.5, "AlphaStepMax": 0.5 });
            foliage("_Bush", values, Vec3::ZERO).coverage
        };
        assert_eq!([0.4, 0.5, 0.6].map(coverage), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn low_quality_permutations_write_no_normal_and_do_not_sample_one() {
        for permutation in ["_Tree_VL", "_Billboard", "_Tree_Impostor_VL"] {
            let g = foliage(permutation, json!({ "NormalTexture": [1.0, 0.0, 0.0, 0.25] }), Vec3::ZERO);
            assert_eq!((g.roughness, g.normal), (1.0, Vec3::Y), "{permutation}");
            assert!(!sampled(&FAMILY, permutation, json!({})).contains(&"NormalTexture"));
        }
    }

    #[test]
    fn back_faces_keep_the_front_normal() {
        let world = World::default();
        let material = bound(&FAMILY, "_Tree", json!({ "NormalTexture": [0.8, 0.4, 0.0, 1.0] }));
        let seen = |front_facing| material.evaluate(&Point { front_facing, ..Point::default() }, &Context::new(&world));
        assert_eq!(seen(true), seen(false));
    }

    #[test]
    fn an_impostor_turns_with_its_instance() {
        let values = || json!({ "NormalTexture": [1.0, 0.5, 0.5, 1.0] });
        let quarter = Mat3::from_rotation_y(0.5);
        let world = |camera| World { camera, ..World::default() };
        let (seen, turned) = (Vec3::new(3.0, 2.0, 1.0), quarter * Vec3::new(3.0, 2.0, 1.0));
        let material = bound(&FAMILY, "_Impostor", values());
        let rotated = Point { instance_axes: quarter, ..Point::default() };
        let there = material.evaluate(&rotated, &Context::new(&world(turned)));
        let here = material.evaluate(&Point::default(), &Context::new(&world(seen)));
        assert!(here.normal.abs_diff_eq(Vec3::X, 1e-6));
        assert!(there.normal.abs_diff_eq(quarter * Vec3::X, 1e-6));
    }

    #[test]
    fn an_impostor_reads_four_frames_of_each_texture_in_order() {
        let world = World { camera: Vec3::new(0.0, 0.0, 5.0), ..World::default() };
        let recorder = Default::default();
        let context = Context { world: &world, recorder: Some(&recorder) };
        bound(&FAMILY, "_Impostor", json!({})).evaluate(&Point::default(), &context);
        // Along +z: (u, v) = (−1, 1), the corner frame (0, 3).
        let frames: Vec<Vec2> = recorder.borrow().iter().take(4).map(|sample| sample.uv.unwrap() * 4.0).collect();
        assert_eq!(frames, [Vec2::new(0.0, 2.0), Vec2::new(1.0, 2.0), Vec2::new(0.0, 3.0), Vec2::new(1.0, 3.0)]);
        assert_eq!(recorder.borrow().len(), 12);
    }

    #[test]
    fn opacity_agrees_with_evaluate() {
        let world = World { camera: Vec3::ONE, alpha_reference: 0.4, ..World::default() };
        for alpha in [0.0, 0.3, 0.4, 0.7] {
            let values = json!({ "DiffuseTexture": [1.0, 1.0, 1.0, alpha] });
            let material = bound(&FAMILY, "_Impostor", values);
            let (point, context) = (Point::default(), Context::new(&world));
            let (g, o) = (material.evaluate(&point, &context), material.opacity(&point, &context));
            assert_eq!((g.discard, g.coverage), (o.discard, o.coverage));
        }
    }

    #[test]
    fn any_word_after_the_plant_is_accepted_but_no_other_plant() {
        for permutation in
            ["_BushVertDeformHiQDoubleSided_Tint", "_grass3DNoFlattenVCO", "_Tree_VL", "", "_Static_PunchThrough"]
        {
            assert!(try_bind(&FAMILY, permutation, &json!({})).is_ok(), "{permutation}");
        }
        assert!(try_bind(&FAMILY, "_Cactus", &json!({})).is_err());
        assert_eq!(samples(&FAMILY, "_Tree", json!({}), &Point::default()).len(), 3);
    }
}
