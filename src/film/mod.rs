//! The film: per-pixel sums, the AOV table, EXR files.

pub mod filter;
pub mod sample;
