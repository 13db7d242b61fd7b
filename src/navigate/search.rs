//! The shortest path between two free positions, by jump point search (Harabor and Grastien, "Online Graph
//! Pruning for Pathfinding on Grid Maps", 2011, and "Improving Jump Point Search", 2014), without cutting
//! corners. Many shortest paths differ only in the order of their steps; the search follows only one of them.
//! So only positions where a way around a solid can begin become nodes. A scan along a row or column tests 63
//! positions at once.
//!
//! A leg is the part of a path between two nodes. With eight directions, a leg is first diagonal, then
//! straight. With four directions, it first follows the column, then the row. So a node need only store its
//! parent, and the leg follows from the two positions.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::IVec2;

use super::path::{Path, push_turn};
use super::{DIAGONAL, PIXEL, STEPS};
use crate::geometry::Aabb;
use crate::terrain::{BitPlane, FreePositions};

/// The memory of [`Ways::path`](super::Ways::path). If a game keeps it for the next search, that search
/// allocates only its path.
///
/// It takes 48 to 96 bytes for each node that the largest search reached, and 16 to 32 bytes for each node
/// that waited to be visited. A node is a position where a path may turn. After a search around other bodies
/// ([`Ways::around`](super::Ways::around)) it also has a copy of the bit planes, of
/// [`Ways::memory_bytes`](super::Ways::memory_bytes). The copy is made again after an edit of the level, and
/// for a body of another size. So a game that searches around bodies should keep a `Search` for each size of
/// body.
#[derive(Clone, Default)]
pub struct Search {
    /// The search from the start, and the search from the goal.
    sides: [OneSearch; 2],
    /// A copy of the free positions, for searches around bodies.
    copy: FreePositions,
    /// The turns of the found path, in the order in which they are collected: from its end back to its start.
    points: Vec<IVec2>,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}

/// The number of nodes that the search from the start visits before the search from the goal begins.
const ALONE: u64 = 64;
/// The number of nodes that the search from the start visits for each node that the search from the goal
/// visits.
const TURNS: u64 = 4;

impl Search {
    /// The shortest path between two free positions, in coordinates of the bit planes of `free`. `eight` is
    /// true for paths with diagonal steps.
    pub(super) fn path(
        &mut self,
        free: &FreePositions,
        ends: [IVec2; 2],
        eight: bool,
    ) -> Option<Path> {
        let side = self.side_with_path(free, ends, eight)?;
        let Self { sides, points, .. } = self;
        points.clear();
        let width = free.rows.len;
        let length = sides[side].read(width, ends[1 - side], eight, points);
        let origin = free.origin;
        if side == 0 {
            points.reverse();
        }
        Some(Path { points: points.iter().map(|point| *point + origin).collect(), length })
    }

    /// Like [`Search::path`], for a path around `bodies`.
    pub(super) fn path_around(
        &mut self,
        free: &FreePositions,
        bodies: &[Aabb],
        ends: [IVec2; 2],
        eight: bool,
    ) -> Option<Path> {
        let mut copy = std::mem::take(&mut self.copy);
        copy.copy(free);
        for body in bodies {
            copy.block(&free.touching(body.min, body.max));
        }
        let path = self.path(&copy, ends, eight);
        for body in bodies {
            copy.restore(free, &free.touching(body.min, body.max));
        }
        self.copy = copy;
        path
    }

    /// The index in `sides` of the search that found a path; `None` if there is no path.
    ///
    /// If there is no path, a search visits all positions that are connected with its start. So after
    /// [`ALONE`] nodes the search from the goal begins too, and visits one node for [`TURNS`] nodes of the
    /// other. The search with the smaller connected part ends first.
    fn side_with_path(
        &mut self,
        free: &FreePositions,
        [from, to]: [IVec2; 2],
        eight: bool,
    ) -> Option<usize> {
        self.sides[0].start(free, from, to, eight);
        for count in 1_u64.. {
            match self.sides[0].expand(free, to, eight) {
                Step::Found => return Some(0),
                Step::Ended => return None,
                Step::Open => {}
            }
            if count == ALONE {
                self.sides[1].start(free, to, from, eight);
            }
            if count >= ALONE && count % TURNS == 0 {
                match self.sides[1].expand(free, from, eight) {
                    Step::Found => return Some(1),
                    Step::Ended => return None,
                    Step::Open => {}
                }
            }
        }
        None
    }
}

