//! From the pieces of one or more maps to the grids of one level: of whole cells if each piece of each map
//! fills such, else of pixels.
//!
//! It reads no cells and asks no rules: `cells` and `objects` have done that.

use glam::{I64Vec2, IVec2, UVec2};

use super::pieces::{CellRows, Pieces};
use super::refusal::refusal;
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, Dir};
use crate::grid::{Grid, GridBuilder, GridError, MAX_DENSE_CELLS};
use crate::limits::{Limits, Spent, check};
use crate::raster::{Coverage, Outline, Span};

/// Everything solid, one-way or of an area that one map puts into a level, in pixels of the map.
pub(super) struct MapPieces {
    pub(super) solid: Pieces,
    /// By the guarded side, in the order of [`Dir::ALL`].
    pub(super) one_way: [Pieces; 4],
    /// In the order of the options.
    pub(super) areas: Vec<Pieces>,
    /// The cells of floor layers that are not empty, if there is such a layer: all others are solid.
    pub(super) floor: Option<Pieces>,
    /// The pixels that the level shows; what lies outside is cut off.
    pub(super) area: Aabb,
    /// A whole cell.
    pub(super) cell: UVec2,
    /// True if the cells are rectangles in rows and columns.
    pub(super) is_rectangular: bool,
    /// Where the map's pixel (0, 0) lies among the others.
    pub(super) position: IVec2,
}

/// The grids of a level.
pub(super) struct Planes {
    pub(super) solid: Grid,
    /// A cell of the level, in pixels.
    pub(super) cell: UVec2,
    /// By the guarded side, in the order of [`Dir::ALL`]; `None` without one-way solids.
    pub(super) one_way: Option<[Grid; 4]>,
    /// Each with the size of its cells, in the order of the options.
    pub(super) areas: Vec<(Grid, UVec2)>,
    /// Where the level's top-left corner lies, in the space of the maps' positions.
    pub(super) origin: IVec2,
}

/// The grids of one level of all the maps. Where two overlap, a cell is solid that is so in one; what belongs
/// to none is passable. `areas` is the number of areas.
pub(super) fn compose(
    maps: &[&MapPieces],
    areas: usize,
    limits: &Limits,
    spent: &mut Spent,
) -> Result<Planes, LoadErrorKind> {
    let frame = Frame::around(maps)?;
    let cell = frame.cell(maps, |map| {
        let all = [&map.solid].into_iter().chain(&map.one_way).chain(&map.floor);
        all.into_iter().all(|pieces| pieces.fill_whole_cells(map.cell))
    });
    let mut composer = Composer { maps, limits, spent };
    let solid = composer.plane(&frame, cell, None, |map| Some(&map.solid))?;
    let mut one_way = None;
    if maps.iter().flat_map(|map| &map.one_way).any(|pieces| !pieces.is_empty()) {
        let mut guarded = |side: usize| {
            let dir = Dir::ALL.get(side).copied();
            composer.plane(&frame, cell, dir, |map| map.one_way.get(side))
        };
        one_way = Some([guarded(0)?, guarded(1)?, guarded(2)?, guarded(3)?]);
    }
    let mut grids = Vec::with_capacity(areas);
    for area in 0..areas {
        let cell = frame.cell(maps, |map| {
            let pieces = map.areas.get(area);
            pieces.is_none_or(|pieces| pieces.fill_whole_cells(map.cell))
        });
        let grid = composer.plane(&frame, cell, None, |map| map.areas.get(area))?;
        grids.push((grid, cell));
    }
    Ok(Planes { solid, cell, one_way, areas: grids, origin: frame.origin })
}

impl MapPieces {
    /// Where its area starts, in the space of the maps' positions.
    fn corner(&self) -> I64Vec2 {
        self.position.as_i64vec2() + self.area.min.as_i64vec2()
    }
}

