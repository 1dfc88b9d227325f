//! Decals: what they paint, and that they neither shadow nor leak (TRANSPORT.md, "Decals";
//! families/world-glass-decals.md, last section).

#[path = "support/pictures.rs"]
mod pictures;

use glam::{DVec3, Mat4, Quat, Vec3, vec3};
use pictures::glb::Shape;
use pictures::shapes::{block, floor, quad};
use pictures::{Stage, channel, colours, mean, render};
use scrutineer::geometry::Ray;
use scrutineer::integrator::Integrator::{Gbuffer, Naive, Path};
use scrutineer::integrator::passage::{Origin, Passage};
use scrutineer::material::{Context, Point};
use scrutineer::scene::Scene;

/// Looks straight down, one metre wide.
const DOWN: &str = r#"
camera = { kind = "orthographic", position = [0, 2, 0], target = [0, 0, 0], up = [0, 0, -1], height = 1 }
[[geometry]]
file = "stage.glb"
"#;

fn settings(resolution: u32, samples: u32, max_depth: u32) -> String {
    format!(
        "[render]\nresolution = [{resolution}, {resolution}]\nfilter = \"box\"\nsamples = {samples}\nmax_depth = {max_depth}\n"
    )
}

/// A road decal of one colour and roughness; `mask` is its alpha test, where it has one.
fn road(name: &str, colour: [f32; 3], roughness: f32, mask: Option<&str>) -> String {
    let [r, g, b] = colour;
    let permutation = if mask.is_some() { "_decal_AM" } else { "_decal" };
    let mask = mask.map(|file| format!("DecalMaskATexture = {{ file = \"{file}\", colour_space = \"linear\" }}\n"));
    format!(
        "[materials.{name}]\nfamily = \"uber_roaddecal\"\npermutation = \"{permutation}\"\n[materials.{name}.textures]\n\
         DecalDiffuseATexture = {{ constant = [{r}, {g}, {b}, {roughness}] }}\n\
         DecalNormalA = {{ constant = [0.62, 0.45, 1, 1] }}\n{}",
        mask.unwrap_or_default()
    )
}

/// A mesh decal with all three targets: weight `a` for colour and roughness, `a·normal_weight` for the normal.
fn mesh(name: &str, colour: [f32; 3], a: f32, normal_weight: f32) -> String {
    let [r, g, b] = colour;
    format!(
        "[materials.{name}]\nfamily = \"environmentdeferreddecal\"\npermutation = \"_Standard_DR_NAO\"\n\
         [materials.{name}.parameters]\nNormalAOIntensity = {normal_weight}\n[materials.{name}.textures]\n\
         DiffAlphaTex = {{ constant = [{r}, {g}, {b}, {a}] }}\nNormalTex = {{ constant = [0.8, 0.5, 1, 1] }}\n\
         RoughMetAOTex = {{ constant = [0.25, 0, 0.4, 1] }}\n"
    )
}

/// A yard with a block, a wall and an overhang, under sky, sun disc and a lamp: the ground is `ground`, with a decal or without.
fn yard(decal: bool) -> Scene {
    let mut stage = Stage::new();
    stage.add(if decal { "ground" } else { "paint" }, &floor(6.0, 6.0));
    if decal {
        stage.add("paint", &floor(6.0, 6.0).at(0.0, 0.008, 0.0));
    }
    // Nothing but the ground reaches into the gap: the same rays meet the same things with a decal and without.
    stage.add("block", &block(0.5, 0.6, 0.5).at(0.2, 0.3, -0.2));
    stage
        .add("wall", &quad([vec3(-2.0, 0.1, -1.0), vec3(2.0, 0.1, -1.0), vec3(2.0, 1.5, -1.0), vec3(-2.0, 1.5, -1.0)]));
    let lamp = stage.glb.emissive("lamp", [1.0, 0.8, 0.6], 3.0);
    let downward = Mat4::from_scale(vec3(1.0, -1.0, -1.0));
    stage.add_with("lamp", &floor(0.5, 0.5).transformed(downward).at(-0.7, 0.8, 0.3), lamp);
    let kind = if decal { "" } else { "kind = \"surface\"\n" };
    let text = format!(
        "camera = {{ position = [0.5, 1.2, 3], target = [0, 0.2, 0], vertical_fov = 35 }}\n\
         [[geometry]]\nfile = \"stage.glb\"\n{kind}[sun]\ndirection = [0.5, 0.4, 0.3]\nirradiance = [6, 6, 5]\nangular_diameter = 6\n\
         [sky]\nkind = \"constant\"\nradiance = [0.2, 0.3, 0.5]\n{}{}",
        settings(24, 256, 4),
        road("paint", [0.6, 0.3, 0.1], 0.4, None),
    );
    stage.load(&text)
}

