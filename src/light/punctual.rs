//! Point and spot lights as `KHR_lights_punctual` defines them; its directional lights are [`super::sun::Disc`]s.
//!
//! The extension's `range` is a hint for culling in real-time renderers; it is ignored here, so that the inverse square
//! law holds everywhere.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::Vec3;

use super::{LightError, check_quantity};

/// A light without size. Positions are relative to the scene's centre, metres; directions are the way the light travels.
#[derive(Clone, Copy, Debug)]
pub struct Punctual {
    pub kind: PunctualKind,
    pub group: u16,
}

/// Which punctual light, with its quantities. Half angles in radians.
#[derive(Clone, Copy, Debug)]
pub enum PunctualKind {
    /// `intensity` in W/sr.
    Point { position: Vec3, intensity: Vec3 },
    /// `intensity` in W/sr inside the inner cone; nothing outside the outer one.
    Spot { position: Vec3, direction: Vec3, intensity: Vec3, inner: f32, outer: f32 },
    /// `irradiance` in W/m² on a facing surface.
    Directional { direction: Vec3, irradiance: Vec3 },
}

/// A point or spot light, ready for sampling.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    pub position: Vec3,
    /// W/sr along the axis.
    pub intensity: Vec3,
    pub group: u16,
    cone: Option<SpotCone>,
}

/// A spot's cone and its ramp.
#[derive(Clone, Copy, Debug)]
pub struct SpotCone {
    /// The way the light travels, unit.
    pub axis: Vec3,
    /// Half angles, radians.
    pub inner: f32,
    pub outer: f32,
    scale: f32,
    offset: f32,
}

impl Lamp {
    /// # Errors
    /// Quantities that are negative or not finite, a spot without direction or with impossible angles.
    pub fn point(position: Vec3, intensity: Vec3, group: u16) -> Result<Self, LightError> {
        check_quantity(intensity, "a lamp's intensity")?;
        if !position.is_finite() {
            return Err(LightError::Position);
        }
        Ok(Self { position, intensity, group, cone: None })
    }

    /// A point light with a spot's cone. Errors as [`Self::point`].
    pub fn spot(
        position: Vec3,
        intensity: Vec3,
        group: u16,
        direction: Vec3,
        (inner, outer): (f32, f32),
    ) -> Result<Self, LightError> {
        let lamp = Self::point(position, intensity, group)?;
        Ok(Self { cone: Some(SpotCone::new(direction, inner, outer)?), ..lamp })
    }

    /// The spot's cone, if it is one.
    pub fn cone(&self) -> Option<&SpotCone> {
        self.cone.as_ref()
    }

    /// Direction, distance and the irradiance on a facing surface at `p`; `None` where no light arrives.
    pub fn illuminate(&self, p: Vec3) -> Option<(Vec3, f32, Vec3)> {
        let to_light = self.position - p;
        let distance = to_light.length();
        if distance <= 0.0 {
            return None;
        }
        let wi = to_light / distance;
        let attenuation = self.cone.as_ref().map_or(1.0, |cone| cone.attenuation(-wi));
        let irradiance = self.intensity * (attenuation / (distance * distance));
        (attenuation > 0.0 && irradiance.is_finite()).then_some((wi, distance, irradiance))
    }
}

impl SpotCone {
    fn new(direction: Vec3, inner: f32, outer: f32) -> Result<Self, LightError> {
        let axis = direction.try_normalize().ok_or(LightError::Direction("spot"))?;
        // π/2 arrives from degrees with rounding.
        let possible = inner >= 0.0 && inner <= outer && outer <= FRAC_PI_2 + 1e-5;
        if !possible {
            return Err(LightError::SpotCone { inner: inner.to_degrees(), outer: outer.to_degrees() });
        }
        let scale = 1.0 / (inner.cos() - outer.cos()).max(0.001);
        Ok(Self { axis, inner, outer: outer.min(PI), scale, offset: -outer.cos() * scale })
    }

    /// The squared ramp of KHR_lights_punctual, "Inner and Outer Cone Angles": 1 inside, 0 outside.
    fn attenuation(&self, direction: Vec3) -> f32 {
        let ramp = (self.axis.dot(direction) * self.scale + self.offset).clamp(0.0, 1.0);
        ramp * ramp
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot() -> Lamp {
        Lamp::spot(Vec3::new(0.0, 2.0, 0.0), Vec3::ONE, 0, -Vec3::Y, (0.3, 0.6)).unwrap()
    }

    #[test]
    fn the_inverse_square_law_holds_at_any_range() {
        let lamp = Lamp::point(Vec3::ZERO, Vec3::splat(8.0), 0).unwrap();
        for distance in [0.01, 2.0, 5000.0] {
            let (wi, d, irradiance) = lamp.illuminate(Vec3::X * distance).unwrap();
            assert_eq!((wi, d), (-Vec3::X, distance));
            assert!((irradiance.x * distance * distance / 8.0 - 1.0).abs() < 1e-6);
        }
        assert!(lamp.illuminate(Vec3::ZERO).is_none());
    }

    #[test]
    fn the_ramp_is_squared_between_the_cones() {
        let at = |angle: f32| spot().illuminate(Vec3::X * 2.0 * angle.tan()).map_or(0.0, |(_, d, e)| e.x * d * d);
        assert!((at(0.29) - 1.0).abs() < 1e-5);
        assert_eq!(at(0.61), 0.0);
        let ramp = (0.45_f32.cos() - 0.6_f32.cos()) / (0.3_f32.cos() - 0.6_f32.cos());
        assert!((at(0.45) - ramp * ramp).abs() < 1e-5);
    }

    #[test]
    fn impossible_lamps_are_refused() {
        let at = Vec3::ZERO;
        assert!(Lamp::point(at, Vec3::new(1.0, f32::NAN, 1.0), 0).is_err());
        assert!(Lamp::point(at * f32::NAN, Vec3::ONE, 0).is_err());
        for angles in [(0.5, 0.4), (-0.1, 0.4), (0.1, 1.7)] {
            assert!(Lamp::spot(at, Vec3::ONE, 0, Vec3::Y, angles).is_err(), "{angles:?}");
        }
        assert!(Lamp::spot(at, Vec3::ONE, 0, Vec3::ZERO, (0.1, 0.2)).is_err());
    }
}
