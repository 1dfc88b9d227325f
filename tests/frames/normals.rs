//! A quad under a normal map of one known texel, in every way that a quad can be placed.

use glam::{DVec3, Vec3};
use scrutineer::integrator::Integrator;
use serde_json::{Value, json};

use crate::scene::{Asset, Shape, Shot, orthographic, pbr, render, scene, vectors};

const TEXEL: [u8; 3] = [191, 153, 230];

/// The texel as a unit vector along tangent, bitangent and normal.
fn t() -> DVec3 {
    DVec3::from(TEXEL.map(|c| f64::from(c) / 255.0 * 2.0 - 1.0)).normalize()
}

/// The quad x, y ∈ [−½, ½] in z = 0 facing +Z, u along +X, v down, with the normal map, double-sided.
fn asset(shape: &Shape) -> Asset {
    let mut asset = Asset::default();
    let texture = asset.texture(&image::RgbImage::from_pixel(1, 1, image::Rgb(TEXEL)).into());
    let mut material = pbr([0.5, 0.5, 0.5, 1.0], 0.0, 0.5);
    material["normalTexture"] = json!({"index": texture});
    material["doubleSided"] = json!(true);
    let material = asset.material("mapped", material);
    asset.mesh("quad", shape, material);
    asset
}

fn quad() -> Shape {
    Shape::quad(Vec3::ZERO, Vec3::X * 0.5, Vec3::Y * 0.5)
}

/// RT2 (game frame) and N (scene frame) at the origin, seen from the direction `from`.
#[track_caller]
fn check(what: &str, asset: &Asset, geometry: &str, from: DVec3, expected: DVec3) {
    let camera = orthographic(DVec3::ZERO, from, 0.1);
    let toml = format!("[render]\nresolution = [1, 1]\n{camera}{geometry}\n");
    let scene = scene(&toml, asset);
    let film = render(&scene, &Shot { integrator: Integrator::Gbuffer, ..Shot::default() }, &["RT2", "N", "Ng"]);
    let [rt2, n, ng] = ["RT2", "N", "Ng"].map(|name| vectors(&film, name)[0]);
    let game = DVec3::new(expected.x, expected.y, -expected.z);
    assert!((rt2 - game).length() < 2e-6, "{what}: RT2 is {rt2}, expected {game}");
    // The AOV N looks at the viewer; RT2 stays as the family wrote it.
    let facing = if expected.dot(ng) < 0.0 { -expected } else { expected };
    assert!((n - facing).length() < 2e-6, "{what}: N is {n}, expected {facing}");
    assert!(ng.dot(from.normalize()) > 0.0, "{what}: Ng is {ng}");
}

const GEOMETRY: &str = "[[geometry]]\nfile = \"a.glb\"";

/// A quarter turn about an axis as glTF's quaternion.
fn quarter(axis: usize) -> [f64; 4] {
    let mut q = [0.0, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];
    q[axis] = std::f64::consts::FRAC_1_SQRT_2;
    q
}

/// Checks the quad under one node.
#[track_caller]
fn check_node(what: &str, shape: &Shape, mut node: Value, from: DVec3, expected: DVec3) {
    let mut asset = asset(shape);
    node["mesh"] = json!(0);
    asset.push("nodes", node);
    check(what, &asset, GEOMETRY, from, expected);
}

#[test]
fn given_and_generated_tangents() {
    let plain = quad();
    check_node("generated", &plain, json!({}), DVec3::Z, t());
    let given = Shape { normals: vec![Vec3::Z; 4], tangents: vec![[1.0, 0.0, 0.0, 1.0]; 4], ..quad() };
    check_node("given", &given, json!({}), DVec3::Z, t());
    // v up instead of v down: the bitangent's sign turns.
    let turned = Shape { tangents: vec![[1.0, 0.0, 0.0, -1.0]; 4], ..given.clone() };
    check_node("w = −1", &turned, json!({}), DVec3::Z, t() * DVec3::new(1.0, -1.0, 1.0));
    // A tangent along +Y: its bitangent is Z × Y = −X.
    let upward = Shape { tangents: vec![[0.0, 1.0, 0.0, 1.0]; 4], ..given };
    check_node("T = +Y", &upward, json!({}), DVec3::Z, DVec3::new(-t().y, t().x, t().z));
}

