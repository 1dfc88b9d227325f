//! A street corner with every kind of decal: paint and patches on the road, grime and a notice on a wall, boxes that project
//! a mural over wall and pillars and a badge over a kerb and crates.

use std::path::Path;

use glam::{Quat, Vec3, vec3};

use super::glb::{Glb, Shape};
use super::paint;
use super::shapes::{block, cylinder, floor, panel};

const SCENE: &str = r#"# Decals: road decals replace what they paint, mesh decals edit it, boxes project onto whatever is inside them.
[render]
resolution = [640, 400]
samples = 128
max_depth = 6

[camera]
position = [-0.6, 2.3, 7.2]
target = [0.3, 0.75, 0]
vertical_fov = 36

# Nearly along the road: the stack of patches and the paint must not fight.
[cameras.grazing]
position = [-2.5, 0.12, 5.5]
target = [0.3, 0.02, 1.5]
vertical_fov = 24

[world]
dither = true

[sun]
elevation = 42
azimuth = 205
irradiance = [7, 6.4, 5.4]
angular_diameter = 1.5

[sky]
kind = "hosek"
turbidity = 3
ground_albedo = 0.25
scale = 0.024

[[geometry]]
file = "decals.glb"

[[projected_decals]]
material = "mural"
placements = "mural.jsonl"

[[projected_decals]]
material = "badge"
placements = "badges.jsonl"

[materials.crossing]                     # hard cut-outs by a mask
family = "uber_roaddecal"
permutation = "_decal_AM"
textures.DecalDiffuseATexture = { constant = [0.72, 0.71, 0.66, 0.55] }
textures.DecalMaskATexture = { file = "worn.png", colour_space = "linear" }

[materials.patch_low]                    # a stack of patches, a millimetre apart
family = "uber_roaddecal"
permutation = "_decal"
textures.DecalDiffuseATexture = { constant = [0.05, 0.05, 0.055, 0.75] }

[materials.patch_middle]
family = "uber_roaddecal"
permutation = "_decal"
textures.DecalDiffuseATexture = { constant = [0.16, 0.08, 0.05, 0.6] }

[materials.patch_high]
family = "uber_roaddecal"
permutation = "_decal"
textures.DecalDiffuseATexture = { constant = [0.03, 0.035, 0.04, 0.25] }

[materials.grime]                        # all three targets
family = "environmentdeferreddecal"
permutation = "_Standard_DR_NAO"
parameters.NormalAOIntensity = 0.6
textures.DiffAlphaTex = { file = "grime.png", colour_space = "srgb" }
textures.RoughMetAOTex = { constant = [0.95, 0, 0.6, 1] }

[materials.notice]
family = "environmentdeferreddecal"
permutation = "_Standard_DR"
textures.DiffAlphaTex = { file = "notice.png", colour_space = "srgb" }
textures.RoughMetAOTex = { constant = [0.35, 0, 1, 1] }

[materials.mural]
family = "environmentdeferreddecal"
permutation = "_Projected_DR"
textures.DiffAlphaTex = { file = "mural.png", colour_space = "srgb" }
textures.RoughMetAOTex = { constant = [0.5, 0, 1, 1] }

[materials.badge]
family = "environmentdeferreddecal"
permutation = "_Projected_DR"
textures.DiffAlphaTex = { file = "badge.png", colour_space = "srgb" }
textures.RoughMetAOTex = { constant = [0.3, 0, 1, 1] }
"#;

/// A box that projects along −Z onto the wall: its local Y is +Z. The documented u runs against the local X and v along the game's
/// local Z: boxes are turned by half a turn about their Y for the picture to stand upright.
const MURAL: &str = r#"{"position":[1.3,1.6,-1.9],"rotation":[0,0.7071067811865476,0.7071067811865476,0],"scale":[3.4,1.2,2.2]}
"#;

/// Boxes that project downward, onto ground, kerb and crates alike.
const BADGES: &str = r#"{"position":[-1.75,0.3,-0.75],"rotation":[0,0.9914448613738104,0,-0.13052619222005157],"scale":[1.5,1.6,1.5]}
{"position":[2.3,0.1,-0.3],"rotation":[0,1,0,0],"scale":[0.9,0.5,0.9]}
"#;

/// Writes the scene and its textures.
pub fn make(folder: &Path) -> super::Made {
    textures(folder)?;
    let mut glb = Glb::default();
    ground(&mut glb);
    road_decals(&mut glb);
    wall(&mut glb);
    crates(&mut glb);
    glb.write(&folder.join("decals.glb"))?;
    std::fs::write(folder.join("mural.jsonl"), MURAL)?;
    std::fs::write(folder.join("badges.jsonl"), BADGES)?;
    Ok(std::fs::write(folder.join("decals.toml"), SCENE)?)
}

