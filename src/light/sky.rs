//! The sky: constant, the Hosek-Wilkie model, or an image.

use std::f32::consts::{FRAC_1_PI, FRAC_PI_2, TAU};

use glam::{Vec3, Vec4};
use hw_skymodel::rgb::{SkyParams, SkyState};

use super::environment::EnvironmentMap;
use super::irradiance::Irradiance;
use super::sphere_table::{Grid, SphereTable, angle, direction};
use super::{LightError, luminance};
use crate::texture::FloatImage;

/// `[sky]`, as the scene file gives it, with its image read.
#[derive(Clone, Debug)]
pub struct SkyDescription {
    pub kind: SkyKind,
    pub group: u16,
}

/// Which sky. Radiances in W/(m² sr), linear Rec.709.
#[derive(Clone, Debug)]
pub enum SkyKind {
    Constant {
        radiance: Vec3,
    },
    /// Follows the sun's direction; `turbidity` 1..=10, `ground_albedo` 0..=1.
    Hosek {
        turbidity: f32,
        ground_albedo: Vec3,
        scale: f32,
    },
    /// `rotation` in degrees turns the image's centre from −Z toward +X.
    Image {
        image: FloatImage,
        rotation: f32,
        scale: f32,
    },
}

/// A sky that can be seen and sampled.
#[derive(Clone, Debug)]
pub struct Sky {
    pub group: u16,
    model: Model,
}

#[derive(Clone, Debug)]
enum Model {
    Constant { radiance: Vec3, irradiance: Irradiance },
    Hosek(Box<HosekSky>),
    Image(Box<EnvironmentMap>),
}

impl Sky {
    /// `sun` is the direction toward the sun (unit), which a `hosek` sky needs.
    ///
    /// # Errors
    /// Values out of their ranges, a `hosek` sky without a sun or with one below the horizon, an unusable image.
    pub fn new(description: &SkyDescription, sun: Option<Vec3>) -> Result<Self, LightError> {
        let model = match &description.kind {
            SkyKind::Constant { radiance } => {
                super::check_quantity(*radiance, "the sky's radiance")?;
                Model::Constant { radiance: *radiance, irradiance: Irradiance::constant(luminance(*radiance)) }
            }
            SkyKind::Hosek { turbidity, ground_albedo, scale } => {
                let sun = sun.ok_or(LightError::HosekWithoutSun)?;
                Model::Hosek(Box::new(HosekSky::new(sun, *turbidity, *ground_albedo, *scale)?))
            }
            SkyKind::Image { image, rotation, scale } => {
                Model::Image(Box::new(EnvironmentMap::new(image, *rotation, *scale)?))
            }
        };
        Ok(Self { group: description.group, model })
    }

    /// Radiance toward `wi` (unit).
    pub fn radiance(&self, wi: Vec3) -> Vec3 {
        match &self.model {
            Model::Constant { radiance, .. } => *radiance,
            Model::Hosek(sky) => sky.radiance(wi),
            Model::Image(map) => map.radiance(wi),
        }
    }

    /// A direction with its density by solid angle, for a surface of normal `n` if it has one: a constant sky is then
    /// sampled by the cosine. Numbers in [0, 1).
    pub fn sample(&self, n: Option<Vec3>, u: [f64; 2]) -> (Vec3, f32) {
        match &self.model {
            Model::Constant { .. } => sample_constant(n, [u[0] as f32, u[1] as f32]),
            Model::Hosek(sky) => {
                let wi = sky.table.sample(u);
                (wi, sky.table.pdf(wi))
            }
            Model::Image(map) => map.sample(u),
        }
    }

    /// Density by solid angle with which [`Self::sample`] takes `wi`.
    pub fn pdf(&self, n: Option<Vec3>, wi: Vec3) -> f32 {
        match &self.model {
            Model::Constant { .. } => constant_pdf(n, wi),
            Model::Hosek(sky) => sky.table.pdf(wi),
            Model::Image(map) => map.pdf(wi),
        }
    }

    /// Luminance of the irradiance on a surface of normal `n`: an estimate, zero only for a black sky.
    pub fn importance(&self, n: Option<Vec3>) -> f32 {
        match &self.model {
            Model::Constant { irradiance, .. } => irradiance.at(n),
            Model::Hosek(sky) => sky.irradiance.at(n),
            Model::Image(map) => map.irradiance().at(n),
        }
    }
}

