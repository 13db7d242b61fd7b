//! The lattice of the free positions, and distances along it. The lattice consists of the columns and rows
//! (lines) of positions in which a run of free positions starts or ends. A map of cells has at most two lines
//! for each column and row of cells, whatever the size of the body. A node is a crossing of two lines.
//!
//! Between neighbouring lines all rows and columns are equal, so three bits for each node tell which
//! positions are free: those on the line to the next node on the right, those on the line to the next node
//! below, and those between these lines. A shortest path in four directions can be bent so that it follows
//! the lines from its first to its last crossing with them. (Larson and Li, "Finding Minimum Rectilinear
//! Distance Paths in the Presence of Barriers", 1981.) So distances along the lattice are exact.
//!
//! The search handles blocks of 2 x 2 nodes in buckets of similar distances (Meyer and Sanders, "Δ-stepping:
//! a parallelizable shortest path algorithm", 2003). A block may be handled again when a shorter way to it is
//! found. It never compares single positions.

use std::sync::Arc;

use glam::IVec2;

use super::{BitPlane, FreePositions};

/// The lines of one axis. Their number is even, so that they form pairs. The first can be just before the
/// bit plane, and the last just after it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lines {
    /// The columns or rows in rising order.
    places: Vec<i32>,
    /// For each pair of lines, the gap before it, between its lines and after it; 0 if there is no line.
    gaps: Vec<[u32; 3]>,
    /// For each column or row of the plane, the index of the last line that is not after it, or 0.
    last: Vec<u32>,
}

impl Lines {
    /// The lines of a bit plane where a run across its lines starts or ends, and the lines `crossed`.
    fn new(plane: &BitPlane, crossed: impl Iterator<Item = i32>) -> Self {
        let ends = (0..plane.count).filter(|line| has_ends(plane, *line));
        let mut places: Vec<i32> = ends.chain(crossed).collect();
        places.sort_unstable();
        places.dedup();
        // The smaller gaps are inside the pairs, so that a search seldom handles a block twice.
        let inside: i32 = places.chunks_exact(2).map(|pair| pair[1] - pair[0]).sum();
        if places.last().is_some_and(|last| inside > (last - places[0]) / 2) {
            places.insert(0, -1);
        }
        if places.len() % 2 == 1 {
            places.push(plane.count);
        }
        let gaps = places.windows(2).map(|pair| (pair[1] - pair[0]) as u32);
        let gaps: Vec<u32> = std::iter::once(0).chain(gaps).chain([0]).collect();
        let gaps = gaps.windows(3).step_by(2).map(|gaps| [gaps[0], gaps[1], gaps[2]]).collect();
        let count = |at: i32| places.partition_point(|place| *place <= at) as u32;
        let last = (0..plane.count).map(|at| count(at).saturating_sub(1)).collect();
        Self { places, gaps, last }
    }

    /// Returns the index and the distance of the line before `at` and of the line after it; twice the same
    /// line if `at` is a line. `None` outside the lattice.
    #[inline(always)]
    fn around(&self, at: i32) -> Option<[(usize, u32); 2]> {
        let before = *self.last.get(at as usize)? as usize;
        let past = u32::try_from(at - *self.places.get(before)?).ok()?;
        let after = before + usize::from(past > 0);
        Some([(before, past), (after, (*self.places.get(after)? - at) as u32)])
    }
}

/// True if a run of 1 bits across the lines of a plane starts or ends in line number `line`.
fn has_ends(plane: &BitPlane, line: i32) -> bool {
    let [before, here, after] =
        [0, 1, 2].map(|by| &plane.words[(line as usize + by) * plane.stride..][..plane.stride]);
    let beside = before.iter().zip(after);
    here.iter().zip(beside).any(|(here, (before, after))| here & !(before & after) != 0)
}

