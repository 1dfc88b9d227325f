//! `glass`: panes beside the track, drawn by a forward pass with the roughness and normal of its G-buffer shader.
//!
//! Documentation 001, rows glass; "Glass transparency".
//!
//! ```text
//! c = BCT ? BaseColour(uv0).rgb : TintColor;  M: the plot modulate of ModulateTexture(uv2·ModulateUVTiling), metalness 0
//! albedo = c          transmittance = 1 − k·c, per channel
//! k = (0.4·Alpha + 0.5)·(0.98 − ViewDependentTerm)·(1 − Cloudyness)·(1 − fog)        ATT: without the Alpha factor
//! r = RoughnessTexOnOff ? RoughnessTexture(uv0).r : Roughness;  M: the plot modulate of r
//! n = NormalTexOnOff ? standard decode of NormalTexture(uv0) : vertex normal
//! tilt = clamp(2·frac(InstanceHash) − 1, ±MaxPerturbAngle/90)
//! normal = lerp(n, normalize(n + tilt/2), GlassNormalOffsetStrength)
//! ATT: coverage = BaseColour.a, discard below 1e-4 (a cut-out in both passes; alpha_reference is not used)
//! ```
//!
//! Tokens: `BCT` (BaseColorTexOnOff), `M`, `ATT` (AlphaTestTexOnOff). `Standard` has no effect.
//!
//! Open: the view-dependent term of k and the hash of the instance position are untraced, so both are parameters. F0 reaches
//! the reflected term only. Decided: c is the colour after `M`; nothing is clamped, the tilted normal is not renormalised.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::{GBuffer, Glass as GlassTarget};
use crate::material::bind::Binder;
use crate::material::ops::cutout::SOLID;
use crate::material::ops::math::{frac, lerp3};
use crate::material::ops::modulate::Modulate;
use crate::material::ops::normal::{Frame, decode};
use crate::material::registry::{Family, Permutations};
use crate::material::{Class, Context, Material, Opacity, Point, Slot};

/// Alpha below which the `ATT` permutations discard.
const CUT_OUT: f32 = 1e-4;

/// A bound `glass` material.
pub struct Glass {
    /// Token `BCT`.
    base_color_tex: bool,
    /// Token `M`.
    modulated: bool,
    /// Token `ATT`.
    alpha_test_tex: bool,
    /// `BaseColour`: rgb colour, a the cut-out of `ATT`; white.
    base_colour: Slot,
    /// `RoughnessTexture` (our name): r; 0.
    roughness_texture: Slot,
    /// `NormalTexture` (our name): rg; flat.
    normal_texture: Slot,
    /// `ModulateTexture`; grey.
    modulate_texture: Slot,
    /// `TintColor`, linear, default white.
    tint_color: Vec3,
    /// `Alpha`, 0..1, default 1.
    alpha: f32,
    /// `Cloudyness`, 0..1, default 0: at 1 nothing is absorbed.
    cloudyness: f32,
    /// `F0`, 0..1, default 0.04: the reflected term only.
    f0: f32,
    /// `ViewDependentTerm` (our name), default 0.
    view_dependent_term: f32,
    /// `RoughnessTexOnOff`, default false.
    roughness_tex_on: bool,
    /// `NormalTexOnOff`, default false.
    normal_tex_on: bool,
    /// `Roughness`, 0..1, default 0.
    roughness: f32,
    /// `ModulateUVTiling`, default (1, 1).
    modulate_uv_tiling: Vec2,
    /// `_BrightnessStrength`, `_SaturationStrength`, `_RoughnessStrength`, default 1 each.
    modulate: Modulate,
    /// `GlassNormalOffsetStrength`, default 0.
    normal_offset_strength: f32,
    /// `MaxPerturbAngle`, degrees, default 0.
    max_perturb_angle: f32,
    /// `InstanceHash` (our name), default ½ each: no tilt.
    instance_hash: Vec3,
}

