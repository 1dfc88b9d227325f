//! Meshes and instances to trees. `obvhs` (PLOC with reinsertion) builds the binary trees.
//!
//! The same input gives the same trees for any number of threads: `obvhs`'s passes are order independent, and tests
//! hold us to it.

use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, SortPrecision};
use rayon::prelude::*;

use super::collapse::{collapse, primitives_below};
use super::node::{Pack, Tree, WIDTH};
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::huge_pages;
use crate::geometry::accel::placement::{Placement, f64_transform};
use crate::geometry::accel::triangle::{corners, has_area};
use crate::geometry::mesh::{Instance, Mesh};

/// A mesh's tree and its triangles.
#[derive(Clone, Debug)]
pub struct MeshTree {
    pub tree: Tree,
    pub packs: Vec<Pack>,
}

/// The instances' tree and their records. Its leaves are indices of instances.
#[derive(Clone, Debug)]
pub struct World {
    pub tree: Tree,
    pub placements: Vec<Placement>,
    /// The instances' masks, apart from their records, which are then read only where a ray enters.
    masks: Vec<u8>,
    /// The largest [`Placement::condition`], within [`WORST_CONDITION`].
    pub condition: f32,
}

/// Above this, an instance is so sheared that its rays' rounding is no longer covered: boxes for it would slow down all
/// rays.
const WORST_CONDITION: f32 = 64.0;

/// Neighbours along the Morton curve among which a cluster looks for its partner.
const SEARCH: usize = 14;

/// Passes of the search that look at the next neighbours alone: the many small clusters of the beginning find each other
/// nevertheless.
const NARROW_PASSES: usize = 3;

/// Share of the nodes, from the root down, for which a better place is looked for: more no longer shows in
/// `benches/rays.rs`.
const REINSERTED: f32 = 0.02;

impl MeshTree {
    pub fn empty() -> Self {
        Self { tree: Tree::empty(), packs: Vec::new() }
    }

    /// Triangles without an area or with corners that are not finite are left out.
    pub fn build(mesh: &Mesh) -> Self {
        let count = mesh.indices.len();
        let mut boxed = Vec::new();
        (0..count as u32).into_par_iter().map(|i| boxed_triangle(mesh, i)).collect_into_vec(&mut boxed);
        boxed.retain(|node| node.aabb().valid());
        let binary = build_binary(boxed);
        let (tree, leaves) = collapse(&binary, WIDTH as u32);
        let mut packs = huge_pages::with_capacity(leaves.len());
        leaves.par_iter().map(|&leaf| pack(mesh, &primitives_below(&binary, leaf))).collect_into_vec(&mut packs);
        Self { tree, packs }
    }

    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.packs.len() * size_of::<Pack>()
    }
}

impl World {
    pub fn build(instances: &[Instance], meshes: &[MeshTree]) -> Self {
        let mut condition: f32 = 1.0;
        let mut placements = Vec::with_capacity(instances.len());
        let mut boxed = Vec::new();
        for (id, instance) in instances.iter().enumerate() {
            let placed = Placement::new(instance).and_then(|p| {
                let object = meshes.get(instance.mesh as usize)?.tree.bounds;
                let bounds = (!object.is_empty()).then(|| object.transformed(&f64_transform(instance)))?;
                (bounds.min.is_finite() && bounds.max.is_finite()).then_some((p, bounds))
            });
            placements.push(placed.map_or(Placement::NOWHERE, |(p, _)| p));
            if let Some((placement, bounds)) = placed {
                condition = condition.max(placement.condition(instance).min(WORST_CONDITION));
                boxed.push(Bvh2Node::new(to_obvhs(&bounds), 1, id as u32));
            }
        }
        let binary = build_binary(boxed);
        let (mut tree, leaves) = collapse(&binary, 1);
        tree.renumber_leaves(|leaf| binary.nodes[leaves[leaf] as usize].first_index as usize);
        let masks = instances.iter().map(|instance| instance.mask).collect();
        Self { tree, placements, masks, condition }
    }

    /// The instance at a leaf of the tree, where it shares a bit with `mask`. There is none at
    /// [`Child::NONE`](super::node::Child::NONE), which the slabs of a ray whose constants overflow can meet.
    #[inline(always)]
    pub fn visible(&self, leaf: usize, mask: u8) -> Option<&Placement> {
        (self.masks.get(leaf)? & mask != 0).then(|| &self.placements[leaf])
    }

    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.placements.len() * size_of::<Placement>() + self.masks.len()
    }
}

/// A binary tree over what is `boxed`, of one primitive a leaf. A leaf's `first_index` is the primitive itself.
///
/// `obvhs`'s own builder goes on to larger leaves in a smaller copy of the tree; `collapse` decides about leaves, and
/// needs no copy: much of the time goes to the first touch of memory.
fn build_binary(boxed: Vec<Bvh2Node>) -> Bvh2 {
    if boxed.is_empty() {
        return Bvh2::default();
    }
    let bounds = boxed.par_iter().map(|node| *node.aabb()).reduce(Aabb::empty, |a, b| a.union(&b));
    let mut binary = Bvh2::zeroed(boxed.len());
    let mut builder = PlocBuilder::with_capacity(boxed.len());
    builder.current_nodes = boxed;
    builder.build_ploc_from_leaves::<SEARCH, false>(&mut binary, bounds, SortPrecision::U64, NARROW_PASSES);
    drop(builder);
    ReinsertionOptimizer::default().run(&mut binary, REINSERTED, None);
    binary
}

/// A triangle's leaf of the binary tree; with an empty box where no ray hits it.
fn boxed_triangle(mesh: &Mesh, primitive: u32) -> Bvh2Node {
    let triangle = corners(mesh, primitive);
    let bounds = if has_area(triangle) { Bounds::of_points(triangle) } else { Bounds::EMPTY };
    Bvh2Node::new(to_obvhs(&bounds), 1, primitive)
}

fn to_obvhs(bounds: &Bounds) -> Aabb {
    Aabb::new(bounds.min.into(), bounds.max.into())
}

/// At most eight triangles. They are kept in ascending order, so that the first of two equal ones is the lower one.
fn pack(mesh: &Mesh, members: &[u32]) -> Pack {
    let mut pack = Pack::EMPTY;
    pack.primitives[..members.len()].copy_from_slice(members);
    pack.primitives.sort_unstable();
    for (lane, &primitive) in pack.primitives.iter().enumerate() {
        if primitive == super::node::NO_PRIMITIVE {
            break;
        }
        for (corner, p) in corners(mesh, primitive).iter().enumerate() {
            for axis in 0..3 {
                pack.corners.0[corner][axis].0[lane] = p[axis];
            }
        }
    }
    pack
}
