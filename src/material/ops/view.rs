//! The main camera as the formulas see it: the same on every bounce.

use glam::Vec3;

use crate::material::{Context, Point};

/// d = |P − camera|, metres.
#[inline]
pub fn distance(point: &Point, context: &Context) -> f32 {
    (point.position - context.world.camera).length()
}

/// V = normalize(camera − P), toward the camera; NaN at the camera itself, as in the program.
#[inline]
pub fn direction(point: &Point, context: &Context) -> Vec3 {
    (context.world.camera - point.position).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::world::World;

    #[test]
    fn the_direction_points_to_the_camera() {
        let world = World { camera: Vec3::new(1.0, 2.0, 3.0), ..World::default() };
        let point = Point { position: Vec3::new(1.0, 2.0, 1.0), ..Point::default() };
        assert_eq!(direction(&point, &Context::new(&world)), Vec3::Z);
        assert_eq!(distance(&point, &Context::new(&world)), 2.0);
    }
}
