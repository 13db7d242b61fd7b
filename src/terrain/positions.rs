//! The free positions of bodies of one size, stored as bits in two bitmaps (planes): by rows and by columns.
//! A position is the top-left pixel of the body. It is free if the body there overlaps no solid pixel, and no
//! pixel along the edge at which a one-way cell stops bodies. So a body can move between two free neighbours
//! in both directions.
//!
//! The planes have all positions at which the body is inside the level. Beyond an open side, they also have
//! the positions at which the body touches the level from outside. Positions farther away are not needed,
//! because a path around the outside of the level can use these.
//!
//! An edit recomputes the aligned blocks of 64 x 64 positions that it touches. The connected parts of the
//! positions are found when they are asked for the first time after an edit.

mod lattice;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::{I64Vec2, IVec2, Vec2Swizzles};

pub(crate) use self::lattice::LatticeDistances;
use self::lattice::LineLattice;
use super::MAX_BYTES;
use super::edit::Stamp;
use super::free_rows::{Walls, free_rows, position_range};
use super::kernel::SolidCells;
use crate::geometry::{Aabb, Axis};
use crate::grid::{low_bits, runs_of_bits, transpose_block, zeros};

/// A bitmap, stored as its rows or as its columns (lines). A zero word is before and after each line. A zero
/// line is before the first line and after the last line. So a load next to any bit is in range.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct BitPlane {
    words: Vec<u64>,
    stride: usize,
    /// The number of bits in each line.
    pub(crate) len: i32,
    /// The number of lines.
    pub(crate) count: i32,
}

impl fmt::Debug for BitPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitPlane {} x {}", self.len, self.count)
    }
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
        let words = zeros((Self::bytes_of(len, count) / 8) as usize)?;
        let stride = Self::stride(len) as usize;
        Some(Self { words, stride, len: len as i32, count: count as i32 })
    }

    /// Returns a plane of the same size with all bits zero.
    pub(crate) fn blank(&self) -> Self {
        Self { words: vec![0; self.words.len()], ..*self }
    }

    /// Returns the column and row of a position; `None` outside the plane. The lines are rows of positions,
    /// and the first bit is the position `origin`.
    pub(crate) fn place(&self, at: IVec2, origin: IVec2) -> Option<IVec2> {
        let place = at.as_i64vec2() - origin.as_i64vec2();
        let ends = IVec2::new(self.len, self.count).as_i64vec2();
        let is_inside = place.cmpge(I64Vec2::ZERO).all() && place.cmplt(ends).all();
        is_inside.then(|| place.as_ivec2())
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

    /// Sets all bits of a rectangle to `bit`.
    pub(crate) fn fill(&mut self, [places, lines]: &[Range<i32>; 2], bit: bool) {
        self.each_word(places, lines, |word, _, mask| {
            *word = if bit { *word | mask } else { *word & !mask };
        });
    }

    /// Clears the bits that are not set in `other`. The first bit of this plane is bit `by` of `other`. Bits
    /// outside `other` stay.
    fn intersect(&mut self, other: &Self, by: IVec2) {
        let skipped = (-by.x).max(0) / 64;
        // The bits of a line that are outside `other`.
        let open = (skipped..=self.len / 64).map(|word| {
            let place = i64::from(word) * 64 + i64::from(by.x);
            low_bits(-place) | !low_bits(i64::from(other.len) - place)
        });
        let open: Vec<u64> = open.collect();
        for line in (-by.y).max(0)..self.count.min(other.count.saturating_sub(by.y)) {
            let (own, _) = self.at(skipped * 64, line);
            let (theirs, shift) = other.at(skipped * 64 + by.x, line + by.y);
            let [low, high] = [theirs, theirs + 1].map(|first| &other.words[first..]);
            let words = self.words[own..].iter_mut().zip(&open);
            for ((word, open), (low, high)) in words.zip(low.iter().zip(high)) {
                *word &= (low >> shift) | ((high << 1) << (63 - shift)) | open;
            }
        }
    }
}

/// The free positions of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreePositions {
    /// The width and height of the body in pixels.
    pub(crate) size: IVec2,
    /// The position of the first bit of the planes: the smallest x and y.
    pub(crate) origin: IVec2,
    /// The plane with one line for each row of positions.
    pub(crate) rows: BitPlane,
    /// The plane with one line for each column of positions.
    pub(crate) columns: BitPlane,
    /// The lattice of the planes, which the first field makes; `None` if it would have too many nodes. Each
    /// change of the planes removes it.
    lattice: OnceLock<Option<Arc<LineLattice>>>,
    /// The version number of the planes.
    stamp: Stamp,
    /// The connected parts of the positions; `None` if they would take too much memory.
    parts: OnceLock<Option<Parts>>,
}

