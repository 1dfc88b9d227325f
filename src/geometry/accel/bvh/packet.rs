//! Sixteen rays through the two levels together, for the same hits as [`trace`] finds one by one.

use std::mem::MaybeUninit;

use super::build::MeshTree;
use super::frustum::{Bundle, Frustum, PACKET, Pair, greatest_of};
use super::node::{NO_PRIMITIVE, Pack};
use super::trace::{Scene, trace, trace_instance};
use super::walk::{Aside, Leaves, StackUser, Wanted, walk, with_stack};
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::placement::Placement;
use crate::geometry::accel::search::{Search, key};
use crate::geometry::accel::simd::{LANES, Lanes, Simd};
use crate::geometry::accel::triangle::{ShearLanes, cross};
use crate::geometry::{Hit, Ray};

/// The searches of a packet's rays.
struct Searches {
    of: [Option<Search>; PACKET],
    /// Copies of the searches' ranges, for the triangle test. An absent ray's is empty.
    t_min: Pair,
    t: Pair,
    /// The greatest of `t`.
    t_max: f32,
}

impl Wanted for Searches {
    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }
}

impl Searches {
    fn new(rays: &[Ray]) -> Self {
        let absent = [Lanes([-1.0; LANES]); 2];
        let mut searches = Self { of: [None; PACKET], t_min: [Lanes([0.0; LANES]); 2], t: absent, t_max: -1.0 };
        for (i, ray) in rays.iter().enumerate() {
            searches.of[i] = Search::new(ray);
            if let Some(search) = &searches.of[i] {
                searches.t_min[i / LANES].0[i % LANES] = search.t_min;
            }
            searches.update(i);
        }
        searches.update_end();
        searches
    }

    #[inline(always)]
    fn update(&mut self, i: usize) {
        self.t[i / LANES].0[i % LANES] = self.of[i].as_ref().map_or(-1.0, |search| search.t);
    }

    #[inline(always)]
    fn update_end(&mut self) {
        let [a, b] = &self.t;
        self.t_max = greatest_of(*a).max(greatest_of(*b));
    }
}

/// The nearest hits of at most [`PACKET`] rays.
#[inline(always)]
pub fn trace_packet<S: Simd>(s: S, scene: &Scene, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
    let mut searches = Searches::new(rays);
    let Some(bundle) = bundle(rays, &searches) else { return hits.fill(None) };
    let t_min = least_start(&searches);
    let tree = &scene.world.tree;
    match Frustum::new(s, &bundle, t_min, &tree.bounds, scene.world.condition) {
        Some(frustum) => {
            let leaves = Instances { s, scene, rays, bundle: &bundle, mask };
            with_stack(tree.stack_need(), WorldJob { leaves, frustum, searches: &mut searches });
        }
        None => {
            for (ray, search) in rays.iter().zip(&mut searches.of) {
                if let Some(search) = search {
                    trace::<S, false>(s, scene, ray, mask, search);
                }
            }
        }
    }
    for (hit, search) in hits.iter_mut().zip(&searches.of) {
        *hit = search.as_ref().and_then(Search::hit);
    }
}

/// The rays side by side. In the place of an absent ray stands a present one, which narrows no bound; `None` if there
/// is none.
fn bundle(rays: &[Ray], searches: &Searches) -> Option<Bundle> {
    let stand_in = rays.iter().zip(&searches.of).find_map(|(ray, search)| search.as_ref().map(|_| ray))?;
    let mut bundle = Bundle::ZERO;
    for (i, search) in searches.of.iter().enumerate() {
        let ray = if search.is_some() { &rays[i] } else { stand_in };
        bundle.set(i, ray.origin, ray.direction);
    }
    Some(bundle)
}

fn least_start(searches: &Searches) -> f32 {
    searches.of.iter().flatten().fold(f32::INFINITY, |least, search| least.min(search.t_min))
}

struct WorldJob<'a, S: Simd> {
    leaves: Instances<'a, S>,
    frustum: Frustum<S>,
    searches: &'a mut Searches,
}

impl<S: Simd> StackUser<()> for WorldJob<'_, S> {
    #[inline(always)]
    fn call(mut self, stack: &mut [MaybeUninit<Aside>]) {
        let Instances { s, scene, .. } = self.leaves;
        walk(s, &scene.world.tree, &self.frustum, stack, self.searches, &mut self.leaves);
    }
}

