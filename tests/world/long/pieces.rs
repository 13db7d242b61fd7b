//! Worlds with platforms that are pieces of level keep what a model of single pixels says: nobody is in a
//! solid or a platform, riders keep their places to the subpixel, and pushes are exact.

use std::collections::HashSet;

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Outside, Rate, Sides};
use fastrand::Rng;

use super::worlds::copy;
use super::{run, steps};
use crate::support::{Subpixels, cells, scattered};

const STEPS: usize = 150;

/// A body with its piece, for the worlds to which it is added in different orders.
struct Plan {
    body: Body,
    piece: Option<Level>,
}

/// A change of a body before a step, by the number of its plan.
enum Change {
    Velocity(usize, I64Vec2),
    /// The pixels of a piece become solid or passable.
    Pixels(usize, Aabb, bool),
}

/// A world with the ids of the planned bodies.
#[derive(Clone)]
struct Play {
    world: World,
    ids: Vec<BodyId>,
}

impl Play {
    fn new(plans: &[Plan], is_reversed: bool) -> Self {
        let mut world = World::new(Rate::per_second(1));
        let mut ids: Vec<BodyId> = Vec::new();
        for at in 0..plans.len() {
            let plan = &plans[if is_reversed { plans.len() - 1 - at } else { at }];
            ids.push(match &plan.piece {
                Some(piece) => world.add_piece(plan.body, piece.clone()),
                None => world.add(plan.body),
            });
        }
        if is_reversed {
            ids.reverse();
        }
        Self { world, ids }
    }

    fn apply(&mut self, change: &Change) {
        match *change {
            Change::Velocity(name, velocity) => {
                self.world.get_mut(self.ids[name]).unwrap().set_velocity_subpixels(velocity);
            }
            Change::Pixels(name, area, is_solid) => {
                let piece = self.world.piece_mut(self.ids[name]).unwrap();
                piece.set_box(area, is_solid).unwrap();
            }
        }
    }

    fn body(&self, name: usize) -> &Body {
        self.world.get(self.ids[name]).unwrap()
    }
}

/// A piece with a slope up from each end, holes, and sometimes one-way cells and cells that are not square.
fn piece(random: &mut Rng) -> Level {
    let size = UVec2::new(random.u32(8..60), random.u32(4..24));
    let mut grid = Grid::new(size.x, size.y).unwrap();
    let (rise, hull) = (random.u32(1..4), random.u32(1..size.y));
    for column in 0..size.x {
        let from_end = column.min(size.x - 1 - column);
        let height = (1 + from_end / rise).min(hull);
        grid.fill(column..column + 1, size.y - height..size.y, true).unwrap();
    }
    for _ in 0..random.u32(0..4) {
        let (x, y) = (random.u32(0..size.x), random.u32(0..size.y));
        let is_solid = random.bool();
        grid.fill(x..x + random.u32(1..5), y..y + random.u32(1..4), is_solid).unwrap();
    }
    let cell = [UVec2::ONE, UVec2::new(2, 3), UVec2::new(3, 1)][random.usize(0..3)];
    let piece = Level::from_grid(grid, cell).unwrap().with_outside(Outside::Open);
    if random.bool() {
        let decks = scattered(random, size, 3, UVec2::new(12, 1));
        return piece.with_one_way(Dir::ALL[random.usize(0..4)], decks).unwrap();
    }
    piece
}

fn speed(random: &mut Rng, most: i64) -> I64Vec2 {
    let mut along = || if random.bool() { random.i64(-most..=most) } else { 0 };
    I64Vec2::new(along(), along())
}

fn platform(random: &mut Rng) -> Plan {
    let at = IVec2::new(random.i32(20..150), random.i32(20..130));
    let aabb = Aabb::from_xywh(at.x, at.y, random.i32(10..60), random.i32(3..20));
    let body = match random.u8(0..3) {
        0 => Body::one_way_platform(aabb),
        _ => Body::platform(aabb),
    };
    let body = body.with_velocity_subpixels(speed(random, 3 << 16));
    let piece = (random.u8(0..5) < 3).then(|| piece(random));
    Plan { body, piece }
}

/// A body that floats and obeys no one-way cell.
fn is_floating(body: &Body) -> bool {
    matches!(&body.kind, BodyKind::Character(character) if character.settings.floor.is_none())
}

fn character(random: &mut Rng) -> Plan {
    let (w, h) = (random.i32(2..14), random.i32(2..18));
    let aabb = Aabb::from_xywh(random.i32(10..200), random.i32(10..150), w, h);
    let body = match random.u8(0..4) {
        0 => {
            let one_way = Sides::all(false);
            Body::character(aabb, MoverSettings { one_way, ..MoverSettings::PLAIN })
        }
        1 => Body::pushable(aabb, random.u16(1..9), 0.25),
        _ => {
            let mut settings = MoverSettings::platformer();
            settings.step_height = random.u32(0..7);
            let body = Body::character(aabb, settings).with_acceleration((0.0, 0.25));
            body.pushing(0, random.u16(0..9), random.bool())
        }
    };
    Plan { body, piece: None }
}

