//! What hangs on the chart: every family, and its main switches.

mod built;
mod decals;
mod land;
mod mad;
mod plants;
mod roads;
mod rock;
mod things;

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
    /// A box around a plate of brick with half a ball in it.
    Projected,
}

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

/// Row by row, nine a row.
pub fn all() -> Vec<&'static Swatch> {
    let groups = [
        rock::SWATCHES,
        built::SWATCHES,
        plants::SWATCHES,
        roads::SWATCHES,
        things::SWATCHES,
        land::SWATCHES,
        decals::SWATCHES,
        mad::SWATCHES,
    ];
    groups.into_iter().flatten().collect()
}
