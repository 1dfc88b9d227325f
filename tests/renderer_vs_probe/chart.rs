//! Pixels of the chart: what is rendered, what the probe says along the ray, and what it says of the same points.

use std::path::{Path, PathBuf};

use glam::Vec3;
use scrutineer::probe::{self, Answer, Kind, PixelSurface, ProbeScene, Session};
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use scrutineer::texture::Store;

use crate::random::Random;
use crate::{Targets, assert_near, assert_same_answer, targets_of};

/// RT0…RT2 as a pixel's answers say: the first surface that is there, the mesh decals in front of it over it, then its boxes
/// (families/world-glass-decals.md, last section). With the surface and how many decals edited it.
fn composed(surfaces: &[PixelSurface], reach: f32) -> Option<(Vec<f32>, &PixelSurface, usize)> {
    let is_there = |surface: &&PixelSurface| !surface.answer.discard;
    let at = surfaces.iter().position(|one| is_there(&one) && one.kind != Kind::MeshDecal)?;
    let shown = &surfaces[at];
    let height = |decal: &PixelSurface| {
        // The chart's boards are flat: their normal is the geometric one.
        let [p, q, n] = [decal.point.position, shown.point.position, shown.point.normal].map(|v| Vec3::from(v.0));
        (p - q).dot(n).abs()
    };
    let mesh = surfaces[..at].iter().rev().filter(|one| height(one) <= reach);
    let boxes = surfaces[at + 1..].iter().take_while(|one| one.kind == Kind::ProjectedDecal);
    let decals: Vec<&PixelSurface> = mesh.chain(boxes).filter(is_there).collect();
    let mut targets = targets_of(&shown.answer);
    decals.iter().for_each(|decal| lay_over(&mut targets, &decal.answer));
    Some((targets, shown, decals.len()))
}

/// Lays a decal's three targets over RT0…RT2.
fn lay_over(targets: &mut [f32], decal: &Answer) {
    let decal = decal.decal.expect("a deferred decal has targets");
    let [colour, normal, rest] =
        [decal.target0, decal.target1, decal.target2].map(|t| t.map(|number| f64::from(number.0)));
    let mut mix = |at: usize, value: f64, weight: f64| {
        targets[at] = (f64::from(targets[at]) * (1.0 - weight) + value * weight) as f32;
    };
    (0..3).for_each(|c| mix(c, colour[c], colour[3]));
    mix(7, 1.0 - rest[0], rest[3]);
    if normal[3] != 0.0 {
        (0..3).for_each(|c| mix(8 + c, normal[c], normal[3]));
        let unit = Vec3::from_slice(&targets[8..]).normalize();
        targets[8..].copy_from_slice(&unit.to_array());
    }
}

/// Feeds a surface's point back to the probe, unless it says that the point does not hold all; whether it was.
fn fed_back(session: &mut Session, surface: &PixelSurface) -> bool {
    if !surface.not_in_point.is_empty() {
        return false;
    }
    let line = serde_json::to_string(&surface.point).expect("a point is JSON");
    let answer = session.line(line.as_bytes()).unwrap_or_else(|failure| panic!("{line}: {failure}"));
    assert_same_answer(&answer, &surface.answer, &format!("fed back: {line}"));
    true
}

#[test]
fn random_pixels_of_the_chart_agree_with_the_probe_and_with_their_points_fed_back() {
    let chart = Chart::new();
    let (scene, mut store) = chart.materials();
    let mut session = Session::new(scene, &mut store);
    let mut random = Random::new(7);
    let mut families = std::collections::BTreeSet::new();
    let mut compared = 0;
    while compared < 200 {
        let [x, y]: [f32; 2] = random.next();
        let (shown, decals) = chart.compare(&mut session, [(x * 640.0) as i32, (y * 400.0) as i32]);
        // The rack's wall and boards are compared too, but are not what this is about.
        if shown.is_some() || decals > 0 {
            families.extend(shown);
            compared += 1;
        }
    }
    assert!(families.len() > 25, "the chart shows them all, the pixels hit {families:?}");
}

#[test]
fn every_decal_of_the_chart_agrees_with_the_probe_and_with_its_point_fed_back() {
    let chart = Chart::new();
    let (scene, mut store) = chart.materials();
    let mut session = Session::new(scene, &mut store);
    for column in 1..=5 {
        let mut edited = 0;
        for offset in -8..=8 {
            let along = Vec3::new(0.04 * offset as f32, 0.37, -0.25);
            edited += chart.compare(&mut session, place(&chart.scene, 'H', column, along)).1;
        }
        assert!(edited >= 9, "H{column}: decals edit {edited} pixels of a row across it");
    }
}

/// The one thing that a point has no key for: which way an impostor's instance is turned (it chooses the views).
#[test]
fn only_the_turned_impostor_cannot_be_fed_back_and_it_is_compared_all_the_same() {
    let chart = Chart::new();
    let (scene, mut store) = chart.materials();
    let mut session = Session::new(scene, &mut store);
    let mut exempt = |x: f32| {
        let mut count = 0;
        for row in 0..20 {
            let pixel = place(&chart.scene, 'D', 3, Vec3::new(x, 0.1 + 0.045 * row as f32, 0.0));
            for card in
                probe::along_pixel(&chart.scene, 0, pixel).iter().filter(|one| one.family == Some("uber_foliage"))
            {
                let complete = fed_back(&mut session, card);
                assert!(complete || card.not_in_point == ["instance_rotation"], "{:?}", card.not_in_point);
                count += usize::from(!complete);
            }
            chart.compare(&mut session, pixel);
        }
        count
    };
    assert_eq!(exempt(-0.45), 0, "the card that is not turned");
    assert_eq!(exempt(0.45), 20, "the turned card, every pixel of a line up its middle");
}

