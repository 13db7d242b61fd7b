//! The rules for the paths and pictures of a map, and for slopes in tilesets. They decode no picture.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::lint::finding::{Finding, in_tileset, on_line};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::Subject;
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::text::{path_in_line, printable, px};
use bitwall::tmx::{
    CellBlock, Decimal, Image, LayerContent, Map, Object, Orientation, Point, Shape, Tileset, flip,
};

pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] = &[
    (&MISSING_PICTURE, missing_picture),
    (&UNPORTABLE_PATH, unportable_path),
    (&TILESET_PICTURE_SIZE, tileset_picture_size),
    (&OVERLAPPING_TILESETS, overlapping_tilesets),
    (&SLOPE_STEP, slope_step),
];

struct WrittenPath<'m> {
    written: &'m str,
    /// The path `written`, joined to the folder of the file that contains it; `None` for a path to a
    /// template.
    target: Option<&'m Path>,
    /// The file that contains the path; `None` for the map's own file.
    file: Option<&'m Path>,
    line: u32,
}

/// Returns the paths written in a map and its tilesets, in document order. O(layers + objects + tiles).
fn written_paths(map: &Map) -> Vec<WrittenPath<'_>> {
    let mut all = Vec::new();
    for set in &map.tilesets {
        let (written, target) = (&*set.source, set.file.as_deref());
        all.push(WrittenPath { written, target, file: None, line: set.line });
        let file = set.file.as_deref();
        all.extend(set.image.as_ref().map(|image| picture(image, file)));
        for tile in set.tiles.values() {
            all.extend(tile.image.as_ref().map(|image| picture(image, file)));
            all.extend(tile.shapes.iter().filter_map(|shape| template(shape, file)));
        }
    }
    for context in map.walk() {
        match &context.layer.content {
            LayerContent::Objects(objects) => {
                all.extend(objects.objects.iter().filter_map(|object| template(object, None)));
            }
            LayerContent::Image(layer) => {
                all.extend(layer.image.as_ref().map(|image| picture(image, None)));
            }
            LayerContent::Tiles(_) | LayerContent::Group(_) => {}
        }
    }
    all.retain(|path| !path.written.is_empty());
    all
}

fn picture<'m>(image: &'m Image, file: Option<&'m Path>) -> WrittenPath<'m> {
    let (written, target) = (image.source.as_str(), Some(image.path.as_path()));
    WrittenPath { written, target, file, line: image.line }
}

fn template<'m>(object: &'m Object, file: Option<&'m Path>) -> Option<WrittenPath<'m>> {
    let written = object.template.as_deref()?;
    Some(WrittenPath { written, target: None, file, line: object.line })
}

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names, but that does not exist or is outside the root
    /// folder. A path that is not portable is reported by `unportable-path` instead.
    ///
    /// # Why it matters
    /// The level loads without its pictures, but the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or fix its path in the tileset or layer.
    MISSING_PICTURE = "TMX110" "missing-picture" Warning on(Map)
}

const SHOWN: usize = 3;

fn missing_picture(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let elsewhere = reported(subject);
    let missing = subject.missing_pictures().iter();
    let missing: Vec<&PathBuf> = missing.filter(|it| !elsewhere.contains(&it.as_path())).collect();
    let folder = subject.path.parent().unwrap_or(Path::new(""));
    // Findings name the missing pictures by paths relative to the map, so that a baseline is the same on
    // every machine.
    let from_map = |path: &&PathBuf| {
        let below = path.strip_prefix(folder).ok();
        let below = below.or(path.file_name().map(Path::new)).unwrap_or(path);
        printable(&below.to_string_lossy()).to_string()
    };
    let headline = match missing.len() {
        0 => return None,
        1 => "a picture that the map names is not there".to_owned(),
        count => format!("{count} pictures that the map names are not there"),
    };
    let shown = missing.iter().take(SHOWN);
    let notes: Vec<String> =
        shown.map(|path| format!("looked for {}", path_in_line(path))).collect();
    Some(vec![
        subject
            .finding(rule, headline)
            .of_named("", &mut missing.iter().map(from_map))
            .notes(notes)
            .help("put it there, or fix its path in the tileset or layer"),
    ])
}

