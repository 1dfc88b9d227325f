//! Whole planes of a compared pair, for reports that show them.

use std::collections::BTreeMap;

use super::engine::{Couple, Shown, Side, colour_places, places};
use super::kind::Kind;
use super::pair::Pair;
use super::picture::Picture;
use super::{AovReport, Plane, Planes};

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
        let uint = |picture: &Picture, layer: usize| picture.layers()[layer].is_uint();
        if !uint(&self.test, pair.test) || !uint(&self.reference, pair.reference) {
            return Ok(None);
        }
        let [test, reference] = places(pair);
        let test = self.test.uints(pair.test, pair.window, &test)?;
        Ok(Some([test, self.reference.uints(pair.reference, pair.window, &reference)?]))
    }

    fn names(&self, aov: &AovReport) -> BTreeMap<u32, String> {
        let of = |picture: &Picture| picture.facts().ids.get(&aov.reference_name).cloned();
        let names = of(&self.reference).or_else(|| of(&self.test)).unwrap_or_default();
        let hashes = [&self.test, &self.reference].into_iter().flat_map(|picture| hashed(picture, &aov.reference_name));
        (1..).zip(names).chain(hashes).collect()
    }

    fn flip(&self, aov: &AovReport) -> Result<Option<Plane>, String> {
        Ok(self.maps.get(&aov.reference_name).cloned())
    }

    fn displayed(&self, aov: &AovReport) -> bool {
        self.pair(aov).is_ok_and(|pair| self.shows_display(pair))
    }
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

/// Names of a Cryptomatte layer by the bits of their ids.
fn hashed(picture: &Picture, layer: &str) -> Vec<(u32, String)> {
    let manifest = picture.facts().manifests.get(layer).into_iter().flatten();
    manifest.filter_map(|(name, hash)| Some((u32::from_str_radix(hash, 16).ok()?, name.clone()))).collect()
}
