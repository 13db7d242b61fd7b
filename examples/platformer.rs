//! A run through a side-view level, written as an animated picture: slopes, a gap, a ceiling, one-way ledges.
//!
//! `cargo run --release --example platformer [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! The keys are a script, so that the example runs without a window. The result is the same on every machine,
//! because the mover uses only integers. `examples/play.rs` has the same hero for your keyboard. The
//! acceleration, coyote time and jump buffering of the hero are in `examples/stage/hero.rs`.

mod stage {
    pub(crate) mod film;
    pub(crate) mod hero;
    pub(crate) mod picture;
    pub(crate) mod script;
}

use std::error::Error;
use std::path::Path;

use bitwall::glam::UVec2;
use bitwall::{Move, MoverSettings};

use stage::film::{Film, STEPS_A_FRAME};
use stage::hero::Hero;
use stage::picture::{Stage, Walker, camera};
use stage::script::keys;

const VIEW: UVec2 = UVec2::new(320, 180);

/// The held keys, each with the number of steps of a 60th of a second.
const RUN: [(u32, &str); 22] = [
    (20, ""),
    // Up the gentle slope and the steep slope, over the top and down, with the feet on the ground all the
    // way.
    (244, "right"),
    // Jump only after leaving the edge: coyote time allows it.
    (30, "right jump"),
    (26, "right"),
    // The bricks are too low: the head hits them, and the hero falls at once.
    (18, "right jump"),
    (20, ""),
    // Now only a shoulder is below the bricks: corner correction moves the hero aside, and he jumps past
    // them.
    (34, "jump"),
    (16, ""),
    (56, "right"),
    (16, ""),
    // Up three ledges. Each lets the hero through from below and holds him from above.
    (34, "jump"),
    (16, ""),
    (34, "jump"),
    (16, ""),
    (34, "jump"),
    (24, ""),
    // Down through a ledge, then off its side.
    (1, "down jump"),
    (40, ""),
    (50, "right"),
    // Jump is pressed in the air, a moment too early: jump buffering keeps the press until the hero lands.
    (30, "right jump"),
    (66, "right"),
    (30, ""),
];

fn main() -> Result<(), Box<dyn Error>> {
    let stage = Stage::load(Path::new("assets/hills.tmx"))?;
    let spawn = stage.level.marker("player").ok_or("the map has no spawn")?;
    let goal = stage.level.marker("goal").ok_or("the map has no goal")?;
    let mut hero = Hero::new(&stage.level, spawn.area, MoverSettings::platformer());

    let walker = Walker::load()?;
    let mut film = Film::create("platformer")?;
    for (number, keys) in (0..).zip(keys(&RUN)) {
        let step = hero.step(&stage.level, keys)?;
        tell(number, &hero, &step);
        if number % STEPS_A_FRAME == 0 {
            let corner = camera(hero.middle(), VIEW, stage.level.size());
            let mut picture = stage.view(corner, VIEW);
            walker.draw(&mut picture, &hero, corner, 255);
            film.add(picture)?;
        }
    }
    film.finish();
    // CI fails here if a change of the hero, the level or the script keeps the hero from the goal.
    if !hero.mover.body.overlaps(goal.area) {
        return Err("it has not reached the goal".into());
    }
    println!("it is at the goal");
    Ok(())
}

/// Prints the events for which a game would play a sound.
fn tell(number: u32, hero: &Hero, step: &Move) {
    let place = hero.mover.body.min;
    let say = |what: &str| println!("step {number:>3} at ({:>3}, {:>3}): {what}", place.x, place.y);
    match hero.jumped {
        Some(0) => say("jumps"),
        Some(late) => say(&format!("jumps, {late} steps after the edge")),
        None if step.left_floor() => say("the ground ends"),
        None => {}
    }
    if step.contacts.up.is_some() {
        say("bumps its head");
    }
    if step.contacts.right.is_some() {
        say("runs into a wall");
    }
    if step.landed() {
        say("lands");
    }
}
