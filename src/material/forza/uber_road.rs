//! `uber_road`: asphalt and its edges, up to four layers blended by height.
//!
//! Documentation 001, rows uber_road; "Ground permutations: uber_road".
//!
//! ```text
//! layer L:   uv_L = UVSet < 0 ? (X·Tiling.x·WorldUVScale.x, −Z·Tiling.y·WorldUVScale.y) : (uv0 or uv1)·Tiling
//!            colour, roughness = UberRoadLDiffuseTexture(uv_L).rgb, .a
//!            normal, ao, h     = standard decode of UberRoadLNormalTexture(uv_L).rg on the layer's own frame, .b, .a
//! blend:     w = BlendTexture(uv2)[BlendShuffle],  s = BlendSmoothness
//!            s_L = smoothstep(sat((s + (1 − h_L) − w(1 + s))/s))          mix = lerp(L, mix, s_L), for B, C, D in turn
//! tint:      albedo = overlay(mix, TintTexture(uv2).rgb)
//! modulate:  Mod = ModulateTexture(TEXCOORD[ModulateUV]·ModulateUVTiling),  a = TintTexture.a
//!            albedo ·= 1 + (Mod.w − 1)·a          roughness ·= 1 + (Mod.b − 1)·a
//!            x, y = (2·Mod.rg − 1)·ModulateNormalScale,  z = √sat(1 − x² − y²)
//!            n2 = normalize(Tm·x − cross(n, Tm)·w·y + n·z),  normal = n + (n2 − n)·a          (modnorm only)
//! ```
//!
//! Normals are combined after each layer's own normalisation and not renormalised; metalness 0; opaque.
//!
//! Tokens: `blend1` … `blend4` (the highest counts; none = `blend1`), `modnorm`, `M` (as modnorm without the normal; it has no
//! formula of its own). `winter`, `S` and `TB` have no effect.
//!
//! Open: the origin of the world-planar uv and the modulate's coordinate. See [`FAMILY`] for what is decided.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use super::road_layer::{Layer, Mix, bind_layers};
use crate::gbuffer::GBuffer;
use crate::material::bind::{Binder, Tokens};
use crate::material::ops::math::{lerp3, sat, smoothstep};
use crate::material::ops::normal::{Frame, decode_signed};
use crate::material::ops::overlay::overlay3;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// What `M` and `modnorm` modulate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modulate {
    Off,
    Surface,
    SurfaceAndNormal,
}

/// A bound `uber_road` material.
pub struct UberRoad {
    modulate: Modulate,
    /// The layers in use, A first.
    layers: Vec<Layer>,
    /// `BlendTexture`: weights of B, C, D; 0.
    blend: Slot,
    /// `TintTexture`: rgb tint, a weight of the modulate; grey, 0.
    tint: Slot,
    /// `ModulateTexture`: rg normal, b roughness, a albedo; (½, ½, 1, 1).
    modulate_texture: Slot,
    /// `BlendSmoothness`, default 0.5.
    blend_smoothness: f32,
    /// `BlendShuffle`: the channel of BlendTexture for B, C, D, 0..3, default (0, 1, 2).
    blend_shuffle: [usize; 3],
    /// `ModulateUV`, the texture coordinate, default 2; any but 0, 1, 2 samples (0, 0).
    modulate_uv: i32,
    /// `ModulateUVTiling`, default (1, 1).
    modulate_uv_tiling: Vec2,
    /// `ModulateNormalScale`, default 1.
    modulate_normal_scale: f32,
}

