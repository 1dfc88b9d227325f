//! A pit lane on a late afternoon: textured asphalt, garages with lit signs, metal, instanced tyres and cones.

use std::path::Path;

use glam::{Quat, Vec2, Vec3, vec3};
use serde_json::json;

use super::glb::{Glb, Material, Shape};
use super::paint;
use super::shapes::{block, cone_body, cylinder, floor, lathe, panel, quad, sphere, terrain, tyre};

const SCENE: &str = r#"# A pit lane: sun, sky, metals, emissive signs, instances, a textured road.
[render]
resolution = [640, 360]
samples = 64
max_depth = 8

[camera]
position = [2.9, 1.55, 7.5]
target = [-0.9, 1.75, -9]
vertical_fov = 42

[cameras.garage]
position = [1.2, 1.5, -3.4]
target = [-7.5, 1.4, -7.6]
vertical_fov = 48

[cameras.wall]
position = [-3.5, 1.7, -14]
target = [5.5, 0.6, -20]
vertical_fov = 40

[sun]
elevation = 24
azimuth = 118
irradiance = [22, 19.5, 15.5]

[sky]
kind = "hosek"
turbidity = 3.2
ground_albedo = 0.25
scale = 0.055

[[geometry]]
file = "paddock.glb"
"#;

/// Garages along the lane, and the pitch between them, metres.
const GARAGES: u32 = 10;
const PITCH: f32 = 5.2;
/// The building's front, x.
const FRONT: f32 = -5.5;

/// The materials of the scene.
struct Paints {
    asphalt: Material,
    paint: Material,
    yellow: Material,
    concrete: Material,
    wall: Material,
    red: Material,
    dark: Material,
    steel: Material,
    chrome: Material,
    shutter: Material,
    rubber: Material,
    orange: Material,
    blue: Material,
    sign: Material,
    strip: Material,
    grass: Material,
    glass: Material,
}

/// Writes the scene and its textures.
pub fn make(folder: &Path) -> super::Made {
    textures(folder)?;
    let mut glb = Glb::default();
    let paints = materials(&mut glb);
    ground(&mut glb, &paints);
    building(&mut glb, &paints);
    interiors(&mut glb, &paints);
    pit_wall(&mut glb, &paints);
    props(&mut glb, &paints);
    background(&mut glb, &paints);
    glb.write(&folder.join("paddock.glb"))?;
    Ok(std::fs::write(folder.join("paddock.toml"), SCENE)?)
}

fn asphalt_height(u: f32, v: f32) -> f32 {
    let grain = paint::noise(u, v, 128, 11) * 0.6 + paint::noise(u, v, 64, 12) * 0.4;
    grain * 0.0035
}

fn textures(folder: &Path) -> super::Made {
    paint::write(&folder.join("asphalt.png"), [256, 256], true, |u, v| {
        let grain = paint::fractal(u, v, 48, 3, 1);
        let stain = paint::fractal(u, v, 4, 4, 7);
        let level = 0.055 + 0.09 * grain * grain + 0.05 * (stain - 0.5);
        [level * 1.02, level, level * 0.97]
    })?;
    paint::write(&folder.join("asphalt_orm.png"), [256, 256], false, |u, v| {
        let worn = paint::fractal(u, v, 5, 4, 7);
        [1.0, 0.62 + 0.5 * (worn - 0.5), 0.0]
    })?;
    paint::write_normals(&folder.join("asphalt_normal.png"), 256, asphalt_height)?;
    paint::write(&folder.join("concrete.png"), [128, 128], true, |u, v| {
        let level = 0.36 + 0.16 * (paint::fractal(u, v, 6, 5, 21) - 0.5);
        [level, level * 0.985, level * 0.95]
    })?;
    // Ten cells of one sign each, side by side.
    Ok(paint::write(&folder.join("signs.png"), [120 * GARAGES, 72], true, |u, v| {
        let cell = (u * GARAGES as f32) as u32;
        let lit = paint::dots(11 + 2 * cell, (u * GARAGES as f32).fract(), v);
        let colour = if cell % 3 == 1 { [0.2, 0.9, 1.0] } else { [1.0, 0.42, 0.06] };
        colour.map(|c| c * lit + 0.004)
    })?)
}

