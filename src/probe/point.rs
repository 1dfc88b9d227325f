//! A point as typed: one JSON object a line (PROBE.md, "A point").

use std::collections::BTreeMap;

use glam::{Mat3, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::material::Point;
use crate::scene::file::number::{Finite, Scalar, Whole, given};
use crate::scene::file::typed::{named, table};
use crate::scene::file::world::WorldTable;

/// The explicit inputs of one evaluation, in the game frame, with overrides of the scene's world and material. Units and
/// meanings of the fields that [`Point`] has too: there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PointRecord {
    /// The name of a `[materials.NAME]` entry; `None` is an error of the line.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    pub position: Finite<3>,
    pub normal: Finite<3>,
    pub tangent: Finite<4>,
    /// Default: `tangent`.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub tangent1: Option<Finite<4>>,
    pub uv0: Finite<2>,
    pub uv1: Finite<2>,
    pub uv2: Finite<2>,
    pub uv3: Finite<2>,
    pub uv4: Finite<2>,
    pub color: Finite<4>,
    pub instance_variation: Finite<3>,
    pub instance_position: Finite<3>,
    pub scale: Finite<3>,
    pub front_facing: bool,
    pub pixel: [Whole; 2],
    pub uv0_footprint: Scalar,
    pub box_position: Finite<3>,
    pub box_row_a: Finite<3>,
    pub box_row_b: Finite<3>,
    pub box_scale: Finite<3>,
    /// Default: `position`.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub receiver_position: Option<Finite<3>>,
    /// Default: `normal`.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub receiver_normal: Option<Finite<3>>,
    /// Overrides of `[world]` keys for this point.
    #[serde(deserialize_with = "table")]
    pub world: WorldTable,
    /// Overrides of the material's parameters.
    #[serde(deserialize_with = "named")]
    pub parameters: BTreeMap<String, Value>,
    /// Texture name → the value that every sample of it returns; no file is read.
    #[serde(deserialize_with = "named")]
    pub textures: BTreeMap<String, Finite<4>>,
}

impl Default for PointRecord {
    fn default() -> Self {
        Self::new(&Point::default())
    }
}

impl PointRecord {
    /// The record that reads back as `point`, without material and overrides. The instance's rotation and the ray's
    /// texture footprint are not among a record's keys: the probe has neither.
    pub fn new(point: &Point) -> Self {
        let [uv0, uv1, uv2, uv3, uv4] = point.uv.map(|uv| Finite(uv.to_array()));
        Self {
            material: None,
            position: Finite(point.position.to_array()),
            normal: Finite(point.normal.to_array()),
            tangent: Finite(point.tangent.to_array()),
            tangent1: (point.tangent1 != point.tangent).then(|| Finite(point.tangent1.to_array())),
            uv0,
            uv1,
            uv2,
            uv3,
            uv4,
            color: Finite(point.color.to_array()),
            instance_variation: Finite(point.instance_variation.to_array()),
            instance_position: Finite(point.instance_position.to_array()),
            scale: Finite(point.scale.to_array()),
            front_facing: point.front_facing,
            pixel: point.pixel.map(|pixel| Whole(pixel.into())),
            uv0_footprint: Scalar(point.uv0_footprint),
            box_position: Finite(point.box_position.to_array()),
            box_row_a: Finite(point.box_row_a.to_array()),
            box_row_b: Finite(point.box_row_b.to_array()),
            box_scale: Finite(point.box_scale.to_array()),
            receiver_position: (point.receiver_position != point.position)
                .then(|| Finite(point.receiver_position.to_array())),
            receiver_normal: (point.receiver_normal != point.normal).then(|| Finite(point.receiver_normal.to_array())),
            world: WorldTable::default(),
            parameters: BTreeMap::new(),
            textures: BTreeMap::new(),
        }
    }

