//! Roads, and the decals that are painted on them.

use super::Display::{BallAndTile, RoadDecal};
use super::{Swatch, swatch};

const ROAD: &str = "BlendTexture = \"masks\", ModulateTexture = \"modulate\", \
    UberRoadADiffuseTexture = \"asphalt\", UberRoadANormalTexture = \"asphalt_n\", UberRoadBDiffuseTexture = \"sand\", UberRoadBNormalTexture = \"asphalt_n\", \
    UberRoadCDiffuseTexture = \"moss\", UberRoadCNormalTexture = \"moss_n\", UberRoadDDiffuseTexture = \"brick\", UberRoadDNormalTexture = \"brick_n\"";
const ROAD_TINTED: &str = "TintTexture = { constant = [0.55, 0.5, 0.42, 0.8] }, BlendTexture = \"masks\", ModulateTexture = \"stone_n\", \
    UberRoadADiffuseTexture = \"asphalt\", UberRoadANormalTexture = \"asphalt_n\", UberRoadBDiffuseTexture = \"sand\", UberRoadBNormalTexture = \"asphalt_n\", \
    UberRoadCDiffuseTexture = \"moss\", UberRoadCNormalTexture = \"moss_n\"";
const LINE: &str = "DecalDiffuseATexture = { constant = [0.75, 0.73, 0.68, 0.6] }, DecalMaskATexture = \"worn_line\", DecalNormalA = \"asphalt_n\"";

pub const SWATCHES: &[Swatch] = &[
    swatch("uber_road", "_blend1", "asphalt", "", ROAD, BallAndTile),
    swatch(
        "uber_road",
        "_blend2_M",
        "asphalt → sand to the right by height; tinted",
        "BlendSmoothness = 0.3",
        ROAD_TINTED,
        BallAndTile,
    ),
    swatch(
        "uber_road",
        "_blend3_modnorm",
        "and grass downward; the modulate's normals",
        "BlendSmoothness = 0.3",
        ROAD_TINTED,
        BallAndTile,
    ),
    swatch(
        "uber_road",
        "_blend4",
        "four layers; the first on the world plane",
        "UberRoadAUVSet = -1, UberRoadAWorldUVScale = [3, 3]",
        ROAD,
        BallAndTile,
    ),
    swatch("uber_roaddecal", "_decal", "a whole strip of paint: no mask", "", LINE, RoadDecal),
    swatch("uber_roaddecal", "_decal_AM", "a worn white line", "", LINE, RoadDecal),
    swatch(
        "uber_roaddecal",
        "_T_AM",
        "a worn line, overlaid by the vertex colour and tinted yellow",
        "PerObjectTint0OnOff = true, ObjectTintColor = [0.8, 0.35, 0.0]",
        LINE,
        RoadDecal,
    ),
    swatch(
        "uber_roaddecal",
        "_metal_AM",
        "a worn metal strip",
        "",
        "DecalDiffuseATexture = { constant = [0.8, 0.7, 0.5, 0.25] }, DecalMaskATexture = \"worn_line\", Mask_MetalnessATexture = { constant = [1, 0, 0, 1] }",
        RoadDecal,
    ),
    swatch(
        "uber_roaddecal",
        "_decal_AM_Modulate",
        "a worn line, blotched",
        "",
        "DecalDiffuseATexture = { constant = [0.75, 0.73, 0.68, 0.6] }, DecalMaskATexture = \"worn_line\", DecalNormalA = \"asphalt_n\", ModulateTexture = \"masks\"",
        RoadDecal,
    ),
    swatch(
        "uber_roaddecalretro",
        "_HA",
        "a worn line, thresholded by height",
        "MaxHeightAlpha = 0.7, AlphaFadeOnOff = true",
        LINE,
        RoadDecal,
    ),
    swatch(
        "uber_roaddecalretro",
        "_T_M",
        "a whole strip, blotched",
        "",
        "DecalDiffuseATexture = { constant = [0.75, 0.73, 0.68, 0.6] }, DecalNormalA = \"asphalt_n\", ModulateTexture = \"masks\"",
        RoadDecal,
    ),
];
