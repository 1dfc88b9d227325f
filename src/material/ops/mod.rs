//! Formulas that two families or more share, named as the documentation names them. All arithmetic is float32.

pub mod color;
pub mod cutout;
pub mod dither;
pub mod emissive;
pub mod height_blend;
pub mod mad;
pub mod math;
pub mod modulate;
pub mod normal;
pub mod occlusion;
pub mod overlay;
pub mod rock;
pub mod view;
