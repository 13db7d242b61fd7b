use fastrand::Rng;
use glam::{IVec2, UVec2};

use super::{BitPlane, FreePositions, MAX_BYTES};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::{Grid, GridBuilder};
use crate::shapes::Circle;
use crate::terrain::Terrain;

fn cells(random: &mut Rng, size: UVec2, share: u32) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for _ in 0..size.x * size.y / share + random.u32(0..3) {
        let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
        let (width, height) = (random.u32(1..9), random.u32(1..6));
        grid.fill(column..column + width, row..row + height, true).unwrap();
    }
    grid
}

fn sides(random: &mut Rng) -> Sides<Outside> {
    let mut side = || [Outside::Solid, Outside::Open][random.usize(0..2)];
    Sides { left: side(), right: side(), up: side(), down: side() }
}

fn terrain(random: &mut Rng) -> Terrain {
    let lengths = [1, 3, 30, 63, 64, 65, 130, 260];
    let mut length = || lengths[random.usize(0..8)];
    let size = UVec2::new(length(), length());
    let cell = match random.u8(0..3) {
        0 => UVec2::ONE,
        1 => UVec2::new(random.u32(1..5), random.u32(1..5)),
        _ => UVec2::new([1, 7, 16][random.usize(0..3)], [1, 8, 24][random.usize(0..3)]),
    };
    let size = (size / cell).max(UVec2::ONE);
    let mut terrain = Terrain::new(cells(random, size, 120), cell).unwrap();
    while random.u8(0..4) == 0 {
        let guarded = cells(random, size, 200);
        terrain = terrain.with_one_way(Dir::ALL[random.usize(0..4)], guarded).unwrap();
    }
    let outside = sides(random);
    terrain.with_outside(outside)
}

/// The planes of `free`, and what they are for.
fn planes(free: &FreePositions) -> (IVec2, IVec2, &BitPlane, &BitPlane) {
    (free.size, free.origin, &free.rows, &free.columns)
}

fn size(random: &mut Rng) -> UVec2 {
    let most = [2, 16, 70, 200][random.usize(0..4)];
    UVec2::new(random.u32(0..most), random.u32(0..most))
}

#[test]
fn free_positions_updated_by_edits_equal_newly_computed_positions() {
    let edits = if std::env::var_os("BITWALL_LONG").is_some() { 10_000 } else { 2_000 };
    let mut random = Rng::with_seed(331);
    let (mut count, mut changes) = (0, 0);
    while count < edits {
        let mut edited = terrain(&mut random);
        let sizes: [UVec2; 3] = std::array::from_fn(|_| size(&mut random));
        let made = |terrain: &Terrain, size| terrain.free_positions(size).unwrap().into_owned();
        let mut kept = sizes.map(|size| made(&edited, size));
        for _ in 0..10 {
            let all = edited.grid().size();
            let at = UVec2::new(random.u32(0..all.x), random.u32(0..all.y));
            let (columns, rows) = (at.x..at.x + random.u32(1..40), at.y..at.y + random.u32(1..40));
            let (pixel, solid) = (edited.cell_box(at.as_ivec2()).min, random.bool());
            let disc = Circle { center: pixel, radius: random.u32(0..20) as i32 };
            let changed = match random.u8(0..8) {
                0 => edited.set(at.as_ivec2(), solid).unwrap(),
                1..4 => edited.fill(columns, rows, solid).unwrap(),
                4 => edited.carve(&disc, IVec2::ZERO),
                5 => edited.paint(&disc, IVec2::ZERO).unwrap(),
                6 => {
                    edited.set_outside(sides(&mut random));
                    kept = sizes.map(|size| made(&edited, size));
                    None
                }
                _ => {
                    let side = Dir::ALL[random.usize(0..4)];
                    edited.fill_one_way(side, columns, rows, random.u8(0..4) > 0).unwrap()
                }
            };
            count += 1;
            let Some(Aabb { min, max }) = changed else { continue };
            let cells = [min, max].map(|corner| edited.cell_at(corner).as_uvec2());
            for (size, kept) in sizes.iter().zip(&mut kept) {
                let before = kept.clone();
                let [first, end] = cells;
                assert!(kept.patch(&edited.cells, &(first.x..end.x), &(first.y..end.y)));
                let anew = made(&edited, *size);
                assert!(planes(kept) == planes(&anew), "{size} {edited:?}\n{}", edited.grid());
                changes += usize::from(planes(kept) != planes(&before));
            }
        }
    }
    assert!(changes > count / 2, "{changes} of {count}");
}

