//! Rooms that are drawn as text, the figures in them, and the file for the film of an example.

use std::env;
use std::error::Error;
use std::path::PathBuf;

use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::{Aabb, Grid};

use super::flip_book::{FlipBook, Page};

/// The side of a cell of a room, in pixels.
pub(crate) const CELL: u32 = 16;

/// Returns a grid in which the cells of a room with the character `sign` are solid.
pub(crate) fn grid(room: &str, sign: char) -> Result<Grid, GridError> {
    let cell = |c| match c {
        '\n' => c,
        _ if c == sign => '#',
        _ => '.',
    };
    Grid::from_text(&room.chars().map(cell).collect::<String>())
}

/// Colours the cells of a room with the character `sign`.
pub(crate) fn paint(page: &mut Page, room: &str, sign: char, color: u8) {
    let side = CELL as i32;
    for (row, line) in (0..).zip(room.lines()) {
        for (column, _) in (0..).zip(line.chars()).filter(|(_, known)| *known == sign) {
            page.fill(Aabb::from_xywh(column * side, row * side, side, side), color);
        }
    }
}

/// Draws a body with round corners and two eyes.
pub(crate) fn figure(page: &mut Page, area: Aabb, color: u8, eyes: u8) {
    let Aabb { min, max } = area;
    page.paint(area, color, |at| {
        let is_side = at.x == min.x || at.x == max.x - 1;
        !(is_side && (at.y == min.y || at.y == max.y - 1))
    });
    for x in [area.center().x - 3, area.center().x + 1] {
        page.fill(Aabb::from_xywh(x, min.y + 3, 2, 3), eyes);
    }
}

/// Creates a film in the file that the command line names, or in `<name>.gif` in the folder for temporary
/// files.
pub(crate) fn film(
    name: &str,
    size: UVec2,
    palette: &[[u8; 3]],
) -> Result<(FlipBook, PathBuf), Box<dyn Error>> {
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join(format!("{name}.gif")));
    Ok((FlipBook::create(&path, size, palette)?, path))
}

/// Creates a page with the walls of a room, given as a character and a colour, and a line of text below them.
pub(crate) fn page(
    room: &str,
    (wall, rock): (char, u8),
    paper: u8,
    (line, ink): (&str, u8),
) -> Page {
    let width = room.lines().map(str::len).max().unwrap_or(0) as u32 * CELL;
    let height = room.lines().count() as u32 * CELL;
    let mut page = Page::new(UVec2::new(width, height + CELL), paper);
    paint(&mut page, room, wall, rock);
    page.fill(Aabb::from_xywh(0, height as i32, width as i32, CELL as i32), rock);
    page.write(IVec2::new(4, height as i32 + 3), line, ink);
    page
}
