//! Whether two pictures are noisy renders, how they are related, and the noise-aware test of an AOV.

use std::collections::BTreeMap;

use super::engine::{Couple, Running, Side};
use super::kind::{self, Error, Kind};
use super::limits::{Limits, Run};
use super::pair::Pair;
use super::picture::{Facts, Picture, Sample};
use super::plane::Rows;
use super::report::Notice;
use super::statistics::{NoiseReport, NoiseTest, Rounding, Settings};

/// Residuals of independent renders have about their errors' size (spread 1), those of one seed next to none.
const OWN_NOISE: f64 = 0.5;

/// How two renders are related, by their headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Of the same scene, seed and samples: the same random numbers, so that their noise is shared.
    pub correlated: bool,
    /// Of equal sample counts and different seeds.
    exchangeable: bool,
    /// Of the same program version.
    same_version: bool,
}

impl Relation {
    pub fn of(test: &Facts, reference: &Facts) -> Self {
        let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        let samples = test.samples.is_some() && test.samples == reference.samples;
        let seed = same(&test.seed, &reference.seed);
        let scene = same(&test.scene_hash, &reference.scene_hash);
        let known = test.seed.is_some() && reference.seed.is_some();
        Self {
            correlated: scene && seed && samples,
            exchangeable: samples && known,
            same_version: same(&test.version, &reference.version),
        }
    }

    /// The relation that the noise itself shows: another version may sample differently under the same seed.
    pub fn seen(self, reports: &[Option<NoiseReport>]) -> Self {
        let spread = reports.iter().flatten().find_map(|report| report.spread);
        let shared = self.same_version || spread.is_none_or(|spread| spread < OWN_NOISE);
        Self { correlated: self.correlated && shared, ..self }
    }

    /// What the headers tell that a reader of the verdict should know.
    pub fn notices(self, seen: Self, test: &Facts, reference: &Facts) -> Vec<Notice> {
        let mut notices = Vec::new();
        let mut say = |code, text: String| notices.push(Notice { code, aov: None, text });
        let path = |facts: &Facts| facts.integrator.as_deref().is_some_and(|name| name != "gbuffer");
        let text = match (self.correlated && path(test) && path(reference), seen.correlated) {
            (true, true) => Some("same scene, seed and samples: the noise is the same in both, so plain limits judge"),
            (true, false) => Some(
                "same scene, seed and samples, yet the noise is not the same: the versions sample differently; tested as \
                 independent renders",
            ),
            (false, _) => None,
        };
        if let Some(text) = text {
            say("correlated", text.to_owned());
        }
        let mut stale = Vec::new();
        for (what, t, r) in
            [("scene", &test.scene_hash, &reference.scene_hash), ("version", &test.version, &reference.version)]
        {
            if let (Some(t), Some(r)) = (t, r)
                && t != r
            {
                stale.push(format!("{what} {r}, the test {t}"));
            }
        }
        if !stale.is_empty() {
            say("stale_reference", format!("the reference was rendered from another state: {}", stale.join("; ")));
        }
        let names = |facts: &Facts| facts.ids.clone();
        if !test.ids.is_empty() && !reference.ids.is_empty() && names(test) != names(reference) {
            say("id_names", "the headers name ids differently: equal ids may mean different things".to_owned());
        }
        notices
    }
}

/// The noise-aware test of one AOV.
pub struct Noise {
    /// Layers that hold errors, in test and reference, and what of.
    errors: [Option<(usize, Error)>; 2],
    /// For each compared channel, its place among the error layer's.
    places: [Vec<Option<usize>>; 2],
    window: crate::film::Rect,
    channels: usize,
    settings: Settings,
    test: Option<NoiseTest>,
}

impl Noise {
    /// A test where both pictures are noisy, and the limits do not switch it off.
    pub fn new(couple: &Couple, pair: &Pair, relation: &Relation, limits: &Limits) -> Option<Self> {
        let errors = [error_layer(&couple.test, &pair.name), error_layer(&couple.reference, &pair.reference_name)];
        let noisy = |picture: &Picture, error: &Option<(usize, Error)>| {
            let ours = picture.facts().integrator.as_deref();
            error.is_some() || ours.is_some_and(|integrator| kind::noisy(&pair.reference_name, integrator))
        };
        let both = noisy(&couple.test, &errors[0]) && noisy(&couple.reference, &errors[1]);
        let fit = !matches!(pair.kind, Kind::Id | Kind::Count | Kind::Cryptomatte | Kind::StandardError);
        let wanted = limits.wants_noise(&pair.reference_name, pair.kind);
        // A pixel that no sample hit is 0: its mean depends on the number of samples, so means over hits of unequal
        // sample counts are not tested.
        let unequal = !relation.exchangeable && kind::over_hits(&pair.reference_name);
        if !both || !fit || !wanted || unequal || pair.window.area() == 0 || couple.toner.is_some() {
            return None;
        }
        let layers = [&couple.test.layers()[pair.test], &couple.reference.layers()[pair.reference]];
        let half = layers.iter().flat_map(|layer| &layer.channels).any(|channel| channel.sample == Sample::Half);
        let pictures = [&couple.test, &couple.reference];
        let places = [0, 1].map(|side| channel_places(pictures[side], errors[side], pair));
        let settings = Settings {
            family_wise_error: limits.family_wise_error,
            rounding: if half { Rounding::HALF } else { Rounding::FLOAT },
            batches: pictures.map(|picture| picture.facts().batches()),
            exchangeable: relation.exchangeable && errors[0].is_some() == errors[1].is_some(),
            span: span(pair),
            corner: [pair.window.x, pair.window.y],
        };
        Some(Self { errors, places, window: pair.window, channels: pair.channels.len(), settings, test: None })
    }

