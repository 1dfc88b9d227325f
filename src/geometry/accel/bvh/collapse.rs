//! From `obvhs`'s binary tree to an eight-wide one, with the least surface-area cost.
//!
//! The dynamic programme of Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed
//! Wide BVHs", HPG 2017, section 3.1: for each binary node, the least cost of standing for it with at most i wide
//! subtrees, i = 1…7. Costs are only needed until the parent has its own; what stays are the choices.

use std::sync::atomic::{AtomicU32, Ordering};

use obvhs::bvh2::Bvh2;
use rayon::prelude::*;

use super::node::{Child, Node, Tree, WIDTH};
use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::huge_pages;

// Costs are areas: testing a leaf's triangles counts as much as testing a node's boxes.

/// A leaf may meet this many triangles more than two leaves in its place would: full leaves need less memory, and less of
/// it misses the cache.
const WORTH_A_LEAF: f32 = 3.0;

/// Below this depth of the binary tree one thread does the rest alone.
const SHARED_LEVELS: u32 = 10;

/// Wide nodes that are made one by one before the subtrees that are still open are shared out. The same for any number
/// of threads, as the nodes' order depends on it.
const SHARED_NODES: usize = 64;

/// Collapses `binary`, whose leaves hold one primitive each. The tree's leaves are numbers of those binary nodes that
/// become one, with 1 to `leaf_size` primitives below.
pub fn collapse(binary: &Bvh2, leaf_size: u32) -> (Tree, Vec<u32>) {
    if binary.nodes.is_empty() {
        return (Tree::empty(), Vec::new());
    }
    let choices = Choices::new(binary, leaf_size);
    let (mut top, mut open) = (Part::empty(), Vec::new());
    let root = top.child(&choices, 0, 1, &mut open);
    let mut filled = 0;
    while (1..SHARED_NODES).contains(&(open.len() - filled)) {
        top.fill(&choices, open[filled], &mut open);
        filled += 1;
    }
    let open = &open[filled..];
    let below = open.par_iter().map(|&start| Part::below(&choices, start)).collect::<Vec<_>>();
    let Part { nodes, leaves, depth } = joined(top, open, &below);
    (Tree { root, nodes, bounds: bounds_of(binary, 0), depth }, leaves)
}

/// A wide node that has no children yet.
#[derive(Clone, Copy)]
struct Open {
    /// The binary node that it stands for.
    source: usize,
    /// Its place in the part.
    target: usize,
    /// Nodes from the root down to it.
    depth: usize,
}

/// Nodes and leaves of a part of the tree. Its children are numbered within it.
struct Part {
    nodes: Vec<Node>,
    leaves: Vec<u32>,
    depth: usize,
}

impl Part {
    fn empty() -> Self {
        Self { nodes: Vec::new(), leaves: Vec::new(), depth: 0 }
    }

    /// The subtree of `start`, which is node 0 here.
    fn below(choices: &Choices, start: Open) -> Self {
        let mut part = Self::empty();
        part.nodes.push(Node::EMPTY);
        let mut open = vec![Open { target: 0, ..start }];
        while let Some(next) = open.pop() {
            part.fill(choices, next, &mut open);
        }
        part
    }

    /// Gives a node its children, of which inner ones become `open`.
    fn fill(&mut self, choices: &Choices, node: Open, open: &mut Vec<Open>) {
        self.depth = self.depth.max(node.depth);
        let mut children = Vec::with_capacity(WIDTH);
        choices.gather_children(node.source, &mut children);
        for (lane, &source) in children.iter().enumerate() {
            let child = self.child(choices, source, node.depth + 1, open);
            self.nodes[node.target].set(lane, &bounds_of(choices.binary, source), child);
        }
    }

    fn child(&mut self, choices: &Choices, source: usize, depth: usize, open: &mut Vec<Open>) -> Child {
        if choices.of(source).is_leaf() {
            self.leaves.push(source as u32);
            return Child::leaf(self.leaves.len() - 1);
        }
        let target = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        open.push(Open { source, target, depth });
        Child::inner(target)
    }
}

