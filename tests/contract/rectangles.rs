//! Solids as rectangles, and edits of the cells in a box, compared with naive versions that visit every cell.

use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::{Aabb, Grid, Level, Terrain};

use crate::contract::model::{Model, random_pixel};
use crate::support::{cells, grid, places, tiles};

/// Returns the same solids in a sparse grid that is `more` cells larger.
fn sparse(level: &Level, more: u32) -> Level {
    let size = level.grid().size() + more;
    let mut grid = Grid::sparse(size.x, size.y).unwrap();
    level.grid().iter_solid().for_each(|cell| grid.set(cell.x, cell.y, true).unwrap());
    Level::from_grid(grid, level.cell_size()).unwrap()
}

/// Checks that the rectangles cover exactly the solid pixels inside the level and the box, each once.
fn check_rectangles(level: &Level, area: Aabb) {
    let found = level.rectangles_in(area);
    let size = level.size().as_ivec2();
    let mut covered = vec![0_u8; (size.x * size.y) as usize];
    for rectangle in &found {
        assert!(!rectangle.is_empty(), "{rectangle:?} {level:?}");
        assert_eq!(rectangle.intersection(area), *rectangle);
        for pixel in places(rectangle.size().as_ivec2()).map(|pixel| rectangle.min + pixel) {
            covered[(pixel.y * size.x + pixel.x) as usize] += 1;
        }
    }
    for pixel in places(size) {
        let expected = level.is_solid(pixel) && area.contains(pixel);
        let found = covered[(pixel.y * size.x + pixel.x) as usize];
        assert_eq!(found, u8::from(expected), "{pixel} {area:?} {level:?}");
    }
    let place = |rectangle: &Aabb| (rectangle.min.y, rectangle.min.x);
    assert!(found.is_sorted_by_key(place), "{found:?}");
}

/// Returns the rectangles by a naive method: each run of solid cells in a row, joined with equal runs right
/// below it.
fn naive_rectangles(grid: &Grid, cell: IVec2) -> Vec<Aabb> {
    let size = grid.size();
    let run_from = |column: u32, row: u32| {
        let is_start =
            grid.is_solid(column, row) && (column == 0 || !grid.is_solid(column - 1, row));
        is_start.then(|| (column..size.x).find(|end| !grid.is_solid(*end, row)).unwrap_or(size.x))
    };
    let mut rectangles = Vec::new();
    for row in 0..size.y {
        for column in 0..size.x {
            let Some(end) = run_from(column, row) else { continue };
            if row > 0 && run_from(column, row - 1) == Some(end) {
                continue;
            }
            let below = (row..size.y).find(|below| run_from(column, *below) != Some(end));
            let min = UVec2::new(column, row).as_ivec2() * cell;
            let max = UVec2::new(end, below.unwrap_or(size.y)).as_ivec2() * cell;
            rectangles.push(Aabb { min, max });
        }
    }
    rectangles
}

#[test]
fn rectangles_cover_exactly_the_solid_pixels_and_none_twice() {
    let mut random = fastrand::Rng::with_seed(81);
    for _ in 0..400 {
        let model = Model::random(&mut random);
        let level = model.level();
        let sparse = sparse(&level, random.u32(0..3) * 1_000);
        let all = level.rectangles();
        assert_eq!(all, naive_rectangles(level.grid(), level.cell_size().as_ivec2()), "{level:?}");
        assert_eq!(sparse.rectangles(), all, "{level:?}");
        let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        assert_eq!(level.rectangles_in(everything), all);
        for _ in 0..4 {
            let corners = [0; 2].map(|_| random_pixel(&mut random, &model));
            let area = Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) };
            check_rectangles(&level, area);
            assert_eq!(level.rectangles_in(area), sparse.rectangles_in(area));
        }
    }
}

#[test]
fn a_wall_of_many_rows_is_one_rectangle_and_a_gap_splits_only_its_own_rows() {
    let level = tiles("####\n####\n#..#\n####", 10);
    let expected = [(0, 0, 40, 20), (0, 20, 10, 10), (30, 20, 10, 10), (0, 30, 40, 10)];
    assert_eq!(level.rectangles(), expected.map(|(x, y, w, h)| Aabb::from_xywh(x, y, w, h)));
    assert_eq!(tiles("#\n.\n#", 8).rectangles().len(), 2, "empty rows part them");
    assert!(tiles("..\n..", 8).rectangles().is_empty());
    assert!(level.rectangles_in(Aabb::from_xywh(10, 20, 20, 10)).is_empty());
    assert!(level.rectangles_in(Aabb::from_xywh(5, 5, 0, 9)).is_empty());
}

