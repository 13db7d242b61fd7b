//! Why the cells of a square of 64 x 64 cells are solid: each layer and object is looked at once for all of
//! them.
//!
//! The answers are those of [`Explainer::explain`] for each cell's first pixel.

use glam::{I64Vec2, IVec2, UVec2};

use super::super::pieces::Cover;
use super::super::prepared::PreparedMap;
use super::{Cause, Explainer, TilesCause, cells_at};
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::level::Provenance;
use crate::limits::{STEPS_A_ROW, Spent};
use crate::tmx::flip;

/// The width and height of a square, in cells.
const SIDE: i64 = 64;

/// The steps of work for a cell of a layer that is looked at, for one with a tile, and for a row of cells
/// that a tile or an object covers.
const STEPS_A_CELL: u64 = 4;
const STEPS_A_TILE: u64 = 150;
const STEPS_A_COVERED_ROW: u64 = 4;

/// A cause of an [`Explainer`]: its index and, of a tile layer, the number of the tile.
pub(crate) type Told = (u32, u32);

/// Cells of a level.
pub(crate) struct Square {
    /// The first pixel of the first cell, in pixels of the level.
    pub(crate) corner: IVec2,
    /// The size of a cell.
    pub(crate) cell: UVec2,
    /// The rows of cells whose cause is not known yet.
    pub(crate) rest: [u64; SIDE as usize],
}

impl Square {
    /// Passes on the rows in which a cover has the first pixels of cells, and these cells as bits. `corner`
    /// is that of the square in the pixels of the cover.
    fn covered(&self, corner: IVec2, cover: &Cover, emit: &mut impl FnMut(usize, u64)) {
        let (corner, cell) = (corner.as_i64vec2(), self.cell.as_i64vec2());
        let count = |end: i64, cell: i64| (end + cell - 1).div_euclid(cell).clamp(0, SIDE);
        let columns = |start: i32, end: i32| {
            let start = count(i64::from(start) - corner.x, cell.x);
            let end = count(i64::from(end) - corner.x, cell.x);
            match end - start {
                length @ 1.. => (u64::MAX >> (SIDE - length)) << start,
                _ => 0,
            }
        };
        let mut span = |y: i64, start: i32, end: i32| {
            let row = (y - corner.y).div_euclid(cell.y);
            if (y - corner.y).rem_euclid(cell.y) == 0 && (0..SIDE).contains(&row) {
                emit(row as usize, columns(start, end));
            }
        };
        match cover {
            Cover::Box(Aabb { min, max }) => {
                let [first, end] = [min.y, max.y].map(|y| count(i64::from(y) - corner.y, cell.y));
                (first..end).for_each(|row| span(corner.y + row * cell.y, min.x, max.x));
            }
            Cover::Pixels(pixels, at) => {
                let top = corner.y - i64::from(at.y);
                let spans = pixels.spans();
                let first = spans.partition_point(|span| i64::from(span.y) < top);
                let end = spans.partition_point(|span| i64::from(span.y) < top + SIDE * cell.y);
                for part in &spans[first..end.max(first)] {
                    let x = |x: i32| x.saturating_add(at.x);
                    span(i64::from(part.y) + i64::from(at.y), x(part.start), x(part.end));
                }
            }
            Cover::Outlines(outlines) => {
                let clip = pixels_from(corner.as_ivec2(), self.cell);
                for outline in outlines.iter() {
                    outline.cover(clip, &mut |part| span(part.y.into(), part.start, part.end));
                }
            }
        }
    }
}

/// The pixels of a square from this one on.
fn pixels_from(corner: IVec2, cell: UVec2) -> Aabb {
    let end = corner.as_i64vec2() + cell.as_i64vec2() * SIDE;
    let end = end.clamp(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into()));
    Aabb { min: corner, max: end.as_ivec2() }
}

impl Explainer<'_> {
    /// Takes the cells of a square whose cause is in this map, and passes on each cause with a row of the
    /// square and the cells in it, as bits. O(tile layers x cells whose shapes could reach the square + solid
    /// objects).
    ///
    /// # Errors
    /// Work beyond the limit.
    pub(crate) fn explain_square(
        &mut self,
        square: &mut Square,
        spent: &mut Spent,
        mut found: impl FnMut(Told, usize, u64),
    ) -> Result<(), LoadErrorKind> {
        let Self { map, causes, stamps, .. } = self;
        let limits = &map.options.limits;
        let corner = square.corner.saturating_add(self.to_map);
        let pixels = pixels_from(corner, square.cell);
        // Cells that this map does not show are none of its causes'.
        let mut shown = [u64::MAX; SIDE as usize];
        if let Some(area) = self.area {
            shown = [0; SIDE as usize];
            square.covered(corner, &Cover::Box(area), &mut |row, cells| shown[row] = cells);
        }
        let mut take = |cover: &Cover, told: Told| {
            let (mut rows, mut taken) = (0, Vec::new());
            square.covered(corner, cover, &mut |row, cells| {
                rows += 1;
                taken.push((row, cells & shown[row]));
            });
            for (row, cells) in taken {
                let cells = cells & square.rest[row];
                if cells != 0 {
                    square.rest[row] &= !cells;
                    found(told, row, cells);
                }
            }
            rows * STEPS_A_COVERED_ROW
        };
        spent.work(causes.len() as u64, limits)?;
        for (cause, index) in causes.iter().zip(0..) {
            match cause {
                Cause::Object(cover, bounds, _) if bounds.overlaps(pixels) => {
                    if let Cover::Outlines(outlines) = cover {
                        let work = outlines.iter().map(|outline| outline.work(pixels));
                        let work = work.fold(0, u64::saturating_add);
                        spent.work(work.saturating_mul(STEPS_A_ROW), limits)?;
                    }
                    spent.work(take(cover, (index, 0)), limits)?;
                }
                Cause::Object(..) => {}
                Cause::Tiles(tiles) => {
                    let cells = cells_at(&map.lattice, pixels, tiles.reach);
                    for (_, y, x, gid) in tiles.near(cells, map, spent)? {
                        let cell = IVec2::new(x, y);
                        let (mut steps, told) = (STEPS_A_TILE, (index, gid & !flip::ALL));
                        tiles.each_cover(cell, gid, map, stamps, |cover| {
                            steps += take(cover, told);
                        });
                        spent.work(steps, limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A cause that was passed on.
    pub(crate) fn told(&self, (cause, gid): Told) -> Option<Provenance> {
        match self.causes.get(cause as usize)? {
            Cause::Tiles(tiles) => self.tile(&tiles.layer, gid),
            Cause::Object(_, _, provenance) => Some(provenance.clone()),
        }
    }
}

impl TilesCause<'_> {
    /// The tiles of some cells that are a cause, in the order in which they are: false for one that is just a
    /// solid cell, its row, its column and its number.
    fn near(
        &self,
        cells: Aabb,
        map: &PreparedMap<'_>,
        spent: &mut Spent,
    ) -> Result<Vec<(bool, i32, i32, u32)>, LoadErrorKind> {
        let mut near = Vec::new();
        let looked_at = self.blocks.visit(cells, |cell, gid| {
            let meaning = map.tiles.meaning(gid);
            if let Some(meaning) =
                meaning.filter(|tile| tile.claims(&self.layer.role).next().is_some())
            {
                near.push((!self.is_cell(meaning, &map.lattice), cell.y, cell.x, gid));
            }
        });
        spent.work(looked_at * STEPS_A_CELL, &map.options.limits)?;
        near.sort_unstable();
        Ok(near)
    }
}
