//! The pixels that became solid or passable, in regions.

use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::analyze::bands::{Bands, MAX_WORDS, TooComplex, for_each_stretch, runs};
use crate::geometry::Aabb;
use crate::grid::Grid;

/// Changed pixels that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct ChangedRegion {
    /// The box around them.
    pub area: Aabb,
    /// The pixels that became solid.
    pub added: u64,
    /// The pixels that became passable.
    pub removed: u64,
}

/// The largest number of regions that are kept.
const MAX_REGIONS: usize = 1_024;

/// Regions less than so many pixels apart are one.
const NEAR: i32 = 8;

/// The changed pixels.
pub(super) struct Changes {
    pub(super) added: u64,
    pub(super) removed: u64,
    pub(super) regions: Vec<ChangedRegion>,
}

impl Changes {
    /// The pixels that differ between two sets.
    pub(super) fn between(before: &Bands, after: &Bands) -> Result<Self, TooComplex> {
        let (mut changed, mut kinds) = (Bands::default(), Vec::new());
        for_each_stretch(before, after, |rows, [one, other]| {
            let found = changes(of(before, &one), of(after, &other));
            if found.is_empty() {
                return Ok(());
            }
            // Runs that touch are one run of a region.
            let mut joined: Vec<Range<i32>> = Vec::new();
            for (run, _) in &found {
                match joined.last_mut() {
                    Some(last) if last.end == run.start => last.end = run.end,
                    _ => joined.push(run.clone()),
                }
            }
            kinds.extend(found.into_iter().map(|(run, added)| (run, rows.clone(), added)));
            changed.push(rows, joined.into_iter())
        })?;
        let (labels, count) = changed.labels(true);
        let none =
            ChangedRegion { area: Aabb { min: IVec2::MAX, max: IVec2::MIN }, added: 0, removed: 0 };
        let mut regions = vec![none; count as usize];
        for (run, rows, added) in kinds {
            let label = changed.run_at(run.start, rows.start).map(|index| labels[index as usize]);
            if let Some(region) = label.and_then(|label| regions.get_mut(label as usize)) {
                let area = Aabb {
                    min: IVec2::new(run.start, rows.start),
                    max: IVec2::new(run.end, rows.end),
                };
                region.area = region.area.hull(area);
                let pixels = run.len() as u64 * rows.len() as u64;
                *(if added { &mut region.added } else { &mut region.removed }) += pixels;
            }
        }
        let sum = |count: fn(&ChangedRegion) -> u64| regions.iter().map(count).sum();
        let (added, removed) = (sum(|region| region.added), sum(|region| region.removed));
        let size = |region: &ChangedRegion| region.added + region.removed;
        regions
            .sort_by_key(|region| (u64::MAX - size(region), region.area.min.y, region.area.min.x));
        regions.truncate(MAX_REGIONS);
        merge_near(&mut regions);
        regions
            .sort_by_key(|region| (u64::MAX - size(region), region.area.min.y, region.area.min.x));
        Ok(Self { added, removed, regions })
    }
}

/// Joins regions whose boxes are near each other, until none are. O(regions squared) for each round; there
/// are few rounds, because boxes only grow.
fn merge_near(regions: &mut Vec<ChangedRegion>) {
    let mut index = 0;
    while index < regions.len() {
        let region = regions[index];
        let area = region.area;
        let around = Aabb { min: area.min - NEAR, max: area.max + NEAR };
        let near = |other: &ChangedRegion| other.area.overlaps(around);
        let other = regions.iter().skip(index + 1).position(near).map(|at| index + 1 + at);
        match other {
            Some(other) => {
                let other = regions.swap_remove(other);
                regions[index] = ChangedRegion {
                    area: area.hull(other.area),
                    added: region.added + other.added,
                    removed: region.removed + other.removed,
                };
                // It may now be near one of those before it.
                index = 0;
            }
            None => index += 1,
        }
    }
}

/// The pixels of a grid's solid cells, moved by `origin`.
pub(super) fn pixels(grid: &Grid, cell: UVec2, origin: IVec2) -> Result<Bands, TooComplex> {
    let stripes = grid.width().div_ceil(64);
    if u64::from(stripes) * u64::from(grid.height()) > MAX_WORDS {
        return Err(TooComplex);
    }
    let cell = cell.as_ivec2();
    let mut bands = Bands::default();
    let mut line = vec![0; stripes as usize];
    for row in 0..grid.height() {
        for (column, word) in (0..).step_by(64).zip(&mut line) {
            *word = grid.row_word(column, row);
        }
        let y = origin.y + row as i32 * cell.y;
        let at = |column: i32| origin.x + column * cell.x;
        let solid = runs(&line, grid.width()).map(|run| at(run.start)..at(run.end));
        bands.push(y..y + cell.y, solid)?;
    }
    Ok(bands)
}

/// The numbers of pixels that are in the second set alone, and in the first one alone.
pub(super) fn count(before: &Bands, after: &Bands) -> Result<[u64; 2], TooComplex> {
    let mut counts = [0, 0];
    for_each_stretch(before, after, |rows, [one, other]| {
        for (run, added) in changes(of(before, &one), of(after, &other)) {
            counts[usize::from(!added)] += run.len() as u64 * rows.len() as u64;
        }
        Ok(())
    })?;
    Ok(counts)
}

fn of<'b>(bands: &'b Bands, runs: &Range<u32>) -> &'b [Range<i32>] {
    bands.runs.get(runs.start as usize..runs.end as usize).unwrap_or_default()
}

/// The parts of a row that are in one of two sets of runs alone: true for the second one.
fn changes(before: &[Range<i32>], after: &[Range<i32>]) -> Vec<(Range<i32>, bool)> {
    if before == after {
        return Vec::new();
    }
    let edges = |runs: &[Range<i32>], set: usize| -> Vec<(i32, usize)> {
        runs.iter().flat_map(|run| [(run.start, set), (run.end, set)]).collect()
    };
    let mut all = edges(before, 0);
    all.extend(edges(after, 1));
    all.sort_unstable();
    let mut inside = [false, false];
    let mut found: Vec<(Range<i32>, bool)> = Vec::new();
    let mut last = 0;
    for (edge, set) in all {
        if inside[0] != inside[1] && last < edge {
            match found.last_mut() {
                Some((run, added)) if run.end == last && *added == inside[1] => run.end = edge,
                _ => found.push((last..edge, inside[1])),
            }
        }
        inside[set] = !inside[set];
        last = edge;
    }
    found
}
