//! Drops through one-way floors: the floor that a body drops through does not hold it, but other floors do.

use std::ops::Range;

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, Player, World};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides, Terrain,
    geometry::Corners,
    mover::{MovePath, Response},
};

use super::character::{RATE, feel};
use crate::movement::one_way_slopes::uneven;
use crate::movement::oracle::{self, Seen};
use crate::movement::random::{PIXEL, Plan, Symmetry};
use crate::support::{SubpixelSteps, cells, rounds};

const SIZE: UVec2 = UVec2::new(900, 1_000);

/// Two parallel one-way slopes that fall by `rise` pixels per `run` pixels, to the right or mirrored. The
/// second is `below` pixels lower.
struct Slopes {
    rise: i32,
    run: i32,
    below: i32,
    is_mirrored: bool,
}

impl Slopes {
    /// Returns the y of the upper slope in a column.
    fn edge(&self, x: i32) -> i32 {
        let x = if self.is_mirrored { SIZE.x as i32 - 1 - x } else { x };
        60 + (x - 50).max(0) * self.rise / self.run
    }

    /// Returns the y of the highest pixel of the upper slope under a body.
    fn surface(&self, body: Aabb) -> i32 {
        self.edge(body.min.x).min(self.edge(body.max.x - 1))
    }

    fn level(&self) -> Level {
        let mut edges = Grid::new(SIZE.x, SIZE.y).unwrap();
        for x in 0..SIZE.x {
            for y in [self.edge(x as i32), self.edge(x as i32) + self.below] {
                if y < SIZE.y as i32 {
                    edges.set(x, y as u32, true).unwrap();
                }
            }
        }
        let solids = Grid::new(SIZE.x, SIZE.y).unwrap();
        cells(solids, 1).with_one_way(Dir::Up, edges).unwrap()
    }

    /// Runs down the slope for `steps` steps, then drops. Returns the body of the hero after it has landed.
    fn drop_while_running(&self, key: i8, top_speed: f32, steps: u32, is_in_world: bool) -> Aabb {
        let level = self.level();
        let mut body = Aabb::from_xywh(60, 40, 12, 20);
        if self.is_mirrored {
            body = body.translated(IVec2::new(SIZE.x as i32 - 132, 0));
        }
        let feel = Feel { top_speed, ..feel() };
        let mut mover = Mover::new(body, MoverSettings::platformer());
        let mut world = World::new(Rate::per_second(1));
        let id = world.add(Body::character(body, mover.settings));
        let (mut player, mut players) = (Platformer::new(RATE), [Player::new(id, feel.clone())]);
        let mut dropped = false;
        for step in 0..1_000 {
            let x = if self.is_mirrored { -key } else { key };
            let drops = step == steps;
            let x = if step < 20 { 0.0 } else { f32::from(x) / 100.0 };
            let input = Input::from_axes(x, if drops { 1.0 } else { 0.0 }, drops);
            let (outcome, body) = if is_in_world {
                players[0].input = input;
                world.step_players(&level, &mut players);
                (players[0].outcome.unwrap(), world.get(id).unwrap().aabb)
            } else {
                (player.step(&level, &mut mover, input, &feel).1, mover.body)
            };
            assert!(!drops || outcome.dropped, "step {step}");
            dropped |= drops;
            if dropped && outcome.to == Stance::Ground {
                return body;
            }
        }
        panic!("it never lands");
    }
}

