//! Distant lights: the sun's disc, and directional lights as discs of no size.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::LightError;

/// `[sun]`, as the scene file gives it.
#[derive(Clone, Copy, Debug)]
pub struct Sun {
    /// Toward the sun, scene frame, any length but zero.
    pub direction: Vec3,
    /// On a surface that faces it, W/m², linear Rec.709.
    pub irradiance: Vec3,
    /// Degrees, 0..=180. 0 is a delta light: it lights, but no ray sees it.
    pub angular_diameter: f32,
    pub group: u16,
}

/// A disc at infinity with the same radiance all over.
///
/// A surface that faces a disc of half angle α and radiance L receives E = L π sin²α, so L = E / (π sin²α).
/// All tests use chords and versines instead of cosines: at half a degree an f32 cosine knows the disc's area to
/// no better than half a percent.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Toward the light, unit.
    pub direction: Vec3,
    pub irradiance: Vec3,
    pub group: u16,
    /// Zero for a delta light.
    radiance: Vec3,
    /// sin and cos of the half angle.
    sin: f32,
    cos: f32,
    /// 1 − cos α; zero for a delta light.
    versine: f32,
}

impl Disc {
    /// # Errors
    /// A direction without length, an irradiance that is negative or not finite, a diameter outside 0..=180 degrees.
    pub fn new(sun: &Sun) -> Result<Self, LightError> {
        let direction = sun.direction.try_normalize().ok_or(LightError::Direction("sun"))?;
        super::check_quantity(sun.irradiance, "the sun's irradiance")?;
        if !(0.0..=180.0).contains(&sun.angular_diameter) {
            return Err(LightError::AngularDiameter(sun.angular_diameter));
        }
        let half = 0.5 * f64::from(sun.angular_diameter).to_radians();
        let (sin, cos) = half.sin_cos();
        let area = std::f64::consts::PI * sin * sin;
        let radiance = if area > 0.0 { (sun.irradiance.as_dvec3() / area).as_vec3() } else { Vec3::ZERO };
        let versine = 2.0 * (0.5 * half).sin().powi(2);
        let (sin, cos, versine) = (sin as f32, cos as f32, versine as f32);
        // A disc whose solid angle vanishes in f32, or whose radiance overflows, is a delta light.
        let is_disc = versine > f32::MIN_POSITIVE && radiance.is_finite();
        let (radiance, versine) = if is_disc { (radiance, versine) } else { (Vec3::ZERO, 0.0) };
        Ok(Self { direction, irradiance: sun.irradiance, group: sun.group, radiance, sin, cos, versine })
    }

    /// Whether the light has no size: only sampling finds it.
    pub fn is_delta(&self) -> bool {
        self.versine == 0.0
    }

    /// The radiance that a ray of direction `wi` (unit) sees: the disc's, or zero beside it.
    pub fn radiance(&self, wi: Vec3) -> Vec3 {
        if self.contains(wi) { self.radiance } else { Vec3::ZERO }
    }

    /// The irradiance of a delta light, else the radiance: what [`Self::sample`]'s direction carries.
    pub fn sampled_value(&self) -> Vec3 {
        if self.is_delta() { self.irradiance } else { self.radiance }
    }

    /// A direction uniform in the disc's cone, with its solid-angle pdf (1 for a delta light).
    pub fn sample(&self, u: [f32; 2]) -> (Vec3, f32) {
        if self.is_delta() {
            return (self.direction, 1.0);
        }
        let height = u[0] * self.versine;
        let radius = (height * (2.0 - height)).max(0.0).sqrt();
        let (sin_phi, cos_phi) = (TAU * u[1]).sin_cos();
        let (tangent, bitangent) = self.direction.any_orthonormal_pair();
        let wi = self.direction * (1.0 - height) + (tangent * cos_phi + bitangent * sin_phi) * radius;
        (wi.normalize(), self.cone_pdf())
    }

    /// The pdf with which [`Self::sample`] takes `wi`; zero for a delta light.
    pub fn pdf(&self, wi: Vec3) -> f32 {
        if self.contains(wi) { self.cone_pdf() } else { 0.0 }
    }

    /// Luminance of the irradiance that it can bring to a surface of normal `n` (any surface: `None`): an estimate, zero
    /// only where the whole disc is below the surface.
    pub fn importance(&self, n: Option<Vec3>) -> f32 {
        let full = super::luminance(self.irradiance);
        let Some(n) = n else { return full };
        let cos = n.dot(self.direction);
        let highest = if self.is_delta() { cos } else { super::cos_of_difference(cos, self.cos, self.sin) };
        // A disc that touches the horizon keeps a chance: rounding must not exclude it.
        if highest < -1e-4 { 0.0 } else { full * cos.max(0.05 * self.sin).max(1e-3) }
    }

    fn contains(&self, wi: Vec3) -> bool {
        !self.is_delta() && (wi - self.direction).length_squared() <= 2.0 * self.versine
    }

    fn cone_pdf(&self) -> f32 {
        1.0 / (2.0 * PI * self.versine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(diameter: f32) -> Disc {
        let sun =
            Sun { direction: Vec3::new(0.3, 0.8, 0.5), irradiance: Vec3::ONE, angular_diameter: diameter, group: 0 };
        Disc::new(&sun).unwrap()
    }

    #[test]
    fn a_half_degree_disc_has_its_solid_angle() {
        let half = 0.265_f64.to_radians();
        let solid_angle = std::f64::consts::PI * 4.0 * (0.5 * half).sin().powi(2);
        assert!((f64::from(1.0 / disc(0.53).cone_pdf()) / solid_angle - 1.0).abs() < 1e-6);
    }

    #[test]
    fn samples_lie_in_the_disc_that_rays_see() {
        for diameter in [0.001, 0.53, 20.0, 180.0] {
            let disc = disc(diameter);
            // Not at the very rim: f32 directions blur it by 1 % of the smallest of these discs.
            for i in 0..960 {
                let (wi, pdf) = disc.sample([(i as f32 + 0.5) / 1001.0, (i as f32 * 0.618_034).fract()]);
                assert_eq!(disc.pdf(wi), pdf, "diameter {diameter}, sample {i}");
            }
            assert_eq!(disc.radiance(-disc.direction), Vec3::ZERO);
        }
    }

    #[test]
    fn a_delta_sun_is_invisible() {
        let disc = disc(0.0);
        assert!(disc.is_delta());
        assert_eq!(disc.radiance(disc.direction), Vec3::ZERO);
        assert_eq!(disc.sampled_value(), Vec3::ONE);
    }

    #[test]
    fn bad_suns_are_refused() {
        let good = Sun { direction: Vec3::Y, irradiance: Vec3::ONE, angular_diameter: 0.5, group: 0 };
        assert!(Disc::new(&good).is_ok());
        for diameter in [-0.1, 181.0, f32::NAN] {
            assert!(Disc::new(&Sun { angular_diameter: diameter, ..good }).is_err());
        }
        assert!(Disc::new(&Sun { direction: Vec3::ZERO, ..good }).is_err());
        assert!(Disc::new(&Sun { irradiance: -Vec3::ONE, ..good }).is_err());
    }
}
