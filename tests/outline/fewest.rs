//! The fewest rectangles are tested by the cells that they cover, by a formula for their number, and by an
//! exhaustive search.

use bitwall::glam::UVec2;
use bitwall::{Grid, Terrain};

use super::grids::{random_grid, random_terrain};
use crate::support::rounds;

/// Checks that the boxes cover exactly the solid cells, and no cell twice.
pub(super) fn check_cover(terrain: &Terrain, boxes: &[bitwall::Aabb]) {
    let cell = terrain.cell_size();
    let mut covered = Grid::new(terrain.grid().width(), terrain.grid().height()).unwrap();
    let mut area = 0;
    for found in boxes {
        let (min, max) = (found.min.as_uvec2(), found.max.as_uvec2());
        assert_eq!((min % cell, max % cell), (UVec2::ZERO, UVec2::ZERO));
        let (min, max) = (min / cell, max / cell);
        covered.fill(min.x..max.x, min.y..max.y, true).unwrap();
        area += u64::from((max - min).element_product());
    }
    assert_eq!(covered, *terrain.grid());
    assert_eq!(area, terrain.grid().solid_count(), "none twice");
    assert!(boxes.is_sorted_by_key(|found| (found.min.y, found.min.x)));
}

#[test]
fn fewest_rectangles_cover_the_solids_and_are_never_more_than_rectangles() {
    let mut random = fastrand::Rng::with_seed(341);
    let (mut plain, mut fewest) = (0, 0);
    for _ in 0..rounds(10_000) {
        let terrain = random_terrain(&mut random, 70);
        let found = terrain.rectangles_fewest();
        check_cover(&terrain, &found);
        assert!(found.len() <= terrain.rectangles().len());
        (plain, fewest) = (plain + terrain.rectangles().len(), fewest + found.len());
    }
    println!("{plain} rectangles, the fewest {fewest}");
    assert!(fewest * 100 < plain * 98);
}

/// Finds the smallest number of rectangles that cover a small grid, by trying all rectangles at its first
/// solid cell.
fn exhaustive(cells: &mut Vec<Vec<bool>>, used: usize, best: &mut usize) {
    if used >= *best {
        return;
    }
    let (width, height) = (cells[0].len(), cells.len());
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let Some((x, y)) = all.into_iter().find(|(x, y)| cells[*y][*x]) else {
        *best = used;
        return;
    };
    let widest = cells[y][x..].iter().take_while(|is_solid| **is_solid).count();
    for across in (1..=widest).rev() {
        let highest = cells[y..].iter().take_while(|row| row[x..x + across].iter().all(|it| *it));
        for down in 1..=highest.count() {
            let fill = |cells: &mut Vec<Vec<bool>>, is_solid| {
                cells[y..y + down].iter_mut().for_each(|row| row[x..x + across].fill(is_solid));
            };
            fill(cells, false);
            exhaustive(cells, used + 1, best);
            fill(cells, true);
        }
    }
}

#[test]
fn no_search_finds_fewer_rectangles_in_a_small_grid() {
    let mut random = fastrand::Rng::with_seed(342);
    for _ in 0..rounds(20_000) {
        let grid = random_grid(&mut random, 5);
        let row = |y| (0..grid.width()).map(|x| grid.is_solid(x, y)).collect();
        let mut cells: Vec<Vec<bool>> = (0..grid.height()).map(row).collect();
        let mut best = usize::MAX;
        exhaustive(&mut cells, 0, &mut best);
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        assert_eq!(terrain.rectangles_fewest().len(), best, "{terrain:?}");
    }
}
