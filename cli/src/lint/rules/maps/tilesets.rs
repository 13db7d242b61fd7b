//! The rules for the paths in a map, the pictures that they lead to, and the slopes of tilesets.
//!
//! Pictures are opened for their size alone, at most 1,024 of them; none is decoded.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::lint::finding::{Finding, in_tileset};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::Subject;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::{Disk, Files, Place, picture_size};
use bitwall::text::{path_in_line, printable, px};
use bitwall::tmx::{
    CellBlock, Decimal, Image, LayerContent, Map, Object, Orientation, Point, Shape, Tileset, flip,
};

/// The rules of this file with their checks.
pub(super) static CHECKS: &[(&LintRule, Check)] = &[
    (&MISSING_PICTURE, missing_picture),
    (&UNPORTABLE_PATH, unportable_path),
    (&TILESET_PICTURE_SIZE, tileset_picture_size),
    (&SLOPE_STEP, slope_step),
];

// The paths in a map's files, as they are written there.

/// A path as a file writes it.
struct WrittenPath<'m> {
    written: &'m str,
    /// The file that it leads to, joined to the folder of the file that writes it.
    target: Option<&'m Path>,
    /// The file that writes it, if that is not the map's own, and the line there.
    file: Option<&'m PathBuf>,
    line: u32,
}

/// The paths that a map and its tilesets write, in the order of the documents. O(layers + objects + tiles).
fn written_paths(map: &Map) -> Vec<WrittenPath<'_>> {
    let mut all = Vec::new();
    for set in &map.tilesets {
        all.push(WrittenPath {
            written: &set.source,
            target: set.file.as_deref(),
            file: None,
            line: set.line,
        });
        let file = set.file.as_ref();
        all.extend(set.image.iter().map(|image| picture(image, file)));
        for tile in set.tiles.values() {
            all.extend(tile.image.iter().map(|image| picture(image, file)));
            all.extend(tile.shapes.iter().filter_map(|shape| template(shape, file)));
        }
    }
    for context in map.walk() {
        match &context.layer.content {
            LayerContent::Objects(objects) => {
                all.extend(objects.objects.iter().filter_map(|object| template(object, None)));
            }
            LayerContent::Image(layer) => {
                all.extend(layer.image.iter().map(|image| picture(image, None)));
            }
            LayerContent::Tiles(_) | LayerContent::Group(_) => {}
        }
    }
    all.retain(|path| !path.written.is_empty());
    all
}

fn picture<'m>(image: &'m Image, file: Option<&'m PathBuf>) -> WrittenPath<'m> {
    let (written, target) = (image.source.as_str(), Some(image.path.as_path()));
    WrittenPath { written, target, file, line: image.line }
}

fn template<'m>(object: &'m Object, file: Option<&'m PathBuf>) -> Option<WrittenPath<'m>> {
    let written = object.template.as_deref()?;
    Some(WrittenPath { written, target: None, file, line: object.line })
}

// Pictures that a map names and that do not exist.

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names, and that does not exist or is outside the root
    /// folder. One whose path is not portable is reported by `unportable-path` instead.
    ///
    /// # Why it matters
    /// The level loads without its pictures, but the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or fix its path in the tileset or layer.
    MISSING_PICTURE = "TMX110" "missing-picture" Warning on(Map)
}

/// The number of pictures that are named; the others are only counted.
const SHOWN: usize = 3;

fn missing_picture(subject: &Subject<'_>) -> Vec<Finding> {
    let missing = subject.missing_pictures();
    let elsewhere = reported(subject, missing);
    let is_ours = |picture: &&PathBuf| !elsewhere.contains(picture.as_path());
    let missing: Vec<&PathBuf> = missing.iter().filter(is_ours).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let folder = subject.path.parent().unwrap_or(Path::new(""));
    // The same on every machine.
    let from_map = |path: &Path| {
        let below = path.strip_prefix(folder).ok();
        let below = below.or(path.file_name().map(Path::new)).unwrap_or(path);
        printable(&below.to_string_lossy()).to_string()
    };
    let headline = match missing.len() {
        1 => "a picture that the map names is not there".to_owned(),
        count => format!("{count} pictures that the map names are not there"),
    };
    let mut finding = Finding::new(&MISSING_PICTURE, subject.path, headline)
        .of_named("", missing.iter().map(|path| from_map(path)))
        .help("put it there, or fix its path in the tileset or layer");
    for path in missing.iter().take(SHOWN) {
        finding = finding.note(format!("looked for {}", path_in_line(path)));
    }
    vec![finding]
}

