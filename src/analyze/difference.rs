//! Compares two levels: finds changed pixels, passages that a body gained or lost, and changed markers.
//!
//! A search for passages goes from piece to piece. A piece is a run of neighbouring free positions in one
//! level, cut where free positions of the other level begin or end.

mod markers;

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::components::{CellKind, Connectivity, components};
use super::free_space::{FreeSpace, free_space, simplified};
use super::{Bands, RunLinks, TooComplex, Union, for_each_stretch};
use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;
use crate::level::{Level, Marker};
use markers::compare;
pub use markers::{MarkerChange, MarkerDifference};

/// The largest side of a level, and the largest distance of its origin from 0 on each axis, in pixels.
const MAX_SIDE: u32 = 1 << 29;

/// The difference of two levels: see [`difference`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelDifference {
    /// The box of the old and of the new level, each in the pixels of the map, world or mask that it was made
    /// from.
    pub areas: [Aabb; 2],
    /// The cell size of the old and of the new level, in pixels.
    pub cell_sizes: [UVec2; 2],
    /// The number of solid cells in the old and in the new level.
    pub solid_cells: [u64; 2],
    /// The number of pixels that became solid.
    pub added: u64,
    /// The number of pixels that became passable.
    pub removed: u64,
    /// The patches of changed pixels, the largest first, at most 1,024. The pixels of a patch touch at a side
    /// or a corner.
    ///
    /// Patches whose boxes are less than 8 px apart are joined.
    pub patches: Vec<Patch>,
    /// The number of connected parts of the solid cells in the old and in the new level. Cells that touch at
    /// a corner are connected.
    pub solid_parts: [usize; 2],
    /// True if a one-way cell was added or removed, or stops bodies at other sides than before.
    pub one_way: bool,
    /// True if a side of the level that was solid outside is open now, or the reverse.
    pub outside: bool,
    /// The names of areas that were added or removed, or whose pixels or categories changed, sorted.
    pub named_areas: Vec<String>,
    /// The passages that each body gained and lost. The first body has one pixel, and fits at every passable
    /// pixel.
    pub bodies: Vec<BodyDifference>,
    /// The changes of markers: see [`MarkerChange`].
    pub markers: Vec<MarkerDifference>,
}

impl LevelDifference {
    /// True if the two levels are equal. The order of areas and markers, the ids of markers and the sizes of
    /// cells are ignored.
    pub fn is_empty(&self) -> bool {
        let Self { areas, added, removed, one_way, outside, named_areas, markers, .. } = self;
        let same = areas[0] == areas[1] && (*added, *removed) == (0, 0);
        same && !one_way && !outside && named_areas.is_empty() && markers.is_empty()
    }
}

/// Compares two states of a level. `bodies` are sizes in pixels: each body has its own list of passages.
///
/// The first body of more than one pixel is also placed at each marker of each state, to find out where it
/// fits. `is_spawn` selects the markers from which that body starts, to find out which markers it reaches.
/// Only solids stop a body. O(words + runs) of both levels per body.
///
/// ```
/// use bitwall::analyze::difference;
/// use bitwall::{Grid, Level, glam::UVec2};
///
/// let level = |text| Level::from_grid(Grid::from_text(text)?, UVec2::splat(16));
/// let before = level("..#..\n.....\n..#..")?;
/// let after = level("..#..\n..#..\n..#..")?;
/// let found = difference(&before, &after, &[UVec2::splat(12)], |_| false)?;
/// assert_eq!((found.added, found.removed), (256, 0));
/// assert_eq!(found.bodies[1].closed.len(), 1);
/// assert_eq!(found.bodies[1].closed[0].place, bitwall::Aabb::from_xywh(21, 16, 38, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`] if one of the levels is too complex, is over 2^29 px wide or high, or has its origin more
/// than 2^29 px from 0.
pub fn difference(
    before: &Level,
    after: &Level,
    bodies: &[UVec2],
    is_spawn: impl Fn(&Marker) -> bool,
) -> Result<LevelDifference, TooComplex> {
    let levels = [before, after];
    for level in levels {
        let origin = level.origin().to_array().map(i32::unsigned_abs);
        if level.size().max_element() > MAX_SIDE || origin.iter().any(|side| *side > MAX_SIDE) {
            return Err(TooComplex);
        }
    }
    let areas = levels.map(|level| {
        let corner = level.origin();
        let size = level.size().as_ivec2();
        Aabb { min: corner, max: corner + size }
    });
    let changed = Changes::between(&solids(before)?, &solids(after)?)?;
    let mut found = Vec::new();
    let mut sizes = vec![UVec2::ONE];
    sizes.extend(bodies.iter().filter(|body| **body != UVec2::ONE));
    let mut marked = Vec::new();
    for (index, body) in sizes.iter().enumerate() {
        let spaces = [free_in(before, *body)?, free_in(after, *body)?];
        found.push(BodyDifference::between(&spaces)?);
        if index == usize::from(sizes.len() > 1) {
            marked = compare(levels, &spaces, &is_spawn);
        }
    }
    Ok(LevelDifference {
        areas,
        cell_sizes: levels.map(|level| level.cell_size()),
        solid_cells: levels.map(|level| level.grid().solid_count()),
        added: changed.added,
        removed: changed.removed,
        patches: changed.patches,
        solid_parts: [solid_parts(before)?, solid_parts(after)?],
        one_way: differs_in_guards(before, after)?,
        outside: before.outside() != after.outside(),
        named_areas: named_areas(before, after)?,
        bodies: found,
        markers: marked,
    })
}

