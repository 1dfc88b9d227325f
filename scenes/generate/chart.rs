//! The material chart: a ball and a tile of every family and its main switches, in a rack of rows and columns.

mod swatches;
mod textures;

use std::path::Path;

use glam::{Quat, Vec2, Vec3, Vec4, vec2, vec3};

use crate::glb::{Glb, Material, Mesh, Shape};
use crate::shapes::{cylinder, panel, sphere};
use swatches::{Display, Swatch};

const COLUMNS: usize = 9;
/// Between two places, metres.
const PITCH: Vec2 = vec2(1.9, 1.25);
/// How far tiles lean back, radians: far enough for "up" to show, near enough to be seen.
const LEAN: f32 = 0.6;
/// What the varied places carry: modulate strength; a tide 9 m up (kilometres above 1.15 m) that also turns lights on.
const VARIATION: Vec3 = vec3(1.0, 2.0 / 255.0, 0.0);

const HEAD: &str =
    "# Every material family and its main switches; README.md says which is where. Made by scenes/generate.
[render]
resolution = [1280, 800]
samples = 64
max_depth = 6

[camera]
position = [0, 5.9, 30]
target = [0, 5.55, 0]
vertical_fov = 22

[world]
time = 0.3

[sun]
elevation = 42
azimuth = 145
irradiance = [3.2, 3.0, 2.7]

[sky]
kind = \"hosek\"
turbidity = 2.5
ground_albedo = 0.3
scale = 0.012

[[geometry]]
file = \"chart.glb\"

";

/// Writes the scene, its textures and its table.
pub fn make(folder: &Path) -> crate::Made {
    textures::write(folder)?;
    let mut chart = Chart::new();
    let mut scene = HEAD.to_owned() + &textures::entries();
    let mut table = TABLE_HEAD.to_owned();
    let swatches = swatches::all();
    for (index, swatch) in swatches.iter().enumerate() {
        let place = Place::new(index, swatches.len());
        chart.hang(&place, swatch);
        scene += &material_table(&place.name, swatch);
        if swatch.display == Display::Projected {
            scene += &projected(folder, &place)?;
        }
        let permutation = if swatch.permutation.is_empty() { "–" } else { swatch.permutation };
        table += &format!("| {} | `{}` | {permutation} | {} |\n", place.name, swatch.family, swatch.shows);
    }
    chart.rack();
    chart.glb.write(&folder.join("chart.glb"))?;
    std::fs::write(folder.join("chart.toml"), scene)?;
    Ok(std::fs::write(folder.join("README.md"), table)?)
}

const TABLE_HEAD: &str = "# The material chart

Rows are letters from the top, columns are numbers from the left; each place has a ball and a tile unless its family needs another
display. `scrutineer probe scenes/chart/chart.toml --pixel X,Y` says what a pixel shows. Made by
`cargo run --release --example generate-scenes`.

| place | family | permutation | what to see |
| --- | --- | --- | --- |
";

fn material_table(name: &str, swatch: &Swatch) -> String {
    let Swatch { family, permutation, parameters, textures, display, .. } = swatch;
    let double_sided = matches!(display, Display::Cards | Display::Flag | Display::Impostor);
    format!(
        "\n[materials.{name}]\nfamily = \"{family}\"\npermutation = \"{permutation}\"\ndouble_sided = {double_sided}\n\
         parameters = {{ {parameters} }}\ntextures = {{ {textures} }}\n"
    )
}

/// Writes the box of a place and gives its table: it projects onto the board from its front.
///
/// A box projects along its local −Y; half a turn about (0, 1, 1) makes that −Z with the picture upright (see decals.rs).
fn projected(folder: &Path, place: &Place) -> std::io::Result<String> {
    const EDGES: Vec3 = vec3(0.8, 0.9, 0.8);
    let half_turn = Quat::from_axis_angle(vec3(0.0, 1.0, 1.0).normalize(), std::f32::consts::PI);
    let rotation = (Quat::from_rotation_x(-LEAN) * half_turn).to_array();
    let record = serde_json::json!({
        "position": middle_of_board(place).to_array(), "rotation": rotation, "scale": EDGES.to_array()
    });
    let name = &place.name;
    std::fs::write(folder.join(format!("{name}.jsonl")), format!("{record}\n"))?;
    Ok(format!("\n[[projected_decals]]\nmaterial = \"{name}\"\nplacements = \"{name}.jsonl\"\n"))
}

/// Where the box and the half ball of a projected decal are centred.
fn middle_of_board(place: &Place) -> Vec3 {
    place.at + along_tiles() * 0.45
}

