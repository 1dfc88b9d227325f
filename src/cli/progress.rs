//! Progress on stderr: rate, time left, noise; silent where stderr is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar over pixel samples.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar that ends at `samples`.
    pub fn new(samples: u64, what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(samples), ProgressDrawTarget::stderr_with_hz(8));
        let template = "{prefix} [{bar:32}] {percent:>3}%  {human_pos} samples at {per_sec}, {eta} left{msg}";
        // The template is ours: it parses.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// `samples` more are done.
    pub fn add(&self, samples: u64) {
        self.bar.inc(samples);
    }

    /// The picture's current relative noise, 0..1 and up.
    pub fn noise(&self, noise: f64) {
        self.bar.set_message(format!(", noise {:.2} %", noise * 100.0));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar over files.
pub struct Files {
    bar: ProgressBar,
}

impl Files {
    /// A bar that ends at `count`; none for a single file.
    pub fn new(count: usize, what: &str) -> Self {
        let target = if count > 1 { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(count as u64), target);
        // The template is ours: it parses.
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:32}] {pos}/{len}, {eta} left {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(what.to_owned());
        Self { bar }
    }

    /// One file is done.
    pub fn done(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