#[test]
fn a_road_decal_renders_as_a_ground_of_its_material() {
    let (decal, plain) = (render(&yard(true), Path, &[]), render(&yard(false), Path, &[]));
    mean(&decal).assert_equals(&mean(&plain), 0.02, "yard");
    // Pixel by pixel, shadows and bounces included; a pixel may hold an edge that the decal's height moves.
    let (a, b, error) = (colours(&decal, "beauty"), colours(&plain, "beauty"), colours(&plain, "beauty_stderr"));
    let off = |k: usize| (a[k] - b[k]).abs().cmpgt(error[k] * 5.0 + 0.01 * b[k]).any();
    let count = (0..a.len()).filter(|k| off(*k)).count();
    assert!(count <= a.len() / 50, "{count} of {} pixels differ", a.len());
}

/// The yard with a decal full of holes and a glowing one.
#[test]
fn path_and_naive_agree_on_decals() {
    let mut stage = Stage::new();
    stage.add("ground", &floor(6.0, 6.0));
    stage.image("mask.png", 8, |x, y| if (x / 2 + y / 2) % 2 == 0 { 255 } else { 0 });
    stage.add("paint", &floor(4.0, 4.0).at(0.0, 0.008, 0.0));
    stage.add("block", &block(0.5, 0.6, 0.5).at(0.2, 0.0, -0.2));
    stage.add("cover", &floor(0.3, 0.3).at(-0.4, 0.025, 0.6));
    stage.add("grime", &floor(1.0, 1.0).at(0.5, 0.012, 0.5));
    let decals = road("paint", [0.6, 0.3, 0.1], 0.4, Some("mask.png")) + &road("cover", [0.1, 0.3, 0.6], 0.7, None);
    write_glow(&stage);
    let text = format!(
        "camera = {{ position = [0.5, 1.2, 3], target = [0, 0.1, 0], vertical_fov = 30 }}\n\
         [[geometry]]\nfile = \"stage.glb\"\n[[geometry]]\nfile = \"glow.glb\"\nkind = \"road_decal\"\n\
         [sky]\nkind = \"constant\"\nradiance = [0.2, 0.3, 0.5]\n{}{decals}{}",
        settings(16, 2048, 3),
        mesh("grime", [0.1, 0.4, 0.1], 0.6, 1.0),
    );
    let scene = stage.load(&text);
    let (path, naive) = (mean(&render(&scene, Path, &[])), mean(&render(&scene, Naive, &[])));
    path.assert_equals(&naive, 0.02, "decals");
}

/// Two glowing patches in a file of their own, to be road decals by `kind`; one lies under "cover".
fn write_glow(stage: &Stage) {
    let mut glb = pictures::glb::Glb::default();
    let glow = glb.emissive("glow", [0.9, 0.5, 0.1], 2.0);
    let patches = floor(0.6, 0.6).at(-0.5, 0.02, 0.5).and(floor(0.5, 0.5).at(0.8, 0.01, 0.9));
    let mesh = glb.mesh("patches", &[(&patches, glow)]);
    glb.place_here("patches", mesh);
    glb.write(&stage.folder.path().join("glow.glb")).expect("a GLB in the temporary folder");
}

#[test]
fn light_is_computed_at_the_receiver_and_the_gap_is_neither_lit_nor_dark() {
    // A lamp stands in the gap's height beside the patch: light that crept in would be seen.
    let lit = |decal: bool| {
        let mut stage = Stage::new();
        stage.add(if decal { "ground" } else { "paint" }, &floor(6.0, 6.0));
        if decal {
            stage.add("paint", &floor(2.0, 2.0).at(0.0, 0.02, 0.0));
        }
        let kind = if decal { "" } else { "kind = \"surface\"\n" };
        let lamp = "[[lights]]\nkind = \"point\"\nposition = [1.5, 0.01, 0]\nintensity = [5, 5, 5]\n";
        let text = format!("{DOWN}{kind}{lamp}{}{}", settings(8, 16, 2), road("paint", [0.6, 0.3, 0.1], 0.9, None));
        mean(&render(&stage.load(&text), Path, &[])).value
    };
    let (decal, plain) = (lit(true), lit(false));
    assert!(plain[0] > 0.0);
    assert!((0..3).all(|c| (decal[c] / plain[c] - 1.0).abs() < 1e-4), "{decal:?} {plain:?}");
}