#[test]
fn mirrored_texture_coordinates() {
    let mut mirrored = quad();
    mirrored.uvs.iter_mut().for_each(|uv| uv.x = 1.0 - uv.x);
    check_node("u mirrored", &mirrored, json!({}), DVec3::Z, t() * DVec3::new(-1.0, 1.0, 1.0));
    let mut flipped = quad();
    flipped.uvs.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
    check_node("v mirrored", &flipped, json!({}), DVec3::Z, t() * DVec3::new(1.0, -1.0, 1.0));
}

#[test]
fn negative_scales_mirror_the_picture_with_the_surface() {
    for (scale, sign) in [
        ([-1.0, 1.0, 1.0], DVec3::new(-1.0, 1.0, 1.0)),
        ([1.0, -2.0, 1.0], DVec3::new(1.0, -1.0, 1.0)),
        ([1.0, 1.0, -1.0], DVec3::new(1.0, 1.0, -1.0)),
        ([-1.0, -1.0, -1.0], DVec3::NEG_ONE),
    ] {
        let front = DVec3::Z * sign.z;
        check_node("scaled", &quad(), json!({"scale": scale}), front, t() * sign);
        check_node("scaled, from behind", &quad(), json!({"scale": scale}), -front, t() * sign);
    }
}

#[test]
fn turned_nodes() {
    // About Y: X → −Z, Z → X. About X: Y → Z, Z → −Y. About Z: X → Y, Y → −X.
    let DVec3 { x, y, z } = t();
    check_node("about Y", &quad(), json!({"rotation": quarter(1)}), DVec3::X, DVec3::new(z, y, -x));
    check_node("about X", &quad(), json!({"rotation": quarter(0)}), DVec3::NEG_Y, DVec3::new(x, -z, y));
    check_node("about Z", &quad(), json!({"rotation": quarter(2)}), DVec3::Z, DVec3::new(-y, x, z));
}

#[test]
fn an_uneven_scale_turns_normals_by_its_inverse() {
    // The quad's plane contains Y and (1, 0, −1): its normal is (1, 0, 1)/√2. Stretched twice along x: (½, 0, 1).
    let slope = Shape::quad(Vec3::ZERO, Vec3::new(0.5, 0.0, -0.5), Vec3::Y * 0.5);
    let normal = DVec3::new(0.5, 0.0, 1.0).normalize();
    let tangent = DVec3::new(2.0, 0.0, -1.0).normalize();
    let expected = tangent * t().x + normal.cross(tangent) * t().y + normal * t().z;
    check_node("stretched", &slope, json!({"scale": [2, 1, 1]}), DVec3::Z, expected.normalize());
}

#[test]
fn gpu_instances() {
    let DVec3 { x, y, z } = t();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // Turned about Z, then mirrored along x by the node: (−y, x, z) → (y, x, z).
    let mut asset = asset(&quad());
    let rotation = asset.floats([[0.0, 0.0, half, half]].into_iter());
    asset.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    asset.push(
        "nodes",
        json!({"mesh": 0, "scale": [-1, 1, 1],
        "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"ROTATION": rotation}}}}),
    );
    check("instanced", &asset, GEOMETRY, DVec3::Z, DVec3::new(y, x, z));
}

#[test]
fn placements_of_the_scene_file() {
    let DVec3 { x, y, z } = t();
    let mut asset = asset(&quad());
    asset.push("nodes", json!({"mesh": 0}));
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (json!({"position": [0, 0, 0], "rotation": quarter(0)}), DVec3::NEG_Y, DVec3::new(x, -z, y)),
        (json!({"position": [0, 0, 0], "scale": [-2, 1, 1]}), DVec3::Z, DVec3::new(-x, y, z)),
        // Columns: X → Z, Y → Y, Z → X, which mirrors.
        (json!({"matrix": [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]}), DVec3::X, DVec3::new(z, y, x)),
    ];
    for (placement, from, expected) in cases {
        let file = folder.path().join("placed.jsonl");
        std::fs::write(&file, placement.to_string()).unwrap();
        let instances = format!("[[instances]]\nprototype = \"a.glb\"\nplacements = {file:?}");
        check(&placement.to_string(), &asset, &instances, from, expected);
    }
}

#[test]
fn the_geometrys_own_transform() {
    let DVec3 { x, y, z } = t();
    let mut asset = asset(&quad());
    asset.push("nodes", json!({"mesh": 0, "rotation": quarter(1)}));
    // About Y gives (z, y, −x); then mirrored along x.
    let geometry = format!("{GEOMETRY}\ntransform = {{ scale = [-1, 1, 1] }}");
    check("transform", &asset, &geometry, DVec3::NEG_X, DVec3::new(-z, y, -x));
}