fn sample_constant(n: Option<Vec3>, u: [f32; 2]) -> (Vec3, f32) {
    let (sin_phi, cos_phi) = (TAU * u[1]).sin_cos();
    let Some(n) = n else {
        let z = 1.0 - 2.0 * u[0];
        let radius = (1.0 - z * z).max(0.0).sqrt();
        let wi = Vec3::new(radius * cos_phi, radius * sin_phi, z).normalize();
        return (wi, constant_pdf(None, wi));
    };
    // Malley's method: a uniform point of the disc, lifted to the hemisphere. u < 1 keeps the cosine above zero.
    let (radius, height) = (u[0].sqrt(), (1.0 - u[0]).max(1e-7).sqrt());
    let (tangent, bitangent) = n.any_orthonormal_pair();
    let wi = (n * height + (tangent * cos_phi + bitangent * sin_phi) * radius).normalize();
    (wi, constant_pdf(Some(n), wi))
}

fn constant_pdf(n: Option<Vec3>, wi: Vec3) -> f32 {
    n.map_or(0.5 * FRAC_1_PI * 0.5, |n| n.dot(wi).max(0.0) * FRAC_1_PI)
}

/// Hosek and Wilkie, "An Analytic Model for Full Spectral Sky-Dome Radiance" (SIGGRAPH 2012), its RGB data.
///
/// The model describes the upper hemisphere only; below the horizon this sky is black. It has no sun disc. The RGB fit
/// goes slightly negative in places: that counts as 0.
#[derive(Clone, Debug)]
pub struct HosekSky {
    dome: Dome,
    scale: f32,
    table: SphereTable,
    irradiance: Irradiance,
}

/// Cells of its importance table: 1.4 degrees a side, small enough to stay in the cache.
const HOSEK_COLUMNS: usize = 256;
const HOSEK_STRIPS: usize = 64;

/// How far below the horizon (radians) a sun still counts as on it: rounding of a direction that means elevation 0.
const HORIZON_TOLERANCE: f32 = 1e-5;

impl HosekSky {
    fn new(sun: Vec3, turbidity: f32, ground_albedo: Vec3, scale: f32) -> Result<Self, LightError> {
        let elevation = sun.y.atan2(sun.x.hypot(sun.z));
        if elevation < -HORIZON_TOLERANCE {
            return Err(LightError::HosekSunBelowHorizon(elevation.to_degrees()));
        }
        if !(1.0..=10.0).contains(&turbidity) {
            return Err(LightError::Turbidity(turbidity));
        }
        let albedo = ground_albedo.to_array();
        if !albedo.iter().all(|a| (0.0..=1.0).contains(a)) {
            return Err(LightError::GroundAlbedo(albedo));
        }
        super::check_quantity(Vec3::splat(scale), "a hosek sky's scale")?;
        let params = SkyParams { elevation: elevation.clamp(0.0, FRAC_PI_2), turbidity, albedo };
        let state = SkyState::new(&params).map_err(|_| LightError::HosekSunBelowHorizon(elevation.to_degrees()))?;
        let dome = Dome::new(&state, sun);
        let grid = Grid {
            columns: HOSEK_COLUMNS,
            strips: HOSEK_STRIPS,
            block: 1,
            azimuth: 0.0,
            theta_step: std::f64::consts::FRAC_PI_2 / HOSEK_STRIPS as f64,
            theta_offset: 0.0,
            theta_max: std::f64::consts::FRAC_PI_2,
        };
        let (table, irradiance) = SphereTable::build(grid, |row, cells| {
            for (column, cell) in cells.iter_mut().enumerate() {
                *cell = mean_luminance(&grid, (column, row), |wi| dome.radiance(wi) * scale);
            }
        });
        Ok(Self { dome, scale, table, irradiance: irradiance.finish() })
    }

    fn radiance(&self, wi: Vec3) -> Vec3 {
        self.dome.radiance(wi) * self.scale
    }
}

/// The mean of a cell's corners and centre.
fn mean_luminance(grid: &Grid, (column, row): (usize, usize), radiance: impl Fn(Vec3) -> Vec3) -> f32 {
    const PLACES: [(f64, f64); 5] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)];
    let at = |(x, y): (f64, f64)| {
        let wi = direction(grid.phi(column as f64 + x), grid.theta(row as f64 + y)).as_vec3();
        // The lowest edge may round below the horizon, where the model ends.
        luminance(radiance(Vec3::new(wi.x, wi.y.max(0.0), wi.z)))
    };
    PLACES.map(at).iter().sum::<f32>() / PLACES.len() as f32
}

