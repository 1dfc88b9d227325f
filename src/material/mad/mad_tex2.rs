//! `MAD_Tex2`: two tinted texture sets, blended by vertex alpha and by the heights in the diffuse alphas.
//!
//! Documentation 004, "Tex2 height blending":
//!
//! ```text
//! w  = sat((COLOR0.a − ½)·AlphaContrast + ½ + AlphaContrast·AlphaOffset);   m = max(w·heightB, (1 − w)·heightA)
//! wB = max(w·heightB − (m − (1 − HeightContrast)), 0), wA likewise;   qA, qB = wA, wB / (wA + wB)
//! albedo    = (qA·tintedA + qB·tintedB)·(1 + VCIntensity·(COLOR0.rgb − 1))
//! roughness = Σ q·S(sat((normal.a + offset − 0.1)·1.25));   metalness = Σ q·normal.b
//! normal    = normalize(Σ q·decode(normal));   AO = Σ q·(1 + OnOffAO·(mask.b − 1))
//! ```
//!
//! No permutations, no alpha test: the diffuse alpha is height. Open and decided: see [`FAMILY`]'s decisions.

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::HsvTint;
use crate::material::ops::height_blend::{HeightBlend, Layer};
use crate::material::ops::mad;
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex2",
    summary: "two HSV-tinted texture sets blended by vertex alpha and height",
    source: "004 Surface formulas and texture roles, Tex2 height blending",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &[],
    decisions: DECISIONS,
    bind,
};

/// What is decided for all three Tex2 families.
pub(super) const DECISIONS: &[&str] = &[
    "Each layer's tint weight is its mask's red, as in Tex1.",
    "Where both weights are 0 (HeightContrast ≥ 1) the layer with the greater product gets 1, a tie one half each.",
    "The normals are blended and normalised in tangent space, then taken to the world.",
];

/// What Tex2 and TintBFromShaderConstants share: all but the names of B's tint.
pub(super) struct Tex2 {
    /// `HueA`, `SaturationA`, `LuminosityA`, defaults 0.
    tint_a: HsvTint,
    /// `HueB` … or, in the variant, `HueNeutral` …; defaults 0.
    tint_b: HsvTint,
    blend: HeightBlend,
    /// Default 0.
    vc_intensity: f32,
    /// `offsetA`, default 0.
    offset_a: f32,
    /// `offsetB`, default 0.
    offset_b: f32,
    a: Layer,
    b: Layer,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(Tex2::bind(b, ["HueB", "SaturationB", "LuminosityB"]))
}

impl Tex2 {
    pub(super) fn bind(b: &mut Binder, tint_b: [&'static str; 3]) -> Self {
        Self {
            tint_a: mad::tint(b, "HueA", "SaturationA", "LuminosityA"),
            tint_b: mad::tint(b, tint_b[0], tint_b[1], tint_b[2]),
            blend: HeightBlend::bind(b),
            vc_intensity: b.number("VCIntensity", 0.0),
            offset_a: b.number("offsetA", 0.0),
            offset_b: b.number("offsetB", 0.0),
            a: Layer::bind_a(b),
            b: Layer::bind_b(b),
        }
    }
}

impl Material for Tex2 {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let a = self.a.sample(point, context);
        let b = self.b.sample(point, context);
        let q = self.blend.weights(point.color.w, a.diffuse.w, b.diffuse.w);
        let blended = q.mix3(a.tinted(&self.tint_a), b.tinted(&self.tint_b));
        let albedo = blended * mad::vertex_color_factor(self.vc_intensity, point);
        GBuffer {
            metalness: q.mix(a.normal.z, b.normal.z),
            roughness: q.mix(a.roughness(self.offset_a), b.roughness(self.offset_b)),
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
    fn vertex_alpha_shows_one_layer_alone_and_the_diffuse_alpha_discards_nothing() {
        let mut input = Input::default();
        input.parameters.insert("HeightContrast".to_owned(), 0.9.into());
        input.textures.insert("diffuseA".to_owned(), TextureInput::Constant(Vec4::new(0.1, 0.2, 0.3, 0.4)));
        input.textures.insert("diffuseB".to_owned(), TextureInput::Constant(Vec4::new(0.7, 0.8, 0.9, 0.4)));
        let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let at = |alpha| {
            let point = Point { color: Vec4::new(1.0, 1.0, 1.0, alpha), ..Point::default() };
            material.evaluate(&point, &Context::new(&World::default()))
        };
        assert!(at(0.0).albedo.abs_diff_eq(Vec3::new(0.1, 0.2, 0.3), 1e-6));
        assert!(at(1.0).albedo.abs_diff_eq(Vec3::new(0.7, 0.8, 0.9), 1e-6));
        assert!(!at(0.0).discard && at(0.0).coverage == 1.0 && !material.may_discard());
        // S(sat((0.5 − 0.1)·1.25)) = S(½).
        assert!((at(0.0).roughness - 0.5).abs() < 1e-6);
    }
}
