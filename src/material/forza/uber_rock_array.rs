//! `uber_rock_array`: retaining walls, stone tiles and rock faces with five mid layers of which a mask picks two.
//!
//! Documentation 000, "uber_rock_array" and "Shared pieces". In its symbols:
//!
//! ```text
//! i, s       the layer pair and its weight: 4v split at whole numbers, v = Mid_Variation_Mask(uv0).x
//! mid        D_i → D_j by the height-aware weight b;   nmid likewise, in the uv1 frame
//! c1, r1     the macro colour and roughness, screened or multiplied with mid in display space
//! nmd        nmid plus the macro normal, in the uv0 frame
//! Up         w of UpMask(nmd) and a height: colour, roughness, normal, AO → the world-planar layer
//! Micro      a detail normal map in the uv1 frame, overlaid on colour and roughness; fades with |N·V|
//! Modulate   overlay by instance, weight 1 − max(up0, mm);   then tide(c, AO′), clamp, · F(AO′)
//! ```
//!
//! Permutations: exact names; `Micro`, `Up` (with `USU`), `Modulate`, `Moss` and `Spline` in the name switch the parts.
//! Metalness 0, no emission. Open and decided: see [`FAMILY`]'s decisions.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::math::{DECODE, ENCODE, lerp, lerp3, lerp4, pow3, sat, sat3, smoothstep};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::overlay::overlay3;
use crate::material::ops::rock::{Modulate, Tide, UpMask, height_step};
use crate::material::ops::{occlusion, view};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "uber_rock_array",
    summary: "rock and stone: two of five mid layers on a macro set, with up layer, micro, modulate and tide mark",
    source: "000 Rock and animated-prop shaders, uber_rock_array",
    permutations: Permutations::Names(&[
        "_Array_Micro_Spline",
        "_Array_Micro_Up_Modulate_USU",
        "_Array_Up_Modulate_USU",
        "_Array_Micro_Up_Modulate_USU_Moss",
        "_Array_Up_Modulate_USU_Moss",
    ]),
    inputs: &["position", "normal", "tangent", "tangent1", "uv0", "uv1", "color", "instance_variation", "scale"],
    world: &["camera", "ao_minimum", "ao_into_albedo"],
    decisions: &[
        "The colour blend `ov` stays as documented, although its branches are the reverse of an overlay.",
        "The AO factor on albedo takes AO′, the value that the tide reads.",
        "The normal after Up is not renormalised; it is written raw where no Micro follows.",
        "Without Up, up0 is 0; with UpMaskOnOffOnOff false it is 0 too, but the layer weight is still computed from it.",
        "The modulate's weight uses up0, not the height-aware weight.",
        "The run-time MegaSkirt blend into the terrain is left out.",
    ],
    bind,
};

/// Which parts the permutation has.
#[derive(Clone, Copy, Debug)]
struct Parts {
    micro: bool,
    /// `Spline` picks the two-map micro; its vertex stage is not part of the material.
    spline: bool,
    up: bool,
    modulate: bool,
    moss: bool,
}

