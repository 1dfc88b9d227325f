//! The lower level: a tree over a mesh's emissive triangles, in the mesh's own space.

use std::f32::consts::FRAC_PI_2;

use glam::{DMat3, Vec3};

use super::bounds::{Cone, LightBounds};
use super::build::Tree;
use super::node::{MAX_LIGHTS, Query, descend};
use crate::light::Choice;
use crate::light::emitter::EmissiveTriangle;

/// A mesh's emissive triangles, shared by all its instances.
#[derive(Clone, Debug)]
pub struct Bottom {
    triangles: Vec<EmissiveTriangle>,
    tree: Tree,
    /// Position in `triangles` by primitive, [`ABSENT`] for those that do not shine.
    by_primitive: Vec<u32>,
    bounds: LightBounds,
    /// Σ w n nᵀ over the triangles, w = radiance · area, n the unit normal: gives the intensity under any linear map.
    normals: DMat3,
    intensity: f64,
}

const ABSENT: u32 = u32::MAX;

impl Bottom {
    /// Leaves out triangles that do not shine, have no area or are not finite; `None` if none is left. `front` is −1 where
    /// the front is the side from which the corners run clockwise.
    pub fn build(triangles: &[EmissiveTriangle], front: f32) -> Option<Self> {
        let (mut kept, mut lights) = (Vec::new(), Vec::new());
        let (mut normals, mut intensity) = (DMat3::ZERO, 0.0);
        // Triangles beyond what a tree can count are left to rays, like those that do not shine.
        for triangle in triangles.iter().take(MAX_LIGHTS) {
            let Some(bounds) = triangle_bounds(triangle, front) else { continue };
            let n = bounds.cone.axis.as_dvec3();
            let weight = f64::from(bounds.intensity);
            normals += DMat3::from_cols(n * n.x, n * n.y, n * n.z) * weight;
            intensity += weight;
            kept.push(*triangle);
            lights.push(bounds);
        }
        let bounds = lights.iter().copied().reduce(|all, light| all.union(&light))?;
        let last = kept.iter().map(|triangle| triangle.primitive as usize).max()?;
        let mut by_primitive = vec![ABSENT; last + 1];
        for (i, triangle) in kept.iter().enumerate() {
            by_primitive[triangle.primitive as usize] = i as u32;
        }
        Some(Self { tree: Tree::build(&lights), triangles: kept, by_primitive, bounds, normals, intensity })
    }

    /// Chooses a triangle, with its probability.
    pub fn choose(&self, query: &Query, two_sided: bool, choice: &mut Choice) -> Option<(&EmissiveTriangle, f32)> {
        let root = self.tree.root_importance(query, two_sided);
        let (light, probability) = descend(&self.tree.nodes, root, query, two_sided, choice)?;
        Some((&self.triangles[light], probability))
    }

    /// A light among the triangles, by its primitive index.
    pub fn find(&self, primitive: u32) -> Option<usize> {
        let &index = self.by_primitive.get(primitive as usize)?;
        (index != ABSENT).then_some(index as usize)
    }

    /// The corners of a light that [`Self::find`] found.
    pub fn triangle(&self, light: usize) -> &EmissiveTriangle {
        &self.triangles[light]
    }

    /// The probability with which [`Self::choose`] takes it.
    pub fn probability(&self, query: &Query, two_sided: bool, light: usize) -> f32 {
        self.tree.probability(self.tree.root_importance(query, two_sided), query, two_sided, light)
    }

    /// Bounds of all triangles, in the mesh's space.
    pub fn bounds(&self) -> &LightBounds {
        &self.bounds
    }

    /// The total intensity (radiance times area) after a linear map with this cofactor matrix.
    ///
    /// The map scales the area of a triangle of normal n by |C n|. Σ w |C n| ≤ √(Σ w · Σ w |C n|²) by Cauchy and Schwarz,
    /// an equality where all are scaled alike (rotations and uniform scales, flat panels): no look at each triangle.
    pub fn intensity(&self, cofactor: &DMat3) -> f32 {
        let mapped = *cofactor * self.normals * cofactor.transpose();
        let trace = mapped.x_axis.x + mapped.y_axis.y + mapped.z_axis.z;
        (self.intensity * trace.max(0.0)).sqrt() as f32
    }

    /// The triangles themselves.
    pub fn triangles(&self) -> &[EmissiveTriangle] {
        &self.triangles
    }
}

fn triangle_bounds(triangle: &EmissiveTriangle, front: f32) -> Option<LightBounds> {
    let [a, b, c] = triangle.p;
    let cross = (b - a).cross(c - a);
    let area = 0.5 * cross.length();
    let axis: Vec3 = cross.try_normalize()? * front;
    let intensity = triangle.radiance * area;
    let usable = intensity > 0.0 && intensity.is_finite() && triangle.p.iter().all(|p| p.is_finite());
    let cone = Cone { axis, theta_o: 0.0, theta_e: FRAC_PI_2, two_sided: false };
    usable.then_some(LightBounds { min: a.min(b).min(c), max: a.max(b).max(c), cone, intensity })
}
