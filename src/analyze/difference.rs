//! Compares two levels: finds changed pixels, and passages that a body gained or lost.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::free_space::{FreeSpace, free_space};
use super::{Bands, TooComplex, Union, for_each_stretch};
use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;
use crate::level::Level;
use crate::terrain::Terrain;

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
    /// The 1,024 largest patches of changed pixels, the largest first. The pixels of a patch touch at a side
    /// or a corner.
    pub patches: Vec<ChangedPatch>,
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
}

impl LevelDifference {
    /// True if the two levels are equal. Markers, the order of areas and the sizes of cells are
    /// ignored.
    pub fn is_empty(&self) -> bool {
        let Self { areas, added, removed, one_way, outside, named_areas, .. } = self;
        let same = areas[0] == areas[1] && (*added, *removed) == (0, 0);
        same && !one_way && !outside && named_areas.is_empty()
    }
}

/// Compares two states of a level, but not their markers. `bodies` are sizes in pixels: each body has its own
/// list of passages. Only solids stop a body. O(words + runs) of both levels per body.
///
/// ```
/// use bitwall::analyze::difference;
/// use bitwall::{Grid, Level, glam::UVec2};
///
/// let level = |text| Level::from_grid(Grid::from_text(text)?, UVec2::splat(16));
/// let before = level("..#..\n.....\n..#..")?;
/// let after = level("..#..\n..#..\n..#..")?;
/// let found = difference(&before, &after, &[UVec2::splat(12)])?;
/// assert_eq!((found.added, found.removed), (256, 0));
/// assert_eq!(found.bodies[1].closed.len(), 1);
/// assert_eq!(found.bodies[1].closed[0].place, bitwall::Aabb::from_xywh(21, 16, 38, 16));
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
    let solids = [pixels_of(before, before.terrain())?, pixels_of(after, after.terrain())?];
    let mut patches = patches(&solids[0], &solids[1])?;
    let added = patches.iter().map(|patch| patch.added).sum();
    let removed = patches.iter().map(|patch| patch.removed).sum();
    patches.truncate(MAX_PATCHES);
    let mut found = Vec::new();
    let larger = bodies.iter().filter(|body| **body != UVec2::ONE);
    for body in iter::once(&UVec2::ONE).chain(larger) {
        found.push(BodyDifference::between(&[free_in(before, *body)?, free_in(after, *body)?])?);
    }
    Ok(LevelDifference {
        areas,
        cell_sizes: levels.map(|level| level.cell_size()),
        solid_cells: levels.map(|level| level.grid().solid_count()),
        added,
        removed,
        patches,
        solid_parts: solids.map(|solids| solids.labels(true).1 as usize),
        one_way: differs_in_guards(before, after)?,
        outside: before.outside() != after.outside(),
        named_areas: named_areas(before, after)?,
        bodies: found,
    })
}

/// The free space of a body, in the pixels of the level's source.
fn free_in(level: &Level, body: UVec2) -> Result<FreeSpace, TooComplex> {
    Ok(free_space(level.terrain(), body)?.translated(level.origin()))
}

/// The solid pixels of a terrain of a level, in the pixels of the level's source.
fn pixels_of(level: &Level, terrain: &Terrain) -> Result<Bands, TooComplex> {
    pixels(terrain.grid(), terrain.cell_size(), level.origin())
}

fn pixels(grid: &Grid, cell: UVec2, origin: IVec2) -> Result<Bands, TooComplex> {
    Bands::of_cells(grid, true, cell.as_ivec2(), origin)
}

fn differs_in_guards(before: &Level, after: &Level) -> Result<bool, TooComplex> {
    for side in Dir::ALL {
        let [before, after] = [before, after].map(|level| match level.one_way(side) {
            Some(grid) => pixels(grid, level.cell_size(), level.origin()),
            None => Ok(Bands::default()),
        });
        if !ChangedRuns::new(&before?, &after?)?.added.is_empty() {
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
            Some(area) => pixels_of(level, area),
            None => Ok(Bands::default()),
        });
        let is_same = ChangedRuns::new(&old?, &new?)?.added.is_empty();
        if !is_same || before.area_category(name) != after.area_category(name) {
            changed.push(name.to_owned());
        }
    }
    Ok(changed)
}

/// A group of changed pixels that are near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ChangedPatch {
    /// The box around the changed pixels.
    pub area: Aabb,
    /// The number of pixels that became solid.
    pub added: u64,
    /// The number of pixels that became passable.
    pub removed: u64,
}

const MAX_PATCHES: usize = 1_024;

/// The patches of the pixels that are solid in only one of two levels, the largest first.
fn patches(before: &Bands, after: &Bands) -> Result<Vec<ChangedPatch>, TooComplex> {
    let ChangedRuns { runs, added } = ChangedRuns::new(before, after)?;
    let mut parts = Union::new(added.len());
    for_each_touch(&runs, true, &mut |one, other| {
        parts.join(one, other);
    });
    let (labels, count) = parts.labels();
    let none =
        ChangedPatch { area: Aabb { min: IVec2::MAX, max: IVec2::MIN }, added: 0, removed: 0 };
    let mut patches = vec![none; count as usize];
    for ((columns, rows, label), is_added) in runs.labelled(&labels).zip(added) {
        let patch = &mut patches[label];
        let min = IVec2::new(columns.start, rows.start);
        let area = Aabb { min, max: IVec2::new(columns.end, rows.end) };
        patch.area = patch.area.hull(area);
        let pixels = columns.len() as u64 * rows.len() as u64;
        *(if is_added { &mut patch.added } else { &mut patch.removed }) += pixels;
    }
    patches.sort_by_key(|patch| {
        let IVec2 { x, y } = patch.area.min;
        (Reverse(patch.added + patch.removed), y, x)
    });
    Ok(patches)
}

