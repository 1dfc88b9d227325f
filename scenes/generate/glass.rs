//! Glass of every kind in a row: clear, tinted, cloudy, rough, cut out, ten panes deep, and leaf cards beside them.

use std::path::Path;

use glam::{Quat, Vec3, vec3};
use serde_json::json;

use super::glb::{Glb, Shape};
use super::paint;
use super::shapes::{block, floor, panel, sphere};

const SCENE: &str = r#"# Glass reflects, and lets straight light through, both at full weight. From the left: clear, tinted, cloudy, rough, cut out, ten panes.
[render]
resolution = [720, 320]
samples = 128
max_depth = 6

[camera]
position = [-0.2, 1.5, 7.2]
target = [-0.2, 0.5, 0]
vertical_fov = 24

# Along the panes: reflections at grazing angles.
[cameras.side]
position = [-5.5, 1.1, 2.2]
target = [0, 0.6, -0.2]
vertical_fov = 22

[sun]
elevation = 38
azimuth = 20
irradiance = [7.5, 6.9, 6]
angular_diameter = 1

[sky]
kind = "hosek"
turbidity = 2.8
ground_albedo = 0.3
scale = 0.024

[[geometry]]
file = "glass.glb"

[materials.clear]
family = "glass"
parameters = { Alpha = 0, TintColor = [0.12, 0.1, 0.11] }

[materials.tinted]
family = "glass"
parameters = { Alpha = 0.8, TintColor = [0.15, 0.75, 0.95] }

[materials.cloudy]                       # at Cloudyness 1 nothing is absorbed
family = "glass"
parameters = { Alpha = 0.8, TintColor = [0.15, 0.75, 0.95], Cloudyness = 0.75, F0 = 0.3, Roughness = 0.6 }

[materials.rough]
family = "glass"
parameters = { Alpha = 0.5, TintColor = [0.5, 0.5, 0.5], F0 = 0.5, Roughness = 0.35 }

[materials.lattice]                      # ATT: a cut-out, not a coverage
family = "glass"
permutation = "_BCT_ATT"
textures.BaseColour = { file = "lattice.png", colour_space = "srgb" }

[materials.stack]
family = "glass"
parameters = { Alpha = 0, TintColor = [0.3, 0.18, 0.08] }
"#;

/// Writes the scene and its textures.
pub fn make(folder: &Path) -> super::Made {
    textures(folder)?;
    let mut glb = Glb::default();
    surroundings(&mut glb);
    panes(&mut glb);
    leaves(&mut glb);
    glb.write(&folder.join("glass.glb"))?;
    Ok(std::fs::write(folder.join("glass.toml"), SCENE)?)
}

fn textures(folder: &Path) -> super::Made {
    paint::write_cut_out(&folder.join("lattice.png"), [64, 128], |u, v| {
        let (x, y) = ((u * 4.0).fract() - 0.5, (v * 8.0).fract() - 0.5);
        let hole = x.hypot(y) < 0.33;
        [0.85, 0.25, 0.12, if hole { 0.0 } else { 1.0 }]
    })?;
    Ok(paint::write_cut_out(&folder.join("leaf.png"), [64, 64], |u, v| {
        let (x, y) = (u - 0.5, v - 0.5);
        let inside = 0.42 * (1.0 - (2.0 * y).powi(2)).max(0.0) - x.abs() + 0.03 * (y * 60.0).sin();
        [0.12, 0.32, 0.06, (0.5 + 20.0 * inside).clamp(0.0, 1.0)]
    })?)
}

fn add(glb: &mut Glb, name: &str, shape: &Shape, material: super::glb::Material) {
    let mesh = glb.mesh(name, &[(shape, material)]);
    glb.place_here(name, mesh);
}

fn surroundings(glb: &mut Glb) {
    let stone = glb.plain("stone", [0.55, 0.54, 0.52], 0.0, 0.9);
    let red = glb.plain("red", [0.6, 0.06, 0.04], 0.0, 0.4);
    let white = glb.plain("white", [0.8, 0.8, 0.78], 0.0, 0.7);
    add(glb, "ground", &floor(3000.0, 3000.0), stone);
    let ball = glb.mesh("ball", &[(&sphere(0.22, 48), red)]);
    for k in 0..7 {
        let x = -2.7 + 0.9 * k as f32;
        glb.place("ball", ball, vec3(x, 0.22, -0.9), Quat::IDENTITY, Vec3::ONE);
        add(glb, "post", &block(0.12, 1.1, 0.12).at(x + 0.45, 0.0, -1.5), white);
    }
}

fn panes(glb: &mut Glb) {
    for (k, name) in ["clear", "tinted", "cloudy", "rough", "lattice"].into_iter().enumerate() {
        let material = glb.plain(name, [1.0; 3], 0.0, 1.0);
        add(glb, name, &panel(0.72, 1.2).at(-2.25 + 0.9 * k as f32, 0.0, 0.0), material);
    }
    let stack = glb.plain("stack", [1.0; 3], 0.0, 1.0);
    let panes = (0..10).map(|k| panel(0.72, 1.2).at(2.25, 0.0, -0.03 * k as f32));
    add(glb, "stack", &panes.reduce(Shape::and).unwrap_or_default(), stack);
}

/// Masked cards: their shadows are their pictures.
fn leaves(glb: &mut Glb) {
    let picture = glb.texture("leaf.png");
    let leaf = glb.material("leaf", json!({ "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorTexture": { "index": picture }, "metallicFactor": 0.0, "roughnessFactor": 0.6 } }));
    let card = panel(0.34, 0.34);
    let cards = (0..9).map(|k| {
        let angle = k as f32 * 0.7;
        card.clone().turned(Vec3::X, -0.5).turned(Vec3::Y, angle).at(
            -3.1 + 0.16 * angle.sin(),
            0.12 * k as f32,
            0.3 + 0.16 * angle.cos(),
        )
    });
    add(glb, "leaves", &cards.reduce(Shape::and).unwrap_or_default(), leaf);
}
