//! Tests of the positions at which bodies are drawn: a body that moves evenly is drawn evenly, and a body
//! that stands still is drawn at rest, whatever carries, pushes or stops it.

use bitwall::glam::{DVec2, IVec2, Vec2};
use bitwall::mover::MovePath;
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Rate, Sides};

use crate::support::cells;

/// The side of a scene in pixels.
const SIDE: i32 = 240;

/// One of the eight transformations that turn or mirror a scene.
#[derive(Clone, Copy)]
struct Turn(u8);

impl Turn {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    fn vector(self, way: Vec2) -> Vec2 {
        let x = if self.0 & 1 == 0 { way.x } else { -way.x };
        let y = if self.0 & 2 == 0 { way.y } else { -way.y };
        if self.0 & 4 == 0 { Vec2::new(x, y) } else { Vec2::new(y, x) }
    }

    fn point(self, at: IVec2) -> IVec2 {
        let from_middle = at.as_vec2() - SIDE as f32 / 2.0;
        (self.vector(from_middle) + SIDE as f32 / 2.0).as_ivec2()
    }

    fn aabb(self, area: Aabb) -> Aabb {
        let corners = [area.min, area.max].map(|corner| self.point(corner));
        Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) }
    }

    fn dir(self, dir: Dir) -> Dir {
        let way = self.vector(dir.vector().as_vec2()).as_ivec2();
        *Dir::ALL.iter().find(|dir| dir.vector() == way).unwrap()
    }

    fn settings(self, settings: MoverSettings) -> MoverSettings {
        let back = |to: Dir| Dir::ALL.into_iter().find(|dir| self.dir(*dir) == to).unwrap();
        let [left, right, up, down] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down]
            .map(|side| settings.corner_correction.get(back(side)));
        let corner_correction = Sides { left, right, up, down };
        let path = if self.0 & 4 == 0 { MovePath::XThenY } else { MovePath::YThenX };
        let floor = settings.floor.map(|floor| self.dir(floor));
        MoverSettings { path, floor, corner_correction, ..settings }
    }

    fn level(self, solids: &[Aabb]) -> Level {
        let mut grid = Grid::new(SIDE as u32, SIDE as u32).unwrap();
        for solid in solids {
            let Aabb { min, max } = self.aabb(*solid);
            let (min, max) = (min.as_uvec2(), max.as_uvec2());
            grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
        }
        cells(grid, 1)
    }
}

/// A body of a scene, with its velocities before the scene is turned.
#[derive(Clone, Copy)]
struct Actor {
    body: Body,
    velocity: Vec2,
    gravity: f32,
    belt: f32,
    /// The speed along x that the body has in each step.
    walk: Option<f32>,
}

impl Actor {
    fn new(body: Body) -> Self {
        Self { body, velocity: Vec2::ZERO, gravity: 0.0, belt: 0.0, walk: None }
    }

    /// Creates a hero of 12 x 20 px whose feet are at `y`.
    fn hero(x: i32, y: i32) -> Self {
        let aabb = Aabb::from_xywh(x, y - 20, 12, 20);
        let hero = Body::character(aabb, MoverSettings::platformer()).pushing(0, 10, false);
        Self { gravity: 0.2, ..Self::new(hero) }
    }

    /// Creates a crate of 16 px whose lower side is at `y`.
    fn cart(x: i32, y: i32) -> Self {
        let aabb = Aabb::from_xywh(x, y - 16, 16, 16);
        let settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let cart = Body::character(aabb, settings).pushing(2, 0, true);
        Self { gravity: 0.25, ..Self::new(cart) }
    }

    fn platform(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self::new(Body::platform(Aabb::from_xywh(x, y, w, h)))
    }

    fn at(self, x: f32, y: f32) -> Self {
        Self { velocity: Vec2::new(x, y), ..self }
    }

    fn belt(self, belt: f32) -> Self {
        Self { belt, ..self }
    }

    fn walking(self, speed: f32) -> Self {
        Self { walk: Some(speed), ..self }
    }

    fn turned(self, turn: Turn) -> Body {
        let mut body = self.body;
        body.aabb = turn.aabb(body.aabb);
        if let BodyKind::Character(character) = &mut body.kind {
            character.settings = turn.settings(character.settings);
        }
        body.with_velocity(turn.vector(self.velocity))
            .with_acceleration(turn.vector(Vec2::new(0.0, self.gravity)))
            .with_belt(turn.vector(Vec2::new(self.belt, 0.0)))
    }
}

