//! Tests of balls: they bounce without a gain of energy, in any order, and never pass through each other
//! (system 20 of the tutorials).

use bitwall::geometry::Sides;
use bitwall::glam::{I64Vec2, IVec2, Vec2, Vec2Swizzles};
use bitwall::world::{Body, BodyId, BodyKind, Character, Event, World};
use bitwall::{Aabb, Grid, Level, Rate};

use crate::support::{Subpixels, blank, cells};

fn ball(x: i32, y: i32, diameter: u32, mass: u16, velocity: (f32, f32)) -> Body {
    Body::ball(IVec2::new(x, y), diameter, mass).with_velocity(Vec2::from(velocity))
}

/// Returns twice the kinetic energy of all balls, exactly.
pub(crate) fn energy(world: &World) -> i128 {
    world
        .iter()
        .map(|(_, body)| {
            let BodyKind::Ball(ball) = body.kind else {
                return 0;
            };
            let [x, y] = body.velocity_subpixels().to_array().map(i128::from);
            i128::from(ball.mass) * (x * x + y * y)
        })
        .sum()
}

pub(crate) fn crowd(seed: u64, count: i32) -> Vec<Body> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut balls = vec![Body::ball(IVec2::new(140, 90), 40, 0)];
    for at in 0..count {
        let (column, row) = (at % 6, at / 6);
        let diameter = random.u32(4..22);
        let (x, y) = (10 + column * 46, 6 + row * 24 + if row > 1 { 84 } else { 0 });
        let speed = |random: &mut fastrand::Rng| (random.f32() - 0.5) * 8.0;
        let velocity = (speed(&mut random), speed(&mut random));
        balls.push(ball(x, y, diameter, (diameter * diameter) as u16, velocity));
    }
    balls
}

/// Returns these bodies with various restitutions, including 0 and 100.
pub(crate) fn dull(mut bodies: Vec<Body>) -> Vec<Body> {
    let balls = bodies.iter_mut().filter_map(|body| match &mut body.kind {
        BodyKind::Ball(ball) => Some(ball),
        _ => None,
    });
    balls.zip([100, 0, 50, 97, 255, 80].into_iter().cycle()).for_each(|(ball, restitution)| {
        ball.restitution = restitution;
    });
    bodies
}

/// Returns the body without the ids of the bodies that it met. Ids depend on the order in which bodies were
/// added.
pub(crate) fn nameless(mut body: Body) -> Body {
    if let BodyKind::Character(Character { last: Some(last), .. }) = &mut body.kind {
        let Sides { left, right, up, down } = &mut last.contacts;
        [left, right, up, down].into_iter().flatten().for_each(|contact| contact.body = None);
    }
    body
}

pub(crate) fn world_of<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> (World, Vec<BodyId>) {
    let mut world = World::new(Rate::per_second(1));
    let ids = bodies.into_iter().map(|body| world.add(*body)).collect();
    (world, ids)
}

#[test]
fn s20_energy_never_grows_and_hardly_shrinks_in_100_000_steps() {
    let level = blank(300, 200);
    let (mut world, _) = world_of(&crowd(20, 6));
    let start = energy(&world);
    let mut before = start;
    for step in 0..100_000 {
        world.step(&level);
        let now = energy(&world);
        assert!(now <= before, "step {step}");
        before = now;
    }
    let lost = (start - before) as f64 / start as f64;
    // Rounding a velocity to its unit loses about a millionth of the energy in a bounce.
    assert!(lost < 0.005, "{lost}");
}

#[test]
fn s20_the_order_of_the_balls_does_not_matter() {
    let level = blank(300, 200);
    let mut random = fastrand::Rng::with_seed(9);
    let run = |bodies: &[Body], order: &[usize]| {
        let (mut world, ids) = world_of(order.iter().map(|at| &bodies[*at]));
        for _ in 0..400 {
            world.step(&level);
        }
        let mut after: Vec<_> =
            order.iter().zip(ids).map(|(at, id)| (*at, *world.get(id).unwrap())).collect();
        after.sort_by_key(|(at, _)| *at);
        after
    };
    for bodies in [crowd(3, 24), dull(crowd(3, 24))] {
        let mut order: Vec<usize> = (0..bodies.len()).collect();
        let first = run(&bodies, &order);
        for _ in 0..5 {
            random.shuffle(&mut order);
            assert_eq!(run(&bodies, &order), first);
        }
    }
}

