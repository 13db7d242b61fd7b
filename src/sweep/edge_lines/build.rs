//! Makes the lines of a body size from a grid, and makes anew those that an edit touched.
//!
//! A plane has lines of one depth: line i is the bitwise or of `depth` rows of cells (columns, for motions up
//! and down) from row i on. A body covers n or n + 1 cells across its motion, so there are up to two planes
//! for an axis, and two more for each direction in which one-way cells are guarded.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::slice::ChunksMut;
use std::sync::Arc;

use glam::IVec2;

use super::{EdgeLines, MOST, WORDS, Way, Ways};
use crate::geometry::{Axis, Dir};
use crate::grid::{Grid, Plane as Cells};
use crate::sweep::frame::Frame;
use crate::sweep::one_way::Guards;

/// The most bytes for one body size, of lines and tables: 512 MiB.
const MAX_BYTES: u64 = 1 << 29;

/// The stripes that are made together: singly they take twice the time. 8 want more registers than there are,
/// and take as long as singly.
const TILE: usize = 4;

/// The cells that lines are made of.
pub(in crate::sweep) struct Source<'t> {
    pub(in crate::sweep) grid: &'t Grid,
    pub(in crate::sweep) frame: &'t Frame,
    pub(in crate::sweep) guards: Option<&'t Guards>,
}

/// Lines of one depth, and where they lie.
#[derive(Clone)]
pub(super) struct Plane {
    /// The axis of the motions.
    axis: Axis,
    /// The direction of the motions, if its one-way cells count too: each at the pixel by which a body enters
    /// it.
    guarded: Option<Dir>,
    /// The number of cells that a line ors.
    depth: u32,
    /// The number of lines.
    count: u32,
    /// The bits of a cell.
    repeat: u32,
    /// The first byte.
    start: u32,
    /// The bytes from one line to the next.
    stride: u32,
    /// The bytes of the outside at each end of a line.
    pad: u32,
}

/// The planes and tables in the making.
struct Plan<'t> {
    source: &'t Source<'t>,
    size: IVec2,
    planes: Vec<Plane>,
    /// The bytes of the planes.
    len: u64,
}

