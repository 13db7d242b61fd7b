//! The work of a step is bounded at any speed, near any solids and with any settings.
//!
//! The work of a mover is counted in queries. The queries of a world cannot be counted, so its work is
//! measured as processor time. Its limits are far above the time that it takes now and far below the time
//! that earlier versions took.

use std::cell::Cell;
use std::time::Duration;

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::mover::{MovePath, Response, Slope};
use bitwall::world::{Ball, Body, World};
use bitwall::{
    Aabb, Contact, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides, Solids,
    Sweep, Terrain, geometry::Corners,
};

use crate::support::{Stopwatch, SubpixelSteps, Subpixels, VelocityLeft, to_pixels};

const PIXEL: i64 = Mover::SUBPIXELS as i64;

/// The speeds that the tests use, in subpixels a step: 2^22 pixels, and the largest number.
const SPEEDS: [i64; 2] = [PIXEL << 22, i64::MAX];

/// Solids that count the queries.
struct Counted<'a> {
    level: &'a Level,
    queries: Cell<u32>,
}

impl Counted<'_> {
    fn count(&self) -> &Level {
        self.queries.set(self.queries.get() + 1);
        self.level
    }
}

impl Solids for Counted<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.count().sweep_aabb(body, dir, step, one_way)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.count().overlaps(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        assert!(limit <= MoverSettings::MAX_CORRECTION, "a search over {limit} px");
        self.count().nearest_free(body, dir, limit)
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        Solids::has_one_way(self.count(), area, dir)
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        Solids::floor_run(self.count(), body, dir, distance, floor)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        Solids::is_beyond(self.count(), body, dir)
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        Solids::contact_area(self.level, contact)
    }
}

/// Returns the number of queries in a step, and the mover after the step.
fn queries(level: &Level, mover: Mover, by: I64Vec2) -> (u32, Mover) {
    let solids = Counted { level, queries: Cell::new(0) };
    let mut after = mover;
    let step = after.step_subpixels(&solids, by);
    assert!(step.started_solid || !level.overlaps(after.body), "{after:?}");
    assert!(after.subpixel.abs().cmplt(IVec2::splat(PIXEL as i32)).all(), "{after:?}");
    (solids.queries.get(), after)
}

/// The width of all levels here, in pixels.
const WIDTH: u32 = 1 << 16;

/// Creates a grid in which the rows that `rows(column)` returns are solid in each column.
fn columns(height: u32, rows: impl Fn(u32) -> std::ops::Range<u32>) -> Grid {
    let mut grid = Grid::new(WIDTH, height).unwrap();
    for column in 0..WIDTH {
        grid.fill(column..column + 1, rows(column), true).unwrap();
    }
    grid
}

/// Creates a level floor with a one-way cell above each column, at heights that a walker can and cannot
/// climb.
fn comb() -> Level {
    let ground = columns(64, |_| 60..64);
    let ledges = columns(64, |column| {
        let row = 59 - column * 7 % 5;
        row..row + 1
    });
    Level::from_grid(ground, UVec2::ONE).unwrap().with_one_way(Dir::Up, ledges).unwrap()
}

/// A floor that goes up and down by a pixel in each column.
fn hills() -> Level {
    let ground = columns(96, |column| 80 - (column % 80).abs_diff(40)..96);
    Level::from_grid(ground, UVec2::ONE).unwrap()
}

fn platformer() -> MoverSettings {
    MoverSettings { step_height: 6, snap_distance: 6, ..MoverSettings::platformer() }
}

fn walker(settings: MoverSettings) -> Mover {
    Mover::new(Aabb::from_xywh(8, 10, 12, 20), settings)
}

#[test]
fn a_walk_makes_a_bounded_number_of_queries_at_every_speed() {
    let steep = MoverSettings { max_slope: Slope { rise: 1, run: 1 }, ..platformer() };
    for (name, level) in [("comb", comb()), ("hills", hills())] {
        for (settings, most) in [(platformer(), 60), (steep, 2_000)] {
            let mut mover = walker(settings);
            if name == "comb" {
                // The body stands on the ground, and its feet are at the height of the one-way edges.
                mover.body = mover.body.translated(IVec2::new(0, 30));
            }
            mover.step_subpixels(&level, I64Vec2::new(0, 99 * PIXEL));
            for speed in SPEEDS {
                let (count, after) = queries(&level, mover, I64Vec2::new(speed, 0));
                assert!(count < most * Mover::MAX_LOOKS, "{name}: {count} queries");
                let moved = after.body.min.x - mover.body.min.x;
                let is_within = moved >= Mover::MAX_LOOKS as i32 && moved < 1_024;
                assert!(is_within, "{name}: {moved} px");
            }
        }
    }
}

