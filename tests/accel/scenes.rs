//! Small scenes and rays to ask about.

use glam::{Affine3A, Quat, Vec3};
use scrutineer::geometry::Ray;
use scrutineer::geometry::accel::{Accel, Backend};
use scrutineer::geometry::mesh::{Instance, Mesh, mask};

/// A small generator (SplitMix64), so that failures repeat.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// In a cube of ±`half`.
    pub fn point(&mut self, half: f32) -> Vec3 {
        (Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0) * half
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let p = self.point(1.0);
            if p.length_squared() > 0.01 && p.length_squared() < 1.0 {
                return p.normalize();
            }
        }
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

pub fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray { origin, direction, t_min: 0.0, t_max: f32::INFINITY }
}

pub fn ray_to(origin: Vec3, target: Vec3) -> Ray {
    ray(origin, (target - origin).normalize())
}

pub fn mesh(positions: Vec<Vec3>, indices: Vec<[u32; 3]>) -> Mesh {
    Mesh { positions, indices, ..Mesh::default() }
}

pub fn place(mesh: u32, transform: Affine3A) -> Instance {
    Instance { mesh, material: 0, transform, variation: [0; 3], mask: mask::SOLID }
}

/// A closed sphere of radius 1 with shared vertices, `2·rings·rings·2` triangles or so.
pub fn sphere(rings: u32) -> Mesh {
    let segments = 2 * rings;
    let mut positions = vec![Vec3::Y];
    for ring in 1..rings {
        let theta = std::f32::consts::PI * ring as f32 / rings as f32;
        for segment in 0..segments {
            let phi = std::f32::consts::TAU * segment as f32 / segments as f32;
            positions.push(Vec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin()));
        }
    }
    positions.push(-Vec3::Y);
    let at = |ring: u32, segment: u32| match ring {
        0 => 0,
        r if r == rings => positions.len() as u32 - 1,
        r => 1 + (r - 1) * segments + segment % segments,
    };
    let mut indices = Vec::new();
    for ring in 0..rings {
        for segment in 0..segments {
            let (a, b) = (at(ring, segment), at(ring, segment + 1));
            let (c, d) = (at(ring + 1, segment), at(ring + 1, segment + 1));
            if ring > 0 {
                indices.push([a, b, d]);
            }
            if ring + 1 < rings {
                indices.push([a, d, c]);
            }
        }
    }
    mesh(positions, indices)
}

/// Unconnected triangles of edge lengths about `size` in a cube of ±`half`.
pub fn soup(count: usize, half: f32, size: f32, random: &mut Random) -> Mesh {
    let mut positions = Vec::new();
    for _ in 0..count {
        let centre = random.point(half);
        positions.extend([0; 3].map(|_| centre + random.point(size)));
    }
    let indices = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    mesh(positions, indices)
}

/// A square of side 2 around the origin, normal +Y.
pub fn quad() -> Mesh {
    let corner = |x, z| Vec3::new(x, 0.0, z);
    mesh(vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)], vec![[0, 1, 2], [0, 2, 3]])
}

/// A box of side 2.
pub fn cube() -> Mesh {
    let positions = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 2.0 - 1.0);
    let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let indices = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    mesh(positions.collect(), indices)
}

/// Turned, mirrored, sheared and unevenly scaled instances of two meshes.
pub fn mixed(random: &mut Random) -> (Vec<Mesh>, Vec<Instance>) {
    let meshes = vec![sphere(12), soup(300, 1.0, 0.2, random)];
    let instances = (0..40)
        .map(|i| {
            let scale = Vec3::new(0.3, 0.5, if i % 3 == 0 { -0.7 } else { 0.4 }) * (0.5 + random.unit());
            let turn = Quat::from_axis_angle(random.direction(), 3.0 * random.unit());
            let mut transform = Affine3A::from_scale_rotation_translation(scale, turn, random.point(3.0));
            if i % 4 == 0 {
                transform.matrix3.y_axis.x += 0.2;
            }
            Instance { mask: 1 << (i % 3), ..place(i % 2, transform) }
        })
        .collect();
    (meshes, instances)
}

/// What must agree bit for bit: AVX2 (where there is such), portable, brute.
pub fn ours(meshes: &[Mesh], instances: &[Instance]) -> [Accel; 3] {
    let build = |backend| Accel::build(meshes, instances, backend, 2).expect("needs nothing to be installed");
    [build(Backend::Brute), build(Backend::Bvh), build(Backend::Bvh).portable()]
}

/// Rays at random, and aimed at or along vertices and edges.
pub fn rays(meshes: &[Mesh], instances: &[Instance], reach: f32, count: usize, random: &mut Random) -> Vec<Ray> {
    (0..count)
        .map(|i| {
            let origin = random.point(reach);
            let instance = &instances[random.below(instances.len())];
            let mesh = &meshes[instance.mesh as usize];
            let triangle = mesh.indices[random.below(mesh.indices.len())];
            let [a, b, c] = triangle.map(|v| instance.transform.transform_point3(mesh.positions[v as usize]));
            let target = match i % 5 {
                0 => return ray(origin, random.direction()),
                1 => a,
                2 => a.lerp(b, random.unit()),
                3 => (a + b + c) / 3.0,
                // Grazing: in the triangle's own plane.
                _ => return ray_to(a + (a - b) * 3.0, b.lerp(c, random.unit())),
            };
            ray_to(origin, target)
        })
        .filter(|ray| ray.direction.is_finite())
        .collect()
}
