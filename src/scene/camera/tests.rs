use glam::dcamera::lh::proj::directx as d3d_lh;
use glam::dcamera::rh::proj::{directx as d3d_rh, opengl as gl};

use super::*;

const RESOLUTION: [u32; 2] = [1280, 720];
const PINHOLE: Lens = Lens { aperture_radius: 0.0, focus_distance: 1.0 };

fn pose() -> Pose {
    Pose::look_at(DVec3::new(1.0, 2.0, 5.0), DVec3::new(-1.0, 1.0, -4.0), DVec3::Y).unwrap()
}

/// Distance of `point` from the ray's line; and the ray must run toward it.
fn miss(ray: &CameraRay, point: DVec3) -> f64 {
    let (to_point, direction) = (point - ray.origin, ray.direction.as_dvec3());
    assert!(to_point.dot(direction) > 0.0, "the ray runs away from {point}");
    to_point.cross(direction).length()
}

#[test]
fn the_ray_through_the_pixel_of_a_point_passes_the_point() {
    let cameras = [
        Camera::perspective(pose(), 40.0, PINHOLE, RESOLUTION).unwrap(),
        Camera::orthographic(pose(), 7.0, RESOLUTION).unwrap(),
        Camera::panorama(pose(), RESOLUTION).unwrap(),
    ];
    for camera in cameras {
        for point in [DVec3::new(0.0, 1.0, 0.0), DVec3::new(-2.0, 3.0, -7.0), DVec3::new(1.5, 0.0, -30.0)] {
            let raster = camera.project(point).unwrap();
            assert!(miss(&camera.ray(raster, [0.5; 2]), point) < 1e-5, "{camera:?} {point}");
        }
    }
}

#[test]
fn the_image_is_upright_and_not_mirrored() {
    // Looking along −Z: +X is right, +Y is up, raster y grows downward.
    let pose = Pose::look_at(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y).unwrap();
    for camera in
        [Camera::perspective(pose, 90.0, PINHOLE, [200, 100]).unwrap(), Camera::panorama(pose, [200, 100]).unwrap()]
    {
        let corner = camera.ray([0.0, 0.0], [0.5; 2]).direction;
        assert!(camera.ray([120.0, 50.0], [0.5; 2]).direction.x > 0.1);
        assert!(camera.ray([80.0, 50.0], [0.5; 2]).direction.x < -0.1);
        assert!(corner.y > 0.0 && camera.ray([100.0, 50.0], [0.5; 2]).direction.distance(Vec3::NEG_Z) < 1e-6);
    }
    // 90 degrees vertically at 2:1: the corner is at (−2, 1, −1).
    let corner = Camera::perspective(pose, 90.0, PINHOLE, [200, 100]).unwrap().ray([0.0, 0.0], [0.5; 2]).direction;
    assert!(corner.distance(Vec3::new(-2.0, 1.0, -1.0).normalize()) < 1e-6);
}

#[test]
fn a_panorama_is_laid_out_as_the_sky() {
    let pose = Pose::look_at(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y).unwrap();
    let camera = Camera::panorama(pose, [400, 200]).unwrap();
    let at = |x, y| camera.ray([x, y], [0.5; 2]).direction;
    assert!(at(300.0, 100.0).distance(Vec3::X) < 1e-6);
    assert!(at(100.0, 100.0).distance(Vec3::NEG_X) < 1e-6);
    assert!(at(0.0, 100.0).distance(Vec3::Z) < 1e-6);
    assert!(at(123.0, 0.0).distance(Vec3::Y) < 1e-6);
    assert!(at(123.0, 200.0).distance(Vec3::NEG_Y) < 1e-6);
    assert!(camera.world_to_ndc().is_none());
}

