//! The kernel: the strip that a box's leading edge sweeps, tested over the words of a grid.
//!
//! Free functions over plain data: a grid, a [`Frame`] (how the grid lies in pixels and what is outside
//! it), a box, a direction and a step. No IO, no allocation, no floats, and an answer for every integer:
//! edges are widened to `i64`, where no sum of a position and a step can overflow.
//!
//! Toward right the strip is `[max.x, max.x + step) x [min.y, max.y)`, and likewise for the other three.

pub(crate) mod area;
mod divisor;
mod free;
pub(crate) mod nearest;
pub(crate) mod one_way;
pub(crate) mod pixels;
pub(crate) mod ray;

use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Axis, Dir, Outside, Sides};
use crate::grid::{Grid, words};

use divisor::Divisor;
pub(crate) use free::nearest_free;
pub use nearest::NearestSolid;
pub use ray::RayHit;

/// How far a box can move, and what stops it. Made by [`crate::Level::sweep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sweep {
    /// The distance that was asked for, in pixels.
    pub step: u32,
    /// The largest distance, at most `step`, that the box can move.
    pub moved: u32,
    /// What stopped it; `None` if it moved all of `step`.
    pub contact: Option<Contact>,
}

impl Sweep {
    /// A sweep that met nothing.
    #[inline]
    pub(crate) fn clear(step: u32) -> Self {
        Self {
            step,
            moved: step,
            contact: None,
        }
    }

    /// The part of the step that was not done, in pixels.
    #[inline]
    pub fn leftover(&self) -> u32 {
        self.step - self.moved
    }

    /// True if nothing stopped the box.
    #[inline]
    pub fn is_clear(&self) -> bool {
        self.contact.is_none()
    }
}

/// The first solid cell that a sweep meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Contact {
    /// Column and row of the cell: first in motion, then the lowest row, then the lowest column. Outside
    /// the level it is negative or past the last one, counted in cells of the same size (and clamped to
    /// the range of `i32`).
    pub cell: IVec2,
    /// The unit vector out of the solid, toward the box.
    pub normal: IVec2,
}

/// How a grid lies in pixels: its cell size, its extent, and what is outside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    cell: [Divisor; 2],
    /// Width and height in pixels: fewer than 2^32 cells of at most 2^16 pixels.
    size: [i64; 2],
    /// As `size`; 0 in a level with one-way cells, so that they are asked where what lies beyond the level is
    /// asked anyway, and cost other levels nothing. (A branch of their own took a query from 10.1 to 12.2
    /// ns.)
    near: [i64; 2],
    outside: Sides<Outside>,
}

impl Frame {
    /// The frame of a grid of `cells` cells; a side of `cell_size` is 1 to 2^16.
    pub(crate) fn new(cells: UVec2, cell_size: UVec2, outside: Sides<Outside>) -> Self {
        let size = [
            i64::from(cells.x) * i64::from(cell_size.x),
            i64::from(cells.y) * i64::from(cell_size.y),
        ];
        Self {
            cell: [Divisor::new(cell_size.x), Divisor::new(cell_size.y)],
            size,
            near: size,
            outside,
        }
    }

    pub(crate) fn cell_size(&self) -> UVec2 {
        UVec2::new(self.cell[0].divisor, self.cell[1].divisor)
    }

    pub(crate) fn outside(&self) -> Sides<Outside> {
        self.outside
    }

    /// Has every motion asked about one-way cells, or none.
    pub(crate) fn set_one_way(&mut self, has_one_way: bool) {
        self.near = if has_one_way { [0; 2] } else { self.size };
    }

    pub(crate) fn set_outside(&mut self, outside: Sides<Outside>) {
        self.outside = outside;
    }

    /// The cells that the pixels `range` touch on `axis`; not empty, and inside the level.
    #[inline(always)]
    fn cells(&self, axis: Axis, range: &Range<i64>) -> Range<u32> {
        let cell = self.cell[axis.index()];
        cell.divide(range.start)..cell.divide(range.end - 1) + 1
    }

