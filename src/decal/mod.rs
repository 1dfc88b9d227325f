//! (decal)