/// The outcome of a visit of one node.
enum Step {
    /// The goal is not reached yet, and the search can visit a further node.
    Open,
    /// The goal is reached, on a shortest path.
    Found,
    /// There is no node left to visit, so there is no path.
    Ended,
}

/// A search from one position to another. `slots` is a hash table of nodes with open addressing. A slot is
/// free if it was written in an earlier search.
#[derive(Clone, Default)]
struct OneSearch {
    slots: Vec<NodeSlot>,
    /// The number of slots that hold a node of the current search.
    used: usize,
    search: u32,
    /// The nodes to visit. The first number is a lower bound for the length of a path through the node, the
    /// second is the node.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

/// A node: its number (see [`number`]), the shortest known length from the start, and its parent.
#[derive(Clone, Copy, Default)]
struct NodeSlot {
    length: u64,
    search: u32,
    node: u32,
    parent: u32,
    /// The direction in which the node was reached, an index in [`STEPS`]; [`ANY`] for the start.
    dir: u8,
}

/// The direction number of the start node, from which all directions are searched.
const ANY: u8 = 4;

/// The length of a shortest path without obstacles.
fn distance(one: IVec2, other: IVec2, eight: bool) -> u64 {
    let [x, y] = [one.x.abs_diff(other.x), one.y.abs_diff(other.y)].map(u64::from);
    if eight { x.min(y) * DIAGONAL + x.abs_diff(y) * PIXEL } else { (x + y) * PIXEL }
}

/// The number of the node at a position: the index of the position, row by row, in a bit plane of `width`
/// columns.
fn number(at: IVec2, width: i32) -> u32 {
    (at.y * width + at.x) as u32
}

/// The position of the node with this [`number`], in a bit plane of `width` columns.
fn position(node: u32, width: i32) -> IVec2 {
    IVec2::new((node % width as u32) as i32, (node / width as u32) as i32)
}

/// The index of the slot at which the look-up of the node number `node` begins, in a hash table of 2^n slots:
/// the upper n bits of the product of `node` and a constant. `last` is the index of the last slot, 2^n - 1,
/// and n must not be 0.
#[inline(always)]
fn hash(node: u32, last: u32) -> u32 {
    node.wrapping_mul(0x9E37_79B1) >> last.leading_zeros()
}

impl OneSearch {
    /// Starts a search and forgets the last search.
    fn start(&mut self, free: &FreePositions, from: IVec2, to: IVec2, eight: bool) {
        if self.slots.is_empty() || self.search == u32::MAX {
            let size = self.slots.len().max(64);
            self.slots.clear();
            self.slots.resize(size, NodeSlot::default());
            self.search = 0;
        }
        self.search += 1;
        self.used = 0;
        self.heap.clear();
        let node = number(from, free.rows.len);
        self.reach(node, 0, node, ANY);
        self.heap.push(Reverse((distance(from, to, eight), node)));
    }

    /// The index in `slots` of the slot of a node, or of the free slot where it would be stored.
    #[inline(always)]
    fn slot(&self, node: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(node, mask as u32) as usize;
        while self.slots[at].search == self.search && self.slots[at].node != node {
            at = (at + 1) & mask;
        }
        at
    }