fn materials(glb: &mut Glb) -> Paints {
    let (colour, orm, normal) =
        (glb.texture("asphalt.png"), glb.texture("asphalt_orm.png"), glb.texture("asphalt_normal.png"));
    let (concrete, signs) = (glb.texture("concrete.png"), glb.texture("signs.png"));
    let asphalt = glb.material(
        "asphalt",
        json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": colour }, "metallicFactor": 0.0,
                                          "metallicRoughnessTexture": { "index": orm } },
                "normalTexture": { "index": normal } }),
    );
    let textured = |tint: [f32; 3], roughness: f32| {
        json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": concrete }, "metallicFactor": 0.0,
                                          "baseColorFactor": [tint[0], tint[1], tint[2], 1.0],
                                          "roughnessFactor": roughness } })
    };
    Paints {
        asphalt,
        paint: glb.plain("white paint", [0.72, 0.72, 0.7], 0.0, 0.55),
        yellow: glb.plain("yellow paint", [0.75, 0.5, 0.03], 0.0, 0.5),
        concrete: glb.material("concrete", textured([1.0, 1.0, 1.0], 0.85)),
        wall: glb.material("render", textured([1.6, 1.6, 1.62], 0.7)),
        red: glb.plain("red lacquer", [0.55, 0.02, 0.015], 0.0, 0.4),
        dark: glb.plain("dark panel", [0.03, 0.032, 0.036], 0.0, 0.4),
        steel: glb.plain("brushed steel", [0.56, 0.57, 0.58], 1.0, 0.42),
        chrome: glb.plain("chrome", [0.66, 0.67, 0.68], 1.0, 0.24),
        shutter: glb.plain("shutter", [0.62, 0.63, 0.65], 1.0, 0.45),
        rubber: glb.plain("rubber", [0.018, 0.018, 0.019], 0.0, 0.75),
        orange: glb.plain("orange plastic", [0.75, 0.12, 0.01], 0.0, 0.45),
        blue: glb.plain("blue lacquer", [0.02, 0.07, 0.35], 0.0, 0.4),
        sign: glb.material(
            "sign",
            json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.01, 0.01, 0.01, 1.0], "metallicFactor": 0.0,
                                              "roughnessFactor": 0.5 },
                    "emissiveTexture": { "index": signs }, "emissiveFactor": [1.0, 1.0, 1.0],
                    "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 14.0 } } }),
        ),
        strip: glb.emissive("light strip", [1.0, 0.9, 0.74], 26.0),
        grass: glb.plain("grass", [0.09, 0.14, 0.035], 0.0, 0.9),
        glass: glb.plain("tinted glazing", [0.02, 0.028, 0.032], 0.0, 0.35),
    }
}

fn add(glb: &mut Glb, name: &str, shape: &Shape, material: Material) {
    let mesh = glb.mesh(name, &[(shape, material)]);
    glb.place_here(name, mesh);
}

/// A strip of paint on the ground: centre, width along x, length along z.
fn mark(x: f32, z: f32, width: f32, length: f32) -> Shape {
    floor(width, length).at(x, 0.004, z)
}

fn ground(glb: &mut Glb, paints: &Paints) {
    add(glb, "lane", &floor(18.0, 90.0).tiled(6.0, 30.0).at(3.5, 0.0, -30.0), paints.asphalt);
    let line = mark(-1.9, -30.0, 0.14, 90.0).and(mark(4.4, -30.0, 0.14, 90.0));
    let dashes = (0..18).map(|k| mark(1.25, 8.0 - 4.5 * k as f32, 0.12, 2.0)).reduce(Shape::and);
    add(glb, "lines", &line.and(dashes.unwrap_or_default()), paints.paint);
    let boxes = (0..GARAGES).map(|k| {
        let z = garage_z(k);
        let bar = |dz: f32| mark(-3.7, z + dz, 3.2, 0.1);
        bar(-1.7).and(bar(1.7)).and(mark(-2.15, z, 0.1, 3.5))
    });
    add(glb, "pit boxes", &boxes.reduce(Shape::and).unwrap_or_default(), paints.yellow);
}

fn garage_z(index: u32) -> f32 {
    -1.5 - PITCH * index as f32
}