/// The number of connected parts of the level's solid cells.
fn solid_parts(level: &Level) -> Result<usize, TooComplex> {
    Ok(components(level.grid(), CellKind::Solid, Connectivity::Eight)?.parts().len())
}

/// The free space of a body, in the pixels of the level's source.
fn free_in(level: &Level, body: UVec2) -> Result<FreeSpace, TooComplex> {
    Ok(free_space(level.terrain(), body)?.translated(level.origin()))
}

fn solids(level: &Level) -> Result<Bands, TooComplex> {
    pixels(level.grid(), level.cell_size(), level.origin())
}

fn differs_in_guards(before: &Level, after: &Level) -> Result<bool, TooComplex> {
    for side in Dir::ALL {
        let [before, after] = [before, after].map(|level| match level.one_way(side) {
            Some(grid) => pixels(grid, level.cell_size(), level.origin()),
            None => Ok(Bands::default()),
        });
        if !changed_runs(&before?, &after?)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn named_areas(before: &Level, after: &Level) -> Result<Vec<String>, TooComplex> {
    let areas = before.areas().iter().chain(after.areas());
    let mut names: Vec<&str> = areas.map(|area| area.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut changed = Vec::new();
    for name in names {
        let [old, new] = [before, after].map(|level| match level.area(name) {
            Some(area) => pixels(area.grid(), area.cell_size(), level.origin()),
            None => Ok(Bands::default()),
        });
        let is_same = changed_runs(&old?, &new?)?.is_empty();
        if !is_same || before.area_category(name) != after.area_category(name) {
            changed.push(name.to_owned());
        }
    }
    Ok(changed)
}

/// A group of changed pixels that are near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Patch {
    /// The box around the changed pixels.
    pub area: Aabb,
    /// The number of pixels that became solid.
    pub added: u64,
    /// The number of pixels that became passable.
    pub removed: u64,
}

const MAX_PATCHES: usize = 1_024;

/// The distance in pixels below which the boxes of two patches are joined.
const NEAR: i32 = 8;

/// The largest number of passes that join patches less than 8 px apart. Random changes need 2 or 3.
const MAX_ROUNDS: u32 = 32;

/// The pixels that are solid in only one of two levels.
struct Changes {
    added: u64,
    removed: u64,
    patches: Vec<Patch>,
}

impl Changes {
    fn between(before: &Bands, after: &Bands) -> Result<Self, TooComplex> {
        let found = changed_runs(before, after)?;
        let mut changed = Bands::default();
        for found in found.chunk_by(|one, next| one.rows == next.rows) {
            let mut joined: Vec<Range<i32>> = Vec::new();
            for ChangedRun { columns, .. } in found {
                match joined.last_mut() {
                    Some(last) if last.end == columns.start => last.end = columns.end,
                    _ => joined.push(columns.clone()),
                }
            }
            changed.push(found[0].rows.clone(), &mut joined.into_iter())?;
        }
        let (labels, count) = changed.labels(true);
        let none = Patch { area: Aabb { min: IVec2::MAX, max: IVec2::MIN }, added: 0, removed: 0 };
        let mut patches = vec![none; count as usize];
        for ChangedRun { columns: run, rows, added } in found {
            let label = changed.run_at(run.start, rows.start).map(|index| labels[index as usize]);
            if let Some(patch) = label.and_then(|label| patches.get_mut(label as usize)) {
                let area = Aabb {
                    min: IVec2::new(run.start, rows.start),
                    max: IVec2::new(run.end, rows.end),
                };
                patch.area = patch.area.hull(area);
                let pixels = run.len() as u64 * rows.len() as u64;
                *(if added { &mut patch.added } else { &mut patch.removed }) += pixels;
            }
        }
        let added = patches.iter().map(|patch| patch.added).sum();
        let removed = patches.iter().map(|patch| patch.removed).sum();
        let mut patches = merge_near(patches);
        patches.sort_by_key(|patch| {
            let IVec2 { x, y } = patch.area.min;
            (Reverse(patch.added + patch.removed), y, x)
        });
        patches.truncate(MAX_PATCHES);
        Ok(Self { added, removed, patches })
    }
}

/// Joins patches whose boxes are less than 8 px apart, in several passes, because a joined box may be near
/// further patches. After 32 passes some boxes may still overlap. O(patches log patches) per pass.
fn merge_near(mut patches: Vec<Patch>) -> Vec<Patch> {
    for _ in 0..MAX_ROUNDS {
        let count = patches.len();
        patches = merged_once(patches);
        if patches.len() == count {
            break;
        }
    }
    patches
}

/// Joins patches less than 8 px apart once, from the top down. A map keeps the patches that may be near a
/// later patch, by their left side. Their boxes are at least 8 px apart in x.
fn merged_once(mut patches: Vec<Patch>) -> Vec<Patch> {
    let mut open = BTreeMap::<i32, Patch>::new();
    let mut ended = Vec::new();
    patches.sort_by_key(|patch| (patch.area.min.y, patch.area.min.x));
    for mut patch in patches {
        loop {
            // The boxes do not overlap in x. So of the boxes that begin left of `reach`, the last one ends
            // farthest to the right.
            let reach = patch.area.max.x + NEAR;
            let last = open.range(..reach).next_back();
            let Some((left, other)) = last.map(|(left, other)| (*left, *other)) else { break };
            if other.area.max.x + NEAR <= patch.area.min.x {
                break;
            }
            open.remove(&left);
            if other.area.max.y + NEAR <= patch.area.min.y {
                ended.push(other);
                continue;
            }
            patch.area = patch.area.hull(other.area);
            patch.added += other.added;
            patch.removed += other.removed;
        }
        open.insert(patch.area.min.x, patch);
    }
    ended.extend(open.into_values());
    ended
}

fn pixels(grid: &Grid, cell: UVec2, origin: IVec2) -> Result<Bands, TooComplex> {
    Bands::of_cells(grid, true, cell.as_ivec2(), origin)
}

/// Columns of some rows that are solid in only one of two levels; `added` if it is the new one.
struct ChangedRun {
    columns: Range<i32>,
    rows: Range<i32>,
    added: bool,
}

/// Returns the runs that are in only one of two sets, from the top, then from the left.
fn changed_runs(before: &Bands, after: &Bands) -> Result<Vec<ChangedRun>, TooComplex> {
    let mut found = Vec::new();
    for_each_stretch([before, after], &mut |rows, [one, other]| {
        let changed = changes(of(before, &one), of(after, &other)).into_iter();
        found.extend(changed.map(|(columns, added)| ChangedRun {
            columns,
            rows: rows.clone(),
            added,
        }));
        Ok(())
    })?;
    Ok(found)
}

fn of<'b>(bands: &'b Bands, runs: &Range<u32>) -> &'b [Range<i32>] {
    bands.runs.get(runs.start as usize..runs.end as usize).unwrap_or_default()
}

