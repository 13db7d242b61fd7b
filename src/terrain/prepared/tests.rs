use fastrand::Rng;
use glam::{IVec2, UVec2};

use super::{MAX_BYTES, lines_of, memory_bytes};
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

/// Compares the answers of `prepared` for boxes of `size` with those of `plain`, which has the same cells and
/// no prepared size.
fn compare(random: &mut Rng, prepared: &Terrain, size: UVec2, plain: &Terrain, queries: u32) {
    let pixels = plain.size().as_ivec2();
    let sized = prepared.for_size(size);
    for _ in 0..queries {
        let far = if random.u8(0..8) == 0 { i32::MAX / 2 } else { 70 };
        let mut at = IVec2::new(random.i32(-far..pixels.x + far), random.i32(-far..pixels.y + far));
        if random.u8(0..40) == 0 {
            at.x = [i32::MIN, i32::MAX, i32::MAX - 3][random.u32(0..3) as usize];
        }
        let mut body = Aabb { min: at, max: at.saturating_add_unsigned(size) };
        if random.u8(0..40) == 0 {
            // The box is empty where its far corner wraps around.
            body.max = at.wrapping_add(size.as_ivec2());
        }
        let (dir, step) = (Dir::ALL[random.u32(0..4) as usize], up_to(random, u32::MAX));
        let said = format!("{body:?} {dir} {step} {plain:?}");
        let can_move = plain.can_move(body, dir, step);
        let sweep = plain.sweep(body, dir, step);
        let through = plain.sweep_through_one_way(body, dir, step);
        let overlaps = plain.overlaps(body);
        let limit = up_to(random, 300);
        let free = plain.nearest_free(body, dir, limit);
        assert_eq!(prepared.can_move(body, dir, step), can_move, "{said}");
        assert_eq!(prepared.sweep(body, dir, step), sweep, "{said}");
        assert_eq!(prepared.sweep_through_one_way(body, dir, step), through, "{said}");
        assert_eq!(prepared.overlaps(body), overlaps, "{said}");
        assert_eq!(prepared.nearest_free(body, dir, limit), free, "{said} {limit}");
        if let Some(sized) = sized {
            assert_eq!(sized.can_move(body, dir, step), can_move, "{said}");
            assert_eq!(sized.sweep(body, dir, step), sweep, "{said}");
            assert_eq!(sized.sweep_through_one_way(body, dir, step), through, "{said}");
            assert_eq!(sized.overlaps(body), overlaps, "{said}");
            assert_eq!(sized.nearest_free(body, dir, limit), free, "{said} {limit}");
        }
        let step = up_to(random, 100);
        let [left, right, up, down] = Dir::ALL.map(|dir| plain.can_move(body, dir, step));
        let sides = Sides { left, right, up, down };
        assert_eq!(prepared.free_sides(body, step), sides, "{said} {step}");
        assert_eq!(plain.free_sides(body, step), sides, "{said} {step}");
    }
}

/// Prepares a size in a copy of `plain`, and compares the answers. Returns whether it was prepared.
fn compare_prepared(random: &mut Rng, size: UVec2, plain: &Terrain, queries: u32) -> bool {
    let mut prepared = plain.clone();
    let is_prepared = prepared.prepare(size);
    // Another prepared size changes no answer.
    prepared.prepare(size + UVec2::X);
    compare(random, &prepared, size, plain, queries);
    is_prepared
}

#[test]
fn a_prepared_terrain_gives_the_same_answers_as_a_plain_one() {
    let mut random = Rng::with_seed(71);
    let mut prepared = 0;
    for _ in 0..rounds(6_000) {
        let terrain = terrain(&mut random);
        for _ in 0..2 {
            let size = UVec2::new(up_to(&mut random, 70), up_to(&mut random, 70));
            prepared += u32::from(compare_prepared(&mut random, size, &terrain, 40));
        }
    }
    assert!(prepared > rounds(6_000) / 3, "{prepared}");
}

