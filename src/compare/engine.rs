//! One pair of pictures: bands of rows of both are read side by side and handed to every AOV's measures.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::diagnosis;
use super::judge;
use super::kind::Kind;
use super::limits::{Area, Exposure, Footing, Limits, Rules, Run, Zones};
use super::lines::Line;
use super::measure::{LABELS, Labels, Measure};
use super::noise::{self, Noise, Relation};
use super::options::Options;
use super::pair::{self, Matching, Pair};
use super::perceptual::{Kept, Perceptual};
use super::picture::Picture;
use super::plane::{Plane, Rows};
use super::report::{Fault, Notice, PictureReport, Tone, Verdict};
use super::statistics::NoiseReport;
use super::tone::{ShownLight, Toner};
use crate::film::Rect;
use crate::film::view::View;

/// Two open pictures and what belongs together in them.
pub struct Couple {
    pub test: Picture,
    pub reference: Picture,
    pub matching: Matching,
    /// How light is shown, where one picture holds display values.
    pub toner: Option<Shown>,
    /// The ꟻLIP error of AOVs, by their name in the reference, where maps are kept.
    pub maps: BTreeMap<String, Plane>,
}

/// A view, and which picture goes through it.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub toner: Toner,
    pub solved: bool,
    pub side: Side,
}

/// One of the two pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Test,
    Reference,
}

/// An AOV while its rows come in.
pub struct Running<'a> {
    pub pair: &'a Pair,
    /// Of the picture, then of each region.
    pub rules: Vec<Rules>,
    pub measure: Measure,
    pub noise: Option<Noise>,
    pub perceptual: Option<Perceptual>,
    zones: Zones<'a>,
    kept: Option<Kept>,
    places: [Vec<usize>; 2],
    shown: Option<Shown>,
}

/// Bands are at least this high, rows: fewer reads of small blocks.
const LEAST_BAND: usize = 64;
/// … and at most this, unless blocks are higher.
const MOST_BAND: usize = 512;

/// Compares `test` with `reference`; the pictures stay open for reports that show them.
///
/// # Errors
/// A file that cannot be read, or whose pixels are damaged.
pub fn compare(
    name: &str,
    test: &Path,
    reference: &Path,
    options: &Options,
) -> Result<(PictureReport, Couple), String> {
    let mut couple = Couple::open(test, reference, &options.limits)?;
    let mut maps = BTreeMap::new();
    let report = measured(name, &couple, options, &mut maps)?;
    couple.maps = maps;
    Ok((report, couple))
}

fn measured(
    name: &str,
    couple: &Couple,
    options: &Options,
    maps: &mut BTreeMap<String, Plane>,
) -> Result<PictureReport, String> {
    let masks = Area::load(&options.limits.masks)?;
    let relation = Relation::of(couple.test.facts(), couple.reference.facts());
    let mut running: Vec<Running> =
        couple.matching.pairs.iter().map(|pair| Running::new(couple, pair, &relation, &masks, options)).collect();
    noise::share(&mut running, options.limits.family_wise_error);
    couple.stream(&mut running)?;
    let noise = running.iter_mut().map(Running::finish_noise).collect::<Result<Vec<_>, _>>()?;
    let seen = relation.seen(&noise);
    let mut report = couple.describe(name, &options.limits);
    report.notices.extend(relation.notices(seen, couple.test.facts(), couple.reference.facts()));
    for (mut aov, noise) in running.into_iter().zip(noise) {
        let pair = aov.pair;
        let noise = noise.filter(|_| !seen.correlated);
        aov.rules = rules(&options.limits, pair, footing(noise.is_some(), seen));
        aov.finish_perceptual(couple.shows_display(pair))?;
        if let Some(map) = aov.perceptual.as_mut().and_then(|found| found.map.take()).filter(|_| options.keep_maps) {
            maps.insert(pair.reference_name.clone(), map);
        }
        let (mut aov, faults) = judge::judge(aov, noise, couple, &options.limits)?;
        if aov.verdict == Verdict::Different {
            aov.diagnosis = diagnosis::diagnose(couple, pair, &aov)?;
        }
        report.faults.extend(faults);
        report.aovs.push(aov);
    }
    report.faults.extend(judge::manifests(couple));
    allow(&mut report, &options.limits);
    report.judge();
    Ok(report)
}

fn footing(noisy: bool, seen: Relation) -> Footing {
    match (noisy, seen.correlated) {
        (true, _) => Footing::Noisy,
        (false, true) => Footing::SameNoise,
        (false, false) => Footing::Plain,
    }
}