#[test]
fn a_thin_lens_is_sharp_at_its_focus_and_blurs_elsewhere() {
    let lens = Lens { aperture_radius: 0.2, focus_distance: 6.0 };
    let camera = Camera::perspective(pose(), 50.0, lens, RESOLUTION).unwrap();
    let raster = [300.0, 500.0];
    let centre = Camera::perspective(pose(), 50.0, PINHOLE, RESOLUTION).unwrap().ray(raster, [0.5; 2]);
    let axis = camera.forward();
    let depth = |z: f64| centre.origin + centre.direction.as_dvec3() * (z / centre.direction.as_dvec3().dot(axis));
    let mut largest: f64 = 0.0;
    for i in 0..64 {
        let ray = camera.ray(raster, [(i % 8) as f32 / 7.001, (i / 8) as f32 / 7.001]);
        assert!((ray.origin - camera.position()).dot(axis).abs() < 1e-12);
        assert!(ray.origin.distance(camera.position()) <= 0.2 + 1e-7);
        assert!(miss(&ray, depth(6.0)) < 1e-5);
        largest = largest.max(miss(&ray, depth(12.0)));
    }
    // At twice the focus distance the circle of confusion is as large as the lens.
    assert!(largest > 0.15 && largest < 0.21, "{largest}");
}

/// D3D's left-handed look-to view and 0..1 perspective, written in row-vector memory order as D3DX documents them.
fn d3d_left_handed(eye: DVec3, zoom: f64, near: f64, far: f64) -> ([f64; 16], [f64; 16]) {
    // Axes: x right = (0, 0, −1) …: looks along +X of a left-handed, Y-up frame.
    let (x, y, z) = (DVec3::NEG_Z, DVec3::Y, DVec3::X);
    let row = |a: f64, b: f64, c: f64| [a, b, c, 0.0];
    let translation = [-x.dot(eye), -y.dot(eye), -z.dot(eye), 1.0];
    let view = [row(x.x, y.x, z.x), row(x.y, y.y, z.y), row(x.z, y.z, z.z), translation].concat();
    let q = far / (far - near);
    let projection =
        [[zoom / 2.0, 0.0, 0.0, 0.0], [0.0, zoom, 0.0, 0.0], [0.0, 0.0, q, 1.0], [0.0, 0.0, -q * near, 0.0]].concat();
    (view.try_into().unwrap(), projection.try_into().unwrap())
}

#[test]
fn d3d_matrices_of_a_game_map_a_point_to_the_pixel_that_they_should() {
    // By hand: from (10, 2, 3), a point 4 ahead, 1 to the right (game −Z), 0.5 up. Zoom 2 at 2:1: NDC (1·1/4, 0.5·2/4)
    // = (0.25, 0.25); at 800 × 400 that is raster (500, 150).
    let (view, projection) = d3d_left_handed(DVec3::new(10.0, 2.0, 3.0), 2.0, 0.1, 500.0);
    let game_point = DVec3::new(14.0, 2.5, 2.0);
    let matrices = Matrices { view, projection, convention: Convention::D3d, frame: Frame::Game };
    let camera = Camera::from_matrices(&matrices, [800, 400]).unwrap();
    let scene_point = DVec3::new(game_point.x, game_point.y, -game_point.z);
    let raster = camera.project(scene_point).unwrap();
    assert!((raster[0] - 500.0).abs() < 1e-9 && (raster[1] - 150.0).abs() < 1e-9, "{raster:?}");
    let ray = camera.ray([500.0, 150.0], [0.5; 2]);
    assert!(miss(&ray, scene_point) < 1e-6);
    assert!(ray.origin.distance(DVec3::new(10.0, 2.0, -3.0)) < 1e-9 && ray.origin == camera.position());
    assert!(camera.forward().distance(DVec3::X) < 1e-12);
    // The same numbers read as scene-frame matrices show the mirrored place.
    let mirrored = Camera::from_matrices(&Matrices { frame: Frame::Scene, ..matrices }, [800, 400]).unwrap();
    assert!(miss(&mirrored.ray([500.0, 150.0], [0.5; 2]), game_point) < 1e-6);
}

