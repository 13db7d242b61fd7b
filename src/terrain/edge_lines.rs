//! Combines the rows and columns of cells under the leading edges of a body, for one body size, into lines of
//! bits. The lines are computed ahead of time, so one memory load answers whether a motion is free. This file
//! has the queries; `build` computes the lines.
//!
//! A body that moves left or right covers the rows of cells beside it. Its line is the bitwise or of these
//! rows, and the cells that its leading edge sweeps are adjacent bits of the line. Motions up and down use
//! lines that combine columns of cells instead.
//!
//! A line is stored as bytes. A load of 8 bytes can start at any byte, so it gives at least 57 bits of a line
//! from any bit on. Each bit is a cell. Extra bits at both ends of a line are the outside. A body that is
//! outside the level across its motion has no line. The comments call such a body *far*, and the terrain
//! answers its queries.
//!
//! A one-way cell stops a body only at its blocking edge, which faces the body. If a motion is clear on the
//! lines that include one-way cells, it is clear. Otherwise, the one-way cells are tested whose blocking
//! edges the body crosses.

mod build;

use build::LinePlane;
use glam::IVec2;

use super::kernel::ShortDivisor;
use crate::geometry::{Axis, Dir, Sides};

/// The number of bits of a line that a load of 8 bytes has at the least. Up to 7 bits of its first byte come
/// before the first wanted bit.
const MOST: u32 = 57;

#[derive(Clone)]
pub(super) struct EdgeLines {
    /// The lines of bits that have only solid cells.
    solid: Lanes,
    /// The lines of bits that include one-way cells.
    all: Lanes,
    /// The bytes of all lines of bits, then padding so that a load of 8 bytes near the end stays in range.
    bytes: Vec<u8>,
    planes: Vec<LinePlane>,
}

/// The location of the lines of bits for each of the four directions of motion, in the order of [`Dir::ALL`].
type Lanes = [Lane; 4];

/// The location of the lines of bits for motions in one direction, and the numbers that convert pixels to
/// bits of these lines. A `Lane` fills one cache line, so a shift computes its address.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lane {
    /// The number of positions across the motion at which a body has a line of bits: the pixel coordinates
    /// `0..places`.
    places: u32,
    start: u32,
    /// Half the number of bytes between the lines of two neighbouring rows of cells. Each row has room for
    /// two lines: one for bodies that start in its first pixels, and one for bodies that start farther down
    /// and so cover one more row.
    stride: u32,
    side: u32,
    /// Divides a coordinate across the motion by the side of a cell; `along` divides a coordinate along the
    /// motion.
    across: ShortDivisor,
    along: ShortDivisor,
    /// The number that is added to a product of `across` before it is divided again. The second quotient is
    /// larger by one if the body starts so far down in its first row of cells that it covers one more row.
    deeper: u64,
    /// The last pixel, counted from the start of a line of bits, at which a load can start and still have
    /// [`MOST`] bits before the line's end.
    last: u32,
    /// The position of the leading edge of a body at coordinate 0 on its line of bits, in pixels from the
    /// line's start.
    edge: u32,
    /// The longest step in pixels that sweeps at most [`MOST`] cells, wherever it starts.
    most: u32,
    /// -1 for motions left and up, which sweep the pixels before the leading edge; 0 for motions right and
    /// down, which sweep the pixels after it.
    back: i8,
    is_fine: bool,
    /// True if these lines of bits include one-way cells, and cells are more than one pixel long along the
    /// motion.
    has_edges: bool,
    /// True for motions left and up if motions in the opposite direction use the same lines of bits. One load
    /// can then answer both directions.
    is_paired: bool,
}

struct LineStrip {
    line: u32,
    /// The position of the body's leading edge on the line of bits, in pixels from the line's start.
    edge: u32,
    /// The first and the last bit of the cells that the leading edge sweeps; `None` if it sweeps no cell.
    bits: Option<(u32, u32)>,
}

/// `MASK[8 * n + bit]` is a word with n + 1 bits set, from `bit` on. The table replaces two shifts by a
/// variable number of bits.
static MASK: [u64; 512] = {
    let mut mask = [0; 512];
    let mut at = 0;
    while at < 512 {
        mask[at] = (u64::MAX >> (63 - at / 8)) << (at % 8);
        at += 1;
    }
    mask
};