#[test]
fn s20_a_mirrored_or_turned_world_moves_mirrored_or_turned() {
    let run = |bodies: &[Body], level: &Level, change: &dyn Fn(Body) -> Body| {
        let bodies: Vec<Body> = bodies.iter().map(|body| change(*body)).collect();
        let (mut world, ids) = world_of(&bodies);
        (0..400).for_each(|_| world.step(level));
        ids.iter().map(|id| *world.get(*id).unwrap()).collect::<Vec<Body>>()
    };
    fn mirrored(mut body: Body) -> Body {
        (body.aabb.min.x, body.aabb.max.x) = (300 - body.aabb.max.x, 300 - body.aabb.min.x);
        body.subpixel.x = -body.subpixel.x;
        body.set_velocity_subpixels(body.velocity_subpixels() * I64Vec2::new(-1, 1));
        body
    }
    fn turned(mut body: Body) -> Body {
        (body.aabb.min, body.aabb.max) = (body.aabb.min.yx(), body.aabb.max.yx());
        body.subpixel = body.subpixel.yx();
        body.set_velocity_subpixels(body.velocity_subpixels().yx());
        body
    }
    for bodies in [crowd(6, 24), dull(crowd(6, 24))] {
        let plain = run(&bodies, &blank(300, 200), &|body| body);
        let there = run(&bodies, &blank(300, 200), &mirrored);
        assert_eq!(there.into_iter().map(mirrored).collect::<Vec<_>>(), plain);
        let there = run(&bodies, &blank(200, 300), &turned);
        assert_eq!(there.into_iter().map(turned).collect::<Vec<_>>(), plain);
    }
}

#[test]
fn s20_the_tutorials_spring_collisions_depend_on_order_and_change_energy() {
    // The tutorial's `checkCollision`: a spring pulls the balls toward the position in which they just touch.
    type Ball = [f64; 4];
    fn collide(balls: &mut [Ball], a: usize, b: usize) {
        let (dx, dy) = (balls[a][0] - balls[b][0], balls[a][1] - balls[b][1]);
        if dx.hypot(dy) < 20.0 {
            let angle = dy.atan2(dx);
            let ax = (balls[b][0] + angle.cos() * 20.0 - balls[a][0]) * 0.5 * 0.5;
            let ay = (balls[b][1] + angle.sin() * 20.0 - balls[a][1]) * 0.5 * 0.5;
            balls[a][2] += ax;
            balls[a][3] += ay;
            balls[b][2] -= ax;
            balls[b][3] -= ay;
        }
    }
    let run = |order: [usize; 3]| {
        let start = [[0.0, 0.0, 5.0, 0.0], [22.0, 9.0, -1.0, 0.0], [22.0, -6.0, -3.0, 1.0]];
        let mut balls = order.map(|at| start[at]);
        let energy = |balls: &[Ball]| balls.iter().map(|b| b[2] * b[2] + b[3] * b[3]).sum::<f64>();
        let before = energy(&balls);
        for _ in 0..40 {
            for a in 0..3 {
                balls[a][0] += balls[a][2];
                balls[a][1] += balls[a][3];
                for b in 0..3 {
                    if a != b {
                        collide(&mut balls, a, b);
                    }
                }
            }
        }
        let place = order.iter().position(|at| *at == 0).unwrap();
        (balls[place], energy(&balls) / before)
    };
    let ((one, drift), (two, _)) = (run([0, 1, 2]), run([2, 1, 0]));
    assert!((one[0] - two[0]).abs() > 0.5, "{one:?} {two:?}");
    assert!((drift - 1.0).abs() > 0.05, "{drift}");
}

#[test]
fn two_equal_balls_exchange_their_velocities_exactly() {
    let level = blank(200, 50);
    let (mut world, ids) =
        world_of(&[ball(20, 20, 10, 7, (3.0, 0.0)), ball(100, 20, 10, 7, (-1.0, 0.0))]);
    for _ in 0..30 {
        world.step(&level);
    }
    let velocities = ids.map_velocities(&world);
    assert_eq!(velocities, [I64Vec2::new(-65_536, 0), I64Vec2::new(3 * 65_536, 0)]);
}