rule! {
    /// # What it finds
    /// A path in a map or in one of its tilesets that contains a backslash, starts at the root of a disk, or
    /// starts with a drive letter. Also a path to a picture whose letter case differs from the file on the
    /// disk. A tileset or template that cannot be read because of such a path is reported by
    /// `lost-reference`.
    ///
    /// # Why it matters
    /// The map opens only on the machine where it was made. On Linux a backslash is part of a name, and
    /// `Tiles.png` and `tiles.png` are two files. Nobody else has the folder `C:\Users\me`.
    ///
    /// # How to fix
    /// Write the path relative to the file that contains it, with `/` between the folders, and in the letter
    /// case of the disk. Tiled does so when the file is saved in the folder of the project.
    UNPORTABLE_PATH = "TMX115" "unportable-path" Warning on(Map)
}

/// The largest number of missing pictures that are searched in another letter case. Each search lists
/// folders.
const MOST_MISSING: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PathFault {
    Drive,
    Absolute,
    Backslash,
    Case,
}

fn unportable_path(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let map = subject.map()?;
    if subject.missing_pictures().len() > MOST_MISSING {
        let reason =
            format!("of the missing pictures the letter case of {MOST_MISSING} is compared");
        subject.give_up(rule, reason);
    }
    let as_on_disk = of_other_case(subject);
    let on_disk = |path: &WrittenPath<'_>| as_on_disk.get(path.target?);
    let mut groups = BTreeMap::<(PathFault, Option<&Path>), Vec<WrittenPath<'_>>>::new();
    for path in written_paths(map) {
        let fault = path_fault(path.written);
        if let Some(fault) = fault.or_else(|| on_disk(&path).map(|_| PathFault::Case)) {
            groups.entry((fault, path.file)).or_default().push(path);
        }
    }
    let mut findings = Vec::new();
    for ((fault, file), paths) in groups.into_iter().take(MOST_FINDINGS) {
        let relative = "write it relative to the file that it stands in";
        let (reason, help) = match fault {
            PathFault::Drive => ("starts with the letter of a drive", relative),
            PathFault::Absolute => ("is absolute", relative),
            PathFault::Backslash => ("has a backslash", "write `/` between its folders"),
            PathFault::Case => (
                "differs from the disk in letter case",
                "write its name with the same capital letters as on the disk",
            ),
        };
        let (first, count) = (&paths[0], paths.len());
        let mut names = paths.iter().map(|path| printable(path.written).to_string());
        let real = on_disk(first).map(|real| format!("on the disk it is {}", path_in_line(real)));
        let headline = format!("the path of a file {reason}");
        findings.push(
            Finding::new(rule, file.unwrap_or(subject.path), headline)
                .of_named(reason, &mut names)
                .place(on_line(first.line))
                .note(format!("it is written `{}`", printable(first.written)))
                .notes(real)
                .notes(file.map(|_| found_by(subject.path)))
                .notes((count > 1).then(|| format!("{count} paths are so; this is the first")))
                .help(help),
        );
    }
    Some(findings)
}

fn found_by(map: &Path) -> String {
    format!("found by the map {}", path_in_line(map))
}

/// Returns the missing pictures that exist in another letter case, each with its path on the disk. Searches
/// only for the first [`MOST_MISSING`] missing pictures.
fn of_other_case<'s>(subject: &'s Subject<'_>) -> HashMap<&'s Path, PathBuf> {
    let mut files = subject.files();
    let first = subject.missing_pictures().iter().take(MOST_MISSING);
    first.filter_map(|picture| Some((picture.as_path(), files.other_case(picture)?))).collect()
}