/// Start or end number `number` of the runs, in their order.
fn edge(runs: &[Range<i32>], number: usize) -> Option<i32> {
    runs.get(number / 2).map(|run| if number.is_multiple_of(2) { run.start } else { run.end })
}

/// The columns of a row that are in only one of two lists of runs, as ranges; with true if the range is in
/// `after`.
fn changes(before: &[Range<i32>], after: &[Range<i32>]) -> Vec<(Range<i32>, bool)> {
    let mut found: Vec<(Range<i32>, bool)> = Vec::new();
    // `a` and `b` count the run starts and run ends passed in `before` and in `after`. If a count is odd, the
    // current column is inside a run of that set.
    let mut a = 0;
    let mut b = 0;
    let mut last = 0;
    loop {
        let one = edge(before, a);
        let other = edge(after, b);
        let next = match (one, other) {
            (Some(one), Some(other)) => one.min(other),
            (Some(edge), None) | (None, Some(edge)) => edge,
            (None, None) => return found,
        };
        let is_added = b % 2 == 1;
        if a % 2 != b % 2 && last < next {
            match found.last_mut() {
                Some((run, added)) if run.end == last && *added == is_added => run.end = next,
                _ => found.push((last..next, is_added)),
            }
        }
        a += usize::from(one == Some(next));
        b += usize::from(other == Some(next));
        last = next;
    }
}

