//! Glass that reads textures: `_ATT` cut-outs and normal maps, rendered, against closed forms of the documented model.

#[path = "support/brdf_reference.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod brdf_reference;
#[path = "support/chi_square.rs"]
#[allow(dead_code, reason = "only the grid is used here")]
mod chi_square;
#[path = "support/pictures.rs"]
mod pictures;
#[path = "support/quadrature.rs"]
#[allow(dead_code, reason = "the reference needs it")]
mod quadrature;
#[path = "support/random.rs"]
#[allow(dead_code, reason = "for the tests of the support")]
mod random;

use brdf_reference::Reference;
use glam::{DVec3, vec3};
use pictures::shapes::{floor, quad};
use pictures::{Stage, colours, render};
use scrutineer::film::Film;
use scrutineer::integrator::Integrator::{self, Naive, Path};
use scrutineer::scene::Scene;

const SIZE: u32 = 8;

/// Whether the pane is there at a texel: no symmetry hides a turned or mirrored picture.
fn is_there(x: u32, y: u32) -> bool {
    x < 3 || (y < 2 && x != 5) || (x, y) == (6, 7)
}

/// 1 − k·c where k lacks Alpha's factor (001, "Glass transparency"), Cloudyness 0.1, no fog.
fn transmittance(colour: [f64; 3]) -> [f64; 3] {
    colour.map(|c| 1.0 - 0.98 * 0.9 * c)
}

const TINT: [f64; 3] = [0.1, 0.5, 0.9];
const F0: f64 = 0.04;
const ROUGHNESS: f64 = 0.5;

/// A permutation with cut-outs, and the colour that it takes: TintColor, or the white of the picture.
const CUT_OUTS: [(&str, [f64; 3]); 2] = [("_ATT", TINT), ("_BCT_ATT", [1.0; 3])];

/// `panes` of glass with the cut-out picture; Alpha has no effect. `view` says how it is looked at and lit.
fn cut_out(permutation: &str, shape: &pictures::glb::Shape, others: impl FnOnce(&mut Stage), view: &str) -> Scene {
    let mut stage = Stage::new();
    stage.image("holes.png", SIZE, |x, y| if is_there(x, y) { 255 } else { 0 });
    stage.add("pane", shape);
    others(&mut stage);
    stage.load(&format!(
        "{view}\n[render]\nresolution = [{SIZE}, {SIZE}]\nfilter = \"box\"\nsamples = 1024\nmax_depth = 2\n\
         [[geometry]]\nfile = \"stage.glb\"\n[materials.pane]\nfamily = \"glass\"\npermutation = \"{permutation}\"\n\
         parameters = {{ TintColor = {TINT:?}, Alpha = 0.3, Cloudyness = 0.1, F0 = {F0}, Roughness = {ROUGHNESS} }}\n\
         textures.BaseColour = {{ file = \"holes.png\", colour_space = \"srgb\", filter = \"nearest\" }}\n"
    ))
}

/// A square metre that faces the camera; texel (x, y) fills pixel (x, y).
fn upright() -> pictures::glb::Shape {
    quad([vec3(-0.5, -0.5, 0.0), vec3(0.5, -0.5, 0.0), vec3(0.5, 0.5, 0.0), vec3(-0.5, 0.5, 0.0)])
}

const FRONTAL: &str = "camera = { kind = \"orthographic\", position = [0, 0, 5], target = [0, 0, 0], height = 1 }";

/// Every pixel within 5 of its standard errors (1280 comparisons in all) of what is expected there, and known to `relative`.
#[track_caller]
fn assert_pixels(film: &Film, expected: impl Fn(u32, u32) -> [f64; 3], relative: f64, what: &str) {
    let (found, errors) = (colours(film, "beauty"), colours(film, "beauty_stderr"));
    for (i, (found, error)) in found.iter().zip(&errors).enumerate() {
        let (x, y) = (i as u32 % SIZE, i as u32 / SIZE);
        let expected = expected(x, y);
        for c in 0..3 {
            let (found, error) = (f64::from(found[c]), f64::from(error[c]));
            let what = format!("{what}, pixel ({x}, {y}), channel {c}: {found} ± {error}, expected {}", expected[c]);
            // Black surfaces reflect what Schlick's term leaves at grazing light: 3e-5 of a sky, seen along the normal.
            assert!((found - expected[c]).abs() <= 5.0 * error + 2e-4 * expected[c], "{what}");
            assert!(error < relative * expected[c], "knows too little: {what}");
        }
    }
}

