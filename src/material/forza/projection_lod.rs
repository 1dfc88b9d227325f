//! `projection_lod`: distant buildings, photographed into an atlas.
//!
//! Documentation 001, rows projection_lod; "Foliage, branch and facade-LOD permutations: projection_lod"; "Emissive".
//!
//! ```text
//! uv = lerp(UVOutMinMax.xy, UVOutMinMax.zw, uv0): the building's cell; every map is read there
//! d  = DiffuseATexture(uv)      vc = BakedVCTexture(uv)      s = SwatchTintTexture(IV.x, vc.g).r
//! albedo = d.rgb · ((1 − d.a(1 − vc.r))(1 − s) + s)          AlphaTest: coverage = d.a
//! RM:  roughness = RoughnessMetalnessATexture(uv).r, metalness = .g         else Roughness and 0
//! HiQ: normal = standard decode of NormalATexture(uv)                       else the vertex normal
//! E:   emission = EmissiveTexture(uv).rgb · EmissiveTextureScale
//!                 · sat((IV.y − EmissiveVariationMin)/(EmissiveVariationMax − EmissiveVariationMin))
//!      emission_seed = emission · g(|P − camera|)
//! ```
//!
//! IV is INSTANCE_VARIATION. Tokens: `RM`, `E`, `HiQ`, `AlphaTest`. `Standard` and `Lightmap` have no effect.
//!
//! Open: the source of IV.y for hand-placed instances: it is an input here. Decided: s is read at (IV.x, vc.g), "row" being v.
//! Nothing is clamped: SNORM roughness and metalness keep their sign.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::cutout::{SOLID, alpha_test, alpha_test_if};
use crate::material::ops::emissive::g;
use crate::material::ops::math::step_range;
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::view;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// A bound `projection_lod` material.
pub struct ProjectionLod {
    /// Token `RM`.
    rough_metal: bool,
    /// Token `E`.
    emissive: bool,
    /// Token `HiQ`.
    hi_q: bool,
    /// Token `AlphaTest`.
    alpha_test: bool,
    /// `DiffuseATexture`: rgb albedo, a where the tint acts; white, alpha 0.
    diffuse_a: Slot,
    /// `RoughnessMetalnessATexture`: r, g, may be signed; (1, 0).
    roughness_metalness_a: Slot,
    /// `NormalATexture`: rg normal; flat.
    normal_a: Slot,
    /// `BakedVCTexture`: r tint mask, g palette row; (1, 0).
    baked_vc: Slot,
    /// `SwatchTintTexture`: r tint, one number for all channels; white.
    swatch_tint: Slot,
    /// `EmissiveTexture`: rgb; black.
    emissive_texture: Slot,
    /// `UVOutMinMax`: the atlas cell, default (0, 0, 1, 1).
    uv_out_min_max: Vec4,
    /// `Roughness` without `RM`, default 0.
    roughness: f32,
    /// `EmissiveTextureScale`, default 1.
    emissive_texture_scale: f32,
    /// `EmissiveVariationMin`, default 0.
    emissive_variation_min: f32,
    /// `EmissiveVariationMax`, default 0.
    emissive_variation_max: f32,
}

/// The registry entry of `projection_lod`.
pub const FAMILY: Family = Family {
    name: "projection_lod",
    summary: "Distant buildings, photographed into an atlas.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows projection_lod; Foliage, branch and \
             facade-LOD; Emissive",
    permutations: Permutations::Tokens {
        acting: &["RM", "E", "HiQ", "AlphaTest"],
        inert: &["Standard", "Lightmap"],
        prefixes: &[],
    },
    inputs: &["position", "normal", "tangent", "uv0", "instance_variation"],
    world: &["alpha_reference", "camera"],
    decisions: &[
        "The tint is SwatchTintTexture.r at (INSTANCE_VARIATION.x, BakedVCTexture.g).",
        "Where INSTANCE_VARIATION.y comes from for hand-placed instances is unknown: it is an input.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(ProjectionLod {
        rough_metal: tokens.has("RM"),
        emissive: tokens.has("E"),
        hi_q: tokens.has("HiQ"),
        alpha_test: tokens.has("AlphaTest"),
        diffuse_a: binder.texture("DiffuseATexture", [1.0, 1.0, 1.0, 0.0]),
        roughness_metalness_a: binder.texture("RoughnessMetalnessATexture", [1.0, 0.0, 0.0, 1.0]),
        normal_a: binder.texture("NormalATexture", [0.5, 0.5, 1.0, 1.0]),
        baked_vc: binder.texture("BakedVCTexture", [1.0, 0.0, 0.0, 1.0]),
        swatch_tint: binder.texture("SwatchTintTexture", [1.0, 1.0, 1.0, 1.0]),
        emissive_texture: binder.texture("EmissiveTexture", [0.0, 0.0, 0.0, 1.0]),
        uv_out_min_max: binder.vec4("UVOutMinMax", [0.0, 0.0, 1.0, 1.0]),
        roughness: binder.number("Roughness", 0.0),
        emissive_texture_scale: binder.number("EmissiveTextureScale", 1.0),
        emissive_variation_min: binder.number("EmissiveVariationMin", 0.0),
        emissive_variation_max: binder.number("EmissiveVariationMax", 0.0),
    })
}