/// The bits of a block: a bit for each of its nodes, by rows, in each of four groups. The first group tells
/// which nodes are free.
type Bits = u32;
/// The first bit of the group for the positions on the line to the next node on the right.
const RIGHT: u32 = 4;
/// The same for the next node below. In the fourth group are the positions right of the node and below it.
const DOWN: u32 = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineLattice {
    x: Lines,
    y: Lines,
    /// The blocks of 2 x 2 nodes, by rows.
    blocks: Vec<Bits>,
}

impl LineLattice {
    /// The lattice of the free positions, with two more lines through each of the positions `crossed`. `None`
    /// if more than an eighth of the positions would be nodes: then it is no faster than a search over all
    /// positions. O(words of the planes + nodes).
    fn new(free: &FreePositions, crossed: &[IVec2]) -> Option<Arc<Self>> {
        let rows = &free.rows;
        let x = Lines::new(&free.columns, crossed.iter().map(|at| at.x));
        let y = Lines::new(rows, crossed.iter().map(|at| at.y));
        let nodes = x.places.len() * y.places.len();
        if nodes as u64 * 8 > rows.len as u64 * rows.count as u64 {
            return None;
        }
        let mut lattice = Self { x, y, blocks: vec![0; nodes / 4] };
        for j in 0..lattice.y.places.len() {
            for i in 0..lattice.x.places.len() {
                let (column, row) = (lattice.x.places[i], lattice.y.places[j]);
                let here = rows.load(column, row) as Bits & 3;
                if here & 1 == 1 {
                    let below = rows.load(column, row + 1) as Bits & 3;
                    // The bits of a position and of the next go to two neighbouring groups.
                    let groups = (here | here << 3) & 0x11 | ((below | below << 3) & 0x11) << DOWN;
                    let (block, node) = lattice.node(i, j);
                    lattice.blocks[block] |= groups << node;
                }
            }
        }
        Some(Arc::new(lattice))
    }

    /// The block of the node at two lines, and the number of the node in it.
    #[inline(always)]
    fn node(&self, i: usize, j: usize) -> (usize, usize) {
        (j / 2 * (self.x.places.len() / 2) + i / 2, j % 2 * 2 + i % 2)
    }
}

/// More than any distance: a bit plane has fewer than 2^30 positions.
const FAR: u32 = 1 << 30;

/// The distances of all positions to the nearest of some goals.
#[derive(Clone, Debug)]
pub(crate) struct LatticeDistances {
    lattice: Arc<LineLattice>,
    /// The distances of the nodes of each block.
    blocks: Vec<[u32; 4]>,
    /// The goals that are not on crossings of lines, each with the first and the last position of a rectangle
    /// in which a way to the goal need not pass a node.
    beside: Vec<(IVec2, [IVec2; 2])>,
}

/// The ends of the run of free positions in line number `line` of a plane that has the free position `at`.
fn run(plane: &BitPlane, at: i32, line: i32) -> [i32; 2] {
    let is_free = |at: &i32| plane.get(*at, line);
    let first = (0..at).rev().take_while(is_free).last();
    let last = (at + 1..plane.len).take_while(is_free).last();
    [first.unwrap_or(at), last.unwrap_or(at)]
}

