//! Which glTF extensions are read.

use super::error::{Checked, Fault, Warnings};
use super::json::Root;
use crate::suggest;

/// Every extension that this loader reads (SCENE.md).
pub const SUPPORTED: [&str; 9] = [
    "EXT_mesh_gpu_instancing",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "MSFT_texture_dds",
];

/// Refuses required extensions that are not read; warns of used ones.
pub(super) fn check(root: &Root, warnings: &mut Warnings) -> Checked<()> {
    let unknown = |name: &&String| !SUPPORTED.contains(&name.as_str());
    if let Some((index, name)) = root.extensions_required.iter().enumerate().find(|(_, name)| unknown(name)) {
        let message = format!("the file requires an {}", suggest::unknown("extension", name, SUPPORTED));
        return Err(Fault::new(format!("/extensionsRequired/{index}"), message));
    }
    for (index, name) in root.extensions_used.iter().enumerate().filter(|(_, name)| unknown(name)) {
        warnings
            .add(&format!("/extensionsUsed/{index}"), format!("{name} is not read: the file is rendered without it"));
    }
    Ok(())
}

/// Refuses other versions than 2.x.
pub(super) fn check_version(root: &Root) -> Checked<()> {
    let asset = root.asset.as_ref().ok_or_else(|| Fault::new("/asset", "is missing: a glTF 2.0 file has one"))?;
    let version =
        asset.version.as_deref().ok_or_else(|| Fault::new("/asset/version", "is missing; allowed: \"2.0\""))?;
    if !version.starts_with("2.") {
        return Err(Fault::new("/asset/version", format!("\"{version}\" is not read; allowed: \"2.0\"")));
    }
    match asset.min_version.as_deref() {
        Some(version) if version != "2.0" => {
            Err(Fault::new("/asset/minVersion", format!("\"{version}\" is not read; allowed: \"2.0\"")))
        }
        _ => Ok(()),
    }
}