/// In an earlier version, 231 of 480 bodies landed on the same slope again, further down.
#[test]
fn a_drop_while_running_down_a_one_way_slope_is_never_undone_and_ends_on_the_next_floor() {
    let (mut count, mut undone) = (0, 0);
    for (rise, run) in [(1, 2), (1, 1), (2, 1)] {
        for is_mirrored in [false, true] {
            let slopes = Slopes { rise, run, below: 90, is_mirrored };
            for (key, top_speed) in [(30, 1.75), (60, 1.75), (100, 1.75), (100, 2.5)] {
                for at in 0..20 {
                    let lands = slopes.drop_while_running(key, top_speed, 20 + at, at % 2 == 1);
                    let depth = lands.max.y - slopes.surface(lands);
                    // If the slope falls faster than the hero, the hero never meets it again.
                    let is_past = depth == slopes.below || lands.max.y == SIZE.y as i32;
                    (count, undone) = (count + 1, undone + u32::from(!is_past));
                }
            }
        }
    }
    assert_eq!((undone, count), (0, 480));
}

#[test]
fn a_drop_ends_on_a_floor_that_is_nearer_than_the_height_of_the_body() {
    for (rise, run) in [(0, 1), (1, 2), (1, 1)] {
        for below in [6, 10, 16] {
            let slopes = Slopes { rise, run, below, is_mirrored: false };
            // On a slope, the drop itself leads past all edges below the body.
            if below > 12 * rise / run {
                for at in [40, 50, 60] {
                    let lands = slopes.drop_while_running(100, 1.75, at, false);
                    assert_eq!(lands.max.y - slopes.surface(lands), below, "{rise}:{run} {below}");
                }
            }
        }
    }
}

/// Returns the pixels of the floor that contains `at`, as far as a walker with steps up to `step` can follow
/// it.
fn floor_of(plan: &Plan, at: IVec2, floor: Dir, step: i32) -> Vec<IVec2> {
    let down = floor.vector();
    let mut found = vec![at];
    for side in [down.perp(), -down.perp()] {
        let mut last = at;
        let is_stop = |pixel: &IVec2| plan.stops(*pixel, floor, Sides::all(true));
        while let Some(next) = (-step..=step).map(|far| last + side + down * far).find(is_stop)
            && !plan.is_solid(next)
            && found.len() < 200
        {
            found.push(next);
            last = next;
        }
    }
    found
}

#[test]
fn a_dropping_body_moves_as_in_a_level_without_the_floor_it_drops_through() {
    let mut random = fastrand::Rng::with_seed(91);
    let (mut drops, mut steps) = (0, 0);
    for _ in 0..rounds(4_000) {
        let mut plan = uneven(&mut random, IVec2::ONE);
        let mut floor = Dir::Down;
        for symmetry in Symmetry::ALL.into_iter().filter(|_| random.bool()) {
            (plan, floor) = (symmetry.plan(&plan), symmetry.dir(floor));
        }
        let level = plan.level();
        let step_height = random.u32(0..7);
        let settings =
            MoverSettings { floor: Some(floor), step_height, ..MoverSettings::platformer() };
        let mut mover = plan.mover(&mut random, &level, settings);
        let along = floor.vector().as_i64vec2();
        for _ in 0..30 {
            let fall = random.i64(0..4 * PIXEL);
            let by = along.perp() * random.i64(-9 * PIXEL..9 * PIXEL) + along * fall;
            if random.u8(0..4) == 0 {
                drops += usize::from(mover.drop_through(&level));
            }
            let mut without = plan.clone();
            if let Some(ends) = mover.dropping {
                steps += 1;
                let floors = ends.map(|at| floor_of(&plan, at, floor, step_height as i32));
                for pixel in floors.concat() {
                    let side = Dir::ALL.iter().position(|dir| *dir == floor.opposite()).unwrap();
                    if pixel.cmpge(IVec2::ZERO).all() && pixel.cmplt(plan.size).all() {
                        without.guards[side][(pixel.y * plan.size.x + pixel.x) as usize] = false;
                    }
                }
            }
            let mut after = mover;
            let step = after.step_subpixels(&level, by);
            let before = Mover { dropping: None, ..mover };
            let expected = oracle::step(&without, &without.level(), before, by);
            assert_eq!(Seen::of(&after, &step), expected, "{plan}{mover:?}\nby {by}");
            mover = after;
        }
    }
    assert!(drops > rounds(4_000) && steps > drops, "{drops}, {steps}");
}

