//! Limits: what a test may differ by, for each AOV.
//!
//! An AOV's rules come from its kind's defaults, then `[default]` of the limits file, then every `[aov.PATTERN]` that
//! matches its name, in the file's order; then its region's. The later wins, key by key.

mod defaults;
mod file;
pub mod pattern;
mod zones;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use defaults::{BEAUTY_BIAS, DEFAULTS, Footing, defaults};
pub use file::{known_fault, parse};
pub use zones::{Area, Run, Zones};

use super::kind::Kind;
use crate::film::Rect;
use crate::film::view::View;

/// A number that a rule holds a measure against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Absolute,
    Relative,
    Share,
    Hard,
    Angle,
    Bias,
    Flip,
    Ssim,
}

/// Keys of a table of rules: name, lowest and highest value, meaning.
pub const KEYS: [(&str, Key, f64, f64, &str); 8] = [
    ("absolute", Key::Absolute, 0.0, f64::INFINITY, "a pixel is over where |t − r| of a channel is above it"),
    ("relative", Key::Relative, 0.0, f64::INFINITY, "… and |t − r| is above it times |r|"),
    ("share", Key::Share, 0.0, 1.0, "permitted share of pixels that are over, 0..1"),
    ("hard", Key::Hard, 0.0, f64::INFINITY, "no pixel's |t − r| may be above it"),
    ("angle", Key::Angle, 0.0, 180.0, "normals: a pixel is over where they differ by more, degrees"),
    ("bias", Key::Bias, 0.0, f64::INFINITY, "permitted |mean(t − r)| over the reference's mean, each channel"),
    ("flip", Key::Flip, 0.0, 1.0, "permitted mean ꟻLIP error"),
    ("ssim", Key::Ssim, -1.0, 1.0, "smallest permitted structural similarity"),
];

/// One rule of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Limit {
    /// Not said here: what lies below counts.
    #[default]
    Unset,
    /// `"off"`.
    Off,
    At(f64),
}

/// A table of rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    limits: [Limit; KEYS.len()],
    /// `noise = "auto"` or `"off"`.
    pub noise: Option<bool>,
}

impl Rules {
    /// A table with these entries.
    pub fn of(entries: &[(Key, f64)]) -> Self {
        let mut rules = Self::default();
        entries.iter().for_each(|(key, value)| rules.set(*key, Limit::At(*value)));
        rules
    }

    pub fn set(&mut self, key: Key, limit: Limit) {
        self.limits[key as usize] = limit;
    }

    /// The limit in force, if any.
    pub fn get(&self, key: Key) -> Option<f64> {
        match self.limits[key as usize] {
            Limit::At(value) => Some(value),
            Limit::Off | Limit::Unset => None,
        }
    }

    /// `above` on top of these.
    #[must_use]
    pub fn under(mut self, above: &Self) -> Self {
        for (below, above) in self.limits.iter_mut().zip(above.limits) {
            if above != Limit::Unset {
                *below = above;
            }
        }
        self.noise = above.noise.or(self.noise);
        self
    }

    /// Whether anything is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Permitted share of pixels over the limits: none unless said.
    pub fn share(&self) -> f64 {
        self.get(Key::Share).unwrap_or(0.0)
    }
}

/// A rectangle with its own rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub name: String,
    pub rect: Rect,
    /// AOVs that it holds for (patterns); all where empty.
    pub aovs: Vec<String>,
    pub rules: Rules,
}

/// Pixels that are left out, or the only ones compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    pub shape: Shape,
    pub include: bool,
}

/// Where a mask is.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Rect(Rect),
    /// A picture: where any colour channel is above 0.
    File(PathBuf),
}

/// How bright light is shown before it is compared with display values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exposure {
    Stops(f64),
    /// One scale for the picture, solved for.
    Auto,
}

/// Everything that decides what is compared, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The file, where they come from one.
    pub file: Option<PathBuf>,
    pub default: Rules,
    /// Pattern → rules, in the file's order.
    pub aovs: Vec<(String, Rules)>,
    /// Patterns of AOVs that are not compared.
    pub ignore: Vec<String>,
    /// Name in the reference → name in the test.
    pub map: BTreeMap<String, String>,
    /// Fault codes that are notices.
    pub allow: Vec<String>,
    pub regions: Vec<Region>,
    pub masks: Vec<Mask>,
    /// Probability that the noise-aware tests of one picture call equal pictures different.
    pub family_wise_error: f64,
    pub exposure: Exposure,
    pub view: View,
    /// Whether NaN in both pictures is equal.
    pub nan_equal: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: None,
            default: Rules::default(),
            aovs: Vec::new(),
            ignore: Vec::new(),
            map: BTreeMap::new(),
            allow: Vec::new(),
            regions: Vec::new(),
            masks: Vec::new(),
            family_wise_error: 1e-3,
            exposure: Exposure::Stops(0.0),
            view: View::Srgb,
            nan_equal: true,
        }
    }
}

impl Limits {
    /// The rules of an AOV outside of regions.
    pub fn rules(&self, name: &str, kind: Kind, footing: Footing) -> Rules {
        let named = self.aovs.iter().filter(|(pattern, _)| pattern::matches(pattern, name));
        let base = defaults(kind, name, footing);
        // Counts and errors are not judged by a table that means all the others.
        let general =
            if matches!(kind, Kind::Count | Kind::StandardError) { Rules::default() } else { self.default.clone() };
        named.fold(base.under(&general), |rules, (_, above)| rules.under(above))
    }

    /// Whether the noise-aware tests may judge the AOV.
    pub fn wants_noise(&self, name: &str, kind: Kind) -> bool {
        self.rules(name, kind, Footing::Noisy).noise.unwrap_or(true)
    }

    pub fn ignores(&self, name: &str) -> bool {
        self.ignore.iter().any(|pattern| pattern::matches(pattern, name))
    }

    /// The regions that hold for an AOV.
    pub fn regions_of(&self, name: &str) -> Vec<&Region> {
        let holds = |region: &&Region| {
            region.aovs.is_empty() || region.aovs.iter().any(|pattern| pattern::matches(pattern, name))
        };
        self.regions.iter().filter(holds).collect()
    }
}
