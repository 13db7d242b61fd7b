//! A walk through a world of LDtk, written as an animated picture: three levels that lie beside each other.
//!
//! `cargo run --release --example ldtk_world [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! For the mover the levels are one level, and nothing happens at their borders. The camera stays in the
//! level that the hero is in, as in games with rooms. Each `PlacedMap` has the box of its level in pixels.

mod stage {
    pub(crate) mod film;
    pub(crate) mod hero;
    pub(crate) mod picture;
    pub(crate) mod script;
}

use std::error::Error;
use std::path::Path;

use bitwall::glam::UVec2;
use bitwall::{LoadOptions, LoadedLevel, MoverSettings};

use stage::film::{Film, STEPS_A_FRAME};
use stage::hero::Hero;
use stage::picture::{Stage, Walker, camera};
use stage::script::keys;

const WORLD: &str = "assets/rooms.ldtk";
const VIEW: UVec2 = UVec2::new(240, 160);

/// The held keys, each with the number of steps of a 60th of a second.
const RUN: [(u32, &str); 6] = [
    (20, ""),
    (90, "right"),
    (30, "right jump"),
    (60, "right"),
    (30, "right jump"),
    (240, "right"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let world = LoadedLevel::load(WORLD, &LoadOptions::default())?;
    let stage = Stage::load(Path::new(WORLD))?;
    let spawn = world.level.marker("Player").ok_or("the world has no player")?;
    let mut hero = Hero::new(&world.level, spawn.area, MoverSettings::platformer());
    let (walker, mut film) = (Walker::load()?, Film::create("ldtk_world")?);
    for (number, keys) in (0..).zip(keys(&RUN)) {
        hero.step(&world.level, keys)?;
        let room = world.maps.iter().find(|map| map.area.contains(hero.middle()));
        if let Some(room) = room.filter(|_| number % STEPS_A_FRAME == 0) {
            let place = room.area.min;
            let corner = place + camera(hero.middle() - place, VIEW, room.area.size());
            let mut picture = stage.view(corner, VIEW);
            walker.draw(&mut picture, &hero, corner, 255);
            film.add(picture)?;
        }
    }
    film.finish();
    Ok(())
}
