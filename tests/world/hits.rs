//! Tests of the hits of balls: each bounce of a ball that watches names the cell, the box or the ball that it
//! hit.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{BallHit, Body, BodyId, Event, World};
use bitwall::{Aabb, Level, Rate, Terrain};

use crate::movement::random::PIXEL;
use crate::support::{Subpixels, blank, rounds, scattered, tiles};
use crate::world::balls::dull;

fn watcher(x: i32, y: i32, diameter: u32, mass: u16, velocity: (i64, i64)) -> Body {
    let mut ball = Body::ball(IVec2::new(x, y), diameter, mass);
    ball.set_velocity_subpixels(I64Vec2::from(velocity) * PIXEL);
    ball.watches = u64::MAX;
    ball
}

fn hits(world: &World) -> Vec<BallHit> {
    let hit = |event: &Event| match event {
        Event::Hit(hit) => Some(*hit),
        _ => None,
    };
    world.events().iter().filter_map(hit).collect()
}

/// Returns the ball, the solid and the normal of each hit.
fn parts(hits: &[BallHit]) -> Vec<(BodyId, Hit, Vec2)> {
    hits.iter().map(|hit| (hit.ball, hit.hit, hit.normal())).collect()
}

/// Returns the hits of one step among these bodies, and the ids of the bodies.
fn after_a_step(level: &Level, bodies: &[Body]) -> (Vec<BallHit>, Vec<BodyId>) {
    let mut world = World::new(Rate::per_second(1));
    let ids = bodies.iter().map(|body| world.add(*body)).collect();
    world.step(level);
    (hits(&world), ids)
}

#[test]
fn a_hit_names_the_cell_and_the_direction_out_of_it() {
    let level = tiles(".....\n...#.\n.....", 16);
    for ((x, y), velocity, normal) in [
        ((34, 20), (9, 0), (-1.0, 0.0)),
        ((52, 2), (0, 9), (0.0, -1.0)),
        ((52, 36), (1, -9), (0.0, 1.0)),
        ((66, 20), (-9, 0), (1.0, 0.0)),
    ] {
        let (found, ids) = after_a_step(&level, &[watcher(x, y, 8, 1, velocity)]);
        let hit = Hit::Cell(IVec2::new(3, 1));
        assert_eq!(parts(&found), [(ids[0], hit, Vec2::from(normal))]);
    }
    // The ball hits the corner of the cell from the top left.
    let (found, _) = after_a_step(&level, &[watcher(37, 5, 8, 1, (6, 6))]);
    let [hit] = found[..] else { panic!("{found:?}") };
    let normal = hit.normal();
    assert_eq!(hit.hit, Hit::Cell(IVec2::new(3, 1)));
    assert_eq!(normal.x, normal.y);
    assert!((normal.length() - 1.0).abs() < 0.000_03 && normal.x < 0.0, "{normal}");
}

#[test]
fn hits_of_balls_with_balls_or_boxes_name_the_other_body() {
    let level = blank(200, 40);
    let balls = [watcher(20, 10, 10, 1, (9, 0)), watcher(36, 10, 10, 1, (0, 0))];
    let (found, ids) = after_a_step(&level, &balls);
    let of =
        |ball: usize, other: usize, x: f32| (ids[ball], Hit::Body(ids[other]), Vec2::new(x, 0.0));
    assert_eq!(parts(&found), [of(0, 1, -1.0), of(1, 0, 1.0)]);

    let wall = Body::platform(Aabb::from_xywh(36, 0, 8, 40));
    let (found, ids) = after_a_step(&level, &[balls[0], wall]);
    let hit = Hit::Body(ids[1]);
    assert_eq!(parts(&found), [(ids[0], hit, Vec2::new(-1.0, 0.0))]);
}

