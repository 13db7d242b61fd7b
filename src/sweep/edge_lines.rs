//! The lines that the leading edges of one body size cover, ored ahead of time, so that a motion is one load.
//!
//! A body of h pixels that moves left or right covers h rows. The line for a body at y is the bitwise or of
//! these rows, and the strip of a motion is a run of its bits. Up and down the lines are columns, ored by the
//! body's width. This is exactly the strip of [`crate::Terrain::can_move`], also for a body that starts in a
//! solid. Here is the kernel, over plain data; `build` makes the lines. Nothing here knows a terrain.
//!
//! Lines are bytes, one after the other: a load of 8 bytes at any byte gives at least 57 bits of a line.
//! Across the motion a table has the line of each pixel. Along it a bit is the largest power of two of pixels
//! that divides the side of a cell, so that cells need not be square. At both ends of a line there are bits
//! of the outside. A body that is outside the level across its motion has no line: it is *far*.

mod build;

use std::sync::Arc;

use glam::IVec2;

use crate::geometry::{Axis, Dir, Sides};

use build::Plane;
pub(super) use build::Source;

/// The bits of a line that one load gives, wherever they begin.
const MOST: u32 = 57;

/// The lines of a terrain for the leading edges of one body size.
#[derive(Clone)]
pub(super) struct EdgeLines {
    /// The width and height of the body in pixels.
    size: IVec2,
    /// Without one-way cells first, then with those that hold the body.
    ways: [Ways; 2],
    /// The lines of all planes, and the bytes of a wide load, which may be read but never count.
    bytes: Vec<u8>,
    planes: Vec<Plane>,
}

/// The lines by the direction of the motion, in the order of [`Dir::ALL`].
type Ways = [Way; 4];

/// The lines for one direction.
#[derive(Clone)]
struct Way {
    /// For each place of a body across the motion, from 0 on, the byte at which its line begins.
    lines: Arc<[u32]>,
    /// The last pixel of a line at which a strip of [`MOST`] pixels can begin.
    last: u32,
    /// The pixel of the line at which the leading edge of a body is whose place along the motion is 0.
    edge: u32,
    /// The most pixels of a strip that has at most [`MOST`] bits, wherever it begins.
    most: u32,
    /// -1 if the strip lies before the edge (left, up), else 0.
    back: i8,
    /// A bit is 2^`shift` pixels long.
    shift: u8,
    /// True for a way to the left, or up, if the opposite one has the same lines. To compare the two would
    /// take another way from memory.
    is_paired: bool,
}

/// The tables of a query, close together: a copy spares it two loads.
#[derive(Clone, Copy)]
pub(super) struct Lines<'t> {
    ways: &'t Ways,
    bytes: &'t [u8],
    /// True if every bit is a pixel.
    is_fine: bool,
}

/// `MASK[8 * n + bit]`: n + 1 ones from `bit` on. A table takes the place of two shifts by a variable.
static MASK: [u64; 512] = {
    let mut mask = [0; 512];
    let mut at = 0;
    while at < 512 {
        mask[at] = (u64::MAX >> (63 - at / 8)) << (at % 8);
        at += 1;
    }
    mask
};

/// The words that a wide load reads.
const WORDS: usize = 3;

/// `WIDE_MASK[n]`: the words up to bit n.
static WIDE_MASK: [[u64; WORDS]; 64 * WORDS] = {
    let mut mask = [[0; WORDS]; 64 * WORDS];
    let mut last = 0;
    while last < 64 * WORDS {
        if last > 0 {
            mask[last] = mask[last - 1];
        }
        mask[last][last / 64] |= 1 << (last % 64);
        last += 1;
    }
    mask
};

impl EdgeLines {
    /// The width and height of the body.
    #[inline]
    pub(super) fn size(&self) -> IVec2 {
        self.size
    }

