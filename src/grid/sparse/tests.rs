use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::time::{Duration, Instant};

use glam::{IVec2, UVec2};

use super::{BLOCK_LIMIT, PlaceHasher, Sparse, key};
use crate::grid::GridError;
use crate::{Aabb, Dir, Grid, Level, Outside, Sides};

const SIDES: [u32; 12] = [1, 2, 31, 63, 64, 65, 66, 127, 128, 129, 200, 300];

fn sparse(width: u32, height: u32) -> Grid {
    Grid::from_blocks(width, height, Sparse::default())
}

fn hash(grid: &Grid) -> u64 {
    let mut hasher = DefaultHasher::new();
    grid.hash(&mut hasher);
    hasher.finish()
}

fn same(a: &Grid, b: &Grid) -> bool {
    let both = [a == b, b == a];
    both == [true, true]
}

fn differ(a: &Grid, b: &Grid) -> bool {
    let both = [a == b, b == a];
    both == [false, false]
}

fn side(random: &mut fastrand::Rng) -> u32 {
    SIDES[random.usize(0..SIDES.len())]
}

/// Returns a random range that may be empty, and that may start or end beyond `side`.
fn range(random: &mut fastrand::Rng, side: u32) -> Range<u32> {
    let start = random.u32(0..side + 2);
    match random.u8(0..4) {
        0 => start..start + 1,
        1 => start..random.u32(0..side + 70),
        2 => start..u32::MAX,
        _ => start..start + random.u32(0..70),
    }
}

/// Returns a dense and a sparse grid with the same random cells: few cells, or bars and rectangles.
fn dense_and_sparse(random: &mut fastrand::Rng) -> (Grid, Grid) {
    let (width, height) = (side(random), side(random));
    let mut dense = Grid::new(width, height).unwrap();
    let mut sparse = sparse(width, height);
    for _ in 0..random.u32(0..8) {
        let (column, row, solid) =
            (random.u32(0..width + 2), random.u32(0..height + 2), random.u8(0..4) > 0);
        let (columns, rows) = match random.u8(0..4) {
            0 => (column..column + random.u32(0..90), row..row + 1),
            1 => (column..column + 1, row..row + random.u32(0..90)),
            2 => (range(random, width), range(random, height)),
            _ => (column..column + 1, row..row + 1),
        };
        if columns.len() == 1 && rows.len() == 1 {
            dense.set(column, row, solid).unwrap();
            sparse.set(column, row, solid).unwrap();
        } else {
            dense.fill(columns.clone(), rows.clone(), solid).unwrap();
            sparse.fill(columns, rows, solid).unwrap();
        }
    }
    (dense, sparse)
}

#[test]
fn a_sparse_grid_answers_like_a_dense_one() {
    let mut random = fastrand::Rng::with_seed(17);
    let mut solid = [0; 2];
    for _ in 0..3_000 {
        let (dense, sparse) = dense_and_sparse(&mut random);
        assert_eq!(sparse.size(), dense.size());
        assert_eq!(sparse.solid_count(), dense.solid_count());
        for _ in 0..20 {
            let (columns, rows) =
                (range(&mut random, dense.width()), range(&mut random, dense.height()));
            let any = dense.any_solid(columns.clone(), rows.clone());
            solid[usize::from(any)] += 1;
            assert_eq!(
                sparse.any_solid(columns.clone(), rows.clone()),
                any,
                "{columns:?} {rows:?}"
            );
            for dir in Dir::ALL {
                assert_eq!(
                    sparse.first_solid(dir, columns.clone(), rows.clone()),
                    dense.first_solid(dir, columns.clone(), rows.clone()),
                    "{dir:?} {columns:?} {rows:?}"
                );
            }
            let (column, row) = (columns.start, rows.start);
            assert_eq!(sparse.get(column, row), dense.get(column, row));
        }
    }
    assert!(solid[0] > 5_000 && solid[1] > 5_000, "{solid:?}");
}

#[test]
fn equality_and_hash_depend_only_on_the_size_and_the_cells() {
    let mut random = fastrand::Rng::with_seed(19);
    for _ in 0..300 {
        let (dense, mut sparse) = dense_and_sparse(&mut random);
        assert!(same(&sparse, &dense) && same(&sparse.clone(), &sparse));
        assert_eq!(hash(&sparse), hash(&dense));
        assert_eq!(sparse.to_string(), dense.to_string());
        assert_eq!(format!("{sparse:?}"), format!("{dense:?}"));
        let (column, row) = (random.u32(0..dense.width()), random.u32(0..dense.height()));
        let before = sparse.clone();
        let was = sparse.is_solid(column, row);
        sparse.set(column, row, !was).unwrap();
        assert!(differ(&sparse, &dense) && differ(&sparse, &before));
        assert_ne!(hash(&sparse), hash(&dense), "the hash reads the cells");
        sparse.set(column, row, was).unwrap();
        assert!(same(&sparse, &dense) && same(&sparse, &before));
    }
    assert!(sparse(3, 4) != sparse(4, 3), "grids of different sizes differ");
}

