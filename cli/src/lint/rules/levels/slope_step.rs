//! Slopes whose end does not meet the floor beside it.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use bitwall::glam::IVec2;

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::px;
use bitwall::tmx::{CellBlock, Decimal, LayerContent, Map, Orientation, Point, Shape, flip};

rule! {
    /// # What it finds
    /// Two tiles side by side with collision shapes, of which one is a slope: their floors differ by 1 to 2
    /// px where they meet. It looks at the points of the shapes as Tiled's collision editor has them, flipped
    /// as the tile is, in orthogonal maps.
    ///
    /// # Why it matters
    /// The body stumbles at the joint, or is stopped there if it climbs no steps.
    ///
    /// # How to fix
    /// Open the tileset's collision editor and move the points to the corner of the tile; snapping helps.
    SLOPE_STEP = "LVL311" "slope-step" Warning on(Map)
}

/// The largest number of cells that are looked at.
const MAX_CELLS: usize = 1 << 22;

/// The least and the largest step that is an oversight, in millionths of a pixel.
const STEPS: std::ops::RangeInclusive<i64> = Decimal::PER_PIXEL..=2 * Decimal::PER_PIXEL;

/// The heights of a tile's floor, from the top of the tile in millionths of a pixel, at its left and at its
/// right edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Floor {
    left: Option<i64>,
    right: Option<i64>,
}

impl Floor {
    fn is_slope(self) -> bool {
        matches!((self.left, self.right), (Some(left), Some(right)) if left != right)
    }
}

/// Two tiles that do not meet.
struct Step {
    tiles: [u32; 2],
    height: i64,
    cell: IVec2,
    layer: Rc<str>,
    count: u32,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let maps = subject.maps().iter();
    let found = maps.filter_map(|placed| of_map(subject, &placed.map)).take(1);
    found.collect()
}

fn of_map(subject: &Subject<'_>, map: &Map) -> Option<Finding> {
    if map.orientation != Orientation::Orthogonal {
        return None;
    }
    let floors = floors(map);
    if !floors.values().any(|floor| floor.is_slope()) {
        return None;
    }
    let mut steps = BTreeMap::new();
    let mut left = MAX_CELLS;
    for context in map.walk().filter(|context| context.visible) {
        if let LayerContent::Tiles(layer) = &context.layer.content {
            let path: Rc<str> = context.path.as_str().into();
            for block in &layer.blocks {
                let Some(rest) = left.checked_sub(block.cells.len()) else {
                    subject.give_up(&SLOPE_STEP, format!("it has more than {MAX_CELLS} cells"));
                    return None;
                };
                left = rest;
                in_block(map, &path, block, &floors, &mut steps);
            }
        }
    }
    finding(subject, map, &steps.into_values().collect::<Vec<_>>())
}

/// The floors of all tiles of the size of a cell that have shapes, by their numbers without flags.
fn floors(map: &Map) -> HashMap<u32, Floor> {
    let mut floors = HashMap::new();
    for set in map.tilesets.iter().filter(|set| set.tile_size == map.tile_size) {
        for (id, tile) in &set.tiles {
            let outlines: Option<Vec<Vec<[i64; 2]>>> = tile.shapes.iter().map(outline).collect();
            // A tile with a shape that is no polygon has no floor that can be told.
            let floor = outlines.filter(|outlines| !outlines.is_empty()).map(|outlines| {
                let [width, height] = map.tile_size.to_array().map(in_millionths);
                let at =
                    |x: i64| outlines.iter().filter_map(|points| floor_at(points, x, height)).min();
                Floor { left: at(0), right: at(width) }
            });
            if let (Some(floor), Some(gid)) = (floor, set.first_gid.checked_add(*id)) {
                floors.insert(gid, floor);
            }
        }
    }
    floors
}

fn in_millionths(pixels: u32) -> i64 {
    i64::from(pixels) * Decimal::PER_PIXEL
}

/// The corners of a shape in the tile.
fn outline(shape: &bitwall::tmx::Object) -> Option<Vec<[i64; 2]>> {
    if shape.rotation != Decimal::ZERO {
        return None;
    }
    let at = |point: &Point| {
        let point = shape.position + *point;
        [point.x.millionths(), point.y.millionths()]
    };
    let [zero, size] = [Point::default(), shape.size];
    match &shape.shape {
        Shape::Polygon(points) => Some(points.iter().map(at).collect()),
        Shape::Rectangle => {
            let [right, bottom] = [Point { y: zero.y, ..size }, Point { x: zero.x, ..size }];
            Some([zero, right, size, bottom].iter().map(at).collect())
        }
        _ => None,
    }
}

