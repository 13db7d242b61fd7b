//! The kernel: functions over a grid and its frame. Whether a strip is clear, where a sweep ends, which
//! pixels are solid and how many, and the free room around a box.
//!
//! An answer for every integer; nothing here allocates.

use std::ops::Range;

use glam::IVec2;

use super::contact::{Contact, Sweep};
use super::frame::{Frame, Strip, strip};
use super::one_way;
use super::terrain::Terrain;
use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, low_bits, words};

/// True if no solid pixel and no edge of a one-way cell lies in the strip that the leading edge of `body`
/// sweeps: see [`Terrain::can_move`].
///
/// It is inlined everywhere: a call from `sweep` cost 14 instructions of 290.
#[inline(always)]
pub(super) fn is_clear(terrain: &Terrain, body: Aabb, dir: Dir, step: u32) -> bool {
    let Terrain { grid, frame, guards, .. } = terrain;
    let Strip { axis, along, across } = strip(body, dir, step);
    let is_near =
        !along.is_empty() && !across.is_empty() && is_within(&frame.size, axis, &along, &across);
    if !is_near {
        return is_clear_apart(terrain, [body.min, body.max], dir, step);
    }
    !any_within(grid, frame, axis, &along, &across)
        && (guards.is_none() || crosses_none(terrain, [body.min, body.max], dir, step))
}

/// [`is_clear`] past the edge of the level, and of a strip without pixels.
///
/// It takes the corners of the box, which are in registers: the strip would have to be in memory.
#[cold]
#[inline(never)]
fn is_clear_apart(terrain: &Terrain, corners: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let [min, max] = corners;
    let Strip { axis, along, across } = strip(Aabb { min, max }, dir, step);
    along.is_empty()
        || across.is_empty()
        || !any_in(&terrain.grid, &terrain.frame, axis, along, across)
            && crosses_none(terrain, corners, dir, step)
}

/// True if the box crosses no guarded edge.
#[inline(never)]
fn crosses_none(terrain: &Terrain, [min, max]: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let strip = strip(Aabb { min, max }, dir, step);
    let guards = terrain.one_way(dir.opposite());
    guards.is_none_or(|grid| one_way::is_clear(grid, &terrain.frame, dir, &strip))
}

/// True if the pixel is solid.
#[inline]
pub(super) fn is_solid(grid: &Grid, frame: &Frame, point: IVec2) -> bool {
    let (x, y) = (i64::from(point.x), i64::from(point.y));
    any_in(grid, frame, Axis::X, x..x + 1, y..y + 1)
}

/// True if some pixel of `area` is solid.
#[inline]
pub(super) fn any_solid(grid: &Grid, frame: &Frame, area: Aabb) -> bool {
    let x = i64::from(area.min.x)..i64::from(area.max.x);
    let y = i64::from(area.min.y)..i64::from(area.max.y);
    any_in(grid, frame, Axis::X, x, y)
}

/// True if some pixel of the rectangle `along` (on `axis`) x `across` is solid.
#[inline(always)]
pub(super) fn any_in(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    if along.is_empty() || across.is_empty() {
        return false;
    }
    if !is_within(&frame.size, axis, &along, &across) {
        return any_past_the_edge(grid, frame, axis, along, across);
    }
    any_within(grid, frame, axis, &along, &across)
}

/// True if the rectangle `along` (on `axis`) x `across` is inside a level of this size.
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

/// [`any_in`] for a rectangle that is not empty and inside the level.
#[inline(always)]
pub(super) fn any_within(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: &Range<i64>,
    across: &Range<i64>,
) -> bool {
    if frame.has_large_cells() {
        let (lines, places) = (frame.cells(axis, along), frame.cells(axis.other(), across));
        words::any_solid_cell(grid, axis, lines, places)
    } else {
        let cells = |pixels: &Range<i64>| pixels.start as u32..pixels.end as u32;
        words::any_solid(grid, axis, cells(along), cells(across))
    }
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
        || any_in(grid, frame, axis, frame.inside(axis, &along), frame.inside(cross, &across))
}

/// The contact of a body that cannot move one pixel more toward `dir`. `None` if no solid holds it there
/// inside the level, or if the grid keeps no lines across the motion.
pub(super) fn contact(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir) -> Option<Contact> {
    let Strip { axis, along, across } = strip(body, dir, 1);
    if !is_within(&frame.size, axis, &along, &across) || across.is_empty() {
        return None;
    }
    let line = frame.cell[axis.index()].divide(along.start);
    let place = words::first_on_line(grid, axis, line, frame.cells(axis.other(), &across))?;
    let cell = match axis {
        Axis::X => IVec2::new(line as i32, place as i32),
        Axis::Y => IVec2::new(place as i32, line as i32),
    };
    Some(Contact::new(cell, -dir.vector()))
}

