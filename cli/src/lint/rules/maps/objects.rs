//! The rules for the shapes of a map: objects, ids and one-way edges.
//!
//! They look at one map of its own; a world has its maps checked by themselves.

use std::collections::HashMap;

use crate::lint::finding::{Excerpt, Finding, at_object, in_layer, in_tileset};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::levels::spawns::place_name;
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::Subject;
use bitwall::analyze::{CellKind, Connectivity, TooComplex, components};
use bitwall::geometry::{Aabb, Dir};
use bitwall::glam::UVec2;
use bitwall::grid::Grid;
use bitwall::load::{Place, SurveyedLayer};
use bitwall::text::{counted, printable};
use bitwall::tmx::{Object, Point, Shape};

/// The rules of this file with their checks.
pub(super) static CHECKS: &[(&LintRule, Check)] = &[
    (&OBJECT_OUTSIDE, object_outside),
    (&BAD_SHAPE, bad_shape),
    (&DUPLICATE_ID, duplicate_id),
    (&ONE_WAY_IN_SOLID, one_way_in_solid),
];

// Faults of outlines: polygons that cross themselves, shapes without size. Kernels over plain points.

/// Pairs of edges that may be compared in all shapes of a map. A polygon of 10,000 points around an island
/// needs about 60,000.
const MOST_PAIRS: u64 = 4_000_000;

/// The limit of [`MOST_PAIRS`] was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooTangled;

/// A point as two whole numbers, in millionths of a pixel.
type Spot = (i64, i64);

fn spot(point: &Point) -> Spot {
    (point.x.millionths(), point.y.millionths())
}

