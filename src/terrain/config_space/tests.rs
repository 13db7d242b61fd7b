use fastrand::Rng;
use glam::{IVec2, UVec2};

use super::ConfigSpace;
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::{Grid, GridBuilder};
use crate::terrain::Terrain;

/// Returns the number of rounds of a test: `all` with `BITWALL_LONG=1`, as before a release, otherwise a
/// twentieth.
fn rounds(all: u32) -> u32 {
    if std::env::var_os("BITWALL_LONG").is_some() { all } else { all / 20 }
}

/// Returns a random number from 0 to `most`. The number of its bits is random, so small numbers are frequent.
fn up_to(random: &mut Rng, most: u32) -> u32 {
    let bits = random.u32(0..32 - most.leading_zeros() + 1);
    random.u32(0..=most.min(((1_u64 << bits) - 1) as u32))
}

fn grid(random: &mut Rng, size: UVec2, share: u32) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for _ in 0..size.x * size.y / share + random.u32(0..3) {
        let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
        let (width, height) = (random.u32(1..6), random.u32(1..4));
        grid.fill(column..column + width, row..row + height, true).unwrap();
    }
    grid
}

fn terrain(random: &mut Rng) -> Terrain {
    let sides = [1, 5, 63, 64, 65, 130, 260];
    let side = |random: &mut Rng| sides[random.u32(0..7) as usize];
    let size = UVec2::new(side(random), side(random));
    let cells = [1, 1, 2, 3, 5, 8, 16, 24];
    let cell = |random: &mut Rng| cells[random.u32(0..8) as usize];
    let cell = UVec2::new(cell(random), cell(random));
    // Long steps are clear only where few cells are solid.
    let share = [20, 20, 2_000][random.u32(0..3) as usize];
    let mut terrain = Terrain::new(grid(random, size, share), cell).unwrap();
    if random.u8(0..3) == 0 {
        let outside = |random: &mut Rng| if random.bool() { Outside::Open } else { Outside::Solid };
        terrain.set_outside(Sides {
            left: outside(random),
            right: outside(random),
            up: outside(random),
            down: outside(random),
        });
    }
    while random.u8(0..3) == 0 {
        let side = Dir::ALL[random.u32(0..4) as usize];
        terrain = terrain.with_one_way(side, grid(random, size, 30)).unwrap();
    }
    terrain
}

fn compare(random: &mut Rng, space: &ConfigSpace<'_>, terrain: &Terrain, queries: u32) {
    let pixels = terrain.size().as_ivec2();
    for _ in 0..queries {
        let far = if random.u8(0..8) == 0 { i32::MAX / 2 } else { 70 };
        let mut at = IVec2::new(random.i32(-far..pixels.x + far), random.i32(-far..pixels.y + far));
        if random.u8(0..40) == 0 {
            at.x = [i32::MIN, i32::MAX, i32::MAX - 3][random.u32(0..3) as usize];
        }
        let (dir, step) = (Dir::ALL[random.u32(0..4) as usize], up_to(random, u32::MAX));
        let body = space.body(at);
        let said = format!("{at} {dir} {step} {:?} {:?}", space.size(), terrain);
        assert_eq!(space.can_move(at, dir, step), terrain.can_move(body, dir, step), "{said}");
        assert_eq!(space.sweep(at, dir, step), terrain.sweep(body, dir, step), "{said}");
        let through = terrain.sweep_through_one_way(body, dir, step);
        assert_eq!(space.sweep_through_one_way(at, dir, step), through, "{said}");
        assert_eq!(space.overlaps(at), terrain.overlaps(body), "{said}");
        let limit = up_to(random, 300);
        let free = terrain.nearest_free(body, dir, limit);
        assert_eq!(space.nearest_free(at, dir, limit), free, "{said} {limit}");
        let step = up_to(random, 100);
        let [left, right, up, down] = Dir::ALL.map(|dir| terrain.can_move(body, dir, step));
        assert_eq!(space.free_sides(at, step), Sides { left, right, up, down }, "{said} {step}");
    }
}

