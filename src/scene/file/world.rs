//! `[world]` as typed (PROBE.md, "`[world]`: the run-time globals"), and the same keys as overrides of a probe point.

use glam::{Vec2, Vec3};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::KeyError;
use super::number::{Finite, Scalar, Whole, given};
use crate::scene::world::{DecalComposite, Dither, World};

/// The table; a key that is not typed keeps its default. Units and meanings: [`World`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldTable {
    /// Game frame, metres; absent: the scene's main camera.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub camera: Option<Finite<3>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub time: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub alpha_reference: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dither: Option<Dither>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub frame_index: Option<Whole>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dither_temporal: Option<bool>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub weather: Option<Finite<3>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub ao_minimum: Option<Finite<2>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub ao_into_albedo: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub ao_curve: Option<Finite<2>>,
    /// Must be above 0: emission is divided by it.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub exposure: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub graffiti_state: Option<Whole>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub fog: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub retro_distance_fade: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub road_uv_origin: Option<Finite<2>>,
    /// Must not be negative.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub emission_scale: Option<Scalar>,
    /// Must not be negative, metres.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub decal_reach: Option<Scalar>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub decal_composite: Option<DecalComposite>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub terrain_normal_fade: Option<Finite<2>>,
}

impl WorldTable {
    /// The run-time globals: the defaults with what was typed. `default_camera` is the scene camera's position in the
    /// game frame, where there is one.
    pub fn to_world(&self, default_camera: Vec3) -> Result<World, KeyError> {
        let mut world = World { camera: default_camera, ..World::default() };
        self.apply(&mut world)?;
        Ok(world)
    }

    /// Writes the typed keys over `world`. Errors name a key whose value is out of its range.
    pub fn apply(&self, world: &mut World) -> Result<(), KeyError> {
        self.check_ranges()?;
        set(&mut world.camera, self.camera.map(|v| Vec3::from(v.0)));
        set(&mut world.time, self.time.map(|v| v.0));
        set(&mut world.alpha_reference, self.alpha_reference.map(|v| v.0));
        set(&mut world.dither, self.dither);
        set(&mut world.frame_index, self.frame_index.map(|v| v.0));
        set(&mut world.dither_temporal, self.dither_temporal);
        set(&mut world.weather, self.weather.map(|v| Vec3::from(v.0)));
        set(&mut world.ao_minimum, self.ao_minimum.map(|v| Vec2::from(v.0)));
        set(&mut world.ao_into_albedo, self.ao_into_albedo.map(|v| v.0));
        set(&mut world.ao_curve, self.ao_curve.map(|v| Vec2::from(v.0)));
        set(&mut world.exposure, self.exposure.map(|v| v.0));
        set(&mut world.graffiti_state, self.graffiti_state.map(|v| v.0));
        set(&mut world.fog, self.fog.map(|v| v.0));
        set(&mut world.retro_distance_fade, self.retro_distance_fade.map(|v| v.0));
        set(&mut world.road_uv_origin, self.road_uv_origin.map(|v| Vec2::from(v.0)));
        set(&mut world.emission_scale, self.emission_scale.map(|v| v.0));
        set(&mut world.decal_reach, self.decal_reach.map(|v| v.0));
        set(&mut world.decal_composite, self.decal_composite);
        set(&mut world.terrain_normal_fade, self.terrain_normal_fade.map(|v| Vec2::from(v.0)));
        Ok(())
    }

    fn check_ranges(&self) -> Result<(), KeyError> {
        if let Some(Scalar(exposure)) = self.exposure.filter(|exposure| exposure.0 <= 0.0) {
            return Err(KeyError::new("exposure", format!("expected a number above 0, found {exposure}")));
        }
        for (key, value) in [("emission_scale", self.emission_scale), ("decal_reach", self.decal_reach)] {
            if let Some(Scalar(value)) = value.filter(|value| value.0 < 0.0) {
                return Err(KeyError::new(key, format!("expected 0 or more, found {value}")));
            }
        }
        Ok(())
    }
}

