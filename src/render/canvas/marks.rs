//! The marks on top of a level's art, such as solids, markers and a body's sweep, and the legend that names
//! them.

use glam::{DVec2, I64Vec2, IVec2, UVec2};
use image::Rgba;

use super::super::picture::{DARK, Rect, WHITE, ink, lighter, segment_outline, with_alpha};
use super::super::{DrawOptions, Drawn, PicturePlan, Pictures, slant};
use super::Canvas;
use super::cells::Pattern;
use super::labels::{Labels, MAX_NAME, MAX_TEXT, Wish, area_name_place, shortened};
use super::sheet::{Legend, Margins, round_step};
use crate::Level;
use crate::geometry::{Aabb, Dir, Outside};
use crate::level::{Marker, MarkerShape};
use crate::terrain::Terrain;
use crate::text::{counted, px};
use crate::tmx::{Orientation, PlacedMap};

/// Draws the overlay of `options` on the canvas of a planned picture.
pub(in super::super) fn draw_overlay(
    canvas: &mut Canvas<'_>,
    drawn: Drawn<'_>,
    options: &DrawOptions<'_>,
    plan: PicturePlan,
) {
    let Drawn { level, maps } = drawn;
    let overlay = &options.overlay;
    if overlay.areas {
        // Each area has its own colour and hatching, so that two areas in one cell are visible.
        for (index, area) in level.areas().iter().enumerate() {
            canvas.paint_cells(&area.terrain, Pattern::area(index));
        }
    }
    if overlay.solids {
        canvas.paint_cells(level.terrain(), Pattern::SOLID);
        Dir::ALL.into_iter().for_each(|dir| draw_level_side(canvas, dir, level.outside().get(dir)));
    }
    if overlay.grid && canvas.slant.is_none() {
        draw_grid(canvas, level, maps);
    }
    if overlay.solids {
        draw_one_way(canvas, level);
    }
    if overlay.borders {
        draw_borders(canvas, maps);
    }
    if let Some(body) = overlay.body {
        draw_body(canvas, level, body, overlay.motion);
    }
    if overlay.areas {
        for (index, area) in level.areas().iter().enumerate() {
            if let Some(place) = area_name_place(canvas, &area.terrain) {
                let ink = lighter(Pattern::area(index).ink);
                canvas.labels.add(&shortened(&area.name, MAX_NAME), place, ink, Wish::On);
            }
        }
    }
    if overlay.markers {
        draw_markers(canvas, level.markers());
    }
    if !overlay.labels {
        canvas.labels = Labels::default();
    }
    canvas.margins = margins(drawn, options, plan);
}

/// The width and height in pixels that rulers and legend add to a planned picture, at most.
pub(in super::super) fn size_of_margins(
    drawn: Drawn<'_>,
    options: &DrawOptions<'_>,
    plan: PicturePlan,
) -> UVec2 {
    margins(drawn, options, plan).size()
}

fn margins(drawn: Drawn<'_>, options: &DrawOptions<'_>, plan: PicturePlan) -> Margins {
    let is_slanted = slant(drawn.maps, 1).is_some();
    let mut margins = Margins { room: options.fit.map_or(0, |fit| fit.x), ..Margins::default() };
    if options.overlay.rulers && !is_slanted {
        margins.rulers = Some(plan.frame);
    }
    if options.overlay.legend {
        let mut legend = legend(drawn.level, options, plan, is_slanted);
        if let Some(pictures) = options.pictures.filter(|_| options.art.is_none()) {
            add_missing(&mut legend, pictures);
        }
        margins.legend = Some(legend);
    }
    margins
}

/// The green line at a side of the level beyond which the space is open.
const OPEN: Rgba<u8> = ink(90, 190, 90);