/// The distance that `body` can move, and its contact: see [`crate::Terrain::sweep`].
pub(super) fn sweep(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir, step: u32) -> Sweep {
    sweep_strip(grid, frame, &strip(body, dir, step), dir)
}

/// [`sweep`] of an edge that passes over this strip, which may reach beyond the range of `i32`; it is at most
/// `u32::MAX` pixels long.
pub(super) fn sweep_strip(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Sweep {
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
    let in_grid = inside.filter(|(at, _)| *at == moved).map(|(_, cross)| cross);
    let line = frame.cell_of(strip.axis, pixel);
    let cross = lowest_cross(frame, strip, pixel, in_grid);
    Sweep {
        step,
        moved,
        contact: Some(Contact::new(
            match strip.axis {
                Axis::X => IVec2::new(line, cross),
                Axis::Y => IVec2::new(cross, line),
            },
            -dir.vector(),
        )),
    }
}

/// The distance that the edge moves before it meets a solid pixel outside the level, if it does.
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
    let moved = if positive { frame.size[axis.index()] - along.start } else { along.end };
    (moved < along.end - along.start).then_some(moved as u32)
}

/// The distance that the edge moves before it meets a solid cell of the grid, and that cell's place across.
fn first_inside(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Option<(u32, u32)> {
    let (axis, cross) = (strip.axis, strip.axis.other());
    let along = frame.inside(axis, &strip.along);
    let across = frame.inside(cross, &strip.across);
    if along.is_empty() || across.is_empty() {
        return None;
    }
    let hit =
        words::first_solid(grid, dir, frame.cells(axis, &along), frame.cells(cross, &across))?;
    // An edge that starts within the cell that it meets does not move at all.
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
        // The far side is the last possibility: the first pixel beyond it that the box covers.
        None => frame.cell_of(cross, frame.size[cross.index()].max(lowest)),
    }
}