#[test]
fn a_sparse_grid_stores_no_block_without_a_solid_cell() {
    let mut random = fastrand::Rng::with_seed(23);
    for _ in 0..200 {
        let (_, mut grid) = dense_and_sparse(&mut random);
        let blocks = |grid: &Grid| grid.sparse.as_ref().unwrap().blocks.len();
        assert_eq!(blocks(&grid), grid.blocks().count());
        for _ in 0..200 {
            grid.set(random.u32(0..200), random.u32(0..200), false).unwrap();
        }
        let all_solid_somewhere = grid.blocks().all(|(_, rows)| rows.iter().any(|row| *row != 0));
        assert!(all_solid_somewhere);
        grid.fill(0..u32::MAX, 0..u32::MAX, false).unwrap();
        assert_eq!((blocks(&grid), grid.solid_count()), (0, 0));
        let orders = &grid.sparse.as_ref().unwrap().orders;
        assert!(orders.iter().all(|order| order.is_empty()));
        assert!(grid == sparse(grid.width(), grid.height()));
    }
}

fn body(random: &mut fastrand::Rng, size: UVec2) -> Aabb {
    let at = |random: &mut fastrand::Rng, side: u32| match random.u8(0..30) {
        0 => i32::MIN + random.i32(0..3),
        1 => i32::MAX - random.i32(0..40),
        2 => random.i32(i32::MIN..=i32::MAX),
        _ => random.i32(-20..side as i32 + 20),
    };
    let extent = |random: &mut fastrand::Rng, side: u32| match random.u8(0..30) {
        0 => side as i32 + random.i32(0..9),
        1 => i32::MAX,
        2 => 0,
        _ => random.i32(1..80),
    };
    let (x, y) = (at(random, size.x), at(random, size.y));
    Aabb::from_xywh(x, y, extent(random, size.x), extent(random, size.y))
}

#[test]
fn a_level_with_a_sparse_grid_answers_like_one_with_a_dense_grid() {
    let mut random = fastrand::Rng::with_seed(29);
    let mut blocked = 0;
    for _ in 0..1_500 {
        let (dense, sparse) = dense_and_sparse(&mut random);
        let cell = UVec2::new(random.u32(1..20), random.u32(1..20));
        let mut outside = || match random.bool() {
            true => Outside::Solid,
            false => Outside::Open,
        };
        let outside = Sides { left: outside(), right: outside(), up: outside(), down: outside() };
        let level = |grid| Level::from_grid(grid, cell).unwrap().with_outside(outside);
        let (dense, sparse) = (level(dense), level(sparse));
        for _ in 0..60 {
            let body = body(&mut random, dense.size());
            let step = match random.u8(0..10) {
                0 => u32::MAX - random.u32(0..2),
                1 => random.u32(0..5_000),
                _ => random.u32(0..70),
            };
            assert_eq!(sparse.overlaps(body), dense.overlaps(body), "{body:?}");
            assert_eq!(sparse.is_solid(body.min), dense.is_solid(body.min));
            for dir in Dir::ALL {
                let sweep = dense.sweep(body, dir, step);
                blocked += u32::from(sweep.contact.is_some());
                assert_eq!(sparse.sweep(body, dir, step), sweep, "{body:?} {dir:?} {step}");
                let free = dense.can_move(body, dir, step);
                assert_eq!(sparse.can_move(body, dir, step), free);
            }
        }
    }
    assert!((50_000..310_000).contains(&blocked), "{blocked}");
}

#[test]
fn two_cells_a_million_apart_take_little_memory() {
    let mut grid = sparse(1_000_064, 1_000_064);
    grid.set(0, 0, true).unwrap();
    grid.set(1_000_000, 1_000_000, true).unwrap();
    assert_eq!(grid.solid_count(), 2);
    assert!(grid.is_solid(1_000_000, 1_000_000) && !grid.is_solid(1_000_001, 1_000_000));
    let bytes = grid.memory_bytes();
    assert!((2_048..4_096).contains(&bytes), "{bytes}");
}