/// The registry entry of `uber_road`.
pub const FAMILY: Family = Family {
    name: "uber_road",
    summary: "Asphalt and its edges, up to four layers blended by height.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows uber_road; Ground permutations: uber_road",
    permutations: Permutations::Tokens {
        acting: &["blend1", "blend2", "blend3", "blend4", "M", "modnorm"],
        inert: &["winter", "S", "TB"],
        prefixes: &[],
    },
    inputs: &["position", "normal", "tangent", "tangent1", "uv0", "uv1", "uv2"],
    world: &["road_uv_origin"],
    decisions: &[
        "The world-planar uv takes UVTiling and WorldUVScale both, from the origin [world] road_uv_origin.",
        "M has no formula: modnorm's factors on albedo and roughness, the normal stays.",
        "The modulate is read at TEXCOORD[ModulateUV], 2 by default; its tangent is TEXCOORD1's for 1, else TEXCOORD0's.",
        "Occlusion is the blended normal-map blue, an output only.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(UberRoad {
        modulate: match (tokens.has("modnorm"), tokens.has("M")) {
            (true, _) => Modulate::SurfaceAndNormal,
            (false, true) => Modulate::Surface,
            (false, false) => Modulate::Off,
        },
        blend: binder.texture("BlendTexture", [0.0, 0.0, 0.0, 0.0]),
        tint: binder.texture("TintTexture", [0.5, 0.5, 0.5, 0.0]),
        modulate_texture: binder.texture("ModulateTexture", [0.5, 0.5, 1.0, 1.0]),
        blend_smoothness: binder.number("BlendSmoothness", 0.5),
        blend_shuffle: bind_shuffle(binder),
        modulate_uv: binder.integer("ModulateUV", 2),
        modulate_uv_tiling: binder.vec2("ModulateUVTiling", [1.0, 1.0]),
        modulate_normal_scale: binder.number("ModulateNormalScale", 1.0),
        layers: bind_layers(binder, layer_count(&tokens)),
    })
}

/// `blendN`: the highest counts, none is one layer.
fn layer_count(tokens: &Tokens) -> usize {
    ["blend2", "blend3", "blend4"].iter().rposition(|token| tokens.has(token)).map_or(1, |i| i + 2)
}

fn bind_shuffle(binder: &mut Binder) -> [usize; 3] {
    let channels = binder.integer3("BlendShuffle", [0, 1, 2]);
    if channels.iter().any(|channel| !(0..4).contains(channel)) {
        binder.refuse("BlendShuffle", format!("channels are 0 (red) to 3 (alpha), found {channels:?}"));
    }
    channels.map(|channel| channel.clamp(0, 3) as usize)
}

impl UberRoad {
    fn blended(&self, point: &Point, context: &Context) -> Mix {
        let mut mix = self.layers[0].sample(point, context);
        if self.layers.len() == 1 {
            return mix;
        }
        let blend = self.blend.sample(point.uv[2], point, context);
        let s = self.blend_smoothness;
        for (layer, channel) in self.layers[1..].iter().zip(self.blend_shuffle) {
            let layer = layer.sample(point, context);
            let w = blend[channel];
            let keep = smoothstep(sat((s + (1.0 - layer.height) - w * (1.0 + s)) / s));
            mix = mix.over(layer, keep);
        }
        mix
    }

    fn modulate_sample(&self, point: &Point, context: &Context) -> Vec4 {
        let uv = match self.modulate_uv {
            index @ 0..=2 => point.uv[index as usize] * self.modulate_uv_tiling,
            _ => Vec2::ZERO,
        };
        self.modulate_texture.sample(uv, point, context)
    }

    fn modulated_normal(&self, n: Vec3, m: Vec4, a: f32, point: &Point) -> Vec3 {
        let xy = (2.0 * m.xy() - 1.0) * self.modulate_normal_scale;
        let tangent = if self.modulate_uv == 1 { point.tangent1 } else { point.tangent };
        let n2 = Frame::new(n, tangent).to_world_green_down(decode_signed(xy.x, xy.y));
        lerp3(n, n2, a)
    }
}