#[test]
fn a_prepared_size_allows_a_motion_that_sweeps_no_solid_pixel() {
    let mut random = Rng::with_seed(72);
    for _ in 0..300 {
        let (size, cell) = (UVec2::new(random.u32(1..90), random.u32(1..70)), UVec2::new(3, 2));
        let mut terrain = Terrain::new(grid(&mut random, size, 20), cell).unwrap();
        let body = UVec2::new(random.u32(1..9), random.u32(1..9));
        terrain.prepare(body);
        for _ in 0..30 {
            let pixels = (size * cell).as_ivec2();
            let at = IVec2::new(random.i32(-9..pixels.x + 9), random.i32(-9..pixels.y + 9));
            let body = Aabb { min: at, max: at + body.as_ivec2() };
            let (dir, step) = (Dir::ALL[random.u32(0..4) as usize], random.u32(0..80));
            let Aabb { min, max } = body.strip(dir, step);
            let mut strip = (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| (x, y)));
            let free = !strip.any(|(x, y)| terrain.is_solid(IVec2::new(x, y)));
            assert_eq!(terrain.can_move(body, dir, step), free, "{at} {dir} {step}");
        }
    }
}

#[test]
fn prepared_sizes_answer_correctly_after_edits() {
    let mut random = Rng::with_seed(73);
    for _ in 0..rounds(1_500) {
        let mut edited = terrain(&mut random);
        let sizes = [UVec2::new(12, 20), UVec2::new(1, 1), UVec2::new(37, 5)];
        let kept = sizes.map(|size| edited.prepare(size));
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
            // A terrain built from the edited cells has no prepared size.
            let mut made = Terrain::new(edited.grid().clone(), edited.cell_size()).unwrap();
            made.set_outside(edited.outside());
            for side in Dir::ALL {
                if let Some(guarded) = edited.one_way(side) {
                    made = made.with_one_way(side, guarded.clone()).unwrap();
                }
            }
            for (size, kept) in sizes.into_iter().zip(kept) {
                assert_eq!(lines_of(&edited, size.as_ivec2()).is_some(), kept);
                compare(&mut random, &edited, size, &made, 3);
            }
        }
    }
}

#[test]
fn a_size_that_can_have_no_lines_is_not_prepared() {
    let mut random = Rng::with_seed(74);
    let mut builder = GridBuilder::new(1 << 20, 1 << 20).unwrap();
    builder.fill(3..90, 5..7).unwrap();
    let sparse = Terrain::new(builder.finish(), UVec2::new(2, 1)).unwrap();
    let small = Terrain::new(Grid::new(3, 3).unwrap(), UVec2::ONE).unwrap();
    let narrow = Terrain::new(Grid::new(1 << 23, 2).unwrap(), UVec2::ONE).unwrap();
    let huge = Terrain::new(Grid::new(40, 40).unwrap(), UVec2::splat(1 << 16)).unwrap();
    let mut ledges = Grid::sparse(40, 40).unwrap();
    ledges.fill(3..30, 9..10, true).unwrap();
    let mixed = Terrain::new(Grid::new(40, 40).unwrap(), UVec2::splat(4)).unwrap();
    let mixed = mixed.with_one_way(Dir::Up, ledges).unwrap();
    let sizes =
        [(&sparse, 5), (&small, 4), (&small, 0), (&narrow, 2), (&small, 1 << 31), (&mixed, 6)];
    for (terrain, size) in sizes {
        let mut prepared = terrain.clone();
        let bytes = prepared.memory_bytes();
        assert!(!prepared.prepare(UVec2::splat(size)));
        assert!(!prepared.forget(UVec2::splat(size)));
        assert_eq!(prepared.memory_bytes(), bytes);
        compare_prepared(&mut random, UVec2::splat(size), terrain, 300);
    }
    assert!(!small.clone().prepare(UVec2::new(2, u32::MAX)));
    for size in [1, 1 << 16, (1 << 16) + 1, 1 << 20] {
        compare_prepared(&mut random, UVec2::splat(size), &huge, 300);
    }
}

