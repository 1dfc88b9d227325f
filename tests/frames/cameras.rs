//! Where a known place lands in the picture: sky pictures, viewers' matrices, resolutions, kilometres from the origin.

use glam::dcamera::{lh, rh};
use glam::{DMat4, DVec3, Vec3};
use scrutineer::film::Film;
use scrutineer::integrator::Integrator;
use scrutineer::scene::load::{self, Options};

use crate::scene::{Asset, Shape, Shot, planes, render, scene, vectors};

/// A Radiance picture, black but for one red texel.
fn red_texel(width: usize, height: usize, x: usize, y: usize) -> Vec<u8> {
    let mut bytes = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n").into_bytes();
    let texel = |i: usize| if i == y * width + x { [128, 0, 0, 131] } else { [0; 4] };
    bytes.extend((0..width * height).flat_map(texel));
    bytes
}

/// A scene without any geometry under that picture.
fn sky(camera: &str, rotation: f64, resolution: [u32; 2]) -> Film {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sky.hdr"), red_texel(16, 8, 12, 3)).unwrap();
    let toml = format!(
        "[render]\nresolution = {resolution:?}\nsamples = 16\nfilter = \"box\"\n\
         [sky]\nkind = \"image\"\nfile = \"sky.hdr\"\nrotation = {rotation:?}\n{camera}\n"
    );
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, toml).unwrap();
    let scene = load::load(&path, &Options::default()).unwrap();
    render(&scene, &Shot::default(), &["beauty"])
}

fn brightest(film: &Film) -> [usize; 2] {
    let beauty = vectors(film, "beauty");
    let index = (0..beauty.len()).max_by(|a, b| beauty[*a].x.total_cmp(&beauty[*b].x)).unwrap();
    let width = film.window().width as usize;
    assert!(beauty[index].x > 1.0 && beauty[index].y == 0.0, "{}", beauty[index]);
    [index % width, index / width]
}

#[test]
fn one_red_texel_of_the_sky() {
    let panorama = |target: &str| format!("[camera]\nkind = \"panorama\"\ntarget = {target}\n");
    // Looking along −Z, the panorama is the picture; turned by 90° toward +X, it moves right by a quarter.
    assert_eq!(brightest(&sky(&panorama("[0, 0, -1]"), 0.0, [16, 8])), [12, 3]);
    assert_eq!(brightest(&sky(&panorama("[0, 0, -1]"), 90.0, [16, 8])), [0, 3]);
    assert_eq!(brightest(&sky(&panorama("[0, 0, -1]"), -45.0, [16, 8])), [10, 3]);
    // The camera turns against the picture: looking along +X, what was there moves to the centre.
    assert_eq!(brightest(&sky(&panorama("[1, 0, 0]"), 0.0, [16, 8])), [8, 3]);
}

#[test]
fn the_red_texel_by_direction() {
    // Column 12 of 16 is 101.25° from −Z toward +X; row 3 of 8 is 11.25° up.
    let toward = |azimuth: f64| {
        let (azimuth, elevation) = (azimuth.to_radians(), 11.25_f64.to_radians());
        let d = DVec3::new(azimuth.sin() * elevation.cos(), elevation.sin(), -azimuth.cos() * elevation.cos());
        format!("[camera]\nvertical_fov = 1\ntarget = {:?}\n", d.to_array())
    };
    let seen = |azimuth: f64, rotation: f64| vectors(&sky(&toward(azimuth), rotation, [1, 1]), "beauty")[0].x;
    // (128, 131) is 128/256 · 2³ = 4; bilinear, so that it is full only at its centre, and nothing a texel away.
    for (rotation, azimuth) in [(0.0, 101.25), (90.0, 191.25)] {
        assert!((seen(azimuth, rotation) - 4.0).abs() < 0.15);
        assert!((seen(azimuth + 11.25, rotation) - 2.0).abs() < 0.15);
        assert_eq!(seen(azimuth + 25.0, rotation), 0.0);
        assert_eq!(seen(azimuth - 25.0, rotation), 0.0);
    }
}

