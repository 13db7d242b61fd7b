//! The blocks of a tile layer by their places: of thousands of chunks only those near some cells are looked
//! at.
//!
//! It knows no tiles and no pixels.

use std::collections::HashMap;

use glam::IVec2;

use crate::geometry::Aabb;
use crate::tmx::CellBlock;

/// The width and height of a square of the index, in cells.
const SIDE: i32 = 64;

/// Up to so many blocks are looked at one by one.
const FEW: usize = 8;

/// The blocks of a layer.
pub(super) struct CellIndex<'m> {
    blocks: &'m [CellBlock],
    /// The blocks that touch each square, by the square's column and row; empty for few blocks.
    squares: HashMap<IVec2, Vec<u32>>,
}

impl<'m> CellIndex<'m> {
    /// O(blocks + squares that they touch).
    pub(super) fn new(blocks: &'m [CellBlock]) -> Self {
        let mut squares: HashMap<IVec2, Vec<u32>> = HashMap::new();
        if blocks.len() > FEW {
            for (block, index) in blocks.iter().zip(0..) {
                each_square(area(block), |square| squares.entry(square).or_default().push(index));
            }
        }
        Self { blocks, squares }
    }

    /// Passes on the cells of a box that have a tile, in no order, with their numbers. Returns the number of
    /// cells and of squares that were looked at.
    pub(super) fn visit(&self, cells: Aabb, mut visit: impl FnMut(IVec2, u32)) -> u64 {
        let mut count = 0;
        let mut look = |block: &CellBlock, cells: Aabb| {
            let Aabb { min, max } = cells.intersection(area(block));
            for y in min.y..max.y {
                for cell in (min.x..max.x).map(|x| IVec2::new(x, y)) {
                    count += 1;
                    if let Some(gid) = block.gid(cell).filter(|gid| *gid != 0) {
                        visit(cell, gid);
                    }
                }
            }
        };
        if self.squares.is_empty() {
            self.blocks.iter().for_each(|block| look(block, cells));
            return count + self.blocks.len() as u64;
        }
        let Some(around) = self.blocks.iter().map(area).reduce(Aabb::hull) else { return 0 };
        let mut squares = 0;
        each_square(cells.intersection(around), |square| {
            squares += 1;
            let corner = square * SIDE;
            let part = Aabb { min: corner, max: corner + SIDE }.intersection(cells);
            for index in self.squares.get(&square).into_iter().flatten() {
                if let Some(block) = self.blocks.get(*index as usize) {
                    squares += 1;
                    look(block, part);
                }
            }
        });
        count + squares
    }
}

/// The cells of a block.
fn area(block: &CellBlock) -> Aabb {
    Aabb { min: block.origin, max: block.origin.saturating_add(block.size.as_ivec2()) }
}

/// Passes on the squares that touch some cells.
fn each_square(cells: Aabb, mut visit: impl FnMut(IVec2)) {
    if cells.is_empty() {
        return;
    }
    let side = IVec2::splat(SIDE);
    let (first, last) = (cells.min.div_euclid(side), (cells.max - 1).div_euclid(side));
    for y in first.y..=last.y {
        (first.x..=last.x).for_each(|x| visit(IVec2::new(x, y)));
    }
}