trait Velocities {
    fn map_velocities(&self, world: &World) -> Vec<I64Vec2>;
}

impl Velocities for Vec<BodyId> {
    fn map_velocities(&self, world: &World) -> Vec<I64Vec2> {
        self.iter().map(|id| world.get(*id).unwrap().velocity_subpixels()).collect()
    }
}

#[test]
fn a_ball_with_two_hits_at_once_keeps_energy_and_symmetry() {
    let level = blank(400, 200);
    // If both impacts were computed alone, the energy would grow by three quarters.
    let (mut world, ids) = world_of(&[
        ball(20, 90, 20, 1, (4.0, 0.0)),
        ball(100, 80, 20, 1, (0.0, 0.0)),
        ball(100, 100, 20, 1, (0.0, 0.0)),
    ]);
    let start = energy(&world);
    for _ in 0..30 {
        world.step(&level);
    }
    let lost = start - energy(&world);
    assert!(lost >= 0 && lost * 100_000 < start, "{lost}");
    let velocity = ids.map_velocities(&world);
    assert_eq!(velocity[0].y, 0);
    assert_eq!(velocity[1], velocity[2] * I64Vec2::new(1, -1));
    assert!(velocity[1].x > 0);

    let (mut world, ids) = world_of(&[
        ball(20, 90, 20, 1, (4.0, 0.0)),
        ball(100, 90, 20, 1, (0.0, 0.0)),
        ball(180, 90, 20, 1, (-4.0, 0.0)),
    ]);
    for _ in 0..25 {
        world.step(&level);
    }
    let velocity = ids.map_velocities(&world);
    assert_eq!(velocity, [I64Vec2::new(-4 << 16, 0), I64Vec2::ZERO, I64Vec2::new(4 << 16, 0)]);
}

#[test]
fn balls_never_overlap_each_other_or_the_level_at_any_speed() {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..60 {
        let top = [2.0, 30.0, 1_000.0][round % 3];
        let mut grid = Grid::new(200, 120).unwrap();
        // The walls are one pixel thick.
        grid.fill(100..101, 0..120, true).unwrap();
        grid.fill(0..200, 60..61, true).unwrap();
        let level = cells(grid, 1);
        let mut bodies = Vec::new();
        for at in 0..12 {
            let (x, y) = (4 + at % 6 * 30 + if at % 6 > 2 { 18 } else { 0 }, 5 + at / 6 * 70);
            let speed = |random: &mut fastrand::Rng| (random.f32() - 0.5) * 2.0 * top;
            let velocity = (speed(&mut random), speed(&mut random));
            bodies.push(ball(x, y, random.u32(1..20), random.u16(0..5), velocity));
        }
        let (mut world, ids) = world_of(&bodies);
        let start = energy(&world);
        let side = |body: &Body| (body.aabb.min.x > 100, body.aabb.min.y > 60);
        for _ in 0..60 {
            world.step(&level);
            assert_eq!(world.pairs(), [], "they overlap");
            for (id, body) in ids.iter().zip(&bodies) {
                let now = world.get(*id).unwrap();
                assert_eq!(side(now), side(body), "through a wall: {now:?}");
            }
        }
        assert!(energy(&world) <= start);
    }
}

#[test]
fn a_ball_bounces_aside_off_one_corner_and_straight_back_off_two() {
    // A slot that is narrower than the ball: two corners at once send the ball straight back up.
    let mut grid = Grid::new(60, 60).unwrap();
    grid.fill(0..25, 40..60, true).unwrap();
    grid.fill(35..60, 40..60, true).unwrap();
    let level = cells(grid, 1);
    let (mut world, ids) = world_of(&[ball(20, 2, 20, 1, (0.0, 1.0))]);
    for _ in 0..30 {
        world.step(&level);
    }
    let back = world.get(ids[0]).unwrap();
    assert_eq!(back.velocity_subpixels().x, 0);
    assert!((back.velocity_subpixels().y + 65_536).abs() <= 1, "{}", back.velocity_subpixels());
    // A single corner turns the ball to the side.
    let (mut world, ids) = world_of(&[ball(26, 2, 14, 1, (0.0, 1.0))]);
    for _ in 0..35 {
        world.step(&level);
    }
    assert!(world.get(ids[0]).unwrap().velocity_subpixels().x < 0);
}

