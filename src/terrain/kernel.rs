//! The kernel of a terrain: the plain data of its cells, and the queries of a box as functions over this
//! data. Sums are computed in `i64`, so no position or step overflows. No function here allocates memory or
//! changes a cell.

use std::ops::Range;

use glam::{IVec2, UVec2};

use super::Terrain;
use super::contact::{Contact, Sweep};
use crate::geometry::{Aabb, Axis, Dir, Outside, Sides, saturated};
use crate::grid::{Grid, low_bits, words};

/// The cells of a terrain: solid cells, the frame that places them in pixels, and one-way cells.
#[derive(Clone)]
pub(super) struct SolidCells {
    pub(super) grid: Grid,
    pub(super) frame: Frame,
    pub(super) guards: Option<Guards>,
}

impl SolidCells {
    #[inline]
    pub(super) fn guards_of(&self, side: Dir) -> Option<&Grid> {
        self.guards.as_ref().map(|guards| guards.get(side))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(super) cell: [Divisor; 2],
    /// The width and height of the level in pixels. It has fewer than 2^32 cells on each axis, each at most
    /// 2^16 pixels wide and high.
    pub(super) size: [i64; 2],
    pub(super) outside: Sides<Outside>,
    has_large_cells: bool,
}

impl Frame {
    pub(super) fn new(cells: UVec2, cell_size: UVec2, outside: Sides<Outside>) -> Self {
        let size = [
            i64::from(cells.x) * i64::from(cell_size.x),
            i64::from(cells.y) * i64::from(cell_size.y),
        ];
        let cell = [Divisor::new(cell_size.x), Divisor::new(cell_size.y)];
        Self { cell, size, outside, has_large_cells: cell_size != UVec2::ONE }
    }

    pub(super) fn cell_size(&self) -> UVec2 {
        UVec2::new(self.cell[0].divisor, self.cell[1].divisor)
    }

    #[inline(always)]
    pub(super) fn has_large_cells(&self) -> bool {
        self.has_large_cells
    }

    /// Returns the indices of the cells along `axis` that the pixels `range` touch. The range must be inside
    /// the level and not empty.
    #[inline(always)]
    pub(super) fn cells(&self, axis: Axis, range: &Range<i64>) -> Range<u32> {
        let cell = self.cell[axis.index()];
        cell.divide(range.start)..cell.divide(range.end - 1) + 1
    }

    /// Returns the index along `axis` of the cell that contains the pixel coordinate `at`, inside or outside
    /// the level.
    pub(super) fn cell_of(&self, axis: Axis, at: i64) -> i32 {
        let cell = self.cell[axis.index()];
        if 0 <= at && at < self.size[axis.index()].min(i64::from(i32::MAX)) {
            return cell.divide(at) as i32;
        }
        saturated(at.div_euclid(i64::from(cell.divisor)))
    }

    #[inline]
    pub(super) fn is_solid_beyond(&self, axis: Axis, positive: bool) -> bool {
        self.outside.get(Dir::along(axis, positive)) == Outside::Solid
    }

    /// Returns true if the pixel coordinate `at` on `axis` lies beyond a solid side of the level.
    #[inline]
    pub(super) fn is_solid_at(&self, axis: Axis, at: i64) -> bool {
        (at < 0 && self.is_solid_beyond(axis, false))
            || (at >= self.size[axis.index()] && self.is_solid_beyond(axis, true))
    }

    fn any_solid_at(&self, axis: Axis, range: &Range<i64>) -> bool {
        !range.is_empty()
            && (self.is_solid_at(axis, range.start) || self.is_solid_at(axis, range.end - 1))
    }

    fn inside(&self, axis: Axis, range: &Range<i64>) -> Range<i64> {
        range.start.max(0)..range.end.min(self.size[axis.index()])
    }
}

/// Divides by the side of a cell with one multiplication, because a query divides four times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    pub(super) divisor: u32,
    /// 2^64 / divisor, rounded up; 0 for the divisor 1, because 2^64 does not fit.
    inverse: u64,
}

