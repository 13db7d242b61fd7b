//! Finds the free space of a body: the positions at which its box overlaps no solid. Also finds passages that
//! are slightly too narrow, and the positions of a body at a marker. A position is the top-left corner of the
//! box, in pixels of the level. Gravity and jumps are ignored. The module `navigate` finds the shortest way
//! between two positions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::{IVec2, UVec2, Vec2Swizzles};

use super::{Bands, MAX_WORDS, Part, TooComplex, Union};
use crate::geometry::{Aabb, Axis, Sides};
use crate::level::Marker;
use crate::navigate::push_turn;
use crate::terrain::Terrain;

const MAX_SIDE: u32 = 1 << 30;

/// The free positions of a box, and their connected areas: see [`free_space`].
#[derive(Clone, Debug)]
pub struct FreeSpace {
    pub(super) body: UVec2,
    pub(super) bands: Bands,
    pub(super) labels: Vec<u32>,
    areas: Vec<FreeArea>,
}

/// A connected area of free positions. A body can move between any two positions of the area in steps of one
/// pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FreeArea {
    /// The number of positions in the area.
    pub positions: u64,
    /// The box around all pixels that the body covers at the positions of the area.
    pub area: Aabb,
    /// The left-most position in the top row of the area.
    pub first: IVec2,
}

/// The largest side of a body in pixels, so that the sum of a side and a position fits an `i32`.
const MAX_BODY: u32 = 1 << 27;

/// Returns the free space of a box of `body` pixels in a terrain. A side of 0 counts as 1.
///
/// Beyond an open side of the terrain, every position is free. Only positions at which the body touches the
/// terrain are kept: they stand for all further positions. Beyond a solid side, no position is free.
///
/// O(words + runs), for any size of the body. Memory: 16 bytes per run of neighbouring positions, and a copy
/// of the rows that the body covers.
///
/// ```
/// use bitwall::analyze::free_space;
/// use bitwall::{Grid, Terrain, glam::{IVec2, UVec2}};
///
/// let terrain = Terrain::new(Grid::from_text("...#...\n.......\n...#...")?, UVec2::splat(8))?;
/// let small = free_space(&terrain, UVec2::new(8, 8))?;
/// assert_eq!(small.areas().len(), 1);
/// let large = free_space(&terrain, UVec2::new(8, 9))?;
/// assert_eq!(large.areas().len(), 2, "it does not fit through the door");
/// assert_eq!(large.area_at(IVec2::new(0, 0)), Some(0));
/// assert_eq!(large.area_at(IVec2::new(20, 8)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`] for more than 2^21 runs, 2^29 cells or 2^30 pixels per side, and for a body of more than
/// 2^27 pixels per side.
pub fn free_space(terrain: &Terrain, body: UVec2) -> Result<FreeSpace, TooComplex> {
    let body = body.max(UVec2::ONE);
    let grid = terrain.grid();
    let words = u64::from(grid.width().div_ceil(64)) * u64::from(grid.height());
    let side = terrain.size().max_element();
    if words > MAX_WORDS || side > MAX_SIDE || body.max_element() > MAX_BODY {
        return Err(TooComplex);
    }
    let mut bands = Bands::default();
    let everywhere = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    let found = terrain.each_free_row(body, everywhere, &mut |rows, free| {
        let rows = rows.start as i32..rows.end as i32;
        bands.push(rows, &mut free.map(|run| run.start as i32..run.end as i32)).ok()
    });
    found.ok_or(TooComplex)?;
    let (labels, count) = bands.labels(false);
    let areas = bands.parts(&labels, count).map(|Part { size, first, mut area }| {
        area.max += body.as_ivec2() - 1;
        FreeArea { positions: size, area, first }
    });
    let areas = areas.collect();
    Ok(FreeSpace { body, bands, labels, areas })
}

impl FreeSpace {
    /// The width and height of the body in pixels, at least 1.
    pub fn body(&self) -> UVec2 {
        self.body
    }

    /// The areas in the order of their first positions, row by row from the top. The index of an area is its
    /// number.
    pub fn areas(&self) -> &[FreeArea] {
        &self.areas
    }

    /// True if the body can move in the area by its own length on both axes, or by twice its length on one
    /// axis.
    ///
    /// Smaller areas are nooks, such as the corner behind a post. O(1).
    pub fn is_room(&self, area: usize) -> bool {
        self.areas.get(area).is_some_and(|area| {
            let size = area.area.size();
            let [twice, thrice] =
                [2, 3].map(|times| size.cmpge(self.body.saturating_mul(UVec2::splat(times))));
            twice.all() || thrice.any()
        })
    }

