//! `terr_distant`: the terrain on the horizon. The formula is that of `terrain.rs`; the dependencies of every channel are
//! the same as terr_mega's.
//!
//! Documentation 001, "Ground permutations: terr_mega and terr_distant".
//!
//! `Default`, `Distant`, `Winter` and `Noise` have no effect; `Alpha` and `NR` are errors, as for terr_mega.

use super::terrain;
use crate::material::registry::{Family, Permutations};

/// The registry entry of `terr_distant`.
pub const FAMILY: Family = Family {
    name: "terr_distant",
    summary: "The terrain on the horizon.",
    source: "001, Ground permutations: terr_mega and terr_distant",
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
