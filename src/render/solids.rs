//! The solid cells as a tint with an edge, those of areas that stop some bodies in another colour, and the
//! edge of the level. No passable cell is painted.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::{IVec2, UVec2};

use super::canvas::{Canvas, Ink};
use crate::Level;
use crate::geometry::{Aabb, Dir, Outside};
use crate::sweep::Terrain;

/// It has stripes, because a tint alone is not visible on red art.
const TINT: Ink = Ink::new(235, 20, 60).with_alpha(72);
const STRIPE: Ink = Ink::new(255, 32, 72).with_alpha(140);
const EDGE: Ink = Ink::new(255, 32, 72);

/// Of areas that are solid for some bodies only.
const AREA_TINT: Ink = Ink::new(20, 90, 235).with_alpha(72);
const AREA_STRIPE: Ink = Ink::new(32, 110, 255).with_alpha(140);
const AREA_EDGE: Ink = Ink::new(32, 110, 255);

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

/// Draws the solid cells, those of the areas that stop some bodies, and the level's edge.
pub(super) fn draw(canvas: &mut Canvas<'_>, level: &Level) {
    for area in level.solid_areas() {
        draw_cells(canvas, area, [AREA_TINT, AREA_STRIPE, AREA_EDGE]);
    }
    draw_cells(canvas, level.terrain(), [TINT, STRIPE, EDGE]);
    Dir::ALL.into_iter().for_each(|dir| draw_side(canvas, dir, level.outside().get(dir)));
}

/// Draws the solid cells of a terrain, in its tint, stripes and edge.
fn draw_cells(canvas: &mut Canvas<'_>, terrain: &Terrain, [tint, stripe, edge]: [Ink; 3]) {
    let grid = terrain.grid();
    for row in 0..grid.height() {
        for column in 0..grid.width() {
            if grid.is_solid(column, row) {
                let cell = UVec2::new(column, row);
                let place = canvas.place(cell_area(terrain, cell.as_ivec2()));
                place.into_iter().for_each(|area| canvas.fill_striped(area, tint, stripe));
                draw_edges(canvas, terrain, cell, edge);
            }
        }
    }
}

/// The pixels of a cell.
pub(super) fn cell_area(terrain: &Terrain, cell: IVec2) -> Aabb {
    let size = terrain.cell_size().as_ivec2();
    let min = cell.saturating_mul(size);
    Aabb::from_xywh(min.x, min.y, size.x, size.y)
}

/// Draws the line on the inner side of a solid cell along its passable neighbours, diagonal ones too, so that
/// lines meet.
fn draw_edges(canvas: &mut Canvas<'_>, terrain: &Terrain, cell: UVec2, ink: Ink) {
    let width = canvas.line_width();
    for step in AROUND {
        let Some(neighbour) = beside(cell, step) else {
            continue;
        };
        if terrain.grid().get(neighbour.x, neighbour.y) != Some(false) {
            continue;
        }
        let here = canvas.place(cell_area(terrain, cell.as_ivec2()));
        let there = canvas.place(cell_area(terrain, neighbour.as_ivec2()));
        if let (Some(here), Some(there)) = (here, there) {
            let grown = Rectangle::new(
                there.top_left - Point::new(width as i32, width as i32),
                there.size + Size::new_equal(2 * width),
            );
            canvas.fill(grown.intersection(&here), ink);
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