#[test]
fn a_road_decal_out_of_reach_is_an_ordinary_surface() {
    let shaded = |height: f32| {
        let mut stage = Stage::new();
        stage.add("ground", &floor(6.0, 6.0));
        stage.add("paint", &floor(0.5, 0.5).at(0.0, height, 0.0));
        let text = format!(
            "{DOWN}[sun]\ndirection = [0.5, 1, 0]\nirradiance = [10, 10, 10]\nangular_diameter = 0\n{}{}",
            settings(32, 16, 2),
            road("paint", [0.5, 0.5, 0.5], 1.0, None)
        );
        let film = render(&stage.load(&text), Path, &["decal_weight"]);
        let dark = channel(&film, "beauty", 0).iter().filter(|value| **value == 0.0).count();
        (dark, channel(&film, "decal_weight", 0).iter().filter(|weight| **weight == 1.0).count())
    };
    let (dark, painted) = shaded(0.05);
    assert!(dark == 0 && painted > 200, "{dark} {painted}");
    let (dark, painted) = shaded(0.2);
    assert!(dark > 20 && painted == 0, "a patch 0.2 m above throws its shadow: {dark} {painted}");
}

/// Five patches a millimetre apart, 6 km from the scene's centre, each in its own placement, in a scrambled order of instances.
fn far_stack(tilt: f32, camera: DVec3, own_placements: bool) -> (Scene, [f32; 3]) {
    let colours = [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1], [0.1, 0.1, 0.9], [0.9, 0.9, 0.1], [0.1, 0.9, 0.9]];
    let mut stage = Stage::new();
    let turn = Quat::from_rotation_z(tilt) * Quat::from_rotation_y(0.7);
    let place = |stage: &mut Stage, name: &str, shape: &Shape, height: f32| {
        let material = stage.glb.plain(name, [0.5; 3], 0.0, 1.0);
        let up = turn * Vec3::Y;
        let (shape, offset) = match own_placements {
            true => (shape.clone(), up * height),
            false => (shape.clone().at(0.0, height, 0.0), Vec3::ZERO),
        };
        let mesh = stage.glb.mesh(name, &[(&shape, material)]);
        stage.glb.place(name, mesh, vec3(6000.3, 11.7, -431.9) + offset, turn, Vec3::ONE);
    };
    for layer in [2usize, 0, 4, 1, 3] {
        place(&mut stage, &format!("layer{layer}"), &floor(40.0, 40.0), 0.007 + 0.001 * layer as f32);
    }
    place(&mut stage, "ground", &floor(60.0, 60.0), 0.0);
    let far = stage.glb.plain("far", [0.5; 3], 0.0, 1.0);
    let mesh = stage.glb.mesh("far", &[(&floor(1.0, 1.0), far)]);
    stage.glb.place("far", mesh, vec3(-6000.0, 0.0, 0.0), Quat::IDENTITY, Vec3::ONE);
    let [x, y, z] = camera.to_array();
    let mut text = format!(
        "camera = {{ kind = \"orthographic\", position = [{x}, {y}, {z}], target = [6000.3, 11.7, -431.9], up = [0, 0, -1], height = 0.2 }}\n\
         [[geometry]]\nfile = \"stage.glb\"\n{}",
        settings(48, 1, 2)
    );
    for (layer, colour) in colours.iter().enumerate() {
        text += &road(&format!("layer{layer}"), *colour, 0.5, None);
    }
    (stage.load(&text), colours[4])
}

#[test]
fn stacks_a_millimetre_apart_show_the_top_layer_two_kilometres_away() {
    for (own_placements, tilt) in [(false, 0.0), (false, 0.31), (true, 0.0)] {
        // From above, and at about 6, 1.4 and 0.6 degrees from the ground.
        for (up, along) in [(2000.0, 100.0), (200.0, 1990.0), (50.0, 2000.0), (20.0, 1900.0)] {
            let camera = DVec3::new(6000.3, 11.7 + up, -431.9 + along);
            let (scene, top) = far_stack(tilt, camera, own_placements);
            let seen = colours(&render(&scene, Gbuffer, &["albedo"]), "albedo");
            let wrong = seen.iter().filter(|albedo| albedo.distance(Vec3::from(top)) > 1e-5).count();
            assert_eq!(wrong, 0, "of {} pixels, {up} m above, tilt {tilt}, {own_placements}", seen.len());
        }
    }
}

