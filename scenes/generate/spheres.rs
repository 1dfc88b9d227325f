//! Spheres of every roughness, dielectric and metal, under a sun and a sky.

use std::path::Path;

use glam::{Quat, Vec3, vec3};

use super::glb::Glb;
use super::shapes::{floor, sphere};

const SCENE: &str = r#"# The documented BRDF: roughness grows to the right; dielectrics in front, metals behind.
[render]
resolution = [960, 400]
samples = 256

[camera]
position = [0, 2.6, 9]
target = [0, 0.62, 0]
vertical_fov = 22

[sun]
elevation = 38
azimuth = 215
irradiance = [9, 8.2, 7]

[sky]
kind = "hosek"
turbidity = 2.5
ground_albedo = 0.3
scale = 0.03

[[geometry]]
file = "spheres.glb"
"#;

/// Writes the scene.
pub fn make(folder: &Path) -> super::Made {
    let mut glb = Glb::default();
    let ground = glb.plain("ground", [0.18, 0.18, 0.19], 0.0, 0.8);
    let plane = glb.mesh("ground", &[(&floor(600.0, 600.0), ground)]);
    glb.place_here("ground", plane);
    let ball = sphere(0.5, 96);
    for step in 0..7u32 {
        let roughness = step as f32 / 6.0;
        let x = (step as f32 - 3.0) * 1.15;
        for (kind, colour, metalness, z) in
            [("plastic", [0.5, 0.035, 0.02], 0.0, 0.7), ("metal", [0.95, 0.64, 0.38], 1.0, -0.75)]
        {
            let name = format!("{kind} {roughness:.2}");
            let material = glb.plain(&name, colour, metalness, roughness);
            let mesh = glb.mesh(&name, &[(&ball, material)]);
            glb.place(&name, mesh, vec3(x, 0.5, z), Quat::IDENTITY, Vec3::ONE);
        }
    }
    glb.write(&folder.join("spheres.glb"))?;
    Ok(std::fs::write(folder.join("spheres.toml"), SCENE)?)
}