/// Draws one side of the level: in the colour of solids, or green if the space beyond is open.
fn draw_level_side(canvas: &mut Canvas<'_>, dir: Dir, outside: Outside) {
    let width = i64::from(canvas.line_width());
    let mut line = canvas.level;
    match dir {
        Dir::Up => line.max.y = width,
        Dir::Down => line.min.y = line.max.y - width,
        Dir::Left => line.max.x = width,
        Dir::Right => line.min.x = line.max.x - width,
    }
    let ink = if outside == Outside::Solid { Pattern::SOLID.ink } else { OPEN };
    canvas.fill_place(line.intersection(canvas.level), ink);
}

/// The light green of a line along a one-way edge, and of its teeth, which point into the cell.
const ONE_WAY: Rgba<u8> = ink(150, 255, 70);
/// The dark green that frames the line along a one-way edge and its teeth.
const ONE_WAY_BACK: Rgba<u8> = ink(6, 40, 24);

/// The side in pixels of the picture below which a cell is narrow. The one-way edges of narrow cells would
/// merge. So an edge is not drawn if the next cell beyond it guards the same side.
const NARROW: u32 = 4;

fn draw_one_way(canvas: &mut Canvas<'_>, terrain: &Terrain) {
    let seen = canvas.frame.grown(i64::from(12 * canvas.line_width()));
    let (columns, rows) = canvas.cells_in(terrain, seen);
    let is_narrow = (terrain.cell_size() * canvas.scale).min_element() < NARROW;
    // The dark back of all edges is drawn first, so that the edges of adjacent cells join.
    for is_back in [true, false] {
        for side in Dir::ALL {
            let Some(grid) = terrain.one_way(side) else { continue };
            for (row, run) in grid.runs_in(columns.clone(), rows.clone()) {
                for column in run {
                    let cell = UVec2::new(column, row);
                    let beside = (cell.as_ivec2() + side.vector()).as_uvec2();
                    if !is_narrow || !grid.is_solid(beside.x, beside.y) {
                        draw_one_way_edge(canvas, terrain, cell, side, is_back);
                    }
                }
            }
        }
    }
}

/// Draws a line along the inside of a cell's edge, with teeth into the cell, or the dark back of both.
fn draw_one_way_edge(
    canvas: &mut Canvas<'_>,
    terrain: &Terrain,
    cell: UVec2,
    side: Dir,
    is_back: bool,
) {
    let size = terrain.cell_size().as_dvec2();
    let middle = (cell.as_dvec2() + 0.5) * size;
    let edge = middle + side.vector().as_dvec2() * size / 2.0;
    let half = side.vector().as_dvec2().perp().abs() * size / 2.0;
    let from = canvas.at(edge - half);
    let to = canvas.at(edge + half);
    let into = canvas.at(middle) - canvas.at(edge);
    let along = (to - from).try_normalize().unwrap_or(DVec2::X);
    let inward = along.perp() * along.perp().dot(into).signum();
    let width = f64::from(canvas.line_width());
    let front = (width + 1.0).min((2.0 * into.dot(inward)).max(1.0));
    let mut ink = ONE_WAY;
    let mut wider = 0.0;
    if is_back {
        ink = ONE_WAY_BACK;
        wider = width;
    }
    let deep = inward * (front + wider);
    canvas.fill_corners(&[from, to, to + deep, from + deep], ink);
    // Teeth are counted from a fixed point, so that those of adjacent cells are at equal distances.
    let period = 7.0 + width;
    let start = from.dot(along);
    for number in (start / period).ceil() as i64..(to.dot(along) / period).ceil() as i64 {
        let root = from + along * (number as f64 * period - start) + inward * front;
        let tip = root + inward * (3.0 * width);
        if let Some(corners) = segment_outline(root, tip, width / 2.0 + wider) {
            canvas.fill_corners(&corners, ink);
        }
    }
}

/// The smallest distance between grid lines, in pixels of the picture. A finer grid would hide the art, and
/// is left out.
const CLOSEST: i64 = 8;

/// The smallest distance between grid lines on a mask, in pixels of the picture.
const ROUND: i64 = 32;

