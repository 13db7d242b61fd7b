use glam::{IVec2, UVec2};

use super::Provenance;
use crate::grid::GridError;
use crate::property::PropertyValue;
use crate::{Aabb, Dir, Grid, Level, Marker, Outside, Terrain};

fn random_grid(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for _ in 0..size.x * size.y / 9 {
        grid.set(random.u32(0..size.x), random.u32(0..size.y), true).unwrap();
    }
    grid
}

fn marker(name: &str, area: Aabb) -> Marker {
    Marker {
        name: name.to_owned(),
        object: 1,
        area,
        points: vec![area.min, area.max],
        properties: [("at".to_owned(), PropertyValue::Point(area.min))].into(),
        ..Marker::default()
    }
}

/// Returns a random level with a marker. It often has one-way cells, and areas with cells of half its cell
/// size.
fn room(random: &mut fastrand::Rng) -> Level {
    let size = UVec2::new(random.u32(1..90), random.u32(1..90));
    let area = |random: &mut fastrand::Rng| {
        Terrain::new(random_grid(random, size * 2), UVec2::new(3, 2)).unwrap()
    };
    let mut level = Level::from_grid(random_grid(random, size), UVec2::new(6, 4)).unwrap();
    for side in [Dir::Up, Dir::Left] {
        if random.bool() {
            level = level.with_one_way(side, random_grid(random, size)).unwrap();
        }
    }
    for (name, category) in [("water", 0), ("glass", 2)] {
        if random.bool() {
            level = level.with_solid_area(name, area(random), category);
        }
    }
    let at = IVec2::new(random.i32(0..size.x as i32 * 6), random.i32(0..size.y as i32 * 4));
    level.with_markers(vec![marker("spawn", Aabb::from_xywh(at.x, at.y, 1, 1))])
}

const SIZE: UVec2 = UVec2::new(200, 150);

/// Returns the world's `pixel` as a pixel of the room that was placed at the cell `at`; `None` outside the
/// room.
fn at_room(room: &Level, pixel: IVec2, at: IVec2) -> Option<IVec2> {
    let pixel = pixel - at * room.cell_size().as_ivec2();
    let inside = pixel.cmpge(IVec2::ZERO).all() && pixel.cmplt(room.size().as_ivec2()).all();
    inside.then_some(pixel)
}

#[test]
fn a_placed_level_replaces_earlier_ones_where_they_overlap() {
    let mut random = fastrand::Rng::with_seed(43);
    let mut markers = 0;
    for round in 0..80 {
        let grid = match round % 2 {
            0 => Grid::sparse(SIZE.x, SIZE.y).unwrap(),
            _ => Grid::new(SIZE.x, SIZE.y).unwrap(),
        };
        let mut world = Level::from_grid(grid, UVec2::new(6, 4)).unwrap();
        let mut rooms = Vec::new();
        for _ in 0..random.u32(1..5) {
            let room = room(&mut random);
            let at = IVec2::new(random.i32(-80..210), random.i32(-80..160));
            let (stamp, changed) = (world.terrain().stamp(), world.place(&room, at).unwrap());
            let corner = at * IVec2::new(6, 4);
            let all = Aabb { min: corner, max: corner + room.size().as_ivec2() };
            let inside = Aabb { min: IVec2::ZERO, max: world.size().as_ivec2() };
            let inside = all.intersection(inside);
            let is_empty = inside.min.cmpge(inside.max).any();
            assert_eq!(changed, (!is_empty).then_some(inside));
            assert!(is_empty || world.terrain().stamp() != stamp);
            rooms.push((room, at));
        }
        if random.bool() {
            // Clearing has the same effect as placing an empty room.
            let (at, size) = (random.u32(0..90), random.u32(1..90));
            world.clear(at..at + size, at..at + size);
            let empty = Grid::new(size, size).unwrap();
            let empty = Level::from_grid(empty, UVec2::new(6, 4)).unwrap();
            rooms.push((empty, IVec2::splat(at as i32)));
        }
        for _ in 0..400 {
            let pixel = IVec2::new(random.i32(0..1_200), random.i32(0..600));
            let last = rooms
                .iter()
                .rev()
                .find_map(|(room, at)| at_room(room, pixel, *at).map(|pixel| (room, pixel)));
            let is = |of: &dyn Fn(&Level, IVec2) -> bool| {
                last.is_some_and(|(room, pixel)| of(room, pixel))
            };
            let solid = |level: &Level, pixel| level.is_solid(pixel);
            assert_eq!(solid(&world, pixel), is(&solid), "{pixel}");
            for name in ["water", "glass"] {
                let has = |level: &Level, pixel: IVec2| {
                    level.area(name).is_some_and(|area| area.is_solid(pixel))
                };
                assert_eq!(has(&world, pixel), is(&has), "{name} {pixel}");
            }
            for side in Dir::ALL {
                let guards = |level: &Level, pixel: IVec2| {
                    let cell = level.cell_at(pixel).as_uvec2();
                    level.one_way(side).is_some_and(|grid| grid.is_solid(cell.x, cell.y))
                };
                assert_eq!(guards(&world, pixel), is(&guards), "{side:?} {pixel}");
            }
        }
        let glass = rooms.iter().any(|(room, _)| room.area("glass").is_some());
        let category = world.area_category("glass");
        assert!(category.is_none_or(|category| category == 2 && glass));
        // A marker remains where no later room covers it.
        let kept = rooms.iter().enumerate().flat_map(|(i, (room, at))| {
            let later = &rooms[i + 1..];
            let shift = *at * IVec2::new(6, 4);
            room.markers().iter().map(move |marker| marker.position() + shift).filter(|place| {
                let inside = place.cmpge(IVec2::ZERO) & place.cmplt(world.size().as_ivec2());
                inside.all() && later.iter().all(|(room, at)| at_room(room, *place, *at).is_none())
            })
        });
        let kept: Vec<IVec2> = kept.collect();
        let found: Vec<IVec2> = world.markers().iter().map(Marker::position).collect();
        assert_eq!(found, kept);
        markers += found.len();
    }
    assert!(markers > 40, "{markers}");
}