/// The model for one sun, evaluated from `hw-skymodel`'s coefficients: its own evaluation asks for angles, whose cosines
/// it then takes for each channel.
#[derive(Clone, Debug)]
struct Dome {
    sun: Vec3,
    /// The nine coefficients of the paper's equation 11 for R, G and B (the fourth lane is idle: vectors have four), in the
    /// order of the reference code.
    coefficients: [Vec4; 9],
    mean: Vec4,
}

impl Dome {
    fn new(state: &SkyState, sun: Vec3) -> Self {
        let (params, radiances) = state.raw();
        let coefficients = std::array::from_fn(|i| Vec4::new(params[i], params[9 + i], params[18 + i], 0.0));
        Self { sun, coefficients, mean: Vec3::from(radiances).extend(0.0) }
    }

    /// Radiance toward `wi` (unit), black below the horizon.
    fn radiance(&self, wi: Vec3) -> Vec3 {
        if wi.y < 0.0 {
            return Vec3::ZERO;
        }
        let [a, b, c, d, e, f, g, h, i] = self.coefficients;
        let (cos_theta, cos_gamma) = (wi.y.min(1.0), self.sun.dot(wi).clamp(-1.0, 1.0));
        let (one, cos2) = (Vec4::ONE, cos_gamma * cos_gamma);
        let mie = one + i * i - i * (2.0 * cos_gamma);
        let mie = (1.0 + cos2) / (mie * mie.sqrt());
        let gradient = one + a * exp(b / (cos_theta + 0.01));
        let around = c + d * exp(e * angle_between(self.sun, wi)) + f * cos2 + g * mie + h * cos_theta.sqrt();
        (self.mean * gradient * around).max(Vec4::ZERO).truncate()
    }
}

/// e^x of each component, to 2 ulp; components are taken to be within ±87. All lanes at once, where the library's takes
/// one after the other: eˣ = 2ⁿ·eʳ with n = round(x/ln 2), and a polynomial of degree 7 for |r| ≤ ln 2/2.
fn exp(x: Vec4) -> Vec4 {
    // Added to a number of up to 2²², it leaves the nearest integer in the low bits.
    const ROUND: Vec4 = Vec4::splat(12_582_912.0);
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const TERMS: [f32; 6] = [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
    let x = x.max(Vec4::splat(-87.3)).min(Vec4::splat(87.3));
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2[0] - n * LN_2[1];
    let p = TERMS.iter().fold(Vec4::ZERO, |sum, term| sum * r + *term);
    let power = |shifted: f32| f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    (p * (r * r) + r + 1.0) * Vec4::from(shifted.to_array().map(power))
}

/// Kahan's formula: precise at all angles, where acos is not near the sun.
fn angle_between(a: Vec3, b: Vec3) -> f32 {
    2.0 * angle(f64::from((a - b).length()), f64::from((a + b).length())) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use hw_skymodel::rgb::Channel;

    #[test]
    fn exp_is_the_librarys_to_two_ulp() {
        for i in -87_000..=87_000 {
            let x = i as f32 * 1e-3;
            let expected = f64::from(x).exp();
            let found = f64::from(exp(Vec4::splat(x)).y);
            assert!((found / expected - 1.0).abs() < 2.4e-7, "{x}: {found} {expected}");
        }
    }

    #[test]
    fn the_dome_is_the_model() {
        for (elevation, turbidity) in [(0.02f32, 1.5), (0.4, 3.2), (1.2, 9.0)] {
            let sun = Vec3::new(elevation.cos(), elevation.sin(), 0.0);
            let state = SkyState::new(&SkyParams { elevation, turbidity, albedo: [0.1, 0.3, 0.8] }).unwrap();
            let dome = Dome::new(&state, sun);
            for step in 0..2000 {
                let (theta, phi) = ((step as f32 * 0.000_785).min(FRAC_PI_2), step as f32 * 0.37);
                let wi = Vec3::new(theta.sin() * phi.cos(), theta.cos().max(0.0), theta.sin() * phi.sin());
                let gamma = sun.dot(wi).clamp(-1.0, 1.0).acos();
                let channels =
                    [Channel::R, Channel::G, Channel::B].map(|channel| state.radiance(theta, gamma, channel));
                let expected = Vec3::from(channels).max(Vec3::ZERO);
                // acos loses digits beside the sun
                let slack = expected.max_element() * 2e-3;
                assert!(dome.radiance(wi).distance(expected) < slack, "{wi}: {} {expected}", dome.radiance(wi));
            }
        }
    }
}