/// A flat receiver (albedo ½, roughness 1, metalness 0) under mesh decals, seen by the G-buffer.
fn painted_floor(heights: &[(&str, f32)], extra: &str) -> scrutineer::film::Film {
    let mut stage = Stage::new();
    stage.add("ground", &floor(6.0, 6.0));
    for (name, height) in heights {
        stage.add(name, &floor(4.0, 4.0).at(0.0, *height, 0.0));
    }
    let materials = mesh("a", [0.9, 0.2, 0.1], 0.6, 0.5)
        + &mesh("b", [0.1, 0.2, 0.9], 0.25, 1.0)
        + &road("r", [0.3, 0.3, 0.3], 0.7, None);
    let scene = stage.load(&format!("{DOWN}{}{materials}{extra}", settings(2, 16, 2)));
    render(
        &scene,
        Path,
        &["albedo", "roughness", "ambient_occlusion", "RT2", "decal_weight", "receiver_RT0", "metalness"],
    )
}

/// The normal that the decals write in the game frame: T = +X, N = +Y, x = 2·0.8 − 1.
fn decal_normal() -> Vec3 {
    vec3(0.6, 0.8, 0.0)
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 2e-4
}

#[test]
fn mesh_decals_compose_to_the_values_of_a_hand_computation() {
    let film = painted_floor(&[("b", 0.004), ("a", 0.002)], "");
    let albedo = colours(&film, "albedo")[0];
    let first = Vec3::splat(0.5).lerp(vec3(0.9, 0.2, 0.1), 0.6);
    let expected = first.lerp(vec3(0.1, 0.2, 0.9), 0.25);
    assert!(albedo.abs_diff_eq(expected, 2e-4), "{albedo} {expected}");
    // Roughness 1 → 0.25 at 0.6, then at 0.25; occlusion 1 → 0.4 likewise.
    let twice = |own: f32, paint: f32| own + (paint - own) * 0.6 + (paint - (own + (paint - own) * 0.6)) * 0.25;
    assert!(close(channel(&film, "roughness", 0)[0], twice(1.0, 0.25)));
    assert!(close(channel(&film, "ambient_occlusion", 0)[0], twice(1.0, 0.4)));
    assert_eq!(channel(&film, "metalness", 0)[0], 0.0);
    let once = Vec3::Y.lerp(decal_normal(), 0.3).normalize();
    let normal = colours(&film, "RT2")[0];
    let expected = once.lerp(decal_normal(), 0.25).normalize();
    assert!(normal.abs_diff_eq(expected, 3e-3), "{normal} {expected}");
    assert!(close(channel(&film, "decal_weight", 0)[0], 1.0 - 0.4 * 0.75));
    assert!(close(channel(&film, "receiver_RT0", 0)[0], 0.5));
}

#[test]
fn the_composite_can_be_limited_to_the_albedo_or_left_out() {
    let of = |how: &str| painted_floor(&[("a", 0.002)], &format!("[world]\ndecal_composite = \"{how}\"\n"));
    let film = of("albedo");
    assert!(close(channel(&film, "albedo", 0)[0], 0.74) && close(channel(&film, "roughness", 0)[0], 1.0));
    let film = of("none");
    assert!(close(channel(&film, "albedo", 0)[0], 0.5) && channel(&film, "decal_weight", 0)[0] == 0.0);
}

#[test]
fn mesh_decals_reach_as_far_as_the_world_says() {
    let painted =
        |height: f32, extra: &str| channel(&painted_floor(&[("a", height)], extra), "decal_weight", 0)[0] > 0.0;
    assert_eq!([painted(0.055, ""), painted(0.065, "")], [true, false]);
    assert!(painted(0.065, "[world]\ndecal_reach = 0.1\n"));
}

#[test]
fn road_decals_receive_mesh_decals_above_them_and_hide_those_below() {
    let film = painted_floor(&[("b", 0.004), ("r", 0.008), ("a", 0.012)], "");
    let albedo = colours(&film, "albedo")[0];
    assert!(albedo.abs_diff_eq(Vec3::splat(0.3).lerp(vec3(0.9, 0.2, 0.1), 0.6), 2e-4), "{albedo}");
    assert!(close(channel(&film, "receiver_RT0", 0)[0], 0.5));
}

