//! Maps of a world that do not meet their neighbours.

use std::ops::Range;

use bitwall::glam::{IVec2, Vec2Swizzles};

use super::places::{at, quoted};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::Source;
use bitwall::tmx::PlacedMap;
use bitwall::{Aabb, Level};

rule! {
    /// # What it finds
    /// Two maps of a world that lie 1 or 2 px apart, that overlap by less than a tile, or that are shifted
    /// along their common side by 1 or 2 px against the tiles of the other. And where both borders are mostly
    /// walls: a doorway of the one, at least a tile wide, with a wall on its other side.
    ///
    /// # Why it matters
    /// A gap of a pixel is a slit in the floor, and a shift is a step that the player stumbles over. A
    /// doorway into a wall leads nowhere.
    ///
    /// # How to fix
    /// Move the map in Tiled's world view; with snapping to its grid, it meets its neighbour. Open or close
    /// the doorway on both sides.
    WORLD_SEAM = "LVL313" "world-seam" Warning on(Map)
}

/// The largest gap and shift that is an oversight, in pixels.
const SLIP: i32 = 2;

/// The largest number of maps whose pairs are looked at.
const MAX_MAPS: usize = 2_000;

/// The largest number of cells along all seams that are looked at.
const MAX_CELLS: u32 = 1 << 22;

/// The fault of a seam, in the order of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Gap(i32),
    Overlap(i32),
    Shift(i32),
    Doorway,
}

/// Two maps with a fault between them, and the pixels of it.
struct Seam<'m> {
    fault: Fault,
    maps: [&'m PlacedMap; 2],
    area: Aabb,
}

impl Seam<'_> {
    /// The files of its maps, in quotes.
    fn names(&self) -> [String; 2] {
        self.maps.map(|map| quoted(map.file.as_deref().unwrap_or_default()))
    }
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded().filter(|loaded| matches!(loaded.source, Source::World(_)))
    else {
        return Vec::new();
    };
    let maps = subject.maps();
    if maps.len() > MAX_MAPS {
        subject.give_up(&WORLD_SEAM, format!("it has more than {MAX_MAPS} maps"));
        return Vec::new();
    }
    let mut cells = MAX_CELLS;
    let mut seams = Vec::new();
    for (index, one) in maps.iter().enumerate() {
        for other in maps.iter().skip(index + 1) {
            // Left before right, and upper before lower.
            for turned in [false, true] {
                seams.extend(seam_of(&loaded.level, [one, other], turned, &mut cells));
                seams.extend(seam_of(&loaded.level, [other, one], turned, &mut cells));
            }
            seams.extend(overlap_of(one, other));
        }
    }
    if cells == 0 {
        subject.give_up(&WORLD_SEAM, "its seams are too long");
    }
    seams.sort_by_key(|seam| (seam.fault, seam.area.min.y, seam.area.min.x));
    let kind = |seam: &Seam<'_>| std::mem::discriminant(&seam.fault);
    let kinds = seams.chunk_by(|one, other| kind(one) == kind(other));
    kinds.filter_map(|kind| finding(subject, kind)).collect()
}

/// A box, with x and y exchanged for a seam between an upper and a lower map.
fn turn(area: Aabb, turned: bool) -> Aabb {
    match turned {
        true => Aabb { min: area.min.yx(), max: area.max.yx() },
        false => area,
    }
}

/// The fault of the seam on the right side of the first map, if the second one lies there; on its lower side,
/// if `turned`.
fn seam_of<'m>(
    level: &Level,
    maps: [&'m PlacedMap; 2],
    turned: bool,
    cells: &mut u32,
) -> Option<Seam<'m>> {
    let [one, other] = maps.map(|placed| turn(placed.area, turned));
    let tile = maps.map(|placed| {
        let tile = placed.map.tile_size.as_ivec2();
        if turned { tile.yx() } else { tile }
    });
    let gap = other.min.x.checked_sub(one.max.x)?;
    let rows = one.min.y.max(other.min.y)..one.max.y.min(other.max.y);
    if !(0..=SLIP).contains(&gap) || (rows.len() as i64) < i64::from(tile[0].y) {
        return None;
    }
    let area = Aabb {
        min: IVec2::new(one.max.x, rows.start),
        max: IVec2::new(other.min.x.max(one.max.x + 1), rows.end),
    };
    let found = |fault, area| Some(Seam { fault, maps, area: turn(area, turned) });
    if gap > 0 {
        return found(Fault::Gap(gap), area);
    }
    let shift = (other.min.y - one.min.y).rem_euclid(tile[0].y.max(1));
    let shift = shift.min(tile[0].y - shift);
    if tile[0] == tile[1] && (1..=SLIP).contains(&shift) && tile[0].y > 2 * SLIP {
        return found(Fault::Shift(shift), area);
    }
    let doorway = doorway(level, one.max.x, rows, tile[0].y, turned, cells)?;
    let area = Aabb { min: area.min.with_y(doorway.start), max: area.max.with_y(doorway.end) };
    found(Fault::Doorway, area)
}

