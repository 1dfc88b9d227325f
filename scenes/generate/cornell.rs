//! The Cornell box, after the measured one of Goral et al. 1984, with our materials.

use std::path::Path;

use glam::{Vec3, vec3};

use super::glb::Glb;
use super::shapes::{block, quad};

const SCENE: &str = r#"# A closed room with one area light: diffuse interreflection.
[render]
resolution = [512, 512]
samples = 256

[camera]
position = [0, 1, 3.9]
target = [0, 1, 0]
vertical_fov = 36

[[geometry]]
file = "cornell.glb"
"#;

/// Writes the scene.
pub fn make(folder: &Path) -> super::Made {
    let mut glb = Glb::default();
    let white = glb.plain("white", [0.73, 0.72, 0.69], 0.0, 1.0);
    let red = glb.plain("red", [0.58, 0.05, 0.04], 0.0, 1.0);
    let green = glb.plain("green", [0.12, 0.44, 0.09], 0.0, 1.0);
    let steel = glb.plain("steel", [0.7, 0.7, 0.72], 1.0, 0.25);
    let light = glb.emissive("light", [1.0, 0.72, 0.4], 17.0);
    let p = |x: f32, y: f32, z: f32| vec3(x, y, z);
    let floor = quad([p(-1., 0., 1.), p(1., 0., 1.), p(1., 0., -1.), p(-1., 0., -1.)]);
    let ceiling = quad([p(-1., 2., -1.), p(1., 2., -1.), p(1., 2., 1.), p(-1., 2., 1.)]);
    let back = quad([p(-1., 0., -1.), p(1., 0., -1.), p(1., 2., -1.), p(-1., 2., -1.)]);
    let left = quad([p(-1., 0., 1.), p(-1., 0., -1.), p(-1., 2., -1.), p(-1., 2., 1.)]);
    let right = quad([p(1., 0., -1.), p(1., 0., 1.), p(1., 2., 1.), p(1., 2., -1.)]);
    let lamp = quad([p(-0.25, 1.995, -0.25), p(0.25, 1.995, -0.25), p(0.25, 1.995, 0.25), p(-0.25, 1.995, 0.25)]);
    let room = floor.and(ceiling).and(back);
    let tall = block(0.58, 1.18, 0.58).turned(Vec3::Y, 0.32).at(-0.35, 0.0, -0.3);
    let short = block(0.58, 0.58, 0.58).turned(Vec3::Y, -0.3).at(0.36, 0.0, 0.35);
    for (name, shape, material) in [
        ("room", &room, white),
        ("left wall", &left, red),
        ("right wall", &right, green),
        ("lamp", &lamp, light),
        ("tall block", &tall, steel),
        ("short block", &short, white),
    ] {
        let mesh = glb.mesh(name, &[(shape, material)]);
        glb.place_here(name, mesh);
    }
    glb.write(&folder.join("cornell.glb"))?;
    Ok(std::fs::write(folder.join("cornell.toml"), SCENE)?)
}
