//! What an AOV is: from our own table for our names, else from the field's usual names, channels and types.

use serde::Serialize;

use crate::film::aov::{self, Values};

/// What the values of an AOV mean, hence how they are compared and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Radiance: the beauty and its parts.
    Lighting,
    /// Material colours: albedo, render targets.
    Colour,
    /// Directions: compared by the angle between them.
    Normal,
    /// Positions, metres.
    Position,
    /// Depths and distances, metres; +inf where nothing is.
    Depth,
    /// Texture coordinates.
    Uv,
    /// Anything else of floats: roughness, coverage, masks.
    Scalar,
    /// Ids: equal or not.
    Id,
    /// Counters: reported, not judged.
    Count,
    /// Ids and their shares, ranked: its manifest is compared, its coverages are noisy.
    Cryptomatte,
    /// Standard errors and variances: they judge other AOVs and are not judged themselves.
    StandardError,
}

/// All kinds with the word that files and reports use.
pub const KINDS: [(&str, Kind); 11] = [
    ("lighting", Kind::Lighting),
    ("colour", Kind::Colour),
    ("normal", Kind::Normal),
    ("position", Kind::Position),
    ("depth", Kind::Depth),
    ("uv", Kind::Uv),
    ("scalar", Kind::Scalar),
    ("id", Kind::Id),
    ("count", Kind::Count),
    ("cryptomatte", Kind::Cryptomatte),
    ("standard_error", Kind::StandardError),
];

/// Layer names as renderers and engines write them, in lower case without `_`, `-` and `.`; `*` ends a prefix.
const NAMES: &[(&str, Kind)] = &[
    ("n", Kind::Normal),
    ("ng", Kind::Normal),
    ("normal*", Kind::Normal),
    ("shadingnormal*", Kind::Normal),
    ("geometricnormal*", Kind::Normal),
    ("worldnormal*", Kind::Normal),
    ("tangent*", Kind::Normal),
    ("rt2", Kind::Normal),
    ("receiverrt2", Kind::Normal),
    ("p", Kind::Position),
    ("position*", Kind::Position),
    ("worldposition*", Kind::Position),
    ("z", Kind::Depth),
    ("depth*", Kind::Depth),
    ("zdepth*", Kind::Depth),
    ("distance*", Kind::Depth),
    ("uv*", Kind::Uv),
    ("st", Kind::Uv),
    ("texcoord*", Kind::Uv),
    ("beauty", Kind::Lighting),
    ("combined", Kind::Lighting),
    ("rgba", Kind::Lighting),
    ("direct*", Kind::Lighting),
    ("indirect*", Kind::Lighting),
    ("light*", Kind::Lighting),
    ("samples", Kind::Count),
    ("samplecount", Kind::Count),
    ("instance*", Kind::Id),
    ("object*", Kind::Id),
    ("material*", Kind::Id),
    ("mesh*", Kind::Id),
    ("primitive*", Kind::Id),
    ("id", Kind::Id),
];

/// How the names of layers that hold another layer's error end, in lower case, and whether they hold its square.
///
/// `beauty_stderr` is ours; the others are Mitsuba's, pbrt's, Arnold's and OIDN's habits.
pub const ERROR_SUFFIXES: [(&str, Error); 8] = [
    ("_stderr", Error::StandardError),
    (".stderr", Error::StandardError),
    ("_standard_error", Error::StandardError),
    ("_variance", Error::Variance),
    (".variance", Error::Variance),
    ("_var", Error::Variance),
    (".var", Error::Variance),
    ("_relativevariance", Error::Relative),
];

/// What a layer beside another says of its noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The standard error of the pixel's mean.
    StandardError,
    /// Its square: the variance of the pixel's mean.
    Variance,
    /// A variance relative to something unstated: not used.
    Relative,
}

/// The layer whose error `name` holds, by its ending; a bare `variance` or `stderr` is the beauty's.
pub fn error_of(name: &str) -> Option<(&str, Error)> {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "variance" => return Some(("beauty", Error::Variance)),
        "stderr" => return Some(("beauty", Error::StandardError)),
        _ => {}
    }
    let found = ERROR_SUFFIXES.iter().find(|(suffix, _)| lower.ends_with(suffix) && lower.len() > suffix.len());
    // ASCII lower case keeps byte positions.
    found.map(|(suffix, error)| (&name[..name.len() - suffix.len()], *error))
}

impl Kind {
    /// The kind of the layer `name` with `channels` (without the layer's name), all of type uint or not.
    pub fn of(name: &str, channels: &[&str], uint: bool) -> Self {
        let row = aov::TABLE.iter().find(|row| row.name == name);
        match row.map(|row| &row.values) {
            Some(Values::CentreId(_)) if uint => return Self::Id,
            Some(Values::Count(_)) if uint => return Self::Count,
            Some(Values::Cryptomatte(_)) => return Self::Cryptomatte,
            Some(Values::StandardError) => return Self::StandardError,
            Some(Values::Samples(_)) => return Self::Lighting,
            _ => {}
        }
        Self::by_name(name, uint).unwrap_or_else(|| Self::by_channels(channels, uint))
    }