#[test]
fn a_config_space_gives_the_same_answers_as_its_terrain() {
    let mut random = Rng::with_seed(71);
    for _ in 0..rounds(6_000) {
        let terrain = terrain(&mut random);
        for _ in 0..2 {
            let side = |random: &mut Rng| up_to(random, 70);
            let space = terrain.config_space(UVec2::new(side(&mut random), side(&mut random)));
            compare(&mut random, &space, &terrain, 40);
        }
    }
}

#[test]
fn a_config_space_allows_a_motion_that_sweeps_no_solid_pixel() {
    let mut random = Rng::with_seed(72);
    for _ in 0..300 {
        let (size, cell) = (UVec2::new(random.u32(1..90), random.u32(1..70)), UVec2::new(3, 2));
        let terrain = Terrain::new(grid(&mut random, size, 20), cell).unwrap();
        let space = terrain.config_space(UVec2::new(random.u32(1..9), random.u32(1..9)));
        for _ in 0..30 {
            let pixels = (size * cell).as_ivec2();
            let at = IVec2::new(random.i32(-9..pixels.x + 9), random.i32(-9..pixels.y + 9));
            let (dir, step) = (Dir::ALL[random.u32(0..4) as usize], random.u32(0..80));
            let Aabb { min, max } = space.body(at).strip(dir, step);
            let mut strip = (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| (x, y)));
            let free = !strip.any(|(x, y)| terrain.is_solid(IVec2::new(x, y)));
            assert_eq!(space.can_move(at, dir, step), free, "{at} {dir} {step}");
        }
    }
}

#[test]
fn config_spaces_answer_correctly_after_edits_of_their_terrain() {
    let mut random = Rng::with_seed(73);
    for _ in 0..rounds(1_500) {
        let mut edited = terrain(&mut random);
        let sizes = [UVec2::new(12, 20), UVec2::new(1, 1), UVec2::new(37, 5)];
        for size in sizes {
            edited.config_space(size);
        }
        for _ in 0..20 {
            let cells = edited.grid().size();
            let (column, row) = (random.u32(0..cells.x), random.u32(0..cells.y));
            let columns = column..column + random.u32(0..20);
            let rows = row..row + random.u32(0..20);
            let side = Dir::ALL[random.u32(0..4) as usize];
            match random.u8(0..16) {
                0 => edited.set_outside(Outside::Open),
                1..4 => {
                    edited.fill_one_way(side, columns, rows, random.bool()).unwrap();
                }
                _ => {
                    edited.fill(columns, rows, random.bool()).unwrap();
                }
            }
            // A terrain built from the edited cells has no lines of bits yet, so it computes them anew.
            let mut made = Terrain::new(edited.grid().clone(), edited.cell_size()).unwrap();
            made.set_outside(edited.outside());
            for side in Dir::ALL {
                if let Some(guarded) = edited.one_way(side) {
                    made = made.with_one_way(side, guarded.clone()).unwrap();
                }
            }
            for size in sizes {
                let space = edited.config_space(size);
                compare(&mut random, &space, &made, 3);
            }
        }
    }
}

#[test]
fn a_config_space_without_lines_gives_the_same_answers_as_its_terrain() {
    let mut random = Rng::with_seed(74);
    let mut builder = GridBuilder::new(1 << 20, 1 << 20).unwrap();
    builder.fill(3..90, 5..7).unwrap();
    let sparse = Terrain::new(builder.finish().unwrap(), UVec2::new(2, 1)).unwrap();
    let small = Terrain::new(Grid::new(3, 3).unwrap(), UVec2::ONE).unwrap();
    let narrow = Terrain::new(Grid::new(1 << 23, 2).unwrap(), UVec2::ONE).unwrap();
    let huge = Terrain::new(Grid::new(40, 40).unwrap(), UVec2::splat(1 << 16)).unwrap();
    for (terrain, size) in [(&sparse, 5), (&small, 4), (&small, 0), (&narrow, 2), (&small, 1 << 31)]
    {
        let space = terrain.config_space(UVec2::splat(size));
        assert_eq!(space.memory_bytes(), 0);
        compare(&mut random, &space, terrain, 300);
    }
    for size in [1, 1 << 16, (1 << 16) + 1, 1 << 20] {
        let space = huge.config_space(UVec2::splat(size));
        compare(&mut random, &space, &huge, 300);
    }
}