fn building(glb: &mut Glb, paints: &Paints) {
    let length = PITCH * GARAGES as f32;
    let middle = garage_z(0) - PITCH * (GARAGES - 1) as f32 * 0.5;
    let pillars = (0..=GARAGES).map(|k| block(0.7, 3.2, 0.75).at(FRONT, 0.0, garage_z(k) + PITCH * 0.5));
    add(glb, "pillars", &pillars.reduce(Shape::and).unwrap_or_default(), paints.wall);
    let storey = block(9.0, 2.7, length + 1.0).at(FRONT - 4.1, 4.15, middle);
    let beam = block(0.6, 0.95, length + 1.0).at(FRONT + 0.05, 3.2, middle);
    add(glb, "upper storey", &storey, paints.wall);
    add(glb, "fascia", &beam, paints.dark);
    add(glb, "terrace", &block(2.6, 0.16, length + 1.4).at(FRONT + 0.8, 4.1, middle), paints.concrete);
    add(glb, "roof", &block(11.6, 0.18, length + 2.0).at(FRONT - 3.2, 6.9, middle), paints.dark);
    let rail = (0..=GARAGES * 3)
        .map(|k| cylinder(0.018, 1.05, 10).at(FRONT + 1.98, 4.26, garage_z(0) + PITCH * 0.5 - PITCH / 3.0 * k as f32));
    let bars = [4.62, 4.95, 5.3].map(|y| {
        cylinder(0.022, length, 12).turned(Vec3::X, -std::f32::consts::FRAC_PI_2).at(
            FRONT + 1.98,
            y,
            middle + length * 0.5,
        )
    });
    add(glb, "railing", &rail.chain(bars).reduce(Shape::and).unwrap_or_default(), paints.chrome);
    let window = block(0.05, 1.7, PITCH - 0.8);
    let windows = (0..GARAGES).map(|k| window.clone().at(FRONT + 0.42, 4.75, garage_z(k)));
    add(glb, "windows", &windows.reduce(Shape::and).unwrap_or_default(), paints.glass);
    for k in 0..GARAGES {
        sign(glb, paints, k);
    }
}

/// The number above a garage, and its frame.
fn sign(glb: &mut Glb, paints: &Paints, k: u32) {
    let mut face = panel(1.25, 0.75);
    for uv in &mut face.uvs {
        uv.x = (uv.x + k as f32) / GARAGES as f32;
    }
    let face = face.turned(Vec3::Y, std::f32::consts::FRAC_PI_2).at(FRONT + 0.432, 3.3, garage_z(k));
    add(glb, &format!("sign {}", 11 + 2 * k), &face, paints.sign);
    add(glb, "sign frame", &block(0.07, 0.85, 1.35).at(FRONT + 0.38, 3.25, garage_z(k)), paints.steel);
}

/// Open garages show a lit room; the others a corrugated shutter.
fn interiors(glb: &mut Glb, paints: &Paints) {
    let shutter = corrugated(PITCH - 0.7, 3.2).turned(Vec3::Y, std::f32::consts::FRAC_PI_2);
    let shut = glb.mesh("shutter", &[(&shutter, paints.shutter)]);
    let mut placements = Vec::new();
    for k in 0..GARAGES {
        if k % 3 == 2 {
            placements.push((vec3(FRONT - 0.1, 0.0, garage_z(k)), Quat::IDENTITY, Vec3::ONE));
        } else {
            room(glb, paints, k);
        }
    }
    glb.instances("shutters", shut, &placements);
}

