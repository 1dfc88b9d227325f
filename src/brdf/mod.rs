//! (brdf)