/// Returns the memory of the configuration space for bodies of 12 x 20 pixels, in bits for each cell of a
/// terrain with 1024 x 1024 cells. One-way cells guard the sides `guarded`.
fn bits_a_cell(cell_size: UVec2, guarded: &[Dir]) -> f64 {
    let cells = |random: &mut Rng| grid(random, UVec2::splat(1_024), 60);
    let mut random = Rng::with_seed(76);
    let mut terrain = Terrain::new(cells(&mut random), cell_size).unwrap();
    for side in guarded {
        terrain = terrain.with_one_way(*side, cells(&mut random)).unwrap();
    }
    let space = terrain.config_space(UVec2::new(12, 20));
    compare(&mut random, &space, &terrain, 200);
    space.memory_bytes() as f64 * 8.0 / f64::from(1 << 20)
}

#[test]
fn config_space_lines_take_few_bits_per_cell_at_every_cell_size() {
    let sides = [1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 100, 16_385, 65_536];
    let square = sides.map(UVec2::splat);
    let others = [(1, 16), (16, 1), (15, 16), (17, 100), (16_385, 3)].map(UVec2::from);
    for cell_size in square.into_iter().chain(others) {
        let bits = bits_a_cell(cell_size, &[]);
        // A body of 12 x 20 pixels always covers the same number of cells if cells are single pixels.
        let most = if cell_size == UVec2::ONE { 2.3 } else { 4.6 };
        assert!(bits > 1.9 && bits < most, "{bits} bits for a cell of {cell_size}");
        let bits = bits_a_cell(cell_size, &[Dir::Up]);
        assert!(bits < 1.5 * most, "{bits} bits with ledges for a cell of {cell_size}");
    }
}

#[test]
fn a_config_space_answers_like_its_terrain_for_any_body_and_cell_size() {
    let mut random = Rng::with_seed(77);
    for side in [1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 100, 16_385] {
        for cells in [UVec2::new(70, 3), UVec2::new(9, 66), UVec2::splat(30)] {
            let across = [side, 1, 16, 29][random.usize(0..4)];
            let mut terrain = Terrain::new(grid(&mut random, cells, 40), UVec2::new(side, across));
            for guarded in &Dir::ALL[..random.usize(0..4)] {
                let cells = grid(&mut random, cells, 40);
                terrain = terrain.and_then(|terrain| terrain.with_one_way(*guarded, cells));
            }
            let terrain = terrain.unwrap();
            let most = terrain.size();
            for _ in 0..rounds(400) / 10 {
                let extent = |random: &mut Rng, most: u32| match random.u8(0..4) {
                    0 => random.u32(1..=most),
                    1 => (side * random.u32(0..4) + random.u32(0..3)).clamp(1, most),
                    2 => most,
                    _ => random.u32(1..=most.min(40)),
                };
                let body = UVec2::new(extent(&mut random, most.x), extent(&mut random, most.y));
                let space = terrain.config_space(body);
                assert_ne!(space.memory_bytes(), 0, "{body} in {most}");
                compare(&mut random, &space, &terrain, 30);
            }
        }
    }
}

#[test]
fn config_spaces_of_many_sizes_can_be_dropped_and_are_not_cloned() {
    let mut terrain = Terrain::new(Grid::new(2_000, 2).unwrap(), UVec2::ONE).unwrap();
    let cells = terrain.memory_bytes();
    for side in 1..2_000 {
        assert_ne!(terrain.config_space(UVec2::new(side, 1)).memory_bytes(), 0);
    }
    let copy = terrain.clone();
    assert!(copy.known_config_space(IVec2::new(1_999, 1)).is_none());
    assert_eq!(copy.memory_bytes(), cells);
    assert!(terrain.known_config_space(IVec2::new(1_999, 1)).is_some());
    assert!(terrain.memory_bytes() > 1_999 * cells);
    terrain.drop_config_spaces();
    assert!(terrain.known_config_space(IVec2::new(1_999, 1)).is_none());
    assert_eq!(terrain.memory_bytes(), cells);
    assert_ne!(terrain.config_space(UVec2::ONE).memory_bytes(), 0, "the lines are computed again");
}

