//! Building a tree over lights: binned splits by the surface-area-orientation heuristic.

use glam::Vec3;

use super::bounds::LightBounds;
use super::node::Node;

/// A finished tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The root is first; children stand in pairs. Empty without lights.
    pub nodes: Vec<Node>,
    /// The way from the root to each light, a bit a level: 1 goes right.
    pub trails: Vec<u64>,
}

const BINS: usize = 12;
/// From here on sets are halved: a way to a light must fit into 64 bits.
const DEEPEST_BINNED: u32 = 30;
/// Above, only the longest axis is tried: the others hardly ever win in a large set.
const MANY: usize = 4096;

/// A set that waits for its node: lights `start..end` of the order.
struct Task {
    node: usize,
    start: usize,
    end: usize,
    depth: u32,
    trail: u64,
}

impl Tree {
    /// One leaf a light, in O(n log n). The same lights always give the same tree.
    pub fn build(lights: &[LightBounds]) -> Self {
        let mut trails = vec![0; lights.len()];
        let Some(first) = lights.first() else { return Self::default() };
        let mut nodes = Vec::with_capacity(2 * lights.len() - 1);
        nodes.push(Node::leaf(first, 0));
        let mut order: Vec<u32> = (0..lights.len() as u32).collect();
        let mut tasks = vec![Task { node: 0, start: 0, end: lights.len(), depth: 0, trail: 0 }];
        while let Some(Task { node, start, end, depth, trail }) = tasks.pop() {
            let set = &mut order[start..end];
            if let [single] = *set {
                nodes[node] = Node::leaf(&lights[single as usize], single as usize);
                trails[single as usize] = trail;
                continue;
            }
            let bounds = union_of(lights, set);
            let middle = start + split(lights, set, &bounds, depth);
            let children = nodes.len();
            nodes[node] = Node::inner(&bounds, children);
            nodes.extend([nodes[node]; 2]);
            let depth = depth + 1;
            let right = trail | 1 << (depth - 1);
            tasks.push(Task { node: children + 1, start: middle, end, depth, trail: right });
            tasks.push(Task { node: children, start, end: middle, depth, trail });
        }
        Self { nodes, trails }
    }

    /// Bounds-based estimate for the whole tree.
    pub fn root(&self) -> Option<&Node> {
        self.nodes.first()
    }
}

fn union_of(lights: &[LightBounds], set: &[u32]) -> LightBounds {
    let first = lights[set[0] as usize];
    set[1..].iter().fold(first, |all, &light| all.union(&lights[light as usize]))
}

/// Reorders the set (two lights or more) and returns where its right part begins: never at an end.
fn split(lights: &[LightBounds], set: &mut [u32], bounds: &LightBounds, depth: u32) -> usize {
    let center = |light: u32| lights[light as usize].center();
    let (low, high) = set.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &light| {
        (low.min(center(light)), high.max(center(light)))
    });
    let size = high - low;
    let longest = size.max_position();
    if depth >= DEEPEST_BINNED {
        return halve(lights, set, longest);
    }
    let candidates = (0..3).filter(|&axis| size[axis] > 0.0 && (set.len() <= MANY || axis == longest));
    // Long thin sets are split across (section 4.4's regularisation).
    let best = candidates
        .filter_map(|axis| {
            let (cost, bin) = cheapest_bin(lights, set, (low[axis], size[axis]), axis)?;
            Some((cost * size[longest] / size[axis], axis, bin))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((cost, axis, bin)) = best else { return halve(lights, set, longest) };
    if !cost.is_finite() {
        return halve(lights, set, bounds.center().max_position());
    }
    partition(set, |light| bin_of(center(light)[axis], (low[axis], size[axis])) <= bin)
}

/// Two equal parts along an axis: where all centres coincide, or a tree would grow too deep.
fn halve(lights: &[LightBounds], set: &mut [u32], axis: usize) -> usize {
    let middle = set.len() / 2;
    let key = |light: u32| lights[light as usize].center()[axis];
    set.select_nth_unstable_by(middle, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
    middle
}

fn bin_of(at: f32, (low, size): (f32, f32)) -> usize {
    (((at - low) / size * BINS as f32) as usize).min(BINS - 1)
}

/// The cheapest last bin of a left part along an axis, with its cost.
fn cheapest_bin(lights: &[LightBounds], set: &[u32], range: (f32, f32), axis: usize) -> Option<(f32, usize)> {
    let mut bins: [Option<LightBounds>; BINS] = [None; BINS];
    for &light in set {
        let light = &lights[light as usize];
        join(&mut bins[bin_of(light.center()[axis], range)], light);
    }
    let mut costs = [0.0; BINS];
    let mut part = None;
    for (bin, cost) in bins.iter().zip(&mut costs) {
        bin.iter().for_each(|bin| join(&mut part, bin));
        *cost = part.as_ref().map_or(f32::NAN, LightBounds::cost);
    }
    let mut best: Option<(f32, usize)> = None;
    let mut part = None;
    for last in (0..BINS - 1).rev() {
        bins[last + 1].iter().for_each(|bin| join(&mut part, bin));
        let cost = costs[last] + part.as_ref().map_or(f32::NAN, LightBounds::cost);
        if best.map_or(!cost.is_nan(), |(cheapest, _)| cost < cheapest) {
            best = Some((cost, last));
        }
    }
    best
}

fn join(sum: &mut Option<LightBounds>, more: &LightBounds) {
    *sum = Some(sum.map_or(*more, |sum| sum.union(more)));
}

/// Moves those that satisfy `left` to the front, keeping the order of neither; returns their number.
fn partition(set: &mut [u32], left: impl Fn(u32) -> bool) -> usize {
    let mut count = 0;
    for i in 0..set.len() {
        if left(set[i]) {
            set.swap(i, count);
            count += 1;
        }
    }
    count
}
