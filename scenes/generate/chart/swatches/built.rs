//! Buildings, plots and animated props.

use super::Display::BallAndTile;
use super::{Swatch, swatch};

const BOAT: &str = "DiffuseATexture = \"brick\", NormalATexture = \"brick_n\", RoughnessMetalnessATexture = \"metal_rma\", AOTexture = \"occlusion\"";
const WALL: &str = "DiffAlphaTex_A = \"brick\", NormHeightTex_A = \"brick_n\", RoughMetAoPorTex_A = { constant = [0.8, 0, 1, 0] }, \
    ModulateTexture = \"modulate\", TriPlanarModulateTexture = \"modulate\"";
const PLOT: &str = "DiffAlphaTex_A = \"sand\", NormHeightTex_A = \"asphalt_n\", RoughMetAoPorTex_A = { constant = [0.85, 0, 1, 0] }, \
    AoWetBlendContextTex = \"occlusion\", ModulateTexture = \"modulate\", ModulateTexture_PavementCorner = \"modulate\"";

pub const SWATCHES: &[Swatch] = &[
    swatch("uber_asset_animated", "_Animate_AnimOscillate", "brick with squares of bare metal", "", BOAT, BallAndTile),
    swatch(
        "uber_asset_animated",
        "_AlphaTest_AnimOscillate",
        "a leaf cut out by alpha",
        "",
        "DiffuseATexture = \"leaf\", NormalATexture = \"leaf_n\"",
        BallAndTile,
    ),
    swatch(
        "anim_ledflipbookpanel",
        "_Standard",
        "glowing digits of round LEDs; time picks the frame",
        "XFrames = 2, YFrames = 2, FramesPerSecond = 4, OffsetMultiplier = 1, Brightness = 6, MaskUVTiling = [12, 12], RoughnessBoard = 0.9, RoughnessLED = 0.3",
        "FlipbookTexture = \"flipbook\", MaskTexture = \"led_dots\"",
        BallAndTile,
    ),
    swatch("environment", "_Standard", "brick", "", WALL, BallAndTile),
    swatch("environment", "_Standard_M", "brick, shiny in blotches", "_RoughnessStrength = 2", WALL, BallAndTile),
    swatch(
        "environment",
        "_Standard_D",
        "brick under glossy deposits",
        "DepositRoughness = 0.1, DepositMask = 0.8",
        WALL,
        BallAndTile,
    ),
    swatch("environment", "_Standard_ST", "brick, tinted green", "SwatchTint = [0.35, 0.8, 0.4]", WALL, BallAndTile),
    swatch(
        "environment",
        "_Standard_AlphaTest",
        "a leaf cut out by alpha",
        "",
        "DiffAlphaTex_A = \"leaf\", NormHeightTex_A = \"leaf_n\"",
        BallAndTile,
    ),
    swatch(
        "environment",
        "_StandardRCSM_ShadowsTriPlanar_ST_TPNAO_D",
        "brick, blotched roughness from two maps",
        "TriPlanarModulateStrength = 1.5, SwatchTint = [1, 0.9, 0.6]",
        WALL,
        BallAndTile,
    ),
    swatch("environment_plot", "_Standard", "sand", "", PLOT, BallAndTile),
    swatch(
        "environment_plot",
        "_Standard_M",
        "sand, bright and dull in blotches; the tile has the corner's map",
        "_BrightnessStrength = 1.5, _SaturationStrength = 1.5, ModulateUVTiling_PavementCorner = [3, 3]",
        PLOT,
        BallAndTile,
    ),
    swatch(
        "environment_plot",
        "_Standard_M_AlphaTest",
        "a leaf with blotches of the world plane",
        "WorldSpaceUV_Modulate = true, WorldSpaceUVTiling_Modulate = [1.5, 1.5]",
        "DiffAlphaTex_A = \"leaf\", NormHeightTex_A = \"leaf_n\", ModulateTexture = \"modulate\", RoughMetAoPorTex_A = { constant = [0.7, 0, 1, 0] }",
        BallAndTile,
    ),
];
