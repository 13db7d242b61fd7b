//! A body that is steered by held keys does not stop where the level lets it go on, and does not move back
//! and forth.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Sides};

use crate::support::{asset, corpus, rounds};

const SIZE: i32 = 12;

/// Speeds in pixels per step, up to one pixel more than the corner correction.
const SPEEDS: [f32; 10] = [0.3, 0.5, 0.75, 1.0, 1.3, 1.5, 2.0, 2.7, 4.0, 5.0];

/// Creates a body of 12 x 12 px at `at`, in a level seen from above.
fn hero(at: IVec2) -> Mover {
    Mover::new(Aabb::from_xywh(at.x, at.y, SIZE, SIZE), MoverSettings::top_down())
}

/// Moves the body with the same velocity in `steps` steps.
fn hold(level: &Level, mover: &mut Mover, velocity: Vec2, steps: u32) {
    for _ in 0..steps {
        mover.step(level, velocity).unwrap();
    }
}

/// Creates a level with cells of one pixel in which only these rectangles are solid.
fn level_of(size: UVec2, solids: &[Aabb]) -> Level {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for area in solids {
        let (min, max) = (area.min.max(IVec2::ZERO).as_uvec2(), area.max.as_uvec2());
        grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
    }
    Level::from_grid(grid, UVec2::ONE).unwrap()
}

#[test]
fn a_diagonal_walk_passes_a_block_from_every_approach() {
    let block = Aabb::from_xywh(96, 96, 16, 16);
    let level = level_of(UVec2::splat(320), &[block]);
    for (x, y) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let way = IVec2::new(x, y);
        for offset in -14..=14 {
            for speed in SPEEDS {
                let start = IVec2::splat(98) - way * 38 + IVec2::new(offset, 0);
                let mut mover = hero(start);
                hold(&level, &mut mover, way.as_vec2() * speed, (100.0 / speed) as u32);
                let done = (mover.body.min - start) * way;
                assert!(
                    done.x >= 70 || done.y >= 70,
                    "{way} {offset} at {speed}: {:?}",
                    mover.body
                );
            }
        }
    }
}

/// Creates a box from its two corners.
fn between(min: (i32, i32), max: (i32, i32)) -> Aabb {
    Aabb { min: min.into(), max: max.into() }
}

/// Returns the eight transformations that turn or mirror a picture.
fn turns() -> impl Iterator<Item = impl Fn(IVec2) -> IVec2> {
    (0..8).map(|turn| {
        move |at: IVec2| {
            let at = if turn & 1 == 0 { at } else { IVec2::new(-at.x, at.y) };
            let at = if turn & 2 == 0 { at } else { IVec2::new(at.x, -at.y) };
            if turn & 4 == 0 { at } else { IVec2::new(at.y, at.x) }
        }
    })
}

/// Returns the box after `turn`, moved by 200 px on both axes into the level.
fn turned(area: Aabb, turn: &impl Fn(IVec2) -> IVec2) -> Aabb {
    let corners = [turn(area.min), turn(area.max)].map(|corner| corner + IVec2::splat(200));
    Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) }
}

#[test]
fn a_diagonal_walk_along_a_wall_enters_every_door() {
    for turn in turns() {
        for slack in 0..=2 {
            let walls = [between((-200, 0), (0, 16)), between((SIZE + slack, 0), (200, 16))];
            let level = level_of(UVec2::splat(400), &walls.map(|wall| turned(wall, &turn)));
            for speed in SPEEDS {
                for phase in 0..8 {
                    let start = Aabb::from_xywh(-60 - phase, -SIZE, SIZE, SIZE);
                    let mut mover = hero(turned(start, &turn).min);
                    let way = turn(IVec2::ONE).as_vec2() * speed;
                    hold(&level, &mut mover, way, (150.0 / speed) as u32);
                    let beyond = between((-200, 16), (200, 200));
                    let is_in = turned(beyond, &turn).contains(mover.body.min);
                    assert!(
                        is_in,
                        "slack {slack} at {speed}, {way}, from {phase}: {:?}",
                        mover.body
                    );
                }
            }
        }
    }
}

