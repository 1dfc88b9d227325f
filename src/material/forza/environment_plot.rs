//! `environment_plot`: terrain plots: pavements, yards, verges.
//!
//! Documentation 001, "Albedo and opacity" and "Roughness, metalness and normal", rows environment_plot; the paragraph on
//! its modulate uv; "Ground permutations: plots".
//!
//! ```text
//! uvA = uv0 + Uv0Offset
//! D   = DiffAlphaTex_A(uvA·BaseColorAlpha_A_UVTiling)          AlphaTest: coverage = D.a
//! RMA = RoughMetAoPorTex_A(uvA·RoughMetAoPoros_A_UVTiling)     metalness = RMA.g
//! ao  = RMA.b · AoWetBlendContextTex(uv1·MacroAOWetBlendMaskTiling).r
//! uvM = WorldSpaceUV_Modulate ? (P.x, P.z)·WorldSpaceUVTiling_Modulate : uv2
//! M   = uv3.x ≥ 0.999 ? ModulateTexture_PavementCorner(uvM·ModulateUVTiling_PavementCorner)
//!                     : ModulateTexture(uvM·ModulateUVTiling)
//! albedo    = modulate(D.rgb, M, RMA.g) · F(ao)      roughness = modulate(sat(RMA.r), M)      (`_M`; see ops::modulate)
//! normal    = standard decode of NormHeightTex_A(uvA·NormalHeight_A_UVTiling)
//! ```
//!
//! Tokens: `M`, `AlphaTest`. `Standard`, `StandardRCSM`, `W` and `ST` have no effect. Error: `B`, whose blend is not documented.
//!
//! Decided: the two occlusion inputs are multiplied (the text says that both enter, not how).

