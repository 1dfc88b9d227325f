//! Which of the decals along a ray count, for which surface, and in which order. Pure geometry: see the module's page.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::surface::Surface;
use crate::geometry::{Hit, Ray};

/// Cosine of the steepest angle between a road decal and what it paints: a face that stands across it is not its receiver.
pub const ALIGNED: f32 = 0.5;

/// Heights closer than this, metres, are equal: the layers are coplanar.
const COPLANAR: f64 = 1e-7;

/// A surface near a hit as a plane, float64 (scene frame, relative to the scene's centre).
#[derive(Clone, Copy, Debug, Default)]
pub struct Plane {
    pub p: DVec3,
    /// Geometric normal, unit, toward where the ray comes from.
    pub n: DVec3,
}

impl Plane {
    /// The plane of the triangle at `hit`, taken from its corners: it does not inherit the rounding of the surface's float32 point.
    pub fn at(meshes: &[Mesh], instances: &[Instance], ray: &Ray, hit: &Hit) -> Self {
        let instance = &instances[hit.instance as usize];
        let mesh = &meshes[instance.mesh as usize];
        let [a, b, c] = mesh.indices[hit.primitive as usize].map(|index| mesh.positions[index as usize].as_dvec3());
        let matrix = instance.transform.matrix3;
        let place = DAffine3 {
            matrix3: DMat3::from_cols(matrix.x_axis.as_dvec3(), matrix.y_axis.as_dvec3(), matrix.z_axis.as_dvec3()),
            translation: Vec3::from(instance.transform.translation).as_dvec3(),
        };
        let (edge1, edge2) = (place.transform_vector3(b - a), place.transform_vector3(c - a));
        let (u, v) = (f64::from(hit.u), f64::from(hit.v));
        let n = edge1.cross(edge2).normalize_or(DVec3::Y);
        let n = if n.dot(ray.direction.as_dvec3()) > 0.0 { -n } else { n };
        Self { p: place.transform_point3(a) + edge1 * u + edge2 * v, n }
    }

    /// How far above the plane a point lies, metres.
    pub fn height(&self, p: DVec3) -> f64 {
        (p - self.p).dot(self.n)
    }

    /// Whether a decal's plane is within `reach` of this one, along this one's normal.
    fn reaches(&self, decal: &Plane, reach: f32) -> bool {
        self.height(decal.p).abs() <= f64::from(reach)
    }
}

/// What float32 distances along a ray leave open at a hit, metres along the ray: closer hits may be in either order.
///
/// The surface's own rounding (`geometry::offset`), that of the ray's origin and of its direction over the distance `t`, seen at the
/// angle of incidence.
pub fn slack(surface: &Surface, ray: &Ray, t: f32) -> f32 {
    const ROUNDINGS: f32 = 8.0;
    let ray_error = ROUNDINGS * f32::EPSILON * (t + ray.origin.abs().element_sum());
    let across = surface.ng.abs().dot(surface.error) + ray_error;
    across / surface.ng.dot(ray.direction).abs().max(1e-4)
}

/// The kinds of decals that are geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Road,
    Mesh,
}

/// One decal on a ray.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer {
    pub hit: Hit,
    pub kind: Kind,
    pub plane: Plane,
    /// [`slack`] at the hit.
    pub slack: f32,
}

/// The surface that a ray starts from: decals above it are passed from below.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    pub p: Vec3,
    /// Geometric normal, unit, either way.
    pub ng: Vec3,
}

impl Departure {
    /// Whether a ray in `direction` crosses the decal from below, on its way out of the surface that the decal paints.
    pub fn below(&self, decal: &Surface, direction: Vec3, reach: f32) -> bool {
        let n = if self.ng.dot(direction) < 0.0 { -self.ng } else { self.ng };
        let facing = decal.ng.dot(n);
        let height = (decal.p - self.p).dot(n);
        let upward = decal.ng.dot(direction) * facing > 0.0;
        upward && facing.abs() >= ALIGNED && height <= reach + decal.ng.abs().dot(decal.error)
    }
}

/// How many decals on one ray need no allocation. More of them move to the heap: there is no limit.
const INLINE: usize = 8;

/// The decals that a ray meets, nearest first.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    few: [Layer; INLINE],
    count: usize,
    many: Vec<Layer>,
}

/// What is left of a ray's decals: the surface that is lit, the road decal that replaces its G-buffer, and the mesh decals that
/// edit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The layer that is the lit surface itself; `None`: the surface behind all decals.
    pub surface: Option<usize>,
    /// The layer whose G-buffer is seen.
    pub road: Option<usize>,
    /// Layers nearer than this one's index may edit what is seen, if they are mesh decals within reach.
    pub edits: usize,
}

