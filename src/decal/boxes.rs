//! Projected decals: which unit boxes hold a point, by a tree over their bounds.
//!
//! A box is a game record (seed page 002, PackedTrackInstance): its family tests |L| ≤ ½, the facing and the alpha itself
//! (`material::forza::environmentdeferreddecal`), so the tree only has to leave out what is surely elsewhere.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::flat_bvh::FlatBvh;
use glam::{DVec3, Vec3};

use crate::geometry::surface::to_game;
use crate::material::Point;
use crate::scene::placements::GameRecord;

/// One placed box.
#[derive(Clone, Debug)]
pub struct DecalBox {
    /// Index into the scene's materials.
    pub material: u32,
    /// The box's centre, scene frame, relative to the scene's centre.
    pub centre: DVec3,
    /// Directions of the local X and Y axes, game frame.
    pub row_a: Vec3,
    pub row_b: Vec3,
    /// Edge lengths along A, B and cross(A, B), metres.
    pub scale: Vec3,
    /// Bounds, scene frame, relative to the scene's centre: a little larger than the box.
    low: Vec3,
    high: Vec3,
}

impl DecalBox {
    /// The box of a record, relative to the scene's `centre`; `None` where it has no volume and can hold nothing.
    pub fn new(record: &GameRecord, material: u32, centre: DVec3) -> Option<Self> {
        let placed = record.placed().transform;
        let volume = placed.matrix3.determinant().abs();
        if !(volume > 0.0 && volume.is_finite()) {
            return None;
        }
        let position = placed.translation - centre;
        let axes = placed.matrix3;
        let reach = (axes.x_axis.abs() + axes.y_axis.abs() + axes.z_axis.abs()) * 0.5;
        // Covers the rounding of a point that is given in float32.
        let margin = (position.abs() + reach) * 1e-6 + 1e-6;
        Some(Self {
            material,
            centre: position,
            row_a: record.row_a,
            row_b: record.row_b,
            scale: record.scale,
            low: (position - reach - margin).as_vec3(),
            high: (position + reach + margin).as_vec3(),
        })
    }

    /// What the box's family is asked at the surface point `p` (relative to the scene's centre) with the geometric normal `ng`
    /// toward the viewer, both in the scene frame.
    ///
    /// The receiver is given relative to the box, which then stands at the origin: the family takes only their difference, and
    /// this way it is exact kilometres away from the world's origin.
    pub fn point(&self, p: Vec3, ng: Vec3, pixel: [i32; 2]) -> Point {
        let position = to_game((p.as_dvec3() - self.centre).as_vec3());
        let normal = to_game(ng);
        Point {
            position,
            normal,
            pixel,
            box_position: Vec3::ZERO,
            box_row_a: self.row_a,
            box_row_b: self.row_b,
            box_scale: self.scale,
            receiver_position: position,
            receiver_normal: normal,
            ..Point::default()
        }
    }

    /// [`DecalBox::point`] with receiver and box where they are in the world, rounded to float32: `p` and `centre` as there.
    pub fn absolute(&self, point: &Point, p: Vec3, centre: DVec3) -> Point {
        let at = |relative: DVec3| to_game((centre + relative).as_vec3());
        let position = at(p.as_dvec3());
        Point { position, receiver_position: position, box_position: at(self.centre), ..*point }
    }

    fn may_hold(&self, p: Vec3) -> bool {
        p.cmpge(self.low).all() && p.cmple(self.high).all()
    }
}

/// All boxes of a scene, in scene order, and a tree over their bounds.
#[derive(Default)]
pub struct Boxes {
    boxes: Vec<DecalBox>,
    tree: FlatBvh<f32, 3>,
}

/// How many boxes one walk of the tree can put in order. A point in more of them is walked to again: there is no limit.
const AT_ONCE: usize = 8;

