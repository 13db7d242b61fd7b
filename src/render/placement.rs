//! The places and the order in which a map's cells are drawn, and the size of the canvas: Tiled's rules for
//! each orientation.

use std::ops::Range;

use glam::{DVec2, I64Vec2, IVec2, UVec2};

use super::rect::Rect;
use crate::tmx::{
    CellBlock, Lattice, LayerContent, Orientation, PlacedMap, Projection, Space, flip,
};

/// Places the cells of a map.
#[derive(Debug)]
pub(super) struct Placement<'m> {
    map: &'m PlacedMap,
    projection: Projection,
    /// The lattice on the screen.
    lattice: Lattice,
}

impl<'m> Placement<'m> {
    pub(super) fn new(map: &'m PlacedMap) -> Self {
        Self {
            map,
            projection: map.map.projection(),
            lattice: Lattice::of(&map.map, Space::Screen),
        }
    }

    pub(super) fn projection(&self) -> &Projection {
        &self.projection
    }

    /// The part of the screen that the level's cells cover.
    pub(super) fn level(&self) -> Rect {
        if let Some(area) = self.map.on_screen {
            return Rect { min: area.min.as_i64vec2(), max: area.max.as_i64vec2() };
        }
        let first = self.map.first_cell.as_i64vec2();
        let cells = Rect::new(first, self.map.cells.as_i64vec2());
        self.around(cells)
    }

    /// The part of the screen that Tiled's rasterizer draws, without room for moved layers. Of an infinite
    /// map it is the chunks of 16 x 16 cells that hold tiles.
    pub(super) fn tiled(&self) -> Rect {
        let map = &self.map.map;
        if !map.is_infinite {
            return self.around(Rect::new(I64Vec2::ZERO, map.size.as_i64vec2()));
        }
        let blocks = map.walk().filter_map(|context| match &context.layer.content {
            LayerContent::Tiles(layer) => Some(&layer.blocks),
            _ => None,
        });
        let chunks = blocks.flatten().flat_map(chunks_used);
        let cells = chunks.reduce(Rect::with);
        self.around(cells.unwrap_or(Rect::new(I64Vec2::ZERO, I64Vec2::ONE)))
    }

    /// The part of the screen that Tiled's picture of a rectangle of cells covers.
    fn around(&self, cells: Rect) -> Rect {
        let (min, max) = self.lattice.picture_area(cells.min, cells.max);
        Rect { min, max }
    }

    /// The point of the screen at the bottom-left corner of a cell's tile.
    pub(super) fn cell_bottom_left(&self, cell: IVec2) -> DVec2 {
        let point = self.lattice.cell_bottom_left(cell);
        DVec2::new(point.x.as_f64(), point.y.as_f64())
    }

    /// Visits the cells of a layer that are not empty and stand in `near`, in drawing order. Others may be
    /// visited too.
    pub(super) fn visit(
        &self,
        blocks: &[CellBlock],
        near: Near,
        mut visit: impl FnMut(IVec2, u32),
    ) {
        if let [block] = blocks {
            self.walk(block, near, |at| {
                let index = u64::from(at.y) * u64::from(block.size.x) + u64::from(at.x);
                let gid = usize::try_from(index).ok().and_then(|index| block.cells.get(index));
                if let Some(gid) = gid.filter(|gid| *gid & !flip::ALL != 0) {
                    visit(block.origin.wrapping_add(at.as_ivec2()), *gid);
                }
            });
            return;
        }
        let mut cells = Vec::new();
        for block in blocks.iter().filter(|block| self.is_near(block, near)) {
            let columns = block.size.x.max(1);
            for (index, gid) in (0..).zip(&block.cells) {
                if gid & !flip::ALL != 0 {
                    let at = UVec2::new(index % columns, index / columns);
                    cells.push((block.origin.wrapping_add(at.as_ivec2()), *gid));
                }
            }
        }
        cells.sort_by_cached_key(|(cell, _)| self.rank(cell.as_i64vec2()));
        cells.into_iter().for_each(|(cell, gid)| visit(cell, gid));
    }

