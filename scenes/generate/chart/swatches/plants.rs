//! Foliage, impostors and bark.

use super::Display::{BallAndTile, Cards, Impostor};
use super::{Swatch, swatch};

const LEAF: &str = "DiffuseTexture = \"leaf\", NormalTexture = \"leaf_n\", RTAOTexture = \"occlusion\"";

pub const SWATCHES: &[Swatch] = &[
    swatch("uber_foliage", "_BushVertDeformHiQDoubleSided", "leaf cards with sharp edges", "", LEAF, Cards),
    swatch("uber_foliage", "_Grass", "leaves that keep more of their edge", "AlphaStepMax = 0.3", LEAF, Cards),
    swatch(
        "uber_foliage",
        "_Tree",
        "as bush, normals faded toward up",
        "FadedNormalStartDistance = 0, FadedNormalEndDistance = 1",
        LEAF,
        Cards,
    ),
    swatch("uber_foliage", "_Tree_VL", "flat: no normal map, rough", "", LEAF, Cards),
    swatch("uber_foliage", "_Billboard", "flat: no normal map, rough", "", LEAF, BallAndTile),
    swatch(
        "uber_foliage",
        "_Tree_Impostor",
        "a round crown on a trunk, from the view atlas",
        "",
        "DiffuseTexture = \"tree_views\", NormalTexture = \"tree_views_n\"",
        Impostor,
    ),
    swatch(
        "uber_branch",
        "_BranchHiQ",
        "bark; roughness from the colour's alpha",
        "",
        "DiffuseA = \"stone\", NormalA = \"stone_n\"",
        BallAndTile,
    ),
    swatch(
        "uber_branch",
        "_BranchHiQ_NormalAlpha_AO",
        "the same, tiled, with strong normals",
        "DiffuseAUVTiling = [2, 2], NormalAUVTiling = [2, 2], NormalAIntensity = 2",
        "DiffuseA = \"stone\", NormalA = \"stone_n\"",
        BallAndTile,
    ),
];