#[test]
fn placing_a_level_that_does_not_fit_is_an_error_and_changes_nothing() {
    let grid = |width, height| {
        let mut grid = Grid::new(width, height).unwrap();
        grid.fill(0..width, 0..height, true).unwrap();
        grid
    };
    let level = |cell: u32| Level::from_grid(grid(8, 8), UVec2::splat(cell)).unwrap();
    let area = |cell: u32| Terrain::new(grid(2, 2), UVec2::splat(cell)).unwrap();
    let mut world = Level::from_grid(Grid::sparse(999, 999).unwrap(), UVec2::splat(8)).unwrap();
    let one = IVec2::ONE;
    let sizes = |found, expected| {
        let (found, expected) = (UVec2::splat(found), UVec2::splat(expected));
        Err(GridError::OtherCellSize { found, expected })
    };
    assert_eq!(world.place(&level(4), one), sizes(4, 8));
    let error = GridError::PartOfACell { offset: [8, 8].into(), cell_size: UVec2::splat(16) };
    assert_eq!(world.place(&level(8).with_area("sea", area(16)), one), Err(error));
    assert!(world.is_blank() && world.areas().is_empty());
    assert!(world.place(&level(8).with_area("sea", area(16)), one * 2).is_ok());
    assert_eq!(world.place(&level(8).with_area("sea", area(8)), one), sizes(8, 16));
    let count = world.grid().solid_count();
    assert_eq!(count, 64);

    // The solid cells fit the block limit but the areas do not, so nothing changes.
    let small = Grid::sparse(999, 999).unwrap().with_block_limit(1);
    let mut world = Level::from_grid(small, UVec2::splat(8)).unwrap();
    let wide = Terrain::new(grid(800, 1), UVec2::ONE).unwrap();
    let full = Err(GridError::TooManyBlocks { limit: 1 });
    assert_eq!(world.place(&level(8).with_area("sea", wide), one), full);
    assert!(world.is_blank() && world.areas().is_empty());
    assert!(world.place(&level(8), IVec2::splat(5_000)).is_ok_and(|changed| changed.is_none()));
    assert_eq!(world.clear(999..2_000, 0..9), None);
    assert_eq!(world.clear(0..9, 0..9), Some(Aabb::from_xywh(0, 0, 72, 72)));
    assert_eq!(world.outside(), Outside::Solid.into());
}

#[test]
fn a_provenance_is_displayed_as_a_sentence_with_escaped_names() {
    let provenance = Provenance {
        layer: "Back\tWalls".to_owned(),
        tile: Some(("cave".to_owned(), 3)),
        object: None,
        line: None,
        because: "property `solid`".to_owned(),
    };
    let shown = provenance.to_string();
    assert_eq!(
        shown,
        "tile 3 of tileset `cave` in layer `Back\\tWalls` (solid by property `solid`)"
    );
    let object = Provenance { tile: None, object: Some(7), ..provenance };
    let one_way = Provenance { because: "it is one-way".to_owned(), ..object };
    assert_eq!(one_way.to_string(), "object 7 in layer `Back\\tWalls` (one-way)");
}

#[test]
fn a_level_knows_its_first_marker_of_a_name_and_its_first_cell_in_the_source() {
    let level = Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::new(16, 10)).unwrap();
    let at = |x| Aabb::from_xywh(x, 0, 1, 1);
    let markers = vec![marker("door", at(1)), marker("key", at(2)), marker("key", at(3))];
    let level = level.with_markers(markers).with_origin(IVec2::new(-33, 40));
    assert_eq!(level.marker("key").map(|marker| marker.area), Some(at(2)));
    assert_eq!(level.marker("door").map(|marker| marker.area), Some(at(1)));
    assert_eq!(level.marker(""), None);
    assert_eq!(level.first_cell(), IVec2::new(-3, 4));
}

#[test]
fn carving_and_painting_return_the_pixels_of_the_changed_cells() {
    let mut level = Level::from_grid(Grid::new(10, 10).unwrap(), UVec2::new(4, 3)).unwrap();
    let brush = Aabb::from_xywh(0, 0, 2, 2);
    let painted = level.paint(&brush, IVec2::new(7, 5)).unwrap();
    assert_eq!(painted, Some(Aabb::from_xywh(4, 3, 8, 6)));
    assert_eq!(level.carve(&brush, IVec2::new(4, 3)), Some(Aabb::from_xywh(4, 3, 4, 3)));
    assert_eq!(level.carve(&brush, IVec2::new(4, 3)), None);
    assert_eq!(level.grid().solid_count(), 3);
}
