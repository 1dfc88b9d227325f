//! What an AOV's pixels become in the file.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::Keep;
use super::budget::{Budget, PictureSize};
use super::error::{Metric, Scale};
use super::look::Look;
use super::{preview, tiles};
use crate::compare::{AovReport, Kind, Plane, Planes, Verdict};

/// One AOV of both pictures, and how it is shown. Ids stand in the planes as bits.
pub struct Pixels<'a> {
    pub aov: &'a AovReport,
    pub test: Plane,
    pub reference: Plane,
    pub flip: Option<Plane>,
    pub names: BTreeMap<u32, String>,
    pub look: Look,
    pub metrics: Vec<Metric>,
    /// One a metric.
    pub scales: Vec<Scale>,
    /// Equal bit by bit.
    same: bool,
}

impl<'a> Pixels<'a> {
    /// Reads the planes. Errors: a file that cannot be read any more, or planes that do not fit each other.
    pub fn read(aov: &'a AovReport, planes: &dyn Planes) -> Result<Self, String> {
        let (test, reference) = read_planes(aov, planes)?;
        let flip =
            planes.flip(aov)?.filter(|map| (map.width, map.height, map.channels) == (test.width, test.height, 1));
        let look = Look::of(aov, planes.displayed(aov), &test, &reference);
        let names = if look == Look::Ids { names_of(&planes.names(aov), &test, &reference) } else { BTreeMap::new() };
        let metrics = Metric::of(aov, flip.is_some());
        let bits = bytemuck::cast_slice::<f32, u32>;
        let same = bits(&test.values) == bits(&reference.values);
        let mut pixels = Self { aov, test, reference, flip, names, look, metrics, scales: Vec::new(), same };
        let count = pixels.test.width * pixels.test.height;
        // No angle is larger.
        let capped = |scale: Scale, metric| {
            if metric == Metric::Angle { Scale { top: scale.top.min(180.0), ..scale } } else { scale }
        };
        pixels.scales = pixels
            .metrics
            .iter()
            .enumerate()
            .map(|(k, metric)| capped(Scale::measure(count, |index| pixels.error(k, index)), *metric))
            .collect();
        Ok(pixels)
    }

    /// The error of a pixel by the `k`th metric.
    pub fn error(&self, k: usize, index: usize) -> f64 {
        let pixel = |plane: &'_ Plane| index * plane.channels..(index + 1) * plane.channels;
        match (self.metrics[k], &self.flip) {
            (Metric::Flip, Some(map)) => f64::from(map.values[index]),
            (metric, _) => metric.at(
                &self.look,
                &self.test.values[pixel(&self.test)],
                &self.reference.values[pixel(&self.reference)],
            ),
        }
    }
}

fn read_planes(aov: &AovReport, planes: &dyn Planes) -> Result<(Plane, Plane), String> {
    let (mut test, mut reference) = (planes.test(aov)?, planes.reference(aov)?);
    let shape = |plane: &Plane| (plane.width, plane.height, plane.channels);
    let sound = |plane: &Plane| plane.values.len() == plane.width * plane.height * plane.channels;
    if shape(&test) != shape(&reference) || !sound(&test) || !sound(&reference) || test.values.is_empty() {
        return Err("there are no pixels that both pictures have".to_owned());
    }
    if aov.kind == Kind::Id {
        let exact = planes.ids(aov)?.filter(|[t, r]| t.len() == test.values.len() && r.len() == t.len());
        let rounded = |plane: &Plane| plane.values.iter().map(|value| *value as u32).collect();
        let [t, r] = exact.unwrap_or_else(|| [rounded(&test), rounded(&reference)]);
        test.values = t.into_iter().map(f32::from_bits).collect();
        reference.values = r.into_iter().map(f32::from_bits).collect();
    }
    Ok((test, reference))
}

/// Names of the ids that occur.
fn names_of(all: &BTreeMap<u32, String>, test: &Plane, reference: &Plane) -> BTreeMap<u32, String> {
    let ids = |plane: &Plane| plane.values.iter().step_by(plane.channels).map(|v| v.to_bits()).collect::<BTreeSet<_>>();
    let seen: BTreeSet<u32> = ids(test).union(&ids(reference)).copied().collect();
    seen.into_iter().filter_map(|id| Some((id, all.get(&id)?.clone()))).collect()
}