    /// The lines of solids alone.
    #[inline]
    pub(super) fn without_one_way(&self) -> Lines<'_> {
        self.lines(&self.ways[0])
    }

    /// The lines of solids and of the one-way cells that hold a motion.
    #[inline]
    pub(super) fn with_one_way(&self) -> Lines<'_> {
        self.lines(&self.ways[1])
    }

    #[inline]
    fn lines<'t>(&'t self, ways: &'t Ways) -> Lines<'t> {
        Lines { ways, bytes: &self.bytes, is_fine: ways.iter().all(|way| way.shift == 0) }
    }

    /// The bytes of the lines and of the tables; 0 if there are none.
    pub(super) fn memory_bytes(&self) -> u64 {
        let mut tables: Vec<&Arc<[u32]>> = Vec::new();
        for way in self.ways.iter().flatten() {
            if !tables.iter().any(|known| Arc::ptr_eq(known, &way.lines)) {
                tables.push(&way.lines);
            }
        }
        let tables: usize = tables.into_iter().map(|table| size_of_val(&**table)).sum();
        (self.bytes.len() + tables) as u64
    }
}

impl Way {
    /// A way without lines: each body is far.
    fn none() -> Self {
        Self { lines: Arc::new([]), last: 0, edge: 0, most: 0, back: 0, shift: 0, is_paired: false }
    }
}

impl Lines<'_> {
    /// True if no bit is set in the strip of a body at `at`; `None` if the body is far from the level, or for
    /// a step of 0 or of more pixels than one load answers.
    #[inline(always)]
    pub(super) fn is_clear(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        if self.is_fine {
            self.is_clear_of::<true>(at, dir, step)
        } else {
            self.is_clear_of::<false>(at, dir, step)
        }
    }

    #[inline(always)]
    fn is_clear_of<const FINE: bool>(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        let way = &self.ways[dir as usize];
        let more = step.wrapping_sub(1);
        if more >= way.most {
            return None;
        }
        let (along, across) = split(at, dir.axis());
        let line = *way.lines.get(across as usize)?;
        let start = along.wrapping_add(way.edge).wrapping_sub(step & i32::from(way.back) as u32);
        if start > way.last {
            return None;
        }
        let bit = |pixel: u32| if FINE { pixel } else { pixel >> (way.shift & 31) };
        let first = bit(start);
        let more = bit(start.wrapping_add(more)).wrapping_sub(first);
        let mask = MASK[(more * 8 + first % 8) as usize % 512];
        Some(load(self.bytes, line.wrapping_add(first / 8)) & mask == 0)
    }

    /// [`Lines::is_clear`] toward all four sides, by one load for each axis, for a body of this size; `None`
    /// also if both strips of an axis and the body between them are more than one load answers.
    #[inline(always)]
    pub(super) fn free_sides(&self, at: IVec2, size: IVec2, step: u32) -> Option<Sides<bool>> {
        let [[left, right], [up, down]] = if self.is_fine {
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
        let way = &self.ways[Dir::along(axis, false) as usize];
        let extent = split(size, axis).0;
        let both = u64::from(step) * 2 + u64::from(extent);
        if !way.is_paired || step == 0 || both > way.most.into() {
            return None;
        }
        let (along, across) = split(at, axis);
        let line = *way.lines.get(across as usize)?;
        let start = along.wrapping_add(way.edge).wrapping_sub(step);
        if start > way.last {
            return None;
        }
        let bit = |pixel: u32| if FINE { pixel } else { pixel >> (way.shift & 31) };
        let first = bit(start);
        let window = load(self.bytes, line.wrapping_add(first / 8)) >> (first % 8);
        let is_clear = |start: u32| {
            let from = bit(start) - first;
            let more = if FINE { step - 1 } else { bit(start + step - 1) - first - from };
            (window >> (from % 64)) & MASK[(more * 8) as usize % 512] == 0
        };
        Some([is_clear(start), is_clear(start + step + extent)])
    }

    /// As [`Lines::is_clear`] for every step, by the words of the strip.
    #[inline(always)]
    pub(super) fn is_clear_long(&self, at: IVec2, dir: Dir, step: u32) -> Option<bool> {
        let (line, bits) = match self.strip(at, dir, step)? {
            (_, None) => return Some(true),
            (line, Some(bits)) => (line, bits),
        };
        Some(!any_set(self.bytes, line, bits))
    }

    /// The distance that a body at `at` can move, at most `step`; `None` if the body is far from the level.
    /// O(words of the strip).
    pub(super) fn free_distance(&self, at: IVec2, dir: Dir, step: u32) -> Option<u32> {
        let (line, bits) = match self.strip(at, dir, step)? {
            (_, None) => return Some(step),
            (line, Some(bits)) => (line, bits),
        };
        let way = &self.ways[dir as usize];
        let edge = split(at, dir.axis()).0.wrapping_add(way.edge);
        let moved = if dir.is_positive() {
            let found = first_set(self.bytes, line, bits);
            found.map(|bit| (bit << way.shift).saturating_sub(edge))
        } else {
            let found = last_set(self.bytes, line, bits);
            found.map(|bit| edge.saturating_sub((bit + 1) << way.shift))
        };
        Some(moved.map_or(step, |moved| moved.min(step)))
    }

    /// The line of a body at `at`, and the first and the last bit of its strip, if it has some; `None` if the
    /// body is far from the level.
    #[inline(always)]
    fn strip(&self, at: IVec2, dir: Dir, step: u32) -> Option<(u32, Option<(u32, u32)>)> {
        let way = &self.ways[dir as usize];
        let (along, across) = split(at, dir.axis());
        let line = *way.lines.get(across as usize)?;
        let edge = along.wrapping_add(way.edge);
        // The edge is on the line, with a pixel of the outside before it and after it.
        if edge == 0 || edge > way.last {
            return None;
        }
        // Beyond the ends of a line nothing changes.
        let back = step & i32::from(way.back) as u32;
        let start = edge.saturating_sub(back);
        let end = edge.saturating_add(step - back).min(way.last + 1);
        let bits = (start < end).then(|| (start >> way.shift, (end - 1) >> way.shift));
        Some((line, bits))
    }
}

