//! Reading the renders of a calibration.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use exr::prelude::{FlatSamples, read_first_flat_layer_from_file};
use scrutineer::film::aov::{TABLE, Values};

/// One render.
pub struct Picture {
    pub scene: String,
    pub samples: u32,
    pub width: u32,
    pub height: u32,
    channels: HashMap<String, Vec<f32>>,
}

/// An AOV that samples make noisy.
pub struct Sampled {
    pub name: &'static str,
    pub channels: &'static [&'static str],
    /// The channels of its standard errors; empty where it has none.
    pub errors: &'static [&'static str],
    /// As [`scrutineer::compare::statistics::Settings::span`].
    pub span: Option<f64>,
    /// A mean over hits.
    pub hits: bool,
}

/// The sampled AOVs of the default set. The beauty's coverage has no error and stands for itself.
pub fn sampled() -> Vec<Sampled> {
    let rows = TABLE.iter().filter(|row| row.default && matches!(row.values, Values::Samples(_) | Values::Hits(_)));
    let of = |row: &'static scrutineer::film::aov::Aov| match row.name {
        "beauty" => Sampled {
            name: row.name,
            channels: &row.channels[..3],
            errors: &["beauty_stderr.R", "beauty_stderr.G", "beauty_stderr.B"],
            span: None,
            hits: false,
        },
        name => Sampled {
            name,
            channels: row.channels,
            errors: &[],
            span: span(row),
            hits: matches!(row.values, Values::Hits(_)),
        },
    };
    rows.map(of)
        .chain([Sampled { name: "alpha", channels: &["A"], errors: &[], span: Some(1.0), hits: false }])
        .collect()
}

/// Material data within 0..1, normals within −1..1; emission is light.
fn span(row: &scrutineer::film::aov::Aov) -> Option<f64> {
    match (row.name, &row.values) {
        ("emission", _) | (_, Values::Samples(_)) => None,
        ("RT2", _) => Some(2.0),
        _ => Some(1.0),
    }
}

impl Picture {
    /// The channels, interleaved.
    pub fn plane(&self, channels: &[&str]) -> Option<Vec<f32>> {
        let planes: Vec<&Vec<f32>> = channels.iter().map(|name| self.channels.get(*name)).collect::<Option<_>>()?;
        let pixels = 0..self.width as usize * self.height as usize;
        Some(pixels.flat_map(|i| planes.iter().map(move |plane| plane[i])).collect())
    }

    fn read(path: &Path, scene: &str, samples: u32) -> Result<Self, String> {
        let image = read_first_flat_layer_from_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let layer = image.layer_data;
        let channel = |c: &exr::prelude::AnyChannel<FlatSamples>| {
            let values = match &c.sample_data {
                FlatSamples::F32(values) => values.clone(),
                FlatSamples::F16(values) => values.iter().map(|v| v.to_f32()).collect(),
                FlatSamples::U32(_) => return None,
            };
            Some((c.name.to_string(), values))
        };
        Ok(Self {
            scene: scene.to_owned(),
            samples,
            width: layer.size.x() as u32,
            height: layer.size.y() as u32,
            channels: layer.channel_data.list.iter().filter_map(channel).collect(),
        })
    }
}

/// SCENE_SAMPLES → its renders in the order of their names; only the `wanted` ones where any are.
pub fn read_folder(folder: &Path, wanted: &[String]) -> Result<BTreeMap<String, Vec<Picture>>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    let mut groups: BTreeMap<String, Vec<Picture>> = BTreeMap::new();
    for path in paths {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let Some((group, _)) = stem.rsplit_once('_') else { continue };
        let Some((scene, samples)) = group.rsplit_once('_') else { continue };
        let Ok(samples) = samples.parse() else { continue };
        if wanted.is_empty() || wanted.iter().any(|name| name == group) {
            groups.entry(group.to_owned()).or_default().push(Picture::read(&path, scene, samples)?);
        }
    }
    groups.retain(|_, pictures| pictures.len() > 1);
    Ok(groups)
}
