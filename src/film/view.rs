//! View transforms: linear Rec.709 light → display values, 0..1, for an sRGB monitor.
//!
//! AgX is Troy Sobotka's image formation as `generate_config.py` of github.com/sobotka/SB2383-Configuration-Generation
//! builds it from its published defaults: inset of rotated primaries, log2 over −10…+6.5 stops about 0.18, a sigmoid
//! (by Jed Smith), and the inset undone in light. Middle grey stays middle grey. The matrices are computed here from the
//! chromaticities as there, instead of being copied as digits.

use std::str::FromStr;
use std::sync::OnceLock;

use glam::{DMat2, DMat3, DVec2, DVec3, Vec3};

use crate::suggest;

/// How light becomes display values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// AgX: compresses highlights, colours go to white gracefully. For looking at.
    #[default]
    Agx,
    /// The sRGB transfer function alone; everything above 1 is cut. For comparing values.
    Srgb,
}

const VIEWS: [(&str, View); 2] = [("agx", View::Agx), ("srgb", View::Srgb)];

impl FromStr for View {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let found = VIEWS.iter().find(|(allowed, _)| *allowed == name).map(|(_, view)| *view);
        found.ok_or_else(|| suggest::unknown("view", name, VIEWS.iter().map(|(allowed, _)| *allowed)))
    }
}

impl View {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        VIEWS.iter().find(|(_, view)| *view == self).map_or("", |(name, _)| name)
    }

    /// Display values of linear Rec.709 light, each 0..1. What is not a number shows as black.
    pub fn apply(self, light: Vec3) -> Vec3 {
        // The upper bound keeps infinities out of the matrices.
        let light = light.to_array().map(|v| if v.is_nan() { 0.0 } else { f64::from(v.clamp(0.0, 1e12)) });
        let display = match self {
            Self::Agx => Agx::get().apply(DVec3::from_array(light)),
            Self::Srgb => DVec3::from_array(light.map(srgb_encode)),
        };
        display.clamp(DVec3::ZERO, DVec3::ONE).as_vec3()
    }
}

/// IEC 61966-2-1, section 5.2: linear → encoded.
fn srgb_encode(v: f64) -> f64 {
    match v <= 0.003_130_8 {
        true => 12.92 * v,
        false => 1.055 * v.powf(1.0 / 2.4) - 0.055,
    }
}

/// Exposure range about middle grey, stops.
const STOPS: (f64, f64) = (-10.0, 6.5);
const MIDDLE_GREY: f64 = 0.18;
/// Exponent of the display's transfer function.
const DISPLAY: f64 = 2.2;
/// Slope of the sigmoid at its pivot, and the power that shapes its toe and shoulder.
const SLOPE: f64 = 2.4;
const POWER: f64 = 1.5;
/// Turn of the red, green and blue primary about the white point, degrees counter-clockwise.
const ROTATE: [f64; 3] = [4.5, -0.5, -2.0];
/// How far each primary then moves toward the white point.
const INSET: [f64; 3] = [0.15, 0.10, 0.10];

/// Rec. ITU-R BT.709-6: chromaticities of the primaries and of the white point.
const PRIMARIES: [DVec2; 3] = [DVec2::new(0.64, 0.33), DVec2::new(0.30, 0.60), DVec2::new(0.15, 0.06)];
const WHITE: DVec2 = DVec2::new(0.3127, 0.3290);

/// The two matrices of AgX.
struct Agx {
    inset: DMat3,
    outset: DMat3,
}

impl Agx {
    fn get() -> &'static Self {
        static AGX: OnceLock<Agx> = OnceLock::new();
        AGX.get_or_init(|| {
            let moved = |i: usize| WHITE + (edge_point(rotated(PRIMARIES[i], ROTATE[i])) - WHITE) * (1.0 - INSET[i]);
            let inset = rgb_to_xyz(PRIMARIES).inverse() * rgb_to_xyz([moved(0), moved(1), moved(2)]);
            Self { inset, outset: inset.inverse() }
        })
    }

    fn apply(&self, light: DVec3) -> DVec3 {
        let formed = (self.inset * light).to_array().map(|v| sigmoid(normalised_log2(v)).powf(DISPLAY));
        let display = self.outset * DVec3::from_array(formed);
        display.max(DVec3::ZERO).powf(1.0 / DISPLAY)
    }
}

fn normalised_log2(v: f64) -> f64 {
    let stops = (v / MIDDLE_GREY).max(f64::MIN_POSITIVE).log2();
    ((stops - STOPS.0) / (STOPS.1 - STOPS.0)).clamp(0.0, 1.0)
}

