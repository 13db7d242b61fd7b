use glam::{IVec2, UVec2};

use super::GridBuilder;
use crate::grid::tests::in_blocks;
use crate::grid::{Grid, GridError, Plane};

const SIDES: [u32; 10] = [1, 2, 16, 63, 64, 65, 127, 128, 129, 200];

fn side(random: &mut fastrand::Rng) -> u32 {
    SIDES[random.usize(0..SIDES.len())]
}

/// Returns a random offset near the grid, or near an end of the range of `i32`.
fn offset(random: &mut fastrand::Rng) -> i32 {
    match random.u8(0..8) {
        0 => i32::MIN + random.i32(0..2),
        1 => i32::MAX - random.i32(0..2),
        2 => 64 * random.i32(-3..4),
        3 => 0,
        _ => random.i32(-210..210),
    }
}

fn random_rows(random: &mut fastrand::Rng) -> Plane {
    let (width, height) = (side(random), side(random));
    let mut rows = Grid::blank_rows(width, height).unwrap();
    let share = [1, 20, 255][random.usize(0..3)];
    for row in 0..height {
        for column in 0..width {
            rows.fill(row..row + 1, column..column + 1, random.u8(..) < share);
        }
    }
    rows
}

fn or(grid: &mut Grid, other: &Grid, at: IVec2) {
    for row in 0..other.height() {
        for column in 0..other.width() {
            let (x, y) = (i64::from(column) + i64::from(at.x), i64::from(row) + i64::from(at.y));
            if let (true, Ok(x), Ok(y)) =
                (other.is_solid(column, row), u32::try_from(x), u32::try_from(y))
            {
                grid.set(x, y, true).unwrap();
            }
        }
    }
}

fn sparse_copy(grid: &Grid) -> Grid {
    let copy = in_blocks(grid, grid.width(), grid.height());
    assert!(copy == *grid);
    copy
}

#[test]
fn a_builder_adds_the_same_cells_as_a_loop_over_cells() {
    let mut random = fastrand::Rng::with_seed(37);
    let mut same_size = 0;
    for _ in 0..600 {
        let (width, height) = (side(&mut random), side(&mut random));
        let mut naive = Grid::new(width, height).unwrap();
        let mut dense = GridBuilder::new(width, height).unwrap();
        let mut sparse = GridBuilder { grid: Grid::sparse(width, height).unwrap() };
        for _ in 0..random.u32(1..5) {
            let at = IVec2::new(offset(&mut random), offset(&mut random));
            match random.u8(0..2) {
                0 => {
                    let (column, row) = (random.u32(0..210), random.u32(0..210));
                    let columns = column..column + random.u32(0..140);
                    let rows = row..random.u32(0..=u32::MAX);
                    naive.fill(columns.clone(), rows.clone(), true).unwrap();
                    dense.fill(columns.clone(), rows.clone()).unwrap();
                    sparse.fill(columns, rows).unwrap();
                }
                _ => {
                    let mut rows = random_rows(&mut random);
                    if random.bool() {
                        rows = Grid::blank_rows(width, height).unwrap();
                        rows.fill(height / 3..height, width / 3..width, true);
                        same_size += u32::from(at == IVec2::ZERO);
                    }
                    or(&mut naive, &Grid::from_rows(rows.clone()).unwrap(), at);
                    dense.or_plane(&rows, at).unwrap();
                    sparse.or_plane(&rows, at).unwrap();
                }
            }
        }
        let (dense, sparse) = (dense.finish(), sparse.finish());
        assert_eq!(dense, naive);
        assert!(dense.sparse.is_none() && sparse.sparse.is_some());
        assert_eq!(sparse, naive);
        assert_eq!(sparse.solid_count(), naive.solid_count(), "a bit past the edge is set");
        assert_eq!(dense.solid_count(), naive.solid_count(), "a bit past the edge is set");
    }
    assert!(same_size > 0);
}