    /// The inputs of the formulas. Pixels beyond 32 bits wrap, as in the program.
    pub fn point(&self) -> Point {
        Point {
            position: Vec3::from(self.position.0),
            normal: Vec3::from(self.normal.0),
            tangent: Vec4::from(self.tangent.0),
            tangent1: Vec4::from(self.tangent1.unwrap_or(self.tangent).0),
            uv: [self.uv0, self.uv1, self.uv2, self.uv3, self.uv4].map(|uv| Vec2::from(uv.0)),
            color: Vec4::from(self.color.0),
            instance_variation: Vec3::from(self.instance_variation.0),
            instance_position: Vec3::from(self.instance_position.0),
            instance_axes: Mat3::IDENTITY,
            scale: Vec3::from(self.scale.0),
            front_facing: self.front_facing,
            pixel: self.pixel.map(|pixel| pixel.0 as i32),
            uv0_footprint: self.uv0_footprint.0,
            mip_footprint: 0.0,
            box_position: Vec3::from(self.box_position.0),
            box_row_a: Vec3::from(self.box_row_a.0),
            box_row_b: Vec3::from(self.box_row_b.0),
            box_scale: Vec3::from(self.box_scale.0),
            receiver_position: Vec3::from(self.receiver_position.unwrap_or(self.position).0),
            receiver_normal: Vec3::from(self.receiver_normal.unwrap_or(self.normal).0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::file::{Table, typed};

    fn parse(json: &str) -> Result<PointRecord, crate::scene::file::KeyError> {
        typed(&mut serde_json::Deserializer::from_str(json)).map(|Table(record)| record)
    }

    #[test]
    fn absent_keys_take_the_documented_defaults() {
        assert_eq!(parse("{}").unwrap().point(), Point::default());
        let moved = parse(r#"{"position": [1, 2, 3], "normal": [1, 0, 0], "tangent": [0, 1, 0, -1]}"#).unwrap().point();
        assert_eq!((moved.receiver_position, moved.receiver_normal), (moved.position, moved.normal));
        assert_eq!(moved.tangent1, moved.tangent);
    }

    #[test]
    fn every_key_survives_a_round_trip() {
        let point = Point {
            position: Vec3::new(0.1, -1e-9, 3e8),
            normal: Vec3::X,
            tangent: Vec4::new(0.0, 0.6, 0.8, -1.0),
            tangent1: Vec4::new(0.0, 1.0, 0.0, 1.0),
            uv: [1.0, 2.0, 3.0, 4.0, 5.0].map(|u| Vec2::new(u, -u)),
            color: Vec4::new(0.1, 0.2, 0.3, 0.4),
            instance_variation: Vec3::new(0.1, 0.2, 0.3),
            instance_position: Vec3::new(4.0, 5.0, 6.0),
            scale: Vec3::new(1.0, 2.0, 3.0),
            front_facing: false,
            pixel: [7, -8],
            uv0_footprint: 0.25,
            box_position: Vec3::new(1.0, 2.0, 3.0),
            box_row_a: Vec3::Y,
            box_row_b: Vec3::Z,
            box_scale: Vec3::new(2.0, 3.0, 4.0),
            receiver_position: Vec3::ONE,
            receiver_normal: Vec3::Z,
            ..Point::default()
        };
        let json = serde_json::to_string(&PointRecord::new(&point)).unwrap();
        assert_eq!(parse(&json).unwrap().point(), point);
    }

    #[test]
    fn wrong_lines_name_their_key() {
        for (json, key) in [
            (r#"{"normall": [0, 1, 0]}"#, "normall"),
            (r#"{"normal": [0, 1]}"#, "normal"),
            (r#"{"normal": [0, NaN, 0]}"#, "normal.1"),
            (r#"{"normal": [0, 1e39, 0]}"#, "normal.1"),
            (r#"{"uv0": null}"#, "uv0"),
            (r#"{"pixel": [1, 2.5]}"#, "pixel.1"),
            (r#"{"world": {"wether": 1}}"#, "world.wether"),
            (r#"{"textures": {"diffuse": [1, 1, 1]}}"#, "textures.diffuse"),
            (r#"{"parameters": {"Hue": Infinity}}"#, "parameters.Hue"),
            (r#"{"parameters": 3}"#, "parameters"),
            (r#"{"material": null}"#, "material"),
            (r#"{"world": {"decal_composite": 3}}"#, "world.decal_composite"),
            (r#"["m", [1, 2, 3]]"#, ""),
            (r#"{"world": [[1, 2, 3]]}"#, "world"),
            (r#"{"parameters": {"Hue": 1, "Hue": 2}}"#, "parameters"),
            (r#"{"textures": {"mask": [1, 1, 1, 1], "mask": [0, 0, 0, 0]}}"#, "textures"),
        ] {
            assert_eq!(parse(json).expect_err(json).key(), key, "{json}");
        }
    }
}
