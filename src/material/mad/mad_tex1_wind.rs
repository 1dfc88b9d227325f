//! `MAD_Tex1_Wind`: plants and cloth that the wind moves; in the pixel stage a Tex1 without curves and vertex colour.
//!
//! Documentation 004, "Fake and Tex1":
//!
//! ```text
//! colour HSV tint of diffuse.rgb, weight mask.R;   roughness normal.A raw;   metalness normal.B raw
//! AO 1 + OnOffAO·(mask.B − 1);   discard diffuse.A < cb2[18].y
//! ```
//!
//! No permutations. Open and decided: see [`FAMILY`]'s decisions.

use glam::Vec4Swizzles;

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::HsvTint;
use crate::material::ops::mad::{self, UvRows};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex1_Wind",
    summary: "plants and cloth in the wind: HSV tint by mask, raw roughness and metalness, alpha test",
    source: "004 Surface formulas and texture roles, Fake and Tex1",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0"],
    world: &["alpha_reference"],
    decisions: &[
        "Tint weight, AO and alpha test are taken as in Tex1, whose variant it is; the text gives the constants only.",
        "The wind constants do not affect the pixel and are not parameters.",
        "Translucency is accepted and reaches no output: its use is not documented.",
    ],
    bind,
};

struct MadTex1Wind {
    /// `Hue`, `Saturation`, `Luminosity`, defaults 0.
    tint: HsvTint,
    /// `UVRow0`, `UVRow1`, the identity by default.
    rows: UvRows,
    /// Default 1.
    on_off_ao: f32,
    normal: Slot,
    diffuse: Slot,
    mask: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    // Declared and read by nothing (decisions).
    b.number("Translucency", 0.0);
    Box::new(MadTex1Wind {
        tint: mad::tint(b, "Hue", "Saturation", "Luminosity"),
        rows: UvRows::bind(b, "UVRow0", "UVRow1"),
        on_off_ao: b.number("OnOffAO", 1.0),
        normal: b.texture("normal", mad::NORMAL),
        diffuse: b.texture("diffuse", mad::DIFFUSE),
        mask: b.texture("mask", mad::MASK),
    })
}

impl Material for MadTex1Wind {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = self.rows.apply(point.uv[0]);
        let normal = self.normal.sample(uv, point, context);
        let diffuse = self.diffuse.sample(uv, point, context);
        let mask = self.mask.sample(uv, point, context);
        let Opacity { discard, coverage } = mad::alpha_test(diffuse.w, context);
        GBuffer {
            discard,
            coverage,
            metalness: normal.z,
            roughness: normal.w,
            ambient_occlusion: mad::ambient_occlusion(self.on_off_ao, mask.z),
            ..GBuffer::new(self.tint.apply(diffuse.xyz(), mask.x), mad::world_normal(normal, point))
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        mad::alpha_test(self.diffuse.sample(self.rows.apply(point.uv[0]), point, context).w, context)
    }

    fn may_discard(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::material::{Context, Point};
    use crate::scene::world::World;
    use glam::Vec4;

    #[test]
    fn roughness_and_metalness_are_raw_and_vertex_colour_is_ignored() {
        let mut input = Input::default();
        input.textures.insert("normal".to_owned(), TextureInput::Constant(Vec4::new(0.5, 0.5, 0.7, 0.1)));
        let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let world = World::default();
        let g = material.evaluate(&Point::default(), &Context::new(&world));
        assert_eq!((g.metalness, g.roughness), (0.7, 0.1));
        let black = Point { color: Vec4::ZERO, ..Point::default() };
        assert_eq!(material.evaluate(&black, &Context::new(&world)), g);
    }
}