/// The text of an AOV's block and where its parts lie.
#[derive(Default)]
pub struct Block {
    pub text: String,
    /// Start and length of each tile; (0, 0) where it is absent. Empty: no tile is there.
    spans: Vec<(usize, usize)>,
    /// Name → MIME type, start, length.
    pictures: BTreeMap<&'static str, (&'static str, usize, usize)>,
    note: String,
    stored: &'static str,
    /// Pictures are of half size.
    half: bool,
}

impl Block {
    fn push_picture(&mut self, name: &'static str, picture: &preview::Picture) {
        let start = self.text.len();
        STANDARD.encode_string(&picture.bytes, &mut self.text);
        self.pictures.insert(name, (picture.mime, start, self.text.len() - start));
    }

    fn push_tiles(&mut self, count: usize, indices: &[usize], texts: &[String]) {
        self.spans = vec![(0, 0); count];
        for (index, text) in indices.iter().zip(texts) {
            self.spans[*index] = (self.text.len(), text.len());
            self.text.push_str(text);
        }
    }
}

/// Makes the block of one AOV, as `keep` says and the budget allows.
pub fn block(pixels: &Pixels, keep: Keep, budget: &mut Budget) -> Block {
    let differs = pixels.aov.verdict == Verdict::Different;
    // Ids cannot be read off colours, and pack to next to nothing.
    let wanted = match keep {
        Keep::All => true,
        Keep::Failing => differs || pixels.look == Look::Ids,
        Keep::None => false,
    };
    let mut block = Block { stored: "nothing", ..Block::default() };
    if wanted && whole(pixels, budget, &mut block) {
        return block;
    }
    let windows = wanted && windows(pixels, budget, &mut block);
    pictures(pixels, budget, &mut block);
    block.note = note(&block, pixels, keep, wanted, windows);
    block
}

fn whole(pixels: &Pixels, budget: &mut Budget, block: &mut Block) -> bool {
    let all: Vec<usize> = (0..tiles::count(&pixels.test)).collect();
    let texts = tiles::encode(&pixels.test, &pixels.reference, &all);
    let flip = pixels.flip.as_ref().map(|map| preview::flip(map, 1));
    let size = texts.iter().map(String::len).sum::<usize>() + flip.as_ref().map_or(0, |map| map.bytes.len() * 4 / 3);
    if !budget.whole(size) {
        return false;
    }
    block.push_tiles(all.len(), &all, &texts);
    if let Some(map) = flip {
        block.push_picture("flip", &map);
    }
    block.stored = "all";
    let what = if pixels.look == Look::Ids { "Every id" } else { "Every float32 value" };
    block.note = format!("{what} of test and reference is stored: {:.1} MB in this file.", size as f64 / 1e6);
    true
}

/// Tiles round the worst pixels, the worst first, as far as they fit.
fn windows(pixels: &Pixels, budget: &mut Budget, block: &mut Block) -> bool {
    let [ox, oy, width, height] = pixels.aov.window;
    let worst = pixels.aov.worst.iter().map(|worst| [worst.x, worst.y]).chain(pixels.aov.non_finite.first);
    let inside =
        worst.map(|[x, y]| [x - ox, y - oy]).filter(|[x, y]| (0..width).contains(x) && (0..height).contains(y));
    let mut indices: Vec<usize> = Vec::new();
    for [x, y] in inside {
        let index = tiles::of_pixel(&pixels.test, x as usize, y as usize);
        if index < tiles::count(&pixels.test) && !indices.contains(&index) {
            indices.push(index);
        }
    }
    let mut texts = tiles::encode(&pixels.test, &pixels.reference, &indices);
    let mut left = budget.window();
    let fitting = texts
        .iter()
        .take_while(|text| {
            let fits = text.len() <= left;
            left = left.saturating_sub(text.len());
            fits
        })
        .count();
    texts.truncate(fitting);
    indices.truncate(fitting);
    if indices.is_empty() {
        return false;
    }
    budget.spend_window(texts.iter().map(String::len).sum());
    block.push_tiles(tiles::count(&pixels.test), &indices, &texts);
    true
}

