//! The marks on top of a level's art, such as solids, markers and a body's sweep, and the legend that names
//! them.

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::{DVec2, I64Vec2, IVec2, UVec2};

use super::canvas::cells::Pattern;
use super::canvas::labels::{MAX_NAME, Wish, shortened};
use super::canvas::sheet::{Legend, Swatch, round_step};
use super::canvas::{Canvas, Screen, labels};
use super::picture::Ink;
use super::{Overlay, Pictures, picture};
use crate::Level;
use crate::geometry::decimal::direction;
use crate::geometry::{Aabb, Dir, Outside};
use crate::grid::Grid;
use crate::level::Marker;
use crate::terrain::Terrain;
use crate::text::px;
use crate::tmx::{Lattice, LayerContent, Object, PlacedMap, Shape, Space};

pub(super) fn draw_solids(canvas: &mut Canvas<'_>, level: &Level) {
    canvas.paint_cells(level.terrain(), &Pattern::SOLID);
    Dir::ALL.into_iter().for_each(|dir| draw_level_side(canvas, dir, level.outside().get(dir)));
}

/// Paints the named areas, each in its own colour and hatching, so that two areas in one cell are visible.
pub(super) fn draw_areas(canvas: &mut Canvas<'_>, level: &Level) {
    for (index, area) in level.areas().iter().enumerate() {
        canvas.paint_cells(&area.terrain, &Pattern::area(index));
    }
}

pub(super) fn name_areas(canvas: &mut Canvas<'_>, level: &Level) {
    for (index, area) in level.areas().iter().enumerate() {
        if let Some(place) = labels::area_name_place(canvas, &area.terrain) {
            let ink = Pattern::area(index).ink.lighter();
            canvas.labels.add(&shortened(&area.name, MAX_NAME), place, ink, Wish::On);
        }
    }
}

/// Draws one side of the level: a line if the outside is solid, dashes if the outside is open.
fn draw_level_side(canvas: &mut Canvas<'_>, dir: Dir, outside: Outside) {
    const OPEN: [Ink; 2] = [Ink::WHITE, Ink::new(40, 90, 40)];
    let (size, seen) = (canvas.level, canvas.level_seen());
    let width = i64::from(canvas.line_width());
    let dash = 6 * i64::from(canvas.unit);
    let is_flat = matches!(dir, Dir::Up | Dir::Down);
    let (from, to) = if is_flat { (seen.min.x, seen.max.x) } else { (seen.min.y, seen.max.y) };
    // The top-left corner of a line of `width` pixels along the bottom or the right side of the level.
    let far = if matches!(dir, Dir::Down | Dir::Right) { size - width } else { I64Vec2::ZERO };
    for index in from / dash..(to + dash - 1) / dash {
        let ink = match outside {
            Outside::Solid => Pattern::SOLID.ink,
            Outside::Open => OPEN[index as usize % 2],
        };
        let (min, size) = match is_flat {
            true => (I64Vec2::new(index * dash, far.y), I64Vec2::new(dash, width)),
            false => (I64Vec2::new(far.x, index * dash), I64Vec2::new(width, dash)),
        };
        if let Some(place) = canvas.place_scaled(min.max(I64Vec2::ZERO), min + size) {
            canvas.fill_place(place, ink);
        }
    }
}

/// The light green of a line along a one-way edge, and of its teeth. Teeth are short slanted strokes that
/// point into the cell.
pub(super) const ONE_WAY: Ink = Ink::new(150, 255, 70);
/// The dark green that frames the line along a one-way edge and its teeth.
const ONE_WAY_BACK: Ink = Ink::new(6, 40, 24);

/// The side in pixels of the picture below which a cell is narrow. The one-way edges of narrow cells would
/// merge. So an edge is not drawn if the next cell beyond it guards the same side.
const NARROW: u32 = 4;

/// The three parts of a drawn one-way edge. Each part is drawn for all cells before the next part, the dark
/// back first, so that the edges of adjacent cells join.
#[derive(Clone, Copy)]
enum Tone {
    Back,
    Teeth,
    Front,
}

