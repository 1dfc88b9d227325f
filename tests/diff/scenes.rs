//! Pictures that look like renders: unlike channels, edges, ids, noise of a known size.

use crate::pictures::Pic;
use crate::random::Random;

pub const WIDTH: usize = 96;
pub const HEIGHT: usize = 80;

/// What a pixel would be without noise; unlike in its channels, not symmetric, never flat.
pub fn light(x: usize, y: usize, channel: usize) -> f32 {
    let (u, v) = (x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32);
    let stripes = if (x / 7 + y / 11).is_multiple_of(2) { 0.35 } else { 0.05 };
    let tint = [0.9, 0.55, 0.25][channel];
    tint * (0.08 + 0.5 * u * u + 0.3 * v + stripes) + 0.03 * channel as f32 * u
}

/// A G-buffer without noise, as a rasteriser writes it.
pub fn gbuffer() -> Pic {
    let mut pic = Pic::new(WIDTH, HEIGHT);
    for (channel, name) in ["R", "G", "B"].into_iter().enumerate() {
        pic.float(name, |x, y| light(x, y, channel));
        pic.float(&format!("albedo.{name}"), |x, y| (0.8 * light(y % 60, x % 60, channel)).min(1.0));
    }
    pic.float("A", |_, _| 1.0);
    let normal = |x: usize, y: usize| {
        let (a, b) = (0.7 * (x as f32 / 9.0).sin(), 0.5 * (y as f32 / 6.0).cos());
        let length = (a * a + b * b + 1.0).sqrt();
        [a / length, b / length, 1.0 / length]
    };
    for (channel, name) in ["N.X", "N.Y", "N.Z"].into_iter().enumerate() {
        pic.float(name, |x, y| normal(x, y)[channel]);
    }
    pic.float("Z", |x, y| if x > 80 { f32::INFINITY } else { 3.0 + 0.1 * x as f32 + 0.03 * y as f32 });
    pic.float("uv0.U", |x, _| x as f32 / 31.0).float("uv0.V", |x, y| (y as f32 + 0.2 * x as f32) / 110.0);
    pic.float("roughness.V", |x, y| 0.2 + 0.6 * ((x * 13 + y * 7) % 29) as f32 / 29.0);
    // Ids above 2²⁴: a float would merge them.
    pic.uint("instance.V", |x, y| if x > 80 { 0 } else { 20_000_000 + (x / 8 + y / 8) as u32 });
    pic.uint("material.V", |x, y| if x > 80 { 0 } else { 1 + (x / 16 + y / 16) as u32 % 2 });
    pic.text("scrutineer/ids", r#"{"instance":[],"material":["asphalt","paint"]}"#);
    pic
}

/// The standard error of a pixel.
fn error(value: f32) -> f32 {
    0.05 * value + 0.002
}

/// A noisy render of ours with its standard errors.
pub fn render(seed: u64) -> Pic {
    let mut pic = gbuffer();
    let mut random = Random::new(0x5eed ^ seed << 20);
    let mut normal = || {
        // Box and Muller.
        let [u, v]: [f32; 2] = random.next();
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f32::consts::TAU * v).cos()
    };
    for name in ["R", "G", "B"] {
        let exact = pic.floats[name].clone();
        let noisy = exact.iter().map(|value| value + error(*value) * normal()).collect();
        let errors = exact.iter().map(|value| error(*value)).collect();
        pic.floats.insert(name.to_owned(), noisy);
        pic.floats.insert(format!("beauty_stderr.{name}"), errors);
    }
    pic.text("scrutineer/seed", &seed.to_string()).text("scrutineer/integrator", "path");
    pic.text("scrutineer/scene_hash", "0123").text("scrutineer/version", "0.1.0");
    pic.numbers.insert("scrutineer/samples".to_owned(), 256);
    pic.numbers.insert("scrutineer/batch".to_owned(), 16);
    pic
}