fn set<T>(slot: &mut T, typed: Option<T>) {
    if let Some(value) = typed {
        *slot = value;
    }
}

impl Serialize for Dither {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::Screen => serializer.serialize_bool(true),
            Self::Expected => serializer.serialize_str("expected"),
        }
    }
}

impl<'de> Deserialize<'de> for Dither {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DitherVisitor)
    }
}

struct DitherVisitor;

impl Visitor<'_> for DitherVisitor {
    type Value = Dither;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("false, true or \"expected\"")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Dither, E> {
        Ok(if value { Dither::Screen } else { Dither::Off })
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Dither, E> {
        match value {
            "expected" => Ok(Dither::Expected),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(value), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::file::typed;

    fn parse(source: &str) -> Result<WorldTable, KeyError> {
        typed(toml::Deserializer::parse(source).expect("the TOML is well formed"))
    }

    #[test]
    fn an_empty_table_is_the_documented_defaults() {
        let world = parse("").unwrap().to_world(Vec3::ZERO).unwrap();
        assert_eq!(world, World::default());
    }

    #[test]
    fn the_scene_camera_stands_in_only_where_none_is_typed() {
        let scene = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(parse("").unwrap().to_world(scene).unwrap().camera, scene);
        assert_eq!(parse("camera = [0, 0, 0]").unwrap().to_world(scene).unwrap().camera, Vec3::ZERO);
    }

    #[test]
    fn every_key_reaches_its_field() {
        let source = r#"
            camera = [1, 2, 3]
            time = 4
            alpha_reference = 0.25
            dither = "expected"
            frame_index = 5
            dither_temporal = true
            weather = [0.5, 0.25, 0.75]
            ao_minimum = [0.1, 0.2]
            ao_into_albedo = 0.5
            ao_curve = [0.5, -2]
            exposure = 2
            graffiti_state = -1
            fog = 0.5
            retro_distance_fade = 0.5
            road_uv_origin = [100, 200]
            emission_scale = 3
            decal_reach = 0.5
            decal_composite = "albedo"
            terrain_normal_fade = [0.5, 1]
        "#;
        let table = parse(source).unwrap();
        let world = table.to_world(Vec3::ZERO).unwrap();
        let expected = World {
            camera: Vec3::new(1.0, 2.0, 3.0),
            time: 4.0,
            alpha_reference: 0.25,
            dither: Dither::Expected,
            frame_index: 5,
            dither_temporal: true,
            weather: Vec3::new(0.5, 0.25, 0.75),
            ao_minimum: Vec2::new(0.1, 0.2),
            ao_into_albedo: 0.5,
            ao_curve: Vec2::new(0.5, -2.0),
            exposure: 2.0,
            graffiti_state: -1,
            fog: 0.5,
            retro_distance_fade: 0.5,
            road_uv_origin: Vec2::new(100.0, 200.0),
            emission_scale: 3.0,
            decal_reach: 0.5,
            decal_composite: DecalComposite::Albedo,
            terrain_normal_fade: Vec2::new(0.5, 1.0),
        };
        assert_eq!(world, expected);
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<WorldTable>(&json).unwrap(), table);
    }

    #[test]
    fn wrong_keys_and_values_name_their_key() {
        for (source, key) in [
            ("wether = [1, 1, 1]", "wether"),
            ("weather = [1, 1]", "weather"),
            ("time = nan", "time"),
            ("dither = \"maybe\"", "dither"),
            ("frame_index = 1.5", "frame_index"),
            ("decal_composite = \"under\"", "decal_composite"),
        ] {
            assert_eq!(parse(source).expect_err(source).key(), key);
        }
        for (source, key) in [("exposure = 0", "exposure"), ("emission_scale = -1", "emission_scale")] {
            assert_eq!(parse(source).unwrap().to_world(Vec3::ZERO).expect_err(source).key(), key);
        }
    }
}