impl ProjectionLod {
    fn cell(&self, uv0: Vec2) -> Vec2 {
        let (low, high) = (self.uv_out_min_max.xy(), self.uv_out_min_max.zw());
        low + (high - low) * uv0
    }

    fn rough_metal(&self, uv: Vec2, point: &Point, context: &Context) -> (f32, f32) {
        if !self.rough_metal {
            return (self.roughness, 0.0);
        }
        let rm = self.roughness_metalness_a.sample(uv, point, context);
        (rm.x, rm.y)
    }

    fn emission(&self, uv: Vec2, point: &Point, context: &Context) -> Vec3 {
        if !self.emissive {
            return Vec3::ZERO;
        }
        let y = point.instance_variation.y;
        let lit = step_range(y, self.emissive_variation_min, self.emissive_variation_max);
        self.emissive_texture.sample(uv, point, context).xyz() * self.emissive_texture_scale * lit
    }
}

impl Material for ProjectionLod {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = self.cell(point.uv[0]);
        let d = self.diffuse_a.sample(uv, point, context);
        let vc = self.baked_vc.sample(uv, point, context);
        let s = self.swatch_tint.sample(Vec2::new(point.instance_variation.x, vc.y), point, context).x;
        let albedo = d.xyz() * ((1.0 - d.w * (1.0 - vc.x)) * (1.0 - s) + s);
        let Opacity { discard, coverage } = alpha_test_if(self.alpha_test, d.w, context);

        let (roughness, metalness) = self.rough_metal(uv, point, context);
        let normal = match self.hi_q {
            true => Frame::uv0(point).to_world_green_down(decode(self.normal_a.sample(uv, point, context))),
            false => point.normal,
        };
        let emission = self.emission(uv, point, context);
        let emission_seed = emission * g(view::distance(point, context));

        GBuffer { discard, coverage, metalness, roughness, emission, emission_seed, ..GBuffer::new(albedo, normal) }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        if !self.alpha_test {
            return SOLID;
        }
        alpha_test(self.diffuse_a.sample(self.cell(point.uv[0]), point, context).w, context)
    }

    fn may_discard(&self) -> bool {
        self.alpha_test
    }

    fn may_emit(&self) -> bool {
        let dark = self.emissive_texture.as_constant().is_some_and(|value| value.xyz() == Vec3::ZERO);
        self.emissive && self.emissive_texture_scale != 0.0 && !dark
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluate, sampled, samples};
    use super::*;
    use crate::scene::world::World;
    use serde_json::json;

    #[test]
    fn the_tint_acts_where_the_alpha_or_the_baked_colour_lets_it() {
        let albedo = |alpha: f32, vc: f32| {
            let values = json!({ "DiffuseATexture": [1.0, 1.0, 1.0, alpha], "BakedVCTexture": [vc, 0.0, 0.0, 1.0],
                                 "SwatchTintTexture": [0.25, 1.0, 1.0, 1.0] });
            evaluate(&FAMILY, "_RM", values, &Point::default(), &World::default()).albedo.x
        };
        assert_eq!([albedo(0.0, 0.0), albedo(1.0, 1.0), albedo(1.0, 0.0)], [1.0, 1.0, 0.25]);
    }

    #[test]
    fn a_zero_variation_range_lights_a_building_only_above_it() {
        let emission = |y: f32| {
            let point = Point { instance_variation: Vec3::new(0.0, y, 0.0), ..Point::default() };
            let values = json!({ "EmissiveTexture": [1.0, 1.0, 1.0, 1.0] });
            evaluate(&FAMILY, "_E", values, &point, &World::default()).emission.x
        };
        assert_eq!([emission(0.0), emission(0.004), emission(1.0)], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn signed_maps_keep_their_sign() {
        let values = json!({ "RoughnessMetalnessATexture": [-0.25, -0.5, 0.0, 1.0] });
        let g = evaluate(&FAMILY, "_RM", values, &Point::default(), &World::default());
        assert_eq!((g.roughness, g.metalness), (-0.25, -0.5));
    }

    #[test]
    fn every_map_is_read_in_the_buildings_cell_and_only_if_used() {
        let mut point = Point { instance_variation: Vec3::new(0.75, 0.0, 0.0), ..Point::default() };
        point.uv[0] = Vec2::new(0.5, 1.0);
        let values = json!({ "UVOutMinMax": [0.25, 0.5, 0.5, 1.0], "BakedVCTexture": [1.0, 0.125, 0.0, 1.0] });
        for sample in samples(&FAMILY, "_RM_E_HiQ_AlphaTest", values, &point) {
            let swatch = sample.name == "SwatchTintTexture";
            let expected = if swatch { Vec2::new(0.75, 0.125) } else { Vec2::new(0.375, 1.0) };
            assert_eq!(sample.uv, Some(expected), "{}", sample.name);
        }
        let plain = sampled(&FAMILY, "_Standard", json!({}));
        assert_eq!(plain, ["DiffuseATexture", "BakedVCTexture", "SwatchTintTexture"]);
    }
}
