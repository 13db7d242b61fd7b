//! The rules for objects, ids and one-way cells. They check a single map, not a world.

use std::collections::HashMap;

use crate::lint::finding::{Excerpt, Finding, at_object, in_layer, in_tileset};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::levels::borders::side_name;
use crate::lint::rules::levels::spawns::{pixel_place, place_name};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::Subject;
use bitwall::analyze::{CellKind, Connectivity, TooComplex, components};
use bitwall::convert::SurveyedLayer;
use bitwall::error::Place;
use bitwall::geometry::{Aabb, Dir};
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::Grid;
use bitwall::text::{counted, printable};
use bitwall::tmx::{Object, Point, Shape};

pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] = &[
    (&OBJECT_OUTSIDE, object_outside),
    (&BAD_SHAPE, bad_shape),
    (&DUPLICATE_ID, duplicate_id),
    (&ONE_WAY_IN_SOLID, one_way_in_solid),
];

/// The largest number of pairs of edges that are compared in the polygons of a map. An outline of 10,000
/// points needs about 60,000.
const MOST_PAIRS: u64 = 4_000_000;

/// The error of a search for crossing edges that ends after [`MOST_PAIRS`] pairs of edges without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooTangled;

/// The x and y of a point as whole numbers, in millionths of a pixel, so that comparisons are exact.
type Spot = (i64, i64);

fn spot(point: &Point) -> Spot {
    (point.x.millionths(), point.y.millionths())
}

/// Returns the first two edges of a closed polygon that cross at a point inside both edges; `None` if no
/// edges cross. An edge is given by the index of its start point. Edges that touch do not cross.
///
/// Sweeps a vertical line over the edges from left to right, in O(n log n + pairs that overlap in x).
/// Subtracts the number of compared pairs of edges from `pairs`. Fails when `pairs` reaches 0.
fn crossing(points: &[Point], pairs: &mut u64) -> Result<Option<(usize, usize)>, TooTangled> {
    let mut edges: Vec<(usize, Spot, Spot)> = Vec::new();
    for (index, start) in points.iter().enumerate() {
        edges.push((index, spot(start), spot(points.get(index + 1).unwrap_or(&points[0]))));
    }
    edges.sort_unstable_by_key(|(index, a, b)| (a.0.min(b.0), *index));
    // The earlier edges that extend in x beyond the left end of the present edge.
    let mut open: Vec<(usize, Spot, Spot)> = Vec::new();
    for edge in edges {
        let left = edge.1.0.min(edge.2.0);
        open.retain(|(_, a, b)| a.0.max(b.0) > left);
        for other in &open {
            *pairs = pairs.checked_sub(1).ok_or(TooTangled)?;
            if cross((edge.1, edge.2), (other.1, other.2)) {
                return Ok(Some((edge.0.min(other.0), edge.0.max(other.0))));
            }
        }
        open.push(edge);
    }
    Ok(None)
}

