//! Tests of bullets: what stops them, what does not, and that they change nothing for other bodies.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, Event, Impact, World};
use bitwall::{Aabb, Dir, Level, MoverSettings, Rate};

use super::turns::{SIDE, Turn};
use crate::support::{Subpixels, rounds};

fn world_of(bodies: &[Body]) -> (World, Vec<BodyId>) {
    let mut world = World::new(Rate::per_second(1));
    let ids = bodies.iter().map(|body| world.add(*body)).collect();
    (world, ids)
}

fn hits(world: &World) -> Vec<Impact> {
    let hits = world.events().iter().filter_map(|event| match event {
        Event::Hit(hit) => Some(*hit),
        _ => None,
    });
    hits.collect()
}

/// Creates a bullet of 6 x 2 px before the turn.
fn bullet(turn: Turn, x: i32, y: i32, velocity: (f32, f32)) -> Body {
    let aabb = turn.aabb(Aabb::from_xywh(x, y, 6, 2));
    Body::bullet(aabb).with_velocity(turn.vector(velocity.into()))
}

#[test]
fn the_level_stops_a_bullet_of_any_speed_once_in_every_direction() {
    for turn in Turn::all() {
        // A wall of one pixel.
        let level = turn.level(&[Aabb::from_xywh(200, 0, 1, SIDE)]);
        for speed in [0.3, 1.0, 7.7, 60.0, 4000.0] {
            let (mut world, ids) = world_of(&[bullet(turn, 100, 50, (speed, 0.0))]);
            let mut found = Vec::new();
            for _ in 0..(94.0 / speed) as u32 + 4 {
                world.step(&level);
                found.extend(hits(&world));
            }
            let body = world.get(ids[0]).unwrap();
            assert_eq!(body.aabb, turn.aabb(Aabb::from_xywh(194, 50, 6, 2)), "{turn:?} {speed}");
            assert_eq!((body.velocity(), body.subpixel), (Vec2::ZERO, IVec2::ZERO));
            let [hit] = found[..] else { panic!("{turn:?} {speed}: {found:?}") };
            let Hit::Cell(cell) = hit.hit else { panic!("{hit:?}") };
            let normal = turn.dir(Dir::Left).vector().as_vec2();
            assert_eq!((hit.body, hit.normal()), (ids[0], normal));
            let wall = turn.aabb(Aabb::from_xywh(200, 50, 1, 2));
            assert!(wall.contains(cell), "{turn:?} {cell}");
        }
    }
}

#[test]
fn the_first_body_that_collides_with_a_bullet_stops_it_in_any_order() {
    let level = Turn(0).level(&[]);
    for turn in Turn::all() {
        let at = |x: i32| turn.aabb(Aabb::from_xywh(x, 40, 10, 20));
        let bodies = [
            Body::sensor(at(120)),
            Body::ball(at(130).min, 10, 1),
            Body::one_way_platform(at(140)),
            Body::character(at(150), MoverSettings::PLAIN).with_category(2),
            Body::character(at(162), MoverSettings::PLAIN),
            Body::platform(at(180)),
        ];
        let shot = bullet(turn, 100, 50, (500.0, 0.0)).with_collides_with(1);
        for is_reversed in [false, true] {
            let mut all = Vec::from(bodies);
            all.push(shot);
            if is_reversed {
                all.reverse();
            }
            let (mut world, ids) = world_of(&all);
            world.step(&level);
            let [of_bullet, of_target] = if is_reversed { [0, 2] } else { [6, 4] };
            let normal = turn.dir(Dir::Left).vector().as_vec2();
            let [hit] = hits(&world)[..] else { panic!("{turn:?}") };
            assert_eq!(
                (hit.body, hit.hit),
                (ids[of_bullet], Hit::Body(ids[of_target])),
                "{turn:?}"
            );
            assert_eq!(hit.normal(), normal);
            let stopped = turn.aabb(Aabb::from_xywh(156, 50, 6, 2));
            assert_eq!(world.get(ids[of_bullet]).unwrap().aabb, stopped);
        }
    }
}

#[test]
fn a_bullet_leaves_its_owner_only_if_the_two_do_not_collide() {
    let level = Turn(0).level(&[]);
    for turn in Turn::all() {
        let owner =
            Body::character(turn.aabb(Aabb::from_xywh(90, 40, 40, 40)), MoverSettings::PLAIN);
        let shot = bullet(turn, 100, 50, (3.0, 0.0));
        let (mut world, ids) = world_of(&[owner.with_category(4), shot.with_collides_with(!4)]);
        (0..20).for_each(|_| world.step(&level));
        let gone = turn.aabb(Aabb::from_xywh(160, 50, 6, 2));
        assert_eq!(world.get(ids[1]).unwrap().aabb, gone);
        let (mut world, ids) = world_of(&[owner, shot]);
        world.step(&level);
        assert_eq!(hits(&world).len(), 1);
        assert_eq!(world.get(ids[1]).unwrap().aabb, shot.aabb);
    }
}

#[test]
fn a_platform_that_comes_toward_a_bullet_stops_it_also_if_it_moves_onto_it() {
    let level = Turn(0).level(&[]);
    for turn in Turn::all() {
        for speed in [-0.5_f32, -4.0, -30.0] {
            let wall = Body::platform(turn.aabb(Aabb::from_xywh(160, 0, 60, 200)));
            let wall = wall.with_velocity(turn.vector(Vec2::new(speed, 0.0)));
            let (mut world, ids) = world_of(&[wall, bullet(turn, 100, 50, (6.0, 0.0))]);
            let mut found = Vec::new();
            for _ in 0..20 {
                world.step(&level);
                found.extend(hits(&world));
            }
            assert_eq!(found.len(), 1, "{turn:?} {speed}");
            assert_eq!(found[0].hit, Hit::Body(ids[0]));
        }
    }
}