/// The place of a level among its maps, and its size in pixels.
struct Frame {
    origin: IVec2,
    size: UVec2,
}

impl Frame {
    /// The smallest around the areas of all maps.
    fn around(maps: &[&MapPieces]) -> Result<Self, LoadErrorKind> {
        let size = |map: &MapPieces| map.area.max.as_i64vec2() - map.area.min.as_i64vec2();
        let corners = maps.iter().map(|map| map.corner());
        let ends = maps.iter().map(|map| map.corner() + size(map));
        let min = corners.reduce(I64Vec2::min).unwrap_or_default();
        let max = ends.reduce(I64Vec2::max).unwrap_or_default();
        let far = min.abs().max_element().unsigned_abs();
        let what = "pixels from the middle of the world to a map";
        check(what, far, i32::MAX as u32)?;
        let size = max - min;
        let what = "pixels in the width or height of the level";
        check(what, size.max_element().unsigned_abs(), i32::MAX as u32)?;
        let from_corner = |map: &&MapPieces| (map.position.as_i64vec2() - min).abs().max_element();
        let far = maps.iter().map(from_corner).max().unwrap_or(0);
        let what = "pixels from the level's corner to the first cell of a map";
        check(what, far.unsigned_abs(), i32::MAX as u32)?;
        Ok(Self { origin: min.as_ivec2(), size: size.as_uvec2() })
    }

    /// The largest cells that those of all maps are made of: pixels for a map that does not fit whole ones.
    fn cell(&self, maps: &[&MapPieces], fits: impl Fn(&MapPieces) -> bool) -> UVec2 {
        maps.iter().fold(UVec2::ZERO, |cell, map| {
            let own = match map.is_rectangular && fits(map) {
                true => map.cell,
                false => UVec2::ONE,
            };
            divisor(divisor(cell, own), self.place(map).as_uvec2())
        })
    }

    /// Where the area of a map starts in the level, in pixels.
    fn place(&self, map: &MapPieces) -> I64Vec2 {
        map.corner() - self.origin.as_i64vec2()
    }
}

/// The greatest common divisors of the columns and of the rows; 0 has every divisor.
fn divisor(one: UVec2, other: UVec2) -> UVec2 {
    let (mut a, mut b) = (one.to_array(), other.to_array());
    for axis in 0..2 {
        while b[axis] != 0 {
            (a[axis], b[axis]) = (b[axis], a[axis] % b[axis]);
        }
    }
    a.into()
}

struct Composer<'a> {
    maps: &'a [&'a MapPieces],
    limits: &'a Limits,
    spent: &'a mut Spent,
}