/// Returns the memory of the lines for bodies of 12 x 20 pixels, in bits for each cell of a
/// terrain with 1024 x 1024 cells. One-way cells guard the sides `guarded`.
fn bits_a_cell(cell_size: UVec2, guarded: &[Dir]) -> f64 {
    let cells = |random: &mut Rng| grid(random, UVec2::splat(1_024), 60);
    let mut random = Rng::with_seed(76);
    let mut terrain = Terrain::new(cells(&mut random), cell_size).unwrap();
    for side in guarded {
        terrain = terrain.with_one_way(*side, cells(&mut random)).unwrap();
    }
    let (plain, size) = (terrain.clone(), UVec2::new(12, 20));
    assert!(terrain.prepare(size));
    compare(&mut random, &terrain, size, &plain, 200);
    (terrain.memory_bytes() - plain.memory_bytes()) as f64 * 8.0 / f64::from(1 << 20)
}

#[test]
fn lines_take_few_bits_per_cell_at_every_cell_size() {
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
fn a_prepared_terrain_answers_like_a_plain_one_for_any_body_and_cell_size() {
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
                assert!(compare_prepared(&mut random, body, &terrain, 30), "{body} in {most}");
            }
        }
    }
}

#[test]
fn sizes_are_prepared_once_and_forgotten_one_by_one() {
    let mut terrain = Terrain::new(Grid::new(2_000, 2).unwrap(), UVec2::ONE).unwrap();
    let cells = terrain.memory_bytes();
    for side in 1..100 {
        assert!(terrain.prepare(UVec2::new(side, 1)));
    }
    let all = terrain.memory_bytes();
    assert!(all > 100 * cells);
    for side in 1..100 {
        assert!(terrain.prepare(UVec2::new(side, 1)));
    }
    assert_eq!(terrain.memory_bytes(), all, "preparing again adds nothing");
    for side in 1..100 {
        assert!(lines_of(&terrain, IVec2::new(side, 1)).is_some());
        assert!(terrain.forget(UVec2::new(side as u32, 1)));
        assert!(lines_of(&terrain, IVec2::new(side, 1)).is_none());
        assert!(!terrain.forget(UVec2::new(side as u32, 1)));
    }
    assert_eq!(terrain.memory_bytes(), cells);
    assert!(terrain.for_size(UVec2::ONE).is_none());
}

#[test]
fn a_clone_shares_lines_until_one_terrain_is_edited() {
    let size = UVec2::new(2, 1);
    let mut terrain = Terrain::new(Grid::new(90, 30).unwrap(), UVec2::splat(3)).unwrap();
    assert!(terrain.prepare(size) && terrain.ways(size).is_ok());
    let address = |terrain: &Terrain| std::ptr::from_ref(&*terrain.prepared[0].kept) as usize;
    let mut clone = terrain.clone();
    assert_eq!(address(&clone), address(&terrain));
    assert_eq!(clone.memory_bytes(), terrain.memory_bytes());
    let before = address(&terrain);
    clone.fill(3..5, 0..1, true).unwrap();
    assert!(address(&clone) != before && address(&terrain) == before);
    let body = Aabb::from_xywh(0, 0, 2, 1);
    assert!(terrain.can_move(body, Dir::Right, 20) && !clone.can_move(body, Dir::Right, 20));
    let is_free = |terrain: &Terrain| terrain.ways(size).unwrap().is_free(IVec2::new(9, 0));
    assert!(is_free(&terrain) && !is_free(&clone));
    // What is not shared any more is edited in place.
    let own = address(&clone);
    clone.fill(3..5, 0..1, false).unwrap();
    assert_eq!(address(&clone), own);
    drop(clone);
    terrain.fill(0..9, 9..10, true).unwrap();
    assert_eq!(address(&terrain), before);
}

#[test]
fn only_edits_keep_prepared_sizes() {
    let size = UVec2::new(2, 1);
    let mut terrain = Terrain::new(Grid::new(9, 9).unwrap(), UVec2::splat(3)).unwrap();
    assert!(terrain.prepare(size));
    terrain.set_outside(Outside::Open);
    terrain.fill_one_way(Dir::Up, 0..9, 3..4, true).unwrap();
    assert!(lines_of(&terrain, size.as_ivec2()).is_some());
    let body = Aabb::from_xywh(0, 0, 2, 1);
    assert!(terrain.can_move(body, Dir::Left, 20) && !terrain.can_move(body, Dir::Down, 20));
    let ledge = Grid::new(9, 9).unwrap();
    for other in [
        terrain.clone().with_outside(Outside::Solid),
        terrain.clone().with_one_way(Dir::Up, ledge).unwrap(),
        terrain.into_pixels().unwrap(),
    ] {
        assert!(other.prepared.is_empty());
    }
}

