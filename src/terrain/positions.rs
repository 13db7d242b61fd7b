//! The free positions of a body of one size, in two planes of bits: by rows and by columns. A position is the
//! top-left pixel of the body. It is free if the body overlaps no solid pixel there, and no pixel along the
//! guarded edge of a one-way cell. So no motion between two free neighbours is stopped, in any direction.
//!
//! The planes have the positions at which the body is inside the level. Beyond an open side they also have
//! those at which it touches the level, which stand for all further ones: a way around the outside of the
//! level needs no other.
//!
//! Edits remake the aligned blocks of 64 x 64 positions that they touch.

use std::ops::Range;

use glam::IVec2;

use super::kernel::{SolidCells, row_word};
use super::spaces::{Kept, MAX_BYTES};
use crate::geometry::{Axis, Dir};
use crate::grid::{low_bits, transpose_block};

/// Lines of bits. A zero word is before and after each line, and a zero line before and after all of them, so
/// that a load next to any bit is in range.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct BitPlane {
    words: Vec<u64>,
    stride: usize,
    len: i32,
    count: i32,
}

impl BitPlane {
    fn stride(len: i64) -> u64 {
        len as u64 / 64 + 3
    }

    fn bytes_of(len: i64, count: i64) -> u64 {
        Self::stride(len) * (count as u64 + 2) * 8
    }

    /// `count` lines of `len` zero bits; `None` if there is no memory.
    fn new(len: i64, count: i64) -> Option<Self> {
        let (mut words, size) = (Vec::new(), (Self::bytes_of(len, count) / 8) as usize);
        words.try_reserve_exact(size).ok()?;
        words.resize(size, 0);
        let stride = Self::stride(len) as usize;
        Some(Self { words, stride, len: len as i32, count: count as i32 })
    }

    /// A plane of the same form whose bits are all zero.
    pub(crate) fn blank(&self) -> Self {
        Self { words: vec![0; self.words.len()], ..*self }
    }

    /// The number of bits of a line.
    #[inline(always)]
    pub(crate) fn len(&self) -> i32 {
        self.len
    }

    /// The number of lines.
    #[inline(always)]
    pub(crate) fn count(&self) -> i32 {
        self.count
    }

    /// The words of all lines, and the distance between those of a bit and of the same bit of the next line.
    pub(crate) fn words(&self) -> (&[u64], usize) {
        (&self.words, self.stride)
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The index of the word with the bit at `place` of `line`, and the bit's number in it. Both may be one
    /// before the first or after the last, and a place 63 before the first.
    #[inline(always)]
    pub(crate) fn at(&self, place: i32, line: i32) -> (usize, u32) {
        let bit = (place + 64) as usize;
        ((line + 1) as usize * self.stride + bit / 64, (bit % 64) as u32)
    }

    /// 64 bits of `line` from `place` on, the first in bit 0.
    #[inline(always)]
    pub(crate) fn load(&self, place: i32, line: i32) -> u64 {
        let (at, shift) = self.at(place, line);
        let words = &self.words[at..at + 2];
        (words[0] >> shift) | ((words[1] << 1) << (63 - shift))
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: i32, line: i32) -> bool {
        let (at, shift) = self.at(place, line);
        self.words[at] >> shift & 1 != 0
    }

    /// True if the bits `places` of `line`, at least one, are all set.
    pub(crate) fn all_set(&self, places: Range<i32>, line: i32) -> bool {
        places.clone().step_by(64).all(|place| {
            let mask = low_bits((places.end - place).into());
            self.load(place, line) & mask == mask
        })
    }

    /// Calls `change` with each word of the bits `places` of `lines`, its index, and a mask of these bits.
    fn each_word(
        &mut self,
        places: &Range<i32>,
        lines: &Range<i32>,
        mut change: impl FnMut(&mut u64, usize, u64),
    ) {
        for line in lines.clone() {
            let (mut at, first) = self.at(places.start, line);
            let mut mask = u64::MAX << first;
            let mut left = i64::from(places.end - places.start) + i64::from(first);
            while left > 0 {
                change(&mut self.words[at], at, mask & low_bits(left));
                (at, mask, left) = (at + 1, u64::MAX, left - 64);
            }
        }
    }
}

/// The free positions of a body, from `origin` on.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct FreePositions {
    size: IVec2,
    origin: IVec2,
    rows: BitPlane,
    columns: BitPlane,
}

/// The most positions along an axis, so that a product of two fits in 64 bits. [`MAX_BYTES`] leaves fewer
/// than 2^30 positions in all, so a sum of two lengths of ways fits too.
const MAX_POSITIONS: i64 = 1 << 30;