/// The top of a shape's corners at `x`, if it goes down from there to the bottom of the tile: a floor, and
/// not a ceiling or a ledge.
fn floor_at(points: &[[i64; 2]], x: i64, bottom: i64) -> Option<i64> {
    let at = points.iter().filter(|point| point[0] == x).map(|point| point[1]);
    let (top, low) = (at.clone().min()?, at.max()?);
    let reaches = |y: i64| (y - bottom).abs() < Decimal::PER_PIXEL;
    // A slope that ends in the lower corner has one point there.
    (reaches(low)).then_some(top)
}

/// The floor of a tile with its flips; `None` for one that is turned or upside down.
fn placed(floors: &HashMap<u32, Floor>, gid: u32) -> Option<Floor> {
    let floor = *floors.get(&(gid & !flip::ALL))?;
    if gid & (flip::VERTICAL | flip::DIAGONAL) != 0 {
        return None;
    }
    Some(match gid & flip::HORIZONTAL {
        0 => floor,
        _ => Floor { left: floor.right, right: floor.left },
    })
}

fn in_block(
    map: &Map,
    layer: &Rc<str>,
    block: &CellBlock,
    floors: &HashMap<u32, Floor>,
    steps: &mut BTreeMap<[u32; 2], Step>,
) {
    let height = in_millionths(map.tile_size.y);
    let width = block.size.x as usize;
    for (row, cells) in block.cells.chunks(width.max(1)).enumerate() {
        let below = block.cells.chunks(width.max(1)).nth(row + 1).unwrap_or_default();
        for (column, pair) in cells.windows(2).enumerate() {
            let [one, other] = *pair else { continue };
            let lower = |column: usize| below.get(column).copied().unwrap_or_default();
            // Level with each other, or down to the next row on either side.
            let pairs = [
                ([one, other], [0, 0]),
                ([one, lower(column + 1)], [0, height]),
                ([lower(column), other], [height, 0]),
            ];
            for (tiles, drops) in pairs {
                let blocked = (drops[1] > 0 && other != 0) || (drops[0] > 0 && one != 0);
                let Some([left, right]) = floors_of(floors, tiles).filter(|_| !blocked) else {
                    continue;
                };
                let (Some(from), Some(to)) = (left.right, right.left) else { continue };
                let step = (from + drops[0] - to - drops[1]).abs();
                if STEPS.contains(&step) && (left.is_slope() || right.is_slope()) {
                    let cell = block.origin + IVec2::new(column as i32, row as i32);
                    let new =
                        || Step { tiles, height: step, cell, layer: Rc::clone(layer), count: 0 };
                    steps.entry(tiles).or_insert_with(new).count += 1;
                }
            }
        }
    }
}

fn floors_of(floors: &HashMap<u32, Floor>, tiles: [u32; 2]) -> Option<[Floor; 2]> {
    Some([placed(floors, tiles[0])?, placed(floors, tiles[1])?])
}

fn finding(subject: &Subject<'_>, map: &Map, steps: &[Step]) -> Option<Finding> {
    let first = steps.iter().max_by_key(|step| step.count)?;
    let pair = |step: &Step| {
        step.tiles.map(|gid| {
            let (set, id) = map.tile(gid).unwrap_or_default();
            let name = map.tilesets.get(set).map_or("", |set| &set.name);
            (name, id)
        })
    };
    let [one, other] = pair(first);
    let pixels = first.height as f64 / Decimal::PER_PIXEL as f64;
    let count: u32 = steps.iter().map(|step| step.count).sum();
    let headline = match count {
        1 => format!("a slope misses the floor beside it by {pixels:.1} px"),
        _ => format!("slopes miss the floor beside them in {count} places, by {pixels:.1} px"),
    };
    let place = Place {
        layer: Some(first.layer.to_string()),
        cell: Some(first.cell.into()),
        tileset: Some(one.0.to_owned()),
        ..Place::default()
    };
    let cell = px(map.tile_size);
    Some(
        Finding::new(&SLOPE_STEP, subject.path, headline)
            .of_named(
                "",
                steps.iter().map(|step| {
                    pair(step).map(|it| format!("tile {} of `{}`", it.1, it.0)).join(", ")
                }),
            )
            .at(place)
            .note(format!("tile {} beside tile {}, in cells of {cell}", one.1, other.1))
            .help(
                "move the points of the shape to the corner of the tile, in the collision editor",
            ),
    )
}