impl Lane {
    /// Returns the first byte of the line for a body whose coordinate across its motion is `across`; `None`
    /// if the body is outside the level across its motion.
    #[inline(always)]
    fn line<const FINE: bool>(&self, across: u32) -> Option<u32> {
        if across >= self.places {
            return None;
        }
        let half_rows = if FINE {
            across + across
        } else {
            let product = self.across.product(across);
            ShortDivisor::quotient(product) + ShortDivisor::quotient(product + self.deeper)
        };
        Some(self.start.wrapping_add(half_rows.wrapping_mul(self.stride)))
    }

    #[inline(always)]
    fn bit<const FINE: bool>(&self, pixel: u32) -> u32 {
        if FINE { pixel } else { ShortDivisor::quotient(self.along.product(pixel)) }
    }

    /// Returns the result of [`EdgeLines::is_clear`], on these lines and without regard to blocking edges.
    #[inline(always)]
    fn is_clear<const FINE: bool>(
        &self,
        bytes: &[u8],
        at: IVec2,
        dir: Dir,
        step: u32,
    ) -> Option<bool> {
        let more = step.wrapping_sub(1);
        if more >= self.most {
            return None;
        }
        let (along, across) = split(at, dir.axis());
        let line = self.line::<FINE>(across)?;
        let start = along.wrapping_add(self.edge).wrapping_sub(step & i32::from(self.back) as u32);
        if start > self.last {
            return None;
        }
        let first = self.bit::<FINE>(start);
        let more = self.bit::<FINE>(start.wrapping_add(more)).wrapping_sub(first);
        let mask = MASK[(more * 8 + first % 8) as usize % 512];
        Some(load(bytes, line.wrapping_add(first / 8)) & mask == 0)
    }

    /// Returns true if no bit is set on the `step` pixels from `start` on. `window` has the bits of the line
    /// from bit number `first` on. It is not a closure, because closures that are called twice were not
    /// inlined: that took 1.2 times as many instructions.
    #[inline(always)]
    fn is_clear_in<const FINE: bool>(
        &self,
        window: u64,
        first: u32,
        start: u32,
        step: u32,
    ) -> bool {
        let from = self.bit::<FINE>(start) - first;
        let last = if FINE { from + step - 1 } else { self.bit::<FINE>(start + step - 1) - first };
        let more = last - from;
        (window >> (from % 64)) & MASK[(more * 8) as usize % 512] == 0
    }
}

impl EdgeLines {
    pub(super) fn memory_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns true if nothing stops the body with its top-left pixel at `at` on the next `step` pixels
    /// toward `dir`. Returns `None` if the body is far outside the level, or if the step is 0 or too long for
    /// one load of 8 bytes. Also returns `None` if one-way cells are on the path: it must then be tested
    /// whether the body crosses their blocking edges.
    #[inline(always)]
    pub(super) fn is_clear(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        if self.is_fine() {
            self.is_clear_of::<true>(at, dir, step)
        } else if self.has_edges(dir) {
            self.is_clear_of_edges(at, dir, step)
        } else {
            self.is_clear_of::<false>(at, dir, step)
        }
    }

    /// Returns true if cells are single pixels.
    #[inline(always)]
    pub(super) fn is_fine(&self) -> bool {
        self.all[0].is_fine
    }

    /// Returns true if one-way cells may stop a motion toward `dir` elsewhere than at a cell's own edge.
    #[inline(always)]
    pub(super) fn has_edges(&self, dir: Dir) -> bool {
        self.all[dir as usize].has_edges
    }

    /// Returns the same as [`EdgeLines::is_clear`], on lines that include one-way cells. It is a separate
    /// function because a processor cannot predict its branch on the answer. Inlined, this branch doubled the
    /// time of the other queries.
    #[inline(never)]
    fn is_clear_of_edges(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        self.is_clear_of::<false>(at, dir, step).filter(|is_clear| *is_clear)
    }

    #[inline(always)]
    pub(super) fn is_clear_of<const FINE: bool>(
        &self,
        at: IVec2,
        dir: Dir,
        step: u32,
    ) -> Option<bool> {
        self.all[dir as usize].is_clear::<FINE>(&self.bytes, at, dir, step)
    }

