//! Passages that are a little too narrow for a body.
//!
//! A kernel over the bands of a free space. It reports places; nothing here judges them.

use glam::{IVec2, UVec2, Vec2Swizzles};

use super::bands::TooComplex;
use super::free_space::{FreeSpace, free_space_in};
use super::union::Union;
use crate::geometry::{Aabb, Axis, Sides};
use crate::sweep::Terrain;

/// The most passages on one axis: each new one is compared with them.
const MOST_GAPS: usize = 4_096;

/// A passage that is too narrow for a body: see [`near_gaps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The axis on which it is too narrow: a shaft in x, a tunnel in y.
    pub axis: Axis,
    /// The pixels that it lacks on this axis, at least 1.
    pub missing: u32,
    /// The pixels of its narrowest spot, in the level.
    pub area: Aabb,
    /// Two areas of the free space that it parts, by their numbers, the lower one first.
    pub areas: [usize; 2],
}

/// The passages that part two areas of the free space, and that a body would fit through if it were 1 to
/// `slack` pixels narrower, or lower; from the least that is missing, and each once. A passage that lacks
/// pixels on both axes is not found. O(slack) times the free space, on each axis, and O(passages^2).
///
/// ```
/// use bitwall::analyze::{free_space, near_gaps};
/// use bitwall::{Axis, Grid, Terrain, glam::UVec2};
///
/// let terrain = Terrain::new(Grid::from_text("......\n##..##\n......")?, UVec2::new(7, 20))?;
/// let free = free_space(&terrain, UVec2::new(16, 16))?;
/// assert_eq!(free.areas().len(), 2);
/// let gaps = near_gaps(&terrain, &free, 2)?;
/// assert_eq!((gaps[0].axis, gaps[0].missing, gaps[0].areas), (Axis::X, 2, [0, 1]));
/// assert_eq!(gaps[0].area, bitwall::Aabb::from_xywh(14, 20, 14, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`], as [`free_space`](super::free_space()), and for more than 4,096 passages on one axis.
pub fn near_gaps(terrain: &Terrain, free: &FreeSpace, slack: u32) -> Result<Vec<Gap>, TooComplex> {
    let mut found = Vec::new();
    if free.areas().len() < 2 {
        return Ok(found);
    }
    across_x(terrain, free, slack, &mut found)?;
    let turned = transposed(terrain)?;
    let turned_free = free_space_in(&turned, free.body.yx(), transposed_sides(free.outside))?;
    let mut lows = Vec::new();
    across_x(&turned, &turned_free, slack, &mut lows)?;
    found.extend(lows.iter().filter_map(|gap| {
        let area = |number: usize| free.area_at(turned_free.areas().get(number)?.first.yx());
        let [one, other] = [area(gap.areas[0])?, area(gap.areas[1])?];
        let areas = [one.min(other), one.max(other)];
        let area = Aabb { min: gap.area.min.yx(), max: gap.area.max.yx() };
        Some(Gap { axis: Axis::Y, area, areas, ..*gap })
    }));
    found.sort_by_key(|gap| (gap.missing, gap.area.min.y, gap.area.min.x));
    Ok(found)
}

/// The passages that are too narrow in x, in `found`.
fn across_x(
    terrain: &Terrain,
    free: &FreeSpace,
    slack: u32,
    found: &mut Vec<Gap>,
) -> Result<(), TooComplex> {
    for missing in 1..=slack.min(free.body.x - 1) {
        let narrow = UVec2::new(free.body.x - missing, free.body.y);
        let narrow = free_space_in(terrain, narrow, free.outside)?;
        for (areas, tight) in clusters(free, &narrow) {
            let area = narrowest(&narrow, &tight);
            let pairs = areas.iter().skip(1).map(|other| [areas[0], *other]);
            for areas in pairs {
                let known = |gap: &Gap| gap.areas == areas && gap.area.overlaps(area);
                if !found.iter().any(known) {
                    if found.len() == MOST_GAPS {
                        return Err(TooComplex);
                    }
                    found.push(Gap { axis: Axis::X, missing, area, areas });
                }
            }
        }
    }
    Ok(())
}

