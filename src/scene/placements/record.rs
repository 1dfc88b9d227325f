//! The raw 64-byte placement record of the game (seed page 002, PackedTrackInstance): little-endian, game frame.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0x00 | int3 position, sign-magnitude 16.16; the fraction counts in 65535ths |
//! | 0x0C | float3 A, row 0: the box's X axis |
//! | 0x18 | float3 B, row 1: its Y axis |
//! | 0x24 | float3 scale |
//! | 0x34 | INSTANCE_VARIATION x, y, z, a byte each |
//!
//! The Z axis is C = cross(A, B). 0x30…0x33 and 0x37…0x3F are unknown and ignored.
//!
//! # The vertices that such a record places
//!
//! We do not read the game's models; whoever exports one needs its vertex conventions, as public importers agree on them:
//!
//! | element | stored | decoded |
//! | --- | --- | --- |
//! | POSITION | 4 × snorm16 | xyz · the mesh's scale + its offset, metres; w belongs to the normal |
//! | NORMAL | 2 × snorm16 | y and z; x is POSITION.w |
//! | TEXCOORD n | 2 × unorm16 | · the mesh's uv scale + offset n, v grows downward |
//! | COLOR | 4 × unorm8 | linear |
//! | TANGENT n | R10G10B10A2 | not documented; 2·v − 1 with the handedness in the top bits is a guess |
//!
//! Models are in the game frame (left-handed, Y up). For glTF: negate Z of positions, normals and tangents, negate
//! tangent.w, swap two indices of every triangle; uvs stay as they are. A record is used as it is: [`GameRecord::placed`]
//! mirrors it.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::Placed;

/// A decoded record. Game frame: left-handed, Y up, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameRecord {
    /// The origin, exact.
    pub position: DVec3,
    /// A: the direction of the local X axis, unit by convention, kept as stored.
    pub row_a: Vec3,
    /// B: the direction of the local Y axis.
    pub row_b: Vec3,
    /// Lengths along A, B and cross(A, B).
    pub scale: Vec3,
    /// INSTANCE_VARIATION bytes.
    pub variation: [u8; 3],
}

/// The game frame is the scene frame with Z negated.
const Z: DMat3 = DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::NEG_Z);

impl GameRecord {
    /// Bytes a record.
    pub const SIZE: usize = 64;

    /// Decodes a record, or says at which of its bytes a number is not finite.
    pub fn decode(bytes: &[u8; Self::SIZE]) -> Result<Self, (usize, String)> {
        let word = |offset: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&bytes[offset..offset + 4]);
            u32::from_le_bytes(word)
        };
        let vector = |offset: usize| {
            let vector = Vec3::from([0, 4, 8].map(|component| f32::from_bits(word(offset + component))));
            match vector.is_finite() {
                true => Ok(vector),
                false => Err((offset, format!("{vector} is not finite"))),
            }
        };
        Ok(Self {
            position: DVec3::from([0, 4, 8].map(|offset| sign_magnitude(word(offset)))),
            row_a: vector(0x0C)?,
            row_b: vector(0x18)?,
            scale: vector(0x24)?,
            variation: [bytes[0x34], bytes[0x35], bytes[0x36]],
        })
    }

    /// The record of a scene-frame placement; `None` where its axes are not at right angles or have no length.
    pub fn from_placed(placed: &Placed) -> Option<Self> {
        let game = mirror(&placed.transform);
        let [x, y, z] = [game.matrix3.x_axis, game.matrix3.y_axis, game.matrix3.z_axis];
        let (a, b) = (x.try_normalize()?, y.try_normalize()?);
        let c = a.cross(b);
        let along = z.try_normalize()?.dot(c);
        if a.dot(b).abs() > 1e-4 || along.abs() < 1.0 - 1e-6 {
            return None;
        }
        let byte = |value: f32| (value * 255.0).round() as u8;
        Some(Self {
            position: game.translation,
            row_a: a.as_vec3(),
            row_b: b.as_vec3(),
            scale: DVec3::new(x.length(), y.length(), z.length() * along.signum()).as_vec3(),
            variation: placed.variation.unwrap_or_default().map(byte),
        })
    }

    /// The placement in the scene frame, Z·G·Z.
    pub fn placed(&self) -> Placed {
        let variation = Some(self.variation.map(|byte| f32::from(byte) / 255.0));
        Placed { transform: mirror(&self.transform()), variation }
    }

    /// G: object to world in the game frame, columns A·scale.x, B·scale.y, cross(A, B)·scale.z.
    pub fn transform(&self) -> DAffine3 {
        let (a, b, scale) = (self.row_a.as_dvec3(), self.row_b.as_dvec3(), self.scale.as_dvec3());
        let axes = DMat3::from_cols(a * scale.x, b * scale.y, a.cross(b) * scale.z);
        DAffine3 { matrix3: axes, translation: self.position }
    }
}

/// Z·M·Z: the same placement in the other frame.
fn mirror(transform: &DAffine3) -> DAffine3 {
    DAffine3 { matrix3: Z * transform.matrix3 * Z, translation: Z * transform.translation }
}

/// Bit 31 is the sign, 15 bits are whole metres, 16 bits are 65535ths.
fn sign_magnitude(word: u32) -> f64 {
    let magnitude = f64::from(word >> 16 & 0x7fff) + f64::from(word & 0xffff) / 65535.0;
    match word >> 31 {
        0 => magnitude,
        _ => -magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_sign_and_magnitude_with_65535ths() {
        assert_eq!(sign_magnitude(0x0003_8000), 3.0 + 32768.0 / 65535.0);
        assert_eq!(sign_magnitude(0x8003_8000), -(3.0 + 32768.0 / 65535.0));
        // A full fraction is the next whole metre.
        assert_eq!(sign_magnitude(0x0000_ffff), 1.0);
        assert_eq!(sign_magnitude(0x8000_0000), 0.0);
    }
}
