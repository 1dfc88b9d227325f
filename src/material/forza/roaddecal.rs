//! What the two road-decal families have in common: paint, crossings, patches and seams a few millimetres above the road.
//!
//! Documentation 001, rows uber_roaddecal, uber_roaddecalretro; the uvM sentence; "Road decals"; 002 for what they are.
//!
//! ```text
//! uv = uv0·RoadUVMultiplierA       D = DecalDiffuseATexture(uv)       uvM = TEXCOORD[ModulateUV]·ModulateUVTiling
//! albedo     D.rgb
//!   tint     overlay(c, ObjectTintColor^(1/2.2))              where PerObjectTint0OnOff
//!   T        overlay(c, COLOR.b)
//!   M        c·(1 + (Mod.w − 1)·k),   k = sat(DecalNormalA(uv).a + 1 − HeightInfluence)·COLOR.r
//!   far      lerp(c, FadeColor, smoothstep(sat((footprint − FadeStart)/(FadeEnd − FadeStart))))
//! roughness  D.a;  M: ·(1 + (Mod.b − 1)·k);  frost: r + sat(4·sat((½ − Min)/(Max − Min))·FrostAmount)·(0.43 − r)
//! normal     standard decode of DecalNormalA(uv)
//! test value s = mask·fade, or sat((mask + fade − 1)/MaxHeightAlpha) with HA;  retro: · retro_distance_fade
//!            mask = DecalMaskATexture(uv0).r,  fade = AlphaFadeOnOff ? COLOR.g : 1
//! ```
//!
//! With the dither off a pixel is kept where s reaches `alpha_reference`; with it on the test value becomes ±½ (ops::dither).
//! Permutations without a mask test compare 1: a reference above 1 drops the draw. The diffuse alpha is roughness, never
//! opacity. Decided: the order on albedo; the screen derivative of uv0.x is the input `uv0_footprint`.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::{Binder, Tokens};
use crate::material::ops::cutout::alpha_test;
use crate::material::ops::dither::screen_keep;
use crate::material::ops::math::{ENCODE, lerp, lerp3, pow3, sat, smoothstep, step_range};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::overlay::overlay3;
use crate::material::{Class, Context, Material, Opacity, Point, Slot};
use crate::scene::world::Dither;

/// What decides whether a pixel is kept.
pub(super) enum Test {
    /// The whole draw or none of it.
    Draw,
    /// mask · fade.
    Mask,
    /// `uber_roaddecalretro`: mask · fade, or the `HA` form with its `MaxHeightAlpha`, then the distance fade.
    Retro { max_height_alpha: Option<f32> },
}

/// A bound road decal of either family.
pub(super) struct RoadDecal {
    test: Test,
    /// `Mask_MetalnessATexture`, where the permutation reads it.
    metalness: Option<Slot>,
    /// Token `T`.
    tinted: bool,
    /// Tokens `M`, `Modulate`.
    modulated: bool,
    diffuse_a: Slot,
    mask_a: Slot,
    normal_a: Slot,
    modulate: Slot,
    uv_multiplier_a: Vec2,
    /// `ObjectTintColor`^(1/2.2), where `PerObjectTint0OnOff`.
    object_tint: Option<Vec3>,
    modulate_uv: i32,
    modulate_uv_tiling: Vec2,
    height_influence: f32,
    alpha_fade_on: bool,
    /// sat(4·sat((½ − FrostHeightMin)/(FrostHeightMax − FrostHeightMin))·FrostAmount).
    frost: f32,
    fade_color: Vec3,
    fade_start: f32,
    fade_end: f32,
}

