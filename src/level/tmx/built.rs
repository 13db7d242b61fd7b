//! From everything solid on a map to the grids of its level: where the level starts and ends, and how large
//! its cells are.
//!
//! It reads no cells and asks no rules: `solids` has done that.

use std::ops::Range;

use glam::{IVec2, UVec2};

use super::compose::{Bounds, Pieces, joined};
use super::solids::Solids;
use crate::geometry::{Aabb, Dir};
use crate::grid::{Grid, MAX_DENSE_CELLS};
use crate::level::error::LoadErrorKind;
use crate::level::limits::{Spent, check};
use crate::level::source::SolidCount;

/// How far from its middle an infinite map may reach, in pixels. What lies further away may have been moved
/// to the ends of the range of coordinates.
const FARTHEST: u64 = 1 << 30;

/// The grids of a level.
pub(super) struct Built {
    pub(super) bounds: Bounds,
    pub(super) solid: Grid,
    /// By the guarded side, in the order of [`Dir::ALL`]; `None` for a level without one-way solids.
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
            // Whole cells are asked one by one even where something else takes the level to pixels.
            let fits = self.lattice.is_rectangular() && floor.fill_whole_cells(whole);
            let of_floor = Bounds {
                cell: cell(fits),
                ..bounds
            };
            let size = of_floor.size(self.limits)?;
            let cells = u64::from(size.x) * u64::from(size.y);
            check("cells of a level with floors", cells, MAX_DENSE_CELLS)?;
            let floor = floor.compose(&of_floor, self.limits, spent)?;
            add_gaps(&mut self.solid, &floor, &of_floor);
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
        Ok(Built {
            bounds,
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
            .filter_map(Pieces::extent)
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

/// Makes the cells of a level solid that no floor layer has a tile in.
fn add_gaps(solid: &mut Pieces, floor: &Grid, bounds: &Bounds) {
    let cell = bounds.cell.as_ivec2();
    let corner = |column: u32, row: u32| {
        let way = IVec2::new(column as i32, row as i32).saturating_mul(cell);
        bounds.area.min.saturating_add(way)
    };
    let mut above = Vec::new();
    for row in 0..floor.height() {
        let runs = gaps(floor, row);
        // Rows of pixels are mostly like the one above: then its boxes grow.
        if runs == above {
            let grown = solid.boxes.len() - runs.len();
            for area in &mut solid.boxes[grown..] {
                area.max.y = corner(0, row + 1).y;
            }
            continue;
        }
        let boxes = runs.iter().map(|run| Aabb {
            min: corner(run.start, row),
            max: corner(run.end, row + 1),
        });
        solid.boxes.extend(boxes);
        above = runs;
    }
}

/// The runs of cells in a row that are not solid.
fn gaps(floor: &Grid, row: u32) -> Vec<Range<u32>> {
    let mut runs = Vec::new();
    let mut column = 0;
    while column < floor.width() {
        let rest = column..floor.width();
        let next = floor.first_solid(Dir::Down, rest.clone(), row..row + 1);
        let end = next.map_or(rest.end, |cell| cell.x);
        if end > column {
            runs.push(column..end);
        }
        column = end;
        while column < floor.width() && floor.is_solid(column, row) {
            column += 1;
        }
    }
    runs
}