/// The rules of the picture, then of each region.
fn rules(limits: &Limits, pair: &Pair, footing: Footing) -> Vec<Rules> {
    let name = &pair.reference_name;
    let regions = limits.regions_of(name);
    // A region's pixels take no part in the noise-aware test.
    let base = limits.rules(name, pair.kind, if footing == Footing::Noisy { Footing::Plain } else { footing });
    let regions = regions.iter().map(|region| base.clone().under(&region.rules));
    std::iter::once(limits.rules(name, pair.kind, footing)).chain(regions).collect()
}

/// Faults that the limits allow become notices.
fn allow(report: &mut PictureReport, limits: &Limits) {
    let (allowed, faults): (Vec<Fault>, Vec<Fault>) =
        report.faults.drain(..).partition(|fault| limits.allow.iter().any(|code| code == fault.code));
    report.faults = faults;
    let notice = |fault: Fault| Notice { code: fault.code, aov: fault.aov, text: format!("allowed: {}", fault.text) };
    report.notices.extend(allowed.into_iter().map(notice));
}

impl Couple {
    /// Opens both and finds what belongs together. Errors: as [`Picture::open`].
    pub fn open(test: &Path, reference: &Path, limits: &Limits) -> Result<Self, String> {
        let (test, reference) = (Picture::open(test)?, Picture::open(reference)?);
        let matching = pair::matching(&test, &reference, limits);
        let mut couple = Self { test, reference, matching, toner: None, maps: BTreeMap::new() };
        let side = match (couple.test.is_display(), couple.reference.is_display()) {
            (true, false) => Side::Reference,
            (false, true) => Side::Test,
            _ => return Ok(couple),
        };
        let pixels = match limits.exposure {
            Exposure::Auto => couple.pixels(side)?,
            Exposure::Stops(_) => Vec::new(),
        };
        let toner = Toner::new(limits.view, limits.exposure, &pixels);
        couple.toner = Some(Shown { toner, solved: limits.exposure == Exposure::Auto, side });
        Ok(couple)
    }

    /// (display value, light) of pixels all over the picture, for the exposure.
    fn pixels(&self, light: Side) -> Result<Vec<ShownLight>, String> {
        const ROWS: u32 = 128;
        const COLUMNS: usize = 128;
        let Some(pair) = self.matching.pairs.first() else { return Ok(Vec::new()) };
        let step = (pair.window.height / ROWS).max(1) as i32;
        let [test, reference] = places(pair);
        let mut pixels = Vec::new();
        for band in self.bands(&[pair.window]) {
            let t = self.test.read(band.clone(), &[pair.test])?;
            let r = self.reference.read(band.clone(), &[pair.reference])?;
            for y in rows(pair.window, &band).filter(|y| (y - pair.window.y) % step == 0) {
                let line = |rows: &[Rows], places: &[usize]| {
                    Line::of(&rows[0], y, pair.window.x, pair.window.width as usize, places).floats().into_owned()
                };
                let (t, r) = (line(&t, &test), line(&r, &reference));
                let colour = colour_places(pair).unwrap_or([0; 3]);
                let stride = (pair.window.width as usize / COLUMNS).max(1);
                let count = pair.channels.len();
                let both = t.chunks_exact(count).zip(r.chunks_exact(count)).step_by(stride);
                pixels.extend(both.map(|(t, r)| {
                    let (t, r) = (colour.map(|place| t[place]), colour.map(|place| r[place]));
                    if light == Side::Reference { (t, r) } else { (r, t) }
                }));
            }
        }
        Ok(pixels)
    }

    /// Bands that cover `windows` and decode every block once, as far as both files allow.
    fn bands(&self, windows: &[Rect]) -> Vec<Range<i32>> {
        let top = windows.iter().filter(|window| window.area() > 0).map(|window| window.y).min();
        let end = windows.iter().filter(|window| window.area() > 0).map(|w| w.y + w.height as i32).max();
        let (Some(top), Some(end)) = (top, end) else { return Vec::new() };
        let (a, b) = (self.test.block_height().max(1), self.reference.block_height().max(1));
        let shared = lcm(a, b);
        let height = if shared <= MOST_BAND { shared } else { a.max(b) };
        let height = (height * LEAST_BAND.div_ceil(height)) as i32;
        // Blocks start at the data window's edge, above the common part where a window was cut.
        let edges = [&self.test, &self.reference].map(|picture| picture.layers().first().map(|layer| layer.window.y));
        let edge = edges.into_iter().flatten().min().unwrap_or(top);
        let first = top - (top - edge).rem_euclid(height);
        (0..)
            .map(|band| first + band * height)
            .take_while(|y| *y < end)
            .map(|y| y.max(top)..(y + height).min(end))
            .collect()
    }

