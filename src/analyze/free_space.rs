//! The free space of a body: the positions at which its box overlaps no solid.
//!
//! A position is the top-left corner of the box, in pixels of the level. The positions are kept as bands of
//! runs, so a level of large tiles costs no more than one of pixels with as many cells. One-way cells count
//! as passable. No path through time: a body that falls or jumps may reach less than its area.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::bands::{Bands, MAX_WORDS, TooComplex, gaps};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::Grid;
use crate::sweep::Terrain;

/// The largest side of a level, in pixels.
const MAX_SIDE: i64 = 1 << 30;

/// The free positions of a box, and the areas that they form: see [`free_space`].
#[derive(Clone, Debug)]
pub struct FreeSpace {
    pub(super) body: UVec2,
    pub(super) outside: Sides<Outside>,
    pub(super) bands: Bands,
    pub(super) labels: Vec<u32>,
    areas: Vec<FreeArea>,
}

/// A connected area of free positions: the body gets from each to each by steps of one pixel, if nothing but
/// solids holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FreeArea {
    /// The number of its positions.
    pub positions: u64,
    /// The box around all pixels that the body covers in it.
    pub area: Aabb,
    /// The left-most of its top-most positions.
    pub first: IVec2,
}

/// The longest side of a body, so that sums of it and positions are in range.
pub(super) const MAX_BODY: u32 = 1 << 27;

/// The free space of a box of `body` pixels in a terrain.
///
/// Beyond an open side the body can stand everywhere; of that space the positions that touch the terrain are
/// kept, so all of it is one area. Beyond a solid side there are none. A side of `body` that is 0 counts as
/// 1.
///
/// O(words + runs): each row is read twice, for a sliding or over as many rows as the body is high (van Herk
/// 1992). Memory: 16 bytes a run, and the rows under the body once more.
///
/// ```
/// use bitwall::analyze::free_space;
/// use bitwall::{Grid, Terrain, glam::{IVec2, UVec2}};
///
/// let terrain = Terrain::new(Grid::from_text("...#...\n.......\n...#...")?, UVec2::splat(8))?;
/// let small = free_space(&terrain, UVec2::new(8, 8))?;
/// assert_eq!(small.areas().len(), 1);
/// let large = free_space(&terrain, UVec2::new(8, 9))?;
/// assert_eq!(large.areas().len(), 2, "it does not fit through the door");
/// assert_eq!(large.area_at(IVec2::new(0, 0)), Some(0));
/// assert_eq!(large.area_at(IVec2::new(20, 8)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`] beyond 2^22 runs, 2^29 cells, 2^30 pixels a side, or a body of 2^27 pixels a side.
pub fn free_space(terrain: &Terrain, body: UVec2) -> Result<FreeSpace, TooComplex> {
    free_space_in(terrain, body, terrain.outside())
}

/// As [`free_space`], with another outside.
///
/// # Errors
/// As [`free_space`].
pub fn free_space_in(
    terrain: &Terrain,
    body: UVec2,
    outside: impl Into<Sides<Outside>>,
) -> Result<FreeSpace, TooComplex> {
    let (body, outside) = (body.max(UVec2::ONE), outside.into());
    if body.max_element() > MAX_BODY {
        return Err(TooComplex);
    }
    let bands = positions(terrain.grid(), terrain.cell_size(), outside, body)?;
    let (labels, count) = bands.labels(false);
    let areas = areas(&bands, &labels, count, body);
    Ok(FreeSpace { body, outside, bands, labels, areas })
}