/// A dark gray that is visible on light art and on black.
const GRID: Rgba<u8> = with_alpha(ink(70, 72, 80), 160);

/// Draws the grid of a map's tiles or of the level's cells. A mask gets lines at round distances.
fn draw_grid(canvas: &mut Canvas<'_>, level: &Level, maps: &[PlacedMap]) {
    let cell = match maps {
        [map] if map.map.orientation == Orientation::Orthogonal => map.map.tile_size,
        _ => level.cell_size(),
    };
    let unit = i64::from(canvas.unit);
    let Rect { min, max } = canvas.frame;
    for along in [I64Vec2::X, I64Vec2::Y] {
        let side = cell.as_i64vec2().dot(along) * i64::from(canvas.scale);
        let mut step = side;
        if cell == UVec2::ONE {
            step = side * round_step((unit * ROUND + side - 1) / side);
        } else if side < unit * CLOSEST {
            continue;
        }
        let across = I64Vec2::ONE - along;
        for number in min.dot(along) / step..=max.dot(along) / step {
            let start = along * number * step + across * min;
            let end = along * (number * step + unit) + across * max;
            canvas.fill_seen(Rect { min: start, max: end }, GRID);
        }
    }
}

const MARKER: Rgba<u8> = ink(255, 214, 64);

/// The distance from the middle of a marker's diamond to its tips, in pixels of the picture.
const MARKER_REACH: i64 = 5;

/// True for a marker that is drawn: not for a tile without a name and class, which is art.
fn is_named_or_plain(marker: &Marker) -> bool {
    marker.tile.is_none() || !marker.name.is_empty() || !marker.class.is_empty()
}

/// Draws the markers with their names: points as diamonds, polygons and polylines by their points, other
/// shapes by their boxes. None is filled, because a hostile file could have many large ones.
fn draw_markers(canvas: &mut Canvas<'_>, markers: &[Marker]) {
    for marker in markers.iter().filter(|marker| is_named_or_plain(marker)) {
        let mut area = marker.area;
        if marker.shape == MarkerShape::Point {
            area.max = area.min.saturating_add(IVec2::ONE);
        }
        let Some(place) = canvas.place(area) else {
            continue;
        };
        let mut seen = canvas.seen(place);
        match marker.shape {
            MarkerShape::Point => {
                seen = draw_diamond(canvas, seen.center());
                canvas.labels.keep_off(seen);
            }
            MarkerShape::Polyline => canvas.line(&marker.points, MARKER),
            MarkerShape::Polygon => {
                let closed = marker.points.iter().chain(marker.points.first());
                canvas.line(&closed.copied().collect::<Vec<IVec2>>(), MARKER);
            }
            _ => canvas.outline(area, MARKER),
        }
        let name = if marker.name.is_empty() { &marker.class } else { &marker.name };
        if !name.is_empty() {
            canvas.labels.add(&shortened(name, MAX_NAME), seen, MARKER, Wish::Beside);
        }
    }
}

/// Draws a diamond around `centre`, and returns its bounding box.
fn draw_diamond(canvas: &mut Canvas<'_>, centre: I64Vec2) -> Rect {
    let unit = i64::from(canvas.unit);
    for (reach, ink) in [(MARKER_REACH * unit, DARK), ((MARKER_REACH - 2) * unit, MARKER)] {
        for y in -reach..=reach {
            let half = reach - y.abs();
            canvas.fill_row(centre.y + y, centre.x - half, centre.x + half + 1, ink);
        }
    }
    Rect { min: centre, max: centre + 1 }.grown(MARKER_REACH * unit)
}

const BODY: Rgba<u8> = ink(24, 120, 255);
const CAUGHT: Rgba<u8> = ink(200, 0, 220);
const STRIP: Rgba<u8> = ink(60, 190, 255);
const CONTACT: Rgba<u8> = ink(255, 150, 0);

/// The side below which the cell that stops a body is small in the picture, in pixels. A small cell gets a
/// larger frame at a distance, so that the cell is visible.
const SMALLEST_CONTACT: i64 = 8;

