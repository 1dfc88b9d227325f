//! Addressing, filtering and mip levels, against hand arithmetic and a naive reference.

use glam::{Vec2, Vec4};
use proptest::prelude::*;
use scrutineer::texture::{Address, Filter, Mip, Sampler, Texture};

use crate::build::{ADDRESSES, Dds, assert_near, linear, ramp, ramp_value, texel};

fn sampler(address: Address) -> Sampler {
    Sampler { address: [address; 2], ..Sampler::default() }
}

#[test]
fn a_texel_centre_gives_its_texel_exactly() {
    let texture = ramp();
    for address in ADDRESSES {
        for (x, y) in (0..16).map(|i| (i % 4, i / 4)) {
            let uv = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / 4.0;
            assert_eq!(texture.sample(uv, 0.0, &sampler(address)), ramp_value(x, y));
        }
    }
}

#[test]
fn a_sample_between_centres_is_weighted_by_hand() {
    // u = 0.4375 is 1.25 texels past the first centre: columns 1 and 2 by 3/4 and 1/4; v = 0.625: between rows 1.5 and 2.5,
    // that is 2.0 past: row 2 alone. Red: 60·2 + 10·(1 · 3/4 + 2 · 1/4) = 132.5.
    let value = ramp().sample(Vec2::new(0.4375, 0.625), 0.0, &Sampler::default());
    assert_near(value, [132.5 / 255.0, 122.5 / 255.0, 7.0 / 255.0, 128.0 / 255.0], 1e-6);
}

#[test]
fn the_edge_follows_the_address_mode() {
    // u = 0 lies half-way between the first texel and its left neighbour; v = 0.125 is the first row's centre.
    let red = |address| 255.0 * ramp().sample(Vec2::new(0.0, 0.125), 0.0, &sampler(address)).x;
    assert!((red(Address::Wrap) - 15.0).abs() < 1e-4, "texels 3 and 0: (30 + 0) / 2");
    assert!((red(Address::Clamp) - 0.0).abs() < 1e-4, "texel 0");
    assert!((red(Address::Mirror) - 0.0).abs() < 1e-4, "texel 0 and its image");
    let value = ramp().sample(Vec2::new(0.0, 0.125), 0.0, &sampler(Address::Border));
    assert_near(value, ramp_value(0, 0) * 0.5, 1e-6);
}

#[test]
fn mirror_runs_backwards_between_1_and_2() {
    let at = |u| ramp().sample(Vec2::new(u, 0.125), 0.0, &sampler(Address::Mirror));
    assert_near(at(1.0 + 0.125), ramp_value(3, 0), 1e-6);
    assert_near(at(2.0 - 0.125), ramp_value(0, 0), 1e-6);
    assert_near(at(-0.125), ramp_value(0, 0), 1e-6);
    assert_near(at(2.0 + 0.375), ramp_value(1, 0), 1e-6);
}

#[test]
fn axes_have_their_own_modes() {
    let both = Sampler { address: [Address::Wrap, Address::Clamp], ..Sampler::default() };
    assert_near(ramp().sample(Vec2::new(1.125, 1.125), 0.0, &both), ramp_value(0, 3), 1e-6);
}

#[test]
fn channel_order_picks_stored_channels() {
    let order = Sampler { channel_order: [2, 1, 0, 0], filter: Filter::Nearest, ..Sampler::default() };
    let [r, g, b, _] = ramp_value(2, 1).to_array();
    assert_eq!(ramp().sample(Vec2::new(0.625, 0.375), 0.0, &order).to_array(), [b, g, r, r]);
}

#[test]
fn great_negative_and_broken_coordinates_give_a_value() {
    let extremes =
        [1e6, -1e6, 1e9, 3e9, 1e30, f32::MAX, f32::MIN_POSITIVE, -1e-9, f32::INFINITY, -f32::INFINITY, f32::NAN];
    for (address, filter) in ADDRESSES.into_iter().flat_map(|a| [(a, Filter::Linear), (a, Filter::Nearest)]) {
        for u in extremes {
            let chosen = Sampler { filter, ..sampler(address) };
            let value = ramp().sample(Vec2::new(u, -u), u, &Sampler { mip: Mip::Footprint, ..chosen });
            assert!(value.is_finite(), "{address:?} {filter:?} {u}: {value}");
        }
    }
    // floats near 1e6 are 1/16 apart, so this one is exact: still the right texel
    let far = ramp().sample(
        Vec2::new(1_000_000.0 + 0.125, 0.125),
        0.0,
        &Sampler { filter: Filter::Nearest, ..Sampler::default() },
    );
    assert_near(far, ramp_value(0, 0), 0.0);
}

/// R8 levels of the sizes 4×2, 2×1, 1×1 that hold 40, 80, 120.
fn levels() -> std::sync::Arc<Texture> {
    let data = [[40; 8].as_slice(), &[80; 2], &[120; 1]].concat();
    linear(&Dds { mips: 3, ..Dds::dxgi(61, 4, 2) }.file(&data))
}

