//! The film: per-pixel sums, the AOV table, EXR files.

pub mod sample;
