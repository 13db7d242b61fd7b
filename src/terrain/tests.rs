//! Tests of sparse terrains, and of queries across huge empty space.

use glam::{IVec2, UVec2};

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
        let mut builder = GridBuilder::new(1 << 25, 1 << 25).unwrap();
        builder.or_grid(&grid, IVec2::ZERO).unwrap();
        let (dense, sparse) = (open(grid), open(builder.finish().unwrap()));
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
            assert_eq!(sparse.clearance(area, 99), dense.clearance(area, 99));
            let first = |terrain: &Terrain| terrain.first_overlap(ball.at(from));
            assert_eq!(first(&sparse), first(&dense));
        }
    }
}

#[test]
fn queries_across_huge_empty_space_finish_quickly() {
    let mut builder = GridBuilder::new(u32::MAX / 2, u32::MAX / 3).unwrap();
    builder.fill(9..10, 9..10).unwrap();
    let terrain = open(builder.finish().unwrap());
    for (from, to) in [(IVec2::MIN, IVec2::MAX), (IVec2::new(-5, 90), IVec2::MAX)] {
        assert!(terrain.line_of_sight(from + IVec2::Y * 90, to, Corners::Block));
    }
    let far = IVec2::new(i32::MIN, 2_000_000_000);
    assert_eq!(terrain.nearest_solid(far, u32::MAX).unwrap().pixel, IVec2::new(18, 29));
    let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    assert_eq!(terrain.solid_area(everything), 6);
}
