//! The difference of two levels: the pixels that became solid or passable, the passages that a body gained or
//! lost, and the markers that this touches.
//!
//! Both levels are compared in the space of their source ([`Level::origin`]), pixel by pixel, so that they
//! may differ in size and in the size of their cells. Nothing here knows files, revisions or pictures.

mod markers;
mod passages;
mod patches;
mod pieces;

use glam::UVec2;

use super::bands::{Bands, TooComplex};
use super::components::{CellKind, Connectivity, components};
use super::free_space::free_space;
use crate::geometry::{Aabb, Dir};
use crate::level::{Level, Marker};
use crate::sweep::Terrain;

pub use markers::{MarkerChange, MarkerDifference};
pub use passages::{BodyDifference, Passage};
pub use patches::Patch;

/// The largest side of a level and the largest offset of its corner, in pixels.
const MAX_SIDE: u32 = 1 << 29;

/// The difference of two levels: see [`difference`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelDifference {
    /// The pixels that each level takes in the space of the source, before and after.
    pub areas: [Aabb; 2],
    /// The size of a cell in pixels, before and after.
    pub cell_sizes: [UVec2; 2],
    /// The numbers of solid cells, before and after.
    pub solid_cells: [u64; 2],
    /// The pixels that became solid.
    pub added: u64,
    /// The pixels that became passable.
    pub removed: u64,
    /// The patches of changed pixels, the largest first; at most 1,024. Pixels that touch, also in a corner,
    /// are of one patch, and so are patches whose boxes are less than 8 px apart.
    pub patches: Vec<Patch>,
    /// The connected parts of the solid cells, corners included, before and after.
    pub solid_parts: [usize; 2],
    /// True if a one-way cell was added or removed, or guards other sides.
    pub one_way: bool,
    /// The names of areas that were added, removed, or have other cells, sorted.
    pub named_areas: Vec<String>,
    /// The passages that each body gained and lost; first those of a body of one pixel, which are those of
    /// the passable pixels.
    pub bodies: Vec<BodyDifference>,
    /// The markers that were changed, or that the changes touch.
    pub markers: Vec<MarkerDifference>,
}

impl LevelDifference {
    /// True if no query can tell the levels apart, and their markers are the same.
    pub fn is_empty(&self) -> bool {
        let Self { areas, added, removed, one_way, named_areas, markers, .. } = self;
        let same = areas[0] == areas[1] && (*added, *removed) == (0, 0) && !one_way;
        same && named_areas.is_empty() && markers.is_empty()
    }
}

/// The difference between two states of a level. `bodies` are the sizes of the bodies whose passages are
/// compared; the first one stands at the markers. `is_spawn` tells at which markers a body starts: other
/// markers are compared by whether it gets to them, if only solids hold it.
///
/// O(words + runs) of both levels, for each body.
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
/// [`TooComplex`] if one of the levels is, or if it is over 2^29 px wide or high.
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
    let pixels = |level: &Level| patches::pixels(level.grid(), level.cell_size(), level.origin());
    let changed = patches::Changes::between(&pixels(before)?, &pixels(after)?)?;
    let parts = |level: &Level| {
        components(level.grid(), CellKind::Solid, Connectivity::Eight).map(|all| all.parts().len())
    };
    let free =
        |level: &Level, body| Ok(free_space(level.terrain(), body)?.translated(level.origin()));
    let mut found = Vec::new();
    let mut sizes = vec![UVec2::ONE];
    sizes.extend(bodies.iter().filter(|body| **body != UVec2::ONE));
    let mut marked = Vec::new();
    for (index, body) in sizes.iter().enumerate() {
        let spaces = [free(before, *body)?, free(after, *body)?];
        found.push(BodyDifference::between(&spaces)?);
        if index == usize::from(sizes.len() > 1) {
            marked = markers::compare(levels, &spaces, &is_spawn);
        }
    }
    Ok(LevelDifference {
        areas: levels.map(|level| {
            let (corner, size) = (level.origin(), level.size().as_ivec2());
            Aabb { min: corner, max: corner + size }
        }),
        cell_sizes: levels.map(|level| level.cell_size()),
        solid_cells: levels.map(|level| level.grid().solid_count()),
        added: changed.added,
        removed: changed.removed,
        patches: changed.patches,
        solid_parts: [parts(before)?, parts(after)?],
        one_way: differs_in_guards(before, after)?,
        named_areas: named_areas(before, after)?,
        bodies: found,
        markers: marked,
    })
}

/// True if one-way cells differ, in the space of the source.
fn differs_in_guards(before: &Level, after: &Level) -> Result<bool, TooComplex> {
    for side in Dir::ALL {
        let pixels = |level: &Level| match level.one_way(side) {
            Some(grid) => patches::pixels(grid, level.cell_size(), level.origin()),
            None => Ok(Bands::default()),
        };
        if patches::count(&pixels(before)?, &pixels(after)?)? != [0, 0] {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The names of the areas that differ.
fn named_areas(before: &Level, after: &Level) -> Result<Vec<String>, TooComplex> {
    let mut names: Vec<&str> = before.areas().chain(after.areas()).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    let pixels = |level: &Level, area: Option<&Terrain>| match area {
        Some(area) => patches::pixels(area.grid(), area.cell_size(), level.origin()),
        None => Ok(Bands::default()),
    };
    let mut changed = Vec::new();
    for name in names {
        let areas = [before.area(name), after.area(name)];
        let counts = patches::count(&pixels(before, areas[0])?, &pixels(after, areas[1])?)?;
        if counts != [0, 0] || areas[0].is_some() != areas[1].is_some() {
            changed.push(name.to_owned());
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests;