#[test]
fn queries_find_the_last_cell_of_the_largest_grid() {
    let last = u32::MAX - 1;
    let mut grid = sparse(u32::MAX, u32::MAX);
    grid.set(last, last, true).unwrap();
    grid.set(u32::MAX, u32::MAX, true).unwrap();
    assert_eq!(grid.solid_count(), 1);
    let all = || 0..u32::MAX;
    for dir in Dir::ALL {
        assert_eq!(grid.first_solid(dir, all(), all()), Some(UVec2::splat(last)));
        assert_eq!(grid.first_solid(dir, 0..last, all()), None);
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    let corner = Aabb::from_xywh(i32::MAX - 9, i32::MAX - 9, 9, 9);
    assert!(level.can_move(corner, Dir::Right, 1 << 31));
    assert!(!level.can_move(corner, Dir::Right, u32::MAX), "the right side is solid");
}

#[test]
fn a_query_of_four_billion_almost_empty_pixels_is_fast() {
    let mut grid = sparse(u32::MAX, u32::MAX);
    // The blocks are on the diagonal, so each row or column meets at most one of them.
    for i in 0..20_000 {
        grid.set(i * 200_000 + 500, i * 200_000 + 500, true).unwrap();
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap().with_outside(Outside::Open);
    let mut random = fastrand::Rng::with_seed(31);
    let mut round = || {
        let (start, mut clear) = (Instant::now(), 0);
        for i in 0..1_000 {
            let at = random.i32(0..i32::MAX - 64);
            let (body, dir) = match i % 4 {
                0 => (Aabb::from_xywh(-64, at, 64, 64), Dir::Right),
                1 => (Aabb::from_xywh(i32::MAX - 64, at, 64, 64), Dir::Left),
                2 => (Aabb::from_xywh(at, -64, 64, 64), Dir::Down),
                _ => (Aabb::from_xywh(at, i32::MAX - 64, 64, 64), Dir::Up),
            };
            let free = level.can_move(body, dir, u32::MAX);
            assert_eq!(level.sweep(body, dir, u32::MAX).is_clear(), free);
            clear += u32::from(free);
        }
        assert!(clear > 900, "{clear}");
        start.elapsed()
    };
    // The fastest of five rounds counts, because the machine may be busy.
    let fastest = (0..5).map(|_| round()).min().unwrap();
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
    let body = Aabb::from_xywh(-64, 499, 64, 2);
    let contact = level.sweep(body, Dir::Right, u32::MAX).contact.unwrap();
    assert_eq!(contact.cell, IVec2::new(500, 500));
}

#[test]
fn a_fill_beyond_the_block_limit_is_an_error_and_changes_nothing() {
    let mut grid = sparse(u32::MAX, u32::MAX);
    let full = Err(GridError::TooManyBlocks { limit: BLOCK_LIMIT });
    assert_eq!(grid.fill(0..u32::MAX, 0..u32::MAX, true), full);
    assert_eq!(grid.fill(0..64 * BLOCK_LIMIT + 1, 5..6, true), full);
    assert_eq!((grid.solid_count(), grid.blocks().count()), (0, 0));

    // A square of 256 x 256 blocks has exactly the largest number of blocks.
    let side = 64 * 256;
    assert_eq!(grid.fill(32..side, 32..side, true), Ok(()));
    let count = u64::from(side - 32) * u64::from(side - 32);
    assert_eq!(grid.solid_count(), count);
    assert!(grid.memory_bytes() < 80 << 20, "{}", grid.memory_bytes());
    assert_eq!(grid.fill(side..side + 1, 0..1, true), full);
    assert_eq!(grid.set(side, 0, true), full);
    assert_eq!(grid.fill(1..side + 1, 0..1, true), full);
    assert_eq!(grid.solid_count(), count, "a failed fill changes no cell");

    assert_eq!(grid.fill(0..side, 0..1, true), Ok(()), "existing blocks can be filled");
    assert_eq!(grid.fill(64..128, 0..64, false), Ok(()));
    assert_eq!(grid.fill(side..side + 1, 0..1, true), Ok(()));
    assert!(grid.is_solid(side, 0));
}

#[test]
fn all_solid_blocks_take_no_memory_for_their_cells_until_they_change() {
    let mut grid = sparse(u32::MAX, u32::MAX);
    let side = 100..64 * 100;
    grid.fill(side.clone(), side.clone(), true).unwrap();
    assert_eq!(grid.solid_count(), 6_300 * 6_300);
    let full = grid.memory_bytes();
    // 9,801 blocks, of which 197 are partly solid.
    assert!(full < 9_801 * 80 + 197 * 1_024, "{full}");
    let copy = grid.clone();
    grid.set(640, 641, false).unwrap();
    assert!(!grid.is_solid(640, 641) && grid.is_solid(641, 640) && grid.is_solid(704, 641));
    assert_eq!(grid.solid_count(), 6_300 * 6_300 - 1);
    assert!(grid != copy && grid.transposed().is_solid(640, 641));
    grid.fill(640..641, 641..642, true).unwrap();
    assert!(grid == copy && grid.transposed() == copy);
    grid.fill(side.clone(), side, false).unwrap();
    assert_eq!(grid, sparse(u32::MAX, u32::MAX));
}

#[test]
fn a_sparse_grid_obeys_the_block_limit_set_by_its_caller() {
    let mut grid = Grid::sparse(1 << 30, 1 << 30).unwrap().with_block_limit(2);
    assert_eq!((grid.is_sparse(), grid.block_limit()), (true, Some(2)));
    assert_eq!(grid.fill(0..65, 0..1, true), Ok(()));
    let full = Err(GridError::TooManyBlocks { limit: 2 });
    assert_eq!(grid.set(500, 500, true), full);
    let mut more = grid.clone().with_block_limit(BLOCK_LIMIT + 2);
    assert!(same(&more, &grid) && hash(&more) == hash(&grid));
    assert_eq!(more.fill(0..64 * (BLOCK_LIMIT + 2), 9..10, true), Ok(()));
    assert_eq!(more.set(0, 500, true), Err(GridError::TooManyBlocks { limit: BLOCK_LIMIT + 2 }));
    // A grid that is over its limit keeps its cells, and its cells can be cleared.
    let mut less = more.with_block_limit(1);
    assert_eq!(less.set(5, 500, true), Err(GridError::TooManyBlocks { limit: 1 }));
    assert_eq!(less.fill(64..1 << 30, 0..99, false), Ok(()));
    assert_eq!(less.blocks().count(), 1);
    assert_eq!(Grid::sparse(0, 7), Err(GridError::Empty));
    assert_eq!(Grid::new(7, 7).unwrap().with_block_limit(0).block_limit(), None);
}

#[test]
fn a_fill_over_the_block_limit_changes_nothing_and_old_blocks_count_once() {
    for limit in 1..6 {
        for across in 1..7 {
            let mut grid = Grid::sparse(6_400, 6_400).unwrap().with_block_limit(limit);
            grid.set(1_000, 1_000, true).unwrap();
            let before = grid.clone();
            let filled = grid.fill(0..64 * across, 3..5, true);
            assert_eq!(filled.is_ok(), across < limit, "{across} and 1 of {limit}");
            assert!(filled.is_ok() || grid == before);
        }
    }
    let mut grid = Grid::sparse(6_400, 6_400).unwrap().with_block_limit(2);
    for _ in 0..3 {
        grid.set(130, 70, true).unwrap();
        grid.fill(128..192, 64..128, true).unwrap();
        grid.fill(128..192, 64..128, true).unwrap();
        grid.set(130, 70, false).unwrap();
    }
    assert_eq!(grid.set(0, 0, true), Ok(()));
    assert_eq!(grid.set(6_000, 0, true), Err(GridError::TooManyBlocks { limit: 2 }));
}

/// The memory of places is counted before they are made.
#[cfg(feature = "baked")]
#[test]
fn a_block_takes_at_most_the_memory_that_is_counted_for_it() {
    for count in [1_000u32, 1_793, 3_585, 20_000] {
        let mut grid = sparse(1 << 25, 1 << 25);
        let mut counted = 0;
        for i in 0..count {
            let rows = std::array::from_fn(|row| if i % 2 == 0 { u64::MAX } else { row as u64 });
            grid.write([i % 100 * 3, i / 100], &rows, true).unwrap();
            counted += Grid::block_bytes(&rows);
        }
        let taken = grid.memory_bytes();
        assert!(taken <= counted && taken > counted / 2, "{taken} of {counted}");
    }
}

/// A hash table uses the low bits of a hash as the slot of a key, and the top 7 bits as a first test for
/// equality.
#[test]
fn hashes_of_neighbouring_blocks_spread_like_random_numbers() {
    let hash = |at| {
        let mut hasher = PlaceHasher::default();
        hasher.write_u64(key(at));
        hasher.finish()
    };
    for [width, height] in [[64, 64], [4096, 1], [1, 4096], [8, 512]] {
        let hashes = || (0..width * height).map(|n| hash([n % width, n / width]));
        assert_eq!(hashes().collect::<HashSet<_>>().len(), 4096);
        // Among 4,096 random numbers of 12 bits, 2,589 are different on average.
        let low = hashes().map(|hash| hash % 4096).collect::<HashSet<_>>().len();
        let top = hashes().map(|hash| hash >> 57).collect::<HashSet<_>>().len();
        assert!(low > 2_300 && top == 128, "{width} x {height}: {low}, {top}");
    }
}

#[test]
fn clearing_blocks_frees_the_memory_of_their_places() {
    let mut grid = sparse(1 << 20, 1 << 20);
    let cell = |n: u32| [640 * (n % 64), 640 * (n / 64)];
    for [column, row] in (0..4096).map(cell) {
        grid.set(column, row, true).unwrap();
    }
    let full = grid.memory_bytes();
    for [column, row] in (16..4096).map(cell) {
        grid.set(column, row, false).unwrap();
    }
    assert_eq!(grid.blocks().count(), 16);
    assert!(grid.memory_bytes() < full / 128, "{} of {full}", grid.memory_bytes());
}