#[test]
fn water_does_not_receive() {
    let mut stage = Stage::new();
    stage.add("water", &floor(6.0, 6.0));
    stage.add("a", &floor(4.0, 4.0).at(0.0, 0.002, 0.0));
    let water = "[materials.water]\nfamily = \"uber_water\"\n[materials.water.parameters]\nInScatterColourA = [0.1, 0.2, 0.3]\n";
    let scene = stage.load(&format!("{DOWN}{}{water}{}", settings(2, 1, 2), mesh("a", [0.9; 3], 1.0, 1.0)));
    let film = render(&scene, Gbuffer, &["albedo"]);
    assert!(colours(&film, "albedo")[0].abs_diff_eq(vec3(0.1, 0.2, 0.3), 1e-6));
}

#[test]
fn sixty_four_mesh_decals_on_one_ray_all_count() {
    let mut stage = Stage::new();
    stage.add("ground", &floor(6.0, 6.0));
    for k in 0..64 {
        stage.add("thin", &floor(4.0, 4.0).at(0.0, 0.0005 * (k + 1) as f32, 0.0));
    }
    let scene = stage.load(&format!("{DOWN}{}{}", settings(2, 1, 2), mesh("thin", [1.0; 3], 0.03, 0.0)));
    let film = render(&scene, Gbuffer, &["albedo"]);
    let expected = 1.0 - 0.5 * 0.97f32.powi(64);
    assert!(close(channel(&film, "albedo", 0)[0], expected));
}

/// A few hundred boxes over a bumpy ground and a tilted, instanced slab.
fn boxes(with: bool) -> Scene {
    let mut stage = Stage::new();
    let bumps = pictures::shapes::terrain(8.0, 8.0, 24, |x, z| 0.3 * (1.7 * x).sin() * (1.3 * z).cos());
    stage.add("ground", &bumps);
    stage.add("slab", &block(1.5, 0.2, 1.5).turned(Vec3::Z, 0.4).at(1.0, 0.8, 0.5));
    stage.file("boxes.jsonl", boxes_text());
    stage.image("mural.png", 16, |x, y| (x * 13 + y * 7) as u8);
    let projected =
        if with { "[[projected_decals]]\nmaterial = \"mural\"\nplacements = \"boxes.jsonl\"\n" } else { "" };
    let material = "[materials.mural]\nfamily = \"environmentdeferreddecal\"\npermutation = \"_Projected_DR\"\n\
         [materials.mural.textures]\nDiffAlphaTex = { file = \"mural.png\", colour_space = \"linear\" }\n\
         RoughMetAOTex = { constant = [0.3, 0, 1, 1] }\n";
    stage.load(&format!("{DOWN}{projected}{}{material}", settings(2, 1, 2)))
}

/// Three hundred placements, one a line.
fn boxes_text() -> String {
    let mut lines = String::new();
    let mut state = 7u32;
    let mut random = |low: f64, high: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * f64::from(state >> 8) / f64::from(1 << 24)
    };
    for _ in 0..300 {
        let (yaw, roll) = (random(0.0, std::f64::consts::PI), random(-0.3, 0.3) * 0.5);
        let turn = glam::DQuat::from_xyzw(0.0, yaw.sin(), 0.0, yaw.cos())
            * glam::DQuat::from_xyzw(roll.sin(), 0.0, 0.0, roll.cos());
        let position = [random(-4.0, 4.0), random(-0.3, 1.0), random(-4.0, 4.0)];
        let scale = [random(0.3, 1.5), random(0.3, 0.9), random(0.3, 1.5)];
        lines += &format!("{{\"position\":{position:?},\"rotation\":{:?},\"scale\":{scale:?}}}\n", turn.to_array());
    }
    lines
}

/// A ray from `from` toward `to`, relative to the scene's centre.
fn ray_between(scene: &Scene, from: DVec3, to: DVec3) -> Ray {
    let direction = (to - from).normalize().as_vec3();
    Ray { origin: (from - scene.centre).as_vec3(), direction, t_min: 0.0, t_max: f32::INFINITY }
}

