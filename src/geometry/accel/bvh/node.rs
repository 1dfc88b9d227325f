//! What a wide tree is made of.

use crate::geometry::accel::bounds::Bounds;
use crate::geometry::accel::simd::{LANES, Lanes};
use crate::geometry::accel::triangle::Corners;

/// Children of a node.
pub const WIDTH: usize = LANES;

/// Where a child is. An inner node's index, or a leaf's with the top bit set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Child(u32);

const LEAF_BIT: u32 = 1 << 31;

impl Child {
    /// No child: its box is empty. A leaf that is in no list, for rays whose numbers overflow and meet it nevertheless.
    pub const NONE: Self = Self(u32::MAX);

    pub fn inner(index: usize) -> Self {
        Self(index as u32)
    }

    pub fn leaf(index: usize) -> Self {
        Self(index as u32 | LEAF_BIT)
    }

    #[inline(always)]
    pub fn as_leaf(self) -> Option<usize> {
        (self.0 & LEAF_BIT != 0).then_some(self.index())
    }

    /// The child as a number.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The child with these [`Self::bits`].
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The same one by the numbers of [`Node::moved`].
    pub fn moved(self, nodes: usize, leaves: usize) -> Self {
        match self.as_leaf() {
            Some(_) if self == Self::NONE => self,
            Some(leaf) => Self::leaf(leaf + leaves),
            None => Self::inner(self.index() + nodes),
        }
    }

    /// Among the nodes, or among the leaves.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !LEAF_BIT) as usize
    }
}

/// Eight boxes, 224 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Node {
    /// min x, max x, min y, max y, min z, max z of the eight.
    pub planes: [Lanes; 6],
    pub children: [Child; WIDTH],
}

impl Node {
    pub const EMPTY: Self = {
        let (min, max) = (Lanes([f32::INFINITY; LANES]), Lanes([f32::NEG_INFINITY; LANES]));
        Self { planes: [min, max, min, max, min, max], children: [Child::NONE; WIDTH] }
    };

    /// The same one after nodes and leaves were put behind as many others.
    pub fn moved(&self, nodes: usize, leaves: usize) -> Self {
        Self { children: self.children.map(|child| child.moved(nodes, leaves)), ..*self }
    }

    pub fn set(&mut self, lane: usize, bounds: &Bounds, child: Child) {
        for axis in 0..3 {
            self.planes[2 * axis].0[lane] = bounds.min[axis];
            self.planes[2 * axis + 1].0[lane] = bounds.max[axis];
        }
        self.children[lane] = child;
    }
}

/// Up to eight triangles of a leaf, 320 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Pack {
    pub corners: Corners,
    /// Index of each triangle within its mesh; the first `count` of them are there.
    pub primitives: [u32; LANES],
}

/// Marks the unused lanes of a pack.
pub const NO_PRIMITIVE: u32 = u32::MAX;

impl Pack {
    pub const EMPTY: Self = Self { corners: Corners::EMPTY, primitives: [NO_PRIMITIVE; LANES] };
}

/// A tree over leaves that someone else keeps.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Node 0; or the leaf, where there is but one; or [`Child::NONE`].
    pub root: Child,
    pub nodes: Vec<Node>,
    pub bounds: Bounds,
    /// Nodes on the longest way from the root to a leaf.
    pub depth: usize,
}

impl Tree {
    pub fn empty() -> Self {
        Self { root: Child::NONE, nodes: Vec::new(), bounds: Bounds::EMPTY, depth: 0 }
    }

    /// Gives each leaf the number that `to` has for its own.
    pub fn renumber_leaves(&mut self, to: impl Fn(usize) -> usize) {
        let children = self.nodes.iter_mut().flat_map(|node| &mut node.children);
        for child in children.chain([&mut self.root]).filter(|child| **child != Child::NONE) {
            if let Some(leaf) = child.as_leaf() {
                *child = Child::leaf(to(leaf));
            }
        }
    }

    /// Entries that a depth-first walk keeps at most: of each node on the way, all children but the one it went into.
    pub fn stack_need(&self) -> usize {
        (WIDTH - 1) * self.depth + 1
    }

    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_what_the_memory_figures_assume() {
        assert_eq!(size_of::<Node>(), 224);
        assert_eq!(size_of::<Pack>(), 320);
    }

    #[test]
    fn a_child_is_a_node_or_a_leaf() {
        assert_eq!(Child::inner(7).as_leaf(), None);
        assert_eq!(Child::inner(7).index(), 7);
        assert_eq!(Child::leaf(7).as_leaf(), Some(7));
        assert_eq!(Child::leaf(7).index(), 7);
        for child in [Child::inner(7), Child::leaf(7), Child::NONE] {
            assert_eq!(Child::from_bits(child.bits()), child);
        }
    }

    #[test]
    fn children_move_with_what_they_stand_for() {
        assert_eq!(Child::inner(7).moved(10, 100), Child::inner(17));
        assert_eq!(Child::leaf(7).moved(10, 100), Child::leaf(107));
        assert_eq!(Child::NONE.moved(10, 100), Child::NONE);
    }
}