/// True if two segments cross at a point inside both segments.
fn cross((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// Returns 1 if `point` is on the right of the line from `a` to `b` (y down), -1 if on the left, 0 if on the
/// line.
fn side(a: Spot, b: Spot, point: Spot) -> i32 {
    let wide = |to: i64, from: i64| i128::from(to) - i128::from(from);
    let area = wide(b.0, a.0) * wide(point.1, a.1) - wide(b.1, a.1) * wide(point.0, a.0);
    area.signum() as i32
}

/// True if all points are on one line, so that their polygon has no area.
fn is_flat(points: &[Point]) -> bool {
    let mut spots = points.iter().map(spot);
    let first = spots.next().unwrap_or_default();
    let other = spots.find(|spot| *spot != first).unwrap_or(first);
    spots.all(|spot| side(first, other, spot) == 0)
}

/// True if a shape has neither width nor height, or only equal points. False for point objects and text
/// objects.
fn has_no_size(object: &Object) -> bool {
    let zero = |size: Point| size == Point::default();
    match &object.shape {
        Shape::Rectangle | Shape::Ellipse | Shape::Capsule => zero(object.size),
        Shape::Polygon(points) | Shape::Polyline(points) => {
            points.iter().all(|point| Some(point) == points.first())
        }
        _ => false,
    }
}

rule! {
    /// # What it finds
    /// A faulty shape of an object that is solid, one-way or in an area, or of a tile that the map uses. The
    /// faults are: a polygon whose edges cross, a polygon whose points are all on one line, a shape without
    /// size, and a line of at least four points whose ends almost meet. Almost means at most four pixels
    /// apart, and less than a tenth of the line's length. An open line and a rectangle with one side of 0 are
    /// thin walls and not faults. But an open line of three or more points is a fault if it is the only line
    /// of a map with eight or more solid areas.
    ///
    /// # Why it matters
    /// Where a polygon covers itself twice it has a hole, here and in Tiled; other programs fill it. A shape
    /// without size stops nothing, or stops at a single pixel. A small body or a ray gets in through the gap
    /// of a line that almost closes. Such shapes come from a slip of the mouse.
    ///
    /// # How to fix
    /// Move the points of the polygon apart, close the line, or delete the shape.
    BAD_SHAPE = "TMX117" "bad-shape" Warning on(Map)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeFault {
    Crosses(usize, usize),
    Flat,
    NoSize,
    AlmostClosed,
    Open,
}

impl ShapeFault {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Crosses(..) => ("the edges of a polygon cross", "move its points apart"),
            Self::Flat => {
                ("the points of a polygon all lie on one line", "draw it anew, or delete it")
            }
            Self::NoSize => ("a shape has no size", "draw it anew, or delete it"),
            Self::AlmostClosed => {
                ("the ends of a line almost meet", "close it, or make it a polygon")
            }
            Self::Open => (
                "a wall is an open line, and all others are areas",
                "close it, or make it a polygon",
            ),
        }
    }
}

fn bad_shape(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (map, survey) = (subject.map()?, subject.survey()?);
    // The shapes to check: objects with the path of their layer, and tile shapes with their tileset and tile
    // id.
    let mut shapes: Vec<(_, &str, Option<(_, u32)>)> = Vec::new();
    for layer in &survey.layers {
        let objects = layer.objects.iter().filter(|it| it.stops || it.is_of_area);
        let objects = objects.map(|it| it.object).filter(|object| object.gid.is_none());
        shapes.extend(objects.map(|object| (object, &*layer.context.path, None)));
    }
    for (index, id) in &survey.shown {
        let set = map.tilesets.get(*index);
        if let Some((set, tile)) = set.and_then(|set| Some((set, set.tiles.get(id)?))) {
            shapes.extend(tile.shapes.iter().map(|shape| (shape, &*set.name, Some((set, *id)))));
        }
    }
    let lines = shapes.iter().filter(|(object, ..)| matches!(object.shape, Shape::Polyline(_)));
    let is_alone = lines.count() == 1 && shapes.iter().filter(|it| it.2.is_none()).count() > 8;
    let mut pairs = MOST_PAIRS;
    let mut faults: Vec<(ShapeFault, Finding, Vec<String>)> = Vec::new();
    for (object, holder, tile) in shapes {
        let Ok(fault) = fault_of(object, &mut pairs) else {
            subject.give_up(rule, "the polygons of the map have too many points to be compared");
            break;
        };
        let is_open = matches!(&object.shape, Shape::Polyline(points) if points.len() > 2
            && points.first() != points.last());
        let is_odd = is_open && is_alone && tile.is_none();
        let Some(fault) = fault.or(is_odd.then_some(ShapeFault::Open)) else {
            continue;
        };
        let holder_name = match tile {
            Some((_, id)) => format!("{holder}, tile {id}"),
            None => holder.to_owned(),
        };
        let name = format!("object {} of `{}`", object.id, printable(&holder_name));
        let known = faults.iter_mut().find(|(known, ..)| known.words() == fault.words());
        if let Some((.., names)) = known {
            names.push(name);
            continue;
        }
        let finding = match tile {
            None => subject.finding(rule, fault.words().0).place(at_object(holder, object)),
            Some((set, id)) => {
                let place = Place { object: Some(object.id), ..in_tileset(holder, object.line) };
                Finding::new(rule, set.file.as_deref().unwrap_or(subject.path), fault.words().0)
                    .place(place)
                    .note(format!("it is a collision shape of tile {id}"))
            }
        };
        faults.push((fault, finding, vec![name]));
    }
    let finding = |(fault, finding, names): (ShapeFault, Finding, Vec<String>)| {
        let (count, (headline, help)) = (names.len() as u64, fault.words());
        let mut finding = finding.of_named(headline, &mut names.into_iter()).help(help);
        if let ShapeFault::Crosses(first, second) = fault {
            let (first, second) = (first + 1, second + 1);
            finding = finding.note(format!(
                "the edges from its points {first} and {second} cross, counted from 1"
            ));
        }
        let all = || format!("{} of the map are so; this is the first", counted(count, "shape"));
        finding.notes((count > 1).then(all))
    };
    Some(faults.into_iter().map(finding).collect())
}

fn fault_of(object: &Object, pairs: &mut u64) -> Result<Option<ShapeFault>, TooTangled> {
    if has_no_size(object) {
        return Ok(Some(ShapeFault::NoSize));
    }
    Ok(match &object.shape {
        Shape::Polygon(points) if is_flat(points) => Some(ShapeFault::Flat),
        Shape::Polygon(points) => {
            crossing(points, pairs)?.map(|(first, second)| ShapeFault::Crosses(first, second))
        }
        Shape::Polyline(points) => almost_closes(points).then_some(ShapeFault::AlmostClosed),
        _ => None,
    })
}

/// True for a line whose ends do not meet but are so close that they were meant to.
fn almost_closes(points: &[Point]) -> bool {
    const NEAR: f64 = 4.0;
    let distance = |a: Point, b: Point| (a - b).x.as_f64().hypot((a - b).y.as_f64());
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return false;
    };
    let gap = distance(*first, *last);
    let length: f64 = points.windows(2).map(|ends| distance(ends[0], ends[1])).sum();
    points.len() >= 4 && first != last && gap <= NEAR && gap * 10.0 < length
}