impl Divisor {
    fn new(divisor: u32) -> Self {
        Self { divisor, inverse: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    /// Returns `n / divisor`, exact for 0 <= n < 2^48. The stored `inverse` is too large by less than 1. This
    /// adds less than n / 2^64 to the quotient, which is less than 1 / divisor because a divisor is at most
    /// 2^16. (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994.)
    #[inline(always)]
    pub(super) fn divide(self, n: i64) -> u32 {
        debug_assert!((0..1 << 48).contains(&n));
        if self.inverse == 0 {
            n as u32
        } else if cfg!(target_family = "wasm") {
            self.divide_by_halves(n as u64)
        } else {
            ((u128::from(n as u64) * u128::from(self.inverse)) >> 64) as u32
        }
    }

    /// Returns `n / divisor` by two products of 64 bits. WebAssembly has no wider ones: it calls a function
    /// that computes four.
    #[inline(always)]
    fn divide_by_halves(self, n: u64) -> u32 {
        if n >> 32 != 0 {
            return (n / u64::from(self.divisor)) as u32;
        }
        let low = (n * (self.inverse & 0xffff_ffff)) >> 32;
        ((n * (self.inverse >> 32) + low) >> 32) as u32
    }
}

/// Divides like [`Divisor`], but with a product of 64 bits, because a browser has no wider one. It works for
/// fewer than 2^17 cells on a side.
#[derive(Clone, Copy)]
pub(super) struct ShortDivisor {
    /// 2^47 / divisor, rounded up.
    inverse: u64,
}

impl ShortDivisor {
    /// The exclusive upper limit of the quotients that [`Self::quotient`] can return.
    pub(super) const QUOTIENTS: u32 = 1 << (64 - Self::SHIFT);
    const SHIFT: u32 = 47;

    pub(super) const fn new(divisor: u32) -> Self {
        Self { inverse: (1_u64 << Self::SHIFT).div_ceil(divisor as u64) }
    }

    /// Returns `n` times the stored inverse, for `n` below 2^31. [`Self::quotient`] turns this product into
    /// `n / divisor`. The products of two numbers add up to the product of their sum.
    #[inline(always)]
    pub(super) fn product(self, n: u32) -> u64 {
        u64::from(n).wrapping_mul(self.inverse)
    }

    /// Returns the exact quotient for a product from [`Self::product`]. The rounded inverse is too large by
    /// less than 1, so the product for n is too large by less than n, and so by less than 2^31. The product
    /// of the next quotient is at least 2^47 / divisor away, which is 2^31 or more.
    #[inline(always)]
    pub(super) fn quotient(product: u64) -> u32 {
        (product >> Self::SHIFT) as u32
    }
}

/// The rectangle of pixels that a leading edge sweeps: `along` is its range on the motion's axis, and
/// `across` its range on the other axis.
pub(super) struct Strip {
    pub(super) axis: Axis,
    pub(super) along: Range<i64>,
    pub(super) across: Range<i64>,
}

/// Returns the rectangle that the leading edge of `body` sweeps. Unlike [`Aabb::strip`], it may extend beyond
/// `i32`.
#[inline(always)]
fn strip(body: Aabb, dir: Dir, step: u32) -> Strip {
    let axis = dir.axis();
    let [low, first] = axis.xy(body.min.x, body.min.y);
    let [high, last] = axis.xy(body.max.x, body.max.y);
    // A bit mask avoids the branch of an `if`, because a processor cannot predict a character's direction.
    let is_back = i64::from(dir.is_positive()) - 1;
    let front = high ^ ((low ^ high) & is_back as i32);
    let step = i64::from(step);
    let start = i64::from(front) - (step & is_back);
    Strip { axis, along: start..start + step, across: i64::from(first)..i64::from(last) }
}

/// The one-way cells of a terrain: one grid for each side through which they stop bodies, in the order of
/// [`Dir::ALL`].
#[derive(Clone)]
pub(super) struct Guards(pub(super) Box<[Grid; 4]>);

impl Guards {
    #[inline]
    pub(super) fn get(&self, side: Dir) -> &Grid {
        &self.0[side as usize]
    }

    pub(super) fn get_mut(&mut self, side: Dir) -> &mut Grid {
        &mut self.0[side as usize]
    }
}

/// Tests [`Terrain::can_move`] if the swept rectangle is partly outside the level or has no pixels. It takes
/// the corners of the box instead of an [`Aabb`], because the caller has them in registers.
#[cold]
#[inline(never)]
fn is_clear_apart(cells: &SolidCells, corners: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let [min, max] = corners;
    let Strip { axis, along, across } = strip(Aabb { min, max }, dir, step);
    along.is_empty()
        || across.is_empty()
        || !any_in(cells, axis, along, across) && crosses_none(cells, corners, dir, step)
}

/// Returns true if no one-way cell stops the motion of the box with the corners `min` and `max`.
#[inline(never)]
pub(super) fn crosses_none(
    cells: &SolidCells,
    [min, max]: [IVec2; 2],
    dir: Dir,
    step: u32,
) -> bool {
    let Some(guards) = cells.guards_of(dir.opposite()) else {
        return true;
    };
    match crossed(&cells.frame, dir, &strip(Aabb { min, max }, dir, step)) {
        Some((lines, places)) => !words::any_solid(guards, dir.axis(), lines, places),
        None => true,
    }
}

#[inline]
pub(super) fn is_solid(cells: &SolidCells, point: IVec2) -> bool {
    let x = i64::from(point.x);
    let y = i64::from(point.y);
    any_in(cells, Axis::X, x..x + 1, y..y + 1)
}

#[inline(always)]
pub(super) fn any_in(
    cells: &SolidCells,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    if along.is_empty() || across.is_empty() {
        return false;
    }
    if !is_within(&cells.frame.size, axis, &along, &across) {
        return any_past_the_edge(cells, axis, along, across);
    }
    any_within(cells, axis, &along, &across)
}

/// Returns true if the rectangle `along` (on `axis`) x `across` (on the other axis) is inside a level of
/// `size` pixels.
#[inline(always)]
pub(super) fn is_within(
    size: &[i64; 2],
    axis: Axis,
    along: &Range<i64>,
    across: &Range<i64>,
) -> bool {
    (along.start | across.start) >= 0
        && along.end <= size[axis.index()]
        && across.end <= size[axis.other().index()]
}

/// Returns true if a cell in the rectangle is solid, like [`any_in`]. The rectangle must be inside the level
/// and not empty.
#[inline(always)]
fn any_within(cells: &SolidCells, axis: Axis, along: &Range<i64>, across: &Range<i64>) -> bool {
    if cells.frame.has_large_cells() {
        let lines = cells.frame.cells(axis, along);
        let places = cells.frame.cells(axis.other(), across);
        words::any_solid_cell(&cells.grid, axis, lines, places)
    } else {
        let along = along.start as u32..along.end as u32;
        let across = across.start as u32..across.end as u32;
        words::any_solid(&cells.grid, axis, along, across)
    }
}

#[cold]
fn any_past_the_edge(
    cells: &SolidCells,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    let cross = axis.other();
    cells.frame.any_solid_at(axis, &along)
        || cells.frame.any_solid_at(cross, &across)
        || any_in(cells, axis, cells.frame.inside(axis, &along), cells.frame.inside(cross, &across))
}

/// Returns the contact of a body that cannot move one pixel more toward `dir`. Returns `None` if the row or
/// column of pixels in front of the body has no solid, or is not completely inside the level. Also returns
/// `None` if the grid is sparse.
pub(super) fn contact(cells: &SolidCells, body: Aabb, dir: Dir) -> Option<Contact> {
    let Strip { axis, along, across } = strip(body, dir, 1);
    if !is_within(&cells.frame.size, axis, &along, &across) || across.is_empty() {
        return None;
    }
    let line = cells.frame.cell[axis.index()].divide(along.start);
    let place =
        words::first_on_line(&cells.grid, axis, line, cells.frame.cells(axis.other(), &across))?;
    Some(Contact::new(axis.xy(line as i32, place as i32).into(), -dir.vector()))
}

/// Returns the distance that a leading edge can move over the rectangle `strip`, and the contact that stops
/// it. One-way cells are ignored. The strip may extend beyond the range of `i32`, and is at most `u32::MAX`
/// pixels long.
pub(super) fn sweep_strip(cells: &SolidCells, strip: &Strip, dir: Dir) -> Sweep {
    let step = (strip.along.end - strip.along.start) as u32;
    if strip.along.is_empty() || strip.across.is_empty() {
        return Sweep::clear(step);
    }
    let beyond = first_beyond(&cells.frame, strip, dir.is_positive());
    let inside = first_inside(cells, strip, dir);
    let moved = match (beyond, inside) {
        (None, None) => return Sweep::clear(step),
        (Some(moved), None) | (None, Some((moved, _))) => moved,
        (Some(beyond), Some((inside, _))) => beyond.min(inside),
    };
    let pixel = if dir.is_positive() {
        strip.along.start + i64::from(moved)
    } else {
        strip.along.end - 1 - i64::from(moved)
    };
    let in_grid = inside.filter(|(at, _)| *at == moved).map(|(_, cross)| cross);
    let line = cells.frame.cell_of(strip.axis, pixel);
    let cross = lowest_cross(&cells.frame, strip, pixel, in_grid);
    let cell = strip.axis.xy(line, cross).into();
    Sweep { step, moved, contact: Some(Contact::new(cell, -dir.vector())) }
}

/// Returns the distance that the leading edge moves over `strip` before it meets a solid pixel outside the
/// level; `None` if it meets no such pixel. `positive` is true for motions right and down.
fn first_beyond(frame: &Frame, strip: &Strip, positive: bool) -> Option<u32> {
    let axis = strip.axis;
    let along = &strip.along;
    let first = if positive { along.start } else { along.end - 1 };
    if frame.any_solid_at(axis.other(), &strip.across) || frame.is_solid_at(axis, first) {
        return Some(0);
    }
    // The edge starts inside the level or beyond an open side, so only the far side can stop it.
    if !frame.is_solid_beyond(axis, positive) {
        return None;
    }
    let moved = if positive { frame.size[axis.index()] - along.start } else { along.end };
    (moved < along.end - along.start).then_some(moved as u32)
}

/// Returns the distance that the leading edge moves over `strip` before it meets a solid cell of the grid,
/// and the cell's index across the motion; `None` if it meets no solid cell.
fn first_inside(cells: &SolidCells, strip: &Strip, dir: Dir) -> Option<(u32, u32)> {
    let axis = strip.axis;
    let cross = strip.axis.other();
    let along = cells.frame.inside(axis, &strip.along);
    let across = cells.frame.inside(cross, &strip.across);
    if along.is_empty() || across.is_empty() {
        return None;
    }
    let hit = words::first_solid(
        &cells.grid,
        dir,
        cells.frame.cells(axis, &along),
        cells.frame.cells(cross, &across),
    )?;
    // An edge that starts within a solid cell does not move at all.
    let side = i64::from(cells.frame.cell[axis.index()].divisor);
    let start = i64::from(hit.line) * side;
    let moved = if dir.is_positive() {
        start.max(along.start) - strip.along.start
    } else {
        strip.along.end - (start + side).min(along.end)
    };
    Some((moved as u32, hit.place))
}

/// Returns the smallest row (for motions up and down: column) of the cells that stop a leading edge at the
/// coordinate `pixel` along its motion. `in_grid` is the smallest such row inside the grid; `None` if only
/// the space outside the level stops the edge.
fn lowest_cross(frame: &Frame, strip: &Strip, pixel: i64, in_grid: Option<u32>) -> i32 {
    let axis = strip.axis;
    let cross = strip.axis.other();
    let lowest = strip.across.start;
    if frame.is_solid_at(axis, pixel) || frame.is_solid_at(cross, lowest) {
        return frame.cell_of(cross, lowest);
    }
    match in_grid {
        Some(cell) => cell as i32,
        // Only the space right of the level (or below it) can have stopped the edge. The first pixel of the
        // edge in that space counts.
        None => frame.cell_of(cross, frame.size[cross.index()].max(lowest)),
    }
}

/// Returns 64 pixels as bits, like [`Terrain::row_word`]: the pixels of the cells of `grid`, which `frame`
/// places in pixels. Reads one or two words if cells are single pixels. Takes O(cells) for wider cells.
#[inline]
pub(super) fn row_word(frame: &Frame, grid: &Grid, x: i64, y: i64) -> u64 {
    if frame.is_solid_at(Axis::Y, y) {
        return u64::MAX;
    }
    let [width, height] = frame.size;
    let left = if frame.is_solid_beyond(Axis::X, false) { low_bits(-x) } else { 0 };
    let right = if frame.is_solid_beyond(Axis::X, true) { !low_bits(width - x) } else { 0 };
    let outside = left | right;
    if y < 0 || y >= height || x <= -64 || x >= width {
        return outside;
    }
    let row = frame.cell[Axis::Y.index()].divide(y);
    let cell = frame.cell[Axis::X.index()];
    if cell.divisor == 1 {
        return outside | grid.row_word(x, row);
    }
    // A word of 64 pixels touches at most 33 cells that are 2 pixels wide or wider.
    let first = cell.divide(x.max(0));
    let last = cell.divide((x + 63).min(width - 1));
    let mut cells = grid.row_word(i64::from(first), row) & low_bits(i64::from(last - first) + 1);
    let mut solid = outside;
    while cells != 0 {
        let side = i64::from(cell.divisor);
        let start = (i64::from(first) + i64::from(cells.trailing_zeros())) * side - x;
        solid |= low_bits(start + side) & !low_bits(start);
        cells &= cells - 1;
    }
    solid
}

fn length(range: &Range<i64>) -> u64 {
    (range.end - range.start).max(0) as u64
}

/// Returns the part of `range` on `axis` that is not beyond a solid side of the level.
fn open_part(frame: &Frame, axis: Axis, range: &Range<i64>) -> Range<i64> {
    let mut open = range.clone();
    if frame.is_solid_beyond(axis, false) {
        open.start = open.start.max(0);
    }
    if frame.is_solid_beyond(axis, true) {
        open.end = open.end.min(frame.size[axis.index()]);
    }
    open
}

/// Splits the cells inside the level that the pixels `range` touch on `axis` into three pieces: a partial
/// first cell, whole cells, and a partial last cell. Each piece is a range of cells, and the number of pixels
/// of `range` in one of these cells.
fn pieces(frame: &Frame, axis: Axis, range: &Range<i64>) -> [(Range<u32>, u64); 3] {
    let Range { start, end } = frame.inside(axis, range);
    let side = i64::from(frame.cell[axis.index()].divisor);
    if start >= end {
        return [(0..0, 0), (0..0, 0), (0..0, 0)];
    }
    let first = (start + side - 1) / side;
    let last = end / side;
    if first > last {
        let cell = last as u32..first as u32;
        return [(cell, (end - start) as u64), (0..0, 0), (0..0, 0)];
    }
    [
        ((start / side) as u32..first as u32, (first * side - start) as u64),
        (first as u32..last as u32, side as u64),
        (last as u32..((end + side - 1) / side) as u32, (end - last * side) as u64),
    ]
}

/// Returns the last number before `taken` that is free. `free` is free, and no number after one that is not
/// free is free. Takes O(log (taken - free)) tests.
pub(crate) fn last_free(mut free: u32, mut taken: u32, is_free: impl Fn(u32) -> bool) -> u32 {
    while taken - free > 1 {
        let middle = free + (taken - free) / 2;
        if is_free(middle) {
            free = middle;
        } else {
            taken = middle;
        }
    }
    free
}

/// Returns the cells into which the leading edge moves through their near side, one-way or not: the range of
/// their indices along `dir`, then across `dir`. `None` if no such cell is inside the level.
fn crossed(frame: &Frame, dir: Dir, strip: &Strip) -> Option<(Range<u32>, Range<u32>)> {
    let axis = strip.axis;
    let cell = i64::from(frame.cell[axis.index()].divisor);
    let start = strip.along.start;
    let end = strip.along.end;
    let (first, last) = if dir.is_positive() {
        // The left or upper edges of cells are at multiples of the cell's side, from `start` on.
        ((start + cell - 1).div_euclid(cell), (end + cell - 1).div_euclid(cell))
    } else {
        (start.div_euclid(cell), end.div_euclid(cell))
    };
    let count = frame.size[axis.index()] / cell;
    let first = first.clamp(0, count);
    let last = last.clamp(0, count);
    let across = frame.inside(axis.other(), &strip.across);
    if first >= last || across.is_empty() {
        return None;
    }
    Some((first as u32..last as u32, frame.cells(axis.other(), &across)))
}

/// The queries of a [`Terrain`] for a shape. The methods of [`Terrain`] document them.
pub trait InTerrain: Copy {
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool;
    fn free_sides(self, terrain: &Terrain, step: u32) -> Sides<bool> {
        each_side(|dir| self.can_move(terrain, dir, step))
    }
    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep;
    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep;
    fn overlaps(self, terrain: &Terrain) -> bool;
    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32>;
    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2>;
    fn solid_area(self, terrain: &Terrain) -> u64;
    fn overlap_normal(self, terrain: &Terrain) -> IVec2;
    fn pixel_count(self) -> u64;
}

/// Returns the number of pixels of a box that solids cover.
pub(super) fn solid_area(cells: &SolidCells, body: Aabb) -> u64 {
    if body.is_empty() {
        return 0;
    }
    let [x, y] = sides(body);
    let open = length(&open_part(&cells.frame, Axis::X, &x))
        * length(&open_part(&cells.frame, Axis::Y, &y));
    let mut solid = length(&x) * length(&y) - open;
    for (columns, width) in pieces(&cells.frame, Axis::X, &x) {
        for (rows, height) in pieces(&cells.frame, Axis::Y, &y) {
            solid += cells.grid.solid_count_in(columns.clone(), rows) * width * height;
        }
    }
    solid
}

/// Tests [`Terrain::can_move`] for a box of any size, without prepared lines.
// This is inlined everywhere, because a call from `sweep` cost 14 instructions of 290.
#[inline(always)]
pub(super) fn can_move(cells: &SolidCells, body: Aabb, dir: Dir, step: u32) -> bool {
    let Strip { axis, along, across } = strip(body, dir, step);
    let is_near = !along.is_empty()
        && !across.is_empty()
        && is_within(&cells.frame.size, axis, &along, &across);
    if !is_near {
        return is_clear_apart(cells, [body.min, body.max], dir, step);
    }
    !any_within(cells, axis, &along, &across)
        && (cells.guards.is_none() || crosses_none(cells, [body.min, body.max], dir, step))
}

/// Returns the value of `of_side` for each of the four sides.
#[inline]
pub(super) fn each_side<T>(of_side: impl Fn(Dir) -> T) -> Sides<T> {
    Sides {
        left: of_side(Dir::Left),
        right: of_side(Dir::Right),
        up: of_side(Dir::Up),
        down: of_side(Dir::Down),
    }
}

#[inline]
pub(super) fn sweep(cells: &SolidCells, body: Aabb, dir: Dir, step: u32) -> Sweep {
    // Most motions are free, and `can_move` costs a fraction of a sweep, so it is tried first.
    if can_move(cells, body, dir, step) {
        return Sweep::clear(step);
    }
    sweep_held(body, cells, dir, step)
}

#[inline]
pub(super) fn sweep_through_one_way(cells: &SolidCells, body: Aabb, dir: Dir, step: u32) -> Sweep {
    sweep_strip(cells, &strip(body, dir, step), dir)
}

#[inline]
pub(super) fn overlaps(cells: &SolidCells, body: Aabb) -> bool {
    let [x, y] = sides(body);
    any_in(cells, Axis::X, x, y)
}

/// Finds the solid cell in the box that is farthest toward `dir`, and moves the box past the cell. Repeats
/// this until the box is free.
pub(super) fn nearest_free(cells: &SolidCells, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
    if body.is_empty() {
        return Some(0);
    }
    let limit = limit.min(body.room(dir));
    let axis = dir.axis();
    let across = strip(body, dir, 0).across;
    if cells.frame.any_solid_at(axis.other(), &across) {
        return None;
    }
    let length = body.extent(axis);
    let side = i64::from(cells.frame.cell[axis.index()].divisor);
    let mut distance = 0;
    loop {
        let there = body.shifted(dir, distance);
        let back = sweep_through_one_way(cells, there.edge(dir), dir.opposite(), length);
        let Some(contact) = back.contact else {
            return Some(distance);
        };
        let [min, max, cell] = [there.min, there.max, contact.cell]
            .map(|corner| i64::from(corner.to_array()[axis.index()]));
        let size = cells.frame.size[axis.index()];
        // The distances that the box must move to be past the cell, and to reach the near side of the level,
        // and its distance past the far side of the level.
        let (past, before, beyond) = if dir.is_positive() {
            ((cell + 1) * side - min, -max, min - size)
        } else {
            (max - cell * side, min - size, -max)
        };
        if beyond >= 0 {
            return None;
        }
        let more = past.max(before).max(i64::from(back.leftover()));
        distance =
            u32::try_from(i64::from(distance) + more).ok().filter(|distance| *distance <= limit)?;
    }
}

#[inline(always)]
fn sides(area: Aabb) -> [Range<i64>; 2] {
    [area.min.x.into()..area.max.x.into(), area.min.y.into()..area.max.y.into()]
}

/// Returns the sweep of a box that a solid or a one-way cell stops, whichever comes first. If both stop the
/// box at the same distance, the contact names the cell in the smaller row, then the smaller column.
pub(super) fn sweep_held(body: Aabb, cells: &SolidCells, dir: Dir, step: u32) -> Sweep {
    let sweep = sweep_strip(cells, &strip(body, dir, step), dir);
    let Some(guards) = cells.guards_of(dir.opposite()) else {
        return sweep;
    };
    // The search goes one pixel beyond `sweep.moved`, because a one-way cell can start at the same pixel as
    // the solid.
    let strip = strip(body, dir, sweep.moved.saturating_add(1).min(step));
    let Some((lines, places)) = crossed(&cells.frame, dir, &strip) else {
        return sweep;
    };
    let Some(hit) = words::first_solid(guards, dir, lines, places) else {
        return sweep;
    };
    let axis = dir.axis();
    let line = i64::from(hit.line);
    let side = i64::from(cells.frame.cell[axis.index()].divisor);
    let moved = if dir.is_positive() {
        line * side - strip.along.start
    } else {
        strip.along.end - (line + 1) * side
    };
    let moved = moved as u32;
    let cell = IVec2::from(axis.xy(hit.line as i32, hit.place as i32));
    let is_first =
        sweep.contact.is_none_or(|solid: Contact| (cell.y, cell.x) < (solid.cell.y, solid.cell.x));
    if moved < sweep.moved || is_first {
        return Sweep { moved, contact: Some(Contact::new(cell, -dir.vector())), ..sweep };
    }
    sweep
}

/// The number of 64-bit words of answers that one parallel task computes, in about 10 µs.
#[cfg(feature = "rayon")]
const PART: usize = 64;

/// Writes the answers of the first `count` queries, or of all queries that fit in `words`, as bits in the
/// order of [`Terrain::can_move_batch`]. Returns the number of answers.
pub(super) fn bits(
    words: &mut [u64],
    count: usize,
    answer: impl Fn(usize) -> bool + Sync,
) -> usize {
    let count = count.min(words.len().saturating_mul(64));
    let words = &mut words[..count.div_ceil(64)];
    let write = |first: usize, words: &mut [u64]| {
        for (word, bits) in (first..).zip(words) {
            let queries = word * 64..count.min(word * 64 + 64);
            *bits = queries.fold(0, |bits, query| bits | u64::from(answer(query)) << (query % 64));
        }
    };
    #[cfg(feature = "rayon")]
    if words.len() > PART {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};
        let parts = words.par_chunks_mut(PART).enumerate();
        parts.for_each(|(number, words)| write(number * PART, words));
        return count;
    }
    write(0, words);
    count
}

/// A shape at a position, for the queries of a [`Terrain`].
///
/// It is an [`Aabb`], or a [`Footprint`](crate::Footprint) placed by [`Footprint::at`](crate::Footprint::at).
/// No other type implements this trait. Both types have the same queries:
///
/// ```
/// use bitwall::{Aabb, Dir, Footprint, Grid, Terrain, glam::{IVec2, UVec2}};
///
/// let terrain = Terrain::new(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
/// let square = Aabb::from_xywh(14, 0, 16, 16);
/// let ball = Footprint::circle(16)?;
/// assert_eq!(terrain.sweep(square, Dir::Down, 16).moved, 0);
/// assert_eq!(terrain.sweep(ball.at(IVec2::new(14, 0)), Dir::Down, 16).moved, 3, "it is round");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Collider: InTerrain {}

impl<S: InTerrain> Collider for S {}

#[cfg(test)]
mod tests;
