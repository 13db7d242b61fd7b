use super::*;
use crate::tmx::{StaggerAxis, StaggerIndex};

fn orientations() -> Vec<Orientation> {
    let mut all = vec![Orientation::Orthogonal, Orientation::Isometric];
    for axis in [StaggerAxis::X, StaggerAxis::Y] {
        for index in [StaggerIndex::Odd, StaggerIndex::Even] {
            all.push(Orientation::Staggered { axis, index });
            for side in [0, 1, 6, 7, 40] {
                all.push(Orientation::Hexagonal { axis, index, side });
            }
        }
    }
    for (skew_x, skew_y) in [(0, 0), (5, 0), (-7, 3), (0, -4)] {
        all.push(Orientation::Oblique { skew_x, skew_y });
    }
    all
}

#[test]
fn the_middle_of_every_cell_is_in_that_cell() {
    let mut random = fastrand::Rng::with_seed(31);
    for orientation in orientations() {
        for _ in 0..400 {
            let tile = UVec2::new(random.u32(8..70), random.u32(8..70));
            let size = UVec2::new(random.u32(1..40), random.u32(1..40));
            let projection = Projection::new(orientation, size, tile);
            let cell = IVec2::new(random.i32(-50..50), random.i32(-50..50));
            let centre = projection.cell_center(cell);
            let found = projection.cell_at_screen(centre);
            assert_eq!(found, cell, "{orientation:?}, tiles of {tile}, {size}, at {centre}");
        }
    }
}

#[test]
fn map_and_screen_go_both_ways() {
    let mut random = fastrand::Rng::with_seed(32);
    for orientation in orientations() {
        for _ in 0..200 {
            let tile = UVec2::new(random.u32(8..70), random.u32(8..70));
            let projection = Projection::new(orientation, UVec2::new(7, 9), tile);
            let point = DVec2::new(random.f64() - 0.5, random.f64() - 0.5) * 4000.0;
            let back = projection.screen_to_map(projection.map_to_screen(point));
            assert!(back.distance(point) < 1e-6, "{orientation:?}, {point}, {back}");
            assert_eq!(
                projection.cell_at_screen(projection.map_to_screen(back)),
                projection.cell_at_map(projection.screen_to_map(projection.map_to_screen(back))),
            );
        }
    }
}

/// The nearest middle among many cells, by trying them all.
#[test]
fn the_cell_of_a_hexagonal_map_is_the_one_with_the_nearest_middle() {
    let mut random = fastrand::Rng::with_seed(33);
    for orientation in orientations() {
        let Orientation::Hexagonal { .. } = orientation else {
            continue;
        };
        for _ in 0..60 {
            let tile = UVec2::new(random.u32(8..40), random.u32(8..40));
            let projection = Projection::new(orientation, UVec2::splat(9), tile);
            let point = projection.cell_center(IVec2::new(random.i32(-3..3), random.i32(-3..3)))
                + DVec2::new(random.f64() - 0.5, random.f64() - 0.5) * 20.0;
            let distance = |cell| projection.cell_center(cell).distance(point);
            let found = distance(projection.cell_at_screen(point));
            let cells = (-14..14).flat_map(|x| (-14..14).map(move |y| IVec2::new(x, y)));
            let best = cells.map(distance).fold(f64::INFINITY, f64::min);
            assert!(found <= best + 1e-9, "{orientation:?} {tile} {point}");
        }
    }
}

#[test]
fn positions_are_those_that_tiled_draws_at() {
    let at = |orientation, tile: (u32, u32), cell: (i32, i32)| {
        let projection = Projection::new(orientation, UVec2::new(5, 4), tile.into());
        <(f64, f64)>::from(projection.cell_to_screen(cell.into()))
    };
    let (axis, index) = (StaggerAxis::Y, StaggerIndex::Odd);
    assert_eq!(at(Orientation::Orthogonal, (16, 8), (2, 3)), (32.0, 24.0));
    assert_eq!(at(Orientation::Isometric, (64, 32), (2, 3)), (96.0, 80.0));
    assert_eq!(at(Orientation::Staggered { axis, index }, (64, 32), (2, 3)), (160.0, 48.0));
    let hexagonal = Orientation::Hexagonal { axis, index, side: 6 };
    assert_eq!(at(hexagonal, (14, 12), (2, 3)), (35.0, 27.0));
    let oblique = Orientation::Oblique { skew_x: 4, skew_y: -2 };
    assert_eq!(at(oblique, (16, 8), (2, 3)), (44.0, 20.0));
}

#[test]
fn no_number_panics() {
    let ends = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300, 0.0, 3e9];
    for orientation in orientations().into_iter().chain([
        Orientation::Oblique { skew_x: 8, skew_y: 8 },
        Orientation::Hexagonal { axis: StaggerAxis::X, index: StaggerIndex::Even, side: u32::MAX },
    ]) {
        for tile in [UVec2::ZERO, UVec2::ONE, UVec2::splat(8), UVec2::MAX] {
            let projection = Projection::new(orientation, UVec2::MAX, tile);
            for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| (x, y))) {
                let cell = projection.cell_at_screen(DVec2::new(x, y));
                let _ = projection.cell_at_map(DVec2::new(x, y));
                let _ = projection.cell_center(cell);
            }
        }
    }
}
