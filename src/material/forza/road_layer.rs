//! One layer of `uber_road`, and the mix of several.
//!
//! Documentation 001, "Albedo and opacity" (the world-planar uv) and "Ground permutations: uber_road". The formula is on the
//! page of `uber_road.rs`.

use glam::{Vec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

use crate::material::bind::Binder;
use crate::material::ops::math::{lerp, lerp3};
use crate::material::ops::normal::{Frame, decode};
use crate::material::{Context, Point, Slot};

/// Where a layer's coordinate comes from.
#[derive(Clone, Copy)]
enum UvSet {
    /// Below 0: the ground plane.
    World,
    Uv0,
    Uv1,
}

/// One of the layers A to D, bound.
pub(super) struct Layer {
    diffuse: Slot,
    normal: Slot,
    uv_set: UvSet,
    uv_tiling: Vec2,
    world_uv_scale: Vec2,
}

/// What a layer gives, and what is left of the layers after each blend.
pub(super) struct Mix {
    pub albedo: Vec3,
    pub roughness: f32,
    pub occlusion: f32,
    pub height: f32,
    pub normal: Vec3,
}

/// Diffuse, normal, uv set, tiling and world scale of each layer.
const LAYERS: [[&str; 5]; 4] = [
    [
        "UberRoadADiffuseTexture",
        "UberRoadANormalTexture",
        "UberRoadAUVSet",
        "UberRoadAUVTiling",
        "UberRoadAWorldUVScale",
    ],
    [
        "UberRoadBDiffuseTexture",
        "UberRoadBNormalTexture",
        "UberRoadBUVSet",
        "UberRoadBUVTiling",
        "UberRoadBWorldUVScale",
    ],
    [
        "UberRoadCDiffuseTexture",
        "UberRoadCNormalTexture",
        "UberRoadCUVSet",
        "UberRoadCUVTiling",
        "UberRoadCWorldUVScale",
    ],
    [
        "UberRoadDDiffuseTexture",
        "UberRoadDNormalTexture",
        "UberRoadDUVSet",
        "UberRoadDUVTiling",
        "UberRoadDWorldUVScale",
    ],
];

/// Declares all four layers and keeps the first `count`.
pub(super) fn bind_layers(binder: &mut Binder, count: usize) -> Vec<Layer> {
    let mut layers = Vec::from(LAYERS.map(|[diffuse, normal, uv_set, uv_tiling, world_uv_scale]| Layer {
        diffuse: binder.texture(diffuse, [1.0, 1.0, 1.0, 1.0]),
        normal: binder.texture(normal, [0.5, 0.5, 1.0, 0.5]),
        uv_set: bind_uv_set(binder, uv_set),
        uv_tiling: binder.vec2(uv_tiling, [1.0, 1.0]),
        world_uv_scale: binder.vec2(world_uv_scale, [1.0, 1.0]),
    }));
    layers.truncate(count);
    layers
}

fn bind_uv_set(binder: &mut Binder, name: &'static str) -> UvSet {
    match binder.integer(name, 0) {
        0 => UvSet::Uv0,
        1 => UvSet::Uv1,
        negative if negative < 0 => UvSet::World,
        other => {
            binder.refuse(name, format!("must be 0, 1, or below 0 for world-planar coordinates, found {other}"));
            UvSet::Uv0
        }
    }
}

impl Layer {
    /// The layer at a point: its maps, with the normal in the world.
    pub(super) fn sample(&self, point: &Point, context: &Context) -> Mix {
        let (uv, tangent) = match self.uv_set {
            UvSet::Uv0 => (point.uv[0] * self.uv_tiling, point.tangent),
            UvSet::Uv1 => (point.uv[1] * self.uv_tiling, point.tangent1),
            UvSet::World => {
                let ground = point.position.xz() - context.world.road_uv_origin;
                (ground * Vec2::new(1.0, -1.0) * self.uv_tiling * self.world_uv_scale, Vec4::new(1.0, 0.0, 0.0, 1.0))
            }
        };
        let d = self.diffuse.sample(uv, point, context);
        let n = self.normal.sample(uv, point, context);
        let normal = Frame::new(point.normal, tangent).to_world_green_down(decode(n));
        Mix { albedo: d.xyz(), roughness: d.w, occlusion: n.z, height: n.w, normal }
    }
}

impl Mix {
    /// `lerp(layer, self, s)`: the layers above stay where s is 1.
    pub(super) fn over(self, layer: Mix, s: f32) -> Mix {
        Mix {
            albedo: lerp3(layer.albedo, self.albedo, s),
            roughness: lerp(layer.roughness, self.roughness, s),
            occlusion: lerp(layer.occlusion, self.occlusion, s),
            height: layer.height,
            normal: lerp3(layer.normal, self.normal, s),
        }
    }
}