/// One part of `top` and what is `below` its nodes `open`, in the same order.
fn joined(top: Part, open: &[Open], below: &[Part]) -> Part {
    let depth = below.iter().fold(top.depth, |depth, part| depth.max(part.depth));
    let nodes = joined_nodes(&top, open, below);
    let mut leaves = top.leaves;
    below.iter().for_each(|part| leaves.extend_from_slice(&part.leaves));
    Part { nodes, leaves, depth }
}

fn joined_nodes(top: &Part, open: &[Open], below: &[Part]) -> Vec<Node> {
    let count = below.iter().fold(top.nodes.len(), |count, part| count + part.nodes.len() - 1);
    let mut nodes = huge_pages::with_capacity(count);
    nodes.extend_from_slice(&top.nodes);
    let mut first_leaf = top.leaves.len();
    for (start, part) in open.iter().zip(below) {
        // Node 0 has its place already; the others follow.
        let first = nodes.len() - 1;
        nodes[start.target] = part.nodes[0].moved(first, first_leaf);
        nodes.extend(part.nodes[1..].iter().map(|node| node.moved(first, first_leaf)));
        first_leaf += part.leaves.len();
    }
    nodes
}

fn bounds_of(binary: &Bvh2, node: usize) -> Bounds {
    let aabb = binary.nodes[node].aabb();
    Bounds { min: aabb.min.into(), max: aabb.max.into() }
}

/// What is best for one binary node: numbers of three bits, and the top bit for a leaf.
#[derive(Clone, Copy)]
struct Choice(u32);

impl Choice {
    const LEAF: u32 = 1 << 31;

    fn number(self, at: usize) -> usize {
        (self.0 >> (3 * at) & 7) as usize
    }

    /// Whether one subtree means one leaf.
    fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// How many of `i` (2 to 7) subtrees the left child gets; 0: no more than i − 1 are wanted.
    fn left_of(self, i: usize) -> usize {
        self.number(i - 1)
    }

    /// How many children the left and the right child become where the node stands for itself.
    fn own(self) -> (usize, usize) {
        let left = self.number(WIDTH - 1);
        (left, self.number(0) + 1 - left)
    }
}

/// The least costs of standing for one binary node.
#[derive(Clone, Copy)]
struct Costs {
    /// `of[i - 1]`: with at most i subtrees.
    of: [f32; WIDTH - 1],
    /// Subtrees beyond which there is nothing to be gained.
    most: usize,
    /// Primitives below.
    count: u32,
}

impl Costs {
    /// Of a leaf that is not to be split.
    fn of_leaf(area: f32, count: u32) -> Self {
        Self { of: [area; WIDTH - 1], most: 1, count }
    }

    /// Triangles that a ray meets here, times the area.
    fn met(&self) -> f32 {
        self.of[0] * self.count as f32
    }
}

/// The best choices for all binary nodes.
struct Choices<'a> {
    binary: &'a Bvh2,
    leaf_size: u32,
    of: Vec<AtomicU32>,
}

impl<'a> Choices<'a> {
    fn new(binary: &'a Bvh2, leaf_size: u32) -> Self {
        // What nothing better is stored for is a leaf.
        let of = binary.nodes.iter().map(|_| AtomicU32::new(Choice::LEAF)).collect();
        let choices = Self { binary, leaf_size, of };
        choices.costs(0, 0);
        choices
    }

    fn of(&self, node: usize) -> Choice {
        Choice(self.of[node].load(Ordering::Relaxed))
    }

    /// Chooses for `node`, which is `level` below the root, and everything under it.
    fn costs(&self, node: usize, level: u32) -> Costs {
        let source = &self.binary.nodes[node];
        if level == SHARED_LEVELS || source.is_leaf() {
            return self.costs_alone(node);
        }
        let below = source.first_index as usize;
        let (left, right) = rayon::join(|| self.costs(below, level + 1), || self.costs(below + 1, level + 1));
        self.costs_of_inner(node, &left, &right)
    }

