//! The shapes that our scenes are put together from. Metres, Y up, counter-clockwise from outside.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::glb::Shape;

impl Shape {
    /// This and another shape as one.
    pub fn and(mut self, other: Shape) -> Shape {
        let base = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.uvs.extend(other.uvs);
        self.indices.extend(other.indices.iter().map(|index| index + base));
        self
    }

    /// Moved.
    pub fn at(self, x: f32, y: f32, z: f32) -> Shape {
        self.transformed(Mat4::from_translation(Vec3::new(x, y, z)))
    }

    /// Turned about an axis, radians.
    pub fn turned(self, axis: Vec3, angle: f32) -> Shape {
        self.transformed(Mat4::from_quat(Quat::from_axis_angle(axis, angle)))
    }

    /// Transformed; normals by the inverse transpose.
    pub fn transformed(mut self, matrix: Mat4) -> Shape {
        let normal = matrix.inverse().transpose();
        self.positions.iter_mut().for_each(|p| *p = matrix.transform_point3(*p));
        self.normals.iter_mut().for_each(|n| *n = normal.transform_vector3(*n).normalize());
        self
    }

    /// Texture coordinates times a factor.
    pub fn tiled(mut self, u: f32, v: f32) -> Shape {
        self.uvs.iter_mut().for_each(|uv| *uv *= Vec2::new(u, v));
        self
    }

    /// With further texture coordinates, each set made from the first.
    pub fn with_uvs(mut self, sets: &[fn(Vec2) -> Vec2]) -> Shape {
        self.more_uvs = sets.iter().map(|set| self.uvs.iter().map(|uv| set(*uv)).collect()).collect();
        self
    }

    /// With a vertex colour made from the texture coordinates.
    pub fn coloured(mut self, colour: impl Fn(Vec2) -> Vec4) -> Shape {
        self.colors = self.uvs.iter().map(|uv| colour(*uv)).collect();
        self
    }

    fn vertex(&mut self, p: Vec3, n: Vec3, uv: Vec2) -> u32 {
        self.positions.push(p);
        self.normals.push(n);
        self.uvs.push(uv);
        self.positions.len() as u32 - 1
    }

    fn quad(&mut self, corners: [Vec3; 4]) {
        let n = (corners[1] - corners[0]).cross(corners[3] - corners[0]).normalize();
        let uvs = [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 0.0)];
        let [a, b, c, d] = std::array::from_fn(|k| self.vertex(corners[k], n, uvs[k]));
        self.indices.extend([a, b, c, a, c, d]);
    }
}

/// A quad from its corners, counter-clockwise from the lower left.
pub fn quad(corners: [Vec3; 4]) -> Shape {
    let mut shape = Shape::default();
    shape.quad(corners);
    shape
}

/// A horizontal rectangle that looks up, centred.
pub fn floor(width: f32, depth: f32) -> Shape {
    let (x, z) = (width * 0.5, depth * 0.5);
    quad([Vec3::new(-x, 0.0, z), Vec3::new(x, 0.0, z), Vec3::new(x, 0.0, -z), Vec3::new(-x, 0.0, -z)])
}

/// An upright rectangle that looks along +Z, standing on y = 0.
pub fn panel(width: f32, height: f32) -> Shape {
    let x = width * 0.5;
    quad([Vec3::new(-x, 0.0, 0.0), Vec3::new(x, 0.0, 0.0), Vec3::new(x, height, 0.0), Vec3::new(-x, height, 0.0)])
}

/// A box that stands on y = 0, centred in x and z.
pub fn block(width: f32, height: f32, depth: f32) -> Shape {
    let (x, y, z) = (width * 0.5, height, depth * 0.5);
    let p = |sx: f32, sy: f32, sz: f32| Vec3::new(sx * x, sy * y, sz * z);
    let mut shape = Shape::default();
    shape.quad([p(-1., 0., 1.), p(1., 0., 1.), p(1., 1., 1.), p(-1., 1., 1.)]);
    shape.quad([p(1., 0., -1.), p(-1., 0., -1.), p(-1., 1., -1.), p(1., 1., -1.)]);
    shape.quad([p(1., 0., 1.), p(1., 0., -1.), p(1., 1., -1.), p(1., 1., 1.)]);
    shape.quad([p(-1., 0., -1.), p(-1., 0., 1.), p(-1., 1., 1.), p(-1., 1., -1.)]);
    shape.quad([p(-1., 1., 1.), p(1., 1., 1.), p(1., 1., -1.), p(-1., 1., -1.)]);
    shape.quad([p(-1., 0., -1.), p(1., 0., -1.), p(1., 0., 1.), p(-1., 0., 1.)]);
    shape
}