/// The free positions as bands.
fn positions(
    grid: &Grid,
    cell: UVec2,
    outside: Sides<Outside>,
    body: UVec2,
) -> Result<Bands, TooComplex> {
    let [width, height] =
        [i64::from(grid.width()) * i64::from(cell.x), i64::from(grid.height()) * i64::from(cell.y)];
    let words = u64::from(grid.width().div_ceil(64)) * u64::from(grid.height());
    let (w, h) = (i64::from(body.x), i64::from(body.y));
    if words > MAX_WORDS || width.max(height).max(w).max(h) > MAX_SIDE {
        return Err(TooComplex);
    }
    let is_open = |side| outside.get(side) == Outside::Open;
    let [left, right, up, down] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down].map(is_open);
    // The pixels that the body may cover, in and beyond the level.
    let xs = (if left { -w } else { 0 })..(if right { width + w } else { width });
    let last = if down { height } else { height - h };
    let mut y = if up { -h } else { 0 };
    let rows = i64::from(cell.y);
    let mut window = Window::new(grid);
    let mut bands = Bands::default();
    while y <= last {
        let (first, end) = (y.div_euclid(rows), (y + h - 1).div_euclid(rows) + 1);
        let next = ((first + 1) * rows).min(end * rows - (h - 1)).min(last + 1);
        let clamped = |row: i64| row.clamp(0, i64::from(grid.height())) as u32;
        let solid = window.or(clamped(first)..clamped(end));
        let free = gaps(solid, grid.width());
        let free = free.map(|gap| [gap.start, gap.end].map(|at| i64::from(at) * i64::from(cell.x)));
        let places =
            Beyond { free: free.peekable(), xs: xs.clone(), width, before: true, after: true };
        let runs = places.filter_map(|[start, end]| {
            let (start, end) = (start as i32, (end - w + 1) as i32);
            (start < end).then_some(start..end)
        });
        bands.push(y as i32..next as i32, runs)?;
        y = next;
    }
    Ok(bands)
}

/// The gaps of a row in pixels, with the space beyond the sides of the level: a gap at a side is continued
/// there, and beside a solid cell the space is a gap of its own.
struct Beyond<I: Iterator<Item = [i64; 2]>> {
    free: std::iter::Peekable<I>,
    xs: Range<i64>,
    width: i64,
    before: bool,
    after: bool,
}

impl<I: Iterator<Item = [i64; 2]>> Iterator for Beyond<I> {
    type Item = [i64; 2];

    fn next(&mut self) -> Option<[i64; 2]> {
        if std::mem::take(&mut self.before)
            && self.xs.start < 0
            && self.free.peek().is_none_or(|[start, _]| *start > 0)
        {
            return Some([self.xs.start, 0]);
        }
        if let Some([start, end]) = self.free.next() {
            let at_end = end == self.width;
            self.after &= !at_end;
            let start = if start == 0 { self.xs.start } else { start };
            return Some([start, if at_end { self.xs.end } else { end }]);
        }
        let is_after = std::mem::take(&mut self.after) && self.xs.end > self.width;
        is_after.then_some([self.width, self.xs.end])
    }
}

/// The bitwise or of a range of rows that only moves down.
struct Window<'g> {
    grid: &'g Grid,
    stride: usize,
    /// The ors of the rows from each row of the front to its last, the longest at the end.
    front: Vec<u64>,
    /// One past the last row of the front.
    middle: u32,
    /// The or of the rows from `middle` to `next`.
    back: Vec<u64>,
    next: u32,
    joined: Vec<u64>,
}

impl<'g> Window<'g> {
    fn new(grid: &'g Grid) -> Self {
        let stride = grid.width().div_ceil(64) as usize;
        let line = || vec![0; stride];
        Self { grid, stride, front: Vec::new(), middle: 0, back: line(), next: 0, joined: line() }
    }

    /// The or of `rows`, whose start and end are not above those of the call before.
    fn or(&mut self, rows: Range<u32>) -> &[u64] {
        if rows.is_empty() {
            self.joined.fill(0);
            return &self.joined;
        }
        if rows.start >= self.middle {
            self.front.clear();
            self.joined.fill(0);
            for row in rows.clone().rev() {
                or_row(self.grid, row, &mut self.joined);
                self.front.extend_from_slice(&self.joined);
            }
            (self.middle, self.next) = (rows.end, rows.end);
            self.back.fill(0);
        }
        for row in self.next..rows.end {
            or_row(self.grid, row, &mut self.back);
        }
        self.next = self.next.max(rows.end);
        self.front.truncate((self.middle - rows.start) as usize * self.stride);
        let longest = self.front.len().saturating_sub(self.stride);
        let front = self.front.get(longest..).unwrap_or_default();
        for (joined, (front, back)) in self.joined.iter_mut().zip(front.iter().zip(&self.back)) {
            *joined = front | back;
        }
        &self.joined
    }
}

