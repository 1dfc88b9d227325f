//! Families of the second engine (documentation 004), one a file.

pub mod classic;
pub mod five_zones;
pub mod mad_decals1;
pub mod mad_fake;
pub mod mad_tex1;
pub mod mad_tex1_emissive;
pub mod mad_tex1_wind;
pub mod mad_tex2;
pub mod mad_tex2_graffiti_mode;
pub mod mad_tex2_tintbfromshaderconstants;