#[test]
fn a_diagonal_walk_turns_into_each_branch_of_a_corridor_of_its_own_width() {
    for turn in turns() {
        // A corridor to the right, from which another corridor branches off downward.
        let solids = [
            between((-200, -200), (200, 0)),
            between((-200, SIZE), (60, 200)),
            between((60 + SIZE, SIZE), (200, 200)),
        ];
        let level = level_of(UVec2::splat(400), &solids.map(|area| turned(area, &turn)));
        for speed in SPEEDS {
            for phase in 0..4 {
                let mut mover = hero(turned(Aabb::from_xywh(phase, 0, SIZE, SIZE), &turn).min);
                let way = turn(IVec2::ONE).as_vec2() * speed;
                hold(&level, &mut mover, way, (150.0 / speed) as u32);
                let branch = between((60, SIZE + 40), (60 + SIZE, 200));
                let is_in = turned(branch, &turn).contains(mover.body.min);
                assert!(is_in, "at {speed}, {way}, from {phase}: {:?}", mover.body);
            }
        }
    }
}

/// Creates a level with a slanted wall on the right and below. Its surface rises by `rise` pixels for `run`
/// pixels to the right and passes through (500, 500).
fn slanted_wall([rise, run]: [i32; 2], turn: &impl Fn(IVec2) -> IVec2) -> Level {
    let rows =
        (-300..300).map(|y| between(((-y * run).div_euclid(rise).min(300), y), (300, y + 1)));
    let rows: Vec<Aabb> = rows.map(|row| turned(row, turn).translated(IVec2::splat(300))).collect();
    level_of(UVec2::splat(1000), &rows)
}

#[test]
fn a_slide_along_a_slanted_wall_is_as_fast_as_the_motion_along_it_and_no_faster_than_asked() {
    const LENGTH: f32 = 120.0;
    let slopes = [[1, 8], [1, 5], [1, 3], [1, 2], [2, 3], [1, 1], [4, 3], [3, 2], [2, 1]];
    let steep = [[5, 2], [3, 1], [4, 1], [5, 1], [6, 1], [8, 1]];
    let ways = (0..24).map(|part| Vec2::from_angle(part as f32 * 15.0_f32.to_radians()));
    for turn in turns() {
        for slope in slopes.into_iter().chain(steep) {
            let level = slanted_wall(slope, &turn);
            let along = Vec2::new(slope[1] as f32, -slope[0] as f32).normalize();
            for (way, speed) in
                ways.clone().flat_map(|way| [0.3, 0.75, 1.5, 4.0].map(|speed| (way, speed)))
            {
                if way.dot(Vec2::new(-along.y, along.x)) < 0.2 {
                    continue;
                }
                let start = turned(between((-12, -13), (0, -1)), &turn).min + IVec2::splat(300);
                let mut mover = hero(start);
                let axes = [IVec2::X, IVec2::Y].map(|axis| turn(axis).as_vec2());
                let velocity = (axes[0] * way.x + axes[1] * way.y) * speed;
                hold(&level, &mut mover, velocity, 40);
                let (before, steps) = (mover.position(), (LENGTH / speed) as u32);
                let mut longest = 0.0_f64;
                for _ in 0..steps {
                    let here = mover.position();
                    mover.step(&level, velocity).unwrap();
                    longest = longest.max((mover.position() - here).length());
                }
                let gone = (mover.position() - before).length() as f32;
                let asked = speed * steps as f32;
                let slide = asked * way.dot(along).abs();
                let is_straight = way.x.abs() < 0.01 || way.y.abs() < 0.01;
                let case = || {
                    format!("{slope:?} {way} at {speed}: {gone} of {slide} and {asked}, {longest}")
                };
                assert!(longest <= f64::from(speed) + 4.0, "{}", case());
                assert!(gone <= asked + 2.0, "{}", case());
                assert!(!is_straight || gone >= 0.9 * slide - 2.0 && gone > 5.0, "{}", case());
            }
        }
    }
}