fn or_row(grid: &Grid, row: u32, line: &mut [u64]) {
    for (column, word) in (0..).step_by(64).zip(line) {
        *word |= grid.row_word(column, row);
    }
}

fn areas(bands: &Bands, labels: &[u32], count: u32, body: UVec2) -> Vec<FreeArea> {
    let none = Aabb { min: IVec2::MAX, max: IVec2::MIN };
    let none = FreeArea { positions: 0, area: none, first: IVec2::ZERO };
    let mut areas = vec![none; count as usize];
    let body = body.as_ivec2();
    for band in &bands.bands {
        let rows = &band.rows;
        for (run, index) in bands.runs_of(band).iter().zip(band.runs.start as usize..) {
            let area = &mut areas[labels[index] as usize];
            let first = IVec2::new(run.start, rows.start);
            if area.positions == 0 {
                area.first = first;
            }
            area.positions += run.len() as u64 * rows.len() as u64;
            let last = IVec2::new(run.end - 1, rows.end - 1);
            area.area = area.area.hull(Aabb { min: first, max: last + body });
        }
    }
    areas
}

impl FreeSpace {
    /// The width and height of the body in pixels, at least 1.
    pub fn body(&self) -> UVec2 {
        self.body
    }

    /// The areas, in the order of their first positions, row by row from the top; the index of an area is its
    /// number.
    pub fn areas(&self) -> &[FreeArea] {
        &self.areas
    }

    /// True for an area in which the body can move by its own length on both axes, or by twice its length on
    /// one. A smaller one is a nook, such as the corner behind a post. O(1).
    pub fn is_room(&self, area: usize) -> bool {
        self.areas.get(area).is_some_and(|area| {
            let size = area.area.size();
            let is_times = |times: u32| size.cmpge(self.body.saturating_mul(UVec2::splat(times)));
            is_times(2).all() || is_times(3).any()
        })
    }

    /// The same positions, counted from another corner. The level's sides and `by` must be below 2^30.
    pub(super) fn translated(mut self, by: IVec2) -> Self {
        self.bands.translate(by);
        for area in &mut self.areas {
            (area.area, area.first) = (area.area.translated(by), area.first + by);
        }
        self
    }

    /// The number of the area that a position belongs to; `None` if the body would overlap a solid there, and
    /// for positions that are not kept (see [`free_space`]). O(log runs).
    pub fn area_at(&self, position: IVec2) -> Option<usize> {
        let run = self.bands.run_at(position.x, position.y)?;
        self.labels.get(run as usize).map(|label| *label as usize)
    }

    /// The numbers of the areas that have a position in the box `positions`, rising. O(runs in its rows).
    pub fn areas_within(&self, positions: Aabb) -> Vec<usize> {
        let (columns, rows) = (positions.min.x..positions.max.x, positions.min.y..positions.max.y);
        let first = self.bands.bands.partition_point(|band| band.rows.end <= rows.start);
        let bands = self.bands.bands.iter().skip(first);
        let mut found = BTreeSet::new();
        if positions.is_empty() {
            return Vec::new();
        }
        for band in bands.take_while(|band| band.rows.start < rows.end) {
            let runs = self.bands.runs_of(band);
            let skipped = runs.partition_point(|run| run.end <= columns.start);
            let labels = self.labels.iter().skip(band.runs.start as usize + skipped);
            let inside = runs.iter().skip(skipped).zip(labels);
            let inside = inside.take_while(|(run, _)| run.start < columns.end);
            found.extend(inside.map(|(_, label)| *label as usize));
        }
        found.into_iter().collect()
    }

    /// The positions as rectangles of columns and rows, each with the number of its area: from the top, then
    /// from the left.
    pub fn runs(&self) -> impl Iterator<Item = (Range<i32>, Range<i32>, usize)> {
        self.bands.bands.iter().flat_map(move |band| {
            let runs = self.bands.runs_of(band).iter().zip(band.runs.start as usize..);
            runs.filter_map(move |(run, index)| {
                let area = *self.labels.get(index)? as usize;
                Some((run.clone(), band.rows.clone(), area))
            })
        })
    }
}

#[cfg(test)]
mod tests;
