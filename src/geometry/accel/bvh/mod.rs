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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::mask;
    use glam::{Affine3A, Vec3};

    /// A tree deeper than the stack that is at hand takes one from the heap.
    #[test]
    fn a_tree_of_uncommon_depth_is_walked_too() {
        let corner = |i: u32| Vec3::new(i as f32 * 0.37 % 3.0, i as f32 * 0.71 % 2.0, i as f32 * 0.13 % 1.0);
        let mesh = Mesh {
            positions: (0..600).map(corner).collect(),
            indices: (0..200).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            ..Mesh::default()
        };
        let place = Instance { mesh: 0, material: 0, transform: Affine3A::IDENTITY, variation: [0; 3], mask: 1 };
        let usual = Bvh::build(&[mesh], &[place]);
        let mut deep = usual.clone();
        (deep.world.tree.depth, deep.mesh_stack) = (100, 700);
        let mut rays = Vec::new();
        for i in 0..200 {
            let origin = Vec3::new(-1.0, 0.01 * i as f32, 0.4);
            let direction = Vec3::new(1.0, 0.02, 0.001 * i as f32).normalize();
            rays.push(Ray { origin, direction, t_min: 0.0, t_max: f32::INFINITY });
        }
        let hits = rays.iter().map(|ray| usual.closest(ray, mask::ALL)).collect::<Vec<_>>();
        assert!(hits.iter().flatten().count() > 50);
        let mut packet = vec![None; rays.len()];
        deep.closest_packet(&rays, mask::ALL, &mut packet);
        assert_eq!(packet, hits);
        for (ray, hit) in rays.iter().zip(&hits) {
            assert_eq!(deep.closest(ray, mask::ALL), *hit);
            assert_eq!(deep.clone().portable().closest(ray, mask::ALL), *hit);
        }
    }

    /// A ray that starts on surfaces hits them at 0 or at −0; what is behind the one is not behind the other.
    #[test]
    fn hits_at_the_start_are_visited_whatever_their_sign() {
        const LAYERS: u32 = 30;
        let corners = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(3.0, -1.0, 0.0), Vec3::new(-1.0, 3.0, 0.0)];
        let mesh = Mesh {
            positions: corners.repeat(LAYERS as usize),
            indices: (0..LAYERS).map(|i| [3 * i, 3 * i + 1 + i % 2, 3 * i + 2 - i % 2]).collect(),
            ..Mesh::default()
        };
        let place = |mesh| Instance { mesh, material: 0, transform: Affine3A::IDENTITY, variation: [0; 3], mask: 1 };
        let bvh = Bvh::build(&[mesh], &[place(0), place(0)]);
        for direction in [Vec3::Z, Vec3::NEG_Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, 0.6, -0.8)] {
            let ray = Ray { origin: Vec3::new(0.25, 0.5, 0.0), direction, t_min: 0.0, t_max: 1.0 };
            let mut last = bvh.closest(&ray, mask::ALL);
            let mut visited = 0;
            while let Some(hit) = last {
                visited += 1;
                last = bvh.closest_after(&ray, mask::ALL, &hit);
            }
            assert_eq!(visited, 2 * LAYERS, "{direction}");
        }
    }

    /// Neither a mesh of few triangles nor a world of one instance spends time on boxes.
    #[test]
    fn a_tree_of_one_leaf_has_no_nodes() {
        let mesh = Mesh { positions: vec![Vec3::X, Vec3::Y, Vec3::Z], indices: vec![[0, 1, 2]], ..Mesh::default() };
        let place = Instance { mesh: 0, material: 0, transform: Affine3A::IDENTITY, variation: [0; 3], mask: 1 };
        let bvh = Bvh::build(&[mesh], &[place]);
        assert!(bvh.world.tree.nodes.is_empty() && bvh.meshes[0].tree.nodes.is_empty());
        let at = |origin| Ray { origin, direction: Vec3::ONE.normalize(), t_min: 0.0, t_max: f32::INFINITY };
        let rays = [at(Vec3::ZERO), at(Vec3::ONE)];
        let mut packet = [None; 2];
        for bvh in [bvh.clone(), bvh.portable()] {
            bvh.closest_packet(&rays, mask::ALL, &mut packet);
            assert!(packet[0].is_some() && packet[1].is_none());
            assert_eq!(rays.map(|ray| bvh.closest(&ray, mask::ALL)), packet);
            assert_eq!(rays.map(|ray| bvh.occluded(&ray, mask::ALL)), [true, false]);
        }
    }
}