struct UberRockArray {
    parts: Parts,
    up_mask: UpMask,
    modulate: Modulate,
    tide: Tide,
    /// Default 0: a hard step of the up layer.
    up_mask_mega_height_strength: f32,
    /// Default 0; 1 makes the layer pair a hard step.
    array_optimize: f32,
    /// Default (1, 1).
    mid_uv_tiling: Vec2,
    /// Default (1, 1).
    micro_uv_tiling: Vec2,
    /// `ScaleMidUVsOnOff`, default false.
    scale_mid_uvs: bool,
    /// Default 0.
    height_scale: f32,
    /// Default 1; 0 is a hard step.
    mid_blend_softness: f32,
    /// `NormalScale_MacroMidUpTextureSet_MacroMidUpBlendedTextureSet`, default 1: k, the macro normal's strength.
    normal_scale: f32,
    /// `normalStrength0`, default 1: how far the macro takes up the mid layer, saturated.
    normal_strength0: f32,
    /// Default 0.
    macro_roughness_strength: f32,
    /// Default 1.
    micro_intensity: f32,
    /// Default 0.
    micro_roughness_strength: f32,
    macro_diffuse: Slot,
    macro_normal: Slot,
    macro_ao: Slot,
    mid_variation_mask: Slot,
    mid_diffuse: [Slot; 5],
    mid_normal: [Slot; 5],
    up_simple_diffuse: Slot,
    up_simple_extras: Slot,
    up_simple_normal: Slot,
    micro_normal_a: Slot,
    micro_normal_b: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    const GREY: [f32; 4] = [0.5; 4];
    const FLAT: [f32; 4] = [0.5, 0.5, 1.0, 1.0];
    let permutation = b.permutation();
    let has = |token: &str| permutation.split('_').any(|part| part == token);
    Box::new(UberRockArray {
        parts: Parts {
            micro: has("Micro"),
            spline: has("Spline"),
            up: has("Up"),
            modulate: has("Modulate"),
            moss: has("Moss"),
        },
        up_mask: UpMask::bind(b),
        modulate: Modulate::bind(b),
        tide: Tide::bind(b),
        up_mask_mega_height_strength: b.number("UpMaskMegaHeightStrength", 0.0),
        array_optimize: b.number("Array_Optimize", 0.0),
        mid_uv_tiling: b.vec2("MidUV_Tiling", [1.0, 1.0]),
        micro_uv_tiling: b.vec2("MicroUVTiling", [1.0, 1.0]),
        scale_mid_uvs: b.boolean("ScaleMidUVsOnOff", false),
        height_scale: b.number("HeightScale", 0.0),
        mid_blend_softness: b.number("MidBlendSoftness", 1.0),
        normal_scale: b.number("NormalScale_MacroMidUpTextureSet_MacroMidUpBlendedTextureSet", 1.0),
        normal_strength0: b.number("normalStrength0", 1.0),
        macro_roughness_strength: b.number("MacroRoughnessStrength", 0.0),
        micro_intensity: b.number("MicroIntensity", 1.0),
        micro_roughness_strength: b.number("MicroRoughnessStrength", 0.0),
        macro_diffuse: b.texture("MacroDiffuse", GREY),
        macro_normal: b.texture("MacroNormal", FLAT),
        macro_ao: b.texture("MacroAO", [1.0; 4]),
        mid_variation_mask: b.texture("Mid_Variation_Mask", [0.0; 4]),
        mid_diffuse: ["MidDiffuse_A", "MidDiffuse_B", "MidDiffuse_C", "MidDiffuse_D", "MidDiffuse_E"]
            .map(|name| b.texture(name, GREY)),
        mid_normal: ["MidNormal_A", "MidNormal_B", "MidNormal_C", "MidNormal_D", "MidNormal_E"]
            .map(|name| b.texture(name, FLAT)),
        up_simple_diffuse: b.texture("UpSimpleDiffuse", GREY),
        up_simple_extras: b.texture("UpSimpleExtras", [0.5, 0.0, 1.0, 1.0]),
        up_simple_normal: b.texture("UpSimpleNormal", FLAT),
        micro_normal_a: b.texture("MicroNormalATexture", GREY),
        micro_normal_b: b.texture("MicroNormalBTexture", GREY),
    })
}

/// The surface between two steps: colour, roughness, normal and AO so far.
#[derive(Clone, Copy)]
struct Layer {
    c: Vec3,
    r: f32,
    n: Vec3,
    ao: f32,
}

/// What the mid layers leave for the steps after them.
struct Mid {
    /// D, colour and roughness.
    d: Vec4,
    /// Unit, world.
    n: Vec3,
    /// The variation mask's value.
    v: f32,
    /// mm, the moss weight: 0 without `_Moss`.
    mm: f32,
    /// N_i.b, the AO of the moss.
    moss_ao: f32,
}