    /// The error layer that it reads in one picture.
    pub fn layer(&self, side: Side) -> Option<usize> {
        self.errors[side as usize].map(|(layer, _)| layer)
    }

    /// One row; pixels of regions with their own rules, and masked ones, take no part.
    pub fn row(
        &mut self,
        y: i32,
        test: &[f32],
        reference: &[f32],
        runs: &[Run],
        test_rows: &BTreeMap<usize, Rows>,
        reference_rows: &BTreeMap<usize, Rows>,
    ) -> Result<(), String> {
        let rows = [test_rows, reference_rows];
        let errors = [0, 1].map(|side| self.errors_of(side, y, rows[side]));
        let whole = matches!(runs, [run] if run.zone == 0 && (run.end - run.start) as u32 == self.window.width);
        let masked;
        let test = match whole {
            true => test,
            false => {
                masked = self.masked(test, runs);
                &masked
            }
        };
        let (width, height, channels, settings) = (self.window.width, self.window.height, self.channels, self.settings);
        let noise = self.test.get_or_insert_with(|| NoiseTest::new(width, height, channels, settings));
        noise.row(test, reference, errors[0].as_deref(), errors[1].as_deref())
    }

    /// Values that are not numbers take no part.
    fn masked(&self, values: &[f32], runs: &[Run]) -> Vec<f32> {
        let mut masked = vec![f32::NAN; values.len()];
        for run in runs.iter().filter(|run| run.zone == 0) {
            let place = |x: i32| (x - self.window.x) as usize * self.channels;
            let range = place(run.start)..place(run.end);
            masked[range.clone()].copy_from_slice(&values[range]);
        }
        masked
    }

    /// Standard errors of a row, in the layout of its values; NaN where a channel has none.
    fn errors_of(&self, side: usize, y: i32, rows: &BTreeMap<usize, Rows>) -> Option<Vec<f32>> {
        let (layer, error) = self.errors[side]?;
        let rows = rows.get(&layer)?;
        if y < rows.rect.y || y >= rows.rect.y + rows.rect.height as i32 {
            return None;
        }
        let line = rows.floats(y);
        let value = |x: i32, place: Option<usize>| {
            let column = usize::try_from(x - rows.rect.x).ok().filter(|column| *column < rows.rect.width as usize);
            let value = column.zip(place).map_or(f32::NAN, |(column, place)| line[column * rows.channels + place]);
            if error == Error::Variance { value.sqrt() } else { value }
        };
        let columns = self.window.x..self.window.x + self.window.width as i32;
        Some(
            columns
                .flat_map(|x| self.places[side].iter().map(move |place| (x, *place)))
                .map(|(x, p)| value(x, p))
                .collect(),
        )
    }

    /// The report. None where no row came.
    pub fn finish(self, pair: &Pair) -> Result<Option<NoiseReport>, String> {
        let name = |channel: usize| pair.channels.get(channel).map_or_else(String::new, |(name, ..)| name.clone());
        self.test.map(|test| test.finish(name)).transpose()
    }
}

/// How far one sample may take a value: material data is within 0..1 and normals within −1..1; emission, like light, has
/// no bound.
fn span(pair: &Pair) -> Option<f64> {
    match pair.kind {
        _ if ["emission", "RT1", "receiver_RT1"].contains(&pair.reference_name.as_str()) => None,
        Kind::Colour | Kind::Scalar => Some(1.0),
        Kind::Normal => Some(2.0),
        _ => None,
    }
}

/// Gives every noise-aware AOV its share of the picture's error rate (Bonferroni).
pub fn share(running: &mut [Running], family_wise_error: f64) {
    let count = running.iter().filter(|aov| aov.noise.is_some()).count().max(1);
    for noise in running.iter_mut().filter_map(|aov| aov.noise.as_mut()) {
        noise.settings.family_wise_error = family_wise_error / count as f64;
    }
}

/// The layer that holds the errors of the AOV `name`.
fn error_layer(picture: &Picture, name: &str) -> Option<(usize, Error)> {
    picture.layers().iter().enumerate().find_map(|(index, layer)| {
        let (of, error) = kind::error_of(&layer.name)?;
        (of.eq_ignore_ascii_case(name) && error != Error::Relative).then_some((index, error))
    })
}

fn channel_places(picture: &Picture, error: Option<(usize, Error)>, pair: &Pair) -> Vec<Option<usize>> {
    let place = |name: &str| {
        let (layer, _) = error?;
        picture.layers()[layer].channels.iter().position(|channel| channel.name.eq_ignore_ascii_case(name))
    };
    pair.channels.iter().map(|(name, ..)| place(name)).collect()
}
