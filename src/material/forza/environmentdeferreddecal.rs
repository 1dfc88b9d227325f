//! `environmentdeferreddecal`: decals on facades (meshes) and decals that a unit box paints onto what lies inside it.
//!
//! Documentation 001, "Albedo and opacity", "Mesh decals"; 002 for the projected permutations.
//!
//! ```text
//! mesh       uv = uv0 + Uv0Offset                     c = DiffAlphaTex(uv·DiffAlphaUVTiling);  ST: c.rgb·SwatchTint
//! projected  d = P − box_position,  C = cross(A, B)   L = (d·A/scale.x, d·B/scale.y, d·C/scale.z)
//!            uv = (1 − sat(L.x + ½), sat(L.z + ½))
//! v  = VertexAlphaOnOff ? COLOR.a : 1
//! a  = c.a·DiffRoughIntensity·v (DR, else 0)          aN = c.a·NormalAOIntensity·v (mesh NAO, else 0)
//! target0 = (c.rgb, a)                                target1 = NAO ? (normalize(T·x − B̂·y + N·z) of NormalTex, aN) : 0
//! target2 = (1 − RMAO.r, NAO ? 1 − max(ao_minimum.x, RMAO.b) : 0, ½, max(a, aN))
//! discard: max(a, aN) < 0.01;  projected also |L| > ½ on an axis, or receiver_normal·normalize(B/scale.y) < 0.6
//! ```
//!
//! A, B are `box_row_a`, `box_row_b`; P is `receiver_position`; RMAO = RoughMetAOTex(uv·RMAOUVTiling). Without `DR` ("DiffRough off")
//! targets 0 and 2 are zero, so `_Standard` writes nothing and `_Standard_NAO` only the normal.
//!
//! Tokens: `DR`, `NAO`, `ST`, `Projected`. `Standard`, `StandardRCSM` and `RCSM` have no effect. See [`FAMILY`] for what is decided.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::{DecalTargets, GBuffer};
use crate::material::bind::Binder;
use crate::material::ops::math::sat;
use crate::material::ops::normal::{Frame, decode};
use crate::material::registry::{Family, Permutations};
use crate::material::{Class, Context, Material, Opacity, Point, Slot};

/// Weight below which a decal discards.
const FAINTEST: f32 = 0.01;
/// Cosine of the steepest face that a box paints: 53.13° from its local Y.
const FACING: f32 = 0.6;

/// A bound `environmentdeferreddecal` material.
pub struct EnvironmentDeferredDecal {
    /// Token `Projected`.
    projected: bool,
    /// Token `DR`.
    diff_rough: bool,
    /// Token `NAO`, of a mesh permutation.
    normal_ao: bool,
    /// `SwatchTint` (our name) where the mesh permutation has `ST`, else white.
    tint: Vec3,
    /// `DiffAlphaTex`: rgb colour, a weight; white.
    diff_alpha: Slot,
    /// `NormalTex`: rg; flat.
    normal: Slot,
    /// `RoughMetAOTex`: r roughness, b occlusion; (1, 0, 1).
    rough_met_ao: Slot,
    /// `Uv0Offset`: the atlas cell of a mesh decal, default (0, 0).
    uv0_offset: Vec2,
    /// `DiffAlphaUVTiling`, default (1, 1).
    diff_alpha_uv_tiling: Vec2,
    /// `NormalUVTiling`, default (1, 1).
    normal_uv_tiling: Vec2,
    /// `RMAOUVTiling`, default (1, 1).
    rmao_uv_tiling: Vec2,
    /// `DiffRoughIntensity`, default 1.
    diff_rough_intensity: f32,
    /// `NormalAOIntensity`, default 1.
    normal_ao_intensity: f32,
    /// `VertexAlphaOnOff`, default false.
    vertex_alpha_on: bool,
}

/// The registry entry of `environmentdeferreddecal`.
pub const FAMILY: Family = Family {
    name: "environmentdeferreddecal",
    summary: "Decals that edit the G-buffer below: meshes on facades, and projected boxes.",
    source: "001, Albedo and opacity: row environmentdeferreddecal; Mesh decals; 002",
    permutations: Permutations::Tokens {
        acting: &["DR", "NAO", "ST", "Projected"],
        inert: &["Standard", "StandardRCSM", "RCSM"],
        prefixes: &[],
    },
    inputs: &[
        "normal",
        "tangent",
        "uv0",
        "color",
        "box_position",
        "box_row_a",
        "box_row_b",
        "box_scale",
        "receiver_position",
        "receiver_normal",
    ],
    world: &["ao_minimum"],
    decisions: &[
        "G-buffer keys follow from the targets: albedo target0.rgb, roughness 1 − target2.r, occlusion 1 − target2.g.",
        "Without DR targets 0 and 2 are zero, also where discarded; coverage is the value compared with 0.01.",
        "ST multiplies by SwatchTint, white by default: the swatch lookup is not documented.",
        "Projected NAO behaves as projected without it; ST and Uv0Offset play no part in projected decals.",
        "The receiver's normal is its geometric one, toward the camera; outputs are computed outside the box too.",
    ],
    bind,
};