fn textures(folder: &Path) -> super::Made {
    paint::write(&folder.join("worn.png"), [128, 128], false, |u, v| {
        [(1.6 * paint::fractal(u, v, 9, 4, 3) - 0.05).clamp(0.0, 1.0); 3]
    })?;
    paint::write_cut_out(&folder.join("grime.png"), [128, 128], |u, v| {
        let drips = paint::fractal(u, v * 0.12, 18, 3, 5);
        let fade = (1.0 - v) * (u * (1.0 - u) * 4.0).min(1.0);
        [0.05, 0.042, 0.03, (2.2 * drips - 0.6).clamp(0.0, 1.0) * fade]
    })?;
    paint::write_cut_out(&folder.join("notice.png"), [120, 72], |u, v| {
        let ink = paint::dots(64, u, v);
        [0.85 - 0.75 * ink, 0.8 - 0.74 * ink, 0.15 - 0.1 * ink, 1.0]
    })?;
    paint::write_cut_out(&folder.join("mural.png"), [256, 192], |u, v| {
        let wave = ((u * 9.0 + 2.0 * (v * 7.0).sin()).sin() * 0.5 + 0.5).powi(2);
        let sun = ((u - 0.7).hypot((v - 0.35) * 0.75) < 0.16) as u32 as f32;
        let edge = (u.min(1.0 - u).min(v).min(1.0 - v) * 18.0).min(1.0);
        [0.1 + 0.75 * sun, 0.18 + 0.35 * wave * (1.0 - sun) + 0.25 * sun, 0.55 * (1.0 - sun), 0.95 * edge]
    })?;
    Ok(paint::write_cut_out(&folder.join("badge.png"), [128, 128], |u, v| {
        let r = (u - 0.5).hypot(v - 0.5);
        let disc = ((0.46 - r) * 40.0).clamp(0.0, 1.0);
        let ink = paint::dots(42, 1.5 * (u - 0.5) + 0.5, 1.1 * (v - 0.5) + 0.5);
        [0.75 - 0.7 * ink, 0.14 - 0.12 * ink, 0.03, 0.9 * disc]
    })?)
}

fn add(glb: &mut Glb, name: &str, shape: &Shape, material: super::glb::Material) {
    let mesh = glb.mesh(name, &[(shape, material)]);
    glb.place_here(name, mesh);
}

fn ground(glb: &mut Glb) {
    let asphalt = glb.plain("asphalt", [0.11, 0.11, 0.115], 0.0, 0.8);
    let stone = glb.plain("stone", [0.4, 0.39, 0.36], 0.0, 0.9);
    add(glb, "road", &floor(60.0, 60.0), asphalt);
    add(glb, "kerb", &block(14.0, 0.14, 2.2).at(0.0, 0.0, -1.3), stone);
}

/// Decals are shipped 5 to 25 mm above what they paint.
fn road_decals(glb: &mut Glb) {
    let crossing = glb.plain("crossing", [1.0; 3], 0.0, 1.0);
    let stripes = (0..5).map(|k| floor(0.45, 2.6).at(-3.4 + 0.85 * k as f32, 0.0176, 2.4));
    add(glb, "crossing", &stripes.reduce(Shape::and).unwrap_or_default(), crossing);
    for (name, height, size, angle) in
        [("patch_high", 0.0099, 0.7, 0.5), ("patch_low", 0.0078, 2.2, 0.1), ("patch_middle", 0.0088, 1.4, -0.3)]
    {
        let material = glb.plain(name, [1.0; 3], 0.0, 1.0);
        add(glb, name, &floor(size, size * 0.7).turned(Vec3::Y, angle).at(1.6, height, 2.3), material);
    }
}

fn wall(glb: &mut Glb) {
    let plaster = glb.plain("plaster", [0.62, 0.58, 0.5], 0.0, 0.85);
    add(glb, "wall", &block(14.0, 3.4, 0.4).at(0.0, 0.0, -2.4), plaster);
    for x in [0.35, 2.2] {
        add(glb, "pillar", &cylinder(0.22, 3.0, 40).at(x, 0.0, -2.05), plaster);
    }
    let grime = glb.plain("grime", [1.0; 3], 0.0, 1.0);
    let notice = glb.plain("notice", [1.0; 3], 0.0, 1.0);
    let front = -2.2;
    add(glb, "grime", &panel(1.8, 1.9).at(-1.9, 1.35, front + 0.0022), grime);
    add(glb, "notice", &panel(0.9, 0.54).at(-2.0, 1.5, front + 0.0032), notice);
}

/// Instances receive boxes like anything else.
fn crates(glb: &mut Glb) {
    let wood = glb.plain("wood", [0.42, 0.29, 0.16], 0.0, 0.7);
    let crate_mesh = glb.mesh("crate", &[(&block(0.5, 0.34, 0.5), wood)]);
    let place = |x: f32, y: f32, z: f32, angle: f32| (vec3(x, y, z), Quat::from_rotation_y(angle), Vec3::ONE);
    let placements = [place(-1.5, 0.14, -0.9, 0.2), place(-2.15, 0.14, -0.65, 0.9), place(-1.85, 0.48, -0.85, 0.5)];
    glb.instances("crates", crate_mesh, &placements);
}