/// The coordinates of a body along its motion and across it. One is the rest of the sum, which spares a
/// selection.
#[inline(always)]
fn split(at: IVec2, axis: Axis) -> (u32, u32) {
    let (x, y) = (at.x as u32, at.y as u32);
    let across = match axis {
        Axis::X => y,
        Axis::Y => x,
    };
    (x.wrapping_add(y).wrapping_sub(across), across)
}

/// 64 bits from a byte on, the first one in bit 0.
#[inline(always)]
fn load(bytes: &[u8], at: u32) -> u64 {
    let at = at as usize;
    let (chunks, _) = bytes[at..at + 8].as_chunks();
    u64::from_le_bytes(chunks[0])
}

/// The bytes that are tested at once where a strip is long.
const CHUNK: usize = 64;

/// True if a bit of a line from the first to the last of `bits` is set.
///
/// It tests up to 185 bits without a branch: the processor cannot predict the number of their words.
#[inline(always)]
fn any_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> bool {
    let start = (line + first / 8) as usize;
    // The last bit, counted from the first bit of the first byte.
    let last = (last - (first & !7)) as usize;
    let from = u64::MAX << (first % 8);
    let Some(mask) = WIDE_MASK.get(last) else {
        let (words, _) = bytes[start..start + last / 64 * 8 + 8].as_chunks();
        return any_in_many_words(words, from, u64::MAX >> (63 - last % 64));
    };
    let (words, _) = bytes[start..start + 8 * WORDS].as_chunks();
    let word = |at: usize| u64::from_le_bytes(words[at]) & mask[at];
    word(0) & from | word(1) | word(2) != 0
}

/// True if a bit is set in the first word, `from` it on, in the last one up to `to`, or between them.
#[cold]
#[inline(never)]
fn any_in_many_words(words: &[[u8; 8]], from: u64, to: u64) -> bool {
    let [first, between @ .., last] = words else { return false };
    u64::from_le_bytes(*first) & from | u64::from_le_bytes(*last) & to != 0
        || any_byte(between.as_flattened())
}

/// True if one of the bytes, a multiple of 8, is not 0. It tests all words of a chunk before it branches.
fn any_byte(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<CHUNK>();
    let (words, _) = rest.as_chunks();
    chunks.iter().any(|chunk| chunk.iter().fold(0, |any, byte| any | byte) != 0)
        || words.iter().fold(0, |any, word| any | u64::from_le_bytes(*word)) != 0
}

/// True if no bit of a chunk is set.
fn is_empty(bytes: &[u8], at: u32) -> bool {
    bytes[at as usize..].first_chunk() == Some(&[0; CHUNK])
}

/// The first set bit of a line from the first to the last of `bits`.
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

/// The last set bit of a line from the first to the last of `bits`.
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
