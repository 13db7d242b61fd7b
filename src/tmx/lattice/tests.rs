use glam::DVec2;

use super::*;
use crate::tmx::{Projection, StaggerAxis, StaggerIndex};

/// All kinds of maps, with tiles of even and odd sides.
fn orientations() -> Vec<Orientation> {
    let mut all = vec![Orientation::Orthogonal, Orientation::Isometric];
    for axis in [StaggerAxis::X, StaggerAxis::Y] {
        for index in [StaggerIndex::Odd, StaggerIndex::Even] {
            all.push(Orientation::Staggered { axis, index });
            all.extend([0, 6, 7].map(|side| Orientation::Hexagonal { axis, index, side }));
        }
    }
    let skews = [(0, 0), (5, 0), (-7, 3), (0, -4)];
    all.extend(skews.map(|(skew_x, skew_y)| Orientation::Oblique { skew_x, skew_y }));
    all
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
fn the_exact_face_and_the_one_in_floats_agree() {
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
            // The middle of a cell's outline is the middle of the cell.
            let cell = IVec2::new(rng.i32(-20..20), rng.i32(-20..20));
            let outline = screen.cell_outline();
            let middle: DVec2 = outline.iter().map(|corner| float(*corner)).sum();
            let middle = middle / outline.len() as f64 + float(screen.cell_bottom_left(cell));
            assert!(middle.distance(projection.cell_center(cell)) < 1e-5, "{orientation:?} {cell}");
        }
    }
}

#[test]
fn a_picture_stands_between_two_pixels_on_the_later_one() {
    let lattice = Lattice::new(Orientation::Isometric, 2, UVec2::new(7, 5), Space::Screen);
    // The map's corner is 2 * 7 / 2 = 7, half a tile 3.
    assert_eq!(lattice.cell_bottom_left(IVec2::ZERO), point(4, 5));
    let (right, below) = (IVec2::new(1, 0), IVec2::new(0, 1));
    assert_eq!(float(lattice.cell_bottom_left(right)), DVec2::new(7.5, 7.5));
    assert_eq!(lattice.cell_bottom_left_pixel(right), IVec2::new(8, 8));
    assert_eq!(float(lattice.cell_bottom_left(below)), DVec2::new(0.5, 7.5));
    assert_eq!(lattice.cell_bottom_left_pixel(below), IVec2::new(1, 8));
}

#[test]
fn the_area_of_cells_is_the_box_around_their_outlines() {
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
            if lattice.space() == Space::Screen && tile % 4 == UVec2::ZERO {
                let (low, high) = lattice.picture_area(min.as_i64vec2(), max.as_i64vec2());
                let (low, high) = (low.as_dvec2() - 1.0, high.as_dvec2() + 1.0);
                assert!(low.cmple(first).all() && high.cmpge(last).all(), "{lattice:?}");
            }
        }
    }
}

/// Tiled takes the origin from the height that the file states, for a map without borders too.
#[test]
fn an_infinite_isometric_map_keeps_the_origin_of_its_height() {
    for is_infinite in [false, true] {
        let map = map(Orientation::Isometric, is_infinite);
        let top = DVec2::new(4.0 * 64.0 / 2.0, 0.0);
        assert_eq!(map.projection().cell_to_screen(IVec2::ZERO), top);
        let lattice = Lattice::of(&map, Space::Screen);
        assert_eq!(lattice.point(Point::default()), point(128, 0));
        assert_eq!(lattice.cell_bottom_left(IVec2::ZERO), point(96, 32));
    }
}

#[test]
fn displacements_on_an_oblique_map_are_unsheared_in_its_own_space() {
    let oblique = |skew_x, skew_y| map(Orientation::Oblique { skew_x, skew_y }, false);
    // A row is 16 px right of the one above it, which is 32 px away: half as far as it is down.
    let sheared = oblique(16, 0);
    let own = Lattice::of(&sheared, Space::Map);
    assert!(own.turns_pictures());
    assert_eq!(own.layer_offset(point(10, 8)), point(6, 8));
    assert_eq!(own.displacement(point(0, -32)), point(16, -32));
    assert_eq!(own.picture_point(point(0, -32)), point(16, -32));
    let screen = Lattice::of(&sheared, Space::Screen);
    assert!(!screen.turns_pictures());
    assert_eq!(screen.layer_offset(point(10, 8)), point(10, 8));
    let both = oblique(16, -32);
    let own = Lattice::of(&both, Space::Map);
    assert_eq!(own.displacement(own.seen(point(30, -70))), point(30, -70));
    // All cells on one line: there is no way back.
    let flat = oblique(32, 64);
    let own = Lattice::of(&flat, Space::Map);
    assert!(!own.turns_pictures());
    assert_eq!(own.layer_offset(point(10, 8)), point(10, 8));
    assert!(!Lattice::of(&oblique(0, 0), Space::Map).turns_pictures());
}

#[test]
fn a_picture_on_an_isometric_map_stands_on_the_box_of_its_diamond() {
    let lattice = Lattice::of(&map(Orientation::Isometric, false), Space::Map);
    assert!(lattice.turns_pictures());
    // The diamond's left, top, right and bottom corners are those of the square.
    let corners = [(0, -16), (32, -32), (64, -16), (32, 0)];
    let square = [(0, 0), (0, -32), (32, -32), (32, 0)];
    let found = corners.map(|(x, y)| lattice.picture_point(point(x, y)));
    assert_eq!(found, square.map(|(x, y)| point(x, y)));
}

#[test]
fn no_number_overflows() {
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
