//! A hero rides a lift, jumps from it with its velocity, is carried by a belt, and drops through a second
//! lift.
//!
//! `cargo run --release --example lift [FILE.gif]` (else in the folder for temporary files)
//!
//! A step of the game:
//! 1. each lift gets the velocity that takes it toward its next stop;
//! 2. the keys give the hero a velocity; in the air he keeps the velocity of the floor that he left;
//! 3. the world moves everything: the lifts first, and with them whoever stands on them.
//!
//! The game never moves the hero with a lift: the world does.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Level, MoverSettings};

use stage::flip_book::Page;
use stage::room::{self, CELL};

const ROOM: &str = "\
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
##...###############";

/// The keys that are held, and for how many steps.
const SCRIPT: [(u32, &str); 9] = [
    (28, "right"),
    (126, ""),
    (1, "right jump"),
    (30, "right"),
    (145, ""),
    (1, "down"),
    (44, ""),
    (20, "left"),
    (20, ""),
];

/// In pixels a step.
const RUN: f32 = 1.25;
const JUMP: f32 = 4.0;
const GRAVITY: f32 = 0.25;

const PALETTE: [[u8; 3]; 8] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // a lift
    [60, 130, 80],   // the hero on a floor
    [206, 92, 60],   // the hero in the air
    [250, 250, 250], // white
    [40, 100, 180],  // the belt
    [0; 3],
];

/// A platform that goes from stop to stop and begins again.
struct Lift {
    id: BodyId,
    stops: Vec<IVec2>,
    next: usize,
    /// In pixels a step.
    speed: f32,
    /// The steps that it still waits at its stop.
    wait: u32,
}

impl Lift {
    const WAIT: u32 = 24;

    /// Gives the platform the velocity of the next step.
    fn steer(&mut self, world: &mut World) {
        let Some(body) = world.get_mut(self.id) else { return };
        let limit = Vec2::splat(self.speed);
        // The last step to a stop is shorter, so that the lift comes to rest exactly there.
        body.velocity = body.velocity_to(self.stops[self.next]);
        body.set_velocity(body.velocity_in_pixels().clamp(-limit, limit));
        if self.wait > 0 {
            self.wait -= 1;
            body.set_velocity([0.0, 0.0]);
        } else if body.velocity_in_pixels() == Vec2::ZERO {
            self.next = (self.next + 1) % self.stops.len();
            self.wait = Self::WAIT;
        }
    }
}

struct Hero {
    id: BodyId,
    /// The velocity of the floor on which he stood last, in pixels a step.
    floor: Vec2,
}