fn body_ink(level: &Level, body: Aabb) -> Rgba<u8> {
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
        places.push(format!("in {}", areas.join(", ")));
    }
    (!places.is_empty()).then(|| shortened(&places.join(", "), MAX_TEXT))
}

fn draw_body(canvas: &mut Canvas<'_>, level: &Level, body: Aabb, motion: Option<(Dir, u32)>) {
    if let Some((dir, step)) = motion {
        draw_sweep(canvas, level, body, dir, step);
    }
    let ink = body_ink(level, body);
    let mut named = None;
    if let Some(place) = canvas.place(body) {
        draw_box(canvas, place, ink, with_alpha(ink, 190));
        named = Some(canvas.seen(place));
    }
    let mut words = Vec::new();
    let named = named.filter(|seen| !seen.intersection(canvas.frame).is_empty());
    let named = named.unwrap_or_else(|| {
        // The note is at the nearest pixel of the picture.
        words.push("body beyond the picture".to_owned());
        let point = canvas.at(body.center().as_dvec2()).round().as_i64vec2();
        let pixel = point.clamp(canvas.frame.min, (canvas.frame.max - 1).max(canvas.frame.min));
        Rect { min: pixel, max: pixel + 1 }
    });
    canvas.labels.keep_off(named);
    words.extend(body_place(level, body));
    if !words.is_empty() {
        canvas.labels.add(&words.join(", "), named, lighter(ink), Wish::Beside);
    }
}

fn draw_sweep(canvas: &mut Canvas<'_>, level: &Level, body: Aabb, dir: Dir, step: u32) {
    let sweep = level.sweep(body, dir, step);
    let end = body.shifted(dir, sweep.moved);
    canvas.fill(body.strip(dir, sweep.moved), with_alpha(STRIP, 110));
    canvas.fill(end.strip(dir, sweep.leftover()), with_alpha(STRIP, 44));
    if let Some(place) = canvas.place(body.strip(dir, step)) {
        canvas.outline_place(place, STRIP, canvas.line_width());
        canvas.labels.keep_off(canvas.seen(place));
    }
    let stop = canvas.place(end);
    if let Some(place) = stop {
        draw_box(canvas, place, BODY, with_alpha(WHITE, 90));
    }
    let contact = sweep.contact.and_then(|at| canvas.place(level.cell_box(at.cell)));
    if let Some(place) = contact {
        canvas.fill_place(place, with_alpha(CONTACT, 170));
        let mut frame = place;
        let mut width = canvas.line_width();
        if place.size().min_element() < SMALLEST_CONTACT {
            frame = place.grown(SMALLEST_CONTACT / 2);
            width = 2;
        }
        canvas.outline_place(frame, CONTACT, width);
        canvas.labels.keep_off(canvas.seen(frame));
    }
    if let Some(place) = stop {
        let text = format!("{} {} of {step}", dir.name(), sweep.moved);
        canvas.labels.add(&text, canvas.seen(place), WHITE, Wish::Beside);
    }
}

/// Draws a box in two tones that are visible on any background: an edge of `ink` and white. The box is filled
/// with `inside`.
fn draw_box(canvas: &mut Canvas<'_>, place: Rect, ink: Rgba<u8>, inside: Rgba<u8>) {
    let width = canvas.line_width();
    canvas.fill_place(place, inside);
    canvas.outline_place(place, WHITE, 2 * width);
    canvas.outline_place(place, ink, width);
}

const BORDER: Rgba<u8> = ink(245, 240, 255);

/// The distance from a map's border to its name, in pixels of the picture.
const INSET: i64 = 4;

