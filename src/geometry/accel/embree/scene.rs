//! Meshes and instances as Embree's scenes.

use std::ffi::c_void;

use glam::Vec3;

use super::ffi::{self, Handle};
use super::library::Device;
use crate::geometry::accel::AccelError;
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::placement::{Placement, f64_transform};
use crate::geometry::accel::triangle::{corners, has_area};
use crate::geometry::mesh::{Instance, Mesh};

/// A committed scene, released when it is dropped.
#[derive(Debug)]
pub struct Scene<'a> {
    device: &'a Device,
    pub handle: Handle,
}

impl<'a> Scene<'a> {
    fn new(device: &'a Device) -> Self {
        let f = &device.functions;
        // SAFETY: a live device; the scene is new and no one else's.
        let handle = unsafe {
            let handle = (f.new_scene)(device.handle);
            (f.set_scene_flags)(handle, ffi::SCENE_ROBUST | ffi::SCENE_FILTER_FUNCTION_IN_ARGUMENTS);
            (f.set_scene_quality)(handle, ffi::QUALITY_MEDIUM);
            handle
        };
        Self { device, handle }
    }

    /// Builds the scene and gives up its ownership.
    fn commit(self) -> Result<Handle, AccelError> {
        // SAFETY: a live scene that no one queries yet.
        unsafe { (self.device.functions.commit_scene)(self.handle) };
        self.device.result("building")?;
        let handle = self.handle;
        std::mem::forget(self);
        Ok(handle)
    }

    /// Adds a committed geometry under `id`; the scene keeps it.
    fn attach(&self, geometry: Handle, id: u32) {
        let f = &self.device.functions;
        // SAFETY: live handles; the scene takes its own reference, so ours is given up.
        unsafe {
            (f.commit_geometry)(geometry);
            (f.attach_geometry)(self.handle, geometry, id);
            (f.release_geometry)(geometry);
        }
    }
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and is not used again.
        unsafe { (self.device.functions.release_scene)(self.handle) };
    }
}

/// A mesh's scene and box, or `None` where no triangle has an area.
pub fn build_mesh(device: &Device, mesh: &Mesh) -> Result<Option<(Handle, Bounds)>, AccelError> {
    let usable = |i: u32| has_area(corners(mesh, i));
    let triangles = 0..mesh.indices.len() as u32;
    let bounds = Bounds::of_points(triangles.clone().filter(|&i| usable(i)).flat_map(|i| corners(mesh, i)));
    if bounds.is_empty() {
        return Ok(None);
    }
    let scene = Scene::new(device);
    let f = &device.functions;
    // SAFETY: a live device; buffers are filled below, before anything reads them.
    let geometry = unsafe { (f.new_geometry)(device.handle, ffi::GEOMETRY_TRIANGLE) };
    fill(
        device,
        geometry,
        ffi::BUFFER_VERTEX,
        ffi::FORMAT_FLOAT3,
        mesh.positions.iter().copied(),
        mesh.positions.len(),
    )?;
    // A triangle without an area becomes a point, which is never hit; leaving it out would move the others' indices.
    let indices = triangles.map(|i| if usable(i) { mesh.indices[i as usize] } else { [0; 3] });
    fill(device, geometry, ffi::BUFFER_INDEX, ffi::FORMAT_UINT3, indices, mesh.indices.len())?;
    // SAFETY: a live geometry that no one queries yet.
    unsafe {
        (f.set_geometry_quality)(geometry, ffi::QUALITY_MEDIUM);
        (f.set_geometry_mask)(geometry, u32::MAX);
        (f.enable_argument_filter)(geometry, true);
    }
    scene.attach(geometry, 0);
    Ok(Some((scene.commit()?, bounds)))
}

/// Copies `items` of three words each into a new buffer of `geometry`.
fn fill<T: Copy>(
    device: &Device,
    geometry: Handle,
    buffer: u32,
    format: u32,
    items: impl Iterator<Item = T>,
    count: usize,
) -> Result<(), AccelError> {
    const { assert!(size_of::<T>() == 12) };
    // SAFETY: a live geometry.
    let start = unsafe { (device.functions.new_buffer)(geometry, buffer, 0, format, 12, count) };
    if start.is_null() {
        device.result("allocating a buffer")?;
        return Err(AccelError::Embree { doing: "allocating a buffer", code: 1 });
    }
    for (i, item) in items.take(count).enumerate() {
        // SAFETY: Embree allocated `count` items of 12 bytes, aligned to 16, for us to fill.
        unsafe { start.cast::<T>().add(i).write_unaligned(item) };
    }
    Ok(())
}

/// The scene of all instances, whose geometry ids are their indices, and its box.
pub fn build_world(
    device: &Device,
    instances: &[Instance],
    meshes: &[Option<(Handle, Bounds)>],
) -> Result<(Handle, Bounds), AccelError> {
    let scene = Scene::new(device);
    let f = &device.functions;
    let mut bounds = Bounds::EMPTY;
    for (id, instance) in instances.iter().enumerate() {
        let Some((mesh, object)) = meshes.get(instance.mesh as usize).copied().flatten() else { continue };
        if Placement::new(instance).is_none() {
            continue;
        }
        bounds = bounds.union(object.transformed(&f64_transform(instance)));
        let m = &instance.transform;
        let columns =
            [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation].map(|c| Vec3::from(c).to_array());
        // SAFETY: live handles; the transform is twelve floats and is copied.
        unsafe {
            let geometry = (f.new_geometry)(device.handle, ffi::GEOMETRY_INSTANCE);
            (f.set_instanced_scene)(geometry, mesh);
            let transform = columns.as_ptr().cast::<c_void>();
            (f.set_transform)(geometry, 0, ffi::FORMAT_FLOAT3X4_COLUMN_MAJOR, transform);
            (f.set_geometry_mask)(geometry, u32::from(instance.mask));
            scene.attach(geometry, id as u32);
        }
    }
    Ok((scene.commit()?, bounds))
}