impl Plan<'_> {
    /// The ways, without one-way cells and with them; `None` if there can be no lines.
    fn ways(&mut self) -> Option<[Ways; 2]> {
        let mut ways: [Ways; 2] = std::array::from_fn(|_| std::array::from_fn(|_| Way::none()));
        for axis in [Axis::X, Axis::Y] {
            self.source.cells(axis)?;
            let solid = self.add(axis, None)?;
            for dir in [Dir::along(axis, false), Dir::along(axis, true)] {
                let guarded = self.source.guarded(dir);
                let is_guarded = guarded.is_some_and(|cells| cells.count_ones() > 0);
                let with_one_way =
                    if is_guarded { self.add(axis, Some(dir))? } else { solid.clone() };
                ways[0][dir as usize] = self.toward(dir, solid.clone());
                ways[1][dir as usize] = self.toward(dir, with_one_way);
            }
            for ways in &mut ways {
                let [back, forth] =
                    [false, true].map(|positive| Dir::along(axis, positive) as usize);
                ways[back].is_paired = Arc::ptr_eq(&ways[back].lines, &ways[forth].lines);
            }
        }
        Some(ways)
    }

    /// The width of the body for [`Axis::X`], its height for [`Axis::Y`].
    fn extent(&self, axis: Axis) -> u32 {
        self.size.to_array()[axis.index()].max(0) as u32
    }

    /// The way of an axis for a motion toward one side.
    fn toward(&self, dir: Dir, way: Way) -> Way {
        if dir.is_positive() {
            Way { edge: way.edge + self.extent(dir.axis()), ..way }
        } else {
            Way { back: -1, ..way }
        }
    }

    /// Adds the planes and the table of an axis, or of one direction.
    fn add(&mut self, axis: Axis, guarded: Option<Dir>) -> Option<Way> {
        let (source, cross) = (self.source, axis.other());
        let (side, cross_side) = (source.side(axis), source.side(cross));
        let extent = self.extent(cross);
        if extent == 0 {
            return None;
        }
        // A guarded edge lies between two pixels.
        let shift = if guarded.is_some() { 0 } else { side.trailing_zeros() };
        let (repeat, pad) = (side >> shift, MOST.div_ceil(8));
        let inside = u64::from(source.count(axis).div_ceil(64)) * 8 * u64::from(repeat);
        let stride = inside + 2 * u64::from(pad);
        let pixels = i32::try_from(stride.checked_mul(8 << shift)?).ok()? as u32;
        let places = (source.count(cross) * cross_side).checked_sub(extent)? + 1;
        let depths = extent.div_ceil(cross_side)..=(extent + cross_side - 2) / cross_side + 1;
        let first = self.planes.len();
        for depth in depths.clone() {
            let count = (source.count(cross) + 1).saturating_sub(depth);
            let (start, stride) = (self.len as u32, stride as u32);
            self.planes.push(Plane { axis, guarded, depth, count, repeat, start, stride, pad });
            self.len += u64::from(count) * u64::from(stride);
        }
        if self.len + 4 * u64::from(places) > MAX_BYTES {
            return None;
        }
        // So many pixels a body can lie from the first pixel of a cell and cover no more cells.
        let slack = depths.start() * cross_side - extent;
        let mut lines = Vec::with_capacity(places.next_multiple_of(cross_side) as usize);
        for cell in 0..places.div_ceil(cross_side) {
            for (plane, end) in self.planes[first..].iter().zip([slack + 1, cross_side]) {
                let line = plane.start + cell * plane.stride;
                lines.resize((cell * cross_side + end) as usize, line);
            }
        }
        lines.truncate(places as usize);
        let lines = lines.into();
        let last = pixels - (MOST << shift);
        let most = ((MOST - 1) << shift) + 1;
        let (edge, shift) = (pad * (8 << shift), shift as u8);
        Some(Way { lines, last, edge, most, back: 0, shift, is_paired: false })
    }
}

impl Source<'_> {
    /// The cells, in lines along the motion; `None` if the grid does not keep these.
    fn cells(&self, axis: Axis) -> Option<&Cells> {
        self.grid.plane(axis.other())
    }

    /// The cells that a motion toward `dir` may not enter by the side that faces it.
    fn guarded(&self, dir: Dir) -> Option<&Cells> {
        self.guards.and_then(|guards| guards.get(dir.opposite()).plane(dir.axis().other()))
    }

    /// The number of cells on an axis.
    fn count(&self, axis: Axis) -> u32 {
        self.grid.size().to_array()[axis.index()]
    }

    /// The pixels of a cell on an axis.
    fn side(&self, axis: Axis) -> u32 {
        self.frame.cell_size().to_array()[axis.index()]
    }
}

