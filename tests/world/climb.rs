//! Tests of pushed bodies that go up kerbs and slopes, or aside, in all eight orientations: the ground is below,
//! above, left or right, and the push goes either way.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use super::turns::Turn;
use crate::support::{cells, ground, rounds};

/// Half of the side of the level, in pixels. Scenes are made around (0, 0), which is the centre of the level.
const HALF: i32 = 200;

impl Turn {
    pub(crate) fn area(self, area: Aabb) -> Aabb {
        let corners = [area.min, area.max]
            .map(|at| self.vector(at.as_vec2()).as_ivec2() + IVec2::splat(HALF));
        Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) }
    }

    /// The box in the scene, in its first orientation, of a box in the level.
    pub(crate) fn back(self, area: Aabb) -> Aabb {
        let area = area.translated(IVec2::splat(-HALF));
        self.undone().area(area).translated(IVec2::splat(-HALF))
    }

    fn undone(self) -> Self {
        Self([0, 1, 2, 3, 4, 6, 5, 7][self.0 as usize])
    }

    /// A character of the scene, with gravity toward its floor.
    fn character(self, area: Aabb, settings: MoverSettings) -> Body {
        let gravity = self.vector(Vec2::new(0.0, 0.25));
        Body::character(self.area(area), self.settings(settings)).with_acceleration(gravity)
    }

    fn cube(self, x: i32, y: i32, side: i32) -> Body {
        let block = Body::pushable(Aabb::default(), 0, 0.0);
        let BodyKind::Character(block) = block.kind else { panic!() };
        self.character(Aabb::from_xywh(x, y, side, side), block.settings).pushing(4, 0, true)
    }

    fn hero(self, x: i32) -> Body {
        let area = Aabb::from_xywh(x, -20, 12, 20);
        self.character(area, MoverSettings::platformer()).pushing(0, 100, false)
    }

    /// The level of a scene: solid below y = 0, and in each column right of x = 0 also by its height above.
    fn hills(self, height: impl Fn(i32) -> i32) -> Level {
        let side = 2 * HALF as u32;
        let mut grid = Grid::new(side, side).unwrap();
        for x in -HALF..HALF {
            let top = if x < 0 { 0 } else { -height(x) };
            let column = Aabb { min: IVec2::new(x, top), max: IVec2::new(x + 1, HALF) };
            let Aabb { min, max } = self.area(column);
            let [columns, rows] =
                [min.x..max.x, min.y..max.y].map(|it| it.start as u32..it.end as u32);
            grid.fill(columns, rows, true).unwrap();
        }
        cells(grid, 1)
    }
}

