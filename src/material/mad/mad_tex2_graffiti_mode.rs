//! `MAD_Tex2_Graffiti_Mode`: Tex2 whose layer A changes its palette with a run-time state.
//!
//! Documentation 004, "Tex2 height blending". As MAD_Tex2, but:
//!
//! ```text
//! tintedA   → lerp(tintedA, Palette{s}.rgb, Palette{s}.a·maskA.r)   for graffiti_state s in 0..9
//! roughness = qA·normalA.a + qB·normalB.a, raw;   no vertex-colour factor
//! ```
//!
//! No permutations, no alpha test. Open and decided: see [`FAMILY`]'s decisions.

use glam::{Vec3, Vec4, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::HsvTint;
use crate::material::ops::height_blend::{HeightBlend, Layer, Texels};
use crate::material::ops::mad;
use crate::material::ops::math::lerp3;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex2_Graffiti_Mode",
    summary: "MAD_Tex2 whose A layer takes a palette by the run-time graffiti state",
    source: "004 Surface formulas and texture roles, Tex2 height blending",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &["graffiti_state"],
    decisions: &[
        "The palette is not documented: parameters Palette0 … Palette9, RGB and strength, by default none.",
        "It replaces A's colour after the HSV tint, by maskA.r; states outside 0..9 replace nothing.",
        "Everything else is decided as for MAD_Tex2.",
    ],
    bind,
};

struct MadTex2GraffitiMode {
    /// `HueA`, `SaturationA`, `LuminosityA`, defaults 0.
    tint_a: HsvTint,
    /// `HueB`, `SaturationB`, `LuminosityB`, defaults 0.
    tint_b: HsvTint,
    blend: HeightBlend,
    /// `Palette0` … `Palette9`, RGB and strength, default (0, 0, 0, 0).
    palette: [Vec4; 10],
    a: Layer,
    b: Layer,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    const PALETTE: [&str; 10] = [
        "Palette0", "Palette1", "Palette2", "Palette3", "Palette4", "Palette5", "Palette6", "Palette7", "Palette8",
        "Palette9",
    ];
    Box::new(MadTex2GraffitiMode {
        tint_a: mad::tint(b, "HueA", "SaturationA", "LuminosityA"),
        tint_b: mad::tint(b, "HueB", "SaturationB", "LuminosityB"),
        blend: HeightBlend::bind(b),
        palette: PALETTE.map(|name| b.vec4(name, [0.0; 4])),
        a: Layer::bind_a(b),
        b: Layer::bind_b(b),
    })
}

impl MadTex2GraffitiMode {
    fn color_a(&self, a: &Texels, context: &Context) -> Vec3 {
        let tinted = a.tinted(&self.tint_a);
        let entry = usize::try_from(context.world.graffiti_state).ok().and_then(|state| self.palette.get(state));
        match entry {
            Some(entry) => lerp3(tinted, entry.xyz(), entry.w * a.mask.x),
            None => tinted,
        }
    }
}

impl Material for MadTex2GraffitiMode {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let a = self.a.sample(point, context);
        let b = self.b.sample(point, context);
        let q = self.blend.weights(point.color.w, a.diffuse.w, b.diffuse.w);
        let albedo = q.mix3(self.color_a(&a, context), b.tinted(&self.tint_b));
        GBuffer {
            metalness: q.mix(a.normal.z, b.normal.z),
            roughness: q.mix(a.normal.w, b.normal.w),
            ambient_occlusion: self.blend.ambient_occlusion(q, &a, &b),
            ..GBuffer::new(albedo, q.world_normal(&a, &b, point))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::material::bind::{Input, NoTextures, TextureInput, bind as bind_family};
    use crate::material::{Context, Point};
    use crate::scene::world::World;
    use glam::{Vec3, Vec4};

    #[test]
    fn the_state_picks_a_palette_and_other_states_replace_nothing() {
        let mut input = Input::default();
        input.parameters.insert("Palette7".to_owned(), serde_json::json!([0.0, 1.0, 0.0, 0.5]));
        input.textures.insert("maskA".to_owned(), TextureInput::Constant(Vec4::ONE));
        let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let albedo = |graffiti_state| {
            let world = World { graffiti_state, ..World::default() };
            let point = Point { color: Vec4::new(1.0, 1.0, 1.0, -1.0), ..Point::default() };
            material.evaluate(&point, &Context::new(&world)).albedo
        };
        assert!(albedo(7).abs_diff_eq(Vec3::new(0.25, 0.75, 0.25), 1e-6));
        for other in [-1, 0, 8, 10, i64::MAX] {
            assert!(albedo(other).abs_diff_eq(Vec3::splat(0.5), 1e-6), "{other}");
        }
    }
}