fn pixels(area: Aabb) -> impl Iterator<Item = IVec2> {
    let columns = area.min.x..area.max.x;
    (area.min.y..area.max.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
}

/// True if a platform whose first pixel is at `at` has a solid pixel in `area`.
fn is_in(world: &World, id: BodyId, at: IVec2, area: Aabb) -> bool {
    let body = world.get(id).unwrap();
    let there = body.aabb.translated(at - body.aabb.min).intersection(area);
    let BodyKind::Platform(platform) = &body.kind else { return !there.is_empty() };
    match world.piece(id) {
        Some(piece) => pixels(there).any(|pixel| piece.is_solid(pixel - at)),
        None => !platform.one_way && !there.is_empty(),
    }
}

fn widened(area: Aabb, by: i32) -> Aabb {
    Aabb { min: area.min - by, max: area.max + by }
}

/// The bodies that may be in a solid, and what was met.
#[derive(Default)]
struct Ledger {
    stuck: HashSet<usize>,
    rides: usize,
    pushes: usize,
    walks: usize,
    crushed: usize,
    dug_out: usize,
}

impl Ledger {
    fn check(&mut self, level: &Level, before: &Play, play: &Play, plans: &[Plan]) {
        let world = &play.world;
        let is_platform = |at: &usize| matches!(plans[*at].body.kind, BodyKind::Platform(_));
        let platforms: Vec<usize> = (0..plans.len()).filter(is_platform).collect();
        for event in world.events() {
            if let Event::Crushed { body, .. } | Event::Buried { body } = event {
                self.stuck.insert(play.ids.iter().position(|id| id == body).unwrap());
                self.crushed += 1;
            }
        }
        for name in (0..plans.len()).filter(|at| !is_platform(at)) {
            let (was, body) = (before.body(name), play.body(name));
            let is_in_platform = |play: &Play, area: Aabb| {
                let is_in = |at: &&usize| {
                    is_in(&play.world, play.ids[**at], play.body(**at).aabb.min, area)
                };
                platforms.iter().find(is_in).is_some()
            };
            let is_stuck = pixels(body.aabb).any(|pixel| level.is_solid(pixel))
                || is_in_platform(play, body.aabb);
            assert!(!is_stuck || self.stuck.contains(&name), "{name} is in a solid: {body:?}");
            if !is_stuck {
                self.stuck.remove(&name);
            }
            let was_in = is_in_platform(before, was.aabb);
            self.dug_out += usize::from(was_in && !is_stuck);
            if was_in || was.velocity_subpixels() != I64Vec2::ZERO {
                self.walks += usize::from(was.aabb != body.aabb);
                continue;
            }
            // A body at rest, with one platform near it.
            let near = widened(was.aabb.hull(body.aabb), 14);
            let is_near = |at: &usize| {
                *at != name && [before, play].iter().any(|play| play.body(*at).aabb.overlaps(near))
            };
            let others: Vec<usize> = (0..plans.len()).filter(is_near).collect();
            let is_clear = !pixels(near).any(|pixel| level.is_solid(pixel));
            let [platform] = others[..] else { continue };
            if !is_platform(&platform) || !is_clear {
                continue;
            }
            let id = before.ids[platform];
            let start = before.body(platform).aabb.min;
            let moved = play.body(platform).aabb.min - start;
            if before.world.standing_on(before.ids[name]) == Some(id) {
                assert_eq!(body.aabb, was.aabb.translated(moved), "{name} rides on {platform}");
                // A body that has just landed falls by the rest of a pixel, and beside a wall it has no rest.
                let beside = Aabb { min: was.aabb.min - IVec2::X, max: was.aabb.max + IVec2::X };
                let is_free = !is_in(&before.world, id, start, beside);
                assert!(
                    !is_free || was.subpixel.y != 0 || body.subpixel == was.subpixel,
                    "{name} rides on {platform} by {moved}: {was:?}\n{body:?}\n{:?}",
                    before.body(platform),
                );
                self.rides += usize::from(moved != IVec2::ZERO);
            } else if is_floating(was) && !is_floating(before.body(platform)) {
                let mut pushed = IVec2::ZERO;
                let mut at = start;
                for axis in [0, 1] {
                    for _ in 0..moved[axis].abs() {
                        at[axis] += moved[axis].signum();
                        if is_in(&before.world, id, at, was.aabb.translated(pushed)) {
                            pushed[axis] += moved[axis].signum();
                        }
                    }
                }
                assert_eq!(body.aabb, was.aabb.translated(pushed), "{platform} pushes {name}");
                assert_eq!(body.subpixel, was.subpixel);
                self.pushes += usize::from(pushed != IVec2::ZERO);
            }
        }
    }
}

fn changes(random: &mut Rng, play: &Play, plans: &[Plan]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, plan) in plans.iter().enumerate() {
        let body = play.body(name);
        match &plan.body.kind {
            BodyKind::Platform(_) => {
                let is_far = !Aabb::from_xywh(0, 0, 220, 170).contains(body.aabb.center());
                if is_far || random.u8(0..30) == 0 {
                    let home = (IVec2::new(110, 85) - body.aabb.center()).as_i64vec2();
                    let speed = speed(random, 3 << 16);
                    let speed = if is_far { home.signum() * speed.abs() } else { speed };
                    changes.push(Change::Velocity(name, speed));
                }
                if plan.piece.is_some() && random.u8(0..25) == 0 {
                    let size = body.aabb.size().as_ivec2();
                    let (x, y) = (random.i32(0..size.x), random.i32(0..size.y));
                    let area = Aabb::from_xywh(x, y, random.i32(1..9), random.i32(1..6));
                    changes.push(Change::Pixels(name, area, random.u8(0..3) == 0));
                }
            }
            _ if is_floating(body) => {}
            _ => {
                if random.u8(0..20) == 0 {
                    let walk = if random.bool() { random.i64(-99_999..99_999) } else { 0 };
                    let jump = if random.u8(0..4) == 0 { -200_000 } else { 0 };
                    changes.push(Change::Velocity(name, I64Vec2::new(walk, jump)));
                }
            }
        }
    }
    changes
}

