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

use std::fmt;
use std::sync::Arc;

use glam::IVec2;

use super::{BitPlane, FreePositions};

/// The lines of one axis. Their number is even, so that they form pairs. The first can be just before the
/// bit plane, and the last just after it.
#[derive(Clone, PartialEq, Eq)]
struct Lines {
    /// The columns or rows in rising order.
    places: Vec<i32>,
    /// For each column or row of the plane, the index of the last line that is not after it, or 0.
    last: Vec<u32>,
    /// For each pair of lines, the gap before it, between its lines, and after it.
    gaps: Vec<[u32; 3]>,
}

impl Lines {
    /// Takes a bit for each of `len` columns or rows: 1 if it is a line.
    fn new(marks: &[u64], len: i32) -> Self {
        let is_line = |at: &i32| marks[*at as usize / 64] >> (at % 64) & 1 != 0;
        let mut places: Vec<i32> = (0..len).filter(is_line).collect();
        // The smaller gaps are inside the pairs, so that a search seldom handles a block twice.
        let mut sums = [0, 0];
        for (at, pair) in places.windows(2).enumerate() {
            sums[at % 2] += pair[1] - pair[0];
        }
        if sums[0] > sums[1] {
            places.insert(0, -1);
        }
        if places.len() % 2 == 1 {
            places.push(len);
        }
        let mut last = Vec::with_capacity(len as usize);
        for (line, place) in places.iter().enumerate().skip(1) {
            last.resize((*place).max(0) as usize, line as u32 - 1);
        }
        last.resize(len as usize, (places.len() as u32).saturating_sub(1));
        let gap = |at: usize| match places.get(at.wrapping_sub(1)..=at) {
            Some(pair) => (pair[1] - pair[0]) as u32,
            None => 0,
        };
        let gaps = (0..places.len()).step_by(2).map(|at| [gap(at), gap(at + 1), gap(at + 2)]);
        Self { gaps: gaps.collect(), places, last }
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

// The bits of a block. Its nodes are numbered by rows. Three groups of four bits have a bit for each node.
/// The bit of node 0 that tells if the positions on the line to the next node on the right are free.
const RIGHT: u32 = 0;
/// The same for the line to the next node below.
const DOWN: u32 = 4;
/// The bit of node 0 for the positions right of one of these lines and below the other.
const BETWEEN: u32 = 8;
/// Two bits for the lines from nodes 0 and 2 to the left.
const LEFT: u32 = 12;
/// Two bits for the lines from nodes 0 and 1 up.
const UP: u32 = 14;

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Lattice {
    x: Lines,
    y: Lines,
    /// The bits of each block of 2 x 2 nodes, by rows.
    blocks: Vec<u16>,
    /// A bucket holds the distances that differ only in this number of low bits.
    bucket_bits: u32,
}

impl fmt::Debug for Lattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lattice {} x {}", self.x.places.len(), self.y.places.len())
    }
}

impl Lattice {
    /// The lattice of a plane of rows, with two more lines through each of the positions `crossed`. `None` if
    /// more than an eighth of the positions would be nodes: then the lattice is no faster than a search over
    /// all positions. O(words of the plane + nodes).
    fn new(rows: &BitPlane, crossed: &[IVec2]) -> Option<Self> {
        let mut marks = marks(rows);
        for at in crossed {
            for (marks, at) in marks.iter_mut().zip(at.to_array()) {
                marks[at as usize / 64] |= 1 << (at % 64);
            }
        }
        let nodes = marks
            .each_ref()
            .map(|marks| marks.iter().map(|word| u64::from(word.count_ones())).sum::<u64>());
        if nodes[0] * nodes[1] * 8 > rows.len as u64 * rows.count as u64 {
            return None;
        }
        let [x, y] = [Lines::new(&marks[0], rows.len), Lines::new(&marks[1], rows.count)];
        let mut gaps: Vec<u32> = x.gaps.iter().chain(&y.gaps).map(|gaps| gaps[2]).collect();
        gaps.sort_unstable();
        let median = gaps.get(gaps.len() / 2).copied().unwrap_or(0);
        let largest = gaps.last().copied().unwrap_or(0);
        let bucket_bits = median.max(largest / BUCKETS as u32 * 4).max(1).ilog2();
        Some(Self { blocks: blocks(rows, &x, &y), x, y, bucket_bits })
    }

    fn width(&self) -> usize {
        self.x.gaps.len()
    }
}

