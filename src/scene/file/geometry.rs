//! `[[geometry]]`, `[[instances]]`, `[[projected_decals]]`.

use std::collections::BTreeMap;

use glam::{DAffine3, DQuat, DVec2, DVec3};
use serde_json::Value;

use super::reader::{Reader, array, number};

/// One of `[[geometry]]`.
#[derive(Clone, Debug)]
pub struct GeometryFile {
    pub file: String,
    pub transform: DAffine3,
    pub area: Option<Area>,
    /// glTF material name → scene material name.
    pub materials: BTreeMap<String, String>,
    pub kind: Option<GeometryKind>,
}

/// Keeps what touches an axis-aligned box in X and Z, scene frame.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub center: DVec2,
    pub size: DVec2,
}

/// What a geometry's surfaces are, where the family shall not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeometryKind {
    Surface,
    RoadDecal,
    MeshDecal,
}

/// One of `[[instances]]`.
#[derive(Clone, Debug)]
pub struct InstancesFile {
    pub prototype: String,
    pub placements: String,
    pub materials: BTreeMap<String, String>,
    pub area: Option<Area>,
    pub kind: Option<GeometryKind>,
}

/// One of `[[projected_decals]]`.
#[derive(Clone, Debug)]
pub struct ProjectedDecalsFile {
    pub material: String,
    pub placements: String,
}

impl GeometryFile {
    /// Reads one of `[[geometry]]`.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let file = reader.required_string("file").map(str::to_owned);
        let transform = reader.nested("transform", read_transform).unwrap_or(DAffine3::IDENTITY);
        let (area, materials, kind) = (read_area(reader), read_materials(reader), read_kind(reader));
        Some(Self { file: file?, transform, area, materials, kind })
    }
}

impl InstancesFile {
    /// Reads one of `[[instances]]`.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let prototype = reader.required_string("prototype").map(str::to_owned);
        let placements = reader.required_string("placements").map(str::to_owned);
        let (area, materials, kind) = (read_area(reader), read_materials(reader), read_kind(reader));
        Some(Self { prototype: prototype?, placements: placements?, materials, area, kind })
    }
}

impl ProjectedDecalsFile {
    /// Reads one of `[[projected_decals]]`.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let material = reader.required_string("material").map(str::to_owned);
        let placements = reader.required_string("placements").map(str::to_owned);
        Some(Self { material: material?, placements: placements? })
    }
}

fn read_transform(reader: &mut Reader) -> DAffine3 {
    let translation = DVec3::from_array(reader.array("translation").unwrap_or([0.0; 3]));
    let rotation = reader
        .optional("rotation", "a quaternion [x, y, z, w], not zero", |value| {
            array(value).map(DQuat::from_array).filter(|q| q.length_squared() > 0.0)
        })
        .map_or(DQuat::IDENTITY, DQuat::normalize);
    let scale = reader.optional("scale", "a number or 3 numbers", scale).unwrap_or(DVec3::ONE);
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}

fn scale(value: &Value) -> Option<DVec3> {
    number(value).map(DVec3::splat).or_else(|| array(value).map(DVec3::from_array))
}

fn read_area(reader: &mut Reader) -> Option<Area> {
    reader
        .nested("area", |reader| {
            let center = reader.required_array("center").map(DVec2::from_array);
            let size = reader.required("size", "2 numbers, none negative", |value| {
                array(value).filter(|size: &[f64; 2]| size.iter().all(|side| *side >= 0.0)).map(DVec2::from_array)
            });
            Some(Area { center: center?, size: size? })
        })
        .flatten()
}

fn read_materials(reader: &mut Reader) -> BTreeMap<String, String> {
    reader
        .optional("materials", "a table: glTF material name = \"scene material name\"", |value| {
            let names = value.as_object()?.iter();
            names.map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned()))).collect()
        })
        .unwrap_or_default()
}

fn read_kind(reader: &mut Reader) -> Option<GeometryKind> {
    let words = [
        ("surface", GeometryKind::Surface),
        ("road_decal", GeometryKind::RoadDecal),
        ("mesh_decal", GeometryKind::MeshDecal),
    ];
    reader.choice("kind", &words)
}
