//! `MAD_Tex1`: the plain prop, one set of diffuse, packed normal and mask.
//!
//! Documentation 004, "Fake and Tex1":
//!
//! ```text
//! colour     HSV tint of diffuse.rgb, weight mask.R, · (1 + VCIntensity·(COLOR0.rgb − 1))
//! roughness  S(sat(normal.A + RoughnessOffset));   metalness normal.B·Metalness
//! AO         1 + OnOffAO·(mask.B − 1);             discard diffuse.A < cb2[18].y
//! ```
//!
//! No permutations. The uv rows' form is ours: see [`FAMILY`]'s decisions.

use glam::Vec4Swizzles;

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::color::HsvTint;
use crate::material::ops::mad::{self, UvRows};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Opacity, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex1",
    summary: "props with one texture set: HSV tint by mask, vertex colour, alpha test",
    source: "004 Surface formulas and texture roles, Fake and Tex1",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &["alpha_reference"],
    decisions: &[
        "The uv rows are a 2×3 matrix on (u, v, 1) of uv0.",
        "A negative hue is pure red: the HSV ramps are read without wrap.",
    ],
    bind,
};

/// The parameters and textures of Tex1, which Tex1_Emissive has too.
pub(super) struct Tex1 {
    /// `Hue`, `Saturation`, `Luminosity`, defaults 0.
    tint: HsvTint,
    /// `UVRow0`, `UVRow1`, the identity by default.
    rows: UvRows,
    /// Default 0.
    vc_intensity: f32,
    /// Default 0.
    roughness_offset: f32,
    /// Default 1.
    metalness: f32,
    /// Default 1.
    on_off_ao: f32,
    normal: Slot,
    diffuse: Slot,
    mask: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(Tex1::bind(b))
}

impl Tex1 {
    pub(super) fn bind(b: &mut Binder) -> Self {
        Self {
            tint: mad::tint(b, "Hue", "Saturation", "Luminosity"),
            rows: UvRows::bind(b, "UVRow0", "UVRow1"),
            vc_intensity: b.number("VCIntensity", 0.0),
            roughness_offset: b.number("RoughnessOffset", 0.0),
            metalness: b.number("Metalness", 1.0),
            on_off_ao: b.number("OnOffAO", 1.0),
            normal: b.texture("normal", mad::NORMAL),
            diffuse: b.texture("diffuse", mad::DIFFUSE),
            mask: b.texture("mask", mad::MASK),
        }
    }

    /// The transformed uv of all of the family's textures.
    pub(super) fn uv(&self, point: &Point) -> glam::Vec2 {
        self.rows.apply(point.uv[0])
    }

    /// Diffuse alpha, before any test.
    pub(super) fn alpha(&self, point: &Point, context: &Context) -> f32 {
        self.diffuse.sample(self.uv(point), point, context).w
    }

    /// Tex1's G-buffer; the test value is diffuse.A times `alpha_factor`.
    pub(super) fn surface(&self, alpha_factor: f32, point: &Point, context: &Context) -> GBuffer {
        let uv = self.uv(point);
        let normal = self.normal.sample(uv, point, context);
        let diffuse = self.diffuse.sample(uv, point, context);
        let mask = self.mask.sample(uv, point, context);

        let tinted = self.tint.apply(diffuse.xyz(), mask.x);
        let albedo = tinted * mad::vertex_color_factor(self.vc_intensity, point);
        let Opacity { discard, coverage } = mad::alpha_test(diffuse.w * alpha_factor, context);
        GBuffer {
            discard,
            coverage,
            metalness: normal.z * self.metalness,
            roughness: mad::roughness_curve(normal.w, self.roughness_offset),
            ambient_occlusion: mad::ambient_occlusion(self.on_off_ao, mask.z),
            ..GBuffer::new(albedo, mad::world_normal(normal, point))
        }
    }
}

impl Material for Tex1 {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        self.surface(1.0, point, context)
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        mad::alpha_test(self.alpha(point, context), context)
    }

    fn may_discard(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::material::bind::{Input, NoTextures, bind as bind_family};
    use crate::material::{Context, Point};
    use crate::scene::world::World;
    use glam::{Vec3, Vec4};

    #[test]
    fn vertex_colour_acts_by_its_intensity_and_the_roughness_curve_keeps_its_middle() {
        let mut input = Input::default();
        input.parameters.insert("VCIntensity".to_owned(), 0.5.into());
        let material = bind_family(&super::FAMILY, &input, &mut NoTextures).expect("the input is valid");
        let point = Point { color: Vec4::new(0.0, 1.0, 2.0, 1.0), ..Point::default() };
        let g = material.evaluate(&point, &Context::new(&World::default()));
        assert_eq!(g.albedo, Vec3::new(0.25, 0.5, 0.75));
        assert_eq!((g.roughness, g.metalness, g.ambient_occlusion), (0.5, 0.0, 1.0));
    }
}