    /// The free space moved by `by`. The level's sides and `by` must be below 2^30.
    pub(super) fn translated(mut self, by: IVec2) -> Self {
        self.bands = self.bands.translated(by);
        for area in &mut self.areas {
            (area.area, area.first) = (area.area.translated(by), area.first + by);
        }
        self
    }

    /// The number of the area with this position; `None` for a position that is not free, or that is further
    /// beyond an open side than [`free_space`] searches.
    ///
    /// O(log runs).
    pub fn area_at(&self, position: IVec2) -> Option<usize> {
        let run = self.bands.run_at(position.x, position.y)?;
        self.labels.get(run as usize).map(|label| *label as usize)
    }

    /// Returns the areas with a position in the box `positions`, as ascending numbers. O(runs in the rows of
    /// the box).
    pub fn areas_within(&self, positions: Aabb) -> Vec<usize> {
        let columns = positions.min.x..positions.max.x;
        let rows = positions.min.y..positions.max.y;
        let mut is_in = vec![false; self.areas.len()];
        if !positions.is_empty() {
            self.bands.find_over(&columns, &rows, &mut |run| {
                is_in[self.labels[run as usize] as usize] = true;
                false
            });
        }
        (0..is_in.len()).filter(|area| is_in[*area]).collect()
    }

    /// Returns the free positions as rectangles, from the top, then from the left. Each rectangle has its
    /// columns, its rows and its area number.
    pub fn runs(&self) -> impl Iterator<Item = (Range<i32>, Range<i32>, usize)> {
        self.bands.labelled(&self.labels)
    }
}

/// The points of `line` at which it turns, and its two ends.
pub(super) fn simplified(line: &[IVec2]) -> Vec<IVec2> {
    let mut kept = Vec::new();
    line.iter().for_each(|point| push_turn(&mut kept, *point));
    kept
}

/// The largest number of passages per axis; each new passage is compared with all others.
const MOST_GAPS: usize = 4_096;

/// A passage that is too narrow for a body: see [`near_gaps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Gap {
    /// The axis on which the passage is too narrow: x for a shaft, y for a tunnel.
    pub axis: Axis,
    /// The number of pixels by which the passage is too narrow on this axis, at least 1.
    pub missing: u32,
    /// The narrowest spot of the passage, in pixels of the level.
    pub area: Aabb,
    /// The numbers of two areas on either side of the passage, the lower number first.
    pub areas: [usize; 2],
}

/// Finds passages between two areas of `free` that are slightly too narrow.
///
/// The body would fit if it were 1 to `slack` pixels narrower, or 1 to `slack` pixels lower. The passages are
/// sorted by missing pixels, without repeats. A passage that is too narrow on both axes is not found.
/// O(`slack`) searches of the free space per axis, and O(passages^2).
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
/// [`TooComplex`] as for [`free_space`](super::free_space()), and for more than 4,096 passages on one axis.
pub fn near_gaps(terrain: &Terrain, free: &FreeSpace, slack: u32) -> Result<Vec<Gap>, TooComplex> {
    let mut found = Vec::new();
    if free.areas().len() < 2 {
        return Ok(found);
    }
    across_x(terrain, free, slack, &mut found)?;
    let turned = transposed(terrain)?;
    let turned_free = free_space(&turned, free.body.yx())?;
    let mut lows = Vec::new();
    across_x(&turned, &turned_free, slack, &mut lows)?;
    found.extend(lows.iter().filter_map(|gap| {
        let [one, other] = gap.areas.map(|number| turned_free.areas()[number].first.yx());
        let mut areas = [free.area_at(one)?, free.area_at(other)?];
        areas.sort_unstable();
        let area = Aabb { min: gap.area.min.yx(), max: gap.area.max.yx() };
        Some(Gap { axis: Axis::Y, area, areas, ..*gap })
    }));
    found.sort_by_key(|gap| (gap.missing, gap.area.min.y, gap.area.min.x));
    Ok(found)
}