/// A rise of the ground: its name, and the height of a column behind its foot.
type Rise = (&'static str, fn(i32) -> i32);

const RISES: [Rise; 6] = [
    ("level ground", |_| 0),
    ("a kerb of 2 px", |_| 2),
    ("a kerb of 4 px", |_| 4),
    ("1 px every 8 px", |x| (x / 8 + 1).min(20)),
    ("1:2", |x| (x / 2 + 1).min(40)),
    ("1:1", |x| (x + 1).min(40)),
];

fn place(world: &World, turn: Turn, id: BodyId) -> Aabb {
    turn.back(world.get(id).unwrap().aabb)
}

fn assert_free(world: &World, level: &Level, what: &str) {
    assert_eq!(world.pairs(), [], "{what}: two overlap");
    for (id, body) in world.iter() {
        let is_character = body.last().is_some();
        assert!(!is_character || !level.overlaps(body.aabb), "{what}: {id:?} is in the level");
    }
}

#[test]
fn a_platform_pushes_a_character_up_kerbs_and_slopes_without_crushing_it() {
    for turn in Turn::all() {
        for (name, height) in RISES {
            let level = turn.hills(height);
            for speed in [0.4, 1.0, 2.7] {
                let what = format!("{name} {turn:?} {speed}");
                let mut world = World::new(Rate::per_second(1));
                // The wall goes through the ground, as a platform does.
                let wall = Body::platform(turn.area(Aabb::from_xywh(-160, -100, 40, 140)));
                let wall = world.add(wall.with_velocity(turn.vector(Vec2::new(speed, 0.0))));
                let hero = world.add(turn.hero(-80));
                for _ in 0..(220.0 / speed) as u32 {
                    world.step(&level);
                    assert!(
                        !world.events().iter().any(|event| matches!(event, Event::Crushed { .. }))
                    );
                    assert!(!level.overlaps(world.get(hero).unwrap().aabb), "{what}");
                }
                let [wall, hero] = [wall, hero].map(|id| place(&world, turn, id));
                assert_eq!(hero.min.x, wall.max.x, "{what}");
            }
        }
    }
}

/// Pushes crates for 130 px up a rise. Each item of `crates` is a stack, the next behind the one in front.
fn push_up(turn: Turn, (name, height): Rise, speed: f32, side: i32, stacks: &[i32]) {
    let what = format!("{name} {turn:?} at {speed}: crates of {side} px, {stacks:?}");
    let level = turn.hills(height);
    let mut world = World::new(Rate::per_second(1));
    let hero = world.add(turn.hero(-100));
    let mut crates = Vec::new();
    for (column, count) in (0..).zip(stacks) {
        let stack = (0..*count).map(|row| turn.cube(-80 + column * side, -side * (row + 1), side));
        crates.push(stack.map(|cube| world.add(cube)).collect::<Vec<_>>());
    }
    let walk = turn.vector(Vec2::new(speed, 0.0));
    let steps = (130.0 / speed) as u32;
    for _ in 0..steps {
        let body = world.get_mut(hero).unwrap();
        let along = body.velocity();
        let fall = turn.vector(Vec2::new(0.0, 1.0)).abs();
        body.set_velocity(walk + along * fall);
        world.step(&level);
        assert_free(&world, &level, &what);
    }
    let front = place(&world, turn, hero);
    let due = -100 + (speed * steps as f32) as i32;
    assert!((front.min.x - due).abs() <= 1, "{what}: the hero is at {} of {due}", front.min.x);
    let mut behind = front.max.x;
    for stack in &crates {
        let [first, ..] = stack[..] else { continue };
        let lowest = place(&world, turn, first);
        assert!((lowest.min.x - behind).abs() <= 1, "{what}: {lowest:?} after {behind}");
        behind = lowest.max.x;
        for (below, above) in stack.iter().zip(&stack[1..]) {
            let [below, above] = [below, above].map(|id| place(&world, turn, *id));
            assert_eq!(above.min.x, below.min.x, "{what}: the stack is kept");
            assert!((below.min.y - above.max.y).abs() <= 1, "{what}: {above:?} on {below:?}");
        }
    }
}

#[test]
fn a_crate_a_row_and_a_stack_are_pushed_up_kerbs_and_slopes() {
    for turn in Turn::all() {
        for rise in RISES {
            for speed in [0.3, 1.0, 1.7, 3.5] {
                for stacks in [&[1][..], &[1, 1], &[1, 1, 1], &[2], &[3], &[2, 1], &[1, 2]] {
                    push_up(turn, rise, speed, 16, stacks);
                }
                push_up(turn, rise, speed, 12, &[2, 2]);
                push_up(turn, rise, speed, 8, &[1]);
            }
        }
    }
}

#[test]
fn large_crates_are_pushed_up_a_slope_of_half() {
    for turn in Turn::all() {
        for stacks in [&[1][..], &[1, 1], &[2]] {
            push_up(turn, RISES[4], 1.3, 24, stacks);
        }
    }
}

#[test]
fn a_kerb_higher_than_a_step_stops_crate_and_pusher() {
    for turn in Turn::all() {
        let level = turn.hills(|_| 5);
        let mut world = World::new(Rate::per_second(1));
        let hero = world.add(turn.hero(-60));
        let cube = world.add(turn.cube(-40, -16, 16));
        for _ in 0..60 {
            let walk = turn.vector(Vec2::new(1.5, 0.0));
            world.get_mut(hero).unwrap().set_velocity(walk);
            world.step(&level);
            assert_free(&world, &level, "a kerb of 5 px");
        }
        let [hero, cube] = [hero, cube].map(|id| place(&world, turn, id));
        assert_eq!((hero.max.x, cube.max.x), (-16, 0));
    }
}

#[test]
fn a_body_makes_way_to_the_side_before_it_is_crushed() {
    // The walls are platforms at rest. A press with an edge of `edge` pixels over the body's side moves right.
    let mut made_way = 0;
    for turn in Turn::all() {
        for edge in 1..8 {
            let mut world = World::new(Rate::per_second(1));
            let level = turn.hills(|_| 200);
            let hero = world.add(turn.hero(-12));
            let press = Aabb { min: IVec2::new(-60, -edge), max: IVec2::new(-40, 50) };
            let press = Body::platform(turn.area(press));
            world.add(press.with_velocity(turn.vector(Vec2::new(1.0, 0.0))));
            let mut crushed = 0;
            for _ in 0..45 {
                world.step(&level);
                crushed += world.events().len();
            }
            assert_eq!(crushed, usize::from(edge > 4), "{turn:?} {edge}");
            let there = place(&world, turn, hero);
            assert_eq!(there.max.y, if edge > 4 { 0 } else { -edge }, "it is on the press");
            made_way += usize::from(crushed == 0);
        }
    }
    assert_eq!(made_way, 8 * 4);
}

#[test]
fn a_lifted_body_passes_the_corner_of_a_ceiling() {
    for turn in Turn::all() {
        for clipped in 1..8 {
            let mut world = World::new(Rate::per_second(1));
            let level = turn.hills(|_| 0);
            let ceiling = Aabb { min: IVec2::new(-clipped, -60), max: IVec2::new(80, -50) };
            world.add(Body::platform(turn.area(ceiling)));
            let hero = world.add(turn.hero(-12));
            let lift = Aabb::from_xywh(-40, 0, 60, 8);
            let lift = Body::platform(turn.area(lift));
            world.add(lift.with_velocity(turn.vector(Vec2::new(0.0, -1.0))));
            let mut crushed = 0;
            for _ in 0..60 {
                world.step(&level);
                crushed += world.events().len();
            }
            let there = place(&world, turn, hero);
            assert_eq!(crushed, usize::from(clipped > 4), "{turn:?} {clipped}: {there:?}");
            if clipped <= 4 {
                assert_eq!((there.max.x, there.max.y), (-clipped, -60), "{turn:?}");
            }
        }
    }
}

fn is_pusher(body: &Body) -> bool {
    matches!(body.kind, BodyKind::Character(character) if character.push > 0)
}

/// A crowd on hills: its level, and bodies that differ in more than their positions.
fn hilly(random: &mut fastrand::Rng) -> (Grid, Vec<Body>) {
    let size = UVec2::new(400, 200);
    let (mut height, mut slope) = (60, 0);
    let heights: Vec<i32> = (0..400)
        .map(|x| {
            if random.u8(..12) == 0 {
                slope = random.i32(-2..=2);
                height += random.i32(-4..=4);
            }
            height += if slope.abs() == 2 { slope / 2 } else { slope * (x % 2) };
            height = height.clamp(4, 120);
            height
        })
        .collect();
    let mut grid = ground(size, |x| heights[x as usize]);
    for _ in 0..6 {
        let (x, y) = (random.u32(0..360), random.u32(0..80));
        grid.fill(x..x + random.u32(2..40), y..y + random.u32(1..8), true).unwrap();
    }
    let level = cells(grid.clone(), 1);
    let mut bodies: Vec<Body> = Vec::new();
    while bodies.len() < 30 {
        let [w, h] = [random.i32(6..20), random.i32(6..20)];
        let area = Aabb::from_xywh(random.i32(0..400 - w), random.i32(0..190), w, h);
        if bodies.iter().any(|body| body.aabb.overlaps(area)) {
            continue;
        }
        let speed = |random: &mut fastrand::Rng| random.f32() * 5.0 - 2.5;
        let velocity = [speed(random), speed(random)];
        let body = match random.u8(..8) {
            0 | 1 => Body::platform(area),
            _ if level.overlaps(area) => continue,
            2 | 3 => {
                let settings = MoverSettings::platformer();
                let body = Body::character(area, settings).with_acceleration([0.0, 0.2]);
                body.pushing(random.u16(0..3), 30, false)
            }
            _ => Body::pushable(area, 0, 0.25).pushing(random.u16(1..4), 0, random.bool()),
        };
        let mut body = body.with_velocity(velocity);
        body.category = 1 | 2 << bodies.len();
        bodies.push(body);
    }
    (grid, bodies)
}

fn mirrored(area: Aabb) -> Aabb {
    let [min, max] = [400 - area.max.x, 400 - area.min.x];
    Aabb { min: IVec2::new(min, area.min.y), max: IVec2::new(max, area.max.y) }
}

fn mirror(body: &Body) -> Body {
    let mut image = *body;
    image.aabb = mirrored(body.aabb);
    image.subpixel.x = -body.subpixel.x;
    image.set_velocity(body.velocity() * Vec2::new(-1.0, 1.0));
    image
}

#[test]
fn a_crowd_on_hills_ends_in_no_solid_and_depends_on_no_order_side_or_sleep() {
    let mut random = fastrand::Rng::with_seed(53);
    let (mut pushed, mut crushed) = (0, 0);
    let count = rounds(100);
    for round in 0..count {
        let (grid, bodies) = hilly(&mut random);
        let mut image = Grid::new(400, 200).unwrap();
        for (x, y) in (0..400).flat_map(|x| (0..200).map(move |y| (x, y))) {
            image.set(399 - x, y, grid.get(x, y).unwrap()).unwrap();
        }
        let [level, image] = [grid, image].map(|grid| cells(grid, 1));
        let mut world = World::new(Rate::per_second(1));
        let mut reversed = world.clone();
        let mut mirrors = world.clone();
        let ids: Vec<_> = bodies.iter().map(|body| world.add(*body)).collect();
        let mut others: Vec<_> = bodies.iter().rev().map(|body| reversed.add(*body)).collect();
        others.reverse();
        let images: Vec<_> = bodies.iter().map(|body| mirrors.add(mirror(body))).collect();
        let mut known = Vec::new();
        for step in 0..200 {
            for at in 0..ids.len() {
                let body = *world.get(ids[at]).unwrap();
                if is_pusher(&body) && (step == 0 || random.u8(..30) == 0) {
                    let speed = Vec2::new(random.f32() * 5.0 - 2.5, body.velocity().y);
                    let turned = speed * Vec2::new(-1.0, 1.0);
                    world.get_mut(ids[at]).unwrap().set_velocity(speed);
                    reversed.get_mut(others[at]).unwrap().set_velocity(speed);
                    mirrors.get_mut(images[at]).unwrap().set_velocity(turned);
                }
            }
            let mut awake = world.clone();
            let before: Vec<_> = ids.iter().map(|id| world.get(*id).unwrap().aabb).collect();
            world.step(&level);
            reversed.step(&level);
            mirrors.step(&image);
            awake.step(&level);
            assert!(world == awake, "a sleeping body answers as awake: {round} {step}");
            let events = world.events().iter();
            known.extend(events.filter_map(|event| match event {
                Event::Crushed { body, .. } => Some(*body),
                _ => None,
            }));
            for (at, id) in ids.iter().enumerate() {
                let body = world.get(*id).unwrap();
                let what = format!("round {round} step {step}: {body:?}");
                assert_eq!(body.aabb, reversed.get(others[at]).unwrap().aabb, "{what}");
                assert_eq!(body.aabb, mirrored(mirrors.get(images[at]).unwrap().aabb), "{what}");
                if let Some(last) = body.last() {
                    assert!(!level.overlaps(body.aabb) || known.contains(id), "{what}");
                    pushed += usize::from(last.carried.x != 0 && before[at] != body.aabb);
                }
            }
            let solids = |id| world.get(id).unwrap().last().is_some();
            for (one, two) in world.pairs() {
                let is_known = [one, two].iter().any(|id| known.contains(id));
                let are_platforms = ![one, two].into_iter().any(solids);
                assert!(is_known || are_platforms, "round {round} step {step}: {one:?} {two:?}");
            }
        }
        crushed += known.len();
    }
    assert!(pushed > 200 * count && crushed > count, "{pushed} {crushed}");
}