#[test]
fn config_space_lines_of_all_sizes_together_stay_within_the_memory_limit() {
    let mut random = Rng::with_seed(78);
    let size = UVec2::new(1 << 13, 1 << 13);
    let mut terrain = Terrain::new(Grid::new(size.x, size.y).unwrap(), UVec2::ONE).unwrap();
    terrain.fill(99..200, 70..90, true).unwrap();
    let one = terrain.config_space(UVec2::ONE).memory_bytes();
    let all = (Terrain::MAX_CONFIG_SPACE_BYTES / one) as u32;
    assert!((10..20).contains(&all), "{all}");
    for side in 1..all + 9 {
        let bytes = terrain.config_space(UVec2::splat(side)).memory_bytes();
        assert_eq!(bytes != 0, side <= all, "{side}");
    }
    let space = terrain.config_space(UVec2::splat(all + 1));
    compare(&mut random, &space, &terrain, 300);
    // The first one-way cells need more lines of bits, which would exceed the memory limit.
    terrain.fill_one_way(Dir::Up, 300..400, 50..51, true).unwrap();
    let bytes = terrain.memory_bytes();
    let cells = terrain.clone().memory_bytes();
    assert!(bytes - cells <= Terrain::MAX_CONFIG_SPACE_BYTES, "{bytes} {cells}");
    assert!(bytes - cells > Terrain::MAX_CONFIG_SPACE_BYTES / 2, "{bytes} {cells}");
    for side in 1..all + 9 {
        compare(&mut random, &terrain.config_space(UVec2::splat(side)), &terrain, 30);
    }
}

#[test]
fn all_threads_share_one_copy_of_the_config_space_lines() {
    let terrain = Terrain::new(Grid::from_text("..#.\n....").unwrap(), UVec2::splat(9)).unwrap();
    let spaces = std::thread::scope(|scope| {
        let made = [5, 5, 7, 5].map(|side| {
            let terrain = &terrain;
            scope.spawn(move || {
                terrain.config_space(UVec2::splat(side));
                std::ptr::from_ref(terrain.spaces.find(IVec2::splat(side as i32)).unwrap()) as usize
            })
        });
        made.map(|thread| thread.join().unwrap())
    });
    assert!(spaces[0] == spaces[1] && spaces[0] == spaces[3] && spaces[0] != spaces[2]);
}

#[test]
fn a_batch_gives_the_answers_of_single_queries_in_order() {
    let mut random = Rng::with_seed(75);
    let cells = grid(&mut random, UVec2::new(200, 90), 20);
    let terrain = Terrain::new(cells, UVec2::new(3, 2)).unwrap();
    let space = terrain.config_space(UVec2::new(7, 9));
    for count in [0_usize, 1, 63, 64, 65, 200, 4_096, 4_097, 20_000] {
        let places: Vec<IVec2> =
            (0..count).map(|_| IVec2::new(random.i32(-20..620), random.i32(-20..200))).collect();
        let dirs: Vec<Dir> = (0..count).map(|_| Dir::ALL[random.u32(0..4) as usize]).collect();
        let steps: Vec<u32> = (0..count).map(|_| random.u32(0..70)).collect();
        let bodies: Vec<Aabb> = places.iter().map(|at| space.body(*at)).collect();
        // The last word belongs to no query, so it must stay unchanged. All bits of the other words must be
        // overwritten.
        let mut free = vec![u64::MAX; count.div_ceil(64) + 1];
        let mut twin = free.clone();
        assert_eq!(space.can_move_batch(&places, &dirs, &steps, &mut free), count);
        assert_eq!(terrain.can_move_batch(&bodies, &dirs, &steps, &mut twin), count);
        assert_eq!(free, twin);
        assert_eq!(free.pop(), Some(u64::MAX));
        for at in 0..count {
            let free = free[at / 64] >> (at % 64) & 1 != 0;
            assert_eq!(free, terrain.can_move(bodies[at], dirs[at], steps[at]));
        }
        if count % 64 != 0 {
            assert_eq!(free[count / 64] >> (count % 64), 0, "bits past the last answer");
        }
    }
}