    /// Hands every row to every AOV.
    fn stream(&self, running: &mut [Running]) -> Result<(), String> {
        let windows: Vec<Rect> = running.iter().map(|aov| aov.pair.window).collect();
        let wanted = |side: Side| {
            let layers = running.iter().flat_map(|aov| aov.layers(side)).chain(self.label_layers(side));
            layers.collect::<std::collections::BTreeSet<usize>>().into_iter().collect::<Vec<_>>()
        };
        let (in_test, in_reference) = (wanted(Side::Test), wanted(Side::Reference));
        for band in self.bands(&windows) {
            let (test, reference) = rayon::join(
                || self.test.read(band.clone(), &in_test),
                || self.reference.read(band.clone(), &in_reference),
            );
            let test: BTreeMap<usize, Rows> = in_test.iter().copied().zip(test?).collect();
            let reference: BTreeMap<usize, Rows> = in_reference.iter().copied().zip(reference?).collect();
            let labels = self.labels(&test, &reference);
            running.par_iter_mut().try_for_each(|aov| aov.band(&band, &test, &reference, &labels))?;
        }
        Ok(())
    }

    /// The layers whose ids name pixels.
    fn label_layers(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let picture = if side == Side::Test { &self.test } else { &self.reference };
        LABELS.iter().filter_map(|name| label_layer(picture, name))
    }

    /// Ids of the reference where it has names for them, else of the test.
    fn labels<'a>(&self, test: &'a BTreeMap<usize, Rows>, reference: &'a BTreeMap<usize, Rows>) -> Labels<'a> {
        Labels(LABELS.map(|name| {
            let of = |picture: &Picture, rows: &'a BTreeMap<usize, Rows>| {
                label_layer(picture, name).and_then(|layer| rows.get(&layer))
            };
            of(&self.reference, reference).or_else(|| of(&self.test, test))
        }))
    }

    /// The name of an id at a pixel.
    pub fn label(&self, place: usize, id: u32) -> Option<String> {
        let name = LABELS[place];
        let holder = [&self.reference, &self.test].into_iter().find(|picture| label_layer(picture, name).is_some())?;
        holder.facts().name(name, id).map(str::to_owned)
    }

    /// The view of an AOV's light, if it goes through one.
    fn shown(&self, pair: &Pair) -> Option<Shown> {
        self.toner.filter(|_| colour_places(pair).is_some() && pair.kind == Kind::Lighting)
    }

    /// Whether the AOV's compared values are display values and not light.
    pub fn shows_display(&self, pair: &Pair) -> bool {
        self.shown(pair).is_some() || (self.test.is_display() && self.reference.is_display())
    }

    /// Light becomes display values where the other picture holds such.
    pub fn show_lines<'a>(&self, pair: &Pair, test: &mut Line<'a>, reference: &mut Line<'a>) {
        show(self.shown(pair), pair, test, reference);
    }

    fn describe(&self, name: &str, limits: &Limits) -> PictureReport {
        let size = |picture: &Picture| [picture.display().width, picture.display().height];
        let window = self.matching.pairs.first().map_or([0; 4], |pair| corners(pair.window));
        let mut notices = self.matching.notices.clone();
        if self.toner.is_none() && (limits.exposure, limits.view) != (Exposure::Stops(0.0), View::Srgb) {
            let text = "both pictures hold light, or both display values: exposure and view are not used".to_owned();
            notices.push(Notice { code: "tone_unused", aov: None, text });
        }
        PictureReport {
            name: name.to_owned(),
            test: self.test.path().display().to_string(),
            reference: self.reference.path().display().to_string(),
            window,
            test_size: size(&self.test),
            reference_size: size(&self.reference),
            notices,
            faults: self.matching.faults.clone(),
            tone: self.toner.map(|shown| Tone {
                view: shown.toner.view.name().to_owned(),
                exposure: shown.toner.exposure(),
                solved: shown.solved,
                applied_to: if shown.side == Side::Test { "test" } else { "reference" },
            }),
            ..PictureReport::default()
        }
    }
}

fn show<'a>(shown: Option<Shown>, pair: &Pair, test: &mut Line<'a>, reference: &mut Line<'a>) {
    let (Some(shown), Some(colour)) = (shown, colour_places(pair)) else { return };
    let line = if shown.side == Side::Test { test } else { reference };
    if let Line::Float(values) = line {
        shown.toner.apply(values.to_mut(), pair.channels.len(), colour);
    }
}

fn label_layer(picture: &Picture, name: &str) -> Option<usize> {
    let named = picture.facts().ids.get(name).is_some_and(|names| !names.is_empty());
    picture.layers().iter().position(|layer| layer.name == name && layer.is_uint()).filter(|_| named)
}

