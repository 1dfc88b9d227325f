//! What the two rock families share (documentation 000, "Shared pieces"): the up mask, the modulate and the tide.
//!
//! Each piece binds its own parameters, so that both families declare the same names and defaults.

use glam::{Vec2, Vec3, Vec4};

use super::math::{frac, lerp3, sat};
use super::overlay::{overlay, overlay3};
use super::view;
use crate::material::bind::Binder;
use crate::material::{Context, Point, Slot};

/// UpMask: how far a surface is covered by what lies on top. Angles are degrees; 90 stands for a dot product of 1.
#[derive(Clone, Debug)]
pub struct UpMask {
    /// `UpMaskOnOffOnOff`, default true: false masks nothing.
    pub on: bool,
    /// `UpMaskMinAngle`, default 20.
    pub min_angle: f32,
    /// `UpMaskMaxAngle`, default 60.
    pub max_angle: f32,
    /// `UpMaskSmoothMinAngle`, default 10.
    pub smooth_min_angle: f32,
    /// `UpMaskSmoothMaxAngle`, default 50.
    pub smooth_max_angle: f32,
}

impl UpMask {
    /// Reads the mask's parameters.
    pub fn bind(b: &mut Binder) -> Self {
        Self {
            on: b.boolean("UpMaskOnOffOnOff", true),
            min_angle: b.number("UpMaskMinAngle", 20.0),
            max_angle: b.number("UpMaskMaxAngle", 60.0),
            smooth_min_angle: b.number("UpMaskSmoothMinAngle", 10.0),
            smooth_max_angle: b.number("UpMaskSmoothMaxAngle", 50.0),
        }
    }

    /// The mask 0..1 for the layer normal so far, `n`. Equal angles make a hard step (0/0 = NaN → 0).
    #[inline]
    pub fn evaluate(&self, n: Vec3, point: &Point) -> f32 {
        if !self.on {
            return 0.0;
        }
        let green = point.color.y;
        let a = n.y * green;
        let b = sat(2.0 * green - 1.0) * point.normal.y;
        let smooth_range = (self.smooth_max_angle - self.smooth_min_angle) / 90.0;
        let sm = sat((b - self.smooth_min_angle / 90.0) / smooth_range);
        sat((a - self.min_angle / 90.0 + sm * (b - a)) / ((self.max_angle - self.min_angle) / 90.0))
    }
}

/// Modulate: an overlay of a map that is projected along the plane (A, B) through c0 and fades out with camera distance.
#[derive(Clone)]
pub struct Modulate {
    /// `TM_Max`, default 1: strength, times INSTANCE_VARIATION.x.
    pub tm_max: f32,
    /// `ViewDist_offset`, default 0.
    pub view_dist_offset: f32,
    /// `ModulateConstants_c0`, default (0, 0, 0): absolute, metres.
    pub c0: Vec3,
    /// `ModulateConstants_A`, default (1, 0, 0): not normalised.
    pub a: Vec3,
    /// `ModulateConstants_B`, default (0, 0, 1): not normalised.
    pub b: Vec3,
    /// `ModulateConstants_sA`, default 0.01, 1/m.
    pub s_a: f32,
    /// `ModulateConstants_sB`, default 0.01, 1/m.
    pub s_b: f32,
    /// `ModulateTexture`.
    pub texture: Slot,
}

impl Modulate {
    /// Reads the modulate's parameters and its texture.
    pub fn bind(b: &mut Binder) -> Self {
        Self {
            tm_max: b.number("TM_Max", 1.0),
            view_dist_offset: b.number("ViewDist_offset", 0.0),
            c0: b.vec3("ModulateConstants_c0", [0.0, 0.0, 0.0]),
            a: b.vec3("ModulateConstants_A", [1.0, 0.0, 0.0]),
            b: b.vec3("ModulateConstants_B", [0.0, 0.0, 1.0]),
            s_a: b.number("ModulateConstants_sA", 0.01),
            s_b: b.number("ModulateConstants_sB", 0.01),
            texture: b.texture("ModulateTexture", [0.5, 0.5, 0.5, 0.5]),
        }
    }