fn bind(binder: &mut Binder) -> Box<dyn Material> {
    let tokens = binder.tokens();
    let projected = tokens.has("Projected");
    let swatch_tint = binder.vec3("SwatchTint", [1.0, 1.0, 1.0]);
    Box::new(EnvironmentDeferredDecal {
        projected,
        diff_rough: tokens.has("DR"),
        normal_ao: tokens.has("NAO") && !projected,
        tint: if tokens.has("ST") && !projected { swatch_tint } else { Vec3::ONE },
        diff_alpha: binder.texture("DiffAlphaTex", [1.0, 1.0, 1.0, 1.0]),
        normal: binder.texture("NormalTex", [0.5, 0.5, 1.0, 1.0]),
        rough_met_ao: binder.texture("RoughMetAOTex", [1.0, 0.0, 1.0, 1.0]),
        uv0_offset: binder.vec2("Uv0Offset", [0.0, 0.0]),
        diff_alpha_uv_tiling: binder.vec2("DiffAlphaUVTiling", [1.0, 1.0]),
        normal_uv_tiling: binder.vec2("NormalUVTiling", [1.0, 1.0]),
        rmao_uv_tiling: binder.vec2("RMAOUVTiling", [1.0, 1.0]),
        diff_rough_intensity: binder.number("DiffRoughIntensity", 1.0),
        normal_ao_intensity: binder.number("NormalAOIntensity", 1.0),
        vertex_alpha_on: binder.boolean("VertexAlphaOnOff", false),
    })
}

/// The box's uv of a receiver, and whether the box paints it.
fn project(point: &Point) -> (Vec2, bool) {
    let (a, b, scale) = (point.box_row_a, point.box_row_b, point.box_scale);
    // The difference first: the coordinates are thousands of metres.
    let d = point.receiver_position - point.box_position;
    let l = Vec3::new(d.dot(a), d.dot(b), d.dot(a.cross(b))) / scale;
    let outside = l.abs().cmpgt(Vec3::splat(0.5)).any();
    let turned_away = point.receiver_normal.dot((b / scale.y).normalize()) < FACING;
    (Vec2::new(1.0 - sat(l.x + 0.5), sat(l.z + 0.5)), !outside && !turned_away)
}

/// c, its two weights, and where it was read.
struct Paint {
    uv: Vec2,
    colour: Vec3,
    a: f32,
    a_n: f32,
    opacity: Opacity,
}

impl EnvironmentDeferredDecal {
    fn paint(&self, point: &Point, context: &Context) -> Paint {
        let (uv, inside) = match self.projected {
            true => project(point),
            false => (point.uv[0] + self.uv0_offset, true),
        };
        let c = match self.diff_rough || self.normal_ao {
            true => self.diff_alpha.sample(uv * self.diff_alpha_uv_tiling, point, context),
            false => Vec4::ZERO,
        };
        let v = if self.vertex_alpha_on { point.color.w } else { 1.0 };
        let a = if self.diff_rough { c.w * self.diff_rough_intensity * v } else { 0.0 };
        let a_n = if self.normal_ao { c.w * self.normal_ao_intensity * v } else { 0.0 };
        let coverage = self.heavier(a, a_n);
        let opacity = Opacity { discard: !inside || coverage < FAINTEST, coverage };
        Paint { uv, colour: c.xyz() * self.tint, a, a_n, opacity }
    }

    /// The weight that is compared and written to target 2: max(a, aN) with `NAO`, else a.
    fn heavier(&self, a: f32, a_n: f32) -> f32 {
        match (self.diff_rough, self.normal_ao) {
            (true, true) => a.max(a_n),
            (false, true) => a_n,
            _ => a,
        }
    }

    fn target1(&self, paint: &Paint, point: &Point, context: &Context) -> Vec4 {
        if !self.normal_ao {
            return Vec4::ZERO;
        }
        let n = self.normal.sample(paint.uv * self.normal_uv_tiling, point, context);
        Frame::uv0(point).with_unit_b().to_world_green_down(decode(n)).extend(paint.a_n)
    }

    /// (1 − roughness, 1 − occlusion, ½, weight).
    fn target2(&self, paint: &Paint, point: &Point, context: &Context) -> Vec4 {
        if !self.diff_rough {
            return Vec4::ZERO;
        }
        let rma = self.rough_met_ao.sample(paint.uv * self.rmao_uv_tiling, point, context);
        let occluded = if self.normal_ao { 1.0 - rma.z.max(context.world.ao_minimum.x) } else { 0.0 };
        Vec4::new(1.0 - rma.x, occluded, 0.5, paint.opacity.coverage)
    }
}