fn room(glb: &mut Glb, paints: &Paints, k: u32) {
    let (z, depth, half) = (garage_z(k), 7.0, PITCH * 0.5 - 0.06);
    let (x0, x1) = (FRONT - depth, FRONT - 0.2);
    let p = |x: f32, y: f32, dz: f32| vec3(x, y, z + dz);
    let ground = quad([p(x0, 0.01, half), p(x1 + 0.5, 0.01, half), p(x1 + 0.5, 0.01, -half), p(x0, 0.01, -half)]);
    let back = quad([p(x0, 0., half), p(x0, 0., -half), p(x0, 3.2, -half), p(x0, 3.2, half)]);
    let left = quad([p(x1, 0., half), p(x0, 0., half), p(x0, 3.2, half), p(x1, 3.2, half)]);
    let right = quad([p(x0, 0., -half), p(x1, 0., -half), p(x1, 3.2, -half), p(x0, 3.2, -half)]);
    let ceiling = quad([p(x0, 3.2, -half), p(x1, 3.2, -half), p(x1, 3.2, half), p(x0, 3.2, half)]);
    add(glb, "garage", &back.and(left).and(right).and(ceiling), paints.wall);
    add(glb, "garage floor", &ground.tiled(2.0, 2.0), paints.concrete);
    let lamp = |dz: f32| {
        let (a, b) = (dz - 0.09, dz + 0.09);
        quad([p(x0 + 0.8, 3.15, a), p(x1 - 0.6, 3.15, a), p(x1 - 0.6, 3.15, b), p(x0 + 0.8, 3.15, b)])
    };
    add(glb, "lamps", &lamp(-1.1).and(lamp(1.1)), paints.strip);
    let cabinet = if k.is_multiple_of(2) { paints.red } else { paints.blue };
    add(glb, "cabinet", &block(0.6, 1.0, 2.4).at(x0 + 0.4, 0.0, z), cabinet);
    add(glb, "worktop", &block(0.66, 0.05, 2.5).at(x0 + 0.4, 1.0, z), paints.steel);
    add(
        glb,
        "drum",
        &drum().at(x1 - 1.0, 0.0, z - half + 0.5),
        if k.is_multiple_of(2) { paints.blue } else { paints.red },
    );
}

/// A panel along x whose section is a wave, looking along +Z.
fn corrugated(width: f32, height: f32) -> Shape {
    let rows = 96;
    let mut shape = Shape::default();
    for row in 0..=rows {
        let t = row as f32 / rows as f32;
        let phase = t * height * 40.0;
        let n = vec3(0.0, -phase.cos() * 0.56, 1.0).normalize();
        for side in [-0.5f32, 0.5] {
            shape.positions.push(vec3(side * width, t * height, phase.sin() * 0.014));
            shape.normals.push(n);
            shape.uvs.push(Vec2::new(side + 0.5, 1.0 - t));
        }
    }
    for row in 0..rows {
        let a = 2 * row;
        shape.indices.extend([a, a + 1, a + 3, a, a + 3, a + 2]);
    }
    shape
}

fn drum() -> Shape {
    let mut profile = vec![Vec2::new(0.0, 0.0), Vec2::new(0.29, 0.0)];
    for k in 0..=24 {
        let y = 0.02 + k as f32 / 24.0 * 0.84;
        let rib = if k == 8 || k == 16 { 0.012 } else { 0.0 };
        profile.push(Vec2::new(0.29 + rib, y));
    }
    profile.extend([Vec2::new(0.29, 0.88), Vec2::new(0.0, 0.88)]);
    lathe(&profile, 48)
}

fn pit_wall(glb: &mut Glb, paints: &Paints) {
    let wall = block(0.35, 1.0, 90.0).at(6.4, 0.0, -30.0);
    add(glb, "pit wall", &wall.tiled(40.0, 1.0), paints.concrete);
    add(glb, "pit wall cap", &block(0.42, 0.06, 90.0).at(6.4, 1.0, -30.0), paints.red);
    let post = glb.mesh("fence post", &[(&cylinder(0.04, 2.2, 16), paints.steel)]);
    let posts: Vec<_> = (0..31).map(|k| (vec3(6.4, 1.06, 12.0 - 3.0 * k as f32), Quat::IDENTITY, Vec3::ONE)).collect();
    glb.instances("fence posts", post, &posts);
    let cable = cylinder(0.012, 90.0, 8).turned(Vec3::X, -std::f32::consts::FRAC_PI_2);
    let cables = [1.5, 1.9, 2.3, 2.7, 3.1].map(|y| cable.clone().at(6.4, y, 15.0));
    add(glb, "cables", &cables.into_iter().reduce(Shape::and).unwrap_or_default(), paints.steel);
    let stand = block(1.2, 0.08, 2.6).at(5.45, 1.0, -6.0).and(block(0.08, 1.0, 2.6).at(5.9, 0.0, -6.0));
    add(glb, "timing stand", &stand, paints.dark);
    let roof = block(1.7, 0.06, 2.9).at(5.5, 2.35, -6.0);
    let legs = [(-1.25, 4.95), (1.25, 4.95)].map(|(dz, x): (f32, f32)| cylinder(0.03, 2.35, 12).at(x, 0.0, -6.0 + dz));
    add(glb, "stand roof", &roof, paints.blue);
    add(glb, "stand legs", &legs.into_iter().reduce(Shape::and).unwrap_or_default(), paints.chrome);
}

