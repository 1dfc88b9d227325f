//! `Classic`: characters and their clothes, one texture set with an emissive mask and a decal layer.
//!
//! Documentation 004, "Character surfaces" and "Emission and colour space":
//!
//! ```text
//! albedo = lerp(BaseColor.rgb, Decal.rgb, Decal.a);   Normal: RG frame, B metalness, A roughness
//! s = Mask.B·EmissiveScale / t23;   stored (s, s, s);   emitted albedo·s
//! ```
//!
//! No permutations, no alpha test. VWIND details, SkiSnowboard and Skateboard are not established and left out. Open and
//! decided: see [`FAMILY`]'s decisions.

use glam::{Vec3, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::mad;
use crate::material::ops::math::lerp3;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "Classic",
    summary: "characters: base colour, packed normal map, emissive mask and one decal layer",
    source: "004 Surface formulas and texture roles, Character surfaces",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0"],
    world: &["exposure"],
    decisions: &[
        "The decal lies at uv0 and changes the colour only.",
        "The emission's scale is not documented: parameter EmissiveScale.",
        "Emission is divided by the exposure, as in the executed emissive families.",
    ],
    bind,
};

struct Classic {
    /// Default 1.
    emissive_scale: f32,
    base_color: Slot,
    normal: Slot,
    mask: Slot,
    decal: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(Classic {
        emissive_scale: b.number("EmissiveScale", 1.0),
        base_color: b.texture("BaseColor", mad::DIFFUSE),
        normal: b.texture("Normal", mad::NORMAL),
        mask: b.texture("Mask", [0.0; 4]),
        decal: b.texture("Decal", [0.0; 4]),
    })
}

impl Material for Classic {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let base_color = self.base_color.sample(point.uv[0], point, context);
        let normal = self.normal.sample(point.uv[0], point, context);
        let mask = self.mask.sample(point.uv[0], point, context);
        let decal = self.decal.sample(point.uv[0], point, context);

        let albedo = lerp3(base_color.xyz(), decal.xyz(), decal.w);
        let s = mad::emissive_scalar(mask.z, self.emissive_scale, context);
        GBuffer {
            metalness: normal.z,
            roughness: normal.w,
            emission: albedo * s,
            emission_seed: Vec3::splat(s),
            ..GBuffer::new(albedo, mad::world_normal(normal, point))
        }
    }

    fn may_emit(&self) -> bool {
        self.emissive_scale != 0.0 && self.mask.as_constant().is_none_or(|mask| mask.z != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::scene::world::World;
    use glam::Vec4;

    #[test]
    fn the_decal_covers_the_colour_and_tints_the_emission() {
        let mut input = Input::default();
        input.textures.insert("Decal".to_owned(), TextureInput::Constant(Vec4::new(1.0, 0.0, 0.0, 0.5)));
        input.textures.insert("Mask".to_owned(), TextureInput::Constant(Vec4::new(0.0, 0.0, 0.5, 0.0)));
        let material = bind_family(&FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let world = World { exposure: 0.25, ..World::default() };
        let g = material.evaluate(&Point::default(), &Context::new(&world));
        assert_eq!(g.albedo, Vec3::new(0.75, 0.25, 0.25));
        assert_eq!((g.emission, g.emission_seed), (Vec3::new(1.5, 0.5, 0.5), Vec3::splat(2.0)));
        assert!(material.may_emit());
    }
}