impl EdgeLines {
    /// The lines for a body of `size` pixels.
    ///
    /// There are none, so that a body is far everywhere, if the grid is sparse or keeps only one copy of its
    /// bits, if the body covers nothing or is larger than the level, or if they would take more than
    /// [`MAX_BYTES`]. O(bytes of the lines), whatever the body covers.
    pub(in crate::sweep) fn new(source: &Source<'_>, size: IVec2) -> Self {
        let mut plan = Plan { source, size, planes: Vec::new(), len: 0 };
        let memory = |plan: &Plan<'_>| {
            let mut bytes = Vec::new();
            let len = plan.len as usize + 8 * WORDS;
            bytes.try_reserve_exact(len).ok()?;
            bytes.resize(len, 0);
            Some(bytes)
        };
        let Some((ways, bytes)) = plan.ways().and_then(|ways| Some((ways, memory(&plan)?))) else {
            let none = || std::array::from_fn(|_| Way::none());
            return Self { size, ways: [none(), none()], bytes: Vec::new(), planes: Vec::new() };
        };
        let mut made = Self { size, ways, bytes, planes: plan.planes };
        for at in 0..made.planes.len() {
            made.write_outside(source, at);
            let plane = &made.planes[at];
            let (all, stripes) = (0..plane.count, 0..source.count(plane.axis).div_ceil(64));
            made.write(source, at, all, stripes);
        }
        made
    }

    /// Makes anew the lines that cells of a rectangle are part of; all lines if the rectangle has the first
    /// cells that guard a side. O(rows of cells that the rectangle and the body cover x words of a row of the
    /// rectangle), and the same for columns.
    pub(in crate::sweep) fn patch(
        &mut self,
        source: &Source<'_>,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) {
        if self.planes.is_empty() || columns.is_empty() || rows.is_empty() {
            return;
        }
        let is_new = |dir: Dir| {
            self.planes.iter().all(|plane| plane.guarded != Some(dir))
                && source.guards.is_some_and(|guards| {
                    guards.get(dir.opposite()).any_solid(columns.clone(), rows.clone())
                })
        };
        if Dir::ALL.into_iter().any(is_new) {
            *self = Self::new(source, self.size);
            return;
        }
        for at in 0..self.planes.len() {
            let plane = &self.planes[at];
            let (along, across) = match plane.axis {
                Axis::X => (columns, rows),
                Axis::Y => (rows, columns),
            };
            let first = (across.start + 1).saturating_sub(plane.depth);
            let lines = first..across.end.min(plane.count);
            let stripes = along.start / 64..along.end.div_ceil(64);
            self.write(source, at, lines, stripes);
        }
    }

    /// Writes the outside at both ends of the lines of a plane.
    fn write_outside(&mut self, source: &Source<'_>, at: usize) {
        let plane = &self.planes[at];
        let (start, pad, stride) =
            (plane.start as usize, plane.pad as usize, plane.stride as usize);
        let lines = &mut self.bytes[start..start + plane.count as usize * stride];
        let ends = [0..pad, stride - pad..stride];
        for (end, positive) in ends.into_iter().zip([false, true]) {
            if source.frame.is_solid_beyond(plane.axis, positive) {
                lines.chunks_exact_mut(stride).for_each(|line| line[end.clone()].fill(u8::MAX));
            }
        }
    }

    /// Writes some lines of a plane, in some stripes of 64 cells.
    fn write(
        &mut self,
        source: &Source<'_>,
        at: usize,
        lines: Range<u32>,
        mut stripes: Range<u32>,
    ) {
        let plane = &self.planes[at];
        let (start, len) = (plane.start as usize, (plane.count * plane.stride) as usize);
        let bytes = &mut self.bytes[start..start + len];
        while !lines.is_empty() && !stripes.is_empty() {
            let together = if stripes.len() < TILE {
                source.write_stripes::<1>(plane, &lines, stripes.start, bytes);
                1
            } else {
                source.write_stripes::<TILE>(plane, &lines, stripes.start, bytes);
                TILE
            };
            stripes.start += together as u32;
        }
    }
}

