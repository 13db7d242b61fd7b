//! Computes the lines of [`EdgeLines`] for a body size, and recomputes the lines that an edit touched. A
//! plane is a set of lines that combine equally many rows of cells: its line i is the bitwise or of the
//! `depth` rows from row i on. (For motions up and down, it combines columns.) A body covers n or n + 1 cells
//! across its motion, depending on its position. So each axis has up to two planes, whose lines alternate in
//! memory. Each direction of motion with one-way cells has up to two more planes, which include these cells.

#[cfg(test)]
mod tests;

use std::ops::Range;

use glam::{IVec2, UVec2};

use super::{EdgeLines, Lane, Lanes, MOST};
use crate::geometry::{Axis, Dir};
use crate::grid::{Plane as Cells, zeros};
use crate::terrain::MAX_BYTES;
use crate::terrain::kernel::{ShortDivisor, SolidCells};
use crate::terrain::sliding_or::sliding_or;

/// The number of bytes that each line of bits has at each end for the space outside the level.
const PAD: u32 = MOST.div_ceil(8);

/// A set of lines that each combine `depth` rows (or columns) of cells, and their position in the bytes of
/// all lines.
#[derive(Clone)]
pub(super) struct LinePlane {
    axis: Axis,
    /// The direction of motion in which the one-way cells of these lines stop a body; `None` if the lines
    /// have only solid cells.
    guarded: Option<Dir>,
    depth: u32,
    count: u32,
    start: u32,
    /// The number of bytes of a line, including the bytes for the outside at both ends.
    len: u32,
    stride: u32,
}

/// The layout of the lines of bits of an [`EdgeLines`], computed before their bytes are allocated.
struct Plan<'t> {
    source: &'t SolidCells,
    size: IVec2,
    planes: Vec<LinePlane>,
    len: u64,
}

impl<'t> Plan<'t> {
    /// Returns the layout of the lines for bodies of `size` pixels, and two [`Lanes`]: for queries that
    /// ignore one-way cells, then for all other queries. `None` if lines are not possible for this terrain or
    /// size, or take more than [`MAX_BYTES`].
    fn new(source: &'t SolidCells, size: IVec2) -> Option<(Self, [Lanes; 2])> {
        let mut plan = Self { source, size, planes: Vec::new(), len: 0 };
        let mut without = Vec::new();
        let mut all = Vec::new();
        for axis in [Axis::X, Axis::Y] {
            source.cells(axis)?;
            let solid = plan.add(axis, None)?;
            let back = all.len();
            for dir in [Dir::along(axis, false), Dir::along(axis, true)] {
                let guards = source.guards_of(dir.opposite());
                let mut with_one_way = solid;
                if guards.is_some_and(|cells| cells.solid_count() > 0) {
                    // The grid of one-way cells may be sparse although the grid of solid cells is not.
                    source.guarded(dir)?;
                    with_one_way = plan.add(axis, Some(dir))?;
                }
                without.push(plan.toward(dir, solid));
                all.push(plan.toward(dir, with_one_way));
            }
            all[back].is_paired = all[back].start == all[back + 1].start;
        }
        Some((plan, [without.try_into().ok()?, all.try_into().ok()?]))
    }

    fn extent(&self, axis: Axis) -> u32 {
        self.size.to_array()[axis.index()].max(0) as u32
    }

    /// Returns `way` with the values that differ between the two directions along its axis, for motions
    /// toward `dir`.
    fn toward(&self, dir: Dir, way: Lane) -> Lane {
        if dir.is_positive() {
            Lane { edge: way.edge + self.extent(dir.axis()), ..way }
        } else {
            Lane { back: -1, ..way }
        }
    }

    /// Adds the sets of lines for motions along `axis`. The lines include the one-way cells that stop a
    /// motion toward `guarded`, or only solid cells if `guarded` is `None`. Returns their [`Lane`]; `None` if
    /// no lines are possible.
    fn add(&mut self, axis: Axis, guarded: Option<Dir>) -> Option<Lane> {
        let source = self.source;
        let cross = axis.other();
        let side = source.side(axis);
        let cross_side = source.side(cross);
        let count = source.count(axis);
        let cross_count = source.count(cross);
        let extent = self.extent(cross);
        if extent == 0 {
            return None;
        }
        let len = u64::from(count.div_ceil(64)) * 8 + 2 * u64::from(PAD);
        // The number of pixels along a line, and the number of positions of a body across it.
        let pixels = i32::try_from((len * 8).checked_mul(side.into())?).ok()? as u32;
        let places = (cross_count * cross_side).checked_sub(extent)? + 1;
        let is_fine = source.frame.cell_size() == UVec2::ONE;
        if !is_fine && len * 8 >= ShortDivisor::QUOTIENTS.into() {
            return None;
        }
        let depths = extent.div_ceil(cross_side)..=(extent + cross_side - 2) / cross_side + 1;
        let both = depths.clone().count() as u32;
        let start = self.len as u32;
        let first = self.planes.len();
        for (at, depth) in (0..).zip(depths.clone()) {
            let count = (cross_count + 1).saturating_sub(depth);
            let start = (self.len + at * len) as u32;
            let len = len as u32;
            self.planes.push(LinePlane {
                axis,
                guarded,
                depth,
                count,
                start,
                len,
                stride: both * len,
            });
        }
        let lines: u64 = self.planes[first..].iter().map(|plane| u64::from(plane.count)).sum();
        self.len += lines * len;
        if self.bytes() > MAX_BYTES {
            return None;
        }
        // The largest offset of a body in its first cell at which the body covers the smaller number of
        // cells.
        let slack = depths.start() * cross_side - extent;
        let [across, along] = [cross_side, side].map(ShortDivisor::new);
        Some(Lane {
            places,
            start,
            stride: both * len as u32 / 2,
            side,
            across,
            along,
            deeper: across.product(cross_side - 1 - slack),
            last: pixels - MOST * side,
            edge: PAD * 8 * side,
            most: (MOST - 1) * side + 1,
            back: 0,
            is_fine,
            has_edges: guarded.is_some() && side > 1,
            is_paired: false,
        })
    }