pub(super) fn draw_one_way(canvas: &mut Canvas<'_>, terrain: &Terrain) {
    let guarded = Dir::ALL.into_iter().filter_map(|side| Some((side, terrain.one_way(side)?)));
    let guarded: Vec<(Dir, &Grid)> = guarded.filter(|(_, grid)| grid.solid_count() > 0).collect();
    let (columns, rows) = canvas.cells_seen(terrain, 12 * canvas.line_width());
    let is_narrow = (terrain.cell_size() * canvas.scale).min_element() < NARROW;
    for tone in [Tone::Back, Tone::Teeth, Tone::Front] {
        for (side, grid) in &guarded {
            for row in rows.clone() {
                for first in columns.clone().step_by(64) {
                    let mut word = grid.row_word(first.into(), row);
                    while word != 0 {
                        let cell = UVec2::new(first + word.trailing_zeros(), row);
                        word &= word - 1;
                        if cell.x >= columns.end {
                            break;
                        }
                        let beside = (cell.as_ivec2() + side.vector()).as_uvec2();
                        if is_narrow && grid.is_solid(beside.x, beside.y) {
                            continue;
                        }
                        match canvas.is_slanted() {
                            true => draw_slanted(canvas, terrain, cell, *side, tone),
                            false => draw_upright(canvas, terrain, cell, *side, tone),
                        }
                    }
                }
            }
        }
    }
}

/// Draws one part of a cell's one-way edge in whole pixels. The level must not be slanted.
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
    // A box from two ranges of pixels: along the edge of the cell, and from the edge into the cell.
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
        Tone::Front => return canvas.fill_seen(at([from, to], [0, front]), ONE_WAY),
        Tone::Back => canvas.fill_seen(at([from, to], [front, front + width]), ONE_WAY_BACK),
        Tone::Teeth => {}
    }
    let period = i64::from(7 + width);
    let whole = canvas.frame.min;
    let phase = if is_flat { whole.x } else { whole.y } + i64::from(from);
    let skipped = (-phase).rem_euclid(period);
    for start in (skipped..i64::from(to - from)).step_by(period as usize) {
        let start = from + start as i32;
        for step in 0..4 * width {
            let behind = [front + step, front + step + 1];
            let along = start + 3 * width - step;
            let (along, ink) = match tone {
                Tone::Back => ([along - width, along + 2 * width], ONE_WAY_BACK),
                _ => ([along, along + width], ONE_WAY),
            };
            canvas.fill_seen(at(along, behind), ink);
        }
    }
}

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
            return canvas.stroke(&ends, ONE_WAY, front);
        }
        Tone::Back => {
            let behind = front + width / 2.0;
            canvas.stroke(&[from, to].map(|end| moved(end, behind)), ONE_WAY_BACK, width);
        }
        Tone::Teeth => {}
    }
    let (width_of_teeth, ink) = match tone {
        Tone::Back => (width + 2.0, ONE_WAY_BACK),
        _ => (width, ONE_WAY),
    };
    let count = ((to - from).length() / 10.0).floor().max(1.0);
    for tooth in 0..count as u32 {
        let root = from.lerp(to, (f64::from(tooth) + 0.5) / count);
        let tip = moved(root, front + 4.0 * width) - along * 3.0 * width;
        canvas.stroke(&[moved(root, front), tip], ink, width_of_teeth);
    }
}

/// The smallest distance between grid lines, in pixels of the picture. If cells are smaller, only every 2nd,
/// 5th or 10th line and so on is drawn.
const CLOSEST: i64 = 6;

/// The smallest distance between grid lines on a mask, in pixels of the picture.
const ROUND: i64 = 32;

const ALPHA: u8 = 90;

/// Draws the grid of the maps' cells, or of the level's cells if there are no maps. A mask gets lines at
/// round distances. Each pixel of the grid is drawn once, in black or white, whichever is more visible.
pub(super) fn draw_mesh(canvas: &mut Canvas<'_>, level: &Level, maps: &[PlacedMap]) {
    let size = canvas.frame.pixels().as_u64vec2();
    let mut mesh = Mesh(vec![0; size.element_product().div_ceil(64) as usize]);
    let scale = i64::from(canvas.scale);
    let cell = level.cell_size().as_i64vec2();
    if maps.is_empty() {
        let least = ROUND * i64::from(canvas.unit);
        let step = match cell == I64Vec2::ONE {
            true => I64Vec2::splat(round_step((least + scale - 1) / scale)),
            false => cell,
        };
        mesh.add_lines(canvas, DVec2::ZERO, level.size().as_dvec2(), step);
    }
    maps.iter().for_each(|map| mesh.add_map(canvas, map));
    canvas.repaint(&mesh.0, [Ink::new(0, 0, 0), Ink::WHITE].map(|ink| ink.with_alpha(ALPHA)));
}

