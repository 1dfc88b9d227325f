//! Which pixels are compared, and by whose rules.

use super::{Limits, Mask, Shape};
use crate::compare::picture::Picture;
use crate::compare::plane::Plane;
use crate::film::Rect;

/// A stretch of a row under one set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First and past-the-last column, image coordinates.
    pub start: i32,
    pub end: i32,
    /// 0: the picture's rules; else 1 + the region's place among those of the AOV.
    pub zone: usize,
}

/// Masks and regions as they apply to one AOV.
pub struct Zones<'a> {
    masks: &'a [Area],
    regions: Vec<Rect>,
}

/// A mask in memory.
pub struct Area {
    include: bool,
    shape: Pixels,
}

enum Pixels {
    Rect(Rect),
    Picture { origin: (i32, i32), plane: Plane },
}

impl Area {
    /// Reads the masks. Errors: a mask picture that cannot be read.
    pub fn load(masks: &[Mask]) -> Result<Vec<Self>, String> {
        let load = |mask: &Mask| {
            let shape = match &mask.shape {
                Shape::Rect(rect) => Pixels::Rect(*rect),
                Shape::File(path) => {
                    let picture = Picture::open(path)?;
                    let layer = picture.layers().first().ok_or("a mask without channels")?;
                    let window = layer.window;
                    Pixels::Picture { origin: (window.x, window.y), plane: picture.plane(0, window)? }
                }
            };
            Ok(Self { include: mask.include, shape })
        };
        masks.iter().map(load).collect()
    }

    fn contains(&self, x: i32, y: i32) -> bool {
        match &self.shape {
            Pixels::Rect(rect) => rect.index(x, y).is_some(),
            Pixels::Picture { origin, plane } => {
                let at = |value: i32, origin: i32, size: usize| {
                    usize::try_from(value - origin).ok().filter(|index| *index < size)
                };
                let place = at(x, origin.0, plane.width).zip(at(y, origin.1, plane.height));
                // The first three channels: an alpha of 1 says nothing.
                place.is_some_and(|(x, y)| plane.pixel(x, y).iter().take(3).any(|value| *value > 0.0))
            }
        }
    }
}

impl<'a> Zones<'a> {
    /// The zones of the AOV `name`.
    pub fn new(limits: &Limits, masks: &'a [Area], name: &str) -> Self {
        Self { masks, regions: limits.regions_of(name).iter().map(|region| region.rect).collect() }
    }

    /// How many sets of rules there are.
    pub fn count(&self) -> usize {
        1 + self.regions.len()
    }

    /// The compared stretches of row `y` from `start` up to `end`, from left to right.
    pub fn runs(&self, y: i32, start: i32, end: i32) -> Vec<Run> {
        if self.masks.is_empty() && self.regions.is_empty() {
            return vec![Run { start, end, zone: 0 }];
        }
        let mut runs: Vec<Run> = Vec::new();
        for x in start..end {
            let Some(zone) = self.zone(x, y) else { continue };
            match runs.last_mut() {
                Some(run) if run.end == x && run.zone == zone => run.end += 1,
                _ => runs.push(Run { start: x, end: x + 1, zone }),
            }
        }
        runs
    }

    fn zone(&self, x: i32, y: i32) -> Option<usize> {
        let (mut includes, mut included) = (false, false);
        for mask in self.masks {
            match (mask.include, mask.contains(x, y)) {
                (false, true) => return None,
                (true, inside) => (includes, included) = (true, included | inside),
                (false, false) => {}
            }
        }
        let region = self.regions.iter().position(|rect| rect.index(x, y).is_some());
        (!includes || included).then_some(region.map_or(0, |index| index + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::limits::{Region, Rules};

    fn rect(x: i32, y: i32, width: u32, height: u32) -> Rect {
        Rect { x, y, width, height }
    }

    #[test]
    fn masks_cut_and_regions_divide() {
        let region = Region { name: "sky".into(), rect: rect(4, 0, 2, 1), aovs: vec![], rules: Rules::default() };
        let limits = Limits { regions: vec![region], ..Limits::default() };
        let areas = Area::load(&[
            Mask { shape: Shape::Rect(rect(1, 0, 9, 2)), include: true },
            Mask { shape: Shape::Rect(rect(7, 0, 1, 1)), include: false },
        ])
        .unwrap();
        let zones = Zones::new(&limits, &areas, "beauty");
        let run = |start, end, zone| Run { start, end, zone };
        assert_eq!(zones.runs(0, 0, 10), [run(1, 4, 0), run(4, 6, 1), run(6, 7, 0), run(8, 10, 0)]);
        assert_eq!(zones.runs(1, 0, 10), [run(1, 10, 0)]);
        assert_eq!(zones.runs(2, 0, 10), []);
    }
}