/// The positions of a body of `size` pixels on an axis; `None` if they are too many.
fn positions(cells: &SolidCells, size: IVec2, axis: Axis) -> Option<Range<i64>> {
    let (frame, size) = (&cells.frame, i64::from(size.to_array()[axis.index()]));
    let start = if frame.is_solid_beyond(axis, false) { 0 } else { -size };
    let solid = frame.is_solid_beyond(axis, true);
    let end = frame.size[axis.index()] + 1 - if solid { size } else { 0 };
    (end - start <= MAX_POSITIONS).then(|| start..end.max(start))
}

impl FreePositions {
    /// The number of bytes for a body of `size` pixels, at least 1 a side; `None` if these or those in use
    /// while they are made are more than [`MAX_BYTES`].
    pub(super) fn bytes_of(cells: &SolidCells, size: IVec2) -> Option<u64> {
        let [x, y] = [Axis::X, Axis::Y].map(|axis| positions(cells, size, axis));
        let (width, height) = (x.map(|x| x.end - x.start)?, y.map(|y| y.end - y.start)?);
        let bytes = BitPlane::bytes_of(width, height) + BitPlane::bytes_of(height, width);
        let tops = positions(cells, size, Axis::Y)?;
        let lines = PixelRows::new(cells).covered(&tops, size.y.into());
        let lines = if tops.is_empty() { 0 } else { lines.end - lines.start };
        let used = lines as u64 * size_of::<Row>() as u64;
        (bytes <= MAX_BYTES && used <= MAX_BYTES).then_some(bytes)
    }

    /// The free positions of a body of `size` pixels, at least 1 a side. They are missing if there are too
    /// many, or if there is no memory for them. O(words of the level in pixels + words of positions), for any
    /// size.
    pub(super) fn new(cells: &SolidCells, size: IVec2) -> Self {
        let made = || {
            Self::bytes_of(cells, size)?;
            let (x, y) = (positions(cells, size, Axis::X)?, positions(cells, size, Axis::Y)?);
            let (width, height) = (x.end - x.start, y.end - y.start);
            let (rows, columns) = (BitPlane::new(width, height)?, BitPlane::new(height, width)?);
            let origin = IVec2::new(x.start as i32, y.start as i32);
            Some(Self { size, origin, rows, columns })
        };
        let mut made = made().unwrap_or_default();
        made.remake(cells, 0..made.rows.len, 0..made.rows.count);
        made
    }

