//! Converts a level to rectangles that cover its solid cells, for engines without tile maps.

use std::collections::HashMap;

use bitwall::glam::IVec2;
use bitwall::{Aabb, Grid};

use crate::scenes::TILE;

/// Returns rectangles in pixels that cover each solid cell once. Each is a run of solid cells in a row. Runs
/// with the same columns in successive rows are merged.
pub(crate) fn rectangles(grid: &Grid) -> Vec<Aabb> {
    let mut found = Vec::<Aabb>::new();
    let mut above = HashMap::new();
    for row in 0..grid.height() {
        let mut here = HashMap::new();
        for (first, end) in runs(grid, row) {
            let at = *above.get(&(first, end)).unwrap_or(&found.len());
            let max = IVec2::new((end * TILE) as i32, ((row + 1) * TILE) as i32);
            match found.get_mut(at) {
                Some(rectangle) => rectangle.max = max,
                None => {
                    let min = IVec2::new((first * TILE) as i32, (row * TILE) as i32);
                    found.push(Aabb { min, max });
                }
            }
            here.insert((first, end), at);
        }
        above = here;
    }
    found
}

/// Returns the runs of solid cells in a row, each as its first column and the column after its last.
fn runs(grid: &Grid, row: u32) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    let mut column = 0;
    while column < grid.width() {
        let first = column;
        while column < grid.width() && grid.is_solid(column, row) {
            column += 1;
        }
        if column > first {
            runs.push((first, column));
        }
        column += 1;
    }
    runs
}