/// Draws the borders and names of a world's maps. A single map has no border.
fn draw_borders(canvas: &mut Canvas<'_>, maps: &[PlacedMap]) {
    if maps.len() < 2 {
        return;
    }
    for map in maps {
        canvas.outline(map.area, BORDER);
        let (Some(file), Some(place)) = (&map.file, canvas.place(map.area)) else {
            continue;
        };
        // The file name is more useful than the start of a long path.
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let inside = canvas.seen(place).intersection(canvas.frame).grown(-INSET);
        canvas.labels.add(&shortened(name, MAX_NAME), inside, BORDER, Wish::Within);
    }
}

/// Returns the legend of the whole level, even if the picture shows only a region.
fn legend(level: &Level, options: &DrawOptions<'_>, plan: PicturePlan, is_slanted: bool) -> Legend {
    let overlay = &options.overlay;
    let mut legend = Legend::default();
    if let Some(name) = options.name {
        legend.add(None, shortened(name, MAX_TEXT));
    }
    let of_map = if is_slanted { " of the map" } else { "" };
    legend.add(None, format!("{}{of_map}", px(level.size())));
    let cells = level.grid().size();
    let cell = level.cell_size();
    if cell != UVec2::ONE {
        legend.add(None, format!("{} x {} cells of {}", cells.x, cells.y, px(cell)));
    }
    let Rect { min, .. } = plan.frame;
    let shown = plan.frame.pixels();
    if !is_slanted && shown != level.size() {
        legend.add(None, format!("here {} from {}, {}", px(shown), min.x, min.y));
    }
    if plan.enlarged > 1 {
        legend.add(None, format!("{} times enlarged", plan.enlarged));
    }
    if overlay.solids {
        let text = format!("solid {}", share_of_level(level.terrain(), level));
        legend.add(Some(Pattern::SOLID), text);
        for (side, from) in [
            (Dir::Up, "from above"),
            (Dir::Down, "from below"),
            (Dir::Left, "from the left"),
            (Dir::Right, "from the right"),
        ] {
            let count = level.one_way(side).map_or(0, |grid| grid.solid_count());
            if count > 0 {
                let text = format!("blocks {from} {}", cell_count(count, cell));
                legend.add(Some(Pattern::striped(ONE_WAY)), text);
            }
        }
    }
    for (index, area) in level.areas().iter().enumerate().filter(|_| overlay.areas) {
        let stops = if area.category != 0 { ", stops some" } else { "" };
        let share = share_of_level(&area.terrain, level);
        let text = format!("{} {share}{stops}", shortened(&area.name, MAX_NAME));
        legend.add(Some(Pattern::area(index)), text);
    }
    let count = level.markers().iter().filter(|marker| is_named_or_plain(marker)).count();
    if overlay.markers && count > 0 {
        legend.add(Some(Pattern::striped(MARKER)), counted(count as u64, "marker"));
    }
    if let Some(body) = overlay.body {
        let UVec2 { x, y } = body.size();
        let place = body_place(level, body).map_or(String::new(), |place| format!(" {place}"));
        let pattern = Pattern::striped(body_ink(level, body));
        legend.add(Some(pattern), format!("body {x} x {y}{place}"));
    }
    legend
}

/// Adds the missing pictures to a legend, if any: the name of the first picture, and the number of the
/// others.
fn add_missing(legend: &mut Legend, pictures: &Pictures) {
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
    legend.add(None, shortened(&name, MAX_NAME) + &more);
}

/// Returns the share of the level that the terrain's solid cells cover, in percent, and the number of these
/// cells.
fn share_of_level(terrain: &Terrain, level: &Level) -> String {
    let grid = terrain.grid();
    let all = level.grid().cell_count() as f64 * level.cell_size().as_dvec2().element_product();
    let covered = grid.solid_count() as f64 * terrain.cell_size().as_dvec2().element_product();
    let percent = 100.0 * covered / all.max(1.0);
    format!("{percent:.1}% ({})", cell_count(grid.solid_count(), terrain.cell_size()))
}

fn cell_count(count: u64, cell: UVec2) -> String {
    if cell == UVec2::ONE { format!("{count} px") } else { counted(count, "cell") }
}
