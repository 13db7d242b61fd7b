//! The rules of path finding for one-way cells, the outside, footprints and every integer.

use bitwall::geometry::Sides;
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Path, Search, TooLarge};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Outside};

use crate::support::{asset, shared, tiles};

#[test]
fn a_one_way_cell_is_a_wall_along_its_guarded_edge() {
    let ledge = Grid::from_text("....\n####\n....").unwrap();
    let level = tiles("....\n....\n....", 16).with_one_way(Dir::Up, ledge).unwrap();
    let (ways, mut search) = (level.ways(UVec2::splat(8)).unwrap(), Search::default());
    let mut has_way = |from: i32, to: i32| {
        ways.path(IVec2::new(0, from), IVec2::new(40, to), &mut search).is_some()
    };
    assert!(has_way(0, 8) && has_way(17, 40), "beside the edge, and within the cell");
    assert!(!has_way(0, 17) && !has_way(17, 0), "across it, from both sides");
    assert!(!ways.is_free(IVec2::new(0, 9)) && !ways.is_free(IVec2::new(0, 16)));
}

#[test]
fn a_path_may_go_around_the_outside_of_an_open_level() {
    let level = tiles("..#..\n..#..", 16);
    let (size, mut search) = (UVec2::new(10, 12), Search::default());
    let (from, to) = (IVec2::new(2, 8), IVec2::new(66, 8));
    let mut length = |level: &Level| {
        let path = level.ways(size).unwrap().path(from, to, &mut search);
        path.map(|path| path.length)
    };
    assert_eq!(length(&level), None);
    let open = level.with_outside(Outside::Open);
    let around = length(&open).unwrap();
    // In a level with much free space around it the path is not shorter.
    let mut roomy = Level::from_grid(Grid::new(20, 20).unwrap(), UVec2::splat(16)).unwrap();
    roomy.place(&open, IVec2::new(8, 8)).unwrap();
    let ways = roomy.ways(size).unwrap();
    let path = ways.path(from + 128, to + 128, &mut Search::default()).unwrap();
    assert_eq!(path.length, around);
    let ways = open.ways(size).unwrap();
    assert!(ways.is_free(IVec2::new(-10, 32)) && !ways.is_free(IVec2::new(-11, 32)));
    assert_eq!(ways.nearest(IVec2::new(-500, -900)), Some(IVec2::new(-10, -12)));
}

#[test]
fn a_footprint_uses_the_paths_of_its_bounding_box() {
    let ball = Footprint::circle(13).unwrap();
    let level = tiles("#....\n..#..\n.....\n.#...", 16);
    let ways = level.ways(ball.size()).unwrap();
    let (from, to) = (IVec2::new(0, 18), IVec2::new(60, 0));
    let path = ways.path(from, to, &mut Search::default()).unwrap();
    for leg in path.points.windows(2) {
        let way = leg[1] - leg[0];
        for at in (0..=way.abs().max_element()).map(|step| leg[0] + way.signum() * step) {
            assert!(!level.overlaps(ball.at(at)));
        }
    }
}

#[test]
fn a_body_side_of_0_counts_as_1_and_a_body_larger_than_the_level_has_no_path() {
    let level = tiles("...\n...", 4);
    let ways = level.ways(UVec2::ZERO).unwrap();
    assert_eq!(ways.size(), UVec2::ONE);
    assert!(ways.is_free(IVec2::new(11, 7)) && !ways.is_free(IVec2::new(12, 7)));
    let mut search = Search::default();
    for size in [UVec2::new(13, 1), UVec2::new(1, 9), UVec2::splat(500), UVec2::MAX] {
        let ways = level.ways(size).unwrap();
        assert_eq!(ways.path(IVec2::ZERO, IVec2::ONE, &mut search), None);
        assert_eq!(ways.nearest(IVec2::ZERO), None);
        assert_eq!(ways.field(&[IVec2::ZERO]).step(IVec2::ZERO), None);
    }
    let whole = level.ways(UVec2::new(12, 8)).unwrap();
    let path = whole.path(IVec2::ZERO, IVec2::ZERO, &mut search).unwrap();
    assert_eq!((path.points, path.length), (vec![IVec2::ZERO], 0));
}

