//! Families of the first engine (documentation 000 and 001), one a file.

pub mod anim_flag;
pub mod anim_ledflipbookpanel;
pub mod diff1;
pub mod emissiveonly;
pub mod environment;
pub mod environment_plot;
pub mod environmentdeferreddecal;
pub mod glass;
mod impostor;
pub mod ocean;
pub mod ocean_shoreline;
pub mod projection_lod;
pub mod pylon_cables;
mod road_layer;
mod roaddecal;
pub mod snow;
pub mod terr_distant;
pub mod terr_mega;
mod terrain;
#[cfg(test)]
mod testing;
pub mod uber_asset_animated;
pub mod uber_branch;
pub mod uber_foliage;
pub mod uber_road;
pub mod uber_roaddecal;
pub mod uber_roaddecalretro;
pub mod uber_rock;
pub mod uber_rock_array;
pub mod uber_water;
pub mod uberlod;
mod water;