/// A large wall through the point (0, 0, −3), not square to anything.
fn wall() -> Asset {
    let mut asset = Asset::default();
    let grey = asset.plain("wall", 0.5, 0.0, 1.0);
    asset.add(
        "wall",
        &Shape::quad(Vec3::new(0.0, 0.0, -3.0), Vec3::new(9.0, 1.0, 0.0), Vec3::new(0.0, 9.0, 2.0)),
        grey,
    );
    asset
}

const SIZE: [usize; 2] = [12, 7];

/// Every pixel's P, put through the viewer's matrices by hand, must be that pixel's centre.
#[track_caller]
fn check_matrices(what: &str, view: DMat4, projection: DMat4, to_viewer: DVec3, keys: &str) {
    let (v, p) = (view.to_cols_array(), projection.to_cols_array());
    let toml = format!(
        "[render]\nresolution = {SIZE:?}\n[camera]\nview = {v:?}\nprojection = {p:?}\n{keys}\n\
                        [[geometry]]\nfile = \"a.glb\"\n"
    );
    let film =
        render(&scene(&toml, &wall()), &Shot { integrator: Integrator::Gbuffer, ..Shot::default() }, &["P", "Z"]);
    for (index, point) in vectors(&film, "P").into_iter().enumerate() {
        let clip = projection * view * (point * to_viewer).extend(1.0);
        let ndc = clip / clip.w;
        let raster = [(ndc.x + 1.0) / 2.0 * SIZE[0] as f64, (1.0 - ndc.y) / 2.0 * SIZE[1] as f64];
        let pixel = [index % SIZE[0], index / SIZE[0]];
        let near = (0..2).all(|axis| (raster[axis] - pixel[axis] as f64 - 0.5).abs() < 1e-3);
        assert!(near, "{what}: pixel {pixel:?} shows {point}, which belongs at {raster:?}");
    }
}

#[test]
fn a_viewers_matrices_put_points_where_the_viewer_does() {
    let fov = 50_f64.to_radians();
    let aspect = 12.0 / 7.0;
    // Direct3D in the game frame: left-handed, so the wall at scene z = −3 is at +3.
    let game = DVec3::new(1.0, 1.0, -1.0);
    let view = lh::view::look_at_mat4(DVec3::new(0.8, 0.5, -1.0), DVec3::new(-0.2, 0.1, 3.0), DVec3::Y);
    let d3d = "convention = \"d3d\"\nframe = \"game\"";
    check_matrices("D3D", view, lh::proj::directx::perspective(fov, aspect, 0.1, 100.0), game, d3d);
    check_matrices(
        "reversed depth",
        view,
        lh::proj::directx::perspective_infinite_reverse(fov, aspect, 0.1),
        game,
        d3d,
    );
    check_matrices("orthographic", view, lh::proj::directx::orthographic(-2.0, 1.0, -1.0, 0.8, 0.1, 50.0), game, d3d);
    // A viewport shifted off its axis.
    let shifted =
        DMat4::from_translation(DVec3::new(0.3, -0.2, 0.0)) * lh::proj::directx::perspective(fov, aspect, 0.1, 100.0);
    check_matrices("off axis", view, shifted, game, d3d);
    let view = rh::view::look_at_mat4(DVec3::new(0.8, 0.5, 1.0), DVec3::new(-0.2, 0.1, -3.0), DVec3::Y);
    let gl = "convention = \"gl\"\nframe = \"scene\"";
    check_matrices("GL", view, rh::proj::opengl::perspective(fov, aspect, 0.1, 100.0), DVec3::ONE, gl);
}

