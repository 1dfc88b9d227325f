//! Building a tree over lights: a binary one by splits, then nodes of four from it.

use glam::Vec4;

use super::bounds::LightBounds;
use super::node::{NOWHERE, Node, Place, Query, WIDTH, place, probability};
use super::split::{Summary, split};

/// A finished tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The root is first. Empty without lights.
    pub nodes: Vec<Node>,
    /// Where each node hangs.
    pub parents: Vec<Place>,
    /// Where each light stands.
    pub places: Vec<Place>,
}

/// A node of the binary tree.
struct Binary {
    bounds: LightBounds,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Light(usize),
    /// The first of two children that lie side by side, after their parent.
    Pair(usize),
}

impl Tree {
    /// One leaf a light, in O(n log n). The same lights always give the same tree.
    pub fn build(lights: &[LightBounds]) -> Self {
        let mut tree = Self { places: vec![NOWHERE; lights.len()], ..Self::default() };
        if lights.is_empty() {
            return tree;
        }
        let binary = binary_tree(lights);
        let mut waiting = vec![(0, NOWHERE)];
        while let Some((root, parent)) = waiting.pop() {
            let index = tree.nodes.len();
            let mut node = Node::default();
            for (slot, child) in children_of(&binary, root).into_iter().flatten().enumerate() {
                node.set(slot, &binary[child].bounds);
                match binary[child].kind {
                    Kind::Light(light) => {
                        node.link_light(slot, light);
                        tree.places[light] = place(index, slot);
                    }
                    Kind::Pair(_) => waiting.push((child, place(index, slot))),
                }
            }
            tree.nodes.push(node);
            tree.parents.push(parent);
            if parent != NOWHERE {
                tree.nodes[parent as usize / WIDTH].link_node(parent as usize % WIDTH, index);
            }
        }
        tree
    }

    /// What the root's children may bring: [`Node::importance`], zero without lights.
    pub fn root_importance(&self, query: &Query, two_sided: bool) -> Vec4 {
        self.nodes.first().map_or(Vec4::ZERO, |root| root.importance(query, two_sided))
    }

    /// The probability with which [`super::node::descend`] takes a light; `root` is [`Self::root_importance`].
    pub fn probability(&self, root: Vec4, query: &Query, two_sided: bool, light: usize) -> f32 {
        probability(&self.nodes, &self.parents, root, query, two_sided, self.places[light])
    }
}

/// Up to four sets that make up a set: the costliest is replaced by its two halves until there are four.
fn children_of(binary: &[Binary], root: usize) -> [Option<usize>; WIDTH] {
    let mut children = [None; WIDTH];
    children[0] = Some(root);
    for free in 1..WIDTH {
        let pair = |slot: usize| match binary[children[slot]?].kind {
            Kind::Pair(first) => Some((binary[children[slot]?].bounds.cost(), slot, first)),
            Kind::Light(_) => None,
        };
        let Some((_, slot, first)) = (0..free).filter_map(pair).max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        (children[slot], children[free]) = (Some(first), Some(first + 1));
    }
    children
}

/// Lights `start..end` of the order, which wait for their node.
struct Task {
    node: usize,
    start: usize,
    end: usize,
    depth: u32,
}

/// The root is first, and children come after their parents.
fn binary_tree(lights: &[LightBounds]) -> Vec<Binary> {
    let summaries: Vec<Summary> = lights.iter().map(Summary::from).collect();
    let mut order: Vec<u32> = (0..lights.len() as u32).collect();
    let waiting = || Binary { bounds: lights[0], kind: Kind::Light(0) };
    let mut nodes = Vec::with_capacity(2 * lights.len() - 1);
    nodes.push(waiting());
    let mut tasks = vec![Task { node: 0, start: 0, end: lights.len(), depth: 0 }];
    while let Some(Task { node, start, end, depth }) = tasks.pop() {
        let set = &mut order[start..end];
        if let [single] = *set {
            nodes[node] = Binary { bounds: lights[single as usize], kind: Kind::Light(single as usize) };
            continue;
        }
        let middle = start + split(&summaries, set, depth);
        let first = nodes.len();
        nodes[node].kind = Kind::Pair(first);
        nodes.extend([waiting(), waiting()]);
        tasks.push(Task { node: first + 1, start: middle, end, depth: depth + 1 });
        tasks.push(Task { node: first, start, end: middle, depth: depth + 1 });
    }
    for node in (0..nodes.len()).rev() {
        if let Kind::Pair(first) = nodes[node].kind {
            nodes[node].bounds = nodes[first].bounds.union(&nodes[first + 1].bounds);
        }
    }
    nodes
}