#[test]
fn depth_conventions_do_not_change_rays() {
    let own = Camera::perspective(pose(), 40.0, PINHOLE, RESOLUTION).unwrap();
    let view = own.world_to_camera();
    let (fov, aspect) = (40f64.to_radians(), 1280.0 / 720.0);
    let projections = [
        gl::perspective(fov, aspect, 0.1, 100.0),
        d3d_rh::perspective(fov, aspect, 0.1, 100.0),
        d3d_rh::perspective_infinite(fov, aspect, 0.1),
        d3d_rh::perspective_infinite_reverse(fov, aspect, 0.1),
    ];
    for projection in projections {
        for convention in [Convention::Gl, Convention::D3d] {
            let (view, projection) = (view.to_cols_array(), projection.to_cols_array());
            let matrices = Matrices { view, projection, convention, frame: Frame::Scene };
            let camera = Camera::from_matrices(&matrices, RESOLUTION).unwrap();
            for raster in [[0.5, 0.5], [900.0, 100.0], [640.0, 719.5]] {
                let (a, b) = (own.ray(raster, [0.5; 2]), camera.ray(raster, [0.5; 2]));
                assert!(a.origin.distance(b.origin) < 1e-9 && a.direction.distance(b.direction) < 2e-7);
                assert!((a.spread / b.spread - 1.0).abs() < 5e-3, "{} {}", a.spread, b.spread);
            }
            assert!(camera.forward().distance(own.forward()) < 1e-9);
        }
    }
}

#[test]
fn parallel_matrices_look_where_the_convention_says() {
    let own = Camera::orthographic(pose(), 9.0, RESOLUTION).unwrap();
    let to_left_handed = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    let (x, y) = (0.5 * 9.0 * 1280.0 / 720.0, 4.5);
    for (convention, flip, projection) in [
        (Convention::Gl, DMat4::IDENTITY, gl::orthographic(-x, x, -y, y, -3.0, 90.0)),
        (Convention::D3d, to_left_handed, d3d_lh::orthographic(-x, x, -y, y, 0.0, 90.0)),
    ] {
        let view = (flip * own.world_to_camera()).to_cols_array();
        let matrices = Matrices { view, projection: projection.to_cols_array(), convention, frame: Frame::Scene };
        let camera = Camera::from_matrices(&matrices, RESOLUTION).unwrap();
        let (a, b) = (own.ray([100.0, 650.0], [0.5; 2]), camera.ray([100.0, 650.0], [0.5; 2]));
        assert!(a.origin.distance(b.origin) < 1e-9 && a.direction.distance(b.direction) < 1e-6, "{convention:?}");
        assert!((a.width / b.width - 1.0).abs() < 1e-5 && b.spread == 0.0);
        assert!(camera.position().distance(own.position()) < 1e-9);
    }
}

#[test]
fn gltf_cameras_keep_their_vertical_extent_at_any_output_shape() {
    // traps.md 21: the camera's own aspect ratio must not squeeze the picture.
    let node = DMat4::from_scale_rotation_translation(
        DVec3::new(2.0, 3.0, -0.5),
        glam::DQuat::from_rotation_y(0.7),
        DVec3::new(4.0, 1.0, -2.0),
    );
    let unscaled = DMat4::from_rotation_translation(glam::DQuat::from_rotation_y(0.7), DVec3::new(4.0, 1.0, -2.0));
    for resolution in [[1600, 900], [900, 900], [900, 1600]] {
        let [w, h] = resolution.map(f64::from);
        let camera = Camera::gltf(unscaled, GltfProjection::Perspective { yfov: 0.8 }, resolution).unwrap();
        let axis = camera.forward().as_vec3();
        let top = camera.ray([0.5 * w, 0.0], [0.5; 2]).direction;
        assert!((f64::from(top.dot(axis)).acos() - 0.4).abs() < 1e-5);
        // Pixels are square: half the height to the side is the same angle.
        let side = camera.ray([0.5 * w + 0.5 * h, 0.5 * h], [0.5; 2]).direction;
        assert!((f64::from(side.dot(axis)).acos() - 0.4).abs() < 1e-5);
        let camera = Camera::gltf(unscaled, GltfProjection::Orthographic { ymag: 3.0 }, resolution).unwrap();
        let corner = camera.ray([0.0, 0.0], [0.5; 2]).origin - camera.position();
        assert!((corner.length() - 3.0 * (1.0 + (w / h) * (w / h)).sqrt()).abs() < 1e-9);
    }
    // A node's scale is ignored, but a mirrored Z axis does look the other way.
    let pose = Pose::of_node(node).unwrap();
    let expected = Pose::of_node(unscaled).unwrap();
    assert!(pose.forward.distance(-expected.forward) < 1e-12 && pose.up.distance(expected.up) < 1e-12);
}

