//! `[sun]`, `[sky]` and `[[lights]]`.

use glam::DVec3;

use super::reader::Reader;

/// `[sun]`.
#[derive(Clone, Debug)]
pub struct SunFile {
    /// Toward the sun, scene frame, unit.
    pub direction: DVec3,
    /// On a surface that faces it, W/m².
    pub irradiance: [f64; 3],
    /// Degrees; 0 = a delta light.
    pub angular_diameter: f64,
    pub group: String,
}

/// `[sky]`.
#[derive(Clone, Debug)]
pub struct SkyFile {
    pub kind: SkyKind,
    pub group: String,
}

/// The sky's model.
#[derive(Clone, Debug)]
pub enum SkyKind {
    Constant {
        radiance: [f64; 3],
    },
    Hosek {
        turbidity: f64,
        ground_albedo: [f64; 3],
        scale: f64,
    },
    /// `rotation` in degrees; positive turns the image's centre from −Z toward +X.
    Image {
        file: String,
        rotation: f64,
        scale: f64,
    },
}

/// One of `[[lights]]`.
#[derive(Clone, Debug)]
pub struct LightFile {
    pub kind: LightKind,
    pub name: String,
    /// Light-group AOV.
    pub group: String,
}

/// The shape of a light. Intensities in W/sr, radiance in W/(m² sr), angles in degrees from the axis.
#[derive(Clone, Debug)]
pub enum LightKind {
    Point { position: DVec3, intensity: [f64; 3] },
    Spot { position: DVec3, direction: DVec3, intensity: [f64; 3], inner: f64, outer: f64 },
    Rectangle { center: DVec3, u: DVec3, v: DVec3, radiance: [f64; 3] },
}

impl SunFile {
    /// Reads `[sun]`; `None` where a required key is missing or wrong (noted).
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let angles = reader.has("elevation") || reader.has("azimuth");
        if angles && reader.has("direction") {
            reader.fault("direction", "give either direction, or elevation and azimuth");
        }
        let direction = match angles {
            true => {
                let elevation = reader.number_in("elevation", -90.0, 90.0);
                let azimuth = reader.number("azimuth").unwrap_or(0.0);
                elevation.map(|elevation| from_angles(elevation, azimuth))
            }
            false => reader.direction("direction").map(DVec3::normalize),
        };
        if direction.is_none() && !reader.has("direction") && !reader.has("elevation") {
            reader.fault("direction", "missing key \"direction\" (or elevation and azimuth, degrees)");
        }
        let irradiance = reader.colour("irradiance");
        if irradiance.is_none() && !reader.has("irradiance") {
            reader.fault("irradiance", "missing key \"irradiance\": expected an array of 3 numbers, W/m²");
        }
        let angular_diameter = reader.number_in("angular_diameter", 0.0, 180.0).unwrap_or(0.53);
        let group = reader.string("group").unwrap_or("sun").to_owned();
        Some(Self { direction: direction?, irradiance: irradiance?, angular_diameter, group })
    }
}

/// Degrees → direction: azimuth 0 looks along −Z and grows toward +X.
fn from_angles(elevation: f64, azimuth: f64) -> DVec3 {
    let (sin_e, cos_e) = elevation.to_radians().sin_cos();
    let (sin_a, cos_a) = azimuth.to_radians().sin_cos();
    DVec3::new(cos_e * sin_a, sin_e, -cos_e * cos_a)
}

impl SkyFile {
    /// Reads `[sky]`.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let word = reader.required("kind", "\"constant\", \"hosek\" or \"image\"", |value| {
            value.as_str().filter(|kind| ["constant", "hosek", "image"].contains(kind))
        })?;
        let kind = match word {
            "constant" => {
                let radiance = reader.required_colour("radiance");
                SkyKind::Constant { radiance: radiance? }
            }
            "hosek" => SkyKind::Hosek {
                turbidity: reader.number_in("turbidity", 1.0, 10.0).unwrap_or(3.0),
                ground_albedo: reader
                    .optional("ground_albedo", "a number or 3 numbers from 0 to 1", albedo)
                    .unwrap_or([0.2; 3]),
                scale: reader.number_in("scale", 0.0, f64::INFINITY).unwrap_or(1.0),
            },
            _ => {
                let file = reader.required_string("file").map(str::to_owned);
                let rotation = reader.number("rotation").unwrap_or(0.0);
                let scale = reader.number_in("scale", 0.0, f64::INFINITY).unwrap_or(1.0);
                SkyKind::Image { file: file?, rotation, scale }
            }
        };
        Some(Self { kind, group: reader.string("group").unwrap_or("sky").to_owned() })
    }
}

fn albedo(value: &serde_json::Value) -> Option<[f64; 3]> {
    let channels = match super::reader::number(value) {
        Some(grey) => [grey; 3],
        None => super::reader::array(value)?,
    };
    channels.iter().all(|channel| (0.0..=1.0).contains(channel)).then_some(channels)
}

impl LightFile {
    /// Reads one of `[[lights]]`.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let word = reader.required("kind", "\"point\", \"spot\" or \"rectangle\"", |value| {
            value.as_str().filter(|kind| ["point", "spot", "rectangle"].contains(kind))
        })?;
        let name = reader.string("name").unwrap_or("").to_owned();
        let group = reader.string("group").unwrap_or("lights").to_owned();
        let kind = match word {
            "point" => Self::point(reader),
            "spot" => Self::spot(reader),
            _ => Self::rectangle(reader),
        };
        Some(Self { kind: kind?, name, group })
    }

    fn point(reader: &mut Reader) -> Option<LightKind> {
        let position = reader.required_array("position").map(DVec3::from_array);
        let intensity = reader.required_colour("intensity");
        Some(LightKind::Point { position: position?, intensity: intensity? })
    }

    fn spot(reader: &mut Reader) -> Option<LightKind> {
        let position = reader.required_array("position").map(DVec3::from_array);
        let intensity = reader.required_colour("intensity");
        let direction = reader.required("direction", "an array of 3 numbers, not all zero", |value| {
            super::reader::array(value).map(DVec3::from_array).filter(|v| v.length_squared() > 0.0)
        });
        let outer = reader.number_in("outer", 0.0, 90.0).unwrap_or(45.0);
        let inner = reader.number_in("inner", 0.0, 90.0).unwrap_or(0.0);
        if inner > outer {
            reader.fault("inner", format!("the inner cone angle ({inner}) is larger than the outer ({outer})"));
        }
        Some(LightKind::Spot {
            position: position?,
            direction: direction?.normalize(),
            intensity: intensity?,
            inner,
            outer,
        })
    }

    fn rectangle(reader: &mut Reader) -> Option<LightKind> {
        let center = reader.required_array("center").map(DVec3::from_array);
        let u = reader.required_array("u").map(DVec3::from_array);
        let v = reader.required_array("v").map(DVec3::from_array);
        let radiance = reader.required_colour("radiance");
        let (u, v) = (u?, v?);
        if u.cross(v).length_squared() == 0.0 {
            reader.fault("v", "u and v span no area");
        }
        Some(LightKind::Rectangle { center: center?, u, v, radiance: radiance? })
    }
}
