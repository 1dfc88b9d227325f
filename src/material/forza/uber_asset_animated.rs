//! `uber_asset_animated`: boats and boards that rock; in the pixel stage a plain set with a wetness term.
//!
//! Documentation 000, "uber_asset_animated". With ao = AOTexture(uv1).r, D, RM at uv0, cb7\[3\] = `weather`:
//!
//! ```text
//! wf = sat(N.y + 1)
//! k  = lerp(1 + wf(cb7[3].x − 1), 1 + wf(cb7[3].z − 1), sat(1 − RM.r));   L = dot(D.rgb, (0.3, 0.59, 0.11))
//! RT0.rgb = ((1 + (1 − k)·0.2)(D.rgb·k − L) + L) · F(ao);   RT0.w = RM.g
//! RT1.w   = RM.r + WetRoughnessScale(RM.r^(1 + wf(cb7[3].y − 1)) − RM.r);   RT2 = standard NormalATexture(uv0)
//! _AlphaTest: discard D.a < cb2[128].x
//! ```
//!
//! Dry weather (1, 1, 1) makes every weather term the identity. Permutations: exact names. Open and decided: see
//! [`FAMILY`]'s decisions.

use glam::{Vec3, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::LUMA;
use crate::material::ops::math::{lerp, sat};
use crate::material::ops::normal::{Frame, decode};
use crate::material::ops::occlusion;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

const ALPHA_TEST: &str = "_AlphaTest_AnimOscillate";

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "uber_asset_animated",
    summary: "boats and boards: one texture set with roughness and metalness maps, alpha test, wetness by weather",
    source: "000 Rock and animated-prop shaders, uber_asset_animated",
    permutations: Permutations::Names(&["_Animate_AnimOscillate", ALPHA_TEST]),
    inputs: &["normal", "tangent", "uv0", "uv1"],
    world: &["weather", "alpha_reference", "ao_minimum", "ao_into_albedo"],
    decisions: &[
        "The vertex motion has no documented parameters: the mesh stays at rest.",
        "N.y in the wetness is the vertex normal's; L is of the raw diffuse colour; nothing is clamped.",
    ],
    bind,
};

struct UberAssetAnimated {
    alpha_test: bool,
    /// Default 1.
    wet_roughness_scale: f32,
    ao: Slot,
    diffuse_a: Slot,
    normal_a: Slot,
    roughness_metalness_a: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(UberAssetAnimated {
        alpha_test: b.permutation() == ALPHA_TEST,
        wet_roughness_scale: b.number("WetRoughnessScale", 1.0),
        ao: b.texture("AOTexture", [1.0; 4]),
        diffuse_a: b.texture("DiffuseATexture", [0.5, 0.5, 0.5, 1.0]),
        normal_a: b.texture("NormalATexture", [0.5, 0.5, 1.0, 1.0]),
        roughness_metalness_a: b.texture("RoughnessMetalnessATexture", [0.5, 0.0, 0.0, 1.0]),
    })
}

impl UberAssetAnimated {
    fn test(&self, alpha: f32, context: &Context) -> Opacity {
        match self.alpha_test {
            true => Opacity { discard: alpha < context.world.alpha_reference, coverage: alpha },
            false => Opacity { discard: false, coverage: 1.0 },
        }
    }
}

impl Material for UberAssetAnimated {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let weather = context.world.weather;
        let ao = self.ao.sample(point.uv[1], point, context).x;
        let d = self.diffuse_a.sample(point.uv[0], point, context);
        let nm = self.normal_a.sample(point.uv[0], point, context);
        let rm = self.roughness_metalness_a.sample(point.uv[0], point, context);

        let wf = sat(point.normal.y + 1.0);
        let k = lerp(1.0 + wf * (weather.x - 1.0), 1.0 + wf * (weather.z - 1.0), sat(1.0 - rm.x));
        let l = Vec3::splat(d.xyz().dot(LUMA));
        let wetted = (1.0 + (1.0 - k) * 0.2) * (d.xyz() * k - l) + l;
        let wet_roughness = rm.x.powf(1.0 + wf * (weather.y - 1.0));
        let Opacity { discard, coverage } = self.test(d.w, context);
        GBuffer {
            discard,
            coverage,
            metalness: rm.y,
            roughness: rm.x + self.wet_roughness_scale * (wet_roughness - rm.x),
            ambient_occlusion: ao,
            ..GBuffer::new(
                wetted * occlusion::albedo_factor(context.world, ao),
                Frame::uv0(point).to_world_green_down(decode(nm)),
            )
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        match self.alpha_test {
            true => self.test(self.diffuse_a.sample(point.uv[0], point, context).w, context),
            false => self.test(1.0, context),
        }
    }

    fn may_discard(&self) -> bool {
        self.alpha_test
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::scene::world::World;
    use glam::Vec4;

    fn material(permutation: &str, diffuse: Vec4) -> Box<dyn Material> {
        let mut input = Input { permutation: Some(permutation.to_owned()), ..Input::default() };
        input.textures.insert("DiffuseATexture".to_owned(), TextureInput::Constant(diffuse));
        bind_family(&FAMILY, &input, &mut NoTextures).expect("the input is valid")
    }

    #[test]
    fn dry_weather_is_the_identity_and_wetness_acts_on_up_facing_surfaces_only() {
        let d = Vec4::new(0.2, 0.5, 0.8, 1.0);
        let dry = material("_Animate_AnimOscillate", d).evaluate(&Point::default(), &Context::new(&World::default()));
        assert!(dry.albedo.abs_diff_eq(d.xyz(), 1e-7));
        assert_eq!(dry.roughness, 0.5);

        let world = World { weather: Vec3::new(0.5, 2.0, 0.5), ..World::default() };
        let wet = |normal| {
            let point = Point { normal, ..Point::default() };
            material("_Animate_AnimOscillate", d).evaluate(&point, &Context::new(&world))
        };
        assert!(wet(Vec3::NEG_Y).albedo.abs_diff_eq(d.xyz(), 1e-7));
        assert_eq!(wet(Vec3::Y).roughness, 0.25);
        // k = ½, L = 0.443: 1.1(0.1 − L) + L.
        assert!((wet(Vec3::Y).albedo.x - 0.0657).abs() < 1e-6);
    }

    #[test]
    fn only_the_alpha_test_permutation_discards_and_equality_survives() {
        let world = World::default();
        for (alpha, discard) in [(0.49, true), (0.5, false), (0.51, false)] {
            let d = Vec4::new(0.2, 0.5, 0.8, alpha);
            let tested = material(ALPHA_TEST, d);
            let g = tested.evaluate(&Point::default(), &Context::new(&world));
            assert_eq!((g.discard, g.coverage), (discard, alpha));
            assert_eq!(tested.opacity(&Point::default(), &Context::new(&world)), Opacity { discard, coverage: alpha });
            let untested = material("_Animate_AnimOscillate", d);
            assert!(tested.may_discard() && !untested.may_discard());
            assert!(!untested.evaluate(&Point::default(), &Context::new(&world)).discard);
        }
    }
}
