//! Faults in what the scene does not use: they harm no picture, but whoever inspects the file wants to know.

use super::accessor::Accessor;
use super::container::Container;
use super::error::{Checked, Warnings, resolve};

/// Warns of broken accessors and of broken references of meshes. Called last: what the scene uses is known to be sound.
pub(super) fn note_faults(container: &Container, warnings: &mut Warnings) {
    let accessors =
        (0..container.root.accessors.len()).map(|index| Accessor::open(container, index, String::new).err());
    let primitives = container.root.meshes.iter().enumerate().flat_map(|(mesh, json)| {
        (0..json.primitives.len()).map(move |primitive| check_references(container, mesh, primitive).err())
    });
    for fault in accessors.chain(primitives).flatten() {
        warnings.add(&fault.pointer, format!("{} (not used by the scene)", fault.message));
    }
}

fn check_references(container: &Container, mesh: usize, position: usize) -> Checked<()> {
    let root = &container.root;
    let primitive = &root.meshes[mesh].primitives[position];
    let at = |member: &str| format!("/meshes/{mesh}/primitives/{position}/{member}");
    for (name, index) in &primitive.attributes {
        resolve(&root.accessors, *index, "accessor", || at(&format!("attributes/{name}")))?;
    }
    if let Some(index) = primitive.indices {
        resolve(&root.accessors, index, "accessor", || at("indices"))?;
    }
    if let Some(index) = primitive.material {
        resolve(&root.materials, index, "material", || at("material"))?;
    }
    Ok(())
}
