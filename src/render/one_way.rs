//! One-way cells: a line in two tones along each guarded edge, with teeth behind it. The plain side of a line
//! is the one from which it blocks, as the plain side of hatched ground is the one to stand on.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::{DVec2, UVec2};

use super::canvas::Canvas;
use super::ink::Ink;
use crate::geometry::Dir;
use crate::grid::Grid;
use crate::sweep::Terrain;

/// The bright tone.
pub(super) const LINE: Ink = Ink::new(150, 255, 70);
const BACK: Ink = Ink::new(6, 40, 24);

/// Cells that are narrower in the picture show a line only where the cell beside them has none.
const NARROW: u32 = 4;

/// The three layers of a line, the lowest first, so that those of neighbouring cells join.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tone {
    Back,
    Teeth,
    Front,
}

/// Draws the guarded edges of all one-way cells.
pub(super) fn draw(canvas: &mut Canvas<'_>, terrain: &Terrain) {
    let guarded = Dir::ALL.into_iter().filter_map(|side| Some((side, terrain.one_way(side)?)));
    let guarded: Vec<(Dir, &Grid)> = guarded.filter(|(_, grid)| grid.solid_count() > 0).collect();
    for tone in [Tone::Back, Tone::Teeth, Tone::Front] {
        for (side, grid) in &guarded {
            draw_side(canvas, terrain, (*side, grid), tone);
        }
    }
}

fn draw_side(canvas: &mut Canvas<'_>, terrain: &Terrain, (side, grid): (Dir, &Grid), tone: Tone) {
    let reach = 12 * canvas.line_width();
    let (columns, rows) = canvas.cells_seen(terrain, reach);
    let narrow = terrain.cell_size() * canvas.scale.max(1);
    let is_narrow = narrow.x.min(narrow.y) < NARROW;
    let towards = side.vector();
    for row in rows {
        for first in columns.clone().step_by(64) {
            let mut word = grid.row_word(first.into(), row);
            while word != 0 {
                let cell = UVec2::new(first + word.trailing_zeros(), row);
                word &= word - 1;
                if cell.x >= columns.end {
                    break;
                }
                let beside = cell.as_i64vec2() + towards.as_i64vec2();
                let beside = (u32::try_from(beside.x).ok()).zip(u32::try_from(beside.y).ok());
                if is_narrow && beside.is_some_and(|(x, y)| grid.is_solid(x, y)) {
                    continue;
                }
                match canvas.is_slanted() {
                    true => draw_slanted(canvas, terrain, cell, side, tone),
                    false => draw_upright(canvas, terrain, cell, side, tone),
                }
            }
        }
    }
}

/// Draws the edge of a cell that is a box of the picture, in whole pixels.
fn draw_upright(canvas: &mut Canvas<'_>, terrain: &Terrain, cell: UVec2, side: Dir, tone: Tone) {
    let Some(place) = canvas.place(terrain.cell_area(cell.as_ivec2())) else {
        return;
    };
    let width = canvas.line_width() as i32;
    let (first, end) = (place.top_left, place.top_left + place.size);
    let is_flat = matches!(side, Dir::Up | Dir::Down);
    let (from, to, depth) = match is_flat {
        true => (first.x, end.x, place.size.height as i32),
        false => (first.y, end.y, place.size.width as i32),
    };
    // A box by its pixels along the edge, and by their distance behind it.
    let at = |along: [i32; 2], behind: [i32; 2]| {
        let (near, far) = (behind[0], behind[1]);
        let (across, length) = match side {
            Dir::Up => (first.y + near, far - near),
            Dir::Left => (first.x + near, far - near),
            Dir::Down => (end.y - far, far - near),
            Dir::Right => (end.x - far, far - near),
        };
        let (count, length) = ((along[1] - along[0]) as u32, length as u32);
        match is_flat {
            true => Rectangle::new(Point::new(along[0], across), Size::new(count, length)),
            false => Rectangle::new(Point::new(across, along[0]), Size::new(length, count)),
        }
    };
    let front = (width + 1).min(depth.max(1));
    match tone {
        Tone::Front => canvas.fill_seen(at([from, to], [0, front]), LINE),
        Tone::Back => canvas.fill_seen(at([from, to], [front, front + width]), BACK),
        Tone::Teeth => {}
    }
    if tone == Tone::Front {
        return;
    }
    let period = i64::from(7 + width);
    let whole = canvas.frame_corner();
    let phase = if is_flat { whole.x } else { whole.y } + i64::from(from);
    let skipped = (-phase).rem_euclid(period);
    for start in (skipped..i64::from(to - from)).step_by(period as usize) {
        let start = from + start as i32;
        for step in 0..4 * width {
            let behind = [front + step, front + step + 1];
            let along = start + 3 * width - step;
            let (along, ink) = match tone {
                Tone::Back => ([along - width, along + 2 * width], BACK),
                _ => ([along, along + width], LINE),
            };
            canvas.fill_seen(at(along, behind), ink);
        }
    }
}

/// Draws the edge of a cell that the screen shows slanted.
fn draw_slanted(canvas: &mut Canvas<'_>, terrain: &Terrain, cell: UVec2, side: Dir, tone: Tone) {
    let size = terrain.cell_size().as_dvec2();
    let middle = (cell.as_dvec2() + 0.5) * size;
    let out = side.vector().as_dvec2();
    let edge = middle + out * size / 2.0;
    let half = out.perp() * size / 2.0;
    let (from, to) = (canvas.at(edge - half), canvas.at(edge + half));
    let inward = canvas.at(middle) - canvas.at(edge);
    let along = (to - from).try_normalize().unwrap_or(DVec2::X);
    let across = along.perp();
    let across = if across.dot(inward) < 0.0 { -across } else { across };
    let width = f64::from(canvas.line_width());
    let front = width + 1.0;
    let moved = |point: DVec2, behind: f64| point + across * behind;
    match tone {
        Tone::Front => {
            let ends = [from, to].map(|end| moved(end, front / 2.0));
            canvas.stroke(&ends, LINE, front);
        }
        Tone::Back => {
            let behind = front + width / 2.0;
            canvas.stroke(&[from, to].map(|end| moved(end, behind)), BACK, width);
        }
        Tone::Teeth => {}
    }
    if tone != Tone::Front {
        let count = ((to - from).length() / 10.0).floor().max(1.0);
        for tooth in 0..count as u32 {
            let root = from.lerp(to, (f64::from(tooth) + 0.5) / count);
            let tip = moved(root, front + 4.0 * width) - along * 3.0 * width;
            let ends = [moved(root, front), tip];
            let (width, ink) = match tone {
                Tone::Back => (width + 2.0, BACK),
                _ => (width, LINE),
            };
            canvas.stroke(&ends, ink, width);
        }
    }
}