    /// The same on one thread, for a tree of any depth.
    fn costs_alone(&self, node: usize) -> Costs {
        let mut done: Vec<Costs> = Vec::new();
        let mut open = vec![(node, false)];
        while let Some((node, is_below_done)) = open.pop() {
            let source = &self.binary.nodes[node];
            let below = source.first_index as usize;
            if source.is_leaf() {
                done.push(Costs::of_leaf(source.aabb().half_area(), source.prim_count));
            } else if !is_below_done {
                open.extend([(node, true), (below + 1, false), (below, false)]);
            } else if let [.., left, right] = done[..] {
                done.truncate(done.len() - 2);
                done.push(self.costs_of_inner(node, &left, &right));
            }
        }
        done[0]
    }

    fn costs_of_inner(&self, node: usize, left: &Costs, right: &Costs) -> Costs {
        let area = self.binary.nodes[node].aabb().half_area();
        let count = left.count + right.count;
        let are_leaves = left.most == 1 && right.most == 1;
        if are_leaves && count <= self.leaf_size && area * (count as f32 - WORTH_A_LEAF) <= left.met() + right.met() {
            return Costs::of_leaf(area, count);
        }
        let (mut cost, mut split) = cheapest_splits(left, right);
        // The node's own children are as many as cost least.
        let own = (2..=WIDTH).fold(2, |best, i| if cost[i - 1] < cost[best - 1] { i } else { best });
        let inner = cost[own - 1] + area;
        let as_leaf = if count <= self.leaf_size { area } else { f32::INFINITY };
        cost[0] = inner.min(as_leaf);
        split[WIDTH - 1] = split[own - 1];
        split[0] = own as u32 - 1;
        for i in 2..WIDTH {
            if cost[i - 2] <= cost[i - 1] {
                (cost[i - 1], split[i - 1]) = (cost[i - 2], 0);
            }
        }
        let numbers = split.iter().rev().fold(0, |bits, number| bits << 3 | number);
        let leaf = if as_leaf <= inner { Choice::LEAF } else { 0 };
        self.of[node].store(numbers | leaf, Ordering::Relaxed);
        let [kept @ .., _] = cost;
        Costs { of: kept, most: (left.most + right.most).min(WIDTH - 1), count }
    }

    /// The binary nodes that become the children of the wide node for `node`.
    fn gather_children(&self, node: usize, children: &mut Vec<usize>) {
        let below = self.binary.nodes[node].first_index as usize;
        let (left, right) = self.of(node).own();
        self.gather_forest(below, left, children);
        self.gather_forest(below + 1, right, children);
    }

    /// The at most `i` subtrees that stand for `node`. Each call shares out at least one of eight: seven deep at most.
    fn gather_forest(&self, node: usize, mut i: usize, forest: &mut Vec<usize>) {
        let choice = self.of(node);
        while i > 1 && choice.left_of(i) == 0 {
            i -= 1;
        }
        if i == 1 {
            forest.push(node);
            return;
        }
        let below = self.binary.nodes[node].first_index as usize;
        let left = choice.left_of(i);
        self.gather_forest(below, left, forest);
        self.gather_forest(below + 1, i - left, forest);
    }
}

/// For i = 2…8 subtrees, at `i - 1`, the least cost that two children share them for, and how many the left one gets.
fn cheapest_splits(left: &Costs, right: &Costs) -> ([f32; WIDTH], [u32; WIDTH]) {
    let (mut cost, mut split) = ([f32::INFINITY; WIDTH], [0; WIDTH]);
    for l in 1..=left.most {
        for r in 1..=right.most.min(WIDTH - l) {
            let shared = left.of[l - 1] + right.of[r - 1];
            if shared < cost[l + r - 1] {
                (cost[l + r - 1], split[l + r - 1]) = (shared, l as u32);
            }
        }
    }
    (cost, split)
}

/// The primitives below a leaf.
pub fn primitives_below(binary: &Bvh2, leaf: u32) -> Vec<u32> {
    let mut primitives = Vec::with_capacity(WIDTH);
    let mut open = vec![leaf as usize];
    while let Some(node) = open.pop() {
        let source = &binary.nodes[node];
        let first = source.first_index;
        if source.is_leaf() {
            primitives.push(first);
        } else {
            open.extend([first as usize, first as usize + 1]);
        }
    }
    primitives
}