#[test]
fn all_prepared_sizes_together_stay_within_the_memory_limit() {
    let mut random = Rng::with_seed(78);
    let size = UVec2::new(1 << 13, 1 << 13);
    let mut terrain = Terrain::new(Grid::new(size.x, size.y).unwrap(), UVec2::ONE).unwrap();
    terrain.fill(99..200, 70..90, true).unwrap();
    let cells = terrain.memory_bytes();
    assert!(terrain.prepare(UVec2::ONE));
    let one = terrain.memory_bytes() - cells;
    let all = (MAX_BYTES / one) as u32;
    assert!((10..20).contains(&all), "{all}");
    for side in 1..all + 9 {
        assert_eq!(terrain.prepare(UVec2::splat(side)), side <= all, "{side}");
    }
    assert!(memory_bytes(&terrain) <= MAX_BYTES);
    // The planes of the ways would exceed the limit, so they are not kept.
    let before = terrain.memory_bytes();
    assert!(terrain.ways(UVec2::ONE).is_ok());
    assert_eq!(terrain.memory_bytes(), before);
    assert!(terrain.forget(UVec2::splat(2)) && terrain.forget(UVec2::splat(3)));
    assert!(terrain.ways(UVec2::ONE).is_ok() && terrain.ways(UVec2::splat(5)).is_ok());
    assert!(terrain.memory_bytes() > before - 2 * one, "planes of a prepared size are kept");
    assert!(memory_bytes(&terrain) <= MAX_BYTES);
    // The first one-way cells need more lines of bits, which would exceed the memory limit.
    terrain.fill_one_way(Dir::Up, 300..400, 50..51, true).unwrap();
    assert!(memory_bytes(&terrain) <= MAX_BYTES);
    assert!(memory_bytes(&terrain) > MAX_BYTES / 2);
    assert!(terrain.prepared.len() < all as usize - 2, "some sizes are forgotten");
    let mut plain = terrain.clone();
    plain.prepared.clear();
    for side in 1..all + 9 {
        compare(&mut random, &terrain, UVec2::splat(side), &plain, 30);
    }
}

