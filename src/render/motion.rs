//! A body and its sweep: the box, the strip of its whole step, its place at the end, and the cell that stops
//! it.

use embedded_graphics::primitives::Rectangle;

use super::canvas::{Canvas, Ink};
use super::labels::Labels;
use super::solids::cell_area;
use crate::Level;
use crate::geometry::{Aabb, Dir};

const BODY: Ink = Ink::new(24, 120, 255);
const STRIP: Ink = Ink::new(60, 190, 255);
const CONTACT: Ink = Ink::new(255, 150, 0);
const WHITE: Ink = Ink::new(255, 255, 255);

/// The smallest side of a cell without a frame around it, in pixels of the picture.
const SMALLEST_CONTACT: u32 = 8;

/// Draws a body and, if it moves, its sweep.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    labels: &mut Labels,
    level: &Level,
    body: Aabb,
    moves: Option<(Dir, u32)>,
) {
    if let Some((dir, step)) = moves {
        draw_sweep(canvas, labels, level, body, (dir, step));
    }
    if let Some(place) = canvas.place(body) {
        draw_box(canvas, place, BODY.with_alpha(190));
        labels.keep_off(canvas.seen(place));
    }
}

fn draw_sweep(
    canvas: &mut Canvas<'_>,
    labels: &mut Labels,
    level: &Level,
    body: Aabb,
    (dir, step): (Dir, u32),
) {
    let sweep = level.sweep(body, dir, step);
    let end = body.shifted(dir, sweep.moved);
    fill(canvas, body.strip(dir, sweep.moved), STRIP.with_alpha(110));
    fill(canvas, end.strip(dir, sweep.leftover()), STRIP.with_alpha(44));
    if let Some(place) = canvas.place(body.strip(dir, step)) {
        canvas.outline(place, STRIP, canvas.line_width());
        labels.keep_off(canvas.seen(place));
    }
    let stop = canvas.place(end);
    if let Some(place) = stop {
        draw_box(canvas, place, WHITE.with_alpha(90));
    }
    let contact = sweep.contact.and_then(|at| canvas.place(cell_area(level, at.cell)));
    if let Some(place) = contact {
        let frame = draw_contact(canvas, place);
        labels.keep_off(canvas.seen(frame));
    }
    if let Some(place) = stop {
        let text = format!("{} {} of {step}", dir.name(), sweep.moved);
        labels.write(canvas, &text, canvas.seen(place), WHITE);
    }
}

/// Marks the cell that stops the body, and returns the box that the mark covers. A cell that is too small to
/// be seen gets a frame around it.
fn draw_contact(canvas: &mut Canvas<'_>, cell: Rectangle) -> Rectangle {
    canvas.fill(cell, CONTACT.with_alpha(170));
    let small = cell.size.width.min(cell.size.height) < SMALLEST_CONTACT;
    let frame = if small { cell.offset(SMALLEST_CONTACT as i32 / 2) } else { cell };
    canvas.outline(frame, CONTACT, if small { 2 } else { canvas.line_width() });
    frame
}

/// Draws a box with a line in two shades around it, which shows on any background.
fn draw_box(canvas: &mut Canvas<'_>, place: Rectangle, inside: Ink) {
    let width = canvas.line_width();
    canvas.fill(place, inside);
    canvas.outline(place, WHITE, 2 * width);
    canvas.outline(place, BODY, width);
}

fn fill(canvas: &mut Canvas<'_>, area: Aabb, ink: Ink) {
    if let Some(place) = canvas.place(area) {
        canvas.fill(place, ink);
    }
}
