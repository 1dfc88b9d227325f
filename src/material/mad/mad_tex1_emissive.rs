//! `MAD_Tex1_Emissive`: Tex1 with an emissive mask and a scale on its alpha.
//!
//! Documentation 004, "Fake and Tex1" and "Emission and colour space":
//!
//! ```text
//! s = emissiveMask.R·EmissiveScale / t23;   stored (s, s, s);   emitted albedo·s
//! test value diffuse.A·Alpha;   everything else as MAD_Tex1
//! ```
//!
//! No permutations. Open and decided: see [`FAMILY`]'s decisions.

use glam::Vec3;

use super::mad_tex1::Tex1;
use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::mad;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex1_Emissive",
    summary: "glowing props: MAD_Tex1 with an emissive mask",
    source: "004 Surface formulas and texture roles, Fake and Tex1; Emission and colour space",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &["alpha_reference", "exposure"],
    decisions: &[
        "\"Mask red\" is the red of its own emissiveMask at the transformed uv.",
        "Alpha is a factor on diffuse.A before Tex1's test.",
        "Emission is the final albedo times the stored scalar, as the ambient lighting path has it; no distance encoding.",
    ],
    bind,
};

struct MadTex1Emissive {
    base: Tex1,
    /// Default 1.
    emissive_scale: f32,
    /// Default 1.
    alpha: f32,
    emissive_mask: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(MadTex1Emissive {
        base: Tex1::bind(b),
        emissive_scale: b.number("EmissiveScale", 1.0),
        alpha: b.number("Alpha", 1.0),
        emissive_mask: b.texture("emissiveMask", [0.0; 4]),
    })
}

impl Material for MadTex1Emissive {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let surface = self.base.surface(self.alpha, point, context);
        let mask = self.emissive_mask.sample(self.base.uv(point), point, context).x;
        let s = mad::emissive_scalar(mask, self.emissive_scale, context);
        GBuffer { emission: surface.albedo * s, emission_seed: Vec3::splat(s), ..surface }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        mad::alpha_test(self.base.alpha(point, context) * self.alpha, context)
    }

    fn may_discard(&self) -> bool {
        true
    }

    fn may_emit(&self) -> bool {
        self.emissive_scale != 0.0 && self.emissive_mask.as_constant().is_none_or(|mask| mask.x != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::material::{Context, Opacity, Point};
    use crate::scene::world::World;
    use glam::{Vec3, Vec4};

    #[test]
    fn emission_is_albedo_times_the_stored_scalar_and_alpha_scales_the_test() {
        let mut input = Input::default();
        input.parameters.insert("EmissiveScale".to_owned(), 8.0.into());
        input.parameters.insert("Alpha".to_owned(), 0.25.into());
        input.textures.insert("emissiveMask".to_owned(), TextureInput::Constant(Vec4::new(0.5, 1.0, 1.0, 1.0)));
        let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let world = World { exposure: 2.0, ..World::default() };
        let g = material.evaluate(&Point::default(), &Context::new(&world));
        assert_eq!((g.emission, g.emission_seed), (Vec3::ONE, Vec3::splat(2.0)));
        assert_eq!((g.discard, g.coverage), (true, 0.25));
        let opacity = material.opacity(&Point::default(), &Context::new(&world));
        assert_eq!(opacity, Opacity { discard: true, coverage: 0.25 });
        assert!(material.may_emit());
    }

    #[test]
    fn an_unbound_mask_surely_emits_nothing() {
        let material = bind_family(&super::FAMILY, &Input::default(), &mut NoTextures).expect("defaults bind");
        assert!(!material.may_emit());
    }
}
