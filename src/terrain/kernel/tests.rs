//! Tests of the kernel: `nearest_free` against a trial of every distance, and the fast divisions against the
//! processor's division.

use glam::{IVec2, UVec2};

use super::{Divisor, ShortDivisor};
use crate::geometry::{Aabb, Dir, Outside};
use crate::{Grid, Level};

#[test]
fn nearest_free_agrees_with_a_trial_of_every_distance() {
    let mut random = fastrand::Rng::with_seed(31);
    let sides = [1, 5, 63, 64, 65, 130];
    for _ in 0..4_000 {
        let side = |random: &mut fastrand::Rng| sides[random.usize(0..sides.len())];
        let (width, height) = (side(&mut random), side(&mut random));
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..random.u32(0..width * height / 3 + 2) {
            grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
        }
        let cell = UVec2::new(random.u32(1..4), random.u32(1..6));
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let level = Level::from_grid(grid, cell).unwrap().with_outside(outside);
        let (x, y) = (random.i32(-9..140), random.i32(-9..140));
        let body = Aabb::from_xywh(x, y, random.i32(0..9), random.i32(0..9));
        let limit = random.u32(0..40);
        for dir in Dir::ALL {
            let tried = (0..=limit).find(|at| !level.overlaps(body.shifted(dir, *at)));
            assert_eq!(level.nearest_free(body, dir, limit), tried, "{body:?} {dir:?}");
        }
    }
}

#[test]
fn nearest_free_returns_none_beyond_the_range_of_i32() {
    let level = Level::from_grid(Grid::new(1, 1).unwrap(), UVec2::ONE).unwrap();
    let last = Aabb::from_xywh(i32::MAX - 4, 0, 4, 1);
    assert_eq!(level.nearest_free(last, Dir::Right, u32::MAX), None);
    let first = Aabb::from_xywh(i32::MIN, 0, 4, 1);
    assert_eq!(level.nearest_free(first, Dir::Left, u32::MAX), None);
    assert_eq!(level.nearest_free(first, Dir::Right, u32::MAX), None);
    let open = level.with_outside(Outside::Open);
    assert_eq!(open.nearest_free(last, Dir::Right, 0), Some(0));
}

#[test]
fn a_short_divisor_gives_exact_quotients() {
    let mut random = fastrand::Rng::with_seed(4);
    for divisor in (1..200).chain([255, 256, 257, 4_095, 16_385, 32_769, 65_535, 65_536]) {
        let short = ShortDivisor::new(divisor);
        let end = (u64::from(ShortDivisor::QUOTIENTS) * u64::from(divisor)).min(1 << 31) as u32;
        let check = |n: u32| {
            let quotient = ShortDivisor::quotient(short.product(n));
            assert_eq!(quotient, n / divisor, "{n} / {divisor}");
            let (half, rest) = (n / 2, n - n / 2);
            assert_eq!(short.product(half) + short.product(rest), short.product(n));
        };
        for _ in 0..2_000 {
            check(random.u32(0..end));
            let multiple = random.u32(1..=(end - 1) / divisor) * divisor;
            check(multiple);
            check(multiple - 1);
        }
        check(0);
        check(end - 1);
    }
}

#[test]
fn a_divisor_gives_exact_quotients() {
    let mut random = fastrand::Rng::with_seed(3);
    let sides = [1, 2, 3, 7, 13, 16, 24, 255, 256, 4_095, 65_535, 65_536];
    for divisor in sides {
        let inverse = Divisor::new(divisor);
        let n = |n: i64| {
            // `divide` returns a cell index in 32 bits, because a grid has fewer than 2^32 cells on a side.
            let quotient = n / i64::from(divisor);
            if quotient <= i64::from(u32::MAX) {
                assert_eq!(i64::from(inverse.divide(n)), quotient, "{n} / {divisor}");
                // The web's way; 1 has no inverse.
                let by_halves = inverse.divide_by_halves(n as u64);
                assert!(divisor == 1 || i64::from(by_halves) == quotient, "{n} / {divisor}");
            }
        };
        for _ in 0..20_000 {
            n(random.i64(0..1 << 48));
            n(random.i64(0..1 << 33));
            let multiple = random.i64(1..1 << 31) * i64::from(divisor);
            n(multiple);
            n(multiple - 1);
        }
        n(0);
        n((1 << 48) - 1);
    }
}

#[test]
fn a_contact_beyond_the_range_of_i32_names_the_last_cell_of_the_range() {
    let column = (1 << 31) + 50;
    let mut grid = Grid::sparse(u32::MAX, 3).unwrap();
    grid.set(column, 1, true).unwrap();
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    let sweep = level.sweep(Aabb::from_xywh(i32::MAX - 10, 1, 5, 1), Dir::Right, 200);
    assert_eq!(sweep.moved, column - (i32::MAX as u32 - 5));
    assert_eq!(sweep.contact.map(|contact| contact.cell), Some(IVec2::new(i32::MAX, 1)));
}

#[test]
fn a_solid_and_a_one_way_cell_at_one_distance_give_the_contact_of_the_first_of_them() {
    let cells = ["...\n#..\n...", "...\n..#\n..."].map(|text| Grid::from_text(text).unwrap());
    for [solid, guarded] in [[&cells[0], &cells[1]], [&cells[1], &cells[0]]] {
        let level = |solid: Grid, side: Dir, guarded: Grid| {
            let level = Level::from_grid(solid, UVec2::splat(4)).unwrap();
            level.with_one_way(side, guarded).unwrap()
        };
        let fall = level(solid.clone(), Dir::Up, guarded.clone());
        let sweep = fall.sweep(Aabb::from_xywh(0, 0, 12, 2), Dir::Down, 9);
        let contact = sweep.contact.map(|contact| (contact.cell, contact.normal));
        assert_eq!((sweep.moved, contact), (2, Some((IVec2::new(0, 1), IVec2::NEG_Y))));
        let walk = level(solid.transposed(), Dir::Right, guarded.transposed());
        let sweep = walk.sweep(Aabb::from_xywh(11, 0, 1, 12), Dir::Left, 9);
        let contact = sweep.contact.map(|contact| (contact.cell, contact.normal));
        assert_eq!((sweep.moved, contact), (3, Some((IVec2::new(1, 0), IVec2::X))));
    }
}

#[test]
fn the_overlap_normal_of_a_box_is_the_difference_of_the_solids_beside_it() {
    let mut random = fastrand::Rng::with_seed(32);
    for _ in 0..300 {
        let mut grid = Grid::new(20, 20).unwrap();
        for _ in 0..random.u32(0..90) {
            grid.set(random.u32(0..20), random.u32(0..20), true).unwrap();
        }
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let level = Level::from_grid(grid, UVec2::new(2, 3)).unwrap().with_outside(outside);
        let at = IVec2::new(random.i32(-9..45), random.i32(-9..65));
        let size = IVec2::new(random.i32(1..12), random.i32(1..12));
        let solids = |x: i32, y: i32| {
            let min = at + IVec2::new(x, y);
            let pixels = (0..size.x * size.y).map(|n| min + IVec2::new(n % size.x, n / size.x));
            pixels.filter(|pixel| level.is_solid(*pixel)).count() as i32
        };
        let expected = IVec2::new(solids(-1, 0) - solids(1, 0), solids(0, -1) - solids(0, 1));
        let body = Aabb { min: at, max: at + size };
        assert_eq!(level.overlap_normal(body), expected, "{body:?} {level:?}");
    }
}
