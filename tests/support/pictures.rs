//! Small scenes: put together, written to a folder, loaded and rendered in memory.

#![allow(dead_code)] // each test file uses its part

#[path = "../../scenes/generate/glb.rs"]
pub mod glb;
#[path = "../../scenes/generate/shapes.rs"]
pub mod shapes;

use std::sync::atomic::AtomicBool;

use glam::Vec3;
use scrutineer::cli::progress::Progress;
use scrutineer::film::{AovId, Film, FilmSettings, Plane};
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::sampler;
use scrutineer::scene::Scene;
use scrutineer::scene::error::SceneError;
use scrutineer::scene::load::{self, Options};
use serde_json::json;

use glb::{Glb, Material, Shape};

/// A scene in the making: `stage.glb` and the scene file beside it.
pub struct Stage {
    pub folder: tempfile::TempDir,
    pub glb: Glb,
    materials: Vec<(String, Material)>,
}

impl Stage {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder, glb: Glb::default(), materials: Vec::new() }
    }

    /// A grey glTF material that a `[materials.NAME]` of the scene file may stand in for.
    pub fn add(&mut self, material: &str, shape: &Shape) {
        let known = self.materials.iter().find(|(name, _)| name == material).map(|(_, material)| *material);
        let index = known.unwrap_or_else(|| self.glb.plain(material, [0.5; 3], 0.0, 1.0));
        self.materials.push((material.to_owned(), index));
        self.add_with(material, shape, index);
    }

    pub fn add_with(&mut self, name: &str, shape: &Shape, material: Material) {
        let mesh = self.glb.mesh(name, &[(shape, material)]);
        self.glb.place_here(name, mesh);
    }

    /// A surface that is light and nothing else.
    pub fn unlit(&mut self, name: &str, colour: [f32; 3], shape: &Shape) {
        let [r, g, b] = colour;
        let body = json!({ "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0] },
                           "extensions": { "KHR_materials_unlit": {} } });
        let material = self.glb.material(name, body);
        self.add_with(name, shape, material);
    }

    /// Writes a file beside the scene.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.folder.path().join(name), bytes).expect("a file in the temporary folder");
    }

    /// Writes a grey image whose texels are `paint(x, y)`, 0..255, in colour and alpha.
    pub fn image(&self, name: &str, size: u32, paint: impl Fn(u32, u32) -> u8) {
        let image = image::RgbaImage::from_fn(size, size, |x, y| image::Rgba([paint(x, y); 4]));
        image.save(self.folder.path().join(name)).expect("an image in the temporary folder");
    }

    pub fn try_load(self, text: &str) -> Result<Scene, SceneError> {
        let path = self.folder.path().join("stage.toml");
        self.file("stage.toml", text);
        self.glb.write(&self.folder.path().join("stage.glb")).expect("a GLB in the temporary folder");
        load::load(&path, &Options::default())
    }

    pub fn load(self, text: &str) -> Scene {
        self.try_load(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}

/// Renders the first camera; the beauty and its error are always kept.
pub fn render(scene: &Scene, integrator: Integrator, aovs: &[&str]) -> Film {
    let names = aovs.iter().chain(&["beauty", "beauty_stderr"]);
    let mut film = Film::new(FilmSettings {
        resolution: scene.render.resolution,
        crop: None,
        aovs: names.map(|name| AovId::named(name).expect("an AOV of the table")).collect(),
        light_groups: scene.names.light_groups.clone(),
        batch: sampler::BATCH,
        track_error: true,
    })
    .expect("a small film");
    let job = Job::new(scene, 0, integrator, None, None);
    let progress = Progress::new(job.total_samples(), "test");
    integrator::render(scene, &job, &mut film, &Watch { progress: &progress, stop: &AtomicBool::new(false) });
    film
}

/// One channel of an AOV, row by row.
pub fn channel(film: &Film, aov: &str, index: usize) -> Vec<f32> {
    let planes = film.planes(AovId::named(aov).expect("an AOV"), &|_| 0.0).expect("an AOV that is kept");
    match &planes[index] {
        Plane::Float(values) => values.clone(),
        Plane::Uint(values) => values.iter().map(|value| *value as f32).collect(),
    }
}

/// Three channels of an AOV, pixel by pixel.
pub fn colours(film: &Film, aov: &str) -> Vec<Vec3> {
    let [r, g, b] = [0, 1, 2].map(|index| channel(film, aov, index));
    r.iter().zip(&g).zip(&b).map(|((r, g), b)| Vec3::new(*r, *g, *b)).collect()
}

/// Mean beauty of the picture and its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    pub value: [f64; 3],
    pub error: [f64; 3],
}

pub fn mean(film: &Film) -> Mean {
    let over = |aov: &str, power: i32| {
        [0, 1, 2].map(|index| {
            let values = channel(film, aov, index);
            let sum: f64 = values.iter().map(|value| f64::from(*value).powi(power)).sum();
            (sum, values.len() as f64)
        })
    };
    Mean {
        value: over("beauty", 1).map(|(sum, count)| sum / count),
        error: over("beauty_stderr", 2).map(|(sum, count)| sum.sqrt() / count),
    }
}

impl Mean {
    /// Within 4.5 standard errors of an exact value, and known to `relative`.
    pub fn assert_is(&self, expected: [f64; 3], relative: f64, what: &str) {
        for c in 0..3 {
            let (value, error) = (self.value[c], self.error[c]);
            assert!(error <= relative * expected[c].abs() + 1e-9, "{what}: too noisy to tell: {self:?}");
            let off = (value - expected[c]).abs();
            assert!(off <= 4.5 * error + 2e-5 * expected[c].abs(), "{what}: {self:?} but expected {expected:?}");
        }
    }

    /// Within 4.5 standard errors of another estimate of the same value.
    pub fn assert_equals(&self, other: &Mean, relative: f64, what: &str) {
        for c in 0..3 {
            let error = self.error[c].hypot(other.error[c]);
            assert!(error <= relative * self.value[c].abs() + 1e-9, "{what}: too noisy to tell: {self:?} {other:?}");
            let off = (self.value[c] - other.value[c]).abs();
            assert!(off <= 4.5 * error + 2e-5 * self.value[c].abs(), "{what}: {self:?} and {other:?}");
        }
    }
}