impl Layers {
    /// Appends a layer.
    pub fn push(&mut self, layer: Layer) {
        if !self.many.is_empty() {
            self.many.push(layer);
        } else if self.count < INLINE {
            self.few[self.count] = layer;
            self.count += 1;
        } else {
            self.many.extend_from_slice(&self.few);
            self.many.push(layer);
        }
    }

    /// The layers, nearest first once they are [sorted](Self::sort).
    pub fn as_slice(&self) -> &[Layer] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }

    fn as_mut_slice(&mut self) -> &mut [Layer] {
        if self.many.is_empty() { &mut self.few[..self.count] } else { &mut self.many }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether some layer is a road decal.
    pub fn has_road(&self) -> bool {
        self.as_slice().iter().any(|layer| layer.kind == Kind::Road)
    }

    /// Drops the layers that lie below `receiver`, met at `t` with `slack`, although their distances leave it open.
    pub fn drop_hidden(&mut self, receiver: &Plane, t: f32, slack: f32) {
        // Where each layer's corner was rounded to when it was placed.
        let rounding = f64::from(f32::EPSILON) * receiver.p.abs().max_element();
        let seen = |layer: &Layer| {
            let sure = layer.hit.t < t - slack.max(layer.slack);
            sure || receiver.height(layer.plane.p) >= -rounding
        };
        if self.many.is_empty() {
            let mut kept = 0;
            for index in 0..self.count {
                if seen(&self.few[index]) {
                    self.few[kept] = self.few[index];
                    kept += 1;
                }
            }
            self.count = kept;
        } else {
            self.many.retain(seen);
            self.count = self.many.len();
        }
    }

    /// Puts the layers in order, nearest first: by distance, or where that leaves it open by height above `reference`.
    pub fn sort(&mut self, reference: &Plane) {
        let layers = self.as_mut_slice();
        // Insertion: there are few, they are nearly in order, and the comparison need not be transitive.
        for end in 1..layers.len() {
            let mut at = end;
            while at > 0 && is_nearer(&layers[at], &layers[at - 1], reference) {
                layers.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// What is lit and what is seen, from the farthest layer to the nearest; `behind` is the surface behind all of them.
    pub fn resolve(&self, behind: Option<&Plane>, reach: f32) -> Resolved {
        let layers = self.as_slice();
        let mut resolved = Resolved { surface: None, road: None, edits: layers.len() };
        let mut lit = behind.copied();
        for (index, layer) in layers.iter().enumerate().rev().filter(|(_, layer)| layer.kind == Kind::Road) {
            let painted = lit.is_some_and(|lit| {
                // Either way round: along the ground one of the two may just face away.
                let aligned = lit.n.dot(layer.plane.n).abs() >= f64::from(ALIGNED);
                aligned && lit.reaches(&layer.plane, reach)
            });
            resolved.edits = index;
            if painted {
                resolved.road = Some(index);
            } else {
                (resolved.surface, resolved.road) = (Some(index), None);
                lit = Some(layer.plane);
            }
        }
        resolved
    }

    /// The mesh decals that edit what is seen (its plane is `seen`), farthest first.
    pub fn edits(&self, resolved: &Resolved, seen: Plane, reach: f32) -> impl Iterator<Item = &Layer> {
        let nearer = self.as_slice()[..resolved.edits].iter().rev();
        nearer.filter(move |layer| layer.kind == Kind::Mesh && seen.reaches(&layer.plane, reach))
    }
}

/// Whether `a` lies in front of `b`. Coplanar layers: the later one in the scene is in front.
fn is_nearer(a: &Layer, b: &Layer, reference: &Plane) -> bool {
    if (a.hit.t - b.hit.t).abs() > a.slack.max(b.slack) {
        return a.hit.t < b.hit.t;
    }
    let above = reference.height(a.plane.p) - reference.height(b.plane.p);
    match above.abs() > COPLANAR {
        true => above > 0.0,
        false => (a.hit.instance, a.hit.primitive) > (b.hit.instance, b.hit.primitive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: f32 = 0.06;

    fn plane(height: f64) -> Plane {
        Plane { p: DVec3::new(0.0, height, 0.0), n: DVec3::Y }
    }

    fn layer(kind: Kind, height: f64, t: f32, instance: u32) -> Layer {
        let hit = Hit { t, instance, ..Hit::default() };
        Layer { hit, kind, plane: plane(height), slack: 1e-5 }
    }

    fn stack(layers: &[Layer]) -> Layers {
        let mut stack = Layers::default();
        layers.iter().for_each(|layer| stack.push(*layer));
        stack
    }

    fn order(stack: &Layers) -> Vec<u32> {
        stack.as_slice().iter().map(|layer| layer.hit.instance).collect()
    }

    #[test]
    fn the_nearest_road_decal_in_reach_is_seen_and_the_receiver_is_lit() {
        let layers = stack(&[layer(Kind::Road, 0.009, 1.0, 1), layer(Kind::Road, 0.008, 1.001, 2)]);
        let resolved = layers.resolve(Some(&plane(0.0)), REACH);
        assert_eq!(resolved, Resolved { surface: None, road: Some(0), edits: 0 });
    }

    #[test]
    fn without_a_receiver_in_reach_the_farthest_decal_is_a_surface_that_the_others_paint() {
        let layers = stack(&[layer(Kind::Road, 1.001, 1.0, 1), layer(Kind::Road, 1.0, 1.001, 2)]);
        for behind in [None, Some(&plane(0.0))] {
            let resolved = layers.resolve(behind, REACH);
            assert_eq!(resolved, Resolved { surface: Some(1), road: Some(0), edits: 0 });
        }
    }

    #[test]
    fn a_face_across_the_decal_is_not_its_receiver() {
        let kerb = Plane { p: DVec3::new(0.02, 0.004, 0.0), n: DVec3::NEG_X };
        let resolved = stack(&[layer(Kind::Road, 0.008, 1.0, 1)]).resolve(Some(&kerb), REACH);
        assert_eq!(resolved.surface, Some(0));
    }

    #[test]
    fn mesh_decals_edit_from_the_farthest_to_the_nearest_and_only_in_front_of_the_road_decal() {
        let layers = stack(&[
            layer(Kind::Mesh, 0.5, 0.5, 1),
            layer(Kind::Mesh, 0.012, 1.0, 2),
            layer(Kind::Mesh, 0.011, 1.001, 3),
            layer(Kind::Road, 0.008, 1.003, 4),
            layer(Kind::Mesh, 0.004, 1.007, 5),
        ]);
        let resolved = layers.resolve(Some(&plane(0.0)), REACH);
        let edits: Vec<u32> = layers.edits(&resolved, plane(0.008), REACH).map(|layer| layer.hit.instance).collect();
        assert_eq!((resolved.road, edits), (Some(3), vec![3, 2]));
    }

    #[test]
    fn heights_decide_where_distances_leave_it_open() {
        let wrong = |t, instance, height| Layer { slack: 0.02, ..layer(Kind::Road, height, t, instance) };
        // Distances that say the opposite of the heights, within their slack.
        let mut layers = stack(&[wrong(2000.0, 1, 0.007), wrong(2000.001, 2, 0.008), wrong(2000.002, 3, 0.009)]);
        layers.sort(&plane(0.0));
        assert_eq!(order(&layers), [3, 2, 1]);
        let mut far = stack(&[wrong(2000.0, 1, 0.007), wrong(2000.5, 2, 0.008)]);
        far.sort(&plane(0.0));
        assert_eq!(order(&far), [1, 2]);
    }

    #[test]
    fn of_coplanar_layers_the_later_one_is_in_front() {
        let mut layers = stack(&[layer(Kind::Mesh, 0.01, 1.0, 1), layer(Kind::Mesh, 0.01, 1.0, 2)]);
        layers.sort(&plane(0.0));
        assert_eq!(order(&layers), [2, 1]);
    }

    #[test]
    fn decals_below_their_receiver_are_hidden_and_those_on_it_are_not() {
        let behind = |height, instance| layer(Kind::Road, height, 1.000_005, instance);
        let mut layers = stack(&[behind(-0.001, 1), behind(0.0, 2), behind(0.005, 3)]);
        layers.drop_hidden(&plane(0.0), 1.0, 1e-5);
        assert_eq!(order(&layers), [2, 3]);
        // In front by far more than the slack: hidden by nothing.
        let mut front = stack(&[layer(Kind::Road, -0.001, 0.5, 1)]);
        front.drop_hidden(&plane(0.0), 1.0, 1e-5);
        assert_eq!(order(&front), [1]);
    }

    #[test]
    fn more_layers_than_fit_move_to_the_heap_and_stay_right() {
        let count = 3 * INLINE as u32;
        let all: Vec<Layer> =
            (0..count).map(|k| layer(Kind::Mesh, 0.001 * f64::from(k), 1.0 - 1e-3 * k as f32, k)).collect();
        let mut layers = stack(&all);
        layers.sort(&plane(0.0));
        assert_eq!(order(&layers), (0..count).rev().collect::<Vec<u32>>());
        layers.drop_hidden(&plane(0.0105), 0.99, 1.0);
        assert_eq!(order(&layers), (11..count).rev().collect::<Vec<u32>>());
        assert!(!layers.is_empty() && !layers.has_road());
    }
}