/// The connected sets of runs of the narrower body's free space in which the wide one does not fit, with the
/// areas of the wide one that each touches, if they are at least two; rising.
fn clusters(wide: &FreeSpace, narrow: &FreeSpace) -> Vec<(Vec<usize>, Vec<u32>)> {
    let area_of = areas_of(wide, narrow);
    // The contacts of tight runs among themselves join them.
    let mut joined = Union::new(area_of.len());
    let mut touched = Vec::new();
    narrow.bands.for_each_contact(false, |upper, lower| {
        match (area_of[upper as usize], area_of[lower as usize]) {
            (None, None) => {
                joined.join(upper, lower);
            }
            (None, Some(area)) => touched.push((upper, area)),
            (Some(area), None) => touched.push((lower, area)),
            (Some(_), Some(_)) => {}
        }
    });
    let (labels, _) = joined.labels();
    let mut touched: Vec<(u32, usize)> =
        touched.into_iter().map(|(run, area)| (labels[run as usize], area)).collect();
    touched.sort_unstable();
    touched.dedup();
    let several = touched.chunk_by(|one, other| one.0 == other.0).filter(|chunk| chunk.len() > 1);
    let mut clusters: Vec<(u32, Vec<usize>, Vec<u32>)> = several
        .map(|chunk| (chunk[0].0, chunk.iter().map(|(_, area)| *area).collect(), Vec::new()))
        .collect();
    for (run, label) in (0..).zip(labels).filter(|(run, _)| area_of[*run as usize].is_none()) {
        if let Ok(index) = clusters.binary_search_by_key(&label, |cluster| cluster.0) {
            clusters[index].2.push(run);
        }
    }
    clusters.into_iter().map(|(_, areas, runs)| (areas, runs)).collect()
}

/// The area of the wide body for each run of the narrow one; `None` for a run in which it does not fit. Both
/// have the same bands, because the bodies are equally high; and a run of the wide one is in one of the
/// narrow one, because both come from one gap.
fn areas_of(wide: &FreeSpace, narrow: &FreeSpace) -> Vec<Option<usize>> {
    let mut areas = vec![None; narrow.bands.runs.len()];
    for (one, other) in wide.bands.bands.iter().zip(&narrow.bands.bands) {
        let mut index = other.runs.start as usize;
        let runs = wide.bands.runs_of(one).iter().zip(one.runs.start as usize..);
        for (run, number) in runs {
            while narrow.bands.runs.get(index).is_some_and(|narrow| narrow.end <= run.start) {
                index += 1;
            }
            if let (Some(area), Some(label)) = (areas.get_mut(index), wide.labels.get(number)) {
                *area = Some(*label as usize);
            }
        }
    }
    areas
}

/// The pixels of the narrowest of the runs, and of those like it that touch it.
fn narrowest(narrow: &FreeSpace, runs: &[u32]) -> Aabb {
    let (w, h) = (narrow.body.x as i32, narrow.body.y as i32);
    let length =
        |run: &u32| narrow.bands.runs.get(*run as usize).map_or(i32::MAX, |run| run.len() as i32);
    let least = runs.iter().map(length).min().unwrap_or_default();
    let places = runs.iter().filter(|run| length(run) == least).filter_map(|run| {
        let columns = narrow.bands.runs.get(*run as usize)?;
        let rows = &narrow.bands.band_of(*run)?.rows;
        Some(Aabb {
            min: IVec2::new(columns.start, rows.start),
            max: IVec2::new(columns.end - 1 + w, rows.end),
        })
    });
    let together = places.reduce(|one: Aabb, next| {
        let follows = next.min.y <= one.max.y && next.min.x == one.min.x;
        if follows { one.hull(next) } else { one }
    });
    let Aabb { min, max } = together.unwrap_or_default();
    // The body lacks room wherever a row of the spot is under it: the spot itself is lower by its height.
    let top = if min.y + h - 1 < max.y { min.y + h - 1 } else { min.y };
    Aabb { min: IVec2::new(min.x, top), max: IVec2::new(max.x, max.y.max(top + 1)) }
}

/// The terrain with x and y exchanged.
pub(super) fn transposed(terrain: &Terrain) -> Result<Terrain, TooComplex> {
    let turned = Terrain::new(terrain.grid().transposed(), terrain.cell_size().yx());
    Ok(turned.map_err(|_| TooComplex)?.with_outside(transposed_sides(terrain.outside())))
}

pub(super) fn transposed_sides<T: Copy>(sides: Sides<T>) -> Sides<T> {
    Sides { left: sides.up, right: sides.down, up: sides.left, down: sides.right }
}

#[cfg(test)]
mod tests;