    /// The cell that holds the pixel `at` on `axis`, inside the level or not.
    fn cell_of(&self, axis: Axis, at: i64) -> i32 {
        let cell = i64::from(self.cell[axis.index()].divisor);
        at.div_euclid(cell)
            .clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    #[inline]
    fn is_solid_beyond(&self, axis: Axis, positive: bool) -> bool {
        self.outside.get(Dir::along(axis, positive)) == Outside::Solid
    }

    /// True if the pixel coordinate `at` lies beyond a solid side on `axis`.
    #[inline]
    fn is_solid_at(&self, axis: Axis, at: i64) -> bool {
        (at < 0 && self.is_solid_beyond(axis, false))
            || (at >= self.size[axis.index()] && self.is_solid_beyond(axis, true))
    }

    /// True if one of the pixel coordinates `range` lies beyond a solid side on `axis`.
    fn any_solid_at(&self, axis: Axis, range: &Range<i64>) -> bool {
        !range.is_empty()
            && (self.is_solid_at(axis, range.start) || self.is_solid_at(axis, range.end - 1))
    }

    /// The part of the pixel coordinates `range` that lies inside the level on `axis`.
    fn inside(&self, axis: Axis, range: &Range<i64>) -> Range<i64> {
        range.start.max(0)..range.end.min(self.size[axis.index()])
    }
}

/// The strip in pixels: the coordinates that the leading edge passes over, along the motion's axis, and
/// the box's extent across it.
struct Strip {
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
}

/// Without a branch on the direction, which a game's characters do not repeat in any order.
#[inline(always)]
fn strip(body: Aabb, dir: Dir, step: u32) -> Strip {
    let axis = dir.axis();
    let (along, across) = (axis.index(), 1 - axis.index());
    let edges = [body.min.x, body.min.y, body.max.x, body.max.y];
    let (positive, step) = (dir.is_positive(), i64::from(step));
    let front = i64::from(edges[along + 2 * usize::from(positive)]);
    let start = front - step * i64::from(!positive);
    Strip {
        axis,
        along: start..start + step,
        across: i64::from(edges[across])..i64::from(edges[across + 2]),
    }
}

/// True if no solid pixel lies in the strip that `body`'s leading edge sweeps, and no edge that one of the
/// one-way cells `guards` (by their side, in the order of [`Dir::ALL`]): see [`crate::Level::can_move`].
#[inline]
pub(crate) fn is_clear(
    grid: &Grid,
    frame: &Frame,
    guards: Option<&[Grid; 4]>,
    body: Aabb,
    dir: Dir,
    step: u32,
) -> bool {
    let Strip {
        axis,
        along,
        across,
    } = strip(body, dir, step);
    if along.is_empty() || across.is_empty() {
        return true;
    }
    if !is_within(&frame.near, axis, &along, &across) {
        let strip = Strip {
            axis,
            along,
            across,
        };
        return is_clear_apart(grid, frame, guards, dir, strip);
    }
    !any_within(grid, frame, axis, &along, &across)
}

/// [`is_clear`] past the edge of the level, and in a level with one-way cells.
#[cold]
fn is_clear_apart(
    grid: &Grid,
    frame: &Frame,
    guards: Option<&[Grid; 4]>,
    dir: Dir,
    strip: Strip,
) -> bool {
    let facing = guards.and_then(|guards| {
        let index = Dir::ALL.iter().position(|side| *side == dir.opposite())?;
        guards.get(index)
    });
    facing.is_none_or(|guards| one_way::is_clear(guards, frame, dir, &strip))
        && !any_in(grid, frame, strip.axis, strip.along, strip.across)
}

/// True if the pixel is solid.
#[inline]
pub(crate) fn is_solid(grid: &Grid, frame: &Frame, point: IVec2) -> bool {
    let (x, y) = (i64::from(point.x), i64::from(point.y));
    any_in(grid, frame, Axis::X, x..x + 1, y..y + 1)
}

/// True if some pixel of `area` is solid.
#[inline]
pub(crate) fn any_solid(grid: &Grid, frame: &Frame, area: Aabb) -> bool {
    let x = i64::from(area.min.x)..i64::from(area.max.x);
    let y = i64::from(area.min.y)..i64::from(area.max.y);
    any_in(grid, frame, Axis::X, x, y)
}

/// True if some pixel of the rectangle `along` (on `axis`) x `across` is solid.
#[inline(always)]
fn any_in(grid: &Grid, frame: &Frame, axis: Axis, along: Range<i64>, across: Range<i64>) -> bool {
    if along.is_empty() || across.is_empty() {
        return false;
    }
    if !is_within(&frame.size, axis, &along, &across) {
        return any_past_the_edge(grid, frame, axis, along, across);
    }
    any_within(grid, frame, axis, &along, &across)
}

/// True if the rectangle `along` (on `axis`) x `across` reaches beyond no side of a level of this size.
#[inline(always)]
fn is_within(size: &[i64; 2], axis: Axis, along: &Range<i64>, across: &Range<i64>) -> bool {
    along.start >= 0
        && across.start >= 0
        && along.end <= size[axis.index()]
        && across.end <= size[axis.other().index()]
}

/// [`any_in`] for a rectangle that is not empty and inside the level.
#[inline(always)]
fn any_within(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: &Range<i64>,
    across: &Range<i64>,
) -> bool {
    let places = frame.cells(axis.other(), across);
    words::any_solid(grid, axis, frame.cells(axis, along), places)
}

#[cold]
fn any_past_the_edge(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    let cross = axis.other();
    frame.any_solid_at(axis, &along)
        || frame.any_solid_at(cross, &across)
        || any_in(
            grid,
            frame,
            axis,
            frame.inside(axis, &along),
            frame.inside(cross, &across),
        )
}

/// How far `body` can move and what stops it: see [`crate::Level::sweep`].
pub(crate) fn sweep(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir, step: u32) -> Sweep {
    sweep_strip(grid, frame, &strip(body, dir, step), dir)
}

/// [`sweep`] of an edge that passes over this strip, which may reach beyond the range of `i32`; it is at most
/// `u32::MAX` pixels long.
fn sweep_strip(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Sweep {
    let step = (strip.along.end - strip.along.start) as u32;
    if strip.along.is_empty() || strip.across.is_empty() {
        return Sweep::clear(step);
    }
    let beyond = first_beyond(frame, strip, dir.is_positive());
    let inside = first_inside(grid, frame, strip, dir);
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
    let in_grid = inside
        .filter(|(at, _)| *at == moved)
        .map(|(_, cross)| cross);
    let line = frame.cell_of(strip.axis, pixel);
    let cross = lowest_cross(frame, strip, pixel, in_grid);
    Sweep {
        step,
        moved,
        contact: Some(Contact {
            cell: match strip.axis {
                Axis::X => IVec2::new(line, cross),
                Axis::Y => IVec2::new(cross, line),
            },
            normal: -dir.vector(),
        }),
    }
}

/// How far the edge moves before it meets a solid pixel outside the level, if it does.
fn first_beyond(frame: &Frame, strip: &Strip, positive: bool) -> Option<u32> {
    let (axis, along) = (strip.axis, &strip.along);
    let first = if positive { along.start } else { along.end - 1 };
    if frame.any_solid_at(axis.other(), &strip.across) || frame.is_solid_at(axis, first) {
        return Some(0);
    }
    // The edge starts inside the level or beyond an open side: it can only leave through the far side.
    if !frame.is_solid_beyond(axis, positive) {
        return None;
    }
    let moved = if positive {
        frame.size[axis.index()] - along.start
    } else {
        along.end
    };
    (moved < along.end - along.start).then_some(moved as u32)
}

/// How far the edge moves before it meets a solid cell of the grid, and that cell's place across.
fn first_inside(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Option<(u32, u32)> {
    let (axis, cross) = (strip.axis, strip.axis.other());
    let along = frame.inside(axis, &strip.along);
    let across = frame.inside(cross, &strip.across);
    if along.is_empty() || across.is_empty() {
        return None;
    }
    let hit = words::first_solid(
        grid,
        dir,
        frame.cells(axis, &along),
        frame.cells(cross, &across),
    )?;
    // The edge may start within the cell that it meets: then it does not move at all.
    let side = i64::from(frame.cell[axis.index()].divisor);
    let start = i64::from(hit.line) * side;
    let moved = if dir.is_positive() {
        start.max(along.start) - strip.along.start
    } else {
        strip.along.end - (start + side).min(along.end)
    };
    Some((moved as u32, hit.place))
}

/// The lowest cell across the motion that is solid where the edge stops, on the pixel line `pixel`;
/// `in_grid` is the lowest one inside the grid, if there is one.
fn lowest_cross(frame: &Frame, strip: &Strip, pixel: i64, in_grid: Option<u32>) -> i32 {
    let (axis, cross) = (strip.axis, strip.axis.other());
    let lowest = strip.across.start;
    if frame.is_solid_at(axis, pixel) || frame.is_solid_at(cross, lowest) {
        return frame.cell_of(cross, lowest);
    }
    match in_grid {
        Some(cell) => cell as i32,
        // Only the far side is left: the first pixel beyond it that the box covers.
        None => frame.cell_of(cross, frame.size[cross.index()].max(lowest)),
    }
}