impl FreePositions {
    /// Returns the distances to the nearest of the free positions `goals` that are at most `limit`; larger
    /// distances can be wrong, but are larger than `limit`. `None` if the lattice would have too many nodes.
    ///
    /// The lattice is made by the first call after a change of the positions.
    pub(crate) fn distances(&self, goals: &[IVec2], limit: u32) -> Option<LatticeDistances> {
        // Each lookup compares a position with the goals beside the lines. So many goals get lines instead:
        // another lattice, which takes about as long as the search.
        let lattice = if goals.len() > 8 {
            LineLattice::new(self, goals)?
        } else {
            self.lattice.get_or_init(|| LineLattice::new(self, &[])).clone()?
        };
        let mut search = BlockSearch::new(&lattice);
        let mut beside = Vec::new();
        for goal in goals {
            let [columns, rows] = [lattice.x.around(goal.x)?, lattice.y.around(goal.y)?];
            for (j, down) in rows {
                for (i, right) in columns {
                    let way = (right + down, 0, lattice.node(i, j).1);
                    search.lower([i / 2, j / 2], Bits::MAX, 0, [way; 2]);
                }
            }
            if columns[0].1 + rows[0].1 > 0 {
                let [left, right] = columns.map(|line| lattice.x.places[line.0]);
                let [up, down] = rows.map(|line| lattice.y.places[line.0]);
                let [first, last] = run(&self.rows, goal.x, goal.y);
                beside.push((*goal, [IVec2::new(first, up), IVec2::new(last, down)]));
                let [first, last] = run(&self.columns, goal.y, goal.x);
                beside.push((*goal, [IVec2::new(left, first), IVec2::new(right, last)]));
            }
        }
        let blocks = search.run(limit);
        Some(LatticeDistances { lattice, blocks, beside })
    }
}

impl LatticeDistances {
    /// Returns the distance from a position to the nearest goal; `None` if it is not free or if there is no
    /// way. The position is in coordinates of the bit planes.
    #[inline]
    pub(crate) fn distance(&self, at: IVec2) -> Option<u32> {
        let [columns, rows] = [self.lattice.x.around(at.x)?, self.lattice.y.around(at.y)?];
        let [(i, past_x), (j, past_y)] = [columns[0], rows[0]];
        let (block, node) = self.lattice.node(i, j);
        let group = usize::from(past_x > 0) + 2 * usize::from(past_y > 0);
        if self.lattice.blocks[block] >> (4 * group + node) & 1 == 0 {
            return None;
        }
        let mut least = FAR;
        for (j, down) in rows {
            for (i, right) in columns {
                let (block, node) = self.lattice.node(i, j);
                least = least.min(self.blocks[block][node] + right + down);
            }
        }
        for (goal, [first, last]) in &self.beside {
            if at.cmpge(*first).all() && at.cmple(*last).all() {
                least = least.min((at - goal).abs().element_sum() as u32);
            }
        }
        (least < FAR).then_some(least)
    }
}

/// The number of buckets that are in use at once. A block whose distance is beyond them waits in the last of
/// them, and is handled too early.
const BUCKETS: usize = 256;

/// A search from several goals along a lattice.
struct BlockSearch<'l> {
    lattice: &'l LineLattice,
    /// The smallest known distances of the nodes of each block.
    blocks: Vec<[u32; 4]>,
    /// The number of the bucket in which each block waits, or `u32::MAX`.
    waits_in: Vec<u32>,
    /// The columns and rows of the blocks that wait in the current bucket and in the next ones. A block can
    /// be in several; only that of `waits_in` counts.
    ring: Vec<Vec<[usize; 2]>>,
    /// The number of the current bucket.
    bucket: u32,
    /// A bucket has the distances that differ only in this number of low bits: about the mean gap of lines.
    bucket_bits: u32,
}

impl<'l> BlockSearch<'l> {
    fn new(lattice: &'l LineLattice) -> Self {
        let lines = lattice.x.places.len() + lattice.y.places.len();
        let length = lattice.x.last.len() + lattice.y.last.len();
        Self {
            lattice,
            blocks: vec![[FAR; 4]; lattice.blocks.len()],
            waits_in: vec![u32::MAX; lattice.blocks.len()],
            ring: vec![Vec::new(); BUCKETS],
            bucket: 0,
            bucket_bits: (length / lines.max(1)).max(1).ilog2(),
        }
    }