/// The registry entry of `glass`.
pub const FAMILY: Family = Family {
    name: "glass",
    summary: "Panes: reflect, and multiply what is behind by a transmittance.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows glass; Glass transparency",
    permutations: Permutations::Tokens { acting: &["BCT", "M", "ATT"], inert: &["Standard"], prefixes: &[] },
    inputs: &["normal", "tangent", "uv0", "uv2"],
    world: &["fog"],
    decisions: &[
        "RoughnessTexture, NormalTexture, ViewDependentTerm and InstanceHash are our names of untraced inputs.",
        "The transmittance takes the colour after M and is not clamped.",
        "ATT drops the whole factor 0.4·Alpha + 0.5 and reads BaseColour.a even without BCT.",
        "The reflected radiance (target 0) is the transport's: dst = target0 + dst · transmittance.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(Glass {
        base_color_tex: tokens.has("BCT"),
        modulated: tokens.has("M"),
        alpha_test_tex: tokens.has("ATT"),
        base_colour: binder.texture("BaseColour", [1.0, 1.0, 1.0, 1.0]),
        roughness_texture: binder.texture("RoughnessTexture", [0.0, 0.0, 0.0, 1.0]),
        normal_texture: binder.texture("NormalTexture", [0.5, 0.5, 1.0, 1.0]),
        modulate_texture: binder.texture("ModulateTexture", [0.5, 0.5, 0.5, 1.0]),
        tint_color: binder.vec3("TintColor", [1.0, 1.0, 1.0]),
        alpha: binder.number("Alpha", 1.0),
        cloudyness: binder.number("Cloudyness", 0.0),
        f0: binder.number("F0", 0.04),
        view_dependent_term: binder.number("ViewDependentTerm", 0.0),
        roughness_tex_on: binder.boolean("RoughnessTexOnOff", false),
        normal_tex_on: binder.boolean("NormalTexOnOff", false),
        roughness: binder.number("Roughness", 0.0),
        modulate_uv_tiling: binder.vec2("ModulateUVTiling", [1.0, 1.0]),
        modulate: Modulate::bind(binder),
        normal_offset_strength: binder.number("GlassNormalOffsetStrength", 0.0),
        max_perturb_angle: binder.number("MaxPerturbAngle", 0.0),
        instance_hash: binder.vec3("InstanceHash", [0.5, 0.5, 0.5]),
    })
}

impl Glass {
    /// BaseColour, where the permutation reads it; else its unbound value.
    fn base(&self, point: &Point, context: &Context) -> Vec4 {
        match self.base_color_tex || self.alpha_test_tex {
            true => self.base_colour.sample(point.uv[0], point, context),
            false => Vec4::ONE,
        }
    }

    fn cut_out(&self, alpha: f32) -> Opacity {
        if self.alpha_test_tex { Opacity { discard: alpha < CUT_OUT, coverage: alpha } } else { SOLID }
    }

    /// k, the share of the background that a white pane takes away.
    fn absorption(&self, fog: f32) -> f32 {
        let alpha = if self.alpha_test_tex { 1.0 } else { 0.4 * self.alpha + 0.5 };
        alpha * (0.98 - self.view_dependent_term) * (1.0 - self.cloudyness) * (1.0 - fog)
    }

    fn normal(&self, point: &Point, context: &Context) -> Vec3 {
        let n = match self.normal_tex_on {
            true => {
                let sample = self.normal_texture.sample(point.uv[0], point, context);
                Frame::uv0(point).to_world_green_down(decode(sample))
            }
            false => point.normal,
        };
        let most = self.max_perturb_angle / 90.0;
        // Not f32::clamp, which panics where the angle is negative.
        let tilt = self.instance_hash.map(|hash| (2.0 * frac(hash) - 1.0).max(-most).min(most));
        lerp3(n, (n + tilt / 2.0).normalize(), self.normal_offset_strength)
    }
}

