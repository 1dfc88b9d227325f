//! KHR_lights_punctual: point, spot and directional lights; they shine along their local −Z.

use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::error::{Checked, Fault};
use super::json;

/// A punctual light at its node. The node's scale has no effect on it.
#[derive(Clone, Debug, PartialEq)]
pub struct LightDef {
    /// The light's own name, else its node's.
    pub name: Arc<str>,
    pub kind: LightKind,
    /// Colour times intensity, linear Rec.709: cd (counted as W/sr) for point and spot, lux (W/m²) for directional lights.
    pub intensity: [f64; 3],
    /// Metres; `None`: unlimited. A hint that glTF lets renderers ignore.
    pub range: Option<f64>,
    /// Light to scene frame.
    pub transform: DAffine3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    Directional,
    Point,
    /// Half angles, radians: full intensity inside `inner`, none outside `outer`; 0 ≤ inner < outer ≤ π/2.
    Spot {
        inner: f64,
        outer: f64,
    },
}

impl LightDef {
    /// Where it is, scene frame, metres.
    pub fn position(&self) -> DVec3 {
        self.transform.translation
    }

    /// Which way it shines, scene frame, unit; straight down where a zero scale leaves no direction.
    pub fn direction(&self) -> DVec3 {
        self.transform.transform_vector3(-DVec3::Z).try_normalize().unwrap_or(-DVec3::Y)
    }
}

/// What [`read`] finds: the light without its node.
pub(super) struct Bare {
    pub kind: LightKind,
    pub intensity: [f64; 3],
    pub range: Option<f64>,
}

pub(super) fn read(light: &json::Light, index: usize) -> Checked<Bare> {
    let at = format!("/extensions/KHR_lights_punctual/lights/{index}");
    let strength = light.intensity.unwrap_or(1.0);
    let intensity = light.color.unwrap_or([1.0; 3]).map(|channel| channel * strength);
    if intensity.iter().any(|channel| *channel < 0.0 || *channel > f64::from(f32::MAX)) {
        return Err(Fault::new(&at, format!("color × intensity is {intensity:?}; allowed: 0 or more")));
    }
    let kind = match light.kind.as_str() {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => spot(light.spot.as_ref(), &at)?,
        other => {
            let message = format!("light type \"{other}\" is unknown; allowed: \"directional\", \"point\", \"spot\"");
            return Err(Fault::new(format!("{at}/type"), message));
        }
    };
    Ok(Bare { kind, intensity, range: light.range })
}

fn spot(spot: Option<&json::Spot>, at: &str) -> Checked<LightKind> {
    let inner = spot.and_then(|spot| spot.inner_cone_angle).unwrap_or(0.0);
    let outer = spot.and_then(|spot| spot.outer_cone_angle).unwrap_or(std::f64::consts::FRAC_PI_4);
    // A hair above π/2: exporters write float32.
    match 0.0 <= inner && inner < outer && outer <= std::f64::consts::FRAC_PI_2 + 1e-6 {
        true => Ok(LightKind::Spot { inner, outer }),
        false => {
            let message = format!("cone angles {inner} and {outer}; allowed: 0 ≤ inner < outer ≤ π/2");
            Err(Fault::new(format!("{at}/spot"), message))
        }
    }
}
