//! `MAD_Decals1`: mesh decals of the second engine, a diffuse and a packed normal map at uv0.
//!
//! Documentation 004, "Fake and Tex1":
//!
//! ```text
//! colour HSV tint of diffuse.rgb, no mask;   roughness S(sat(normal.A + RoughnessOffset))
//! metalness normal.B·Metalness;   AO 1
//! ```
//!
//! No permutations. Open and decided: see [`FAMILY`]'s decisions.

use glam::Vec4Swizzles;

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::HsvTint;
use crate::material::ops::mad;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Decals1",
    summary: "decals: HSV-tinted diffuse and packed normal map at the mesh uv",
    source: "004 Surface formulas and texture roles, Fake and Tex1",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0"],
    world: &["alpha_reference"],
    decisions: &[
        "The tint's weight is 1: there is no mask.",
        "Whether it tests alpha is not stated: parameter AlphaTest, default false.",
    ],
    bind,
};

struct MadDecals1 {
    /// `Hue`, `Saturation`, `Luminosity`, defaults 0.
    tint: HsvTint,
    /// Default 0.
    roughness_offset: f32,
    /// Default 1.
    metalness: f32,
    /// Default false.
    alpha_test: bool,
    normal: Slot,
    diffuse: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(MadDecals1 {
        tint: mad::tint(b, "Hue", "Saturation", "Luminosity"),
        roughness_offset: b.number("RoughnessOffset", 0.0),
        metalness: b.number("Metalness", 1.0),
        alpha_test: b.boolean("AlphaTest", false),
        normal: b.texture("normal", mad::NORMAL),
        diffuse: b.texture("diffuse", mad::DIFFUSE),
    })
}

impl MadDecals1 {
    fn test(&self, alpha: f32, context: &Context) -> Opacity {
        match self.alpha_test {
            true => mad::alpha_test(alpha, context),
            false => Opacity { discard: false, coverage: 1.0 },
        }
    }
}

impl Material for MadDecals1 {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let normal = self.normal.sample(point.uv[0], point, context);
        let diffuse = self.diffuse.sample(point.uv[0], point, context);
        let Opacity { discard, coverage } = self.test(diffuse.w, context);
        GBuffer {
            discard,
            coverage,
            metalness: normal.z * self.metalness,
            roughness: mad::roughness_curve(normal.w, self.roughness_offset),
            ..GBuffer::new(self.tint.apply(diffuse.xyz(), 1.0), mad::world_normal(normal, point))
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        match self.alpha_test {
            true => self.test(self.diffuse.sample(point.uv[0], point, context).w, context),
            false => self.test(1.0, context),
        }
    }

    fn may_discard(&self) -> bool {
        self.alpha_test
    }
}

#[cfg(test)]
mod tests {
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::material::{Context, Point};
    use crate::scene::world::World;
    use glam::Vec4;

    #[test]
    fn alpha_is_tested_only_where_the_material_asks_for_it() {
        for alpha_test in [false, true] {
            let mut input = Input::default();
            input.parameters.insert("AlphaTest".to_owned(), alpha_test.into());
            input.textures.insert("diffuse".to_owned(), TextureInput::Constant(Vec4::new(0.5, 0.5, 0.5, 0.25)));
            let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
            let g = material.evaluate(&Point::default(), &Context::new(&World::default()));
            assert_eq!((g.discard, g.coverage), if alpha_test { (true, 0.25) } else { (false, 1.0) });
            assert_eq!(material.may_discard(), alpha_test);
        }
    }
}