#[test]
fn a_ball_reports_each_solid_that_it_watches_once_in_a_step() {
    let level = tiles("#...#\n#...#", 16);
    let mut quiet = watcher(20, 10, 8, 1, (30, 0));
    quiet.watches = 0;
    assert!(after_a_step(&level, &[quiet]).0.is_empty());

    // The ball moves 30 px between two walls that are 12 px apart. Each wall is reported once, and not each
    // bounce.
    let level = tiles("#.#", 12);
    let (found, _) = after_a_step(&level, &[watcher(14, 2, 8, 1, (30, 0))]);
    let cells: Vec<Hit> = found.iter().map(|hit| hit.hit).collect();
    assert_eq!(cells, [Hit::Cell(IVec2::ZERO), Hit::Cell(IVec2::new(2, 0))]);

    // A ball that watches category 2 reports the wall, but no ball of category 1.
    let level = blank(100, 40);
    let mut ball = watcher(20, 10, 10, 1, (9, 0));
    ball.watches = 2;
    let mut other = Body::ball(IVec2::new(36, 10), 10, 1);
    assert!(after_a_step(&level, &[ball, other]).0.is_empty());
    other.category = 2;
    assert_eq!(after_a_step(&level, &[ball, other]).0.len(), 1);

    // The ball falls onto the edge between two boxes, and watches only one of them.
    let mut ball = watcher(46, 10, 8, 1, (0, 9));
    ball.watches = 2;
    let mut boxes = [40, 50].map(|x| Body::platform(Aabb::from_xywh(x, 22, 10, 10)));
    boxes[1].category = 2;
    let (found, ids) = after_a_step(&level, &[ball, boxes[0], boxes[1]]);
    let hit = Hit::Body(ids[2]);
    assert_eq!(parts(&found), [(ids[0], hit, Vec2::new(0.0, -1.0))]);
}

/// The highest speed on an axis, in pixels a step.
const TOP: i64 = 16;

fn noise(random: &mut fastrand::Rng) -> Level {
    let size = UVec2::new(30, 20);
    let mut terrain = || {
        let count = random.u32(0..40);
        Terrain::new(scattered(random, size, count, UVec2::splat(3)), UVec2::new(7, 9)).unwrap()
    };
    Level::new(terrain()).with_solid_area("glass", terrain(), 2)
}

fn body(random: &mut fastrand::Rng) -> Body {
    let at = IVec2::new(random.i32(0..200), random.i32(0..170));
    let speed = PIXEL << random.u32(0..=TOP.ilog2());
    let mut body = match random.u8(0..8) {
        0 => Body::platform(Aabb { min: at, max: at + random.i32(2..30) }),
        _ => watcher(at.x, at.y, random.u32(1..30), random.u16(0..5), (0, 0)),
    };
    if body.watches != 0 {
        body.set_velocity_subpixels(I64Vec2::new(
            random.i64(-speed..=speed),
            random.i64(-speed..=speed),
        ));
    }
    body.category = random.u64(1..4);
    body.collides_with = random.u64(1..4);
    body
}

#[test]
fn each_velocity_change_of_a_ball_has_a_hit_at_the_edge_of_a_solid() {
    let mut random = fastrand::Rng::with_seed(83);
    let (mut cells, mut bodies) = (0, 0);
    for _ in 0..rounds(400) {
        let level = noise(&mut random);
        let mut world = World::new(Rate::per_second(1));
        let all = (0..random.usize(1..60)).map(|_| body(&mut random)).collect();
        for body in dull(all) {
            world.add(body);
        }
        for _ in 0..20 {
            let before = world.clone();
            world.step(&level);
            let hits = hits(&world);
            assert!(hits.is_sorted_by_key(|hit| hit.ball));
            for (id, body) in world.iter().filter(|(_, body)| body.watches != 0) {
                let was = before.get(id).unwrap();
                let is_hit = hits.iter().any(|hit| hit.ball == id);
                assert!(
                    is_hit || body.velocity_subpixels() == was.velocity_subpixels(),
                    "{was:?} {body:?}"
                );
            }
            for (ball, hit, normal) in parts(&hits) {
                assert!((normal.length() - 1.0).abs() < 0.000_03, "{normal}");
                let ball = before.get(ball).unwrap();
                let there = match hit {
                    Hit::Cell(cell) => {
                        cells += 1;
                        let area = level.cell_area(cell);
                        let solids = level.solids_for(ball.collides_with);
                        assert!(bitwall::Solids::overlaps_aabb(&solids, area), "{ball:?} {cell}");
                        area
                    }
                    Hit::Body(other) => {
                        bodies += 1;
                        let other = before.get(other).unwrap();
                        assert!(ball.meets(other));
                        other.aabb
                    }
                };
                // Another ball may have pushed the ball on its way, so the hit may be further away.
                let path = IVec2::splat(2 * (TOP as i32) + 2);
                let reach = Aabb { min: ball.aabb.min - path, max: ball.aabb.max + path };
                assert!(reach.overlaps(there), "{ball:?} {hit:?}");
            }
        }
    }
    assert!(cells > 1_000 && bodies > 1_000, "{cells} {bodies}");
}
