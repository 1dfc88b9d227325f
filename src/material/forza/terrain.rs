//! The far field of the terrain, which `terr_mega` and `terr_distant` share.
//!
//! Documentation 001, row terr_mega, "Terrain far field in the near range", "Ground permutations: terr_mega and terr_distant".
//!
//! ```text
//! uv = BlendMapOffset + BlendMapScale · (P.x, P.z)         A = TerrainColourTexture(uv)
//! albedo = TerrainNormalTexture(uv).rgb · A.a²             (the "normal" texture holds colour, sRGB)
//! roughness = sat(TerrainGlossTexture(uv).r / 0.93)        metalness = 0
//! f = sat((1 − d/fade.y)·fade.x)                           fade = cb7[34].xy = terrain_normal_fade
//! x = lerp(2·A.r − 1, N.x, f)    z = lerp(2·A.g − 1, N.z, f)    y = √sat(1 − x² − z²)     normal = (x, y, z), world space
//! ```
//!
//! Decided: the albedo is linear, since the gamma step around the snow terms is undone after them; f is the share of the
//! vertex normal, and a fade of (0, 0) gives NaN, so f = 0: the far field. The normal is not normalised where
//! x² + z² > 1. The puddle path is left out even where it would act in dry weather: it reads run-time wetness.

use glam::{Vec2, Vec3, Vec3Swizzles, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::math::{lerp, sat};
use crate::material::ops::view;
use crate::material::{Context, Material, Point, Slot};

/// A bound terrain material of either family.
pub(super) struct Terrain {
    /// `TerrainColourTexture`: rg horizontal normal, a albedo factor; (½, ½, 0, 1).
    colour: Slot,
    /// `TerrainNormalTexture`: rgb colour; white.
    normal: Slot,
    /// `TerrainGlossTexture`: r roughness; 1.
    gloss: Slot,
    /// `BlendMapOffset`, default (0, 0).
    blend_map_offset: Vec2,
    /// `BlendMapScale`, 1/m, default (1, 1).
    blend_map_scale: Vec2,
}

/// The point inputs of both families.
pub(super) const INPUTS: &[&str] = &["position", "normal"];
/// The world keys of both families.
pub(super) const WORLD: &[&str] = &["camera", "terrain_normal_fade"];
/// The decisions of both families.
pub(super) const DECISIONS: &[&str] = &[
    "The albedo is linear: the gamma step around the snow terms is undone after them.",
    "The fade weight is the share of the vertex normal; terrain_normal_fade (0, 0) is the far field.",
    "The normal is not normalised where x² + z² > 1; the puddle path is left out.",
];

pub(super) fn bind(binder: &mut Binder) -> Box<dyn Material> {
    binder.tokens();
    Box::new(Terrain {
        colour: binder.texture("TerrainColourTexture", [0.5, 0.5, 0.0, 1.0]),
        normal: binder.texture("TerrainNormalTexture", [1.0, 1.0, 1.0, 1.0]),
        gloss: binder.texture("TerrainGlossTexture", [1.0, 0.0, 0.0, 0.0]),
        blend_map_offset: binder.vec2("BlendMapOffset", [0.0, 0.0]),
        blend_map_scale: binder.vec2("BlendMapScale", [1.0, 1.0]),
    })
}

impl Material for Terrain {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv = self.blend_map_offset + self.blend_map_scale * point.position.xz();
        let a = self.colour.sample(uv, point, context);
        let albedo = self.normal.sample(uv, point, context).xyz() * a.w * a.w;
        let roughness = sat(self.gloss.sample(uv, point, context).x / 0.93);

        let fade = context.world.terrain_normal_fade;
        let f = sat((1.0 - view::distance(point, context) / fade.y) * fade.x);
        let x = lerp(2.0 * a.x - 1.0, point.normal.x, f);
        let z = lerp(2.0 * a.y - 1.0, point.normal.z, f);
        let normal = Vec3::new(x, sat(1.0 - x * x - z * z).sqrt(), z);

        GBuffer { roughness, ..GBuffer::new(albedo, normal) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::terr_mega::FAMILY;
    use super::super::testing::{evaluate, samples};
    use super::*;
    use crate::scene::world::World;
    use serde_json::json;

    fn normal(rg: [f32; 2], fade: Vec2, distance: f32) -> Vec3 {
        let world = World { terrain_normal_fade: fade, camera: Vec3::X * distance, ..World::default() };
        let point = Point { normal: Vec3::new(0.6, 0.8, 0.0), ..Point::default() };
        let values = json!({ "TerrainColourTexture": [rg[0], rg[1], 0.0, 1.0] });
        evaluate(&FAMILY, "_Default", values, &point, &world).normal
    }

    #[test]
    fn the_far_field_ignores_the_vertex_normal_even_at_distance_zero() {
        assert_eq!(normal([0.5, 0.5], Vec2::ZERO, 10.0), Vec3::Y);
        assert_eq!(normal([0.5, 0.5], Vec2::ZERO, 0.0), Vec3::Y);
    }

    #[test]
    fn near_the_camera_the_vertex_normal_takes_over_and_y_is_completed() {
        assert!(normal([0.5, 0.5], Vec2::new(2.0, 100.0), 10.0).abs_diff_eq(Vec3::new(0.6, 0.8, 0.0), 1e-6));
        assert_eq!(normal([0.5, 0.5], Vec2::new(2.0, 100.0), 200.0), Vec3::Y);
        assert!(normal([0.5, 0.5], Vec2::new(1.0, 100.0), 50.0).abs_diff_eq(Vec3::new(0.3, 0.91f32.sqrt(), 0.0), 1e-6));
    }

    #[test]
    fn an_over_long_slope_is_flat_and_not_normalised() {
        assert_eq!(normal([1.0, 1.0], Vec2::ZERO, 10.0), Vec3::new(1.0, 0.0, 1.0));
    }

    #[test]
    fn every_map_is_read_from_the_ground_plane() {
        let point = Point { position: Vec3::new(10.0, 99.0, 20.0), ..Point::default() };
        let values = json!({ "BlendMapOffset": [0.5, 0.25], "BlendMapScale": [0.1, 0.2] });
        let taken = samples(&FAMILY, "", values, &point);
        assert_eq!(taken.len(), 3);
        assert!(taken.iter().all(|sample| sample.uv == Some(Vec2::new(1.5, 4.25))));
    }
}