    fn by_name(name: &str, uint: bool) -> Option<Self> {
        if error_of(name).is_some() {
            return Some(Self::StandardError);
        }
        // "ViewLayer.Depth" is a depth: the last part of a name counts too.
        let names = [plain(name), plain(name.rsplit('.').next().unwrap_or(name))];
        if names.iter().any(|name| name.starts_with("crypto")) {
            return Some(Self::Cryptomatte);
        }
        let named = |(pattern, _): &&(&str, Self)| match pattern.strip_suffix('*') {
            Some(prefix) => names.iter().any(|name| name.starts_with(prefix)),
            None => names.iter().any(|name| name == pattern),
        };
        let kind = NAMES.iter().find(named).map(|(_, kind)| *kind)?;
        // "material" of floats is a mask or a colour, "depth" of uints an id: types decide.
        match (kind, uint) {
            (Self::Id | Self::Count, true) => Some(kind),
            (Self::Id | Self::Count, false) | (_, true) => None,
            (_, false) => Some(kind),
        }
    }

    fn by_channels(channels: &[&str], uint: bool) -> Self {
        let upper: Vec<String> = channels.iter().map(|channel| channel.to_uppercase()).collect();
        let has = |wanted: &[&str]| wanted.iter().all(|name| upper.iter().any(|channel| channel == name));
        match () {
            () if uint => Self::Id,
            () if has(&["X", "Y", "Z"]) => Self::Position,
            () if has(&["R", "G", "B"]) || has(&["Y"]) => Self::Colour,
            () if has(&["U", "V"]) => Self::Uv,
            () if has(&["Z"]) => Self::Depth,
            () => Self::Scalar,
        }
    }

    /// The word of files and reports.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// In lower case, without what names are put together with.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !"_-.".contains(*c)).flat_map(char::to_lowercase).collect()
}

/// Whether two renders of ours that differ by their seed alone differ in the AOV `name`. `integrator` is the header's.
pub fn noisy(name: &str, integrator: &str) -> bool {
    if integrator == "gbuffer" {
        return false;
    }
    let row = aov::TABLE.iter().find(|row| row.name == name);
    row.map_or(name.starts_with("light_"), |row| match row.values {
        Values::Samples(_) | Values::Hits(_) | Values::Cryptomatte(_) | Values::StandardError => true,
        Values::Centre { .. } | Values::CentreId(_) | Values::Count(_) => false,
    })
}

/// Whether the AOV `name` of ours is a mean over hits: then its expected value depends on the number of samples.
pub fn over_hits(name: &str) -> bool {
    aov::TABLE.iter().any(|row| row.name == name && matches!(row.values, Values::Hits(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_aovs_have_the_kind_that_the_table_implies() {
        let of = |name: &str| {
            let row = aov::TABLE.iter().find(|row| row.name == name).unwrap();
            let channels: Vec<&str> = row.channels.iter().map(|c| c.rsplit('.').next().unwrap()).collect();
            Kind::of(name, &channels, row.pixel == aov::Pixel::Uint)
        };
        for (names, kind) in [
            (&["beauty", "direct_diffuse", "visible_emission", "glass_reflection"][..], Kind::Lighting),
            (&["albedo", "RT0", "RT1", "emission", "receiver_RT0", "color0"], Kind::Colour),
            (&["N", "Ng", "RT2", "receiver_RT2", "tangent"], Kind::Normal),
            (&["P"], Kind::Position),
            (&["Z", "distance"], Kind::Depth),
            (&["uv0", "uv4"], Kind::Uv),
            (&["metalness", "roughness", "coverage", "ambient_occlusion", "decal_weight"], Kind::Scalar),
            (&["instance", "mesh", "material", "primitive", "object"], Kind::Id),
            (&["samples", "non_finite"], Kind::Count),
            (&["crypto_object", "crypto_material"], Kind::Cryptomatte),
            (&["beauty_stderr"], Kind::StandardError),
        ] {
            names.iter().for_each(|name| assert_eq!(of(name), kind, "{name}"));
        }
    }

    #[test]
    fn others_names_channels_and_types_are_read() {
        for (name, channels, uint, kind) in [
            ("Normal", &["X", "Y", "Z"][..], false, Kind::Normal),
            ("world_position", &["R", "G", "B"], false, Kind::Position),
            ("ViewLayer.Depth", &["Z"], false, Kind::Depth),
            ("diffuse", &["R", "G", "B"], false, Kind::Colour),
            ("light_sun", &["R", "G", "B"], false, Kind::Lighting),
            ("material", &["R", "G", "B"], false, Kind::Colour),
            ("whatever", &["V"], true, Kind::Id),
            ("albedo.variance", &["R", "G", "B"], false, Kind::StandardError),
            ("CryptoAsset", &["r", "g", "b", "a"], false, Kind::Cryptomatte),
            ("mask", &["V"], false, Kind::Scalar),
        ] {
            assert_eq!(Kind::of(name, channels, uint), kind, "{name}");
        }
    }

    #[test]
    fn error_layers_name_what_they_belong_to() {
        assert_eq!(error_of("beauty_stderr"), Some(("beauty", Error::StandardError)));
        assert_eq!(error_of("Diffuse.Variance"), Some(("Diffuse", Error::Variance)));
        assert_eq!(error_of("variance"), Some(("beauty", Error::Variance)));
        assert_eq!(error_of("invariant"), None);
        assert_eq!(error_of("_var"), None);
    }

    #[test]
    fn a_seed_changes_sampled_aovs_only() {
        assert!(noisy("beauty", "path") && noisy("albedo", "naive") && noisy("light_sun", "path"));
        assert!(!noisy("N", "path") && !noisy("instance", "path") && !noisy("albedo", "gbuffer"));
    }
}
