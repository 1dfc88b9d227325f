//! Depth-first, nearest child first.

use std::mem::MaybeUninit;

use super::node::{Child, Node, Tree};
use super::slabs::{Entered, FARTHER};
use crate::geometry::accel::search::Search;
use crate::geometry::accel::simd::Simd;

/// A child that the ray enters at distance `t`.
#[derive(Clone, Copy)]
struct Entry {
    child: Child,
    t: f32,
}

/// An [`Entry`] put aside, as one number: the distance's bits above the child's. Distances are not negative, so that the
/// order of the numbers is that of the distances, and they are sorted without a branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Aside(u64);

impl Aside {
    #[inline(always)]
    fn new(entry: Entry) -> Self {
        Self(u64::from(entry.t.to_bits()) << 32 | u64::from(entry.child.bits()))
    }

    #[inline(always)]
    fn child(self) -> Child {
        Child::from_bits(self.0 as u32)
    }

    /// Whether the ray enters the child before `t`, which is not negative.
    #[inline(always)]
    fn is_within(self, t: f32) -> bool {
        (self.0 >> 32) as u32 <= t.to_bits()
    }

    /// The nearer one first.
    #[inline(always)]
    fn sorted(self, other: Self) -> (Self, Self) {
        (self.min(other), self.max(other))
    }
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
    /// What `visit` reads first: where leaf 0 has it, and the bytes from one leaf's to the next's.
    fn records(&self) -> (*const u8, usize);
}

/// Where nodes and leaves are, to ask for them before they are read: most of a large scene is not in the cache.
struct Records {
    first: [*const u8; 2],
    stride: [usize; 2],
}

impl Records {
    #[inline(always)]
    fn new<W>(tree: &Tree, leaves: &impl Leaves<W>) -> Self {
        let (leaf, stride) = leaves.records();
        Self { first: [tree.nodes.as_ptr().cast(), leaf], stride: [size_of::<Node>(), stride] }
    }

    #[inline(always)]
    fn prefetch(&self, s: impl Simd, child: Child) {
        let kind = usize::from(child.as_leaf().is_some());
        s.prefetch(self.first[kind].wrapping_add(child.index() * self.stride[kind]));
    }
}

/// What is left of the children that a ray enters.
struct Entries<'a> {
    node: &'a Node,
    entered: &'a Entered,
    lanes: u32,
}

impl Entries<'_> {
    #[inline(always)]
    fn next(&mut self) -> Entry {
        let lane = self.lanes.trailing_zeros() as usize & 7;
        self.lanes &= self.lanes - 1;
        Entry { child: self.node.children[lane], t: self.entered.t.0[lane] }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.lanes == 0
    }
}

/// A stack of fixed room.
struct Stack<'a, S> {
    s: S,
    records: Records,
    entries: &'a mut [MaybeUninit<Aside>],
    len: usize,
}

impl<S: Simd> Stack<'_, S> {
    /// The nearest of those put aside that still matter.
    #[inline(always)]
    fn pop(&mut self, t_max: f32) -> Option<Child> {
        while self.len > 0 {
            self.len -= 1;
            // SAFETY: every entry below `len` was written by `push`.
            let aside = unsafe { self.entries.get_unchecked(self.len).assume_init() };
            if aside.is_within(t_max * FARTHER) {
                return Some(aside.child());
            }
        }
        None
    }

    /// Puts all children but the nearest aside, the farthest lowest, and returns that one.
    ///
    /// # Safety
    /// `entered.lanes` is not 0, and there is room for one less than it has bits.
    #[inline(always)]
    unsafe fn push_all_but_nearest(&mut self, node: &Node, entered: &Entered) -> Child {
        let mut rest = Entries { node, entered, lanes: entered.lanes };
        let first = rest.next();
        if rest.is_empty() {
            return first.child;
        }
        let second = rest.next();
        if rest.is_empty() {
            // With a branch, which guesses the nearer one: the walk goes on while the distances are still awaited.
            let (near, far) = if second.t < first.t { (second, first) } else { (first, second) };
            // SAFETY: the caller promises room.
            unsafe { self.push(Aside::new(far)) };
            return near.child;
        }
        // SAFETY: the caller promises room.
        unsafe { self.push_some(Aside::new(first), Aside::new(second), rest) }
    }

    /// The same for three or more: `rest` is not empty.
    ///
    /// # Safety
    /// There is room for one more than are in `rest`.
    #[inline(always)]
    unsafe fn push_some(&mut self, a: Aside, b: Aside, mut rest: Entries) -> Child {
        let floor = self.len;
        let (a, b) = a.sorted(b);
        let (a, c) = a.sorted(Aside::new(rest.next()));
        let (b, c) = b.sorted(c);
        // SAFETY: the caller promises room.
        unsafe {
            self.push(c);
            self.push(b);
        }
        let mut nearest = a;
        while !rest.is_empty() {
            let farther;
            (nearest, farther) = nearest.sorted(Aside::new(rest.next()));
            // SAFETY: the caller promises room; `floor` was `len`, which only grew.
            unsafe { self.insert(farther, floor) };
        }
        nearest.child()
    }

    /// # Safety
    /// There is room for one more.
    #[inline(always)]
    unsafe fn push(&mut self, aside: Aside) {
        self.records.prefetch(self.s, aside.child());
        // SAFETY: the caller promises room.
        unsafe { self.entries.get_unchecked_mut(self.len).write(aside) };
        self.len += 1;
    }

    /// Puts `aside` below the nearer ones of those from `floor` on.
    ///
    /// # Safety
    /// `floor` ≤ `len`, and there is room for one more.
    #[inline(always)]
    unsafe fn insert(&mut self, aside: Aside, floor: usize) {
        self.records.prefetch(self.s, aside.child());
        let mut at = self.len;
        // SAFETY: `at` stays within floor..=len, for which the caller promises room; entries below `len` were written.
        unsafe {
            while at > floor && self.entries.get_unchecked(at - 1).assume_init() < aside {
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
    let mut stack = Stack { s, records: Records::new(tree, leaves), entries: stack, len: 0 };
    let mut current = tree.root;
    loop {
        if let Some(leaf) = current.as_leaf() {
            if leaves.visit(leaf, wanted) && L::ANY {
                return true;
            }
        } else {
            let node = &tree.nodes[current.index()];
            let entered = boxes.enter(s, node, wanted.t_max());
            if entered.lanes != 0 {
                // SAFETY: at most 7 are put aside on each level: within `stack_need`, asserted at the start.
                current = unsafe { stack.push_all_but_nearest(node, &entered) };
                continue;
            }
        }
        match stack.pop(wanted.t_max()) {
            Some(child) => current = child,
            None => return false,
        }
    }
}
