//! A game's own type that implements only the three required methods of [`Solids`] is tested against one
//! level that contains all its solids.

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, World};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate, Solids, Sweep, Terrain,
    geometry::Corners, level::FootprintSolids, mover::MovePath,
};

use crate::movement::random::{PIXEL, settings};
use crate::support::{SubpixelSteps, Subpixels, cells, ground};

/// Two terrains that are solid together, without the optional methods that make queries faster.
struct Both<'a>(&'a Terrain, &'a Terrain);

impl Solids for Both<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let [one, other] =
            [self.0, self.1].map(|terrain| terrain.sweep_aabb(body, dir, step, one_way));
        one.earlier(other)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.0.overlaps(body) || self.1.overlaps(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let there = body.shifted(dir, distance);
            let free = |terrain: &Terrain| terrain.nearest_free(there, dir, limit - distance);
            match free(self.0)?.max(free(self.1)?) {
                0 => return Some(distance),
                more => distance += more,
            }
        }
    }
}

/// A level has the queries of its terrain for each kind of body, even if every name of the crate is imported.
#[test]
fn level_queries_accept_boxes_and_footprints_if_all_names_are_imported() {
    #[allow(unused_imports, clippy::wildcard_imports)]
    use bitwall::*;

    let level = Level::from_grid(Grid::from_text("..#\n..#").unwrap(), UVec2::splat(8)).unwrap();
    let (ball, at) = (Footprint::circle(8).unwrap(), glam::IVec2::new(8, 0));
    let body = Aabb::from_xywh(8, 0, 8, 8);
    assert!(!level.can_move(ball.at(at), Dir::Right, 1));
    assert!(!level.can_move(body, Dir::Right, 1));
    assert_eq!(level.sweep(ball.at(at), Dir::Left, 20).moved, 8);
    assert!(!level.overlaps(ball.at(at)));
    assert_eq!(level.nearest_free(ball.at(at), Dir::Left, 8), Some(0));
    assert!(!Solids::can_move_aabb(&level, body, Dir::Right, 1, true));
}

/// Creates two random grids of the same size, and their union.
fn grids(random: &mut fastrand::Rng) -> [Grid; 3] {
    let size = UVec2::new(random.u32(4..24), random.u32(4..24));
    let blank = || Grid::new(size.x, size.y).unwrap();
    let mut grids = [blank(), blank(), blank()];
    for _ in 0..random.u32(0..30) {
        let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
        let columns = column..column + random.u32(1..6);
        let of = random.usize(0..2);
        for at in [of, 2] {
            grids[at].fill(columns.clone(), row..row + 1, true).unwrap();
        }
    }
    grids
}

#[test]
fn a_mover_among_a_games_own_solids_moves_as_in_one_merged_level() {
    let mut random = fastrand::Rng::with_seed(71);
    let ball = Footprint::circle(9).unwrap();
    let mut moved = 0;
    for _ in 0..400 {
        let cell = UVec2::new(random.u32(1..12), random.u32(1..12));
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let terrain = |grid| Terrain::new(grid, cell).unwrap().with_outside(outside);
        let [one, other, all] = grids(&mut random).map(terrain);
        let (both, level) = (Both(&one, &other), Level::new(all));
        let size = level.size().as_ivec2();
        let settings = settings(&mut random);
        let (x, y) = (random.i32(-9..size.x), random.i32(-9..size.y));
        let body = Aabb::from_xywh(x, y, random.i32(1..14), random.i32(1..14));
        let mut movers = [Mover::new(body, settings); 4];
        for _ in 0..25 {
            let mut along = || random.i64(-9 * PIXEL..=9 * PIXEL);
            let step = I64Vec2::new(along(), along());
            let [a, b, c, d] = &mut movers;
            assert_eq!(a.step_subpixels(&both, step), b.step_subpixels(&level, step));
            assert_eq!(a, b, "{settings:?}");
            let round = FootprintSolids::new(&both, &ball);
            let done = c.step_subpixels(&round, step);
            assert_eq!(done, d.step_subpixels(&level.with_footprint(&ball), step));
            assert_eq!(c, d, "{settings:?}");
            moved += u32::from(done.moved.abs().max_element() > 0);
            assert_eq!(a.touching(&both), b.touching(&level));
            assert_eq!(a.unstick(&both, 9), b.unstick(&level, 9));
            assert_eq!(a.drop_through(&both), b.drop_through(&level));
        }
    }
    assert!(moved > 2_000, "{moved}");
}

#[test]
fn a_mover_moves_the_same_in_a_terrain_and_in_the_level_made_of_it() {
    let terrain = Terrain::new(Grid::from_text("....\n..#.").unwrap(), UVec2::splat(8)).unwrap();
    let level = Level::new(terrain.clone());
    let mut movers = [Mover::new(Aabb::from_xywh(0, 8, 6, 8), MoverSettings::platformer()); 2];
    for _ in 0..30 {
        let step = I64Vec2::new(PIXEL, PIXEL / 2);
        movers[0].step_subpixels(&terrain, step);
        movers[1].step_subpixels(&level, step);
        assert_eq!(movers[0], movers[1]);
    }
    assert_eq!(movers[0].body.min.x, 10);
}

