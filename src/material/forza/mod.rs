//! Families of the first engine (documentation 000 and 001), one a file.

pub mod anim_ledflipbookpanel;
pub mod uber_asset_animated;
pub mod uber_rock;
pub mod uber_rock_array;
