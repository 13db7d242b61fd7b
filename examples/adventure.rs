//! A whole small game in a side view, played by random keys: two heroes with jumps in the air, dashes and
//! crouching, and a level with lifts, a belt, wind, crates, a ladder, water, a spring, spikes, walkers, bullets
//! and a checkpoint.
//!
//! `cargo run --release --example adventure [FILE.gif]` (without a file name: in the folder for temporary
//! files) films half a minute.
//!
//! `cargo run --release --example adventure -- --play SEED STEPS` plays without a film, and prints how often
//! the heroes did what.
//!
//! The game is in `stage/adventure.rs`. After each step, `stage/random_play.rs` checks that no character is in
//! a solid, trapped or launched, and that a saved game goes on as one that was not saved. A fault is an error.

mod stage {
    pub(crate) mod adventure;
    pub(crate) mod flip_book;
    pub(crate) mod random_play;
    pub(crate) mod room;
}

use std::env;
use std::error::Error;

use bitwall::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::world::BodyKind;

use stage::adventure::{CRATE, Game, HERO, ROOM, WALKER};
use stage::flip_book::Page;
use stage::random_play::play;
use stage::room;

const PALETTE: [[u8; 3]; 16] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // wood
    [120, 170, 230], // water
    [250, 250, 250], // white
    [60, 130, 80],   // a hero
    [206, 92, 60],   // a hero who dashes
    [110, 70, 130],  // a walker
    [210, 224, 232], // wind
    [200, 40, 50],   // a spring, spikes, a bullet
    [214, 168, 40],  // a flag
    [0; 3],
    [0; 3],
    [0; 3],
    [0; 3],
    [0; 3],
];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = env::args().skip(1).collect();
    let deeds = match given.as_slice() {
        [mode, seed, steps] if mode == "--play" => {
            play(seed.parse()?, steps.parse()?, &mut |_, _| Ok(()))?
        }
        _ => {
            let size = UVec2::new(640, 272);
            let (mut book, path) = room::film("adventure", size, &PALETTE)?;
            let deeds = play(1, 1800, &mut |step, game| {
                if step % 3 == 0 { book.add(draw(game), 5) } else { Ok(()) }
            })?;
            book.turn()?;
            println!("{} frames in {}", book.frames, path.display());
            deeds
        }
    };
    for (deed, times) in deeds {
        println!("{times:>8} {deed}");
    }
    Ok(())
}

fn draw(game: &Game) -> Page {
    let mut page = room::page(ROOM, ('#', 1), 0, (&game.sounds.join(", "), 4));
    room::paint(&mut page, ROOM, '~', 3);
    room::paint(&mut page, ROOM, 'w', 8);
    for (row, line) in (0..).zip(ROOM.lines()) {
        for (column, sign) in (0..).zip(line.chars()) {
            let at = IVec2::new(column, row) * room::CELL as i32;
            if sign == '-' {
                page.fill(Aabb::from_xywh(at.x, at.y, 16, 4), 2);
            } else if sign == 'H' {
                page.paint(Aabb::from_xywh(at.x, at.y, 16, 16), 2, |pixel| {
                    let pixel = pixel - at;
                    [2, 13].contains(&pixel.x) || (2..14).contains(&pixel.x) && pixel.y % 8 == 3
                });
            }
        }
    }
    for (id, body) in game.world.iter() {
        let player = game.players.iter().find(|player| player.body == id);
        let dashes = player.is_some_and(|player| player.state().is_dashing());
        let is_flag = game.sensors.iter().any(|(known, sign)| *known == id && "KG".contains(*sign));
        match body.kind {
            BodyKind::Character(_) => match body.category {
                HERO => room::figure(&mut page, body.aabb, if dashes { 6 } else { 5 }, 4),
                WALKER => room::figure(&mut page, body.aabb, 7, 4),
                CRATE => {
                    page.fill(body.aabb, 2);
                    page.fill(Aabb { min: body.aabb.min + 2, max: body.aabb.max - 2 }, 1);
                }
                _ => {}
            },
            BodyKind::Platform(_) => page.fill(body.aabb, 2),
            _ => page.fill(body.aabb, if is_flag { 10 } else { 9 }),
        }
    }
    page
}
