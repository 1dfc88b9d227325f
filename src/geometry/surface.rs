//! Hit → [`Surface`] → [`Point`]: what stands at a ray's end, and the one place where the frames are converted.

use std::ops::{Add, Mul};

use glam::{Affine3A, DVec3, Mat3, Mat3A, Vec2, Vec3, Vec3A, Vec4};

use super::mesh::{Instance, Mesh};
use super::offset;
use super::{Hit, Ray};
use crate::material::Point;

/// The geometry at a hit, scene frame, positions relative to the scene's centre.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    pub p: Vec3,
    /// Bound of the error of each component of `p`, metres: secondary rays start beyond it.
    pub error: Vec3,
    /// Geometric normal by winding (the side that `front` means), unit.
    pub ng: Vec3,
    /// Interpolated vertex normal, unit.
    pub n: Vec3,
    /// xyz unit; w = ±1 with the sign of the instance's determinant in it.
    pub tangent: Vec4,
    pub tangent1: Vec4,
    pub uv: [Vec2; 5],
    pub color: Vec4,
    /// The ray met the side that `ng` points to.
    pub front: bool,
    pub instance: u32,
    pub primitive: u32,
    pub material: u32,
}

impl Surface {
    /// Nothing met yet.
    pub const BLANK: Self = Self {
        p: Vec3::ZERO,
        error: Vec3::ZERO,
        ng: Vec3::ZERO,
        n: Vec3::ZERO,
        tangent: Vec4::ZERO,
        tangent1: Vec4::ZERO,
        uv: [Vec2::ZERO; 5],
        color: Vec4::ZERO,
        front: true,
        instance: 0,
        primitive: 0,
        material: 0,
    };

    /// The surface that `ray` met at `hit`.
    // Inlined, as `on_triangle`, so that its 200 bytes are written where they stay.
    #[inline(always)]
    pub fn at(meshes: &[Mesh], instances: &[Instance], ray: &Ray, hit: &Hit) -> Self {
        let mut surface = Self::on_triangle(meshes, instances, hit);
        surface.front = surface.ng.dot(ray.direction) <= 0.0;
        surface
    }

    /// The point `hit.u`, `hit.v` of a triangle, seen from its front.
    #[inline(always)]
    pub fn on_triangle(meshes: &[Mesh], instances: &[Instance], hit: &Hit) -> Self {
        let instance = &instances[hit.instance as usize];
        let mesh = &meshes[instance.mesh as usize];
        let frame = Interpolation::new(mesh, hit);
        let place = Placed::new(&instance.transform);
        let Spot { p, error, ng } = Spot::new(mesh, &instance.transform, &frame, &place);
        let n = frame.vec3(&mesh.normals).map_or(ng, |n| place.normal(n).normalize_or(ng));
        let tangent = frame.vec4(&mesh.tangents).map_or_else(|| any_tangent(n), |t| place.tangent(t, n));
        let extras = match mesh.has_extras() {
            true => Extras::blend(mesh, &frame, |t| place.tangent(t, n)),
            false => Extras::ABSENT,
        };
        Self {
            p: p.into(),
            error: error.into(),
            ng: ng.into(),
            n: n.into(),
            tangent,
            tangent1: extras.tangent1.unwrap_or(tangent),
            uv: [
                frame.vec2(&mesh.uvs[0]).unwrap_or(Vec2::ZERO),
                extras.uv[0],
                extras.uv[1],
                extras.uv[2],
                extras.uv[3],
            ],
            color: extras.color,
            front: true,
            instance: hit.instance,
            primitive: hit.primitive,
            material: instance.material,
        }
    }

    /// The geometric normal turned toward where the ray came from.
    pub fn ng_facing(&self) -> Vec3 {
        if self.front { self.ng } else { -self.ng }
    }

    /// The inputs of a family at this surface: game frame, absolute positions rounded to f32 once.
    pub fn point(&self, instance: &Instance, centre: DVec3) -> Point {
        let linear = Mat3::from(instance.transform.matrix3);
        let position = to_game((centre + self.p.as_dvec3()).as_vec3());
        Point {
            position,
            normal: to_game(self.n),
            tangent: tangent_to_game(self.tangent),
            tangent1: tangent_to_game(self.tangent1),
            uv: self.uv,
            color: self.color,
            instance_variation: Vec3::from(instance.variation.map(f32::from)) / 255.0,
            instance_position: to_game((centre + Vec3::from(instance.transform.translation).as_dvec3()).as_vec3()),
            instance_axes: axes_to_game(linear),
            scale: Vec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length()),
            front_facing: self.front,
            receiver_position: position,
            receiver_normal: to_game(self.ng_facing()),
            ..Point::default()
        }
    }
}

/// Where a point of a triangle is: what needs no more than the positions of its corners. Fields as [`Surface`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub p: Vec3A,
    pub error: Vec3A,
    pub ng: Vec3A,
}

impl Spot {
    /// The point `hit.u`, `hit.v` of a triangle.
    pub fn on_triangle(meshes: &[Mesh], instances: &[Instance], hit: &Hit) -> Self {
        let instance = &instances[hit.instance as usize];
        let mesh = &meshes[instance.mesh as usize];
        let transform = &instance.transform;
        Self::new(mesh, transform, &Interpolation::new(mesh, hit), &Placed::new(transform))
    }

