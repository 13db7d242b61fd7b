//! The shortest path between two free positions: jump point search (Harabor and Grastien, "Online Graph
//! Pruning for Pathfinding on Grid Maps", 2011, and "Improving Jump Point Search", 2014), without cutting
//! corners. Of all shortest paths that are equal but for the order of their steps it follows one, so only
//! positions at which a way around a solid can begin become nodes. A scan passes 63 positions a step.
//!
//! With eight directions a leg goes diagonally first, then straight. With four it goes along the column
//! first, then along the row. A node stores its parent alone, from which its leg can be read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::IVec2;

use super::path::{DIAGONAL, PIXEL, Path, push_turn};
use crate::geometry::Aabb;
use crate::terrain::{BitPlane, FreePositions};

/// The memory of searches, to be kept from one to the next: then a search allocates nothing but its path.
///
/// It holds 48 to 96 bytes for each turn that the largest search met, and 16 to 32 for each one that
/// waited to be visited. After a search around other bodies ([`Ways::around`](super::Ways::around)) it
/// also holds a copy of the planes of the ways ([`Ways::memory_bytes`](super::Ways::memory_bytes)), which
/// is made again when the level was edited or the size of the body is another one. So a game that searches
/// around bodies keeps a `Search` for each size.
#[derive(Clone, Default)]
pub struct Search {
    /// The search from the start, and the one from the goal.
    sides: [Side; 2],
    /// A copy of the free positions, and the stamp of their terrain.
    copy: FreePositions,
    stamp: Option<u64>,
    points: Vec<IVec2>,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}

/// The expansions of the start's side before the goal's side begins, and for each one of that side.
const ALONE: u64 = 64;
const TURNS: u64 = 4;

impl Search {
    /// The shortest path between two free positions, which count from the origin of `free`.
    pub(super) fn path(
        &mut self,
        free: &FreePositions,
        ends: [IVec2; 2],
        eight: bool,
    ) -> Option<Path> {
        let side = self.side_with_path(free, ends, eight)?;
        let Self { sides, points, .. } = self;
        points.clear();
        let width = free.rows().len();
        let length = sides[side].read(width, ends[1 - side], eight, points);
        let origin = free.origin();
        let point = |point: &IVec2| *point + origin;
        let points = match side {
            0 => points.iter().rev().map(point).collect(),
            _ => points.iter().map(point).collect(),
        };
        Some(Path { points, length })
    }

