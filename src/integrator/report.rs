//! What a render was: how far it came, how fast, how clean.

use std::fmt::Write;
use std::time::Duration;

use crate::film::Film;
use crate::scene::Scene;

/// The outcome of one render.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// False where it was stopped early.
    pub complete: bool,
    /// Of the sampling alone, without loading and writing.
    pub elapsed: Duration,
    /// Rays traced: camera, bounce and shadow rays, each continuation through a hole or pane included.
    pub rays: u64,
    /// Pixel samples taken.
    pub samples: u64,
}

impl Report {
    /// The report of a film after `elapsed`.
    pub fn new(film: &Film, complete: bool, elapsed: Duration, rays: u64) -> Self {
        let samples = pixels(film).map(|(x, y)| film.counters(x, y).map_or(0, |c| u64::from(c.samples))).sum();
        Self { complete, elapsed, rays, samples }
    }

    /// A few lines for the end of a render.
    pub fn summary(&self, scene: &Scene, film: &Film) -> String {
        let seconds = self.elapsed.as_secs_f64().max(1e-9);
        let mut text = String::new();
        let mut line = |words: String| writeln!(text, "{words}").expect("writing to a string cannot fail");
        line(format!(
            "{} samples in {seconds:.1} s: {:.2} M samples/s, {:.2} M rays/s ({})",
            self.samples,
            self.samples as f64 / seconds / 1e6,
            self.rays as f64 / seconds / 1e6,
            scene.accel.name(),
        ));
        line(format!(
            "memory: acceleration {}, textures {}, film {}",
            megabytes(scene.accel.bytes()),
            megabytes(scene.texture_bytes),
            megabytes(film.bytes_per_pixel() * film.window().area()),
        ));
        if let Some(noise) = noise(film) {
            line(format!(
                "relative standard error of the beauty: {:.2} % (mean error over mean radiance)",
                noise * 100.0
            ));
        }
        for (material, count) in film.non_finite_by_material() {
            let name = material.checked_sub(1).and_then(|index| scene.names.materials.get(index as usize));
            let name = name.map_or("the background", String::as_str);
            line(format!("warning: {count} samples were not finite at material \"{name}\" and are left out"));
        }
        text
    }
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// The picture's relative noise: the mean standard error of its pixels over their mean radiance. `None` where the film
/// does not track errors, or nothing is lit yet.
pub fn noise(film: &Film) -> Option<f64> {
    let (mut error, mut radiance) = (0.0, 0.0);
    for (x, y) in pixels(film) {
        let estimate = film.estimate(x, y)?;
        error += estimate.standard_error.iter().sum::<f64>();
        radiance += estimate.mean.iter().sum::<f64>();
    }
    (error.is_finite() && radiance > 0.0).then(|| error / radiance)
}

fn pixels(film: &Film) -> impl Iterator<Item = (i32, i32)> + use<> {
    let window = film.window();
    let columns = window.x..window.x + window.width as i32;
    let rows = window.y..window.y + window.height as i32;
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
}