    #[inline(always)]
    fn new(mesh: &Mesh, transform: &Affine3A, frame: &Interpolation, place: &Placed) -> Self {
        let corners = frame.corner.map(|index| Vec3A::from(mesh.positions[index]));
        let ng = place.normal((corners[1] - corners[0]).cross(corners[2] - corners[0])).normalize_or(Vec3A::Y);
        Self {
            p: transform.transform_point3a(frame.blend(corners)),
            error: offset::error_bound(corners, transform, &place.inverse_rows()),
            ng,
        }
    }
}

/// A direction or position, scene frame ↔ game frame: Z is negated.
pub fn to_game(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, -v.z)
}

/// As [`to_game`]; it is its own inverse.
pub fn from_game(v: Vec3) -> Vec3 {
    to_game(v)
}

/// Mirroring a frame turns its bitangent sign.
fn tangent_to_game(t: Vec4) -> Vec4 {
    Vec4::new(t.x, t.y, -t.z, -t.w)
}

/// Z·M·Z.
fn axes_to_game(m: Mat3) -> Mat3 {
    Mat3::from_cols(to_game(m.x_axis), to_game(m.y_axis), -to_game(m.z_axis))
}

/// An instance's transform, ready for normals and tangents.
struct Placed {
    linear: Mat3A,
    /// Cofactors: det·(M⁻¹)ᵀ, which exist for singular transforms too.
    cofactor: Mat3A,
    determinant: f32,
    /// −1 where the transform mirrors.
    sign: f32,
}

impl Placed {
    fn new(transform: &Affine3A) -> Self {
        let linear = transform.matrix3;
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let cofactor = Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let determinant = x.dot(cofactor.x_axis);
        Self { linear, cofactor, determinant, sign: if determinant < 0.0 { -1.0 } else { 1.0 } }
    }

    fn normal(&self, n: Vec3A) -> Vec3A {
        self.cofactor * n * self.sign
    }

    /// `n` gives a direction to a tangent that has none.
    fn tangent(&self, t: Vec4, n: Vec3A) -> Vec4 {
        let direction = (self.linear * Vec3A::from_vec4(t)).try_normalize();
        let direction = direction.unwrap_or_else(|| n.any_orthonormal_vector());
        direction.extend(t.w.signum() * self.sign)
    }

    /// The rows of the linear part's inverse.
    fn inverse_rows(&self) -> [Vec3A; 3] {
        let scale = self.determinant.recip();
        [self.cofactor.x_axis * scale, self.cofactor.y_axis * scale, self.cofactor.z_axis * scale]
    }
}

/// Blends per-vertex values of one triangle; `None` for a stream that the mesh lacks.
struct Interpolation {
    corner: [usize; 3],
    weight: [f32; 3],
}

impl Interpolation {
    #[inline(always)]
    fn new(mesh: &Mesh, hit: &Hit) -> Self {
        let corner = mesh.indices[hit.primitive as usize].map(|index| index as usize);
        Self { corner, weight: [1.0 - hit.u - hit.v, hit.u, hit.v] }
    }

    fn vec2(&self, stream: &[Vec2]) -> Option<Vec2> {
        (!stream.is_empty()).then(|| self.blend(self.corner.map(|index| stream[index])))
    }

    fn vec3(&self, stream: &[Vec3]) -> Option<Vec3A> {
        (!stream.is_empty()).then(|| self.blend(self.corner.map(|index| Vec3A::from(stream[index]))))
    }

    fn vec4(&self, stream: &[Vec4]) -> Option<Vec4> {
        (!stream.is_empty()).then(|| self.blend(self.corner.map(|index| stream[index])))
    }

    fn blend<T: Mul<f32, Output = T> + Add<Output = T>>(&self, [a, b, c]: [T; 3]) -> T {
        let [wa, wb, wc] = self.weight;
        a * wa + b * wb + c * wc
    }
}

/// The streams that most meshes lack, apart from the others: one question instead of six at each hit.
struct Extras {
    tangent1: Option<Vec4>,
    /// TEXCOORD_1…4.
    uv: [Vec2; 4],
    color: Vec4,
}

impl Extras {
    const ABSENT: Self = Self { tangent1: None, uv: [Vec2::ZERO; 4], color: Vec4::ONE };

    #[inline(never)]
    fn blend(mesh: &Mesh, frame: &Interpolation, tangent: impl Fn(Vec4) -> Vec4) -> Self {
        Self {
            tangent1: frame.vec4(&mesh.tangents1).map(tangent),
            uv: std::array::from_fn(|set| frame.vec2(&mesh.uvs[1 + set]).unwrap_or(Vec2::ZERO)),
            color: frame.vec4(&mesh.colors).unwrap_or(Vec4::ONE),
        }
    }
}

fn any_tangent(n: Vec3A) -> Vec4 {
    n.any_orthonormal_vector().extend(1.0)
}

/// √(uv0 area / world area) of a triangle, 1/metres; 0 without uv0 or area.
pub fn uv_density(meshes: &[Mesh], instances: &[Instance], hit: &Hit) -> f32 {
    let instance = &instances[hit.instance as usize];
    let mesh = &meshes[instance.mesh as usize];
    let corner = mesh.indices[hit.primitive as usize].map(|index| index as usize);
    let [a, b, c] = corner.map(|index| Vec3A::from(mesh.positions[index]));
    let double_area = Placed::new(&instance.transform).normal((b - a).cross(c - a)).length();
    if mesh.uvs[0].is_empty() || double_area <= 0.0 {
        return 0.0;
    }
    let [a, b, c] = corner.map(|index| mesh.uvs[0][index]);
    ((b - a).perp_dot(c - a).abs() / double_area).sqrt()
}