    /// Returns the result of [`EdgeLines::is_clear`] for a motion that one-way cells do not stop.
    #[inline(always)]
    pub(super) fn is_clear_of_solids(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        let way = &self.solid[dir as usize];
        if way.is_fine {
            way.is_clear::<true>(&self.bytes, at, dir, step)
        } else {
            way.is_clear::<false>(&self.bytes, at, dir, step)
        }
    }

    /// Returns the result of [`EdgeLines::is_clear`] for all four sides of a body of `size` pixels, with one
    /// load of 8 bytes for each axis. Also returns `None` if the body and the steps on both sides of it are
    /// together too long for one load.
    #[inline(always)]
    pub(super) fn free_sides(&self, at: IVec2, size: IVec2, step: u32) -> Option<Sides<bool>> {
        let [[left, right], [up, down]] = if self.all[0].is_fine {
            [
                self.are_clear::<true>(Axis::X, at, size, step)?,
                self.are_clear::<true>(Axis::Y, at, size, step)?,
            ]
        } else {
            [
                self.are_clear::<false>(Axis::X, at, size, step)?,
                self.are_clear::<false>(Axis::Y, at, size, step)?,
            ]
        };
        Some(Sides { left, right, up, down })
    }

    #[inline(always)]
    fn are_clear<const FINE: bool>(
        &self,
        axis: Axis,
        at: IVec2,
        size: IVec2,
        step: u32,
    ) -> Option<[bool; 2]> {
        let way = &self.all[Dir::along(axis, false) as usize];
        let extent = split(size, axis).0;
        let both = u64::from(step) * 2 + u64::from(extent);
        if !way.is_paired || step == 0 || both > way.most.into() {
            return None;
        }
        let (along, across) = split(at, axis);
        let line = way.line::<FINE>(across)?;
        let start = along.wrapping_add(way.edge).wrapping_sub(step);
        if start > way.last {
            return None;
        }
        let first = way.bit::<FINE>(start);
        let window = load(&self.bytes, line.wrapping_add(first / 8)) >> (first % 8);
        Some([
            way.is_clear_in::<FINE>(window, first, start, step),
            way.is_clear_in::<FINE>(window, first, start + step + extent, step),
        ])
    }

    /// Returns the result of [`EdgeLines::is_clear`] for any step and any one-way cell. Returns `None` only
    /// if the body is far outside the level.
    #[inline(always)]
    pub(super) fn is_clear_long(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        let strip = self.strip(&self.all[dir as usize], at, dir, step)?;
        Some(strip.bits.is_none_or(|bits| !any_set(&self.bytes, strip.line, bits)))
    }

    /// Returns the distance, at most `step` pixels, that a body at `at` can move; `None` if it is far outside
    /// the level. One-way cells stop the body only if `one_way` is true.
    pub(super) fn free_distance(
        &self,
        at: IVec2,
        dir: Dir,
        step: u32,
        one_way: bool,
    ) -> Option<u32> {
        let ways = if one_way { &self.all } else { &self.solid };
        let way = &ways[dir as usize];
        let LineStrip { line, edge, bits } = self.strip(way, at, dir, step)?;
        let Some(bits) = bits else {
            return Some(step);
        };
        let moved = if dir.is_positive() {
            let found = first_set(&self.bytes, line, bits);
            found.map(|bit| (bit * way.side).saturating_sub(edge))
        } else {
            let found = last_set(&self.bytes, line, bits);
            found.map(|bit| edge.saturating_sub((bit + 1) * way.side))
        };
        Some(moved.map_or(step, |moved| moved.min(step)))
    }

    #[inline(always)]
    fn strip(&self, way: &Lane, at: IVec2, dir: Dir, step: u32) -> Option<LineStrip> {
        if way.is_fine {
            self.strip_of::<true>(way, at, dir, step)
        } else {
            self.strip_of::<false>(way, at, dir, step)
        }
    }