    /// The map's value at a point with the strength and the fade that go with it.
    #[inline]
    pub fn sample(&self, point: &Point, context: &Context) -> Modulation {
        let p = point.position - self.c0;
        let uv_m = Vec2::new(p.dot(self.a) * self.s_a + 0.5, p.dot(self.b) * self.s_b + 0.5);
        let m = self.texture.sample(uv_m, point, context);
        Modulation {
            t: 0.5 + self.tm_max * point.instance_variation.x * (m - 0.5),
            // WORLDPOS is camera relative, so that its length is d.
            fade: sat(0.01 * view::distance(point, context) + self.view_dist_offset),
        }
    }
}

/// One sample of [`Modulate`]: the overlay operand t (grey ½ changes nothing) and the fade 0..1 (1 = no effect).
#[derive(Clone, Copy, Debug)]
pub struct Modulation {
    t: Vec4,
    fade: f32,
}

impl Modulation {
    /// c′ = o + (c − o)·fade, o = overlay(c, t.rgb).
    #[inline]
    pub fn color(&self, c: Vec3) -> Vec3 {
        let o = overlay3(c, self.t.truncate());
        lerp3(o, c, self.fade)
    }

    /// The same with t.a, for roughness.
    #[inline]
    pub fn roughness(&self, r: f32) -> f32 {
        let o = overlay(r, self.t.w);
        o + (r - o) * self.fade
    }
}

/// Tide: the darkened, discoloured band below a water line whose height comes from INSTANCE_VARIATION.y.
#[derive(Clone, Debug)]
pub struct Tide {
    /// `TideMarkAOEffect`, default 1: metres that AO′ raises the point.
    pub ao_effect: f32,
    /// `Blend`, default 1, metres; 0 is a hard edge.
    pub blend: f32,
    /// `SaturationAmount`, default 0.
    pub saturation_amount: f32,
    /// `DarkenOffset`, default 0, metres.
    pub darken_offset: f32,
    /// `DarkenAmount`, default 1: the darkest factor; 1 = no darkening.
    pub darken_amount: f32,
}

impl Tide {
    /// Reads the tide's parameters.
    pub fn bind(b: &mut Binder) -> Self {
        Self {
            ao_effect: b.number("TideMarkAOEffect", 1.0),
            blend: b.number("Blend", 1.0),
            saturation_amount: b.number("SaturationAmount", 0.0),
            darken_offset: b.number("DarkenOffset", 0.0),
            darken_amount: b.number("DarkenAmount", 1.0),
        }
    }

    /// tide(c, AO′).
    #[inline]
    pub fn apply(&self, c: Vec3, ao: f32, point: &Point) -> Vec3 {
        // WORLDPOS.y + cb2[8].y is the absolute height.
        let e = point.position.y + self.ao_effect * ao;
        let h = frac(point.instance_variation.y) * 1000.0 + 1.15;
        let satf = 1.0 + (1.0 - sat((e - h) / self.blend)) * self.saturation_amount;
        let dark = sat((e + self.darken_offset - h) / self.blend).max(self.darken_amount);
        let k = 0.33 * (c.x + c.y + c.z) * Vec3::new(0.27, 0.6, 0.75);
        (satf * (c - k) + k) * dark
    }
}