fn across_x(
    terrain: &Terrain,
    free: &FreeSpace,
    slack: u32,
    found: &mut Vec<Gap>,
) -> Result<(), TooComplex> {
    for missing in 1..=slack.min(free.body.x - 1) {
        let narrow = UVec2::new(free.body.x - missing, free.body.y);
        let narrow = free_space(terrain, narrow)?;
        for (areas, tight) in clusters(free, &narrow) {
            let area = narrowest(&narrow, &tight);
            let pairs = areas.iter().skip(1).map(|other| [areas[0], *other]);
            for areas in pairs {
                if !found.iter().any(|gap| gap.areas == areas && gap.area.overlaps(area)) {
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

/// Finds the connected sets of runs of positions that are free for a narrow body, but not for a wide body.
/// Returns each set that touches two or more areas of the wide body: the ascending numbers of these areas,
/// and the runs.
fn clusters(wide: &FreeSpace, narrow: &FreeSpace) -> Vec<(Vec<usize>, Vec<u32>)> {
    let area_of = areas_of(wide, narrow);
    let mut joined = Union::new(area_of.len());
    let mut touched = Vec::new();
    narrow.bands.for_each_contact(false, &mut |upper, lower| match (
        area_of[upper as usize],
        area_of[lower as usize],
    ) {
        (None, None) => {
            joined.join(upper, lower);
        }
        (None, Some(area)) => touched.push((upper, area)),
        (Some(area), None) => touched.push((lower, area)),
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

/// For each run of `narrow`, the area of `wide` that has positions in it; `None` without such an area. Each
/// run of `wide` is within one run of `narrow`.
fn areas_of(wide: &FreeSpace, narrow: &FreeSpace) -> Vec<Option<usize>> {
    let mut areas = vec![None; narrow.bands.runs.len()];
    for (columns, rows, area) in wide.runs() {
        if let Some(run) = narrow.bands.run_at(columns.start, rows.start) {
            areas[run as usize] = Some(area);
        }
    }
    areas
}

/// The pixels of the narrowest spot of a passage that consists of `runs`: the shortest run, and equally short
/// runs directly below.
fn narrowest(narrow: &FreeSpace, runs: &[u32]) -> Aabb {
    let w = narrow.body.x as i32;
    let h = narrow.body.y as i32;
    let all = &narrow.bands.runs;
    let least = runs.iter().map(|run| all[*run as usize].len()).min().unwrap_or_default();
    let places = runs.iter().filter(|run| all[**run as usize].len() == least).filter_map(|run| {
        let columns = &all[*run as usize];
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
    // The body is too wide at each position where its h rows cover a row of the spot. The topmost of these
    // positions is `min.y`, so the spot begins h - 1 rows below.
    let top = if min.y + h - 1 < max.y { min.y + h - 1 } else { min.y };
    Aabb { min: IVec2::new(min.x, top), max: IVec2::new(max.x, max.y.max(top + 1)) }
}

fn transposed(terrain: &Terrain) -> Result<Terrain, TooComplex> {
    let turned = Terrain::new(terrain.grid().transposed(), terrain.cell_size().yx());
    Ok(turned.map_err(|_| TooComplex)?.with_outside(transposed_sides(terrain.outside())))
}

fn transposed_sides<T: Copy>(sides: Sides<T>) -> Sides<T> {
    Sides { left: sides.up, right: sides.down, up: sides.left, down: sides.right }
}

/// Returns the three boxes that a body of `size` pixels may have at a marker, because games place bodies
/// differently.
///
/// A point marks the middle of the body, the middle of its feet, or its top-left corner. In a rectangle, the
/// body is in the middle, on the lower side, or in the top-left corner.
///
/// ```
/// use bitwall::analyze::boxes_at;
/// use bitwall::{Aabb, Level, glam::UVec2};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let player = level.marker("player").expect("the map has a spawn");
/// let [middle, feet, corner] = boxes_at(player, UVec2::new(12, 20));
/// assert_eq!(middle.center(), player.position());
/// assert_eq!((feet.min.x, feet.max.y), (middle.min.x, player.position().y));
/// assert_eq!(corner.min, player.position());
/// # Ok::<(), bitwall::LoadError>(())
/// ```
pub fn boxes_at(marker: &Marker, size: UVec2) -> [Aabb; 3] {
    let middle = Aabb::from_center(marker.position(), size);
    let feet = IVec2::new(middle.min.x, marker.area.max.y.saturating_sub_unsigned(size.y));
    let [feet, corner] =
        [feet, marker.area.min].map(|min| Aabb { min, max: min.saturating_add_unsigned(size) });
    [middle, feet, corner]
}

#[cfg(test)]
mod tests;