impl Material for EnvironmentDeferredDecal {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let paint = self.paint(point, context);
        let target0 = if self.diff_rough { paint.colour.extend(paint.a) } else { Vec4::ZERO };
        let target1 = self.target1(&paint, point, context);
        let target2 = self.target2(&paint, point, context);
        let normal = if self.normal_ao { target1.xyz() } else { point.normal };
        GBuffer {
            discard: paint.opacity.discard,
            coverage: paint.opacity.coverage,
            roughness: 1.0 - target2.x,
            ambient_occlusion: 1.0 - target2.y,
            decal: Some(DecalTargets { target0, target1, target2 }),
            ..GBuffer::new(target0.xyz(), normal)
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        self.paint(point, context).opacity
    }

    fn may_discard(&self) -> bool {
        true
    }

    fn class(&self) -> Class {
        if self.projected { Class::ProjectedDecal } else { Class::MeshDecal }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bound, evaluate, sampled, samples};
    use super::*;
    use crate::scene::world::World;
    use serde_json::{Value, json};

    fn decal(permutation: &str, values: Value, point: &Point) -> GBuffer {
        evaluate(&FAMILY, permutation, values, point, &World::default())
    }

    #[test]
    fn without_dr_standard_writes_zero_everywhere_and_samples_nothing() {
        for permutation in ["", "_Standard", "_Projected", "_Projected_NAO"] {
            let g = decal(permutation, json!({}), &Point::default());
            let zero = DecalTargets { target0: Vec4::ZERO, target1: Vec4::ZERO, target2: Vec4::ZERO };
            assert_eq!((g.discard, g.coverage, g.decal), (true, 0.0, Some(zero)), "{permutation}");
            assert!(sampled(&FAMILY, permutation, json!({})).is_empty());
        }
    }

    #[test]
    fn nao_without_dr_writes_only_the_normal() {
        let g = decal("_Standard_NAO", json!({ "NormalAOIntensity": 0.5 }), &Point::default());
        let targets = g.decal.unwrap();
        assert_eq!((targets.target0, targets.target2), (Vec4::ZERO, Vec4::ZERO));
        assert_eq!(targets.target1, Vec4::new(0.0, 1.0, 0.0, 0.5));
        assert!(!g.discard);
    }

    #[test]
    fn the_normals_weight_may_vanish_while_the_occlusions_stays() {
        let values = json!({ "NormalAOIntensity": 0.0, "RoughMetAOTex": [0.25, 0.0, 0.5, 1.0] });
        let targets = decal("_Standard_DR_NAO", values, &Point::default()).decal.unwrap();
        assert_eq!(targets.target1.w, 0.0);
        assert_eq!(targets.target2, Vec4::new(0.75, 0.5, 0.5, 1.0));
    }

    #[test]
    fn a_box_paints_its_xz_square_mirrored_in_u() {
        let point = |p: Vec3| Point {
            box_position: Vec3::new(1000.0, 0.0, 0.0),
            box_scale: Vec3::new(2.0, 1.0, 4.0),
            receiver_position: Vec3::new(1000.0, 0.0, 0.0) + p,
            ..Point::default()
        };
        let at = |p: Vec3| {
            let taken = samples(&FAMILY, "_Projected_DR", json!({}), &point(p));
            (taken[0].uv.unwrap(), decal("_Projected_DR", json!({}), &point(p)).discard)
        };
        assert_eq!(at(Vec3::ZERO), (Vec2::new(0.5, 0.5), false));
        // C = cross(X, Y) = +Z.
        assert_eq!(at(Vec3::new(0.5, 0.25, 1.0)), (Vec2::new(0.25, 0.75), false));
        assert_eq!(at(Vec3::new(1.0, 0.5, -2.0)), (Vec2::new(0.0, 0.0), false));
        assert_eq!(at(Vec3::new(0.0, 0.75, 0.0)), (Vec2::new(0.5, 0.5), true));
        assert_eq!(at(Vec3::new(-9.0, 0.0, 0.0)), (Vec2::new(1.0, 0.5), true));
    }

    #[test]
    fn steep_faces_are_not_painted() {
        let discard = |receiver_normal| {
            decal("_Projected_DR_NAO", json!({}), &Point { receiver_normal, ..Point::default() }).discard
        };
        assert!(!discard(Vec3::new(0.75, 0.65, 0.0)));
        assert!(discard(Vec3::new(0.83, 0.55, 0.0)));
        assert!(discard(Vec3::NEG_Y));
    }

    #[test]
    fn offset_and_tint_belong_to_meshes() {
        let values =
            || json!({ "Uv0Offset": [0.25, 0.5], "DiffAlphaUVTiling": [2.0, 2.0], "SwatchTint": [0.5, 0.5, 0.5] });
        assert_eq!(samples(&FAMILY, "_DR", values(), &Point::default())[0].uv, Some(Vec2::new(0.5, 1.0)));
        assert_eq!(decal("_DR_ST", values(), &Point::default()).albedo, Vec3::splat(0.5));
        assert_eq!(decal("_Projected_DR_ST", values(), &Point::default()).albedo, Vec3::ONE);
        assert_eq!(bound(&FAMILY, "_Projected_DR", json!({})).class(), Class::ProjectedDecal);
        assert_eq!(bound(&FAMILY, "_Standard_DR", json!({})).class(), Class::MeshDecal);
    }
}
