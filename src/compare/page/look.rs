//! How the values of an AOV become display values.

use super::colour;
use crate::compare::{AovReport, Kind, Plane};

/// One of four ways, each with what it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// Light or reflectance: times 2^exposure, sRGB encoding.
    Light { exposure: f64 },
    /// −1..1 of each component.
    Direction,
    /// Each channel from its low to its high value, evenly.
    Range(Vec<[f32; 2]>),
    /// A colour each. Pixels are the ids' bits.
    Ids,
}

impl Look {
    /// The look of an AOV by its kind and its values. `displayed`: values are display values already.
    pub fn of(aov: &AovReport, displayed: bool, test: &Plane, reference: &Plane) -> Self {
        match aov.kind {
            Kind::Id | Kind::Cryptomatte => Self::Ids,
            Kind::Normal => Self::Direction,
            Kind::Lighting | Kind::Colour if displayed => Self::Range(vec![[0.0, 1.0]; reference.channels]),
            Kind::Lighting => Self::Light { exposure: exposure(reference) },
            Kind::Colour => Self::Light { exposure: 0.0 },
            Kind::StandardError => Self::Light { exposure: exposure(reference) },
            Kind::Position | Kind::Depth | Kind::Uv | Kind::Scalar | Kind::Count => {
                Self::Range((0..reference.channels).map(|channel| range(aov.kind, channel, test, reference)).collect())
            }
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Light { .. } => "light",
            Self::Direction => "direction",
            Self::Range(_) => "range",
            Self::Ids => "ids",
        }
    }

    /// The display colour of a pixel.
    pub fn colour(&self, pixel: &[f32]) -> [u8; 3] {
        if let Self::Ids = self {
            return colour::id(pixel[0].to_bits());
        }
        let shown: [f32; 3] = std::array::from_fn(|k| match (pixel.len(), k) {
            (1, _) => pixel[0],
            (n, k) if k < n => pixel[k],
            _ => 0.0,
        });
        if shown.iter().any(|v| v.is_nan()) {
            return colour::NAN;
        }
        if shown.iter().any(|v| v.is_infinite()) {
            return if matches!(self, Self::Light { .. }) { colour::INF } else { colour::NOTHING };
        }
        std::array::from_fn(|k| colour::byte(self.display(f64::from(shown[k]), if pixel.len() == 1 { 0 } else { k })))
    }

    fn display(&self, value: f64, channel: usize) -> f64 {
        match self {
            Self::Light { exposure } => colour::encoded((value * exposure.exp2()).max(0.0)),
            Self::Direction => value * 0.5 + 0.5,
            Self::Range(ranges) => {
                let [low, high] = ranges.get(channel).copied().unwrap_or([0.0, 1.0]).map(f64::from);
                // The range of a constant is empty.
                (value - low) / if high > low { high - low } else { 1.0 }
            }
            Self::Ids => value,
        }
    }
}

/// About this many values decide ranges and exposures.
const SAMPLES: usize = 1 << 16;

/// Finite values of one channel, sorted, evenly taken from the plane.
fn sorted(plane: &Plane, channel: usize) -> Vec<f32> {
    let pixels = plane.width * plane.height;
    let step = (pixels / SAMPLES).max(1);
    let values = (0..pixels).step_by(step).map(|i| plane.values[i * plane.channels + channel]);
    let mut values: Vec<f32> = values.filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f32::total_cmp);
    values
}

fn quantile(sorted: &[f32], share: f64) -> Option<f32> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).round() as usize).copied()
}

/// Stops, in halves, that bring a picture of light to the display's range; 0 where it is there already.
fn exposure(plane: &Plane) -> f64 {
    let bright = (0..plane.channels.min(3)).filter_map(|channel| quantile(&sorted(plane, channel), 0.98));
    let bright = bright.fold(0.0_f32, f32::max);
    if bright <= 0.0 || (0.2..=1.6).contains(&bright) {
        return 0.0;
    }
    let stops = (0.8 / f64::from(bright)).log2();
    ((stops * 2.0).round() / 2.0).clamp(-16.0, 16.0)
}

/// The range in which a channel is shown. Most values decide: single far ones do not turn the rest black.
fn range(kind: Kind, channel: usize, test: &Plane, reference: &Plane) -> [f32; 2] {
    let both = [sorted(reference, channel), sorted(test, channel)];
    let pick = |share: f64| both.iter().filter_map(move |values| quantile(values, share));
    let low = pick(0.002).fold(f32::INFINITY, f32::min);
    let high = pick(if kind == Kind::Depth { 0.97 } else { 0.998 }).fold(f32::NEG_INFINITY, f32::max);
    match kind {
        _ if low > high => [0.0, 1.0],
        // Masks, roughness and texture coordinates mean something at 0 and 1.
        Kind::Scalar | Kind::Uv if low >= 0.0 && high <= 1.0 => [0.0, 1.0],
        _ if low == high => [low - 0.5, high + 0.5],
        _ => [low, high],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(values: &[f32]) -> Plane {
        Plane { width: values.len(), height: 1, channels: 1, values: values.to_vec() }
    }

    #[test]
    fn bright_light_is_exposed_down_and_ordinary_light_is_left_alone() {
        assert_eq!(exposure(&grey(&[80.0; 10])), -6.5);
        assert_eq!(exposure(&grey(&[0.9; 10])), 0.0);
        assert_eq!(exposure(&grey(&[0.0, f32::NAN])), 0.0);
    }

    #[test]
    fn what_is_not_finite_has_its_own_colours() {
        let light = Look::Light { exposure: 0.0 };
        assert_eq!(light.colour(&[f32::NAN, 0.0, 0.0]), colour::NAN);
        assert_eq!(light.colour(&[0.0, f32::INFINITY, 0.0]), colour::INF);
        assert_eq!(Look::Range(vec![[0.0, 1.0]]).colour(&[f32::INFINITY]), colour::NOTHING);
        assert_eq!(light.colour(&[0.5, 0.0, 1.0, f32::NAN]), [188, 0, 255]);
    }

    #[test]
    fn a_range_is_that_of_most_values() {
        let mut values = vec![2.0; 500];
        values.extend([4.0; 499]);
        values.push(1e9);
        let plane = grey(&values);
        assert_eq!(range(Kind::Depth, 0, &plane, &plane), [2.0, 4.0]);
        let empty = grey(&[f32::INFINITY; 4]);
        assert_eq!(range(Kind::Depth, 0, &empty, &empty), [0.0, 1.0]);
    }
}