#[test]
fn a_body_larger_than_a_level_has_positions_beside_its_open_sides() {
    let level = tiles(".", 16).with_outside(Outside::Open);
    let ways = level.ways(UVec2::splat(32)).unwrap();
    assert!(ways.is_free(IVec2::splat(-32)) && !ways.is_free(IVec2::splat(-33)));
    let small = level.ways(UVec2::splat(16)).unwrap();
    assert!(ways.memory_bytes() > small.memory_bytes());
    assert_eq!(level.ways(UVec2::MAX).unwrap_err(), TooLarge);
    // With one open side, a body of any size has as many positions as the level has rows or columns of
    // pixels.
    let (up, left) = (UVec2::new(8, u32::MAX), UVec2::new(u32::MAX, 1));
    let solid = Sides::all(Outside::Solid);
    for (size, outside) in
        [(up, Sides { up: Outside::Open, ..solid }), (left, Sides { left: Outside::Open, ..solid })]
    {
        let grid = Grid::new(64, 4_096).unwrap();
        let level = Level::from_grid(grid, UVec2::ONE).unwrap().with_outside(outside);
        let ways = level.ways(size).unwrap();
        let end = IVec2::new(64, 4_096) - ways.size().as_ivec2();
        assert!(ways.is_free(end) && !ways.is_free(end + 1));
        let start = if size == up { end.with_y(-i32::MAX) } else { end.with_x(-i32::MAX) };
        let path = ways.path(start, end, &mut Search::default()).unwrap();
        assert_eq!(path.points, [start, end]);
    }
}

#[test]
fn boxes_block_sight_as_if_they_were_solid_in_the_level() {
    let mut random = fastrand::Rng::with_seed(363);
    let mut blind = 0;
    for _ in 0..300 {
        let level = Level::from_grid(Grid::new(140, 90).unwrap(), UVec2::ONE).unwrap();
        let mut walled = level.clone();
        let boxes: Vec<Aabb> = (0..6)
            .map(|_| {
                let (x, y) = (random.i32(-9..140), random.i32(-9..90));
                Aabb::from_xywh(x, y, random.i32(0..25), random.i32(0..25))
            })
            .collect();
        for area in &boxes {
            walled.set_box(*area, true).unwrap();
        }
        let size = UVec2::new(random.u32(1..20), random.u32(1..20));
        let (around, walled) = (level.ways(size).unwrap(), walled.ways(size).unwrap());
        let around = around.around(&boxes);
        for _ in 0..30 {
            let mut end = || IVec2::new(random.i32(0..130), random.i32(0..80));
            let (one, other) = (end(), end());
            assert_eq!(around.sees(one, other), walled.sees(one, other), "{one} {other} {boxes:?}");
            let is_blind = walled.is_free(one) && walled.is_free(other) && !walled.sees(one, other);
            blind += u32::from(is_blind);
        }
    }
    assert!(blind > 300, "{blind}");
}

#[test]
fn ways_of_a_level_that_is_too_large_return_an_error_with_a_remedy() {
    let world = Grid::sparse(100_000_000, 100_000_000).unwrap();
    let mut world = Level::from_grid(world, UVec2::splat(16)).unwrap();
    let room = tiles("#####\n#...#\n##.##", 16);
    world.place(&room, IVec2::new(70_000_000, 5)).unwrap();
    let error = world.ways(UVec2::splat(12)).unwrap_err();
    assert_eq!(error, TooLarge);
    assert!(error.to_string().contains("`Level::place`"));
    // A smaller level that is cut out around the room.
    let mut part = Level::from_grid(Grid::new(30, 20).unwrap(), UVec2::splat(16)).unwrap();
    part.place(&world, IVec2::new(-69_999_990, 0)).unwrap();
    let ways = part.ways(UVec2::splat(12)).unwrap();
    let inside = IVec2::new(16 * 11, 16 * 6);
    assert!(ways.path(IVec2::ZERO, inside, &mut Search::default()).is_some());
    // A sparse level has ways if it is small enough.
    let sparse = Level::from_grid(Grid::sparse(900, 700).unwrap(), UVec2::splat(4)).unwrap();
    assert!(sparse.ways(UVec2::splat(12)).unwrap().is_free(IVec2::new(3_588, 2_788)));
}