impl Source<'_> {
    /// Writes some of the lines of a plane, which are `bytes`, in `N` stripes from `stripe` on.
    fn write_stripes<const N: usize>(
        &self,
        plane: &Plane,
        lines: &Range<u32>,
        stripe: u32,
        bytes: &mut [u8],
    ) {
        let (depth, repeat) = (plane.depth as usize, plane.repeat as usize);
        let start = lines.start * plane.stride + plane.pad + stripe * 8 * plane.repeat;
        let (bytes, stride) = (&mut bytes[start as usize..], plane.stride as usize);
        let rows = lines.start..lines.end + plane.depth - 1;
        let stripes: [u32; N] = std::array::from_fn(|at| stripe + at as u32);
        if let Some(cells) = self.cells(plane.axis) {
            let outside = stripes.map(|stripe| self.outside(plane.axis, stripe));
            let rows = stripes.map(|stripe| cells.words_of_stripe(&rows, stripe * 64));
            if repeat == 1 {
                or_lines(rows, outside, depth, bytes.chunks_mut(stride), |line, words| {
                    if let Some(line) = line.as_chunks_mut().0.first_chunk_mut() {
                        *line = words.map(u64::to_le_bytes);
                    }
                });
            } else {
                or_lines(rows, outside, depth, bytes.chunks_mut(stride), |line, words| {
                    let cells = line.as_chunks_mut().0.chunks_exact_mut(repeat);
                    cells.zip(words).for_each(|(cells, word)| spread(word, cells));
                });
            }
        }
        if let Some((dir, cells)) = plane.guarded.and_then(|dir| Some((dir, self.guarded(dir)?))) {
            let entered = if dir.is_positive() { 0 } else { repeat - 1 };
            let rows = stripes.map(|stripe| cells.words_of_stripe(&rows, stripe * 64));
            or_lines(rows, [0; N], depth, bytes.chunks_mut(stride), |line, words| {
                for (line, mut word) in line.chunks_exact_mut(8 * repeat).zip(words) {
                    while word != 0 {
                        let bit = word.trailing_zeros() as usize * repeat + entered;
                        line[bit / 8] |= 1 << (bit % 8);
                        word &= word - 1;
                    }
                }
            });
        }
    }

    /// The bits of a stripe that lie outside the level, if that is solid: the last word of a row goes on
    /// there.
    fn outside(&self, axis: Axis, stripe: u32) -> u64 {
        let inside = self.count(axis) - stripe * 64;
        if inside < 64 && self.frame.is_solid_beyond(axis, true) { u64::MAX << inside } else { 0 }
    }
}

/// Calls `write` for each of the `lines`, with the or of `depth` rows: those from the number of the line on.
/// The words of a row are one of each of `rows`. The bits of `always` are set in each or.
///
/// O(words of the rows), for any depth (van Herk, Gil and Werman): the rows of a line are the tail of one
/// block of `depth` rows and the head of the next one. Each tail is the or of a row and of the tail after it,
/// and the head grows with the lines. For 32 rows it takes a third of the time of rounds that double the
/// depth.
fn or_lines<const N: usize>(
    rows: [&[u64]; N],
    always: [u64; N],
    depth: usize,
    mut lines: ChunksMut<'_, u8>,
    write: impl Fn(&mut [u8], [u64; N]),
) {
    let len = rows[0].len();
    let rows = rows.map(|words| &words[..len]);
    let or = |row: usize, or: [u64; N]| std::array::from_fn(|at| or[at] | rows[at][row]);
    let mut tails = vec![always; depth];
    for end in (depth - 1..len).step_by(depth) {
        let mut tail = always;
        for (row, kept) in (end + 1 - depth..end).zip(&mut tails[..depth - 1]).rev() {
            tail = or(row, tail);
            *kept = tail;
        }
        let mut head = [0; N];
        for ((row, tail), line) in (end..len).zip(&tails).zip(&mut lines) {
            head = or(row, head);
            write(line, std::array::from_fn(|at| head[at] | tail[at]));
        }
    }
}

/// Writes the bits of the cells of a word: as many bits a cell as there are words in `bytes`.
fn spread(word: u64, bytes: &mut [[u8; 8]]) {
    bytes.fill([0; 8]);
    // The cells at which a run of set ones begins, or has ended.
    let mut edges = word ^ (word << 1);
    while edges != 0 {
        let start = edges.trailing_zeros() as usize * bytes.len();
        edges &= edges - 1;
        // A run that does not end here has no edge.
        let last = edges.trailing_zeros() as usize * bytes.len() - 1;
        edges &= edges.wrapping_sub(1);
        let (from, to) = (u64::MAX << (start % 64), u64::MAX >> (63 - last % 64));
        let mut set = |at: usize, bits: u64| {
            bytes[at] = (u64::from_le_bytes(bytes[at]) | bits).to_le_bytes();
        };
        if start / 64 == last / 64 {
            set(start / 64, from & to);
        } else {
            set(start / 64, from);
            set(last / 64, to);
            bytes[start / 64 + 1..last / 64].fill([u8::MAX; 8]);
        }
    }
}
