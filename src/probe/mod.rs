//! The probe: one material, explicit inputs, every output (PROBE.md). No geometry, no light; but [`along_pixel`] finds
//! its points in the real scene.
//!
//! A line of JSON ([`PointRecord`]) becomes an [`Answer`] through a [`Session`], which holds the bound materials of a
//! [`ProbeScene`]. [`answer`] alone evaluates a material that is bound already, as `probe --pixel` does.

mod answer;
mod jsonl;
mod pixel;
mod point;
mod scene;
mod session;

pub use answer::{Answer, Decal, Number, UvSamples};
pub use jsonl::run;
pub use pixel::{Kind, PixelSurface, SampledTextures, along_pixel};
pub use point::PointRecord;
pub use scene::ProbeScene;
pub use session::{Failure, Session};

use std::cell::RefCell;

use crate::material::{Context, Material, Point, TextureSample};
use crate::scene::world::{Dither, World};

/// Evaluates `material` at `point` and reports every output. The name is left empty: [`Answer::named`].
pub fn answer(material: &dyn Material, point: &Point, world: &World) -> Answer {
    observe(material, point, world).0
}

/// [`answer`] with every texture sample that the family took, in its order.
pub fn observe(material: &dyn Material, point: &Point, world: &World) -> (Answer, Vec<TextureSample>) {
    let samples = RefCell::new(Vec::with_capacity(16));
    // "expected" is the renderer's: here it means false (PROBE.md).
    let dither = if world.dither == Dither::Expected { Dither::Off } else { world.dither };
    let world = World { dither, ..*world };
    let gbuffer = material.evaluate(point, &Context { world: &world, recorder: Some(&samples) });
    let samples = samples.into_inner();
    (Answer::new(&gbuffer, &samples), samples)
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3, Vec4};

    use super::*;
    use crate::gbuffer::GBuffer;
    use crate::material::Slot;

    /// Shows the world that it sees, and samples one texture three times.
    struct Witness(Slot);

    impl Material for Witness {
        fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
            let first = self.0.sample(Vec2::ZERO, point, context);
            self.0.sample_unreported(Vec2::splat(9.0), point, context);
            self.0.sample(Vec2::ONE, point, context);
            let coverage = if context.world.dither == Dither::Off { 0.0 } else { 1.0 };
            GBuffer { coverage, ..GBuffer::new(first.truncate(), Vec3::Y) }
        }
    }

    fn witness() -> Witness {
        Witness(Slot::constant("t", Vec4::new(0.1, 0.2, 0.3, 1.0)))
    }

    #[test]
    fn expected_dither_is_no_dither_here() {
        for (dither, coverage) in [(Dither::Off, 0.0), (Dither::Screen, 1.0), (Dither::Expected, 0.0)] {
            let world = World { dither, ..World::default() };
            assert_eq!(answer(&witness(), &Point::default(), &world).coverage, Number(coverage));
        }
    }

    #[test]
    fn samples_are_reported_in_order_and_those_without_a_coordinate_only_among_the_values() {
        let (answer, samples) = observe(&witness(), &Point::default(), &World::default());
        let at = |x: f32| [Number(x), Number(x)];
        assert_eq!(answer.uv, UvSamples(vec![("t".into(), vec![at(0.0), at(1.0)])]));
        assert_eq!(samples.len(), 3);
        assert_eq!(samples[1].uv, None);
    }
}
