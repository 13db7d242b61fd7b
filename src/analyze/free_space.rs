//! Finds the free space of a body: the positions at which its box overlaps no solid. Also finds the positions
//! of a body at a marker. A position is the top-left corner of the box, in pixels of the level. Gravity and
//! jumps are ignored. The module `navigate` finds the shortest way between two positions.

use std::ops::Range;

use glam::{IVec2, UVec2};

use super::{Bands, ConnectedPart, MAX_WORDS, TooComplex};
use crate::geometry::Aabb;
use crate::level::Marker;
use crate::terrain::Terrain;

const MAX_SIDE: u32 = 1 << 30;

/// The free positions of a box, and their connected areas: see [`free_space`].
#[derive(Clone, Debug)]
pub struct FreeSpace {
    body: UVec2,
    pub(super) bands: Bands,
    pub(super) labels: Vec<u32>,
    areas: Vec<ConnectedPart>,
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
    let found = terrain.each_free_row(body, &mut |rows, free| {
        let rows = rows.start as i32..rows.end as i32;
        bands.push(rows, &mut free.map(|run| run.start as i32..run.end as i32)).ok()
    });
    found.ok_or(TooComplex)?;
    let (labels, count) = bands.labels(false);
    let mut areas = bands.parts(&labels, count);
    areas.iter_mut().for_each(|part| part.area.max += body.as_ivec2() - 1);
    Ok(FreeSpace { body, bands, labels, areas })
}

impl FreeSpace {
    /// The width and height of the body in pixels, at least 1.
    pub fn body(&self) -> UVec2 {
        self.body
    }

    /// The areas in the order of their first positions, row by row from the top. The index of an area is its
    /// number. A body can move between any two positions of an area in steps of one pixel.
    pub fn areas(&self) -> &[ConnectedPart] {
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

    /// Returns the free positions as rectangles, from the top, then from the left. Each rectangle has its
    /// columns, its rows and its area number.
    pub fn runs(&self) -> impl Iterator<Item = (Range<i32>, Range<i32>, usize)> {
        self.bands.labelled(&self.labels)
    }
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
