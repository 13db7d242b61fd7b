use std::collections::HashSet;

use glam::{IVec2, UVec2};

use super::Placement;
use crate::grid::GridError;
use crate::{Dir, Grid};

/// A grid and a hash set of the same cells, for comparisons. Only cells at or after `corner` on both axes
/// change.
struct Twin {
    grid: Grid,
    corner: UVec2,
    cells: HashSet<(u32, u32)>,
}

const SIDE: u32 = 1_200;

impl Twin {
    fn new(grid: Grid, corner: UVec2) -> Self {
        Self { grid, corner, cells: HashSet::new() }
    }

    fn inside(&self, x: u32, y: u32) -> bool {
        x < self.grid.width() && y < self.grid.height()
    }

    fn change(&mut self, random: &mut fastrand::Rng) {
        let at = |random: &mut fastrand::Rng, corner: u32| corner + random.u32(0..SIDE - 200);
        let (x, y) = (at(random, self.corner.x), at(random, self.corner.y));
        let side = |random: &mut fastrand::Rng| [1, 2, 64, 70, 130][random.usize(0..5)];
        let (width, height) = (side(random), side(random));
        let end = |at: u32, length: u32| at.saturating_add(length);
        let (columns, rows) = (x..end(x, width), y..end(y, height));
        let mut all = Vec::new();
        for y in rows.clone() {
            all.extend(columns.clone().map(|x| (x, y)));
        }
        all.retain(|(x, y)| self.inside(*x, *y));
        match random.u8(0..6) {
            0..3 => {
                self.grid.fill(columns, rows, true).unwrap();
                self.cells.extend(all);
            }
            removal @ 3..5 => {
                if removal == 3 {
                    self.grid.fill(columns, rows, false).unwrap();
                } else {
                    Placement::blank((columns, rows)).apply(&mut self.grid);
                }
                for cell in &all {
                    self.cells.remove(cell);
                }
            }
            _ => {
                let mut chunk = Grid::new(width, height).unwrap();
                for _ in 0..random.u32(0..20) {
                    let (c, r) = (random.u32(0..width), random.u32(0..height));
                    chunk.fill(c..c + random.u32(0..70), r..r + 3, true).unwrap();
                }
                // The chunk may start left of the replaced rectangle or above it.
                let back = IVec2::new(random.i32(0..5), random.i32(0..5));
                let to = |at: u32, back: i32| (i64::from(at) - i64::from(back)) as i32;
                if x > i32::MAX as u32 {
                    return;
                }
                let at = IVec2::new(to(x, back.x), to(y, back.y));
                let placement = Placement::new(&self.grid, (columns, rows), &chunk, at).unwrap();
                placement.apply(&mut self.grid);
                for (x, y) in all {
                    let (c, r) = (i64::from(x) - i64::from(at.x), i64::from(y) - i64::from(at.y));
                    if chunk.is_solid(c as u32, r as u32) {
                        self.cells.insert((x, y));
                    } else {
                        self.cells.remove(&(x, y));
                    }
                }
            }
        }
    }

    fn check(&self, random: &mut fastrand::Rng) {
        assert_eq!(self.grid.solid_count(), self.cells.len() as u64);
        for _ in 0..12 {
            let at = |random: &mut fastrand::Rng, corner: u32| {
                corner.saturating_add(random.u32(0..SIDE))
            };
            let (x, y) = (at(random, self.corner.x), at(random, self.corner.y));
            assert_eq!(self.grid.is_solid(x, y), self.cells.contains(&(x, y)), "{x} {y}");
            let length = |random: &mut fastrand::Rng| [1, 8, 63, 500, 9_000][random.usize(0..5)];
            let columns = x..x.saturating_add(length(random));
            let rows = y..y.saturating_add(length(random));
            let found = self.cells.iter().filter(|(x, y)| columns.contains(x) && rows.contains(y));
            let count = found.clone().count() as u64;
            assert_eq!(self.grid.solid_count_in(columns.clone(), rows.clone()), count);
            assert_eq!(self.grid.any_solid(columns.clone(), rows.clone()), count > 0);
            for dir in Dir::ALL {
                let first = found.clone().min_by_key(|(x, y)| match dir {
                    Dir::Left => (!x, *y),
                    Dir::Right => (*x, *y),
                    Dir::Up => (!y, *x),
                    Dir::Down => (*y, *x),
                });
                let first = first.map(|(x, y)| UVec2::new(*x, *y));
                assert_eq!(self.grid.first_solid(dir, columns.clone(), rows.clone()), first);
            }
        }
        let mut cells: Vec<(u32, u32)> = self.cells.iter().copied().collect();
        cells.sort_unstable_by_key(|(x, y)| (*y, *x));
        assert!(self.grid.iter_solid().map(<(u32, u32)>::from).eq(cells));
    }
}

#[test]
fn fills_and_placements_change_the_same_cells_as_in_a_hash_set() {
    let mut random = fastrand::Rng::with_seed(41);
    let far = u32::MAX - SIDE + 150;
    for round in 0..40 {
        let (grid, corner) = match round % 5 {
            0 => (Grid::sparse(u32::MAX, u32::MAX), UVec2::splat(far)),
            1 => (Grid::sparse(u32::MAX, 1_000), UVec2::new(i32::MAX as u32 - SIDE, 0)),
            2 => (Grid::sparse(5_000, u32::MAX), UVec2::new(4_000, 1 << 30)),
            3 => (Grid::sparse(1_000, 1_100), UVec2::ZERO),
            _ => (Grid::new(1_000, 1_100), UVec2::ZERO),
        };
        let mut twin = Twin::new(grid.unwrap(), corner);
        for _ in 0..12 {
            twin.change(&mut random);
        }
        twin.check(&mut random);
    }
}