    pub(super) fn is_missing(&self) -> bool {
        self.rows.words.is_empty()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.rows.words.len() + self.columns.words.len()) as u64 * 8
    }

    /// Width and height of the body in pixels.
    pub(crate) fn size(&self) -> IVec2 {
        self.size
    }

    /// The first position in the planes.
    #[inline]
    pub(crate) fn origin(&self) -> IVec2 {
        self.origin
    }

    /// A line for each row of positions.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &BitPlane {
        &self.rows
    }

    /// A line for each column of positions.
    #[inline(always)]
    pub(crate) fn columns(&self) -> &BitPlane {
        &self.columns
    }

    /// Remakes the positions at which the body covers cells of a rectangle.
    pub(super) fn patch(&mut self, cells: &SolidCells, columns: &Range<u32>, rows: &Range<u32>) {
        let touched = |range: &Range<u32>, axis: Axis, count: i32| {
            let (at, side) = (axis.index(), i64::from(cells.frame.cell[axis.index()].divisor));
            let [size, origin] = [self.size, self.origin].map(|it| i64::from(it.to_array()[at]));
            let first = i64::from(range.start) * side + 1 - size - origin;
            let end = i64::from(range.end) * side - origin;
            first.clamp(0, count.into()) as i32..end.clamp(0, count.into()) as i32
        };
        let x = touched(columns, Axis::X, self.rows.len);
        let y = touched(rows, Axis::Y, self.rows.count);
        if !x.is_empty() && !y.is_empty() {
            self.remake(cells, x, y);
        }
    }

    /// Remakes the blocks that have a position of `xs` x `ys`, counted from the origin. All positions are
    /// missing if there is no memory for it. O(words of the cells under them, in the level, + words of them).
    fn remake(&mut self, cells: &SolidCells, xs: Range<i32>, ys: Range<i32>) {
        let ys = ys.start / 64 * 64..((ys.end + 63) / 64 * 64).min(self.rows.count);
        if xs.is_empty() || ys.is_empty() {
            return;
        }
        let (width, height) = (i64::from(self.size.x), i64::from(self.size.y));
        let pixel_rows = PixelRows::new(cells);
        let top = i64::from(self.origin.y) + i64::from(ys.start);
        let lines = pixel_rows.covered(&(top..top + ys.len() as i64), height);
        let (mut rows, count) = (Vec::new(), (lines.end - lines.start) as usize);
        if rows.try_reserve_exact(count).is_err() {
            *self = Self::default();
            return;
        }
        rows.resize(count, Row { after: 0, next: i64::MAX, wide: 0, tail: 0 });
        let stripes = xs.start / 64..(xs.end - 1) / 64 + 1;
        let left = i64::from(self.origin.x);
        let pixel = |stripe: i32| left + 64 * i64::from(stripe);
        let ys_of_lines = lines.clone().map(|line| line * pixel_rows.side);
        for (row, y) in rows.iter_mut().zip(ys_of_lines.clone()) {
            row.look_ahead(cells, pixel(stripes.end), y, width);
        }
        let mut free = vec![0; ys.len()];
        for stripe in stripes.clone().rev() {
            for (row, y) in rows.iter_mut().zip(ys_of_lines.clone()) {
                row.step_back(wall_word(cells, pixel(stripe), y), pixel(stripe), width);
            }
            let inside = low_bits(i64::from(self.rows.len) - 64 * i64::from(stripe));
            write_free((&mut rows, lines.start), &pixel_rows, [top, height], inside, &mut free);
            self.store(stripe, ys.start, &free);
        }
    }

    /// Writes words of positions, one for each row from `y` on, into both planes.
    fn store(&mut self, stripe: i32, y: i32, free: &[u64]) {
        let (first, _) = self.rows.at(64 * stripe, y);
        for (word, at) in free.iter().zip((first..).step_by(self.rows.stride)) {
            self.rows.words[at] = *word;
        }
        for (lines, y) in free.chunks(64).zip((y..).step_by(64)) {
            let mut block = [0; 64];
            block[..lines.len()].copy_from_slice(lines);
            let is_mixed = lines.iter().any(|line| *line != lines[0]) || lines.len() < 64;
            if is_mixed || (lines[0] != 0 && lines[0] != u64::MAX) {
                transpose_block(&mut block);
            }
            let (first, _) = self.columns.at(y, 64 * stripe);
            let count = (self.rows.len - 64 * stripe).min(64) as usize;
            for (word, at) in block[..count].iter().zip((first..).step_by(self.columns.stride)) {
                self.columns.words[at] = *word;
            }
        }
    }

    /// The positions, counted from the origin, at which the body would overlap the box from `min` to `max`.
    pub(crate) fn touching(&self, min: IVec2, max: IVec2) -> [Range<i32>; 2] {
        let ends = IVec2::new(self.rows.len, self.rows.count).as_i64vec2();
        let (size, origin) = (self.size.as_i64vec2(), self.origin.as_i64vec2());
        let first = (min.as_i64vec2() + 1 - size - origin).clamp(glam::I64Vec2::ZERO, ends);
        let end = (max.as_i64vec2() - origin).clamp(first, ends);
        let is_empty = min.cmpge(max).any();
        let end = if is_empty { first } else { end };
        [first.x as i32..end.x as i32, first.y as i32..end.y as i32]
    }

    /// Makes a rectangle of positions not free.
    pub(crate) fn block(&mut self, [x, y]: &[Range<i32>; 2]) {
        self.rows.each_word(x, y, |word, _, mask| *word &= !mask);
        self.columns.each_word(y, x, |word, _, mask| *word &= !mask);
    }

    /// Makes a rectangle of positions as free as those of `other`, which has the same form.
    pub(crate) fn restore(&mut self, other: &Self, [x, y]: &[Range<i32>; 2]) {
        self.rows.each_word(x, y, |word, at, _| *word = other.rows.words[at]);
        self.columns.each_word(y, x, |word, at, _| *word = other.columns.words[at]);
    }

    /// Becomes equal to `other`, in the same memory if that is large enough.
    pub(crate) fn copy(&mut self, other: &Self) {
        for (own, other) in [(&mut self.rows, &other.rows), (&mut self.columns, &other.columns)] {
            own.words.clone_from(&other.words);
            (own.stride, own.len, own.count) = (other.stride, other.len, other.count);
        }
        (self.size, self.origin) = (other.size, other.origin);
    }
}

impl Kept for FreePositions {
    fn memory_bytes(&self) -> u64 {
        self.bytes()
    }
}

/// The rows of pixels with the same solids, which are read once, as a row of cells. All rows above the level
/// count as row -1, and all rows below it as row `count`, because they are alike.
struct PixelRows {
    side: i64,
    count: i64,
}

impl PixelRows {
    fn new(cells: &SolidCells) -> Self {
        // Guarded edges are one pixel wide.
        let side = cells.guards.as_ref().map_or(cells.frame.cell[1].divisor.into(), |_| 1);
        Self { side, count: cells.frame.size[1] / side }
    }

    fn at(&self, y: i64) -> i64 {
        y.div_euclid(self.side).clamp(-1, self.count)
    }

    /// The rows that a body of `height` pixels covers with its top at `tops`.
    fn covered(&self, tops: &Range<i64>, height: i64) -> Range<i64> {
        self.at(tops.start)..self.at(tops.end - 1 + height - 1) + 1
    }
}