// Paths in a map's files that only some systems can follow.

rule! {
    /// # What it finds
    /// A path in a map or in one of its tilesets that has a backslash, starts at the root of a disk or with
    /// the letter of a drive, or that names a picture whose letter case on the disk is another. A tileset or
    /// template that cannot be read for such a path is reported by `lost-reference`.
    ///
    /// # Why it matters
    /// The map opens on the machine on which it was made, and not on others: a backslash is a part of the
    /// name on Linux, `Tiles.png` and `tiles.png` are two files there, and nobody else has the folder
    /// `C:\Users\me`.
    ///
    /// # How to fix
    /// Write the path relative to the file that it stands in, with `/` between the folders, and with the case
    /// of the disk. Tiled does so when the file is saved in the folder of the project.
    UNPORTABLE_PATH = "TMX115" "unportable-path" Warning on(Map)
}

/// Missing pictures that are looked for in another letter case, which lists the folders on their paths.
const MOST_MISSING: usize = 64;

/// The fault of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PathFault {
    Drive,
    Absolute,
    Backslash,
    Case,
}

fn unportable_path(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let missing = subject.missing_pictures();
    if missing.len() > MOST_MISSING {
        let reason =
            format!("of the missing pictures the letter case of {MOST_MISSING} is compared");
        subject.give_up(&UNPORTABLE_PATH, reason);
    }
    let as_on_disk = of_other_case(subject, missing);
    let mut groups: BTreeMap<(PathFault, Option<&PathBuf>), Vec<WrittenPath<'_>>> = BTreeMap::new();
    for path in written_paths(map) {
        let is_of_case = path.target.is_some_and(|target| as_on_disk.contains_key(target));
        let by_case = || is_of_case.then_some(PathFault::Case);
        if let Some(fault) = path_fault(path.written).or_else(by_case) {
            let key = (fault, path.file);
            groups.entry(key).or_default().push(path);
        }
    }
    let finding =
        |((fault, file), paths): ((PathFault, Option<&PathBuf>), Vec<WrittenPath<'_>>)| {
            let first = paths.first()?;
            let names = paths.iter().map(|path| printable(path.written).to_string());
            let (reason, help) = fault_words(fault);
            let line = (first.line > 0).then_some((first.line, 1));
            let path = file.map_or(subject.path, |file| Path::new(file));
            let mut finding =
                Finding::new(&UNPORTABLE_PATH, path, format!("the path of a file {reason}"))
                    .of_named(reason, names)
                    .place(Place { line, ..Place::default() })
                    .note(format!("it is written `{}`", printable(first.written)))
                    .help(help);
            if let Some(real) = first.target.and_then(|target| as_on_disk.get(target)) {
                finding = finding.note(format!("on the disk it is {}", path_in_line(real)));
            }
            if file.is_some() {
                finding = finding.note(format!("found by the map {}", path_in_line(subject.path)));
            }
            Some(match paths.len() {
                1 => finding,
                count => finding.note(format!("{count} paths are so; this is the first")),
            })
        };
    groups.into_iter().take(MOST_FINDINGS).filter_map(finding).collect()
}

/// The fault in words, and one thing to do about it.
fn fault_words(fault: PathFault) -> (&'static str, &'static str) {
    let relative = "write it relative to the file that it stands in";
    match fault {
        PathFault::Drive => ("starts with the letter of a drive", relative),
        PathFault::Absolute => ("is absolute", relative),
        PathFault::Backslash => ("has a backslash", "write `/` between its folders"),
        PathFault::Case => (
            "differs from the disk in letter case",
            "write its name with the same capital letters as on the disk",
        ),
    }
}

/// Those of the first missing pictures that are on the disk in another letter case, and their paths there.
fn of_other_case<'p>(subject: &Subject<'_>, missing: &'p [PathBuf]) -> BTreeMap<&'p Path, PathBuf> {
    let mut disk = Disk::new(subject.path, &subject.options.load);
    let first = missing.iter().take(MOST_MISSING);
    first.filter_map(|picture| Some((picture.as_path(), disk.other_case(picture)?))).collect()
}

