//! What a difference looks like: the usual mistakes of viewers are tried on a part of the picture, and the one that
//! explains the difference is named.
//!
//! A mistake predicts the test from the reference. It is named where it leaves at most half of the relative squared error,
//! and the one that leaves least is.

use super::engine::{Couple, Side, places};
use super::kind::Kind;
use super::lines::Line;
use super::pair::Pair;
use super::report::{AovReport, Notice};
use crate::film::view::View;

/// Values of a picture that are looked at, at most.
const BUDGET: usize = 1 << 18;
/// Rows of a band.
const BAND: usize = 32;
/// The share of the error that a mistake may leave to be named.
const LEFT: f64 = 0.5;
/// Of the error's denominator, as in the relative squared error.
const EPSILON: f64 = 0.01;

/// A mistake with the share of the error that it leaves.
struct Suspect {
    code: &'static str,
    left: f64,
    text: String,
}

/// What the difference of an AOV looks like; nothing where it looks like nothing known. Errors: unreadable pixels.
pub fn diagnose(couple: &Couple, pair: &Pair, aov: &AovReport) -> Result<Vec<Notice>, String> {
    let notice = |code, text: String| Notice { code, aov: Some(pair.reference_name.clone()), text };
    let few = aov.metrics.differing <= aov.worst.len() as u64 && aov.metrics.pixels >= 100 * aov.metrics.differing;
    if few && aov.metrics.differing > 0 {
        let pixels = if aov.metrics.differing == 1 { "one pixel" } else { "a few single pixels" };
        return Ok(vec![notice("hot_pixels", format!("{pixels}; the others are equal"))]);
    }
    if matches!(pair.kind, Kind::Id | Kind::Count | Kind::Cryptomatte | Kind::StandardError) || pair.window.area() == 0
    {
        return Ok(Vec::new());
    }
    let patch = Patch::read(couple, pair)?;
    let mut suspects = patch.moved();
    suspects.extend(patch.channels_swapped(pair));
    suspects.extend(patch.negated(pair));
    suspects.extend(patch.curves());
    suspects.retain(|suspect| suspect.left <= LEFT);
    // The first of equals: the simpler explanations come first.
    let best = suspects.into_iter().reduce(|best, next| if next.left < 0.9 * best.left - 1e-9 { next } else { best });
    let named = |suspect: Suspect| {
        let text = match suspect.left < 0.01 {
            true => suspect.text,
            false => format!("{}; that explains {:.0} % of it", suspect.text, 100.0 * (1.0 - suspect.left)),
        };
        notice(suspect.code, text)
    };
    Ok(best.map(named).into_iter().collect())
}

/// Rows of both pictures, lying evenly and mirrored about the middle.
struct Patch {
    width: usize,
    height: usize,
    channels: usize,
    /// Test and reference of each row; none where it was not read.
    rows: Vec<Option<[Vec<f32>; 2]>>,
    /// Alpha's place: it goes through no curve.
    alpha: Option<usize>,
}

impl Patch {
    fn read(couple: &Couple, pair: &Pair) -> Result<Self, String> {
        let (width, height, channels) = (pair.window.width as usize, pair.window.height as usize, pair.channels.len());
        let alpha = pair.channels.iter().position(|(name, ..)| name == "A");
        let mut patch = Self { width, height, channels, rows: (0..height).map(|_| None).collect(), alpha };
        for (start, end) in bands(height, (BUDGET / (width * channels)).max(1)) {
            let (top, bottom) = (pair.window.y + start as i32, pair.window.y + end as i32);
            let test = couple.test.read(top..bottom, &[pair.test])?.remove(0);
            let reference = couple.reference.read(top..bottom, &[pair.reference])?.remove(0);
            for y in top..bottom {
                let [test_places, reference_places] = places(pair);
                let mut t = Line::of(&test, y, pair.window.x, width, &test_places);
                let mut r = Line::of(&reference, y, pair.window.x, width, &reference_places);
                couple.show_lines(pair, &mut t, &mut r);
                patch.rows[(y - pair.window.y) as usize] = Some([t.floats().into_owned(), r.floats().into_owned()]);
            }
        }
        Ok(patch)
    }

    fn value(&self, side: Side, x: usize, y: usize, channel: usize) -> Option<f64> {
        let row = &self.rows.get(y)?.as_ref()?[side as usize];
        Some(f64::from(row[x * self.channels + channel])).filter(|value| value.is_finite())
    }

    fn reference(&self, x: usize, y: usize, channel: usize) -> Option<f64> {
        self.value(Side::Reference, x, y, channel)
    }