/// The pixels of all grid lines, as bits, row by row.
struct Mesh(Vec<u64>);

impl Mesh {
    fn add_map(&mut self, canvas: &Canvas<'_>, map: &PlacedMap) {
        let space = if map.on_screen.is_some() { Space::Screen } else { Space::Map };
        let lattice = Lattice::for_map(&map.map, space);
        if lattice.is_rectangular() {
            let (min, max) = (map.area.min.as_dvec2(), map.area.max.as_dvec2());
            self.add_lines(canvas, min, max - min, lattice.cell_size().as_i64vec2());
        } else if i64::from(lattice.cell_size().min_element()) * i64::from(canvas.scale)
            >= CLOSEST * i64::from(canvas.unit)
        {
            self.add_outlines(canvas, map, &lattice);
        }
    }

    /// Adds the lines of a grid over the box of `size` at `corner`, in pixels of the level. Lines are `step`
    /// pixels apart, or 2, 5, 10 and so on times `step` if they would be too close in the picture.
    fn add_lines(&mut self, canvas: &Canvas<'_>, corner: DVec2, size: DVec2, step: I64Vec2) {
        let (scale, least) = (i64::from(canvas.scale), CLOSEST * i64::from(canvas.unit));
        let wide = |step: i64| step * round_step((least + step * scale - 1) / (step * scale));
        let (across, down) = (wide(step.x), wide(step.y));
        let seen = canvas.level_seen();
        let (first, last) = (seen.min.as_dvec2(), seen.max.as_dvec2());
        // The indices of the grid lines along an axis that may be visible in the drawn region.
        let numbers = |axis: usize, step: i64| -> Range<i64> {
            let count = (size[axis] / step as f64) as i64;
            let place = |at: f64| ((at / scale as f64 - corner[axis]) / step as f64) as i64;
            place(first[axis]).clamp(0, count)..(place(last[axis]) + 1).clamp(0, count) + 1
        };
        for number in numbers(0, across) {
            let from = corner + DVec2::new((number * across) as f64, 0.0);
            self.add(canvas, &[from, from + DVec2::new(0.0, size.y)]);
        }
        for number in numbers(1, down) {
            let from = corner + DVec2::new(0.0, (number * down) as f64);
            self.add(canvas, &[from, from + DVec2::new(size.x, 0.0)]);
        }
    }

    fn add_outlines(&mut self, canvas: &Canvas<'_>, map: &PlacedMap, lattice: &Lattice) {
        let outline: Vec<DVec2> =
            lattice.cell_outline().into_iter().map(|point| point.as_dvec2()).collect();
        let low = outline.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = outline.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let seen = canvas.level_seen();
        let scale = f64::from(canvas.scale);
        let (first, last) = (seen.min.as_dvec2() / scale, seen.max.as_dvec2() / scale);
        let cells = map.cells.as_ivec2();
        for row in 0..cells.y {
            for column in 0..cells.x {
                let cell = map.first_cell.saturating_add(IVec2::new(column, row));
                let corner = lattice.cell_bottom_left(cell).as_dvec2() + map.place.as_dvec2();
                if (corner + low).cmpgt(last).any() || (corner + high).cmplt(first).any() {
                    continue;
                }
                let mut points: Vec<DVec2> = outline.iter().map(|point| corner + *point).collect();
                points.extend(points.first().copied());
                self.add(canvas, &points);
            }
        }
    }

