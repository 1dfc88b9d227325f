//! Intel's Embree, loaded at run time: nothing of it is needed to build or to run the other backends.
//!
//! Robust scenes of medium quality, two levels. Ties between equal distances are decided by a filter function, as
//! Embree itself keeps any of them; it asks the filter about every triangle it tests, but may prune a subtree that
//! starts at exactly the best distance, so that a tie of different instances can go to another one than with `bvh`. Its
//! triangle test rounds in its own way: distances differ from `bvh`'s in the last bits.

mod ffi;
mod library;
mod query;
mod scene;

use self::ffi::{Handle, PACKET};
use self::library::Device;
use super::bounds::Bounds;
use super::search::Search;
use super::{AccelError, MemoryUse};
use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::{Hit, Ray};

pub use library::VARIABLE;

/// A scene in Embree's hands.
#[derive(Debug)]
pub struct Embree {
    world: Handle,
    bounds: Bounds,
    memory: MemoryUse,
    name: String,
    device: Device,
}

// SAFETY: committed scenes may be queried from any number of threads; see `Device`.
unsafe impl Send for Embree {}
// SAFETY: as above.
unsafe impl Sync for Embree {}

impl Embree {
    pub fn build(meshes: &[Mesh], instances: &[Instance], threads: usize) -> Result<Self, AccelError> {
        let device = Device::open(threads)?;
        let mut shown = vec![false; meshes.len()];
        for instance in instances {
            if let Some(shown) = shown.get_mut(instance.mesh as usize) {
                *shown = true;
            }
        }
        let built = meshes.iter().zip(shown);
        let built = built.map(|(mesh, shown)| if shown { scene::build_mesh(&device, mesh) } else { Ok(None) });
        let scenes = built.collect::<Result<Vec<_>, _>>()?;
        let of_meshes = device.allocated();
        let world = scene::build_world(&device, instances, &scenes);
        for (mesh, _) in scenes.into_iter().flatten() {
            // SAFETY: the instances hold their own references; ours is not used again.
            unsafe { (device.functions.release_scene)(mesh) };
        }
        let (world, bounds) = world?;
        let memory = MemoryUse { meshes: of_meshes, instances: device.allocated().saturating_sub(of_meshes) };
        let [major, minor, patch] = device.version;
        Ok(Self { world, bounds, memory, name: format!("embree-{major}.{minor}.{patch}"), device })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn closest(&self, ray: &Ray, mask: u8) -> Option<Hit> {
        query::closest(&self.device, self.world, ray, mask, Search::new(ray)?)
    }

    pub fn closest_after(&self, ray: &Ray, mask: u8, after: &Hit) -> Option<Hit> {
        query::closest(&self.device, self.world, ray, mask, Search::new(ray)?.behind(after))
    }

    pub fn occluded(&self, ray: &Ray, mask: u8) -> bool {
        Search::new(ray).is_some_and(|search| query::occluded(&self.device, self.world, ray, mask, &search))
    }

    pub fn closest_packet(&self, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
        for (rays, hits) in rays.chunks(PACKET).zip(hits.chunks_mut(PACKET)) {
            query::closest16(&self.device, self.world, rays, mask, hits);
        }
    }

    pub fn memory(&self) -> MemoryUse {
        self.memory
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

impl Drop for Embree {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and is not used again; the device is released after it.
        unsafe { (self.device.functions.release_scene)(self.world) };
    }
}
