//! The free positions of bodies of one size, stored as bits in two bitmaps (planes): by rows and by columns.
//! A position is the top-left pixel of the body. It is free if the body there overlaps no solid pixel, and no
//! pixel along the edge at which a one-way cell stops bodies. So a body can move between two free neighbours
//! in both directions.
//!
//! The planes have all positions at which the body is inside the level. Beyond an open side, they also have
//! the positions at which the body touches the level from outside. Positions farther away are not needed,
//! because a path around the outside of the level can use these.
//!
//! An edit recomputes the aligned blocks of 64 x 64 positions that it touches.

use std::ops::Range;

use glam::IVec2;

use super::kernel::{SolidCells, row_word};
use super::prepared::MAX_BYTES;
use crate::geometry::{Axis, Dir};
use crate::grid::{low_bits, transpose_block};

/// A bitmap, stored as its rows or as its columns (lines). A zero word is before and after each line. A zero
/// line is before the first line and after the last line. So a load next to any bit is in range.
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

    /// Creates `count` lines of `len` zero bits; `None` if memory runs out.
    fn new(len: i64, count: i64) -> Option<Self> {
        let (mut words, size) = (Vec::new(), (Self::bytes_of(len, count) / 8) as usize);
        words.try_reserve_exact(size).ok()?;
        words.resize(size, 0);
        let stride = Self::stride(len) as usize;
        Some(Self { words, stride, len: len as i32, count: count as i32 })
    }

    /// Returns a plane of the same size with all bits zero.
    pub(crate) fn blank(&self) -> Self {
        Self { words: vec![0; self.words.len()], ..*self }
    }

    /// The number of bits in each line of the plane.
    #[inline(always)]
    pub(crate) fn len(&self) -> i32 {
        self.len
    }

    /// The number of lines of the plane.
    #[inline(always)]
    pub(crate) fn count(&self) -> i32 {
        self.count
    }

    /// Returns the words of all lines, and the number of words from one line to the next.
    pub(crate) fn words(&self) -> (&[u64], usize) {
        (&self.words, self.stride)
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the index of the word that has bit number `place` of line number `line`, and the index of the
    /// bit in that word. `line` may be one before the first or one after the last line. `place` may be up to
    /// 63 before the first bit or one after the last.
    #[inline(always)]
    pub(crate) fn at(&self, place: i32, line: i32) -> (usize, u32) {
        let bit = (place + 64) as usize;
        ((line + 1) as usize * self.stride + bit / 64, (bit % 64) as u32)
    }

    /// Returns 64 bits of line number `line`, from bit number `place` on. The first bit is bit 0.
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

    /// Returns true if all bits in the range `places` of line number `line` are set. The range must not be
    /// empty.
    pub(crate) fn all_set(&self, places: Range<i32>, line: i32) -> bool {
        places.clone().step_by(64).all(|place| {
            let mask = low_bits((places.end - place).into());
            self.load(place, line) & mask == mask
        })
    }

    /// Calls `change` with each word that has bits of the rectangle `places` x `lines`, with the word's
    /// index, and with a mask of these bits.
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

/// The free positions of a body. The first bit of the first line is the position `origin`.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct FreePositions {
    size: IVec2,
    origin: IVec2,
    rows: BitPlane,
    columns: BitPlane,
}

/// The limit of the number of positions along an axis, so that the product of two such numbers fits in 64
/// bits. [`MAX_BYTES`] allows fewer than 2^30 positions in all, so the sum of two path lengths fits too.
const MAX_POSITIONS: i64 = 1 << 30;

/// Returns the coordinates on `axis` at which a body of `size` pixels has positions; `None` if there are too
/// many.
fn positions(cells: &SolidCells, size: IVec2, axis: Axis) -> Option<Range<i64>> {
    let (frame, size) = (&cells.frame, i64::from(size.to_array()[axis.index()]));
    let start = if frame.is_solid_beyond(axis, false) { 0 } else { -size };
    let solid = frame.is_solid_beyond(axis, true);
    let end = frame.size[axis.index()] + 1 - if solid { size } else { 0 };
    (end - start <= MAX_POSITIONS).then(|| start..end.max(start))
}

impl FreePositions {
    /// Returns the number of bytes of the planes for a body of `size` pixels, at least 1 x 1. `None` if the
    /// planes, or the memory in use while they are computed, would take more than [`MAX_BYTES`].
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