    /// Adds a line through points of the level. The line is on the pixel right of and below each point. At
    /// the right and bottom side of the level, it is on the last pixel instead.
    fn add(&mut self, canvas: &Canvas<'_>, points: &[DVec2]) {
        let window = canvas.frame;
        let (width, last) = (window.pixels().x as usize, canvas.level.as_dvec2() - 0.5);
        let place = |point: &DVec2| {
            let at = canvas.at(*point).round() + 0.5;
            if canvas.is_slanted() { at } else { at.min(last) }
        };
        let points: Vec<DVec2> = points.iter().map(place).collect();
        picture::line_runs(&points, canvas.unit.into(), window, &mut |y, from, to| {
            let row = (y - window.min.y) as usize * width;
            for x in from..to {
                let at = row + (x - window.min.x) as usize;
                self.0[at / 64] |= 1 << (at % 64);
            }
            true
        });
    }
}

const MARKER: Ink = Ink::new(255, 214, 64);

/// The distance from the middle of a marker's diamond to its tips, in pixels of the picture.
const MARKER_REACH: i32 = 5;

/// Draws the markers with their names: points as diamonds, rectangles as outlines. Rectangles are not filled,
/// because a hostile file could have many large rectangles.
pub(super) fn draw_markers(canvas: &mut Canvas<'_>, markers: &[Marker]) {
    for marker in markers {
        let mut area = marker.area;
        if marker.is_point {
            area.max = area.min.saturating_add(IVec2::ONE);
        }
        let Some(place) = canvas.place(area) else {
            continue;
        };
        let seen = if marker.is_point {
            let diamond = draw_diamond(canvas, canvas.seen(place).center());
            canvas.labels.keep_off(diamond);
            diamond
        } else {
            canvas.outline(area, MARKER.0);
            canvas.seen(place)
        };
        let name = if marker.name.is_empty() { &marker.class } else { &marker.name };
        if !name.is_empty() {
            canvas.labels.near(&shortened(name, MAX_NAME), seen, MARKER);
        }
    }
}

/// Draws a diamond around `centre`, and returns its bounding box.
fn draw_diamond(canvas: &mut Canvas<'_>, centre: Point) -> Rectangle {
    let unit = canvas.unit as i32;
    for (reach, ink) in [(MARKER_REACH * unit, Ink::DARK), ((MARKER_REACH - 2) * unit, MARKER)] {
        for y in -reach..=reach {
            let half = reach - y.abs();
            let left = centre + Point::new(-half, y);
            let row = Rectangle::new(left, Size::new(2 * half as u32 + 1, 1));
            canvas.fill_seen(row, ink);
        }
    }
    let reach = MARKER_REACH * unit;
    Rectangle::new(centre - Point::new(reach, reach), Size::new_equal(2 * reach as u32 + 1))
}

const BODY: Ink = Ink::new(24, 120, 255);
const CAUGHT: Ink = Ink::new(200, 0, 220);
const STRIP: Ink = Ink::new(60, 190, 255);
const CONTACT: Ink = Ink::new(255, 150, 0);

/// The side below which the cell that stops a body is small in the picture, in pixels. A small cell gets a
/// larger frame at a distance, so that the cell is visible.
const SMALLEST_CONTACT: u32 = 8;

/// The largest number of areas that the note beside a drawn body names. The note counts any further areas.
const NAMED: usize = 3;

fn body_ink(level: &Level, body: Aabb) -> Ink {
    if level.overlaps(body) { CAUGHT } else { BODY }
}

/// Returns a text with the names of the areas that contain the body, and whether the body is in a solid.
/// `None` if neither is the case.
fn body_place(level: &Level, body: Aabb) -> Option<String> {
    let mut places = Vec::new();
    if level.overlaps(body) {
        places.push("in a solid".to_owned());
    }
    let within = level.areas().iter().filter(|area| area.terrain.overlaps(body));
    let areas: Vec<String> = within.map(|area| shortened(&area.name, MAX_NAME)).collect();
    if !areas.is_empty() {
        let more = match areas.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        places.push(format!("in {}{more}", areas[..areas.len().min(NAMED)].join(", ")));
    }
    (!places.is_empty()).then(|| places.join(", "))
}

