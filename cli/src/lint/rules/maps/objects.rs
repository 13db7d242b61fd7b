//! The rules for objects and ids. They check a single map, not a world.

use std::collections::HashMap;

use crate::lint::Check;
use crate::lint::rules::{at_object, in_layer, in_tileset};
use bitwall::Aabb;
use bitwall::error::Place;
use bitwall::glam::IVec2;
use bitwall::text::printable;
use bitwall::tmx::{Decimal, Object, Point, Shape};

/// The largest number of pairs of edges that are compared in the polygons of a map. A polygon of 4,096
/// points, the largest that is loaded, needs half of them.
const MOST_PAIRS: u64 = 1 << 24;

/// The x and y of a point as whole numbers, in millionths of a pixel, so that comparisons are exact.
type Spot = (i64, i64);

fn spot(point: &Point) -> Spot {
    (point.x.millionths(), point.y.millionths())
}

/// Returns the first two edges of a closed polygon that cross at a point inside both edges; `None` if no
/// edges cross. An edge is given by the index of its start point. Edges that touch do not cross.
///
/// Subtracts the number of compared pairs of edges from `pairs`. Returns `None` too when `pairs` reaches 0.
fn crossing(points: &[Point], pairs: &mut u64) -> Option<(usize, usize)> {
    let starts = points.iter().map(spot);
    let ends = points.iter().cycle().skip(1).map(spot);
    let edges: Vec<(Spot, Spot)> = starts.zip(ends).collect();
    for (second, edge) in edges.iter().enumerate() {
        for (first, other) in edges[..second].iter().enumerate() {
            *pairs = pairs.saturating_sub(1);
            if *pairs == 0 {
                return None;
            }
            if cross(*edge, *other) {
                return Some((first, second));
            }
        }
    }
    None
}