#[test]
fn a_batch_gives_the_answers_of_single_queries_in_order() {
    let mut random = Rng::with_seed(75);
    let cells = grid(&mut random, UVec2::new(200, 90), 20);
    let terrain = Terrain::new(cells, UVec2::new(3, 2)).unwrap();
    let mut prepared = terrain.clone();
    assert!(prepared.prepare(UVec2::new(7, 9)));
    for count in [0_usize, 1, 63, 64, 65, 200, 4_096, 4_097, 20_000] {
        let mut body = |at: usize| {
            let (x, y) = (random.i32(-20..620), random.i32(-20..200));
            Aabb::from_xywh(x, y, 7, if at % 5 == 4 { 8 } else { 9 })
        };
        let bodies: Vec<Aabb> = (0..count).map(&mut body).collect();
        let dirs: Vec<Dir> = (0..count).map(|_| Dir::ALL[random.u32(0..4) as usize]).collect();
        let steps: Vec<u32> = (0..count).map(|_| random.u32(0..70)).collect();
        // The last word belongs to no query, so it must stay unchanged. All bits of the other words must be
        // overwritten.
        let mut free = vec![u64::MAX; count.div_ceil(64) + 1];
        let mut twin = free.clone();
        assert_eq!(prepared.can_move_batch(&bodies, &dirs, &steps, &mut free), count);
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
fn a_search_for_a_free_place_that_leaves_the_lines_keeps_its_limit() {
    let mut grid = Grid::new(300, 3).unwrap();
    grid.set(199, 1, true).unwrap();
    grid.set(299, 1, true).unwrap();
    let outside = Sides { right: Outside::Open, ..Sides::all(Outside::Solid) };
    let mut terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(outside);
    // The body is so wide that its search for a free place leaves the lines of bits.
    assert!(terrain.prepare(UVec2::new(200, 2)));
    let body = Aabb::from_xywh(0, 0, 200, 2);
    for limit in [0, 199, 200, 250, 299, 300, 301, u32::MAX] {
        let expected = (limit >= 300).then_some(300);
        assert_eq!(terrain.nearest_free(body, Dir::Right, limit), expected, "{limit}");
    }
}

/// The two solids are at the same bit of two words of a row.
#[test]
fn solids_64_cells_apart_stop_long_motions_on_lines() {
    for apart in (0..=320).step_by(64) {
        for first in 100..108 {
            let last = first + apart;
            let mut grid = Grid::new(600, 3).unwrap();
            grid.set(first, 1, true).unwrap();
            grid.set(last, 1, true).unwrap();
            let mut terrain = Terrain::new(grid, UVec2::ONE).unwrap();
            assert!(terrain.prepare(UVec2::ONE));
            for free in 0..66 {
                let ends = [(first - 1 - free, Dir::Right), (last + 1 + free, Dir::Left)];
                for (x, dir) in ends {
                    let at = Aabb::from_xywh(x as i32, 1, 1, 1);
                    for step in [free, free + 1, free + 2, free + apart + 1, free + apart + 9] {
                        let said = format!("{step} pixels {dir} from {x}, {first} and {last}");
                        assert_eq!(terrain.can_move(at, dir, step), step <= free, "{said}");
                        assert_eq!(terrain.sweep(at, dir, step).moved, step.min(free), "{said}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_only_solid_of_a_long_row_stops_a_sweep_on_lines() {
    for column in [700, 1_300, 2_047, 2_048, 3_900] {
        let mut grid = Grid::new(4_000, 3).unwrap();
        grid.set(column, 1, true).unwrap();
        let mut terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(Outside::Open);
        assert!(terrain.prepare(UVec2::ONE));
        let moved = |x, dir| terrain.sweep(Aabb::from_xywh(x, 1, 1, 1), dir, 4_000).moved;
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
            let is_prepared = compare_prepared(&mut random, UVec2::splat(3), &terrain, 50);
            assert_eq!(is_prepared, has_lines, "{size} {cell}");
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
            let mut prepared = terrain.clone();
            assert!(prepared.prepare(UVec2::splat(side)));
            let end = 150 * side as i32;
            for along in -end..end {
                for dir in Dir::ALL {
                    let at = IVec2::from(dir.axis().xy(along, side as i32 + 1));
                    for cells in [1, 20, 30, 40, 50, 56, 57] {
                        let step = cells * side;
                        let body = Aabb { min: at, max: at + side as i32 };
                        let expected = terrain.can_move(body, dir, step);
                        assert_eq!(
                            prepared.can_move(body, dir, step),
                            expected,
                            "{at} {dir} {step}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_box_of_another_size_is_answered_by_the_kernel_even_if_it_is_turned_inside_out() {
    let grid = Grid::from_text("....\n..#.\n....").unwrap();
    let plain = Terrain::new(grid, UVec2::splat(8)).unwrap();
    let mut prepared = plain.clone();
    assert!(prepared.prepare(UVec2::splat(8)));
    let sized = prepared.for_size(UVec2::splat(5)).unwrap();
    for (x, y) in (-3..35).flat_map(|x| (-3..27).map(move |y| (x, y))) {
        for size in [-1, 5, 8] {
            let body = Aabb { min: IVec2::new(x, y), max: IVec2::new(x, y) + size };
            for dir in Dir::ALL {
                assert_eq!(
                    sized.sweep(body, dir, 9),
                    plain.sweep(body, dir, 9),
                    "{body:?} {dir:?}"
                );
                assert_eq!(sized.can_move(body, dir, 9), plain.can_move(body, dir, 9));
            }
            assert_eq!(sized.overlaps(body), plain.overlaps(body), "{body:?}");
        }
    }
}