pub(super) fn draw_body(
    canvas: &mut Canvas<'_>,
    level: &Level,
    body: Aabb,
    moves: Option<(Dir, u32)>,
) {
    if let Some((dir, step)) = moves {
        draw_sweep(canvas, level, body, (dir, step));
    }
    let ink = body_ink(level, body);
    let seen = canvas.place(body).map(|place| {
        draw_box(canvas, place, ink, ink.with_alpha(190));
        canvas.seen(place)
    });
    let is_seen = |seen: &Rectangle| !seen.intersection(&canvas.bounds()).is_zero_sized();
    let (named, beyond) = match seen.filter(is_seen) {
        Some(seen) => (seen, None),
        None => {
            // The body is outside the picture. Its note is at the nearest pixel of the picture.
            let point = canvas.near(canvas.at(body.center().as_dvec2()));
            let last = Point::new(canvas.size().x as i32 - 1, canvas.size().y as i32 - 1);
            let inside = point.component_min(last).component_max(Point::zero());
            let pixel = Rectangle::new(inside, Size::new_equal(1));
            (pixel, Some("body beyond the picture".to_owned()))
        }
    };
    canvas.labels.keep_off(named);
    let words: Vec<String> = beyond.into_iter().chain(body_place(level, body)).collect();
    if !words.is_empty() {
        canvas.labels.near(&words.join(", "), named, ink.lighter());
    }
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
        canvas.fill_place(place, CONTACT.with_alpha(170));
        let is_small = place.size.width.min(place.size.height) < SMALLEST_CONTACT;
        let frame = if is_small { place.offset(SMALLEST_CONTACT as i32 / 2) } else { place };
        canvas.outline_place(frame, CONTACT, if is_small { 2 } else { canvas.line_width() });
        canvas.labels.keep_off(canvas.seen(frame));
    }
    if let Some(place) = stop {
        let text = format!("{} {} of {step}", dir.name(), sweep.moved);
        canvas.labels.near(&text, canvas.seen(place), Ink::WHITE);
    }
}

/// Draws a box in two tones that are visible on any background: an edge of `ink` and white. The box is filled
/// with `inside`.
fn draw_box(canvas: &mut Canvas<'_>, place: Rectangle, ink: Ink, inside: Ink) {
    let width = canvas.line_width();
    canvas.fill_place(place, inside);
    canvas.outline_place(place, Ink::WHITE, 2 * width);
    canvas.outline_place(place, ink, width);
}

const BORDER: Ink = Ink::new(245, 240, 255);

/// The distance from a map's border to its name, in pixels of the picture.
const INSET: i32 = 4;

/// Draws the borders and names of a world's maps. A single map has no border.
pub(super) fn draw_borders(canvas: &mut Canvas<'_>, maps: &[PlacedMap]) {
    if maps.len() < 2 {
        return;
    }
    for map in maps {
        canvas.outline(map.area, BORDER.0);
        let (Some(file), Some(place)) = (&map.file, canvas.place(map.area)) else {
            continue;
        };
        // The file name is more useful than the start of a long path.
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let seen = canvas.seen(place).intersection(&canvas.bounds());
        let inside = Rectangle::new(
            seen.top_left + Point::new(INSET, INSET),
            seen.size.saturating_sub(Size::new_equal(2 * INSET as u32)),
        );
        canvas.labels.add(&shortened(name, MAX_NAME), inside, BORDER, Wish::Within);
    }
}

const SHAPE: Ink = Ink::new(64, 220, 232);
const SHADOW: Ink = Ink::DARK.with_alpha(160);

/// Draws the outlines of shapes and texts on visible layers, and returns their number. Points and rectangles
/// are left out, because they are markers or solids.
pub(super) fn draw_shapes(canvas: &mut Canvas<'_>, screen: &Screen<'_>) -> u64 {
    let mut count = 0;
    let projection = &screen.placement.projection;
    for context in screen.map.map.walk().filter(|context| context.visible) {
        let LayerContent::Objects(layer) = &context.layer.content else {
            continue;
        };
        let offset = context.offset.as_dvec2();
        for object in layer.in_drawing_order() {
            let turn = direction(object.rotation.as_f64().to_radians());
            let position = object.position.as_dvec2();
            let pivot = projection.map_to_screen(position);
            // As in Tiled, the outline is projected first, then turned and moved.
            let seen = |point| {
                let displacement = projection.map_to_screen(position + point) - pivot;
                screen.of_screen(pivot + turn.rotate(displacement) + offset)
            };
            let points: Vec<DVec2> = shape_outline(object).into_iter().map(seen).collect();
            count += u64::from(!points.is_empty());
            // A dark and a light line together are visible on any background.
            let width = canvas.line_width();
            canvas.line_through(&points, SHADOW, width + 2);
            canvas.line_through(&points, SHAPE, width);
        }
    }
    count
}