/// Where a swatch hangs.
struct Place {
    /// Row letter and column number.
    name: String,
    /// The middle of the place's shelf.
    at: Vec3,
}

impl Place {
    fn new(index: usize, places: usize) -> Self {
        let (row, column) = (index / COLUMNS, index % COLUMNS);
        let rows = places.div_ceil(COLUMNS);
        let x = (column as f32 - (COLUMNS as f32 - 1.0) * 0.5) * PITCH.x;
        let y = (rows - 1 - row) as f32 * PITCH.y;
        Self { name: format!("{}{}", (b'A' + row as u8) as char, column + 1), at: vec3(x, y, 0.0) }
    }
}

struct Chart {
    glb: Glb,
    wall: Material,
    asphalt: Material,
    brick: Material,
    stripes: [Material; 2],
    ball: Shape,
    tile: Shape,
}

impl Chart {
    fn new() -> Self {
        let mut glb = Glb::default();
        let wall = glb.plain("wall", [0.22, 0.22, 0.22], 0.0, 0.9);
        let asphalt = glb.plain("plate", [0.07, 0.07, 0.075], 0.0, 0.85);
        let brick = glb.plain("board", [0.30, 0.13, 0.08], 0.0, 0.8);
        let stripes = [glb.plain("light stripe", [0.75; 3], 0.0, 0.8), glb.plain("dark stripe", [0.08; 3], 0.0, 0.8)];
        Self {
            glb,
            wall,
            asphalt,
            brick,
            stripes,
            ball: dressed(sphere(0.42, 48).tiled(2.0, 1.0), 0.0),
            tile: dressed(leaning(panel(0.84, 0.84)), 1.0).coloured(|uv| Vec3::ONE.extend(uv.x)),
        }
    }

    fn hang(&mut self, place: &Place, swatch: &Swatch) {
        // glTF materials of the scene's names: an equal name binds by itself.
        let material = self.glb.plain(&place.name, [0.5; 3], 0.0, 0.5);
        let right = place.at + vec3(0.45, 0.0, 0.0);
        let middle = place.at + vec3(-0.45, 0.5, 0.0);
        match swatch.display {
            Display::BallAndTile | Display::Varied => {
                let varied = swatch.display == Display::Varied;
                self.put(place, "ball", &self.ball.clone(), material, middle, varied);
                self.put(place, "tile", &self.tile.clone(), material, right, varied);
            }
            Display::Cards => {
                self.put(place, "cards", &cards(), material, place.at + vec3(-0.45, 0.0, 0.0), false);
                self.put(place, "tile", &self.tile.clone(), material, right, false);
            }
            Display::Glass => {
                self.striped_board(place);
                self.put(place, "ball", &self.ball.clone(), material, middle, false);
                self.put(
                    place,
                    "pane",
                    &dressed(panel(0.84, 0.84), 0.0),
                    material,
                    right + vec3(0.0, 0.08, 0.0),
                    false,
                );
            }
            Display::Impostor => self.impostors(place, material),
            Display::Flag => self.put(place, "flag", &flag(), material, place.at, false),
            Display::Land => {
                let hills = |x: f32, z: f32| 0.07 * ((x * 4.0).sin() + (z * 5.0 + x).cos());
                let land = painted(crate::shapes::terrain(1.7, 1.2, 20, hills).turned(Vec3::X, 0.7), |_| Vec4::ONE);
                self.put(place, "land", &land, material, place.at + vec3(0.0, 0.4, 0.0), false);
            }
            Display::Wires => {
                self.put(place, "wires", &wires(), material, place.at + vec3(-0.45, 0.0, 0.0), false);
                self.put(place, "tile", &self.tile.clone(), material, right, false);
            }
            Display::RoadDecal => {
                let strip = painted(leaning(panel(1.6, 0.6)), vec4_road);
                self.put(place, "plate", &leaning(panel(1.75, 0.9)), self.asphalt, place.at, false);
                let lift = normal_of_tiles() * 0.01 + along_tiles() * 0.15;
                self.put(place, "decal", &strip, material, place.at + lift, false);
            }
            Display::MeshDecal => {
                self.put(place, "board", &leaning(panel(1.75, 0.9)), self.brick, place.at, false);
                let quad = painted(leaning(panel(0.8, 0.8)), |_| Vec4::ONE);
                let lift = normal_of_tiles() * 0.002 + along_tiles() * 0.05;
                self.put(place, "decal", &quad, material, place.at + lift, false);
            }
            Display::Projected => {
                self.put(place, "board", &leaning(panel(1.75, 0.9)), self.brick, place.at, false);
                self.put(place, "bump", &sphere(0.28, 48), self.brick, middle_of_board(place), false);
            }
        }
    }

