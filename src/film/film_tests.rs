use super::*;
use crate::gbuffer::GBuffer;
use glam::{Vec2, Vec3, Vec4};
use sample::{FirstHit, FirstSurface, Ids, PathSample};

/// A path whose beauty is `value` in all channels, spread over the five parts.
pub(super) fn sample(value: f32) -> PathSample {
    let part = |share: f32| Vec3::splat(value * share);
    PathSample {
        emission: part(0.5),
        direct_diffuse: part(0.25),
        direct_specular: part(0.125),
        indirect_diffuse: part(0.0625),
        indirect_specular: part(0.0625),
        alpha: 1.0,
        glass_transmittance: Vec3::ONE,
        ..PathSample::default()
    }
}

/// A surface with the albedo `albedo` in all channels and every other field told apart.
pub(super) fn hit(albedo: f32) -> FirstHit {
    let mut gbuffer = GBuffer::new(Vec3::splat(albedo), Vec3::new(0.0, 1.0, -0.5));
    (gbuffer.metalness, gbuffer.roughness, gbuffer.ambient_occlusion) = (0.125, 0.375, 0.625);
    (gbuffer.emission, gbuffer.emission_seed) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0));
    FirstHit {
        surface: FirstSurface {
            gbuffer,
            bare: Some(GBuffer::new(Vec3::splat(0.0625), Vec3::X)),
            decal_weight: 0.5,
            ids: Ids { instance: 1, object: 2, mesh: 4, material: 3, primitive: 5 },
        },
        n: Vec3::Y,
        ng: Vec3::Z,
        p: Vec3::new(10.0, 20.0, 30.0),
        z: 7.0,
        distance: 8.0,
        uv: [0, 1, 2, 3, 4].map(|set| Vec2::new(set as f32 + 0.25, 0.75)),
        tangent: Vec4::new(1.0, 0.0, 0.0, -1.0),
        color: Vec4::new(0.1, 0.2, 0.3, 0.4),
    }
}

fn settings(resolution: [u32; 2], crop: Option<[i32; 4]>) -> FilmSettings {
    let aovs = Selection::default_set().into_ids();
    FilmSettings { resolution, crop, aovs, light_groups: vec![], batch: 4, track_error: false }
}

fn render(film: &mut Film, rect: Rect) {
    let mut tile = film.tile(rect);
    for y in rect.y..rect.y + rect.height as i32 {
        for x in rect.x..rect.x + rect.width as i32 {
            let mut pixel = tile.pixel(x, y);
            (0..6).for_each(|i| pixel.add(&sample((x * 31 + y * 7 + i) as f32), Some(&hit(0.5).surface), &[]));
            pixel.centre(Some(&hit(0.5)));
            pixel.end_batch();
        }
    }
    film.merge(tile);
}

fn film_of(settings: FilmSettings, tile: u32) -> Film {
    let mut film = Film::new(settings).unwrap();
    let window = film.window();
    for y in (0..window.height).step_by(tile as usize) {
        for x in (0..window.width).step_by(tile as usize) {
            let (width, height) = (tile.min(window.width - x), tile.min(window.height - y));
            render(&mut film, Rect { x: window.x + x as i32, y: window.y + y as i32, width, height });
        }
    }
    film
}

fn beauty(film: &Film, x: i32, y: i32) -> f32 {
    film.beauty_rgb().unwrap()[3 * film.window().index(x, y).unwrap()]
}

#[test]
fn tile_sizes_do_not_change_a_bit() {
    let whole = film_of(settings([13, 9], None), 16);
    let tiled = film_of(settings([13, 9], None), 4);
    assert!(whole.pixels == tiled.pixels);
}

#[test]
fn a_crop_and_an_overscan_hold_the_full_frames_pixels() {
    let full = film_of(settings([12, 8], None), 5);
    let crop = film_of(settings([12, 8], Some([3, 2, 4, 5])), 3);
    let overscan = film_of(settings([12, 8], Some([-2, -1, 16, 10])), 7);
    for (x, y) in [(3, 2), (6, 6), (4, 5)] {
        assert_eq!(beauty(&full, x, y), beauty(&crop, x, y));
        assert_eq!(beauty(&full, x, y), beauty(&overscan, x, y));
    }
    assert_eq!(crop.counters(2, 2), None);
    assert_eq!(overscan.counters(-2, -1).unwrap().samples, 6);
}

