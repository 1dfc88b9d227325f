//! From scene to film: pixels are shared out by tiles, each pixel's samples are taken in order by one thread.
//!
//! [`path`] is the estimator, [`naive`] the same radiance without cleverness, [`primary`] the centre ray of the G-buffer
//! AOVs. A pixel's numbers depend on nothing but (scene, seed, pixel, sample): that is why threads, tiles, crops and
//! restarts change no bit.

pub mod metadata;
pub mod naive;
mod painted;
pub mod passage;
pub mod path;
pub mod primary;
pub mod record;
pub mod report;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::cli::progress::Progress;
use crate::film::accumulate::Tile;
use crate::film::filter::Filter;
use crate::film::{Film, Rect};
use crate::geometry::mesh::mask;
use crate::geometry::{Hit, Ray};
use crate::sampler::{self, Sampler};
use crate::scene::Scene;
use crate::scene::camera::Camera;
use passage::Passage;
use record::{Record, View, Wants};
use report::Report;

/// Which estimator fills the film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Integrator {
    Path,
    Naive,
    Gbuffer,
}

/// One picture to render.
pub struct Job {
    pub camera: usize,
    pub integrator: Integrator,
    pub samples: u32,
    pub max_depth: u32,
    pub seed: u64,
    pub filter: Filter,
    pub cull: bool,
    pub resolution: [u32; 2],
    /// x, y, width, height in pixels of the full picture.
    pub window: [i32; 4],
    pub threads: Option<usize>,
    /// The camera at the job's resolution, which may not be the scene file's.
    eye: Camera,
    view: View,
}

impl Job {
    /// The scene's settings for one of its cameras.
    pub fn new(
        scene: &Scene,
        camera: usize,
        integrator: Integrator,
        crop: Option<[i32; 4]>,
        threads: Option<usize>,
    ) -> Self {
        let render = &scene.render;
        let [width, height] = render.resolution;
        let eye = scene.cameras[camera].camera.resized(render.resolution);
        Self {
            camera,
            integrator,
            samples: if integrator == Integrator::Gbuffer { 1 } else { render.samples },
            max_depth: render.max_depth,
            seed: render.seed,
            filter: Filter::new(render.filter),
            cull: render.cull,
            resolution: render.resolution,
            window: crop.unwrap_or([0, 0, width as i32, height as i32]),
            threads,
            view: View {
                origin: eye.position(),
                forward: eye.forward().as_vec3(),
                glass_gbuffer: render.glass_gbuffer,
            },
            eye,
        }
    }

    /// Pixel samples of the whole job.
    pub fn total_samples(&self) -> u64 {
        self.window[2] as u64 * self.window[3] as u64 * u64::from(self.samples)
    }

    fn batches(&self) -> u32 {
        self.samples.div_ceil(sampler::BATCH)
    }

    /// Samples that some batches of a pixel hold; the last batch may be short.
    fn samples_in(&self, batches: &Range<u32>) -> u64 {
        let end = (batches.end * sampler::BATCH).min(self.samples);
        u64::from(end - batches.start * sampler::BATCH)
    }
}

/// Side of a tile, pixels: small enough to share the last tiles of a picture fairly, large enough to be cheap.
const TILE: u32 = 16;

/// What a render reports to while it runs.
pub struct Watch<'a> {
    pub progress: &'a Progress,
    /// Raised from outside to end the render early.
    pub stop: &'a AtomicBool,
}

/// Renders `job` into `film`. Raising `stop` ends it after the pixels under way; the report says so.
pub fn render(scene: &Scene, job: &Job, film: &mut Film, watch: &Watch) -> Report {
    let started = Instant::now();
    let rays = AtomicU64::new(0);
    let complete = {
        let mut work = || run_passes(scene, job, film, watch, &rays);
        match job.threads.map(|count| rayon::ThreadPoolBuilder::new().num_threads(count).build()) {
            Some(Ok(pool)) => pool.install(work),
            _ => work(),
        }
    };
    Report::new(film, complete, started.elapsed(), rays.into_inner())
}

/// Passes of 1, 1, 2, 4, … batches over the whole picture: stopping early leaves a whole, noisier picture.
fn run_passes(scene: &Scene, job: &Job, film: &mut Film, watch: &Watch, rays: &AtomicU64) -> bool {
    let tiles = tiles_of(film.window());
    let film = Mutex::new(film);
    let mut done = 0;
    while done < job.batches() {
        let batches = done..(done * 2).max(1).min(job.batches());
        let finished = tiles.par_iter().map(|rect| {
            if watch.stop.load(Ordering::Relaxed) {
                return false;
            }
            // A panic elsewhere ends the render anyway; the film itself is only ever replaced tile by tile.
            let lock = || film.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let mut tile = lock().tile(*rect);
            let done = render_tile(scene, job, &mut tile, batches.clone(), watch.stop);
            lock().merge(tile);
            rays.fetch_add(done.rays, Ordering::Relaxed);
            watch.progress.add(job.samples_in(&batches) * done.pixels);
            done.pixels == rect.area() as u64
        });
        if !finished.reduce(|| true, |a, b| a && b) {
            return false;
        }
        let film = film.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(noise) = report::noise(&film) {
            watch.progress.noise(noise);
        }
        done = batches.end;
    }
    true
}

/// The window cut into tiles, row by row.
fn tiles_of(window: Rect) -> Vec<Rect> {
    let columns = (0..window.width).step_by(TILE as usize);
    let rows = (0..window.height).step_by(TILE as usize);
    let cells = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    cells
        .map(|(x, y)| Rect {
            x: window.x + x as i32,
            y: window.y + y as i32,
            width: TILE.min(window.width - x),
            height: TILE.min(window.height - y),
        })
        .collect()
}

