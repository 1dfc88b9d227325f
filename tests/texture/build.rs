//! Hand-made files, and short ways to load and look at them.

use std::sync::Arc;

use glam::{Vec2, Vec4};
use scrutineer::texture::{Address, Filter, Sampler, Store, Texture, TextureError, Transfer};

/// What a hand-made DDS header says.
#[derive(Clone, Copy)]
pub struct Dds {
    pub width: u32,
    pub height: u32,
    pub mips: u32,
    pub flags: u32,
    pub four_cc: [u8; 4],
    pub bits: u32,
    pub masks: [u32; 4],
    /// DXGI code, dimension, misc flags, array size, further flags: only with the FourCC `DX10`.
    pub extended: [u32; 5],
    pub caps2: u32,
}

impl Dds {
    pub fn dxgi(code: u32, width: u32, height: u32) -> Self {
        let extended = [code, 3, 0, 1, 0];
        Self { width, height, mips: 1, flags: 4, four_cc: *b"DX10", bits: 0, masks: [0; 4], extended, caps2: 0 }
    }

    pub fn four_cc(four_cc: &[u8; 4], width: u32, height: u32) -> Self {
        Self { four_cc: *four_cc, ..Self::dxgi(0, width, height) }
    }

    pub fn masks(flags: u32, bits: u32, masks: [u32; 4], width: u32, height: u32) -> Self {
        Self { flags, four_cc: [0; 4], bits, masks, ..Self::dxgi(0, width, height) }
    }

    /// The file. Flags, linear size and caps stay 0, as careless encoders leave them.
    pub fn file(self, data: &[u8]) -> Vec<u8> {
        let mut words = vec![124, 0, self.height, self.width, 0, 0, self.mips];
        words.extend([0; 11]);
        words.extend([32, self.flags, u32::from_le_bytes(self.four_cc), self.bits]);
        words.extend(self.masks);
        words.extend([0, self.caps2, 0, 0, 0]);
        if self.four_cc == *b"DX10" {
            words.extend(self.extended);
        }
        let header = words.into_iter().flat_map(u32::to_le_bytes);
        b"DDS ".iter().copied().chain(header).chain(data.iter().copied()).collect()
    }
}

pub fn load(name: &str, bytes: &[u8], transfer: Option<Transfer>) -> Result<Arc<Texture>, TextureError> {
    Store::new(".", None).load_bytes(name, bytes, transfer)
}

/// A file that must load, as linear.
pub fn linear(bytes: &[u8]) -> Arc<Texture> {
    load("test", bytes, Some(Transfer::Linear)).unwrap()
}

/// The value stored for texel (x, y).
pub fn texel(texture: &Texture, x: u32, y: u32) -> [f32; 4] {
    let [width, height] = texture.size();
    let uv = Vec2::new((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32);
    texture.sample(uv, 0.0, &Sampler { filter: Filter::Nearest, ..Sampler::default() }).to_array()
}

/// A 4×4 RGBA8 texture whose texel (x, y) is red 10 · x + 60 · y, green 255 − red, blue 7, alpha 128.
pub fn ramp() -> Arc<Texture> {
    let texels: Vec<u8> = (0..16u8).flat_map(|i| ramp_texel(i % 4, i / 4)).collect();
    linear(&Dds::dxgi(28, 4, 4).file(&texels))
}

pub fn ramp_texel(x: u8, y: u8) -> [u8; 4] {
    let red = 10 * x + 60 * y;
    [red, 255 - red, 7, 128]
}

/// The ramp's texel as a value.
pub fn ramp_value(x: i32, y: i32) -> Vec4 {
    Vec4::from_array(ramp_texel(x as u8, y as u8).map(|byte| f32::from(byte) / 255.0))
}

pub const ADDRESSES: [Address; 4] = [Address::Wrap, Address::Clamp, Address::Mirror, Address::Border];

#[track_caller]
pub fn assert_near(found: impl Into<[f32; 4]>, expected: impl Into<[f32; 4]>, tolerance: f32) {
    let (found, expected) = (found.into(), expected.into());
    let near = found.iter().zip(&expected).all(|(f, e)| (f - e).abs() <= tolerance);
    assert!(near, "found {found:?}, expected {expected:?}");
}