    /// Stores a way to a node: its length, its parent and its last direction. Returns false if a way of at
    /// most the same length is known.
    #[inline(always)]
    fn reach(&mut self, node: u32, length: u64, parent: u32, dir: u8) -> bool {
        let mut at = self.slot(node);
        if self.slots[at].search == self.search {
            if self.slots[at].length <= length {
                return false;
            }
        } else {
            self.used += 1;
            if self.used * 2 > self.slots.len() {
                self.grow();
                at = self.slot(node);
            }
        }
        self.slots[at] = NodeSlot { length, search: self.search, node, parent, dir };
        true
    }

    /// Doubles the size of the hash table `slots`.
    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![NodeSlot::default(); size]);
        for slot in old.into_iter().filter(|slot| slot.search == self.search) {
            let at = self.slot(slot.node);
            self.slots[at] = slot;
        }
    }

    /// Visits the node with the smallest lower bound for a path through it, and adds the nodes that follow
    /// it.
    fn expand(&mut self, free: &FreePositions, goal: IVec2, eight: bool) -> Step {
        let Some(Reverse((whole, node))) = self.heap.pop() else {
            return Step::Ended;
        };
        let width = free.rows.len;
        let from = position(node, width);
        let NodeSlot { length, dir, .. } = self.slots[self.slot(node)];
        if whole > length + distance(from, goal, eight) {
            // A shorter way to this node was found later, and the node has been visited on that way.
            return Step::Open;
        }
        if from == goal {
            return Step::Found;
        }
        let mut add = |end: IVec2, length: u64, dir: u8| {
            let end_node = number(end, width);
            if self.reach(end_node, length, node, dir) {
                self.heap.push(Reverse((length + distance(end, goal, eight), end_node)));
            }
        };
        let (scans, walks) = turns(&free.rows, from, dir, eight);
        for dir in ones(scans) {
            if let Some((end, pixels)) = scan(free, from, dir, goal) {
                add(end, length + pixels * PIXEL, dir);
            }
        }
        for walk in ones(walks) {
            // `step` is the direction of the walk. `one` and `other` are the directions of the two scans from
            // each of its positions.
            let (step, one, other, pixels) = if eight {
                let x = walk & 1;
                let y = 2 + (walk >> 1);
                (STEPS[x as usize] + STEPS[y as usize], x, y, DIAGONAL)
            } else {
                (STEPS[walk as usize], 0, 1, PIXEL)
            };
            let mut at = from;
            let mut length = length;
            while can_step(&free.rows, at, step) {
                (at, length) = (at + step, length + pixels);
                if at == goal {
                    add(at, length, ANY);
                    break;
                }
                for dir in [one, other] {
                    if let Some((end, pixels)) = scan(free, at, dir, goal) {
                        add(end, length + pixels * PIXEL, dir);
                    }
                }
            }
        }
        Step::Open
    }

    /// Adds the turns of the found path to `points`, from its end `last` back to the start of this search.
    /// Returns the length of the path.
    fn read(&self, width: i32, last: IVec2, eight: bool, points: &mut Vec<IVec2>) -> u64 {
        points.push(last);
        let mut node = number(last, width);
        let length = self.slots[self.slot(node)].length;
        loop {
            let parent = self.slots[self.slot(node)].parent;
            if parent == node {
                return length;
            }
            let from = position(parent, width);
            let way = position(node, width) - from;
            let diagonal = way.signum() * way.abs().min_element();
            push_turn(points, from + if eight { diagonal } else { IVec2::new(0, way.y) });
            push_turn(points, from);
            node = parent;
        }
    }
}

/// The indices of the bits of `bits` that are 1, from the lowest bit on.
#[inline(always)]
fn ones(mut bits: u8) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        (bit < 8).then_some(bit)
    })
}