/// Moves a scene, and calls `see` with the world after each step and the ids of the actors.
fn play(
    turn: Turn,
    solids: &[Aabb],
    actors: &[Actor],
    steps: u32,
    mut see: impl FnMut(u32, &Level, &World, &[BodyId]),
) {
    let level = turn.level(solids);
    let mut world = World::new(Rate::per_second(1));
    let ids: Vec<BodyId> = actors.iter().map(|actor| world.add(actor.turned(turn))).collect();
    for step in 0..steps {
        for (actor, id) in actors.iter().zip(&ids) {
            let body = world.get_mut(*id).unwrap();
            if let Some(walk) = actor.walk {
                let along = turn.vector(Vec2::new(1.0, 0.0)).abs();
                let velocity = body.velocity() * (Vec2::ONE - along);
                body.set_velocity(velocity + turn.vector(Vec2::new(walk, 0.0)));
            }
        }
        world.step(&level);
        see(step, &level, &world, &ids);
    }
}

/// Asserts that in the last `even` of `steps` steps each actor is drawn at an even speed, and that the speed
/// of each actor is `expected`. Tests all turns of the scene and the reverse order of the actors.
fn assert_even(
    name: &str,
    solids: &[Aabb],
    actors: &[Actor],
    [steps, even]: [u32; 2],
    expected: &[Vec2],
) {
    for turn in Turn::all() {
        for is_reversed in [false, true] {
            let mut actors = actors.to_vec();
            let mut expected = expected.to_vec();
            if is_reversed {
                actors.reverse();
                expected.reverse();
            }
            let mut drawn: Vec<Vec<DVec2>> = vec![Vec::new(); actors.len()];
            play(turn, solids, &actors, steps, |step, level, world, ids| {
                if step + even >= steps {
                    let copy = world.clone();
                    for (id, drawn) in ids.iter().zip(&mut drawn) {
                        let at = world.drawn(level, *id).unwrap();
                        assert_eq!(copy.drawn(level, *id), Some(at), "a copy has no index");
                        drawn.push(at);
                    }
                }
            });
            for (at, (places, expected)) in drawn.iter().zip(&expected).enumerate() {
                let speed = turn.vector(*expected).as_dvec2();
                for pair in places.windows(2) {
                    let error = (pair[1] - pair[0] - speed).abs().max_element();
                    assert!(
                        error < 1e-4,
                        "{name}, turn {}, reversed {is_reversed}, actor {at}: {places:?}",
                        turn.0
                    );
                }
            }
        }
    }
}

/// The ground of most scenes: its top is at y 160.
fn ground() -> Aabb {
    Aabb::from_xywh(0, 160, SIDE, 80)
}

#[test]
fn a_rider_that_something_stops_is_drawn_at_rest() {
    let still = Vec2::ZERO;
    let moving = Vec2::new(0.3, 0.0);
    // The wall is above the lift, which moves on under it.
    let wall = Aabb::from_xywh(120, 100, 16, 56);
    let floor = Actor::platform(20, 160, 140, 8);
    for speed in [0.3, 0.7, 1.3] {
        let moving = Vec2::new(speed, 0.0);
        let lift = floor.at(speed, 0.0);
        let hero = Actor::hero(100, 160);
        let steps = [60, 20];
        assert_even("lift", &[wall], &[lift, hero], steps, &[moving, still]);
        assert_even("belt", &[wall], &[floor.belt(speed), hero], steps, &[still; 2]);
    }
    let lift = floor.at(0.3, 0.0);
    let belt = floor.belt(0.3);
    let hero = Actor::hero(100, 160);
    let post = Actor::platform(120, 120, 10, 36);
    let steps = [120, 60];
    assert_even("lift, post", &[], &[lift, hero, post], steps, &[moving, still, still]);
    assert_even("belt, post", &[], &[belt, hero, post], steps, &[still; 3]);
    let second = Actor::hero(80, 160);
    let third = Actor::cart(60, 160);
    assert_even(
        "row",
        &[wall],
        &[lift, hero, second, third],
        [190, 60],
        &[moving, still, still, still],
    );
    assert_even("row, belt", &[wall], &[belt, hero, second, third], [190, 60], &[still; 4]);
    // A crate on a shelf stops a hero that the lift carries. The lift does not push the crate.
    let shelf = Aabb::from_xywh(156, 150, 14, 4);
    let crates = [lift, Actor::hero(100, 160), Actor::cart(150, 150)];
    assert_even("crate", &[shelf], &crates, [200, 30], &[moving, still, still]);
    assert_even("crate, belt", &[shelf], &[belt, crates[1], crates[2]], [200, 30], &[still; 3]);
}

#[test]
fn crates_that_two_belts_press_together_are_drawn_at_rest() {
    let belts =
        [Actor::platform(0, 160, 100, 8).belt(0.3), Actor::platform(100, 160, 120, 8).belt(-0.47)];
    let [one, two] = belts;
    let still = [Vec2::ZERO; 6];
    let carts = [Actor::cart(60, 160), Actor::cart(120, 160)];
    assert_even("two", &[], &[one, two, carts[0], carts[1]], [200, 60], &still[..4]);
    let more = [Actor::cart(40, 160), Actor::hero(150, 160)];
    let all = [one, two, carts[0], carts[1], more[0], more[1]];
    assert_even("four", &[], &all, [240, 60], &still);
}

