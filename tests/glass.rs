//! Glass: reflects, and lets straight light through, both at full weight (TRANSPORT.md, "Glass").

#[path = "support/pictures.rs"]
mod pictures;

use glam::vec3;
use pictures::glb::Shape;
use pictures::shapes::{block, floor, quad};
use pictures::{Stage, channel, colours, mean, render};
use scrutineer::integrator::Integrator::{Gbuffer, Naive, Path};
use scrutineer::scene::Scene;

/// An upright square of `side` metres at depth `z`, seen from +Z.
fn upright(side: f32, z: f32) -> Shape {
    let h = side * 0.5;
    quad([vec3(-h, -h, z), vec3(h, -h, z), vec3(h, h, z), vec3(-h, h, z)])
}

/// Looks along −Z, all rays alike.
const FRONTAL: &str = r#"
camera = { kind = "orthographic", position = [0, 0, 5], target = [0, 0, 0], height = 1 }
[[geometry]]
file = "stage.glb"
"#;

fn settings(samples: u32, max_depth: u32) -> String {
    format!("[render]\nresolution = [8, 8]\nfilter = \"box\"\nsamples = {samples}\nmax_depth = {max_depth}\n")
}

/// A glass material.
struct Pane {
    f0: f64,
    tint: [f64; 3],
    cloudyness: f64,
    fog: f64,
    roughness: f64,
}

const ALPHA: f64 = 0.3;

impl Pane {
    fn text(&self) -> String {
        let Self { f0, tint, cloudyness, fog, roughness } = self;
        format!(
            "[world]\nfog = {fog}\n[materials.pane]\nfamily = \"glass\"\n[materials.pane.parameters]\nTintColor = {tint:?}\n\
             Alpha = {ALPHA}\nCloudyness = {cloudyness}\nRoughness = {roughness}\nF0 = {f0}\n"
        )
    }

    /// 1 − k·c, documentation 001, "Glass transparency".
    fn transmittance(&self) -> [f64; 3] {
        let k = (0.4 * ALPHA + 0.5) * 0.98 * (1.0 - self.cloudyness) * (1.0 - self.fog);
        self.tint.map(|c| 1.0 - k * c)
    }

    /// The share of a constant sky that it reflects at normal incidence: the documented specular term by quadrature.
    fn reflectance(&self) -> f64 {
        let steps = 20_000;
        let width = std::f64::consts::FRAC_PI_2 / f64::from(steps);
        let at = |k| self.specular((f64::from(k) + 0.5) * width);
        (0..steps).map(at).sum::<f64>() * width * std::f64::consts::TAU
    }

    /// specular · n·l · sin θ for light at angle θ from the normal, the viewer on it.
    fn specular(&self, theta: f64) -> f64 {
        let (nl, h) = (theta.cos(), (theta * 0.5).cos());
        let a4 = self.roughness.max(0.05).powi(4);
        let d = a4 / (std::f64::consts::PI * (h * h * (a4 - 1.0) + 1.0).powi(2));
        let k = self.roughness.powi(2) / 2.0;
        let g = nl / (nl * (1.0 - k) + k);
        let f = self.f0 + (1.0 - self.f0) * (1.0 - h).powi(5);
        d * g * f / 4.0 * theta.sin()
    }
}

fn panes(count: u32, pane: &Pane, max_depth: u32, extra: &str, wall: Option<[f32; 3]>) -> Scene {
    let mut stage = Stage::new();
    for k in 0..count {
        stage.add("pane", &upright(400.0, -0.02 * k as f32));
    }
    if let Some(colour) = wall {
        stage.unlit("wall", colour, &upright(1000.0, -2.0));
    }
    stage.load(&format!("{FRONTAL}{}{}{extra}", settings(256, max_depth), pane.text()))
}

/// Reflects enough to count.
const CLEAR: Pane = Pane { f0: 0.2, tint: [1.0; 3], cloudyness: 0.0, fog: 0.0, roughness: 0.5 };
const TINTED: Pane = Pane { tint: [0.1, 0.5, 0.9], ..CLEAR };
const CLOUDY: Pane = Pane { cloudyness: 0.7, roughness: 0.9, ..TINTED };
const OPAQUE_CLOUD: Pane = Pane { cloudyness: 1.0, ..TINTED };
const FOGGY: Pane = Pane { fog: 0.4, ..TINTED };

const SKY: &str = "[sky]\nkind = \"constant\"\nradiance = [1, 1, 1]\n";

