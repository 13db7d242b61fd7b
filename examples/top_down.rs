//! A walk through a level seen from above, written as an animated picture. It shows corner correction.
//!
//! `cargo run --release --example top_down [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! Two walkers get the same keys. One has the settings of [`MoverSettings::top_down`]: if it hits a corner by
//! a few pixels, it is moved aside and goes on. The other is drawn as a ghost, has no corner correction, and
//! is stopped there.

mod stage {
    pub(crate) mod film;
    pub(crate) mod hero;
    pub(crate) mod picture;
    pub(crate) mod script;
}

use std::error::Error;
use std::path::Path;

use bitwall::MoverSettings;
use bitwall::glam::UVec2;

use stage::film::{Film, STEPS_A_FRAME};
use stage::hero::Hero;
use stage::picture::{Stage, Walker, camera};
use stage::script::keys;

const VIEW: UVec2 = UVec2::new(320, 240);

/// The held keys, each with the number of steps of a 60th of a second.
const WALK: [(u32, &str); 8] = [
    (20, ""),
    (13, "right"),
    // Up, past the well, whose corner is 3 pixels in the way.
    (78, "up"),
    // Along the fence, whose lower edge is 2 pixels in the way.
    (84, "right"),
    // Past the end of the fence, which is 2 pixels in the way, to the wall of the house.
    (40, "up"),
    (30, ""),
    // Back, and diagonally along the edge of a roof.
    (36, "down"),
    (60, "left down"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let stage = Stage::load(Path::new("assets/town.tmx"))?;
    let spawn = stage.level.marker("player").ok_or("the map has no spawn")?;
    let mut hero = Hero::new(&stage.level, spawn.area, MoverSettings::top_down());
    let mut ghost = Hero::new(&stage.level, spawn.area, MoverSettings::PLAIN);

    let walker = Walker::load()?;
    let mut film = Film::create("top_down")?;
    let mut hangs = 0;
    for (number, keys) in (0..).zip(keys(&WALK)) {
        let step = hero.step(&stage.level, keys)?;
        let exact = ghost.step(&stage.level, keys)?;
        if exact.is_stopped() && !step.is_stopped() {
            hangs += 1;
        }
        if number % STEPS_A_FRAME == 0 {
            let corner = camera(hero.middle(), VIEW, stage.level.size());
            let mut picture = stage.view(corner, VIEW);
            walker.draw(&mut picture, &ghost, corner, 110);
            walker.draw(&mut picture, &hero, corner, 255);
            film.add(picture)?;
        }
    }
    println!("the ghost hung for {hangs} steps in which the other went on");
    film.finish();
    Ok(())
}