#[test]
fn large_or_narrow_grids_are_built_as_sparse_grids() {
    let is_sparse = |width, height| {
        let grid = GridBuilder::new(width, height).unwrap().finish();
        assert_eq!(grid.size(), UVec2::new(width, height));
        grid.sparse.is_some()
    };
    assert!(!is_sparse(1, 1) && !is_sparse(1 << 13, 1 << 14));
    assert!(is_sparse((1 << 13) + 1, 1 << 14));
    assert!(is_sparse(u32::MAX, u32::MAX) && is_sparse(1, u32::MAX));
    assert!(is_sparse(31, (1 << 22) + 1) && is_sparse((1 << 22) + 1, 31));
    for (width, height) in [(0, 5), (5, 0), (0, u32::MAX)] {
        assert_eq!(GridBuilder::new(width, height).err(), Some(GridError::Empty));
    }
}

#[test]
fn two_chunks_a_million_cells_apart_take_little_memory() {
    let mut chunk = Grid::blank_rows(16, 16).unwrap();
    chunk.fill(0..16, 0..16, true);
    let mut builder = GridBuilder::new(1_000_016, 1_000_016).unwrap();
    for at in [IVec2::ZERO, IVec2::splat(1_000_000)] {
        builder.or_plane(&chunk, at).unwrap();
    }
    let grid = builder.finish();
    assert_eq!(grid.solid_count(), 2 * 256);
    assert!(grid.is_solid(1_000_015, 1_000_015) && !grid.is_solid(999_999, 1_000_000));
    assert!(grid.memory_bytes() < 1 << 14, "{}", grid.memory_bytes());
}

#[test]
fn a_builder_beyond_its_block_limit_returns_an_error() {
    let mut builder = GridBuilder::new(u32::MAX, u32::MAX).unwrap();
    let full = Err(GridError::TooManyBlocks { limit: 1 << 16 });
    assert_eq!(builder.fill(0..u32::MAX, 0..u32::MAX), full);
    builder.fill(0..64 * 256, 0..64 * 256).unwrap();
    let mut cell = Grid::blank_rows(1, 1).unwrap();
    cell.fill(0..1, 0..1, true);
    assert_eq!(builder.or_plane(&cell, IVec2::splat(64 * 256)), full);
    assert_eq!(builder.or_plane(&cell, IVec2::splat(i32::MAX)), full);
    assert_eq!(builder.or_plane(&cell, IVec2::splat(64 * 256 - 1)), Ok(()));
    assert_eq!(builder.or_plane(&cell, IVec2::NEG_ONE), Ok(()), "outside cells are ignored");
}

#[test]
fn or_passable_adds_a_solid_cell_for_each_passable_cell() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..300 {
        let rows = random_rows(&mut random);
        let (width, height) = (rows.len(), rows.count());
        let grid = Grid::from_rows(rows).unwrap();
        let mut naive = Grid::new(width, height).unwrap();
        for row in 0..height {
            for column in 0..width {
                naive.set(column, row, !grid.is_solid(column, row)).unwrap();
            }
        }
        let at = UVec2::new(random.u32(0..70), random.u32(0..70)) * random.u32(0..2);
        for other in [sparse_copy(&grid), grid] {
            let mut dense = GridBuilder::new(at.x + width, at.y + height).unwrap();
            let mut sparse =
                GridBuilder { grid: Grid::sparse(at.x + width, at.y + height).unwrap() };
            dense.or_passable(&other, at.as_ivec2()).unwrap();
            sparse.or_passable(&other, at.as_ivec2()).unwrap();
            for made in [dense, sparse] {
                let made = made.finish();
                assert_eq!(made.solid_count(), naive.solid_count());
                for row in 0..height {
                    for column in 0..width {
                        let solid = naive.is_solid(column, row);
                        assert_eq!(made.is_solid(at.x + column, at.y + row), solid);
                    }
                }
            }
        }
    }
}
