//! The sRGB transfer function (IEC 61966-2-1) and the tables that turn stored bytes into values.

use std::sync::LazyLock;

use super::Transfer;

/// What each of the 256 bytes stands for.
pub(super) type Table = [f32; 256];

static UNORM: LazyLock<Table> = LazyLock::new(|| std::array::from_fn(|byte| byte as f32 / 255.0));
static SNORM: LazyLock<Table> = LazyLock::new(|| std::array::from_fn(|byte| snorm8(byte as u8)));
static SRGB: LazyLock<Table> = LazyLock::new(|| std::array::from_fn(|byte| decode(byte as f64 / 255.0) as f32));

/// The sRGB-encoded `value` made linear. Values above 1 follow the same curve, negative ones its mirror image.
fn decode(value: f64) -> f64 {
    let magnitude = value.abs();
    let linear = match magnitude <= 0.04045 {
        true => magnitude / 12.92,
        false => ((magnitude + 0.055) / 1.055).powf(2.4),
    };
    linear.copysign(value)
}

/// A signed byte: v / 127, and −128 counts as −127.
fn snorm8(byte: u8) -> f32 {
    (f32::from(byte as i8) / 127.0).max(-1.0)
}

impl Transfer {
    /// The encoded `value` made linear.
    pub fn decode(self, value: f32) -> f32 {
        match self {
            Self::Srgb => decode(f64::from(value)) as f32,
            Self::Linear => value,
        }
    }

    /// The values of unsigned bytes.
    pub(super) fn table(self) -> &'static Table {
        match self {
            Self::Srgb => &SRGB,
            Self::Linear => &UNORM,
        }
    }
}

/// The values of signed bytes.
pub(super) fn snorm_table() -> &'static Table {
    &SNORM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_exact_quotients() {
        for byte in 0..=255u8 {
            assert_eq!(Transfer::Linear.table()[usize::from(byte)], f32::from(byte) / 255.0);
        }
        assert_eq!(snorm_table()[0x80], -1.0);
        assert_eq!(snorm_table()[0x81], -1.0);
        assert_eq!(snorm_table()[0x7f], 1.0);
        assert_eq!(snorm_table()[0xff], -1.0 / 127.0);
    }

    #[test]
    fn srgb_has_both_branches() {
        // 10/255 is below the joint 0.04045, 11/255 above; 188 is the well-known half of linear light.
        assert!((Transfer::Srgb.table()[10] - 10.0 / 255.0 / 12.92).abs() < 1e-9);
        assert!((Transfer::Srgb.table()[11] - 0.003_346_536).abs() < 1e-8);
        assert!((Transfer::Srgb.table()[188] - 0.502_886_5).abs() < 1e-6);
        assert_eq!(Transfer::Srgb.table()[255], 1.0);
        assert_eq!(Transfer::Srgb.decode(-1.0), -1.0);
    }
}
