//! Thresholds: how one family-wise error rate is shared out.

use super::region::Pyramid;
use super::{Settings, law};

/// Thresholds of regions grow by this where test and reference cannot be swapped.
pub const UNEQUAL: f64 = 1.5;

/// Degrees of freedom that each one of a pixel's own is worth once its error is pooled with its 5×5 neighbourhood: 25
/// pixels, counted as 3 because neighbours are not alike and batch means not normal. Measured: with 5, the largest of
/// 900 pairs' residuals came to 0.98 of the threshold.
const POOLING: f64 = 3.0;

/// Batches where nothing is said of them.
const UNKNOWN_BATCHES: u32 = 4;

/// Batches a side below which an error says too little to be pooled.
const FEW_BATCHES: u32 = 4;

/// Thresholds, fixed before the first row.
pub struct Limits {
    /// In standard errors.
    pub pixel: f64,
    /// Tiles, groups, whole.
    pub regions: [f64; 3],
    pub tested: [u64; 3],
    pub exchangeable: bool,
}

impl Limits {
    pub fn new(width: u32, height: u32, channels: usize, settings: &Settings) -> Self {
        let rate = settings.family_wise_error.clamp(1e-12, 0.5);
        let values = f64::from(width) * f64::from(height) * channels as f64;
        let batches = settings.batches.map(|b| b.unwrap_or(UNKNOWN_BATCHES));
        // Of unequal errors the worse known one decides (Welch): its degrees alone are sure.
        let own = match batches {
            [a, b] if a == b => 2 * a.saturating_sub(1),
            [a, b] => batches.into_iter().filter(|b| *b > 0).min().unwrap_or(a.max(b)).saturating_sub(1),
        };
        let pooling = if batches.iter().any(|b| (1..FEW_BATCHES).contains(b)) { 1.0 } else { POOLING };
        let tested = Pyramid::regions(width, height, channels);
        let wider = if settings.exchangeable { 1.0 } else { UNEQUAL };
        Self {
            pixel: law::student(rate / 2.0 / values, pooling * f64::from(own.max(1))),
            // Two statistics a region.
            regions: tested.map(|count| wider * law::sign_bound(rate / 6.0 / (2.0 * count as f64))),
            tested,
            exchangeable: settings.exchangeable,
        }
    }
}