/// Returns the velocity of random keys: a pair of directions, which the test holds for some steps.
fn keys(random: &mut fastrand::Rng) -> Vec2 {
    let speed = [0.5, 1.0, 1.5, 2.0, 3.0][random.usize(0..5)];
    Vec2::new(random.i32(-1..=1) as f32, random.i32(-1..=1) as f32) * speed
}

/// Returns the mover without any corrections. It slides past everything that it can slide past.
fn plain(mover: &Mover) -> Mover {
    Mover { settings: MoverSettings::PLAIN, ..*mover }
}

/// Moves a body at random, and returns how many walks end in a trap: a position that a body without
/// corrections leaves with the held keys, and this body does not.
fn trapped_walks(level: &Level, walks: usize, random: &mut fastrand::Rng) -> usize {
    let size = level.size();
    (0..walks)
        .filter(|_| {
            let start = IVec2::new(random.i32(0..size.x as i32), random.i32(0..size.y as i32));
            let mut mover = hero(start);
            if level.overlaps(mover.body) {
                return false;
            }
            for _ in 0..4 {
                let velocity = keys(random);
                hold(level, &mut mover, velocity, random.u32(10..90));
                let (mut here, mut free) = (mover, plain(&mover));
                hold(level, &mut here, velocity, 60);
                hold(level, &mut free, velocity, 60);
                let [here, free] =
                    [here, free].map(|after| (after.body.min - mover.body.min).abs().max_element());
                if here <= 4 && free > 8 {
                    return true;
                }
            }
            false
        })
        .count()
}

#[test]
fn no_random_walk_is_trapped_in_the_town() {
    let level = Level::load(asset("town.tmx")).unwrap();
    let mut random = fastrand::Rng::with_seed(11);
    assert_eq!(trapped_walks(&level, rounds(20_000), &mut random), 0);
}

#[test]
fn no_random_walk_is_trapped_in_a_real_map_or_mask() {
    let Some(files) = corpus() else {
        return;
    };
    let mut random = fastrand::Rng::with_seed(13);
    let mut walked = 0;
    for (file, path) in &files {
        let Ok(level) = Level::load(path) else {
            continue;
        };
        assert_eq!(trapped_walks(&level, rounds(200), &mut random), 0, "{file}");
        walked += 1;
    }
    assert!(walked > 50, "{walked}");
}

#[test]
fn no_held_key_moves_a_body_back_and_forth() {
    let level = Level::load(asset("town.tmx")).unwrap();
    let mut random = fastrand::Rng::with_seed(12);
    let size = level.size().as_ivec2();
    let mut turned_back = 0;
    for _ in 0..rounds(5_000) {
        let mut mover = hero(IVec2::new(random.i32(0..size.x), random.i32(0..size.y)));
        if level.overlaps(mover.body) {
            continue;
        }
        let velocity = keys(&mut random);
        let mut before = IVec2::ZERO;
        for _ in 0..100 {
            let moved = mover.step(&level, velocity).unwrap().moved;
            turned_back += i32::from(moved == -before && moved != IVec2::ZERO);
            before = moved;
        }
    }
    assert_eq!(turned_back, 0);
}

/// Loads the hills as a side view whose floor is toward `floor`, upright or upside down, and the start
/// position.
fn hills(floor: Dir) -> (Level, Aabb) {
    let level = Level::load(asset("hills.tmx")).unwrap();
    let foot = level.marker("player").unwrap().position();
    let spawn = Aabb::from_xywh(foot.x - 6, foot.y - 20, 12, 20);
    if floor == Dir::Down {
        return (level, spawn);
    }
    let size = level.size();
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for (x, y) in level.grid().iter_solid().map(|cell| (cell.x, cell.y)) {
        grid.set(x, size.y - 1 - y, true).unwrap();
    }
    let min = IVec2::new(spawn.min.x, size.y as i32 - spawn.max.y);
    let max = IVec2::new(spawn.max.x, size.y as i32 - spawn.min.y);
    (Level::from_grid(grid, UVec2::ONE).unwrap(), Aabb { min, max })
}