    /// Calls `each` with place, test and reference of every finite pair of values.
    fn each(&self, mut each: impl FnMut([usize; 3], f64, f64)) {
        for y in (0..self.height).filter(|y| self.rows[*y].is_some()) {
            for x in 0..self.width {
                for channel in 0..self.channels {
                    let pair = self.value(Side::Test, x, y, channel).zip(self.reference(x, y, channel));
                    if let Some((t, r)) = pair {
                        each([x, y, channel], t, r);
                    }
                }
            }
        }
    }

    /// The share of the error that is left where `predict` tells the test's value, over the places where it can.
    fn left(&self, predict: impl Fn(usize, usize, usize) -> Option<f64>) -> f64 {
        let (mut before, mut after) = (0.0, 0.0);
        self.each(|[x, y, channel], t, r| {
            if let Some(predicted) = predict(x, y, channel) {
                let weight = 1.0 / (t * t + EPSILON);
                before += (t - r).powi(2) * weight;
                after += (t - predicted).powi(2) * weight;
            }
        });
        if before > 0.0 { after / before } else { 1.0 }
    }

    /// Shifts by one or two pixels, and mirrors.
    fn moved(&self) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        for (dx, dy) in (-2i32..=2).flat_map(|dy| (-2i32..=2).map(move |dx| (dx, dy))).filter(|d| *d != (0, 0)) {
            let left = self.left(|x, y, channel| {
                let x = x.checked_add_signed(-dx as isize).filter(|x| *x < self.width)?;
                self.reference(x, y.checked_add_signed(-dy as isize)?, channel)
            });
            let text = format!("the reference shifted by ({dx}, {dy}) pixels");
            suspects.push(Suspect { code: "shifted", left, text });
        }
        for (across, down, words) in
            [(true, false, "mirrored left to right"), (false, true, "upside down"), (true, true, "turned by 180°")]
        {
            let left = self.left(|x, y, channel| {
                let x = if across { self.width - 1 - x } else { x };
                self.reference(x, if down { self.height - 1 - y } else { y }, channel)
            });
            suspects.push(Suspect { code: "mirrored", left, text: format!("the reference {words}") });
        }
        suspects
    }

    /// Orders of the first three channels.
    fn channels_swapped(&self, pair: &Pair) -> Vec<Suspect> {
        if self.channels < 3 {
            return Vec::new();
        }
        let name = |channel: usize| pair.channels[channel].0.as_str();
        let orders = [[2, 1, 0], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1]];
        let suspect = |order: [usize; 3]| {
            let from = |channel: usize| order.get(channel).copied().unwrap_or(channel);
            let left = self.left(|x, y, channel| self.reference(x, y, from(channel)));
            let [a, b, c] = order.map(name);
            let text = format!(
                "the reference with {} {} {} taken from {a} {b} {c}: channels are swapped",
                name(0),
                name(1),
                name(2)
            );
            Suspect { code: "channels_swapped", left, text }
        };
        orders.map(suspect).into()
    }

    /// One channel of a vector with its sign turned, or (texture coordinates) counted from the other end.
    fn negated(&self, pair: &Pair) -> Vec<Suspect> {
        if !matches!(pair.kind, Kind::Normal | Kind::Position | Kind::Uv) {
            return Vec::new();
        }
        let suspect = |turned: usize| {
            let name = &pair.channels[turned].0;
            let (from, words) = match pair.kind {
                Kind::Uv => (1.0, format!("the reference with 1 − {name} in place of {name}")),
                _ => (0.0, format!("the reference with the other sign in {name}")),
            };
            let left = self.left(|x, y, channel| {
                let value = self.reference(x, y, channel)?;
                Some(if channel == turned { from - value } else { value })
            });
            Suspect { code: "negated", left, text: words }
        };
        (0..self.channels.min(3)).map(suspect).collect()
    }

    /// One function for all values: transfer curves, a factor, a sum, both.
    fn curves(&self) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        let mut put = |code, text: String, curve: &dyn Fn(f64) -> f64| {
            let left = self.left(|x, y, channel| {
                let value = self.reference(x, y, channel).filter(|_| self.alpha != Some(channel))?;
                Some(curve(value))
            });
            suspects.push(Suspect { code, left, text });
        };
        let encode = |v: f64| f64::from(View::Srgb.apply(glam::Vec3::splat(v as f32)).x);
        put("gamma", "the reference with the sRGB curve on top".to_owned(), &encode);
        put("gamma", "the reference with the sRGB curve taken off".to_owned(), &srgb_decode);
        let (mut n, mut st, mut sr, mut str, mut srr) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let (mut logs, mut squares) = (0.0, 0.0);
        self.each(|[_, _, channel], t, r| {
            if self.alpha == Some(channel) {
                return;
            }
            let weight = 1.0 / (t * t + EPSILON);
            (n, st, sr) = (n + weight, st + weight * t, sr + weight * r);
            (str, srr) = (str + weight * t * r, srr + weight * r * r);
            if t > 0.0 && r > 0.0 {
                (logs, squares) = (logs + t.ln() * r.ln(), squares + r.ln() * r.ln());
            }
        });
        let power = logs / squares;
        if power.is_finite() && (power - 1.0).abs() > 0.01 {
            let text = format!("the reference to the power of {power:.3} (1/{:.3})", 1.0 / power);
            put("gamma", text, &|v| if v > 0.0 { v.powf(power) } else { v });
        }
        let factor = str / srr;
        if factor.is_finite() {
            put("scaled", format!("the reference times {factor:.4}"), &|v| factor * v);
        }
        let sum = (st - sr) / n;
        if sum.is_finite() {
            put("offset", format!("the reference plus {sum:.4}"), &|v| v + sum);
        }
        let slope = (n * str - st * sr) / (n * srr - sr * sr);
        let constant = (st - slope * sr) / n;
        if slope.is_finite() && constant.is_finite() {
            let text = format!("{slope:.4} times the reference plus {constant:.4}");
            put("affine", text, &|v| slope * v + constant);
        }
        suspects
    }
}