/// The limit of the number of positions along an axis, so that the product of two such numbers fits in 64
/// bits. [`MAX_BYTES`] allows fewer than 2^30 positions in all, so the sum of two path lengths fits too.
const MAX_POSITIONS: i64 = 1 << 30;

impl FreePositions {
    /// Returns the coordinates of the positions of a body of `size` pixels, at least 1 x 1. `None` if there
    /// are too many, or if the planes, or the memory in use while they are computed, would take more than
    /// [`MAX_BYTES`].
    fn ranges(cells: &SolidCells, size: IVec2) -> Option<[Range<i64>; 2]> {
        let ranges = [Axis::X, Axis::Y].map(|axis| position_range(cells, size, axis));
        let [width, height] = ranges.each_ref().map(|range| range.end - range.start);
        if width.max(height) > MAX_POSITIONS {
            return None;
        }
        let bytes = BitPlane::bytes_of(width, height) + BitPlane::bytes_of(height, width);
        let is_empty = width.min(height) == 0;
        let used = if is_empty { 0 } else { Walls::new(cells, true).bytes_in_use(size.y) };
        (bytes.max(used) <= MAX_BYTES).then_some(ranges)
    }

    /// Computes the free positions of a body of `size` pixels, at least 1 x 1. Returns `None` if there are
    /// too many positions or memory runs out. Takes O(words of pixels in the level and words of positions),
    /// for any size.
    pub(super) fn new(cells: &SolidCells, size: IVec2) -> Option<Self> {
        let [x, y] = Self::ranges(cells, size)?;
        let width = x.end - x.start;
        let height = y.end - y.start;
        let mut made = Self {
            size,
            origin: IVec2::new(x.start as i32, y.start as i32),
            rows: BitPlane::new(width, height)?,
            columns: BitPlane::new(height, width)?,
            ..Self::default()
        };
        made.remake(cells, 0..width as i32, 0..height as i32)?;
        Some(made)
    }