/// The missing pictures whose reason this rule reports; none if it is off.
fn reported<'p>(subject: &Subject<'_>, missing: &'p [PathBuf]) -> BTreeSet<&'p Path> {
    let is_off = subject.options.levels.severity_of(&UNPORTABLE_PATH).is_none();
    let Some(map) = subject.map().filter(|_| !is_off && !missing.is_empty()) else {
        return BTreeSet::new();
    };
    let mut reported: BTreeSet<&Path> = of_other_case(subject, missing).into_keys().collect();
    for path in written_paths(map).into_iter().filter(|path| path_fault(path.written).is_some()) {
        let place = path.target.map(|target| missing.binary_search_by(|it| (**it).cmp(target)));
        let picture = place.and_then(|place| missing.get(place.ok()?));
        reported.extend(picture.map(PathBuf::as_path));
    }
    reported
}

/// The fault that a path shows by itself.
fn path_fault(written: &str) -> Option<PathFault> {
    let bytes = written.as_bytes();
    let has_drive =
        bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic);
    if has_drive {
        Some(PathFault::Drive)
    } else if written.starts_with(['/', '\\']) {
        Some(PathFault::Absolute)
    } else {
        written.contains('\\').then_some(PathFault::Backslash)
    }
}

// Pictures of tilesets whose size differs from the one that the tileset states.

rule! {
    /// # What it finds
    /// A tileset whose picture on the disk has another size than the tileset states, so that it has another
    /// number of columns, or no room for all tiles that the tileset states. Also a tileset that states
    /// another number of columns than its picture has. Rows that were added at the
    /// bottom are no fault, and neither are a few pixels that hold no tile.
    ///
    /// # Why it matters
    /// A tile is found in the picture by its number and the number of columns. With other columns the map
    /// shows other tiles than those that its walls were made of, and programs differ in which size they
    /// believe.
    ///
    /// # How to fix
    /// Open the tileset in Tiled, which reads the picture anew, look at the map, and save both. Or restore
    /// the picture.
    TILESET_PICTURE_SIZE = "TMX118" "tileset-picture-size" Warning on(Map)
}

/// The bytes of a picture that are read for its size. Nearly every one has it in the first 4,096.
const HEADER_BYTES: usize = 1 << 16;

/// The pictures that are opened.
const MOST_PICTURES: usize = 1_024;

fn tileset_picture_size(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let mut disk = Disk::new(subject.path, &subject.options.load);
    // Many tilesets may name one picture.
    let mut sizes: HashMap<&Path, Option<UVec2>> = HashMap::new();
    let mut findings = Vec::new();
    for set in &map.tilesets {
        let Some(image) = set.image.as_ref().filter(|image| image.data.is_none()) else {
            continue;
        };
        // Without a stated size there is nothing to differ from; a missing picture is another fault.
        if image.size.min_element() == 0 {
            continue;
        }
        if sizes.len() == MOST_PICTURES {
            let reason = format!("the size of {MOST_PICTURES} pictures at most is read");
            subject.give_up(&TILESET_PICTURE_SIZE, reason);
            break;
        }
        let size =
            || picture_size(&image.path, &disk.read_start(&image.path, HEADER_BYTES).ok()?).ok();
        let Some(found) = *sizes.entry(&image.path).or_insert_with(size) else {
            continue;
        };
        let Some(difference) = difference(set, image.size, found) else {
            continue;
        };
        let place = in_tileset(&set.name, image.line);
        let path = set.file.as_deref().unwrap_or(subject.path);
        let (headline, reason) = difference;
        let mut finding = Finding::new(&TILESET_PICTURE_SIZE, path, headline)
            .place(place)
            .note(reason)
            .note(format!("the picture is {}", path_in_line(&image.path)))
            .help("open the tileset in Tiled, look at the map, and save both");
        if path != subject.path {
            finding = finding.note(found_by(subject.path));
        }
        findings.push(finding);
        if findings.len() == MOST_FINDINGS {
            break;
        }
    }
    findings
}

fn found_by(map: &Path) -> String {
    format!("found by the map {}", path_in_line(map))
}