    #[inline(always)]
    fn strip_of<const FINE: bool>(
        &self,
        way: &Lane,
        at: IVec2,
        dir: Dir,
        step: u32,
    ) -> Option<LineStrip> {
        let (along, across) = split(at, dir.axis());
        let line = way.line::<FINE>(across)?;
        let edge = along.wrapping_add(way.edge);
        // The leading edge must be on the line, with at least one pixel of the outside on both sides of it.
        if edge == 0 || edge > way.last {
            return None;
        }
        // Bits beyond the end of a line would equal the last bit of the line, so they are left out.
        let back = step & i32::from(way.back) as u32;
        let start = edge.saturating_sub(back);
        let end = edge.saturating_add(step - back).min(way.last + 1);
        let mut bits = (start < end).then(|| (way.bit::<FINE>(start), way.bit::<FINE>(end - 1)));
        if !FINE && way.has_edges {
            let solid = line - way.start + self.solid[dir as usize].start;
            bits = bits.and_then(|bits| self.past_edge(way, [solid, edge], dir, bits));
        }
        Some(LineStrip { line, edge, bits })
    }

    /// Returns the first and the last bit of the swept cells, without the cell that contains the leading edge
    /// if this cell is not solid. Such a one-way cell does not stop the body, because the leading edge is
    /// already past the cell's blocking edge. `edge` is the pixel of the leading edge. `solid` is the first
    /// byte of the line that has only solid cells. `None` if no bit is left.
    fn past_edge(
        &self,
        way: &Lane,
        [solid, edge]: [u32; 2],
        dir: Dir,
        (first, last): (u32, u32),
    ) -> Option<(u32, u32)> {
        let cell = if dir.is_positive() { first } else { last };
        let is_solid = load(&self.bytes, solid + cell / 8) >> (cell % 8) & 1 != 0;
        if is_solid || edge % way.side == 0 {
            return Some((first, last));
        }
        if first >= last {
            return None;
        }
        Some(if dir.is_positive() { (first + 1, last) } else { (first, last - 1) })
    }
}

/// Returns the coordinates of a body along its motion and across it. The first coordinate is computed as a
/// sum, which saves a branch.
#[inline(always)]
fn split(at: IVec2, axis: Axis) -> (u32, u32) {
    let x = at.x as u32;
    let y = at.y as u32;
    let across = match axis {
        Axis::X => y,
        Axis::Y => x,
    };
    (x.wrapping_add(y).wrapping_sub(across), across)
}

/// Returns 64 bits, starting with the byte `at`. The first bit is bit 0.
#[inline(always)]
fn load(bytes: &[u8], at: u32) -> u64 {
    let at = at as usize;
    let (chunks, _) = bytes[at..at + 8].as_chunks();
    u64::from_le_bytes(chunks[0])
}

/// Returns true if the line at byte `line` has a set bit from bit `first` to bit `last`. Up to [`MOST`] bits
/// take one load.
#[inline(always)]
fn any_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> bool {
    let more = last - first;
    if more >= MOST {
        return first_set(bytes, line, (first, last)).is_some();
    }
    load(bytes, line + first / 8) & MASK[(more * 8 + first % 8) as usize % 512] != 0
}

/// The number of bytes of a line that are compared with 0 at once.
const CHUNK: usize = 64;

fn is_empty(bytes: &[u8], at: u32) -> bool {
    bytes[at as usize..].first_chunk() == Some(&[0; CHUNK])
}

/// Returns the first set bit from bit `first` to bit `last` of the line at byte `line`; `None` if no bit is
/// set.
fn first_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> Option<u32> {
    let mut bit = first;
    while bit <= last {
        let word = load(bytes, line + bit / 8) >> (bit % 8);
        if word != 0 {
            return Some(bit + word.trailing_zeros()).filter(|bit| *bit <= last);
        }
        bit = bit / 8 * 8 + 64;
        while bit + CHUNK as u32 * 8 <= last && is_empty(bytes, line + bit / 8) {
            bit += CHUNK as u32 * 8;
        }
    }
    None
}

/// Returns the last set bit from bit `first` to bit `last` of the line at byte `line`; `None` if no bit is
/// set.
fn last_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> Option<u32> {
    let mut end = last + 1;
    while end > first {
        let start = end.next_multiple_of(8).saturating_sub(64);
        let word = load(bytes, line + start / 8) << (64 - (end - start));
        if word != 0 {
            return Some(end - 1 - word.leading_zeros()).filter(|bit| *bit >= first);
        }
        end = start;
        while end >= first + CHUNK as u32 * 8 && is_empty(bytes, line + end / 8 - CHUNK as u32) {
            end -= CHUNK as u32 * 8;
        }
    }
    None
}