    /// Returns the memory of the planes and of the parts, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let parts = self.parts.get().and_then(Option::as_ref);
        let parts =
            parts.map_or(0, |parts| size_of_val(&parts.bands[..]) + size_of_val(&parts.runs[..]));
        ((self.rows.words.len() + self.columns.words.len()) * 8 + parts) as u64
    }

    /// Returns the position with the smallest straight distance from `at` of those that are connected with
    /// the free position at `from` by free positions at which the body overlaps none of `boxes`. Only `from`
    /// is in coordinates of the planes. `None` if the parts may take more memory than the planes
    /// and than an eighth of [`MAX_BYTES`].
    pub(crate) fn nearest_in_part(&self, from: IVec2, at: IVec2, boxes: &[Aabb]) -> Option<IVec2> {
        let made = || {
            let boxes = boxes.iter().map(|body| self.touching(body.min, body.max));
            Parts::new(&self.rows, &boxes.collect::<Vec<_>>(), self.bytes().max(MAX_BYTES / 8))
        };
        let parts = if boxes.is_empty() { self.parts.get_or_init(made) } else { &made() };
        let goal = at.as_i64vec2() - self.origin.as_i64vec2();
        parts.as_ref()?.nearest(from, goal).map(|place| place + self.origin)
    }

    /// Marks as not free what is not free in `other`, for a body of the same size. What is outside the planes
    /// of `other` stays free.
    pub(crate) fn intersect(&mut self, other: &Self) {
        let by = self.origin - other.origin;
        self.rows.intersect(&other.rows, by);
        self.columns.intersect(&other.columns, by.yx());
        self.note_change();
    }

    fn note_change(&mut self) {
        self.stamp = Stamp::default();
        self.parts.take();
        self.lattice.take();
    }

    /// Recomputes the positions at which the body covers cells of the rectangle `columns` x `rows`. Returns
    /// false if memory runs out.
    pub(super) fn patch(
        &mut self,
        cells: &SolidCells,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) -> bool {
        let side = cells.frame.cell_size().as_i64vec2();
        let first = I64Vec2::new(columns.start.into(), rows.start.into()) * side;
        let end = I64Vec2::new(columns.end.into(), rows.end.into()) * side;
        let [x, y] = self.touched(first, end);
        self.remake(cells, x, y).is_some()
    }

    /// Recomputes the aligned blocks of 64 x 64 positions that overlap the rectangle `xs` x `ys`, counted
    /// from the origin. Returns `None` if memory runs out. Takes O(words of the cells and of the positions in
    /// these blocks).
    fn remake(&mut self, cells: &SolidCells, xs: Range<i32>, ys: Range<i32>) -> Option<()> {
        if xs.is_empty() || ys.is_empty() {
            return Some(());
        }
        self.note_change();
        let len = self.rows.len;
        let count = self.rows.count;
        let xs = xs.start / 64 * 64..((xs.end + 63) / 64 * 64).min(len);
        let ys = ys.start / 64 * 64..((ys.end + 63) / 64 * 64).min(count);
        self.rows.fill(&[xs.clone(), ys.clone()], false);
        let origin = self.origin.as_i64vec2();
        let columns = i64::from(xs.start) + origin.x..i64::from(xs.end) + origin.x;
        let rows = i64::from(ys.start) + origin.y..i64::from(ys.end) + origin.y;
        let plane = &mut self.rows;
        free_rows(Walls::new(cells, true), self.size, [columns, rows], &mut |lines, free| {
            let lines = (lines.start - origin.y) as i32..(lines.end - origin.y) as i32;
            for run in free {
                let places = (run.start - origin.x) as i32..(run.end - origin.x) as i32;
                plane.fill(&[places, lines.clone()], true);
            }
            Some(())
        })?;
        for y in ys.step_by(64) {
            for x in xs.clone().step_by(64) {
                self.transpose(x, y);
            }
        }
        Some(())
    }

    /// Copies the aligned block of 64 x 64 positions at (`x`, `y`) from the rows to the columns.
    fn transpose(&mut self, x: i32, y: i32) {
        let (first, _) = self.rows.at(x, y);
        let height = (self.rows.count - y).min(64) as usize;
        let mut block = [0; 64];
        for (line, at) in block[..height].iter_mut().zip((first..).step_by(self.rows.stride)) {
            *line = self.rows.words[at];
        }
        if block.iter().any(|line| *line != block[0]) || (block[0] != 0 && block[0] != u64::MAX) {
            transpose_block(&mut block);
        }
        let (first, _) = self.columns.at(y, x);
        let width = (self.rows.len - x).min(64) as usize;
        for (line, at) in block[..width].iter().zip((first..).step_by(self.columns.stride)) {
            self.columns.words[at] = *line;
        }
    }

    /// Returns the positions, counted from the origin, at which the body would overlap the box from `min` to
    /// `max`.
    pub(crate) fn touching(&self, min: IVec2, max: IVec2) -> [Range<i32>; 2] {
        if min.cmpge(max).any() {
            return [0..0, 0..0];
        }
        self.touched(min.as_i64vec2(), max.as_i64vec2())
    }

    fn touched(&self, min: I64Vec2, max: I64Vec2) -> [Range<i32>; 2] {
        let ends = IVec2::new(self.rows.len, self.rows.count).as_i64vec2();
        let origin = self.origin.as_i64vec2();
        let first = (min + 1 - self.size.as_i64vec2() - origin).clamp(I64Vec2::ZERO, ends);
        let end = (max - origin).clamp(first, ends);
        [first.x as i32..end.x as i32, first.y as i32..end.y as i32]
    }

    /// Marks all positions of a rectangle as not free. The version number stays, because a search restores
    /// the rectangle.
    pub(crate) fn block(&mut self, area: &[Range<i32>; 2]) {
        let [x, y] = area.clone();
        self.lattice.take();
        self.rows.fill(area, false);
        self.columns.fill(&[y, x], false);
    }

    /// Copies the planes of `other`, and reuses the memory of `self` if it is large enough. Does nothing if
    /// they are already equal.
    pub(crate) fn copy(&mut self, other: &Self) {
        if self.stamp.number() == other.stamp.number() {
            return;
        }
        for (own, other) in [(&mut self.rows, &other.rows), (&mut self.columns, &other.columns)] {
            own.words.clone_from(&other.words);
            (own.stride, own.len, own.count) = (other.stride, other.len, other.count);
        }
        (self.size, self.origin) = (other.size, other.origin);
        self.note_change();
        self.stamp = other.stamp.clone();
    }

    /// Copies the positions of a rectangle from `other`, which must have planes of the same size.
    pub(crate) fn restore(&mut self, other: &Self, [x, y]: &[Range<i32>; 2]) {
        self.rows.each_word(x, y, |word, at, _| *word = other.rows.words[at]);
        self.columns.each_word(y, x, |word, at, _| *word = other.columns.words[at]);
    }
}

/// The connected parts of free positions. A band is one row of positions, or several consecutive rows with
/// the same free positions: on a map of tiles, two bands for each row of tiles. The runs of neighbouring
/// positions in the bands are joined to parts by union-find.
#[derive(Clone, Debug)]
struct Parts {
    /// The first row and the first run of each band from the top, then the number of all rows and all runs.
    bands: Vec<(i32, usize)>,
    runs: Vec<PartRun>,
}

#[derive(Clone, Debug)]
struct PartRun {
    places: Range<i32>,
    /// The index of the first run of the same part. While runs are joined, it is the index of an earlier run
    /// of the part, or of this run.
    part: u32,
}