impl Boxes {
    /// Builds the tree. The order of `boxes` is the order in which they paint.
    pub fn new(boxes: Vec<DecalBox>) -> Self {
        let mut bounds: Vec<Bounds> = boxes.iter().map(Bounds::new).collect();
        let tree = if bounds.is_empty() { FlatBvh::new() } else { Bvh::build(&mut bounds).flatten() };
        Self { boxes, tree }
    }

    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Calls `paint` with each box whose bounds hold `p` (scene frame, relative to the scene's centre), in scene order.
    /// Allocates nothing.
    pub fn at(&self, p: Vec3, mut paint: impl FnMut(&DecalBox)) {
        let mut from = 0;
        loop {
            let mut found = Found { indices: [0; AT_ONCE], count: 0 };
            self.walk(p, |index| {
                if index >= from {
                    found.insert(index);
                }
            });
            for index in &found.indices[..found.count] {
                paint(&self.boxes[*index]);
            }
            if found.count < AT_ONCE {
                return;
            }
            from = found.indices[AT_ONCE - 1] + 1;
        }
    }

    /// The tree is laid out depth first: a node that cannot hold `p` names where to go on, so that no stack is needed.
    fn walk(&self, p: Vec3, mut found: impl FnMut(usize)) {
        let mut next = 0;
        while let Some(node) = self.tree.get(next) {
            if node.is_leaf() {
                let index = node.shape_index as usize;
                if self.boxes[index].may_hold(p) {
                    found(index);
                }
                next = node.exit_index as usize;
            } else {
                let (low, high) = (&node.aabb.min, &node.aabb.max);
                let inside = (0..3).all(|axis| low[axis] <= p[axis] && p[axis] <= high[axis]);
                next = if inside { node.entry_index } else { node.exit_index } as usize;
            }
        }
    }
}

/// The lowest indices of a walk, ascending.
struct Found {
    indices: [usize; AT_ONCE],
    count: usize,
}

impl Found {
    fn insert(&mut self, index: usize) {
        let at = self.indices[..self.count].partition_point(|other| *other < index);
        if at == AT_ONCE {
            return;
        }
        let end = (self.count + 1).min(AT_ONCE);
        self.indices.copy_within(at..end - 1, at + 1);
        self.indices[at] = index;
        self.count = end;
    }
}

/// A box's bounds as the tree's builder wants them.
struct Bounds {
    bounds: Aabb<f32, 3>,
    node: usize,
}

impl Bounds {
    fn new(one: &DecalBox) -> Self {
        Self { bounds: Aabb::with_bounds(one.low.to_array().into(), one.high.to_array().into()), node: 0 }
    }
}

impl Bounded<f32, 3> for Bounds {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Bounds {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;

    fn record(position: DVec3, scale: f32) -> GameRecord {
        let axis = vec3(0.6, 0.0, 0.8);
        GameRecord { position, row_a: axis, row_b: Vec3::Y, scale: Vec3::splat(scale), variation: [0; 3] }
    }

    fn field(count: usize) -> Boxes {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24) * 40.0 - 20.0
        };
        let boxes = (0..count).map(|k| {
            let position = DVec3::new(random(), random() * 0.1, random());
            DecalBox::new(&record(position, 0.5 + (k % 7) as f32), k as u32, DVec3::ZERO).unwrap()
        });
        Boxes::new(boxes.collect())
    }

    #[test]
    fn the_tree_finds_what_a_scan_finds_in_scene_order() {
        let boxes = field(1000);
        let mut most = 0;
        for k in 0..200 {
            let p = vec3((k % 20) as f32 * 2.0 - 19.0, 0.3, (k / 20) as f32 * 4.0 - 18.0);
            let mut found = Vec::new();
            boxes.at(p, |one| found.push(one.material));
            let scanned: Vec<u32> = boxes.boxes.iter().filter(|one| one.may_hold(p)).map(|one| one.material).collect();
            assert_eq!(found, scanned);
            most = most.max(found.len());
        }
        assert!(most > 2 * AT_ONCE, "the test must reach beyond one walk: {most}");
    }

    #[test]
    fn equal_boxes_all_paint() {
        let one = DecalBox::new(&record(DVec3::ZERO, 1.0), 0, DVec3::ZERO).unwrap();
        let boxes = Boxes::new((0..40).map(|k| DecalBox { material: k, ..one.clone() }).collect());
        let mut found = Vec::new();
        boxes.at(Vec3::ZERO, |one| found.push(one.material));
        assert_eq!(found, (0..40).collect::<Vec<u32>>());
    }

    #[test]
    fn no_boxes_and_flat_boxes_hold_nothing() {
        Boxes::default().at(Vec3::ZERO, |_| panic!("there is no box"));
        assert!(DecalBox::new(&record(DVec3::ZERO, 0.0), 0, DVec3::ZERO).is_none());
        let flat = GameRecord { row_b: Vec3::ZERO, ..record(DVec3::ZERO, 1.0) };
        assert!(DecalBox::new(&flat, 0, DVec3::ZERO).is_none());
    }

    #[test]
    fn a_receiver_is_told_relative_to_its_box_in_the_game_frame() {
        let far = DVec3::new(993.0, 4.0, -5868.0);
        let one = DecalBox::new(&record(far, 2.0), 0, DVec3::new(900.0, 0.0, 5800.0)).unwrap();
        // The scene frame has Z negated: the box stands at (93, 4, 68) from the centre.
        assert_eq!(one.centre, DVec3::new(93.0, 4.0, 68.0));
        let point = one.point(vec3(93.25, 4.0, 68.5), Vec3::Z, [3, 4]);
        assert_eq!(point.receiver_position, vec3(0.25, 0.0, -0.5));
        assert_eq!(point.receiver_normal, Vec3::NEG_Z);
        assert!(one.may_hold(vec3(93.25, 4.0, 68.5)));
    }
}
