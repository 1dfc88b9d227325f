//! `terr_mega`: the terrain around the tracks, in its far-field form. The formula is that of `terrain.rs`.
//!
//! Documentation 001, row terr_mega, "Terrain far field in the near range", "Ground permutations: terr_mega and terr_distant".
//!
//! `Default`, `Distant`, `Winter` and `Noise` have the same dependencies and no effect here. `Alpha` and `NR` are errors:
//! their coordinate comes from TEXCOORD1 and TEXCOORD4 in a way that is not documented.

use super::terrain;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `terr_mega`.
pub const FAMILY: Family = Family {
    name: "terr_mega",
    summary: "The terrain around the tracks, far-field form.",
    source: "001, Terrain far field in the near range; Ground permutations: terr_mega and terr_distant",
    permutations: Permutations::Tokens {
        acting: &[],
        inert: &["Default", "Distant", "Winter", "Noise"],
        prefixes: &[],
    },
    inputs: terrain::INPUTS,
    world: terrain::WORLD,
    decisions: terrain::DECISIONS,
    bind: terrain::bind,
};

#[cfg(test)]
mod tests {
    use super::super::testing::try_bind;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_alpha_permutations_are_refused_by_name() {
        let faults = try_bind(&FAMILY, "_Alpha_NR", &json!({})).err().unwrap();
        assert!(faults[0].message.contains("\"Alpha\"") && faults[1].message.contains("\"NR\""), "{faults:?}");
        assert!(try_bind(&FAMILY, "_winter_DEFAULT", &json!({})).is_ok());
    }
}
