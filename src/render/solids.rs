//! The solid cells as a tint with an edge, and the edge of the level.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::{IVec2, UVec2};

use super::canvas::{Canvas, Ink};
use crate::Level;
use crate::geometry::{Aabb, Dir, Outside};

/// It has stripes, because a tint alone is not visible on red art.
const TINT: Ink = Ink::new(235, 20, 60).with_alpha(72);
const STRIPE: Ink = Ink::new(255, 32, 72).with_alpha(140);
const EDGE: Ink = Ink::new(255, 32, 72);

/// The displacements to the eight neighbours.
const AROUND: [IVec2; 8] = [
    IVec2::new(-1, -1),
    IVec2::new(0, -1),
    IVec2::new(1, -1),
    IVec2::new(-1, 0),
    IVec2::new(1, 0),
    IVec2::new(-1, 1),
    IVec2::new(0, 1),
    IVec2::new(1, 1),
];

/// Draws the solid cells and the level's edge.
pub(super) fn draw(canvas: &mut Canvas<'_>, level: &Level) {
    let grid = level.grid();
    for row in 0..grid.height() {
        for column in 0..grid.width() {
            if grid.is_solid(column, row) {
                let cell = UVec2::new(column, row);
                let place = canvas.place(cell_area(level, cell.as_ivec2()));
                place.into_iter().for_each(|area| canvas.fill_striped(area, TINT, STRIPE));
                draw_edges(canvas, level, cell);
            }
        }
    }
    Dir::ALL.into_iter().for_each(|dir| draw_side(canvas, dir, level.outside().get(dir)));
}

/// The pixels of a cell.
pub(super) fn cell_area(level: &Level, cell: IVec2) -> Aabb {
    let size = level.cell_size().as_ivec2();
    let min = cell.saturating_mul(size);
    Aabb::from_xywh(min.x, min.y, size.x, size.y)
}

/// Draws the line on the inner side of a solid cell along its passable neighbours, diagonal ones too, so that
/// lines meet.
fn draw_edges(canvas: &mut Canvas<'_>, level: &Level, cell: UVec2) {
    let width = canvas.line_width();
    for step in AROUND {
        let Some(neighbour) = beside(cell, step) else {
            continue;
        };
        if level.grid().get(neighbour.x, neighbour.y) != Some(false) {
            continue;
        }
        let here = canvas.place(cell_area(level, cell.as_ivec2()));
        let there = canvas.place(cell_area(level, neighbour.as_ivec2()));
        if let (Some(here), Some(there)) = (here, there) {
            let grown = Rectangle::new(
                there.top_left - Point::new(width as i32, width as i32),
                there.size + Size::new_equal(2 * width),
            );
            canvas.fill(grown.intersection(&here), EDGE);
        }
    }
}

fn beside(cell: UVec2, step: IVec2) -> Option<UVec2> {
    Some(UVec2::new(cell.x.checked_add_signed(step.x)?, cell.y.checked_add_signed(step.y)?))
}

/// Draws one side of the level: a line if the outside is solid, dashes if it is open.
fn draw_side(canvas: &mut Canvas<'_>, dir: Dir, outside: Outside) {
    const DASH: u32 = 6;
    const OPEN: [Ink; 2] = [Ink::new(255, 255, 255), Ink::new(40, 90, 40)];
    let (size, width) = (canvas.level_size(), canvas.line_width());
    let length = match dir {
        Dir::Up | Dir::Down => size.x,
        Dir::Left | Dir::Right => size.y,
    };
    for (index, start) in (0..length).step_by(DASH as usize).enumerate() {
        let ink = match outside {
            Outside::Solid => EDGE,
            Outside::Open => OPEN[index % 2],
        };
        let (x, y, w, h) = match dir {
            Dir::Up => (start, 0, DASH, width),
            Dir::Down => (start, size.y.saturating_sub(width), DASH, width),
            Dir::Left => (0, start, width, DASH),
            Dir::Right => (size.x.saturating_sub(width), start, width, DASH),
        };
        canvas.fill(Rectangle::new(Point::new(x as i32, y as i32), Size::new(w, h)), ink);
    }
}
