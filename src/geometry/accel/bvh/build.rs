//! Meshes and instances to trees. `obvhs` (PLOC with reinsertion) builds the binary trees.
//!
//! The same input gives the same trees for any number of threads: `obvhs`'s passes are order independent, and tests
//! hold us to it.

use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use rayon::prelude::*;

use super::collapse::collapse;
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

/// `obvhs`'s medium quality, but one pass of reinsertion over fewer nodes: our collapse decides about leaves once more,
/// after which the second pass no longer shows in `benches/rays.rs` but for a third of the build time.
const QUALITY: BvhBuildParams = BvhBuildParams {
    reinsertion_batch_ratio: 0.02,
    post_collapse_reinsertion_batch_ratio_multiplier: 0.0,
    ..BvhBuildParams::medium_build()
};

impl MeshTree {
    pub fn empty() -> Self {
        Self { tree: Tree::empty(), packs: Vec::new() }
    }

    /// Triangles without an area or with corners that are not finite are left out.
    pub fn build(mesh: &Mesh) -> Self {
        let (usable, boxes): (Vec<_>, Vec<_>) = (0..mesh.indices.len() as u32)
            .into_par_iter()
            .filter_map(|i| {
                let triangle = corners(mesh, i);
                has_area(triangle).then(|| (i, to_obvhs(&Bounds::of_points(triangle))))
            })
            .unzip();
        let binary = build_binary(&boxes, QUALITY);
        let mut packs = Vec::with_capacity(usable.len() / 4);
        let tree = collapse(&binary, WIDTH as u32, |members| {
            packs.push(pack(mesh, members.iter().map(|&i| usable[i as usize])));
            packs.len() - 1
        });
        Self { tree, packs: huge_pages::moved(packs) }
    }

    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.packs.len() * size_of::<Pack>()
    }
}

impl World {
    pub fn build(instances: &[Instance], meshes: &[MeshTree]) -> Self {
        let mut condition: f32 = 1.0;
        let mut placements = Vec::with_capacity(instances.len());
        let (mut boxes, mut ids) = (Vec::new(), Vec::new());
        for (id, instance) in instances.iter().enumerate() {
            let placed = Placement::new(instance).and_then(|p| {
                let object = meshes.get(instance.mesh as usize)?.tree.bounds;
                let bounds = (!object.is_empty()).then(|| object.transformed(&f64_transform(instance)))?;
                (bounds.min.is_finite() && bounds.max.is_finite()).then_some((p, bounds))
            });
            placements.push(placed.map_or(Placement::NOWHERE, |(p, _)| p));
            if let Some((placement, bounds)) = placed {
                condition = condition.max(placement.condition(instance).min(WORST_CONDITION));
                boxes.push(to_obvhs(&bounds));
                ids.push(id);
            }
        }
        let one_a_leaf = BvhBuildParams { max_prims_per_leaf: 1, ..QUALITY };
        let binary = build_binary(&boxes, one_a_leaf);
        let tree = collapse(&binary, 1, |members| ids[members[0] as usize]);
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

fn build_binary(boxes: &[Aabb], params: BvhBuildParams) -> Bvh2 {
    if boxes.is_empty() { Bvh2::default() } else { build_bvh2(boxes, params, &mut Duration::default()) }
}

fn to_obvhs(bounds: &Bounds) -> Aabb {
    Aabb::new(bounds.min.into(), bounds.max.into())
}

/// At most eight triangles. They are kept in ascending order, so that the first of two equal ones is the lower one.
fn pack(mesh: &Mesh, members: impl Iterator<Item = u32>) -> Pack {
    let mut pack = Pack::EMPTY;
    for (slot, primitive) in pack.primitives.iter_mut().zip(members) {
        *slot = primitive;
    }
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
