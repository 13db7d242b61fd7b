//! The loops over a `Vec<bool>` of cells that a game would write by hand.

use bitwall::glam::{IVec2, Vec2};

use super::work::Motion;
use crate::work::Cells;

/// Returns the length of a line before the first solid cell, in pixels. It is the algorithm of Amanatides and
/// Woo in `f32`.
pub(crate) fn ray<const CELL: i32>(cells: &Cells, line: &Motion) -> f32 {
    let [from, to] = line.ends();
    let by = to - from;
    let length = by.length();
    let mut cell = (from / CELL as f32).floor().as_ivec2();
    let last = (to / CELL as f32).floor().as_ivec2();
    let step = IVec2::new(by.x.signum() as i32, by.y.signum() as i32);
    let each = CELL as f32 / by.abs();
    let side = (cell + step.max(IVec2::ZERO)).as_vec2() * CELL as f32;
    // If the line does not move along an axis, it never enters another cell on that axis.
    let mut next = Vec2::select(by.cmpeq(Vec2::ZERO), Vec2::INFINITY, (side - from) / by);
    let mut entered = 0.0;
    for _ in 0..=((last - cell).abs().element_sum()) {
        if cells.cells[(cell.y * cells.columns + cell.x) as usize] {
            return entered * length;
        }
        if next.x < next.y {
            (entered, cell.x, next.x) = (next.x, cell.x + step.x, next.x + each.x);
        } else {
            (entered, cell.y, next.y) = (next.y, cell.y + step.y, next.y + each.y);
        }
    }
    length
}