/// The solid pixels among the 64 from (`x`, `y`) to the right, bit 0 the first, inside the level or outside
/// it. It reads one or two words of a grid whose cells are pixels; O(cells) for wider cells.
#[inline]
pub(super) fn row_word(grid: &Grid, frame: &Frame, x: i64, y: i64) -> u64 {
    if frame.is_solid_at(Axis::Y, y) {
        return u64::MAX;
    }
    let [width, height] = frame.size;
    let beyond = |positive, bits| {
        if frame.is_solid_beyond(Axis::X, positive) { bits } else { 0 }
    };
    let outside = beyond(false, low_bits(-x)) | beyond(true, !low_bits(width - x));
    if y < 0 || y >= height || x <= -64 || x >= width {
        return outside;
    }
    let row = frame.cell[Axis::Y.index()].divide(y);
    let cell = frame.cell[Axis::X.index()];
    if cell.divisor == 1 {
        return outside | grid.row_word(x, row);
    }
    // At most 33 cells of 2 pixels or more.
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

/// The number of solid pixels of `area`, inside the level and outside it.
pub(super) fn solid_area(grid: &Grid, frame: &Frame, area: Aabb) -> u64 {
    if area.is_empty() {
        return 0;
    }
    let x = i64::from(area.min.x)..i64::from(area.max.x);
    let y = i64::from(area.min.y)..i64::from(area.max.y);
    let all = length(&x) * length(&y);
    let open = length(&open_part(frame, Axis::X, &x)) * length(&open_part(frame, Axis::Y, &y));
    all - open + solid_inside(grid, frame, &x, &y)
}

fn length(range: &Range<i64>) -> u64 {
    (range.end - range.start).max(0) as u64
}

/// The pixels of `range` on `axis` that are inside the level or beyond an open side.
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

fn solid_inside(grid: &Grid, frame: &Frame, x: &Range<i64>, y: &Range<i64>) -> u64 {
    let mut solid = 0;
    for (columns, width) in pieces(frame, Axis::X, x) {
        for (rows, height) in pieces(frame, Axis::Y, y) {
            solid += grid.solid_count_in(columns.clone(), rows) * width * height;
        }
    }
    solid
}

/// The cells that the pixels `range` touch inside the level on `axis`, with the number of pixels in each: a
/// first cell in part, whole cells, and a last cell in part.
fn pieces(frame: &Frame, axis: Axis, range: &Range<i64>) -> [(Range<u32>, u64); 3] {
    let Range { start, end } = frame.inside(axis, range);
    let side = i64::from(frame.cell[axis.index()].divisor);
    if start >= end {
        return [(0..0, 0), (0..0, 0), (0..0, 0)];
    }
    // The whole cells are `first..last`; there are none if both ends lie in one cell.
    let (first, last) = ((start + side - 1) / side, end / side);
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

/// The largest distance, at most `limit`, by which `body` can grow on all four sides without overlapping a
/// solid.
pub(super) fn clearance(grid: &Grid, frame: &Frame, body: Aabb, limit: u32) -> u32 {
    let is_free = |distance: u32| {
        let by = i64::from(distance);
        let x = i64::from(body.min.x) - by..i64::from(body.max.x) + by;
        let y = i64::from(body.min.y) - by..i64::from(body.max.y) + by;
        !any_in(grid, frame, Axis::X, x, y)
    };
    // Doubling first, so that a solid close by is found without reading cells far away.
    let (mut free, mut step) = (0, 1);
    while free < limit {
        let next = limit.min(free.saturating_add(step));
        if !is_free(next) {
            break;
        }
        free = next;
        step = next;
    }
    let mut taken = limit.min(free.saturating_add(step));
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

/// The smallest distance, at most `limit`, toward `dir` at which `body` overlaps no solid: see
/// [`crate::Terrain::nearest_free`].
///
/// Each round finds the solid cell in the box that lies farthest toward `dir`: the box must go past it. So
/// there are no more rounds than solid cells in a row, and one more beyond the level.
pub(super) fn nearest_free(
    grid: &Grid,
    frame: &Frame,
    body: Aabb,
    dir: Dir,
    limit: u32,
) -> Option<u32> {
    if body.is_empty() {
        return Some(0);
    }
    let limit = limit.min(body.room(dir));
    let axis = dir.axis();
    let across = strip(body, dir, 0).across;
    if frame.any_solid_at(axis.other(), &across) {
        // The box stays beyond a solid side at every distance.
        return None;
    }
    let length = body.extent(axis);
    let side = i64::from(frame.cell[axis.index()].divisor);
    let mut distance = 0;
    loop {
        let there = body.shifted(dir, distance);
        let back = sweep(grid, frame, there.edge(dir), dir.opposite(), length);
        let Some(contact) = back.contact else {
            return Some(distance);
        };
        let along = |corner: IVec2| i64::from(corner.to_array()[axis.index()]);
        let (min, max, cell) = (along(there.min), along(there.max), along(contact.cell));
        let size = frame.size[axis.index()];
        // The distances past the cell, from before the level to its near side, and past its far side.
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

#[cfg(test)]
mod tests {
    use crate::geometry::{Aabb, Dir, Outside};
    use crate::{Grid, Level};
    use glam::UVec2;

    #[test]
    fn nearest_free_agrees_with_a_trial_of_every_distance() {
        let mut random = fastrand::Rng::with_seed(31);
        let sides = [1, 5, 63, 64, 65, 130];
        for _ in 0..4_000 {
            let side = |random: &mut fastrand::Rng| sides[random.usize(0..sides.len())];
            let (width, height) = (side(&mut random), side(&mut random));
            let mut grid = Grid::new(width, height).unwrap();
            for _ in 0..random.u32(0..width * height / 3 + 2) {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            let cell = UVec2::new(random.u32(1..4), random.u32(1..6));
            let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
            let level = Level::from_grid(grid, cell).unwrap().with_outside(outside);
            let (x, y) = (random.i32(-9..140), random.i32(-9..140));
            let body = Aabb::from_xywh(x, y, random.i32(0..9), random.i32(0..9));
            let limit = random.u32(0..40);
            for dir in Dir::ALL {
                let tried = (0..=limit).find(|at| !level.overlaps(body.shifted(dir, *at)));
                assert_eq!(level.nearest_free(body, dir, limit), tried, "{body:?} {dir:?}");
            }
        }
    }

    #[test]
    fn nearest_free_finds_no_place_past_the_end_of_the_range() {
        let level = Level::from_grid(Grid::new(1, 1).unwrap(), UVec2::ONE).unwrap();
        let last = Aabb::from_xywh(i32::MAX - 4, 0, 4, 1);
        assert_eq!(level.nearest_free(last, Dir::Right, u32::MAX), None);
        let first = Aabb::from_xywh(i32::MIN, 0, 4, 1);
        assert_eq!(level.nearest_free(first, Dir::Left, u32::MAX), None);
        assert_eq!(level.nearest_free(first, Dir::Right, u32::MAX), None);
        let open = level.with_outside(Outside::Open);
        assert_eq!(open.nearest_free(last, Dir::Right, 0), Some(0));
    }
}
