//! A body and its sweep: the box, the strip of its whole step, its place at the end, and the cell that stops
//! it. A body in a solid or in named areas says so.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::canvas::Canvas;
use super::ink::Ink;
use super::labels::{MAX_NAME, shortened};
use crate::Level;
use crate::geometry::{Aabb, Dir};

const BODY: Ink = Ink::new(24, 120, 255);
/// Of a body that is in a solid.
const CAUGHT: Ink = Ink::new(200, 0, 220);
const STRIP: Ink = Ink::new(60, 190, 255);
const CONTACT: Ink = Ink::new(255, 150, 0);

/// The smallest side of a cell without a frame around it, in pixels of the picture.
const SMALLEST_CONTACT: u32 = 8;

/// The number of areas that are named for a body in them; the others are counted.
const NAMED: usize = 3;

/// The color of a body.
pub(super) fn ink(level: &Level, body: Aabb) -> Ink {
    if level.overlaps(body) { CAUGHT } else { BODY }
}

/// Where a body is, in words; `None` for one in the open.
pub(super) fn place(level: &Level, body: Aabb) -> Option<String> {
    let solid = level.overlaps(body).then(|| "in a solid".to_owned());
    let within = level.areas().filter(|(_, area)| area.overlaps(body));
    let mut areas: Vec<String> = within.map(|(name, _)| shortened(name, MAX_NAME)).collect();
    let more = areas.len().saturating_sub(NAMED);
    areas.truncate(NAMED);
    let more = (more > 0).then(|| format!(" and {more} more"));
    let areas = (!areas.is_empty()).then(|| {
        let names = areas.join(", ");
        format!("in {names}{}", more.unwrap_or_default())
    });
    match (solid, areas) {
        (Some(solid), Some(areas)) => Some(format!("{solid}, {areas}")),
        (solid, areas) => solid.or(areas),
    }
}

/// Draws a body and, if it moves, its sweep.
pub(super) fn draw(canvas: &mut Canvas<'_>, level: &Level, body: Aabb, moves: Option<(Dir, u32)>) {
    if let Some((dir, step)) = moves {
        draw_sweep(canvas, level, body, (dir, step));
    }
    let ink = ink(level, body);
    let seen = canvas.place(body).map(|place| {
        draw_box(canvas, place, ink, ink.with_alpha(190));
        canvas.seen(place)
    });
    let is_seen = |seen: &Rectangle| !seen.intersection(&canvas.frame()).is_zero_sized();
    let (named, beyond) = match seen.filter(is_seen) {
        Some(seen) => (seen, ""),
        None => (nearest_edge(canvas, body), "body beyond the picture, "),
    };
    canvas.labels.keep_off(named);
    match place(level, body) {
        Some(place) => canvas.labels.near(&format!("{beyond}{place}"), named, ink.lighter()),
        None if beyond.is_empty() => {}
        None => canvas.labels.near(beyond.trim_end_matches([',', ' ']), named, ink.lighter()),
    }
}

/// The pixel of the picture that is the nearest to a body outside it.
fn nearest_edge(canvas: &Canvas<'_>, body: Aabb) -> Rectangle {
    let point = canvas.near(canvas.at(body.center().as_dvec2()));
    let last = Point::new(canvas.size().x as i32 - 1, canvas.size().y as i32 - 1);
    let inside = point.component_min(last).component_max(Point::zero());
    Rectangle::new(inside, Size::new_equal(1))
}

fn draw_sweep(canvas: &mut Canvas<'_>, level: &Level, body: Aabb, (dir, step): (Dir, u32)) {
    let sweep = level.sweep(body, dir, step);
    let end = body.shifted(dir, sweep.moved);
    canvas.fill(body.strip(dir, sweep.moved), STRIP.with_alpha(110).0);
    canvas.fill(end.strip(dir, sweep.leftover()), STRIP.with_alpha(44).0);
    if let Some(place) = canvas.place(body.strip(dir, step)) {
        canvas.outline_place(place, STRIP, canvas.line_width());
        canvas.labels.keep_off(canvas.seen(place));
    }
    let stop = canvas.place(end);
    if let Some(place) = stop {
        draw_box(canvas, place, BODY, Ink::WHITE.with_alpha(90));
    }
    let contact = sweep.contact.and_then(|at| canvas.place(level.cell_area(at.cell)));
    if let Some(place) = contact {
        let frame = draw_contact(canvas, place);
        canvas.labels.keep_off(canvas.seen(frame));
    }
    if let Some(place) = stop {
        let text = format!("{} {} of {step}", dir.name(), sweep.moved);
        canvas.labels.near(&text, canvas.seen(place), Ink::WHITE);
    }
}

/// Marks the cell that stops the body, and returns the box that the mark covers. A cell that is too small to
/// be seen gets a frame around it.
fn draw_contact(canvas: &mut Canvas<'_>, cell: Rectangle) -> Rectangle {
    canvas.fill_place(cell, CONTACT.with_alpha(170));
    let small = cell.size.width.min(cell.size.height) < SMALLEST_CONTACT;
    let frame = if small { cell.offset(SMALLEST_CONTACT as i32 / 2) } else { cell };
    canvas.outline_place(frame, CONTACT, if small { 2 } else { canvas.line_width() });
    frame
}

/// Draws a box with a line in two shades around it, which shows on any background.
fn draw_box(canvas: &mut Canvas<'_>, place: Rectangle, ink: Ink, inside: Ink) {
    let width = canvas.line_width();
    canvas.fill_place(place, inside);
    canvas.outline_place(place, Ink::WHITE, 2 * width);
    canvas.outline_place(place, ink, width);
}
