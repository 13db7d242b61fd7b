use glam::UVec2;

use crate::Terrain;
use crate::geometry::{Aabb, Dir};
use crate::grid::{Grid, GridBuilder, GridError};

#[test]
fn an_edit_that_fails_is_an_error_and_changes_nothing() {
    let builder = GridBuilder::new(20_000, 20_000).unwrap();
    let mut terrain = Terrain::new(builder.finish().unwrap(), UVec2::ONE).unwrap();
    let all = 0..20_000;
    let full = Err(GridError::TooManyBlocks);
    assert_eq!(terrain.fill(all.clone(), all.clone(), true), full);
    assert_eq!(terrain.fill_one_way(Dir::Up, all.clone(), all, true), full);
    assert_eq!(terrain.grid().solid_count(), 0);
    assert_eq!(terrain.one_way(Dir::Up).unwrap().solid_count(), 0);
    assert_eq!(terrain.fill(5..8, 9..10, true).map(|changed| changed.is_some()), Ok(true));
    assert_eq!(
        terrain.fill_one_way(Dir::Up, 5..8, 20..21, true).map(|changed| changed.is_some()),
        Ok(true)
    );
    let falls = |x, y| terrain.sweep(Aabb::from_xywh(x, y, 2, 2), Dir::Down, 50).moved;
    assert_eq!((falls(6, 0), falls(6, 12), falls(9, 0)), (7, 6, 50));
}

#[test]
fn an_edited_terrain_answers_like_one_built_that_way() {
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..300 {
        let (width, height) = (random.u32(1..20), random.u32(1..20));
        let blank = || Grid::new(width, height).unwrap();
        let mut edited = Terrain::new(blank(), UVec2::splat(5)).unwrap();
        let (mut solid, mut guards) = (blank(), blank());
        let side = Dir::ALL[random.usize(0..4)];
        for _ in 0..random.u32(0..12) {
            let (column, row) = (random.u32(0..20), random.u32(0..20));
            let (columns, rows) = (column..column + random.u32(0..9), row..row + random.u32(0..9));
            let value = random.bool();
            if random.bool() {
                edited.fill(columns.clone(), rows.clone(), value).unwrap();
                solid.fill(columns, rows, value).unwrap();
            } else {
                let (c, r) = (columns.clone(), rows.clone());
                edited.fill_one_way(side, c, r, value).unwrap();
                guards.fill(columns, rows, value).unwrap();
            }
        }
        let made = Terrain::new(solid, UVec2::splat(5)).unwrap();
        let made = made.with_one_way(side, guards).unwrap();
        for _ in 0..60 {
            let (x, y) = (random.i32(-9..109), random.i32(-9..109));
            let body = Aabb::from_xywh(x, y, random.i32(0..12), random.i32(0..12));
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..60));
            assert_eq!(edited.sweep(body, dir, step), made.sweep(body, dir, step));
            assert_eq!(edited.can_move(body, dir, step), made.can_move(body, dir, step));
            assert_eq!(edited.overlaps(body), made.overlaps(body));
        }
    }
}