/// How far a tile came.
struct Done {
    pixels: u64,
    rays: u64,
}

/// Takes the batches of every pixel of a tile; after `stop` the remaining pixels stay as they were.
fn render_tile(scene: &Scene, job: &Job, tile: &mut Tile, batches: Range<u32>, stop: &AtomicBool) -> Done {
    let wants = Wants { first: tile.wants_hits(), glass_transmittance: tile.keeps("glass_transmittance") };
    let mut record = Record::new(tile.light_groups(), job.view, wants);
    let rect = tile.rect();
    let mut pixels = 0;
    for y in rect.y..rect.y + rect.height as i32 {
        for x in rect.x..rect.x + rect.width as i32 {
            if stop.load(Ordering::Relaxed) {
                return Done { pixels, rays: record.rays };
            }
            let pixel = PixelJob { scene, job, pixel: [x, y] };
            if batches.start == 0 {
                pixel.centre(tile, &mut record);
            }
            if job.integrator != Integrator::Gbuffer {
                batches.clone().for_each(|batch| pixel.batch(batch, &mut record, tile));
            }
            pixels += 1;
        }
    }
    Done { pixels, rays: record.rays }
}

/// One pixel of one job.
struct PixelJob<'a> {
    scene: &'a Scene,
    job: &'a Job,
    pixel: [i32; 2],
}

impl PixelJob<'_> {
    /// The surface that the ray through the pixel's centre meets; for the G-buffer integrator it is the only sample.
    fn centre(&self, tile: &mut Tile, record: &mut Record) {
        let (ray, spread) = primary::centre_ray(self.scene, &self.job.eye, self.pixel);
        let mut passage = self.passage(u64::MAX).unfiltered();
        passage.spread = spread;
        let hit = self.scene.accel.closest(&ray, mask::SURFACES);
        let (first, glass) = primary::first_surface(&mut passage, &ray, hit, &self.job.view);
        let [x, y] = self.pixel;
        let mut pixel = tile.pixel(x, y);
        pixel.centre(first.as_ref());
        if self.job.integrator == Integrator::Gbuffer {
            record.reset();
            record.sample.alpha = f32::from(u8::from(first.is_some()));
            record.sample.glass_transmittance = glass;
            pixel.add(&record.sample, first.as_ref().map(|first| &first.surface), &record.groups);
        }
        record.rays += passage.rays + 1;
    }

    /// One batch of samples: its camera rays are traced as a packet, since they are nearly the same ray.
    fn batch(&self, batch: u32, record: &mut Record, tile: &mut Tile) {
        const LENGTH: usize = sampler::BATCH as usize;
        let first_sample = batch * sampler::BATCH;
        let mut sampler = Sampler::new(self.job.seed, self.pixel, first_sample);
        let count = (self.job.samples - first_sample).min(sampler::BATCH) as usize;
        let rays: [(Ray, f32); LENGTH] =
            std::array::from_fn(|index| self.camera_ray(sampler.go_to(first_sample + index as u32)));
        let mut hits: [Option<Hit>; LENGTH] = [None; LENGTH];
        let packet = rays.map(|(ray, _)| ray);
        self.scene.accel.closest_packet(&packet[..count], mask::SURFACES, &mut hits[..count]);
        record.rays += count as u64;
        let [x, y] = self.pixel;
        let mut pixel = tile.pixel(x, y);
        for index in 0..count {
            record.reset();
            let sample = first_sample + index as u32;
            self.sample(sample, sampler.go_to(sample), rays[index], hits[index], record);
            pixel.add(&record.sample, record.first(), &record.groups);
        }
        pixel.end_batch();
    }

    fn camera_ray(&self, sampler: &mut Sampler) -> (Ray, f32) {
        let [fx, fy, lx, ly] = sampler.next_4d();
        let offset = self.job.filter.sample([fx, fy]);
        self.ray([0.5 + f64::from(offset.x), 0.5 + f64::from(offset.y)], [lx, ly])
    }

    /// The camera ray through a point of the pixel, relative to the scene's centre, and its spread.
    fn ray(&self, within: [f64; 2], lens: [f32; 2]) -> (Ray, f32) {
        let raster = [f64::from(self.pixel[0]) + within[0], f64::from(self.pixel[1]) + within[1]];
        primary::camera_ray(self.scene, &self.job.eye, raster, lens)
    }

    fn passage(&self, sample: u64) -> Passage<'_> {
        let [x, y] = self.pixel.map(|side| u64::from(side as u32));
        let key = (x << 32 | y).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ self.job.seed.rotate_left(32) ^ sample;
        Passage::new(self.scene, self.pixel, self.job.cull, key.wrapping_mul(0xff51_afd7_ed55_8ccd))
    }

    fn sample(
        &self,
        sample: u32,
        sampler: &mut Sampler,
        (ray, spread): (Ray, f32),
        first: Option<Hit>,
        record: &mut Record,
    ) {
        let mut passage = self.passage(u64::from(sample));
        passage.spread = spread;
        let max_depth = self.job.max_depth;
        match self.job.integrator {
            Integrator::Naive => naive::trace(&mut passage, ray, first, sampler, max_depth, record),
            _ => path::trace(&mut passage, ray, first, sampler, max_depth, record),
        }
        record.rays += passage.rays;
    }
}