    /// As [`Search::path`], around `bodies`. `stamp` is that of the terrain of `free`.
    pub(super) fn path_around(
        &mut self,
        (free, stamp): (&FreePositions, u64),
        bodies: &[Aabb],
        ends: [IVec2; 2],
        eight: bool,
    ) -> Option<Path> {
        if self.stamp != Some(stamp) || self.copy.size() != free.size() {
            self.copy.copy(free);
            self.stamp = Some(stamp);
        }
        let mut copy = std::mem::take(&mut self.copy);
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

    /// The number of the side that found a path; `None` if there is no path.
    ///
    /// A search that finds none visits all that is connected with its start. So after a while the goal's side
    /// searches too, a quarter as fast: the smaller of both parts ends the search.
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

enum Step {
    Open,
    Found,
    /// Nothing is left to visit.
    Ended,
}

/// A search from one position to another. Nodes are in an open table; a slot is free if it was written in an
/// earlier search.
#[derive(Clone, Default)]
struct Side {
    slots: Vec<Slot>,
    used: usize,
    search: u32,
    /// The least length of a whole path through a node, and the node.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    length: u64,
    search: u32,
    node: u32,
    parent: u32,
    /// The direction in which the node was reached, [`ANY`] for the start.
    dir: u8,
}

/// The straight directions by number. The diagonal ones are 0 right and down, 1 left and down, 2 right and
/// up, 3 left and up.
const STEPS: [IVec2; 4] = [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y];
const ANY: u8 = 4;

/// The length of a shortest path in the open.
fn distance(one: IVec2, other: IVec2, eight: bool) -> u64 {
    let [x, y] = [one.x.abs_diff(other.x), one.y.abs_diff(other.y)].map(u64::from);
    if eight { x.min(y) * DIAGONAL + x.abs_diff(y) * PIXEL } else { (x + y) * PIXEL }
}

fn number(at: IVec2, width: i32) -> u32 {
    (at.y * width + at.x) as u32
}

fn position(node: u32, width: i32) -> IVec2 {
    IVec2::new((node % width as u32) as i32, (node / width as u32) as i32)
}

/// The slot at which the search for a node begins, in a table with 2^n - 1 as its last slot, n > 0: the
/// upper n bits of a product.
#[inline(always)]
fn hash(node: u32, last: u32) -> u32 {
    node.wrapping_mul(0x9E37_79B1) >> last.leading_zeros()
}

impl Side {
    fn start(&mut self, free: &FreePositions, from: IVec2, to: IVec2, eight: bool) {
        if self.slots.is_empty() || self.search == u32::MAX {
            let size = self.slots.len().max(64);
            self.slots.clear();
            self.slots.resize(size, Slot::default());
            self.search = 0;
        }
        self.search += 1;
        self.used = 0;
        self.heap.clear();
        let node = number(from, free.rows().len());
        self.reach(node, 0, node, ANY);
        self.heap.push(Reverse((distance(from, to, eight), node)));
    }

    #[inline(always)]
    fn slot(&self, node: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(node, mask as u32) as usize;
        while self.slots[at].search == self.search && self.slots[at].node != node {
            at = (at + 1) & mask;
        }
        at
    }

    /// Stores a way to a node; false if a way that is as short is known.
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
        self.slots[at] = Slot { length, search: self.search, node, parent, dir };
        true
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old.into_iter().filter(|slot| slot.search == self.search) {
            let at = self.slot(slot.node);
            self.slots[at] = slot;
        }
    }

    /// Visits the node with the least length of a whole path.
    fn expand(&mut self, free: &FreePositions, goal: IVec2, eight: bool) -> Step {
        let Some(Reverse((whole, node))) = self.heap.pop() else {
            return Step::Ended;
        };
        let width = free.rows().len();
        let from = position(node, width);
        let Slot { length, dir, .. } = self.slots[self.slot(node)];
        if whole > length + distance(from, goal, eight) {
            // A shorter way to it was found later, and visited.
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
        let (scans, walks) = turns(free.rows(), from, dir, eight);
        for dir in ones(scans) {
            if let Some((end, pixels)) = scan(free, from, dir, goal) {
                add(end, length + pixels * PIXEL, dir);
            }
        }
        for walk in ones(walks) {
            // The two directions of scans from each position of the walk.
            let (step, one, other, pixels) = if eight {
                let (x, y) = (walk & 1, 2 + (walk >> 1));
                (STEPS[x as usize] + STEPS[y as usize], x, y, DIAGONAL)
            } else {
                (STEPS[walk as usize], 0, 1, PIXEL)
            };
            let (mut at, mut length) = (from, length);
            while can_step(free.rows(), at, step) {
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

    /// Adds the turns of the path from its end `last` back to the start of the search. Returns its length.
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

#[inline(always)]
fn ones(mut bits: u8) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        (bit < 8).then_some(bit)
    })
}

/// The directions to scan, and those to walk, from a node that was reached toward `dir`: its own, and those
/// that lead around a solid beside the position before it.
fn turns(rows: &BitPlane, at: IVec2, dir: u8, eight: bool) -> (u8, u8) {
    let free = |to: IVec2| rows.get(at.x + to.x, at.y + to.y);
    match (dir, eight) {
        (ANY, true) => (0b1111, 0b1111),
        (ANY, false) => (0b0011, 0b1100),
        _ => {
            let (mut scans, mut walks) = (1 << dir, 0);
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

#[inline(always)]
fn can_step(rows: &BitPlane, at: IVec2, step: IVec2) -> bool {
    rows.get(at.x + step.x, at.y + step.y)
        && rows.get(at.x + step.x, at.y)
        && rows.get(at.x, at.y + step.y)
}

/// The first position toward `dir` at which a path may turn, or that is the goal, and its distance. `None` at
/// a dead end.
#[inline(always)]
fn scan(free: &FreePositions, at: IVec2, dir: u8, goal: IVec2) -> Option<(IVec2, u64)> {
    let goal_on = |is_on: bool, place: i32| if is_on { place } else { -1 };
    let (end, start) = match dir {
        0 => (scan_up(free.rows(), at.x, at.y, goal_on(goal.y == at.y, goal.x))?, at.x),
        1 => (scan_down(free.rows(), at.x, at.y, goal_on(goal.y == at.y, goal.x))?, at.x),
        2 => (scan_up(free.columns(), at.y, at.x, goal_on(goal.x == at.x, goal.y))?, at.y),
        _ => (scan_down(free.columns(), at.y, at.x, goal_on(goal.x == at.x, goal.y))?, at.y),
    };
    let to = if dir < 2 { IVec2::new(end, at.y) } else { IVec2::new(at.x, end) };
    Some((to, end.abs_diff(start).into()))
}

/// [`scan`] over a line toward higher places. `goal` is the goal's place if it is on the line, else -1.
#[inline(always)]
fn scan_up(plane: &BitPlane, place: i32, line: i32, goal: i32) -> Option<i32> {
    let mut at = place;
    loop {
        let [here, one, other] = [0, -1, 1].map(|beside| plane.load(at, line + beside));
        let turn = (one & !(one << 1)) | (other & !(other << 1));
        // The first bit is the start, or was the last bit of the load before.
        let stop = (!here | turn) & !1;
        if stop != 0 {
            let bit = stop.trailing_zeros();
            let (end, is_free) = (at + bit as i32, here >> bit & 1 == 1);
            let meets_goal = goal > place && (goal < end || goal == end && is_free);
            return if meets_goal { Some(goal) } else { is_free.then_some(end) };
        }
        at += 63;
    }
}

/// [`scan_up`] toward lower places.
#[inline(always)]
fn scan_down(plane: &BitPlane, place: i32, line: i32, goal: i32) -> Option<i32> {
    let mut at = place;
    loop {
        let [here, one, other] = [0, -1, 1].map(|beside| plane.load(at - 63, line + beside));
        let turn = (one & !(one >> 1)) | (other & !(other >> 1));
        let stop = (!here | turn) & (u64::MAX >> 1);
        if stop != 0 {
            let bit = stop.leading_zeros();
            let (end, is_free) = (at - bit as i32, here << bit >> 63 == 1);
            let meets_goal = (0..place).contains(&goal) && (goal > end || goal == end && is_free);
            return if meets_goal { Some(goal) } else { is_free.then_some(end) };
        }
        at -= 63;
    }
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn nodes_are_spread_over_all_of_a_table_of_any_size() {
        for bits in 6..32 {
            let last = u32::MAX >> (32 - bits);
            let eighths: u32 =
                (0..1_000).map(|node| 1 << (hash(node, last) >> (bits - 3))).fold(0, |a, b| a | b);
            assert_eq!(eighths, 0xFF, "{bits} bits");
        }
    }
}
