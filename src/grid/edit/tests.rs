use std::ops::Range;

use glam::UVec2;

use super::{Changed, edit, fill};
use crate::Grid;
use crate::grid::tests::in_blocks;
use crate::grid::{GridBuilder, GridError};

/// Sets the cells of `runs` one by one, as a naive edit. Returns the box around the changed cells.
fn cell_by_cell(grid: &mut Grid, runs: &[(u32, Range<u32>)], solid: bool) -> Option<Changed> {
    let mut changed: Option<Changed> = None;
    for (row, run) in runs {
        for column in run.clone() {
            if grid.get(column, *row) == Some(!solid) {
                grid.set(column, *row, solid).unwrap();
                let min = UVec2::new(column, *row);
                let cell = Changed { min, max: min + 1 };
                changed = Changed::hull(changed, Some(cell));
            }
        }
    }
    changed
}

fn sparse(grid: &Grid) -> Grid {
    in_blocks(grid, 1 << 20, 1 << 20)
}

#[test]
fn edits_at_word_edges_change_the_same_cells_as_a_loop_over_cells() {
    let mut random = fastrand::Rng::with_seed(19);
    let sides = [1, 2, 31, 63, 64, 65, 127, 128, 129, 200];
    for round in 0..600 {
        let mut side = || sides[random.usize(0..sides.len())];
        let (width, height) = (side(), side());
        let mut dense = Grid::new(width, height).unwrap();
        let mut blocks = sparse(&dense);
        for _ in 0..6 {
            let solid = random.u8(0..3) > 0;
            let mut naive = dense.clone();
            let (changed, in_blocks, expected);
            if round % 2 == 0 {
                let (x, y) = (random.u32(0..width), random.u32(0..height));
                let columns = x..random.u32(x..width + 1);
                let rows = y..random.u32(y..height + 1);
                let runs: Vec<_> = rows.clone().map(|row| (row, columns.clone())).collect();
                expected = cell_by_cell(&mut naive, &runs, solid);
                changed = fill(&mut dense, columns.clone(), rows.clone(), solid);
                in_blocks = fill(&mut blocks, columns, rows, solid);
            } else {
                let mut runs = Vec::new();
                for row in random.u32(0..height)..height {
                    for _ in 0..random.u32(0..4) {
                        let start = random.u32(0..width);
                        runs.push((row, start..random.u32(start + 1..width + 1)));
                    }
                }
                let emit = |emit: &mut super::Emit<'_>| {
                    runs.iter().for_each(|(row, run)| emit(*row, run.clone()));
                };
                expected = cell_by_cell(&mut naive, &runs, solid);
                changed = edit(&mut dense, solid, emit);
                in_blocks = edit(&mut blocks, solid, emit);
            }
            assert_eq!(dense, naive);
            assert_eq!(dense, Grid::from_text(&naive.to_string()).unwrap(), "columns agree");
            assert_eq!((&changed, &in_blocks), (&Ok(expected), &Ok(expected)));
            assert_eq!(blocks, sparse(&naive));
        }
    }
}

#[test]
fn runs_with_gaps_between_rows_and_blocks_change_only_their_cells() {
    let mut random = fastrand::Rng::with_seed(29);
    for _ in 0..2_000 {
        let mut dense = Grid::new(400, 400).unwrap();
        for _ in 0..random.u32(0..8) {
            let (x, y) = (random.u32(0..400), random.u32(0..400));
            dense.fill(x..x + random.u32(1..70), y..y + random.u32(1..4), true).unwrap();
        }
        let mut blocks = sparse(&dense);
        let mut rows: Vec<u32> = (0..random.u32(1..5)).map(|_| random.u32(0..400)).collect();
        rows.sort_unstable();
        let near_edge = |random: &mut fastrand::Rng, from: u32| {
            (random.u32(from / 64..7) * 64 + random.u32(0..3)).saturating_sub(1).clamp(from, 400)
        };
        let mut runs = Vec::new();
        for row in rows {
            let start = near_edge(&mut random, 0).min(399);
            runs.push((row, start..near_edge(&mut random, start + 1)));
        }
        let solid = random.u8(0..3) == 0;
        let emit = |emit: &mut super::Emit<'_>| {
            runs.iter().for_each(|(row, run)| emit(*row, run.clone()));
        };
        let mut naive = dense.clone();
        let expected = cell_by_cell(&mut naive, &runs, solid);
        assert_eq!(edit(&mut blocks, solid, emit), Ok(expected));
        assert_eq!(edit(&mut dense, solid, emit), Ok(expected));
        assert!(dense == naive && blocks == sparse(&naive), "{runs:?}");
    }
    // The search for cells to clear skips a block in which no row has one. The first run has ended there.
    let mut grid = Grid::sparse(400, 400).unwrap();
    grid.set(130, 5, true).unwrap();
    grid.set(140, 6, true).unwrap();
    let cleared = edit(&mut grid, false, |emit| {
        emit(5, 0..128);
        emit(6, 0..200);
    });
    assert!(cleared.is_ok_and(|changed| changed.is_some()));
    assert!(grid.is_solid(130, 5) && grid.solid_count() == 1);
}

#[test]
fn an_edit_works_in_a_long_narrow_grid() {
    let tall = Grid::new(3, (1 << 22) + 1).unwrap();
    for mut grid in [tall.clone(), tall.transposed()] {
        let (width, height) = (grid.width(), grid.height());
        let corner = [(height - 1, width - 2..width), (height - 1, width - 3..width - 1)];
        for solid in [true, true, false] {
            let mut naive = grid.clone();
            let expected = cell_by_cell(&mut naive, &corner, solid);
            let changed = edit(&mut grid, solid, |emit| {
                corner.iter().for_each(|(row, run)| emit(*row, run.clone()));
            });
            assert_eq!(changed, Ok(expected));
            assert_eq!(grid, naive);
        }
    }
}

#[test]
fn a_sparse_grid_is_unchanged_after_an_edit_beyond_its_block_limit() {
    let mut grid = GridBuilder::new(1 << 31, 1 << 20).unwrap().finish();
    let dotted = |emit: &mut super::Emit<'_>| {
        (0..1 << 20).step_by(64).for_each(|row| {
            (0..5).for_each(|column| emit(row + 1, column * 64..column * 64 + 3));
        });
    };
    fill(&mut grid, 5..80, 7..9, true).unwrap();
    let before = grid.clone();
    assert_eq!(edit(&mut grid, true, dotted), Err(GridError::TooManyBlocks { limit: 1 << 16 }));
    assert_eq!(grid, before);
    assert_eq!(edit(&mut grid, false, dotted), Ok(None));
    // Clearing runs over empty rows takes no time.
    let all = |emit: &mut super::Emit<'_>| (0..4_000).for_each(|row| emit(row, 0..1 << 31));
    let changed = Changed { min: UVec2::new(5, 7), max: UVec2::new(80, 9) };
    assert_eq!(edit(&mut grid, false, all), Ok(Some(changed)));
    assert_eq!((grid.solid_count(), grid.memory_bytes() < 1 << 20), (0, true));
}
