//! The light tree: which lamp or emissive triangle to try at a point.
//!
//! Conty Estevez and Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting" (HPG 2018), in the form of
//! Pharr, Jakob and Humphreys, "Physically Based Rendering", 4th edition, section 12.6.3 (one light a sample, no
//! splitting), with a second level: the upper tree holds lamps and placed meshes in the world, and each mesh has one tree
//! over its triangles in its own space that all its instances share. Memory grows with meshes plus instances, not with
//! their product.
//!
//! # Why the lower trees may be asked in object space
//!
//! Nothing may be excluded that could contribute. Exclusion rests on two tests: is a light above the surface's tangent
//! plane, and is the point in front of a light's plane? An invertible affine map keeps points on their side of a plane,
//! provided that planes are mapped along (a plane's normal by the transposed matrix). So the tests are as right in object
//! space as in the world, under any scale, skew or mirroring; only the estimates of distances and cosines suffer from
//! non-uniform scales, which costs variance at most. Instances whose map is not invertible, or nearly so, get a tree of
//! their own in the world.

mod bottom;
mod bounds;
mod build;
mod node;
mod place;
mod split;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::emitter::{EmissiveInstance, EmissiveMesh};
use super::punctual::Lamp;
use super::{Choice, LightError, LightFrom, LightSample, SampleKind};
use bottom::Bottom;
use build::Tree;
use node::{MAX_LIGHTS, Query, descend};
use place::{Placed, lamp_bounds};

/// The tree over all lamps and emissive triangles of a scene.
#[derive(Debug, Default)]
pub struct LightTree {
    tree: Tree,
    lights: Vec<Light>,
    bottoms: Vec<Bottom>,
    placed: Vec<Placed>,
    /// Position in `placed` by instance, [`ABSENT`] for those without emissive triangles.
    by_instance: Vec<u32>,
}

/// A light of the upper tree.
#[derive(Clone, Copy, Debug)]
enum Light {
    Lamp(u32),
    Mesh(u32),
}

const ABSENT: u32 = u32::MAX;

impl LightTree {
    /// Lights without intensity or area are left out.
    ///
    /// # Errors
    /// An instance of a mesh that is not among `meshes`.
    pub fn build(lamps: &[Lamp], meshes: &[EmissiveMesh], instances: &[EmissiveInstance]) -> Result<Self, LightError> {
        let mut tree = Self::default();
        let shared: Vec<Option<Bottom>> = meshes.par_iter().map(|mesh| Bottom::build(&mesh.triangles, 1.0)).collect();
        let mut ids = std::collections::HashMap::new();
        for (mesh, bottom) in meshes.iter().zip(shared) {
            let index = bottom.map(|bottom| {
                tree.bottoms.push(bottom);
                tree.bottoms.len() - 1
            });
            ids.insert(mesh.mesh, index);
        }
        for instance in instances {
            let (instance_id, mesh) = (instance.instance, instance.mesh);
            let bottom = ids.get(&mesh).ok_or(LightError::UnknownMesh { instance: instance_id, mesh })?;
            if let Some(bottom) = *bottom {
                tree.place(instance, bottom);
            }
        }
        tree.build_top(lamps);
        Ok(tree)
    }

    /// An estimate of the irradiance at a point from the tree's lights, luminance, in four parts: those of the root's
    /// children. Zero only where none can contribute.
    pub fn root_importance(&self, from: &LightFrom) -> Vec4 {
        self.tree.root_importance(&world_query(from), false)
    }

    /// Chooses a light and a place on it; `lamps` are those that it was built from, `root` is
    /// [`Self::root_importance`]. The pdf is that within the tree.
    pub(super) fn sample(
        &self,
        lamps: &[Lamp],
        from: &LightFrom,
        root: Vec4,
        mut choice: Choice,
        place: [f32; 2],
    ) -> Option<LightSample> {
        let (light, chance) = descend(&self.tree.nodes, root, &world_query(from), false, &mut choice)?;
        match self.lights[light] {
            Light::Lamp(lamp) => {
                let lamp = &lamps[lamp as usize];
                let (wi, distance, irradiance) = lamp.illuminate(from.p)?;
                let kind = SampleKind::Radiance(irradiance);
                Some(LightSample { wi, distance, pdf: chance, delta: true, group: lamp.group, kind })
            }
            Light::Mesh(placed) => self.sample_mesh(&self.placed[placed as usize], from, chance, choice, place),
        }
    }