/// Returns the distance in pixels that a walker moves to the right in 200 steps. `gravity` is added to its
/// falling speed in each step.
fn walk(level: &Level, body: Aabb, settings: MoverSettings, speed: f32, gravity: f32) -> i32 {
    let down = settings.floor.unwrap().vector().as_vec2();
    let mut mover = Mover::new(body, settings);
    let mut velocity = Vec2::ZERO;
    for _ in 0..200 {
        velocity = Vec2::new(speed, velocity.y) + down * gravity;
        velocity = mover.step(level, velocity).unwrap().velocity(velocity);
    }
    mover.body.min.x - body.min.x
}

#[test]
fn corner_correction_does_not_change_how_far_a_walk_over_hills_goes() {
    for floor in [Dir::Down, Dir::Up] {
        let (level, spawn) = hills(floor);
        let settings = MoverSettings { floor: Some(floor), ..MoverSettings::platformer() };
        for (speed, gravity) in
            [(0.5, 0.2), (0.5, 3.0), (1.0, 1.0), (1.5, 0.25), (1.7, 2.0), (2.0, 4.0)]
        {
            let walk = |sides| {
                let settings = MoverSettings { corner_correction: sides, ..settings };
                walk(&level, spawn, settings, speed, gravity)
            };
            let far = walk(Sides::all(0));
            assert!(far > 90, "{far}");
            for correction in 1..=8 {
                for sides in [
                    Sides::all(correction),
                    Sides { down: correction, ..Sides::all(0) },
                    Sides { up: correction, ..Sides::all(0) },
                    settings.corner_correction,
                ] {
                    assert_eq!(walk(sides), far, "{floor} {sides:?} {speed} {gravity}");
                }
            }
        }
    }
}

/// A body that meets a corner slides around it at its own speed, and no step moves it further. Without the
/// setting, a step moves it by up to four pixels to the side.
#[test]
fn a_body_that_slides_around_corners_moves_by_no_more_than_its_speed_in_each_step() {
    let mut longest_jump = 0.0_f64;
    for turn in turns() {
        // A block whose upper corner is up to four pixels into the way of the body.
        for depth in 1..=4 {
            let block = between((0, SIZE - depth), (200, 200));
            let level = level_of(UVec2::splat(400), &[turned(block, &turn)]);
            for speed in [0.3_f32, 0.75, 1.0, 1.5, 2.7] {
                for slides in [true, false] {
                    let start = turned(Aabb::from_xywh(-30, 0, SIZE, SIZE), &turn).min;
                    let mut mover = hero(start);
                    mover.settings.slides_around_corners = slides;
                    let (way, aside) = (turn(IVec2::X).as_dvec2(), turn(IVec2::NEG_Y).as_dvec2());
                    let velocity = (way * f64::from(speed)).as_vec2();
                    let mut before = mover.position();
                    let steps = (60.0 / speed) as u32;
                    for _ in 0..steps {
                        mover.step(&level, velocity).unwrap();
                        let moved = mover.position() - before;
                        let length = moved.abs().element_sum();
                        if slides {
                            assert!(
                                length < f64::from(speed) + 1e-4,
                                "{depth} at {speed}: {moved}"
                            );
                            assert!(
                                length > f64::from(speed) - 1e-4,
                                "{depth} at {speed}: {moved}"
                            );
                        }
                        longest_jump = longest_jump.max(moved.dot(aside));
                        before = mover.position();
                    }
                    let gone = (mover.body.min - start).as_dvec2();
                    let expected = 60.0 - if slides { f64::from(depth) } else { f64::from(speed) };
                    assert!(
                        gone.dot(way) > expected - f64::from(speed) - 2.0,
                        "{depth} {speed} {gone}"
                    );
                    assert_eq!(gone.dot(aside) as i32, depth, "{speed} {gone}");
                }
            }
        }
    }
    assert!(longest_jump >= 4.0, "{longest_jump}");
}
