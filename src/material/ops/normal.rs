//! Tangent frames and normal maps (documentation 001 "standard decode", 004 "Normal frame").

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::math::sat;
use crate::material::Point;

/// The tangent-space normal of a two-channel map: x = 2r − 1, y = 2g − 1, z = √sat(1 − x² − y²). z is never negative and
/// the result is shorter than 1 nowhere, but longer where x² + y² > 1.
#[inline]
pub fn decode(sample: Vec4) -> Vec3 {
    decode_signed(2.0 * sample.x - 1.0, 2.0 * sample.y - 1.0)
}

/// [`decode`] of x and y that are signed already.
#[inline]
pub fn decode_signed(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, sat(1.0 - x * x - y * y).sqrt())
}

/// A tangent frame as the pixel programs build it: T and N as given, B = cross(N, T)·w, nothing made orthogonal or unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub t: Vec3,
    pub b: Vec3,
    pub n: Vec3,
}

impl Frame {
    /// The frame of a normal and a tangent with its bitangent sign in w. Game frame.
    #[inline]
    pub fn new(n: Vec3, tangent: Vec4) -> Self {
        let t = tangent.xyz();
        Self { t, b: n.cross(t) * tangent.w, n }
    }

    /// T0, B0, N: the frame of TEXCOORD0.
    #[inline]
    pub fn uv0(point: &Point) -> Self {
        Self::new(point.normal, point.tangent)
    }

    /// T1, B1, N: the frame of TEXCOORD1.
    #[inline]
    pub fn uv1(point: &Point) -> Self {
        Self::new(point.normal, point.tangent1)
    }

    /// The frame of a world-planar (X, Z) layer: T = (1, 0, 0), B = cross(N, X), without a sign.
    #[inline]
    pub fn world_layer(n: Vec3) -> Self {
        Self { t: Vec3::X, b: n.cross(Vec3::X), n }
    }

    /// The same frame with a unit B: the documentation's Bn.
    #[inline]
    pub fn with_unit_b(self) -> Self {
        Self { b: self.b.normalize(), ..self }
    }

    /// `T·x + B·y + N·z`, not normalised. MAD normal maps go to the world like this.
    #[inline]
    pub fn combine(&self, v: Vec3) -> Vec3 {
        self.t * v.x + self.b * v.y + self.n * v.z
    }

    /// `normalize(T·x − B·y + N·z)`: normal maps of the Forza families, whose green points down.
    #[inline]
    pub fn to_world_green_down(&self, v: Vec3) -> Vec3 {
        self.combine(Vec3::new(v.x, -v.y, v.z)).normalize()
    }

    /// `normalize(T·x + B·y + N·z)`: normal maps of the MAD families.
    #[inline]
    pub fn to_world(&self, v: Vec3) -> Vec3 {
        self.combine(v).normalize()
    }

    /// The components of a world vector along T, B and N: (v·T, v·B, v·N), not normalised.
    #[inline]
    pub fn project(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.t), v.dot(self.b), v.dot(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Vec4 = Vec4::new(0.5, 0.5, 1.0, 1.0);

    fn frame(w: f32) -> Frame {
        Frame::new(Vec3::Y, Vec4::new(1.0, 0.0, 0.0, w))
    }

    #[test]
    fn a_flat_map_is_the_vertex_normal_in_every_frame() {
        for frame in [frame(1.0), frame(-1.0), Frame::world_layer(Vec3::Y)] {
            assert_eq!(frame.to_world(decode(FLAT)), Vec3::Y);
            assert_eq!(frame.to_world_green_down(decode(FLAT)), Vec3::Y);
        }
    }

    #[test]
    fn green_turns_the_other_way_in_the_two_engines_and_with_the_tangent_sign() {
        let green = decode(Vec4::new(0.5, 1.0, 1.0, 1.0));
        // cross(Y, X) = −Z.
        assert_eq!(frame(1.0).to_world(green), Vec3::NEG_Z);
        assert_eq!(frame(1.0).to_world_green_down(green), Vec3::Z);
        assert_eq!(frame(-1.0).to_world_green_down(green), Vec3::NEG_Z);
    }

    #[test]
    fn z_is_zero_where_x_and_y_leave_the_unit_disc() {
        assert_eq!(decode(Vec4::ONE), Vec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn vectors_are_used_as_given() {
        let skewed = Frame::new(Vec3::Y * 2.0, Vec4::new(3.0, 1.0, 0.0, -1.0));
        assert_eq!(skewed.b, Vec3::new(0.0, 0.0, 6.0));
        assert_eq!(skewed.with_unit_b().b, Vec3::Z);
        assert_eq!(skewed.combine(Vec3::ONE), Vec3::new(3.0, 3.0, 6.0));
    }

    #[test]
    fn project_is_the_inverse_of_combine_in_an_orthonormal_frame() {
        let v = Vec3::new(0.2, -0.4, 0.7);
        assert_eq!(frame(-1.0).project(frame(-1.0).combine(v)), v);
    }
}
