//! The solid cells, the named areas, and the edge of the level.

use glam::I64Vec2;

use super::area_names;
use super::canvas::Canvas;
use super::ink::Ink;
use super::labels::{MAX_NAME, shortened};
use super::pattern::Pattern;
use crate::Level;
use crate::geometry::{Dir, Outside};

/// Paints the solid cells, and draws the level's edge. No passable cell is painted.
pub(super) fn draw(canvas: &mut Canvas<'_>, level: &Level) {
    canvas.paint_cells(level.terrain(), &Pattern::SOLID);
    Dir::ALL.into_iter().for_each(|dir| draw_side(canvas, dir, level.outside().get(dir)));
}

/// Paints the named areas, each in a colour and with a hatching of its own, so that two of them on one cell
/// are both visible.
pub(super) fn draw_areas(canvas: &mut Canvas<'_>, level: &Level) {
    for (index, (_, area)) in level.areas().enumerate() {
        canvas.paint_cells(area, &Pattern::area(index));
    }
}

/// Writes the name of each area, once, at its largest part.
pub(super) fn name_areas(canvas: &mut Canvas<'_>, level: &Level) {
    for (index, (name, area)) in level.areas().enumerate() {
        if let Some(place) = area_names::place(canvas, area) {
            canvas.labels.on(&shortened(name, MAX_NAME), place, Pattern::area(index).ink.lighter());
        }
    }
}

/// Draws one side of the level: a line if the outside is solid, dashes if it is open.
fn draw_side(canvas: &mut Canvas<'_>, dir: Dir, outside: Outside) {
    const OPEN: [Ink; 2] = [Ink::WHITE, Ink::new(40, 90, 40)];
    let (size, seen) = (canvas.level_size(), canvas.level_seen());
    let width = i64::from(canvas.line_width());
    let dash = 6 * i64::from(canvas.unit);
    let (from, to) = match dir {
        Dir::Up | Dir::Down => (seen.min.x, seen.max.x),
        Dir::Left | Dir::Right => (seen.min.y, seen.max.y),
    };
    for index in from / dash..(to + dash - 1) / dash {
        let ink = match outside {
            Outside::Solid => Pattern::SOLID.ink,
            Outside::Open => OPEN[index as usize % 2],
        };
        let start = index * dash;
        let (min, size) = match dir {
            Dir::Up => (I64Vec2::new(start, 0), I64Vec2::new(dash, width)),
            Dir::Down => (I64Vec2::new(start, size.y - width), I64Vec2::new(dash, width)),
            Dir::Left => (I64Vec2::new(0, start), I64Vec2::new(width, dash)),
            Dir::Right => (I64Vec2::new(size.x - width, start), I64Vec2::new(width, dash)),
        };
        if let Some(place) = canvas.place_scaled(min.max(I64Vec2::ZERO), min + size) {
            canvas.fill_place(place, ink);
        }
    }
}
