//! ꟻLIP and SSIM: what an eye would see. They need whole planes, so only AOVs that ask for them are kept.

use super::engine::colour_places;
use super::flip::{self, ToneMapper};
use super::limits::{Key, Rules, Run};
use super::pair::Pair;
use super::plane::Plane;
use super::ssim;
use super::tone::Toner;
use crate::film::view::View;

/// Which measures are wanted, then what they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Perceptual {
    want: [bool; 2],
    /// Mean ꟻLIP error.
    pub flip: Option<f64>,
    pub ssim: Option<f64>,
    /// The ꟻLIP error of each pixel.
    pub map: Option<Plane>,
}

/// Red, green and blue of both pictures.
pub struct Kept {
    test: Plane,
    reference: Plane,
    colour: [usize; 3],
    channels: usize,
    left: i32,
}

impl Perceptual {
    /// What the rules ask for; both measures for the beauty where `default` says so. `None` where nothing is asked, or the
    /// AOV has no colour.
    pub fn wanted(pair: &Pair, rules: &Rules, default: bool) -> Option<Self> {
        let beauty = default && pair.reference_name == "beauty";
        let want = [Key::Flip, Key::Ssim].map(|key| beauty || rules.get(key).is_some());
        let possible = colour_places(pair).is_some() && pair.window.area() > 0;
        (possible && want != [false; 2]).then_some(Self { want, flip: None, ssim: None, map: None })
    }

    /// Measures; `display`: the values are display values already.
    pub fn measure(&mut self, kept: Kept, display: bool) -> Result<(), String> {
        let Kept { mut test, mut reference, .. } = kept;
        if self.want[0] {
            let map = match display {
                true => flip::ldr(&reference, &test, flip::DEFAULT_PPD)?,
                false => flip::hdr(&reference, &test, flip::DEFAULT_PPD, ToneMapper::default())?.map,
            };
            self.flip = Some(map.mean());
            self.map = Some(Plane { width: map.width, height: map.height, channels: 1, values: map.values });
        }
        if self.want[1] {
            if !display {
                let toner = Toner { view: View::Srgb, scale: 1.0 };
                for plane in [&mut test, &mut reference] {
                    toner.apply(&mut plane.values, 3, [0, 1, 2]);
                }
            }
            self.ssim = Some(ssim::ssim(&reference, &test, 1.0)?.mean);
        }
        Ok(())
    }
}

impl Kept {
    pub fn new(pair: &Pair) -> Self {
        let plane = || Plane {
            width: pair.window.width as usize,
            height: pair.window.height as usize,
            channels: 3,
            values: Vec::with_capacity(pair.window.area() * 3),
        };
        let colour = colour_places(pair).unwrap_or_default();
        Self { test: plane(), reference: plane(), colour, channels: pair.channels.len(), left: pair.window.x }
    }

    /// One row; pixels outside of `runs` are masked: equal, hence without error.
    pub fn row(&mut self, test: &[f32], reference: &[f32], runs: &[Run]) {
        let pixels = test.chunks_exact(self.channels).zip(reference.chunks_exact(self.channels));
        let mut runs = runs.iter().peekable();
        for (x, (t, r)) in pixels.enumerate() {
            let x = self.left + x as i32;
            while runs.next_if(|run| run.end <= x).is_some() {}
            let compared = runs.peek().is_some_and(|run| run.start <= x);
            let shown = if compared { t } else { r };
            self.test.values.extend(self.colour.map(|place| shown[place]));
            self.reference.values.extend(self.colour.map(|place| r[place]));
        }
    }
}