/// The number of no area, for a piece whose positions are free only in its own level.
const NEW: u32 = u32::MAX;

/// The number of no area, for a piece whose positions are free in both levels, but whose area has no room to
/// move (see [`FreeSpace::is_room`]).
const NOOK: u32 = u32::MAX - 1;

/// The free positions of a level, cut into pieces where free positions of the other level begin or end.
struct Pieces {
    bands: Bands,
    /// For each piece, the number of the area of the other level that contains it, or [`NEW`] or [`NOOK`].
    areas: Vec<u32>,
    /// For each piece, the pieces that touch it: above, below, and beside it in its row.
    links: RunLinks,
}

impl Pieces {
    /// Cuts the free positions of one level, `joined`, into pieces, where the runs of free positions of the
    /// other level, `apart`, begin and end. O(runs).
    fn between(apart: &FreeSpace, joined: &FreeSpace) -> Result<Self, TooComplex> {
        let mut bands = Bands::default();
        let mut areas = Vec::new();
        let mut cut: Vec<(Range<i32>, u32)> = Vec::new();
        for_each_stretch([&apart.bands, &joined.bands], &mut |rows, [old, new]| {
            cut.clear();
            let mut first = old.start as usize;
            for run in new.start as usize..new.end as usize {
                let run = &joined.bands.runs[run];
                let mut at = run.start;
                while let Some(other) =
                    apart.bands.runs.get(first).filter(|_| first < old.end as usize)
                {
                    let start = other.start.max(at);
                    let end = other.end.min(run.end);
                    if start < end {
                        let area = apart.labels[first];
                        let is_room = apart.is_room(area as usize);
                        cut.extend((at < start).then_some((at..start, NEW)));
                        cut.push((start..end, if is_room { area } else { NOOK }));
                        at = end;
                    }
                    if other.end > run.end {
                        break;
                    }
                    first += 1;
                }
                cut.extend((at < run.end).then_some((at..run.end, NEW)));
            }
            areas.extend(cut.iter().map(|(_, area)| *area));
            bands.push(rows, &mut cut.iter().map(|(run, _)| run.clone()))
        })?;
        let links = RunLinks::new(areas.len(), &|add| for_each_touch(&bands, add));
        Ok(Self { bands, areas, links })
    }

    fn is_new(&self, piece: u32) -> bool {
        self.areas.get(piece as usize).is_none_or(|area| *area == NEW)
    }

    /// The number of the other level's area that contains the piece; `None` for a piece in no area, or in an
    /// area without room to move.
    fn area(&self, piece: u32) -> Option<u32> {
        self.areas.get(piece as usize).copied().filter(|area| *area < NOOK)
    }

    fn corner(&self, piece: u32) -> IVec2 {
        let [columns, rows] = self.ranges(piece);
        IVec2::new(columns.start, rows.start)
    }

    fn nearest(&self, piece: u32, at: IVec2) -> IVec2 {
        let [columns, rows] = self.ranges(piece);
        let last = IVec2::new(columns.end, rows.end) - 1;
        at.max(IVec2::new(columns.start, rows.start)).min(last)
    }

    fn ranges(&self, piece: u32) -> [Range<i32>; 2] {
        let columns = self.bands.runs.get(piece as usize).cloned().unwrap_or(0..1);
        [columns, self.bands.band_of(piece).map_or(0..1, |band| band.rows.clone())]
    }
}

/// Calls `found` for each piece and each piece that touches it, above, below or beside it.
fn for_each_touch(pieces: &Bands, found: &mut dyn FnMut(u32, u32)) {
    pieces.for_each_contact(false, &mut |upper, lower| {
        found(upper, lower);
        found(lower, upper);
    });
    for band in &pieces.bands {
        for (pair, left) in pieces.runs_of(band).windows(2).zip(band.runs.start..) {
            if pair[0].end == pair[1].start {
                found(left, left + 1);
                found(left + 1, left);
            }
        }
    }
}

