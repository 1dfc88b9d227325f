//! From `obvhs`'s binary tree to an eight-wide one, with the least surface-area cost.
//!
//! The dynamic programme of Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed
//! Wide BVHs", HPG 2017, section 3.1: for each binary node, the least cost of standing for it with at most i wide
//! subtrees, i = 1…7.

use obvhs::bvh2::Bvh2;

use super::node::{Child, Node, Tree, WIDTH};
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::huge_pages;

/// Cost of testing a leaf relative to that of a node's eight boxes.
const LEAF_COST: f32 = 1.0;

/// What is best for one binary node.
#[derive(Clone, Copy)]
struct Choice {
    /// `cost[i - 1]`: with at most i subtrees.
    cost: [f32; WIDTH - 1],
    /// `split[i - 1]`: how many of i subtrees the left child gets; 0: no more than i − 1 are wanted. i = 8 is the
    /// node's own children.
    split: [u8; WIDTH],
    /// Whether one subtree means one leaf.
    leaf: bool,
    /// Primitives below.
    count: u32,
}

/// Collapses `binary`. `leaf` stores the primitives of a leaf (1 to `leaf_size` of them) and gives its index.
pub fn collapse(binary: &Bvh2, leaf_size: u32, mut leaf: impl FnMut(&[u32]) -> usize) -> Tree {
    if binary.nodes.is_empty() {
        return Tree::empty();
    }
    let choices = choose(binary, leaf_size);
    let mut tree = Tree { bounds: bounds_of(binary, 0), ..Tree::empty() };
    let (mut forest, mut primitives) = (Vec::with_capacity(WIDTH), Vec::with_capacity(leaf_size as usize));
    if choices[0].leaf {
        gather_primitives(binary, 0, &mut primitives);
        tree.root = Child::leaf(leaf(&primitives));
        return tree;
    }
    (tree.root, tree.nodes) = (Child::inner(0), vec![Node::EMPTY]);
    // (binary node, wide node that stands for it, depth of that)
    let mut open = vec![(0, 0, 1)];
    while let Some((source, target, depth)) = open.pop() {
        tree.depth = tree.depth.max(depth);
        forest.clear();
        gather_children(binary, &choices, source, &mut forest);
        for (lane, &below) in forest.iter().enumerate() {
            let child = if choices[below].leaf {
                primitives.clear();
                gather_primitives(binary, below, &mut primitives);
                Child::leaf(leaf(&primitives))
            } else {
                tree.nodes.push(Node::EMPTY);
                open.push((below, tree.nodes.len() - 1, depth + 1));
                Child::inner(tree.nodes.len() - 1)
            };
            tree.nodes[target].set(lane, &bounds_of(binary, below), child);
        }
    }
    tree.nodes = huge_pages::moved(tree.nodes);
    tree
}

fn bounds_of(binary: &Bvh2, node: usize) -> Bounds {
    let aabb = binary.nodes[node].aabb();
    Bounds { min: aabb.min.into(), max: aabb.max.into() }
}

/// Bottom-up: the best choice of each node.
fn choose(binary: &Bvh2, leaf_size: u32) -> Vec<Choice> {
    let nothing = Choice { cost: [0.0; WIDTH - 1], split: [0; WIDTH], leaf: false, count: 0 };
    let mut choices = vec![nothing; binary.nodes.len()];
    for &node in parents_first(binary).iter().rev() {
        let node = node as usize;
        let source = &binary.nodes[node];
        let area = source.aabb().half_area();
        choices[node] = if source.is_leaf() {
            Choice { cost: [area * LEAF_COST; WIDTH - 1], leaf: true, count: source.prim_count, ..nothing }
        } else {
            let below = source.first_index as usize;
            choose_inner(area, &choices[below], &choices[below + 1], leaf_size)
        };
    }
    choices
}

fn choose_inner(area: f32, left: &Choice, right: &Choice, leaf_size: u32) -> Choice {
    let count = left.count + right.count;
    let mut cost = [f32::INFINITY; WIDTH];
    let mut split = [0; WIDTH];
    for i in 2..=WIDTH {
        for l in 1..i {
            let shared = left.cost[l - 1] + right.cost[i - l - 1];
            if shared < cost[i - 1] {
                (cost[i - 1], split[i - 1]) = (shared, l as u8);
            }
        }
    }
    let inner = cost[WIDTH - 1] + area;
    let as_leaf = if count <= leaf_size { area * LEAF_COST } else { f32::INFINITY };
    cost[0] = inner.min(as_leaf);
    for i in 2..WIDTH {
        if cost[i - 2] <= cost[i - 1] {
            (cost[i - 1], split[i - 1]) = (cost[i - 2], 0);
        }
    }
    let mut kept = [0.0; WIDTH - 1];
    kept.copy_from_slice(&cost[..WIDTH - 1]);
    Choice { cost: kept, split, leaf: as_leaf <= inner, count }
}

fn parents_first(binary: &Bvh2) -> Vec<u32> {
    let mut order = Vec::with_capacity(binary.nodes.len());
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        order.push(node);
        let source = &binary.nodes[node as usize];
        if !source.is_leaf() {
            open.extend([source.first_index, source.first_index + 1]);
        }
    }
    order
}

/// The binary nodes that become the children of the wide node for `node`.
fn gather_children(binary: &Bvh2, choices: &[Choice], node: usize, forest: &mut Vec<usize>) {
    let below = binary.nodes[node].first_index as usize;
    let left = choices[node].split[WIDTH - 1] as usize;
    gather_forest(binary, choices, below, left, forest);
    gather_forest(binary, choices, below + 1, WIDTH - left, forest);
}

/// The at most `i` subtrees that stand for `node`. Each call shares out at least one of eight: seven deep at most.
fn gather_forest(binary: &Bvh2, choices: &[Choice], node: usize, mut i: usize, forest: &mut Vec<usize>) {
    while i > 1 && choices[node].split[i - 1] == 0 {
        i -= 1;
    }
    if i == 1 {
        forest.push(node);
        return;
    }
    let below = binary.nodes[node].first_index as usize;
    let left = choices[node].split[i - 1] as usize;
    gather_forest(binary, choices, below, left, forest);
    gather_forest(binary, choices, below + 1, i - left, forest);
}

fn gather_primitives(binary: &Bvh2, node: usize, primitives: &mut Vec<u32>) {
    let source = &binary.nodes[node];
    let first = source.first_index as usize;
    if source.is_leaf() {
        primitives.extend(&binary.primitive_indices[first..first + source.prim_count as usize]);
    } else {
        gather_primitives(binary, first, primitives);
        gather_primitives(binary, first + 1, primitives);
    }
}
