//! The two height-blended layers of the MAD_Tex2 families (documentation 004, "Tex2 height blending").

use std::cmp::Ordering;

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::color::HsvTint;
use super::mad::{self, UvRows};
use super::math::{sat, smoothstep};
use super::normal::{Frame, decode};
use crate::material::bind::Binder;
use crate::material::{Context, Point, Slot};

/// One layer: a set of three textures with its uv rows.
#[derive(Clone)]
pub struct Layer {
    /// The identity by default.
    pub rows: UvRows,
    /// RGB colour, A height.
    pub diffuse: Slot,
    pub normal: Slot,
    pub mask: Slot,
}

/// One layer's samples at a point.
#[derive(Clone, Copy, Debug)]
pub struct Texels {
    pub diffuse: Vec4,
    pub normal: Vec4,
    pub mask: Vec4,
}

impl Texels {
    /// The tinted colour, the weight of the tint being the mask's red.
    pub fn tinted(&self, tint: &HsvTint) -> Vec3 {
        tint.apply(self.diffuse.xyz(), self.mask.x)
    }

    /// S(sat((normal.a + offset − 0.1)·1.25)).
    pub fn roughness(&self, offset: f32) -> f32 {
        smoothstep(sat((self.normal.w + offset - 0.1) * 1.25))
    }
}

impl Layer {
    /// Layer A: `UVRow0A`, `UVRow1A`, `diffuseA`, `normalA`, `maskA`.
    pub fn bind_a(b: &mut Binder) -> Self {
        Self::bind(b, ["UVRow0A", "UVRow1A"], ["diffuseA", "normalA", "maskA"])
    }

    /// Layer B: the same names with B.
    pub fn bind_b(b: &mut Binder) -> Self {
        Self::bind(b, ["UVRow0B", "UVRow1B"], ["diffuseB", "normalB", "maskB"])
    }

    fn bind(b: &mut Binder, rows: [&'static str; 2], textures: [&'static str; 3]) -> Self {
        Self {
            rows: UvRows::bind(b, rows[0], rows[1]),
            diffuse: b.texture(textures[0], [0.5; 4]),
            normal: b.texture(textures[1], mad::NORMAL),
            mask: b.texture(textures[2], mad::MASK),
        }
    }

    /// The three samples at the layer's transformed uv0.
    #[inline]
    pub fn sample(&self, point: &Point, context: &Context) -> Texels {
        let uv = self.rows.apply(point.uv[0]);
        Texels {
            diffuse: self.diffuse.sample(uv, point, context),
            normal: self.normal.sample(uv, point, context),
            mask: self.mask.sample(uv, point, context),
        }
    }
}

/// The blend's own parameters.
#[derive(Clone, Copy, Debug)]
pub struct HeightBlend {
    /// `AlphaContrast`, default 1.
    pub alpha_contrast: f32,
    /// `AlphaOffset`, default 0.
    pub alpha_offset: f32,
    /// `HeightContrast`, default ½; 1 and above is a hard choice.
    pub height_contrast: f32,
    /// `OnOffAO`, default 1.
    pub on_off_ao: f32,
}

impl HeightBlend {
    /// Reads the blend's parameters.
    pub fn bind(b: &mut Binder) -> Self {
        Self {
            alpha_contrast: b.number("AlphaContrast", 1.0),
            alpha_offset: b.number("AlphaOffset", 0.0),
            height_contrast: b.number("HeightContrast", 0.5),
            on_off_ao: b.number("OnOffAO", 1.0),
        }
    }

    /// qA and qB for vertex alpha and the two heights; they sum to 1.
    #[inline]
    pub fn weights(&self, vertex_alpha: f32, height_a: f32, height_b: f32) -> Weights {
        let w = sat((vertex_alpha - 0.5) * self.alpha_contrast + 0.5 + self.alpha_contrast * self.alpha_offset);
        let (product_a, product_b) = ((1.0 - w) * height_a, w * height_b);
        let m = product_b.max(product_a);
        let floor = m - (1.0 - self.height_contrast);
        let (w_a, w_b) = ((product_a - floor).max(0.0), (product_b - floor).max(0.0));
        if w_a + w_b == 0.0 {
            return Weights::hard(product_a, product_b);
        }
        Weights { a: w_a / (w_a + w_b), b: w_b / (w_a + w_b) }
    }

