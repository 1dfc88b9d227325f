//! Depth-first, nearest child first.

use std::mem::MaybeUninit;

use super::node::{Child, Node, Tree};
use super::slabs::{Entered, FARTHER};
use crate::geometry::accel::search::Search;
use crate::geometry::accel::simd::Simd;

/// A child put aside, and the distance at which the ray enters it.
#[derive(Clone, Copy)]
pub struct Aside {
    child: Child,
    t: f32,
}

/// Room for a tree 36 nodes deep; ten million triangles make about 10.
const INLINE: usize = 256;

/// Gives `f` a stack for `need` entries: on the thread's stack, or on the heap for a tree of uncommon depth.
#[inline(always)]
pub fn with_stack<R>(need: usize, use_it: impl StackUser<R>) -> R {
    if need <= INLINE {
        use_it.call(&mut [MaybeUninit::uninit(); INLINE])
    } else {
        use_it.call(&mut vec![MaybeUninit::uninit(); need])
    }
}

/// What runs on a stack. Not a closure, as those are not sure to be inlined, which SIMD code must be.
pub trait StackUser<R> {
    fn call(self, stack: &mut [MaybeUninit<Aside>]) -> R;
}

/// A ray or several, against a node's boxes.
pub trait Boxes<S: Simd> {
    /// The children that may hold something nearer than `t_max`.
    fn enter(&self, s: S, node: &Node, t_max: f32) -> Entered;
}

/// What a walk looks for.
pub trait Wanted {
    /// Nothing farther is wanted any more.
    fn t_max(&self) -> f32;
}

impl Wanted for Search {
    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t
    }
}

/// What is done at a tree's leaves.
pub trait Leaves<W> {
    /// Whether the walk is over with the first hit.
    const ANY: bool;
    /// Offers the leaf's hits to `wanted`; true where there was one.
    fn visit(&mut self, leaf: usize, wanted: &mut W) -> bool;
}

/// A stack of fixed room.
struct Stack<'a> {
    entries: &'a mut [MaybeUninit<Aside>],
    len: usize,
}

impl Stack<'_> {
    /// The nearest of those put aside that still matter.
    #[inline(always)]
    fn pop(&mut self, t_max: f32) -> Option<Child> {
        while self.len > 0 {
            self.len -= 1;
            // SAFETY: every entry below `len` was written by `push`.
            let aside = unsafe { self.entries.get_unchecked(self.len).assume_init() };
            if aside.t <= t_max * FARTHER {
                return Some(aside.child);
            }
        }
        None
    }

    /// Puts all children but the nearest aside, the farthest lowest where it is worth the time, and returns that one.
    ///
    /// # Safety
    /// `entered.lanes` is not 0, and there is room for one less than it has bits.
    #[inline(always)]
    unsafe fn push_all_but_nearest(&mut self, node: &Node, entered: &Entered, sort: bool) -> Child {
        let floor = self.len;
        let mut lanes = entered.lanes;
        let mut next = || {
            let lane = lanes.trailing_zeros() as usize & 7;
            lanes &= lanes - 1;
            (Aside { child: node.children[lane], t: entered.t.0[lane] }, lanes != 0)
        };
        let (mut nearest, mut more) = next();
        while more {
            let mut aside;
            (aside, more) = next();
            if aside.t < nearest.t {
                std::mem::swap(&mut aside, &mut nearest);
            }
            // SAFETY: the caller promises room.
            unsafe { self.insert(aside, if sort { floor } else { self.len }) };
        }
        nearest.child
    }

    /// Puts `aside` below the nearer ones of those from `floor` on.
    ///
    /// # Safety
    /// `floor` ≤ `len`, and there is room for one more.
    #[inline(always)]
    unsafe fn insert(&mut self, aside: Aside, floor: usize) {
        let mut at = self.len;
        // SAFETY: `at` stays within floor..=len, for which the caller promises room; entries below `len` were written.
        unsafe {
            while at > floor && self.entries.get_unchecked(at - 1).assume_init().t < aside.t {
                *self.entries.get_unchecked_mut(at) = *self.entries.get_unchecked(at - 1);
                at -= 1;
            }
            self.entries.get_unchecked_mut(at).write(aside);
        }
        self.len += 1;
    }
}

/// Visits all leaves of `tree` that may hold a hit that is `wanted`. True where `L::ANY` and a leaf had a hit.
#[inline(always)]
pub fn walk<S: Simd, W: Wanted, L: Leaves<W>>(
    s: S,
    tree: &Tree,
    boxes: &impl Boxes<S>,
    stack: &mut [MaybeUninit<Aside>],
    wanted: &mut W,
    leaves: &mut L,
) -> bool {
    // What makes the pushes below safe: a walk puts at most this many aside.
    assert!(stack.len() >= tree.stack_need());
    let mut stack = Stack { entries: stack, len: 0 };
    let mut current = Child::inner(0);
    loop {
        if let Some(leaf) = current.as_leaf() {
            if leaves.visit(leaf, wanted) && L::ANY {
                return true;
            }
        } else {
            let node = &tree.nodes[current.index()];
            let entered = boxes.enter(s, node, wanted.t_max());
            if entered.lanes != 0 {
                // SAFETY: at most 7 are put aside on each level: within `stack_need`, asserted at the start. Any hit is
                // as good as the nearest where `ANY`, so there the order is not worth its time.
                current = unsafe { stack.push_all_but_nearest(node, &entered, !L::ANY) };
                continue;
            }
        }
        match stack.pop(wanted.t_max()) {
            Some(child) => current = child,
            None => return false,
        }
    }
}