/// The motion that is left over is dropped, and no contact reduces the speed.
#[test]
fn a_walk_beyond_the_longest_distance_ends_on_its_floor_and_keeps_its_velocity() {
    let level = hills();
    let mut mover = walker(platformer());
    mover.step_subpixels(&level, I64Vec2::new(0, 99 * PIXEL));
    let by = I64Vec2::new(5_000 * PIXEL + 64, 0);
    let step = mover.step_subpixels(&level, by);
    let moved = step.moved.x;
    assert!(moved >= Mover::MAX_LOOKS as i32 && moved < 1_024, "{moved}");
    assert_eq!(step.leftover.x, 5_000 - moved);
    assert!(!step.is_stopped() && step.grounded);
    assert_eq!(step.velocity_subpixels(by), by);
    assert_eq!(mover.subpixel, IVec2::ZERO);
    // A body in the air moves the longest distance of a step.
    mover.body = mover.body.translated(IVec2::new(0, -30));
    assert_eq!(mover.step_subpixels(&level, by).moved.x, Mover::MAX_TRANSLATION as i32);
}

/// Tests bodies that a slanted ceiling, wall or floor moves aside at each pixel.
#[test]
fn corner_corrections_and_slides_make_a_bounded_number_of_queries() {
    // A wall whose surface moves right by one pixel in each row, in a level of 2^14 x 2^14 pixels.
    let side = 1 << 14;
    let mut grid = Grid::new(side, side).unwrap();
    for row in 0..side {
        grid.fill(0..row.saturating_sub(40), row..row + 1, true).unwrap();
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    let steep = MoverSettings {
        max_slope: Slope { rise: 1, run: 4 },
        path: MovePath::YThenX,
        ..MoverSettings::platformer()
    };
    let top_down = MoverSettings { path: MovePath::YThenX, ..MoverSettings::top_down() };
    for (settings, most) in [(top_down, 20), (steep, 600)] {
        let mover = Mover::new(Aabb::from_xywh(10, 4, 9, 9), settings);
        for speed in SPEEDS {
            let (count, after) = queries(&level, mover, I64Vec2::new(0, speed));
            assert!(count < most * Mover::MAX_LOOKS, "{count} queries");
            assert!(after.body.min.y > 400, "{after:?}");
        }
    }
    for corners in [Corners::Block, Corners::Pass] {
        let path = MovePath::Straight(corners);
        for response in [Response::Slide, Response::Bounce { restitution: 100 }, Response::Cross] {
            let settings = MoverSettings { path, response, ..MoverSettings::PLAIN };
            // The body moves beside the wall all the way, one pixel away from it.
            let mover = Mover::new(Aabb::from_xywh(10, 4, 9, 9), settings);
            for (x, y) in [(1 << 20, (1 << 20) - 7), (1 << 22, 1 << 22), (1 << 30, 1 << 30)] {
                let by = I64Vec2::new(x, y) * PIXEL;
                let solids = Counted { level: &level, queries: Cell::new(0) };
                let mut there = mover;
                there.step_subpixels(&solids, by);
                let count = solids.queries.get();
                assert!(count < 200 * Mover::MAX_LOOKS, "{settings:?}: {count} queries");
            }
        }
    }
}

/// A footprint that crosses everything asks about each of its pixels in a solid.
#[test]
fn a_footprint_that_crosses_a_long_wall_makes_a_bounded_number_of_queries() {
    let level = Level::from_grid(columns(64, |_| 8..60), UVec2::ONE).unwrap();
    let ball = Footprint::circle(9).unwrap();
    let settings = MoverSettings { response: Response::Cross, ..MoverSettings::PLAIN };
    let counted = Counted { level: &level, queries: Cell::new(0) };
    let solids = bitwall::level::FootprintSolids::new(&counted, &ball);
    let mut ghost = Mover::new(Aabb::from_xywh(-99, 20, 9, 9), settings);
    ghost.step(&solids, (1e9, 0.0)).unwrap();
    assert!(counted.queries.get() < 60 * Mover::MAX_LOOKS, "{}", counted.queries.get());
    assert_eq!(ghost.body.min.x, Mover::MAX_TRANSLATION as i32 - 99, "it is not held");
}

/// Corrections of any size do not search further than a body may be moved.
#[test]
fn the_largest_corner_corrections_make_a_bounded_number_of_queries() {
    let largest = MoverSettings {
        step_height: u32::MAX,
        snap_distance: u32::MAX,
        corner_correction: Sides::all(u32::MAX),
        ..MoverSettings::platformer()
    };
    for level in [comb(), hills()] {
        for path in [MovePath::XThenY, MovePath::YThenX] {
            let mut mover = walker(MoverSettings { path, ..largest });
            mover.step_subpixels(&level, I64Vec2::new(0, 99 * PIXEL));
            for (x, y) in [(1, 0), (1, 1), (-1, 1), (1, -1)] {
                let by = I64Vec2::new(x, y) * (PIXEL << 22);
                let (count, _) = queries(&level, mover, by);
                assert!(count < 60 * Mover::MAX_LOOKS, "{count} queries");
            }
        }
    }
}

/// The bounces in a step are limited, however narrow the gap is.
#[test]
fn a_body_in_a_gap_of_one_pixel_bounces_a_bounded_number_of_times() {
    let gap = Grid::from_text("#########\n#.......#\n#.......#\n#########").unwrap();
    let level = Level::from_grid(gap, UVec2::ONE).unwrap();
    for path in [MovePath::XThenY, MovePath::Straight(Corners::Block)] {
        let response = Response::Bounce { restitution: 100 };
        let settings = MoverSettings { path, response, ..MoverSettings::PLAIN };
        for (w, h) in [(7, 1), (6, 2), (6, 1), (1, 1)] {
            let mover = Mover::new(Aabb::from_xywh(1, 1, w, h), settings);
            for speed in SPEEDS {
                for by in [I64Vec2::new(speed, speed), I64Vec2::new(-speed, speed / 3)] {
                    let (count, _) = queries(&level, mover, by);
                    assert!(count < 2_000, "{count} queries");
                }
            }
        }
    }
}

/// Steps a world and checks that each step takes less than `most`, which is far above the normal time.
fn in_time(what: &str, world: &mut World, level: &Level, most: Duration) {
    for _ in 0..if world.len() > 99 { 1 } else { 3 } {
        let start = Stopwatch::start();
        world.step(level);
        let taken = start.elapsed();
        assert!(taken < most, "{what}: a step of {} bodies took {taken:?}", world.len());
    }
}

/// An earlier version took 12.6 s for a step of 16 bodies, and the largest velocity made it run forever.
#[test]
fn a_world_near_one_way_cells_steps_in_bounded_time_at_every_speed() {
    let level = comb();
    for (count, most) in [(16, 1), (1_000, 20)] {
        for speed in SPEEDS {
            let mut world = World::new(Rate::per_second(1));
            for at in 0..count {
                let x = at * 61 % (WIDTH as i32 - 20);
                let mut body = Body::character(Aabb::from_xywh(x, 40, 12, 20), platformer());
                body.set_velocity_subpixels(I64Vec2::new(
                    if at % 2 == 0 { speed } else { -speed },
                    PIXEL,
                ));
                // The bodies pass through each other.
                (body.category, body.collides_with) = (1 << (at % 2), 0);
                world.add(body);
            }
            in_time("comb", &mut world, &level, Duration::from_secs(most));
        }
    }
}

/// Tests platforms, riders, sensors, belts, balls and gravity, all at the largest speeds.
#[test]
fn a_world_with_bodies_of_all_kinds_steps_in_bounded_time_at_every_speed() {
    let area =
        Terrain::new(columns(64, |column| column % 64..column % 64 + 1), UVec2::ONE).unwrap();
    for level in [comb(), hills(), comb().with_outside(Outside::Open)] {
        let level = level.with_area("stripes", area.clone());
        for speed in SPEEDS {
            let mut world = World::new(Rate::per_second(1));
            for at in 0..16 {
                let x = 100 + at * 300;
                let velocity = I64Vec2::new(speed, -speed);
                let around = Aabb::from_xywh(x, 30, 40, 6);
                let belt = Body::platform(around).with_belt(to_pixels(velocity));
                let rider = Body::character(Aabb::from_xywh(x, 10, 12, 20), platformer());
                let pusher = rider.pushing(1, u16::MAX, true);
                let straight = MoverSettings {
                    path: MovePath::Straight(Corners::Pass),
                    response: Response::Bounce { restitution: 255 },
                    ..MoverSettings::PLAIN
                };
                let bodies = [
                    Body::platform(around).with_velocity_subpixels(velocity),
                    belt.with_velocity_subpixels(velocity),
                    rider.with_acceleration_subpixels(I64Vec2::new(0, speed)),
                    pusher.with_velocity_subpixels(velocity).with_acceleration_subpixels(-velocity),
                    Body::character(around, straight).with_velocity_subpixels(velocity),
                    Body::sensor(around).with_velocity_subpixels(velocity),
                    Body::ball(IVec2::new(x, 58), 1, 1).with_velocity_subpixels(velocity),
                    Body::ball(IVec2::new(x, 40), 16, 0).with_velocity_subpixels(velocity),
                ];
                for body in bodies {
                    world.add(body);
                }
            }
            in_time("all kinds", &mut world, &level, Duration::from_secs(2));
        }
    }
}

/// The speed of a ball is at most [`Ball::MAX_SPEED`], and its diameter at most [`Ball::MAX_DIAMETER`].
#[test]
fn the_largest_balls_at_the_highest_speed_take_a_bounded_time() {
    let level = hills();
    let mut world = World::new(Rate::per_second(1));
    for at in 0..4 {
        let mut ball = Body::ball(IVec2::new(at * 9_000, -2_000), Ball::MAX_DIAMETER, 1);
        ball.set_velocity_subpixels(I64Vec2::splat(i64::MAX));
        world.add(ball);
    }
    in_time("largest balls", &mut world, &level, Duration::from_secs(4));
}

#[test]
fn a_step_in_pixels_accepts_any_number_or_returns_an_error() {
    let level = comb();
    let mut mover = walker(platformer());
    for _ in 0..4 {
        mover.step(&level, Vec2::new(2e9, 1.0)).unwrap();
        mover.step(&level, Vec2::new(-2e9, 1.0)).unwrap();
    }
    assert!(!level.overlaps(mover.body));
}