/// The height-aware weight of the array family's up layer: sat((up − (½ − k)) / 2k); k = 0 is a hard step at ½.
#[inline]
pub fn height_step(up: f32, k: f32) -> f32 {
    sat((up - (0.5 - k)) / (2.0 * k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::world::World;

    fn mask() -> UpMask {
        UpMask { on: true, min_angle: 20.0, max_angle: 60.0, smooth_min_angle: 10.0, smooth_max_angle: 50.0 }
    }

    fn green(value: f32) -> Point {
        Point { color: Vec4::new(1.0, value, 1.0, 1.0), ..Point::default() }
    }

    #[test]
    fn a_level_surface_is_covered_and_a_wall_is_not() {
        assert_eq!(mask().evaluate(Vec3::Y, &green(1.0)), 1.0);
        let wall = Point { normal: Vec3::X, ..green(1.0) };
        assert_eq!(mask().evaluate(Vec3::X, &wall), 0.0);
        assert_eq!(mask().evaluate(Vec3::Y, &green(0.0)), 0.0);
        assert_eq!(UpMask { on: false, ..mask() }.evaluate(Vec3::Y, &green(1.0)), 0.0);
    }

    #[test]
    fn equal_angles_make_a_hard_step() {
        let hard = UpMask { min_angle: 45.0, max_angle: 45.0, ..mask() };
        let at = |y: f32| hard.evaluate(Vec3::new(0.0, y, 0.0), &green(0.5));
        assert_eq!([at(0.9), at(1.0), at(1.1)], [0.0, 0.0, 1.0]);
    }

    fn modulation(m: Vec4, iv_x: f32, camera_distance: f32) -> Modulation {
        let modulate = Modulate {
            tm_max: 1.0,
            view_dist_offset: 0.0,
            c0: Vec3::ZERO,
            a: Vec3::X,
            b: Vec3::Z,
            s_a: 0.01,
            s_b: 0.01,
            texture: Slot::constant("ModulateTexture", m),
        };
        let world = World { camera: Vec3::new(0.0, 0.0, camera_distance), ..World::default() };
        let point = Point { instance_variation: Vec3::new(iv_x, 0.0, 0.0), ..Point::default() };
        modulate.sample(&point, &Context::new(&world))
    }

    #[test]
    fn grey_a_zero_variation_and_a_far_camera_leave_the_colour() {
        let c = Vec3::new(0.2, 0.5, 0.9);
        for m in [
            modulation(Vec4::splat(0.5), 1.0, 0.0),
            modulation(Vec4::splat(0.9), 0.0, 0.0),
            modulation(Vec4::splat(0.9), 1.0, 100.0),
        ] {
            assert!(m.color(c).abs_diff_eq(c, 1e-7));
            assert!((m.roughness(0.3) - 0.3).abs() < 1e-7);
        }
        assert!(!modulation(Vec4::splat(0.9), 1.0, 0.0).color(c).abs_diff_eq(c, 0.05));
    }

    #[test]
    fn above_the_water_line_and_with_neutral_amounts_the_tide_is_the_identity() {
        let tide = Tide { ao_effect: 1.0, blend: 1.0, saturation_amount: 0.0, darken_offset: 0.0, darken_amount: 1.0 };
        let c = Vec3::new(0.2, 0.5, 0.9);
        let low = Point { position: Vec3::new(0.0, -3.0, 0.0), ..Point::default() };
        assert!(tide.apply(c, 1.0, &low).abs_diff_eq(c, 1e-7));
        let wet = Tide { saturation_amount: 0.5, darken_amount: 0.25, ..tide };
        let high = Point { position: Vec3::new(0.0, 9.0, 0.0), ..Point::default() };
        assert!(wet.apply(c, 1.0, &high).abs_diff_eq(c, 1e-7));
        assert!(wet.apply(c, 1.0, &low).max_element() < 0.5);
    }

    #[test]
    fn the_placement_byte_raises_the_water_line_and_a_full_byte_wraps_to_zero() {
        let tide = Tide { ao_effect: 0.0, blend: 0.0, saturation_amount: 0.0, darken_offset: 0.0, darken_amount: 0.5 };
        let at = |y: f32, iv: f32| {
            let point = Point {
                position: Vec3::new(0.0, y, 0.0),
                instance_variation: Vec3::new(0.0, iv, 0.0),
                ..Point::default()
            };
            tide.apply(Vec3::ONE, 1.0, &point).x
        };
        assert_eq!(
            [at(1.0, 0.0), at(1.3, 0.0), at(1.3, 0.25), at(251.3, 0.25), at(1.3, 1.0)],
            [0.5, 1.0, 0.5, 1.0, 1.0]
        );
    }

    #[test]
    fn a_zero_height_strength_is_a_hard_step_at_one_half() {
        assert_eq!([0.4, 0.5, 0.6].map(|up| height_step(up, 0.0)), [0.0, 0.0, 1.0]);
    }
}
