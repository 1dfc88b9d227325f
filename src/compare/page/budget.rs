//! What the file still has room for.
//!
//! Float values and 8-bit pictures draw on separate shares: a few large AOVs that differ cannot take the pictures away
//! from all that come after them, nor the other way round.

/// Share of the budget that float values may fill.
const VALUES: f64 = 0.6;
/// The values of one AOV take at most this part of what is left of it: so there is always room for smaller ones.
const PART: f64 = 1.0 / 3.0;
/// Windows of one AOV take at most this many bytes: a few tiles of noise.
const WINDOW: f64 = 2e6;
/// Share that pictures of full size may fill; beyond it they are of half size.
const FULL_SIZE: f64 = 0.25;
/// Share that pictures may fill.
const PICTURES: f64 = 0.4;
/// The bytes of a report's pixels, planned and spent.
pub struct Budget {
    limit: f64,
    values: f64,
    pictures: f64,
    windowed: u32,
    halved: u32,
    dropped: u32,
}

/// The size of 8-bit pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    Full,
    Half,
    None,
}

impl Budget {
    pub fn new(limit: u64) -> Self {
        Self { limit: limit as f64, values: 0.0, pictures: 0.0, windowed: 0, halved: 0, dropped: 0 }
    }

    /// Spends the size of a whole AOV, if there is room.
    pub fn whole(&mut self, bytes: usize) -> bool {
        let fits = bytes as f64 <= self.part();
        if fits {
            self.values += bytes as f64;
        }
        fits
    }

    fn part(&self) -> f64 {
        PART * (VALUES * self.limit - self.values).max(0.0)
    }

    /// How many bytes windows of one AOV may take.
    pub fn window(&self) -> usize {
        self.part().min(WINDOW) as usize
    }

    pub fn spend_window(&mut self, bytes: usize) {
        self.values += bytes as f64;
        self.windowed += 1;
    }

    /// How large the next pictures may be.
    pub fn picture_size(&self) -> PictureSize {
        match self.pictures / self.limit {
            share if share < FULL_SIZE => PictureSize::Full,
            share if share < PICTURES => PictureSize::Half,
            _ => PictureSize::None,
        }
    }

    pub fn spend_pictures(&mut self, bytes: usize, size: PictureSize) {
        self.pictures += bytes as f64;
        self.halved += u32::from(size == PictureSize::Half);
        self.dropped += u32::from(size == PictureSize::None);
    }

    /// What did not fit, as the end of a sentence; empty where all did.
    pub fn says(&self) -> String {
        let parts = [
            (self.windowed, "kept values only round their worst pixels"),
            (self.halved, "are shown at half size"),
            (self.dropped, "are not shown"),
        ];
        let told: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} AOVs {what}")).collect();
        if told.is_empty() { String::new() } else { format!(", which was reached: {}", told.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_values_leave_room_for_small_ones_and_for_pictures() {
        let mut budget = Budget::new(1000);
        assert!(budget.whole(200) && !budget.whole(200) && budget.whole(133) && budget.whole(50));
        assert_eq!(budget.window(), 72);
        assert_eq!(budget.picture_size(), PictureSize::Full);
        budget.spend_pictures(300, PictureSize::Full);
        assert_eq!(budget.picture_size(), PictureSize::Half);
        budget.spend_pictures(150, PictureSize::Half);
        assert_eq!(budget.picture_size(), PictureSize::None);
        assert!(budget.says().contains("1 AOVs are shown at half size"));
    }

    #[test]
    fn nothing_fits_in_nothing() {
        let mut budget = Budget::new(0);
        assert!(!budget.whole(1));
        assert_eq!((budget.window(), budget.picture_size()), (0, PictureSize::None));
    }
}