#[test]
fn light_groups_are_means_and_sum_to_the_beauty() {
    let light_groups = vec!["sun".to_owned(), "lamps".to_owned()];
    let names = ["beauty".to_owned(), "light_*".to_owned()];
    let aovs = Selection::parse(&names, &light_groups).unwrap().into_ids();
    let mut film = Film::new(FilmSettings { aovs, light_groups, ..settings([1, 1], None) }).unwrap();
    let mut tile = film.tile(film.window());
    for i in 1..=4 {
        let (sun, lamps) = (Vec3::splat(i as f32), Vec3::new(0.5, 0.0, i as f32));
        let sample = PathSample { emission: sun + lamps, ..PathSample::default() };
        tile.pixel(0, 0).add(&sample, None, &[sun, lamps]);
    }
    film.merge(tile);
    let plane = |id, c: usize| match &film.planes(id, &|_| 0.0).unwrap()[c] {
        Plane::Float(values) => values[0],
        Plane::Uint(_) => unreachable!("a light group is float"),
    };
    assert_eq!(plane(AovId::LightGroup(0), 2), 2.5);
    assert_eq!(plane(AovId::LightGroup(1), 0), 0.5);
    for c in 0..3 {
        let sum = plane(AovId::LightGroup(0), c) + plane(AovId::LightGroup(1), c);
        assert_eq!(sum, plane(AovId::named("beauty").unwrap(), c));
    }
}

#[test]
fn shards_of_pixels_join_to_the_whole_and_overlaps_are_refused() {
    let whole = film_of(settings([6, 4], None), 8);
    let mut left = Film::new(settings([6, 4], None)).unwrap();
    let mut right = Film::new(settings([6, 4], None)).unwrap();
    render(&mut left, Rect { x: 0, y: 0, width: 3, height: 4 });
    render(&mut right, Rect { x: 3, y: 0, width: 3, height: 4 });
    left.join(&right).unwrap();
    assert!(left.pixels == whole.pixels);
    assert!(left.join(&right).unwrap_err().contains("(3, 0)"));
    let other = Film::new(FilmSettings { batch: 8, ..settings([6, 4], None) }).unwrap();
    assert!(left.join(&other).is_err());
}

#[test]
fn the_state_makes_the_same_film_and_a_damaged_one_is_refused() {
    let mut film = film_of(settings([5, 3], None), 8);
    let mut tile = film.tile(Rect { x: 1, y: 1, width: 1, height: 1 });
    for id in 1..=9 {
        let mut surface = hit(0.5).surface;
        surface.ids.object = id;
        tile.pixel(1, 1).add(&sample(f32::NAN), Some(&surface), &[]);
        tile.pixel(1, 1).add(&sample(1.0), Some(&surface), &[]);
    }
    film.merge(tile);
    let again = Film::from_state(settings([5, 3], None), film.state()).unwrap();
    assert!(again.pixels == film.pixels && again.non_finite == film.non_finite);
    let mut short = film.state();
    short.cryptomatte.to_mut().pop();
    assert!(Film::from_state(settings([5, 3], None), short).is_err());
    assert!(Film::from_state(settings([5, 4], None), film.state()).is_err());
}

#[test]
fn settings_out_of_range_are_refused() {
    assert!(Film::new(settings([0, 4], None)).is_err());
    assert!(Film::new(settings([4, 4], Some([0, 0, 0, 4]))).is_err());
    assert!(Film::new(settings([4, 4], Some([0, 0, -3, 4]))).is_err());
    assert!(Film::new(settings([4, 4], Some([i32::MIN, 0, 4, 4]))).is_err());
    assert!(Film::new(FilmSettings { batch: 0, ..settings([4, 4], None) }).is_err());
    let aovs = vec![AovId::LightGroup(0)];
    assert!(Film::new(FilmSettings { aovs, ..settings([4, 4], None) }).is_err());
}

#[test]
fn more_memory_than_there_is_is_an_error_that_says_how_much() {
    let error = Film::new(settings([1 << 20, 1 << 20], None)).err().unwrap();
    assert!(error.contains("GB"), "{error}");
}

#[test]
fn only_what_is_asked_for_takes_memory() {
    let only = |name: &str| {
        let aovs = vec![AovId::named(name).unwrap()];
        Film::new(FilmSettings { aovs, ..settings([1, 1], None) }).unwrap().bytes_per_pixel() - size_of::<Counters>()
    };
    assert_eq!(only("beauty"), 4 * 8);
    assert_eq!(only("P"), 3 * 4);
    assert_eq!(only("samples"), 0);
    let default = Film::new(settings([1, 1], None)).unwrap();
    assert!(default.bytes_per_pixel() <= 600, "{}", default.bytes_per_pixel());
}

/// Not a benchmark, a tripwire: a sample with the default set costs far less than a ray.
#[test]
fn adding_a_sample_is_cheap() {
    let film = Film::new(FilmSettings { batch: 32, ..settings([16, 16], None) }).unwrap();
    let mut tile = film.tile(film.window());
    let (surface, path) = (hit(0.5).surface, sample(1.0));
    let start = std::time::Instant::now();
    for i in 0..256 {
        let mut pixel = tile.pixel(i % 16, i / 16);
        (0..1000).for_each(|_| pixel.add(std::hint::black_box(&path), Some(std::hint::black_box(&surface)), &[]));
    }
    let each = start.elapsed().as_nanos() as f64 / 256_000.0;
    println!("{each:.0} ns a sample");
    assert!(each < 2000.0, "{each} ns a sample");
}
