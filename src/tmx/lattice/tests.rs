use glam::DVec2;

use super::super::{Projection, StaggerAxis, StaggerIndex};
use super::*;

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
fn the_center_of_every_cell_is_converted_to_that_cell() {
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
fn a_point_converted_to_the_screen_and_back_is_unchanged() {
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

#[test]
fn a_point_of_a_hexagonal_map_is_in_the_cell_with_the_nearest_center() {
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
fn cells_are_at_the_screen_positions_where_tiled_draws_them() {
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
fn no_position_panics_in_any_projection() {
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

fn float(point: Point) -> DVec2 {
    DVec2::new(point.x.as_f64(), point.y.as_f64())
}

fn point(x: i64, y: i64) -> Point {
    half((2 * x, 2 * y))
}

fn map(orientation: Orientation, is_infinite: bool) -> Map {
    let mut map = Map::default();
    (map.orientation, map.is_infinite) = (orientation, is_infinite);
    (map.size, map.tile_size) = (UVec2::new(5, 4), UVec2::new(64, 32));
    map
}

#[test]
fn the_lattice_and_the_projection_give_the_same_positions() {
    let mut rng = fastrand::Rng::with_seed(9);
    for orientation in orientations() {
        for _ in 0..100 {
            let tile = UVec2::new(rng.u32(4..40) * 2, rng.u32(4..40) * 2);
            let rows = rng.u32(1..9);
            let projection = Projection::new(orientation, UVec2::new(3, rows), tile);
            let screen = Lattice::new(orientation, rows, tile, Space::Screen);
            let own = Lattice::new(orientation, rows, tile, Space::Map);
            let at = point(rng.i64(-900..900), rng.i64(-900..900));
            let seen = projection.map_to_screen(float(at));
            assert!(float(screen.point(at)).distance(seen) < 1e-5, "{orientation:?}");
            let back = projection.screen_to_map(seen);
            let moved = float(own.displacement(screen.seen(at)));
            assert!(moved.distance(back) < 1e-4, "{orientation:?} {at:?} {moved}");
            // The mean of the outline's corners equals the center of the cell.
            let cell = IVec2::new(rng.i32(-20..20), rng.i32(-20..20));
            let outline = screen.cell_outline();
            let middle: DVec2 = outline.iter().map(|corner| float(*corner)).sum();
            let middle = middle / outline.len() as f64 + float(screen.cell_bottom_left(cell));
            assert!(middle.distance(projection.cell_center(cell)) < 1e-5, "{orientation:?} {cell}");
        }
    }
}

#[test]
fn a_position_between_two_pixels_is_rounded_to_the_right_or_lower_pixel() {
    let lattice = Lattice::new(Orientation::Isometric, 2, UVec2::new(7, 5), Space::Screen);
    // The x of the map's origin is 2 * 7 / 2 = 7, and half a tile is 3 pixels wide.
    assert_eq!(lattice.cell_bottom_left(IVec2::ZERO), point(4, 5));
    let (right, below) = (IVec2::new(1, 0), IVec2::new(0, 1));
    assert_eq!(float(lattice.cell_bottom_left(right)), DVec2::new(7.5, 7.5));
    assert_eq!(lattice.cell_bottom_left_pixel(right), IVec2::new(8, 8));
    assert_eq!(float(lattice.cell_bottom_left(below)), DVec2::new(0.5, 7.5));
    assert_eq!(lattice.cell_bottom_left_pixel(below), IVec2::new(1, 8));
}

#[test]
fn the_area_of_cells_is_the_bounding_box_of_their_outlines() {
    let mut rng = fastrand::Rng::with_seed(12);
    for orientation in orientations() {
        for space in [Space::Map, Space::Screen] {
            let tile = UVec2::new(rng.u32(5..20) * 2, rng.u32(5..20) * 2);
            let lattice = Lattice::new(orientation, 4, tile, space);
            let min = IVec2::new(rng.i32(-9..9), rng.i32(-9..9));
            let max = min + IVec2::new(rng.i32(1..6), rng.i32(1..6));
            let cells = (min.x..max.x).flat_map(|x| (min.y..max.y).map(move |y| IVec2::new(x, y)));
            let corners = cells.flat_map(|cell| {
                let at = float(lattice.cell_bottom_left(cell));
                lattice.cell_outline().into_iter().map(move |corner| at + float(corner))
            });
            let corners: Vec<DVec2> = corners.collect();
            let first = corners.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let last = corners.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            let area = lattice.area(min, max);
            assert_eq!((area.min.as_dvec2(), area.max.as_dvec2()), (first, last), "{lattice:?}");
        }
    }
}

/// As in Tiled, the stated height sets the origin, even for an infinite map.
#[test]
fn the_stated_height_sets_the_origin_of_an_infinite_isometric_map() {
    for is_infinite in [false, true] {
        let map = map(Orientation::Isometric, is_infinite);
        let top = DVec2::new(4.0 * 64.0 / 2.0, 0.0);
        assert_eq!(map.projection().cell_to_screen(IVec2::ZERO), top);
        let lattice = Lattice::for_map(&map, Space::Screen);
        assert_eq!(lattice.point(Point::default()), point(128, 0));
        assert_eq!(lattice.cell_bottom_left(IVec2::ZERO), point(96, 32));
    }
}

#[test]
fn map_space_undoes_the_shear_of_displacements_on_oblique_maps() {
    let oblique = |skew_x, skew_y| map(Orientation::Oblique { skew_x, skew_y }, false);
    // Each row is 32 px below the row above it and 16 px further right, so a step down also goes half as far
    // right.
    let sheared = oblique(16, 0);
    let own = Lattice::for_map(&sheared, Space::Map);
    assert!(own.turns_pictures());
    assert_eq!(own.displacement(point(10, 8)), point(6, 8));
    assert_eq!(own.displacement(point(0, -32)), point(16, -32));
    assert_eq!(own.picture_point(point(0, -32)), point(16, -32));
    let screen = Lattice::for_map(&sheared, Space::Screen);
    assert!(!screen.turns_pictures());
    assert_eq!(screen.displacement(point(10, 8)), point(10, 8));
    let both = oblique(16, -32);
    let own = Lattice::for_map(&both, Space::Map);
    assert_eq!(own.displacement(own.seen(point(30, -70))), point(30, -70));
    // All cells are on one line, so there is no inverse.
    let flat = oblique(32, 64);
    let own = Lattice::for_map(&flat, Space::Map);
    assert!(!own.turns_pictures());
    assert_eq!(own.displacement(point(10, 8)), point(10, 8));
    assert!(!Lattice::for_map(&oblique(0, 0), Space::Map).turns_pictures());
}

#[test]
fn map_space_turns_the_diamond_of_an_isometric_picture_into_a_square() {
    let lattice = Lattice::for_map(&map(Orientation::Isometric, false), Space::Map);
    assert!(lattice.turns_pictures());
    // The left, top, right and bottom corners of the diamond become the corners of the square.
    let corners = [(0, -16), (32, -32), (64, -16), (32, 0)];
    let square = [(0, 0), (0, -32), (32, -32), (32, 0)];
    let found = corners.map(|(x, y)| lattice.picture_point(point(x, y)));
    assert_eq!(found, square.map(|(x, y)| point(x, y)));
}

#[test]
fn lattice_positions_of_extreme_numbers_do_not_overflow() {
    let ends = [i32::MIN, -1, 0, 1, i32::MAX];
    let skew = Orientation::Oblique { skew_x: i32::MIN, skew_y: i32::MAX };
    let hexagonal =
        Orientation::Hexagonal { axis: StaggerAxis::X, index: StaggerIndex::Even, side: u32::MAX };
    for orientation in orientations().into_iter().chain([skew, hexagonal]) {
        for space in [Space::Map, Space::Screen] {
            for tile in [UVec2::ZERO, UVec2::ONE, UVec2::MAX] {
                let lattice = Lattice::new(orientation, u32::MAX, tile, space);
                for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| (x, y))) {
                    let cell = IVec2::new(x, y);
                    let _ = lattice.cell_bottom_left_pixel(cell);
                    let at = lattice.cell_bottom_left(cell);
                    let _ = (lattice.point(at), lattice.displacement(at), lattice.cell_outline());
                    let far = Point {
                        x: Decimal::from_millionths(i64::from(x) << 32),
                        y: Decimal::from_millionths(i64::from(y) << 32),
                    };
                    let _ = (lattice.point(far), lattice.picture_point(far));
                }
            }
        }
    }
}