#[test]
fn panes_before_a_constant_sky_are_what_quadrature_says() {
    for (name, pane) in
        [("clear", CLEAR), ("tinted", TINTED), ("cloudy", CLOUDY), ("all cloud", OPAQUE_CLOUD), ("foggy", FOGGY)]
    {
        for count in [1, 10] {
            // Two segments: each pane reflects the sky once, through the panes in front of it, there and back.
            let film = render(&panes(count, &pane, 2, SKY, None), Path, &["glass_reflection", "glass_transmittance"]);
            let reflected = pane
                .transmittance()
                .map(|t| (0..count as i32).map(|k| t.powi(2 * k)).sum::<f64>() * pane.reflectance());
            let passed = pane.transmittance().map(|t| t.powi(count as i32));
            let expected = [0, 1, 2].map(|c| reflected[c] + passed[c]);
            mean(&film).assert_is(expected, 0.02, &format!("{count} {name}"));
            for pixel in colours(&film, "glass_transmittance") {
                let off = [0, 1, 2].map(|c| (f64::from(pixel[c]) - passed[c]).abs());
                assert!(off.iter().all(|off| *off < 1e-5), "{count} {name}: {pixel} is no estimate of {passed:?}");
            }
            let parts = colours(&film, "glass_reflection");
            let share = parts.iter().map(|pixel| f64::from(pixel.y)).sum::<f64>() / parts.len() as f64;
            assert!(
                (share / reflected[1] - 1.0).abs() < 0.05,
                "{count} {name}: {share} reflected, not {}",
                reflected[1]
            );
        }
    }
}

#[test]
fn naive_finds_the_same_panes() {
    let expected = TINTED.transmittance().map(|t| t + TINTED.reflectance());
    mean(&render(&panes(1, &TINTED, 2, SKY, None), Naive, &[])).assert_is(expected, 0.05, "naive");
}

#[test]
fn light_behind_ten_panes_does_not_depend_on_the_depth() {
    // Next to no reflection: deeper paths would add the light that panes send back and forth.
    let pane = Pane { f0: 0.0, ..TINTED };
    let wall = [0.9, 0.6, 0.3];
    let expected = [0, 1, 2].map(|c| pane.transmittance()[c].powi(10) * f64::from(wall[c]));
    for max_depth in [1, 2, 12] {
        let film = render(&panes(10, &pane, max_depth, "", Some(wall)), Path, &[]);
        mean(&film).assert_is(expected, 0.05, &format!("depth {max_depth}"));
    }
}

/// A floor seen from under a pane that hangs at y = 2, in a sun of no size.
fn floor_under(panes: u32, pane: &Pane) -> Scene {
    let mut stage = Stage::new();
    stage.add("ground", &floor(40.0, 40.0));
    for k in 0..panes {
        stage.add("pane", &floor(100.0, 100.0).at(0.0, 2.0 + 0.01 * k as f32, 0.0));
    }
    let camera =
        "camera = { kind = \"orthographic\", position = [0, 1, 0], target = [0, 0, 0], up = [0, 0, -1], height = 1 }\n";
    let light = "[[geometry]]\nfile = \"stage.glb\"\n[sun]\ndirection = [0.3, 0.8, 0.5]\nirradiance = [10, 10, 10]\nangular_diameter = 0\n";
    stage.load(&format!("{camera}{light}{}{}", settings(16, 2), pane.text()))
}

#[test]
fn the_sun_through_panes_is_multiplied_by_every_transmittance() {
    let bare = mean(&render(&floor_under(0, &TINTED), Path, &[])).value;
    assert!(bare[0] > 0.1);
    for count in [1, 3, 64] {
        let pane = if count == 64 { Pane { tint: [0.01, 0.02, 0.04], ..CLEAR } } else { TINTED };
        for integrator in [Path, Naive] {
            let lit = mean(&render(&floor_under(count, &pane), integrator, &[])).value;
            for c in 0..3 {
                let expected = bare[c] * pane.transmittance()[c].powi(count as i32);
                assert!((lit[c] / expected - 1.0).abs() < 1e-4, "{count} panes: {lit:?} not {expected} in {c}");
            }
        }
    }
}

