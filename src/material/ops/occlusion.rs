//! The run-time treatment of ambient occlusion (documentation 000, uber_asset_animated and "Tide").

use super::math::sat;
use crate::scene::world::World;

/// F(ao) = 1 + K·(max(max(m₀, ao), max(m₁, ao)) − 1): the factor that the run time puts on albedo. 1 at the default
/// globals (`ao_into_albedo` = 0).
#[inline]
pub fn albedo_factor(world: &World, ao: f32) -> f32 {
    let raised = world.ao_minimum.x.max(ao).max(world.ao_minimum.y.max(ao));
    1.0 + world.ao_into_albedo * (raised - 1.0)
}

/// AO′ = 1 + x·(sat(AO)^|w| − 1), the run-time AO curve; the identity on 0..1 at the default (1, 1).
#[inline]
pub fn curve(world: &World, ao: f32) -> f32 {
    1.0 + world.ao_curve.x * (sat(ao).powf(world.ao_curve.y.abs()) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn the_default_globals_change_nothing() {
        let world = World::default();
        for ao in [0.0, 0.3, 1.0] {
            assert_eq!(albedo_factor(&world, ao), 1.0);
            assert!((curve(&world, ao) - ao).abs() < 1e-7);
        }
    }

    #[test]
    fn either_minimum_raises_the_ao_that_darkens_albedo() {
        let world = |m0, m1| World { ao_minimum: Vec2::new(m0, m1), ao_into_albedo: 0.5, ..World::default() };
        assert_eq!(albedo_factor(&world(0.0, 0.0), 0.5), 0.75);
        assert_eq!(albedo_factor(&world(0.75, 0.0), 0.5), 0.875);
        assert_eq!(albedo_factor(&world(0.0, 0.75), 0.5), 0.875);
    }

    #[test]
    fn the_curves_exponent_is_taken_absolute_and_zero_makes_it_one() {
        let world = |x, w| World { ao_curve: Vec2::new(x, w), ..World::default() };
        assert_eq!(curve(&world(1.0, -2.0), 0.5), 0.25);
        assert_eq!(curve(&world(0.5, 2.0), 0.5), 0.625);
        assert_eq!(curve(&world(1.0, 0.0), 0.0), 1.0);
    }
}