/// The runs that are solid in only one of two levels. Two runs of a band may touch, if one is added and the
/// other removed.
#[derive(Default)]
struct ChangedRuns {
    runs: Bands,
    /// True for each run of the new level.
    added: Vec<bool>,
}

impl ChangedRuns {
    fn new(before: &Bands, after: &Bands) -> Result<Self, TooComplex> {
        let mut all = Self::default();
        for_each_stretch([before, after], &mut |rows, [one, other]| {
            let changed = changes(before.runs_of(&one), after.runs_of(&other));
            all.added.extend(changed.iter().map(|(_, is_added)| *is_added));
            all.runs.push(rows, &mut changed.into_iter().map(|(columns, _)| columns))
        })?;
        Ok(all)
    }
}

/// Calls `found` for each pair of runs that touch, as [`Bands::for_each_contact`], also within a band.
fn for_each_touch(bands: &Bands, corners: bool, found: &mut dyn FnMut(u32, u32)) {
    bands.for_each_contact(corners, found);
    for band in &bands.bands {
        for (pair, left) in bands.runs_of(&band.runs).windows(2).zip(band.runs.start..) {
            if pair[0].end == pair[1].start {
                found(left, left + 1);
            }
        }
    }
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

/// Cuts the free positions of one level, `joined`, where those of the other level, `apart`, begin and end.
/// Returns the pieces and, for each, the area of `apart` that contains it; `None` for a piece that is free
/// only in `joined`, or that is in an area without room to move (see [`FreeSpace::is_room`]). O(runs x log
/// runs).
fn pieces(
    apart: &FreeSpace,
    joined: &FreeSpace,
) -> Result<(Bands, Vec<Option<usize>>), TooComplex> {
    let mut pieces = Bands::default();
    let mut areas = Vec::new();
    for_each_stretch([&apart.bands, &joined.bands], &mut |rows, [old, new]| {
        let labels = &apart.labels[old.start as usize..old.end as usize];
        let old = apart.bands.runs_of(&old);
        let mut cut: Vec<Range<i32>> = Vec::new();
        for run in joined.bands.runs_of(&new) {
            let mut at = run.start;
            let first = old.partition_point(|other| other.end <= run.start);
            for (other, label) in old.iter().zip(labels).skip(first) {
                if other.start >= run.end {
                    break;
                }
                if at < other.start {
                    cut.push(at..other.start);
                    areas.push(None);
                }
                let start = at.max(other.start);
                at = other.end.min(run.end);
                cut.push(start..at);
                areas.push(Some(*label as usize).filter(|area| apart.is_room(*area)));
            }
            if at < run.end {
                cut.push(at..run.end);
                areas.push(None);
            }
        }
        pieces.push(rows, &mut cut.into_iter())
    })?;
    Ok((pieces, areas))
}

/// Finds the connected sets of runs that are in no area. `area_of` has the area of each run. Returns each set
/// that touches two or more areas: the ascending numbers of these areas, and the runs.
fn clusters(bands: &Bands, area_of: &[Option<usize>]) -> Vec<(Vec<usize>, Vec<u32>)> {
    let mut joined = Union::new(area_of.len());
    let mut touched = Vec::new();
    for_each_touch(bands, false, &mut |one, other| match (
        area_of[one as usize],
        area_of[other as usize],
    ) {
        (None, None) => {
            joined.join(one, other);
        }
        (None, Some(area)) => touched.push((one, area)),
        (Some(area), None) => touched.push((other, area)),
        (Some(_), Some(_)) => {}
    });
    let (labels, _) = joined.labels();
    let mut clusters = BTreeMap::<u32, (BTreeSet<usize>, Vec<u32>)>::new();
    for (run, area) in touched {
        clusters.entry(labels[run as usize]).or_default().0.insert(area);
    }
    for (run, label) in (0..).zip(labels).filter(|(run, _)| area_of[*run as usize].is_none()) {
        if let Some((_, runs)) = clusters.get_mut(&label) {
            runs.push(run);
        }
    }
    let several = clusters.into_values().filter(|(areas, _)| areas.len() > 1);
    several.map(|(areas, runs)| (areas.into_iter().collect(), runs)).collect()
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
    /// The box around the pixels that the body covers in the passage.
    pub place: Aabb,
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
/// positions of the other level): just enough to join these areas, and at most 64. A passage is a connected
/// set of positions outside all areas with room. O(runs x log runs).
fn passages(apart: &FreeSpace, joined: &FreeSpace) -> Result<Vec<Passage>, TooComplex> {
    let (pieces, areas) = pieces(apart, joined)?;
    let rows = pieces.rows_of_runs();
    let body = apart.body().as_ivec2();
    let mut known = Union::new(apart.areas().len());
    let mut found = Vec::new();
    for (areas, passage) in clusters(&pieces, &areas) {
        let boxes = passage.iter().map(|piece| {
            let columns = &pieces.runs[*piece as usize];
            let rows = &rows[*piece as usize];
            let min = IVec2::new(columns.start, rows.start);
            Aabb { min, max: IVec2::new(columns.end, rows.end) + body - 1 }
        });
        let place = boxes.reduce(Aabb::hull).unwrap_or_default();
        for other in &areas[1..] {
            if known.join(areas[0] as u32, *other as u32) && found.len() < MAX_PASSAGES {
                let areas = [areas[0], *other].map(|area| apart.areas()[area].area);
                found.push(Passage { areas, place });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