const RULER: Ink = Ink::new(200, 202, 212);

/// The distance between the rulers' numbers along the sides of a slanted level, in pixels of the picture.
const BETWEEN: f64 = 48.0;

pub(super) fn draw_slanted_rulers(canvas: &mut Canvas<'_>, level: &Level) {
    let size = level.size().as_dvec2();
    let origin = canvas.at(DVec2::ZERO);
    for (axis, other) in [(DVec2::X, DVec2::Y), (DVec2::Y, DVec2::X)] {
        let pixel = (canvas.at(axis) - origin).length().max(1e-3);
        let least = (BETWEEN * f64::from(canvas.unit) / pixel).ceil() as i64;
        let inward = (canvas.at(other) - origin).try_normalize().unwrap_or(DVec2::Y);
        let tick = -inward * 6.0 * f64::from(canvas.unit);
        let end = size.dot(axis) as i64;
        for mark in (0..=end).step_by(round_step(least) as usize) {
            let at = canvas.at(axis * mark as f64);
            canvas.line_through(&[at, at - tick], Ink::DARK, canvas.line_width() + 2);
            canvas.line_through(&[at, at - tick], RULER, canvas.line_width());
            let (side, last) = (canvas.near(at), canvas.size().as_ivec2() - 1);
            let is_seen = canvas.bounds().offset(canvas.line_width() as i32).contains(side);
            // The rulers along the two sides start with the same number, which is written once.
            if is_seen && (mark > 0 || axis == DVec2::X) {
                let last = Point::new(last.x, last.y);
                let beside = canvas.near(at + tick).component_min(last);
                let place = Rectangle::new(beside.component_max(Point::zero()), Size::new_equal(1));
                canvas.labels.add(&mark.to_string(), place, RULER, Wish::On);
            }
        }
    }
}

/// The points of an object's outline in order, relative to the object's position; empty for an object without
/// an outline.
fn shape_outline(object: &Object) -> Vec<DVec2> {
    const STEPS: u32 = 32;
    let size = object.size.as_dvec2();
    let all = |points: &[crate::tmx::Point]| points.iter().map(|point| point.as_dvec2()).collect();
    if object.gid.is_some() {
        return Vec::new();
    }
    match &object.shape {
        Shape::Rectangle | Shape::Point => Vec::new(),
        Shape::Text(_) => {
            vec![DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y), DVec2::ZERO]
        }
        Shape::Polyline(line) => all(line),
        Shape::Polygon(ring) => {
            let mut ring: Vec<DVec2> = all(ring);
            ring.extend(ring.first().copied());
            ring
        }
        Shape::Ellipse | Shape::Capsule => {
            let radius = match object.shape {
                Shape::Capsule => DVec2::splat(size.min_element() / 2.0),
                _ => size / 2.0,
            };
            let around = |step: u32| {
                let angle = f64::from(step) * std::f64::consts::TAU / f64::from(STEPS);
                let ahead = direction(angle);
                // The straight sides of a capsule are between its two round ends.
                let side = DVec2::new(ahead.x.signum(), ahead.y.signum());
                size / 2.0 + side * (size / 2.0 - radius) + ahead * radius
            };
            (0..=STEPS).map(around).collect()
        }
    }
}

/// The two grays of the checkerboard for missing pictures, in a picture with a light background.
const CHECKS: [u8; 2] = [200, 220];

