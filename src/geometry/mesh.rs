//! Meshes and their placements, as the tracer keeps them.

use glam::{Affine3A, Vec2, Vec3, Vec4};

/// One glTF primitive's triangles. Optional streams are empty where the file has none.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Object space, metres, one a vertex.
    pub positions: Vec<Vec3>,
    /// Three vertex indices a triangle.
    pub indices: Vec<[u32; 3]>,
    /// Unit normals. Never empty after load: flat ones are generated.
    pub normals: Vec<Vec3>,
    /// xyz unit, w = ±1. Never empty after load where uv sets are there: MikkTSpace ones are generated.
    pub tangents: Vec<Vec4>,
    /// `_TANGENT1`, or empty: the second frame is then the first.
    pub tangents1: Vec<Vec4>,
    /// TEXCOORD_0…4.
    pub uvs: [Vec<Vec2>; 5],
    /// COLOR_0, linear RGBA.
    pub colors: Vec<Vec4>,
}

impl Mesh {
    /// Whether there is more than positions, normals, tangents and TEXCOORD_0.
    #[inline]
    pub fn has_extras(&self) -> bool {
        let [_, uv1, uv2, uv3, uv4] = &self.uvs;
        let sets = uv1.len() | uv2.len() | uv3.len() | uv4.len();
        sets | self.tangents1.len() | self.colors.len() != 0
    }

    /// CRC-32 of all streams.
    pub fn checksum(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(bytemuck::cast_slice(&self.positions));
        crc.update(bytemuck::cast_slice(&self.indices));
        crc.update(bytemuck::cast_slice(&self.normals));
        for stream in [&self.tangents, &self.tangents1, &self.colors] {
            crc.update(bytemuck::cast_slice(stream));
        }
        self.uvs.iter().for_each(|set| crc.update(bytemuck::cast_slice(set)));
        crc.finalize()
    }
}

/// A mesh placed in the world.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Index into the scene's meshes.
    pub mesh: u32,
    /// Index into the scene's materials.
    pub material: u32,
    /// Object to world (scene frame, relative to the scene's centre).
    pub transform: Affine3A,
    /// INSTANCE_VARIATION bytes.
    pub variation: [u8; 3],
    /// Bits of [`mask`] that describe how rays may treat it.
    pub mask: u8,
}

/// Ray masks: an instance is met by a query when they share a bit.
pub mod mask {
    /// Every point of the surface is there and stops light.
    pub const SOLID: u8 = 1;
    /// Holes or glass: a hit must be asked what it is.
    pub const FILTERED: u8 = 2;
    /// Road and mesh decals: paint on what is behind them.
    pub const DECAL: u8 = 4;
    /// What decals may paint: everything else.
    pub const SURFACES: u8 = !DECAL;
    pub const ALL: u8 = 0xff;
}
