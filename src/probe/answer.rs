//! An answer as written: one JSON object a line (PROBE.md, "The answer").

use std::borrow::Cow;
use std::fmt;

use glam::{Vec2, Vec3, Vec4};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::gbuffer::{DecalTargets, GBuffer};
use crate::material::TextureSample;

/// Every output of one evaluation, in the order of the keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub material: String,
    pub discard: bool,
    pub coverage: Number,
    /// RT0.rgb, linear.
    pub albedo: [Number; 3],
    /// RT0.w.
    pub metalness: Number,
    /// RT1.w, as written.
    pub roughness: Number,
    /// RT2, game frame, raw.
    pub normal: [Number; 3],
    /// Before the distance encoding.
    pub emission: [Number; 3],
    /// RT1.xyz.
    pub emission_seed: [Number; 3],
    pub ambient_occlusion: Number,
    /// Glass only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub transmittance: Option<[Number; 3]>,
    /// Deferred decals only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decal: Option<Decal>,
    #[serde(default)]
    pub uv: UvSamples,
}

/// The three targets of the deferred-decal pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decal {
    pub target0: [Number; 4],
    pub target1: [Number; 4],
    pub target2: [Number; 4],
}

/// A float32 output. JSON has neither NaN nor infinities: both are written as null, and null reads as NaN. Finite values
/// are written with the fewest digits that read back as the same float32.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Number(pub f32);

impl PartialEq for Number {
    /// Equal as written: all non-finite values are one.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || !(self.0.is_finite() || other.0.is_finite())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::deserialize(deserializer)?.unwrap_or(f32::NAN)))
    }
}

/// Texture name → the coordinates of its samples, in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvSamples(pub Vec<(Cow<'static, str>, Vec<[Number; 2]>)>);

impl Answer {
    /// The answer of `gbuffer` and the samples that led to it; samples without a coordinate are left out.
    pub fn new(gbuffer: &GBuffer, samples: &[TextureSample]) -> Self {
        Self {
            material: String::new(),
            discard: gbuffer.discard,
            coverage: Number(gbuffer.coverage),
            albedo: vec3(gbuffer.albedo),
            metalness: Number(gbuffer.metalness),
            roughness: Number(gbuffer.roughness),
            normal: vec3(gbuffer.normal),
            emission: vec3(gbuffer.emission),
            emission_seed: vec3(gbuffer.emission_seed),
            ambient_occlusion: Number(gbuffer.ambient_occlusion),
            transmittance: gbuffer.glass.map(|glass| vec3(glass.transmittance)),
            decal: gbuffer.decal.as_ref().map(Decal::new),
            uv: UvSamples::new(samples),
        }
    }

    /// The same answer under a material's name.
    #[must_use]
    pub fn named(mut self, material: &str) -> Self {
        material.clone_into(&mut self.material);
        self
    }
}

impl Decal {
    fn new(targets: &DecalTargets) -> Self {
        let vec4 = |v: Vec4| v.to_array().map(Number);
        Self { target0: vec4(targets.target0), target1: vec4(targets.target1), target2: vec4(targets.target2) }
    }
}

fn vec3(v: Vec3) -> [Number; 3] {
    v.to_array().map(Number)
}

impl UvSamples {
    fn new(samples: &[TextureSample]) -> Self {
        let mut uv = Self(Vec::with_capacity(samples.len()));
        for sample in samples {
            if let Some(coordinate) = sample.uv {
                uv.push(Cow::Borrowed(sample.name), coordinate);
            }
        }
        uv
    }

    fn push(&mut self, name: Cow<'static, str>, uv: Vec2) {
        let uv = uv.to_array().map(Number);
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, coordinates)) => coordinates.push(uv),
            None => self.0.push((name, vec![uv])),
        }
    }
}

impl Serialize for UvSamples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        once_or_list(serializer, &self.0)
    }
}

/// An object: name → what its one sample gave, or a list where it has several.
pub(super) fn once_or_list<S: Serializer, const N: usize>(
    serializer: S,
    samples: &[(impl Serialize, Vec<[Number; N]>)],
) -> Result<S::Ok, S::Error>
where
    [Number; N]: Serialize,
{
    let mut map = serializer.serialize_map(Some(samples.len()))?;
    for (name, values) in samples {
        match values.as_slice() {
            [once] => map.serialize_entry(name, once)?,
            several => map.serialize_entry(name, several)?,
        }
    }
    map.end()
}

impl<'de> Deserialize<'de> for UvSamples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(UvVisitor)
    }
}

/// One coordinate, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Coordinates {
    Once([Number; 2]),
    Several(Vec<[Number; 2]>),
}

struct UvVisitor;

impl<'de> Visitor<'de> for UvVisitor {
    type Value = UvSamples;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of [2] or lists of [2]")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UvSamples, A::Error> {
        let mut uv = UvSamples::default();
        while let Some((name, coordinates)) = map.next_entry::<String, Coordinates>()? {
            let coordinates = match coordinates {
                Coordinates::Once(coordinate) => vec![coordinate],
                Coordinates::Several(coordinates) => coordinates,
            };
            uv.0.push((Cow::Owned(name), coordinates));
        }
        Ok(uv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbuffer::Glass;

    fn sample(name: &'static str, uv: Option<Vec2>) -> TextureSample {
        TextureSample { name, uv, value: Vec4::ZERO }
    }

    fn gbuffer() -> GBuffer {
        GBuffer { roughness: f32::NAN, metalness: f32::INFINITY, ..GBuffer::new(Vec3::splat(0.1), Vec3::Y) }
    }

    #[test]
    fn keys_stand_in_the_documented_order_and_floats_are_short() {
        let samples = [
            sample("a", Some(Vec2::new(0.1, 2.0))),
            sample("b", None),
            sample("c", Some(Vec2::ZERO)),
            sample("c", Some(Vec2::ONE)),
        ];
        let json = serde_json::to_string(&Answer::new(&gbuffer(), &samples).named("m")).unwrap();
        assert_eq!(
            json,
            "{\"material\":\"m\",\"discard\":false,\"coverage\":1.0,\"albedo\":[0.1,0.1,0.1],\"metalness\":null,\
             \"roughness\":null,\"normal\":[0.0,1.0,0.0],\"emission\":[0.0,0.0,0.0],\"emission_seed\":[0.0,0.0,0.0],\
             \"ambient_occlusion\":1.0,\"uv\":{\"a\":[0.1,2.0],\"c\":[[0.0,0.0],[1.0,1.0]]}}"
        );
    }

    #[test]
    fn an_answer_reads_back_as_itself() {
        let targets = DecalTargets { target0: Vec4::ONE, target1: Vec4::ZERO, target2: Vec4::splat(0.3) };
        let glass = Some(Glass { transmittance: Vec3::new(0.9, 0.8, 1.7), f0: 0.04 });
        let gbuffer = GBuffer { glass, decal: Some(targets), ..gbuffer() };
        let samples = [sample("a", Some(Vec2::ZERO)), sample("c", Some(Vec2::ZERO)), sample("c", Some(Vec2::ONE))];
        let answer = Answer::new(&gbuffer, &samples).named("m");
        let json = serde_json::to_string(&answer).unwrap();
        assert!(json.contains("\"transmittance\":[0.9,0.8,1.7],\"decal\":{\"target0\":[1.0"));
        assert_eq!(serde_json::from_str::<Answer>(&json).unwrap(), answer);
    }
}
