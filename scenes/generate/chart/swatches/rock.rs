//! Rock: layers of a texture array, moss, blotches, micro normals.

use super::Display::{BallAndTile, Varied};
use super::{Swatch, swatch};

const ARRAY: &str = "MacroDiffuse = \"stone\", MacroNormal = \"stone_n\", MacroAO = \"occlusion\", Mid_Variation_Mask = \"masks\", \
    MidDiffuse_A = \"brick\", MidNormal_A = \"brick_n\", MidDiffuse_B = \"stone\", MidNormal_B = \"stone_n\", \
    MidDiffuse_C = \"sand\", MidNormal_C = \"asphalt_n\", MidDiffuse_D = \"stone\", MidNormal_D = \"stone_n\", \
    MidDiffuse_E = \"brick\", MidNormal_E = \"brick_n\", UpSimpleDiffuse = \"moss\", UpSimpleExtras = { constant = [0.95, 0, 1, 1] }, \
    UpSimpleNormal = \"moss_n\", MicroNormalATexture = \"stone_n\", MicroNormalBTexture = \"asphalt_n\", ModulateTexture = \"blotches\"";
const ROCK: &str = "DiffuseA = \"stone\", NormalA = \"stone_n\", AOA = \"occlusion\", DiffuseC = \"moss\", NormalC = \"moss_n\", \
    MicroNormal = \"asphalt_n\", Micro2Normal = \"brick_n\", ModulateTexture = \"blotches\"";

pub const SWATCHES: &[Swatch] = &[
    swatch(
        "uber_rock_array",
        "_Array_Micro_Spline",
        "layers picked left to right by the mask; micro of two maps",
        "",
        ARRAY,
        BallAndTile,
    ),
    swatch(
        "uber_rock_array",
        "_Array_Micro_Up_Modulate_USU",
        "moss on what looks up; blotches",
        "ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ARRAY,
        Varied,
    ),
    swatch(
        "uber_rock_array",
        "_Array_Up_Modulate_USU",
        "the same without micro; soft layer blend",
        "UpMaskMegaHeightStrength = 0.4, ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ARRAY,
        Varied,
    ),
    swatch(
        "uber_rock_array",
        "_Array_Up_Modulate_USU_Moss",
        "the first layer is taken for moss: its AO, no blotches there",
        "ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ARRAY,
        Varied,
    ),
    swatch(
        "uber_rock_array",
        "_Array_Micro_Up_Modulate_USU_Moss",
        "all parts",
        "NormalScale_MacroMidUpTextureSet_MacroMidUpBlendedTextureSet = 0.5, ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ARRAY,
        Varied,
    ),
    swatch(
        "uber_rock",
        "_diff1_simple_Modulate_Spline",
        "one texture set, blotches",
        "ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ROCK,
        Varied,
    ),
    swatch(
        "uber_rock",
        "_diff1_simple_Modulate_Upshader",
        "moss on top; blotches on the rock alone",
        "ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ROCK,
        Varied,
    ),
    swatch("uber_rock", "_diff1_simple_Upshader", "moss on top", "", ROCK, BallAndTile),
    swatch("uber_rock", "_diff1_simple_Frost", "plain rock: frost writes nothing", "", ROCK, BallAndTile),
    swatch(
        "uber_rock",
        "_Micro2_Modulate_UpShader",
        "two micro maps by vertex alpha, moss on top",
        "MicroUVTiling = [2, 2], ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ROCK,
        Varied,
    ),
    swatch(
        "uber_rock",
        "_Micro1_Modulate",
        "dark and grey below its tide mark",
        "TideMarkAOEffect = -0.26, DarkenAmount = 0.25, SaturationAmount = -0.8, Blend = 0.2, ModulateConstants_B = [0, 1, 0], ModulateConstants_sA = 0.7, ModulateConstants_sB = 0.7",
        ROCK,
        Varied,
    ),
    swatch("uber_rock", "_Micro1", "one micro map: fine grain", "MicroUVTiling = [2, 2]", ROCK, BallAndTile),
];