#[test]
fn a_position_is_free_if_the_body_overlaps_no_solid_and_no_edge_of_a_one_way_cell() {
    let mut random = Rng::with_seed(332);
    for _ in 0..60 {
        check(&terrain(&mut random), size(&mut random).max(UVec2::ONE));
    }
}

#[test]
fn free_positions_exist_for_any_body_if_one_side_of_each_axis_is_solid() {
    let mut random = Rng::with_seed(334);
    let size = |random: &mut Rng| match random.u8(0..3) {
        0 => UVec2::new(u32::MAX, random.u32(1..20)),
        1 => UVec2::new(random.u32(1..20), u32::MAX),
        _ => UVec2::new(random.u32(300..5_000), random.u32(300..9_000_000)),
    };
    for _ in 0..40 {
        let [x, y] = [random.bool(), random.bool()];
        let side = |is_open| if is_open { Outside::Open } else { Outside::Solid };
        let outside = Sides { left: side(x), right: side(!x), up: side(y), down: side(!y) };
        let (mut terrain, size) = (terrain(&mut random).with_outside(outside), size(&mut random));
        check(&terrain, size);
        let all = terrain.grid().size();
        let (column, row) = (random.u32(0..all.x), random.u32(0..all.y));
        terrain.fill(column..all.x, row..row + 2, random.bool()).unwrap();
        check(&terrain, size);
    }
}

/// Compares each free position with the solids and the one-way cells that the body meets there.
fn check(terrain: &Terrain, size: UVec2) {
    let free = terrain.free_positions(size).unwrap();
    let size = free.size;
    let (rows, columns) = (&free.rows, &free.columns);
    assert_eq!((rows.len, rows.count), (columns.count, columns.len));
    let guarded = |body: Aabb, side| {
        let grid = terrain.one_way(side)?;
        let edges = grid.iter_solid().map(|cell| {
            let cell = terrain.cell_box(cell.as_ivec2());
            cell.shifted(side.opposite(), 1).edge(side).strip(side, 1)
        });
        Some(edges.into_iter().any(|edge| edge.overlaps(body)))
    };
    for y in 0..rows.count {
        for x in 0..rows.len {
            let min = free.origin + IVec2::new(x, y);
            let body = Aabb { min, max: min.saturating_add(size) };
            let touches = |side| guarded(body, side) == Some(true);
            let is_free = !terrain.overlaps(body) && !Dir::ALL.into_iter().any(touches);
            assert_eq!((rows.get(x, y), columns.get(y, x)), (is_free, is_free), "{min} {size}");
        }
    }
}

#[test]
fn blocking_a_box_blocks_the_positions_that_overlap_it_until_they_are_restored() {
    let mut random = Rng::with_seed(333);
    for _ in 0..300 {
        let (terrain, size) = (terrain(&mut random), size(&mut random).max(UVec2::ONE));
        let free = terrain.free_positions(size).unwrap();
        let mut changed = free.clone().into_owned();
        let corner = IVec2::new(random.i32(-99..300), random.i32(-99..300));
        let area = match random.u8(0..5) {
            0 => Aabb { min: IVec2::MIN, max: corner },
            1 => Aabb { min: corner, max: IVec2::MAX },
            _ => Aabb::from_xywh(corner.x, corner.y, random.i32(0..90), random.i32(0..90)),
        };
        let touching = free.touching(area.min, area.max);
        changed.block(&touching);
        for y in 0..free.rows.count {
            for x in 0..free.rows.len {
                let min = free.origin + IVec2::new(x, y);
                let overlaps = area.overlaps(Aabb { min, max: min + size.as_ivec2() });
                let is_free = free.rows.get(x, y) && !overlaps;
                assert_eq!(changed.rows.get(x, y), is_free);
                assert_eq!(changed.columns.get(y, x), is_free);
            }
        }
        changed.restore(&free, &touching);
        assert!(planes(&changed) == planes(&free));
    }
}

