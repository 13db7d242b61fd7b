//! A hero in a world rides a lift, pushes a crate, climbs down a ladder, rides and drops through a one-way
//! lift, and swims.
//!
//! `cargo run --release --example lift [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! A step of the game:
//! 1. each lift gets the velocity that moves it toward its next stop;
//! 2. the hero gets the keys;
//! 3. the world moves everything: first the lifts, together with the bodies that stand on them.
//!
//! The game never moves the hero itself. The world moves him by the rules of a platformer.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::collections::BTreeSet;
use std::error::Error;

use bitwall::character::{Feel, Input, Stance};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, Player, World};
use bitwall::{Aabb, Level, MoverSettings, Rate, Terrain};

use stage::flip_book::Page;
use stage::room::{self, CELL};

/// The room: `#` is solid, `H` a ladder, `~` water.
const ROOM: &str = "\
....................
....................
....................
....................
....................
.......######H......
.............H......
.............H......
.............H......
.............H......
####...#########~~~#
################~~~#
####################";

/// The held keys, each with the number of steps.
const SCRIPT: [(u32, &str); 11] = [
    (36, "right"),
    (110, ""),
    (82, "right"),
    (10, ""),
    (92, "down"),
    (10, ""),
    (20, "right jump"),
    (70, ""),
    (1, "down jump"),
    (80, ""),
    (40, "right up"),
];

const PALETTE: [[u8; 3]; 8] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // a lift, a crate, a ladder
    [60, 130, 80],   // the hero on a floor
    [206, 92, 60],   // the hero in the air
    [250, 250, 250], // white
    [120, 170, 230], // water
    [0; 3],
];

/// A platform that moves to each of its stops in turn.
struct Lift {
    id: BodyId,
    stops: [IVec2; 2],
    next: usize,
    /// The number of steps for which it still waits at its stop.
    wait: u32,
}

impl Lift {
    const WAIT: u32 = 40;
    /// The highest speed along each axis, in pixels a second.
    const SPEED: Vec2 = Vec2::splat(60.0);

    /// Gives the platform the velocity of the next step.
    fn steer(&mut self, world: &mut World) {
        let Some(body) = world.get_mut(self.id) else { return };
        let way = body.velocity_to(self.stops[self.next]);
        body.set_velocity(way.clamp(-Self::SPEED, Self::SPEED));
        if self.wait > 0 {
            self.wait -= 1;
            body.set_velocity(Vec2::ZERO);
        } else if way == Vec2::ZERO {
            (self.next, self.wait) = ((self.next + 1) % self.stops.len(), Self::WAIT);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let cell = UVec2::splat(CELL);
    let area = |sign| Terrain::new(room::grid(ROOM, sign)?, cell);
    let level = Level::from_grid(room::grid(ROOM, '#')?, cell)?;
    let level = level.with_area("ladder", area('H')?).with_area("water", area('~')?);

    let mut world = World::new(Rate::per_second(60));
    let solid = world.add(Body::platform(Aabb::from_xywh(64, 160, 48, 8)));
    let one_way = world.add(Body::one_way_platform(Aabb::from_xywh(216, 130, 64, 6)));
    let crates = Body::pushable(Aabb::from_xywh(150, 64, 16, 16), 4, 900.0);
    let crates = world.add(crates);
    let (up, down) = (IVec2::new(64, 80), IVec2::new(64, 160));
    let mut lifts = [
        Lift { id: solid, stops: [up, down], next: 0, wait: 60 },
        Lift { id: one_way, stops: [IVec2::new(216, 132), IVec2::new(250, 90)], next: 0, wait: 0 },
    ];
    let hero = Body::character(Aabb::from_xywh(8, 140, 12, 20), MoverSettings::platformer());
    let hero = world.add(hero.pushing(0, 10, false));
    let mut players = [Player::new(hero, Feel::default())];

    let (mut film, path) = room::film("lift", UVec2::new(320, 224), &PALETTE)?;
    let mut seen = BTreeSet::new();
    let keys = SCRIPT.iter().flat_map(|(steps, keys)| (0..*steps).map(move |_| *keys));
    for (number, keys) in keys.enumerate() {
        for lift in &mut lifts {
            lift.steer(&mut world);
        }
        players[0].input = input(keys);
        let before = world.get(crates).map(|body| body.aabb.min.x);
        world.step_players(&level, &mut players);

        let outcome = players[0].outcome.ok_or("the hero is gone")?;
        let on = world.standing_on(hero);
        let line = match players[0].state().stance {
            _ if outcome.dropped => "drops through a one-way lift",
            _ if world.get(crates).map(|body| body.aabb.min.x) != before => "pushes a crate",
            Stance::Ladder => "climbs a ladder",
            Stance::Water => "swims",
            Stance::Ground if on == Some(solid) => "rides a lift",
            Stance::Ground if on == Some(one_way) => "rides a one-way lift",
            Stance::Ground if on == Some(crates) => "stands on a crate",
            _ => "",
        };
        seen.insert(line);
        if number % 3 == 0 {
            film.add(draw(&world, players[0].state().stance, [hero, crates], line), 5)?;
        }
    }
    film.turn()?;
    println!("{} frames in {}", film.frames, path.display());
    println!("{}", Vec::from_iter(seen.iter().copied()).join(", "));
    for deed in ["rides a lift", "pushes", "climbs", "rides a one-way", "drops", "swims"] {
        assert!(seen.iter().any(|line| line.starts_with(deed)), "the hero {deed}");
    }
    Ok(())
}

/// Returns the input for names of held keys, such as "right jump".
fn input(keys: &str) -> Input {
    let holds = |key| keys.split(' ').any(|name| name == key);
    Input::from_keys(holds("left"), holds("right"), holds("up"), holds("down"), holds("jump"))
}

fn draw(world: &World, stance: Stance, [hero, crates]: [BodyId; 2], line: &str) -> Page {
    let mut page = room::page(ROOM, ('#', 1), 0, (line, 5));
    room::paint(&mut page, ROOM, '~', 6);
    for (id, body) in world.iter() {
        let Aabb { min, max } = body.aabb;
        if id == hero {
            room::figure(&mut page, body.aabb, if stance == Stance::Ground { 3 } else { 4 }, 5);
        } else {
            page.fill(body.aabb, 2);
        }
        if id == crates {
            page.fill(Aabb { min: min + 3, max: max - 3 }, 1);
        }
    }
    for row in 80..160 {
        let rung = if row % 4 == 0 { 210..222 } else { 210..212 };
        page.fill(Aabb::from_xywh(rung.start, row, rung.end - rung.start, 1), 2);
        page.fill(Aabb::from_xywh(220, row, 2, 1), 2);
    }
    page
}
