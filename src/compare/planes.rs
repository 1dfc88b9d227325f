//! Whole planes of a compared pair, for reports that show them.

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