/// The rows of a doorway on one side of a seam in a wall on its other side.
fn doorway(
    level: &Level,
    seam: i32,
    rows: Range<i32>,
    tile: i32,
    turned: bool,
    cells: &mut u32,
) -> Option<Range<i32>> {
    let cell = level.cell_size().as_ivec2();
    let step = if turned { cell.x } else { cell.y };
    let count = (rows.len() as u32).div_ceil(step.max(1) as u32);
    *cells = cells.checked_sub(count).unwrap_or_default();
    if *cells == 0 {
        return None;
    }
    let is_solid =
        |x: i32, y: i32| level.is_solid(if turned { IVec2::new(y, x) } else { IVec2::new(x, y) });
    let sides: Vec<[bool; 2]> = rows
        .clone()
        .step_by(step.max(1) as usize)
        .map(|y| [is_solid(seam - 1, y), is_solid(seam, y)])
        .collect();
    [0, 1].into_iter().find_map(|side| {
        // Where most of a side is passable, no opening is a doorway.
        let walls = [0, 1].map(|side| sides.iter().filter(|solid| solid[side]).count());
        if walls.iter().any(|walls| walls * 2 <= sides.len()) {
            return None;
        }
        let mut start = 0;
        sides.chunk_by(|one, other| one[side] == other[side]).find_map(|run| {
            let from = start;
            start += run.len();
            let is_doorway = run.iter().all(|solid| !solid[side] && solid[1 - side]);
            let long = run.len() as i64 * i64::from(step) >= i64::from(tile);
            // A gap at the end of the common side belongs to a corner.
            let inside = from > 0 && start < sides.len();
            let at = |index: usize| rows.start.saturating_add(index as i32 * step);
            (is_doorway && long && inside).then(|| at(from)..at(start).min(rows.end))
        })
    })
}

/// The fault of two maps that overlap by less than a tile.
fn overlap_of<'m>(one: &'m PlacedMap, other: &'m PlacedMap) -> Option<Seam<'m>> {
    let area = one.area.intersection(other.area);
    let size = area.size();
    let tile = one.map.tile_size.max(other.map.tile_size);
    let depth = size.min_element();
    let axis = if size.x <= size.y { tile.x } else { tile.y };
    let fault = Fault::Overlap(depth as i32);
    (depth > 0 && depth < axis).then_some(Seam { fault, maps: [one, other], area })
}

fn finding(subject: &Subject<'_>, seams: &[Seam<'_>]) -> Option<Finding> {
    let first = seams.first()?;
    let [one, other] = first.names();
    let kind = match first.fault {
        Fault::Gap(_) => "gap",
        Fault::Overlap(_) => "overlap",
        Fault::Shift(_) => "shift",
        Fault::Doorway => "doorway",
    };
    let (headline, help) = match first.fault {
        Fault::Gap(gap) => {
            (format!("{one} and {other} are {gap} px apart"), "move one of the maps to the other")
        }
        Fault::Overlap(depth) => {
            (format!("{one} and {other} overlap by {depth} px"), "move one of the maps away")
        }
        Fault::Shift(shift) => (
            format!("{one} and {other} are shifted by {shift} px"),
            "move one of the maps along the seam",
        ),
        Fault::Doorway => (
            format!("a doorway from {one} to {other} has a wall in it"),
            "open it or close it on both sides",
        ),
    };
    let loaded = subject.loaded()?;
    let mut finding = Finding::new(&WORLD_SEAM, subject.path, headline)
        .of_named(kind, seams.iter().map(|seam| seam.names().join(" and ")))
        .area(first.area)
        .note(format!("it is at {} of the world's picture", at(loaded, first.area.min)))
        .help(help);
    if seams.len() > 1 {
        finding = finding.note(format!("there are {} such seams", seams.len()));
    }
    Some(finding)
}