impl RoadDecal {
    /// Reads what both families share; each adds its own test and metalness.
    pub(super) fn bind(binder: &mut Binder, tokens: &Tokens, test: Test, metalness: Option<Slot>) -> Self {
        let tint_on = binder.boolean("PerObjectTint0OnOff", false);
        let tint = binder.vec3("ObjectTintColor", [0.2176376, 0.2176376, 0.2176376]);
        binder.boolean("Enabled", true);
        Self {
            test,
            metalness,
            tinted: tokens.has("T"),
            modulated: tokens.has("M") || tokens.has("Modulate"),
            diffuse_a: binder.texture("DecalDiffuseATexture", [1.0, 1.0, 1.0, 1.0]),
            mask_a: binder.texture("DecalMaskATexture", [1.0, 1.0, 1.0, 1.0]),
            normal_a: binder.texture("DecalNormalA", [0.5, 0.5, 1.0, 1.0]),
            modulate: binder.texture("ModulateTexture", [0.5, 0.5, 1.0, 1.0]),
            uv_multiplier_a: binder.vec2("RoadUVMultiplierA", [1.0, 1.0]),
            object_tint: tint_on.then(|| pow3(tint, ENCODE)),
            modulate_uv: binder.integer("ModulateUV", 0),
            modulate_uv_tiling: binder.vec2("ModulateUVTiling", [1.0, 1.0]),
            height_influence: binder.number("HeightInfluence", 0.0),
            alpha_fade_on: binder.boolean("AlphaFadeOnOff", false),
            frost: bind_frost(binder),
            fade_color: binder.vec3("FadeColor", [0.0, 0.0, 0.0]),
            fade_start: binder.number("FadeStart", 1e6),
            fade_end: binder.number("FadeEnd", 2e6),
        }
    }

    /// s; 1 where no mask is tested.
    fn test_value(&self, point: &Point, context: &Context) -> f32 {
        if matches!(self.test, Test::Draw) {
            return 1.0;
        }
        let mask = self.mask_a.sample(point.uv[0], point, context).x;
        let fade = if self.alpha_fade_on { point.color.y } else { 1.0 };
        let distance_fade = context.world.retro_distance_fade;
        match self.test {
            Test::Retro { max_height_alpha: Some(most) } => sat((mask + fade - 1.0) / most) * distance_fade,
            Test::Retro { max_height_alpha: None } => mask * fade * distance_fade,
            Test::Mask | Test::Draw => mask * fade,
        }
    }

    fn tested(&self, point: &Point, context: &Context) -> Opacity {
        let s = self.test_value(point, context);
        let world = context.world;
        if !self.dithered() || world.dither != Dither::Screen {
            return alpha_test(s, context);
        }
        let keep = screen_keep(s, point.pixel, world.frame_index, world.dither_temporal);
        let value = if keep { 0.5 } else { -0.5 };
        Opacity { discard: value < world.alpha_reference, coverage: s }
    }

    fn modulate_sample(&self, point: &Point, context: &Context) -> Vec4 {
        let uv_m = match self.modulate_uv {
            index @ 0..=2 => point.uv[index as usize] * self.modulate_uv_tiling,
            _ => Vec2::ZERO,
        };
        self.modulate.sample(uv_m, point, context)
    }

    /// The object tint and the vertex tint, in this order.
    fn overlaid(&self, d: Vec3, point: &Point) -> Vec3 {
        let c = self.object_tint.map_or(d, |tint| overlay3(d, tint));
        if self.tinted { overlay3(c, Vec3::splat(point.color.z)) } else { c }
    }
}

fn bind_frost(binder: &mut Binder) -> f32 {
    let min = binder.number("FrostHeightMin", 0.0);
    let max = binder.number("FrostHeightMax", 1.0);
    let amount = binder.number("FrostAmount", 0.0);
    sat(4.0 * step_range(0.5, min, max) * amount)
}

impl Material for RoadDecal {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = point.uv[0] * self.uv_multiplier_a;
        let Opacity { discard, coverage } = self.tested(point, context);
        let d = self.diffuse_a.sample(uv, point, context);
        let n = self.normal_a.sample(uv, point, context);

        let mut c = self.overlaid(d.xyz(), point);
        let mut r = d.w;
        if self.modulated {
            let m = self.modulate_sample(point, context);
            let k = sat(n.w + 1.0 - self.height_influence) * point.color.x;
            c *= 1.0 + (m.w - 1.0) * k;
            r *= 1.0 + (m.z - 1.0) * k;
        }
        let far = smoothstep(step_range(point.uv0_footprint, self.fade_start, self.fade_end));
        let albedo = lerp3(c, self.fade_color, far);
        let roughness = lerp(r, 0.43, self.frost);

        let metalness = self.metalness.as_ref().map_or(0.0, |mask| mask.sample(uv, point, context).x);
        let normal = Frame::uv0(point).to_world_green_down(decode(n));
        GBuffer { discard, coverage, metalness, roughness, ..GBuffer::new(albedo, normal) }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        self.tested(point, context)
    }

    /// Every permutation can: a reference above 1 drops a draw that tests no mask.
    fn may_discard(&self) -> bool {
        true
    }

    fn dithered(&self) -> bool {
        !matches!(self.test, Test::Draw)
    }

    fn class(&self) -> Class {
        Class::RoadDecal
    }
}