/// The world's leaves: the packet goes on in object space, or its rays one by one where they do not keep together
/// there.
struct Instances<'a, S> {
    s: S,
    scene: &'a Scene<'a>,
    rays: &'a [Ray],
    bundle: &'a Bundle,
    mask: u8,
}

impl<S: Simd> Leaves<Searches> for Instances<'_, S> {
    const ANY: bool = false;

    #[inline(always)]
    fn records(&self) -> (*const u8, usize) {
        (self.scene.world.placements.as_ptr().cast(), size_of::<Placement>())
    }

    #[inline(always)]
    fn visit(&mut self, leaf: usize, searches: &mut Searches) -> bool {
        let (s, scene) = (self.s, self.scene);
        let Some(placement) = scene.world.visible(leaf, self.mask) else { return false };
        let mesh = &scene.meshes[placement.mesh as usize];
        let object = self.bundle.in_object_space(s, placement);
        let together = together(s, &object, least_start(searches), &mesh.tree.bounds);
        if let Some((frustum, axes)) = together {
            let lanes = [object.shear(s, 0, axes), object.shear(s, 1, axes)];
            let leaves = Triangles { s, mesh, axes, lanes, instance: leaf as u32 };
            with_stack(scene.mesh_stack, MeshJob { leaves, frustum, searches });
        } else {
            for (i, ray) in self.rays.iter().enumerate() {
                if let Some(search) = &mut searches.of[i] {
                    trace_instance::<S, false>(s, scene, placement, leaf as u32, ray, search);
                }
                searches.update(i);
            }
            searches.update_end();
        }
        false
    }
}

#[inline(always)]
fn together<S: Simd>(s: S, rays: &Bundle, t_min: f32, bounds: &Bounds) -> Option<(Frustum<S>, [usize; 3])> {
    Some((Frustum::new(s, rays, t_min, bounds, 1.0)?, rays.common_axes(s)?))
}

struct MeshJob<'a, S: Simd> {
    leaves: Triangles<'a, S>,
    frustum: Frustum<S>,
    searches: &'a mut Searches,
}

impl<S: Simd> StackUser<()> for MeshJob<'_, S> {
    #[inline(always)]
    fn call(mut self, stack: &mut [MaybeUninit<Aside>]) {
        let tree = &self.leaves.mesh.tree;
        walk(self.leaves.s, tree, &self.frustum, stack, self.searches, &mut self.leaves);
    }
}

/// A mesh's leaves: each triangle against sixteen rays.
struct Triangles<'a, S: Simd> {
    s: S,
    mesh: &'a MeshTree,
    axes: [usize; 3],
    lanes: [ShearLanes<S>; 2],
    instance: u32,
}

impl<S: Simd> Leaves<Searches> for Triangles<'_, S> {
    const ANY: bool = false;

    #[inline(always)]
    fn records(&self) -> (*const u8, usize) {
        (self.mesh.packs.as_ptr().cast(), size_of::<Pack>())
    }

    #[inline(always)]
    fn visit(&mut self, leaf: usize, searches: &mut Searches) -> bool {
        let Some(pack) = self.mesh.packs.get(leaf) else { return false };
        let mut any = false;
        for (slot, &primitive) in pack.primitives.iter().enumerate().take_while(|&(_, &p)| p != NO_PRIMITIVE) {
            let corners = pack.corners.splat(self.s, slot, self.axes);
            let key = key(self.instance, primitive);
            for half in 0..2 {
                any |= self.offer(half, corners, key, searches);
            }
        }
        if any {
            searches.update_end();
        }
        any
    }
}

impl<S: Simd> Triangles<'_, S> {
    /// Tests one triangle against half of the packet.
    #[inline(always)]
    fn offer(&self, half: usize, corners: [[S::V; 3]; 3], key: u64, searches: &mut Searches) -> bool {
        let s = self.s;
        let (t_min, t_max) = (s.load(&searches.t_min[half]), s.load(&searches.t[half]));
        let Some(found) = cross(s, &self.lanes[half], corners, t_min, t_max) else { return false };
        let (t, v, w, det) = (s.store(found.t), s.store(found.v), s.store(found.w), s.store(found.det));
        let mut lanes = found.lanes;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 7;
            lanes &= lanes - 1;
            let i = half * LANES + lane;
            if let Some(search) = &mut searches.of[i]
                && search.wants(t.0[lane], key)
            {
                search.accept(t.0[lane], key, v.0[lane] / det.0[lane], w.0[lane] / det.0[lane]);
            }
            searches.update(i);
        }
        true
    }
}