rule! {
    /// # What it finds
    /// An object of a finite map that is solid, one-way, in an area, or a marker that the options name, if it
    /// lies wholly outside the map. Solids within one tile of the edge of the map are ignored: many maps have
    /// a wall around them there.
    ///
    /// # Why it matters
    /// The level ends at the edge of the map, so the object is not in it. In most cases it was dragged away,
    /// or the map was made smaller.
    ///
    /// # How to fix
    /// Move it back into the map, or delete it.
    OBJECT_OUTSIDE = "TMX116" "object-outside" Warning on(Map)
}

fn object_outside(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (map, survey) = (subject.map()?, subject.survey()?);
    let area = survey.area?;
    let tile = map.tile_size.as_ivec2();
    let near = Aabb { min: area.min.saturating_sub(tile), max: area.max.saturating_add(tile) };
    let is_marker = |name: &str| subject.options.markers.iter().any(|spec| spec.matches(name));
    let mut findings = Vec::new();
    for layer in &survey.layers {
        let path = &layer.context.path;
        let mut outside = Vec::new();
        for it in &layer.objects {
            let is_marker = is_marker(&it.object.name);
            let around = if it.stops && !is_marker { near } else { area };
            if (it.stops || it.is_of_area || is_marker) && !meets(around, it.bounds) {
                outside.push(it);
            }
        }
        let Some(first) = outside.first().filter(|_| findings.len() < MOST_FINDINGS) else {
            continue;
        };
        let kind = match first.stops {
            _ if is_marker(&first.object.name) => "the marker",
            true => "a solid object",
            false => "an object of an area",
        };
        let at = first.object.position;
        let (x, y, Aabb { min, max }) = (at.x.as_f64(), at.y.as_f64(), area);
        let size = format!("x {}..{}, y {}..{}", min.x, max.x, min.y, max.y);
        let count = outside.len() as u64;
        let mut names = outside.iter().map(|it| format!("object {}", it.object.id));
        let all = || format!("{} of its layer lie so", counted(count, "object"));
        findings.push(
            subject
                .finding(rule, format!("{kind} lies outside of the map"))
                .of_named(format!("`{path}`"), &mut names)
                .place(at_object(path, first.object))
                .area(first.bounds)
                .note(format!("it is at x {x}, y {y}; the map is {size}"))
                .notes((count > 1).then(all))
                .help("move it back into the map, or delete it"),
        );
    }
    Some(findings)
}