    /// Computes the free positions of a body of `size` pixels, at least 1 x 1. Returns `None` if there are
    /// too many positions or memory runs out. Takes O(words of pixels in the level and words of positions),
    /// for any size.
    pub(super) fn new(cells: &SolidCells, size: IVec2) -> Option<Self> {
        Self::bytes_of(cells, size)?;
        let (x, y) = (positions(cells, size, Axis::X)?, positions(cells, size, Axis::Y)?);
        let (width, height) = (x.end - x.start, y.end - y.start);
        let (rows, columns) = (BitPlane::new(width, height)?, BitPlane::new(height, width)?);
        let origin = IVec2::new(x.start as i32, y.start as i32);
        let mut made = Self { size, origin, rows, columns };
        let (xs, ys) = (0..made.rows.len, 0..made.rows.count);
        made.remake(cells, xs, ys).then_some(made)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.rows.words.len() + self.columns.words.len()) as u64 * 8
    }

    /// Returns the width and height of the body in pixels.
    pub(crate) fn size(&self) -> IVec2 {
        self.size
    }

    /// Returns the position of the first bit of the planes: the smallest x and y.
    #[inline]
    pub(crate) fn origin(&self) -> IVec2 {
        self.origin
    }

    /// Returns the plane with one line for each row of positions.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &BitPlane {
        &self.rows
    }

    /// Returns the plane with one line for each column of positions.
    #[inline(always)]
    pub(crate) fn columns(&self) -> &BitPlane {
        &self.columns
    }

    /// Recomputes the positions at which the body covers cells of the rectangle `columns` x `rows`. Returns
    /// false if memory runs out.
    pub(super) fn patch(
        &mut self,
        cells: &SolidCells,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) -> bool {
        let touched = |range: &Range<u32>, axis: Axis, count: i32| {
            let (at, side) = (axis.index(), i64::from(cells.frame.cell[axis.index()].divisor));
            let [size, origin] = [self.size, self.origin].map(|it| i64::from(it.to_array()[at]));
            let first = i64::from(range.start) * side + 1 - size - origin;
            let end = i64::from(range.end) * side - origin;
            first.clamp(0, count.into()) as i32..end.clamp(0, count.into()) as i32
        };
        let x = touched(columns, Axis::X, self.rows.len);
        let y = touched(rows, Axis::Y, self.rows.count);
        self.remake(cells, x, y)
    }

    /// Recomputes the aligned blocks of 64 x 64 positions that overlap the rectangle `xs` x `ys`, counted
    /// from the origin. Returns false if memory runs out. Takes O(words of the cells and of the positions in
    /// these blocks).
    fn remake(&mut self, cells: &SolidCells, xs: Range<i32>, ys: Range<i32>) -> bool {
        if xs.is_empty() || ys.is_empty() {
            return true;
        }
        let ys = ys.start / 64 * 64..((ys.end + 63) / 64 * 64).min(self.rows.count);
        let (width, height) = (i64::from(self.size.x), i64::from(self.size.y));
        let pixel_rows = PixelRows::new(cells);
        let top = i64::from(self.origin.y) + i64::from(ys.start);
        let lines = pixel_rows.covered(&(top..top + ys.len() as i64), height);
        let (mut rows, count) = (Vec::new(), (lines.end - lines.start) as usize);
        if rows.try_reserve_exact(count).is_err() {
            return false;
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
        true
    }

    /// Writes the positions in the 64 columns from `64 * stripe` on into both planes. `free` has one word for
    /// each row from `y` on.
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

    /// Returns the positions, counted from the origin, at which the body would overlap the box from `min` to
    /// `max`.
    pub(crate) fn touching(&self, min: IVec2, max: IVec2) -> [Range<i32>; 2] {
        let ends = IVec2::new(self.rows.len, self.rows.count).as_i64vec2();
        let (size, origin) = (self.size.as_i64vec2(), self.origin.as_i64vec2());
        let first = (min.as_i64vec2() + 1 - size - origin).clamp(glam::I64Vec2::ZERO, ends);
        let end = (max.as_i64vec2() - origin).clamp(first, ends);
        let is_empty = min.cmpge(max).any();
        let end = if is_empty { first } else { end };
        [first.x as i32..end.x as i32, first.y as i32..end.y as i32]
    }

    /// Marks all positions of a rectangle as not free.
    pub(crate) fn block(&mut self, [x, y]: &[Range<i32>; 2]) {
        self.rows.each_word(x, y, |word, _, mask| *word &= !mask);
        self.columns.each_word(y, x, |word, _, mask| *word &= !mask);
    }

    /// Copies the positions of a rectangle from `other`, which must have planes of the same size.
    pub(crate) fn restore(&mut self, other: &Self, [x, y]: &[Range<i32>; 2]) {
        self.rows.each_word(x, y, |word, at, _| *word = other.rows.words[at]);
        self.columns.each_word(y, x, |word, at, _| *word = other.columns.words[at]);
    }

    /// Copies all of `other`, and reuses the memory of `self` if it is large enough.
    pub(crate) fn copy(&mut self, other: &Self) {
        for (own, other) in [(&mut self.rows, &other.rows), (&mut self.columns, &other.columns)] {
            own.words.clone_from(&other.words);
            (own.stride, own.len, own.count) = (other.stride, other.len, other.count);
        }
        (self.size, self.origin) = (other.size, other.origin);
    }
}

