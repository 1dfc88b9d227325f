//! EXT_mesh_gpu_instancing: one node, many placements of its mesh.

use std::collections::BTreeMap;

use glam::{DAffine3, DQuat, DVec3};

use super::accessor::Accessor;
use super::accessor::Component::{F32, I8, I16, U8};
use super::container::Container;
use super::error::{Checked, Fault, Warnings};
use super::node::representable;

/// One instance of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copied {
    /// Instance to node: applied before the node's own transform.
    pub transform: DAffine3,
    /// `_INSTANCE_VARIATION`, 0..1.
    pub variation: Option<[f32; 3]>,
}

const NAMES: [&str; 4] = ["TRANSLATION", "ROTATION", "SCALE", "_INSTANCE_VARIATION"];

/// The instances that node `node` asks for; any subset of the attributes may be there.
pub(super) fn read(
    container: &Container,
    attributes: &BTreeMap<String, usize>,
    node: usize,
    warnings: &mut Warnings,
) -> Checked<Vec<Copied>> {
    let at = format!("/nodes/{node}/extensions/EXT_mesh_gpu_instancing/attributes");
    let mut accessors: [Option<Accessor>; 4] = Default::default();
    let mut count = None;
    for (name, index) in attributes {
        let accessor = Accessor::open(container, *index, || format!("{at}/{name}"))?;
        let (first, expected) = *count.get_or_insert((name, accessor.count));
        if accessor.count != expected {
            let message = format!("{name} has {} instances, {first} has {expected}", accessor.count);
            return Err(Fault::new(format!("{}/count", accessor.pointer), message));
        }
        match NAMES.iter().position(|known| known == name) {
            Some(slot) => accessors[slot] = Some(accessor),
            None => warnings.add(&at, format!("instance attribute \"{name}\" is not read")),
        }
    }
    let Some((_, count)) = count else {
        warnings.add(&at, "no attributes: the node is placed once");
        return Ok(vec![Copied { transform: DAffine3::IDENTITY, variation: None }]);
    };
    let [translation, rotation, scale, variation] = accessors;
    let translations = translation.map(|accessor| vectors(&accessor, "TRANSLATION")).transpose()?;
    let rotations = rotation.map(|accessor| quaternions(&accessor, warnings)).transpose()?;
    let scales = scale.map(|accessor| vectors(&accessor, "SCALE")).transpose()?;
    let variations = variation.map(|accessor| variations(&accessor)).transpose()?;
    let copy = |index: usize| {
        let transform = DAffine3::from_scale_rotation_translation(
            scales.as_ref().map_or(DVec3::ONE, |scales| scales[index]),
            rotations.as_ref().map_or(DQuat::IDENTITY, |rotations| rotations[index]),
            translations.as_ref().map_or(DVec3::ZERO, |translations| translations[index]),
        );
        Copied { transform, variation: variations.as_ref().map(|variations| variations[index]) }
    };
    Ok((0..count).map(copy).collect())
}

/// `node · instance` for every instance, checked to fit f32.
pub(super) fn place(node: &DAffine3, copies: &[Copied], index: usize) -> Checked<Vec<Copied>> {
    let placed = |copy: &Copied| {
        let transform = *node * copy.transform;
        match representable(&transform) {
            true => Ok(Copied { transform, ..*copy }),
            false => Err(Fault::new(format!("/nodes/{index}"), "an instance's world transform exceeds float32")),
        }
    };
    copies.iter().map(placed).collect()
}

fn vectors(accessor: &Accessor, what: &str) -> Checked<Vec<DVec3>> {
    accessor.expect(what, &["VEC3"], &[F32])?;
    finite(accessor, what, accessor.floats::<3>(0..accessor.count))
        .map(|values| values.into_iter().map(|value| DVec3::from(value.map(f64::from))).collect())
}

/// xyzw; normalised, since 8- and 16-bit ones never have unit length. Bare integers count as normalised, the only
/// meaning they can have.
fn quaternions(accessor: &Accessor, warnings: &mut Warnings) -> Checked<Vec<DQuat>> {
    accessor.expect("ROTATION", &["VEC4"], &[F32, I8, I16])?;
    let values = finite(accessor, "ROTATION", accessor.floats::<4>(0..accessor.count))?;
    let mut zeros = 0;
    let unit = |value: [f32; 4]| {
        let quaternion = DQuat::from_array(value.map(f64::from));
        match quaternion.length() > 0.0 {
            true => quaternion.normalize(),
            false => {
                zeros += 1;
                DQuat::IDENTITY
            }
        }
    };
    let rotations = values.into_iter().map(unit).collect();
    if zeros > 0 {
        warnings.add(&accessor.pointer, format!("{zeros} rotations are zero: they count as none"));
    }
    Ok(rotations)
}

/// Floats 0..1, or bytes / 255 whether marked as normalised or not.
fn variations(accessor: &Accessor) -> Checked<Vec<[f32; 3]>> {
    accessor.expect("_INSTANCE_VARIATION", &["VEC3", "VEC4"], &[F32, U8])?;
    let values = finite(accessor, "_INSTANCE_VARIATION", accessor.floats::<3>(0..accessor.count))?;
    let bytes = accessor.component == U8 && !accessor.normalized;
    Ok(values.into_iter().map(|value| if bytes { value.map(|byte| byte / 255.0) } else { value }).collect())
}

fn finite<const N: usize>(accessor: &Accessor, what: &str, values: Vec<[f32; N]>) -> Checked<Vec<[f32; N]>> {
    match values.iter().position(|value| value.iter().any(|number| !number.is_finite())) {
        Some(index) => {
            Err(Fault::new(&accessor.pointer, format!("{what} of instance {index} is {:?}: not finite", values[index])))
        }
        None => Ok(values),
    }
}
