//! Terrain, far rock and water.

use super::Display::{BallAndTile, Land};
use super::{Swatch, swatch};

const LAND: &str =
    "TerrainColourTexture = \"slopes\", TerrainNormalTexture = \"land\", TerrainGlossTexture = \"gloss\"";
const LOD: &str = "DiffuseATexture = \"stone\", NormalATexture = \"stone_n\", RoughnessMetalnessATexture = { constant = [0.7, 0, 0, 1] }, EmissiveTexture = \"facade_lit\"";

pub const SWATCHES: &[Swatch] = &[
    swatch("diff1", "", "flat brick, three times across", "UVTilingA = [3, 3]", "DiffuseA = \"brick\"", BallAndTile),
    swatch(
        "terr_mega",
        "_Default",
        "land seen from above, on the world plane",
        "BlendMapScale = [0.7, 0.7]",
        LAND,
        Land,
    ),
    swatch("terr_distant", "_Default", "the same, coarser", "BlendMapScale = [0.35, 0.35]", LAND, Land),
    swatch("uberlod", "_Default", "rock with lit spots", "EmissiveScale = 1", LOD, BallAndTile),
    swatch("uberlod", "_Rock_NM", "rock with normals", "", LOD, BallAndTile),
    swatch(
        "uber_water",
        "",
        "a mirror over teal",
        "InScatterColourA = [0.02, 0.2, 0.2], Roughness = 0.05",
        "",
        BallAndTile,
    ),
    swatch("ocean", "", "a black mirror", "", "", BallAndTile),
    swatch("ocean_shoreline", "", "a black, rougher mirror", "Roughness = 0.3", "", BallAndTile),
];