/// Groups the rows of pixels that have the same solids, so that each group is read only once. A group is a
/// row of cells. All rows of pixels above the level are group -1, and all rows below the level are group
/// `count`.
struct PixelRows {
    side: i64,
    count: i64,
}

impl PixelRows {
    fn new(cells: &SolidCells) -> Self {
        // One-way cells stop bodies at an edge one pixel wide, so with such cells each row of pixels is a
        // group.
        let side = cells.guards.as_ref().map_or(cells.frame.cell[1].divisor.into(), |_| 1);
        Self { side, count: cells.frame.size[1] / side }
    }

    fn at(&self, y: i64) -> i64 {
        y.div_euclid(self.side).clamp(-1, self.count)
    }

    /// Returns the numbers of the groups of pixel rows that a body of `height` pixels covers with its top row
    /// at any of `tops`.
    fn covered(&self, tops: &Range<i64>, height: i64) -> Range<i64> {
        self.at(tops.start)..self.at(tops.end - 1 + height - 1) + 1
    }
}

/// The state of one group of [`PixelRows`] while positions are computed from right to left, in stripes of 64
/// columns.
#[derive(Clone, Copy)]
struct Row {
    /// The 64 pixels of this group right of the current stripe, as bits in the form of [`wall_word`].
    after: u64,
    /// The x of the first solid pixel of this group right of the current stripe; `i64::MAX` if there is none.
    next: i64,
    /// The positions of the current stripe at which a body would overlap a solid pixel of this group, as
    /// bits.
    wide: u64,
    /// The bitwise or of `wide` over the groups from this group to group `middle` in [`write_free`].
    tail: u64,
}

impl Row {
    /// Reads the pixels from `x` to the right that a body can cover if it starts left of `x`.
    fn look_ahead(&mut self, cells: &SolidCells, x: i64, y: i64, width: i64) {
        self.after = wall_word(cells, x, y);
        // All pixels beyond one end of a row are alike, so reading one pixel beyond each end is enough. No
        // pixel left of the level is solid here, because positions there exist only if the left side is open.
        let (start, end) = (x.max(-63), (x + width).min(cells.frame.size[0] + 1));
        let mut words = (start..end).step_by(64).filter(|_| width > 64);
        let found = words.find_map(|x| match wall_word(cells, x, y) {
            0 => None,
            word => Some(x + i64::from(word.trailing_zeros())),
        });
        self.next = found.unwrap_or(i64::MAX);
    }

    /// Computes `wide` for the stripe that starts at `x`. `word` has the pixels of this stripe.
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
            // Bits are set up to the last solid pixel of the stripe, and from the first position at which the
            // body reaches the next solid pixel.
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

/// Computes the free positions in a stripe, which is 64 columns wide. It writes one word to `free` for each
/// row of positions from the pixel row `top` on, and keeps only the bits `inside`. `rows` starts with group
/// `first` of `pixel_rows`. A body is `height` pixels high.
///
/// This takes O(rows + words), for any height. A window of rows moves down, and its bitwise or is stored in
/// two parts.
fn write_free(
    (rows, first): (&mut [Row], i64),
    pixel_rows: &PixelRows,
    [top, height]: [i64; 2],
    inside: u64,
    free: &mut [u64],
) {
    // The front part of the window ends at row `middle`, and the back part ends at row `end`.
    let (mut middle, mut end, mut back) = (0, 0, 0);
    let (mut y, last, side) = (top, top + free.len() as i64, pixel_rows.side);
    while y < last {
        let (start, until) = (y.div_euclid(side), (y + height - 1).div_euclid(side) + 1);
        // The bodies at all rows from `y` to `same` cover the same groups of pixel rows, so they have the
        // same answer.
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

/// Returns 64 pixels from (`x`, `y`) to the right as bits, first pixel in bit 0. A bit is set if the pixel is
/// solid, or lies along the edge at which a one-way cell stops bodies.
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