    /// The key that sorts cells into drawing order.
    fn rank(&self, cell: I64Vec2) -> (i64, i64, i64) {
        let turned = |place: i64, back: bool| if back { -place } else { place };
        match self.map.map.orientation {
            Orientation::Isometric => (cell.x + cell.y, cell.x, 0),
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                (cell.y, i64::from(self.is_late(cell.x)), cell.x)
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let row = turned(cell.y, self.map.map.render_order.upward);
                (row, turned(cell.x, self.map.map.render_order.leftward), 0)
            }
        }
    }

    /// True for a column that is drawn after the others of its row: a shifted one.
    fn is_late(&self, column: i64) -> bool {
        let stagger = self.lattice.stagger();
        stagger.is_some_and(|stagger| stagger.is_along_x() && stagger.is_shifted(column as i32))
    }

    /// True if a cell of a block may stand in `near`.
    fn is_near(&self, block: &CellBlock, near: Near) -> bool {
        let cells = Rect::new(block.origin.as_i64vec2(), block.size.as_i64vec2());
        let (tile, area) = (self.map.map.tile_size.as_dvec2(), self.around(cells));
        near.overlaps(area.min.as_dvec2() - tile, area.max.as_dvec2() + tile)
    }

    /// Visits the places of a block that may stand in `near` in the order of [`Self::rank`], without sorting.
    fn walk(&self, block: &CellBlock, near: Near, mut visit: impl FnMut(UVec2)) {
        let (width, height) = (block.size.x, block.size.y);
        let corner = |at: UVec2| self.cell_bottom_left(block.origin.wrapping_add(at.as_ivec2()));
        match self.map.map.orientation {
            Orientation::Isometric => {
                for diagonal in 0..width.saturating_add(height).saturating_sub(1) {
                    let first: u32 = diagonal.saturating_sub(height - 1);
                    let place = |x: u32| UVec2::new(x, diagonal - x);
                    let line =
                        self.near_part(first, diagonal.min(width - 1), near, |x| corner(place(x)));
                    line.for_each(|x| visit(place(x)));
                }
            }
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                let left = i64::from(block.origin.x);
                for y in 0..height {
                    let row = self.near_row(width, near, |x| corner(UVec2::new(x, y)));
                    for late in [false, true] {
                        let columns =
                            row.clone().filter(|x| self.is_late(left + i64::from(*x)) == late);
                        columns.for_each(|x| visit(UVec2::new(x, y)));
                    }
                }
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let order = self.map.map.render_order;
                let mut draw_row = |y: u32| {
                    let row = self.near_row(width, near, |x| corner(UVec2::new(x, y)));
                    if order.leftward {
                        row.rev().for_each(|x| visit(UVec2::new(x, y)));
                    } else {
                        row.for_each(|x| visit(UVec2::new(x, y)));
                    }
                };
                if order.upward {
                    (0..height).rev().for_each(&mut draw_row);
                } else {
                    (0..height).for_each(&mut draw_row);
                }
            }
        }
    }

    /// As [`Self::near_part`], for a row of `width` cells.
    fn near_row(&self, width: u32, near: Near, corner: impl Fn(u32) -> DVec2) -> Range<u32> {
        match width.checked_sub(1) {
            Some(last) => self.near_part(0, last, near, corner),
            None => 0..0,
        }
    }

    /// The part of a line of cells that may stand in `near`, if their corners go from left to right, and
    /// evenly up or down but for the shifts of a staggered map.
    fn near_part(
        &self,
        first: u32,
        last: u32,
        near: Near,
        corner: impl Fn(u32) -> DVec2,
    ) -> Range<u32> {
        let (start, end) = (corner(first), corner(last));
        let tile = self.map.map.tile_size.as_dvec2();
        if !near.overlaps(start.min(end) - tile, start.max(end) + tile) {
            return 0..0;
        }
        // The first place for which `is_after` is true; it is for all later ones.
        let search = |is_after: &dyn Fn(f64) -> bool| {
            let (mut from, mut to) = (first, last + 1);
            while from < to {
                let middle = from + (to - from) / 2;
                (from, to) =
                    if is_after(corner(middle).x) { (from, middle) } else { (middle + 1, to) };
            }
            from
        };
        let from = if start.x >= near.min.x { first } else { search(&|x| x >= near.min.x) };
        let to = if end.x <= near.max.x { last + 1 } else { search(&|x| x > near.max.x) };
        from..to.max(from)
    }
}

/// The part of the screen in which the corners lie on which tiles stand that may be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl Near {
    fn overlaps(self, min: DVec2, max: DVec2) -> bool {
        self.min.cmple(max).all() && min.cmple(self.max).all()
    }
}

/// Tiled's chunks of 16 x 16 cells in which a block has tiles.
fn chunks_used(block: &CellBlock) -> impl Iterator<Item = Rect> + '_ {
    const SIDE: i64 = 16;
    let columns = block.size.x.max(1) as usize;
    let rows = block.cells.chunks(columns).enumerate();
    rows.filter_map(move |(row, cells)| {
        let is_used = |gid: &u32| gid & !flip::ALL != 0;
        let first = cells.iter().position(is_used)? as i64;
        let last = cells.iter().rposition(is_used)? as i64;
        let origin = block.origin.as_i64vec2() + I64Vec2::new(0, row as i64);
        let start =
            |x: i64| I64Vec2::new(origin.x + x, origin.y).div_euclid(I64Vec2::splat(SIDE)) * SIDE;
        Some(Rect { min: start(first), max: start(last) + SIDE })
    })
}
