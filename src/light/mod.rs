//! (light)