#[test]
fn a_floor_stops_a_body_again_after_the_body_has_left_it_or_moves_up() {
    let slopes = Slopes { rise: 0, run: 1, below: 500, is_mirrored: false };
    let level = slopes.level();
    let dropped = || {
        let mut mover = Mover::new(Aabb::from_xywh(60, 40, 12, 20), MoverSettings::platformer());
        assert!(mover.drop_through(&level) && mover.dropping.is_some());
        mover
    };
    let fall = |mover: &mut Mover, pixels: i64| {
        mover.step_subpixels(&level, I64Vec2::new(0, pixels * PIXEL)).grounded
    };
    let mut mover = dropped();
    assert!(!fall(&mut mover, 18) && mover.dropping.is_some(), "its head is above the edge");
    assert!(!fall(&mut mover, 1) && mover.dropping.is_none());
    for depth in [1, 10] {
        let mut mover = dropped();
        fall(&mut mover, depth);
        fall(&mut mover, -depth - 3);
        assert!(fall(&mut mover, 30) && mover.body.max.y == 60, "after a jump it lands");
    }
}

/// Creates an open level of 800 x 200 px with one-way edges in these columns and rows, and solids in these
/// columns.
fn ledges(edges: &[(Range<u32>, u32)], walls: &[u32]) -> Level {
    let mut guarded = Grid::new(800, 200).unwrap();
    for (columns, row) in edges {
        guarded.fill(columns.clone(), *row..*row + 1, true).unwrap();
    }
    let mut solids = Grid::new(800, 200).unwrap();
    for wall in walls {
        solids.fill(*wall..*wall + 1, 0..200, true).unwrap();
    }
    let level = cells(solids, 1).with_outside(Outside::Open);
    level.with_one_way(Dir::Up, guarded).unwrap()
}

/// Returns a body of this width that has dropped through the edge below its feet at y = 100.
fn dropped(level: &Level, width: i32, settings: MoverSettings) -> Mover {
    let mut mover = Mover::new(Aabb::from_xywh(50, 80, width, 20), settings);
    assert!(mover.drop_through(level) && mover.dropping.is_some());
    mover
}

#[test]
fn a_drop_passes_the_next_edge_only_if_it_is_at_most_a_step_height_lower() {
    for (below, feet) in [(1, 102), (3, 104), (4, 105), (5, 101), (6, 101)] {
        let level = ledges(&[(50..56, 100), (56..62, 100 + below)], &[]);
        let mover = dropped(&level, 12, MoverSettings::platformer());
        assert_eq!(mover.body.max.y, feet, "{below}");
        assert_eq!(mover.dropping, Some([IVec2::new(50, 100), IVec2::new(55, 100)]), "{below}");
    }
}

/// The floor has another edge 2 px lower from column 600 on.
#[test]
fn a_body_of_up_to_512_px_ignores_the_floor_it_dropped_through_wherever_it_moves() {
    let level = ledges(&[(0..600, 100), (600..800, 102)], &[]);
    let straight = MovePath::Straight(Corners::Block);
    for (path, width, along, ignores) in [
        (MovePath::XThenY, 511, 100, true),
        (MovePath::XThenY, 512, 100, true),
        (MovePath::XThenY, 513, 100, false),
        (straight, 512, 100, true),
        (straight, 513, 100, false),
        (straight, 12, 700, true),
        (straight, 12, 600, true),
    ] {
        let settings = MoverSettings { path, ..MoverSettings::platformer() };
        let mut mover = dropped(&level, width, settings);
        let step = mover.step_subpixels(&level, I64Vec2::new(along * PIXEL, 0));
        assert_eq!(step.moved, IVec2::new(along as i32, 0), "{path:?} {width}");
        assert_eq!(mover.dropping.is_some(), ignores, "{path:?} {width}");
        let step = mover.step_subpixels(&level, I64Vec2::new(0, 5 * PIXEL));
        assert_eq!(step.moved.y, if ignores { 5 } else { 1 }, "{path:?} {width}");
    }
}

