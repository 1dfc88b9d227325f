//! What the MAD families share (documentation 004): uv rows, the tint's parameters, the packed normal map, emission.

use glam::{Vec2, Vec3, Vec4};

use super::color::HsvTint;
use super::math::{sat, smoothstep};
use super::normal::{Frame, decode};
use crate::material::bind::Binder;
use crate::material::{Context, Opacity, Point};

/// The default of a packed normal map: flat, metalness 0 (blue), roughness ½ (alpha).
pub const NORMAL: [f32; 4] = [0.5, 0.5, 0.0, 0.5];
/// The default of a mask: no tint (red), AO 1 (blue).
pub const MASK: [f32; 4] = [0.0, 0.0, 1.0, 0.0];
/// The default of an opaque diffuse map.
pub const DIFFUSE: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

/// A 2 × 3 transform of uv0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvRows {
    pub row0: Vec3,
    pub row1: Vec3,
}

impl UvRows {
    /// Reads the two rows, defaults (1, 0, 0) and (0, 1, 0).
    pub fn bind(b: &mut Binder, row0: &'static str, row1: &'static str) -> Self {
        Self { row0: b.vec3(row0, [1.0, 0.0, 0.0]), row1: b.vec3(row1, [0.0, 1.0, 0.0]) }
    }

    /// uv′ = (row0 · (u, v, 1), row1 · (u, v, 1)).
    #[inline]
    pub fn apply(&self, uv: Vec2) -> Vec2 {
        let uv1 = uv.extend(1.0);
        Vec2::new(self.row0.dot(uv1), self.row1.dot(uv1))
    }
}

/// Reads an HSV tint, defaults 0: no tint.
pub fn tint(b: &mut Binder, hue: &'static str, saturation: &'static str, luminosity: &'static str) -> HsvTint {
    HsvTint { hue: b.number(hue, 0.0), saturation: b.number(saturation, 0.0), luminosity: b.number(luminosity, 0.0) }
}

/// The world normal of a packed map in the uv0 frame: `normalize(x·T + y·B + z·N)`.
#[inline]
pub fn world_normal(normal: Vec4, point: &Point) -> Vec3 {
    Frame::uv0(point).to_world(decode(normal))
}

/// S(sat(normal.A + offset)): the roughness curve of Tex1 and Decals1.
#[inline]
pub fn roughness_curve(alpha: f32, offset: f32) -> f32 {
    smoothstep(sat(alpha + offset))
}

/// 1 + OnOffAO·(mask.B − 1).
#[inline]
pub fn ambient_occlusion(on_off: f32, mask_blue: f32) -> f32 {
    1.0 + on_off * (mask_blue - 1.0)
}

/// 1 + VCIntensity·(COLOR0.rgb − 1): the vertex colour's factor, unclamped.
#[inline]
pub fn vertex_color_factor(intensity: f32, point: &Point) -> Vec3 {
    1.0 + intensity * (point.color.truncate() - 1.0)
}

/// Discards below `cb2[18].y`, strictly.
#[inline]
pub fn alpha_test(alpha: f32, context: &Context) -> Opacity {
    Opacity { discard: alpha < context.world.alpha_reference, coverage: alpha }
}

/// The stored emissive scalar mask·scale/t23.
#[inline]
pub fn emissive_scalar(mask: f32, scale: f32, context: &Context) -> f32 {
    mask * scale / context.world.exposure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::world::World;

    #[test]
    fn rows_turn_scale_and_shift() {
        let rows = UvRows { row0: Vec3::new(0.0, 2.0, 0.5), row1: Vec3::new(-1.0, 0.0, 0.25) };
        assert_eq!(rows.apply(Vec2::new(3.0, 4.0)), Vec2::new(8.5, -2.75));
    }

    #[test]
    fn a_default_map_is_flat_and_a_default_mask_changes_nothing() {
        assert_eq!(world_normal(Vec4::from(NORMAL), &Point::default()), Vec3::Y);
        assert_eq!(ambient_occlusion(1.0, MASK[2]), 1.0);
        assert_eq!(ambient_occlusion(0.0, 0.3), 1.0);
        assert_eq!(vertex_color_factor(0.0, &Point { color: Vec4::splat(0.2), ..Point::default() }), Vec3::ONE);
    }

    #[test]
    fn the_alpha_test_is_strict() {
        let world = World::default();
        assert!(!alpha_test(0.5, &Context::new(&world)).discard);
        assert!(alpha_test(0.499, &Context::new(&world)).discard);
    }

    #[test]
    fn emission_is_divided_by_the_exposure() {
        let world = World { exposure: 4.0, ..World::default() };
        assert_eq!(emissive_scalar(0.5, 2.0, &Context::new(&world)), 0.25);
    }
}