use glam::{Vec2, Vec3Swizzles, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::cutout::{SOLID, alpha_test, alpha_test_if};
use crate::material::ops::math::sat;
use crate::material::ops::modulate::Modulate;
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion::albedo_factor;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// uv3.x from which a point lies on a pavement corner.
const CORNER: f32 = 0.999;

/// A bound `environment_plot` material.
pub struct EnvironmentPlot {
    /// Token `M`.
    modulated: bool,
    /// Token `AlphaTest`.
    alpha_test: bool,
    /// `DiffAlphaTex_A`: rgb albedo, a coverage; white.
    diff_alpha: Slot,
    /// `NormHeightTex_A`: rg normal; flat.
    norm_height: Slot,
    /// `RoughMetAoPorTex_A`: roughness, metalness, occlusion; (1, 0, 1).
    rough_met_ao: Slot,
    /// `AoWetBlendContextTex`: r occlusion; white.
    ao_wet_blend: Slot,
    /// `ModulateTexture`; grey.
    modulate_texture: Slot,
    /// `ModulateTexture_PavementCorner`; grey.
    modulate_texture_corner: Slot,
    /// `Uv0Offset`, default (0, 0).
    uv0_offset: Vec2,
    /// `BaseColorAlpha_A_UVTiling`, default (1, 1).
    base_color_tiling: Vec2,
    /// `NormalHeight_A_UVTiling`, default (1, 1).
    normal_tiling: Vec2,
    /// `RoughMetAoPoros_A_UVTiling`, default (1, 1).
    rough_met_ao_tiling: Vec2,
    /// `MacroAOWetBlendMaskTiling`, default (1, 1).
    macro_ao_tiling: Vec2,
    /// `ModulateUVTiling`, default (1, 1).
    modulate_tiling: Vec2,
    /// `ModulateUVTiling_PavementCorner`, default (1, 1).
    modulate_tiling_corner: Vec2,
    /// `WorldSpaceUV_Modulate`, default false.
    world_space_uv: bool,
    /// `WorldSpaceUVTiling_Modulate`, 1/m, default (1, 1).
    world_space_tiling: Vec2,
    /// `_BrightnessStrength`, `_SaturationStrength`, `_RoughnessStrength`, default 1 each.
    modulate: Modulate,
}

/// The registry entry of `environment_plot`.
pub const FAMILY: Family = Family {
    name: "environment_plot",
    summary: "Terrain plots: pavements, yards, verges.",
    source: "001, Albedo and opacity; Roughness, metalness and normal: rows environment_plot; Ground permutations: plots",
    permutations: Permutations::Tokens {
        acting: &["M", "AlphaTest"],
        inert: &["Standard", "StandardRCSM", "W", "ST"],
        prefixes: &[],
    },
    inputs: &["position", "normal", "tangent", "uv0", "uv1", "uv2", "uv3"],
    world: &["alpha_reference", "ao_minimum", "ao_into_albedo"],
    decisions: &["Occlusion is RoughMetAoPorTex_A.b · AoWetBlendContextTex.r: both enter, how is not documented."],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    Box::new(EnvironmentPlot {
        modulated: tokens.has("M"),
        alpha_test: tokens.has("AlphaTest"),
        diff_alpha: binder.texture("DiffAlphaTex_A", [1.0, 1.0, 1.0, 1.0]),
        norm_height: binder.texture("NormHeightTex_A", [0.5, 0.5, 1.0, 1.0]),
        rough_met_ao: binder.texture("RoughMetAoPorTex_A", [1.0, 0.0, 1.0, 0.0]),
        ao_wet_blend: binder.texture("AoWetBlendContextTex", [1.0, 1.0, 1.0, 1.0]),
        modulate_texture: binder.texture("ModulateTexture", [0.5, 0.5, 0.5, 1.0]),
        modulate_texture_corner: binder.texture("ModulateTexture_PavementCorner", [0.5, 0.5, 0.5, 1.0]),
        uv0_offset: binder.vec2("Uv0Offset", [0.0, 0.0]),
        base_color_tiling: binder.vec2("BaseColorAlpha_A_UVTiling", [1.0, 1.0]),
        normal_tiling: binder.vec2("NormalHeight_A_UVTiling", [1.0, 1.0]),
        rough_met_ao_tiling: binder.vec2("RoughMetAoPoros_A_UVTiling", [1.0, 1.0]),
        macro_ao_tiling: binder.vec2("MacroAOWetBlendMaskTiling", [1.0, 1.0]),
        modulate_tiling: binder.vec2("ModulateUVTiling", [1.0, 1.0]),
        modulate_tiling_corner: binder.vec2("ModulateUVTiling_PavementCorner", [1.0, 1.0]),
        world_space_uv: binder.boolean("WorldSpaceUV_Modulate", false),
        world_space_tiling: binder.vec2("WorldSpaceUVTiling_Modulate", [1.0, 1.0]),
        modulate: Modulate::bind(binder),
    })
}

impl EnvironmentPlot {
    fn diffuse(&self, point: &Point, context: &Context) -> Vec4 {
        self.diff_alpha.sample((point.uv[0] + self.uv0_offset) * self.base_color_tiling, point, context)
    }

    fn modulate_sample(&self, point: &Point, context: &Context) -> Vec4 {
        let uv_m = match self.world_space_uv {
            true => point.position.xz() * self.world_space_tiling,
            false => point.uv[2],
        };
        match point.uv[3].x >= CORNER {
            true => self.modulate_texture_corner.sample(uv_m * self.modulate_tiling_corner, point, context),
            false => self.modulate_texture.sample(uv_m * self.modulate_tiling, point, context),
        }
    }
}

impl Material for EnvironmentPlot {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv_a = point.uv[0] + self.uv0_offset;
        let d = self.diffuse(point, context);
        let Opacity { discard, coverage } = alpha_test_if(self.alpha_test, d.w, context);
        let rma = self.rough_met_ao.sample(uv_a * self.rough_met_ao_tiling, point, context);
        let ao = rma.z * self.ao_wet_blend.sample(point.uv[1] * self.macro_ao_tiling, point, context).x;

        let r0 = sat(rma.x);
        let (modulated, roughness) = match self.modulated {
            true => {
                let m = self.modulate_sample(point, context);
                (self.modulate.albedo(d.xyz(), m, rma.y), self.modulate.roughness(r0, m))
            }
            false => (d.xyz(), r0),
        };
        let albedo = modulated * albedo_factor(context.world, ao);

        let nh = self.norm_height.sample(uv_a * self.normal_tiling, point, context);
        let normal = Frame::uv0(point).to_world_green_down(decode(nh));

        GBuffer {
            discard,
            coverage,
            metalness: rma.y,
            roughness,
            ambient_occlusion: ao,
            ..GBuffer::new(albedo, normal)
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        if self.alpha_test { alpha_test(self.diffuse(point, context).w, context) } else { SOLID }
    }

    fn may_discard(&self) -> bool {
        self.alpha_test
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{sampled, samples};
    use super::*;
    use serde_json::json;

    fn modulate_sample(uv3_x: f32, world_space: bool) -> (&'static str, Vec2) {
        let mut point = Point { position: glam::Vec3::new(10.0, 5.0, -20.0), ..Point::default() };
        point.uv[2] = Vec2::new(0.5, 0.25);
        point.uv[3].x = uv3_x;
        let values = json!({ "WorldSpaceUV_Modulate": world_space, "WorldSpaceUVTiling_Modulate": [0.1, 0.1],
                             "ModulateUVTiling": [2.0, 2.0], "ModulateUVTiling_PavementCorner": [4.0, 4.0] });
        let taken = samples(&FAMILY, "_M", values, &point);
        let modulates: Vec<_> = taken.iter().filter(|sample| sample.name.starts_with("Modulate")).collect();
        assert_eq!(modulates.len(), 1);
        (modulates[0].name, modulates[0].uv.unwrap())
    }

    #[test]
    fn a_corner_is_uv3_x_from_0_999_on_and_replaces_texture_and_tiling() {
        assert_eq!(modulate_sample(0.998, false), ("ModulateTexture", Vec2::new(1.0, 0.5)));
        assert_eq!(modulate_sample(0.999, false), ("ModulateTexture_PavementCorner", Vec2::new(2.0, 1.0)));
    }

    #[test]
    fn world_space_keeps_the_sign_and_is_tiled_twice() {
        let (_, uv) = modulate_sample(0.0, true);
        assert!(uv.abs_diff_eq(Vec2::new(2.0, -4.0), 1e-6));
    }

    #[test]
    fn without_m_no_modulate_is_sampled() {
        assert!(!sampled(&FAMILY, "_Standard_AlphaTest", json!({})).iter().any(|name| name.starts_with("Modulate")));
    }
}