/// True if an object with the box `bounds` may overlap `area`. A side of length zero counts as one pixel.
fn meets(area: Aabb, bounds: Aabb) -> bool {
    let end = bounds.max.max(bounds.min.saturating_add(IVec2::ONE));
    bounds.min.cmplt(area.max).all() && end.cmpgt(area.min).all()
}

rule! {
    /// # What it finds
    /// Two layers with the same id, two objects with the same id, or two solid layers of the same kind with
    /// the same name in one group.
    ///
    /// # Why it matters
    /// Tiled gives every layer and every object its own id. Equal ids come from a merge or from copied text:
    /// the same walls often exist twice, and one copy is edited later. A program that looks for a layer by
    /// its name finds one of the two, and has half of the walls.
    ///
    /// # How to fix
    /// Delete the copy, or rename it. Tiled gives new ids if the layer is cut and pasted.
    DUPLICATE_ID = "TMX121" "duplicate-id" Warning on(Map)
}

fn duplicate_id(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let survey = subject.survey()?;
    // One LDtk layer may become several layers with the same name.
    let is_of_tiled = subject.path.extension().is_none_or(|ending| ending != "ldtk");
    let (mut layers, mut objects, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for surveyed in &survey.layers {
        let layer = surveyed.context.layer;
        if layer.id > 0 {
            layers.push(((layer.id, "", ""), (surveyed, None)));
        }
        for object in surveyed.objects.iter().map(|it| it.object).filter(|it| it.id > 0) {
            objects.push(((object.id, "", ""), (surveyed, Some(object))));
        }
        if is_of_tiled && surveyed.is_solid && surveyed.stops && !layer.name.is_empty() {
            let key = (0, layer.content.kind().name(), &*surveyed.context.path);
            names.push((key, (surveyed, None)));
        }
    }
    let of_id = "delete the copy, or cut and paste it in Tiled, which gives it a new id";
    let of_name = "rename one of them, or merge them in Tiled under Layer > Merge Layer Down";
    let mut findings = Vec::new();
    for (items, things, noun, kind, help) in [
        (layers, "layers have the id", "id", "ids of layers", of_id),
        (objects, "objects have the id", "id", "ids of objects", of_id),
        (names, "solid layers have the name", "name", "names of layers", of_name),
    ] {
        let Some((first, second, keys)) = first_twice(&items) else {
            continue;
        };
        let path = |layer: &SurveyedLayer<'_>| printable(&layer.context.path).to_string();
        let key_name = match keys[0] {
            (0, ..) => format!("`{}`", path(second.0)),
            (id, ..) => id.to_string(),
        };
        let place = match second {
            (layer, Some(object)) => at_object(&layer.context.path, object),
            (layer, None) => in_layer(&layer.context.path, layer.context.layer.line),
        };
        let the_other = match first {
            (layer, _) if noun == "name" => format!("starts in line {}", layer.context.layer.line),
            (layer, Some(_)) => format!("is on `{}`", path(layer)),
            (layer, None) => format!("is `{}`", path(layer)),
        };
        let others = counted(keys.len() as u64 - 1, &format!("other {noun}"));
        let fault_name = |(id, kind, path): &(u32, &str, &str)| match id {
            0 => format!("{kind} `{}`", printable(path)),
            id => id.to_string(),
        };
        findings.push(
            subject
                .finding(rule, format!("two {things} {key_name}"))
                .of_named(kind, &mut keys.iter().map(fault_name))
                .place(place)
                .notes((keys.len() > 1).then(|| format!("{others} stand twice too")))
                .note(format!("the other one {the_other}"))
                .help(help),
        );
    }
    Some(findings)
}

/// A key that no two layers or objects should share: `(id, "", "")` for an id, or `(0, kind, path)` for the
/// name of a layer.
type Key<'s> = (u32, &'s str, &'s str);

/// Returns the first two items with the same key, and the key of each item that repeats an earlier key.
/// `None` if all keys differ. O(items).
fn first_twice<'s, T: Copy>(items: &[(Key<'s>, T)]) -> Option<(T, T, Vec<Key<'s>>)> {
    let mut known = HashMap::<Key<'_>, T>::new();
    let (mut twice, mut keys) = (None, Vec::new());
    for (key, item) in items {
        match known.get(key) {
            None => drop(known.insert(*key, *item)),
            Some(first) => {
                twice = twice.or(Some((*first, *item)));
                keys.push(*key);
            }
        }
    }
    twice.map(|(first, second)| (first, second, keys))
}