impl Material for Glass {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let base = self.base(point, context);
        let Opacity { discard, coverage } = self.cut_out(base.w);
        let mut c = if self.base_color_tex { base.xyz() } else { self.tint_color };
        let mut roughness = match self.roughness_tex_on {
            true => self.roughness_texture.sample(point.uv[0], point, context).x,
            false => self.roughness,
        };
        if self.modulated {
            let m = self.modulate_texture.sample(point.uv[2] * self.modulate_uv_tiling, point, context);
            c = self.modulate.albedo(c, m, 0.0);
            roughness = self.modulate.roughness(roughness, m);
        }
        let transmittance = Vec3::ONE - self.absorption(context.world.fog) * c;
        let glass = Some(GlassTarget { transmittance, f0: self.f0 });
        GBuffer { discard, coverage, roughness, glass, ..GBuffer::new(c, self.normal(point, context)) }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        if self.alpha_test_tex { self.cut_out(self.base(point, context).w) } else { SOLID }
    }

    fn may_discard(&self) -> bool {
        self.alpha_test_tex
    }

    fn class(&self) -> Class {
        Class::Glass
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluate, sampled};
    use super::*;
    use crate::scene::world::World;
    use serde_json::{Value, json};

    fn pane(permutation: &str, values: Value) -> GBuffer {
        evaluate(&FAMILY, permutation, values, &Point::default(), &World::default())
    }

    fn transmittance(permutation: &str, values: Value) -> Vec3 {
        pane(permutation, values).glass.unwrap().transmittance
    }

    #[test]
    fn a_cloudy_pane_absorbs_nothing() {
        assert_eq!(transmittance("", json!({ "Cloudyness": 1.0, "TintColor": [0.2, 0.5, 0.9] })), Vec3::ONE);
    }

    #[test]
    fn att_drops_the_whole_alpha_factor() {
        let values = || json!({ "Alpha": 0.25 });
        assert!((transmittance("_Standard", values()).x - (1.0 - 0.6 * 0.98)).abs() < 1e-6);
        assert!((transmittance("_ATT", values()).x - 0.02).abs() < 1e-6);
    }

    #[test]
    fn att_cuts_out_below_a_ten_thousandth_even_without_bct() {
        let discards = |alpha: f32| pane("_ATT", json!({ "BaseColour": [1.0, 0.0, 0.0, alpha] })).discard;
        assert_eq!([0.0, 0.9e-4, 1e-4, 0.2].map(discards), [true, true, false, false]);
        assert_eq!(pane("_ATT", json!({ "BaseColour": [1.0, 0.0, 0.0, 1.0] })).albedo, Vec3::ONE);
        assert!(!pane("_BCT", json!({ "BaseColour": [1.0, 0.0, 0.0, 0.0] })).discard);
    }

    #[test]
    fn a_half_hash_is_neutral_and_the_tilt_is_bounded() {
        let normal = |hash: f32, angle: f32| {
            let values =
                json!({ "InstanceHash": [hash, 0.5, 0.5], "MaxPerturbAngle": angle, "GlassNormalOffsetStrength": 1.0 });
            pane("", values).normal
        };
        assert_eq!(normal(0.5, 90.0), Vec3::Y);
        assert_eq!(normal(0.9, 0.0), Vec3::Y);
        assert!(normal(0.0, 90.0).abs_diff_eq(Vec3::new(-0.5, 1.0, 0.0).normalize(), 1e-6));
        assert!(normal(0.0, 45.0).abs_diff_eq(Vec3::new(-0.25, 1.0, 0.0).normalize(), 1e-6));
        assert!(normal(0.9, -45.0).is_finite());
    }

    #[test]
    fn the_transmittance_takes_the_modulated_colour() {
        let g = pane("_M", json!({ "ModulateTexture": [0.9, 0.2, 0.5, 1.0], "TintColor": [0.3, 0.4, 0.5] }));
        assert!(g.glass.unwrap().transmittance.abs_diff_eq(1.0 - 0.9 * 0.98 * g.albedo, 1e-6));
        assert_ne!(g.albedo, Vec3::new(0.3, 0.4, 0.5));
    }

    #[test]
    fn switched_off_textures_are_not_sampled() {
        assert!(sampled(&FAMILY, "_Standard", json!({})).is_empty());
        let on = json!({ "RoughnessTexOnOff": true, "NormalTexOnOff": true });
        assert_eq!(sampled(&FAMILY, "_BCT", on), ["BaseColour", "RoughnessTexture", "NormalTexture"]);
    }
}