#[test]
fn the_footprint_chooses_and_blends_levels() {
    let red =
        |footprint, mip| 255.0 * levels().sample(Vec2::splat(0.3), footprint, &Sampler { mip, ..Sampler::default() }).x;
    assert!((red(1.0, Mip::Level0) - 40.0).abs() < 1e-4);
    // lod = log2(footprint · 4)
    for (footprint, expected) in [
        (0.0, 40.0),
        (0.25, 40.0),
        (0.5, 80.0),
        (0.353_553_4, 60.0),
        (1.0, 120.0),
        (9.0, 120.0),
        (f32::NAN, 40.0),
        (-1.0, 40.0),
    ] {
        let found = red(footprint, Mip::Footprint);
        assert!((found - expected).abs() < 1e-3, "footprint {footprint}: {found}");
    }
}

#[test]
fn a_file_without_mip_levels_has_level_0_at_any_footprint() {
    let sampler = Sampler { mip: Mip::Footprint, ..Sampler::default() };
    assert_eq!(ramp().sample(Vec2::splat(0.125), 1.0, &sampler), ramp_value(0, 0));
}

#[test]
fn odd_and_tiny_sizes_keep_every_texel() {
    for (width, height) in [(1, 1), (5, 3), (3, 7), (1, 9), (17, 1)] {
        let data: Vec<u8> = (0..width * height).map(|i| (3 * i) as u8).collect();
        let texture = linear(&Dds::dxgi(61, width, height).file(&data));
        for (x, y) in (0..width * height).map(|i| (i % width, i / width)) {
            let expected = f32::from(data[(y * width + x) as usize]) / 255.0;
            assert_eq!(texel(&texture, x, y), [expected, 0.0, 0.0, 1.0], "{width}×{height} at {x}, {y}");
        }
    }
}

/// Texel `i` of an axis of `size`, by the words of the definition; `None` in the border.
fn addressed(i: i64, size: i64, address: Address) -> Option<i64> {
    match address {
        Address::Wrap => Some(i.rem_euclid(size)),
        Address::Clamp => Some(i.clamp(0, size - 1)),
        Address::Mirror => {
            let i = i.rem_euclid(2 * size);
            Some(if i < size { i } else { 2 * size - 1 - i })
        }
        Address::Border => (0..size).contains(&i).then_some(i),
    }
}

/// Bilinear in f64, without folding coordinates first.
fn naive(texels: &[u8], size: [i64; 2], uv: [f64; 2], address: [Address; 2]) -> f64 {
    let position = [uv[0] * size[0] as f64 - 0.5, uv[1] * size[1] as f64 - 0.5];
    let mut sum = 0.0;
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let [x, y] = [position[0].floor() as i64 + dx, position[1].floor() as i64 + dy];
        let weight = (1.0 - (position[0] - x as f64).abs()) * (1.0 - (position[1] - y as f64).abs());
        if let Some((x, y)) = addressed(x, size[0], address[0]).zip(addressed(y, size[1], address[1])) {
            sum += weight * f64::from(texels[(y * size[0] + x) as usize]) / 255.0;
        }
    }
    sum
}

proptest! {
    #[test]
    fn agrees_with_a_naive_reference(
        u in -5f32..5.0, v in -5f32..5.0, width in 1u32..9, height in 1u32..9, modes in (0usize..4, 0usize..4), seed: u8,
    ) {
        let texels: Vec<u8> = (0..width * height).map(|i| (i as u8).wrapping_mul(37).wrapping_add(seed)).collect();
        let texture = linear(&Dds::dxgi(61, width, height).file(&texels));
        let address = [ADDRESSES[modes.0], ADDRESSES[modes.1]];
        let found = texture.sample(Vec2::new(u, v), 0.0, &Sampler { address, ..Sampler::default() }).x;
        let expected = naive(&texels, [width.into(), height.into()], [u.into(), v.into()], address);
        prop_assert!((f64::from(found) - expected).abs() < 2e-5, "found {found}, expected {expected}");
    }

    #[test]
    fn any_floats_give_a_finite_value(bits: [u32; 3], mode in 0usize..4, nearest: bool) {
        let [u, v, footprint] = bits.map(f32::from_bits);
        let filter = if nearest { Filter::Nearest } else { Filter::Linear };
        let sampler = Sampler { address: [ADDRESSES[mode]; 2], filter, mip: Mip::Footprint, channel_order: [3, 2, 1, 0] };
        prop_assert!(levels().sample(Vec2::new(u, v), footprint, &sampler).is_finite());
    }
}

#[test]
fn equal_texels_give_their_value_exactly() {
    let texture = linear(&Dds::dxgi(28, 8, 8).file(&[77; 256]));
    for i in 0..1000 {
        let uv = Vec2::new(i as f32 * 0.0137, i as f32 * -0.0071);
        assert_eq!(texture.sample(uv, 0.0, &Sampler::default()), Vec4::splat(77.0 / 255.0));
    }
}