rule! {
    /// # What it finds
    /// A one-way platform, or another connected piece of one-way cells, that lies wholly in solid cells or
    /// right behind them: each cell of the piece is solid or has a solid neighbour at the side on which it
    /// stops bodies. A piece that is partly free, for example where a platform runs into a wall, is not a
    /// fault.
    ///
    /// # Why it matters
    /// No body can go through a solid. So the platform is a wall from all sides, or no body can reach the
    /// side on which it stops bodies. In most cases its tiles are also on a solid layer, or it was covered
    /// when the walls were drawn.
    ///
    /// # How to fix
    /// Delete the solid tiles there, or the one-way tiles.
    ONE_WAY_IN_SOLID = "TMX122" "one-way-in-solid" Warning on(Map)
}

fn one_way_in_solid(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    // Checks single maps only: in a world, two maps may contribute the same cell.
    let loaded = subject.loaded().filter(|_| subject.map().is_some())?;
    let level = &loaded.level;
    let mut findings = Vec::new();
    for side in Dir::ALL {
        let Some(guards) = level.one_way(side) else {
            continue;
        };
        let covered = match covered_pieces(guards, level.grid(), side) {
            Ok(covered) => covered,
            Err(error) => {
                subject.give_up(rule, error.to_string());
                continue;
            }
        };
        let Some(&first) = covered.first() else {
            continue;
        };
        let area = level.cell_area(first.as_ivec2());
        let side = side_name(side);
        let is_in = match level.grid().is_solid(first.x, first.y) {
            true => "in",
            false => "right behind",
        };
        let headline = match covered.len() {
            1 => format!("a one-way piece, which guards its {side}, is {is_in} solid cells"),
            count => {
                format!("{count} one-way pieces, which guard their {side}, are {is_in} solid cells")
            }
        };
        let corner = |cell: &UVec2| place_name(loaded, level.cell_area(cell.as_ivec2()).min);
        findings.push(
            subject
                .finding(rule, headline)
                .of_places(side, &mut covered.iter().map(corner))
                .place(pixel_place(loaded, area.min))
                .area(area)
                .excerpt(Excerpt::around(loaded, first, "o = one-way", &|cell| cell == first))
                .help("delete the solid tiles there, or the one-way ones"),
        );
    }
    Some(findings)
}

