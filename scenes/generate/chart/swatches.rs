//! What hangs on the chart: every family, and its main switches.

/// One place of the chart.
pub struct Swatch {
    pub family: &'static str,
    pub permutation: &'static str,
    /// What a reader should see.
    pub shows: &'static str,
    /// Inside of the TOML table `parameters`.
    pub parameters: &'static str,
    /// Inside of the TOML table `textures`.
    pub textures: &'static str,
    pub display: Display,
}

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// A ball and a tile that leans back.
    BallAndTile,
    /// The same, with the bytes of a placement record: modulate strength, tide height, night light.
    Varied,
    /// Three crossing leaf cards, and the tile.
    Cards,
    /// A ball and a pane before a striped board.
    Glass,
    /// A card that faces the camera, and one that is turned away.
    Impostor,
    /// A waving cloth.
    Flag,
    /// Low hills: normals are those of a world seen from above.
    Land,
    /// Wires, and the tile.
    Wires,
    /// A strip above a plate of asphalt, 10 mm.
    RoadDecal,
    /// A quad above a plate of brick, 2 mm.
    MeshDecal,
}

use Display::{BallAndTile, Cards, Flag, Glass, Impostor, Land, MeshDecal, RoadDecal, Varied, Wires};

const fn swatch(
    family: &'static str,
    permutation: &'static str,
    shows: &'static str,
    parameters: &'static str,
    textures: &'static str,
    display: Display,
) -> Swatch {
    Swatch { family, permutation, shows, parameters, textures, display }
}

const ARRAY: &str = "MacroDiffuse = \"stone\", MacroNormal = \"stone_n\", MacroAO = \"occlusion\", Mid_Variation_Mask = \"masks\", \
    MidDiffuse_A = \"brick\", MidNormal_A = \"brick_n\", MidDiffuse_B = \"stone\", MidNormal_B = \"stone_n\", \
    MidDiffuse_C = \"sand\", MidNormal_C = \"asphalt_n\", MidDiffuse_D = \"stone\", MidNormal_D = \"stone_n\", \
    MidDiffuse_E = \"brick\", MidNormal_E = \"brick_n\", UpSimpleDiffuse = \"moss\", UpSimpleExtras = { constant = [0.95, 0, 1, 1] }, \
    UpSimpleNormal = \"moss_n\", MicroNormalATexture = \"stone_n\", MicroNormalBTexture = \"asphalt_n\", ModulateTexture = \"blotches\"";
const ROCK: &str = "DiffuseA = \"stone\", NormalA = \"stone_n\", AOA = \"occlusion\", DiffuseC = \"moss\", NormalC = \"moss_n\", \
    MicroNormal = \"asphalt_n\", Micro2Normal = \"brick_n\", ModulateTexture = \"blotches\"";
const BOAT: &str = "DiffuseATexture = \"brick\", NormalATexture = \"brick_n\", RoughnessMetalnessATexture = \"metal_rma\", AOTexture = \"occlusion\"";
const WALL: &str = "DiffAlphaTex_A = \"brick\", NormHeightTex_A = \"brick_n\", RoughMetAoPorTex_A = { constant = [0.8, 0, 1, 0] }, \
    ModulateTexture = \"modulate\", TriPlanarModulateTexture = \"modulate\"";
const PLOT: &str = "DiffAlphaTex_A = \"sand\", NormHeightTex_A = \"asphalt_n\", RoughMetAoPorTex_A = { constant = [0.85, 0, 1, 0] }, \
    AoWetBlendContextTex = \"occlusion\", ModulateTexture = \"modulate\", ModulateTexture_PavementCorner = \"modulate\"";
const LEAF: &str = "DiffuseTexture = \"leaf\", NormalTexture = \"leaf_n\", RTAOTexture = \"occlusion\"";
const ROAD: &str = "BlendTexture = \"masks\", ModulateTexture = \"modulate\", \
    UberRoadADiffuseTexture = \"asphalt\", UberRoadANormalTexture = \"asphalt_n\", UberRoadBDiffuseTexture = \"sand\", UberRoadBNormalTexture = \"asphalt_n\", \
    UberRoadCDiffuseTexture = \"moss\", UberRoadCNormalTexture = \"moss_n\", UberRoadDDiffuseTexture = \"brick\", UberRoadDNormalTexture = \"brick_n\"";
const ROAD_TINTED: &str = "TintTexture = { constant = [0.55, 0.5, 0.42, 0.8] }, BlendTexture = \"masks\", ModulateTexture = \"stone_n\", \
    UberRoadADiffuseTexture = \"asphalt\", UberRoadANormalTexture = \"asphalt_n\", UberRoadBDiffuseTexture = \"sand\", UberRoadBNormalTexture = \"asphalt_n\", \
    UberRoadCDiffuseTexture = \"moss\", UberRoadCNormalTexture = \"moss_n\"";
const LINE: &str = "DecalDiffuseATexture = { constant = [0.75, 0.73, 0.68, 0.6] }, DecalMaskATexture = \"worn_line\", DecalNormalA = \"asphalt_n\"";
const FLAG: &str = "DiffuseATexture = \"flags\", RoughnessMetalnessATexture = { constant = [0.85, 0, 0, 1] }, NormalAnimTexture = \"creases_n\"";
const FACADE: &str = "DiffuseATexture = \"facade\", RoughnessMetalnessATexture = { constant = [0.35, 0, 0, 1] }, NormalATexture = \"asphalt_n\", \
    BakedVCTexture = \"facade_vc\", \
    SwatchTintTexture = { file = \"palette.png\", colour_space = \"srgb\", address = \"clamp\" }, EmissiveTexture = \"facade_lit\"";
const LAND: &str =
    "TerrainColourTexture = \"slopes\", TerrainNormalTexture = \"land\", TerrainGlossTexture = \"gloss\"";
const LOD: &str = "DiffuseATexture = \"stone\", NormalATexture = \"stone_n\", RoughnessMetalnessATexture = { constant = [0.7, 0, 0, 1] }, EmissiveTexture = \"facade_lit\"";
const BADGE: &str = "DiffAlphaTex = \"badge\", NormalTex = \"badge_n\", RoughMetAOTex = \"badge_rma\"";
const TEX1: &str = "diffuse = \"stone\", normal = \"mad_n\", mask = \"mad_mask\"";
const TEX2: &str =
    "diffuseA = \"brick\", normalA = \"mad_brick_n\", maskA = \"mad_mask\", diffuseB = \"sand\", normalB = \"mad_n\"";

/// Row by row, nine a row.
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