/// A row of the level while stripes of 64 positions are made from right to left.
#[derive(Clone, Copy)]
struct Row {
    /// The pixels after those of the stripe.
    after: u64,
    /// The first solid pixel after the stripe.
    next: i64,
    /// The positions of the stripe at which a body would overlap a solid pixel of this row.
    wide: u64,
    /// For the sliding bitwise or of [`write_free`].
    tail: u64,
}

impl Row {
    /// Reads as many pixels from `x` on as a body at the left of `x` can cover.
    fn look_ahead(&mut self, cells: &SolidCells, x: i64, y: i64, width: i64) {
        self.after = wall_word(cells, x, y);
        // Beyond the level all pixels of a row are alike: none is solid left of it, where `x` is, if at all,
        // beside an open side.
        let (start, end) = (x.max(-63), (x + width).min(cells.frame.size[0] + 1));
        let mut words = (start..end).step_by(64).filter(|_| width > 64);
        let found = words.find_map(|x| match wall_word(cells, x, y) {
            0 => None,
            word => Some(x + i64::from(word.trailing_zeros())),
        });
        self.next = found.unwrap_or(i64::MAX);
    }

    /// Makes the word of the stripe at `x` from its pixels `word`.
    fn step_back(&mut self, word: u64, x: i64, width: i64) {
        self.wide = if width <= 64 {
            let mut pixels = u128::from(self.after) << 64 | u128::from(word);
            let mut have = 1;
            while have < width {
                let more = have.min(width - have);
                pixels |= pixels >> more;
                have += more;
            }
            pixels as u64
        } else {
            // Up to the last solid pixel of the stripe, and from where the body reaches the next one.
            let before = if word == 0 { 0 } else { u64::MAX >> word.leading_zeros() };
            let reach = self.next.saturating_sub(x + width - 1).clamp(0, 64);
            before | !low_bits(reach)
        };
        if word != 0 {
            self.next = x + i64::from(word.trailing_zeros());
        }
        self.after = word;
    }
}

/// Writes the free positions of a stripe: a word for each row of positions from the pixel `top` on, with the
/// bits `inside` alone. `rows` start at row `first` of `pixel_rows`. A body is `height` pixels high.
///
/// O(rows + words), for any height, by a bitwise or over a window of rows that only moves down (two stacks).
fn write_free(
    (rows, first): (&mut [Row], i64),
    pixel_rows: &PixelRows,
    [top, height]: [i64; 2],
    inside: u64,
    free: &mut [u64],
) {
    // The window has a front part, up to row `middle`, and a back part up to row `end`.
    let (mut middle, mut end, mut back) = (0, 0, 0);
    let (mut y, last, side) = (top, top + free.len() as i64, pixel_rows.side);
    while y < last {
        let (start, until) = (y.div_euclid(side), (y + height - 1).div_euclid(side) + 1);
        // The rows of positions up to here cover the same rows of cells.
        let same = ((start + 1) * side).min(until * side - height + 1).min(last);
        let covered = pixel_rows.covered(&(y..y + 1), height);
        let (start, until) = ((covered.start - first) as usize, (covered.end - first) as usize);
        if start >= middle {
            let mut tail = 0;
            for row in rows[start..until].iter_mut().rev() {
                tail |= row.wide;
                row.tail = tail;
            }
            (middle, end, back) = (until, until, 0);
        }
        back = rows[end..until].iter().fold(back, |back, row| back | row.wide);
        end = until;
        let word = !(rows[start].tail | back) & inside;
        free[(y - top) as usize..(same - top) as usize].fill(word);
        y = same;
    }
}

/// 64 pixels from (`x`, `y`) to the right as bits, set where solid or along the guarded edge of a one-way
/// cell, the first in bit 0.
fn wall_word(cells: &SolidCells, x: i64, y: i64) -> u64 {
    let solid = row_word(&cells.frame, &cells.grid, x, y);
    let Some(guards) = &cells.guards else {
        return solid;
    };
    let edges = Dir::ALL.into_iter().map(|side| {
        let length = i64::from(cells.frame.cell[side.axis().index()].divisor);
        let edge = if side.is_positive() { length - 1 } else { 0 };
        let word = || row_word(&cells.frame, guards.get(side), x, y);
        match side.axis() {
            Axis::Y if y.rem_euclid(length) == edge => word(),
            Axis::Y => 0,
            Axis::X => {
                let first = (edge - x).rem_euclid(length);
                let places = (first..64).step_by(length as usize);
                word() & places.fold(0, |bits, place| bits | 1 << place)
            }
        }
    });
    edges.fold(solid, |bits, edge| bits | edge)
}

#[cfg(test)]
mod tests;
