//! `environment`: buildings, walls, kerbs: most of what stands beside a track.
//!
//! Documentation 001, "Roughness, metalness and normal", row environment; albedo after "Ground permutations", which calls
//! environment_plot this family's one-texture-set form.
//!
//! ```text
//! D = DiffAlphaTex_A((uv0 + Uv0Offset)·BaseColorAlpha_A_UVTiling)         AlphaTest: coverage = D.a
//! RMA = RoughMetAoPorTex_A((uv0 + Uv0Offset)·RoughMetAoPoros_A_UVTiling)  metalness = RMA.y      ao = RMA.z
//! albedo = D.rgb · (ST: SwatchTint) · F(ao)
//! roughness: r = sat(RMA.x)
//!   M, TriPlanar   r = sat(r − 1 + 2·mA),   mA = sat((½ + (tm.b − ½)·k) + (Mod.b − ½)·_RoughnessStrength)
//!   D              r = r + (DepositRoughness − r)·mask
//! normal = standard decode of NormHeightTex_A((uv0 + Uv0Offset)·NormalHeight_A_UVTiling)
//! ```
//!
//! Mod is ModulateTexture(uv2·ModulateUVTiling). The tm term belongs to the triplanar permutations, which imply `M`.
//!
//! Tokens: `M`, `TriPlanar`, `ShadowsTriPlanar`, `D`, `ST`, `AlphaTest`. Errors: `B` (the second set is not documented),
//! `Emissive`. Only roughness, metalness and normal are documented; see [`FAMILY`] for what is decided.

use glam::{Vec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::cutout::{SOLID, alpha_test, alpha_test_if};
use crate::material::ops::math::{lerp, sat};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion::albedo_factor;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// What a permutation's modulate reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modulate {
    Off,
    /// `M`: ModulateTexture.
    Uv,
    /// `TriPlanar`, `ShadowsTriPlanar`: ModulateTexture and TriPlanarModulateTexture.
    TriPlanar,
}

/// A bound `environment` material.
pub struct Environment {
    modulate: Modulate,
    /// Token `D`.
    deposits: bool,
    /// Token `ST`.
    swatch_tint_on: bool,
    /// Token `AlphaTest`.
    alpha_test: bool,
    /// `DiffAlphaTex_A`: rgb albedo, a coverage; white.
    diff_alpha: Slot,
    /// `NormHeightTex_A`: rg normal; flat.
    norm_height: Slot,
    /// `RoughMetAoPorTex_A`: roughness, metalness, occlusion; (1, 0, 1).
    rough_met_ao: Slot,
    /// `ModulateTexture`: b roughness around ½; grey.
    modulate_texture: Slot,
    /// `TriPlanarModulateTexture` (our name): b roughness around ½; grey.
    tri_planar_texture: Slot,
    /// `Uv0Offset`, default (0, 0).
    uv0_offset: Vec2,
    /// `BaseColorAlpha_A_UVTiling`, default (1, 1).
    base_color_tiling: Vec2,
    /// `NormalHeight_A_UVTiling`, default (1, 1).
    normal_tiling: Vec2,
    /// `RoughMetAoPoros_A_UVTiling`, default (1, 1).
    rough_met_ao_tiling: Vec2,
    /// `ModulateUVTiling`, default (1, 1).
    modulate_tiling: Vec2,
    /// `_RoughnessStrength`, default 1.
    roughness_strength: f32,
    /// `TriPlanarModulateStrength` (our name), k, default 0.
    tri_planar_strength: f32,
    /// `DepositRoughness`, default 1.
    deposit_roughness: f32,
    /// `DepositMask` (our name), 0 = none, default 0.
    deposit_mask: f32,
    /// `SwatchTint` (our name), linear, default white.
    swatch_tint: Vec3,
}

/// The registry entry of `environment`.
pub const FAMILY: Family = Family {
    name: "environment",
    summary: "Buildings, walls, kerbs: most of what stands beside a track.",
    source: "001, Roughness, metalness and normal: row environment; 003, Choosing a permutation",
    permutations: Permutations::Tokens {
        acting: &["M", "TriPlanar", "ShadowsTriPlanar", "D", "ST", "AlphaTest"],
        inert: &["Standard", "StandardRCSM", "TPNAO", "WM", "L", "MS", "DualUv", "Shadows"],
        prefixes: &[],
    },
    inputs: &["position", "normal", "tangent", "uv0", "uv2"],
    world: &["alpha_reference", "ao_minimum", "ao_into_albedo"],
    decisions: &[
        "Albedo is DiffAlphaTex_A times the run-time occlusion factor, with environment_plot's tilings and offset.",
        "ST multiplies by SwatchTint, white by default: the swatch lookup is not documented.",
        "The triplanar coordinate is unknown: world (X, Z) is used and not reported; its strength k is a parameter.",
        "The deposits' mask is the parameter DepositMask; the lerp comes after the modulate and is not saturated.",
        "Occlusion is RoughMetAoPorTex_A.b; AlphaTest tests DiffAlphaTex_A.a.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    let modulate = match (tokens.has("TriPlanar") || tokens.has("ShadowsTriPlanar"), tokens.has("M")) {
        (true, _) => Modulate::TriPlanar,
        (false, true) => Modulate::Uv,
        (false, false) => Modulate::Off,
    };
    Box::new(Environment {
        modulate,
        deposits: tokens.has("D"),
        swatch_tint_on: tokens.has("ST"),
        alpha_test: tokens.has("AlphaTest"),
        diff_alpha: binder.texture("DiffAlphaTex_A", [1.0, 1.0, 1.0, 1.0]),
        norm_height: binder.texture("NormHeightTex_A", [0.5, 0.5, 1.0, 1.0]),
        rough_met_ao: binder.texture("RoughMetAoPorTex_A", [1.0, 0.0, 1.0, 0.0]),
        modulate_texture: binder.texture("ModulateTexture", [0.5, 0.5, 0.5, 1.0]),
        tri_planar_texture: binder.texture("TriPlanarModulateTexture", [0.5, 0.5, 0.5, 1.0]),
        uv0_offset: binder.vec2("Uv0Offset", [0.0, 0.0]),
        base_color_tiling: binder.vec2("BaseColorAlpha_A_UVTiling", [1.0, 1.0]),
        normal_tiling: binder.vec2("NormalHeight_A_UVTiling", [1.0, 1.0]),
        rough_met_ao_tiling: binder.vec2("RoughMetAoPoros_A_UVTiling", [1.0, 1.0]),
        modulate_tiling: binder.vec2("ModulateUVTiling", [1.0, 1.0]),
        roughness_strength: binder.number("_RoughnessStrength", 1.0),
        tri_planar_strength: binder.number("TriPlanarModulateStrength", 0.0),
        deposit_roughness: binder.number("DepositRoughness", 1.0),
        deposit_mask: binder.number("DepositMask", 0.0),
        swatch_tint: binder.vec3("SwatchTint", [1.0, 1.0, 1.0]),
    })
}