/// g(x) = x^(1/2.2), to display space.
fn g(c: Vec3) -> Vec3 {
    pow3(c, ENCODE)
}

/// The documented colour blend: multiplies where mid is *above* one half, screens below it. Display space.
fn ov(mac: f32, mid: f32) -> f32 {
    if mid > 0.5 { 2.0 * mac * mid } else { screen(mac, mid) }
}

fn screen(mac: f32, mid: f32) -> f32 {
    1.0 - 2.0 * (1.0 - mac) * (1.0 - mid)
}

impl UberRockArray {
    fn mid(&self, uv1_frame: &Frame, point: &Point, context: &Context) -> Mid {
        let v = self.mid_variation_mask.sample(point.uv[0], point, context).x;
        let i = (4.0 * v).floor().clamp(0.0, 3.0);
        let (layer_i, layer_j) = (i as usize, i as usize + 1);
        let (lo, hi) = (0.5 - (1.0 - self.array_optimize) / 2.0, 0.5 + (1.0 - self.array_optimize) / 2.0);
        let s = smoothstep(sat((4.0 * v - i - lo) / (hi - lo)));

        let uvm = self.mid_uv_tiling * point.uv[1] * if self.scale_mid_uvs { point.s() } else { 1.0 };
        let d_i = self.mid_diffuse[layer_i].sample(uvm, point, context);
        let d_j = self.mid_diffuse[layer_j].sample(uvm, point, context);
        let n_i = self.mid_normal[layer_i].sample(uvm, point, context);
        let n_j = self.mid_normal[layer_j].sample(uvm, point, context);

        let (lo2, hi2) = (0.5 - self.mid_blend_softness / 2.0, 0.5 + self.mid_blend_softness / 2.0);
        let b = sat((s - lo2 + self.height_scale * (n_j.w - n_i.w)) / (hi2 - lo2));
        let nmid = uv1_frame.to_world_green_down(decode(lerp4(n_i, n_j, b)));
        let mm = if self.parts.moss && i == 0.0 { 1.0 - s } else { 0.0 };
        Mid { d: lerp4(d_i, d_j, b), n: nmid, v, mm, moss_ao: n_i.z }
    }

    /// c1, r1, nmd and the AO base.
    fn macro_over_mid(&self, mid: &Mid, point: &Point, context: &Context) -> Layer {
        let mac = self.macro_diffuse.sample(point.uv[0], point, context);
        let mn = self.macro_normal.sample(point.uv[0], point, context);
        let mao = self.macro_ao.sample(point.uv[0], point, context).x;
        let strength = sat(self.normal_strength0);

        let frame = Frame::uv0(point).with_unit_b();
        let t = frame.project(mid.n).normalize();
        let k = self.normal_scale;
        let vv = Vec3::new(t.x + k * (2.0 * mn.x - 1.0), t.y - k * (2.0 * mn.y - 1.0), 1.0).normalize();

        let (g_mac, g_mid) = (g(mac.xyz()), g(mid.d.xyz()));
        let blended = Vec3::new(ov(g_mac.x, g_mid.x), ov(g_mac.y, g_mid.y), ov(g_mac.z, g_mid.z));
        let screened = sat(screen(mac.w.powf(ENCODE), mid.d.w.powf(ENCODE))).powf(DECODE);
        let rm = lerp(mac.w, screened, strength);
        Layer {
            c: lerp3(mac.xyz(), pow3(sat3(blended), DECODE), strength),
            r: sat(mid.d.w + self.macro_roughness_strength * (2.0 * rm - 1.0)),
            n: frame.to_world(vv),
            ao: lerp(mao, mid.moss_ao, mid.mm),
        }
    }

