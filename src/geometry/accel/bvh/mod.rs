//! The default backend: an eight-wide tree a mesh, one over the instances, walked with SIMD.

mod build;
mod collapse;
mod dispatch;
mod frustum;
mod node;
mod packet;
mod slabs;
mod trace;
mod walk;

use rayon::prelude::*;

use self::build::{MeshTree, World};
use self::dispatch::Path;
use self::frustum::PACKET;
use self::trace::Scene;
use super::MemoryUse;
use super::bounds::Bounds;
use super::search::Search;
use super::simd::portable::Portable;
use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::{Hit, Ray};

/// The trees and the instruction set to walk them with.
#[derive(Clone, Debug)]
pub struct Bvh {
    world: World,
    meshes: Vec<MeshTree>,
    mesh_stack: usize,
    path: Path,
}

impl Bvh {
    /// Builds on the current thread pool. Meshes that no instance shows get no tree.
    pub fn build(meshes: &[Mesh], instances: &[Instance]) -> Self {
        let mut shown = vec![false; meshes.len()];
        for instance in instances {
            if let Some(shown) = shown.get_mut(instance.mesh as usize) {
                *shown = true;
            }
        }
        let meshes = (meshes, &shown)
            .into_par_iter()
            .map(|(mesh, &shown)| if shown { MeshTree::build(mesh) } else { MeshTree::empty() })
            .collect::<Vec<_>>();
        let mesh_stack = meshes.iter().map(|m| m.tree.stack_need()).max().unwrap_or(0);
        Self { world: World::build(instances, &meshes), meshes, mesh_stack, path: Path::detect() }
    }

    /// The same trees, walked without this processor's SIMD.
    pub fn portable(mut self) -> Self {
        self.path = Path::Portable(Portable);
        self
    }

    pub fn name(&self) -> &'static str {
        self.path.name()
    }

    pub fn closest(&self, ray: &Ray, mask: u8) -> Option<Hit> {
        self.search(ray, mask, Search::new(ray)?)
    }

    pub fn closest_after(&self, ray: &Ray, mask: u8, after: &Hit) -> Option<Hit> {
        self.search(ray, mask, Search::new(ray)?.behind(after))
    }

    fn search(&self, ray: &Ray, mask: u8, mut search: Search) -> Option<Hit> {
        self.path.closest(&self.scene(), ray, mask, &mut search);
        search.hit()
    }

    pub fn occluded(&self, ray: &Ray, mask: u8) -> bool {
        Search::new(ray).is_some_and(|mut search| self.path.occluded(&self.scene(), ray, mask, &mut search))
    }

    pub fn closest_packet(&self, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
        for (rays, hits) in rays.chunks(PACKET).zip(hits.chunks_mut(PACKET)) {
            self.path.packet(&self.scene(), rays, mask, hits);
        }
    }

    pub fn memory(&self) -> MemoryUse {
        let meshes = self.meshes.iter().map(MeshTree::bytes).sum();
        MemoryUse { meshes, instances: self.world.bytes() }
    }

    pub fn bounds(&self) -> Bounds {
        self.world.tree.bounds
    }

    fn scene(&self) -> Scene<'_> {
        Scene { world: &self.world, meshes: &self.meshes, mesh_stack: self.mesh_stack }
    }
}
