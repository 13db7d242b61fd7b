//! Makes one level from the solids and areas of its maps. Cells are as large as the solids and
//! the positions of all maps allow: at most a tile, at least a pixel.

use glam::{I64Vec2, IVec2, UVec2};

use super::pieces::{Cover, MapPieces, PlanePieces};
use crate::Level;
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, Dir};
use crate::grid::{Grid, GridBuilder, GridError, MAX_DENSE_CELLS};
use crate::limits::{Limits, STEPS_A_ROW, Spent, check};
use crate::options::LoadOptions;
use crate::raster::{Coverage, Outline, Span};
use crate::terrain::Terrain;
use crate::tmx::common_divisor;

/// The largest width and height of a level, in cells. A cell is a pixel if a solid does not fill whole tiles.
const MAX_LEVEL_SIDE: u32 = 1 << 26;

/// The number of level cells that are allowed per tile that [`Limits::cells`] allows. A tile takes 32 bits. A
/// cell of the level takes two bits, because a grid is stored by rows and by columns.
const CELLS_A_TILE: u64 = 16;

/// The largest number of stored blocks in a sparse level, also after later edits. A block is a square of 64 x
/// 64 cells with a solid cell, and takes 1 KiB.
const MAX_LEVEL_BLOCKS: u32 = 1 << 16;

/// Makes a level from all its maps. Where maps overlap, a cell is solid if it is solid in any map. Cells
/// outside all maps are passable.
pub(super) fn compose(
    maps: &[&MapPieces],
    options: &LoadOptions,
    spent: &mut Spent,
) -> Result<Level, LoadErrorKind> {
    let (origin, size) = frame(maps)?;
    let mut composer = Composer { maps, origin, size, limits: &options.limits, spent };
    let cell = composer.cell(&|map| {
        let mut solids = [&map.solid].into_iter().chain(&map.one_way).chain(&map.floor);
        solids.all(|pieces| pieces.fill_whole_cells(map.cell))
    });
    let solid = composer.plane(cell, true, &|map| Some(&map.solid))?;
    let mut solids = terrain(solid, cell)?.with_outside(options.outside);
    if maps.iter().flat_map(|map| &map.one_way).any(|pieces| !pieces.is_empty()) {
        let [left, right, up, down] =
            [0, 1, 2, 3].map(|side| composer.plane(cell, false, &|map| map.one_way.get(side)));
        solids = solids.with_guards([left?, right?, up?, down?]);
    }
    let mut level = Level::new(solids).with_origin(origin);
    for (index, rule) in options.areas.iter().enumerate() {
        let mut pieces = maps.iter().filter_map(|map| map.areas.get(index));
        if rule.optional && pieces.all(PlanePieces::is_empty) {
            continue;
        }
        let cell = composer.cell(&|map| {
            let pieces = map.areas.get(index);
            pieces.is_none_or(|pieces| pieces.fill_whole_cells(map.cell))
        });
        let grid = composer.plane(cell, false, &|map| map.areas.get(index))?;
        level = level.with_solid_area(rule.name.clone(), terrain(grid, cell)?, rule.category);
    }
    Ok(level)
}

fn terrain(grid: Grid, cell: UVec2) -> Result<Terrain, LoadErrorKind> {
    let cells = grid.cell_count();
    Terrain::new(grid, cell).map_err(|error| refusal(&error, cells))
}

/// The top-left corner of a box around all maps, in pixels of the world, and the size of the box in pixels.
fn frame(maps: &[&MapPieces]) -> Result<(IVec2, UVec2), LoadErrorKind> {
    let first = maps.first().map_or(I64Vec2::ZERO, |map| corner(map));
    let mut min = first;
    let mut max = first;
    for map in maps {
        min = min.min(corner(map));
        max = max.max(map.position.as_i64vec2() + map.area.max.as_i64vec2());
    }
    let far = min.abs().max_element().unsigned_abs();
    check("pixels from the middle of the world to a map", far, i32::MAX as u32)?;
    let size = max - min;
    let what = "pixels in the width or height of the level";
    check(what, size.max_element().unsigned_abs(), i32::MAX as u32)?;
    for map in maps {
        let far = (map.position.as_i64vec2() - min).abs().max_element().unsigned_abs();
        let what = "pixels from the level's corner to the first cell of a map";
        check(what, far, i32::MAX as u32)?;
    }
    Ok((min.as_ivec2(), size.as_uvec2()))
}

/// The top-left corner of a map's area, in pixels of the world.
fn corner(map: &MapPieces) -> I64Vec2 {
    map.position.as_i64vec2() + map.area.min.as_i64vec2()
}

/// The greatest common divisor of the two widths, and of the two heights. If one number is 0, the result is
/// the other number.
fn divisor(one: UVec2, other: UVec2) -> UVec2 {
    UVec2::new(common_divisor(one.x, other.x), common_divisor(one.y, other.y))
}

