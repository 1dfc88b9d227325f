//! Addressing and filtering (Direct3D 11.3 functional specification, section 7.18): texel centres at half integers.

use glam::{Vec2, Vec4};

use super::bcn;
use super::texels::{Aligned, Bytes, Level, Texels};
use super::{Address, Filter, Mip, Sampler, Texture};

/// See [`Texture::sample`].
#[inline]
pub(super) fn sample(texture: &Texture, uv: Vec2, footprint: f32, sampler: &Sampler) -> Vec4 {
    let request = Request { levels: &texture.levels, uv, footprint, sampler };
    let stored = match &texture.texels {
        Texels::Byte1(bytes) => request.filtered(|tile, index| byte1(bytes, tile, index)),
        Texels::Byte2(bytes) => request.filtered(|tile, index| byte2(bytes, tile, index)),
        Texels::Byte4(bytes) => request.filtered(|tile, index| byte4(bytes, tile, index)),
        Texels::Half1(texels) => request.filtered(|tile, index| half(texels, tile, index)),
        Texels::Half2(texels) => request.filtered(|tile, index| half(texels, tile, index)),
        Texels::Half4(texels) => request.filtered(|tile, index| half(texels, tile, index)),
        Texels::Float1(texels) => request.filtered(|tile, index| padded(texels.as_slice()[16 * tile + index])),
        Texels::Float2(texels) => request.filtered(|tile, index| padded(texels.as_slice()[16 * tile + index])),
        Texels::Float4(texels) => request.filtered(|tile, index| padded(texels.as_slice()[16 * tile + index])),
        Texels::Bc1(blocks, table) => {
            request.filtered(|tile, index| colour(bcn::bc1(&blocks.as_slice()[tile], index), table))
        }
        Texels::Bc2(blocks, table) => {
            request.filtered(|tile, index| colour(bcn::bc2(&blocks.as_slice()[tile], index), table))
        }
        Texels::Bc3(blocks, table) => {
            request.filtered(|tile, index| colour(bcn::bc3(&blocks.as_slice()[tile], index), table))
        }
        Texels::Bc4 { blocks, signed } => {
            request.filtered(|tile, index| padded([bcn::bc4(&blocks.as_slice()[tile], index, *signed)]))
        }
        Texels::Bc5 { blocks, signed } => {
            request.filtered(|tile, index| padded(bcn::bc5(&blocks.as_slice()[tile], index, *signed)))
        }
    };
    reorder(stored, sampler.channel_order, texture.swizzle)
}

/// The stored value of one texel as RGBA, without a sampler.
pub(super) fn texel(texture: &Texture, x: u32, y: u32) -> Vec4 {
    let [width, height] = texture.size();
    let uv = Vec2::new((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32);
    let nearest = Sampler { filter: Filter::Nearest, address: [Address::Clamp; 2], ..Sampler::default() };
    sample(texture, uv, 0.0, &nearest)
}

/// The sampler's order of the format's order.
#[inline]
fn reorder(stored: Vec4, order: [u8; 4], swizzle: [u8; 4]) -> Vec4 {
    if order == [0, 1, 2, 3] && swizzle == [0, 1, 2, 3] {
        return stored;
    }
    let stored = stored.to_array();
    let pick = |channel: u8| stored[usize::from(swizzle[usize::from(channel & 3)] & 3)];
    Vec4::from_array(order.map(pick))
}

#[inline]
fn padded<const N: usize>(texel: [f32; N]) -> Vec4 {
    let mut rgba = [0.0, 0.0, 0.0, 1.0];
    rgba[..N].copy_from_slice(&texel);
    Vec4::from_array(rgba)
}

#[inline]
fn byte1(bytes: &Bytes<1>, tile: usize, index: usize) -> Vec4 {
    let [r] = bytes.texels.as_slice()[16 * tile + index];
    padded([bytes.tables[0][usize::from(r)]])
}

#[inline]
fn byte2(bytes: &Bytes<2>, tile: usize, index: usize) -> Vec4 {
    let [r, g] = bytes.texels.as_slice()[16 * tile + index].map(usize::from);
    padded([bytes.tables[0][r], bytes.tables[1][g]])
}

#[inline]
fn byte4(bytes: &Bytes<4>, tile: usize, index: usize) -> Vec4 {
    let [r, g, b, a] = bytes.texels.as_slice()[16 * tile + index].map(usize::from);
    let [red, green, blue, alpha] = bytes.tables;
    Vec4::new(red[r], green[g], blue[b], alpha[a])
}

/// A block's RGBA bytes: alpha is linear.
#[inline]
fn colour(texel: [u8; 4], table: &super::transfer::Table) -> Vec4 {
    let [r, g, b, a] = texel.map(usize::from);
    Vec4::new(table[r], table[g], table[b], super::Transfer::Linear.table()[a])
}

#[inline]
fn half<const N: usize>(texels: &Aligned<[u16; N]>, tile: usize, index: usize) -> Vec4
where
    [u16; N]: bytemuck::Pod,
{
    padded(texels.as_slice()[16 * tile + index].map(half_to_float))
}

/// A half as a float, without the run-time choice of instructions that `half` makes at each call.
#[inline]
fn half_to_float(bits: u16) -> f32 {
    let bits = u32::from(bits);
    let sign = (bits & 0x8000) << 16;
    let magnitude = (bits & 0x7fff) << 13;
    // Rebias by multiplication, which also normalises subnormals; infinity and NaN keep their full exponent.
    let value = match magnitude < 0x7c00 << 13 {
        true => (f32::from_bits(magnitude) * f32::from_bits((254 - 15) << 23)).to_bits(),
        false => magnitude | 0xff << 23,
    };
    f32::from_bits(sign | value)
}

/// One sample to take.
struct Request<'a> {
    levels: &'a [Level],
    uv: Vec2,
    footprint: f32,
    sampler: &'a Sampler,
}

