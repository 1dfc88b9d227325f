//! Same scene, seed, samples: the same bits, whatever the threads, the crop or the order.

#[path = "support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod support;

use glam::Vec3;
use scrutineer::film::{Film, Plane};
use scrutineer::integrator::Integrator;
use scrutineer::scene::Scene;
use serde_json::json;
use support::{Asset, Shape, Shot, pbr, planes, render, scene};

const SIZE: [i32; 2] = [37, 21];

/// All that draws random numbers: holes, panes, lights of every kind, a lens, a filter wider than its pixel.
fn stage(samples: u32, seed: u64) -> Scene {
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["KHR_materials_transmission"]);
    let floor = asset.plain("floor", 0.6, 0.2, 0.6);
    asset.add("floor", &Shape::quad(Vec3::ZERO, Vec3::Z * 3.0, Vec3::X * 3.0), floor);
    let mut veil = pbr([0.9, 0.6, 0.3, 0.4], 0.0, 0.6);
    veil["alphaMode"] = json!("BLEND");
    let veil = asset.material("veil", veil);
    asset.add("veil", &Shape::quad(Vec3::new(0.8, 0.5, 0.6), Vec3::X * 0.6, Vec3::Y * 0.5), veil);
    let mut pane = pbr([0.9, 0.8, 0.5, 1.0], 0.0, 0.3);
    pane["extensions"] = json!({"KHR_materials_transmission": {"transmissionFactor": 0.8}});
    let pane = asset.material("pane", pane);
    asset.add("pane", &Shape::quad(Vec3::new(-0.6, 0.5, 0.9), Vec3::X * 0.5, Vec3::Y * 0.5), pane);
    let lamp = asset.material("lamp", json!({"emissiveFactor": [1, 0.8, 0.5]}));
    asset.add("lamp", &Shape::sphere(Vec3::new(0.3, 0.5, -0.4), 0.3, 3), lamp);
    let toml = format!(
        "[render]\nresolution = {SIZE:?}\nsamples = {samples}\nmax_depth = 6\nseed = {seed}\n\
         [camera]\nposition = [0.3, 1.2, 3.5]\ntarget = [0, 0.4, 0]\naperture_radius = 0.05\nfocus_distance = 3\n\
         [sun]\ndirection = [1, 2, 1]\nirradiance = [3, 3, 3]\n\
         [sky]\nkind = \"hosek\"\nscale = 0.05\n\
         [[lights]]\nkind = \"point\"\nposition = [-1, 1, 1]\nintensity = [1, 2, 3]\n\
         [[geometry]]\nfile = \"a.glb\"\n"
    );
    scene(&toml, &asset)
}

fn film(scene: &Scene, crop: Option<[i32; 4]>, threads: usize) -> Film {
    render(scene, &Shot { crop, threads: Some(threads), ..Shot::default() }, &["all"])
}

#[test]
fn one_two_and_seven_threads() {
    let scene = stage(20, 3);
    let one = film(&scene, None, 1);
    for threads in [1, 2, 7] {
        assert!(film(&scene, None, threads).state() == one.state(), "{threads} threads");
    }
    let naive = |threads| {
        let shot = Shot { integrator: Integrator::Naive, crop: Some([5, 5, 18, 9]), threads: Some(threads) };
        render(&scene, &shot, &["all"])
    };
    assert!(naive(1).state() == naive(3).state());
}

/// A scene that is loaded again: nothing hangs on addresses or on the order of hash tables.
#[test]
fn loaded_twice_and_other_seeds() {
    let crop = Some([8, 4, 17, 9]);
    let first = film(&stage(16, 3), crop, 2);
    assert!(film(&stage(16, 3), crop, 2).state() == first.state());
    let other = film(&stage(16, 4), crop, 2);
    let differ = bits(&first, "beauty").iter().zip(bits(&other, "beauty")).filter(|(a, b)| **a != *b).count();
    assert!(differ > 17 * 9 * 2, "{differ} values differ");
    // The centre ray draws numbers for veils alone, and there is none on the left.
    let left = |seed| bits(&film(&stage(16, seed), Some([0, 10, 18, 11]), 2), "P");
    assert!(left(3) == left(4), "P depends on the seed");
}

/// All channels' bits, channel by channel.
fn bits(film: &Film, name: &str) -> Vec<u32> {
    planes(film, name)
        .into_iter()
        .flat_map(|plane| match plane {
            Plane::Float(values) => values.into_iter().map(f32::to_bits).collect(),
            Plane::Uint(values) => values,
        })
        .collect()
}

/// Compares every value that both films hold, and says how many pixels that are.
fn shared_pixels(a: &Film, b: &Film) -> usize {
    let groups = &a.settings().light_groups;
    let (from, to) = (a.window(), b.window());
    let columns = from.x..from.x + from.width as i32;
    let pixels = (from.y..from.y + from.height as i32).flat_map(|y| columns.clone().map(move |x| (x, y)));
    let shared: Vec<_> = pixels.filter_map(|(x, y)| Some((from.index(x, y)?, to.index(x, y)?))).collect();
    for id in a.aovs() {
        let name = id.name(groups);
        let (bits_a, bits_b) = (bits(a, &name), bits(b, &name));
        for channel in 0..bits_a.len() / from.area() {
            for (i, j) in &shared {
                let values = (bits_a[channel * from.area() + i], bits_b[channel * to.area() + j]);
                assert_eq!(values.0, values.1, "{name}, channel {channel}, pixel {i} of {from:?}");
            }
        }
    }
    shared.len()
}

#[test]
fn a_crop_is_a_part_of_the_full_frame() {
    let scene = stage(20, 5);
    let [width, height] = SIZE;
    let full = film(&scene, None, 2);
    let inner = film(&scene, Some([11, 3, 19, 14]), 2);
    assert_eq!(shared_pixels(&inner, &full), 19 * 14);
    let overscan = film(&scene, Some([-5, -4, width + 9, height + 6]), 2);
    assert_eq!(shared_pixels(&overscan, &full), (width * height) as usize);
    let corner = film(&scene, Some([-5, -4, 3, 2]), 2);
    assert_eq!(shared_pixels(&corner, &overscan), 6);
}

#[test]
fn a_last_batch_may_be_short() {
    let scene = stage(40, 5);
    let crop = Some([10, 8, 5, 4]);
    let short = film(&scene, crop, 2);
    let counters = short.counters(12, 9).unwrap();
    assert_eq!((counters.samples, counters.batches, counters.open_samples), (40, 3, 0));
    assert!(film(&scene, crop, 1).state() == short.state());
    // 40 samples are 32 and then 8 of the next 16: their sums go on from each other.
    let sum = |samples: u32| {
        let film = film(&stage(samples, 5), crop, 2);
        let Plane::Float(red) = &planes(&film, "beauty")[0] else { unreachable!("the beauty is float") };
        red.iter().map(|v| f64::from(*v) * f64::from(samples)).collect::<Vec<_>>()
    };
    let (whole, extended) = (sum(32), sum(48));
    for (i, middle) in sum(40).iter().enumerate() {
        assert!(whole[i] <= middle * (1.0 + 1e-5) && *middle <= extended[i] * (1.0 + 1e-5), "pixel {i}");
    }
}