/// Returns a bit for each column and for each row of a plane: 1 if a run of free positions starts or ends
/// there.
fn marks(rows: &BitPlane) -> [Vec<u64>; 2] {
    let stride = rows.stride;
    let mut columns = vec![0; stride];
    let mut lines = vec![0; rows.count as usize / 64 + 1];
    for y in 0..rows.count as usize {
        let [above, here, below] = [0, 1, 2].map(|by| &rows.words[(y + by) * stride..][..stride]);
        let mut ends = 0;
        for at in 1..stride - 1 {
            let word = here[at];
            let left = word << 1 | here[at - 1] >> 63;
            let right = word >> 1 | here[at + 1] << 63;
            columns[at] |= word & !(left & right);
            ends |= word & !(above[at] & below[at]);
        }
        lines[y / 64] |= u64::from(ends != 0) << (y % 64);
    }
    // The bits of a row start in its second word.
    columns.remove(0);
    [columns, lines]
}

/// Returns the bits of all blocks.
fn blocks(rows: &BitPlane, x: &Lines, y: &Lines) -> Vec<u16> {
    let width = x.gaps.len();
    let mut blocks = vec![0_u16; width * y.gaps.len()];
    for (j, row) in y.places.iter().enumerate() {
        for (i, column) in x.places.iter().enumerate() {
            let here = rows.load(*column, *row);
            if here & 1 == 0 {
                continue;
            }
            let below = rows.load(*column, *row + 1);
            let (at, node) = (j / 2 * width + i / 2, j % 2 * 2 + i % 2);
            let [right, down, between] =
                [here >> 1 & 1, below & 1, below >> 1 & 1].map(|bit| bit as u16);
            blocks[at] |= (right << RIGHT | down << DOWN | between << BETWEEN) << node;
            // A run goes on to its last line, so there is a block on the other side.
            if i % 2 == 1 && right != 0 {
                blocks[at + 1] |= 1 << LEFT << (j % 2);
            }
            if j % 2 == 1 && down != 0 {
                blocks[at + width] |= 1 << UP << (i % 2);
            }
        }
    }
    blocks
}

/// More than any distance: a bit plane has fewer than 2^30 positions.
const FAR: u32 = 1 << 30;
/// The number of buckets that are in use at once. A block whose distance is beyond them waits in the last of
/// them, and is handled too early.
const BUCKETS: usize = 256;
const IDLE: u32 = u32::MAX;

/// The distances of all positions to the nearest of some goals.
#[derive(Clone)]
pub(crate) struct LatticeDistances {
    lattice: Arc<Lattice>,
    /// The distances of the nodes of each block.
    blocks: Vec<[u32; 4]>,
    /// The goals that are not on crossings of lines.
    beside: Vec<Goal>,
}

/// A goal, and the free positions that are reached from it in a straight line, without a node on the way.
#[derive(Clone)]
struct Goal {
    at: IVec2,
    /// The indices of the lines before the goal.
    lines: [usize; 2],
    /// The first and the last column of the goal's run of free positions in its row.
    columns: [i32; 2],
    /// The first and the last row of its run in its column.
    rows: [i32; 2],
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
            Arc::new(Lattice::new(&self.rows, goals)?)
        } else {
            self.lattice.get_or_init(|| Lattice::new(&self.rows, &[]).map(Arc::new)).clone()?
        };
        let mut search = Search::new(&lattice);
        let mut beside = Vec::new();
        for goal in goals {
            let [columns, rows] = [lattice.x.around(goal.x)?, lattice.y.around(goal.y)?];
            for (j, down) in rows {
                for (i, right) in columns {
                    search.lower([i / 2, j / 2], [j % 2 * 2 + i % 2], [right + down]);
                }
            }
            if columns[0].1 + rows[0].1 > 0 {
                beside.push(Goal {
                    at: *goal,
                    lines: [columns[0].0, rows[0].0],
                    columns: run(&self.rows, goal.x, goal.y),
                    rows: run(&self.columns, goal.y, goal.x),
                });
            }
        }
        search.run(limit);
        let blocks = search.blocks;
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
        let group = match (past_x > 0, past_y > 0) {
            (false, false) => None,
            (true, false) => Some(RIGHT),
            (false, true) => Some(DOWN),
            (true, true) => Some(BETWEEN),
        };
        let width = self.lattice.width();
        let bits = u32::from(self.lattice.blocks[j / 2 * width + i / 2]) >> (j % 2 * 2 + i % 2);
        if group.is_some_and(|group| bits >> group & 1 == 0) {
            return None;
        }
        let mut least = FAR;
        for (j, down) in rows {
            for (i, right) in columns {
                let node = self.blocks[j / 2 * width + i / 2][j % 2 * 2 + i % 2];
                least = least.min(node + right + down);
            }
        }
        for goal in &self.beside {
            let is_in_row =
                goal.lines[1] == j && goal.columns[0] <= at.x && at.x <= goal.columns[1];
            let is_in_column = goal.lines[0] == i && goal.rows[0] <= at.y && at.y <= goal.rows[1];
            if is_in_row || is_in_column {
                least = least.min((at - goal.at).abs().element_sum() as u32);
            }
        }
        (least < FAR).then_some(least)
    }
}

