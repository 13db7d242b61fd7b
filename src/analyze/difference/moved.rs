//! Finds the translation by which all solids of a level moved, for example because its map grew at the left.

use std::collections::BTreeMap;

use glam::IVec2;

use super::count;
use crate::analyze::bands::{Bands, TooComplex};
use crate::geometry::Aabb;
use crate::level::Level;

/// The largest number of columns or rows that [`best_match`] compares, which takes O(n^2) steps.
const MAX_CELLS: i32 = 2_048;

/// The largest translation on each axis, in pixels, so that no position overflows.
const MAX_MOVE: u32 = 1 << 29;

/// The translation of `solids[0]` that leaves the fewest pixels different from `solids[1]`; `None` if it
/// leaves more than half of the `changed` pixels. `areas` are the boxes of the levels.
///
/// Only likely translations are tried. They come from the corners of the levels, from the corners of the
/// boxes around their solids, from the counts of solid cells in columns and rows, and from markers that
/// moved.
pub(super) fn moved(
    levels: [&Level; 2],
    areas: [Aabb; 2],
    solids: &[Bands; 2],
    changed: u64,
) -> Result<Option<IVec2>, TooComplex> {
    let cell = levels[0].cell_size();
    let boxes = solids.each_ref().map(bounds);
    let ([Some(old), Some(new)], true) = (boxes, changed > 0 && cell == levels[1].cell_size())
    else {
        return Ok(None);
    };
    let [min, max, grown] = [new.min - old.min, new.max - old.max, areas[1].max - areas[0].max];
    let counts = [0, 1].map(|axis| {
        let counts = |side: usize| counts(&solids[side], [old, new][side], axis, cell.as_ivec2());
        Some(best_match(&counts(0)?, &counts(1)?) * cell.as_ivec2()[axis] + min[axis])
    });
    let mut tried = vec![min, max, grown, grown.with_x(0), grown.with_y(0)];
    if let [Some(x), Some(y)] = counts {
        tried.push(IVec2::new(x, y));
    }
    tried.extend(of_markers(levels));
    let is_near = |by: &IVec2| by.to_array().iter().all(|way| way.unsigned_abs() <= MAX_MOVE);
    tried.retain(|by| *by != IVec2::ZERO && is_near(by));
    tried.sort_unstable_by_key(|by| (by.as_i64vec2().length_squared(), by.to_array()));
    tried.dedup();
    let mut best = None;
    let mut least = changed / 2 + 1;
    for by in tried {
        let [added, removed] = count(&solids[0].clone().translated(by), &solids[1])?;
        if added + removed < least {
            (best, least) = (Some(by), added + removed);
        }
    }
    Ok(best)
}

fn bounds(solids: &Bands) -> Option<Aabb> {
    let boxes = solids.bands.iter().filter_map(|band| {
        let runs = solids.runs_of(band);
        let (first, last) = (runs.first()?, runs.last()?);
        let (min, max) =
            (IVec2::new(first.start, band.rows.start), IVec2::new(last.end, band.rows.end));
        Some(Aabb { min, max })
    });
    boxes.reduce(Aabb::hull)
}

/// The numbers of solid pixels in each column of cells of `area` (`axis` 0), or in each row of cells (`axis`
/// 1). `None` for more than [`MAX_CELLS`] columns or rows.
fn counts(solids: &Bands, area: Aabb, axis: usize, cell: IVec2) -> Option<Vec<i64>> {
    let length = (area.max - area.min)[axis] / cell[axis];
    if length > MAX_CELLS {
        return None;
    }
    // Stores the change from one column or row to the next. The changes are summed at the end.
    let mut counts = vec![0; length as usize + 1];
    for band in &solids.bands {
        for run in solids.runs_of(band) {
            let (along, across) = match axis {
                0 => (run, &band.rows),
                _ => (&band.rows, run),
            };
            let at = |place: i32| ((place - area.min[axis]) / cell[axis]) as usize;
            counts[at(along.start)] += across.len() as i64;
            counts[at(along.end)] -= across.len() as i64;
        }
    }
    let mut sum = 0;
    for count in &mut counts {
        sum += *count;
        *count = sum;
    }
    Some(counts)
}

/// The number of columns or rows by which the counts `before` must be moved to have the least sum of
/// differences from the counts `after`. Among equal sums, the smallest number. The counts are solid pixels
/// per column or row: see [`counts`].
fn best_match(before: &[i64], after: &[i64]) -> i32 {
    let at = |counts: &[i64], index: i32| {
        usize::try_from(index).ok().and_then(|index| counts.get(index)).copied().unwrap_or(0)
    };
    let (old, new) = (before.len() as i32, after.len() as i32);
    let cost = |by: i32| -> i64 {
        let indices = by.min(0)..new.max(old + by);
        indices.map(|index| (at(before, index - by) - at(after, index)).abs()).sum()
    };
    (1 - old..new).min_by_key(|by| (cost(*by), by.abs())).unwrap_or(0)
}

/// The translation by which the most markers moved, of the markers that have an id, a name and a layer in
/// both levels.
fn of_markers(levels: [&Level; 2]) -> Option<IVec2> {
    let [before, after] = levels.map(|level| {
        let with_id = level.markers().iter().filter(|marker| marker.object != 0);
        with_id.map(|marker| {
            let key = (marker.object, &marker.name, &marker.layer);
            (key, marker.area.min.saturating_add(level.origin()))
        })
    });
    let before: BTreeMap<_, _> = before.collect();
    let mut votes = BTreeMap::<[i32; 2], u32>::new();
    for (key, at) in after {
        if let Some(old) = before.get(&key) {
            *votes.entry(at.saturating_sub(*old).to_array()).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(_, count)| *count).map(|(by, _)| by.into())
}
