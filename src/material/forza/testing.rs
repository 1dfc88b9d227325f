//! Shorthand of the families' own tests: bind from JSON, evaluate at a point.

use serde_json::Value;

use crate::gbuffer::GBuffer;
use crate::material::bind::{self, Fault, Input, NoTextures, TextureInput};
use crate::material::registry::Family;
use crate::material::{Context, Material, Point, TextureSample};
use crate::scene::world::World;

/// `values` is one object: names of the family's textures go to the textures, all others to the parameters.
pub fn try_bind(family: &'static Family, permutation: &str, values: &Value) -> Result<Box<dyn Material>, Vec<Fault>> {
    let textures = bind::describe(family).textures;
    let mut input = Input { permutation: Some(permutation.to_owned()), ..Input::default() };
    for (name, value) in values.as_object().expect("an object") {
        if textures.iter().any(|texture| texture.name == name) {
            let rgba: [f32; 4] = serde_json::from_value(value.clone()).expect("a constant RGBA");
            input.textures.insert(name.clone(), TextureInput::Constant(rgba.into()));
        } else {
            input.parameters.insert(name.clone(), value.clone());
        }
    }
    bind::bind(family, &input, &mut NoTextures)
}

/// A material that must bind.
pub fn bound(family: &'static Family, permutation: &str, values: Value) -> Box<dyn Material> {
    try_bind(family, permutation, &values).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// What the family writes at `point`.
pub fn evaluate(family: &'static Family, permutation: &str, values: Value, point: &Point, world: &World) -> GBuffer {
    bound(family, permutation, values).evaluate(point, &Context::new(world))
}

/// The samples that the family takes at `point`, in order.
pub fn samples(family: &'static Family, permutation: &str, values: Value, point: &Point) -> Vec<TextureSample> {
    let world = World::default();
    let recorder = Default::default();
    let context = Context { world: &world, recorder: Some(&recorder) };
    bound(family, permutation, values).evaluate(point, &context);
    recorder.into_inner()
}

/// The names of the textures that the permutation samples, in order.
pub fn sampled(family: &'static Family, permutation: &str, values: Value) -> Vec<&'static str> {
    samples(family, permutation, values, &Point::default()).iter().map(|sample| sample.name).collect()
}