impl<'a> Composer<'a> {
    /// One grid with cells of `cell` pixels, of those pieces of each map that `of` chooses. With an `edge`
    /// they are one-way solids that guard it.
    fn plane(
        &mut self,
        frame: &Frame,
        cell: UVec2,
        edge: Option<Dir>,
        of: impl Fn(&'a MapPieces) -> Option<&'a Pieces>,
    ) -> Result<Grid, LoadErrorKind> {
        let mut plane = PlaneBuilder::new(frame.size, cell, self.limits)?;
        for map in self.maps {
            let Some(pieces) = of(map) else {
                continue;
            };
            let target = Target {
                area: map.area,
                to_level: (frame.place(map) - map.area.min.as_i64vec2()).as_ivec2(),
                whole: map.cell,
                cell,
                edge,
            };
            if let Some(floor) = map.floor.as_ref().filter(|_| std::ptr::eq(pieces, &map.solid)) {
                let floor = self.floor(floor, &target)?;
                let at = target.in_cells(map.area.min);
                plane.try_with(|builder| builder.or_passable(&floor, at))?;
            }
            target.check_work(pieces, self.limits, self.spent)?;
            plane.try_with(|builder| target.draw(pieces, builder))?;
        }
        plane.finish()
    }

    /// The floor of one map, as a grid of its area.
    fn floor(&mut self, floor: &Pieces, target: &Target) -> Result<Grid, LoadErrorKind> {
        let size = (target.area.max - target.area.min).as_uvec2();
        let mut plane = PlaneBuilder::new(size, target.cell, self.limits)?;
        let alone = Target { to_level: target.area.min.saturating_mul(-IVec2::ONE), ..*target };
        alone.check_work(floor, self.limits, self.spent)?;
        plane.try_with(|builder| alone.draw(floor, builder))?;
        plane.finish()
    }
}

/// A grid in the making.
struct PlaneBuilder {
    builder: GridBuilder,
    cells: u64,
}

impl PlaneBuilder {
    /// A grid over `size` pixels.
    fn new(size: UVec2, cell: UVec2, limits: &Limits) -> Result<Self, LoadErrorKind> {
        let size = UVec2::new(size.x.div_ceil(cell.x), size.y.div_ceil(cell.y));
        let limit = limits.level_side.min(i32::MAX as u32);
        let what = "cells in the width or height of the level";
        check(what, size.max_element(), limit)?;
        let cells = u64::from(size.x) * u64::from(size.y);
        // Of a sparse grid only blocks are kept, and the grid counts them.
        let kept = cells.min(MAX_DENSE_CELLS);
        check("cells of the level", kept, limits.level_cells)?;
        let builder = GridBuilder::new(size.x, size.y).map_err(|error| refusal(&error, cells))?;
        Ok(Self { builder, cells })
    }

    fn try_with(
        &mut self,
        draw: impl FnOnce(&mut GridBuilder) -> Result<(), GridError>,
    ) -> Result<(), LoadErrorKind> {
        draw(&mut self.builder).map_err(|error| refusal(&error, self.cells))
    }

    fn finish(self) -> Result<Grid, LoadErrorKind> {
        let cells = self.cells;
        self.builder.finish().map_err(|error| refusal(&error, cells))
    }
}

/// Where the pieces of a map are drawn.
#[derive(Clone, Copy)]
struct Target {
    /// The pixels of the map that the level shows.
    area: Aabb,
    /// From pixels of the map to those of the level.
    to_level: IVec2,
    /// A whole cell of the map, in pixels.
    whole: UVec2,
    /// A cell of the grid, in pixels.
    cell: UVec2,
    edge: Option<Dir>,
}

impl Target {
    /// A point of the map in cells of the grid, rounded down.
    fn in_cells(&self, point: IVec2) -> IVec2 {
        point.saturating_add(self.to_level).div_euclid(self.cell.as_ivec2())
    }

    /// The cells of the grid that the map has.
    fn clip(&self) -> Aabb {
        Aabb { min: self.in_cells(self.area.min), max: self.in_cells(self.area.max) }
    }

    /// Bounds the work: a small file can have thousands of solids that each fill the level.
    fn check_work(
        &self,
        pieces: &Pieces,
        limits: &Limits,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        // A row of cells may start and end within a word.
        let words = |width: u32, rows: u32| u64::from(rows) * (u64::from(width) / 64 + 2);
        let per_cell = self.whole / self.cell;
        let of_cell = words(per_cell.x, per_cell.y);
        let cells = pieces.cells.iter();
        let of_cells = cells.map(|cells| cells.rows.count_ones().saturating_mul(of_cell));
        let of_boxes = pieces.boxes.iter().map(|area| {
            let seen = area.intersection(self.area);
            words(seen.width() / self.cell.x, seen.height() / self.cell.y)
        });
        let all = of_cells.chain(of_boxes);
        spent.words = all.fold(spent.words, u64::saturating_add);
        let what = "words of cells covered by solids";
        check(what, spent.words, limits.covered_words)?;
        let stamps = pieces.stamps.iter();
        let of_stamps = stamps.map(|(pixels, _)| pixels.spans().len() as u64);
        let outlines = pieces.outlines.iter();
        let all = of_stamps.chain(outlines.map(|outline| outline.work(self.area)));
        spent.rows = all.fold(spent.rows, u64::saturating_add);
        let what = "rows of pixels covered by shapes";
        check(what, spent.rows, limits.shape_rows)
    }