/// The chart at half its size, and what `--integrator gbuffer` makes of it.
struct Chart {
    path: PathBuf,
    scene: Scene,
    targets: Targets,
}

impl Chart {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
        let options = Options { resolution: Some([640, 400]), ..Options::default() };
        let scene = load::load(&path, &options).expect("the chart loads");
        Self { targets: Targets::render(&scene), path, scene }
    }

    /// Its materials for the probe, and where their textures come from.
    fn materials(&self) -> (ProbeScene, Store) {
        let scene = ProbeScene::load(&self.path).expect("the chart's materials load");
        let store = Store::new("", scene.default_colour_space);
        (scene, store)
    }

    /// Compares a pixel with its answers, and its points fed back; the family that is seen, and how many decals edited it.
    fn compare(&self, session: &mut Session, pixel: [i32; 2]) -> (Option<&'static str>, usize) {
        let surfaces = probe::along_pixel(&self.scene, 0, pixel);
        for surface in surfaces.iter().filter(|surface| surface.family.is_some()) {
            let turned = surface.not_in_point == ["instance_rotation"];
            assert!(fed_back(session, surface) || turned, "{pixel:?}: {:?}", surface.not_in_point);
        }
        let Some((expected, shown, decals)) = composed(&surfaces, self.scene.world.decal_reach) else {
            return (None, 0);
        };
        let what = format!("{pixel:?}, {:?} under {decals} decals", shown.point.material);
        assert_near(&self.targets.at(pixel), &expected, &what);
        (shown.family, decals)
    }
}

#[test]
fn a_texture_sampled_at_several_places_stays_out_of_the_point_and_is_read_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
    let scene = load::load(&path, &Options::default()).expect("the chart loads");
    // A card that blends four frames of its atlas, untransformed.
    let pixel = place(&scene, 'D', 3, Vec3::new(-0.45, 0.65, 0.0));
    let surfaces = probe::along_pixel(&scene, 0, pixel);
    let card = surfaces.iter().find(|surface| surface.family == Some("uber_foliage")).expect("the card of D3");
    let samples = card.textures.0.iter().find(|(name, _)| *name == "DiffuseTexture").expect("it is sampled");
    assert_eq!(samples.1.len(), 4);
    let alike = samples.1.iter().all(|value| *value == samples.1[0]);
    assert_eq!(card.point.textures.contains_key("DiffuseTexture"), alike);
    assert!(card.not_in_point.is_empty(), "it is not turned");
}

/// The pixel of the chart that shows a point of a place (see `scenes/generate/chart.rs`).
fn place(scene: &Scene, row: char, column: u32, offset: Vec3) -> [i32; 2] {
    const ROWS: f32 = 9.0;
    let row = row as u32 - 'A' as u32;
    let at = Vec3::new((column as f32 - 5.0) * 1.9, (ROWS - 1.0 - row as f32) * 1.25, 0.0) + offset;
    let raster = scene.cameras[0].camera.project(at.as_dvec3()).expect("the chart is in view");
    raster.map(|side| side as i32)
}

#[test]
fn time_turns_the_pages_of_flipbooks_and_moves_the_creases_of_flags() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/chart/chart.toml");
    let mut scene = load::load(&path, &Options::default()).expect("the chart loads");
    let led = place(&scene, 'B', 6, Vec3::new(0.45, 0.35, -0.24));
    let flag = place(&scene, 'E', 9, Vec3::new(0.0, 0.5, 0.0));
    let mut coordinate = |time: f32, pixel: [i32; 2], family: &str, texture: &str| {
        scene.world.time = time;
        let surfaces = probe::along_pixel(&scene, 0, pixel);
        let surface = surfaces.iter().find(|surface| surface.family == Some(family)).expect("it is there");
        let uv = surface.answer.uv.0.iter().find(|(name, _)| name == texture).expect("it is sampled");
        uv.1[0].map(|number| number.0)
    };
    // Four frames a second in two columns and rows; the tile is panel 0.
    for (time, column, row) in [(0.1, 0, 0), (0.3, 1, 0), (0.6, 0, 1), (0.9, 1, 1), (1.1, 0, 0)] {
        let [u, v] = coordinate(time, led, "anim_ledflipbookpanel", "FlipbookTexture");
        assert_eq!(((u * 2.0) as u32, (v * 2.0) as u32), (column, row), "{time} s");
    }
    let still = coordinate(0.0, flag, "anim_flag", "NormalAnimTexture");
    let moved = coordinate(1.0, flag, "anim_flag", "NormalAnimTexture");
    // 0.3 of the untiled texture a second, tiled twice, in u alone.
    assert_near(&moved, &[still[0] - 0.6, still[1]], "creases");
}
