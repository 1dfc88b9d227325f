//! What a comparison is asked for.

use super::limits::Limits;

/// Limits, and what to measure beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub limits: Limits,
    /// Measure ꟻLIP and SSIM of the beauty though no limit asks for them.
    pub perceptual: bool,
    /// Keep maps of the ꟻLIP error for a report that shows them.
    pub keep_maps: bool,
}
