//! Every ray against every triangle: the judge of the other backends.
//!
//! It shares their triangle test and nothing else, so it says exactly which hits a tree must find.

use super::MemoryUse;
use super::bounds::Bounds;
use super::placement::{Placement, f64_transform};
use super::search::{Search, key};
use super::simd::Simd;
use super::simd::portable::Portable;
use super::triangle::{Shear, ShearLanes, corners, cross, has_area, splat};
use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::{Hit, Ray};

/// Triangles by mesh, and where the meshes are.
#[derive(Clone, Debug)]
pub struct Brute {
    /// (corners, index within the mesh); those without an area are left out.
    meshes: Vec<Vec<([[f32; 3]; 3], u32)>>,
    /// `None` where the instance cannot be hit.
    placements: Vec<Option<(Placement, u8)>>,
    bounds: Bounds,
}

impl Brute {
    pub fn build(meshes: &[Mesh], instances: &[Instance]) -> Self {
        let meshes = meshes.iter().map(triangles).collect::<Vec<_>>();
        let mut bounds = Bounds::EMPTY;
        let mut placements = Vec::with_capacity(instances.len());
        for instance in instances {
            let mesh = meshes.get(instance.mesh as usize).filter(|mesh| !mesh.is_empty());
            let placed = mesh.and_then(|mesh| Some((mesh, Placement::new(instance)?)));
            if let Some((mesh, _)) = placed {
                let object = Bounds::of_points(mesh.iter().flat_map(|(p, _)| p.map(glam::Vec3::from)));
                bounds = bounds.union(object.transformed(&f64_transform(instance)));
            }
            placements.push(placed.map(|(_, placement)| (placement, instance.mask)));
        }
        Self { meshes, placements, bounds }
    }

    pub fn closest(&self, ray: &Ray, mask: u8) -> Option<Hit> {
        self.search(ray, mask, Search::new(ray)?)
    }

    pub fn closest_after(&self, ray: &Ray, mask: u8, after: &Hit) -> Option<Hit> {
        self.search(ray, mask, Search::new(ray)?.behind(after))
    }

    fn search(&self, ray: &Ray, mask: u8, mut search: Search) -> Option<Hit> {
        for (instance, placement) in self.placements.iter().enumerate() {
            match placement {
                Some((placement, bits)) if bits & mask != 0 => {
                    self.search_instance(ray, placement, instance as u32, &mut search);
                }
                _ => {}
            }
        }
        search.hit()
    }

    fn search_instance(&self, ray: &Ray, placement: &Placement, instance: u32, search: &mut Search) {
        let s = Portable;
        let origin = placement.point_to_object(ray.origin);
        let shear = Shear::new(origin, placement.direction_to_object(ray.direction));
        let lanes = ShearLanes::splat(s, &shear);
        for (triangle, primitive) in &self.meshes[placement.mesh as usize] {
            let corners = splat(s, triangle, shear.axes);
            if let Some(found) = cross(s, &lanes, corners, s.splat(search.t_min), s.splat(search.t)) {
                let (t, key) = (found.t.0[0], key(instance, *primitive));
                if search.wants(t, key) {
                    search.accept(t, key, found.v.0[0] / found.det.0[0], found.w.0[0] / found.det.0[0]);
                }
            }
        }
    }

    pub fn memory(&self) -> MemoryUse {
        let triangles = self.meshes.iter().map(Vec::len).sum::<usize>();
        MemoryUse {
            meshes: triangles * size_of::<([[f32; 3]; 3], u32)>(),
            instances: self.placements.len() * size_of::<Option<(Placement, u8)>>(),
        }
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

fn triangles(mesh: &Mesh) -> Vec<([[f32; 3]; 3], u32)> {
    (0..mesh.indices.len() as u32)
        .map(|i| (corners(mesh, i), i))
        .filter(|(triangle, _)| has_area(*triangle))
        .map(|(triangle, i)| (triangle.map(|p| p.to_array()), i))
        .collect()
}