#[test]
fn path_queries_do_not_panic_for_any_integer() {
    let ends = [i32::MIN, i32::MIN + 1, -70, -1, 0, 1, 63, 64, 200, i32::MAX - 1, i32::MAX];
    let mut random = fastrand::Rng::with_seed(361);
    let mut search = Search::default();
    for round in 0..400 {
        let outside = if round % 2 == 0 { Outside::Open } else { Outside::Solid };
        let level = tiles("..#.\n....\n.##.", [1, 7, 64][round % 3]).with_outside(outside);
        let mut end = || ends[random.usize(0..ends.len())];
        let size = UVec2::new((end() as u32).min(90), end() as u32 % 50);
        let ways = level.ways(size).unwrap();
        let boxes: [Aabb; 3] = std::array::from_fn(|_| Aabb {
            min: IVec2::new(end(), end()),
            max: IVec2::new(end(), end()),
        });
        let (from, to) = (IVec2::new(end(), end()), IVec2::new(end(), end()));
        for ways in [&ways, &ways.around(&boxes), &ways.four_directions()] {
            let path = ways.path(from, to, &mut search);
            assert_eq!(path.is_some(), path.is_some() && ways.is_free(from) && ways.is_free(to));
            let odd = Path { points: vec![from, to, from, to], length: 0 };
            assert_eq!(odd.smooth(ways).points[0], from);
            assert!(!ways.sees(from, to) || ways.is_free(from) && ways.is_free(to));
            assert!(ways.nearest(from).is_none_or(|at| ways.is_free(at)));
            let near = ways.nearest_reachable(from, to);
            assert_eq!(near.is_some(), ways.is_free(from));
            let toward = ways.path_toward(from, to, &mut search);
            assert_eq!(toward.map(|path| path.points[path.points.len() - 1]), near);
            assert!(ways.refuge(from, &odd, size).is_none_or(|at| ways.is_free(at)));
            let field = ways.field(&[from]);
            assert_eq!(field.distance(from).is_some(), ways.is_free(from));
            assert!(field.step(to).is_none_or(|step| ways.is_free(to + step)));
        }
    }
}

/// Tests the bundled levels and the real levels of the corpus beside the repository.
#[test]
fn paths_in_real_levels_are_as_short_as_those_of_dijkstra() {
    let mut files = vec![asset("town.tmx"), asset("cave.tmx"), asset("island_mask.png")];
    if let Some(corpus) = shared("corpus") {
        files.push(corpus.join("Sanglorian+Tuxemon/tuxemon/resources/maps/map1.tmx"));
    }
    let mut random = fastrand::Rng::with_seed(362);
    let mut search = Search::default();
    for file in files {
        let level = Level::load(&file).unwrap();
        let size = UVec2::splat(12);
        let plain = super::plain::Plain::new(&level, size, &[]);
        let free: Vec<IVec2> = plain.free_positions().collect();
        let ways = level.ways(size).unwrap();
        let from = free[random.usize(0..free.len())];
        let lengths = plain.dijkstra(&[from], true);
        for _ in 0..30 {
            let to = free[random.usize(0..free.len())];
            let path = ways.path(from, to, &mut search);
            assert_eq!(path.as_ref().map(|path| path.length), lengths[plain.index(to).unwrap()]);
            let Some(path) = path else { continue };
            super::plain::prove(&level, size, &path, [from, to]);
        }
    }
}