#[test]
fn a_dropping_body_flies_any_distance_where_no_edge_is_near() {
    let level = ledges(&[(40..80, 100)], &[]);
    let mut mover = dropped(&level, 12, MoverSettings::platformer());
    let step = mover.step_subpixels(&level, I64Vec2::new(700 * PIXEL, 0));
    assert_eq!((step.moved, step.leftover), (IVec2::new(700, 0), IVec2::ZERO));
}

#[test]
fn a_dropping_body_enters_areas_and_meets_the_first_wall_that_it_crosses() {
    let level = ledges(&[(40..80, 100)], &[90, 120]);
    let mut pixels = Grid::new(800, 200).unwrap();
    pixels.fill(40..80, 130..135, true).unwrap();
    let level = level.with_area("water", Terrain::new(pixels, UVec2::ONE).unwrap());
    let mut mover = dropped(&level, 12, MoverSettings::platformer());
    let step = mover.step_subpixels(&level, I64Vec2::new(0, 60 * PIXEL));
    assert!(step.entered(&level).eq(["water"]) && step.left(&level).eq(["water"]));

    let settings = MoverSettings { response: Response::Cross, ..MoverSettings::platformer() };
    let step = dropped(&level, 12, settings).step(&level, [100.0, 0.0]).unwrap();
    assert_eq!(step.contacts.right.map(|contact| contact.cell.x), Some(90));
}

#[test]
fn a_dropping_box_that_becomes_a_smaller_footprint_lands_on_the_floor_again() {
    let (mut solids, mut edge) = (Grid::new(200, 200).unwrap(), Grid::new(200, 200).unwrap());
    solids.fill(0..200, 150..151, true).unwrap();
    edge.fill(0..200, 100..101, true).unwrap();
    let level = Level::from_grid(solids, UVec2::ONE).unwrap().with_one_way(Dir::Up, edge).unwrap();
    let disc = Footprint::circle(8).unwrap();
    let mut mover = Mover::new(Aabb::from_xywh(50, 80, 12, 20), MoverSettings::platformer());
    assert!(mover.drop_through(&level) && mover.dropping.is_some());
    let landed = mover.step(&level.with_footprint(&disc), [0.0, 100.0]).unwrap();
    assert!(landed.landed());
    // The disc is smaller than the box, so it is above the edge again, which holds a footprint.
    assert_eq!(mover.body.max.y, 100);
}

#[test]
fn a_dropping_body_takes_the_size_and_the_solids_of_a_footprint() {
    let level = ledges(&[(50..62, 100)], &[300]);
    let disc = Footprint::circle(8).unwrap();
    let solids = level.with_footprint(&disc);
    let mut ball = Mover::new(disc.bounds(IVec2::new(52, 92)), MoverSettings::platformer());
    assert!(ball.drop_through(&solids) && ball.dropping.is_none());
    let straight = |corners| MoverSettings {
        path: MovePath::Straight(corners),
        ..MoverSettings::platformer()
    };
    for corners in [Corners::Block, Corners::Pass] {
        let mut mover = dropped(&level, 12, straight(corners));
        let step = mover.step(&solids, [400.0, 10.0]).unwrap();
        assert!(step.contacts.right.is_some(), "{corners:?}");
        assert_eq!((mover.body.max.x, mover.body.size()), (300, UVec2::splat(8)), "{corners:?}");
        // Rows without solids do not count, so the step is not cut short.
        let open = ledges(&[(50..62, 100)], &[]);
        let mut mover = dropped(&open, 12, straight(corners));
        let step = mover.step(&open.with_footprint(&disc), [1_400.0, 600.0]).unwrap();
        assert_eq!(step.moved, IVec2::new(1_400, 600), "{corners:?}");
    }
}