fn plans(random: &mut Rng, level: &Level) -> Vec<Plan> {
    let mut plans: Vec<Plan> = (0..random.usize(1..4)).map(|_| platform(random)).collect();
    for _ in 0..random.usize(2..8) {
        let plan = character(random);
        let play = Play::new(&plans, false);
        let area = plan.body.aabb;
        let is_free = !level.overlaps(area)
            && play
                .ids
                .iter()
                .all(|id| !is_in(&play.world, *id, play.world.get(*id).unwrap().aabb.min, area));
        if is_free {
            plans.push(plan);
        }
    }
    plans
}

fn round(seed: u64, all: &mut Ledger) -> usize {
    let random = &mut Rng::with_seed(seed);
    let count = random.u32(0..12);
    let level = cells(scattered(random, UVec2::new(220, 170), count, UVec2::new(30, 20)), 1);
    let level = if random.bool() { level } else { level.with_outside(Outside::Open) };
    let plans = plans(random, &level);
    let mut play = Play::new(&plans, false);
    // The same bodies in another order; and a world that is woken, or saved and loaded.
    let mut reversed = Play::new(&plans, true);
    let mut twin = play.clone();
    let mut ledger = Ledger::default();
    for step in 0..STEPS {
        let changes = changes(random, &play, &plans);
        if random.u8(0..40) == 0 {
            twin.world = copy(&play.world);
        }
        for play in [&mut play, &mut reversed, &mut twin] {
            changes.iter().for_each(|change| play.apply(change));
        }
        if random.bool() {
            twin.world.iter_mut().for_each(drop);
        }
        let before = play.clone();
        for play in [&mut play, &mut reversed, &mut twin] {
            play.world.step(&level);
        }
        assert!(play.world == twin.world, "step {step}: a world that was woken or saved");
        for name in 0..plans.len() {
            let [one, other] = [&play, &reversed].map(|play| play.body(name));
            assert_eq!(
                (one.aabb, one.subpixel, one.velocity_subpixels()),
                (other.aabb, other.subpixel, other.velocity_subpixels()),
                "step {step}: {name} added in another order"
            );
        }
        ledger.check(&level, &before, &play, &plans);
    }
    assert_eq!(play.world.checksum(), copy(&play.world).checksum());
    all.rides += ledger.rides;
    all.pushes += ledger.pushes;
    all.walks += ledger.walks;
    all.crushed += ledger.crushed;
    all.dug_out += ledger.dug_out;
    STEPS
}

#[test]
fn platforms_with_pieces_agree_with_a_model_of_pixels() {
    let (count, mut all) = (steps(1_000_000, 12_000), Ledger::default());
    run("platforms_with_pieces_agree_with", 54 << 32, count, |seed| round(seed, &mut all));
    let Ledger { rides, pushes, walks, crushed, dug_out, .. } = all;
    println!("{rides} rides, {pushes} pushes, {walks} walks, {crushed} crushed, {dug_out} dug out");
    if std::env::var_os("BITWALL_SEED").is_none() {
        assert!(rides > count / 100 && pushes > count / 500 && dug_out > count / 2_000);
    }
}