/// A lit room with a tinted screen in the middle of it.
fn room() -> Scene {
    let mut stage = Stage::new();
    stage.add("ground", &floor(4.0, 4.0));
    stage.add("back", &upright(4.0, -2.0));
    stage.add("pane", &upright(1.4, 0.2).at(0.0, 0.7, 0.0));
    stage.add("pane", &upright(1.0, -0.4).at(0.3, 0.5, 0.0));
    stage.add("block", &block(0.4, 0.8, 0.4).at(-0.3, 0.0, -1.0));
    let lamp = stage.glb.emissive("lamp", [1.0, 0.8, 0.6], 4.0);
    stage.add_with(
        "lamp",
        &floor(1.5, 1.5).transformed(glam::Mat4::from_scale(vec3(1.0, -1.0, -1.0))).at(0.0, 2.5, 0.0),
        lamp,
    );
    let camera = "camera = { position = [0.3, 1, 4], target = [0, 0.6, 0], vertical_fov = 30 }\n[[geometry]]\nfile = \"stage.glb\"\n";
    let sky = "[sky]\nkind = \"constant\"\nradiance = [0.2, 0.3, 0.4]\n";
    stage.load(&format!("{camera}{sky}{}{}", settings(1024, 4), TINTED.text()))
}

#[test]
fn path_and_naive_agree_in_a_room_with_glass() {
    let scene = room();
    let (path, naive) = (mean(&render(&scene, Path, &[])), mean(&render(&scene, Naive, &[])));
    path.assert_equals(&naive, 0.02, "room");
}

#[test]
fn the_gbuffer_shows_the_glass_or_what_is_behind_it() {
    let wall = [0.9, 0.6, 0.3];
    let aovs = ["RT1", "emission", "material", "Z"];
    for (choice, emission, z) in [("glass", 0.0, 5.0), ("behind", 0.6, 7.0)] {
        let text = format!("{FRONTAL}{}glass_gbuffer = \"{choice}\"\n{}", settings(16, 4), TINTED.text());
        let mut stage = Stage::new();
        stage.add("pane", &upright(4.0, 0.0));
        stage.add("pane", &upright(4.0, -0.5));
        stage.unlit("wall", wall, &upright(10.0, -2.0));
        let scene = stage.load(&text);
        for integrator in [Path, Gbuffer] {
            let film = render(&scene, integrator, &aovs);
            assert!(channel(&film, "emission", 1).iter().all(|e| (e - emission).abs() < 1e-6), "{choice}");
            assert!(channel(&film, "Z", 0).iter().all(|depth| (depth - z).abs() < 1e-4), "{choice}");
        }
    }
}

#[test]
fn nothing_behind_glass_is_a_miss() {
    let text = format!("{FRONTAL}{}glass_gbuffer = \"behind\"\n{}{SKY}", settings(16, 4), TINTED.text());
    let mut stage = Stage::new();
    stage.add("pane", &upright(4.0, 0.0));
    let film = render(&stage.load(&text), Path, &["Z", "albedo"]);
    assert!(channel(&film, "Z", 0).iter().all(|z| z.is_infinite()));
    assert!(channel(&film, "albedo", 0).iter().all(|albedo| *albedo == 0.0));
    assert!(channel(&film, "beauty", 3).iter().all(|alpha| *alpha == 1.0));
}

#[test]
fn what_the_film_keeps_of_glass_changes_no_radiance() {
    let scene = room();
    let bare = colours(&render(&scene, Path, &[]), "beauty");
    assert_eq!(bare, colours(&render(&scene, Path, &["glass_transmittance", "glass_reflection", "RT0"]), "beauty"));
}

#[test]
fn gltf_transmission_is_thin_glass() {
    let mut stage = Stage::new();
    let body = serde_json::json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.4, 0.2, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.0 },
        "extensions": { "KHR_materials_transmission": { "transmissionFactor": 1.0 }, "KHR_materials_ior": { "ior": 1.5 } } });
    let pane = stage.glb.material("thin", body);
    stage.add_with("thin", &upright(400.0, 0.0), pane);
    stage.unlit("wall", [0.5, 0.5, 0.5], &upright(1000.0, -2.0));
    let film = render(&stage.load(&format!("{FRONTAL}{}", settings(256, 1))), Path, &["glass_transmittance"]);
    let tint = colours(&film, "glass_transmittance")[0];
    assert!(tint.x > tint.y && tint.y > tint.z && tint.z > 0.0, "{tint}");
    mean(&film).assert_is([0, 1, 2].map(|c| f64::from(tint[c]) * 0.5), 0.03, "thin glass");
}