fn pictures(pixels: &Pixels, budget: &mut Budget, block: &mut Block) {
    let size = budget.picture_size();
    let before = block.text.len();
    let step = match size {
        PictureSize::Full => 1,
        PictureSize::Half => 2,
        PictureSize::None => return budget.spend_pictures(0, size),
    };
    block.half = step == 2;
    block.push_picture("reference", &preview::values(&pixels.reference, &pixels.look, step));
    if !pixels.same {
        block.push_picture("test", &preview::values(&pixels.test, &pixels.look, step));
        block.push_picture("difference", &preview::differences(pixels, step));
        if let Some(map) = &pixels.flip {
            block.push_picture("flip", &preview::flip(map, step));
        }
    }
    block.stored = if block.spans.is_empty() { "pictures" } else { "windows" };
    budget.spend_pictures(block.text.len() - before, size);
}

/// What the page says below the picture.
fn note(block: &Block, pixels: &Pixels, keep: Keep, wanted: bool, windows: bool) -> String {
    let tiles = block.spans.iter().filter(|(_, length)| *length > 0).count();
    let values = match (windows, wanted) {
        (true, _) => format!(
            "The report's budget (--html-budget) is used up: float values are stored in {tiles} of {} tiles, round the worst pixels",
            block.spans.len()
        ),
        (false, true) => "The report's budget (--html-budget) is used up: float values are not stored".to_owned(),
        (false, false) if keep == Keep::None => "Float values are not stored (--html-values none)".to_owned(),
        (false, false) => {
            "Float values are not stored for AOVs within limits (--html-values all stores them)".to_owned()
        }
    };
    let Some(_) = block.pictures.get("reference") else {
        return if windows {
            format!("{values}; nothing else is shown.")
        } else {
            format!("{values}, and no picture either.")
        };
    };
    let same = if pixels.same { " Test and reference are equal, bit by bit." } else { "" };
    let elsewhere = if windows { "elsewhere " } else { "" };
    let half = if block.half { " of half size" } else { "" };
    format!("{values}; {elsewhere}8-bit pictures{half} are shown, values read off them are about.{same}")
}

/// The page's knowledge of an AOV, beside its report.
pub fn describe(pixels: &Pixels, block: &Block, id: &str) -> Value {
    let Pixels { test, look, metrics, scales, .. } = pixels;
    let pictures: serde_json::Map<String, Value> = block
        .pictures
        .iter()
        .map(|(name, (mime, start, length))| {
            ((*name).to_owned(), json!({ "type": mime, "start": start, "length": length }))
        })
        .collect();
    let errors: serde_json::Map<String, Value> = metrics
        .iter()
        .zip(scales)
        .map(|(metric, scale)| (metric.word().to_owned(), json!({ "top": scale.top, "max": scale.max })))
        .collect();
    let shown = !block.text.is_empty();
    json!({
        "width": test.width, "height": test.height, "channels": test.channels,
        "look": look.word(),
        "exposure": if let Look::Light { exposure } = look { *exposure } else { 0.0 },
        "ranges": if let Look::Range(ranges) = look { ranges.clone() } else { Vec::new() },
        "metrics": metrics.iter().map(|metric| metric.word()).collect::<Vec<_>>(),
        "errors": errors,
        "tile": tiles::SIDE,
        "spans": block.spans.iter().flat_map(|(start, length)| [*start, *length]).collect::<Vec<_>>(),
        "pictures": pictures,
        "names": pixels.names,
        "block": if shown { Some(id) } else { None },
        "stored": block.stored,
        "note": block.note,
    })
}

/// The same for an AOV whose pixels could not be had.
pub fn without_pixels(message: &str) -> Value {
    json!({ "block": null, "stored": "nothing", "metrics": [], "errors": {}, "note": format!("No pixels: {message}.") })
}