/// The directions to scan and the directions to walk from a node that was reached in direction `dir`, with a
/// bit for each direction. They are `dir` itself, and the directions that lead around a solid beside the
/// position before the node. A walk scans from each of its positions.
fn turns(rows: &BitPlane, at: IVec2, dir: u8, eight: bool) -> (u8, u8) {
    let free = |to: IVec2| rows.get(at.x + to.x, at.y + to.y);
    match (dir, eight) {
        (ANY, true) => (0b1111, 0b1111),
        (ANY, false) => (0b0011, 0b1100),
        _ => {
            let mut scans = 1 << dir;
            let mut walks = 0;
            let back = -STEPS[dir as usize];
            for side in if dir < 2 { [2, 3] } else { [0, 1] } {
                let beside = STEPS[side as usize];
                if free(beside) && !free(beside + back) {
                    let (x, y) = if dir < 2 { (dir, side) } else { (side, dir) };
                    if eight {
                        scans |= 1 << side;
                        walks |= 1 << (x + 2 * (y - 2));
                    } else {
                        walks |= 1 << side;
                    }
                }
            }
            (scans, walks)
        }
    }
}

/// True if the body can move by `step` from a position. A diagonal step also needs the two positions beside
/// it to be free.
#[inline(always)]
fn can_step(rows: &BitPlane, at: IVec2, step: IVec2) -> bool {
    rows.get(at.x + step.x, at.y + step.y)
        && rows.get(at.x + step.x, at.y)
        && rows.get(at.x, at.y + step.y)
}

/// The first position toward `dir` where a path may turn, or the goal if it comes first, and the distance in
/// pixels. `None` if a solid comes first.
#[inline(always)]
fn scan(free: &FreePositions, at: IVec2, dir: u8, goal: IVec2) -> Option<(IVec2, u64)> {
    let in_row = if goal.y == at.y { goal.x } else { -1 };
    let in_column = if goal.x == at.x { goal.y } else { -1 };
    let (end, start) = match dir {
        0 => (scan_line::<true>(&free.rows, at.x, at.y, in_row)?, at.x),
        1 => (scan_line::<false>(&free.rows, at.x, at.y, in_row)?, at.x),
        2 => (scan_line::<true>(&free.columns, at.y, at.x, in_column)?, at.y),
        _ => (scan_line::<false>(&free.columns, at.y, at.x, in_column)?, at.y),
    };
    let to = if dir < 2 { IVec2::new(end, at.y) } else { IVec2::new(at.x, end) };
    Some((to, end.abs_diff(start).into()))
}

/// [`scan`] along row (or column) number `line` of the bit plane, toward greater coordinates if `UP` is true.
/// The start `place`, the goal and the result are coordinates along this row. `goal` is -1 if the goal is not
/// in the row.
#[inline(always)]
fn scan_line<const UP: bool>(plane: &BitPlane, place: i32, line: i32, goal: i32) -> Option<i32> {
    let (mut first, step) = if UP { (place, 63) } else { (place - 63, -63) };
    loop {
        let [here, one, other] = [0, -1, 1].map(|beside| plane.load(first, line + beside));
        let before = |bits: u64| if UP { bits << 1 } else { bits >> 1 };
        let turn = (one & !before(one)) | (other & !before(other));
        // One bit is left out: it is the start of the scan, or it was tested with the word before.
        let stop = (!here | turn) & if UP { !1 } else { u64::MAX >> 1 };
        if stop != 0 {
            let bit = if UP { stop.trailing_zeros() } else { stop.ilog2() };
            let end = first + bit as i32;
            let is_free = here >> bit & 1 == 1;
            let is_ahead = if UP { goal > place } else { (0..place).contains(&goal) };
            let is_before_end = if UP { goal < end } else { goal > end };
            let meets_goal = is_ahead && (is_before_end || goal == end && is_free);
            return if meets_goal { Some(goal) } else { is_free.then_some(end) };
        }
        first += step;
    }
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn nodes_are_hashed_to_all_parts_of_a_table_of_any_size() {
        for bits in 6..32 {
            let last = u32::MAX >> (32 - bits);
            let eighths: u32 =
                (0..1_000).map(|node| 1 << (hash(node, last) >> (bits - 3))).fold(0, |a, b| a | b);
            assert_eq!(eighths, 0xFF, "{bits} bits");
        }
    }
}
