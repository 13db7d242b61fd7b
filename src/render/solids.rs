//! The solid cells as a tint with an edge, those of areas that stop some bodies in another colour, and the
//! edge of the level. No passable cell is painted.

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::{I64Vec2, IVec2, UVec2};

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
    let (columns, rows) = cells_seen(canvas, terrain);
    for row in rows {
        for column in columns.clone() {
            if grid.is_solid(column, row) {
                let cell = UVec2::new(column, row);
                let place = canvas.place(cell_area(terrain, cell.as_ivec2()));
                place.into_iter().for_each(|area| canvas.fill_striped(area, tint, stripe));
                draw_edges(canvas, terrain, cell, edge);
            }
        }
    }
}

/// The columns and rows of the cells that may be seen in the window.
fn cells_seen(canvas: &Canvas<'_>, terrain: &Terrain) -> (Range<u32>, Range<u32>) {
    let seen = canvas.level_seen();
    let cell = terrain.cell_size().as_i64vec2() * i64::from(canvas.scale);
    let count = UVec2::new(terrain.grid().width(), terrain.grid().height()).as_i64vec2();
    let first = (seen.min / cell).clamp(I64Vec2::ZERO, count).as_uvec2();
    let end = ((seen.max + cell - 1) / cell).clamp(I64Vec2::ZERO, count).as_uvec2();
    (first.x..end.x, first.y..end.y)
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
    const DASH: i64 = 6;
    const OPEN: [Ink; 2] = [Ink::new(255, 255, 255), Ink::new(40, 90, 40)];
    let (size, seen) = (canvas.level_size(), canvas.level_seen());
    let width = i64::from(canvas.line_width());
    let (from, to) = match dir {
        Dir::Up | Dir::Down => (seen.min.x, seen.max.x),
        Dir::Left | Dir::Right => (seen.min.y, seen.max.y),
    };
    for index in from / DASH..(to + DASH - 1) / DASH {
        let ink = match outside {
            Outside::Solid => EDGE,
            Outside::Open => OPEN[index as usize % 2],
        };
        let start = index * DASH;
        let (min, size) = match dir {
            Dir::Up => (I64Vec2::new(start, 0), I64Vec2::new(DASH, width)),
            Dir::Down => (I64Vec2::new(start, size.y - width), I64Vec2::new(DASH, width)),
            Dir::Left => (I64Vec2::new(0, start), I64Vec2::new(width, DASH)),
            Dir::Right => (I64Vec2::new(size.x - width, start), I64Vec2::new(width, DASH)),
        };
        if let Some(place) = canvas.place_scaled(min.max(I64Vec2::ZERO), min + size) {
            canvas.fill(place, ink);
        }
    }
}