/// Makes the grids of a level of `size` pixels at `origin`, in pixels of the world.
struct Composer<'a> {
    maps: &'a [&'a MapPieces],
    origin: IVec2,
    size: UVec2,
    limits: &'a Limits,
    spent: &'a mut Spent,
}

impl<'a> Composer<'a> {
    /// The largest cell size in pixels that divides the cell sizes and positions of all maps. A map has cells
    /// of 1 pixel here if its cells are not rectangles, or if `fits` returns false: then some solids of the
    /// map do not fill whole cells.
    fn cell(&self, fits: &dyn Fn(&MapPieces) -> bool) -> UVec2 {
        self.maps.iter().fold(UVec2::ZERO, |cell, map| {
            let own = if map.is_rectangular && fits(map) { map.cell } else { UVec2::ONE };
            let place = corner(map) - self.origin.as_i64vec2();
            divisor(divisor(cell, own), place.as_uvec2())
        })
    }

    /// Draws one grid of the level, with cells of `cell` pixels. The function `of` returns what a map draws
    /// into this grid, if anything. With `floors`, the cells of a map with floor layers are also solid where
    /// no floor layer has a tile.
    fn plane(
        &mut self,
        cell: UVec2,
        floors: bool,
        of: &dyn Fn(&'a MapPieces) -> Option<&'a PlanePieces>,
    ) -> Result<Grid, LoadErrorKind> {
        let mut plane = PlaneBuilder::new(self.size, cell, self.limits)?;
        for map in self.maps {
            let to_level = (map.position.as_i64vec2() - self.origin.as_i64vec2()).as_ivec2();
            if let Some(floor) = map.floor.as_ref().filter(|_| floors) {
                let size = (map.area.max - map.area.min).as_uvec2();
                let mut covered = PlaneBuilder::new(size, cell, self.limits)?;
                let to_grid = map.area.min.saturating_mul(-IVec2::ONE);
                let mut drawer = self.drawer(map, to_grid, &mut covered);
                // The floor's grid is as large as the map, and all words of the grid are written into the
                // level.
                let words = drawer.words(map.area);
                drawer.spent.work(words, drawer.limits)?;
                drawer.draw(floor)?;
                let covered = covered.builder.finish();
                let at = map.area.min.saturating_add(to_level).div_euclid(cell.as_ivec2());
                let drawn = plane.builder.or_passable(&covered, at);
                plane.checked(drawn)?;
            }
            if let Some(pieces) = of(map) {
                self.drawer(map, to_level, &mut plane).draw(pieces)?;
            }
        }
        Ok(plane.builder.finish())
    }

    fn drawer<'d>(
        &'d mut self,
        map: &'d MapPieces,
        to_grid: IVec2,
        plane: &'d mut PlaneBuilder,
    ) -> MapDrawer<'d> {
        MapDrawer { map, to_grid, plane, limits: self.limits, spent: self.spent }
    }
}

/// A grid of the level while it is drawn. `cells` is its number of cells.
struct PlaneBuilder {
    builder: GridBuilder,
    cell: UVec2,
    cells: u64,
}

impl PlaneBuilder {
    fn new(size: UVec2, cell: UVec2, limits: &Limits) -> Result<Self, LoadErrorKind> {
        let size = UVec2::new(size.x.div_ceil(cell.x), size.y.div_ceil(cell.y));
        let what = "cells in the width or height of the level";
        check(what, size.max_element(), MAX_LEVEL_SIDE)?;
        let cells = u64::from(size.x) * u64::from(size.y);
        // A sparse grid stores only blocks with solids. The builder limits the number of blocks.
        let kept = cells.min(MAX_DENSE_CELLS);
        let limit = limits.cells.saturating_mul(CELLS_A_TILE);
        check("cells of the level (16 times the limit `cells`)", kept, limit)?;
        let builder = GridBuilder::new(size.x, size.y).map_err(|error| refusal(&error, cells))?;
        Ok(Self { builder: builder.with_block_limit(MAX_LEVEL_BLOCKS), cell, cells })
    }

    fn fill(&mut self, cells: Aabb) -> Result<(), LoadErrorKind> {
        if cells.is_empty() {
            return Ok(());
        }
        let min = cells.min.as_uvec2();
        let max = cells.max.as_uvec2();
        let filled = self.builder.fill(min.x..max.x, min.y..max.y);
        self.checked(filled)
    }

    fn checked(&self, drawn: Result<(), GridError>) -> Result<(), LoadErrorKind> {
        drawn.map_err(|error| refusal(&error, self.cells))
    }
}

/// Draws the tiles and objects of a map into a grid of the level.
struct MapDrawer<'d> {
    map: &'d MapPieces,
    /// The displacement from a pixel of the map to the same pixel of the grid.
    to_grid: IVec2,
    plane: &'d mut PlaneBuilder,
    limits: &'d Limits,
    spent: &'d mut Spent,
}