/// Tests a rollback to a clone of the level, which has edited its lines, and to a level that has forgotten
/// the size.
#[test]
fn a_world_steps_the_same_without_a_prepared_size() {
    let mut random = fastrand::Rng::with_seed(39);
    let mut grid = Grid::new(60, 40).unwrap();
    (0..400).for_each(|_| grid.set(random.u32(0..60), random.u32(0..40), true).unwrap());
    let mut level = Level::from_grid(grid, UVec2::new(15, 9)).unwrap();
    let size = UVec2::new(10, 14);
    let cells = level.memory_bytes();
    assert!(level.prepare(size));
    let mut world = World::new(Rate::per_second(1));
    for _ in 0..60 {
        let at = UVec2::new(random.u32(0..800), random.u32(0..300)).as_ivec2();
        let aabb = Aabb::from_xywh(at.x, at.y, 10, 14);
        let mut body = Body::character(aabb, MoverSettings::platformer());
        body.set_acceleration_subpixels(I64Vec2::new(random.i64(-PIXEL / 8..PIXEL / 8), PIXEL / 4));
        world.add(body);
    }
    let mut clone = level.clone();
    assert_eq!(clone.memory_bytes(), level.memory_bytes());
    for solid in [true, false] {
        clone.fill(0..1, 0..1, solid).unwrap();
    }
    clone.set(IVec2::ZERO, level.grid().is_solid(0, 0)).unwrap();
    let (mut again, mut dropped) = (world.clone(), world.clone());
    (0..80).for_each(|_| world.step(&level));
    (0..80).for_each(|_| again.step(&clone));
    assert!(level.forget(size));
    assert_eq!(level.memory_bytes(), cells);
    (0..80).for_each(|_| dropped.step(&level));
    assert!(world == again && world == dropped);
}

/// A level whose ground starts half a pixel lower than its solid pixels.
struct Soft(Level);

const HALF: u32 = Mover::SUBPIXELS as u32 / 2;

impl Solids for Soft {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.0.sweep_aabb(body, dir, step, one_way)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.0.overlaps(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.0.nearest_free(body, dir, limit)
    }

    fn can_move_part(&self, _body: Aabb, dir: Dir, part: u32) -> bool {
        dir == Dir::Down && part <= HALF
    }
}

/// Creates ground at y = 40 with a step of 2 px at column 30, and a one-way edge at y = 20.
fn soft() -> Soft {
    let grid = ground(UVec2::new(60, 60), |column| if column < 30 { 20 } else { 22 });
    let mut edge = Grid::new(60, 60).unwrap();
    edge.fill(0..60, 20..21, true).unwrap();
    Soft(cells(grid, 1).with_one_way(Dir::Up, edge).unwrap())
}

const PARTS: [(i64, bool); 3] = [(PIXEL / 4, false), (PIXEL / 2, false), (3 * PIXEL / 4, true)];

#[test]
fn ground_that_gives_way_stops_a_fall_only_after_a_part_of_a_pixel_but_supports_the_body() {
    let solids = soft();
    let paths = [
        MovePath::XThenY,
        MovePath::YThenX,
        MovePath::Straight(Corners::Block),
        MovePath::Straight(Corners::Pass),
    ];
    for (path, (part, stops)) in paths.into_iter().flat_map(|path| PARTS.map(|it| (path, it))) {
        let settings = MoverSettings { path, floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let falling = Mover::new(Aabb::from_xywh(10, 29, 6, 10), settings);
        let mut dropping = Mover::new(Aabb::from_xywh(10, 10, 6, 10), settings);
        assert!(dropping.drop_through(&solids) && dropping.dropping.is_some());
        for (mut mover, fall) in [(falling, 1), (dropping, 19)] {
            let step = mover.step_subpixels(&solids, I64Vec2::new(0, fall * PIXEL + part));
            assert_eq!(step.contacts.down.is_some(), stops, "{path:?} {part}");
            assert_eq!((mover.body.max.y, step.grounded), (40, true), "{path:?} {part}");
            let subpixel = if stops { 0 } else { part as i32 };
            assert_eq!(mover.subpixel, IVec2::new(0, subpixel), "{path:?} {part}");
        }
    }
}

#[test]
fn a_falling_body_lands_at_a_step_only_if_its_fall_reaches_the_ground_that_gives_way() {
    let solids = soft();
    for (part, lands) in PARTS {
        let settings =
            MoverSettings { floor: Some(Dir::Down), step_height: 4, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(Aabb::from_xywh(20, 29, 6, 10), settings);
        let step = mover.step_subpixels(&solids, I64Vec2::new(10 * PIXEL, PIXEL + part));
        assert_eq!(step.contacts.right.is_none(), lands, "{part}");
        let end = if lands { IVec2::new(30, 28) } else { IVec2::new(24, 30) };
        assert_eq!(mover.body.min, end, "{part}");
    }
}
