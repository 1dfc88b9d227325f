//! Where a family is evaluated: explicit inputs in the game frame, as PROBE.md lists them.

use std::cell::RefCell;

use glam::{Mat3, Vec2, Vec3, Vec4};

use crate::scene::world::World;

/// The inputs of a pixel program at one point. Game frame: left-handed, Y up, metres. Field meanings: PROBE.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Absolute world position P.
    pub position: Vec3,
    /// Interpolated vertex normal N, unit.
    pub normal: Vec3,
    /// Tangent of TEXCOORD0's frame: xyz unit, w = ±1 the bitangent sign.
    pub tangent: Vec4,
    /// Tangent of TEXCOORD1's frame.
    pub tangent1: Vec4,
    /// TEXCOORD0…4, D3D v down.
    pub uv: [Vec2; 5],
    /// Vertex COLOR0.
    pub color: Vec4,
    /// INSTANCE_VARIATION x, y, z: placement bytes / 255.
    pub instance_variation: Vec3,
    /// The instance's origin, absolute.
    pub instance_position: Vec3,
    /// The instance's axes in the world, columns of the draw's 3×3: impostors look along them. Identity in the probe.
    pub instance_axes: Mat3,
    /// Lengths of the draw's 3×3 columns.
    pub scale: Vec3,
    pub front_facing: bool,
    /// Integer pixel coordinates, for screen dithers.
    pub pixel: [i32; 2],
    /// Screen-space derivative of uv0.x, for the road decals' far fade; 0 = no fade.
    pub uv0_footprint: f32,
    /// Width of a ray footprint in uv0 units (0 = level 0): only `mip = "footprint"` slots read it.
    pub mip_footprint: f32,
    /// Projected decals: the box record.
    pub box_position: Vec3,
    pub box_row_a: Vec3,
    pub box_row_b: Vec3,
    pub box_scale: Vec3,
    /// Projected decals: P and geometric normal (toward the camera) of the surface already drawn.
    pub receiver_position: Vec3,
    pub receiver_normal: Vec3,
}

impl Default for Point {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            normal: Vec3::Y,
            tangent: Vec4::new(1.0, 0.0, 0.0, 1.0),
            tangent1: Vec4::new(1.0, 0.0, 0.0, 1.0),
            uv: [Vec2::ZERO; 5],
            color: Vec4::ONE,
            instance_variation: Vec3::ZERO,
            instance_position: Vec3::ZERO,
            instance_axes: Mat3::IDENTITY,
            scale: Vec3::ONE,
            front_facing: true,
            pixel: [0, 0],
            uv0_footprint: 0.0,
            mip_footprint: 0.0,
            box_position: Vec3::ZERO,
            box_row_a: Vec3::X,
            box_row_b: Vec3::Y,
            box_scale: Vec3::ONE,
            receiver_position: Vec3::ZERO,
            receiver_normal: Vec3::Y,
        }
    }
}

impl Point {
    /// The instance's rotation (object to world, orthonormal unless it shears): its axes without their lengths.
    pub fn instance_rotation(&self) -> Mat3 {
        let unit = |axis: Vec3| axis.normalize_or(axis);
        let Mat3 { x_axis, y_axis, z_axis } = self.instance_axes;
        Mat3::from_cols(unit(x_axis), unit(y_axis), unit(z_axis))
    }

    /// The largest of the draw's column lengths: the documentation's S.
    pub fn s(&self) -> f32 {
        self.scale.max_element()
    }
}

/// What surrounds an evaluation: the run-time globals, and the probe's recorder where there is one.
pub struct Context<'a> {
    pub world: &'a World,
    /// Set by the probe only: every texture sample is written down in the order in which the family takes it.
    pub recorder: Option<&'a RefCell<Vec<TextureSample>>>,
}

impl<'a> Context<'a> {
    /// The renderer's context: nothing is recorded.
    pub fn new(world: &'a World) -> Self {
        Self { world, recorder: None }
    }
}

/// One texture sample as the probe reports it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureSample {
    pub name: &'static str,
    /// The coordinate before wrap and clamp; `None` where it is not reported.
    pub uv: Option<Vec2>,
    pub value: Vec4,
}