impl MapDrawer<'_> {
    /// The column and row in the grid of the cell that contains a pixel of the map.
    fn in_cells(&self, point: IVec2) -> IVec2 {
        point.saturating_add(self.to_grid).div_euclid(self.plane.cell.as_ivec2())
    }

    /// The cells of the grid that the map covers.
    fn clip(&self) -> Aabb {
        Aabb { min: self.in_cells(self.map.area.min), max: self.in_cells(self.map.area.max) }
    }

    /// An upper bound on the number of 64-bit words that are written to fill the box `area` in the grid.
    /// `area` is in pixels of the map. A row of the box may start and end within a word.
    fn words(&self, area: Aabb) -> u64 {
        let cells = area.size() / self.plane.cell;
        u64::from(cells.y) * (u64::from(cells.x) / 64 + 2)
    }

    /// The steps of work that [`Self::draw`] takes.
    fn steps(&self, pieces: &PlanePieces) -> u64 {
        let area = self.map.area;
        let words_of_cell = self.words(Aabb { min: IVec2::ZERO, max: self.map.cell.as_ivec2() });
        let of_cells =
            pieces.cells.iter().map(|it| it.rows.count_ones().saturating_mul(words_of_cell));
        let of_covers = pieces.covers.iter().map(|cover| match cover {
            Cover::Box(part) => self.words(part.intersection(area)),
            Cover::Pixels(pixels, _) => STEPS_A_ROW * pixels.spans().len() as u64,
            Cover::Outlines(outlines) => {
                let rows = outlines.iter().map(|outline| outline.work(area));
                rows.fold(0, u64::saturating_add).saturating_mul(STEPS_A_ROW)
            }
        });
        of_cells.chain(of_covers).fold(0, u64::saturating_add)
    }

    /// Draws tiles and objects into the grid. All work is counted before any is done: a small file can have
    /// thousands of solids that each fill the level, which would be drawn up to the limit and then refused.
    fn draw(&mut self, pieces: &PlanePieces) -> Result<(), LoadErrorKind> {
        self.spent.work(self.steps(pieces), self.limits)?;
        let whole = self.map.cell;
        let edge = pieces.edge;
        for cells in &pieces.cells {
            let min = self.in_cells(cells.corner(whole));
            let size = IVec2::new(cells.rows.len() as i32, cells.rows.count() as i32);
            let around = Aabb { min, max: min.saturating_add(size) };
            if self.plane.cell == whole && self.clip().hull(around) == self.clip() {
                let drawn = self.plane.builder.or_plane(&cells.rows, min);
                self.plane.checked(drawn)?;
                continue;
            }
            for area in cells.boxes(whole) {
                self.draw_box(area, edge)?;
            }
        }
        for cover in &pieces.covers {
            match cover {
                Cover::Box(area) => self.draw_box(*area, edge)?,
                Cover::Pixels(pixels, at) => self.draw_spans(pixels.spans(), *at)?,
                Cover::Outlines(outlines) => {
                    for outline in outlines.iter() {
                        self.draw_outline(outline, edge)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn draw_outline(&mut self, outline: &Outline, edge: Option<Dir>) -> Result<(), LoadErrorKind> {
        let area = self.map.area;
        if let Some(edge) = edge {
            // An outline that continues beyond the level has no edge at the level's border.
            let min = area.min.saturating_sub(IVec2::ONE);
            let max = area.max.saturating_add(IVec2::ONE);
            let edges = Coverage::of([outline], Aabb { min, max }).edges(edge);
            return self.draw_spans(edges.spans(), IVec2::ZERO);
        }
        let mut drawn = Ok(());
        outline.cover(area, &mut |span| {
            if drawn.is_ok() {
                drawn = self.draw_spans(&[span], IVec2::ZERO);
            }
        });
        drawn
    }

    fn draw_box(&mut self, area: Aabb, edge: Option<Dir>) -> Result<(), LoadErrorKind> {
        let mut min = self.in_cells(area.min);
        let mut max = self.in_cells(area.max);
        match edge {
            Some(Dir::Up) => max.y = max.y.min(min.y.saturating_add(1)),
            Some(Dir::Down) => min.y = min.y.max(max.y.saturating_sub(1)),
            Some(Dir::Left) => max.x = max.x.min(min.x.saturating_add(1)),
            Some(Dir::Right) => min.x = min.x.max(max.x.saturating_sub(1)),
            None => {}
        }
        self.plane.fill(Aabb { min, max }.intersection(self.clip()))
    }

    /// Draws spans of pixels, displaced by `at`. The grid must have cells of 1 pixel.
    fn draw_spans(&mut self, spans: &[Span], at: IVec2) -> Result<(), LoadErrorKind> {
        for span in spans {
            let start = IVec2::new(span.start, span.y).saturating_add(at);
            let end = IVec2::new(span.end.saturating_add(at.x), start.y.saturating_add(1));
            let seen = Aabb { min: start, max: end }.intersection(self.map.area);
            self.plane.fill(seen.translated(self.to_grid))?;
        }
        Ok(())
    }
}

fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks { limit } => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: u64::from(*limit),
            found: u64::from(*limit) + 1,
        },
        _ => LoadErrorKind::NoMemory { cells },
    }
}