impl Hero {
    /// Gives the hero the velocity of the next step.
    fn steer(&mut self, world: &mut World, level: &Level, keys: &str) -> Option<()> {
        let holds = |key| keys.split(' ').any(|name| name == key);
        let is_on_floor = world.touching(level, self.id)?.down;
        if is_on_floor {
            self.floor = world.floor_velocity_in_pixels(self.id);
        }
        if holds("down") {
            world.drop_through(level, self.id);
        }
        let jumps = is_on_floor && holds("jump");
        let body = world.get_mut(self.id)?;
        let mut velocity = body.velocity_in_pixels();
        velocity.x = RUN * f32::from(i8::from(holds("right")) - i8::from(holds("left")));
        if jumps {
            velocity.y = self.floor.y.min(0.0) - JUMP;
        }
        if jumps || !is_on_floor {
            velocity.x += self.floor.x;
        }
        body.set_velocity(velocity);
        Some(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let level = Level::from_grid(room::grid(ROOM, '#')?, UVec2::splat(CELL))?;
    let mut world = World::new();
    let platform = Body::platform(Aabb::from_xywh(32, 160, 48, 8));
    let mut lift = Lift {
        id: world.add(platform),
        stops: vec![
            IVec2::new(32, 80),
            IVec2::new(128, 80),
            IVec2::new(32, 80),
            IVec2::new(32, 160),
        ],
        next: 0,
        speed: 1.5,
        wait: 40,
    };
    let one_way = Body::one_way_platform(Aabb::from_xywh(272, 96, 48, 6));
    let mut second = Lift {
        id: world.add(one_way),
        stops: vec![IVec2::new(272, 140), IVec2::new(272, 84)],
        next: 0,
        speed: 1.0,
        wait: 0,
    };
    let belt = Body::platform(Aabb::from_xywh(168, 64, 104, 8)).with_belt([1.0, 0.0]);
    let belt = world.add(belt);
    let body = Body::character(Aabb::from_xywh(8, 140, 12, 20), MoverSettings::platformer());
    let body = body.with_acceleration([0.0, GRAVITY]);
    let mut hero = Hero { id: world.add(body), floor: Vec2::ZERO };

    let (mut film, path) = room::film("lift", UVec2::new(320, 192), &PALETTE)?;
    let (mut rode, mut carried, mut dropped) = (0, 0, false);
    let mut jump = Vec2::ZERO;
    let keys = SCRIPT.iter().flat_map(|(steps, keys)| (0..*steps).map(move |_| *keys));
    for (number, keys) in keys.enumerate() {
        lift.steer(&mut world);
        second.steer(&mut world);
        let (on, before) = (world.standing_on(hero.id), places(&world, [hero.id, lift.id])?);
        hero.steer(&mut world, &level, keys).ok_or("the hero is gone")?;
        if keys.contains("jump") {
            jump = hero.floor;
        }
        dropped |= keys == "down" && on == Some(second.id) && hero.floor.y > 0.0;
        world.step(&level);

        let after = places(&world, [hero.id, lift.id])?;
        if on == Some(lift.id) && keys.is_empty() {
            // To the pixel, up and along.
            assert_eq!(
                after[0] - before[0],
                after[1] - before[1],
                "the hero slips in step {number}"
            );
            rode += 1;
        }
        carried += u32::from(on == Some(belt) && keys.is_empty());
        if number % 3 == 0 {
            let line = match world.standing_on(hero.id) {
                Some(id) if id == lift.id => "rides the lift",
                Some(id) if id == belt => "is carried by the belt",
                Some(id) if id == second.id => "rides a one-way lift down",
                _ if dropped => "has dropped through it",
                _ if jump != Vec2::ZERO => "jumps with the lift's velocity",
                _ => "",
            };
            film.add(draw(&world, &level, [hero.id, belt], line), 5)?;
        }
    }
    film.turn()?;
    println!("{rode} steps on the lift, {carried} on the belt");
    println!("{} frames in {}", film.frames, path.display());
    let [end, _] = places(&world, [hero.id, lift.id])?;
    assert!(rode > 100, "the hero rode the lift");
    assert_eq!(jump, Vec2::new(lift.speed, 0.0), "he jumped with its velocity");
    assert!(carried > 30, "the belt carried him");
    assert!(dropped, "he dropped through a lift that went down");
    assert_eq!(end.y, 140, "he ends on the ground");
    Ok(())
}

fn draw(world: &World, level: &Level, [hero, belt]: [BodyId; 2], line: &str) -> Page {
    let mut page = room::page(ROOM, ('#', 1), 0, (line, 5));
    let is_on_floor = world.touching(level, hero).is_some_and(|sides| sides.down);
    for (id, body) in world.iter() {
        if id == hero {
            room::figure(&mut page, body.aabb, if is_on_floor { 3 } else { 4 }, 5);
        } else {
            page.fill(body.aabb, if id == belt { 6 } else { 2 });
        }
    }
    page
}

/// The top-left corners of bodies.
fn places<const N: usize>(world: &World, ids: [BodyId; N]) -> Result<[IVec2; N], &'static str> {
    let mut places = [IVec2::ZERO; N];
    for (place, id) in places.iter_mut().zip(ids) {
        *place = world.get(id).ok_or("the body is gone")?.aabb.min;
    }
    Ok(places)
}