/// Returns the files whose paths [`UNPORTABLE_PATH`] reports. Empty if that rule is off, or if no picture is
/// missing.
fn reported<'s>(subject: &'s Subject<'_>) -> HashSet<&'s Path> {
    let is_off = subject.options.levels.severity_of(&UNPORTABLE_PATH).is_none();
    let missing = subject.missing_pictures();
    let Some(map) = subject.map().filter(|_| !is_off && !missing.is_empty()) else {
        return HashSet::new();
    };
    let mut reported: HashSet<&Path> = of_other_case(subject).into_keys().collect();
    let written = written_paths(map).into_iter().filter(|it| path_fault(it.written).is_some());
    reported.extend(written.filter_map(|path| path.target));
    reported
}

/// Returns the fault in the text of a path; `None` if there is none. Does not read the disk.
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

rule! {
    /// # What it finds
    /// A tileset whose picture on the disk differs in size from the size that the tileset states, so that it
    /// has another number of columns, or no room for all tiles. Also a tileset that states another number of
    /// columns than its picture has. Added rows at the bottom are not a fault, and neither are a few pixels
    /// that contain no tile.
    ///
    /// # Why it matters
    /// The position of a tile in the picture depends on its number and on the number of columns. With another
    /// number of columns the map shows other tiles than the ones its walls were made of. Programs differ in
    /// which size they use.
    ///
    /// # How to fix
    /// Open the tileset in Tiled, which reads the picture again, look at the map, and save both. Or restore
    /// the picture.
    TILESET_PICTURE_SIZE = "TMX118" "tileset-picture-size" Warning on(Map)
}

const MOST_PICTURES: usize = 1_024;

fn tileset_picture_size(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let mut files = subject.files();
    // Several tilesets may use one picture, so sizes are read once.
    let mut sizes: HashMap<&Path, Option<UVec2>> = HashMap::new();
    let mut findings = Vec::new();
    for set in &subject.map()?.tilesets {
        // Only a stated size can differ. Another rule reports a missing picture.
        let is_stated = |image: &&Image| image.data.is_none() && image.size.min_element() > 0;
        let Some(image) = set.image.as_ref().filter(is_stated) else {
            continue;
        };
        if sizes.len() == MOST_PICTURES {
            let reason = format!("the size of {MOST_PICTURES} pictures at most is read");
            subject.give_up(rule, reason);
            break;
        }
        let size = *sizes.entry(&image.path).or_insert_with(|| files.picture_size(&image.path));
        let Some((headline, reason)) = size.and_then(|size| difference(set, image.size, size))
        else {
            continue;
        };
        let path = set.file.as_deref().unwrap_or(subject.path);
        findings.push(
            Finding::new(rule, path, headline)
                .place(in_tileset(&set.name, image.line))
                .note(reason)
                .note(format!("the picture is {}", path_in_line(&image.path)))
                .notes((path != subject.path).then(|| found_by(subject.path)))
                .help("open the tileset in Tiled, look at the map, and save both"),
        );
        if findings.len() == MOST_FINDINGS {
            break;
        }
    }
    Some(findings)
}

/// Returns a headline and a note if the picture has another number of tile columns than the tileset, or no
/// room for all its tiles; `None` otherwise. `stated` is the picture's size according to the tileset, `real`
/// its size on the disk, in pixels.
fn difference(set: &Tileset, stated: UVec2, real: UVec2) -> Option<(String, String)> {
    let first_row = set.margin.saturating_add(set.tile_size.y);
    let columns = |picture: UVec2| set.tiles_in(UVec2::new(picture.x, first_row));
    let (was, is) = (columns(stated), columns(real));
    let size = || format!("the tileset's picture is {}, not {}", px(real), px(stated));
    if was != is {
        return Some((
            size(),
            format!("it has {is} columns of tiles, where the tileset has {was}"),
        ));
    }
    if let Some(count) = set.columns.filter(|&count| count > 0 && u64::from(count) != is) {
        let headline = format!("the tileset states {count} columns, and its picture has {is}");
        return Some((headline, format!("the picture measures {}", px(real))));
    }
    let (room, wanted) = (set.tiles_in(real), set.tiles_in(stated));
    let wanted = set.tile_count.map_or(wanted, |count| wanted.min(u64::from(count)));
    let has_less_room = || format!("it has room for {room} tiles, and the tileset has {wanted}");
    (room < wanted).then(|| (size(), has_less_room()))
}

