//! Whole planes of a compared pair, for reports that show them.

use std::collections::BTreeMap;

use super::engine::{Couple, Shown, Side, colour_places, places};
use super::flip::{self, ToneMapper};
use super::kind::Kind;
use super::pair::Pair;
use super::picture::Picture;
use super::plane::Samples;
use super::{AovReport, Plane, Planes, Verdict};

impl Planes for Couple {
    fn test(&self, aov: &AovReport) -> Result<Plane, String> {
        let pair = self.pair(aov)?;
        self.plane(&self.test, pair.test, Side::Test, pair)
    }

    fn reference(&self, aov: &AovReport) -> Result<Plane, String> {
        let pair = self.pair(aov)?;
        self.plane(&self.reference, pair.reference, Side::Reference, pair)
    }

    fn ids(&self, aov: &AovReport) -> Result<Option<[Vec<u32>; 2]>, String> {
        let pair = self.pair(aov)?;
        let [test, reference] = &places(pair);
        let test = uints(&self.test, pair.test, test, pair)?;
        let reference = uints(&self.reference, pair.reference, reference, pair)?;
        Ok(test.zip(reference).map(|(test, reference)| [test, reference]))
    }

    /// Of the reference, then what only the test names.
    fn names(&self, aov: &AovReport) -> BTreeMap<u32, String> {
        let mut names = named(&self.test, &aov.name);
        names.extend(named(&self.reference, &aov.reference_name));
        names
    }

    /// Measured again, for AOVs that differ: keeping every map while pictures stream would cost more. Masks are not
    /// applied.
    fn flip(&self, aov: &AovReport) -> Result<Option<Plane>, String> {
        let wanted = aov.metrics.flip.is_some() && aov.verdict == Verdict::Different;
        let Some(colour) = colour_places(self.pair(aov)?).filter(|_| wanted) else { return Ok(None) };
        let [test, reference] = [self.test(aov)?, self.reference(aov)?].map(|plane| colours(&plane, colour));
        let map = match self.displayed(aov) {
            true => flip::ldr(&reference, &test, flip::DEFAULT_PPD)?,
            false => flip::hdr(&reference, &test, flip::DEFAULT_PPD, ToneMapper::default())?.map,
        };
        Ok(Some(Plane { channels: 1, values: map.values, ..reference }))
    }

    fn displayed(&self, aov: &AovReport) -> bool {
        let stored = self.test.is_display() && self.reference.is_display();
        matches!(aov.kind, Kind::Lighting | Kind::Colour) && (stored || self.toner.is_some())
    }
}

/// The compared channels of a layer of integers, pixel by pixel; `None` where it is of floats.
fn uints(picture: &Picture, layer: usize, places: &[usize], pair: &Pair) -> Result<Option<Vec<u32>>, String> {
    let window = pair.window;
    let channels = picture.layers()[layer].channels.len();
    let mut ids = Vec::with_capacity(window.area() * places.len());
    let (mut y, end) = (window.y, window.y + window.height as i32);
    while y < end {
        let next = (y + picture.block_height().max(64) as i32).min(end);
        let rows = picture.read(y..next, &[layer])?.remove(0);
        let Samples::Uint(values) = &rows.samples else { return Ok(None) };
        for row in y..next {
            let first = rows.range(row).start + (window.x - rows.rect.x) as usize * channels;
            let pixels = values[first..][..window.width as usize * channels].chunks_exact(channels);
            ids.extend(pixels.flat_map(|pixel| places.iter().map(|place| pixel[*place])));
        }
        y = next;
    }
    Ok(Some(ids))
}

/// Names of ids by the header: counted from 1, or hashes of a Cryptomatte manifest.
fn named(picture: &Picture, aov: &str) -> BTreeMap<u32, String> {
    let facts = picture.facts();
    let counted = facts.ids.get(aov).into_iter().flatten().zip(1_u32..).map(|(name, id)| (id, name.clone()));
    let hashed = facts.manifests.get(aov).into_iter().flatten();
    let hashed = hashed.filter_map(|(name, hash)| Some((u32::from_str_radix(hash, 16).ok()?, name.clone())));
    counted.chain(hashed).collect()
}

/// Red, green and blue alone.
fn colours(plane: &Plane, colour: [usize; 3]) -> Plane {
    let pixels = plane.values.chunks_exact(plane.channels);
    Plane { channels: 3, values: pixels.flat_map(|pixel| colour.map(|place| pixel[place])).collect(), ..*plane }
}

impl Couple {
    fn pair(&self, aov: &AovReport) -> Result<&Pair, String> {
        let found = self.matching.pairs.iter().find(|pair| pair.reference_name == aov.reference_name);
        found.ok_or_else(|| format!("no AOV \"{}\" was compared", aov.reference_name))
    }

    fn plane(&self, picture: &Picture, layer: usize, side: Side, pair: &Pair) -> Result<Plane, String> {
        let plane = picture.plane(layer, pair.window)?;
        let places = &places(pair)[side as usize];
        let chosen = places.len() == plane.channels && places.iter().enumerate().all(|(i, place)| i == *place);
        let values = match chosen {
            true => plane.values,
            false => {
                let pixels = plane.values.chunks_exact(plane.channels);
                pixels.flat_map(|pixel| places.iter().map(|place| pixel[*place])).collect()
            }
        };
        let mut plane = Plane { channels: places.len(), values, ..plane };
        self.show(&mut plane, side, pair);
        Ok(plane)
    }

    fn show(&self, plane: &mut Plane, side: Side, pair: &Pair) {
        let shown = self.toner.filter(|Shown { side: light, .. }| *light == side && pair.kind == Kind::Lighting);
        if let (Some(shown), Some(colour)) = (shown, colour_places(pair)) {
            shown.toner.apply(&mut plane.values, plane.channels, colour);
        }
    }
}