#[test]
fn a_config_space_knows_its_size_and_the_limit_of_its_search() {
    let mut grid = Grid::new(300, 3).unwrap();
    grid.set(199, 1, true).unwrap();
    grid.set(299, 1, true).unwrap();
    let outside = Sides { right: Outside::Open, ..Sides::all(Outside::Solid) };
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(outside);
    // The body is so wide that its search for a free place leaves the lines of bits.
    let space = terrain.config_space(UVec2::new(200, 2));
    assert_eq!(space.size(), UVec2::new(200, 2));
    assert_ne!(space.memory_bytes(), 0);
    for limit in [0, 199, 200, 250, 299, 300, 301, u32::MAX] {
        let expected = (limit >= 300).then_some(300);
        assert_eq!(space.nearest_free(IVec2::ZERO, Dir::Right, limit), expected, "{limit}");
    }
}

/// The two solids are at the same bit of two words of a row.
#[test]
fn solids_64_cells_apart_stop_long_motions_in_a_config_space() {
    for apart in (0..=320).step_by(64) {
        for first in 100..108 {
            let last = first + apart;
            let mut grid = Grid::new(600, 3).unwrap();
            grid.set(first, 1, true).unwrap();
            grid.set(last, 1, true).unwrap();
            let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
            let space = terrain.config_space(UVec2::ONE);
            for free in 0..66 {
                let ends = [(first - 1 - free, Dir::Right), (last + 1 + free, Dir::Left)];
                for (x, dir) in ends {
                    let at = IVec2::new(x as i32, 1);
                    for step in [free, free + 1, free + 2, free + apart + 1, free + apart + 9] {
                        let said = format!("{step} pixels {dir} from {x}, {first} and {last}");
                        assert_eq!(space.can_move(at, dir, step), step <= free, "{said}");
                        assert_eq!(space.sweep(at, dir, step).moved, step.min(free), "{said}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_only_solid_of_a_long_row_stops_a_sweep_in_a_config_space() {
    for column in [700, 1_300, 2_047, 2_048, 3_900] {
        let mut grid = Grid::new(4_000, 3).unwrap();
        grid.set(column, 1, true).unwrap();
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(Outside::Open);
        let space = terrain.config_space(UVec2::ONE);
        let moved = |x, dir| space.sweep(IVec2::new(x, 1), dir, 4_000).moved;
        assert_eq!(moved(5, Dir::Right), column - 6);
        assert_eq!(moved(3_990, Dir::Left), 3_989 - column);
    }
}

#[test]
fn only_a_side_of_many_large_cells_has_no_lines() {
    let mut random = Rng::with_seed(79);
    for (count, cell, has_lines) in [(131_100, 1, true), (129_000, 2, true), (131_100, 2, false)] {
        for size in [UVec2::new(count, 40), UVec2::new(40, count)] {
            let mut grid = Grid::new(size.x, size.y).unwrap();
            grid.fill(size.x - 5..size.x, size.y - 5..size.y, true).unwrap();
            let terrain = Terrain::new(grid, UVec2::splat(cell)).unwrap();
            let space = terrain.config_space(UVec2::splat(3));
            assert_eq!(space.memory_bytes() != 0, has_lines, "{size} {cell}");
            compare(&mut random, &space, &terrain, 50);
        }
    }
}

#[test]
fn a_body_beyond_the_end_of_a_level_meets_what_is_there() {
    let mut random = Rng::with_seed(80);
    for side in [2, 3, 8] {
        for [near, far] in [[Outside::Solid, Outside::Open], [Outside::Open, Outside::Solid]] {
            let cells = grid(&mut random, UVec2::new(5, 4), 6);
            let mut terrain = Terrain::new(cells, UVec2::splat(side)).unwrap();
            terrain.set_outside(Sides { left: near, right: far, up: near, down: far });
            let space = terrain.config_space(UVec2::splat(side));
            let end = 150 * side as i32;
            for along in -end..end {
                for dir in Dir::ALL {
                    let at = IVec2::from(dir.axis().xy(along, side as i32 + 1));
                    for cells in [1, 20, 30, 40, 50, 56, 57] {
                        let step = cells * side;
                        let expected = terrain.can_move(space.body(at), dir, step);
                        assert_eq!(space.can_move(at, dir, step), expected, "{at} {dir} {step}");
                    }
                }
            }
        }
    }
}