/// The difference that a picture makes to a tileset, as a headline and a note; `None` if it makes none.
fn difference(set: &Tileset, stated: UVec2, found: UVec2) -> Option<(String, String)> {
    let columns = |picture: UVec2| set.tiles_in(UVec2::new(picture.x, first_row(set)));
    let (was, is) = (columns(stated), columns(found));
    let size = || format!("the tileset's picture is {}, not {}", px(found), px(stated));
    if was != is {
        return Some((
            size(),
            format!("it has {is} columns of tiles, where the tileset has {was}"),
        ));
    }
    if let Some(count) = set.columns.filter(|&count| count > 0 && u64::from(count) != is) {
        let headline = format!("the tileset states {count} columns, and its picture has {is}");
        return Some((headline, format!("the picture measures {}", px(found))));
    }
    let (room, wanted) = (set.tiles_in(found), set.tiles_in(stated));
    let wanted = set.tile_count.map_or(wanted, |count| wanted.min(u64::from(count)));
    let has_less_room = || format!("it has room for {room} tiles, and the tileset has {wanted}");
    (room < wanted).then(|| (size(), has_less_room()))
}

/// The height of a picture with one row of tiles.
fn first_row(set: &Tileset) -> u32 {
    set.margin.saturating_add(set.tile_size.y)
}

// Slopes whose end does not meet the floor beside it.

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

fn slope_step(subject: &Subject<'_>) -> Vec<Finding> {
    let maps = subject.maps().iter();
    let found = maps.filter_map(|placed| slope_steps(subject, &placed.map)).take(1);
    found.collect()
}

fn slope_steps(subject: &Subject<'_>, map: &Map) -> Option<Finding> {
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
    slope_finding(subject, map, &steps.into_values().collect::<Vec<_>>())
}

/// The floors of all tiles of the size of a cell that have shapes, by their numbers without flags.
fn floors(map: &Map) -> HashMap<u32, Floor> {
    let mut floors = HashMap::new();
    for set in map.tilesets.iter().filter(|set| set.tile_size == map.tile_size) {
        for (id, tile) in &set.tiles {
            let outlines: Option<Vec<Vec<[i64; 2]>>> = tile.shapes.iter().map(outline).collect();
            // A tile with a shape that is no polygon has no known floor.
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

fn slope_finding(subject: &Subject<'_>, map: &Map, steps: &[Step]) -> Option<Finding> {
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
            .place(place)
            .note(format!("tile {} beside tile {}, in cells of {cell}", one.1, other.1))
            .help(
                "move the points of the shape to the corner of the tile, in the collision editor",
            ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_system_are_known() {
        for (written, expected) in [
            ("tiles.png", None),
            ("../sets/tiles.png", None),
            ("a b/c:d.png", None),
            ("", None),
            ("sets\\tiles.png", Some(PathFault::Backslash)),
            ("/home/me/tiles.png", Some(PathFault::Absolute)),
            ("\\\\server\\tiles.png", Some(PathFault::Absolute)),
            ("C:\\tiles.png", Some(PathFault::Drive)),
            ("c:/tiles.png", Some(PathFault::Drive)),
        ] {
            assert_eq!(path_fault(written), expected, "{written}");
        }
    }

    #[test]
    fn only_a_size_that_moves_tiles_makes_a_difference() {
        let set = Tileset {
            tile_size: UVec2::new(16, 16),
            tile_count: Some(8),
            margin: 1,
            spacing: 2,
            ..Tileset::default()
        };
        let stated = UVec2::new(1 + 4 * 18, 1 + 2 * 18);
        assert_eq!(set.tiles_in(stated), 8);
        let differs = |x: u32, y: u32| difference(&set, stated, UVec2::new(x, y)).is_some();
        assert!(!differs(stated.x, stated.y) && !differs(stated.x + 5, stated.y + 90));
        assert!(!differs(stated.x - 2, stated.y - 2), "the last gap");
        assert!(differs(stated.x + 18, stated.y) && differs(stated.x - 3, stated.y));
        assert!(differs(stated.x, stated.y - 3) && differs(1, 1));
        let (four, five) = ([Some(4), Some(0), None], Some(5));
        let stating = |columns| Tileset { columns, ..set.clone() };
        assert!(four.into_iter().all(|it| difference(&stating(it), stated, stated).is_none()));
        assert!(difference(&stating(five), stated, stated).is_some());
    }
}
