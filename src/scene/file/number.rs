//! Numbers as a user types them: finite, of the right count, whole where whole is asked for.

use std::fmt;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finite float32. NaN, infinities and numbers beyond float32 are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Scalar(pub f32);

/// `N` finite float32 numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finite<const N: usize>(pub [f32; N]);

/// A whole number; `3.0` is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Whole(pub i64);

/// Reads a key that may be absent, but not null: exporters write null for NaN.
pub fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f32::deserialize(deserializer)?;
        match value.is_finite() {
            true => Ok(Self(value)),
            false => Err(D::Error::custom("expected a finite number that a float32 can hold")),
        }
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        // 2^53: beyond it a double no longer says which whole number was typed.
        match value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
            true => Ok(Self(value as i64)),
            false => Err(D::Error::custom(format!("expected a whole number, found {value}"))),
        }
    }
}

impl<const N: usize> Serialize for Finite<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Finite<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(FiniteVisitor)
    }
}

struct FiniteVisitor<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for FiniteVisitor<N> {
    type Value = Finite<N>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "an array of {N} finite numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut values = [0.0; N];
        for (index, value) in values.iter_mut().enumerate() {
            match sequence.next_element::<Scalar>()? {
                Some(element) => *value = element.0,
                None => return Err(A::Error::invalid_length(index, &self)),
            }
        }
        let mut length = N;
        while sequence.next_element::<IgnoredAny>()?.is_some() {
            length += 1;
        }
        match length == N {
            true => Ok(Finite(values)),
            false => Err(A::Error::invalid_length(length, &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn lengths_must_match_exactly() {
        assert_eq!(parse::<Finite<3>>("[1, 2.5, -3]"), Ok(Finite([1.0, 2.5, -3.0])));
        for wrong in ["[1, 2]", "[1, 2, 3, 4]", "[]", "1", "\"x\"", "null", "[1, 2, null]", "[1, 2, true]"] {
            assert!(parse::<Finite<3>>(wrong).is_err(), "{wrong}");
        }
        assert!(parse::<Finite<3>>("[1, 2, 3, 4]").unwrap_err().contains("invalid length 4, expected an array of 3"));
    }

    #[test]
    fn what_a_float32_cannot_hold_is_refused() {
        for wrong in ["1e39", "-1e39", "1e999", "NaN", "Infinity", "null"] {
            assert!(parse::<Scalar>(wrong).is_err(), "{wrong}");
        }
        #[derive(Deserialize)]
        struct Table {
            x: Scalar,
        }
        assert!(toml::from_str::<Table>("x = nan").is_err());
        assert!(toml::from_str::<Table>("x = inf").is_err());
        assert_eq!(toml::from_str::<Table>("x = 3").map(|table| table.x), Ok(Scalar(3.0)));
    }

    #[test]
    fn whole_numbers_may_be_typed_with_a_point_but_not_with_a_fraction() {
        assert_eq!(parse::<Whole>("-3"), Ok(Whole(-3)));
        assert_eq!(parse::<Whole>("3.0"), Ok(Whole(3)));
        assert!(parse::<Whole>("3.5").is_err());
        assert!(parse::<Whole>("1e300").is_err());
    }
}