/// The passages that a body gained and lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodyDifference {
    /// The width and height of the body, in pixels.
    pub body: UVec2,
    /// The number of areas with room to move in the old and in the new level: see [`FreeSpace::is_room`].
    pub rooms: [usize; 2],
    /// The new passages between areas that were separate in the old level; at most 64.
    pub opened: Vec<Passage>,
    /// The lost passages between areas that are separate in the new level; at most 64.
    pub closed: Vec<Passage>,
}

/// A passage between two areas that exists in only one of the two levels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passage {
    /// The boxes around the pixels of the two areas in the level without the passage.
    pub areas: [Aabb; 2],
    /// The pixels that the body covers where the passage first crosses solids of the other level.
    pub place: Aabb,
    /// The positions of the body at the corners of a path through the passage, in the level with the passage.
    ///
    /// The path leads from the edge of one area to the edge of the other area.
    pub path: Vec<IVec2>,
}

const MAX_PASSAGES: usize = 64;

impl BodyDifference {
    fn between(spaces: &[FreeSpace; 2]) -> Result<Self, TooComplex> {
        let [before, after] = spaces;
        Ok(Self {
            body: before.body(),
            rooms: [rooms(before), rooms(after)],
            opened: passages(before, after)?,
            closed: passages(after, before)?,
        })
    }
}

/// The number of areas with room to move.
fn rooms(free: &FreeSpace) -> usize {
    (0..free.areas().len()).filter(|area| free.is_room(*area)).count()
}

/// The passages in `joined` (the free positions of one level) between separate areas of `apart` (the free
/// positions of the other level): just enough to join these areas, and at most 64. No passage crosses a third
/// area. O(runs).
fn passages(apart: &FreeSpace, joined: &FreeSpace) -> Result<Vec<Passage>, TooComplex> {
    let pieces = Pieces::between(apart, joined)?;
    let mut known = Union::new(apart.areas().len());
    let mut found = Vec::new();
    let mut before = vec![NONE; pieces.areas.len()];
    let areas = apart.areas().len();
    let of_areas = RunLinks::new(areas, &|add| {
        for piece in 0..pieces.areas.len() as u32 {
            if let Some(area) = pieces.area(piece) {
                add(area, piece);
            }
        }
    });
    for area in 0..areas as u32 {
        // Breadth-first search from this area through the pieces (runs of free positions) outside all areas.
        // A piece that an earlier search has reached is skipped: the areas beside it are already joined with
        // the area of that search.
        let mut open: VecDeque<u32> = of_areas.of_run(area).iter().copied().collect();
        while let Some(piece) = open.pop_front() {
            for &next in pieces.links.of_run(piece) {
                match pieces.area(next) {
                    None if before[next as usize] == NONE => {
                        before[next as usize] = piece;
                        open.push_back(next);
                    }
                    Some(other) if known.join(area, other) && found.len() < MAX_PASSAGES => {
                        let way =
                            [next].into_iter().chain(std::iter::successors(Some(piece), |piece| {
                                before.get(*piece as usize).copied().filter(|at| *at != NONE)
                            }));
                        let mut way: Vec<u32> = way.collect();
                        way.reverse();
                        found.extend(passage(apart, &pieces, [area, other], &way));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(found)
}

const NONE: u32 = u32::MAX;

fn passage(apart: &FreeSpace, pieces: &Pieces, areas: [u32; 2], way: &[u32]) -> Option<Passage> {
    let [one, other] = areas.map(|area| apart.areas().get(area as usize).map(|area| area.area));
    let body = apart.body().as_ivec2();
    let mut corners = Vec::new();
    // The path begins in the first piece, at the position nearest to the second piece.
    let mut at = pieces.nearest(*way.first()?, pieces.corner(*way.get(1)?));
    let mut place: Option<Aabb> = None;
    let mut is_past = false;
    for (number, piece) in way.iter().enumerate() {
        let next = way.get(number + 1);
        let leaves = next.map_or(at, |next| pieces.nearest(*piece, pieces.nearest(*next, at)));
        let turn = IVec2::new(leaves.x, at.y);
        corners.extend([at, turn, leaves]);
        if pieces.is_new(*piece) && !is_past {
            let covered = Aabb { min: at.min(leaves), max: at.max(leaves) + body };
            place = Some(place.map_or(covered, |place| place.hull(covered)));
        } else {
            is_past = place.is_some();
        }
        at = next.map_or(leaves, |next| pieces.nearest(*next, leaves));
    }
    Some(Passage { areas: [one?, other?], place: place?, path: simplified(&corners) })
}

#[cfg(test)]
mod tests;