rule! {
    /// # What it finds
    /// A tileset inside a map whose tile numbers reach beyond the first number of the next tileset. A tileset
    /// in its own file is not checked: it may have grown since the map was saved, and Tiled then changes the
    /// numbers.
    ///
    /// # Why it matters
    /// Two tiles share a number. bitwall and Tiled use the tile of the later tileset, other programs the
    /// first that fits. So the map shows other tiles and other walls in these programs.
    ///
    /// # How to fix
    /// Open the map in Tiled, look at it, and save it, which assigns new numbers. Such maps come from merges
    /// and from scripts.
    OVERLAPPING_TILESETS = "TMX129" "overlapping-tilesets" Warning on(Map)
}

fn overlapping_tilesets(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let mut sets: Vec<&Tileset> = subject.map()?.tilesets.iter().collect();
    sets.sort_by_key(|set| set.first_gid);
    let finding = |pair: &[&Tileset]| {
        let (set, next) = (pair[0], pair[1]);
        let count = set.tile_count.filter(|_| set.file.is_none())?;
        let room = next.first_gid - set.first_gid;
        let [name, other] = [set, next].map(|set| printable(&set.name).to_string());
        (count > room).then(|| {
            subject
                .finding(rule, format!("the tiles of `{name}` reach into those of `{other}`"))
                .place(in_tileset(&set.name, set.line))
                .note(format!("it has {count} tiles, and there is room for {room}"))
                .help("open the map in Tiled, look at it, and save it")
        })
    };
    Some(sets.windows(2).filter_map(finding).take(MOST_FINDINGS).collect())
}

rule! {
    /// # What it finds
    /// Two adjacent tiles with collision shapes, at least one of them a slope, whose floors differ by 1 to 2
    /// px where they meet. The rule reads the points of the shapes from Tiled's collision editor, flipped
    /// like the tile. It checks orthogonal maps only.
    ///
    /// # Why it matters
    /// The body stumbles at the joint, or stops there if it climbs no steps.
    ///
    /// # How to fix
    /// Open the tileset's collision editor and move the points to the corner of the tile; snapping helps.
    SLOPE_STEP = "LVL311" "slope-step" Warning on(Map)
}

const MAX_CELLS: usize = 1 << 22;

/// The heights of steps between slopes that count as a mistake, in millionths of a pixel: 1 to 2 px.
const STEPS: std::ops::RangeInclusive<i64> = Decimal::PER_PIXEL..=2 * Decimal::PER_PIXEL;

/// The floor of a tile at its left and right edge: the distance below the top of the tile, in millionths of a
/// pixel. `None` for an edge without a floor.
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

struct Step {
    tiles: [u32; 2],
    height: i64,
    cell: IVec2,
    layer: Rc<str>,
    count: u32,
}

fn slope_step(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let mut maps = subject.maps().iter();
    maps.find_map(|placed| slope_steps(rule, subject, &placed.map)).map(|finding| vec![finding])
}