    fn bytes(&self) -> u64 {
        self.len + 8
    }
}

impl SolidCells {
    /// Returns the rows of solid cells if `axis` is x, or the columns if it is y; `None` if the grid does not
    /// store them.
    fn cells(&self, axis: Axis) -> Option<&Cells> {
        self.grid.plane(axis.other())
    }

    /// Returns the rows (or columns, for motions up and down) of the one-way cells that stop a motion toward
    /// `dir`. `None` if the terrain has no one-way cells, or if their grid does not store these rows or
    /// columns.
    fn guarded(&self, dir: Dir) -> Option<&Cells> {
        self.guards.as_ref().and_then(|guards| guards.get(dir.opposite()).plane(dir.axis().other()))
    }

    fn count(&self, axis: Axis) -> u32 {
        self.grid.size().to_array()[axis.index()]
    }

    fn side(&self, axis: Axis) -> u32 {
        self.frame.cell_size().to_array()[axis.index()]
    }
}

impl EdgeLines {
    /// Computes the lines for a body of `size` pixels, in O(bytes of the lines) for any size. Returns `None`
    /// if no lines are possible, if they take more than `limit` bytes, or if memory runs out.
    pub(in crate::terrain) fn new(source: &SolidCells, size: IVec2, limit: u64) -> Option<Self> {
        let (plan, [solid, all]) =
            Plan::new(source, size).filter(|(plan, _)| plan.bytes() <= limit)?;
        let bytes = zeros(plan.bytes() as usize)?;
        let mut made = Self { solid, all, bytes, planes: plan.planes };
        for at in 0..made.planes.len() {
            made.write_outside(source, at);
            let plane = &made.planes[at];
            let all = 0..plane.count;
            let stripes = 0..source.count(plane.axis).div_ceil(64);
            made.write(source, at, all, stripes);
        }
        Some(made)
    }

    /// Recomputes the lines of bits that contain cells of a rectangle, and returns true. If the rectangle has
    /// the first one-way cells that guard a side, it changes nothing and returns false. The caller must then
    /// compute all lines again.
    pub(in crate::terrain) fn patch(
        &mut self,
        source: &SolidCells,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) -> bool {
        if columns.is_empty() || rows.is_empty() {
            return true;
        }
        if let Some(guards) = &source.guards {
            for dir in Dir::ALL {
                let guarded = guards.get(dir.opposite());
                if self.planes.iter().all(|plane| plane.guarded != Some(dir))
                    && guarded.any_solid(columns.clone(), rows.clone())
                {
                    return false;
                }
            }
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
        true
    }

    fn write_outside(&mut self, source: &SolidCells, at: usize) {
        let LinePlane { axis, start, len, stride, count, .. } = self.planes[at];
        let lines = self.bytes[start as usize..].chunks_mut(stride as usize);
        let pad = PAD as usize;
        let len = len as usize;
        let ends = [0..pad, len - pad..len].into_iter().zip([false, true]);
        for line in lines.take(count as usize) {
            for (end, positive) in ends.clone() {
                if source.frame.is_solid_beyond(axis, positive) {
                    line[end].fill(u8::MAX);
                }
            }
        }
    }

    fn write(&mut self, source: &SolidCells, at: usize, lines: Range<u32>, stripes: Range<u32>) {
        if !lines.is_empty() {
            for stripe in stripes {
                source.write_stripe(&self.planes[at], &lines, stripe, &mut self.bytes);
            }
        }
    }
}

impl SolidCells {
    /// Computes word number `stripe` of lines of a plane.
    fn write_stripe(&self, plane: &LinePlane, lines: &Range<u32>, stripe: u32, bytes: &mut [u8]) {
        let rows = lines.start..lines.end + plane.depth - 1;
        let outside = self.outside(plane.axis, stripe);
        let start = (plane.start + lines.start * plane.stride + PAD + stripe * 8) as usize;
        let guarded = plane.guarded.and_then(|dir| self.guarded(dir));
        for (cells, keep) in [(self.cells(plane.axis), 0), (guarded, u64::MAX)] {
            let Some(cells) = cells else { continue };
            let words = cells.words_of_stripe(&rows, stripe * 64);
            let lines = bytes[start..].chunks_mut(plane.stride as usize);
            sliding_or(words, outside, plane.depth as usize, lines, |line, new| {
                if let Some(word) = line.first_chunk_mut() {
                    *word = (new | u64::from_le_bytes(*word) & keep).to_le_bytes();
                }
            });
        }
    }

    /// Returns a mask of the bits in word number `stripe` of a row of cells (of a column, if `axis` is y)
    /// that lie beyond the end of the level, if the space there is solid; 0 if it is open.
    fn outside(&self, axis: Axis, stripe: u32) -> u64 {
        let inside = self.count(axis) - stripe * 64;
        if inside < 64 && self.frame.is_solid_beyond(axis, true) { u64::MAX << inside } else { 0 }
    }
}
