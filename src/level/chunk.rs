//! A rectangle of a level that becomes another level's, or empty: a world that is streamed.
//!
//! All that the rectangle has changes together: solid and one-way cells, areas, markers. What is named here
//! is policy over the chunks of terrains; it holds no cells.

use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

use super::Level;
use crate::geometry::{Aabb, saturated};
use crate::grid::{Grid, GridError};
use crate::sweep::{Cells, Chunk, Terrain};

/// A rectangle of pixels of a level, inside it and not empty.
#[derive(Clone, Copy)]
struct Pixels {
    min: I64Vec2,
    max: I64Vec2,
}

impl Pixels {
    /// The pixels of a rectangle of the level's cells; `None` if it has none inside the level.
    fn of(level: &Level, (columns, rows): Cells) -> Option<Self> {
        let side = level.cell_size().as_i64vec2();
        let cells = level.grid().size().as_i64vec2();
        let min = I64Vec2::new(columns.start.into(), rows.start.into());
        let max = I64Vec2::new(columns.end.into(), rows.end.into()).min(cells);
        min.cmplt(max).all().then(|| Self { min: min * side, max: max * side })
    }

    /// The cells of a terrain of the level whose first pixel is in the rectangle. So rectangles that touch
    /// share no cell.
    fn cells(self, terrain: &Terrain) -> Cells {
        let (side, size) = (terrain.cell_size().as_i64vec2(), terrain.grid().size().as_i64vec2());
        let cell = |pixel: I64Vec2| ((pixel + side - 1) / side).min(size).as_uvec2();
        let (min, max) = (cell(self.min), cell(self.max));
        (min.x..max.x, min.y..max.y)
    }

    fn contains(self, pixel: I64Vec2) -> bool {
        pixel.cmpge(self.min).all() && pixel.cmplt(self.max).all()
    }

    fn aabb(self) -> Aabb {
        let corner = |pixel: I64Vec2| IVec2::new(saturated(pixel.x), saturated(pixel.y));
        Aabb { min: corner(self.min), max: corner(self.max) }
    }
}

/// See [`Level::place`].
pub(super) fn place(
    level: &mut Level,
    other: &Level,
    at: IVec2,
) -> Result<Option<Aabb>, GridError> {
    same_cell_size(&level.terrain, &other.terrain)?;
    let cells = covered(level.grid().size(), other.grid().size(), at);
    let Some(pixels) = Pixels::of(level, cells.clone()) else {
        return Ok(None);
    };
    let shift = at.as_i64vec2() * level.cell_size().as_i64vec2();
    let terrain = Chunk::new(&level.terrain, cells, &other.terrain, at)?;
    let mut added = Vec::new();
    for ((name, area), category) in other.areas.iter().zip(&other.categories) {
        if level.area(name).is_none() {
            let blank = blank_area(level, area.cell_size())?;
            let blank = blank.with_outside(area.outside());
            added.push(((name.clone(), blank), *category));
        }
    }
    let mut areas = Vec::with_capacity(level.areas.len() + added.len());
    for (name, area) in level.areas.iter().chain(added.iter().map(|(area, _)| area)) {
        let cells = pixels.cells(area);
        areas.push(match other.area(name) {
            None => Chunk::blank(area, cells),
            Some(source) => {
                same_cell_size(area, source)?;
                Chunk::new(area, cells, source, whole_cells(shift, area.cell_size())?)?
            }
        });
    }

    terrain.apply(&mut level.terrain);
    for (area, category) in added {
        level.areas.push(area);
        level.categories.push(category);
    }
    for ((_, area), chunk) in level.areas.iter_mut().zip(areas) {
        chunk.apply(area);
    }
    level.markers.retain(|marker| !pixels.contains(marker.position().as_i64vec2()));
    let moved = other
        .markers
        .iter()
        .filter(|marker| pixels.contains(marker.position().as_i64vec2() + shift));
    level.markers.extend(moved.map(|marker| {
        let corner = |pixel: IVec2| {
            let pixel = pixel.as_i64vec2() + shift;
            IVec2::new(saturated(pixel.x), saturated(pixel.y))
        };
        let mut marker = marker.clone();
        marker.area = Aabb { min: corner(marker.area.min), max: corner(marker.area.max) };
        marker
    }));
    Ok(Some(pixels.aabb()))
}

/// See [`Level::clear`].
pub(super) fn clear(level: &mut Level, columns: Range<u32>, rows: Range<u32>) -> Option<Aabb> {
    let cells = (columns, rows);
    let pixels = Pixels::of(level, cells.clone())?;
    Chunk::blank(&level.terrain, cells).apply(&mut level.terrain);
    for (_, area) in &mut level.areas {
        Chunk::blank(area, pixels.cells(area)).apply(area);
    }
    level.markers.retain(|marker| !pixels.contains(marker.position().as_i64vec2()));
    Some(pixels.aabb())
}

/// The columns and rows of a grid that another one covers, with its first cell at column and row `at`.
fn covered(target: UVec2, source: UVec2, at: IVec2) -> Cells {
    let part = |side: u32, at: i32, length: u32| {
        let at = i64::from(at);
        let inside = |place: i64| place.clamp(0, i64::from(side)) as u32;
        inside(at)..inside(at + i64::from(length))
    };
    (part(target.x, at.x, source.x), part(target.y, at.y, source.y))
}

fn same_cell_size(target: &Terrain, source: &Terrain) -> Result<(), GridError> {
    let (found, expected) = (source.cell_size(), target.cell_size());
    if found == expected { Ok(()) } else { Err(GridError::OtherCellSize { found, expected }) }
}

/// An offset in pixels as one in cells.
fn whole_cells(offset: I64Vec2, cell_size: UVec2) -> Result<IVec2, GridError> {
    let side = cell_size.as_i64vec2();
    let cells = offset / side;
    let whole = IVec2::new(saturated(cells.x), saturated(cells.y));
    if whole.as_i64vec2() * side != offset {
        return Err(GridError::PartOfACell { offset, cell_size });
    }
    Ok(whole)
}

/// An area without cells that is as large as the level.
fn blank_area(level: &Level, cell_size: UVec2) -> Result<Terrain, GridError> {
    let size = level.size();
    let (width, height) = (size.x.div_ceil(cell_size.x), size.y.div_ceil(cell_size.y));
    let grid = match level.grid().block_limit() {
        Some(limit) => Grid::sparse(width, height)?.with_block_limit(limit),
        None => Grid::new(width, height)?,
    };
    Terrain::new(grid, cell_size)
}

#[cfg(test)]
mod tests;
