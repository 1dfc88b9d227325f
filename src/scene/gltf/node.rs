//! The node graph: a forest of transforms (glTF 2.0, section 3.5), walked without recursion.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

use super::error::{Checked, Fault, Warnings, resolve};
use super::json::{Node, Root};

/// A node of the chosen scene with its transform to the scene's frame.
pub(super) struct Visit {
    pub index: usize,
    pub world: DAffine3,
}

/// Every node of the default scene (else the first scene, else all roots), parents first, in the file's order.
pub(super) fn walk(root: &Root, warnings: &mut Warnings) -> Checked<Vec<Visit>> {
    let parents = parents(root)?;
    let mut visits: Vec<Visit> = Vec::with_capacity(root.nodes.len());
    let mut seen = vec![false; root.nodes.len()];
    let mut open: Vec<(usize, DAffine3)> = vec![];
    for start in starts(root, &parents)? {
        open.push((start, DAffine3::IDENTITY));
        while let Some((index, parent)) = open.pop() {
            // Parents are unique and starts have none: only a scene that lists a node twice comes here twice.
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let node = &root.nodes[index];
            let world = parent * local(node, index, warnings)?;
            if !representable(&world) {
                return Err(Fault::new(format!("/nodes/{index}"), "the node's world transform exceeds float32"));
            }
            visits.push(Visit { index, world });
            open.extend(node.children.iter().rev().map(|child| (*child, world)));
        }
    }
    Ok(visits)
}

/// A name for messages, AOVs and ids: the node's own, else `node N`.
pub(super) fn name(node: &Node, index: usize) -> Arc<str> {
    match &node.name {
        Some(name) if !name.is_empty() => Arc::from(name.as_str()),
        _ => Arc::from(format!("node {index}")),
    }
}

/// Every number survives the renderer's f32.
pub(crate) fn representable(transform: &DAffine3) -> bool {
    let largest = transform.to_cols_array().into_iter().fold(0.0, |largest: f64, value| match value.is_nan() {
        true => f64::INFINITY,
        false => largest.max(value.abs()),
    });
    largest <= f64::from(f32::MAX)
}

/// The parent of every node; a second parent or a cycle is a fault.
fn parents(root: &Root) -> Checked<Vec<Option<usize>>> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for (position, child) in node.children.iter().enumerate() {
            let at = || format!("/nodes/{index}/children/{position}");
            resolve(&root.nodes, *child, "node", at)?;
            if let Some(other) = parents[*child].replace(index) {
                let message = format!("node {child} is a child of node {other} already: a node has one parent at most");
                return Err(Fault::new(at(), message));
            }
        }
    }
    refuse_cycles(&parents)?;
    Ok(parents)
}

/// Follows each node's parents up to a root or to a node that an earlier walk has cleared.
fn refuse_cycles(parents: &[Option<usize>]) -> Checked<()> {
    let mut walked_by: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|node| walked_by[*node].is_none()) {
            walked_by[node] = Some(start);
            at = parents[node];
        }
        if let Some(node) = at.filter(|node| walked_by[*node] == Some(start)) {
            return Err(Fault::new(format!("/nodes/{node}"), "the node is its own ancestor: nodes must form a tree"));
        }
    }
    Ok(())
}

/// The nodes that a walk begins with.
fn starts(root: &Root, parents: &[Option<usize>]) -> Checked<Vec<usize>> {
    if root.scenes.is_empty() && root.scene.is_none() {
        return Ok((0..root.nodes.len()).filter(|node| parents[*node].is_none()).collect());
    }
    let index = root.scene.unwrap_or(0);
    let scene = resolve(&root.scenes, index, "scene", || "/scene".to_owned())?;
    for (position, node) in scene.nodes.iter().enumerate() {
        let at = || format!("/scenes/{index}/nodes/{position}");
        resolve(&root.nodes, *node, "node", at)?;
        if let Some(parent) = parents[*node] {
            let message = format!("node {node} is a child of node {parent}: a scene lists root nodes only");
            return Err(Fault::new(at(), message));
        }
    }
    Ok(scene.nodes.clone())
}

fn local(node: &Node, index: usize, warnings: &mut Warnings) -> Checked<DAffine3> {
    let at = format!("/nodes/{index}");
    if let Some(matrix) = &node.matrix {
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            warnings.add(&at, "has a matrix beside translation, rotation or scale: the matrix counts");
        }
        return from_matrix(matrix).map_err(|message| Fault::new(format!("{at}/matrix"), message));
    }
    let rotation = match node.rotation {
        Some(rotation) => unit_rotation(rotation, &format!("{at}/rotation"), warnings)?,
        None => DQuat::IDENTITY,
    };
    let scale = node.scale.map_or(DVec3::ONE, DVec3::from);
    Ok(DAffine3::from_scale_rotation_translation(scale, rotation, node.translation.unwrap_or_default().into()))
}

/// An affine transform from 16 column-major numbers.
pub(crate) fn from_matrix(matrix: &[f64; 16]) -> Result<DAffine3, String> {
    let matrix = DMat4::from_cols_array(matrix);
    match matrix.row(3).to_array() {
        [0.0, 0.0, 0.0, 1.0] => {
            Ok(DAffine3 { matrix3: DMat3::from_mat4(matrix), translation: matrix.w_axis.truncate() })
        }
        row => Err(format!("the last row is {row:?}; allowed is [0, 0, 0, 1] (columns come first)")),
    }
}

fn unit_rotation(rotation: [f64; 4], pointer: &str, warnings: &mut Warnings) -> Checked<DQuat> {
    let quaternion = DQuat::from_array(rotation);
    let length = quaternion.length();
    if !length.is_normal() {
        return Err(Fault::new(pointer, format!("{rotation:?} is no rotation: a unit quaternion is allowed")));
    }
    if (length - 1.0).abs() > 1e-3 {
        warnings.add(pointer, format!("the quaternion's length is {length:.4}: it is normalised"));
    }
    Ok(quaternion / length)
}
