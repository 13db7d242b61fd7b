//! The pixels that became solid or passable, in patches.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::analyze::bands::{Bands, MAX_WORDS, TooComplex, for_each_stretch, runs};
use crate::geometry::Aabb;
use crate::grid::Grid;

/// Changed pixels that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch {
    /// The box around them.
    pub area: Aabb,
    /// The pixels that became solid.
    pub added: u64,
    /// The pixels that became passable.
    pub removed: u64,
}

/// The largest number of patches that are kept.
const MAX_PATCHES: usize = 1_024;

/// Patches less than so many pixels apart are one.
const NEAR: i32 = 8;

/// The rounds of joining patches that are near each other. Random changes need 2 or 3.
const MAX_ROUNDS: u32 = 32;

/// The changed pixels.
pub(super) struct Changes {
    pub(super) added: u64,
    pub(super) removed: u64,
    pub(super) patches: Vec<Patch>,
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
            // Runs that touch are one run of a patch.
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
        let none = Patch { area: Aabb { min: IVec2::MAX, max: IVec2::MIN }, added: 0, removed: 0 };
        let mut patches = vec![none; count as usize];
        for (run, rows, added) in kinds {
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
        let sum = |count: fn(&Patch) -> u64| patches.iter().map(count).sum();
        let (added, removed) = (sum(|patch| patch.added), sum(|patch| patch.removed));
        let mut patches = merge_near(patches);
        patches.sort_by_key(|patch| {
            (u64::MAX - patch.added - patch.removed, patch.area.min.y, patch.area.min.x)
        });
        patches.truncate(MAX_PATCHES);
        Ok(Self { added, removed, patches })
    }
}

/// Joins patches whose boxes are near each other, until none are. A joined box may come near one that the
/// round has passed, so there are several rounds; after 32 boxes may be left that overlap.
/// O(patches log patches) for each round.
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

/// Joins patches that are near each other, from the top. The boxes that may still meet one below are apart in
/// x: they lie in a map by their left side.
fn merged_once(mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.sort_unstable_by_key(|patch| (patch.area.min.y, patch.area.min.x));
    let mut open = BTreeMap::<i32, Patch>::new();
    let mut ended = Vec::new();
    for mut patch in patches {
        loop {
            // The one box from the left whose right side may be near, and those that begin within reach.
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