#[test]
fn a_placement_beyond_the_block_limit_is_an_error() {
    let mut world = Grid::sparse(1 << 20, 1 << 20).unwrap().with_block_limit(4);
    world.fill(0..128, 0..65, true).unwrap();
    let whole = |grid: &Grid| (0..grid.width(), 0..grid.height());
    let mut block = Grid::new(64, 64).unwrap();
    block.fill(3..9, 3..9, true).unwrap();
    let new = |world: &Grid, at: i32| {
        let columns = at as u32..at as u32 + 64;
        Placement::new(world, (columns, 0..64), &block, IVec2::new(at, 0))
    };
    let full = GridError::TooManyBlocks { limit: 4 };
    assert_eq!(new(&world, 128).err(), Some(full.clone()));
    assert_eq!(new(&world, 60).err(), None, "the rectangle adds no block");
    assert_eq!(full.to_string().matches(" 4 ").count(), 1);

    // Old cells in the rectangle do not count toward the limit, but cells outside the rectangle do.
    let mut others = Grid::new(256, 1).unwrap();
    others.fill(0..256, 0..1, true).unwrap();
    let all = Placement::new(&world, whole(&world), &others, IVec2::ZERO).unwrap();
    let part = Placement::new(&world, (0..1 << 20, 0..64), &others, IVec2::ZERO);
    assert_eq!(part.err(), Some(full));
    all.apply(&mut world);
    assert_eq!((world.solid_count(), world.blocks().count()), (256, 4));
}

#[test]
fn a_placement_fits_when_the_blocks_after_it_are_within_the_limit() {
    let mut random = fastrand::Rng::with_seed(61);
    let mut refused = 0;
    for round in 0..300 {
        let scattered = |random: &mut fastrand::Rng, mut grid: Grid, count: u32| {
            for _ in 0..count {
                let (x, y) = (random.u32(0..300), random.u32(0..200));
                grid.fill(x..x + random.u32(1..70), y..y + 1, true).unwrap();
            }
            grid
        };
        let count = random.u32(0..12);
        let world = scattered(&mut random, Grid::sparse(300, 200).unwrap(), count);
        let count = random.u32(0..12);
        let other = scattered(&mut random, Grid::new(300, 200).unwrap(), count);
        let range = |random: &mut fastrand::Rng, len: u32| {
            let start = random.u32(0..len);
            start..random.u32(start..=len)
        };
        let cells = (range(&mut random, 300), range(&mut random, 200));
        let mut after = Grid::sparse(300, 200).unwrap();
        for y in 0..200 {
            for x in 0..300 {
                let is_replaced = cells.0.contains(&x) && cells.1.contains(&y);
                let from = if is_replaced { &other } else { &world };
                if from.is_solid(x, y) {
                    after.set(x, y, true).unwrap();
                }
            }
        }
        let needed = after.blocks().count() as u32;
        let limit = random.u32(needed.saturating_sub(2)..needed + 3);
        // Fewer blocks than the world has can be no limit of it.
        let limit = limit.max(world.blocks().count() as u32);
        let mut world = world.with_block_limit(limit);
        let placement = Placement::new(&world, cells, &other, IVec2::ZERO);
        assert_eq!(placement.is_ok(), needed <= limit, "round {round}: {needed} of {limit}");
        match placement {
            Ok(placement) => {
                placement.apply(&mut world);
                assert_eq!(world, after, "round {round}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn a_placement_of_no_columns_or_no_rows_changes_nothing() {
    let block = Grid::new(9, 9).unwrap();
    for mut world in [Grid::sparse(100, 100).unwrap(), Grid::new(100, 100).unwrap()] {
        world.fill(0..100, 0..100, true).unwrap();
        for cells in
            [(5..5, 0..9), (0..9, 64..64), (100..130, 0..9), (0..9, 200..300), (0..0, 0..0)]
        {
            Placement::new(&world, cells.clone(), &block, IVec2::ZERO).unwrap().apply(&mut world);
            Placement::blank(cells).apply(&mut world);
        }
        assert_eq!(world.solid_count(), 10_000);
    }
}

#[test]
fn clearing_placed_cells_frees_their_memory() {
    let mut world = Grid::sparse(1 << 20, 1 << 20).unwrap();
    let mut chunk = Grid::new(640, 640).unwrap();
    for i in 0..640 {
        chunk.set(i, i * 7 % 640, true).unwrap();
    }
    let small = world.memory_bytes();
    for i in 0..40 {
        let at = IVec2::new(i * 640, 64);
        let cells = (at.x as u32..at.x as u32 + 640, 64..704);
        Placement::new(&world, cells, &chunk, at).unwrap().apply(&mut world);
    }
    let large = world.memory_bytes();
    assert!(large > 2_500_000, "{large}");
    Placement::blank((0..640 * 39, 0..1 << 20)).apply(&mut world);
    assert_eq!(world.solid_count(), 640);
    assert!(world.memory_bytes() < large / 20, "{} of {large}", world.memory_bytes());
    Placement::blank((0..1 << 20, 0..1 << 20)).apply(&mut world);
    assert!(world.memory_bytes() <= small * 2, "{}, {small}", world.memory_bytes());
}
