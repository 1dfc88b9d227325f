//! One ray through the two levels.

use std::mem::MaybeUninit;

use glam::Vec3;

use super::build::{MeshTree, World};
use super::node::Pack;
use super::slabs::Slabs;
use super::walk::{Aside, Leaves, StackUser, walk, with_stack};
use crate::geometry::Ray;
use crate::geometry::accel::placement::Placement;
use crate::geometry::accel::search::{Search, key};
use crate::geometry::accel::simd::Simd;
use crate::geometry::accel::triangle::{Shear, ShearLanes, cross};

/// What all queries need of the scene.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub world: &'a World,
    pub meshes: &'a [MeshTree],
    /// The deepest mesh's [`stack_need`](super::node::Tree::stack_need).
    pub mesh_stack: usize,
}

/// Runs `search` for `ray` over the instances that share a bit with `mask`; true where `ANY` and something was hit.
#[inline(always)]
pub fn trace<S: Simd, const ANY: bool>(s: S, scene: &Scene, ray: &Ray, mask: u8, search: &mut Search) -> bool {
    // A world of one instance has no boxes: no time goes into getting ready for them.
    if let Some(leaf) = scene.world.tree.root.as_leaf() {
        return Instances::<S, ANY> { s, scene, ray, mask }.visit(leaf, search);
    }
    let job = WorldJob::<S, ANY> { s, scene, ray, mask, search };
    with_stack(scene.world.tree.stack_need(), job)
}

struct WorldJob<'a, S, const ANY: bool> {
    s: S,
    scene: &'a Scene<'a>,
    ray: &'a Ray,
    mask: u8,
    search: &'a mut Search,
}

impl<S: Simd, const ANY: bool> StackUser<bool> for WorldJob<'_, S, ANY> {
    #[inline(always)]
    fn call(self, stack: &mut [MaybeUninit<Aside>]) -> bool {
        let Self { s, scene, ray, mask, search } = self;
        let tree = &scene.world.tree;
        let condition = scene.world.condition;
        let slabs = Slabs::new(s, ray.origin, ray.direction, search.t_min, &tree.bounds, condition);
        walk(s, tree, &slabs, stack, search, &mut Instances::<S, ANY> { s, scene, ray, mask })
    }
}

/// The world's leaves: the ray goes on in object space.
struct Instances<'a, S, const ANY: bool> {
    s: S,
    scene: &'a Scene<'a>,
    ray: &'a Ray,
    mask: u8,
}

impl<S: Simd, const ANY: bool> Leaves<Search> for Instances<'_, S, ANY> {
    const ANY: bool = ANY;

    #[inline(always)]
    fn records(&self) -> (*const u8, usize) {
        (self.scene.world.placements.as_ptr().cast(), size_of::<Placement>())
    }

    #[inline(always)]
    fn visit(&mut self, leaf: usize, search: &mut Search) -> bool {
        let Some(placement) = self.scene.world.visible(leaf, self.mask) else { return false };
        trace_instance::<S, ANY>(self.s, self.scene, placement, leaf as u32, self.ray, search)
    }
}

/// Runs `search` for a world-space `ray` over one instance's mesh.
#[inline(always)]
pub fn trace_instance<S: Simd, const ANY: bool>(
    s: S,
    scene: &Scene,
    placement: &Placement,
    instance: u32,
    ray: &Ray,
    search: &mut Search,
) -> bool {
    let origin = placement.point_to_object(ray.origin);
    let direction = placement.direction_to_object(ray.direction);
    let mesh = &scene.meshes[placement.mesh as usize];
    with_stack(scene.mesh_stack, MeshJob::<S, ANY> { s, mesh, origin, direction, instance, search })
}

struct MeshJob<'a, S, const ANY: bool> {
    s: S,
    mesh: &'a MeshTree,
    origin: Vec3,
    direction: Vec3,
    instance: u32,
    search: &'a mut Search,
}

impl<S: Simd, const ANY: bool> StackUser<bool> for MeshJob<'_, S, ANY> {
    #[inline(always)]
    fn call(self, stack: &mut [MaybeUninit<Aside>]) -> bool {
        let Self { s, mesh, origin, direction, instance, search } = self;
        let slabs = Slabs::new(s, origin, direction, search.t_min, &mesh.tree.bounds, 1.0);
        let shear = Shear::new(origin, direction);
        let lanes = ShearLanes::splat(s, &shear);
        let mut leaves = Triangles::<S, ANY> { s, mesh, axes: shear.axes, lanes, instance };
        walk(s, &mesh.tree, &slabs, stack, search, &mut leaves)
    }
}

/// A mesh's leaves: eight triangles against one ray.
struct Triangles<'a, S: Simd, const ANY: bool> {
    s: S,
    mesh: &'a MeshTree,
    axes: [usize; 3],
    lanes: ShearLanes<S>,
    instance: u32,
}

impl<S: Simd, const ANY: bool> Leaves<Search> for Triangles<'_, S, ANY> {
    const ANY: bool = ANY;

    #[inline(always)]
    fn records(&self) -> (*const u8, usize) {
        (self.mesh.packs.as_ptr().cast(), size_of::<Pack>())
    }

    #[inline(always)]
    fn visit(&mut self, leaf: usize, search: &mut Search) -> bool {
        let s = self.s;
        let Some(pack) = self.mesh.packs.get(leaf) else { return false };
        let corners = pack.corners.load(s, self.axes);
        let Some(found) = cross(s, &self.lanes, corners, s.splat(search.t_min), s.splat(search.t)) else {
            return false;
        };
        if ANY {
            return true;
        }
        let (t, v, w, det) = (s.store(found.t), s.store(found.v), s.store(found.w), s.store(found.det));
        let mut lanes = found.lanes;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 7;
            lanes &= lanes - 1;
            let key = key(self.instance, pack.primitives[lane]);
            if search.wants(t.0[lane], key) {
                search.accept(t.0[lane], key, v.0[lane] / det.0[lane], w.0[lane] / det.0[lane]);
            }
        }
        true
    }
}
