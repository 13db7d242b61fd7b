//! From everything solid on a map to the grids of its level: where the level starts and ends, and how large
//! its cells are.
//!
//! It reads no cells and asks no rules: `solids` has done that.

use glam::{IVec2, UVec2};

use super::compose::{Bounds, Pieces, joined};
use super::solids::Solids;
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::grid::Grid;
use crate::level::source::SolidCount;
use crate::limits::{Spent, check};

/// How far from its middle an infinite map may reach, in pixels. What lies further away may have been moved
/// to the ends of the range of coordinates.
const FARTHEST: u64 = 1 << 30;

/// The grids of a level.
pub(super) struct Built {
    pub(super) bounds: Bounds,
    /// The first cell that the level shows and, exclusive, the last one.
    pub(super) cells: (IVec2, IVec2),
    pub(super) solid: Grid,
    /// By the guarded side, in the order of [`crate::Dir::ALL`]; `None` for a level without one-way solids.
    pub(super) one_way: Option<[Grid; 4]>,
    /// Each with the size of its cells.
    pub(super) areas: Vec<(Grid, UVec2)>,
    pub(super) counts: Vec<SolidCount>,
}

impl Solids<'_> {
    /// The grids. `size` is that of a finite map, in cells.
    pub(super) fn build(mut self, size: UVec2, spent: &mut Spent) -> Result<Built, LoadErrorKind> {
        let area = if self.is_infinite {
            self.infinite_area()?
        } else {
            self.lattice.area(IVec2::ZERO, size.as_ivec2())
        };
        let whole = self.lattice.cell_size();
        let groups = self.one_way.iter().chain(&self.floor);
        let fits = self.lattice.is_rectangular()
            && self.solid.fill_whole_cells(whole)
            && groups
                .into_iter()
                .all(|pieces| pieces.fill_whole_cells(whole));
        let cell = |fits| if fits { whole } else { UVec2::ONE };
        let bounds = Bounds {
            area,
            whole,
            cell: cell(fits),
        };
        if let Some(floor) = self.floor.take() {
            self.solid.floor = Some(floor.compose(&bounds, self.limits, spent)?);
        }
        let solid = self.solid.compose(&bounds, self.limits, spent)?;
        let one_way = if self.one_way.iter().all(Pieces::is_empty) {
            None
        } else {
            let [left, right, up, down] = &self.one_way;
            let mut grid = |pieces: &Pieces| pieces.compose(&bounds, self.limits, spent);
            Some([grid(left)?, grid(right)?, grid(up)?, grid(down)?])
        };
        let mut areas = Vec::new();
        for pieces in &self.areas {
            let fits = self.lattice.is_rectangular() && pieces.fill_whole_cells(whole);
            let bounds = Bounds {
                cell: cell(fits),
                ..bounds
            };
            areas.push((pieces.compose(&bounds, self.limits, spent)?, bounds.cell));
        }
        let cells = if !self.is_infinite {
            (IVec2::ZERO, size.as_ivec2())
        } else if self.lattice.is_rectangular() {
            let whole = whole.as_ivec2();
            (area.min.div_euclid(whole), area.max.div_euclid(whole))
        } else {
            self.seen.unwrap_or_default()
        };
        Ok(Built {
            bounds,
            cells,
            solid,
            one_way,
            areas,
            counts: self.counts,
        })
    }

    /// What an infinite map shows: all cells that are not empty and everything solid, in whole cells.
    ///
    /// # Errors
    /// Something so far away that its pixels may have no numbers.
    fn infinite_area(&self) -> Result<Aabb, LoadErrorKind> {
        let pieces = [&self.solid]
            .into_iter()
            .chain(&self.one_way)
            .chain(&self.areas);
        let all = pieces
            .filter_map(|pieces| pieces.extent(self.lattice.cell_size()))
            .chain(self.extent)
            .reduce(joined);
        let size = self.lattice.cell_size().as_ivec2();
        let Some(all) = all else {
            return Ok(Aabb {
                min: IVec2::ZERO,
                max: size,
            });
        };
        let corners = [all.min, all.max].map(|corner| corner.as_i64vec2().abs().max_element());
        let far = corners.into_iter().fold(0, i64::max) as u64;
        check("pixels from the map's middle to its edge", far, FARTHEST)?;
        if !self.lattice.is_rectangular() {
            return Ok(all);
        }
        let last = all.max.saturating_sub(IVec2::ONE).div_euclid(size);
        Ok(Aabb {
            min: all.min.div_euclid(size).saturating_mul(size),
            max: last.saturating_add(IVec2::ONE).saturating_mul(size),
        })
    }
}