    /// Handles all blocks with distances up to `limit`, and returns the distances.
    fn run(mut self, limit: u32) -> Vec<[u32; 4]> {
        let mut empty = 0;
        while empty < BUCKETS && u64::from(self.bucket) << self.bucket_bits <= limit.into() {
            let slot = self.bucket as usize % BUCKETS;
            let mut next = 0;
            while let Some(block) = self.ring[slot].get(next).copied() {
                self.handle(block);
                next += 1;
            }
            self.ring[slot].clear();
            empty = if next == 0 { empty + 1 } else { 0 };
            self.bucket += 1;
        }
        self.blocks
    }

    /// Finds the ways between the nodes of a block, and from them to the blocks beside it.
    fn handle(&mut self, [column, row]: [usize; 2]) {
        let LineLattice { x, y, blocks } = self.lattice;
        let width = self.lattice.x.places.len() / 2;
        let at = row * width + column;
        if self.waits_in[at] != self.bucket {
            return;
        }
        self.waits_in[at] = u32::MAX;
        let [left, across, right] = x.gaps[column];
        let [up, along, down] = y.gaps[row];
        let bits = blocks[at];
        let [mut a, mut b, mut c, mut d] = self.blocks[at];
        // A shortest way between two nodes of a block has at most three parts, which alternate.
        for _ in 0..2 {
            [a, b] = joined(a, b, length(bits, RIGHT, across));
            [c, d] = joined(c, d, length(bits, RIGHT + 2, across));
            [a, c] = joined(a, c, length(bits, DOWN, along));
            [b, d] = joined(b, d, length(bits, DOWN + 1, along));
        }
        self.blocks[at] = [a, b, c, d];
        self.lower([column + 1, row], bits, right, [(b, RIGHT + 1, 0), (d, RIGHT + 3, 2)]);
        self.lower([column, row + 1], bits, down, [(c, DOWN + 2, 0), (d, DOWN + 3, 1)]);
        // The block on the left has the bits for the lines between both, and so has the block above. The last
        // block of a row has no lines to its right.
        let [before, above] =
            [1, width].map(|by| blocks.get(at.wrapping_sub(by)).map_or(0, |bits| *bits));
        let beside = [column.wrapping_sub(1), row];
        self.lower(beside, before, left, [(a, RIGHT + 1, 1), (c, RIGHT + 3, 3)]);
        let beside = [column, row.wrapping_sub(1)];
        self.lower(beside, above, up, [(a, DOWN + 2, 2), (b, DOWN + 3, 3)]);
    }

    /// Stores the distances of two nodes of a block where they are smaller than the known ones. Then the
    /// block waits to be handled. `ways` has the distance on the other side of a gap, the bit for the line
    /// through the gap, and the number of the node. If both lines are closed, there need be no block.
    #[inline(always)]
    fn lower(&mut self, block: [usize; 2], bits: Bits, gap: u32, ways: [(u32, u32, usize); 2]) {
        if bits & (1 << ways[0].1 | 1 << ways[1].1) == 0 {
            return;
        }
        let at = block[1] * (self.lattice.x.places.len() / 2) + block[0];
        let known = &mut self.blocks[at];
        let mut least = FAR;
        for (before, line, node) in ways {
            let way = before + length(bits, line, gap);
            if way < known[node] {
                known[node] = way;
                least = least.min(way);
            }
        }
        let last = self.bucket + BUCKETS as u32 - 1;
        let bucket = (least >> self.bucket_bits).clamp(self.bucket, last);
        if least < FAR && bucket < self.waits_in[at] {
            self.waits_in[at] = bucket;
            self.ring[bucket as usize % BUCKETS].push(block);
        }
    }
}

/// The distances of two nodes with an edge of length `gap` between them.
#[inline(always)]
fn joined(a: u32, b: u32, gap: u32) -> [u32; 2] {
    [a.min(b + gap), b.min(a + gap)]
}

/// Returns `gap` if a bit tells that the positions of an edge are free, else at least [`FAR`].
#[inline(always)]
fn length(bits: Bits, edge: u32, gap: u32) -> u32 {
    gap + (!bits >> edge & 1) * FAR
}