impl Environment {
    fn diffuse(&self, point: &Point, context: &Context) -> Vec4 {
        self.diff_alpha.sample((point.uv[0] + self.uv0_offset) * self.base_color_tiling, point, context)
    }

    fn modulated(&self, r: f32, point: &Point, context: &Context) -> f32 {
        if self.modulate == Modulate::Off {
            return r;
        }
        let modulate = self.modulate_texture.sample(point.uv[2] * self.modulate_tiling, point, context).z;
        let tri_planar = match self.modulate {
            Modulate::TriPlanar => self.tri_planar_texture.sample_unreported(point.position.xz(), point, context).z,
            _ => 0.5,
        };
        let k = self.tri_planar_strength;
        let m_a = sat((0.5 + (tri_planar - 0.5) * k) + (modulate - 0.5) * self.roughness_strength);
        sat(r - 1.0 + 2.0 * m_a)
    }
}

impl Material for Environment {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = point.uv[0] + self.uv0_offset;
        let d = self.diffuse(point, context);
        let Opacity { discard, coverage } = alpha_test_if(self.alpha_test, d.w, context);
        let rma = self.rough_met_ao.sample(uv * self.rough_met_ao_tiling, point, context);
        let ao = rma.z;

        let tint = if self.swatch_tint_on { self.swatch_tint } else { Vec3::ONE };
        let albedo = d.xyz() * tint * albedo_factor(context.world, ao);

        let r = self.modulated(sat(rma.x), point, context);
        let roughness = if self.deposits { lerp(r, self.deposit_roughness, self.deposit_mask) } else { r };

        let nh = self.norm_height.sample(uv * self.normal_tiling, point, context);
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
    use super::super::testing::{evaluate, sampled, samples, try_bind};
    use super::*;
    use crate::scene::world::World;
    use serde_json::{Value, json};

    fn roughness(permutation: &str, values: Value) -> f32 {
        evaluate(&FAMILY, permutation, values, &Point::default(), &World::default()).roughness
    }

    #[test]
    fn a_grey_modulate_changes_nothing_and_the_triplanar_tokens_imply_it() {
        let values = || json!({ "RoughMetAoPorTex_A": [0.25, 0.0, 1.0, 0.0], "TriPlanarModulateStrength": 1.0 });
        for permutation in ["_Standard", "_Standard_M", "_Standard_TriPlanar", "_StandardRCSM_ShadowsTriPlanar_ST"] {
            assert_eq!(roughness(permutation, values()), 0.25, "{permutation}");
        }
        assert!(sampled(&FAMILY, "_TriPlanar", json!({})).contains(&"ModulateTexture"));
        assert!(!sampled(&FAMILY, "_M", json!({})).contains(&"TriPlanarModulateTexture"));
        assert_eq!(sampled(&FAMILY, "_D_ST", json!({})).len(), 3);
    }

    #[test]
    fn the_triplanar_term_needs_its_token() {
        let values = || {
            json!({ "RoughMetAoPorTex_A": [0.5, 0.0, 1.0, 0.0], "TriPlanarModulateStrength": 0.5,
                    "TriPlanarModulateTexture": [0.0, 0.0, 0.75, 0.0] })
        };
        assert_eq!(roughness("_M", values()), 0.5);
        assert_eq!(roughness("_TriPlanar", values()), 0.75);
    }

    #[test]
    fn the_triplanar_coordinate_is_not_reported() {
        let taken = samples(&FAMILY, "_TriPlanar", json!({}), &Point::default());
        let sample = taken.iter().find(|sample| sample.name == "TriPlanarModulateTexture").unwrap();
        assert_eq!(sample.uv, None);
    }

    #[test]
    fn deposits_come_after_the_modulate_and_are_not_saturated() {
        let values = json!({ "ModulateTexture": [0.0, 0.0, 1.0, 1.0], "DepositRoughness": 3.0, "DepositMask": 1.0 });
        assert_eq!(roughness("_M_D", values), 3.0);
    }

    #[test]
    fn the_undocumented_second_set_is_refused_by_name() {
        for token in ["B", "Emissive"] {
            let faults = try_bind(&FAMILY, &format!("_Standard_{token}"), &json!({})).err().unwrap();
            assert!(faults[0].message.contains(&format!("\"{token}\"")), "{faults:?}");
        }
    }
}