#[test]
fn a_pushed_crate_is_drawn_at_a_constant_distance_from_its_pusher() {
    for speed in [0.13, 0.5, 0.8] {
        let even = Vec2::new(speed, 0.0);
        let hero = Actor::hero(40, 160).walking(speed);
        let cart = Actor::cart(60, 160);
        let steps = [120, 40];
        assert_even("crate", &[ground()], &[hero, cart], steps, &[even; 2]);
        let stack = [hero, cart, Actor::cart(76, 160), Actor::cart(60, 144), Actor::cart(72, 128)];
        assert_even("stack", &[ground()], &stack, steps, &[even; 5]);
        let press = Actor::platform(20, 150, 24, 8).at(speed, 0.0);
        let bystander = Actor::hero(46, 160);
        assert_even("press", &[ground()], &[press, bystander, cart], [steps[0], 20], &[even; 3]);
    }
    let lift = Actor::platform(10, 160, 200, 8).at(-0.21, 0.0);
    let pushers = [lift, Actor::hero(40, 160).walking(0.6), Actor::cart(60, 160)];
    let speeds = [-0.21, 0.39, 0.39].map(|speed| Vec2::new(speed, 0.0));
    assert_even("on a lift", &[], &pushers, [120, 40], &speeds);
    // A crate that a wall stops is at rest, and so is its pusher.
    let wall = Aabb::from_xywh(90, 100, 20, 60);
    let hero = Actor::hero(40, 160).walking(0.8);
    let stopped = [hero, Actor::cart(60, 160)];
    assert_even("wall", &[ground(), wall], &stopped, [120, 40], &[Vec2::ZERO; 2]);
}

#[test]
fn stacks_on_lifts_are_drawn_as_one() {
    for velocity in [Vec2::new(0.31, 0.17), Vec2::new(-0.2, -0.43), Vec2::new(0.0, 0.9)] {
        let lift = Actor { velocity, ..Actor::platform(80, 120, 80, 8) };
        let stack = [lift, Actor::cart(100, 120), Actor::cart(104, 104), Actor::hero(102, 88)];
        assert_even("stack", &[], &stack, [60, 50], &[velocity; 4]);
    }
}

/// Returns a hill with its foot at (`x`, 160), which rises to the right by a pixel in each `run` columns.
fn hill(x: i32, run: i32) -> Vec<Aabb> {
    let mut solids = vec![ground()];
    solids.extend((0..100 / run).map(|at| Aabb::from_xywh(x + at * run, 159 - at, SIDE, 1 + at)));
    for solid in &mut solids {
        solid.max.x = solid.max.x.min(SIDE);
    }
    solids
}

#[test]
fn a_walk_on_a_diagonal_slope_is_drawn_evenly_on_both_axes() {
    for speed in [0.37, 0.9, 1.25] {
        let up = Actor::hero(80, 160).walking(speed);
        let even = Vec2::new(speed, -speed);
        assert_even("up", &hill(96, 1), &[up], [60, 20], &[even]);
        let down = Actor::hero(160, 160 - 76).walking(-speed);
        assert_even("down", &hill(96, 1), &[down], [36, 20], &[-even]);
    }
}

#[test]
fn a_walk_on_a_flat_slope_changes_its_drawn_height_by_at_most_one_step_at_a_time() {
    for run in [2, 4] {
        for turn in Turn::all() {
            let hero = Actor::hero(80, 160).walking(0.37);
            let mut before: Option<DVec2> = None;
            play(turn, &hill(92, run), &[hero], 100, |_, level, world, ids| {
                let now = world.drawn(level, ids[0]).unwrap();
                if let Some(before) = before {
                    let moved = (now - before).abs();
                    assert!(moved.max_element() < 0.371, "turn {}: {before} {now}", turn.0);
                }
                before = Some(now);
            });
        }
    }
}

#[test]
fn a_mover_is_drawn_like_a_body_on_a_slope_and_at_its_position_elsewhere() {
    let level = Turn(0).level(&hill(96, 1));
    let mut mover = Mover::new(Aabb::from_xywh(60, 100, 12, 20), MoverSettings::platformer());
    let mut fraction = 0;
    for step in 0..160 {
        mover.step(&level, (0.43, 1.3)).unwrap();
        let (drawn, position) = (mover.drawn(&level), mover.position());
        assert_eq!(drawn.x, position.x);
        let on_slope = mover.body.max.x >= 96 && mover.steps_since_grounded == 0;
        assert!(on_slope || drawn == position, "{step}");
        fraction += i32::from(drawn != position);
        if mover.body.max.x > 97 {
            let height = DVec2::new(position.x, 148.0 - (position.x - 84.0) - 8.0);
            assert!((drawn.y - height.y).abs() < 1e-4, "{step} {drawn} {height}");
        }
    }
    assert!(fraction > 50, "{fraction}");
}