#[test]
fn another_resolution_shows_the_same_picture() {
    let toml = "[render]\nresolution = [64, 48]\n[camera]\nposition = [0, 0, 1]\ntarget = [0, 0, -3]\n\
                [[geometry]]\nfile = \"a.glb\"\n";
    let mut scene = scene(toml, &wall());
    let shot = Shot { integrator: Integrator::Gbuffer, ..Shot::default() };
    let corner = |film: &Film| vectors(film, "P")[0] - *vectors(film, "P").last().unwrap();
    let large = corner(&render(&scene, &shot, &["P"]));
    // As --resolution does it: the last and first pixel of a smaller picture still look at its corners.
    scene.render.resolution = [32, 24];
    let small = corner(&render(&scene, &shot, &["P"]));
    assert!((small / large - DVec3::splat(31.0 / 32.0 * 64.0 / 63.0)).abs().max_element() < 0.02, "{small} {large}");
}

#[test]
fn the_centre_ray_goes_through_the_middle_of_the_lens() {
    let seen = |lens: &str| {
        let toml = format!(
            "[render]\nresolution = [8, 6]\n[camera]\nposition = [0, 0, 1]\ntarget = [0, 0, -3]\n{lens}\n\
             [[geometry]]\nfile = \"a.glb\"\n"
        );
        let film = render(&scene(&toml, &wall()), &Shot { integrator: Integrator::Gbuffer, ..Shot::default() }, &["P"]);
        vectors(&film, "P")
    };
    for (pinhole, lens) in seen("").into_iter().zip(seen("aperture_radius = 0.3\nfocus_distance = 1.5")) {
        assert!((pinhole - lens).length() < 1e-5, "{pinhole} {lens}");
    }
}

#[test]
fn ten_kilometres_from_the_origin() {
    let at = |offset: [i32; 3]| {
        let [x, y, z] = offset;
        let toml = format!(
            "[render]\nresolution = [24, 16]\nsamples = 16\nmax_depth = 4\n\
             [camera]\nposition = [{}, {}, {}]\ntarget = [{}, {}, {}]\n\
             [sky]\nkind = \"constant\"\nradiance = [0.2, 0.3, 0.5]\n\
             [[lights]]\nkind = \"point\"\nposition = [{}, {}, {}]\nintensity = [9, 9, 9]\n\
             [[lights]]\nkind = \"rectangle\"\ncenter = [{}, {}, {}]\nu = [1, 0, 0]\nv = [0, 0, 1]\nradiance = [3, 2, 1]\n\
             [[geometry]]\nfile = \"a.glb\"\ntransform = {{ translation = [{x}, {y}, {z}] }}\n",
            x,
            y + 1,
            z + 4,
            x,
            y,
            z - 3,
            x + 1,
            y + 2,
            z,
            x - 1,
            y + 3,
            z - 1
        );
        let mut asset = wall();
        let grey = asset.plain("ball", 0.7, 0.0, 0.5);
        asset.add("ball", &Shape::sphere(Vec3::new(0.5, 0.25, -1.0), 0.75, 3), grey);
        render(&scene(&toml, &asset), &Shot::default(), &["beauty", "P", "Z", "N", "primitive"])
    };
    let (here, there) = (at([0; 3]), at([10_000, 40, -7_000]));
    for name in ["N", "Z", "primitive"] {
        let pairs = vectors(&here, name).into_iter().zip(vectors(&there, name));
        pairs.for_each(|(a, b)| assert!(a == b || (a - b).abs().max_element() < 1e-5, "{name}: {a} {b}"));
    }
    // P is stored as f32: steps of 1 mm at 10 km.
    for (a, b) in vectors(&here, "P").into_iter().zip(vectors(&there, "P")) {
        assert!((b - a - DVec3::new(10_000.0, 40.0, -7_000.0)).abs().max_element() < 1e-3, "{a} {b}");
    }
    let (a, b) = (vectors(&here, "beauty"), vectors(&there, "beauty"));
    let difference: f64 = a.iter().zip(&b).map(|(a, b)| (*a - *b).abs().element_sum()).sum();
    let total: f64 = a.iter().map(|a| a.element_sum()).sum();
    assert!(total > 1.0 && difference < 1e-4 * total, "{difference} of {total}");
    assert_eq!(planes(&here, "primitive").len(), 1);
}
