//! Tests of sparse terrains, and of queries across huge empty space.

use glam::{IVec2, UVec2};

use super::greatest_common_divisor;
use crate::geometry::Corners;
use crate::grid::GridBuilder;
use crate::{Aabb, Footprint, Grid, Outside, Terrain};

fn open(grid: Grid) -> Terrain {
    let terrain = Terrain::new(grid, UVec2::new(2, 3)).unwrap();
    terrain.with_outside(Outside::Open)
}

#[test]
fn a_sparse_terrain_answers_like_a_dense_one() {
    let mut random = fastrand::Rng::with_seed(61);
    for _ in 0..60 {
        let mut grid = Grid::new(300, 200).unwrap();
        for _ in 0..random.u32(0..60) {
            grid.set(random.u32(0..300), random.u32(0..200), true).unwrap();
        }
        let mut blocks = Grid::sparse(1 << 25, 1 << 25).unwrap();
        grid.iter_solid().for_each(|cell| blocks.set(cell.x, cell.y, true).unwrap());
        let (dense, sparse) = (open(grid), open(blocks));
        assert!(sparse.grid().is_sparse());
        let ball = Footprint::circle(70).unwrap();
        for _ in 0..40 {
            let mut pixel = || IVec2::new(random.i32(-99..700), random.i32(-99..700));
            let (from, to) = (pixel(), pixel());
            let far = from + (to - from) * 100_000;
            for (one, other) in [(from, to), (far, from), (from, far)] {
                let hit = |terrain: &Terrain| terrain.ray(one, other, Corners::Block);
                assert_eq!(hit(&sparse), hit(&dense));
            }
            let nearest = |terrain: &Terrain| terrain.nearest_solid(from, 400);
            assert_eq!(nearest(&sparse), nearest(&dense));
            let area = Aabb { min: from.min(to), max: from.max(to) };
            assert_eq!(sparse.solid_area(area), dense.solid_area(area));
            let first = |terrain: &Terrain| terrain.first_overlap(ball.at(from));
            assert_eq!(first(&sparse), first(&dense));
        }
    }
}

#[test]
fn queries_across_huge_empty_space_finish_quickly() {
    let mut builder = GridBuilder::new(u32::MAX / 2, u32::MAX / 3).unwrap();
    builder.fill(9..10, 9..10).unwrap();
    let terrain = open(builder.finish());
    for (from, to) in [(IVec2::MIN, IVec2::MAX), (IVec2::new(-5, 90), IVec2::MAX)] {
        assert!(terrain.line_of_sight(from + IVec2::Y * 90, to, Corners::Block));
    }
    let far = IVec2::new(i32::MIN, 2_000_000_000);
    assert_eq!(terrain.nearest_solid(far, u32::MAX).unwrap().pixel, IVec2::new(18, 29));
    let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    assert_eq!(terrain.solid_area(everything), 6);
}

#[test]
fn the_only_solid_is_found_at_exactly_the_radius_and_not_below_it() {
    for point in [IVec2::new(9, 9), IVec2::new(9, 0)] {
        for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x, y))) {
            let mut grid = Grid::new(20, 20).unwrap();
            grid.set(x, y, true).unwrap();
            let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(Outside::Open);
            let pixel = IVec2::new(x as i32, y as i32);
            let squared = (pixel - point).length_squared() as u64;
            let radius = (0_u32..).find(|radius| u64::from(radius * radius) >= squared).unwrap();
            let found = |radius: u32| {
                let nearest = terrain.nearest_solid(point, radius)?;
                Some((nearest.pixel, nearest.distance_squared))
            };
            assert_eq!(found(radius), Some((pixel, squared)), "{point}");
            assert_eq!(found(u32::MAX), Some((pixel, squared)), "{point}");
            if let Some(less) = radius.checked_sub(1) {
                assert_eq!(found(less), None, "{pixel} {point}");
            }
        }
    }
}

#[test]
fn the_solid_nearest_to_an_end_of_the_i32_range_is_straight_below_or_above_it() {
    let terrain = Terrain::new(Grid::from_text("#").unwrap(), UVec2::ONE).unwrap();
    let terrain = terrain.with_outside(Outside::Open);
    for y in [i32::MIN, i32::MAX] {
        let nearest = terrain.nearest_solid(IVec2::new(0, y), u32::MAX).unwrap();
        let squared = u64::from(y.unsigned_abs()).pow(2);
        assert_eq!((nearest.pixel, nearest.distance_squared), (IVec2::ZERO, squared));
    }
}

#[test]
fn the_last_pixel_of_the_i32_range_is_found_as_the_nearest_solid() {
    let side = i32::MAX as u32;
    let grid = GridBuilder::new(side, side).unwrap().finish();
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(Outside::Solid);
    for axis in [IVec2::X, IVec2::Y] {
        let (end, across) = (axis * i32::MAX, (IVec2::ONE - axis) * 1_000);
        let found = |radius| terrain.nearest_solid(end - axis * 5 + across, radius);
        assert_eq!(found(5).map(|nearest| nearest.pixel), Some(end + across));
        assert_eq!(found(4), None);
    }
}

#[test]
fn a_ray_along_a_wide_row_meets_its_only_solid() {
    let mut grid = Grid::new((1 << 26) + 5_000, 1).unwrap();
    for start in [0, 1 << 26] {
        grid.set(start + 3_000, 0, true).unwrap();
    }
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
    for start in [0, 1 << 26] {
        let at = |x: i32| IVec2::new(start + x, 0);
        for (from, to) in [(at(1), at(4_100)), (at(4_100), at(1))] {
            let hit = terrain.ray(from, to, Corners::Block).unwrap();
            assert_eq!(hit.pixel, at(3_000));
        }
    }
}

#[test]
fn the_greatest_common_divisor_agrees_with_the_algorithm_of_euclid() {
    fn euclid(one: u64, other: u64) -> u64 {
        if other == 0 { one } else { euclid(other, one % other) }
    }
    let check = |one, other| {
        assert_eq!(greatest_common_divisor(one, other), euclid(one, other), "{one} {other}");
    };
    for (one, other) in [(3, 1 << 32), (1 << 40, 3), (1 << 62, 1 << 33), ((1 << 63) + 1, 1)] {
        check(one, other);
        check(other, one);
        check(one, 0);
        check(0, one);
    }
    let mut random = fastrand::Rng::with_seed(62);
    for _ in 0..20_000 {
        let factor = random.u64(1..100);
        let mut number = || factor * (random.u64(..) >> random.u32(8..64));
        check(number(), number());
    }
}