/// Returns the first cell of each connected piece of the one-way `cells` that is covered by solids: each of
/// its cells is solid in `solid`, or its neighbour at `side` is. Sorted by row and column. Cells that touch
/// at a corner are connected.
///
/// O(cells / 64 + runs + cells of the pieces that are not solid), where a run is a range of adjacent cells in
/// a row.
fn covered_pieces(cells: &Grid, solid: &Grid, side: Dir) -> Result<Vec<UVec2>, TooComplex> {
    let pieces = components(cells, CellKind::Solid, Connectivity::Eight)?;
    let mut has_free = vec![false; pieces.parts().len()];
    let is_solid = |cell: IVec2| {
        let is_inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(solid.size().as_ivec2()).all();
        is_inside && solid.is_solid(cell.x as u32, cell.y as u32)
    };
    for (row, columns, piece) in pieces.runs() {
        let length = columns.len() as u64;
        if !has_free[piece] && solid.solid_count_in(columns.clone(), row..row + 1) < length {
            has_free[piece] = columns.into_iter().any(|column| {
                let cell = UVec2::new(column, row).as_ivec2();
                !is_solid(cell) && !is_solid(cell + side.vector())
            });
        }
    }
    let covered = pieces.parts().iter().zip(has_free).filter(|(_, has_free)| !has_free);
    Ok(covered.map(|(piece, _)| piece.first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::tmx::Decimal;

    fn polygon(points: &[(i32, i32)]) -> Vec<Point> {
        let at = Decimal::from_pixels;
        points.iter().map(|(x, y)| Point { x: at(*x), y: at(*y) }).collect()
    }

    fn crossing_of(points: &[(i32, i32)]) -> Option<(usize, usize)> {
        crossing(&polygon(points), &mut MOST_PAIRS.clone()).unwrap()
    }

    #[test]
    fn the_crossing_edges_of_a_polygon_are_found() {
        assert_eq!(crossing_of(&[(0, 0), (10, 10), (10, 0), (0, 10)]), Some((0, 2)));
        assert_eq!(crossing_of(&[(0, 0), (10, 0), (10, 10), (5, -5), (0, 10)]), Some((0, 3)));
    }

    #[test]
    fn touching_edges_do_not_cross() {
        for points in [
            &[][..],
            &[(3, 3)],
            &[(0, 0), (10, 0)],
            &[(0, 0), (10, 0), (10, 10), (0, 10)],
            // Shapes whose edges touch but do not cross: a corner on an edge, two corners at one point, and a
            // spike.
            &[(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)],
            &[(0, 0), (5, 5), (10, 0), (10, 10), (5, 5), (0, 10)],
            &[(0, 0), (10, 0), (5, 0), (5, 9)],
            &[(0, 0), (0, 0), (10, 0), (10, 0), (10, 10)],
        ] {
            assert_eq!(crossing_of(points), None, "{points:?}");
        }
    }

    /// True if two edges of the polygon cross. Compares every pair of edges.
    fn naive(points: &[Point]) -> bool {
        let spots: Vec<Spot> = points.iter().map(spot).collect();
        let edge = |i: usize| (spots[i], spots[(i + 1) % spots.len()]);
        (0..spots.len()).any(|i| (0..i).any(|j| cross(edge(i), edge(j))))
    }

    #[test]
    fn crossing_edges_are_found_exactly_if_a_test_of_all_pairs_finds_them() {
        let mut rng = fastrand::Rng::with_seed(13);
        let mut crossed = 0;
        for _ in 0..4_000 {
            let (count, side) = (rng.usize(0..9), [3, 9, 1 << 20][rng.usize(0..3)]);
            let points: Vec<(i32, i32)> =
                (0..count).map(|_| (rng.i32(-side..side), rng.i32(-side..side))).collect();
            let points = polygon(&points);
            let crossing_of = crossing(&points, &mut MOST_PAIRS.clone()).unwrap();
            assert_eq!(crossing_of.is_some(), naive(&points), "{points:?}");
            crossed += u32::from(crossing_of.is_some());
        }
        assert!(crossed > 500, "{crossed}");
    }

    #[test]
    fn a_polygon_with_too_many_overlapping_edges_is_an_error() {
        // The teeth of a comb overlap in x, so all pairs of edges are compared.
        let comb: Vec<(i32, i32)> =
            (0..5_000).map(|i| (if i % 2 == 0 { 0 } else { 9_000 }, i)).collect();
        assert_eq!(crossing(&polygon(&comb), &mut 1_000_000), Err(TooTangled));
    }

    #[test]
    fn shapes_without_area_or_length_are_recognized() {
        assert!(is_flat(&polygon(&[])) && is_flat(&polygon(&[(1, 1), (1, 1)])));
        assert!(is_flat(&polygon(&[(0, 0), (2, 2), (5, 5)])));
        assert!(!is_flat(&polygon(&[(0, 0), (2, 2), (5, 6)])));
        let object = |shape| Object { shape, ..Object::default() };
        assert!(has_no_size(&object(Shape::Rectangle)) && !has_no_size(&object(Shape::Point)));
        assert!(has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 4)])))));
        assert!(!has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 5)])))));
    }

    #[test]
    fn the_first_repeated_key_is_found() {
        let items = |keys: &[(u32, char)]| -> Vec<(Key<'_>, char)> {
            keys.iter().map(|(id, item)| ((*id, "", ""), *item)).collect()
        };
        let (first, second, keys) =
            first_twice(&items(&[(1, 'a'), (2, 'b'), (2, 'c'), (1, 'd')])).unwrap();
        assert_eq!((first, second), ('b', 'c'));
        assert_eq!(keys, [(2, "", ""), (1, "", "")]);
        assert!(first_twice(&items(&[(1, 'a'), (2, 'b')])).is_none());
    }

    /// Returns the pieces that [`covered_pieces`] should find. Computes them with a flood fill from each
    /// cell.
    fn naive_pieces(cells: &Grid, solid: &Grid, side: Dir) -> Vec<UVec2> {
        let mut left: Vec<UVec2> = cells.iter_solid().collect();
        let mut found = Vec::new();
        while !left.is_empty() {
            let (first, mut open, mut is_free) = (left[0], vec![left[0]], false);
            left.remove(0);
            while let Some(cell) = open.pop() {
                let beside = cell.as_ivec2() + side.vector();
                is_free |= ![cell.as_ivec2(), beside]
                    .iter()
                    .any(|it| solid.iter_solid().any(|solid| solid.as_ivec2() == *it));
                let is_near =
                    |other: &UVec2| cell.as_ivec2().chebyshev_distance(other.as_ivec2()) == 1;
                let (near, far): (Vec<_>, Vec<_>) = left.iter().partition(|other| is_near(other));
                open.extend(near);
                left = far;
            }
            found.extend((!is_free).then_some(first));
        }
        found
    }

    #[test]
    fn covered_one_way_pieces_agree_with_a_flood_fill() {
        let mut rng = fastrand::Rng::with_seed(122);
        for round in 0..400 {
            let size = UVec2::new([5, 63, 64, 65, 130][round % 5], rng.u32(1..9));
            let mut grids = [(); 2].map(|()| Grid::new(size.x, size.y).unwrap());
            for (grid, share) in grids.iter_mut().zip([rng.u32(5..60), 90]) {
                for (x, y) in (0..size.x).flat_map(|x| (0..size.y).map(move |y| (x, y))) {
                    grid.set(x, y, rng.u32(0..100) < share).unwrap();
                }
            }
            let [cells, solid] = &grids;
            for side in Dir::ALL {
                let mut expected = naive_pieces(cells, solid, side);
                expected.sort_by_key(|cell| (cell.y, cell.x));
                let found = covered_pieces(cells, solid, side);
                assert_eq!(found, Ok(expected), "{side:?} {cells:?}\n{solid:?}");
            }
        }
    }
}