    /// AO of both layers, weighted.
    pub fn ambient_occlusion(&self, q: Weights, a: &Texels, b: &Texels) -> f32 {
        q.mix(mad::ambient_occlusion(self.on_off_ao, a.mask.z), mad::ambient_occlusion(self.on_off_ao, b.mask.z))
    }
}

/// qA and qB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub a: f32,
    pub b: f32,
}

impl Weights {
    /// The limit of a `HeightContrast` that nears 1 from below, where the program has 0/0: the greater product wins.
    fn hard(product_a: f32, product_b: f32) -> Self {
        let a = match product_a.partial_cmp(&product_b) {
            Some(Ordering::Greater) => 1.0,
            Some(Ordering::Equal) => 0.5,
            Some(Ordering::Less) => 0.0,
            None => f32::NAN,
        };
        Self { a, b: 1.0 - a }
    }

    /// qA·a + qB·b.
    #[inline]
    pub fn mix(&self, a: f32, b: f32) -> f32 {
        self.a * a + self.b * b
    }

    /// [`Weights::mix`] of colours.
    #[inline]
    pub fn mix3(&self, a: Vec3, b: Vec3) -> Vec3 {
        self.a * a + self.b * b
    }

    /// The blended normal: decoded, mixed and normalised in tangent space, then taken to the world.
    #[inline]
    pub fn world_normal(&self, a: &Texels, b: &Texels, point: &Point) -> Vec3 {
        let blended = self.mix3(decode(a.normal), decode(b.normal)).normalize();
        Frame::uv0(point).to_world(blended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blend(height_contrast: f32) -> HeightBlend {
        HeightBlend { alpha_contrast: 1.0, alpha_offset: 0.0, height_contrast, on_off_ao: 1.0 }
    }

    #[test]
    fn zero_contrast_is_the_plain_mix_of_equal_heights_shifted_by_the_greater() {
        // products 0.35, 0.15; m − 1 = −0.65: weights 1 and 0.8.
        let q = blend(0.0).weights(0.3, 0.5, 0.5);
        assert!((q.a - 1.0 / 1.8).abs() < 1e-6 && (q.a + q.b - 1.0).abs() < 1e-6);
    }

    #[test]
    fn full_contrast_is_the_limit_from_below() {
        for (alpha, expected) in [(0.25, (1.0, 0.0)), (0.75, (0.0, 1.0)), (0.5, (0.5, 0.5))] {
            for contrast in [1.0, 1.5] {
                let q = blend(contrast).weights(alpha, 0.5, 0.5);
                assert_eq!((q.a, q.b), expected);
            }
            let near = blend(1.0 - 1e-4).weights(alpha, 0.5, 0.5);
            assert!((near.a - expected.0).abs() < 1e-3);
        }
    }

    /// A height of zero has no sign, whatever its bits say.
    #[test]
    fn products_of_negative_zero_tie_with_zero() {
        for (height_a, height_b) in [(-0.2, 0.0), (0.0, -0.0), (-0.0, 0.0)] {
            assert_eq!(blend(1.0).weights(1.0, height_a, height_b).a, 0.5);
        }
    }

    #[test]
    fn vertex_alpha_chooses_the_layer_and_contrast_sharpens_it() {
        assert_eq!(blend(0.9).weights(0.0, 0.5, 0.5), Weights { a: 1.0, b: 0.0 });
        assert_eq!(blend(0.9).weights(1.0, 0.5, 0.5), Weights { a: 0.0, b: 1.0 });
        let sharp = HeightBlend { alpha_contrast: 8.0, alpha_offset: 0.1, ..blend(0.9) };
        assert_eq!(sharp.weights(0.5, 0.5, 0.5), Weights { a: 0.0, b: 1.0 });
    }
}
