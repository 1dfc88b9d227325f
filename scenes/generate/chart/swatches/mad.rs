//! The car and prop shaders (MAD).

use super::Display::BallAndTile;
use super::{Swatch, swatch};

const TEX1: &str = "diffuse = \"stone\", normal = \"mad_n\", mask = \"mad_mask\"";
const TEX2: &str =
    "diffuseA = \"brick\", normalA = \"mad_brick_n\", maskA = \"mad_mask\", diffuseB = \"sand\", normalB = \"mad_n\"";

pub const SWATCHES: &[Swatch] = &[
    swatch("MAD_Fake", "", "a leaf cut out by alpha", "", "albedo = \"leaf\", normal = \"mad_n\"", BallAndTile),
    swatch(
        "MAD_Tex1",
        "",
        "stone with metal stripes, hue shifted in bands",
        "Hue = 0.45, Saturation = 0.4",
        TEX1,
        BallAndTile,
    ),
    swatch(
        "MAD_Tex1_Wind",
        "",
        "the same with plain roughness, tiled by its uv rows",
        "Hue = 0.45, Saturation = 0.4, UVRow0 = [2, 0, 0], UVRow1 = [0, 2, 0]",
        TEX1,
        BallAndTile,
    ),
    swatch(
        "MAD_Decals1",
        "",
        "a badge cut out by alpha, all tinted",
        "AlphaTest = true, Hue = 0.3",
        "diffuse = \"badge\", normal = \"mad_brick_n\"",
        BallAndTile,
    ),
    swatch(
        "MAD_Tex1_Emissive",
        "",
        "stone with glowing digits",
        "EmissiveScale = 20",
        "diffuse = \"stone\", normal = \"mad_n\", mask = \"mad_mask\", emissiveMask = \"glow\"",
        BallAndTile,
    ),
    swatch(
        "MAD_Tex2",
        "",
        "brick, and sand where vertex alpha is high: to the right",
        "AlphaContrast = 2",
        TEX2,
        BallAndTile,
    ),
    swatch(
        "MAD_Tex2_Graffiti_Mode",
        "",
        "bands painted by the palette of the state",
        "Palette0 = [0.9, 0.1, 0.6, 0.9]",
        TEX2,
        BallAndTile,
    ),
    swatch(
        "MAD_Tex2_TintBFromShaderConstants",
        "",
        "the sand takes the neutral constants' tint",
        "HueNeutral = 0.5, SaturationNeutral = 0.3",
        TEX2,
        BallAndTile,
    ),
    swatch(
        "Classic",
        "",
        "cloth with a badge and glowing digits",
        "EmissiveScale = 3",
        "BaseColor = \"sand\", Normal = \"mad_brick_n\", Mask = \"glow\", Decal = \"badge\"",
        BallAndTile,
    ),
    swatch(
        "5Zones",
        "",
        "five colours in hard zones, the third of metal",
        "Zone1Colour = [0.7, 0.1, 0.1], Zone2Colour = [0.1, 0.5, 0.15], Zone3Colour = [0.8, 0.6, 0.3], Zone4Colour = [0.1, 0.2, 0.7], Zone5Colour = [0.8, 0.8, 0.8], Zone3Metalness = 1",
        "Mask1 = \"zones\", Mask2 = { constant = [0.5, 0.5, 0, 0.35] }",
        BallAndTile,
    ),
];