#[test]
fn a_ball_moves_on_along_a_solid_that_it_keeps_touching() {
    // In a slot as high as the ball, the ball always touches both sides.
    let mut grid = Grid::new(400, 40).unwrap();
    grid.fill(0..400, 0..10, true).unwrap();
    grid.fill(0..400, 30..40, true).unwrap();
    let level = cells(grid, 1);
    let (mut world, ids) = world_of(&[ball(10, 10, 20, 1, (0.5, 5.0))]);
    for _ in 0..400 {
        world.step(&level);
    }
    let there = world.get(ids[0]).unwrap().aabb.min;
    assert!((205..=210).contains(&there.x) && there.y == 10, "{there}");
    // On a floor with gravity, the ball keeps its speed.
    let level = blank(400, 60);
    let mut rolling = ball(310, 40, 20, 1, (-0.25, 0.0));
    rolling.set_acceleration_subpixels(I64Vec2::new(0, 9_000));
    let (mut world, ids) = world_of(&[rolling]);
    for _ in 0..400 {
        world.step(&level);
    }
    let there = world.get(ids[0]).unwrap().aabb.min;
    assert!((208..=213).contains(&there.x), "{there}");
}

#[test]
fn a_ball_bounces_off_boxes_and_is_pushed_by_platforms() {
    let level = blank(200, 60);
    let (mut world, ids) = world_of(&[
        ball(20, 20, 10, 1, (3.0, 0.0)),
        Body::platform(bitwall::Aabb::from_xywh(100, 0, 10, 60)),
    ]);
    for _ in 0..40 {
        world.step(&level);
    }
    assert_eq!(world.get(ids[0]).unwrap().velocity_subpixels(), I64Vec2::new(-3 << 16, 0));
    let ball = world.get_mut(ids[0]).unwrap();
    ball.set_velocity_subpixels(I64Vec2::ZERO);
    ball.aabb = bitwall::Aabb::from_xywh(60, 20, 10, 10);
    world.get_mut(ids[1]).unwrap().set_velocity_subpixels(I64Vec2::new(-2 << 16, 0));
    for _ in 0..30 {
        world.step(&level);
    }
    assert_eq!(world.get(ids[0]).unwrap().aabb.max.x, 40);
}

#[test]
fn a_platform_pushes_balls_as_circles_and_none_into_another_ball() {
    let level = blank(100, 60);
    let lift = Body::platform(Aabb::from_xywh(0, 10, 8, 10)).with_velocity([2.0, 0.0]);
    let still = (0.0, 0.0);
    // The boxes of these balls meet, but the circles pass each other.
    let beside = ball(14, 20, 10, 1, still).with_subpixel(IVec2::new(0, -58_982));
    let (mut world, ids) = world_of(&[lift, ball(8, 10, 10, 1, still), beside]);
    world.step(&level);
    let bodies = [ids[1], ids[2]].map(|id| *world.get(id).unwrap());
    assert_eq!(bodies.map(|body| body.aabb.min.x), [10, 15]);
    assert!(!bodies[0].overlaps(&bodies[1]));
    // A fixed ball stops a pushed ball like a wall.
    let (mut world, ids) = world_of(&[lift, ball(8, 10, 10, 1, still), ball(24, 10, 10, 0, still)]);
    let mut crushed = 0;
    for _ in 0..10 {
        world.step(&level);
        let bodies = [ids[1], ids[2]].map(|id| *world.get(id).unwrap());
        assert!(!bodies[0].overlaps(&bodies[1]), "{bodies:?}");
        let is_crushed =
            |event: &&Event| matches!(event, Event::Crushed { body, .. } if *body == ids[1]);
        crushed += world.events().iter().filter(is_crushed).count();
    }
    assert!(crushed > 0);
}