    fn put(&mut self, place: &Place, what: &str, shape: &Shape, material: Material, at: Vec3, varied: bool) {
        let name = format!("{} {what}", place.name);
        let mesh: Mesh = self.glb.mesh(&name, &[(shape, material)]);
        match varied {
            true => self.glb.place_varied(&name, mesh, at, Quat::IDENTITY, VARIATION),
            false => self.glb.place(&name, mesh, at, Quat::IDENTITY, Vec3::ONE),
        }
    }

    fn impostors(&mut self, place: &Place, material: Material) {
        let card = dressed(panel(1.0, 1.0), 0.0);
        let mesh = self.glb.mesh(&format!("{} card", place.name), &[(&card, material)]);
        for (what, x, turn) in [("card", -0.45, 0.0), ("turned card", 0.45, -0.7)] {
            let name = format!("{} {what}", place.name);
            self.glb.place(&name, mesh, place.at + vec3(x, 0.05, 0.0), Quat::from_rotation_y(turn), Vec3::ONE);
        }
    }

    fn striped_board(&mut self, place: &Place) {
        for index in 0..14 {
            let x = (index as f32 - 6.5) * 0.13;
            let stripe = panel(0.13, 1.05);
            let material = self.stripes[index % 2];
            self.put(place, &format!("stripe {index}"), &stripe, material, place.at + vec3(x, 0.02, -0.55), false);
        }
    }

    /// The shelves' wall behind everything.
    fn rack(&mut self) {
        let wall = self.glb.mesh("wall", &[(&panel(24.0, 16.0), self.wall)]);
        self.glb.place("wall", wall, vec3(0.0, -2.0, -0.9), Quat::IDENTITY, Vec3::ONE);
    }
}

/// Leans a panel back about its lower edge.
fn leaning(shape: Shape) -> Shape {
    shape.turned(Vec3::X, -LEAN)
}

fn normal_of_tiles() -> Vec3 {
    Quat::from_rotation_x(-LEAN) * Vec3::Z
}

fn along_tiles() -> Vec3 {
    Quat::from_rotation_x(-LEAN) * Vec3::Y
}

/// TEXCOORD_1 twice as dense, 2 as the first, 3 at a pavement's corner or not; vertex alpha from 0 at the
/// edges to 1 in the middle.
fn dressed(shape: Shape, corner: f32) -> Shape {
    let sets: [fn(Vec2) -> Vec2; 2] = [|uv| uv * 2.0, |uv| uv];
    let corner: fn(Vec2) -> Vec2 = if corner == 1.0 { |_| Vec2::X } else { |_| Vec2::ZERO };
    let shape = shape.with_uvs(&[sets[0], sets[1], corner]);
    shape.coloured(|uv| Vec3::ONE.extend(1.0 - (2.0 * uv.x.fract() - 1.0).abs()))
}

fn painted(shape: Shape, colour: fn(Vec2) -> Vec4) -> Shape {
    shape.with_uvs(&[|uv| uv, |uv| uv]).coloured(colour)
}

/// Road decals: full modulate, fading to the right, a middling overlay.
fn vec4_road(uv: Vec2) -> Vec4 {
    Vec4::new(1.0, 1.0 - 0.5 * uv.x, 0.5, 1.0)
}

fn cards() -> Shape {
    let card = |turn: f32| panel(0.9, 0.95).turned(Vec3::Y, turn);
    dressed(card(0.3).and(card(1.35)).and(card(2.4)), 0.0)
}

/// A cloth that waves in depth; half of the atlas across.
fn flag() -> Shape {
    let mut shape = crate::shapes::terrain(1.6, 0.95, 16, |x, _| 0.08 * (x * 5.5).sin());
    shape.uvs.iter_mut().for_each(|uv| uv.x *= 0.5);
    let shape = shape.turned(Vec3::X, std::f32::consts::FRAC_PI_2).at(0.0, 0.52, 0.0);
    painted(shape, |_| Vec4::ONE).with_uvs(&[|uv| uv, |uv| uv * vec2(2.0, 1.0)])
}

fn wires() -> Shape {
    let wire = |y: f32| cylinder(0.04, 0.84, 12).turned(Vec3::Z, -std::f32::consts::FRAC_PI_2).at(-0.42, y, 0.0);
    let all = (1..5).fold(wire(0.15), |all, index| all.and(wire(0.15 + 0.17 * index as f32)));
    dressed(all, 0.0)
}