/// x, y, width, height.
pub fn corners(rect: Rect) -> [i32; 4] {
    [rect.x, rect.y, rect.width as i32, rect.height as i32]
}

/// Where the compared channels stand in the test's and the reference's layer.
pub fn places(pair: &Pair) -> [Vec<usize>; 2] {
    [pair.channels.iter().map(|(_, t, _)| *t).collect(), pair.channels.iter().map(|(_, _, r)| *r).collect()]
}

/// Where red, green and blue stand among the compared channels; a grey channel is all three.
pub fn colour_places(pair: &Pair) -> Option<[usize; 3]> {
    let place = |name: &str| pair.channels.iter().position(|(channel, ..)| channel == name);
    match (place("R"), place("G"), place("B"), place("Y")) {
        (Some(r), Some(g), Some(b), _) => Some([r, g, b]),
        (_, _, _, Some(y)) => Some([y; 3]),
        _ => None,
    }
}

fn rows(window: Rect, band: &Range<i32>) -> Range<i32> {
    window.y.max(band.start)..(window.y + window.height as i32).min(band.end)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

impl<'a> Running<'a> {
    fn new(couple: &Couple, pair: &'a Pair, relation: &Relation, masks: &'a [Area], options: &Options) -> Self {
        let limits = &options.limits;
        let noise = Noise::new(couple, pair, relation, limits);
        // Whether the noise judges is known at the end only; where it does, no pixel is counted as over.
        let rules = rules(limits, pair, footing(false, *relation));
        let uint = couple.reference.layers()[pair.reference].is_uint();
        let perceptual = Perceptual::wanted(pair, &rules[0], options.perceptual);
        let kept = perceptual.as_ref().map(|_| Kept::new(pair));
        Self {
            pair,
            measure: Measure::new(pair.kind, pair.channels.len(), uint, &rules, limits.nan_equal),
            rules,
            noise,
            perceptual,
            zones: Zones::new(limits, masks, &pair.reference_name),
            kept,
            places: places(pair),
            shown: couple.shown(pair),
        }
    }

    /// The layers that it reads.
    fn layers(&self, side: Side) -> impl Iterator<Item = usize> {
        let own = if side == Side::Test { self.pair.test } else { self.pair.reference };
        std::iter::once(own).chain(self.noise.as_ref().and_then(|noise| noise.layer(side)))
    }

    fn band(
        &mut self,
        band: &Range<i32>,
        test: &BTreeMap<usize, Rows>,
        reference: &BTreeMap<usize, Rows>,
        labels: &Labels,
    ) -> Result<(), String> {
        let window = self.pair.window;
        let (x, width) = (window.x, window.width as usize);
        for y in rows(window, band) {
            let mut t = Line::of(&test[&self.pair.test], y, x, width, &self.places[0]);
            let mut r = Line::of(&reference[&self.pair.reference], y, x, width, &self.places[1]);
            show(self.shown, self.pair, &mut t, &mut r);
            let runs = self.zones.runs(y, x, x + window.width as i32);
            runs.iter().for_each(|run| self.run(y, *run, &t, &r, labels));
            if let Some(kept) = &mut self.kept {
                kept.row(&t.floats(), &r.floats(), &runs);
            }
            if let Some(noise) = &mut self.noise {
                noise.row(y, &t.floats(), &r.floats(), &runs, test, reference)?;
            }
        }
        Ok(())
    }

    fn run(&mut self, y: i32, run: Run, test: &Line, reference: &Line, labels: &Labels) {
        let count = self.pair.channels.len();
        let left = self.pair.window.x;
        let range = (run.start - left) as usize * count..(run.end - left) as usize * count;
        match (test, reference) {
            (Line::Float(t), Line::Float(r)) => self.measure.run(y, run, &t[range.clone()], &r[range], labels),
            (Line::Uint(t), Line::Uint(r)) => self.measure.run(y, run, &t[range.clone()], &r[range], labels),
            (Line::Float(t), Line::Uint(r)) => self.measure.run(y, run, &t[range.clone()], &r[range], labels),
            (Line::Uint(t), Line::Float(r)) => self.measure.run(y, run, &t[range.clone()], &r[range], labels),
        }
    }

    /// What the noise-aware test found, where it ran.
    fn finish_noise(&mut self) -> Result<Option<NoiseReport>, String> {
        self.noise.take().map_or(Ok(None), |noise| noise.finish(self.pair))
    }

    /// Measures that need the whole picture.
    pub fn finish_perceptual(&mut self, display: bool) -> Result<(), String> {
        if let (Some(perceptual), Some(kept)) = (&mut self.perceptual, self.kept.take()) {
            perceptual.measure(kept, display)?;
        }
        Ok(())
    }
}