impl Material for UberRoad {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let mix = self.blended(point, context);
        let tint = self.tint.sample(point.uv[2], point, context);
        let mut g = GBuffer {
            roughness: mix.roughness,
            ambient_occlusion: mix.occlusion,
            ..GBuffer::new(overlay3(mix.albedo, tint.xyz()), mix.normal)
        };
        if self.modulate != Modulate::Off {
            let m = self.modulate_sample(point, context);
            g.albedo *= 1.0 + (m.w - 1.0) * tint.w;
            g.roughness *= 1.0 + (m.z - 1.0) * tint.w;
            if self.modulate == Modulate::SurfaceAndNormal {
                g.normal = self.modulated_normal(g.normal, m, tint.w, point);
            }
        }
        g
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluate, sampled, samples, try_bind};
    use super::*;
    use crate::scene::world::World;
    use serde_json::{Value, json};

    fn road(permutation: &str, values: Value) -> GBuffer {
        evaluate(&FAMILY, permutation, values, &Point::default(), &World::default())
    }

    fn two_layers(w: f32) -> Value {
        json!({ "UberRoadADiffuseTexture": [1.0, 0.0, 0.0, 0.25], "UberRoadBDiffuseTexture": [0.0, 1.0, 0.0, 0.75],
                "BlendTexture": [w, 0.0, 0.0, 0.0] })
    }

    #[test]
    fn a_zero_weight_is_all_a_and_a_full_weight_all_b() {
        let a = road("_blend2", two_layers(0.0));
        assert_eq!((a.albedo, a.roughness), (Vec3::X, 0.25));
        let b = road("_blend2", two_layers(1.0));
        assert_eq!((b.albedo, b.roughness), (Vec3::Y, 0.75));
    }

    #[test]
    fn zero_smoothness_is_a_hard_step_by_height() {
        let roughness = |w: f32| {
            let mut values = two_layers(w);
            values["BlendSmoothness"] = json!(0.0);
            road("_blend2", values).roughness
        };
        assert_eq!([roughness(0.49), roughness(0.51)], [0.25, 0.75]);
    }

    #[test]
    fn the_shuffle_picks_the_channel_and_its_range_is_checked() {
        let values = |shuffle: [i32; 3]| {
            json!({ "BlendShuffle": shuffle, "BlendTexture": [0.0, 0.0, 0.0, 1.0],
                    "UberRoadBDiffuseTexture": [0.0, 1.0, 0.0, 1.0] })
        };
        assert_eq!(road("_blend2", values([3, 0, 0])).albedo, Vec3::Y);
        assert_eq!(road("_blend2", values([0, 3, 3])).albedo, Vec3::ONE);
        let faults = try_bind(&FAMILY, "", &values([0, 4, 0])).err().unwrap();
        assert_eq!(faults[0].key, "parameters.BlendShuffle");
    }

    #[test]
    fn uv_sets_above_one_are_refused_by_name() {
        let faults = try_bind(&FAMILY, "_blend1", &json!({ "UberRoadCUVSet": 2 })).err().unwrap();
        assert_eq!(faults[0].key, "parameters.UberRoadCUVSet");
    }

    #[test]
    fn a_world_planar_layer_counts_from_the_origin_with_both_scales_and_z_reversed() {
        let world = World { road_uv_origin: Vec2::new(10.0, 20.0), ..World::default() };
        let recorder = Default::default();
        let context = Context { world: &world, recorder: Some(&recorder) };
        let values =
            json!({ "UberRoadAUVSet": -1, "UberRoadAUVTiling": [2.0, 3.0], "UberRoadAWorldUVScale": [0.5, 0.25] });
        let point = Point { position: Vec3::new(14.0, 7.0, 28.0), ..Point::default() };
        super::super::testing::bound(&FAMILY, "_blend1", values).evaluate(&point, &context);
        assert_eq!(recorder.borrow()[0].uv, Some(Vec2::new(4.0, -6.0)));
    }

    #[test]
    fn only_the_layers_in_use_are_sampled_and_the_blend_from_two_on() {
        let one = sampled(&FAMILY, "", json!({}));
        assert_eq!(one, ["UberRoadADiffuseTexture", "UberRoadANormalTexture", "TintTexture"]);
        assert_eq!(sampled(&FAMILY, "_blend3", json!({})).len(), 8);
        assert_eq!(sampled(&FAMILY, "_blend4_modnorm", json!({})).len(), 11);
    }

    #[test]
    fn the_tints_alpha_weighs_all_three_modulates() {
        let values = |a: f32| json!({ "ModulateTexture": [1.0, 0.5, 0.5, 0.25], "TintTexture": [0.5, 0.5, 0.5, a] });
        assert_eq!(road("_modnorm", values(0.0)), road("", json!({})));
        let full = road("_modnorm", values(1.0));
        assert_eq!((full.albedo, full.roughness), (Vec3::splat(0.25), 0.5));
        assert!(full.normal.abs_diff_eq(Vec3::X, 1e-6));
        assert_eq!(road("_M", values(1.0)).normal, Vec3::Y);
    }

    #[test]
    fn an_unknown_modulate_uv_samples_the_origin() {
        let mut point = Point::default();
        point.uv[0] = Vec2::ONE;
        let uv = |index: i32| {
            let taken = samples(&FAMILY, "_M", json!({ "ModulateUV": index }), &point);
            taken.last().unwrap().uv.unwrap()
        };
        assert_eq!([uv(-1), uv(0), uv(3)], [Vec2::ZERO, Vec2::ONE, Vec2::ZERO]);
    }
}