/// A search from several goals along a lattice.
struct Search<'l> {
    lattice: &'l Lattice,
    /// The smallest known distances of the nodes of each block.
    blocks: Vec<[u32; 4]>,
    /// The number of the bucket in which each block waits, or [`IDLE`].
    waits_in: Vec<u32>,
    /// The column and row of each block that waits in one of the next buckets. A block can be in several; only
    /// that of `waits_in` counts.
    ring: Vec<Vec<[usize; 2]>>,
    /// The number of the current bucket.
    bucket: u32,
    /// The number of blocks in the ring.
    waiting: usize,
}

impl<'l> Search<'l> {
    fn new(lattice: &'l Lattice) -> Self {
        let count = lattice.blocks.len();
        Self {
            lattice,
            blocks: vec![[FAR; 4]; count],
            waits_in: vec![IDLE; count],
            ring: vec![Vec::new(); BUCKETS],
            bucket: 0,
            waiting: 0,
        }
    }

    /// Handles all blocks with distances up to `limit`.
    fn run(&mut self, limit: u32) {
        while self.waiting > 0
            && u64::from(self.bucket) << self.lattice.bucket_bits <= u64::from(limit)
        {
            let slot = self.bucket as usize % BUCKETS;
            let mut next = 0;
            while let Some(block) = self.ring[slot].get(next).copied() {
                next += 1;
                self.handle(block);
            }
            self.waiting -= next;
            self.ring[slot].clear();
            self.bucket += 1;
        }
    }

    /// Finds the ways between the nodes of a block, and from them to the blocks beside it.
    fn handle(&mut self, [column, row]: [usize; 2]) {
        let at = row * self.lattice.width() + column;
        if self.waits_in[at] != self.bucket {
            return;
        }
        self.waits_in[at] = IDLE;
        let bits = u32::from(self.lattice.blocks[at]);
        let [left, across, right] = self.lattice.x.gaps[column];
        let [up, along, down] = self.lattice.y.gaps[row];
        let [mut a, mut b, mut c, mut d] = self.blocks[at];
        // A shortest way between two nodes of a block has at most three parts, which alternate.
        for _ in 0..2 {
            [a, b] = joined(a, b, across + closed(bits, RIGHT));
            [c, d] = joined(c, d, across + closed(bits, RIGHT + 2));
            [a, c] = joined(a, c, along + closed(bits, DOWN));
            [b, d] = joined(b, d, along + closed(bits, DOWN + 1));
        }
        self.blocks[at] = [a, b, c, d];
        if bits & 0b1010 << RIGHT != 0 {
            let lengths =
                [b + right + closed(bits, RIGHT + 1), d + right + closed(bits, RIGHT + 3)];
            self.lower([column + 1, row], [0, 2], lengths);
        }
        if bits & 0b1100 << DOWN != 0 {
            let lengths = [c + down + closed(bits, DOWN + 2), d + down + closed(bits, DOWN + 3)];
            self.lower([column, row + 1], [0, 1], lengths);
        }
        if bits & 0b11 << LEFT != 0 {
            let lengths = [a + left + closed(bits, LEFT), c + left + closed(bits, LEFT + 1)];
            self.lower([column - 1, row], [1, 3], lengths);
        }
        if bits & 0b11 << UP != 0 {
            let lengths = [a + up + closed(bits, UP), b + up + closed(bits, UP + 1)];
            self.lower([column, row - 1], [2, 3], lengths);
        }
    }

    /// Stores distances of some nodes of a block, where they are smaller than the known ones. Then the block
    /// waits to be handled.
    #[inline(always)]
    fn lower<const N: usize>(&mut self, block: [usize; 2], nodes: [usize; N], lengths: [u32; N]) {
        let at = block[1] * self.lattice.width() + block[0];
        let known = &mut self.blocks[at];
        let mut least = FAR;
        for (node, length) in nodes.into_iter().zip(lengths) {
            if length < known[node] {
                known[node] = length;
                least = least.min(length);
            }
        }
        if least == FAR {
            return;
        }
        let last = self.bucket + BUCKETS as u32 - 1;
        let bucket = (least >> self.lattice.bucket_bits).clamp(self.bucket, last);
        if bucket < self.waits_in[at] {
            self.waits_in[at] = bucket;
            self.ring[bucket as usize % BUCKETS].push(block);
            self.waiting += 1;
        }
    }
}

/// The distances of two nodes with an edge of length `gap` between them.
#[inline(always)]
fn joined(a: u32, b: u32, gap: u32) -> [u32; 2] {
    [a.min(b + gap), b.min(a + gap)]
}

/// Returns a length that makes a way useless if the bit for its positions is 0.
#[inline(always)]
fn closed(bits: u32, bit: u32) -> u32 {
    (!bits >> bit & 1) * FAR
}
