//! The film's whole state as plain arrays: what a checkpoint stores and a resumed render starts from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::accumulate::{Counters, Pixels};
use super::cryptomatte::Counts;
use super::{Film, FilmSettings};

/// Everything that a film has accumulated, in the window's row order. With the film's settings it is the film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmState<'a> {
    /// One a pixel; plain data (`bytemuck::Pod`).
    pub counters: Cow<'a, [Counters]>,
    /// Sums and batch statistics, a fixed number a pixel.
    pub sums: Cow<'a, [f64]>,
    /// Centre-ray values (float bits) and ids, a fixed number a pixel.
    pub centre: Cow<'a, [u32]>,
    /// Cryptomatte counts: for every pixel and layer the number of ids, then id and count of each.
    pub cryptomatte: Cow<'a, [u32]>,
    /// Material id → samples that were not finite.
    pub non_finite: BTreeMap<u32, u64>,
}

impl Film {
    /// The state; the large arrays are borrowed.
    pub fn state(&self) -> FilmState<'_> {
        FilmState {
            counters: Cow::Borrowed(&self.pixels.counters),
            sums: Cow::Borrowed(&self.pixels.sums),
            centre: Cow::Borrowed(&self.pixels.centre),
            cryptomatte: Cow::Owned(flatten(&self.pixels.cryptomatte)),
            non_finite: self.non_finite.clone(),
        }
    }

    /// The film that `state` came from. Errors: arrays that do not fit the settings.
    pub fn from_state(settings: FilmSettings, state: FilmState<'_>) -> Result<Self, String> {
        let mut film = Self::new(settings)?;
        let cryptomatte = unflatten(&state.cryptomatte, film.pixels.cryptomatte.len());
        let pixels = Pixels {
            counters: state.counters.into_owned(),
            sums: state.sums.into_owned(),
            centre: state.centre.into_owned(),
            cryptomatte: cryptomatte.ok_or("the stored Cryptomatte counts are cut short or too long")?,
        };
        let fits = pixels.counters.len() == film.pixels.counters.len()
            && pixels.sums.len() == film.pixels.sums.len()
            && pixels.centre.len() == film.pixels.centre.len();
        if !fits {
            return Err("the stored state does not fit the film's window and AOVs".to_owned());
        }
        if pixels.counters.iter().any(|c| c.open_samples > c.samples || c.hits > c.samples) {
            return Err("the stored counters contradict each other".to_owned());
        }
        film.pixels = pixels;
        film.non_finite = state.non_finite;
        Ok(film)
    }
}

fn flatten(counts: &[Counts]) -> Vec<u32> {
    let mut out = Vec::with_capacity(counts.len() * 2);
    for counts in counts {
        let at = out.len();
        out.push(0);
        counts.iter().for_each(|(id, count)| out.extend([id, count]));
        out[at] = ((out.len() - at) / 2) as u32;
    }
    out
}

fn unflatten(words: &[u32], pixels: usize) -> Option<Vec<Counts>> {
    let mut words = words.iter().copied();
    let mut read = || {
        let mut counts = Counts::default();
        for _ in 0..words.next()? {
            counts.add_many(words.next()?, words.next()?);
        }
        Some(counts)
    };
    let counts = (0..pixels).map(|_| read()).collect::<Option<Vec<_>>>()?;
    words.next().is_none().then_some(counts)
}
