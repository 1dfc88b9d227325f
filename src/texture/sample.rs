//! Addressing and filtering (Direct3D 11.3 functional specification, section 7.18): texel centres at half integers.

use glam::{Vec2, Vec4};

use super::bcn;
use super::texels::{Aligned, Bytes, Level, Texels};
use super::transfer::Table;
use super::{Address, Filter, Mip, Sampler, Texture};

/// See [`Texture::sample`].
#[inline]
pub(super) fn sample(texture: &Texture, uv: Vec2, footprint: f32, sampler: &Sampler) -> Vec4 {
    let request = Request { levels: &texture.levels, uv, footprint, sampler };
    let stored = match &texture.texels {
        Texels::Byte1(bytes) => request.filtered(|index| byte1(bytes, index)),
        Texels::Byte2(bytes) => request.filtered(|index| byte2(bytes, index)),
        Texels::Byte4(bytes) => request.filtered(|index| byte4(bytes, index)),
        Texels::Half1(texels) => request.filtered(|index| half(texels, index)),
        Texels::Half2(texels) => request.filtered(|index| half(texels, index)),
        Texels::Half4(texels) => request.filtered(|index| half(texels, index)),
        Texels::Float1(texels) => request.filtered(|index| padded(texels.as_slice()[index])),
        Texels::Float2(texels) => request.filtered(|index| padded(texels.as_slice()[index])),
        Texels::Float4(texels) => request.filtered(|index| padded(texels.as_slice()[index])),
        Texels::Bc1(blocks, tables) => {
            request.filtered(|index| colour(bcn::bc1(&blocks.as_slice()[index >> 4], index & 15), tables))
        }
        Texels::Bc2(blocks, tables) => {
            request.filtered(|index| colour(bcn::bc2(&blocks.as_slice()[index >> 4], index & 15), tables))
        }
        Texels::Bc3(blocks, tables) => {
            request.filtered(|index| colour(bcn::bc3(&blocks.as_slice()[index >> 4], index & 15), tables))
        }
        Texels::Bc4 { blocks, signed } => {
            request.filtered(|index| padded([bcn::bc4(&blocks.as_slice()[index >> 4], index & 15, *signed)]))
        }
        Texels::Bc5 { blocks, signed } => {
            request.filtered(|index| padded(bcn::bc5(&blocks.as_slice()[index >> 4], index & 15, *signed)))
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
    let channel = |index: usize, absent: f32| if index < N { texel[index] } else { absent };
    Vec4::new(channel(0, 0.0), channel(1, 0.0), channel(2, 0.0), channel(3, 1.0))
}

#[inline]
fn byte1(bytes: &Bytes<1>, index: usize) -> Vec4 {
    let [r] = bytes.texels.as_slice()[index];
    padded([bytes.tables[0][usize::from(r)]])
}

#[inline]
fn byte2(bytes: &Bytes<2>, index: usize) -> Vec4 {
    let [r, g] = bytes.texels.as_slice()[index].map(usize::from);
    padded([bytes.tables[0][r], bytes.tables[1][g]])
}

#[inline]
fn byte4(bytes: &Bytes<4>, index: usize) -> Vec4 {
    let [r, g, b, a] = bytes.texels.as_slice()[index].map(usize::from);
    let [red, green, blue, alpha] = bytes.tables;
    Vec4::new(red[r], green[g], blue[b], alpha[a])
}

/// A block's RGBA bytes by colour's and alpha's table.
#[inline]
fn colour(texel: [u8; 4], [colour, alpha]: &[&'static Table; 2]) -> Vec4 {
    let [r, g, b, a] = texel.map(usize::from);
    Vec4::new(colour[r], colour[g], colour[b], alpha[a])
}

#[inline]
fn half<const N: usize>(texels: &Aligned<[u16; N]>, index: usize) -> Vec4
where
    [u16; N]: bytemuck::Pod,
{
    padded(texels.as_slice()[index].map(half_to_float))
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
    fn filtered(&self, fetch: impl Fn(usize) -> Vec4) -> Vec4 {
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
    fn level(&self, index: usize, fetch: &impl Fn(usize) -> Vec4) -> Vec4 {
        let level = &self.levels[index];
        let [u_mode, v_mode] = self.sampler.address;
        let nearest = self.sampler.filter == Filter::Nearest;
        let x = Taps::new(self.uv.x, level.width, u_mode, nearest);
        let y = Taps::new(self.uv.y, level.height, v_mode, nearest);
        if u_mode == Address::Border || v_mode == Address::Border {
            return bordered(level, x, y, fetch);
        }
        let (left, top) = (level.column(x.first), level.row(y.first));
        if nearest {
            return fetch(left + top);
        }
        let (right, bottom) = (level.column(x.second), level.row(y.second));
        let upper = mix(fetch(left + top), fetch(right + top), x.weight);
        let lower = mix(fetch(left + bottom), fetch(right + bottom), x.weight);
        mix(upper, lower, y.weight)
    }
}

/// As a sample elsewhere, where some taps may be in the border; apart, so that the other modes need not ask.
#[inline(never)]
fn bordered(level: &Level, x: Taps, y: Taps, fetch: &impl Fn(usize) -> Vec4) -> Vec4 {
    let tap = |x: u32, y: u32| match x == OUTSIDE || y == OUTSIDE {
        true => Vec4::ZERO,
        false => fetch(level.index(x, y)),
    };
    let upper = mix(tap(x.first, y.first), tap(x.second, y.first), x.weight);
    let lower = mix(tap(x.first, y.second), tap(x.second, y.second), x.weight);
    mix(upper, lower, y.weight)
}

/// `a + (b − a) · t`: exact where both are equal.
#[inline]
fn mix(a: Vec4, b: Vec4, t: f32) -> Vec4 {
    a + (b - a) * t
}

/// The coordinate of a tap that lies in the border.
const OUTSIDE: u32 = u32::MAX;

/// The two texels of one axis that a sample lies between; for the nearest filter the first alone counts.
struct Taps {
    first: u32,
    second: u32,
    /// Of the second.
    weight: f32,
}

impl Taps {
    /// The coordinate is brought near 0..1 before it is scaled, where floats are fine: 1e6 must not overflow an index.
    #[inline]
    fn new(coordinate: f32, size: u32, address: Address, nearest: bool) -> Self {
        // Nearly all textures wrap: theirs is a test, the others' a call.
        match address == Address::Wrap {
            true => Self::wrapped(coordinate, size, nearest),
            false => Self::bounded(coordinate, size, address, nearest),
        }
    }

    #[inline]
    fn wrapped(coordinate: f32, size: u32, nearest: bool) -> Self {
        let (after, weight) = placed(fraction(coordinate), size, nearest);
        let last = size as i32 - 1;
        // rounding takes fractions up to 1, which is texel 0 again
        let second = if after > last { after - size as i32 } else { after };
        let first = if second == 0 { last } else { second - 1 };
        Self { first: first as u32, second: second as u32, weight }
    }

    #[inline(never)]
    fn bounded(coordinate: f32, size: u32, address: Address, nearest: bool) -> Self {
        let number = if coordinate.is_nan() { 0.0 } else { coordinate };
        let near = match address {
            // −1 and 2 are a whole image away: no tap of theirs is inside
            Address::Border => number.clamp(-1.0, 2.0),
            Address::Clamp => number.clamp(0.0, 1.0),
            Address::Mirror => 1.0 - (1.0 - 2.0 * fraction(0.5 * coordinate)).abs(),
            Address::Wrap => fraction(coordinate),
        };
        let last = size as i32 - 1;
        let texel = |index: i32| match address == Address::Border && !(0..=last).contains(&index) {
            true => OUTSIDE,
            false => index.clamp(0, last) as u32,
        };
        // one image more keeps the border's coordinates positive; elsewhere it would only cost precision
        let images = if address == Address::Border { 1 } else { 0 };
        let (after, weight) = placed(near + images as f32, size, nearest);
        let second = after - images * size as i32;
        Self { first: texel(second - 1), second: texel(second), weight }
    }
}

/// The index after the texel that a linear sample at `near` ≥ 0 begins with, and the next one's weight; for the nearest
/// filter the index after the texel that `near` is in, and 0.
#[inline]
fn placed(near: f32, size: u32, nearest: bool) -> (i32, f32) {
    let position = near * size as f32;
    if nearest {
        return (position as i32 + 1, 0.0);
    }
    // centres are at half, and x + 1/2 − 1 instead of x − 1/2 is never negative: truncation is the floor
    let lifted = position + 0.5;
    let after = lifted as i32;
    (after, lifted - after as f32)
}

/// `x − ⌊x⌋`. From 2³⁰ on every float is a whole number; infinities and NaN count as one.
///
/// By truncation: `f32::floor` is a call where builds do not assume SSE4.1.
#[inline]
fn fraction(x: f32) -> f32 {
    if x.abs() < 1_073_741_824.0 {
        let rest = x - (x as i32) as f32;
        if rest < 0.0 { rest + 1.0 } else { rest }
    } else {
        0.0
    }
}