/// True if two segments cross at a point inside both segments.
fn cross((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// Returns 1 if `point` is on the right of the line from `a` to `b` (y down), -1 if on the left, 0 if on the
/// line.
fn side(a: Spot, b: Spot, point: Spot) -> i32 {
    let area = apart(a.0, b.0) * apart(a.1, point.1) - apart(a.1, b.1) * apart(a.0, point.0);
    area.signum() as i32
}

fn apart(from: i64, to: i64) -> i128 {
    i128::from(to) - i128::from(from)
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
    match &object.shape {
        Shape::Rectangle | Shape::Ellipse | Shape::Capsule => object.size == Point::default(),
        Shape::Polygon(points) | Shape::Polyline(points) => {
            points.iter().all(|point| Some(point) == points.first())
        }
        _ => false,
    }
}

rule! {
    /// # What it finds
    /// A faulty shape of an object that is solid, one-way or in an area, or of a tile that the map uses. The
    /// faults are: a polygon whose edges cross, a polygon whose points are all on one line, and a shape
    /// without size. An open line and a rectangle with one side of 0 are thin walls and not faults.
    ///
    /// # Why it matters
    /// Where a polygon covers itself twice it has a hole, here and in Tiled; other programs fill it. A shape
    /// without size stops nothing, or stops at a single pixel. Such shapes come from a slip of the mouse.
    ///
    /// # How to fix
    /// Move the points of the polygon apart, or delete the shape.
    BAD_SHAPE(bad_shape) = "TMX117" "bad-shape" Warning on(Map)
}

/// What is wrong with a shape, how to repair it, and the two edges if edges cross.
type ShapeFault = ([&'static str; 2], Option<(usize, usize)>);

fn bad_shape(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    let survey = check.survey()?;
    let mut shapes = Vec::new();
    for layer in &survey.layers {
        let holder = &*layer.context.path;
        let objects = layer.objects.iter().filter(|it| it.stops || it.is_of_area);
        let objects = objects.map(|it| it.object).filter(|object| object.gid.is_none());
        shapes.extend(objects.map(|object| (object, holder, None)));
    }
    for (index, id) in &survey.shown {
        let set = map.tilesets.get(*index);
        if let Some((set, tile)) = set.and_then(|set| Some((set, set.tiles.get(id)?))) {
            shapes.extend(tile.shapes.iter().map(|object| (object, &*set.name, Some((set, *id)))));
        }
    }
    let mut pairs = MOST_PAIRS;
    for (object, holder, tile) in shapes {
        let fault = fault_of(object, &mut pairs);
        if pairs == 0 {
            check.give_up("the polygons of the map have too many points to be compared");
            break;
        }
        let Some(([headline, help], edges)) = fault else {
            continue;
        };
        let of_tile = tile.map_or(String::new(), |(_, id)| format!(", tile {id}"));
        let name = format!("object {} of `{}{of_tile}`", object.id, printable(holder));
        check.add(headline, name, || {
            let finding = match tile {
                None => check.finding(headline).place(at_object(holder, object)),
                Some((set, id)) => {
                    let path = set.file.as_deref().unwrap_or(check.path);
                    let place = in_tileset(holder, object.line);
                    check
                        .finding_in(path, headline)
                        .place(Place { object: Some(object.id), ..place })
                        .note(format!("it is a collision shape of tile {id}"))
                }
            };
            let points = edges.map(|(first, second)| format!("{} and {}", first + 1, second + 1));
            finding
                .notes(
                    points
                        .map(|it| format!("the edges from its points {it} cross, counted from 1")),
                )
                .help(help)
        });
    }
    Some(())
}

/// Returns the fault of a shape. Subtracts the number of compared pairs of edges from `pairs`.
fn fault_of(object: &Object, pairs: &mut u64) -> Option<ShapeFault> {
    const ANEW: &str = "draw it anew, or delete it";
    let words = match &object.shape {
        _ if has_no_size(object) => ["a shape has no size", ANEW],
        Shape::Polygon(points) if is_flat(points) => {
            ["the points of a polygon all lie on one line", ANEW]
        }
        Shape::Polygon(points) => {
            let edges = crossing(points, pairs)?;
            return Some((["the edges of a polygon cross", "move its points apart"], Some(edges)));
        }
        _ => return None,
    };
    Some((words, None))
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
    OBJECT_OUTSIDE(object_outside) = "TMX116" "object-outside" Warning on(Map)
}

fn object_outside(check: &Check<'_, '_>) -> Option<()> {
    let survey = check.survey()?;
    let area = survey.area?;
    let tile = check.map()?.tile_size.as_ivec2();
    let near = Aabb { min: area.min.saturating_sub(tile), max: area.max.saturating_add(tile) };
    for layer in &survey.layers {
        let path = &layer.context.path;
        for it in &layer.objects {
            let object = it.object;
            let mut markers = check.options.markers.iter();
            let is_marker = markers.any(|spec| spec.matches(&object.name));
            let kind = if is_marker {
                "the marker"
            } else if it.stops {
                "a solid object"
            } else if it.is_of_area {
                "an object of an area"
            } else {
                continue;
            };
            let around = if it.stops && !is_marker { near } else { area };
            if meets(around, it.bounds) {
                continue;
            }
            check.add(&format!("`{path}`"), format!("object {}", object.id), || {
                let [x, y] = [object.position.x, object.position.y].map(Decimal::as_f64);
                let Aabb { min, max } = area;
                let size = format!("x {}..{}, y {}..{}", min.x, max.x, min.y, max.y);
                check
                    .finding(format!("{kind} lies outside of the map"))
                    .place(at_object(path, object))
                    .area(it.bounds)
                    .note(format!("it is at x {x}, y {y}; the map is {size}"))
                    .help("move it back into the map, or delete it")
            });
        }
    }
    Some(())
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
    DUPLICATE_ID(duplicate_id) = "TMX121" "duplicate-id" Warning on(Map)
}

fn duplicate_id(check: &Check<'_, '_>) -> Option<()> {
    // One LDtk layer may become several layers with the same name.
    let is_of_tiled = check.path.extension().is_none_or(|ending| ending != "ldtk");
    let mut layers = HashMap::new();
    let mut objects = HashMap::new();
    let mut names = HashMap::new();
    let of_id = "delete the copy, or cut and paste it in Tiled, which gives it a new id";
    for surveyed in &check.survey()?.layers {
        let layer = surveyed.context.layer;
        let path = &surveyed.context.path;
        let shown = printable(path);
        if layer.id > 0
            && let Some(first) = layers.insert(layer.id, path)
        {
            check.add("ids of layers", layer.id.to_string(), || {
                check
                    .finding(format!("two layers have the id {}", layer.id))
                    .place(in_layer(path, layer.line))
                    .note(format!("the other one is `{}`", printable(first)))
                    .help(of_id)
            });
        }
        for object in surveyed.objects.iter().map(|it| it.object).filter(|it| it.id > 0) {
            if let Some(first) = objects.insert(object.id, path) {
                check.add("ids of objects", object.id.to_string(), || {
                    check
                        .finding(format!("two objects have the id {}", object.id))
                        .place(at_object(path, object))
                        .note(format!("the other one is on `{}`", printable(first)))
                        .help(of_id)
                });
            }
        }
        let kind = layer.content.kind();
        if is_of_tiled
            && surveyed.is_solid
            && surveyed.stops
            && !layer.name.is_empty()
            && let Some(line) = names.insert((kind, path), layer.line)
        {
            check.add("names of layers", format!("{kind} `{shown}`"), || {
                check
                    .finding(format!("two solid layers have the name `{shown}`"))
                    .place(in_layer(path, layer.line))
                    .note(format!("the other one starts in line {line}"))
                    .help(
                        "rename one of them, or merge them in Tiled under Layer > Merge Layer Down",
                    )
            });
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[(i32, i32)]) -> Vec<Point> {
        let at = Decimal::from_pixels;
        points.iter().map(|(x, y)| Point { x: at(*x), y: at(*y) }).collect()
    }

    fn crossing_of(points: &[(i32, i32)]) -> Option<(usize, usize)> {
        crossing(&polygon(points), &mut MOST_PAIRS.clone())
    }

    #[test]
    fn the_crossing_edges_of_a_polygon_are_found() {
        assert_eq!(crossing_of(&[(0, 0), (10, 10), (10, 0), (0, 10)]), Some((0, 2)));
        assert_eq!(crossing_of(&[(0, 0), (10, 0), (10, 10), (5, -5), (0, 10)]), Some((0, 2)));
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
            let crossing_of = crossing(&points, &mut MOST_PAIRS.clone());
            assert_eq!(crossing_of.is_some(), naive(&points), "{points:?}");
            crossed += u32::from(crossing_of.is_some());
        }
        assert!(crossed > 500, "{crossed}");
    }

    #[test]
    fn the_search_for_crossing_edges_ends_after_the_given_number_of_pairs() {
        let comb: Vec<(i32, i32)> =
            (0..5_000).map(|i| (if i % 2 == 0 { 0 } else { 9_000 }, i)).collect();
        let mut pairs = 1_000_000;
        assert_eq!((crossing(&polygon(&comb), &mut pairs), pairs), (None, 0));
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
}