#[test]
fn a_far_camera_is_as_precise_as_a_near_one() {
    let offset = DVec3::new(1e6, 0.0, -3e6);
    let near = Camera::perspective(pose(), 40.0, PINHOLE, RESOLUTION).unwrap();
    let view = near.world_to_camera() * DMat4::from_translation(-offset);
    let projection = d3d_rh::perspective_infinite(40f64.to_radians(), 1280.0 / 720.0, 0.1).to_cols_array();
    let matrices = Matrices { view: view.to_cols_array(), projection, convention: Convention::Gl, frame: Frame::Scene };
    let far = Camera::from_matrices(&matrices, RESOLUTION).unwrap();
    let (a, b) = (near.ray([17.0, 40.0], [0.5; 2]), far.ray([17.0, 40.0], [0.5; 2]));
    assert!(a.direction.distance(b.direction) < 2e-7 && (b.origin - offset).distance(a.origin) < 1e-6);
}

#[test]
fn the_spread_is_the_root_of_a_pixels_solid_angle() {
    let camera = Camera::perspective(pose(), 60.0, PINHOLE, [64, 36]).unwrap();
    // Solid angle of the whole image: 4 asin(a·b/√((1+a²)(1+b²))), a and b the half sizes at depth 1.
    let (b, a) = (30f64.to_radians().tan(), 30f64.to_radians().tan() * 64.0 / 36.0);
    let whole = 4.0 * (a * b / ((1.0 + a * a) * (1.0 + b * b)).sqrt()).asin();
    let pixels = (0..64 * 36).map(|i| [f64::from(i % 64) + 0.5, f64::from(i / 64) + 0.5]);
    let sum: f64 = pixels.map(|raster| f64::from(camera.ray(raster, [0.5; 2]).spread).powi(2)).sum();
    assert!((sum / whole - 1.0).abs() < 1e-3, "{sum} {whole}");
}

#[test]
fn unusable_values_name_their_key() {
    let key = |camera: Result<Camera, CameraError>| camera.err().map(|e| e.key);
    for fov in [0.0, 180.0, -10.0, f64::NAN] {
        assert_eq!(key(Camera::perspective(pose(), fov, PINHOLE, RESOLUTION)), Some("vertical_fov"));
    }
    let blurred = Lens { aperture_radius: 0.1, focus_distance: 0.0 };
    assert_eq!(key(Camera::perspective(pose(), 40.0, blurred, RESOLUTION)), Some("focus_distance"));
    let negative = Lens { aperture_radius: -0.1, focus_distance: 1.0 };
    assert_eq!(key(Camera::perspective(pose(), 40.0, negative, RESOLUTION)), Some("aperture_radius"));
    assert_eq!(key(Camera::orthographic(pose(), 0.0, RESOLUTION)), Some("height"));
    assert_eq!(key(Camera::panorama(pose(), [100, 0])), Some("resolution"));
    assert_eq!(key(Camera::gltf(DMat4::ZERO, GltfProjection::Perspective { yfov: 1.0 }, RESOLUTION)), Some("camera"));
    assert_eq!(
        key(Camera::gltf(DMat4::IDENTITY, GltfProjection::Orthographic { ymag: -1.0 }, RESOLUTION)),
        Some("ymag")
    );
    let place = |position, target, up| Pose::look_at(position, target, up).err().map(|e| e.key);
    assert_eq!(place(DVec3::ONE, DVec3::ONE, DVec3::Y), Some("target"));
    assert_eq!(place(DVec3::ZERO, DVec3::NEG_Y, DVec3::Y), Some("up"));
    assert_eq!(place(DVec3::NAN, DVec3::NEG_Y, DVec3::Y), Some("position"));
    let identity = DMat4::IDENTITY.to_cols_array();
    let matrices = |view, projection| Matrices { view, projection, convention: Convention::Gl, frame: Frame::Scene };
    assert_eq!(key(Camera::from_matrices(&matrices([0.0; 16], identity), RESOLUTION)), Some("view"));
    assert_eq!(key(Camera::from_matrices(&matrices(identity, [f64::NAN; 16]), RESOLUTION)), Some("projection"));
}