#[test]
fn rectangles_agree_with_the_naive_ones_at_sizes_around_multiples_of_64() {
    for side in [1, 63, 64, 65, 127, 128, 129, 200] {
        for (width, height) in [(side, 1), (1, side), (side, 70)] {
            let mut grid = Grid::new(200, 200).unwrap();
            grid.fill(0..width, 0..height, true).unwrap();
            grid.fill(200 - width..200, 200 - height..200, true).unwrap();
            let level = cells(grid, 3);
            assert_eq!(
                level.rectangles(),
                naive_rectangles(level.grid(), IVec2::splat(3)),
                "{width} {height}"
            );
        }
    }
}

#[test]
fn rectangles_of_a_sparse_level_far_from_the_origin_stay_in_the_i32_range() {
    let mut grid = Grid::sparse(u32::MAX, u32::MAX).unwrap();
    grid.fill(5..300, 1_000_000_000..1_000_000_004, true).unwrap();
    let last = i32::MAX as u32;
    grid.fill(last - 2..last + 50, last - 9..last + 60, true).unwrap();
    grid.fill(last + 100..last + 150, 0..9, true).unwrap();
    let level = cells(grid, 1);
    let corner = IVec2::splat(i32::MAX) - IVec2::new(2, 9);
    let expected =
        [Aabb::from_xywh(5, 1_000_000_000, 295, 4), Aabb { min: corner, max: IVec2::MAX }];
    assert_eq!(level.rectangles(), expected);
    let camera = Aabb::from_xywh(290, 999_999_990, 320, 13);
    assert_eq!(level.rectangles_in(camera), [Aabb::from_xywh(290, 1_000_000_000, 10, 3)]);
}

#[test]
fn set_area_sets_exactly_the_cells_in_a_box_at_sizes_around_64_cells() {
    for first in [0, 1, 62, 63, 64, 65] {
        for count in [1, 2, 63, 64, 65, 66] {
            let level = Level::from_grid(Grid::new(140, 3).unwrap(), UVec2::new(5, 9)).unwrap();
            for more in [0, 1, 4] {
                let area =
                    Aabb::from_xywh(5 * first - more, 9 - more, 5 * count + 2 * more, 9 + 2 * more);
                let mut edited = level.clone();
                edited.set_box(area, true).unwrap();
                let mut expected = level.grid().clone();
                expected.fill(first as u32..(first + count) as u32, 1..2, true).unwrap();
                assert_eq!(*edited.grid(), expected, "{first} {count} {more}");
                let mut edited = level.clone();
                let less = Aabb { min: area.min + IVec2::X * (more + 1), max: area.max };
                edited.set_box(less, true).unwrap();
                assert!(!edited.grid().is_solid(first as u32, 1), "its first pixel is outside");
            }
        }
    }
}

#[test]
fn set_area_skips_partly_covered_cells_and_paint_fills_them() {
    let door = Aabb::from_xywh(-3, 4, 24, 14);
    let open = Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::new(8, 6)).unwrap();
    let (mut whole, mut touched) = (open.clone(), open);
    whole.set_box(door, true).unwrap();
    touched.paint(&door, IVec2::ZERO).unwrap();
    assert_eq!(whole.grid().to_string(), "....\n##..\n##..\n....");
    assert_eq!(touched.grid().to_string(), "###.\n###.\n###.\n....");
    assert_eq!(
        whole.set_box(Aabb::from_xywh(1, 7, 15, 11), false),
        Ok(Some(Aabb::from_xywh(8, 12, 8, 6)))
    );
    assert_eq!(whole.set_box(Aabb::from_xywh(1, 1, 7, 5), true), Ok(None), "smaller than a cell");
}

#[test]
fn set_area_accepts_a_box_that_is_read_from_the_same_level() {
    let mut level = tiles("..\n..", 8);
    // The box is computed from the level within the same call that edits it.
    let cell = level.cell_box(level.cell_at(IVec2::new(9, 3)));
    level.set_box(cell, true).unwrap();
    assert_eq!(level.grid().to_string(), ".#\n..");
}

#[test]
fn set_area_sets_far_cells_and_returns_the_errors_of_fill() {
    let mut far = Terrain::new(Grid::sparse(u32::MAX, 9).unwrap(), UVec2::ONE).unwrap();
    let all = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    let limit = far.grid().block_limit().unwrap();
    assert_eq!(far.set_box(all, true), Err(GridError::TooManyBlocks { limit }));
    assert_eq!(far.grid().solid_count(), 0);
    assert_eq!(far.set_box(all, false), Ok(None));
    let end = Aabb { min: IVec2::new(i32::MAX - 70, -5), max: IVec2::new(i32::MAX, 3) };
    assert_eq!(far.set_box(end, true), Ok(Some(Aabb { min: end.min.max(IVec2::ZERO), ..end })));
    assert_eq!(far.grid().solid_count(), 70 * 3);
    // A box ends before the last pixel of the range, so no box covers the last cell completely.
    let mut wide = Terrain::new(grid("##"), UVec2::splat(1 << 16)).unwrap();
    assert_eq!(wide.set_box(all, false).map(|changed| changed.is_some()), Ok(true));
    assert_eq!(wide.grid().solid_count(), 0);
}
