//! A hero pushes crates, alone and in a row, fills a pit with a crate, picks up coins, and is hurt by a bat.
//!
//! `cargo run --release --example crates [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! A step of the game:
//! 1. the keys give the hero a velocity;
//! 2. the world moves everything: the hero pushes crates aside, as long as they are not too heavy for him;
//! 3. the game reads the events: a coin that the hero touches is his, and the bat costs him a heart.
//!
//! Coins are sensors, which watch the hero and stop nobody. The bat needs no separate sensor, because it
//! watches the hero and does not collide with him.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;

use bitwall::glam::{IVec2, UVec2};
use bitwall::world::{Body, BodyId, Event, Meeting, World};
use bitwall::{Aabb, Level, MoverSettings, Rate};

use stage::flip_book::Page;
use stage::room::{self, CELL};

const ROOM: &str = "\
....................
....................
....................
....................
....................
....................
########.###########
####################";

/// The held keys, each with the number of steps.
const SCRIPT: [(u32, &str); 5] = [(129, "right"), (1, "jump"), (40, ""), (130, "right"), (20, "")];

const COINS: [(i32, i32); 5] = [(44, 82), (104, 82), (147, 46), (168, 82), (220, 82)];

const HERO: u64 = 1;
const CRATE: u64 = 1 << 1;
const COIN: u64 = 1 << 2;
const BAT: u64 = 1 << 3;

/// The gravity, in pixels per second squared.
const GRAVITY: f32 = 900.0;
/// The speed of the hero's walk, in pixels a second.
const WALK: f32 = 60.0;
/// The speed of the hero's jump, in pixels a second.
const JUMP: f32 = 240.0;
/// The mass of a crate. The hero can push [`PUSH`], which is three crates.
const MASS: u16 = 4;
const PUSH: u16 = 12;

const PALETTE: [[u8; 3]; 8] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // a crate
    [60, 130, 80],   // the hero
    [206, 92, 60],   // the hero who was hurt
    [250, 250, 250], // white
    [214, 168, 40],  // a coin
    [110, 70, 130],  // the bat
];

/// The bodies that the end of the example checks.
struct Cast {
    hero: BodyId,
    filler: BodyId,
    row: [BodyId; 2],
    on_top: BodyId,
    last: BodyId,
    bat: BodyId,
}

fn main() -> Result<(), Box<dyn Error>> {
    let level = Level::from_grid(room::grid(ROOM, '#')?, UVec2::splat(CELL))?;
    let mut world = World::new(Rate::per_second(60));
    let Cast { hero, filler, row, on_top, last, bat } = cast(&mut world);
    let (mut film, path) = room::film("crates", UVec2::new(320, 144), &PALETTE)?;
    let (mut coins, mut hearts, mut hurt) = (0, 3, 0);
    let keys = SCRIPT.iter().flat_map(|(steps, keys)| (0..*steps).map(move |_| *keys));
    for (number, keys) in keys.enumerate() {
        let holds = |key| f32::from(u8::from(keys.split(' ').any(|name| name == key)));
        let body = world.get_mut(hero).ok_or("the hero is gone")?;
        let fall = if keys.contains("jump") { -JUMP } else { body.velocity().y };
        body.set_velocity([(holds("right") - holds("left")) * WALK, fall]);
        world.step(&level);

        let begun = |event: &Event| match event {
            Event::Begin(Meeting { watcher, .. }) => Some(*watcher),
            _ => None,
        };
        let begun: Vec<BodyId> = world.events().iter().filter_map(begun).collect();
        for watcher in begun {
            if watcher == bat {
                (hearts, hurt) = (hearts - 1, 24);
            } else {
                world.remove(watcher);
                coins += 1;
            }
        }
        hurt = i32::max(hurt - 1, 0);
        if number % 3 == 0 {
            let line = format!("coins {coins}   hearts {hearts}   {keys}");
            film.add(draw(&world, if hurt > 0 { 4 } else { 3 }, &line), 5)?;
        }
    }
    film.turn()?;
    println!("{coins} coins, {hearts} hearts; {} frames in {}", film.frames, path.display());

    let left = |id| world.get(id).map(|body| body.aabb.min.x).ok_or("the body is gone");
    assert_eq!(left(hero)?, 220, "four crates are too heavy");
    assert_eq!(
        world.get(filler).map(|body| body.aabb.min),
        Some(IVec2::new(130, 96)),
        "in the pit"
    );
    assert_eq!([left(row[0])?, left(row[1])?], [232, 246], "the row was pushed to the last crate");
    assert_eq!(left(on_top)?, left(row[0])?, "the stack went along");
    assert_eq!(left(last)?, 260, "four crates are too heavy");
    assert_eq!((coins, hearts), (COINS.len(), 2));
    Ok(())
}

/// Adds the bodies to the world.
fn cast(world: &mut World) -> Cast {
    let mut add = |body| world.add(body);

    let hero = Body::character(Aabb::from_xywh(16, 76, 12, 20), MoverSettings::platformer());
    let hero = hero
        .pushing(0, PUSH, false)
        .with_acceleration([0.0, GRAVITY])
        .with_category(HERO)
        .with_collides_with(HERO | CRATE);
    let hero = add(hero);
    // The pit is two pixels wider than a crate, so that in some steps the whole crate is above it.
    let mut add_crate = |x, y| {
        let body = Body::pushable(Aabb::from_xywh(x, y, 14, 16), MASS, GRAVITY);
        add(body.with_category(CRATE).with_collides_with(HERO | CRATE))
    };
    let filler = add_crate(64, 80);
    let row = [add_crate(176, 80), add_crate(200, 80)];
    // The hero is higher than a crate, so he also pushes a crate that is on top of another.
    let on_top = add_crate(176, 64);
    let last = add_crate(260, 80);
    for (x, y) in COINS {
        let coin = Body::sensor(Aabb::from_xywh(x, y, 8, 8));
        add(coin.with_category(COIN).with_watches(HERO));
    }
    let bat = Body::character(Aabb::from_xywh(290, 78, 14, 8), MoverSettings::PLAIN);
    let bat = bat.with_category(BAT).with_collides_with(0).with_watches(HERO);
    let bat = add(bat.with_velocity([-60.0, 0.0]));
    Cast { hero, filler, row, on_top, last, bat }
}

fn draw(world: &World, hero: u8, line: &str) -> Page {
    let mut page = room::page(ROOM, ('#', 1), 0, (line, 5));
    for (_, body) in world.iter() {
        let Aabb { min, max } = body.aabb;
        match body.category {
            HERO => room::figure(&mut page, body.aabb, hero, 5),
            COIN => page.paint(body.aabb, 6, |at| (2 * at - min - max + 1).length_squared() < 80),
            BAT => page.paint(body.aabb, 7, |at| (at.x - min.x - 7).abs() > at.y - min.y - 2),
            _ => page.paint(body.aabb, 2, |at| {
                let inside = (at - min).min(max - 1 - at);
                inside.min_element() < 2 || (at.x - min.x - (at.y - min.y)).abs() < 2
            }),
        }
    }
    page
}