    /// The world-planar layer on top, 1 m a repeat. Returns up0 with the layer.
    fn up(&self, below: Layer, point: &Point, context: &Context) -> (f32, Layer) {
        let uv = Vec2::new(point.position.x, point.position.z);
        let ud = self.up_simple_diffuse.sample(uv, point, context);
        let ex = self.up_simple_extras.sample(uv, point, context);
        let un = self.up_simple_normal.sample(uv, point, context);

        let up0 = self.up_mask.evaluate(below.n, point);
        let w = height_step(up0, self.up_mask_mega_height_strength * ex.z);
        let n_up = Frame::world_layer(point.normal).with_unit_b().to_world_green_down(decode(un));
        let layer = Layer {
            c: lerp3(below.c, ud.xyz(), w),
            r: lerp(below.r, ex.x, w),
            n: (1.0 - w) * below.n + w * n_up,
            ao: lerp(1.0 + (1.0 - w) * (below.ao - 1.0), un.z, w),
        };
        (up0, layer)
    }

    fn micro(&self, below: Layer, v: f32, up0: f32, frame: &Frame, point: &Point, context: &Context) -> Layer {
        let uv_micro = self.micro_uv_tiling * point.uv[1] * point.s();
        let m_b = self.micro_normal_b.sample(uv_micro, point, context);
        let (m, intensity) = if self.parts.spline {
            // Decoded per texture, then lerped: the z of the two maps differ from the z of the mean.
            let m_a = self.micro_normal_a.sample(uv_micro, point, context);
            let share = v.min(1.0);
            let xyz = lerp3(decode(m_a), decode(m_b), share);
            ((xyz, lerp(m_a.z, m_b.z, share), lerp(m_a.w, m_b.w, share)), self.micro_intensity)
        } else {
            let weight = (1.0 - up0) * (1.0 - point.color.z) + point.color.z;
            ((decode(m_b), m_b.z, m_b.w), self.micro_intensity * weight)
        };
        let (xyz, mr, md) = m;

        let bb = frame.project(below.n).normalize();
        let (d, p, q) = (1.0 + intensity * (xyz.z - 1.0), intensity * xyz.x, -intensity * xyz.y);
        let cm =
            Vec3::new((d + q) * bb.x + p * bb.z, (d + p) * bb.y + q * bb.z, d * bb.z - q * bb.y - p * bb.x).normalize();
        let t = lerp3(bb, cm, sat(point.normal.dot(view::direction(point, context)).abs()));
        Layer {
            c: lerp3(below.c, overlay3(below.c, Vec3::splat(md)), intensity),
            r: below.r + intensity * self.micro_roughness_strength * (2.0 * mr - 1.0),
            n: frame.to_world(t),
            ao: below.ao,
        }
    }
}

impl Material for UberRockArray {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv1_frame = Frame::uv1(point).with_unit_b();
        let mid = self.mid(&uv1_frame, point, context);
        let mut layer = self.macro_over_mid(&mid, point, context);

        let mut up0 = 0.0;
        if self.parts.up {
            (up0, layer) = self.up(layer, point, context);
        } else {
            let w = height_step(0.0, self.up_mask_mega_height_strength);
            layer.ao = 1.0 + (layer.ao - 1.0) * (1.0 - w);
        }
        if self.parts.micro {
            layer = self.micro(layer, mid.v, up0, &uv1_frame, point, context);
        }
        if self.parts.modulate {
            let m = self.modulate.sample(point, context);
            let weight = 1.0 - up0.max(mid.mm);
            layer.c = lerp3(layer.c, m.color(layer.c), weight);
            layer.r = lerp(layer.r, m.roughness(layer.r), weight);
        }
        let c = sat3(self.tide.apply(layer.c, layer.ao, point));
        let f = occlusion::albedo_factor(context.world, layer.ao);
        GBuffer { roughness: layer.r, ambient_occlusion: layer.ao, ..GBuffer::new(c * f, layer.n) }
    }
}