#[test]
fn boxes_paint_what_the_probe_answers_at_random_receivers() {
    let (scene, bare) = (boxes(true), boxes(false));
    assert_eq!(scene.boxes.len(), 300);
    let records = {
        // The same file once more, as the probe's box inputs.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boxes.jsonl");
        std::fs::write(&path, boxes_text()).unwrap();
        scrutineer::scene::placements::read_boxes(&path).unwrap()
    };
    let mural = scene.names.materials.iter().position(|name| name == "mural").unwrap();
    let mural = &scene.materials[mural].material;
    let context = Context::new(&scene.world);
    let (mut painted, mut layered) = (0, 0);
    for k in 0..400 {
        let target = DVec3::new(f64::from(k % 20) * 0.4 - 3.9, 0.0, f64::from(k / 20) * 0.4 - 3.9);
        let ray = ray_between(&scene, target + DVec3::new(1.0, 5.0, 0.7), target);
        let [seen, own] = [&scene, &bare]
            .map(|scene| Passage::new(scene, [0, 0], false, 1).next(&ray, None, Origin::Camera).unwrap());
        let mut expected = own.gbuffer;
        let mut layers = 0;
        for record in &records {
            let position = (scene.centre + own.surface.p.as_dvec3()).as_vec3() * vec3(1.0, 1.0, -1.0);
            let point = Point {
                box_position: record.position.as_vec3(),
                box_row_a: record.row_a,
                box_row_b: record.row_b,
                box_scale: record.scale,
                receiver_position: position,
                receiver_normal: own.surface.ng_facing() * vec3(1.0, 1.0, -1.0),
                ..Point::default()
            };
            let answer = mural.evaluate(&point, &context);
            if !answer.discard {
                let targets = answer.decal.unwrap();
                expected.albedo = expected.albedo.lerp(targets.target0.truncate(), targets.target0.w);
                expected.roughness += (1.0 - targets.target2.x - expected.roughness) * targets.target2.w;
                layers += 1;
            }
        }
        painted += usize::from(layers > 0);
        layered += usize::from(layers > 1);
        assert!(seen.gbuffer.albedo.abs_diff_eq(expected.albedo, 2e-3), "{} {}", seen.gbuffer.albedo, expected.albedo);
        assert!((seen.gbuffer.roughness - expected.roughness).abs() < 2e-3);
        assert_eq!(seen.gbuffer.normal, own.gbuffer.normal);
    }
    assert!(painted > 100 && layered > 20, "{painted} {layered}");
}

#[test]
fn where_the_camera_stands_changes_nothing_but_what_hides_what() {
    let scene = boxes(true);
    let mut compared = 0;
    for k in 0..100 {
        let target = DVec3::new(f64::from(k % 10) * 0.7 - 3.3, 0.0, f64::from(k / 10) * 0.7 - 3.3);
        let mut passage = Passage::new(&scene, [0, 0], false, 1);
        let first =
            passage.next(&ray_between(&scene, target + DVec3::new(0.5, 6.0, 0.2), target), None, Origin::Camera);
        let p = scene.centre + first.as_ref().unwrap().surface.p.as_dvec3();
        let again =
            passage.next(&ray_between(&scene, p + DVec3::new(-1.5, 4.0, 1.0), p), None, Origin::Camera).unwrap();
        if again.surface.p.as_dvec3().distance(p - scene.centre) < 1e-4 {
            let first = first.unwrap().gbuffer;
            assert!(again.gbuffer.albedo.abs_diff_eq(first.albedo, 2e-3), "{} {}", again.gbuffer.albedo, first.albedo);
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn mistakes_with_decals_are_named() {
    let message = |text: &str, placements: &str| {
        let mut stage = Stage::new();
        stage.add("ground", &floor(1.0, 1.0));
        stage.file("boxes.jsonl", placements);
        let glass = "[materials.pane]\nfamily = \"glass\"\n[materials.mural]\nfamily = \"environmentdeferreddecal\"\n\
             permutation = \"_Projected_DR\"\n";
        let result = stage.try_load(&format!("{glass}{text}"));
        result.err().map_or_else(String::new, |error| error.to_string())
    };
    let boxes = "{\"position\":[0,0,0]}\n";
    let project = |name: &str| format!("[[projected_decals]]\nmaterial = \"{name}\"\nplacements = \"boxes.jsonl\"\n");
    assert_eq!(message(&project("mural"), boxes), "");
    assert!(message(&project("murall"), boxes).contains("did you mean \"mural\"?"));
    assert!(message(&project("pane"), boxes).contains("does not project"));
    assert!(message(&project("mural"), "{\"position\":[0,0]}\n").contains("boxes.jsonl:1"));
    let bound = |name: &str, kind: &str| {
        format!("[[geometry]]\nfile = \"stage.glb\"\n{kind}materials = {{ ground = \"{name}\" }}\n")
    };
    assert!(message(&bound("mural", ""), boxes).contains("list its boxes in [[projected_decals]]"));
    assert!(message(&bound("pane", "kind = \"road_decal\"\n"), boxes).contains("cannot be a decal"));
}