impl Request<'_> {
    #[inline]
    fn filtered(&self, fetch: impl Fn(usize, usize) -> Vec4) -> Vec4 {
        if self.sampler.mip == Mip::Level0 || self.levels.len() == 1 {
            return self.level(0, &fetch);
        }
        let base = &self.levels[0];
        // log2 of a footprint that is 0, negative or NaN is −∞ or NaN: both end at level 0.
        let lod = (self.footprint * base.width.max(base.height) as f32).log2().max(0.0);
        let lod = lod.min((self.levels.len() - 1) as f32);
        let (level, between) = (lod as usize, lod.fract());
        let near = self.level(level, &fetch);
        if between == 0.0 {
            return near;
        }
        near.lerp(self.level(level + 1, &fetch), between)
    }

    #[inline]
    fn level(&self, index: usize, fetch: &impl Fn(usize, usize) -> Vec4) -> Vec4 {
        let level = &self.levels[index];
        let tap = |x: u32, y: u32| {
            if x == OUTSIDE || y == OUTSIDE {
                return Vec4::ZERO;
            }
            let (tile, index) = level.locate(x, y);
            fetch(tile, index)
        };
        let [u_mode, v_mode] = self.sampler.address;
        if self.sampler.filter == Filter::Nearest {
            return tap(nearest(self.uv.x, level.width, u_mode), nearest(self.uv.y, level.height, v_mode));
        }
        let x = Taps::new(self.uv.x, level.width, u_mode);
        let y = Taps::new(self.uv.y, level.height, v_mode);
        let upper = mix(tap(x.first, y.first), tap(x.second, y.first), x.weight);
        let lower = mix(tap(x.first, y.second), tap(x.second, y.second), x.weight);
        mix(upper, lower, y.weight)
    }
}

/// `a + (b − a) · t`: exact where both are equal.
#[inline]
fn mix(a: Vec4, b: Vec4, t: f32) -> Vec4 {
    a + (b - a) * t
}

/// The coordinate of a tap that lies in the border.
const OUTSIDE: u32 = u32::MAX;

/// The two texels of one axis that a linear sample lies between.
struct Taps {
    first: u32,
    second: u32,
    /// Of the second.
    weight: f32,
}

impl Taps {
    #[inline]
    fn new(coordinate: f32, size: u32, address: Address) -> Self {
        let position = folded(coordinate, address) * size as f32 - 0.5;
        let (floor, weight) = floor(position);
        Self { first: texel_at(floor, size, address), second: texel_at(floor + 1, size, address), weight }
    }
}

#[inline]
fn nearest(coordinate: f32, size: u32, address: Address) -> u32 {
    texel_at(floor(folded(coordinate, address) * size as f32).0, size, address)
}

/// The coordinate brought near 0..1 before it is scaled, where floats are fine: 1e6 must not overflow a texel index.
#[inline]
fn folded(coordinate: f32, address: Address) -> f32 {
    match address {
        Address::Wrap => fraction(coordinate),
        Address::Mirror => {
            let phase = 2.0 * fraction(0.5 * coordinate);
            if phase > 1.0 { 2.0 - phase } else { phase }
        }
        Address::Clamp => number(coordinate).clamp(0.0, 1.0),
        // −1 and 2 are a whole image away: no tap of theirs is inside.
        Address::Border => number(coordinate).clamp(-1.0, 2.0),
    }
}

/// Texel `index` of an axis, at most one step outside after [`folded`] except in the border.
#[inline]
fn texel_at(index: i32, size: u32, address: Address) -> u32 {
    let last = size as i32 - 1;
    let inside = match address {
        Address::Wrap if index < 0 => last,
        Address::Wrap if index > last => 0,
        Address::Border if index < 0 || index > last => return OUTSIDE,
        _ => index.clamp(0, last),
    };
    inside as u32
}

/// `x`, and NaN as 0.
#[inline]
fn number(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x }
}

/// `x − ⌊x⌋`. From 2³⁰ on every float is a whole number; infinities and NaN count as one.
#[inline]
fn fraction(x: f32) -> f32 {
    if x.abs() < 1_073_741_824.0 { floor(x).1 } else { 0.0 }
}

/// `⌊x⌋` and the rest, for |x| below 2³¹; without SSE4.1, which builds do not assume, `f32::floor` is a call.
#[inline]
fn floor(x: f32) -> (i32, f32) {
    let truncated = x as i32;
    let floor = truncated - i32::from(x < truncated as f32);
    (floor, x - floor as f32)
}
