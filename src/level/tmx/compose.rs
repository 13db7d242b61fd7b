//! From solid tiles and rectangles to one grid: of tiles if each solid fills whole ones, else of pixels.

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::grid::{Grid, Plane};
use crate::level::error::LoadErrorKind;
use crate::level::limits::{Limits, check};

/// What is solid in a map.
pub(super) struct Pieces {
    /// Width and height of the map in tiles.
    pub(super) size: UVec2,
    /// Width and height of a tile in pixels.
    pub(super) tile_size: UVec2,
    /// Tiles, and how far their layer is moved, in pixels.
    pub(super) layers: Vec<(Plane, IVec2)>,
    /// Rectangles, in pixels.
    pub(super) rectangles: Vec<Aabb>,
}

impl Pieces {
    /// The grid and the size of its cells. What lies outside the map is cut off.
    pub(super) fn compose(&self, limits: &Limits) -> Result<(Grid, UVec2), LoadErrorKind> {
        let cell_size = if self.fill_whole_tiles() {
            self.tile_size
        } else {
            UVec2::ONE
        };
        let per_tile = self.tile_size / cell_size;
        let cells = self.cells(per_tile, limits)?;
        self.check_work(cells, per_tile, cell_size, limits)?;
        let no_memory = |_| LoadErrorKind::NoMemory {
            cells: u64::from(cells.x) * u64::from(cells.y),
        };
        let mut rows = Grid::blank_rows(cells.x, cells.y).map_err(no_memory)?;
        for (tiles, offset) in &self.layers {
            let offset = *offset / cell_size.as_ivec2();
            if per_tile == UVec2::ONE && offset == IVec2::ZERO {
                rows.or(tiles);
            } else {
                stamp(&mut rows, tiles, per_tile.as_ivec2(), offset);
            }
        }
        for area in &self.rectangles {
            let (min, max) = in_cells(area, cell_size);
            fill(&mut rows, min, max);
        }
        let grid = Grid::from_rows(rows).map_err(no_memory)?;
        Ok((grid, cell_size))
    }

    /// True if every solid starts and ends where a tile does.
    fn fill_whole_tiles(&self) -> bool {
        let tile = self.tile_size.as_ivec2();
        let on_tiles = |point: IVec2| point.rem_euclid(tile) == IVec2::ZERO;
        let mut areas = self.rectangles.iter().filter(|area| !area.is_empty());
        self.layers.iter().all(|(_, offset)| on_tiles(*offset))
            && areas.all(|area| on_tiles(area.min) && on_tiles(area.max))
    }

    /// The number of cells of the level on each axis.
    fn cells(&self, per_tile: UVec2, limits: &Limits) -> Result<UVec2, LoadErrorKind> {
        let side = |tiles: u32, per_tile: u32| {
            let cells = u64::from(tiles) * u64::from(per_tile);
            let limit = u64::from(limits.level_side.min(i32::MAX as u32));
            check("cells in the width or height of the level", cells, limit)?;
            Ok::<u32, LoadErrorKind>(cells as u32)
        };
        let cells = UVec2::new(
            side(self.size.x, per_tile.x)?,
            side(self.size.y, per_tile.y)?,
        );
        let count = u64::from(cells.x) * u64::from(cells.y);
        check("cells of the level", count, limits.level_cells)?;
        Ok(cells)
    }

    /// Bounds the work: a small file can have thousands of solids that each fill the level.
    fn check_work(
        &self,
        cells: UVec2,
        per_tile: UVec2,
        cell_size: UVec2,
        limits: &Limits,
    ) -> Result<(), LoadErrorKind> {
        // A row of cells may start and end within a word.
        let words = |width: u64, rows: u64| rows.saturating_mul(width / 64 + 2);
        let tile = words(u64::from(per_tile.x), u64::from(per_tile.y));
        let tiles = self.layers.iter().map(|(tiles, _)| tiles.count_ones());
        let of_tiles = tiles.fold(0, |sum: u64, tiles| sum.saturating_add(tiles * tile));
        let of_rectangles = self.rectangles.iter().map(|area| {
            let (min, max) = in_cells(area, cell_size);
            let size = cells.as_ivec2();
            let extent = max.clamp(IVec2::ZERO, size) - min.clamp(IVec2::ZERO, size);
            words(extent.x.max(0) as u64, extent.y.max(0) as u64)
        });
        let work = of_rectangles.fold(of_tiles, u64::saturating_add);
        check(
            "words of cells covered by solids",
            work,
            limits.covered_words,
        )
    }
}

/// The cells from one corner of an area to the other.
fn in_cells(area: &Aabb, cell_size: UVec2) -> (IVec2, IVec2) {
    let cell = cell_size.as_ivec2();
    (area.min.div_euclid(cell), area.max.div_euclid(cell))
}

/// Marks the solid tiles of `tiles`, each `side` cells large, moved by `offset` cells.
fn stamp(rows: &mut Plane, tiles: &Plane, side: IVec2, offset: IVec2) {
    for row in 0..tiles.count() {
        let mut column = 0;
        while column < tiles.len() {
            let start = column;
            while column < tiles.len() && tiles.get(row, column) {
                column += 1;
            }
            if column > start {
                // Within the level's sides but for the offset, which may be at the ends of the range.
                let min = IVec2::new(start as i32, row as i32) * side;
                let max = IVec2::new(column as i32, row as i32 + 1) * side;
                fill(rows, min.saturating_add(offset), max.saturating_add(offset));
            }
            column += 1;
        }
    }
}

/// Marks the cells of a rectangle that lie inside.
fn fill(rows: &mut Plane, min: IVec2, max: IVec2) {
    let size = IVec2::new(rows.len() as i32, rows.count() as i32);
    let (min, max) = (min.clamp(IVec2::ZERO, size), max.clamp(IVec2::ZERO, size));
    if min.cmplt(max).all() {
        rows.fill(min.y as u32..max.y as u32, min.x as u32..max.x as u32, true);
    }
}