impl Parts {
    /// Finds the parts of the bits of `plane` that are in none of `boxes`, which are ranges of columns and
    /// rows. Returns `None` if their runs may take more than `limit` bytes. O(words + runs), and O(boxes) for
    /// each row.
    fn new(plane: &BitPlane, boxes: &[[Range<i32>; 2]], limit: u64) -> Option<Self> {
        let most = limit as usize / size_of::<PartRun>();
        let mut parts = Self { bands: Vec::new(), runs: Vec::new() };
        let mut above = 0..0;
        for row in 0..plane.count {
            let [before, line] = [row - 1, row].map(|row| &plane.words[plane.at(0, row).0..]);
            let line = &line[..plane.stride - 2];
            let is_edge = |[_, rows]: &[Range<i32>; 2]| [rows.start, rows.end].contains(&row);
            if row > 0 && before.starts_with(line) && !boxes.iter().any(is_edge) {
                continue;
            }
            let first = parts.runs.len();
            if first + plane.len as usize / 2 >= most {
                return None;
            }
            parts.bands.push((row, first));
            let here: Vec<_> = boxes.iter().filter(|[_, rows]| rows.contains(&row)).collect();
            let free = |word: u32| {
                here.iter().fold(line[word as usize], |bits, [places, _]| {
                    let [start, end] = [places.start, places.end]
                        .map(|place| low_bits(i64::from(place) - i64::from(word) * 64));
                    bits & (start | !end)
                })
            };
            for run in runs_of_bits(plane.len as u32, free) {
                parts.push(run.start as i32..run.end as i32, &mut above);
            }
            above = first..parts.runs.len();
        }
        parts.bands.push((plane.count, parts.runs.len()));
        // The earlier runs already have the index of their first run.
        for run in 0..parts.runs.len() {
            parts.runs[run].part = parts.runs[parts.runs[run].part as usize].part;
        }
        Some(parts)
    }

    /// Adds a run, right of the last run of its band, and joins it with the runs that touch it from `above`.
    /// Drops the runs of `above` that end further left.
    fn push(&mut self, places: Range<i32>, above: &mut Range<usize>) {
        let run = self.runs.len();
        self.runs.push(PartRun { places: places.clone(), part: run as u32 });
        while above.start < above.end && self.runs[above.start].places.end <= places.start {
            above.start += 1;
        }
        for other in above.clone() {
            if self.runs[other].places.start >= places.end {
                break;
            }
            let [one, other] = [run, other].map(|run| self.first(run));
            self.runs[one.max(other)].part = one.min(other) as u32;
        }
    }

    /// The first known run of the part of a run, with path halving.
    fn first(&mut self, mut run: usize) -> usize {
        while self.runs[run].part as usize != run {
            self.runs[run].part = self.runs[self.runs[run].part as usize].part;
            run = self.runs[run].part as usize;
        }
        run
    }

    /// The position with the smallest straight distance from `goal` that is in the part of the free position
    /// `from`, then the one with the smallest y, then with the smallest x.
    fn nearest(&self, from: IVec2, goal: I64Vec2) -> Option<IVec2> {
        let next = self.bands.partition_point(|(row, _)| *row <= from.y);
        let mut runs = self.runs[self.bands[next - 1].1..self.bands[next].1].iter();
        let part = runs.find(|run| run.places.contains(&from.x))?.part;
        let middle = self.bands.partition_point(|(row, _)| i64::from(*row) <= goal.y);
        // The square of the smallest distance so far, then y and x of the position.
        let mut best: Option<(i128, i64, i64)> = None;
        for by in 0..self.bands.len() {
            for band in [middle.checked_sub(by + 1), Some(middle + by)].into_iter().flatten() {
                let Some(&[(top, first), (bottom, end)]) = self.bands.get(band..band + 2) else {
                    continue;
                };
                let y = goal.y.clamp(top.into(), i64::from(bottom) - 1);
                let down = i128::from(y - goal.y).pow(2);
                if best.is_some_and(|(least, ..)| down > least) {
                    continue;
                }
                let runs = &self.runs[first..end];
                let right = runs.partition_point(|run| i64::from(run.places.end) <= goal.x);
                let on_left = runs[..right].iter().rev().find(|run| run.part == part);
                let on_right = runs[right..].iter().find(|run| run.part == part);
                for run in on_left.into_iter().chain(on_right) {
                    let x = goal.x.clamp(run.places.start.into(), i64::from(run.places.end) - 1);
                    let found = (down + i128::from(x - goal.x).pow(2), y, x);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
        best.map(|(_, y, x)| IVec2::new(x as i32, y as i32))
    }
}

#[cfg(test)]
mod tests;
