//! Wooden walls do not stop ghosts, nothing stops a wraith, and water stops a cat.
//!
//! `cargo run --release --example ghosts [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! A step of the game:
//! 1. the keys move the hero, and the cat, the ghost and the wraith go straight toward him;
//! 2. the world moves everything: each body is stopped by the parts of the level with which it collides;
//! 3. the game reads the events: which spirit has caught the hero.
//!
//! There is one level. Stone is its terrain. Wood and water are areas with a category: wood stops the hero
//! and the cat, and water stops the cat. The response of the wraith is to cross solids, so not even stone
//! stops it.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;

use bitwall::glam::{UVec2, Vec2};
use bitwall::mover::Response;
use bitwall::world::{Body, BodyId, Event, Meeting, World};
use bitwall::{Aabb, Level, MoverSettings, Rate, Terrain};

use stage::room::{self, CELL};

const HOUSE: &str = "\
####################
#.......w..........#
#.......w..........#
#.......w...#####..#
#...........#####..#
#.......w..........#
#.......w..........#
#.......w~~~~~~~~~~#
#.......w~~~~~~~~~~#
#wwwwwwww..........#
####################";

/// The held keys, each with the number of steps.
const SCRIPT: [(u32, &str); 5] =
    [(20, ""), (24, "down"), (100, "right"), (72, "right down"), (150, "")];

const HERO: u64 = 1;
const CAT: u64 = 1 << 1;
const SPIRIT: u64 = 1 << 2;
const WOOD: u64 = 1 << 3;
const WATER: u64 = 1 << 4;

const PALETTE: [[u8; 3]; 8] = [
    [222, 214, 196], // floor
    [70, 62, 78],    // stone
    [150, 108, 66],  // wood
    [120, 170, 214], // water
    [60, 130, 80],   // the hero
    [200, 120, 40],  // the cat
    [250, 250, 250], // the ghost
    [110, 70, 130],  // the wraith
];

fn main() -> Result<(), Box<dyn Error>> {
    let cell = UVec2::splat(CELL);
    let area = |sign| Terrain::new(room::grid(HOUSE, sign)?, cell);
    let level = Level::from_grid(room::grid(HOUSE, '#')?, cell)?
        .with_solid_area("wood", area('w')?, WOOD)
        .with_solid_area("water", area('~')?, WATER);

    let mut world = World::new(Rate::per_second(60));
    let mut add = |at: [i32; 2], side, category, collides_with, settings| {
        let aabb = Aabb::from_xywh(at[0], at[1], side, side);
        let body = Body::character(aabb, settings)
            .with_category(category)
            .with_collides_with(collides_with);
        // Spirits are not solid for the hero, so they watch him and meet him when they overlap him.
        let watches = if category == SPIRIT { HERO } else { 0 };
        world.add(body.with_watches(watches))
    };
    let walker = MoverSettings::top_down();
    let wraith = MoverSettings { response: Response::Cross, ..MoverSettings::PLAIN };
    let hero = add([40, 40], 14, HERO, WOOD, walker);
    let cat = add([20, 80], 10, CAT, WOOD | WATER, walker);
    let ghost = add([30, 146], 14, SPIRIT, 0, walker);
    let wraith = add([254, 57], 14, SPIRIT, 0, wraith);
    let chasers = [(cat, 54.0), (ghost, 42.0), (wraith, 27.0)];

    let (mut film, path) = room::film("ghosts", UVec2::new(320, 192), &PALETTE)?;
    let bodies = [hero, cat, ghost, wraith];
    // The steps that each character spent in wood, in water and in stone.
    let mut steps = [[0; 3]; 4];
    let mut caught = Vec::new();
    let keys = SCRIPT.iter().flat_map(|(steps, keys)| (0..*steps).map(move |_| *keys));
    for (number, keys) in keys.enumerate() {
        let holds = |key| f32::from(u8::from(keys.split(' ').any(|name| name == key)));
        steer(&mut world, hero, Vec2::new(holds("right"), holds("down")) * 60.0)?;
        for (chaser, speed) in chasers {
            let way = middle(&world, hero)? - middle(&world, chaser)?;
            steer(&mut world, chaser, (way * 60.0).clamp_length_max(speed))?;
        }
        world.step(&level);

        for event in world.events() {
            if let Event::Begin(Meeting { watcher, body, .. }) = event
                && *body == hero
            {
                caught.push(*watcher);
            }
        }
        for (id, steps) in bodies.iter().zip(&mut steps) {
            let body = world.get(*id).ok_or("the body is gone")?.aabb;
            let is_in = |name| level.area(name).is_some_and(|area| area.overlaps(body));
            let places = [is_in("wood"), is_in("water"), level.overlaps(body)];
            steps.iter_mut().zip(places).for_each(|(steps, is_in)| *steps += u32::from(is_in));
        }
        if number % 3 == 0 {
            let line = match caught.len() {
                0 => "wood stops the hero, water the cat",
                1 => "caught by one",
                _ => "caught by both",
            };
            let mut page = room::page(HOUSE, ('#', 1), 0, (line, 6));
            room::paint(&mut page, HOUSE, 'w', 2);
            room::paint(&mut page, HOUSE, '~', 3);
            for (color, id) in (4..).zip(bodies) {
                let body = world.get(id).ok_or("the body is gone")?;
                room::figure(&mut page, body.aabb, color, 1);
            }
            film.add(page, 5)?;
        }
    }
    film.turn()?;
    let names = ["hero", "cat", "ghost", "wraith"];
    for (name, [wood, water, stone]) in names.iter().zip(steps) {
        println!("the {name}: {wood} steps in wood, {water} in water, {stone} in stone");
    }
    println!("{} frames in {}", film.frames, path.display());
    let [in_wood, in_water, in_stone] = [0, 1, 2].map(|place| steps.map(|steps| steps[place] > 0));
    assert_eq!(in_wood[..3], [false, false, true], "wood stops the living");
    assert_eq!(in_water[..3], [true, false, true], "water stops the cat");
    assert_eq!(in_stone, [false, false, false, true], "stone stops all but the wraith");
    assert_eq!(caught, [wraith, ghost], "each spirit begins to meet the hero once");
    Ok(())
}

fn middle(world: &World, id: BodyId) -> Result<Vec2, &'static str> {
    let body = world.get(id).ok_or("the body is gone")?;
    Ok((body.aabb.min + body.aabb.max).as_vec2() / 2.0)
}

fn steer(world: &mut World, id: BodyId, velocity: Vec2) -> Result<(), Box<dyn Error>> {
    let body = world.get_mut(id).ok_or("the body is gone")?;
    body.set_velocity(velocity);
    Ok(())
}
