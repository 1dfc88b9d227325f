//! The probe: one material, explicit inputs, every output (PROBE.md). No geometry, no light.
//!
//! A line of JSON ([`PointRecord`]) becomes an [`Answer`] through a [`Session`], which holds the bound materials of a
//! [`ProbeScene`]. [`answer`] alone evaluates a material that is bound already, as `probe --pixel` does.

mod answer;
mod jsonl;
mod point;
mod scene;
mod session;

pub use answer::{Answer, Decal, Number, UvSamples};
pub use jsonl::run;
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
