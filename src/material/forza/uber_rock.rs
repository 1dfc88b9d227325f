//! `uber_rock`: boulders and rock faces with one texture set, a world-planar up layer and up to two micro maps.
//!
//! Documentation 000, "uber_rock" and "Shared pieces". In its symbols:
//!
//! ```text
//! D, AO, nb   DiffuseA, AOA, NormalA at uv0
//! Up          up = UpMask(nb): c, r, AO, n → DiffuseC, AOC, NormalC at 0.2·(P.x, P.z)
//! Micro       dd on the colour, mr on the roughness, (mx, my) on the normal; cw mixes the two maps, cz = COLOR.b
//! Modulate    colour only
//! albedo      lerp(tide(clamp(c_mod, 0, 1)), c_premodulate, up) · F(AO′)
//! ```
//!
//! Permutations: exact names. `_Micro1` has one map (cw = 1), `_Micro2` two (cw = COLOR.a); `Frost` and `Spline` have no
//! effect here. Metalness 0, no emission. Open and decided: see [`FAMILY`]'s decisions.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::math::{lerp, lerp3, sat, sat3};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion;
use crate::material::ops::overlay::overlay;
use crate::material::ops::rock::{Modulate, Tide, UpMask};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "uber_rock",
    summary: "rock with one texture set, a world-planar up layer, micro detail, modulate and tide mark",
    source: "000 Rock and animated-prop shaders, uber_rock",
    permutations: Permutations::Names(&[
        "_diff1_simple_Modulate_Spline",
        "_diff1_simple_Modulate_Upshader",
        "_diff1_simple_Upshader",
        "_diff1_simple_Frost",
        "_Micro2_Modulate_UpShader",
        "_Micro1_Modulate",
        "_Micro1",
    ]),
    inputs: &["position", "normal", "tangent", "uv0", "uv1", "color", "instance_variation", "scale"],
    world: &["camera", "ao_minimum", "ao_into_albedo", "ao_curve"],
    decisions: &[
        "The constant up mask of permutations without Up is the parameter ConstantUpMask, default 0, unclamped.",
        "The column scales in a uv are (scale.x, scale.y).",
        "The albedo is not clamped after the final lerp; the normal after the micro is not renormalised.",
        "The frame of the micro is the uv0 frame, as everywhere in this family.",
        "The run-time MegaSkirt blend into the terrain is left out.",
    ],
    bind,
};

/// The micro maps of the permutation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Micro {
    None,
    One,
    Two,
}

struct UberRock {
    micro: Micro,
    has_up: bool,
    has_modulate: bool,
    up_mask: UpMask,
    modulate: Modulate,
    tide: Tide,
    /// Default 0: up where the permutation has no Up.
    constant_up_mask: f32,
    /// Default (1, 1).
    micro_uv_tiling: Vec2,
    /// Default (1, 1).
    micro2_uv_tiling: Vec2,
    /// Default 1.
    micro_diffuse01_strength: f32,
    /// Default 1.
    micro_diffuse02_strength: f32,
    diffuse_a: Slot,
    normal_a: Slot,
    ao_a: Slot,
    diffuse_c: Slot,
    normal_c: Slot,
    ao_c: Slot,
    micro_normal: Slot,
    micro2_normal: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    const GREY: [f32; 4] = [0.5; 4];
    const FLAT: [f32; 4] = [0.5, 0.5, 1.0, 1.0];
    let permutation = b.permutation();
    Box::new(UberRock {
        micro: match permutation {
            name if name.starts_with("_Micro1") => Micro::One,
            name if name.starts_with("_Micro2") => Micro::Two,
            _ => Micro::None,
        },
        has_up: permutation.to_ascii_lowercase().ends_with("_upshader"),
        has_modulate: permutation.contains("_Modulate"),
        up_mask: UpMask::bind(b),
        modulate: Modulate::bind(b),
        tide: Tide::bind(b),
        constant_up_mask: b.number("ConstantUpMask", 0.0),
        micro_uv_tiling: b.vec2("MicroUVTiling", [1.0, 1.0]),
        micro2_uv_tiling: b.vec2("Micro2UVTiling", [1.0, 1.0]),
        micro_diffuse01_strength: b.number("MicroDiffuse01Strength", 1.0),
        micro_diffuse02_strength: b.number("MicroDiffuse02Strength", 1.0),
        diffuse_a: b.texture("DiffuseA", GREY),
        normal_a: b.texture("NormalA", FLAT),
        ao_a: b.texture("AOA", [1.0; 4]),
        diffuse_c: b.texture("DiffuseC", GREY),
        normal_c: b.texture("NormalC", FLAT),
        ao_c: b.texture("AOC", [1.0; 4]),
        micro_normal: b.texture("MicroNormal", GREY),
        micro2_normal: b.texture("Micro2Normal", GREY),
    })
}

/// The surface between two steps.
#[derive(Clone, Copy)]
struct Layer {
    c: Vec3,
    r: f32,
    n: Vec3,
    ao: f32,
    up: f32,
}

impl UberRock {
    fn base(&self, frame: &Frame, point: &Point, context: &Context) -> Layer {
        let d = self.diffuse_a.sample(point.uv[0], point, context);
        let ao = self.ao_a.sample(point.uv[0], point, context).x;
        let nb = frame.to_world_green_down(decode(self.normal_a.sample(point.uv[0], point, context)));
        Layer { c: d.xyz(), r: d.w, n: nb, ao, up: self.constant_up_mask }
    }