#[test]
fn free_positions_of_huge_bodies_and_levels_are_empty_or_missing() {
    let small = Terrain::new(Grid::new(40, 30).unwrap(), UVec2::ONE).unwrap();
    for size in [UVec2::new(41, 1), UVec2::new(1, 31), UVec2::MAX, UVec2::new(u32::MAX, 1)] {
        let free = small.free_positions(size).unwrap();
        assert_eq!(free.rows.len.min(free.rows.count), 0, "{size}");
        let open = small.clone().with_outside(Outside::Open);
        let is_huge = size.x == u32::MAX;
        assert_eq!(open.free_positions(size).is_none(), is_huge, "{size}");
    }
    let world = GridBuilder::new(u32::MAX / 16, u32::MAX / 16).unwrap().finish();
    let world = Terrain::new(world, UVec2::splat(16)).unwrap();
    assert!(world.free_positions(UVec2::splat(12)).is_none());
    // This body has few positions, but covers so many rows that computing them would exceed the memory limit.
    let tall = Grid::sparse(4, 100_000_000).unwrap();
    let guarded = Terrain::new(tall.clone(), UVec2::splat(16)).unwrap();
    let guarded = guarded.with_one_way(Dir::Up, tall.clone()).unwrap();
    for terrain in [guarded, Terrain::new(tall, UVec2::splat(16)).unwrap()] {
        assert!(terrain.free_positions(UVec2::new(8, 1_599_999_990)).is_none());
        assert!(terrain.free_positions(UVec2::new(8, 1_600_000_001)).is_some(), "the set is empty");
    }
}

#[test]
fn the_rows_in_use_while_positions_are_computed_stay_within_the_memory_limit() {
    // A body as high as the level takes 8 bytes a row, and 16 more.
    let most = ((MAX_BYTES - 16) / 8) as u32;
    for (height, fits) in [(most, true), (most + 1, false)] {
        let terrain = Terrain::new(Grid::sparse(1, height).unwrap(), UVec2::ONE).unwrap();
        let body = IVec2::new(1, height as i32);
        assert_eq!(FreePositions::ranges(&terrain.cells, body).is_some(), fits, "{height}");
    }
}

#[test]
fn an_edit_far_down_a_tall_terrain_updates_its_free_positions() {
    let mut terrain = Terrain::new(Grid::new(2, 600_000).unwrap(), UVec2::ONE).unwrap();
    let size = UVec2::new(1, 3);
    assert!(terrain.prepare(size));
    let count = terrain.free_positions(size).unwrap().rows.count;
    for row in [5_000, 70_001, 599_999] {
        terrain.fill(0..1, row..row + 1, true).unwrap();
        let mut anew = terrain.clone();
        anew.forget(size);
        let free = terrain.free_positions(size).unwrap();
        assert!(matches!(free, std::borrow::Cow::Borrowed(_)), "it is kept");
        let anew = anew.free_positions(size).unwrap();
        assert!(planes(&free) == planes(&anew), "{row}");
        let row = row as i32;
        for y in row - 9..count.min(row + 9) {
            let is_free = !(y..y + 3).contains(&row);
            assert_eq!((free.rows.get(0, y), free.columns.get(y, 0)), (is_free, is_free));
            assert!(free.rows.get(1, y) && free.columns.get(y, 1), "the other column");
        }
    }
}

#[test]
fn a_solid_in_the_last_column_blocks_a_wide_body() {
    for width in 150..230 {
        let mut grid = Grid::new(width, 1).unwrap();
        grid.set(width - 1, 0, true).unwrap();
        check(&Terrain::new(grid, UVec2::ONE).unwrap(), UVec2::new(100, 1));
    }
}
