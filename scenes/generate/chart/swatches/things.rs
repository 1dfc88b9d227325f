//! Flags, far facades, glass, snow, lights and cables.

use super::Display::{BallAndTile, Flag, Glass, Varied, Wires};
use super::{Swatch, swatch};

const FLAG: &str = "DiffuseATexture = \"flags\", RoughnessMetalnessATexture = { constant = [0.85, 0, 0, 1] }, NormalAnimTexture = \"creases_n\"";
const FACADE: &str = "DiffuseATexture = \"facade\", RoughnessMetalnessATexture = { constant = [0.35, 0, 0, 1] }, NormalATexture = \"asphalt_n\", \
    BakedVCTexture = \"facade_vc\", \
    SwatchTintTexture = { file = \"palette.png\", colour_space = \"srgb\", address = \"clamp\" }, EmissiveTexture = \"facade_lit\"";

pub const SWATCHES: &[Swatch] = &[
    swatch(
        "anim_flag",
        "_Standard",
        "a creased checkered flag, first of the atlas",
        "NormalAnimUVTiling = [2, 2]",
        FLAG,
        Flag,
    ),
    swatch(
        "anim_flag",
        "_AlphaTest",
        "a tricolour with a cut tail, second of the atlas",
        "DiffuseUVOffset = [0.5, 0], NormalAnimUVTiling = [2, 2], NormalAnimScroll = [0.3, 0]",
        FLAG,
        Flag,
    ),
    swatch("projection_lod", "_RM", "a facade whose upper half takes the swatch colour", "", FACADE, Varied),
    swatch(
        "projection_lod",
        "_RM_E_HiQ_AlphaTest",
        "a quarter of the atlas, some windows lit",
        "UVOutMinMax = [0, 0, 0.5, 0.5], EmissiveTextureScale = 2, EmissiveVariationMax = 0.001",
        FACADE,
        Varied,
    ),
    swatch(
        "glass",
        "_Standard",
        "reddish glass: the complement of its tint passes",
        "TintColor = [0.1, 0.8, 0.9]",
        "",
        Glass,
    ),
    swatch("glass", "_BCT", "a badge in glass", "", "BaseColour = \"badge\"", Glass),
    swatch("glass", "_BCT_ATT", "the badge cut out", "", "BaseColour = \"badge\"", Glass),
    swatch(
        "glass",
        "_Standard_M",
        "cloudy, wavy, rough in blotches",
        "Cloudyness = 0.5, RoughnessTexOnOff = true, NormalTexOnOff = true, _RoughnessStrength = 2",
        "RoughnessTexture = { constant = [0.25, 0, 0, 1] }, NormalTexture = \"stone_n\", ModulateTexture = \"modulate\"",
        Glass,
    ),
    swatch(
        "snow",
        "",
        "white, dimpled",
        "UVTiling = [2, 2]",
        "BaseColor = { constant = [0.85, 0.87, 0.9, 1] }, RoughMetalAO = { constant = [0.6, 0, 1, 1] }, NormalTexture = \"raw_n\"",
        BallAndTile,
    ),
    swatch(
        "emissiveonly",
        "",
        "an even blue glow",
        "Color = [0.15, 0.4, 1.0], EmissiveMultiplier = 0.8",
        "",
        BallAndTile,
    ),
    swatch(
        "pylon_cables",
        "_Standard",
        "black wires with a lit map",
        "Color = [0.6, 0.5, 0.3], LightmapActive = true",
        "Lightmap = \"facade_lit\"",
        Wires,
    ),
    swatch("pylon_cables", "_LineInner", "wires lit as if they faced the camera", "Color = [0.3, 0.3, 0.3]", "", Wires),
];