/// A surface of revolution about Y: `profile` is (radius, height) from bottom to top, outside to its right.
pub fn lathe(profile: &[Vec2], segments: u32) -> Shape {
    let mut shape = Shape::default();
    let columns = segments + 1;
    for (row, point) in profile.iter().enumerate() {
        let before = profile[row.saturating_sub(1)];
        let after = profile[(row + 1).min(profile.len() - 1)];
        let along = (after - before).normalize_or(Vec2::Y);
        for column in 0..columns {
            let angle = column as f32 / segments as f32 * TAU;
            let (sin, cos) = angle.sin_cos();
            let n = Vec3::new(along.y * cos, -along.x, -along.y * sin);
            let uv = Vec2::new(column as f32 / segments as f32, 1.0 - row as f32 / (profile.len() - 1) as f32);
            shape.vertex(Vec3::new(point.x * cos, point.y, -point.x * sin), n.normalize_or(Vec3::Y), uv);
        }
    }
    for row in 0..profile.len() as u32 - 1 {
        for column in 0..segments {
            let a = row * columns + column;
            let (b, c, d) = (a + 1, a + columns + 1, a + columns);
            shape.indices.extend([a, b, c, a, c, d]);
        }
    }
    shape
}

/// A sphere about the origin.
pub fn sphere(radius: f32, segments: u32) -> Shape {
    let rows = segments / 2;
    let profile: Vec<Vec2> = (0..=rows)
        .map(|row| {
            let angle = row as f32 / rows as f32 * PI;
            Vec2::new(radius * angle.sin().max(0.0), -radius * angle.cos())
        })
        .collect();
    lathe(&profile, segments)
}

/// A closed cylinder that stands on y = 0, with hard edges.
pub fn cylinder(radius: f32, height: f32, segments: u32) -> Shape {
    let side = lathe(&[Vec2::new(radius, 0.0), Vec2::new(radius, height)], segments);
    let top = lathe(&[Vec2::new(radius, height), Vec2::new(0.0, height)], segments);
    let bottom = lathe(&[Vec2::new(0.0, 0.0), Vec2::new(radius, 0.0)], segments);
    side.and(top).and(bottom)
}

/// A tyre that lies flat: a ring with rounded shoulders, standing on y = 0.
pub fn tyre(radius: f32, width: f32) -> Shape {
    let (inner, shoulder) = (radius * 0.62, width * 0.22);
    let profile = [
        Vec2::new(inner, width * 0.12),
        Vec2::new(inner + 0.02, 0.01),
        Vec2::new(radius - shoulder, 0.0),
        Vec2::new(radius - shoulder * 0.3, shoulder * 0.3),
        Vec2::new(radius, shoulder),
        Vec2::new(radius, width - shoulder),
        Vec2::new(radius - shoulder * 0.3, width - shoulder * 0.3),
        Vec2::new(radius - shoulder, width),
        Vec2::new(inner + 0.02, width - 0.01),
        Vec2::new(inner, width * 0.88),
    ];
    lathe(&profile, 40)
}

/// A traffic cone's body with its square foot.
pub fn cone_body() -> Shape {
    let body = lathe(&[Vec2::new(0.15, 0.03), Vec2::new(0.03, 0.7), Vec2::new(0.0, 0.705)], 28);
    body.and(block(0.38, 0.03, 0.38))
}

/// A grid over x, z with heights; normals from its slopes.
pub fn terrain(width: f32, depth: f32, cells: u32, height: impl Fn(f32, f32) -> f32) -> Shape {
    let mut shape = Shape::default();
    let columns = cells + 1;
    for row in 0..columns {
        for column in 0..columns {
            let (u, v) = (column as f32 / cells as f32, row as f32 / cells as f32);
            let (x, z) = ((u - 0.5) * width, (v - 0.5) * depth);
            let step = 0.05;
            let slope_x = (height(x + step, z) - height(x - step, z)) / (2.0 * step);
            let slope_z = (height(x, z + step) - height(x, z - step)) / (2.0 * step);
            let n = Vec3::new(-slope_x, 1.0, -slope_z).normalize();
            shape.vertex(Vec3::new(x, height(x, z), z), n, Vec2::new(u, v));
        }
    }
    for row in 0..cells {
        for column in 0..cells {
            let a = row * columns + column;
            let (b, c, d) = (a + 1, a + columns + 1, a + columns);
            shape.indices.extend([a, d, c, a, c, b]);
        }
    }
    shape
}
