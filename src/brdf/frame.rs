//! The frame in which a BRDF is evaluated, and the two normals that it rests on.

use glam::Vec3;

/// The smallest n·v that a shading normal may have: below it, the normal is rotated toward the viewer.
pub const MIN_COS_VIEW: f32 = 1e-3;

/// A right-handed orthonormal frame (t, b, n). Local directions have n as their z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub t: Vec3,
    pub b: Vec3,
    pub n: Vec3,
}

impl Frame {
    /// A frame around the unit vector `n`: Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1),
    /// 2017. Orthonormal to a few ulp for every `n`; the material has no direction of its own in the tangent plane.
    pub fn new(n: Vec3) -> Self {
        let sign = 1f32.copysign(n.z);
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        Self {
            t: Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
            b: Vec3::new(b, sign + n.y * n.y * a, -n.y),
            n,
        }
    }

    /// Scene → local.
    pub fn to_local(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.t.dot(v), self.b.dot(v), self.n.dot(v))
    }

    /// Local → scene.
    pub fn to_scene(&self, v: Vec3) -> Vec3 {
        self.t * v.x + self.b * v.y + self.n * v.z
    }
}

/// Shading normal `n` and geometric normal `ng` as transport uses them: unit, on the viewer's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normals {
    pub n: Vec3,
    pub ng: Vec3,
}

impl Normals {
    /// `n_raw` is the family's normal in the scene frame (any length); `ng` the unit geometric normal of either side;
    /// `wo` the unit direction to the viewer.
    ///
    /// - `ng` is turned toward the viewer, and `n` with it, to the same side. Asking on which side of `ng` it lies,
    ///   instead of flipping both, gives the same for ordinary surfaces and is also right for families that turn the
    ///   normal of a back face themselves and for meshes whose winding contradicts their normals.
    /// - Where `n_raw` is zero or not finite, `n` is `ng`.
    /// - Where n·v < [`MIN_COS_VIEW`], `n` is rotated toward the viewer until it has that cosine, so that a strong
    ///   normal map seen edge-on does not go black.
    pub fn toward_viewer(n_raw: Vec3, ng: Vec3, wo: Vec3) -> Self {
        let ng = unit(ng).unwrap_or(wo);
        let ng = if ng.dot(wo) < 0.0 { -ng } else { ng };
        let n = unit(n_raw).unwrap_or(ng);
        let n = if n.dot(ng) < 0.0 { -n } else { n };
        Self { n: rotated_into_view(n, ng, wo), ng }
    }
}

/// `v` scaled to unit length; none where it is zero or not finite. Where its square may leave f32 (normals like 1e-30 or
/// 1e30), it is scaled by its largest component first.
fn unit(v: Vec3) -> Option<Vec3> {
    let length2 = v.length_squared();
    if (1e-20..1e20).contains(&length2) {
        return Some(v / length2.sqrt());
    }
    unusual_unit(v)
}

#[cold]
fn unusual_unit(v: Vec3) -> Option<Vec3> {
    let largest = v.abs().max_element();
    (v.is_finite() && largest > 0.0).then(|| {
        // In two steps, because the reciprocal of a subnormal overflows.
        let scaled = v / largest;
        scaled / scaled.length()
    })
}

fn rotated_into_view(n: Vec3, ng: Vec3, wo: Vec3) -> Vec3 {
    let cos = n.dot(wo);
    if cos >= MIN_COS_VIEW {
        return n;
    }
    // The part of n across the view. Where n points straight away from the viewer, it has none; then ng, which is on
    // the viewer's side and on n's side, is nearly across the view.
    let across = |x: Vec3| (x - x.dot(wo) * wo).try_normalize();
    let tangent = if cos > -0.999_999 { across(n) } else { across(ng) };
    let tangent = tangent.unwrap_or_else(|| Frame::new(wo).t);
    // Once more: a unit vector made from a small remainder carries the remainder's rounding, enlarged.
    let tangent = across(tangent).unwrap_or(tangent);
    (tangent * (1.0 - MIN_COS_VIEW * MIN_COS_VIEW).sqrt() + wo * MIN_COS_VIEW).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction(theta: f32, phi: f32) -> Vec3 {
        Vec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos())
    }

    #[test]
    fn frames_are_orthonormal_and_right_handed() {
        for i in 0..64 {
            for j in 0..32 {
                let frame = Frame::new(direction(j as f32 * 0.1013, i as f32 * 0.0982).normalize());
                assert!(frame.t.cross(frame.b).distance(frame.n) < 1e-6);
                let v = Vec3::new(0.3, -0.5, 0.7);
                assert!(frame.to_local(frame.to_scene(v)).distance(v) < 1e-6);
            }
        }
        for n in [Vec3::Z, -Vec3::Z, Vec3::new(0.0, 1e-20, -1.0)] {
            assert!(Frame::new(n).t.is_finite() && (Frame::new(n).b.length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn both_normals_face_the_viewer_whichever_side_they_come_from() {
        let wo = direction(0.8, 0.3);
        let n = direction(0.2, 2.0);
        let expected = Normals::toward_viewer(n, Vec3::Z, wo);
        assert_eq!(expected, Normals { n: expected.n, ng: Vec3::Z });
        assert!(expected.n.distance(n) < 1e-6);
        for (n, ng) in [(n, -Vec3::Z), (-n, Vec3::Z), (-3.0 * n, -Vec3::Z), (n * 1e-30, Vec3::Z), (n * 1e30, Vec3::Z)] {
            let normals = Normals::toward_viewer(n, ng, wo);
            assert!(normals.n.distance(expected.n) < 1e-6 && normals.ng == Vec3::Z, "{n} {ng}: {normals:?}");
        }
    }

    #[test]
    fn unusable_normals_give_the_geometric_one() {
        for n in [Vec3::ZERO, Vec3::NAN, Vec3::new(f32::INFINITY, 0.0, 0.0)] {
            assert_eq!(Normals::toward_viewer(n, -Vec3::Z, direction(0.5, 0.0)).n, Vec3::Z);
        }
    }

    #[test]
    fn normals_seen_from_behind_are_rotated_to_the_least_cosine_in_their_own_plane() {
        let wo = direction(1.4, 0.0);
        for theta in [0.5f32, 1.0, 1.5] {
            let raw = direction(theta, 3.0);
            let n = Normals::toward_viewer(raw, Vec3::Z, wo).n;
            if raw.dot(wo) >= MIN_COS_VIEW {
                assert!(n.distance(raw) < 1e-6);
                continue;
            }
            assert!((n.dot(wo) - MIN_COS_VIEW).abs() < 3e-7, "{}", n.dot(wo));
            assert!(n.dot(wo.cross(raw).normalize()).abs() < 1e-6);
            assert!(n.dot(raw) > raw.dot(wo));
        }
    }

    #[test]
    fn a_normal_straight_away_from_the_viewer_still_gives_the_least_cosine() {
        let wo = Vec3::X;
        for raw in [-wo, Vec3::new(-1.0, 1e-7, 0.0), Vec3::new(-1.0, 0.0, 1e-4)] {
            let n = Normals::toward_viewer(raw, Vec3::Z, wo).n;
            assert!((n.dot(wo) - MIN_COS_VIEW).abs() < 3e-7 && (n.length() - 1.0).abs() < 1e-6, "{raw}: {n}");
        }
    }
}
