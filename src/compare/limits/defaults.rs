//! The rules of each kind of AOV where no limits file speaks.

use super::{Key, Rules};
use crate::compare::kind::Kind;

/// Kind → rules; the one list, also of the documentation. Shares allow for edges, which two programs cover differently.
pub const DEFAULTS: [(Kind, &[(Key, f64)]); 11] = [
    (Kind::Lighting, &[(Key::Absolute, 0.02), (Key::Relative, 0.02), (Key::Share, 0.01), (Key::Hard, 1.0)]),
    (Kind::Colour, &[(Key::Absolute, 0.004), (Key::Share, 0.001)]),
    (Kind::Normal, &[(Key::Angle, 1.0), (Key::Share, 0.001)]),
    (Kind::Position, &[(Key::Absolute, 1e-3), (Key::Relative, 1e-4), (Key::Share, 0.001)]),
    (Kind::Depth, &[(Key::Absolute, 1e-3), (Key::Relative, 1e-4), (Key::Share, 0.001)]),
    (Kind::Uv, &[(Key::Absolute, 1e-3), (Key::Share, 0.001)]),
    (Kind::Scalar, &[(Key::Absolute, 0.004), (Key::Share, 0.001)]),
    (Kind::Id, &[(Key::Share, 0.0)]),
    (Kind::Count, &[]),
    (Kind::Cryptomatte, &[]),
    (Kind::StandardError, &[]),
];

/// Permitted relative bias of the beauty.
pub const BEAUTY_BIAS: f64 = 0.002;

/// Renders by the same random numbers differ by rounding alone: what changes their values by a thousandth is a change.
pub const SAME_NOISE: &[(Key, f64)] = &[(Key::Absolute, 1e-4), (Key::Relative, 1e-3), (Key::Share, 0.0)];

/// What the two pictures are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// Of two programs, or not known.
    Plain,
    /// Renders by the same random numbers: no pixel may be over the limits, and those are tighter.
    SameNoise,
    /// Noisy renders of other random numbers, judged by the noise-aware test.
    Noisy,
}

/// The rules of an AOV of this kind and name. Where the noise-aware test judges it, no share of pixels does: noise puts any
/// number of pixels over any limit.
pub fn defaults(kind: Kind, name: &str, footing: Footing) -> Rules {
    let entries = DEFAULTS.iter().find(|(listed, _)| *listed == kind).map_or(&[][..], |(_, entries)| entries);
    let mut rules = match footing {
        Footing::Noisy => Rules::default(),
        Footing::Plain => Rules::of(entries),
        Footing::SameNoise if entries.is_empty() => Rules::default(),
        Footing::SameNoise => {
            let sampled = matches!(kind, Kind::Lighting | Kind::Colour | Kind::Scalar);
            let tighter = if sampled { SAME_NOISE } else { &[(Key::Share, 0.0)] };
            Rules::of(entries).under(&Rules::of(tighter))
        }
    };
    if name == "beauty" {
        rules = rules.under(&Rules::of(&[(Key::Bias, BEAUTY_BIAS)]));
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::kind::KINDS;

    #[test]
    fn every_kind_has_a_row() {
        for (name, kind) in KINDS {
            assert_eq!(DEFAULTS.iter().filter(|(listed, _)| *listed == kind).count(), 1, "{name}");
        }
    }
}