    fn draw(&self, pieces: &Pieces, builder: &mut GridBuilder) -> Result<(), GridError> {
        for cells in &pieces.cells {
            self.draw_cells(cells, builder)?;
        }
        for area in &pieces.boxes {
            self.draw_box(*area, builder)?;
        }
        for (pixels, at) in &pieces.stamps {
            for span in pixels.spans() {
                self.draw_span(*span, *at, builder)?;
            }
        }
        for outline in &pieces.outlines {
            self.draw_outline(outline, builder)?;
        }
        Ok(())
    }

    fn draw_cells(&self, cells: &CellRows, builder: &mut GridBuilder) -> Result<(), GridError> {
        if self.cell == self.whole {
            let at = self.in_cells(cells.corner(self.whole));
            let size = IVec2::new(cells.rows.len() as i32, cells.rows.count() as i32);
            let (end, clip) = (at.saturating_add(size), self.clip());
            if at.cmpge(clip.min).all() && end.cmple(clip.max).all() {
                return builder.or_plane(&cells.rows, at);
            }
        }
        let mut boxes = cells.boxes(self.whole);
        boxes.try_for_each(|area| self.draw_box(area, builder))
    }

    fn draw_box(&self, area: Aabb, builder: &mut GridBuilder) -> Result<(), GridError> {
        let (mut min, mut max) = (self.in_cells(area.min), self.in_cells(area.max));
        match self.edge {
            Some(Dir::Up) => max.y = max.y.min(min.y.saturating_add(1)),
            Some(Dir::Down) => min.y = min.y.max(max.y.saturating_sub(1)),
            Some(Dir::Left) => max.x = max.x.min(min.x.saturating_add(1)),
            Some(Dir::Right) => min.x = min.x.max(max.x.saturating_sub(1)),
            None => {}
        }
        let seen = Aabb { min, max }.intersection(self.clip());
        if seen.is_empty() {
            return Ok(());
        }
        let (min, max) = (seen.min.as_uvec2(), seen.max.as_uvec2());
        builder.fill(min.x..max.x, min.y..max.y)
    }

    /// Draws a span of pixels; a cell of the grid is one.
    fn draw_span(&self, span: Span, at: IVec2, builder: &mut GridBuilder) -> Result<(), GridError> {
        let start = IVec2::new(span.start, span.y).saturating_add(at);
        let pixels = Aabb {
            min: start,
            max: IVec2::new(span.end.saturating_add(at.x), start.y.saturating_add(1)),
        };
        let seen = pixels.intersection(self.area);
        if seen.is_empty() {
            return Ok(());
        }
        let (min, max) = (
            seen.min.saturating_add(self.to_level).as_uvec2(),
            seen.max.saturating_add(self.to_level).as_uvec2(),
        );
        builder.fill(min.x..max.x, min.y..max.y)
    }

    fn draw_outline(&self, outline: &Outline, builder: &mut GridBuilder) -> Result<(), GridError> {
        if let Some(edge) = self.edge {
            // Where the level ends is no edge of what goes on beyond it.
            let seen = Aabb {
                min: self.area.min.saturating_sub(IVec2::ONE),
                max: self.area.max.saturating_add(IVec2::ONE),
            };
            let covered = Coverage::of([outline], seen).edges(edge);
            let mut spans = covered.spans().iter();
            return spans.try_for_each(|span| self.draw_span(*span, IVec2::ZERO, builder));
        }
        let mut drawn = Ok(());
        outline.cover(self.area, &mut |span| {
            if drawn.is_ok() {
                drawn = self.draw_span(span, IVec2::ZERO, builder);
            }
        });
        drawn
    }
}