fn props(glb: &mut Glb, paints: &Paints) {
    let ring = glb.mesh("tyre", &[(&tyre(0.33, 0.3), paints.rubber)]);
    let mut tyres = Vec::new();
    for stack in 0..16u32 {
        let (x, z) = (5.75 - 0.02 * (stack % 3) as f32, 4.6 - 0.72 * stack as f32 - 6.6 * (stack / 4) as f32);
        for level in 0..4 {
            let turn = Quat::from_rotation_y(stack as f32 * 1.3 + level as f32 * 0.7);
            tyres.push((vec3(x + 0.02 * (level % 2) as f32, 0.3 * level as f32, z), turn, Vec3::ONE));
        }
    }
    for (k, z) in [-0.35f32, -2.65, -11.0].into_iter().enumerate() {
        let lean = Quat::from_rotation_z(1.38) * Quat::from_rotation_y(k as f32);
        tyres.push((vec3(-4.95, 0.33, z), lean, Vec3::ONE));
    }
    glb.instances("tyres", ring, &tyres);
    let cone = glb.mesh("cone", &[(&cone_body(), paints.orange), (&band(), paints.paint)]);
    let cones: Vec<_> =
        [(-1.9, 3.2), (-1.9, 1.4), (-1.75, -8.6), (-1.9, -13.8), (4.4, 1.5), (4.4, -15.0), (-1.9, -24.0)]
            .iter()
            .enumerate()
            .map(|(k, &(x, z))| (vec3(x, 0.0, z), Quat::from_rotation_y(k as f32), Vec3::splat(0.9)))
            .collect();
    glb.instances("cones", cone, &cones);
    trolley(glb, paints);
}

/// The white band around a cone.
fn band() -> Shape {
    lathe(&[Vec2::new(0.118, 0.27), Vec2::new(0.083, 0.43)], 28)
}

/// A polished gas trolley beside the nearest box.
fn trolley(glb: &mut Glb, paints: &Paints) {
    let bottle = cylinder(0.12, 0.95, 32).and(sphere(0.12, 32).at(0.0, 0.95, 0.0));
    let bottles = bottle.clone().at(-2.95, 0.12, -3.2).and(bottle.at(-2.68, 0.12, -3.2));
    add(glb, "bottles", &bottles, paints.chrome);
    add(glb, "trolley", &block(0.75, 0.08, 0.45).at(-2.82, 0.05, -3.2), paints.red);
    let handle = cylinder(0.016, 1.25, 12).at(-3.15, 0.1, -3.38).and(cylinder(0.016, 1.25, 12).at(-2.5, 0.1, -3.38));
    add(glb, "handle", &handle, paints.steel);
}

fn background(glb: &mut Glb, paints: &Paints) {
    let hill = |x: f32, z: f32| {
        let rise = ((-z - 10.0) / 110.0).clamp(0.0, 1.0) + ((x - 4.0) / 130.0).clamp(0.0, 1.0);
        let roll = (x * 0.045).sin() * 1.6 + (z * 0.061 + 1.0).sin() * 1.4;
        rise * rise * 13.0 + roll * rise.min(1.0) - 0.12
    };
    let land = terrain(420.0, 420.0, 150, hill);
    add(glb, "land", &land.at(0.0, 0.0, -60.0), paints.grass);
    add(glb, "track", &floor(13.0, 160.0).tiled(4.3, 53.0).at(16.0, 0.0, -45.0), paints.asphalt);
    let lamp_post = cylinder(0.09, 9.0, 20).and(block(0.5, 0.12, 1.6).at(0.0, 9.0, 0.0));
    let post = glb.mesh("lamp post", &[(&lamp_post, paints.steel)]);
    let posts: Vec<_> = (0..6).map(|k| (vec3(8.0, 0.0, 2.0 - 14.0 * k as f32), Quat::IDENTITY, Vec3::ONE)).collect();
    glb.instances("lamp posts", post, &posts);
}