/// The first two edges of a closed polygon that cross each other within both, by the indices of their first
/// points; `None` if no two do. Edges that only touch do not cross.
///
/// Sweeps over the edges from left to right: O(n log n + pairs whose extents meet), at most `pairs` of them,
/// which are taken off.
fn crossing(points: &[Point], pairs: &mut u64) -> Result<Option<(usize, usize)>, TooTangled> {
    let spots: Vec<Spot> = points.iter().map(spot).collect();
    let ends = spots.iter().skip(1).chain(spots.first());
    let mut edges: Vec<(usize, Spot, Spot)> =
        spots.iter().zip(ends).enumerate().map(|(index, (a, b))| (index, *a, *b)).collect();
    edges.sort_by_key(|(index, a, b)| (a.0.min(b.0), *index));
    // The edges whose extent in x is not over.
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

/// True if two segments cross at a point within both.
fn cross((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// On which side of the line from `a` to `b` a point lies: -1, 0 or 1.
fn side(a: Spot, b: Spot, point: Spot) -> i32 {
    let wide = |to: i64, from: i64| i128::from(to) - i128::from(from);
    let area = wide(b.0, a.0) * wide(point.1, a.1) - wide(b.1, a.1) * wide(point.0, a.0);
    area.signum() as i32
}

/// True if the points are all on one line, so that a polygon of them holds nothing.
fn is_flat(points: &[Point]) -> bool {
    let spots: Vec<Spot> = points.iter().map(spot).collect();
    let Some(first) = spots.first() else {
        return true;
    };
    let Some(other) = spots.iter().find(|spot| *spot != first) else {
        return true;
    };
    spots.iter().all(|spot| side(*first, *other, *spot) == 0)
}

/// True if a shape that is not a point has neither width nor height, or all its points in one place.
fn has_no_size(object: &Object) -> bool {
    let zero = |size: Point| size == Point::default();
    match &object.shape {
        Shape::Rectangle | Shape::Ellipse | Shape::Capsule => zero(object.size),
        Shape::Polygon(points) | Shape::Polyline(points) => {
            points.iter().all(|point| Some(point) == points.first())
        }
        Shape::Point | Shape::Text(_) => false,
    }
}

// Shapes of solids and areas that are not what they seem.

rule! {
    /// # What it finds
    /// An object that is solid, one-way or in an area, or a collision shape of a tile that the map shows,
    /// that is a polygon whose edges cross, a polygon whose points all lie on one line, a shape without size,
    /// or a line of at least four points whose ends almost meet: they are apart, but by four pixels at most
    /// and by less than a tenth of its length. A line that is meant to be open, and a rectangle with one side
    /// of 0, are thin walls and no fault.
    ///
    /// # Why it matters
    /// Where a polygon covers itself twice it is a hole, here and in Tiled; other programs fill it. A shape
    /// without size stops nothing, or a single pixel. Through the gap of a line that almost closes, a small
    /// body or a ray gets in. They come from a slip of the mouse.
    ///
    /// # How to fix
    /// Move the points of the polygon apart, close the line, or delete the shape.
    BAD_SHAPE = "TMX117" "bad-shape" Warning on(Map)
}

/// The fault of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeFault {
    Crosses(usize, usize),
    Flat,
    NoSize,
    AlmostClosed,
}

fn bad_shape(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let mut pairs = MOST_PAIRS;
    let mut found: Vec<(ShapeFault, Finding, Vec<String>)> = Vec::new();
    let mut note = |object: &Object, holder: &str, place: &dyn Fn() -> Finding| {
        let fault = match fault_of(object, &mut pairs) {
            Ok(fault) => fault,
            Err(TooTangled) => {
                let reason = "the polygons of the map have too many points to be compared";
                subject.give_up(&BAD_SHAPE, reason);
                return false;
            }
        };
        if let Some(fault) = fault {
            let name = format!("object {} of `{}`", object.id, printable(holder));
            let is_same = |known: &ShapeFault| {
                std::mem::discriminant(known) == std::mem::discriminant(&fault)
            };
            match found.iter_mut().find(|(known, ..)| is_same(known)) {
                Some((.., names)) => names.push(name),
                None => found.push((fault, place(), vec![name])),
            }
        }
        true
    };
    let objects = survey.layers.iter().flat_map(|layer| {
        let objects = layer.objects.iter().filter(|it| it.stops || it.is_of_area);
        objects.map(move |it| (layer, it.object))
    });
    let mut goes_on = true;
    for (layer, object) in objects.filter(|(_, object)| object.gid.is_none()) {
        goes_on = goes_on
            && note(object, &layer.context.path, &|| {
                Finding::new(&BAD_SHAPE, subject.path, "")
                    .place(at_object(&layer.context.path, object))
            });
    }
    for (index, id) in &survey.shown {
        let Some((set, tile)) =
            map.tilesets.get(*index).and_then(|set| Some((set, set.tiles.get(id)?)))
        else {
            continue;
        };
        for shape in &tile.shapes {
            goes_on = goes_on
                && note(shape, &format!("{}, tile {id}", set.name), &|| {
                    let place =
                        Place { object: Some(shape.id), ..in_tileset(&set.name, shape.line) };
                    let path = set.file.as_deref().unwrap_or(subject.path);
                    let finding = Finding::new(&BAD_SHAPE, path, "").place(place);
                    finding.note(format!("it is a collision shape of tile {id}"))
                });
        }
    }
    let finding = |(fault, finding, names): (ShapeFault, Finding, Vec<String>)| {
        let count = names.len() as u64;
        let (headline, help) = match fault {
            ShapeFault::Crosses(..) => ("the edges of a polygon cross", "move its points apart"),
            ShapeFault::Flat => {
                ("the points of a polygon all lie on one line", "draw it anew, or delete it")
            }
            ShapeFault::NoSize => ("a shape has no size", "draw it anew, or delete it"),
            ShapeFault::AlmostClosed => {
                ("the ends of a line almost meet", "close it, or make it a polygon")
            }
        };
        let finding = Finding { headline: headline.to_owned(), ..finding };
        let mut finding = finding.of_named(headline, names).help(help);
        if let ShapeFault::Crosses(first, second) = fault {
            finding = finding.note(format!(
                "the edges from its points {} and {} cross, counted from 1",
                first + 1,
                second + 1
            ));
        }
        match count {
            1 => finding,
            _ => finding
                .note(format!("{} of the map are so; this is the first", counted(count, "shape"))),
        }
    };
    found.into_iter().take(MOST_FINDINGS).map(finding).collect()
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

/// True for a line whose ends are apart, but by so little that they were meant to meet.
fn almost_closes(points: &[Point]) -> bool {
    const NEAR: f64 = 4.0;
    let distance = |a: &Point, b: &Point| {
        let apart = *a - *b;
        apart.x.as_f64().hypot(apart.y.as_f64())
    };
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return false;
    };
    let gap = distance(first, last);
    let length: f64 = points.iter().zip(points.iter().skip(1)).map(|(a, b)| distance(a, b)).sum();
    points.len() >= 4 && first != last && gap <= NEAR && gap * 10.0 < length
}

// Objects of the level that lie wholly outside of their map.

rule! {
    /// # What it finds
    /// An object of a finite map that is solid, one-way, in an area, or a marker that the options name, and
    /// that lies wholly outside of the map. Solids within a tile of the map's edge are passed over: many maps
    /// have a wall around them there.
    ///
    /// # Why it matters
    /// The level ends at the map's edge, so the object is not in it. In most cases it was dragged away, or
    /// the map was made smaller.
    ///
    /// # How to fix
    /// Move it back into the map, or delete it.
    OBJECT_OUTSIDE = "TMX116" "object-outside" Warning on(Map)
}

fn object_outside(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let Some(area) = survey.area else {
        return Vec::new();
    };
    let tile = map.tile_size.as_ivec2();
    let near = Aabb { min: area.min.saturating_sub(tile), max: area.max.saturating_add(tile) };
    let is_marker = |name: &str| subject.options.markers.iter().any(|spec| spec.matches(name));
    let mut findings: Vec<(Finding, usize)> = Vec::new();
    for layer in &survey.layers {
        let mut outside = Vec::new();
        for it in &layer.objects {
            let is_marker = is_marker(&it.object.name);
            let around = if it.stops && !is_marker { near } else { area };
            if !(it.stops || it.is_of_area || is_marker) || meets(around, it.bounds) {
                continue;
            }
            outside.push((it, is_marker));
        }
        let Some(&(it, is_marker)) = outside.first() else {
            continue;
        };
        let kind = match () {
            () if is_marker => "the marker",
            () if it.stops => "a solid object",
            () => "an object of an area",
        };
        let place = at_object(&layer.context.path, it.object);
        let at = it.object.position;
        let at = format!("x {}, y {}", at.x.as_f64(), at.y.as_f64());
        let finding =
            Finding::new(&OBJECT_OUTSIDE, subject.path, format!("{kind} lies outside of the map"))
                .place(place)
                .area(it.bounds)
                .note(format!("it is at {at}; the map is {}", size_text(area)))
                .help("move it back into the map, or delete it");
        let names = outside.iter().map(|(it, _)| format!("object {}", it.object.id));
        let finding = finding.of_named(format!("`{}`", layer.context.path), names);
        findings.push((finding, outside.len()));
    }
    let finding = |(finding, count): (Finding, usize)| match count {
        1 => finding,
        _ => finding.note(format!("{} of its layer lie so", counted(count as u64, "object"))),
    };
    findings.into_iter().take(MOST_FINDINGS).map(finding).collect()
}

/// True if an object in this box may have a pixel in the area; a point has none, but a place.
fn meets(area: Aabb, bounds: Aabb) -> bool {
    let end = bounds.max.max(bounds.min.saturating_add(bitwall::glam::IVec2::ONE));
    bounds.min.cmplt(area.max).all() && end.cmpgt(area.min).all()
}

fn size_text(area: Aabb) -> String {
    let Aabb { min, max } = area;
    format!("x {}..{}, y {}..{}", min.x, max.x, min.y, max.y)
}

// Ids that two layers or two objects share, and solid layers of one name.

rule! {
    /// # What it finds
    /// Two layers with one id, two objects with one id, or two solid layers of one kind with one name in the
    /// same group.
    ///
    /// # Why it matters
    /// Tiled gives every layer and every object an id of its own. Two that are the same come from a merge or
    /// from text that was copied: often the same walls stand there twice, and one copy is edited later. A
    /// program that looks for the layer by its name finds one of them, and has half of the walls.
    ///
    /// # How to fix
    /// Delete the copy, or rename it. Tiled gives new ids if the layer is cut and pasted.
    DUPLICATE_ID = "TMX121" "duplicate-id" Warning on(Map)
}

fn duplicate_id(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(survey) = subject.survey() else {
        return Vec::new();
    };
    let place = |layer: &SurveyedLayer<'_>| in_layer(&layer.context.path, layer.context.layer.line);
    let finding = |headline: String| Finding::new(&DUPLICATE_ID, subject.path, headline);
    let mut findings = Vec::new();

    let layers = survey.layers.iter().map(|layer| (layer.context.layer.id, layer));
    if let Some(twice) = first_twice(layers.filter(|(id, _)| *id > 0)) {
        let headline = format!("two layers have the id {}", twice.key);
        findings.push(
            with_others(finding(headline), &ids(&twice.keys), "id", "ids of layers")
                .place(place(twice.second))
                .note(format!("the other one is `{}`", printable(&twice.first.context.path)))
                .help("delete the copy, or cut and paste it in Tiled, which gives it a new id"),
        );
    }

    let objects = survey
        .layers
        .iter()
        .flat_map(|layer| layer.objects.iter().map(move |it| (it.object.id, (layer, it.object))));
    if let Some(twice) = first_twice(objects.filter(|(id, _)| *id > 0)) {
        let (layer, object) = twice.second;
        let place = at_object(&layer.context.path, object);
        let headline = format!("two objects have the id {}", twice.key);
        findings.push(
            with_others(finding(headline), &ids(&twice.keys), "id", "ids of objects")
                .place(place)
                .note(format!("the other one is on `{}`", printable(&twice.first.0.context.path)))
                .help("delete the copy, or cut and paste it in Tiled, which gives it a new id"),
        );
    }

    let solid = survey.layers.iter().filter(|layer| layer.is_solid && layer.stops);
    let named = solid.filter(|layer| !layer.context.layer.name.is_empty());
    let named = named.map(|layer| {
        ((layer.context.layer.content.kind().name(), layer.context.path.as_str()), layer)
    });
    if let Some(twice) = first_twice(named) {
        let headline = format!("two solid layers have the name `{}`", printable(twice.key.1));
        let names: Vec<String> =
            twice.keys.iter().map(|(kind, path)| format!("{kind} `{}`", printable(path))).collect();
        findings.push(
            with_others(finding(headline), &names, "name", "names of layers")
                .place(place(twice.second))
                .note(format!("the other one starts in line {}", twice.first.context.layer.line))
                .help("rename one of them, or merge them in Tiled under Layer > Merge Layer Down"),
        );
    }
    findings
}

fn ids(keys: &[u32]) -> Vec<String> {
    keys.iter().map(u32::to_string).collect()
}

fn with_others(finding: Finding, names: &[String], noun: &str, kind: &str) -> Finding {
    let finding = finding.of_named(kind, names.iter().cloned());
    match names.len() as u64 - 1 {
        0 => finding,
        others => {
            finding.note(format!("{} stand twice too", counted(others, &format!("other {noun}"))))
        }
    }
}

/// A key that stands twice.
struct Twice<K, T> {
    key: K,
    first: T,
    second: T,
    /// The keys of all items of the list whose key stands there before, this one first.
    keys: Vec<K>,
}

/// The first key that stands there a second time. O(items).
fn first_twice<K: Eq + std::hash::Hash + Copy, T: Copy>(
    items: impl Iterator<Item = (K, T)>,
) -> Option<Twice<K, T>> {
    let mut known: HashMap<K, T> = HashMap::new();
    let mut twice: Option<Twice<K, T>> = None;
    for (key, item) in items {
        let Some(first) = known.get(&key).copied() else {
            known.insert(key, item);
            continue;
        };
        match &mut twice {
            Some(twice) => twice.keys.push(key),
            None => twice = Some(Twice { key, first, second: item, keys: vec![key] }),
        }
    }
    twice
}

// One-way edges that solids cover.

rule! {
    /// # What it finds
    /// A one-way platform, or another connected piece of one-way cells, that lies wholly in solid cells. One
    /// that is solid in part, as where a platform runs into a wall, is no fault.
    ///
    /// # Why it matters
    /// No body can go through a solid, so the platform is a wall from all sides. In most cases its tiles are
    /// on a solid layer's cells too, or it was covered when the walls were drawn.
    ///
    /// # How to fix
    /// Delete the solid tiles there, or the one-way ones.
    ONE_WAY_IN_SOLID = "TMX122" "one-way-in-solid" Warning on(Map)
}

fn one_way_in_solid(subject: &Subject<'_>) -> Vec<Finding> {
    // A tile on two maps of a world is a tile of each map.
    let Some(loaded) = subject.loaded().filter(|_| subject.map().is_some()) else {
        return Vec::new();
    };
    let level = &loaded.level;
    let mut findings = Vec::new();
    for side in Dir::ALL {
        let Some(guards) = level.one_way(side) else {
            continue;
        };
        let covered = match covered_pieces(guards, level.grid()) {
            Ok(covered) => covered,
            Err(error) => {
                subject.give_up(&ONE_WAY_IN_SOLID, error.to_string());
                continue;
            }
        };
        let Some(first) = covered.first() else {
            continue;
        };
        let place = Place {
            cell: Some((first.as_ivec2() + level.first_cell()).into()),
            ..Place::default()
        };
        let excerpt = Excerpt::around(loaded, *first, "o = one-way", |column, row| {
            UVec2::new(column, row) == *first
        });
        let side = match side {
            Dir::Up => "top",
            Dir::Down => "bottom",
            Dir::Left => "left",
            Dir::Right => "right",
        };
        let headline = match covered.len() {
            1 => format!("a one-way piece, which guards its {side}, is in solid cells"),
            count => {
                format!("{count} one-way pieces, which guard their {side}, are in solid cells")
            }
        };
        let corner = |cell: &UVec2| place_name(loaded, level.cell_area(cell.as_ivec2()).min);
        findings.push(
            Finding::new(&ONE_WAY_IN_SOLID, subject.path, headline)
                .of_places(side, covered.iter().map(corner))
                .place(place)
                .area(level.cell_area(first.as_ivec2()))
                .excerpt(excerpt)
                .help("delete the solid tiles there, or the one-way ones"),
        );
    }
    findings
}

/// The first cell of each connected piece of `cells` that lies wholly in the solid cells of `solid`, row by
/// row; cells that touch at a corner are connected. O(words + runs), and O(words of a run) for each.
fn covered_pieces(cells: &Grid, solid: &Grid) -> Result<Vec<UVec2>, TooComplex> {
    let pieces = components(cells, CellKind::Solid, Connectivity::Eight)?;
    let mut has_free = vec![false; pieces.parts().len()];
    for (row, columns, piece) in pieces.runs() {
        let length = columns.len() as u64;
        has_free[piece] = has_free[piece] || solid.solid_count_in(columns, row..row + 1) < length;
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
    fn crossings_are_found() {
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
            // A corner on an edge, two corners in one place, and a spike.
            &[(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)],
            &[(0, 0), (5, 5), (10, 0), (10, 10), (5, 5), (0, 10)],
            &[(0, 0), (10, 0), (5, 0), (5, 9)],
            &[(0, 0), (0, 0), (10, 0), (10, 0), (10, 10)],
        ] {
            assert_eq!(crossing_of(points), None, "{points:?}");
        }
    }

    /// Compares every pair of edges.
    fn naive(points: &[Point]) -> bool {
        let spots: Vec<Spot> = points.iter().map(spot).collect();
        let edge = |i: usize| (spots[i], spots[(i + 1) % spots.len()]);
        (0..spots.len()).any(|i| (0..i).any(|j| cross(edge(i), edge(j))))
    }

    #[test]
    fn the_sweep_finds_what_all_pairs_have() {
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
    fn a_tangle_is_given_up() {
        // Nested tips of a comb: every edge's extent meets those of all others.
        let comb: Vec<(i32, i32)> =
            (0..5_000).map(|i| (if i % 2 == 0 { 0 } else { 9_000 }, i)).collect();
        assert_eq!(crossing(&polygon(&comb), &mut 1_000_000), Err(TooTangled));
    }

    #[test]
    fn shapes_without_content_are_known() {
        assert!(is_flat(&polygon(&[])) && is_flat(&polygon(&[(1, 1), (1, 1)])));
        assert!(is_flat(&polygon(&[(0, 0), (2, 2), (5, 5)])));
        assert!(!is_flat(&polygon(&[(0, 0), (2, 2), (5, 6)])));
        let object = |shape| Object { shape, ..Object::default() };
        assert!(has_no_size(&object(Shape::Rectangle)) && !has_no_size(&object(Shape::Point)));
        assert!(has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 4)])))));
        assert!(!has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 5)])))));
    }

    #[test]
    fn the_first_key_that_comes_again_is_found() {
        let twice = first_twice([(1, 'a'), (2, 'b'), (2, 'c'), (1, 'd')].into_iter()).unwrap();
        assert_eq!((twice.key, twice.first, twice.second), (2, 'b', 'c'));
        assert_eq!(twice.keys, [2, 1]);
        assert!(first_twice([(1, 'a'), (2, 'b')].into_iter()).is_none());
    }

    /// Floods from each cell in turn.
    fn naive_pieces(cells: &Grid, solid: &Grid) -> Vec<UVec2> {
        let mut left: Vec<UVec2> = cells.iter_solid().collect();
        let mut found = Vec::new();
        while !left.is_empty() {
            let (first, mut open, mut is_free) = (left[0], vec![left[0]], false);
            left.remove(0);
            while let Some(cell) = open.pop() {
                is_free |= !solid.is_solid(cell.x, cell.y);
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
    fn pieces_are_those_of_a_flood() {
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
            let mut expected = naive_pieces(cells, solid);
            expected.sort_by_key(|cell| (cell.y, cell.x));
            assert_eq!(covered_pieces(cells, solid), Ok(expected), "{cells:?}\n{solid:?}");
        }
    }
}
