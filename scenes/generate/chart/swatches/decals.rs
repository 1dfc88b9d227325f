//! Deferred decals: quads before a wall, and boxes that project.

use super::Display::{MeshDecal, Projected};
use super::{Swatch, swatch};

const BADGE: &str = "DiffAlphaTex = \"badge\", NormalTex = \"badge_n\", RoughMetAOTex = \"badge_rma\"";

pub const SWATCHES: &[Swatch] = &[
    swatch(
        "environmentdeferreddecal",
        "_Standard_DR",
        "a badge on brick, the brick's relief through it",
        "",
        BADGE,
        MeshDecal,
    ),
    swatch("environmentdeferreddecal", "_Standard_DR_NAO", "the badge with its own relief", "", BADGE, MeshDecal),
    swatch(
        "environmentdeferreddecal",
        "_Standard_DR_ST",
        "half transparent, tinted",
        "DiffRoughIntensity = 0.5, SwatchTint = [0.2, 0.5, 1]",
        BADGE,
        MeshDecal,
    ),
    swatch(
        "environmentdeferreddecal",
        "_Projected_DR",
        "a badge laid over board and ball by a box, up to where the ball turns away",
        "",
        BADGE,
        Projected,
    ),
    swatch(
        "environmentdeferreddecal",
        "_Projected_DR_NAO",
        "the same, faint: its relief writes nothing",
        "DiffRoughIntensity = 0.5",
        BADGE,
        Projected,
    ),
];