/// IEC 61966-2-1: encoded → linear.
fn srgb_decode(v: f64) -> f64 {
    match v <= 0.04045 {
        true => v / 12.92,
        false => ((v + 0.055) / 1.055).powf(2.4),
    }
}

/// Bands of rows, `most` rows at most, symmetric about the middle, so that a mirrored row is there too.
fn bands(height: usize, most: usize) -> Vec<(usize, usize)> {
    if height <= most {
        return vec![(0, height)];
    }
    let count = (most / BAND).max(1);
    let size = most.min(BAND);
    let start = |index: usize| (2 * index + 1) * height / (2 * count) - size / 2;
    let upper: Vec<(usize, usize)> = (0..count / 2).map(|index| (start(index), start(index) + size)).collect();
    let middle = (count % 2 == 1).then(|| (height.div_ceil(2) - size.div_ceil(2), height / 2 + size.div_ceil(2)));
    let lower = upper.iter().rev().map(|(start, end)| (height - end, height - start)).collect::<Vec<_>>();
    upper.iter().copied().chain(middle).chain(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_symmetric_and_inside() {
        for (height, most) in [(2160, 90), (2161, 90), (100, 200), (1000, 10), (1001, 33), (64, 63), (5, 1)] {
            let bands = bands(height, most);
            let mirrored: Vec<_> = bands.iter().rev().map(|(start, end)| (height - end, height - start)).collect();
            assert_eq!(bands, mirrored, "{height} {most}");
            assert!(
                bands.windows(2).all(|pair| pair[0].1 <= pair[1].0) && bands.iter().all(|b| b.0 < b.1 && b.1 <= height)
            );
        }
    }

    fn patch(test: impl Fn(usize, usize, usize) -> f32) -> Patch {
        let reference = |x: usize, y: usize, c: usize| ((x * 37 + y * 91 + c * 53 + x * y) % 101) as f32 / 101.0;
        let (width, height, channels) = (16, 12, 3);
        let line = |y: usize, value: &dyn Fn(usize, usize, usize) -> f32| -> Vec<f32> {
            (0..width).flat_map(|x| (0..channels).map(move |c| (x, c))).map(|(x, c)| value(x, y, c)).collect()
        };
        let _ = &test;
        let rows = (0..height).map(|y| Some([line(y, &test), line(y, &reference)])).collect();
        Patch { width, height, channels, rows, alpha: None }
    }

    #[test]
    fn factors_and_powers_are_found_exactly() {
        let reference = |x: usize, y: usize, c: usize| ((x * 37 + y * 91 + c * 53 + x * y) % 101) as f32 / 101.0;
        let best = |patch: &Patch| {
            let curves = patch.curves();
            curves.into_iter().min_by(|a, b| a.left.total_cmp(&b.left)).map(|best| best.text).unwrap()
        };
        assert!(best(&patch(|x, y, c| reference(x, y, c).powf(0.45))).contains("power of 0.450"));
        assert!(
            best(&patch(|x, y, c| reference(x, y, c) * 0.5 + 0.5)).contains("0.5000 times the reference plus 0.5000")
        );
    }
}