/// Returns the legend of the whole level, even if the canvas shows only a region. `shapes` is the number of
/// outlined shapes.
pub(super) fn legend(
    canvas: &Canvas<'_>,
    level: &Level,
    overlay: &Overlay,
    name: Option<&str>,
    shapes: u64,
) -> Legend {
    let mut legend = Legend::new(canvas.font());
    if let Some(name) = name {
        legend.add(None, shortened(name, MAX_NAME));
    }
    let of_map = if canvas.is_slanted() { " of the map" } else { "" };
    legend.add(None, format!("{}{of_map}", px(level.size())));
    let (cells, cell) = (level.grid().size(), level.cell_size());
    if cell != UVec2::ONE {
        legend.add(None, format!("{} x {} cells of {}", cells.x, cells.y, px(cell)));
    }
    let scale = canvas.scale;
    let shown = canvas.size() / scale.max(1);
    if !canvas.is_slanted() && canvas.frame.size() != canvas.level {
        let from = canvas.frame.min / i64::from(scale);
        legend.add(None, format!("here {} from {}, {}", px(shown), from.x, from.y));
    }
    if scale > 1 {
        legend.add(None, format!("{scale} times enlarged"));
    }
    if overlay.solids {
        let solid = Swatch::Cells(Pattern::SOLID);
        legend.add(Some(solid), format!("solid {}", share_of_level(level.terrain(), level)));
        for (side, from) in [
            (Dir::Up, "from above"),
            (Dir::Down, "from below"),
            (Dir::Left, "from the left"),
            (Dir::Right, "from the right"),
        ] {
            let count = level.one_way(side).map_or(0, |grid| grid.solid_count());
            if count > 0 {
                let text = format!("blocks {from} {}", cell_count(count, cell));
                legend.add(Some(Swatch::OneWay(side, ONE_WAY)), text);
            }
        }
    }
    for (index, area) in level.areas().iter().enumerate().filter(|_| overlay.areas) {
        let stops = if area.category == 0 { "" } else { ", stops some" };
        let name = shortened(&area.name, MAX_NAME);
        let text = format!("{name} {}{stops}", share_of_level(&area.terrain, level));
        legend.add(Some(Swatch::Cells(Pattern::area(index))), text);
    }
    if shapes > 0 {
        let (word, is) = if shapes == 1 { ("shape", "it is") } else { ("shapes", "they are") };
        let text = format!("{shapes} {word} of objects: solid where {is} red");
        legend.add(Some(Swatch::Line(SHAPE)), text);
    }
    if overlay.markers && !level.markers().is_empty() {
        let count = level.markers().len();
        let word = if count == 1 { "marker" } else { "markers" };
        legend.add(Some(Swatch::Marker(MARKER)), format!("{count} {word}"));
    }
    if let Some(body) = overlay.body {
        let UVec2 { x, y } = body.size();
        let place = body_place(level, body).map_or(String::new(), |place| format!(" {place}"));
        legend.add(Some(Swatch::Body(body_ink(level, body))), format!("body {x} x {y}{place}"));
    }
    legend
}

/// Adds the missing pictures to a legend, if any: the name of the first picture, and the number of the
/// others.
pub(super) fn add_missing(legend: &mut Legend, pictures: &Pictures) {
    let mut missing = pictures.iter().filter(|(_, picture)| picture.is_none());
    let Some((path, _)) = missing.next() else {
        return;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = if name.is_empty() { "a tileset's picture".into() } else { name };
    let more = match missing.count() {
        0 => " is missing".to_owned(),
        more => format!(" and {more} more are missing"),
    };
    let inks = CHECKS.map(|gray| Ink::new(gray, gray, gray));
    legend.add(Some(Swatch::Checks(inks)), shortened(&name, MAX_NAME) + &more);
}

/// Returns the share of the level that the terrain's solid cells cover, in percent, and the number of these
/// cells.
fn share_of_level(terrain: &Terrain, level: &Level) -> String {
    let grid = terrain.grid();
    let pixels = |count: u64, cell: UVec2| count as f64 * f64::from(cell.x) * f64::from(cell.y);
    let all = pixels(level.grid().cell_count(), level.cell_size()).max(1.0);
    let percent = 100.0 * pixels(grid.solid_count(), terrain.cell_size()) / all;
    format!("{percent:.1}% ({})", cell_count(grid.solid_count(), terrain.cell_size()))
}

fn cell_count(count: u64, cell: UVec2) -> String {
    let word = match (cell == UVec2::ONE, count == 1) {
        (true, _) => "px",
        (_, true) => "cell",
        _ => "cells",
    };
    format!("{count} {word}")
}