fn slope_steps(rule: &'static LintRule, subject: &Subject<'_>, map: &Map) -> Option<Finding> {
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
                    subject.give_up(rule, format!("it has more than {MAX_CELLS} cells"));
                    return None;
                };
                left = rest;
                in_block(map, &path, block, &floors, &mut steps);
            }
        }
    }
    let first = steps.values().max_by_key(|step| step.count)?;
    let tiles = |step: &Step| {
        step.tiles.map(|gid| {
            map.tile(gid).map_or(("", 0), |tile| (&*map.tilesets[tile.tileset].name, tile.id))
        })
    };
    let [(set, one), (_, other)] = tiles(first);
    let pixels = first.height as f64 / Decimal::PER_PIXEL as f64;
    let headline = match steps.values().map(|step| step.count).sum::<u32>() {
        1 => format!("a slope misses the floor beside it by {pixels:.1} px"),
        count => format!("slopes miss the floor beside them in {count} places, by {pixels:.1} px"),
    };
    let place = Place {
        layer: Some(first.layer.to_string()),
        cell: Some(first.cell.into()),
        ..in_tileset(set, 0)
    };
    let name = |step: &Step| {
        let [(set, one), (other_set, other)] = tiles(step);
        format!("tile {one} of `{set}`, tile {other} of `{other_set}`")
    };
    let cell = px(map.tile_size);
    Some(
        subject
            .finding(rule, headline)
            .of_named("", &mut steps.values().map(name))
            .place(place)
            .note(format!("tile {one} beside tile {other}, in cells of {cell}"))
            .help(
                "move the points of the shape to the corner of the tile, in the collision editor",
            ),
    )
}

/// Returns the floors of the tiles with collision shapes, in tilesets whose tiles have the size of a map
/// cell. The keys are global tile ids without flip flags.
fn floors(map: &Map) -> HashMap<u32, Floor> {
    let mut floors = HashMap::new();
    for set in map.tilesets.iter().filter(|set| set.tile_size == map.tile_size) {
        for (id, tile) in &set.tiles {
            let outlines: Option<Vec<Vec<[i64; 2]>>> = tile.shapes.iter().map(outline).collect();
            // A shape that is neither a polygon nor a rectangle makes the floor unknown.
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

/// Returns the y of the floor at an edge of a tile, in millionths of a pixel: the highest point at `x` of the
/// outline of a collision shape. `bottom` is the y of the tile's lower side. `None` if the outline does not
/// reach down to `bottom` there: such a shape is a ceiling or a ledge, not a floor.
fn floor_at(points: &[[i64; 2]], x: i64, bottom: i64) -> Option<i64> {
    let at = points.iter().filter(|point| point[0] == x).map(|point| point[1]);
    let (top, low) = (at.clone().min()?, at.max()?);
    let reaches = |y: i64| (y - bottom).abs() < Decimal::PER_PIXEL;
    // A slope that ends in a lower corner of the tile has a single point there, which is both highest and
    // lowest.
    (reaches(low)).then_some(top)
}

/// Returns the floor of the tile `gid`, mirrored like the tile. `None` if it has no floor, or is rotated or
/// upside down.
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
            // The three joints of two columns: at the same level, one row down on the right, one row down on
            // the left.
            let pairs = [
                ([one, other], [0, 0]),
                ([one, lower(column + 1)], [0, height]),
                ([lower(column), other], [height, 0]),
            ];
            for (tiles, drops) in pairs {
                let blocked = (drops[1] > 0 && other != 0) || (drops[0] > 0 && one != 0);
                let placed = tiles.map(|gid| placed(floors, gid));
                let [Some(left), Some(right)] = placed else { continue };
                let (Some(from), Some(to)) = (left.right, right.left) else { continue };
                let step = (from + drops[0] - to - drops[1]).abs();
                if !blocked && STEPS.contains(&step) && (left.is_slope() || right.is_slope()) {
                    let cell = block.origin + IVec2::new(column as i32, row as i32);
                    let new =
                        || Step { tiles, height: step, cell, layer: Rc::clone(layer), count: 0 };
                    steps.entry(tiles).or_insert_with(new).count += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_drive_letters_and_backslashes_are_path_faults() {
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
    fn a_picture_size_is_a_fault_if_columns_change_or_tiles_are_lost() {
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
