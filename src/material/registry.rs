//! The one list of material families. Help, docs, `scrutineer families`, binding and tests loop over it.

use super::bind::Binder;
use super::{Material, forza, mad};
use crate::suggest;

/// A family as its file declares it. Parameters and textures come from running `bind` without input (`bind::describe`).
pub struct Family {
    pub name: &'static str,
    /// One line: what it draws.
    pub summary: &'static str,
    /// The documentation: file and section.
    pub source: &'static str,
    pub permutations: Permutations,
    /// The point inputs that it reads, as PROBE.md names them.
    pub inputs: &'static [&'static str],
    /// The `[world]` keys that it reads.
    pub world: &'static [&'static str],
    /// What the documentation leaves open, and what was decided; one sentence or two each.
    pub decisions: &'static [&'static str],
    pub bind: fn(&mut Binder) -> Box<dyn Material>,
}

/// Which `permutation` strings a family takes.
#[derive(Clone, Copy, Debug)]
pub enum Permutations {
    /// None: the key is absent or empty.
    None,
    /// Exact names.
    Names(&'static [&'static str]),
    /// `_`-separated tokens in any order and case. `prefixes` match the beginning of a token.
    Tokens { acting: &'static [&'static str], inert: &'static [&'static str], prefixes: &'static [&'static str] },
}

/// Every family, in the order of the documentation.
pub const FAMILIES: &[&Family] = &[
    // 000, rock and animated props
    &forza::uber_rock_array::FAMILY,
    &forza::uber_rock::FAMILY,
    &forza::uber_asset_animated::FAMILY,
    &forza::anim_ledflipbookpanel::FAMILY,
    // 001 and 002, the other world families, glass and decals
    &forza::environment::FAMILY,
    &forza::environment_plot::FAMILY,
    &forza::uber_foliage::FAMILY,
    &forza::uber_branch::FAMILY,
    &forza::uber_road::FAMILY,
    &forza::uber_roaddecal::FAMILY,
    &forza::uber_roaddecalretro::FAMILY,
    &forza::anim_flag::FAMILY,
    &forza::projection_lod::FAMILY,
    &forza::glass::FAMILY,
    &forza::snow::FAMILY,
    &forza::emissiveonly::FAMILY,
    &forza::pylon_cables::FAMILY,
    &forza::diff1::FAMILY,
    &forza::terr_mega::FAMILY,
    &forza::terr_distant::FAMILY,
    &forza::uberlod::FAMILY,
    &forza::uber_water::FAMILY,
    &forza::ocean::FAMILY,
    &forza::ocean_shoreline::FAMILY,
    &forza::environmentdeferreddecal::FAMILY,
    // 004, MAD
    &mad::mad_fake::FAMILY,
    &mad::mad_tex1::FAMILY,
    &mad::mad_tex1_wind::FAMILY,
    &mad::mad_decals1::FAMILY,
    &mad::mad_tex1_emissive::FAMILY,
    &mad::mad_tex2::FAMILY,
    &mad::mad_tex2_graffiti_mode::FAMILY,
    &mad::mad_tex2_tintbfromshaderconstants::FAMILY,
    &mad::classic::FAMILY,
    &mad::five_zones::FAMILY,
];

/// The family of that name, or a message with the near miss and all names.
pub fn find(name: &str) -> Result<&'static Family, String> {
    FAMILIES
        .iter()
        .find(|family| family.name == name)
        .copied()
        .ok_or_else(|| suggest::unknown("family", name, FAMILIES.iter().map(|family| family.name)))
}