/// Through (0, 0), the pivot (middle grey in and out) with the stated slope, and (1, 1).
fn sigmoid(x: f64) -> f64 {
    let pivot_x = -STOPS.0 / (STOPS.1 - STOPS.0);
    let pivot_y = MIDDLE_GREY.powf(1.0 / DISPLAY);
    let half = |to_x: f64, to_y: f64, distance: f64| {
        let run = (SLOPE * to_x / to_y).powf(POWER) - 1.0;
        let scale = ((SLOPE * to_x).powf(-POWER) * run).powf(-1.0 / POWER);
        let term = SLOPE * distance / scale;
        scale * term / (1.0 + term.powf(POWER)).powf(1.0 / POWER)
    };
    match x >= pivot_x {
        true => pivot_y + half(1.0 - pivot_x, 1.0 - pivot_y, x - pivot_x),
        false => (pivot_y - half(pivot_x, pivot_y, pivot_x - x)).max(0.0),
    }
}

fn rotated(primary: DVec2, degrees: f64) -> DVec2 {
    WHITE + DMat2::from_angle(degrees.to_radians()) * (primary - WHITE)
}

/// Where the ray from the white point through `towards` leaves the triangle of the primaries.
fn edge_point(towards: DVec2) -> DVec2 {
    let direction = towards - WHITE;
    let crossing = |i: usize| {
        let (a, edge) = (PRIMARIES[i], PRIMARIES[(i + 1) % 3] - PRIMARIES[i]);
        let solution = DMat2::from_cols(direction, -edge).inverse() * (a - WHITE);
        (solution.x > 0.0 && (-1e-12..=1.0 + 1e-12).contains(&solution.y)).then_some(solution.x)
    };
    let nearest = (0..3).filter_map(crossing).fold(f64::INFINITY, f64::min);
    WHITE + direction * nearest
}

/// SMPTE RP 177-1993, section 3.3: the matrix that takes RGB (1, 1, 1) to the white point.
fn rgb_to_xyz(primaries: [DVec2; 3]) -> DMat3 {
    let xyz = |p: DVec2| DVec3::new(p.x / p.y, 1.0, (1.0 - p.x - p.y) / p.y);
    let columns = DMat3::from_cols(xyz(primaries[0]), xyz(primaries[1]), xyz(primaries[2]));
    columns * DMat3::from_diagonal(columns.inverse() * xyz(WHITE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with NumPy from the same published parameters, by a script of its own.
    #[test]
    fn agx_has_the_published_values() {
        let cases = [
            ([0.18, 0.18, 0.18], [0.4586564, 0.4586564, 0.4586564]),
            ([1.0, 1.0, 1.0], [0.7596555, 0.7596555, 0.7596555]),
            ([1.0, 0.0, 0.0], [0.7774169, 0.2154172, 0.1160132]),
            ([0.0, 0.0, 4.0], [0.3940431, 0.5896811, 0.9232921]),
            ([0.02, 0.5, 3.0], [0.3850208, 0.7103277, 0.8941675]),
            ([0.9, 0.4, 0.1], [0.7526881, 0.6295272, 0.3722868]),
        ];
        for (light, expected) in cases {
            let difference = View::Agx.apply(Vec3::from_array(light)) - Vec3::from_array(expected);
            assert!(difference.abs().max_element() < 2e-6, "{light:?}: {difference}");
        }
    }

    #[test]
    fn agx_keeps_middle_grey_black_and_white() {
        assert_eq!(View::Agx.apply(Vec3::ZERO), Vec3::ZERO);
        assert!((View::Agx.apply(Vec3::splat(1000.0)) - Vec3::ONE).abs().max_element() < 1e-6);
        let grey = View::Agx.apply(Vec3::splat(0.18)).x.powf(2.2);
        assert!((grey - 0.18).abs() < 1e-6);
    }

    #[test]
    fn agx_is_monotonic_over_its_range() {
        let ramp: Vec<f32> = (-120..80).map(|i| View::Agx.apply(Vec3::splat((i as f32 / 10.0).exp2())).x).collect();
        assert!(ramp.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn srgb_is_the_standard_curve_and_cuts() {
        let display = View::Srgb.apply(Vec3::new(0.002, 0.5, 7.0));
        assert!((display - Vec3::new(0.02584, 0.735_357, 1.0)).abs().max_element() < 1e-5, "{display}");
    }

    #[test]
    fn what_is_not_a_number_is_black_and_infinities_are_white() {
        for view in [View::Agx, View::Srgb] {
            assert_eq!(view.apply(Vec3::splat(f32::NAN)), Vec3::ZERO);
            assert!((view.apply(Vec3::splat(f32::INFINITY)) - Vec3::ONE).abs().max_element() < 1e-6);
            assert_eq!(view.apply(Vec3::splat(f32::NEG_INFINITY)), Vec3::ZERO);
        }
    }

    #[test]
    fn names_are_read() {
        assert_eq!("srgb".parse(), Ok(View::Srgb));
        assert!("AgXX".parse::<View>().unwrap_err().contains("did you mean \"agx\"?"));
    }
}