    fn up(&self, below: Layer, point: &Point, context: &Context) -> Layer {
        let uv = 0.2 * Vec2::new(point.position.x, point.position.z);
        let c = self.diffuse_c.sample(uv, point, context);
        let n_c = self.normal_c.sample(uv, point, context);
        let ao_c = self.ao_c.sample(uv, point, context).x;

        let up = self.up_mask.evaluate(below.n, point);
        let n_up = Frame::world_layer(point.normal).to_world_green_down(decode(n_c));
        Layer {
            c: lerp3(below.c, c.xyz(), up),
            r: lerp(below.r, c.w, up),
            n: lerp3(below.n, n_up, up).normalize(),
            ao: lerp(below.ao, ao_c, up),
            up,
        }
    }

    fn micro(&self, below: Layer, frame: &Frame, point: &Point, context: &Context) -> Layer {
        let (cz, up) = (point.color.z, below.up);
        let column_scales = Vec2::new(point.scale.x, point.scale.y);
        let m1 = self.micro_normal.sample(self.micro_uv_tiling * point.uv[1] * column_scales, point, context);
        // With cw = 1 every term of M2 vanishes; `_Micro1` does not sample it.
        let (cw, m2) = match self.micro {
            Micro::Two => {
                let uv = self.micro2_uv_tiling * point.uv[1] * column_scales;
                (point.color.w, self.micro2_normal.sample(uv, point, context))
            }
            Micro::One | Micro::None => (1.0, Vec4::splat(0.5)),
        };

        let dd = lerp(m2.w, (m1.w - 0.5) * cz + 0.5, cw);
        let strength = lerp(self.micro_diffuse02_strength, self.micro_diffuse01_strength, cw);
        let c = below.c + (dd - 0.5) * (1.0 - up) * sat((0.875 + 0.125 * point.scale.z) * strength);

        let mr = lerp(m2.z, (m1.z - 0.5) * cz + 0.5, cw);
        let r = overlay(below.r, mr + (0.5 - mr) * up);

        let frame = frame.with_unit_b();
        let t = frame.project(below.n).normalize();
        let mx = lerp(2.0 * m2.x - 1.0, (2.0 * m1.x - 1.0) * cz, cw);
        let my = -lerp(2.0 * m2.y - 1.0, (2.0 * m1.y - 1.0) * cz, cw);
        let f = ((1.0 - up) * cz).max(if self.micro == Micro::Two { 1.0 - cw } else { 0.0 });
        let t2 = Vec3::new(t.x + f * mx * (1.0 - up), t.y + f * my * (1.0 - up), t.z).normalize();
        Layer { c, r, n: frame.combine(t2), ..below }
    }
}

impl Material for UberRock {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let frame = Frame::uv0(point);
        let mut layer = self.base(&frame, point, context);
        if self.has_up {
            layer = self.up(layer, point, context);
        }
        if self.micro != Micro::None {
            layer = self.micro(layer, &frame, point, context);
        }
        let c_premodulate = layer.c;
        let c_mod = match self.has_modulate {
            true => self.modulate.sample(point, context).color(layer.c),
            false => layer.c,
        };
        let ao = occlusion::curve(context.world, layer.ao);
        let albedo = lerp3(self.tide.apply(sat3(c_mod), ao, point), c_premodulate, layer.up);
        let f = occlusion::albedo_factor(context.world, ao);
        GBuffer { roughness: layer.r, ambient_occlusion: ao, ..GBuffer::new(albedo * f, layer.n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::bind::{Input, NoTextures, bind as bind_family};
    use crate::scene::world::World;

    fn evaluate(permutation: &str, constant_up: f32) -> GBuffer {
        let mut input = Input { permutation: Some(permutation.to_owned()), ..Input::default() };
        input.parameters.insert("ConstantUpMask".to_owned(), constant_up.into());
        let material = bind_family(&FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let point = Point { position: Vec3::new(0.0, 5.0, 0.0), ..Point::default() };
        material.evaluate(&point, &Context::new(&World::default()))
    }

    #[test]
    fn defaults_leave_a_grey_rock_in_every_permutation() {
        let Permutations::Names(names) = FAMILY.permutations else { panic!("names") };
        for name in names {
            let g = evaluate(name, 0.0);
            assert!(g.albedo.abs_diff_eq(Vec3::splat(0.5), 1e-6), "{name}: {}", g.albedo);
            assert!(g.normal.abs_diff_eq(Vec3::Y, 1e-6), "{name}: {}", g.normal);
            assert!((g.roughness - 0.5).abs() < 1e-6, "{name}");
        }
    }

    #[test]
    fn frost_and_spline_change_nothing() {
        assert_eq!(evaluate("_diff1_simple_Frost", 0.0).albedo, evaluate("_diff1_simple_Modulate_Spline", 0.0).albedo);
    }

    #[test]
    fn the_constant_mask_is_not_read_where_the_permutation_has_its_own() {
        assert_eq!(evaluate("_diff1_simple_Upshader", 0.0), evaluate("_diff1_simple_Upshader", 7.0));
    }
}