#[test]
fn bullets_pass_each_other_and_one_way_cells() {
    let mut ledge = bitwall::Grid::new(SIDE as u32, SIDE as u32).unwrap();
    ledge.fill(0..SIDE as u32, 60..61, true).unwrap();
    let level = Turn(0).level(&[]).with_one_way(Dir::Up, ledge).unwrap();
    let down = Body::bullet(Aabb::from_xywh(100, 20, 2, 2)).with_velocity((0.0, 70.0));
    let up = Body::bullet(Aabb::from_xywh(100, 90, 2, 2)).with_velocity((0.0, -70.0));
    let (mut world, ids) = world_of(&[down, up]);
    world.step(&level);
    assert_eq!(world.events(), []);
    assert_eq!([0, 1].map(|at| world.get(ids[at]).unwrap().aabb.min.y), [90, 20]);
}

/// An arrow under gravity stops in the ground and stays there, without another hit.
#[test]
fn a_bullet_with_an_acceleration_hits_once_and_stays() {
    let level = Turn(0).level(&[Aabb::from_xywh(0, 200, SIDE, 40)]);
    let arrow = bullet(Turn(0), 10, 20, (2.3, 0.0)).with_acceleration((0.0, 0.15));
    let (mut world, ids) = world_of(&[arrow]);
    let mut found = 0;
    for _ in 0..120 {
        world.step(&level);
        found += hits(&world).len();
    }
    let body = world.get(ids[0]).unwrap();
    assert_eq!((found, body.aabb.max.y, body.acceleration()), (1, 200, Vec2::ZERO));
}

/// Creates a level, and characters, platforms and bullets in it, at random.
fn random_scene(random: &mut fastrand::Rng) -> (Level, Vec<Body>) {
    let solids: Vec<Aabb> = (0..random.usize(0..20))
        .map(|_| {
            let (x, y) = (random.i32(0..SIDE - 20), random.i32(0..SIDE - 20));
            Aabb::from_xywh(x, y, random.i32(1..20), random.i32(1..20))
        })
        .collect();
    let bodies = (0..24).map(|at| {
        let (x, y) = (random.i32(0..SIDE - 20), random.i32(0..SIDE - 20));
        let aabb = Aabb::from_xywh(x, y, random.i32(2..16), random.i32(2..16));
        let body = match random.u8(0..4) {
            0 => Body::platform(aabb),
            1 => Body::pushable(aabb, 1, 0.2),
            _ => Body::bullet(aabb),
        };
        let mut speed = || random.i64(-1_500_000..1_500_000);
        let mut body = body.with_category(1 | 2 << at);
        body.set_velocity_subpixels(I64Vec2::new(speed(), speed()));
        body
    });
    let bodies = bodies.collect();
    (Turn(0).level(&solids), bodies)
}

#[test]
fn bullets_end_before_solids_and_change_no_other_body() {
    let mut random = fastrand::Rng::with_seed(531);
    let mut found = 0;
    for round in 0..rounds(300) {
        let (level, bodies) = random_scene(&mut random);
        let is_bullet = |body: &Body| matches!(body.kind, bitwall::world::BodyKind::Bullet);
        let (mut world, ids) = world_of(&bodies);
        let (mut awake, _) = world_of(&bodies);
        let others: Vec<Body> = bodies.iter().copied().filter(|body| !is_bullet(body)).collect();
        let (mut without, others) = world_of(&others);
        for step in 0..30 {
            let before: Vec<Body> = ids.iter().map(|id| *world.get(*id).unwrap()).collect();
            world.step(&level);
            awake = awake.clone(); // A copy has no sleeping bodies.
            awake.step(&level);
            without.step(&level);
            assert!(world == awake, "round {round} step {step}");
            let mut rest = others.iter().map(|id| without.get(*id).unwrap());
            for (id, before) in ids.iter().zip(&before) {
                let body = world.get(*id).unwrap();
                if !is_bullet(body) {
                    let lone = rest.next().unwrap();
                    let state = |body: &Body| (body.aabb, body.subpixel, body.velocity());
                    assert_eq!(state(body), state(lone), "round {round} step {step}");
                    continue;
                }
                if !level.overlaps(before.aabb) {
                    assert!(!level.overlaps(body.aabb), "round {round} step {step}");
                }
                let hits = hits(&world);
                let own: Vec<&Impact> = hits.iter().filter(|hit| hit.body == *id).collect();
                found += own.len();
                let moves = before.velocity() != Vec2::ZERO;
                let is_stopped = moves && body.velocity() == Vec2::ZERO;
                assert_eq!(own.len(), usize::from(is_stopped), "round {round} step {step}");
                for hit in own {
                    // A corner can be ahead on both axes only.
                    let diagonal = before.velocity().signum().as_ivec2();
                    let is_solid = [-hit.normal().as_ivec2(), diagonal].into_iter().any(|way| {
                        let ahead = body.aabb.translated(way);
                        match &hit.hit {
                            Hit::Cell(_) => level.overlaps(ahead),
                            Hit::Body(other) => world.get(*other).unwrap().aabb.overlaps(ahead),
                        }
                    });
                    assert!(is_solid, "round {round} step {step} {body:?}");
                }
            }
        }
    }
    assert!(found > rounds(1_000), "{found}");
}