/// Before a wall that shines, under a sky: holes show the wall, the pane lets its share through and reflects the sky.
#[test]
fn a_cut_out_pane_shows_the_wall_through_its_holes_and_reflects_beside_them() {
    let wall = [0.9, 0.6, 0.3f32];
    let sky = "[sky]\nkind = \"constant\"\nradiance = [1, 1, 1]";
    let glass = Reference { albedo: 0.0, metalness: 0.0, roughness: ROUGHNESS };
    let reflected = glass.directional_albedo(0.0)[1];
    for (permutation, colour) in CUT_OUTS {
        let scene = cut_out(
            permutation,
            &upright(),
            |stage| {
                stage.unlit("wall", wall, &floor(1000.0, 1000.0).turned(glam::Vec3::X, 1.570_796_4).at(0.0, 0.0, -2.0))
            },
            &format!("{FRONTAL}\n{sky}"),
        );
        let expected = |x: u32, y: u32| {
            let through = if is_there(x, y) { transmittance(colour) } else { [1.0; 3] };
            let reflected = if is_there(x, y) { reflected } else { 0.0 };
            [0, 1, 2].map(|c| through[c] * f64::from(wall[c]) + reflected)
        };
        for integrator in [Path, Naive] {
            assert_pixels(&render(&scene, integrator, &[]), expected, 0.08, &format!("{permutation} {integrator:?}"));
        }
    }
}

/// A pane over a floor in a sun at the zenith: each texel's light falls straight below it.
#[test]
fn the_suns_shadow_of_a_cut_out_pane_is_its_picture() {
    let view = "camera = { kind = \"orthographic\", position = [0, 1, 0], target = [0, 0, 0], up = [0, 0, -1], height = 1 }\n\
                [sun]\ndirection = [0, 1, 0]\nirradiance = [10, 10, 10]\nangular_diameter = 0";
    let ground = Reference { albedo: 0.5, metalness: 0.0, roughness: 1.0 };
    // glTF's own grey ground, lit and seen along its normal.
    let open = 10.0 * ground.eval(DVec3::Z, DVec3::Z).iter().sum::<f64>();
    for (permutation, colour) in CUT_OUTS {
        let pane = floor(1.0, 1.0).at(0.0, 2.0, 0.0);
        let scene = cut_out(permutation, &pane, |stage| stage.add("ground", &floor(40.0, 40.0)), view);
        let expected = |x: u32, y: u32| {
            let through = if is_there(x, y) { transmittance(colour) } else { [1.0; 3] };
            through.map(|t| t * open)
        };
        for integrator in [Path, Naive] {
            // Without noise, but for a sample on the very edge of a texel.
            assert_pixels(&render(&scene, integrator, &[]), expected, 1e-3, &format!("{permutation} {integrator:?}"));
        }
    }
}

/// Texels of a normal map, left half and right half; blue and alpha are not read.
const NORMALS: [[u8; 4]; 2] = [[153, 115, 0, 255], [105, 140, 90, 255]];

/// The standard decode in the pane's frame (T = +X, B = +Y, N = +Z), green down.
fn normal([r, g, ..]: [u8; 4]) -> DVec3 {
    let [x, y] = [r, g].map(|byte| 2.0 * f64::from(byte) / 255.0 - 1.0);
    DVec3::new(x, -y, (1.0 - x * x - y * y).sqrt())
}

/// The sun of no size in glass with this normal, seen along +Z: the documented specular term.
fn glint(n: DVec3, sun: DVec3) -> f64 {
    let (t, b) = n.any_orthonormal_pair();
    let local = |v: DVec3| DVec3::new(v.dot(t), v.dot(b), v.dot(n));
    let glass = Reference { albedo: 0.0, metalness: 0.0, roughness: ROUGHNESS };
    glass.eval(local(sun), local(DVec3::Z)).iter().sum::<f64>() * n.dot(sun)
}

#[test]
fn a_normal_map_turns_the_glint_of_glass() {
    let sun = DVec3::new(0.45, 0.1, 0.8).normalize();
    let glints = NORMALS.map(|texel| glint(normal(texel), sun));
    let flat = glint(DVec3::Z, sun);
    assert!(glints[0] > 1.5 * flat && glints[1] < 0.6 * flat, "the map must matter: {glints:?} {flat}");
    let view = format!(
        "{FRONTAL}\n[sun]\ndirection = {:?}\nirradiance = [100, 100, 100]\nangular_diameter = 0",
        sun.to_array()
    );
    let scene = |integrator: Integrator| {
        let mut stage = Stage::new();
        let picture = image::RgbaImage::from_fn(SIZE, SIZE, |x, _| image::Rgba(NORMALS[(x >= SIZE / 2) as usize]));
        picture.save(stage.folder.path().join("n.png")).expect("an image in the temporary folder");
        stage.add("pane", &upright());
        let scene = stage.load(&format!(
            "{view}\n[render]\nresolution = [{SIZE}, {SIZE}]\nfilter = \"box\"\nsamples = 4096\nmax_depth = 2\n\
             [[geometry]]\nfile = \"stage.glb\"\n[materials.pane]\nfamily = \"glass\"\n\
             parameters = {{ NormalTexOnOff = true, F0 = {F0}, Roughness = {ROUGHNESS}, Cloudyness = 0.8 }}\n\
             textures.NormalTexture = {{ file = \"n.png\", colour_space = \"linear\", filter = \"nearest\" }}\n"
        ));
        render(&scene, integrator, &[])
    };
    for integrator in [Path, Naive] {
        let expected = |x: u32, _: u32| [100.0 * glints[(x >= SIZE / 2) as usize]; 3];
        assert_pixels(&scene(integrator), expected, 0.08, &format!("{integrator:?}"));
    }
}