    /// Density by solid angle with which [`Self::sample`] finds the point of triangle (instance, primitive) that a ray in
    /// direction `wi` meets after `distance`. Zero for what is not a light, and from behind.
    pub(super) fn pdf(
        &self,
        from: &LightFrom,
        root: Vec4,
        (instance, primitive): (u32, u32),
        wi: Vec3,
        distance: f32,
    ) -> f32 {
        let Some(placed) = self.find(instance) else { return 0.0 };
        let bottom = &self.bottoms[placed.bottom as usize];
        let Some(light) = bottom.find(primitive) else { return 0.0 };
        let seen = placed.seen(&bottom.triangle(light).p, from.p);
        if !placed.shines_toward(&seen) {
            return 0.0;
        }
        let top = self.tree.probability(root, &world_query(from), false, placed.light as usize);
        if top <= 0.0 {
            return 0.0;
        }
        top * bottom.probability(&placed.query(from), placed.double_sided, light) * seen.pdf(wi, distance)
    }

    fn sample_mesh(
        &self,
        placed: &Placed,
        from: &LightFrom,
        chance: f32,
        mut choice: Choice,
        place: [f32; 2],
    ) -> Option<LightSample> {
        let bottom = &self.bottoms[placed.bottom as usize];
        let (triangle, part) = bottom.choose(&placed.query(from), placed.double_sided, &mut choice)?;
        let seen = placed.seen(&triangle.p, from.p);
        if !placed.shines_toward(&seen) {
            return None;
        }
        let sample = seen.sample(place)?;
        let kind = SampleKind::Emitter {
            instance: placed.instance,
            primitive: triangle.primitive,
            barycentrics: sample.barycentrics,
        };
        let pdf = chance * part * sample.pdf;
        let usable = pdf > 0.0 && pdf.is_finite();
        let (wi, distance, group) = (sample.wi, sample.distance, placed.group);
        usable.then_some(LightSample { wi, distance, pdf, delta: false, group, kind })
    }

    fn find(&self, instance: u32) -> Option<&Placed> {
        let &index = self.by_instance.get(instance as usize)?;
        (index != ABSENT).then(|| &self.placed[index as usize])
    }

    /// Adds an instance, with a tree of its own if its map cannot be inverted.
    fn place(&mut self, instance: &EmissiveInstance, bottom: usize) {
        let placed = Placed::new(instance, bottom, &self.bottoms[bottom]).or_else(|| {
            let (triangles, front) = place::baked(instance, self.bottoms[bottom].triangles());
            let own = Bottom::build(&triangles, front)?;
            let placed = Placed::in_world(instance, self.bottoms.len(), front);
            self.bottoms.push(own);
            Some(placed)
        });
        self.placed.extend(placed);
    }

    fn build_top(&mut self, lamps: &[Lamp]) {
        let mut bounds = Vec::new();
        for (i, lamp) in lamps.iter().enumerate() {
            if let Some(lamp) = lamp_bounds(lamp) {
                bounds.push(lamp);
                self.lights.push(Light::Lamp(i as u32));
            }
        }
        for (i, placed) in self.placed.iter().enumerate() {
            if let Some(mesh) = placed.bounds(&self.bottoms[placed.bottom as usize]) {
                bounds.push(mesh);
                self.lights.push(Light::Mesh(i as u32));
            }
        }
        bounds.truncate(MAX_LIGHTS);
        self.tree = Tree::build(&bounds);
        let last = self.placed.iter().map(|placed| placed.instance as usize + 1).max().unwrap_or(0);
        self.by_instance = vec![ABSENT; last];
        for (i, light) in self.lights.iter().take(bounds.len()).enumerate() {
            if let Light::Mesh(index) = *light {
                let placed = &mut self.placed[index as usize];
                placed.light = i as u32;
                self.by_instance[placed.instance as usize] = index;
            }
        }
    }
}

/// Positions in the world carry an f32 rounding error relative to their distance from the scene's centre.
fn world_query(from: &LightFrom) -> Query {
    Query { p: from.p, n: from.n, slack: 1e-6 * from.p.abs().max_element() }
}
